// Suggestions for misspelt words: slips are found, guesses are not made.
#include "scene/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const keys[] = {"viscosity", "density",   "spacing", "gravity",
                                   "center",    "container", "size",    "up"};
#define KEYS ((int)(sizeof keys / sizeof keys[0]))

static void one_slip_of_each_kind_is_found(void **state) {
    (void)state;
    assert_string_equal(scene_suggest("viscosty", keys, KEYS), "viscosity");   // lost
    assert_string_equal(scene_suggest("visccosity", keys, KEYS), "viscosity"); // added
    assert_string_equal(scene_suggest("viskosity", keys, KEYS), "viscosity");  // changed
    assert_string_equal(scene_suggest("vsicosity", keys, KEYS), "viscosity");  // swapped
    assert_string_equal(scene_suggest("Viscosity", keys, KEYS), "viscosity");  // case
}

static void swapped_letters_are_one_slip(void **state) {
    (void)state;
    assert_int_equal(scene_slips("tiem", "time", 4), 1);
    assert_int_equal(scene_slips("ab", "ba", 4), 1);
    assert_int_equal(scene_slips("centre", "center", 4), 1);
}

static void slips_are_counted_both_ways_alike(void **state) {
    (void)state;
    static const char *const words[] = {"",       "a",      "kitten", "sitting",
                                        "abcdef", "badcfe", "gravity"};
    static const struct {
        const char *a, *b;
        int slips;
    } known[] = {
        {"kitten", "sitting", 3}, {"abcdef", "badcfe", 3}, {"", "abcdef", 6}, {"a", "a", 0}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        assert_int_equal(scene_slips(known[k].a, known[k].b, 9), known[k].slips);
    }
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            assert_int_equal(scene_slips(words[i], words[j], 9),
                             scene_slips(words[j], words[i], 9));
        }
    }
}

static void slips_beyond_the_limit_are_not_told_apart(void **state) {
    (void)state;
    assert_int_equal(scene_slips("kitten", "sitting", 2), 3);
    assert_int_equal(scene_slips("kitten", "zzzzzzzzzzzz", 2), 3);
    char longest[400];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(scene_slips(longest, longest, 2), 3);
    assert_null(scene_suggest(longest, keys, KEYS));
}

static void words_far_from_all_get_no_suggestion(void **state) {
    (void)state;
    assert_null(scene_suggest("banana", keys, KEYS));
    assert_null(scene_suggest("x", keys, KEYS));
    assert_null(scene_suggest("", keys, KEYS));
    assert_null(scene_suggest("density", keys, 0));
}

static void nearest_word_wins_over_a_near_one(void **state) {
    (void)state;
    static const char *const words[] = {"sign", "sin", "asin", NULL, "string"};
    assert_string_equal(scene_suggest("sinn", words, 5), "sin"); // tied with sign, shares more
    assert_string_equal(scene_suggest("asinn", words, 5), "asin");
    assert_string_equal(scene_suggest("strin", words, 5), "string");
}

static void beginning_of_one_word_suggests_it(void **state) {
    (void)state;
    assert_string_equal(scene_suggest("visc", keys, KEYS), "viscosity");
    assert_string_equal(scene_suggest("contain", keys, KEYS), "container");
    static const char *const two[] = {"friction", "frictionless"};
    assert_null(scene_suggest("fri", two, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slip_of_each_kind_is_found),
        cmocka_unit_test(swapped_letters_are_one_slip),
        cmocka_unit_test(slips_are_counted_both_ways_alike),
        cmocka_unit_test(slips_beyond_the_limit_are_not_told_apart),
        cmocka_unit_test(words_far_from_all_get_no_suggestion),
        cmocka_unit_test(nearest_word_wins_over_a_near_one),
        cmocka_unit_test(beginning_of_one_word_suggests_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
