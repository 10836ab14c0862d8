// Matter that freezes to walls which frost.
//
// A wall is a neighbour like a layer of solids: liquid that touches it and has solids beside it freezes to both. Where
// there are none yet, some particle begins now and then, with its closest rows (in 3D its (111) planes) along the wall;
// the lattice then grows from it over the wall, so that frost is a crystal and not a heap of grains. Solids that lie
// still on the wall freeze to it in the same way.
#include "models/thermal/change.h"

#include "base/memory.h"
#include "base/result.h"
#include "collision/warm.h"
#include "math/random.h"

#include <math.h>
#include <string.h>
#include <thaw/body.h>

#define TOUCHING 0.75  // spacings: what is nearer to a wall touches it
#define AT_REST 20.0   // D a second: matter that is slower is at rest, unless the material says
#define SOLID_REST 2.0 // the same of solids
#define BEGIN_RATE 2.0 // 1/s: how readily a lattice begins, and a solid sticks

bool thaw_change_frosts(const ThawStep *step) {
    for (uint32_t k = 0; k < step->wall_step->collider_count; k++) {
        if (step->wall_step->colliders[k].frosts) return true;
    }
    return false;
}

// ---------------------------------------------------------------- who touches what

static void note_touch(void *context, uint32_t row, const ThawWarmFace *faces, int count) {
    const ThawChangeRound *round = context;
    const ThawStep *step = round->step;
    const ThawWallStep *walls = step->wall_step;
    ThawTouch *touch = &round->changes->touches[row];
    double near = TOUCHING * (double)step->store->spacing[row] / step->domain->cell;
    for (int k = 0; k < count; k++) {
        const ThawWarmFace *face = &faces[k];
        if (!walls->colliders[face->collider].frosts || face->distance > near) continue;
        double slip2 = 0, speed = step->domain->cell / step->dt;
        const double motion[3] = {face->motion.x, face->motion.y, face->motion.z};
        for (size_t a = 0; a < 3; a++) {
            double slip = (double)step->store->velocity[3 * (size_t)row + a] - motion[a] * speed;
            slip2 += slip * slip;
        }
        *touch = (ThawTouch){.handle = (int32_t)walls->colliders[face->collider].handle,
                             .normal = {face->normal.x, face->normal.y, face->normal.z},
                             .slip = sqrt(slip2)};
        return;
    }
}

ThawResult thaw_change_touch(ThawChangeRound *round) {
    ThawChanges *changes = round->changes;
    const ThawStep *step = round->step;
    round->frosts = round->heat.frost != NULL && thaw_change_frosts(step);
    if (!round->frosts) return THAW_OK;
    size_t bytes = step->store->count * sizeof *changes->touches;
    if (!thaw_scratch((void **)&changes->touches, &changes->touches_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    memset(changes->touches, 0, bytes);
    thaw_walls_faces(step->walls, step->wall_step, note_touch, round);
    return THAW_OK;
}

// ---------------------------------------------------------------- at rest

static double rest_speed(const ThawChangeRound *round, uint32_t row) {
    const ThawStore *store = round->step->store;
    double own = (double)round->step->materials[store->material[row]].thermal.freezing_speed;
    if (store->state[row] == THAW_STATE_SOLID) return SOLID_REST * thaw_change_distance(round, row);
    return own > 0 ? own : AT_REST * thaw_change_distance(round, row);
}

int32_t thaw_change_frost_of(const ThawChangeRound *round, uint32_t row) {
    if (!round->frosts) return 0;
    const ThawTouch *touch = &round->changes->touches[row];
    return touch->handle != 0 && touch->slip <= rest_speed(round, row) ? touch->handle : 0;
}

// ---------------------------------------------------------------- where a lattice begins

// the turn that takes a lattice's closest rows, or planes, along a wall
static void turn_along(const double normal[3], int dimensions, float turn[4]) {
    if (dimensions == 2) {
        double half = 0.5 * atan2(-normal[0], normal[1]); // of the wall's own direction
        turn[0] = turn[1] = 0;
        turn[2] = (float)sin(half);
        turn[3] = (float)cos(half);
        return;
    }
    ThawQuat to = thaw_quat_from_z(thaw_vec(normal[0], normal[1], normal[2]));
    ThawQuat from = thaw_quat_from_z(thaw_vec(1, 1, 1)); // carries z to (111)
    ThawQuat q = thaw_quat_normalize(thaw_quat_mul(to, thaw_quat_conjugate(from)));
    turn[0] = (float)q.x;
    turn[1] = (float)q.y;
    turn[2] = (float)q.z;
    turn[3] = (float)q.w;
}

bool thaw_change_begins_on_wall(const ThawChangeRound *round, uint32_t row, ThawBeginning *begin) {
    if (thaw_change_frost_of(round, row) == 0) return false;
    double rate = thaw_change_cold_rate(round, row) > 0 ? BEGIN_RATE : 0;
    if (!thaw_change_happens(round, row, rate, THAW_RANDOM_NUCLEATION)) return false;
    *begin = (ThawBeginning){.row = row};
    turn_along(round->changes->touches[row].normal, round->step->domain->dimensions, begin->turn);
    return true;
}

// ---------------------------------------------------------------- solids that lie on a wall

static void stick_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    const ThawStore *store = round->step->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, THAW_CHANGE_ROWS);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (store->state[row] != THAW_STATE_SOLID || round->heat.frost[row] != 0) continue;
        int32_t handle = thaw_change_frost_of(round, row);
        if (handle == 0 || !(thaw_change_cold_rate(round, row) > 0)) continue;
        if (thaw_change_happens(round, row, BEGIN_RATE, THAW_RANDOM_NUCLEATION)) {
            round->heat.frost[row] = handle;
        }
    }
}

void thaw_change_stick(ThawChangeRound *round) {
    if (!round->frosts) return;
    thaw_parallel_run(round->step->parallel, stick_chunk, round,
                      thaw_chunk_count(round->step->store->count, THAW_CHANGE_ROWS));
}
