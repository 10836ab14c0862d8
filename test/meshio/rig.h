// Meshes from text in memory, and their measures.
#ifndef THAW_TEST_MESHIO_RIG_H
#define THAW_TEST_MESHIO_RIG_H

#include "meshio/reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// ---------------------------------------------------------------- reading

static inline ThawResult parse_bytes(const char *name, const void *data, size_t size,
                                     ThawMeshData **mesh) {
    // of exact size, so that a sanitizer sees a read past the end
    char *copy = malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    ThawResult result = meshio_parse(&(MeshBytes){name, copy, size}, mesh);
    free(copy);
    assert_int_equal(result == THAW_OK, *mesh != NULL);
    return result;
}

static inline ThawMeshData *read_bytes(const char *name, const void *data, size_t size) {
    ThawMeshData *mesh = NULL;
    if (parse_bytes(name, data, size, &mesh) != THAW_OK) fail_msg("%s", thaw_error_text());
    return mesh;
}

static inline ThawMeshData *read_text(const char *name, const char *text) {
    return read_bytes(name, text, strlen(text));
}

// refused with exactly this sentence
static inline void refuse_bytes(const char *name, const void *data, size_t size,
                                const char *sentence) {
    ThawMeshData *mesh = NULL;
    ThawResult result = parse_bytes(name, data, size, &mesh);
    thaw_mesh_free(mesh);
    assert_int_equal(result, THAW_BAD_INPUT);
    assert_string_equal(thaw_error_text(), sentence);
}

static inline void refuse_text(const char *name, const char *text, const char *sentence) {
    refuse_bytes(name, text, strlen(text), sentence);
}

// ---------------------------------------------------------------- writing bytes

typedef struct Bytes {
    unsigned char at[65536];
    size_t size;
} Bytes;

static inline void put_text(Bytes *bytes, const char *text) {
    memcpy(bytes->at + bytes->size, text, strlen(text));
    bytes->size += strlen(text);
}

static inline void put_bits(Bytes *bytes, uint64_t bits, int size, bool big) {
    for (int k = 0; k < size; k++)
        bytes->at[bytes->size + (size_t)(big ? size - 1 - k : k)] =
            (unsigned char)(bits >> (8 * k));
    bytes->size += (size_t)size;
}

static inline void put_float(Bytes *bytes, float value, bool big) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(bytes, bits, 4, big);
}

static inline void put_double(Bytes *bytes, double value, bool big) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(bytes, bits, 8, big);
}

// ---------------------------------------------------------------- measures

static inline void assert_point(const ThawMeshData *mesh, uint32_t k, double x, double y,
                                double z) {
    assert_true(k < mesh->point_count);
    const double *p = mesh->points[k];
    if (p[0] != x || p[1] != y || p[2] != z)
        fail_msg("point %u is %.17g %.17g %.17g", k, p[0], p[1], p[2]);
}

static inline void assert_triangle(const ThawMeshData *mesh, uint32_t k, uint32_t a, uint32_t b,
                                   uint32_t c) {
    assert_true(k < mesh->triangle_count);
    const uint32_t *t = mesh->triangles[k];
    if (t[0] != a || t[1] != b || t[2] != c)
        fail_msg("triangle %u is %u %u %u", k, t[0], t[1], t[2]);
}

static inline double volume_of(const ThawMesh *mesh) {
    double sum = 0.0;
    for (uint32_t k = 0; k < mesh->triangle_count; k++) {
        const double *a = mesh->points[mesh->triangles[k][0]];
        const double *b = mesh->points[mesh->triangles[k][1]];
        const double *c = mesh->points[mesh->triangles[k][2]];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6.0;
}

static inline double area_of_triangle(const ThawMesh *mesh, uint32_t k) {
    const double *a = mesh->points[mesh->triangles[k][0]];
    const double *b = mesh->points[mesh->triangles[k][1]];
    const double *c = mesh->points[mesh->triangles[k][2]];
    double n[3], square = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, m = (i + 2) % 3;
        n[i] = (b[j] - a[j]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[j] - a[j]);
        square += n[i] * n[i];
    }
    return 0.5 * sqrt(square);
}

static inline double area_of(const ThawMesh *mesh) {
    double sum = 0.0;
    for (uint32_t k = 0; k < mesh->triangle_count; k++) sum += area_of_triangle(mesh, k);
    return sum;
}

static inline int compare_edges(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

// directed edges that are there twice, or whose opposite is not there: 0 in a closed surface that is wound one
// way everywhere
static inline uint32_t loose_edges(const ThawMesh *mesh) {
    size_t count = 3 * (size_t)mesh->triangle_count;
    uint64_t *edges = malloc(count * sizeof *edges);
    assert_non_null(edges);
    for (size_t k = 0; k < count; k++) {
        const uint32_t *t = mesh->triangles[k / 3];
        edges[k] = (uint64_t)t[k % 3] << 32 | t[(k + 1) % 3];
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    uint32_t loose = 0;
    for (size_t k = 0; k < count; k++) {
        uint64_t opposite = edges[k] << 32 | edges[k] >> 32;
        bool found = bsearch(&opposite, edges, count, sizeof *edges, compare_edges) != NULL;
        loose += !found || (k > 0 && edges[k] == edges[k - 1]);
    }
    free(edges);
    return loose;
}

#endif
