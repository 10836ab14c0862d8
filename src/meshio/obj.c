// OBJ: points, texture coordinates and faces; all else is passed over.
//
// Two passes: first the points, then the faces, so that faces may stand anywhere. Normals, groups, materials, lines and
// free-form surfaces are not looked at.
#include "meshio/polygons.h"
#include "meshio/reader.h"
#include "meshio/text.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct Obj {
    MeshText text;
    ThawMeshData *mesh;
    float (*uv)[2];
    size_t uv_count, uv_room;
    // the face at hand
    uint32_t *corners;   // indices of points
    uint32_t *uv_corner; // indices of uv + 1, 0 = none
    size_t corner_room, uv_corner_room;
    MeshPolygons polygons;
    // seen so far in the second pass: what negative indices count from
    int64_t points_seen, uv_seen;
} Obj;

typedef enum Statement { OTHER, COMMENT, POINT, TEXTURE, FACE } Statement;

// reads the word that a line begins with
static Statement take_statement(MeshText *text) {
    if (!meshio_next_word(text)) return text->at < text->end && *text->at == '#' ? COMMENT : OTHER;
    if (meshio_take_word(text, "v")) return POINT;
    if (meshio_take_word(text, "f") || meshio_take_word(text, "fo")) return FACE;
    return meshio_take_word(text, "vt") ? TEXTURE : OTHER;
}

// ---------------------------------------------------------------- points

static ThawResult take_point(Obj *obj) {
    static const char *const names[] = {"x of the point", "y of the point", "z of the point"};
    double point[3];
    for (int k = 0; k < 3; k++) {
        ThawResult result = meshio_take_number(&obj->text, names[k], &point[k]);
        if (result != THAW_OK) return result;
    }
    return meshio_add_point(obj->mesh, point);
}

// a texture coordinate is kept as a float: what none can hold is refused
static ThawResult take_texture_number(Obj *obj, const char *what, float *number) {
    MeshText *text = &obj->text;
    meshio_next_word(text);
    const char *word = text->at;
    double value;
    ThawResult result = meshio_take_number(text, what, &value);
    if (result != THAW_OK) return result;
    *number = (float)value;
    if (isfinite(*number)) return THAW_OK;
    text->at = word;
    return meshio_text_fail(text, "%s must lie within ±3.4e38, not be '%.*s'", what,
                            meshio_word_length(text), word);
}

static ThawResult take_texture(Obj *obj) {
    float uv[2] = {0.0f, 0.0f};
    ThawResult result = take_texture_number(obj, "u of the texture coordinate", &uv[0]);
    // v may be missing
    if (result == THAW_OK && meshio_next_word(&obj->text))
        result = take_texture_number(obj, "v of the texture coordinate", &uv[1]);
    if (result == THAW_OK)
        result = meshio_grow(&obj->uv, &obj->uv_room, obj->uv_count + 1, sizeof obj->uv[0]);
    if (result == THAW_OK) memcpy(obj->uv[obj->uv_count++], uv, sizeof uv);
    return result;
}

static ThawResult read_points(Obj *obj) {
    ThawResult result = THAW_OK;
    while (obj->text.at < obj->text.end && result == THAW_OK) {
        Statement statement = take_statement(&obj->text);
        if (statement == POINT) result = take_point(obj);
        if (statement == TEXTURE) result = take_texture(obj);
        if (result == THAW_OK) meshio_skip_line(&obj->text, statement != COMMENT);
    }
    return result;
}

// ---------------------------------------------------------------- faces

// an index of the file, from 1, or from −1 backwards, to one from 0
static ThawResult resolve_index(const Obj *obj, const char *what, int64_t given, int64_t seen,
                                size_t count, uint32_t *index) {
    int64_t at = given < 0 ? seen + given : given - 1;
    if (given != 0 && at >= 0 && at < (int64_t)count) {
        *index = (uint32_t)at;
        return THAW_OK;
    }
    if (given == 0) return meshio_text_fail(&obj->text, "indices of %ss count from 1, not 0", what);
    if (given < 0)
        return meshio_text_fail(&obj->text, "there is no %s %lld: only %lld stand before this line",
                                what, (long long)given, (long long)seen);
    return meshio_text_fail(&obj->text, "there is no %s %lld: the file has %zu", what,
                            (long long)given, count);
}

static ThawResult fail_corner(const Obj *obj, const char *word) {
    MeshText at = obj->text;
    at.at = word;
    return meshio_text_fail(&obj->text, "a corner must be like 7, 7/3 or 7/3/5, not '%.*s'",
                            meshio_word_length(&at), word);
}

// one corner: POINT, POINT/UV, POINT//NORMAL or POINT/UV/NORMAL
static ThawResult take_corner(Obj *obj, uint32_t *point, uint32_t *uv) {
    MeshText *text = &obj->text;
    const char *word = text->at;
    int64_t given;
    *uv = 0;
    if (!meshio_take_whole(text, &given)) return fail_corner(obj, word);
    ThawResult result =
        resolve_index(obj, "point", given, obj->points_seen, obj->mesh->point_count, point);
    if (result == THAW_OK && text->at < text->end && *text->at == '/') {
        text->at++;
        if (meshio_take_whole(text, &given)) {
            result =
                resolve_index(obj, "texture coordinate", given, obj->uv_seen, obj->uv_count, uv);
            ++*uv;
        }
        // the normal is not looked at
        if (result == THAW_OK && text->at < text->end && *text->at == '/') {
            text->at++;
            meshio_take_whole(text, &given);
        }
    }
    if (result != THAW_OK) return result;
    bool ended = text->at == text->end || strchr(" \t\r\n\v\f\\#", *text->at) != NULL;
    return ended && (text->at == text->end || *text->at != '\0') ? THAW_OK : fail_corner(obj, word);
}

static ThawResult add_triple(Obj *obj, const uint32_t triple[3]) {
    static const float none[2];
    ThawResult result = meshio_add_triangle(obj->mesh, obj->corners[triple[0]],
                                            obj->corners[triple[1]], obj->corners[triple[2]]);
    const float *uv[3];
    bool any = false;
    for (int k = 0; k < 3; k++) {
        uint32_t at = obj->uv_corner[triple[k]];
        uv[k] = at == 0 ? none : obj->uv[at - 1];
        any = any || at != 0;
    }
    return result == THAW_OK && any ? meshio_set_uv(obj->mesh, uv) : result;
}

static ThawResult add_face(Obj *obj, uint32_t count) {
    // points and lines given as faces are no surface
    if (count < 3) return THAW_OK;
    ThawResult result = meshio_cut_polygon(&obj->polygons, (const double(*)[3])obj->mesh->points,
                                           obj->corners, count);
    for (uint32_t k = 0; k + 2 < count && result == THAW_OK; k++)
        result = add_triple(obj, obj->polygons.triples[k]);
    return result;
}

static ThawResult take_face(Obj *obj) {
    uint32_t count = 0;
    ThawResult result = THAW_OK;
    while (result == THAW_OK && meshio_next_word(&obj->text)) {
        result = meshio_grow(&obj->corners, &obj->corner_room, (size_t)count + 1,
                             sizeof obj->corners[0]);
        if (result == THAW_OK)
            result = meshio_grow(&obj->uv_corner, &obj->uv_corner_room, (size_t)count + 1,
                                 sizeof obj->uv_corner[0]);
        if (result == THAW_OK)
            result = take_corner(obj, &obj->corners[count], &obj->uv_corner[count]);
        count++;
    }
    return result == THAW_OK ? add_face(obj, count) : result;
}

static ThawResult read_faces(Obj *obj) {
    ThawResult result = THAW_OK;
    while (obj->text.at < obj->text.end && result == THAW_OK) {
        Statement statement = take_statement(&obj->text);
        obj->points_seen += statement == POINT;
        obj->uv_seen += statement == TEXTURE;
        if (statement == FACE) result = take_face(obj);
        if (result == THAW_OK) meshio_skip_line(&obj->text, statement != COMMENT);
    }
    return result;
}

// ---------------------------------------------------------------- the file

static MeshText start_text(const MeshBytes *bytes) {
    MeshText text = {bytes->name, bytes->data, bytes->data + bytes->size, 1};
    // a byte order mark
    if (bytes->size >= 3 && memcmp(bytes->data, "\xef\xbb\xbf", 3) == 0) text.at += 3;
    return text;
}

ThawResult meshio_read_obj(const MeshBytes *bytes, ThawMeshData *mesh) {
    Obj obj = {.text = start_text(bytes), .mesh = mesh};
    ThawResult result = read_points(&obj);
    obj.text = start_text(bytes);
    if (result == THAW_OK) result = read_faces(&obj);
    thaw_free(obj.uv);
    thaw_free(obj.corners);
    thaw_free(obj.uv_corner);
    meshio_polygons_free(&obj.polygons);
    return result;
}

bool meshio_is_obj(const MeshBytes *bytes) {
    // a point within the first lines
    size_t size = bytes->size < 65536 ? bytes->size : 65536;
    MeshText text = start_text(&(MeshBytes){bytes->name, bytes->data, size});
    while (text.at < text.end) {
        Statement statement = take_statement(&text);
        double number;
        if (statement == POINT) return meshio_take_number(&text, "x", &number) == THAW_OK;
        meshio_skip_line(&text, statement != COMMENT);
    }
    return false;
}
