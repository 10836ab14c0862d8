// Rules: when matter melts or freezes, as formulas of a particle's place, motion and temperature.
//
// A condition holds or not, and acts at once; any other formula is a rate. Which of the two it is shows in its last
// operation, so one key serves both. Evaluating touches nothing but the stack: any number of threads may do it.
#include "scene/rules.h"
#include "scene/reader.h"

#include "scene/expression_code.h"

#include <math.h>

// in the order of values_of
static const char *const names[] = {"x",  "y",     "z",           "t",      "vx",      "vy",
                                    "vz", "speed", "temperature", "molten", "spacing", "object"};
#define NAMES ((int)(sizeof names / sizeof *names))

bool scene_read_rule(SceneReader *reader, const SceneNode *node, ThawSceneRule *rule) {
    const SceneVariables variables = {names, NAMES};
    if (!scene_read_formula(reader, node, &variables, &rule->expression, &rule->text)) return false;
    rule->condition = expression_is_condition(rule->expression);
    return true;
}

// ---------------------------------------------------------------- in a world

static void values_of(const ThawTransitionPoint *point, double values[NAMES]) {
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
    for (int k = 0; k < NAMES; k++) values[k] = list[k];
}

// what is not a number changes nothing
static double rate_of(const ThawSceneRule *rule, const ThawTransitionPoint *point) {
    double values[NAMES];
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
                                     .user = thermal};
        if (rules.melts == NULL && rules.freezes == NULL) continue;
        result = thaw_world_set_rules(world, (ThawMaterialId){(uint32_t)k + 1}, &rules);
    }
    return result;
}
