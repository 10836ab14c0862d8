// Openings in the midst of matter: what is behind the opening's plane is a housing that nothing enters, so that
// each new layer finds room. When a column begins, what lies where it is born is pushed away at twice its speed.
//
// An opening in a wall has nothing behind it and needs none of this. Rows are found once a substep; they
// are kept in their bounds wherever the iterations put them.
#include "world/emitters.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"

#define BACK 1.2  // layers behind the plane of births where the housing ends
#define FRONT 0.4 // layers before the column's front that are cleared
#define HASTE 2.0 // column speeds
#define RIM 0.9   // spacings outside of the rim: the housing's side

typedef struct BarJob {
    const ThawWorld *world;
    const ThawEmitter *emitter;
    int64_t center[3], reach; // fixed-point cells: a box that holds it all
    double back;              // m, along the normal: the housing's end
    double begin;             // m: where layers are born
    double front;             // m: up to where the column's front clears its way, when it begins
    double push;              // m: how far the column goes
} BarJob;

// where a row starts, in the opening's frame; false when it is far off
static bool find_start(const BarJob *job, uint32_t row, ThawBarred *start) {
    const ThawWorld *world = job->world;
    int64_t way[3];
    for (int a = 0; a < 3; a++) {
        int64_t off = world->store->cells[3 * (size_t)row + (size_t)a] - job->center[a];
        way[a] = thaw_emission_shorten(&world->domain, a, off);
        if (way[a] >= job->reach || way[a] <= -job->reach) return false;
    }
    double cell = world->domain.cell;
    ThawVec3 offset = {thaw_fixed_cells(way[0]) * cell, thaw_fixed_cells(way[1]) * cell,
                       thaw_fixed_cells(way[2]) * cell};
    ThawVec3 p = thaw_quat_rotate(thaw_quat_conjugate(job->emitter->pose.rotation), offset);
    bool flat = world->def.dimensions == 2;
    *start = (ThawBarred){.row = row, .across = {p.x, flat ? 0 : p.y}, .along = flat ? p.y : p.z};
    return true;
}

// What is in the housing leaves it: at the back where layers are born, else at the front; while no layer is
// held the column's front drives it on.
static bool drive(const BarJob *job, ThawBarred *barred) {
    bool first = job->emitter->site_count == 0;
    double along = barred->along, layer = thaw_emitter_layer(job->world, &job->emitter->def);
    barred->kind = THAW_BAR_DRIVEN;
    barred->least = -INFINITY;
    barred->most = INFINITY;
    if (along < job->begin + (first ? 0 : 0.5 * layer))
        barred->most = fmax(job->back, along - (first ? HASTE : 1) * job->push);
    else
        barred->least = fmin(first ? job->front : 0, along + (first ? HASTE : 1) * job->push);
    return true;
}

// whether a row is barred, and by what
static bool is_barred(const BarJob *job, uint32_t row, ThawBarred *barred) {
    const ThawWorld *world = job->world;
    double d = (double)job->emitter->def.spacing;
    if (world->held != NULL && world->held[row] != 0) return false;
    if (!find_start(job, row, barred)) return false;
    double rim = thaw_emitter_rim(world, &job->emitter->def, barred->across);
    if (rim > (1 + RIM) * d || barred->along < job->back - d) return false;
    double front = job->emitter->site_count == 0 ? job->front : 0;
    bool inside = rim < RIM * d && barred->along > job->back && barred->along < front;
    if (inside) return drive(job, barred);
    bool before = barred->along >= front;
    barred->kind = rim >= RIM * d ? THAW_BAR_SIDE : before ? THAW_BAR_FRONT : THAW_BAR_BACK;
    barred->least = front;
    return barred->along < front + d;
}

static void find_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BarJob *job = context;
    ThawEmission emission = job->world->emission;
    ThawRange range = thaw_chunk_range(chunk, job->world->store->count, THAW_MARK_CHUNK);
    uint32_t count = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        ThawBarred barred;
        bool found = is_barred(job, row, &barred);
        emission.marks[row] = found;
        count += found;
    }
    emission.counts[chunk] = count;
}

static ThawResult list_barred(ThawWorld *world, const BarJob *job, uint32_t chunks) {
    ThawEmission *emission = &world->emission;
    uint32_t more = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) more += emission->counts[chunk];
    if (more == 0) return THAW_OK;
    size_t bytes = ((size_t)emission->barred_count + more) * sizeof *emission->barred;
    if (bytes > emission->barred_bytes) {
        bytes += bytes / 2; // as in reserve_barred
        void *grown = thaw_realloc(emission->barred, emission->barred_bytes, bytes);
        if (grown == NULL) return thaw_fail_memory(bytes);
        emission->barred = grown;
        emission->barred_bytes = bytes;
    }
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        if (emission->counts[chunk] == 0) continue;
        ThawRange range = thaw_chunk_range(chunk, world->store->count, THAW_MARK_CHUNK);
        for (uint32_t row = range.begin; row < range.end; row++) {
            if (emission->marks[row] == 0) continue;
            ThawBarred *barred = &emission->barred[emission->barred_count++];
            is_barred(job, row, barred);
            barred->emitter = (uint32_t)(job->emitter - world->emitters);
        }
    }
    return THAW_OK;
}

static ThawResult find_barred(ThawWorld *world, const ThawEmitter *emitter, double active) {
    const ThawEmitterDef *def = &emitter->def;
    double d = (double)def->spacing, layer = thaw_emitter_layer(world, def);
    bool disc = def->kind == THAW_EMITTER_DISC;
    double size = disc ? def->radius : 0.5 * hypot(def->width, def->height);
    double run = thaw_emitter_speed(world, def) * active, begin = -THAW_COLUMN_BEHIND * d;
    // while no layer is held the column's front pushes: what of it has come since the last layer
    double front = emitter->due + run - (double)emitter->layer * layer;
    front = fmin(fmax(front, 0), layer);
    BarJob job = {.world = world,
                  .emitter = emitter,
                  .reach = thaw_fixed_from((size + 5 * d) / world->domain.cell),
                  .back = begin - BACK * layer,
                  .begin = begin,
                  .front = begin + fmin(HASTE * front, front + FRONT * layer),
                  .push = run};
    if (!thaw_emission_place(world, &emitter->pose, (ThawVec3){0, 0, 0}, job.center))
        return THAW_OK;
    ThawResult result = thaw_emission_marks(world);
    if (result != THAW_OK) return result;
    uint32_t chunks = thaw_chunk_count(world->store->count, THAW_MARK_CHUNK);
    thaw_parallel_run(world->parallel, find_chunk, &job, chunks);
    return list_barred(world, &job, chunks);
}

// Room for as many as last time. The number changes from substep to substep: room for some more.
static ThawResult reserve_barred(ThawEmission *emission) {
    size_t bytes = emission->barred_count * sizeof *emission->barred;
    emission->barred_count = 0;
    bool fits = thaw_scratch_room((void **)&emission->barred, &emission->barred_bytes, bytes,
                                  bytes + bytes / 2);
    return fits ? THAW_OK : thaw_fail_memory(bytes);
}

ThawResult thaw_emission_find_barred(ThawWorld *world, double time, double dt) {
    ThawResult result = reserve_barred(&world->emission);
    for (uint32_t k = 0; k < world->emitter_count && dt > 0 && result == THAW_OK; k++) {
        const ThawEmitter *emitter = &world->emitters[k];
        const ThawEmitterDef *def = &emitter->def;
        if (def->kind == THAW_EMITTER_VOLUME) continue;
        double active = fmin(time + dt, def->to) - fmax(time, def->from);
        if (active > 0 || emitter->site_count > 0)
            result = find_barred(world, emitter, fmax(active, 0));
    }
    return result;
}

// out of the housing to its side
static void step_aside(const ThawWorld *world, const ThawEmitterDef *def, double place[3]) {
    double least = RIM * (double)def->spacing;
    if (def->kind == THAW_EMITTER_DISC) {
        double radius = hypot(place[0], place[1]);
        double out = radius > 0 ? (def->radius + least) / radius : 1;
        place[0] *= out;
        place[1] *= out;
        return;
    }
    double x = fabs(place[0]) - 0.5 * def->width, y = fabs(place[1]) - 0.5 * def->height;
    int axis = world->def.dimensions == 3 && y > x;
    place[axis] = copysign(0.5 * (axis == 0 ? def->width : def->height) + least, place[axis]);
}

// where a row may be; false when it is there
static bool keep_place(const ThawWorld *world, const ThawBarred *barred, double place[3]) {
    const ThawEmitterDef *def = &world->emitters[barred->emitter].def;
    double d = (double)def->spacing;
    double back = -THAW_COLUMN_BEHIND * d - BACK * thaw_emitter_layer(world, def);
    if (thaw_emitter_rim(world, def, place) >= RIM * d) return false;
    if (barred->kind == THAW_BAR_DRIVEN) {
        double kept = fmin(fmax(place[2], barred->least), barred->most);
        bool moves = kept != place[2];
        place[2] = kept;
        return moves;
    }
    if (place[2] <= back || place[2] >= barred->least) return false;
    if (barred->kind == THAW_BAR_BACK)
        place[2] = back;
    else if (barred->kind == THAW_BAR_FRONT)
        place[2] = barred->least;
    else
        step_aside(world, def, place);
    return true;
}

static void bar_row(const ThawWorld *world, const ThawBarred *barred) {
    const ThawEmitter *emitter = &world->emitters[barred->emitter];
    bool flat = world->def.dimensions == 2;
    double cell = world->domain.cell;
    float *shift = &world->work.shift[3 * (size_t)barred->row];
    ThawVec3 way = {(double)shift[0] * cell, (double)shift[1] * cell, (double)shift[2] * cell};
    ThawVec3 local = thaw_quat_rotate(thaw_quat_conjugate(emitter->pose.rotation), way);
    const double was[3] = {barred->across[0] + local.x, barred->across[1] + (flat ? 0 : local.y),
                           barred->along + (flat ? local.y : local.z)};
    double now[3] = {was[0], was[1], was[2]};
    if (!keep_place(world, barred, now)) return;
    ThawVec3 more = thaw_emitter_local(world, (now[0] - was[0]) / cell, (now[1] - was[1]) / cell,
                                       (now[2] - was[2]) / cell);
    more = thaw_quat_rotate(emitter->pose.rotation, more);
    shift[0] = (float)((double)shift[0] + more.x);
    shift[1] = (float)((double)shift[1] + more.y);
    if (!flat) shift[2] = (float)((double)shift[2] + more.z);
    const int64_t *start = &world->store->cells[3 * (size_t)barred->row];
    ThawPlace *place = &world->work.place[barred->row];
    // both records of the tentative position come from the same rounded shift
    place->x = thaw_place_follow(&world->domain, 0, start[0] + thaw_fixed_from((double)shift[0]),
                                 place->x);
    place->y = thaw_place_follow(&world->domain, 1, start[1] + thaw_fixed_from((double)shift[1]),
                                 place->y);
    place->z = thaw_place_follow(&world->domain, 2, start[2] + thaw_fixed_from((double)shift[2]),
                                 place->z);
}

void thaw_emission_bar(const ThawWorld *world) {
    for (uint32_t k = 0; k < world->emission.barred_count; k++) {
        bar_row(world, &world->emission.barred[k]);
    }
}
