// thaw check: what a scene will take, before the first frame.
#include "check.h"

#include "say.h"
#include "store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- for people

int count_copies(const ThawScene *scene, int k) {
    const ThawSceneBody *first = &scene->bodies[k];
    size_t length = strcspn(first->name, "[");
    if (first->name[length] == '\0') return 1;
    int count = 1;
    for (; k + count < scene->body_count; count++) {
        const ThawSceneBody *next = &scene->bodies[k + count];
        if (strncmp(next->name, first->name, length + 1) != 0 || next->material != first->material)
            break;
    }
    return count;
}

static const char *state_word(const ThawSceneBody *body) {
    return body->state == THAW_STATE_SOLID ? "solid " : "";
}

static void print_copies(const ThawScene *scene, const ThawPreflight *flight, int k, int copies) {
    const uint32_t *each = flight->body_particles + k;
    const ThawSceneBody *body = &scene->bodies[k];
    const char *material = scene->materials[body->material].name;
    char name[64];
    uint32_t least = each[0], most = each[0];
    double all = 0;
    Text number, low, high, sum;
    for (int n = 0; n < copies; n++) {
        if (each[n] < least) least = each[n];
        if (each[n] > most) most = each[n];
        all += each[n];
    }
    snprintf(name, sizeof name, "%.*s[...]", (int)strcspn(body->name, "["), body->name);
    printf("  body        %-20s %s copies, ", name, text_count(&number, copies));
    const char *solid = state_word(body);
    if (least == most)
        printf("%s particles each of %s%s\n", text_count(&low, least), solid, material);
    else
        printf("%s to %s particles each, %s in all, of %s%s\n", text_count(&low, least),
               text_count(&high, most), text_count(&sum, all), solid, material);
}

static void print_bodies(const ThawScene *scene, const ThawPreflight *flight) {
    Text count;
    for (int k = 0; k < scene->body_count;) {
        const ThawSceneBody *body = &scene->bodies[k];
        int copies = count_copies(scene, k);
        if (copies >= MANY_COPIES) {
            print_copies(scene, flight, k, copies);
            k += copies;
            continue;
        }
        printf("  body        %-20s %s particles of %s%s\n", body->name,
               text_count(&count, flight->body_particles[k]), state_word(body),
               scene->materials[body->material].name);
        k++;
    }
}

static void print_attachments(const ThawScene *scene, const ThawPreflight *flight) {
    Text count;
    for (int k = 0; k < scene->attachment_count; k++) {
        const ThawSceneAttachment *held = &scene->attachments[k];
        printf("  attachment  %-20s ", held->name);
        if (held->from > 0)
            printf("from %g s on", held->from);
        else
            printf("holds %s particles", text_count(&count, flight->attached[k]));
        if (held->collider >= 0)
            printf(", with %s", scene->colliders[held->collider].name);
        else if (held->motion_count > 0)
            printf(", moving");
        if (isfinite(held->to)) printf(", until %g s", held->to);
        printf("\n");
    }
}

static void print_colliders(const ThawScene *scene) {
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        const ThawSceneMesh *mesh = collider->mesh;
        bool shell = mesh != NULL && mesh->def.mode == THAW_FIELD_SHELL;
        printf("  collider    %-20s %s%s%s", collider->name,
               collider->container ? "container"
               : shell             ? "shell"
                                   : "solid",
               collider->motion_count > 0 ? ", moving" : "",
               collider->dynamic.on ? ", a rigid body" : "");
        const ThawMoment start = {.t = 0};
        double warm = thaw_number_at(&collider->temperature, &start);
        if (scene->heat.on && warm > 0)
            printf(", at %g K%s", warm, collider->frosts ? ", frosts" : "");
        if (mesh != NULL && mesh->sequence.count > 0)
            printf(", %d forms at %g a second%s", mesh->sequence.count, mesh->sequence.fps,
                   mesh->sequence.loop ? ", again and again" : "");
        printf("\n");
    }
}

// what is wrong with a mesh, if anything
static void print_faults(const ThawFieldReport *report) {
    const struct {
        double count;
        const char *one, *many;
    } faults[] = {
        {report->open_edges, "open edge", "open edges"},
        {report->crowded_edges, "edge of three or more triangles",
         "edges of three or more triangles"},
        {report->turned_edges, "edge between faces turned over", "edges between faces turned over"},
        {(double)report->self_intersections, "crossing", "crossings"},
        {report->degenerate, "triangle without area", "triangles without area"},
    };
    Text number;
    bool any = false;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        if (faults[k].count == 0) continue;
        printf("%s%s %s", any ? ", " : "              ", text_count(&number, faults[k].count),
               faults[k].count == 1 ? faults[k].one : faults[k].many);
        any = true;
    }
    if (any) printf("\n");
}

static const char *mesh_owner(const ThawScene *scene, const ThawMeshForecast *mesh,
                              const ThawSceneMesh **source) {
    if (mesh->collider >= 0) {
        *source = scene->colliders[mesh->collider].mesh;
        return scene->colliders[mesh->collider].name;
    }
    *source = scene->bodies[mesh->body].mesh;
    return scene->bodies[mesh->body].name;
}

static void print_meshes(const ThawScene *scene, const ThawPreflight *flight) {
    for (int k = 0; k < flight->mesh_count; k++) {
        const ThawMeshForecast *mesh = &flight->meshes[k];
        const ThawFieldReport *report = &mesh->report;
        const ThawSceneMesh *source;
        Text count, bytes, time;
        const char *name = mesh_owner(scene, mesh, &source);
        printf("  mesh        %-20s %s triangles; field of %d x %d x %d cells of %.3g m, %s", name,
               text_count(&count, report->triangles), mesh->size[0], mesh->size[1], mesh->size[2],
               report->cell, text_bytes(&bytes, (double)report->bytes));
        if (mesh->shared)
            printf(", shared\n");
        else if (source->cached)
            printf(", kept from before\n");
        else
            printf(", built in %s\n", text_duration(&time, report->seconds));
        print_faults(report);
    }
}

// what is asked of each solid, and what the substeps can carry
static void print_solids(const ThawScene *scene, const ThawPreflight *flight) {
    for (int k = 0; k < flight->solid_count; k++) {
        const ThawSolidForecast *solid = &flight->solids[k];
        printf("  solid       '%s': Young's modulus %.3g Pa%s; this scene can carry %.2g Pa\n",
               scene->materials[solid->material].name, solid->young,
               solid->sets ? " when it sets" : "", solid->limit);
    }
}

// ---------------------------------------------------------------- what comes, goes and pulls

static void print_emitters(const ThawScene *scene, const ThawPreflight *flight) {
    static const char *const kinds[] = {[THAW_EMITTER_DISC] = "disc",
                                        [THAW_EMITTER_RECTANGLE] = "rectangle",
                                        [THAW_EMITTER_VOLUME] = "volume"};
    for (int k = 0; k < scene->emitter_count; k++) {
        const ThawSceneEmitter *emitter = &scene->emitters[k];
        const ThawEmitterForecast *found = &flight->emitters[k];
        Text rate, born, peak;
        printf("  emitter     %-20s %s of %s, ", emitter->name, kinds[emitter->kind],
               scene->materials[emitter->material].name);
        if (found->born == 0) {
            printf("makes nothing in this run\n");
            continue;
        }
        printf("up to about %s particles a second, %s in all", text_count(&rate, found->rate),
               text_count(&born, found->born));
        if (found->peak < 0.999 * found->born)
            printf(", %s at once", text_count(&peak, found->peak));
        printf("\n");
    }
}

static void print_sinks(const ThawScene *scene) {
    for (int k = 0; k < scene->sink_count; k++) {
        const ThawSceneSink *sink = &scene->sinks[k];
        printf("  sink        %-20s takes %s %s", sink->name,
               sink->material < 0 ? "what is" : scene->materials[sink->material].name,
               sink->outside ? "outside" : "inside");
        if (sink->from > 0) printf(", from %g s on", sink->from);
        if (isfinite(sink->to)) printf(", until %g s", sink->to);
        printf("\n");
    }
}

static const char *force_word(ThawForceKind kind) {
    static const char *const words[] = {[THAW_FORCE_DIRECTIONAL] = "directional",
                                        [THAW_FORCE_POINT] = "point",
                                        [THAW_FORCE_VORTEX] = "vortex",
                                        [THAW_FORCE_WIND] = "wind",
                                        [THAW_FORCE_TURBULENCE] = "turbulence"};
    return words[kind];
}

static void print_forces(const ThawScene *scene) {
    for (int k = 0; k < scene->force_count; k++) {
        const ThawSceneForce *force = &scene->forces[k];
        printf("  force       %-20s %s%s%s%s", force->name, force_word(force->kind),
               force->bounded ? " inside its region" : "", force->material < 0 ? "" : " on ",
               force->material < 0 ? "" : scene->materials[force->material].name);
        if (force->from > 0) printf(", from %g s on", force->from);
        if (isfinite(force->to)) printf(", until %g s", force->to);
        printf("\n");
    }
}

// , 0.00023 of it by xsph
static void print_smoothing(const ThawLiquidForecast *liquid) {
    if (!(liquid->smoothing > 0)) return;
    if (liquid->smoothing < liquid->viscosity)
        printf(", %.2g of it by xsph", liquid->smoothing);
    else
        printf(", all of it by xsph");
}

// what is asked of each liquid, and what the substeps can do
static void print_liquids(const ThawScene *scene, const ThawPreflight *flight) {
    for (int k = 0; k < flight->liquid_count; k++) {
        const ThawLiquidForecast *liquid = &flight->liquids[k];
        const char *name = scene->materials[liquid->material].name;
        if (liquid->viscosity > 0) {
            printf("  liquid      '%s': viscosity %.3g m^2/s", name, liquid->viscosity);
            print_smoothing(liquid);
            printf("; this scene can do %.3g m^2/s\n", liquid->viscosity_limit);
        }
        if (liquid->tension > 0)
            printf("  liquid      '%s': surface tension %.3g N/m; this scene can do %.2g N/m\n",
                   name, liquid->tension, liquid->tension_limit);
    }
}

// a rule of one's own takes the place of the temperature
static void print_melting(const ThawSceneThermal *thermal) {
    if (thermal->melts_when.text != NULL)
        printf("; melts when %s", thermal->melts_when.text);
    else if (thermal->melts_at > 0)
        printf("; melts at %g K (%.4g C)", thermal->melts_at, thermal->melts_at - 273.15);
    if (thermal->freezes_when.text != NULL) printf("; freezes when %s", thermal->freezes_when.text);
}

// how fast heat goes through each material, and how far in the run
static void print_heat(const ThawScene *scene, const ThawPreflight *flight) {
    for (int k = 0; k < flight->heat_count; k++) {
        const ThawHeatForecast *heat = &flight->heats[k];
        const ThawSceneMaterial *material = &scene->materials[heat->material];
        printf("  heat        '%s': diffusivity %.2g m^2/s, goes %.2g m in this run",
               material->name, heat->diffusivity, heat->reach);
        print_melting(&material->thermal);
        printf("\n");
    }
    if (flight->heat_count > 0)
        printf("  conduction  about %.0f passes over the pairs a frame\n", flight->heat_stages);
}

static void print_heat_sources(const ThawScene *scene) {
    for (int k = 0; scene->heat.on && k < scene->heat_source_count; k++) {
        const ThawSceneHeatSource *source = &scene->heat_sources[k];
        const ThawMoment start = {.t = source->from};
        double warm = thaw_number_at(&source->temperature, &start);
        printf("  heat source %-20s ", source->name);
        if (warm > 0)
            printf("holds %g K", warm);
        else
            printf("%g W", thaw_number_at(&source->power, &start));
        printf("%s", source->bounded ? " inside its shape" : " everywhere");
        if (source->motion_count > 0) printf(", moving");
        if (source->material >= 0) printf(", in %s", scene->materials[source->material].name);
        if (source->body >= 0) printf(", in %s", scene->bodies[source->body].name);
        if (source->from > 0) printf(", from %g s on", source->from);
        if (isfinite(source->to)) printf(", until %g s", source->to);
        printf("\n");
    }
}

// ---------------------------------------------------------------- time, disk

static void print_frames(const ThawScene *scene, const ThawPreflight *flight) {
    const ThawSceneFrames *frames = &scene->frames;
    Text each, all;
    printf("  frames      %d to %d at %g a second: %g s", frames->start - 1,
           frames->start - 1 + frames->count, frames->fps, frames->count / frames->fps);
    if (frames->preroll > 0) printf(", after a preroll of %g s", frames->preroll);
    printf("\n  substeps    about %.0f a frame", flight->substeps);
    if (flight->set_substeps > flight->substeps)
        printf(", %.0f when some has set", flight->set_substeps);
    printf("\n");
    long threads = machine_threads();
    printf("  time        about %s on this machine's %ld thread%s (a rough guess)\n",
           text_duration(&each, fmax(guess_seconds(scene, flight), 1)), threads,
           threads == 1 ? "" : "s");
    printf("  disk        %s %s a frame, %s in all\n",
           scene->emitter_count > 0 ? "up to about" : "about",
           text_bytes(&each, flight->frame_bytes), text_bytes(&all, flight->disk_bytes));
}

static void print_scene(const ThawScene *scene, const ThawPreflight *flight) {
    Text count, memory, born, peak;
    printf("%s%s%s\n", scene->path, scene->title[0] != '\0' ? ": " : "", scene->title);
    printf("  particles   %s, %g kg", text_count(&count, flight->particles), flight->mass);
    if (scene->emitter_count > 0)
        printf(" at the start; about %s are born, %s%s live at once",
               text_count(&born, flight->born), scene->sink_count > 0 ? "at most " : "",
               text_count(&peak, flight->peak));
    printf("\n");
    print_bodies(scene, flight);
    print_emitters(scene, flight);
    print_sinks(scene);
    print_forces(scene);
    print_heat_sources(scene);
    print_colliders(scene);
    print_meshes(scene, flight);
    print_attachments(scene, flight);
    print_solids(scene, flight);
    print_liquids(scene, flight);
    print_heat(scene, flight);
    printf("  spacing     %g m, support %g m, lattice distance %.4g m, %dD\n", scene->world.spacing,
           flight->support, flight->lattice_distance, scene->world.dimensions);
    printf("  matter      from (%g, %g, %g) to (%g, %g, %g) m\n", flight->lower.x, flight->lower.y,
           flight->lower.z, flight->upper.x, flight->upper.y, flight->upper.z);
    printf("  memory      about %s\n", text_bytes(&memory, flight->memory_bytes));
    print_frames(scene, flight);
}

// ---------------------------------------------------------------- for programs

static void print_vector(const char *name, ThawVec3 v) {
    printf(", \"%s\": [", name);
    json_number(stdout, v.x);
    printf(", ");
    json_number(stdout, v.y);
    printf(", ");
    json_number(stdout, v.z);
    printf("]");
}

static void print_number(const char *name, double number) {
    printf(", \"%s\": ", name);
    json_number(stdout, number);
}

// , "solids": {"jelly": {...}}, "attachments": {"pin": 12}
static void print_solids_json(const ThawScene *scene, const ThawPreflight *flight) {
    printf(", \"solids\": {");
    for (int k = 0; k < flight->solid_count; k++) {
        const ThawSolidForecast *solid = &flight->solids[k];
        printf("%s", k > 0 ? ", " : "");
        json_text(stdout, scene->materials[solid->material].name);
        printf(": {\"particles\": %u", solid->particles);
        print_number("young", solid->young);
        print_number("young_limit", solid->limit);
        printf("}");
    }
    printf("}, \"attachments\": {");
    for (int k = 0; k < scene->attachment_count; k++) {
        printf("%s", k > 0 ? ", " : "");
        json_text(stdout, scene->attachments[k].name);
        printf(": %u", flight->attached[k]);
    }
    printf("}");
}

// , "emitters": {"tap": {...}}, "liquids": {"honey": {...}}, "heat": {"wax": {...}}
static void print_flow_json(const ThawScene *scene, const ThawPreflight *flight) {
    printf(", \"emitters\": {");
    for (int k = 0; k < scene->emitter_count; k++) {
        const ThawEmitterForecast *found = &flight->emitters[k];
        printf("%s", k > 0 ? ", " : "");
        json_text(stdout, scene->emitters[k].name);
        printf(": {\"born\": %.0f, \"peak\": %.0f", found->born, found->peak);
        print_number("rate", found->rate);
        printf("}");
    }
    printf("}, \"liquids\": {");
    for (int k = 0; k < flight->liquid_count; k++) {
        const ThawLiquidForecast *liquid = &flight->liquids[k];
        printf("%s", k > 0 ? ", " : "");
        json_text(stdout, scene->materials[liquid->material].name);
        printf(": {\"viscosity\": ");
        json_number(stdout, liquid->viscosity);
        print_number("viscosity_by_xsph", liquid->smoothing);
        print_number("viscosity_limit", liquid->viscosity_limit);
        print_number("tension", liquid->tension);
        print_number("tension_limit", liquid->tension_limit);
        printf("}");
    }
    printf("}, \"heat\": {");
    for (int k = 0; k < flight->heat_count; k++) {
        const ThawHeatForecast *heat = &flight->heats[k];
        printf("%s", k > 0 ? ", " : "");
        json_text(stdout, scene->materials[heat->material].name);
        printf(": {\"diffusivity\": ");
        json_number(stdout, heat->diffusivity);
        print_number("reach", heat->reach);
        printf("}");
    }
    printf("}");
}

// , "meshes": [{...}]
static void print_meshes_json(const ThawScene *scene, const ThawPreflight *flight) {
    printf(", \"meshes\": [");
    for (int k = 0; k < flight->mesh_count; k++) {
        const ThawMeshForecast *mesh = &flight->meshes[k];
        const ThawFieldReport *report = &mesh->report;
        const ThawSceneMesh *source;
        const char *name = mesh_owner(scene, mesh, &source);
        printf("%s{\"%s\": ", k > 0 ? ", " : "", mesh->collider >= 0 ? "collider" : "body");
        json_text(stdout, name);
        printf(", \"file\": ");
        json_text(stdout, source->file);
        printf(", \"poses\": %d, \"triangles\": %u, \"cells\": [%d, %d, %d]",
               source->sequence.count > 0 ? source->sequence.count : 1, report->triangles,
               mesh->size[0], mesh->size[1], mesh->size[2]);
        print_number("cell", report->cell);
        print_number("bytes", (double)report->bytes);
        print_number("volume", report->volume);
        print_number("area", report->area);
        print_number("thinnest_cells", report->thinnest);
        print_number("gap", mesh->gap);
        print_number("gap_share", mesh->gap_share);
        print_number("self_intersections", (double)report->self_intersections);
        printf(", \"open_edges\": %u, \"crowded_edges\": %u, \"turned_edges\": %u, "
               "\"degenerate\": %u, \"shared\": %s, \"kept\": %s}",
               report->open_edges, report->crowded_edges, report->turned_edges, report->degenerate,
               mesh->shared ? "true" : "false", source->cached ? "true" : "false");
    }
    printf("]");
}

static void print_json(const ThawScene *scene, const ThawPreflight *flight,
                       const ThawMessages *messages) {
    printf("{\"scene\": ");
    json_text(stdout, scene->path);
    printf(", \"title\": ");
    json_text(stdout, scene->title);
    printf(", \"particles\": %u, \"bodies\": {", flight->particles);
    for (int k = 0; k < scene->body_count; k++) {
        printf("%s", k > 0 ? ", " : "");
        json_text(stdout, scene->bodies[k].name);
        printf(": %u", flight->body_particles[k]);
    }
    printf("}, \"dimensions\": %d", scene->world.dimensions);
    print_number("spacing", scene->world.spacing);
    print_number("support", flight->support);
    print_number("lattice_distance", flight->lattice_distance);
    print_number("mass", flight->mass);
    print_number("memory_bytes", flight->memory_bytes);
    print_number("frame_bytes", flight->frame_bytes);
    print_number("disk_bytes", flight->disk_bytes);
    printf(", \"born\": %.0f, \"peak\": %.0f", flight->born, flight->peak);
    print_number("substeps", flight->substeps);
    print_number("set_substeps", flight->set_substeps);
    printf(", \"first_frame\": %d, \"last_frame\": %d", scene->frames.start - 1,
           scene->frames.start - 1 + scene->frames.count);
    print_number("fps", scene->frames.fps);
    print_vector("lower", flight->lower);
    print_vector("upper", flight->upper);
    print_number("seconds", guess_seconds(scene, flight));
    print_solids_json(scene, flight);
    print_flow_json(scene, flight);
    print_meshes_json(scene, flight);
    printf(", \"errors\": ");
    json_messages(stdout, messages, true);
    printf(", \"warnings\": ");
    json_messages(stdout, messages, false);
    printf("}\n");
}

// ---------------------------------------------------------------- the command

static int judge(const Arguments *arguments, const ThawScene *scene, ThawMessages **messages) {
    const char *command = arguments->command->name;
    ThawPreflight flight = {0};
    ThawResult result = thaw_scene_preflight(scene, &flight, messages);
    if (result != THAW_OK) return say_result(command, result);
    bool json = arguments_has(arguments, "json");
    if (json)
        print_json(scene, &flight, *messages);
    else
        print_scene(scene, &flight);
    say_messages(*messages);
    // the object has them already
    say_drop_errors();
    int errors = thaw_messages_errors(*messages), warnings = thaw_messages_warnings(*messages);
    if (!json)
        printf("%d error%s, %d warning%s\n", errors, errors == 1 ? "" : "s", warnings,
               warnings == 1 ? "" : "s");
    thaw_preflight_free(&flight);
    return errors > 0 ? EXIT_USAGE : EXIT_DONE;
}

int check_scene(const Arguments *arguments, const char *path) {
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    int status = scene_open(arguments, path, &scene, &messages);
    if (status == EXIT_DONE) status = judge(arguments, scene, &messages);
    thaw_messages_free(messages);
    thaw_scene_free(scene);
    return status;
}

static int run(const Arguments *arguments) {
    char *path = scene_path(arguments->operands[0]);
    int status =
        path != NULL ? check_scene(arguments, path) : say_failure("check", "out of memory");
    free(path);
    return status;
}

static const Option options[] = {
    {"set", 0, "PATH=VALUE", NULL, "override a value of the scene; may be given often", NULL},
    {"allow-outside", 0, NULL, NULL, "let the scene name files outside its own folder", NULL},
    {"no-field-cache", 0, NULL, NULL,
     "build the distance fields of meshes anew, and keep none for the next time", NULL},
    {"json", 0, NULL, NULL, "one JSON object, for programs, also of errors", NULL},
    {0}};
static const Example examples[] = {
    {"thaw check dam.yaml", "errors, warnings and an estimate of what it will take"},
    {"thaw check dam.yaml --set spacing=0.005", "what half the spacing would cost"},
    {NULL, NULL}};
const Command command_check = {
    .name = "check",
    .summary = "check a scene and estimate what it will take",
    .operands = "SCENE",
    .least = 1,
    .most = 1,
    .offer = COMPLETE_FILES,
    .about = "Reads a scene, reports every error with its line, and says what will be simulated: "
             "particles, memory, substeps, disk, and the stiffness that solids can have. Warns of "
             "bodies that overlap, leave their container or are too thin, of solids that begin "
             "nearer than contact keeps them, and of meshes with thin walls, narrow gaps, holes or "
             "an odd size. Nothing is simulated; only the fields of meshes are kept for the run. "
             "SCENE may be a directory that 'thaw run' wrote: then its own scene is taken.",
    .options = options,
    .examples = examples,
    .run = run};
