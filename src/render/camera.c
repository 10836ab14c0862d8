// Cameras: the lens behind the rays, and framing.
//
// Framing is exact: with the direction of view and the lens fixed, each side of the picture gives one
// linear inequality for the eye a corner, and the nearest eye that satisfies them all is found in
// closed form, first for the width, then for the height.
#include "render/camera.h"

#include "base/result.h"
#include "math/vec.h"

#define FOV 0.5        // rad, about a 50 mm lens upright
#define FOV_FLAT 0.02  // rad, so long a lens that a flat scene shows no perspective
#define ELEVATION 0.42 // rad above the horizon
#define AZIMUTH 0.58   // rad to the right of the front
// shares of the picture's half width and height to the left, right, top and bottom of its middle: the
// colour bar stands at the right, a caption at the bottom
static const double margins[2][4] = {{0.90, 0.82, 0.88, 0.86}, {0.92, 0.72, 0.92, 0.80}};

static ThawVec3 unit(ThawVec3 v) {
    return thaw_scale(v, 1.0 / thaw_length(v));
}

static ThawVec3 axis(int k) {
    return thaw_vec(k == 0, k == 1, k == 2);
}

// ---------------------------------------------------------------- the lens

ThawResult thaw_lens_make(const ThawCamera *camera, double aspect, ThawLens *lens) {
    if (!thaw_vec_finite(camera->eye) || !thaw_vec_finite(camera->target)) {
        return thaw_fail(THAW_BAD_INPUT, "the camera's eye and target must be finite");
    }
    if (!(camera->fov > 1e-8 && camera->fov < 3.1)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "the camera's fov must be above 0 and below 178 degrees, "
                         "not %g rad",
                         camera->fov);
    }
    ThawVec3 view = thaw_sub(camera->target, camera->eye);
    if (!(thaw_length(view) > 0)) {
        return thaw_fail(THAW_BAD_INPUT, "the camera's eye and target must not coincide");
    }
    lens->eye = camera->eye;
    lens->forward = unit(view);
    ThawVec3 up = camera->up;
    if (!thaw_vec_finite(up) || !(thaw_length(up) > 0)) up = axis(2);
    ThawVec3 right = thaw_cross(lens->forward, unit(up));
    // looking straight along up: any other axis serves
    if (thaw_length(right) < 1e-6) right = thaw_cross(lens->forward, axis(1));
    if (thaw_length(right) < 1e-6) right = thaw_cross(lens->forward, axis(0));
    lens->right = unit(right);
    lens->up = thaw_cross(lens->right, lens->forward);
    lens->reach_y = tan(0.5 * camera->fov);
    lens->reach_x = lens->reach_y * aspect;
    return THAW_OK;
}

ThawVec3 thaw_lens_direction(const ThawLens *lens, double x, double y) {
    ThawVec3 side = thaw_add(thaw_scale(lens->right, x * lens->reach_x),
                             thaw_scale(lens->up, y * lens->reach_y));
    return thaw_add(lens->forward, side);
}

// ---------------------------------------------------------------- framing

// One direction of the picture, x or y: how far the corners reach beyond the two sides of a frustum
// with its apex at the scene's middle, and the slopes of these sides.
typedef struct Sides {
    double more, less; // along the axis and against it
    double slope_more, slope_less;
} Sides;

static Sides measure_sides(ThawVec3 half, ThawVec3 across, ThawVec3 forward, double more,
                           double less) {
    Sides sides = {-INFINITY, -INFINITY, more, less};
    for (int k = 0; k < 8; k++) {
        ThawVec3 corner = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                           k & 4 ? half.z : -half.z};
        double place = thaw_dot(corner, across), depth = thaw_dot(corner, forward);
        sides.more = fmax(sides.more, place - more * depth);
        sides.less = fmax(sides.less, -place - less * depth);
    }
    return sides;
}

// how far back the eye must stand
static double distance_back(const Sides *s) {
    return (s->more + s->less) / (s->slope_more + s->slope_less);
}

// and how far aside: halfway between what the two sides ask for
static double distance_aside(const Sides *s, double back) {
    return 0.5 * ((s->more - s->slope_more * back) - (s->less - s->slope_less * back));
}

// from the eye to the scene: a three-quarter view from above; straight on in 2D
static ThawVec3 view_direction(int up, int dimensions) {
    if (dimensions == 2) return thaw_vec(0, 0, -1);
    double level = cos(ELEVATION), rise = -sin(ELEVATION);
    double aside = -level * sin(AZIMUTH), ahead = level * cos(AZIMUTH);
    // the two level axes in an order that keeps the picture right-handed
    if (up == 0) return thaw_vec(rise, aside, ahead);
    if (up == 1) return thaw_vec(aside, rise, -ahead);
    return thaw_vec(aside, ahead, rise);
}

static double span(double lower, double upper) {
    double half = 0.5 * (upper - lower);
    return isfinite(half) ? fabs(half) : 1.0;
}

ThawCamera thaw_camera_framing(ThawVec3 lower, ThawVec3 upper, int up, int dimensions,
                               double aspect) {
    ThawVec3 center = thaw_scale(thaw_add(lower, upper), 0.5);
    ThawVec3 half = {span(lower.x, upper.x), span(lower.y, upper.y), span(lower.z, upper.z)};
    if (!thaw_vec_finite(center)) center = thaw_vec(0, 0, 0);
    // a point is framed as a ball of a size that a double can tell from it
    if (!(thaw_length(half) > 0)) half = thaw_vec(0.5, 0.5, 0.5);
    if (!(aspect > 1e-3 && aspect < 1e3)) aspect = 1.0;
    if (up < 0 || up > 2) up = 2;
    if (dimensions == 2 && up == 2) up = 1;

    double fov = dimensions == 2 ? FOV_FLAT : FOV;
    double tall = tan(0.5 * fov), wide = tall * aspect;
    const double *fill = margins[dimensions == 2];
    ThawVec3 forward = view_direction(up, dimensions);
    ThawVec3 right = unit(thaw_cross(forward, axis(up)));
    ThawVec3 above = thaw_cross(right, forward);
    Sides x = measure_sides(half, right, forward, fill[1] * wide, fill[0] * wide);
    Sides y = measure_sides(half, above, forward, fill[2] * tall, fill[3] * tall);
    double back = fmax(distance_back(&x), distance_back(&y));
    ThawVec3 side = thaw_add(thaw_scale(right, distance_aside(&x, back)),
                             thaw_scale(above, distance_aside(&y, back)));
    ThawVec3 target = thaw_add(center, side);
    return (ThawCamera){.eye = thaw_sub(target, thaw_scale(forward, back)),
                        .target = target,
                        .up = axis(up),
                        .fov = fov};
}
