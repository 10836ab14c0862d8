// Names in expressions: constants, words of other languages, and the sentence for an unknown one.
#ifndef THAW_SCENE_EXPRESSION_NAMES_H
#define THAW_SCENE_EXPRESSION_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/expression_functions.h"

// The function of this name, or NULL.
const ExpressionFunction *expression_find_function(const char *name);
// pi and e.
bool expression_find_constant(const char *name, double *value);
// Writes what to say of a name that is none of these and none of the variables either.
void expression_describe_unknown(const char *name, const char *const *variables, int count,
                                 char *sentence, size_t size);

#endif
