// PLY: text and binary of either byte order, any properties in any order.
//
// Every value passes as a double, which holds all eight types exactly. Counts of the header are not believed: memory
// follows what the file holds.
#include "meshio/ply.h"

#include "meshio/polygons.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Ply {
    MeshText text; // where the body is read; in binary `line` means nothing
    const char *begin;
    PlyHeader header;
    ThawMeshData *mesh;
    float (*uv)[2]; // one a point, NULL = none
    size_t uv_room, value_room[THAW_PAINTS];
    // the face at hand
    uint32_t *corners;
    float (*texture)[2];
    size_t corner_count, corner_room, texture_count, texture_room; // texture_count in numbers
    MeshPolygons polygons;
} Ply;

static THAW_PRINTF(2, 3) ThawResult fail_here(const Ply *ply, const char *format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!ply->header.binary) return meshio_text_fail(&ply->text, "%s", sentence);
    return thaw_fail(THAW_BAD_INPUT, "%.160s: byte %zu: %s", ply->text.name,
                     (size_t)(ply->text.at - ply->begin), sentence);
}

// ---------------------------------------------------------------- values

static double decode(const unsigned char *at, PlyType type, bool big_endian) {
    size_t size = meshio_ply_size(type);
    uint64_t bits = 0;
    for (size_t k = 0; k < size; k++)
        bits |= (uint64_t)at[big_endian ? size - 1 - k : k] << (8 * k);
    uint32_t word = (uint32_t)bits;
    float single;
    double number;
    switch (type) {
    case PLY_I8: return (double)(int8_t)word;
    case PLY_I16: return (double)(int16_t)word;
    case PLY_I32: return (double)(int32_t)word;
    case PLY_F32: memcpy(&single, &word, sizeof single); return (double)single;
    case PLY_F64: memcpy(&number, &bits, sizeof number); return number;
    default: return (double)word;
    }
}

static ThawResult take_value(Ply *ply, PlyType type, const char *what, double *value) {
    if (!ply->header.binary) return meshio_take_number(&ply->text, what, value);
    size_t size = meshio_ply_size(type);
    if ((size_t)(ply->text.end - ply->text.at) < size)
        return fail_here(ply, "the file ends within %s", what);
    *value = decode((const unsigned char *)ply->text.at, type, ply->header.big_endian);
    ply->text.at += size;
    return THAW_OK;
}

static ThawResult take_length(Ply *ply, const PlyProperty *property, uint64_t *length) {
    double value;
    ThawResult result = take_value(ply, property->count_type, property->name, &value);
    if (result != THAW_OK) return result;
    size_t left = (size_t)(ply->text.end - ply->text.at);
    size_t least = ply->header.binary ? meshio_ply_size(property->type) : 2;
    if (!(value >= 0.0) || value != floor(value))
        return fail_here(ply, "a list's length must be a whole number, not %g", value);
    // the last value of a text needs no end of line
    if (value > (double)(left / least + 1))
        return fail_here(ply, "the list %s of %.0f values is longer than the file", property->name,
                         value);
    *length = (uint64_t)value;
    return THAW_OK;
}

static ThawResult skip_values(Ply *ply, PlyType type, const char *what, uint64_t count) {
    double value;
    ThawResult result = THAW_OK;
    for (uint64_t k = 0; k < count && result == THAW_OK; k++)
        result = take_value(ply, type, what, &value);
    return result;
}

static ThawResult skip_property(Ply *ply, const PlyProperty *property) {
    uint64_t count = 1;
    ThawResult result = property->list ? take_length(ply, property, &count) : THAW_OK;
    return result == THAW_OK ? skip_values(ply, property->type, property->name, count) : result;
}

// ---------------------------------------------------------------- rows

// to the row's first value; in text past empty lines
static ThawResult begin_row(Ply *ply, const PlyElement *element, uint64_t row) {
    if (ply->header.binary || element->property_count == 0) {
        size_t left = (size_t)(ply->text.end - ply->text.at);
        if (left >= element->least_size) return THAW_OK;
    } else if (meshio_next_word_anywhere(&ply->text)) {
        return THAW_OK;
    }
    return fail_here(ply, "the file ends after %llu of %llu rows of element %s",
                     (unsigned long long)row, (unsigned long long)element->count, element->name);
}

static ThawResult end_row(Ply *ply, const PlyElement *element) {
    if (ply->header.binary || element->property_count == 0 || !meshio_next_word(&ply->text))
        return THAW_OK;
    return fail_here(ply, "more values than element %s has properties: '%.*s'", element->name,
                     meshio_word_length(&ply->text), ply->text.at);
}

typedef ThawResult RowReader(Ply *ply, const PlyElement *element, uint64_t row);

static ThawResult read_rows(Ply *ply, const PlyElement *element, RowReader *read) {
    // rows of nothing take no bytes, however many there are
    if (element->property_count == 0) return THAW_OK;
    ThawResult result = THAW_OK;
    for (uint64_t row = 0; row < element->count && result == THAW_OK; row++) {
        result = begin_row(ply, element, row);
        if (result == THAW_OK) result = read(ply, element, row);
        if (result == THAW_OK) result = end_row(ply, element);
    }
    return result;
}

static ThawResult skip_row(Ply *ply, const PlyElement *element, uint64_t row) {
    (void)row;
    ThawResult result = THAW_OK;
    for (int k = 0; k < element->property_count && result == THAW_OK; k++)
        result = skip_property(ply, &element->properties[k]);
    return result;
}

// ---------------------------------------------------------------- points

static ThawResult make_point_room(Ply *ply, const double values[PLY_ROLES], const bool *has) {
    ThawMeshData *mesh = ply->mesh;
    size_t wanted = (size_t)mesh->point_count + 1;
    ThawResult result = meshio_add_point(mesh, &values[PLY_X]);
    if (result == THAW_OK && has[PLY_U] && has[PLY_V])
        result = meshio_grow(&ply->uv, &ply->uv_room, wanted, sizeof ply->uv[0]);
    for (int k = 0; k < THAW_PAINTS && result == THAW_OK; k++) {
        if (has[PLY_PAINT + k])
            result = meshio_grow(&mesh->values[k], &ply->value_room[k], wanted, sizeof(float));
    }
    return result;
}

static ThawResult read_point(Ply *ply, const PlyElement *element, uint64_t row) {
    double values[PLY_ROLES] = {0};
    bool has[PLY_ROLES] = {false};
    for (int k = 0; k < element->property_count; k++) {
        const PlyProperty *property = &element->properties[k];
        PlyRole role = property->role;
        ThawResult result = role == PLY_NONE
                                ? skip_property(ply, property)
                                : take_value(ply, property->type, property->name, &values[role]);
        if (result != THAW_OK) return result;
        has[role] = true;
        if (role != PLY_NONE && !isfinite((float)values[role]))
            return fail_here(ply, "%s of point %llu must be a finite number, not %g",
                             property->name, (unsigned long long)row, values[role]);
    }
    ThawResult result = make_point_room(ply, values, has);
    if (result != THAW_OK) return result;
    uint32_t at = ply->mesh->point_count - 1;
    if (ply->uv != NULL) {
        ply->uv[at][0] = (float)values[PLY_U];
        ply->uv[at][1] = (float)values[PLY_V];
    }
    for (int k = 0; k < THAW_PAINTS; k++) {
        if (has[PLY_PAINT + k]) ply->mesh->values[k][at] = (float)values[PLY_PAINT + k];
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- faces

static ThawResult take_corners(Ply *ply, const PlyProperty *property, bool strip) {
    uint64_t length;
    ThawResult result = take_length(ply, property, &length);
    if (result == THAW_OK)
        result = meshio_grow(&ply->corners, &ply->corner_room, length, sizeof ply->corners[0]);
    ply->corner_count = 0;
    for (uint64_t k = 0; k < length && result == THAW_OK; k++) {
        double value;
        result = take_value(ply, property->type, property->name, &value);
        if (result != THAW_OK) return result;
        bool pause = strip && value == -1.0;
        bool good = value >= 0.0 && value < (double)ply->mesh->point_count && value == floor(value);
        if (!good && !pause)
            return fail_here(ply, "there is no point %g: the file has 0 to %u", value,
                             ply->mesh->point_count - 1);
        ply->corners[ply->corner_count++] = pause ? UINT32_MAX : (uint32_t)value;
    }
    return result;
}

static ThawResult take_texture(Ply *ply, const PlyProperty *property) {
    uint64_t length;
    ThawResult result = take_length(ply, property, &length);
    if (result == THAW_OK)
        result =
            meshio_grow(&ply->texture, &ply->texture_room, length / 2 + 1, sizeof ply->texture[0]);
    ply->texture_count = 0;
    for (uint64_t k = 0; k < length && result == THAW_OK; k++) {
        double value;
        result = take_value(ply, property->type, property->name, &value);
        if (result != THAW_OK) return result;
        if (!isfinite((float)value))
            return fail_here(ply, "%s must be finite numbers, not %g", property->name, value);
        ply->texture[k / 2][k % 2] = (float)value;
        ply->texture_count++;
    }
    return result;
}

static ThawResult add_triple(Ply *ply, const uint32_t triple[3]) {
    const uint32_t *corners = ply->corners;
    ThawResult result =
        meshio_add_triangle(ply->mesh, corners[triple[0]], corners[triple[1]], corners[triple[2]]);
    // coordinates of corners before those of points
    bool texture = ply->texture_count == 2 * ply->corner_count;
    if (result != THAW_OK || (!texture && ply->uv == NULL)) return result;
    const float *uv[3];
    for (int k = 0; k < 3; k++)
        uv[k] = texture ? ply->texture[triple[k]] : ply->uv[corners[triple[k]]];
    return meshio_set_uv(ply->mesh, uv);
}

static ThawResult add_face(Ply *ply) {
    // points and lines given as faces are no surface
    if (ply->corner_count < 3) return THAW_OK;
    uint32_t count = (uint32_t)ply->corner_count;
    ThawResult result = meshio_cut_polygon(&ply->polygons, (const double(*)[3])ply->mesh->points,
                                           ply->corners, count);
    for (uint32_t k = 0; k + 2 < count && result == THAW_OK; k++)
        result = add_triple(ply, ply->polygons.triples[k]);
    return result;
}

// each corner makes a triangle with the two before it, every other one turned; −1 begins anew
static ThawResult add_strip(Ply *ply) {
    ThawResult result = THAW_OK;
    uint32_t run = 0;
    for (uint32_t k = 0; k < ply->corner_count && result == THAW_OK; k++) {
        run = ply->corners[k] == UINT32_MAX ? 0 : run + 1;
        if (run < 3) continue;
        uint32_t odd = run % 2 == 0;
        result = add_triple(ply, (uint32_t[3]){k - 2 + odd, k - 1 - odd, k});
    }
    return result;
}

static ThawResult read_face(Ply *ply, const PlyElement *element, uint64_t row) {
    (void)row;
    bool strip = element->kind == PLY_STRIPS;
    ThawResult result = THAW_OK;
    ply->corner_count = 0;
    ply->texture_count = SIZE_MAX;
    for (int k = 0; k < element->property_count && result == THAW_OK; k++) {
        const PlyProperty *property = &element->properties[k];
        switch (property->role) {
        case PLY_CORNERS: result = take_corners(ply, property, strip); break;
        case PLY_TEXTURE: result = take_texture(ply, property); break;
        default: result = skip_property(ply, property);
        }
    }
    if (result != THAW_OK) return result;
    return strip ? add_strip(ply) : add_face(ply);
}

// ---------------------------------------------------------------- the file

static ThawResult read_element(Ply *ply, int index) {
    static RowReader *const readers[] = {[PLY_OTHER] = skip_row,
                                         [PLY_POINTS] = skip_row,
                                         [PLY_FACES] = read_face,
                                         [PLY_STRIPS] = read_face};
    const PlyElement *element = &ply->header.elements[index];
    return read_rows(ply, element, readers[element->kind]);
}

// room for what the header promises, as far as the file can hold it
static ThawResult reserve_points(Ply *ply, const PlyElement *element) {
    size_t left = (size_t)(ply->text.end - ply->text.at);
    size_t most = left / (ply->header.binary ? element->least_size : 6) + 1;
    return meshio_reserve(ply->mesh, element->count < most ? (size_t)element->count : most, 0);
}

// points first: elements before them are passed over, and read when the points are known
static ThawResult read_body(Ply *ply) {
    MeshText begin = ply->text;
    ThawResult result = THAW_OK;
    int points = ply->header.points;
    for (int k = 0; k < points && result == THAW_OK; k++)
        result = read_rows(ply, &ply->header.elements[k], skip_row);
    if (result == THAW_OK) result = reserve_points(ply, &ply->header.elements[points]);
    if (result == THAW_OK) result = read_rows(ply, &ply->header.elements[points], read_point);
    MeshText behind = ply->text;
    ply->text = begin;
    for (int k = 0; k < points && result == THAW_OK; k++) result = read_element(ply, k);
    ply->text = behind;
    for (int k = points + 1; k < ply->header.element_count && result == THAW_OK; k++)
        result = read_element(ply, k);
    return result;
}

ThawResult meshio_read_ply(const MeshBytes *bytes, ThawMeshData *mesh) {
    Ply ply = {.text = {bytes->name, bytes->data, bytes->data + bytes->size, 1},
               .begin = bytes->data,
               .mesh = mesh};
    if (!meshio_is_ply(bytes)) return meshio_text_fail(&ply.text, "a PLY file begins with 'ply'");
    ThawResult result = meshio_ply_header(&ply.text, &ply.header);
    if (result == THAW_OK) result = read_body(&ply);
    meshio_ply_free(&ply.header);
    thaw_free(ply.uv);
    thaw_free(ply.corners);
    thaw_free(ply.texture);
    meshio_polygons_free(&ply.polygons);
    return result;
}
