// What emitters and sinks do in a substep: first what goes, then what comes, then the gaps are
// closed.
//
// Everything here is decided by ids, times and places, never by rows, so that the order of rows
// does not matter. The oldest of an emitter's particles are those of the lowest ids.
#include "world/emitters.h"
#include "world/sinks.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "collision/deform.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <string.h>

#define SAME_TIME 1e-6 // substeps: times that differ by less are the same

// ---------------------------------------------------------------- room

ThawResult thaw_emission_marks(ThawWorld *world) {
    ThawEmission *emission = &world->emission;
    size_t rows = (size_t)world->store->count + THAW_STORE_PAD;
    size_t counts = ((size_t)thaw_chunk_count(world->store->count, THAW_MARK_CHUNK) + 1) *
                    sizeof *emission->counts;
    void *marks = emission->marks, *sums = emission->counts;
    bool fits = thaw_scratch(&marks, &emission->marks_bytes, rows) &&
                thaw_scratch(&sums, &emission->counts_bytes, counts);
    emission->marks = marks;
    emission->counts = sums;
    if (!fits) return thaw_fail_memory(rows + counts);
    memset(emission->marks, 0, rows);
    memset(emission->counts, 0, counts);
    return THAW_OK;
}

// closes the gaps; when there is no memory for it, what was killed lives again
static ThawResult close_gaps(ThawWorld *world) {
    ThawStore *store = world->store;
    if (store->dead_count == 0) return THAW_OK;
    ThawResult result = thaw_store_compact(store, world->parallel);
    if (result == THAW_OK) {
        thaw_store_moved(store);
        return THAW_OK;
    }
    memset(store->dead, 0, store->count);
    store->dead_count = 0;
    thaw_store_moved(store);
    return result;
}

// the emitter of a source; NULL when there is none (any more)
static ThawEmitter *emitter_of(const ThawWorld *world, uint64_t source) {
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        if (world->emitters[k].source == source) return &world->emitters[k];
    }
    return NULL;
}

// ---------------------------------------------------------------- ages

typedef struct AgeJob {
    ThawWorld *world;
    float *age;
    float dt;
} AgeJob;

static float *find_ages(const ThawWorld *world) {
    const ThawChannel *channel = thaw_store_channel(world->store, THAW_AGE_CHANNEL);
    bool fits = channel != NULL && channel->type == THAW_F32 && channel->components == 1;
    return fits ? channel->data : NULL;
}

static void grow_older(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const AgeJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->world->store->count, THAW_MARK_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) job->age[row] += job->dt;
}

static void find_old(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const AgeJob *job = context;
    const ThawStore *store = job->world->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, THAW_MARK_CHUNK);
    uint32_t count = 0;
    uint64_t source = 0;
    double life = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (store->id[row] >> THAW_ID_SOURCE_SHIFT != source) {
            source = store->id[row] >> THAW_ID_SOURCE_SHIFT;
            const ThawEmitter *emitter = emitter_of(job->world, source);
            life = emitter == NULL ? 0 : emitter->def.life;
        }
        bool old = life > 0 && (double)job->age[row] >= life && store->dead[row] == 0;
        job->world->emission.marks[row] = old;
        count += old;
    }
    job->world->emission.counts[chunk] = count;
}

static bool any_life(const ThawWorld *world) {
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        if (world->emitters[k].def.life > 0) return true;
    }
    return false;
}

static ThawResult take_old(ThawWorld *world, uint32_t *taken) {
    float *age = find_ages(world);
    uint32_t rows = world->store->count, chunks = thaw_chunk_count(rows, THAW_MARK_CHUNK);
    if (age == NULL || rows == 0 || !any_life(world)) return THAW_OK;
    ThawResult result = thaw_emission_marks(world);
    if (result != THAW_OK) return result;
    AgeJob job = {.world = world, .age = age};
    thaw_parallel_run(world->parallel, find_old, &job, chunks);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        if (world->emission.counts[chunk] == 0) continue;
        ThawRange range = thaw_chunk_range(chunk, rows, THAW_MARK_CHUNK);
        for (uint32_t row = range.begin; row < range.end; row++) {
            if (world->emission.marks[row] == 0) continue;
            thaw_store_kill(world->store, row);
            emitter_of(world, world->store->id[row] >> THAW_ID_SOURCE_SHIFT)->state.died++;
        }
        *taken += world->emission.counts[chunk];
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- numbers

// the living of an emitter as entries of world->order, which has room for all rows
static uint32_t gather_living(ThawWorld *world, const ThawEmitter *emitter) {
    const ThawStore *store = world->store;
    uint32_t count = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        bool own = store->id[row] >> THAW_ID_SOURCE_SHIFT == emitter->source;
        if (own && store->dead[row] == 0) world->order[count++] = (ThawIdRow){store->id[row], row};
    }
    return count;
}

static ThawResult take_surplus(ThawWorld *world, ThawEmitter *emitter, uint32_t *taken) {
    // no more can live than were born
    uint64_t most = emitter->def.most;
    if (most == 0 || emitter->state.born <= most) return THAW_OK;
    ThawResult result = thaw_world_reserve_order(world);
    if (result != THAW_OK) return result;
    uint32_t count = gather_living(world, emitter);
    if (count <= most) return THAW_OK;
    uint32_t surplus = count - (uint32_t)most;
    thaw_order_sort(world->order, world->order + world->store->count, count);
    for (uint32_t k = 0; k < surplus; k++) thaw_store_kill(world->store, world->order[k].row);
    emitter->state.died += surplus;
    *taken += surplus;
    return THAW_OK;
}

// ---------------------------------------------------------------- births

double thaw_emission_room(const ThawWorld *world, ThawVec3 point) {
    double least = INFINITY;
    if (world->def.dimensions == 2) point.z = 0;
    for (uint32_t k = 0; k < world->collider_count; k++) {
        const ThawCollider *collider = &world->colliders[k];
        ThawShape shape = collider->shape;
        shape.pose = collider->rigid != NULL ? thaw_rigid_pose(collider->rigid, shape.pose)
                                             : thaw_collider_pose(collider, world->time);
        if (collider->deform != NULL) shape.field = thaw_deform_field(collider->deform);
        double distance = thaw_shape_distance(&shape, point);
        least = fmin(least, collider->container ? -distance : distance);
    }
    return least;
}

bool thaw_emission_place(const ThawWorld *world, const ThawPose *pose, ThawVec3 local,
                         int64_t cells[3]) {
    const ThawDomain *domain = &world->domain;
    ThawVec3 offset = thaw_quat_rotate(pose->rotation, local);
    const double center[3] = {pose->position.x, pose->position.y, pose->position.z};
    const double metres[3] = {offset.x, offset.y, offset.z};
    for (int a = 0; a < 3; a++) {
        bool far = !(fabs(center[a] / domain->cell) < (double)THAW_CELL_LIMIT) ||
                   !(fabs(metres[a] / domain->cell) < (double)THAW_CELL_LIMIT);
        if (far) return false;
        cells[a] =
            thaw_fixed_from(center[a] / domain->cell) + thaw_fixed_from(metres[a] / domain->cell);
    }
    if (domain->dimensions == 2) cells[2] = 0;
    thaw_domain_wrap(domain, cells);
    return thaw_domain_holds(cells);
}

static void write_value(ThawChannel *channel, const float *value, uint32_t row) {
    size_t first = (size_t)row * channel->components;
    for (uint32_t c = 0; c < channel->components; c++) {
        if (channel->type == THAW_I32)
            ((int32_t *)channel->data)[first + c] = (int32_t)lrintf(value[c]);
        else
            ((float *)channel->data)[first + c] = value[c];
    }
}

ThawResult thaw_emission_append(const ThawEmissionStep *step, ThawEmitter *emitter, uint32_t count,
                                uint32_t *row) {
    ThawWorld *world = step->world;
    ThawStore *store = world->store;
    if (count > THAW_WORLD_PARTICLES - store->count) {
        return thaw_fail(THAW_OUT_OF_MEMORY, "emitter %u: a world holds at most %u particles",
                         emitter->handle, THAW_WORLD_PARTICLES);
    }
    ThawResult result =
        thaw_store_append(store, count, emitter->source, emitter->state.born + 1, row);
    if (result != THAW_OK) return result;
    const ThawEmitterDef *def = &emitter->def;
    for (uint32_t k = *row; k < *row + count; k++) {
        store->spacing[k] = def->spacing;
        store->material[k] = (uint16_t)(def->material.value - 1);
        store->velocity[3 * (size_t)k + 0] = (float)def->velocity.x;
        store->velocity[3 * (size_t)k + 1] = (float)def->velocity.y;
        store->velocity[3 * (size_t)k + 2] = (float)def->velocity.z;
        for (int v = 0; v < def->value_count; v++) {
            ThawChannel *channel = thaw_store_channel(store, def->values[v].channel);
            write_value(channel, def->values[v].value, k);
        }
    }
    thaw_heat_begin_rows(world, *row, count, def->temperature);
    double d = (double)def->spacing;
    emitter->state.born += count;
    emitter->state.volume =
        (double)emitter->state.born * (world->def.dimensions == 3 ? d * d * d : d * d);
    step->report->born += count;
    return THAW_OK;
}

// ---------------------------------------------------------------- the substep

// time of the substep that lies between an emitter's begin and end
static double overlap(const ThawEmissionStep *step, double from, double to) {
    double begin = fmax(step->time, from), end = fmin(step->time + step->dt, to);
    return fmax(end - begin, 0);
}

// Gives rows that leave the opening the velocity that only free ones have.
static void add_velocity(const ThawWorld *world, const ThawEmitter *emitter, uint64_t first,
                         uint32_t count) {
    ThawVec3 more = emitter->def.velocity;
    if (more.x == 0 && more.y == 0 && more.z == 0) return;
    const ThawStore *store = world->store;
    uint64_t base = ((uint64_t)emitter->source << THAW_ID_SOURCE_SHIFT) + first;
    for (uint32_t row = 0; row < store->count; row++) {
        if (store->id[row] - base >= count) continue;
        float *velocity = &store->velocity[3 * (size_t)row];
        velocity[0] = (float)((double)velocity[0] + more.x);
        velocity[1] = (float)((double)velocity[1] + more.y);
        velocity[2] = (float)((double)velocity[2] + more.z);
    }
}

// lets go of the layers that have left the opening
static void let_go(const ThawWorld *world, ThawEmitter *emitter) {
    double free = THAW_COLUMN_FREE * (double)emitter->def.spacing;
    uint32_t count = 0;
    while (count < emitter->site_count && emitter->sites[count].layer + emitter->run >= free) {
        count++;
    }
    if (count == 0) return;
    add_velocity(world, emitter, emitter->state.born - emitter->site_count + 1, count);
    emitter->site_count -= count;
    memmove(emitter->sites, emitter->sites + count, emitter->site_count * sizeof *emitter->sites);
}

static ThawResult emit(const ThawEmissionStep *step, ThawEmitter *emitter) {
    const ThawEmitterDef *def = &emitter->def;
    uint64_t total = def->total;
    if (total > 0 && emitter->state.born >= total) return THAW_OK;
    if (def->kind == THAW_EMITTER_VOLUME) {
        return overlap(step, def->from, def->to) > 0 ? thaw_emission_volume(step, emitter)
                                                     : THAW_OK;
    }
    return thaw_emission_column(step, emitter);
}

static ThawResult come_and_go(const ThawEmissionStep *step, uint32_t *died) {
    ThawWorld *world = step->world;
    uint32_t taken = 0;
    for (uint32_t k = 0; k < world->emitter_count; k++) let_go(world, &world->emitters[k]);
    ThawResult result = thaw_sinks_take(world, step->time + SAME_TIME * step->dt, &taken);
    *died += taken;
    if (result == THAW_OK) result = take_old(world, died);
    for (uint32_t k = 0; k < world->emitter_count && result == THAW_OK; k++) {
        result = emit(step, &world->emitters[k]);
    }
    for (uint32_t k = 0; k < world->emitter_count && result == THAW_OK; k++) {
        result = take_surplus(world, &world->emitters[k], died);
    }
    return result;
}

ThawResult thaw_emission_begin(const ThawEmissionStep *step, bool *changed) {
    ThawWorld *world = step->world;
    *changed = false;
    world->emission.share = step->share;
    if (world->emitter_count == 0 && world->sink_count == 0) return THAW_OK;
    uint64_t born = step->report->born;
    uint32_t died = 0;
    ThawResult result = come_and_go(step, &died);
    ThawResult closed = close_gaps(world);
    if (result == THAW_OK) result = closed;
    step->report->died += died;
    *changed = died > 0 || step->report->born > born;
    return result;
}

// what is still held moves as its column does, whatever viscosity made of it
static void set_held_velocity(const ThawEmissionStep *step, const ThawEmitter *emitter) {
    const ThawWorld *world = step->world;
    ThawPose end = thaw_emitter_pose(emitter, step->share);
    double speed = thaw_emitter_speed(world, &emitter->def);
    ThawVec3 flow = thaw_quat_rotate(end.rotation, thaw_emitter_local(world, 0, 0, speed));
    for (uint32_t k = 0; k < emitter->site_count; k++) {
        const ThawColumnSite *site = &emitter->sites[k];
        if (site->row == UINT32_MAX) continue;
        ThawVec3 local = thaw_emitter_local(world, site->across[0], site->across[1],
                                            site->layer + emitter->run + site->along);
        ThawVec3 way = thaw_sub(thaw_pose_apply(end, local), thaw_pose_apply(emitter->pose, local));
        ThawVec3 velocity = thaw_add(flow, thaw_scale(way, 1 / step->dt));
        float *kept = &world->store->velocity[3 * (size_t)site->row];
        kept[0] = (float)velocity.x;
        kept[1] = (float)velocity.y;
        kept[2] = world->def.dimensions == 3 ? (float)velocity.z : 0;
    }
}

void thaw_emission_end(const ThawEmissionStep *step) {
    ThawWorld *world = step->world;
    world->emission.share = 0;
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        ThawEmitter *emitter = &world->emitters[k];
        const ThawEmitterDef *def = &emitter->def;
        if (def->kind == THAW_EMITTER_VOLUME) continue;
        double speed = thaw_emitter_speed(world, def);
        set_held_velocity(step, emitter);
        emitter->run += speed * overlap(step, def->from, INFINITY);
        emitter->due += speed * overlap(step, def->from, def->to);
        emitter->pose = thaw_emitter_pose(emitter, step->share);
    }
    AgeJob job = {world, find_ages(world), (float)step->dt};
    if (job.age == NULL) return;
    thaw_parallel_run(world->parallel, grow_older, &job,
                      thaw_chunk_count(world->store->count, THAW_MARK_CHUNK));
}

void thaw_emission_arrive(ThawWorld *world) {
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        world->emitters[k].pose = thaw_emitter_pose(&world->emitters[k], 1);
    }
}
