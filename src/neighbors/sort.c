// A radix sort from the least digit up, over only those bits in which keys differ.
//
// Each pass counts digits per chunk, turns the counts into places (all chunks of digit 0, then of
// digit 1, ...) and scatters. When the differing bits are at most 32, which they are in any scene
// of ordinary extent, key and row travel as one 64-bit word; otherwise rows have their own pair of
// arrays.
//
// Both halves of a chunk are worked on at once, with counters of their own: in nearly sorted keys
// equal digits follow each other, and each would wait for the counter of the one before. Tried and
// slower: 11-bit digits (two passes of 2048 write streams cost more than three of 256), highest
// digit first.
#include "neighbors/sort.h"

#include "base/memory.h"
#include "base/result.h"

#include <assert.h>
#include <string.h>

#define DIGIT_BITS 8
#define DIGITS ((uint32_t)1 << DIGIT_BITS)
#define CHUNK 32768  // rows
#define SHORT_RUN 16 // ties sorted by insertion

struct ThawSorter {
    void *keys[2]; // uint64_t a row; the first is lent to the caller
    void *rows[2]; // uint32_t a row; the second is for wide keys only
    void *notes;   // per chunk: digit counts, or what was found
    size_t key_bytes[2], row_bytes[2], note_bytes;
    // the last result
    uint32_t count;
    uint64_t *sorted;
    uint32_t *order;
};

// what one chunk says about its keys
typedef struct Survey {
    uint64_t varying; // bits in which some key differs from the first
    bool ordered;     // none is below the one before it
} Survey;

typedef struct Pass {
    const uint64_t *from;
    uint64_t *to;
    const uint32_t *from_rows; // wide keys; NULL in the first pass: row k is k
    uint32_t *to_rows;         // wide keys, and the last pass of packed ones
    uint32_t count;
    uint64_t mask; // bits of `from` that count
    int low;       // the lowest bit in which keys differ
    int shift;     // of the digit
    uint32_t digits;
    uint64_t common;  // what all keys agree in
    uint32_t *places; // digits each half chunk
} Pass;

ThawResult thaw_sorter_create(ThawSorter **sorter) {
    *sorter = thaw_alloc(sizeof **sorter);
    return *sorter == NULL ? thaw_fail_memory(sizeof **sorter) : THAW_OK;
}

void thaw_sorter_destroy(ThawSorter *sorter) {
    if (sorter == NULL) return;
    for (int k = 0; k < 2; k++) {
        thaw_free(sorter->keys[k]);
        thaw_free(sorter->rows[k]);
    }
    thaw_free(sorter->notes);
    thaw_free(sorter);
}

size_t thaw_sorter_bytes(const ThawSorter *sorter) {
    return sizeof *sorter + sorter->key_bytes[0] + sorter->key_bytes[1] + sorter->row_bytes[0] +
           sorter->row_bytes[1] + sorter->note_bytes;
}

static bool fit_block(void **block, size_t *held, size_t wanted) {
    return thaw_scratch(block, held, wanted > 0 ? wanted : 1) != 0;
}

uint64_t *thaw_sort_keys(ThawSorter *sorter, uint32_t count) {
    sorter->count = 0;
    size_t bytes = (size_t)count * sizeof(uint64_t);
    return fit_block(&sorter->keys[0], &sorter->key_bytes[0], bytes) ? sorter->keys[0] : NULL;
}

static ThawResult reserve_all(ThawSorter *sorter, const uint64_t *keys, uint32_t count,
                              uint32_t chunks) {
    size_t key_bytes = (size_t)count * sizeof(uint64_t);
    size_t row_bytes = (size_t)count * sizeof(uint32_t);
    size_t note_bytes = (size_t)chunks * 2 * DIGITS * sizeof(uint32_t);
    bool lent = keys == sorter->keys[0];
    assert(!lent || sorter->key_bytes[0] >= key_bytes);
    if (!(lent || fit_block(&sorter->keys[0], &sorter->key_bytes[0], key_bytes)) ||
        !fit_block(&sorter->keys[1], &sorter->key_bytes[1], key_bytes) ||
        !fit_block(&sorter->rows[0], &sorter->row_bytes[0], row_bytes) ||
        !fit_block(&sorter->notes, &sorter->note_bytes, note_bytes) ||
        // not of every sort
        !thaw_scratch(&sorter->rows[1], &sorter->row_bytes[1], 0)) {
        return thaw_fail_memory(2 * key_bytes + row_bytes + note_bytes);
    }
    return THAW_OK;
}

typedef struct SurveyTask {
    const uint64_t *keys;
    uint64_t mask;
    uint32_t count;
    Survey *surveys;
} SurveyTask;

static void survey_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SurveyTask *task = context;
    ThawRange range = thaw_chunk_range(chunk, task->count, CHUNK);
    const uint64_t mask = task->mask;
    const uint64_t first = task->keys[0];
    uint64_t varying = 0;
    uint64_t falls = 0;
    uint64_t before = task->keys[range.begin > 0 ? range.begin - 1 : 0] & mask;
    for (uint32_t k = range.begin; k < range.end; k++) {
        uint64_t key = task->keys[k] & mask;
        varying |= key ^ first;
        falls |= key < before;
        before = key;
    }
    task->surveys[chunk] = (Survey){varying & mask, falls == 0};
}

static Survey survey_keys(ThawSorter *sorter, ThawParallel *parallel, const Pass *pass) {
    SurveyTask task = {pass->from, pass->mask, pass->count, sorter->notes};
    uint32_t chunks = thaw_chunk_count(pass->count, CHUNK);
    thaw_parallel_run(parallel, survey_chunk, &task, chunks);
    Survey all = {0, true};
    for (uint32_t c = 0; c < chunks; c++) {
        all.varying |= task.surveys[c].varying;
        all.ordered = all.ordered && task.surveys[c].ordered;
    }
    return all;
}

static inline uint32_t take_digit(const Pass *pass, uint64_t word) {
    return (uint32_t)((word & pass->mask) >> pass->shift) & (pass->digits - 1);
}

// the two halves of a chunk; the second may have one row more
typedef struct Halves {
    uint32_t begin, middle, rows;
    bool odd;
    uint32_t *first_places, *second_places;
} Halves;

static inline Halves split_chunk(const Pass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->count, CHUNK);
    uint32_t rows = (range.end - range.begin) / 2;
    uint32_t *places = pass->places + (size_t)chunk * 2 * pass->digits;
    return (Halves){range.begin, range.begin + rows,   rows, (range.end - range.begin) % 2 != 0,
                    places,      places + pass->digits};
}

static void count_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass pass = *(const Pass *)context;
    const Halves half = split_chunk(&pass, chunk);
    const uint64_t *from = pass.from;
    memset(half.first_places, 0, 2 * pass.digits * sizeof *half.first_places);
    for (uint32_t k = 0; k < half.rows; k++) {
        half.first_places[take_digit(&pass, from[half.begin + k])]++;
        half.second_places[take_digit(&pass, from[half.middle + k])]++;
    }
    if (half.odd) half.second_places[take_digit(&pass, from[half.middle + half.rows])]++;
}

// counts become first places: digit by digit, and within a digit half chunk by half chunk
static void place_digits(const Pass *pass) {
    uint32_t halves = 2 * thaw_chunk_count(pass->count, CHUNK);
    uint32_t place = 0;
    for (uint32_t digit = 0; digit < pass->digits; digit++) {
        for (uint32_t half = 0; half < halves; half++) {
            uint32_t *entry = &pass->places[(size_t)half * pass->digits + digit];
            uint32_t count = *entry;
            *entry = place;
            place += count;
        }
    }
}

// The first pass reads plain keys and packs them with their row, the last takes the words apart
// again.
static inline void scatter_packed_row(const Pass *pass, uint32_t row, uint32_t *places, bool first,
                                      bool last) {
    uint64_t word = pass->from[row];
    uint32_t place = places[take_digit(pass, word)]++;
    if (first) word = (word & pass->mask) >> pass->low << 32 | row;
    if (last) {
        pass->to[place] = pass->common | word >> 32 << pass->low;
        pass->to_rows[place] = (uint32_t)word;
    } else {
        pass->to[place] = word;
    }
}

// one body for the four kinds of packed pass
static inline void scatter_packed(const Pass *shared, uint32_t chunk, bool first, bool last) {
    const Pass pass = *shared;
    const Halves half = split_chunk(&pass, chunk);
    for (uint32_t k = 0; k < half.rows; k++) {
        scatter_packed_row(&pass, half.begin + k, half.first_places, first, last);
        scatter_packed_row(&pass, half.middle + k, half.second_places, first, last);
    }
    if (half.odd) {
        scatter_packed_row(&pass, half.middle + half.rows, half.second_places, first, last);
    }
}

static void scatter_only(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    scatter_packed(context, chunk, true, true);
}

static void scatter_first(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    scatter_packed(context, chunk, true, false);
}

static void scatter_middle(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    scatter_packed(context, chunk, false, false);
}

static void scatter_last(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    scatter_packed(context, chunk, false, true);
}

static inline void scatter_wide_row(const Pass *pass, uint32_t row, uint32_t *places) {
    uint64_t key = pass->from[row] & pass->mask;
    uint32_t place = places[take_digit(pass, key)]++;
    pass->to[place] = key;
    pass->to_rows[place] = pass->from_rows == NULL ? row : pass->from_rows[row];
}

static void scatter_wide(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass pass = *(const Pass *)context;
    const Halves half = split_chunk(&pass, chunk);
    for (uint32_t k = 0; k < half.rows; k++) {
        scatter_wide_row(&pass, half.begin + k, half.first_places);
        scatter_wide_row(&pass, half.middle + k, half.second_places);
    }
    if (half.odd) scatter_wide_row(&pass, half.middle + half.rows, half.second_places);
}

static void run_pass(ThawParallel *parallel, Pass *pass, ThawTask *scatter) {
    uint32_t chunks = thaw_chunk_count(pass->count, CHUNK);
    thaw_parallel_run(parallel, count_chunk, pass, chunks);
    place_digits(pass);
    thaw_parallel_run(parallel, scatter, pass, chunks);
}

// key and row in one word
static void sort_packed(ThawSorter *sorter, ThawParallel *parallel, Pass pass, int passes,
                        int digit_bits) {
    static ThawTask *const scatters[2][2] = {{scatter_middle, scatter_last},
                                             {scatter_first, scatter_only}};
    for (int k = 0; k < passes; k++) {
        bool first = k == 0;
        bool last = k == passes - 1;
        // keys are read from the first buffer, or from the caller's array, in the first pass
        pass.to = sorter->keys[(k + 1) % 2];
        pass.to_rows = sorter->rows[0];
        pass.shift = k * digit_bits + (first ? pass.low : 32);
        if (!first) pass.mask = UINT64_MAX;
        run_pass(parallel, &pass, scatters[first][last]);
        pass.from = pass.to;
    }
    sorter->sorted = pass.to;
    sorter->order = pass.to_rows;
}

// keys that differ over more than 32 bits
static ThawResult sort_wide(ThawSorter *sorter, ThawParallel *parallel, Pass pass, int passes,
                            int digit_bits) {
    size_t bytes = (size_t)pass.count * sizeof(uint32_t);
    if (!fit_block(&sorter->rows[1], &sorter->row_bytes[1], bytes)) return thaw_fail_memory(bytes);
    for (int k = 0; k < passes; k++) {
        pass.to = sorter->keys[(k + 1) % 2];
        pass.to_rows = sorter->rows[(k + 1) % 2];
        pass.shift = pass.low + k * digit_bits;
        run_pass(parallel, &pass, scatter_wide);
        pass.from = pass.to;
        pass.from_rows = pass.to_rows;
    }
    sorter->sorted = pass.to;
    sorter->order = pass.to_rows;
    return THAW_OK;
}

// keys that are in order already, as those of matter at rest often are
static void keep_order(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawRange range = thaw_chunk_range(chunk, pass->count, CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        pass->to[k] = pass->from[k] & pass->mask;
        pass->to_rows[k] = k;
    }
}

static int lowest_bit(uint64_t word) {
    int bit = 0;
    while ((word >> bit & 1) == 0) bit++;
    return bit;
}

static int highest_bit(uint64_t word) {
    int bit = 63;
    while ((word >> bit & 1) == 0) bit--;
    return bit;
}

ThawResult thaw_sort(ThawSorter *sorter, ThawParallel *parallel, const uint64_t *keys,
                     uint32_t count, int bits, const uint32_t **order, const uint64_t **sorted) {
    assert(bits >= 1 && bits <= 64);
    sorter->count = 0;
    Pass pass = {.from = keys, .count = count, .mask = UINT64_MAX >> (64 - bits)};
    uint32_t chunks = thaw_chunk_count(count, CHUNK);
    ThawResult result = reserve_all(sorter, keys, count, chunks > 0 ? chunks : 1);
    if (result != THAW_OK) return result;
    pass.places = sorter->notes;
    Survey survey = count == 0 ? (Survey){0, true} : survey_keys(sorter, parallel, &pass);
    if (survey.ordered) {
        pass.to = sorter->sorted = sorter->keys[1];
        pass.to_rows = sorter->order = sorter->rows[0];
        thaw_parallel_run(parallel, keep_order, &pass, chunks);
    } else {
        pass.low = lowest_bit(survey.varying);
        int width = highest_bit(survey.varying) - pass.low + 1;
        int passes = (width + DIGIT_BITS - 1) / DIGIT_BITS;
        int digit_bits = (width + passes - 1) / passes;
        pass.digits = (uint32_t)1 << digit_bits;
        pass.common = keys[0] & pass.mask & ~survey.varying;
        if (width <= 32)
            sort_packed(sorter, parallel, pass, passes, digit_bits);
        else
            result = sort_wide(sorter, parallel, pass, passes, digit_bits);
        if (result != THAW_OK) return result;
    }
    sorter->count = count;
    *order = sorter->order;
    *sorted = sorter->sorted;
    return THAW_OK;
}

// rows that tie, and the order wanted among them
typedef struct Ties {
    const uint64_t *sorted;
    uint32_t *order;
    uint32_t *scratch; // one a row
    uint32_t count;
    ThawSortLess *less;
    void *context;
} Ties;

static void insert_rows(const Ties *ties, uint32_t *rows, uint32_t count) {
    for (uint32_t k = 1; k < count; k++) {
        uint32_t row = rows[k];
        uint32_t at = k;
        for (; at > 0 && ties->less(ties->context, row, rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

// two ordered stretches [0, middle) and [middle, count) of `from` into one
static void merge_rows(const Ties *ties, const uint32_t *from, uint32_t *to, uint32_t middle,
                       uint32_t count) {
    uint32_t a = 0, b = middle;
    for (uint32_t k = 0; k < count; k++) {
        bool take_b = a == middle || (b < count && ties->less(ties->context, from[b], from[a]));
        to[k] = take_b ? from[b++] : from[a++];
    }
}

// merges of doubling length, there and back between the rows and their scratch
static void merge_run(const Ties *ties, uint32_t *rows, uint32_t *scratch, uint32_t count) {
    for (uint32_t k = 0; k < count; k += SHORT_RUN) {
        insert_rows(ties, rows + k, count - k < SHORT_RUN ? count - k : SHORT_RUN);
    }
    uint32_t *from = rows, *to = scratch;
    for (uint64_t length = SHORT_RUN; length < count; length *= 2) {
        for (uint64_t k = 0; k < count; k += 2 * length) {
            uint64_t left = count - k;
            uint64_t both = left < 2 * length ? left : 2 * length;
            uint64_t middle = both < length ? both : length;
            merge_rows(ties, from + k, to + k, (uint32_t)middle, (uint32_t)both);
        }
        uint32_t *merged = to;
        to = from;
        from = merged;
    }
    if (from != rows) memcpy(rows, from, count * sizeof *rows);
}

// A run belongs to the chunk in which it begins.
static void order_chunk_ties(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Ties *ties = context;
    const uint64_t *sorted = ties->sorted;
    ThawRange range = thaw_chunk_range(chunk, ties->count, CHUNK);
    uint32_t begin = range.begin;
    while (begin > 0 && begin < range.end && sorted[begin] == sorted[begin - 1]) begin++;
    while (begin < range.end) {
        uint32_t end = begin + 1;
        while (end < ties->count && sorted[end] == sorted[begin]) end++;
        if (end - begin > SHORT_RUN) {
            merge_run(ties, ties->order + begin, ties->scratch + begin, end - begin);
        } else if (end - begin > 1) {
            insert_rows(ties, ties->order + begin, end - begin);
        }
        begin = end;
    }
}

ThawResult thaw_sort_ties(ThawSorter *sorter, ThawParallel *parallel, uint32_t count,
                          ThawSortLess *less, void *context) {
    assert(count == sorter->count);
    // the buffer of keys that does not hold the result is free
    void *scratch = sorter->keys[sorter->sorted == sorter->keys[0] ? 1 : 0];
    Ties ties = {sorter->sorted, sorter->order, scratch, count, less, context};
    thaw_parallel_run(parallel, order_chunk_ties, &ties, thaw_chunk_count(count, CHUNK));
    return THAW_OK;
}
