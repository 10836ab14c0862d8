// Mesh files, and meshes that thaw makes itself. In libthaw-io.
#ifndef THAW_MESH_FILE_H
#define THAW_MESH_FILE_H

#include "base.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// A mesh that owns its arrays.
typedef struct ThawMeshData ThawMeshData;

typedef struct ThawMeshLoadDef {
    double scale; // m a unit of the file, default 1
    char
        up; // 'y' or 'z': which axis of the file points up, default 'z'; 'y' is turned so that it becomes z
    ThawVec3 move; // m, after scale and axes; default 0
    ThawQuat turn; // after scale and axes, before the move; default none
    // painted values: vertex properties of these names in a PLY file ("friction", "adhesion", "temperature") are
    // taken by themselves; a PNG by texture coordinates here, NULL = none. Grey 0..1 becomes low..high.
    struct {
        const char *file;
        float low, high;
    } image[THAW_PAINTS];
} ThawMeshLoadDef;

THAW_API ThawMeshLoadDef thaw_mesh_load_default(void);
// OBJ, PLY (text and binary), STL (text and binary) and, where OpenVDB is there, the zero surface of a
// .vdb, by contents and then by name; polygons become triangles.
// Fails with a sentence `file:line: …` (binary: `file: byte …`). Everything that can be a surface is accepted.
// `def` NULL: the defaults.
THAW_API ThawResult thaw_mesh_load(const char *path, const ThawMeshLoadDef *def,
                                   ThawMeshData **mesh);
THAW_API void thaw_mesh_free(ThawMeshData *mesh); // NULL is fine
THAW_API ThawMesh thaw_mesh_view(const ThawMeshData *mesh);
// By the name's ending: .obj, .ply (binary, with painted values) or .stl. Written aside and renamed.
THAW_API ThawResult thaw_mesh_save(const char *path, const ThawMesh *mesh);

// ---------------------------------------------------------------- meshes of our own

// A kind of mesh that thaw can make: its name, a line about it, and its numbers with defaults.
typedef struct ThawMeshNumber {
    const char *name, *unit, *meaning;
    double value; // default
    double least, most;
} ThawMeshNumber;
typedef struct ThawMeshKind {
    const char *name, *summary;
    const ThawMeshNumber *numbers;
    int number_count;
} ThawMeshKind;

THAW_API const ThawMeshKind *thaw_mesh_kind(int index); // NULL past the last
THAW_API const ThawMeshKind *thaw_mesh_find_kind(const char *name);
// `values`: one for each of the kind's numbers.
THAW_API ThawResult thaw_mesh_make(const ThawMeshKind *kind, const double *values,
                                   ThawMeshData **mesh);

#ifdef __cplusplus
}
#endif

#endif
