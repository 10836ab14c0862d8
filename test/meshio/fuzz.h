// One reader on any bytes: what it reads holds together, what it refuses has a sentence.
#ifndef THAW_TEST_MESHIO_FUZZ_H
#define THAW_TEST_MESHIO_FUZZ_H

#include "meshio/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline void check_mesh(const ThawMeshData *mesh) {
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        for (int i = 0; i < 3; i++) {
            if (!isfinite(mesh->points[k][i])) abort();
        }
        for (int i = 0; i < THAW_PAINTS; i++) {
            if (mesh->values[i] != NULL && !isfinite(mesh->values[i][k])) abort();
        }
    }
    for (uint32_t k = 0; k < mesh->triangle_count; k++) {
        for (int i = 0; i < 3; i++) {
            if (mesh->triangles[k][i] >= mesh->point_count) abort();
            if (mesh->uv == NULL) continue;
            const float *uv = mesh->uv[3 * (size_t)k + (size_t)i];
            if (!isfinite(uv[0]) || !isfinite(uv[1])) abort();
        }
    }
}

static inline int try_reader(ThawResult (*read)(const MeshBytes *bytes, ThawMeshData *mesh),
                             const uint8_t *data, size_t size) {
    char *copy = malloc(size == 0 ? 1 : size); // of the exact size, so that a read beyond it shows
    ThawMeshData *mesh = meshio_create();
    if (copy == NULL || mesh == NULL) abort();
    if (size > 0) memcpy(copy, data, size);
    ThawResult result = read(&(MeshBytes){"fuzz", copy, size}, mesh);
    if (result == THAW_OK) check_mesh(mesh);
    if (result != THAW_OK && strlen(thaw_error_text()) == 0) abort();
    thaw_mesh_free(mesh);
    // the same by contents: a mesh or none
    mesh = NULL;
    result = meshio_parse(&(MeshBytes){"fuzz", copy, size}, &mesh);
    if ((result == THAW_OK) != (mesh != NULL)) abort();
    if (mesh != NULL && mesh->triangle_count == 0) abort();
    thaw_mesh_free(mesh);
    free(copy);
    return 0;
}

#endif
