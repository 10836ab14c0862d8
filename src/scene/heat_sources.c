// Heat sources of a scene, and whether there is heat at all.
//
// They are read after materials and bodies, which they name.
#include "scene/reader.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- a source

static bool take_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                     const SceneNode *value, void *target) {
    (void)row;
    ThawSceneHeatSource *source = target;
    if (strcmp(key->text, "material") == 0) {
        return scene_read_material_name(reader, value, &source->material);
    }
    if (strcmp(key->text, "body") == 0) return scene_read_body_name(reader, value, &source->body);
    // a motion is read after the map: it depends on where the shape is
    if (strcmp(key->text, "motion") == 0) return true;
    source->bounded = true;
    if (!scene_read_shape(reader, value, &source->shape, &source->mesh)) return false;
    if (source->mesh == NULL || source->mesh->sequence.count == 0) return true;
    return scene_complain(reader, value,
                          "%s: a heat source keeps its form: give 'file'; a sequence is for "
                          "colliders",
                          reader->path);
}

static bool read_course(SceneReader *reader, const SceneNode *node, ThawSceneHeatSource *source) {
    SceneCourse course = {.position = source->shape.pose.position};
    if (!source->bounded) {
        return scene_complain(reader, node,
                              "%s.motion needs a 'shape': a source that is everywhere "
                              "does not move",
                              reader->path);
    }
    size_t length = scene_enter(reader, "motion");
    bool good = scene_read_motion(reader, node, &course);
    scene_leave(reader, length);
    source->motion = course.keys;
    source->motion_count = course.count;
    source->formula = course.formula;
    return good;
}

// it gives heat, or it holds a temperature
static bool check_kind(SceneReader *reader, const SceneNode *node) {
    const SceneItem *power = scene_node_find(node, "power");
    const SceneItem *temperature = scene_node_find(node, "temperature");
    if (power != NULL && temperature != NULL) {
        return scene_complain(reader, temperature->key,
                              "%s: give either 'power' or 'temperature', not both", reader->path);
    }
    if (power != NULL || temperature != NULL) return true;
    return scene_complain(reader, node, "%s needs the key 'power' or 'temperature'", reader->path);
}

static bool read_source(SceneReader *reader, const SceneNode *node) {
    ThawScene *scene = &reader->owner->scene;
    scene->heat_sources = scene_append(reader, scene->heat_sources, &scene->heat_source_count,
                                       sizeof *scene->heat_sources);
    if (scene->heat_sources == NULL) return false;
    ThawSceneHeatSource *source = &scene->heat_sources[scene->heat_source_count - 1];
    source->material = source->body = -1;
    source->to = INFINITY;
    source->line = node->line;
    source->file = scene_file_of(reader, node);
    if (!scene_read_map(reader, "heat_sources[]", node, source, take_key)) return false;
    const SceneItem *motion = scene_node_find(node, "motion");
    if (motion != NULL && !read_course(reader, motion->value, source)) return false;
    bool good = scene_check_name(reader, scene_node_find(node, "name")->value, source->name);
    good &= scene_check_times(reader, node, source->from, source->to);
    return check_kind(reader, node) && good;
}

bool scene_read_heat_sources(SceneReader *reader, const SceneNode *list) {
    if (!scene_expect(reader, list, SCENE_LIST)) return false;
    bool good = scene_check_names(reader, list, "heat sources");
    for (int k = 0; k < list->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter_item(reader, list, k);
        good &= read_source(reader, list->items[k].value);
        scene_leave(reader, length);
    }
    return good;
}

// ---------------------------------------------------------------- whether there is heat

static bool is_said(const ThawNumber *number) {
    return number->constant != 0 || number->expression != NULL || number->key_count > 0;
}

// whether a temperature is given, matter that melts, or a source
static bool is_about_heat(const ThawScene *scene) {
    bool warm = scene->heat_source_count > 0;
    for (int k = 0; k < scene->material_count && !warm; k++) {
        const ThawSceneThermal *thermal = &scene->materials[k].thermal;
        warm = thermal->melts_at > 0 || thermal->melts_when.text != NULL ||
               thermal->freezes_when.text != NULL;
    }
    for (int k = 0; k < scene->body_count && !warm; k++) {
        warm = scene->bodies[k].temperature > 0;
    }
    for (int k = 0; k < scene->emitter_count && !warm; k++) {
        warm = is_said(&scene->emitters[k].temperature);
    }
    for (int k = 0; k < scene->collider_count && !warm; k++) {
        warm = is_said(&scene->colliders[k].temperature);
    }
    return warm;
}

void scene_settle_heat(SceneReader *reader, const SceneNode *root) {
    ThawScene *scene = &reader->owner->scene;
    const SceneItem *heat = scene_node_find(root, "heat");
    scene->heat.given = heat != NULL;
    if (heat != NULL && scene_node_find(heat->value, "on") != NULL) return;
    scene->heat.on = heat != NULL || is_about_heat(scene);
}
