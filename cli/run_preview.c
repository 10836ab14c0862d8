// Preview: pictures while the simulation goes on.
//
// One thread of its own draws one frame at a time, from a copy. A frame that comes while it is busy
// is not waited for: it is noted, and drawn from disk when the simulation is over.
#include "run.h"

#include "picture.h"
#include "say.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { PREVIEW_WIDTH = 640 };

struct Preview {
    const Run *run;
    Look look;
    char *folder;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    ThawFrame *frame; // to be drawn next or now
    bool busy, quit, failed;
    int drawn;
    int *left; // frames that came too soon
    int left_count;
};

static void draw(Preview *preview, const ThawFrame *frame) {
    char path[4096];
    ThawImage *image = NULL;
    picture_path(preview->folder, frame->info.frame, path, sizeof path);
    ThawResult result = look_draw(&preview->look, frame, &image);
    if (result == THAW_OK) result = thaw_image_write(image, path);
    if (result != THAW_OK && !preview->failed)
        say_warning("run", "no preview of frame %d: %s", frame->info.frame, thaw_error_text());
    preview->failed = preview->failed || result != THAW_OK;
    preview->drawn += result == THAW_OK;
    thaw_image_free(image);
}

static void *work(void *context) {
    Preview *preview = context;
    pthread_mutex_lock(&preview->lock);
    for (;;) {
        while (preview->frame == NULL && !preview->quit)
            pthread_cond_wait(&preview->wake, &preview->lock);
        if (preview->frame == NULL) break;
        ThawFrame *frame = preview->frame;
        pthread_mutex_unlock(&preview->lock);
        draw(preview, frame);
        thaw_frame_free(frame);
        pthread_mutex_lock(&preview->lock);
        preview->frame = NULL;
        preview->busy = false;
    }
    pthread_mutex_unlock(&preview->lock);
    return NULL;
}

// colours from the scene alone: the speed of a fall through it
static void guess_range(Look *look) {
    const ThawRenderDef *def = &look->def;
    ThawVec3 g = look->scene->world.gravity;
    double drop = fabs(g.x) * (def->upper.x - def->lower.x) +
                  fabs(g.y) * (def->upper.y - def->lower.y) +
                  fabs(g.z) * (def->upper.z - def->lower.z);
    if (strcmp(def->color, "speed") != 0 || def->low != def->high || !(drop > 0)) return;
    look->def.low = 0;
    look->def.high = sqrt(2 * drop);
}

// small pictures keep pace
static void shrink(ThawRenderDef *def) {
    if (def->width <= PREVIEW_WIDTH) return;
    def->height = (int)((int64_t)def->height * PREVIEW_WIDTH / def->width);
    if (def->height < 16) def->height = 16;
    def->width = PREVIEW_WIDTH;
}

static bool start(Preview *preview) {
    const Run *run = preview->run;
    preview->folder = path_join(run->directory, "images");
    preview->left = calloc((size_t)(run->last - run->begin) + 2, sizeof *preview->left);
    if (preview->folder == NULL || preview->left == NULL) return false;
    if (look_create(NULL, run->scene, &preview->look) != EXIT_DONE) return false;
    look_at_bounds(run->preflight.lower, run->preflight.upper, &preview->look);
    guess_range(&preview->look);
    preview->look.def.threads = 1;
    shrink(&preview->look.def);
    look_settle(&preview->look);
    if (!path_make("run", preview->folder)) return false;
    keep_settings(preview->folder, preview->look.settings);
    // interruptions are the main thread's
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool ok = pthread_create(&preview->thread, NULL, work, preview) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

Preview *preview_create(const Run *run) {
    Preview *preview = calloc(1, sizeof *preview);
    if (preview == NULL) {
        say_failure("run", "out of memory");
        return NULL;
    }
    preview->run = run;
    pthread_mutex_init(&preview->lock, NULL);
    pthread_cond_init(&preview->wake, NULL);
    if (start(preview)) return preview;
    say_failure("run", "the preview could not be started");
    look_free(&preview->look);
    free(preview->folder);
    free(preview->left);
    free(preview);
    return NULL;
}

void preview_offer(Preview *preview, ThawWorld *world, const ThawFrameInfo *info) {
    pthread_mutex_lock(&preview->lock);
    bool busy = preview->busy;
    preview->busy = true;
    pthread_mutex_unlock(&preview->lock);
    ThawFrame *frame = NULL;
    const ThawSceneOutput *output = &preview->run->scene->output;
    uint32_t colliders = (uint32_t)preview->run->scene->collider_count;
    bool taken = !busy && thaw_frame_take(world, info, (const char *const *)output->channels,
                                          output->channel_count, &frame) == THAW_OK;
    if (taken && thaw_frame_take_colliders(frame, world, colliders) != THAW_OK) {
        thaw_frame_free(frame);
        frame = NULL;
    }
    if (frame == NULL) {
        preview->left[preview->left_count++] = info->frame;
        if (busy) return;
    }
    pthread_mutex_lock(&preview->lock);
    preview->frame = frame;
    preview->busy = frame != NULL;
    pthread_cond_signal(&preview->wake);
    pthread_mutex_unlock(&preview->lock);
}

static void draw_left(Preview *preview) {
    Store store = {.directory = preview->run->directory};
    preview->look.def.threads = 0;
    for (int k = 0; k < preview->left_count && !preview->failed; k++) {
        ThawFrame *frame = NULL;
        if (store_read(&store, preview->left[k], &frame) == THAW_OK) draw(preview, frame);
        thaw_frame_free(frame);
    }
}

int preview_close(Preview *preview, bool leave) {
    pthread_mutex_lock(&preview->lock);
    preview->quit = true;
    pthread_cond_signal(&preview->wake);
    pthread_mutex_unlock(&preview->lock);
    pthread_join(preview->thread, NULL);
    if (!leave && preview->left_count > 0) {
        if (!preview->run->quiet && !preview->run->json) {
            printf("drawing the %d frames that came too fast\n", preview->left_count);
            fflush(stdout);
        }
        draw_left(preview);
    }
    int drawn = preview->drawn;
    look_free(&preview->look);
    pthread_mutex_destroy(&preview->lock);
    pthread_cond_destroy(&preview->wake);
    free(preview->folder);
    free(preview->left);
    free(preview);
    return drawn;
}
