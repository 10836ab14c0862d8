// The walk over a map: each key looked up in the table, read, or complained of; then what was left out.
#include "scene/reader.h"

#include "scene/suggest.h"

#include <stdio.h>
#include <string.h>

#define MOST_KNOWN 64

// ---------------------------------------------------------------- complaints

bool scene_complain_at(SceneReader *reader, ScenePlace place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    scene_messages_vadd(reader->tree.messages, true, place, format, arguments);
    va_end(arguments);
    return false;
}

bool scene_complain(SceneReader *reader, const SceneNode *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    scene_messages_vadd(reader->tree.messages, true, node->place, format, arguments);
    va_end(arguments);
    return false;
}

bool scene_complain_memory(SceneReader *reader) {
    if (!reader->out_of_memory) {
        scene_complain_at(reader, (ScenePlace){NULL, 0}, "out of memory while reading the scene");
    }
    reader->out_of_memory = true;
    return false;
}

size_t scene_enter(SceneReader *reader, const char *word) {
    size_t length = strlen(reader->path), room = sizeof reader->path - length;
    snprintf(reader->path + length, room, "%s%.80s", length > 0 ? "." : "", word);
    return length;
}

size_t scene_enter_index(SceneReader *reader, int index) {
    size_t length = strlen(reader->path), room = sizeof reader->path - length;
    snprintf(reader->path + length, room, "[%d]", index);
    return length;
}

void scene_leave(SceneReader *reader, size_t length) {
    reader->path[length] = '\0';
}

bool scene_visit(SceneReader *reader, const SceneNode *node) {
    if (reader->visits >= SCENE_MOST_NODES) return false;
    if (++reader->visits < SCENE_MOST_NODES) return true;
    return scene_complain(reader, node,
                          "the scene is too large: more than %d values, aliases counted",
                          SCENE_MOST_NODES);
}

const char *scene_hint(const char *word, const char *const *known, int count, char hint[96]) {
    const char *near = scene_suggest(word, known, count);
    hint[0] = '\0';
    if (near != NULL) snprintf(hint, 96, "; did you mean '%.63s'?", near);
    return hint;
}

void *scene_append(SceneReader *reader, void *array, int *count, size_t element) {
    void *grown = scene_grow(&reader->owner->arena, array, *count, element);
    if (grown == NULL) {
        scene_complain_memory(reader);
        return NULL;
    }
    memset((char *)grown + (size_t)*count * element, 0, element);
    ++*count;
    return grown;
}

bool scene_expect(SceneReader *reader, const SceneNode *node, SceneNodeKind kind) {
    if (!scene_visit(reader, node)) return false;
    if (node->kind == kind) return true;
    const char *wanted = kind == SCENE_MAP ? "a map of keys" : "a list";
    return scene_complain(reader, node, "%s must be %s, not %s",
                          reader->path[0] != '\0' ? reader->path : "a scene", wanted,
                          scene_node_look(node));
}

// ---------------------------------------------------------------- unknown keys

static int collect_keys(const char *scope, const char *known[MOST_KNOWN]) {
    int count = 0;
    const SceneRow *row;
    for (int k = 0; (row = scene_row(k)) != NULL && count < MOST_KNOWN; k++) {
        const char *key = scene_row_key(row, scope);
        if (key != NULL && strcmp(key, "*") != 0) known[count++] = key;
    }
    return count;
}

// "; known keys are a, b and c"
static void list_keys(const char *const *known, int count, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "; known keys are ");
    for (int k = 0; k < count && length < size; k++) {
        const char *joint = k == 0 ? "" : k + 1 < count ? ", " : " and ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", joint, known[k]);
    }
}

static void complain_unknown(SceneReader *reader, const char *scope, const SceneNode *key) {
    const char *absence = scene_key_absence(scope, key->text), *known[MOST_KNOWN];
    if (absence != NULL) {
        scene_complain(reader, key, "'%s' is %s", key->text, absence);
        return;
    }
    int count = collect_keys(scope, known);
    char hint[96], list[400] = "";
    scene_hint(key->text, known, count, hint);
    if (hint[0] == '\0') list_keys(known, count, list, sizeof list);
    bool top = reader->path[0] == '\0';
    scene_complain(reader, key, "unknown key '%.60s'%s%s%s%s", key->text, top ? "" : " in ",
                   reader->path, hint, list);
}

// ---------------------------------------------------------------- maps

static bool read_row(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                     const SceneNode *value, void *target, SceneHand *hand) {
    if (row->kind == SCENE_KIND_MAP) {
        return scene_read_map(reader, row->key.path, value, target, hand);
    }
    if (row->kind == SCENE_KIND_HAND) return hand(reader, row, key, value, target);
    return scene_read_value(reader, row, value, target);
}

// the table's own text as a node, read once
static const SceneNode *default_node(SceneReader *reader, const SceneRow *row, const char *text) {
    SceneNode **node = &reader->defaults[scene_row_index(row)];
    if (*node != NULL) return *node;
    SceneSource *source = scene_take(&reader->tree.arena, sizeof *source);
    if (source == NULL) return NULL;
    *source = (SceneSource){"(default)", text, strlen(text)};
    *node = scene_tree_read(&reader->tree, source, 0, false, NULL);
    return *node;
}

static bool read_default(SceneReader *reader, const SceneRow *row, void *target) {
    const char *text = scene_row_default(row);
    if (text == NULL) return true;
    const SceneNode *node = default_node(reader, row, text);
    if (node == NULL) return scene_complain_memory(reader);
    return scene_read_value(reader, row, node, target);
}

// whether a key that was not known is most likely this one misspelt, which was said already
bool scene_is_misspelt(const char *scope, const SceneNode *map, const char *key) {
    const char *known[MOST_KNOWN];
    int count = collect_keys(scope, known);
    for (int k = 0; k < map->count && k < MOST_KNOWN; k++) {
        const char *word = map->items[k].key->text;
        if (scene_row_find(scope, word) != NULL) continue;
        const char *near = scene_suggest(word, known, count);
        if (near != NULL && strcmp(near, key) == 0) return true;
    }
    return false;
}

// what was not given: defaults, or complaints; maps that are not there have defaults too
static bool fill_in(SceneReader *reader, const char *scope, const SceneNode *map, void *target) {
    bool good = true;
    const SceneRow *row;
    for (int k = 0; (row = scene_row(k)) != NULL; k++) {
        const char *key = scene_row_key(row, scope);
        if (key == NULL || (map != NULL && scene_node_find(map, key) != NULL)) continue;
        if (row->kind == SCENE_KIND_MAP) {
            good &= fill_in(reader, row->key.path, NULL, target);
        } else if (scene_row_required(row)) {
            good = false;
            if (map == NULL || scene_is_misspelt(scope, map, key)) continue;
            const char *owner = reader->path[0] != '\0' ? reader->path : "the scene";
            scene_complain(reader, map, "%s needs the key '%s'", owner, key);
        } else {
            size_t length = scene_enter(reader, key);
            good &= read_default(reader, row, target);
            scene_leave(reader, length);
        }
    }
    return good;
}

bool scene_read_map(SceneReader *reader, const char *scope, const SceneNode *map, void *target,
                    SceneHand *hand) {
    if (!scene_expect(reader, map, SCENE_MAP)) return false;
    bool good = true;
    for (int k = 0; k < map->count && !reader->out_of_memory; k++) {
        const SceneItem *item = &map->items[k];
        const SceneRow *row = scene_row_find(scope, item->key->text);
        if (!scene_visit(reader, item->key)) return false;
        if (row == NULL) {
            complain_unknown(reader, scope, item->key);
            good = false;
            continue;
        }
        size_t length = scene_enter(reader, item->key->text);
        good &= read_row(reader, row, item->key, item->value, target, hand);
        scene_leave(reader, length);
    }
    return fill_in(reader, scope, map, target) && good;
}
