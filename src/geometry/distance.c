// Exact signed distances, each from the closest point of the surface: one function a shape, one row
// a shape in the table below. All but the torus, the blend and the mesh are convex, which the path checks rely on.
#include "geometry/distance.h"

#include "base/result.h"
#include "geometry/blend.h"
#include "geometry/mesh_shape.h"
#include "math/vec.h"

// a closest-surface query: signed distance and the direction in which it grows fastest
typedef ThawNearest NearestFn(const ThawShape *shape, ThawVec3 p);

static double sign_of(double x) {
    return x < 0 ? -1.0 : 1.0;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

// unit vector of v; `otherwise` where v has no direction
static ThawVec3 unit_or(ThawVec3 v, ThawVec3 otherwise) {
    double length = thaw_length(v);
    return length > 1e-300 ? thaw_scale(v, 1.0 / length) : otherwise;
}

static ThawNearest nearest_box(const ThawShape *shape, ThawVec3 p) {
    ThawVec3 q = {fabs(p.x) - 0.5 * shape->size.x, fabs(p.y) - 0.5 * shape->size.y,
                  fabs(p.z) - 0.5 * shape->size.z};
    ThawVec3 out = {larger(q.x, 0), larger(q.y, 0), larger(q.z, 0)};
    double length = thaw_length(out);
    if (length > 0) {
        ThawVec3 n = {out.x / length * sign_of(p.x), out.y / length * sign_of(p.y),
                      out.z / length * sign_of(p.z)};
        return (ThawNearest){length, n};
    }
    // inside: the nearest face, the first axis on a tie
    if (q.x >= q.y && q.x >= q.z) return (ThawNearest){q.x, {sign_of(p.x), 0, 0}};
    if (q.y >= q.z) return (ThawNearest){q.y, {0, sign_of(p.y), 0}};
    return (ThawNearest){q.z, {0, 0, sign_of(p.z)}};
}

static ThawNearest nearest_sphere(const ThawShape *shape, ThawVec3 p) {
    return (ThawNearest){thaw_length(p) - shape->radius, unit_or(p, thaw_vec(0, 0, 1))};
}

static ThawNearest nearest_capsule(const ThawShape *shape, ThawVec3 p) {
    double half = 0.5 * shape->height;
    double along = p.z < -half ? -half : p.z > half ? half : p.z;
    ThawVec3 d = {p.x, p.y, p.z - along};
    return (ThawNearest){thaw_length(d) - shape->radius, unit_or(d, thaw_vec(1, 0, 0))};
}

// the radial unit vector about local z; x on the axis itself
static ThawVec3 radial(ThawVec3 p, double rho) {
    return rho > 1e-300 ? thaw_vec(p.x / rho, p.y / rho, 0) : thaw_vec(1, 0, 0);
}

static ThawNearest from_profile(double distance, ThawVec3 across, double n_rho, double n_z) {
    return (ThawNearest){distance, {across.x * n_rho, across.y * n_rho, n_z}};
}

static ThawNearest nearest_cylinder(const ThawShape *shape, ThawVec3 p) {
    double rho = sqrt(p.x * p.x + p.y * p.y);
    ThawVec3 across = radial(p, rho);
    double u = rho - shape->radius, v = fabs(p.z) - 0.5 * shape->height;
    double ou = larger(u, 0), ov = larger(v, 0);
    double length = sqrt(ou * ou + ov * ov);
    if (length > 0) return from_profile(length, across, ou / length, ov / length * sign_of(p.z));
    if (u >= v) return from_profile(u, across, 1, 0);
    return from_profile(v, across, 0, sign_of(p.z));
}

// In the profile (ρ, z) the cone is the triangle (0, 0) (R, 0) (0, H).
static ThawNearest nearest_cone(const ThawShape *shape, ThawVec3 p) {
    double R = shape->radius, H = shape->height;
    double rho = sqrt(p.x * p.x + p.y * p.y);
    ThawVec3 across = radial(p, rho);
    double slant = sqrt(R * R + H * H);
    double n_rho = H / slant, n_z = R / slant; // outward normal of the flank
    double flank = (rho - R) * n_rho + p.z * n_z, base = -p.z;
    if (flank <= 0 && base <= 0) {
        return flank >= base ? from_profile(flank, across, n_rho, n_z)
                             : from_profile(base, across, 0, -1);
    }
    // closest point of the flank segment, and of the base disc
    double t = (-(rho - R) * R + p.z * H) / (slant * slant);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double fu = rho - R * (1 - t), fv = p.z - H * t;
    double bu = larger(rho - R, 0), bv = p.z;
    bool to_base = bu * bu + bv * bv < fu * fu + fv * fv;
    double u = to_base ? bu : fu, v = to_base ? bv : fv;
    double length = sqrt(u * u + v * v);
    if (length > 1e-300) return from_profile(length, across, u / length, v / length);
    return from_profile(0, across, n_rho, n_z);
}

static ThawNearest nearest_torus(const ThawShape *shape, ThawVec3 p) {
    double rho = sqrt(p.x * p.x + p.y * p.y);
    ThawVec3 across = radial(p, rho);
    double u = rho - shape->radius, length = sqrt(u * u + p.z * p.z);
    if (length > 1e-300) {
        return from_profile(length - shape->tube, across, u / length, p.z / length);
    }
    return from_profile(-shape->tube, across, 0, 1);
}

static ThawNearest nearest_plane(const ThawShape *shape, ThawVec3 p) {
    (void)shape;
    return (ThawNearest){p.z, {0, 0, 1}};
}

typedef enum Measure { SIZE = 1, RADIUS = 2, HEIGHT = 4, TUBE = 8, BALLS = 16, FIELD = 32 } Measure;

// one row a shape: its name in sentences, its query, the measures it needs
static const struct {
    const char *name;
    NearestFn *nearest;
    unsigned measures;
} rows[THAW_SHAPE_KINDS] = {
    [THAW_SHAPE_BOX] = {"box", nearest_box, SIZE},
    [THAW_SHAPE_SPHERE] = {"sphere", nearest_sphere, RADIUS},
    [THAW_SHAPE_CAPSULE] = {"capsule", nearest_capsule, RADIUS},
    [THAW_SHAPE_CYLINDER] = {"cylinder", nearest_cylinder, RADIUS | HEIGHT},
    [THAW_SHAPE_CONE] = {"cone", nearest_cone, RADIUS | HEIGHT},
    [THAW_SHAPE_TORUS] = {"torus", nearest_torus, RADIUS | TUBE},
    [THAW_SHAPE_PLANE] = {"plane", nearest_plane, 0},
    [THAW_SHAPE_BLEND] = {"blend", thaw_blend_nearest, BALLS},
    [THAW_SHAPE_MESH] = {"mesh", thaw_mesh_shape_nearest, FIELD},
};

bool thaw_shape_is_convex(ThawShapeKind kind) {
    return kind != THAW_SHAPE_TORUS && kind != THAW_SHAPE_BLEND && kind != THAW_SHAPE_MESH;
}

ThawNearest thaw_shape_local_nearest(const ThawShape *shape, ThawVec3 local) {
    return rows[shape->kind].nearest(shape, local);
}

double thaw_shape_local_distance(const ThawShape *shape, ThawVec3 local) {
    if (shape->kind == THAW_SHAPE_MESH) return thaw_mesh_shape_distance(shape, local);
    return rows[shape->kind].nearest(shape, local).distance;
}

ThawVec3 thaw_shape_local_normal(const ThawShape *shape, ThawVec3 local) {
    return rows[shape->kind].nearest(shape, local).normal;
}

bool thaw_shape_local_bounds(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper) {
    double r = shape->radius, half = 0.5 * shape->height;
    switch (shape->kind) {
    case THAW_SHAPE_BOX: *upper = thaw_scale(shape->size, 0.5); break;
    case THAW_SHAPE_SPHERE: *upper = thaw_vec(r, r, r); break;
    case THAW_SHAPE_CAPSULE: *upper = thaw_vec(r, r, half + r); break;
    case THAW_SHAPE_CYLINDER: *upper = thaw_vec(r, r, half); break;
    case THAW_SHAPE_CONE: *upper = thaw_vec(r, r, shape->height); break;
    case THAW_SHAPE_TORUS: *upper = thaw_vec(r + shape->tube, r + shape->tube, shape->tube); break;
    case THAW_SHAPE_BLEND: thaw_blend_bounds(shape, lower, upper); return true;
    case THAW_SHAPE_MESH: thaw_mesh_shape_bounds(shape, lower, upper); return true;
    case THAW_SHAPE_PLANE:
    case THAW_SHAPE_KINDS: return false;
    }
    *lower = thaw_scale(*upper, -1.0);
    if (shape->kind == THAW_SHAPE_CONE) lower->z = 0;
    return true;
}

static bool positive(double x) {
    return isfinite(x) && x > 0;
}

static ThawResult check_measures(const ThawShape *shape, const char *owner) {
    const char *name = rows[shape->kind].name;
    unsigned needs = rows[shape->kind].measures;
    ThawVec3 size = shape->size;
    if ((needs & SIZE) && !(positive(size.x) && positive(size.y) && positive(size.z))) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: the %s's size must be finite and above 0, "
                         "not %g %g %g",
                         owner, name, size.x, size.y, size.z);
    }
    if ((needs & RADIUS) && !positive(shape->radius)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the %s's radius must be finite and above 0, not %g",
                         owner, name, shape->radius);
    }
    if ((needs & HEIGHT) && !positive(shape->height)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the %s's height must be finite and above 0, not %g",
                         owner, name, shape->height);
    }
    if (shape->kind == THAW_SHAPE_CAPSULE && !(isfinite(shape->height) && shape->height >= 0)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: the capsule's height must be finite and not below 0, "
                         "not %g",
                         owner, shape->height);
    }
    if ((needs & TUBE) && !(positive(shape->tube) && shape->tube <= shape->radius)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: the torus's tube must be above 0 and at most its "
                         "radius, not %g",
                         owner, shape->tube);
    }
    if (needs & FIELD) return thaw_mesh_shape_check(shape, owner);
    return (needs & BALLS) ? thaw_blend_check(shape, owner) : THAW_OK;
}

ThawResult thaw_shape_check(const ThawShape *shape, const char *owner) {
    if ((int)shape->kind < 0 || shape->kind >= THAW_SHAPE_KINDS) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the shape's kind must be 0 to %d, not %d", owner,
                         (int)THAW_SHAPE_KINDS - 1, (int)shape->kind);
    }
    if (!thaw_vec_finite(shape->pose.position)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the shape's position must be finite", owner);
    }
    ThawQuat q = shape->pose.rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(isfinite(norm) && fabs(norm - 1.0) < 1e-6)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the shape's rotation must be a unit quaternion",
                         owner);
    }
    return check_measures(shape, owner);
}
