// Paths against surfaces, at any speed.
//
// A move is the straight line, in the collider's own frame, from where its start was to where it
// ends. Distances are exact, so along a line the distance to a convex obstacle is a convex
// function: Newton's method from the start never steps over its first zero, and a line that stops
// approaching will not meet the surface. Inside a convex container the distance is concave: a line
// whose ends are inside never leaves. The torus and the mesh need sphere tracing; within the band of a mesh's field
// distances are interpolated and may be a little too large, so that steps there are short.
#include "collision/walls_internal.h"

#define MISS 2.0
#define NEWTON_STEPS 64
#define TRACE_STEPS 400
#define MESH_STEPS 4000
#define HALVINGS 24
#define ROUNDING 1e-7 // cells
#define SLACK 1e-6    // cells by which an end may be nearer than the contact distance

static ThawVec3 along(ThawVec3 a, ThawVec3 d, double t) {
    return thaw_add(a, thaw_scale(d, t));
}

// first share of the way at which the distance to a convex obstacle falls to `least`
static double hit_convex(const ThawObstacle *o, ThawVec3 a, ThawVec3 d, double least) {
    double t = 0;
    for (int k = 0; k < NEWTON_STEPS; k++) {
        ThawSurface s = thaw_obstacle_nearest(o, along(a, d, t));
        double closing = -thaw_dot(s.normal, d) * s.slope;
        if (closing <= 0) return MISS;
        if (s.distance - least <= ROUNDING) return t;
        t += (s.distance - least) / closing;
        if (t >= 1) return MISS;
    }
    return t;
}

// the same by sphere tracing; a path that grazes too long is stopped where it got to
static double hit_traced(const ThawObstacle *o, ThawVec3 a, ThawVec3 d, double least) {
    double t = 0, length = thaw_length(d);
    for (int k = 0; k < TRACE_STEPS; k++) {
        double gap = thaw_obstacle_distance(o, along(a, d, t)) - least;
        if (gap <= 1e-5) {
            ThawSurface s = thaw_obstacle_nearest(o, along(a, d, t));
            if (thaw_dot(s.normal, d) < 0) return t;
            gap = 1e-5;
        }
        t += gap / length;
        if (t >= 1) return MISS;
    }
    return t;
}

// where between a share of the way outside and one inside the distance is `least`
static double narrow(const ThawObstacle *o, ThawVec3 a, ThawVec3 d, double least, double outside,
                     double inside) {
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (outside + inside);
        if (thaw_obstacle_distance(o, along(a, d, middle)) > least)
            outside = middle;
        else
            inside = middle;
    }
    return outside;
}

// The same through a mesh's field: steps of half a cell where distances are interpolated, and then back to the surface.
static double hit_meshed(const ThawObstacle *o, ThawVec3 a, ThawVec3 d, double least) {
    double t = 0, length = thaw_length(d), grain = o->grain;
    for (int k = 0; k < MESH_STEPS; k++) {
        double gap = thaw_obstacle_distance(o, along(a, d, t)) - least;
        double step = fmax(gap - grain, 0.5 * grain) / length;
        double next = t + step < 1 ? t + step : 1;
        if (thaw_obstacle_distance(o, along(a, d, next)) <= least) {
            return narrow(o, a, d, least, t, next);
        }
        if (next >= 1) return MISS;
        t = next;
    }
    return t;
}

// Brings a point at least the contact distance out of the wall by its normal; a corner of a
// container takes one round a face.
static ThawVec3 project_out(const ThawObstacle *o, ThawVec3 x, double contact) {
    int rounds = o->convex ? 4 : 12;
    for (int k = 0; k < rounds; k++) {
        ThawSurface s = thaw_obstacle_nearest(o, x);
        if (s.distance >= contact - 0.5 * SLACK || s.slope == 0) break;
        x = thaw_add(x, thaw_scale(s.normal, (contact - s.distance) / s.slope));
    }
    return x;
}

static bool crosses(const ThawObstacle *o, ThawVec3 a, ThawVec3 d, double clearance, double contact,
                    double *t) {
    if (clearance <= 0 || (o->convex && o->side < 0)) return false;
    // the barrier is half-way between start and surface, or half the contact distance
    double least = 0.5 * (clearance < contact ? clearance : contact);
    if (o->grain > 0)
        *t = hit_meshed(o, a, d, least);
    else
        *t = o->convex ? hit_convex(o, a, d, least) : hit_traced(o, a, d, least);
    return *t < 1;
}

bool thaw_path_stop(const ThawObstacle *o, const ThawSeen *seen, double contact, ThawVec3 *shift,
                    ThawVec3 *push) {
    ThawVec3 a = seen->carried, b = thaw_add(seen->still, *shift), d = thaw_sub(b, a);
    double clearance = thaw_obstacle_distance(o, a), t;
    if (clearance - thaw_length(d) > contact) return false;

    ThawVec3 end;
    if (crosses(o, a, d, clearance, contact, &t)) {
        // what is left of the move slides along the surface, raised to the contact distance
        ThawVec3 p = along(a, d, t), rest = thaw_scale(d, 1 - t);
        ThawSurface s = thaw_obstacle_nearest(o, p);
        double into = thaw_dot(rest, s.normal);
        double raise = s.slope > 0 ? (contact - s.distance) / s.slope : 0;
        end = along(thaw_add(p, rest), s.normal, raise - (into < 0 ? into : 0));
    } else {
        if (thaw_obstacle_distance(o, b) >= contact - SLACK) return false;
        end = project_out(o, b, contact);
    }
    if (o->flat) end.z = b.z;
    *push = thaw_sub(end, b);
    *shift = thaw_sub(end, seen->still);
    return thaw_dot(*push, *push) > 0;
}

bool thaw_path_free(const ThawObstacle *o, const ThawDomain *domain, double contact,
                    int64_t start[3]) {
    ThawSeen seen = thaw_obstacle_see(o, domain, start);
    if (thaw_obstacle_distance(o, seen.carried) >= 0.5 * contact) return false;
    ThawVec3 out = thaw_sub(project_out(o, seen.carried, contact), seen.carried);
    if (o->moving) out = thaw_turn_back(o->carry, out);
    start[0] += thaw_fixed_from(out.x);
    start[1] += thaw_fixed_from(out.y);
    if (!o->flat) start[2] += thaw_fixed_from(out.z);
    return thaw_dot(out, out) > 0;
}
