// Checks of the whole scene: expressions over its time, values that must go together.
#include "scene/number.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <thaw/render.h>

#define TRIALS 200 // moments at which an expression is tried

// ---------------------------------------------------------------- expressions

bool scene_try_later(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                     const ThawNumber *number) {
    if (!row->key.animated) return true;
    void *list = scene_grow(&reader->tree.arena, reader->trials, reader->trial_count,
                            sizeof *reader->trials);
    const char *path = scene_copy(&reader->tree.arena, reader->path, strlen(reader->path));
    if (list == NULL || path == NULL) return scene_complain_memory(reader);
    reader->trials = list;
    reader->trials[reader->trial_count++] = (SceneTrial){node, row, path, *number};
    return true;
}

// the value must be finite and in range at every moment of the run
static bool try_expression(SceneReader *reader, const SceneTrial *trial) {
    const ThawSceneFrames *frames = &reader->owner->scene.frames;
    double duration = frames->preroll + (frames->fps > 0 ? frames->count / frames->fps : 0);
    SceneRange range = scene_row_range(trial->row);
    double bare;
    scene_row_dimension(trial->row, &bare);
    for (int k = 0; k <= TRIALS; k++) {
        ThawMoment moment = {.t = duration * k / TRIALS};
        double value = thaw_number_at(&trial->number, &moment) / bare;
        if (!isfinite(value)) {
            return scene_complain(reader, trial->node, "%s is not finite at t = %g s", trial->path,
                                  moment.t);
        }
        if (value >= range.low && value <= range.high) continue;
        return scene_complain(reader, trial->node, "%s must be %s, but is %g at t = %g s",
                              trial->path, trial->row->key.range, value, moment.t);
    }
    return true;
}

// ---------------------------------------------------------------- space

static ScenePlace place_of(const SceneNode *root, const char *key) {
    const SceneItem *item = scene_node_find(root, key);
    return item != NULL ? item->value->place : root->place;
}

static bool check_gravity(SceneReader *reader, const SceneNode *root) {
    const ThawNumber *z = &reader->owner->scene.gravity.axis[2];
    if (reader->dimensions != 2) return true;
    if (reader->owner->scene.up == 2) {
        return scene_complain_at(reader, place_of(root, "up"),
                                 "up must be x or y in 2D: everything lies in the plane z = 0");
    }
    if (z->expression == NULL && z->constant == 0 && !thaw_number_varies(z)) return true;
    return scene_complain_at(reader, place_of(root, "gravity"),
                             "gravity must have z = 0 in 2D: give it as [x, y]");
}

static bool check_periodic_axis(SceneReader *reader, const SceneNode *map, int axis) {
    const ThawWorldDef *world = &reader->owner->scene.world;
    static const char *const names[] = {"x", "y", "z"};
    const double lower[3] = {world->lower.x, world->lower.y, world->lower.z};
    const double upper[3] = {world->upper.x, world->upper.y, world->upper.z};
    const SceneItem *item = scene_node_find(map, names[axis]);
    if (item == NULL) return true;
    if (axis == 2 && reader->dimensions == 2) {
        return scene_complain(reader, item->key, "periodic.z is not possible in 2D");
    }
    if (!(lower[axis] < upper[axis])) {
        return scene_complain(reader, item->value, "periodic.%s: %g m is not below %g m",
                              names[axis], lower[axis], upper[axis]);
    }
    double least = 4 * world->spacing;
    if (upper[axis] - lower[axis] >= least * (1 - 1e-12)) return true;
    return scene_complain(reader, item->value,
                          "periodic.%s must be at least four spacings (%g m) long, not %g m",
                          names[axis], least, upper[axis] - lower[axis]);
}

static bool check_periodic(SceneReader *reader, const SceneNode *root) {
    const SceneItem *item = scene_node_find(root, "periodic");
    bool good = true;
    for (int a = 0; item != NULL && a < 3; a++) {
        good &= check_periodic_axis(reader, item->value, a);
    }
    return good;
}

// ---------------------------------------------------------------- values that belong together

static bool check_solver(SceneReader *reader, const SceneNode *root) {
    const ThawSolverDef *solver = &reader->owner->scene.world.solver;
    if (solver->density_tolerance <= 0 || solver->max_iterations >= solver->iterations) return true;
    return scene_complain_at(reader, place_of(root, "solver"),
                             "solver.max_iterations must not be below solver.iterations when a "
                             "density_tolerance is set: %d is below %d",
                             solver->max_iterations, solver->iterations);
}

// pairs of two materials share one power
static bool check_materials(SceneReader *reader, const SceneNode *root) {
    const ThawScene *scene = &reader->owner->scene;
    const ThawSceneMaterial *first = NULL;
    for (int k = 0; k < scene->material_count; k++) {
        const ThawSceneMaterial *material = &scene->materials[k];
        if (scene_number_is_zero(&material->tensile)) continue;
        if (first == NULL) first = material;
        if (first->tensile_exponent == material->tensile_exponent) continue;
        const SceneNode *map = scene_node_find(root, "materials")->value;
        return scene_complain(reader, scene_node_find(map, material->name)->key,
                              "materials.%s.liquid.tensile_exponent must be %d as in '%s', not %d",
                              material->name, first->tensile_exponent, first->name,
                              material->tensile_exponent);
    }
    return true;
}

// `before` and "a, b and c"
static const char *list_words(const char *before, const char *const *words, int count, char *text,
                              size_t size) {
    size_t length = (size_t)snprintf(text, size, "%s", before);
    for (int k = 0; k < count && length < size; k++) {
        const char *joint = k == 0 ? "" : k + 1 < count ? ", " : " and ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", joint, words[k]);
    }
    return text;
}

static bool check_color(SceneReader *reader, const SceneNode *map) {
    const ThawSceneCamera *camera = &reader->owner->scene.camera;
    const char *names[SCENE_MOST_CHANNELS + 32] = {"speed", "none"};
    bool heat = reader->owner->scene.heat.on;
    int count = 2;
    if (heat) names[count++] = "celsius";
    count += scene_collect_fields(&reader->owner->scene, names + count, SCENE_MOST_CHANNELS + 29);
    for (int k = 0; k < count; k++) {
        if (strcmp(names[k], camera->color) == 0) return true;
    }
    bool celsius = strcmp(camera->color, "celsius") == 0;
    if (!heat && (celsius || scene_is_thermal_field(camera->color))) {
        return scene_complain(reader, scene_node_find(map, "color")->value,
                              "camera.color: '%s' is there only where heat is on", camera->color);
    }
    char hint[96], list[400] = "";
    scene_hint(camera->color, names, count, hint);
    if (hint[0] == '\0') list_words("; there are ", names, count, list, sizeof list);
    return scene_complain(reader, scene_node_find(map, "color")->value,
                          "camera.color: there is no field or channel '%.60s'%s%s", camera->color,
                          hint, list);
}

static bool check_color_map(SceneReader *reader, const SceneNode *map) {
    const char *wanted = reader->owner->scene.camera.map, *names[32];
    int count = 0;
    if (wanted == NULL) return true;
    while (count < 32 && (names[count] = thaw_color_map_name(count)) != NULL) {
        if (strcmp(names[count++], wanted) == 0) return true;
    }
    char list[400];
    return scene_complain(reader, scene_node_find(map, "map")->value,
                          "camera.map: there is no colour map '%.60s'%s", wanted,
                          list_words("; maps are ", names, count, list, sizeof list));
}

static bool check_camera(SceneReader *reader, const SceneNode *root) {
    ThawSceneCamera *camera = &reader->owner->scene.camera;
    const SceneItem *item = scene_node_find(root, "camera");
    if (item == NULL) return true;
    bool eye = scene_node_find(item->value, "eye") != NULL;
    bool target = scene_node_find(item->value, "target") != NULL;
    bool good = true;
    camera->given = eye && target;
    if (eye != target) {
        good =
            scene_complain(reader, item->key, "camera needs both 'eye' and 'target', or neither");
    }
    if (camera->high < camera->low) {
        good = scene_complain(reader, item->key, "camera.high must not be below camera.low");
    }
    good &= check_color(reader, item->value);
    good &= check_color_map(reader, item->value);
    return good;
}

bool scene_check_whole(SceneReader *reader, const SceneNode *root) {
    bool good = true;
    for (int k = 0; k < reader->trial_count; k++)
        good &= try_expression(reader, &reader->trials[k]);
    good &= check_gravity(reader, root);
    good &= check_periodic(reader, root);
    good &= check_solver(reader, root);
    good &= check_materials(reader, root);
    good &= check_camera(reader, root);
    return good;
}
