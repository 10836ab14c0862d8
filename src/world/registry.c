// What the world knows by handle or name: materials, colliders, fields, channels.
//
// Handles of colliders and bodies count up and are never used twice, so a stale one is refused for
// ever, and the arrays, in order of creation, can be searched by halving.
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

ThawResult thaw_world_grow(void **array, uint32_t *capacity, uint32_t count, size_t element) {
    if (count < *capacity) return THAW_OK;
    uint32_t wanted = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    void *grown = thaw_realloc(*array, *capacity * element, wanted * element);
    if (grown == NULL) return thaw_fail_memory(wanted * element);
    *array = grown;
    *capacity = wanted;
    return THAW_OK;
}

// ---------------------------------------------------------------- materials

ThawMaterial *thaw_world_material(const ThawWorld *world, ThawMaterialId material) {
    if (material.value == 0 || material.value > world->material_count) return NULL;
    return &world->materials[material.value - 1];
}

// pairs of two materials share one power
static ThawResult check_exponent(const ThawWorld *world, const ThawMaterialDef *def,
                                 const ThawMaterial *self) {
    for (uint32_t k = 0; k < world->material_count; k++) {
        const ThawLiquidDef *other = &world->materials[k].liquid;
        if (&world->materials[k] == self) continue;
        if (!(other->tensile > 0 && def->liquid.tensile > 0)) continue;
        if (other->tensile_exponent == def->liquid.tensile_exponent) continue;
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": liquid.tensile_exponent must be %d as in \"%s\", not %d",
                         def->name, other->tensile_exponent, world->materials[k].name,
                         def->liquid.tensile_exponent);
    }
    return THAW_OK;
}

ThawResult thaw_world_add_material(ThawWorld *world, const ThawMaterialDef *def,
                                   ThawMaterialId *material) {
    assert(world != NULL && def != NULL);
    ThawResult result = thaw_material_check(def);
    if (result != THAW_OK) return result;
    for (uint32_t k = 0; k < world->material_count; k++) {
        if (strcmp(world->materials[k].name, def->name) != 0) continue;
        return thaw_fail(THAW_BAD_INPUT, "material \"%s\": the name is taken in this world",
                         def->name);
    }
    result = check_exponent(world, def, NULL);
    if (result != THAW_OK) return result;
    if (world->material_count == THAW_WORLD_MATERIALS) {
        return thaw_fail(THAW_BAD_INPUT, "material \"%s\": a world holds at most %u materials",
                         def->name, THAW_WORLD_MATERIALS);
    }
    void *array = world->materials;
    result = thaw_world_grow(&array, &world->material_capacity, world->material_count,
                             sizeof *world->materials);
    world->materials = array;
    if (result == THAW_OK && world->rules != NULL)
        result = thaw_heat_fit_rules(world, world->material_count + 1);
    if (result != THAW_OK) return result;
    world->materials[world->material_count++] = thaw_material_from(def);
    if (material != NULL) material->value = world->material_count;
    return THAW_OK;
}

ThawResult thaw_world_set_material(ThawWorld *world, ThawMaterialId material,
                                   const ThawMaterialDef *def) {
    assert(world != NULL && def != NULL);
    ThawMaterial *kept = thaw_world_material(world, material);
    if (kept == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "material %u is not in this world", material.value);
    }
    ThawMaterialDef renamed = *def;
    renamed.name = kept->name;
    ThawResult result = thaw_material_check(&renamed);
    if (result == THAW_OK) result = check_exponent(world, &renamed, kept);
    if (result != THAW_OK) return result;
    thaw_heat_change_curve(world, material.value - 1, &def->thermal);
    *kept = thaw_material_from(&renamed);
    thaw_world_renew(world);
    return THAW_OK;
}

// ---------------------------------------------------------------- colliders

ThawCollider *thaw_world_collider(const ThawWorld *world, ThawColliderId collider) {
    uint32_t low = 0, high = world->collider_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (world->colliders[middle].handle < collider.value)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < world->collider_count && world->colliders[low].handle == collider.value;
    return found ? &world->colliders[low] : NULL;
}

ThawResult thaw_world_put_collider(ThawWorld *world, const ThawColliderDef *def, uint32_t handle) {
    ThawResult result = thaw_collider_check(def);
    if (result != THAW_OK) return result;
    if (def->shape.kind == THAW_SHAPE_BLEND) {
        return thaw_fail(THAW_BAD_INPUT, "collider '%s': a blend cannot be a collider yet",
                         def->name);
    }
    void *array = world->colliders;
    result = thaw_world_grow(&array, &world->collider_capacity, world->collider_count,
                             sizeof *world->colliders);
    world->colliders = array;
    if (result != THAW_OK) return result;
    ThawCollider *fresh = &world->colliders[world->collider_count];
    memset(fresh, 0, sizeof *fresh);
    result = thaw_collider_from(def, fresh);
    if (result != THAW_OK) return result;
    result = thaw_collider_weigh(fresh, &world->domain, world->def.spacing);
    if (result != THAW_OK) {
        thaw_collider_release(fresh);
        return result;
    }
    fresh->handle = handle;
    world->collider_count++;
    return THAW_OK;
}

ThawResult thaw_world_add_collider(ThawWorld *world, const ThawColliderDef *def,
                                   ThawColliderId *collider) {
    assert(world != NULL && def != NULL);
    if (world->next_collider > THAW_WORLD_HANDLES) {
        return thaw_fail(THAW_BAD_INPUT, "collider: the world has no handles left");
    }
    ThawResult result = def->frosts ? thaw_heat_open_frost(world) : THAW_OK;
    if (result == THAW_OK) result = thaw_world_put_collider(world, def, world->next_collider);
    if (result != THAW_OK) return result;
    if (collider != NULL) collider->value = world->next_collider;
    world->next_collider++;
    return THAW_OK;
}

static ThawResult fail_collider(ThawColliderId collider) {
    return thaw_fail(THAW_NOT_FOUND, "collider %u is not in this world, or was removed",
                     collider.value);
}

ThawResult thaw_world_set_collider(ThawWorld *world, ThawColliderId collider, float friction,
                                   float restitution) {
    assert(world != NULL);
    ThawCollider *kept = thaw_world_collider(world, collider);
    if (kept == NULL) return fail_collider(collider);
    ThawResult result = thaw_collider_check_surface(kept->name, friction, restitution);
    if (result != THAW_OK) return result;
    kept->friction = friction;
    kept->restitution = restitution;
    return THAW_OK;
}

ThawResult thaw_world_set_collider_adhesion(ThawWorld *world, ThawColliderId collider,
                                            float adhesion) {
    assert(world != NULL);
    ThawCollider *kept = thaw_world_collider(world, collider);
    if (kept == NULL) return fail_collider(collider);
    ThawResult result = thaw_collider_check_adhesion(kept->name, adhesion);
    if (result == THAW_OK) kept->adhesion = adhesion;
    return result;
}

ThawResult thaw_world_set_collider_temperature(ThawWorld *world, ThawColliderId collider,
                                               float temperature) {
    assert(world != NULL);
    ThawCollider *kept = thaw_world_collider(world, collider);
    if (kept == NULL) return fail_collider(collider);
    ThawResult result = thaw_collider_check_temperature(kept->name, temperature);
    if (result == THAW_OK) kept->temperature = temperature;
    return result;
}

ThawResult thaw_world_deform_collider(ThawWorld *world, ThawColliderId id, const ThawMesh *mesh,
                                      double time) {
    assert(world != NULL && mesh != NULL);
    ThawCollider *collider = thaw_world_collider(world, id);
    if (collider == NULL) return fail_collider(id);
    if (collider->shape.kind != THAW_SHAPE_MESH) {
        return thaw_fail(THAW_BAD_INPUT, "collider '%s': only a mesh can change its form",
                         collider->name);
    }
    if (collider->rigid != NULL) {
        return thaw_fail(THAW_BAD_INPUT, "collider '%s': a dynamic collider cannot change its form",
                         collider->name);
    }
    if (!(isfinite(time) && time > world->time)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "collider '%s': the time of its next form must be after %g s, not %g s",
                         collider->name, world->time, time);
    }
    ThawDeform *deform = collider->deform;
    ThawResult result = THAW_OK;
    if (deform == NULL) result = thaw_deform_create(collider->shape.field, &deform);
    if (result != THAW_OK) return result;
    result = thaw_deform_aim(deform, mesh, world->time, time, world->parallel);
    if (result == THAW_OK)
        collider->deform = deform;
    else if (collider->deform == NULL)
        thaw_deform_destroy(deform);
    return result;
}

ThawResult thaw_world_remove_collider(ThawWorld *world, ThawColliderId collider) {
    assert(world != NULL);
    ThawCollider *gone = thaw_world_collider(world, collider);
    if (gone == NULL) return fail_collider(collider);
    thaw_attachments_forget(world, collider);
    thaw_frost_forget(world, collider);
    thaw_collider_release(gone);
    // close the gap and keep the order
    uint32_t index = (uint32_t)(gone - world->colliders);
    world->collider_count--;
    memmove(gone, gone + 1, (world->collider_count - index) * sizeof *gone);
    return THAW_OK;
}

ThawResult thaw_world_contact(const ThawWorld *world, ThawColliderId collider,
                              ThawContact *contact) {
    assert(world != NULL && contact != NULL);
    const ThawCollider *found = thaw_world_collider(world, collider);
    if (found == NULL) return fail_collider(collider);
    *contact = found->contact;
    return THAW_OK;
}

// ---------------------------------------------------------------- what moves

// where a keyframed collider will be a moment from now tells how it moves
static void find_keyed_motion(const ThawCollider *collider, double time, ThawColliderState *state) {
    const double moment = 1e-6;
    if (collider->motion_count == 0) return;
    ThawPose later = thaw_collider_pose(collider, time + moment);
    ThawVec3 way = thaw_sub(later.position, state->pose.position);
    ThawQuat turn = thaw_quat_mul(later.rotation, thaw_quat_conjugate(state->pose.rotation));
    ThawVec3 half = thaw_scale(thaw_vec(turn.x, turn.y, turn.z), turn.w < 0 ? -1 : 1);
    state->velocity = thaw_scale(way, 1 / moment);
    state->spin = thaw_scale(half, 2 / moment);
}

static void find_rigid_motion(const ThawRigid *rigid, ThawColliderState *state) {
    double m[9];
    thaw_rigid_inertia(rigid, rigid->turn, m);
    state->dynamic = true;
    state->center =
        thaw_scale(thaw_vec(thaw_fixed_cells(rigid->center[0]), thaw_fixed_cells(rigid->center[1]),
                            thaw_fixed_cells(rigid->center[2])),
                   rigid->cell);
    state->velocity = rigid->velocity;
    state->spin = rigid->spin;
    state->mass = rigid->mass;
    const double inertia[6] = {m[0], m[4], m[8], m[1], m[5], m[2]};
    memcpy(state->inertia, inertia, sizeof inertia);
}

ThawResult thaw_world_collider_state(const ThawWorld *world, ThawColliderId id,
                                     ThawColliderState *state) {
    assert(world != NULL && state != NULL);
    const ThawCollider *collider = thaw_world_collider(world, id);
    if (collider == NULL) return fail_collider(id);
    if (collider->rigid != NULL) {
        *state =
            (ThawColliderState){.pose = thaw_rigid_pose(collider->rigid, collider->shape.pose)};
        find_rigid_motion(collider->rigid, state);
        return THAW_OK;
    }
    *state = (ThawColliderState){.pose = thaw_collider_pose(collider, world->time)};
    state->center = state->pose.position;
    find_keyed_motion(collider, world->time, state);
    return THAW_OK;
}

static ThawResult find_rigid(const ThawWorld *world, ThawColliderId id, ThawRigid **rigid) {
    const ThawCollider *collider = thaw_world_collider(world, id);
    if (collider == NULL) return fail_collider(id);
    *rigid = collider->rigid;
    if (*rigid != NULL) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "collider '%s' is not dynamic", collider->name);
}

ThawResult thaw_world_set_collider_velocity(ThawWorld *world, ThawColliderId collider,
                                            ThawVec3 velocity, ThawVec3 spin) {
    assert(world != NULL);
    ThawRigid *rigid;
    ThawResult result = find_rigid(world, collider, &rigid);
    if (result != THAW_OK) return result;
    result = thaw_rigid_check_motion("collider", velocity, spin, world->def.dimensions);
    if (result != THAW_OK) return result;
    rigid->velocity = velocity;
    rigid->spin = spin;
    thaw_frost_set_velocity(world, collider);
    return THAW_OK;
}

ThawResult thaw_world_push_collider(ThawWorld *world, ThawColliderId collider, ThawVec3 impulse,
                                    ThawVec3 point) {
    assert(world != NULL);
    ThawRigid *rigid;
    ThawResult result = find_rigid(world, collider, &rigid);
    if (result != THAW_OK) return result;
    if (!thaw_vec_finite(impulse) || !thaw_vec_finite(point)) {
        return thaw_fail(THAW_BAD_INPUT, "impulse and point must be finite");
    }
    ThawColliderState state;
    find_rigid_motion(rigid, &state);
    ThawVec3 arm = thaw_sub(point, state.center);
    if (world->def.dimensions == 2) arm.z = 0;
    thaw_rigid_push(rigid, world->def.dimensions, impulse, arm);
    return THAW_OK;
}

// ---------------------------------------------------------------- models

const char *thaw_model_name(uint32_t index, const char **summary) {
    for (uint32_t k = 0; thaw_models[k] != NULL; k++) {
        if (k < index) continue;
        if (summary != NULL) *summary = thaw_models[k]->summary;
        return thaw_models[k]->name;
    }
    return NULL;
}

// ---------------------------------------------------------------- fields and channels

static const ThawFieldInfo fields[THAW_FIELD_COUNT] = {
#define FIELD_INFO(name, ctype, type, components, unit, saved, meaning)                            \
    {#name, type, components, unit, meaning, saved},
    THAW_FIELDS(FIELD_INFO)
#undef FIELD_INFO
};

const ThawFieldInfo *thaw_world_field(uint32_t field) {
    return field < THAW_FIELD_COUNT ? &fields[field] : NULL;
}

bool thaw_world_is_own_channel(const ThawWorld *world, const char *name) {
    return strncmp(name, "lattice_", 8) == 0 || thaw_heat_is_channel(world, name);
}

ThawResult thaw_world_add_channel(ThawWorld *world, const ThawChannelDef *def) {
    assert(world != NULL && def != NULL);
    if (def->name != NULL && thaw_heat_is_channel(world, def->name)) {
        return thaw_fail(THAW_BAD_INPUT, "channel.name \"%.40s\" is one that heat keeps for itself",
                         def->name);
    }
    if (def->name != NULL && thaw_world_is_own_channel(world, def->name)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "channel.name \"%.40s\" begins with lattice_, which solids keep for "
                         "themselves",
                         def->name);
    }
    if (def->type != THAW_F32 && def->type != THAW_I32) {
        return thaw_fail(THAW_BAD_INPUT, "channel.type of \"%.40s\" must be THAW_F32 or THAW_I32",
                         def->name == NULL ? "" : def->name);
    }
    return thaw_store_add_channel(world->store, def);
}
