// Viscosity's inner loop, eq. 6: each particle takes a share of its neighbours' velocities.
//
// One pass is a filter with the kernel's own transfer function. Every pair exchanges momentum alike
// in both directions, so a pass changes none of it. Steps of the implicit solve are the same walk
// over neighbours, and differ in what they do with its sum. Physical viscosity spares what turns as
// one: see viscosity.h.
#include "models/liquid/viscosity.h"

#include "models/liquid/lanes.h"

// velocities of eight rows as columns
THAW_INLINE Move load_velocities(const float *velocity) {
    Move v;
    f8_turn_triples(velocity, &v.x, &v.y, &v.z);
    return v;
}

// the same of a cluster's own rows alone: others may be written meanwhile
THAW_INLINE Move load_own(const float *velocity, const ThawCluster *cluster) {
    float columns[3][THAW_LANES] = {{0}};
    velocity += 3 * (size_t)cluster->first;
    if (cluster->count == THAW_LANES) return load_velocities(velocity);
    for (uint32_t k = 0; k < cluster->count; k++) {
        for (uint32_t a = 0; a < 3; a++) columns[a][k] = velocity[3 * k + a];
    }
    return (Move){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2])};
}

// how a cluster's pairs are scaled; the compiler knows which
typedef enum Scaling {
    ALIKE,  // all particles are
    LISTED, // the cluster's are, and pairs of kinds are in a table
    COMPUTED
} Scaling;

// symmetric in i and j once multiplied by m_i
THAW_INLINE PairScale pair_scale(const ThawSmoothing *smoothing, const ThawSmoothingPair *row,
                                 const Grains *own, uint32_t j, Scaling scaling) {
    const ThawLiquidPass *pass = smoothing->pass;
    if (scaling == ALIKE) return (PairScale){f8_set(1.0f), f8_set(1.0f)};
    if (scaling == LISTED) {
        const ThawSmoothingPair *pair = &row[pass->kinds[j]];
        return (PairScale){f8_set(pair->inverse_h2), f8_set(pair->weight)};
    }
    const ThawLiquidGrain *grain = &pass->grains[j];
    PairScale scale = mixed_scale(pass, own, grain);
    F8 mean = f8_mul(f8_add(own->xsph, f8_set(grain->xsph)), f8_set(0.5f * pass->rest_sum));
    // see fill_pairs: beside what has no viscosity
    if (smoothing->thinness != NULL) {
        F8 thinner = f8_min(own->xsph, f8_set(grain->xsph));
        mean = f8_mul(mean, f8_where(thinner, f8_set(0.0f), f8_set(0.5f), f8_set(1.0f)));
    }
    scale.weight = f8_mul(f8_mul(scale.weight, density_share(own, grain)), mean);
    return scale;
}

// what a walk over neighbours adds up; the compiler knows which. With a the pair's weight, u = v_j
// − v_i and r the offset from i to j in cells:
typedef enum Walk {
    SMOOTH,  // Σ a u
    SPARE,   // Σ a (u − ½ q (ω_i + ω_j) × r)
    TURN,    // Σ a r × u
    MOMENTS, // Σ a x x, y y, z z, x y, y z, z x of r
} Walk;

#define SUMS 6
#define AHEAD 3 // neighbours

typedef struct Sums {
    F8 of[SUMS];
} Sums;

THAW_INLINE Move cross(const Move *a, const Offset *b) {
    return (Move){f8_nma(a->z, b->y, f8_mul(a->y, b->z)), f8_nma(a->x, b->z, f8_mul(a->z, b->x)),
                  f8_nma(a->y, b->x, f8_mul(a->x, b->y))};
}

// `d` is from the neighbour to the lanes, −r; `half` is q/2
THAW_INLINE void add_pair(Sums *sums, F8 weight, Move u, const Offset *d, const Move *spin, F8 half,
                          Walk walk) {
    F8 *of = sums->of;
    if (walk == MOMENTS) {
        F8 x = f8_mul(weight, d->x), y = f8_mul(weight, d->y), z = f8_mul(weight, d->z);
        of[0] = f8_fma(x, d->x, of[0]);
        of[1] = f8_fma(y, d->y, of[1]);
        of[2] = f8_fma(z, d->z, of[2]);
        of[3] = f8_fma(x, d->y, of[3]);
        of[4] = f8_fma(y, d->z, of[4]);
        of[5] = f8_fma(z, d->x, of[5]);
        return;
    }
    if (walk == SPARE) {
        Move turned = cross(spin, d);
        u.x = f8_fma(half, turned.x, u.x);
        u.y = f8_fma(half, turned.y, u.y);
        u.z = f8_fma(half, turned.z, u.z);
    }
    if (walk == TURN) u = cross(&u, d);
    of[0] = f8_fma(weight, u.x, of[0]);
    of[1] = f8_fma(weight, u.y, of[1]);
    of[2] = f8_fma(weight, u.z, of[2]);
}

THAW_INLINE Move minus(const float *a, const Move *b) {
    return (Move){f8_sub(f8_set(a[0]), b->x), f8_sub(f8_set(a[1]), b->y),
                  f8_sub(f8_set(a[2]), b->z)};
}

THAW_INLINE Move plus(const float *a, const Move *b) {
    return (Move){f8_add(f8_set(a[0]), b->x), f8_add(f8_set(a[1]), b->y),
                  f8_add(f8_set(a[2]), b->z)};
}

THAW_INLINE Offset in_cells(const Offset *d, bool mixed) {
    if (!mixed) return *d;
    F8 unit = f8_set(THAW_PLACE_CELLS);
    return (Offset){f8_mul(d->x, unit), f8_mul(d->y, unit), f8_mul(d->z, unit)};
}

// the harmonic mean of both rows' f: the same on both sides, and what layers of different viscosity act by
THAW_INLINE F8 pair_factor(const ThawSmoothing *smoothing, F8 own, uint32_t j) {
    return f8_div(f8_set(2.0f), f8_add(own, f8_set(smoothing->thinness[j])));
}

// One walk. The kernel here is not divided by S: then the filter's transfer function is the
// kernel's own. Where particles are alike what all pairs share is left out.
THAW_INLINE Sums walk_pairs(const ThawSmoothing *smoothing, const ThawCluster *cluster,
                            const ThawSmoothingPair *row, Scaling scaling, Walk walk, bool uneven) {
    const ThawLiquidPass *pass = smoothing->pass;
    bool mixed = scaling != ALIKE;
    Lanes lanes = load_lanes(pass->place, cluster);
    Grains own = load_grains(pass, cluster->first, scaling == COMPUTED);
    Move v = load_velocities(&smoothing->velocity[3 * (size_t)cluster->first]), w = v, spin = v;
    if (walk == SPARE) w = load_velocities(&smoothing->spin[3 * (size_t)cluster->first]);
    F8 zero = f8_set(0.0f), half = f8_set(0.5f * smoothing->spared), thinness = zero;
    if (uneven) thinness = f8_load(&smoothing->thinness[cluster->first]);
    Sums sums = {{zero, zero, zero, zero, zero, zero}};
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(&lanes, segment, mixed);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            Offset d = offset_to(&seen, &pass->place[j], mixed);
            PairScale scale = pair_scale(smoothing, row, &own, j, scaling);
            F8 weight = kernel_value(falloff(&d, scale.inverse_h2, mixed));
            if (mixed) weight = f8_mul(weight, scale.weight);
            if (uneven) weight = f8_mul(weight, pair_factor(smoothing, thinness, j));
            if (walk != SMOOTH) d = in_cells(&d, mixed);
            if (walk == SPARE) spin = plus(&smoothing->spin[3 * (size_t)j], &w);
            add_pair(&sums, weight, minus(&smoothing->velocity[3 * (size_t)j], &v), &d, &spin, half,
                     walk);
        }
    }
    return sums;
}

// Σ a u of particles alike. As in the density's walk each neighbour's power is taken while offsets to the next
// are under way.
THAW_INLINE Sums smooth_alike(const ThawSmoothing *smoothing, const ThawCluster *cluster) {
    const ThawLiquidPass *pass = smoothing->pass;
    const float *velocity = smoothing->velocity;
    Lanes lanes = load_lanes(pass->place, cluster);
    Move v = load_velocities(&velocity[3 * (size_t)cluster->first]);
    F8 zero = f8_set(0.0f), unit = f8_set(1.0f);
    Sums sums = {{zero, zero, zero, zero, zero, zero}};
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(&lanes, segment, false);
        const uint32_t *list = segment->list;
        // weights of the three neighbours before
        F8 t[AHEAD] = {zero, zero, zero};
        uint32_t count = segment->count, k = 0;
        for (; k < count && k < AHEAD; k++) {
            Offset d = offset_to(&seen, &pass->place[list[k]], false);
            t[k] = falloff(&d, unit, false);
        }
        for (; k < count; k++) {
            Offset d = offset_to(&seen, &pass->place[list[k]], false);
            const float *other = &velocity[3 * (size_t)list[k - AHEAD]];
            add_pair(&sums, kernel_value(t[0]), minus(other, &v), &d, &v, zero, SMOOTH);
            for (int n = 1; n < AHEAD; n++) t[n - 1] = t[n];
            t[AHEAD - 1] = falloff(&d, unit, false);
        }
        uint32_t left = count < AHEAD ? count : AHEAD;
        for (uint32_t n = 0; n < left; n++) {
            const float *other = &velocity[3 * (size_t)list[count - left + n]];
            Offset none = {zero, zero, zero};
            add_pair(&sums, kernel_value(t[n]), minus(other, &v), &none, &v, zero, SMOOTH);
        }
    }
    return sums;
}

// the table's row of a cluster whose particles are of one kind, else NULL
THAW_INLINE const ThawSmoothingPair *row_of(const ThawSmoothing *smoothing,
                                            const ThawCluster *cluster) {
    const ThawLiquidPass *pass = smoothing->pass;
    if (pass->kinds == NULL) return NULL;
    const uint8_t *kind = &pass->kinds[cluster->first];
    for (uint32_t k = 1; k < cluster->count; k++) {
        if (kind[k] != kind[0]) return NULL;
    }
    return &smoothing->pairs[kind[0] * pass->kind_count];
}

THAW_INLINE Sums sum_scaled(const ThawSmoothing *smoothing, const ThawCluster *cluster, Walk walk,
                            bool uneven) {
    if (smoothing->pass->grains == NULL && walk == SMOOTH && !uneven) {
        return smooth_alike(smoothing, cluster);
    }
    if (smoothing->pass->grains == NULL) {
        return walk_pairs(smoothing, cluster, NULL, ALIKE, walk, uneven);
    }
    const ThawSmoothingPair *row = row_of(smoothing, cluster);
    if (row != NULL) return walk_pairs(smoothing, cluster, row, LISTED, walk, uneven);
    return walk_pairs(smoothing, cluster, NULL, COMPUTED, walk, uneven);
}

THAW_INLINE Sums sum_up(const ThawSmoothing *smoothing, const ThawCluster *cluster, Walk walk) {
    if (smoothing->thinness == NULL) return sum_scaled(smoothing, cluster, walk, false);
    return sum_scaled(smoothing, cluster, walk, true);
}

// what all pairs share, and the share of this pass
THAW_INLINE Move whole(const ThawSmoothing *smoothing, const Sums *sums) {
    const ThawLiquidPass *pass = smoothing->pass;
    F8 factor = f8_set(smoothing->share);
    if (pass->grains == NULL) {
        F8 c = f8_set(pass->grain.xsph * pass->rest_sum);
        factor = f8_mul(f8_mul(same_scale(pass).weight, c), factor);
    }
    return (Move){f8_mul(sums->of[0], factor), f8_mul(sums->of[1], factor),
                  f8_mul(sums->of[2], factor)};
}

// v + momentum (v − last) + step (aim − v + sum)
THAW_INLINE F8 advance(const ThawSmoothing *smoothing, F8 v, F8 sum, F8 aim, F8 last) {
    F8 residual = f8_add(f8_sub(aim, v), sum);
    F8 ahead = f8_fma(f8_set(smoothing->momentum), f8_sub(v, last), v);
    return f8_fma(f8_set(smoothing->step), residual, ahead);
}

THAW_INLINE void store_own(float *out, const ThawCluster *cluster, const Move *v) {
    const F8 columns[3] = {v->x, v->y, v->z};
    F8 triples[3];
    float rows[3 * THAW_LANES];
    f8_triples(columns, triples);
    out += 3 * (size_t)cluster->first;
    float *to = cluster->count == THAW_LANES ? out : rows;
    for (int k = 0; k < 3; k++) f8_store(to + 8 * k, triples[k]);
    for (uint32_t k = 0; to == rows && k < 3 * cluster->count; k++) out[k] = rows[k];
}

THAW_INLINE void smooth_chunk(const ThawSmoothing *smoothing, uint32_t chunk, Walk walk) {
    const ThawLiquidPass *pass = smoothing->pass;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Sums sums = sum_up(smoothing, cluster, walk);
        Move sum = whole(smoothing, &sums);
        Move v = load_velocities(&smoothing->velocity[3 * (size_t)cluster->first]);
        if (smoothing->aim != NULL) {
            Move aim = load_own(smoothing->aim, cluster), last = load_own(smoothing->last, cluster);
            v = (Move){advance(smoothing, v.x, sum.x, aim.x, last.x),
                       advance(smoothing, v.y, sum.y, aim.y, last.y),
                       advance(smoothing, v.z, sum.z, aim.z, last.z)};
        } else {
            v = (Move){f8_add(v.x, sum.x), f8_add(v.y, sum.y), f8_add(v.z, sum.z)};
        }
        store_own(smoothing->next, cluster, &v);
    }
}

void THAW_WIDE(thaw_viscosity_pass)(const ThawSmoothing *smoothing, uint32_t chunk) {
    if (smoothing->spin != NULL)
        smooth_chunk(smoothing, chunk, SPARE);
    else
        smooth_chunk(smoothing, chunk, SMOOTH);
}

void THAW_WIDE(thaw_viscosity_moments)(const ThawSmoothing *smoothing, uint32_t chunk) {
    const ThawLiquidPass *pass = smoothing->pass;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Sums sums = sum_up(smoothing, cluster, MOMENTS);
        float columns[SUMS][THAW_LANES];
        for (int n = 0; n < SUMS; n++) f8_store(columns[n], sums.of[n]);
        for (uint32_t k = 0; k < cluster->count; k++) {
            float m[SUMS];
            for (int n = 0; n < SUMS; n++) m[n] = columns[n][k];
            thaw_viscosity_invert(m, &smoothing->moments[SUMS * (size_t)(cluster->first + k)]);
        }
    }
}

void THAW_WIDE(thaw_viscosity_turn)(const ThawSmoothing *smoothing, uint32_t chunk) {
    const ThawLiquidPass *pass = smoothing->pass;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Sums sums = sum_up(smoothing, cluster, TURN);
        float columns[3][THAW_LANES];
        for (int n = 0; n < 3; n++) f8_store(columns[n], sums.of[n]);
        for (uint32_t k = 0; k < cluster->count; k++) {
            const float *m = &smoothing->moments[SUMS * (size_t)(cluster->first + k)];
            float x = columns[0][k], y = columns[1][k], z = columns[2][k];
            float *spin = &smoothing->spins[3 * (size_t)(cluster->first + k)];
            spin[0] = m[0] * x + m[3] * y + m[5] * z;
            spin[1] = m[3] * x + m[1] * y + m[4] * z;
            spin[2] = m[5] * x + m[4] * y + m[2] * z;
        }
    }
}
