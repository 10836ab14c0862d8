// A text that grows, and numbers written so that reading them gives the same bits.
#ifndef THAW_SCENE_TEXT_H
#define THAW_SCENE_TEXT_H

#include "base/result.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct SceneText {
    char *bytes; // from malloc, with a zero after it; NULL while empty
    size_t size, capacity;
    bool failed; // there was no memory: what follows is dropped
} SceneText;

void scene_text_put(SceneText *text, const char *format, ...) THAW_PRINTF(2, 3);
void scene_text_bytes(SceneText *text, const char *bytes, size_t size);
// The shortest decimal that reads back as the same number.
void scene_text_number(SceneText *text, double value);
// In double quotes, for YAML and JSON alike.
void scene_text_quote(SceneText *text, const char *string);

#endif
