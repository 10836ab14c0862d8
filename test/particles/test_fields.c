// The table of fields, and the working set's room.
#include "base/memory.h"
#include "particles/work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define DERIVED 7 // made from solids and heat when asked for
#define KEPT 2    // channels of worlds with heat

static void the_table_lists_position_and_then_every_field(void **state) {
    (void)state;
    assert_string_equal(thaw_field_info(0)->name, "position");
    assert_false(thaw_field_info(0)->saved);
    const ThawFieldInfo *cells = thaw_field_info(1 + THAW_FIELD_cells);
    assert_string_equal(cells->name, "cells");
    assert_true(cells->type == THAW_I64 && cells->components == 3 && cells->saved);
    assert_false(thaw_field_info(1 + THAW_FIELD_dead)->saved);
    for (uint32_t k = 1; k <= DERIVED; k++)
        assert_false(thaw_field_info(THAW_FIELD_COUNT + k)->saved);
    for (uint32_t k = 1; k <= KEPT; k++)
        assert_true(thaw_field_info(THAW_FIELD_COUNT + DERIVED + k)->saved);
    assert_null(thaw_field_info(THAW_FIELD_COUNT + DERIVED + KEPT + 1));
    assert_null(thaw_field_info(UINT32_MAX));
    for (uint32_t a = 0; a <= THAW_FIELD_COUNT + DERIVED + KEPT; a++) {
        for (uint32_t b = 0; b < a; b++) {
            assert_string_not_equal(thaw_field_info(a)->name, thaw_field_info(b)->name);
        }
    }
}

static void types_have_their_c_sizes(void **state) {
    (void)state;
#define CHECK_SIZE(name, ctype, type, components, unit, saved, meaning)                            \
    assert_int_equal(thaw_type_size(type), sizeof(ctype));
    THAW_FIELDS(CHECK_SIZE)
    assert_int_equal(thaw_type_size(THAW_F64), 8);
}

static void work_room_is_kept_and_given_back(void **state) {
    (void)state;
    ThawWork work = {0};
    assert_int_equal(thaw_work_reserve(&work, 100000), THAW_OK);
    assert_int_equal(work.count, 100000);
    memset(work.place, 1, (100000 + THAW_STORE_PAD) * sizeof *work.place);
    memset(work.shift, 1, (100000 + THAW_STORE_PAD) * 3 * sizeof *work.shift);
    memset(work.wall, 1, (100000 + THAW_STORE_PAD) * sizeof *work.wall);
    uint64_t before = thaw_alloc_count();
    assert_int_equal(thaw_work_reserve(&work, 60000), THAW_OK);
    assert_int_equal(thaw_work_reserve(&work, 100000), THAW_OK);
    assert_int_equal(thaw_alloc_count(), before);
    size_t full = work.place_bytes;
    for (int k = 0; k < 2 * THAW_SCRATCH_CALLS; k++) {
        assert_int_equal(thaw_work_reserve(&work, 1000), THAW_OK);
    }
    assert_true(work.place_bytes < full / 50 && work.wall_bytes >= 1016 * sizeof(float));
    thaw_work_release(&work);
    assert_null(work.next);
    assert_int_equal(work.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_lists_position_and_then_every_field),
        cmocka_unit_test(types_have_their_c_sizes),
        cmocka_unit_test(work_room_is_kept_and_given_back),
    };
    return cmocka_run_group_tests_name("fields and work", tests, NULL, NULL);
}
