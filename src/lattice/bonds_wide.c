// Candidates for the sites of a cluster's particles.
//
// Whoever is near the cluster is put on a shelf, as seen from the cluster's middle. Each lane goes along the
// shelf eight at a time, by distance alone and a little generously. The dozen that are near it are then
// measured exactly, eight at a time too.
#include "lattice/bonds.h"
#include "lattice/offset_wide.h"
#include "lattice/rows_wide.h"

#include <math.h>

// D: sites that are vacant take nobody further off than this, and hardly ever is an occupant; those that have
// gone further are looked for a second time
#define NEAR 1.36f

#define SHELF 512u
#define FAR 1e18f     // place units: what is not to be found lies there
#define WIDEST 1.0e9f // place units: beyond this, offsets from the middle do not tell who is near
#define ROOM 16u      // of the best, a lane: a whole number of vectors

// the lanes of one cluster
typedef struct Lanes {
    uint32_t first, count;
    int32_t place[4 * THAW_LANES], group[THAW_LANES];
    float unit[THAW_LANES], reach2[THAW_LANES]; // D², how far the first look goes
    float inverse[9][THAW_LANES];               // A⁻¹, in 3D times √2
    float at[3][THAW_LANES];                    // from the middle, place units
    int32_t middle[3];
    float half[3]; // of the box
    // the best that was found for each site; of floats that are not negative the bits compare as they do
    int32_t misfit[THAW_LANES][ROOM], candidate[THAW_LANES][ROOM];
} Lanes;

typedef struct Shelf {
    float x[SHELF], y[SHELF], z[SHELF]; // from the middle, place units
    int32_t place[4 * SHELF];           // and as they are: x, y, z and the row
    uint32_t count;                     // a multiple of eight
} Shelf;

// One look: some lanes of one group, and how far.
typedef struct Look {
    uint32_t mask;
    int32_t group;
    float reach2[THAW_LANES]; // D², exactly
    float around[THAW_LANES]; // place units squared, generously
    float widest;             // place units, of all
} Look;

// ---------------------------------------------------------------- the nearest site

// Where eight particles are to a lane: the first-shell site, and how far off it they are.
typedef struct Nearest {
    int32_t site[THAW_LANES];
    F8 misfit; // squared, D²; INFINITY outside the site's cell
} Nearest;

// the site by the signs of the two coordinates that are not the least
THAW_INLINE I8 solid_site(W3 w, F8 first, F8 second, F8 third) {
    const F8 zero = w_zero(), half = f8_set(0.5f);
    F8 p = f8_where(first, half, w.y, w.x), q = f8_where(third, half, w.y, w.z);
    // sites with the third, the second, the first coordinate 0; ++, −−, +−, −+ of the other two
    F8 base = f8_where(first, half, f8_set(8.0f), f8_where(second, half, f8_set(4.0f), zero));
    F8 plus = f8_where(p, zero, f8_set(3.0f), zero);
    F8 minus = f8_where(p, zero, f8_set(1.0f), f8_set(2.0f));
    return f8_round(f8_add(base, f8_where(q, zero, minus, plus)));
}

// The nearest point of the close packing, where that is in the first shell. `w` is the place in units of
// D/√2: sites have ±1 on two axes, and those are the two on which w is largest. Their cells are rhombic
// dodecahedra: the two largest offsets add up to at most one.
THAW_INLINE Nearest nearest_solid(W3 w) {
    const F8 one = f8_set(1.0f), zero = w_zero();
    F8 a[3] = {f8_abs(w.x), f8_abs(w.y), f8_abs(w.z)}, e[3];
    F8 least = f8_min(f8_min(a[0], a[1]), a[2]);
    // one axis alone is the least, the first of equals
    F8 first = f8_where(a[0], least, zero, one);
    F8 second = f8_where(a[1], least, f8_sub(one, first), one);
    F8 third = f8_where(f8_add(first, second), f8_set(1.5f), one, zero);
    e[0] = f8_abs(f8_sub(a[0], first));
    e[1] = f8_abs(f8_sub(a[1], second));
    e[2] = f8_abs(f8_sub(a[2], third));
    F8 small = f8_min(f8_min(e[0], e[1]), e[2]);
    F8 sum = f8_sub(f8_add(f8_add(e[0], e[1]), e[2]), small);
    F8 square = f8_fma(e[0], e[0], f8_fma(e[1], e[1], f8_mul(e[2], e[2])));
    Nearest near;
    i8_store(near.site, solid_site(w, first, second, third));
    near.misfit = f8_where(sum, one, f8_mul(square, f8_set(0.5f)), f8_set(INFINITY));
    return near;
}

THAW_INLINE F8 round_float(F8 a) {
    return i8_float(f8_round(a));
}

// the site by 3 a + b of its cube coordinates, where it is one
static int32_t flat_site(int32_t code) {
    static const int8_t table[9] = {0, 1, 4, 3, 0, 2, 5, 0, 0};
    return code >= -4 && code <= 4 ? table[code + 4] : 0;
}

// Hexagonal: rounding in cube coordinates, which must add up to nothing; the one that rounding moved most
// gives way.
THAW_INLINE Nearest nearest_flat(W3 u) {
    const F8 rise = f8_set(0.86602540378f), half = f8_set(0.5f), zero = w_zero();
    F8 w[3], n[3], e[3];
    w[1] = f8_div(u.y, rise);
    w[0] = f8_nma(half, w[1], u.x);
    w[2] = f8_sub(f8_sub(zero, w[0]), w[1]);
    for (int a = 0; a < 3; a++) {
        n[a] = round_float(w[a]);
        e[a] = f8_abs(f8_sub(w[a], n[a]));
    }
    F8 excess = f8_add(f8_add(n[0], n[1]), n[2]), most = f8_max(f8_max(e[0], e[1]), e[2]);
    F8 first = f8_where(most, e[0], excess, zero);
    F8 second = f8_where(most, e[1], f8_sub(excess, first), zero);
    n[0] = f8_sub(n[0], first);
    n[1] = f8_sub(n[1], second);
    n[2] = f8_sub(zero, f8_add(n[0], n[1]));
    // of the first shell: Σ n² = 2
    F8 norm = f8_fma(n[0], n[0], f8_fma(n[1], n[1], f8_mul(n[2], n[2])));
    F8 x = f8_sub(u.x, f8_fma(half, n[1], n[0])), y = f8_nma(rise, n[1], u.y);
    Nearest near;
    i8_store(near.site, f8_round(f8_fma(n[0], f8_set(3.0f), n[1])));
    for (int k = 0; k < THAW_LANES; k++) near.site[k] = flat_site(near.site[k]);
    near.misfit = f8_where(f8_abs(f8_sub(norm, f8_set(2.0f))), f8_set(0.25f),
                           f8_fma(x, x, f8_mul(y, y)), f8_set(INFINITY));
    return near;
}

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
    // the longest stretch
    F8 stretch2 = w_zero();
    for (int c = 0; c < 3; c++) {
        W3 column = {map.m[c], map.m[3 + c], map.m[6 + c]};
        stretch2 = f8_max(stretch2, w3_dot(column, column));
    }
    F8 reach2 = f8_mul(f8_mul(stretch2, f8_load(fresh)), f8_set(NEAR * NEAR));
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
        for (uint32_t s = 0; s < ROOM; s += THAW_LANES) {
            i8_store(&lanes->misfit[k][s], f8_bits(f8_set(INFINITY)));
            i8_store(&lanes->candidate[k][s], i8_set((int32_t)row));
        }
    }
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
    f8_store(look->around, f8_mul(reach, reach));
    f8_store(reaches, reach);
    look->widest = 0;
    for (uint32_t mask = look->mask; mask != 0; mask &= mask - 1) {
        look->widest = fmaxf(look->widest, reaches[__builtin_ctz(mask)]);
    }
    if (!is_vague(pass, half, look->widest)) return;
    look->widest = 0.5f * FAR;
    f8_store(look->around, f8_set(look->widest * look->widest));
}

THAW_INLINE F8 box_gap(F8 away, float half) {
    return f8_max(f8_sub(f8_abs(away), f8_set(half)), w_zero());
}

// eight listed rows, unless none of them is near the box
THAW_INLINE void put_on_shelf(const ThawBondPass *pass, const Lanes *lanes, const Look *look,
                              const uint32_t *rows, Shelf *shelf) {
    I8 x, y, z, group, spare;
    i8_gather((const int32_t *)(const void *)pass->place, 4, rows, &x, &y, &z, &spare);
    i8_gather(pass->group, 1, rows, &group, &spare, &spare, &spare);
    F8 dx = offset_axis(i8_set(lanes->middle[0]), x, pass->period[0]);
    F8 dy = offset_axis(i8_set(lanes->middle[1]), y, pass->period[1]);
    F8 dz = offset_axis(i8_set(lanes->middle[2]), z, pass->period[2]);
    dx = f8_fma(i8_differ(group, i8_set(look->group)), f8_set(FAR), dx);
    F8 gap_x = box_gap(dx, lanes->half[0]), gap_y = box_gap(dy, lanes->half[1]);
    F8 gap_z = box_gap(dz, lanes->half[2]);
    F8 gap2 = f8_fma(gap_z, gap_z, f8_fma(gap_y, gap_y, f8_mul(gap_x, gap_x)));
    if (f8_below(gap2, f8_set(look->widest * look->widest)) == 0) return;
    uint32_t at = shelf->count;
    f8_store(&shelf->x[at], dx);
    f8_store(&shelf->y[at], dy);
    f8_store(&shelf->z[at], dz);
    i8_rows(&shelf->place[4 * at], x, y, z, i8_load((const int32_t *)(const void *)rows));
    shelf->count = at + THAW_LANES;
}

// the entries of the shelf that are about near a lane, in order
THAW_INLINE uint32_t find_near(const Shelf *shelf, const Lanes *lanes, uint32_t lane, float around,
                               uint32_t *hits) {
    F8 x = f8_set(lanes->at[0][lane]), y = f8_set(lanes->at[1][lane]);
    F8 z = f8_set(lanes->at[2][lane]), reach2 = f8_set(around);
    uint32_t found = 0;
    for (uint32_t k = 0; k < shelf->count; k += THAW_LANES) {
        F8 dx = f8_sub(f8_load(&shelf->x[k]), x), dy = f8_sub(f8_load(&shelf->y[k]), y);
        F8 dz = f8_sub(f8_load(&shelf->z[k]), z);
        F8 r2 = f8_fma(dz, dz, f8_fma(dy, dy, f8_mul(dx, dx)));
        found += i8_compress(hits + found, k, f8_below(r2, reach2));
    }
    return found;
}

// Measures hits exactly and keeps the best for each site. The list of hits is filled up with the first of them:
// nobody is better than himself. (Another one of the shelf may be of another group.)
THAW_INLINE void measure_hits(const ThawBondPass *pass, const Shelf *shelf, Lanes *lanes,
                              uint32_t lane, float reach2, uint32_t *hits, uint32_t count,
                              bool flat) {
    const int32_t *own = &lanes->place[4 * lane];
    W33 inverse;
    for (int c = 0; c < 9; c++) inverse.m[c] = f8_set(lanes->inverse[c][lane]);
    for (uint32_t n = 0; n < THAW_LANES; n++) hits[count + n] = hits[0];
    for (uint32_t k = 0; k < count; k += THAW_LANES) {
        I8 x, y, z, j;
        i8_gather(shelf->place, 4, hits + k, &x, &y, &z, &j);
        W3 r = {offset_axis(i8_set(own[0]), x, pass->period[0]),
                offset_axis(i8_set(own[1]), y, pass->period[1]),
                offset_axis(i8_set(own[2]), z, pass->period[2])};
        r = w3_scale(r, f8_set(lanes->unit[lane]));
        W3 u = w33_apply(&inverse, r);
        Nearest near = flat ? nearest_flat(u) : nearest_solid(u);
        int32_t misfit[THAW_LANES], rows[THAW_LANES];
        F8 far = f8_set(INFINITY);
        i8_store(misfit, f8_bits(f8_where(w3_dot(r, r), f8_set(reach2), near.misfit, far)));
        i8_store(rows, j);
        for (uint32_t n = 0; n < THAW_LANES; n++) {
            uint32_t site = (uint32_t)near.site[n];
            int32_t *best = &lanes->misfit[lane][site], *who = &lanes->candidate[lane][site];
            int32_t least = *best, holder = *who;
            bool nearer = misfit[n] < least;
            *best = nearer ? misfit[n] : least;
            *who = nearer ? rows[n] : holder;
        }
    }
}

static void search_shelf(const ThawBondPass *pass, const Shelf *shelf, const Look *look,
                         Lanes *lanes) {
    uint32_t hits[SHELF + THAW_LANES];
    for (uint32_t mask = look->mask; mask != 0; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        uint32_t count = find_near(shelf, lanes, lane, look->around[lane], hits);
        if (count == 0) continue;
        float reach2 = look->reach2[lane];
        if (pass->dimensions == 2)
            measure_hits(pass, shelf, lanes, lane, reach2, hits, count, true);
        else
            measure_hits(pass, shelf, lanes, lane, reach2, hits, count, false);
    }
}

// ---------------------------------------------------------------- one look

static void look_through(const ThawBondPass *pass, const ThawCluster *cluster, const Look *look,
                         Lanes *lanes) {
    Shelf shelf;
    shelf.count = 0;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k += THAW_LANES) {
            const uint32_t *rows = &segment->list[k];
            uint32_t last[THAW_LANES], left = segment->count - k;
            if (left < THAW_LANES) {
                // the last one again: nobody is better than himself
                for (uint32_t n = 0; n < THAW_LANES; n++) last[n] = rows[n < left ? n : left - 1];
                rows = last;
            }
            put_on_shelf(pass, lanes, look, rows, &shelf);
            if (shelf.count < SHELF) continue;
            search_shelf(pass, &shelf, look, lanes);
            shelf.count = 0;
        }
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
    Look look = {.mask = mask, .group = group};
    set_reach(pass, lanes, &look, f8_load(lanes->reach2));
    look_through(pass, cluster, &look, lanes);
    look.mask = lanes_that_miss(pass, lanes, mask);
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
    uint32_t sites = (uint32_t)pass->sites[row];
    uint32_t held = pass->sites[row] == THAW_SITES_FRESH ? 0 : sites & ~(sites >> 12);
    for (uint32_t s = 0; s < THAW_SITES; s++) {
        uint32_t mark = held >> s << 31; // THAW_BOND_HELD
        pass->candidate[THAW_SITES * row + s] = (uint32_t)lanes->candidate[lane][s] | mark;
    }
}

void THAW_WIDE(thaw_bonds_candidates)(const ThawBondPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_BOND_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes;
        uint32_t solid = load_lanes(pass, cluster, &lanes);
        for (uint32_t left = solid; left != 0;) {
            int32_t group = lanes.group[__builtin_ctz(left)];
            uint32_t alike = left & i8_same(i8_load(lanes.group), i8_set(group));
            look_around(pass, cluster, &lanes, alike, group);
            left &= ~alike;
        }
        for (uint32_t left = solid; left != 0; left &= left - 1) {
            keep_best(pass, &lanes, (uint32_t)__builtin_ctz(left));
        }
    }
}
