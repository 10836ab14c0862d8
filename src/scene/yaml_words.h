// The parser's complaints in words for people who do not know YAML by heart.
#ifndef THAW_SCENE_YAML_WORDS_H
#define THAW_SCENE_YAML_WORDS_H

#include <stdbool.h>

// What to say of a complaint. `at` is the text from its place on. *next_line: the mistake is not there but
// at the start of the line after it. NULL for a complaint that has no words of its own.
const char *scene_yaml_words(const char *complaint, bool json, const char *at, bool *next_line);

#endif
