// Expressions: compiling, evaluating, freeing.
//
// The code is flat and has no jumps: both sides of a choice are worked out and one is taken. So the
// cost is known from the text, the stack from the code, and evaluation can neither fail nor hang.
#include <thaw/expression.h>

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/result.h"
#include "scene/expression_code.h"

static ThawResult refuse(ThawExpressionError *error) {
    return thaw_fail(THAW_BAD_INPUT, "expression, byte %zu: %s", error->offset, error->text);
}

ThawResult thaw_expression_compile(const char *text, const char *const *variables, int count,
                                   ThawExpression **expression, ThawExpressionError *error) {
    ThawExpressionError unheard;
    size_t length = strlen(text);
    if (error == NULL) error = &unheard;
    *expression = NULL;
    if (length > EXPRESSION_TEXT) {
        *error = (ThawExpressionError){EXPRESSION_TEXT, "an expression has at most 4096 bytes"};
        return refuse(error);
    }
    if (count < 0 || count > EXPRESSION_VARIABLES) {
        *error = (ThawExpressionError){0, "an expression has at most 1280 variables"};
        return refuse(error);
    }
    size_t bytes = sizeof(ThawExpression) + (length + 1) * sizeof(ExpressionOp);
    ThawExpression *made = thaw_alloc(bytes);
    if (made == NULL) return thaw_fail_memory(bytes);
    made->capacity = (int)length + 1;
    if (!expression_parse(text, length, variables, count, made, error)) {
        thaw_free(made);
        return refuse(error);
    }
    *expression = made;
    return THAW_OK;
}

void thaw_expression_free(ThawExpression *expression) {
    thaw_free(expression);
}

double thaw_expression_evaluate(const ThawExpression *expression, const double *values) {
    double stack[EXPRESSION_STACK];
    int top = 0;
    for (int k = 0; k < expression->count; k++) {
        const ExpressionOp *op = &expression->code[k];
        if (op->kind == EXPRESSION_CONSTANT) {
            stack[top++] = op->constant;
        } else if (op->kind == EXPRESSION_VARIABLE) {
            stack[top++] = values[op->variable];
        } else {
            top -= op->count;
            stack[top] = op->apply(stack + top, op->count);
            top++;
        }
    }
    assert(top == 1);
    return stack[0];
}

bool thaw_expression_uses(const ThawExpression *expression, int variable) {
    for (int k = 0; k < expression->count; k++) {
        const ExpressionOp *op = &expression->code[k];
        if (op->kind == EXPRESSION_VARIABLE && op->variable == variable) return true;
    }
    return false;
}

bool expression_is_condition(const ThawExpression *expression) {
    static const ExpressionApply conditions[] = {
        expression_less,          expression_less_equal, expression_greater,
        expression_greater_equal, expression_equal,      expression_unequal,
        expression_and,           expression_or,         expression_not};
    const ExpressionOp *last = &expression->code[expression->count - 1];
    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
        if (last->kind == EXPRESSION_APPLY && last->apply == conditions[k]) return true;
    }
    return false;
}

const char *thaw_expression_function(int index, const char **meaning) {
    if (index < 0 || index >= expression_function_count) return NULL;
    if (meaning != NULL) *meaning = expression_functions[index].meaning;
    return expression_functions[index].signature;
}
