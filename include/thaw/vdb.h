// Level sets of other programs: .vdb files through OpenVDB. In libthaw-io; a build without OpenVDB has these
// functions too, and they fail with a sentence that says so.
#ifndef THAW_VDB_H
#define THAW_VDB_H

#include "base.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether this build has OpenVDB.
THAW_API bool thaw_vdb_present(void);

// Writes a field as a level set: grid `surface`, distances in metres, negative inside, known in a band of the
// field's own width and ±that beyond. Written aside and renamed.
THAW_API ThawResult thaw_vdb_write(const ThawField *field, const char *path);

// Reads the grid `surface`, or else the first level set, as the triangles of its zero surface, outward
// sides counterclockwise. Free it with thaw_vdb_free_mesh. Damaged and foreign files are refused with a
// sentence.
THAW_API ThawResult thaw_vdb_load_mesh(const char *path, ThawMesh *mesh);
// The same of a file's bytes in memory; `name` is for the sentence.
THAW_API ThawResult thaw_vdb_parse_mesh(const void *bytes, size_t size, const char *name,
                                        ThawMesh *mesh);
THAW_API void thaw_vdb_free_mesh(ThawMesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
