// The thermal part of a material: curves over temperature, and numbers that must go together.
#include "scene/reader.h"

#include <string.h>

// ---------------------------------------------------------------- curves

static bool fail_curve(SceneReader *reader, const SceneNode *node) {
    return scene_complain(reader, node, "%s is written [[temperature, factor], ...]", reader->path);
}

static const SceneRow temperature_row = {
    {"", "number", "K", "0.001..1e6", "", false, false, ""}, SCENE_KIND_NUMBER, 0};
static const SceneRow factor_row = {
    {"", "number", "", "0..1e9", "", false, false, ""}, SCENE_KIND_NUMBER, 0};

// the next point, warmer than the one before
static bool read_point(SceneReader *reader, const SceneNode *pair, ThawFactorCurve *curve) {
    if (!scene_visit(reader, pair)) return false;
    if (pair->kind != SCENE_LIST || pair->count != 2) return fail_curve(reader, pair);
    const SceneNode *at = pair->items[0].value;
    double temperature, factor;
    if (!scene_read_number(reader, &temperature_row, at, &temperature) ||
        !scene_read_number(reader, &factor_row, pair->items[1].value, &factor)) {
        return false;
    }
    int k = curve->count;
    if (k > 0 && !((float)temperature > curve->temperature[k - 1])) {
        return scene_complain(reader, at, "%s: temperatures must rise: %g K comes after %g K",
                              reader->path, temperature, (double)curve->temperature[k - 1]);
    }
    curve->temperature[k] = (float)temperature;
    curve->factor[k] = (float)factor;
    curve->count++;
    return true;
}

static bool read_curve(SceneReader *reader, const SceneNode *node, ThawFactorCurve *curve) {
    if (node->kind != SCENE_LIST) return fail_curve(reader, node);
    if (node->count > THAW_CURVE_POINTS) {
        return scene_complain(reader, node, "%s has at most %d pairs, not %d", reader->path,
                              THAW_CURVE_POINTS, node->count);
    }
    for (int k = 0; k < node->count; k++) {
        if (!read_point(reader, node->items[k].value, curve)) return false;
    }
    return true;
}

bool scene_read_thermal_key(SceneReader *reader, const SceneRow *row, const SceneNode *value,
                            ThawSceneThermal *thermal) {
    const struct {
        const char *key;
        ThawFactorCurve *curve;
    } curves[] = {{"stiffness", &thermal->stiffness},
                  {"damping", &thermal->damping},
                  {"viscosity", &thermal->viscosity}};
    const char *key = strrchr(row->key.path, '.') + 1;
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        if (strcmp(key, curves[k].key) == 0) return read_curve(reader, value, curves[k].curve);
    }
    bool melts = strcmp(key, "melts_when") == 0;
    return scene_read_rule(reader, value, thermal,
                           melts ? &thermal->melts_when : &thermal->freezes_when);
}

// ---------------------------------------------------------------- what goes together

bool scene_check_thermal(SceneReader *reader, const SceneNode *material,
                         ThawSceneThermal *thermal) {
    const SceneItem *item = scene_node_find(material, "thermal");
    if (item == NULL || item->value->kind != SCENE_MAP) return true;
    const SceneNode *map = item->value;
    thermal->given = true;
    const SceneItem *freezes = scene_node_find(map, "freezes_at");
    if (freezes != NULL && scene_node_find(map, "melts_at") == NULL) {
        return scene_complain(reader, freezes->key,
                              "%s.thermal.freezes_at needs 'melts_at' beside it", reader->path);
    }
    if (freezes != NULL && thermal->freezes_at > thermal->melts_at) {
        return scene_complain(
            reader, freezes->value,
            "%s.thermal.freezes_at must not be above melts_at: %g K is above %g K", reader->path,
            thermal->freezes_at, thermal->melts_at);
    }
    const SceneItem *range = scene_node_find(map, "melting_range");
    if (range == NULL || !(thermal->melts_at > 0)) return true;
    if (thermal->melting_range < 2 * thermal->melts_at) return true;
    return scene_complain(reader, range->value,
                          "%s.thermal.melting_range must be below twice melts_at, not %g K",
                          reader->path, thermal->melting_range);
}
