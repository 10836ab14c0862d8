// A cut through a distance field: what is solid and what is free in two colours, lines of equal distance, and
// the surface itself as the strongest line.
//
// Lines are found from the distances at the pixels and their differences, so that all are equally wide however
// the field is cut.
#include "base/memory.h"
#include "base/result.h"
#include "render/color.h"
#include "render/draw.h"
#include "render/ticks.h"

#include <stdio.h>
#include <string.h>

#define WIDEST 4.0 // of the picture's sides, one to the other

static const ThawInk paper = {1, 1, 1, 1}, ink = {0.16f, 0.20f, 0.25f, 1},
                     frame_ink = {0.55f, 0.60f, 0.65f, 1};

typedef struct Slice {
    const ThawField *field;
    const ThawSliceDef *def;
    ThawFieldReport report;
    ThawImage *image;
    int scale;         // of the letters
    int across, up;    // axes of the picture
    double low[2];     // m, of the lower left corner
    double pixel;      // m
    int left, top;     // of the map inside the axes, pixels
    int width, height; // of it
    float *distance;   // m, (width + 1) × (height + 1), from the lower left corner
    double band;       // m: farther away only the side is known
    double step;       // m between lines
    ThawColorMap map;
} Slice;

// ---------------------------------------------------------------- what is seen

static double part(ThawVec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// the box about the surface and its band, and a little air
static void choose_window(Slice *s) {
    const ThawFieldReport *r = &s->report;
    s->across = s->def->axis == 0 ? 1 : 0;
    s->up = s->def->axis == 2 ? 1 : 2;
    s->band = (r->band - 0.25) * r->cell;
    double size[2], most = 0;
    for (int k = 0; k < 2; k++) {
        int axis = k == 0 ? s->across : s->up;
        double air = 1.25 * r->band * r->cell;
        s->low[k] = part(r->lower, axis) - air;
        size[k] = part(r->upper, axis) + air - s->low[k];
        most = fmax(most, size[k]);
    }
    // a very long thing stays in sight
    for (int k = 0; k < 2; k++) {
        double least = most / WIDEST;
        if (size[k] >= least) continue;
        s->low[k] -= 0.5 * (least - size[k]);
        size[k] = least;
    }
    s->pixel = fmax(size[0] / (s->def->width), size[1] / (s->def->width));
    s->width = (int)ceil(size[0] / s->pixel);
    s->height = (int)ceil(size[1] / s->pixel);
}

// one line a cell, or fewer where they would run together
static void choose_step(Slice *s) {
    s->step = s->report.cell;
    while (s->step < 7 * s->scale * s->pixel) s->step *= 2;
}

static ThawResult sample(Slice *s) {
    size_t count = (size_t)(s->width + 1) * (size_t)(s->height + 1);
    s->distance = thaw_alloc(count * sizeof *s->distance);
    if (s->distance == NULL) return thaw_fail_memory(count * sizeof *s->distance);
    double sign = s->def->container ? -1 : 1;
    for (int y = 0; y <= s->height; y++) {
        for (int x = 0; x <= s->width; x++) {
            double p[3];
            p[s->def->axis] = s->def->value;
            p[s->across] = s->low[0] + s->pixel * x;
            p[s->up] = s->low[1] + s->pixel * y;
            double d = thaw_field_distance(s->field, (ThawVec3){p[0], p[1], p[2]});
            s->distance[(size_t)y * (size_t)(s->width + 1) + (size_t)x] = (float)(sign * d);
        }
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- the map

// A pixel of the map: its place, the distance there, and how that changes from pixel to pixel.
typedef struct Spot {
    double x, y, here, dx, dy, slope;
} Spot;

// how much of a pixel a line at `level` covers; d and slope in m and m a pixel
static float cover_line(double d, double slope, double level, double half) {
    double away = fabs(d - level) / fmax(slope, 1e-30);
    return thaw_clamp01((float)(half + 0.5 - away));
}

// Whether the surface itself passes here, and not a place where two distances meet near zero: the sign changes
// on the way along the slope.
static bool crosses(const Slice *s, const Spot *spot) {
    double turn = spot->here / spot->slope, x[2], y[2];
    for (int k = 0; k < 2; k++) {
        double step = -turn + (k == 0 ? -1.5 : 1.5);
        x[k] = fmin(fmax(spot->x + step * spot->dx / spot->slope, 0), s->width);
        y[k] = fmin(fmax(spot->y + step * spot->dy / spot->slope, 0), s->height);
    }
    size_t row = (size_t)(s->width + 1);
    float before = s->distance[(size_t)lrint(y[0]) * row + (size_t)lrint(x[0])];
    float after = s->distance[(size_t)lrint(y[1]) * row + (size_t)lrint(x[1])];
    return (before < 0) != (after < 0);
}

static ThawInk color_at(const Slice *s, double d) {
    // far away the two sides keep their colour; near by it pales towards the surface
    double t = fmin(fabs(d) / s->band, 1);
    double place = 0.5 - (d < 0 ? -1 : 1) * (0.08 + 0.34 * t);
    ThawFloat3 c = thaw_color_map_at(&s->map, (float)place);
    return (ThawInk){c.x, c.y, c.z, 1};
}

static Spot look_at(const Slice *s, int x, int y) {
    size_t row = (size_t)(s->width + 1), at = (size_t)y * row + (size_t)x;
    const float *d = s->distance;
    double here =
        0.25 * ((double)d[at] + (double)d[at + 1] + (double)d[at + row] + (double)d[at + row + 1]);
    double dx =
        0.5 * ((double)d[at + 1] - (double)d[at] + (double)d[at + row + 1] - (double)d[at + row]);
    double dy =
        0.5 * ((double)d[at + row] - (double)d[at] + (double)d[at + row + 1] - (double)d[at + 1]);
    double slope = fmax(sqrt(dx * dx + dy * dy), 0.02 * s->pixel);
    return (Spot){x + 0.5, y + 0.5, here, dx, dy, slope};
}

static void paint_pixel(const Slice *s, int x, int y) {
    Spot spot = look_at(s, x, y);
    double here = spot.here, slope = spot.slope;
    int px = s->left + x, py = s->top + s->height - 1 - y;
    static const ThawInk line = {0.12f, 0.15f, 0.2f, 0.55f}, surface = {0.05f, 0.06f, 0.09f, 1};
    thaw_draw_pixel(s->image, px, py, color_at(s, here), 1.0f);
    if (fabs(here) < s->band) {
        double level = s->step * round(here / s->step);
        if (level != 0)
            thaw_draw_pixel(s->image, px, py, line, cover_line(here, slope, level, 0.1));
        float cover = cover_line(here, slope, 0, 0.55 * s->scale + 0.3);
        if (cover > 0 && crosses(s, &spot)) thaw_draw_pixel(s->image, px, py, surface, cover);
    }
}

static void paint_map(const Slice *s) {
    for (int y = 0; y < s->height; y++) {
        for (int x = 0; x < s->width; x++) paint_pixel(s, x, y);
    }
}

// ---------------------------------------------------------------- axes and key

static const char *const axis_names[3] = {"x", "y", "z"};

static void name_axis(const char *name, const ThawTicks *ticks, char *text, size_t size) {
    if (ticks->exponent == -3)
        snprintf(text, size, "%s, mm", name);
    else if (ticks->exponent == 3)
        snprintf(text, size, "%s, km", name);
    else if (ticks->exponent == 0)
        snprintf(text, size, "%s, m", name);
    else
        snprintf(text, size, "%s, 1e%d m", name, ticks->exponent);
}

static void draw_across(const Slice *s) {
    int z = s->scale, bottom = s->top + s->height;
    ThawTicks ticks =
        thaw_ticks_make(s->low[0], s->low[0] + s->pixel * s->width, s->width / (60 * z));
    char text[40];
    for (int k = 0; k < ticks.count; k++) {
        int x = s->left + (int)((ticks.value[k] - s->low[0]) / s->pixel);
        thaw_tick_label(&ticks, k, text, sizeof text);
        thaw_draw_box(s->image, x, bottom, 1, 3 * z, frame_ink);
        thaw_draw_text(s->image, x - thaw_text_width(z, text) / 2, bottom + 5 * z, z, ink, text);
    }
    name_axis(axis_names[s->across], &ticks, text, sizeof text);
    thaw_draw_text(s->image, s->left + (s->width - thaw_text_width(z, text)) / 2, bottom + 17 * z,
                   z, ink, text);
}

static void draw_up(const Slice *s) {
    int z = s->scale, bottom = s->top + s->height;
    ThawTicks ticks =
        thaw_ticks_make(s->low[1], s->low[1] + s->pixel * s->height, s->height / (40 * z));
    char text[40];
    for (int k = 0; k < ticks.count; k++) {
        int y = bottom - 1 - (int)((ticks.value[k] - s->low[1]) / s->pixel);
        thaw_tick_label(&ticks, k, text, sizeof text);
        thaw_draw_box(s->image, s->left - 3 * z, y, 3 * z, 1, frame_ink);
        thaw_draw_text(s->image, s->left - 5 * z - thaw_text_width(z, text), y - 7 * z / 2, z, ink,
                       text);
    }
    name_axis(axis_names[s->up], &ticks, text, sizeof text);
    int middle = s->top + (s->height + thaw_text_width(z, text)) / 2;
    thaw_draw_text_upwards(s->image, 3 * z, middle, z, ink, text);
}

// the colours from the deepest to the farthest distance known, and a line for the surface
static void draw_key(const Slice *s) {
    int z = s->scale, x = s->left + s->width + 10 * z, wide = 9 * z;
    int tall = s->height < 150 * z ? s->height : 150 * z, y = s->top;
    char text[80];
    for (int row = 0; row < tall; row++) {
        double d = s->band * (1 - 2 * (row + 0.5) / tall);
        thaw_draw_box(s->image, x, y + row, wide, 1, color_at(s, d));
    }
    thaw_draw_box(s->image, x, y + tall / 2 - z / 2, wide, z, ink);
    double cells = s->report.band;
    const char *names[3] = {"free", "surface", "solid"};
    for (int k = 0; k < 3; k++) {
        int at = y + k * (tall - 1) / 2 - (k == 0 ? 0 : k == 1 ? 4 * z : 7 * z);
        thaw_draw_text(s->image, x + wide + 4 * z, at, z, ink, names[k]);
        if (k == 1) continue;
        snprintf(text, sizeof text, "%c%g cells", k == 0 ? '+' : '-', cells);
        thaw_draw_text(s->image, x + wide + 4 * z, at + (k == 0 ? 11 : -11) * z, z, ink, text);
    }
    if (s->step > s->band) return; // too close for lines
    snprintf(text, sizeof text, "lines: %g cell%s", s->step / s->report.cell,
             s->step > 1.5 * s->report.cell ? "s" : "");
    thaw_draw_text(s->image, x, y + tall + 8 * z, z, ink, text);
}

static void draw_words(const Slice *s) {
    char text[200];
    const ThawFieldReport *r = &s->report;
    snprintf(text, sizeof text, "%s%scut at %s = %.4g m   cell %.4g m",
             s->def->title != NULL ? s->def->title : "", s->def->title != NULL ? "   " : "",
             axis_names[s->def->axis], s->def->value, r->cell);
    thaw_draw_text(s->image, s->left, 7 * s->scale, s->scale, ink, text);
}

// ---------------------------------------------------------------- all of it

static ThawResult check_def(const ThawSliceDef *def) {
    if (def->axis < 0 || def->axis > 2) {
        return thaw_fail(THAW_BAD_INPUT, "axis must be 0, 1 or 2, not %d", def->axis);
    }
    if (!isfinite(def->value)) return thaw_fail(THAW_BAD_INPUT, "value must be finite");
    if (def->width < 64 || def->width > 8192) {
        return thaw_fail(THAW_BAD_INPUT, "width must be 64 to 8192 pixels, not %d", def->width);
    }
    return THAW_OK;
}

ThawSliceDef thaw_slice_default(void) {
    return (ThawSliceDef){.axis = 1, .width = 900};
}

static void draw_all(const Slice *s) {
    thaw_draw_box(s->image, 0, 0, s->image->width, s->image->height, paper);
    paint_map(s);
    draw_across(s);
    draw_up(s);
    draw_key(s);
    draw_words(s);
}

ThawResult thaw_render_slice(const ThawField *field, const ThawSliceDef *def, ThawImage **image) {
    *image = NULL;
    ThawResult result = check_def(def);
    if (result != THAW_OK) return result;
    Slice s = {.field = field, .def = def, .report = thaw_field_report(field)};
    s.scale = def->width < 500 ? 1 : (def->width + 300) / 600;
    choose_window(&s);
    choose_step(&s);
    s.left = 46 * s.scale;
    s.top = 20 * s.scale;
    thaw_color_map_make("balance", &s.map);
    int wide = s.left + s.width + 100 * s.scale, least = 190 * s.scale;
    int tall = s.top + (s.height > least ? s.height : least) + 32 * s.scale;
    result = thaw_image_create(wide, tall, &s.image);
    if (result == THAW_OK) result = sample(&s);
    if (result == THAW_OK) draw_all(&s);
    thaw_free(s.distance);
    if (result == THAW_OK) {
        *image = s.image;
    } else {
        thaw_image_free(s.image);
    }
    return result;
}
