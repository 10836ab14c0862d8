// Liquids before the first frame: viscosity and surface tension that the substeps can do, and liquids that do
// not go together.
//
// Substeps are fewest where matter rests: what they do there is what a scene can do.
#include "scene/preflight.h"

#include "base/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TOLD_ABOVE 1.1       // limits: less is within the estimate
#define GOOD_RATIO 2.0       // of spacings, up to which two sizes meet well
#define POOR_RATIO 4.0       // beyond which they hardly do
#define MOST_DENSITIES 10.0  // ratio of densities
#define RATIO_ROUNDING 1.001 // of spacings that are kept as floats

// ---------------------------------------------------------------- what flows

// something that flows: a body, or what an emitter makes
typedef struct Flowing {
    const char *what, *name;
    int material;
    double spacing;
    const char *file;
    int line;
} Flowing;

// number k of all bodies and emitters; false where that is a solid and stays one
static bool flowing_at(const SceneFlight *flight, int k, Flowing *found) {
    const ThawScene *scene = flight->scene;
    if (k < scene->body_count) {
        const ThawSceneBody *body = &scene->bodies[k];
        *found = (Flowing){"body",     body->name, body->material, flight->probes[k].spacing,
                           body->file, body->line};
        return body->state == THAW_STATE_LIQUID || scene_may_melt(scene, body->material);
    }
    const ThawSceneEmitter *emitter = &scene->emitters[k - scene->body_count];
    *found = (Flowing){"emitter",         emitter->name,
                       emitter->material, scene_emitter_spacing(scene, emitter),
                       emitter->file,     emitter->line};
    return true;
}

static int count_matter(const ThawScene *scene) {
    return scene->body_count + scene->emitter_count;
}

double scene_finest_liquid(const SceneFlight *flight, int material) {
    double least = INFINITY;
    for (int k = 0; k < count_matter(flight->scene); k++) {
        Flowing one;
        if (flowing_at(flight, k, &one) && one.material == material) {
            least = fmin(least, one.spacing);
        }
    }
    return least;
}

// ---------------------------------------------------------------- limits

// the most of the run; xsph is more, the larger particles are
static void forecast_viscosity(const ThawScene *scene, ThawLiquidForecast *liquid) {
    const ThawSceneMaterial *matter = &scene->materials[liquid->material];
    double duration = scene_duration(scene);
    ThawMaterialDef def = thaw_material_default();
    def.liquid.viscosity = 0;
    def.liquid.xsph = (float)scene_largest(&matter->xsph, duration);
    liquid->smoothing = thaw_liquid_viscosity(&def, scene->world.dimensions, liquid->spacing);
    liquid->viscosity = scene_largest(&matter->viscosity, duration) + liquid->smoothing;
}

// the most of the run
double scene_tension_asked(const ThawScene *scene, int material, double spacing) {
    const ThawSceneMaterial *matter = &scene->materials[material];
    double duration = scene_duration(scene);
    ThawMaterialDef def = thaw_material_default();
    def.density = (float)matter->density;
    def.liquid.tension = (float)scene_largest(&matter->tension, duration);
    def.liquid.surface_tension = (float)scene_largest(&matter->surface_tension, duration);
    return thaw_liquid_tension(&def, spacing);
}

ThawResult scene_forecast_liquids(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    ThawPreflight *preflight = flight->preflight;
    size_t most = (size_t)scene->material_count + 1;
    preflight->liquids = calloc(most, sizeof *preflight->liquids);
    if (preflight->liquids == NULL) return thaw_fail_memory(most * sizeof *preflight->liquids);
    double dt = 1 / (scene->frames.fps * flight->steps * flight->calm);
    for (int m = 0; m < scene->material_count; m++) {
        const ThawSceneMaterial *matter = &scene->materials[m];
        double spacing = scene_finest_liquid(flight, m);
        if (!isfinite(spacing)) continue;
        ThawLiquidForecast *liquid = &preflight->liquids[preflight->liquid_count++];
        *liquid = (ThawLiquidForecast){.material = m, .spacing = spacing};
        forecast_viscosity(scene, liquid);
        liquid->tension = scene_tension_asked(scene, m, spacing);
        liquid->tension_limit = thaw_liquid_tension_limit(matter->density, spacing, dt);
        liquid->viscosity_limit = thaw_liquid_viscosity_limit(scene->world.dimensions, spacing, dt);
    }
    return THAW_OK;
}

static void warn_viscosity(SceneFlight *flight, const ThawLiquidForecast *liquid) {
    const ThawScene *scene = flight->scene;
    if (liquid->viscosity <= TOLD_ABOVE * liquid->viscosity_limit) return;
    char text[400];
    double substeps = flight->steps * flight->calm;
    snprintf(text, sizeof text,
             "material '%s': viscosity %.3g m^2/s%s is more than this scene can do, about %.3g "
             "m^2/s: it flows more freely than asked for; more substeps raise that in proportion "
             "(about %.0f a frame are taken at rest, %.0f would do), and so do larger particles",
             scene->materials[liquid->material].name, liquid->viscosity,
             liquid->smoothing > 0.5 * liquid->viscosity ? ", which is what xsph comes to," : "",
             liquid->viscosity_limit, substeps,
             ceil(substeps * liquid->viscosity / liquid->viscosity_limit));
    scene_messages_add_line(flight->messages, false, scene->path, 0, text);
}

// what they carry grows with the square of the substeps
static void warn_tension(SceneFlight *flight, const ThawLiquidForecast *liquid) {
    const ThawScene *scene = flight->scene;
    const ThawSolverDef *solver = &scene->world.solver;
    if (liquid->tension <= TOLD_ABOVE * liquid->tension_limit) return;
    char text[400];
    double substeps = flight->steps * flight->calm;
    snprintf(
        text, sizeof text,
        "material '%s': surface tension %.3g N/m is more than this scene can carry: it acts as "
        "%.2g N/m; %s allows %.0f substeps a frame, %.0f would do, and so do larger particles",
        scene->materials[liquid->material].name, liquid->tension, liquid->tension_limit,
        solver->substeps > 0 ? "solver.substeps" : "solver.max_substeps", substeps,
        ceil(substeps * sqrt(liquid->tension / liquid->tension_limit)));
    scene_messages_add_line(flight->messages, false, scene->path, 0, text);
}

// ---------------------------------------------------------------- liquids beside each other

static void warn_sizes(SceneFlight *flight) {
    Flowing fine = {0}, coarse = {0}, one;
    for (int k = 0; k < count_matter(flight->scene); k++) {
        if (!flowing_at(flight, k, &one)) continue;
        if (fine.name == NULL || one.spacing < fine.spacing) fine = one;
        if (coarse.name == NULL || one.spacing > coarse.spacing) coarse = one;
    }
    if (fine.name == NULL) return;
    double ratio = coarse.spacing / fine.spacing;
    if (ratio <= GOOD_RATIO * RATIO_ROUNDING) return;
    bool poor = ratio > POOR_RATIO * RATIO_ROUNDING;
    char text[400];
    snprintf(text, sizeof text,
             "%s '%s' has particles of %g m and %s '%s' of %g m, a ratio of 1:%.3g: %s", fine.what,
             fine.name, fine.spacing, coarse.what, coarse.name, coarse.spacing, ratio,
             poor ? "above 1:4 expect gaps and spray where they meet; bring them within 1:2"
                  : "above 1:2 small ones come between the large ones where they meet, and creep "
                    "one to two "
                    "of their spacings past them along walls");
    scene_messages_add_line(flight->messages, false, fine.file, fine.line, text);
}

static void warn_densities(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    const ThawPreflight *preflight = flight->preflight;
    const ThawSceneMaterial *light = NULL, *heavy = NULL;
    for (int k = 0; k < preflight->liquid_count; k++) {
        const ThawSceneMaterial *matter = &scene->materials[preflight->liquids[k].material];
        if (light == NULL || matter->density < light->density) light = matter;
        if (heavy == NULL || matter->density > heavy->density) heavy = matter;
    }
    if (light == NULL || heavy->density <= MOST_DENSITIES * light->density * RATIO_ROUNDING) return;
    char text[400];
    snprintf(text, sizeof text,
             "liquids '%s' of %g kg/m^3 and '%s' of %g kg/m^3 differ by a factor of %.3g: above "
             "%.0f the lighter one is squeezed where they meet",
             light->name, light->density, heavy->name, heavy->density,
             heavy->density / light->density, MOST_DENSITIES);
    scene_messages_add_line(flight->messages, false, scene->path, 0, text);
}

void scene_warn_liquids(SceneFlight *flight) {
    const ThawPreflight *preflight = flight->preflight;
    for (int k = 0; k < preflight->liquid_count; k++) {
        warn_viscosity(flight, &preflight->liquids[k]);
        warn_tension(flight, &preflight->liquids[k]);
    }
    warn_sizes(flight);
    warn_densities(flight);
}
