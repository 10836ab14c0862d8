// River beds and waterfalls: sheets over the ground.
#include "meshio/maker.h"

#include <math.h>

static double ease(double from, double to, double at) {
    double s = fmin(fmax((at - from) / (to - from), 0.0), 1.0);
    return s * s * (3.0 - 2.0 * s);
}

// ---------------------------------------------------------------- river beds

typedef enum Side { TOP, BOTTOM, LEFT, RIGHT, UPSTREAM, DOWNSTREAM } Side;

typedef struct River {
    double length, width, depth, drop;
    int steps, across, along;
    Side side;
} River;

// the bed's height in the middle: stairs with steep, smooth edges
static double bed_level(const River *river, double x) {
    double s = x / river->length * (double)river->steps;
    double level = (double)river->steps;
    for (int k = 0; k < river->steps; k++) level -= ease(-0.06, 0.06, s - ((double)k + 0.5));
    return river->drop * level;
}

// the same without stairs, and nowhere below them
static double bank_level(const River *river, double x) {
    double s = x / river->length;
    return river->drop * ((double)river->steps * (1.0 - s) + 0.5) + river->depth;
}

// a number from −1 to 1 for each place of a lattice
static double lattice_value(int64_t i, int64_t j) {
    uint64_t h = (uint64_t)i * 0x9e3779b97f4a7c15u ^ (uint64_t)j * 0xc2b2ae3d27d4eb4fu;
    h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 29) * 0x94d049bb133111ebu;
    return (double)(h >> 11) / 4503599627370496.0 - 1.0;
}

// smooth between the places
static double noise(double x, double y) {
    double i = floor(x), j = floor(y), u = ease(0, 1, x - i), v = ease(0, 1, y - j);
    int64_t m = (int64_t)i, n = (int64_t)j;
    double low = lattice_value(m, n) * (1 - u) + lattice_value(m + 1, n) * u;
    double high = lattice_value(m, n + 1) * (1 - u) + lattice_value(m + 1, n + 1) * u;
    return low * (1 - v) + high * v;
}

static double pebbles(const River *river, double x, double y) {
    double a = 1.0 / river->width;
    return river->width * (0.02 * noise(7.0 * a * x, 7.0 * a * y) +
                           0.01 * noise(15.0 * a * (x + 0.6 * y), 15.0 * a * (y - 0.6 * x)));
}

// x from 0 upstream to length, y from −width/2
static double ground(const River *river, double x, double y) {
    double bend = 0.07 * river->width * sin(3.0 * MAKER_PI * x / river->length);
    double u = fabs(y - bend) / (0.5 * river->width);
    double bank = ease(0.5, 0.8, u);
    double floor_thickness = 0.5 * river->depth;
    double bed = bed_level(river, x) + pebbles(river, x, y) * (1.0 - 0.5 * bank);
    double shore = bank_level(river, x) + 2.0 * pebbles(river, 0.3 * x, 0.3 * y + river->width);
    return floor_thickness + bed * (1.0 - bank) + shore * bank;
}

static ThawVec3 place_of_ground(const River *river, int i, int j, bool top) {
    double x = river->length * (double)i / (double)river->along;
    double y = river->width * ((double)j / (double)river->across - 0.5);
    return thaw_vec(x - river->length / 2, y, top ? ground(river, x, y) : 0.0);
}

static ThawVec3 place_on_river(const void *context, int row, int column) {
    const River *river = context;
    int along = river->along, across = river->across;
    switch (river->side) {
    case TOP: return place_of_ground(river, row, column, true);
    case BOTTOM: return place_of_ground(river, column, row, false);
    case LEFT: return place_of_ground(river, along - row, across, column == 1);
    case RIGHT: return place_of_ground(river, row, 0, column == 1);
    case UPSTREAM: return place_of_ground(river, 0, across - row, column == 1);
    default: return place_of_ground(river, along, row, column == 1);
    }
}

void meshio_make_river_bed(MeshMaker *maker, const double *values) {
    River river = {.length = values[0],
                   .width = values[1],
                   .depth = values[2],
                   .drop = values[3],
                   .steps = (int)values[4],
                   .across = (int)values[5]};
    double along = ceil(river.length / river.width * values[5]);
    if (along > 20000.0) {
        maker_refuse(maker, "length of a river bed is too large for its width and detail");
        return;
    }
    river.along = along < 8.0 ? 8 : (int)along;
    for (int side = TOP; side <= DOWNSTREAM; side++) {
        river.side = (Side)side;
        int rows = side == BOTTOM || side >= UPSTREAM ? river.across : river.along;
        int columns = side == TOP ? river.across : side == BOTTOM ? river.along : 1;
        maker_sheet(maker, rows, columns, place_on_river, &river);
    }
}

// ---------------------------------------------------------------- waterfalls

typedef struct Fall {
    double width, drop, reach, lip, rim;
    int across, flat, steep; // quads: across, along the lip, down the curve
} Fall;

// a flat lip, then the parabola of free flight; the sides turn up along the sheet's normal
static ThawVec3 place_on_fall(const void *context, int row, int column) {
    const Fall *fall = context;
    double v = 2.0 * (double)column / (double)fall->across - 1.0;
    double x, z = fall->drop, slope = 0.0;
    if (row <= fall->flat) {
        x = fall->flat == 0 ? 0.0 : fall->lip * ((double)row / (double)fall->flat - 1.0);
    } else {
        double t = pow((double)(row - fall->flat) / (double)fall->steep, 0.75);
        x = fall->reach * t;
        z = fall->drop * (1.0 - t * t);
        slope = -2.0 * fall->drop * t / fall->reach;
    }
    double up = fall->rim * ease(0.75, 1.0, fabs(v)), length = hypot(1.0, slope);
    return thaw_vec(x - up * slope / length, 0.5 * fall->width * v, z + up / length);
}

void meshio_make_waterfall(MeshMaker *maker, const double *values) {
    Fall fall = {values[0], values[1], values[2], values[3], values[4], (int)values[5], 0, 0};
    double cell = fall.width / values[5];
    double flat = ceil(fall.lip / cell), steep = ceil(hypot(fall.drop, fall.reach) / cell);
    if (flat + steep > 20000.0) {
        maker_refuse(maker, "drop, reach and lip of a waterfall are too large for its width and "
                            "detail");
        return;
    }
    fall.flat = (int)flat;
    fall.steep = steep < 8.0 ? 8 : (int)steep;
    maker_sheet(maker, fall.flat + fall.steep, fall.across, place_on_fall, &fall);
}
