// Cross-sections at z = 0: what a 2D world sees of a shape.
#include "geometry/blend.h"
#include "geometry/distance.h"
#include "geometry/mesh_shape.h"
#include "math/vec.h"

#define ENDLESS 1e6   // times the shape's own largest measure: as good as without end
#define ALIGNED 1e-12 // how far from upright or flat an axis may be, as a squared sine

static ThawVec3 axis_of(const ThawShape *shape, ThawVec3 local) {
    return thaw_quat_rotate(shape->pose.rotation, local);
}

static bool upright(ThawVec3 axis) {
    return axis.x * axis.x + axis.y * axis.y < ALIGNED;
}

static bool flat(ThawVec3 axis) {
    return axis.z * axis.z < ALIGNED;
}

// half the chord that z = 0 cuts from a circle of radius r at height z; negative when it misses
static double half_chord(double r, double z) {
    return r > fabs(z) ? sqrt(r * r - z * z) : -1.0;
}

static bool section_box(ThawShape *s) {
    double z = s->pose.position.z;
    double *size[3] = {&s->size.x, &s->size.y, &s->size.z};
    ThawVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double largest = fmax(s->size.x, fmax(s->size.y, s->size.z));
    for (int a = 0; a < 3; a++) {
        if (!upright(axis_of(s, axes[a]))) continue;
        if (fabs(z) >= 0.5 * *size[a]) return false;
        *size[a] = ENDLESS * largest;
        s->pose.position.z = 0;
        return true;
    }
    return true;
}

static bool section_sphere(ThawShape *s) {
    s->radius = half_chord(s->radius, s->pose.position.z);
    s->pose.position.z = 0;
    return s->radius > 0;
}

static bool section_capsule(ThawShape *s) {
    ThawVec3 axis = axis_of(s, thaw_vec(0, 0, 1));
    double beyond = fabs(s->pose.position.z) - 0.5 * s->height;
    if (upright(axis)) {
        // a disc: the tube's, or a slice of the cap's
        s->kind = THAW_SHAPE_SPHERE;
        s->radius = beyond <= 0 ? s->radius : half_chord(s->radius, beyond);
        s->pose.position.z = 0;
    } else if (flat(axis)) {
        s->radius = half_chord(s->radius, s->pose.position.z);
        s->pose.position.z = 0;
    }
    return s->radius > 0;
}

static bool section_cylinder(ThawShape *s) {
    ThawVec3 axis = axis_of(s, thaw_vec(0, 0, 1));
    double z = s->pose.position.z;
    if (upright(axis)) {
        if (fabs(z) >= 0.5 * s->height) return false;
        s->height = ENDLESS * fmax(s->radius, s->height);
        s->pose.position.z = 0;
    } else if (flat(axis)) {
        s->radius = half_chord(s->radius, z);
        s->pose.position.z = 0;
    }
    return s->radius > 0;
}

static bool section_cone(ThawShape *s) {
    ThawVec3 axis = axis_of(s, thaw_vec(0, 0, 1));
    if (!upright(axis)) return true;
    // height of the plane above the base, towards the apex
    double up = axis.z > 0 ? -s->pose.position.z : s->pose.position.z;
    if (up <= 0 || up >= s->height) return false;
    s->kind = THAW_SHAPE_SPHERE;
    s->radius *= 1.0 - up / s->height;
    s->pose.position.z = 0;
    return true;
}

static bool section_torus(ThawShape *s) {
    if (!upright(axis_of(s, thaw_vec(0, 0, 1)))) return true;
    s->tube = half_chord(s->tube, s->pose.position.z);
    s->pose.position.z = 0;
    return s->tube > 0;
}

static bool section_plane(ThawShape *s) {
    ThawVec3 n = axis_of(s, thaw_vec(0, 0, 1));
    double slope = sqrt(n.x * n.x + n.y * n.y);
    // a plane that lies flat has all of z = 0 on one side
    if (slope * slope < ALIGNED) return n.z * s->pose.position.z > 0;
    ThawVec3 across = {n.x / slope, n.y / slope, 0};
    double offset = s->pose.position.z * n.z / slope;
    s->pose.position.x += across.x * offset;
    s->pose.position.y += across.y * offset;
    s->pose.position.z = 0;
    s->pose.rotation = thaw_quat_from_z(across);
    return true;
}

bool thaw_shape_section(const ThawShape *shape, ThawShape *section) {
    *section = *shape;
    switch (shape->kind) {
    case THAW_SHAPE_BOX: return section_box(section);
    case THAW_SHAPE_SPHERE: return section_sphere(section);
    case THAW_SHAPE_CAPSULE: return section_capsule(section);
    case THAW_SHAPE_CYLINDER: return section_cylinder(section);
    case THAW_SHAPE_CONE: return section_cone(section);
    case THAW_SHAPE_TORUS: return section_torus(section);
    case THAW_SHAPE_PLANE: return section_plane(section);
    case THAW_SHAPE_BLEND: return thaw_blend_area(shape) > 0;
    case THAW_SHAPE_MESH: return thaw_mesh_shape_cuts(shape);
    case THAW_SHAPE_KINDS: break;
    }
    return false;
}
