// The solid's inner loops, written once for all instruction sets.
//
// Eight rows of a block are the lanes; their sites are walked one after the other. A vacant site holds the
// particle itself, whose offset is nothing. Lattices of different orientation that meet are rare: blocks with
// such bonds take the plain path at the end.
#include "models/solid/solid.h"

#include "lattice/offset_wide.h"

#define REGULAR 1e-3f // what is added then, of the full shell
#define LEAST_VOLUME 0.2f
#define LEAST_LOG 0.4f // below this volume the neo-Hookean law goes on as it is there
#define MOST_VOLUME 10.0f

THAW_INLINE W3 offset_to(const ThawSolidPass *pass, const I8 own[3], const I8 other[3], F8 unit) {
    return (W3){f8_mul(offset_axis(own[0], other[0], pass->period[0]), unit),
                f8_mul(offset_axis(own[1], other[1], pass->period[1]), unit),
                f8_mul(offset_axis(own[2], other[2], pass->period[2]), unit)};
}

// numbers of the lanes' own kinds
typedef struct Kinds {
    F8 unit, half_k, volume_k, shear_k, push, damping, law;
} Kinds;

THAW_INLINE Kinds load_kinds(const ThawSolidPass *pass, uint32_t first) {
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
    return (Kinds){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2]),
                   f8_load(columns[3]), f8_load(columns[4]), f8_load(columns[5]),
                   f8_load(columns[6])};
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

typedef struct Neighborhood {
    W33 m;        // Σ r lᵀ
    W33 q;        // Σ l lᵀ
    W3 reach;     // Σ l
    F8 count;     // occupied sites
    W3 sum, flux; // Σ r, Σ v
    W33 c;        // Σ r rᵀ (upper half)
    W3 whirl;     // Σ r × v
} Neighborhood;

THAW_INLINE void add_moments(Neighborhood *n, W3 r, F8 there, const float *l) {
    F8 x = f8_set(l[0]), y = f8_set(l[1]), z = f8_set(l[2]);
    n->m.m[0] = f8_fma(r.x, x, n->m.m[0]);
    n->m.m[1] = f8_fma(r.x, y, n->m.m[1]);
    n->m.m[2] = f8_fma(r.x, z, n->m.m[2]);
    n->m.m[3] = f8_fma(r.y, x, n->m.m[3]);
    n->m.m[4] = f8_fma(r.y, y, n->m.m[4]);
    n->m.m[5] = f8_fma(r.y, z, n->m.m[5]);
    n->m.m[6] = f8_fma(r.z, x, n->m.m[6]);
    n->m.m[7] = f8_fma(r.z, y, n->m.m[7]);
    n->m.m[8] = f8_fma(r.z, z, n->m.m[8]);
    n->reach = (W3){f8_fma(there, x, n->reach.x), f8_fma(there, y, n->reach.y),
                    f8_fma(there, z, n->reach.z)};
    n->q.m[0] = f8_fma(there, f8_set(l[0] * l[0]), n->q.m[0]);
    n->q.m[1] = f8_fma(there, f8_set(l[0] * l[1]), n->q.m[1]);
    n->q.m[2] = f8_fma(there, f8_set(l[0] * l[2]), n->q.m[2]);
    n->q.m[4] = f8_fma(there, f8_set(l[1] * l[1]), n->q.m[4]);
    n->q.m[5] = f8_fma(there, f8_set(l[1] * l[2]), n->q.m[5]);
    n->q.m[8] = f8_fma(there, f8_set(l[2] * l[2]), n->q.m[8]);
}

THAW_INLINE void add_motion(Neighborhood *n, W3 r, W3 v, F8 there) {
    n->count = f8_add(n->count, there);
    n->sum = w3_add(n->sum, r);
    n->flux = w3_fma(v, there, n->flux);
    n->whirl = w3_add(n->whirl, w3_cross(r, v));
    n->c.m[0] = f8_fma(r.x, r.x, n->c.m[0]);
    n->c.m[1] = f8_fma(r.x, r.y, n->c.m[1]);
    n->c.m[2] = f8_fma(r.x, r.z, n->c.m[2]);
    n->c.m[4] = f8_fma(r.y, r.y, n->c.m[4]);
    n->c.m[5] = f8_fma(r.y, r.z, n->c.m[5]);
    n->c.m[8] = f8_fma(r.z, r.z, n->c.m[8]);
}

// `ways` keeps the offsets where it is not NULL
THAW_INLINE Neighborhood look_around(const ThawSolidPass *pass, uint32_t block, const I8 own[3],
                                     const uint32_t *rows, F8 unit, bool damped, W3 *ways) {
    Neighborhood n = {.m = w33_zero(), .q = w33_zero(), .c = w33_zero()};
    n.count = w_zero();
    n.reach = n.sum = n.flux = n.whirl = w3_zero();
    I8 self = i8_load((const int32_t *)(const void *)rows);
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        const uint32_t *slot = &pass->bonds->slot[((size_t)block * THAW_SITES + s) * THAW_LANES];
        I8 at[3];
        gather_place(pass, slot, at);
        W3 r = offset_to(pass, own, at, unit);
        F8 there = i8_differ(i8_load((const int32_t *)(const void *)slot), self);
        if (ways != NULL) ways[s] = r;
        add_moments(&n, r, there, pass->sites->vector[s]);
        if (damped) add_motion(&n, r, gather_speed(pass, slot), there);
    }
    F8 full = f8_set(pass->sites->moment);
    n.q.m[3] = n.q.m[1];
    n.q.m[6] = n.q.m[2];
    n.q.m[7] = n.q.m[5];
    if (pass->dimensions == 2) {
        // the third axis is as it should be
        n.q.m[8] = full;
        n.m.m[8] = f8_add(n.m.m[8], full);
    }
    return n;
}

// ---------------------------------------------------------------- rows of the particles' state

THAW_INLINE void load_floats(const float *from, uint32_t components, const uint32_t *rows,
                             F8 *columns) {
    for (uint32_t c = 0; c < components; c++) {
        float column[THAW_LANES];
        for (uint32_t k = 0; k < THAW_LANES; k++)
            column[k] = from[components * (size_t)rows[k] + c];
        columns[c] = f8_load(column);
    }
}

THAW_INLINE void store_floats(float *to, uint32_t components, uint32_t first, uint32_t mask,
                              const F8 *columns) {
    for (uint32_t c = 0; c < components; c++) {
        float column[THAW_LANES];
        f8_store(column, columns[c]);
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            if ((mask >> k & 1u) != 0) to[components * (size_t)(first + k) + c] = column[k];
        }
    }
}

// lanes that are solid
THAW_INLINE uint32_t solid_lanes(const ThawSolidPass *pass, uint32_t first) {
    uint32_t mask = 0;
    for (uint32_t k = 0; k < THAW_LANES && first + k < pass->rows; k++) {
        mask |= (uint32_t)(pass->kind[first + k] != 0) << k;
    }
    return mask;
}

// ---------------------------------------------------------------- strain and what follows from it

typedef struct Strained {
    W4 turn;
    W33 r;       // rotation
    W33 map;     // A, as kept for finding sites
    W33 elastic; // A F⁻¹, where the neighbourhood is not thin
    W33 inverse; // Q⁻¹ of the rest sites as they are now
    F8 whole;    // 1, or 0 where the neighbourhood is thin
    F8 weight;   // of its strain's energy: less at edges and corners
} Strained;

THAW_INLINE W33 w33_where(F8 a, F8 b, W33 yes, W33 no) {
    for (int k = 0; k < 9; k++) no.m[k] = f8_where(a, b, yes.m[k], no.m[k]);
    return no;
}

THAW_INLINE W33 plus_one(W33 a, F8 s) {
    a.m[0] = f8_add(a.m[0], s);
    a.m[4] = f8_add(a.m[4], s);
    a.m[8] = f8_add(a.m[8], s);
    return a;
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

// R, A and Q⁻¹ of a neighbourhood; `flow` is the rest sites' own map
THAW_INLINE Strained measure(const ThawSolidPass *pass, const Neighborhood *n, W4 turn,
                             const W33 *flow, bool flows) {
    Strained s;
    W33 m = flows ? w33_mul_turned(n->m, *flow) : n->m;
    s.turn = turn;
    for (int k = 0; k < pass->newton; k++) s.turn = w4_approach(s.turn, &m);
    s.r = w4_matrix(s.turn);
    F8 full = f8_set(pass->sites->moment), share = f8_set(REGULAR * pass->sites->moment);
    W33 c = w33_cofactors(&n->q);
    F8 det = w33_determinant(&n->q, &c);
    F8 thin = f8_mul(f8_mul(full, f8_set(THAW_SOLID_THIN)), f8_mul(full, full));
    s.whole = f8_where(det, thin, w_zero(), f8_set(1.0f));
    // thin: (M + ε q R F)(Q + ε q)⁻¹
    F8 extra = f8_where(det, thin, share, w_zero());
    W33 rest = flows ? w33_mul(s.r, *flow) : s.r;
    W33 q = plus_one(n->q, extra), raw = w33_fma(rest, extra, n->m);
    W33 inverse = w33_inverse(&q);
    s.weight = f8_mul(s.whole, surface_weight(pass, &inverse, n->reach));
    s.map = w33_mul(raw, inverse);
    s.elastic = s.map;
    s.inverse = inverse;
    if (flows) {
        W33 back = w33_inverse(flow);
        s.elastic = w33_mul(s.map, back);
        s.inverse = w33_mul(w33_turn(back), inverse); // Q'⁻¹ F = F⁻ᵀ Q⁻¹
    }
    // a collapsed or inverted neighbourhood keeps its sites where the rotation puts them
    W33 cofactors = w33_cofactors(&s.map);
    F8 volume = w33_determinant(&s.map, &cofactors);
    s.map = w33_where(volume, f8_set(LEAST_VOLUME), rest, s.map);
    s.map = w33_where(f8_set(MOST_VOLUME), volume, rest, s.map);
    return s;
}

// −V₀/D² times the stress that strain-driven laws give, on the rest sites: dψ/dA Q⁻¹
static W33 stress_of_strain(const Strained *s, const Kinds *kinds, F8 volume, W33 cofactors,
                            bool hookean) {
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
        stress = w33_scale(s->elastic, half);
        stress = w33_fma(cofactors, pull, stress);
    } else {
        // 2 μ (A − R) + λ tr(S − 1) R, with R of A itself
        W4 turn = s->turn;
        for (int k = 0; k < 2; k++) turn = w4_approach(turn, &s->elastic);
        W33 r = w4_matrix(turn);
        F8 trace = f8_set(-3.0f);
        for (int k = 0; k < 9; k++) trace = f8_fma(r.m[k], s->elastic.m[k], trace);
        F8 lame = f8_nma(kinds->volume_k, trace, kinds->shear_k);
        stress = w33_scale(s->elastic, kinds->shear_k);
        stress = w33_fma(r, f8_sub(zero, lame), stress);
    }
    return w33_scale(w33_mul(stress, s->inverse), f8_sub(zero, s->weight));
}

// P: what the neighbourhood does to the particle on site l is P l − h r
THAW_INLINE W33 response(const Strained *s, const Kinds *kinds, const W33 *flow, bool flows,
                         bool driven) {
    W33 cofactors = w33_cofactors(&s->elastic);
    F8 volume = w33_determinant(&s->elastic, &cofactors), one = f8_set(1.0f);
    W33 lattice = w33_scale(flows ? w33_mul(s->r, *flow) : s->r, kinds->half_k);
    F8 squeeze = f8_mul(f8_mul(kinds->volume_k, s->weight), f8_sub(one, volume));
    lattice = w33_fma(w33_mul(cofactors, s->inverse), squeeze, lattice);
    if (!driven) return lattice;
    // laws of the strain, and the lattice's hold on what is not affine; thin ones stay with the lattice
    W33 affine = w33_scale(s->map, kinds->half_k);
    W33 linear = stress_of_strain(s, kinds, volume, cofactors, false);
    W33 hookean = stress_of_strain(s, kinds, volume, cofactors, true);
    linear = w33_fma(affine, one, linear);
    hookean = w33_fma(affine, one, hookean);
    F8 law = f8_mul(kinds->law, s->whole);
    W33 p = w33_where(law, f8_set(THAW_ELASTIC_LATTICE + 0.5f), lattice, linear);
    return w33_where(law, f8_set(THAW_ELASTIC_COROTATED + 0.5f), p, hookean);
}

// ---------------------------------------------------------------- damping

typedef struct Motion {
    W3 u, omega;
} Motion;

// the rigid motion of the particle and its neighbours (eq. 10 and 11, with one set of weights)
static Motion rigid_motion(const Neighborhood *n, W3 own) {
    F8 one = f8_set(1.0f), all = f8_add(n->count, one), share = f8_div(one, all);
    W3 mean = w3_scale(w3_add(n->flux, own), share), center = w3_scale(n->sum, share);
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
    // turning about the axis of a line of particles moves none of them: along it anything will do
    const F8 some = f8_set(1e-2f), spread[9] = {xx, xy, xz, xy, yy, yz, xz, yz, zz};
    W33 padded = plus_one(inertia, f8_set(1e-7f));
    for (int k = 0; k < 9; k++) padded.m[k] = f8_fma(spread[k], some, padded.m[k]);
    W33 inverse = w33_inverse(&padded);
    Motion motion;
    motion.omega = w33_solve(&inertia, spin, w33_apply(&inverse, spin));
    motion.u = w3_sub(mean, w3_cross(motion.omega, center));
    return motion;
}

// ---------------------------------------------------------------- frames

THAW_INLINE void store_frames(const ThawSolidPass *pass, uint32_t first, uint32_t mask,
                              const W33 *p, F8 half_k, const Motion *motion) {
    const F8 columns[16] = {p->m[0], p->m[1],         p->m[2],         motion->u.x,
                            p->m[3], p->m[4],         p->m[5],         motion->u.y,
                            p->m[6], p->m[7],         p->m[8],         motion->u.z,
                            half_k,  motion->omega.x, motion->omega.y, motion->omega.z};
    float rows[4][4 * THAW_LANES];
    for (int k = 0; k < 4; k++) {
        i8_rows((int32_t *)(void *)rows[k], f8_bits(columns[4 * k]), f8_bits(columns[4 * k + 1]),
                f8_bits(columns[4 * k + 2]), f8_bits(columns[4 * k + 3]));
    }
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        if ((mask >> k & 1u) == 0) continue;
        float(*row)[4] = pass->frame[first + k].row;
        for (int c = 0; c < 4; c++) __builtin_memcpy(row[c], &rows[c][4 * k], sizeof row[c]);
    }
}

THAW_INLINE bool any_driven(const ThawSolidPass *pass, uint32_t first) {
    bool driven = false;
    for (uint32_t k = 0; k < THAW_LANES && first + k < pass->rows; k++) {
        driven |= pass->kinds[pass->kind[first + k]].law != THAW_ELASTIC_LATTICE;
    }
    return driven;
}

// J of the lanes: (k/4) Σ |R F l − r|² D² + ½ λ V₀ (det A − 1)²
static double lanes_energy(const ThawSolidPass *pass, uint32_t block, const uint32_t *rows,
                           const Strained *s, const Kinds *kinds, const W33 *rest, const W3 *ways,
                           uint32_t mask) {
    I8 self = i8_load((const int32_t *)(const void *)rows);
    F8 sum = w_zero();
    for (uint32_t k = 0; k < pass->sites->count; k++) {
        const uint32_t *slot = &pass->bonds->slot[((size_t)block * THAW_SITES + k) * THAW_LANES];
        F8 there = i8_differ(i8_load((const int32_t *)(const void *)slot), self);
        const float *l = pass->sites->vector[k];
        W3 site = {f8_set(l[0]), f8_set(l[1]), f8_set(l[2])};
        W3 off = w3_sub(w33_apply(rest, site), ways[k]);
        sum = f8_fma(w3_dot(off, off), there, sum);
    }
    W33 cofactors = w33_cofactors(&s->elastic);
    F8 grown = f8_sub(w33_determinant(&s->elastic, &cofactors), f8_set(1.0f));
    F8 squeeze = f8_mul(f8_mul(kinds->volume_k, s->weight), f8_mul(grown, grown));
    F8 half_k = pass->uneven ? f8_mul(kinds->half_k, s->whole) : kinds->half_k;
    F8 half = f8_mul(f8_fma(half_k, sum, squeeze), f8_set(0.5f));
    float lanes[THAW_LANES];
    double total = 0;
    f8_store(lanes, half);
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        if ((mask >> k & 1u) == 0) continue;
        double distance = (double)pass->kinds[pass->kind[rows[k]]].distance;
        total += distance * distance * (double)lanes[k];
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

// one block; returns its energy where that is asked for
static double frame_block(const ThawSolidPass *pass, uint32_t block) {
    const bool flows = pass->flows, damped = pass->damped, energy = pass->energy != NULL;
    uint32_t first = block * THAW_LANES, mask = solid_lanes(pass, first), rows[THAW_LANES];
    own_rows(pass, first, rows);
    Kinds kinds = load_kinds(pass, first);
    I8 own[3];
    gather_place(pass, rows, own);
    W3 ways[THAW_SITES];
    Neighborhood n = look_around(pass, block, own, rows, kinds.unit, damped, energy ? ways : NULL);
    F8 turn[4];
    load_floats(pass->state.turn, 4, rows, turn);
    W33 flow = w33_zero();
    if (flows) load_floats(pass->state.flow, 9, rows, flow.m);
    Strained s = measure(pass, &n, (W4){turn[0], turn[1], turn[2], turn[3]}, &flow, flows);
    bool driven = any_driven(pass, first);
    W33 p = response(&s, &kinds, &flow, flows, driven);
    const F8 kept[4] = {s.turn.x, s.turn.y, s.turn.z, s.turn.w};
    store_floats(pass->state.turn, 4, first, mask, kept);
    store_floats(pass->state.map, 9, first, mask, s.map.m);
    F8 half_k = kinds.half_k;
    if (pass->uneven) {
        p = w33_scale(p, s.whole);
        half_k = f8_mul(half_k, s.whole);
    }
    Motion motion = {w3_zero(), w3_zero()};
    if (damped) motion = rigid_motion(&n, gather_speed(pass, rows));
    store_frames(pass, first, mask, &p, half_k, &motion);
    if (!energy) return 0;
    if (driven) return block_energy(pass, first, mask);
    W33 rest = flows ? w33_mul(s.r, flow) : s.r;
    return lanes_energy(pass, block, rows, &s, &kinds, &rest, ways, mask);
}

void THAW_WIDE(thaw_solid_frames)(const ThawSolidPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->blocks, THAW_SOLID_CHUNK);
    double sum = 0;
    for (uint32_t b = range.begin; b < range.end; b++) {
        if ((pass->bonds->block[b] & THAW_BLOCK_SOLID) == 0) continue;
        sum += frame_block(pass, b);
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

THAW_INLINE Reader read_frames(const ThawSolidPass *pass, const uint32_t *rows) {
    F8 a[4][4];
    for (int k = 0; k < 4; k++) gather_frame(pass, k, rows, a[k]);
    Reader reader = {
        .p = {{a[0][0], a[0][1], a[0][2], a[1][0], a[1][1], a[1][2], a[2][0], a[2][1], a[2][2]}}};
    reader.half_k = a[3][0];
    reader.motion = (Motion){{a[0][3], a[1][3], a[2][3]}, {a[3][1], a[3][2], a[3][3]}};
    return reader;
}

// what all lanes feel; bonds join lattices of one orientation and one material
THAW_INLINE Felt feel(const ThawSolidPass *pass, uint32_t block, const I8 own[3],
                      const uint32_t *rows, const Kinds *kinds, W3 v, bool damped) {
    Reader mine = read_frames(pass, rows);
    Felt felt = {w3_zero(), w3_zero()};
    if (damped) felt.drag = w3_sub(v, mine.motion.u);
    I8 self = i8_load((const int32_t *)(const void *)rows);
    F8 zero = w_zero();
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        const uint32_t *slot = &pass->bonds->slot[((size_t)block * THAW_SITES + s) * THAW_LANES];
        I8 at[3];
        gather_place(pass, slot, at);
        W3 r = offset_to(pass, own, at, kinds->unit);
        F8 there = i8_differ(i8_load((const int32_t *)(const void *)slot), self);
        Reader theirs = read_frames(pass, slot);
        const float *l = pass->sites->vector[s];
        F8 back = f8_sub(zero, there);
        W3 site = {f8_mul(back, f8_set(l[0])), f8_mul(back, f8_set(l[1])),
                   f8_mul(back, f8_set(l[2]))};
        W33 p = mine.p;
        for (int k = 0; k < 9; k++) p.m[k] = f8_add(p.m[k], theirs.p.m[k]);
        // −(P_i + P_j) l + (h_i + h_j) r
        // the pair's force first, rounded alike on both sides, then the sum: so that pairs are opposite
        W3 force = w3_fma(r, f8_add(mine.half_k, theirs.half_k), w33_apply(&p, site));
        felt.force = w3_add(felt.force, force);
        if (damped) {
            W3 slip = w3_add(w3_sub(v, theirs.motion.u), w3_cross(theirs.motion.omega, r));
            felt.drag = w3_fma(slip, there, felt.drag);
        }
    }
    return felt;
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

// The same one by one, for any orientations and materials; drag comes as an acceleration.
static void feel_row(const ThawSolidPass *pass, uint32_t row, float force[3], float drag[3]) {
    const ThawSolidFrame *mine = &pass->frame[row];
    const ThawSolidKind *kind = &pass->kinds[pass->kind[row]];
    const float *v = pass->speed[row];
    for (int a = 0; a < 3; a++) {
        force[a] = 0;
        drag[a] = kind->damping * (v[a] - mine->row[a][3]);
    }
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        size_t at = thaw_bond_at(row, s);
        uint32_t other = pass->bonds->slot[at];
        if (other == row) continue;
        const ThawSolidFrame *theirs = &pass->frame[other];
        const ThawSolidKind *their_kind = &pass->kinds[pass->kind[other]];
        const float *l = pass->sites->vector[s], *b = pass->sites->vector[pass->bonds->back[at]];
        float r[3];
        offset_row(pass, &pass->place[row], &pass->place[other], kind->unit, r);
        const float *w = &theirs->row[3][1];
        const float turn[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2],
                               w[0] * r[1] - w[1] * r[0]};
        float rate = their_kind->damping * (their_kind->mass / kind->mass);
        for (int a = 0; a < 3; a++) {
            const float *p = mine->row[a], *o = theirs->row[a];
            float push = (o[0] * b[0] + o[1] * b[1] + o[2] * b[2]) -
                         (p[0] * l[0] + p[1] * l[1] + p[2] * l[2]);
            force[a] += push + (kind->half_k + their_kind->half_k) * r[a];
            drag[a] += rate * (v[a] - theirs->row[a][3] + turn[a]);
        }
    }
}

static void kick_block(const ThawSolidPass *pass, uint32_t block) {
    const bool damped = pass->damped;
    uint32_t first = block * THAW_LANES, mask = solid_lanes(pass, first), rows[THAW_LANES];
    own_rows(pass, first, rows);
    Kinds kinds = load_kinds(pass, first);
    I8 own[3];
    gather_place(pass, rows, own);
    W3 v = gather_speed(pass, rows);
    Felt felt;
    if ((pass->bonds->block[block] & THAW_BLOCK_MIXED) == 0) {
        felt = feel(pass, block, own, rows, &kinds, v, damped);
    } else {
        float columns[6][THAW_LANES];
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            float force[3] = {0, 0, 0}, drag[3] = {0, 0, 0};
            if ((mask >> k & 1u) != 0) feel_row(pass, first + k, force, drag);
            for (int a = 0; a < 3; a++) {
                columns[a][k] = force[a];
                columns[3 + a][k] = drag[a];
            }
        }
        felt.force = (W3){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2])};
        felt.drag = (W3){f8_load(columns[3]), f8_load(columns[4]), f8_load(columns[5])};
        kinds.damping = f8_set(1.0f);
    }
    W3 a = {f8_set(pass->gravity[0]), f8_set(pass->gravity[1]), f8_set(pass->gravity[2])};
    a = w3_fma(felt.force, kinds.push, a);
    if (damped) a = w3_fma(felt.drag, f8_sub(w_zero(), kinds.damping), a);
    v = w3_fma(a, f8_set(pass->dt), v);
    float out[3][THAW_LANES];
    f8_store(out[0], v.x);
    f8_store(out[1], v.y);
    f8_store(out[2], v.z);
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        bool free = (mask >> k & 1u) != 0 && (pass->held == NULL || pass->held[first + k] == 0);
        for (int c = 0; free && c < 3; c++) pass->speed[first + k][c] = out[c][k];
    }
}

void THAW_WIDE(thaw_solid_kick)(const ThawSolidPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->blocks, THAW_SOLID_CHUNK);
    for (uint32_t b = range.begin; b < range.end; b++) {
        if ((pass->bonds->block[b] & THAW_BLOCK_SOLID) == 0) continue;
        kick_block(pass, b);
    }
}
