#include "support/pieces.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static bool are_near(const double a[3], const double b[3], double reach) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z <= reach * reach;
}

// everything that hangs together with one row becomes the next piece
static void spread(Pieces *pieces, uint32_t first, uint32_t rows, double reach) {
    uint32_t piece = pieces->count++, waiting = 1, size = 0;
    pieces->of[first] = piece;
    pieces->stack[0] = first;
    while (waiting > 0) {
        uint32_t i = pieces->stack[--waiting];
        size++;
        for (uint32_t j = 0; j < rows; j++) {
            if (pieces->of[j] != NONE) continue;
            if (!are_near(pieces->place[i], pieces->place[j], reach)) continue;
            pieces->of[j] = piece;
            pieces->stack[waiting++] = j;
        }
    }
    pieces->size[piece] = size;
}

static void rank(Pieces *pieces) {
    for (uint32_t k = 0; k < pieces->count; k++) {
        uint32_t size = pieces->size[k];
        if (size > pieces->largest[0]) {
            pieces->largest[1] = pieces->largest[0];
            pieces->largest[0] = size;
        } else if (size > pieces->largest[1]) {
            pieces->largest[1] = size;
        }
    }
}

Pieces find_pieces(const ThawWorld *world, double reach) {
    uint32_t rows = thaw_world_count(world);
    size_t bytes = (rows + 1) * sizeof(uint32_t);
    Pieces pieces = {.of = malloc(bytes),
                     .size = malloc(bytes),
                     .stack = malloc(bytes),
                     .place = malloc((rows + 1) * sizeof *pieces.place)};
    if (!pieces.of || !pieces.size || !pieces.stack || !pieces.place) abort();
    memset(pieces.of, 0xff, bytes);
    thaw_world_positions(world, pieces.place);
    for (uint32_t i = 0; i < rows; i++) {
        if (pieces.of[i] == NONE) spread(&pieces, i, rows, reach);
    }
    rank(&pieces);
    return pieces;
}

void free_pieces(Pieces *pieces) {
    free(pieces->of);
    free(pieces->size);
    free(pieces->stack);
    free(pieces->place);
    *pieces = (Pieces){0};
}

uint32_t count_pieces(const ThawWorld *world, double reach, uint32_t sizes[2]) {
    Pieces pieces = find_pieces(world, reach);
    uint32_t count = pieces.count;
    memcpy(sizes, pieces.largest, sizeof pieces.largest);
    free_pieces(&pieces);
    return count;
}
