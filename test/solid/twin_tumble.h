// A shaken block that spins freely, on the slow twin: what it keeps (W-10, W-11, W-13, LAT-4). Units k = m = D = 1.
#ifndef TEST_SOLID_TWIN_TUMBLE_H
#define TEST_SOLID_TWIN_TUMBLE_H

#include "solid/rig.h"

typedef struct Tumble {
    double momentum; // largest |Σ m v − start| over Σ m |v| of the start
    double angular;  // largest |L − start| / |start|
    double energy;   // largest |E − start| / start
    double trend;    // mean of the last quarter over that of the first, less one
    double end;      // E / start
} Tumble;

static inline double sum_speed(const SolidTwin *twin) {
    double sum = 0;
    for (int i = 0; i < twin->count; i++) {
        sum += twin->particles[i].mass * v_norm(twin->particles[i].v);
    }
    return sum;
}

// steps with `dt` up to `steps`; energies are judged up to `judged`
static inline Tumble tumble(SolidTwin *twin, double dt, int steps, int judged) {
    ThawVec3 p = solid_momentum(twin), l = solid_angular(twin);
    double speed = sum_speed(twin), first = 0, last = 0;
    solid_update(twin, 0);
    double start = energy_of(twin), energy = start;
    Tumble t = {0};
    for (int n = 0; n < steps; n++) {
        solid_leap(twin, dt);
        t.momentum = fmax(t.momentum, v_norm(v_sub(solid_momentum(twin), p)) / speed);
        t.angular = fmax(t.angular, v_norm(v_sub(solid_angular(twin), l)) / v_norm(l));
        if (n >= judged) continue;
        energy = energy_of(twin);
        t.energy = fmax(t.energy, fabs(energy / start - 1));
        if (n < judged / 4) first += energy;
        if (n >= judged - judged / 4) last += energy;
    }
    t.trend = last / first - 1;
    t.end = energy / start;
    return t;
}

static inline SolidTwin shaken_block(int nx, int ny, int nz) {
    Dice dice = {13};
    SolidTwin twin = solid_block(nx, ny, nz, dice_turn(&dice));
    shake(&twin, &dice, 0.03);
    solid_set_spin(&twin, (ThawVec3){0.02, -0.01, 0.03}, (ThawVec3){0.01, 0.02, 0.03});
    return twin;
}

#endif
