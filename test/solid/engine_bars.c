#include "solid/engine_bars.h"

#include "solid/polar.h"

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

// A bar of that many gaps about the origin, along x before it is turned
static Engine make_bar(const EngineDef *def, int length, int thickness, Mat turn) {
    EngineBlock how =
        plain_block(length + 1, thickness + 1, def->dimensions == 3 ? thickness + 1 : 1);
    how.turn = turn;
    return engine_block(def, &how);
}

// how fast a bar along `axis` rings in its first mode
static double mode_of(const ThawVec3 *x, const ThawVec3 *v, uint32_t count, ThawVec3 axis,
                      double length) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += v_dot(axis, v[i]) * sin(PI * v_dot(axis, x[i]) / length);
    }
    return sum;
}

// Velocities are half a step behind places: the energy at a place has the mean of those before and
// after.
static double energy_at(const Engine *e, const ThawVec3 *before, const ThawVec3 *after,
                        double elastic) {
    double kinetic = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        ThawVec3 mean = v_scale(0.5, v_add(before[i], after[i]));
        kinetic += 0.5 * engine_mass(e) * v_dot(mean, mean);
    }
    return kinetic + elastic;
}

Mat tilted_turn(void) {
    return m_mul(m_turn((ThawVec3){0, 0, 1}, 0.7), m_turn((ThawVec3){0, 1, 0}, 0.4));
}

Ringing ring_bar(const EngineDef *def, int length, int thickness, Mat turn, double dt,
                 double periods) {
    Engine e = make_bar(def, length, thickness, turn);
    const ThawVec3 axis = m_apply(turn, (ThawVec3){1, 0, 0});
    bool flat = def->dimensions == 2;
    double l = (length + 1) * (flat ? 1 : HALF) * def->distance, speed, start = 0, energy = 0;
    const ThawSolidDef *solid = &def->material.solid;
    double sound = sqrt((double)solid->young / (double)def->material.density);
    Ringing r = {.particles = e.count};
    // of a row's three parts in 2D one is its own, the others come through the gaps beside it
    double whole = thickness + 1.0, left = flat ? (whole + 2 * thickness) / 3 : thickness;
    r.wanted = sqrt(whole / left) * 2 * l / sound;
    // strains of 1e-3, whatever the units
    speed = 1e-3 * sound;
    ThawVec3 *x = engine_places(&e), *v = engine_room(e.count), *before = NULL;
    for (uint32_t i = 0; i < e.count; i++) {
        v[i] = v_scale(speed * sin(PI * v_dot(axis, x[i]) / l), axis);
    }
    engine_set_velocities(&e, v);
    Motions first = motions_of(&e, x, v);
    Crossings crossings = {0};
    while (crossings.count < 3 || thaw_world_time(e.world) < periods * r.wanted) {
        double elastic = r.report.elastic;
        if (thaw_world_time(e.world) > 40 * (periods + 1) * r.wanted) break;
        r.report = engine_step(&e, dt, 1);
        free(x);
        free(before);
        before = v;
        x = engine_places(&e);
        v = engine_velocities(&e);
        watch(&crossings, thaw_world_time(e.world), mode_of(x, v, e.count, axis, l));
        if (start == 0) {
            start = first.kinetic;
            continue;
        }
        energy = energy_at(&e, before, v, elastic);
        r.energy = fmax(r.energy, fabs(energy / start - 1));
        Motions now = motions_of(&e, x, v);
        r.momentum = fmax(r.momentum, v_norm(now.momentum) / first.speed);
        r.angular = fmax(r.angular, v_norm(v_sub(now.angular, first.angular)) / (first.speed * l));
    }
    r.period = crossings.count > 1 ? period_of(&crossings) : INFINITY;
    r.damping = log(start / energy) / (4 * PI * thaw_world_time(e.world) / r.period);
    free(x);
    free(v);
    free(before);
    engine_free(&e);
    return r;
}

// ---------------------------------------------------------------- LAT-2

#define YOUNG 2.8284271247461903   // 2 √2 k/D
#define DENSITY 1.4142135623730951 // √2 m/D³

typedef struct Beam {
    double length, area, inertia;
    double clamp, tip; // x of the last held plane and of the last one
} Beam;

static Beam beam_of(int length, int thickness) {
    double side = (thickness + 1) * HALF;
    return (Beam){.length = (length - 2 + 0.5) * HALF,
                  .area = side * side,
                  .inertia = side * side * side * side / 12,
                  .clamp = (2 - 0.5 * length) * HALF,
                  .tip = 0.5 * length * HALF};
}

static double euler_period(const Beam *beam) {
    double l = beam->length;
    return 2 * PI * l * l / 3.516 / sqrt(YOUNG * beam->inertia / (DENSITY * beam->area));
}

// holds all that is left of x
static void hold_left_of(Engine *e, double x, double size) {
    ThawAttachmentDef def = thaw_attachment_default();
    def.region = thaw_shape_box((ThawVec3){x - 0.5 * size, 0, 0}, (ThawVec3){size, size, size});
    assert_ok(thaw_world_add_attachment(e->world, &def, NULL));
}

static Engine hold_bar(int length, int thickness, double gravity) {
    EngineDef def = engine_units(3);
    def.world.gravity.z = -gravity;
    Engine e = make_bar(&def, length, thickness, no_turn);
    hold_left_of(&e, beam_of(length, thickness).clamp + 0.5 * HALF, 1000);
    return e;
}

// mean height of the last plane, which is where it was along x to a few hundredths
static double tip_height(const Engine *e, const Beam *beam) {
    ThawVec3 *x = engine_places(e);
    double sum = 0;
    int count = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        if (x[i].x < beam->tip - 0.5 * HALF) continue;
        sum += x[i].z;
        count++;
    }
    free(x);
    return sum / count;
}

static void slow_down(Engine *e, double share) {
    ThawVec3 *v = engine_velocities(e);
    for (uint32_t i = 0; i < e->count; i++) v[i] = v_scale(1 - share, v[i]);
    engine_set_velocities(e, v);
    free(v);
}

Cantilever sag_cantilever(int length, int thickness) {
    Beam beam = beam_of(length, thickness);
    double l = beam.length, first = 2 * PI / (1.15 * euler_period(&beam)), dt = 0.4;
    double shear = 5.0 / 6 * (YOUNG / 2) * beam.area;
    // a weight that bends the bar by a thousandth of its length, and drag that just stops its first mode
    double unit = l * l * l * l / (8 * YOUNG * beam.inertia) + l * l / (2 * shear);
    double weight = 1e-3 * l / unit;
    Engine e = hold_bar(length, thickness, weight / (DENSITY * beam.area));
    Cantilever c = {.particles = e.count, .sag_wanted = weight * unit};
    double before = tip_height(&e, &beam);
    while (thaw_world_time(e.world) < 11 / first) {
        engine_step(&e, dt, 5);
        slow_down(&e, 1 - exp(-2 * first * 5 * dt));
    }
    c.sag = before - tip_height(&e, &beam);
    engine_free(&e);
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
    Beam beam = beam_of(length, thickness);
    Engine e = hold_bar(length, thickness, 0);
    Cantilever c = {.particles = e.count, .period_wanted = euler_period(&beam)};
    double speed = 1e-3 * beam.length * 2 * PI / c.period_wanted;
    ThawVec3 *x = engine_places(&e), *v = engine_room(e.count);
    for (uint32_t i = 0; i < e.count; i++) {
        double along = (x[i].x - beam.clamp) / beam.length;
        if (along > 0.1 * HALF / beam.length) v[i].z = speed * mode_shape(along);
    }
    engine_set_velocities(&e, v);
    free(x);
    free(v);
    double rest = tip_height(&e, &beam);
    Crossings crossings = {.count = 1};
    while (crossings.count < 3) {
        engine_step(&e, 0.4, 5);
        watch(&crossings, thaw_world_time(e.world), tip_height(&e, &beam) - rest);
    }
    c.period = period_of(&crossings);
    engine_free(&e);
    return c;
}

// ---------------------------------------------------------------- LAT-3

#define PLATE_LENGTH 0.2
#define PLATE_HEIGHT 0.02
#define PLATE_CLAMP 0.05
#define PLATE_YOUNG 2e6f

// Rows of the lattice are shifted by a quarter of D to either side, so that on the mean the last held
// particle is at x = 0 and the plate ends half a distance beyond its last one, at `length`.
static Engine make_plate(int layers, double *length) {
    double d = PLATE_HEIGHT / layers * 2 / sqrt(3);
    int held = (int)(PLATE_CLAMP / d), free_ones = (int)(PLATE_LENGTH / d), count = 0;
    EngineDef def = engine_si(2, d);
    def.material.solid.young = PLATE_YOUNG;
    def.material.solid.poisson = def.material.solid.damping = 0;
    def.world.solver.explicit_forces = true;
    Engine e = engine_make(&def);
    Block block = block_of(&def, held + 1 + free_ones, layers, 1);
    ThawVec3 *points = engine_room((uint32_t)block_count(&block)), place;
    ThawVec3 shift = {-(held + 0.25) * d, -0.25 * sqrt(3) * (layers - 1) * d, 0};
    int at[3] = {-1, 0, 0};
    while (block_next(&block, at, &place)) points[count++] = v_add(place, shift);
    engine_add(&e, points, count, no_turn);
    free(points);
    // the next free ones are at 0.75 D and 1.25 D
    hold_left_of(&e, 0.5 * d, 1);
    *length = (free_ones + 0.5) * d;
    return e;
}

// how far the plate is bent in its first mode: less troubled by the others than its tip
static double plate_bend(const Engine *e, double length) {
    ThawVec3 *x = engine_places(e);
    double sum = 0, weight = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        if (x[i].x < 0.5 * e->def.distance) continue;
        double shape = mode_shape(x[i].x / length);
        sum += shape * x[i].y;
        weight += shape * shape;
    }
    free(x);
    return sum / weight;
}

Plate swing_plate(int layers, int periods) {
    double length, peak[64] = {0};
    Engine e = make_plate(layers, &length);
    double speed = 0.01 * sqrt((double)PLATE_YOUNG / 3 / 1000);
    ThawVec3 *x = engine_places(&e), *v = engine_room(e.count);
    for (uint32_t i = 0; i < e.count; i++) {
        if (x[i].x > 0.5 * e.def.distance) v[i].y = speed * mode_shape(x[i].x / length);
    }
    engine_set_velocities(&e, v);
    free(x);
    free(v);
    double k = (double)PLATE_YOUNG / sqrt(3), dt = 0.6 * sqrt(engine_mass(&e) / k);
    double rest = plate_bend(&e, length);
    Crossings crossings = {.count = 1};
    while (crossings.count < 2 + 2 * periods) {
        engine_step(&e, dt, 20);
        double bend = plate_bend(&e, length) - rest;
        peak[crossings.count - 1] = fmax(peak[crossings.count - 1], fabs(bend));
        watch(&crossings, thaw_world_time(e.world), bend);
    }
    // periods go as the square of the length, which is a whole number of distances
    double scale = PLATE_LENGTH / length;
    Plate plate = {.particles = e.count, .period = period_of(&crossings) * scale * scale};
    if (periods > 0) plate.decay = 1 - pow(peak[2 * periods] / peak[0], 1.0 / periods);
    engine_free(&e);
    return plate;
}

// ---------------------------------------------------------------- W-12

// rms distance of the body from its rest lattice, after the best rigid motion is taken off
static double rms_from_rest(const Engine *e, const ThawVec3 *rest) {
    ThawVec3 *x = engine_places(e), center = {0, 0, 0}, middle = center;
    for (uint32_t i = 0; i < e->count; i++) {
        center = v_along(center, 1.0 / e->count, x[i]);
        middle = v_along(middle, 1.0 / e->count, rest[i]);
    }
    Mat m = {0};
    for (uint32_t i = 0; i < e->count; i++) {
        m = m_along(m, 1, m_outer(v_sub(x[i], center), v_sub(rest[i], middle)));
    }
    Mat turn = polar(m, m_one());
    double sum = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        ThawVec3 goal = v_add(center, m_apply(turn, v_sub(rest[i], middle)));
        ThawVec3 off = v_sub(x[i], goal);
        sum += v_dot(off, off);
    }
    free(x);
    return sqrt(sum / e->count) / e->def.distance;
}

double tumble_and_stop(int nx, int ny, int nz, int steps, double *spinning) {
    EngineDef def = engine_units(3);
    // η/m = 0.02 √(k/m): with a damping of 0.2 that is √(k/m) = 2 π
    def.material.solid.young *= (float)(4 * PI * PI);
    def.material.solid.damping = 0.2f;
    double unit = 1 / (2 * PI), dt = 0.2 * unit;
    EngineBlock how = plain_block(nx, ny, nz);
    Engine e = engine_block(&def, &how);
    ThawVec3 *rest = engine_places(&e), *noisy = engine_places(&e);
    Dice dice = {12};
    for (uint32_t i = 0; i < e.count; i++) noisy[i] = v_along(noisy[i], 0.03, dice_vector(&dice));
    engine_step(&e, 1e-7, 1);
    engine_set_places(&e, noisy);
    engine_set_spin(&e, (ThawVec3){0, 0, 0}, v_scale(1 / unit, (ThawVec3){0.01, 0.02, 0.03}));
    for (int n = 0; n < steps; n += 50) engine_step(&e, dt, 50);
    *spinning = rms_from_rest(&e, rest);
    engine_set_velocities(&e, NULL);
    for (int n = 0; n < 200; n++) {
        engine_step(&e, dt, 10);
        slow_down(&e, 0.2);
    }
    double rms = rms_from_rest(&e, rest);
    free(rest);
    free(noisy);
    engine_free(&e);
    return rms;
}

// ---------------------------------------------------------------- Poisson's ratio

#define STRETCH 5e-3

Stretched stretch_bar(int dimensions, float poisson, ThawElasticity law) {
    EngineDef def = engine_units(dimensions);
    def.material.solid.poisson = poisson;
    def.material.solid.elasticity = law;
    def.world.solver.explicit_forces = false;
    EngineBlock how = dimensions == 3 ? plain_block(12, 13, 13) : plain_block(10, 13, 1);
    how.map = m_diagonal(1 + STRETCH, 1, 1);
    def.world.periodic[0] = true;
    def.world.lower.x = -(dimensions == 3 ? 6 * HALF : 5) * (1 + STRETCH);
    def.world.upper.x = -def.world.lower.x;
    Engine e = engine_block(&def, &how);
    ThawVec3 *rest = engine_places(&e);
    ThawReport report = {0};
    // drag at uneven times: at even ones it would miss a mode that stands still just then
    for (int n = 0; n < 150; n++) {
        int substeps = 3 + n % 5;
        report = engine_step(&e, 0.1, substeps);
        assert_true(engine_solids(&e)->kinds[1].held_share >= 1);
        slow_down(&e, 1 - exp(-0.07 * substeps));
    }
    ThawVec3 *x = engine_places(&e);
    double moved = 0, width = 0;
    for (uint32_t i = 0; i < e.count; i++) {
        moved += (x[i].y - rest[i].y) * rest[i].y;
        width += rest[i].y * rest[i].y;
    }
    double volume = e.count * pow(engine_spacing(&def), dimensions);
    Stretched s = {.poisson = -moved / width / STRETCH, .moving = report.kinetic / report.elastic};
    s.young = 2 * report.elastic / (STRETCH * STRETCH * volume) / (double)def.material.solid.young;
    free(x);
    free(rest);
    engine_free(&e);
    return s;
}
