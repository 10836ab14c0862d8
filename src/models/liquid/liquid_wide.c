// The liquid's inner loops, written once for all instruction sets.
//
// Eight particles of a cluster are the lanes; their common list is walked two neighbours at a time. Each
// particle's sums are its own and in list order: no scatter, and the same bits for any thread count.
// The constraint is the volume fraction C = Σ V_j W_ij / S + γ − 1 (2015 paper, eq. 1, with S the perfect
// lattice's own sum and γ the share of the kernel inside walls).
#include "models/liquid/liquid.h"

#include "simd/wide.h"

// Kernels without their norm, on q² = r²/h², zero beyond q = 1. `kernel` is a constant wherever these are
// called, so that only one branch is left. Slopes are −f'(q)/q.
THAW_INLINE F16 kernel_value(ThawKernel kernel, F16 q2) {
    const F16 one = f16_set(1.0f), zero = f16_set(0.0f);
    if (kernel == THAW_KERNEL_POLY6) {
        F16 t = f16_max(f16_sub(one, q2), zero);
        return f16_mul(f16_mul(t, t), t);
    }
    F16 q = f16_sqrt(q2);
    F16 t = f16_max(f16_sub(one, q), zero);
    F16 t2 = f16_mul(t, t);
    if (kernel == THAW_KERNEL_SPIKY) return f16_mul(t2, t);
    // Wendland C2
    return f16_mul(f16_mul(t2, t2), f16_fma(q, f16_set(4.0f), one));
}

THAW_INLINE F16 kernel_slope(ThawKernel kernel, F16 q2) {
    const F16 one = f16_set(1.0f), zero = f16_set(0.0f);
    if (kernel == THAW_KERNEL_POLY6) {
        F16 t = f16_max(f16_sub(one, q2), zero);
        return f16_mul(f16_set(6.0f), f16_mul(t, t));
    }
    F16 q = f16_sqrt(q2);
    F16 t = f16_max(f16_sub(one, q), zero);
    F16 t2 = f16_mul(t, t);
    if (kernel == THAW_KERNEL_SPIKY) {
        return f16_div(f16_mul(f16_set(3.0f), t2), f16_max(q, f16_set(1e-6f)));
    }
    return f16_mul(f16_set(20.0f), f16_mul(t2, t));
}

// value and slope of Wendland C2 share a root
THAW_INLINE void kernel_both(ThawKernel kernel, F16 q2, F16 *value, F16 *slope) {
    if (kernel != THAW_KERNEL_WENDLAND) {
        *value = kernel_value(kernel, q2);
        *slope = kernel_slope(kernel, q2);
        return;
    }
    const F16 one = f16_set(1.0f);
    F16 q = f16_sqrt(q2);
    F16 t = f16_max(f16_sub(one, q), f16_set(0.0f));
    F16 t2 = f16_mul(t, t);
    *value = f16_mul(f16_mul(t2, t2), f16_fma(q, f16_set(4.0f), one));
    *slope = f16_mul(f16_set(20.0f), f16_mul(t2, t));
}

// eight lanes of places
typedef struct Lanes {
    I8 x, y, z;
    F8 lambda;
} Lanes;

THAW_INLINE Lanes load_lanes(const ThawPlace *place) {
    Lanes lanes;
    I8 w;
    i8_columns((const int32_t *)(const void *)place, &lanes.x, &lanes.y, &lanes.z, &w);
    lanes.lambda = i8_bits(w);
    return lanes;
}

// offsets from a pair of neighbours to the lanes, in place units
typedef struct Offset {
    F16 x, y, z, r2;
} Offset;

THAW_INLINE Offset offset_to(I16 xi, I16 yi, I16 zi, const ThawPlace *a, const ThawPlace *b) {
    Offset d;
    d.x = i16_difference(xi, i16_pair(a->x, b->x));
    d.y = i16_difference(yi, i16_pair(a->y, b->y));
    d.z = i16_difference(zi, i16_pair(a->z, b->z));
    d.r2 = f16_fma(d.z, d.z, f16_fma(d.y, d.y, f16_mul(d.x, d.x)));
    return d;
}

// numbers of the lanes' own grains
typedef struct Grains {
    F16 support;
    F8 density, stiffness, floor, tensile, xsph;
} Grains;

THAW_INLINE Grains load_grains(const ThawLiquidPass *pass, uint32_t first, bool mixed) {
    const ThawLiquidGrain *g = &pass->grain;
    Grains grains = {f16_set(g->support), f8_set(g->density), f8_set(g->stiffness),
                     f8_set(g->floor),    f8_set(g->tensile), f8_set(g->xsph)};
    if (!mixed) return grains;
    float columns[6][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        g = &pass->grains[first + k];
        columns[0][k] = g->support;
        columns[1][k] = g->density;
        columns[2][k] = g->stiffness;
        columns[3][k] = g->floor;
        columns[4][k] = g->tensile;
        columns[5][k] = g->xsph;
    }
    grains.support = f16_both(f8_load(columns[0]));
    grains.density = f8_load(columns[1]);
    grains.stiffness = f8_load(columns[2]);
    grains.floor = f8_load(columns[3]);
    grains.tensile = f8_load(columns[4]);
    grains.xsph = f8_load(columns[5]);
    return grains;
}

// what scales a pair's kernel: 1/h² in place units, and V_j/(S h^dim) (or with h^(dim+2))
typedef struct PairScale {
    F16 inverse_h2; // of place units
    F16 weight;     // V_j h^-dim norm / S
} PairScale;

// constants of a pass for particles that are all alike
typedef struct Scales {
    float unit2;  // cells² a place unit²
    float norm;   // kernel norm / S
    int dimensions;
} Scales;

THAW_INLINE Scales make_scales(const ThawLiquidPass *pass) {
    double norm = thaw_kernel_norm(pass->kernel, pass->dimensions) / pass->rest_sum;
    return (Scales){THAW_PLACE_CELLS * THAW_PLACE_CELLS, (float)norm, pass->dimensions};
}

THAW_INLINE PairScale same_scale(const ThawLiquidPass *pass, const Scales *scales) {
    float h = pass->grain.support;
    float power = scales->dimensions == 3 ? h * h * h : h * h;
    return (PairScale){f16_set(scales->unit2 / (h * h)),
                       f16_set(scales->norm * pass->grain.volume / power)};
}

THAW_INLINE PairScale mixed_scale(const ThawLiquidPass *pass, const Scales *scales,
                                  const Grains *own, uint32_t j0, uint32_t j1) {
    const ThawLiquidGrain *a = &pass->grains[j0], *b = &pass->grains[j1];
    F16 h = f16_mul(f16_add(own->support, f16_pair(a->support, b->support)), f16_set(0.5f));
    F16 inverse = f16_div(f16_set(1.0f), h);
    F16 inverse2 = f16_mul(inverse, inverse);
    F16 power = scales->dimensions == 3 ? f16_mul(inverse2, inverse) : inverse2;
    F16 volume = f16_mul(f16_pair(a->volume, b->volume), f16_set(scales->norm));
    return (PairScale){f16_mul(inverse2, f16_set(scales->unit2)), f16_mul(volume, power)};
}

// ---------------------------------------------------------------- density, eq. 1 and 4

THAW_INLINE F8 density_of(const ThawLiquidPass *pass, const Scales *scales,
                          const ThawCluster *cluster, const Lanes *lanes, const Grains *own,
                          ThawKernel kernel, bool mixed) {
    F16 sum = f16_set(0.0f);
    PairScale scale = same_scale(pass, scales);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        I16 xi = i16_both(i8_sub(lanes->x, i8_set(segment->image[0])));
        I16 yi = i16_both(i8_sub(lanes->y, i8_set(segment->image[1])));
        I16 zi = i16_both(i8_sub(lanes->z, i8_set(segment->image[2])));
        const uint32_t *list = segment->list;
        uint32_t pairs = segment->count & ~1u;
        for (uint32_t k = 0; k < segment->count; k += 2) {
            uint32_t j0 = list[k], j1 = k < pairs ? list[k + 1] : j0;
            Offset d = offset_to(xi, yi, zi, &pass->place[j0], &pass->place[j1]);
            if (mixed) scale = mixed_scale(pass, scales, own, j0, j1);
            F16 value = kernel_value(kernel, f16_mul(d.r2, scale.inverse_h2));
            if (k == pairs) value = f16_first(value);
            if (mixed) sum = f16_fma(value, scale.weight, sum);
            else sum = f16_add(sum, value);
        }
    }
    return mixed ? f16_sum(sum) : f16_sum(f16_mul(sum, scale.weight));
}

static void store_lambda(ThawPlace *place, F8 lambda, uint32_t count) {
    float lanes[THAW_LANES];
    f8_store(lanes, lambda);
    for (uint32_t k = 0; k < count; k++) place[k].lambda = lanes[k];
}

static void store_floats(float *out, F8 value, uint32_t count) {
    if (count == THAW_LANES) {
        f8_store(out, value);
        return;
    }
    float lanes[THAW_LANES];
    f8_store(lanes, value);
    for (uint32_t k = 0; k < count; k++) out[k] = lanes[k];
}

static void add_errors(ThawLiquidSums *sums, F8 error, uint32_t count) {
    float lanes[THAW_LANES];
    f8_store(lanes, f8_max(error, f8_set(0.0f)));
    for (uint32_t k = 0; k < count; k++) {
        sums->error += lanes[k];
        if (lanes[k] > sums->max_error) sums->max_error = lanes[k];
    }
}

THAW_INLINE void density_chunk(const ThawLiquidPass *pass, uint32_t chunk, ThawKernel kernel,
                               bool mixed) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    Scales scales = make_scales(pass);
    ThawLiquidSums sums = {0};
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(&pass->place[cluster->first]);
        Grains own = load_grains(pass, cluster->first, mixed);
        F8 fraction = density_of(pass, &scales, cluster, &lanes, &own, kernel, mixed);
        F8 wall = f8_load(&pass->wall[cluster->first]);
        F8 error = f8_sub(f8_add(fraction, wall), f8_set(1.0f));
        F8 lambda = f8_mul(f8_sub(f8_set(0.0f), own.stiffness), f8_max(error, own.floor));
        store_lambda(&pass->place[cluster->first], lambda, cluster->count);
        store_floats(&pass->error[cluster->first], error, cluster->count);
        add_errors(&sums, error, cluster->count);
    }
    pass->sums[chunk] = sums;
}

void THAW_WIDE(thaw_liquid_density)(const ThawLiquidPass *pass, uint32_t chunk) {
    bool mixed = pass->grains != NULL;
    if (pass->kernel == THAW_KERNEL_POLY6) {
        if (mixed) density_chunk(pass, chunk, THAW_KERNEL_POLY6, true);
        else density_chunk(pass, chunk, THAW_KERNEL_POLY6, false);
    } else if (pass->kernel == THAW_KERNEL_SPIKY) {
        if (mixed) density_chunk(pass, chunk, THAW_KERNEL_SPIKY, true);
        else density_chunk(pass, chunk, THAW_KERNEL_SPIKY, false);
    } else {
        if (mixed) density_chunk(pass, chunk, THAW_KERNEL_WENDLAND, true);
        else density_chunk(pass, chunk, THAW_KERNEL_WENDLAND, false);
    }
}

// ---------------------------------------------------------------- correction, eq. 5 and 7

THAW_INLINE F16 raise(F16 base, int exponent) {
    F16 square = f16_mul(base, base);
    if (exponent == 4) return f16_mul(square, square);
    F16 power = base;
    for (int k = 1; k < exponent; k++) power = f16_mul(power, base);
    return power;
}

typedef struct Move {
    F16 x, y, z;
} Move;

// one pair of neighbours' part of the correction, without the common factor when all are alike
THAW_INLINE void add_correction(const ThawLiquidPass *pass, const Scales *scales, const Grains *own,
                                F16 lambda_i, F16 tensile, PairScale scale, const Offset *d,
                                uint32_t j0, uint32_t j1, bool last, ThawKernel kernel, bool mixed,
                                int exponent, Move *move) {
    const ThawPlace *a = &pass->place[j0], *b = &pass->place[j1];
    F16 push = f16_add(lambda_i, f16_pair(a->lambda, b->lambda));
    F16 slope, q2 = f16_mul(d->r2, scale.inverse_h2);
    if (exponent > 0) {
        F16 value;
        kernel_both(kernel, q2, &value, &slope);
        if (mixed) {
            const ThawLiquidGrain *g = pass->grains;
            tensile = f16_mul(f16_add(f16_both(own->tensile), f16_pair(g[j0].tensile, g[j1].tensile)),
                              f16_set(0.5f));
        }
        push = f16_sub(push, f16_mul(raise(value, exponent), tensile));
    } else {
        slope = kernel_slope(kernel, q2);
    }
    // ∇W = −slope · offset / h², so a negative push (too dense) moves i away from j
    F16 amount = f16_mul(push, slope);
    if (mixed) {
        const ThawLiquidGrain *g = pass->grains;
        F16 rho = f16_pair(g[j0].density, g[j1].density);
        F16 share = f16_div(f16_add(rho, rho), f16_add(rho, f16_both(own->density)));
        amount = f16_mul(f16_mul(amount, share), f16_mul(scale.weight, scale.inverse_h2));
    }
    if (last) amount = f16_first(amount);
    move->x = f16_fma(amount, d->x, move->x);
    move->y = f16_fma(amount, d->y, move->y);
    move->z = f16_fma(amount, d->z, move->z);
    (void)scales;
}

THAW_INLINE Move correction_of(const ThawLiquidPass *pass, const Scales *scales,
                               const ThawCluster *cluster, const Lanes *lanes, const Grains *own,
                               ThawKernel kernel, bool mixed, int exponent) {
    Move move = {f16_set(0.0f), f16_set(0.0f), f16_set(0.0f)};
    PairScale scale = same_scale(pass, scales);
    F16 lambda_i = f16_both(lanes->lambda), tensile = f16_both(own->tensile);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        I16 xi = i16_both(i8_sub(lanes->x, i8_set(segment->image[0])));
        I16 yi = i16_both(i8_sub(lanes->y, i8_set(segment->image[1])));
        I16 zi = i16_both(i8_sub(lanes->z, i8_set(segment->image[2])));
        const uint32_t *list = segment->list;
        uint32_t pairs = segment->count & ~1u;
        for (uint32_t k = 0; k < segment->count; k += 2) {
            uint32_t j0 = list[k], j1 = k < pairs ? list[k + 1] : j0;
            Offset d = offset_to(xi, yi, zi, &pass->place[j0], &pass->place[j1]);
            if (mixed) scale = mixed_scale(pass, scales, own, j0, j1);
            add_correction(pass, scales, own, lambda_i, tensile, scale, &d, j0, j1, k == pairs,
                           kernel, mixed, exponent, &move);
        }
    }
    if (!mixed) {
        F16 factor = f16_mul(scale.weight, scale.inverse_h2);
        move = (Move){f16_mul(move.x, factor), f16_mul(move.y, factor), f16_mul(move.z, factor)};
    }
    return move;
}

// the move in place units is applied to place, and in cells to shift
THAW_INLINE void apply_move(const ThawLiquidPass *pass, const ThawCluster *cluster,
                            const Lanes *lanes, F8 dx, F8 dy, F8 dz) {
    int32_t rows[THAW_LANES * 4];
    float moves[3][THAW_LANES];
    // moves are relative to inverse_h2 in place units: back to place units, ∇W carries the sign
    I8 x = i8_add(lanes->x, f8_round(dx));
    I8 y = i8_add(lanes->y, f8_round(dy));
    I8 z = i8_add(lanes->z, f8_round(dz));
    if (cluster->count == THAW_LANES) {
        i8_rows((int32_t *)(void *)&pass->next[cluster->first], x, y, z, f8_bits(lanes->lambda));
    } else {
        i8_rows(rows, x, y, z, f8_bits(lanes->lambda));
        for (uint32_t k = 0; k < cluster->count; k++) {
            ThawPlace *next = &pass->next[cluster->first + k];
            next->x = rows[4 * k];
            next->y = rows[4 * k + 1];
            next->z = rows[4 * k + 2];
            next->lambda = pass->place[cluster->first + k].lambda;
        }
    }
    const F8 cells = f8_set(THAW_PLACE_CELLS);
    f8_store(moves[0], f8_mul(dx, cells));
    f8_store(moves[1], f8_mul(dy, cells));
    f8_store(moves[2], f8_mul(dz, cells));
    for (uint32_t k = 0; k < cluster->count; k++) {
        float *shift = &pass->shift[3 * (size_t)(cluster->first + k)];
        shift[0] += moves[0][k];
        shift[1] += moves[1][k];
        shift[2] += moves[2][k];
    }
}

THAW_INLINE void correct_chunk(const ThawLiquidPass *pass, uint32_t chunk, ThawKernel kernel,
                               bool mixed, int exponent) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    Scales scales = make_scales(pass);
    // the tensile term is relative to the kernel at Δq = 0.2 h; its factor is folded into the grain
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(&pass->place[cluster->first]);
        Grains own = load_grains(pass, cluster->first, mixed);
        Move move = correction_of(pass, &scales, cluster, &lanes, &own, kernel, mixed, exponent);
        // Δp = Σ V/S (λ_i + λ_j) ∇W with ∇W = −slope · offset / h²; λ is in cells² and the offset in
        // place units over h² in place units²: the result is in cells² a place unit, so scale twice
        const F8 back = f8_set(-THAW_PLACE_ONE * THAW_PLACE_ONE);
        apply_move(pass, cluster, &lanes, f8_mul(f16_sum(move.x), back),
                   f8_mul(f16_sum(move.y), back), f8_mul(f16_sum(move.z), back));
    }
}

THAW_INLINE void correct_kernel(const ThawLiquidPass *pass, uint32_t chunk, ThawKernel kernel) {
    bool mixed = pass->grains != NULL;
    int exponent = pass->tensile_exponent;
    if (mixed) {
        if (exponent == 0) correct_chunk(pass, chunk, kernel, true, 0);
        else correct_chunk(pass, chunk, kernel, true, exponent);
    } else {
        if (exponent == 0) correct_chunk(pass, chunk, kernel, false, 0);
        else if (exponent == 4) correct_chunk(pass, chunk, kernel, false, 4);
        else correct_chunk(pass, chunk, kernel, false, exponent);
    }
}

void THAW_WIDE(thaw_liquid_correct)(const ThawLiquidPass *pass, uint32_t chunk) {
    if (pass->kernel == THAW_KERNEL_POLY6) correct_kernel(pass, chunk, THAW_KERNEL_POLY6);
    else if (pass->kernel == THAW_KERNEL_SPIKY) correct_kernel(pass, chunk, THAW_KERNEL_SPIKY);
    else correct_kernel(pass, chunk, THAW_KERNEL_WENDLAND);
}

// ---------------------------------------------------------------- viscosity, eq. 6

// velocities of eight rows as columns
THAW_INLINE void load_velocities(const float *velocity, F8 *x, F8 *y, F8 *z) {
    float columns[3][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        for (uint32_t a = 0; a < 3; a++) columns[a][k] = velocity[3 * k + a];
    }
    *x = f8_load(columns[0]);
    *y = f8_load(columns[1]);
    *z = f8_load(columns[2]);
}

// one pair of neighbours' weight in the mean velocity, without the common factor when all are alike
THAW_INLINE F16 smooth_weight(const ThawLiquidPass *pass, const Grains *own, PairScale scale,
                              F16 r2, uint32_t j0, uint32_t j1, ThawKernel kernel, bool mixed) {
    F16 weight = kernel_value(kernel, f16_mul(r2, scale.inverse_h2));
    if (!mixed) return weight;
    // V_j 2 ρ_j / (ρ_i + ρ_j) and a mean coefficient: symmetric once multiplied by m_i
    const ThawLiquidGrain *a = &pass->grains[j0], *b = &pass->grains[j1];
    F16 rho = f16_pair(a->density, b->density);
    F16 share = f16_div(f16_add(rho, rho), f16_add(rho, f16_both(own->density)));
    F16 mean = f16_mul(f16_add(f16_both(own->xsph), f16_pair(a->xsph, b->xsph)), f16_set(0.5f));
    return f16_mul(f16_mul(weight, scale.weight), f16_mul(share, mean));
}

THAW_INLINE Move smoothing_of(const ThawLiquidPass *pass, const Scales *scales,
                              const ThawCluster *cluster, const Lanes *lanes, const Grains *own,
                              const Move *vi, ThawKernel kernel, bool mixed) {
    Move sum = {f16_set(0.0f), f16_set(0.0f), f16_set(0.0f)};
    PairScale scale = same_scale(pass, scales);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        I16 xi = i16_both(i8_sub(lanes->x, i8_set(segment->image[0])));
        I16 yi = i16_both(i8_sub(lanes->y, i8_set(segment->image[1])));
        I16 zi = i16_both(i8_sub(lanes->z, i8_set(segment->image[2])));
        const uint32_t *list = segment->list;
        uint32_t pairs = segment->count & ~1u;
        for (uint32_t k = 0; k < segment->count; k += 2) {
            uint32_t j0 = list[k], j1 = k < pairs ? list[k + 1] : j0;
            Offset d = offset_to(xi, yi, zi, &pass->place[j0], &pass->place[j1]);
            if (mixed) scale = mixed_scale(pass, scales, own, j0, j1);
            F16 weight = smooth_weight(pass, own, scale, d.r2, j0, j1, kernel, mixed);
            if (k == pairs) weight = f16_first(weight);
            const float *a = &pass->velocity[3 * (size_t)j0], *b = &pass->velocity[3 * (size_t)j1];
            sum.x = f16_fma(weight, f16_sub(f16_pair(a[0], b[0]), vi->x), sum.x);
            sum.y = f16_fma(weight, f16_sub(f16_pair(a[1], b[1]), vi->y), sum.y);
            sum.z = f16_fma(weight, f16_sub(f16_pair(a[2], b[2]), vi->z), sum.z);
        }
    }
    if (mixed) return sum;
    F16 factor = f16_mul(scale.weight, f16_both(own->xsph));
    return (Move){f16_mul(sum.x, factor), f16_mul(sum.y, factor), f16_mul(sum.z, factor)};
}

THAW_INLINE void smooth_chunk(const ThawLiquidPass *pass, uint32_t chunk, ThawKernel kernel,
                              bool mixed) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    Scales scales = make_scales(pass);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(&pass->place[cluster->first]);
        Grains own = load_grains(pass, cluster->first, mixed);
        F8 x, y, z;
        load_velocities(&pass->velocity[3 * (size_t)cluster->first], &x, &y, &z);
        Move vi = {f16_both(x), f16_both(y), f16_both(z)};
        Move sum = smoothing_of(pass, &scales, cluster, &lanes, &own, &vi, kernel, mixed);
        float columns[3][THAW_LANES];
        f8_store(columns[0], f8_add(x, f16_sum(sum.x)));
        f8_store(columns[1], f8_add(y, f16_sum(sum.y)));
        f8_store(columns[2], f8_add(z, f16_sum(sum.z)));
        float *out = &pass->smoothed[3 * (size_t)cluster->first];
        for (uint32_t k = 0; k < cluster->count; k++) {
            for (uint32_t a = 0; a < 3; a++) out[3 * k + a] = columns[a][k];
        }
    }
}

void THAW_WIDE(thaw_liquid_smooth)(const ThawLiquidPass *pass, uint32_t chunk) {
    bool mixed = pass->grains != NULL;
    if (pass->kernel == THAW_KERNEL_POLY6) {
        if (mixed) smooth_chunk(pass, chunk, THAW_KERNEL_POLY6, true);
        else smooth_chunk(pass, chunk, THAW_KERNEL_POLY6, false);
    } else if (pass->kernel == THAW_KERNEL_SPIKY) {
        if (mixed) smooth_chunk(pass, chunk, THAW_KERNEL_SPIKY, true);
        else smooth_chunk(pass, chunk, THAW_KERNEL_SPIKY, false);
    } else {
        if (mixed) smooth_chunk(pass, chunk, THAW_KERNEL_WENDLAND, true);
        else smooth_chunk(pass, chunk, THAW_KERNEL_WENDLAND, false);
    }
}
