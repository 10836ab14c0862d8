// Colours of heat: temperatures in kelvins and in degrees, how molten matter is, and its state in words.
#include "render/field.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 1000 };
static float temperature[ROWS], molten[ROWS];
static int32_t states[ROWS];

// from `low` to `high` in even steps, the first half solid
static ThawFrame make_frame(ThawColumn columns[3], double low, double high) {
    for (int k = 0; k < ROWS; k++) {
        temperature[k] = (float)(low + (high - low) * k / (ROWS - 1));
        molten[k] = 0.3f;
        states[k] = k < ROWS / 2;
    }
    columns[0] = (ThawColumn){"temperature", THAW_F32, 1, temperature};
    columns[1] = (ThawColumn){"molten", THAW_F32, 1, molten};
    columns[2] = (ThawColumn){"state", THAW_I32, 1, states};
    return (ThawFrame){.count = ROWS, .columns = columns, .column_count = 3};
}

static ThawColorField make_field(const ThawFrame *frame, const char *color, const char *map) {
    ThawRenderDef def = thaw_render_default();
    def.color = color;
    def.map = map;
    ThawColorField field;
    assert_int_equal(thaw_color_field_make(frame, &def, &field), THAW_OK);
    return field;
}

static void assert_close(double value, double wanted, double tolerance) {
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%g is not %g", value, wanted);
}

static void degrees_are_kelvins_with_another_zero(void **state) {
    (void)state;
    ThawColumn columns[3];
    ThawFrame frame = make_frame(columns, 273.15, 373.15);
    ThawColorField kelvins = make_field(&frame, "temperature", NULL);
    ThawColorField degrees = make_field(&frame, "celsius", NULL);
    assert_string_equal(kelvins.title, "temperature K");
    assert_string_equal(degrees.title, "temperature C");
    assert_close(kelvins.low - degrees.low, 273.15, 1e-4);
    assert_close(kelvins.high - degrees.high, 273.15, 1e-4);
    assert_close(degrees.low, 0.5, 0.2); // without the outermost half per cent
    for (uint32_t row = 0; row < ROWS; row += 99) {
        ThawFloat3 a = thaw_color_field_at(&kelvins, row), b = thaw_color_field_at(&degrees, row);
        assert_close((double)a.x, (double)b.x, 1e-3);
        assert_close((double)a.y, (double)b.y, 1e-3);
        assert_close((double)a.z, (double)b.z, 1e-3);
    }
    double low, high;
    assert_int_equal(thaw_color_range(&frame, "celsius", &low, &high), THAW_OK);
    assert_close(low, degrees.low, 1e-9);
    assert_close(high, degrees.high, 1e-9);
}

static void temperatures_do_not_begin_at_zero(void **state) {
    (void)state;
    ThawColumn columns[3];
    // lava in air: other columns would begin at 0 here
    ThawFrame frame = make_frame(columns, 300, 1400);
    assert_true(make_field(&frame, "temperature", NULL).low > 299);
    // the same everywhere
    frame = make_frame(columns, 300, 300);
    ThawColorField even = make_field(&frame, "temperature", NULL);
    assert_close(even.low, 299.5, 1e-4);
    assert_close(even.high, 300.5, 1e-4);
}

static void warm_is_light_and_cold_is_dark(void **state) {
    (void)state;
    ThawColumn columns[3];
    ThawFrame frame = make_frame(columns, 280, 320);
    ThawColorField suited = make_field(&frame, "temperature", NULL);
    ThawColorField heat = make_field(&frame, "temperature", "heat");
    assert_memory_equal(suited.map.table, heat.map.table, sizeof heat.map.table);
    ThawFloat3 cold = thaw_color_field_at(&heat, 0), warm = thaw_color_field_at(&heat, ROWS - 1);
    assert_true(warm.x > cold.x + 0.5f && warm.y > cold.y + 0.5f);
}

static void molten_shares_go_from_nothing_to_all(void **state) {
    (void)state;
    ThawColumn columns[3];
    ThawFrame frame = make_frame(columns, 280, 320);
    ThawColorField field = make_field(&frame, "molten", "ocean");
    assert_true(field.low == 0 && field.high == 1);
    assert_string_equal(field.title, "molten share");
}

static void states_have_words(void **state) {
    (void)state;
    ThawColumn columns[3];
    ThawFrame frame = make_frame(columns, 280, 320);
    ThawColorField field = make_field(&frame, "state", "ocean");
    char text[40];
    assert_int_equal(field.kinds.count, 2);
    thaw_color_field_name(&field, 0, text, sizeof text);
    assert_string_equal(text, "liquid");
    thaw_color_field_name(&field, 1, text, sizeof text);
    assert_string_equal(text, "solid");
}

static void frames_without_heat_refuse_its_colours(void **state) {
    (void)state;
    ThawFrame frame = {.count = 3};
    double low, high;
    assert_int_equal(thaw_color_range(&frame, "celsius", &low, &high), THAW_NOT_FOUND);
    assert_int_equal(thaw_color_range(&frame, "temperature", &low, &high), THAW_NOT_FOUND);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_are_kelvins_with_another_zero),
        cmocka_unit_test(temperatures_do_not_begin_at_zero),
        cmocka_unit_test(warm_is_light_and_cold_is_dark),
        cmocka_unit_test(molten_shares_go_from_nothing_to_all),
        cmocka_unit_test(states_have_words),
        cmocka_unit_test(frames_without_heat_refuse_its_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
