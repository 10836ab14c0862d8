// The names that expressions of a scene may use, in the order in which a ThawNumber gives their
// values.
#ifndef THAW_SCENE_NUMBER_H
#define THAW_SCENE_NUMBER_H

enum { SCENE_VARIABLES = 4 };

// t, x, y, z; compile with the first alone where only time is meant.
extern const char *const scene_variables[SCENE_VARIABLES];

#endif
