// Heat: the thermal parts, the air and the sources, from the scene into the world and on over time.
#include "scene/heat.h"
#include "scene/rules.h"
#include "scene/sources.h"

// ---------------------------------------------------------------- materials and air

ThawThermalDef scene_thermal_def(const ThawSceneThermal *thermal) {
    return (ThawThermalDef){
        .conductivity = (float)thermal->conductivity,
        .specific_heat = (float)thermal->specific_heat,
        .liquid_conductivity = (float)thermal->liquid_conductivity,
        .liquid_specific_heat = (float)thermal->liquid_specific_heat,
        .melts_at = (float)thermal->melts_at,
        .melting_range = (float)thermal->melting_range,
        .latent_heat = (float)thermal->latent_heat,
        .freezes_at = (float)thermal->freezes_at,
        .melting_rate = (float)thermal->melting_rate,
        .freezing_rate = (float)thermal->freezing_rate,
        .freezing_neighbors = thermal->freezing_neighbors,
        .freezing_speed = (float)thermal->freezing_speed,
        .freezing_misfit = (float)thermal->freezing_misfit,
        .nucleation = (float)thermal->nucleation,
        .nucleation_below = (float)thermal->nucleation_below,
        .sintering = (float)thermal->sintering,
        .expansion = (float)thermal->expansion,
        .reference = (float)thermal->reference,
        .stiffness = thermal->stiffness,
        .damping = thermal->damping,
        .viscosity = thermal->viscosity,
    };
}

ThawHeatDef scene_heat_at(const ThawSceneHeat *heat, double t) {
    ThawMoment moment = {.t = t};
    return (ThawHeatDef){
        .on = heat->on,
        .ambient = (float)thaw_number_at(&heat->ambient, &moment),
        .convection = (float)thaw_number_at(&heat->convection, &moment),
        .emissivity = (float)thaw_number_at(&heat->emissivity, &moment),
    };
}

// ---------------------------------------------------------------- sources

static ThawHeatSourceDef source_at(const ThawSceneHeatSource *source, double t) {
    ThawMoment moment = {.t = t};
    ThawHeatSourceDef def = thaw_heat_source_default();
    def.name = source->name;
    def.everywhere = !source->bounded;
    if (source->bounded) {
        def.region = source->shape;
        def.region.pose = scene_pose_at(def.region.pose, source->motion, source->motion_count, t);
    }
    // any is −1, and 0 as a handle
    def.material = (ThawMaterialId){(uint32_t)(source->material + 1)};
    def.body = (ThawBodyId){(uint32_t)(source->body + 1)};
    def.power = thaw_number_at(&source->power, &moment);
    def.temperature = thaw_number_at(&source->temperature, &moment);
    def.from = source->from;
    def.to = source->to;
    return def;
}

static ThawResult give_source(const ThawScene *scene, ThawWorld *world, int k, double t,
                              bool first) {
    ThawHeatSourceDef def = source_at(&scene->heat_sources[k], t);
    ThawHeatSourceId id = {(uint32_t)k + 1};
    return first ? thaw_world_add_heat_source(world, &def, &id)
                 : thaw_world_set_heat_source(world, id, &def);
}

static bool source_varies(const ThawSceneHeatSource *source) {
    return source->motion_count > 0 || thaw_number_varies(&source->power) ||
           thaw_number_varies(&source->temperature);
}

// ---------------------------------------------------------------- all of it

bool scene_heat_varies(const ThawScene *scene) {
    const ThawSceneHeat *heat = &scene->heat;
    bool varies = thaw_number_varies(&heat->ambient) || thaw_number_varies(&heat->convection) ||
                  thaw_number_varies(&heat->emissivity);
    for (int k = 0; k < scene->heat_source_count && !varies; k++) {
        varies = source_varies(&scene->heat_sources[k]);
    }
    return varies && heat->on;
}

ThawResult scene_add_heat(const ThawScene *scene, ThawWorld *world) {
    if (!scene->heat.on) return THAW_OK;
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->heat_source_count && result == THAW_OK; k++) {
        result = give_source(scene, world, k, 0, true);
    }
    return result == THAW_OK ? scene_give_rules(scene, world) : result;
}

ThawResult scene_animate_heat(const ThawScene *scene, ThawWorld *world, double t) {
    if (!scene->heat.on) return THAW_OK;
    ThawHeatDef air = scene_heat_at(&scene->heat, t);
    ThawResult result = thaw_world_set_heat(world, &air);
    for (int k = 0; k < scene->heat_source_count && result == THAW_OK; k++) {
        result = give_source(scene, world, k, t, false);
    }
    return result;
}
