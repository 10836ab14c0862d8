// A scene going out: as YAML, or as one line for each value, by which two scenes are compared.
#ifndef THAW_SCENE_WRITER_H
#define THAW_SCENE_WRITER_H

#include "scene/keys.h"
#include "scene/text.h"

typedef struct SceneWriter {
    SceneText text;
    const ThawScene *scene;
    bool flat;      // "bodies.cube.spacing: 0.1" instead of nested keys
    bool motion;    // only what decides the motion
    int depth;      // of maps, for the indent
    bool item;      // the next key is the first of a list's item
    char path[256]; // flat
} SceneWriter;

// Starts "key: "; the value follows on the same line, then scene_put_end.
void scene_put_key(SceneWriter *writer, const char *key);
void scene_put_end(SceneWriter *writer);
// A map below a key, and its end. An item of a list has a name instead of a key.
size_t scene_put_open(SceneWriter *writer, const char *key);
size_t scene_put_item(SceneWriter *writer, const char *name);
void scene_put_close(SceneWriter *writer, size_t mark);

void scene_put_vector(SceneText *text, ThawVec3 v);
void scene_put_quat(SceneText *text, ThawQuat q);
void scene_put_number(SceneText *text, const ThawNumber *number, const char *unit);
// "shape: {box: {...}}", in the plain way where reading that gives the same bits, else with its orientation. A mesh
// is what its files hold: where scenes are compared their names are left out.
void scene_put_shape(SceneWriter *writer, const char *key, const ThawShape *shape,
                     const ThawSceneMesh *mesh);

void scene_put_numbers(SceneText *text, const ThawNumber *numbers, int count);
// Keys of a motion, or the expressions that they were made of.
void scene_put_motion(SceneText *text, const ThawKeyframe *keys, int count,
                      const ThawSceneMotion *formula);
// "channels: ..." of a body or an emitter.
void scene_put_values(SceneWriter *writer, const ThawScene *scene,
                      const ThawSceneChannelValue *values, int count);

// Every key of a scope by the table, from the struct that rows point into. Rows of kind HAND are handed on.
typedef void SceneHandOut(SceneWriter *writer, const SceneRow *row, const char *key,
                          const void *source);
void scene_put_map(SceneWriter *writer, const char *scope, const void *source, SceneHandOut *hand);

// Items of these lists (source_text.c).
void scene_put_emitters(SceneWriter *writer, const ThawScene *scene);
void scene_put_sinks(SceneWriter *writer, const ThawScene *scene);
void scene_put_forces(SceneWriter *writer, const ThawScene *scene);
void scene_put_heat_sources(SceneWriter *writer, const ThawScene *scene);

// The whole scene in a new text; free(text.bytes).
SceneText scene_write_text(const ThawScene *scene, bool flat, bool motion);

#endif
