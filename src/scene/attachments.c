// Attachments of a scene: what they hold, and what moves it.
//
// They are read after bodies and colliders, whose names they refer to. A motion is written and made like
// a collider's.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- references

// "; it has copies ..." where the name is that of a grid of copies
static const char *hint_copies(const ThawScene *scene, const char *name, char hint[200]) {
    size_t length = strlen(name);
    for (int k = 0; k < scene->body_count; k++) {
        const char *body = scene->bodies[k].name;
        if (strncmp(body, name, length) != 0 || body[length] != '[') continue;
        snprintf(hint, 200, "; there are copies of it: name one, like '%.63s', or leave 'body' out",
                 body);
        return hint;
    }
    return NULL;
}

bool scene_read_body_name(SceneReader *reader, const SceneNode *node, int *body) {
    const ThawScene *scene = &reader->owner->scene;
    const char *name, *known[256];
    if (!scene_read_text(reader, node, &name)) return false;
    int count = 0;
    for (int k = 0; k < scene->body_count; k++) {
        if (strcmp(scene->bodies[k].name, name) == 0) {
            *body = k;
            return true;
        }
        if (count < 256) known[count++] = scene->bodies[k].name;
    }
    if (reader->bodies_failed) return false; // it may be one of those
    char near[96], copies[200];
    const char *hint = hint_copies(scene, name, copies);
    return scene_complain(reader, node, "unknown body '%.60s'%s", name,
                          hint != NULL ? hint : scene_hint(name, known, count, near));
}

static bool read_collider_name(SceneReader *reader, const SceneNode *node, int *collider) {
    const ThawScene *scene = &reader->owner->scene;
    const char *name, *known[256];
    if (!scene_read_text(reader, node, &name)) return false;
    int count = 0;
    for (int k = 0; k < scene->collider_count; k++) {
        if (scene->colliders[k].name == NULL) continue; // a mistake of its own
        if (strcmp(scene->colliders[k].name, name) == 0) {
            *collider = k;
            return true;
        }
        if (count < 256) known[count++] = scene->colliders[k].name;
    }
    char hint[96];
    return scene_complain(reader, node, "unknown collider '%.60s'%s", name,
                          scene->collider_count == 0 ? "; the scene has none"
                                                     : scene_hint(name, known, count, hint));
}

// ---------------------------------------------------------------- an attachment

static bool read_region(SceneReader *reader, const SceneNode *node, ThawShape *region) {
    if (!scene_read_shape(reader, node, region, NULL)) return false;
    if (region->kind != THAW_SHAPE_PLANE) return true;
    return scene_complain(reader, node, "%s: a plane has no end; take a box that reaches as far",
                          reader->path);
}

static bool take_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                     const SceneNode *value, void *target) {
    (void)row;
    ThawSceneAttachment *attachment = target;
    if (strcmp(key->text, "region") == 0) return read_region(reader, value, &attachment->region);
    if (strcmp(key->text, "body") == 0)
        return scene_read_body_name(reader, value, &attachment->body);
    if (strcmp(key->text, "collider") == 0) {
        return read_collider_name(reader, value, &attachment->collider);
    }
    // a motion is read after the map: it depends on where the region is
    return true;
}

static bool read_course(SceneReader *reader, const SceneNode *node,
                        ThawSceneAttachment *attachment) {
    SceneCourse course = {.position = attachment->region.pose.position};
    size_t length = scene_enter(reader, "motion");
    bool good = scene_read_motion(reader, node, &course);
    scene_leave(reader, length);
    attachment->motion = course.keys;
    attachment->motion_count = course.count;
    attachment->formula = course.formula;
    return good;
}

bool scene_check_times(SceneReader *reader, const SceneNode *map, double from, double to) {
    if (to > from) return true;
    const SceneItem *item = scene_node_find(map, "to");
    return scene_complain(reader, item != NULL ? item->value : map,
                          "%s.to must be later than %s.from: %g s is not after %g s", reader->path,
                          reader->path, to, from);
}

// what must go together, once all of it was read
static bool check_attachment(SceneReader *reader, const SceneNode *node,
                             const ThawSceneAttachment *attachment) {
    bool good = scene_check_name(reader, scene_node_find(node, "name")->value, attachment->name);
    const SceneItem *collider = scene_node_find(node, "collider");
    if (collider != NULL && scene_node_find(node, "motion") != NULL) {
        good = scene_complain(reader, collider->key,
                              "%s: give either 'motion' or 'collider', not both", reader->path);
    }
    return scene_check_times(reader, node, attachment->from, attachment->to) && good;
}

static bool read_attachment(SceneReader *reader, const SceneNode *node) {
    ThawScene *scene = &reader->owner->scene;
    scene->attachments = scene_append(reader, scene->attachments, &scene->attachment_count,
                                      sizeof *scene->attachments);
    if (scene->attachments == NULL) return false;
    ThawSceneAttachment *attachment = &scene->attachments[scene->attachment_count - 1];
    attachment->body = attachment->collider = -1;
    attachment->to = INFINITY;
    attachment->line = node->line;
    attachment->file = scene_file_of(reader, node);
    bool good = scene_read_map(reader, "attachments[]", node, attachment, take_key);
    const SceneItem *motion = scene_node_find(node, "motion");
    if (motion != NULL) good &= read_course(reader, motion->value, attachment);
    return good && check_attachment(reader, node, attachment);
}

bool scene_read_attachments(SceneReader *reader, const SceneNode *list) {
    if (!scene_expect(reader, list, SCENE_LIST)) return false;
    bool good = scene_check_names(reader, list, "attachments");
    for (int k = 0; k < list->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter_item(reader, list, k);
        good &= read_attachment(reader, list->items[k].value);
        scene_leave(reader, length);
    }
    return good;
}
