// Bonds: who sits on whose sites. A derived cache, found anew from positions at every search, never saved.
//
// Each solid particle looks at its own object's particles in its own frame: l = nearest site of A⁻¹ r (eq. 2).
// The closest one to a site is its candidate; a bond needs both sides to be each other's candidates. Whether a
// bond may be new is decided by the sites' states, which are the particles' own.
//
// Rows are taken in blocks of eight (row 8 b + lane), whatever their clusters are, so that vector code can
// take a block's particles as lanes and walk their sites one after the other.
//
// Who sat on a site at the last search is nearly always who sits there now. So that is guessed first, and a guess stands
// only where it is proved to be what a search would find: everybody guessed is near his site, and nobody else listed is
// so near that he could be nearer to one. Results are those of a search alone, in every bit.
#ifndef THAW_LATTICE_BONDS_H
#define THAW_LATTICE_BONDS_H

#include "lattice/state.h"
#include "neighbors/neighbors.h"
#include "simd/isa.h"

#include <stdatomic.h>

#define THAW_BOND_TOLERANCE 0.35f // D: how far off its site a new occupant may be
// D: a new occupant that is further off rests where it is: one of another lattice, and one of the same
#define THAW_BOND_EXACT 0.04f
#define THAW_BOND_DRAWN 0.15f
#define THAW_BOND_LEAST 0.9f // D: no bond becomes shorter at rest than this
#define THAW_BOND_CHUNK 16u  // clusters or blocks a task

#define THAW_BLOCK_SOLID 1u // some lane is solid
#define THAW_BLOCK_MIXED 2u // some bond joins different orientations (back ≠ site ^ 1) or materials
#define THAW_BLOCK_FULL 4u // every lane is solid, and no site of any is vacant
#define THAW_BLOCK_OFF 8u  // some site's place at rest is not the lattice's own: it is mixed, too

#define THAW_BOND_HELD 0x80000000u // beside a candidate's row

// what a row is to the lattice
#define THAW_TRAIT_SOLID 1u
#define THAW_TRAIT_BRITTLE 2u // a site that lost its occupant closes
#define THAW_TRAIT_DOCKS 4u   // vacant sites may be taken

typedef struct ThawBonds {
    uint32_t
        *slot; // [block][site][lane]: the row on that site; the particle's own when there is none
    uint8_t *back;  // [block][site][lane]: the site of that row on which this particle sits
    uint32_t *dock; // the same as slot for those that may dock at a vacant site; NULL when none may
    uint8_t *block; // [block]: THAW_BLOCK_...
    uint32_t blocks;
    uint64_t revision; // of the store that slots are about
    // scratch of a search
    uint32_t *
        candidate; // [block][site][lane]: the nearest to each site; the particle's own when there is none
    uint16_t *fits; // one a row: the sites whose candidates are near enough for a new bond
    uint32_t *now;  // one a row of the last search: where it is now
    float *around;  // one a row: see ThawBondPass
    int32_t *crowd;
    _Atomic uint8_t *doubt; // one a row, and for the rest of the last block
    int32_t *next_sites;    // one a row
    struct ThawBondSums {   // one a chunk
        uint32_t bonds, lost, made, padding[13];
    } * sums;
    size_t slot_bytes, back_bytes, dock_bytes, block_bytes;
    size_t candidate_bytes, fits_bytes, next_bytes, sums_bytes;
    size_t now_bytes, around_bytes, crowd_bytes, doubt_bytes;
} ThawBonds;

// What a search for bonds is about.
typedef struct ThawBondSearch {
    const ThawDomain *domain;
    ThawStore *store;
    const ThawPlace *place;
    ThawNeighbors *neighbors;
    ThawParallel *parallel;
    ThawIsa isa;
    const uint8_t *traits; // one a row: THAW_TRAIT_...
    // one a row: the object of a solid, 0 of the others; up to three beyond the last are read
    const int32_t *group;
    const uint8_t *held; // one a row: not 0 where it is kept in its place; NULL: none is
    const float *unit;   // one a row: lattice distances D a place unit
    float support;       // D: how far apart bonded particles may be
    bool docks;          // some row may dock
    bool uniform;        // all solids are of one material
    bool lone;           // all rows are of one group
    // rows as they were before the lists were made, row k being was[k], in a store of that revision
    const uint32_t *was;
    uint64_t was_revision;
    uint32_t bonds, lost,
        made; // out: there are, were lost (seen from one side), came with fresh particles
} ThawBondSearch;

// Finds all bonds. Changes the sites' states in the store: fresh ones are set, those without an occupant
// become vacant (or closed, where brittle), and misfits come and go with the bonds.
ThawResult thaw_bonds_find(ThawBonds *bonds, ThawBondSearch *search);
// To be called while there is nothing to find, so that the room for it goes. There are no bonds then.
void thaw_bonds_rest(ThawBonds *bonds);
void thaw_bonds_release(ThawBonds *bonds);
size_t thaw_bonds_bytes(const ThawBonds *bonds);

static inline size_t thaw_bond_at(uint32_t row, uint32_t site) {
    return ((size_t)(row / THAW_LANES) * THAW_SITES + site) * THAW_LANES + row % THAW_LANES;
}

// who is nearest to a site, as of the last search
static inline uint32_t thaw_bond_candidate(const ThawBonds *bonds, uint32_t row, uint32_t site) {
    return bonds->candidate[thaw_bond_at(row, site)] & ~THAW_BOND_HELD;
}

// whether two rows are bonded
static inline bool thaw_bonded(const ThawBonds *bonds, uint32_t row, uint32_t other) {
    for (uint32_t s = 0; s < THAW_SITES; s++) {
        if (bonds->slot[thaw_bond_at(row, s)] == other) return true;
    }
    return false;
}

// whether some site of a row is not where its lattice has it
static inline bool thaw_lattice_is_off(const ThawLatticeState *state, uint32_t row) {
    if (state->misfit == NULL) return false;
    int32_t any = 0;
    for (size_t s = 0; s < THAW_SITES; s++) any |= state->misfit[THAW_MISFITS * (size_t)row + s];
    return any != 0;
}

// What the inner loops see.
typedef struct ThawBondPass {
    int dimensions;
    uint32_t rows;
    const ThawCluster *clusters;
    const ThawSegment *segments;
    uint32_t cluster_count;
    const ThawPlace *place;
    const int32_t *group;
    const float *unit, *map;
    const int32_t *sites;
    const ThawLatticeState *state;
    float support;
    bool lone;         // all rows are of one group
    int32_t period[3]; // place units, 0 = not periodic
    uint32_t *candidate;
    uint16_t *fits;
    uint32_t *slot;
    uint32_t blocks;
    const uint16_t *material; // one a row; NULL when all solids are of one
    // guesses; none are made where around is NULL
    const uint32_t *was, *now; // rows at the last search and now; NULL: they are the same
    const uint8_t *block;      // what blocks were then
    bool vacancies;            // somebody may take a vacant site
    float *around;  // one a row, cells²: who proves the guess is within this; below 0: none
    int32_t *crowd; // one a row: how many are guessed to be within that, itself among them
    _Atomic uint8_t *doubt; // one a row: not 0 where bonds may not be those that are guessed
} ThawBondPass;

// Guesses the candidates of a block's rows: those that were bonded at the last search.
THAW_WIDE_DECLARE(void, thaw_bonds_guess, (const ThawBondPass *pass, uint32_t block));
// The lanes of a cluster whose guesses are right.
THAW_WIDE_DECLARE(uint32_t, thaw_bonds_confirm,
                  (const ThawBondPass *pass, const ThawCluster *cluster));
// Slots of a block whose guesses are all right; returns how many bonds its rows have.
THAW_WIDE_DECLARE(uint32_t, thaw_bonds_accept, (const ThawBondPass *pass, uint32_t block));
// Candidates of the clusters chunk · THAW_BOND_CHUNK and on, where guesses are not right.
THAW_WIDE_DECLARE(void, thaw_bonds_candidates, (const ThawBondPass *pass, uint32_t chunk));
// The bonds of a block of eight solids that are as they nearly always are: between opposite sites, both held
// before. Fills the block's slots with those; kept[k] says which sites of the row they are. Returns whether any
// of them joins different materials. Rows are few enough for 32-bit numbers of candidates.
THAW_WIDE_DECLARE(bool, thaw_bonds_keep,
                  (const ThawBondPass *pass, uint32_t block, uint32_t *kept));

#endif
