// Bodies against other colliders and against each other: points of the surface that must not go in, with
// Coulomb's friction. Impulses are found one meeting after the other, again and again, each held to what a
// surface can give: pushes never pull, friction never exceeds its share of the push.
#include "collision/coupling.h"

#include "base/memory.h"
#include "base/result.h"

#include <string.h>

#define SWEEPS 60
#define ENOUGH 1e-10   // cells: no meeting changes anything by more
#define SLOP 0.001     // cells that bodies may lie in each other
#define FREED 0.3      // share of a deeper overlap that is taken back in a substep
#define FREED_MOST 0.1 // cells

// ---------------------------------------------------------------- finding

static ThawResult reserve(ThawCoupling *coupling, uint32_t room) {
    if (coupling->meeting_count + room <= coupling->meeting_capacity) return THAW_OK;
    uint32_t capacity = coupling->meeting_capacity + coupling->meeting_capacity / 2 + room;
    size_t size = sizeof *coupling->meetings;
    ThawMeeting *grown =
        thaw_realloc(coupling->meetings, coupling->meeting_capacity * size, capacity * size);
    if (grown == NULL) return thaw_fail_memory(capacity * size);
    coupling->meetings = grown;
    coupling->meeting_capacity = capacity;
    return THAW_OK;
}

// two directions across a normal; in 2D the first lies in the plane
static void set_axes(ThawMeeting *meeting, ThawVec3 n, bool flat) {
    ThawVec3 t = flat ? thaw_vec(-n.y, n.x, 0)
                      : thaw_cross(n, fabs(n.x) < 0.6 ? thaw_vec(1, 0, 0) : thaw_vec(0, 1, 0));
    meeting->axis[0] = n;
    meeting->axis[1] = thaw_scale(t, 1 / thaw_length(t));
    meeting->axis[2] = thaw_cross(n, meeting->axis[1]);
}

// The speed at which they part, so that a fall from any height ends in a bounce to restitution² of it: what
// a substep conserves between bounces is not v²/2 + g x but, moving first and by the new speed,
// v²/2 + g x − g dt v/2.
static double find_bounce(const ThawCoupling *coupling, const ThawMeeting *meeting,
                          double restitution) {
    const ThawCoupled *a = &coupling->bodies[meeting->a];
    ThawVec3 motion = thaw_motion_at(a->before, meeting->arm_a);
    double pull = 0;
    for (int k = 0; k < 3; k++) {
        const double n[3] = {meeting->axis[0].x, meeting->axis[0].y, meeting->axis[0].z};
        if (meeting->b < 0) pull -= n[k] * (a->aim[k] - a->before[k]);
    }
    if (meeting->b >= 0) {
        const ThawCoupled *b = &coupling->bodies[meeting->b];
        motion = thaw_sub(motion, thaw_motion_at(b->before, meeting->arm_b));
    }
    double speed = -thaw_dot(thaw_sub(motion, meeting->drift), meeting->axis[0]);
    if (restitution <= 0 || speed <= 2.5 * fabs(pull) + 1e-6) return 0;
    double gap = fmax(meeting->gap, 0);
    double energy = speed * speed + 2 * pull * gap + pull * speed;
    double part = 0.25 * pull * pull + restitution * restitution * fmax(energy, 0);
    return 0.5 * pull + sqrt(part);
}

static void meet_body(const ThawWalls *walls, const ThawWallStep *step, ThawMeeting *meeting,
                      ThawVec3 touch) {
    const ThawCoupling *coupling = walls->coupling;
    if (meeting->b < 0) return;
    const ThawCoupled *a = &coupling->bodies[meeting->a], *b = &coupling->bodies[meeting->b];
    meeting->arm_b = thaw_add(thaw_coupled_arm(b, step->domain, a->start), touch);
}

// a ball of a body's surface, seen from its centre
typedef struct Knob {
    ThawVec3 arm;
    double radius;
    bool
        rides; // is a particle that is frozen to it: where it lies in something already, it only goes no deeper
} Knob;

// a point of body a against an obstacle, if they are near enough
static ThawResult meet(ThawWalls *walls, const ThawWallStep *step, uint32_t index, uint32_t other,
                       const Knob *knob, double reach) {
    ThawCoupling *coupling = walls->coupling;
    const ThawCoupled *a = &coupling->bodies[index];
    const ThawObstacle *o = &walls->obstacles[other], *own = &walls->obstacles[a->obstacle];
    double radius = knob->radius;
    ThawVec3 arm = knob->arm;
    int64_t at[3] = {a->start[0] + thaw_fixed_from(arm.x), a->start[1] + thaw_fixed_from(arm.y),
                     a->start[2] + thaw_fixed_from(arm.z)};
    ThawSeen seen = thaw_obstacle_see(o, step->domain, at);
    ThawVec3 drift = thaw_sub(seen.carried, seen.still);
    if (thaw_obstacle_distance(o, seen.carried) - radius >= reach + thaw_length(drift)) {
        return THAW_OK;
    }
    ThawSurface surface = thaw_obstacle_nearest(o, seen.carried);
    if (surface.slope == 0) return THAW_OK;
    ThawResult result = reserve(coupling, 1);
    if (result != THAW_OK) return result;
    ThawMeeting *meeting = &coupling->meetings[coupling->meeting_count++];
    ThawVec3 touch = thaw_sub(arm, thaw_scale(surface.normal, radius));
    *meeting = (ThawMeeting){.a = index,
                             .b = (int32_t)o->body - 1,
                             .arm_a = touch,
                             .drift = o->body > 0 ? thaw_vec(0, 0, 0) : drift,
                             .gap = surface.distance - radius};
    if (knob->rides) meeting->gap = fmax(meeting->gap, 0);
    meeting->friction = sqrt((double)o->friction * (double)own->friction);
    set_axes(meeting, surface.normal, o->flat);
    meet_body(walls, step, meeting, touch);
    double restitution = fmax((double)o->restitution, (double)own->restitution);
    meeting->bounce = find_bounce(coupling, meeting, restitution);
    return THAW_OK;
}

static double travel_of(const ThawCoupled *body) {
    const double *m = body->aim;
    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) +
           body->reach * sqrt(m[3] * m[3] + m[4] * m[4] + m[5] * m[5]);
}

// how near a body's points must be to an obstacle to meet it, below 0 when none can be; the slack holds all that pushes
// may add
static double find_reach(const ThawWalls *walls, const ThawWallStep *step, const ThawCoupled *a,
                         uint32_t other) {
    const ThawObstacle *o = &walls->obstacles[other];
    double reach = travel_of(a) + a->slack;
    if (o->body > 0) reach += travel_of(&walls->coupling->bodies[o->body - 1]);
    ThawSeen seen = thaw_obstacle_see(o, step->domain, a->start);
    double moved = thaw_length(thaw_sub(seen.carried, seen.still));
    // turning obstacles move further beside the centre, by at most as much as the body is wide
    return thaw_obstacle_distance(o, seen.carried) > 3 * a->reach + moved + reach ? -1 : reach;
}

static ThawResult meet_obstacle(ThawWalls *walls, const ThawWallStep *step, uint32_t index,
                                uint32_t other) {
    const ThawCoupled *a = &walls->coupling->bodies[index];
    double reach = find_reach(walls, step, a, other), cell = step->domain->cell;
    const ThawRigid *rigid = a->rigid;
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; reach >= 0 && k < rigid->point_count && result == THAW_OK; k++) {
        ThawVec3 place = rigid->points[k].place;
        Knob knob = {.arm = thaw_scale(thaw_quat_rotate(a->turn, place), 1 / cell),
                     .radius = rigid->points[k].radius / cell};
        result = meet(walls, step, index, other, &knob, reach);
    }
    return result;
}

// what is frozen to a body is part of its surface
static ThawResult meet_riders(ThawWalls *walls, const ThawWallStep *step, uint32_t index,
                              uint32_t other) {
    ThawCoupled wide = walls->coupling->bodies[index];
    wide.reach = fmax(wide.reach, wide.ridden_reach);
    double reach = find_reach(walls, step, &wide, other);
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; reach >= 0 && k < step->rider_count && result == THAW_OK; k++) {
        const ThawRider *rider = &step->riders[k];
        if (rider->body != index) continue;
        double spacing = (double)step->store->spacing[rider->row] / step->domain->cell;
        Knob knob = {rider->arm, THAW_WALL_FIRM_CONTACT * spacing, true};
        result = meet(walls, step, index, other, &knob, reach);
    }
    return result;
}

ThawResult thaw_meetings_find(ThawWalls *walls, const ThawWallStep *step) {
    ThawCoupling *coupling = walls->coupling;
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < coupling->count; k++) {
        for (uint32_t other = 0; other < walls->obstacle_count && result == THAW_OK; other++) {
            if (other == coupling->bodies[k].obstacle) continue;
            result = meet_obstacle(walls, step, k, other);
            bool laden = coupling->bodies[k].laden;
            if (laden && result == THAW_OK) result = meet_riders(walls, step, k, other);
        }
    }
    if (result == THAW_OK) result = reserve(coupling, THAW_RIGID_SQUEEZED);
    coupling->lasting = coupling->meeting_count;
    return result;
}

// ---------------------------------------------------------------- solving

static double fill_column(const ThawCoupled *body, ThawVec3 arm, ThawVec3 axis, double column[6]) {
    ThawVec3 turn = thaw_cross(arm, axis);
    const double j[6] = {axis.x, axis.y, axis.z, turn.x, turn.y, turn.z};
    double weight = 0;
    for (int a = 0; a < 6; a++) {
        column[a] = 0;
        for (int b = 0; b < 6; b++) column[a] += body->inverse[6 * a + b] * j[b];
        weight += column[a] * j[a];
    }
    return weight;
}

void thaw_meetings_prepare(ThawCoupling *coupling) {
    for (uint32_t k = 0; k < coupling->meeting_count; k++) {
        ThawMeeting *m = &coupling->meetings[k];
        int axes = m->friction > 0 ? 3 : 1;
        for (int d = 0; d < axes; d++) {
            m->weight[d] =
                fill_column(&coupling->bodies[m->a], m->arm_a, m->axis[d], m->column_a[d]);
            if (m->b < 0) continue;
            m->weight[d] +=
                fill_column(&coupling->bodies[m->b], m->arm_b, m->axis[d], m->column_b[d]);
        }
    }
}

static void give(ThawCoupled *body, const double column[6], ThawVec3 arm, ThawVec3 impulse,
                 double size, bool counts) {
    for (int a = 0; a < 6; a++) body->u[a] += size * column[a];
    if (!counts) return;
    ThawVec3 turn = thaw_cross(arm, impulse);
    const double j[6] = {impulse.x, impulse.y, impulse.z, turn.x, turn.y, turn.z};
    for (int a = 0; a < 6; a++) body->touched[a] += j[a];
}

static void exchange(ThawCoupling *coupling, ThawMeeting *m, int axis, double size, bool counts) {
    ThawVec3 impulse = thaw_scale(m->axis[axis], size);
    m->given[axis] += size;
    give(&coupling->bodies[m->a], m->column_a[axis], m->arm_a, impulse, size, counts);
    if (m->b < 0) return;
    give(&coupling->bodies[m->b], m->column_b[axis], m->arm_b, thaw_scale(impulse, -1), -size,
         counts);
}

static ThawVec3 relative_motion(const ThawCoupling *coupling, const ThawMeeting *m) {
    ThawVec3 motion = thaw_motion_at(coupling->bodies[m->a].u, m->arm_a);
    if (m->b >= 0) {
        motion = thaw_sub(motion, thaw_motion_at(coupling->bodies[m->b].u, m->arm_b));
    }
    return thaw_sub(motion, m->drift);
}

// returns the largest change of the relative motion, cells
static double relax_friction(ThawCoupling *coupling, ThawMeeting *m, bool counts) {
    double most = m->friction * (m->base + m->given[0]), wanted[2], size = 0, change = 0;
    for (int t = 0; t < 2; t++) {
        double slip = thaw_dot(relative_motion(coupling, m), m->axis[1 + t]);
        wanted[t] = m->given[1 + t];
        if (m->weight[1 + t] > 0) wanted[t] -= slip / m->weight[1 + t];
        size += wanted[t] * wanted[t];
    }
    double scale = size > most * most ? most / sqrt(size) : 1;
    for (int t = 0; t < 2; t++) {
        double more = wanted[t] * scale - m->given[1 + t];
        if (more == 0) continue;
        exchange(coupling, m, 1 + t, more, counts);
        change = fmax(change, fabs(more) * m->weight[1 + t]);
    }
    return change;
}

static double relax_one(ThawCoupling *coupling, ThawMeeting *m, bool friction, bool counts) {
    double lack = -(m->need + thaw_dot(relative_motion(coupling, m), m->axis[0]));
    if (lack <= 0 && m->given[0] <= 0 && m->base <= 0) return 0;
    double change = 0, more = m->weight[0] > 0 ? lack / m->weight[0] : 0;
    if (m->given[0] + more < 0) more = -m->given[0];
    if (more != 0) {
        exchange(coupling, m, 0, more, counts);
        change = fabs(more) * m->weight[0];
    }
    if (friction && m->friction > 0) change = fmax(change, relax_friction(coupling, m, counts));
    return change;
}

// a stride that visits every meeting once, far from the last: neighbours say nearly the same
static uint32_t find_stride(uint32_t count) {
    uint32_t stride = (uint32_t)(0.618 * (double)count) | 1u;
    for (;; stride++) {
        uint32_t a = count, b = stride;
        while (b != 0) {
            uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return stride;
    }
}

void thaw_meetings_relax(ThawCoupling *coupling, bool friction, bool counts) {
    uint32_t count = coupling->meeting_count;
    uint64_t stride = count > 0 ? find_stride(count) : 1;
    for (int sweep = 0; sweep < SWEEPS && count > 0; sweep++) {
        double change = 0;
        for (uint32_t k = 0; k < count; k++) {
            // there and back, so that none is always last
            uint32_t turn = (uint32_t)(k * stride % count);
            uint32_t index = sweep % 2 == 0 ? turn : count - 1 - turn;
            ThawMeeting *meeting = &coupling->meetings[index];
            change = fmax(change, relax_one(coupling, meeting, friction, counts));
        }
        if (change < ENOUGH) break;
    }
}

// ---------------------------------------------------------------- overlaps

static bool overlap_needs(ThawCoupling *coupling) {
    bool any = false;
    for (uint32_t k = 0; k < coupling->meeting_count; k++) {
        ThawMeeting *meeting = &coupling->meetings[k];
        double depth = -meeting->gap - SLOP;
        // the others must not be pushed in instead
        meeting->need = depth > 0 ? -fmin(FREED * depth, FREED_MOST) : fmax(meeting->gap, 0);
        any = any || depth > 0;
    }
    return any;
}

// a body's beginning moved by its `u`
static void move_start(ThawCoupled *body) {
    body->turn = thaw_coupled_turn(body, body->u);
    for (int a = 0; a < 3; a++) body->start[a] += thaw_fixed_from(body->u[a]);
}

void thaw_meetings_free(ThawCoupling *coupling, const ThawWallStep *step) {
    if (!overlap_needs(coupling)) return;
    for (uint32_t k = 0; k < coupling->count; k++) {
        ThawCoupled *body = &coupling->bodies[k];
        double matrix[36];
        thaw_coupled_matrix(body, matrix);
        thaw_coupled_invert(matrix, step->domain->dimensions == 2, body->inverse);
        memset(body->u, 0, sizeof body->u);
    }
    // nothing drifts while no time passes
    thaw_meetings_prepare(coupling);
    for (uint32_t k = 0; k < coupling->meeting_count; k++) {
        ThawMeeting *m = &coupling->meetings[k];
        m->need += thaw_dot(m->drift, m->axis[0]);
    }
    thaw_meetings_relax(coupling, false, false);
    for (uint32_t k = 0; k < coupling->meeting_count; k++) {
        ThawMeeting *m = &coupling->meetings[k];
        ThawVec3 moved = thaw_add(relative_motion(coupling, m), m->drift);
        m->gap += thaw_dot(moved, m->axis[0]);
        memset(m->given, 0, sizeof m->given);
    }
    for (uint32_t k = 0; k < coupling->count; k++) move_start(&coupling->bodies[k]);
}
