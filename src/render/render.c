// Making a picture: colours, stage, rays, overlay.
#include "base/memory.h"
#include "base/result.h"
#include "parallel/parallel.h"
#include "render/overlay.h"
#include "render/shade.h"

#include <math.h>

#define MAX_SAMPLES 1024
#define STRIP 8                      // rows a task
#define MARGIN 4                     // pixels that smoothing reaches
#define FILM_BYTES ((size_t)1 << 27) // of film at a time

ThawRenderDef thaw_render_default(void) {
    return (ThawRenderDef){.width = 1280,
                           .height = 720,
                           .camera = {.up = {0, 0, 1}, .fov = 0.5},
                           .auto_camera = true,
                           .color = "speed",
                           .map = "ocean",
                           .colorbar = true,
                           .ground = true,
                           .samples = 4,
                           .radius = 0.55};
}

static ThawResult check_def(const ThawRenderDef *def) {
    if (def->samples < 1 || def->samples > MAX_SAMPLES) {
        return thaw_fail(THAW_BAD_INPUT, "samples must be 1 to %d, not %d", MAX_SAMPLES,
                         def->samples);
    }
    if (!(isfinite(def->radius) && def->radius > 0 && def->radius <= 100)) {
        return thaw_fail(THAW_BAD_INPUT, "radius must be above 0 and at most 100 spacings, not %g",
                         def->radius);
    }
    if (def->threads < 0 || def->threads > 256) {
        return thaw_fail(THAW_BAD_INPUT, "threads must be 0 to 256, not %d", def->threads);
    }
    return THAW_OK;
}

// A band of rows. Its film reaches MARGIN rows further on both sides, so that the ground's light can be
// smoothed across; those rows are traced twice, with the same result.
typedef struct Band {
    const ThawShot *shot;
    ThawImage *image;
    int begin, end;           // rows of the picture
    int film_begin, film_end; // rows of the film
    ThawGrain *film;
    float (*smooth)[2];        // the ground's light and samples, summed along rows
    float weights[MARGIN + 1]; // of the smoothing, by distance
} Band;

static void trace_strip(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Band *band = context;
    int first = band->film_begin + (int)chunk * STRIP, last = first + STRIP;
    if (last > band->film_end) last = band->film_end;
    for (int y = first; y < last; y += THAW_BLOCK_HEIGHT) {
        for (int x = 0; x < band->shot->width; x += THAW_BLOCK_WIDTH) {
            thaw_shot_block(band->shot, x, y, band->film_begin, band->film_end, band->film);
        }
    }
}

// The ground's light along a row: every sample counts, near ones more. What it sums up goes to the
// film's own place for it, so that the columns can be summed up next.
static void smooth_strip(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Band *band = context;
    int first = band->film_begin + (int)chunk * STRIP, last = first + STRIP,
        width = band->shot->width;
    if (last > band->film_end) last = band->film_end;
    for (int y = first; y < last; y++) {
        size_t start = (size_t)(y - band->film_begin) * (size_t)width;
        const ThawGrain *line = band->film + start;
        for (int x = 0; x < width; x++) {
            float light = 0, seen = 0;
            int from = x - MARGIN < 0 ? 0 : x - MARGIN;
            int to = x + MARGIN >= width ? width - 1 : x + MARGIN;
            for (int k = from; k <= to; k++) {
                float weight = band->weights[k < x ? x - k : k - x];
                light += weight * line[k].light;
                seen += weight * line[k].seen;
            }
            band->smooth[start + (size_t)x][0] = light;
            band->smooth[start + (size_t)x][1] = seen;
        }
    }
}

// the same along a column
static float smooth_light(const Band *band, int x, int y) {
    int from = y - MARGIN < band->film_begin ? band->film_begin : y - MARGIN;
    int to = y + MARGIN >= band->film_end ? band->film_end - 1 : y + MARGIN;
    float light = 0, seen = 0;
    for (int row = from; row <= to; row++) {
        float weight = band->weights[row < y ? y - row : row - y];
        size_t at = (size_t)(row - band->film_begin) * (size_t)band->shot->width + (size_t)x;
        light += weight * band->smooth[at][0];
        seen += weight * band->smooth[at][1];
    }
    return seen > 0 ? light / seen : 1.0f;
}

static void develop_strip(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Band *band = context;
    int first = band->begin + (int)chunk * STRIP, last = first + STRIP, width = band->shot->width;
    if (last > band->end) last = band->end;
    for (int y = first; y < last; y++) {
        const ThawGrain *line = band->film + (size_t)(y - band->film_begin) * (size_t)width;
        uint8_t *pixels = band->image->pixels + 3 * (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            float light = line[x].seen > 0 ? smooth_light(band, x, y) : 1.0f;
            thaw_shot_develop(band->shot, x, y, &line[x], light, pixels + 3 * x);
        }
    }
}

// a bell whose width falls with the noise
static void set_weights(Band *band) {
    double sigma = fmin(1.9, 1.9 * sqrt(4.0 / band->shot->samples));
    for (int k = 0; k <= MARGIN; k++) band->weights[k] = (float)exp(-0.5 * k * k / (sigma * sigma));
}

static void make_band(Band *band, ThawParallel *parallel, int begin, int rows) {
    int height = band->image->height;
    band->begin = begin;
    band->end = rows < height - begin ? begin + rows : height;
    band->film_begin = begin < MARGIN ? 0 : begin - MARGIN;
    band->film_end = band->end + MARGIN < height ? band->end + MARGIN : height;
    uint32_t film_rows = (uint32_t)(band->film_end - band->film_begin);
    thaw_parallel_run(parallel, trace_strip, band, thaw_chunk_count(film_rows, STRIP));
    thaw_parallel_run(parallel, smooth_strip, band, thaw_chunk_count(film_rows, STRIP));
    uint32_t kept = (uint32_t)(band->end - band->begin);
    thaw_parallel_run(parallel, develop_strip, band, thaw_chunk_count(kept, STRIP));
}

static ThawResult make_bands(const ThawShot *shot, ThawParallel *parallel, ThawImage *image) {
    Band band = {.shot = shot, .image = image};
    size_t row_bytes = (size_t)image->width * (sizeof *band.film + sizeof *band.smooth);
    int rows = (int)(FILM_BYTES / row_bytes);
    if (rows > image->height) rows = image->height;
    size_t grains = (size_t)(rows + 2 * MARGIN) * (size_t)image->width;
    band.film = thaw_alloc(grains * sizeof *band.film);
    band.smooth = thaw_alloc(grains * sizeof *band.smooth);
    ThawResult result = THAW_OK;
    if (band.film == NULL || band.smooth == NULL) result = thaw_fail_memory(FILM_BYTES);
    set_weights(&band);
    for (int begin = 0; result == THAW_OK && begin < image->height; begin += rows) {
        make_band(&band, parallel, begin, rows);
    }
    thaw_free(band.film);
    thaw_free(band.smooth);
    return result;
}

// the camera's place in the stage's frame
static ThawResult aim_lens(const ThawStage *stage, const ThawImage *image, ThawLens *lens) {
    double aspect = (double)image->width / image->height;
    ThawResult result = thaw_lens_make(&stage->camera, aspect, lens);
    lens->eye = thaw_stage_local(stage, lens->eye);
    return result;
}

static ThawResult trace(const ThawStage *stage, const ThawRenderDef *def, ThawImage *image) {
    ThawLens lens;
    ThawParallel *parallel;
    ThawResult result = aim_lens(stage, image, &lens);
    if (result != THAW_OK) return result;
    result = thaw_parallel_create(def->threads, NULL, &parallel);
    if (result != THAW_OK) return result;
    ThawShot shot;
    thaw_shot_make(stage, def, &lens, &shot);
    result = make_bands(&shot, parallel, image);
    thaw_parallel_destroy(parallel);
    return result;
}

static ThawResult draw_frame(const ThawFrame *frame, const ThawRenderDef *def,
                             ThawColorField *field, ThawImage *image) {
    ThawStage stage = {0};
    ThawResult result;
    if (!(result = thaw_color_field_make(frame, def, field)) &&
        !(result = thaw_stage_make(frame, def, field, &stage)) &&
        !(result = trace(&stage, def, image))) {
        thaw_overlay_draw(image, def, field);
    }
    thaw_stage_free(&stage);
    return result;
}

ThawResult thaw_render_frame(const ThawFrame *frame, const ThawRenderDef *def, ThawImage **image) {
    *image = NULL;
    ThawImage *made;
    ThawResult result;
    if ((result = check_def(def)) || (result = thaw_image_create(def->width, def->height, &made))) {
        return result;
    }
    ThawColorField *field = thaw_alloc(sizeof *field);
    result = field == NULL ? thaw_fail_memory(sizeof *field) : draw_frame(frame, def, field, made);
    thaw_free(field);
    if (result == THAW_OK)
        *image = made;
    else
        thaw_image_free(made);
    return result;
}

ThawResult thaw_render_legend(const ThawFrame *frame, const ThawRenderDef *def, int height,
                              ThawImage **image) {
    *image = NULL;
    ThawColorField *field = thaw_alloc(sizeof *field);
    if (field == NULL) return thaw_fail_memory(sizeof *field);
    ThawResult result = thaw_color_field_make(frame, def, field);
    if (result == THAW_OK) result = thaw_overlay_legend(def, field, height, image);
    thaw_free(field);
    return result;
}
