// Colours: maps, ranges and ticks.
#include "rig.h"

#include "render/field.h"
#include "render/ticks.h"

#include <stdio.h>

static float lightness(ThawFloat3 srgb) {
    ThawFloat3 c = thaw_color_linear(srgb);
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static void sequential_maps_get_lighter_all_the_way(void **state) {
    (void)state;
    int maps = 0;
    for (; thaw_color_map_name(maps) != NULL; maps++) {
        ThawColorMap map;
        assert_true(thaw_color_map_make(thaw_color_map_name(maps), &map));
        if (strcmp(thaw_color_map_name(maps), "balance") == 0) continue;
        for (int k = 1; k < THAW_MAP_SIZE; k++) {
            assert_true(lightness(map.table[k]) > lightness(map.table[k - 1]));
        }
    }
    assert_true(maps >= 4);
    assert_string_equal(thaw_color_map_name(0), "ocean");
    assert_null(thaw_color_map_name(-1));
}

static void maps_hold_their_ends_and_have_no_jumps(void **state) {
    (void)state;
    ThawColorMap map;
    assert_false(thaw_color_map_make("rainbow", &map));
    assert_true(thaw_color_map_make("ocean", &map));
    ThawFloat3 low = thaw_color_map_at(&map, 0), below = thaw_color_map_at(&map, -5);
    ThawFloat3 lost = thaw_color_map_at(&map, NAN), above = thaw_color_map_at(&map, 1e30f);
    assert_memory_equal(&low, &below, sizeof low);
    assert_memory_equal(&low, &lost, sizeof low);
    assert_true(above.x > 0.9f && above.y > 0.9f);
    for (int k = 1; k < THAW_MAP_SIZE; k++) {
        ThawFloat3 d = thaw_f3_sub(map.table[k], map.table[k - 1]);
        assert_true(thaw_f3_dot(d, d) < 1e-3f);
    }
}

static ThawColorField make_field(const Rig *rig, const char *color, double low, double high) {
    ThawRenderDef def = thaw_render_default();
    ThawColorField field;
    def.color = color;
    def.low = low;
    def.high = high;
    assert_ok(thaw_color_field_make(&rig->frame, &def, &field));
    return field;
}

static bool same_color(ThawFloat3 a, ThawFloat3 b) {
    ThawFloat3 d = thaw_f3_sub(a, b);
    return thaw_f3_dot(d, d) < 1e-6f;
}

static void values_take_their_place_on_the_map(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 3, 0.1, 3, 2);
    float *heat = rig_column(&rig, "warmth", THAW_F32, 1, sizeof(float));
    heat[0] = -1;
    heat[1] = 0.25f;
    heat[2] = 7;
    ThawColorField field = make_field(&rig, "warmth", 0, 1);
    assert_true(same_color(thaw_color_field_at(&field, 0), field.map.table[0]));
    ThawFloat3 quarter = thaw_color_map_at(&field.map, 0.25f);
    assert_true(same_color(thaw_color_field_at(&field, 1), quarter));
    assert_true(same_color(thaw_color_field_at(&field, 2), field.map.table[THAW_MAP_SIZE - 1]));
    rig_free(&rig);
}

static void speed_is_the_length_of_velocity(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 2, 0.1, 3, 2);
    float *velocity = rig_column(&rig, "velocity", THAW_F32, 3, sizeof(float));
    velocity[3] = 2;
    velocity[4] = -3;
    velocity[5] = 6;
    ThawColorField field = make_field(&rig, "speed", 0, 0);
    assert_true(field.low == 0 && field.high == 7);
    assert_string_equal(field.title, "speed m/s");
    rig_free(&rig);
}

static void strays_do_not_take_the_contrast(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 10000, 0.1, 3, 2);
    float *value = rig_column(&rig, "warmth", THAW_F32, 1, sizeof(float));
    for (int k = 0; k < 10000; k++) value[k] = 100 + (float)(k % 101);
    value[5] = 1e30f;
    value[6] = -INFINITY;
    value[7] = NAN;
    ThawColorField field = make_field(&rig, "warmth", 0, 0);
    assert_true(field.low >= 100 && field.low <= 102 && field.high >= 198 && field.high <= 200);
    rig_free(&rig);
}

static void density_error_is_shown_evenly_about_zero(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 100, 0.1, 3, 2);
    float *value = rig_column(&rig, "density_error", THAW_F32, 1, sizeof(float));
    for (int k = 0; k < 100; k++) value[k] = -0.02f + 0.001f * (float)k / 4;
    ThawColorField field = make_field(&rig, "density_error", 0, 0);
    assert_true(field.low == -field.high && fabs(field.high - 0.02) < 1e-3);
    rig_free(&rig);
}

static void uniform_fields_have_a_range(void **state) {
    (void)state;
    const float values[] = {0, 5, -5, NAN, INFINITY};
    for (int k = 0; k < 5; k++) {
        Rig rig;
        rig_make(&rig, 4, 0.1, 3, 2);
        float *value = rig_column(&rig, "warmth", THAW_F32, 1, sizeof(float));
        for (int j = 0; j < 4; j++) value[j] = values[k];
        ThawColorField field = make_field(&rig, "warmth", 0, 0);
        assert_true(isfinite(field.low) && field.low < field.high);
        ThawFloat3 color = thaw_color_field_at(&field, 2);
        assert_true(color.x >= 0 && color.x <= 1);
        rig_free(&rig);
    }
}

static void kinds_have_colours_of_their_own(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 4, 0.1, 3, 2);
    int32_t *material = rig_column(&rig, "material", THAW_I32, 1, sizeof(int32_t));
    memcpy(material, (int32_t[]){2, 1, 2, 9}, 4 * sizeof *material);
    ThawColorField field = make_field(&rig, "material", 0, 0);
    assert_int_equal(field.kinds.count, 3);
    assert_int_equal(field.kinds.kinds[0], 1);
    assert_int_equal(field.kinds.kinds[2], 9);
    assert_true(same_color(thaw_color_field_at(&field, 0), thaw_color_field_at(&field, 2)));
    assert_false(same_color(thaw_color_field_at(&field, 0), thaw_color_field_at(&field, 1)));
    // the caller's own, counted from material 1
    const double colors[2][3] = {{1, 0, 0}, {0, 1, 0.5}};
    ThawRenderDef def = thaw_render_default();
    def.color = "material";
    def.material_colors = colors;
    def.material_count = 2;
    assert_ok(thaw_color_field_make(&rig.frame, &def, &field));
    assert_true(same_color(thaw_color_field_at(&field, 0), thaw_f3(0, 1, 0.5f)));
    assert_true(same_color(thaw_color_field_at(&field, 1), thaw_f3(1, 0, 0)));
    thaw_color_field_at(&field, 3); // has no colour given: must not read past the end
    rig_free(&rig);
}

static void legends_name_kinds_and_end_where_they_are_full(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 40, 0.1, 3, 2);
    int32_t *object = rig_column(&rig, "object", THAW_I32, 1, sizeof(int32_t));
    for (int k = 0; k < 40; k++) object[k] = 40 - k; // 40 down to 1
    const char *const names[2] = {"pool", "drop"};
    ThawRenderDef def = thaw_render_default();
    ThawColorField field;
    char text[80];
    def.color = "object";
    def.category_names = names;
    def.category_count = 2;
    assert_ok(thaw_color_field_make(&rig.frame, &def, &field));
    // the lowest numbers stay
    assert_int_equal(field.kinds.count, THAW_LEGEND_ROWS);
    assert_true(field.kinds.more);
    for (int k = 0; k < THAW_LEGEND_ROWS; k++) assert_int_equal(field.kinds.kinds[k], k + 1);
    thaw_color_field_name(&field, 1, text, sizeof text);
    assert_string_equal(text, "pool");
    thaw_color_field_name(&field, 2, text, sizeof text);
    assert_string_equal(text, "drop");
    // beyond the names their numbers
    thaw_color_field_name(&field, 3, text, sizeof text);
    assert_string_equal(text, "object 3");
    thaw_color_field_name(&field, 0, text, sizeof text);
    assert_string_equal(text, "object 0");
    rig_free(&rig);
}

static void one_component_of_a_vector_is_a_field(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 2, 0.1, 3, 2);
    float *velocity = rig_column(&rig, "velocity", THAW_F32, 3, sizeof(float));
    float *stress = rig_column(&rig, "stress", THAW_F32, 16, sizeof(float));
    velocity[2] = -4;
    velocity[5] = 6;
    stress[15] = 1;
    stress[31] = 9;
    const char *const same[] = {"vz", "velocity.z", "velocity.2"};
    for (int k = 0; k < 3; k++) {
        ThawColorField field = make_field(&rig, same[k], 0, 0);
        assert_true(field.low == -4 && field.high == 6);
        assert_false(field.magnitude);
    }
    double low, high;
    assert_ok(thaw_color_range(&rig.frame, "stress.15", &low, &high));
    assert_true(low == 1 && high == 9);
    assert_ok(thaw_color_range(&rig.frame, "none", &low, &high));
    assert_true(low > high);
    const char *const wrong[] = {"velocity.3", "velocity.", "velocity.xy", "stress.16",
                                 "vw",         ".x",        "velocity.-1", "velocity.002"};
    for (int k = 0; k < 8; k++) {
        assert_missing(thaw_color_range(&rig.frame, wrong[k], &low, &high), "it has speed");
    }
    rig_free(&rig);
}

static void the_balance_map_has_zero_in_its_middle(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 2, 0.1, 3, 2);
    float *value = rig_column(&rig, "warmth", THAW_F32, 1, sizeof(float));
    value[0] = -1;
    value[1] = 3;
    ThawRenderDef def = thaw_render_default();
    ThawColorField field;
    def.color = "warmth";
    def.map = "balance";
    assert_ok(thaw_color_field_make(&rig.frame, &def, &field));
    assert_true(field.low == -3 && field.high == 3);
    // unless told otherwise
    def.low = 1;
    def.high = 2;
    assert_ok(thaw_color_field_make(&rig.frame, &def, &field));
    assert_true(field.low == 1 && field.high == 2);
    rig_free(&rig);
}

static void missing_columns_and_maps_are_named(void **state) {
    (void)state;
    Rig rig;
    rig_make(&rig, 1, 0.1, 3, 2);
    rig_column(&rig, "velocity", THAW_F32, 3, sizeof(float));
    ThawRenderDef def = thaw_render_default();
    ThawColorField field;
    def.color = "warmth";
    assert_missing(thaw_color_field_make(&rig.frame, &def, &field), "it has speed, velocity");
    def.color = "speed";
    def.map = "rainbow";
    assert_refused(thaw_color_field_make(&rig.frame, &def, &field), "ocean");
    def.map = "gray";
    def.low = NAN;
    assert_refused(thaw_color_field_make(&rig.frame, &def, &field), "low");
    def.low = 2;
    def.high = 1;
    assert_refused(thaw_color_field_make(&rig.frame, &def, &field), "low");
    rig_free(&rig);
}

static void every_type_of_column_is_read(void **state) {
    (void)state;
    const ThawType types[] = {THAW_F32, THAW_F64, THAW_I32, THAW_I64, THAW_U8, THAW_U16, THAW_U64};
    const size_t sizes[] = {4, 8, 4, 8, 1, 2, 8};
    for (int k = 0; k < 7; k++) {
        Rig rig;
        rig_make(&rig, 3, 0.1, 3, 2);
        uint8_t *data = rig_column(&rig, "warmth", types[k], 1, sizes[k]);
        float f = 3;
        double d = 3;
        if (types[k] == THAW_F32)
            memcpy(data + 4, &f, 4);
        else if (types[k] == THAW_F64)
            memcpy(data + 8, &d, 8);
        else
            data[sizes[k]] = 3;
        assert_true(thaw_column_number(&rig.columns[0], 1, 0) == 3);
        assert_true(thaw_column_number(&rig.columns[0], 2, 0) == 0);
        rig_free(&rig);
    }
}

static void ticks_are_round_and_inside(void **state) {
    (void)state;
    for (int k = 0; k < 3000; k++) {
        double size = pow(10, (k % 31) - 15), low = size * ((k * 37 % 101) - 50) / 10.0;
        double high = low + size * (1 + k * 53 % 97) / 20.0;
        ThawTicks ticks = thaw_ticks_make(low, high, 2 + k % 9);
        assert_true(ticks.count >= 2 && ticks.count <= 14);
        double lead = ticks.step / pow(10, floor(log10(ticks.step) + 1e-9));
        assert_true(fabs(lead - 1) < 1e-6 || fabs(lead - 2) < 1e-6 || fabs(lead - 5) < 1e-6);
        for (int j = 0; j < ticks.count; j++) {
            assert_true(ticks.value[j] >= low - 1e-6 * (high - low));
            assert_true(ticks.value[j] <= high + 1e-6 * (high - low));
        }
    }
}

static void labels_are_short_and_tell_ticks_apart(void **state) {
    (void)state;
    char text[40], next[40];
    ThawTicks ticks = thaw_ticks_make(0, 1, 5);
    thaw_tick_label(&ticks, 1, text, sizeof text);
    assert_string_equal(text, "0.2");
    ticks = thaw_ticks_make(0, 25000, 5);
    assert_int_equal(ticks.exponent, 3);
    thaw_tick_label(&ticks, ticks.count - 1, text, sizeof text);
    assert_string_equal(text, "25");
    ticks = thaw_ticks_make(-3e-5, 3e-5, 6);
    assert_int_equal(ticks.exponent, -6);
    for (int k = 1; k < ticks.count; k++) {
        thaw_tick_label(&ticks, k - 1, text, sizeof text);
        thaw_tick_label(&ticks, k, next, sizeof next);
        assert_string_not_equal(text, next);
        assert_true(strlen(next) < 8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequential_maps_get_lighter_all_the_way),
        cmocka_unit_test(maps_hold_their_ends_and_have_no_jumps),
        cmocka_unit_test(values_take_their_place_on_the_map),
        cmocka_unit_test(speed_is_the_length_of_velocity),
        cmocka_unit_test(strays_do_not_take_the_contrast),
        cmocka_unit_test(density_error_is_shown_evenly_about_zero),
        cmocka_unit_test(uniform_fields_have_a_range),
        cmocka_unit_test(kinds_have_colours_of_their_own),
        cmocka_unit_test(legends_name_kinds_and_end_where_they_are_full),
        cmocka_unit_test(one_component_of_a_vector_is_a_field),
        cmocka_unit_test(the_balance_map_has_zero_in_its_middle),
        cmocka_unit_test(missing_columns_and_maps_are_named),
        cmocka_unit_test(every_type_of_column_is_read),
        cmocka_unit_test(ticks_are_round_and_inside),
        cmocka_unit_test(labels_are_short_and_tell_ticks_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
