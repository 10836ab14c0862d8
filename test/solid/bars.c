#include "solid/bars.h"

#include "solid/polar.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
#define HALF 0.70710678118654752440 // D/√2: between half-layers
#define YOUNG 2.8284271247461903    // 2 √2 k/D
#define DENSITY 1.4142135623730951  // √2 m/D³

// a bar of that many gaps along x, its first plane at x = 0 and its axis on the x axis
static SolidTwin make_bar(int length, int thickness) {
    SolidTwin twin = solid_make(3);
    Block block = {
        .dimensions = 3, .planes = {length + 1, thickness + 1, thickness + 1}, .distance = 1};
    int at[3] = {-1, 0, 0};
    ThawVec3 place, middle = {0, 0.5 * thickness * HALF, 0.5 * thickness * HALF};
    while (block_next(&block, at, &place)) solid_add(&twin, v_sub(place, middle), m_one(), 0);
    return twin;
}

// ---------------------------------------------------------------- crossings

// Times at which a sampled signal passes through zero.
typedef struct Crossings {
    int count;
    double at[64], last_time, last;
} Crossings;

static void watch(Crossings *c, double time, double value) {
    if (c->last_time > 0 && c->last * value < 0 && c->count < 64) {
        double share = c->last / (c->last - value);
        c->at[c->count++] = c->last_time + share * (time - c->last_time);
    }
    c->last_time = time;
    c->last = value;
}

// twice the mean time between crossings
static double period_of(const Crossings *c) {
    return 2 * (c->at[c->count - 1] - c->at[0]) / (c->count - 1);
}

// ---------------------------------------------------------------- LAT-1

Ringing ring_bar(int length, int thickness, int periods) {
    SolidTwin twin = make_bar(length, thickness);
    double l = (length + 1) * HALF, center = 0.5 * length * HALF, dt = 0.1;
    for (int i = 0; i < twin.count; i++) {
        twin.particles[i].v.x = 1e-3 * sin(PI * (twin.particles[i].x.x - center) / l);
    }
    double factor = sqrt((thickness + 1.0) / thickness);
    Ringing r = {.particles = twin.count, .wanted = factor * 2 * l / sqrt(YOUNG / DENSITY)};
    solid_update(&twin, 0);
    double start = solid_kinetic(&twin);
    ThawVec3 p = solid_momentum(&twin), spin = solid_angular(&twin);
    Crossings crossings = {0};
    while (twin.time < (periods + 0.5) * r.wanted) {
        solid_leap(&twin, dt);
        double mode = 0;
        for (int i = 0; i < twin.count; i++) {
            const SolidParticle *q = &twin.particles[i];
            mode += q->v.x * sin(PI * (q->x.x - center) / l);
        }
        watch(&crossings, twin.time, mode);
        double energy = solid_elastic(&twin) + solid_kinetic(&twin);
        r.energy = fmax(r.energy, fabs(energy / start - 1));
        r.momentum = fmax(r.momentum, v_norm(v_sub(solid_momentum(&twin), p)));
        r.angular = fmax(r.angular, v_norm(v_sub(solid_angular(&twin), spin)));
    }
    r.period = period_of(&crossings);
    solid_free(&twin);
    return r;
}

// ---------------------------------------------------------------- LAT-2

typedef struct Beam {
    double length, area, inertia, clamp;
} Beam;

static Beam beam_of(int length, int thickness) {
    double side = (thickness + 1) * HALF;
    return (Beam){.length = (length - 2 + 0.5) * HALF,
                  .area = side * side,
                  .inertia = side * side * side * side / 12,
                  .clamp = 2 * HALF};
}

static SolidTwin hold_bar(int length, int thickness) {
    SolidTwin twin = make_bar(length, thickness);
    for (int i = 0; i < twin.count; i++) {
        twin.particles[i].held = twin.particles[i].x.x < 2.5 * HALF;
    }
    twin.every = 50;
    return twin;
}

// mean height of the last plane
static double tip_height(const SolidTwin *twin, double length) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < twin->count; i++) {
        if (twin->particles[i].x.x < length - 0.5 * HALF) continue;
        sum += twin->particles[i].x.z;
        count++;
    }
    return sum / count;
}

static double euler_period(const Beam *beam) {
    double l = beam->length;
    return 2 * PI * l * l / 3.516 / sqrt(YOUNG * beam->inertia / (DENSITY * beam->area));
}

Cantilever sag_cantilever(int length, int thickness) {
    SolidTwin twin = hold_bar(length, thickness);
    Beam beam = beam_of(length, thickness);
    double l = beam.length, first = 2 * PI / (1.15 * euler_period(&beam)), dt = 0.4;
    double shear = 5.0 / 6 * (YOUNG / 2) * beam.area;
    Cantilever c = {.particles = twin.count};
    // a weight that bends the bar by a thousandth of its length, and drag that just stops its first mode
    double unit = l * l * l * l / (8 * YOUNG * beam.inertia) + l * l / (2 * shear);
    double weight = 1e-3 * l / unit;
    c.sag_wanted = weight * unit;
    twin.gravity.z = -weight / (DENSITY * beam.area);
    twin.drag = 2 * first;
    double before = tip_height(&twin, length * HALF);
    while (twin.time < 11 / first) solid_leap(&twin, dt);
    c.sag = before - tip_height(&twin, length * HALF);
    solid_free(&twin);
    return c;
}

// first mode of a beam held at 0 and free at 1
static double mode_shape(double x) {
    double k = 1.8751040687;
    double a = cos(k) + cosh(k), b = sin(k) - sinh(k);
    double end = a * (cosh(k) - cos(k)) + b * (sinh(k) - sin(k));
    return (a * (cosh(k * x) - cos(k * x)) + b * (sinh(k * x) - sin(k * x))) / end;
}

Cantilever swing_cantilever(int length, int thickness) {
    SolidTwin twin = hold_bar(length, thickness);
    Beam beam = beam_of(length, thickness);
    Cantilever c = {.particles = twin.count, .period_wanted = euler_period(&beam)};
    double speed = 1e-3 * beam.length * 2 * PI / c.period_wanted, dt = 0.4;
    for (int i = 0; i < twin.count; i++) {
        SolidParticle *p = &twin.particles[i];
        if (!p->held) p->v.z = speed * mode_shape((p->x.x - beam.clamp) / beam.length);
    }
    double rest = tip_height(&twin, length * HALF);
    Crossings crossings = {.count = 1};
    while (crossings.count < 3) {
        solid_leap(&twin, dt);
        watch(&crossings, twin.time, tip_height(&twin, length * HALF) - rest);
    }
    c.period = period_of(&crossings);
    solid_free(&twin);
    return c;
}

// ---------------------------------------------------------------- LAT-3

#define PLATE_LENGTH 0.2
#define PLATE_HEIGHT 0.02
#define PLATE_CLAMP 0.05
#define PLATE_YOUNG 2e6
#define PLATE_DENSITY 1000.0

// Rows of the lattice are shifted by a quarter of D to either side, so that on the mean the last held
// particle is at x = 0 and the plate ends half a distance beyond its last one, at `length`.
static SolidTwin make_plate(int layers, double *length) {
    SolidTwin twin = solid_make(2);
    double d = PLATE_HEIGHT / layers * 2 / sqrt(3);
    int held = (int)(PLATE_CLAMP / d), free_ones = (int)(PLATE_LENGTH / d);
    Block block = {.dimensions = 2, .planes = {held + 1 + free_ones, layers, 1}, .distance = d};
    int at[3] = {-1, 0, 0};
    ThawVec3 place, shift = {-(held + 0.25) * d, -0.25 * sqrt(3) * (layers - 1) * d, 0};
    twin.distance = d;
    twin.stiffness = PLATE_YOUNG / sqrt(3);
    twin.every = 50;
    while (block_next(&block, at, &place)) {
        int i = solid_add(&twin, v_add(place, shift), m_one(), 0);
        twin.particles[i].mass = PLATE_DENSITY * solid_volume(&twin);
        twin.particles[i].held = at[0] <= held;
    }
    *length = (free_ones + 0.5) * d;
    return twin;
}

// how far the plate is bent in its first mode: less troubled by the others than its tip
static double plate_bend(const SolidTwin *twin, double length) {
    double sum = 0, weight = 0;
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        if (p->held) continue;
        double shape = mode_shape(p->x.x / length);
        sum += shape * p->x.y;
        weight += shape * shape;
    }
    return sum / weight;
}

Plate swing_plate(int layers, int periods) {
    double length, peak[64] = {0};
    SolidTwin twin = make_plate(layers, &length);
    double sound = sqrt(PLATE_YOUNG / 3 / PLATE_DENSITY), speed = 0.01 * sound;
    for (int i = 0; i < twin.count; i++) {
        SolidParticle *p = &twin.particles[i];
        if (!p->held) p->v.y = speed * mode_shape(p->x.x / length);
    }
    double dt = 0.6 * sqrt(twin.particles[0].mass / twin.stiffness);
    double rest = plate_bend(&twin, length);
    Crossings crossings = {.count = 1};
    while (crossings.count < 2 + 2 * periods) {
        solid_leap(&twin, dt);
        double bend = plate_bend(&twin, length) - rest;
        peak[crossings.count - 1] = fmax(peak[crossings.count - 1], fabs(bend));
        watch(&crossings, twin.time, bend);
    }
    Plate plate = {.particles = twin.count, .steps = (int)twin.steps};
    // periods go as the square of the length, which is a whole number of distances
    double scale = PLATE_LENGTH / length;
    plate.period = period_of(&crossings) * scale * scale;
    if (periods > 0) plate.decay = 1 - pow(peak[2 * periods] / peak[0], 1.0 / periods);
    solid_free(&twin);
    return plate;
}

// ---------------------------------------------------------------- FR-2

#define GRIP_SPEED 0.02
#define GRIP_DEPTH 1.0

// Alike everywhere, or with a neck two layers long that has no outer ring. A plain bar in which strain is even
// reaches its limit everywhere at once. From rest it is not even: each grip sends a step of strain v/c, and where
// these meet, in the middle, and where they come back to a grip, strain is ahead by turns. A limit of 0.116
// is met while the middle is ahead: it breaks there, and what is let go then unloads the rest.
#define PLAIN_LIMIT 0.116
#define PLAIN_SPREAD 0.002
#define NECKED_LIMIT 0.1

static SolidTwin long_bar(bool necked) {
    SolidTwin twin = solid_make(3);
    Block block = {.dimensions = 3, .planes = {20, 8, 8}, .distance = 1};
    int at[3] = {-1, 0, 0};
    ThawVec3 place, middle = {9.5 * HALF, 3.5 * HALF, 3.5 * HALF};
    while (block_next(&block, at, &place)) {
        bool ring = at[1] == 0 || at[1] == 7 || at[2] == 0 || at[2] == 7;
        if (necked && (at[0] == 9 || at[0] == 10) && ring) continue;
        solid_add(&twin, v_sub(place, middle), m_one(), 0);
    }
    twin.fracture_strain = necked ? NECKED_LIMIT : PLAIN_LIMIT;
    twin.fracture_spread = necked ? 0 : PLAIN_SPREAD;
    return twin;
}

static void grip_ends(SolidTwin *twin, double speed) {
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        if (p->held) p->v = (ThawVec3){p->x.x > 0 ? speed : -speed, 0, 0};
    }
}

static int count_pieces(const SolidTwin *twin, int sizes[2]) {
    int *label = malloc((size_t)twin->count * sizeof *label);
    if (label == NULL) abort();
    int pieces = solid_components(twin, label);
    sizes[0] = sizes[1] = 0;
    for (int i = 0; i < twin->count; i++) {
        if (label[i] < 2) sizes[label[i]]++;
    }
    free(label);
    return pieces;
}

static void run_until(SolidTwin *twin, double time, double dt) {
    while (twin->time < time - 0.5 * dt) solid_leap(twin, dt);
}

Parted part_bar(double dt, bool necked) {
    double half = 9.5 * HALF;
    SolidTwin twin = long_bar(necked);
    Parted parted = {.particles = twin.count};
    twin.damping = 0.1;
    twin.contact = CONTACT_ALL;
    for (int i = 0; i < twin.count; i++) {
        twin.particles[i].held = fabs(twin.particles[i].x.x) > half - GRIP_DEPTH;
    }
    // what the grips give by starting counts as theirs
    grip_ends(&twin, GRIP_SPEED);
    twin.grip_work = solid_kinetic(&twin);
    twin.impulse = solid_momentum(&twin);
    run_until(&twin, 1.5 / GRIP_SPEED, dt);
    twin.docking = true; // broken faces stay broken, and nothing else docks
    parted.pieces = count_pieces(&twin, parted.sizes);
    parted.momentum = v_norm(v_sub(solid_momentum(&twin), twin.impulse));
    parted.work = twin.grip_work;
    parted.energy = solid_kinetic(&twin) + solid_elastic(&twin) + solid_touching(&twin);
    // stopped, the pieces come to rest
    grip_ends(&twin, 0);
    twin.drag = 0.1;
    run_until(&twin, twin.time + 200, dt);
    parted.strongest = solid_strongest(&twin);
    // and pushed together again they stay two
    grip_ends(&twin, -GRIP_SPEED);
    run_until(&twin, twin.time + 1.6 / GRIP_SPEED, dt);
    int sizes[2];
    parted.again = count_pieces(&twin, sizes);
    solid_free(&twin);
    return parted;
}

// ---------------------------------------------------------------- FR-3

#define COLUMN_LENGTH 28
#define COLUMN_THICKNESS 6

// share of the particles that no chain of bonds joins to the clamp
static double fallen_share(const SolidTwin *twin) {
    int *label = malloc((size_t)twin->count * sizeof *label), fallen = 0;
    if (label == NULL) abort();
    int pieces = solid_components(twin, label);
    bool *tied = calloc((size_t)pieces, sizeof *tied);
    if (tied == NULL) abort();
    for (int i = 0; i < twin->count; i++) tied[label[i]] |= twin->particles[i].held;
    for (int i = 0; i < twin->count; i++) fallen += !tied[label[i]];
    free(tied);
    free(label);
    return (double)fallen / twin->count;
}

// mean place along the column of the particles that were on plane `n`; near the clamp they are there still
static double plane_place(const SolidTwin *twin, int n) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < twin->count; i++) {
        if ((int)nearbyint(twin->particles[i].x.x / HALF) != n) continue;
        sum += twin->particles[i].x.x;
        count++;
    }
    return sum / count;
}

Column hang_column(double load, double fracture_strain, double dt, double ramp) {
    // along x, held at x = 0; gravity points along x
    SolidTwin twin = hold_bar(COLUMN_LENGTH, COLUMN_THICKNESS);
    Beam beam = beam_of(COLUMN_LENGTH, COLUMN_THICKNESS);
    double l = beam.length, g = load * YOUNG / (DENSITY * l), tip = COLUMN_LENGTH * HALF;
    twin.every = 4;
    twin.fracture_strain = fracture_strain;
    twin.drag = 0.15;
    while (twin.time < ramp + 120 && twin.broken == 0) {
        twin.gravity.x = ramp > 0 ? g * fmin(1, twin.time / ramp) : g;
        solid_leap(&twin, dt);
    }
    Column column = {.broken = twin.broken > 0};
    double place = 0;
    int count = 0;
    for (int i = 0; i < twin.count; i++) {
        if (twin.particles[i].x.x < tip - 0.5 * HALF) continue;
        place += twin.particles[i].x.x;
        count++;
    }
    double factor = (COLUMN_THICKNESS + 1.0) / COLUMN_THICKNESS;
    if (count > 0) column.stretch = (place / count - tip) / (factor * load * l / 2);
    // over two half-layers, the middle of which bears what is below it
    double stretched = (plane_place(&twin, 4) - plane_place(&twin, 2)) / (2 * HALF) - 1;
    column.strain = stretched / (factor * load * (1 - HALF / l));
    column.height = 1 - (twin.break_place.x - beam.clamp) / l;
    // let the crack run
    double end = twin.time + 30;
    while (column.broken && twin.time < end) solid_leap(&twin, dt);
    column.fallen = fallen_share(&twin);
    solid_free(&twin);
    return column;
}

double column_strength(double fracture_strain, double dt) {
    double low = 0.3 * fracture_strain, high = 2 * fracture_strain;
    while (high / low > 1.02) {
        double middle = sqrt(low * high);
        if (hang_column(middle, fracture_strain, dt, COLUMN_RAMP).broken)
            high = middle;
        else
            low = middle;
    }
    return sqrt(low * high);
}

// ---------------------------------------------------------------- W-12

// rms distance of the body from its rest lattice, after the best rigid motion is taken off
static double rms_from_rest(const SolidTwin *twin, const ThawVec3 *rest) {
    ThawVec3 center = solid_center(twin), middle = {0, 0, 0};
    for (int i = 0; i < twin->count; i++) middle = v_along(middle, 1.0 / twin->count, rest[i]);
    Mat m = {0};
    for (int i = 0; i < twin->count; i++) {
        m = m_along(m, 1, m_outer(v_sub(twin->particles[i].x, center), v_sub(rest[i], middle)));
    }
    Mat turn = polar(m, m_one());
    double sum = 0;
    for (int i = 0; i < twin->count; i++) {
        ThawVec3 goal = v_add(center, m_apply(turn, v_sub(rest[i], middle)));
        ThawVec3 miss = v_sub(twin->particles[i].x, goal);
        sum += v_dot(miss, miss);
    }
    return sqrt(sum / twin->count);
}

double tumble_and_stop(int nx, int ny, int nz, int steps, double *spinning) {
    Dice dice = {12};
    SolidTwin twin = solid_make(3);
    Block block = {.dimensions = 3, .planes = {nx, ny, nz}, .distance = 1};
    solid_add_block(&twin, &block, m_one(), (ThawVec3){0, 0, 0}, 0);
    ThawVec3 *rest = malloc((size_t)twin.count * sizeof *rest);
    if (rest == NULL) abort();
    for (int i = 0; i < twin.count; i++) {
        rest[i] = twin.particles[i].x;
        twin.particles[i].x = v_along(rest[i], 0.03, dice_vector(&dice));
    }
    solid_set_spin(&twin, (ThawVec3){0.01, 0, 0}, (ThawVec3){0.01, 0.02, 0.03});
    twin.damping = 0.05;
    twin.every = 4;
    for (int n = 0; n < steps; n++) solid_leap(&twin, 0.2);
    *spinning = rms_from_rest(&twin, rest);
    solid_set_spin(&twin, (ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 0});
    int still = steps / 10 > 3000 ? steps / 10 : 3000;
    for (int n = 0; n < still; n++) solid_leap(&twin, 0.2);
    double rms = rms_from_rest(&twin, rest);
    free(rest);
    solid_free(&twin);
    return rms;
}
