// A field's values at many points, eight at a time: two look-ups for the brick, four loads for the eight corners of
// the cell. No fused operations: the same bits from every instruction set.
#include "geometry/field_bricks.h"

#include "simd/wide_pick.h"
#include <stdbool.h>

typedef struct Frame {
    F8 scale;        // cells a metre
    F8 part[3];      // of the points' origin in the grid: cells but for whole ones,
    I8 whole[3];     // and whole ones
    I8 last[3];      // cell
    I8 page_step[2]; // entries a page along y and z
    F8 unit, slope;  // m a step, and a step's slope
    F8 edge, band;   // m: beyond the one, the other is given
    F8 square;       // m² a cell²
} Frame;

typedef struct Lanes {
    I8 cell[3];
    F8 part[3];
    F8 beyond; // squared cells outside of the grid
    I8 brick;  // or a far code
    I8 corner; // the cell's first, among all the distances
} Lanes;

// eights that are looked up before the first of them is sampled
enum { AHEAD = 8 };

static Frame make_frame(const ThawField *field, const ThawFieldPoints *points) {
    const ThawFieldGrid *grid = &field->grid;
    ThawVec3 enter = thaw_grid_enter(grid, points->origin);
    const double at[3] = {enter.x, enter.y, enter.z};
    Frame frame = {.scale = f8_set((float)(1.0 / grid->cell)),
                   .page_step = {i8_set(grid->pages[0]), i8_set(grid->pages[0] * grid->pages[1])},
                   .unit = f8_set(field->unit),
                   .slope = f8_set((float)((double)field->unit / grid->cell)),
                   .edge = f8_set((float)(((double)grid->band + THAW_BAND_SLACK) * grid->cell)),
                   .band = f8_set((float)((double)grid->band * grid->cell)),
                   .square = f8_set((float)(grid->cell * grid->cell))};
    for (int a = 0; a < 3; a++) {
        double whole = fmin(fmax(floor(at[a]), -536870912.0), 536870912.0);
        frame.whole[a] = i8_set((int32_t)whole);
        frame.part[a] = f8_set((float)(at[a] - whole));
        frame.last[a] = i8_set(grid->cells[a] - 1);
    }
    return frame;
}

// the cell along one axis, held within the grid
THAW_INLINE void place_axis(const Frame *frame, int a, F8 metres, Lanes *lanes) {
    F8 at = f8_add(f8_mul(metres, frame->scale), frame->part[a]);
    at = f8_min(f8_max(at, f8_set(-5e8f)), f8_set(5e8f));
    F8 whole = f8_floor(at);
    I8 cell = i8_add(f8_round(whole), frame->whole[a]);
    I8 held = i8_min(i8_max(cell, i8_set(0)), frame->last[a]);
    F8 part = f8_add(i8_float(i8_sub(cell, held)), f8_sub(at, whole));
    F8 inside = f8_min(f8_max(part, f8_set(0)), f8_set(1));
    F8 out = f8_sub(part, inside);
    lanes->cell[a] = held;
    lanes->part[a] = inside;
    lanes->beyond = f8_add(lanes->beyond, f8_mul(out, out));
}

// bricks, or far codes
THAW_INLINE I8 look_up(const ThawField *field, const Frame *frame, const Lanes *lanes) {
    const I8 *cell = lanes->cell;
    I8 page = i8_add(i8_add(i8_mul(i8_right(cell[2], 6), frame->page_step[1]),
                            i8_mul(i8_right(cell[1], 6), frame->page_step[0])),
                     i8_right(cell[0], 6));
    // points close together, as they mostly are, lie in one page
    int32_t first = i8_first(page);
    I8 table = i8_same(page, i8_set(first)) == 0xff ? i8_set(field->pages[first])
                                                    : i8_pick(field->pages, page);
    if (i8_negative(table) == 0xff) return table;
    I8 entry = i8_add(i8_add(i8_left(i8_and(cell[2], 0x38), 3), i8_and(cell[1], 0x38)),
                      i8_right(i8_and(cell[0], 0x38), 3));
    entry = i8_add(entry, i8_left(i8_max(table, i8_set(0)), 9));
    I8 brick = i8_pick(field->tables, entry);
    return f8_bits(i8_where_negative(table, i8_bits(table), i8_bits(brick)));
}

THAW_INLINE F8 mix(F8 a, F8 b, F8 t) {
    return f8_add(a, f8_mul(f8_sub(b, a), t));
}

// two corners beside each other: the first, and what the second is more
THAW_INLINE void pick_row(const int16_t *distance, I8 index, F8 *first, F8 *more) {
    I8 pair = i8_pick_pair(distance, index);
    I8 low = i8_right(i8_left(pair, 16), 16), high = i8_right(pair, 16);
    *first = i8_float(low);
    *more = i8_float(i8_sub(high, low));
}

// Where the lanes' corners are. They are on their way from memory while others are looked up.
THAW_INLINE void find_corners(const ThawField *field, Lanes *lanes) {
    I8 x = i8_and(lanes->cell[0], 7), y = i8_and(lanes->cell[1], 7), z = i8_and(lanes->cell[2], 7);
    // 81 z + 9 y + x
    I8 y9 = i8_add(i8_left(y, 3), y), z9 = i8_add(i8_left(z, 3), z);
    I8 at = i8_add(i8_add(i8_add(i8_left(z9, 3), z9), y9), x);
    at = i8_add(at, i8_mul(i8_max(lanes->brick, i8_set(0)), i8_set(THAW_BRICK_STRIDE)));
    int32_t places[8];
    lanes->corner = at;
    i8_store(places, at);
    for (int k = 0; k < 8; k++) {
        __builtin_prefetch(field->distance + places[k]);
        __builtin_prefetch(field->distance + places[k] + 90);
    }
}

// the interpolation in the lanes' cells, in steps
THAW_INLINE F8 mix_corners(const ThawField *field, const Lanes *lanes, F8 slope[3]) {
    I8 at = lanes->corner;
    F8 c[4], d[4];
    pick_row(field->distance, at, &c[0], &d[0]);
    pick_row(field->distance, i8_add(at, i8_set(9)), &c[1], &d[1]);
    pick_row(field->distance, i8_add(at, i8_set(81)), &c[2], &d[2]);
    pick_row(field->distance, i8_add(at, i8_set(90)), &c[3], &d[3]);
    F8 fx = lanes->part[0], fy = lanes->part[1], fz = lanes->part[2];
    for (int k = 0; k < 4; k++) c[k] = f8_add(c[k], f8_mul(d[k], fx));
    F8 q0 = mix(c[0], c[1], fy), q1 = mix(c[2], c[3], fy);
    slope[0] = mix(mix(d[0], d[1], fy), mix(d[2], d[3], fy), fz);
    slope[1] = mix(f8_sub(c[1], c[0]), f8_sub(c[3], c[2]), fz);
    slope[2] = f8_sub(q1, q0);
    return mix(q0, q1, fz);
}

// what is given beyond the band, with the sign of the interpolation
THAW_INLINE F8 bound_band(const Frame *frame, F8 distance, F8 slope[3]) {
    F8 zero = f8_set(0), size = f8_abs(distance);
    F8 band = f8_where(distance, zero, f8_sub(zero, frame->band), frame->band);
    for (int a = 0; a < 3; a++) slope[a] = f8_where(frame->edge, size, zero, slope[a]);
    return f8_where(frame->edge, size, band, distance);
}

// outside of the grid the way to it is added
THAW_INLINE F8 leave_grid(const Frame *frame, F8 distance, F8 beyond, F8 slope[3]) {
    F8 zero = f8_set(0);
    F8 whole = f8_add(f8_mul(distance, distance), f8_mul(beyond, frame->square));
    for (int a = 0; a < 3; a++) slope[a] = f8_where(beyond, zero, slope[a], zero);
    return f8_where(beyond, zero, distance, f8_sqrt(whole));
}

THAW_INLINE void store_eight(const ThawFieldPoints *points, uint32_t k, F8 distance,
                             const F8 slope[3]) {
    f8_store(points->distance + k, distance);
    if (points->gradient[0] == NULL) return;
    for (int a = 0; a < 3; a++) f8_store(points->gradient[a] + k, slope[a]);
}

// Finds the lanes' bricks. False, and all is done, where there is none.
THAW_INLINE bool place_eight(const ThawField *field, const Frame *frame,
                             const ThawFieldPoints *points, uint32_t k, Lanes *store) {
    F8 zero = f8_set(0);
    Lanes lanes = {.beyond = zero};
    place_axis(frame, 0, f8_load(points->x + k), &lanes);
    place_axis(frame, 1, f8_load(points->y + k), &lanes);
    place_axis(frame, 2, f8_load(points->z + k), &lanes);
    lanes.brick = look_up(field, frame, &lanes);
    if (i8_negative(lanes.brick) != 0xff) {
        find_corners(field, &lanes);
        *store = lanes;
        return true;
    }
    F8 slope[3] = {zero, zero, zero}, distance = i8_bits(i8_left(lanes.brick, 1));
    if (f8_below(lanes.beyond, zero) != 0xff) {
        distance = leave_grid(frame, distance, lanes.beyond, slope);
    }
    store_eight(points, k, distance, slope);
    return false;
}

THAW_INLINE void sample_eight(const ThawField *field, const Frame *frame,
                              const ThawFieldPoints *points, uint32_t k, const Lanes *lanes) {
    F8 zero = f8_set(0), far = i8_bits(i8_left(lanes->brick, 1)), slope[3];
    F8 distance = f8_mul(mix_corners(field, lanes, slope), frame->unit);
    distance = bound_band(frame, distance, slope);
    distance = i8_where_negative(lanes->brick, far, distance);
    for (int a = 0; a < 3; a++) {
        slope[a] = i8_where_negative(lanes->brick, zero, f8_mul(slope[a], frame->slope));
    }
    if (f8_below(lanes->beyond, zero) != 0xff) {
        distance = leave_grid(frame, distance, lanes->beyond, slope);
    }
    store_eight(points, k, distance, slope);
}

void THAW_WIDE(thaw_field_sample_many)(const ThawField *field, const ThawFieldPoints *points);
void THAW_WIDE(thaw_field_sample_many)(const ThawField *field, const ThawFieldPoints *points) {
    Frame frame = make_frame(field, points);
    for (uint32_t first = 0; first < points->count; first += 8 * AHEAD) {
        Lanes lanes[AHEAD];
        uint32_t place[AHEAD], waiting = 0;
        for (uint32_t k = first; k < first + 8 * AHEAD && k < points->count; k += 8) {
            place[waiting] = k;
            waiting += place_eight(field, &frame, points, k, &lanes[waiting]);
        }
        for (uint32_t n = 0; n < waiting; n++) {
            sample_eight(field, &frame, points, place[n], &lanes[n]);
        }
    }
}
