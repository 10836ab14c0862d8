// Pieces that matter hangs together in: particles nearer to each other than a reach are of one.
#ifndef TEST_SUPPORT_PIECES_H
#define TEST_SUPPORT_PIECES_H

#include <thaw/thaw.h>

typedef struct Pieces {
    uint32_t count;
    uint32_t *of;        // the piece that each row is of, 0 .. count-1
    uint32_t *size;      // particles of each piece
    uint32_t *stack;     // rows that wait to be looked at
    uint32_t largest[2]; // sizes of the two largest; 0 where there is none
    double (*place)[3];  // m, of each row
} Pieces;

// By brute force over all pairs; free_pieces lets go of it.
Pieces find_pieces(const ThawWorld *world, double reach);
void free_pieces(Pieces *pieces);

// How many pieces there are, and the sizes of the two largest.
uint32_t count_pieces(const ThawWorld *world, double reach, uint32_t sizes[2]);

#endif
