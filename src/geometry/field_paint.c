// Painted values: interpolated between points, or looked up in an image.
#include "geometry/field_bricks.h"

#include <math.h>

// position in an axis of `count` texels that repeats: the texel before, and how far towards the next
static uint32_t wrap(double at, uint32_t count, double *part) {
    double texel = (at - floor(at)) * count - 0.5;
    double whole = floor(texel);
    *part = texel - whole;
    // -1 is the last; rounding may give count itself
    return whole < 0 ? count - 1 : (uint32_t)whole % count;
}

static double look_up(const ThawPaint *paint, double u, double v) {
    double x, y;
    uint32_t left = wrap(u, paint->width, &x), top = wrap(1.0 - v, paint->height, &y);
    uint32_t right = (left + 1) % paint->width, below = (top + 1) % paint->height;
    const float *high = paint->image + (size_t)top * paint->width;
    const float *low = paint->image + (size_t)below * paint->width;
    double a = (double)high[left] + ((double)high[right] - (double)high[left]) * x;
    double b = (double)low[left] + ((double)low[right] - (double)low[left]) * x;
    return a + (b - a) * y;
}

float thaw_field_paint(const ThawField *field, ThawPaintKind kind, const ThawFieldSpot *spot,
                       float otherwise) {
    const ThawMesh *mesh = &field->mesh;
    const ThawPaint *paint = &mesh->paint[kind];
    double value = 0, u = 0, v = 0;
    if (paint->values != NULL) {
        for (int k = 0; k < 3; k++) {
            value += spot->weight[k] * (double)paint->values[mesh->triangles[spot->triangle][k]];
        }
        return (float)value;
    }
    if (paint->image == NULL || mesh->uv == NULL) return otherwise;
    for (int k = 0; k < 3; k++) {
        const float *corner = mesh->uv[3 * (size_t)spot->triangle + (size_t)k];
        u += spot->weight[k] * (double)corner[0];
        v += spot->weight[k] * (double)corner[1];
    }
    return (float)look_up(paint, u, v);
}
