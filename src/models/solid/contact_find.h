// What contacts hold, and the search for pairs that may touch: shared by contact.c, its inner loops
// and tests.
#ifndef THAW_MODELS_SOLID_CONTACT_FIND_H
#define THAW_MODELS_SOLID_CONTACT_FIND_H

#include "models/solid/contact_face.h"
#include "simd/isa.h"

#include <stdatomic.h>

#define THAW_CONTACT_CHUNK 16u // clusters a task
#define THAW_CONTACT_IMAGES 27 // periodic images, by turns of −1, 0, 1 along x, y, z

#define THAW_CONTACT_SWEEPS 2 // Jacobi sweeps an iteration

// What is known of a row. Rows only go up.
enum {
    THAW_CONTACT_UNASKED, // nothing near it that is not bonded to it, as far as is known
    THAW_CONTACT_ASKED,   // its list is to be walked
    THAW_CONTACT_WALKED
};

// One row's side of a pair. Both sides hold the same numbers, the slide with opposite signs.
typedef struct ThawContactPair {
    uint32_t other;
    uint8_t image;  // the periodic image that the row is seen through
    uint8_t active; // 1: touches in this sweep, or has been pushed in this substep
    uint8_t deep;   // 1: came so close in this substep that its normal is where it started
    uint8_t
        solids; // 0: one is a liquid, 1: of one object, 2: of two, whose faces are planes to each other
    float part;     // of the row in what the pair moves; below 0: neither can
    float rest;     // cells, the distance to keep
    float push;     // cells, normal push of this substep
    float slide[3]; // cells, tangential push of this substep
} ThawContactPair;

// A row that has pairs.
typedef struct ThawContactRow {
    uint32_t row, count;
    uint64_t first; // its first pair
} ThawContactRow;

struct ThawContacts {
    void *marks, *touches, *faces, *rows, *pairs, *moves, *turns, *twists;
    size_t marks_bytes, touches_bytes, faces_bytes, rows_bytes, pairs_bytes, moves_bytes,
        turns_bytes, twists_bytes;
    uint32_t row_count; // that have contacts
    int32_t images[THAW_CONTACT_IMAGES][3];
    int32_t period[3]; // place units
    uint32_t touching;
};

typedef struct ThawContactFind {
    const ThawCluster *clusters;
    const ThawSegment *segments;
    uint32_t cluster_count;
    uint32_t row_count;
    const ThawPlace *place;
    const int32_t *group;
    const float *distance;
    const ThawBonds *bonds;
    uint32_t sites; // of a full shell
    float reach;    // pairs are listed within reach · (D_i + D_j); place units a cell of D
    float broad;    // solids of two objects that many times further
    bool even;      // all rows have one D
    const int32_t (*images)[3]; // place units, exactly opposite for opposite turns
    int32_t period[3];          // place units
    _Atomic uint8_t *marks;     // one a row
    ThawContactRow *rows;
    ThawContactPair *pairs;
    uint64_t row_room, pair_room;
    _Atomic uint64_t rows_found, pairs_found; // beyond the room: run again with more
    _Atomic uint32_t asked;                   // some row was asked for in this round
} ThawContactFind;

// Walks the lists of the rows that are asked for in one chunk of clusters, writes their pairs, and
// asks for every row that it finds in one.
THAW_WIDE_DECLARE(void, thaw_contact_walk, (ThawContactFind * find, uint32_t chunk));

#endif
