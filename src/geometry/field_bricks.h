// What a field is made of. Lengths in here are in cells from the field's origin unless a unit is given.
//
// Distances sit at the corners of cells. A brick of 8³ cells keeps its 9³ corners, so that one look-up serves a
// point; neighbours keep the common layers twice. They are 16-bit steps of (band + 2)/32767 cells: half the
// memory of floats, and two corners come in one 32-bit load. Beside them each brick has the closest triangles of
// its first 8³ corners, as numbers into a short list of the triangles that occur.
//
// Above them are tables of 8³ bricks (512 entries a page), and above those one entry a page. An entry is a number
// (>= 0), or, where there is nothing, a far code: sign and lower bound of the distance in metres.
#ifndef THAW_GEOMETRY_FIELD_BRICKS_H
#define THAW_GEOMETRY_FIELD_BRICKS_H

#include "geometry/bvh.h"
#include "geometry/field.h"

#include <stdatomic.h>
#include <string.h>

enum {
    THAW_BRICK_CELLS = 8,
    THAW_BRICK_EDGE = 9,
    THAW_BRICK_SAMPLES = 729,
    THAW_BRICK_STRIDE = 730, // of the stored distances: even, so that bricks begin on whole words
    THAW_PAGE_BRICKS = 512,
    THAW_STEPS = 32767 // of a stored distance: what cannot be told from farther
};

// Cells: interpolation may say this much more than the true distance where that is bowed, which is about a point two
// cells away at worst. So what is known reaches this much farther than the band, and bricks are kept for it.
#define THAW_BAND_SLACK 0.125

// The closest triangles of a brick's 8³ first corners, where those are in the band. Codes are numbers in the brick's
// list: of 4 bits where it has up to 16 triangles, of 8 up to 256, else of 16.
typedef struct ThawBrickClosest {
    uint32_t known[16]; // a bit a corner, x fastest
    uint32_t code;      // its first byte of codes, one code a known corner
    uint32_t list;      // its first triangle
    uint32_t count;     // triangles in the list
} ThawBrickClosest;

static inline uint32_t thaw_code_bits(const ThawBrickClosest *closest) {
    return closest->count <= 16 ? 4 : closest->count <= 256 ? 8 : 16;
}
static inline uint32_t thaw_code_get(const uint8_t *codes, uint32_t bits, uint32_t rank) {
    uint16_t two;
    if (bits == 4) return (uint32_t)codes[rank / 2] >> rank % 2 * 4 & 15u;
    if (bits == 8) return codes[rank];
    memcpy(&two, codes + 2 * (size_t)rank, 2);
    return two;
}
static inline uint32_t thaw_known_count(const ThawBrickClosest *closest, int words) {
    uint32_t count = 0;
    for (int k = 0; k < words; k++) count += (uint32_t)__builtin_popcount(closest->known[k]);
    return count;
}

typedef struct ThawFieldGrid {
    ThawVec3 origin; // m, of corner 0
    double cell;     // m
    int32_t cells[3];
    int32_t pages[3];
    float band;  // cells
    float limit; // cells: what is stored is at most this
} ThawFieldGrid;

struct ThawField {
    _Atomic uint32_t references;
    ThawFieldReport report;
    ThawFieldGrid grid;
    float unit; // m, of a stored step

    uint32_t table_count, brick_count, list_count, code_bytes;
    int32_t *pages;    // grid.pages
    int32_t *tables;   // table_count × 512
    int16_t *distance; // brick_count × THAW_BRICK_STRIDE
    ThawBrickClosest *closest;
    uint32_t *lists;
    uint8_t *codes;

    ThawMesh mesh;  // own copy
    ThawMesh wound; // the same points, triangles wound alike as far as they can be
    ThawBvh *bvh;   // of `wound`
    bool is_closed; // no rim: winding numbers are whole
};

// ---------------------------------------------------------------- far codes

// the bound is rounded towards 0
static inline int32_t thaw_far_code(double bound, bool inside) {
    float size = (float)bound;
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    bits = bits >= 4 ? bits - 4 : 0;
    return (int32_t)(0x80000000u | (uint32_t)inside << 30 | (bits >> 1 & 0x3fffffffu));
}
static inline float thaw_far_distance(int32_t code) { // m, negative inside
    uint32_t bits = (uint32_t)code << 1;
    float distance;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

// ---------------------------------------------------------------- where things are

// entries of pages and tables for a cell, x fastest
static inline size_t thaw_page_of(const ThawFieldGrid *grid, const int32_t cell[3]) {
    return ((size_t)(cell[2] >> 6) * (size_t)grid->pages[1] + (size_t)(cell[1] >> 6)) *
               (size_t)grid->pages[0] +
           (size_t)(cell[0] >> 6);
}
static inline size_t thaw_entry_of(const int32_t cell[3]) {
    return (size_t)((cell[2] >> 3 & 7) << 6 | (cell[1] >> 3 & 7) << 3 | (cell[0] >> 3 & 7));
}
// the brick of a cell within the grid, or a far code
static inline int32_t thaw_field_look(const ThawField *field, const int32_t cell[3]) {
    int32_t page = field->pages[thaw_page_of(&field->grid, cell)];
    return page < 0 ? page : field->tables[(size_t)page * THAW_PAGE_BRICKS + thaw_entry_of(cell)];
}
static inline size_t thaw_corner_of(int32_t x, int32_t y, int32_t z) {
    return (size_t)((z * THAW_BRICK_EDGE + y) * THAW_BRICK_EDGE + x);
}

static inline ThawVec3 thaw_grid_enter(const ThawFieldGrid *grid, ThawVec3 point) {
    double scale = 1.0 / grid->cell;
    return (ThawVec3){(point.x - grid->origin.x) * scale, (point.y - grid->origin.y) * scale,
                      (point.z - grid->origin.z) * scale};
}
static inline ThawVec3 thaw_grid_leave(const ThawFieldGrid *grid, ThawVec3 at) {
    return (ThawVec3){grid->origin.x + at.x * grid->cell, grid->origin.y + at.y * grid->cell,
                      grid->origin.z + at.z * grid->cell};
}

// triangle of the corner (a brick's first 8³), UINT32_MAX = none is known
uint32_t thaw_brick_closest(const ThawField *field, int32_t brick, int32_t x, int32_t y, int32_t z);

// ---------------------------------------------------------------- building, step by step

// bytes of all the arrays
uint64_t thaw_field_bytes(const ThawField *field);
// ends what thaw_field_pack writes: a sum over all the bytes before it
uint64_t thaw_field_checksum(const void *bytes, size_t size);
// frees everything that a field has
void thaw_field_clear(ThawField *field);

// Finite painted values and texture coordinates, images with sizes.
ThawResult thaw_field_check_paints(const ThawMesh *mesh);
// The mesh's own copy.
ThawResult thaw_field_copy_mesh(ThawField *field, const ThawMesh *mesh);
// Bricks with their distances: needs the grid, the mesh and the tree.
ThawResult thaw_field_fill(ThawField *field, ThawParallel *parallel);
// The enclosed volume, into the report.
ThawResult thaw_field_measure(ThawField *field, ThawParallel *parallel);
// Pages and tables from `keys`, the bricks' places in ascending order (see field_raster.h).
ThawResult thaw_field_index(ThawField *field, const uint32_t *keys, ThawParallel *parallel);

#endif
