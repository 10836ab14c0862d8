// Blocks are counted, and scratch follows what is wanted of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

typedef struct Scratch {
    void *block;
    size_t capacity;
} Scratch;

static void want(Scratch *s, size_t bytes, int calls) {
    for (int k = 0; k < calls; k++) assert_true(thaw_scratch(&s->block, &s->capacity, bytes));
}

static void bytes_in_use_are_counted(void **state) {
    (void)state;
    size_t before = thaw_alloc_bytes();
    void *a = thaw_alloc(100), *b = thaw_alloc(5000);
    assert_int_equal(thaw_alloc_bytes(), before + 5100);
    b = thaw_realloc(b, 5000, 70000);
    assert_int_equal(thaw_alloc_bytes(), before + 70100);
    thaw_free(a);
    assert_int_equal(thaw_alloc_bytes(), before + 70000);
    thaw_free(b);
    assert_int_equal(thaw_alloc_bytes(), before);
}

static void a_peak_is_forgotten_and_what_is_used_is_kept(void **state) {
    (void)state;
    Scratch s = {0};
    size_t before = thaw_alloc_bytes();
    want(&s, 1000000, 1);
    memset(s.block, 7, s.capacity);
    want(&s, 100000, THAW_SCRATCH_CALLS - 1);
    assert_true(s.capacity >= 1000000);
    want(&s, 100000, 1);
    assert_int_equal(s.capacity, 100000);
    assert_int_equal(thaw_alloc_bytes(), before + 100000);
    for (size_t k = 0; k < 100000; k++) assert_int_equal(((uint8_t *)s.block)[k], 7);
    // nothing is left of what nobody wants
    want(&s, 0, THAW_SCRATCH_CALLS);
    assert_null(s.block);
    assert_int_equal(s.capacity, 0);
    assert_int_equal(thaw_alloc_bytes(), before);
    want(&s, 0, 1);
    assert_null(s.block);
}

// between calls that want much, any number that want little
static void a_need_that_swings_allocates_nothing(void **state) {
    (void)state;
    Scratch s = {0};
    want(&s, 1000000, 1);
    uint64_t before = thaw_alloc_count();
    for (int round = 0; round < 100; round++) {
        want(&s, 10000, THAW_SCRATCH_CALLS / 2);
        want(&s, 1000000 - 1000 * (size_t)round, 1);
    }
    // nor does one that falls by less than a seventh
    want(&s, 860000, 10 * THAW_SCRATCH_CALLS);
    assert_int_equal(thaw_alloc_count(), before);
    want(&s, 850000, 2 * THAW_SCRATCH_CALLS);
    assert_int_equal(thaw_alloc_count(), before + 1);
    thaw_free(s.block);
}

// room is made at once, and no call in between is an allocation
static void room_for_more_stays_room(void **state) {
    (void)state;
    Scratch s = {0};
    assert_true(thaw_scratch_room(&s.block, &s.capacity, 100000, 150000));
    assert_int_equal(s.capacity, 150000);
    uint64_t before = thaw_alloc_count();
    for (size_t k = 0; k < 10 * THAW_SCRATCH_CALLS; k++) {
        size_t bytes = 100000 + 50000 * (k % 2);
        assert_true(thaw_scratch_room(&s.block, &s.capacity, bytes, bytes + bytes / 2));
    }
    assert_int_equal(thaw_alloc_count(), before);
    thaw_free(s.block);
}

static void slow_growth_allocates_seldom(void **state) {
    (void)state;
    Scratch s = {0};
    uint64_t before = thaw_alloc_count();
    for (size_t bytes = 100000; bytes < 1000000; bytes += 100) {
        want(&s, bytes, 1);
        assert_true(s.capacity >= bytes && s.capacity <= bytes + bytes / 8);
    }
    // ln 10 / ln 9/8 steps
    assert_true(thaw_alloc_count() - before <= 21);
    thaw_free(s.block);
}

// whoever swaps two blocks need not swap what it knows of their sizes
static void blocks_may_change_places(void **state) {
    (void)state;
    Scratch a = {0}, b = {0};
    want(&a, 200000, 1);
    want(&b, 50000, 1);
    void *block = a.block;
    a.block = b.block;
    b.block = block;
    want(&a, 200000, 1);
    assert_int_equal(a.capacity, 200000);
    memset(a.block, 1, 200000);
    want(&b, 50000, 1);
    assert_int_equal(b.capacity, 200000);
    thaw_free(a.block);
    thaw_free(b.block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_in_use_are_counted),
        cmocka_unit_test(a_peak_is_forgotten_and_what_is_used_is_kept),
        cmocka_unit_test(a_need_that_swings_allocates_nothing),
        cmocka_unit_test(room_for_more_stays_room),
        cmocka_unit_test(slow_growth_allocates_seldom),
        cmocka_unit_test(blocks_may_change_places),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
