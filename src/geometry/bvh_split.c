// Cuts ranges where the surface area heuristic over bins of centroids is least. Boxes are joined and triangles
// counted, no sums are rounded, so that any number of threads makes the same cuts.
#include "geometry/bvh_split.h"

#include "base/memory.h"
#include "geometry/bvh_internal.h"

#include <math.h>
#include <string.h>

#define BINS 12
#define CHUNK 16384 // triangles a parallel chunk

typedef ThawBvhBox Box;
typedef ThawBvhItem Item;
typedef ThawBvhRange Range;

typedef struct Split {
    float cost;
    int axis, bin; // items of bins below `bin` go left
} Split;

typedef struct Bins {
    Box box[3][BINS];
    uint32_t count[3][BINS];
} Bins;

// How items are put into bins along each axis.
typedef struct Ruler {
    float start[3], pace[3];
} Ruler;

static const Box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static inline void join(Box *box, const Box *other) {
    for (int k = 0; k < 3; k++) {
        box->lower[k] = other->lower[k] < box->lower[k] ? other->lower[k] : box->lower[k];
        box->upper[k] = other->upper[k] > box->upper[k] ? other->upper[k] : box->upper[k];
    }
}

static inline void join_point(Box *box, const float point[3]) {
    for (int k = 0; k < 3; k++) {
        box->lower[k] = point[k] < box->lower[k] ? point[k] : box->lower[k];
        box->upper[k] = point[k] > box->upper[k] ? point[k] : box->upper[k];
    }
}

static inline float middle_of(const Box *box, int axis) {
    return box->lower[axis] + box->upper[axis];
}

// ---------------------------------------------------------------- passes over a range

// a pass over items, in chunks when the range is large
typedef void Pass(void *context, uint32_t begin, uint32_t end, void *result);
typedef void Merge(void *total, const void *result);

typedef struct PassJob {
    Pass *pass;
    void *context;
    uint32_t begin, count;
    char *results;
    size_t bytes;
} PassJob;

static void run_pass_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    PassJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->count, CHUNK);
    job->pass(job->context, job->begin + range.begin, job->begin + range.end,
              job->results + chunk * job->bytes);
}

// `total` holds the empty result, of `bytes`, and gets the joined one
static void run_pass(const ThawBvhItems *all, PassJob *job, Merge *merge, void *total) {
    uint32_t chunks = thaw_chunk_count(job->count, CHUNK);
    if (all->parallel != NULL && chunks > 1) job->results = thaw_alloc(chunks * job->bytes);
    if (job->results == NULL) { // small, or no memory: at one go
        job->pass(job->context, job->begin, job->begin + job->count, total);
        return;
    }
    for (uint32_t c = 0; c < chunks; c++) memcpy(job->results + c * job->bytes, total, job->bytes);
    thaw_parallel_run(all->parallel, run_pass_chunk, job, chunks);
    for (uint32_t c = 0; c < chunks; c++) merge(total, job->results + c * job->bytes);
    thaw_free(job->results);
}

static void measure_items(void *context, uint32_t begin, uint32_t end, void *result) {
    const Item *items = context;
    Range *range = result;
    for (uint32_t i = begin; i < end; i++) {
        const Box *box = &items[i].box;
        float middle[3] = {middle_of(box, 0), middle_of(box, 1), middle_of(box, 2)};
        join(&range->box, box);
        join_point(&range->middles, middle);
    }
}

static void merge_measures(void *total, const void *result) {
    Range *range = total;
    const Range *other = result;
    join(&range->box, &other->box);
    join(&range->middles, &other->middles);
}

Range thaw_bvh_measure(const ThawBvhItems *all, uint32_t begin, uint32_t end) {
    Range range = {begin, end, nothing, nothing};
    PassJob job = {measure_items, all->items, begin, end - begin, NULL, sizeof range};
    run_pass(all, &job, merge_measures, &range);
    return range;
}

static inline int bin_of(const Ruler *ruler, const Box *box, int axis) {
    int bin = (int)((middle_of(box, axis) - ruler->start[axis]) * ruler->pace[axis]);
    return bin < BINS - 1 ? bin : BINS - 1;
}

typedef struct BinContext {
    const Item *items;
    const Ruler *ruler;
} BinContext;

static void bin_items(void *context, uint32_t begin, uint32_t end, void *result) {
    const BinContext *in = context;
    Bins *bins = result;
    for (uint32_t i = begin; i < end; i++) {
        const Box *box = &in->items[i].box;
        for (int axis = 0; axis < 3; axis++) {
            int bin = bin_of(in->ruler, box, axis);
            bins->count[axis][bin]++;
            join(&bins->box[axis][bin], box);
        }
    }
}

static void merge_bins(void *total, const void *result) {
    Bins *bins = total;
    const Bins *other = result;
    for (int axis = 0; axis < 3; axis++) {
        for (int bin = 0; bin < BINS; bin++) {
            bins->count[axis][bin] += other->count[axis][bin];
            join(&bins->box[axis][bin], &other->box[axis][bin]);
        }
    }
}

// ---------------------------------------------------------------- cutting a range in two

static Ruler lay_ruler(const Range *range) {
    Ruler ruler;
    for (int k = 0; k < 3; k++) {
        float length = range->middles.upper[k] - range->middles.lower[k];
        ruler.start[k] = range->middles.lower[k];
        ruler.pace[k] = length > 1e-30f ? (float)BINS * 0.999999f / length : 0;
    }
    return ruler;
}

// what a side costs: its area times the packets it fills
static float side_cost(const Box *box, uint32_t count) {
    return thaw_bvh_half_area(box) * (float)thaw_chunk_count(count, THAW_BVH_WIDTH);
}

// the cheapest cut between bins along one axis, if it is cheaper than the best so far
static void try_axis(const Bins *bins, int axis, Split *best) {
    float right_cost[BINS];
    Box box = nothing;
    uint32_t count = 0;
    for (int bin = BINS - 1; bin > 0; bin--) {
        join(&box, &bins->box[axis][bin]);
        count += bins->count[axis][bin];
        right_cost[bin] = count > 0 ? side_cost(&box, count) : INFINITY;
    }
    box = nothing;
    count = 0;
    for (int bin = 1; bin < BINS; bin++) {
        join(&box, &bins->box[axis][bin - 1]);
        count += bins->count[axis][bin - 1];
        if (count == 0) continue;
        float cost = side_cost(&box, count) + right_cost[bin];
        if (cost < best->cost) *best = (Split){cost, axis, bin};
    }
}

// moves the items of the left side to the front; the first of the right side is returned
static uint32_t partition(Item *items, const Range *range, const Ruler *ruler, Split split) {
    uint32_t i = range->begin, j = range->end;
    for (;;) {
        while (i < j && bin_of(ruler, &items[i].box, split.axis) < split.bin) i++;
        while (i < j && bin_of(ruler, &items[j - 1].box, split.axis) >= split.bin) j--;
        if (i >= j) return i;
        Item swap = items[i];
        items[i] = items[j - 1];
        items[j - 1] = swap;
    }
}

uint32_t thaw_bvh_cut(const ThawBvhItems *all, const Range *range) {
    uint32_t middle = range->begin + (range->end - range->begin) / 2;
    Ruler ruler = lay_ruler(range);
    Bins bins;
    memset(bins.count, 0, sizeof bins.count);
    for (int k = 0; k < 3 * BINS; k++) bins.box[k / BINS][k % BINS] = nothing;
    BinContext context = {all->items, &ruler};
    PassJob job = {bin_items, &context, range->begin, range->end - range->begin, NULL, sizeof bins};
    run_pass(all, &job, merge_bins, &bins);
    Split best = {INFINITY, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        if (ruler.pace[axis] > 0) try_axis(&bins, axis, &best);
    }
    if (best.bin == 0) return middle;
    uint32_t at = partition(all->items, range, &ruler, best);
    return at > range->begin && at < range->end ? at : middle;
}
