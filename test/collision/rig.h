// A store, its working set and walls, stepped by hand without any model: particles fly straight,
// only colliders act on them.
#ifndef TEST_COLLISION_RIG_H
#define TEST_COLLISION_RIG_H

#include "collision/walls.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

#define RIG_CELL 0.25 // m, a power of two: whole cells are exact in metres
#define RIG_SPACING 0.125
#define RIG_CONTACT (0.1 * RIG_SPACING)

typedef struct Rig {
    ThawDomain domain;
    ThawStore *store;
    ThawWork work;
    ThawParallel *parallel;
    ThawWalls *walls;
    ThawMaterial material;
    ThawCollider colliders[8];
    ThawWallStep step;
    float *velocity;
} Rig;

static void rig_open(Rig *rig, int dimensions, uint32_t particles, int threads) {
    memset(rig, 0, sizeof *rig);
    rig->domain = (ThawDomain){.dimensions = dimensions, .cell = RIG_CELL};
    rig->material.density = 1000;
    uint32_t row;
    assert_int_equal(thaw_store_create(&rig->store), THAW_OK);
    assert_int_equal(thaw_store_append(rig->store, particles, 1, 1, &row), THAW_OK);
    assert_int_equal(thaw_work_reserve(&rig->work, particles), THAW_OK);
    assert_int_equal(thaw_parallel_create(threads, NULL, &rig->parallel), THAW_OK);
    assert_int_equal(thaw_walls_create(&rig->walls), THAW_OK);
    rig->work.count = particles;
    rig->velocity = calloc((size_t)particles * 3, sizeof(float));
    for (uint32_t i = 0; i < particles; i++) rig->store->spacing[i] = (float)RIG_SPACING;
    rig->step = (ThawWallStep){.domain = &rig->domain,
                               .store = rig->store,
                               .work = &rig->work,
                               .parallel = rig->parallel,
                               .colliders = rig->colliders,
                               .materials = &rig->material,
                               .kernel = THAW_KERNEL_POLY6,
                               .support = 2,
                               .dt = 0.01};
}

static void rig_close(Rig *rig) {
    for (uint32_t k = 0; k < rig->step.collider_count; k++) {
        thaw_collider_release(&rig->colliders[k]);
    }
    thaw_walls_destroy(rig->walls);
    thaw_parallel_destroy(rig->parallel);
    thaw_work_release(&rig->work);
    thaw_store_destroy(rig->store);
    free(rig->velocity);
}

static ThawCollider *rig_add(Rig *rig, ThawColliderDef def) {
    ThawCollider *collider = &rig->colliders[rig->step.collider_count++];
    assert_int_equal(thaw_collider_check(&def), THAW_OK);
    assert_int_equal(thaw_collider_from(&def, collider), THAW_OK);
    return collider;
}

static void rig_put(Rig *rig, uint32_t row, ThawVec3 position, ThawVec3 velocity) {
    double metres[3] = {position.x, position.y, position.z};
    thaw_domain_fix(&rig->domain, metres, rig->store->cells + 3 * (size_t)row);
    float *v = rig->store->velocity + 3 * (size_t)row;
    v[0] = (float)velocity.x, v[1] = (float)velocity.y, v[2] = (float)velocity.z;
}

static inline ThawVec3 rig_position(const Rig *rig, uint32_t row) {
    const int64_t *c = rig->store->cells + 3 * (size_t)row;
    return thaw_vec(thaw_fixed_cells(c[0]) * RIG_CELL, thaw_fixed_cells(c[1]) * RIG_CELL,
                    thaw_fixed_cells(c[2]) * RIG_CELL);
}

static inline ThawVec3 rig_velocity(const Rig *rig, uint32_t row) {
    const float *v = rig->store->velocity + 3 * (size_t)row;
    return thaw_vec((double)v[0], (double)v[1], (double)v[2]);
}

// gravity and straight flight: velocity, shift and place of every row
static void rig_predict(Rig *rig, ThawVec3 gravity) {
    ThawStore *store = rig->store;
    double g[3] = {gravity.x, gravity.y, gravity.z};
    for (uint32_t i = 0; i < store->count; i++) {
        int32_t place[3];
        for (size_t a = 0; a < 3; a++) {
            size_t at = 3 * (size_t)i + a;
            store->velocity[at] += (float)(g[a] * rig->step.dt);
            rig->work.shift[at] = (float)((double)store->velocity[at] * rig->step.dt / RIG_CELL);
            place[a] =
                thaw_place_from(store->cells[at] + thaw_fixed_from((double)rig->work.shift[at]));
        }
        rig->work.place[i] = (ThawPlace){place[0], place[1], place[2], 0};
    }
}

// the moves become positions, and the velocities those that the walls left
static void rig_accept(Rig *rig) {
    ThawStore *store = rig->store;
    size_t numbers = 3 * (size_t)store->count;
    for (size_t at = 0; at < numbers; at++) {
        rig->velocity[at] = (float)((double)rig->work.shift[at] * RIG_CELL / rig->step.dt);
    }
    thaw_walls_finish(rig->walls, &rig->step, rig->velocity);
    for (size_t at = 0; at < numbers; at++) {
        store->cells[at] += thaw_fixed_from((double)rig->work.shift[at]);
        store->velocity[at] = rig->velocity[at];
    }
    rig->step.time += rig->step.dt;
}

// walls act on an iteration in which no model moved anything
static void rig_correct(Rig *rig) {
    memcpy(rig->work.next, rig->work.place, rig->store->count * sizeof *rig->work.place);
    thaw_walls_correct(rig->walls, &rig->step);
}

static inline void rig_substep(Rig *rig, ThawVec3 gravity) {
    rig_predict(rig, gravity);
    assert_int_equal(thaw_walls_begin(rig->walls, &rig->step), THAW_OK);
    thaw_walls_density(rig->walls, &rig->step);
    rig_correct(rig);
    rig_accept(rig);
}

#endif
