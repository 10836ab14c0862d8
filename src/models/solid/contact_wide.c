// Walking neighbour lists for contacts, eight rows at a time.
//
// Most hits are bonded neighbours. They are not looked up one by one: hits are counted, and so are
// the bonds that hit; where the numbers are equal there is nothing else. Only of other clusters the hits
// are looked at one by one.
#include "models/solid/contact_find.h"

#include "simd/wide.h"

#define HITS 512u // of a cluster, that are kept

typedef struct Lanes {
    I8 x, y, z;
    F8 reach;                  // reach · D of each lane
    F8 reach2, broad2;         // how far off others may be, where all are of one size
    uint32_t asked;            // masks of lanes: whose pairs are wanted,
    uint32_t solid;            // and who is solid
    int32_t group[THAW_LANES]; // and of which object
} Lanes;

// the lanes that are asked for are walked from now on
static uint32_t take_asked(ThawContactFind *find, const ThawCluster *cluster) {
    uint32_t asked = 0;
    for (uint32_t k = 0; k < cluster->count; k++) {
        _Atomic uint8_t *mark = &find->marks[cluster->first + k];
        if (atomic_load_explicit(mark, memory_order_relaxed) != THAW_CONTACT_ASKED) continue;
        atomic_store_explicit(mark, THAW_CONTACT_WALKED, memory_order_relaxed);
        asked |= 1u << k;
    }
    return asked;
}

// lanes that a short cluster lacks repeat its first
static Lanes load_lanes(const ThawContactFind *find, const ThawCluster *cluster, uint32_t asked) {
    Lanes lanes = {.asked = asked};
    ThawPlace place[THAW_LANES];
    float reach[THAW_LANES];
    I8 unused;
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        uint32_t row = cluster->first + (k < cluster->count ? k : 0);
        place[k] = find->place[row];
        reach[k] = find->reach * find->distance[row];
        lanes.group[k] = find->group[row];
        lanes.solid |= (uint32_t)(find->group[row] != 0) << k;
    }
    i8_columns((const int32_t *)(const void *)place, &lanes.x, &lanes.y, &lanes.z, &unused);
    lanes.reach = f8_load(reach);
    F8 both = f8_add(lanes.reach, lanes.reach), broad = f8_mul(both, f8_set(find->broad));
    lanes.reach2 = f8_mul(both, both);
    lanes.broad2 = f8_mul(broad, broad);
    return lanes;
}

// The number of a segment's image. Its own offsets are rounded down, so that they and those of the
// opposite image may differ by one; ours do not.
static uint32_t number_image(const ThawContactFind *find, const ThawSegment *segment) {
    static const uint32_t steps[3] = {1, 3, 9};
    uint32_t number = 0;
    for (int a = 0; a < 3; a++) {
        uint32_t turn = segment->image[a] == 0 ? 1 : segment->image[a] == find->period[a] ? 2 : 0;
        number += turn * steps[a];
    }
    return number;
}

THAW_INLINE Lanes see_through(const Lanes *lanes, const int32_t image[3]) {
    Lanes seen = *lanes;
    seen.x = i8_sub(seen.x, i8_set(image[0]));
    seen.y = i8_sub(seen.y, i8_set(image[1]));
    seen.z = i8_sub(seen.z, i8_set(image[2]));
    return seen;
}

THAW_INLINE F8 distance2(const Lanes *lanes, I8 x, I8 y, I8 z) {
    F8 dx = i8_float(i8_sub(lanes->x, x));
    F8 dy = i8_float(i8_sub(lanes->y, y));
    F8 dz = i8_float(i8_sub(lanes->z, z));
    return f8_fma(dz, dz, f8_fma(dy, dy, f8_mul(dx, dx)));
}

// which lanes are within reach; the same for both of a pair
THAW_INLINE uint32_t within_reach(F8 r2, F8 reach) {
    return f8_below(r2, f8_mul(reach, reach));
}

// the solids among the lanes that are of another object than j
static uint32_t find_unlike(const ThawContactFind *find, const Lanes *lanes, uint32_t j) {
    uint32_t unlike = 0;
    for (uint32_t k = 0; find->group[j] != 0 && k < THAW_LANES; k++) {
        unlike |= (uint32_t)(lanes->group[k] != find->group[j]) << k;
    }
    return unlike & lanes->solid;
}

// Lanes that row j may touch: two liquids never do, and solids of two objects do so from further away. The compiler
// knows where all are of one size.
THAW_INLINE uint32_t hits_of(const ThawContactFind *find, const Lanes *lanes, uint32_t j,
                             bool even) {
    const ThawPlace *other = &find->place[j];
    F8 r2 = distance2(lanes, i8_set(other->x), i8_set(other->y), i8_set(other->z));
    if (even) {
        uint32_t near = f8_below(r2, lanes->broad2) & lanes->asked;
        if (near == 0) return 0;
        uint32_t touching = f8_below(r2, lanes->reach2) & near;
        if (near != touching) touching |= near & find_unlike(find, lanes, j);
        return find->group[j] != 0 ? touching : touching & lanes->solid;
    }
    F8 reach = f8_add(lanes->reach, f8_set(find->reach * find->distance[j]));
    uint32_t hits = within_reach(r2, reach);
    uint32_t broad = within_reach(r2, f8_mul(reach, f8_set(find->broad)));
    if ((broad & ~hits & lanes->asked) != 0) hits |= broad & find_unlike(find, lanes, j);
    return find->group[j] != 0 ? hits : hits & lanes->solid;
}

// rows within reach of some lanes, in the order of the list
typedef struct Hits {
    uint32_t count; // of the first HITS it is known which
    struct Hit {
        uint32_t other;
        uint8_t image, lanes;
    } list[HITS];
} Hits;

// hits of all the lanes that are asked, solids' own among them
THAW_INLINE uint32_t count_hits(const ThawContactFind *find, const ThawCluster *cluster,
                                const Lanes *lanes, Hits *kept, bool even) {
    uint32_t count = 0;
    kept->count = 0;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &find->segments[cluster->segment + s];
        uint32_t image = number_image(find, segment);
        Lanes seen = see_through(lanes, find->images[image]);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t other = segment->list[k];
            uint32_t hits = hits_of(find, &seen, other, even) & lanes->asked;
            if (hits == 0) continue;
            count += (uint32_t)__builtin_popcount(hits);
            if (kept->count < HITS) {
                kept->list[kept->count] = (struct Hit){other, (uint8_t)image, (uint8_t)hits};
            }
            kept->count++;
        }
    }
    return count;
}

// Bonds of the lanes that are among those hits, and the lanes themselves. Bonds through a periodic
// image are missed, and then looked up one by one.
static uint32_t count_known(const ThawContactFind *find, const ThawCluster *cluster,
                            const Lanes *lanes) {
    uint32_t walked = lanes->asked & lanes->solid;
    uint32_t count = (uint32_t)__builtin_popcount(walked);
    for (uint32_t s = 0; walked != 0 && s < find->sites; s++) {
        ThawPlace place[THAW_LANES];
        float reach[THAW_LANES];
        uint32_t bonded = 0;
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            uint32_t row = cluster->first + (k < cluster->count ? k : 0), other = row;
            if (walked >> k & 1u) other = find->bonds->slot[thaw_bond_at(row, s)];
            place[k] = find->place[other];
            reach[k] = find->reach * find->distance[other];
            bonded |= (uint32_t)(other != row) << k;
        }
        I8 x, y, z, unused;
        i8_columns((const int32_t *)(const void *)place, &x, &y, &z, &unused);
        bonded &= within_reach(distance2(lanes, x, y, z), f8_add(lanes->reach, f8_load(reach)));
        count += (uint32_t)__builtin_popcount(bonded);
    }
    return count;
}

static void ask(ThawContactFind *find, uint32_t row) {
    uint8_t seen = THAW_CONTACT_UNASKED;
    _Atomic uint8_t *mark = &find->marks[row];
    if (atomic_load_explicit(mark, memory_order_relaxed) != seen) return;
    if (atomic_compare_exchange_strong_explicit(mark, &seen, THAW_CONTACT_ASKED,
                                                memory_order_relaxed, memory_order_relaxed)) {
        atomic_store_explicit(&find->asked, 1, memory_order_relaxed);
    }
}

// where a cluster's pairs go, lane by lane
typedef struct Output {
    uint64_t first[THAW_LANES];
    uint32_t count[THAW_LANES];
    bool writes; // or only counts
} Output;

// those of the hits that are pairs: not the row itself, and not its bonds
static uint32_t not_bonded(const ThawContactFind *find, const ThawCluster *cluster,
                           const Lanes *lanes, uint32_t other, uint32_t hits) {
    uint32_t pairs = hits;
    for (; hits != 0; hits &= hits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(hits), row = cluster->first + lane;
        bool solid = lanes->solid >> lane & 1u;
        if (other == row || (solid && thaw_bonded(find->bonds, row, other))) pairs ^= 1u << lane;
    }
    return pairs;
}

static void add_lanes(ThawContactFind *find, Output *out, uint32_t lanes, ThawContactPair pair) {
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (out->writes) find->pairs[out->first[lane] + out->count[lane]] = pair;
        out->count[lane]++;
    }
}

// Every hit that is not bonded, in the order of the list. Of hits that were kept it is known the second time which
// those are.
static void add_kept(ThawContactFind *find, const ThawCluster *cluster, const Lanes *lanes,
                     Hits *kept, Output *out) {
    for (uint32_t n = 0; n < kept->count; n++) {
        struct Hit *hit = &kept->list[n];
        if (!out->writes) {
            hit->lanes = (uint8_t)not_bonded(find, cluster, lanes, hit->other, hit->lanes);
        } else if (hit->lanes != 0) {
            ask(find, hit->other);
        }
        add_lanes(find, out, hit->lanes,
                  (ThawContactPair){.other = hit->other, .image = hit->image});
    }
}

// the same where they are too many to be kept
static void add_listed(ThawContactFind *find, const ThawCluster *cluster, const Lanes *lanes,
                       Output *out) {
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &find->segments[cluster->segment + s];
        uint32_t image = number_image(find, segment);
        Lanes seen = see_through(lanes, find->images[image]);
        for (uint32_t n = 0; n < segment->count; n++) {
            ThawContactPair pair = {.other = segment->list[n], .image = (uint8_t)image};
            uint32_t hits = hits_of(find, &seen, pair.other, false) & lanes->asked;
            hits = not_bonded(find, cluster, lanes, pair.other, hits);
            if (hits != 0 && out->writes) ask(find, pair.other);
            add_lanes(find, out, hits, pair);
        }
    }
}

static void add_pairs(ThawContactFind *find, const ThawCluster *cluster, const Lanes *lanes,
                      Hits *kept, Output *out) {
    if (kept->count <= HITS)
        add_kept(find, cluster, lanes, kept, out);
    else
        add_listed(find, cluster, lanes, out);
}

// takes room for what was counted; false when there is none
static bool open_output(ThawContactFind *find, Output *out) {
    uint64_t total = 0;
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        out->first[k] = total;
        total += out->count[k];
    }
    uint64_t at = atomic_fetch_add_explicit(&find->pairs_found, total, memory_order_relaxed);
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        out->first[k] += at;
        out->count[k] = 0;
    }
    out->writes = at + total <= find->pair_room;
    return out->writes;
}

static void add_rows(ThawContactFind *find, const ThawCluster *cluster, const Output *out) {
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        if (out->count[k] == 0) continue;
        uint64_t at = atomic_fetch_add_explicit(&find->rows_found, 1, memory_order_relaxed);
        if (at >= find->row_room) continue;
        find->rows[at] = (ThawContactRow){cluster->first + k, out->count[k], out->first[k]};
    }
}

static void walk_cluster(ThawContactFind *find, const ThawCluster *cluster, uint32_t asked) {
    Lanes lanes = load_lanes(find, cluster, asked);
    Output out = {0};
    Hits kept;
    // no lane has fewer hits than are known: when all together have no more, none has
    uint32_t hits = find->even ? count_hits(find, cluster, &lanes, &kept, true)
                               : count_hits(find, cluster, &lanes, &kept, false);
    if (hits <= count_known(find, cluster, &lanes)) return;
    add_pairs(find, cluster, &lanes, &kept, &out);
    if (open_output(find, &out)) add_pairs(find, cluster, &lanes, &kept, &out);
    add_rows(find, cluster, &out);
}

void THAW_WIDE(thaw_contact_walk)(ThawContactFind *find, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, find->cluster_count, THAW_CONTACT_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &find->clusters[c];
        uint32_t asked = take_asked(find, cluster);
        if (asked != 0) walk_cluster(find, cluster, asked);
    }
}
