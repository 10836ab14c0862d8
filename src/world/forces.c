// Force fields: defaults, checks, and keeping them by handle.
#include "world/forces.h"
#include "world/force_field.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define OWNER_SIZE (THAW_NAME_SIZE + 24)
#define MOST 1e9 // of any measure

ThawForceDef thaw_force_default(void) {
    return (ThawForceDef){.name = "",
                          .kind = THAW_FORCE_DIRECTIONAL,
                          .strength = 1,
                          .direction = {0, 0, 1},
                          .drag = 1,
                          .change = 1,
                          .seed = 1,
                          .region = {.pose = {.rotation = {0, 0, 0, 1}}},
                          .to = INFINITY};
}

// ---------------------------------------------------------------- checks

// one row a number: its range, and what it is measured in
typedef struct NumberRow {
    const char *name;
    size_t at; // in ThawForceDef
    double least, most;
    const char *unit;
} NumberRow;

#define ROW(member, least, most, unit)                                                             \
    { #member, offsetof(ThawForceDef, member), least, most, unit }

static const NumberRow numbers[] = {
    ROW(strength, -MOST, MOST, ""), ROW(radius, 0, MOST, " m"),  ROW(falloff, 0, 4, ""),
    ROW(core, 0, MOST, " m"),       ROW(inflow, -100, 100, ""),  ROW(drag, 0, MOST, " 1/s"),
    ROW(size, 0, MOST, " m"),       ROW(change, 0, 1e6, " 1/s"), ROW(from, -MOST, MOST, " s"),
    ROW(ramp, 0, MOST, " s"),
};

static ThawResult check_numbers(const char *owner, const ThawForceDef *def) {
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const NumberRow *row = &numbers[k];
        double value;
        memcpy(&value, (const char *)def + row->at, sizeof value);
        if (value >= row->least && value <= row->most) continue; // false for NaN
        return thaw_fail(THAW_BAD_INPUT, "%s: %s must be in %g..%g%s, not %g", owner, row->name,
                         row->least, row->most, row->unit, value);
    }
    if (def->radius > 0 && def->core >= def->radius) {
        return thaw_fail(THAW_BAD_INPUT, "%s: core must be below radius, %g m, not %g m", owner,
                         def->radius, def->core);
    }
    if (!(def->to > def->from)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: to must be after from, %g s, not %g s", owner,
                         def->from, def->to);
    }
    return THAW_OK;
}

static ThawResult check_direction(const char *owner, const ThawForceDef *def, int dimensions) {
    ThawVec3 d = def->direction;
    bool used = def->kind == THAW_FORCE_DIRECTIONAL || def->kind == THAW_FORCE_WIND ||
                def->kind == THAW_FORCE_VORTEX;
    if (!thaw_vec_finite(d) || (used && !(thaw_length(d) > 0 && isfinite(thaw_length(d))))) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: direction must be finite and have a length, not (%g, %g, %g)", owner,
                         d.x, d.y, d.z);
    }
    if (dimensions == 3 || !used) return THAW_OK;
    if (def->kind == THAW_FORCE_VORTEX && (d.x != 0 || d.y != 0)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: direction must be along z in 2D, where a vortex "
                         "turns in the plane",
                         owner);
    }
    if (def->kind != THAW_FORCE_VORTEX && d.z != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s: direction.z must be 0 in 2D, not %g", owner, d.z);
    }
    return THAW_OK;
}

static ThawResult check_region(const char *owner, const ThawForceDef *def) {
    if (!def->bounded) return THAW_OK;
    ThawResult result = thaw_shape_check(&def->region, owner);
    if (result != THAW_OK || def->region.kind != THAW_SHAPE_MESH) return result;
    return thaw_fail(THAW_BAD_INPUT, "%s: a mesh cannot be a force's region", owner);
}

ThawResult thaw_force_check(const ThawWorld *world, const ThawForceDef *def) {
    char owner[OWNER_SIZE] = "force";
    if (def->name != NULL && strnlen(def->name, THAW_NAME_SIZE) == THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "force: name must have at most %d bytes",
                         THAW_NAME_SIZE - 1);
    }
    if (def->name != NULL && def->name[0] != '\0') {
        snprintf(owner, sizeof owner, "force \"%s\"", def->name);
    }
    if ((int)def->kind < THAW_FORCE_DIRECTIONAL || (int)def->kind > THAW_FORCE_TURBULENCE) {
        return thaw_fail(THAW_BAD_INPUT, "%s: kind must be one of ThawForceKind, not %d", owner,
                         (int)def->kind);
    }
    if (!thaw_vec_finite(def->position)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: position must be finite, not (%g, %g, %g)", owner,
                         def->position.x, def->position.y, def->position.z);
    }
    ThawResult result;
    if ((result = check_numbers(owner, def)) ||
        (result = check_direction(owner, def, world->def.dimensions)) ||
        (result = check_region(owner, def))) {
        return result;
    }
    if (def->material.value != 0 && thaw_world_material(world, def->material) == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "%s: material %u is not in this world", owner,
                         def->material.value);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- keeping

static void release(ThawForce *force) {
    thaw_free((void *)(uintptr_t)force->def.region.balls);
}

void thaw_forces_release(ThawWorld *world) {
    for (uint32_t k = 0; k < world->force_count; k++) release(&world->forces[k]);
    thaw_free(world->forces);
    thaw_free(world->force_fields);
}

// a copy of a checked def; handle and phase are the caller's
static ThawResult copy_def(const ThawForceDef *def, ThawForce *fresh) {
    *fresh = (ThawForce){.def = *def};
    if (def->name != NULL) memcpy(fresh->name, def->name, strlen(def->name));
    fresh->def.name = NULL;
    fresh->def.region.balls = NULL;
    fresh->def.region.field = NULL;
    bool blend = def->bounded && def->region.kind == THAW_SHAPE_BLEND;
    if (!blend) fresh->def.region.ball_count = 0;
    if (!blend) return THAW_OK;
    size_t bytes = (size_t)def->region.ball_count * sizeof(ThawBall);
    ThawBall *balls = thaw_alloc(bytes);
    if (balls == NULL) return thaw_fail_memory(bytes);
    memcpy(balls, def->region.balls, bytes);
    fresh->def.region.balls = balls;
    return THAW_OK;
}

ThawResult thaw_forces_put(ThawWorld *world, const ThawForceDef *def, uint32_t handle) {
    void *array = world->forces;
    ThawResult result =
        thaw_world_grow(&array, &world->force_capacity, world->force_count, sizeof *world->forces);
    world->forces = array;
    if (result != THAW_OK) return result;
    ThawForce *fresh = &world->forces[world->force_count];
    result = copy_def(def, fresh);
    if (result != THAW_OK) return result;
    fresh->handle = handle;
    world->force_count++;
    return THAW_OK;
}

ThawResult thaw_world_add_force(ThawWorld *world, const ThawForceDef *def, ThawForceId *force) {
    assert(world != NULL && def != NULL);
    ThawResult result = thaw_force_check(world, def);
    if (result != THAW_OK) return result;
    if (world->last_force >= THAW_WORLD_HANDLES) {
        return thaw_fail(THAW_BAD_INPUT, "force: the world has no handles left");
    }
    result = thaw_forces_put(world, def, world->last_force + 1);
    if (result != THAW_OK) return result;
    world->last_force++;
    if (force != NULL) force->value = world->last_force;
    return THAW_OK;
}

static ThawForce *find_force(const ThawWorld *world, ThawForceId force) {
    for (uint32_t k = 0; k < world->force_count; k++) {
        if (world->forces[k].handle == force.value) return &world->forces[k];
    }
    thaw_fail(THAW_NOT_FOUND, "force %u is not in this world, or was removed", force.value);
    return NULL;
}

ThawResult thaw_world_set_force(ThawWorld *world, ThawForceId force, const ThawForceDef *def) {
    assert(world != NULL && def != NULL);
    ThawForce *kept = find_force(world, force), fresh;
    if (kept == NULL) return THAW_NOT_FOUND;
    ThawResult result = thaw_force_check(world, def);
    if (result != THAW_OK) return result;
    if (def->kind != kept->def.kind) {
        return thaw_fail(THAW_BAD_INPUT, "force %u: kind must stay %d, not %d", force.value,
                         (int)kept->def.kind, (int)def->kind);
    }
    result = copy_def(def, &fresh);
    if (result != THAW_OK) return result;
    fresh.handle = kept->handle;
    fresh.phase = kept->phase;
    fresh.since = kept->since;
    // a turbulence goes on from where it is
    if (fresh.def.change != kept->def.change) {
        fresh.phase += kept->def.change * (world->time - kept->since);
        fresh.since = world->time;
    }
    release(kept);
    *kept = fresh;
    return THAW_OK;
}

ThawResult thaw_world_remove_force(ThawWorld *world, ThawForceId force) {
    assert(world != NULL);
    ThawForce *gone = find_force(world, force);
    if (gone == NULL) return THAW_NOT_FOUND;
    release(gone);
    // close the gap and keep the order
    uint32_t index = (uint32_t)(gone - world->forces);
    world->force_count--;
    memmove(gone, gone + 1, (world->force_count - index) * sizeof *gone);
    return THAW_OK;
}

ThawResult thaw_world_force_at(const ThawWorld *world, ThawForceId force, ThawVec3 point,
                               double time, ThawVec3 *acceleration) {
    assert(world != NULL && acceleration != NULL);
    const ThawForce *found = find_force(world, force);
    if (found == NULL) return THAW_NOT_FOUND;
    double far = (double)THAW_CELL_LIMIT * world->domain.cell;
    bool near = fabs(point.x) < far && fabs(point.y) < far && fabs(point.z) < far;
    if (!near || !isfinite(time)) {
        return thaw_fail(THAW_BAD_INPUT, "point must be within %g m and time finite", far);
    }
    ThawForceField field = thaw_force_field(world, found, time, 0);
    const double metres[3] = {point.x, point.y, point.z};
    int64_t cells[3];
    thaw_domain_fix(&world->domain, metres, cells);
    ThawNoiseCache cache = {0};
    *acceleration = thaw_vec(0, 0, 0);
    if (!thaw_field_reaches(&field, cells, found->def.material.value)) return THAW_OK;
    *acceleration = thaw_field_push(&field, &cache, point);
    if (found->def.kind == THAW_FORCE_WIND) {
        double pull = field.share * found->def.drag * found->def.strength;
        *acceleration = thaw_scale(field.direction, pull);
    }
    return THAW_OK;
}
