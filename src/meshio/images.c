// Painted images: PNG files as numbers. Values are taken as they are stored, without gamma: paint is data, not light.
#include "meshio/reader.h"

#include "base/memory.h"
#include "base/result.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIDE 16384

typedef struct Picture {
    png_structp png;
    png_infop info;
    char sentence[128]; // what libpng says
    const char *data;
    size_t size, at;
    unsigned char *rows; // 16 bits a channel, big endian
    unsigned char **row_pointers;
    uint32_t width, height;
    int channels;
} Picture;

// libpng's own handler prints; ours keeps the sentence
static void keep_error(png_structp png, png_const_charp text) {
    Picture *picture = png_get_error_ptr(png);
    snprintf(picture->sentence, sizeof picture->sentence, "%s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void take_bytes(png_structp png, png_bytep to, png_size_t size) {
    Picture *picture = png_get_io_ptr(png);
    if (picture->size - picture->at < size) png_error(png, "the file ends too early");
    memcpy(to, picture->data + picture->at, size);
    picture->at += size;
}

// ---------------------------------------------------------------- libpng

// up to the picture's size; no local lives across a jump
static bool read_header(Picture *picture) {
    png_structp png = picture->png;
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_read_fn(png, picture, take_bytes);
    png_set_user_limits(png, MOST_SIDE, MOST_SIDE);
    png_read_info(png, picture->info);
    png_set_expand_16(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, picture->info);
    picture->width = png_get_image_width(png, picture->info);
    picture->height = png_get_image_height(png, picture->info);
    picture->channels = png_get_channels(png, picture->info);
    return true;
}

static bool read_rows(Picture *picture) {
    if (setjmp(png_jmpbuf(picture->png))) return false;
    png_read_image(picture->png, picture->row_pointers);
    png_read_end(picture->png, NULL);
    return true;
}

static bool make_rows(Picture *picture) {
    size_t stride = 2 * (size_t)picture->channels * picture->width;
    picture->rows = thaw_alloc(stride * picture->height);
    picture->row_pointers = thaw_alloc(picture->height * sizeof *picture->row_pointers);
    if (picture->rows == NULL || picture->row_pointers == NULL) return false;
    for (uint32_t k = 0; k < picture->height; k++)
        picture->row_pointers[k] = picture->rows + stride * k;
    return true;
}

static ThawResult decode(Picture *picture, const char *path) {
    picture->png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, picture, keep_error, ignore_warning);
    if (picture->png != NULL) picture->info = png_create_info_struct(picture->png);
    bool good =
        picture->info != NULL && read_header(picture) && make_rows(picture) && read_rows(picture);
    png_destroy_read_struct(&picture->png, &picture->info, NULL);
    if (good) return THAW_OK;
    if (picture->sentence[0] == '\0')
        return thaw_fail(THAW_OUT_OF_MEMORY, "%.160s: no memory for the picture", path);
    return thaw_fail(THAW_BAD_INPUT, "%.160s: byte %zu: %s", path, picture->at, picture->sentence);
}

// ---------------------------------------------------------------- values

static float grey_of(const unsigned char *pixel, int channels) {
    // Rec. 709; grey colours are the same in all three
    static const double share[3] = {0.2126, 0.7152, 0.0722};
    double grey = 0.0;
    for (int k = 0; k < channels; k++) {
        double value = (double)(pixel[2 * k] << 8 | pixel[2 * k + 1]) / 65535.0;
        grey += channels == 1 ? value : share[k] * value;
    }
    return (float)grey;
}

static ThawResult keep_values(const Picture *picture, const float range[2], ThawMeshData *mesh,
                              ThawPaintKind paint) {
    size_t count = (size_t)picture->width * picture->height;
    float *pixels = thaw_alloc(count * sizeof *pixels);
    if (pixels == NULL) return thaw_fail_memory(count * sizeof *pixels);
    size_t step = 2 * (size_t)picture->channels;
    for (size_t k = 0; k < count; k++) {
        float grey = grey_of(picture->rows + step * k, picture->channels);
        pixels[k] = range[0] * (1.0f - grey) + range[1] * grey;
    }
    thaw_free(mesh->image[paint].pixels);
    mesh->image[paint].pixels = pixels;
    mesh->image[paint].width = picture->width;
    mesh->image[paint].height = picture->height;
    return THAW_OK;
}

ThawResult meshio_load_image(ThawMeshData *mesh, ThawPaintKind paint, const char *path,
                             const float range[2]) {
    char *data;
    size_t size;
    ThawResult result = meshio_load_file(path, &data, &size);
    if (result != THAW_OK) return result;
    Picture picture = {.data = data, .size = size};
    if (size < 8 || png_sig_cmp((png_const_bytep)data, 0, 8) != 0)
        result = thaw_fail(THAW_BAD_INPUT, "%.160s: is no PNG file", path);
    if (result == THAW_OK) result = decode(&picture, path);
    if (result == THAW_OK) result = keep_values(&picture, range, mesh, paint);
    thaw_free(picture.rows);
    thaw_free(picture.row_pointers);
    thaw_free(data);
    return result;
}
