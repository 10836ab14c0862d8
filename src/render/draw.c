// Drawing on pictures. Coverage is worked out from distances, which gives smooth edges without
// oversampling; colours blend in sRGB, as every drawing program does for flat ink.
#include "render/draw.h"

static uint8_t blend(uint8_t under, float over, float alpha) {
    float value = (float)under + alpha * (255.0f * over - (float)under);
    return (uint8_t)(value + 0.5f);
}

void thaw_draw_pixel(ThawImage *image, int x, int y, ThawInk ink, float cover) {
    if (x < 0 || y < 0 || x >= image->width || y >= image->height) return;
    float alpha = thaw_clamp01(ink.alpha * cover);
    if (alpha <= 0.0f) return;
    uint8_t *pixel = image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    pixel[0] = blend(pixel[0], thaw_clamp01(ink.r), alpha);
    pixel[1] = blend(pixel[1], thaw_clamp01(ink.g), alpha);
    pixel[2] = blend(pixel[2], thaw_clamp01(ink.b), alpha);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

void thaw_draw_box(ThawImage *image, int x, int y, int width, int height, ThawInk ink) {
    int right = smaller(x + width, image->width), bottom = smaller(y + height, image->height);
    for (int row = larger(y, 0); row < bottom; row++) {
        for (int k = larger(x, 0); k < right; k++) thaw_draw_pixel(image, k, row, ink, 1.0f);
    }
}

void thaw_draw_panel(ThawImage *image, int x, int y, int width, int height, ThawInk ink) {
    float round = 0.012f * (float)image->height + 2.0f;
    float half_w = 0.5f * (float)width, half_h = 0.5f * (float)height;
    for (int row = y; row < y + height; row++) {
        for (int k = x; k < x + width; k++) {
            // distance to a box with rounded corners
            float u = fabsf((float)(k - x) + 0.5f - half_w) - half_w + round;
            float v = fabsf((float)(row - y) + 0.5f - half_h) - half_h + round;
            float out = sqrtf((u > 0 ? u * u : 0) + (v > 0 ? v * v : 0)) - round;
            thaw_draw_pixel(image, k, row, ink, thaw_clamp01(0.5f - out));
        }
    }
}

static float distance_to_segment(float px, float py, const float a[2], const float b[2]) {
    float dx = b[0] - a[0], dy = b[1] - a[1];
    float square = dx * dx + dy * dy;
    float t = square > 0 ? thaw_clamp01(((px - a[0]) * dx + (py - a[1]) * dy) / square) : 0.0f;
    float ex = px - a[0] - t * dx, ey = py - a[1] - t * dy;
    return sqrtf(ex * ex + ey * ey);
}

void thaw_draw_segment(ThawImage *image, const float from[2], const float to[2],
                       const ThawStroke *stroke) {
    float half = 0.5f * stroke->width, reach = half + 1.0f;
    int x0 = larger((int)floorf(fminf(from[0], to[0]) - reach), stroke->clip[0]);
    int x1 = smaller((int)ceilf(fmaxf(from[0], to[0]) + reach), stroke->clip[2]);
    int y0 = larger((int)floorf(fminf(from[1], to[1]) - reach), stroke->clip[1]);
    int y1 = smaller((int)ceilf(fmaxf(from[1], to[1]) + reach), stroke->clip[3]);
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            float d = distance_to_segment((float)x + 0.5f, (float)y + 0.5f, from, to);
            thaw_draw_pixel(image, x, y, stroke->ink, thaw_clamp01(half + 0.5f - d));
        }
    }
}
