// A field's value at one point, in double precision: the plain twin of field_sample_wide.c.
#include "geometry/field_bricks.h"
#include "geometry/field_raster.h"
#include "geometry/field_sign.h"

#include "math/vec.h"
#include <math.h>

// where a point lies: its cell, how far into it (0..1), and how far it is outside of the grid (squared)
typedef struct Place {
    int32_t cell[3];
    double part[3];
    double beyond;
} Place;

static Place find_place(const ThawFieldGrid *grid, ThawVec3 point) {
    ThawVec3 enter = thaw_grid_enter(grid, point);
    const double at[3] = {enter.x, enter.y, enter.z};
    Place place = {.beyond = 0};
    for (int a = 0; a < 3; a++) {
        double last = (double)grid->cells[a];
        double held = fmin(fmax(at[a], 0), last); // 0 for what is no number
        double cell = fmin(floor(held), last - 1);
        place.cell[a] = (int32_t)cell;
        place.part[a] = held - cell;
        double out = at[a] - held;
        place.beyond += out == out ? out * out : 0;
    }
    return place;
}

static double mix(double a, double b, double t) {
    return a + (b - a) * t;
}

// the interpolation within a cell, in steps
static double mix_corners(const int16_t *corner, const double part[3], double slope[3]) {
    double x = part[0], y = part[1], z = part[2];
    double c[2][2][2];
    for (int k = 0; k < 8; k++) {
        c[k >> 2][k >> 1 & 1][k & 1] = (double)corner[thaw_corner_of(k & 1, k >> 1 & 1, k >> 2)];
    }
    double p00 = mix(c[0][0][0], c[0][0][1], x), p10 = mix(c[0][1][0], c[0][1][1], x);
    double p01 = mix(c[1][0][0], c[1][0][1], x), p11 = mix(c[1][1][0], c[1][1][1], x);
    double q0 = mix(p00, p10, y), q1 = mix(p01, p11, y);
    slope[0] = mix(mix(c[0][0][1] - c[0][0][0], c[0][1][1] - c[0][1][0], y),
                   mix(c[1][0][1] - c[1][0][0], c[1][1][1] - c[1][1][0], y), z);
    slope[1] = mix(p10 - p00, p11 - p01, z);
    slope[2] = q1 - q0;
    return mix(q0, q1, z);
}

double thaw_field_sample(const ThawField *field, ThawVec3 point, ThawVec3 *gradient) {
    const ThawFieldGrid *grid = &field->grid;
    Place place = find_place(grid, point);
    int32_t code = thaw_field_look(field, place.cell);
    double distance, slope[3] = {0};
    if (code < 0) {
        distance = (double)thaw_far_distance(code);
    } else {
        const int32_t *cell = place.cell;
        const int16_t *corner = field->distance + (size_t)code * THAW_BRICK_STRIDE +
                                thaw_corner_of(cell[0] & 7, cell[1] & 7, cell[2] & 7);
        distance = mix_corners(corner, place.part, slope) * (double)field->unit;
        double band = (double)grid->band * grid->cell;
        if (!(fabs(distance) < band + THAW_BAND_SLACK * grid->cell)) {
            distance = copysign(band, distance);
            slope[0] = slope[1] = slope[2] = 0;
        }
    }
    if (place.beyond > 0) {
        distance = sqrt(distance * distance + place.beyond * grid->cell * grid->cell);
        slope[0] = slope[1] = slope[2] = 0;
    }
    double scale = (double)field->unit / grid->cell;
    if (gradient) *gradient = (ThawVec3){slope[0] * scale, slope[1] * scale, slope[2] * scale};
    return distance;
}

// ---------------------------------------------------------------- the inner loops' choice

THAW_WIDE_DECLARE(void, thaw_field_sample_many,
                  (const ThawField *field, const ThawFieldPoints *points));
THAW_WIDE_DECLARE(void, thaw_brick_distances, (const ThawBrickTask *task, ThawBrickWork *work));
THAW_WIDE_DECLARE(void, thaw_rim_sample,
                  (const ThawRim *rim, const double middle[3], const float point[3][8],
                   ThawRimSample *sample));

static ThawIsa resolve(ThawIsa isa) {
    ThawIsa best = THAW_ISA_BASELINE;
    if (isa != THAW_ISA_AUTO) return isa;
    thaw_isa_resolve(THAW_ISA_AUTO, &best);
    return best;
}

ThawFieldSampleFn *thaw_field_sample_many(ThawIsa isa) {
    return THAW_WIDE_PICK(resolve(isa), thaw_field_sample_many);
}

ThawBrickDistancesFn *thaw_brick_distances(ThawIsa isa) {
    return THAW_WIDE_PICK(resolve(isa), thaw_brick_distances);
}

ThawRimSampleFn *thaw_rim_sample(ThawIsa isa) {
    return THAW_WIDE_PICK(resolve(isa), thaw_rim_sample);
}

void thaw_field_ask(const ThawField *field, const ThawFieldPoints *points) {
    thaw_field_sample_many(THAW_ISA_AUTO)(field, points);
}
