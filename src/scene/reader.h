// What the parts of the scene reader share.
#ifndef THAW_SCENE_READER_H
#define THAW_SCENE_READER_H

#include "scene/keys.h"
#include "scene/tree.h"

#define SCENE_MOST_CHANNELS 64

// A scene with what it owns. Every ThawScene that the reader gives is the first part of one of these.
typedef struct SceneOwner {
    ThawScene scene;
    SceneArena arena; // strings and arrays
    ThawExpression **expressions;
    int expression_count;
    ThawSceneMesh **meshes; // with their fields
    int mesh_count;
} SceneOwner;

// An expression to be tried over the scene's time once that is known.
typedef struct SceneTrial {
    const SceneNode *node;
    const SceneRow *row;
    const char *path;
    ThawNumber number;
} SceneTrial;

typedef struct SceneReader SceneReader;

// A mesh of the scene and where it is written.
typedef struct SceneMeshText {
    ThawSceneMesh *mesh;
    const SceneNode *node;
    const char *path; // of the value: "colliders.duck.shape.mesh"
    const char *file; // as messages say it; of a sequence the first
    bool closed;      // its files are not opened
} SceneMeshText;

struct SceneReader {
    SceneTree tree;
    SceneOwner *owner;
    bool allow_outside;
    bool no_meshes;           // files whose contents are given are not opened
    bool allow_lost;          // the same of those that do not hold them any more
    const char *field_folder; // NULL = none
    int threads;              // that build fields
    const char *main_path;    // of the scene, which overrides' files are beside
    const char *folder;       // absolute; references must stay inside; NULL when it is not known
    int dimensions;           // known before anything else is read
    char path[200];           // of the value being read: "bodies.cube.shape.box"
    int visits;               // of nodes, bounded
    double density;           // kg/m^3, of the material being read; 0 outside of them
    bool out_of_memory;
    bool bodies_failed; // some are not there, which was said
    SceneNode *defaults[SCENE_ROWS_MOST];
    const SceneSource *last_source; // of which last_file is the name, kept with the scene
    const char *last_file;
    SceneTrial *trials;
    int trial_count;
    SceneMeshText *meshes; // one for each of the owner's
    int mesh_count;
};

// ---------------------------------------------------------------- complaints

// Says what is wrong at a node; returns false.
bool scene_complain(SceneReader *reader, const SceneNode *node, const char *format, ...)
    THAW_PRINTF(3, 4);
bool scene_complain_at(SceneReader *reader, ScenePlace place, const char *format, ...)
    THAW_PRINTF(3, 4);
bool scene_complain_memory(SceneReader *reader);
// Adds a word to the path of what is being read; gives the length to go back to with scene_leave.
size_t scene_enter(SceneReader *reader, const char *word);
size_t scene_enter_index(SceneReader *reader, int index);
void scene_leave(SceneReader *reader, size_t length);
// One more node is looked at; false (and a message, once) when there were too many.
bool scene_visit(SceneReader *reader, const SceneNode *node);
// "; did you mean 'x'?" or "", in a buffer of the caller's.
const char *scene_hint(const char *word, const char *const *known, int count, char hint[96]);

// ---------------------------------------------------------------- values (value.c)

// Reads a node as the row says into the member at row->offset of `target`.
bool scene_read_value(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                      void *target);
bool scene_read_number(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                       double *value);
bool scene_read_moving(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                       ThawNumber *number);
bool scene_read_text(SceneReader *reader, const SceneNode *node, const char **text);
// Names that a formula may use.
typedef struct SceneVariables {
    const char *const *names;
    int count;
} SceneVariables;
// The place of a byte of a scalar's text.
ScenePlace scene_place_inside(const SceneNode *node, size_t offset);
// A formula of variables of one's own, compiled, with its text; both are kept with the scene.
bool scene_read_formula(SceneReader *reader, const SceneNode *node, const SceneVariables *variables,
                        ThawExpression **expression, const char **text);

// ---------------------------------------------------------------- maps (walk.c)

// Reads every key of a map by the rows of `scope`, fills in defaults, and complains of what is unknown
// or missing. Rows of kind HAND are handed to `hand` (may be NULL).
typedef bool SceneHand(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                       const SceneNode *value, void *target);
bool scene_read_map(SceneReader *reader, const char *scope, const SceneNode *map, void *target,
                    SceneHand *hand);
bool scene_expect(SceneReader *reader, const SceneNode *node, SceneNodeKind kind);
// Whether a key that the map lacks is most likely there, misspelt.
bool scene_is_misspelt(const char *scope, const SceneNode *map, const char *key);

// ---------------------------------------------------------------- parts

// Names of materials, kept as an index; and values of channels, one or more for each component. With `animated`
// those are of the time, else of the place (bodies.c).
bool scene_read_material_name(SceneReader *reader, const SceneNode *node, int *material);
bool scene_read_body_name(SceneReader *reader, const SceneNode *node, int *body);
typedef struct SceneValues {
    ThawSceneChannelValue *list;
    int count;
} SceneValues;
bool scene_read_channel_values(SceneReader *reader, const SceneNode *map, bool animated,
                               SceneValues *values);
// Whether a body's or an emitter's own spacing fits the scene's.
bool scene_check_spacing(SceneReader *reader, const SceneNode *map, double spacing);
// Whether what begins at `from` ends later.
bool scene_check_times(SceneReader *reader, const SceneNode *map, double from, double to);

// *mesh is what a mesh shape is made of, else NULL; where `mesh` is NULL meshes are refused. Their fields come
// later, with scene_finish_meshes.
bool scene_read_shape(SceneReader *reader, const SceneNode *node, ThawShape *shape,
                      const ThawSceneMesh **mesh);
// What an emitter makes particles in: an opening, or a shape.
bool scene_read_source(SceneReader *reader, const SceneNode *node, ThawSceneEmitter *emitter);
// The mesh that a form says, written at a node; NULL after a message (meshes.c).
const ThawSceneMesh *scene_make_mesh(SceneReader *reader, const SceneNode *node,
                                     const SceneMeshForm *form);
// Once all is read: opens the files that were not opened yet and, with `build`, makes the fields (mesh_fields.c).
bool scene_finish_meshes(SceneReader *reader, bool build);
bool scene_read_rotate(SceneReader *reader, const SceneNode *node, ThawQuat *rotation);
// A motion being read: its keys, and what they were sampled from.
typedef struct SceneCourse {
    ThawVec3 position; // what turns are about
    ThawKeyframe *keys;
    int count;
    const ThawSceneMotion *formula; // NULL: it was given as keys
} SceneCourse;

bool scene_read_motion(SceneReader *reader, const SceneNode *node, SceneCourse *course);
bool scene_read_materials(SceneReader *reader, const SceneNode *map);
bool scene_read_channels(SceneReader *reader, const SceneNode *map);
bool scene_read_colliders(SceneReader *reader, const SceneNode *list);
bool scene_read_bodies(SceneReader *reader, const SceneNode *list);
bool scene_read_attachments(SceneReader *reader, const SceneNode *list);
bool scene_read_emitters(SceneReader *reader, const SceneNode *list);
bool scene_read_sinks(SceneReader *reader, const SceneNode *list);
bool scene_read_forces(SceneReader *reader, const SceneNode *list);
bool scene_read_heat_sources(SceneReader *reader, const SceneNode *list);
// A key of a material's thermal part that is no number, and what its numbers must keep to together (thermal.c).
bool scene_read_thermal_key(SceneReader *reader, const SceneRow *row, const SceneNode *value,
                            ThawSceneThermal *thermal);
bool scene_check_thermal(SceneReader *reader, const SceneNode *material, ThawSceneThermal *thermal);
// When it melts or freezes (rules.c).
bool scene_read_rule(SceneReader *reader, const SceneNode *node, ThawSceneThermal *thermal,
                     ThawSceneRule *rule);
// Whether heat is on: as the scene says, or because something of it is about heat (heat_sources.c).
void scene_settle_heat(SceneReader *reader, const SceneNode *root);
// A name that a world takes; NULL is not one.
bool scene_check_name(SceneReader *reader, const SceneNode *node, const char *name);
// The name of the node's file, kept with the scene.
const char *scene_file_of(SceneReader *reader, const SceneNode *node);
// Enters "name" or "[k]" for item k of a list.
size_t scene_enter_item(SceneReader *reader, const SceneNode *list, int k);
// Whether every item of a list has a name of its own.
bool scene_check_names(SceneReader *reader, const SceneNode *list, const char *what);
// Whether a field is there only where heat is on.
bool scene_is_thermal_field(const char *name);
// All names that a picture or a frame can show: fields, then the scene's channels. Returns how many.
int scene_collect_fields(const ThawScene *scene, const char **names, int most);

// ---------------------------------------------------------------- the whole (check.c)

bool scene_try_later(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                     const ThawNumber *number);
// What only the whole scene shows: values that do not go together.
bool scene_check_whole(SceneReader *reader, const SceneNode *root);

// The node of the scene file with its includes merged in. NULL after a message.
SceneNode *scene_load(SceneReader *reader, const SceneSource *source, const char *path);
// The path of a file that a node names: beside the text that the node is in. To be freed; NULL without memory.
char *scene_join_path(const SceneReader *reader, const SceneNode *node, const char *name);
// Its true place, which must be in the scene's folder unless `anywhere`; NULL after a message, else to be freed.
char *scene_find_file(SceneReader *reader, const SceneNode *node, const char *joined,
                      bool anywhere);
// Changes the tree as "path.to.key=value" says; the new root, or NULL after a message.
SceneNode *scene_override(SceneReader *reader, SceneNode *root, const char *text);

// An element more in an array of the scene's; NULL after a message.
void *scene_append(SceneReader *reader, void *array, int *count, size_t element);

#endif
