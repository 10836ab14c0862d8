// The solid's inner loops, written once for all instruction sets.
//
// Eight rows of a block are the lanes; their sites are walked one after the other. A vacant site holds the
// particle itself, whose offset is nothing. Lattices of different orientation that meet are rare: blocks with
// such bonds take the plain path at the end.
#include "models/solid/solid.h"

#include "lattice/offset_wide.h"
#include "lattice/rows_wide.h"

#define REGULAR 1e-3f // what is added then, of the full shell
#define LEAST_VOLUME 0.2f
#define LEAST_LOG 0.4f // below this volume the neo-Hookean law goes on as it is there
#define MOST_VOLUME 10.0f
#define AHEAD 2u      // blocks: what they will read is asked for,
#define CACHED 20000u // rows: in larger worlds than these
#define TOGETHER 2u   // blocks

// `periodic` says whether any axis is; the compiler knows where none is
THAW_INLINE W3 offset_to(const ThawSolidPass *pass, const I8 own[3], const I8 other[3], F8 unit,
                         bool periodic) {
    const int32_t none[3] = {0, 0, 0}, *period = periodic ? pass->period : none;
    return (W3){f8_mul(offset_axis(own[0], other[0], period[0]), unit),
                f8_mul(offset_axis(own[1], other[1], period[1]), unit),
                f8_mul(offset_axis(own[2], other[2], period[2]), unit)};
}

THAW_INLINE bool is_periodic(const ThawSolidPass *pass) {
    return (pass->period[0] | pass->period[1] | pass->period[2]) != 0;
}

// numbers of the lanes' own kinds
typedef struct Kinds {
    F8 unit, half_k, volume_k, shear_k, push, damping, law;
} Kinds;

static void mix_kinds(const ThawSolidPass *pass, uint32_t first, Kinds *kinds) {
    float columns[7][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        uint32_t row = first + k;
        const ThawSolidKind *kind = &pass->kinds[row < pass->rows ? pass->kind[row] : 0];
        columns[0][k] = kind->unit;
        columns[1][k] = kind->half_k;
        columns[2][k] = kind->volume_k;
        columns[3][k] = kind->shear_k;
        columns[4][k] = kind->push;
        columns[5][k] = kind->damping;
        columns[6][k] = (float)kind->law;
    }
    *kinds =
        (Kinds){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2]), f8_load(columns[3]),
                f8_load(columns[4]), f8_load(columns[5]), f8_load(columns[6])};
}

THAW_INLINE void load_kinds(const ThawSolidPass *pass, uint32_t first, bool alike, Kinds *kinds) {
    if (!alike) {
        mix_kinds(pass, first, kinds);
        return;
    }
    const ThawSolidKind *kind = &pass->kinds[pass->kind[first]];
    *kinds = (Kinds){f8_set(kind->unit),      f8_set(kind->half_k), f8_set(kind->volume_k),
                     f8_set(kind->shear_k),   f8_set(kind->push),   f8_set(kind->damping),
                     f8_set((float)kind->law)};
}

THAW_INLINE void gather_place(const ThawSolidPass *pass, const uint32_t *slot, I8 at[3]) {
    I8 spare;
    i8_gather((const int32_t *)(const void *)pass->place, 4, slot, &at[0], &at[1], &at[2], &spare);
}

THAW_INLINE W3 gather_speed(const ThawSolidPass *pass, const uint32_t *slot) {
    I8 x, y, z, spare;
    i8_gather((const int32_t *)(const void *)pass->speed, 4, slot, &x, &y, &z, &spare);
    return (W3){i8_bits(x), i8_bits(y), i8_bits(z)};
}

// the rows themselves: [0..7] from `first`, the last one again beyond the end
THAW_INLINE void own_rows(const ThawSolidPass *pass, uint32_t first, uint32_t rows[THAW_LANES]) {
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        rows[k] = first + k < pass->rows ? first + k : pass->rows - 1;
    }
}

// ---------------------------------------------------------------- what a neighbourhood looks like

// Σ l lᵀ and Σ l over the occupied sites, and what follows from them alone
typedef struct Shell {
    W33 q;
    W3 reach;
    F8 count;
    W33 inverse; // Q⁻¹, or nearly, where the neighbourhood is thin
    F8 extra;    // of the full shell, that was added then
    F8 whole;    // 1, or 0 where it is thin
    F8 weight;   // of its strain's energy: less at edges and corners
} Shell;

typedef struct Neighborhood {
    W3 ways[THAW_SITES];  // r
    F8 there[THAW_SITES]; // 1, or 0 where a site is vacant
    W33 m;                // Σ r lᵀ
    W3 sum, flux;         // Σ r, Σ v from the own
    W33 c;                // Σ r rᵀ (upper half)
    W3 whirl;             // Σ r × v
} Neighborhood;

THAW_INLINE const uint32_t *slots_of(const ThawSolidPass *pass, uint32_t block, uint32_t site) {
    return &pass->bonds->slot[((size_t)block * THAW_SITES + site) * THAW_LANES];
}

// offsets to the neighbours, and who is there
THAW_INLINE void look_around(const ThawSolidPass *pass, uint32_t block, const I8 own[3],
                             const uint32_t *rows, F8 unit, bool periodic, Neighborhood *n) {
    I8 self = i8_load((const int32_t *)(const void *)rows);
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        const uint32_t *slot = slots_of(pass, block, s);
        I8 at[3];
        gather_place(pass, slot, at);
        n->ways[s] = offset_to(pass, own, at, unit, periodic);
        n->there[s] = i8_differ(i8_load((const int32_t *)(const void *)slot), self);
    }
}

// four sites that have no third coordinate: what they add to the columns a and b of Σ r lᵀ
THAW_INLINE void add_plane(W33 *m, const W3 *ways, const float (*vector)[3], int a, int b) {
    for (int s = 0; s < 4; s++) {
        F8 x = f8_set(vector[s][a]), y = f8_set(vector[s][b]);
        m->m[a] = f8_fma(ways[s].x, x, m->m[a]);
        m->m[b] = f8_fma(ways[s].x, y, m->m[b]);
        m->m[3 + a] = f8_fma(ways[s].y, x, m->m[3 + a]);
        m->m[3 + b] = f8_fma(ways[s].y, y, m->m[3 + b]);
        m->m[6 + a] = f8_fma(ways[s].z, x, m->m[6 + a]);
        m->m[6 + b] = f8_fma(ways[s].z, y, m->m[6 + b]);
    }
}

THAW_INLINE void add_moments(const ThawSolidPass *pass, Neighborhood *n) {
    const float(*vector)[3] = pass->sites->vector;
    W33 m = w33_zero();
    if (pass->dimensions == 3) {
        add_plane(&m, n->ways, vector, 0, 1);
        add_plane(&m, n->ways + 4, vector + 4, 0, 2);
        add_plane(&m, n->ways + 8, vector + 8, 1, 2);
    } else {
        for (uint32_t s = 0; s < pass->sites->count; s += 2) {
            W3 a = n->ways[s], b = n->ways[s + 1];
            for (int k = 0; k < 2; k++) {
                F8 x = f8_set(vector[s][k]), y = f8_set(vector[s + 1][k]);
                m.m[k] = f8_fma(b.x, y, f8_fma(a.x, x, m.m[k]));
                m.m[3 + k] = f8_fma(b.y, y, f8_fma(a.y, x, m.m[3 + k]));
                m.m[6 + k] = f8_fma(b.z, y, f8_fma(a.z, x, m.m[6 + k]));
            }
        }
        // the third axis is as it should be
        m.m[8] = f8_add(m.m[8], f8_set(pass->sites->moment));
    }
    w33_copy(&m, &n->m);
}

// where the sites are at rest, of rows for which that is not the lattice's own
static void load_sites(const ThawSolidPass *pass, const uint32_t *rows, W3 *sites) {
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        float columns[3][THAW_LANES];
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            float at[3];
            thaw_lattice_site(&pass->state, rows[k], s, pass->sites->vector[s], at);
            for (int a = 0; a < 3; a++) columns[a][k] = at[a];
        }
        sites[s] = (W3){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2])};
    }
}

// the same as add_moments for such rows
static void add_moments_off(const ThawSolidPass *pass, const W3 *sites, Neighborhood *n) {
    W33 m = w33_zero();
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        const F8 r[3] = {n->ways[s].x, n->ways[s].y, n->ways[s].z};
        const F8 l[3] = {sites[s].x, sites[s].y, sites[s].z};
        for (int k = 0; k < 9; k++) m.m[k] = f8_fma(r[k / 3], l[k % 3], m.m[k]);
    }
    if (pass->dimensions == 2) m.m[8] = f8_add(m.m[8], f8_set(pass->sites->moment));
    w33_copy(&m, &n->m);
}

// Velocities count from the particle's own, so that matter which flies evenly feels exactly nothing.
THAW_INLINE void add_motion(const ThawSolidPass *pass, uint32_t block, W3 own, Neighborhood *n) {
    W3 sum = w3_zero(), flux = w3_zero(), whirl = w3_zero();
    W33 c = w33_zero();
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        W3 r = n->ways[s];
        sum = w3_add(sum, r);
        c.m[0] = f8_fma(r.x, r.x, c.m[0]);
        c.m[1] = f8_fma(r.x, r.y, c.m[1]);
        c.m[2] = f8_fma(r.x, r.z, c.m[2]);
        c.m[4] = f8_fma(r.y, r.y, c.m[4]);
        c.m[5] = f8_fma(r.y, r.z, c.m[5]);
        c.m[8] = f8_fma(r.z, r.z, c.m[8]);
    }
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        W3 v = w3_sub(gather_speed(pass, slots_of(pass, block, s)), own);
        flux = w3_fma(v, n->there[s], flux);
        whirl = w3_add(whirl, w3_cross(n->ways[s], v));
    }
    n->sum = sum;
    w33_copy(&c, &n->c);
    n->flux = flux;
    n->whirl = whirl;
}

// ---------------------------------------------------------------- rows of the particles' state

// lanes that are solid
static uint32_t solid_lanes(const ThawSolidPass *pass, uint32_t first) {
    uint32_t mask = 0;
    for (uint32_t k = 0; k < THAW_LANES && first + k < pass->rows; k++) {
        mask |= (uint32_t)(pass->kind[first + k] != 0) << k;
    }
    return mask;
}

// a block's rows, and what they are
typedef struct Lanes {
    uint32_t first, mask, rows[THAW_LANES];
    bool alike; // of one kind, and all there
    Kinds kinds;
    I8 own[3];
} Lanes;

THAW_INLINE void load_lanes(const ThawSolidPass *pass, uint32_t block, Lanes *lanes) {
    uint32_t first = lanes->first = block * THAW_LANES;
    lanes->alike = false;
    if (first + THAW_LANES <= pass->rows) {
        uint64_t kinds[2], same = pass->kind[first] * (uint64_t)0x0001000100010001u;
        __builtin_memcpy(kinds, &pass->kind[first], sizeof kinds);
        lanes->alike = pass->kind[first] != 0 && kinds[0] == same && kinds[1] == same;
    }
    lanes->mask = lanes->alike ? 0xffu : solid_lanes(pass, first);
    own_rows(pass, first, lanes->rows);
    load_kinds(pass, first, lanes->alike, &lanes->kinds);
    gather_place(pass, lanes->rows, lanes->own);
}

// what temperature makes of the lanes' stiffness
static void soften(const ThawSolidPass *pass, Lanes *lanes) {
    float columns[2][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        const ThawSolidSoft *soft = &pass->soft[lanes->rows[k]];
        columns[0][k] = soft->shear;
        columns[1][k] = soft->volume;
    }
    F8 shear = f8_load(columns[0]);
    lanes->kinds.half_k = f8_mul(lanes->kinds.half_k, shear);
    lanes->kinds.shear_k = f8_mul(lanes->kinds.shear_k, shear);
    lanes->kinds.volume_k = f8_mul(lanes->kinds.volume_k, f8_load(columns[1]));
}

// ---------------------------------------------------------------- strain and what follows from it

typedef struct Strained {
    W4 turn;
    W33 r;       // rotation
    W33 rest;    // R F
    W33 map;     // A, as kept for finding sites
    W33 elastic; // A F⁻¹, where the neighbourhood is not thin
    W33 inverse; // Q⁻¹ of the rest sites as they are now
} Strained;

THAW_INLINE W33 w33_where(F8 a, F8 b, const W33 *yes, const W33 *no) {
    W33 r;
    for (int k = 0; k < 9; k++) r.m[k] = f8_where(a, b, yes->m[k], no->m[k]);
    return r;
}

THAW_INLINE void add_one(W33 *a, F8 s) {
    a->m[0] = f8_add(a->m[0], s);
    a->m[4] = f8_add(a->m[4], s);
    a->m[8] = f8_add(a->m[8], s);
}

// How steeply the map changes with the neighbours' places grows where there are few of them: Σ |Q⁻¹ l|² =
// tr Q⁻¹ for the neighbours, and |Q⁻¹ Σ l|² for the particle itself. Beyond what it is at a flat face the
// energy weighs less, so that the stiffest wave stays that of a face.
THAW_INLINE F8 surface_weight(const ThawSolidPass *pass, const W33 *inverse, W3 reach) {
    F8 trace = f8_add(inverse->m[0], inverse->m[4]);
    if (pass->dimensions == 3) trace = f8_add(trace, inverse->m[8]);
    W3 own = w33_apply(inverse, reach);
    F8 steep = f8_add(trace, w3_dot(own, own));
    F8 face = f8_set(pass->dimensions == 3 ? THAW_SOLID_FACE_3D : THAW_SOLID_FACE_2D);
    return f8_min(f8_set(1.0f), f8_div(face, steep));
}

// what sites add to a shell that lie in the plane of the axes a < b
THAW_INLINE void add_shell(const ThawSolidPass *pass, const F8 *there, ThawRange range, int a,
                           int b, Shell *shell, F8 reach[3], W33 *q) {
    for (uint32_t s = range.begin; s < range.end; s++) {
        const float *l = pass->sites->vector[s];
        F8 some = there != NULL ? there[s] : f8_set(1.0f), x = f8_set(l[a]), y = f8_set(l[b]);
        shell->count = f8_add(shell->count, some);
        reach[a] = f8_fma(some, x, reach[a]);
        reach[b] = f8_fma(some, y, reach[b]);
        q->m[4 * a] = f8_fma(some, f8_mul(x, x), q->m[4 * a]);
        q->m[3 * a + b] = f8_fma(some, f8_mul(x, y), q->m[3 * a + b]);
        q->m[4 * b] = f8_fma(some, f8_mul(y, y), q->m[4 * b]);
    }
}

// the same of sites that are not where the lattice has them
THAW_INLINE void add_shell_off(const ThawSolidPass *pass, const F8 *there, const W3 *sites,
                               Shell *shell, F8 reach[3], W33 *q) {
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        const F8 some = there[s], l[3] = {sites[s].x, sites[s].y, sites[s].z};
        shell->count = f8_add(shell->count, some);
        for (int a = 0; a < 3; a++) {
            reach[a] = f8_fma(some, l[a], reach[a]);
            for (int b = a; b < 3; b++) {
                q->m[3 * a + b] = f8_fma(some, f8_mul(l[a], l[b]), q->m[3 * a + b]);
            }
        }
    }
}

// Q and what follows from it, of the sites that are there; a full shell where `there` is NULL, and where the lattice
// has them where `sites` is
static void make_shell(const ThawSolidPass *pass, const F8 *there, const W3 *sites, Shell *shell) {
    const F8 one = f8_set(1.0f);
    W33 q = w33_zero();
    F8 reach[3] = {w_zero(), w_zero(), w_zero()};
    shell->count = w_zero();
    if (sites != NULL) {
        add_shell_off(pass, there, sites, shell, reach, &q);
    } else {
        add_shell(pass, there, (ThawRange){0, pass->dimensions == 3 ? 4 : 6}, 0, 1, shell, reach,
                  &q);
        if (pass->dimensions == 3) {
            add_shell(pass, there, (ThawRange){4, 8}, 0, 2, shell, reach, &q);
            add_shell(pass, there, (ThawRange){8, 12}, 1, 2, shell, reach, &q);
        }
    }
    shell->reach = (W3){reach[0], reach[1], reach[2]};
    q.m[3] = q.m[1];
    q.m[6] = q.m[2];
    q.m[7] = q.m[5];
    F8 full = f8_set(pass->sites->moment), share = f8_set(REGULAR * pass->sites->moment);
    // the third axis is as it should be
    if (pass->dimensions == 2) q.m[8] = full;
    W33 c = w33_cofactors(&q);
    F8 det = w33_determinant(&q, &c);
    F8 thin = f8_mul(f8_mul(full, f8_set(THAW_SOLID_THIN)), f8_mul(full, full));
    shell->whole = f8_where(det, thin, w_zero(), one);
    // thin: (M + ε q R F)(Q + ε q)⁻¹
    shell->extra = f8_where(det, thin, share, w_zero());
    add_one(&q, shell->extra);
    shell->inverse = w33_inverse(&q);
    shell->weight = f8_mul(shell->whole, surface_weight(pass, &shell->inverse, shell->reach));
}

// A of a neighbourhood that is turned so; `flow` is the rest sites' own map
THAW_INLINE void measure(const Neighborhood *n, const Shell *shell, W4 turn, const W33 *flow,
                         bool flows, Strained *s) {
    W33 rest, elastic;
    W33 r = w4_matrix(turn);
    w33_copy(&r, &rest);
    if (flows) rest = w33_mul(&r, flow);
    W33 raw = w33_fma(&rest, shell->extra, &n->m), map = w33_mul(&raw, &shell->inverse);
    w33_copy(&map, &elastic);
    if (flows) {
        W33 back = w33_inverse(flow), turned = w33_turn(&back);
        elastic = w33_mul(&map, &back);
        s->inverse = w33_mul(&turned, &shell->inverse); // Q'⁻¹ F = F⁻ᵀ Q⁻¹
    } else {
        w33_copy(&shell->inverse, &s->inverse);
    }
    s->turn = turn;
    w33_copy(&r, &s->r);
    w33_copy(&rest, &s->rest);
    w33_copy(&elastic, &s->elastic);
    w33_copy(&map, &s->map);
}

// a collapsed or inverted neighbourhood keeps its sites where the rotation puts them
THAW_INLINE void mend_map(Strained *s) {
    W33 cofactors = w33_cofactors(&s->map);
    F8 volume = w33_determinant(&s->map, &cofactors);
    W33 not_small = w33_where(volume, f8_set(LEAST_VOLUME), &s->rest, &s->map);
    W33 not_large = w33_where(f8_set(MOST_VOLUME), volume, &s->rest, &not_small);
    w33_copy(&not_large, &s->map);
}

// −V₀/D² times the stress that strain-driven laws give, on the rest sites: dψ/dA Q⁻¹
static W33 stress_of_strain(const Strained *s, const Kinds *kinds, F8 weight, F8 volume,
                            const W33 *cofactors, bool hookean) {
    const F8 zero = w_zero();
    W33 stress;
    if (hookean) {
        // μ (A − A⁻ᵀ) + λ ln J A⁻ᵀ; ln J ≈ (J² − 1)/(2 J) near 1 would do, but large strains matter
        F8 j = f8_max(volume, f8_set(LEAST_LOG));
        float lanes[THAW_LANES];
        f8_store(lanes, j);
        for (int k = 0; k < THAW_LANES; k++) lanes[k] = __builtin_logf(lanes[k]);
        F8 log = f8_load(lanes), half = f8_mul(kinds->shear_k, f8_set(0.5f));
        F8 pull = f8_div(f8_sub(f8_mul(kinds->volume_k, log), half), j);
        W33 shear = w33_scale(&s->elastic, half);
        stress = w33_fma(cofactors, pull, &shear);
    } else {
        // 2 μ (A − R) + λ tr(S − 1) R, with R of A itself
        W4 turn = s->turn;
        for (int k = 0; k < 2; k++) turn = w4_approach(turn, &s->elastic);
        W33 r = w4_matrix(turn);
        F8 trace = f8_set(-3.0f);
        for (int k = 0; k < 9; k++) trace = f8_fma(r.m[k], s->elastic.m[k], trace);
        F8 lame = f8_nma(kinds->volume_k, trace, kinds->shear_k);
        W33 shear = w33_scale(&s->elastic, kinds->shear_k);
        stress = w33_fma(&r, f8_sub(zero, lame), &shear);
    }
    W33 turned = w33_mul(&stress, &s->inverse);
    return w33_scale(&turned, f8_sub(zero, weight));
}

// P: what the neighbourhood does to the particle on site l is P l − h r
THAW_INLINE void respond(const Strained *s, const Shell *shell, const Kinds *kinds, bool driven,
                         W33 *p) {
    W33 cofactors = w33_cofactors(&s->elastic);
    F8 volume = w33_determinant(&s->elastic, &cofactors), one = f8_set(1.0f);
    F8 squeeze = f8_mul(f8_mul(kinds->volume_k, shell->weight), f8_sub(one, volume));
    W33 press = w33_mul(&cofactors, &s->inverse), hold = w33_scale(&s->rest, kinds->half_k);
    W33 lattice = w33_fma(&press, squeeze, &hold);
    w33_copy(&lattice, p);
    if (!driven) return;
    // laws of the strain, and the lattice's hold on what is not affine; thin ones stay with the lattice
    W33 affine = w33_scale(&s->map, kinds->half_k);
    W33 linear = stress_of_strain(s, kinds, shell->weight, volume, &cofactors, false);
    W33 hookean = stress_of_strain(s, kinds, shell->weight, volume, &cofactors, true);
    linear = w33_fma(&affine, one, &linear);
    hookean = w33_fma(&affine, one, &hookean);
    F8 law = f8_mul(kinds->law, shell->whole);
    linear = w33_where(law, f8_set(THAW_ELASTIC_LATTICE + 0.5f), &lattice, &linear);
    *p = w33_where(law, f8_set(THAW_ELASTIC_COROTATED + 0.5f), &linear, &hookean);
}

// ---------------------------------------------------------------- damping

typedef struct Motion {
    W3 u, omega;
} Motion;

// the rigid motion of the particle and its neighbours (eq. 10 and 11, with one set of weights)
static Motion rigid_motion(const Neighborhood *n, F8 count, W3 own) {
    F8 one = f8_set(1.0f), all = f8_add(count, one), share = f8_div(one, all);
    W3 mean = w3_scale(n->flux, share), center = w3_scale(n->sum, share);
    // about the centre: Σ r rᵀ − n c cᵀ, and Σ r × v − n c × v̄
    W3 heavy = n->sum;
    F8 xx = f8_nma(heavy.x, center.x, n->c.m[0]), xy = f8_nma(heavy.x, center.y, n->c.m[1]);
    F8 xz = f8_nma(heavy.x, center.z, n->c.m[2]), yy = f8_nma(heavy.y, center.y, n->c.m[4]);
    F8 yz = f8_nma(heavy.y, center.z, n->c.m[5]), zz = f8_nma(heavy.z, center.z, n->c.m[8]);
    F8 zero = w_zero();
    W33 inertia = {{f8_add(yy, zz), f8_sub(zero, xy), f8_sub(zero, xz), f8_sub(zero, xy),
                    f8_add(xx, zz), f8_sub(zero, yz), f8_sub(zero, xz), f8_sub(zero, yz),
                    f8_add(xx, yy)}};
    W3 spin = w3_sub(n->whirl, w3_cross(n->sum, mean));
    WSolver solver = w33_solver(&inertia);
    W3 otherwise = spin;
    if (w33_fails(&solver)) {
        // turning about the axis of a line of particles moves none of them: along it anything will do
        const F8 some = f8_set(1e-2f), spread[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
        W33 padded = inertia;
        add_one(&padded, f8_set(1e-7f));
        for (int k = 0; k < 9; k++) padded.m[k] = f8_fma(spread[k], some, padded.m[k]);
        W33 inverse = w33_inverse(&padded);
        otherwise = w33_apply(&inverse, spin);
    }
    Motion motion;
    motion.omega = w33_solve(&solver, spin, otherwise);
    motion.u = w3_add(own, w3_sub(mean, w3_cross(motion.omega, center)));
    return motion;
}

// ---------------------------------------------------------------- frames

// where there is no motion h stands in its place too, so that nobody need read the last row
THAW_INLINE void store_frames(const ThawSolidPass *pass, uint32_t first, uint32_t mask,
                              const W33 *p, F8 half_k, const Motion *motion) {
    F8 fourth = pass->damped ? motion->u.x : half_k;
    const F8 columns[16] = {p->m[0], p->m[1],         p->m[2],         fourth,
                            p->m[3], p->m[4],         p->m[5],         motion->u.y,
                            p->m[6], p->m[7],         p->m[8],         motion->u.z,
                            half_k,  motion->omega.x, motion->omega.y, motion->omega.z};
    for (int k = 0; k < 4; k++) {
        store_four(pass->frame->row[k], 16, first, mask, &columns[4 * k]);
    }
}

THAW_INLINE bool any_driven(const ThawSolidPass *pass, uint32_t first) {
    bool driven = false;
    for (uint32_t k = 0; k < THAW_LANES && first + k < pass->rows; k++) {
        driven |= pass->kinds[pass->kind[first + k]].law != THAW_ELASTIC_LATTICE;
    }
    return driven;
}

// Σ |R F l − r|² over sites in the plane of the axes a and b, which come in opposite pairs
THAW_INLINE void add_misfits(const ThawSolidPass *pass, const Neighborhood *n, const W33 *rest,
                             ThawRange range, int a, int b, F8 *sum) {
    for (uint32_t s = range.begin; s < range.end; s += 2) {
        F8 x = f8_set(pass->sites->vector[s][a]), y = f8_set(pass->sites->vector[s][b]), at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = f8_fma(rest->m[3 * k + b], y, f8_mul(rest->m[3 * k + a], x));
        }
        W3 off = w3_sub((W3){at[0], at[1], at[2]}, n->ways[s]);
        *sum = f8_fma(w3_dot(off, off), n->there[s], *sum);
        off = w3_add((W3){at[0], at[1], at[2]}, n->ways[s + 1]);
        *sum = f8_fma(w3_dot(off, off), n->there[s + 1], *sum);
    }
}

// J of the lanes: (k/4) Σ |R F l − r|² D² + ½ λ V₀ (det A − 1)²
static double lanes_energy(const ThawSolidPass *pass, const Lanes *lanes, const Neighborhood *n,
                           const W3 *sites, const Shell *shell, const Strained *s) {
    F8 sum = w_zero();
    for (uint32_t k = 0; sites != NULL && k < pass->sites->count; k++) {
        W3 off = w3_sub(w33_apply(&s->rest, sites[k]), n->ways[k]);
        sum = f8_fma(w3_dot(off, off), n->there[k], sum);
    }
    if (sites == NULL) {
        ThawRange plane = {0, pass->dimensions == 3 ? 4 : 6};
        add_misfits(pass, n, &s->rest, plane, 0, 1, &sum);
    }
    if (sites == NULL && pass->dimensions == 3) {
        add_misfits(pass, n, &s->rest, (ThawRange){4, 8}, 0, 2, &sum);
        add_misfits(pass, n, &s->rest, (ThawRange){8, 12}, 1, 2, &sum);
    }
    W33 cofactors = w33_cofactors(&s->elastic);
    F8 grown = f8_sub(w33_determinant(&s->elastic, &cofactors), f8_set(1.0f));
    F8 squeeze = f8_mul(f8_mul(lanes->kinds.volume_k, shell->weight), f8_mul(grown, grown));
    F8 half_k = lanes->kinds.half_k;
    if (pass->uneven) half_k = f8_mul(half_k, shell->whole);
    F8 half = f8_mul(f8_fma(half_k, sum, squeeze), f8_set(0.5f));
    float energy[THAW_LANES];
    double total = 0;
    f8_store(energy, half);
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        if ((lanes->mask >> k & 1u) == 0) continue;
        double distance = (double)pass->kinds[pass->kind[lanes->rows[k]]].distance;
        total += distance * distance * (double)energy[k];
    }
    return total;
}

static double block_energy(const ThawSolidPass *pass, uint32_t first, uint32_t mask) {
    double sum = 0;
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        if ((mask >> k & 1u) != 0) sum += thaw_solid_row_energy(pass, first + k);
    }
    return sum;
}

// turn and map become the particles' own
THAW_INLINE void keep_state(const ThawSolidPass *pass, const Lanes *lanes, const Strained *s) {
    const F8 turn[4] = {s->turn.x, s->turn.y, s->turn.z, s->turn.w};
    store_four(pass->state.turn, 4, lanes->first, lanes->mask, turn);
    store_nine(pass->state.map, lanes->first, lanes->mask, s->map.m);
}

// what neighbours will read
THAW_INLINE void store_response(const ThawSolidPass *pass, uint32_t block, const Lanes *lanes,
                                const Shell *shell, const Strained *s, Neighborhood *n,
                                bool driven) {
    W33 p;
    respond(s, shell, &lanes->kinds, driven, &p);
    F8 half_k = lanes->kinds.half_k;
    if (pass->uneven) {
        p = w33_scale(&p, shell->whole);
        half_k = f8_mul(half_k, shell->whole);
    }
    Motion motion = {w3_zero(), w3_zero()};
    if (pass->damped) {
        W3 speed = gather_speed(pass, lanes->rows);
        add_motion(pass, block, speed, n);
        motion = rigid_motion(n, shell->count, speed);
    }
    store_frames(pass, lanes->first, lanes->mask, &p, half_k, &motion);
}

// A block on its way. What it waits for is long: a few are taken through each part together.
typedef struct Passage {
    uint32_t block;
    Lanes lanes;
    Neighborhood n;
    Shell own;
    const Shell *shell;
    W33 flow, m; // m: what the turn maximises tr(Rᵀ m) of
    W4 turn;
    bool off; // some site is not where the lattice has it: they are
    W3 sites[THAW_SITES];
} Passage;

THAW_INLINE const W3 *sites_of(const Passage *p) {
    return p->off ? p->sites : NULL;
}

// what a block's neighbourhoods look like, and how they were turned
THAW_INLINE void enter(const ThawSolidPass *pass, const Shell *full, bool flows, bool periodic,
                       Passage *p) {
    const Lanes *lanes = &p->lanes;
    look_around(pass, p->block, lanes->own, lanes->rows, lanes->kinds.unit, periodic, &p->n);
    if (p->off)
        add_moments_off(pass, p->sites, &p->n);
    else
        add_moments(pass, &p->n);
    p->shell = full;
    if (p->off || (pass->bonds->block[p->block] & THAW_BLOCK_FULL) == 0) {
        make_shell(pass, p->n.there, sites_of(p), &p->own);
        p->shell = &p->own;
    }
    F8 turn[4];
    load_four(pass->state.turn, 4, lanes->rows, turn);
    p->turn = (W4){turn[0], turn[1], turn[2], turn[3]};
    w33_copy(&p->n.m, &p->m);
    if (!flows) return;
    load_nine(pass->state.flow, lanes->rows, p->flow.m);
    p->m = w33_mul_turned(&p->n.m, &p->flow);
}

// what follows from them; returns the energy where that is asked for
THAW_INLINE double leave(const ThawSolidPass *pass, bool flows, bool driven, Passage *p) {
    const Lanes *lanes = &p->lanes;
    Strained s;
    measure(&p->n, p->shell, p->turn, &p->flow, flows, &s);
    if (!pass->passing) {
        mend_map(&s);
        keep_state(pass, lanes, &s);
    }
    if (pass->frame != NULL) {
        store_response(pass, p->block, lanes, p->shell, &s, &p->n, driven);
    }
    if (pass->energy == NULL) return 0;
    return driven ? block_energy(pass, lanes->first, lanes->mask)
                  : lanes_energy(pass, lanes, &p->n, sites_of(p), p->shell, &s);
}

THAW_INLINE void frame_blocks(const ThawSolidPass *pass, const Shell *full, bool flows, bool driven,
                              bool periodic, Passage *passages, uint32_t count, double *sum) {
    for (uint32_t k = 0; k < count; k++) enter(pass, full, flows, periodic, &passages[k]);
    for (int step = 0; step < pass->newton; step++) {
        for (uint32_t k = 0; k < count; k++) {
            passages[k].turn = w4_approach(passages[k].turn, &passages[k].m);
        }
    }
    for (uint32_t k = 0; k < count; k++) *sum += leave(pass, flows, driven, &passages[k]);
}

static void frame_plainly(const ThawSolidPass *pass, const Shell *full, Passage *passages,
                          uint32_t count, double *sum) {
    frame_blocks(pass, full, false, false, false, passages, count, sum);
}

// the same with flow, with laws of the strain, with sites off the lattice, or in a periodic domain
static void frame_oddly(const ThawSolidPass *pass, const Shell *full, Passage *passages,
                        uint32_t count, double *sum) {
    bool driven = false;
    for (uint32_t k = 0; k < count; k++) {
        Passage *p = &passages[k];
        driven |= any_driven(pass, p->lanes.first);
        if (p->off) load_sites(pass, p->lanes.rows, p->sites);
    }
    if (driven)
        frame_blocks(pass, full, pass->flows, true, true, passages, count, sum);
    else
        frame_blocks(pass, full, pass->flows, false, true, passages, count, sum);
}

void THAW_WIDE(thaw_solid_frames)(const ThawSolidPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->blocks, THAW_SOLID_CHUNK);
    double sum = 0;
    const bool periodic = is_periodic(pass);
    Shell full;
    make_shell(pass, NULL, NULL, &full);
    for (uint32_t b = range.begin; b < range.end;) {
        Passage passages[TOGETHER];
        uint32_t count = 0;
        bool plain = !pass->flows && !periodic;
        for (; b < range.end && count < TOGETHER; b++) {
            if ((pass->bonds->block[b] & THAW_BLOCK_SOLID) == 0) continue;
            Passage *next = &passages[count++];
            next->block = b;
            next->off = (pass->bonds->block[b] & THAW_BLOCK_OFF) != 0;
            load_lanes(pass, b, &next->lanes);
            if (pass->soft != NULL) soften(pass, &next->lanes);
            uint16_t kind = pass->kind[next->lanes.first];
            plain = plain && next->lanes.alike && !next->off &&
                    pass->kinds[kind].law == THAW_ELASTIC_LATTICE;
        }
        if (plain)
            frame_plainly(pass, &full, passages, count, &sum);
        else
            frame_oddly(pass, &full, passages, count, &sum);
    }
    if (pass->energy != NULL) pass->energy[chunk] = sum;
}

// ---------------------------------------------------------------- forces and velocities

typedef struct Felt {
    W3 force, drag;
} Felt;

THAW_INLINE void gather_frame(const ThawSolidPass *pass, int part, const uint32_t *rows,
                              F8 out[4]) {
    I8 a[4];
    i8_gather((const int32_t *)(const void *)pass->frame->row[part], 16, rows, &a[0], &a[1], &a[2],
              &a[3]);
    for (int k = 0; k < 4; k++) out[k] = i8_bits(a[k]);
}

typedef struct Reader {
    W33 p;
    F8 half_k;
    Motion motion;
} Reader;

// without damping the first three rows say all, see store_frames
THAW_INLINE void read_frames(const ThawSolidPass *pass, const uint32_t *rows, bool damped,
                             Reader *reader) {
    F8 a[4][4];
    for (int k = 0; k < 3; k++) gather_frame(pass, k, rows, a[k]);
    for (int k = 0; k < 9; k++) reader->p.m[k] = a[k / 3][k % 3];
    reader->half_k = a[0][3];
    reader->motion = (Motion){w3_zero(), w3_zero()};
    if (!damped) return;
    gather_frame(pass, 3, rows, a[3]);
    reader->half_k = a[3][0];
    reader->motion = (Motion){{a[0][3], a[1][3], a[2][3]}, {a[3][1], a[3][2], a[3][3]}};
}

// −(P_i + P_j) l + (h_i + h_j) r for a site with the coordinates a and b alone, where somebody is there. The
// pair's force is rounded alike on both sides before it is added up, so that pairs are opposite.
THAW_INLINE W3 pair_force(const Reader *mine, const Reader *theirs, W3 r, F8 there, const float *l,
                          int a, int b) {
    F8 back = f8_sub(w_zero(), there);
    F8 x = f8_mul(back, f8_set(l[a])), y = f8_mul(back, f8_set(l[b])), push[3];
    for (int k = 0; k < 9; k += 3) {
        F8 first = f8_add(mine->p.m[k + a], theirs->p.m[k + a]);
        F8 second = f8_add(mine->p.m[k + b], theirs->p.m[k + b]);
        push[k / 3] = f8_fma(second, y, f8_mul(first, x));
    }
    return w3_fma(r, f8_add(mine->half_k, theirs->half_k), (W3){push[0], push[1], push[2]});
}

// how velocities are damped; the compiler knows which
typedef enum Damping {
    UNDAMPED,
    EVENLY, // drag is to be multiplied by the kind's rate
    BY_ROW  // drag is an acceleration: neighbourhoods have rates of their own
} Damping;

THAW_INLINE F8 gather_drag(const ThawSolidPass *pass, const uint32_t *rows) {
    float columns[THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) columns[k] = pass->drag[rows[k]];
    return f8_load(columns);
}

// what comes from sites begin .. end − 1, which lie in the plane of the axes a and b
THAW_INLINE void feel_plane(const ThawSolidPass *pass, uint32_t block, const Lanes *lanes,
                            const Reader *mine, W3 v, Damping damping, bool periodic,
                            ThawRange range, int a, int b, Felt *felt) {
    I8 self = i8_load((const int32_t *)(const void *)lanes->rows);
    bool ask = pass->rows > CACHED && block + AHEAD < pass->blocks;
    for (uint32_t s = range.begin; s < range.end; s++) {
        const uint32_t *slot = slots_of(pass, block, s);
        if (ask) {
            const uint32_t *next = slots_of(pass, block + AHEAD, s);
            for (uint32_t k = 0; k < THAW_LANES; k++) __builtin_prefetch(&pass->frame[next[k]]);
        }
        I8 at[3];
        gather_place(pass, slot, at);
        W3 r = offset_to(pass, lanes->own, at, lanes->kinds.unit, periodic);
        F8 there = i8_differ(i8_load((const int32_t *)(const void *)slot), self);
        Reader theirs;
        read_frames(pass, slot, damping != UNDAMPED, &theirs);
        W3 force = pair_force(mine, &theirs, r, there, pass->sites->vector[s], a, b);
        felt->force = w3_add(felt->force, force);
        if (damping == UNDAMPED) continue;
        W3 slip = w3_add(w3_sub(v, theirs.motion.u), w3_cross(theirs.motion.omega, r));
        if (damping == BY_ROW) there = f8_mul(there, gather_drag(pass, slot));
        felt->drag = w3_fma(slip, there, felt->drag);
    }
}

// what all lanes feel; bonds join lattices of one orientation and one material
THAW_INLINE void feel(const ThawSolidPass *pass, uint32_t block, const Lanes *lanes, W3 v,
                      Damping damping, bool periodic, Felt *felt) {
    Reader mine;
    read_frames(pass, lanes->rows, damping != UNDAMPED, &mine);
    felt->force = felt->drag = w3_zero();
    if (damping != UNDAMPED) felt->drag = w3_sub(v, mine.motion.u);
    if (damping == BY_ROW) felt->drag = w3_scale(felt->drag, gather_drag(pass, lanes->rows));
    const ThawRange planes[3] = {{0, pass->dimensions == 3 ? 4 : 6}, {4, 8}, {8, 12}};
    feel_plane(pass, block, lanes, &mine, v, damping, periodic, planes[0], 0, 1, felt);
    if (pass->dimensions == 2) return;
    feel_plane(pass, block, lanes, &mine, v, damping, periodic, planes[1], 0, 2, felt);
    feel_plane(pass, block, lanes, &mine, v, damping, periodic, planes[2], 1, 2, felt);
}

THAW_INLINE void feel_alike(const ThawSolidPass *pass, uint32_t block, const Lanes *lanes, W3 v,
                            Felt *felt) {
    const bool periodic = is_periodic(pass);
    if (!pass->damped && !periodic)
        feel(pass, block, lanes, v, UNDAMPED, false, felt);
    else if (!pass->damped)
        feel(pass, block, lanes, v, UNDAMPED, true, felt);
    else if (pass->drag != NULL)
        feel(pass, block, lanes, v, BY_ROW, true, felt);
    else if (periodic)
        feel(pass, block, lanes, v, EVENLY, true, felt);
    else
        feel(pass, block, lanes, v, EVENLY, false, felt);
}

// lattice distances from one place to another
static void offset_row(const ThawSolidPass *pass, const ThawPlace *here, const ThawPlace *there,
                       float unit, float r[3]) {
    const int32_t from[3] = {here->x, here->y, here->z}, to[3] = {there->x, there->y, there->z};
    for (int a = 0; a < 3; a++) {
        int32_t d = thaw_place_sub(to[a], from[a]);
        float way = (float)d;
        if (pass->period[a] != 0) {
            float below = (float)thaw_place_sub(d, pass->period[a]);
            float above = (float)thaw_place_add(d, pass->period[a]);
            if (__builtin_fabsf(below) <= __builtin_fabsf(way)) way = below;
            if (__builtin_fabsf(above) <= __builtin_fabsf(way)) way = above;
        }
        r[a] = way * unit;
    }
}

THAW_INLINE float drag_of(const ThawSolidPass *pass, uint32_t row) {
    return pass->drag != NULL ? pass->drag[row] : pass->kinds[pass->kind[row]].damping;
}

// The same one by one, for any orientations and materials; drag comes as an acceleration.
static void feel_row(const ThawSolidPass *pass, uint32_t row, float force[3], float drag[3]) {
    const ThawSolidFrame *mine = &pass->frame[row];
    const ThawSolidKind *kind = &pass->kinds[pass->kind[row]];
    const float *v = pass->speed[row], own = drag_of(pass, row);
    for (int a = 0; a < 3; a++) {
        force[a] = 0;
        drag[a] = own * (v[a] - mine->row[a][3]);
    }
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        size_t at = thaw_bond_at(row, s);
        uint32_t other = pass->bonds->slot[at];
        if (other == row) continue;
        const ThawSolidFrame *theirs = &pass->frame[other];
        const ThawSolidKind *their_kind = &pass->kinds[pass->kind[other]];
        float l[3], b[3], r[3];
        uint32_t back = pass->bonds->back[at];
        thaw_lattice_site(&pass->state, row, s, pass->sites->vector[s], l);
        thaw_lattice_site(&pass->state, other, back, pass->sites->vector[back], b);
        offset_row(pass, &pass->place[row], &pass->place[other], kind->unit, r);
        // each neighbourhood counts in its own lattice distance
        const float *w = &theirs->row[3][1], size = their_kind->distance / kind->distance;
        const float turn[3] = {(w[1] * r[2] - w[2] * r[1]) / size,
                               (w[2] * r[0] - w[0] * r[2]) / size,
                               (w[0] * r[1] - w[1] * r[0]) / size};
        float rate = drag_of(pass, other) * (their_kind->mass / kind->mass);
        for (int a = 0; a < 3; a++) {
            const float *p = mine->row[a], *o = theirs->row[a];
            float push = (o[0] * b[0] + o[1] * b[1] + o[2] * b[2]) * size -
                         (p[0] * l[0] + p[1] * l[1] + p[2] * l[2]);
            force[a] += push + (mine->row[3][0] + theirs->row[3][0]) * r[a];
            drag[a] += rate * (v[a] - theirs->row[a][3] + turn[a]);
        }
    }
}

// what the lanes of a block feel whose bonds join different orientations or materials
static void feel_rows(const ThawSolidPass *pass, const Lanes *lanes, Felt *felt) {
    float columns[6][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        float force[3] = {0, 0, 0}, drag[3] = {0, 0, 0};
        if ((lanes->mask >> k & 1u) != 0) feel_row(pass, lanes->first + k, force, drag);
        for (int a = 0; a < 3; a++) {
            columns[a][k] = force[a];
            columns[3 + a][k] = drag[a];
        }
    }
    felt->force = (W3){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2])};
    felt->drag = (W3){f8_load(columns[3]), f8_load(columns[4]), f8_load(columns[5])};
}

// lanes that may be moved
THAW_INLINE uint32_t free_lanes(const ThawSolidPass *pass, const Lanes *lanes) {
    uint32_t mask = lanes->mask;
    for (uint32_t k = 0; pass->held != NULL && k < THAW_LANES; k++) {
        if (pass->held[lanes->rows[k]] != 0) mask &= ~(1u << k);
    }
    return mask;
}

static void kick_block(const ThawSolidPass *pass, uint32_t block) {
    const bool damped = pass->damped;
    Lanes lanes;
    load_lanes(pass, block, &lanes);
    F8 speed[4];
    load_four(&pass->speed[0][0], 4, lanes.rows, speed);
    W3 v = {speed[0], speed[1], speed[2]};
    F8 damping = lanes.kinds.damping;
    Felt felt;
    bool mixed = (pass->bonds->block[block] & THAW_BLOCK_MIXED) != 0;
    if (!mixed) {
        feel_alike(pass, block, &lanes, v, &felt);
    } else {
        feel_rows(pass, &lanes, &felt);
    }
    if (pass->drag != NULL || mixed) damping = f8_set(1.0f);
    W3 a = {f8_set(pass->gravity[0]), f8_set(pass->gravity[1]), f8_set(pass->gravity[2])};
    a = w3_fma(felt.force, lanes.kinds.push, a);
    if (damped) a = w3_fma(felt.drag, f8_sub(w_zero(), damping), a);
    v = w3_fma(a, f8_set(pass->dt), v);
    const F8 kicked[4] = {v.x, v.y, v.z, speed[3]};
    store_four(&pass->speed[0][0], 4, lanes.first, free_lanes(pass, &lanes), kicked);
}

void THAW_WIDE(thaw_solid_kick)(const ThawSolidPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->blocks, THAW_SOLID_CHUNK);
    for (uint32_t b = range.begin; b < range.end; b++) {
        if ((pass->bonds->block[b] & THAW_BLOCK_SOLID) == 0) continue;
        kick_block(pass, b);
    }
}
