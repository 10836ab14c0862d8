// Colliders of a scene: still, along a motion, changing their form, or rigid bodies that are pushed.
#include "scene/reader.h"

#include <string.h>

static bool take_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                     const SceneNode *value, void *target) {
    ThawSceneCollider *collider = target;
    // a motion is read after the map: it depends on where the shape is
    if (strcmp(key->text, "motion") == 0) return true;
    if (strcmp(key->text, "dynamic") == 0) {
        collider->dynamic.on = true;
        return scene_read_map(reader, row->key.path, value, collider, NULL);
    }
    if (!scene_read_shape(reader, value, &collider->shape, &collider->mesh)) return false;
    if (collider->shape.kind != THAW_SHAPE_BLEND) return true;
    return scene_complain(reader, value,
                          "%s: a blend is for bodies and regions; give a collider other shapes, "
                          "such as a sphere for each ball",
                          reader->path);
}

static bool read_course(SceneReader *reader, const SceneNode *node, ThawSceneCollider *collider) {
    SceneCourse course = {.position = collider->shape.pose.position};
    size_t length = scene_enter(reader, "motion");
    bool good = scene_read_motion(reader, node, &course);
    scene_leave(reader, length);
    collider->motion = course.keys;
    collider->motion_count = course.count;
    collider->formula = course.formula;
    return good;
}

// ---------------------------------------------------------------- rigid bodies

// why this collider cannot be a rigid body; NULL when it can
static const char *name_obstacle(const SceneNode *node, const ThawSceneCollider *collider) {
    if (collider->shape.kind == THAW_SHAPE_PLANE) return "a plane has no end, so it has no mass";
    if (collider->container) return "a container is solid without end, so it has no mass";
    if (scene_node_find(node, "motion") != NULL) {
        return "what moves it is either its motion or what it meets";
    }
    bool forms = collider->mesh != NULL && collider->mesh->sequence.count > 0;
    return forms ? "a rigid body keeps its form, and a sequence changes it" : NULL;
}

// in 2D it stays in the plane
static bool check_flat(SceneReader *reader, const SceneNode *map, const ThawDynamicDef *dynamic) {
    if (reader->dimensions != 2) return true;
    if (dynamic->velocity.z != 0) {
        return scene_complain(reader, scene_node_find(map, "velocity")->value,
                              "%s.dynamic.velocity must have z = 0 in 2D", reader->path);
    }
    if (dynamic->spin.x == 0 && dynamic->spin.y == 0) return true;
    return scene_complain(reader, scene_node_find(map, "spin")->value,
                          "%s.dynamic.spin must be about z in 2D, [0, 0, spin]", reader->path);
}

static bool check_inertia(SceneReader *reader, const SceneNode *map, ThawVec3 inertia) {
    const SceneItem *item = scene_node_find(map, "inertia");
    bool flat = reader->dimensions == 2;
    bool sound = inertia.z > 0 && (flat || (inertia.x > 0 && inertia.y > 0));
    if (item == NULL || sound) return true;
    return scene_complain(reader, item->value, "%s.dynamic.inertia must be above 0%s", reader->path,
                          flat ? ": in 2D [0, 0, inertia]" : " about every axis");
}

static bool check_dynamic(SceneReader *reader, const SceneNode *node,
                          const ThawSceneCollider *collider) {
    const SceneItem *item = scene_node_find(node, "dynamic");
    if (item == NULL) return true;
    const char *obstacle = name_obstacle(node, collider);
    if (obstacle != NULL) {
        return scene_complain(reader, item->key, "%s.dynamic is not possible here: %s",
                              reader->path, obstacle);
    }
    const SceneItem *mass = scene_node_find(item->value, "mass");
    if (mass != NULL && scene_node_find(item->value, "density") != NULL) {
        return scene_complain(reader, mass->key,
                              "%s.dynamic: give either 'density' or 'mass', not both",
                              reader->path);
    }
    const SceneItem *center = scene_node_find(item->value, "center");
    if (center != NULL && scene_node_find(item->value, "inertia") == NULL) {
        return scene_complain(reader, center->key,
                              "%s.dynamic.center needs 'inertia' beside it: without it both are "
                              "those of the shape",
                              reader->path);
    }
    return check_inertia(reader, item->value, collider->dynamic.inertia) &&
           check_flat(reader, item->value, &collider->dynamic);
}

// ---------------------------------------------------------------- a collider

static bool check_mesh(SceneReader *reader, const SceneNode *node,
                       const ThawSceneCollider *collider) {
    const ThawSceneMesh *mesh = collider->mesh;
    if (mesh == NULL || !collider->container || mesh->def.mode != THAW_FIELD_SHELL) return true;
    return scene_complain(reader, scene_node_find(node, "container")->key,
                          "%s: a shell has matter on both sides; leave 'container' out, or take "
                          "'mode: solid'",
                          reader->path);
}

static bool read_collider(SceneReader *reader, const SceneNode *node) {
    ThawScene *scene = &reader->owner->scene;
    scene->colliders =
        scene_append(reader, scene->colliders, &scene->collider_count, sizeof *scene->colliders);
    if (scene->colliders == NULL) return false;
    ThawSceneCollider *collider = &scene->colliders[scene->collider_count - 1];
    collider->line = node->line;
    collider->file = scene_file_of(reader, node);
    bool good = scene_read_map(reader, "colliders[]", node, collider, take_key);
    const SceneItem *motion = scene_node_find(node, "motion");
    if (motion != NULL) good &= read_course(reader, motion->value, collider);
    if (!good) return false;
    good = check_mesh(reader, node, collider);
    good &= check_dynamic(reader, node, collider);
    good &= scene_check_name(reader, scene_node_find(node, "name")->value, collider->name);
    return good;
}

bool scene_read_colliders(SceneReader *reader, const SceneNode *list) {
    if (!scene_expect(reader, list, SCENE_LIST)) return false;
    bool good = scene_check_names(reader, list, "colliders");
    for (int k = 0; k < list->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter_item(reader, list, k);
        good &= read_collider(reader, list->items[k].value);
        scene_leave(reader, length);
    }
    return good;
}
