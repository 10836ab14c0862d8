// Conduction's inner loop: what each particle takes from its neighbours.
//
// Eight particles of a cluster are the lanes, as in the liquid's loops. Places are integers and every other number of a
// pair is symmetric before it is rounded, so both sides of a pair see the same flow, in every bit, with
// opposite signs. What one gains the others lose: where all conduct alike flows are whole numbers of a unit, whose sums
// are exact; otherwise they are added in double.
#include "models/thermal/heat.h"

#include "simd/wide.h"
#include "simd/wide_sum.h"

#define BITS_OF_3 0x40400000 // as a float
#define UNIT2 (THAW_PLACE_CELLS * THAW_PLACE_CELLS)
#define LEAST_SUM 1e-30f // W/(m K), of two conductivities: none divides by 0
// A row is open by what √(slope² + thinness²) exceeds NOISE by: slope is h |∇| of the volume fraction, up to NOISE in
// disorder; thinness is THIN times what the volume fraction lacks of FULL, so that drops of a few particles cool as well.
#define NOISE 0.5f
#define FULL 0.75f
#define THIN 7.0f

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
THAW_INLINE F8 falloff(const Offset *d, F8 inverse_h2, Pairs pairs) {
    F8 one = f8_set(1.0f), zero = f8_set(0.0f);
    if (pairs != SIZES) {
        return f8_max(f8_nma(d->z, d->z, f8_nma(d->y, d->y, f8_nma(d->x, d->x, one))), zero);
    }
    F8 r2 = f8_fma(d->z, d->z, f8_fma(d->y, d->y, f8_mul(d->x, d->x)));
    return f8_max(f8_nma(r2, inverse_h2, one), zero);
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

// what a walk adds up besides flows; the compiler knows which
typedef struct Walk {
    bool rate;     // conductances
    bool surround; // what surrounds the lanes
} Walk;

// f is counted by pass->counts here; the kernel w of which f is the slope is f t / 10 + t⁴ / 40
typedef struct Sums {
    I8 counts; // of flows in whole numbers, of late
    D8 flow;
    F8 rate;
    F8 x, y, z;      // Σ f (x_i − x_j) / h
    F8 fill, fourth; // Σ f t, Σ t⁴
} Sums;

// With h the pair's, weights are V_j / h^dimensions, and h_i / h of slopes; where sizes are alike both are left out.
THAW_INLINE void add_surroundings(Sums *sums, const ThawHeatPass *pass, const Own *own, uint32_t j,
                                  const Offset *d, F8 t, F8 slope, Pairs pairs) {
    F8 fill = slope, t2 = f8_mul(t, t), fourth = t2;
    if (pairs == SIZES) {
        const ThawHeatGrain *grain = &pass->grains[j];
        F8 h = f8_mul(f8_add(own->support, f8_set(grain->support)), f8_set(0.5f));
        F8 inverse = f8_div(f8_set(1.0f), h), inverse2 = f8_mul(inverse, inverse);
        F8 weight = pass->dimensions == 3 ? f8_mul(inverse2, inverse) : inverse2;
        weight = f8_mul(weight, f8_set(grain->volume));
        fill = f8_mul(fill, weight);
        fourth = f8_mul(fourth, weight);
        F8 steepness = f8_mul(inverse2, f8_set(THAW_PLACE_CELLS));
        slope = f8_mul(slope, f8_mul(f8_mul(weight, own->support), steepness));
    }
    sums->x = f8_fma(slope, d->x, sums->x);
    sums->y = f8_fma(slope, d->y, sums->y);
    sums->z = f8_fma(slope, d->z, sums->z);
    sums->fill = f8_fma(fill, t, sums->fill);
    sums->fourth = f8_fma(fourth, t2, sums->fourth);
}

// numbers of the lanes, as a segment is seen from them
typedef struct View {
    const ThawHeatPass *pass;
    Lanes seen;
    const Own *own;
    F8 warmth;
    F8 once, twice; // f = t³ (once + twice t)
} View;

// the neighbour at `list`, or the two there
THAW_INLINE void add_listed(Sums *sums, const View *view, const uint32_t *list, bool two,
                            Pairs pairs, Walk walk) {
    const ThawHeatPass *pass = view->pass;
    Lanes other = spread_listed(pass->place, list, two);
    Scale scale = scale_of(pass, view->own, list, pairs, two);
    Offset d = offset_between(&view->seen, &other, pairs);
    F8 t = falloff(&d, scale.inverse_h2, pairs);
    F8 warmer = f8_sub(spread_number(pass->warmth, list, two), view->warmth);
    F8 t3 = f8_mul(t, f8_mul(t, t));
    F8 slope = f8_mul(t3, f8_fma(t, view->twice, view->once));
    F8 weight = pairs == ALIKE ? slope : f8_mul(slope, scale.weight);
    F8 flow = f8_mul(weight, warmer);
    if (pairs == ALIKE)
        sums->counts = i8_add(sums->counts, f8_round(flow));
    else
        sums->flow = d8_add(sums->flow, flow);
    if (walk.rate) sums->rate = f8_add(sums->rate, weight);
    if (walk.surround) add_surroundings(sums, pass, view->own, *list, &d, t, slope, pairs);
}

// a list's neighbours one by one, or its twos; whole numbers are added up before they could be too large
THAW_INLINE void walk_list(Sums *sums, const View *view, const uint32_t *list, const uint32_t *end,
                           bool two, Pairs pairs, Walk walk) {
    const ptrdiff_t step = two ? 2 : 1, most = step * THAW_HEAT_RUN;
    while (list != end) {
        const uint32_t *stop = end - list > most ? list + most : end;
        for (; list != stop; list += step) add_listed(sums, view, list, two, pairs, walk);
        if (pairs != ALIKE) continue;
        sums->flow = d8_add_whole(sums->flow, sums->counts);
        sums->counts = i8_set(0);
    }
}

THAW_INLINE Sums walk_pairs(const ThawHeatPass *pass, const ThawCluster *cluster, const Own *own,
                            Pairs pairs, Walk walk) {
    Lanes lanes = load_lanes(pass->place, cluster);
    F8 zero = f8_set(0.0f);
    Sums sums = {i8_set(0), d8_zero(), zero, zero, zero, zero, zero, zero};
    View view = {.pass = pass,
                 .own = own,
                 .warmth = f8_load(&pass->warmth[cluster->first]),
                 .once = f8_set(pass->counts),
                 .twice = f8_set(2 * pass->counts)};
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        const uint32_t *list = segment->list, *end = list + segment->count;
        const uint32_t *twos = end - 2 * segment->twos;
        view.seen = see_through(pass, &lanes, segment, pairs);
        walk_list(&sums, &view, list, twos, false, pairs, walk);
        walk_list(&sums, &view, twos, end, true, pairs, walk);
    }
    return sums;
}

// conductances less what lanes have with themselves
THAW_INLINE F8 rate_of(const ThawHeatPass *pass, const Own *own, F8 rate, Pairs pairs) {
    F8 self = f8_set(THAW_HEAT_SELF);
    if (pairs == ALIKE) rate = f8_mul(rate, f8_set(pass->piece));
    if (pairs != ALIKE) self = f8_mul(self, f8_mul(own->conductivity, f8_set(0.5f)));
    if (pairs == SIZES) {
        F8 inverse = f8_div(f8_set(1.0f), own->support);
        F8 power = power_of(inverse, f8_mul(inverse, inverse), pass->dimensions);
        self = f8_mul(self, f8_mul(f8_mul(own->volume, own->volume), power));
    }
    return f8_max(f8_sub(rate, self), f8_set(0.0f));
}

// how open the lanes are: by the slope of the volume fraction, particles and walls together, and by its lack
THAW_INLINE F8 openness_of(const ThawHeatPass *pass, const ThawCluster *cluster, const Sums *sums) {
    F8 zero = f8_set(0.0f), scale = f8_set(pass->surround_scale * pass->piece);
    I8 wall_x, wall_y, wall_z, wall_fill;
    const float *walls = &pass->walls[4 * (size_t)cluster->first];
    i8_columns((const int32_t *)(const void *)walls, &wall_x, &wall_y, &wall_z, &wall_fill);
    F8 x = f8_fma(sums->x, scale, i8_bits(wall_x));
    F8 y = f8_fma(sums->y, scale, i8_bits(wall_y));
    F8 z = f8_fma(sums->z, scale, i8_bits(wall_z));
    F8 fill = f8_fma(f8_mul(sums->fill, f8_set(0.1f)), scale, i8_bits(wall_fill));
    fill = f8_fma(sums->fourth, f8_set(0.025f * pass->surround_scale), fill);
    F8 thin = f8_mul(f8_max(f8_sub(f8_set(FULL), fill), zero), f8_set(THIN));
    F8 slope2 = f8_fma(x, x, f8_fma(y, y, f8_mul(z, z)));
    return f8_max(f8_sub(f8_sqrt(f8_fma(thin, thin, slope2)), f8_set(NOISE)), zero);
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

// what a chunk's flows come to, lane by lane until its end
typedef struct Totals {
    D8 net, all;
} Totals;

THAW_INLINE void store_flows(const ThawHeatPass *pass, const ThawCluster *cluster, D8 flow,
                             Totals *totals) {
    double *out = &pass->flow[cluster->first];
    flow = d8_mul(flow, (double)pass->piece);
    if (cluster->count == THAW_LANES) {
        d8_store(out, flow);
    } else {
        double lanes[THAW_LANES];
        d8_store(lanes, flow);
        for (uint32_t k = 0; k < cluster->count; k++) out[k] = lanes[k];
        for (uint32_t k = cluster->count; k < THAW_LANES; k++) lanes[k] = 0;
        flow = d8_load(lanes);
    }
    totals->net = d8_plus(totals->net, flow);
    totals->all = d8_plus(totals->all, d8_abs(flow));
}

static ThawHeatSums end_totals(const Totals *totals) {
    double net[THAW_LANES], all[THAW_LANES];
    ThawHeatSums sums = {0};
    d8_store(net, totals->net);
    d8_store(all, totals->all);
    for (int k = 0; k < THAW_LANES; k++) {
        sums.net += net[k];
        sums.all += all[k];
    }
    return sums;
}

THAW_INLINE void flow_chunk(const ThawHeatPass *pass, uint32_t chunk, Pairs pairs, Walk walk) {
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_HEAT_CHUNK);
    Totals totals = {d8_zero(), d8_zero()};
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        uint32_t first = cluster->first;
        Own own = load_own(pass, first, pairs);
        Sums sums = walk_pairs(pass, cluster, &own, pairs, walk);
        store_flows(pass, cluster, sums.flow, &totals);
        if (walk.rate) {
            store_floats(&pass->rate[first], rate_of(pass, &own, sums.rate, pairs), cluster->count);
        }
        if (walk.surround) {
            store_floats(&pass->open[first], openness_of(pass, cluster, &sums), cluster->count);
        }
    }
    pass->sums[chunk] = end_totals(&totals);
}

THAW_INLINE void flow_by(const ThawHeatPass *pass, uint32_t chunk, Pairs pairs) {
    if (pass->open != NULL && pass->rate != NULL)
        flow_chunk(pass, chunk, pairs, (Walk){.rate = true, .surround = true});
    else if (pass->open != NULL)
        flow_chunk(pass, chunk, pairs, (Walk){.surround = true});
    else if (pass->rate != NULL)
        flow_chunk(pass, chunk, pairs, (Walk){.rate = true});
    else
        flow_chunk(pass, chunk, pairs, (Walk){0});
}

void THAW_WIDE(thaw_heat_flow)(const ThawHeatPass *pass, uint32_t chunk) {
    if (pass->grains != NULL)
        flow_by(pass, chunk, SIZES);
    else if (pass->conductivity != NULL)
        flow_by(pass, chunk, UNLIKE);
    else
        flow_by(pass, chunk, ALIKE);
}

void THAW_WIDE(thaw_heat_span)(const float *numbers, uint32_t count, float *lowest,
                               float *highest) {
    uint32_t k = count % THAW_LANES;
    float least = numbers[0], most = numbers[0];
    for (uint32_t n = 1; n < k; n++) {
        least = numbers[n] < least ? numbers[n] : least;
        most = numbers[n] > most ? numbers[n] : most;
    }
    F8 low = f8_set(least), high = f8_set(most);
    for (; k < count; k += THAW_LANES) {
        F8 eight = f8_load(numbers + k);
        low = f8_min(low, eight);
        high = f8_max(high, eight);
    }
    *lowest = f8_least(low);
    *highest = f8_most(high);
}
