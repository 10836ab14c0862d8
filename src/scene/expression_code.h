// Compiled expressions: operations in the order in which a stack takes them.
#ifndef THAW_SCENE_EXPRESSION_CODE_H
#define THAW_SCENE_EXPRESSION_CODE_H

#include <thaw/expression.h>

#include "scene/expression_functions.h"

enum {
    EXPRESSION_TEXT = 4096,     // bytes of a text
    EXPRESSION_NESTING = 64,    // brackets, signs, powers and choices within each other
    EXPRESSION_STACK = 128,     // values waiting at once
    EXPRESSION_VARIABLES = 1280 // names a caller may offer
};

typedef enum ExpressionOpKind {
    EXPRESSION_CONSTANT,
    EXPRESSION_VARIABLE,
    EXPRESSION_APPLY
} ExpressionOpKind;

// One operation: push a constant, push a variable, or replace the last `count` values by one.
typedef struct ExpressionOp {
    union {
        double constant;
        int variable;
        ExpressionApply apply;
    };
    uint16_t kind;
    uint16_t count; // of arguments
} ExpressionOp;

struct ThawExpression {
    int count;    // operations
    int capacity; // of code: no text needs more operations than it has bytes
    ExpressionOp code[];
};

// Fills the code from the text; false with the error set when the text is wrong. The stack that the
// code needs is at most EXPRESSION_STACK.
bool expression_parse(const char *text, size_t length, const char *const *variables, int count,
                      ThawExpression *expression, ThawExpressionError *error);

// Whether the value is that of a comparison, or of several joined by and, or, not: 1 where it holds, 0 elsewhere.
bool expression_is_condition(const ThawExpression *expression);

#endif
