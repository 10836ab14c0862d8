// Forces of a scene: each of one kind, which is the key that its numbers stand under.
#include "scene/reader.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {[THAW_FORCE_DIRECTIONAL] = "directional",
                                    [THAW_FORCE_POINT] = "point",
                                    [THAW_FORCE_VORTEX] = "vortex",
                                    [THAW_FORCE_WIND] = "wind",
                                    [THAW_FORCE_TURBULENCE] = "turbulence"};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

const char *scene_force_kind(ThawForceKind kind) {
    return kinds[kind];
}

static bool take_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                     const SceneNode *value, void *target) {
    ThawSceneForce *force = target;
    if (strcmp(key->text, "region") == 0) {
        force->bounded = true;
        return scene_read_shape(reader, value, &force->region, NULL);
    }
    if (strcmp(key->text, "material") == 0) {
        return scene_read_material_name(reader, value, &force->material);
    }
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(key->text, kinds[k]) == 0) force->kind = (ThawForceKind)k;
    }
    return scene_read_map(reader, row->key.path, value, target, NULL);
}

// ---------------------------------------------------------------- checks

static bool check_kind(SceneReader *reader, const SceneNode *node) {
    const SceneItem *first = NULL;
    bool misspelt = false;
    for (int k = 0; k < KINDS; k++) {
        const SceneItem *item = scene_node_find(node, kinds[k]);
        misspelt |= item == NULL && scene_is_misspelt("forces[]", node, kinds[k]);
        if (item != NULL && first != NULL) {
            return scene_complain(reader, item->key, "%s: give either '%s' or '%s', not both",
                                  reader->path, first->key->text, item->key->text);
        }
        if (item != NULL) first = item;
    }
    if (first != NULL || misspelt) return first != NULL;
    return scene_complain(reader, node,
                          "%s needs one of the keys directional, point, vortex, wind and "
                          "turbulence",
                          reader->path);
}

static bool is_still(const ThawNumber *number, double value) {
    return number->constant == value && number->expression == NULL && !thaw_number_varies(number);
}

// it must point somewhere, and in 2D within the plane; a vortex there turns about z
static bool check_direction(SceneReader *reader, const SceneNode *node,
                            const ThawSceneForce *force) {
    if (force->kind == THAW_FORCE_POINT || force->kind == THAW_FORCE_TURBULENCE) return true;
    const char *key = force->kind == THAW_FORCE_VORTEX ? "axis" : "direction";
    const SceneNode *map = scene_node_find(node, kinds[force->kind])->value;
    const SceneItem *item = scene_node_find(map, key);
    const ThawNumber *axis = force->direction.axis;
    if (item == NULL) return true;
    if (is_still(&axis[0], 0) && is_still(&axis[1], 0) && is_still(&axis[2], 0)) {
        return scene_complain(reader, item->value, "%s.%s.%s must not be [0, 0, 0]", reader->path,
                              kinds[force->kind], key);
    }
    if (reader->dimensions != 2) return true;
    bool vortex = force->kind == THAW_FORCE_VORTEX;
    bool flat = vortex ? is_still(&axis[0], 0) && is_still(&axis[1], 0) : is_still(&axis[2], 0);
    if (flat) return true;
    return scene_complain(reader, item->value, "%s.%s.%s must %s in 2D", reader->path,
                          kinds[force->kind], key, vortex ? "be along z" : "have z = 0");
}

static bool check_core(SceneReader *reader, const SceneNode *node, const ThawSceneForce *force) {
    if (!(force->radius > 0) || force->core < force->radius) return true;
    const char *kind = kinds[force->kind];
    const SceneNode *map = scene_node_find(node, kind)->value;
    return scene_complain(reader, scene_node_find(map, "core")->value,
                          "%s.%s.core must be below radius, %g m, not %g m", reader->path, kind,
                          force->radius, force->core);
}

static bool read_force(SceneReader *reader, const SceneNode *node) {
    ThawScene *scene = &reader->owner->scene;
    scene->forces = scene_append(reader, scene->forces, &scene->force_count, sizeof *scene->forces);
    if (scene->forces == NULL) return false;
    ThawSceneForce *force = &scene->forces[scene->force_count - 1];
    force->material = -1;
    force->to = INFINITY;
    force->line = node->line;
    force->file = scene_file_of(reader, node);
    bool good = scene_read_map(reader, "forces[]", node, force, take_key);
    if (node->kind == SCENE_MAP) good &= check_kind(reader, node);
    if (!good) return false;
    good = scene_check_name(reader, scene_node_find(node, "name")->value, force->name);
    good &= scene_check_times(reader, node, force->from, force->to);
    good &= check_core(reader, node, force);
    return check_direction(reader, node, force) && good;
}

bool scene_read_forces(SceneReader *reader, const SceneNode *list) {
    if (!scene_expect(reader, list, SCENE_LIST)) return false;
    bool good = scene_check_names(reader, list, "forces");
    for (int k = 0; k < list->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter_item(reader, list, k);
        good &= read_force(reader, list->items[k].value);
        scene_leave(reader, length);
    }
    return good;
}
