// libFuzzer target: an expression of any bytes, with four variables. What compiles must evaluate twice to
// the same bits; what does not must say so in one sentence and point into the text.
//
// clang -fsanitize=fuzzer,address,undefined ... test/fuzz/fuzz_expression.c; run with corpus/expression
#include <stdlib.h>
#include <string.h>
#include <thaw/expression.h>

#include "scene/units.h"

static const char *const names[] = {"t", "x", "y", "z"};

static void check_expression(const ThawExpression *expression) {
    static const double places[][4] = {{0, 0, 0, 0}, {0.5, 1.25, -3, 1e9}, {-1e300, 1e300, 0.1, 7}};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        double once = thaw_expression_evaluate(expression, places[k]);
        double twice = thaw_expression_evaluate(expression, places[k]);
        if (memcmp(&once, &twice, sizeof once) != 0) abort();
    }
    for (int k = 0; k < 5; k++) thaw_expression_uses(expression, k);
}

// the same bytes as a quantity, of a dimension that the length chooses
static void check_quantity(const char *bytes, size_t size) {
    double si = 0.0;
    char error[SCENE_UNIT_ERROR] = "";
    SceneDimension dimension = (SceneDimension)(size % SCENE_DIMENSIONS);
    bool read = scene_parse_quantity(bytes, size, dimension, &si, error);
    if (read == (error[0] != '\0')) abort();
    scene_is_quantity(bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1); // of the exact size, so that a read beyond it shows
    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    ThawExpression *expression = NULL;
    ThawExpressionError error = {0};
    if (thaw_expression_compile(text, names, 4, &expression, &error) == THAW_OK) {
        check_expression(expression);
    } else if (expression != NULL || error.text[0] == '\0' || error.offset > strlen(text)) {
        abort();
    }
    thaw_expression_free(expression);
    check_quantity((const char *)data, size);
    free(text);
    return 0;
}
