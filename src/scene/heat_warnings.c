// Heat before the first frame: how far it goes, and what of it is likely not meant.
//
// Most mistakes with heat are degrees taken for kelvins, and times: real matter of some centimetres takes minutes to
// melt, and scenes last seconds.
#include "scene/heat.h"
#include "scene/preflight.h"

#include "base/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// enthalpy, temperature and what conduction works with, measured at 0.2 M particles
#define HEAT_BYTES 65.0
#define FROST_BYTES 4.0  // which wall holds it
#define ICE_POINT 273.15 // K
#define COLD 150.0       // K: below it degrees Celsius were likely meant
#define COLD_MELT 200.0  // K: the same of melting points
#define FAR_LAYERS 10.0  // that heat should cross
#define RATIO_ROUNDING 1.001
// d^2 / diffusivity: the longest that one pass of conduction serves, about
#define EXPLICIT_LIMIT 0.2
#define LIMITS_A_ROUND 8.0 // that a heat step of several substeps has at most
#define DEAR 4.0           // passes a substep above which conduction is most of the work

// ---------------------------------------------------------------- what there is

// bodies, then emitters
typedef struct Matter {
    const char *what, *name, *file;
    int line, material;
    double spacing, temperature; // m, K
    bool solid;
} Matter;

static int count_matter(const ThawScene *scene) {
    return scene->body_count + scene->emitter_count;
}

// what is given no temperature is as warm as the air
static double warmth(const ThawScene *scene, double temperature) {
    return temperature > 0 ? temperature : (double)scene_heat_at(&scene->heat, 0).ambient;
}

static Matter matter_at(const SceneFlight *flight, int k) {
    const ThawScene *scene = flight->scene;
    if (k < scene->body_count) {
        const ThawSceneBody *body = &scene->bodies[k];
        return (Matter){.what = "body",
                        .name = body->name,
                        .file = body->file,
                        .line = body->line,
                        .material = body->material,
                        .spacing = flight->probes[k].spacing,
                        .temperature = warmth(scene, body->temperature),
                        .solid = body->state == THAW_STATE_SOLID};
    }
    const ThawSceneEmitter *emitter = &scene->emitters[k - scene->body_count];
    const ThawMoment start = {.t = emitter->from};
    double given = thaw_number_at(&emitter->temperature, &start);
    return (Matter){.what = "emitter",
                    .name = emitter->name,
                    .file = emitter->file,
                    .line = emitter->line,
                    .material = emitter->material,
                    .spacing = scene_emitter_spacing(scene, emitter),
                    .temperature = warmth(scene, given)};
}

// whether particles of it may become solid
static bool freezes(const ThawSceneThermal *thermal) {
    return thermal->melts_at > 0 || thermal->freezes_when.text != NULL;
}

static bool melts(const ThawSceneThermal *thermal) {
    return thermal->melts_at > 0 || thermal->melts_when.text != NULL;
}

bool scene_may_melt(const ThawScene *scene, int material) {
    return scene->heat.on && melts(&scene->materials[material].thermal);
}

bool scene_may_freeze(const ThawScene *scene) {
    for (int k = 0; k < scene->material_count && scene->heat.on; k++) {
        if (freezes(&scene->materials[k].thermal)) return true;
    }
    return false;
}

// ---------------------------------------------------------------- what sets

// K: the least that there is in the run
static double coldest(const SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    double duration = scene_duration(scene), least = INFINITY;
    for (int k = 0; k < count_matter(scene); k++) {
        least = fmin(least, matter_at(flight, k).temperature);
    }
    for (int k = 0; k < scene->collider_count; k++) {
        double wall = scene_smallest(&scene->colliders[k].temperature, duration);
        if (wall > 0) least = fmin(least, wall);
    }
    bool blows = scene_largest(&scene->heat.convection, duration) > 0 ||
                 scene_largest(&scene->heat.emissivity, duration) > 0;
    if (blows) least = fmin(least, scene_smallest(&scene->heat.ambient, duration));
    for (int k = 0; k < scene->heat_source_count; k++) {
        const ThawSceneHeatSource *source = &scene->heat_sources[k];
        double held = scene_smallest(&source->temperature, duration);
        if (held > 0) least = fmin(least, held);
        if (scene_smallest(&source->power, duration) < 0) least = 0;
    }
    return least;
}

static bool is_cold_enough(const ThawSceneThermal *thermal, double least) {
    double low = thermal->freezes_at > 0 ? thermal->freezes_at : thermal->melts_at;
    const char *rule = thermal->freezes_when.text;
    return rule != NULL ? strcmp(rule, "0") != 0 : least < low;
}

double scene_setting_spacing(const SceneFlight *flight, int material) {
    const ThawScene *scene = flight->scene;
    const ThawSceneThermal *thermal = &scene->materials[material].thermal;
    double spacing = INFINITY;
    if (!scene->heat.on || !freezes(thermal)) return 0;
    for (int k = 0; k < count_matter(scene); k++) {
        Matter matter = matter_at(flight, k);
        if (matter.material != material) continue;
        if (matter.solid) return 0;
        spacing = fmin(spacing, matter.spacing);
    }
    if (!isfinite(spacing) || !is_cold_enough(thermal, coldest(flight))) return 0;
    return spacing;
}

double scene_heat_bytes(const ThawScene *scene) {
    if (!scene->heat.on) return 0;
    bool frost = false;
    for (int k = 0; k < scene->collider_count; k++) frost |= scene->colliders[k].frosts;
    return HEAT_BYTES + (frost ? FROST_BYTES : 0);
}

// ---------------------------------------------------------------- how far heat goes

// the larger one of solid and melt
static double diffusivity_of(const ThawSceneMaterial *material) {
    const ThawSceneThermal *thermal = &material->thermal;
    double conducts[2] = {thermal->conductivity, thermal->liquid_conductivity};
    double holds[2] = {thermal->specific_heat, thermal->liquid_specific_heat};
    if (!(conducts[1] > 0)) conducts[1] = conducts[0];
    if (!(holds[1] > 0)) holds[1] = holds[0];
    return fmax(conducts[0] / holds[0], conducts[1] / holds[1]) / material->density;
}

// Passes a frame: a heat step is a substep or, where that is short, several of them; one that is as long as l limits
// takes about 2 root l passes.
static void estimate_stages(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    double limit = INFINITY;
    for (int k = 0; k < flight->preflight->heat_count; k++) {
        const ThawHeatForecast *heat = &flight->preflight->heats[k];
        limit = fmin(limit, EXPLICIT_LIMIT * heat->spacing * heat->spacing / heat->diffusivity);
    }
    double substeps = flight->steps * flight->fast, limits = 1 / (scene->frames.fps * limit);
    double rounds = fmin(substeps, fmax(flight->steps, limits / LIMITS_A_ROUND));
    double each = limits / rounds;
    flight->preflight->heat_stages = rounds * (each > 1 ? 2 * sqrt(each) + 1 : 1);
}

ThawResult scene_forecast_heat(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    ThawPreflight *preflight = flight->preflight;
    size_t bytes = ((size_t)scene->material_count + 1) * sizeof *preflight->heats;
    if (!scene->heat.on) return THAW_OK;
    preflight->heats = malloc(bytes);
    if (preflight->heats == NULL) return thaw_fail_memory(bytes);
    for (int m = 0; m < scene->material_count; m++) {
        double least = INFINITY;
        for (int k = 0; k < count_matter(scene); k++) {
            Matter matter = matter_at(flight, k);
            if (matter.material == m) least = fmin(least, matter.spacing);
        }
        if (!isfinite(least)) continue;
        double diffusivity = diffusivity_of(&scene->materials[m]);
        preflight->heats[preflight->heat_count++] = (ThawHeatForecast){
            .material = m,
            .spacing = least,
            .diffusivity = diffusivity,
            .reach = sqrt(diffusivity * scene_duration(scene)),
        };
    }
    if (preflight->heat_count > 0) estimate_stages(flight);
    return THAW_OK;
}

static void say(SceneFlight *flight, const char *text) {
    scene_messages_add_line(flight->messages, false, flight->scene->path, 0, text);
}

static void warn_stages(SceneFlight *flight) {
    double stages = flight->preflight->heat_stages, substeps = flight->preflight->substeps;
    if (stages <= DEAR * substeps) return;
    char text[300];
    snprintf(text, sizeof text,
             "conduction takes about %.0f passes over all pairs a frame, %.0f a substep: a lower "
             "conductivity, or a larger spacing, is faster",
             stages, stages / substeps);
    say(flight, text);
}

// heat that stays where it is, or is everywhere at once
static void warn_reach(SceneFlight *flight, const ThawHeatForecast *heat) {
    const ThawScene *scene = flight->scene;
    const ThawSceneMaterial *material = &scene->materials[heat->material];
    const ThawPreflight *preflight = flight->preflight;
    double time = scene_duration(scene);
    double size = fmax(
        preflight->upper.x - preflight->lower.x,
        fmax(preflight->upper.y - preflight->lower.y, preflight->upper.z - preflight->lower.z));
    char text[400];
    // where temperature decides nothing, heat may stay where it is
    bool idle = melts(&material->thermal) && !(material->thermal.melts_at > 0);
    bool slow = heat->diffusivity > 0 && 2 * heat->reach < heat->spacing;
    if (time > 0 && slow && !idle) {
        double factor = pow(FAR_LAYERS * heat->spacing, 2) / (heat->diffusivity * time);
        snprintf(text, sizeof text,
                 "heat goes only %.2g m into '%s' in the %g s of the run, less than a spacing of "
                 "%g m: let it run longer, or make time pass faster with a conductivity about %.0e "
                 "times as large",
                 heat->reach, material->name, time, heat->spacing, factor);
        say(flight, text);
    }
    if (size > 0 && sqrt(heat->diffusivity / scene->frames.fps) > size) {
        snprintf(text, sizeof text,
                 "heat evens out through '%s' within a frame: frames will not show it on its way; "
                 "take a lower conductivity, or more frames.fps",
                 material->name);
        say(flight, text);
    }
}

// ---------------------------------------------------------------- degrees and kelvins

static void warn_cold(SceneFlight *flight, const char *file, int line, const char *what,
                      double kelvins) {
    char text[300];
    snprintf(text, sizeof text,
             "%s is %g K, which is %g C: numbers without a unit are kelvins; for degrees Celsius "
             "write '%g C'",
             what, kelvins, kelvins - ICE_POINT, kelvins);
    scene_messages_add_line(flight->messages, false, file, line, text);
}

static double first_value(const ThawNumber *number) {
    const ThawMoment start = {0, 0, 0, 0};
    return thaw_number_at(number, &start);
}

static bool is_cold(double kelvins, double limit) {
    return kelvins > 0 && kelvins < limit;
}

static void warn_temperatures(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    char what[160];
    double air = (double)scene_heat_at(&scene->heat, 0).ambient;
    if (is_cold(air, COLD)) warn_cold(flight, scene->path, 0, "heat.ambient", air);
    for (int k = 0; k < scene->material_count; k++) {
        double melt = scene->materials[k].thermal.melts_at;
        if (!is_cold(melt, COLD_MELT)) continue;
        snprintf(what, sizeof what, "the melting point of '%s'", scene->materials[k].name);
        warn_cold(flight, scene->path, 0, what, melt);
    }
    for (int k = 0; k < count_matter(scene) && !is_cold(air, COLD); k++) {
        Matter matter = matter_at(flight, k);
        bool copy = k > 0 && k < scene->body_count &&
                    scene_are_copies(&scene->bodies[k], &scene->bodies[k - 1]);
        if (copy || !is_cold(matter.temperature, COLD)) continue;
        snprintf(what, sizeof what, "the temperature of %s '%s'", matter.what, matter.name);
        warn_cold(flight, matter.file, matter.line, what, matter.temperature);
    }
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        double warm = first_value(&collider->temperature);
        if (!is_cold(warm, COLD)) continue;
        snprintf(what, sizeof what, "the temperature of collider '%s'", collider->name);
        warn_cold(flight, collider->file, collider->line, what, warm);
    }
}

// ---------------------------------------------------------------- materials

// of what has no melting point nothing melts, whatever is said of melting
static void warn_never_melts(SceneFlight *flight, const ThawSceneMaterial *material) {
    const ThawSceneThermal *thermal = &material->thermal;
    const struct {
        const char *key;
        double value;
    } idle[] = {{"latent_heat", thermal->latent_heat},
                {"melting_range", thermal->melting_range},
                {"melting_rate", thermal->melting_rate},
                {"freezing_rate", thermal->freezing_rate},
                {"nucleation", thermal->nucleation}};
    if (thermal->melts_at > 0) return;
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++) {
        bool latent = k < 2;
        if (!(idle[k].value > 0) || (!latent && melts(thermal)) ||
            (!latent && thermal->freezes_when.text != NULL)) {
            continue;
        }
        char text[300];
        snprintf(text, sizeof text, "'%s' has a %s but no melts_at: it %s", material->name,
                 idle[k].key, latent ? "is never taken up" : "never changes its state");
        say(flight, text);
        return;
    }
}

// whether there is matter of it that is solid, or liquid
static bool is_there(const SceneFlight *flight, int material, bool solid) {
    for (int k = 0; k < count_matter(flight->scene); k++) {
        Matter matter = matter_at(flight, k);
        if (matter.material == material && matter.solid == solid) return true;
    }
    return false;
}

static void warn_idle_nucleation(SceneFlight *flight, const ThawSceneMaterial *material) {
    const ThawSceneThermal *thermal = &material->thermal;
    if (!(thermal->nucleation_below > 0) || thermal->nucleation > 0) return;
    char text[300];
    snprintf(text, sizeof text,
             "'%s' has a nucleation_below but no nucleation: it never freezes by itself",
             material->name);
    say(flight, text);
}

static void warn_parts(SceneFlight *flight, int m) {
    const ThawSceneMaterial *material = &flight->scene->materials[m];
    char text[300];
    if (melts(&material->thermal) && !material->liquid_said && is_there(flight, m, true)) {
        snprintf(text, sizeof text,
                 "'%s' melts, but nothing is said of its liquid: it will run like water; give "
                 "liquid: {viscosity: ...}",
                 material->name);
        say(flight, text);
    }
    if (freezes(&material->thermal) && !material->solid_said && is_there(flight, m, false)) {
        snprintf(text, sizeof text,
                 "'%s' freezes, but nothing is said of its solid: it will be as soft as rubber, %g "
                 "Pa; give solid: {young: ...}",
                 material->name, first_value(&material->solid.young));
        say(flight, text);
    }
}

// ---------------------------------------------------------------- matter

// matter that will not stay as it begins
static void warn_states(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    for (int k = 0; k < count_matter(scene); k++) {
        Matter matter = matter_at(flight, k);
        const ThawSceneThermal *thermal = &scene->materials[matter.material].thermal;
        bool copy = k > 0 && k < scene->body_count &&
                    scene_are_copies(&scene->bodies[k], &scene->bodies[k - 1]);
        double low = thermal->freezes_at > 0 ? thermal->freezes_at : thermal->melts_at;
        bool above = matter.solid && matter.temperature > thermal->melts_at;
        bool below = !matter.solid && matter.temperature < low;
        if (copy || !(thermal->melts_at > 0) || (!above && !below)) continue;
        char text[300];
        snprintf(text, sizeof text, "%s '%s' begins %s at %g K, %s %g K: it %s", matter.what,
                 matter.name, above ? "solid" : "liquid", matter.temperature,
                 above ? "above its melting point of" : "below its freezing point of",
                 above ? thermal->melts_at : low,
                 above ? "melts at once" : "freezes wherever it meets a solid of its spacing");
        scene_messages_add_line(flight->messages, false, matter.file, matter.line, text);
    }
}

// sites of one lattice are for particles of one size
static void warn_spacings(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    Matter first = {0};
    for (int k = 0; k < count_matter(scene); k++) {
        Matter matter = matter_at(flight, k);
        bool lattice = matter.solid || freezes(&scene->materials[matter.material].thermal);
        if (!lattice) continue;
        if (first.name == NULL) first = matter;
        double ratio = matter.spacing / first.spacing;
        if (ratio < RATIO_ROUNDING && ratio > 1 / RATIO_ROUNDING) continue;
        char text[400];
        snprintf(text, sizeof text,
                 "%s '%s' has particles of %g m and %s '%s' of %g m: they cannot freeze to each "
                 "other, which takes one spacing",
                 first.what, first.name, first.spacing, matter.what, matter.name, matter.spacing);
        scene_messages_add_line(flight->messages, false, matter.file, matter.line, text);
        return;
    }
}

static void warn_colliders(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        bool warm = first_value(&collider->temperature) > 0;
        if (warm || !(collider->heat_transfer > 0)) continue;
        char text[300];
        snprintf(text, sizeof text,
                 "collider '%s' has a heat_transfer but no temperature: no heat passes it",
                 collider->name);
        scene_messages_add_line(flight->messages, false, collider->file, collider->line, text);
    }
}

// whether anything may become solid, or stay so
static bool is_frosty(const SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    double least = scene->heat.on ? coldest(flight) : INFINITY;
    for (int k = 0; k < scene->material_count && scene->heat.on; k++) {
        const ThawSceneThermal *thermal = &scene->materials[k].thermal;
        if (freezes(thermal) && is_cold_enough(thermal, least)) return true;
    }
    return false;
}

static void warn_frost(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        bool warm = scene_largest(&collider->temperature, scene_duration(scene)) > 0;
        if (!collider->frosts || warm || collider->mesh != NULL || is_frosty(flight)) continue;
        char text[300];
        snprintf(text, sizeof text,
                 "collider '%s' frosts but has no temperature, and nothing else is cold enough: "
                 "nothing freezes to it",
                 collider->name);
        scene_messages_add_line(flight->messages, false, collider->file, collider->line, text);
    }
}

// nothing in the scene is warm, so nothing of heat is computed, and nobody has switched it off
static void warn_heatless(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    for (int k = 0; k < scene->material_count && !scene->heat.given; k++) {
        const ThawSceneMaterial *material = &scene->materials[k];
        warn_never_melts(flight, material);
        if (!(material->thermal.sintering > 0)) continue;
        char text[300];
        snprintf(text, sizeof text,
                 "'%s' has a sintering but the scene has no heat: its solids never grow together; "
                 "give heat: {}, or a melts_at",
                 material->name);
        say(flight, text);
    }
}

void scene_warn_heat(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    warn_frost(flight);
    if (!scene->heat.on) {
        warn_heatless(flight);
        return;
    }
    warn_temperatures(flight);
    for (int k = 0; k < scene->material_count; k++) {
        warn_never_melts(flight, &scene->materials[k]);
        warn_idle_nucleation(flight, &scene->materials[k]);
        warn_parts(flight, k);
    }
    warn_states(flight);
    if (scene_may_freeze(scene)) warn_spacings(flight);
    warn_colliders(flight);
    for (int k = 0; k < flight->preflight->heat_count; k++) {
        warn_reach(flight, &flight->preflight->heats[k]);
    }
    warn_stages(flight);
}
