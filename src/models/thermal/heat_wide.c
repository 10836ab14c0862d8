// Conduction's inner loop: what each particle takes from its neighbours.
//
// Eight particles of a cluster are the lanes, as in the liquid's loops. Places are integers and every other number of a
// pair is symmetric before it is rounded, so both sides of a pair see the same flow, in every bit, with
// opposite signs. Flows are added in double: what one gains the others lose.
#include "models/thermal/heat.h"

#include "simd/wide.h"
#include "simd/wide_sum.h"

#define BITS_OF_3 0x40400000 // as a float
#define UNIT2 (THAW_PLACE_CELLS * THAW_PLACE_CELLS)
#define LEAST_SUM 1e-30f // W/(m K), of two conductivities: none divides by 0

typedef struct Lanes {
    I8 x, y, z;
} Lanes;

typedef struct Offset {
    F8 x, y, z;
} Offset;

// how pairs differ; the compiler knows which
typedef enum Pairs { ALIKE, UNLIKE, SIZES } Pairs;

// lanes that a short cluster lacks repeat its first
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
    return lanes;
}

// A period is rarely a whole number of place units, and rounded down to either side: of the two images one goes by the
// other, so that both ends of a pair see the same distance.
THAW_INLINE int32_t image_of(const ThawHeatPass *pass, const ThawSegment *segment, int axis) {
    int32_t image = segment->image[axis];
    return image == pass->behind[axis] ? pass->mirrored[axis] : image;
}

THAW_INLINE Lanes see_through(const ThawHeatPass *pass, const Lanes *lanes,
                              const ThawSegment *segment, Pairs pairs) {
    int32_t raise = pairs == SIZES ? 0 : BITS_OF_3;
    return (Lanes){i8_sub(lanes->x, i8_set(thaw_place_sub(image_of(pass, segment, 0), raise))),
                   i8_sub(lanes->y, i8_set(thaw_place_sub(image_of(pass, segment, 1), raise))),
                   i8_sub(lanes->z, i8_set(thaw_place_sub(image_of(pass, segment, 2), raise)))};
}

// Where sizes are alike, in supports: a float from 2 to 4 counts in place units, so 3.0f's bits plus an offset of up to
// one support are 3 plus the offset. What is beyond stays beyond. Otherwise in place units.
THAW_INLINE F8 offset_along(I8 lanes, I8 other, Pairs pairs) {
    I8 difference = i8_sub(lanes, other);
    return pairs == SIZES ? i8_float(difference) : f8_sub(i8_bits(difference), f8_set(3.0f));
}

// the neighbour at `list` in every lane, or the two there: one in the first four lanes, one in the last
THAW_INLINE Lanes spread_listed(const ThawPlace *place, const uint32_t *list, bool two) {
    const ThawPlace *first = &place[list[0]];
    if (!two) return (Lanes){i8_set(first->x), i8_set(first->y), i8_set(first->z)};
    Lanes both;
    I8 unused;
    i8_spread_two((const int32_t *)(const void *)first,
                  (const int32_t *)(const void *)&place[list[1]], &both.x, &both.y, &both.z,
                  &unused);
    return both;
}

// the same of a number a row
THAW_INLINE F8 spread_number(const float *numbers, const uint32_t *list, bool two) {
    return two ? f8_set_two(numbers[list[0]], numbers[list[1]]) : f8_set(numbers[list[0]]);
}

THAW_INLINE Offset offset_between(const Lanes *lanes, const Lanes *other, Pairs pairs) {
    return (Offset){offset_along(lanes->x, other->x, pairs),
                    offset_along(lanes->y, other->y, pairs),
                    offset_along(lanes->z, other->z, pairs)};
}

// t = 1 − q², zero beyond the support
THAW_INLINE F8 falloff(const Offset *d, F8 inverse_h2) {
    F8 r2 = f8_fma(d->z, d->z, f8_fma(d->y, d->y, f8_mul(d->x, d->x)));
    return f8_max(f8_nma(r2, inverse_h2, f8_set(1.0f)), f8_set(0.0f));
}

THAW_INLINE F8 slope_of(F8 t) { // f
    F8 t3 = f8_mul(t, f8_mul(t, t));
    return f8_mul(t3, f8_fma(t, f8_set(2.0f), f8_set(1.0f)));
}

// numbers of the lanes' own
typedef struct Own {
    F8 conductivity, support, volume;
} Own;

THAW_INLINE Own load_own(const ThawHeatPass *pass, uint32_t first, Pairs pairs) {
    F8 one = f8_set(1.0f);
    if (pairs == ALIKE) return (Own){one, one, one};
    if (pairs == UNLIKE) return (Own){f8_load(&pass->conductivity[first]), one, one};
    float columns[3][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        const ThawHeatGrain *grain = &pass->grains[first + k];
        columns[0][k] = grain->conductivity;
        columns[1][k] = grain->support;
        columns[2][k] = grain->volume;
    }
    return (Own){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2])};
}

// what scales a pair: 1/h² in units of the offsets, and what f is multiplied by
typedef struct Scale {
    F8 inverse_h2, weight;
} Scale;

// k_i k_j / (k_i + k_j)
THAW_INLINE F8 half_mean(F8 a, F8 b) {
    return f8_div(f8_mul(a, b), f8_max(f8_add(a, b), f8_set(LEAST_SUM)));
}

// h^−(dimensions + 2)
THAW_INLINE F8 power_of(F8 inverse, F8 inverse2, int dimensions) {
    F8 power = f8_mul(inverse2, inverse2);
    return dimensions == 3 ? f8_mul(power, inverse) : power;
}

THAW_INLINE Scale scale_of(const ThawHeatPass *pass, const Own *own, const uint32_t *list,
                           Pairs pairs, bool two) {
    F8 one = f8_set(1.0f);
    if (pairs == ALIKE) return (Scale){one, one};
    if (pairs == UNLIKE) {
        F8 other = spread_number(pass->conductivity, list, two);
        return (Scale){one, half_mean(own->conductivity, other)};
    }
    const ThawHeatGrain *grain = &pass->grains[*list];
    F8 h = f8_mul(f8_add(own->support, f8_set(grain->support)), f8_set(0.5f));
    F8 inverse = f8_div(one, h), inverse2 = f8_mul(inverse, inverse);
    F8 volumes = f8_mul(own->volume, f8_set(grain->volume));
    F8 mean = half_mean(own->conductivity, f8_set(grain->conductivity));
    F8 power = power_of(inverse, inverse2, pass->dimensions);
    return (Scale){f8_mul(inverse2, f8_set(UNIT2)), f8_mul(f8_mul(volumes, mean), power)};
}

// the kernel w of which f is the slope
THAW_INLINE F8 value_of(F8 t) {
    F8 t2 = f8_mul(t, t);
    return f8_mul(f8_mul(t2, t2), f8_fma(t, f8_set(0.2f), f8_set(0.125f)));
}

// what a walk adds up besides flows; the compiler knows which
typedef enum Walk {
    FLOW,
    RATE,    // and conductances
    SURROUND // and what surrounds the lanes
} Walk;

typedef struct Sums {
    D8 flow;
    F8 rate;
    F8 x, y, z; // Σ f (x_i − x_j) / h
    F8 fill;    // Σ w
} Sums;

// With h the pair's, weights are V_j / h^dimensions, and h_i / h of slopes; where sizes are alike both are left out.
THAW_INLINE void add_surroundings(Sums *sums, const ThawHeatPass *pass, const Own *own, uint32_t j,
                                  const Offset *d, F8 t, F8 slope, Pairs pairs) {
    F8 fill = value_of(t);
    if (pairs == SIZES) {
        const ThawHeatGrain *grain = &pass->grains[j];
        F8 h = f8_mul(f8_add(own->support, f8_set(grain->support)), f8_set(0.5f));
        F8 inverse = f8_div(f8_set(1.0f), h), inverse2 = f8_mul(inverse, inverse);
        F8 weight = pass->dimensions == 3 ? f8_mul(inverse2, inverse) : inverse2;
        weight = f8_mul(weight, f8_set(grain->volume));
        fill = f8_mul(fill, weight);
        F8 steepness = f8_mul(inverse2, f8_set(THAW_PLACE_CELLS));
        slope = f8_mul(slope, f8_mul(f8_mul(weight, own->support), steepness));
    }
    sums->x = f8_fma(slope, d->x, sums->x);
    sums->y = f8_fma(slope, d->y, sums->y);
    sums->z = f8_fma(slope, d->z, sums->z);
    sums->fill = f8_add(sums->fill, fill);
}

// a neighbour as lanes see it, or two
typedef struct Near {
    uint32_t j; // where sizes differ
    Offset d;
    F8 t, weight; // what f is multiplied by
    F8 warmer;    // K
} Near;

#define AHEAD ((int)THAW_TWOS)

THAW_INLINE void approach(Near *near, const ThawHeatPass *pass, const Lanes *seen, const Own *own,
                          F8 warmth, const uint32_t *list, int count, Pairs pairs, bool two) {
    for (int k = 0; k < count; k++, list += two ? 2 : 1) {
        Lanes other = spread_listed(pass->place, list, two);
        Scale scale = scale_of(pass, own, list, pairs, two);
        near[k].j = *list;
        near[k].d = offset_between(seen, &other, pairs);
        near[k].t = falloff(&near[k].d, scale.inverse_h2);
        near[k].weight = scale.weight;
        near[k].warmer = f8_sub(spread_number(pass->warmth, list, two), warmth);
    }
}

THAW_INLINE void add_near(Sums *sums, const ThawHeatPass *pass, const Own *own, const Near *near,
                          Pairs pairs, Walk walk) {
    for (int k = 0; k < AHEAD; k++) {
        F8 slope = slope_of(near[k].t);
        F8 weight = pairs == ALIKE ? slope : f8_mul(slope, near[k].weight);
        sums->flow = d8_add(sums->flow, f8_mul(weight, near[k].warmer));
        if (walk != FLOW) sums->rate = f8_add(sums->rate, weight);
        if (walk == SURROUND) {
            add_surroundings(sums, pass, own, near[k].j, &near[k].d, near[k].t, slope, pairs);
        }
    }
}

// four neighbours are approached while those before are added
THAW_INLINE void walk_segment(Sums *sums, const ThawHeatPass *pass, const ThawSegment *segment,
                              const Lanes *seen, const Own *own, F8 warmth, Pairs pairs,
                              Walk walk) {
    const F8 zero = f8_set(0.0f);
    const Near none = {0, {zero, zero, zero}, zero, zero, zero};
    const uint32_t *list = segment->list, *end = list + segment->count;
    const uint32_t *twos = end - 2 * segment->twos;
    Near near[2 * AHEAD], *now = near, *soon = near + AHEAD;
    // what does not make a whole four comes first
    int odd = (int)((twos - list) % AHEAD);
    for (int k = 0; k < AHEAD; k++) now[k] = none;
    approach(now, pass, seen, own, warmth, list, odd, pairs, false);
    for (list += odd; list != end; list += list < twos ? AHEAD : 2 * AHEAD) {
        if (list < twos)
            approach(soon, pass, seen, own, warmth, list, AHEAD, pairs, false);
        else
            approach(soon, pass, seen, own, warmth, list, AHEAD, pairs, true);
        add_near(sums, pass, own, now, pairs, walk);
        Near *before = now;
        now = soon;
        soon = before;
    }
    add_near(sums, pass, own, now, pairs, walk);
}

THAW_INLINE Sums walk_pairs(const ThawHeatPass *pass, const ThawCluster *cluster, const Own *own,
                            Pairs pairs, Walk walk) {
    Lanes lanes = load_lanes(pass->place, cluster);
    F8 warmth = f8_load(&pass->warmth[cluster->first]), zero = f8_set(0.0f);
    Sums sums = {d8_zero(), zero, zero, zero, zero, zero};
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(pass, &lanes, segment, pairs);
        walk_segment(&sums, pass, segment, &seen, own, warmth, pairs, walk);
    }
    return sums;
}

// conductances less what lanes have with themselves
THAW_INLINE F8 rate_of(const ThawHeatPass *pass, const Own *own, F8 rate, Pairs pairs) {
    F8 self = f8_set(THAW_HEAT_SELF);
    if (pairs != ALIKE) self = f8_mul(self, f8_mul(own->conductivity, f8_set(0.5f)));
    if (pairs == SIZES) {
        F8 inverse = f8_div(f8_set(1.0f), own->support);
        F8 power = power_of(inverse, f8_mul(inverse, inverse), pass->dimensions);
        self = f8_mul(self, f8_mul(f8_mul(own->volume, own->volume), power));
    }
    return f8_max(f8_sub(rate, self), f8_set(0.0f));
}

THAW_INLINE void store_surroundings(const ThawHeatPass *pass, const ThawCluster *cluster,
                                    const Sums *sums) {
    F8 scale = f8_set(pass->surround_scale);
    float columns[4][THAW_LANES];
    f8_store(columns[0], f8_mul(sums->x, scale));
    f8_store(columns[1], f8_mul(sums->y, scale));
    f8_store(columns[2], f8_mul(sums->z, scale));
    f8_store(columns[3], f8_mul(sums->fill, scale));
    float *rows = &pass->surround[4 * (size_t)cluster->first];
    for (uint32_t k = 0; k < cluster->count; k++) {
        for (uint32_t a = 0; a < 4; a++) rows[4 * k + a] = columns[a][k];
    }
}

THAW_INLINE void flow_chunk(const ThawHeatPass *pass, uint32_t chunk, Pairs pairs, Walk walk) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_HEAT_CHUNK);
    ThawHeatSums all = {0};
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Own own = load_own(pass, cluster->first, pairs);
        Sums sums = walk_pairs(pass, cluster, &own, pairs, walk);
        double flow[THAW_LANES];
        float rate[THAW_LANES];
        d8_store(flow, sums.flow);
        f8_store(rate, rate_of(pass, &own, sums.rate, pairs));
        for (uint32_t k = 0; k < cluster->count; k++) {
            pass->flow[cluster->first + k] = flow[k];
            all.net += flow[k];
            all.all += flow[k] < 0 ? -flow[k] : flow[k];
            if (walk != FLOW) pass->rate[cluster->first + k] = rate[k];
        }
        if (walk == SURROUND) store_surroundings(pass, cluster, &sums);
    }
    pass->sums[chunk] = all;
}

THAW_INLINE void flow_by(const ThawHeatPass *pass, uint32_t chunk, Pairs pairs) {
    if (pass->surround != NULL)
        flow_chunk(pass, chunk, pairs, SURROUND);
    else if (pass->rate != NULL)
        flow_chunk(pass, chunk, pairs, RATE);
    else
        flow_chunk(pass, chunk, pairs, FLOW);
}

void THAW_WIDE(thaw_heat_flow)(const ThawHeatPass *pass, uint32_t chunk) {
    if (pass->grains != NULL)
        flow_by(pass, chunk, SIZES);
    else if (pass->conductivity != NULL)
        flow_by(pass, chunk, UNLIKE);
    else
        flow_by(pass, chunk, ALIKE);
}
