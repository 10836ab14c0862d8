// The liquid's inner loops, written once for all instruction sets.
//
// Eight particles of a cluster are the lanes; their common list is walked one
// neighbour at a time, and its end in twos, one for each half of the lanes. Each
// particle's sums are its own and in list order: no scatter, and the same bits
// for any thread count. (Two neighbours at a time in separate sums was tried: it
// spills registers and is slower.) The constraint is the volume fraction C = Σ V_j W_ij / S + γ − 1 (2015 paper, eq. 1, with S
// the perfect lattice's own sum and γ the share of the kernel inside walls).
#include "models/liquid/pairs.h"
#include "models/liquid/sieve.h"

#include <string.h>

// ---------------------------------------------------------------- density, eq.
// 1 and 4

// Σ W, with neighbours whose power is still to be taken: it is while the next ones' offsets are under way, as a shorter
// chain of dependent operations keeps the processor busier.
typedef struct Density {
    F8 sum, first, second; // t of those to come
} Density;

THAW_INLINE Offset offset_listed(const ThawLiquidPass *pass, const Lanes *seen,
                                 const uint32_t *list, bool two) {
    Lanes other = spread_listed(pass->place, list, two);
    return offset_between(seen, &other, false);
}

// a list's neighbours one by one, or its twos
THAW_INLINE void add_densities(Density *density, const ThawLiquidPass *pass, const Lanes *seen,
                               const uint32_t *list, const uint32_t *end, bool two) {
    const ptrdiff_t step = two ? 2 : 1;
    const F8 unit = f8_set(1.0f);
    Density to = *density;
    for (; end - list >= 2 * step; list += 2 * step) {
        Offset d = offset_listed(pass, seen, list, two);
        Offset e = offset_listed(pass, seen, list + step, two);
        to.sum = f8_add(to.sum, kernel_value(to.first));
        to.first = falloff(&d, unit, false);
        to.sum = f8_add(to.sum, kernel_value(to.second));
        to.second = falloff(&e, unit, false);
    }
    if (list != end) {
        Offset d = offset_listed(pass, seen, list, two);
        to.sum = f8_add(to.sum, kernel_value(to.first));
        to.first = falloff(&d, unit, false);
    }
    *density = to;
}

// Σ V_j W_ij / S of particles alike
THAW_INLINE F8 alike_density_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                                const Lanes *lanes) {
    F8 zero = f8_set(0.0f);
    Density density = {zero, zero, zero};
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, false);
        const uint32_t *list = segment->list, *end = list + segment->count;
        const uint32_t *twos = end - 2 * segment->twos;
        add_densities(&density, pass, &seen, list, twos, false);
        add_densities(&density, pass, &seen, twos, end, true);
    }
    F8 sum = f8_add(f8_add(density.sum, kernel_value(density.first)), kernel_value(density.second));
    return f8_mul(sum, same_scale(pass).weight);
}

// pairs of these masks' lanes that are a cluster's own
static uint32_t count_pairs(const uint8_t *near, uint32_t count, uint32_t own) {
    uint32_t pairs = 0, k = 0;
    for (; k + 8 <= count; k += 8) {
        uint64_t eight;
        memcpy(&eight, near + k, sizeof eight);
        pairs += (uint32_t)__builtin_popcountll(eight & own * UINT64_C(0x0101010101010101));
    }
    for (; k < count; k++) pairs += (uint32_t)__builtin_popcount(near[k] & own);
    return pairs;
}

// which lanes each of the rows is near to, and which are within its support; returns Σ W
THAW_INLINE F8 see_batch(const ThawLiquidPass *pass, const Lanes *seen, const uint32_t *rows,
                         uint32_t count, F8 edge, uint8_t *near, uint8_t *within, F8 sum) {
    F8 zero = f8_set(0.0f);
    for (uint32_t k = 0; k < count; k++) {
        Offset d = offset_to(seen, &pass->place[rows[k]], false);
        F8 t = nearness(&d, f8_set(1.0f), false);
        within[k] = (uint8_t)f8_below(zero, t);
        if (near != within) near[k] = (uint8_t)f8_below(edge, t);
        sum = f8_add(sum, kernel_value(f8_max(t, zero)));
    }
    return sum;
}

// the same, and drops what is out of reach of all lanes from the lists
THAW_INLINE F8 pruned_density_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                                 const Lanes *lanes, uint64_t *pairs) {
    // offsets beyond the support may be stretched to twice what they exceed it by
    float reach = 2.0f * pass->reach - 1.0f;
    F8 sum = f8_set(0.0f), edge = f8_set(1.0f - reach * reach);
    uint32_t own = (1u << cluster->count) - 1;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, false);
        const uint32_t *list = segment->list, *end = list + segment->count;
        Sieve sieve;
        sieve.list = segment->list;
        sieve.kept = sieve.first = sieve.last = 0;
        for (uint32_t batch; list != end; list += batch) {
            uint8_t reached[BATCH], within[BATCH], *near = within;
            batch = (uint32_t)(end - list < BATCH ? end - list : BATCH);
            if (pass->reach == 1.0f) { // no skin: what is in reach is within the support
                sum = see_batch(pass, &seen, list, batch, edge, within, within, sum);
            } else {
                near = reached;
                sum = see_batch(pass, &seen, list, batch, edge, reached, within, sum);
            }
            *pairs += count_pairs(within, batch, own);
            sift(&sieve, list, near, batch);
        }
        end_sieve(&sieve, segment);
    }
    return f8_mul(sum, same_scale(pass).weight);
}

// what particles that differ add up
typedef struct Mixture {
    F8 sum;       // Σ V_j g_ij (h/h_j) W_ij / S
    F8 gradients; // Σ |∇_j C|², each by what it moves j
    Move lean;    // −h ∇C, where sizes differ
    uint64_t pairs;
} Mixture;

// C's sum of particles that differ, with `open` where the surface is, and with `prune` as above
THAW_INLINE void mixed_density_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                                  const Lanes *lanes, const Grains *own, const ThawLiquidPair *row,
                                  bool listed, bool open, bool prune, Mixture *mixture) {
    F8 sum = f8_set(0.0f), gradients = f8_set(0.0f), one = f8_set(1.0f);
    Move lean = {f8_set(0.0f), f8_set(0.0f), f8_set(0.0f)};
    // others read the lists as well, with the whole support
    float reach = pass->reach / pass->narrow, whole = 1.0f / pass->narrow;
    F8 edge = f8_set(1.0f - reach * reach), rim = f8_set(1.0f - whole * whole);
    uint32_t valid = (1u << cluster->count) - 1, found = 0;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, true);
        uint32_t *list = segment->list, kept = 0, count = segment->count;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t j = list[k];
            Offset d = offset_to(&seen, &pass->place[j], true);
            Pair pair = pair_of(pass, own, row, j, listed);
            F8 t = nearness(&d, pair.inverse_h2, true);
            if (prune) {
                list[kept] = j;
                kept += f8_below(edge, t) != 0;
                found += (uint32_t)__builtin_popcount(f8_below(rim, t) & valid);
            }
            t = f8_max(t, f8_set(0.0f));
            sum = f8_fma(kernel_value(t), pair.weight, sum);
            F8 slope = kernel_slope(t);
            gradients =
                f8_fma(f8_mul(slope, slope), f8_mul(pair.square, f8_sub(one, t)), gradients);
            if (!open) continue;
            slope = f8_mul(slope, pair.lean);
            lean.x = f8_fma(slope, d.x, lean.x);
            lean.y = f8_fma(slope, d.y, lean.y);
            lean.z = f8_fma(slope, d.z, lean.z);
        }
        if (prune) segment->count = kept;
    }
    mixture->sum = sum;
    mixture->gradients = gradients;
    mixture->lean = lean;
    mixture->pairs += found;
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

// The prototype's stiffness holds at rest density. In compressed matter
// neighbours are more and nearer: the constraint's gradients grow, and the same
// β would overshoot. −1/(1 + C)² follows them. Beside matter of another size or
// density they may be larger still: `stiffer` is k Σ |∇C|², 1 on the perfect
// lattice.
THAW_INLINE F8 soften(F8 error, F8 stiffer) {
    F8 ratio = f8_max(f8_add(error, f8_set(1.0f)), f8_set(1.0f));
    return f8_div(f8_set(-1.0f), f8_max(f8_mul(ratio, ratio), stiffer));
}

// Σ V_j W_ij / S, and how much stiffer than the prototype the constraint is
THAW_INLINE F8 fraction_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                           const Lanes *lanes, const Grains *own, Mixture *mixture, bool mixed,
                           bool open, bool prune) {
    if (!mixed) {
        return prune ? pruned_density_of(pass, cluster, lanes, &mixture->pairs)
                     : alike_density_of(pass, cluster, lanes);
    }
    const ThawLiquidPair *row = row_of(pass, cluster);
    if (row != NULL)
        mixed_density_of(pass, cluster, lanes, own, row, true, open, prune, mixture);
    else
        mixed_density_of(pass, cluster, lanes, own, row, false, open, prune, mixture);
    return mixture->sum;
}

// α, the share of the kernel that lies in air: n = h ∇ of the volume fraction, walls included, is not 0 near the
// surface alone, but for noise. Without it a top layer is drawn together until its C is no longer below 0, at no
// pressure; and the larger its particles, the more room they leave to others.
THAW_INLINE F8 air_of(const ThawLiquidPass *pass, uint32_t first, const Move *lean) {
    Move walls = load_rows(&pass->lean[3 * (size_t)first]);
    F8 x = f8_sub(walls.x, lean->x), y = f8_sub(walls.y, lean->y), z = f8_sub(walls.z, lean->z);
    F8 n2 = f8_fma(z, z, f8_fma(y, y, f8_mul(x, x)));
    F8 over = f8_max(f8_sub(n2, f8_set(THAW_LIQUID_NOISE * THAW_LIQUID_NOISE)), f8_set(0.0f));
    return f8_min(f8_mul(over, f8_set(pass->air)), f8_set(pass->most_air));
}

THAW_INLINE void density_chunk(const ThawLiquidPass *pass, uint32_t chunk, bool mixed, bool open,
                               bool prune) {
    const F8 zero = f8_set(0.0f);
    Mixture mixture = {zero, zero, {zero, zero, zero}, 0};
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    Errors errors = {zero, zero};
    F8 inverse = f8_set(pass->inverse_relaxation);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass->place, cluster);
        Grains own = load_grains(pass, cluster->first, mixed);
        F8 fraction = fraction_of(pass, cluster, &lanes, &own, &mixture, mixed, open, prune);
        F8 wall = f8_load(&pass->wall[cluster->first]);
        F8 error = f8_sub(f8_add(fraction, wall), f8_set(1.0f));
        // what has just melted is let out at a rate
        if (pass->excess != NULL) error = f8_sub(error, f8_load(&pass->excess[cluster->first]));
        F8 pressed = open ? f8_add(error, air_of(pass, cluster->first, &mixture.lean)) : error;
        F8 over = f8_max(pressed, zero);
        F8 stiffer =
            mixed ? f8_mul(mixture.gradients, f8_mul(own.stiffness, inverse)) : f8_set(1.0f);
        lanes.lambda = f8_mul(soften(error, stiffer), f8_mul(own.stiffness, over));
        store_lanes(pass, cluster, &lanes);
        store_floats(&pass->error[cluster->first], error, cluster->count);
        add_errors(&errors, error, cluster->count);
    }
    pass->sums[chunk] = end_errors(&errors);
    pass->sums[chunk].pairs = mixture.pairs;
}

void THAW_WIDE(thaw_liquid_density)(const ThawLiquidPass *pass, uint32_t chunk) {
    if (pass->lean != NULL)
        density_chunk(pass, chunk, true, true, false);
    else if (pass->grains != NULL)
        density_chunk(pass, chunk, true, false, false);
    else
        density_chunk(pass, chunk, false, false, false);
}

void THAW_WIDE(thaw_liquid_prune)(const ThawLiquidPass *pass, uint32_t chunk) {
    if (pass->lean != NULL)
        density_chunk(pass, chunk, true, true, true);
    else if (pass->grains != NULL)
        density_chunk(pass, chunk, true, false, true);
    else
        density_chunk(pass, chunk, false, false, true);
}

// ---------------------------------------------------------------- correction,
// eq. 5 and 7

THAW_INLINE F8 raise(F8 base, int exponent) {
    if (exponent == 4) {
        F8 square = f8_mul(base, base);
        return f8_mul(square, square);
    }
    F8 power = base;
    for (int k = 1; k < exponent; k++) power = f8_mul(power, base);
    return power;
}

// What a pair feels besides λ_i + λ_j: the tensile repulsion, and surface
// tension's pull.
typedef struct Bias {
    F8 tensile; // s_corr at W = 1
    F8 pull;    // f: how strongly both attract each other
} Bias;

// λ_i + λ_j + s_corr, times the kernel's slope: how strongly a neighbour pushes. ∇W = −slope · offset / h²,
// so a negative push (too dense) moves i away from j. Tension pulls beyond one spacing, where W is
// THAW_LIQUID_NEAR, and pushes within it; by t² instead of the slope, so that it reaches further than the
// nearest: pulling by those alone makes a glass, which does not flow.
THAW_INLINE F8 push_of(F8 lambdas, F8 t, const Bias *bias, int exponent, bool tension) {
    F8 value = kernel_value(t);
    if (exponent > 0) lambdas = f8_fma(raise(value, exponent), bias->tensile, lambdas);
    F8 push = f8_mul(lambdas, kernel_slope(t));
    if (!tension) return push;
    F8 share = f8_nma(value, f8_set(1.0f / THAW_LIQUID_NEAR), f8_set(1.0f));
    return f8_fma(f8_mul(share, f8_mul(t, t)), bias->pull, push);
}

// a neighbour as lanes see it, or two
typedef struct Near {
    Offset d;
    F8 t, lambdas; // λ_i + λ_j
} Near;

#define AHEAD ((int)THAW_TWOS)

// the next four of a list, or of its twos
THAW_INLINE void approach(Near *near, const ThawLiquidPass *pass, const Lanes *seen,
                          const uint32_t *list, int count, bool two) {
    for (int k = 0; k < count; k++, list += two ? 2 : 1) {
        Lanes other = spread_listed(pass->place, list, two);
        near[k].d = offset_between(seen, &other, false);
        near[k].t = falloff(&near[k].d, f8_set(1.0f), false);
        near[k].lambdas = f8_add(seen->lambda, other.lambda);
    }
}

THAW_INLINE void add_pushes(Move *sum, const Near *near, const Bias *bias, int exponent,
                            bool tension) {
    for (int k = 0; k < AHEAD; k++) {
        F8 push = push_of(near[k].lambdas, near[k].t, bias, exponent, tension);
        sum->x = f8_fma(push, near[k].d.x, sum->x);
        sum->y = f8_fma(push, near[k].d.y, sum->y);
        sum->z = f8_fma(push, near[k].d.z, sum->z);
    }
}

// The correction in units of the common factor of correct_chunk. Four neighbours are approached while the
// four before them push: from a neighbour's place to its push is a long chain of dependent operations, and
// the processor has not the registers to hold enough whole chains at once.
THAW_INLINE Move correction_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                               const Lanes *lanes, const Grains *own, int exponent, bool tension) {
    const F8 zero = f8_set(0.0f);
    const Near none = {{zero, zero, zero}, zero, zero};
    const Bias bias = {f8_sub(zero, own->tensile), f8_add(own->cap, own->cap)};
    Move sum = {zero, zero, zero};
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, false);
        const uint32_t *list = segment->list, *end = list + segment->count;
        const uint32_t *twos = end - 2 * segment->twos;
        Near near[2 * AHEAD], *now = near, *soon = near + AHEAD;
        // what does not make a whole four comes first
        int odd = (int)((twos - list) % AHEAD);
        for (int k = 0; k < AHEAD; k++) now[k] = none;
        approach(now, pass, &seen, list, odd, false);
        for (list += odd; list != end; list += list < twos ? AHEAD : 2 * AHEAD) {
            if (list < twos)
                approach(soon, pass, &seen, list, AHEAD, false);
            else
                approach(soon, pass, &seen, list, AHEAD, true);
            add_pushes(&sum, now, &bias, exponent, tension);
            Near *before = now;
            now = soon;
            soon = before;
        }
        add_pushes(&sum, now, &bias, exponent, tension);
    }
    F8 factor = f8_mul(same_scale(pass).weight, f8_set(THAW_PLACE_CELLS));
    return (Move){f8_mul(sum.x, factor), f8_mul(sum.y, factor), f8_mul(sum.z, factor)};
}

// the same of particles that differ
THAW_INLINE Move mixed_correction_of(const ThawLiquidPass *pass, const ThawCluster *cluster,
                                     const Lanes *lanes, const Grains *own,
                                     const ThawLiquidPair *row, bool listed, int exponent,
                                     bool tension) {
    F8 x = f8_set(0.0f), y = f8_set(0.0f), z = f8_set(0.0f);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, true);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            const ThawPlace *other = &pass->place[j];
            Offset d = offset_to(&seen, other, true);
            Pair pair = pair_of(pass, own, row, j, listed);
            Bias bias = {pair.tensile, pair.pull};
            F8 lambdas = f8_fma(lanes->lambda, pair.own, f8_mul(f8_set(other->lambda), pair.other));
            F8 push =
                push_of(lambdas, falloff(&d, pair.inverse_h2, true), &bias, exponent, tension);
            push = f8_mul(push, pair.push);
            x = f8_fma(push, d.x, x);
            y = f8_fma(push, d.y, y);
            z = f8_fma(push, d.z, z);
        }
    }
    return (Move){x, y, z};
}

THAW_INLINE Move move_of(const ThawLiquidPass *pass, const ThawCluster *cluster, const Lanes *lanes,
                         bool mixed, int exponent, bool tension) {
    Grains own = load_grains(pass, cluster->first, mixed);
    if (!mixed) return correction_of(pass, cluster, lanes, &own, exponent, tension);
    const ThawLiquidPair *row = row_of(pass, cluster);
    if (row != NULL)
        return mixed_correction_of(pass, cluster, lanes, &own, row, true, exponent, tension);
    return mixed_correction_of(pass, cluster, lanes, &own, row, false, exponent, tension);
}

THAW_INLINE void correct_chunk(const ThawLiquidPass *pass, uint32_t chunk, bool mixed, int exponent,
                               bool tension) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    // Δp = Σ V/S (λ_i + λ_j) ∇W with ∇W = −slope · offset / h²; λ is in cells²,
    // offset and h in place units: the sum is in cells² a place unit, so scale
    // twice to get place units
    const F8 back = f8_set(-SLOPE_FACTOR * THAW_PLACE_ONE * THAW_PLACE_ONE);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Lanes lanes = load_lanes(pass->place, cluster);
        Move move = move_of(pass, cluster, &lanes, mixed, exponent, tension);
        apply_move(pass, cluster, &lanes, f8_mul(move.x, back), f8_mul(move.y, back),
                   f8_mul(move.z, back));
    }
}

// exponents that are usual are known to the compiler
THAW_INLINE void correct_by(const ThawLiquidPass *pass, uint32_t chunk, bool mixed, bool tension) {
    int exponent = pass->tensile_exponent;
    if (exponent == 0)
        correct_chunk(pass, chunk, mixed, 0, tension);
    else if (exponent == 4 && !mixed && !tension)
        correct_chunk(pass, chunk, mixed, 4, tension);
    else
        correct_chunk(pass, chunk, mixed, exponent, tension);
}

void THAW_WIDE(thaw_liquid_correct)(const ThawLiquidPass *pass, uint32_t chunk) {
    if (pass->grains != NULL) {
        if (pass->tension)
            correct_by(pass, chunk, true, true);
        else
            correct_by(pass, chunk, true, false);
    } else {
        if (pass->tension)
            correct_by(pass, chunk, false, true);
        else
            correct_by(pass, chunk, false, false);
    }
}
