// Fields on disk: one file a field, named by its key, written aside and renamed.
//
// A cache must never be a reason to fail: what cannot be read is built again, what cannot be written is not
// kept. A file begins with its whole key, so that two keys of one name are told apart, and a digest of the rest.
#include "scene/field_cache.h"

#include "scene/digest.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_PATH 4096
#define ENDING ".field"
#define STALE 86400 // s after which a file that was never renamed is rubbish

typedef struct Head {
    char mark[16]; // "thaw field 1"
    SceneFieldKey key;
    uint64_t size, digest; // of what follows
} Head;

_Static_assert(sizeof(SceneFieldKey) == (8 + 2 * THAW_PAINTS) * 8, "keys are compared as bytes");

static const char mark[16] = "thaw field 1\n";

static bool name_file(char path[MOST_PATH], const char *folder, const SceneFieldKey *key) {
    uint64_t name = scene_digest(SCENE_DIGEST_START, key, sizeof *key);
    int length = snprintf(path, MOST_PATH, "%s/%016" PRIx64 ENDING, folder, name);
    return length > 0 && length < MOST_PATH - 32;
}

// ---------------------------------------------------------------- reading

static ThawField *read_field(FILE *file, const SceneFieldKey *key) {
    Head head;
    struct stat status;
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.mark, mark, sizeof mark) != 0 ||
        memcmp(&head.key, key, sizeof *key) != 0 || fstat(fileno(file), &status) != 0 ||
        head.size != (uint64_t)status.st_size - sizeof head) {
        return NULL;
    }
    void *bytes = malloc(head.size > 0 ? head.size : 1);
    ThawField *field = NULL;
    if (bytes != NULL && fread(bytes, 1, head.size, file) == head.size &&
        scene_digest(SCENE_DIGEST_START, bytes, head.size) == head.digest &&
        thaw_field_unpack(bytes, head.size, &field) != THAW_OK) {
        field = NULL;
    }
    free(bytes);
    return field;
}

ThawField *scene_field_find(const char *folder, const SceneFieldKey *key) {
    char path[MOST_PATH];
    FILE *file = name_file(path, folder, key) ? fopen(path, "rb") : NULL;
    if (file == NULL) return NULL;
    ThawField *field = read_field(file, key);
    // used now: it goes last
    if (field != NULL) futimens(fileno(file), NULL);
    fclose(file);
    if (field == NULL) remove(path);
    return field;
}

// ---------------------------------------------------------------- room

typedef struct Kept {
    char name[64];
    uint64_t size;
    struct timespec used;
} Kept;

typedef struct Keep {
    Kept *list;
    size_t count, capacity;
    uint64_t size;
} Keep;

static int compare_ages(const void *a, const void *b) {
    const Kept *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void remove_from(const char *folder, const char *name) {
    char path[MOST_PATH];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length > 0 && length < MOST_PATH) remove(path);
}

// notes a file of ours; what was left of a killed process is removed
static void take_file(Keep *keep, const char *folder, const char *name) {
    char path[MOST_PATH];
    struct stat status;
    const char *ending = strstr(name, ENDING);
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (ending == NULL || strlen(name) >= sizeof keep->list->name || length >= MOST_PATH ||
        stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return;
    }
    if (strcmp(ending, ENDING) != 0) {
        if (time(NULL) - status.st_mtime > STALE) remove(path);
        return;
    }
    if (keep->count == keep->capacity) {
        size_t wanted = 2 * keep->capacity + 64;
        Kept *grown = realloc(keep->list, wanted * sizeof *grown);
        if (grown == NULL) return;
        keep->list = grown;
        keep->capacity = wanted;
    }
    Kept *kept = &keep->list[keep->count++];
    *kept = (Kept){.size = (uint64_t)status.st_size, .used = status.st_mtim};
    snprintf(kept->name, sizeof kept->name, "%s", name);
    keep->size += kept->size;
}

static void make_room(const char *folder, uint64_t most) {
    Keep keep = {0};
    DIR *listing = opendir(folder);
    const struct dirent *entry;
    while (listing != NULL && (entry = readdir(listing)) != NULL) {
        take_file(&keep, folder, entry->d_name);
    }
    if (listing != NULL) closedir(listing);
    if (keep.count > 0) qsort(keep.list, keep.count, sizeof *keep.list, compare_ages);
    for (size_t k = 0; k < keep.count && keep.size > most; k++) {
        remove_from(folder, keep.list[k].name);
        keep.size -= keep.list[k].size;
    }
    free(keep.list);
}

// ---------------------------------------------------------------- writing

// the folder and those above it
static bool make_folder(const char *folder) {
    char path[MOST_PATH];
    size_t length = strlen(folder);
    if (length == 0 || length >= sizeof path) return false;
    memcpy(path, folder, length + 1);
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != '\0') continue;
        char letter = path[k];
        path[k] = '\0';
        mkdir(path, 0777); // one that is there already is fine
        path[k] = letter;
    }
    struct stat status;
    return stat(folder, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool write_file(const char *path, const Head *head, const void *bytes) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    bool good = fwrite(head, sizeof *head, 1, file) == 1 &&
                fwrite(bytes, 1, head->size, file) == head->size && fflush(file) == 0;
    return fclose(file) == 0 && good;
}

void scene_field_keep(const char *folder, const SceneFieldKey *key, const ThawField *field,
                      uint64_t most) {
    char path[MOST_PATH], aside[MOST_PATH + 32];
    void *bytes = NULL;
    size_t size = 0;
    if (!make_folder(folder) || !name_file(path, folder, key)) return;
    if (thaw_field_pack(field, &bytes, &size) != THAW_OK) return;
    if (size + sizeof(Head) <= most) {
        Head head = {.key = *key, .size = size};
        memcpy(head.mark, mark, sizeof mark);
        head.digest = scene_digest(SCENE_DIGEST_START, bytes, size);
        // two processes may build the same field at once
        snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid());
        if (!write_file(aside, &head, bytes) || rename(aside, path) != 0) remove(aside);
    }
    thaw_field_free_bytes(bytes);
    make_room(folder, most);
}
