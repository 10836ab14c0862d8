// Line plots of a table's columns: round ticks, a light grid, smooth lines, a legend.
#include "base/memory.h"
#include "base/result.h"
#include "render/color.h"
#include "render/draw.h"
#include "render/ticks.h"

#include <stdio.h>
#include <string.h>

#define MAX_LINES 8

static const ThawInk paper = {1, 1, 1, 1}, grid = {0.89f, 0.91f, 0.93f, 1},
                     ink = {0.16f, 0.20f, 0.25f, 1}, frame_ink = {0.55f, 0.60f, 0.65f, 1};

// lines that stay apart on white
static const uint32_t line_colors[MAX_LINES] = {0x1f6fb4, 0xd9632b, 0x2f9e63, 0xb8325a,
                                                0x7a55b0, 0xa07a1c, 0x1999a8, 0x59636e};

typedef struct Axis {
    double low, high; // of the range; logarithms when log
    bool log;
    ThawTicks ticks;
} Axis;

typedef struct Plot {
    const ThawTable *table;
    const ThawPlotDef *def;
    ThawImage *image;
    int x_column, y_columns[MAX_LINES];
    int scale; // of the letters
    int left, top, right,
        bottom; // of the field inside the axes, pixels; right and bottom exclusive
    Axis x, y;
} Plot;

// ---------------------------------------------------------------- the columns

static ThawResult find_column(const ThawTable *table, const char *name, int *column) {
    for (int k = 0; k < table->columns; k++) {
        if (strncmp(table->names[k], name, sizeof table->names[k]) == 0) {
            *column = k;
            return THAW_OK;
        }
    }
    char list[600] = "";
    for (int k = 0; k < table->columns; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.31s", k > 0 ? ", " : "", table->names[k]);
    }
    return thaw_fail(THAW_NOT_FOUND, "the table has no column \"%.40s\"; it has %s", name, list);
}

static ThawResult find_columns(Plot *plot) {
    const ThawPlotDef *def = plot->def;
    if (def->y_count < 1 || def->y_count > MAX_LINES || def->y == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "y_count must be 1 to %d, not %d", MAX_LINES,
                         def->y_count);
    }
    const char *x = def->x != NULL ? def->x : "time";
    ThawResult result = find_column(plot->table, x, &plot->x_column);
    for (int k = 0; result == THAW_OK && k < def->y_count; k++) {
        result = find_column(plot->table, def->y[k], &plot->y_columns[k]);
    }
    return result;
}

static double value_at(const Plot *plot, int row, int column) {
    return plot->table->values[(size_t)row * (size_t)plot->table->columns + (size_t)column];
}

// ---------------------------------------------------------------- the axes

// a place on the axis; NaN for what it cannot show
static double place_on(const Axis *axis, double value) {
    if (!(fabs(value) < 1e300)) return NAN; // differences must stay finite
    if (!axis->log) return value;
    return value > 0 ? log10(value) : NAN;
}

static void measure(const Plot *plot, int column, Axis *axis) {
    for (int row = 0; row < plot->table->rows; row++) {
        double place = place_on(axis, value_at(plot, row, column));
        if (isnan(place)) continue;
        axis->low = fmin(axis->low, place);
        axis->high = fmax(axis->high, place);
    }
}

// a range that rises, with a little air
static void settle(Axis *axis, double air) {
    if (!(axis->low <= axis->high)) {
        axis->low = 0;
        axis->high = 1;
    }
    double size = axis->high - axis->low, least = 1e-9 * fmax(fabs(axis->low), fabs(axis->high));
    if (!(size > least)) size = axis->low != 0 && !axis->log ? fabs(axis->low) : 1.0;
    bool rests_on_zero = !axis->log && axis->low >= 0 && axis->low < 0.35 * axis->high && air > 0;
    double middle = 0.5 * (axis->low + axis->high), high = fmax(axis->high, middle + 0.5 * size);
    axis->low = rests_on_zero ? 0 : fmin(axis->low, middle - 0.5 * size) - air * size;
    axis->high = high + air * size;
}

static void make_axes(Plot *plot) {
    plot->x = (Axis){INFINITY, -INFINITY, false, {0}};
    plot->y = (Axis){INFINITY, -INFINITY, plot->def->log_y, {0}};
    measure(plot, plot->x_column, &plot->x);
    for (int k = 0; k < plot->def->y_count; k++) measure(plot, plot->y_columns[k], &plot->y);
    settle(&plot->x, 0);
    settle(&plot->y, 0.05);
    int wide = plot->image->width / (60 * plot->scale),
        tall = plot->image->height / (35 * plot->scale);
    plot->x.ticks = thaw_ticks_make(plot->x.low, plot->x.high, wide);
    if (plot->y.log && plot->y.high - plot->y.low >= 1.2) {
        double low = pow(10, plot->y.low), high = pow(10, plot->y.high);
        plot->y.ticks = thaw_ticks_decades(low, high, tall);
    } else if (plot->y.log) {
        // less than a decade or so: round numbers, placed by their logarithms
        plot->y.ticks = thaw_ticks_make(pow(10, plot->y.low), pow(10, plot->y.high), tall);
    } else {
        plot->y.ticks = thaw_ticks_make(plot->y.low, plot->y.high, tall);
    }
}

static void label_of(const Axis *axis, int k, char *text, size_t size) {
    bool decades = axis->log && axis->ticks.step >= 10 && axis->ticks.exponent == 0 &&
                   axis->high - axis->low >= 1.2;
    if (decades)
        snprintf(text, size, "1e%d", (int)lrint(log10(axis->ticks.value[k])));
    else
        thaw_tick_label(&axis->ticks, k, text, size);
}

static float x_of(const Plot *plot, double value) {
    double t = (place_on(&plot->x, value) - plot->x.low) / (plot->x.high - plot->x.low);
    return (float)(plot->left + 0.5 + t * (plot->right - plot->left - 1));
}

static float y_of(const Plot *plot, double value) {
    double t = (place_on(&plot->y, value) - plot->y.low) / (plot->y.high - plot->y.low);
    return (float)(plot->bottom - 0.5 - t * (plot->bottom - plot->top - 1));
}

// ---------------------------------------------------------------- the page

static int widest_label(const Axis *axis, int scale) {
    int widest = 0;
    for (int k = 0; k < axis->ticks.count; k++) {
        char text[40];
        label_of(axis, k, text, sizeof text);
        int width = thaw_text_width(scale, text);
        if (width > widest) widest = width;
    }
    return widest;
}

static void lay_out(Plot *plot) {
    int s = plot->scale, line = THAW_LETTER_ROWS * s;
    const char *title = plot->def->title;
    plot->left = 3 * line + widest_label(&plot->y, s);
    plot->right = plot->image->width - 2 * line;
    plot->top = title != NULL && title[0] != '\0' ? 3 * line : 3 * line / 2;
    plot->bottom = plot->image->height - 4 * line;
    // too small a picture for its letters still has a field
    if (plot->right < plot->left + 8) plot->left = 2, plot->right = plot->image->width - 2;
    if (plot->bottom < plot->top + 8) plot->top = 2, plot->bottom = plot->image->height - 2;
}

static void draw_grid(const Plot *plot) {
    int s = plot->scale, wide = plot->right - plot->left, tall = plot->bottom - plot->top;
    for (int k = 0; k < plot->x.ticks.count; k++) {
        char text[40];
        label_of(&plot->x, k, text, sizeof text);
        int x = (int)x_of(plot, plot->x.ticks.value[k]);
        thaw_draw_box(plot->image, x, plot->top, 1, tall, grid);
        int start = x - thaw_text_width(s, text) / 2;
        thaw_draw_text(plot->image, start, plot->bottom + 4 * s, s, ink, text);
    }
    for (int k = 0; k < plot->y.ticks.count; k++) {
        char text[40];
        label_of(&plot->y, k, text, sizeof text);
        int y = (int)y_of(plot, plot->y.ticks.value[k]);
        thaw_draw_box(plot->image, plot->left, y, wide, 1, grid);
        int start = plot->left - 4 * s - thaw_text_width(s, text);
        thaw_draw_text(plot->image, start, y - 7 * s / 2, s, ink, text);
    }
    thaw_draw_box(plot->image, plot->left, plot->top, 1, tall, frame_ink);
    thaw_draw_box(plot->image, plot->left, plot->bottom - 1, wide, 1, frame_ink);
}

static ThawInk line_ink(int k) {
    uint32_t rgb = line_colors[k];
    return (ThawInk){(float)(rgb >> 16) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                     (float)(rgb & 255) / 255.0f, 1};
}

// Joined pieces overlap at their ends, so coverage is gathered first and laid on once.
static void draw_line(const Plot *plot, int k, ThawImage *cover) {
    memset(cover->pixels, 0, 3 * (size_t)cover->width * (size_t)cover->height);
    ThawStroke stroke = {.ink = {1, 1, 1, 1}, .width = 1.1f * (float)plot->scale + 0.4f};
    memcpy(stroke.clip, (int[4]){plot->left, plot->top, plot->right, plot->bottom},
           sizeof stroke.clip);
    float before[2] = {NAN, NAN};
    for (int row = 0; row < plot->table->rows; row++) {
        float here[2] = {x_of(plot, value_at(plot, row, plot->x_column)),
                         y_of(plot, value_at(plot, row, plot->y_columns[k]))};
        bool good = !isnan(here[0]) && !isnan(here[1]);
        bool joined = good && !isnan(before[0]) && !isnan(before[1]);
        if (good) thaw_draw_segment(cover, joined ? before : here, here, &stroke);
        memcpy(before, here, sizeof before);
    }
    ThawInk color = line_ink(k);
    for (int y = plot->top; y < plot->bottom; y++) {
        for (int x = plot->left; x < plot->right; x++) {
            size_t at = 3 * ((size_t)y * (size_t)cover->width + (size_t)x);
            thaw_draw_pixel(plot->image, x, y, color, (float)cover->pixels[at] / 255.0f);
        }
    }
}

static ThawResult draw_lines(const Plot *plot) {
    ThawImage *cover;
    ThawResult result = thaw_image_create(plot->image->width, plot->image->height, &cover);
    if (result != THAW_OK) return result;
    for (int k = 0; k < plot->def->y_count; k++) draw_line(plot, k, cover);
    thaw_image_free(cover);
    return THAW_OK;
}

// the name with spaces for underscores
static void write_name(const char *name, char *text, size_t size) {
    snprintf(text, size, "%.60s", name);
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '_') *c = ' ';
    }
}

static const char *line_name(const Plot *plot, int k) {
    const char *const *names = plot->def->y_names;
    return names != NULL && names[k] != NULL ? names[k] : plot->def->y[k];
}

static void say_axis(const Axis *axis, const char *name, char *text, size_t size) {
    write_name(name, text, size);
    size_t used = strlen(text);
    if (axis->ticks.exponent != 0)
        snprintf(text + used, size - used, " (x 1e%d)", axis->ticks.exponent);
}

static void draw_words(const Plot *plot) {
    int s = plot->scale, line = THAW_LETTER_ROWS * s;
    char text[100];
    const ThawPlotDef *def = plot->def;
    const char *x = def->x != NULL ? def->x : "time";
    if (strcmp(x, "time") == 0) x = "time, s";
    say_axis(&plot->x, def->x_label != NULL ? def->x_label : x, text, sizeof text);
    int middle = (plot->left + plot->right) / 2;
    thaw_draw_text(plot->image, middle - thaw_text_width(s, text) / 2, plot->bottom + 2 * line, s,
                   ink, text);
    // several lines share the axis: the legend names them
    const char *y = def->y_label != NULL ? def->y_label : def->y_count == 1 ? def->y[0] : "";
    say_axis(&plot->y, y, text, sizeof text);
    int down = (plot->top + plot->bottom + thaw_text_width(s, text)) / 2;
    thaw_draw_text_upwards(plot->image, line / 2, down, s, ink, text);
    if (def->title != NULL) thaw_draw_text(plot->image, plot->left, line, s, ink, def->title);
}

static void draw_legend(const Plot *plot) {
    int s = plot->scale, line = 12 * s, wide = 0;
    if (plot->def->y_count < 2) return;
    for (int k = 0; k < plot->def->y_count; k++) {
        int width = thaw_text_width(s, line_name(plot, k));
        if (width > wide) wide = width;
    }
    int x = plot->right - wide - 28 * s, y = plot->top + 4 * s;
    ThawInk veil = {1, 1, 1, 0.85f};
    thaw_draw_box(plot->image, x, y, wide + 24 * s, plot->def->y_count * line + 4 * s, veil);
    for (int k = 0; k < plot->def->y_count; k++) {
        int top = y + 4 * s + k * line;
        thaw_draw_box(plot->image, x + 4 * s, top + 3 * s, 12 * s, s + 1, line_ink(k));
        char text[64];
        write_name(line_name(plot, k), text, sizeof text);
        thaw_draw_text(plot->image, x + 20 * s, top, s, ink, text);
    }
}

ThawResult thaw_plot_table(const ThawTable *table, const ThawPlotDef *def, ThawImage **image) {
    *image = NULL;
    Plot plot = {.table = table, .def = def};
    ThawResult result = find_columns(&plot);
    if (result != THAW_OK) return result;
    int width = def->width != 0 ? def->width : 960, height = def->height != 0 ? def->height : 540;
    result = thaw_image_create(width, height, &plot.image);
    if (result != THAW_OK) return result;
    int least = width < height ? width : height;
    plot.scale = least < 480 ? 1 : (least + 260) / 400;
    thaw_draw_box(plot.image, 0, 0, width, height, paper);
    make_axes(&plot);
    lay_out(&plot);
    draw_grid(&plot);
    result = draw_lines(&plot);
    if (result != THAW_OK) {
        thaw_image_free(plot.image);
        return result;
    }
    draw_words(&plot);
    draw_legend(&plot);
    *image = plot.image;
    return THAW_OK;
}
