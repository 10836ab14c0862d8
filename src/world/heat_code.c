// Heat as bytes, both ways: the air, materials, sources, and what rows must be. Loading trusts nothing, as in
// snapshot.c.
#include "models/heat_state.h"
#include "world/heat.h"
#include "world/parts.h"
#include "world/world.h"

#include "base/result.h"

#include <math.h>
#include <string.h>

// fewest bytes that each takes, for thaw_code_count
#define SOURCE_LEAST 54u

#define SAME_TEMPERATURE 1e-4 // –, by how much a kept temperature may miss that of the enthalpy

// ---------------------------------------------------------------- the parts, both ways

void thaw_part_heat(ThawCodec *codec, ThawHeatDef *def) {
    thaw_code_bool(codec, &def->on);
    if (!def->on) return;
    thaw_code_f32(codec, &def->ambient);
    thaw_code_f32(codec, &def->convection);
    thaw_code_f32(codec, &def->emissivity);
}

static void code_curve(ThawCodec *codec, ThawFactorCurve *curve) {
    thaw_code_i32(codec, &curve->count);
    if (curve->count < 0 || curve->count > THAW_CURVE_POINTS) {
        codec->failed = true;
        return;
    }
    for (int k = 0; k < curve->count; k++) {
        thaw_code_f32(codec, &curve->temperature[k]);
        thaw_code_f32(codec, &curve->factor[k]);
    }
}

void thaw_part_thermal(ThawCodec *codec, ThawThermalDef *def) {
    float *const numbers[] = {&def->conductivity,
                              &def->specific_heat,
                              &def->liquid_conductivity,
                              &def->liquid_specific_heat,
                              &def->melts_at,
                              &def->melting_range,
                              &def->latent_heat,
                              &def->freezes_at,
                              &def->melting_rate,
                              &def->freezing_rate,
                              &def->freezing_speed,
                              &def->freezing_misfit,
                              &def->nucleation,
                              &def->nucleation_below,
                              &def->sintering,
                              &def->expansion,
                              &def->reference};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) thaw_code_f32(codec, numbers[k]);
    thaw_code_i32(codec, &def->freezing_neighbors);
    code_curve(codec, &def->stiffness);
    code_curve(codec, &def->damping);
    code_curve(codec, &def->viscosity);
}

// all but the region, which needs memory
static void code_source(ThawCodec *codec, ThawHeatSource *source) {
    ThawHeatSourceDef *def = &source->def;
    thaw_code_u32(codec, &source->handle);
    thaw_code_name(codec, source->name, sizeof source->name);
    thaw_code_bool(codec, &def->everywhere);
    thaw_code_u32(codec, &def->material.value);
    thaw_code_u32(codec, &def->body.value);
    thaw_code_f64(codec, &def->power);
    thaw_code_f64(codec, &def->temperature);
    thaw_code_f64(codec, &def->from);
    thaw_code_f64(codec, &def->to);
    thaw_code_f64(codec, &source->given);
}

// ---------------------------------------------------------------- sources

void thaw_heat_save(ThawCodec *codec, ThawWorld *world) {
    thaw_code_u32(codec, &world->last_heat_source);
    thaw_code_count(codec, &world->heat_source_count, SOURCE_LEAST);
    for (uint32_t k = 0; k < world->heat_source_count; k++) {
        ThawHeatSource *source = &world->heat_sources[k];
        code_source(codec, source);
        if (!source->def.everywhere) thaw_whole_shape_save(codec, &source->def.region);
    }
}

static ThawResult load_source(ThawCodec *codec, ThawWorld *world) {
    ThawHeatSource read = {.def = thaw_heat_source_default()};
    ThawBall balls[THAW_BALLS];
    ThawField *field = NULL;
    uint32_t count = world->heat_source_count;
    uint32_t last = count == 0 ? 0 : world->heat_sources[count - 1].handle;
    code_source(codec, &read);
    bool good = read.handle > last && read.handle <= world->last_heat_source;
    if (codec->failed || !good || !isfinite(read.given)) {
        return thaw_fail_damaged(codec, "a heat source");
    }
    read.def.name = read.name;
    ThawResult result = THAW_OK;
    if (!read.def.everywhere) {
        result = thaw_whole_shape_load(codec, world->parallel, balls, &read.def.region, &field);
    }
    if (result == THAW_OK && codec->failed) result = thaw_fail_damaged(codec, "a heat source");
    if (result == THAW_OK) result = thaw_heat_source_check(world, &read.def);
    if (result == THAW_NOT_FOUND) result = thaw_fail_damaged(codec, "what a source heats");
    if (result == THAW_OK) result = thaw_heat_put_source(world, &read.def, read.handle);
    if (result == THAW_OK) world->heat_sources[count].given = read.given;
    thaw_field_release(field);
    return result;
}

ThawResult thaw_heat_load(ThawCodec *codec, ThawWorld *world) {
    uint32_t count = 0;
    thaw_code_u32(codec, &world->last_heat_source);
    thaw_code_count(codec, &count, SOURCE_LEAST);
    if (codec->failed || world->last_heat_source > THAW_WORLD_HANDLES) {
        return thaw_fail_damaged(codec, "heat sources");
    }
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < count && result == THAW_OK; k++) result = load_source(codec, world);
    return result;
}

// ---------------------------------------------------------------- rows

static bool some_frost(const ThawWorld *world) {
    for (uint32_t k = 0; k < world->collider_count; k++) {
        if (world->colliders[k].frosts) return true;
    }
    return false;
}

static bool has_channel(const ThawWorld *world, const char *name) {
    return thaw_store_channel(world->store, name) != NULL;
}

bool thaw_heat_channels_fit(const ThawWorld *world) {
    bool on = world->def.heat.on;
    for (uint32_t k = 0; k < world->store->channel_count; k++) {
        const ThawChannel *channel = &world->store->channels[k];
        if (strncmp(channel->name, "thermal_", 8) == 0) return false;
        bool heat = on && strcmp(channel->name, THAW_THERMAL_HEAT) == 0;
        if (channel->type == THAW_F64 && !heat) return false;
    }
    if (!on) return true;
    ThawThermalState state = thaw_thermal_state(world->store);
    bool frost = has_channel(world, THAW_THERMAL_FROST);
    if ((state.youth != NULL) != has_channel(world, THAW_THERMAL_YOUTH)) return false;
    if ((state.excess != NULL) != has_channel(world, THAW_THERMAL_EXCESS)) return false;
    if ((state.youth != NULL) != (state.excess != NULL)) return false;
    return state.heat != NULL && (state.frost != NULL) == frost && (frost || !some_frost(world));
}

// of what has just melted
static bool is_young_enough(const ThawThermalState *state, uint32_t row) {
    if (state->youth == NULL || state->excess == NULL) return true;
    float youth = state->youth[row], excess = state->excess[row];
    return youth >= 0 && youth <= 1 && excess >= 0 && excess <= THAW_EXCESS_UNKNOWN;
}

const char *thaw_heat_fault(const ThawWorld *world, const ThawThermalState *state, uint32_t row) {
    if (!world->def.heat.on || state->heat == NULL) return NULL;
    double heat = state->heat[row], temperature = (double)state->temperature[row];
    if (!(heat >= 0 && heat <= THAW_HEAT_MOST_ENTHALPY)) return "an enthalpy is out of range";
    const ThawMaterial *material = &world->materials[world->store->material[row]];
    ThawEnthalpyCurve curve = thaw_enthalpy_curve(&material->thermal);
    double wanted = thaw_curve_temperature(&curve, heat);
    if (!(fabs(temperature - wanted) <= SAME_TEMPERATURE * wanted)) {
        return "a temperature is not that of its enthalpy";
    }
    if (!is_young_enough(state, row)) return "how young what has melted is, is out of range";
    if (state->frost == NULL || state->frost[row] == 0) return NULL;
    ThawColliderId holder = {(uint32_t)state->frost[row]};
    const ThawCollider *collider = thaw_world_collider(world, holder);
    bool known = state->frost[row] > 0 && collider != NULL && collider->frosts;
    return known ? NULL : "what a particle is frozen to is unknown";
}
