// Memory that is given back all at once: what a scene or a parsed file is made of.
#ifndef THAW_SCENE_ARENA_H
#define THAW_SCENE_ARENA_H

#include <stddef.h>

typedef struct SceneBlock SceneBlock;

typedef struct SceneArena {
    SceneBlock *blocks; // the newest first
    size_t used;        // bytes of the newest
} SceneArena;

// Zeroed bytes, aligned for anything; NULL when there is no memory.
void *scene_take(SceneArena *arena, size_t bytes);
// A copy of text[0..length) with a zero after it.
char *scene_copy(SceneArena *arena, const char *text, size_t length);
void scene_arena_free(SceneArena *arena);

// Room for one more element in an array that lives in the arena: doubles it when it is full. Returns
// the array, moved or not, or NULL.
void *scene_grow(SceneArena *arena, void *array, int count, size_t element);

#endif
