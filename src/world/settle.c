// Settling: new particles that were put too close to others or to walls are moved apart before time
// goes on, without giving anything a velocity. Otherwise the first substep would turn their overlap
// into speed, the more the shorter it is.
#include "math/random.h"
#include "world/course.h"
#include "world/tally.h"

#include <math.h>

#define ROUNDS 24     // of neighbour searches, at most
#define ITERATIONS 8  // a round
#define NUDGE 0.1     // spacings
#define SAME 1e-3     // spacings: as near as this is the same place
#define ENOUGH 0.002f // density error of new particles that may stay

// the largest density error among the new particles
static float worst_new(const ThawWorld *world) {
    const ThawStore *store = world->store;
    float worst = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        bool fresh = store->id[row] >> THAW_ID_SOURCE_SHIFT >= world->settled_source;
        if (fresh && store->density_error[row] > worst) worst = store->density_error[row];
    }
    return worst;
}

// whether a row is at the place of the one before it
static bool is_coincident(const ThawWorld *world, uint32_t row) {
    const int64_t *here = &world->store->cells[3 * (size_t)row], *last = here - 3;
    double size = SAME * (double)world->store->spacing[row] / world->domain.cell;
    for (int a = 0; a < 3; a++) {
        if (fabs(thaw_fixed_cells(here[a] - last[a])) > size) return false;
    }
    return true;
}

// Particles at the very same place have no direction to part in; the later one is moved a little, by its
// id. Rows are sorted by place, so that they lie side by side.
static void part_coincident(ThawWorld *world) {
    ThawStore *store = world->store;
    for (uint32_t row = 1; row < store->count; row++) {
        int64_t *here = &store->cells[3 * (size_t)row];
        if (!is_coincident(world, row)) continue;
        double size = NUDGE * (double)store->spacing[row] / world->domain.cell;
        for (int a = 0; a < world->domain.dimensions; a++) {
            double unit = thaw_random_unit(world->def.seed, store->id[row], world->step,
                                           THAW_RANDOM_NUDGE_X + (uint64_t)a);
            here[a] += thaw_fixed_from((2.0 * unit - 1.0) * size);
        }
        thaw_domain_wrap(&world->domain, here);
    }
}

// one search and a few iterations in place; *done when the new particles fit
static ThawResult settle_round(ThawCourse *course, bool *done) {
    ThawWorld *world = course->world;
    course->listed = false;
    part_coincident(world);
    ThawResult result = thaw_course_place(course, 0.0, false);
    if (result != THAW_OK || world->store->count == 0) return result;
    result = thaw_course_aim(course);
    for (int k = 0; k < ITERATIONS && result == THAW_OK && !*done; k++) {
        course->step.iteration = (uint32_t)k;
        result = thaw_course_stage(course, THAW_STAGE_ITERATE);
        thaw_walls_correct(world->walls, &course->wall_step);
        *done = worst_new(world) <= ENOUGH;
    }
    course->surveyed = -1;
    if (result == THAW_OK) thaw_tally_commit(world, NULL);
    return result;
}

ThawResult thaw_course_settle(ThawCourse *course) {
    ThawWorld *world = course->world;
    if (world->settled_source == world->next_source) return THAW_OK;
    // no time passes: walls and particles stand still
    course->wall_step.time = course->step.time = world->time;
    course->wall_step.dt = course->step.dt = 0.0;
    // as fast as is stable, whatever relaxation is set for the flow
    ThawSolverDef fast = world->def.solver;
    fast.relaxation = 1.0;
    course->step.solver = &fast;
    ThawResult result = thaw_course_stage(course, THAW_STAGE_BEGIN);
    bool done = false;
    for (int round = 0; round < ROUNDS && !done && result == THAW_OK; round++) {
        result = settle_round(course, &done);
        if (world->store->count == 0) break;
    }
    course->step.solver = &world->def.solver;
    if (result != THAW_OK) return result;
    course->listed = false;
    world->settled_source = world->next_source;
    return thaw_course_stage(course, THAW_STAGE_BEGIN);
}
