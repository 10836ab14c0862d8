// Sinks: keeping them, and finding what they take.
//
// Rows lie in order of place, so that a stretch of them is small: one distance from the middle of
// its bounds tells that all of it is inside or all of it outside, but for the few stretches at a
// sink's surface.
#include "world/sinks.h"
#include "world/region.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define OWNER_SIZE (THAW_NAME_SIZE + 24)
#define STRETCH 64u

ThawSinkDef thaw_sink_default(void) {
    return (ThawSinkDef){.name = "", .shape = {.pose = {.rotation = {0, 0, 0, 1}}}, .to = INFINITY};
}

// ---------------------------------------------------------------- keeping

ThawResult thaw_shape_keep(const ThawShape *shape, ThawShape *own) {
    *own = *shape;
    own->balls = NULL;
    own->ball_count = 0;
    own->field = shape->kind == THAW_SHAPE_MESH ? thaw_field_retain(shape->field) : NULL;
    if (shape->kind != THAW_SHAPE_BLEND) return THAW_OK;
    size_t bytes = (size_t)shape->ball_count * sizeof *shape->balls;
    ThawBall *balls = thaw_alloc(bytes);
    if (balls == NULL) return thaw_fail_memory(bytes);
    memcpy(balls, shape->balls, bytes);
    own->balls = balls;
    own->ball_count = shape->ball_count;
    return THAW_OK;
}

void thaw_shape_drop(ThawShape *own) {
    thaw_free((void *)(uintptr_t)own->balls);
    thaw_field_release((ThawField *)(uintptr_t)own->field);
    own->balls = NULL;
    own->field = NULL;
}

ThawResult thaw_sink_check(const ThawWorld *world, const ThawSinkDef *def) {
    char owner[OWNER_SIZE] = "sink";
    if (def->name != NULL && strnlen(def->name, THAW_NAME_SIZE) == THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "sink: name must have at most %d bytes",
                         THAW_NAME_SIZE - 1);
    }
    if (def->name != NULL && def->name[0] != '\0') {
        snprintf(owner, sizeof owner, "sink \"%s\"", def->name);
    }
    ThawResult result = thaw_shape_check(&def->shape, owner);
    if (result != THAW_OK) return result;
    if (def->material.value != 0 && thaw_world_material(world, def->material) == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "%s: material %u is not in this world", owner,
                         def->material.value);
    }
    if (!isfinite(def->from)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: from must be finite, not %g", owner, def->from);
    }
    if (def->to > def->from) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: to must be after from, %g s, not %g s", owner, def->from,
                     def->to);
}

ThawResult thaw_sinks_put(ThawWorld *world, const ThawSinkDef *def, uint32_t handle) {
    void *array = world->sinks;
    ThawResult result =
        thaw_world_grow(&array, &world->sink_capacity, world->sink_count, sizeof *world->sinks);
    world->sinks = array;
    if (result != THAW_OK) return result;
    ThawSink *fresh = &world->sinks[world->sink_count];
    *fresh = (ThawSink){.handle = handle, .def = *def};
    if (def->name != NULL) memcpy(fresh->name, def->name, strlen(def->name));
    fresh->def.name = NULL;
    result = thaw_shape_keep(&def->shape, &fresh->def.shape);
    if (result == THAW_OK) world->sink_count++;
    return result;
}

void thaw_sinks_release(ThawWorld *world) {
    for (uint32_t k = 0; k < world->sink_count; k++) thaw_shape_drop(&world->sinks[k].def.shape);
    thaw_free(world->sinks);
}

ThawResult thaw_world_add_sink(ThawWorld *world, const ThawSinkDef *def, ThawSinkId *sink) {
    assert(world != NULL && def != NULL);
    ThawResult result = thaw_sink_check(world, def);
    if (result != THAW_OK) return result;
    if (world->last_sink >= THAW_WORLD_HANDLES) {
        return thaw_fail(THAW_BAD_INPUT, "sink: the world has no handles left");
    }
    result = thaw_sinks_put(world, def, world->last_sink + 1);
    if (result != THAW_OK) return result;
    world->last_sink++;
    if (sink != NULL) sink->value = world->last_sink;
    return THAW_OK;
}

static ThawSink *find_sink(const ThawWorld *world, ThawSinkId sink) {
    for (uint32_t k = 0; k < world->sink_count; k++) {
        if (world->sinks[k].handle == sink.value) return &world->sinks[k];
    }
    thaw_fail(THAW_NOT_FOUND, "sink %u is not in this world, or was removed", sink.value);
    return NULL;
}

ThawResult thaw_world_remove_sink(ThawWorld *world, ThawSinkId sink) {
    assert(world != NULL);
    ThawSink *gone = find_sink(world, sink);
    if (gone == NULL) return THAW_NOT_FOUND;
    thaw_shape_drop(&gone->def.shape);
    // close the gap and keep the order
    uint32_t index = (uint32_t)(gone - world->sinks);
    world->sink_count--;
    memmove(gone, gone + 1, (world->sink_count - index) * sizeof *gone);
    return THAW_OK;
}

ThawResult thaw_world_sink_removed(const ThawWorld *world, ThawSinkId sink, uint64_t *removed) {
    assert(world != NULL && removed != NULL);
    const ThawSink *found = find_sink(world, sink);
    if (found == NULL) return THAW_NOT_FOUND;
    *removed = found->removed;
    return THAW_OK;
}

// ---------------------------------------------------------------- taking

typedef struct SinkJob {
    ThawWorld *world;
    const ThawSinkDef *def;
    ThawRegion region;
    bool bounded; // stretches can be judged as a whole
} SinkJob;

// what stretches of rows are to a sink
typedef enum Verdict { NONE_GOES, ALL_GO, ASK_EACH } Verdict;

static Verdict judge_stretch(const SinkJob *job, ThawRange rows) {
    if (!job->bounded) return ASK_EACH;
    const int64_t *cells = job->world->store->cells;
    int64_t least[3], most[3];
    memcpy(least, &cells[3 * (size_t)rows.begin], sizeof least);
    memcpy(most, least, sizeof most);
    for (size_t row = rows.begin + 1; row < rows.end; row++) {
        for (size_t a = 0; a < 3; a++) {
            int64_t at = cells[3 * row + a];
            least[a] = at < least[a] ? at : least[a];
            most[a] = at > most[a] ? at : most[a];
        }
    }
    double middle[3], radius2 = 0, cell = job->world->domain.cell;
    for (int a = 0; a < 3; a++) {
        double low = thaw_fixed_cells(least[a]) * cell, high = thaw_fixed_cells(most[a]) * cell;
        middle[a] = 0.5 * (low + high);
        radius2 += 0.25 * (high - low) * (high - low);
    }
    double distance =
        thaw_shape_distance(&job->def->shape, (ThawVec3){middle[0], middle[1], middle[2]});
    double radius = sqrt(radius2) * (1 + 1e-9) + 1e-9 * cell;
    if (distance > radius) return job->def->outside ? ALL_GO : NONE_GOES;
    if (distance < -radius) return job->def->outside ? NONE_GOES : ALL_GO;
    return ASK_EACH;
}

static bool takes_row(const SinkJob *job, Verdict verdict, uint32_t row) {
    const ThawStore *store = job->world->store;
    uint32_t material = job->def->material.value;
    if (store->dead[row] != 0) return false;
    if (material != 0 && store->material[row] != material - 1) return false;
    if (verdict == ALL_GO) return true;
    int image[3];
    bool inside = thaw_region_holds(&job->region, &store->cells[3 * (size_t)row], image);
    return inside != job->def->outside;
}

static void find_taken(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SinkJob *job = context;
    ThawEmission *emission = &job->world->emission;
    ThawRange range = thaw_chunk_range(chunk, job->world->store->count, THAW_MARK_CHUNK);
    uint32_t count = 0;
    for (uint32_t begin = range.begin; begin < range.end; begin += STRETCH) {
        uint32_t end = range.end - begin < STRETCH ? range.end : begin + STRETCH;
        Verdict verdict = judge_stretch(job, (ThawRange){begin, end});
        for (uint32_t row = begin; verdict != NONE_GOES && row < end; row++) {
            uint8_t taken = takes_row(job, verdict, row);
            emission->marks[row] = taken;
            count += taken;
        }
    }
    emission->counts[chunk] = count;
}

static ThawResult take(ThawWorld *world, ThawSink *sink, uint32_t *taken) {
    const ThawDomain *domain = &world->domain;
    ThawResult result = thaw_emission_marks(world);
    if (result != THAW_OK) return result;
    SinkJob job = {.world = world,
                   .def = &sink->def,
                   .region = thaw_region(domain, &sink->def.shape),
                   .bounded = !domain->periodic[0] && !domain->periodic[1] && !domain->periodic[2]};
    uint32_t rows = world->store->count, chunks = thaw_chunk_count(rows, THAW_MARK_CHUNK);
    thaw_parallel_run(world->parallel, find_taken, &job, chunks);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        uint32_t count = world->emission.counts[chunk];
        if (count == 0) continue;
        ThawRange range = thaw_chunk_range(chunk, rows, THAW_MARK_CHUNK);
        for (uint32_t row = range.begin; row < range.end; row++) {
            if (world->emission.marks[row] != 0) thaw_store_kill(world->store, row);
        }
        sink->removed += count;
        *taken += count;
    }
    return THAW_OK;
}

ThawResult thaw_sinks_take(ThawWorld *world, double time, uint32_t *taken) {
    ThawResult result = THAW_OK;
    *taken = 0;
    for (uint32_t k = 0; k < world->sink_count && result == THAW_OK; k++) {
        ThawSink *sink = &world->sinks[k];
        if (time >= sink->def.from && time < sink->def.to && world->store->count > 0)
            result = take(world, sink, taken);
    }
    return result;
}
