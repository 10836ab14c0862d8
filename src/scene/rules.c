// Rules: when matter melts or freezes, as formulas of a particle's place, motion and temperature, of the scene's channels
// and of what solids have.
//
// A condition holds or not, and acts at once; any other formula is a rate. Which of the two it is shows in its last
// operation, so one key serves both. Evaluating touches nothing but the stack: any number of threads may do it.
#include "scene/rules.h"
#include "scene/reader.h"

#include "scene/expression_code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// in the order of values_of
static const char *const names[] = {"x",  "y",     "z",           "t",      "vx",      "vy",
                                    "vz", "speed", "temperature", "molten", "spacing", "object"};
#define NAMES ((int)(sizeof names / sizeof *names))
#define MOST_FIELDS 48 // with components, 22 now
#define MOST_NAMES (SCENE_MOST_CHANNELS * 16 + MOST_FIELDS + NAMES)
#define NAME_BYTES 48

// ---------------------------------------------------------------- what there is to name

// channels, then fields, then the names above
typedef struct Known {
    const char *names[MOST_NAMES];
    int count;
} Known;

static void add_name(SceneReader *reader, Known *known, const char *name, const char *component) {
    char whole[NAME_BYTES];
    int length = snprintf(whole, sizeof whole, "%s.%s", name, component);
    const char *kept = name;
    if (component[0] != '\0') kept = scene_copy(&reader->owner->arena, whole, (size_t)length);
    if (kept == NULL)
        scene_complain_memory(reader);
    else
        known->names[known->count++] = kept;
}

static void add_channels(SceneReader *reader, Known *known) {
    const ThawScene *scene = &reader->owner->scene;
    for (int k = 0; k < scene->channel_count; k++) {
        const ThawSceneChannel *channel = &scene->channels[k];
        if (channel->components == 1) add_name(reader, known, channel->name, "");
        for (uint32_t c = 0; c < channel->components && channel->components > 1; c++) {
            char number[12];
            snprintf(number, sizeof number, "%u", (unsigned)c);
            add_name(reader, known, channel->name, number);
        }
    }
}

// what the names above do not tell already
static bool is_looked_at(const ThawFieldInfo *field) {
    static const char *const others[] = {"position", "velocity", "cells", "id", "dead"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(others[k], field->name) == 0) return false;
    }
    for (int k = 0; k < NAMES; k++) {
        if (strcmp(names[k], field->name) == 0) return false;
    }
    return true;
}

static void add_fields(SceneReader *reader, Known *known) {
    static const char *const tensor[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    const ThawFieldInfo *field;
    for (uint32_t k = 0; (field = thaw_field_info(k)) != NULL; k++) {
        if (!is_looked_at(field)) continue;
        add_name(reader, known, field->name, "");
        for (int c = 0; c < 6 && field->components == 6; c++) {
            add_name(reader, known, field->name, tensor[c]);
        }
    }
}

static void collect_names(SceneReader *reader, Known *known) {
    known->count = 0;
    add_channels(reader, known);
    add_fields(reader, known);
    for (int k = 0; k < NAMES; k++) known->names[known->count++] = names[k];
}

// ---------------------------------------------------------------- reading

// for a name that is like none of them: all but most components
static void list_names(const Known *known, char *text, size_t size) {
    size_t length = 0;
    for (int k = 0; k < known->count && length < size; k++) {
        const char *name = known->names[(k + known->count - NAMES) % known->count];
        const char *point = strchr(name, '.');
        if (point != NULL && strcmp(point, ".0") != 0) continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s", k > 0 ? ", " : "", name);
    }
}

static bool refuse(SceneReader *reader, const SceneNode *node, const Known *known,
                   const ThawExpressionError *error) {
    bool unknown = strncmp(error->text, "unknown name", 12) == 0;
    char list[600] = "";
    if (unknown && strchr(error->text, '?') == NULL) list_names(known, list, sizeof list);
    return scene_complain_at(reader, scene_place_inside(node, error->offset), "%s: %s%s%s",
                             reader->path, error->text, list[0] != '\0' ? "; there are " : "",
                             list);
}

static bool knows_field(const ThawSceneThermal *thermal, const char *name) {
    for (int k = 0; k < thermal->rule_field_count; k++) {
        if (strcmp(thermal->rule_fields[k], name) == 0) return true;
    }
    return false;
}

// which channels and fields a text looks at; what is wrong with it
static bool find_fields(SceneReader *reader, const SceneNode *node, ThawSceneThermal *thermal) {
    Known known;
    ThawExpressionError error;
    ThawExpression *expression;
    collect_names(reader, &known);
    ThawResult result =
        thaw_expression_compile(node->text, known.names, known.count, &expression, &error);
    if (result == THAW_OUT_OF_MEMORY) return scene_complain_memory(reader);
    if (result != THAW_OK) return refuse(reader, node, &known, &error);
    bool fits = true;
    for (int k = 0; k < known.count - NAMES && fits; k++) {
        if (!thaw_expression_uses(expression, k) || knows_field(thermal, known.names[k])) continue;
        fits = thermal->rule_field_count < THAW_TRANSITION_FIELDS;
        if (fits) thermal->rule_fields[thermal->rule_field_count++] = known.names[k];
    }
    thaw_expression_free(expression);
    return fits || scene_complain(reader, node,
                                  "%s: the rules of a material look at %d channels and fields at "
                                  "most",
                                  reader->path, THAW_TRANSITION_FIELDS);
}

bool scene_read_rule(SceneReader *reader, const SceneNode *node, ThawSceneThermal *thermal,
                     ThawSceneRule *rule) {
    bool text = node->kind == SCENE_SCALAR && !scene_node_is_null(node);
    if (text && !find_fields(reader, node, thermal)) return false;
    const char *own[NAMES + THAW_TRANSITION_FIELDS];
    memcpy(own, names, sizeof names);
    for (int k = 0; k < thermal->rule_field_count; k++) own[NAMES + k] = thermal->rule_fields[k];
    const SceneVariables variables = {own, NAMES + thermal->rule_field_count};
    if (!scene_read_formula(reader, node, &variables, &rule->expression, &rule->text)) return false;
    rule->condition = expression_is_condition(rule->expression);
    return true;
}

// ---------------------------------------------------------------- in a world

static void values_of(const ThawTransitionPoint *point,
                      double values[NAMES + THAW_TRANSITION_FIELDS]) {
    const double v[3] = {(double)point->velocity[0], (double)point->velocity[1],
                         (double)point->velocity[2]};
    const double list[] = {point->position[0],
                           point->position[1],
                           point->position[2],
                           point->time,
                           v[0],
                           v[1],
                           v[2],
                           sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]),
                           (double)point->temperature,
                           (double)point->molten,
                           (double)point->spacing,
                           point->object};
    _Static_assert(sizeof list / sizeof *list == sizeof names / sizeof *names, "one a name");
    memcpy(values, list, sizeof list);
    memcpy(values + NAMES, point->fields, sizeof point->fields);
}

// what is not a number changes nothing
static double rate_of(const ThawSceneRule *rule, const ThawTransitionPoint *point) {
    double values[NAMES + THAW_TRANSITION_FIELDS];
    values_of(point, values);
    double value = thaw_expression_evaluate(rule->expression, values);
    if (!(value > 0)) return 0;
    return rule->condition ? INFINITY : value;
}

static double melt(void *user, const ThawTransitionPoint *point) {
    return rate_of(&((const ThawSceneThermal *)user)->melts_when, point);
}

static double freeze(void *user, const ThawTransitionPoint *point) {
    return rate_of(&((const ThawSceneThermal *)user)->freezes_when, point);
}

ThawResult scene_give_rules(const ThawScene *scene, ThawWorld *world) {
    ThawResult result = THAW_OK;
    if (!scene->heat.on) return THAW_OK;
    for (int k = 0; k < scene->material_count && result == THAW_OK; k++) {
        ThawSceneThermal *thermal = &scene->materials[k].thermal;
        ThawTransitionRules rules = {.melts = thermal->melts_when.text != NULL ? melt : NULL,
                                     .freezes = thermal->freezes_when.text != NULL ? freeze : NULL,
                                     .user = thermal,
                                     .fields = thermal->rule_fields,
                                     .field_count = thermal->rule_field_count};
        if (rules.melts == NULL && rules.freezes == NULL) continue;
        result = thaw_world_set_rules(world, (ThawMaterialId){(uint32_t)k + 1}, &rules);
    }
    return result;
}
