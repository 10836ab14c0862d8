// Ids lead to rows, whatever has been born and has died.
#include "particles/id_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define ID(source, count) (((uint64_t)(source) << THAW_ID_SOURCE_SHIFT) + (count))

static void check_all(ThawIdMap *map, const uint64_t *ids, uint32_t count) {
    thaw_id_map_soil(map);
    for (uint32_t row = 0; row < count; row++) {
        assert_int_equal(thaw_id_map_find(map, ids, count, ids[row]), row);
    }
    // at most 12 bytes a particle beside a constant
    assert_true(thaw_id_map_bytes(map) < 1024 + (size_t)count * 16);
}

static void patterns_of_ids_are_found_and_others_are_not(void **state) {
    (void)state;
    enum { COUNT = 50000 };
    uint64_t *ids = malloc(COUNT * sizeof *ids);
    ThawIdMap *map = thaw_id_map_create();
    // ids far apart in the counter, in one source; one a source; dense; alike in their low bits
    const uint64_t steps[] = {1, 2, 16, 17, 4096, 1 << 20, ID(1, 0), ID(16, 0)};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        for (uint32_t k = 0; k < COUNT; k++) ids[k] = 3 + k * steps[s];
        check_all(map, ids, COUNT);
        assert_int_equal(thaw_id_map_find(map, ids, COUNT, 0), UINT32_MAX);
        assert_int_equal(thaw_id_map_find(map, ids, COUNT, 2), UINT32_MAX);
        assert_int_equal(thaw_id_map_find(map, ids, COUNT, 3 + COUNT * steps[s]), UINT32_MAX);
        assert_int_equal(thaw_id_map_find(map, ids, COUNT, UINT64_MAX), UINT32_MAX);
        if (steps[s] > 1) {
            assert_int_equal(thaw_id_map_find(map, ids, COUNT, 4), UINT32_MAX);
        }
    }
    free(ids);
    thaw_id_map_destroy(map);
}

static void every_small_count_works_and_memory_shrinks(void **state) {
    (void)state;
    uint64_t ids[1200];
    for (uint32_t k = 0; k < 1200; k++) ids[k] = ID(7, 1000000 - 13 * k);
    ThawIdMap *map = thaw_id_map_create();
    assert_int_equal(thaw_id_map_find(map, ids, 0, ids[0]), UINT32_MAX);
    for (uint32_t count = 1200; count > 0; count--) check_all(map, ids, count);
    for (uint32_t count = 1; count <= 1200; count++) check_all(map, ids, count);
    thaw_id_map_destroy(map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_of_ids_are_found_and_others_are_not),
        cmocka_unit_test(every_small_count_works_and_memory_shrinks),
    };
    return cmocka_run_group_tests_name("id map", tests, NULL, NULL);
}
