// Scenes and cache directories as commands open them.
#ifndef THAW_CLI_STORE_H
#define THAW_CLI_STORE_H

#include "command.h"

#include <thaw/cache.h>
#include <thaw/scene.h>

// The scene that an operand means, in new memory: itself, or a cache directory's own.
char *scene_path(const char *operand);
// Reads a scene with the --set, --frames and --allow-outside that the command has. Errors are said
// and give EXIT_USAGE; without errors *messages holds the warnings, still to be said.
int scene_open(const Arguments *arguments, const char *path, ThawScene **scene,
               ThawMessages **messages);

// What a cache directory holds, and its scene (NULL when that cannot be read).
typedef struct Store {
    const char *directory;
    ThawCacheInfo info;
    ThawScene *scene;
} Store;

// Opens a directory with at least one frame; otherwise says what is wrong and returns EXIT_USAGE.
int store_open(const Arguments *arguments, const char *directory, Store *store);
void store_close(Store *store);
// The frames of --frames, or all; refuses what is not there.
int store_frames(const Arguments *arguments, const Store *store, FrameRange *range);
// The same where --frames may also have steps and be a list: "1,5,9", "0:20:5,40".
typedef struct FrameList {
    int *numbers;
    int count;
} FrameList;
int store_list(const Arguments *arguments, const Store *store, FrameList *list);
bool list_add(FrameList *list, FrameRange range); // false without memory
void list_free(FrameList *list);
ThawResult store_read(const Store *store, int frame, ThawFrame **data);

// The scene that a directory was made with, or NULL. Where a mesh's file is gone or has changed since, and its field
// is not kept, that is said and its collider hidden.
ThawScene *store_scene(const char *directory);
// The same without opening any mesh, for its values.
ThawScene *store_words(const char *directory);
// The folder in which fields of meshes are kept, $XDG_CACHE_HOME/thaw/fields or ~/.cache/thaw/fields; NULL = none.
char *field_folder(void);

// "a/b" in new memory; NULL when there is none left.
char *path_join(const char *folder, const char *name);
// The last part of a path without its ending, in new memory: "dam" of "scenes/dam.yaml".
char *path_stem(const char *path);
bool path_is_folder(const char *path);
bool path_is_file(const char *path);
// Whether a path ends in one of the endings, NULL past the last, in small or capital letters.
bool path_ends(const char *path, const char *const *endings);
// Says that an option's file must end in one of them and returns EXIT_USAGE, or EXIT_DONE when it
// does or was not given.
int path_judge(const Arguments *arguments, const char *option, const char *const *endings);
// Makes a folder and those above it; says what is wrong and returns false otherwise.
bool path_make(const char *command, const char *path);

#endif
