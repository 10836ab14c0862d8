// Where a run begins: at the beginning, or on from a checkpoint.
//
// A kill at any moment must be harmless, so the plan trusts only what is whole under its real name.
// Frames past the checkpoint are dropped and made again: the same bits. A checkpoint whose frames
// are not all there, or frames without a checkpoint, mean starting again.
#include "run.h"

#include "say.h"
#include "store.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double run_time(const Run *run, int frame) {
    double time = run->scene->frames.preroll + (frame - run->first) / run->scene->frames.fps;
    return frame == run->begin ? 0 : time;
}

double run_step(const Run *run, int frame) {
    double step = 1.0 / run->scene->frames.fps;
    // the preroll's first step takes what is left over
    return frame == run->begin + 1 && frame <= run->first
               ? run->scene->frames.preroll - (run->first - frame) * step
               : step;
}

static void count_frames(Run *run) {
    const ThawSceneFrames *frames = &run->scene->frames;
    run->first = frames->start - 1;
    run->last = run->first + frames->count;
    run->begin = run->first - (int)ceil(frames->preroll * frames->fps - 1e-9);
    run->frame = run->begin;
    run->saved = run->begin - 1;
}

static bool drops_out(const char *argument) {
    return strcmp(argument, "--resume") == 0 || strcmp(argument, "--branch") == 0;
}

// the command as it was typed, with another way to go on
static void print_command(const Run *run, const char *way, FILE *stream) {
    fprintf(stream, "thaw run");
    for (int k = 0; k < run->arguments->all_count; k++) {
        if (drops_out(run->arguments->all[k])) continue;
        fputc(' ', stream);
        print_quoted(stream, run->arguments->all[k]);
    }
    fprintf(stream, " %s\n", way);
}

void run_print_resume(const Run *run, FILE *stream) {
    print_command(run, "--resume", stream);
}

// going on with the directory's own scene
static void print_own(const Run *run, FILE *stream) {
    const char *frames = arguments_text(run->arguments, "frames");
    fprintf(stream, "thaw run ");
    print_quoted(stream, run->directory);
    if (frames != NULL) {
        fprintf(stream, " --frames ");
        print_quoted(stream, frames);
    }
    fprintf(stream, " --resume\n");
}

// ---------------------------------------------------------------- what is there

typedef struct Found {
    ThawCacheInfo info;
    bool frames, checkpoint;
} Found;

static bool holds(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    bool there = path == NULL || path_is_folder(path) || path_is_file(path);
    free(path);
    return there;
}

static bool is_empty(const char *folder) {
    DIR *listing = opendir(folder);
    int count = 0;
    while (listing != NULL && readdir(listing) != NULL) count++;
    if (listing != NULL) closedir(listing);
    return count <= 2; // itself and the one above
}

static int look(const Run *run, Found *found) {
    *found = (Found){.info = {.first_frame = 0, .last_frame = -1}};
    if (path_is_file(run->directory))
        return say_usage("run", "'%s' is a file; frames need a directory: -o DIR", run->directory);
    if (!path_is_folder(run->directory)) return EXIT_DONE;
    // a run makes these two before anything else; other people's files are not mixed with ours
    if (!holds(run->directory, "frames") && !holds(run->directory, ".lock") &&
        !is_empty(run->directory))
        return say_usage("run",
                         "'%s' is not empty and holds no run; give a new or an empty directory "
                         "with -o DIR",
                         run->directory);
    ThawResult result = thaw_cache_info(run->directory, &found->info);
    if (result != THAW_OK) return say_result("run", result);
    found->frames = found->info.last_frame >= found->info.first_frame;
    found->checkpoint = found->info.has_checkpoint;
    return EXIT_DONE;
}

static int refuse_existing(const Run *run, const Found *found) {
    if (found->frames)
        say_usage("run", "'%s' already holds frames %d to %d", run->directory,
                  found->info.first_frame, found->info.last_frame);
    else
        say_usage("run", "'%s' already holds a run's checkpoint", run->directory);
    fprintf(stderr, "  to go on from there:   ");
    run_print_resume(run, stderr);
    fprintf(stderr, "  to start again:        rm -r ");
    print_quoted(stderr, run->directory);
    fprintf(stderr, "\n  or write elsewhere:    -o DIR\n");
    return EXIT_USAGE;
}

// ---------------------------------------------------------------- a changed scene

static bool begins(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

// whether the first line of a text has the words
static bool has_words(const char *line, const char *words) {
    const char *at = strstr(line, words);
    return at != NULL && (size_t)(at - line) < strcspn(line, "\n");
}

static bool is_among(const char *word, const char *const *words) {
    for (; *words != NULL; words++) {
        if (strcmp(word, *words) == 0) return true;
    }
    return false;
}

// whether a value named by a line of the difference can change while a world goes on
static bool can_branch(const char *line) {
    size_t length = strcspn(line, ":\n");
    char path[256];
    snprintf(path, sizeof path, "%.*s", (int)length, line);
    if (begins(path, "gravity")) return true;
    // a material that comes or goes is no change of value
    bool whole = !has_words(line, ": (not there)") && !has_words(line, "(gone)");
    if (begins(path, "materials")) return whole;
    const char *last = strrchr(path, '.');
    if (last == NULL) return false;
    static const char *const surface[] = {"friction", "restitution", "adhesion", NULL};
    static const char *const flow[] = {"speed", "rate", "velocity", "from",   "to", "jitter",
                                       "life",  "most", "total",    "motion", NULL};
    static const char *const when[] = {"from", "to", "ramp", "region", "material", NULL};
    if (begins(path, "colliders.")) return is_among(last + 1, surface);
    if (begins(path, "emitters.")) {
        return is_among(last + 1, flow) || strstr(path, ".channels.") != NULL;
    }
    // a force stays of its kind
    return begins(path, "forces.") && (whole || is_among(last + 1, when));
}

// prints the lines that can, or cannot, change; returns how many
static int print_changes(const char *difference, bool can) {
    int count = 0;
    for (const char *line = difference; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 0 && can_branch(line) == can) {
            fprintf(stderr, "  %.*s\n", (int)length, line);
            count++;
        }
        line += length + (line[length] == '\n');
    }
    return count;
}

static int refuse_changed(const Run *run, const char *difference) {
    say_usage("run", "the scene has changed since '%s' was made:", run->directory);
    int can = print_changes(difference, true), cannot = print_changes(difference, false);
    if (cannot > 0) {
        fprintf(stderr, "%s cannot change on the way; start a new run with -o DIR\n",
                can > 0 ? "some of this" : "this");
    } else {
        fprintf(stderr, "to go on from there with the new values:\n  ");
        print_command(run, "--branch", stderr);
    }
    fprintf(stderr, "to go on with the values that '%s' has:\n  ", run->directory);
    print_own(run, stderr);
    return EXIT_USAGE;
}

// refuses what a branch cannot take over
static int judge_branch(const char *difference) {
    bool cannot = false;
    for (const char *line = difference; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        cannot = cannot || (length > 0 && !can_branch(line));
        line += length + (line[length] == '\n');
    }
    if (!cannot) return EXIT_DONE;
    say_usage("run",
              "a branch can change gravity, materials, the surface of colliders, forces, and how "
              "much emitters make, not these:");
    print_changes(difference, false);
    fprintf(stderr, "start a new run with -o DIR instead\n");
    return EXIT_USAGE;
}

// compares the scene with the one in the directory
static int judge_scene(const Run *run) {
    ThawScene *before = store_words(run->directory);
    if (before == NULL) {
        say_warning("run", "'%s/scene.yaml' cannot be read: the scene was not compared",
                    run->directory);
        return EXIT_DONE;
    }
    char *difference = thaw_scene_difference(before, run->scene);
    thaw_scene_free(before);
    if (difference == NULL) return EXIT_DONE;
    int status = arguments_has(run->arguments, "branch") ? judge_branch(difference)
                                                         : refuse_changed(run, difference);
    if (status == EXIT_DONE && !run->quiet) {
        fprintf(stderr, "branching with the new values:\n");
        print_changes(difference, true);
    }
    free(difference);
    return status;
}

// ---------------------------------------------------------------- going on

// the world of the checkpoint; false when it cannot be used
static bool load_checkpoint(Run *run, uint64_t *hash) {
    char *path = path_join(run->directory, "checkpoint.h5");
    void *bytes = NULL;
    size_t size = 0;
    int frame = 0;
    bool ok = path != NULL && thaw_checkpoint_read(path, &frame, hash, &bytes, &size) == THAW_OK &&
              thaw_world_load(bytes, size, &run->host, &run->world) == THAW_OK;
    free(bytes);
    free(path);
    if (ok) run->frame = run->saved = frame;
    return ok;
}

static void start_again(Run *run, const char *why) {
    run->overwrite = true;
    run->frame = run->begin;
    if (!run->quiet)
        fprintf(stderr, "thaw run: %s in '%s': starting again from the beginning\n", why,
                run->directory);
}

static bool checkpoint_fits(const Run *run, const Found *found) {
    int frame = found->info.checkpoint_frame;
    return found->checkpoint && found->frames && frame >= run->first &&
           found->info.first_frame == run->first && found->info.last_frame >= frame;
}

static const char *name_gap(const Found *found) {
    if (!found->checkpoint) return "there are frames but no checkpoint";
    return found->info.checkpoint_frame < 0 ? "the checkpoint cannot be read"
                                            : "frames before the checkpoint are missing";
}

static int go_on(Run *run, const Found *found) {
    uint64_t hash = 0;
    if (!load_checkpoint(run, &hash)) {
        start_again(run, "the checkpoint cannot be read");
        return EXIT_DONE;
    }
    run->resumed = run->keep = true;
    ThawResult result = thaw_scene_adopt(run->scene, run->world);
    // also when an earlier branch was stopped before its first checkpoint
    if (result == THAW_OK && hash != run->scene_hash)
        result = thaw_scene_animate(run->scene, run->world, thaw_world_time(run->world));
    if (result != THAW_OK) return say_result("run", result);
    if (!run->quiet && !run->json) {
        printf("going on after frame %d", run->frame);
        if (found->info.last_frame > run->frame)
            printf(" (the last checkpoint; frames up to %d are made again)",
                   found->info.last_frame);
        printf("\n");
    }
    return EXIT_DONE;
}

// whether the run's last frame is there already, on disk and in the checkpoint
static bool nothing_left(const Run *run, const Found *found) {
    return checkpoint_fits(run, found) && found->info.checkpoint_frame >= run->last;
}

static int plan_resume(Run *run, const Found *found, bool *done) {
    if (!found->frames && !found->checkpoint) {
        if (!run->quiet)
            fprintf(stderr, "thaw run: nothing to resume in '%s': starting from the beginning\n",
                    run->directory);
        return EXIT_DONE;
    }
    int status = judge_scene(run);
    if (status != EXIT_DONE) return status;
    if (nothing_left(run, found)) {
        *done = true;
        if (!run->quiet && !run->json)
            printf("nothing left to do: '%s' holds frames %d to %d\n", run->directory,
                   found->info.first_frame, found->info.last_frame);
        return EXIT_DONE;
    }
    if (!checkpoint_fits(run, found)) {
        if (arguments_has(run->arguments, "branch"))
            return say_usage("run", "'%s' has no checkpoint to branch from", run->directory);
        start_again(run, name_gap(found));
        return EXIT_DONE;
    }
    return go_on(run, found);
}

int run_plan(Run *run, bool *done) {
    *done = false;
    count_frames(run);
    Found found;
    int status = look(run, &found);
    if (status != EXIT_DONE) return status;
    bool resume =
        arguments_has(run->arguments, "resume") || arguments_has(run->arguments, "branch");
    if (resume) return plan_resume(run, &found, done);
    return found.frames || found.checkpoint ? refuse_existing(run, &found) : EXIT_DONE;
}
