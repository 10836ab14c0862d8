// What a solid particle keeps: its own frame and the state of its sites, as channels of the store.
//
// Nothing here names another particle. Who sits on a site is found anew from positions at every search.
#ifndef THAW_LATTICE_STATE_H
#define THAW_LATTICE_STATE_H

#include "lattice/sites.h"
#include "math/matrix.h"
#include "particles/store.h"

// Names of the channels. They come into being with the first solid particle.
#define THAW_LATTICE_TURN "lattice_turn"   // f32 × 4: the lattice's orientation R, x y z w
#define THAW_LATTICE_MAP "lattice_map"     // f32 × 9: A, row by row: r ≈ A l
#define THAW_LATTICE_SITES "lattice_sites" // i32: bits 0..11 occupied, bits 12..23 closed
#define THAW_LATTICE_FLOW "lattice_flow"   // f32 × 9: the permanent shape change F, rest site F l
#define THAW_LATTICE_DOCKING "lattice_docking" // f32 × 12: docking rate of each site, 1/s
// f32 × 3: D: how far a particle is from where its lattice takes it to be, since it froze off its site; it fades.
// It comes into being with the first particle that freezes.
#define THAW_LATTICE_LAG "lattice_lag"

#define THAW_SITE_OCCUPIED(site) (1u << (site))
#define THAW_SITE_CLOSED(site) (1u << ((site) + 12))

// The channels' rows as they are now; they move when the store is reordered or grows.
typedef struct ThawLatticeState {
    float *turn, *map, *flow, *docking;
    int32_t *sites;
    float *lag; // NULL when there is none
} ThawLatticeState;

// Adds the channels where they are missing. Rows of solids must then be set with thaw_lattice_set.
ThawResult thaw_lattice_open(ThawStore *store);
// Whether the store has them.
bool thaw_lattice_is_open(ThawStore *store);
ThawLatticeState thaw_lattice_state(ThawStore *store); // all NULL when it has not
// The same for what freezes, lags included.
ThawResult thaw_lattice_open_lag(ThawStore *store);
// How many channels of the lattice's the store should have, as far as it has the one of lags.
uint32_t thaw_lattice_channels(ThawStore *store);

// A particle on a fresh lattice of that orientation: R = A = its rotation, F = 1, no lag, no site occupied, none
// closed. The first search of a fresh particle occupies every site that it finds filled: `sites` is
// THAW_SITES_FRESH until then.
#define THAW_SITES_FRESH (-1)
void thaw_lattice_set(const ThawLatticeState *state, uint32_t row, const float turn[4]);

// Linear strain R S Rᵀ − 1, Green's strain (AᵀA − 1)/2 turned into the world's frame, as xx yy zz xy yz zx.
void thaw_lattice_strain(const ThawLatticeState *state, uint32_t row, int dimensions,
                         float strain[6]);
void thaw_lattice_green(const ThawLatticeState *state, uint32_t row, int dimensions,
                        float strain[6]);
// The elastic map that both come from, E = A F⁻¹, row by row; in 2D with 1 across the plane.
ThawMat3 thaw_lattice_elastic(const ThawLatticeState *state, uint32_t row, int dimensions);

#endif
