// Level sets of OpenVDB as meshes: their zero surface.
#include "meshio/reader.h"

#include <string.h>
#include <thaw/vdb.h>

// By its name too: OpenVDB believes the lengths that a file states, so nothing else is shown to it.
bool meshio_is_vdb(const MeshBytes *bytes) {
    static const char magic[8] = {' ', 'B', 'D', 'V', 0, 0, 0, 0};
    return meshio_has_ending(bytes->name, ".vdb") && bytes->size >= sizeof magic &&
           memcmp(bytes->data, magic, sizeof magic) == 0;
}

ThawResult meshio_read_vdb(const MeshBytes *bytes, ThawMeshData *mesh) {
    ThawMesh surface;
    ThawResult result = thaw_vdb_parse_mesh(bytes->data, bytes->size, bytes->name, &surface);
    if (result != THAW_OK) return result;
    result = meshio_reserve(mesh, surface.point_count, surface.triangle_count);
    for (uint32_t k = 0; k < surface.point_count && result == THAW_OK; k++)
        result = meshio_add_point(mesh, surface.points[k]);
    for (uint32_t k = 0; k < surface.triangle_count && result == THAW_OK; k++) {
        const uint32_t *t = surface.triangles[k];
        result = meshio_add_triangle(mesh, t[0], t[1], t[2]);
    }
    thaw_vdb_free_mesh(&surface);
    return result;
}
