// How a solid grips a wall: Coulomb's law for the pushes of the last moments, not of one substep.
//
// A cone that follows the push at once lets what slides feed the waves that press it: elastic bodies flutter, and go
// down slopes that would hold them (Adams, J. Appl. Mech. 62, 1995). As Prakash and Clifton (1993) found of real
// surfaces, friction here follows the push after a time. What a push allows goes into a store, and is given out of it:
//
//     g ← g + μ p,    friction at most w g,    g ← g − w g,    w = dt/(dt + T),    T = min(τ, age/4)
//
// so that over a contact friction is never more than μ times the push, and whoever is pressed evenly is held by μ p. The
// lag grows with the age of the contact: what only bounces is rubbed as it is pushed. What lifts off by less than GAP
// is held on; beyond it, all is forgotten.
#include "collision/response.h"

#define LAG 0.02 // s: τ. The flutter is the body's own ringing, 10 to 100 Hz
#define AGES 4.0 // a contact's age over its lag, until that is τ
#define GAP 0.1  // spacings off the wall within which a contact goes on

// the wall that a particle has just left, −1 when it has left them all
static int find_left(const ThawWalls *walls, const ThawWallStep *step, const ThawNearWall *near,
                     ThawVec3 shift, ThawVec3 *normal) {
    double least = (double)near->contact_distance + GAP * (double)near->support / step->support;
    double length = thaw_length(shift);
    uint32_t candidates = thaw_near_candidates(walls, near, shift);
    bool slots = !thaw_near_asks_all(near, length);
    int left = -1;
    for (uint32_t k = 0; k < candidates; k++) {
        uint32_t index = thaw_near_candidate(walls, near, candidates, k);
        const ThawObstacle *o = &walls->obstacles[index];
        if (slots && thaw_near_gap_after(near, o, k, length) > least) continue;
        ThawSurface s = thaw_obstacle_nearest(o, thaw_wall_seen(o, step, near->row, shift));
        if (!(s.distance < least)) continue;
        least = s.distance;
        left = (int)index;
        *normal = s.normal;
    }
    return left;
}

// whether a wall that does not push holds it on
static bool leans(const ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                  ThawVec3 shift) {
    ThawVec3 normal = {0};
    int left = find_left(walls, step, near, shift, &normal);
    if (left < 0) return false;
    near->leans = true;
    near->holder = (int16_t)left;
    near->push[0] = (float)normal.x;
    near->push[1] = (float)normal.y;
    near->push[2] = (float)normal.z;
    return true;
}

void thaw_near_grip(const ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near) {
    float *store = step->grip + 2 * (size_t)near->row, *age = store + 1;
    ThawVec3 shift = thaw_wall_shift(step, near->row);
    bool sound = thaw_length(shift) < (double)THAW_WALL_FARTHEST;
    bool pushed = near->holder >= 0;
    if (!sound || (!pushed && !(*age > 0 && leans(walls, step, near, shift)))) {
        *store = *age = 0;
        return;
    }
    double per_cell = step->domain->cell / step->dt;
    double earned = (double)near->grip * per_cell;
    if (pushed) {
        const ThawObstacle *o = &walls->obstacles[near->holder];
        earned *= thaw_wall_paint(o, step, near->row, shift);
    }
    double lag = fmin((double)*age / AGES, LAG);
    double had = (double)*store + earned, share = step->dt / (step->dt + lag);
    // not what is had less what is given, which rounding may leave below 0
    *store = (float)(had * (1 - share));
    *age = (float)fmin((double)*age + step->dt, AGES * LAG);
    near->grip = (float)(had * share / per_cell);
    near->averaged = true;
}
