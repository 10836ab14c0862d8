// The twin of contact_turn.c in double precision: what pushes off the line of centres turn is given back by both sides'
// neighbourhoods, one after the other.
#ifndef TEST_SOLID_CONTACT_TWIN_TURN_H
#define TEST_SOLID_CONTACT_TWIN_TURN_H

#include "twin_face.h"

// a grain and those that it is bonded to, where the substep starts
typedef struct TwinHood {
    uint32_t count, member[TWINS];
    double way[TWINS][3]; // from the grain, and then from the centre
    double inertia[3][3];
} TwinHood;

static inline void cross3(const double a[3], const double b[3], double c[3]) {
    for (int k = 0; k < 3; k++) {
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

static inline double triple(const double a[3], const double b[3], const double c[3]) {
    double across[3];
    cross3(b, c, across);
    return dot3(a, across);
}

// whether there is anything that could be turned
static inline bool twin_hood(const Rig *rig, const double (*start)[3], uint32_t i, TwinHood *hood) {
    double center[3] = {0, 0, 0};
    *hood = (TwinHood){.count = 1, .member = {i}};
    if (rig->grains[i].group == 0) return false;
    for (uint32_t j = 0; j < rig->count; j++) {
        if (!are_bonded(&rig->grains[i], &rig->grains[j])) continue;
        twin_offset(rig, start[j], start[i], hood->way[hood->count]);
        hood->member[hood->count++] = j;
    }
    for (uint32_t n = 0; n < hood->count; n++) {
        for (int k = 0; k < 3; k++) center[k] += hood->way[n][k] / hood->count;
    }
    for (uint32_t n = 0; n < hood->count; n++) {
        double *r = hood->way[n];
        for (int k = 0; k < 3; k++) r[k] -= center[k];
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                hood->inertia[a][b] += (a == b ? dot3(r, r) : 0) - r[a] * r[b];
            }
        }
    }
    double(*m)[3] = hood->inertia;
    if (rig->setup.dimensions == 2) return m[2][2] > 0;
    double third = (m[0][0] + m[1][1] + m[2][2]) / 3;
    return triple(m[0], m[1], m[2]) > 1e-3 * third * third * third;
}

// w with inertia w = −turn; in a plane about its normal
static inline void twin_twist(const Rig *rig, const TwinHood *hood, const double turn[3],
                              double w[3]) {
    const double(*m)[3] = hood->inertia;
    memset(w, 0, 3 * sizeof *w);
    if (rig->setup.dimensions == 2) {
        w[2] = -turn[2] / m[2][2];
        return;
    }
    double whole = triple(m[0], m[1], m[2]);
    w[0] = -triple(turn, m[1], m[2]) / whole;
    w[1] = -triple(m[0], turn, m[2]) / whole;
    w[2] = -triple(m[0], m[1], turn) / whole;
}

// Adds the share of grain i in what the push on it from j turns; `move` is of i to j.
static inline void twin_note_turn(const Rig *rig, const double (*start)[3], uint32_t i, uint32_t j,
                                  const double move[3], double turn[3]) {
    static TwinHood hood;
    const Grain *a = &rig->grains[i], *b = &rig->grains[j];
    double from[3], torque[3];
    if (!twin_hood(rig, start, i, &hood)) return;
    double share = twin_hood(rig, start, j, &hood) ? 0.5 : 1;
    twin_offset(rig, start[i], start[j], from);
    cross3(from, move, torque);
    for (int k = 0; k < 3; k++) turn[k] += share * torque[k] / (a->weight + b->weight);
}

// what all grains move when the turns of all are given back
static inline void twin_give_back(const Rig *rig, const double (*start)[3],
                                  const double (*turns)[3], double (*move)[3]) {
    static TwinHood hood;
    for (uint32_t i = 0; i < rig->count; i++) {
        double w[3], force[3];
        if (!(norm3(turns[i]) > 0) || !twin_hood(rig, start, i, &hood)) continue;
        twin_twist(rig, &hood, turns[i], w);
        for (uint32_t n = 0; n < hood.count; n++) {
            uint32_t j = hood.member[n];
            cross3(w, hood.way[n], force);
            for (int k = 0; k < 3; k++) move[j][k] += rig->grains[j].weight * force[k];
        }
    }
}

#endif
