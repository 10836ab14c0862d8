// Looking at a world and touching it: regions, pushes, views, look-ups.
//
// Sums over a region run in order of ids, never of rows, so that a world and its copy from a snapshot
// give the same bits.
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"
#include "models/heat_state.h"
#include "world/derived.h"
#include "world/region.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------- regions

static ThawVec3 point_of(const ThawDomain *domain, const int64_t *cells) {
    return thaw_vec(thaw_fixed_cells(cells[0]) * domain->cell,
                    thaw_fixed_cells(cells[1]) * domain->cell,
                    thaw_fixed_cells(cells[2]) * domain->cell);
}

ThawResult thaw_world_gather(ThawWorld *world, const ThawShape *shape, uint32_t *count) {
    ThawResult result = shape == NULL ? THAW_OK : thaw_shape_check(shape, "region");
    if (result != THAW_OK) return result;
    ThawStore *store = world->store;
    result = thaw_world_reserve_order(world);
    if (result != THAW_OK) return result;
    ThawRegion region = {0};
    if (shape != NULL) region = thaw_region(&world->domain, shape);
    uint32_t found = 0;
    int image[3];
    for (uint32_t row = 0; row < store->count; row++) {
        if (shape != NULL && !thaw_region_holds(&region, &store->cells[(size_t)row * 3], image))
            continue;
        world->order[found++] = (ThawIdRow){store->id[row], row};
    }
    thaw_order_sort(world->order, world->order + store->count, found);
    *count = found;
    return THAW_OK;
}

ThawResult thaw_world_find(ThawWorld *world, const ThawShape *region, ThawParticleId *ids,
                           uint32_t capacity, uint32_t *count) {
    assert(world != NULL && region != NULL && count != NULL && (ids != NULL || capacity == 0));
    ThawResult result = thaw_world_gather(world, region, count);
    if (result != THAW_OK) return result;
    for (uint32_t k = 0; k < *count && k < capacity; k++) ids[k] = world->order[k].id;
    return THAW_OK;
}

// ---------------------------------------------------------------- pushes

static ThawResult check_change(const ThawWorld *world, const char *field, ThawVec3 change) {
    if (!thaw_vec_finite(change)) {
        return thaw_fail(THAW_BAD_INPUT, "%s must be finite, not (%g, %g, %g)", field, change.x,
                         change.y, change.z);
    }
    if (world->def.dimensions == 2 && change.z != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s.z must be 0 in 2D, not %g", field, change.z);
    }
    return THAW_OK;
}

// velocity after a change; false when it would not be finite
static bool change_velocity(const float *velocity, ThawVec3 change, float changed[3]) {
    changed[0] = (float)((double)velocity[0] + change.x);
    changed[1] = (float)((double)velocity[1] + change.y);
    changed[2] = (float)((double)velocity[2] + change.z);
    return isfinite(changed[0]) && isfinite(changed[1]) && isfinite(changed[2]);
}

ThawResult thaw_world_push(ThawWorld *world, const ThawShape *region, ThawVec3 impulse) {
    assert(world != NULL && region != NULL);
    uint32_t count;
    ThawResult result = check_change(world, "impulse", impulse);
    if (result == THAW_OK) result = thaw_world_gather(world, region, &count);
    if (result != THAW_OK || count == 0) return result;
    double mass = 0;
    for (uint32_t k = 0; k < count; k++) mass += thaw_world_mass(world, world->order[k].row);
    ThawVec3 change = thaw_scale(impulse, 1 / mass);
    // all of them or none
    float changed[3];
    for (uint32_t k = 0; k < count; k++) {
        const float *velocity = &world->store->velocity[(size_t)world->order[k].row * 3];
        if (!change_velocity(velocity, change, changed)) {
            return thaw_fail(THAW_BAD_INPUT, "impulse is too large for %g kg", mass);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        float *velocity = &world->store->velocity[(size_t)world->order[k].row * 3];
        change_velocity(velocity, change, changed);
        memcpy(velocity, changed, sizeof changed);
    }
    return THAW_OK;
}

static ThawResult find_row(ThawWorld *world, ThawParticleId particle, uint32_t *row) {
    *row = thaw_store_find(world->store, particle);
    if (*row != UINT32_MAX) return THAW_OK;
    return thaw_fail(THAW_NOT_FOUND, "particle %llu (source %u, count %llu) is not in this world",
                     (unsigned long long)particle, (unsigned)(particle >> THAW_ID_SOURCE_SHIFT),
                     (unsigned long long)(particle & THAW_ID_COUNT_MASK));
}

ThawResult thaw_world_kick(ThawWorld *world, ThawParticleId particle, ThawVec3 change) {
    assert(world != NULL);
    uint32_t row;
    ThawResult result = check_change(world, "change", change);
    if (result == THAW_OK) result = find_row(world, particle, &row);
    if (result != THAW_OK) return result;
    float changed[3];
    float *velocity = &world->store->velocity[(size_t)row * 3];
    if (!change_velocity(velocity, change, changed)) {
        return thaw_fail(THAW_BAD_INPUT, "change is too large: the velocity would not be finite");
    }
    memcpy(velocity, changed, sizeof changed);
    return THAW_OK;
}

// ---------------------------------------------------------------- names

static bool is_shown(const char *name) {
    return strcmp(name, "dead") != 0;
}

// index of a built-in field that may be seen, or UINT32_MAX
static uint32_t find_field(const char *name) {
    for (uint32_t k = 0; thaw_world_field(k) != NULL; k++) {
        if (strcmp(thaw_world_field(k)->name, name) == 0 && is_shown(name)) return k;
    }
    return UINT32_MAX;
}

// number of letters to add, drop or change between two names (Levenshtein)
static uint32_t edit_distance(const char *a, const char *b) {
    uint32_t row[33];
    uint32_t width = (uint32_t)strnlen(b, 32);
    for (uint32_t j = 0; j <= width; j++) row[j] = j;
    for (uint32_t i = 0; a[i] != '\0'; i++) {
        uint32_t diagonal = row[0];
        row[0] = i + 1;
        for (uint32_t j = 0; j < width; j++) {
            uint32_t best = diagonal + (a[i] != b[j]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
            diagonal = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row[width];
}

static void consider(const char *wanted, const char *name, const char **best, uint32_t *distance) {
    uint32_t d = edit_distance(wanted, name);
    if (d < *distance) {
        *distance = d;
        *best = name;
    }
}

static ThawResult fail_field(const ThawWorld *world, const char *name) {
    const char *best = NULL;
    uint32_t distance = 4; // farther names help nobody
    if (strcmp(name, THAW_THERMAL_TEMPERATURE) == 0 || strcmp(name, THAW_THERMAL_HEAT) == 0) {
        return thaw_fail(THAW_NOT_FOUND, "there is no field \"%s\": the world has no heat", name);
    }
    if (strnlen(name, 64) < 64) {
        consider(name, "position", &best, &distance);
        for (uint32_t k = 0; thaw_world_field(k) != NULL; k++) {
            const char *field = thaw_world_field(k)->name;
            if (is_shown(field)) consider(name, field, &best, &distance);
        }
        for (int k = 0; thaw_derived_name(k) != NULL; k++) {
            consider(name, thaw_derived_name(k), &best, &distance);
        }
        for (uint32_t k = 0; k < world->store->channel_count; k++) {
            consider(name, world->store->channels[k].name, &best, &distance);
        }
    }
    if (best == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "there is no field or channel \"%.63s\"", name);
    }
    return thaw_fail(THAW_NOT_FOUND, "there is no field or channel \"%.63s\"; did you mean \"%s\"?",
                     name, best);
}

// ---------------------------------------------------------------- views

#define POSITION_CHUNK 8192u

static void convert_positions(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    ThawWorld *world = context;
    double cell = world->domain.cell;
    ThawRange rows = thaw_chunk_range(chunk, world->store->count, POSITION_CHUNK);
    for (size_t k = (size_t)rows.begin * 3; k < (size_t)rows.end * 3; k++) {
        world->position_view[k] = (float)(thaw_fixed_cells(world->store->cells[k]) * cell);
    }
}

static ThawResult view_positions(ThawWorld *world, ThawView *view) {
    uint32_t count = world->store->count;
    size_t bytes = (size_t)count * 3 * sizeof(float);
    if (!thaw_scratch((void **)&world->position_view, &world->position_view_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    thaw_parallel_run(world->parallel, convert_positions, world,
                      thaw_chunk_count(count, POSITION_CHUNK));
    *view = (ThawView){world->position_view, THAW_F32, 3, count};
    return THAW_OK;
}

ThawResult thaw_world_view(ThawWorld *world, const char *field, ThawView *view) {
    assert(world != NULL && field != NULL && view != NULL);
    ThawStore *store = world->store;
    if (strcmp(field, "position") == 0) return view_positions(world, view);
    int derived = thaw_derived_find(field);
    if (derived >= 0) return thaw_derived_view(world, derived, view);
    uint32_t index = find_field(field);
    if (index != UINT32_MAX) {
        const ThawFieldInfo *info = thaw_world_field(index);
        *view =
            (ThawView){thaw_store_field(store, index), info->type, info->components, store->count};
        return THAW_OK;
    }
    const ThawChannel *channel = thaw_store_channel(store, field);
    if (channel == NULL) return fail_field(world, field);
    *view = (ThawView){channel->data, channel->type, channel->components, store->count};
    return THAW_OK;
}

ThawResult thaw_world_edit(ThawWorld *world, const char *channel, void **data) {
    assert(world != NULL && channel != NULL && data != NULL);
    ThawChannel *found = thaw_store_channel(world->store, channel);
    if (found != NULL && thaw_heat_is_channel(world, channel)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "channel \"%s\" cannot be edited: it belongs to heat; see "
                         "thaw_world_set_temperature",
                         channel);
    }
    if (found != NULL && thaw_world_is_own_channel(world, channel)) {
        return thaw_fail(THAW_BAD_INPUT, "channel \"%s\" cannot be edited: it belongs to solids",
                         channel);
    }
    if (found != NULL) {
        *data = found->data;
        return THAW_OK;
    }
    if (strcmp(channel, "velocity") == 0) {
        *data = world->store->velocity;
        return THAW_OK;
    }
    if (strcmp(channel, "position") == 0 || find_field(channel) != UINT32_MAX ||
        thaw_derived_find(channel) >= 0) {
        return thaw_fail(THAW_BAD_INPUT,
                         "field \"%s\" cannot be edited: only channels and \"velocity\" can",
                         channel);
    }
    return fail_field(world, channel);
}

ThawResult thaw_world_index(ThawWorld *world, ThawParticleId particle, uint32_t *row) {
    assert(world != NULL && row != NULL);
    uint32_t found;
    ThawResult result = find_row(world, particle, &found);
    if (result == THAW_OK) *row = found;
    return result;
}

void thaw_world_positions(const ThawWorld *world, double (*positions)[3]) {
    assert(world != NULL && (positions != NULL || world->store->count == 0));
    for (uint32_t row = 0; row < world->store->count; row++) {
        ThawVec3 point = point_of(&world->domain, &world->store->cells[(size_t)row * 3]);
        positions[row][0] = point.x;
        positions[row][1] = point.y;
        positions[row][2] = point.z;
    }
}

// ---------------------------------------------------------------- fractures

void thaw_world_fractures(const ThawWorld *world, const ThawFracture **fractures, uint32_t *count) {
    assert(world != NULL && fractures != NULL && count != NULL);
    *fractures = NULL;
    *count = 0;
    for (uint32_t k = 0; thaw_models[k] != NULL; k++) {
        if (thaw_models[k]->fractures == NULL) continue;
        thaw_models[k]->fractures(world->model_states[k], fractures, count);
    }
}
