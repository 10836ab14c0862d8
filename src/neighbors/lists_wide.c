// The list builder. For each row it finds the windows (stretches of other rows) that may hold
// neighbours, moves them along x from cluster to cluster, drops candidates outside the cluster's
// bounding box eight at a time, and tests the rest against all eight lanes.
#include "neighbors/lists.h"

#include "simd/wide.h"
#include "simd/wide_pack.h"

#include <math.h>

#define BATCH 256

typedef ThawListWindow Window;

// The current row and its windows.
typedef struct Sweep {
    uint64_t row_key;
    bool fresh; // its windows have not been moved yet
    int level;
    int64_t corner[3]; // fixed-point corner of the row's slab (x: the level's origin)
    uint32_t count;    // may pass `capacity`: then the build is run again with more room
    uint32_t capacity;
    Window *windows;
} Sweep;

// The current cluster's eight lanes and their box.
typedef struct Lanes {
    I8 x, y, z;
    F8 support;                   // base cells; only when sizes are mixed
    float largest;                // support among the lanes
    uint32_t valid;               // mask of real lanes
    int32_t center[3];            // place units
    float half[3];                // place units
    float y_lo, y_hi, z_lo, z_hi; // base cells from the row's corner
} Lanes;

static int64_t cell_to_fixed(int64_t cell, int shift) {
    return cell * ((int64_t)1 << (THAW_FIXED_BITS + shift));
}

// largest reach, in base cells, between particles of two supports
static float reach_between(const ThawListJob *job, float a, float b) {
    return 0.5f * (a + b) * job->reach_factor;
}

// first row of the table whose key is at least `key`, within [lo, hi)
static uint32_t find_row(const ThawTable *table, uint64_t key, uint32_t lo, uint32_t hi) {
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (thaw_table_row_key(table, table->keys[table->row_start[mid]]) < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void add_window(Sweep *sweep, const ThawListJob *job, uint32_t row, int level, int image) {
    if (sweep->count++ >= sweep->capacity) return;
    const ThawTable *table = job->table;
    const ThawLevel *own = &table->levels[sweep->level], *other = &table->levels[level];
    const int64_t *offset = job->images[image];
    uint64_t key = thaw_table_row_key(table, table->keys[table->row_start[row]]);
    int64_t y = cell_to_fixed(thaw_row_y(table, key) + other->origin[1], other->shift) + offset[1];
    int64_t z = cell_to_fixed(thaw_row_z(table, key) + other->origin[2], other->shift) + offset[2];
    int64_t reach = thaw_fixed_from((double)reach_between(job, own->support, other->support));
    float edge = ldexpf(1.0f, other->shift);
    Window *window = &sweep->windows[sweep->count - 1];
    window->row_base = key << (table->bits_x + table->bits_fraction);
    window->begin = window->end = table->row_start[row];
    window->row_end = table->row_start[row + 1];
    window->image = image;
    window->support = other->support;
    window->grain = THAW_FIXED_BITS + other->shift - table->bits_fraction;
    window->origin = offset[0] + cell_to_fixed(other->origin[0], other->shift);
    window->reach = reach;
    window->y_lo = (float)thaw_fixed_cells(y - sweep->corner[1]);
    window->z_lo = (float)thaw_fixed_cells(z - sweep->corner[2]);
    window->y_hi = window->y_lo + edge;
    window->z_hi = window->z_lo + edge;
}

// cells of `other` that a slab from lo to hi (fixed-point) may touch, counted from its origin and
// clipped to those occupied; false when there are none
static bool cell_span(const ThawLevel *other, int axis, int64_t lo, int64_t hi, int64_t span[2]) {
    span[0] = (lo >> (THAW_FIXED_BITS + other->shift)) - other->origin[axis];
    span[1] = (hi >> (THAW_FIXED_BITS + other->shift)) - other->origin[axis];
    int64_t last = other->last[axis] - other->origin[axis];
    if (span[0] < 0) span[0] = 0;
    if (span[1] > last) span[1] = last;
    return span[0] <= span[1];
}

// windows into one level through one image
static void add_level(Sweep *sweep, const ThawListJob *job, int level, int image) {
    const ThawTable *table = job->table;
    const ThawLevel *own = &table->levels[sweep->level], *other = &table->levels[level];
    const int64_t *offset = job->images[image];
    int64_t reach = thaw_fixed_from((double)reach_between(job, own->support, other->support));
    int64_t edge = (int64_t)1 << (THAW_FIXED_BITS + own->shift);
    int64_t span_y[2], span_z[2];
    for (int axis = 1; axis < 3; axis++) {
        int64_t lo = sweep->corner[axis] - reach - offset[axis];
        int64_t hi = sweep->corner[axis] + edge - 1 + reach - offset[axis];
        if (!cell_span(other, axis, lo, hi, axis == 1 ? span_y : span_z)) return;
    }
    uint32_t row = other->row_first, end = other->row_first + other->row_count;
    for (int64_t z = span_z[0]; z <= span_z[1]; z++) {
        uint64_t base = ((uint64_t)(level - table->level_base) << table->bits_z | (uint64_t)z)
                        << table->bits_y;
        row = find_row(table, base | (uint64_t)span_y[0], row, end);
        while (row < end) {
            uint64_t key = thaw_table_row_key(table, table->keys[table->row_start[row]]);
            if (key > (base | (uint64_t)span_y[1])) break;
            add_window(sweep, job, row++, level, image);
        }
    }
}

static void note_wanted(_Atomic uint32_t *most, uint32_t wanted) {
    uint32_t seen = atomic_load_explicit(most, memory_order_relaxed);
    while (seen < wanted && !atomic_compare_exchange_weak_explicit(
                                most, &seen, wanted, memory_order_relaxed, memory_order_relaxed)) {}
}

// finds all windows of a row, image by image so that each cluster's list falls into segments
static void enter_row(Sweep *sweep, ThawListJob *job, uint64_t row_key) {
    const ThawTable *table = job->table;
    sweep->row_key = row_key;
    sweep->fresh = true;
    sweep->level = thaw_row_level(table, row_key);
    const ThawLevel *own = &table->levels[sweep->level];
    sweep->corner[0] = cell_to_fixed(own->origin[0], own->shift);
    sweep->corner[1] = cell_to_fixed(thaw_row_y(table, row_key) + own->origin[1], own->shift);
    sweep->corner[2] = cell_to_fixed(thaw_row_z(table, row_key) + own->origin[2], own->shift);
    sweep->count = 0;
    for (int image = 0; image < job->image_count; image++) {
        for (int level = 0; level < THAW_LEVELS; level++) {
            if (table->levels[level].rows > 0) add_level(sweep, job, level, image);
        }
    }
    if (sweep->count > sweep->capacity) {
        note_wanted(&job->windows_wanted, sweep->count);
        sweep->count = 0;
    }
}

// First particle at or after `at` whose key is at least `bound`, which is no more than the row's end. Neighbouring
// clusters move windows by about eight particles, so keys are counted sixteen at a time: a loop that nearly always
// ends at once is foretold. Keys of the rows behind are larger than any bound of this one.
THAW_INLINE uint32_t seek(const ThawTable *table, uint32_t at, uint32_t end, uint64_t bound) {
    const uint64_t *keys = table->keys;
    while (table->particles - at >= 16) {
        uint32_t below = u64_below(keys + at, bound) + u64_below(keys + at + 8, bound);
        at += below;
        if (below < 16) return at;
    }
    while (at < end && keys[at] < bound) at++;
    return at;
}

// The same from anywhere in a row. Rare, so not in the loop over windows.
static __attribute__((noinline)) uint32_t bisect(const uint64_t *keys, uint32_t at, uint32_t end,
                                                 uint64_t bound) {
    while (at < end) {
        uint32_t mid = at + (end - at) / 2;
        if (keys[mid] < bound)
            at = mid + 1;
        else
            end = mid;
    }
    return at;
}

// first particle of a window's row, from `at` on, that is x units or more from the row's origin
THAW_INLINE uint32_t reach_x(const ThawTable *table, const Window *window, uint32_t at, int64_t x,
                             bool fresh) {
    int64_t most = ((int64_t)1 << (table->bits_x + table->bits_fraction)) - 1;
    if (x <= 0) return at;
    if (x > most) return window->row_end;
    uint64_t bound = window->row_base + (uint64_t)x;
    return fresh ? bisect(table->keys, at, window->row_end, bound)
                 : seek(table, at, window->row_end, bound);
}

// moves every window to the cluster; returns how many candidates there are at most
static uint32_t move_windows(Sweep *sweep, const ThawTable *table, const ThawCluster *cluster) {
    int grain = THAW_FIXED_BITS + table->levels[sweep->level].shift - table->bits_fraction;
    int64_t x_lo = thaw_table_x(table, table->keys[cluster->first]);
    int64_t x_hi = thaw_table_x(table, table->keys[cluster->first + cluster->count - 1]);
    int64_t lo = sweep->corner[0] + x_lo * ((int64_t)1 << grain);
    int64_t hi = sweep->corner[0] + (x_hi + 1) * ((int64_t)1 << grain);
    uint32_t total = 0;
    for (uint32_t k = 0; k < sweep->count; k++) {
        Window *window = &sweep->windows[k];
        int64_t from = (lo - window->reach - window->origin) >> window->grain;
        int64_t to = ((hi + window->reach - window->origin) >> window->grain) + 1;
        window->begin = reach_x(table, window, window->begin, from, sweep->fresh);
        uint32_t end = window->end < window->begin ? window->begin : window->end;
        window->end = reach_x(table, window, end, to, sweep->fresh);
        total += window->end - window->begin;
    }
    sweep->fresh = false;
    return total;
}

static float lane_support(const ThawListJob *job, uint32_t particle) {
    return job->mixed ? job->spacing[particle] * job->cells_a_spacing : job->support;
}

// the box of one axis, relative to an origin near the lanes
THAW_INLINE void box_axis(Lanes *lanes, int axis, I8 at, int32_t origin, float range[2]) {
    F8 away = i8_float(i8_sub(at, i8_set(origin)));
    range[0] = f8_least(away);
    range[1] = f8_most(away);
    float middle = 0.5f * (range[0] + range[1]);
    lanes->center[axis] = thaw_place_add(origin, (int32_t)middle);
    // generous by more than the rounding of floats of this size
    lanes->half[axis] = 0.5f * (range[1] - range[0]) + 64.0f;
}

// loads a cluster; missing lanes repeat the first, so that they change neither box nor list
static void load_lanes(Lanes *lanes, const ThawListJob *job, const Sweep *sweep,
                       const ThawCluster *cluster) {
    ThawPlace own[THAW_LANES];
    const ThawPlace *first = &job->place[cluster->first];
    if (cluster->count < THAW_LANES) {
        for (uint32_t k = 0; k < THAW_LANES; k++) own[k] = first[k < cluster->count ? k : 0];
        first = own;
    }
    I8 unused;
    i8_columns((const int32_t *)(const void *)first, &lanes->x, &lanes->y, &lanes->z, &unused);
    lanes->valid = (1u << cluster->count) - 1;
    lanes->largest = job->support;
    lanes->support = f8_set(job->support);
    if (job->mixed) {
        float supports[THAW_LANES];
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            supports[k] = lane_support(job, cluster->first + (k < cluster->count ? k : 0));
        }
        lanes->support = f8_load(supports);
        lanes->largest = f8_most(lanes->support);
    }
    float x[2], y[2], z[2];
    box_axis(lanes, 0, lanes->x, first->x, x);
    box_axis(lanes, 1, lanes->y, thaw_place_from(sweep->corner[1]), y);
    box_axis(lanes, 2, lanes->z, thaw_place_from(sweep->corner[2]), z);
    lanes->y_lo = y[0] * THAW_PLACE_CELLS;
    lanes->y_hi = y[1] * THAW_PLACE_CELLS;
    lanes->z_lo = z[0] * THAW_PLACE_CELLS;
    lanes->z_hi = z[1] * THAW_PLACE_CELLS;
}

// without fmaxf's care for NaN, which costs a call
static inline float larger(float a, float b) {
    return a > b ? a : b;
}

// squared distance between the cluster's box and the window's slab, base cells
static float slab_gap(const Lanes *lanes, const Window *window) {
    float y = larger(larger(window->y_lo - lanes->y_hi, lanes->y_lo - window->y_hi), 0.0f);
    float z = larger(larger(window->z_lo - lanes->z_hi, lanes->z_lo - window->z_hi), 0.0f);
    return y * y + z * z;
}

THAW_INLINE F8 box_gap(I8 at, int32_t center, float half) {
    F8 away = f8_abs(i8_float(i8_sub(at, i8_set(center))));
    return f8_max(f8_sub(away, f8_set(half)), f8_set(0.0f));
}

// candidates begin .. end-1 whose distance from the box is within reach, in order
THAW_INLINE uint32_t filter_by_box(const ThawPlace *place, const Lanes *lanes,
                                   const int32_t center[3], float reach2, uint32_t begin,
                                   uint32_t end, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t j = begin; j < end; j += THAW_LANES) {
        I8 x, y, z, unused;
        i8_columns((const int32_t *)(const void *)(place + j), &x, &y, &z, &unused);
        F8 dx = box_gap(x, center[0], lanes->half[0]);
        F8 dy = box_gap(y, center[1], lanes->half[1]);
        F8 dz = box_gap(z, center[2], lanes->half[2]);
        F8 r2 = f8_fma(dz, dz, f8_fma(dy, dy, f8_mul(dx, dx)));
        uint32_t mask = f8_below(r2, f8_set(reach2));
        if (end - j < THAW_LANES) mask &= (1u << (end - j)) - 1;
        count += i8_pack_numbers(out + count, j, mask);
    }
    return count;
}

// the cluster as seen through one image
typedef struct View {
    I8 x, y, z;
    int32_t center[3];
} View;

THAW_INLINE View see_through(const ThawListJob *job, const Lanes *lanes, int image) {
    int32_t offset[3];
    View view;
    for (int a = 0; a < 3; a++) {
        offset[a] = thaw_place_from(job->images[image][a]);
        view.center[a] = thaw_place_sub(lanes->center[a], offset[a]);
    }
    view.x = i8_sub(lanes->x, i8_set(offset[0]));
    view.y = i8_sub(lanes->y, i8_set(offset[1]));
    view.z = i8_sub(lanes->z, i8_set(offset[2]));
    return view;
}

// candidates within reach of any lane are appended to the list; counts pairs within the support
THAW_INLINE uint32_t *test_lanes(const ThawListJob *job, const Lanes *lanes, const View *view,
                                 const uint32_t *candidates, uint32_t count, uint32_t *list,
                                 uint64_t *pairs, bool mixed, bool skin) {
    const float unit2 = THAW_PLACE_ONE * THAW_PLACE_ONE;
    F8 support2 = f8_set(job->support * job->support * unit2);
    F8 factor2 = f8_set(job->reach_factor * job->reach_factor);
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t j = candidates[k];
        const ThawPlace *other = &job->place[j];
        F8 dx = i8_float(i8_sub(view->x, i8_set(other->x)));
        F8 dy = i8_float(i8_sub(view->y, i8_set(other->y)));
        F8 dz = i8_float(i8_sub(view->z, i8_set(other->z)));
        F8 r2 = f8_fma(dz, dz, f8_fma(dy, dy, f8_mul(dx, dx)));
        if (mixed) {
            F8 h = f8_mul(f8_add(lanes->support, f8_set(lane_support(job, j))), f8_set(0.5f));
            support2 = f8_mul(f8_mul(h, h), f8_set(unit2));
        }
        uint32_t within = f8_below(r2, support2), reached = within;
        if (skin) reached = f8_below(r2, f8_mul(support2, factor2));
        *list = j;
        list += reached != 0;
        found += (uint32_t)__builtin_popcount(within & lanes->valid);
    }
    *pairs += found;
    return list;
}

// all candidates of one window
THAW_INLINE uint32_t *list_window(const ThawListJob *job, const Lanes *lanes, const View *view,
                                  const Window *window, float reach, uint32_t *list,
                                  uint64_t *pairs) {
    uint32_t candidates[BATCH + THAW_LANES];
    float reach2 = reach * reach * (THAW_PLACE_ONE * THAW_PLACE_ONE * 1.00001f);
    if (job->rough) {
        return list + filter_by_box(job->place, lanes, view->center, reach2, window->begin,
                                    window->end, list);
    }
    for (uint32_t begin = window->begin; begin < window->end; begin += BATCH) {
        uint32_t end = window->end - begin < BATCH ? window->end : begin + BATCH;
        uint32_t count =
            filter_by_box(job->place, lanes, view->center, reach2, begin, end, candidates);
        if (job->mixed) {
            list = test_lanes(job, lanes, view, candidates, count, list, pairs, true, true);
        } else if (job->reach_factor > 1.0f) {
            list = test_lanes(job, lanes, view, candidates, count, list, pairs, false, true);
        } else {
            list = test_lanes(job, lanes, view, candidates, count, list, pairs, false, false);
        }
    }
    return list;
}

// room for `wanted` entries from the worker's block or a new one; NULL when the pool is exhausted
static uint32_t *take_room(ThawListJob *job, ThawListCursor *cursor, uint32_t wanted) {
    if (cursor->at != NULL && (size_t)(cursor->end - cursor->at) >= wanted) return cursor->at;
    uint64_t blocks = wanted / THAW_LIST_BLOCK + 1;
    uint64_t first = atomic_fetch_add_explicit(&job->pool_next, blocks, memory_order_relaxed);
    if (first + blocks > job->pool_blocks) {
        cursor->at = NULL;
        return NULL;
    }
    cursor->at = job->pool + first * THAW_LIST_BLOCK;
    cursor->end = cursor->at + blocks * THAW_LIST_BLOCK;
    return cursor->at;
}

// where the cluster's segments go: its own slot, or a run of extra ones when it sees images
static ThawSegment *place_segments(ThawListJob *job, ThawCluster *cluster, uint32_t number,
                                   int images) {
    cluster->segment = number;
    if (images <= 1) return &job->segments[number];
    uint32_t first =
        atomic_fetch_add_explicit(&job->segment_next, (uint32_t)images, memory_order_relaxed);
    if (first + (uint32_t)images > job->segment_capacity) return NULL;
    cluster->segment = first;
    return &job->segments[first];
}

static int count_images(const Sweep *sweep) {
    int images = 0, last = -1;
    for (uint32_t k = 0; k < sweep->count; k++) {
        images += sweep->windows[k].image != last;
        last = sweep->windows[k].image;
    }
    return images;
}

// the list of one cluster, a segment an image
static void list_cluster(ThawListJob *job, Sweep *sweep, ThawListCursor *cursor, uint32_t number,
                         uint64_t *pairs) {
    ThawCluster *cluster = &job->clusters[number];
    Lanes lanes;
    load_lanes(&lanes, job, sweep, cluster);
    uint32_t bound = move_windows(sweep, job->table, cluster);
    uint32_t *list = take_room(job, cursor, bound + 2 * THAW_LANES);
    ThawSegment *segment = place_segments(job, cluster, number, count_images(sweep));
    cluster->segment_count = 0;
    if (list == NULL || segment == NULL) return;
    int image = -1;
    View view = see_through(job, &lanes, 0);
    for (uint32_t k = 0; k < sweep->count; k++) {
        const Window *window = &sweep->windows[k];
        if (window->image != image) {
            image = window->image;
            if (image != 0) view = see_through(job, &lanes, image);
            segment += cluster->segment_count > 0;
            cluster->segment_count++;
            *segment = (ThawSegment){.list = list};
            for (int a = 0; a < 3; a++) segment->image[a] = thaw_place_from(job->images[image][a]);
        }
        float reach = reach_between(job, lanes.largest, window->support);
        if (slab_gap(&lanes, window) > reach * reach * 1.00001f) continue;
        list = list_window(job, &lanes, &view, window, reach, list, pairs);
        segment->count = (uint32_t)(list - segment->list);
    }
    cursor->at = list;
}

void THAW_WIDE(thaw_lists_build)(ThawListJob *job, uint32_t chunk, uint32_t worker) {
    const ThawTable *table = job->table;
    ThawRange range = thaw_chunk_range(chunk, table->cluster_count, THAW_LIST_CHUNK);
    Sweep sweep = {.row_key = UINT64_MAX,
                   .capacity = job->window_capacity,
                   .windows = job->windows + (size_t)worker * job->window_capacity};
    uint64_t pairs = 0;
    for (uint32_t number = range.begin; number < range.end; number++) {
        uint64_t key = table->keys[job->clusters[number].first];
        uint64_t row_key = thaw_table_row_key(table, key);
        if (row_key != sweep.row_key) enter_row(&sweep, job, row_key);
        list_cluster(job, &sweep, &job->cursors[worker], number, &pairs);
    }
    job->pairs[chunk] = pairs;
}
