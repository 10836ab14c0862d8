// Candidates for the sites of a cluster's particles: the lanes look at one listed particle at a time.
#include "lattice/bonds.h"
#include "lattice/offset_wide.h"

// D: sites that are vacant take nobody further off than this, and hardly ever is an occupant; those that have
// gone further are looked for a second time
#define NEAR 1.36f

// What one listed particle is to the lanes: the first-shell site that it may sit on, and how far off it is.
typedef struct Nearest {
    uint32_t minus[3]; // lanes whose coordinate is negative (3D), or the index itself by lane (2D)
    uint32_t least[2]; // lanes whose first, whose second coordinate is the least (3D)
    uint32_t mask;     // lanes in whose site's cell it lies
    F8 misfit;         // squared, D²
} Nearest;

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
    Nearest near = {{f8_below(w.x, zero), f8_below(w.y, zero), f8_below(w.z, zero)},
                    {f8_below(first, zero), f8_below(second, zero)},
                    f8_below(sum, one),
                    zero};
    near.misfit = f8_mul(f8_fma(e[0], e[0], f8_fma(e[1], e[1], f8_mul(e[2], e[2]))), f8_set(0.5f));
    return near;
}

// the site by the signs of its coordinates, and which of them is the least
static int solid_site(const Nearest *near, uint32_t lane) {
    // sites with the third, the second, the first coordinate 0, by the signs of the other two
    static const int8_t table[3][4] = {{0, 3, 2, 1}, {4, 7, 6, 5}, {8, 11, 10, 9}};
    uint32_t x = near->minus[0] >> lane & 1u, y = near->minus[1] >> lane & 1u;
    uint32_t z = near->minus[2] >> lane & 1u;
    if ((near->least[0] >> lane & 1u) != 0) return table[2][y + 2 * z];
    if ((near->least[1] >> lane & 1u) != 0) return table[1][x + 2 * z];
    return table[0][x + 2 * y];
}

THAW_INLINE F8 round_float(F8 a) {
    return i8_float(f8_round(a));
}

// Hexagonal: rounding in cube coordinates, which must add up to nothing; the one that rounding moved most
// gives way.
THAW_INLINE Nearest nearest_flat(W3 u, float code[THAW_LANES]) {
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
    F8 norm = f8_fma(n[0], n[0], f8_fma(n[1], n[1], f8_mul(n[2], n[2])));
    F8 x = f8_sub(u.x, f8_fma(half, n[1], n[0])), y = f8_nma(rise, n[1], u.y);
    f8_store(code, f8_fma(n[0], f8_set(3.0f), n[1]));
    return (Nearest){.mask = f8_below(f8_abs(f8_sub(norm, f8_set(2.0f))), f8_set(0.25f)),
                     .misfit = f8_fma(x, x, f8_mul(y, y))};
}

// the site by 3 a + b of its cube coordinates
static int flat_site(float code) {
    static const int8_t table[9] = {-1, 1, 4, 3, -1, 2, 5, 0, -1};
    int index = (int)code + 4;
    return index >= 0 && index < 9 ? table[index] : -1;
}

// the lanes of one cluster
typedef struct Lanes {
    I8 x, y, z, group;
    F8 unit;
    W33 inverse; // A⁻¹, in 3D times √2
    F8 reach2;   // D², how far this look goes
    uint32_t first, valid;
} Lanes;

static Lanes load_lanes(const ThawBondPass *pass, const ThawCluster *cluster) {
    Lanes lanes = {.first = cluster->first, .valid = 0};
    int32_t places[4 * THAW_LANES], groups[THAW_LANES];
    float units[THAW_LANES], maps[9][THAW_LANES], fresh[THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        uint32_t row = cluster->first + (k < cluster->count ? k : 0);
        const ThawPlace *place = &pass->place[row];
        places[4 * k] = place->x;
        places[4 * k + 1] = place->y;
        places[4 * k + 2] = place->z;
        places[4 * k + 3] = 0;
        groups[k] = pass->group[row];
        units[k] = pass->unit[row];
        for (uint32_t c = 0; c < 9; c++) maps[c][k] = pass->map[9 * (size_t)row + c];
        if (k < cluster->count && groups[k] != 0) lanes.valid |= 1u << k;
        fresh[k] = pass->sites[row] == THAW_SITES_FRESH ? 1e6f : 1.0f;
    }
    I8 spare;
    i8_columns(places, &lanes.x, &lanes.y, &lanes.z, &spare);
    lanes.group = i8_load(groups);
    lanes.unit = f8_load(units);
    W33 map;
    for (int c = 0; c < 9; c++) map.m[c] = f8_load(maps[c]);
    lanes.inverse = w33_inverse(&map);
    // what is near a site is no further off than this times the longest stretch
    F8 stretch2 = w_zero();
    for (int c = 0; c < 3; c++) {
        W3 column = {map.m[c], map.m[3 + c], map.m[6 + c]};
        stretch2 = f8_max(stretch2, w3_dot(column, column));
    }
    lanes.reach2 = f8_mul(f8_mul(stretch2, f8_load(fresh)), f8_set(NEAR * NEAR));
    lanes.reach2 = f8_min(lanes.reach2, f8_set(pass->support * pass->support));
    if (pass->dimensions == 3) lanes.inverse = w33_scale(lanes.inverse, f8_set(1.41421356237f));
    return lanes;
}

// notes particle j at the sites where it is nearer than what was there
static void note(const ThawBondPass *pass, const Lanes *lanes, uint32_t j, const Nearest *near,
                 uint32_t mask, const float *code) {
    float misfit[THAW_LANES];
    f8_store(misfit, near->misfit);
    for (; mask != 0; mask &= mask - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(mask);
        int site = code != NULL ? flat_site(code[k]) : solid_site(near, k);
        if (site < 0) continue;
        size_t at = thaw_bond_at(lanes->first + k, (uint32_t)site);
        if (misfit[k] >= pass->misfit[at]) continue;
        pass->misfit[at] = misfit[k];
        pass->candidate[at] = j;
    }
}

THAW_INLINE void look_at(const ThawBondPass *pass, const Lanes *lanes, uint32_t j, bool flat) {
    uint32_t mask = lanes->valid & i8_same(lanes->group, i8_set(pass->group[j]));
    const ThawPlace *other = &pass->place[j];
    W3 r = {offset_axis(lanes->x, i8_set(other->x), pass->period[0]),
            offset_axis(lanes->y, i8_set(other->y), pass->period[1]),
            offset_axis(lanes->z, i8_set(other->z), pass->period[2])};
    r = w3_scale(r, lanes->unit);
    mask &= f8_below(w3_dot(r, r), lanes->reach2);
    if (mask == 0) return;
    W3 u = w33_apply(&lanes->inverse, r);
    float code[THAW_LANES];
    Nearest near = flat ? nearest_flat(u, code) : nearest_solid(u);
    mask &= near.mask;
    if (mask != 0) note(pass, lanes, j, &near, mask, flat ? code : NULL);
}

THAW_INLINE void look_through(const ThawBondPass *pass, const ThawCluster *cluster,
                              const Lanes *lanes, bool flat) {
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) look_at(pass, lanes, segment->list[k], flat);
    }
}

// lanes that hold a site whose occupant was not found nearby: it may have gone further off
static uint32_t lanes_that_miss(const ThawBondPass *pass, const Lanes *lanes) {
    uint32_t missing = 0;
    for (uint32_t mask = lanes->valid; mask != 0; mask &= mask - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(mask), row = lanes->first + k;
        uint32_t sites = (uint32_t)pass->sites[row] & 0xfffu;
        for (uint32_t s = 0; s < THAW_SITES && pass->sites[row] != THAW_SITES_FRESH; s++) {
            bool taken = (sites >> s & 1u) != 0;
            if (taken && pass->candidate[thaw_bond_at(row, s)] == row) missing |= 1u << k;
        }
    }
    return missing;
}

void THAW_WIDE(thaw_bonds_candidates)(const ThawBondPass *pass, uint32_t chunk) {
    const bool flat = pass->dimensions == 2;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_BOND_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass, cluster);
        if (lanes.valid == 0) continue;
        if (flat)
            look_through(pass, cluster, &lanes, true);
        else
            look_through(pass, cluster, &lanes, false);
        lanes.valid = lanes_that_miss(pass, &lanes);
        if (lanes.valid == 0) continue;
        lanes.reach2 = f8_set(pass->support * pass->support);
        if (flat)
            look_through(pass, cluster, &lanes, true);
        else
            look_through(pass, cluster, &lanes, false);
    }
}
