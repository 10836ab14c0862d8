// Rows and clusters of the sorted particles.
#include "neighbors/neighbors_internal.h"

#include <math.h>

typedef struct RowJob {
    const ThawTable *table;
    uint32_t *row_start;
    uint32_t *counts; // one a chunk, then where each chunk's results begin
} RowJob;

static bool starts_row(const ThawTable *table, uint32_t particle) {
    if (particle == 0) return true;
    return thaw_table_row_key(table, table->keys[particle]) !=
           thaw_table_row_key(table, table->keys[particle - 1]);
}

static void count_rows(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    RowJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->table->particles, THAW_ROW_CHUNK);
    uint32_t count = 0;
    for (uint32_t k = range.begin; k < range.end; k++) count += starts_row(job->table, k);
    job->counts[chunk] = count;
}

static void fill_rows(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    RowJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->table->particles, THAW_ROW_CHUNK);
    uint32_t next = job->counts[chunk];
    for (uint32_t k = range.begin; k < range.end; k++) {
        if (starts_row(job->table, k)) job->row_start[next++] = k;
    }
}

// turns counts into starts and returns their sum
static uint32_t sum_up(uint32_t *counts, uint32_t chunks) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < chunks; k++) {
        uint32_t count = counts[k];
        counts[k] = sum;
        sum += count;
    }
    return sum;
}

static ThawResult make_rows(ThawNeighbors *neighbors, ThawParallel *parallel) {
    ThawTable *table = &neighbors->table;
    uint32_t chunks = thaw_chunk_count(table->particles, THAW_ROW_CHUNK);
    ThawResult result = thaw_need(&neighbors->counts, &neighbors->counts_bytes,
                                  ((size_t)chunks + 1) * sizeof(uint32_t));
    if (result != THAW_OK) return result;
    RowJob job = {table, NULL, neighbors->counts};
    thaw_parallel_run(parallel, count_rows, &job, chunks);
    table->row_count = sum_up(job.counts, chunks);
    result = thaw_need(&neighbors->row_start, &neighbors->row_start_bytes,
                       ((size_t)table->row_count + 1) * sizeof(uint32_t));
    if (result != THAW_OK) return result;
    job.row_start = table->row_start = neighbors->row_start;
    thaw_parallel_run(parallel, fill_rows, &job, chunks);
    table->row_start[table->row_count] = table->particles;
    return THAW_OK;
}

// where each level's rows are: levels follow each other in key order
static void find_levels(ThawTable *table) {
    uint32_t row = 0, particle = 0;
    for (int k = 0; k < THAW_LEVELS; k++) {
        ThawLevel *level = &table->levels[k];
        level->row_first = row;
        particle += level->rows;
        uint32_t lo = row, hi = table->row_count;
        while (lo < hi) {
            uint32_t mid = lo + (hi - lo) / 2;
            if (table->row_start[mid] < particle)
                lo = mid + 1;
            else
                hi = mid;
        }
        level->row_count = lo - row;
        row = lo;
    }
}

typedef struct ClusterJob {
    const ThawTable *table;
    const ThawPlace *place;
    ThawCluster *clusters; // NULL: only count
    uint32_t *counts;
} ClusterJob;

static int64_t cell_along(const ThawTable *table, uint32_t particle) {
    return thaw_table_x(table, table->keys[particle]) >> table->bits_fraction;
}

// Whether two particles of a row are less than `widest` place units, two cells, apart. Places wrap around and say so
// only of what is near by whole cells; the keys' finer bits are fewer the further apart all matter is, and clusters,
// by which sums are ordered, must not depend on that.
static bool are_close(const ClusterJob *job, uint32_t from, uint32_t to, int64_t widest) {
    if (cell_along(job->table, to) - cell_along(job->table, from) > 2) return false;
    return thaw_place_sub(job->place[to].x, job->place[from].x) < widest;
}

// cuts a row into clusters of up to eight particles that span at most two cells; returns their number
static uint32_t cut_row(const ClusterJob *job, uint32_t row, uint32_t next) {
    const ThawTable *table = job->table;
    uint32_t begin = table->row_start[row], end = table->row_start[row + 1], cut = 0;
    int level = thaw_row_level(table, thaw_table_row_key(table, table->keys[begin]));
    int64_t widest = (int64_t)(2.0f * ldexpf(THAW_PLACE_ONE, table->levels[level].shift));
    while (begin < end) {
        uint32_t stop = begin + 1;
        while (stop < end && stop - begin < THAW_LANES && are_close(job, begin, stop, widest)) {
            stop++;
        }
        if (job->clusters != NULL) {
            job->clusters[next + cut] = (ThawCluster){begin, stop - begin, next + cut, 0};
        }
        cut++;
        begin = stop;
    }
    return cut;
}

static void cut_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    ClusterJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->table->row_count, THAW_SPAN_CHUNK);
    uint32_t next = job->clusters == NULL ? 0 : job->counts[chunk], sum = 0;
    for (uint32_t row = range.begin; row < range.end; row++) sum += cut_row(job, row, next + sum);
    if (job->clusters == NULL) job->counts[chunk] = sum;
}

static ThawResult make_clusters(ThawNeighbors *neighbors, const ThawSearch *search) {
    ThawParallel *parallel = search->parallel;
    ThawTable *table = &neighbors->table;
    uint32_t chunks = thaw_chunk_count(table->row_count, THAW_SPAN_CHUNK);
    ThawResult result = thaw_need(&neighbors->counts, &neighbors->counts_bytes,
                                  ((size_t)chunks + 1) * sizeof(uint32_t));
    if (result != THAW_OK) return result;
    ClusterJob job = {table, search->work->place, NULL, neighbors->counts};
    thaw_parallel_run(parallel, cut_chunk, &job, chunks);
    table->cluster_count = sum_up(job.counts, chunks);
    result = thaw_need(&neighbors->clusters, &neighbors->clusters_bytes,
                       (size_t)table->cluster_count * sizeof(ThawCluster));
    if (result != THAW_OK) return result;
    job.clusters = table->clusters = neighbors->clusters;
    thaw_parallel_run(parallel, cut_chunk, &job, chunks);
    return THAW_OK;
}

ThawResult thaw_neighbors_table(ThawNeighbors *neighbors, const ThawSearch *search) {
    ThawResult result = make_rows(neighbors, search->parallel);
    if (result != THAW_OK) return result;
    find_levels(&neighbors->table);
    return make_clusters(neighbors, search);
}
