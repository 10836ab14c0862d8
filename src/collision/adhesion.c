// Adhesion: liquid within one support of a surface is drawn to it, and held.
//
// At distance φ the surface can hold a particle with an acceleration a (1 − φ/h)³, a = adhesion · HOLD · gravity: the
// layer at the surface against three times its weight and the next one against a third of it, so that adhesion 1
// keeps a film of one layer on a ceiling. A quarter of it is a force with a potential, which brings the liquid
// to the surface. The rest acts as friction does: only against what leaves, and never more than stops it. It is the
// normal force of Coulomb's friction too, so that films stay on upright walls. A force as strong as the whole of it
// was tried first: it packs two layers into one, and the walls' pressure then drives a pool round for ever.
#include "collision/response.h"

#define HOLD 4.0           // accelerations of gravity at the surface itself
#define LEAST_GRAVITY 9.81 // m/s²: without gravity things stick no less
#define MOST_HELD 0.25     // spacings a substep

static double gravity_of(const ThawWallStep *step) {
    const double *g = step->gravity;
    return fmax(sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), LEAST_GRAVITY);
}

// how far a collider can hold a particle back in a substep, cells; *normal out of it
static double hold_of(const ThawObstacle *o, const ThawWallStep *step, const ThawNearWall *near,
                      ThawVec3 *normal) {
    const int64_t *start = step->store->cells + 3 * (size_t)near->row;
    ThawSeen seen = thaw_obstacle_see(o, step->domain, start);
    ThawSurface surface = thaw_obstacle_nearest(o, seen.carried);
    double away = 1 - fmax(surface.distance, 0) / (double)near->support;
    if (!(away > 0)) return 0;
    double strength = fmax((double)thaw_obstacle_adhesion(o, seen.carried), 0) * HOLD;
    double hold = strength * gravity_of(step) * step->dt * step->dt / step->domain->cell;
    double spacing = (double)near->closest / THAW_WALL_CONTACT;
    *normal = surface.normal;
    return fmin(hold * away * away * away * surface.slope, MOST_HELD * spacing);
}

static void note_hold(ThawNearWall *near, uint32_t obstacle, double hold, ThawVec3 normal) {
    if (!((float)hold > near->cling)) return;
    near->cling = (float)hold;
    near->clings_to = (int16_t)obstacle;
    near->way_off[0] = (float)normal.x;
    near->way_off[1] = (float)normal.y;
    near->way_off[2] = (float)normal.z;
}

bool thaw_near_draw(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                    ThawWallSum *sums, ThawVec3 *shift) {
    bool drawn = false;
    if (!walls->sticky || near->firm || step->dt <= 0) return false;
    bool slots = !thaw_near_asks_all(near, 0);
    uint32_t candidates = thaw_near_candidates(walls, near, thaw_vec(0, 0, 0));
    for (uint32_t k = 0; k < candidates; k++) {
        uint32_t index = thaw_near_candidate(walls, near, candidates, k);
        const ThawObstacle *o = &walls->obstacles[index];
        if (!(o->adhesion > 0 || o->coated)) continue;
        if (slots && near->gap[k] > near->support) continue;
        ThawVec3 normal;
        double hold = hold_of(o, step, near, &normal);
        if (!(hold > 0)) continue;
        ThawVec3 pull = thaw_scale(normal, -hold * (1 - THAW_ADHESION_FIRM));
        *shift = thaw_add(*shift, pull);
        thaw_near_reverse(walls, near, sums, index, pull);
        note_hold(near, index, hold, normal);
        drawn = true;
    }
    return drawn;
}

bool thaw_near_cling(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                     ThawWallSum *sums, ThawVec3 *shift) {
    if (near->clings_to < 0) return false;
    const ThawObstacle *o = &walls->obstacles[near->clings_to];
    ThawVec3 normal = {(double)near->way_off[0], (double)near->way_off[1],
                       (double)near->way_off[2]};
    ThawVec3 wall = thaw_wall_motion(walls, o, step, near->row, *shift);
    ThawVec3 slip = thaw_sub(*shift, wall);
    double hold = (double)near->cling, leaving = thaw_dot(slip, normal);
    double held = fmax(fmin(hold * THAW_ADHESION_FIRM, leaving), 0);
    ThawVec3 along = thaw_sub(slip, thaw_scale(normal, leaving));
    double length = thaw_length(along);
    double friction = (double)thaw_obstacle_friction(o, thaw_wall_seen(o, step, near->row, *shift));
    double rubbed = fmin(friction * hold, length);
    ThawVec3 back = thaw_scale(normal, -held);
    if (length > 0) back = thaw_sub(back, thaw_scale(along, rubbed / length));
    if (!(thaw_dot(back, back) > 0)) return false;
    *shift = thaw_add(*shift, back);
    thaw_near_reverse(walls, near, sums, (uint32_t)near->clings_to, back);
    return true;
}
