// Mesh files: which reader, and where the mesh is put.
//
// Files are read whole, not mapped: one that another program writes anew meanwhile must not kill us.
#include "meshio/reader.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- bytes

static ThawResult fail_file(const char *path, int code) {
    char reason[128];
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return thaw_fail(code == ENOENT ? THAW_NOT_FOUND : THAW_BAD_INPUT, "cannot read %.300s: %s",
                     path, reason);
}

static ThawResult read_all(FILE *file, const char *path, char **data, size_t *size) {
    // a directory can be opened, but not read
    int first = getc(file);
    if (first == EOF && ferror(file)) return fail_file(path, errno);
    if (fseeko(file, 0, SEEK_END) != 0) return fail_file(path, errno);
    off_t length = ftello(file);
    if (length < 0) return fail_file(path, errno);
    rewind(file);
    *size = (size_t)length;
    *data = thaw_alloc(*size + 1);
    if (*data == NULL) return thaw_fail_memory(*size);
    size_t got = fread(*data, 1, *size, file);
    if (got == *size) return THAW_OK;
    ThawResult result =
        ferror(file) ? fail_file(path, errno)
                     : thaw_fail(THAW_BAD_INPUT, "cannot read %.300s: it became shorter", path);
    thaw_free(*data);
    *data = NULL;
    return result;
}

ThawResult meshio_load_file(const char *path, char **data, size_t *size) {
    *data = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return fail_file(path, errno);
    ThawResult result = read_all(file, path, data, size);
    fclose(file);
    return result;
}

// ---------------------------------------------------------------- formats

bool meshio_has_ending(const char *name, const char *ending) {
    size_t length = strlen(name), end = strlen(ending);
    if (length < end) return false;
    for (size_t k = 0; k < end; k++) {
        if (tolower((unsigned char)name[length - end + k]) != ending[k]) return false;
    }
    return true;
}

typedef ThawResult Reader(const MeshBytes *bytes, ThawMeshData *mesh);

static const struct {
    bool (*is)(const MeshBytes *bytes);
    const char *ending;
    Reader *read;
} formats[] = {{meshio_is_vdb, ".vdb", meshio_read_vdb},
               {meshio_is_ply, ".ply", meshio_read_ply},
               {meshio_is_stl, ".stl", meshio_read_stl},
               {meshio_is_obj, ".obj", meshio_read_obj}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static Reader *find_reader(const MeshBytes *bytes) {
    for (int k = 0; k < FORMATS; k++) {
        if (formats[k].is(bytes)) return formats[k].read;
    }
    for (int k = 0; k < FORMATS; k++) {
        if (meshio_has_ending(bytes->name, formats[k].ending)) return formats[k].read;
    }
    return NULL;
}

static bool holds(const MeshBytes *bytes, char c) {
    return bytes->size > 0 && memchr(bytes->data, c, bytes->size) != NULL;
}

// old files end their lines with \r alone; in binary that may be something else
static bool has_old_lines(const MeshBytes *bytes) {
    static const char ascii[] = "format ascii";
    if (!holds(bytes, '\r') || holds(bytes, '\n') || holds(bytes, '\0')) return false;
    return !meshio_is_ply(bytes) ||
           (bytes->size > 4 + strlen(ascii) && memcmp(bytes->data + 4, ascii, strlen(ascii)) == 0);
}

static ThawResult mend_lines(MeshBytes *bytes, char **copy) {
    *copy = NULL;
    if (!has_old_lines(bytes)) return THAW_OK;
    *copy = thaw_alloc(bytes->size + 1);
    if (*copy == NULL) return thaw_fail_memory(bytes->size);
    for (size_t k = 0; k < bytes->size; k++)
        (*copy)[k] = bytes->data[k] == '\r' ? '\n' : bytes->data[k];
    bytes->data = *copy;
    return THAW_OK;
}

static ThawResult run_reader(const MeshBytes *bytes, ThawMeshData *mesh) {
    if (bytes->size == 0)
        return thaw_fail(THAW_BAD_INPUT, "%.160s: the file is empty", bytes->name);
    Reader *read = find_reader(bytes);
    if (read == NULL)
        return thaw_fail(THAW_BAD_INPUT,
                         "%.160s: is no mesh that can be read; OBJ, PLY and STL are", bytes->name);
    ThawResult result = read(bytes, mesh);
    if (result == THAW_OK && mesh->triangle_count == 0)
        return thaw_fail(THAW_BAD_INPUT, "%.160s: the file has no faces", bytes->name);
    return result;
}

// a point is a point whatever the host's language is
static ThawResult parse_plain(const MeshBytes *bytes, ThawMeshData *mesh) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return thaw_fail_memory(sizeof plain);
    locale_t before = uselocale(plain);
    ThawResult result = run_reader(bytes, mesh);
    uselocale(before);
    freelocale(plain);
    return result;
}

ThawResult meshio_parse(const MeshBytes *bytes, ThawMeshData **mesh) {
    *mesh = meshio_create();
    if (*mesh == NULL) return thaw_fail_memory(sizeof **mesh);
    MeshBytes mended = *bytes;
    char *copy;
    ThawResult result = mend_lines(&mended, &copy);
    if (result == THAW_OK) result = parse_plain(&mended, *mesh);
    thaw_free(copy);
    if (result == THAW_OK) return THAW_OK;
    thaw_mesh_free(*mesh);
    *mesh = NULL;
    return result;
}

// ---------------------------------------------------------------- placing

ThawMeshLoadDef thaw_mesh_load_default(void) {
    ThawMeshLoadDef def = {.scale = 1.0, .up = 'z', .turn = {0, 0, 0, 1}};
    for (int k = 0; k < THAW_PAINTS; k++) def.image[k].high = 1.0f;
    return def;
}

static ThawResult check_def(const ThawMeshLoadDef *def) {
    if (!(def->scale > 0.0) || !isfinite(def->scale))
        return thaw_fail(THAW_BAD_INPUT, "scale must be above 0, not %g", def->scale);
    if (def->up != 'y' && def->up != 'z')
        return thaw_fail(THAW_BAD_INPUT, "up must be 'y' or 'z', not '%c'",
                         isprint((unsigned char)def->up) ? def->up : '?');
    if (!thaw_vec_finite(def->move))
        return thaw_fail(THAW_BAD_INPUT, "move must be finite numbers");
    ThawQuat q = def->turn;
    double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!isfinite(length) || !(length > 0.0))
        return thaw_fail(THAW_BAD_INPUT, "turn must be a quaternion that is not zero");
    for (int k = 0; k < THAW_PAINTS; k++) {
        if (!isfinite(def->image[k].low) || !isfinite(def->image[k].high))
            return thaw_fail(THAW_BAD_INPUT, "low and high of an image must be finite numbers");
    }
    return THAW_OK;
}

static ThawResult place(ThawMeshData *mesh, const ThawMeshLoadDef *def, const char *path) {
    ThawQuat turn = thaw_quat_normalize(def->turn);
    bool turned = turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0;
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        double *at = mesh->points[k];
        ThawVec3 p = {def->scale * at[0], def->scale * at[1], def->scale * at[2]};
        if (def->up == 'y') p = (ThawVec3){p.x, -p.z, p.y};
        if (turned) p = thaw_quat_rotate(turn, p);
        p = thaw_add(p, def->move);
        if (!thaw_vec_finite(p))
            return thaw_fail(THAW_BAD_INPUT, "%.160s: point %u is too far away: %g %g %g", path, k,
                             at[0], at[1], at[2]);
        at[0] = p.x;
        at[1] = p.y;
        at[2] = p.z;
    }
    return THAW_OK;
}

static ThawResult load_images(ThawMeshData *mesh, const ThawMeshLoadDef *def, const char *path) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < THAW_PAINTS && result == THAW_OK; k++) {
        const char *file = def->image[k].file;
        if (file == NULL) continue;
        if (mesh->uv == NULL)
            return thaw_fail(THAW_BAD_INPUT,
                             "%.160s: has no texture coordinates, which the image %.160s needs",
                             path, file);
        result = meshio_load_image(mesh, (ThawPaintKind)k, file,
                                   (float[2]){def->image[k].low, def->image[k].high});
    }
    return result;
}

ThawResult thaw_mesh_load(const char *path, const ThawMeshLoadDef *def, ThawMeshData **mesh) {
    assert(path != NULL && mesh != NULL);
    *mesh = NULL;
    ThawMeshLoadDef plain = thaw_mesh_load_default();
    if (def == NULL) def = &plain;
    ThawResult result = check_def(def);
    if (result != THAW_OK) return result;
    char *data;
    size_t size;
    result = meshio_load_file(path, &data, &size);
    if (result != THAW_OK) return result;
    ThawMeshData *made = NULL;
    result = meshio_parse(&(MeshBytes){path, data, size}, &made);
    thaw_free(data);
    if (result == THAW_OK) result = place(made, def, path);
    if (result == THAW_OK) result = load_images(made, def, path);
    if (result == THAW_OK) {
        *mesh = made;
    } else {
        thaw_mesh_free(made);
    }
    return result;
}
