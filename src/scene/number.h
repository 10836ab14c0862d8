// The names that expressions of a scene may use, in the order in which a ThawNumber gives their
// values.
#ifndef THAW_SCENE_NUMBER_H
#define THAW_SCENE_NUMBER_H

#include <thaw/scene.h>

enum { SCENE_VARIABLES = 4 };

// t, x, y, z; compile with the first alone where only time is meant.
extern const char *const scene_variables[SCENE_VARIABLES];

// Whether it is 0 everywhere and at all times, however that was written. What is not finite is not 0.
bool scene_number_is_zero(const ThawNumber *number);

#endif
