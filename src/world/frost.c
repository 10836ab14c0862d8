#include "world/frost.h"
#include "lattice/state.h"
#include "models/heat_state.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"

#include <string.h>

// ---------------------------------------------------------------- who

static int32_t *find_frost(const ThawWorld *world) {
    return world->def.heat.on ? thaw_thermal_state(world->store).frost : NULL;
}

uint32_t thaw_frost_count(ThawWorld *world) {
    int32_t *frost = find_frost(world);
    uint32_t count = 0;
    for (uint32_t row = 0; frost != NULL && row < world->store->count; row++) {
        if (frost[row] == 0) continue;
        bool solid = world->store->state[row] == THAW_STATE_SOLID;
        const ThawCollider *holder =
            thaw_world_collider(world, (ThawColliderId){(uint32_t)frost[row]});
        if (!solid || holder == NULL || !holder->frosts) frost[row] = 0;
        count += frost[row] != 0;
    }
    return count;
}

void thaw_frost_forget(ThawWorld *world, ThawColliderId collider) {
    int32_t *frost = find_frost(world);
    for (uint32_t row = 0; frost != NULL && row < world->store->count; row++) {
        if (frost[row] == (int32_t)collider.value) frost[row] = 0;
    }
}

void thaw_frost_set_velocity(ThawWorld *world, ThawColliderId collider) {
    const int32_t *frost = find_frost(world);
    const ThawRigid *rigid = thaw_world_collider(world, collider)->rigid;
    for (uint32_t row = 0; frost != NULL && row < world->store->count; row++) {
        if (frost[row] != (int32_t)collider.value) continue;
        double arm[3];
        for (int a = 0; a < 3; a++) {
            int64_t way = world->store->cells[3 * (size_t)row + (size_t)a] - rigid->center[a];
            way = thaw_emission_shorten(&world->domain, a, way);
            arm[a] = thaw_fixed_cells(way) * world->domain.cell;
        }
        ThawVec3 speed = thaw_cross(rigid->spin, thaw_vec(arm[0], arm[1], arm[2]));
        float *velocity = &world->store->velocity[3 * (size_t)row];
        velocity[0] = (float)(rigid->velocity.x + speed.x);
        velocity[1] = (float)(rigid->velocity.y + speed.y);
        velocity[2] = (float)(rigid->velocity.z + speed.z);
    }
}

// ---------------------------------------------------------------- how colliders move

static bool is_same(const ThawPose *a, const ThawPose *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && a->rotation.x == b->rotation.x &&
           a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

static void set_end(ThawFrostCarry *carry, ThawPose end) {
    ThawQuat p = carry->begin.rotation, q = end.rotation;
    carry->end = end;
    carry->turn = thaw_quat_mul(q, thaw_quat_conjugate(p));
    carry->moves = !is_same(&carry->begin, &end);
    carry->turns = p.x != q.x || p.y != q.y || p.z != q.z || p.w != q.w;
}

static ThawResult find_carry(ThawWorld *world, ThawCollider *collider, double time, double dt,
                             ThawFrostCarry *carry) {
    *carry = (ThawFrostCarry){0};
    if (!collider->frosts) return THAW_OK;
    // what is frozen to a body rides, or stands still while no time passes
    if (collider->rigid != NULL) return THAW_OK;
    carry->begin = thaw_collider_pose(collider, time);
    set_end(carry, thaw_collider_pose(collider, time + dt));
    if (collider->deform == NULL) return THAW_OK;
    return thaw_deform_prepare(collider->deform, time, time + dt, world->parallel);
}

static ThawResult find_carries(ThawWorld *world, double time, double dt) {
    ThawFrost *frost = &world->frost;
    size_t bytes = world->collider_count * sizeof *frost->carries;
    void *block = frost->carries;
    bool fits = thaw_scratch(&block, &frost->carries_bytes, bytes);
    frost->carries = block;
    if (!fits) return thaw_fail_memory(bytes);
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < world->collider_count && result == THAW_OK; k++) {
        result = find_carry(world, &world->colliders[k], time, dt, &frost->carries[k]);
    }
    return result;
}

// ---------------------------------------------------------------- how rows move

// m, from the collider's position when the substep begins; the short way on periodic axes
static ThawVec3 find_arm(const ThawDomain *domain, const ThawPose *pose, const int64_t *cells) {
    const double position[3] = {pose->position.x, pose->position.y, pose->position.z};
    double arm[3];
    for (int a = 0; a < 3; a++) {
        double far = fmin(fmax(position[a] / domain->cell, -4194304.0), 4194304.0);
        int64_t way = thaw_emission_shorten(domain, a, cells[a] - thaw_fixed_from(far));
        arm[a] = thaw_fixed_cells(way) * domain->cell;
    }
    return thaw_vec(arm[0], arm[1], arm[2]);
}

// m, how far a row goes with its collider
static ThawVec3 find_way(const ThawWorld *world, const ThawFrostCarry *carry,
                         const ThawDeform *deform, const int64_t *cells) {
    ThawVec3 way = thaw_sub(carry->end.position, carry->begin.position);
    if (!carry->turns && deform == NULL) return way;
    ThawVec3 arm = find_arm(&world->domain, &carry->begin, cells);
    way = thaw_add(way, thaw_sub(thaw_quat_rotate(carry->turn, arm), arm));
    if (deform == NULL) return way;
    ThawVec3 local = thaw_quat_rotate(thaw_quat_conjugate(carry->begin.rotation), arm);
    ThawVec3 own = thaw_deform_motion(deform, local, THAW_MOMENT_BEGIN);
    return thaw_add(way, thaw_quat_rotate(carry->end.rotation, own));
}

static void set_move(const ThawWorld *world, ThawHeldMove *move, uint32_t collider) {
    const ThawDomain *domain = &world->domain;
    const ThawFrostCarry *carry = &world->frost.carries[collider];
    const ThawDeform *deform = world->colliders[collider].deform;
    move->shift[0] = move->shift[1] = move->shift[2] = 0;
    if (!carry->moves && deform == NULL) return;
    ThawVec3 way = find_way(world, carry, deform, &world->store->cells[3 * (size_t)move->row]);
    move->shift[0] = (float)(way.x / domain->cell);
    move->shift[1] = (float)(way.y / domain->cell);
    if (domain->dimensions == 3) move->shift[2] = (float)(way.z / domain->cell);
}

// the collider's index; it is there
static uint32_t find_collider(const ThawWorld *world, int32_t frost) {
    return (uint32_t)(thaw_world_collider(world, (ThawColliderId){(uint32_t)frost}) -
                      world->colliders);
}

static ThawResult reserve_riders(ThawFrost *frost, uint32_t frozen) {
    size_t bytes = (size_t)frozen * sizeof *frost->riders;
    void *block = frost->riders;
    bool fits = thaw_scratch(&block, &frost->riders_bytes, bytes);
    frost->riders = block;
    return fits ? THAW_OK : thaw_fail_memory(bytes);
}

static void add_row(ThawWorld *world, uint32_t row, uint32_t collider, bool rides) {
    ThawFrost *frost = &world->frost;
    world->held_block[row] = rides ? THAW_HELD_RIDES : 1;
    if (rides) {
        frost->riders[frost->rider_count++] = (ThawRider){.row = row, .collider = collider};
        return;
    }
    ThawHeldMove *move = &world->held_moves[world->held_count++];
    move->row = row;
    set_move(world, move, collider);
}

ThawResult thaw_frost_aim(ThawWorld *world, uint32_t frozen, double time, double dt) {
    const int32_t *frost = find_frost(world);
    ThawResult result = find_carries(world, time, dt);
    if (result == THAW_OK) result = reserve_riders(&world->frost, frozen);
    if (frost == NULL || result != THAW_OK) return result;
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (frost[row] == 0 || world->held_block[row] != 0) continue;
        uint32_t collider = find_collider(world, frost[row]);
        add_row(world, row, collider, dt > 0 && world->colliders[collider].rigid != NULL);
    }
    return THAW_OK;
}

void thaw_frost_release(ThawWorld *world) {
    thaw_free(world->frost.carries);
    thaw_free(world->frost.riders);
    thaw_free(world->frost.lags);
}

// ---------------------------------------------------------------- riders, while models aim

bool thaw_frost_settles(const ThawWorld *world) {
    ThawLatticeState state = thaw_lattice_state(world->store);
    for (uint32_t row = 0; state.misfit != NULL && row < world->store->count; row++) {
        if (thaw_lattice_settles(&state, row)) return true;
    }
    return false;
}

ThawResult thaw_frost_keep_lags(ThawWorld *world) {
    const float *lag = thaw_lattice_state(world->store).lag;
    ThawFrost *frost = &world->frost;
    size_t bytes = lag == NULL ? 0 : 3 * sizeof *lag * world->store->count;
    void *block = frost->lags;
    bool fits = bytes == 0 || thaw_scratch(&block, &frost->lags_bytes, bytes);
    frost->lags = block;
    if (!fits) return thaw_fail_memory(bytes);
    if (bytes > 0) memcpy(frost->lags, lag, bytes);
    return THAW_OK;
}

void thaw_frost_restore_lags(ThawWorld *world, bool all) {
    float *lag = thaw_lattice_state(world->store).lag;
    const ThawFrost *frost = &world->frost;
    if (lag == NULL) return;
    if (all) {
        memcpy(lag, frost->lags, 3 * sizeof *lag * world->store->count);
        return;
    }
    for (uint32_t k = 0; k < frost->rider_count; k++) {
        size_t first = 3 * (size_t)frost->riders[k].row;
        memcpy(&lag[first], &frost->lags[first], 3 * sizeof *lag);
    }
}
