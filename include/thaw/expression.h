// Expressions: small formulas in text, compiled once, evaluated safely and the same everywhere.
//
//   arithmetic  + - * / % ^  ( )      comparison  < <= > >= == !=     logic  and or not
//   choice      condition ? a : b     constants   pi e
//   functions   abs sign floor ceil round sqrt exp log sin cos tan asin acos atan atan2 hypot
//               min max clamp mix step smoothstep ramp pulse noise random
//
// There are no loops, no assignments and no way to reach anything outside: an expression of n
// characters takes at most n operations. A result that is not finite is the caller's to refuse.
#ifndef THAW_EXPRESSION_H
#define THAW_EXPRESSION_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ThawExpression ThawExpression;

// What is wrong with a text, and where.
typedef struct ThawExpressionError {
    size_t offset;  // byte of the text
    char text[160]; // one sentence, with a suggestion for a misspelt name
} ThawExpressionError;

// Compiles `text`, which may use the `count` names in `variables` (their values are given at each
// evaluation, in the same order; an empty name is a place that no text can use). On THAW_BAD_INPUT `error` (may be NULL) says what and where.
THAW_API ThawResult thaw_expression_compile(const char *text, const char *const *variables,
                                            int count, ThawExpression **expression,
                                            ThawExpressionError *error);
THAW_API void thaw_expression_free(ThawExpression *expression); // NULL is fine
THAW_API double thaw_expression_evaluate(const ThawExpression *expression, const double *values);
// Whether the text uses the variable of this number.
THAW_API bool thaw_expression_uses(const ThawExpression *expression, int variable);

// The functions, one a row, for help pages: "clamp(x, low, high)" and its meaning; NULL past the last.
THAW_API const char *thaw_expression_function(int index, const char **meaning);

#ifdef __cplusplus
}
#endif

#endif
