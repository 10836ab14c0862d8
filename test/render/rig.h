// What the picture tests share: frames made by hand, and looking at pixels.
#ifndef TEST_RENDER_RIG_H
#define TEST_RENDER_RIG_H

#include "world/helpers.h"

#include <stdlib.h>
#include <thaw/render.h>

#define MAX_COLUMNS 6

// A frame whose columns are blocks of their own, so that a sanitizer sees a read past an end.
typedef struct Rig {
    ThawFrame frame;
    ThawColumn columns[MAX_COLUMNS];
} Rig;

static inline void *rig_column(Rig *rig, const char *name, ThawType type, uint32_t components,
                               size_t element) {
    ThawColumn *column = &rig->columns[rig->frame.column_count++];
    strncpy(column->name, name, sizeof column->name - 1);
    column->type = type;
    column->components = components;
    column->data = calloc(rig->frame.count + (rig->frame.count == 0), components * element);
    assert_non_null(column->data);
    return column->data;
}

static inline void rig_make(Rig *rig, uint32_t count, double spacing, int dimensions, int up) {
    memset(rig, 0, sizeof *rig);
    rig->frame.info.spacing = spacing;
    rig->frame.info.support = 2 * spacing;
    rig->frame.info.dimensions = dimensions;
    rig->frame.info.up = up;
    rig->frame.count = count;
    rig->frame.columns = rig->columns;
}

static inline void rig_free(Rig *rig) {
    for (int k = 0; k < rig->frame.column_count; k++) free(rig->columns[k].data);
}

// a small block of n³ particles with velocities that grow along x; its lower corner at `corner`
static inline void rig_block(Rig *rig, int n, double spacing, ThawVec3 corner) {
    rig_make(rig, (uint32_t)(n * n * n), spacing, 3, 2);
    double *position = rig_column(rig, "position", THAW_F64, 3, sizeof(double));
    float *velocity = rig_column(rig, "velocity", THAW_F32, 3, sizeof(float));
    for (int k = 0; k < n * n * n; k++) {
        position[3 * k] = corner.x + spacing * (k % n);
        position[3 * k + 1] = corner.y + spacing * (k / n % n);
        position[3 * k + 2] = corner.z + spacing * (k / n / n);
        velocity[3 * k] = (float)(k % n);
    }
}

static inline const uint8_t *pixel_at(const ThawImage *image, int x, int y) {
    return image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

static inline size_t image_bytes(const ThawImage *image) {
    return 3 * (size_t)image->width * (size_t)image->height;
}

static inline ThawRenderDef small_picture(void) {
    ThawRenderDef def = thaw_render_default();
    def.width = 160;
    def.height = 90;
    def.colorbar = false;
    def.threads = 1;
    return def;
}

#endif
