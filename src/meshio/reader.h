// Readers of mesh files: bytes in, points and triangles out, as they stand in the file.
#ifndef THAW_MESHIO_READER_H
#define THAW_MESHIO_READER_H

#include "meshio/data.h"

// A file in memory.
typedef struct MeshBytes {
    const char *name; // as given, for sentences
    const char *data;
    size_t size;
} MeshBytes;

// Each appends to an empty mesh. On failure the mesh holds part of the file and is to be freed.
ThawResult meshio_read_obj(const MeshBytes *bytes, ThawMeshData *mesh);
ThawResult meshio_read_ply(const MeshBytes *bytes, ThawMeshData *mesh);
ThawResult meshio_read_stl(const MeshBytes *bytes, ThawMeshData *mesh);
ThawResult meshio_read_vdb(const MeshBytes *bytes, ThawMeshData *mesh);

// Whether the contents show that it is such a file.
bool meshio_is_ply(const MeshBytes *bytes);
bool meshio_is_stl(const MeshBytes *bytes);
bool meshio_is_obj(const MeshBytes *bytes);
bool meshio_is_vdb(const MeshBytes *bytes);

// The reader by contents, then by name; in the C locale. Makes the mesh, which has triangles then.
ThawResult meshio_parse(const MeshBytes *bytes, ThawMeshData **mesh);

// A PNG as values from `low` (black) to `high` (white), for a mesh with texture coordinates.
ThawResult meshio_load_image(ThawMeshData *mesh, ThawPaintKind paint, const char *path,
                             const float range[2]);

// The whole of a file; free it with thaw_free. `size` 0 gives a block all the same.
ThawResult meshio_load_file(const char *path, char **data, size_t *size);

// Ends with this, in any case.
bool meshio_has_ending(const char *name, const char *ending);

#endif
