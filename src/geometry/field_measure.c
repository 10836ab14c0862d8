// Volume and cross-section of a field: whole bricks and pages inside, and of each cell that the surface cuts the share
// below the plane that fits its corners.
#include "geometry/field_bricks.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"
#include <math.h>

enum { BRICKS_A_CHUNK = 64, MOST_STEPS = 4096 };

static double cube(double x) {
    return x > 0 ? x * x * x : 0;
}

// Share of a unit cell where value + slope · (x − middle) < 0 (the slopes' signs do not matter).
static double share_below(double value, const double slope[3]) {
    double g[3], sum = 0;
    for (int a = 0; a < 3; a++) sum += fabs(slope[a]);
    if (fabs(value) >= 0.5 * sum) return value < 0 ? 1 : 0;
    // slopes near 0 would divide 0 by 0
    for (int a = 0; a < 3; a++) g[a] = fmax(fabs(slope[a]), 1e-3 * sum);
    sum = g[0] + g[1] + g[2];
    double c = 0.5 * sum - value;
    double part = cube(c) - cube(c - sum);
    for (int a = 0; a < 3; a++) part += cube(c - sum + g[a]) - cube(c - g[a]);
    return fmin(fmax(part / (6.0 * g[0] * g[1] * g[2]), 0), 1);
}

// steps of the cell's corners as a plane
static double cell_share(const int16_t *corner) {
    int32_t c[8], sum = 0;
    for (int k = 0; k < 8; k++) {
        c[k] = corner[thaw_corner_of(k & 1, k >> 1 & 1, k >> 2)];
        sum += c[k];
    }
    double slope[3];
    slope[0] = 0.25 * (double)(c[1] + c[3] + c[5] + c[7] - c[0] - c[2] - c[4] - c[6]);
    slope[1] = 0.25 * (double)(c[2] + c[3] + c[6] + c[7] - c[0] - c[1] - c[4] - c[5]);
    slope[2] = 0.25 * (double)(c[4] + c[5] + c[6] + c[7] - c[0] - c[1] - c[2] - c[3]);
    return share_below(0.125 * (double)sum, slope);
}

// ---------------------------------------------------------------- volume

typedef struct Measure {
    const ThawField *field;
    double *sums; // cells, of each chunk
} Measure;

// the cells of one row, between four rows of corners
static double measure_row(const int16_t *row) {
    int below[9]; // of the four corners at each x
    double sum = 0;
    for (int x = 0; x < 9; x++) {
        below[x] = (row[x] < 0) + (row[x + 9] < 0) + (row[x + 81] < 0) + (row[x + 90] < 0);
    }
    for (int x = 0; x < 8; x++) {
        int count = below[x] + below[x + 1];
        sum += count == 0 ? 0 : count == 8 ? 1 : cell_share(row + x);
    }
    return sum;
}

static void measure_chunk(void *context, uint32_t chunk, uint32_t worker) {
    Measure *measure = context;
    const ThawField *field = measure->field;
    ThawRange range = thaw_chunk_range(chunk, field->brick_count, BRICKS_A_CHUNK);
    double sum = 0;
    (void)worker;
    for (uint32_t b = range.begin; b < range.end; b++) {
        const int16_t *brick = field->distance + (size_t)b * THAW_BRICK_STRIDE;
        for (int k = 0; k < 64; k++) sum += measure_row(brick + thaw_corner_of(0, k & 7, k >> 3));
    }
    measure->sums[chunk] = sum;
}

// cells of bricks and pages that are inside as a whole
static double whole_cells(const ThawField *field) {
    const int32_t *n = field->grid.pages;
    size_t pages = (size_t)n[0] * (size_t)n[1] * (size_t)n[2], bricks = 0, whole = 0;
    for (size_t k = 0; k < (size_t)field->table_count * THAW_PAGE_BRICKS; k++) {
        bricks += field->tables[k] < 0 && thaw_far_distance(field->tables[k]) < 0;
    }
    for (size_t k = 0; k < pages; k++) {
        whole += field->pages[k] < 0 && thaw_far_distance(field->pages[k]) < 0;
    }
    return 512.0 * ((double)bricks + 512.0 * (double)whole);
}

ThawResult thaw_field_measure(ThawField *field, ThawParallel *parallel) {
    uint32_t chunks = thaw_chunk_count(field->brick_count, BRICKS_A_CHUNK);
    double *sums = thaw_alloc(sizeof *sums * ((size_t)chunks + 1));
    if (sums == NULL) return thaw_fail_memory(sizeof *sums * chunks);
    Measure measure = {field, sums};
    thaw_parallel_run(parallel, measure_chunk, &measure, chunks);
    double cells = whole_cells(field), cell = field->report.cell;
    for (uint32_t k = 0; k < chunks; k++) cells += sums[k];
    thaw_free(sums);
    field->report.volume = cells * cell * cell * cell;
    return THAW_OK;
}

double thaw_field_volume(const ThawField *field) {
    return field->report.volume;
}

// ---------------------------------------------------------------- cross-section

// the posed field's shadow on the plane z = 0
static void find_shadow(const ThawField *field, ThawPose pose, double low[2], double high[2]) {
    ThawVec3 a = field->report.lower, b = field->report.upper;
    for (int k = 0; k < 8; k++) {
        ThawVec3 corner = {k & 1 ? b.x : a.x, k & 2 ? b.y : a.y, k & 4 ? b.z : a.z};
        ThawVec3 at = thaw_pose_apply(pose, corner);
        low[0] = k == 0 ? at.x : fmin(low[0], at.x);
        low[1] = k == 0 ? at.y : fmin(low[1], at.y);
        high[0] = k == 0 ? at.x : fmax(high[0], at.x);
        high[1] = k == 0 ? at.y : fmax(high[1], at.y);
    }
}

// the share of a square of the section about a point of the plane
static double square_share(const ThawField *field, ThawPose pose, ThawVec3 at, double step) {
    ThawVec3 slope;
    double distance = thaw_field_sample(field, thaw_pose_invert(pose, at), &slope);
    ThawVec3 turned = thaw_quat_rotate(pose.rotation, slope);
    double flat[3] = {turned.x * step, turned.y * step, 0};
    if (fabs(distance) >= 0.5 * (fabs(flat[0]) + fabs(flat[1]))) return distance < 0 ? 1 : 0;
    return share_below(distance, flat);
}

double thaw_field_section(const ThawField *field, ThawPose pose) {
    double low[2], high[2], sum = 0;
    find_shadow(field, pose, low, high);
    double longest = fmax(high[0] - low[0], high[1] - low[1]);
    double step = fmax(field->report.cell, longest / MOST_STEPS);
    int nx = (int)ceil((high[0] - low[0]) / step), ny = (int)ceil((high[1] - low[1]) / step);
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            ThawVec3 at = {low[0] + (i + 0.5) * step, low[1] + (j + 0.5) * step, 0};
            sum += square_share(field, pose, at, step);
        }
    }
    return sum * step * step;
}
