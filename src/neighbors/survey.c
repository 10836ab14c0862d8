// The survey: bounds, sizes and trouble among the tentative positions; then keys and their order.
//
// The order is canonical: by level, row, x, then y, z and id. It depends on positions alone, never on the
// order that particles were in before, so shuffling them changes nothing.
#include "neighbors/aim.h"
#include "neighbors/neighbors_internal.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>
#include <string.h>

// displacements beyond this many cells a substep are taken for numerical trouble
#define ABSURD_SHIFT 500000.0f

// what one chunk of particles found
typedef struct Bounds {
    int64_t least[THAW_LEVELS][3], most[THAW_LEVELS][3]; // fixed-point positions
    uint32_t rows[THAW_LEVELS];
    float support[THAW_LEVELS]; // largest ratio to the usual spacing
    float max_shift2;
    float least_spacing, largest_spacing;
    float spacing_now; // of the last row looked at
    uint32_t nonfinite, outside, first_trouble;
} Bounds;

typedef struct SurveyJob {
    const ThawSearch *search;
    ThawAim aim;
    Bounds *bounds;
} SurveyJob;

static void clear_bounds(Bounds *bounds) {
    memset(bounds, 0, sizeof *bounds);
    for (int level = 0; level < THAW_LEVELS; level++) {
        for (int a = 0; a < 3; a++) {
            bounds->least[level][a] = INT64_MAX;
            bounds->most[level][a] = INT64_MIN;
        }
    }
    bounds->least_spacing = 3e38f;
    bounds->first_trouble = UINT32_MAX;
}

static void note_trouble(Bounds *bounds, uint32_t *kind, uint32_t row) {
    (*kind)++;
    if (row < bounds->first_trouble) bounds->first_trouble = row;
}

static inline ThawTrouble aim_checked(const ThawAim *aim, uint32_t row, float shift[3],
                                      int64_t at[3]) {
    thaw_aim_shift(aim, row, shift);
    for (int a = 0; a < 3; a++) {
        // false for NaN too
        if (!(fabsf(shift[a]) < ABSURD_SHIFT)) return THAW_TROUBLE_NONFINITE;
    }
    thaw_aim_at(aim, row, shift, at);
    return thaw_domain_holds(at) ? THAW_TROUBLE_NONE : THAW_TROUBLE_OUTSIDE;
}

ThawTrouble thaw_search_trouble(const ThawSearch *search, uint32_t row) {
    ThawAim aim = thaw_aim(search);
    float shift[3];
    int64_t at[3];
    return aim_checked(&aim, row, shift, at);
}

// Bounds of a run of particles of one level, in registers while it lasts.
typedef struct Span {
    int level; // −1: none yet
    int64_t least[3], most[3];
} Span;

static void end_span(Bounds *bounds, const Span *span) {
    if (span->level < 0) return;
    for (int a = 0; a < 3; a++) {
        int64_t *least = &bounds->least[span->level][a], *most = &bounds->most[span->level][a];
        if (span->least[a] < *least) *least = span->least[a];
        if (span->most[a] > *most) *most = span->most[a];
    }
}

static void note_size(Bounds *bounds, float spacing, float ratio, int level) {
    if (ratio > bounds->support[level]) bounds->support[level] = ratio;
    if (spacing < bounds->least_spacing) bounds->least_spacing = spacing;
    if (spacing > bounds->largest_spacing) bounds->largest_spacing = spacing;
}

static inline void survey_row(const SurveyJob *job, Bounds *bounds, Span *span, uint32_t row) {
    float shift[3];
    int64_t at[3];
    ThawTrouble trouble = aim_checked(&job->aim, row, shift, at);
    if (trouble != THAW_TROUBLE_NONE) {
        note_trouble(bounds,
                     trouble == THAW_TROUBLE_OUTSIDE ? &bounds->outside : &bounds->nonfinite, row);
        return;
    }
    float shift2 = shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2];
    if (shift2 > bounds->max_shift2) bounds->max_shift2 = shift2;
    float spacing = job->search->store->spacing[row];
    if (spacing != bounds->spacing_now) {
        float ratio = spacing / (float)job->search->spacing;
        int level = thaw_level_of(ratio);
        note_size(bounds, spacing, ratio, level);
        bounds->spacing_now = spacing;
        if (level != span->level) {
            end_span(bounds, span);
            *span = (Span){level, {at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
        }
    }
    bounds->rows[span->level]++;
    for (int a = 0; a < 3; a++) {
        span->least[a] = at[a] < span->least[a] ? at[a] : span->least[a];
        span->most[a] = at[a] > span->most[a] ? at[a] : span->most[a];
    }
}

static bool is_even(const float *spacing, ThawRange range) {
    int other = 0;
    for (uint32_t row = range.begin; row < range.end; row++)
        other |= spacing[row] != spacing[range.begin];
    return other == 0;
}

// Looks at whole blocks of rows of one size; returns how many rows that are, 0 when they must be looked at one by
// one.
static uint32_t survey_blocks(const SurveyJob *job, Bounds *bounds, ThawRange range) {
    const ThawSearch *search = job->search;
    const float *spacing = search->store->spacing;
    uint32_t blocks = (range.end - range.begin) / THAW_AIM_ROWS;
    ThawAimBounds found;
    if (blocks == 0 || !thaw_aim_is_open(&job->aim) || !is_even(spacing, range)) return 0;
    if (!THAW_WIDE_PICK(search->isa, thaw_aim_bounds)(&job->aim, range.begin, blocks, &found))
        return 0;
    if (!thaw_domain_holds(found.least) || !thaw_domain_holds(found.most)) return 0;
    float ratio = spacing[range.begin] / (float)search->spacing;
    Span span = {.level = thaw_level_of(ratio)};
    memcpy(span.least, found.least, sizeof span.least);
    memcpy(span.most, found.most, sizeof span.most);
    note_size(bounds, spacing[range.begin], ratio, span.level);
    end_span(bounds, &span);
    bounds->max_shift2 = found.max_shift2;
    bounds->rows[span.level] = blocks * THAW_AIM_ROWS;
    return blocks * THAW_AIM_ROWS;
}

static void survey_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SurveyJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->search->store->count, THAW_ROW_CHUNK);
    Bounds bounds;
    clear_bounds(&bounds);
    Span span = {.level = -1};
    uint32_t row = range.begin + survey_blocks(job, &bounds, range);
    for (; row < range.end; row++) survey_row(job, &bounds, &span, row);
    end_span(&bounds, &span);
    job->bounds[chunk] = bounds;
}

static void merge_bounds(Bounds *into, const Bounds *from) {
    for (int level = 0; level < THAW_LEVELS; level++) {
        into->rows[level] += from->rows[level];
        if (from->support[level] > into->support[level])
            into->support[level] = from->support[level];
        for (int a = 0; a < 3; a++) {
            if (from->least[level][a] < into->least[level][a]) {
                into->least[level][a] = from->least[level][a];
            }
            if (from->most[level][a] > into->most[level][a])
                into->most[level][a] = from->most[level][a];
        }
    }
    if (from->max_shift2 > into->max_shift2) into->max_shift2 = from->max_shift2;
    if (from->least_spacing < into->least_spacing) into->least_spacing = from->least_spacing;
    if (from->largest_spacing > into->largest_spacing)
        into->largest_spacing = from->largest_spacing;
    into->nonfinite += from->nonfinite;
    into->outside += from->outside;
    if (from->first_trouble < into->first_trouble) into->first_trouble = from->first_trouble;
}

// levels from the merged bounds: cells, origins, supports
static void fill_levels(ThawTable *table, const Bounds *bounds) {
    for (int k = 0; k < THAW_LEVELS; k++) {
        ThawLevel *level = &table->levels[k];
        *level = (ThawLevel){.rows = bounds->rows[k], .shift = k - THAW_LEVEL_BASE};
        // in base cells the support equals the ratio: a base cell is the usual support
        level->support = bounds->support[k];
        if (level->rows == 0) continue;
        for (int a = 0; a < 3; a++) {
            level->origin[a] = bounds->least[k][a] >> (THAW_FIXED_BITS + level->shift);
            level->last[a] = bounds->most[k][a] >> (THAW_FIXED_BITS + level->shift);
        }
    }
}

// About how deep matter lies on itself along gravity, cells: no more than its extent, and no more than
// twice what its volume would fill evenly, so that tall thin falls do not count as deep water; but as
// deep as a cube of it, whatever a stray particle does to the box around all.
static double estimate_depth(const ThawSearch *search, const Bounds *all) {
    const double *g = search->gravity;
    double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (!(pull > 0)) return 0;
    double extent = 0, box = 1, size = (double)all->largest_spacing / search->domain->cell;
    int dimensions = search->domain->dimensions;
    for (int a = 0; a < dimensions; a++) {
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (int level = 0; level < THAW_LEVELS; level++) {
            if (all->least[level][a] < least) least = all->least[level][a];
            if (all->most[level][a] > most) most = all->most[level][a];
        }
        double span = (least > most ? 0 : thaw_fixed_cells(most - least)) + size;
        extent += fabs(g[a]) / pull * span;
        box *= span;
    }
    double volume = search->store->count * pow(size, dimensions);
    double filled = fmax(2.0 * volume * extent / box, pow(volume, 1.0 / dimensions));
    return filled < extent ? filled : extent;
}

ThawResult thaw_neighbors_survey(ThawNeighbors *neighbors, const ThawSearch *search,
                                 ThawSurvey *survey) {
    uint32_t chunks = thaw_chunk_count(search->store->count, THAW_ROW_CHUNK);
    ThawResult result =
        thaw_need(&neighbors->bounds, &neighbors->bounds_bytes, (size_t)chunks * sizeof(Bounds));
    if (result != THAW_OK) return result;
    SurveyJob job = {search, thaw_aim(search), neighbors->bounds};
    thaw_parallel_run(search->parallel, survey_chunk, &job, chunks);
    Bounds all;
    clear_bounds(&all);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) merge_bounds(&all, &job.bounds[chunk]);
    fill_levels(&neighbors->table, &all);
    neighbors->mixed = all.least_spacing < all.largest_spacing;
    neighbors->largest_ratio = all.largest_spacing / (float)search->spacing;
    survey->max_shift = sqrt((double)all.max_shift2);
    survey->least_spacing = all.least_spacing;
    survey->largest_spacing = all.largest_spacing;
    survey->depth = estimate_depth(search, &all);
    survey->nonfinite = all.nonfinite;
    survey->outside = all.outside;
    survey->first_trouble = all.first_trouble;
    return THAW_OK;
}

static int bits_for(int64_t largest) {
    int bits = 0;
    while (largest >> bits != 0) bits++;
    return bits;
}

// widths of the key's parts; fraction bits of x fill up the sort's digits
static ThawResult choose_layout(ThawTable *table) {
    int64_t span[3] = {0, 0, 0};
    int highest = 0, lowest = THAW_LEVELS - 1;
    for (int k = 0; k < THAW_LEVELS; k++) {
        const ThawLevel *level = &table->levels[k];
        if (level->rows == 0) continue;
        highest = k;
        if (k < lowest) lowest = k;
        for (int a = 0; a < 3; a++) {
            int64_t cells = level->last[a] - level->origin[a];
            if (cells > span[a]) span[a] = cells;
        }
    }
    table->bits_x = bits_for(span[0]);
    table->bits_y = bits_for(span[1]);
    table->bits_z = bits_for(span[2]);
    int used = table->bits_x + table->bits_y + table->bits_z + bits_for(highest - lowest);
    table->level_base = lowest;
    if (used > 64) {
        return thaw_fail(THAW_TROUBLE,
                         "particles of different sizes are spread over too many cells "
                         "(%d bits of 64)",
                         used);
    }
    table->bits_used = used;
    // three bits at least, where they fit, and then up to the next of the sort's digits
    int wanted = (used + 3 + 7) / 8 * 8;
    table->bits_fraction = (wanted < 64 ? wanted : 64) - used;
    return THAW_OK;
}

typedef struct KeyJob {
    const ThawSearch *search;
    const ThawTable *table;
    ThawAim aim;
    uint64_t *keys;
    bool mixed; // particles of different sizes
} KeyJob;

static inline uint64_t key_of(const KeyJob *job, uint32_t row, int level) {
    float aimed[3];
    int64_t at[3];
    thaw_aim_shift(&job->aim, row, aimed);
    thaw_aim_at(&job->aim, row, aimed, at);
    return thaw_aim_key(job->table, level, at);
}

// whole blocks of rows; returns how many rows that are
static uint32_t key_blocks(const KeyJob *job, ThawRange range) {
    const ThawSearch *search = job->search;
    if (job->mixed || !thaw_aim_is_open(&job->aim)) return 0;
    uint32_t blocks = (range.end - range.begin) / THAW_AIM_ROWS;
    int level = thaw_level_of(search->store->spacing[range.begin] / (float)search->spacing);
    THAW_WIDE_PICK(search->isa, thaw_aim_keys)
    (&job->aim, job->table, level, range.begin, blocks, job->keys);
    return blocks * THAW_AIM_ROWS;
}

static void key_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const KeyJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->search->store->count, THAW_ROW_CHUNK);
    const float *spacing = job->search->store->spacing;
    float last = 0;
    int level = 0;
    for (uint32_t row = range.begin + key_blocks(job, range); row < range.end; row++) {
        if (spacing[row] != last) {
            last = spacing[row];
            level = thaw_level_of(last / (float)job->search->spacing);
        }
        job->keys[row] = key_of(job, row, level);
    }
}

// the order among equal keys: x, y, z, then id
static int precedes(void *context, uint32_t a, uint32_t b) {
    const KeyJob *job = context;
    float shift[3];
    int64_t at_a[3], at_b[3];
    thaw_aim_shift(&job->aim, a, shift);
    thaw_aim_at(&job->aim, a, shift, at_a);
    thaw_aim_shift(&job->aim, b, shift);
    thaw_aim_at(&job->aim, b, shift, at_b);
    for (int axis = 0; axis < 3; axis++) {
        if (at_a[axis] != at_b[axis]) return at_a[axis] < at_b[axis];
    }
    const uint64_t *id = job->search->store->id;
    return id[a] < id[b];
}

ThawResult thaw_neighbors_sort(ThawNeighbors *neighbors, const ThawSearch *search,
                               const uint32_t **order) {
    ThawTable *table = &neighbors->table;
    ThawResult result = choose_layout(table);
    if (result != THAW_OK) return result;
    uint32_t count = search->store->count;
    KeyJob job = {search, table, thaw_aim(search), thaw_sort_keys(neighbors->sorter, count),
                  neighbors->mixed};
    if (job.keys == NULL) return thaw_fail_memory((size_t)count * sizeof(uint64_t));
    thaw_parallel_run(search->parallel, key_chunk, &job, thaw_chunk_count(count, THAW_ROW_CHUNK));
    int bits = table->bits_used + table->bits_fraction;
    result =
        thaw_sort(neighbors->sorter, search->parallel, job.keys, count, bits, order, &table->keys);
    if (result != THAW_OK) return result;
    table->particles = count;
    return thaw_sort_ties(neighbors->sorter, search->parallel, count, precedes, &job);
}
