// Pictures: particles as shaded spheres, ray-traced without a GPU or a display; and plots of statistics.
#ifndef THAW_RENDER_H
#define THAW_RENDER_H

#include "base.h"
#include "cache.h"
#include "mesh.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// 8-bit sRGB, rows from the top.
typedef struct ThawImage {
    int width, height;
    uint8_t *pixels; // 3 bytes each
} ThawImage;

THAW_API ThawResult thaw_image_create(int width, int height, ThawImage **image);
THAW_API void thaw_image_free(ThawImage *image); // NULL is fine
// PNG, written aside and renamed.
THAW_API ThawResult thaw_image_write(const ThawImage *image, const char *path);
// Text with the built-in letters (ASCII 32..126), top left at x, y; scale 1 is 7 pixels high.
THAW_API void thaw_image_text(ThawImage *image, int x, int y, int scale, const uint8_t color[3],
                              const char *text);
// Pictures of one size in a grid, each with its label, scaled to `cell_width` pixels.
THAW_API ThawResult thaw_image_sheet(const ThawImage *const *images, const char *const *labels,
                                     int count, int columns, int cell_width, ThawImage **sheet);

typedef struct ThawCamera {
    ThawVec3 eye, target, up; // m
    double fov;               // rad, of the picture's height
} ThawCamera;

// A solid to draw. A mesh is drawn as its triangles, both sides alike, smooth but for creases of more than 40°. A
// mesh that is a container is opened towards the eye: only its far side and its edges are drawn. Through
// a shell one sees, as through a veil, the matter that it holds: what has the shell behind and below it.
typedef struct ThawRenderSolid {
    ThawShape shape;
    bool container;       // drawn as edges, so that one sees in
    double color[3];      // sRGB 0..1
    const ThawMesh *mesh; // a mesh's form now, in its field's frame; NULL = the field's own
} ThawRenderSolid;

#define THAW_LEGEND_ROWS 12

// Kinds (of material, object, state) that occur, ascending: the lowest, as many as a legend shows.
typedef struct ThawColorKinds {
    int64_t kinds[THAW_LEGEND_ROWS];
    int count;
    bool more; // than fit
} ThawColorKinds;

typedef struct ThawRenderDef {
    int width, height; // pixels, 1..16384, default 1280 × 720
    ThawCamera camera;
    bool auto_camera; // default true: frame `lower`..`upper`
    // m: what to frame, and where the ground lies; lower = upper: the frame's own bounds, strays left
    // out, and the solids near it
    ThawVec3 lower, upper;
    const ThawRenderSolid *solids;
    int solid_count;
    // a column's name (a vector counts by its length), one component of a vector ("velocity.x",
    // "stress.0" .. "stress.15", or vx, vy, vz), "speed", "celsius" (of the column temperature),
    // "material", "object" or "none"; default "speed"
    const char *color;
    double low, high; // range of the colours; equal = from the data, "balance" about 0
    const char *map;  // colour map by name, default "ocean"; NULL = what suits the column
    const double (*material_colors)[3]; // sRGB 0..1, by material − 1 (may be NULL)
    int material_count;
    // what the legend calls material or object k: name k − 1 (NULL = their numbers)
    const char *const *category_names;
    int category_count;
    const ThawColorKinds *kinds; // that the legend tells besides the frame's own; NULL = none
    bool colorbar;               // default true
    bool ground;         // default true: a floor that takes shadows; in 2D paper behind everything
    const char *caption; // bottom left; NULL = none
    int samples;         // rays a pixel, 1..1024, default 4
    double radius;       // of the spheres in spacings, default 0.55
    int threads;         // default 0 = as many as the machine has cores; the picture is the same
} ThawRenderDef;

THAW_API ThawRenderDef thaw_render_default(void);
THAW_API ThawResult thaw_render_frame(const ThawFrame *frame, const ThawRenderDef *def,
                                      ThawImage **image);
// The colour bar or legend that the frame's picture would have, alone on a dark strip as wide as it
// needs and `height` pixels high, to stand beside several pictures. *image is NULL when colours tell
// nothing.
THAW_API ThawResult thaw_render_legend(const ThawFrame *frame, const ThawRenderDef *def, int height,
                                       ThawImage **image);
// The range of what `color` means in a frame, without the outermost 0.5 % at each end; low > high when
// it has no numbers (kinds, "none", no particles).
THAW_API ThawResult thaw_color_range(const ThawFrame *frame, const char *color, double *low,
                                     double *high);
// Adds the kinds that occur in a frame to those that are there already; none where `color` has numbers.
THAW_API ThawResult thaw_color_kinds(const ThawFrame *frame, const char *color,
                                     ThawColorKinds *kinds);
// The camera that auto_camera comes to.
THAW_API ThawCamera thaw_camera_framing(ThawVec3 lower, ThawVec3 upper, int up, int dimensions,
                                        double aspect);
// Names of the colour maps; NULL past the last.
THAW_API const char *thaw_color_map_name(int index);

// A cut through a distance field at one plane of an axis, in the mesh's frame.
typedef struct ThawSliceDef {
    int axis;          // 0, 1, 2: x, y, z; default 1
    double value;      // m along it, default 0
    bool container;    // solid is outside
    int width;         // pixels of the longer side of the map, 64..8192, default 900
    const char *title; // NULL = none
} ThawSliceDef;

THAW_API ThawSliceDef thaw_slice_default(void);
// Red is solid, blue free; lines of equal distance as far as the field knows them, the surface as the
// strongest.
THAW_API ThawResult thaw_render_slice(const ThawField *field, const ThawSliceDef *def,
                                      ThawImage **image);

typedef struct ThawPlotDef {
    int width, height;    // pixels, 0 = 960 × 540
    const char *x;        // column of the abscissa, default "time"
    const char *const *y; // columns to draw
    int y_count;          // 1..8
    bool log_y;
    const char *title;          // NULL = none
    const char *x_label;        // of the abscissa; NULL = the column's name
    const char *y_label;        // of the ordinate; NULL = the column's name when there is but one
    const char *const *y_names; // what the legend calls the lines; NULL = the columns' names
} ThawPlotDef;

THAW_API ThawResult thaw_plot_table(const ThawTable *table, const ThawPlotDef *def,
                                    ThawImage **image);

#ifdef __cplusplus
}
#endif

#endif
