// Moving rows: every value follows its particle, nothing is allocated, threads do not matter.
#include "base/memory.h"
#include "particles/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 30011

static uint64_t random_state = 7;

static uint32_t draw(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % below);
}

static void fill_order(uint32_t *order, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) order[k] = k;
    for (uint32_t k = count; k > 1; k--) {
        uint32_t j = draw(k), held = order[j];
        order[j] = order[k - 1];
        order[k - 1] = held;
    }
}

// a store of ROWS rows with one channel, all values made from the seed
static ThawStore *make_filled(void) {
    ThawStore *store = NULL;
    uint32_t row;
    ThawChannelDef dye = {"dye", THAW_F32, 2};
    assert_int_equal(thaw_store_create(&store), THAW_OK);
    assert_int_equal(thaw_store_add_channel(store, &dye), THAW_OK);
    assert_int_equal(thaw_store_append(store, ROWS, 5, 1, &row), THAW_OK);
    float *values = store->channels[0].data;
    for (uint32_t k = 0; k < ROWS; k++) {
        for (uint32_t a = 0; a < 3; a++) {
            store->cells[3 * k + a] = draw(1u << 30);
            store->velocity[3 * k + a] = (float)draw(1000);
        }
        store->material[k] = (uint16_t)draw(60000);
        values[2 * k] = (float)(store->id[k] % 100003);
        values[2 * k + 1] = -(float)k;
    }
    return store;
}

static void permuting_allocates_nothing_the_second_time(void **state) {
    (void)state;
    ThawParallel *parallel = NULL;
    assert_int_equal(thaw_parallel_create(2, NULL, &parallel), THAW_OK);
    ThawStore *store = make_filled();
    uint32_t *order = malloc(ROWS * sizeof *order);
    fill_order(order, ROWS);
    assert_int_equal(thaw_store_permute(store, parallel, order), THAW_OK);
    thaw_store_find(store, store->id[0]);
    uint64_t before = thaw_alloc_count();
    for (int k = 0; k < 3; k++) {
        assert_int_equal(thaw_store_permute(store, parallel, order), THAW_OK);
        assert_int_equal(thaw_store_find(store, store->id[100]), 100);
    }
    assert_int_equal(thaw_alloc_count(), before);
    free(order);
    thaw_store_destroy(store);
    thaw_parallel_destroy(parallel);
}

static void an_order_and_its_inverse_restore_every_row(void **state) {
    (void)state;
    ThawParallel *parallel = NULL;
    assert_int_equal(thaw_parallel_create(2, NULL, &parallel), THAW_OK);
    random_state = 11;
    ThawStore *store = make_filled();
    random_state = 11;
    ThawStore *untouched = make_filled();
    uint32_t *order = malloc(ROWS * sizeof *order), *inverse = malloc(ROWS * sizeof *inverse);
    fill_order(order, ROWS);
    for (uint32_t k = 0; k < ROWS; k++) inverse[order[k]] = k;
    assert_int_equal(thaw_store_permute(store, parallel, order), THAW_OK);
    for (uint32_t k = 0; k < ROWS; k++) assert_true(store->id[k] == untouched->id[order[k]]);
    assert_int_equal(thaw_store_permute(store, parallel, inverse), THAW_OK);
    assert_memory_equal(store->id, untouched->id, ROWS * 8);
    assert_memory_equal(store->cells, untouched->cells, ROWS * 24);
    assert_memory_equal(store->velocity, untouched->velocity, ROWS * 12);
    assert_memory_equal(store->material, untouched->material, ROWS * 2);
    assert_memory_equal(store->channels[0].data, untouched->channels[0].data, ROWS * 8);
    free(order);
    free(inverse);
    thaw_store_destroy(store);
    thaw_store_destroy(untouched);
    thaw_parallel_destroy(parallel);
}

// Channels whose rows are all the same are left where they are; one row is enough to move them.
static void a_channel_moves_when_a_single_row_differs(void **state) {
    (void)state;
    ThawParallel *parallel = NULL;
    assert_int_equal(thaw_parallel_create(2, NULL, &parallel), THAW_OK);
    ThawStore *store = make_filled();
    float(*values)[2] = store->channels[0].data;
    uint32_t *order = malloc(ROWS * sizeof *order);
    for (uint32_t k = 0; k < ROWS; k++) order[k] = ROWS - 1 - k;
    // the first and the last of a chunk, and of all
    const uint32_t odd[] = {0, 4095, 4096, 8191, ROWS - 1};
    for (size_t n = 0; n < sizeof odd / sizeof *odd; n++) {
        for (uint32_t k = 0; k < ROWS; k++) values[k][0] = values[k][1] = 1.0f;
        values[odd[n]][1] = 2.0f;
        assert_int_equal(thaw_store_permute(store, parallel, order), THAW_OK);
        for (uint32_t k = 0; k < ROWS; k++) {
            assert_true(values[k][1] == (order[k] == odd[n] ? 2.0f : 1.0f));
        }
    }
    // halves of one kind each, that meet where two chunks do
    for (uint32_t k = 0; k < ROWS; k++) values[k][0] = values[k][1] = k < 8192 ? 1.0f : 2.0f;
    assert_int_equal(thaw_store_permute(store, parallel, order), THAW_OK);
    for (uint32_t k = 0; k < ROWS; k++) assert_true(values[k][0] == (order[k] < 8192 ? 1 : 2));
    free(order);
    thaw_store_destroy(store);
    thaw_parallel_destroy(parallel);
}

static ThawStore *run_with(int threads, const uint32_t *order) {
    ThawParallel *parallel = NULL;
    assert_int_equal(thaw_parallel_create(threads, NULL, &parallel), THAW_OK);
    random_state = 3;
    ThawStore *store = make_filled();
    assert_int_equal(thaw_store_permute(store, parallel, order), THAW_OK);
    for (uint32_t k = 0; k < 11000; k++) thaw_store_kill(store, draw(ROWS));
    assert_int_equal(thaw_store_compact(store, parallel), THAW_OK);
    thaw_parallel_destroy(parallel);
    return store;
}

static void any_number_of_threads_gives_the_same_arrays(void **state) {
    (void)state;
    uint32_t *order = malloc(ROWS * sizeof *order);
    fill_order(order, ROWS);
    ThawStore *one = run_with(1, order);
    for (int threads = 2; threads <= 3; threads++) {
        ThawStore *more = run_with(threads, order);
        assert_int_equal(more->count, one->count);
        assert_memory_equal(more->id, one->id, one->count * 8);
        assert_memory_equal(more->cells, one->cells, one->count * 24);
        assert_memory_equal(more->velocity, one->velocity, one->count * 12);
        assert_memory_equal(more->material, one->material, one->count * 2);
        assert_memory_equal(more->channels[0].data, one->channels[0].data, one->count * 8);
        thaw_store_destroy(more);
    }
    thaw_store_destroy(one);
    free(order);
}

// validation case V-17
static void a_channel_follows_its_id_through_sorting_and_compaction(void **state) {
    (void)state;
    uint32_t *order = malloc(ROWS * sizeof *order);
    fill_order(order, ROWS);
    ThawStore *store = run_with(2, order);
    const float *values = store->channels[0].data;
    for (uint32_t k = 0; k < store->count; k++) {
        uint64_t count = store->id[k] & (((uint64_t)1 << THAW_ID_SOURCE_SHIFT) - 1);
        assert_true(values[2 * k] == (float)(store->id[k] % 100003));
        assert_true(values[2 * k + 1] == -(float)(count - 1));
        assert_int_equal(thaw_store_find(store, store->id[k]), k);
    }
    thaw_store_destroy(store);
    free(order);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuting_allocates_nothing_the_second_time),
        cmocka_unit_test(an_order_and_its_inverse_restore_every_row),
        cmocka_unit_test(a_channel_moves_when_a_single_row_differs),
        cmocka_unit_test(any_number_of_threads_gives_the_same_arrays),
        cmocka_unit_test(a_channel_follows_its_id_through_sorting_and_compaction),
    };
    return cmocka_run_group_tests_name("permute", tests, NULL, NULL);
}
