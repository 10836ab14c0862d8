// Worlds: their defaults, the check of what was asked for, creation, destruction, and the plain facts.
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"
#include "models/heat_state.h"
#include "simd/isa.h"

#include <assert.h>

// ---------------------------------------------------------------- defaults

ThawWorldDef thaw_world_default(void) {
    return (ThawWorldDef){
        .dimensions = 3,
        .spacing = 0.01,
        .gravity = {0, 0, -9.81},
        .seed = 1,
        .threads = 0,
        .isa = THAW_ISA_AUTO,
        .tasks = NULL,
        .trouble = THAW_TROUBLE_STOP,
        .solver = {.substeps = 0,
                   .max_substeps = 64,
                   .max_displacement = 0.8,
                   .max_compression = 0.02,
                   .iterations = 4,
                   .max_iterations = 50,
                   .density_tolerance = 0,
                   .relaxation = 0.45,
                   .skin = 0.1,
                   .elastic_steps = 16,
                   .long_bonds = true,
                   .explicit_forces = false},
        .heat = thaw_heat_default(),
    };
}

ThawBodyDef thaw_body_default(void) {
    return (ThawBodyDef){.name = "",
                         .shape = {.pose = {.rotation = {0, 0, 0, 1}}},
                         .packing = THAW_PACKING_CLOSE,
                         .orientation = {0, 0, 0, 1}};
}

// ---------------------------------------------------------------- checks

static ThawResult check_count(const char *field, int value, int least, int most) {
    if (value >= least && value <= most) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s must be %d to %d, not %d", field, least, most, value);
}

static ThawResult check_number(const char *field, double value, double least, double most) {
    if (value >= least && value <= most) return THAW_OK; // false for NaN
    return thaw_fail(THAW_BAD_INPUT, "%s must be %g to %g, not %g", field, least, most, value);
}

static ThawResult check_solver(const ThawSolverDef *solver) {
    ThawResult result;
    if ((result = check_count("solver.substeps", solver->substeps, 0, 1000)) ||
        (result = check_count("solver.max_substeps", solver->max_substeps, 1, 1000)) ||
        (result = check_number("solver.max_displacement", solver->max_displacement, 0.05, 10)) ||
        (result = check_number("solver.max_compression", solver->max_compression, 0.001, 1)) ||
        (result = check_count("solver.iterations", solver->iterations, 1, 1000)) ||
        (result = check_count("solver.max_iterations", solver->max_iterations, 1, 1000)) ||
        (result = check_number("solver.density_tolerance", solver->density_tolerance, 0, 1)) ||
        (result = check_number("solver.relaxation", solver->relaxation, 0.01, 1)) ||
        (result = check_number("solver.skin", solver->skin, 0, 0.5)) ||
        (result = check_count("solver.elastic_steps", solver->elastic_steps, 1, 1000))) {
        return result;
    }
    if (solver->density_tolerance > 0 && solver->max_iterations < solver->iterations) {
        return thaw_fail(THAW_BAD_INPUT,
                         "solver.max_iterations must be at least solver.iterations (%d) when "
                         "solver.density_tolerance is set, not %d",
                         solver->iterations, solver->max_iterations);
    }
    return THAW_OK;
}

// corners are compared in cells, where the domain ends at 2^20 less a margin for neighbours
static ThawResult check_axis(const ThawWorldDef *def, int axis) {
    const double lower[3] = {def->lower.x, def->lower.y, def->lower.z};
    const double upper[3] = {def->upper.x, def->upper.y, def->upper.z};
    const char name = "xyz"[axis];
    double h = THAW_WORLD_SUPPORT * def->spacing, limit = (double)(THAW_CELL_LIMIT - 8);
    if (!isfinite(lower[axis]) || !isfinite(upper[axis])) {
        return thaw_fail(THAW_BAD_INPUT, "lower.%c and upper.%c must be finite on a periodic axis",
                         name, name);
    }
    if (!(lower[axis] < upper[axis])) {
        return thaw_fail(THAW_BAD_INPUT, "lower.%c must be below upper.%c: %g is not below %g",
                         name, name, lower[axis], upper[axis]);
    }
    if (fabs(lower[axis] / h) > limit || fabs(upper[axis] / h) > limit) {
        return thaw_fail(
            THAW_BAD_INPUT,
            "lower.%c and upper.%c must be within %g m of the origin: the domain is 2^21 "
            "supports wide",
            name, name, limit * h);
    }
    if ((upper[axis] - lower[axis]) / h < 2.0 * (1 - 1e-12)) {
        return thaw_fail(
            THAW_BAD_INPUT,
            "periodic %c axis: upper.%c - lower.%c must be at least two supports (%g m), "
            "not %g m",
            name, name, name, 2 * h, upper[axis] - lower[axis]);
    }
    return THAW_OK;
}

static ThawResult check_gravity(int dimensions, ThawVec3 gravity) {
    if (!thaw_vec_finite(gravity)) {
        return thaw_fail(THAW_BAD_INPUT, "gravity must be finite, not (%g, %g, %g)", gravity.x,
                         gravity.y, gravity.z);
    }
    if (dimensions == 2 && gravity.z != 0) {
        return thaw_fail(THAW_BAD_INPUT,
                         "gravity.z must be 0 in 2D, not %g: give gravity in x and y", gravity.z);
    }
    return THAW_OK;
}

static ThawResult check_space(const ThawWorldDef *def) {
    if (def->dimensions != 2 && def->dimensions != 3) {
        return thaw_fail(THAW_BAD_INPUT, "dimensions must be 2 or 3, not %d", def->dimensions);
    }
    ThawResult result = check_number("spacing", def->spacing, 1e-9, 1e6);
    if (result != THAW_OK) return result;
    result = check_gravity(def->dimensions, def->gravity);
    if (result != THAW_OK) return result;
    if (def->dimensions == 2 && def->periodic[2]) {
        return thaw_fail(THAW_BAD_INPUT, "periodic z is not possible in 2D, where z is always 0");
    }
    for (int a = 0; a < 3 && result == THAW_OK; a++) {
        if (def->periodic[a]) result = check_axis(def, a);
    }
    return result;
}

ThawResult thaw_world_check(const ThawWorldDef *def) {
    ThawResult result = check_space(def);
    if (result == THAW_OK) result = check_count("threads", def->threads, 0, 256);
    if (result == THAW_OK) result = check_solver(&def->solver);
    if (result == THAW_OK) result = thaw_heat_check(&def->heat);
    if (result != THAW_OK) return result;
    if ((int)def->isa < THAW_ISA_AUTO || (int)def->isa > THAW_ISA_AVX512) {
        return thaw_fail(THAW_BAD_INPUT, "isa must be one of ThawIsa, not %d", (int)def->isa);
    }
    if ((int)def->trouble < THAW_TROUBLE_STOP || (int)def->trouble > THAW_TROUBLE_REMOVE) {
        return thaw_fail(THAW_BAD_INPUT, "trouble must be one of ThawTroublePolicy, not %d",
                         (int)def->trouble);
    }
    const ThawTaskSystem *tasks = def->tasks;
    if (tasks != NULL && tasks->run == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "tasks.run must be a function");
    }
    return tasks == NULL ? THAW_OK : check_count("tasks.workers", tasks->workers, 1, 256);
}

// ---------------------------------------------------------------- creation

// the def as kept: corners mean nothing on axes that are not periodic, and the tasks are our own copy
static void keep_def(ThawWorld *world, const ThawWorldDef *def) {
    world->def = *def;
    if (!def->periodic[0]) world->def.lower.x = world->def.upper.x = 0;
    if (!def->periodic[1]) world->def.lower.y = world->def.upper.y = 0;
    if (!def->periodic[2]) world->def.lower.z = world->def.upper.z = 0;
    if (!def->heat.on) world->def.heat = thaw_heat_default();
    if (def->tasks != NULL) {
        world->tasks = *def->tasks;
        world->def.tasks = &world->tasks;
    }
}

static ThawDomain make_domain(const ThawWorldDef *def) {
    ThawDomain domain = {.dimensions = def->dimensions, .cell = THAW_WORLD_SUPPORT * def->spacing};
    const double lower[3] = {def->lower.x, def->lower.y, def->lower.z};
    const double upper[3] = {def->upper.x, def->upper.y, def->upper.z};
    for (int a = 0; a < 3; a++) {
        if (!def->periodic[a]) continue;
        domain.periodic[a] = true;
        domain.lower[a] = thaw_fixed_from(lower[a] / domain.cell);
        domain.length[a] = thaw_fixed_from((upper[a] - lower[a]) / domain.cell);
    }
    return domain;
}

static ThawResult create_models(ThawWorld *world) {
    for (int k = 0; thaw_models[k] != NULL; k++) {
        assert(k < THAW_WORLD_MODELS);
        if (thaw_models[k]->create == NULL) continue;
        ThawResult result = thaw_models[k]->create(&world->model_states[k], &world->domain);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

static ThawResult create_parts(ThawWorld *world) {
    ThawResult result;
    if ((result = thaw_isa_resolve(world->def.isa, &world->isa)) ||
        (result = thaw_parallel_create(world->def.threads, world->def.tasks, &world->parallel)) ||
        (result = thaw_store_create(&world->store)) ||
        (result = thaw_neighbors_create(&world->neighbors)) ||
        (result = thaw_walls_create(&world->walls)) || (result = create_models(world))) {
        return result;
    }
    return THAW_OK;
}

ThawResult thaw_world_make(const ThawWorldDef *def, ThawWorld **world) {
    ThawResult result = thaw_world_check(def);
    if (result != THAW_OK) return result;
    ThawWorld *fresh = thaw_alloc(sizeof *fresh);
    if (fresh == NULL) return thaw_fail_memory(sizeof *fresh);
    keep_def(fresh, def);
    fresh->domain = make_domain(&fresh->def);
    fresh->next_collider = fresh->next_body = fresh->next_attachment = 1;
    fresh->next_source = fresh->settled_source = 1;
    result = create_parts(fresh);
    if (result != THAW_OK) {
        thaw_world_destroy(fresh);
        return result;
    }
    *world = fresh;
    return THAW_OK;
}

ThawResult thaw_world_create(const ThawWorldDef *def, ThawWorld **world) {
    assert(def != NULL && world != NULL);
    ThawWorld *fresh;
    ThawResult result = thaw_world_make(def, &fresh);
    if (result != THAW_OK) return result;
    if (def->heat.on) result = thaw_thermal_open(fresh->store, false);
    if (result != THAW_OK) {
        thaw_world_destroy(fresh);
        return result;
    }
    *world = fresh;
    return THAW_OK;
}

static void destroy_models(ThawWorld *world) {
    for (int k = 0; thaw_models[k] != NULL; k++) {
        if (thaw_models[k]->destroy != NULL && world->model_states[k] != NULL) {
            thaw_models[k]->destroy(world->model_states[k]);
        }
    }
}

void thaw_world_destroy(ThawWorld *world) {
    if (world == NULL) return;
    destroy_models(world);
    if (world->walls != NULL) thaw_walls_destroy(world->walls);
    if (world->neighbors != NULL) thaw_neighbors_destroy(world->neighbors);
    thaw_work_release(&world->work);
    if (world->store != NULL) thaw_store_destroy(world->store);
    thaw_parallel_destroy(world->parallel);
    for (uint32_t k = 0; k < world->collider_count; k++) {
        thaw_collider_release(&world->colliders[k]);
    }
    thaw_free(world->colliders);
    thaw_free(world->materials);
    thaw_free(world->bodies);
    thaw_attachments_release(world);
    thaw_forces_release(world);
    thaw_emitters_release(world);
    thaw_sinks_release(world);
    thaw_heat_release(world);
    thaw_frost_release(world);
    thaw_free(world->position_view);
    for (int k = 0; k < THAW_WORLD_DERIVED; k++) thaw_free(world->derived_views[k]);
    thaw_free(world->tally);
    thaw_free(world->order);
    thaw_free(world);
}

// ---------------------------------------------------------------- plain facts

ThawResult thaw_world_set_gravity(ThawWorld *world, ThawVec3 gravity) {
    assert(world != NULL);
    ThawResult result = check_gravity(world->def.dimensions, gravity);
    if (result == THAW_OK) world->def.gravity = gravity;
    return result;
}

double thaw_world_time(const ThawWorld *world) {
    return world->time;
}

uint32_t thaw_world_count(const ThawWorld *world) {
    return world->store->count - world->store->dead_count;
}

double thaw_world_spacing(const ThawWorld *world) {
    return world->def.spacing;
}

double thaw_world_support(const ThawWorld *world) {
    return world->domain.cell;
}

int thaw_world_threads(const ThawWorld *world) {
    return thaw_parallel_workers(world->parallel);
}

ThawIsa thaw_world_isa(const ThawWorld *world) {
    return world->isa;
}

bool thaw_world_fits(const ThawWorld *world, double spacing) {
    // a float spacing may be a rounding beside the limit
    double ratio = spacing / world->def.spacing, most = THAW_WORLD_SPACING_RATIO * (1 + 1e-6);
    return ratio >= 1 / most && ratio <= most;
}

double thaw_world_mass(const ThawWorld *world, uint32_t row) {
    double d = world->store->spacing[row];
    double volume = world->def.dimensions == 3 ? d * d * d : d * d;
    return world->materials[world->store->material[row]].density * volume;
}

void thaw_world_rest(ThawWorld *world) {
    ThawEmission *emission = &world->emission;
    thaw_scratch((void **)&world->position_view, &world->position_view_bytes, 0);
    for (int k = 0; k < THAW_WORLD_DERIVED; k++) {
        thaw_scratch(&world->derived_views[k], &world->derived_view_bytes[k], 0);
    }
    thaw_scratch((void **)&world->order, &world->order_bytes, 0);
    thaw_scratch(&world->tally, &world->tally_bytes, 0);
    thaw_scratch((void **)&emission->marks, &emission->marks_bytes, 0);
    thaw_scratch((void **)&emission->counts, &emission->counts_bytes, 0);
    thaw_scratch(&emission->scratch, &emission->scratch_bytes, 0);
    if (world->held != NULL) return;
    thaw_scratch((void **)&world->held_moves, &world->held_moves_bytes, 0);
    thaw_scratch((void **)&world->held_block, &world->held_bytes, 0);
    thaw_scratch((void **)&world->fixed_block, &world->fixed_bytes, 0);
    thaw_scratch((void **)&world->frost.riders, &world->frost.riders_bytes, 0);
    thaw_scratch((void **)&world->frost.lags, &world->frost.lags_bytes, 0);
}

ThawResult thaw_world_reserve_order(ThawWorld *world) {
    // one more, so that there is a block even for no particles
    size_t bytes = ((size_t)world->store->count * 2 + 1) * sizeof(ThawIdRow);
    bool fits = thaw_scratch((void **)&world->order, &world->order_bytes, bytes);
    return fits ? THAW_OK : thaw_fail_memory(bytes);
}
