// The liquid's inner loops, written once for all instruction sets.
//
// Eight particles of a cluster are the lanes; their common list is walked one neighbour at a time. Each
// particle's sums are its own and in list order: no scatter, and the same bits for any thread count.
// (Two neighbours at a time in separate sums was tried: it spills registers and is slower.)
// The constraint is the volume fraction C = Σ V_j W_ij / S + γ − 1 (2015 paper, eq. 1, with S the perfect
// lattice's own sum and γ the share of the kernel inside walls).
#include "models/liquid/liquid.h"

#include "simd/wide.h"

// The kernel poly12 without its norm: on t = 1 − q², zero beyond q = 1, its value is t⁶ and its slope
// −f'(q)/q = 12 t⁵. No root is needed.
#define SLOPE_FACTOR 12.0f
#define BITS_OF_3 0x40400000 // as a float

THAW_INLINE F8 kernel_value(F8 t) {
    F8 t2 = f8_mul(t, t);
    return f8_mul(f8_mul(t2, t2), t2);
}

THAW_INLINE F8 kernel_slope(F8 t) { // over SLOPE_FACTOR
    F8 t2 = f8_mul(t, t);
    return f8_mul(f8_mul(t2, t2), t);
}

// eight lanes of places
typedef struct Lanes {
    I8 x, y, z;
    F8 lambda;
} Lanes;

// lanes that a short cluster lacks repeat its first, so that they reach nothing that it does not
THAW_INLINE Lanes load_lanes(const ThawPlace *place, const ThawCluster *cluster) {
    Lanes lanes;
    I8 w;
    ThawPlace own[THAW_LANES];
    place += cluster->first;
    if (cluster->count < THAW_LANES) {
        for (uint32_t k = 0; k < THAW_LANES; k++) own[k] = place[k < cluster->count ? k : 0];
        place = own;
    }
    i8_columns((const int32_t *)(const void *)place, &lanes.x, &lanes.y, &lanes.z, &w);
    lanes.lambda = i8_bits(w);
    return lanes;
}

// The lanes as they look through a segment's periodic image. When particles are alike the bits of 3.0f are
// added, see offset_to.
THAW_INLINE Lanes see_through(const Lanes *lanes, const ThawSegment *segment, bool mixed) {
    int32_t raise = mixed ? 0 : BITS_OF_3;
    return (Lanes){i8_sub(lanes->x, i8_set(segment->image[0] - raise)),
                   i8_sub(lanes->y, i8_set(segment->image[1] - raise)),
                   i8_sub(lanes->z, i8_set(segment->image[2] - raise)), lanes->lambda};
}

// offsets from a neighbour to the lanes: in cells, or in place units when mixed
typedef struct Offset {
    F8 x, y, z;
} Offset;

// A float from 2 to 4 counts in place units, so 3.0f's bits plus an offset of up to one cell are 3 plus the
// offset in cells, exactly. What is beyond one cell, the support, is stretched above and halved below: it
// stays beyond. Sizes up to 16 cells need a true conversion.
THAW_INLINE F8 offset_along(I8 lanes, int32_t other, bool mixed) {
    I8 difference = i8_sub(lanes, i8_set(other));
    return mixed ? i8_float(difference) : f8_sub(i8_bits(difference), f8_set(3.0f));
}

THAW_INLINE Offset offset_to(const Lanes *lanes, const ThawPlace *other, bool mixed) {
    return (Offset){offset_along(lanes->x, other->x, mixed),
                    offset_along(lanes->y, other->y, mixed),
                    offset_along(lanes->z, other->z, mixed)};
}

// numbers of the lanes' own grains
typedef struct Grains {
    F8 support, density, stiffness, floor, tensile, xsph;
} Grains;

THAW_INLINE Grains load_grains(const ThawLiquidPass *pass, uint32_t first, bool mixed) {
    const ThawLiquidGrain *g = &pass->grain;
    Grains grains = {f8_set(g->support), f8_set(g->density), f8_set(g->stiffness),
                     f8_set(g->floor),   f8_set(g->tensile), f8_set(g->xsph)};
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
    return (Grains){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2]),
                    f8_load(columns[3]), f8_load(columns[4]), f8_load(columns[5])};
}

// what scales a pair's kernel
typedef struct PairScale {
    F8 inverse_h2; // 1/h² in place units; 1 when alike
    F8 weight;     // norm / S · V_j / h^dimensions
} PairScale;

// 1 − q², negative beyond the support
THAW_INLINE F8 nearness(const Offset *d, F8 inverse_h2, bool mixed) {
    if (mixed) {
        F8 r2 = f8_fma(d->z, d->z, f8_fma(d->y, d->y, f8_mul(d->x, d->x)));
        return f8_nma(r2, inverse_h2, f8_set(1.0f));
    }
    // the support is one cell
    return f8_nma(d->z, d->z, f8_nma(d->y, d->y, f8_nma(d->x, d->x, f8_set(1.0f))));
}

// t = 1 − q², zero beyond the support
THAW_INLINE F8 falloff(const Offset *d, F8 inverse_h2, bool mixed) {
    return f8_max(nearness(d, inverse_h2, mixed), f8_set(0.0f));
}

#define UNIT2 (THAW_PLACE_CELLS * THAW_PLACE_CELLS) // cells² a place unit²

THAW_INLINE PairScale same_scale(const ThawLiquidPass *pass) {
    return (PairScale){f8_set(1.0f), f8_set(pass->norm * pass->grain.volume)};
}

THAW_INLINE PairScale mixed_scale(const ThawLiquidPass *pass, const Grains *own,
                                  const ThawLiquidGrain *other) {
    F8 h = f8_mul(f8_add(own->support, f8_set(other->support)), f8_set(0.5f));
    F8 inverse = f8_div(f8_set(1.0f), h);
    F8 inverse2 = f8_mul(inverse, inverse);
    F8 power = pass->dimensions == 3 ? f8_mul(inverse2, inverse) : inverse2;
    return (PairScale){f8_mul(inverse2, f8_set(UNIT2)),
                       f8_mul(power, f8_set(other->volume * pass->norm))};
}

// 2 ρ_j / (ρ_i + ρ_j): what makes pair impulses between different densities symmetric
THAW_INLINE F8 density_share(const Grains *own, const ThawLiquidGrain *other) {
    return f8_div(f8_set(2.0f * other->density), f8_add(own->density, f8_set(other->density)));
}

// ---------------------------------------------------------------- density, eq. 1 and 4

// Σ V_j W_ij / S of particles alike. Each neighbour's power is taken while the next one's offset is under
// way: a shorter chain of dependent operations keeps the processor busier. One sum, in list order: neighbours
// that add nothing then change nothing.
THAW_INLINE F8 alike_density_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                                const Lanes *lanes) {
    F8 sum = f8_set(0.0f);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, false);
        const uint32_t *list = segment->list;
        uint32_t count = segment->count, k = 0;
        F8 a = f8_set(0.0f), b = f8_set(0.0f), unit = f8_set(1.0f);
        for (; k + 2 <= count; k += 2) {
            Offset d = offset_to(&seen, &pass->place[list[k]], false);
            Offset e = offset_to(&seen, &pass->place[list[k + 1]], false);
            sum = f8_add(sum, kernel_value(a));
            a = falloff(&d, unit, false);
            sum = f8_add(sum, kernel_value(b));
            b = falloff(&e, unit, false);
        }
        sum = f8_add(f8_add(sum, kernel_value(a)), kernel_value(b));
        if (k < count) {
            Offset d = offset_to(&seen, &pass->place[list[k]], false);
            sum = f8_add(sum, kernel_value(falloff(&d, unit, false)));
        }
    }
    return f8_mul(sum, same_scale(pass).weight);
}

// the same of particles that differ
THAW_INLINE F8 density_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                          const Lanes *lanes, const Grains *own) {
    F8 sum = f8_set(0.0f);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, true);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            Offset d = offset_to(&seen, &pass->place[j], true);
            PairScale scale = mixed_scale(pass, own, &pass->grains[j]);
            F8 value = kernel_value(falloff(&d, scale.inverse_h2, true));
            sum = f8_fma(value, scale.weight, sum);
        }
    }
    return sum;
}

// the same, and drops what is out of reach of all lanes from the lists
THAW_INLINE F8 pruned_density_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                                 const Lanes *lanes, const Grains *own, bool mixed,
                                 uint64_t *pairs) {
    // offsets beyond the support may be stretched to twice what they exceed it by
    float reach = mixed ? pass->reach : 2.0f * pass->reach - 1.0f;
    F8 sum = f8_set(0.0f), edge = f8_set(1.0f - reach * reach);
    PairScale scale = same_scale(pass);
    const bool exact = pass->reach == 1.0f; // no skin: what is in reach is within the support
    uint32_t valid = (1u << cluster->count) - 1, found = 0;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, mixed);
        uint32_t *list = segment->list, kept = 0, count = segment->count;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t j = list[k];
            Offset d = offset_to(&seen, &pass->place[j], mixed);
            if (mixed) scale = mixed_scale(pass, own, &pass->grains[j]);
            F8 near = nearness(&d, scale.inverse_h2, mixed);
            uint32_t within = f8_below(f8_set(0.0f), near);
            list[kept] = j;
            kept += (exact ? within : f8_below(edge, near)) != 0;
            found += (uint32_t)__builtin_popcount(within & valid);
            F8 value = kernel_value(f8_max(near, f8_set(0.0f)));
            sum = mixed ? f8_fma(value, scale.weight, sum) : f8_add(sum, value);
        }
        segment->count = kept;
    }
    *pairs += found;
    return mixed ? sum : f8_mul(sum, scale.weight);
}

// Writes whole rows to pass->next. Writing λ alone into pass->place would take cache lines from threads
// that read them.
THAW_INLINE void store_lanes(const ThawLiquidPass *pass, const ThawCluster *cluster,
                             const Lanes *lanes) {
    ThawPlace own[THAW_LANES], *next = &pass->next[cluster->first];
    ThawPlace *rows = cluster->count == THAW_LANES ? next : own;
    i8_rows((int32_t *)(void *)rows, lanes->x, lanes->y, lanes->z, f8_bits(lanes->lambda));
    for (uint32_t k = 0; rows == own && k < cluster->count; k++) next[k] = own[k];
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

// sums of a chunk, lane by lane until its end
typedef struct Errors {
    F8 sum, most;
} Errors;

THAW_INLINE void add_errors(Errors *errors, F8 error, uint32_t count) {
    static const float lanes[2 * THAW_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    F8 positive = f8_mul(f8_max(error, f8_set(0.0f)), f8_load(lanes + THAW_LANES - count));
    errors->sum = f8_add(errors->sum, positive);
    errors->most = f8_max(errors->most, positive);
}

static ThawLiquidSums end_errors(const Errors *errors) {
    float sum[THAW_LANES], most[THAW_LANES];
    ThawLiquidSums sums = {0};
    f8_store(sum, errors->sum);
    f8_store(most, errors->most);
    for (int k = 0; k < THAW_LANES; k++) {
        sums.error += sum[k];
        if (most[k] > sums.max_error) sums.max_error = most[k];
    }
    return sums;
}

// The prototype's stiffness holds at rest density. In compressed matter neighbours are more and nearer:
// the constraint's gradients grow, and the same β would overshoot. −1/(1 + C)² follows them.
THAW_INLINE F8 soften(F8 error) {
    F8 ratio = f8_max(f8_add(error, f8_set(1.0f)), f8_set(1.0f));
    return f8_div(f8_set(-1.0f), f8_mul(ratio, ratio));
}

THAW_INLINE void density_chunk(const ThawLiquidPass *pass, uint32_t chunk, bool mixed, bool prune) {
    uint64_t pairs = 0;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    Errors errors = {f8_set(0.0f), f8_set(0.0f)};
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass->place, cluster);
        Grains own = load_grains(pass, cluster->first, mixed);
        F8 fraction = prune   ? pruned_density_of(pass, cluster, &lanes, &own, mixed, &pairs)
                      : mixed ? density_of(pass, cluster, &lanes, &own)
                              : alike_density_of(pass, cluster, &lanes);
        F8 wall = f8_load(&pass->wall[cluster->first]);
        F8 error = f8_sub(f8_add(fraction, wall), f8_set(1.0f));
        lanes.lambda = f8_mul(soften(error), f8_mul(own.stiffness, f8_max(error, own.floor)));
        store_lanes(pass, cluster, &lanes);
        store_floats(&pass->error[cluster->first], error, cluster->count);
        add_errors(&errors, error, cluster->count);
    }
    pass->sums[chunk] = end_errors(&errors);
    pass->sums[chunk].pairs = pairs;
}

void THAW_WIDE(thaw_liquid_density)(const ThawLiquidPass *pass, uint32_t chunk) {
    if (pass->grains != NULL)
        density_chunk(pass, chunk, true, false);
    else
        density_chunk(pass, chunk, false, false);
}

void THAW_WIDE(thaw_liquid_prune)(const ThawLiquidPass *pass, uint32_t chunk) {
    if (pass->grains != NULL)
        density_chunk(pass, chunk, true, true);
    else
        density_chunk(pass, chunk, false, true);
}

// ---------------------------------------------------------------- correction, eq. 5 and 7

THAW_INLINE F8 raise(F8 base, int exponent) {
    if (exponent == 4) {
        F8 square = f8_mul(base, base);
        return f8_mul(square, square);
    }
    F8 power = base;
    for (int k = 1; k < exponent; k++) power = f8_mul(power, base);
    return power;
}

typedef struct Move {
    F8 x, y, z;
} Move;

// λ_i + λ_j + s_corr, times the kernel's slope: how strongly a neighbour pushes. ∇W = −slope · offset / h²,
// so a negative push (too dense) moves i away from j.
THAW_INLINE F8 push_of(F8 lambdas, F8 t, F8 tensile, int exponent) {
    if (exponent > 0) lambdas = f8_fma(raise(kernel_value(t), exponent), tensile, lambdas);
    return f8_mul(lambdas, kernel_slope(t));
}

// the correction in units of the common factor of correct_chunk
THAW_INLINE Move correction_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                               const Lanes *lanes, const Grains *own, bool mixed, int exponent) {
    F8 x = f8_set(0.0f), y = f8_set(0.0f), z = f8_set(0.0f);
    PairScale scale = same_scale(pass);
    F8 tensile = f8_sub(f8_set(0.0f), own->tensile);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, mixed);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            const ThawPlace *other = &pass->place[j];
            Offset d = offset_to(&seen, other, mixed);
            F8 factor = scale.weight;
            if (mixed) {
                const ThawLiquidGrain *grain = &pass->grains[j];
                scale = mixed_scale(pass, own, grain);
                factor = f8_mul(f8_mul(scale.weight, scale.inverse_h2), density_share(own, grain));
                tensile = f8_mul(f8_add(own->tensile, f8_set(grain->tensile)), f8_set(-0.5f));
            }
            F8 lambdas = f8_add(lanes->lambda, f8_set(other->lambda));
            F8 push = push_of(lambdas, falloff(&d, scale.inverse_h2, mixed), tensile, exponent);
            if (mixed) push = f8_mul(push, factor);
            x = f8_fma(push, d.x, x);
            y = f8_fma(push, d.y, y);
            z = f8_fma(push, d.z, z);
        }
    }
    if (mixed) return (Move){x, y, z};
    F8 factor = f8_mul(scale.weight, f8_set(THAW_PLACE_CELLS));
    return (Move){f8_mul(x, factor), f8_mul(y, factor), f8_mul(z, factor)};
}

// adds eight lanes of x, y, z to rows of three numbers
THAW_INLINE void add_triples(float *rows, const F8 columns[3], uint32_t count) {
    F8 triples[3];
    f8_triples(columns, triples);
    if (count == THAW_LANES) {
        for (int k = 0; k < 3; k++) {
            f8_store(rows + 8 * k, f8_add(f8_load(rows + 8 * k), triples[k]));
        }
        return;
    }
    float lanes[3 * THAW_LANES];
    for (int k = 0; k < 3; k++) f8_store(lanes + 8 * k, triples[k]);
    for (uint32_t k = 0; k < 3 * count; k++) rows[k] += lanes[k];
}

// the move in place units is applied to place, and in cells to shift
THAW_INLINE void apply_move(const ThawLiquidPass *pass, const ThawCluster *cluster,
                            const Lanes *lanes, F8 dx, F8 dy, F8 dz) {
    Lanes moved = {i8_add(lanes->x, f8_round(dx)), i8_add(lanes->y, f8_round(dy)),
                   i8_add(lanes->z, f8_round(dz)), lanes->lambda};
    store_lanes(pass, cluster, &moved);
    const F8 cells = f8_set(THAW_PLACE_CELLS);
    F8 moves[3] = {f8_mul(dx, cells), f8_mul(dy, cells), f8_mul(dz, cells)};
    add_triples(&pass->shift[3 * (size_t)cluster->first], moves, cluster->count);
}

THAW_INLINE void correct_chunk(const ThawLiquidPass *pass, uint32_t chunk, bool mixed,
                               int exponent) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    // Δp = Σ V/S (λ_i + λ_j) ∇W with ∇W = −slope · offset / h²; λ is in cells², offset and h in place
    // units: the sum is in cells² a place unit, so scale twice to get place units
    const F8 back = f8_set(-SLOPE_FACTOR * THAW_PLACE_ONE * THAW_PLACE_ONE);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass->place, cluster);
        Grains own = load_grains(pass, cluster->first, mixed);
        Move move = correction_of(pass, cluster, &lanes, &own, mixed, exponent);
        apply_move(pass, cluster, &lanes, f8_mul(move.x, back), f8_mul(move.y, back),
                   f8_mul(move.z, back));
    }
}

void THAW_WIDE(thaw_liquid_correct)(const ThawLiquidPass *pass, uint32_t chunk) {
    int exponent = pass->tensile_exponent;
    if (pass->grains != NULL) {
        if (exponent == 0)
            correct_chunk(pass, chunk, true, 0);
        else
            correct_chunk(pass, chunk, true, exponent);
    } else {
        if (exponent == 0)
            correct_chunk(pass, chunk, false, 0);
        else if (exponent == 4)
            correct_chunk(pass, chunk, false, 4);
        else
            correct_chunk(pass, chunk, false, exponent);
    }
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

// The kernel here is not divided by S: then the filter's transfer function is the kernel's own.
THAW_INLINE Move smoothing_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                              const Lanes *lanes, const Grains *own, const Move *vi, bool mixed) {
    F8 x = f8_set(0.0f), y = f8_set(0.0f), z = f8_set(0.0f);
    PairScale scale = same_scale(pass);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, mixed);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            Offset d = offset_to(&seen, &pass->place[j], mixed);
            if (mixed) scale = mixed_scale(pass, own, &pass->grains[j]);
            F8 weight = kernel_value(falloff(&d, scale.inverse_h2, mixed));
            if (mixed) {
                // symmetric in i and j once multiplied by m_i
                const ThawLiquidGrain *grain = &pass->grains[j];
                F8 mean =
                    f8_mul(f8_add(own->xsph, f8_set(grain->xsph)), f8_set(0.5f * pass->rest_sum));
                weight =
                    f8_mul(f8_mul(weight, scale.weight), f8_mul(density_share(own, grain), mean));
            }
            const float *vj = &pass->velocity[3 * (size_t)j];
            x = f8_fma(weight, f8_sub(f8_set(vj[0]), vi->x), x);
            y = f8_fma(weight, f8_sub(f8_set(vj[1]), vi->y), y);
            z = f8_fma(weight, f8_sub(f8_set(vj[2]), vi->z), z);
        }
    }
    if (mixed) return (Move){x, y, z};
    F8 factor = f8_mul(scale.weight, f8_mul(own->xsph, f8_set(pass->rest_sum)));
    return (Move){f8_mul(x, factor), f8_mul(y, factor), f8_mul(z, factor)};
}

THAW_INLINE void smooth_chunk(const ThawLiquidPass *pass, uint32_t chunk, bool mixed) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass->place, cluster);
        Grains own = load_grains(pass, cluster->first, mixed);
        Move vi;
        load_velocities(&pass->velocity[3 * (size_t)cluster->first], &vi.x, &vi.y, &vi.z);
        Move sum = smoothing_of(pass, cluster, &lanes, &own, &vi, mixed);
        float columns[3][THAW_LANES];
        f8_store(columns[0], f8_add(vi.x, sum.x));
        f8_store(columns[1], f8_add(vi.y, sum.y));
        f8_store(columns[2], f8_add(vi.z, sum.z));
        float *out = &pass->smoothed[3 * (size_t)cluster->first];
        for (uint32_t k = 0; k < cluster->count; k++) {
            for (uint32_t a = 0; a < 3; a++) out[3 * k + a] = columns[a][k];
        }
    }
}

void THAW_WIDE(thaw_liquid_smooth)(const ThawLiquidPass *pass, uint32_t chunk) {
    if (pass->grains != NULL)
        smooth_chunk(pass, chunk, true);
    else
        smooth_chunk(pass, chunk, false);
}
