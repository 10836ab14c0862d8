// Vorticity's inner loops: curls and a filter, by the pairs of the density's kernel.
#include "models/liquid/vorticity.h"

#include "models/liquid/lanes.h"

THAW_INLINE void store_rows(float *rows, const ThawCluster *cluster, const Move *v) {
    float columns[3][THAW_LANES];
    f8_store(columns[0], v->x);
    f8_store(columns[1], v->y);
    f8_store(columns[2], v->z);
    rows += 3 * (size_t)cluster->first;
    for (uint32_t k = 0; k < cluster->count; k++) {
        for (uint32_t a = 0; a < 3; a++) rows[3 * k + a] = columns[a][k];
    }
}

// a pair's weight: of W, or of the slope −∇W over the offset
THAW_INLINE F8 weigh(const ThawLiquidPass *pass, const Grains *own, uint32_t j, const Offset *d,
                     ThawSpinKind kind, bool mixed) {
    PairScale scale = {f8_set(1.0f), f8_set(1.0f)};
    if (mixed) scale = mixed_scale(pass, own, &pass->grains[j]);
    F8 t = falloff(d, scale.inverse_h2, mixed);
    F8 weight = kind == THAW_SPIN_FILTER ? kernel_value(t) : kernel_slope(t);
    if (!mixed) return weight;
    // symmetric in i and j once multiplied by m_i
    weight = f8_mul(weight, f8_mul(scale.weight, density_share(own, &pass->grains[j])));
    return kind == THAW_SPIN_FILTER ? weight : f8_mul(weight, scale.inverse_h2);
}

THAW_INLINE void add_pair(Move *sum, F8 weight, const Move *u, const Offset *d, ThawSpinKind kind) {
    Move w = {f8_mul(weight, u->x), f8_mul(weight, u->y), f8_mul(weight, u->z)};
    if (kind == THAW_SPIN_FILTER) {
        *sum = (Move){f8_add(sum->x, w.x), f8_add(sum->y, w.y), f8_add(sum->z, w.z)};
        return;
    }
    sum->x = f8_nma(w.z, d->y, f8_fma(w.y, d->z, sum->x));
    sum->y = f8_nma(w.x, d->z, f8_fma(w.z, d->x, sum->y));
    sum->z = f8_nma(w.y, d->x, f8_fma(w.x, d->y, sum->z));
}

THAW_INLINE Move walk(const ThawSpinPass *spin, const ThawCluster *cluster, const Move *own,
                      ThawSpinKind kind, bool mixed) {
    const ThawLiquidPass *pass = spin->pass;
    Lanes lanes = load_lanes(pass->place, cluster);
    Grains grains = load_grains(pass, cluster->first, mixed);
    Move sum = {f8_set(0.0f), f8_set(0.0f), f8_set(0.0f)};
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &pass->segments[cluster->segment + s];
        Lanes seen = see_through(&lanes, segment, mixed);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            const float *other = &spin->from[3 * (size_t)j];
            Offset d = offset_to(&seen, &pass->place[j], mixed);
            F8 weight = weigh(pass, &grains, j, &d, kind, mixed);
            Move u = {f8_set(other[0]), f8_set(other[1]), f8_set(other[2])};
            if (kind == THAW_SPIN_TURN)
                u = (Move){f8_add(u.x, own->x), f8_add(u.y, own->y), f8_add(u.z, own->z)};
            else
                u = (Move){f8_sub(u.x, own->x), f8_sub(u.y, own->y), f8_sub(u.z, own->z)};
            add_pair(&sum, weight, &u, &d, kind);
        }
    }
    return sum;
}

// what all pairs have in common; lengths are cells
THAW_INLINE float common_factor(const ThawSpinPass *spin, ThawSpinKind kind, bool mixed) {
    const ThawLiquidPass *pass = spin->pass;
    float factor = mixed ? pass->rest_sum : pass->norm * pass->grain.volume * pass->rest_sum;
    if (kind == THAW_SPIN_FILTER) return factor * spin->share;
    return factor * SLOPE_FACTOR * (mixed ? THAW_PLACE_ONE : 1.0f);
}

THAW_INLINE void spin_chunk(const ThawSpinPass *spin, uint32_t chunk, ThawSpinKind kind,
                            bool mixed) {
    const ThawLiquidPass *pass = spin->pass;
    ThawRange range = thaw_chunk_range(chunk, pass->cluster_count, THAW_LIQUID_CHUNK);
    F8 factor = f8_set(common_factor(spin, kind, mixed));
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &pass->clusters[c];
        Move own = load_rows(&spin->from[3 * (size_t)cluster->first]);
        Move sum = walk(spin, cluster, &own, kind, mixed);
        Move out = {f8_mul(sum.x, factor), f8_mul(sum.y, factor), f8_mul(sum.z, factor)};
        if (kind == THAW_SPIN_FILTER) {
            out = (Move){f8_add(own.x, out.x), f8_add(own.y, out.y), f8_add(own.z, out.z)};
        }
        store_rows(spin->to, cluster, &out);
    }
}

THAW_INLINE void spin_kind(const ThawSpinPass *spin, uint32_t chunk, ThawSpinKind kind) {
    if (spin->pass->grains != NULL)
        spin_chunk(spin, chunk, kind, true);
    else
        spin_chunk(spin, chunk, kind, false);
}

void THAW_WIDE(thaw_spin_pass)(const ThawSpinPass *spin, uint32_t chunk) {
    switch (spin->kind) {
    case THAW_SPIN_CURL: spin_kind(spin, chunk, THAW_SPIN_CURL); break;
    case THAW_SPIN_FILTER: spin_kind(spin, chunk, THAW_SPIN_FILTER); break;
    default: spin_kind(spin, chunk, THAW_SPIN_TURN); break;
    }
}
