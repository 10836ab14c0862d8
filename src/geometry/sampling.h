// Filling a shape with particles on a perfect lattice, so that their number comes near to the
// volume over d^dimensions: within 3 % for shapes of at least 5 spacings in radius at any
// orientation. Flat faces along the lattice's own layers (boxes, ends of upright cylinders) can be
// met to half a layer only: at worst 1/(2n) with n layers across, which is within 3 % from 17
// layers on.
#ifndef THAW_GEOMETRY_SAMPLING_H
#define THAW_GEOMETRY_SAMPLING_H

#include <thaw/body.h>

// Sites of the lattice (packing, spacing, turned by `orientation`) inside the shape, in its local
// frame: thaw_pose_apply(shape->pose, site) is the place in the world. *sites is a new block for
// thaw_free; NULL when *count is 0. Refuses unbounded shapes and 2^31 sites or more. In 2D the
// cross-section of the posed shape at world z = 0 is filled: posed, the sites have z = 0 to
// rounding, and rows lie along world x turned by as much as pose and orientation turn about z.
//
// The lattice is never stretched; among a few dozen places for it that with the best count is
// taken. Boxes with no orientation: cubic axes along the box's, centred so that layers lie alike at
// opposite faces, the outermost about half a layer inside. A site on the surface is outside.
ThawResult thaw_shape_sample(const ThawShape *shape, int dimensions, double spacing,
                             ThawPacking packing, ThawQuat orientation, double (**sites)[3],
                             uint32_t *count);

// How the lattice then lies in the shape's local frame: turned from its own axes by this.
ThawQuat thaw_shape_lattice_turn(const ThawShape *shape, int dimensions, ThawQuat orientation);

// Takes sites out, evenly among those next to the surface, until there are no more than the shape's
// volume has room for: matter must not begin compressed. Returns how many are left.
uint32_t thaw_sites_thin(const ThawShape *shape, int dimensions, double spacing, double (*sites)[3],
                         uint32_t count);

#endif
