// What stands in for OpenVDB where it was not found: the same functions, which say so.
#include "vdb/vdb.h"

#include "base/result.h"

static ThawResult refuse(const char *path) {
    return thaw_fail(THAW_BAD_INPUT,
                     "%s: this thaw was built without OpenVDB, so it has no .vdb files (Debian: "
                     "install libopenvdb-dev and build again)",
                     path);
}

bool thaw_vdb_present(void) {
    return false;
}

ThawResult thaw_vdb_write(const ThawField *field, const char *path) {
    (void)field;
    return refuse(path);
}

ThawResult thaw_vdb_load_mesh(const char *path, ThawMesh *mesh) {
    *mesh = (ThawMesh){0};
    return refuse(path);
}

ThawResult thaw_vdb_parse_mesh(const void *bytes, size_t size, const char *name, ThawMesh *mesh) {
    (void)bytes;
    (void)size;
    *mesh = (ThawMesh){0};
    return refuse(name);
}

ThawResult thaw_vdb_read_cells(const char *path, ThawVdbCell *cells, uint32_t most, uint32_t *count,
                               double *background) {
    (void)cells;
    (void)most;
    *count = 0;
    *background = 0;
    return refuse(path);
}

void thaw_vdb_free_mesh(ThawMesh *mesh) {
    *mesh = (ThawMesh){0};
}
