// Expressions: a table of cases, every complaint, limits, and a twin that evaluates the text directly.
#include <thaw/expression.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "math/random.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define PI 3.14159265358979323846

static const char *const names[] = {"t", "x", "y", "z"};
static const double values[] = {0.5, 2, 3, -4};

static ThawExpression *compile(const char *text) {
    ThawExpression *expression = NULL;
    ThawExpressionError error = {0};
    if (thaw_expression_compile(text, names, 4, &expression, &error) != THAW_OK) {
        fail_msg("'%s', byte %zu: %s", text, error.offset, error.text);
    }
    return expression;
}

static double evaluate(const char *text) {
    ThawExpression *expression = compile(text);
    double value = thaw_expression_evaluate(expression, values);
    thaw_expression_free(expression);
    return value;
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

// ---------------------------------------------------------------- values

static const struct {
    const char *text;
    double value;
} cases[] = {
    // numbers and names
    {"1", 1},
    {"1.5", 1.5},
    {".5", 0.5},
    {"5.", 5},
    {"1e3", 1000},
    {"2E-2", 0.02},
    {"1e+2", 100},
    {"0.1", 0.1},
    {"\t 7 \n", 7},
    {"t", 0.5},
    {"x", 2},
    {"z", -4},
    {"pi", PI},
    {"e", 2.71828182845904523536},
    {"e + 1e1", 12.71828182845904523536},
    // arithmetic
    {"1 + 2", 3},
    {"1+2*3", 7},
    {"(1+2)*3", 9},
    {"7-3-2", 2},
    {"7-(3-2)", 6},
    {"16/4/2", 2},
    {"2*3/4", 1.5},
    {"2/4*3", 1.5},
    {"1/0", INFINITY},
    {"-1/0", -INFINITY},
    {"0/0", NAN},
    {"7 % 3", 1},
    {"-7 % 3", 2},
    {"7 % -3", -2},
    {"-7 % -3", -1},
    {"7.5 % 2", 1.5},
    {"6 % 3", 0},
    {"1 % 0", NAN},
    {"2 * 7 % 4", 2},
    {"x * y + z", 2},
    {"x - -y", 5},
    {"x - - - y", -1},
    {"+x", 2},
    {"- + - x", 2},
    // powers
    {"2^10", 1024},
    {"2^3^2", 512},
    {"(2^3)^2", 64},
    {"-2^2", -4},
    {"(-2)^2", 4},
    {"2^-1", 0.5},
    {"2^-2^2", 0.0625},
    {"-2^-2", -0.25},
    {"2*3^2", 18},
    {"2^0.5 == sqrt(2)", 1},
    {"(-8)^(1/3)", NAN},
    {"0^0", 1},
    {"-x^2", -4},
    {"2^x*3", 12},
    // comparison and logic
    {"1 < 2", 1},
    {"2 < 1", 0},
    {"2 <= 2", 1},
    {"2 > 2", 0},
    {"2 >= 2", 1},
    {"2 == 2", 1},
    {"2 != 2", 0},
    {"0/0 == 0/0", 0},
    {"0/0 != 0/0", 1},
    {"1 + 1 == 2", 1},
    {"1 < 2 and 2 < 3", 1},
    {"1 < 2 and 3 < 2", 0},
    {"1 > 2 or 2 > 1", 1},
    {"0 or 0", 0},
    {"5 and 7", 1},
    {"0 and 1 or 1", 1},
    {"1 or 1 and 0", 1},
    {"(1 or 1) and 0", 0},
    {"not 0", 1},
    {"not 3", 0},
    {"not 1 == 2", 1},
    {"not not 5", 1},
    {"not 0 and 0", 0},
    {"1 and not 0", 1},
    {"(not 0) + 1", 2},
    {"-(1 < 2)", -1},
    {"(1 < 2) + (2 < 3)", 2},
    {"(1 < 2) == (3 < 4)", 1},
    // choice
    {"1 ? 2 : 3", 2},
    {"0 ? 2 : 3", 3},
    {"x > 1 ? y : z", 3},
    {"0 ? 1 : 0 ? 2 : 3", 3},
    {"1 ? 0 ? 4 : 5 : 6", 5},
    {"0 ? 1 : 1 ? 2 : 3", 2},
    {"1 or 0 ? 2 : 3", 2},
    {"1 ? 2 : 3 + 10", 2},
    {"(1 ? 2 : 3) + 10", 12},
    {"x > 0 ? sqrt(x*x) : 0/0", 2},
    {"x < 0 ? 0/0 : 1", 1},
    // functions
    {"abs(-3)", 3},
    {"sign(-3) + sign(0) * 10 + sign(7) * 100", 99},
    {"floor(-1.5)", -2},
    {"ceil(-1.5)", -1},
    {"round(2.5)", 3},
    {"round(-2.5)", -3},
    {"round(2.4)", 2},
    {"sqrt(9)", 3},
    {"sqrt(-1)", NAN},
    {"exp(0)", 1},
    {"log(1)", 0},
    {"log(0)", -INFINITY},
    {"sin(0)", 0},
    {"cos(0)", 1},
    {"tan(0)", 0},
    {"asin(1)", PI / 2},
    {"acos(1)", 0},
    {"atan(1)", PI / 4},
    {"atan2(1, -1)", 3 * PI / 4},
    {"atan2(-1, 0)", -PI / 2},
    {"hypot(3, 4)", 5},
    {"hypot(2, 3, 6)", 7},
    {"min(3, 1)", 1},
    {"max(3, 1)", 3},
    {"min(5, 4, 3, 2, 6)", 2},
    {"max(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)", 16},
    {"min(1, 0/0)", NAN},
    {"min(0/0, 1)", NAN},
    {"max(1, 0/0, 2)", NAN},
    {"clamp(5, 0, 1)", 1},
    {"clamp(-5, 0, 1)", 0},
    {"clamp(0.25, 0, 1)", 0.25},
    {"clamp(0/0, 0, 1)", NAN},
    {"mix(2, 6, 0)", 2},
    {"mix(2, 6, 1)", 6},
    {"mix(2, 6, 0.25)", 3},
    {"step(1, 0.99)", 0},
    {"step(1, 1)", 1},
    {"smoothstep(1, 3, 0)", 0},
    {"smoothstep(1, 3, 2)", 0.5},
    {"smoothstep(1, 3, 1.5)", 0.15625},
    {"smoothstep(1, 3, 9)", 1},
    {"smoothstep(3, 1, 1.5)", 0.84375},
    {"ramp(1, 3, 0)", 0},
    {"ramp(1, 3, 1.5)", 0.25},
    {"ramp(1, 3, 4)", 1},
    {"ramp(1, 1, 0.5)", 0},
    {"ramp(1, 1, 1)", 1},
    {"pulse(1, 2, 0.5)", 0},
    {"pulse(1, 2, 1)", 1},
    {"pulse(1, 2, 2)", 0},
    {"min(max(1, 2), abs(-3))", 2},
    {"noise(3)", 0},
    {"noise(-3, 4, 7)", 0},
    {"noise(1/0)", NAN},
    {"random(0/0)", NAN},
};

static void cases_have_their_values(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        double value = evaluate(cases[k].text);
        if (!same(value, cases[k].value)) {
            fail_msg("%s gives %.17g, not %.17g", cases[k].text, value, cases[k].value);
        }
    }
}

// folding works out constants when compiling; the same text with variables does not
static void constants_worked_out_early_change_no_bit(void **state) {
    (void)state;
    static const char *const constant[] = {
        "sin(0.5) * 3 ^ 0.5 - exp(2) / log(3)", "0.5 < 2 and 3 > -4 ? mix(2, 3, 0.5) : -4",
        "hypot(2, 3, -4) % 0.5 + atan2(3, 2)", "noise(0.5, 2 / 3, -4.25) + random(0.5, 2, 3)"};
    static const char *const variable[] = {
        "sin(t) * y ^ t - exp(x) / log(y)", "t < x and y > z ? mix(x, y, t) : z",
        "hypot(x, y, z) % t + atan2(y, x)", "noise(t, x / y, z - t / x) + random(t, x, y)"};
    for (size_t k = 0; k < COUNT(constant); k++) {
        assert_true(evaluate(constant[k]) == evaluate(variable[k]));
    }
}

// ---------------------------------------------------------------- complaints

static const struct {
    const char *text;
    size_t offset;
    const char *error;
} wrong[] = {
    {"", 0, "the expression is empty"},
    {"   ", 3, "the expression is empty"},
    {"tiem", 0, "unknown name 'tiem'; did you mean 't'?"},
    {"1 + time", 4, "unknown name 'time'; did you mean 't'?"},
    {"2 * sinn(t)", 4, "unknown name 'sinn'; did you mean 'sin'?"},
    {"Sin(t)", 0, "unknown name 'Sin'; did you mean 'sin'?"},
    {"smothstep(0, 1, t)", 0, "unknown name 'smothstep'; did you mean 'smoothstep'?"},
    {"pow(2, 3)", 0, "unknown name 'pow'; did you mean '^'?"},
    {"lerp(1, 2, t)", 0, "unknown name 'lerp'; did you mean 'mix'?"},
    {"lenght(x, y)", 0, "unknown name 'lenght'; did you mean 'hypot'?"},
    {"foo", 0, "unknown name 'foo'; the variables are t, x, y, z"},
    {"X", 0, "unknown name 'X'; did you mean 'x'?"},
    {"clamp(1)", 0, "clamp does not take 1 argument; it is clamp(x, low, high)"},
    {"1 + max()", 4, "max does not take 0 arguments; it is max(a, b, ...)"},
    {"atan2(1, 2, 3)", 0, "atan2 does not take 3 arguments; it is atan2(y, x)"},
    {"sin t", 0, "sin is a function and needs brackets: sin(x)"},
    {"t(3)", 0, "'t' is not a function; to multiply write 't * ('"},
    {"pi(3)", 0, "'pi' is not a function; to multiply write 'pi * ('"},
    {"2t", 1, "an operator is missing here"},
    {"2(t)", 1, "an operator is missing here"},
    {"1 2", 2, "an operator is missing here"},
    {"(1 2)", 3, "an operator is missing here"},
    {"sin(t y)", 6, "an operator is missing here"},
    {"1..2", 2, "an operator is missing here"},
    {"(1 + 2", 6, "a ')' is missing for the '(' of byte 0"},
    {"sin(1 + 2", 9, "a ')' is missing for the '(' of byte 3"},
    {"1 + 2)", 5, "there is a ')' too many"},
    {"1, 2", 1, "',' does not belong here"},
    {"1 : 2", 2, "':' does not belong here"},
    {"t ? 1", 5, "a ':' is missing for the '?' of byte 2"},
    {"1 +", 3, "the expression stops too early"},
    {"(", 1, "the expression stops too early"},
    {"not", 3, "the expression stops too early"},
    {"* 2", 0, "a value is missing before '*'"},
    {"1 + * 2", 4, "a value is missing before '*'"},
    {"()", 1, "a value is missing before ')'"},
    {"min(1,)", 6, "a value is missing before ')'"},
    {"1 and or 2", 6, "a value is missing before 'or'"},
    {"0 < x < 1", 6, "comparisons do not chain; write a < b and b < c"},
    {"0 == x == 1", 7, "comparisons do not chain; write a < b and b < c"},
    {"2 * not x", 4, "put 'not ...' in brackets here"},
    {"x && y", 2, "'&&' is written 'and' here"},
    {"x || y", 2, "'||' is written 'or' here"},
    {"!x", 0, "'!' is written 'not' here"},
    {"x = 1", 2, "'=' is written '==' here"},
    {"x ** 2", 2, "'**' is written '^' here"},
    {"1e999", 0, "the number is too large"},
    {"1 + .", 4, "a number has digits beside its point"},
    {"x $ y", 2, "'$' is not part of an expression"},
    {"2 × 3", 2, "'×' is not part of an expression"},
    {"2 \x01", 2, "character 1 is not part of an expression"},
    {"a_very_long_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_", 0,
     "the name is too long"},
};

static void wrong_texts_are_refused_with_place_and_sentence(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        ThawExpression *expression = (ThawExpression *)&wrong;
        ThawExpressionError error = {99, ""};
        assert_int_equal(thaw_expression_compile(wrong[k].text, names, 4, &expression, &error),
                         THAW_BAD_INPUT);
        assert_string_equal(error.text, wrong[k].error);
        if (error.offset != wrong[k].offset) fail_msg("'%s': %zu", wrong[k].text, error.offset);
        assert_null(expression);
        assert_non_null(strstr(thaw_error_text(), wrong[k].error));
        assert_int_equal(thaw_expression_compile(wrong[k].text, names, 4, &expression, NULL),
                         THAW_BAD_INPUT);
    }
}

static void suggestions_keep_to_the_variables_offered(void **state) {
    (void)state;
    static const char *const other[] = {"speed"};
    ThawExpression *expression;
    ThawExpressionError error;
    assert_int_equal(thaw_expression_compile("spede + 1", other, 1, &expression, &error),
                     THAW_BAD_INPUT);
    assert_string_equal(error.text, "unknown name 'spede'; did you mean 'speed'?");
    assert_int_equal(thaw_expression_compile("t", other, 1, &expression, &error), THAW_BAD_INPUT);
    assert_string_equal(error.text, "unknown name 't'; the only variable is speed");
    assert_int_equal(thaw_expression_compile("time", NULL, 0, &expression, &error), THAW_BAD_INPUT);
    assert_string_equal(error.text, "unknown name 'time'");
}

static void variables_hide_constants_and_functions(void **state) {
    (void)state;
    static const char *const odd[] = {"e", "step", "pi"};
    ThawExpression *expression;
    assert_int_equal(thaw_expression_compile("e + 10*step + 100*pi", odd, 3, &expression, NULL),
                     THAW_OK);
    assert_true(thaw_expression_evaluate(expression, (double[]){1, 2, 3}) == 321);
    thaw_expression_free(expression);
}

// ---------------------------------------------------------------- limits

// text of `count` copies of a, then b, then `count` copies of c
static void repeat(char *text, int count, const char *a, const char *b, const char *c) {
    text[0] = '\0';
    for (int k = 0; k < count; k++) strcat(text, a);
    strcat(text, b);
    for (int k = 0; k < count; k++) strcat(text, c);
}

static void nesting_is_bounded(void **state) {
    (void)state;
    static const char *const forms[][3] = {{"(", "1", ")"},   {"-", "1", ""},     {"2^", "1", ""},
                                           {"1?2:", "1", ""}, {"abs(", "1", ")"}, {"not ", "1", ""},
                                           {"1?", "1", ":2"}, {"1-(", "1", ")"}};
    for (size_t k = 0; k < COUNT(forms); k++) {
        char text[4096];
        ThawExpression *expression;
        ThawExpressionError error;
        repeat(text, 30, forms[k][0], forms[k][1], forms[k][2]);
        thaw_expression_free(compile(text));
        repeat(text, 70, forms[k][0], forms[k][1], forms[k][2]);
        assert_int_equal(thaw_expression_compile(text, names, 4, &expression, &error),
                         THAW_BAD_INPUT);
        assert_string_equal(error.text, "the expression is nested too deeply");
    }
}

// many waiting values without much nesting: max(x, x, ... max(x, x, ...
static void waiting_values_are_bounded(void **state) {
    (void)state;
    char text[4096];
    ThawExpression *expression;
    repeat(text, 7, "max(x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,", "1", ")");
    thaw_expression_free(compile(text));
    repeat(text, 12, "max(x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,", "1", ")");
    assert_int_equal(thaw_expression_compile(text, names, 4, &expression, NULL), THAW_BAD_INPUT);
}

static void long_flat_texts_are_fine_up_to_the_limit(void **state) {
    (void)state;
    char text[4200];
    ThawExpression *expression;
    ThawExpressionError error;
    memset(text, 0, sizeof text);
    text[0] = '1';
    for (int k = 1; k < 4095; k += 2) memcpy(text + k, "+1", 2);
    assert_int_equal(strlen(text), 4095);
    assert_true(evaluate(text) == 2048);
    for (int k = 0; k < 4095; k += 2) text[k] = 'x'; // nothing to work out early
    assert_true(evaluate(text) == 4096);
    memset(text, ' ', 4096);
    assert_int_equal(strlen(text), 4096);
    text[4095] = '7';
    assert_true(evaluate(text) == 7);
    text[4096] = ' ';
    assert_int_equal(thaw_expression_compile(text, names, 4, &expression, &error), THAW_BAD_INPUT);
    assert_string_equal(error.text, "an expression has at most 4096 bytes");
}

static void evaluation_allocates_nothing(void **state) {
    (void)state;
    ThawExpression *expression = compile("max(noise(x, y, z), sin(t) ^ 2, random(x))");
    uint64_t before = thaw_alloc_count();
    for (int k = 0; k < 100; k++) thaw_expression_evaluate(expression, values);
    assert_int_equal(thaw_alloc_count(), before);
    thaw_expression_free(expression);
}

static void uses_names_the_variables_of_the_text(void **state) {
    (void)state;
    ThawExpression *expression = compile("0 * t + sin(z)");
    assert_true(thaw_expression_uses(expression, 0));
    assert_false(thaw_expression_uses(expression, 1));
    assert_false(thaw_expression_uses(expression, 2));
    assert_true(thaw_expression_uses(expression, 3));
    assert_false(thaw_expression_uses(expression, 17));
    assert_false(thaw_expression_uses(expression, -1));
    thaw_expression_free(expression);
    thaw_expression_free(NULL);
}

static void every_listed_function_is_known_by_its_name(void **state) {
    (void)state;
    int count = 0;
    const char *meaning = NULL, *signature;
    for (; (signature = thaw_expression_function(count, &meaning)) != NULL; count++) {
        char text[64];
        ThawExpression *expression;
        ThawExpressionError error;
        assert_true(strlen(meaning) > 3);
        assert_non_null(strchr(signature, '('));
        // without arguments each one complains of that, and not of its name
        snprintf(text, sizeof text, "%.*s()", (int)strcspn(signature, "("), signature);
        assert_int_equal(thaw_expression_compile(text, NULL, 0, &expression, &error),
                         THAW_BAD_INPUT);
        assert_non_null(strstr(error.text, "does not take 0 arguments"));
        assert_non_null(strstr(error.text, signature)); // not cut off
    }
    assert_int_equal(count, 26);
    assert_null(thaw_expression_function(-1, NULL));
}

// ---------------------------------------------------------------- chance

// scenes must look the same in every version: these values may never change
static void chance_never_changes(void **state) {
    (void)state;
    assert_true(evaluate("random(1)") == 0.43079361086629642);
    assert_true(evaluate("random(1, 2, 3, 4)") == 0.79683253733450121);
    assert_true(evaluate("noise(0.25)") == -0.1944803511723876);
    assert_true(evaluate("noise(0.25, 7.5)") == 0.12433635691118414);
    assert_true(evaluate("noise(-0.25, 7.5, 1e6 + 0.125)") == -0.0096142596393339955);
}

static void random_is_even_and_in_its_range(void **state) {
    (void)state;
    ThawExpression *expression = compile("random(x, t)");
    enum { DRAWS = 20000, BINS = 10 };
    int bins[BINS] = {0};
    for (int k = 0; k < DRAWS; k++) {
        double value = thaw_expression_evaluate(expression, (double[]){0.1, k, 0, 0});
        assert_true(value >= 0 && value < 1);
        bins[(int)(value * BINS)]++;
    }
    // 2000 a bin, standard deviation 42
    for (int k = 0; k < BINS; k++) assert_true(abs(bins[k] - DRAWS / BINS) < 5 * 42);
    thaw_expression_free(expression);
}

static void random_tells_its_arguments_apart(void **state) {
    (void)state;
    assert_true(evaluate("random(1) != random(2)"));
    assert_true(evaluate("random(1) != random(1, 0)"));
    assert_true(evaluate("random(1, 2) != random(2, 1)"));
    assert_true(evaluate("random(0) == random(-0)"));
    assert_true(evaluate("random(x) == random(2)"));
}

static void noise_fills_its_range_and_never_leaves_it(void **state) {
    (void)state;
    static const char *const texts[] = {"noise(x)", "noise(x, y)", "noise(x, y, z)"};
    for (size_t axes = 0; axes < COUNT(texts); axes++) {
        ThawExpression *expression = compile(texts[axes]);
        double sum = 0, low = 0, high = 0;
        enum { DRAWS = 40000 };
        for (uint64_t k = 0; k < DRAWS; k++) {
            double at[4] = {0};
            for (uint64_t c = 1; c < 4; c++) at[c] = 2000 * thaw_random_unit(5, k, c, 0) - 1000;
            double value = thaw_expression_evaluate(expression, at);
            assert_true(value >= -1 && value <= 1);
            sum += value;
            low = fmin(low, value);
            high = fmax(high, value);
        }
        assert_true(fabs(sum / DRAWS) < 0.01); // standard error below 0.002
        assert_true(low < -0.6 && high > 0.6);
        thaw_expression_free(expression);
    }
}

// across cell borders and near zero too: steps shrink with the distance, and so do steps of steps
static void noise_is_smooth(void **state) {
    (void)state;
    ThawExpression *expression = compile("noise(x, y, z)");
    double step = 1e-3;
    for (int k = -4000; k < 4000; k++) {
        double v[3];
        for (int s = 0; s < 3; s++) {
            double at = (k + s) * step;
            v[s] =
                thaw_expression_evaluate(expression, (double[]){0, at, 0.3 + 0.5 * at, 0.7 - at});
        }
        assert_true(fabs(v[1] - v[0]) < 8 * step);
        assert_true(fabs(v[2] - 2 * v[1] + v[0]) < 100 * step * step);
    }
    thaw_expression_free(expression);
}

static void noise_far_away_is_still_a_number(void **state) {
    (void)state;
    assert_true(isfinite(evaluate("noise(1e300, -1e300, 1e17)")));
    assert_true(isfinite(evaluate("noise(-1e-300)")));
    assert_true(evaluate("noise(2^40 - 0.5) == noise(-0.5)")); // its period
}

// ---------------------------------------------------------------- a twin

// Evaluates the text as it reads it, one function a level of the grammar: slow, and nothing like the
// compiler's parser by binding power.
typedef struct Twin {
    const char *at;
    const double *values;
} Twin;

static double twin_choice(Twin *twin);

static bool take(Twin *twin, const char *word) {
    while (*twin->at == ' ') twin->at++;
    if (strncmp(twin->at, word, strlen(word)) != 0) return false;
    twin->at += strlen(word);
    return true;
}

static double twin_call(Twin *twin) {
    static const char *const functions[] = {"min(", "max(", "clamp(", "mix(", "abs(", "floor("};
    double a[3] = {0};
    size_t which = 0;
    while (which < COUNT(functions) && !take(twin, functions[which])) which++;
    assert_true(which < COUNT(functions));
    int count = 0;
    do {
        a[count++] = twin_choice(twin);
    } while (take(twin, ","));
    assert_true(take(twin, ")"));
    switch (which) {
    case 0: return isnan(a[0]) || isnan(a[1]) ? NAN : a[0] < a[1] ? a[0] : a[1];
    case 1: return isnan(a[0]) || isnan(a[1]) ? NAN : a[0] > a[1] ? a[0] : a[1];
    case 2:
        if (isnan(a[0]) || isnan(a[1]) || isnan(a[2])) return NAN;
        return fmin(fmax(a[0], a[1]), a[2]);
    case 3: return a[0] * (1 - a[2]) + a[1] * a[2];
    case 4: return fabs(a[0]);
    default: return floor(a[0]);
    }
}

static double twin_atom(Twin *twin) {
    while (*twin->at == ' ') twin->at++;
    if (take(twin, "(")) {
        double value = twin_choice(twin);
        assert_true(take(twin, ")"));
        return value;
    }
    if (strchr("0123456789", *twin->at) != NULL) {
        char *end;
        double value = strtod(twin->at, &end);
        twin->at = end;
        return value;
    }
    for (int k = 0; k < 4; k++) {
        if (take(twin, names[k])) return twin->values[k];
    }
    return twin_call(twin);
}

static double twin_sign(Twin *twin);

static double twin_power(Twin *twin) {
    double base = twin_atom(twin);
    return take(twin, "^") ? pow(base, twin_sign(twin)) : base;
}

static double twin_sign(Twin *twin) {
    if (take(twin, "-")) return -twin_sign(twin);
    if (take(twin, "+")) return twin_sign(twin);
    return twin_power(twin);
}

static double twin_product(Twin *twin) {
    double value = twin_sign(twin);
    for (;;) {
        if (take(twin, "*")) {
            value *= twin_sign(twin);
        } else if (take(twin, "/")) {
            value /= twin_sign(twin);
        } else if (take(twin, "%")) {
            double by = twin_sign(twin), rest = fmod(value, by);
            value = rest != 0 && signbit(rest) != signbit(by) ? rest + by : rest;
        } else {
            return value;
        }
    }
}

static double twin_sum(Twin *twin) {
    double value = twin_product(twin);
    for (;;) {
        if (take(twin, "+")) {
            value += twin_product(twin);
        } else if (take(twin, "-")) {
            value -= twin_product(twin);
        } else {
            return value;
        }
    }
}

static double twin_comparison(Twin *twin) {
    double a = twin_sum(twin);
    if (take(twin, "<=")) return a <= twin_sum(twin);
    if (take(twin, ">=")) return a >= twin_sum(twin);
    if (take(twin, "==")) return a == twin_sum(twin);
    if (take(twin, "!=")) return a != twin_sum(twin);
    if (take(twin, "<")) return a < twin_sum(twin);
    if (take(twin, ">")) return a > twin_sum(twin);
    return a;
}

static double twin_not(Twin *twin) {
    return take(twin, "not ") ? twin_not(twin) == 0 : twin_comparison(twin);
}

static double twin_and(Twin *twin) {
    double value = twin_not(twin);
    while (take(twin, "and ")) {
        double other = twin_not(twin);
        value = value != 0 && other != 0;
    }
    return value;
}

static double twin_or(Twin *twin) {
    double value = twin_and(twin);
    while (take(twin, "or ")) {
        double other = twin_and(twin);
        value = value != 0 || other != 0;
    }
    return value;
}

static double twin_choice(Twin *twin) {
    double condition = twin_or(twin);
    if (!take(twin, "?")) return condition;
    double yes = twin_choice(twin);
    assert_true(take(twin, ":"));
    double no = twin_choice(twin);
    return condition != 0 ? yes : no;
}

// Writes random texts: operators in any order without brackets, so that only precedence decides.
typedef struct Writer {
    char text[4096];
    size_t length;
    uint64_t counter;
} Writer;

static int roll(Writer *writer, int sides) {
    return (int)(thaw_random_bits(11, writer->counter++, 0, 0) % (uint64_t)sides);
}

static void put(Writer *writer, const char *word) {
    size_t length = strlen(word);
    assert_true(writer->length + length < sizeof writer->text);
    memcpy(writer->text + writer->length, word, length + 1);
    writer->length += length;
}

static void write_choice(Writer *writer, int depth);

static void write_call(Writer *writer, int depth) {
    static const struct {
        const char *name;
        int count;
    } calls[] = {{"min(", 2}, {"max(", 2}, {"clamp(", 3}, {"mix(", 3}, {"abs(", 1}, {"floor(", 1}};
    int which = roll(writer, COUNT(calls));
    put(writer, calls[which].name);
    for (int k = 0; k < calls[which].count; k++) {
        if (k > 0) put(writer, ", ");
        write_choice(writer, depth - 1);
    }
    put(writer, ")");
}

static void write_operand(Writer *writer, int depth) {
    static const char *const leaves[] = {"t", "x", "y", "z", "1", "2", "0.5", "3e-1", "0"};
    if (roll(writer, 5) == 0) put(writer, "-");
    if (roll(writer, 9) == 0) put(writer, roll(writer, 2) ? "+" : "-");
    if (depth > 0 && roll(writer, 4) == 0) {
        put(writer, "(");
        write_choice(writer, depth - 1);
        put(writer, ")");
    } else if (depth > 0 && roll(writer, 6) == 0) {
        write_call(writer, depth);
    } else {
        put(writer, leaves[roll(writer, COUNT(leaves))]);
    }
}

static void write_sum(Writer *writer, int depth) {
    static const char *const between[] = {"+", " - ", "*", " / ", "%", "^"};
    write_operand(writer, depth);
    for (int k = roll(writer, 4); k > 0; k--) {
        put(writer, between[roll(writer, COUNT(between))]);
        write_operand(writer, depth);
    }
}

static void write_logic(Writer *writer, int depth) {
    static const char *const compare[] = {"<", " <= ", ">", ">=", " == ", "!="};
    int terms = 1 + (roll(writer, 3) == 0) + (roll(writer, 6) == 0);
    for (int k = 0; k < terms; k++) {
        if (k > 0) put(writer, roll(writer, 2) ? " and " : " or ");
        if (roll(writer, 6) == 0) put(writer, "not ");
        write_sum(writer, depth);
        if (roll(writer, 3) > 0) continue;
        put(writer, compare[roll(writer, COUNT(compare))]);
        write_sum(writer, depth);
    }
}

static void write_choice(Writer *writer, int depth) {
    write_logic(writer, depth);
    if (roll(writer, 6) > 0) return;
    put(writer, " ? ");
    write_logic(writer, depth - 1);
    put(writer, " : ");
    write_logic(writer, depth - 1);
}

static void compiled_texts_equal_their_direct_evaluation(void **state) {
    (void)state;
    static Writer writer;
    int numbers = 0;
    for (int k = 0; k < 20000; k++) {
        writer.length = 0;
        write_choice(&writer, 2);
        double compiled = evaluate(writer.text);
        Twin twin = {writer.text, values};
        double direct = twin_choice(&twin);
        assert_true(*twin.at == '\0');
        if (!same(compiled, direct)) fail_msg("%s: %.17g, %.17g", writer.text, compiled, direct);
        numbers += isfinite(compiled);
    }
    assert_true(numbers > 10000); // most of them no trouble
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_have_their_values),
        cmocka_unit_test(constants_worked_out_early_change_no_bit),
        cmocka_unit_test(wrong_texts_are_refused_with_place_and_sentence),
        cmocka_unit_test(suggestions_keep_to_the_variables_offered),
        cmocka_unit_test(variables_hide_constants_and_functions),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(waiting_values_are_bounded),
        cmocka_unit_test(long_flat_texts_are_fine_up_to_the_limit),
        cmocka_unit_test(evaluation_allocates_nothing),
        cmocka_unit_test(uses_names_the_variables_of_the_text),
        cmocka_unit_test(every_listed_function_is_known_by_its_name),
        cmocka_unit_test(chance_never_changes),
        cmocka_unit_test(random_is_even_and_in_its_range),
        cmocka_unit_test(random_tells_its_arguments_apart),
        cmocka_unit_test(noise_fills_its_range_and_never_leaves_it),
        cmocka_unit_test(noise_is_smooth),
        cmocka_unit_test(noise_far_away_is_still_a_number),
        cmocka_unit_test(compiled_texts_equal_their_direct_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
