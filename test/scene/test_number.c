// Numbers that may change: constant, keyed, or an expression.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <thaw/scene.h>

#include <cmocka.h>

#include "scene/number.h"

static double at_time(const ThawNumber *number, double t) {
    return thaw_number_at(number, &(ThawMoment){.t = t});
}

static ThawNumber number_of(const char *text, int variables, double scale) {
    ThawNumber number = {.scale = scale};
    assert_int_equal(
        thaw_expression_compile(text, scene_variables, variables, &number.expression, NULL),
        THAW_OK);
    return number;
}

static void constant_is_the_same_everywhere(void **state) {
    (void)state;
    ThawNumber number = {.constant = 9.81};
    assert_true(thaw_number_at(&number, &(ThawMoment){3, 4, 5, 6}) == 9.81);
    assert_false(thaw_number_varies(&number));
}

static void keys_are_joined_by_straight_lines(void **state) {
    (void)state;
    double keys[][2] = {{0, 1}, {2, 5}, {3, -1}};
    ThawNumber number = {.keys = keys, .key_count = 3};
    assert_true(at_time(&number, 0) == 1 && at_time(&number, 2) == 5 && at_time(&number, 3) == -1);
    assert_true(at_time(&number, 0.5) == 2 && at_time(&number, 1) == 3);
    assert_true(at_time(&number, 2.5) == 2);
    assert_true(thaw_number_varies(&number));
}

static void first_and_last_keys_are_held_outside(void **state) {
    (void)state;
    double keys[][2] = {{1, 7}, {2, 8}};
    ThawNumber number = {.keys = keys, .key_count = 2};
    assert_true(at_time(&number, -1e300) == 7 && at_time(&number, 0.999) == 7);
    assert_true(at_time(&number, 2.001) == 8 && at_time(&number, 1e300) == 8);
}

static void two_keys_at_one_time_make_a_jump(void **state) {
    (void)state;
    double keys[][2] = {{0, 1}, {1, 1}, {1, 5}, {2, 5}};
    ThawNumber number = {.keys = keys, .key_count = 4};
    assert_true(at_time(&number, 0.999) == 1 && at_time(&number, 1) == 5);
    assert_true(at_time(&number, 1.5) == 5);
}

static void many_keys_equal_the_walk_along_them(void **state) {
    (void)state;
    enum { COUNT = 41 };
    double keys[COUNT][2];
    for (int k = 0; k < COUNT; k++) {
        keys[k][0] = 0.25 * k;
        keys[k][1] = (k * 37) % 11;
    }
    ThawNumber number = {.keys = keys, .key_count = COUNT};
    for (int step = 0; step < 320; step++) {
        double t = step / 32.0;
        int k = step / 8;
        double s = (t - keys[k][0]) / 0.25;
        double wanted = k + 1 == COUNT ? keys[k][1] : keys[k][1] * (1 - s) + keys[k + 1][1] * s;
        assert_true(at_time(&number, t) == wanted);
    }
}

static void one_key_or_equal_keys_do_not_vary(void **state) {
    (void)state;
    double keys[][2] = {{0, 4}, {1, 4}, {2, 4}};
    ThawNumber number = {.keys = keys, .key_count = 3};
    assert_false(thaw_number_varies(&number));
    number.key_count = 1;
    assert_false(thaw_number_varies(&number));
    assert_true(at_time(&number, 17) == 4);
}

static void expressions_take_time_and_place_and_are_scaled(void **state) {
    (void)state;
    ThawNumber number = number_of("t + 10*x + 100*y + 1000*z", SCENE_VARIABLES, 0.5);
    assert_true(thaw_number_at(&number, &(ThawMoment){1, 2, 3, 4}) == 0.5 * 4321);
    assert_true(thaw_number_varies(&number));
    thaw_expression_free(number.expression);
}

static void expressions_without_variables_do_not_vary(void **state) {
    (void)state;
    ThawNumber number = number_of("2 * pi", 1, 1), moving = number_of("2 * t", 1, 1);
    assert_false(thaw_number_varies(&number));
    assert_true(thaw_number_varies(&moving));
    thaw_expression_free(number.expression);
    thaw_expression_free(moving.expression);
}

static void vectors_are_three_numbers(void **state) {
    (void)state;
    double keys[][2] = {{0, 0}, {1, 2}};
    ThawNumber3 vector = {{{.constant = 7}, {.keys = keys, .key_count = 2}, {.scale = 1}}};
    vector.axis[2] = number_of("-t", 1, 1);
    ThawVec3 value = thaw_number3_at(&vector, &(ThawMoment){.t = 0.25});
    assert_true(value.x == 7 && value.y == 0.5 && value.z == -0.25);
    thaw_expression_free(vector.axis[2].expression);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_is_the_same_everywhere),
        cmocka_unit_test(keys_are_joined_by_straight_lines),
        cmocka_unit_test(first_and_last_keys_are_held_outside),
        cmocka_unit_test(two_keys_at_one_time_make_a_jump),
        cmocka_unit_test(many_keys_equal_the_walk_along_them),
        cmocka_unit_test(one_key_or_equal_keys_do_not_vary),
        cmocka_unit_test(expressions_take_time_and_place_and_are_scaled),
        cmocka_unit_test(expressions_without_variables_do_not_vary),
        cmocka_unit_test(vectors_are_three_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
