// Messages: what is wrong with a scene, with the place and the line it is about.
#ifndef THAW_SCENE_MESSAGES_H
#define THAW_SCENE_MESSAGES_H

#include "base/result.h"
#include <stdarg.h>
#include <thaw/scene.h>

// A text that places point into: a file, or one override.
typedef struct SceneSource {
    const char *name; // as messages say it
    const char *text;
    size_t size;
} SceneSource;

// A byte of a source; no source, no place.
typedef struct ScenePlace {
    const SceneSource *source;
    size_t offset;
} ScenePlace;

#define SCENE_MESSAGES_KEPT 50 // more are counted, not kept

ThawMessages *scene_messages_create(void); // NULL when there is no memory
void scene_messages_add(ThawMessages *messages, bool error, ScenePlace place, const char *format,
                        ...) THAW_PRINTF(4, 5);
void scene_messages_vadd(ThawMessages *messages, bool error, ScenePlace place, const char *format,
                         va_list arguments);
// A message about a line of which only the number is known.
void scene_messages_add_line(ThawMessages *messages, bool error, const char *file, int line,
                             const char *text);
// Puts messages in the order of their places and says how many were not kept.
void scene_messages_close(ThawMessages *messages);

// Line and column of a place, from 1, the column in characters.
void scene_place_find(ScenePlace place, int *line, int *column);

#endif
