// Which triangles are within reach of which bricks. Each triangle's box, dilated by the reach, is halved down to
// single bricks; halves that the triangle's plane or edges keep out of reach are dropped on the way.
#include "geometry/field_raster.h"

#include "base/memory.h"
#include "base/result.h"
#include <math.h>

enum { TRIANGLES_A_CHUNK = 512, DIGIT = 11 };

// ---------------------------------------------------------------- triangles

static inline double normalize(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double scale = length > 0 ? 1.0 / length : 0;
    for (int a = 0; a < 3; a++) v[a] *= scale;
    return length;
}

static inline void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void thaw_raster_corners(const ThawField *field, uint32_t triangle, double corner[3][3]) {
    const uint32_t *index = field->mesh.triangles[triangle];
    const ThawFieldGrid *grid = &field->grid;
    const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
    double scale = 1.0 / grid->cell;
    for (int k = 0; k < 3; k++) {
        const double *p = field->mesh.points[index[k]];
        for (int a = 0; a < 3; a++) corner[k][a] = (p[a] - origin[a]) * scale;
    }
}

static void make_frame(double corner[3][3], ThawTriangleFrame *frame) {
    double along[3][3], length[3], normal[3], longest = 0;
    for (int k = 0; k < 3; k++) {
        const double *p = corner[k], *q = corner[(k + 1) % 3];
        for (int a = 0; a < 3; a++) along[k][a] = q[a] - p[a];
        length[k] = normalize(along[k]);
        longest = fmax(longest, length[k]);
    }
    cross(along[0], along[1], normal);
    // a sliver's plane means nothing: it is taken as its edges
    double sine = normalize(normal);
    bool flat = sine * fmin(length[0], length[1]) > 1e-9 * longest;
    for (int a = 0; a < 3; a++) normal[a] = flat ? normal[a] : 0;
    for (int k = 0; k < 3; k++) {
        double inward[3];
        cross(normal, along[k], inward);
        for (int a = 0; a < 3; a++) {
            frame->along[k][a] = (float)along[k][a];
            frame->inward[k][a] = (float)inward[a];
        }
        frame->length[k] = (float)length[k];
        frame->normal[k] = (float)normal[k];
    }
}

// ---------------------------------------------------------------- corners of a brick

// the next eight corners
typedef struct Eight {
    int from[3], count[3];
} Eight;

static void add_eight(ThawBrickOrder *order, int *number, Eight eight) {
    float low[3], high[3], square = 0;
    for (int k = 0; k < 8; k++) {
        // fewer than eight repeat the last
        int last = eight.count[0] * eight.count[1] * eight.count[2] - 1, n = k < last ? k : last;
        int x = eight.from[0] + n % eight.count[0];
        int y = eight.from[1] + n / eight.count[0] % eight.count[1];
        int z = eight.from[2] + n / eight.count[0] / eight.count[1];
        size_t at = (size_t)(8 * *number + k);
        order->x[at] = (float)x - 4.0f;
        order->y[at] = (float)y - 4.0f;
        order->z[at] = (float)z - 4.0f;
        order->corner[at] = (uint16_t)thaw_corner_of(x, y, z);
    }
    for (int a = 0; a < 3; a++) {
        low[a] = (float)eight.from[a] - 4.0f;
        high[a] = low[a] + (float)(eight.count[a] - 1);
        order->middle[a][*number] = 0.5f * (low[a] + high[a]);
        square += 0.25f * (high[a] - low[a]) * (high[a] - low[a]);
    }
    order->radius[(*number)++] = sqrtf(square) + 1e-4f;
}

// eights of nx × ny × nz corners that fill a box of corners
static void add_box(ThawBrickOrder *order, int *number, Eight box, Eight step) {
    for (int z = 0; z < box.count[2]; z += step.count[2]) {
        for (int y = 0; y < box.count[1]; y += step.count[1]) {
            for (int x = 0; x < box.count[0]; x += step.count[0]) {
                step.from[0] = box.from[0] + x;
                step.from[1] = box.from[1] + y;
                step.from[2] = box.from[2] + z;
                add_eight(order, number, step);
            }
        }
    }
}

void thaw_brick_order(ThawBrickOrder *order) {
    int number = 0;
    *order = (ThawBrickOrder){0};
    // the first 8³, then the three last layers without their edges, the edges, and the last corner
    add_box(order, &number, (Eight){{0, 0, 0}, {8, 8, 8}}, (Eight){.count = {2, 2, 2}});
    add_box(order, &number, (Eight){{8, 0, 0}, {1, 8, 8}}, (Eight){.count = {1, 4, 2}});
    add_box(order, &number, (Eight){{0, 8, 0}, {8, 1, 8}}, (Eight){.count = {4, 1, 2}});
    add_box(order, &number, (Eight){{0, 0, 8}, {8, 8, 1}}, (Eight){.count = {4, 2, 1}});
    add_eight(order, &number, (Eight){{8, 8, 0}, {1, 1, 8}});
    add_eight(order, &number, (Eight){{8, 0, 8}, {1, 8, 1}});
    add_eight(order, &number, (Eight){{0, 8, 8}, {8, 1, 1}});
    add_eight(order, &number, (Eight){{8, 8, 8}, {1, 1, 1}});
    // those beyond are out of every reach
    for (; number < THAW_EIGHTS + 4; number++) {
        order->middle[0][number] = 1e9f;
        order->radius[number] = 0;
    }
}

// ---------------------------------------------------------------- bricks of a triangle

// the pairs of a chunk of triangles
typedef struct Sink {
    const ThawField *field;
    uint32_t (*pairs)[2]; // key, triangle
    size_t bytes;         // that there is room for
    uint64_t count;
    bool failed;
} Sink;

// an inclusive range of bricks
typedef struct Block {
    int32_t low[3], high[3];
} Block;

// a triangle on its way to bricks
typedef struct Reach {
    double corner[3][3];
    const ThawTriangleFrame *frame;
    uint32_t triangle;
    double reach;
} Reach;

static double middle_along(const float direction[3], const double from[3], const double middle[3]) {
    return (middle[0] - from[0]) * (double)direction[0] +
           (middle[1] - from[1]) * (double)direction[1] +
           (middle[2] - from[2]) * (double)direction[2];
}

static double half_along(const float direction[3], const double half[3]) {
    return half[0] * fabs((double)direction[0]) + half[1] * fabs((double)direction[1]) +
           half[2] * fabs((double)direction[2]);
}

// false when the plane or an edge proves that the block is out of reach
static bool may_reach(const Reach *reach, const Block *block) {
    const ThawTriangleFrame *frame = reach->frame;
    double middle[3], half[3];
    for (int a = 0; a < 3; a++) {
        half[a] = 4.0 * (block->high[a] - block->low[a] + 1);
        middle[a] = 8.0 * block->low[a] + half[a];
    }
    // directions are floats: a little more than the reach, for large triangles
    double far = reach->reach + 1e-3;
    double height = fabs(middle_along(frame->normal, reach->corner[0], middle));
    if (height > far + half_along(frame->normal, half)) return false;
    for (int k = 0; k < 3; k++) {
        double beyond = -middle_along(frame->inward[k], reach->corner[k], middle);
        if (beyond > far + half_along(frame->inward[k], half)) return false;
    }
    return true;
}

static void put_pair(Sink *sink, const Block *block, uint32_t triangle) {
    size_t wanted = sizeof *sink->pairs * (size_t)(sink->count + 1);
    if (wanted > sink->bytes) {
        size_t bytes = 2 * sink->bytes + sizeof *sink->pairs * 4 * TRIANGLES_A_CHUNK;
        void *grown = thaw_realloc(sink->pairs, sink->bytes, bytes);
        sink->failed |= grown == NULL;
        if (grown == NULL) return;
        sink->pairs = grown;
        sink->bytes = bytes;
    }
    int32_t cell[3] = {8 * block->low[0], 8 * block->low[1], 8 * block->low[2]};
    size_t key = thaw_page_of(&sink->field->grid, cell) * THAW_PAGE_BRICKS + thaw_entry_of(cell);
    sink->pairs[sink->count][0] = (uint32_t)key;
    sink->pairs[sink->count++][1] = triangle;
}

static void put_bricks(Sink *sink, const Reach *reach, const Block *block) {
    for (int32_t z = block->low[2]; z <= block->high[2]; z++) {
        for (int32_t y = block->low[1]; y <= block->high[1]; y++) {
            for (int32_t x = block->low[0]; x <= block->high[0]; x++) {
                Block brick = {{x, y, z}, {x, y, z}};
                if (may_reach(reach, &brick)) put_pair(sink, &brick, reach->triangle);
            }
        }
    }
}

// halves the block along its longest side until it is a few bricks
static void put_block(Sink *sink, const Reach *reach, Block block) {
    if (!may_reach(reach, &block)) return;
    int longest = 0;
    for (int a = 1; a < 3; a++) {
        bool longer = block.high[a] - block.low[a] > block.high[longest] - block.low[longest];
        longest = longer ? a : longest;
    }
    if (block.high[longest] - block.low[longest] < 3) {
        put_bricks(sink, reach, &block);
        return;
    }
    int32_t middle = block.low[longest] + (block.high[longest] - block.low[longest]) / 2;
    Block upper = block;
    block.high[longest] = middle;
    upper.low[longest] = middle + 1;
    put_block(sink, reach, block);
    put_block(sink, reach, upper);
}

static int32_t brick_of(double at, int32_t cells, double margin) {
    int32_t last = cells / 8 - 1;
    double brick = at * 0.125 + margin;
    return brick <= 0 ? 0 : brick >= (double)last ? last : (int32_t)brick;
}

static void put_triangle(Sink *sink, Reach *reach) {
    Block block;
    for (int a = 0; a < 3; a++) {
        double(*p)[3] = reach->corner;
        double low = p[0][a] < p[1][a] ? p[0][a] : p[1][a];
        double high = p[0][a] < p[1][a] ? p[1][a] : p[0][a];
        low = (p[2][a] < low ? p[2][a] : low) - reach->reach;
        high = (p[2][a] > high ? p[2][a] : high) + reach->reach;
        // corners are shared: a corner on the border belongs to both bricks
        block.low[a] = brick_of(low, sink->field->grid.cells[a], -1e-6);
        block.high[a] = brick_of(high, sink->field->grid.cells[a], 1e-6);
    }
    put_block(sink, reach, block);
}

// ---------------------------------------------------------------- pairs

typedef struct Pairs {
    uint32_t *keys, *triangles;
} Pairs;

typedef struct Collect {
    const ThawField *field;
    ThawTriangleFrame *frames;
    double reach;
    Sink *sinks;     // one a chunk
    uint64_t *first; // of each chunk, and one more
    Pairs pairs;
} Collect;

static void collect_chunk(void *context, uint32_t chunk, uint32_t worker) {
    Collect *collect = context;
    Sink *sink = &collect->sinks[chunk];
    ThawRange range =
        thaw_chunk_range(chunk, collect->field->mesh.triangle_count, TRIANGLES_A_CHUNK);
    (void)worker;
    sink->field = collect->field;
    for (uint32_t t = range.begin; t < range.end; t++) {
        Reach reach = {.frame = &collect->frames[t], .triangle = t, .reach = collect->reach};
        thaw_raster_corners(collect->field, t, reach.corner);
        make_frame(reach.corner, &collect->frames[t]);
        put_triangle(sink, &reach);
    }
}

static void join_chunk(void *context, uint32_t chunk, uint32_t worker) {
    Collect *collect = context;
    Sink *sink = &collect->sinks[chunk];
    uint64_t first = collect->first[chunk];
    (void)worker;
    for (uint64_t k = 0; k < sink->count; k++) {
        collect->pairs.keys[first + k] = sink->pairs[k][0];
        collect->pairs.triangles[first + k] = sink->pairs[k][1];
    }
}

// One pass of a stable sort by a digit; false when all have the same digit and nothing was moved.
static bool sort_digit(const Pairs *from, Pairs *to, uint64_t count, int shift) {
    static const uint32_t mask = (1u << DIGIT) - 1;
    uint64_t start[(1u << DIGIT) + 1] = {0};
    for (uint64_t k = 0; k < count; k++) start[(from->keys[k] >> shift & mask) + 1]++;
    if (start[(from->keys[0] >> shift & mask) + 1] == count) return false;
    for (uint32_t k = 0; k < mask; k++) start[k + 1] += start[k];
    for (uint64_t k = 0; k < count; k++) {
        uint64_t at = start[from->keys[k] >> shift & mask]++;
        to->keys[at] = from->keys[k];
        to->triangles[at] = from->triangles[k];
    }
    return true;
}

// stable, so that a brick's triangles stay in ascending order
static void sort_pairs(Pairs *pairs, Pairs *spare, uint64_t count) {
    for (int shift = 0; shift < 32; shift += DIGIT) {
        if (!sort_digit(pairs, spare, count, shift)) continue;
        Pairs other = *pairs;
        pairs->keys = spare->keys;
        pairs->triangles = spare->triangles;
        spare->keys = other.keys;
        spare->triangles = other.triangles;
    }
}

static ThawResult find_bricks(const Pairs *pairs, uint64_t count, ThawRaster *raster) {
    uint32_t bricks = 0;
    for (uint64_t k = 0; k < count; k++) bricks += k == 0 || pairs->keys[k] != pairs->keys[k - 1];
    raster->keys = thaw_alloc(sizeof *raster->keys * bricks);
    raster->first = thaw_alloc(sizeof *raster->first * ((size_t)bricks + 1));
    if (raster->keys == NULL || raster->first == NULL) {
        return thaw_fail_memory(((size_t)bricks + 1) * 12);
    }
    for (uint64_t k = 0; k < count; k++) {
        if (k != 0 && pairs->keys[k] == pairs->keys[k - 1]) continue;
        raster->keys[raster->brick_count] = pairs->keys[k];
        raster->first[raster->brick_count++] = k;
    }
    raster->first[bricks] = count;
    return THAW_OK;
}

static ThawResult sort_collected(Collect *collect, uint32_t chunks, ThawParallel *parallel,
                                 ThawRaster *raster) {
    uint64_t count = collect->first[chunks];
    size_t bytes = sizeof(uint32_t) * (size_t)count;
    Pairs spare = {thaw_alloc(bytes), thaw_alloc(bytes)};
    collect->pairs = (Pairs){thaw_alloc(bytes), thaw_alloc(bytes)};
    Pairs *pairs = &collect->pairs;
    ThawResult result = THAW_OK;
    if (!spare.keys || !spare.triangles || !pairs->keys || !pairs->triangles) {
        result = thaw_fail_memory(4 * bytes);
    } else {
        thaw_parallel_run(parallel, join_chunk, collect, chunks);
        sort_pairs(pairs, &spare, count);
        result = find_bricks(pairs, count, raster);
    }
    thaw_free(spare.keys);
    thaw_free(spare.triangles);
    thaw_free(pairs->keys);
    raster->triangles = pairs->triangles;
    return result;
}

static ThawResult collect_pairs(Collect *collect, uint32_t chunks, ThawParallel *parallel,
                                ThawRaster *raster) {
    size_t triangles = collect->field->mesh.triangle_count;
    raster->frames = collect->frames = thaw_alloc(sizeof *collect->frames * triangles);
    collect->sinks = thaw_alloc(sizeof *collect->sinks * chunks);
    collect->first = thaw_alloc(sizeof *collect->first * ((size_t)chunks + 1));
    if (!collect->frames || !collect->sinks || !collect->first) {
        return thaw_fail_memory(sizeof *collect->frames * triangles);
    }
    thaw_parallel_run(parallel, collect_chunk, collect, chunks);
    for (uint32_t k = 0; k < chunks; k++) {
        if (collect->sinks[k].failed) return thaw_fail_memory(2 * collect->sinks[k].bytes);
        collect->first[k + 1] = collect->first[k] + collect->sinks[k].count;
    }
    return sort_collected(collect, chunks, parallel, raster);
}

ThawResult thaw_raster_create(const ThawField *field, double reach, ThawParallel *parallel,
                              ThawRaster *raster) {
    uint32_t chunks = thaw_chunk_count(field->mesh.triangle_count, TRIANGLES_A_CHUNK);
    Collect collect = {.field = field, .reach = reach};
    *raster = (ThawRaster){0};
    ThawResult result = collect_pairs(&collect, chunks, parallel, raster);
    for (uint32_t k = 0; collect.sinks != NULL && k < chunks; k++) {
        thaw_free(collect.sinks[k].pairs);
    }
    thaw_free(collect.sinks);
    thaw_free(collect.first);
    if (result != THAW_OK) thaw_raster_free(raster);
    return result;
}

void thaw_raster_free(ThawRaster *raster) {
    thaw_free(raster->frames);
    thaw_free(raster->triangles);
    thaw_free(raster->keys);
    thaw_free(raster->first);
    *raster = (ThawRaster){0};
}
