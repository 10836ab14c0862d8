// A mesh while it grows: what readers and makers fill, and what ThawMeshData is.
#ifndef THAW_MESHIO_DATA_H
#define THAW_MESHIO_DATA_H

#include <thaw/mesh_file.h>

struct ThawMeshData {
    double (*points)[3];
    uint32_t (*triangles)[3];
    float (*uv)[2]; // one a corner; corners without are (0, 0); NULL = no corner has any
    uint32_t point_count, triangle_count;
    size_t point_room, triangle_room, uv_room; // in points, triangles, corners
    float *values[THAW_PAINTS];                // one a point, or NULL
    struct {
        float *pixels; // or NULL
        uint32_t width, height;
    } image[THAW_PAINTS];
};

// A mesh of nothing; NULL when there is no memory.
ThawMeshData *meshio_create(void);
// Room for so many in all. A hint: adding makes room by itself.
ThawResult meshio_reserve(ThawMeshData *mesh, size_t points, size_t triangles);
ThawResult meshio_add_point(ThawMeshData *mesh, const double point[3]);
ThawResult meshio_add_triangle(ThawMeshData *mesh, uint32_t a, uint32_t b, uint32_t c);
// Texture coordinates of the last triangle's corners.
ThawResult meshio_set_uv(ThawMeshData *mesh, const float *const corners[3]);

// A block with room for at least `wanted` rows of `row` bytes, grown by half; rows keep what they held.
ThawResult meshio_grow(void *block_pointer, size_t *room, size_t wanted, size_t row);

#endif
