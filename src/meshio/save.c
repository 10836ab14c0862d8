// Meshes as files: OBJ as text, PLY and STL in binary.
//
// Numbers in text have as many digits as it takes to read the same back. PLY has floats where they hold every
// coordinate exactly, else doubles; STL knows only floats.
#include <thaw/cache.h>
#include <thaw/mesh_file.h>

#include "base/result.h"
#include "meshio/reader.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef ThawResult Writer(const ThawMesh *mesh, ThawFile *file);

static THAW_PRINTF(2, 3) ThawResult print(ThawFile *file, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof line);
    return thaw_file_append(file, line, (size_t)length);
}

// ---------------------------------------------------------------- OBJ

typedef struct Digits {
    char at[32];
} Digits;

static const char *digits_of(Digits *digits, double value) {
    snprintf(digits->at, sizeof digits->at, "%.9g", value);
    if (strtod(digits->at, NULL) != value) snprintf(digits->at, sizeof digits->at, "%.17g", value);
    return digits->at;
}

static ThawResult write_obj(const ThawMesh *mesh, ThawFile *file) {
    ThawResult result = print(file, "# thaw %s: %u points, %u triangles; metres, z is up\n",
                              thaw_version(), mesh->point_count, mesh->triangle_count);
    Digits x, y, z;
    for (uint32_t k = 0; k < mesh->point_count && result == THAW_OK; k++) {
        const double *p = mesh->points[k];
        result = print(file, "v %s %s %s\n", digits_of(&x, p[0]), digits_of(&y, p[1]),
                       digits_of(&z, p[2]));
    }
    size_t corners = mesh->uv == NULL ? 0 : 3 * (size_t)mesh->triangle_count;
    for (size_t k = 0; k < corners && result == THAW_OK; k++)
        result = print(file, "vt %.9g %.9g\n", (double)mesh->uv[k][0], (double)mesh->uv[k][1]);
    for (uint32_t k = 0; k < mesh->triangle_count && result == THAW_OK; k++) {
        const uint32_t *t = mesh->triangles[k];
        unsigned long long a = t[0] + 1ull, b = t[1] + 1ull, c = t[2] + 1ull, uv = 3ull * k;
        result = mesh->uv == NULL ? print(file, "f %llu %llu %llu\n", a, b, c)
                                  : print(file, "f %llu/%llu %llu/%llu %llu/%llu\n", a, uv + 1, b,
                                          uv + 2, c, uv + 3);
    }
    return result;
}

// ---------------------------------------------------------------- binary

static unsigned char *put_bits(unsigned char *to, uint64_t bits, int size) {
    for (int k = 0; k < size; k++) to[k] = (unsigned char)(bits >> (8 * k));
    return to + size;
}

static unsigned char *put_float(unsigned char *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_bits(to, bits, 4);
}

static unsigned char *put_double(unsigned char *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_bits(to, bits, 8);
}

// ---------------------------------------------------------------- PLY

static bool fits_floats(const ThawMesh *mesh) {
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        for (int i = 0; i < 3; i++) {
            if ((double)(float)mesh->points[k][i] != mesh->points[k][i]) return false;
        }
    }
    return true;
}

static ThawResult write_ply_header(const ThawMesh *mesh, bool floats, ThawFile *file) {
    static const char *const names[THAW_PAINTS] = {"friction", "adhesion", "temperature"};
    const char *type = floats ? "float" : "double";
    print(file, "ply\nformat binary_little_endian 1.0\ncomment thaw %s; metres, z is up\n",
          thaw_version());
    print(file, "element vertex %u\nproperty %s x\nproperty %s y\nproperty %s z\n",
          mesh->point_count, type, type, type);
    for (int k = 0; k < THAW_PAINTS; k++) {
        if (mesh->paint[k].values != NULL) print(file, "property float %s\n", names[k]);
    }
    print(file, "element face %u\nproperty list uchar int vertex_indices\n", mesh->triangle_count);
    if (mesh->uv != NULL) print(file, "property list uchar float texcoord\n");
    // the first failure is kept by the file
    return print(file, "end_header\n");
}

static ThawResult write_ply(const ThawMesh *mesh, ThawFile *file) {
    bool floats = fits_floats(mesh);
    ThawResult result = write_ply_header(mesh, floats, file);
    unsigned char row[64], *to;
    for (uint32_t k = 0; k < mesh->point_count && result == THAW_OK; k++) {
        to = row;
        for (int i = 0; i < 3; i++) {
            double value = mesh->points[k][i];
            to = floats ? put_float(to, (float)value) : put_double(to, value);
        }
        for (int i = 0; i < THAW_PAINTS; i++) {
            if (mesh->paint[i].values != NULL) to = put_float(to, mesh->paint[i].values[k]);
        }
        result = thaw_file_append(file, row, (size_t)(to - row));
    }
    for (uint32_t k = 0; k < mesh->triangle_count && result == THAW_OK; k++) {
        to = put_bits(row, 3, 1);
        for (int i = 0; i < 3; i++) to = put_bits(to, mesh->triangles[k][i], 4);
        if (mesh->uv != NULL) to = put_bits(to, 6, 1);
        for (int i = 0; mesh->uv != NULL && i < 6; i++)
            to = put_float(to, mesh->uv[3 * (size_t)k + (size_t)i / 2][i % 2]);
        result = thaw_file_append(file, row, (size_t)(to - row));
    }
    return result;
}

// ---------------------------------------------------------------- STL

static void find_normal(const ThawMesh *mesh, uint32_t triangle, float normal[3]) {
    const uint32_t *t = mesh->triangles[triangle];
    const double *a = mesh->points[t[0]], *b = mesh->points[t[1]], *c = mesh->points[t[2]];
    double n[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, m = (i + 2) % 3;
        n[i] = (b[j] - a[j]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[j] - a[j]);
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++) normal[i] = length > 0.0 ? (float)(n[i] / length) : 0.0f;
}

static ThawResult write_stl(const ThawMesh *mesh, ThawFile *file) {
    // 80 bytes that do not begin with "solid", then the count
    unsigned char header[84] = {0};
    snprintf((char *)header, 80, "thaw %s; metres, z is up", thaw_version());
    put_bits(header + 80, mesh->triangle_count, 4);
    ThawResult result = thaw_file_append(file, header, sizeof header);
    for (uint32_t k = 0; k < mesh->triangle_count && result == THAW_OK; k++) {
        unsigned char facet[50] = {0}, *to = facet;
        float normal[3];
        find_normal(mesh, k, normal);
        for (int i = 0; i < 3; i++) to = put_float(to, normal[i]);
        for (int i = 0; i < 9; i++)
            to = put_float(to, (float)mesh->points[mesh->triangles[k][i / 3]][i % 3]);
        result = thaw_file_append(file, facet, sizeof facet);
    }
    return result;
}

// ---------------------------------------------------------------- the file

static Writer *find_writer(const char *path) {
    if (meshio_has_ending(path, ".obj")) return write_obj;
    if (meshio_has_ending(path, ".ply")) return write_ply;
    return meshio_has_ending(path, ".stl") ? write_stl : NULL;
}

// a point is a point whatever the host's language is
static ThawResult write_plain(Writer *write, const ThawMesh *mesh, ThawFile *file) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return thaw_fail_memory(sizeof plain);
    locale_t before = uselocale(plain);
    ThawResult result = write(mesh, file);
    uselocale(before);
    freelocale(plain);
    return result;
}

static ThawResult check_mesh(const ThawMesh *mesh) {
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        const double *p = mesh->points[k];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            return thaw_fail(THAW_BAD_INPUT, "points must be finite, but point %u is not", k);
    }
    for (uint32_t k = 0; k < mesh->triangle_count; k++) {
        for (int i = 0; i < 3; i++) {
            if (mesh->triangles[k][i] >= mesh->point_count)
                return thaw_fail(THAW_BAD_INPUT,
                                 "triangles must be of points that exist, but triangle %u has %u",
                                 k, mesh->triangles[k][i]);
        }
    }
    return THAW_OK;
}

ThawResult thaw_mesh_save(const char *path, const ThawMesh *mesh) {
    assert(path != NULL && mesh != NULL);
    Writer *write = find_writer(path);
    if (write == NULL)
        return thaw_fail(THAW_BAD_INPUT, "%.300s: a mesh is written as .obj, .ply or .stl", path);
    ThawResult result = check_mesh(mesh);
    ThawFile *file = NULL;
    if (result == THAW_OK) result = thaw_file_create(path, &file);
    if (result != THAW_OK) return result;
    result = write_plain(write, mesh, file);
    if (result == THAW_OK) return thaw_file_commit(file);
    thaw_file_abandon(file);
    return result;
}
