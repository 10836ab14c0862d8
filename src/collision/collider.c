// Colliders: checking their defs, keeping them, and where their motion puts them.
#include "collision/collider.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <stdio.h>
#include <string.h>

#define OWNER_SIZE (THAW_NAME_SIZE + 16)
#define MOST_TEMPERATURE 1e6f // K
#define MOST_TRANSFER 1e9f    // W/(m² K)

ThawColliderDef thaw_collider_default(void) {
    return (ThawColliderDef){.name = "",
                             .shape = {.pose = {{0, 0, 0}, {0, 0, 0, 1}}},
                             .friction = 0.4f,
                             .dynamic = {.density = 1000}};
}

static ThawResult check_key(const ThawKeyframe *key, int k, const char *owner) {
    if (!isfinite(key->time)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: motion[%d].time must be finite, not %g", owner, k,
                         key->time);
    }
    if (!thaw_vec_finite(key->move)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: motion[%d].move must be finite", owner, k);
    }
    ThawQuat q = key->rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(isfinite(norm) && fabs(norm - 1.0) < 1e-6)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: motion[%d].rotation must be a unit quaternion", owner,
                         k);
    }
    return THAW_OK;
}

static ThawResult check_motion(const ThawColliderDef *def, const char *owner) {
    if (def->motion == NULL && def->motion_count == 0) return THAW_OK;
    if (def->motion == NULL || def->motion_count < 1) {
        return thaw_fail(THAW_BAD_INPUT, "%s: motion_count is %d but motion is %s", owner,
                         def->motion_count, def->motion == NULL ? "NULL" : "given");
    }
    for (int k = 0; k < def->motion_count; k++) {
        ThawResult result = check_key(&def->motion[k], k, owner);
        if (result != THAW_OK) return result;
        if (k > 0 && def->motion[k].time <= def->motion[k - 1].time) {
            return thaw_fail(THAW_BAD_INPUT,
                             "%s: motion[%d].time must be above motion[%d].time, "
                             "but %g follows %g",
                             owner, k, k - 1, def->motion[k].time, def->motion[k - 1].time);
        }
    }
    return THAW_OK;
}

static void name_owner(const char *name, char owner[OWNER_SIZE]) {
    snprintf(owner, OWNER_SIZE, name[0] ? "collider '%s'" : "collider%s", name);
}

ThawResult thaw_collider_check_surface(const char *name, float friction, float restitution) {
    char owner[OWNER_SIZE];
    name_owner(name, owner);
    if (!(friction >= 0 && isfinite(friction))) {
        return thaw_fail(THAW_BAD_INPUT, "%s: friction must be finite and not below 0, not %g",
                         owner, (double)friction);
    }
    if (!(restitution >= 0 && restitution <= 1)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: restitution must be 0 to 1, not %g", owner,
                         (double)restitution);
    }
    return THAW_OK;
}

ThawResult thaw_collider_check_adhesion(const char *name, float adhesion) {
    if (adhesion >= 0 && adhesion <= 1) return THAW_OK;
    char owner[OWNER_SIZE];
    name_owner(name, owner);
    return thaw_fail(THAW_BAD_INPUT, "%s: adhesion must be 0 to 1, not %g", owner,
                     (double)adhesion);
}

ThawResult thaw_collider_check_temperature(const char *name, float temperature) {
    if (temperature >= 0 && temperature <= MOST_TEMPERATURE) return THAW_OK;
    char owner[OWNER_SIZE];
    name_owner(name, owner);
    return thaw_fail(THAW_BAD_INPUT,
                     "%s: temperature must be above 0 and at most %g K, or 0 to insulate, not %g",
                     owner, (double)MOST_TEMPERATURE, (double)temperature);
}

static ThawResult check_heat(const ThawColliderDef *def) {
    ThawResult result = thaw_collider_check_temperature(def->name, def->temperature);
    if (result != THAW_OK) return result;
    if (def->heat_transfer >= 0 && def->heat_transfer <= MOST_TRANSFER) return THAW_OK;
    char owner[OWNER_SIZE];
    name_owner(def->name, owner);
    return thaw_fail(THAW_BAD_INPUT, "%s: heat_transfer must be 0 to %g W/(m² K), not %g", owner,
                     (double)MOST_TRANSFER, (double)def->heat_transfer);
}

// what kind of collider can be pushed
static ThawResult check_movable(const ThawColliderDef *def, const char *owner) {
    if (def->shape.kind == THAW_SHAPE_PLANE) {
        return thaw_fail(THAW_BAD_INPUT, "%s: a plane cannot be dynamic: it has no end", owner);
    }
    if (def->container) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: a container cannot be dynamic: what surrounds it has no end", owner);
    }
    if (def->motion_count > 0) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: a collider with a motion cannot be dynamic: it is moved by one or "
                         "the other",
                         owner);
    }
    return THAW_OK;
}

static ThawResult check_dynamic(const ThawColliderDef *def, const char *owner) {
    const ThawDynamicDef *dynamic = &def->dynamic;
    if (!dynamic->on) return THAW_OK;
    ThawResult result = check_movable(def, owner);
    if (result != THAW_OK) return result;
    if (!(dynamic->mass >= 0 && isfinite(dynamic->mass))) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic.mass must be finite and not below 0, not %g",
                         owner, dynamic->mass);
    }
    if (dynamic->mass == 0 && !(dynamic->density > 0 && isfinite(dynamic->density))) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic.density must be finite and above 0, not %g",
                         owner, dynamic->density);
    }
    if (!thaw_vec_finite(dynamic->center)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic.center must be finite", owner);
    }
    return thaw_rigid_check_motion(owner, dynamic->velocity, dynamic->spin, 3);
}

ThawResult thaw_collider_check(const ThawColliderDef *def) {
    if (def->name == NULL) return thaw_fail(THAW_BAD_INPUT, "collider: name must not be NULL");
    if (strlen(def->name) >= THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "collider: name must be shorter than %d bytes, not %zu",
                         THAW_NAME_SIZE, strlen(def->name));
    }
    ThawResult result = thaw_collider_check_surface(def->name, def->friction, def->restitution);
    if (result == THAW_OK) result = thaw_collider_check_adhesion(def->name, def->adhesion);
    if (result == THAW_OK) result = check_heat(def);
    if (result != THAW_OK) return result;
    char owner[OWNER_SIZE];
    name_owner(def->name, owner);
    result = thaw_shape_check(&def->shape, owner);
    if (result == THAW_OK) result = check_motion(def, owner);
    return result != THAW_OK ? result : check_dynamic(def, owner);
}

ThawResult thaw_collider_from(const ThawColliderDef *def, ThawCollider *collider) {
    *collider = (ThawCollider){.shape = def->shape,
                               .container = def->container,
                               .friction = def->friction,
                               .restitution = def->restitution,
                               .adhesion = def->adhesion,
                               .temperature = def->temperature,
                               .heat_transfer = def->heat_transfer,
                               .frosts = def->frosts,
                               .dynamic = def->dynamic};
    snprintf(collider->name, sizeof collider->name, "%s", def->name);
    collider->shape.pose.rotation = thaw_quat_normalize(def->shape.pose.rotation);
    if (def->motion_count > 0) {
        size_t bytes = (size_t)def->motion_count * sizeof(ThawKeyframe);
        collider->motion = thaw_alloc(bytes);
        if (collider->motion == NULL) return thaw_fail_memory(bytes);
        memcpy(collider->motion, def->motion, bytes);
        collider->motion_count = def->motion_count;
    }
    if (def->shape.kind == THAW_SHAPE_MESH) thaw_field_retain(def->shape.field);
    return THAW_OK;
}

ThawResult thaw_collider_weigh(ThawCollider *collider, const ThawDomain *domain, double spacing) {
    if (!collider->dynamic.on) return THAW_OK;
    char owner[OWNER_SIZE];
    name_owner(collider->name, owner);
    thaw_rigid_destroy(collider->rigid);
    ThawRigidDef def = {&collider->shape, &collider->dynamic, domain, spacing, owner};
    return thaw_rigid_create(&def, &collider->rigid);
}

void thaw_collider_release(ThawCollider *collider) {
    thaw_free(collider->motion);
    thaw_rigid_destroy(collider->rigid);
    collider->rigid = NULL;
    if (collider->shape.kind == THAW_SHAPE_MESH) {
        thaw_field_release((ThawField *)(uintptr_t)collider->shape.field);
    }
    collider->shape.field = NULL;
    thaw_deform_destroy(collider->deform);
    collider->deform = NULL;
    collider->motion = NULL;
    collider->motion_count = 0;
}

ThawKeyframe thaw_collider_motion(const ThawCollider *collider, double time) {
    int count = collider->motion_count;
    const ThawKeyframe *keys = collider->motion;
    if (count == 0) return (ThawKeyframe){time, {0, 0, 0}, {0, 0, 0, 1}};
    if (time <= keys[0].time) return keys[0];
    if (time >= keys[count - 1].time) return keys[count - 1];
    // the last key at or before the time
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (keys[mid].time <= time)
            low = mid;
        else
            high = mid;
    }
    double t = (time - keys[low].time) / (keys[high].time - keys[low].time);
    ThawVec3 step = thaw_scale(thaw_sub(keys[high].move, keys[low].move), t);
    return (ThawKeyframe){time, thaw_add(keys[low].move, step),
                          thaw_quat_slerp(keys[low].rotation, keys[high].rotation, t)};
}

ThawPose thaw_collider_pose(const ThawCollider *collider, double time) {
    ThawKeyframe key = thaw_collider_motion(collider, time);
    ThawQuat rotation = thaw_quat_mul(key.rotation, collider->shape.pose.rotation);
    return (ThawPose){thaw_add(collider->shape.pose.position, key.move),
                      thaw_quat_normalize(rotation)};
}
