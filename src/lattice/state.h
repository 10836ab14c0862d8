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
#define THAW_LATTICE_GRIP                                                                          \
    "lattice_grip" // f32 × 2: what friction at walls has in hand: see collision/grip.c
// f32 × 3: D: how far a particle is from where its lattice takes it to be, since it froze off its site; it fades.
// It comes into being with the first particle that freezes.
#define THAW_LATTICE_LAG "lattice_lag"
// i32 × 13: where each site is at rest, as far as that is not the lattice's own place: see thaw_misfit_pack; and for how
// long the particle is young, µs: it froze a moment ago, looks for neighbours and yields. Below 0 in the last heat step of
// it: it settles, all that it is strained by is taken for its rest. It comes with the lag.
#define THAW_LATTICE_MISFIT "lattice_misfit"
#define THAW_MISFITS 13u
#define THAW_LATTICE_YOUTH 300000 // µs: how long what froze is young

#define THAW_SITE_OCCUPIED(site) (1u << (site))
#define THAW_SITE_CLOSED(site) (1u << ((site) + 12))

// The channels' rows as they are now; they move when the store is reordered or grows.
typedef struct ThawLatticeState {
    float *turn, *map, *flow, *docking, *grip;
    int32_t *sites;
    float *lag;      // NULL when there is none
    int32_t *misfit; // the same
} ThawLatticeState;

// Adds the channels where they are missing. Rows of solids must then be set with thaw_lattice_set.
ThawResult thaw_lattice_open(ThawStore *store);
// Whether the store has them.
bool thaw_lattice_is_open(ThawStore *store);
ThawLatticeState thaw_lattice_state(ThawStore *store); // all NULL when it has not
// The same for what freezes, lags and misfits included.
ThawResult thaw_lattice_open_lag(ThawStore *store);
// How many channels of the lattice's the store should have, as far as it has those of lags and misfits.
uint32_t thaw_lattice_channels(ThawStore *store);

// A particle on a fresh lattice of that orientation: R = A = its rotation, F = 1, no lag, no grip, no site occupied,
// none closed. The first search of a fresh particle occupies every site that it finds filled: `sites` is
// THAW_SITES_FRESH until then.
#define THAW_SITES_FRESH (-1)
void thaw_lattice_set(const ThawLatticeState *state, uint32_t row, const float turn[4]);

// Misfits. Where two lattices meet, nobody sits on the other's sites. A bond between them is at rest as it was when it
// came into being: the site's place at rest is l + misfit. Three numbers of ten bits, and one that says that there is
// a misfit: 0 is none.
#define THAW_MISFIT_UNIT 1.6e-3f // D: 0.82 at the most
#define THAW_MISFIT_SET 0x40000000u
// In place of that: a misfit that fades, in finer steps. The bond is drawn to its site, and not all at once.
#define THAW_MISFIT_FADES 0x80000000u
#define THAW_MISFIT_FINE 3.2e-4f // D: 0.16 at the most

static inline uint32_t thaw_misfit_bits(float steps) {
    steps = steps < -511.0f ? -511.0f : steps > 511.0f ? 511.0f : steps;
    return (uint32_t)(int32_t)(steps < 0 ? steps - 0.5f : steps + 0.5f) & 1023u;
}
static inline int32_t thaw_misfit_pack(const float off[3]) {
    uint32_t bits = THAW_MISFIT_SET;
    for (uint32_t a = 0; a < 3; a++) bits |= thaw_misfit_bits(off[a] / THAW_MISFIT_UNIT) << 10 * a;
    return (int32_t)bits;
}
static inline int32_t thaw_misfit_pack_fading(const float off[3]) {
    uint32_t bits = 0;
    for (uint32_t a = 0; a < 3; a++) bits |= thaw_misfit_bits(off[a] / THAW_MISFIT_FINE) << 10 * a;
    return bits == 0 ? 0 : (int32_t)(THAW_MISFIT_FADES | bits);
}
static inline bool thaw_misfit_fades(int32_t misfit) {
    return ((uint32_t)misfit & THAW_MISFIT_FADES) != 0;
}
static inline int32_t thaw_misfit_steps(int32_t misfit, uint32_t axis) {
    int32_t steps = (int32_t)((uint32_t)misfit >> (10 * axis) & 1023u);
    return steps < 512 ? steps : steps - 1024;
}
// the site's place at rest, l + misfit
static inline void thaw_misfit_add(int32_t misfit, const float l[3], float at[3]) {
    float unit = thaw_misfit_fades(misfit) ? THAW_MISFIT_FINE : THAW_MISFIT_UNIT;
    for (uint32_t a = 0; a < 3; a++) {
        at[a] = l[a] + unit * (float)thaw_misfit_steps(misfit, a);
    }
}
// the same of a row's site, which may have none
static inline void thaw_lattice_site(const ThawLatticeState *state, uint32_t row, uint32_t site,
                                     const float l[3], float at[3]) {
    const int32_t *misfit = state->misfit;
    thaw_misfit_add(misfit != NULL ? misfit[THAW_MISFITS * (size_t)row + site] : 0, l, at);
}
// whether a row froze a moment ago
static inline bool thaw_lattice_is_young(const ThawLatticeState *state, uint32_t row) {
    return state->misfit != NULL && state->misfit[THAW_MISFITS * (size_t)row + THAW_SITES] != 0;
}
// whether it will be old in a moment
static inline bool thaw_lattice_settles(const ThawLatticeState *state, uint32_t row) {
    return state->misfit != NULL && state->misfit[THAW_MISFITS * (size_t)row + THAW_SITES] < 0;
}
// whether some misfit of a row fades
static inline bool thaw_lattice_fades(const ThawLatticeState *state, uint32_t row) {
    if (state->misfit == NULL) return false;
    int32_t any = 0;
    for (size_t s = 0; s < THAW_SITES; s++) any |= state->misfit[THAW_MISFITS * (size_t)row + s];
    return thaw_misfit_fades(any);
}
// The site of a row that a place of its lattice's frame is nearest to, A⁻¹ r in D; −1: none. at: that site at rest.
int thaw_lattice_nearest(const ThawLatticeState *state, uint32_t row, int dimensions,
                         const double place[3], double at[3]);

// Linear strain R S Rᵀ − 1, Green's strain (AᵀA − 1)/2 turned into the world's frame, as xx yy zz xy yz zx.
void thaw_lattice_strain(const ThawLatticeState *state, uint32_t row, int dimensions,
                         float strain[6]);
void thaw_lattice_green(const ThawLatticeState *state, uint32_t row, int dimensions,
                        float strain[6]);
// The elastic map that both come from, E = A F⁻¹, row by row; in 2D with 1 across the plane.
ThawMat3 thaw_lattice_elastic(const ThawLatticeState *state, uint32_t row, int dimensions);

#endif
