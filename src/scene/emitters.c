// Emitters and sinks of a scene: where particles come from, and where they go.
//
// They are read after materials and channels, which they name. A motion is written and made like a
// collider's.
#include "scene/number.h"
#include "scene/reader.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- an emitter

static bool read_values(SceneReader *reader, const SceneNode *map, ThawSceneEmitter *emitter) {
    SceneValues values = {0};
    bool good = scene_read_channel_values(reader, map, true, &values);
    emitter->values = values.list;
    emitter->value_count = values.count;
    return good;
}

static bool read_volume(SceneReader *reader, const SceneNode *node, ThawSceneEmitter *emitter) {
    if (!scene_read_source(reader, node, emitter)) return false;
    if (emitter->kind != THAW_EMITTER_VOLUME) return true;
    if (emitter->shape.kind == THAW_SHAPE_PLANE) {
        return scene_complain(reader, node,
                              "%s: a plane has no volume to fill; take a disc or a rectangle for "
                              "an opening",
                              reader->path);
    }
    if (emitter->mesh == NULL || emitter->mesh->sequence.count == 0) return true;
    return scene_complain(reader, node,
                          "%s: an emitter keeps its form: give 'file'; a sequence is for colliders",
                          reader->path);
}

static bool take_emitter_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                             const SceneNode *value, void *target) {
    (void)row;
    ThawSceneEmitter *emitter = target;
    if (strcmp(key->text, "material") == 0) {
        return scene_read_material_name(reader, value, &emitter->material);
    }
    if (strcmp(key->text, "channels") == 0) return read_values(reader, value, emitter);
    if (strcmp(key->text, "shape") == 0) return read_volume(reader, value, emitter);
    // a motion is read after the map: it depends on where the emitter is
    return true;
}

static bool read_course(SceneReader *reader, const SceneNode *node, ThawSceneEmitter *emitter) {
    bool volume = emitter->kind == THAW_EMITTER_VOLUME;
    SceneCourse course = {.position =
                              volume ? emitter->shape.pose.position : emitter->pose.position};
    size_t length = scene_enter(reader, "motion");
    bool good = scene_read_motion(reader, node, &course);
    scene_leave(reader, length);
    emitter->motion = course.keys;
    emitter->motion_count = course.count;
    emitter->formula = course.formula;
    return good;
}

// how fast matter comes: by the speed, or as the rate asks for
static bool settle_speed(SceneReader *reader, const SceneNode *node, ThawSceneEmitter *emitter) {
    const SceneItem *speed = scene_node_find(node, "speed");
    bool volume = emitter->kind == THAW_EMITTER_VOLUME;
    if (speed == NULL) {
        bool given = volume || !scene_number_is_zero(&emitter->rate);
        emitter->speed = (ThawNumber){.constant = given ? 0 : 1, .scale = 1};
        return true;
    }
    if (volume) {
        return scene_complain(reader, speed->key,
                              "%s.speed is for openings, disc and rectangle; what a volume makes "
                              "has a 'velocity'",
                              reader->path);
    }
    if (!scene_number_is_zero(&emitter->speed) || !scene_number_is_zero(&emitter->rate))
        return true;
    return scene_complain(reader, speed->value,
                          "%s: with speed 0 and no rate nothing would come out", reader->path);
}

// ages are kept in the channel of that name
static bool check_age(SceneReader *reader, const SceneNode *node, const ThawSceneEmitter *emitter) {
    const ThawScene *scene = &reader->owner->scene;
    for (int k = 0; k < scene->channel_count && emitter->life > 0; k++) {
        const ThawSceneChannel *channel = &scene->channels[k];
        bool fits = channel->type == THAW_F32 && channel->components == 1;
        if (strcmp(channel->name, "age") != 0 || fits) continue;
        return scene_complain(reader, scene_node_find(node, "life")->value,
                              "%s.life needs the channel 'age' to be one float, the seconds",
                              reader->path);
    }
    return true;
}

// what must go together, once all of it was read
static bool check_emitter(SceneReader *reader, const SceneNode *node, ThawSceneEmitter *emitter) {
    bool good = scene_check_name(reader, scene_node_find(node, "name")->value, emitter->name);
    good &= scene_check_spacing(reader, node, emitter->spacing);
    good &= scene_check_times(reader, node, emitter->from, emitter->to);
    good &= settle_speed(reader, node, emitter);
    if (emitter->state == THAW_STATE_SOLID) {
        good = scene_complain(reader, scene_node_find(node, "state")->value,
                              "%s.state must be liquid: emitters make no solids; a body can be one",
                              reader->path);
    }
    good &= check_age(reader, node, emitter);
    const ThawNumber *z = &emitter->velocity.axis[2];
    if (reader->dimensions != 2 || (scene_number_is_zero(z) && z->expression == NULL)) return good;
    return scene_complain(reader, scene_node_find(node, "velocity")->value,
                          "%s.velocity must have z = 0 in 2D", reader->path);
}

static bool read_emitter(SceneReader *reader, const SceneNode *node) {
    ThawScene *scene = &reader->owner->scene;
    scene->emitters =
        scene_append(reader, scene->emitters, &scene->emitter_count, sizeof *scene->emitters);
    if (scene->emitters == NULL) return false;
    ThawSceneEmitter *emitter = &scene->emitters[scene->emitter_count - 1];
    emitter->to = INFINITY;
    emitter->line = node->line;
    emitter->file = scene_file_of(reader, node);
    bool good = scene_read_map(reader, "emitters[]", node, emitter, take_emitter_key);
    const SceneItem *motion = scene_node_find(node, "motion");
    if (motion != NULL) good &= read_course(reader, motion->value, emitter);
    return good && check_emitter(reader, node, emitter);
}

// ---------------------------------------------------------------- a sink

static bool take_sink_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                          const SceneNode *value, void *target) {
    (void)row;
    ThawSceneSink *sink = target;
    if (strcmp(key->text, "material") == 0) {
        return scene_read_material_name(reader, value, &sink->material);
    }
    if (!scene_read_shape(reader, value, &sink->shape, &sink->mesh)) return false;
    if (sink->mesh == NULL || sink->mesh->sequence.count == 0) return true;
    return scene_complain(reader, value,
                          "%s: a sink keeps its form: give 'file'; a sequence is for colliders",
                          reader->path);
}

static bool read_sink(SceneReader *reader, const SceneNode *node) {
    ThawScene *scene = &reader->owner->scene;
    scene->sinks = scene_append(reader, scene->sinks, &scene->sink_count, sizeof *scene->sinks);
    if (scene->sinks == NULL) return false;
    ThawSceneSink *sink = &scene->sinks[scene->sink_count - 1];
    sink->material = -1;
    sink->to = INFINITY;
    sink->line = node->line;
    sink->file = scene_file_of(reader, node);
    if (!scene_read_map(reader, "sinks[]", node, sink, take_sink_key)) return false;
    bool good = scene_check_name(reader, scene_node_find(node, "name")->value, sink->name);
    return scene_check_times(reader, node, sink->from, sink->to) && good;
}

// ---------------------------------------------------------------- all of them

static bool read_list(SceneReader *reader, const SceneNode *list, const char *what,
                      bool (*read)(SceneReader *reader, const SceneNode *node)) {
    if (!scene_expect(reader, list, SCENE_LIST)) return false;
    bool good = scene_check_names(reader, list, what);
    for (int k = 0; k < list->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter_item(reader, list, k);
        good &= read(reader, list->items[k].value);
        scene_leave(reader, length);
    }
    return good;
}

bool scene_read_emitters(SceneReader *reader, const SceneNode *list) {
    return read_list(reader, list, "emitters", read_emitter);
}

bool scene_read_sinks(SceneReader *reader, const SceneNode *list) {
    return read_list(reader, list, "sinks", read_sink);
}
