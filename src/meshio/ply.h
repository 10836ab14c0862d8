// A PLY file's header: what its body holds.
#ifndef THAW_MESHIO_PLY_H
#define THAW_MESHIO_PLY_H

#include "meshio/reader.h"
#include "meshio/text.h"

enum { PLY_ELEMENTS_MOST = 32, PLY_PROPERTIES_MOST = 128 };

typedef enum PlyType {
    PLY_I8,
    PLY_U8,
    PLY_I16,
    PLY_U16,
    PLY_I32,
    PLY_U32,
    PLY_F32,
    PLY_F64,
    PLY_TYPES
} PlyType;

// What a property is to us.
typedef enum PlyRole {
    PLY_NONE,
    PLY_X,
    PLY_Y,
    PLY_Z,
    PLY_U,
    PLY_V,
    PLY_CORNERS, // a list of indices of points
    PLY_TEXTURE, // a list of u, v for each corner
    PLY_PAINT,   // PLY_PAINT + a ThawPaintKind
    PLY_ROLES = PLY_PAINT + THAW_PAINTS
} PlyRole;

typedef struct PlyProperty {
    char name[40];
    PlyType type;
    bool list;
    PlyType count_type; // of a list
    PlyRole role;
} PlyProperty;

typedef enum PlyElementKind { PLY_OTHER, PLY_POINTS, PLY_FACES, PLY_STRIPS } PlyElementKind;

typedef struct PlyElement {
    PlyElementKind kind;
    char name[40];
    uint64_t count;
    PlyProperty properties[PLY_PROPERTIES_MOST];
    int property_count;
    size_t least_size; // bytes of a row in binary, with lists empty
} PlyElement;

typedef struct PlyHeader {
    bool binary, big_endian;
    PlyElement *elements;
    size_t element_room;
    int element_count;
    int points; // which element holds them
} PlyHeader;

// Reads up to the body's first byte. Names what an element or property means to us.
ThawResult meshio_ply_header(MeshText *text, PlyHeader *header);
void meshio_ply_free(PlyHeader *header);
size_t meshio_ply_size(PlyType type);

#endif
