// Candidates for the sites of a cluster's particles.
//
// Whoever is near the cluster is put on a shelf, as seen from the cluster's middle. Each lane goes along the
// shelf eight at a time, by distance alone and a little generously. The dozen that are near it are then
// measured exactly, eight at a time too. Nearly always no two of them are on one site, and no occupant is missing:
// then they are what was looked for. Else the nearest to each site is found one by one.
#include "lattice/bonds.h"
#include "lattice/nearest_wide.h"
#include "lattice/offset_wide.h"
#include "lattice/rows_wide.h"
#include "simd/wide_pack.h"
#include "simd/wide_pick.h"

#include <float.h>
#include <math.h>

#define SHELF 512u
#define FAR 1e18f     // place units: what is not to be found lies there
#define WIDEST 1.0e9f // place units: beyond this, offsets from the middle do not tell who is near
#define ROOM 16u      // of the best, a lane: a whole number of vectors
#define NOWHERE 15    // in that room, for those on no site
#define FEW 32u       // near a lane, as they nearly always are

// the lanes of one cluster
typedef struct Lanes {
    uint32_t first, count;
    int32_t place[4 * THAW_LANES], group[THAW_LANES];
    float unit[THAW_LANES], reach2[THAW_LANES]; // D², how far the first look goes
    float inverse[9][THAW_LANES];               // A⁻¹, in 3D times √2
    float at[3][THAW_LANES];                    // from the middle, place units
    int32_t middle[3];
    float half[3];  // of the box
    uint32_t done;  // lanes whose candidates are written
    uint32_t begun; // lanes that have a best
    // the best that was found for each site; of floats that are not negative the bits compare as they do
    int32_t misfit[THAW_LANES][ROOM], candidate[THAW_LANES][ROOM];
} Lanes;

typedef struct Shelf {
    float x[SHELF], y[SHELF], z[SHELF]; // from the middle, place units
    float square[SHELF];                // of the distance from there
    int32_t row[SHELF];
    uint32_t count;
    bool whole; // all that is near the cluster has been on it at once
} Shelf;

// One look: some lanes of one group, and how far.
typedef struct Look {
    uint32_t mask;
    int32_t group;
    bool first;
    float reach2[THAW_LANES]; // D², exactly
    float around[THAW_LANES]; // place units squared, generously
    float widest;             // place units, of all
} Look;

// ---------------------------------------------------------------- the lanes

// A⁻¹ of the lanes, and how far off who is near one of their sites can be
static void load_maps(const ThawBondPass *pass, Lanes *lanes, const uint32_t *rows) {
    W33 map;
    load_nine(pass->map, rows, map.m);
    W33 inverse = w33_inverse(&map);
    if (pass->dimensions == 3) inverse = w33_scale(&inverse, f8_set(1.41421356237f));
    for (int c = 0; c < 9; c++) f8_store(lanes->inverse[c], inverse.m[c]);
    float fresh[THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        fresh[k] = pass->sites[rows[k]] == THAW_SITES_FRESH ? 1e6f : 1.0f;
    }
    F8 reach2 = f8_mul(first_reach2(&map, pass->support), f8_load(fresh));
    f8_store(lanes->reach2, f8_min(reach2, f8_set(pass->support * pass->support)));
}

// the box of one axis, and the lanes seen from its middle
THAW_INLINE void box_axis(Lanes *lanes, int axis, I8 at) {
    int32_t origin = lanes->place[axis];
    F8 away = i8_float(i8_sub(at, i8_set(origin)));
    float least = f8_least(away), most = f8_most(away);
    int32_t middle = (int32_t)(0.5f * (least + most));
    lanes->middle[axis] = thaw_place_add(origin, middle);
    lanes->half[axis] = 0.5f * (most - least) + 2.0f;
    f8_store(lanes->at[axis], f8_sub(away, f8_set((float)middle)));
}

// rows that a short cluster lacks repeat its first
static uint32_t load_lanes(const ThawBondPass *pass, const ThawCluster *cluster, Lanes *lanes) {
    uint32_t rows[THAW_LANES];
    lanes->first = cluster->first;
    lanes->count = cluster->count;
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        uint32_t row = cluster->first + (k < cluster->count ? k : 0);
        rows[k] = row;
        lanes->group[k] = pass->group[row];
        lanes->unit[k] = pass->unit[row];
        __builtin_memcpy(&lanes->place[4 * k], &pass->place[row], sizeof *pass->place);
    }
    lanes->done = lanes->begun = 0;
    uint32_t liquid = i8_same(i8_load(lanes->group), i8_set(0));
    uint32_t solid = ((1u << cluster->count) - 1) & ~liquid;
    if (solid == 0) return 0;
    I8 x, y, z, spare;
    i8_columns(lanes->place, &x, &y, &z, &spare);
    box_axis(lanes, 0, x);
    box_axis(lanes, 1, y);
    box_axis(lanes, 2, z);
    load_maps(pass, lanes, rows);
    return solid;
}

// ---------------------------------------------------------------- the shelf

// whether offsets from the middle may not be those of the shortest way
static bool is_vague(const ThawBondPass *pass, float half, float reach) {
    bool vague = half > WIDEST;
    for (int a = 0; a < 3; a++) {
        float period = (float)pass->period[a];
        vague = vague || (period != 0 && period < 2.1f * (half + reach));
    }
    return vague;
}

// How far a look goes in place units; where that cannot tell who is near, everybody is measured.
static void set_reach(const ThawBondPass *pass, const Lanes *lanes, Look *look, F8 reach2) {
    float half = fmaxf(fmaxf(lanes->half[0], lanes->half[1]), lanes->half[2]);
    float reaches[THAW_LANES];
    // places of half the box's size are rounded by less
    F8 more = f8_set(64.0f + 1e-6f * half);
    F8 reach = f8_fma(f8_div(f8_sqrt(reach2), f8_load(lanes->unit)), f8_set(1.0001f), more);
    f8_store(look->reach2, reach2);
    f8_store(reaches, reach);
    look->widest = 0;
    for (uint32_t mask = look->mask; mask != 0; mask &= mask - 1) {
        look->widest = fmaxf(look->widest, reaches[__builtin_ctz(mask)]);
    }
    // squares of places on the shelf, and what they are made of, are rounded by less
    float span = half + look->widest;
    f8_store(look->around, f8_fma(reach, reach, f8_set(4e-6f * span * span)));
    if (!is_vague(pass, half, look->widest)) return;
    look->widest = 0.5f * FAR;
    f8_store(look->around, f8_set(look->widest * look->widest));
}

THAW_INLINE F8 box_gap(F8 away, float half) {
    return f8_max(f8_sub(f8_abs(away), f8_set(half)), w_zero());
}

THAW_INLINE bool is_periodic(const ThawBondPass *pass) {
    return (pass->period[0] | pass->period[1] | pass->period[2]) != 0;
}

// from one place to others in place units; the compiler knows where no axis is periodic
THAW_INLINE W3 offset_from(const ThawBondPass *pass, const int32_t from[3], const I8 to[3],
                           bool periodic) {
    const int32_t none[3] = {0, 0, 0}, *period = periodic ? pass->period : none;
    return (W3){offset_axis(i8_set(from[0]), to[0], period[0]),
                offset_axis(i8_set(from[1]), to[1], period[1]),
                offset_axis(i8_set(from[2]), to[2], period[2])};
}

// which of eight rows are of a group
THAW_INLINE uint32_t of_group(const ThawBondPass *pass, const uint32_t *rows, int32_t group) {
    uint32_t mask = 0;
    if (pass->lone) return 0xffu;
    for (uint32_t k = 0; k < THAW_LANES; k++)
        mask |= (pass->group[rows[k]] == group ? 1u : 0u) << k;
    return mask;
}

// those of eight listed rows that are asked for, of the group and near the box
THAW_INLINE void put_on_shelf(const ThawBondPass *pass, const Lanes *lanes, const Look *look,
                              const uint32_t *rows, uint32_t asked, bool periodic, Shelf *shelf) {
    I8 at[3], spare, listed = i8_load((const int32_t *)(const void *)rows);
    i8_gather((const int32_t *)(const void *)pass->place, 4, rows, &at[0], &at[1], &at[2], &spare);
    W3 d = offset_from(pass, lanes->middle, at, periodic);
    F8 gap_x = box_gap(d.x, lanes->half[0]), gap_y = box_gap(d.y, lanes->half[1]);
    F8 gap_z = box_gap(d.z, lanes->half[2]);
    F8 gap2 = f8_fma(gap_z, gap_z, f8_fma(gap_y, gap_y, f8_mul(gap_x, gap_x)));
    asked &=
        f8_below(gap2, f8_set(look->widest * look->widest)) & of_group(pass, rows, look->group);
    Packing packing = pack_lanes(asked);
    uint32_t end = shelf->count;
    f8_store(&shelf->x[end], f8_packed(d.x, packing));
    f8_store(&shelf->y[end], f8_packed(d.y, packing));
    f8_store(&shelf->z[end], f8_packed(d.z, packing));
    f8_store(&shelf->square[end], f8_packed(w3_dot(d, d), packing));
    i8_store(&shelf->row[end], i8_packed(listed, packing));
    shelf->count = end + (uint32_t)__builtin_popcount(asked);
}

// nobody is near beyond the end
static void close_shelf(Shelf *shelf) {
    f8_store(&shelf->x[shelf->count], w_zero());
    f8_store(&shelf->y[shelf->count], w_zero());
    f8_store(&shelf->z[shelf->count], w_zero());
    f8_store(&shelf->square[shelf->count], f8_set(INFINITY));
    i8_store(&shelf->row[shelf->count], i8_set(0));
}

// The rows on the shelf that are about near a lane, in order: |q|² − 2 q p ≤ reach² − |p|².
THAW_INLINE uint32_t find_near(const Shelf *shelf, const Lanes *lanes, uint32_t lane, float around,
                               uint32_t *hits) {
    float px = lanes->at[0][lane], py = lanes->at[1][lane], pz = lanes->at[2][lane];
    F8 x = f8_set(-2.0f * px), y = f8_set(-2.0f * py), z = f8_set(-2.0f * pz);
    F8 most = f8_set(around - (px * px + py * py + pz * pz));
    uint32_t found = 0, end = shelf->count;
    for (uint32_t k = 0; k < end; k += THAW_LANES) {
        F8 less = f8_fma(f8_load(&shelf->x[k]), x, f8_load(&shelf->square[k]));
        less = f8_fma(f8_load(&shelf->y[k]), y, less);
        less = f8_fma(f8_load(&shelf->z[k]), z, less);
        uint32_t near = f8_below(less, most);
        I8 rows = i8_packed(i8_load(&shelf->row[k]), pack_lanes(near));
        i8_store((int32_t *)(void *)(hits + found), rows);
        found += (uint32_t)__builtin_popcount(near);
    }
    // filled up with the row itself, which is on no site of its own
    i8_store((int32_t *)(void *)(hits + found), i8_set((int32_t)(lanes->first + lane)));
    return found;
}

// ---------------------------------------------------------------- measuring

// where all this is; the compiler knows
typedef enum Space { SOLID, PERIODIC, FLAT } Space;

// Where eight hits are to a lane.
THAW_INLINE Nearest measure_eight(const ThawBondPass *pass, const Lanes *lanes, uint32_t lane,
                                  float reach2, const uint32_t *hits, const W33 *inverse,
                                  Space space) {
    const int32_t *own = &lanes->place[4 * lane];
    I8 at[3], spare;
    i8_gather((const int32_t *)(const void *)pass->place, 4, hits, &at[0], &at[1], &at[2], &spare);
    W3 r = offset_from(pass, own, at, space != SOLID);
    r = w3_scale(r, f8_set(lanes->unit[lane]));
    W3 u = w33_apply(inverse, r);
    Nearest near = space == FLAT ? nearest_flat(u) : nearest_solid(u);
    near.misfit = f8_where(w3_dot(r, r), f8_set(reach2), near.misfit, f8_set(INFINITY));
    return near;
}

THAW_INLINE void load_inverse(const Lanes *lanes, uint32_t lane, W33 *inverse) {
    for (int c = 0; c < 9; c++) inverse->m[c] = f8_set(lanes->inverse[c][lane]);
}

// sites of a row that may keep their occupants
static uint32_t held_sites(const ThawBondPass *pass, size_t row) {
    uint32_t sites = (uint32_t)pass->sites[row];
    return pass->sites[row] == THAW_SITES_FRESH ? 0 : sites & ~(sites >> 12) & 0xfffu;
}

// the row's candidates, with marks where they may be occupants already
static void write_candidates(const ThawBondPass *pass, size_t row, const int32_t *candidate) {
    uint32_t held = held_sites(pass, row), *to = &pass->candidate[thaw_bond_at((uint32_t)row, 0)];
    for (uint32_t s = 0; s < THAW_SITES; s++) {
        to[s * THAW_LANES] = (uint32_t)candidate[s] | (held >> s & 1u) << 31;
    }
}

// What the lanes have near them. Each step is taken for all lanes before the next, as what a lane does
// waits for what it did before.
typedef struct Hits {
    uint32_t count[THAW_LANES];
    uint32_t row[THAW_LANES][SHELF + THAW_LANES];
    uint32_t site[THAW_LANES][FEW + THAW_LANES];
} Hits;

// The sites of a lane's hits; false where some site has several or has lost its occupant.
THAW_INLINE bool site_hits(const ThawBondPass *pass, const Lanes *lanes, uint32_t lane,
                           float reach2, Hits *hits, Space space) {
    const F8 most = f8_set(THAW_BOND_TOLERANCE * THAW_BOND_TOLERANCE), far = f8_set(FLT_MAX);
    const F8 none = w_zero(), nowhere = i8_bits(i8_set(NOWHERE));
    size_t row = lanes->first + lane;
    I8 seen = i8_set(0), fits = i8_set(0);
    uint32_t found = 0, count = hits->count[lane];
    W33 inverse;
    load_inverse(lanes, lane, &inverse);
    for (uint32_t k = 0; k < count; k += THAW_LANES) {
        const uint32_t *rows = &hits->row[lane][k];
        Nearest near = measure_eight(pass, lanes, lane, reach2, rows, &inverse, space);
        F8 bit = f8_where(near.misfit, far, i8_bits(i8_shift(i8_set(1), near.site)), none);
        seen = i8_add(seen, f8_bits(bit));
        fits = i8_add(fits, f8_bits(f8_where(most, near.misfit, none, bit)));
        found += (uint32_t)__builtin_popcount(f8_below(near.misfit, far));
        F8 site = f8_where(near.misfit, far, i8_bits(near.site), nowhere);
        i8_store((int32_t *)(void *)&hits->site[lane][k], f8_bits(site));
    }
    uint32_t sites = i8_total(seen), held = (uint32_t)pass->sites[row];
    pass->fits[row] = (uint16_t)i8_total(fits);
    // sums of different powers of two have as many bits
    if ((uint32_t)__builtin_popcount(sites) != found) return false;
    return pass->sites[row] == THAW_SITES_FRESH || (held & ~sites & 0xfffu) == 0;
}

// hits as candidates, where they are on different sites
static void take_hits(const ThawBondPass *pass, const Hits *hits, Lanes *lanes, uint32_t mask) {
    lanes->done |= mask;
    lanes->begun |= mask;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        int32_t *candidate = lanes->candidate[lane];
        I8 row = i8_set((int32_t)(lanes->first + lane));
        for (uint32_t s = 0; s < ROOM; s += THAW_LANES) i8_store(candidate + s, row);
        // those that fill the list up are on no site
        const uint32_t *site = hits->site[lane], *rows = hits->row[lane];
        for (uint32_t n = hits->count[lane]; n > 0; n = n > THAW_LANES ? n - THAW_LANES : 0) {
            for (uint32_t k = 0; k < THAW_LANES; k++) candidate[site[k]] = (int32_t)rows[k];
            site += THAW_LANES;
            rows += THAW_LANES;
        }
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        write_candidates(pass, lanes->first + lane, lanes->candidate[lane]);
    }
}

// Keeps the best for each site, one by one.
THAW_INLINE void weigh_hits(const ThawBondPass *pass, Lanes *lanes, uint32_t lane, float reach2,
                            const uint32_t *hits, uint32_t count, Space space) {
    W33 inverse;
    load_inverse(lanes, lane, &inverse);
    for (uint32_t k = 0; k < count; k += THAW_LANES) {
        Nearest near = measure_eight(pass, lanes, lane, reach2, hits + k, &inverse, space);
        int32_t misfit[THAW_LANES], site[THAW_LANES];
        i8_store(misfit, f8_bits(near.misfit));
        i8_store(site, near.site);
        for (uint32_t n = 0; n < THAW_LANES; n++) {
            int32_t *best = &lanes->misfit[lane][site[n]], *who = &lanes->candidate[lane][site[n]];
            int32_t least = *best, holder = *who;
            bool nearer = misfit[n] < least;
            *best = nearer ? misfit[n] : least;
            *who = nearer ? (int32_t)hits[k + n] : holder;
        }
    }
}

// the same for a row with sites that are not where its lattice has them
static void weigh_off(const ThawBondPass *pass, Lanes *lanes, uint32_t lane, float reach2,
                      const uint32_t *hits, uint32_t count) {
    const double scale = pass->dimensions == 3 ? 0.70710678118654752440 : 1.0;
    const int32_t *own = &lanes->place[4 * lane];
    for (uint32_t k = 0; k < count; k++) {
        const ThawPlace *place = &pass->place[hits[k]];
        const int32_t other[3] = {place->x, place->y, place->z};
        double r[3], u[3], at[3], length2 = 0, square = 0;
        for (int a = 0; a < 3; a++) {
            int32_t d = thaw_place_sub(other[a], own[a]), period = pass->period[a];
            double below = thaw_place_sub(d, period), above = thaw_place_add(d, period);
            r[a] = d;
            if (period != 0 && fabs(below) < fabs(r[a])) r[a] = below;
            if (period != 0 && fabs(above) < fabs(r[a])) r[a] = above;
            r[a] *= (double)lanes->unit[lane];
            length2 += r[a] * r[a];
        }
        if (!(length2 < (double)reach2)) continue;
        for (int a = 0; a < 3; a++) {
            u[a] = 0;
            for (int b = 0; b < 3; b++) {
                u[a] += scale * (double)lanes->inverse[3 * a + b][lane] * r[b];
            }
        }
        int site = thaw_lattice_nearest(pass->state, lanes->first + lane, pass->dimensions, u, at);
        for (int a = 0; a < 3 && site >= 0; a++) square += (u[a] - at[a]) * (u[a] - at[a]);
        if (site < 0) continue;
        union {
            float value;
            int32_t bits;
        } misfit = {.value = (float)square};
        if (misfit.bits >= lanes->misfit[lane][site]) continue;
        lanes->misfit[lane][site] = misfit.bits;
        lanes->candidate[lane][site] = (int32_t)hits[k];
    }
}

static void begin_best(Lanes *lanes, uint32_t lane) {
    if ((lanes->begun >> lane & 1u) != 0) return;
    lanes->begun |= 1u << lane;
    for (uint32_t s = 0; s < ROOM; s += THAW_LANES) {
        i8_store(&lanes->misfit[lane][s], f8_bits(f8_set(INFINITY)));
        i8_store(&lanes->candidate[lane][s], i8_set((int32_t)(lanes->first + lane)));
    }
}

THAW_INLINE void search_lanes(const ThawBondPass *pass, const Shelf *shelf, const Look *look,
                              Lanes *lanes, Space space) {
    Hits hits;
    uint32_t clear = 0, off = 0;
    for (uint32_t left = look->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        hits.count[lane] = find_near(shelf, lanes, lane, look->around[lane], hits.row[lane]);
        off |= (thaw_lattice_is_off(pass->state, lanes->first + lane) ? 1u : 0u) << lane;
    }
    for (uint32_t left = look->mask; look->first && shelf->whole && left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (hits.count[lane] > FEW || (off >> lane & 1u) != 0) continue;
        bool sure = site_hits(pass, lanes, lane, look->reach2[lane], &hits, space);
        clear |= (uint32_t)sure << lane;
    }
    take_hits(pass, &hits, lanes, clear);
    for (uint32_t left = look->mask & ~clear; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint32_t *rows = hits.row[lane];
        begin_best(lanes, lane);
        if ((off >> lane & 1u) != 0)
            weigh_off(pass, lanes, lane, look->reach2[lane], rows, hits.count[lane]);
        else
            weigh_hits(pass, lanes, lane, look->reach2[lane], rows, hits.count[lane], space);
    }
}

static void search_shelf(const ThawBondPass *pass, Shelf *shelf, const Look *look, Lanes *lanes) {
    bool periodic = is_periodic(pass);
    close_shelf(shelf);
    if (pass->dimensions == 2)
        search_lanes(pass, shelf, look, lanes, FLAT);
    else if (periodic)
        search_lanes(pass, shelf, look, lanes, PERIODIC);
    else
        search_lanes(pass, shelf, look, lanes, SOLID);
}

// ---------------------------------------------------------------- one look

// One segment's rows, eight at a time; the last eight overlap those before.
THAW_INLINE void shelve_segment(const ThawBondPass *pass, const ThawSegment *segment,
                                const Look *look, Lanes *lanes, bool periodic, Shelf *shelf) {
    uint32_t few[THAW_LANES];
    for (uint32_t k = 0; k < segment->count; k += THAW_LANES) {
        const uint32_t *rows = &segment->list[k];
        uint32_t left = segment->count - k, asked = 0xffu;
        if (left < THAW_LANES && k > 0) {
            rows -= THAW_LANES - left;
            asked = 0xff00u >> left & 0xffu;
        } else if (left < THAW_LANES) {
            for (uint32_t n = 0; n < THAW_LANES; n++) few[n] = rows[n < left ? n : 0];
            rows = few;
            asked >>= THAW_LANES - left;
        }
        put_on_shelf(pass, lanes, look, rows, asked, periodic, shelf);
        if (shelf->count <= SHELF - 2 * THAW_LANES) continue;
        shelf->whole = false;
        search_shelf(pass, shelf, look, lanes);
        shelf->count = 0;
    }
}

static void look_through(const ThawBondPass *pass, const ThawCluster *cluster, const Look *look,
                         Lanes *lanes) {
    Shelf shelf;
    shelf.count = 0;
    shelf.whole = true;
    const ThawSegment *segments = &pass->segments[cluster->segment];
    if (is_periodic(pass)) {
        for (uint32_t s = 0; s < cluster->segment_count; s++)
            shelve_segment(pass, &segments[s], look, lanes, true, &shelf);
    } else {
        for (uint32_t s = 0; s < cluster->segment_count; s++)
            shelve_segment(pass, &segments[s], look, lanes, false, &shelf);
    }
    search_shelf(pass, &shelf, look, lanes);
}

// lanes that hold a site whose occupant was not found nearby: it may have gone further off
static uint32_t lanes_that_miss(const ThawBondPass *pass, const Lanes *lanes, uint32_t mask) {
    uint32_t missing = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(mask), row = lanes->first + k;
        if (pass->sites[row] == THAW_SITES_FRESH) continue;
        const int32_t *candidate = lanes->candidate[k];
        I8 own = i8_set((int32_t)row);
        uint32_t vacant = i8_same(i8_load(candidate), own) | i8_same(i8_load(candidate + 8), own)
                                                                 << 8;
        if (((uint32_t)pass->sites[row] & vacant & 0xfffu) != 0) missing |= 1u << k;
    }
    return missing;
}

// the lanes of one group
static void look_around(const ThawBondPass *pass, const ThawCluster *cluster, Lanes *lanes,
                        uint32_t mask, int32_t group) {
    Look look = {.mask = mask, .group = group, .first = true};
    set_reach(pass, lanes, &look, f8_load(lanes->reach2));
    look_through(pass, cluster, &look, lanes);
    look.mask = lanes_that_miss(pass, lanes, mask & ~lanes->done);
    look.first = false;
    if (look.mask == 0) return;
    set_reach(pass, lanes, &look, f8_set(pass->support * pass->support));
    look_through(pass, cluster, &look, lanes);
}

// what was found, and which of it is near enough for a new bond
static void keep_best(const ThawBondPass *pass, const Lanes *lanes, uint32_t lane) {
    const F8 most = f8_set(THAW_BOND_TOLERANCE * THAW_BOND_TOLERANCE);
    const int32_t *misfit = lanes->misfit[lane];
    F8 low = i8_bits(i8_load(misfit)), high = i8_bits(i8_load(misfit + THAW_LANES));
    size_t row = lanes->first + lane;
    uint32_t off = f8_below(most, low) | f8_below(most, high) << THAW_LANES;
    pass->fits[row] = (uint16_t)(~off & 0xfffu);
    write_candidates(pass, row, lanes->candidate[lane]);
}

// the lanes of a cluster that are asked for, those of each group by themselves
static void search_cluster(const ThawBondPass *pass, const ThawCluster *cluster, uint32_t asked) {
    Lanes lanes;
    uint32_t solid = load_lanes(pass, cluster, &lanes) & asked;
    for (uint32_t left = solid; left != 0;) {
        int32_t group = lanes.group[__builtin_ctz(left)];
        uint32_t alike = left & i8_same(i8_load(lanes.group), i8_set(group));
        look_around(pass, cluster, &lanes, alike, group);
        left &= ~alike;
    }
    for (uint32_t left = solid & ~lanes.done; left != 0; left &= left - 1) {
        keep_best(pass, &lanes, (uint32_t)__builtin_ctz(left));
    }
}

static void doubt_row(const ThawBondPass *pass, uint32_t row) {
    atomic_store_explicit(&pass->doubt[row], 1, memory_order_relaxed);
}

// Rows that were guessed wrong, and those that were guessed to be bonded to them: bonds have two sides.
static void doubt_lanes(const ThawBondPass *pass, const ThawCluster *cluster, uint32_t wrong) {
    for (; wrong != 0; wrong &= wrong - 1) {
        uint32_t row = cluster->first + (uint32_t)__builtin_ctz(wrong);
        doubt_row(pass, row);
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            doubt_row(pass, pass->candidate[thaw_bond_at(row, s)] & ~THAW_BOND_HELD);
        }
    }
}

void THAW_WIDE(thaw_bonds_candidates)(const ThawBondPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_BOND_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        uint32_t asked = (1u << cluster->count) - 1;
        if (pass->around != NULL) {
            asked &= ~THAW_WIDE(thaw_bonds_confirm)(pass, cluster);
            doubt_lanes(pass, cluster, asked);
        }
        if (asked != 0) search_cluster(pass, cluster, asked);
    }
}

// ---------------------------------------------------------------- bonds that stay

// lanes of different materials that are bonded, as bits of any kind
THAW_INLINE I8 unlike(const ThawBondPass *pass, I8 own, I8 other) {
    const int16_t *material = (const int16_t *)(const void *)pass->material;
    I8 a = i8_and(i8_pick_pair(material, own), 0xffff);
    I8 b = i8_and(i8_pick_pair(material, other), 0xffff);
    return i8_where_same(a, b, i8_set(0), i8_set(1));
}

bool THAW_WIDE(thaw_bonds_keep)(const ThawBondPass *pass, uint32_t block, uint32_t *kept) {
    const int32_t *candidate = (const int32_t *)(const void *)pass->candidate;
    const int32_t held = (int32_t)THAW_BOND_HELD;
    uint32_t first = block * THAW_LANES;
    I8 own = i8_add(i8_set((int32_t)first), i8_count()), marked = i8_either(own, i8_set(held));
    I8 stay = i8_set(0), mixed = i8_set(0);
    int32_t *slot = (int32_t *)(void *)&pass->slot[(size_t)first * THAW_SITES];
    for (uint32_t s = 0; s < THAW_SITES; s++, slot += THAW_LANES) {
        I8 mine = i8_load(candidate + ((size_t)first * THAW_SITES + s * THAW_LANES));
        I8 other = i8_and(mine, ~held);
        I8 theirs = i8_pick(candidate + (size_t)(s ^ 1u) * THAW_LANES, thaw_first_site(other));
        // whoever is not marked, and the row itself, is not kept here
        I8 whom = i8_where_same(theirs, marked, other, own);
        whom = i8_where_same(mine, other, own, whom);
        I8 bit = i8_where_same(whom, own, i8_set(0), i8_set(1 << s));
        if (pass->material != NULL) mixed = i8_either(mixed, unlike(pass, own, whom));
        stay = i8_either(stay, bit);
        i8_store(slot, whom);
    }
    i8_store((int32_t *)(void *)kept, stay);
    return i8_same(mixed, i8_set(0)) != 0xffu;
}
