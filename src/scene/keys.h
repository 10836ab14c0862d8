// The table behind scenes: every key once, with its type, unit, range, default and meaning.
//
// Range, unit and default are kept as the text that help pages show; the reader reads those same texts,
// so that what is said and what is checked cannot differ.
#ifndef THAW_SCENE_KEYS_H
#define THAW_SCENE_KEYS_H

#include "scene/units.h"
#include <thaw/scene.h>

// How a value is read, and what it is stored as.
typedef enum SceneKind {
    SCENE_KIND_NUMBER, // double; ThawNumber where animated or a field
    SCENE_KIND_VECTOR, // ThawVec3; ThawNumber3 where animated or a field
    SCENE_KIND_WHOLE,  // int
    SCENE_KIND_AUTO,   // int, 0 for the word auto
    SCENE_KIND_SEED,   // uint64_t
    SCENE_KIND_COUNT,  // uint64_t, written as any number: 1e6
    SCENE_KIND_SWITCH, // bool
    SCENE_KIND_TEXT,   // const char *
    SCENE_KIND_CHOICE, // int, number of the word in the type's text
    SCENE_KIND_COLOR,  // double[3]
    SCENE_KIND_PAIR,   // double[2]
    SCENE_KIND_QUAT,   // ThawQuat
    SCENE_KIND_MAP,    // a map of its own rows, stored in the same struct
    SCENE_KIND_ROTATE, // ThawQuat, written as {axis, angle}
    SCENE_KIND_HAND    // read by code of its own
} SceneKind;

typedef struct SceneRow {
    ThawSceneKey key;
    SceneKind kind;
    // in the struct of its map; of a map that texts may leave out: a bool, whether it was given
    size_t offset;
} SceneRow;

#define SCENE_ROWS_MOST 384

const SceneRow *scene_row(int index); // NULL past the last
int scene_row_index(const SceneRow *row);
// The row of `key` in the map `scope` ("" is the scene's own), or NULL.
const SceneRow *scene_row_find(const char *scope, const char *key);
// The last word of a row's path when the row lies directly in `scope`, else NULL.
const char *scene_row_key(const SceneRow *row, const char *scope);
// What a row measures; *bare is the SI value of one when no unit is written (1, or a degree).
SceneDimension scene_row_dimension(const SceneRow *row, double *bare);

// Whether it is a difference of temperatures, which 5 C is none of.
bool scene_row_is_difference(const SceneRow *row);

typedef struct SceneRange {
    double low, high;
    bool open; // low itself is outside
} SceneRange;

SceneRange scene_row_range(const SceneRow *row); // −∞..∞ when there is none
// The default as text that can be read, or NULL: required, none, or worked out by code.
const char *scene_row_default(const SceneRow *row);
bool scene_row_required(const SceneRow *row);
// Word k of a choice, into `word`; false past the last.
bool scene_row_choice(const SceneRow *row, int k, char word[32]);

// The word for a kind of force (forces.c).
const char *scene_force_kind(ThawForceKind kind);

// Colours that have a name; NULL past the last.
typedef struct SceneColor {
    const char *name;
    double rgb[3];
} SceneColor;
const SceneColor *scene_color(int index);

// What an earlier version knew: the reader says so, in a sentence without its beginning "'key' is ", rather than
// call it unknown. NULL for others.
const char *scene_key_absence(const char *scope, const char *key);

// ---------------------------------------------------------------- structs that only readers fill

typedef struct SceneMeshForm { // a mesh as it is written
    const char *file, *contents, *files;
    double scale, cell, band, offset, thickness;
    int up, mode;
    struct {
        const char *image;
        double low, high;
    } paint[THAW_PAINTS];
    int first, count;
    double fps;
    bool loop;
} SceneMeshForm;

typedef struct SceneForm { // all that shapes are described by
    ThawVec3 center, size, from, to, base, apex, axis, point, normal;
    double radius, tube, height, smooth;
    ThawQuat rotate, orientation;
    ThawBall *balls;
    int ball_count;
    ThawVec3 up;       // of an opening
    double turn;       // rad
    double opening[2]; // m
    SceneMeshForm mesh;
} SceneForm;

typedef struct SceneTurn {
    ThawVec3 axis;
    double angle;
} SceneTurn;

typedef struct SceneRepeat {
    ThawVec3 count, step;
} SceneRepeat;

typedef struct SceneMotionKey {
    double time;
    ThawVec3 move, pivot;
    SceneTurn turn;
    ThawQuat orientation;
} SceneMotionKey;

typedef struct ScenePeriod {
    double axis[3][2];
} ScenePeriod;

typedef struct SceneChannelForm {
    int type, components;
} SceneChannelForm;

// How a disc is turned that faces along the normal (shapes.c).
ThawQuat scene_face_disc(int dimensions, ThawVec3 normal);
// How a rectangle is turned that faces along the normal with its height towards `up`.
ThawQuat scene_face_rectangle(int dimensions, ThawVec3 normal, ThawVec3 up, double turn);

#endif
