// Guesses of bonds: that they are what they were, and the proof.
//
// A row's guess is right when a search would find the same. A search takes the nearest to each site, l, of those that
// are in its cell. Who is guessed is off his site by at most m; then whoever is nearer to some site is within 1 + m of
// the row in its own frame, and within (1 + m) |A| of it in the world, and so is everybody guessed. So it is enough that
// no more are listed within that than are guessed: who they are need not be looked up.
//
// Where vacant sites may be taken, nobody else may be as far off as a search looks.
#include "lattice/bonds.h"
#include "lattice/nearest_wide.h"
#include "lattice/rows_wide.h"
#include "simd/wide_pack.h"
#include "simd/wide_pick.h"

#define GENEROUS 1.002f // of squares: what numbers of seven digits may be off, and more
#define WIDEST 0.99f // cells: offsets as floats from 2 to 4, see Seen, are those of less than one
#define UNPROVED (-1.0f)

// What is known of the guesses of eight rows.
typedef struct Guess {
    I8 taken, count; // sites, as bits, and how many
    F8 worst;        // how far off its site any is, squared, in units of D/√2
    uint32_t odd;    // mask: lanes with somebody of another group
} Guess;

// the rows that sat on a site at the last search, as they are numbered now
THAW_INLINE I8 guessed(const ThawBondPass *pass, I8 at, uint32_t site) {
    const int32_t *slot = (const int32_t *)(const void *)pass->slot;
    I8 row = i8_pick(slot + (size_t)site * THAW_LANES, at);
    if (pass->now == NULL) return row;
    return i8_pick((const int32_t *)(const void *)pass->now, row);
}

THAW_INLINE W3 offset_to(const ThawBondPass *pass, const I8 own[3], I8 row) {
    uint32_t rows[THAW_LANES];
    I8 at[3], spare;
    i8_store((int32_t *)(void *)rows, row);
    i8_gather((const int32_t *)(const void *)pass->place, 4, rows, &at[0], &at[1], &at[2], &spare);
    return (W3){i8_float(i8_sub(at[0], own[0])), i8_float(i8_sub(at[1], own[1])),
                i8_float(i8_sub(at[2], own[2]))};
}

// Adds one site's guess; `inverse` makes of places where the row's frame has them, in units of D/√2.
THAW_INLINE void guess_site(const ThawBondPass *pass, const W33 *inverse, const I8 own[3],
                            const float *l, uint32_t site, I8 self, I8 row, Guess *guess) {
    W3 r = offset_to(pass, own, row), u = w33_apply(inverse, r);
    W3 off = w3_sub(u, (W3){f8_set(l[0]), f8_set(l[1]), f8_set(l[2])});
    I8 there = i8_where_same(row, self, i8_set(0), i8_set(-1));
    F8 misfit = i8_where_negative(there, w3_dot(off, off), w_zero());
    guess->worst = f8_max(guess->worst, misfit);
    guess->taken = i8_either(guess->taken, i8_and(there, (int32_t)THAW_SITE_OCCUPIED(site)));
    guess->count = i8_sub(guess->count, there);
    if (pass->lone) return;
    I8 mine = i8_pick(pass->group, self), theirs = i8_pick(pass->group, row);
    guess->odd |= ~i8_same(mine, theirs) & 0xffu;
}

// An upper bound of how much A stretches, squared: of AᵀA no eigenvalue is above a row's sum of sizes.
THAW_INLINE F8 bound_stretch2(const W33 *map) {
    W33 turned = w33_turn(map), square = w33_mul(&turned, map);
    F8 most = w_zero();
    for (int r = 0; r < 9; r += 3) {
        const F8 *m = &square.m[r];
        most = f8_max(most, f8_add(f8_add(f8_abs(m[0]), f8_abs(m[1])), f8_abs(m[2])));
    }
    return most;
}

// rows that were in blocks of mixed bonds, or have sites that are not where the lattice has them
static uint32_t find_odd(const ThawBondPass *pass, uint32_t first, const uint32_t *was) {
    uint32_t odd = 0;
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        odd |= (pass->block[was[k] / THAW_LANES] & THAW_BLOCK_MIXED ? 1u : 0u) << k;
    }
    for (uint32_t k = 0; pass->state->misfit != NULL && k < THAW_LANES; k++) {
        odd |= (thaw_lattice_is_off(pass->state, first + k) ? 1u : 0u) << k;
    }
    return odd;
}

// Lanes that a guess may be about: solid, with states of sites that say what is guessed. None of fresh ones does:
// theirs are open and closed at once.
THAW_INLINE uint32_t find_apt(const ThawBondPass *pass, uint32_t first, I8 sites, I8 taken) {
    const I8 none = i8_set(0);
    I8 closed = i8_right(sites, 12), wrong = i8_and(i8_both(sites, closed), 0xfff);
    uint32_t liquid = i8_same(i8_load(&pass->group[first]), none);
    return i8_same(i8_and(sites, 0xfff), taken) & i8_same(wrong, none) & ~liquid;
}

// How far around nobody else may be; UNPROVED where that cannot tell.
static void write_around(const ThawBondPass *pass, uint32_t first, const uint32_t *was,
                         const W33 *map, const Guess *guess) {
    I8 sites = i8_load(&pass->sites[first]);
    uint32_t apt = find_apt(pass, first, sites, guess->taken) & ~guess->odd;
    apt &= ~find_odd(pass, first, was);
    F8 unit = f8_load(&pass->unit[first]), generous = f8_set(GENEROUS);
    F8 cell = f8_mul(unit, f8_set(THAW_PLACE_ONE)), cell2 = f8_mul(cell, cell); // D
    // √(2 worst)/2 is how far off the worst is, in D
    F8 misfit = f8_mul(f8_sqrt(f8_add(guess->worst, guess->worst)), f8_set(0.5f));
    F8 wide = f8_add(f8_set(1.0f), misfit), look2 = first_reach2(map, pass->support);
    F8 rim2 = f8_mul(f8_mul(wide, wide), f8_mul(bound_stretch2(map), generous));
    // a search would look as far, 1.36 at the most: so m is below 0.36, and everybody well inside his site's cell
    apt &= f8_below(rim2, look2);
    if (pass->vacancies) {
        I8 filled = i8_and(i8_either(sites, i8_right(sites, 12)), 0xfff);
        F8 vacant = i8_bits(i8_where_same(filled, i8_set(0xfff), i8_set(0), i8_set(-1)));
        rim2 = i8_where_negative(f8_bits(vacant), f8_mul(look2, generous), rim2);
    }
    F8 around = f8_div(rim2, cell2);
    apt &= f8_below(around, f8_set(WIDEST * WIDEST));
    f8_store(&pass->around[first], around);
    i8_store(&pass->crowd[first], i8_add(guess->count, i8_set(1)));
    for (uint32_t left = ~apt & 0xffu; left != 0; left &= left - 1) {
        pass->around[first + (uint32_t)__builtin_ctz(left)] = UNPROVED;
    }
}

// rows of the last block, which may be no whole one, are searched
static void guess_nothing(const ThawBondPass *pass, uint32_t first) {
    for (uint32_t row = first; row < pass->rows; row++) {
        pass->around[row] = UNPROVED;
        for (uint32_t s = 0; s < THAW_SITES; s++) pass->candidate[thaw_bond_at(row, s)] = row;
    }
}

void THAW_WIDE(thaw_bonds_guess)(const ThawBondPass *pass, uint32_t block) {
    uint32_t first = block * THAW_LANES, now[THAW_LANES];
    if (first + THAW_LANES > pass->rows) {
        guess_nothing(pass, first);
        return;
    }
    I8 self = i8_add(i8_set((int32_t)first), i8_count()), own[3], spare;
    i8_store((int32_t *)(void *)now, self);
    const uint32_t *was = pass->was != NULL ? &pass->was[first] : now;
    I8 at = thaw_first_site(i8_load((const int32_t *)(const void *)was));
    i8_columns((const int32_t *)(const void *)&pass->place[first], &own[0], &own[1], &own[2],
               &spare);
    W33 map;
    load_nine(pass->map, now, map.m);
    W33 inverse = w33_inverse(&map);
    inverse = w33_scale(&inverse, f8_mul(f8_load(&pass->unit[first]), f8_set(1.41421356237f)));
    Guess guess = {i8_set(0), i8_set(0), w_zero(), 0};
    int32_t *to = (int32_t *)(void *)&pass->candidate[(size_t)first * THAW_SITES];
    const ThawSites *sites = thaw_sites(3);
    I8 who[THAW_SITES];
    // all look-ups first: what waits for one then does not hold up the next
    for (uint32_t s = 0; s < THAW_SITES; s++) who[s] = guessed(pass, at, s);
    for (uint32_t s = 0; s < THAW_SITES; s++, to += THAW_LANES) {
        I8 row = who[s];
        guess_site(pass, &inverse, own, sites->whole[s], s, self, row, &guess);
        I8 marked = i8_either(row, i8_set((int32_t)THAW_BOND_HELD));
        i8_store(to, i8_where_same(row, self, self, marked));
    }
    write_around(pass, first, was, &map, &guess);
}

// ---------------------------------------------------------------- the proof

// The cluster's own lanes, less the bits of 3.0f: a listed place minus that is the float 3 plus the offset, as
// floats from 2 to 4 count in place units. Further off than a cell it is wrong, but never too near.
typedef struct Seen {
    I8 at[3], group;
    F8 around;
} Seen;

static Seen see_lanes(const ThawBondPass *pass, const ThawCluster *cluster) {
    Seen seen;
    I8 spare, three = f8_bits(f8_set(3.0f));
    i8_columns((const int32_t *)(const void *)&pass->place[cluster->first], &seen.at[0],
               &seen.at[1], &seen.at[2], &spare);
    for (int a = 0; a < 3; a++) seen.at[a] = i8_sub(seen.at[a], three);
    seen.group = i8_load(&pass->group[cluster->first]);
    seen.around = f8_load(&pass->around[cluster->first]);
    return seen;
}

THAW_INLINE F8 away(I8 from, int32_t to) {
    return f8_sub(i8_bits(i8_sub(i8_set(to), from)), f8_set(3.0f));
}

// how many are listed within each lane's reach, itself among them
THAW_INLINE I8 count_around(const ThawBondPass *pass, const ThawSegment *segment, const Seen *seen,
                            bool lone) {
    I8 crowd = i8_set(0);
    const F8 none = w_zero();
    for (uint32_t k = 0; k < segment->count; k++) {
        uint32_t row = segment->list[k];
        const ThawPlace *place = &pass->place[row];
        F8 x = away(seen->at[0], place->x), y = away(seen->at[1], place->y);
        F8 z = away(seen->at[2], place->z);
        F8 r2 = f8_fma(z, z, f8_fma(y, y, f8_mul(x, x)));
        I8 one = i8_set(1);
        if (!lone) one = i8_where_same(seen->group, i8_set(pass->group[row]), one, i8_set(0));
        crowd = i8_add(crowd, f8_bits(f8_where(r2, seen->around, i8_bits(one), none)));
    }
    return crowd;
}

uint32_t THAW_WIDE(thaw_bonds_confirm)(const ThawBondPass *pass, const ThawCluster *cluster) {
    Seen seen = see_lanes(pass, cluster);
    uint32_t guessed = ~f8_below(seen.around, w_zero()) & ((1u << cluster->count) - 1);
    if (guessed == 0) return 0;
    // guesses are made where nothing is periodic: there is one segment
    const ThawSegment *segment = &pass->segments[cluster->segment];
    I8 crowd = pass->lone ? count_around(pass, segment, &seen, true)
                          : count_around(pass, segment, &seen, false);
    return guessed & i8_same(crowd, i8_load(&pass->crowd[cluster->first]));
}

// ---------------------------------------------------------------- what is beyond doubt

uint32_t THAW_WIDE(thaw_bonds_accept)(const ThawBondPass *pass, uint32_t block) {
    size_t at = (size_t)block * THAW_SITES * THAW_LANES;
    const int32_t *candidate = (const int32_t *)(const void *)&pass->candidate[at];
    int32_t *slot = (int32_t *)(void *)&pass->slot[at];
    I8 count = i8_set(0);
    for (uint32_t s = 0; s < THAW_SITES; s++, candidate += THAW_LANES, slot += THAW_LANES) {
        I8 whom = i8_load(candidate);
        count = i8_sub(count, i8_right(whom, 31));
        i8_store(slot, i8_and(whom, (int32_t)~THAW_BOND_HELD));
    }
    return i8_total(count);
}
