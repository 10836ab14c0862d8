// Frames: what each neighbourhood looks like, how it is turned and strained, and what it does to its particles.
//
// Matching, rotation and strain (eqs. 3 to 7), the laws that follow from them, the rigid motion that damping spares, and
// the energy. A few blocks are taken through each part together, as what one waits for is long.
#include "models/solid/balance_wide.h"

#define REGULAR 1e-3f // what is added to a thin neighbourhood, of the full shell
#define LEAST_VOLUME 0.2f
#define LEAST_LOG 0.4f // below this volume the neo-Hookean law goes on as it is there
#define MOST_VOLUME 10.0f
#define TOGETHER 2u // blocks

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
    W3 ways[THAW_SITES];  // to the neighbours, in place units
    F8 unit;              // lattice distances a place unit: r = unit ways
    F8 there[THAW_SITES]; // 1, or 0 where a site is vacant
    W33 whole;    // Σ way nᵀ with l = scale n: whole numbers; none of sites off the lattice
    W33 m;        // Σ r lᵀ
    W3 sum, flux; // Σ r, Σ v from the own
    W33 c;        // Σ r rᵀ (upper half)
    W3 whirl;     // Σ r × v
} Neighborhood;

// offsets to the neighbours, and who is there
THAW_INLINE void look_around(const ThawSolidPass *pass, uint32_t block, const I8 own[3],
                             const uint32_t *rows, F8 unit, bool periodic, Neighborhood *n) {
    n->unit = unit;
    I8 self = i8_load((const int32_t *)(const void *)rows);
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        const uint32_t *slot = slots_of(pass, block, s);
        I8 at[3];
        gather_place(pass, slot, at);
        n->ways[s] = offset_to(pass, own, at, periodic);
        n->there[s] = i8_differ(i8_load((const int32_t *)(const void *)slot), self);
    }
}

// Σ r lᵀ: whole numbers are added up first and made lattice distances at the end. A turn is found from differences of
// these sums: what rounding left in them would be a torque, the same in all particles that are turned alike.

// four sites of the plane of the axes a and b, in the order (1, 1), (−1, −1), (1, −1), (−1, 1)
THAW_INLINE void add_plane(W33 *m, const W3 *ways, int a, int b) {
    W3 rise = w3_sub(ways[0], ways[1]), fall = w3_sub(ways[2], ways[3]);
    W3 along = w3_add(rise, fall), across = w3_sub(rise, fall);
    m->m[a] = f8_add(m->m[a], along.x);
    m->m[b] = f8_add(m->m[b], across.x);
    m->m[3 + a] = f8_add(m->m[3 + a], along.y);
    m->m[3 + b] = f8_add(m->m[3 + b], across.y);
    m->m[6 + a] = f8_add(m->m[6 + a], along.z);
    m->m[6 + b] = f8_add(m->m[6 + b], across.z);
}

// the six of 2D, the first along x
THAW_INLINE void add_hexagon(W33 *m, const W3 *ways) {
    W3 flat = w3_sub(ways[0], ways[1]), rise = w3_sub(ways[2], ways[3]);
    W3 fall = w3_sub(ways[5], ways[4]);
    W3 x = w3_fma(flat, f8_set(2.0f), w3_add(rise, fall)), y = w3_sub(rise, fall);
    *m = (W33){{x.x, y.x, w_zero(), x.y, y.y, w_zero(), x.z, y.z, w_zero()}};
}

THAW_INLINE void add_moments(const ThawSolidPass *pass, Neighborhood *n) {
    W33 m = w33_zero();
    if (pass->dimensions == 2) {
        add_hexagon(&m, n->ways);
    } else {
        add_plane(&m, n->ways, 0, 1);
        add_plane(&m, n->ways + 4, 0, 2);
        add_plane(&m, n->ways + 8, 1, 2);
    }
    w33_copy(&m, &n->whole);
    F8 scale[3];
    for (int a = 0; a < 3; a++) scale[a] = f8_mul(n->unit, f8_set(pass->sites->scale[a]));
    for (int k = 0; k < 9; k++) m.m[k] = f8_mul(m.m[k], scale[k % 3]);
    // the third axis is as it should be
    if (pass->dimensions == 2) m.m[8] = f8_set(pass->sites->moment);
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
    w33_copy(&m, &n->whole);
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        const W3 way = w3_scale(n->ways[s], n->unit);
        const F8 r[3] = {way.x, way.y, way.z};
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
    c = w33_scale(&c, f8_mul(n->unit, n->unit));
    w33_copy(&c, &n->c);
    n->sum = w3_scale(sum, n->unit);
    n->flux = flux;
    n->whirl = w3_scale(whirl, n->unit);
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

// the rigid motion of the particle and its neighbours (eq. 10 and 11, with one set of weights); `more` spin than it
// has
static Motion rigid_motion(const Neighborhood *n, F8 count, W3 own, W3 more) {
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
    W3 spin = w3_add(w3_sub(n->whirl, w3_cross(n->sum, mean)), more);
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

THAW_INLINE void store_frames(const ThawSolidPass *pass, uint32_t first, uint32_t mask,
                              const W33 *p, F8 half_k, const Motion *motion) {
    const F8 columns[16] = {p->m[0], p->m[1],         p->m[2],         motion->u.x,
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
    const F8 back = f8_sub(w_zero(), n->unit);
    for (uint32_t s = range.begin; s < range.end; s += 2) {
        F8 x = f8_set(pass->sites->vector[s][a]), y = f8_set(pass->sites->vector[s][b]), at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = f8_fma(rest->m[3 * k + b], y, f8_mul(rest->m[3 * k + a], x));
        }
        W3 off = w3_fma(n->ways[s], back, (W3){at[0], at[1], at[2]});
        *sum = f8_fma(w3_dot(off, off), n->there[s], *sum);
        off = w3_fma(n->ways[s + 1], n->unit, (W3){at[0], at[1], at[2]});
        *sum = f8_fma(w3_dot(off, off), n->there[s + 1], *sum);
    }
}

// J of the lanes: (k/4) Σ |R F l − r|² D² + ½ λ V₀ (det A − 1)²
static double lanes_energy(const ThawSolidPass *pass, const Lanes *lanes, const Neighborhood *n,
                           const W3 *sites, const Shell *shell, const Strained *s) {
    F8 sum = w_zero();
    for (uint32_t k = 0; sites != NULL && k < pass->sites->count; k++) {
        W3 off = w3_sub(w33_apply(&s->rest, sites[k]), w3_scale(n->ways[k], n->unit));
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

// the same with laws of the strain
static double driven_energy(const ThawSolidPass *pass, const Lanes *lanes, const Strained *s) {
    float turns[4 * THAW_LANES], maps[9 * THAW_LANES];
    const F8 turn[4] = {s->turn.x, s->turn.y, s->turn.z, s->turn.w};
    store_four(turns, 4, 0, 0xffu, turn);
    store_nine(maps, 0, 0xffu, s->map.m);
    double sum = 0;
    for (uint32_t left = lanes->mask; left != 0; left &= left - 1) {
        size_t k = (size_t)__builtin_ctz(left);
        sum += thaw_solid_row_energy(pass, lanes->rows[k], &turns[4 * k], &maps[9 * k]);
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
    p = round_response(pass->sites, &p, half_k);
    W3 torque = left_torque(&n->whole, &p);
    Motion motion = {w3_zero(), w3_zero()};
    if (pass->damped) {
        W3 speed = gather_speed(pass, lanes->rows);
        F8 rate = pass->drag != NULL ? gather_drag(pass, lanes->rows) : lanes->kinds.damping;
        add_motion(pass, block, speed, n);
        motion = rigid_motion(n, shell->count, speed, spin_against(torque, &lanes->kinds, rate));
    } else {
        motion.u = twist_against(torque, &s->map, &n->m, n->unit);
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
    mend_map(&s);
    if (!pass->passing) keep_state(pass, lanes, &s);
    if (pass->frame != NULL) {
        store_response(pass, p->block, lanes, p->shell, &s, &p->n, driven);
    }
    if (pass->energy == NULL) return 0;
    return driven ? driven_energy(pass, lanes, &s)
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
