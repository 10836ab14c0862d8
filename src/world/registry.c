// What the world knows by handle or name: materials, colliders, fields, channels.
//
// Handles of colliders and bodies count up and are never used twice, so a stale one is refused for
// ever, and the arrays, in order of creation, can be searched by halving.
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"

#include <assert.h>
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
    if (result == THAW_OK) *kept = thaw_material_from(&renamed);
    return result;
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
    ThawResult result = thaw_world_put_collider(world, def, world->next_collider);
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

ThawResult thaw_world_remove_collider(ThawWorld *world, ThawColliderId collider) {
    assert(world != NULL);
    ThawCollider *gone = thaw_world_collider(world, collider);
    if (gone == NULL) return fail_collider(collider);
    thaw_attachments_forget(world, collider);
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

bool thaw_world_is_own_channel(const char *name) {
    return strncmp(name, "lattice_", 8) == 0;
}

ThawResult thaw_world_add_channel(ThawWorld *world, const ThawChannelDef *def) {
    assert(world != NULL && def != NULL);
    if (def->name != NULL && thaw_world_is_own_channel(def->name)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "channel.name \"%.40s\" begins with lattice_, which solids keep for "
                         "themselves",
                         def->name);
    }
    return thaw_store_add_channel(world->store, def);
}
