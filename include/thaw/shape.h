// Shapes: the solids that bodies are cut from, colliders are made of and regions are asked by.
//
// A shape is a kind, a pose and up to three numbers. Make one with a function below; turn it with
// thaw_shape_rotate. In a 2D world a shape acts by its cross-section at z = 0.
#ifndef THAW_SHAPE_H
#define THAW_SHAPE_H

#include "base.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ThawShapeKind {
    THAW_SHAPE_BOX,      // size: full edge lengths
    THAW_SHAPE_SPHERE,   // radius
    THAW_SHAPE_CAPSULE,  // radius, height between the two cap centres, along local z
    THAW_SHAPE_CYLINDER, // radius, height, along local z, origin in the middle
    THAW_SHAPE_CONE,     // radius at the base (local z = 0), height to the apex (local z = height)
    THAW_SHAPE_TORUS,    // radius of the ring about local z, tube radius
    THAW_SHAPE_PLANE,    // the half-space local z < 0; unbounded, so not for bodies
    THAW_SHAPE_BLEND, // balls grown together: organic forms; for bodies and regions, not colliders
    THAW_SHAPE_MESH,  // any form, by the distance field of a mesh
    THAW_SHAPE_KINDS
} ThawShapeKind;

// A ball of a blend.
typedef struct ThawBall {
    ThawVec3 center; // m, in the shape's frame
    double radius;   // m
} ThawBall;

#define THAW_BALLS 64 // the most that a blend has

typedef struct ThawShape {
    ThawShapeKind kind;
    ThawPose pose;
    ThawVec3 size;         // m, box only
    double radius;         // m
    double height;         // m
    double tube;           // m, torus only
    const ThawBall *balls; // blend only; the caller's, or a copy where a def is copied
    int ball_count;
    double smooth; // m, blend only: how wide the seams are rounded; 0 = a plain union
    const ThawField
        *field;    // mesh only; the caller's reference, or an own one where a def is copied
    double scale;  // –, mesh only: metres of the shape a metre of the field
    double offset; // m, mesh only: the surface moved outwards, beyond the field's own offset
} ThawShape;

THAW_API ThawShape thaw_shape_box(ThawVec3 center, ThawVec3 size);
THAW_API ThawShape thaw_shape_sphere(ThawVec3 center, double radius);
THAW_API ThawShape thaw_shape_capsule(ThawVec3 from, ThawVec3 to, double radius);
THAW_API ThawShape thaw_shape_cylinder(ThawVec3 from, ThawVec3 to, double radius);
THAW_API ThawShape thaw_shape_cone(ThawVec3 base, ThawVec3 apex, double radius);
THAW_API ThawShape thaw_shape_torus(ThawVec3 center, ThawVec3 axis, double radius, double tube);
THAW_API ThawShape thaw_shape_plane(ThawVec3 point, ThawVec3 normal);
// Balls given in the world, 1..THAW_BALLS of them, grown together; the shape's position is the origin. The
// balls stay the caller's and must outlive the shape.
THAW_API ThawShape thaw_shape_blend(const ThawBall *balls, int count, double smooth);

// What a field encloses, in the field's own frame; the shape's position is the origin. The field stays the caller's
// and must outlive the shape.
THAW_API ThawShape thaw_shape_mesh(const ThawField *field);

// The shape turned about its own position: axis need not be a unit vector, angle in radians.
THAW_API ThawShape thaw_shape_rotate(ThawShape shape, ThawVec3 axis, double angle);

// Signed distance from a world point to the surface: negative inside. Exact, but for a blend's seams and beyond the
// band of a mesh's field, where it may be smaller in size.
THAW_API double thaw_shape_distance(const ThawShape *shape, ThawVec3 point);

// Volume in m³ (2D: area of the cross-section at z = 0 in m²); a plane's is infinite.
THAW_API double thaw_shape_volume(const ThawShape *shape, int dimensions);

#ifdef __cplusplus
}
#endif

#endif
