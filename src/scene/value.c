// Values: from a node to a number, a vector, a word, as a row of the table says.
//
// A number is a quantity ("10 cm"), or, where the row allows it, keys over time [[0, 1], [2, 5]] or an
// expression. Everything is checked against the row's range; expressions are tried over the scene's time
// when the whole scene is known (check.c).
#include "scene/reader.h"

#include "math/vec.h"
#include "scene/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_KEYS 100000

// ---------------------------------------------------------------- quantities

static bool is_bare(const SceneNode *node) {
    double value;
    const char *text = node->text;
    while (*text == ' ') text++;
    if (*text == '-' || *text == '+') text++;
    size_t length = strlen(text), used = scene_scan_number(text, length, &value);
    return used > 0 && strspn(text + used, " ") == length - used;
}

static bool check_range(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                        double value) {
    SceneRange range = scene_row_range(row);
    bool inside = value <= range.high && (range.open ? value > range.low : value >= range.low);
    if (inside && isfinite(value)) return true;
    if (!isfinite(value)) return scene_complain(reader, node, "%s must be finite", reader->path);
    const char *blank = row->key.unit[0] != '\0' ? " " : "";
    bool turned = strcmp(row->key.unit, "rad") == 0 && is_bare(node);
    bool warm = strcmp(row->key.unit, "K") == 0 && range.low > 0 && is_bare(node);
    char hint[80] = "";
    if (turned) snprintf(hint, sizeof hint, "; for degrees write '%.20s deg'", node->text);
    if (warm) snprintf(hint, sizeof hint, "; for degrees Celsius write '%.20s C'", node->text);
    return scene_complain(reader, node, "%s must be %s%s%s, not %g%s", reader->path, row->key.range,
                          blank, row->key.unit, value, hint);
}

static bool fail_type(SceneReader *reader, const SceneNode *node, const char *wanted) {
    if (scene_node_is_null(node)) {
        return scene_complain(reader, node, "%s has no value; %s is wanted", reader->path, wanted);
    }
    if (node->kind != SCENE_SCALAR) {
        return scene_complain(reader, node, "%s must be %s, not %s", reader->path, wanted,
                              scene_node_look(node));
    }
    return scene_complain(reader, node, "%s must be %s, not '%.60s'", reader->path, wanted,
                          node->text);
}

// a dynamic viscosity where a kinematic one is wanted, of matter whose density is known
static bool read_dynamic(const SceneReader *reader, SceneDimension wanted, const SceneNode *node,
                         double *number) {
    if (wanted != SCENE_KINEMATIC_VISCOSITY || !(reader->density > 0)) return false;
    double dynamic;
    if (!scene_parse_quantity(node->text, node->length, SCENE_DYNAMIC_VISCOSITY, &dynamic, NULL)) {
        return false;
    }
    *number = dynamic / reader->density;
    return true;
}

bool scene_read_number(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                       double *value) {
    double bare, number;
    SceneDimension dimension = scene_row_dimension(row, &bare);
    if (node->kind != SCENE_SCALAR || !scene_is_quantity(node->text, node->length)) {
        return fail_type(reader, node, "a number");
    }
    char error[SCENE_UNIT_ERROR];
    if (!scene_parse_quantity(node->text, node->length, dimension, &number, error) &&
        !read_dynamic(reader, dimension, node, &number)) {
        return scene_complain(reader, node, "%s: %s", reader->path, error);
    }
    if (scene_row_is_difference(row) && scene_is_point(node->text, node->length)) {
        return scene_complain(reader, node,
                              "%s: '%.40s' is a point on a scale; a difference is wanted, like 5 K",
                              reader->path, node->text);
    }
    // ranges are written in the row's own unit
    double factor = is_bare(node) ? bare : 1.0;
    if (!check_range(reader, row, node, number * (factor / bare))) return false;
    *value = number * factor;
    return true;
}

// ---------------------------------------------------------------- expressions and keys

static ThawExpression *keep_expression(SceneReader *reader, ThawExpression *expression) {
    SceneOwner *owner = reader->owner;
    void *list = scene_grow(&owner->arena, owner->expressions, owner->expression_count,
                            sizeof *owner->expressions);
    if (list == NULL) {
        thaw_expression_free(expression);
        scene_complain_memory(reader);
        return NULL;
    }
    owner->expressions = list;
    owner->expressions[owner->expression_count++] = expression;
    return expression;
}

// where byte `offset` of the node's text lies: exact for text that stands on one line as written
ScenePlace scene_place_inside(const SceneNode *node, size_t offset) {
    ScenePlace place = node->place;
    if (place.source == NULL) return place;
    size_t begin = place.offset;
    const char *text = place.source->text;
    if (node->quoted && begin < place.source->size && strchr("'\"", text[begin]) != NULL) begin++;
    bool as_written = place.source->size - begin >= node->length &&
                      memcmp(text + begin, node->text, node->length) == 0;
    if (as_written && offset <= node->length) place.offset = begin + offset;
    return place;
}

// Compiles; where a field is meant, a mistake is told as of a text that has no t.
static ThawResult compile(const SceneRow *row, const char *text, ThawExpression **expression,
                          ThawExpressionError *error) {
    const char *const places[SCENE_VARIABLES] = {"", scene_variables[1], scene_variables[2],
                                                 scene_variables[3]};
    if (!row->key.field)
        return thaw_expression_compile(text, scene_variables, 1, expression, error);
    ThawResult result =
        thaw_expression_compile(text, scene_variables, SCENE_VARIABLES, expression, error);
    if (result != THAW_BAD_INPUT) return result;
    return thaw_expression_compile(text, places, SCENE_VARIABLES, expression, error);
}

// an expression as it was compiled, and its text, for the scene to keep; or what is wrong with it
static bool keep_compiled(SceneReader *reader, const SceneNode *node, ThawResult result,
                          const ThawExpressionError *error, ThawExpression **expression,
                          const char **text) {
    if (result == THAW_OUT_OF_MEMORY) return scene_complain_memory(reader);
    if (result != THAW_OK) {
        return scene_complain_at(reader, scene_place_inside(node, error->offset), "%s: %s",
                                 reader->path, error->text);
    }
    *expression = keep_expression(reader, *expression);
    *text = scene_copy(&reader->owner->arena, node->text, node->length);
    if (*expression == NULL) return false;
    return *text != NULL || scene_complain_memory(reader);
}

bool scene_read_formula(SceneReader *reader, const SceneNode *node, const SceneVariables *variables,
                        ThawExpression **expression, const char **text) {
    if (!scene_visit(reader, node)) return false;
    if (node->kind != SCENE_SCALAR || scene_node_is_null(node)) {
        return fail_type(reader, node, "an expression");
    }
    ThawExpressionError error;
    ThawResult result =
        thaw_expression_compile(node->text, variables->names, variables->count, expression, &error);
    return keep_compiled(reader, node, result, &error, expression, text);
}

static bool read_expression(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                            ThawNumber *number) {
    ThawExpression *expression = NULL;
    ThawExpressionError error;
    ThawResult result = compile(row, node->text, &expression, &error);
    if (!keep_compiled(reader, node, result, &error, &expression, &number->text)) return false;
    number->expression = expression;
    scene_row_dimension(row, &number->scale);
    if (row->key.field && thaw_expression_uses(expression, 0)) {
        return scene_complain(reader, node, "%s is a value at the start: it cannot depend on t",
                              reader->path);
    }
    return scene_try_later(reader, row, node, number);
}

static bool fail_keys(SceneReader *reader, const SceneNode *node) {
    return scene_complain(reader, node, "%s: keys over time are written [[time, value], ...]",
                          reader->path);
}

// the time of a key, not earlier than the one before; at equal times the value jumps
static bool read_key_time(SceneReader *reader, const SceneNode *node, const double *before,
                          double *time) {
    char error[SCENE_UNIT_ERROR];
    bool quantity = node->kind == SCENE_SCALAR && scene_is_quantity(node->text, node->length);
    if (!quantity) return fail_keys(reader, node);
    if (!scene_parse_quantity(node->text, node->length, SCENE_TIME, time, error)) {
        return scene_complain(reader, node, "%s: %s", reader->path, error);
    }
    if (before == NULL || *time >= *before) return true;
    return scene_complain(reader, node, "%s: times of keys must not fall: %g s comes after %g s",
                          reader->path, *time, *before);
}

static bool is_pair(const SceneNode *node) {
    return node->kind == SCENE_LIST && node->count == 2 &&
           node->items[0].value->kind == SCENE_SCALAR;
}

static bool read_keys(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                      ThawNumber *number) {
    if (node->count == 0 || node->count > MOST_KEYS) return fail_keys(reader, node);
    double(*keys)[2] = scene_take(&reader->owner->arena, (size_t)node->count * sizeof *keys);
    if (keys == NULL) return scene_complain_memory(reader);
    for (int k = 0; k < node->count; k++) {
        const SceneNode *pair = node->items[k].value;
        if (!scene_visit(reader, pair)) return false;
        if (!is_pair(pair)) return fail_keys(reader, pair);
        const double *before = k > 0 ? &keys[k - 1][0] : NULL;
        if (!read_key_time(reader, pair->items[0].value, before, &keys[k][0])) return false;
        if (!scene_read_number(reader, row, pair->items[1].value, &keys[k][1])) return false;
    }
    number->keys = keys;
    number->key_count = node->count;
    number->constant = keys[0][1];
    return true;
}

bool scene_read_moving(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                       ThawNumber *number) {
    *number = (ThawNumber){.scale = 1};
    if (node->kind == SCENE_LIST && row->key.animated) return read_keys(reader, row, node, number);
    bool text = node->kind == SCENE_SCALAR && !scene_node_is_null(node) &&
                !scene_is_quantity(node->text, node->length);
    if (text) return read_expression(reader, row, node, number);
    return scene_read_number(reader, row, node, &number->constant);
}

// ---------------------------------------------------------------- vectors

// In 2D the third number may be left out: places lie at z = 0, sizes reach through it, counts are one.
static double missing_z(const SceneRow *row) {
    SceneRange range = scene_row_range(row);
    return range.low > 0 || range.open ? 1.0 : 0.0;
}

static bool expect_vector(SceneReader *reader, const SceneNode *node) {
    bool flat = reader->dimensions == 2;
    if (node->kind == SCENE_LIST && (node->count == 3 || (flat && node->count == 2))) return true;
    const char *wanted = flat ? "two or three numbers [x, y]" : "three numbers [x, y, z]";
    if (node->kind == SCENE_LIST) {
        return scene_complain(reader, node, "%s must be %s, not %d", reader->path, wanted,
                              node->count);
    }
    return fail_type(reader, node, wanted);
}

static bool read_vector(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                        ThawVec3 *vector) {
    if (!expect_vector(reader, node)) return false;
    double v[3] = {0, 0, missing_z(row)};
    bool good = true;
    for (int a = 0; a < node->count; a++) {
        size_t length = scene_enter_index(reader, a);
        good &= scene_read_number(reader, row, node->items[a].value, &v[a]);
        scene_leave(reader, length);
    }
    *vector = thaw_vec(v[0], v[1], v[2]);
    return good;
}

// [[time, [x, y, z]], ...]
static bool is_vector_keys(const SceneNode *node) {
    if (node->kind != SCENE_LIST || node->count == 0) return false;
    const SceneNode *first = node->items[0].value;
    return is_pair(first) && first->items[1].value->kind == SCENE_LIST;
}

static bool read_vector_key(SceneReader *reader, const SceneRow *row, const SceneNode *pair,
                            double (*keys[3])[2], int k) {
    if (!scene_visit(reader, pair)) return false;
    if (!is_pair(pair)) return fail_keys(reader, pair);
    double time;
    ThawVec3 v;
    const double *before = k > 0 ? &keys[0][k - 1][0] : NULL;
    if (!read_key_time(reader, pair->items[0].value, before, &time)) return false;
    if (!read_vector(reader, row, pair->items[1].value, &v)) return false;
    const double values[3] = {v.x, v.y, v.z};
    for (int a = 0; a < 3; a++) {
        keys[a][k][0] = time;
        keys[a][k][1] = values[a];
    }
    return true;
}

static bool read_vector_keys(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                             ThawNumber3 *number) {
    double(*keys[3])[2];
    if (node->count > MOST_KEYS) return fail_keys(reader, node);
    for (int a = 0; a < 3; a++) {
        keys[a] = scene_take(&reader->owner->arena, (size_t)node->count * sizeof *keys[a]);
        if (keys[a] == NULL) return scene_complain_memory(reader);
    }
    for (int k = 0; k < node->count; k++) {
        if (!read_vector_key(reader, row, node->items[k].value, keys, k)) return false;
    }
    for (int a = 0; a < 3; a++) {
        number->axis[a] = (ThawNumber){
            .constant = keys[a][0][1], .keys = keys[a], .key_count = node->count, .scale = 1};
    }
    return true;
}

static bool read_moving_vector(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                               ThawNumber3 *number) {
    if (row->key.animated && is_vector_keys(node)) {
        return read_vector_keys(reader, row, node, number);
    }
    if (!expect_vector(reader, node)) return false;
    bool good = true;
    number->axis[2] = (ThawNumber){.constant = missing_z(row), .scale = 1};
    for (int a = 0; a < node->count; a++) {
        size_t length = scene_enter_index(reader, a);
        good &= scene_read_moving(reader, row, node->items[a].value, &number->axis[a]);
        scene_leave(reader, length);
    }
    return good;
}

// ---------------------------------------------------------------- words

static bool is_word(const SceneNode *node, const char *word) {
    return strcmp(node->text, word) == 0;
}

static bool read_whole(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                       double *value) {
    if (node->kind != SCENE_SCALAR || !scene_is_quantity(node->text, node->length)) {
        return fail_type(reader, node, "a whole number");
    }
    if (!scene_read_number(reader, row, node, value)) return false;
    if (*value == floor(*value)) return true;
    return scene_complain(reader, node, "%s must be a whole number, not %s", reader->path,
                          node->text);
}

static bool read_int(SceneReader *reader, const SceneRow *row, const SceneNode *node, int *value) {
    double number;
    if (row->kind == SCENE_KIND_AUTO && node->kind == SCENE_SCALAR && is_word(node, "auto")) {
        *value = 0;
        return true;
    }
    if (!read_whole(reader, row, node, &number)) return false;
    *value = (int)number;
    return true;
}

static bool read_count(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                       uint64_t *value) {
    double number;
    if (!read_whole(reader, row, node, &number)) return false;
    *value = (uint64_t)number;
    return true;
}

// digits only: a double cannot hold every seed
static bool read_seed(SceneReader *reader, const SceneNode *node, uint64_t *value) {
    uint64_t sum = 0;
    bool good = node->kind == SCENE_SCALAR && node->length > 0 && node->length <= 20;
    for (size_t k = 0; good && k < node->length; k++) {
        unsigned digit = (unsigned)(node->text[k] - '0');
        good = digit <= 9 && sum <= (UINT64_MAX - digit) / 10;
        sum = sum * 10 + digit;
    }
    if (!good) return fail_type(reader, node, "a whole number from 0 to 2^64 - 1");
    *value = sum;
    return true;
}

static bool read_switch(SceneReader *reader, const SceneNode *node, bool *value) {
    bool scalar = node->kind == SCENE_SCALAR;
    bool yes = scalar && (is_word(node, "true") || is_word(node, "yes"));
    bool no = scalar && (is_word(node, "false") || is_word(node, "no"));
    if (!yes && !no) return fail_type(reader, node, "yes or no (true or false)");
    *value = yes;
    return true;
}

bool scene_read_text(SceneReader *reader, const SceneNode *node, const char **text) {
    if (node->kind != SCENE_SCALAR || scene_node_is_null(node)) {
        return fail_type(reader, node, "text");
    }
    *text = scene_copy(&reader->owner->arena, node->text, node->length);
    return *text != NULL || scene_complain_memory(reader);
}

static bool read_choice(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                        int *value) {
    char words[8][32];
    const char *known[8];
    int count = 0;
    while (count < 8 && scene_row_choice(row, count, words[count])) {
        known[count] = words[count];
        count++;
    }
    for (int k = 0; node->kind == SCENE_SCALAR && k < count; k++) {
        if (!is_word(node, known[k])) continue;
        *value = k;
        return true;
    }
    if (node->kind != SCENE_SCALAR || scene_node_is_null(node)) {
        return fail_type(reader, node, row->key.type);
    }
    char hint[96];
    return scene_complain(reader, node, "%s must be %s, not '%.60s'%s", reader->path, row->key.type,
                          node->text, scene_hint(node->text, known, count, hint));
}

// ---------------------------------------------------------------- lists of fixed length

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_hex_color(const SceneNode *node, double color[3]) {
    if (node->kind != SCENE_SCALAR || node->length != 7 || node->text[0] != '#') return false;
    for (int k = 0; k < 3; k++) {
        int high = hex_digit(node->text[1 + 2 * k]), low = hex_digit(node->text[2 + 2 * k]);
        if (high < 0 || low < 0) return false;
        color[k] = (high * 16 + low) / 255.0;
    }
    return true;
}

static bool read_numbers(SceneReader *reader, const SceneRow *row, const SceneNode *node, int count,
                         const char *wanted, double *values) {
    if (node->kind != SCENE_LIST) return fail_type(reader, node, wanted);
    if (node->count != count) {
        return scene_complain(reader, node, "%s must be %s, not %d", reader->path, wanted,
                              node->count);
    }
    bool good = true;
    for (int k = 0; k < count; k++) {
        size_t length = scene_enter_index(reader, k);
        good &= scene_read_number(reader, row, node->items[k].value, &values[k]);
        scene_leave(reader, length);
    }
    return good;
}

static const SceneColor colors[] = {
    {"red", {0.84, 0.15, 0.16}},  {"green", {0.17, 0.63, 0.17}},  {"blue", {0.16, 0.47, 0.84}},
    {"white", {1, 1, 1}},         {"black", {0, 0, 0}},           {"grey", {0.5, 0.5, 0.5}},
    {"orange", {1, 0.5, 0.05}},   {"yellow", {0.95, 0.83, 0.15}}, {"purple", {0.55, 0.36, 0.76}},
    {"cyan", {0.09, 0.75, 0.81}}, {"brown", {0.55, 0.34, 0.29}},  {"pink", {0.97, 0.51, 0.75}},
};
#define COLORS ((int)(sizeof colors / sizeof *colors))

const SceneColor *scene_color(int index) {
    return index >= 0 && index < COLORS ? &colors[index] : NULL;
}

static bool read_color(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                       double color[3]) {
    static const char wanted[] = "a colour's name, three numbers [r, g, b] or \"#rrggbb\"";
    if (read_hex_color(node, color)) return true;
    if (node->kind != SCENE_SCALAR || scene_node_is_null(node)) {
        return read_numbers(reader, row, node, 3, wanted, color);
    }
    const char *known[COLORS];
    for (int k = 0; k < COLORS; k++) {
        known[k] = colors[k].name;
        bool gray = strcmp(known[k], "grey") == 0 && is_word(node, "gray");
        if (!gray && !is_word(node, known[k])) continue;
        memcpy(color, colors[k].rgb, sizeof colors[k].rgb);
        return true;
    }
    char hint[96];
    scene_hint(node->text, known, COLORS, hint);
    if (hint[0] == '\0') {
        return scene_complain(
            reader, node,
            "%s must be %s, not '%.60s'; names are red, green, blue, white, black, "
            "grey, orange, yellow, purple, cyan, brown and pink",
            reader->path, wanted, node->text);
    }
    return scene_complain(reader, node, "%s must be %s, not '%.60s'%s", reader->path, wanted,
                          node->text, hint);
}

static bool read_quat(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                      ThawQuat *quat) {
    double q[4];
    if (!read_numbers(reader, row, node, 4, "four numbers [x, y, z, w]", q)) return false;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (fabs(norm - 1.0) >= 1e-6) {
        return scene_complain(reader, node, "%s must be of length 1, not %g", reader->path,
                              sqrt(norm));
    }
    *quat = (ThawQuat){q[0], q[1], q[2], q[3]};
    return true;
}

// ---------------------------------------------------------------- all of them

bool scene_read_value(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                      void *target) {
    void *at = (char *)target + row->offset;
    bool moving = row->key.animated || row->key.field;
    if (!scene_visit(reader, node)) return false;
    switch (row->kind) {
    case SCENE_KIND_NUMBER:
        return moving ? scene_read_moving(reader, row, node, at)
                      : scene_read_number(reader, row, node, at);
    case SCENE_KIND_VECTOR:
        return moving ? read_moving_vector(reader, row, node, at)
                      : read_vector(reader, row, node, at);
    case SCENE_KIND_WHOLE:
    case SCENE_KIND_AUTO: return read_int(reader, row, node, at);
    case SCENE_KIND_SEED: return read_seed(reader, node, at);
    case SCENE_KIND_COUNT: return read_count(reader, row, node, at);
    case SCENE_KIND_SWITCH: return read_switch(reader, node, at);
    case SCENE_KIND_TEXT: return scene_read_text(reader, node, at);
    case SCENE_KIND_CHOICE: return read_choice(reader, row, node, at);
    case SCENE_KIND_COLOR: return read_color(reader, row, node, at);
    case SCENE_KIND_PAIR: return read_numbers(reader, row, node, 2, "two numbers [a, b]", at);
    case SCENE_KIND_QUAT: return read_quat(reader, row, node, at);
    case SCENE_KIND_ROTATE: return scene_read_rotate(reader, node, at);
    case SCENE_KIND_MAP:
    case SCENE_KIND_HAND: break;
    }
    return false;
}
