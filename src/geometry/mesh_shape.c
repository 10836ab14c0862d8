// A mesh as a shape: questions are put to its field in the field's own measures.
#include "geometry/mesh_shape.h"

#include "base/result.h"
#include "geometry/field.h"
#include "math/vec.h"

ThawResult thaw_mesh_shape_check(const ThawShape *shape, const char *owner) {
    if (shape->field == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the mesh's field is required", owner);
    }
    if (!(isfinite(shape->scale) && shape->scale > 0)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the mesh's scale must be finite and above 0, not %g",
                         owner, shape->scale);
    }
    if (!isfinite(shape->offset)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the mesh's offset must be finite", owner);
    }
    return THAW_OK;
}

static ThawVec3 to_field(const ThawShape *shape, ThawVec3 local) {
    return thaw_scale(local, 1 / shape->scale);
}

double thaw_mesh_shape_distance(const ThawShape *shape, ThawVec3 local) {
    double distance = thaw_field_sample(shape->field, to_field(shape, local), NULL);
    return distance * shape->scale - shape->offset;
}

ThawNearest thaw_mesh_shape_nearest(const ThawShape *shape, ThawVec3 local) {
    ThawVec3 slope;
    ThawNearest near;
    near.distance = thaw_field_sample(shape->field, to_field(shape, local), &slope);
    double length = thaw_length(slope);
    // where distances to opposite walls cancel there is no slope either
    if (length > 1e-3) {
        near.normal = thaw_scale(slope, 1 / length);
    } else {
        near = thaw_field_nearest(shape->field, to_field(shape, local));
    }
    near.distance = near.distance * shape->scale - shape->offset;
    return near;
}

void thaw_mesh_shape_bounds(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper) {
    ThawFieldReport info = thaw_field_report(shape->field);
    double more = shape->offset > 0 ? shape->offset : 0;
    *lower = thaw_sub(thaw_scale(info.lower, shape->scale), thaw_vec(more, more, more));
    *upper = thaw_add(thaw_scale(info.upper, shape->scale), thaw_vec(more, more, more));
}

double thaw_mesh_shape_volume(const ThawShape *shape) {
    double scale = shape->scale;
    return thaw_field_volume(shape->field) * scale * scale * scale;
}

bool thaw_mesh_shape_cuts(const ThawShape *shape) {
    ThawVec3 lower, upper;
    thaw_mesh_shape_bounds(shape, &lower, &upper);
    bool below = false, above = false;
    for (int k = 0; k < 8; k++) {
        ThawVec3 corner = {k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y,
                           k & 4 ? upper.z : lower.z};
        double z = thaw_pose_apply(shape->pose, corner).z;
        below |= z <= 0;
        above |= z >= 0;
    }
    return below && above;
}
