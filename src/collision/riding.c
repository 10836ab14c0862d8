// Riders: what is frozen to bodies. Chunks of riders keep sums for each body, which are added in chunk order.
#include "collision/riding.h"

#include "base/memory.h"
#include "base/result.h"

#include <string.h>

#define CHUNK 256u
#define NOBODY UINT32_MAX

typedef struct Ride {
    ThawWalls *walls;
    const ThawWallStep *step;
    ThawRidingMoment moment;
    float *velocity;
    double scale; // m/s a cell, as velocities are made from moves
    void (*visit)(const struct Ride *ride, ThawRider *rider, ThawCouplingSum *sum);
} Ride;

// ---------------------------------------------------------------- begin

static uint32_t find_body(const ThawWalls *walls, uint32_t collider) {
    const ThawCoupling *coupling = walls->coupling;
    for (uint32_t k = 0; k < coupling->count; k++) {
        if (walls->obstacles[coupling->bodies[k].obstacle].collider == collider) return k;
    }
    return NOBODY;
}

// which is no motion
static void take_along(const ThawCoupled *body, const ThawDomain *domain, int64_t cells[3]) {
    const ThawRigid *rigid = body->rigid;
    ThawQuat turn = thaw_quat_mul(body->turn, thaw_quat_conjugate(rigid->turn));
    bool turned = memcmp(&body->turn, &rigid->turn, sizeof turn) != 0;
    if (!turned && memcmp(body->start, rigid->center, sizeof body->start) == 0) return;
    ThawCoupled before = *body;
    memcpy(before.start, rigid->center, sizeof before.start);
    ThawVec3 arm = thaw_coupled_arm(&before, domain, cells);
    ThawVec3 swing = turned ? thaw_sub(thaw_quat_rotate(turn, arm), arm) : thaw_vec(0, 0, 0);
    const double by[3] = {swing.x, swing.y, domain->dimensions == 3 ? swing.z : 0};
    for (int a = 0; a < 3; a++) {
        cells[a] += body->start[a] - rigid->center[a] + thaw_fixed_from(by[a]);
    }
    thaw_domain_wrap(domain, cells);
}

static void mount(const ThawWalls *walls, const ThawWallStep *step, ThawRider *rider) {
    const ThawStore *store = step->store;
    double d = (double)store->spacing[rider->row];
    double volume = step->domain->dimensions == 2 ? d * d : d * d * d;
    rider->mass = (double)step->materials[store->material[rider->row]].density * volume;
    rider->body = find_body(walls, rider->collider);
    if (rider->body == NOBODY) return;
    ThawCoupled *body = &walls->coupling->bodies[rider->body];
    rider->arm = thaw_coupled_arm(body, step->domain, store->cells + 3 * (size_t)rider->row);
    body->laden = true;
    body->ridden_reach = fmax(body->ridden_reach, thaw_length(rider->arm) + d / step->domain->cell);
}

ThawResult thaw_riding_begin(ThawWalls *walls, const ThawWallStep *step) {
    ThawCoupling *coupling = walls->coupling;
    if (step->rider_count == 0) return THAW_OK;
    size_t chunks = thaw_chunk_count(step->rider_count, CHUNK);
    size_t bytes = (chunks * coupling->count + 1) * sizeof *coupling->rides;
    if (!thaw_scratch((void **)&coupling->rides, &coupling->rides_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    for (uint32_t k = 0; k < step->rider_count; k++) mount(walls, step, &step->riders[k]);
    return THAW_OK;
}

void thaw_riding_follow(ThawWalls *walls, const ThawWallStep *step) {
    for (uint32_t k = 0; k < step->rider_count; k++) {
        ThawRider *rider = &step->riders[k];
        if (rider->body == NOBODY) continue;
        const ThawCoupled *body = &walls->coupling->bodies[rider->body];
        int64_t *cells = step->store->cells + 3 * (size_t)rider->row;
        take_along(body, step->domain, cells);
        rider->arm = thaw_coupled_arm(body, step->domain, cells);
    }
}

// ---------------------------------------------------------------- sums

static ThawCouplingSum *open_rides(const Ride *ride, uint32_t chunk) {
    ThawCoupling *coupling = ride->walls->coupling;
    ThawCouplingSum *sums = coupling->rides + (size_t)chunk * coupling->count;
    memset(sums, 0, coupling->count * sizeof *sums);
    return sums;
}

// adds what a visit to each rider says to its body's sum
static void visit_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Ride *ride = context;
    ThawCouplingSum *sums = open_rides(ride, chunk);
    ThawRange range = thaw_chunk_range(chunk, ride->step->rider_count, CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        ThawRider *rider = &ride->step->riders[k];
        if (rider->body != NOBODY) ride->visit(ride, rider, &sums[rider->body]);
    }
}

static void visit_riders(const Ride *ride) {
    thaw_parallel_run(ride->step->parallel, visit_chunk, (void *)ride,
                      thaw_chunk_count(ride->step->rider_count, CHUNK));
}

// from the body's centre at the end
static ThawVec3 turned_arm(const ThawCoupled *body, const ThawRider *rider) {
    ThawVec3 turn = {body->pose[3], body->pose[4], body->pose[5]};
    return thaw_quat_rotate(thaw_quat_turn(turn, thaw_length(turn)), rider->arm);
}

// how far the pose takes a rider
static ThawVec3 carry(const ThawCoupled *body, const ThawRider *rider, ThawVec3 now) {
    ThawVec3 move = {body->pose[0], body->pose[1], body->pose[2]};
    return thaw_add(move, thaw_sub(now, rider->arm));
}

// the lower triangle of m JᵀJ, J = (1, −[r]×)
static void add_mass(ThawCouplingSum *sum, double m, ThawVec3 r) {
    double *row = sum->matrix; // rows begin at 0, 1, 3, 6, 10 and 15
    row[0] += m, row[2] += m, row[5] += m;
    row[7] -= m * r.z, row[8] += m * r.y;
    row[10] += m * r.z, row[12] -= m * r.x;
    row[15] -= m * r.y, row[16] += m * r.x;
    row[9] += m * (r.y * r.y + r.z * r.z);
    row[13] -= m * r.x * r.y, row[14] += m * (r.x * r.x + r.z * r.z);
    row[18] -= m * r.x * r.z, row[19] -= m * r.y * r.z, row[20] += m * (r.x * r.x + r.y * r.y);
}

static void add_push(ThawCouplingSum *sum, ThawVec3 arm, ThawVec3 impulse) {
    ThawVec3 turn = thaw_cross(arm, impulse);
    const double j[6] = {impulse.x, impulse.y, impulse.z, turn.x, turn.y, turn.z};
    for (int a = 0; a < 6; a++) sum->push[a] += j[a];
}

static void gather_rider(const Ride *ride, ThawRider *rider, ThawCouplingSum *sum) {
    const ThawCoupled *body = &ride->walls->coupling->bodies[rider->body];
    ThawVec3 shift = thaw_wall_shift(ride->step, rider->row), now = turned_arm(body, rider);
    ThawVec3 arm = rider->arm, beside = thaw_vec(0, 0, 0);
    // what is lost is the world's to find
    if (!(thaw_length(shift) < (double)THAW_WALL_FARTHEST)) {
        rider->body = NOBODY;
        return;
    }
    if (ride->moment == THAW_RIDING_POSE) {
        beside = carry(body, rider, now);
    } else if (ride->moment == THAW_RIDING_SLIP) {
        // a chord is a turn about the middle of the way
        beside = thaw_motion_at(body->slip, thaw_scale(thaw_add(arm, now), 0.5));
    } else {
        arm = now;
    }
    add_mass(sum, rider->mass, now);
    add_push(sum, arm, thaw_scale(thaw_sub(shift, beside), rider->mass));
}

void thaw_riding_gather(ThawWalls *walls, const ThawWallStep *step, ThawRidingMoment moment) {
    Ride ride = {.walls = walls, .step = step, .moment = moment, .visit = gather_rider};
    visit_riders(&ride);
}

void thaw_riding_add(const ThawWalls *walls, const ThawWallStep *step, uint32_t body,
                     double matrix[36], double push[6]) {
    const ThawCoupling *coupling = walls->coupling;
    uint32_t chunks = thaw_chunk_count(step->rider_count, CHUNK);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        thaw_coupling_sum_add(&coupling->rides[(size_t)chunk * coupling->count + body], matrix,
                              push);
    }
}

// ---------------------------------------------------------------- where they go

static void place_rider(const Ride *ride, ThawRider *rider, ThawCouplingSum *sum) {
    const ThawCoupled *body = &ride->walls->coupling->bodies[rider->body];
    ThawVec3 before = thaw_wall_shift(ride->step, rider->row);
    ThawVec3 to = carry(body, rider, turned_arm(body, rider));
    if (ride->step->domain->dimensions == 2) to.z = 0;
    thaw_wall_move(ride->step, rider->row, to);
    // as it was rounded
    ThawVec3 taken = thaw_sub(before, thaw_wall_shift(ride->step, rider->row));
    add_push(sum, rider->arm, thaw_scale(taken, rider->mass));
}

void thaw_riding_place(ThawWalls *walls, const ThawWallStep *step) {
    ThawCoupling *coupling = walls->coupling;
    Ride ride = {.walls = walls, .step = step, .visit = place_rider};
    visit_riders(&ride);
    for (uint32_t k = 0; k < coupling->count; k++) {
        double none[36] = {0};
        ThawCoupled *body = &coupling->bodies[k];
        if (body->laden) thaw_riding_add(walls, step, k, none, body->ridden);
    }
}

// ---------------------------------------------------------------- how fast they are

static void spread_rider(const Ride *ride, ThawRider *rider, ThawCouplingSum *sum) {
    const ThawCoupled *body = &ride->walls->coupling->bodies[rider->body];
    ThawVec3 now = turned_arm(body, rider), motion = thaw_motion_at(body->u, now);
    float *velocity = ride->velocity + 3 * (size_t)rider->row;
    const double way[3] = {motion.x, motion.y, ride->step->domain->dimensions == 3 ? motion.z : 0};
    double kept[3];
    for (int a = 0; a < 3; a++) {
        velocity[a] = (float)(way[a] * ride->scale);
        kept[a] = (double)velocity[a] / ride->scale;
    }
    add_push(sum, now, thaw_scale(thaw_vec(kept[0], kept[1], kept[2]), rider->mass));
}

void thaw_riding_spread(ThawWalls *walls, const ThawWallStep *step, float *velocity) {
    double factor = (double)(float)(step->dt / step->domain->cell);
    Ride ride = {.walls = walls,
                 .step = step,
                 .velocity = velocity,
                 .scale = 1 / factor,
                 .visit = spread_rider};
    visit_riders(&ride);
}
