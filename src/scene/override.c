// Overrides: "materials.water.liquid.viscosity=1e-4", "bodies.cube.velocity=[0, 0, -1]", "bodies[0].spacing=2 cm".
//
// The value is YAML. It is put into the tree before anything is checked, so it passes the same checks. What
// lies on the path is copied, as aliases may share it.
#include "scene/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// one override on its way down the tree
typedef struct Setting {
    SceneReader *reader;
    const SceneSource *source;
    size_t at, end; // of the path, in the source's text
    SceneNode *value;
} Setting;

static ScenePlace place_at(const Setting *setting, size_t offset) {
    return (ScenePlace){setting->source, offset};
}

static SceneNode *fail_path(const Setting *setting, size_t offset, const char *what) {
    scene_complain_at(setting->reader, place_at(setting, offset), "%s", what);
    return NULL;
}

// the next word of the path; its length, 0 at a mistake
static size_t next_word(const Setting *setting) {
    const char *text = setting->source->text + setting->at;
    size_t length = strcspn(text, ".[=");
    return setting->at + length <= setting->end ? length : setting->end - setting->at;
}

static SceneNode *put(Setting *setting, SceneNode *node);

// copies the node and goes on below item k
static SceneNode *put_item(Setting *setting, const SceneNode *node, int k) {
    SceneNode *copy = scene_node_copy(&setting->reader->tree, node);
    SceneNode *below = copy != NULL ? put(setting, node->items[k].value) : NULL;
    if (below == NULL) return NULL;
    copy->items[k].value = below;
    return copy;
}

static int find_named(const SceneNode *list, const char *name, size_t length) {
    for (int k = 0; k < list->count; k++) {
        const SceneItem *item = scene_node_find(list->items[k].value, "name");
        if (item == NULL || item->value->length != length) continue;
        if (memcmp(item->value->text, name, length) == 0) return k;
    }
    return -1;
}

// "name" or a number that is an item's place in the list; -1 when it is neither
static int find_item(const SceneNode *list, const char *word, size_t length) {
    int k = find_named(list, word, length);
    if (k >= 0 || length > 6 || strspn(word, "0123456789") < length) return k;
    unsigned long index = strtoul(word, NULL, 10);
    return index < (unsigned long)list->count ? (int)index : -1;
}

static SceneNode *fail_named(const Setting *setting, const SceneNode *list, const char *name,
                             size_t length) {
    const char *known[64];
    char all[300] = "";
    size_t used = 0;
    int count = 0;
    for (int k = 0; k < list->count && count < 64; k++) {
        const SceneItem *item = scene_node_find(list->items[k].value, "name");
        if (item == NULL || item->value->kind != SCENE_SCALAR) continue;
        known[count++] = item->value->text;
        if (used + 100 > sizeof all) continue;
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%.63s",
                                 used == 0 ? "; names are " : ", ", item->value->text);
    }
    if (used + 100 > sizeof all) snprintf(all + used, sizeof all - used, " and more");
    char word[64] = "", hint[96];
    memcpy(word, name, length < 63 ? length : 63);
    scene_hint(word, known, count, hint);
    scene_complain_at(setting->reader, place_at(setting, setting->at),
                      "there is nothing here with the name '%s'%s", word,
                      hint[0] != '\0' ? hint : all);
    return NULL;
}

// a word: a key of a map, or the name of something in a list
static SceneNode *put_word(Setting *setting, SceneNode *node) {
    size_t begin = setting->at, length = next_word(setting);
    const char *word = setting->source->text + begin;
    if (length == 0) return fail_path(setting, begin, "a key is missing in this path");
    SceneTree *tree = &setting->reader->tree;
    if (node != NULL && node->kind == SCENE_LIST) {
        int k = find_item(node, word, length);
        if (k < 0) return fail_named(setting, node, word, length);
        setting->at += length;
        return put_item(setting, node, k);
    }
    SceneNode *key = scene_node_scalar(tree, place_at(setting, begin), word, length);
    if (key == NULL) return NULL;
    key->line = 1;
    setting->at += length;
    bool map = node != NULL && node->kind == SCENE_MAP;
    for (int k = 0; map && k < node->count; k++) {
        if (strcmp(node->items[k].key->text, key->text) == 0) return put_item(setting, node, k);
    }
    // a key that is not there yet, or a value that gives way to a map
    SceneNode *fresh = map ? scene_node_copy(tree, node)
                           : scene_node_create(tree, SCENE_MAP, place_at(setting, begin));
    SceneNode *below = fresh != NULL ? put(setting, NULL) : NULL;
    return below != NULL && scene_node_add(tree, fresh, key, below) ? fresh : NULL;
}

// [k]: an item of a list
static SceneNode *put_index(Setting *setting, SceneNode *node) {
    char *end;
    const char *text = setting->source->text + setting->at + 1;
    bool digits = text[0] >= '0' && text[0] <= '9';
    unsigned long index = digits ? strtoul(text, &end, 10) : 0;
    if (!digits || *end != ']') {
        return fail_path(setting, setting->at, "an item of a list is written [0], [1], ...");
    }
    if (node == NULL || node->kind != SCENE_LIST) {
        return fail_path(setting, setting->at, "there is no list here");
    }
    if (index >= (unsigned long)node->count) {
        scene_complain_at(setting->reader, place_at(setting, setting->at),
                          "there is no item [%lu]: the list has %d", index, node->count);
        return NULL;
    }
    setting->at = (size_t)(end + 1 - setting->source->text);
    return put_item(setting, node, (int)index);
}

// the node as it is after the setting
static SceneNode *put(Setting *setting, SceneNode *node) {
    if (setting->at == setting->end) return setting->value;
    char c = setting->source->text[setting->at];
    if (c == '[') return put_index(setting, node);
    if (c == '.') setting->at++;
    return put_word(setting, node);
}

// ---------------------------------------------------------------- values

// the path as the table writes it: "bodies[].name", "materials.*.color"
static void name_row(const Setting *setting, char *path, size_t size) {
    const char *text = setting->source->text;
    size_t length = strcspn(text, ".[="), at = length;
    bool list = strncmp(text, "bodies", at) == 0 || strncmp(text, "colliders", at) == 0 ||
                strncmp(text, "attachments", at) == 0;
    bool named = strncmp(text, "materials", at) == 0 || strncmp(text, "channels", at) == 0;
    snprintf(path, size, "%.*s", (int)(length < 40 ? length : 40), text);
    if ((list || named) && at < setting->end) {
        at += 1 + strcspn(text + at + 1, ".=");
        strncat(path, list ? "[]" : ".*", size - strlen(path) - 1);
    }
    size_t rest = setting->end > at ? setting->end - at : 0;
    if (rest < size - strlen(path)) strncat(path, text + at, rest);
}

// whether the key takes any text, so that "a: b" needs no quotes
static bool is_text_key(const Setting *setting) {
    char path[160];
    name_row(setting, path, sizeof path);
    const SceneRow *row;
    for (int k = 0; (row = scene_row(k)) != NULL; k++) {
        if (strcmp(row->key.path, path) == 0) return row->kind == SCENE_KIND_TEXT;
    }
    return false;
}

// what stands behind '=': YAML, or for keys that are texts the words as they are
static SceneNode *read_value(Setting *setting) {
    SceneTree *tree = &setting->reader->tree;
    size_t begin = setting->end + 1;
    const char *text = setting->source->text + begin;
    if (is_text_key(setting) && text[0] != '\0' && strchr("\"' \n", text[0]) == NULL) {
        // reading it first says what is wrong with bytes that are no text
        SceneNode *node = scene_tree_check(tree, setting->source, begin)
                              ? scene_node_scalar(tree, place_at(setting, begin), text,
                                                  setting->source->size - begin)
                              : NULL;
        if (node != NULL) node->quoted = true;
        if (node != NULL) node->line = 1;
        return node;
    }
    bool empty;
    SceneNode *node = scene_tree_read(tree, setting->source, begin, false, &empty);
    return empty ? fail_path(setting, setting->end, "an override needs a value after '='") : node;
}

SceneNode *scene_override(SceneReader *reader, SceneNode *root, const char *text) {
    Setting setting = {.reader = reader};
    setting.source = scene_source_create(&reader->tree, "--set", text, strlen(text));
    if (setting.source == NULL) {
        scene_complain_memory(reader);
        return NULL;
    }
    const char *equals = strchr(setting.source->text, '=');
    setting.end = equals != NULL ? (size_t)(equals - setting.source->text) : setting.source->size;
    if (equals == NULL || setting.end == 0) {
        return fail_path(&setting, 0, "an override is written path.to.key=value");
    }
    if (strncmp(text, "include=", 8) == 0) {
        return fail_path(&setting, 0, "include cannot be overridden");
    }
    int before = thaw_messages_errors(reader->tree.messages);
    setting.value = read_value(&setting);
    if (setting.value == NULL) return NULL;
    // the path starts with a word, not with a dot
    SceneNode *changed = setting.source->text[0] == '.'
                             ? fail_path(&setting, 0, "a key is missing in this path")
                             : put(&setting, root);
    if (changed == NULL && thaw_messages_errors(reader->tree.messages) == before) {
        scene_complain_memory(reader);
    }
    return changed;
}
