// thaw info: what a scene, a cache directory, a frame or a checkpoint is.
#include "check.h"
#include "say.h"
#include "store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *type_name(ThawType type) {
    static const char *const names[] = {"f32", "f64", "i32", "i64", "u8", "u16", "u64"};
    return names[type];
}

static double file_bytes(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// ---------------------------------------------------------------- a frame

static void print_columns_json(const ThawFrame *frame) {
    printf(", \"columns\": [");
    for (int k = 0; k < frame->column_count; k++) {
        const ThawColumn *column = &frame->columns[k];
        printf("%s{\"name\": ", k > 0 ? ", " : "");
        json_text(stdout, column->name);
        printf(", \"type\": \"%s\", \"components\": %u}", type_name(column->type),
               column->components);
    }
    printf("]");
}

static void print_frame_json(const char *path, const ThawFrame *frame) {
    const ThawFrameInfo *info = &frame->info;
    printf("{\"kind\": \"frame\", \"path\": ");
    json_text(stdout, path);
    printf(", \"frame\": %d, \"time\": ", info->frame);
    json_number(stdout, info->time);
    printf(", \"particles\": %u, \"fps\": ", frame->count);
    json_number(stdout, info->fps);
    printf(", \"spacing\": ");
    json_number(stdout, info->spacing);
    printf(", \"support\": ");
    json_number(stdout, info->support);
    printf(", \"dimensions\": %d, \"up\": \"%c\", \"scene_hash\": \"%016" PRIx64 "\"",
           info->dimensions, "xyz"[info->up], info -> scene_hash);
    printf(", \"thaw\": ");
    json_text(stdout, info->thaw_version);
    printf(", \"bytes\": %.0f", file_bytes(path));
    printf(", \"fractures\": %u", frame->fracture_count);
    print_columns_json(frame);
    printf("}\n");
}

static void print_frame(const char *path, const ThawFrame *frame) {
    const ThawFrameInfo *info = &frame->info;
    Text count, bytes;
    printf("%s: frame %d of a thaw %s run, %s\n", path, info->frame, info->thaw_version,
           text_bytes(&bytes, file_bytes(path)));
    printf("  time        %g s, at %g frames a second\n", info->time, info->fps);
    printf("  particles   %s, spacing %g m, support %g m, %dD, %c is up\n",
           text_count(&count, frame->count), info->spacing, info->support, info->dimensions,
           "xyz"[info->up]);
    if (frame->fracture_count > 0)
        printf("  fractures   %s bonds broke since the frame before\n",
               text_count(&count, frame->fracture_count));
    printf("  scene       %016" PRIx64 "\n  columns    ", info->scene_hash);
    for (int k = 0; k < frame->column_count; k++) {
        const ThawColumn *column = &frame->columns[k];
        printf(" %s (%s", column->name, type_name(column->type));
        if (column->components > 1) printf(" × %u", column->components);
        printf(")%s", k + 1 < frame->column_count ? "," : "\n");
    }
}

static int tell_frame(const char *path, bool json) {
    ThawFrame *frame = NULL;
    ThawResult result = thaw_frame_peek(path, &frame);
    if (result != THAW_OK) return say_result("info", result);
    if (json)
        print_frame_json(path, frame);
    else
        print_frame(path, frame);
    thaw_frame_free(frame);
    return EXIT_DONE;
}

// ---------------------------------------------------------------- a checkpoint

static int tell_checkpoint(const char *path, bool json) {
    int frame = 0;
    uint64_t hash = 0;
    void *bytes = NULL;
    size_t size = 0;
    ThawResult result = thaw_checkpoint_read(path, &frame, &hash, &bytes, &size);
    if (result != THAW_OK) return say_result("info", result);
    free(bytes);
    Text text;
    if (json) {
        printf("{\"kind\": \"checkpoint\", \"path\": ");
        json_text(stdout, path);
        printf(", \"frame\": %d, \"scene_hash\": \"%016" PRIx64 "\", \"bytes\": %zu}\n", frame,
               hash, size);
    } else {
        printf("%s: a checkpoint after frame %d, %s\n  scene       %016" PRIx64 "\n", path, frame,
               text_bytes(&text, (double)size), hash);
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- a cache directory

// ,"materials": [{"number": 1, "name": "water"}]
static void print_names_json(const Store *store) {
    const ThawScene *scene = store->scene;
    printf(", \"materials\": [");
    for (int k = 0; scene != NULL && k < scene->material_count; k++) {
        printf("%s{\"number\": %d, \"name\": ", k > 0 ? ", " : "", k + 1);
        json_text(stdout, scene->materials[k].name);
        printf("}");
    }
    printf("], \"emitters\": [");
    for (int k = 0; scene != NULL && k < scene->emitter_count; k++) {
        printf("%s", k > 0 ? ", " : "");
        json_text(stdout, scene->emitters[k].name);
    }
    printf("], \"objects\": [");
    for (int k = 0; scene != NULL && k < scene->body_count; k++) {
        printf("%s{\"number\": %d, \"name\": ", k > 0 ? ", " : "", k + 1);
        json_text(stdout, scene->bodies[k].name);
        printf(", \"material\": %d}", scene->bodies[k].material + 1);
    }
    printf("]");
}

enum { NAMES_SHOWN = 12 };

// what the numbers in the columns material and object stand for
static void print_names(const ThawScene *scene) {
    printf("  materials  ");
    for (int k = 0; k < scene->material_count; k++)
        printf("%s %d %s", k > 0 ? "," : "", k + 1, scene->materials[k].name);
    if (scene->body_count > 0) printf("\n  objects    ");
    for (int k = 0, shown = 0; k < scene->body_count; shown++) {
        int copies = count_copies(scene, k);
        const char *name = scene->bodies[k].name;
        if (shown == NAMES_SHOWN) {
            printf(", ... (all of them with --json)");
            break;
        }
        printf("%s %d", shown > 0 ? "," : "", k + 1);
        if (copies >= MANY_COPIES)
            printf(" to %d %.*s[...]", k + copies, (int)strcspn(name, "["), name);
        else
            printf(" %s", name);
        k += copies >= MANY_COPIES ? copies : 1;
    }
    if (scene->emitter_count > 0) printf("\n  emitters   ");
    for (int k = 0; k < scene->emitter_count; k++)
        printf("%s %s", k > 0 ? "," : "", scene->emitters[k].name);
    printf("\n");
}

static double frames_bytes(const Store *store) {
    double sum = 0;
    char path[4096];
    for (int k = store->info.first_frame; k <= store->info.last_frame; k++) {
        if (thaw_cache_frame_path(store->directory, k, path, sizeof path) == THAW_OK)
            sum += file_bytes(path);
    }
    return sum;
}

static void print_cache_json(const Store *store, const ThawFrame *last) {
    const ThawCacheInfo *info = &store->info;
    printf("{\"kind\": \"cache\", \"path\": ");
    json_text(stdout, store->directory);
    printf(", \"title\": ");
    json_text(stdout, store->scene != NULL ? store->scene->title : "");
    printf(", \"first_frame\": %d, \"last_frame\": %d, \"wanted_frame\": ", info->first_frame,
           info->last_frame);
    if (store->scene != NULL)
        printf("%d", store->scene->frames.start - 1 + store->scene->frames.count);
    else
        printf("null");
    printf(", \"checkpoint_frame\": ");
    if (info->has_checkpoint)
        printf("%d", info->checkpoint_frame);
    else
        printf("null");
    printf(", \"particles\": %u, \"fps\": ", last->count);
    json_number(stdout, last->info.fps);
    printf(", \"time\": ");
    json_number(stdout, last->info.time);
    printf(", \"bytes\": %.0f", frames_bytes(store));
    print_columns_json(last);
    print_names_json(store);
    printf("}\n");
}

static void print_cache(const Store *store, const ThawFrame *last) {
    const ThawCacheInfo *info = &store->info;
    Text bytes, count;
    printf("%s%s%s\n", store->directory, store->scene != NULL ? ": " : "",
           store->scene != NULL ? store->scene->title : "");
    printf("  frames      %d to %d, %s", info->first_frame, info->last_frame,
           text_bytes(&bytes, frames_bytes(store)));
    if (store->scene != NULL) {
        int wanted = store->scene->frames.start - 1 + store->scene->frames.count;
        if (wanted > info->last_frame) printf("; the scene asks for %d", wanted);
    }
    printf("\n  last frame  %g s, %s particles\n", last->info.time,
           text_count(&count, last->count));
    if (info->has_checkpoint)
        printf("  checkpoint  after frame %d\n", info->checkpoint_frame);
    else
        printf("  checkpoint  none\n");
    printf("  columns    ");
    for (int k = 0; k < last->column_count; k++) printf(" %s", last->columns[k].name);
    printf("\n");
    if (store->scene != NULL) print_names(store->scene);
}

static int tell_cache(const Arguments *arguments, const char *path, bool json) {
    Store store;
    int status = store_open(arguments, path, &store);
    if (status != EXIT_DONE) return status;
    char name[4096];
    ThawFrame *last = NULL;
    ThawResult result = thaw_cache_frame_path(path, store.info.last_frame, name, sizeof name);
    if (result == THAW_OK) result = thaw_frame_peek(name, &last);
    if (result != THAW_OK)
        status = say_result("info", result);
    else if (json)
        print_cache_json(&store, last);
    else
        print_cache(&store, last);
    thaw_frame_free(last);
    store_close(&store);
    return status;
}

// ---------------------------------------------------------------- the command

// whether a text has the key that every scene begins with
static bool names_version(const char *path) {
    FILE *file = fopen(path, "rb");
    char line[256];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = strncmp(line, "thaw:", 5) == 0 || strncmp(line, "\"thaw\":", 7) == 0;
    if (file != NULL) fclose(file);
    return found;
}

static bool is_scene(const char *path) {
    static const char *const endings[] = {".yaml", ".yml", NULL};
    return path_ends(path, endings) || names_version(path);
}

static int run(const Arguments *arguments) {
    const char *path = arguments->operands[0];
    bool json = arguments_has(arguments, "json");
    if (path_is_folder(path)) return tell_cache(arguments, path, json);
    if (!path_is_file(path)) return say_usage("info", "there is no file or directory '%s'", path);
    if (ends_with(path, "checkpoint.h5")) return tell_checkpoint(path, json);
    if (ends_with(path, ".h5")) return tell_frame(path, json);
    if (!is_scene(path))
        return say_usage("info", "'%s' is no scene, frame or checkpoint of thaw", path);
    return check_scene(arguments, path);
}

static const Option options[] = {
    {"json", 0, NULL, NULL, "one JSON object, for programs, also of errors", NULL}, {0}};
static const Example examples[] = {
    {"thaw info out/dam", "how far a run has come, and what its frames hold"},
    {"thaw info out/dam/frames/frame_000012.h5", "one frame: time, particles, columns"},
    {NULL, NULL}};
const Command command_info = {
    .name = "info",
    .summary = "tell what a scene, a cache directory or a frame holds",
    .operands = "PATH",
    .least = 1,
    .most = 1,
    .offer = COMPLETE_FILES,
    .about = "Tells about a scene (like 'thaw check'), a directory that 'thaw run' wrote, one of "
             "its frames, or its checkpoint.",
    .options = options,
    .examples = examples,
    .run = run};
