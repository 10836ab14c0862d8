// Filling a shape with lattice sites.
//
// A lattice is a bundle of parallel rows of equally spaced sites. Along a row the exact distance at
// one site tells how many of the next lie on the same side of the surface, so a row costs a few
// distances however long it is; this makes it cheap to count for many places of the lattice and
// keep the best.
#include "geometry/sampling.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/lattice.h"
#include "math/vec.h"

#include <assert.h>

#define MAX_SITES 2147483648.0
#define MAX_ROWS 4294967296.0

// rows along x at y = j pitch_y, z = k pitch_z; odd rows (j + k) are shifted by half a step
typedef struct Rows {
    double step;     // m, between sites of a row
    double shift;    // m
    double pitch[3]; // m: distance of neighbouring layers across x, y, z
} Rows;

// a lattice placed in a shape
typedef struct Filling {
    const ThawShape *shape;
    int dimensions;
    Rows rows;
    // local = turn (lattice) + origin
    ThawQuat turn;
    ThawVec3 origin;
    ThawVec3 lower, upper; // bounds of the shape in the lattice's frame
    ThawVec3 offset;       // m, of the lattice in its own frame
    double tiny;           // m: sites closer to the surface than this count as outside
} Filling;

static Rows make_rows(ThawPacking packing, int dimensions, double spacing) {
    if (packing == THAW_PACKING_CUBIC) return (Rows){spacing, 0.0, {spacing, spacing, spacing}};
    double D = thaw_lattice_distance(dimensions, spacing);
    if (dimensions == 2) return (Rows){D, 0.5 * D, {0.5 * D, D * sqrt(0.75), 0.0}};
    // half the edge of the face-centred cell
    double e = D * sqrt(0.5);
    return (Rows){2.0 * e, e, {e, e, e}};
}

// ---------------------------------------------------------------- frames

// the part of a rotation that turns about z
static ThawQuat twist_about_z(ThawQuat q) {
    return thaw_quat_normalize((ThawQuat){0, 0, q.z, q.w});
}

// Where the lattice lies. 3D: in the shape's frame, turned by `orientation`. 2D: in the world's
// plane z = 0, rows along x turned by as much as shape and orientation turn about z.
static void place_frame(Filling *filling, ThawQuat orientation) {
    orientation = thaw_quat_normalize(orientation);
    if (filling->dimensions == 3) {
        filling->turn = orientation;
        filling->origin = thaw_vec(0, 0, 0);
        return;
    }
    ThawQuat pose = thaw_quat_normalize(filling->shape->pose.rotation);
    ThawQuat inverse = thaw_quat_conjugate(pose);
    ThawQuat twist = twist_about_z(thaw_quat_mul(pose, orientation));
    filling->turn = thaw_quat_mul(inverse, twist);
    double z = filling->shape->pose.position.z;
    filling->origin = thaw_quat_rotate(inverse, thaw_vec(0, 0, -z));
}

ThawQuat thaw_shape_lattice_turn(const ThawShape *shape, int dimensions, ThawQuat orientation) {
    Filling filling = {.shape = shape, .dimensions = dimensions};
    place_frame(&filling, orientation);
    return filling.turn;
}

// the shape's local bounds seen from the lattice's frame
static bool place_bounds(Filling *filling) {
    ThawVec3 lower, upper;
    if (!thaw_shape_local_bounds(filling->shape, &lower, &upper)) return false;
    ThawQuat back = thaw_quat_conjugate(filling->turn);
    for (int corner = 0; corner < 8; corner++) {
        ThawVec3 local = {(corner & 1) != 0 ? upper.x : lower.x,
                          (corner & 2) != 0 ? upper.y : lower.y,
                          (corner & 4) != 0 ? upper.z : lower.z};
        ThawVec3 p = thaw_quat_rotate(back, thaw_sub(local, filling->origin));
        if (corner == 0) filling->lower = filling->upper = p;
        filling->lower = thaw_vec(fmin(filling->lower.x, p.x), fmin(filling->lower.y, p.y),
                                  fmin(filling->lower.z, p.z));
        filling->upper = thaw_vec(fmax(filling->upper.x, p.x), fmax(filling->upper.y, p.y),
                                  fmax(filling->upper.z, p.z));
    }
    return true;
}

static double count_layers(double lower, double upper, double pitch) {
    return (upper - lower) / pitch + 2.0;
}

static bool is_too_large(const Filling *filling) {
    double rows = count_layers(filling->lower.y, filling->upper.y, filling->rows.pitch[1]);
    if (filling->dimensions == 3) {
        rows *= count_layers(filling->lower.z, filling->upper.z, filling->rows.pitch[2]);
    }
    double along = count_layers(filling->lower.x, filling->upper.x, filling->rows.step);
    return !(rows < MAX_ROWS && along < MAX_ROWS);
}

// ---------------------------------------------------------------- walking

typedef struct Span {
    int64_t first, last;
} Span;

static Span span_of(double lower, double upper, double offset, double pitch) {
    return (Span){(int64_t)ceil((lower - offset) / pitch),
                  (int64_t)floor((upper - offset) / pitch)};
}

static ThawVec3 local_site(const Filling *filling, double x, double y, double z) {
    return thaw_add(thaw_quat_rotate(filling->turn, thaw_vec(x, y, z)), filling->origin);
}

// Counts the row's sites inside the shape, and writes them where sites is not NULL.
static uint64_t walk_row(const Filling *filling, int64_t j, int64_t k, double (*sites)[3]) {
    const Rows *rows = &filling->rows;
    double y = filling->offset.y + (double)j * rows->pitch[1];
    double z = filling->dimensions == 3 ? filling->offset.z + (double)k * rows->pitch[2] : 0.0;
    double start = filling->offset.x + (((j + k) & 1) != 0 ? rows->shift : 0.0);
    Span span = span_of(filling->lower.x, filling->upper.x, start, rows->step);
    uint64_t count = 0;
    for (int64_t i = span.first; i <= span.last;) {
        ThawVec3 p = local_site(filling, start + (double)i * rows->step, y, z);
        double distance = thaw_shape_local_distance(filling->shape, p);
        bool inside = distance < -filling->tiny;
        // the surface is no nearer than |distance|: the sites up to there are on the same side
        double room = fmax(fabs(distance) - 2.0 * filling->tiny, 0.0) / rows->step;
        int64_t run = room < (double)(span.last - i) ? 1 + (int64_t)room : span.last - i + 1;
        for (int64_t n = i; inside && sites != NULL && n < i + run; n++) {
            ThawVec3 site = local_site(filling, start + (double)n * rows->step, y, z);
            sites[count + (uint64_t)(n - i)][0] = site.x;
            sites[count + (uint64_t)(n - i)][1] = site.y;
            sites[count + (uint64_t)(n - i)][2] = site.z;
        }
        if (inside) count += (uint64_t)run;
        i += run;
    }
    return count;
}

static uint64_t walk_rows(const Filling *filling, double (*sites)[3]) {
    const Rows *rows = &filling->rows;
    Span across = span_of(filling->lower.y, filling->upper.y, filling->offset.y, rows->pitch[1]);
    Span up = {0, 0};
    if (filling->dimensions == 3) {
        up = span_of(filling->lower.z, filling->upper.z, filling->offset.z, rows->pitch[2]);
    }
    uint64_t count = 0;
    for (int64_t k = up.first; k <= up.last; k++) {
        for (int64_t j = across.first; j <= across.last; j++) {
            count += walk_row(filling, j, k, sites != NULL ? sites + count : NULL);
        }
    }
    return count;
}

// ---------------------------------------------------------------- choosing the place

// Offsets in half layers. The first eight put a layer or the middle between two on the origin, so
// that layers lie alike on both sides of it; with the others they hold every centre of symmetry of
// the lattices.
static const int symmetric_offsets[12][3] = {
    {0, 0, 0}, {1, 1, 1}, {1, 1, 0}, {1, 0, 1},  {0, 1, 1},  {1, 0, 0},
    {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1},
};
#define BOX_OFFSETS 8
#define SYMMETRIC_OFFSETS 12
#define ALL_OFFSETS 64
// the search ends at a count this near, and is not taken beyond the symmetric places at the second
#define VERY_NEAR 0.001
#define NEAR_ENOUGH 0.01

static ThawVec3 candidate_offset(const Filling *filling, int candidate) {
    double part[3];
    for (int a = 0; a < 3; a++) {
        if (candidate < SYMMETRIC_OFFSETS) {
            part[a] = 0.5 * symmetric_offsets[candidate][a];
            continue;
        }
        // evenly scattered: multiples of the powers of 1/1.2207, 1.2207 the root of x⁴ = x + 1
        static const double ratio[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
        double turns = (candidate - SYMMETRIC_OFFSETS + 1) * ratio[a];
        part[a] = 2.0 * (turns - floor(turns));
    }
    const double *pitch = filling->rows.pitch;
    ThawVec3 offset = {part[0] * pitch[0], part[1] * pitch[1], part[2] * pitch[2]};
    if (filling->dimensions == 2) offset.z = 0.0;
    return offset;
}

static bool is_aligned_box(const Filling *filling) {
    double tilt = fabs(filling->turn.x) + fabs(filling->turn.y) + fabs(filling->turn.z);
    return filling->shape->kind == THAW_SHAPE_BOX && tilt < 1e-12;
}

// Leaves the lattice where its count comes nearest to `target`; returns that count.
static uint64_t choose_offset(Filling *filling, double target) {
    // a box's layers are either right or half a layer out, and there are only eight ways
    bool box = is_aligned_box(filling);
    int candidates = box ? BOX_OFFSETS : ALL_OFFSETS;
    uint64_t best_count = 0;
    double best_error = INFINITY;
    ThawVec3 best = {0, 0, 0};
    for (int n = 0; n < candidates; n++) {
        double wanted = n < SYMMETRIC_OFFSETS ? VERY_NEAR : NEAR_ENOUGH;
        if (!box && best_error <= wanted * target) break;
        filling->offset = candidate_offset(filling, n);
        uint64_t count = walk_rows(filling, NULL);
        double error = fabs((double)count - target);
        if (error >= best_error) continue;
        best_error = error;
        best_count = count;
        best = filling->offset;
    }
    filling->offset = best;
    return best_count;
}

ThawResult thaw_shape_sample(const ThawShape *shape, int dimensions, double spacing,
                             ThawPacking packing, ThawQuat orientation, double (**sites)[3],
                             uint32_t *count) {
    assert(dimensions == 2 || dimensions == 3);
    ThawResult result = thaw_shape_check(shape, "body");
    if (result != THAW_OK) return result;
    if (!(spacing > 0.0) || !isfinite(spacing)) {
        return thaw_fail(THAW_BAD_INPUT, "body: spacing must be above 0 and finite, not %g",
                         spacing);
    }

    Filling filling = {.shape = shape, .dimensions = dimensions, .tiny = 1e-9 * spacing};
    filling.rows = make_rows(packing, dimensions, spacing);
    place_frame(&filling, orientation);
    if (!place_bounds(&filling)) {
        return thaw_fail(THAW_BAD_INPUT, "body: shape must be bounded to be filled with particles");
    }
    double target = thaw_shape_volume(shape, dimensions) / pow(spacing, dimensions);
    if (!(target < MAX_SITES) || is_too_large(&filling)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "body: shape must hold fewer than 2^31 particles, not about %g", target);
    }

    uint64_t total = choose_offset(&filling, target);
    if ((double)total >= MAX_SITES) {
        return thaw_fail(THAW_BAD_INPUT, "body: shape must hold fewer than 2^31 particles, not %g",
                         (double)total);
    }
    double(*block)[3] = NULL;
    if (total > 0) {
        block = thaw_alloc(total * sizeof *block);
        if (block == NULL) return thaw_fail_memory(total * sizeof *block);
        walk_rows(&filling, block);
    }
    *sites = block;
    *count = (uint32_t)total;
    return THAW_OK;
}
