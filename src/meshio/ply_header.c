// A PLY file's header.
#include "meshio/ply.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *names[2];
    size_t size;
} types[PLY_TYPES] = {
    [PLY_I8] = {{"char", "int8"}, 1},      [PLY_U8] = {{"uchar", "uint8"}, 1},
    [PLY_I16] = {{"short", "int16"}, 2},   [PLY_U16] = {{"ushort", "uint16"}, 2},
    [PLY_I32] = {{"int", "int32"}, 4},     [PLY_U32] = {{"uint", "uint32"}, 4},
    [PLY_F32] = {{"float", "float32"}, 4}, [PLY_F64] = {{"double", "float64"}, 8},
};

// names that programs give to what we look for
static const struct {
    PlyElementKind kind;
    bool list;
    const char *name;
    int role;
} roles[] = {
    {PLY_POINTS, false, "x", PLY_X},
    {PLY_POINTS, false, "y", PLY_Y},
    {PLY_POINTS, false, "z", PLY_Z},
    {PLY_POINTS, false, "s", PLY_U},
    {PLY_POINTS, false, "t", PLY_V},
    {PLY_POINTS, false, "u", PLY_U},
    {PLY_POINTS, false, "v", PLY_V},
    {PLY_POINTS, false, "texture_u", PLY_U},
    {PLY_POINTS, false, "texture_v", PLY_V},
    {PLY_POINTS, false, "texture_s", PLY_U},
    {PLY_POINTS, false, "texture_t", PLY_V},
    {PLY_POINTS, false, "u0", PLY_U},
    {PLY_POINTS, false, "v0", PLY_V},
    {PLY_POINTS, false, "friction", PLY_PAINT + THAW_PAINT_FRICTION},
    {PLY_POINTS, false, "adhesion", PLY_PAINT + THAW_PAINT_ADHESION},
    {PLY_POINTS, false, "temperature", PLY_PAINT + THAW_PAINT_TEMPERATURE},
    {PLY_FACES, true, "vertex_indices", PLY_CORNERS},
    {PLY_FACES, true, "vertex_index", PLY_CORNERS},
    {PLY_FACES, true, "texcoord", PLY_TEXTURE},
    {PLY_STRIPS, true, "vertex_indices", PLY_CORNERS},
    {PLY_STRIPS, true, "vertex_index", PLY_CORNERS},
};

size_t meshio_ply_size(PlyType type) {
    return types[type].size;
}

void meshio_ply_free(PlyHeader *header) {
    thaw_free(header->elements);
    header->elements = NULL;
}

// ---------------------------------------------------------------- words

static ThawResult take_type(MeshText *text, PlyType *type) {
    if (!meshio_next_word(text)) return meshio_text_fail(text, "the property's type is missing");
    for (int k = 0; k < PLY_TYPES; k++) {
        if (!meshio_take_word(text, types[k].names[0]) &&
            !meshio_take_word(text, types[k].names[1]))
            continue;
        *type = (PlyType)k;
        return THAW_OK;
    }
    return meshio_text_fail(text, "there is no property type '%.*s'", meshio_word_length(text),
                            text->at);
}

static ThawResult take_name(MeshText *text, const char *what, char name[40]) {
    if (!meshio_next_word(text)) return meshio_text_fail(text, "the %s's name is missing", what);
    // names beyond this length are none of ours
    snprintf(name, 40, "%.*s", meshio_word_length(text), text->at);
    while (text->at < text->end && (unsigned char)*text->at > ' ') text->at++;
    return THAW_OK;
}

// ---------------------------------------------------------------- lines

static ThawResult take_format(MeshText *text, PlyHeader *header) {
    if (!meshio_next_word(text)) return meshio_text_fail(text, "the format is missing");
    bool ascii = meshio_take_word(text, "ascii");
    bool little = !ascii && meshio_take_word(text, "binary_little_endian");
    bool big = !ascii && !little && meshio_take_word(text, "binary_big_endian");
    header->binary = !ascii;
    header->big_endian = big;
    if (ascii || little || big) return THAW_OK;
    return meshio_text_fail(
        text, "the format must be ascii, binary_little_endian or binary_big_endian, not '%.*s'",
        meshio_word_length(text), text->at);
}

static PlyElementKind kind_of(const char *name) {
    if (strcmp(name, "vertex") == 0) return PLY_POINTS;
    if (strcmp(name, "face") == 0) return PLY_FACES;
    return strcmp(name, "tristrips") == 0 ? PLY_STRIPS : PLY_OTHER;
}

static ThawResult take_element(MeshText *text, PlyHeader *header) {
    if (header->element_count == PLY_ELEMENTS_MOST)
        return meshio_text_fail(text, "more than %d kinds of element", PLY_ELEMENTS_MOST);
    ThawResult result = meshio_grow(&header->elements, &header->element_room,
                                    (size_t)header->element_count + 1, sizeof *header->elements);
    if (result != THAW_OK) return result;
    PlyElement *element = &header->elements[header->element_count++];
    *element = (PlyElement){0};
    result = take_name(text, "element", element->name);
    if (result != THAW_OK) return result;
    element->kind = kind_of(element->name);
    int64_t count;
    if (!meshio_next_word(text) || !meshio_take_whole(text, &count) || count < 0)
        return meshio_text_fail(text, "element %s needs a count", element->name);
    element->count = (uint64_t)count;
    return THAW_OK;
}

static PlyRole role_of(const PlyElement *element, const PlyProperty *property) {
    for (size_t k = 0; k < sizeof roles / sizeof roles[0]; k++) {
        if (roles[k].kind == element->kind && roles[k].list == property->list &&
            strcmp(roles[k].name, property->name) == 0)
            return (PlyRole)roles[k].role;
    }
    return PLY_NONE;
}

// of two properties that mean the same the first counts
static void assign_role(PlyElement *element, PlyProperty *property) {
    PlyRole role = role_of(element, property);
    for (int k = 0; k < element->property_count - 1; k++) {
        if (element->properties[k].role == role) role = PLY_NONE;
    }
    property->role = role;
}

static ThawResult take_property(MeshText *text, PlyHeader *header) {
    if (header->element_count == 0)
        return meshio_text_fail(text, "a property stands before the first element");
    PlyElement *element = &header->elements[header->element_count - 1];
    if (element->property_count == PLY_PROPERTIES_MOST)
        return meshio_text_fail(text, "more than %d properties", PLY_PROPERTIES_MOST);
    PlyProperty *property = &element->properties[element->property_count++];
    ThawResult result = THAW_OK;
    property->list = meshio_next_word(text) && meshio_take_word(text, "list");
    if (property->list) result = take_type(text, &property->count_type);
    if (result == THAW_OK && property->list && property->count_type >= PLY_F32)
        return meshio_text_fail(text, "a list's length must be of a whole type");
    if (result == THAW_OK) result = take_type(text, &property->type);
    if (result == THAW_OK) result = take_name(text, "property", property->name);
    element->least_size += meshio_ply_size(property->list ? property->count_type : property->type);
    if (result == THAW_OK) assign_role(element, property);
    return result;
}

// ---------------------------------------------------------------- the header

static bool has_role(const PlyElement *element, PlyRole role) {
    for (int k = 0; k < element->property_count; k++) {
        if (element->properties[k].role == role) return true;
    }
    return false;
}

static ThawResult check_header(const MeshText *text, PlyHeader *header) {
    header->points = -1;
    bool faces = false;
    for (int k = 0; k < header->element_count; k++) {
        PlyElement *element = &header->elements[k];
        // of two elements `vertex` the first counts
        if (element->kind == PLY_POINTS && header->points >= 0) element->kind = PLY_OTHER;
        if (element->kind == PLY_POINTS) header->points = k;
        faces = faces || (element->kind >= PLY_FACES && has_role(element, PLY_CORNERS));
    }
    if (header->points < 0) return meshio_text_fail(text, "there is no element vertex");
    if (!faces)
        return meshio_text_fail(text,
                                "there is no element face with a list vertex_indices: a cloud "
                                "of points has no surface");
    const PlyElement *points = &header->elements[header->points];
    for (int role = PLY_X; role <= PLY_Z; role++) {
        if (!has_role(points, (PlyRole)role))
            return meshio_text_fail(text, "element vertex has no property %c", "xyz"[role - PLY_X]);
    }
    return THAW_OK;
}

// one line, without its end; *done at the last
static ThawResult take_line(MeshText *text, PlyHeader *header, bool *format, bool *done) {
    if (!meshio_next_word(text)) return THAW_OK;
    *done = meshio_take_word(text, "end_header");
    if (*done) return *format ? THAW_OK : meshio_text_fail(text, "the header names no format");
    if (meshio_take_word(text, "comment") || meshio_take_word(text, "obj_info")) return THAW_OK;
    if (meshio_take_word(text, "element")) return take_element(text, header);
    if (meshio_take_word(text, "property")) return take_property(text, header);
    if (!meshio_take_word(text, "format"))
        return meshio_text_fail(text, "a line of the header cannot begin with '%.*s'",
                                meshio_word_length(text), text->at);
    *format = true;
    return take_format(text, header);
}

// the text of one line; lines end with \n, \r\n or, in old files, \r
static MeshText cut_line(MeshText *text) {
    MeshText line = *text;
    const char *end = text->at;
    while (end < text->end && *end != '\n' && *end != '\r') end++;
    line.end = end;
    text->at = end;
    if (text->at < text->end && *text->at == '\r') text->at++;
    if (text->at < text->end && *text->at == '\n' && (text->at == end || end[0] == '\r'))
        text->at++;
    text->line++;
    return line;
}

ThawResult meshio_ply_header(MeshText *text, PlyHeader *header) {
    bool format = false, done = false;
    MeshText line = cut_line(text); // "ply"
    while (!done) {
        if (text->at == text->end) {
            line.line = text->line;
            return meshio_text_fail(&line, "the file ends within its header");
        }
        line = cut_line(text);
        ThawResult result = take_line(&line, header, &format, &done);
        if (result != THAW_OK) return result;
    }
    return check_header(&line, header);
}

bool meshio_is_ply(const MeshBytes *bytes) {
    return bytes->size >= 4 && memcmp(bytes->data, "ply", 3) == 0 &&
           (bytes->data[3] == '\n' || bytes->data[3] == '\r' || bytes->data[3] == ' ');
}
