// A shaken block that spins freely, on the shipped solid: what it keeps (W-10, W-11, W-13, LAT-4). Units k = m = D = 1.
#ifndef TEST_SOLID_ENGINE_TUMBLE_H
#define TEST_SOLID_ENGINE_TUMBLE_H

#include "solid/engine.h"

typedef struct Tumble {
    double momentum; // largest |Σ m v − start| over Σ m |v| of the start
    double angular;  // largest |L − start| / |start|
    double energy;   // largest |E − start| / start
    double trend;    // mean of the last quarter over that of the first, less one
    double told;     // largest relative change of the report's own kinetic + elastic
} Tumble;

// Velocities of symplectic Euler are half a step behind places: the energy that is kept has the mean
// of the velocities before and after a place.
static inline double energy_between(const Engine *e, const ThawVec3 *before, double elastic) {
    ThawVec3 *now = engine_velocities(e);
    double kinetic = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        ThawVec3 mean = v_scale(0.5, v_add(before[i], now[i]));
        kinetic += 0.5 * engine_mass(e) * v_dot(mean, mean);
    }
    free(now);
    return kinetic + elastic;
}

static inline void note_energy(Tumble *t, double energy, double *start, double share,
                               double sums[2]) {
    if (*start == 0) *start = energy;
    t->energy = fmax(t->energy, fabs(energy / *start - 1));
    if (share < 0.25) sums[0] += energy;
    if (share >= 0.75) sums[1] += energy;
}

// the same with angular momentum about the mean of all places
static inline Motions own_motions(const Engine *e) {
    ThawVec3 *x = engine_places(e), *v = engine_velocities(e), middle = {0, 0, 0};
    for (uint32_t i = 0; i < e->count; i++) middle = v_along(middle, 1.0 / e->count, x[i]);
    for (uint32_t i = 0; i < e->count; i++) x[i] = v_sub(x[i], middle);
    Motions all = motions_of(e, x, v);
    free(x);
    free(v);
    return all;
}

static inline Tumble tumble(Engine *e, double dt, int steps) {
    Motions first = own_motions(e);
    double start = 0, sums[2] = {0, 0}, told = 0;
    ThawVec3 *before = NULL;
    ThawReport report = {0};
    Tumble t = {0};
    for (int n = 0; n < steps; n++) {
        double elastic = report.elastic;
        report = engine_step(e, dt, 1);
        if (before != NULL) {
            note_energy(&t, energy_between(e, before, elastic), &start, (double)n / steps, sums);
        }
        if (n == 1) told = report.kinetic + report.elastic;
        if (n > 1) t.told = fmax(t.told, fabs((report.kinetic + report.elastic) / told - 1));
        free(before);
        before = engine_velocities(e);
        Motions now = own_motions(e);
        ThawVec3 p = v_sub(now.momentum, first.momentum), l = v_sub(now.angular, first.angular);
        t.momentum = fmax(t.momentum, v_norm(p) / first.speed);
        t.angular = fmax(t.angular, v_norm(l) / v_norm(first.angular));
    }
    t.trend = sums[1] / sums[0] - 1;
    free(before);
    return t;
}

static inline Engine shaken_block(EngineDef def, int nx, int ny, int nz) {
    EngineBlock how = plain_block(nx, ny, nz);
    Dice dice = {13};
    how.turn = dice_turn(&dice);
    how.shake = 0.03;
    how.seed = 14;
    Engine e = engine_block(&def, &how);
    engine_set_spin(&e, (ThawVec3){0.02, -0.01, 0.03}, (ThawVec3){0.01, 0.02, 0.03});
    return e;
}

#endif
