// Colour bar, legend and caption: white letters on smoked glass, sized with the picture.
#include "render/overlay.h"

#include "render/draw.h"
#include "render/ticks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const ThawInk white = {1, 1, 1, 1}, glass = {0.07f, 0.10f, 0.13f, 0.50f};

// 1 for thumbnails, 2 for 720 rows, 3 for 1080
static int text_scale(const ThawImage *image) {
    int least = image->height < image->width ? image->height : image->width;
    int scale = (least + 180) / 400;
    return scale < 1 ? 1 : scale;
}

static ThawInk ink_of(ThawFloat3 srgb) {
    return (ThawInk){srgb.x, srgb.y, srgb.z, 1};
}

typedef struct Box {
    int x, y, width, height;
} Box;

static void draw_bar_colors(ThawImage *image, const ThawColorField *field, Box bar) {
    for (int row = 0; row < bar.height; row++) {
        float t = 1.0f - ((float)row + 0.5f) / (float)bar.height;
        ThawInk ink = ink_of(thaw_color_map_at(&field->map, t));
        thaw_draw_box(image, bar.x, bar.y + row, bar.width, 1, ink);
    }
}

static int tick_row(const ThawColorField *field, Box bar, double value) {
    double t = (value - field->low) / (field->high - field->low);
    return bar.y + (int)((1.0 - t) * (bar.height - 1) + 0.5);
}

static int widest_label(const ThawTicks *ticks, int scale) {
    int widest = 0;
    for (int k = 0; k < ticks->count; k++) {
        char text[40];
        thaw_tick_label(ticks, k, text, sizeof text);
        int width = thaw_text_width(scale, text);
        if (width > widest) widest = width;
    }
    return widest;
}

static void draw_ticks(ThawImage *image, const ThawColorField *field, const ThawTicks *ticks,
                       Box bar, int scale) {
    for (int k = 0; k < ticks->count; k++) {
        char text[40];
        thaw_tick_label(ticks, k, text, sizeof text);
        int row = tick_row(field, bar, ticks->value[k]), x = bar.x + bar.width;
        thaw_draw_box(image, x, row - scale / 2, 3 * scale, scale > 1 ? scale / 2 : 1, white);
        thaw_draw_text(image, x + 5 * scale, row - 7 * scale / 2, scale, white, text);
    }
}

// at the right edge; the title above it, with the power of ten of the labels
static void draw_colorbar(ThawImage *image, const ThawColorField *field) {
    int scale = text_scale(image), pad = 6 * scale;
    char title[120];
    Box bar = {0, 0, 8 * scale, (int)(0.42 * image->height)};
    ThawTicks ticks = thaw_ticks_make(field->low, field->high, bar.height / (26 * scale));
    snprintf(title, sizeof title, "%s", field->title);
    if (ticks.exponent != 0) {
        size_t used = strlen(title);
        snprintf(title + used, sizeof title - used, " x1e%d", ticks.exponent);
    }
    int inner = bar.width + 5 * scale + widest_label(&ticks, scale),
        named = thaw_text_width(scale, title);
    int width = (inner > named ? inner : named) + 2 * pad;
    int top = (THAW_LETTER_ROWS + 4) * scale + 2 * pad;
    Box panel = {image->width - width - 2 * pad, 0, width, bar.height + top + pad + 3 * scale};
    panel.y = 2 * pad;
    bar.x = panel.x + pad;
    bar.y = panel.y + top;
    if (bar.height < 4 * scale || panel.x < 0) return;
    thaw_draw_panel(image, panel.x, panel.y, panel.width, panel.height, glass);
    thaw_draw_text(image, panel.x + pad, panel.y + pad, scale, white, title);
    draw_bar_colors(image, field, bar);
    draw_ticks(image, field, &ticks, bar, scale);
}

static void draw_legend(ThawImage *image, const ThawColorField *field) {
    int scale = text_scale(image), pad = 6 * scale, line = 12 * scale;
    if (field->kind_count == 0) return;
    int width = 0;
    char text[120];
    for (int k = 0; k < field->kind_count; k++) {
        snprintf(text, sizeof text, "%s %" PRId64, field->title, field->kinds[k]);
        int wide = 12 * scale + thaw_text_width(scale, text);
        if (wide > width) width = wide;
    }
    width += 2 * pad;
    int x = image->width - width - 2 * pad, y = 2 * pad;
    if (x < 0) return;
    thaw_draw_panel(image, x, y, width, line * field->kind_count + 2 * pad - 3 * scale, glass);
    for (int k = 0; k < field->kind_count; k++) {
        ThawInk ink = ink_of(thaw_color_field_category(field, field->kinds[k]));
        int top = y + pad + k * line;
        thaw_draw_box(image, x + pad, top, 8 * scale, 7 * scale, ink);
        snprintf(text, sizeof text, "%s %" PRId64, field->title, field->kinds[k]);
        thaw_draw_text(image, x + pad + 12 * scale, top, scale, white, text);
    }
}

static void draw_caption(ThawImage *image, const char *caption) {
    int scale = text_scale(image), pad = 6 * scale;
    int width = thaw_text_width(scale, caption) + 2 * pad;
    int height = THAW_LETTER_ROWS * scale + 2 * pad - 2 * scale;
    int x = 2 * pad, y = image->height - height - 2 * pad;
    if (width > image->width - x) width = image->width - x;
    thaw_draw_panel(image, x, y, width, height, glass);
    thaw_draw_text(image, x + pad, y + pad, scale, white, caption);
}

void thaw_overlay_draw(ThawImage *image, const ThawRenderDef *def, const ThawColorField *field) {
    // without particles there is a range only where one was given
    bool ranged = field->column != NULL || def->low < def->high;
    if (def->colorbar && field->kind == THAW_FIELD_SCALAR && ranged) draw_colorbar(image, field);
    if (def->colorbar && field->kind == THAW_FIELD_CATEGORY) draw_legend(image, field);
    if (def->caption != NULL && def->caption[0] != '\0') draw_caption(image, def->caption);
}
