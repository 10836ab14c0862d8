// Heat as the world keeps it: checks, sources by handle, and what a caller sets by hand.
//
// Enthalpy is what is kept; whoever sets it sets the temperature with it. Sums over a region go by ids, as in query.c.
#include "world/heat.h"
#include "models/heat_state.h"
#include "models/row_fields.h"
#include "world/sinks.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define OWNER_SIZE (THAW_NAME_SIZE + 24)
#define MOST_POWER 1e15   // W
#define MOST_TRANSFER 1e9 // W/(m² K)
#define MOST_TIME 1e9     // s

ThawHeatDef thaw_heat_default(void) {
    return (ThawHeatDef){.ambient = 293.15f};
}

ThawHeatSourceDef thaw_heat_source_default(void) {
    return (ThawHeatSourceDef){
        .name = "", .region = {.pose = {.rotation = {0, 0, 0, 1}}}, .to = INFINITY};
}

// ---------------------------------------------------------------- checks

static bool is_temperature(double value) {
    return value > 0 && value <= THAW_HEAT_MOST; // false for NaN
}

ThawResult thaw_heat_check(const ThawHeatDef *def) {
    if (!def->on) return THAW_OK;
    if (!is_temperature((double)def->ambient)) {
        return thaw_fail(THAW_BAD_INPUT, "heat.ambient must be above 0 and at most %g K, not %g",
                         THAW_HEAT_MOST, (double)def->ambient);
    }
    if (!(def->convection >= 0 && (double)def->convection <= MOST_TRANSFER)) {
        return thaw_fail(THAW_BAD_INPUT, "heat.convection must be 0 to %g W/(m² K), not %g",
                         MOST_TRANSFER, (double)def->convection);
    }
    if (!(def->emissivity >= 0 && def->emissivity <= 1)) {
        return thaw_fail(THAW_BAD_INPUT, "heat.emissivity must be 0 to 1, not %g",
                         (double)def->emissivity);
    }
    return THAW_OK;
}

ThawResult thaw_heat_check_start(const char *owner, float temperature) {
    if (temperature == 0 || is_temperature((double)temperature)) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "%s: temperature must be above 0 and at most %g K, or 0 for the air's, not %g",
                     owner, THAW_HEAT_MOST, (double)temperature);
}

// for what makes sense only where particles have temperatures
static ThawResult check_on(const ThawWorld *world, const char *what) {
    if (world->def.heat.on) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "%s: the world has no heat: heat.on was false when it was made", what);
}

static ThawResult check_times(const char *owner, const ThawHeatSourceDef *def) {
    if (!(fabs(def->from) <= MOST_TIME)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: from must be in %g..%g s, not %g", owner, -MOST_TIME,
                         MOST_TIME, def->from);
    }
    if (def->to > def->from) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: to must be after from, %g s, not %g s", owner, def->from,
                     def->to);
}

static ThawResult check_strength(const char *owner, const ThawHeatSourceDef *def) {
    if (!(fabs(def->power) <= MOST_POWER)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: power must be in %g..%g W, not %g", owner,
                         -MOST_POWER, MOST_POWER, def->power);
    }
    if (def->temperature != 0 && !is_temperature(def->temperature)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: temperature must be above 0 and at most %g K, or 0 for none, not %g",
                         owner, THAW_HEAT_MOST, def->temperature);
    }
    if (def->temperature != 0 && def->power != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s: power must be 0 where temperature is given, not %g W",
                         owner, def->power);
    }
    return THAW_OK;
}

static ThawResult check_filter(const ThawWorld *world, const char *owner,
                               const ThawHeatSourceDef *def) {
    if (def->material.value != 0 && thaw_world_material(world, def->material) == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "%s: material %u is not in this world", owner,
                         def->material.value);
    }
    if (def->body.value > THAW_WORLD_HANDLES || def->body.value >= world->next_body) {
        return thaw_fail(THAW_NOT_FOUND, "%s: body %u is not in this world", owner,
                         def->body.value);
    }
    return THAW_OK;
}

ThawResult thaw_heat_source_check(const ThawWorld *world, const ThawHeatSourceDef *def) {
    char owner[OWNER_SIZE] = "heat source";
    if (def->name != NULL && strnlen(def->name, THAW_NAME_SIZE) == THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "heat source: name must have at most %d bytes",
                         THAW_NAME_SIZE - 1);
    }
    if (def->name != NULL && def->name[0] != '\0') {
        snprintf(owner, sizeof owner, "heat source \"%s\"", def->name);
    }
    ThawResult result;
    if ((result = check_on(world, owner)) || (result = check_strength(owner, def)) ||
        (result = check_times(owner, def)) || (result = check_filter(world, owner, def))) {
        return result;
    }
    return def->everywhere ? THAW_OK : thaw_shape_check(&def->region, owner);
}

// ---------------------------------------------------------------- channels

ThawResult thaw_heat_open_frost(ThawWorld *world) {
    return world->def.heat.on ? thaw_thermal_open(world->store, true) : THAW_OK;
}

bool thaw_heat_is_channel(const ThawWorld *world, const char *name) {
    if (strncmp(name, "thermal_", 8) == 0) return true;
    if (!world->def.heat.on) return false;
    return thaw_thermal_is_channel(name);
}

void thaw_heat_begin_rows(ThawWorld *world, uint32_t first, uint32_t count, float temperature) {
    if (!world->def.heat.on) return;
    ThawThermalState state = thaw_thermal_state(world->store);
    double start = (double)(temperature > 0 ? temperature : world->def.heat.ambient);
    for (uint32_t row = first; row < first + count; row++) {
        thaw_thermal_set(world->store, &state, world->materials, row, start);
    }
}

static bool is_same_curve(const ThawEnthalpyCurve *a, const ThawEnthalpyCurve *b) {
    return a->cold == b->cold && a->warm == b->warm && a->low == b->low && a->high == b->high &&
           a->low_heat == b->low_heat && a->high_heat == b->high_heat;
}

void thaw_heat_change_curve(ThawWorld *world, uint32_t material, const ThawThermalDef *def) {
    ThawThermalState state = thaw_thermal_state(world->store);
    if (!world->def.heat.on || state.heat == NULL) return;
    ThawEnthalpyCurve old = thaw_enthalpy_curve(&world->materials[material].thermal);
    ThawEnthalpyCurve fresh = thaw_enthalpy_curve(def);
    if (is_same_curve(&old, &fresh)) return;
    bool melts = isfinite(fresh.low);
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (world->store->material[row] != material) continue;
        double heat = state.heat[row], molten = thaw_curve_molten(&old, heat);
        double temperature = thaw_curve_temperature(&old, heat);
        if (melts && molten > 0 && molten < 1)
            heat = fresh.low_heat + molten * (fresh.high_heat - fresh.low_heat);
        else
            heat = thaw_curve_heat(&fresh, temperature, molten);
        state.heat[row] = heat;
        state.temperature[row] = (float)thaw_curve_temperature(&fresh, heat);
    }
}

// ---------------------------------------------------------------- the air

ThawResult thaw_world_set_heat(ThawWorld *world, const ThawHeatDef *def) {
    assert(world != NULL && def != NULL);
    if (def->on != world->def.heat.on) {
        return thaw_fail(THAW_BAD_INPUT, "heat.on must stay %s, as the world was made",
                         world->def.heat.on ? "true" : "false");
    }
    ThawResult result = thaw_heat_check(def);
    if (result == THAW_OK && def->on) world->def.heat = *def;
    return result;
}

// ---------------------------------------------------------------- sources

static void release(ThawHeatSource *source) {
    thaw_shape_drop(&source->def.region);
}

void thaw_heat_release(ThawWorld *world) {
    for (uint32_t k = 0; k < world->heat_source_count; k++) release(&world->heat_sources[k]);
    thaw_free(world->heat_sources);
    thaw_free(world->rules);
}

// a copy of a checked def; name and handle are the caller's
static ThawResult copy_def(const ThawHeatSourceDef *def, ThawHeatSource *fresh) {
    fresh->def = *def;
    fresh->def.name = NULL;
    fresh->def.region = thaw_heat_source_default().region;
    return def->everywhere ? THAW_OK : thaw_shape_keep(&def->region, &fresh->def.region);
}

ThawResult thaw_heat_put_source(ThawWorld *world, const ThawHeatSourceDef *def, uint32_t handle) {
    void *array = world->heat_sources;
    ThawResult result = thaw_world_grow(&array, &world->heat_source_capacity,
                                        world->heat_source_count, sizeof *world->heat_sources);
    world->heat_sources = array;
    if (result != THAW_OK) return result;
    ThawHeatSource *fresh = &world->heat_sources[world->heat_source_count];
    *fresh = (ThawHeatSource){.handle = handle};
    if (def->name != NULL) memcpy(fresh->name, def->name, strlen(def->name));
    result = copy_def(def, fresh);
    if (result == THAW_OK) world->heat_source_count++;
    return result;
}

ThawResult thaw_world_add_heat_source(ThawWorld *world, const ThawHeatSourceDef *def,
                                      ThawHeatSourceId *source) {
    assert(world != NULL && def != NULL);
    ThawResult result = thaw_heat_source_check(world, def);
    if (result != THAW_OK) return result;
    if (def->body.value != 0 && thaw_world_body(world, def->body) == NULL) {
        return thaw_fail(THAW_NOT_FOUND,
                         "heat source: body %u is not in this world, or was removed",
                         def->body.value);
    }
    if (world->last_heat_source >= THAW_WORLD_HANDLES) {
        return thaw_fail(THAW_BAD_INPUT, "heat source: the world has no handles left");
    }
    result = thaw_heat_put_source(world, def, world->last_heat_source + 1);
    if (result != THAW_OK) return result;
    world->last_heat_source++;
    if (source != NULL) source->value = world->last_heat_source;
    return THAW_OK;
}

static ThawHeatSource *find_source(const ThawWorld *world, ThawHeatSourceId source) {
    for (uint32_t k = 0; k < world->heat_source_count; k++) {
        if (world->heat_sources[k].handle == source.value) return &world->heat_sources[k];
    }
    thaw_fail(THAW_NOT_FOUND, "heat source %u is not in this world, or was removed", source.value);
    return NULL;
}

ThawResult thaw_world_set_heat_source(ThawWorld *world, ThawHeatSourceId source,
                                      const ThawHeatSourceDef *def) {
    assert(world != NULL && def != NULL);
    ThawHeatSource *kept = find_source(world, source);
    if (kept == NULL) return THAW_NOT_FOUND;
    ThawHeatSourceDef renamed = *def;
    renamed.name = kept->name;
    ThawResult result = thaw_heat_source_check(world, &renamed);
    if (result != THAW_OK) return result;
    ThawHeatSource fresh = *kept;
    result = copy_def(def, &fresh);
    if (result != THAW_OK) return result;
    release(kept);
    *kept = fresh;
    return THAW_OK;
}

ThawResult thaw_world_remove_heat_source(ThawWorld *world, ThawHeatSourceId source) {
    assert(world != NULL);
    ThawHeatSource *gone = find_source(world, source);
    if (gone == NULL) return THAW_NOT_FOUND;
    release(gone);
    // close the gap and keep the order
    uint32_t index = (uint32_t)(gone - world->heat_sources);
    world->heat_source_count--;
    memmove(gone, gone + 1, (world->heat_source_count - index) * sizeof *gone);
    return THAW_OK;
}

ThawResult thaw_world_heat_given(const ThawWorld *world, ThawHeatSourceId source, double *given) {
    assert(world != NULL && given != NULL);
    const ThawHeatSource *found = find_source(world, source);
    if (found == NULL) return THAW_NOT_FOUND;
    *given = found->given;
    return THAW_OK;
}

// ---------------------------------------------------------------- by hand

ThawResult thaw_world_set_temperature(ThawWorld *world, const ThawShape *region,
                                      double temperature) {
    assert(world != NULL);
    uint32_t count;
    ThawResult result = check_on(world, "set_temperature");
    if (result != THAW_OK) return result;
    if (!is_temperature(temperature)) {
        return thaw_fail(THAW_BAD_INPUT, "temperature must be above 0 and at most %g K, not %g",
                         THAW_HEAT_MOST, temperature);
    }
    result = thaw_world_gather(world, region, &count);
    if (result != THAW_OK) return result;
    ThawThermalState state = thaw_thermal_state(world->store);
    // what is frozen to a wall stays so until it melts
    ThawThermalState values = {.heat = state.heat, .temperature = state.temperature};
    for (uint32_t k = 0; k < count; k++) {
        thaw_thermal_set(world->store, &values, world->materials, world->order[k].row, temperature);
    }
    return THAW_OK;
}

// all of them can take so much a kilogram, or nobody does
static ThawResult check_share(const ThawWorld *world, const double *heat, uint32_t count,
                              double share) {
    for (uint32_t k = 0; k < count; k++) {
        double after = heat[world->order[k].row] + share;
        if (after >= 0 && after <= THAW_HEAT_MOST_ENTHALPY) continue; // false for NaN
        return thaw_fail(THAW_BAD_INPUT,
                         "joules must leave every particle between 0 K and %g J/kg: %g J/kg are "
                         "too %s",
                         THAW_HEAT_MOST_ENTHALPY, share, share < 0 ? "little" : "much");
    }
    return THAW_OK;
}

ThawResult thaw_world_add_heat(ThawWorld *world, const ThawShape *region, double joules) {
    assert(world != NULL);
    uint32_t count;
    ThawResult result = check_on(world, "add_heat");
    if (result != THAW_OK) return result;
    if (!isfinite(joules)) {
        return thaw_fail(THAW_BAD_INPUT, "joules must be finite, not %g", joules);
    }
    result = thaw_world_gather(world, region, &count);
    if (result != THAW_OK || count == 0) return result;
    double mass = 0;
    for (uint32_t k = 0; k < count; k++) mass += thaw_world_mass(world, world->order[k].row);
    ThawThermalState state = thaw_thermal_state(world->store);
    result = check_share(world, state.heat, count, joules / mass);
    if (result != THAW_OK) return result;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t row = world->order[k].row;
        const ThawMaterial *material = &world->materials[world->store->material[row]];
        ThawEnthalpyCurve curve = thaw_enthalpy_curve(&material->thermal);
        state.heat[row] += joules / mass;
        state.temperature[row] = (float)thaw_curve_temperature(&curve, state.heat[row]);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- rules

ThawResult thaw_heat_fit_rules(ThawWorld *world, uint32_t materials) {
    if (materials <= world->rules_count) return THAW_OK;
    size_t size = sizeof *world->rules;
    void *grown = thaw_realloc(world->rules, world->rules_count * size, materials * size);
    if (grown == NULL) return thaw_fail_memory(materials * size);
    world->rules = grown;
    memset(&world->rules[world->rules_count], 0, (materials - world->rules_count) * size);
    world->rules_count = materials;
    return THAW_OK;
}

static ThawResult check_rule_fields(ThawWorld *world, const ThawTransitionRules *rules) {
    if (rules->field_count < 0 || rules->field_count > THAW_TRANSITION_FIELDS) {
        return thaw_fail(THAW_BAD_INPUT, "rules.field_count must be 0 to %d, not %d",
                         THAW_TRANSITION_FIELDS, rules->field_count);
    }
    for (int k = 0; k < rules->field_count; k++) {
        ThawRowNumber number;
        if (thaw_row_number_find(world->store, rules->fields[k], &number)) continue;
        return thaw_fail(THAW_BAD_INPUT, "rules.fields[%d]: no field or channel is \"%.60s\"", k,
                         rules->fields[k]);
    }
    return THAW_OK;
}

ThawResult thaw_world_set_rules(ThawWorld *world, ThawMaterialId material,
                                const ThawTransitionRules *rules) {
    assert(world != NULL);
    ThawResult result = check_on(world, "set_rules");
    if (result != THAW_OK) return result;
    if (thaw_world_material(world, material) == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "material %u is not in this world", material.value);
    }
    bool none = rules == NULL || (rules->melts == NULL && rules->freezes == NULL);
    if (none && world->rules == NULL) return THAW_OK;
    result = none ? THAW_OK : check_rule_fields(world, rules);
    if (result != THAW_OK) return result;
    result = thaw_heat_fit_rules(world, world->material_count);
    if (result != THAW_OK) return result;
    world->rules[material.value - 1] = none ? (ThawTransitionRules){0} : *rules;
    return THAW_OK;
}
