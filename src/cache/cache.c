// A cache directory being written: frames, rows, series and checkpoints go through one writing thread.
#include "cache/checkpoint.h"
#include "cache/directory.h"
#include "cache/files.h"
#include "cache/frame.h"
#include "cache/header.h"
#include "cache/stats.h"
#include "cache/writer.h"
#include "cache/xdmf.h"

#include "base/result.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/snapshot.h>

#define SERIES_SHARE 32 // the series on disk may lag behind by this part of its frames

struct ThawCache {
    char *directory;
    char *checkpoint_path;
    char *series_path;
    uint64_t scene_hash;
    int compression;
    int next_frame; // the number that the next frame must have
    int lock;
    ThawWriter *writer;
    // the writing thread's own
    ThawStatsFile stats;
    ThawSeries series;
    _Atomic size_t frame_bytes;
};

// ---------------------------------------------------------------- the writing thread

static ThawResult update_series(ThawCache *cache, bool now) {
    int lag = cache->series.frames - cache->series.written;
    if (lag == 0 || (!now && lag <= cache->series.frames / SERIES_SHARE)) return THAW_OK;
    return thaw_series_write(&cache->series, cache->series_path);
}

// first the frame, then its row, then the series: each names only what is there
static ThawResult write_frame(ThawCache *cache, const ThawJob *job) {
    char path[4096];
    size_t bytes;
    ThawResult result = thaw_cache_frame_path(cache->directory, job->number, path, sizeof path);
    if (result == THAW_OK) {
        result = thaw_frame_write_sized(job->frame, cache->compression, path, &bytes);
    }
    if (result != THAW_OK) return result;
    atomic_store(&cache->frame_bytes, bytes);
    result = thaw_stats_append(&cache->stats, &job->stats);
    if (result == THAW_OK) result = thaw_series_add(&cache->series, job->frame);
    return result == THAW_OK ? update_series(cache, false) : result;
}

static ThawResult run_job(void *context, const ThawJob *job) {
    ThawCache *cache = context;
    if (job->frame != NULL) return write_frame(cache, job);
    ThawResult result = update_series(cache, true);
    if (result != THAW_OK) return result;
    return thaw_checkpoint_write(cache->checkpoint_path, job->number, cache->scene_hash, job->bytes,
                                 job->size);
}

// ---------------------------------------------------------------- create

static ThawResult check_def(const ThawCacheDef *def) {
    if (def->directory[0] == '\0') return thaw_fail(THAW_BAD_INPUT, "the directory has no name");
    if (strlen(def->directory) > 4000) {
        return thaw_fail(THAW_BAD_INPUT, "the directory's name is too long");
    }
    if (def->first_frame < 0 || def->first_frame > THAW_FRAME_LAST) {
        return thaw_fail(THAW_BAD_INPUT, "the first frame must be 0 to %d, not %d", THAW_FRAME_LAST,
                         def->first_frame);
    }
    if (def->compression < 0 || def->compression > 9) {
        return thaw_fail(THAW_BAD_INPUT, "compression must be 0 to 9, not %d", def->compression);
    }
    if (!isfinite(def->fps) || def->fps <= 0) {
        return thaw_fail(THAW_BAD_INPUT, "fps must be above 0, not %g", def->fps);
    }
    return THAW_OK;
}

static ThawCache *make_cache(const ThawCacheDef *def) {
    ThawCache *cache = calloc(1, sizeof *cache);
    if (cache == NULL) return NULL;
    cache->lock = -1;
    cache->stats.descriptor = -1;
    cache->scene_hash = def->scene_hash;
    cache->compression = def->compression;
    cache->next_frame = def->first_frame;
    if (def->resume && def->resume_frame >= def->first_frame) {
        cache->next_frame = def->resume_frame + 1;
    }
    cache->directory = strdup(def->directory);
    cache->checkpoint_path = thaw_path_join(def->directory, "checkpoint.h5");
    cache->series_path = thaw_path_join(def->directory, "frames.xdmf");
    return cache;
}

static void free_cache(ThawCache *cache) {
    thaw_stats_close(&cache->stats);
    thaw_series_free(&cache->series);
    thaw_directory_unlock(cache->lock);
    free(cache->directory);
    free(cache->checkpoint_path);
    free(cache->series_path);
    free(cache);
}

static ThawResult write_scene(const ThawCacheDef *def) {
    if (def->scene_text == NULL) return THAW_OK;
    char *path = thaw_path_join(def->directory, "scene.yaml");
    if (path == NULL) return thaw_fail_memory(strlen(def->directory));
    ThawResult result = thaw_file_write(path, def->scene_text, def->scene_size);
    free(path);
    return result;
}

// the series of the frames that stay
static ThawResult list_kept(ThawCache *cache, const ThawFrameList *kept) {
    char path[4096];
    ThawResult result = thaw_series_begin(&cache->series, "frames/");
    for (int k = 0; k < kept->count && result == THAW_OK; k++) {
        ThawFrame *frame = NULL;
        result = thaw_cache_frame_path(cache->directory, kept->numbers[k], path, sizeof path);
        if (result == THAW_OK) result = thaw_frame_peek(path, &frame);
        if (result == THAW_OK) result = thaw_series_add(&cache->series, frame);
        thaw_frame_free(frame);
    }
    return result;
}

static ThawResult open_directory(ThawCache *cache, const ThawCacheDef *def) {
    ThawResult result = thaw_directory_make(def->directory);
    if (result == THAW_OK) result = thaw_directory_lock(def->directory, &cache->lock);
    if (result != THAW_OK) return result;
    ThawFrameList kept;
    result = thaw_directory_prepare(def, &kept);
    if (result != THAW_OK) return result;
    result = write_scene(def);
    if (result == THAW_OK) {
        bool fresh = !def->resume || def->resume_frame < def->first_frame;
        result = thaw_stats_open(def->directory, fresh ? -1 : def->resume_frame, &cache->stats);
    }
    if (result == THAW_OK) result = list_kept(cache, &kept);
    if (result == THAW_OK) result = thaw_series_write(&cache->series, cache->series_path);
    free(kept.numbers);
    return result;
}

ThawResult thaw_cache_create(const ThawCacheDef *def, ThawCache **cache) {
    assert(def != NULL && def->directory != NULL && cache != NULL);
    *cache = NULL;
    ThawResult result = check_def(def);
    if (result != THAW_OK) return result;
    ThawCache *made = make_cache(def);
    if (made == NULL) return thaw_fail_memory(sizeof *made);
    if (made->directory == NULL || made->checkpoint_path == NULL || made->series_path == NULL) {
        result = thaw_fail_memory(strlen(def->directory));
    }
    if (result == THAW_OK) result = open_directory(made, def);
    if (result == THAW_OK) result = thaw_writer_start(run_job, made, &made->writer);
    if (result == THAW_OK) {
        *cache = made;
    } else {
        free_cache(made);
    }
    return result;
}

// ---------------------------------------------------------------- use

ThawResult thaw_cache_put(ThawCache *cache, ThawFrame *frame, const ThawStats *stats) {
    assert(cache != NULL && frame != NULL && stats != NULL);
    if (frame->info.frame != cache->next_frame || stats->frame != cache->next_frame) {
        ThawResult result =
            thaw_fail(THAW_BAD_INPUT, "the next frame is %d, not %d with statistics of %d",
                      cache->next_frame, frame->info.frame, stats->frame);
        thaw_frame_free(frame);
        return result;
    }
    ThawJob job = {.number = frame->info.frame, .frame = frame, .stats = *stats};
    ThawResult result = thaw_writer_put(cache->writer, job);
    if (result == THAW_OK) cache->next_frame++;
    return result;
}

ThawResult thaw_cache_checkpoint(ThawCache *cache, int frame, void *bytes, size_t size) {
    assert(cache != NULL && bytes != NULL);
    if (frame != cache->next_frame - 1) {
        thaw_snapshot_free(bytes);
        return thaw_fail(THAW_BAD_INPUT, "a checkpoint now is one of frame %d, not %d",
                         cache->next_frame - 1, frame);
    }
    return thaw_writer_put(cache->writer, (ThawJob){.number = frame, .bytes = bytes, .size = size});
}

ThawResult thaw_cache_flush(ThawCache *cache) {
    assert(cache != NULL);
    return thaw_writer_flush(cache->writer);
}

void thaw_cache_costs(ThawCache *cache, double *frame_bytes, double *seconds) {
    assert(cache != NULL);
    if (frame_bytes != NULL) *frame_bytes = (double)atomic_load(&cache->frame_bytes);
    if (seconds != NULL) *seconds = thaw_writer_waited(cache->writer);
}

ThawResult thaw_cache_close(ThawCache *cache) {
    if (cache == NULL) return THAW_OK;
    ThawResult result = thaw_writer_stop(cache->writer);
    if (result == THAW_OK) result = update_series(cache, true);
    free_cache(cache);
    return result;
}
