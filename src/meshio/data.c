// A mesh while it grows. Blocks grow by half, so that a count in a file's header is never believed.
#include "meshio/data.h"

#include "base/memory.h"
#include "base/result.h"

#include <string.h>

#define MOST_ROWS ((size_t)UINT32_MAX - 1)

ThawMeshData *meshio_create(void) {
    return thaw_alloc(sizeof(ThawMeshData));
}

void thaw_mesh_free(ThawMeshData *mesh) {
    if (mesh == NULL) return;
    thaw_free(mesh->points);
    thaw_free(mesh->triangles);
    thaw_free(mesh->uv);
    for (int k = 0; k < THAW_PAINTS; k++) {
        thaw_free(mesh->values[k]);
        thaw_free(mesh->image[k].pixels);
    }
    thaw_free(mesh);
}

ThawMesh thaw_mesh_view(const ThawMeshData *mesh) {
    ThawMesh view = {
        .points = (const double(*)[3])mesh->points,
        .point_count = mesh->point_count,
        .triangles = (const uint32_t(*)[3])mesh->triangles,
        .triangle_count = mesh->triangle_count,
        .uv = (const float(*)[2])mesh->uv,
    };
    for (int k = 0; k < THAW_PAINTS; k++) {
        // an image replaces values
        bool image = mesh->image[k].pixels != NULL;
        view.paint[k] = (ThawPaint){.values = image ? NULL : mesh->values[k],
                                    .image = mesh->image[k].pixels,
                                    .width = mesh->image[k].width,
                                    .height = mesh->image[k].height};
    }
    return view;
}

// ---------------------------------------------------------------- growing

ThawResult meshio_grow(void *block_pointer, size_t *room, size_t wanted, size_t row) {
    if (wanted <= *room) return THAW_OK;
    size_t rows = *room + *room / 2 + 64;
    if (rows < wanted) rows = wanted;
    if (rows > SIZE_MAX / 2 / row) return thaw_fail_memory(SIZE_MAX);
    void *block;
    memcpy(&block, block_pointer, sizeof block);
    block = thaw_realloc(block, *room * row, rows * row);
    if (block == NULL) return thaw_fail_memory(rows * row);
    memcpy(block_pointer, &block, sizeof block);
    *room = rows;
    return THAW_OK;
}

static ThawResult check_count(size_t count, size_t most, const char *what) {
    if (count <= most) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "a mesh has at most %zu %s", most, what);
}

ThawResult meshio_reserve(ThawMeshData *mesh, size_t points, size_t triangles) {
    ThawResult result = check_count(points, MOST_ROWS, "points");
    if (result == THAW_OK) result = check_count(triangles, MOST_ROWS / 3, "triangles");
    if (result == THAW_OK)
        result = meshio_grow(&mesh->points, &mesh->point_room, points, sizeof mesh->points[0]);
    if (result == THAW_OK)
        result = meshio_grow(&mesh->triangles, &mesh->triangle_room, triangles,
                             sizeof mesh->triangles[0]);
    return result;
}

ThawResult meshio_add_point(ThawMeshData *mesh, const double point[3]) {
    if (mesh->point_count >= mesh->point_room) {
        ThawResult result = meshio_reserve(mesh, (size_t)mesh->point_count + 1, 0);
        if (result != THAW_OK) return result;
    }
    memcpy(mesh->points[mesh->point_count++], point, sizeof mesh->points[0]);
    return THAW_OK;
}

ThawResult meshio_add_triangle(ThawMeshData *mesh, uint32_t a, uint32_t b, uint32_t c) {
    if (mesh->triangle_count >= mesh->triangle_room) {
        ThawResult result = meshio_reserve(mesh, 0, (size_t)mesh->triangle_count + 1);
        if (result != THAW_OK) return result;
    }
    if (mesh->uv != NULL) {
        ThawResult result = meshio_grow(&mesh->uv, &mesh->uv_room,
                                        3 * ((size_t)mesh->triangle_count + 1), sizeof mesh->uv[0]);
        if (result != THAW_OK) return result;
    }
    uint32_t *corners = mesh->triangles[mesh->triangle_count++];
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    return THAW_OK;
}

ThawResult meshio_set_uv(ThawMeshData *mesh, const float *const corners[3]) {
    // the first triangle with coordinates brings the array; those before have zeros
    ThawResult result = meshio_grow(&mesh->uv, &mesh->uv_room, 3 * (size_t)mesh->triangle_count,
                                    sizeof mesh->uv[0]);
    if (result != THAW_OK) return result;
    float(*uv)[2] = mesh->uv + 3 * ((size_t)mesh->triangle_count - 1);
    for (int k = 0; k < 3; k++) memcpy(uv[k], corners[k], sizeof uv[k]);
    return THAW_OK;
}
