// Rigid bodies: made from a def, and asked and pushed between steps.
#include "collision/rigid.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/matrix.h"
#include "math/vec.h"

#include <string.h>

ThawResult thaw_rigid_check_motion(const char *owner, ThawVec3 velocity, ThawVec3 spin,
                                   int dimensions) {
    if (!thaw_vec_finite(velocity)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic.velocity must be finite", owner);
    }
    if (!thaw_vec_finite(spin)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic.spin must be finite", owner);
    }
    if (dimensions == 2 && velocity.z != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic.velocity.z must be 0 in 2D, not %g", owner,
                         velocity.z);
    }
    if (dimensions == 2 && (spin.x != 0 || spin.y != 0)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic.spin must be about z in 2D", owner);
    }
    return THAW_OK;
}

// the inertia given about the axes of the shape's frame, in the world's
static void turn_given(ThawQuat q, ThawVec3 given, double inertia[6]) {
    ThawVec3 x = thaw_quat_rotate(q, thaw_vec(1, 0, 0)), y = thaw_quat_rotate(q, thaw_vec(0, 1, 0)),
             z = thaw_quat_rotate(q, thaw_vec(0, 0, 1));
    inertia[0] = given.x * x.x * x.x + given.y * y.x * y.x + given.z * z.x * z.x;
    inertia[1] = given.x * x.y * x.y + given.y * y.y * y.y + given.z * z.y * z.y;
    inertia[2] = given.x * x.z * x.z + given.y * y.z * y.z + given.z * z.z * z.z;
    inertia[3] = given.x * x.x * x.y + given.y * y.x * y.y + given.z * z.x * z.y;
    inertia[4] = given.x * x.y * x.z + given.y * y.y * y.z + given.z * z.y * z.z;
    inertia[5] = given.x * x.z * x.x + given.y * y.z * y.x + given.z * z.z * z.x;
}

static bool has_inertia(ThawVec3 inertia) {
    return inertia.x != 0 || inertia.y != 0 || inertia.z != 0;
}

static ThawResult check_inertia(ThawVec3 i, int dimensions, const char *owner) {
    bool good = i.z > 0 && isfinite(i.z);
    if (dimensions == 3) good = good && i.x > 0 && isfinite(i.x) && i.y > 0 && isfinite(i.y);
    if (good) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "%s: dynamic.inertia must be finite and above 0 about %s, not (%g, %g, %g)",
                     owner, dimensions == 3 ? "every axis" : "z", i.x, i.y, i.z);
}

// mass, centre and inertia, given or those of the shape
static ThawResult weigh(const ThawRigidDef *def, ThawRigid *rigid) {
    const ThawDynamicDef *dynamic = def->dynamic;
    int dimensions = def->domain->dimensions;
    ThawSolidMass solid = thaw_solid_mass(def->shape, dimensions);
    if (!(solid.volume > 0)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: dynamic needs a shape with %s", def->owner,
                         dimensions == 2 ? "a cross-section at z = 0" : "a volume");
    }
    rigid->mass = dynamic->mass > 0 ? dynamic->mass : dynamic->density * solid.volume;
    rigid->offset = solid.center;
    for (int k = 0; k < 6; k++) rigid->inertia[k] = solid.inertia[k] * rigid->mass / solid.volume;
    if (!has_inertia(dynamic->inertia)) return THAW_OK;
    ThawResult result = check_inertia(dynamic->inertia, dimensions, def->owner);
    if (result != THAW_OK) return result;
    ThawQuat turn = def->shape->pose.rotation;
    rigid->offset = thaw_quat_rotate(turn, dynamic->center);
    if (dimensions == 3) {
        turn_given(turn, dynamic->inertia, rigid->inertia);
        return THAW_OK;
    }
    memset(rigid->inertia, 0, sizeof rigid->inertia);
    rigid->inertia[2] = dynamic->inertia.z;
    rigid->offset.z = 0;
    return THAW_OK;
}

static double measure_reach(const ThawShape *shape, ThawVec3 offset, int dimensions) {
    ThawVec3 l, u;
    double reach = 0;
    thaw_shape_local_bounds(shape, &l, &u);
    for (int k = 0; k < 8; k++) {
        ThawVec3 x = {k & 1 ? u.x : l.x, k & 2 ? u.y : l.y, k & 4 ? u.z : l.z};
        x = thaw_sub(thaw_quat_rotate(shape->pose.rotation, x), offset);
        if (dimensions == 2) x.z = 0;
        reach = fmax(reach, thaw_length(x));
    }
    return reach;
}

static void place_home(const ThawRigidDef *def, ThawRigid *rigid) {
    const ThawDomain *domain = def->domain;
    ThawVec3 at = def->shape->pose.position;
    double metres[3] = {at.x, at.y, at.z};
    double offset[3] = {rigid->offset.x, rigid->offset.y, rigid->offset.z};
    rigid->cell = domain->cell;
    thaw_domain_fix(domain, metres, rigid->home);
    for (int a = 0; a < 3; a++) rigid->home[a] += thaw_fixed_from(offset[a] / domain->cell);
    if (domain->dimensions == 2) rigid->home[2] = 0;
    memcpy(rigid->center, rigid->home, sizeof rigid->center);
    rigid->turn = thaw_quat_identity();
    rigid->velocity = def->dynamic->velocity;
    rigid->spin = def->dynamic->spin;
}

static ThawResult fill(const ThawRigidDef *def, ThawRigid *rigid) {
    const ThawDynamicDef *dynamic = def->dynamic;
    int dimensions = def->domain->dimensions;
    ThawResult result =
        thaw_rigid_check_motion(def->owner, dynamic->velocity, dynamic->spin, dimensions);
    if (result == THAW_OK) result = weigh(def, rigid);
    if (result != THAW_OK) return result;
    place_home(def, rigid);
    if (!thaw_domain_holds(rigid->home)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: shape.pose.position is outside the domain",
                         def->owner);
    }
    rigid->reach = measure_reach(def->shape, rigid->offset, dimensions);
    result = thaw_surface_points(def->shape, dimensions, def->spacing, &rigid->points,
                                 &rigid->point_count);
    ThawVec3 offset = rigid->offset;
    if (dimensions == 2) offset.z = 0;
    for (uint32_t k = 0; k < rigid->point_count; k++) {
        rigid->points[k].place = thaw_sub(rigid->points[k].place, offset);
    }
    return result;
}

ThawResult thaw_rigid_create(const ThawRigidDef *def, ThawRigid **rigid) {
    *rigid = thaw_alloc(sizeof **rigid);
    if (*rigid == NULL) return thaw_fail_memory(sizeof **rigid);
    ThawResult result = fill(def, *rigid);
    if (result == THAW_OK) return THAW_OK;
    thaw_rigid_destroy(*rigid);
    *rigid = NULL;
    return result;
}

void thaw_rigid_destroy(ThawRigid *rigid) {
    if (rigid == NULL) return;
    thaw_free(rigid->points);
    thaw_free(rigid);
}

ThawPose thaw_rigid_pose(const ThawRigid *rigid, ThawPose home) {
    ThawVec3 center = {thaw_fixed_cells(rigid->center[0]) * rigid->cell,
                       thaw_fixed_cells(rigid->center[1]) * rigid->cell,
                       thaw_fixed_cells(rigid->center[2]) * rigid->cell};
    ThawVec3 back = {thaw_fixed_cells(rigid->home[0]) * rigid->cell - home.position.x,
                     thaw_fixed_cells(rigid->home[1]) * rigid->cell - home.position.y,
                     thaw_fixed_cells(rigid->home[2]) * rigid->cell - home.position.z};
    ThawQuat rotation = thaw_quat_mul(rigid->turn, home.rotation);
    return (ThawPose){thaw_sub(center, thaw_quat_rotate(rigid->turn, back)),
                      thaw_quat_normalize(rotation)};
}

void thaw_rigid_inertia(const ThawRigid *rigid, ThawQuat turn, double inertia[9]) {
    const double *i = rigid->inertia;
    ThawVec3 rows[3] = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    ThawQuat back = thaw_quat_conjugate(turn);
    const ThawVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < 3; a++) {
        ThawVec3 x = thaw_quat_rotate(back, axis[a]);
        x = thaw_vec(thaw_dot(rows[0], x), thaw_dot(rows[1], x), thaw_dot(rows[2], x));
        x = thaw_quat_rotate(turn, x);
        inertia[a] = x.x;
        inertia[3 + a] = x.y;
        inertia[6 + a] = x.z;
    }
}

ThawVec3 thaw_rigid_spin(const double inertia[9], ThawVec3 momentum, int dimensions) {
    if (dimensions == 2) return thaw_vec(0, 0, momentum.z / inertia[8]);
    // in its own measure, whatever the body's size
    double size = inertia[0] + inertia[4] + inertia[8];
    ThawMat3 m, inverse;
    for (int k = 0; k < 9; k++) m.m[k] = inertia[k] / size;
    thaw_mat3_invert(m, &inverse);
    const double *i = inverse.m;
    momentum = thaw_scale(momentum, 1 / size);
    return thaw_vec(i[0] * momentum.x + i[1] * momentum.y + i[2] * momentum.z,
                    i[3] * momentum.x + i[4] * momentum.y + i[5] * momentum.z,
                    i[6] * momentum.x + i[7] * momentum.y + i[8] * momentum.z);
}

void thaw_rigid_push(ThawRigid *rigid, int dimensions, ThawVec3 impulse, ThawVec3 arm) {
    if (dimensions == 2) impulse.z = 0;
    double inertia[9];
    thaw_rigid_inertia(rigid, rigid->turn, inertia);
    ThawVec3 change = thaw_rigid_spin(inertia, thaw_cross(arm, impulse), dimensions);
    rigid->velocity = thaw_add(rigid->velocity, thaw_scale(impulse, 1 / rigid->mass));
    rigid->spin = thaw_add(rigid->spin, change);
}
