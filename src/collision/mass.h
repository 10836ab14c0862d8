// What a rigid body is made of: the mass and inertia of a shape that is filled evenly, and points of its
// surface by which it meets other colliders.
#ifndef THAW_COLLISION_MASS_H
#define THAW_COLLISION_MASS_H

#include <thaw/shape.h>

// Of a density of 1. Places are given from the shape's position, in the world's axes.
typedef struct ThawSolidMass {
    double volume;     // m³; 2D: m² of the cross-section, 0 when there is none
    ThawVec3 center;   // m, of mass
    double inertia[6]; // m⁵ about the centre: xx yy zz xy yz zx; 2D: m⁴, zz alone
} ThawSolidMass;

// By formula for the analytic shapes in 3D, by cells that get smaller towards the surface for the rest.
ThawSolidMass thaw_solid_mass(const ThawShape *shape, int dimensions);
// The same without formulas, whatever the shape.
ThawSolidMass thaw_solid_mass_by_cells(const ThawShape *shape, int dimensions);

// A place of the surface, or the middle of a ball that touches it from within.
typedef struct ThawSurfacePoint {
    ThawVec3 place; // m, from the shape's position, in the world's axes
    double radius;  // m
} ThawSurfacePoint;

#define THAW_SURFACE_POINTS 2000u // the most that a shape gets

// Points about `spacing` apart (further where there would be too many), in a new block for thaw_free. Corners
// of boxes are among them; round shapes are balls, so that they roll.
ThawResult thaw_surface_points(const ThawShape *shape, int dimensions, double spacing,
                               ThawSurfacePoint **points, uint32_t *count);

#endif
