// The neighbour search as a whole: its memory, and the lists.
#include "neighbors/neighbors_internal.h"

#include "base/memory.h"
#include "base/result.h"

ThawResult thaw_need(void **block, size_t *bytes, size_t wanted) {
    // how many rows, clusters and lists there are changes as matter moves: room for that from the start
    // (pages that are not touched cost nothing)
    size_t room = wanted + wanted / 4 + 256;
    return thaw_scratch_room(block, bytes, wanted, room) ? THAW_OK : thaw_fail_memory(room);
}

ThawResult thaw_neighbors_create(ThawNeighbors **neighbors) {
    ThawNeighbors *made = thaw_alloc(sizeof *made);
    if (made == NULL) return thaw_fail_memory(sizeof *made);
    ThawResult result = thaw_sorter_create(&made->sorter);
    if (result != THAW_OK) {
        thaw_free(made);
        return result;
    }
    *neighbors = made;
    return THAW_OK;
}

void thaw_neighbors_destroy(ThawNeighbors *neighbors) {
    if (neighbors == NULL) return;
    thaw_sorter_destroy(neighbors->sorter);
    thaw_free(neighbors->bounds);
    thaw_free(neighbors->row_start);
    thaw_free(neighbors->clusters);
    thaw_free(neighbors->segments);
    thaw_free(neighbors->pool);
    thaw_free(neighbors->cursors);
    thaw_free(neighbors->pairs);
    thaw_free(neighbors->windows);
    thaw_free(neighbors->counts);
    thaw_free(neighbors);
}

// the periodic images a particle may see its neighbours through; image 0 is none
static int find_images(const ThawDomain *domain, int64_t images[THAW_IMAGES][3]) {
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int code = 0; code < THAW_IMAGES; code++) {
            int turn[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
            bool none = turn[0] == 0 && turn[1] == 0 && turn[2] == 0, possible = true;
            for (int a = 0; a < 3; a++)
                possible = possible && (turn[a] == 0 || domain->periodic[a]);
            if (!possible || none != (pass == 0)) continue;
            for (int a = 0; a < 3; a++) {
                images[count][a] = domain->periodic[a] ? turn[a] * domain->length[a] : 0;
            }
            count++;
        }
    }
    return count;
}

typedef void BuildLists(ThawListJob *job, uint32_t chunk, uint32_t worker);

typedef struct ListTask {
    ThawListJob *job;
    BuildLists *build;
} ListTask;

static void list_chunk(void *context, uint32_t chunk, uint32_t worker) {
    ListTask *task = context;
    task->build(task->job, chunk, worker);
}

// memory for one attempt
static ThawResult make_room(ThawNeighbors *neighbors, ThawListJob *job, int workers) {
    uint32_t clusters = neighbors->table.cluster_count;
    uint32_t chunks = thaw_chunk_count(clusters, THAW_LIST_CHUNK);
    job->segment_capacity = clusters + neighbors->extra_segments;
    ThawResult result = thaw_need(&neighbors->segments, &neighbors->segments_bytes,
                                  (size_t)job->segment_capacity * sizeof(ThawSegment));
    if (result == THAW_OK) {
        result = thaw_need(&neighbors->pool, &neighbors->pool_bytes,
                           job->pool_blocks * THAW_LIST_BLOCK * sizeof(uint32_t));
    }
    if (result == THAW_OK) {
        result = thaw_need(&neighbors->cursors, &neighbors->cursors_bytes,
                           (size_t)workers * sizeof(ThawListCursor));
    }
    if (result == THAW_OK) {
        result = thaw_need(&neighbors->windows, &neighbors->windows_bytes,
                           (size_t)workers * job->window_capacity * sizeof(ThawListWindow));
    }
    if (result == THAW_OK) {
        result = thaw_need(&neighbors->pairs, &neighbors->pairs_bytes, chunks * sizeof(uint64_t));
    }
    if (result != THAW_OK) return result;
    job->clusters = neighbors->clusters;
    job->segments = neighbors->segments;
    job->pool = neighbors->pool;
    job->pool_blocks = neighbors->pool_bytes / (THAW_LIST_BLOCK * sizeof(uint32_t));
    job->cursors = neighbors->cursors;
    job->windows = neighbors->windows;
    job->pairs = neighbors->pairs;
    for (int k = 0; k < workers; k++) job->cursors[k] = (ThawListCursor){0};
    atomic_init(&job->pool_next, 0);
    atomic_init(&job->segment_next, clusters);
    atomic_init(&job->windows_wanted, 0);
    return THAW_OK;
}

// one attempt; *again says that some room was too small and has been made larger
static ThawResult try_lists(ThawNeighbors *neighbors, const ThawSearch *search, ThawListJob *job,
                            bool *again) {
    int workers = thaw_parallel_workers(search->parallel);
    ThawResult result = make_room(neighbors, job, workers);
    if (result != THAW_OK) return result;
    ListTask task = {job, THAW_WIDE_PICK(search->isa, thaw_lists_build)};
    uint32_t clusters = neighbors->table.cluster_count;
    thaw_parallel_run(search->parallel, list_chunk, &task,
                      thaw_chunk_count(clusters, THAW_LIST_CHUNK));
    uint64_t blocks = atomic_load(&job->pool_next);
    uint32_t segments = atomic_load(&job->segment_next);
    uint32_t windows = atomic_load(&job->windows_wanted);
    *again = blocks > job->pool_blocks || segments > job->segment_capacity || windows > 0;
    // what this search took is room for the next one
    neighbors->pool_blocks = blocks + blocks / 16 + (uint64_t)workers;
    neighbors->extra_segments = (segments - clusters) * 5 / 4;
    if (blocks > job->pool_blocks) job->pool_blocks = neighbors->pool_blocks;
    if (windows > 0) job->window_capacity = windows + windows / 4;
    return THAW_OK;
}

ThawResult thaw_neighbors_list(ThawNeighbors *neighbors, const ThawSearch *search) {
    ThawListJob job = {.table = &neighbors->table,
                       .place = search->work->place,
                       .spacing = search->store->spacing,
                       .mixed = neighbors->mixed,
                       .rough = search->rough,
                       .support = neighbors->largest_ratio,
                       .cells_a_spacing = (float)(1.0 / search->spacing),
                       .reach_factor = (float)(1.0 + search->skin)};
    job.image_count = find_images(search->domain, job.images);
    // a first guess, by the last search or by how many there are
    int workers = thaw_parallel_workers(search->parallel);
    job.pool_blocks = (uint64_t)search->store->count * (search->rough ? 12 : 11) / THAW_LIST_BLOCK +
                      (uint64_t)workers * 2;
    if (job.pool_blocks < neighbors->pool_blocks) job.pool_blocks = neighbors->pool_blocks;
    job.window_capacity =
        (uint32_t)(neighbors->windows_bytes / ((size_t)workers * sizeof(ThawListWindow)));
    if (job.window_capacity < 64) job.window_capacity = 64;
    bool again = true;
    while (again) {
        ThawResult result = try_lists(neighbors, search, &job, &again);
        if (result != THAW_OK) return result;
    }
    uint32_t chunks = thaw_chunk_count(neighbors->table.cluster_count, THAW_LIST_CHUNK);
    neighbors->rough = search->rough;
    neighbors->reach = 1.0 + search->skin;
    neighbors->pair_count = 0;
    for (uint32_t k = 0; k < chunks; k++) neighbors->pair_count += job.pairs[k];
    return THAW_OK;
}

const ThawCluster *thaw_neighbors_clusters(const ThawNeighbors *neighbors, uint32_t *count) {
    *count = neighbors->table.cluster_count;
    return neighbors->clusters;
}

ThawSegment *thaw_neighbors_segments(ThawNeighbors *neighbors) {
    return neighbors->segments;
}

bool thaw_neighbors_rough(const ThawNeighbors *neighbors) {
    return neighbors->rough;
}

void thaw_neighbors_pruned(ThawNeighbors *neighbors, uint64_t pairs) {
    neighbors->rough = false;
    neighbors->pair_count = pairs;
}

double thaw_neighbors_reach(const ThawNeighbors *neighbors) {
    return neighbors->reach;
}

uint64_t thaw_neighbors_pairs(const ThawNeighbors *neighbors) {
    return neighbors->pair_count;
}

size_t thaw_neighbors_bytes(const ThawNeighbors *neighbors) {
    return neighbors->bounds_bytes + neighbors->row_start_bytes + neighbors->clusters_bytes +
           neighbors->segments_bytes + neighbors->pool_bytes + neighbors->cursors_bytes +
           neighbors->pairs_bytes + neighbors->windows_bytes + neighbors->counts_bytes;
}
