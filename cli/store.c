// Scenes and cache directories as commands open them.
#include "store.h"

#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---------------------------------------------------------------- paths

char *path_join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) return NULL;
    const char *between = folder[0] == '\0' || folder[strlen(folder) - 1] == '/' ? "" : "/";
    snprintf(path, size, "%s%s%s", folder, between, name);
    return path;
}

char *path_stem(const char *path) {
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') begin--;
    for (size_t k = end; k > begin + 1; k--) {
        if (path[k - 1] == '.') {
            end = k - 1;
            break;
        }
    }
    char *stem = malloc(end - begin + 1);
    if (stem == NULL) return NULL;
    memcpy(stem, path + begin, end - begin);
    stem[end - begin] = '\0';
    return stem;
}

bool path_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool path_ends(const char *path, const char *const *endings) {
    size_t length = strlen(path);
    for (; *endings != NULL; endings++) {
        size_t tail = strlen(*endings), same = 0;
        // a name before the ending
        if (length <= tail || path[length - tail - 1] == '/') continue;
        while (same < tail &&
               tolower((unsigned char)path[length - tail + same]) == (*endings)[same])
            same++;
        if (same == tail) return true;
    }
    return false;
}

int path_judge(const Arguments *arguments, const char *option, const char *const *endings) {
    const char *path = arguments_text(arguments, option);
    if (path == NULL || path_ends(path, endings)) return EXIT_DONE;
    char list[64] = "";
    for (int k = 0; endings[k] != NULL; k++) {
        size_t used = strlen(list);
        const char *between = k == 0 ? "" : endings[k + 1] == NULL ? " or " : ", ";
        snprintf(list + used, sizeof list - used, "%s%s", between, endings[k]);
    }
    return say_usage(arguments->command->name, "--%s must name a file that ends in %s, not '%s'",
                     option, list, path);
}

bool path_make(const char *command, const char *path) {
    char *copy = path_join("", path);
    if (copy == NULL) {
        say_failure(command, "out of memory");
        return false;
    }
    for (char *at = copy + 1; copy[0] != '\0'; at++) {
        if (*at != '/' && *at != '\0') continue;
        char letter = *at;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && !path_is_folder(copy)) {
            say_failure(command, "the folder '%s' cannot be made: %s", copy, strerror(errno));
            free(copy);
            return false;
        }
        if (letter == '\0') break;
        *at = letter;
    }
    free(copy);
    return true;
}

// ---------------------------------------------------------------- scenes

static bool has_option(const Command *command, const char *name) {
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        if (strcmp(option->name, name) == 0) return true;
    }
    return false;
}

// --frames A:B as two overrides of the scene, whose own frames are known from a first reading
static bool override_frames(const Arguments *arguments, const ThawScene *scene, char sets[2][48]) {
    int start = scene->frames.start;
    FrameRange range = {start, start + scene->frames.count - 1, 1};
    if (range.last < range.first) range.last = range.first;
    if (!arguments_frames(arguments, &range)) return false;
    // one number alone is the last frame
    if (strchr(arguments_text(arguments, "frames"), ':') == NULL) range.first = start;
    if (range.last < range.first) {
        say_usage(arguments->command->name, "--frames ends at %d, but the first frame is %d",
                  range.last, range.first);
        return false;
    }
    snprintf(sets[0], 48, "frames.start=%d", range.first);
    snprintf(sets[1], 48, "frames.count=%d", range.last - range.first + 1);
    return true;
}

char *field_folder(void) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base != NULL && base[0] == '/') return path_join(base, "thaw/fields");
    return home != NULL && home[0] == '/' ? path_join(home, ".cache/thaw/fields") : NULL;
}

char *scene_path(const char *operand) {
    return path_is_folder(operand) ? path_join(operand, "scene.yaml") : path_join("", operand);
}

// whether a file's beginning is text; what cannot be read is for others to tell
static bool is_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return true;
    char bytes[4096];
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t k = 0; k < count; k++) {
        unsigned char byte = (unsigned char)bytes[k];
        if (byte == 0x7f || (byte < 0x20 && strchr("\t\n\r\f\v", byte) == NULL) || byte == 0)
            return false;
    }
    return true;
}

static int read_scene(const char *path, const ThawSceneOptions *options, ThawScene **scene,
                      ThawMessages **messages) {
    if (path_is_file(path) && !is_text(path))
        return say_usage("", "'%s' is no scene: it is not a text file", path);
    ThawResult result = thaw_scene_read(path, options, scene, messages);
    if (result == THAW_OK) return EXIT_DONE;
    say_messages(*messages);
    int errors = thaw_messages_errors(*messages);
    if (errors == 0)
        say_failure("", "%s", thaw_error_text());
    else
        fprintf(stderr, "%d error%s in %s\n", errors, errors == 1 ? "" : "s", path);
    thaw_messages_free(*messages);
    *messages = NULL;
    return result == THAW_OUT_OF_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

int scene_open(const Arguments *arguments, const char *path, ThawScene **scene,
               ThawMessages **messages) {
    const Command *command = arguments->command;
    const char **sets = calloc((size_t)arguments->given_count + 3, sizeof *sets);
    if (sets == NULL) return say_failure(command->name, "out of memory");
    ThawSceneOptions options = {.sets = sets};
    options.set_count = arguments_all(arguments, "set", sets);
    options.allow_outside =
        has_option(command, "allow-outside") && arguments_has(arguments, "allow-outside");
    bool keep =
        !has_option(command, "no-field-cache") || !arguments_has(arguments, "no-field-cache");
    char *folder = keep ? field_folder() : NULL;
    long threads = 0;
    if (has_option(command, "threads")) arguments_whole(arguments, "threads", 0, 256, &threads);
    options.field_folder = folder;
    options.threads = (int)threads;
    char frames[2][48];
    int status = read_scene(path, &options, scene, messages);
    if (status == EXIT_DONE && has_option(command, "frames") &&
        arguments_has(arguments, "frames")) {
        status = override_frames(arguments, *scene, frames) ? EXIT_DONE : EXIT_USAGE;
        thaw_scene_free(*scene);
        thaw_messages_free(*messages);
        *scene = NULL;
        *messages = NULL;
        sets[options.set_count++] = frames[0];
        sets[options.set_count++] = frames[1];
        if (status == EXIT_DONE) status = read_scene(path, &options, scene, messages);
    }
    free(folder);
    free(sets);
    return status;
}

static ThawScene *read_own(const char *directory, const ThawSceneOptions *options) {
    char *path = path_join(directory, "scene.yaml");
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    if (path != NULL && thaw_scene_read(path, options, &scene, &messages) != THAW_OK) scene = NULL;
    thaw_messages_free(messages);
    free(path);
    return scene;
}

// colliders whose mesh is gone, or has changed since, are not drawn; the rest is as it was
static void hide_lost(ThawScene *scene) {
    for (int k = 0; k < scene->collider_count; k++) {
        ThawSceneCollider *collider = &scene->colliders[k];
        if (collider->mesh == NULL || collider->shape.field != NULL) continue;
        say_warning("", "collider '%s' is not drawn: its mesh %s is gone or has changed",
                    collider->name, collider->mesh->file);
        collider->visible = false;
        collider->shape = thaw_shape_sphere(collider->shape.pose.position, 1e-9);
        collider->mesh = NULL;
    }
}

ThawScene *store_scene(const char *directory) {
    char *folder = field_folder();
    ThawSceneOptions options = {.allow_outside = true, .allow_lost = true, .field_folder = folder};
    ThawScene *scene = read_own(directory, &options);
    free(folder);
    if (scene != NULL) hide_lost(scene);
    return scene;
}

ThawScene *store_words(const char *directory) {
    ThawSceneOptions options = {.allow_outside = true, .no_meshes = true};
    return read_own(directory, &options);
}

// ---------------------------------------------------------------- caches

int store_open(const Arguments *arguments, const char *directory, Store *store) {
    const char *command = arguments->command->name;
    *store = (Store){.directory = directory};
    if (path_is_file(directory))
        return say_usage(command, "'%s' is a file; give the directory that 'thaw run' wrote",
                         directory);
    if (!path_is_folder(directory))
        return say_usage(command, "there is no directory '%s'", directory);
    ThawResult result = thaw_cache_info(directory, &store->info);
    if (result != THAW_OK) return say_result(command, result);
    if (store->info.last_frame < store->info.first_frame)
        return say_usage(command, "'%s' holds no frames; make some with 'thaw run SCENE -o %s'",
                         directory, directory);
    store->scene = store_scene(directory);
    bool draws = arguments->command == &command_render || arguments->command == &command_movie;
    if (store->scene == NULL && draws)
        say_warning(
            command,
            "its scene cannot be read, so pictures go without colliders, colours and camera "
            "of their own: %s",
            thaw_error_text());
    return EXIT_DONE;
}

void store_close(Store *store) {
    thaw_scene_free(store->scene);
    store->scene = NULL;
}

static int judge_range(const Arguments *arguments, const Store *store, const FrameRange *range) {
    const ThawCacheInfo *info = &store->info;
    if (range->first >= info->first_frame && range->last <= info->last_frame) return EXIT_DONE;
    if (range->first == range->last)
        return say_usage(arguments->command->name, "frame %d is not there: '%s' holds %d to %d",
                         range->first, store->directory, info->first_frame, info->last_frame);
    return say_usage(arguments->command->name,
                     "frames %d to %d are not all there: '%s' holds %d to %d", range->first,
                     range->last, store->directory, info->first_frame, info->last_frame);
}

int store_frames(const Arguments *arguments, const Store *store, FrameRange *range) {
    const ThawCacheInfo *info = &store->info;
    *range = (FrameRange){info->first_frame, info->last_frame, 1};
    if (!arguments_frames(arguments, range)) return EXIT_USAGE;
    return judge_range(arguments, store, range);
}

bool list_add(FrameList *list, FrameRange range) {
    int count = (range.last - range.first) / range.step + 1;
    int *numbers = realloc(list->numbers, sizeof *numbers * (size_t)(list->count + count));
    if (numbers == NULL) return false;
    list->numbers = numbers;
    for (int k = 0; k < count; k++) numbers[list->count++] = range.first + k * range.step;
    return true;
}

void list_free(FrameList *list) {
    free(list->numbers);
    *list = (FrameList){0};
}

// one piece between commas
static int add_piece(const Arguments *arguments, const Store *store, const char *piece,
                     FrameList *list) {
    FrameRange range = {store->info.first_frame, store->info.last_frame, 1};
    if (!frames_parse(piece, true, &range))
        return say_usage(arguments->command->name,
                         "--frames must be like 12, 0:100, 0:100:10 or 1,5,9, not '%s'",
                         arguments_text(arguments, "frames"));
    int status = judge_range(arguments, store, &range);
    if (status != EXIT_DONE) return status;
    return list_add(list, range) ? EXIT_DONE
                                 : say_failure(arguments->command->name, "out of memory");
}

int store_list(const Arguments *arguments, const Store *store, FrameList *list) {
    const char *text = arguments_text(arguments, "frames");
    *list = (FrameList){0};
    int status = EXIT_DONE;
    if (text == NULL) text = ":";
    for (bool more = true; more && status == EXIT_DONE;) {
        char piece[64];
        size_t length = strcspn(text, ",");
        snprintf(piece, sizeof piece, "%.*s", length < 64 ? (int)length : 63, text);
        status = add_piece(arguments, store, piece, list);
        more = text[length] == ',';
        text += length + more;
    }
    return status;
}

ThawResult store_read(const Store *store, int frame, ThawFrame **data) {
    char path[4096];
    ThawResult result = thaw_cache_frame_path(store->directory, frame, path, sizeof path);
    return result == THAW_OK ? thaw_frame_read(path, data) : result;
}
