// Where particles tentatively are, and who is near whom.
//
// Lists serve as long as no pair can have come within reach unlisted: over substeps and, where the host asks for it and
// there are only solids, over steps. Else nothing derived outlives a step: neighbours are found anew in its first substep,
// in an order that depends on positions and ids alone. So a world loaded from a snapshot goes on in the same bits.
#include "base/result.h"
#include "neighbors/aim.h"
#include "world/course.h"

#include <math.h>
#include <string.h>

#define ROW_CHUNK 4096u
#define SOLID_SKIN 0.15 // supports
#define NARROW 0.1 // supports of a periodic box that are kept free, for what moves after the search

// ---------------------------------------------------------------- a look at all particles

// looks at the particles as they would be after dt, unless the last look was the same
ThawResult thaw_course_survey(ThawCourse *course, double dt) {
    if (course->surveyed == dt) return THAW_OK;
    course->search.dt = dt;
    ThawResult result =
        thaw_neighbors_survey(course->world->neighbors, &course->search, &course->survey);
    course->step.least_spacing = course->survey.least_spacing;
    course->step.largest_spacing = course->survey.largest_spacing;
    course->step.depth = course->survey.depth * course->search.domain->cell;
    course->surveyed = result == THAW_OK ? dt : -1;
    return result;
}

// ---------------------------------------------------------------- trouble

// removes or reports the rows that the survey found; *removed says whether rows are gone
static ThawResult settle_trouble(ThawCourse *course, bool *removed) {
    ThawWorld *world = course->world;
    const ThawSurvey *found = &course->survey;
    *removed = found->nonfinite + found->outside > 0;
    if (!*removed) return THAW_OK;
    course->surveyed = -1;
    ThawReport *report = course->step.report;
    ThawParticleId first = world->store->id[found->first_trouble];
    if (report->first_trouble == 0) report->first_trouble = first;
    // matter that has left the domain is gone in either policy
    if (found->nonfinite > 0 && world->def.trouble == THAW_TROUBLE_STOP) {
        return thaw_fail(THAW_TROUBLE,
                         "particle %llu (row %u) has no finite position or velocity at %g s; the "
                         "world is as it was before this substep",
                         (unsigned long long)first, found->first_trouble, world->time);
    }
    for (uint32_t row = 0; row < world->store->count; row++) {
        ThawTrouble trouble = thaw_search_trouble(&course->search, row);
        if (trouble == THAW_TROUBLE_NONE) continue;
        if (trouble == THAW_TROUBLE_OUTSIDE)
            report->removed_outside++;
        else
            report->removed_nonfinite++;
        thaw_store_kill(world->store, row);
    }
    return thaw_store_compact(world->store, world->parallel);
}

// ---------------------------------------------------------------- tentative positions

typedef struct AimJob {
    ThawAim aim;
    ThawWork *work;
    uint32_t rows;
    ThawIsa isa;
    bool listed; // lists of an earlier substep go on
} AimJob;

static void aim_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const AimJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->rows, ROW_CHUNK);
    ThawWork *work = job->work;
    memset(&work->wall[range.begin], 0, (range.end - range.begin) * sizeof *work->wall);
    // without periodic axes there are no images to follow
    uint32_t blocks = (range.end - range.begin) / THAW_AIM_ROWS, row = range.begin;
    if (thaw_aim_is_open(&job->aim)) {
        THAW_WIDE_PICK(job->isa, thaw_aim_places)
        (&job->aim, row, blocks, work->shift, work->place);
        row += blocks * THAW_AIM_ROWS;
    }
    for (; row < range.end; row++) {
        float *shift = &work->shift[3 * (size_t)row];
        int64_t at[3];
        thaw_aim_shift(&job->aim, row, shift);
        thaw_aim_at(&job->aim, row, shift, at);
        ThawPlace *place = &work->place[row];
        ThawPlace before = *place;
        place->x = thaw_place_from(at[0]);
        place->y = thaw_place_from(at[1]);
        place->z = thaw_place_from(at[2]);
        if (job->listed) {
            place->x = thaw_place_follow(job->aim.domain, 0, at[0], before.x);
            place->y = thaw_place_follow(job->aim.domain, 1, at[1], before.y);
            place->z = thaw_place_follow(job->aim.domain, 2, at[2], before.z);
        }
        place->lambda = 0;
    }
}

static void aim_all(ThawCourse *course, bool listed) {
    AimJob job = {thaw_aim(&course->search), &course->world->work, course->world->store->count,
                  course->world->isa, listed};
    thaw_parallel_run(course->world->parallel, aim_chunk, &job,
                      thaw_chunk_count(job.rows, ROW_CHUNK));
}

// ---------------------------------------------------------------- neighbours

// whether lists from an earlier substep still hold every pair
static bool lists_hold(const ThawCourse *course) {
    if (!course->listed) return false;
    double least_support = (double)course->step.least_spacing / course->search.spacing;
    double moved = course->drift + course->survey.max_shift;
    return 2.0 * moved <= course->search.skin * least_support;
}

// Whether lists may outlive the step. Liquids' own loops pay for every neighbour that a skin adds.
static bool lists_last(const ThawCourse *course) {
    return course->world->def.keep_lists && !course->step.liquid;
}

static ThawResult find_neighbors(ThawCourse *course) {
    ThawWorld *world = course->world;
    ThawNeighbors *neighbors = world->neighbors;
    ThawStep *step = &course->step;
    ThawResult result = thaw_neighbors_sort(neighbors, &course->search, &step->order);
    if (result != THAW_OK) return result;
    thaw_step_lap(step, THAW_PHASE_SORT);
    step->order_revision = world->store->revision;
    result = thaw_store_permute(world->store, world->parallel, step->order);
    if (result != THAW_OK) return result;
    thaw_step_lap(step, THAW_PHASE_PERMUTE);
    aim_all(course, false);
    thaw_step_lap(step, THAW_PHASE_PREDICT);
    result = thaw_neighbors_table(neighbors, &course->search);
    if (result != THAW_OK) return result;
    thaw_step_lap(step, THAW_PHASE_TABLE);
    result = thaw_neighbors_list(neighbors, &course->search);
    thaw_step_lap(step, THAW_PHASE_BUILD);
    course->listed = course->fresh = true;
    course->drift = 0;
    step->report->rebuilds++;
    return result;
}

// In a narrow periodic box a list must not reach the same neighbour through two images.
static double widest_skin(const ThawCourse *course) {
    const ThawDomain *domain = course->search.domain;
    double support = (double)course->step.largest_spacing / course->search.spacing; // cells
    double skin = INFINITY;
    for (int a = 0; a < 3; a++) {
        if (!domain->periodic[a]) continue;
        skin = fmin(skin, thaw_fixed_cells(domain->length[a]) / (2 * support) - 1);
    }
    return fmax(skin - NARROW, 0);
}

ThawResult thaw_course_place(ThawCourse *course, double dt, bool again) {
    bool removed = true;
    while (removed) {
        ThawResult result = thaw_course_survey(course, dt);
        if (result == THAW_OK) result = settle_trouble(course, &removed);
        if (result != THAW_OK) return result;
        if (removed) course->listed = false;
        if (course->world->store->count == 0) return THAW_OK;
    }
    thaw_step_lap(&course->step, THAW_PHASE_PREDICT);
    if (lists_hold(course)) {
        aim_all(course, true);
        thaw_step_lap(&course->step, THAW_PHASE_PREDICT);
        return THAW_OK;
    }
    // a skin only pays when lists will serve again
    double skin = course->world->def.solver.skin;
    // solids use lists at a search alone: longer ones cost little and serve longer
    if (!course->step.liquid) skin = fmax(skin, SOLID_SKIN);
    skin = fmin(skin, widest_skin(course));
    if (lists_last(course)) again = true;
    course->search.skin = again && 4.0 * course->survey.max_shift <= skin ? skin : 0.0;
    return find_neighbors(course);
}

// ---------------------------------------------------------------- from step to step

void thaw_course_take_lists(ThawCourse *course) {
    ThawKeptLists *kept = &course->world->lists;
    bool same = kept->hold && kept->revision == course->world->store->revision;
    // a step that stops half way leaves none
    kept->hold = false;
    if (!same) return;
    course->listed = true;
    course->drift = kept->drift;
    course->search.skin = kept->skin;
}

void thaw_course_keep_lists(ThawCourse *course) {
    course->world->lists = (ThawKeptLists){.hold = course->listed && lists_last(course),
                                           .revision = course->world->store->revision,
                                           .drift = course->drift,
                                           .skin = course->search.skin};
}

void thaw_world_renew(ThawWorld *world) {
    world->lists.hold = false;
}
