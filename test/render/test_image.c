// Pictures in memory and on disk, letters, sheets.
#include "rig.h"

#include "render/draw.h"

#include <png.h>
#include <stdio.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/thaw_image_XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static ThawImage *make_noise(int width, int height) {
    ThawImage *image;
    assert_ok(thaw_image_create(width, height, &image));
    uint32_t x = 1;
    for (size_t k = 0; k < image_bytes(image); k++) {
        x = x * 1664525u + 1013904223u;
        image->pixels[k] = (uint8_t)(x >> 24);
    }
    return image;
}

static void sizes_out_of_range_are_refused(void **state) {
    (void)state;
    ThawImage *image;
    assert_refused(thaw_image_create(0, 10, &image), "width");
    assert_refused(thaw_image_create(-5, 10, &image), "width");
    assert_refused(thaw_image_create(16385, 10, &image), "width");
    assert_refused(thaw_image_create(10, 0, &image), "height");
    assert_refused(thaw_image_create(10, 16385, &image), "height");
    assert_null(image);
    thaw_image_free(NULL);
}

static void files_decode_to_the_same_pixels(void **state) {
    (void)state;
    const int sizes[][2] = {{1, 1}, {3, 2}, {641, 37}};
    for (int k = 0; k < 3; k++) {
        ThawImage *image = make_noise(sizes[k][0], sizes[k][1]);
        char path[128];
        snprintf(path, sizeof path, "%s/a.png", folder);
        assert_ok(thaw_image_write(image, path));
        png_image png = {.version = PNG_IMAGE_VERSION};
        assert_true(png_image_begin_read_from_file(&png, path));
        png.format = PNG_FORMAT_RGB;
        assert_int_equal(png.width, image->width);
        assert_int_equal(png.height, image->height);
        uint8_t *pixels = malloc(PNG_IMAGE_SIZE(png));
        assert_non_null(pixels);
        assert_true(png_image_finish_read(&png, NULL, pixels, 0, NULL));
        assert_memory_equal(pixels, image->pixels, image_bytes(image));
        free(pixels);
        thaw_image_free(image);
        // nothing is left aside: the folder can be removed after this
        assert_int_equal(remove(path), 0);
    }
}

static void a_path_that_cannot_be_written_is_named(void **state) {
    (void)state;
    ThawImage *image = make_noise(4, 4);
    char path[128];
    snprintf(path, sizeof path, "%s/none/a.png", folder);
    assert_result(thaw_image_write(image, path), THAW_TROUBLE, "none/a.png", "write", __FILE__,
                  __LINE__);
    thaw_image_free(image);
}

static int count_white(const ThawImage *image) {
    int count = 0;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) count += pixel_at(image, x, y)[0] > 128;
    }
    return count;
}

static void letters_are_drawn_where_asked(void **state) {
    (void)state;
    const uint8_t white[3] = {255, 255, 255};
    ThawImage *image;
    assert_ok(thaw_image_create(40, 30, &image));
    thaw_image_text(image, 10, 5, 1, white, "L");
    // the letter's own dots: an upright and a foot
    for (int y = 0; y < 7; y++) assert_int_equal(pixel_at(image, 10, 5 + y)[0], 255);
    for (int x = 0; x < 5; x++) assert_int_equal(pixel_at(image, 10 + x, 11)[1], 255);
    assert_int_equal(count_white(image), 11);
    thaw_image_free(image);
}

static void every_letter_differs_and_grows_with_the_scale(void **state) {
    (void)state;
    for (int a = 33; a <= 126; a++) {
        for (int b = 32; b < a; b++) {
            assert_memory_not_equal(thaw_letter_rows((char)a), thaw_letter_rows((char)b),
                                    THAW_LETTER_ROWS);
        }
    }
    const uint8_t white[3] = {255, 255, 255};
    for (int scale = 2; scale <= 5; scale++) {
        ThawImage *small, *large;
        const char *text = "Speed 0.5 m/s";
        assert_ok(thaw_image_create(100, 20, &small));
        assert_ok(thaw_image_create(100 * scale, 20 * scale, &large));
        thaw_image_text(small, 4, 4, 1, white, text);
        thaw_image_text(large, 4 * scale, 4 * scale, scale, white, text);
        double ratio = (double)count_white(large) / (count_white(small) * scale * scale);
        assert_true(ratio > 0.7 && ratio < 1.35);
        thaw_image_free(small);
        thaw_image_free(large);
    }
}

static void text_beyond_the_picture_is_cut(void **state) {
    (void)state;
    const uint8_t white[3] = {255, 255, 255};
    ThawImage *image;
    assert_ok(thaw_image_create(9, 9, &image));
    thaw_image_text(image, -20, -3, 2, white, "cut off on every side");
    thaw_image_text(image, 7, 7, 3, white, "\x01\x7f\xff~");
    thaw_image_text(image, 0, 0, -4, white, "");
    thaw_image_free(image);
}

static void sheets_hold_their_pictures_in_rows(void **state) {
    (void)state;
    ThawImage *images[5], *sheet;
    for (int k = 0; k < 5; k++) {
        assert_ok(thaw_image_create(64, 32, &images[k]));
        memset(images[k]->pixels, 40 * (k + 1), image_bytes(images[k]));
    }
    assert_ok(thaw_image_sheet((const ThawImage *const *)images, NULL, 5, 3, 16, &sheet));
    assert_int_equal(sheet->width, 4 + 3 * 20);
    assert_int_equal(sheet->height, 4 + 2 * 12);
    for (int k = 0; k < 5; k++) {
        int x = 4 + k % 3 * 20, y = 4 + k / 3 * 12;
        assert_int_equal(pixel_at(sheet, x, y)[0], 40 * (k + 1));
        assert_int_equal(pixel_at(sheet, x + 15, y + 7)[2], 40 * (k + 1));
        assert_int_not_equal(pixel_at(sheet, x + 16, y)[0], 40 * (k + 1));
    }
    thaw_image_free(sheet);
    images[4]->width = 32;
    assert_refused(thaw_image_sheet((const ThawImage *const *)images, NULL, 5, 3, 16, &sheet),
                   "number 4");
    assert_refused(thaw_image_sheet((const ThawImage *const *)images, NULL, 0, 3, 16, &sheet),
                   "count");
    assert_refused(thaw_image_sheet((const ThawImage *const *)images, NULL, 2, 0, 16, &sheet),
                   "columns");
    assert_refused(thaw_image_sheet((const ThawImage *const *)images, NULL, 2, 1, 0, &sheet),
                   "cell_width");
    assert_refused(thaw_image_sheet((const ThawImage *const *)images, NULL, 4, 4, 16384, &sheet),
                   "larger");
    for (int k = 0; k < 5; k++) thaw_image_free(images[k]);
}

static void scaling_down_keeps_the_mean_light(void **state) {
    (void)state;
    ThawImage *image, *sheet;
    assert_ok(thaw_image_create(60, 60, &image));
    // a fine chessboard: half the light, which is sRGB 188, not 128
    for (int y = 0; y < 60; y++) {
        for (int x = 0; x < 60; x++) {
            memset(image->pixels + 3 * (y * 60 + x), (x + y) % 2 ? 255 : 0, 3);
        }
    }
    const ThawImage *list[1] = {image};
    assert_ok(thaw_image_sheet(list, NULL, 1, 1, 20, &sheet));
    // exact areas: 3 × 3 squares hold 4 or 5 white ones
    for (int k = 0; k < 20; k++) {
        int value = pixel_at(sheet, 4 + k, 8)[1];
        assert_true(value >= 177 && value <= 197);
    }
    thaw_image_free(sheet);
    thaw_image_free(image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(files_decode_to_the_same_pixels),
        cmocka_unit_test(a_path_that_cannot_be_written_is_named),
        cmocka_unit_test(letters_are_drawn_where_asked),
        cmocka_unit_test(every_letter_differs_and_grows_with_the_scale),
        cmocka_unit_test(text_beyond_the_picture_is_cut),
        cmocka_unit_test(sheets_hold_their_pictures_in_rows),
        cmocka_unit_test(scaling_down_keeps_the_mean_light),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
