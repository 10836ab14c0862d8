// Pictures in memory and as PNG files; sheets of many.
//
// A file is written aside, flushed to disk and renamed: what has its real name is whole.
#include "base/memory.h"
#include "base/result.h"
#include "render/color.h"
#include "render/draw.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SIDE 16384

// ---------------------------------------------------------------- memory

ThawResult thaw_image_create(int width, int height, ThawImage **image) {
    *image = NULL;
    if (width < 1 || width > MAX_SIDE) {
        return thaw_fail(THAW_BAD_INPUT, "width must be 1 to %d pixels, not %d", MAX_SIDE, width);
    }
    if (height < 1 || height > MAX_SIDE) {
        return thaw_fail(THAW_BAD_INPUT, "height must be 1 to %d pixels, not %d", MAX_SIDE, height);
    }
    size_t bytes = 3 * (size_t)width * (size_t)height;
    ThawImage *made = thaw_alloc(sizeof *made);
    if (made == NULL) return thaw_fail_memory(sizeof *made);
    made->pixels = thaw_alloc(bytes);
    if (made->pixels == NULL) {
        thaw_free(made);
        return thaw_fail_memory(bytes);
    }
    made->width = width;
    made->height = height;
    *image = made;
    return THAW_OK;
}

void thaw_image_free(ThawImage *image) {
    if (image == NULL) return;
    thaw_free(image->pixels);
    thaw_free(image);
}

// ---------------------------------------------------------------- files

// libpng's own handler prints; ours keeps the sentence
static void keep_png_error(png_structp png, png_const_charp text) {
    char *sentence = png_get_error_ptr(png);
    snprintf(sentence, 128, "%s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore_png_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

// everything between two setjmp points of libpng, so that no local changes across a jump
static bool encode_png(png_structp png, png_infop info, const ThawImage *image, FILE *file) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, file);
    png_set_compression_level(png, 5);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int row = 0; row < image->height; row++) {
        png_write_row(png, image->pixels + 3 * (size_t)row * (size_t)image->width);
    }
    png_write_end(png, info);
    return true;
}

static ThawResult write_png(const ThawImage *image, FILE *file, const char *path) {
    char sentence[128] = "";
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, sentence, keep_png_error,
                                              ignore_png_warning);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    bool good = info != NULL && encode_png(png, info, image, file);
    png_destroy_write_struct(&png, &info);
    if (good) return THAW_OK;
    if (sentence[0] == '\0') return thaw_fail(THAW_OUT_OF_MEMORY, "%s: no memory for PNG", path);
    return thaw_fail(THAW_TROUBLE, "%s: %s%s%s", path, sentence, errno != 0 ? ": " : "",
                     errno != 0 ? strerror(errno) : "");
}

static ThawResult write_aside(const ThawImage *image, const char *aside, const char *path) {
    FILE *file = fopen(aside, "wb");
    if (file == NULL) return thaw_fail(THAW_TROUBLE, "%s: %s", path, strerror(errno));
    errno = 0;
    ThawResult result = write_png(image, file, path);
    if (result == THAW_OK && (fflush(file) != 0 || fsync(fileno(file)) != 0)) {
        result = thaw_fail(THAW_TROUBLE, "%s: %s", path, strerror(errno));
    }
    if (fclose(file) != 0 && result == THAW_OK) {
        result = thaw_fail(THAW_TROUBLE, "%s: %s", path, strerror(errno));
    }
    return result;
}

ThawResult thaw_image_write(const ThawImage *image, const char *path) {
    size_t size = strlen(path) + 32;
    char *aside = malloc(size);
    if (aside == NULL) return thaw_fail_memory(size);
    snprintf(aside, size, "%s.%ld.tmp", path, (long)getpid());
    ThawResult result = write_aside(image, aside, path);
    if (result == THAW_OK && rename(aside, path) != 0) {
        result = thaw_fail(THAW_TROUBLE, "%s: %s", path, strerror(errno));
    }
    if (result != THAW_OK) remove(aside);
    free(aside);
    return result;
}

// ---------------------------------------------------------------- sheets

// linear light of every byte
typedef struct LightTable {
    float of[256];
} LightTable;

static LightTable make_light_table(void) {
    LightTable table;
    for (int k = 0; k < 256; k++) table.of[k] = thaw_srgb_to_linear((float)k / 255.0f);
    return table;
}

// mean light of the part of the picture under one target pixel: exact areas, so nothing shimmers
static void average_area(const ThawImage *image, const LightTable *light, const double box[4],
                         uint8_t pixel[3]) {
    double sum[3] = {0, 0, 0}, area = 0;
    int x1 = (int)ceil(box[2]), y1 = (int)ceil(box[3]);
    if (x1 > image->width) x1 = image->width;
    if (y1 > image->height) y1 = image->height;
    for (int y = (int)box[1]; y < y1; y++) {
        double high = fmin(y + 1, box[3]) - fmax(y, box[1]);
        for (int x = (int)box[0]; x < x1; x++) {
            double weight = high * (fmin(x + 1, box[2]) - fmax(x, box[0]));
            const uint8_t *from =
                image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
            for (int c = 0; c < 3; c++) sum[c] += weight * (double)light->of[from[c]];
            area += weight;
        }
    }
    for (int c = 0; c < 3; c++) {
        float value = area > 0 ? thaw_linear_to_srgb((float)(sum[c] / area)) : 0.0f;
        pixel[c] = (uint8_t)(255.0f * thaw_clamp01(value) + 0.5f);
    }
}

static void place_scaled(const ThawImage *image, const LightTable *light, ThawImage *sheet,
                         const int cell[4]) {
    double step_x = (double)image->width / cell[2], step_y = (double)image->height / cell[3];
    for (int y = 0; y < cell[3]; y++) {
        for (int x = 0; x < cell[2]; x++) {
            double box[4] = {x * step_x, y * step_y, (x + 1) * step_x, (y + 1) * step_y};
            size_t at = (size_t)(cell[1] + y) * (size_t)sheet->width + (size_t)(cell[0] + x);
            average_area(image, light, box, sheet->pixels + 3 * at);
        }
    }
}

static ThawResult check_sheet(const ThawImage *const *images, int count, int columns,
                              int cell_width) {
    if (count < 1) return thaw_fail(THAW_BAD_INPUT, "count must be above 0, not %d", count);
    if (columns < 1) return thaw_fail(THAW_BAD_INPUT, "columns must be above 0, not %d", columns);
    if (cell_width < 1 || cell_width > MAX_SIDE) {
        return thaw_fail(THAW_BAD_INPUT, "cell_width must be 1 to %d pixels, not %d", MAX_SIDE,
                         cell_width);
    }
    for (int k = 1; k < count; k++) {
        if (images[k]->width != images[0]->width || images[k]->height != images[0]->height) {
            return thaw_fail(THAW_BAD_INPUT,
                             "images of a sheet must have one size: number %d is %d x %d, "
                             "the first %d x %d",
                             k, images[k]->width, images[k]->height, images[0]->width,
                             images[0]->height);
        }
    }
    return THAW_OK;
}

// Cells of cell_width with a gap of 4 pixels around each; the label stands in its upper left corner.
ThawResult thaw_image_sheet(const ThawImage *const *images, const char *const *labels, int count,
                            int columns, int cell_width, ThawImage **sheet) {
    *sheet = NULL;
    ThawResult result = check_sheet(images, count, columns, cell_width);
    if (result != THAW_OK) return result;
    if (columns > count) columns = count;
    int rows = (count + columns - 1) / columns, gap = 4;
    int cell_height = (int)lrint((double)cell_width * images[0]->height / images[0]->width);
    if (cell_height < 1) cell_height = 1;
    int64_t width = gap + (int64_t)columns * (cell_width + gap);
    int64_t height = gap + (int64_t)rows * (cell_height + gap);
    if (width > MAX_SIDE || height > MAX_SIDE) {
        return thaw_fail(THAW_BAD_INPUT,
                         "a sheet of %d x %d pictures of cell_width %d is larger than %d pixels",
                         columns, rows, cell_width, MAX_SIDE);
    }
    result = thaw_image_create((int)width, (int)height, sheet);
    if (result != THAW_OK) return result;
    memset((*sheet)->pixels, THAW_SHEET_GRAY, 3 * (size_t)width * (size_t)height);
    LightTable light = make_light_table();
    int scale = cell_width >= 480 ? 2 : 1;
    for (int k = 0; k < count; k++) {
        int cell[4] = {gap + k % columns * (cell_width + gap),
                       gap + k / columns * (cell_height + gap), cell_width, cell_height};
        place_scaled(images[k], &light, *sheet, cell);
        if (labels == NULL || labels[k] == NULL || labels[k][0] == '\0') continue;
        int tall = THAW_LETTER_ROWS * scale, wide = thaw_text_width(scale, labels[k]);
        int x = cell[0] + 2 * scale, y = cell[1] + 2 * scale;
        ThawInk shade = {0.06f, 0.08f, 0.1f, 0.55f}, white = {1, 1, 1, 1};
        thaw_draw_box(*sheet, x, y, wide + 4 * scale, tall + scale, shade);
        thaw_draw_text(*sheet, x + 2 * scale, y + scale, scale, white, labels[k]);
    }
    return THAW_OK;
}
