// The sort against qsort, for many kinds of keys, sizes and threads.
#include "base/memory.h"
#include "neighbors/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 150001

static uint64_t random_state = 1;

static uint64_t draw(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state ^ random_state >> 29;
}

typedef struct Pair {
    uint64_t key;
    uint32_t row;
} Pair;

// by key, then by row: what a stable sort gives
static int compare_pairs(const void *a, const void *b) {
    const Pair *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static ThawParallel *make_parallel(int threads) {
    ThawParallel *parallel = NULL;
    assert_int_equal(thaw_parallel_create(threads, NULL, &parallel), THAW_OK);
    return parallel;
}

static ThawSorter *make_sorter(void) {
    ThawSorter *sorter = NULL;
    assert_int_equal(thaw_sorter_create(&sorter), THAW_OK);
    return sorter;
}

static void check_sorted(ThawSorter *sorter, ThawParallel *parallel, const uint64_t *keys,
                         uint32_t count, int bits) {
    uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    Pair *pairs = malloc(((size_t)count + 1) * sizeof *pairs);
    for (uint32_t k = 0; k < count; k++) pairs[k] = (Pair){keys[k] & mask, k};
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    const uint32_t *order;
    const uint64_t *sorted;
    // once from an array of ours, once from the sorter's own
    for (int lent = 0; lent < 2; lent++) {
        const uint64_t *from = keys;
        if (lent) {
            uint64_t *room = thaw_sort_keys(sorter, count);
            assert_non_null(room);
            memcpy(room, keys, count * sizeof *keys);
            from = room;
        }
        assert_int_equal(thaw_sort(sorter, parallel, from, count, bits, &order, &sorted), THAW_OK);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(order[k] == pairs[k].row && sorted[k] == pairs[k].key);
        }
    }
    free(pairs);
}

typedef enum Kind { RANDOM, CONSTANT, ORDERED, REVERSED, FEW, NEARLY, TWO_ENDS, KINDS } Kind;

static void fill_keys(Kind kind, uint64_t *keys, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        switch (kind) {
        case RANDOM: keys[k] = draw(); break;
        case CONSTANT: keys[k] = 0x123456789abcdefu; break;
        case ORDERED: keys[k] = (uint64_t)k * 3; break;
        case REVERSED: keys[k] = (uint64_t)(count - k) << 7; break;
        case FEW: keys[k] = (draw() % 5) << 40 | 0xff; break;
        case NEARLY: keys[k] = 5000 + k + draw() % 100; break;
        case TWO_ENDS: keys[k] = (draw() & 0x8000000000000001u) | 0x1000; break;
        case KINDS: break;
        }
    }
}

static void every_kind_of_keys_is_sorted_as_by_qsort(void **state) {
    (void)state;
    const int bits[] = {1, 8, 9, 22, 32, 33, 48, 63, 64};
    uint64_t *keys = malloc(ROWS * sizeof *keys);
    ThawSorter *sorter = make_sorter();
    for (int threads = 1; threads <= 3; threads++) {
        ThawParallel *parallel = make_parallel(threads);
        for (int kind = 0; kind < KINDS; kind++) {
            fill_keys((Kind)kind, keys, ROWS);
            for (size_t b = (size_t)(kind + threads) % 2; b < sizeof bits / sizeof *bits; b += 2) {
                check_sorted(sorter, parallel, keys, 70001 + (uint32_t)kind, bits[b]);
            }
        }
        check_sorted(sorter, parallel, keys, ROWS, 64);
        thaw_parallel_destroy(parallel);
    }
    assert_true(thaw_sorter_bytes(sorter) < 4096 * 8 + (size_t)ROWS * 24);
    thaw_sorter_destroy(sorter);
    free(keys);
}

static void every_small_count_is_sorted(void **state) {
    (void)state;
    uint64_t keys[70];
    ThawSorter *sorter = make_sorter();
    ThawParallel *parallel = make_parallel(1);
    for (uint32_t count = 0; count <= 70; count++) {
        fill_keys(RANDOM, keys, count);
        check_sorted(sorter, parallel, keys, count, 3);
        check_sorted(sorter, parallel, keys, count, 20);
        check_sorted(sorter, parallel, keys, count, 64);
    }
    // around the size of a chunk
    uint64_t *many = malloc(70000 * sizeof *many);
    fill_keys(RANDOM, many, 70000);
    for (uint32_t count = 32766; count < 32771; count++) {
        check_sorted(sorter, parallel, many, count, 22);
        check_sorted(sorter, parallel, many, count, 40);
    }
    free(many);
    thaw_parallel_destroy(parallel);
    thaw_sorter_destroy(sorter);
}

static int precedes_by_value(void *context, uint32_t a, uint32_t b) {
    const uint32_t *values = context;
    return values[a] < values[b];
}

static void nothing_is_allocated_the_second_time(void **state) {
    (void)state;
    ThawSorter *sorter = make_sorter();
    ThawParallel *parallel = make_parallel(2);
    uint32_t *values = malloc(ROWS * sizeof *values);
    for (uint32_t k = 0; k < ROWS; k++) values[k] = (uint32_t)draw();
    uint64_t before = 0;
    for (int round = 0; round < 3; round++) {
        for (int bits = 16; bits <= 60; bits += 44) {
            const uint32_t *order;
            const uint64_t *sorted;
            uint64_t *keys = thaw_sort_keys(sorter, ROWS);
            fill_keys(RANDOM, keys, ROWS);
            assert_int_equal(thaw_sort(sorter, parallel, keys, ROWS, bits, &order, &sorted),
                             THAW_OK);
            assert_int_equal(thaw_sort_ties(sorter, parallel, ROWS, precedes_by_value, values),
                             THAW_OK);
        }
        if (round == 0) before = thaw_alloc_count();
    }
    assert_int_equal(thaw_alloc_count(), before);
    // and memory follows the rows down
    for (int k = 0; k < 2 * THAW_SCRATCH_CALLS; k++) {
        assert_non_null(thaw_sort_keys(sorter, 1000));
        const uint32_t *order;
        const uint64_t *sorted;
        uint64_t few[10] = {3, 1, 2};
        assert_int_equal(thaw_sort(sorter, parallel, few, 10, 40, &order, &sorted), THAW_OK);
    }
    assert_true(thaw_sorter_bytes(sorter) < (size_t)ROWS);
    free(values);
    thaw_parallel_destroy(parallel);
    thaw_sorter_destroy(sorter);
}

// ties ordered by value, and by row where values agree too
static void check_ties(ThawParallel *parallel, uint64_t distinct_keys, uint32_t distinct_values) {
    ThawSorter *sorter = make_sorter();
    uint64_t *keys = malloc(ROWS * sizeof *keys);
    uint32_t *values = malloc(ROWS * sizeof *values);
    for (uint32_t k = 0; k < ROWS; k++) {
        keys[k] = draw() % distinct_keys;
        values[k] = (uint32_t)(draw() % distinct_values);
    }
    const uint32_t *order;
    const uint64_t *sorted;
    assert_int_equal(thaw_sort(sorter, parallel, keys, ROWS, 40, &order, &sorted), THAW_OK);
    assert_int_equal(thaw_sort_ties(sorter, parallel, ROWS, precedes_by_value, values), THAW_OK);
    uint8_t *seen = calloc(ROWS, 1);
    for (uint32_t k = 0; k < ROWS; k++) {
        assert_true(sorted[k] == keys[order[k]]);
        assert_int_equal(seen[order[k]]++, 0);
        if (k == 0 || sorted[k] != sorted[k - 1]) continue;
        uint32_t a = order[k - 1], b = order[k];
        assert_true(values[a] < values[b] || (values[a] == values[b] && a < b));
    }
    free(seen);
    free(values);
    free(keys);
    thaw_sorter_destroy(sorter);
}

static void ties_come_into_the_callers_order(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        ThawParallel *parallel = make_parallel(threads);
        check_ties(parallel, 60000, 1000000000); // short runs
        check_ties(parallel, 3000, 20);          // runs of about fifty, with equals
        check_ties(parallel, 3, 1000000000);     // runs longer than a chunk
        check_ties(parallel, 1, 1000000000);     // all in one place
        thaw_parallel_destroy(parallel);
    }
}

typedef struct Counted {
    const uint32_t *values;
    uint64_t calls;
} Counted;

static int precedes_counted(void *context, uint32_t a, uint32_t b) {
    Counted *counted = context;
    counted->calls++;
    return counted->values[a] < counted->values[b];
}

static void coincident_particles_take_n_log_n_comparisons(void **state) {
    (void)state;
    ThawSorter *sorter = make_sorter();
    ThawParallel *parallel = make_parallel(1);
    uint64_t *keys = thaw_sort_keys(sorter, 100000);
    uint32_t *values = malloc(100000 * sizeof *values);
    for (uint32_t k = 0; k < 100000; k++) {
        keys[k] = 77;
        values[k] = 100000 - k;
    }
    Counted counted = {values, 0};
    const uint32_t *order;
    const uint64_t *sorted;
    assert_int_equal(thaw_sort(sorter, parallel, keys, 100000, 63, &order, &sorted), THAW_OK);
    assert_int_equal(thaw_sort_ties(sorter, parallel, 100000, precedes_counted, &counted), THAW_OK);
    for (uint32_t k = 0; k < 100000; k++) assert_int_equal(order[k], 99999 - k);
    assert_true(counted.calls < 100000 * 25);
    free(values);
    thaw_parallel_destroy(parallel);
    thaw_sorter_destroy(sorter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_keys_is_sorted_as_by_qsort),
        cmocka_unit_test(every_small_count_is_sorted),
        cmocka_unit_test(nothing_is_allocated_the_second_time),
        cmocka_unit_test(ties_come_into_the_callers_order),
        cmocka_unit_test(coincident_particles_take_n_log_n_comparisons),
    };
    return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
