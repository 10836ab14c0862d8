// The smooth minimum of n distances d is min over weights w ≥ 0, Σ w = 1, of Σ w d + (s/2)(Σ w² − 1).
//
// For two it is the usual quadratic one: −s/4 where they are equal, the plain minimum where they differ by s
// or more. Unlike pairs blended one after the other it does not depend on the balls' order, and however many
// meet, the surface grows by less than s/2. Its gradient Σ w ∇d is a mean of unit vectors, so that it never
// changes faster than the distance itself: |value| is a lower bound of the distance to the surface.
#include "geometry/blend.h"

#include "base/result.h"
#include "math/vec.h"

#define CELLS_PER_RADIUS 12 // of the finest cells that volumes are measured with
#define MOST_HALVINGS 60

ThawResult thaw_blend_check(const ThawShape *shape, const char *owner) {
    if (shape->ball_count < 1 || shape->ball_count > THAW_BALLS || shape->balls == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "%s: a blend must have 1 to %d balls, not %d", owner,
                         THAW_BALLS, shape->balls == NULL ? 0 : shape->ball_count);
    }
    for (int k = 0; k < shape->ball_count; k++) {
        const ThawBall *ball = &shape->balls[k];
        if (!thaw_vec_finite(ball->center)) {
            return thaw_fail(THAW_BAD_INPUT, "%s: balls[%d].center must be finite", owner, k);
        }
        if (!(ball->radius > 0) || !isfinite(ball->radius)) {
            return thaw_fail(THAW_BAD_INPUT,
                             "%s: balls[%d].radius must be finite and above 0, not %g", owner, k,
                             ball->radius);
        }
    }
    if (!(shape->smooth >= 0) || !isfinite(shape->smooth)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: the blend's smooth must be finite and not below 0, not %g", owner,
                         shape->smooth);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- distance

// the balls that count at a point: those no farther than `smooth` beyond the nearest
typedef struct Near {
    int count;
    int ball[THAW_BALLS];
    double distance[THAW_BALLS];
} Near;

static double ball_distance(const ThawBall *ball, ThawVec3 p) {
    return thaw_length(thaw_sub(p, ball->center)) - ball->radius;
}

static void find_near(const ThawShape *shape, ThawVec3 p, Near *near) {
    double distance[THAW_BALLS], least = INFINITY;
    int nearest = 0;
    for (int k = 0; k < shape->ball_count; k++) {
        distance[k] = ball_distance(&shape->balls[k], p);
        if (distance[k] < least) {
            least = distance[k];
            nearest = k;
        }
    }
    near->count = 1;
    near->ball[0] = nearest;
    near->distance[0] = least;
    for (int k = 0; k < shape->ball_count; k++) {
        if (k == nearest || !(distance[k] < least + shape->smooth)) continue;
        near->ball[near->count] = k;
        near->distance[near->count++] = distance[k];
    }
}

// w = max(0, (level − d)/s) with the level that makes their sum 1; balls beyond the level drop out
static double find_level(Near *near, double smooth) {
    for (;;) {
        double sum = smooth;
        for (int k = 0; k < near->count; k++) sum += near->distance[k];
        double level = sum / near->count;
        int left = 0;
        for (int k = 0; k < near->count; k++) {
            // the nearest, the first, always stays
            if (k > 0 && near->distance[k] >= level) continue;
            near->ball[left] = near->ball[k];
            near->distance[left++] = near->distance[k];
        }
        if (left == near->count) return level;
        near->count = left;
    }
}

ThawNearest thaw_blend_nearest(const ThawShape *shape, ThawVec3 local) {
    Near near;
    find_near(shape, local, &near);
    double s = shape->smooth, value = near.distance[0], squares = 0;
    ThawVec3 steepest = thaw_sub(local, shape->balls[near.ball[0]].center);
    if (near.count > 1) {
        double level = find_level(&near, s);
        value = 0;
        steepest = thaw_vec(0, 0, 0);
        for (int k = 0; k < near.count; k++) {
            double w = (level - near.distance[k]) / s;
            ThawVec3 away = thaw_sub(local, shape->balls[near.ball[k]].center);
            double length = thaw_length(away);
            value += w * near.distance[k];
            squares += w * w;
            if (length > 0) steepest = thaw_add(steepest, thaw_scale(away, w / length));
        }
        value += 0.5 * s * (squares - 1.0);
    }
    double slope = thaw_length(steepest);
    ThawVec3 normal = slope > 1e-300 ? thaw_scale(steepest, 1.0 / slope) : thaw_vec(0, 0, 1);
    return (ThawNearest){value, normal};
}

void thaw_blend_bounds(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper) {
    double grown = 0.5 * shape->smooth * (1.0 - 1.0 / shape->ball_count);
    *lower = thaw_vec(INFINITY, INFINITY, INFINITY);
    *upper = thaw_vec(-INFINITY, -INFINITY, -INFINITY);
    for (int k = 0; k < shape->ball_count; k++) {
        ThawVec3 c = shape->balls[k].center;
        double r = shape->balls[k].radius + grown;
        *lower =
            thaw_vec(fmin(lower->x, c.x - r), fmin(lower->y, c.y - r), fmin(lower->z, c.z - r));
        *upper =
            thaw_vec(fmax(upper->x, c.x + r), fmax(upper->y, c.y + r), fmax(upper->z, c.z + r));
    }
}

// ---------------------------------------------------------------- volume

// edge of the finest cells: small against the radius that most of the surface has
static double finest(const ThawShape *shape) {
    double squares = 0, cubes = 0;
    for (int k = 0; k < shape->ball_count; k++) {
        double r = shape->balls[k].radius;
        squares += r * r;
        cubes += r * r * r;
    }
    return cubes / squares / CELLS_PER_RADIUS;
}

typedef struct Halving {
    const ThawShape *shape;
    ThawPose pose;  // from cells to the shape's frame
    int dimensions; // 2: all cells lie at z = 0
    double finest;
} Halving;

static double distance_at(const Halving *halving, ThawVec3 p) {
    return thaw_blend_nearest(halving->shape, thaw_pose_apply(halving->pose, p)).distance;
}

// A cell farther from the surface than its corners is in or out; the others are cut into smaller ones, and
// the finest hold as much as a plane at that distance leaves of them, about.
static double measure_cell(const Halving *halving, ThawVec3 center, double edge, int depth) {
    int dimensions = halving->dimensions;
    double distance = distance_at(halving, center);
    double all = dimensions == 3 ? edge * edge * edge : edge * edge;
    double corner = 0.5 * edge * sqrt((double)dimensions);
    if (distance >= corner) return 0;
    if (distance <= -corner) return all;
    if (edge <= halving->finest || depth == MOST_HALVINGS) {
        double share = 0.5 - distance / edge;
        return all * (share < 0 ? 0 : share > 1 ? 1 : share);
    }
    double sum = 0, step = 0.25 * edge;
    for (int part = 0; part < 1 << dimensions; part++) {
        ThawVec3 p = {center.x + ((part & 1) != 0 ? step : -step),
                      center.y + ((part & 2) != 0 ? step : -step),
                      center.z + (dimensions == 2   ? 0
                                  : (part & 4) != 0 ? step
                                                    : -step)};
        sum += measure_cell(halving, p, 0.5 * edge, depth + 1);
    }
    return sum;
}

// the middle of the bounds, and an edge that holds the shape however it is turned
static double enclose(const ThawShape *shape, ThawVec3 *middle) {
    ThawVec3 lower, upper;
    thaw_blend_bounds(shape, &lower, &upper);
    *middle = thaw_scale(thaw_add(lower, upper), 0.5);
    return thaw_length(thaw_sub(upper, lower));
}

double thaw_blend_volume(const ThawShape *shape) {
    Halving halving = {shape, {{0, 0, 0}, {0, 0, 0, 1}}, 3, finest(shape)};
    ThawVec3 middle;
    double edge = enclose(shape, &middle);
    return measure_cell(&halving, middle, edge, 0);
}

double thaw_blend_area(const ThawShape *shape) {
    ThawQuat back = thaw_quat_conjugate(shape->pose.rotation);
    ThawVec3 origin = thaw_quat_rotate(back, thaw_scale(shape->pose.position, -1.0));
    // cuts through small balls only are resolved too
    Halving halving = {shape, {origin, back}, 2, 0.25 * finest(shape)};
    ThawVec3 middle;
    double edge = enclose(shape, &middle);
    middle = thaw_pose_apply(shape->pose, middle);
    middle.z = 0;
    return measure_cell(&halving, middle, edge, 0);
}
