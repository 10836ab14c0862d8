// Particles into the world and out of it: bodies cut from shapes, and particles one by one.
//
// A body's particle lies at fixed(centre) + fixed(offset / cell): moving the body by whole cells moves
// each of its particles by exactly that, so matter far away has the same fractions in every bit.
//
// Additions go through every particle twice: once to check, before anything is changed, and once to
// write. Nothing large is kept between.
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "geometry/sampling.h"
#include "lattice/state.h"
#include "math/random.h"
#include "math/vec.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- places and velocities

// cells of a point in metres, or of an offset; false where fixed-point numbers end
static bool fix_cells(const ThawDomain *domain, ThawVec3 metres, int64_t cells[3]) {
    const double values[3] = {metres.x, metres.y, metres.z};
    for (int a = 0; a < 3; a++) {
        if (!(fabs(values[a] / domain->cell) < 2.0 * (double)THAW_CELL_LIMIT)) return false;
    }
    thaw_domain_fix(domain, values, cells);
    return true;
}

static bool narrow_velocity(ThawVec3 velocity, float narrow[3]) {
    const double values[3] = {velocity.x, velocity.y, velocity.z};
    for (int a = 0; a < 3; a++) {
        if (!(fabs(values[a]) <= (double)FLT_MAX)) return false;
        narrow[a] = (float)values[a];
    }
    return true;
}

// ---------------------------------------------------------------- what every addition checks

static ThawResult check_spacing(const ThawWorld *world, const char *owner, float spacing) {
    // a particle must not meet the same neighbour through two images of a periodic axis
    double least = 2.0 * THAW_WORLD_SUPPORT * (double)spacing / world->domain.cell;
    for (int a = 0; a < 3; a++) {
        if (!world->domain.periodic[a] || thaw_fixed_cells(world->domain.length[a]) >= least)
            continue;
        return thaw_fail(
            THAW_BAD_INPUT,
            "%s: spacing %g m is too large for the period of axis %c, which must be at "
            "least four of it",
            owner, (double)spacing, "xyz"[a]);
    }
    if (spacing == 0 || thaw_world_fits(world, (double)spacing)) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "%s: spacing must be 0 or from 1/%g to %g times the world's %g m, not %g m",
                     owner, THAW_WORLD_SPACING_RATIO, THAW_WORLD_SPACING_RATIO, world->def.spacing,
                     (double)spacing);
}

static ThawResult check_room(const ThawWorld *world, const char *owner, uint32_t rows) {
    if (world->next_source >= THAW_WORLD_SOURCES) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the world has no sources left: all %u are used",
                         owner, THAW_WORLD_SOURCES - 1);
    }
    if (rows > THAW_WORLD_PARTICLES - world->store->count) {
        return thaw_fail(THAW_BAD_INPUT, "%s: a world holds at most %u particles", owner,
                         THAW_WORLD_PARTICLES);
    }
    return THAW_OK;
}

static ThawResult check_material(const ThawWorld *world, const char *owner,
                                 ThawMaterialId material) {
    if (thaw_world_material(world, material) != NULL) return THAW_OK;
    return thaw_fail(THAW_NOT_FOUND, "%s: material %u is not in this world", owner, material.value);
}

static ThawResult check_state(const char *owner, ThawState state) {
    if (state == THAW_STATE_LIQUID || state == THAW_STATE_SOLID) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: state must be one of ThawState, not %d", owner,
                     (int)state);
}

static ThawResult check_handle(const ThawWorld *world, const char *owner) {
    if (world->next_body <= THAW_WORLD_HANDLES) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: the world has no body handles left", owner);
}

static ThawResult reserve_body(ThawWorld *world) {
    void *array = world->bodies;
    ThawResult result =
        thaw_world_grow(&array, &world->body_capacity, world->body_count, sizeof *world->bodies);
    world->bodies = array;
    return result;
}

static void register_body(ThawWorld *world, const char *name, ThawBodyId *body) {
    ThawBody *fresh = &world->bodies[world->body_count++];
    *fresh = (ThawBody){.handle = world->next_body++, .source = world->next_source++};
    if (name != NULL) memcpy(fresh->name, name, strnlen(name, THAW_NAME_SIZE - 1));
    if (body != NULL) body->value = fresh->handle;
}

// ---------------------------------------------------------------- solids

// Room for rows that are about to be appended, and for the lattice's channels: after it nothing can fail.
static ThawResult reserve_rows(ThawStore *store, uint32_t rows, ThawState state) {
    ThawResult result = thaw_store_reserve(store, store->count + rows);
    if (result == THAW_OK && state == THAW_STATE_SOLID) result = thaw_lattice_open(store);
    return result;
}

// Gives new rows a fresh lattice that is turned by `turn` in the world; in 2D only what turns about z counts.
static void set_solid(ThawWorld *world, uint32_t first, uint32_t count, ThawQuat turn,
                      const ThawMaterial *material) {
    ThawLatticeState state = thaw_lattice_state(world->store);
    if (world->def.dimensions == 2) turn = (ThawQuat){0, 0, turn.z, turn.w};
    turn = thaw_quat_normalize(turn);
    const float narrow[4] = {(float)turn.x, (float)turn.y, (float)turn.z, (float)turn.w};
    for (uint32_t row = first; row < first + count; row++) {
        world->store->state[row] = THAW_STATE_SOLID;
        thaw_lattice_set(&state, row, narrow);
        for (size_t s = 0; s < THAW_SITES; s++) {
            state.docking[THAW_SITES * (size_t)row + s] = material->solid.docking_rate;
        }
    }
}

// ---------------------------------------------------------------- bodies

// a body about to be placed
typedef struct Filling {
    const ThawWorld *world;
    const ThawBodyDef *def;
    double spacing;
    double size;       // the spacing that its sites are apart: more where matter swells as a solid
    ThawQuat turn;     // the shape's, of unit length
    int64_t center[3]; // the shape's position
    double (*sites)[3];
    uint32_t count;
} Filling;

static ThawVec3 draw_jitter(const Filling *filling, ThawParticleId id) {
    uint64_t seed = filling->world->def.seed;
    double reach = filling->def->jitter * filling->spacing;
    double x = thaw_random_unit(seed, id, 0, THAW_RANDOM_JITTER_X);
    double y = thaw_random_unit(seed, id, 0, THAW_RANDOM_JITTER_Y);
    double z = thaw_random_unit(seed, id, 0, THAW_RANDOM_JITTER_Z);
    return thaw_vec(reach * (2 * x - 1), reach * (2 * y - 1), reach * (2 * z - 1));
}

// where site k's particle lies and how fast it is; false when that cannot be held
static bool place_site(const Filling *filling, uint32_t k, int64_t cells[3], float velocity[3]) {
    const ThawBodyDef *def = filling->def;
    const ThawDomain *domain = &filling->world->domain;
    const double *site = filling->sites[k];
    ThawVec3 offset = thaw_quat_rotate(filling->turn, thaw_vec(site[0], site[1], site[2]));
    if (def->jitter > 0) {
        ThawParticleId id =
            ((uint64_t)filling->world->next_source << THAW_ID_SOURCE_SHIFT) | (k + 1);
        offset = thaw_add(offset, draw_jitter(filling, id));
    }
    if (domain->dimensions == 2) offset.z = 0;
    if (!fix_cells(domain, offset, cells)) return false;
    for (int a = 0; a < 3; a++) cells[a] += filling->center[a];
    if (domain->dimensions == 2) cells[2] = 0;
    thaw_domain_wrap(domain, cells);
    ThawVec3 whirl = thaw_cross(def->spin, offset);
    return thaw_domain_holds(cells) && narrow_velocity(thaw_add(def->velocity, whirl), velocity);
}

static ThawResult check_motion(const ThawWorld *world, const char *owner, const ThawBodyDef *def) {
    if (!thaw_vec_finite(def->velocity)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: velocity must be finite", owner);
    }
    if (!thaw_vec_finite(def->spin)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: spin must be finite", owner);
    }
    if (world->def.dimensions == 2 && def->velocity.z != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s: velocity.z must be 0 in 2D, not %g", owner,
                         def->velocity.z);
    }
    if (world->def.dimensions == 2 && (def->spin.x != 0 || def->spin.y != 0)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: spin must be about z in 2D, not (%g, %g, %g)", owner,
                         def->spin.x, def->spin.y, def->spin.z);
    }
    return THAW_OK;
}

static ThawResult check_lattice(const char *owner, const ThawBodyDef *def) {
    if (def->packing != THAW_PACKING_CLOSE && def->packing != THAW_PACKING_CUBIC) {
        return thaw_fail(THAW_BAD_INPUT, "%s: packing must be one of ThawPacking, not %d", owner,
                         (int)def->packing);
    }
    if (def->state == THAW_STATE_SOLID && def->packing != THAW_PACKING_CLOSE) {
        return thaw_fail(THAW_BAD_INPUT, "%s: packing must be close for state solid", owner);
    }
    ThawQuat q = def->orientation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(norm > 0.25 && norm < 4)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: orientation must be a unit quaternion", owner);
    }
    if (!(def->jitter >= 0 && def->jitter <= 0.5)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: jitter must be 0 to 0.5, not %g", owner, def->jitter);
    }
    return THAW_OK;
}

static ThawResult check_shape(const char *owner, const ThawShape *shape) {
    ThawResult result = thaw_shape_check(shape, owner);
    if (result != THAW_OK) return result;
    ThawVec3 lower, upper;
    if (!thaw_shape_local_bounds(shape, &lower, &upper)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: shape must be bounded, so not a plane", owner);
    }
    return THAW_OK;
}

static ThawResult check_body(const ThawWorld *world, const char *owner, const ThawBodyDef *def) {
    ThawResult result;
    if (def->name != NULL && strnlen(def->name, THAW_NAME_SIZE) == THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "%s: name must have at most %d bytes", owner,
                         THAW_NAME_SIZE - 1);
    }
    if ((result = check_material(world, owner, def->material)) ||
        (result = check_shape(owner, &def->shape)) ||
        (result = check_spacing(world, owner, def->spacing)) ||
        (result = check_motion(world, owner, def)) || (result = check_state(owner, def->state)) ||
        (result = check_lattice(owner, def)) ||
        (result = thaw_heat_check_start(owner, def->temperature))) {
        return result;
    }
    return check_handle(world, owner);
}

static ThawResult check_filling(const char *owner, const Filling *filling) {
    if (filling->count == 0) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: shape is too small for a single particle of spacing %g m", owner,
                         filling->spacing);
    }
    ThawResult result = check_room(filling->world, owner, filling->count);
    for (uint32_t k = 0; k < filling->count && result == THAW_OK; k++) {
        int64_t cells[3];
        float velocity[3];
        if (place_site(filling, k, cells, velocity)) continue;
        result =
            thaw_fail(THAW_BAD_INPUT,
                      "%s: shape reaches outside the domain, or velocity and spin are too large "
                      "(particle %u of %u)",
                      owner, k + 1, filling->count);
    }
    return result;
}

// appends the particles; all values were checked
static ThawResult append_body(ThawWorld *world, const Filling *filling) {
    ThawStore *store = world->store;
    const ThawBodyDef *def = filling->def;
    uint32_t first;
    ThawResult result = reserve_rows(store, filling->count, def->state);
    if (result != THAW_OK) return result;
    result = thaw_store_append(store, filling->count, world->next_source, 1, &first);
    if (result != THAW_OK) return result;
    for (uint32_t k = 0; k < filling->count; k++) {
        uint32_t row = first + k;
        place_site(filling, k, &store->cells[(size_t)row * 3], &store->velocity[(size_t)row * 3]);
        store->spacing[row] = (float)filling->spacing;
        store->object[row] = (int32_t)world->next_body;
        store->material[row] = (uint16_t)(def->material.value - 1);
    }
    if (def->state == THAW_STATE_SOLID) {
        ThawQuat turn = thaw_quat_mul(filling->turn, thaw_quat_normalize(def->orientation));
        set_solid(world, first, filling->count, turn, thaw_world_material(world, def->material));
    }
    thaw_heat_begin_rows(world, first, filling->count, def->temperature);
    return THAW_OK;
}

static ThawResult fill_body(ThawWorld *world, const char *owner, const ThawBodyDef *def,
                            Filling *filling) {
    if (!fix_cells(&world->domain, def->shape.pose.position, filling->center)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: shape lies outside the domain of 2^21 supports",
                         owner);
    }
    ThawResult result =
        thaw_shape_sample(&def->shape, world->def.dimensions, filling->size, def->packing,
                          thaw_quat_normalize(def->orientation), &filling->sites, &filling->count);
    // a solid is a perfect lattice: it must have no holes
    if (result == THAW_OK && def->state == THAW_STATE_LIQUID) {
        filling->count = thaw_sites_thin(&def->shape, world->def.dimensions, filling->spacing,
                                         filling->sites, filling->count);
    }
    if (result == THAW_OK) result = check_filling(owner, filling);
    if (result == THAW_OK) result = reserve_body(world);
    if (result == THAW_OK) result = append_body(world, filling);
    return result;
}

ThawResult thaw_world_add_body(ThawWorld *world, const ThawBodyDef *def, ThawBodyId *body) {
    assert(world != NULL && def != NULL);
    char owner[THAW_NAME_SIZE + 16] = "body";
    if (def->name != NULL && def->name[0] != '\0') {
        snprintf(owner, sizeof owner, "body \"%.63s\"", def->name);
    }
    ThawResult result = check_body(world, owner, def);
    if (result != THAW_OK) return result;
    Filling filling = {.world = world,
                       .def = def,
                       .spacing = def->spacing > 0 ? (double)def->spacing : world->def.spacing,
                       .turn = thaw_quat_normalize(def->shape.pose.rotation)};
    const ThawMaterial *material = thaw_world_material(world, def->material);
    bool solid = def->state == THAW_STATE_SOLID;
    filling.size =
        filling.spacing * (solid ? thaw_material_swell(material, world->def.dimensions) : 1);
    result = fill_body(world, owner, def, &filling);
    thaw_free(filling.sites);
    if (result == THAW_OK) register_body(world, def->name, body);
    return result;
}

ThawBody *thaw_world_body(const ThawWorld *world, ThawBodyId body) {
    uint32_t low = 0, high = world->body_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (world->bodies[middle].handle < body.value)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < world->body_count && world->bodies[low].handle == body.value;
    return found ? &world->bodies[low] : NULL;
}

// ---------------------------------------------------------------- particles one by one

static ThawResult check_row(const ThawWorld *world, const ThawParticlesDef *def, uint32_t row,
                            int64_t cells[3]) {
    const double *position = def->positions[row];
    ThawVec3 point = thaw_vec(position[0], position[1], position[2]);
    if (!thaw_vec_finite(point)) {
        return thaw_fail(THAW_BAD_INPUT, "particles: positions, row %u is not finite", row);
    }
    if (!fix_cells(&world->domain, point, cells)) {
        return thaw_fail(THAW_BAD_INPUT, "particles: positions, row %u is outside the domain", row);
    }
    if (world->def.dimensions == 2 && point.z != 0) {
        return thaw_fail(THAW_BAD_INPUT, "particles: positions, row %u: z must be 0 in 2D, not %g",
                         row, point.z);
    }
    thaw_domain_wrap(&world->domain, cells);
    if (!thaw_domain_holds(cells)) {
        return thaw_fail(THAW_BAD_INPUT, "particles: positions, row %u is outside the domain", row);
    }
    if (def->velocities == NULL) return THAW_OK;
    const float *velocity = def->velocities[row];
    if (!isfinite(velocity[0]) || !isfinite(velocity[1]) || !isfinite(velocity[2])) {
        return thaw_fail(THAW_BAD_INPUT, "particles: velocities, row %u is not finite", row);
    }
    if (world->def.dimensions == 2 && velocity[2] != 0) {
        return thaw_fail(THAW_BAD_INPUT, "particles: velocities, row %u: z must be 0 in 2D, not %g",
                         row, (double)velocity[2]);
    }
    return THAW_OK;
}

// nothing given is no turn
static bool is_given(ThawQuat q) {
    return q.x != 0 || q.y != 0 || q.z != 0 || q.w != 0;
}

static ThawResult check_orientation(ThawQuat q) {
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!is_given(q) || (norm > 0.25 && norm < 4)) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "particles: orientation must be a unit quaternion, or all 0 for no turn");
}

static ThawResult check_particles(const ThawWorld *world, const ThawParticlesDef *def) {
    ThawResult result;
    if ((result = check_material(world, "particles", def->material)) ||
        (result = check_spacing(world, "particles", def->spacing)) ||
        (result = check_room(world, "particles", def->count)) ||
        (result = check_state("particles", def->state)) ||
        (result = check_orientation(def->orientation)) ||
        (result = thaw_heat_check_start("particles", def->temperature)) ||
        (result = check_handle(world, "particles"))) {
        return result;
    }
    if (def->count == 0) return thaw_fail(THAW_BAD_INPUT, "particles: count must be at least 1");
    if (def->positions == NULL)
        return thaw_fail(THAW_BAD_INPUT, "particles: positions are missing");
    for (uint32_t k = 0; k < def->count && result == THAW_OK; k++) {
        int64_t cells[3];
        result = check_row(world, def, k, cells);
    }
    return result;
}

// appends the particles; all values were checked
static ThawResult append_particles(ThawWorld *world, const ThawParticlesDef *def) {
    ThawStore *store = world->store;
    uint32_t begin;
    ThawResult result = reserve_rows(store, def->count, def->state);
    if (result != THAW_OK) return result;
    result = thaw_store_append(store, def->count, world->next_source, 1, &begin);
    if (result != THAW_OK) return result;
    float spacing = def->spacing > 0 ? def->spacing : (float)world->def.spacing;
    for (uint32_t k = 0; k < def->count; k++) {
        size_t row = (size_t)begin + k;
        check_row(world, def, k, &store->cells[row * 3]);
        if (def->velocities != NULL) {
            memcpy(&store->velocity[row * 3], def->velocities[k], 3 * sizeof(float));
        }
        store->spacing[row] = spacing;
        store->material[row] = (uint16_t)(def->material.value - 1);
        if (def->state == THAW_STATE_SOLID) store->object[row] = (int32_t)world->next_body;
    }
    if (def->state == THAW_STATE_SOLID) {
        ThawQuat turn = is_given(def->orientation) ? def->orientation : thaw_quat_identity();
        set_solid(world, begin, def->count, turn, thaw_world_material(world, def->material));
    }
    thaw_heat_begin_rows(world, begin, def->count, def->temperature);
    return THAW_OK;
}

ThawResult thaw_world_add_particles(ThawWorld *world, const ThawParticlesDef *def,
                                    ThawParticleId *first) {
    assert(world != NULL && def != NULL);
    ThawResult result = check_particles(world, def);
    if (result != THAW_OK) return result;
    bool solid = def->state == THAW_STATE_SOLID;
    if (solid) result = reserve_body(world);
    if (result == THAW_OK) result = append_particles(world, def);
    if (result != THAW_OK) return result;
    if (first != NULL) *first = ((uint64_t)world->next_source << THAW_ID_SOURCE_SHIFT) | 1;
    if (solid)
        register_body(world, "", NULL);
    else
        world->next_source++;
    return THAW_OK;
}

// ---------------------------------------------------------------- removal

// closes the gaps; when there is no memory for it, what was killed lives again
static ThawResult compact(ThawWorld *world) {
    ThawStore *store = world->store;
    if (store->dead_count == 0) return THAW_OK;
    ThawResult result = thaw_store_compact(store, world->parallel);
    if (result == THAW_OK) return THAW_OK;
    memset(store->dead, 0, store->count);
    store->dead_count = 0;
    thaw_store_moved(store);
    return result;
}

ThawResult thaw_world_remove_body(ThawWorld *world, ThawBodyId body) {
    assert(world != NULL);
    ThawBody *gone = thaw_world_body(world, body);
    if (gone == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "body %u is not in this world, or was removed",
                         body.value);
    }
    ThawStore *store = world->store;
    for (uint32_t row = 0; row < store->count; row++) {
        if (store->object[row] == (int32_t)body.value) thaw_store_kill(store, row);
    }
    ThawResult result = compact(world);
    if (result != THAW_OK) return result;
    // close the gap and keep the order
    uint32_t index = (uint32_t)(gone - world->bodies);
    world->body_count--;
    memmove(gone, gone + 1, (world->body_count - index) * sizeof *gone);
    return THAW_OK;
}

ThawResult thaw_world_remove_particles(ThawWorld *world, const ThawParticleId *ids, uint32_t count,
                                       uint32_t *removed) {
    assert(world != NULL && (ids != NULL || count == 0));
    ThawStore *store = world->store;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t row = thaw_store_find(store, ids[k]);
        if (row != UINT32_MAX) thaw_store_kill(store, row);
    }
    uint32_t killed = store->dead_count;
    ThawResult result = compact(world);
    if (result == THAW_OK && removed != NULL) *removed = killed;
    return result;
}
