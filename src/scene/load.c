// Loading: the scene's text, and the texts that it includes, as one tree.
//
// Lists and named things of included scenes come first, in the order of inclusion; of other keys the
// including scene's win. A scene that several include is taken once; one that includes itself is refused.
#define _XOPEN_SOURCE 700 // realpath

#include "scene/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILES 256
#define MOST_INCLUDE_DEPTH 16

typedef struct File {
    char *real; // absolute, without links
    bool open;  // being read: including it again would never end
} File;

typedef struct Loading {
    SceneReader *reader;
    File files[MOST_FILES];
    int count;
    int depth;
} Loading;

static SceneNode *load_text(Loading *loading, const SceneSource *source, const char *path);

// ---------------------------------------------------------------- files

static bool is_json(const char *path) {
    size_t length = strlen(path);
    return length >= 5 && strcmp(path + length - 5, ".json") == 0;
}

// the folder of a path, "." when it names none; to be freed
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = calloc(length + 1, 1);
    if (folder != NULL) memcpy(folder, slash == NULL ? "." : path, length);
    return folder;
}

ThawResult scene_file_read(SceneArena *arena, const char *path, const char **text, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    }
    size_t capacity = 4096, length = 0;
    char *buffer = malloc(capacity);
    while (buffer != NULL) {
        length += fread(buffer + length, 1, capacity - length, file);
        if (length < capacity || length > SCENE_MOST_BYTES) break;
        char *grown = realloc(buffer, capacity *= 2);
        if (grown == NULL) free(buffer);
        buffer = grown;
    }
    bool failed = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    char *copy = buffer != NULL && !failed ? scene_copy(arena, buffer, length) : NULL;
    free(buffer);
    if (failed) return thaw_fail(THAW_BAD_INPUT, "cannot read %s: %s", path, strerror(reason));
    if (copy == NULL) return thaw_fail_memory(length);
    *text = copy;
    *size = length;
    return THAW_OK;
}

SceneSource *scene_source_create(SceneTree *tree, const char *name, const char *text, size_t size) {
    SceneSource *source = scene_take(&tree->arena, sizeof *source);
    if (source == NULL) return NULL;
    // a byte order mark is no part of the text
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    source->name = scene_copy(&tree->arena, name, strlen(name));
    source->text = scene_copy(&tree->arena, text, size);
    source->size = size;
    return source->name != NULL && source->text != NULL ? source : NULL;
}

// ---------------------------------------------------------------- where files may be

// whether `real` lies in the folder or below it
static bool is_inside(const char *folder, const char *real) {
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/') length--;
    return strncmp(folder, real, length) == 0 && real[length] == '/';
}

// the path of a reference in a file, beside that file; to be freed
static char *join_path(const char *path, const char *reference) {
    if (reference[0] == '/') return strdup(reference);
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *joined = calloc(length + strlen(reference) + 1, 1);
    if (joined == NULL) return NULL;
    memcpy(joined, path, length);
    memcpy(joined + length, reference, strlen(reference));
    return joined;
}

char *scene_join_path(const SceneReader *reader, const SceneNode *node, const char *name) {
    const SceneSource *source = node->place.source;
    bool inside = source == NULL || strcmp(source->name, "--set") == 0;
    return join_path(inside ? reader->main_path : source->name, name);
}

char *scene_find_file(SceneReader *reader, const SceneNode *node, const char *joined,
                      bool anywhere) {
    char *real = realpath(joined, NULL);
    if (real == NULL) {
        scene_complain(reader, node, "there is no file %.200s: %s", joined, strerror(errno));
        return NULL;
    }
    anywhere |= reader->allow_outside;
    if (anywhere || (reader->folder != NULL && is_inside(reader->folder, real))) return real;
    scene_complain(reader, node,
                   "%.200s lies outside the scene's folder; --allow-outside lets it be read",
                   joined);
    free(real);
    return NULL;
}

// ---------------------------------------------------------------- merging

// keeps what the map has, adds what it lacks; sub-maps alike
static bool merge_missing(SceneTree *tree, SceneNode *map, const SceneNode *from, int depth) {
    for (int k = 0; k < from->count; k++) {
        const SceneItem *item = &from->items[k];
        SceneItem *own = scene_node_find(map, item->key->text);
        if (own == NULL) {
            if (!scene_node_add(tree, map, item->key, item->value)) return false;
        } else if (depth > 0 && own->value->kind == SCENE_MAP && item->value->kind == SCENE_MAP) {
            SceneNode *copy = scene_node_copy(tree, own->value);
            if (copy == NULL || !merge_missing(tree, copy, item->value, depth - 1)) return false;
            own->value = copy;
        }
    }
    return true;
}

// named things: both lots, and a name that both have is an error
static bool merge_named(SceneReader *reader, SceneNode *first, const SceneNode *second) {
    for (int k = 0; k < second->count; k++) {
        const SceneItem *item = &second->items[k];
        const SceneItem *taken = scene_node_find(first, item->key->text);
        if (taken != NULL) {
            return scene_complain(reader, item->key,
                                  "'%.60s' is given in %.100s already, on line %d", item->key->text,
                                  taken->key->place.source->name, taken->key->line);
        }
        if (!scene_node_add(&reader->tree, first, item->key, item->value)) return false;
    }
    return true;
}

static bool merge_list(SceneReader *reader, SceneNode *first, const SceneNode *second) {
    for (int k = 0; k < second->count; k++) {
        if (!scene_node_add(&reader->tree, first, NULL, second->items[k].value)) return false;
    }
    return true;
}

// puts what the included scene has of a key before what this one has
static bool merge_first(SceneReader *reader, SceneNode *root, const SceneNode *from,
                        const char *key) {
    const SceneItem *theirs = scene_node_find(from, key);
    SceneItem *ours = scene_node_find(root, key);
    // a value of the wrong kind is complained of when it is read
    if (theirs == NULL || ours == NULL || theirs->value->kind != ours->value->kind ||
        ours->value->kind == SCENE_SCALAR) {
        return true;
    }
    SceneNode *both = scene_node_copy(&reader->tree, theirs->value);
    if (both == NULL) return scene_complain_memory(reader);
    both->place = ours->value->place;
    bool merged = both->kind == SCENE_MAP ? merge_named(reader, both, ours->value)
                                          : merge_list(reader, both, ours->value);
    ours->value = both;
    return merged;
}

static bool merge_scene(SceneReader *reader, SceneNode *root, const SceneNode *from) {
    static const char *const joined[] = {"materials",   "channels", "bodies", "colliders",
                                         "attachments", "emitters", "sinks",  "forces"};
    SceneNode *rest = scene_node_copy(&reader->tree, from);
    if (rest == NULL) return scene_complain_memory(reader);
    bool good = true;
    for (size_t k = 0; k < sizeof joined / sizeof *joined; k++) {
        good &= merge_first(reader, root, from, joined[k]);
    }
    // of those keys this scene now has all, so only the others' are taken
    return merge_missing(&reader->tree, root, rest, good ? 1 : 0) && good;
}

// ---------------------------------------------------------------- including

static bool include_file(Loading *loading, SceneNode *root, const SceneNode *node,
                         const char *path) {
    SceneReader *reader = loading->reader;
    if (node->kind != SCENE_SCALAR || scene_node_is_null(node)) {
        return scene_complain(reader, node, "include must name files, not %s",
                              scene_node_look(node));
    }
    char *joined = join_path(path, node->text);
    char *real = joined != NULL ? scene_find_file(reader, node, joined, false) : NULL;
    bool good = real != NULL, known = false;
    for (int k = 0; good && k < loading->count; k++) {
        if (strcmp(loading->files[k].real, real) != 0) continue;
        known = true;
        if (loading->files[k].open) {
            good = scene_complain(reader, node, "%.200s includes itself", joined);
        }
    }
    if (good && !known && (loading->count == MOST_FILES || loading->depth == MOST_INCLUDE_DEPTH)) {
        good = scene_complain(reader, node, "too many files are included");
    }
    if (good && !known) {
        const char *text;
        size_t size;
        File *file = &loading->files[loading->count++];
        *file = (File){.real = real, .open = true};
        real = NULL;
        SceneSource *source = NULL;
        if (scene_file_read(&reader->tree.arena, joined, &text, &size) != THAW_OK) {
            good = scene_complain(reader, node, "%s", thaw_error_text());
        } else {
            source = scene_source_create(&reader->tree, joined, text, size);
            if (source == NULL) good = scene_complain_memory(reader);
        }
        loading->depth++;
        SceneNode *other = good ? load_text(loading, source, joined) : NULL;
        loading->depth--;
        file->open = false;
        good = other != NULL && merge_scene(reader, root, other);
    }
    free(real);
    free(joined);
    return good;
}

static bool include_all(Loading *loading, SceneNode *root, const char *path) {
    const SceneItem *item = scene_node_find(root, "include");
    if (item == NULL) return true;
    const SceneNode *list = item->value;
    if (list->kind != SCENE_LIST) return include_file(loading, root, list, path);
    bool good = true;
    for (int k = 0; k < list->count; k++) {
        good &= include_file(loading, root, list->items[k].value, path);
    }
    return good;
}

// ---------------------------------------------------------------- texts

static bool check_version(SceneReader *reader, const SceneNode *root) {
    const SceneItem *item = scene_node_find(root, "thaw");
    if (item == NULL) return true; // whether it must be there is the table's matter
    const SceneNode *version = item->value;
    if (version->kind == SCENE_SCALAR && strcmp(version->text, "1") == 0) return true;
    bool number = version->kind == SCENE_SCALAR && version->length > 0 &&
                  strspn(version->text, "0123456789") == version->length;
    if (!number) return scene_complain(reader, version, "thaw must be the format's version, 1");
    return scene_complain(reader, version,
                          "this scene has format version %.20s; thaw %s reads version 1",
                          version->text, thaw_version());
}

static SceneNode *load_text(Loading *loading, const SceneSource *source, const char *path) {
    SceneReader *reader = loading->reader;
    bool empty;
    SceneNode *root = scene_tree_read(&reader->tree, source, 0, is_json(path), &empty);
    if (empty) {
        scene_complain_at(reader, (ScenePlace){source, 0},
                          "the scene is empty; `thaw help scene` shows how to begin");
    }
    if (root == NULL || !scene_expect(reader, root, SCENE_MAP)) return NULL;
    bool good = check_version(reader, root);
    return include_all(loading, root, path) && good ? root : NULL;
}

SceneNode *scene_load(SceneReader *reader, const SceneSource *source, const char *path) {
    Loading loading = {.reader = reader};
    char *folder = folder_of(path);
    char *real_folder = folder != NULL ? realpath(folder, NULL) : NULL;
    free(folder);
    reader->folder = real_folder != NULL
                         ? scene_copy(&reader->tree.arena, real_folder, strlen(real_folder))
                         : NULL;
    free(real_folder);
    char *real = realpath(path, NULL);
    if (real != NULL) loading.files[loading.count++] = (File){real, true};
    SceneNode *root = load_text(&loading, source, path);
    for (int k = 0; k < loading.count; k++) free(loading.files[k].real);
    return root;
}
