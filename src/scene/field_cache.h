// A folder that keeps fields of meshes from one reading of a scene to the next.
#ifndef THAW_SCENE_FIELD_CACHE_H
#define THAW_SCENE_FIELD_CACHE_H

#include <thaw/mesh.h>

// All that a field depends on. No padding: keys are compared and hashed as bytes.
typedef struct SceneFieldKey {
    uint64_t version;  // of this struct and of the fields
    uint64_t contents; // of the mesh's files
    double scale, cell, band, offset;
    uint64_t up, mode;
    double paint[THAW_PAINTS][2];
} SceneFieldKey;

#define SCENE_FIELD_VERSION 1u
#define SCENE_FIELD_BYTES ((uint64_t)2 << 30) // that the folder may hold

// The field of this key, or NULL: not there, damaged, or of another version.
ThawField *scene_field_find(const char *folder, const SceneFieldKey *key);
// Keeps a field, and removes the oldest beyond `most` bytes. What cannot be written is not kept; nothing fails.
void scene_field_keep(const char *folder, const SceneFieldKey *key, const ThawField *field,
                      uint64_t most);

#endif
