// What an expression can apply to numbers: operators and functions, a row each.
#ifndef THAW_SCENE_EXPRESSION_FUNCTIONS_H
#define THAW_SCENE_EXPRESSION_FUNCTIONS_H

// The value for `count` arguments.
typedef double (*ExpressionApply)(const double *arguments, int count);

typedef struct ExpressionFunction {
    const char *name;
    const char *signature; // "clamp(x, low, high)"
    const char *meaning;   // one line
    int fewest, most;      // arguments
    ExpressionApply apply;
} ExpressionFunction;

extern const ExpressionFunction expression_functions[];
extern const int expression_function_count;

// Operators between two values, or before one.
double expression_add(const double *a, int count);
double expression_subtract(const double *a, int count);
double expression_multiply(const double *a, int count);
double expression_divide(const double *a, int count);
double expression_modulo(const double *a, int count); // has the sign of the divisor
double expression_power(const double *a, int count);
double expression_less(const double *a, int count);
double expression_less_equal(const double *a, int count);
double expression_greater(const double *a, int count);
double expression_greater_equal(const double *a, int count);
double expression_equal(const double *a, int count);
double expression_unequal(const double *a, int count);
double expression_and(const double *a, int count);
double expression_or(const double *a, int count);
double expression_not(const double *a, int count);
double expression_negate(const double *a, int count);
double expression_choose(const double *a, int count); // a[0] ? a[1] : a[2]

#endif
