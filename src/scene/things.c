// The named things of a scene: materials, channels.
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAME 63    // bytes, what a world keeps
#define MOST_CHANNEL 31 // bytes

// ---------------------------------------------------------------- names

bool scene_check_name(SceneReader *reader, const SceneNode *node, const char *name) {
    if (name[0] == '\0') return scene_complain(reader, node, "a name must not be empty");
    if (strlen(name) > MOST_NAME) {
        return scene_complain(reader, node, "the name '%.20s...' is longer than %d bytes", name,
                              MOST_NAME);
    }
    for (const char *c = name; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            return scene_complain(reader, node, "a name must be on one line");
        }
    }
    return true;
}

const char *scene_file_of(SceneReader *reader, const SceneNode *node) {
    const SceneSource *source = node->place.source;
    if (source != reader->last_source) {
        reader->last_source = source;
        reader->last_file = scene_copy(&reader->owner->arena, source->name, strlen(source->name));
    }
    return reader->last_file != NULL ? reader->last_file : "";
}

size_t scene_enter_item(SceneReader *reader, const SceneNode *list, int k) {
    const SceneItem *name = scene_node_find(list->items[k].value, "name");
    bool named = name != NULL && name->value->kind == SCENE_SCALAR && name->value->length > 0;
    return named ? scene_enter(reader, name->value->text) : scene_enter_index(reader, k);
}

static int compare_names(const void *a, const void *b) {
    const SceneNode *const *x = a, *const *y = b;
    int order = strcmp((*x)->text, (*y)->text);
    size_t p = (*x)->place.offset, q = (*y)->place.offset;
    return order != 0 ? order : (p < q ? -1 : p > q);
}

bool scene_check_names(SceneReader *reader, const SceneNode *list, const char *what) {
    const SceneNode **names = calloc((size_t)list->count + 1, sizeof *names);
    if (names == NULL) return scene_complain_memory(reader);
    int count = 0;
    for (int k = 0; k < list->count; k++) {
        const SceneItem *item = scene_node_find(list->items[k].value, "name");
        if (item != NULL && item->value->kind == SCENE_SCALAR) names[count++] = item->value;
    }
    qsort(names, (size_t)count, sizeof *names, compare_names);
    bool good = true;
    for (int k = 1; k < count; k++) {
        if (strcmp(names[k]->text, names[k - 1]->text) != 0) continue;
        good = scene_complain(reader, names[k],
                              "there are two %s with the name '%.60s'; first on line %d", what,
                              names[k]->text, names[k - 1]->line);
    }
    free(names);
    return good;
}

// ---------------------------------------------------------------- materials

// distinct and readable on a light ground
static const double palette[][3] = {{0.16, 0.47, 0.84}, {0.90, 0.45, 0.13}, {0.20, 0.63, 0.36},
                                    {0.80, 0.24, 0.33}, {0.55, 0.36, 0.76}, {0.93, 0.74, 0.18},
                                    {0.30, 0.70, 0.78}, {0.60, 0.44, 0.33}};
#define PALETTE ((int)(sizeof palette / sizeof *palette))

// the first value of a number that may have keys over time; NULL when there is none
static const SceneNode *first_value(const SceneNode *node) {
    if (node->kind == SCENE_SCALAR) return node;
    const SceneNode *pair =
        node->kind == SCENE_LIST && node->count > 0 ? node->items[0].value : NULL;
    bool key = pair != NULL && pair->kind == SCENE_LIST && pair->count == 2;
    const SceneNode *value = key ? pair->items[1].value : NULL;
    return value != NULL && value->kind == SCENE_SCALAR ? value : NULL;
}

// whether a number is written with a unit of something
static bool carries_unit(const SceneNode *node) {
    const SceneNode *value = first_value(node);
    double plain;
    return value != NULL && scene_is_quantity(value->text, value->length) &&
           !scene_parse_quantity(value->text, value->length, SCENE_NUMBER, &plain, NULL);
}

// the artist's surface tension; one with a unit is read after the map, in place of the physical one's default
static bool take_material_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                              const SceneNode *value, void *target) {
    ThawSceneMaterial *material = target;
    if (strcmp(key->text, "surface_tension") != 0) {
        return scene_read_thermal_key(reader, row, value, &material->thermal);
    }
    if (!scene_visit(reader, value)) return false;
    material->surface_tension = (ThawNumber){.scale = 1};
    return carries_unit(value) || scene_read_moving(reader, row, value, &material->surface_tension);
}

static bool read_tension(SceneReader *reader, const SceneNode *map, ThawSceneMaterial *material) {
    const SceneItem *liquid = scene_node_find(map, "liquid");
    const SceneItem *item =
        liquid != NULL ? scene_node_find(liquid->value, "surface_tension") : NULL;
    if (item == NULL || !carries_unit(item->value)) return true;
    if (scene_node_find(liquid->value, "tension") != NULL) {
        return scene_complain(reader, item->key,
                              "%s.liquid: give either 'tension' or a surface_tension with a unit, "
                              "not both",
                              reader->path);
    }
    const SceneRow *row = scene_row_find("materials.*.liquid", "tension");
    size_t length = scene_enter(reader, "liquid.surface_tension");
    bool good = scene_read_moving(reader, row, item->value, &material->tension);
    scene_leave(reader, length);
    return good;
}

// a viscosity that is given acts alone, unless smoothing is asked for beside it
static void default_xsph(const SceneNode *map, ThawSceneMaterial *material) {
    const SceneItem *liquid = scene_node_find(map, "liquid");
    bool physical = liquid != NULL && scene_node_find(liquid->value, "viscosity") != NULL;
    material->xsph = (ThawNumber){.constant = physical ? 0 : THAW_XSPH_USUAL, .scale = 1};
}

// what dynamic viscosities are divided by; a bad one is complained of where it is read
static double density_of(const SceneNode *map) {
    const SceneItem *item = scene_node_find(map, "density");
    double density = 0;
    if (item == NULL) {
        const SceneRow *row = scene_row_find("materials.*", "density");
        const char *text = scene_row_default(row);
        scene_parse_quantity(text, strlen(text), SCENE_DENSITY, &density, NULL);
    } else if (item->value->kind == SCENE_SCALAR) {
        scene_parse_quantity(item->value->text, item->value->length, SCENE_DENSITY, &density, NULL);
    }
    return density;
}

// a solid may be lighter or heavier than its melt, but not by any factor
static bool check_solid_density(SceneReader *reader, const SceneNode *map,
                                const ThawSceneMaterial *material) {
    const SceneItem *solid = scene_node_find(map, "solid");
    if (solid == NULL || solid->value->kind != SCENE_MAP) return true;
    const SceneItem *density = scene_node_find(solid->value, "density");
    double ratio = material->solid.density / material->density;
    if (density == NULL || ratio == 0 || (ratio >= 0.5 && ratio <= 2)) return true;
    return scene_complain(reader, density->value,
                          "%s.solid.density must be half to twice the density of %g kg/m^3, not %g",
                          reader->path, material->density, material->solid.density);
}

static bool read_material(SceneReader *reader, const SceneItem *item) {
    ThawScene *scene = &reader->owner->scene;
    scene->materials =
        scene_append(reader, scene->materials, &scene->material_count, sizeof *scene->materials);
    if (scene->materials == NULL) return false;
    int index = scene->material_count - 1;
    ThawSceneMaterial *material = &scene->materials[index];
    memcpy(material->color, palette[index % PALETTE], sizeof material->color);
    bool good = scene_check_name(reader, item->key, item->key->text) &&
                scene_read_text(reader, item->key, &material->name);
    // a material may be named and nothing else: all its values have defaults
    SceneNode *empty = scene_node_create(&reader->tree, SCENE_MAP, item->key->place);
    if (empty == NULL) return scene_complain_memory(reader);
    const SceneNode *map = scene_node_is_null(item->value) ? empty : item->value;
    reader->density = density_of(map);
    default_xsph(map, material);
    good &= scene_read_map(reader, "materials.*", map, material, take_material_key);
    reader->density = 0;
    material->liquid_said = scene_node_find(map, "liquid") != NULL;
    material->solid_said = scene_node_find(map, "solid") != NULL;
    good &= scene_check_thermal(reader, map, &material->thermal);
    good &= check_solid_density(reader, map, material);
    return read_tension(reader, map, material) && good;
}

bool scene_read_materials(SceneReader *reader, const SceneNode *map) {
    if (!scene_expect(reader, map, SCENE_MAP)) return false;
    if (map->count == 0) return scene_complain(reader, map, "a scene needs a material");
    bool good = true;
    for (int k = 0; k < map->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter(reader, map->items[k].key->text);
        good &= read_material(reader, &map->items[k]);
        scene_leave(reader, length);
    }
    return good;
}

// ---------------------------------------------------------------- channels

bool scene_is_thermal_field(const char *name) {
    static const char *const fields[] = {"temperature", "molten", "enthalpy"};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        if (strcmp(fields[k], name) == 0) return true;
    }
    return false;
}

static bool is_field(const char *name) {
    const ThawFieldInfo *info;
    for (uint32_t k = 0; (info = thaw_field_info(k)) != NULL; k++) {
        if (strcmp(info->name, name) == 0) return true;
    }
    // what frames and pictures have besides
    static const char *const others[] = {"speed",         "celsius",           "none",
                                         "fracture_time", "fracture_position", "fracture_pair"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(others[k], name) == 0) return true;
    }
    return scene_is_thermal_field(name);
}

static bool check_channel_name(SceneReader *reader, const SceneNode *key) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (key->length == 0 || key->length > MOST_CHANNEL ||
        strspn(key->text, letters) != key->length) {
        return scene_complain(reader, key,
                              "a channel's name has 1 to %d letters, digits and _, unlike '%.60s'",
                              MOST_CHANNEL, key->text);
    }
    if (!is_field(key->text)) return true;
    return scene_complain(reader, key, "a channel cannot have the name '%s', which is a field's",
                          key->text);
}

static bool read_channel(SceneReader *reader, const SceneItem *item) {
    ThawScene *scene = &reader->owner->scene;
    SceneChannelForm form = {0};
    bool good = check_channel_name(reader, item->key);
    good &= scene_read_map(reader, "channels.*", item->value, &form, NULL);
    if (!good) return false;
    scene->channels =
        scene_append(reader, scene->channels, &scene->channel_count, sizeof *scene->channels);
    if (scene->channels == NULL) return false;
    ThawSceneChannel *channel = &scene->channels[scene->channel_count - 1];
    channel->type = form.type == 0 ? THAW_F32 : THAW_I32;
    channel->components = (uint32_t)form.components;
    return scene_read_text(reader, item->key, &channel->name);
}

bool scene_read_channels(SceneReader *reader, const SceneNode *map) {
    if (!scene_expect(reader, map, SCENE_MAP)) return false;
    if (map->count > SCENE_MOST_CHANNELS) {
        return scene_complain(reader, map, "a scene has at most %d channels", SCENE_MOST_CHANNELS);
    }
    bool good = true;
    for (int k = 0; k < map->count && !reader->out_of_memory; k++) {
        size_t length = scene_enter(reader, map->items[k].key->text);
        good &= read_channel(reader, &map->items[k]);
        scene_leave(reader, length);
    }
    return good;
}

int scene_collect_fields(const ThawScene *scene, const char **names, int most) {
    int count = 0;
    const ThawFieldInfo *info;
    for (uint32_t k = 0; (info = thaw_field_info(k)) != NULL && count < most; k++) {
        // what the store keeps for itself
        bool shown = strcmp(info->name, "dead") != 0 && strcmp(info->name, "cells") != 0;
        if (shown && !scene_is_thermal_field(info->name)) names[count++] = info->name;
    }
    static const char *const thermal[] = {"temperature", "molten", "enthalpy"};
    for (int k = 0; scene->heat.on && k < 3 && count < most; k++) names[count++] = thermal[k];
    bool ages = false;
    for (int k = 0; k < scene->emitter_count; k++) ages |= scene->emitters[k].life > 0;
    for (int k = 0; k < scene->channel_count && count < most; k++) {
        names[count++] = scene->channels[k].name;
        ages &= strcmp(scene->channels[k].name, "age") != 0;
    }
    // the world keeps it where particles do not live for ever
    if (ages && count < most) names[count++] = "age";
    return count;
}
