// STL, text and binary. The file has no points, only corners: equal ones are welded. Normals are not looked at.
#include "meshio/polygons.h"
#include "meshio/reader.h"
#include "meshio/text.h"
#include "meshio/weld.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define HEADER 84
#define FACET 50

typedef struct Stl {
    MeshText text;
    MeshWeld weld;
    MeshPolygons polygons;
    uint32_t *corners;
    size_t corner_count, corner_room;
} Stl;

// ---------------------------------------------------------------- binary

static uint32_t take_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static ThawResult take_corner(const MeshBytes *bytes, size_t at, MeshWeld *weld, uint32_t *index) {
    double point[3];
    for (int k = 0; k < 3; k++) {
        uint32_t bits = take_u32((const unsigned char *)bytes->data + at + 4 * k);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            return thaw_fail(THAW_BAD_INPUT,
                             "%.160s: byte %zu: %c of a corner must be a finite number, not %g",
                             bytes->name, at + 4 * (size_t)k, "xyz"[k], (double)value);
        }
        point[k] = (double)value;
    }
    return meshio_weld_point(weld, point, index);
}

static ThawResult read_binary(const MeshBytes *bytes, ThawMeshData *mesh) {
    if (bytes->size < HEADER)
        return thaw_fail(THAW_BAD_INPUT, "%.160s: byte %zu: the file ends within its header of %d",
                         bytes->name, bytes->size, HEADER);
    uint32_t count = take_u32((const unsigned char *)bytes->data + 80);
    size_t held = (bytes->size - HEADER) / FACET;
    if (held < count)
        return thaw_fail(THAW_BAD_INPUT,
                         "%.160s: byte %zu: the file ends after %zu of %u triangles", bytes->name,
                         bytes->size, held, count);
    MeshWeld weld = {.mesh = mesh};
    ThawResult result = meshio_reserve(mesh, 0, count);
    // a closed surface has half as many points as triangles
    if (result == THAW_OK) result = meshio_weld_reserve(&weld, count / 2);
    for (uint32_t k = 0; k < count && result == THAW_OK; k++) {
        size_t at = HEADER + FACET * (size_t)k + 12;
        uint32_t corners[3] = {0, 0, 0};
        for (size_t c = 0; c < 3 && result == THAW_OK; c++)
            result = take_corner(bytes, at + 12 * c, &weld, &corners[c]);
        if (result == THAW_OK)
            result = meshio_add_triangle(mesh, corners[0], corners[1], corners[2]);
    }
    meshio_weld_free(&weld);
    return result;
}

// ---------------------------------------------------------------- text

static ThawResult expect_word(Stl *stl, const char *word, const char *where) {
    if (!meshio_next_word_anywhere(&stl->text))
        return meshio_text_fail(&stl->text, "the file ends %s: '%s' is missing", where, word);
    if (meshio_take_word(&stl->text, word)) return THAW_OK;
    return meshio_text_fail(&stl->text, "'%s' is expected %s, not '%.*s'", word, where,
                            meshio_word_length(&stl->text), stl->text.at);
}

// a number on this or a later line
static ThawResult take_coordinate(Stl *stl, const char *what, double *number) {
    if (!meshio_next_word_anywhere(&stl->text))
        return meshio_text_fail(&stl->text, "the file ends within a facet: %s is missing", what);
    return meshio_take_number(&stl->text, what, number);
}

static ThawResult take_vertex(Stl *stl) {
    static const char *const names[] = {"x of the vertex", "y of the vertex", "z of the vertex"};
    double point[3] = {0, 0, 0};
    ThawResult result = THAW_OK;
    for (int k = 0; k < 3 && result == THAW_OK; k++)
        result = take_coordinate(stl, names[k], &point[k]);
    if (result == THAW_OK)
        result = meshio_grow(&stl->corners, &stl->corner_room, stl->corner_count + 1,
                             sizeof stl->corners[0]);
    if (result != THAW_OK) return result;
    return meshio_weld_point(&stl->weld, point, &stl->corners[stl->corner_count++]);
}

static ThawResult add_facet(Stl *stl) {
    ThawMeshData *mesh = stl->weld.mesh;
    uint32_t count = (uint32_t)stl->corner_count;
    if (count < 3)
        return meshio_text_fail(&stl->text, "a facet needs three vertices, not %u", count);
    ThawResult result =
        meshio_cut_polygon(&stl->polygons, (const double(*)[3])mesh->points, stl->corners, count);
    for (uint32_t k = 0; k + 2 < count && result == THAW_OK; k++) {
        const uint32_t *triple = stl->polygons.triples[k];
        result = meshio_add_triangle(mesh, stl->corners[triple[0]], stl->corners[triple[1]],
                                     stl->corners[triple[2]]);
    }
    return result;
}

// behind "facet": normals are often wrong, and nan for slivers, so whatever stands there is passed over
static ThawResult take_facet(Stl *stl) {
    ThawResult result = THAW_OK;
    while (!meshio_take_word(&stl->text, "outer")) {
        if (!meshio_next_word_anywhere(&stl->text))
            return meshio_text_fail(&stl->text, "the file ends within a facet");
        if (meshio_take_word(&stl->text, "outer")) break;
        if (meshio_take_word(&stl->text, "vertex") || meshio_take_word(&stl->text, "facet"))
            return meshio_text_fail(&stl->text, "'outer loop' is missing in the facet");
        while (stl->text.at < stl->text.end && !isspace((unsigned char)*stl->text.at))
            stl->text.at++;
    }
    result = expect_word(stl, "loop", "after 'outer'");
    stl->corner_count = 0;
    while (result == THAW_OK && meshio_next_word_anywhere(&stl->text) &&
           meshio_take_word(&stl->text, "vertex"))
        result = take_vertex(stl);
    if (result == THAW_OK) result = expect_word(stl, "endloop", "within a facet");
    if (result == THAW_OK) result = add_facet(stl);
    return result == THAW_OK ? expect_word(stl, "endfacet", "within a facet") : result;
}

// behind "solid NAME"
static ThawResult take_solid(Stl *stl) {
    ThawResult result = THAW_OK;
    while (result == THAW_OK && meshio_next_word_anywhere(&stl->text) &&
           meshio_take_word(&stl->text, "facet"))
        result = take_facet(stl);
    if (result == THAW_OK) result = expect_word(stl, "endsolid", "within a solid");
    return result;
}

static ThawResult read_text(const MeshBytes *bytes, ThawMeshData *mesh) {
    Stl stl = {.text = {bytes->name, bytes->data, bytes->data + bytes->size, 1},
               .weld = {.mesh = mesh}};
    ThawResult result = THAW_OK;
    while (result == THAW_OK && meshio_next_word_anywhere(&stl.text)) {
        result = expect_word(&stl, "solid", "between solids");
        // the name may be anything, or nothing
        if (result == THAW_OK) meshio_skip_line(&stl.text, false);
        if (result == THAW_OK) result = take_solid(&stl);
        if (result == THAW_OK) meshio_skip_line(&stl.text, false);
    }
    meshio_weld_free(&stl.weld);
    meshio_polygons_free(&stl.polygons);
    thaw_free(stl.corners);
    return result;
}

// ---------------------------------------------------------------- which

// the length that a binary file's count asks for is the surest sign
static bool has_binary_length(const MeshBytes *bytes) {
    if (bytes->size < HEADER) return false;
    uint32_t count = take_u32((const unsigned char *)bytes->data + 80);
    return count > 0 && (bytes->size - HEADER) / FACET == count &&
           (bytes->size - HEADER) % FACET == 0;
}

// begins with "solid", and its first kilobyte is text
static bool looks_like_text(const MeshBytes *bytes) {
    MeshText text = {bytes->name, bytes->data, bytes->data + bytes->size, 1};
    if (!meshio_next_word_anywhere(&text) || !meshio_take_word(&text, "solid")) return false;
    size_t size = bytes->size < 1024 ? bytes->size : 1024;
    return memchr(bytes->data, '\0', size) == NULL;
}

bool meshio_is_stl(const MeshBytes *bytes) {
    return has_binary_length(bytes) || looks_like_text(bytes);
}

ThawResult meshio_read_stl(const MeshBytes *bytes, ThawMeshData *mesh) {
    bool text = !has_binary_length(bytes) && looks_like_text(bytes);
    return text ? read_text(bytes, mesh) : read_binary(bytes, mesh);
}
