// Builds the tree from above: a range of triangles is cut in two, the largest part again, until there are eight
// parts: the node's children. Parts of at most eight triangles are leaves.
//
// The upper nodes are made one after the other with parallel cuts, the parts below them in parallel, each for
// itself; which part is which depends on the mesh alone.
#include "base/memory.h"
#include "base/result.h"
#include "geometry/bvh_internal.h"
#include "geometry/bvh_split.h"

#include <math.h>
#include <string.h>

#define LEAF THAW_BVH_WIDTH
#define CHUNK 16384      // triangles a parallel chunk
#define PART_LEAST 4096  // parts that are built each for itself have at most so many triangles,
#define PARTS 64         // or this share of the mesh
#define HALVING_DEPTH 32 // deeper nodes halve their ranges, so that no mesh makes an endless chain
#define PENDING 0x40000000u // marks a child that is a part, until it has its place

typedef ThawBvhRange Range;

// A range that is built for itself.
typedef struct Part {
    Range range;
    int depth;
} Part;

// Makes nodes and leaves in the order of a walk, children after parents.
typedef struct Builder {
    ThawBvhItems all;
    uint32_t part_size; // ranges up to this become parts; 0 inside a part
    ThawBvhNode *nodes;
    uint32_t node_count, node_room;
    ThawBvhRun *leaves;
    uint32_t leaf_count, leaf_room;
    Part *parts;
    uint32_t part_count, part_room;
    bool failed; // for want of memory
} Builder;

// the part to be cut next; −1 when all are leaves. The largest by area, or by count when halving; but before them
// one whose leaves all fit into this node, else it would be a node of its own with a few children
static int choose_part(const Range *parts, int count, bool halve) {
    int chosen = -1;
    bool chosen_fits = false;
    float most = -1;
    for (int k = 0; k < count; k++) {
        uint32_t items = parts[k].end - parts[k].begin;
        if (items <= LEAF) continue;
        bool fits =
            !halve && thaw_chunk_count(items, LEAF) - 1 <= (uint32_t)(THAW_BVH_WIDTH - count);
        float size = halve ? (float)items : thaw_bvh_half_area(&parts[k].box);
        if (fits < chosen_fits || (fits == chosen_fits && size <= most)) continue;
        chosen = k;
        chosen_fits = fits;
        most = size;
    }
    return chosen;
}

static int cut_into_children(Builder *builder, Range parts[THAW_BVH_WIDTH], int depth) {
    bool halve = depth >= HALVING_DEPTH;
    int count = 1;
    while (count < THAW_BVH_WIDTH) {
        int k = choose_part(parts, count, halve);
        if (k < 0) break;
        uint32_t at = halve ? parts[k].begin + (parts[k].end - parts[k].begin) / 2
                            : thaw_bvh_cut(&builder->all, &parts[k]);
        uint32_t end = parts[k].end;
        parts[k] = thaw_bvh_measure(&builder->all, parts[k].begin, at);
        parts[count++] = thaw_bvh_measure(&builder->all, at, end);
    }
    return count;
}

// ---------------------------------------------------------------- nodes

// room for one more of `bytes` in a growing array
static bool make_room(void **array, uint32_t count, uint32_t *room, size_t bytes) {
    if (count < *room) return true;
    uint32_t wanted = *room < 64 ? 64 : *room + *room / 2;
    void *larger = thaw_realloc(*array, *room * bytes, wanted * bytes);
    if (larger == NULL) return false;
    *array = larger;
    *room = wanted;
    return true;
}

static uint32_t add_node(Builder *builder) {
    if (!make_room((void **)&builder->nodes, builder->node_count, &builder->node_room,
                   sizeof *builder->nodes)) {
        builder->failed = true;
        return THAW_BVH_NONE;
    }
    ThawBvhNode *node = &builder->nodes[builder->node_count];
    for (int k = 0; k < 3; k++) {
        for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
            node->lower[k][lane] = INFINITY;
            node->upper[k][lane] = -INFINITY;
        }
    }
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) node->child[lane] = THAW_BVH_NONE;
    return builder->node_count++;
}

static uint32_t add_leaf(Builder *builder, const Range *range) {
    if (!make_room((void **)&builder->leaves, builder->leaf_count, &builder->leaf_room,
                   sizeof *builder->leaves)) {
        builder->failed = true;
        return THAW_BVH_NONE;
    }
    builder->leaves[builder->leaf_count] = (ThawBvhRun){range->begin, range->end - range->begin};
    return THAW_BVH_LEAF | builder->leaf_count++;
}

static uint32_t add_part(Builder *builder, const Range *range, int depth) {
    if (!make_room((void **)&builder->parts, builder->part_count, &builder->part_room,
                   sizeof *builder->parts)) {
        builder->failed = true;
        return THAW_BVH_NONE;
    }
    builder->parts[builder->part_count] = (Part){*range, depth};
    return PENDING | builder->part_count++;
}

// builds the node of a range and all below it; returns its number. As deep as the tree, no deeper.
static uint32_t build_node(Builder *builder, const Range *range, int depth) {
    uint32_t number = add_node(builder);
    if (builder->failed) return THAW_BVH_NONE;
    Range parts[THAW_BVH_WIDTH] = {*range};
    int count = cut_into_children(builder, parts, depth);
    for (int lane = 0; lane < count && !builder->failed; lane++) {
        uint32_t items = parts[lane].end - parts[lane].begin;
        uint32_t child = items <= LEAF ? add_leaf(builder, &parts[lane])
                         : items <= builder->part_size
                             ? add_part(builder, &parts[lane], depth + 1)
                             : build_node(builder, &parts[lane], depth + 1);
        if (builder->failed) break;
        ThawBvhNode *node = &builder->nodes[number];
        for (int k = 0; k < 3; k++) {
            node->lower[k][lane] = parts[lane].box.lower[k];
            node->upper[k][lane] = parts[lane].box.upper[k];
        }
        node->child[lane] = child;
    }
    return number;
}

static void free_builder(Builder *builder) {
    thaw_free(builder->nodes);
    thaw_free(builder->leaves);
    thaw_free(builder->parts);
}

// ---------------------------------------------------------------- parts

// Everything while a tree is made.
typedef struct Work {
    ThawBvh *bvh;
    Builder top;
    Builder *below;  // one a part of the top
    ThawBvhFar *far; // what each of them is from afar
    // where the nodes and packets of each lie in the tree; the top's are first
    uint32_t *node_base, *leaf_base;
    bool *failed;
} Work;

static void build_part(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Work *work = context;
    const Part *part = &work->top.parts[chunk];
    Builder *builder = &work->below[chunk];
    builder->all.items = work->top.all.items;
    build_node(builder, &part->range, part->depth);
}

// fills a packet with a run of triangles
static ThawBvhFar place_leaf(Work *work, const ThawBvhRun *run, uint32_t packet) {
    uint32_t triangles[LEAF];
    for (uint32_t k = 0; k < run->count; k++) {
        triangles[k] = work->top.all.items[run->begin + k].triangle;
    }
    return thaw_bvh_fill_packet(work->bvh, packet, triangles, run->count);
}

// puts a builder's nodes into the tree from the last to the first, so that children are known before parents
static bool place_nodes(Work *work, const Builder *builder, uint32_t node_base, uint32_t leaf_base,
                        ThawBvhFar *root) {
    size_t bytes = builder->node_count * sizeof(ThawBvhFar);
    ThawBvhFar *known = thaw_alloc(bytes);
    if (known == NULL) return false;
    for (uint32_t n = builder->node_count; n-- > 0;) {
        ThawBvhNode node = builder->nodes[n];
        ThawBvhFar children[THAW_BVH_WIDTH];
        for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
            uint32_t child = node.child[lane], number = child & ~(THAW_BVH_LEAF | PENDING);
            if (child == THAW_BVH_NONE) continue;
            if (child & THAW_BVH_LEAF) {
                children[lane] = place_leaf(work, &builder->leaves[number], leaf_base + number);
                node.child[lane] = THAW_BVH_LEAF | (leaf_base + number);
            } else if (child & PENDING) {
                children[lane] = work->far[number];
                node.child[lane] = work->node_base[number];
            } else {
                children[lane] = known[number];
                node.child[lane] = node_base + number;
            }
        }
        work->bvh->nodes[node_base + n] = node;
        known[n] = thaw_bvh_sum_node(work->bvh, node_base + n, children);
    }
    *root = known[0];
    thaw_free(known);
    return true;
}

static void place_part(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Work *work = context;
    work->failed[chunk] = !place_nodes(work, &work->below[chunk], work->node_base[chunk],
                                       work->leaf_base[chunk], &work->far[chunk]);
}

// decides where everything lies, and gets the memory for it
static ThawResult lay_out(Work *work) {
    ThawBvh *bvh = work->bvh;
    uint32_t nodes = work->top.node_count, leaves = work->top.leaf_count;
    for (uint32_t p = 0; p < work->top.part_count; p++) {
        if (work->below[p].failed) return thaw_fail_memory(sizeof(ThawBvhNode));
        work->node_base[p] = nodes;
        work->leaf_base[p] = leaves;
        nodes += work->below[p].node_count;
        leaves += work->below[p].leaf_count;
    }
    bvh->node_count = nodes;
    bvh->packet_count = leaves;
    bvh->nodes = thaw_alloc(nodes * sizeof *bvh->nodes);
    bvh->moments = thaw_alloc(nodes * sizeof *bvh->moments);
    bvh->packets = thaw_alloc(leaves * sizeof *bvh->packets);
    if (bvh->nodes == NULL || bvh->moments == NULL || bvh->packets == NULL) {
        return thaw_fail_memory(thaw_bvh_bytes(bvh));
    }
    return THAW_OK;
}

static ThawResult place_all(Work *work, ThawParallel *parallel) {
    uint32_t parts = work->top.part_count;
    ThawResult result = lay_out(work);
    if (result != THAW_OK) return result;
    thaw_parallel_run(parallel, place_part, work, parts);
    bool failed = false;
    for (uint32_t p = 0; p < parts; p++) failed |= work->failed[p];
    ThawBvhFar whole;
    if (failed || !place_nodes(work, &work->top, 0, 0, &whole)) {
        return thaw_fail_memory(sizeof(ThawBvhFar));
    }
    return THAW_OK;
}

static ThawResult build_parts(Work *work, ThawParallel *parallel) {
    uint32_t parts = work->top.part_count;
    // one more than needed: a mesh may have no parts
    size_t bytes = (size_t)parts + 1;
    work->below = thaw_alloc(bytes * sizeof *work->below);
    work->far = thaw_alloc(bytes * sizeof *work->far);
    work->node_base = thaw_alloc(bytes * sizeof *work->node_base);
    work->leaf_base = thaw_alloc(bytes * sizeof *work->leaf_base);
    work->failed = thaw_alloc(bytes * sizeof *work->failed);
    if (work->below == NULL || work->far == NULL || work->node_base == NULL ||
        work->leaf_base == NULL || work->failed == NULL) {
        return thaw_fail_memory(bytes * sizeof *work->below);
    }
    thaw_parallel_run(parallel, build_part, work, parts);
    return place_all(work, parallel);
}

static void free_work(Work *work) {
    for (uint32_t p = 0; work->below != NULL && p < work->top.part_count; p++) {
        free_builder(&work->below[p]);
    }
    free_builder(&work->top);
    thaw_free(work->below);
    thaw_free(work->far);
    thaw_free(work->node_base);
    thaw_free(work->leaf_base);
    thaw_free(work->failed);
}

// ---------------------------------------------------------------- the mesh's frame and boxes

typedef struct Limits {
    double lower[3], upper[3];
} Limits;

typedef struct LimitsJob {
    const ThawMesh *mesh;
    Limits *limits; // one a chunk
} LimitsJob;

static void join_limits(Limits *limits, const double lower[3], const double upper[3]) {
    for (int k = 0; k < 3; k++) {
        if (lower[k] < limits->lower[k]) limits->lower[k] = lower[k];
        if (upper[k] > limits->upper[k]) limits->upper[k] = upper[k];
    }
}

static void find_limits(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    LimitsJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->mesh->triangle_count, CHUNK);
    Limits limits = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t t = range.begin; t < range.end; t++) {
        for (int c = 0; c < 3; c++) {
            const double *corner = job->mesh->points[job->mesh->triangles[t][c]];
            join_limits(&limits, corner, corner);
        }
    }
    job->limits[chunk] = limits;
}

// the tree's frame: the middle of what triangles use, and a power of two that makes it fit −1 .. 1
static ThawResult choose_frame(ThawBvh *bvh, ThawParallel *parallel) {
    uint32_t chunks = thaw_chunk_count(bvh->mesh.triangle_count, CHUNK);
    LimitsJob job = {&bvh->mesh, thaw_alloc(chunks * sizeof(Limits))};
    if (job.limits == NULL) return thaw_fail_memory(chunks * sizeof(Limits));
    thaw_parallel_run(parallel, find_limits, &job, chunks);
    Limits all = job.limits[0];
    for (uint32_t c = 1; c < chunks; c++) {
        join_limits(&all, job.limits[c].lower, job.limits[c].upper);
    }
    thaw_free(job.limits);
    double half = 0;
    for (int k = 0; k < 3; k++) {
        bvh->center[k] = 0.5 * all.lower[k] + 0.5 * all.upper[k];
        half = fmax(half, 0.5 * all.upper[k] - 0.5 * all.lower[k]);
    }
    int power = 0;
    if (half > 1e-200) frexp(half, &power);
    bvh->scale = ldexp(1, -power);
    return THAW_OK;
}

typedef struct ItemsJob {
    const ThawBvh *bvh;
    ThawBvhItem *items;
} ItemsJob;

static void make_items(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    ItemsJob *job = context;
    const ThawMesh *mesh = &job->bvh->mesh;
    ThawRange range = thaw_chunk_range(chunk, mesh->triangle_count, CHUNK);
    for (uint32_t t = range.begin; t < range.end; t++) {
        const double *corner[3];
        for (int c = 0; c < 3; c++) corner[c] = mesh->points[mesh->triangles[t][c]];
        ThawBvhItem *item = &job->items[t];
        item->triangle = t;
        for (int k = 0; k < 3; k++) {
            double least = fmin(fmin(corner[0][k], corner[1][k]), corner[2][k]);
            double most = fmax(fmax(corner[0][k], corner[1][k]), corner[2][k]);
            least = (least - job->bvh->center[k]) * job->bvh->scale;
            most = (most - job->bvh->center[k]) * job->bvh->scale;
            item->box.lower[k] = (float)(least - (double)THAW_BVH_SLACK);
            item->box.upper[k] = (float)(most + (double)THAW_BVH_SLACK);
        }
    }
}

static ThawResult build_from_items(ThawBvh *bvh, ThawParallel *parallel, ThawBvhItem *items) {
    uint32_t count = bvh->mesh.triangle_count;
    ItemsJob job = {bvh, items};
    thaw_parallel_run(parallel, make_items, &job, thaw_chunk_count(count, CHUNK));
    Work work = {.bvh = bvh};
    work.top.all = (ThawBvhItems){items, parallel};
    work.top.part_size = count / PARTS < PART_LEAST ? PART_LEAST : count / PARTS;
    Range whole = thaw_bvh_measure(&work.top.all, 0, count);
    build_node(&work.top, &whole, 0);
    ThawResult result =
        work.top.failed ? thaw_fail_memory(sizeof(ThawBvhNode)) : build_parts(&work, parallel);
    free_work(&work);
    return result;
}

ThawResult thaw_bvh_build(ThawBvh *bvh, ThawParallel *parallel) {
    uint32_t count = bvh->mesh.triangle_count;
    bvh->scale = 1;
    if (count == 0) return THAW_OK;
    ThawResult result = choose_frame(bvh, parallel);
    if (result != THAW_OK) return result;
    size_t bytes = count * sizeof(ThawBvhItem);
    ThawBvhItem *items = thaw_alloc(bytes);
    if (items == NULL) return thaw_fail_memory(bytes);
    result = build_from_items(bvh, parallel, items);
    thaw_free(items);
    return result;
}
