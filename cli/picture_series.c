// A series of pictures on disk, and which of them are still good.
#include "picture.h"

#include "say.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void picture_path(const char *folder, int frame, char *path, size_t size) {
    snprintf(path, size, "%s/frame_%06d.png", folder, frame);
}

// ---------------------------------------------------------------- settings

// Pictures of one folder may have been drawn in different ways: settings.txt says how all of them
// were, or that they are mixed. `known` is false when it is not there.
static bool same_settings(const DrawJob *job, bool *known) {
    char *path = path_join(job->folder, "settings.txt"), text[sizeof job->look->settings] = "";
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    *known = file != NULL;
    if (file != NULL) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    free(path);
    return strcmp(text, job->look->settings) == 0;
}

void keep_settings(const char *folder, const char *settings) {
    char *path = path_join(folder, "settings.txt");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fputs(settings, file);
        fclose(file);
    }
    free(path);
}

// makes the folder ready; returns whether pictures that are there can be kept
static bool begin_series(const DrawJob *job) {
    const ThawCacheInfo *info = &job->store->info;
    const FrameList *frames = &job->frames;
    bool known;
    if (same_settings(job, &known)) return job->missing;
    // what will be drawn anew goes first, so that a drawing that was stopped can go on
    char path[4096];
    for (int k = 0; k < frames->count; k++) {
        picture_path(job->folder, frames->numbers[k], path, sizeof path);
        remove(path);
    }
    bool all = frames->count == info->last_frame - info->first_frame + 1;
    keep_settings(job->folder, all || !known ? job->look->settings : "mixed\n");
    return false;
}

// whether a picture is there and no older than its frame
static bool is_current(const DrawJob *job, int frame) {
    char picture[4096], data[4096];
    struct stat drawn, made;
    picture_path(job->folder, frame, picture, sizeof picture);
    if (thaw_cache_frame_path(job->store->directory, frame, data, sizeof data) != THAW_OK)
        return false;
    return stat(picture, &drawn) == 0 && stat(data, &made) == 0 &&
           (drawn.st_mtim.tv_sec > made.st_mtim.tv_sec ||
            (drawn.st_mtim.tv_sec == made.st_mtim.tv_sec &&
             drawn.st_mtim.tv_nsec >= made.st_mtim.tv_nsec));
}

// ---------------------------------------------------------------- drawing

static int draw_one(const char *command, const DrawJob *job, int number) {
    char path[4096];
    ThawFrame *frame = NULL;
    ThawImage *image = NULL;
    picture_path(job->folder, number, path, sizeof path);
    ThawResult result = store_read(job->store, number, &frame);
    if (result == THAW_OK) result = look_draw(job->look, frame, &image);
    // bad flags show when the first picture is drawn
    int status = result == THAW_OK ? EXIT_DONE : say_result(command, result);
    if (status == EXIT_DONE && thaw_image_write(image, path) != THAW_OK)
        status = say_failure(command, "%s", thaw_error_text());
    thaw_frame_free(frame);
    thaw_image_free(image);
    return status;
}

static void tell(const DrawJob *job, int at, int drawn, double began) {
    if (job->quiet || isatty(STDOUT_FILENO) != 1) return;
    double each = (say_clock() - began) / drawn;
    Text speed, left;
    printf("\rpicture %d/%d  %s left  %s each\033[K", at + 1, job->frames.count,
           text_duration(&left, each * (job->frames.count - 1 - at)), text_duration(&speed, each));
    fflush(stdout);
}

int draw_frames(const char *command, const DrawJob *job, int *drawn) {
    *drawn = 0;
    if (!path_make(command, job->folder)) return EXIT_FAILED;
    bool reuse = begin_series(job);
    double began = say_clock();
    int status = EXIT_DONE;
    for (int k = 0; k < job->frames.count && status == EXIT_DONE; k++) {
        if (reuse && is_current(job, job->frames.numbers[k])) continue;
        status = draw_one(command, job, job->frames.numbers[k]);
        if (status == EXIT_DONE) tell(job, k, ++*drawn, began);
    }
    if (*drawn > 0 && !job->quiet && isatty(STDOUT_FILENO) == 1) printf("\n");
    return status;
}
