// Quantities as text: values to the last bit, and a sentence for everything else.
#include "scene/units.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/scene.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define PI 3.14159265358979323846

typedef struct Case {
    const char *text;
    SceneDimension dimension;
    double si;
} Case;

// what is decimal must come out as if written in SI by hand
static const Case exact[] = {
    {"10", SCENE_LENGTH, 10},
    {"10 cm", SCENE_LENGTH, 0.1},
    {"9 mm", SCENE_LENGTH, 0.009},
    {"0.7 mm", SCENE_LENGTH, 0.0007},
    {"10cm", SCENE_LENGTH, 0.1},
    {"  10 cm\n", SCENE_LENGTH, 0.1},
    {"-10 cm", SCENE_LENGTH, -0.1},
    {"+10 cm", SCENE_LENGTH, 0.1},
    {"−10 cm", SCENE_LENGTH, -0.1},
    {".5 m", SCENE_LENGTH, 0.5},
    {"5. m", SCENE_LENGTH, 5},
    {"1e-3 km", SCENE_LENGTH, 1},
    {"1E+2 um", SCENE_LENGTH, 1e-4},
    {"5 µm", SCENE_LENGTH, 5e-6},
    {"5 μm", SCENE_LENGTH, 5e-6},
    {"3 nm", SCENE_LENGTH, 3e-9},
    {"2 dm", SCENE_LENGTH, 0.2},
    {"2 meters", SCENE_LENGTH, 2},
    {"1 in", SCENE_LENGTH, 0.0254},
    {"1 ft", SCENE_LENGTH, 0.3048},
    {"2 m^2/m", SCENE_LENGTH, 2},
    {"3 cm^2", SCENE_AREA, 3e-4},
    {"0.5 L", SCENE_VOLUME, 5e-4},
    {"250 ml", SCENE_VOLUME, 2.5e-4},
    {"20 ms", SCENE_TIME, 0.02},
    {"1 min", SCENE_TIME, 60},
    {"2 h", SCENE_TIME, 7200},
    {"24 fps", SCENE_FREQUENCY, 24},
    {"24 Hz", SCENE_FREQUENCY, 24},
    {"24 1/s", SCENE_FREQUENCY, 24},
    {"24 s^-1", SCENE_FREQUENCY, 24},
    {"24 s⁻¹", SCENE_FREQUENCY, 24},
    {"3 kHz", SCENE_FREQUENCY, 3000},
    {"250 g", SCENE_MASS, 0.25},
    {"3 kg", SCENE_MASS, 3},
    {"2 t", SCENE_MASS, 2000},
    {"1 g/cm^3", SCENE_DENSITY, 1000},
    {"0.92 g/cm³", SCENE_DENSITY, 920},
    {"1.2 kg/L", SCENE_DENSITY, 1200},
    {"3 mm/s", SCENE_VELOCITY, 0.003},
    {"36 km/h", SCENE_VELOCITY, 10},
    {"9.81 m/s^2", SCENE_ACCELERATION, 9.81},
    {"9.81 m/s/s", SCENE_ACCELERATION, 9.81},
    {"9.81 m s^-2", SCENE_ACCELERATION, 9.81},
    {"9.81 N/kg", SCENE_ACCELERATION, 9.81},
    {"9.81 m·s⁻²", SCENE_ACCELERATION, 9.81},
    {"180 deg", SCENE_ANGLE, PI},
    {"90°", SCENE_ANGLE, PI / 2},
    {"1 turn", SCENE_ANGLE, 2 * PI},
    {"2 rad", SCENE_ANGLE, 2},
    {"30 rpm", SCENE_ANGULAR_VELOCITY, PI},
    {"180 deg/s", SCENE_ANGULAR_VELOCITY, PI},
    {"1 cSt", SCENE_KINEMATIC_VISCOSITY, 1e-6},
    {"1e-6 m^2/s", SCENE_KINEMATIC_VISCOSITY, 1e-6},
    {"1 mm^2/s", SCENE_KINEMATIC_VISCOSITY, 1e-6},
    {"1 mPa s", SCENE_DYNAMIC_VISCOSITY, 1e-3},
    {"1 cP", SCENE_DYNAMIC_VISCOSITY, 1e-3},
    {"3 N", SCENE_FORCE, 3},
    {"2 kPa", SCENE_PRESSURE, 2000},
    {"1 bar", SCENE_PRESSURE, 1e5},
    {"1 hPa", SCENE_PRESSURE, 100},
    {"1 atm", SCENE_PRESSURE, 101325},
    {"3 GPa", SCENE_PRESSURE, 3e9},
    {"72 mN/m", SCENE_SURFACE_TENSION, 0.072},
    {"5 kJ", SCENE_ENERGY, 5000},
    {"5 N m", SCENE_ENERGY, 5},
    {"1 cal", SCENE_ENERGY, 4.184},
    {"100 W", SCENE_POWER, 100},
    {"300", SCENE_TEMPERATURE, 300},
    {"300 K", SCENE_TEMPERATURE, 300},
    {"25 C", SCENE_TEMPERATURE, 298.15},
    {"25 °C", SCENE_TEMPERATURE, 298.15},
    {"25 degC", SCENE_TEMPERATURE, 298.15},
    {"0 C", SCENE_TEMPERATURE, 273.15},
    {"-40 C", SCENE_TEMPERATURE, 273.15 - 40},
    {"-40 F", SCENE_TEMPERATURE, 273.15 - 40},
    {"77 F", SCENE_TEMPERATURE, 298.15},
    {"0.6 W/(m K)", SCENE_CONDUCTIVITY, 0.6},
    {"0.6 W/m/K", SCENE_CONDUCTIVITY, 0.6},
    {"0.6 W m^-1 K^-1", SCENE_CONDUCTIVITY, 0.6},
    {"4.2 kJ/(kg K)", SCENE_SPECIFIC_HEAT, 4200},
    {"334 kJ/kg", SCENE_LATENT_HEAT, 334000},
    {"20 W/(m^2 K)", SCENE_HEAT_TRANSFER, 20},
    {"2e-4 1/K", SCENE_THERMAL_EXPANSION, 2e-4},
    {"3 L/s", SCENE_VOLUME_FLOW, 0.003},
    {"10 g/s", SCENE_MASS_FLOW, 0.01},
    {"5 %", SCENE_NUMBER, 0.05},
    {"5 percent", SCENE_NUMBER, 0.05},
    {"3 mm/m", SCENE_NUMBER, 0.003},
    {"1e-400", SCENE_NUMBER, 0},
    {"0e99999999999999999999", SCENE_NUMBER, 0},
};

static bool parse(const char *text, SceneDimension dimension, double *si, char *error) {
    return scene_parse_quantity(text, strlen(text), dimension, si, error);
}

static void quantities_are_read_to_the_last_bit(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(exact); k++) {
        double si = NAN;
        char error[SCENE_UNIT_ERROR] = "";
        if (!parse(exact[k].text, exact[k].dimension, &si, error) || si != exact[k].si) {
            fail_msg("'%s' gives %.17g, not %.17g: %s", exact[k].text, si, exact[k].si, error);
        }
    }
}

static const struct {
    const char *text;
    SceneDimension dimension;
    const char *error;
} wrong[] = {
    {"3 kg", SCENE_LENGTH, "'3 kg' is a mass; a length is wanted, like 10 cm"},
    {"3 m", SCENE_NUMBER, "'3 m' is a length; a plain number is wanted, like 0.5 or 50 %"},
    {"5 %", SCENE_TIME, "'5 %' is a plain number; a time is wanted, like 20 ms"},
    {"25 C", SCENE_LENGTH, "'25 C' is a temperature; a length is wanted, like 10 cm"},
    {"1 cP", SCENE_KINEMATIC_VISCOSITY,
     "'1 cP' is a dynamic viscosity; a kinematic viscosity is wanted, like 1 cSt"},
    {"3 Hz", SCENE_ANGULAR_VELOCITY,
     "'3 Hz' is a frequency; an angular velocity is wanted, like 30 rpm"},
    {"0.6 W/mK", SCENE_CONDUCTIVITY,
     "'0.6 W/mK' is in kg m^2/(s^3 K); a conductivity is wanted, like 0.6 W/(m K)"},
    {"3 m^-4", SCENE_LENGTH, "'3 m^-4' is in 1/m^4; a length is wanted, like 10 cm"},
    {"1 W/(m C)", SCENE_CONDUCTIVITY,
     "C is a point on a scale and stands alone; write K in a unit"},
    {"10 cmm", SCENE_LENGTH, "unknown unit 'cmm'; did you mean 'cm'?"},
    {"10 CM", SCENE_LENGTH, "unknown unit 'CM'; did you mean 'cm'?"},
    {"10 metrs", SCENE_LENGTH, "unknown unit 'metrs'; did you mean 'metre'?"},
    {"10 parsec", SCENE_LENGTH, "unknown unit 'parsec'; a length is wanted, like 10 cm"},
    {"10 kmin", SCENE_TIME, "unknown unit 'kmin'; did you mean 'min'?"},
    {"abc", SCENE_LENGTH, "'abc' is not a number; a length is wanted, like 10 cm"},
    {"cm", SCENE_LENGTH, "'cm' is not a number; a length is wanted, like 10 cm"},
    {"", SCENE_LENGTH, "the text is empty; a length is wanted, like 10 cm"},
    {" ", SCENE_LENGTH, "the text is empty; a length is wanted, like 10 cm"},
    {"-", SCENE_NUMBER, "'-' is not a number; a plain number is wanted, like 0.5 or 50 %"},
    {".", SCENE_NUMBER, "'.' is not a number; a plain number is wanted, like 0.5 or 50 %"},
    {"inf", SCENE_NUMBER, "'inf' is not a number; a plain number is wanted, like 0.5 or 50 %"},
    {"nan", SCENE_NUMBER, "'nan' is not a number; a plain number is wanted, like 0.5 or 50 %"},
    {"a\tb\1", SCENE_NUMBER, "'a?b?' is not a number; a plain number is wanted, like 0.5 or 50 %"},
    {"0x10", SCENE_NUMBER, "unknown unit 'x'; a plain number is wanted, like 0.5 or 50 %"},
    {"1e400 m", SCENE_LENGTH, "'1e400 m' is too large"},
    {"1e308 km", SCENE_LENGTH, "'1e308 km' is too large"},
    {"5 1", SCENE_NUMBER, "a unit is wanted before '1'"},
    {"5 m/", SCENE_LENGTH, "the unit is not complete"},
    {"5 m^", SCENE_LENGTH, "the power of a unit is a whole number from -9 to 9"},
    {"5 m^0.5", SCENE_LENGTH, "the power of a unit is a whole number from -9 to 9"},
    {"5 m^10", SCENE_LENGTH, "the power of a unit is a whole number from -9 to 9"},
    {"5 (m^5)^5", SCENE_LENGTH, "the powers of the unit are too large"},
    {"5 (m", SCENE_LENGTH, "a ')' is missing in the unit"},
    {"5 m)", SCENE_LENGTH, "the unit has a ')' too many"},
    {"5 ((((((((((m))))))))))", SCENE_LENGTH, "too many brackets in a unit"},
    {"10 m + 5 m", SCENE_LENGTH, "a unit is wanted before '+ 5 m'"},
};

static void wrong_quantities_are_refused_with_a_sentence(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        double si = 42;
        char error[SCENE_UNIT_ERROR] = "";
        assert_false(parse(wrong[k].text, wrong[k].dimension, &si, error));
        assert_string_equal(error, wrong[k].error);
        assert_true(si == 42);
        assert_false(parse(wrong[k].text, wrong[k].dimension, &si, NULL));
    }
}

static void long_texts_are_refused_and_quoted_short(void **state) {
    (void)state;
    char text[600], error[SCENE_UNIT_ERROR];
    double si;
    memset(text, '1', sizeof text);
    assert_false(scene_parse_quantity(text, sizeof text, SCENE_NUMBER, &si, error));
    assert_string_equal(error, "the number is too long");
    for (size_t k = 0; k < 120; k += 2) memcpy(text + k, "ü", 2);
    assert_false(scene_parse_quantity(text, 119, SCENE_NUMBER, &si, error));
    assert_int_equal(strspn(error + 1, "ü"), 40); // not cut within a letter
    assert_non_null(strstr(error, "...' is not a number"));
}

// every sentence fits: the longest parts together
static void longest_sentence_is_not_cut(void **state) {
    (void)state;
    double si;
    char error[SCENE_UNIT_ERROR];
    const char *text = "1.00000000000000000000000000000000000000000000000000000 W/(m^2 K)";
    assert_false(parse(text, SCENE_SPECIFIC_HEAT, &si, error));
    assert_non_null(strstr(error, "like 4.2 kJ/(kg K)"));
}

static void only_the_given_bytes_are_read(void **state) {
    (void)state;
    double si;
    assert_true(scene_parse_quantity("10 cmx", 5, SCENE_LENGTH, &si, NULL) && si == 0.1);
    assert_true(scene_parse_quantity("123", 2, SCENE_NUMBER, &si, NULL) && si == 12);
    char *bare = malloc(4); // no zero behind it, so that a sanitizer sees a read too far
    assert_non_null(bare);
    memcpy(bare, "10 m", 4);
    assert_true(scene_parse_quantity(bare, 4, SCENE_LENGTH, &si, NULL) && si == 10);
    assert_true(scene_is_quantity(bare, 4));
    free(bare);
    assert_false(scene_parse_quantity("1\0 m", 4, SCENE_LENGTH, &si, NULL));
}

static void quantities_are_told_from_expressions(void **state) {
    (void)state;
    static const char *const quantities[] = {"10",         "10 cm",  "-5",      "5 %",
                                             "10 parsec",  "24 1/s", "20°",     "−5 µm",
                                             "1e-6 m^2/s", "2t",     "3 orbits"};
    static const char *const expressions[] = {"",       "t",   "2 * t", "5 % 3",  "-t",
                                              "1 or t", "(2)", "2(t)",  "2/3",    "1 and t",
                                              "pi",     "2^3", "1 < 2", "sin(t)", "5 1"};
    for (size_t k = 0; k < COUNT(quantities); k++) {
        if (!scene_is_quantity(quantities[k], strlen(quantities[k]))) fail_msg("%s", quantities[k]);
    }
    for (size_t k = 0; k < COUNT(expressions); k++) {
        if (scene_is_quantity(expressions[k], strlen(expressions[k])))
            fail_msg("%s", expressions[k]);
    }
}

static void every_dimension_reads_its_own_unit_and_example(void **state) {
    (void)state;
    for (int k = 0; k < SCENE_DIMENSIONS; k++) {
        SceneDimension dimension = (SceneDimension)k;
        char text[64];
        double si;
        snprintf(text, sizeof text, "3 %s", scene_dimension_unit(dimension));
        assert_true(parse(text, dimension, &si, NULL));
        assert_true(si == 3);
        if (k != SCENE_NUMBER) { // its example shows two
            assert_true(parse(scene_dimension_example(dimension), dimension, &si, NULL));
        }
        assert_int_equal(scene_dimension_of(scene_dimension_unit(dimension)), dimension);
        // no other dimension takes it
        for (int other = 0; other < SCENE_DIMENSIONS && k != SCENE_NUMBER; other++) {
            assert_true(parse(text, (SceneDimension)other, &si, NULL) == (other == k));
        }
    }
    assert_int_equal(scene_dimension_of("furlong"), SCENE_DIMENSIONS);
}

static void numbers_equal_those_of_the_c_library(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",
        "1",
        "0.1",
        "123456789.123456789",
        "1e308",
        "4.9e-324",
        "2.2250738585072011e-308",
        "1e-5",
        "00012.500",
        "0.000000000000000000000000000000000000123",
        "9007199254740993",
        "17976931348623157000000000000000000000000000000000000000000"};
    for (size_t k = 0; k < COUNT(texts); k++) {
        double value = NAN;
        assert_int_equal(scene_scan_number(texts[k], strlen(texts[k]), &value), strlen(texts[k]));
        assert_true(value == strtod(texts[k], NULL));
    }
}

static void numbers_longer_than_any_double_keep_their_size(void **state) {
    (void)state;
    char text[1000] = "0.";
    double value;
    memset(text + 2, '0', 500);
    strcpy(text + 502, "25e501");
    assert_int_equal(scene_scan_number(text, strlen(text), &value), strlen(text));
    assert_true(value == 2.5);
    memset(text, '7', 900);
    strcpy(text + 900, "e-899");
    assert_int_equal(scene_scan_number(text, strlen(text), &value), strlen(text));
    assert_true(fabs(value - 70.0 / 9.0) < 1e-14);
}

static void numbers_stop_where_they_end(void **state) {
    (void)state;
    double value;
    assert_int_equal(scene_scan_number("1e", 2, &value), 1);
    assert_int_equal(scene_scan_number("1e+", 3, &value), 1);
    assert_int_equal(scene_scan_number("1.2.3", 5, &value), 3);
    assert_int_equal(scene_scan_number("-1", 2, &value), 0);
    assert_int_equal(scene_scan_number("e5", 2, &value), 0);
    assert_int_equal(scene_scan_number("", 0, &value), 0);
}

static void locale_does_not_matter(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "cs_CZ.UTF-8"};
    size_t k = 0;
    while (k < COUNT(names) && setlocale(LC_NUMERIC, names[k]) == NULL) k++;
    if (k == COUNT(names)) skip(); // no such locale on this machine
    double si = 0;
    bool read = parse("1.5 mm", SCENE_LENGTH, &si, NULL);
    setlocale(LC_NUMERIC, "C");
    assert_true(read && si == 0.0015);
}

static void help_names_every_dimension_and_is_whole(void **state) {
    (void)state;
    char *page = thaw_unit_help();
    assert_non_null(page);
    for (int k = 0; k < SCENE_DIMENSIONS; k++) {
        assert_non_null(strstr(page, scene_dimension_example((SceneDimension)k)));
    }
    // the last row is there, so nothing was cut
    assert_string_equal(page + strlen(page) - strlen("giga\n"), "giga\n");
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_read_to_the_last_bit),
        cmocka_unit_test(wrong_quantities_are_refused_with_a_sentence),
        cmocka_unit_test(long_texts_are_refused_and_quoted_short),
        cmocka_unit_test(longest_sentence_is_not_cut),
        cmocka_unit_test(only_the_given_bytes_are_read),
        cmocka_unit_test(quantities_are_told_from_expressions),
        cmocka_unit_test(every_dimension_reads_its_own_unit_and_example),
        cmocka_unit_test(numbers_equal_those_of_the_c_library),
        cmocka_unit_test(numbers_longer_than_any_double_keep_their_size),
        cmocka_unit_test(numbers_stop_where_they_end),
        cmocka_unit_test(locale_does_not_matter),
        cmocka_unit_test(help_names_every_dimension_and_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
