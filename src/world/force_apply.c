// Forces on all particles and dynamic colliders.
//
// Every row by itself, in double precision: nothing depends on the order of rows or on who works on them.
#include "world/buoyancy.h"
#include "world/force_field.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "lattice/state.h"
#include "math/vec.h"

#include <string.h>

#define ROW_CHUNK 512u
#define INSIDE 0.1       // of a wind's drag: what matter takes that is not free to the air
#define COVERED (-0.05)  // C above which a particle is inside
#define FREE (-0.15)     // C below which it is free to the air
#define OPEN_SHELL 0.25  // vacant share of its sites with which a solid's particle is free
#define BALL_RADIUS 0.62 // of a ball over the edge of a cube as large

// ---------------------------------------------------------------- forces of a
// stretch of time

// A pass over all rows.
typedef struct Job {
    ThawWorld *world;
    const ThawForceField *fields;
    uint32_t count;
    double dt;                // s
    double sign;              // of a kick: −1 takes back
    bool measured;            // drag: density_error is of this substep
    ThawLatticeState lattice; // drag
    ThawForceBound *bounds;   // bound: one a chunk
    double depth;             // bound: of all the matter as a ball, m
} Job;

// the forces that act from `time` to time + dt, but those that are like gravity
static ThawResult make_ready(ThawWorld *world, double time, double dt, Job *job) {
    *job = (Job){.world = world, .dt = dt, .sign = 1};
    size_t bytes = world->force_count * sizeof(ThawForceField);
    if (bytes == 0) return THAW_OK;
    if (!thaw_scratch((void **)&world->force_fields, &world->force_fields_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    for (uint32_t k = 0; k < world->force_count; k++) {
        if (thaw_force_is_even(&world->forces[k].def)) continue;
        ThawForceField field = thaw_force_field(world, &world->forces[k], time, dt);
        if (field.share != 0) world->force_fields[job->count++] = field;
    }
    job->fields = world->force_fields;
    return THAW_OK;
}

static bool is_wind(const ThawForceField *field) {
    return field->def->kind == THAW_FORCE_WIND;
}

// keeps the winds, or all others
static void keep(Job *job, bool winds) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < job->count; k++) {
        if (is_wind(&job->fields[k]) != winds) continue;
        job->world->force_fields[kept++] = job->fields[k];
    }
    job->count = kept;
}

static void run(Job *job, ThawTask *task) {
    uint32_t chunks = thaw_chunk_count(job->world->store->count, ROW_CHUNK);
    thaw_parallel_run(job->world->parallel, task, job, chunks);
}

static ThawVec3 find_point(const ThawDomain *domain, const int64_t cells[3]) {
    return thaw_vec(thaw_fixed_cells(cells[0]) * domain->cell,
                    thaw_fixed_cells(cells[1]) * domain->cell,
                    thaw_fixed_cells(cells[2]) * domain->cell);
}

// materials count from 1 to a force
static bool reaches_row(const Job *job, const ThawForceField *field, uint32_t row) {
    const ThawStore *store = job->world->store;
    return thaw_field_reaches(field, &store->cells[3 * (size_t)row], store->material[row] + 1u);
}

void thaw_forces_gravity(const ThawWorld *world, double time, double dt, double gravity[3]) {
    ThawVec3 sum = world->def.gravity;
    for (uint32_t k = 0; k < world->force_count; k++) {
        if (!thaw_force_is_even(&world->forces[k].def)) continue;
        ThawForceField field = thaw_force_field(world, &world->forces[k], time, dt);
        sum = thaw_add(sum, thaw_field_push(&field, NULL, sum));
    }
    gravity[0] = sum.x;
    gravity[1] = sum.y;
    gravity[2] = sum.z;
}

// ----------------------------------------------------------------
// accelerations

// adds what one force does to the rows of a chunk
static void add_pushes(const Job *job, const ThawForceField *field, ThawRange range,
                       ThawVec3 *sums) {
    ThawNoiseCache cache;
    const ThawWorld *world = job->world;
    if (field->def->kind == THAW_FORCE_TURBULENCE) memset(&cache, 0, sizeof cache);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (!reaches_row(job, field, row)) continue;
        ThawVec3 point = find_point(&world->domain, &world->store->cells[3 * (size_t)row]);
        ThawVec3 *sum = &sums[row - range.begin];
        *sum = thaw_add(*sum, thaw_field_push(field, &cache, point));
    }
}

static void kick_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    ThawStore *store = job->world->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, ROW_CHUNK);
    ThawVec3 sums[ROW_CHUNK];
    memset(sums, 0, sizeof sums);
    for (uint32_t k = 0; k < job->count; k++) add_pushes(job, &job->fields[k], range, sums);
    double time = job->sign * job->dt;
    for (uint32_t row = range.begin; row < range.end; row++) {
        const ThawVec3 *push = &sums[row - range.begin];
        float *v = &store->velocity[3 * (size_t)row];
        v[0] += (float)(push->x * time);
        v[1] += (float)(push->y * time);
        v[2] += (float)(push->z * time);
    }
}

// bodies feel forces at their centres, as no material
static void kick_bodies(const Job *job) {
    ThawWorld *world = job->world;
    for (uint32_t c = 0; c < world->collider_count; c++) {
        ThawRigid *rigid = world->colliders[c].rigid;
        if (rigid == NULL) continue;
        ThawVec3 point = find_point(&world->domain, rigid->center);
        for (uint32_t k = 0; k < job->count; k++) {
            const ThawForceField *field = &job->fields[k];
            ThawNoiseCache cache;
            if (!thaw_field_reaches(field, rigid->center, 0)) continue;
            if (field->def->kind == THAW_FORCE_TURBULENCE) memset(&cache, 0, sizeof cache);
            ThawVec3 push = thaw_field_push(field, &cache, point);
            rigid->velocity = thaw_add(rigid->velocity, thaw_scale(push, job->sign * job->dt));
        }
        if (world->def.dimensions == 2) rigid->velocity.z = 0;
    }
}

ThawResult thaw_forces_kick(ThawWorld *world, double time, double dt, double sign, bool *changed) {
    Job job;
    ThawResult result = make_ready(world, time, dt, &job);
    *changed = false;
    if (result != THAW_OK) return result;
    double gravity[3];
    thaw_forces_gravity(world, time, dt, gravity);
    *changed = thaw_buoyancy_kick(world, gravity, sign * dt);
    keep(&job, false);
    if (job.count == 0) return THAW_OK;
    job.sign = sign;
    run(&job, kick_chunk);
    kick_bodies(&job);
    *changed = true;
    return THAW_OK;
}

// ---------------------------------------------------------------- wind

// how much of a wind a row takes: liquids by what their density lacks, solids by their vacant sites
static double find_exposure(const Job *job, uint32_t row) {
    const ThawStore *store = job->world->store;
    double open = 1;
    bool bonded = job->lattice.sites != NULL && store->state[row] == THAW_STATE_SOLID &&
                  job->lattice.sites[row] >= 0;
    if (bonded) {
        double count = job->world->def.dimensions == 3 ? 12 : 6, taken = 0;
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            taken += ((uint32_t)job->lattice.sites[row] & THAW_SITE_OCCUPIED(s)) != 0;
        }
        open = (1 - taken / count) / OPEN_SHELL;
    } else if (job->measured) {
        open = ((double)store->density_error[row] - COVERED) / (FREE - COVERED);
    }
    return INSIDE + (1 - INSIDE) * fmin(fmax(open, 0), 1);
}

// Winds together: the sum of their drags, and the velocity that they drag to.
typedef struct Drag {
    double rate; // 1/s
    ThawVec3 pull;
} Drag;

static void add_wind(Drag *drag, const ThawForceField *field) {
    double rate = field->share * field->def->drag;
    drag->rate += rate;
    drag->pull = thaw_add(drag->pull, thaw_scale(field->direction, rate * field->def->strength));
}

// the velocity's exact way towards the wind's: no step overshoots, and two are as one twice as long
static ThawVec3 blow(const Drag *drag, double exposure, double dt, ThawVec3 v) {
    if (!(drag->rate > 0)) return v;
    double taken = -expm1(-drag->rate * exposure * dt);
    ThawVec3 wind = thaw_scale(drag->pull, 1 / drag->rate);
    return thaw_add(v, thaw_scale(thaw_sub(wind, v), taken));
}

static void drag_row(const Job *job, uint32_t row) {
    ThawWorld *world = job->world;
    Drag drag = {0};
    for (uint32_t k = 0; k < job->count; k++) {
        if (reaches_row(job, &job->fields[k], row)) add_wind(&drag, &job->fields[k]);
    }
    if (!(drag.rate > 0)) return;
    float *v = &world->store->velocity[3 * (size_t)row];
    ThawVec3 now = thaw_vec((double)v[0], (double)v[1], (double)v[2]);
    now = blow(&drag, find_exposure(job, row), job->dt, now);
    v[0] = (float)now.x;
    v[1] = (float)now.y;
    v[2] = (float)now.z;
}

static void drag_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    const uint8_t *held = job->world->fixed;
    ThawRange range = thaw_chunk_range(chunk, job->world->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (held == NULL || held[row] == 0) drag_row(job, row);
    }
}

static void drag_bodies(const Job *job) {
    ThawWorld *world = job->world;
    for (uint32_t c = 0; c < world->collider_count; c++) {
        ThawRigid *rigid = world->colliders[c].rigid;
        if (rigid == NULL) continue;
        Drag drag = {0};
        for (uint32_t k = 0; k < job->count; k++) {
            bool reached = thaw_field_reaches(&job->fields[k], rigid->center, 0);
            if (reached) add_wind(&drag, &job->fields[k]);
        }
        rigid->velocity = blow(&drag, 1, job->dt, rigid->velocity);
    }
}

ThawResult thaw_forces_drag(ThawWorld *world, double time, double dt, bool measured) {
    Job job;
    ThawResult result = make_ready(world, time, dt, &job);
    if (result != THAW_OK) return result;
    keep(&job, true);
    if (job.count == 0) return THAW_OK;
    job.measured = measured;
    job.lattice = thaw_lattice_state(world->store);
    run(&job, drag_chunk);
    drag_bodies(&job);
    return THAW_OK;
}

// ---------------------------------------------------------------- how much
// they may do

// over what depth a force presses: turbulence over an eddy, a vortex by its inflow
static double find_reach(const Job *job, const ThawForceField *field) {
    const ThawForceDef *def = field->def;
    if (def->kind == THAW_FORCE_TURBULENCE) {
        return fmin(job->depth, 1 / field->noise.octave[0].scale[0]);
    }
    if (def->kind != THAW_FORCE_VORTEX) return job->depth;
    double inflow = fabs(def->inflow);
    return job->depth * inflow / sqrt(1 + inflow * inflow);
}

// what forces may do to something at a place with a velocity
static ThawForceBound find_bound(const Job *job, const int64_t cells[3], ThawVec3 velocity,
                                 uint32_t material) {
    ThawForceBound bound = {0, 0};
    ThawVec3 point = find_point(&job->world->domain, cells), move = thaw_scale(velocity, job->dt);
    Drag drag = {0};
    for (uint32_t k = 0; k < job->count; k++) {
        const ThawForceField *field = &job->fields[k];
        if (!thaw_field_reaches(field, cells, material)) continue;
        if (is_wind(field)) {
            add_wind(&drag, field);
            continue;
        }
        double most = thaw_field_most(field, point, move);
        bound.speed += most * job->dt;
        bound.press += most * find_reach(job, field);
    }
    bound.speed += thaw_length(blow(&drag, 1, job->dt, thaw_vec(0, 0, 0)));
    return bound;
}

static void raise_bound(ThawForceBound *bound, const ThawForceBound *other) {
    bound->speed = fmax(bound->speed, other->speed);
    bound->press = fmax(bound->press, other->press);
}

static void bound_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    const ThawStore *store = job->world->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, ROW_CHUNK);
    ThawForceBound most = {0, 0};
    for (uint32_t row = range.begin; row < range.end; row++) {
        const float *v = &store->velocity[3 * (size_t)row];
        ThawVec3 velocity = thaw_vec((double)v[0], (double)v[1], (double)v[2]);
        ThawForceBound one =
            find_bound(job, &store->cells[3 * (size_t)row], velocity, store->material[row] + 1u);
        raise_bound(&most, &one);
    }
    job->bounds[chunk] = most;
}

static void bound_bodies(const Job *job, ThawForceBound *bound) {
    const ThawWorld *world = job->world;
    for (uint32_t c = 0; c < world->collider_count; c++) {
        const ThawRigid *rigid = world->colliders[c].rigid;
        if (rigid == NULL) continue;
        ThawForceBound one = find_bound(job, rigid->center, rigid->velocity, 0);
        bound->speed = fmax(bound->speed, one.speed);
    }
}

// how deep all the matter is when it is a ball, m
static double find_depth(const ThawWorld *world) {
    double volume = 0;
    const ThawStore *store = world->store;
    for (uint32_t row = 0; row < store->count; row++) {
        double d = (double)store->spacing[row];
        volume += world->def.dimensions == 3 ? d * d * d : d * d;
    }
    return BALL_RADIUS * pow(volume, 1.0 / world->def.dimensions);
}

// the same of what thermal expansion does
static ThawForceBound bound_lift(const ThawWorld *world, double time, double dt) {
    double most = thaw_buoyancy_most(world), g[3];
    if (!(most > 0)) return (ThawForceBound){0, 0};
    thaw_forces_gravity(world, time, dt, g);
    double pull = most * thaw_length(thaw_vec(g[0], g[1], g[2]));
    return (ThawForceBound){pull * dt, pull * find_depth(world)};
}

ThawResult thaw_forces_bound(ThawWorld *world, double time, double dt, ThawForceBound *bound) {
    Job job;
    *bound = (ThawForceBound){0, 0};
    ThawResult result = make_ready(world, time, dt, &job);
    if (result != THAW_OK) return result;
    ThawForceBound lift = bound_lift(world, time, dt);
    *bound = lift;
    if (job.count == 0) return THAW_OK;
    uint32_t chunks = thaw_chunk_count(world->store->count, ROW_CHUNK);
    size_t bytes = chunks * sizeof(ThawForceBound);
    if (!thaw_scratch(&world->tally, &world->tally_bytes, bytes)) return thaw_fail_memory(bytes);
    job.bounds = world->tally;
    job.depth = find_depth(world);
    run(&job, bound_chunk);
    for (uint32_t k = 0; k < chunks; k++) raise_bound(bound, &job.bounds[k]);
    bound_bodies(&job, bound);
    bound->speed += lift.speed;
    bound->press += lift.press;
    return THAW_OK;
}
