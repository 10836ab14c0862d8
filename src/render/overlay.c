// Colour bar, legend and caption: white letters on smoked glass, sized with the picture.
#include "render/overlay.h"

#include "render/draw.h"
#include "render/ticks.h"

#include <stdio.h>
#include <string.h>

// in pixels of scale 1
#define PAD 6
#define LINE 12
#define BAR_WIDTH 8
#define LABEL_GAP 7  // from the bar to the labels
#define NAME_MOST 24 // letters

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

// labels end at one column, so that a minus sign stands clear of its tick
static void draw_ticks(ThawImage *image, const ThawColorField *field, const ThawTicks *ticks,
                       Box bar, int scale) {
    int end = bar.x + bar.width + LABEL_GAP * scale + widest_label(ticks, scale);
    for (int k = 0; k < ticks->count; k++) {
        char text[40];
        thaw_tick_label(ticks, k, text, sizeof text);
        int row = tick_row(field, bar, ticks->value[k]), x = bar.x + bar.width;
        thaw_draw_box(image, x, row - scale / 2, 2 * scale, scale > 1 ? scale / 2 : 1, white);
        thaw_draw_text(image, end - thaw_text_width(scale, text), row - 7 * scale / 2, scale, white,
                       text);
    }
}

// A key to the colours, measured before it is drawn: the panel's inside is width × height pixels.
typedef struct Key {
    const ThawColorField *field;
    int scale, width, height;
    // a colour bar
    int bar_height;
    ThawTicks ticks;
    char title[120];
    // kinds
    int rows;
    bool more;
} Key;

static void name_row(const Key *key, int row, char *text, size_t size) {
    thaw_color_field_name(key->field, key->field->kinds.kinds[row], text, size);
    // long names would cover the picture
    if (strlen(text) > NAME_MOST) snprintf(text + NAME_MOST - 3, 4, "...");
}

// the title above the bar, with the power of ten of the labels
static bool measure_bar(Key *key, int height) {
    const ThawColorField *field = key->field;
    int scale = key->scale;
    key->bar_height = (int)(0.42 * height);
    key->ticks = thaw_ticks_make(field->low, field->high, key->bar_height / (26 * scale));
    snprintf(key->title, sizeof key->title, "%s", field->title);
    if (key->ticks.exponent != 0) {
        size_t used = strlen(key->title);
        snprintf(key->title + used, sizeof key->title - used, " x1e%d", key->ticks.exponent);
    }
    int inner = (BAR_WIDTH + LABEL_GAP) * scale + widest_label(&key->ticks, scale);
    int named = thaw_text_width(scale, key->title);
    key->width = inner > named ? inner : named;
    key->height = key->bar_height + (THAW_LETTER_ROWS + 13) * scale;
    return key->bar_height >= 4 * scale;
}

// as many kinds as the height holds; the last line says that there are more
static bool measure_kinds(Key *key, int height) {
    const ThawColorField *field = key->field;
    int scale = key->scale, fit = (height - 36 * scale) / (LINE * scale);
    key->rows = field->kinds.count;
    key->more = field->kinds.more;
    if (fit < key->rows + (key->more ? 1 : 0)) {
        key->more = true;
        key->rows = fit - 1;
    }
    if (key->rows < 1) return false;
    for (int row = 0; row < key->rows; row++) {
        char text[120];
        name_row(key, row, text, sizeof text);
        int wide = 12 * scale + thaw_text_width(scale, text);
        if (wide > key->width) key->width = wide;
    }
    key->height = LINE * scale * (key->rows + (key->more ? 1 : 0)) - 3 * scale;
    return true;
}

// false when there is nothing to tell, or no room for it
static bool measure_key(Key *key, const ThawRenderDef *def, int height) {
    // without particles there is a range only where one was given
    bool ranged = key->field->column != NULL || def->low < def->high;
    if (key->field->kind == THAW_FIELD_SCALAR) return ranged && measure_bar(key, height);
    return key->field->kind == THAW_FIELD_CATEGORY && measure_kinds(key, height);
}

static void draw_bar(ThawImage *image, const Key *key, int x, int y) {
    int scale = key->scale;
    Box bar = {x, y + (THAW_LETTER_ROWS + 10) * scale, BAR_WIDTH * scale, key->bar_height};
    thaw_draw_text(image, x, y, scale, white, key->title);
    draw_bar_colors(image, key->field, bar);
    draw_ticks(image, key->field, &key->ticks, bar, scale);
}

static void draw_kinds(ThawImage *image, const Key *key, int x, int y) {
    int scale = key->scale;
    for (int row = 0; row < key->rows; row++, y += LINE * scale) {
        char text[120];
        name_row(key, row, text, sizeof text);
        ThawInk ink = ink_of(thaw_color_field_category(key->field, key->field->kinds.kinds[row]));
        thaw_draw_box(image, x, y, 8 * scale, 7 * scale, ink);
        thaw_draw_text(image, x + 12 * scale, y, scale, white, text);
    }
    if (key->more) thaw_draw_text(image, x + 12 * scale, y, scale, white, "...");
}

// in the upper right corner
static void draw_key(ThawImage *image, const Key *key) {
    int pad = PAD * key->scale, width = key->width + 2 * pad;
    int x = image->width - width - 2 * pad, y = 2 * pad;
    if (x < 0) return;
    thaw_draw_panel(image, x, y, width, key->height + 2 * pad, glass);
    if (key->field->kind == THAW_FIELD_SCALAR)
        draw_bar(image, key, x + pad, y + pad);
    else
        draw_kinds(image, key, x + pad, y + pad);
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
    Key key = {.field = field, .scale = text_scale(image)};
    if (def->colorbar && measure_key(&key, def, image->height)) draw_key(image, &key);
    if (def->caption != NULL && def->caption[0] != '\0') draw_caption(image, def->caption);
}

ThawResult thaw_overlay_legend(const ThawRenderDef *def, const ThawColorField *field, int height,
                               ThawImage **image) {
    *image = NULL;
    Key key = {.field = field,
               .scale = height < 260    ? 1
                        : height < 1000 ? 2
                                        : (height + 200) / 400};
    if (!measure_key(&key, def, height)) return THAW_OK;
    ThawResult result = thaw_image_create(key.width + 6 * PAD * key.scale, height, image);
    if (result != THAW_OK) return result;
    memset((*image)->pixels, THAW_SHEET_GRAY, 3 * (size_t)(*image)->width * (size_t)height);
    draw_key(*image, &key);
    return THAW_OK;
}
