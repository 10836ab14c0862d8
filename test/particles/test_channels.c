// Channels: what may be added, and that new rows start at zero.
#include "particles/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state) {
    return thaw_store_create((ThawStore **)state) != THAW_OK;
}

static int tear_down(void **state) {
    thaw_store_destroy(*state);
    return 0;
}

static void check_refused(ThawStore *store, ThawChannelDef def, const char *word) {
    uint32_t before = store->channel_count;
    assert_int_equal(thaw_store_add_channel(store, &def), THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_error_text(), word));
    assert_int_equal(store->channel_count, before);
}

static void bad_definitions_are_refused_by_field(void **state) {
    ThawStore *store = *state;
    check_refused(store, (ThawChannelDef){NULL, THAW_F32, 1}, "channel.name");
    check_refused(store, (ThawChannelDef){"", THAW_F32, 1}, "channel.name");
    check_refused(store, (ThawChannelDef){"two words", THAW_F32, 1}, "channel.name");
    check_refused(store, (ThawChannelDef){"caf\xc3\xa9", THAW_F32, 1}, "channel.name");
    check_refused(store, (ThawChannelDef){"a23456789_123456789_123456789_12", THAW_F32, 1}, "31");
    check_refused(store, (ThawChannelDef){"position", THAW_F32, 3}, "position");
    check_refused(store, (ThawChannelDef){"velocity", THAW_F32, 3}, "velocity");
    check_refused(store, (ThawChannelDef){"dead", THAW_I32, 1}, "dead");
    check_refused(store, (ThawChannelDef){"dye", THAW_I64, 1}, "channel.type");
    check_refused(store, (ThawChannelDef){"dye", THAW_U8, 1}, "channel.type");
    check_refused(store, (ThawChannelDef){"dye", THAW_F32, 0}, "channel.components");
    check_refused(store, (ThawChannelDef){"dye", THAW_F32, 17}, "channel.components");
    ThawChannelDef longest = {"a23456789_123456789_123456789_1", THAW_I32, 16};
    assert_int_equal(thaw_store_add_channel(store, &longest), THAW_OK);
    check_refused(store, longest, "taken");
    assert_non_null(thaw_store_channel(store, longest.name));
    assert_null(thaw_store_channel(store, "dye"));
}

static void sixty_four_channels_fit_and_no_more(void **state) {
    ThawStore *store = *state;
    char name[32];
    ThawChannelDef def = {name, THAW_F32, 1};
    for (int k = 0; k < 64; k++) {
        snprintf(name, sizeof name, "c%d", k);
        assert_int_equal(thaw_store_add_channel(store, &def), THAW_OK);
    }
    strcpy(name, "c64");
    check_refused(store, def, "c64");
    // names are copied, not kept
    assert_non_null(thaw_store_channel(store, "c63"));
}

static void rows_reused_after_a_death_start_at_zero(void **state) {
    ThawStore *store = *state;
    ThawParallel *parallel = NULL;
    uint32_t row;
    ThawChannelDef def = {"heat", THAW_F32, 16};
    assert_int_equal(thaw_parallel_create(1, NULL, &parallel), THAW_OK);
    assert_int_equal(thaw_store_append(store, 60, 1, 0, &row), THAW_OK);
    assert_int_equal(thaw_store_add_channel(store, &def), THAW_OK);
    float *heat = store->channels[0].data;
    for (uint32_t k = 0; k < 60 * 16; k++) {
        assert_true(heat[k] == 0);
        heat[k] = (float)k;
    }
    for (uint32_t k = 10; k < 50; k++) thaw_store_kill(store, k);
    assert_int_equal(thaw_store_compact(store, parallel), THAW_OK);
    // first into rows that were used before, then into new ones
    assert_int_equal(thaw_store_append(store, 30, 1, 60, &row), THAW_OK);
    assert_int_equal(thaw_store_append(store, 470, 1, 90, &row), THAW_OK);
    heat = thaw_store_channel(store, "heat")->data;
    for (uint32_t k = 0; k < 520 * 16; k++) {
        float expected = k < 160 ? (float)k : k < 320 ? (float)(k + 640) : 0;
        assert_true(heat[k] == expected);
    }
    thaw_parallel_destroy(parallel);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bad_definitions_are_refused_by_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sixty_four_channels_fit_and_no_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_reused_after_a_death_start_at_zero, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("channels", tests, NULL, NULL);
}
