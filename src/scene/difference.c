// Comparing scenes: each as one line for every value, hashed, or laid beside the other's.
#include "scene/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHOWN 40 // lines of a difference

// FNV-1a, 64 bits
uint64_t thaw_scene_hash(const ThawScene *scene) {
    assert(scene != NULL);
    SceneText text = scene_write_text(scene, true, true);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < text.size; k++) {
        hash ^= (unsigned char)text.bytes[k];
        hash *= 0x100000001b3u;
    }
    free(text.bytes);
    return hash;
}

typedef struct Line {
    const char *path, *value; // both with a zero after them
} Line;

typedef struct Lines {
    Line *list;
    int count;
} Lines;

static int compare_lines(const void *a, const void *b) {
    return strcmp(((const Line *)a)->path, ((const Line *)b)->path);
}

// cuts the text into lines, in place
static Lines cut(SceneText *text) {
    Lines lines = {0};
    int count = 0;
    for (size_t k = 0; k < text->size; k++) count += text->bytes[k] == '\n';
    lines.list = calloc((size_t)count + 1, sizeof *lines.list);
    char *at = text->bytes;
    while (lines.list != NULL && lines.count < count) {
        char *end = strchr(at, '\n'), *colon = strstr(at, ": ");
        *end = '\0';
        if (colon != NULL && colon < end) {
            *colon = '\0';
            lines.list[lines.count++] = (Line){at, colon + 2};
        } else {
            count--;
        }
        at = end + 1;
    }
    return lines;
}

static const char *value_in(const Lines *sorted, const char *path) {
    Line key = {path, NULL};
    const Line *line =
        bsearch(&key, sorted->list, (size_t)sorted->count, sizeof key, compare_lines);
    return line != NULL ? line->value : NULL;
}

typedef struct Differences {
    SceneText text;
    int count;
} Differences;

// "colliders.duck.shape.mesh" where a line is about what a mesh's files hold, else 0
static int length_of_mesh(const char *path) {
    static const char ending[] = ".mesh.contents";
    size_t length = strlen(path), end = sizeof ending - 1;
    bool mesh = length > end && strcmp(path + length - end, ending) == 0;
    return mesh ? (int)(length - strlen(".contents")) : 0;
}

static void note(Differences *found, const char *path, const char *before, const char *after) {
    if (found->count++ >= MOST_SHOWN) return;
    int mesh = length_of_mesh(path);
    if (mesh > 0 && before != NULL && after != NULL) {
        scene_text_put(&found->text, "%.*s: the mesh's files hold something else (%.20s → %.20s)\n",
                       mesh, path, before, after);
        return;
    }
    scene_text_put(&found->text, "%.200s: %.200s → %.200s\n", path,
                   before != NULL ? before : "(not there)", after != NULL ? after : "(gone)");
}

static void compare(Lines *before, Lines *after, Differences *found) {
    // lines of the first scene in its own order, then what only the second has
    Lines sorted = {calloc((size_t)after->count + 1, sizeof(Line)), after->count};
    Lines own = {calloc((size_t)before->count + 1, sizeof(Line)), before->count};
    if (sorted.list != NULL && own.list != NULL) {
        memcpy(sorted.list, after->list, (size_t)after->count * sizeof(Line));
        memcpy(own.list, before->list, (size_t)before->count * sizeof(Line));
        qsort(sorted.list, (size_t)sorted.count, sizeof(Line), compare_lines);
        qsort(own.list, (size_t)own.count, sizeof(Line), compare_lines);
        for (int k = 0; k < before->count; k++) {
            const Line *line = &before->list[k];
            const char *value = value_in(&sorted, line->path);
            if (value == NULL || strcmp(value, line->value) != 0) {
                note(found, line->path, line->value, value);
            }
        }
        for (int k = 0; k < after->count; k++) {
            const Line *line = &after->list[k];
            if (value_in(&own, line->path) == NULL) note(found, line->path, NULL, line->value);
        }
    }
    free(sorted.list);
    free(own.list);
}

char *thaw_scene_difference(const ThawScene *before, const ThawScene *after) {
    assert(before != NULL && after != NULL);
    SceneText a = scene_write_text(before, true, true), b = scene_write_text(after, true, true);
    Differences found = {0};
    bool equal = a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
    Lines lines_a = equal ? (Lines){0} : cut(&a), lines_b = equal ? (Lines){0} : cut(&b);
    if (lines_a.list != NULL && lines_b.list != NULL) compare(&lines_a, &lines_b, &found);
    if (!equal && found.count == 0)
        scene_text_put(&found.text, "the order of bodies or colliders\n");
    if (found.count > MOST_SHOWN) {
        scene_text_put(&found.text, "and %d more\n", found.count - MOST_SHOWN);
    }
    free(lines_a.list);
    free(lines_b.list);
    free(a.bytes);
    free(b.bytes);
    return found.text.bytes;
}
