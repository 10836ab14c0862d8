// Bodies of a scene, their channels, and grids of copies.
#include "scene/reader.h"

#include "math/vec.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BODIES 100000
#define SPACING_RATIO 16.0 // how far a body's spacing may be from the scene's

// a body with what stands beside it in its map
typedef struct BodyText {
    ThawSceneBody body; // first: rows point into it
    const SceneNode *node;
    bool repeated;
    SceneRepeat repeat;
} BodyText;

// ---------------------------------------------------------------- references

bool scene_read_material_name(SceneReader *reader, const SceneNode *node, int *material) {
    const ThawScene *scene = &reader->owner->scene;
    const char *name, *known[256];
    if (!scene_read_text(reader, node, &name)) return false;
    if (scene->material_count == 0) return false; // that there is none was said already
    int count = 0;
    for (int k = 0; k < scene->material_count; k++) {
        if (scene->materials[k].name == NULL) continue;
        if (strcmp(scene->materials[k].name, name) == 0) {
            *material = k;
            return true;
        }
        if (count < 256) known[count++] = scene->materials[k].name;
    }
    char hint[96];
    return scene_complain(reader, node, "unknown material '%.60s'%s", name,
                          scene_hint(name, known, count, hint));
}

static int find_channel(SceneReader *reader, const SceneNode *key) {
    const ThawScene *scene = &reader->owner->scene;
    const char *known[SCENE_MOST_CHANNELS];
    for (int k = 0; k < scene->channel_count; k++) {
        if (strcmp(scene->channels[k].name, key->text) == 0) return k;
        known[k] = scene->channels[k].name;
    }
    char hint[96];
    scene_complain(reader, key, "unknown channel '%.60s'%s", key->text,
                   scene->channel_count == 0
                       ? "; the scene has none: declare it under 'channels'"
                       : scene_hint(key->text, known, scene->channel_count, hint));
    return -1;
}

// ---------------------------------------------------------------- channel values

static const SceneRow place_row = {
    {"", "number", "", "-1e30..1e30", "", false, true, ""}, SCENE_KIND_NUMBER, 0};
static const SceneRow time_row = {
    {"", "number", "", "-1e30..1e30", "", true, false, ""}, SCENE_KIND_NUMBER, 0};

// [[time, value], ...] of a channel that has one number
static bool is_keys(const SceneNode *node) {
    const SceneNode *first =
        node->kind == SCENE_LIST && node->count > 0 ? node->items[0].value : NULL;
    return first != NULL && first->kind == SCENE_LIST && first->count == 2 &&
           first->items[0].value->kind == SCENE_SCALAR;
}

static bool read_channel_value(SceneReader *reader, const SceneItem *item, const SceneRow *row,
                               ThawSceneChannelValue *value) {
    const ThawSceneChannel *def = &reader->owner->scene.channels[value->channel];
    int components = (int)def->components;
    const SceneNode *node = item->value;
    bool keys = row->key.animated && is_keys(node);
    if (components == 1 && (keys || node->kind != SCENE_LIST)) {
        return scene_read_moving(reader, row, node, &value->value[0]);
    }
    if (node->kind != SCENE_LIST || node->count != components) {
        return scene_complain(reader, node, "%s must be a list of %d numbers", reader->path,
                              components);
    }
    bool good = true;
    for (int k = 0; k < components; k++) {
        size_t length = scene_enter_index(reader, k);
        good &= scene_read_moving(reader, row, node->items[k].value, &value->value[k]);
        scene_leave(reader, length);
    }
    return good;
}

bool scene_read_channel_values(SceneReader *reader, const SceneNode *map, bool animated,
                               SceneValues *values) {
    if (!scene_expect(reader, map, SCENE_MAP)) return false;
    bool good = true;
    for (int k = 0; k < map->count && !reader->out_of_memory; k++) {
        const SceneItem *item = &map->items[k];
        int channel = find_channel(reader, item->key);
        if (channel < 0) {
            good = false;
            continue;
        }
        values->list = scene_append(reader, values->list, &values->count, sizeof *values->list);
        if (values->list == NULL) return false;
        ThawSceneChannelValue *value = &values->list[values->count - 1];
        value->channel = channel;
        size_t length = scene_enter(reader, item->key->text);
        good &= read_channel_value(reader, item, animated ? &time_row : &place_row, value);
        scene_leave(reader, length);
    }
    return good;
}

// ---------------------------------------------------------------- copies

static bool check_whole(SceneReader *reader, const SceneNode *node, ThawVec3 count) {
    if (count.x == floor(count.x) && count.y == floor(count.y) && count.z == floor(count.z)) {
        return true;
    }
    return scene_complain(reader, node, "%s.count must be whole numbers", reader->path);
}

static bool read_repeat(SceneReader *reader, const SceneNode *node, SceneRepeat *repeat) {
    if (!scene_read_map(reader, "bodies[].repeat", node, repeat, NULL)) return false;
    if (!check_whole(reader, node, repeat->count)) return false;
    double copies = repeat->count.x * repeat->count.y * repeat->count.z;
    if (copies <= MOST_BODIES) return true;
    return scene_complain(reader, node, "%s makes %g bodies; a scene has at most %d", reader->path,
                          copies, MOST_BODIES);
}

static bool add_body(SceneReader *reader, const SceneNode *node, const ThawSceneBody *body) {
    ThawScene *scene = &reader->owner->scene;
    if (scene->body_count == MOST_BODIES) {
        return scene_complain(reader, node, "a scene has at most %d bodies", MOST_BODIES);
    }
    scene->bodies = scene_append(reader, scene->bodies, &scene->body_count, sizeof *scene->bodies);
    if (scene->bodies == NULL) return false;
    scene->bodies[scene->body_count - 1] = *body;
    return true;
}

static bool add_copy(SceneReader *reader, const BodyText *text, const int at[3]) {
    ThawSceneBody copy = text->body;
    char name[128];
    int length =
        snprintf(name, sizeof name, "%.63s[%d,%d,%d]", text->body.name, at[0], at[1], at[2]);
    const SceneNode *place = scene_node_find(text->node, "name")->value;
    if (!scene_check_name(reader, place, name)) return false;
    copy.name = scene_copy(&reader->owner->arena, name, (size_t)length);
    if (copy.name == NULL) return scene_complain_memory(reader);
    ThawVec3 step = text->repeat.step;
    ThawVec3 shift = {at[0] * step.x, at[1] * step.y, at[2] * step.z};
    copy.shape.pose.position = thaw_add(copy.shape.pose.position, shift);
    return add_body(reader, text->node, &copy);
}

static bool add_copies(SceneReader *reader, const BodyText *text) {
    int n[3] = {(int)text->repeat.count.x, (int)text->repeat.count.y, (int)text->repeat.count.z};
    int at[3];
    for (at[2] = 0; at[2] < n[2]; at[2]++) {
        for (at[1] = 0; at[1] < n[1]; at[1]++) {
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                if (!add_copy(reader, text, at)) return false;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------- a body

static bool take_body_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                          const SceneNode *value, void *target) {
    (void)row;
    BodyText *text = target;
    if (strcmp(key->text, "material") == 0) {
        return scene_read_material_name(reader, value, &text->body.material);
    }
    if (strcmp(key->text, "channels") == 0) {
        SceneValues values = {0};
        bool good = scene_read_channel_values(reader, value, false, &values);
        text->body.values = values.list;
        text->body.value_count = values.count;
        return good;
    }
    if (strcmp(key->text, "repeat") == 0) {
        text->repeated = true;
        return read_repeat(reader, value, &text->repeat);
    }
    if (!scene_read_shape(reader, value, &text->body.shape, &text->body.mesh)) return false;
    if (text->body.mesh != NULL && text->body.mesh->sequence.count > 0) {
        return scene_complain(reader, value,
                              "%s: a body has one form at the start: give 'file'; a sequence is "
                              "for colliders",
                              reader->path);
    }
    if (text->body.shape.kind != THAW_SHAPE_PLANE) return true;
    return scene_complain(reader, value, "%s: a plane has no volume to fill; it is for colliders",
                          reader->path);
}

bool scene_check_spacing(SceneReader *reader, const SceneNode *map, double spacing) {
    double usual = reader->owner->scene.world.spacing;
    if (spacing == 0 || usual <= 0) return true;
    double ratio = spacing / usual;
    if (ratio >= 1 / SPACING_RATIO * (1 - 1e-6) && ratio <= SPACING_RATIO * (1 + 1e-6)) return true;
    return scene_complain(reader, scene_node_find(map, "spacing")->value,
                          "%s.spacing must be 1/16 to 16 times the scene's %g m, not %g m",
                          reader->path, usual, spacing);
}

// in 2D nothing moves along z
static bool check_flat(SceneReader *reader, const BodyText *text) {
    if (reader->dimensions != 2) return true;
    const ThawNumber *z = &text->body.velocity.axis[2];
    if (z->expression != NULL || z->constant != 0) {
        return scene_complain(reader, scene_node_find(text->node, "velocity")->value,
                              "%s.velocity must have z = 0 in 2D", reader->path);
    }
    if (text->body.spin.x == 0 && text->body.spin.y == 0) return true;
    return scene_complain(reader, scene_node_find(text->node, "spin")->value,
                          "%s.spin must be about z in 2D, [0, 0, spin]", reader->path);
}

static bool check_state(SceneReader *reader, const BodyText *text) {
    const ThawSceneBody *body = &text->body;
    if (body->state != THAW_STATE_SOLID || body->packing == THAW_PACKING_CLOSE) return true;
    return scene_complain(reader, scene_node_find(text->node, "packing")->value,
                          "%s.packing must be close where the state is solid: a solid's particles "
                          "sit on that lattice",
                          reader->path);
}

static bool read_body(SceneReader *reader, const SceneNode *node) {
    BodyText text = {.node = node};
    text.body.line = node->line;
    text.body.file = scene_file_of(reader, node);
    if (!scene_read_map(reader, "bodies[]", node, &text, take_body_key)) return false;
    const SceneNode *name = scene_node_find(node, "name")->value;
    bool good = scene_check_name(reader, name, text.body.name);
    good &= scene_check_spacing(reader, node, text.body.spacing);
    good &= check_state(reader, &text);
    good &= check_flat(reader, &text);
    if (!good) return false;
    return text.repeated ? add_copies(reader, &text) : add_body(reader, node, &text.body);
}

// ---------------------------------------------------------------- all bodies

static int compare_bodies(const void *a, const void *b) {
    const ThawSceneBody *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

// copies can come to have another body's name
static bool check_copies(SceneReader *reader, const SceneNode *list) {
    const ThawScene *scene = &reader->owner->scene;
    const ThawSceneBody **order = calloc((size_t)scene->body_count + 1, sizeof *order);
    if (order == NULL) return scene_complain_memory(reader);
    for (int k = 0; k < scene->body_count; k++) order[k] = &scene->bodies[k];
    qsort(order, (size_t)scene->body_count, sizeof *order, compare_bodies);
    bool good = true;
    for (int k = 1; k < scene->body_count && good; k++) {
        if (strcmp(order[k]->name, order[k - 1]->name) != 0) continue;
        good = scene_complain(reader, list, "two bodies come to have the name '%.63s'",
                              order[k]->name);
    }
    free(order);
    return good;
}

bool scene_read_bodies(SceneReader *reader, const SceneNode *list) {
    if (!scene_expect(reader, list, SCENE_LIST)) return false;
    bool good = scene_check_names(reader, list, "bodies");
    for (int k = 0; k < list->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter_item(reader, list, k);
        good &= read_body(reader, list->items[k].value);
        scene_leave(reader, length);
    }
    reader->bodies_failed = !good;
    return good ? check_copies(reader, list) : false;
}
