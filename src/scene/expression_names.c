// Names in expressions. People bring words from other languages; a table says what each is called
// here.
#include "scene/expression_names.h"

#include <stdio.h>
#include <string.h>

#include "scene/expression_code.h"
#include "scene/suggest.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

typedef struct Foreign {
    const char *word;
    const char *here;
} Foreign;

static const Foreign foreign[] = {
    {"time", "t"},
    {"ln", "log"},
    {"pow", "^"},
    {"power", "^"},
    {"mod", "%"},
    {"fmod", "%"},
    {"fabs", "abs"},
    {"lerp", "mix"},
    {"rand", "random"},
    {"saturate", "clamp"},
    {"sgn", "sign"},
    {"arcsin", "asin"},
    {"arccos", "acos"},
    {"arctan", "atan"},
    {"length", "hypot"},
    {"norm", "hypot"},
    {"perlin", "noise"},
    {"linear", "ramp"},
    {"trunc", "floor"},
    {"int", "floor"},
    {"true", "1"},
    {"false", "0"},
    {"tau", "2*pi"},
    {"log10", "log(x)/log(10)"},
    {"log2", "log(x)/log(2)"},
    {"if", "condition ? a : b"},
    {"radians", "x*pi/180"},
};

static const char *const words[] = {"pi", "e", "and", "or", "not"};

const ExpressionFunction *expression_find_function(const char *name) {
    for (int k = 0; k < expression_function_count; k++) {
        if (strcmp(expression_functions[k].name, name) == 0) return &expression_functions[k];
    }
    return NULL;
}

bool expression_find_constant(const char *name, double *value) {
    if (strcmp(name, "pi") == 0)
        *value = 3.14159265358979323846;
    else if (strcmp(name, "e") == 0)
        *value = 2.71828182845904523536;
    else
        return false;
    return true;
}

static bool offers(const char *const *variables, int count, const char *name) {
    for (int k = 0; k < count; k++) {
        if (strcmp(variables[k], name) == 0) return true;
    }
    return false;
}

// what the foreign word is called here; "t" only where there is a t
static const char *translate(const char *word, const char *const *variables, int count) {
    for (int k = 0; k < COUNT(foreign); k++) {
        if (strcmp(foreign[k].word, word) != 0) continue;
        bool variable = strcmp(foreign[k].here, "t") == 0;
        return variable && !offers(variables, count, "t") ? NULL : foreign[k].here;
    }
    return NULL;
}

static const char *suggest_known(const char *name, const char *const *variables, int count) {
    const char *known[EXPRESSION_VARIABLES + 64];
    int total = 0;
    for (int k = 0; k < count; k++) known[total++] = variables[k][0] != '\0' ? variables[k] : NULL;
    for (int k = 0; k < expression_function_count; k++) {
        known[total++] = expression_functions[k].name;
    }
    for (int k = 0; k < COUNT(words); k++) known[total++] = words[k];
    return scene_suggest(name, known, total);
}

// a misspelt foreign word, translated
static const char *suggest_foreign(const char *name, const char *const *variables, int count) {
    const char *known[COUNT(foreign)];
    for (int k = 0; k < COUNT(foreign); k++) known[k] = foreign[k].word;
    const char *word = scene_suggest(name, known, COUNT(foreign));
    const char *here = word == NULL ? NULL : translate(word, variables, count);
    // a whole formula is too much to read into a misspelt word
    return here != NULL && strpbrk(here, " (*/") != NULL ? NULL : here;
}

void expression_describe_unknown(const char *name, const char *const *variables, int count,
                                 char *sentence, size_t size) {
    const char *meant = translate(name, variables, count);
    if (meant == NULL) meant = suggest_known(name, variables, count);
    if (meant == NULL) meant = suggest_foreign(name, variables, count);
    if (meant != NULL) {
        snprintf(sentence, size, "unknown name '%.40s'; did you mean '%.40s'?", name, meant);
        return;
    }
    int written = snprintf(sentence, size, "unknown name '%.40s'", name);
    // a short list of variables is worth telling
    int named = 0;
    for (int k = 0; k < count; k++) named += variables[k][0] != '\0';
    if (named < 1 || named > 6) return;
    const char *gap = named == 1 ? "; the only variable is " : "; the variables are ";
    for (int k = 0; k < count && written > 0 && (size_t)written < size; k++) {
        if (variables[k][0] == '\0') continue;
        written +=
            snprintf(sentence + written, size - (size_t)written, "%s%.12s", gap, variables[k]);
        gap = ", ";
    }
}
