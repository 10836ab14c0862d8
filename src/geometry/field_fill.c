// The bricks of a field: distances and closest triangles of all their corners. One brick is one piece of work, from
// its triangles to what is stored; bricks that turn out to hold none of the band are dropped.
#include "geometry/field_bricks.h"
#include "geometry/field_raster.h"
#include "geometry/field_sign.h"

#include "base/memory.h"
#include "base/result.h"
#include <math.h>

enum { BRICKS_A_CHUNK = 16, HASH = 1024 };

// lists and codes of a chunk's bricks
typedef struct Output {
    uint32_t *lists;
    uint8_t *codes;
    size_t list_bytes, code_bytes; // capacities
    uint32_t list_count, code_count;
    bool failed;
} Output;

typedef struct Fill {
    ThawField *field;
    const ThawRaster *raster;
    ThawSigner signer;
    ThawBrickDistancesFn *distances;
    ThawBrickOrder order;
    float reach;
    bool has_caps;
    float keep;       // cells: bricks farther from the mesh are of no use
    Output *outputs;  // one a chunk
    uint8_t *is_kept; // one a brick
} Fill;

// ---------------------------------------------------------------- closest triangles

typedef struct Palette {
    uint32_t triangle[HASH], code[HASH]; // UINT32_MAX = free
    uint32_t list[512];
    uint16_t codes[512];
    uint32_t list_count, code_count;
} Palette;

static uint16_t find_code(Palette *palette, uint32_t triangle) {
    uint32_t slot = triangle * 2654435761u >> 22;
    while (palette->triangle[slot] != UINT32_MAX && palette->triangle[slot] != triangle) {
        slot = (slot + 1) % HASH;
    }
    if (palette->triangle[slot] == UINT32_MAX) {
        palette->triangle[slot] = triangle;
        palette->code[slot] = palette->list_count;
        palette->list[palette->list_count++] = triangle;
    }
    return (uint16_t)palette->code[slot];
}

static void fill_palette(const ThawBrickWork *work, const float *distance, float most,
                         Palette *palette, ThawBrickClosest *closest) {
    *closest = (ThawBrickClosest){0};
    memset(palette->triangle, 0xff, sizeof palette->triangle);
    palette->list_count = palette->code_count = 0;
    for (int k = 0; k < 512; k++) {
        size_t corner = thaw_corner_of(k & 7, k >> 3 & 7, k >> 6);
        if (work->triangle[corner] == UINT32_MAX || fabsf(distance[corner]) > most) continue;
        closest->known[k >> 5] |= 1u << (k & 31);
        palette->codes[palette->code_count++] = find_code(palette, work->triangle[corner]);
    }
    closest->count = palette->list_count;
}

static void put_code(uint8_t *codes, uint32_t bits, uint32_t rank, uint16_t code) {
    if (bits == 4)
        codes[rank / 2] |= (uint8_t)(code << rank % 2 * 4);
    else if (bits == 8)
        codes[rank] = (uint8_t)code;
    else
        memcpy(codes + 2 * (size_t)rank, &code, 2);
}

// thaw_scratch forgets: this keeps
static bool make_room(void **block, size_t *capacity, size_t wanted) {
    if (wanted <= *capacity) return true;
    size_t bytes = wanted + wanted / 2 + 4096;
    void *grown = thaw_realloc(*block, *capacity, bytes);
    if (grown == NULL) return false;
    *block = grown;
    *capacity = bytes;
    return true;
}

static bool put_palette(const Palette *palette, Output *out, ThawBrickClosest *closest) {
    uint32_t bits = thaw_code_bits(closest), bytes = (palette->code_count * bits + 7) / 8;
    void *lists = out->lists, *codes = out->codes;
    bool room = make_room(&lists, &out->list_bytes,
                          sizeof(uint32_t) * ((size_t)out->list_count + palette->list_count)) &&
                make_room(&codes, &out->code_bytes, (size_t)out->code_count + bytes);
    out->lists = lists;
    out->codes = codes;
    if (!room) return false;
    closest->list = out->list_count;
    closest->code = out->code_count;
    if (palette->list_count == 0) return true; // and there may be no array yet
    memcpy(out->lists + out->list_count, palette->list, sizeof(uint32_t) * palette->list_count);
    for (uint32_t k = 0; k < palette->code_count; k++) {
        put_code(out->codes + out->code_count, bits, k, palette->codes[k]);
    }
    out->list_count += palette->list_count;
    out->code_count += bytes;
    return true;
}

uint32_t thaw_brick_closest(const ThawField *field, int32_t brick, int32_t x, int32_t y,
                            int32_t z) {
    const ThawBrickClosest *closest = &field->closest[brick];
    int number = z << 6 | y << 3 | x;
    uint32_t word = closest->known[number >> 5], bit = 1u << (number & 31);
    if ((word & bit) == 0) return UINT32_MAX;
    uint32_t rank = thaw_known_count(closest, number >> 5);
    rank += (uint32_t)__builtin_popcount(word & (bit - 1));
    uint32_t code = thaw_code_get(field->codes + closest->code, thaw_code_bits(closest), rank);
    return field->lists[closest->list + code];
}

// ---------------------------------------------------------------- one brick

// the corners' distances to the surface with its offset, in cells
static void measure_brick(const Fill *fill, const int32_t cell[3], const ThawBrickWork *work,
                          float distance[THAW_CORNERS]) {
    const ThawFieldReport *report = &fill->field->report;
    float offset = (float)(report->offset / report->cell);
    if (report->mode == THAW_FIELD_SHELL) {
        memcpy(distance, work->away, sizeof *distance * THAW_BRICK_SAMPLES);
    } else {
        thaw_signer_brick(&fill->signer, cell, work, distance);
    }
    for (int k = 0; k < THAW_BRICK_SAMPLES; k++) distance[k] -= offset;
}

static void store_brick(const ThawFieldGrid *grid, const float distance[THAW_CORNERS],
                        int16_t *stored) {
    float scale = (float)THAW_STEPS / grid->limit;
    for (int k = 0; k < THAW_BRICK_SAMPLES; k++) {
        float steps = distance[k] * scale;
        steps = steps < -(float)THAW_STEPS ? -(float)THAW_STEPS : steps;
        steps = steps > (float)THAW_STEPS ? (float)THAW_STEPS : steps;
        stored[k] = (int16_t)lrintf(steps);
    }
}

static float least_distance(const float distance[THAW_CORNERS]) {
    float least = INFINITY;
    for (int k = 0; k < THAW_BRICK_SAMPLES; k++) {
        float size = fabsf(distance[k]);
        least = size < least ? size : least;
    }
    return least;
}

static float least_away(const ThawBrickWork *work) {
    float least = INFINITY;
    for (int k = 0; k < THAW_BRICK_SAMPLES; k++)
        least = work->away[k] < least ? work->away[k] : least;
    return least;
}

static void fill_brick(Fill *fill, uint32_t brick, Output *out) {
    ThawField *field = fill->field;
    ThawBrickWork work;
    float distance[THAW_CORNERS];
    Palette palette;
    uint64_t first = fill->raster->first[brick], end = fill->raster->first[brick + 1];
    ThawBrickTask task = {.field = field,
                          .order = &fill->order,
                          .frames = fill->raster->frames,
                          .triangles = fill->raster->triangles + first,
                          .count = (uint32_t)(end - first),
                          .reach = fill->reach};
    thaw_key_cell(&field->grid, fill->raster->keys[brick], task.cell);
    fill->distances(&task, &work);
    if (!fill->has_caps && least_away(&work) > fill->keep) return;
    measure_brick(fill, task.cell, &work, distance);
    if (least_distance(distance) > field->grid.band + (float)THAW_BAND_SLACK) return;
    fill->is_kept[brick] = 1;
    store_brick(&field->grid, distance, field->distance + (size_t)brick * THAW_BRICK_STRIDE);
    fill_palette(&work, distance, field->grid.band, &palette, &field->closest[brick]);
    if (!put_palette(&palette, out, &field->closest[brick])) out->failed = true;
}

static void fill_chunk(void *context, uint32_t chunk, uint32_t worker) {
    Fill *fill = context;
    (void)worker;
    ThawRange range = thaw_chunk_range(chunk, fill->raster->brick_count, BRICKS_A_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) fill_brick(fill, k, &fill->outputs[chunk]);
}

// ---------------------------------------------------------------- what is kept, moved together

// kept bricks to the front; their number
static uint32_t pack_bricks(Fill *fill, uint32_t *keys) {
    ThawField *field = fill->field;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < fill->raster->brick_count; k++) {
        if (!fill->is_kept[k]) continue;
        if (k != kept) {
            memcpy(field->distance + (size_t)kept * THAW_BRICK_STRIDE,
                   field->distance + (size_t)k * THAW_BRICK_STRIDE,
                   sizeof(int16_t) * THAW_BRICK_STRIDE);
            field->closest[kept] = field->closest[k];
        }
        keys[kept++] = fill->raster->keys[k];
    }
    return kept;
}

// chunks' lists and codes one after another
static ThawResult join_outputs(Fill *fill, uint32_t chunks) {
    ThawField *field = fill->field;
    uint64_t lists = 0, codes = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        if (fill->outputs[c].failed) return thaw_fail_memory(fill->outputs[c].code_bytes);
        lists += fill->outputs[c].list_count;
        codes += fill->outputs[c].code_count;
    }
    if (lists > UINT32_MAX || codes > UINT32_MAX) {
        return thaw_fail(THAW_BAD_INPUT,
                         "cell %g m is too small for this mesh: the field would "
                         "not fit its own numbers",
                         field->report.cell);
    }
    field->lists = thaw_alloc(sizeof *field->lists * ((size_t)lists + 1));
    field->codes = thaw_alloc((size_t)codes + 1);
    if (field->lists == NULL || field->codes == NULL)
        return thaw_fail_memory((size_t)(lists + codes));
    for (uint32_t c = 0; c < chunks; c++) {
        const Output *out = &fill->outputs[c];
        ThawRange range = thaw_chunk_range(c, fill->raster->brick_count, BRICKS_A_CHUNK);
        for (uint32_t k = range.begin; k < range.end; k++) {
            field->closest[k].list += field->list_count;
            field->closest[k].code += field->code_bytes;
        }
        if (out->list_count == 0) continue;
        memcpy(field->lists + field->list_count, out->lists, sizeof(uint32_t) * out->list_count);
        memcpy(field->codes + field->code_bytes, out->codes, out->code_count);
        field->list_count += out->list_count;
        field->code_bytes += out->code_count;
    }
    return THAW_OK;
}

static ThawResult shrink(void **block, size_t old_bytes, size_t bytes) {
    void *moved = thaw_realloc(*block, old_bytes, bytes == 0 ? 1 : bytes);
    if (moved == NULL) return thaw_fail_memory(bytes);
    *block = moved;
    return THAW_OK;
}

static ThawResult keep_bricks(Fill *fill, uint32_t chunks, ThawParallel *parallel) {
    ThawField *field = fill->field;
    ThawResult result = join_outputs(fill, chunks);
    if (result != THAW_OK) return result;
    uint32_t all = fill->raster->brick_count;
    uint32_t *keys = thaw_alloc(sizeof *keys * ((size_t)all + 1));
    if (keys == NULL) return thaw_fail_memory(sizeof *keys * all);
    field->brick_count = pack_bricks(fill, keys);
    size_t each = sizeof(int16_t) * THAW_BRICK_STRIDE;
    void *distance = field->distance, *closest = field->closest;
    result = shrink(&distance, each * all, each * field->brick_count);
    field->distance = distance;
    if (result == THAW_OK) {
        result = shrink(&closest, sizeof(ThawBrickClosest) * all,
                        sizeof(ThawBrickClosest) * field->brick_count);
        field->closest = closest;
    }
    if (result == THAW_OK) result = thaw_field_index(field, keys, parallel);
    thaw_free(keys);
    return result;
}

// ---------------------------------------------------------------- all of it

static ThawResult open_fill(Fill *fill, uint32_t chunks) {
    ThawField *field = fill->field;
    size_t bricks = fill->raster->brick_count;
    size_t bytes = bricks * sizeof(int16_t) * THAW_BRICK_STRIDE;
    if (bricks * THAW_BRICK_STRIDE > INT32_MAX) {
        return thaw_fail(THAW_BAD_INPUT,
                         "cell %g m is too small for this mesh: the field would "
                         "need %zu bricks of 512 cells",
                         field->report.cell, bricks);
    }
    field->distance = thaw_alloc(bytes);
    field->closest = thaw_alloc(bricks * sizeof *field->closest);
    fill->outputs = thaw_alloc(chunks * sizeof *fill->outputs);
    fill->is_kept = thaw_alloc(bricks);
    bool got = field->distance && field->closest && fill->outputs && fill->is_kept;
    return got ? THAW_OK : thaw_fail_memory(bytes);
}

static void close_fill(Fill *fill, uint32_t chunks) {
    for (uint32_t c = 0; fill->outputs != NULL && c < chunks; c++) {
        thaw_free(fill->outputs[c].lists);
        thaw_free(fill->outputs[c].codes);
    }
    thaw_free(fill->outputs);
    thaw_free(fill->is_kept);
}

static ThawResult fill_bricks(ThawField *field, const ThawRim *rim, const ThawRaster *raster,
                              ThawParallel *parallel) {
    ThawIsa isa = THAW_ISA_BASELINE;
    thaw_isa_resolve(THAW_ISA_AUTO, &isa);
    double offset = fabs(field->report.offset / field->report.cell);
    Fill fill = {.field = field,
                 .raster = raster,
                 .signer = {field, rim, thaw_rim_sample(isa)},
                 .distances = thaw_brick_distances(isa),
                 .reach = field->grid.limit + (float)offset,
                 .has_caps = rim->count != 0,
                 .keep = field->grid.band + (float)THAW_BAND_SLACK + (float)offset};
    uint32_t chunks = thaw_chunk_count(raster->brick_count, BRICKS_A_CHUNK);
    thaw_brick_order(&fill.order);
    ThawResult result = open_fill(&fill, chunks);
    if (result == THAW_OK) {
        thaw_parallel_run(parallel, fill_chunk, &fill, chunks);
        result = keep_bricks(&fill, chunks, parallel);
    }
    close_fill(&fill, chunks);
    return result;
}

static ThawResult rim_of(ThawField *field, ThawRim *rim) {
    ThawResult result = THAW_OK;
    field->wound = field->mesh;
    if (field->report.mode == THAW_FIELD_SOLID) result = thaw_field_wind(field, rim);
    field->is_closed = rim->count == 0;
    return result;
}

ThawResult thaw_field_fill(ThawField *field, ThawParallel *parallel) {
    ThawRim rim = {0};
    ThawRaster raster = {0};
    double reach = (double)field->grid.limit + fabs(field->report.offset / field->report.cell);
    ThawResult result = rim_of(field, &rim);
    if (result == THAW_OK) result = thaw_bvh_create(&field->wound, parallel, &field->bvh);
    if (result == THAW_OK) result = thaw_raster_create(field, reach, parallel, &raster);
    if (result == THAW_OK) result = thaw_caps_add(field, &rim, parallel, &raster);
    if (result == THAW_OK) result = fill_bricks(field, &rim, &raster, parallel);
    thaw_raster_free(&raster);
    thaw_rim_free(&rim);
    return result;
}
