// Closed tanks over every setting of the solver: kinetic, potential and surface energy together must never
// rise above 1.01 of their start and of what emitters put in, potential measured from the floor.
#ifndef TEST_PHYSICS_ENERGY_SWEEP_H
#define TEST_PHYSICS_ENERGY_SWEEP_H

#include "support/tank.h"
#include "world/helpers.h"

#define SWEEP_D 0.05 // m
#define SWEEP_DT 0.005
#define SWEEP_KAPPA 0.3f
#define SWEEP_SPEED 3.0  // m/s, of what rains
#define SWEEP_RAIN 0.2   // s, for how long
#define SWEEP_BLINK 1e-7 // s: nothing moves in it

typedef struct SweepSetting {
    int dimensions;
    bool drop; // a falling block; otherwise a dam break
    int iterations, substeps;
    double relaxation;
    bool tense;    // with surface tension
    double jitter; // of an emitter that rains into the empty tank, where it is above 0
} SweepSetting;

static inline const char *sweep_name(const SweepSetting *s) {
    return s->jitter > 0 ? "rain" : s->drop ? "drop" : "dam";
}

typedef struct SweepTotal {
    double worst; // ratio of energy to its start
    SweepSetting worst_at;
    int runs, gains; // runs that went above 1.01
} SweepTotal;

static inline Tank sweep_open(const SweepSetting *s) {
    ThawWorldDef def = tank_def(s->dimensions, SWEEP_D);
    def.solver.iterations = s->iterations;
    def.solver.relaxation = s->relaxation;
    def.solver.substeps = s->substeps;
    ThawLiquidDef liquid = thaw_material_default().liquid;
    liquid.surface_tension = s->tense ? SWEEP_KAPPA : 0;
    Tank tank = tank_open(&def, &liquid);
    double d = SWEEP_D;
    ThawVec3 size = s->dimensions == 2 ? (ThawVec3){24 * d, 2, 0} : (ThawVec3){12 * d, 6 * d, 2};
    tank_contain(&tank, tank_box(s->dimensions, (ThawVec3){0, 0, 0}, size), 0.4f);
    return tank;
}

// sizes in spacings: 2D a block of 12 × 14, 3D of 6 × 6 × 8, in tanks three times as wide
static inline void sweep_fill(Tank *tank, const SweepSetting *s) {
    double d = SWEEP_D, lift = s->drop ? 8 * d : 0;
    if (s->dimensions == 2) {
        double left = s->drop ? 6 * d : 0;
        tank_fill(tank, tank_box(2, (ThawVec3){left, lift, 0},
                                 (ThawVec3){left + 12 * d, lift + 14 * d, 0}));
    } else {
        double left = s->drop ? 3 * d : 0;
        tank_fill(tank, tank_box(3, (ThawVec3){left, 0, lift},
                                 (ThawVec3){left + 6 * d, 6 * d, lift + 8 * d}));
    }
}

// Surface tension's energy at the start, which only a step tells. Within the first one of the sweep tension has already
// made motion of a part of it: that would count as a gain. Fixed substeps cut σ, and its energy with it.
static inline double sweep_surface(Tank *tank, const SweepSetting *s) {
    if (!s->tense) return 0;
    tank_step(tank, SWEEP_BLINK);
    if (s->substeps == 0) return tank->report.surface;
    ThawMaterialDef material = thaw_material_default();
    material.liquid.surface_tension = SWEEP_KAPPA;
    double asked = thaw_liquid_tension(&material, SWEEP_D);
    double limit =
        thaw_liquid_tension_limit((double)material.density, SWEEP_D, SWEEP_DT / s->substeps);
    return tank->report.surface * fmin(1, limit / asked);
}

static inline double sweep_run(const SweepSetting *s, int steps) {
    Tank tank = sweep_open(s);
    sweep_fill(&tank, s);
    double start = tank_energy(&tank, 0), worst = 0, surface = sweep_surface(&tank, s);
    for (int k = 0; k < steps; k++) {
        tank_step(&tank, SWEEP_DT);
        double change = tank.report.surface - surface;
        worst = fmax(worst, (tank_energy(&tank, 0) + change) / start);
    }
    tank_close(&tank);
    return worst;
}

// downwards, in the middle of the tank; returns the opening's height
static inline double sweep_emit(Tank *tank, const SweepSetting *s, ThawEmitterId *id) {
    double d = SWEEP_D, height = 20 * d;
    ThawEmitterDef def = thaw_emitter_default();
    def.material = tank->liquid;
    def.jitter = s->jitter;
    def.radius = 2.5 * d;
    def.speed = SWEEP_SPEED;
    def.to = SWEEP_RAIN;
    def.pose = s->dimensions == 2 ? (ThawPose){{12 * d, height, 0}, {0, 0, 1, 0}}
                                  : (ThawPose){{6 * d, 3 * d, height}, {1, 0, 0, 0}};
    assert_ok(thaw_world_add_emitter(tank->world, &def, id));
    return height;
}

// Energy over that of all that was born, with the opening's speed and the most height that it can have.
static inline double sweep_rain(const SweepSetting *s, int steps) {
    Tank tank = sweep_open(s);
    ThawEmitterId id;
    double top = sweep_emit(&tank, s, &id) + (1.25 + s->jitter) * SWEEP_D, worst = 0;
    double each = tank.particle * (0.5 * SWEEP_SPEED * SWEEP_SPEED + tank.pull * top);
    for (int k = 0; k < steps; k++) {
        ThawEmitterState state;
        tank_step(&tank, SWEEP_DT);
        assert_ok(thaw_world_emitter_state(tank.world, id, &state));
        if (state.born > 0)
            worst = fmax(worst, tank_energy(&tank, 0) / (each * (double)state.born));
    }
    assert_true(tank.count > 40);
    tank_close(&tank);
    return worst;
}

static inline void sweep_count(SweepTotal *total, const SweepSetting *s, int steps) {
    double ratio = s->jitter > 0 ? sweep_rain(s, steps) : sweep_run(s, steps);
    total->runs++;
    if (!(ratio <= 1.01)) {
        total->gains++;
        print_message(
            "gain: %dD %s, %d iterations, relaxation %.2f, %s, substeps %d: energy %.3f of "
            "its start\n",
            s->dimensions, sweep_name(s), s->iterations, s->relaxation,
            s->tense ? "tense" : "slack", s->substeps, ratio);
    }
    if (!(ratio <= total->worst)) {
        total->worst = ratio;
        total->worst_at = *s;
    }
}

// every setting of one scene with one choice of substeps
static inline SweepTotal sweep_all(SweepSetting s, int steps) {
    static const int iterations[] = {1, 2, 4, 10, 30};
    static const double relaxations[] = {0.01, 0.05, 0.2, 0.45, 1.0};
    SweepTotal total = {0};
    for (int k = 0; k < 25; k++) {
        s.iterations = iterations[k % 5];
        s.relaxation = relaxations[k / 5];
        sweep_count(&total, &s, steps);
    }
    print_message("%dD %s, %s, substeps %d: %d of %d runs gain energy; worst ratio %.4f at %d "
                  "iterations, relaxation %.2f\n",
                  s.dimensions, sweep_name(&s), s.tense ? "tense" : "slack", s.substeps,
                  total.gains, total.runs, total.worst, total.worst_at.iterations,
                  total.worst_at.relaxation);
    return total;
}

static inline void check_sweep(SweepSetting s, int steps) {
    s.drop = false;
    SweepTotal dam = sweep_all(s, steps);
    s.drop = true;
    SweepTotal drop = sweep_all(s, steps);
    assert_int_equal(dam.gains + drop.gains, 0);
}

#endif
