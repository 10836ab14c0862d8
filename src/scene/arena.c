// Memory that is given back all at once.
#include "scene/arena.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 16384u
#define ALIGNMENT 16u

struct SceneBlock {
    SceneBlock *next;
    size_t capacity;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

void *scene_take(SceneArena *arena, size_t bytes) {
    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0) bytes = ALIGNMENT;
    if (arena->blocks == NULL || arena->blocks->capacity - arena->used < bytes) {
        size_t capacity = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
        SceneBlock *fresh = thaw_alloc(sizeof *fresh + capacity);
        if (fresh == NULL) return NULL;
        fresh->capacity = capacity;
        fresh->next = arena->blocks;
        arena->blocks = fresh;
        arena->used = 0;
    }
    void *place = arena->blocks->bytes + arena->used;
    arena->used += bytes;
    return place;
}

char *scene_copy(SceneArena *arena, const char *text, size_t length) {
    char *copy = scene_take(arena, length + 1);
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}

void scene_arena_free(SceneArena *arena) {
    while (arena->blocks != NULL) {
        SceneBlock *next = arena->blocks->next;
        thaw_free(arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
}

void *scene_grow(SceneArena *arena, void *array, int count, size_t element) {
    // full at 0, 4, 8, 16, ...: powers of two, so that no capacity need be kept
    bool full = count == 0 || (count >= 4 && (count & (count - 1)) == 0);
    if (!full) return array;
    size_t wanted = count == 0 ? 4 : 2 * (size_t)count;
    void *fresh = scene_take(arena, wanted * element);
    if (fresh != NULL && count > 0) memcpy(fresh, array, (size_t)count * element);
    return fresh;
}
