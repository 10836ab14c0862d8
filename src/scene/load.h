// Files as sources of trees.
#ifndef THAW_SCENE_LOAD_H
#define THAW_SCENE_LOAD_H

#include "scene/reader.h"

// A whole file, or as much of it as shows that it is too large.
ThawResult scene_file_read(SceneArena *arena, const char *path, const char **text, size_t *size);
// Copies of name and text; NULL when there is no memory.
SceneSource *scene_source_create(SceneTree *tree, const char *name, const char *text, size_t size);

#endif
