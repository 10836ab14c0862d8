// Solids before the first frame: the stiffness that a scene's substeps can carry, and what is held.
//
// Substeps are cut into pieces for stiff solids, up to solver.elastic_steps. Substeps are fewest where matter
// rests: what they carry there is what a scene can carry.
#include "scene/preflight.h"

#include "base/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATTICE_BYTES 870.0 // its frame, sites, bonds, contacts, and copies in a checkpoint
#define TOLD_ABOVE 1.1      // limits: less is within the estimate
#define DOCKING_BYTES 48.0  // the rates of its sites

// ---------------------------------------------------------------- memory

double scene_solid_bytes(const ThawScene *scene) {
    bool solid = scene_may_freeze(scene), docks = false;
    for (int k = 0; k < scene->body_count; k++) {
        if (scene->bodies[k].state != THAW_STATE_SOLID) continue;
        const ThawSceneSolid *matter = &scene->materials[scene->bodies[k].material].solid;
        solid = true;
        docks |= scene_largest(&matter->docking_rate, scene_duration(scene)) > 0 ||
                 matter->docking_growth > 0;
    }
    return (solid ? LATTICE_BYTES : 0) + (docks ? DOCKING_BYTES : 0);
}

// ---------------------------------------------------------------- stiffness

// The most pieces that each of `count` substeps is cut into: with liquids all of them together stay within
// max_substeps.
static double most_pieces(const SceneFlight *flight, double count) {
    const ThawSolverDef *solver = &flight->scene->world.solver;
    if (solver->explicit_forces) return 1;
    double room = fmax(1, floor(solver->max_substeps / count));
    return flight->liquid ? fmin(room, solver->elastic_steps) : solver->elastic_steps;
}

// the stiffest that is carried where a step has so many pieces in all
static double limit_at(const SceneFlight *flight, int material, double spacing, double pieces) {
    const ThawScene *scene = flight->scene;
    const ThawMoment beginning = {0, 0, 0, 0};
    ThawMaterialDef def = scene_material_at(&scene->materials[material], &beginning);
    double dt = 1 / (scene->frames.fps * flight->steps * pieces);
    return thaw_solid_young_limit(&def, scene->world.dimensions, spacing, dt);
}

// the most of the run
static double young_of(const ThawScene *scene, int material) {
    return scene_largest(&scene->materials[material].solid.young, scene_duration(scene));
}

static double pieces_of(const SceneFlight *flight, int material, double spacing, double count) {
    double limit = limit_at(flight, material, spacing, count);
    return ceil(sqrt(young_of(flight->scene, material) / limit));
}

double scene_elastic_pieces(const SceneFlight *flight, double count) {
    const ThawScene *scene = flight->scene;
    double wanted = 1;
    for (int k = 0; k < scene->body_count; k++) {
        const ThawSceneBody *body = &scene->bodies[k];
        // copies of one body ask for the same
        bool again = k > 0 && scene_are_copies(body, body - 1);
        if (body->state != THAW_STATE_SOLID || again) continue;
        wanted = fmax(wanted, pieces_of(flight, body->material, flight->probes[k].spacing, count));
    }
    for (int m = 0; m < scene->material_count && flight->set; m++) {
        double spacing = scene_setting_spacing(flight, m);
        if (spacing > 0) wanted = fmax(wanted, pieces_of(flight, m, spacing, count));
    }
    return fmin(wanted, most_pieces(flight, count));
}

// substeps and their pieces together, at the moment of the run that has fewest
static double least_pieces(const SceneFlight *flight) {
    double calm = flight->calm * most_pieces(flight, flight->calm);
    double fast = flight->fast * most_pieces(flight, flight->fast);
    return fmin(calm, fast);
}

ThawResult scene_forecast_solids(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    ThawPreflight *preflight = flight->preflight;
    size_t most = (size_t)scene->material_count + 1;
    preflight->solids = calloc(most, sizeof *preflight->solids);
    if (preflight->solids == NULL) return thaw_fail_memory(most * sizeof *preflight->solids);
    SceneFlight later = scene_flight_set(flight);
    for (int m = 0; m < scene->material_count; m++) {
        ThawSolidForecast solid = {.material = m};
        double least = INFINITY;
        for (int k = 0; k < scene->body_count; k++) {
            const ThawSceneBody *body = &scene->bodies[k];
            if (body->material != m || body->state != THAW_STATE_SOLID) continue;
            solid.particles += flight->probes[k].particles;
            least = fmin(least, flight->probes[k].spacing);
        }
        double setting = scene_setting_spacing(flight, m);
        solid.sets = !isfinite(least) && setting > 0;
        if (!isfinite(least) && !solid.sets) continue;
        const SceneFlight *then = solid.sets ? &later : flight;
        solid.young = young_of(scene, m);
        solid.limit = limit_at(then, m, solid.sets ? setting : least, least_pieces(then));
        preflight->solids[preflight->solid_count++] = solid;
    }
    return THAW_OK;
}

#define MOST_STEPS 1000 // that both keys take

// What to raise, and to what: the limit grows with the square of all pieces together. Beyond what the keys take
// nothing of the solver's would do.
static void advise(const SceneFlight *flight, double wanted, char text[200]) {
    const ThawSolverDef *solver = &flight->scene->world.solver;
    double steps = ceil(wanted / flight->calm), all = steps * flight->fast;
    bool more = steps > solver->elastic_steps, room = flight->liquid && all > solver->max_substeps;
    char pieces[40] = "", substeps[40] = "";
    if (more) snprintf(pieces, sizeof pieces, "elastic_steps: %.0f", steps);
    if (room) snprintf(substeps, sizeof substeps, "max_substeps: %.0f", all);
    const char *comma = more && room ? ", " : "";
    if (steps > MOST_STEPS || (room && all > MOST_STEPS)) {
        snprintf(text, 200, "it takes {%s%s%s}, and %d is the most: take a softer solid", pieces,
                 comma, substeps, MOST_STEPS);
    } else {
        snprintf(text, 200, "solver: {%s%s%s} would do", pieces, comma, substeps);
    }
}

static void warn_stiffness(SceneFlight *flight, const ThawSolidForecast *solid) {
    const ThawScene *scene = flight->scene;
    const char *name = scene->materials[solid->material].name;
    SceneFlight then = solid->sets ? scene_flight_set(flight) : *flight;
    double wanted = least_pieces(&then) * sqrt(solid->young / solid->limit);
    char text[500], advice[200];
    advise(&then, wanted, advice);
    if (scene->world.solver.explicit_forces) {
        snprintf(text, sizeof text,
                 "solid '%s': with solver.explicit_forces a Young's modulus above about %.2g Pa is "
                 "unstable here, and %.3g Pa is asked for; about %.0f substeps would carry it",
                 name, solid->limit, solid->young, ceil(wanted));
    } else {
        snprintf(
            text, sizeof text,
            "solid '%s': Young's modulus %.3g Pa is more than this scene can carry: it acts as "
            "%.2g Pa%s%s; more solver.elastic_steps or substeps raise that (%s)",
            name, solid->young, solid->limit, solid->sets ? " when it has set" : "",
            scene->world.solver.long_bonds ? ", long waves up to 5 times as stiff" : "", advice);
    }
    scene_messages_add_line(flight->messages, false, scene->path, 0, text);
}

// keys that do nothing without another
static void warn_idle_keys(SceneFlight *flight, const ThawSceneMaterial *material) {
    const ThawSceneSolid *solid = &material->solid;
    double time = scene_duration(flight->scene);
    bool breaks = scene_largest(&solid->fracture_strain, time) > 0 ||
                  scene_largest(&solid->fracture_stress, time) > 0;
    bool docks = scene_largest(&solid->docking_rate, time) > 0;
    char text[300];
    if (solid->fracture_spread > 0 && !breaks) {
        snprintf(text, sizeof text,
                 "'%s' has a fracture_spread but neither fracture_strain nor fracture_stress: it "
                 "never breaks",
                 material->name);
        scene_messages_add_line(flight->messages, false, flight->scene->path, 0, text);
    }
    if (solid->docking_growth > 0 && !docks) {
        snprintf(text, sizeof text,
                 "'%s' has a docking_growth but no docking_rate, which it grows to: nothing docks",
                 material->name);
        scene_messages_add_line(flight->messages, false, flight->scene->path, 0, text);
    }
}

void scene_warn_solids(SceneFlight *flight) {
    for (int m = 0; m < flight->scene->material_count; m++) {
        warn_idle_keys(flight, &flight->scene->materials[m]);
    }
    const ThawPreflight *preflight = flight->preflight;
    for (int k = 0; k < preflight->solid_count; k++) {
        const ThawSolidForecast *solid = &preflight->solids[k];
        if (solid->young > TOLD_ABOVE * solid->limit) warn_stiffness(flight, solid);
    }
}

// ---------------------------------------------------------------- attachments

// one that begins later may hold what has come to it by then
void scene_warn_attachments(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    for (int k = 0; k < scene->attachment_count; k++) {
        const ThawSceneAttachment *attachment = &scene->attachments[k];
        if (attachment->from > 0 || flight->preflight->attached[k] > 0) continue;
        bool any = attachment->body < 0;
        char text[300];
        snprintf(text, sizeof text,
                 "attachment '%s' holds nothing: no particle%s%s%s lies in its region at the start",
                 attachment->name, any ? "" : " of body '",
                 any ? "" : scene->bodies[attachment->body].name, any ? "" : "'");
        scene_messages_add_line(flight->messages, false, attachment->file, attachment->line, text);
    }
}
