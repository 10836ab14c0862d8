// One step: as many substeps as accuracy asks for, each a fixed recipe over all models.
#include "base/clock.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"
#include "world/attachments.h"
#include "world/course.h"
#include "world/tally.h"

#include <math.h>
#include <string.h>

#define FAST 0.25 // spacings a substep

void thaw_step_lap(ThawStep *step, ThawPhase phase) {
    double now = thaw_clock();
    step->report->phase_seconds[phase] += now - step->phase_clock;
    step->phase_clock = now;
}

ThawResult thaw_course_stage(ThawCourse *course, ThawStage stage) {
    for (uint32_t k = 0; thaw_models[k] != NULL; k++) {
        const ThawStageRow *row = &thaw_models[k]->stages[stage];
        if (row->run == NULL) continue;
        // forces change where particles aim
        if (stage == THAW_STAGE_PREDICT) course->surveyed = -1;
        ThawResult result = row->run(course->world->model_states[k], &course->step);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- forces

// gravity, and forces that act like it, as they are from `time` on for dt
static void set_gravity(ThawCourse *course, double time, double dt) {
    double gravity[3];
    thaw_forces_gravity(course->world, time, dt, gravity);
    if (memcmp(gravity, course->search.gravity, sizeof gravity) == 0) return;
    memcpy(course->search.gravity, gravity, sizeof gravity);
    memcpy(course->step.gravity, gravity, sizeof gravity);
    memcpy(course->wall_step.gravity, gravity, sizeof gravity);
    course->surveyed = -1;
}

// what forces may do in a step, for the choice of substeps
static ThawResult measure_forces(ThawCourse *course, double dt) {
    ThawForceBound bound;
    ThawResult result = thaw_forces_bound(course->world, course->world->time, dt, &bound);
    course->pushed = bound.speed;
    course->step.press = bound.press;
    return result;
}

// all forces before a substep's prediction; `sign` −1 takes back what changed velocities
static ThawResult apply_forces(ThawCourse *course, double dt, double sign) {
    bool changed;
    set_gravity(course, course->world->time, dt);
    ThawResult result = thaw_forces_kick(course->world, course->world->time, dt, sign, &changed);
    if (changed) course->surveyed = -1;
    return result;
}

// ---------------------------------------------------------------- how many substeps

static double length3(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// the same of one that is pushed: as fast as it is, and gravity, and other forces
static double rigid_travel(const ThawRigid *rigid, const ThawCourse *course, double dt) {
    double fall = length3(course->step.gravity) * dt + course->pushed;
    return (thaw_length(rigid->velocity) + fall + rigid->reach * thaw_length(rigid->spin)) * dt;
}

// how far any point of a collider's surface moves in the step, about, m
static double collider_travel(const ThawCollider *collider, double time, double dt) {
    if (collider->motion_count == 0) return 0;
    ThawPose from = thaw_collider_pose(collider, time),
             to = thaw_collider_pose(collider, time + dt);
    ThawQuat turn = thaw_quat_mul(to.rotation, thaw_quat_conjugate(from.rotation));
    double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double angle = 2.0 * asin(fmin(sine, 1.0)), radius = 0;
    ThawVec3 lower, upper;
    if (thaw_shape_local_bounds(&collider->shape, &lower, &upper)) {
        radius = fmax(thaw_length(lower), thaw_length(upper));
    }
    return thaw_length(thaw_sub(to.position, from.position)) + angle * radius;
}

// how deep along gravity what an emitter makes in the step may lie, m
static double emitted_depth(const ThawCourse *course, const ThawEmitter *emitter, double dt) {
    const ThawEmitterDef *def = &emitter->def;
    const double *g = course->step.gravity;
    double pull = length3(g);
    if (!(pull > 0)) return 0;
    bool disc = def->kind == THAW_EMITTER_DISC;
    // what the opening still holds weighs on nothing
    double along = thaw_emitter_speed(course->world, def) * dt + (double)def->spacing;
    ThawVec3 lower = {0};
    ThawVec3 upper = thaw_emitter_local(course->world, disc ? 2 * def->radius : def->width,
                                        disc ? 2 * def->radius : def->height, along);
    bool volume = def->kind == THAW_EMITTER_VOLUME;
    if (volume && !thaw_shape_local_bounds(&def->shape, &lower, &upper)) return 0;
    ThawVec3 down =
        thaw_quat_rotate(thaw_quat_conjugate(emitter->pose.rotation), thaw_vec(g[0], g[1], g[2]));
    ThawVec3 size = thaw_sub(upper, lower);
    double extent = (fabs(down.x) * size.x + fabs(down.y) * size.y + fabs(down.z) * size.z) / pull;
    if (!volume || !(def->rate > 0)) return extent;
    return fmin(extent, pow(def->rate * dt, 1.0 / course->world->def.dimensions));
}

// The step as models will find it when emitters have made their first matter, which no survey has
// seen.
static ThawStep foresee(const ThawCourse *course, double dt) {
    const ThawWorld *world = course->world;
    ThawStep soon = course->step;
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        const ThawEmitter *emitter = &world->emitters[k];
        const ThawEmitterDef *def = &emitter->def;
        if (def->from >= world->time + dt || def->to <= world->time) continue;
        if (course->step.liquid && emitter->state.born > 0) continue;
        soon.liquid = true;
        soon.least_spacing = fminf(soon.least_spacing, def->spacing);
        soon.depth = fmax(soon.depth, emitted_depth(course, emitter, dt));
    }
    return soon;
}

static uint32_t choose_substeps(ThawCourse *course, double dt) {
    const ThawSolverDef *solver = &course->world->def.solver;
    ThawStep soon = foresee(course, dt);
    // displacement: the fastest particle, speeded up by gravity over the step
    double speed = course->survey.max_shift * course->search.domain->cell / dt;
    double move = (speed + length3(course->step.gravity) * dt + course->pushed) * dt;
    for (uint32_t k = 0; k < course->world->collider_count; k++) {
        const ThawCollider *collider = &course->world->colliders[k];
        double travel = collider->rigid != NULL
                            ? rigid_travel(collider->rigid, course, dt)
                            : collider_travel(collider, course->world->time, dt);
        move = fmax(move, travel);
    }
    double wanted = move / (solver->max_displacement * (double)soon.least_spacing);
    for (uint32_t k = 0; k < course->world->emitter_count; k++) {
        const ThawEmitter *emitter = &course->world->emitters[k];
        double own = thaw_emitter_travel(course->world, emitter, dt) / (double)emitter->def.spacing;
        wanted = fmax(wanted, own / solver->max_displacement);
    }
    for (uint32_t k = 0; thaw_models[k] != NULL; k++) {
        if (thaw_models[k]->wanted_dt == NULL) continue;
        double share = dt / thaw_models[k]->wanted_dt(course->world->model_states[k], &soon);
        if (share > wanted) wanted = share;
    }
    wanted = ceil(wanted);
    uint32_t count = wanted < 1 ? 1 : wanted < 1e9 ? (uint32_t)wanted : 1000000000u;
    course->step.report->substeps_wanted = count;
    if (solver->substeps > 0) return (uint32_t)solver->substeps;
    return count > (uint32_t)solver->max_substeps ? (uint32_t)solver->max_substeps : count;
}

// How many pieces a substep of dt is cut into for stiff solids. Liquids need no more than the substeps they
// ask for, and cost most: with them the pieces of a step stay within max_substeps.
static uint32_t choose_pieces(ThawCourse *course, double dt, uint32_t substeps) {
    const ThawSolverDef *solver = &course->world->def.solver;
    double wanted = 1;
    for (uint32_t k = 0; thaw_models[k] != NULL; k++) {
        if (thaw_models[k]->stiff_dt == NULL) continue;
        double stiff = thaw_models[k]->stiff_dt(course->world->model_states[k], &course->step);
        wanted = fmax(wanted, ceil(dt / stiff));
    }
    uint32_t most = (uint32_t)solver->elastic_steps;
    if (course->step.liquid) {
        uint32_t room = (uint32_t)solver->max_substeps / substeps;
        if (room < most) most = room > 0 ? room : 1;
    }
    uint32_t pieces = wanted < most ? (uint32_t)wanted : most;
    course->step.report->elastic_steps = pieces;
    return pieces;
}

// ---------------------------------------------------------------- iterations

static bool converged(const ThawCourse *course, int done) {
    const ThawSolverDef *solver = &course->world->def.solver;
    // solids that touch nothing have nothing to iterate
    if (!course->step.liquid && course->step.report->solid_contacts == 0) return true;
    // bodies that meet fast must be stopped at once: twice as many passes
    double way = course->survey.max_shift * course->search.domain->cell;
    bool fast = !course->step.liquid && way > FAST * (double)course->step.least_spacing;
    if (done < (fast ? 2 : 1) * solver->iterations) return false;
    if (solver->density_tolerance <= 0 || done >= solver->max_iterations) return true;
    return course->step.density_error <= solver->density_tolerance;
}

static ThawResult iterate(ThawCourse *course) {
    int done = 0;
    do {
        course->step.iteration = (uint32_t)done;
        ThawResult result = thaw_course_stage(course, THAW_STAGE_ITERATE);
        if (result != THAW_OK) return result;
        thaw_walls_correct(course->world->walls, &course->wall_step);
        thaw_attachments_hold(course->world);
        thaw_step_lap(&course->step, THAW_PHASE_COLLISION);
        done++;
    } while (!converged(course, done));
    course->step.report->iterations += (uint32_t)done;
    return THAW_OK;
}

// ---------------------------------------------------------------- velocities

// the moves as velocities, in work->next; finds what cannot be kept
static ThawResult measure_moves(ThawCourse *course, ThawMoves *moves) {
    ThawWorld *world = course->world;
    float *velocity = (float *)(void *)world->work.next;
    ThawResult result = thaw_tally_moves(world, &course->search, velocity, moves);
    if (result != THAW_OK) return result;
    if (moves->nonfinite == 0) return THAW_OK;
    ThawParticleId first = world->store->id[moves->first_trouble];
    course->step.report->first_trouble = first;
    if (world->def.trouble == THAW_TROUBLE_STOP) {
        return thaw_fail(
            THAW_TROUBLE,
            "particle %llu (row %u) stopped being finite at %g s; the world is as it was "
            "before this substep",
            (unsigned long long)first, moves->first_trouble, world->time);
    }
    return THAW_OK;
}

static ThawResult finish(ThawCourse *course) {
    ThawWorld *world = course->world;
    ThawMoves moves;
    ThawResult result = measure_moves(course, &moves);
    if (result != THAW_OK) return result;
    thaw_step_lap(&course->step, THAW_PHASE_VELOCITY);
    float *velocity = (float *)(void *)world->work.next;
    thaw_walls_finish(world->walls, &course->wall_step, velocity);
    thaw_attachments_hold(world);
    course->step.report->contacts = thaw_walls_touched(world->walls);
    thaw_step_lap(&course->step, THAW_PHASE_COLLISION);
    thaw_tally_commit(world, velocity);
    thaw_step_lap(&course->step, THAW_PHASE_VELOCITY);
    // new lists are about tentative positions: only what was added to those is drift
    course->surveyed = -1;
    course->drift += course->fresh ? moves.max_correction : moves.max_shift;
    course->step.travel = moves.max_shift * course->search.domain->cell;
    course->fresh = false;
    return thaw_course_stage(course, THAW_STAGE_FINISH);
}

// ---------------------------------------------------------------- the recipe

// What rides on bodies is free to models, so that it feels what pulls at it, and hands that on. Only bonds that settle,
// which do so next to what is held, are found before, with riders held.
static ThawResult aim_riders(ThawCourse *course) {
    ThawWorld *world = course->world;
    ThawStep *step = &course->step;
    bool settles = step->fresh && thaw_frost_settles(world);
    ThawResult result = settles ? thaw_course_stage(course, THAW_STAGE_AIM) : THAW_OK;
    if (result == THAW_OK) result = thaw_frost_keep_lags(world);
    if (result != THAW_OK) return result;
    uint32_t bonds = step->report->bonds;
    step->held = world->fixed;
    step->fresh = step->fresh && !settles;
    result = thaw_course_stage(course, THAW_STAGE_AIM);
    step->fresh = course->fresh;
    if (settles) step->report->bonds = bonds;
    thaw_frost_restore_lags(world, settles);
    return result;
}

ThawResult thaw_course_aim(ThawCourse *course) {
    ThawWorld *world = course->world;
    ThawStep *step = &course->step;
    ThawResult result = thaw_attachments_begin(world, step->time, step->dt);
    if (result == THAW_OK) result = thaw_emission_find_barred(world, step->time, step->dt);
    if (result != THAW_OK) return result;
    thaw_attachments_hold(world);
    step->held = course->wall_step.held = world->held;
    step->firm = NULL;
    step->grip = NULL;
    step->fresh = course->fresh;
    course->wall_step.riders = world->frost.riders;
    course->wall_step.rider_count = world->frost.rider_count;
    result = world->frost.rider_count > 0 ? aim_riders(course)
                                          : thaw_course_stage(course, THAW_STAGE_AIM);
    course->wall_step.firm = step->firm;
    course->wall_step.grip = step->grip;
    course->wall_step.youth = step->youth;
    course->wall_step.longest = course->survey.max_shift;
    if (result == THAW_OK) result = thaw_walls_begin(world->walls, &course->wall_step);
    thaw_attachments_hold(world);
    thaw_step_lap(step, THAW_PHASE_COLLISION);
    if (result == THAW_OK) result = thaw_course_stage(course, THAW_STAGE_PREPARE);
    return result;
}

// Models go by who is solid and who is liquid: where that has changed, they begin anew.
static ThawResult begin_anew(ThawCourse *course) {
    if (!course->step.changed) return THAW_OK;
    course->step.changed = false;
    course->listed = false;
    return course->step.last ? THAW_OK : thaw_course_stage(course, THAW_STAGE_BEGIN);
}

static ThawResult try_substep(ThawCourse *course, double dt, uint32_t left) {
    ThawWorld *world = course->world;
    course->step.dt = course->wall_step.dt = dt;
    course->step.time = course->wall_step.time = world->time;
    ThawResult result = apply_forces(course, dt, 1);
    if (result == THAW_OK) result = thaw_course_stage(course, THAW_STAGE_PREDICT);
    if (result == THAW_OK) result = thaw_course_place(course, dt, left > 1);
    if (result != THAW_OK || world->store->count == 0) return result;
    result = thaw_course_aim(course);
    if (result == THAW_OK) result = iterate(course);
    if (result == THAW_OK) result = finish(course);
    if (result == THAW_OK) result = thaw_forces_drag(world, world->time, dt, course->step.liquid);
    if (result == THAW_OK) result = thaw_course_stage(course, THAW_STAGE_TRANSFORM);
    if (result == THAW_OK) result = thaw_course_stage(course, THAW_STAGE_CHANGE);
    return result == THAW_OK ? begin_anew(course) : result;
}

// One substep without particles.
static ThawResult move_bodies(ThawCourse *course, double dt) {
    ThawWorld *world = course->world;
    course->wall_step.dt = dt;
    course->wall_step.time = world->time;
    course->wall_step.rider_count = 0;
    ThawResult result = apply_forces(course, dt, 1);
    if (result == THAW_OK) result = thaw_walls_begin(world->walls, &course->wall_step);
    if (result != THAW_OK) return result;
    thaw_walls_finish(world->walls, &course->wall_step, NULL);
    return thaw_forces_drag(world, world->time, dt, false);
}

// Lets particles come and go; what depends on how many there are is made anew.
static ThawResult emit(ThawCourse *course, const ThawEmissionStep *emission) {
    ThawWorld *world = course->world;
    bool changed;
    uint64_t born = emission->report->born;
    ThawResult result = thaw_emission_begin(emission, &changed);
    if (!changed || result != THAW_OK) return result;
    course->surveyed = -1;
    course->listed = false;
    result = thaw_work_reserve(&world->work, world->store->count);
    if (world->store->count == 0 || result != THAW_OK) return result;
    thaw_tally_datum(world);
    // models have begun already, but not for the first liquid
    if (course->step.liquid || emission->report->born == born) return THAW_OK;
    result = thaw_course_survey(course, emission->dt);
    return result == THAW_OK ? thaw_course_stage(course, THAW_STAGE_BEGIN) : result;
}

static ThawResult substep(ThawCourse *course, double dt, uint32_t left) {
    ThawWorld *world = course->world;
    course->step.last = left == 1;
    ThawEmissionStep emission = {world, course->step.report, world->time, dt, 1.0 / left};
    ThawResult result = emit(course, &emission);
    if (result != THAW_OK) return result;
    // nothing is there yet: colliders move all the same
    result = world->store->count == 0 ? move_bodies(course, dt) : try_substep(course, dt, left);
    if (result == THAW_OK) thaw_emission_end(&emission);
    // trouble stops a substep before anything but velocities has changed
    if (result == THAW_TROUBLE) apply_forces(course, dt, -1);
    return result;
}

// whether substeps have anything to do besides colliders
static bool is_busy(const ThawWorld *world, double begin, double end) {
    return world->store->count > 0 || thaw_emitters_act(world, begin, end);
}

// Where there are no particles, colliders that fall go on falling.
static ThawResult run_bodies(ThawCourse *course, double dt) {
    ThawWorld *world = course->world;
    double begin = world->time, move = 0;
    bool any = false;
    set_gravity(course, begin, dt);
    ThawResult result = measure_forces(course, dt);
    for (uint32_t k = 0; k < world->collider_count; k++) {
        const ThawRigid *rigid = world->colliders[k].rigid;
        if (rigid == NULL) continue;
        any = true;
        move = fmax(move, rigid_travel(rigid, course, dt));
    }
    double wanted = ceil(move / (world->def.solver.max_displacement * world->def.spacing));
    wanted = fmin(fmax(wanted, 1), world->def.solver.max_substeps);
    uint32_t count = !any ? 0 : (uint32_t)wanted;
    if (any && world->def.solver.substeps > 0) count = (uint32_t)world->def.solver.substeps;
    for (uint32_t k = 0; k < count; k++) {
        course->wall_step.dt = dt / count;
        course->wall_step.time = world->time;
        if (result == THAW_OK) result = move_bodies(course, dt / count);
        if (result != THAW_OK) return result;
        course->step.report->substeps++;
        world->time = begin + dt * (k + 1) / count;
    }
    world->time = begin + dt;
    return result;
}

static ThawResult run_substeps(ThawCourse *course, double dt) {
    ThawWorld *world = course->world;
    double begin = world->time;
    set_gravity(course, begin, dt);
    ThawResult result = thaw_course_survey(course, dt);
    if (result == THAW_OK) result = measure_forces(course, dt);
    if (result != THAW_OK) return result;
    result = thaw_course_stage(course, THAW_STAGE_BEGIN);
    if (result != THAW_OK) return result;
    result = thaw_course_settle(course);
    if (result != THAW_OK) return result;
    uint32_t count = choose_substeps(course, dt);
    count *= choose_pieces(course, dt / count, count);
    uint32_t k = 0;
    for (; k < count && is_busy(world, world->time, begin + dt); k++) {
        course->step.substep = k;
        result = substep(course, dt / count, count - k);
        if (result != THAW_OK) return result;
        course->step.report->substeps++;
        world->time = begin + dt * (k + 1) / count;
    }
    // time goes on when all particles are gone
    if (k == count) return THAW_OK;
    return run_bodies(course, begin + dt - world->time);
}

static void set_course(ThawCourse *course, ThawWorld *world, ThawReport *report) {
    *course = (ThawCourse){.world = world, .surveyed = -1};
    course->search = (ThawSearch){.domain = &world->domain,
                                  .store = world->store,
                                  .work = &world->work,
                                  .parallel = world->parallel,
                                  .isa = world->isa,
                                  .spacing = world->def.spacing,
                                  .rough = true,
                                  .support = THAW_WORLD_SUPPORT};
    course->search.gravity[0] = world->def.gravity.x;
    course->search.gravity[1] = world->def.gravity.y;
    course->search.gravity[2] = world->def.gravity.z;
    course->wall_step = (ThawWallStep){.domain = &world->domain,
                                       .store = world->store,
                                       .work = &world->work,
                                       .parallel = world->parallel,
                                       .colliders = world->colliders,
                                       .collider_count = world->collider_count,
                                       .materials = world->materials,
                                       .kernel = THAW_KERNEL_DEFAULT,
                                       .isa = world->isa,
                                       .support = THAW_WORLD_SUPPORT};
    course->step = (ThawStep){.domain = &world->domain,
                              .solver = &world->def.solver,
                              .unmeasured = world->def.skip_energy,
                              .store = world->store,
                              .work = &world->work,
                              .neighbors = world->neighbors,
                              .walls = world->walls,
                              .wall_step = &course->wall_step,
                              .materials = world->materials,
                              .material_count = world->material_count,
                              .parallel = world->parallel,
                              .isa = world->isa,
                              .report = report,
                              .seed = world->def.seed,
                              .step = world->step,
                              .heat = world->def.heat.on ? &world->def.heat : NULL,
                              .sources = world->heat_sources,
                              .source_count = world->heat_source_count,
                              .rules = world->rules,
                              .phase_clock = thaw_clock()};
    memcpy(course->step.gravity, course->search.gravity, sizeof course->step.gravity);
    memcpy(course->wall_step.gravity, course->search.gravity, sizeof course->step.gravity);
    for (uint32_t k = 0; k < world->collider_count; k++) {
        world->colliders[k].contact = (ThawContact){0};
    }
}

ThawResult thaw_world_step(ThawWorld *world, double dt, ThawReport *report) {
    if (!(dt > 0) || !isfinite(dt)) {
        return thaw_fail(THAW_BAD_INPUT, "dt must be a finite time above 0, not %g", dt);
    }
    ThawReport own = {0};
    ThawCourse course;
    thaw_store_fit(world->store);
    thaw_world_rest(world);
    set_course(&course, world, &own);
    thaw_course_take_lists(&course);
    bool had_datum = world->datum_set;
    ThawResult result = thaw_work_reserve(&world->work, world->store->count);
    if (result == THAW_OK && is_busy(world, world->time, world->time + dt)) {
        if (world->store->count > 0) thaw_tally_datum(world);
        result = run_substeps(&course, dt);
    } else if (result == THAW_OK) {
        result = run_bodies(&course, dt);
    }
    // a first step that stopped at once has not begun
    if (result != THAW_OK && own.substeps == 0 && !had_datum) {
        world->datum_set = false;
        world->datum_height = 0;
    }
    world->step += result == THAW_OK;
    if (result == THAW_OK) thaw_emission_arrive(world);
    if (result == THAW_OK) thaw_course_keep_lists(&course);
    if (course.listed && world->store->count > 0) {
        own.neighbours = (double)thaw_neighbors_pairs(world->neighbors) / world->store->count;
    }
    thaw_tally_report(world, &own);
    for (uint32_t k = 0; result == THAW_OK && thaw_models[k] != NULL; k++) {
        if (thaw_models[k]->report != NULL)
            thaw_models[k]->report(world->model_states[k], &course.step);
    }
    thaw_step_lap(&course.step, THAW_PHASE_OTHER);
    world->report = own;
    if (report != NULL) *report = own;
    return result;
}

const char *thaw_phase_name(ThawPhase phase) {
    static const char *const names[THAW_PHASE_COUNT] = {
        "predict",    "sort",      "permute",  "table",     "build", "density",
        "correction", "collision", "velocity", "viscosity", "bonds", "elasticity",
        "contact",    "heat",      "change",   "other"};
    return phase >= 0 && phase < THAW_PHASE_COUNT ? names[phase] : "unknown";
}
