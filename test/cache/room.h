// What the tests of caches share: a folder of their own, frames and files compared byte by byte.
#ifndef TEST_CACHE_ROOM_H
#define TEST_CACHE_ROOM_H

#include "world/helpers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <thaw/cache.h>
#include <thaw/snapshot.h>
#include <unistd.h>

// ---------------------------------------------------------------- folders

static inline char *make_folder(void) {
    char *folder = strdup("/tmp/thaw_test_XXXXXX");
    assert_non_null(folder);
    assert_non_null(mkdtemp(folder));
    return folder;
}

// a path in it, valid for the next few calls
static inline const char *in_folder(const char *folder, const char *name) {
    static char paths[8][1024];
    static int turn;
    char *path = paths[turn++ % 8];
    size_t length = strlen(folder);
    assert_true(length + strlen(name) + 2 <= sizeof paths[0]);
    memmove(path, folder, length);
    path[length] = '/';
    strcpy(path + length + 1, name);
    return path;
}

static inline void remove_tree(const char *path) {
    DIR *entries = opendir(path);
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char below[1024];
        int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof below) continue;
        struct stat status;
        if (lstat(below, &status) == 0 && S_ISDIR(status.st_mode)) {
            remove_tree(below);
        } else {
            unlink(below);
        }
    }
    if (entries != NULL) closedir(entries);
    rmdir(path);
}

static inline void drop_folder(char *folder) {
    remove_tree(folder);
    free(folder);
}

static inline bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

// how many entries of a folder end like this
static inline int count_ending(const char *folder, const char *ending) {
    int count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        size_t length = strlen(entry->d_name), wanted = strlen(ending);
        count += length >= wanted && strcmp(entry->d_name + length - wanted, ending) == 0;
    }
    closedir(entries);
    return count;
}

// ---------------------------------------------------------------- files

typedef struct Bytes {
    uint8_t *data; // a block of the exact size, with one '\0' behind it for texts
    size_t size;
} Bytes;

static inline Bytes load(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    Bytes bytes = {.size = (size_t)ftell(file)};
    rewind(file);
    bytes.data = calloc(1, bytes.size + 1);
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

static inline void store(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void assert_same_file(const char *a, const char *b) {
    Bytes x = load(a), y = load(b);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.data, y.data, x.size);
    free(x.data);
    free(y.data);
}

// ---------------------------------------------------------------- worlds and frames

static const char *const usual_channels[5] = {"velocity", "material", "object", "state",
                                              "density_error"};

static inline ThawFrameInfo info_of(int frame) {
    return (ThawFrameInfo){.frame = frame,
                           .time = frame / 24.0,
                           .fps = 24,
                           .spacing = 0.01,
                           .support = 0.02,
                           .up = 2,
                           .dimensions = 3,
                           .scene_hash = 0x123456789abcdef0u,
                           .dt = 0.001,
                           .material_count = 2,
                           .rest_density = {1000, 800}};
}

// two boxes of two materials above a floor, with a channel
static inline ThawWorld *boxes(int threads, double size) {
    ThawWorldDef def = small_def(3);
    def.threads = threads;
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0.1});
    body.shape.size = (ThawVec3){size, size, size};
    body.spin.z = 1;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawMaterialDef oil = thaw_material_default();
    oil.name = "oil";
    assert_ok(thaw_world_add_material(world, &oil, &body.material));
    body.shape.pose.position.z = 0.1 + size * 1.5;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawColliderDef floor = thaw_collider_default();
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    assert_ok(thaw_world_add_collider(world, &floor, NULL));
    ThawChannelDef channel = {"colour", THAW_F32, 3};
    assert_ok(thaw_world_add_channel(world, &channel));
    void *data;
    assert_ok(thaw_world_edit(world, "colour", &data));
    for (uint32_t k = 0; k < thaw_world_count(world) * 3; k++) ((float *)data)[k] = (float)k;
    return world;
}

static inline ThawFrame *take_frame(ThawWorld *world, int frame) {
    ThawFrameInfo info = info_of(frame);
    ThawFrame *taken = NULL;
    assert_ok(thaw_frame_take(world, &info, usual_channels, 5, &taken));
    return taken;
}

static inline size_t size_of_type(ThawType type) {
    static const size_t sizes[7] = {4, 8, 4, 8, 1, 2, 8};
    return sizes[type];
}

static inline void assert_same_frame(const ThawFrame *a, const ThawFrame *b) {
    assert_memory_equal(&a->info, &b->info, sizeof a->info);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->column_count, b->column_count);
    for (int k = 0; k < a->column_count; k++) {
        const ThawColumn *x = &a->columns[k], *y = &b->columns[k];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->components, y->components);
        assert_memory_equal(x->data, y->data, size_of_type(x->type) * x->components * a->count);
    }
    assert_int_equal(a->fracture_count, b->fracture_count);
    if (a->fracture_count == 0) return;
    assert_memory_equal(a->fractures, b->fractures, a->fracture_count * sizeof *a->fractures);
}

// ---------------------------------------------------------------- chance

static uint64_t random_state = 12345;

static inline uint32_t draw(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % below);
}

#endif
