// thaw check: what a scene will take, before the first frame.
#include "check.h"

#include "say.h"
#include "store.h"

#include <stdlib.h>

// ---------------------------------------------------------------- for people

static void print_bodies(const ThawScene *scene, const ThawPreflight *flight) {
    Text count;
    for (int k = 0; k < scene->body_count; k++) {
        const ThawSceneBody *body = &scene->bodies[k];
        printf("  body        %-20s %s particles of %s\n", body->name,
               text_count(&count, flight->body_particles[k]),
               scene->materials[body->material].name);
    }
}

static void print_frames(const ThawScene *scene, const ThawPreflight *flight) {
    const ThawSceneFrames *frames = &scene->frames;
    Text each, all;
    printf("  frames      %d to %d at %g a second: %g s", frames->start - 1,
           frames->start - 1 + frames->count, frames->fps, frames->count / frames->fps);
    if (frames->preroll > 0) printf(", after a preroll of %g s", frames->preroll);
    printf("\n  substeps    about %.0f a frame\n", flight->substeps);
    printf("  disk        about %s a frame, %s in all\n", text_bytes(&each, flight->frame_bytes),
           text_bytes(&all, flight->frame_bytes * (frames->count + 1)));
}

static void print_scene(const ThawScene *scene, const ThawPreflight *flight) {
    Text count, memory;
    printf("%s%s%s\n", scene->path, scene->title[0] != '\0' ? ": " : "", scene->title);
    printf("  particles   %s, %g kg\n", text_count(&count, flight->particles), flight->mass);
    print_bodies(scene, flight);
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        printf("  collider    %-20s %s%s\n", collider->name,
               collider->container ? "container" : "solid",
               collider->motion_count > 0 ? ", moving" : "");
    }
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

static void print_messages(const ThawMessages *messages) {
    printf(", \"warnings\": [");
    for (int k = 0; k < thaw_messages_count(messages); k++) {
        const ThawMessage *message = thaw_messages_get(messages, k);
        printf("%s{\"file\": ", k > 0 ? ", " : "");
        json_text(stdout, message->file);
        printf(", \"line\": %d, \"column\": %d, \"text\": ", message->line, message->column);
        json_text(stdout, message->text);
        printf("}");
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
    print_number("substeps", flight->substeps);
    printf(", \"first_frame\": %d, \"last_frame\": %d", scene->frames.start - 1,
           scene->frames.start - 1 + scene->frames.count);
    print_number("fps", scene->frames.fps);
    print_vector("lower", flight->lower);
    print_vector("upper", flight->upper);
    print_messages(messages);
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
    int errors = thaw_messages_errors(*messages);
    int warnings = thaw_messages_count(*messages) - errors;
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
    return check_scene(arguments, arguments->operands[0]);
}

static const Option options[] = {
    {"set", 0, "PATH=VALUE", NULL, "override a value of the scene; may be given often", NULL},
    {"allow-outside", 0, NULL, NULL, "let the scene name files outside its own folder", NULL},
    {"json", 0, NULL, NULL, "one JSON object, for programs", NULL},
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
             "particles, memory, substeps and disk. Warns of bodies that overlap, leave their "
             "container or are too thin. Nothing is simulated or written.",
    .options = options,
    .examples = examples,
    .run = run};
