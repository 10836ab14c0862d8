// The thermal model: heat, melting, freezing.
//
// Wicke, Hatt, Pauly, Müller, Gross, "Versatile Virtual Materials Using Implicit Connectivity" (2006), section 5, with
// the readings of docs/theory/heat.md. Enthalpy is what a particle keeps; temperature and molten share follow from it.
#include "models/thermal/thermal.h"

#include "base/memory.h"
#include "base/result.h"

#define MOST_TRAVEL 0.5   // spacings that particles may move in one heat step
#define LEAST_LIMITS 0.02 // explicit steps below which it does not matter how far they move
#define MOST_LIMITS 30.0  // explicit steps that one heat step may stand for

static void destroy_thermal(void *state) {
    ThawThermal *thermal = state;
    if (thermal == NULL) return;
    thaw_conduction_destroy(thermal->conduction);
    thaw_changes_destroy(thermal->changes);
    thaw_factors_destroy(thermal->factors);
    thaw_free(thermal->curves);
    thaw_free(thermal->swells);
    thaw_free(thermal);
}

static ThawResult create_thermal(void **state, const ThawDomain *domain) {
    (void)domain;
    ThawThermal *thermal = thaw_alloc(sizeof *thermal);
    if (thermal == NULL) return thaw_fail_memory(sizeof *thermal);
    *thermal = (ThawThermal){0};
    ThawResult result = thaw_conduction_create(&thermal->conduction);
    if (result == THAW_OK) result = thaw_changes_create(&thermal->changes);
    if (result == THAW_OK) result = thaw_factors_create(&thermal->factors);
    if (result != THAW_OK) {
        destroy_thermal(thermal);
        return result;
    }
    *state = thermal;
    return THAW_OK;
}

static ThawResult begin_step(void *state, ThawStep *step) {
    ThawThermal *thermal = state;
    thermal->active = step->heat != NULL && thaw_thermal_is_open(step->store);
    if (!thermal->active) return THAW_OK;
    // models begin anew within a step too: only before the first substep there is no dt yet
    if (step->substep == 0 && !(step->dt > 0)) {
        thermal->rounds = 0;
        thermal->due = thermal->travel = 0;
    }
    size_t bytes = step->material_count * sizeof *thermal->curves;
    if (!thaw_scratch((void **)&thermal->curves, &thermal->curves_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    bytes = step->material_count * sizeof *thermal->swells;
    if (!thaw_scratch((void **)&thermal->swells, &thermal->swells_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    thermal->swollen = false;
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawMaterial *material = &step->materials[k];
        thermal->curves[k] = thaw_enthalpy_curve(&material->thermal);
        thermal->swells[k] = thaw_material_swell(material, step->domain->dimensions);
        thermal->swollen |= thermal->swells[k] != 1;
    }
    return thaw_factors_begin(thermal, step);
}

static ThawResult aim(void *state, ThawStep *step) {
    ThawThermal *thermal = state;
    step->stiffness = step->damping = step->viscosity = step->youth = NULL;
    step->excess = NULL;
    if (!thermal->active) return THAW_OK;
    thaw_youth_aim(step);
    return thaw_factors_set(thermal, step);
}

// whether what is due must be done before another substep like this one
static bool is_due(const ThawThermal *thermal, const ThawStep *step) {
    if (step->last) return true;
    double limits = (thermal->due + step->dt) / thaw_conduction_limit(thermal, step);
    double travel = (thermal->travel + step->travel) / (double)step->least_spacing;
    return limits > MOST_LIMITS || (limits > LEAST_LIMITS && travel > MOST_TRAVEL);
}

static ThawResult change(void *state, ThawStep *step) {
    ThawThermal *thermal = state;
    if (!thermal->active) return THAW_OK;
    thaw_youth_fade(step);
    thermal->due += step->dt;
    thermal->travel += step->travel;
    if (!is_due(thermal, step)) return THAW_OK;
    ThawResult result = thaw_conduction_run(thermal, step, thermal->due);
    thaw_step_lap(step, THAW_PHASE_HEAT);
    if (result == THAW_OK) result = thaw_changes_run(thermal, step, thermal->due);
    thaw_step_lap(step, THAW_PHASE_CHANGE);
    thermal->due = thermal->travel = 0;
    thermal->rounds++;
    return result;
}

static void report(void *state, ThawStep *step) {
    const ThawThermal *thermal = state;
    if (thermal->active) thaw_thermal_tally(thermal, step);
}

#define OWN (THAW_BIT(spacing) | THAW_BIT(material) | THAW_BIT(object) | THAW_BIT(state))

const ThawModel thaw_model_thermal = {
    .name = "thermal",
    .summary = "heat, melting and freezing: temperatures in K, heat in J",
    .create = create_thermal,
    .destroy = destroy_thermal,
    .report = report,
    .stages = {
        [THAW_STAGE_BEGIN] = {.run = begin_step, .reads = OWN},
        [THAW_STAGE_AIM] = {.run = aim, .reads = OWN},
        [THAW_STAGE_CHANGE] = {.run = change,
                               .reads = OWN | THAW_BIT(velocity) | THAW_BIT(cells),
                               .reads_neighbors = OWN | THAW_BIT(velocity),
                               .reads_places = true,
                               .writes = THAW_BIT(state) | THAW_BIT(object)},
    }};
