// Scenes: what a scene file says, checked and in SI units.
//
// thaw_scene_read takes YAML or JSON. It reports every error of the file, not only the first, and gives a
// scene only when there is none. All strings and arrays belong to the scene.
#ifndef THAW_SCENE_H
#define THAW_SCENE_H

#include "base.h"
#include "emitter.h"
#include "expression.h"
#include "force.h"
#include "heat.h"
#include "mesh.h"
#include "snapshot.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- messages

typedef struct ThawMessage {
    bool error;          // or a warning
    const char *file;    // as given, or as included; "--set" for an override
    int line, column;    // from 1; 0 when there is no place
    const char *text;    // one sentence, with a suggestion where there is one
    const char *excerpt; // the offending line, a newline and a caret below the place; may be empty
} ThawMessage;

typedef struct ThawMessages ThawMessages;
// Of many messages the first 50 are kept; one more then says how many were not.
THAW_API int thaw_messages_count(const ThawMessages *messages);
// All errors and all warnings, kept or not.
THAW_API int thaw_messages_errors(const ThawMessages *messages);
THAW_API int thaw_messages_warnings(const ThawMessages *messages);
THAW_API const ThawMessage *thaw_messages_get(const ThawMessages *messages, int index);
THAW_API void thaw_messages_free(ThawMessages *messages); // NULL is fine

// ---------------------------------------------------------------- values

// A number that may change: constant, keyed over time (linear between keys, held outside), or an
// expression of t (and of x, y, z where a field is meant).
typedef struct ThawNumber {
    double constant;            // the value when there are neither keys nor an expression
    double (*keys)[2];          // time s, value
    int key_count;              // 0 = no keys
    ThawExpression *expression; // NULL = none
    double scale;               // SI units of one unit of the expression, usually 1
    const char *text;           // the expression as written; NULL = none
} ThawNumber;

typedef struct ThawNumber3 {
    ThawNumber axis[3];
} ThawNumber3;

// Where and when a number is wanted.
typedef struct ThawMoment {
    double t;       // s
    double x, y, z; // m
} ThawMoment;

THAW_API double thaw_number_at(const ThawNumber *number, const ThawMoment *moment);
THAW_API ThawVec3 thaw_number3_at(const ThawNumber3 *number, const ThawMoment *moment);
THAW_API bool thaw_number_varies(const ThawNumber *number); // over time or place

// ---------------------------------------------------------------- the scene

typedef struct ThawSceneFrames {
    int count;  // frames after the initial one, default 100
    double fps; // 1/s, default 24
    int start; // number of the first simulated frame, default 1; frame start−1 is the initial state
    double preroll; // s simulated before the initial frame is written, default 0
} ThawSceneFrames;

// How a material behaves as a solid; the fields are those of ThawSolidDef.
typedef struct ThawSceneSolid {
    ThawNumber young; // Pa
    double poisson;
    ThawNumber damping;
    ThawElasticity elasticity;
    ThawNumber yield_strain;
    ThawNumber creep;           // 1/s
    ThawNumber fracture_strain; // 0 = never
    ThawNumber fracture_stress; // Pa, 0 = never
    double fracture_spread;
    ThawNumber docking_rate; // 1/s
    double docking_growth;   // 1/s²
    ThawNumber friction;
    double density; // kg/m³, 0 = the material's
} ThawSceneSolid;

// When matter melts or freezes, in the scene's own words.
typedef struct ThawSceneRule {
    const char *text; // as written; NULL = none: by temperature
    ThawExpression *expression;
    bool condition; // a comparison: where it holds, at once; else a rate in 1/s
} ThawSceneRule;

// How a material carries heat, melts and freezes; the fields are those of ThawThermalDef.
typedef struct ThawSceneThermal {
    bool given;                  // something of it is written
    double conductivity;         // W/(m K)
    double specific_heat;        // J/(kg K)
    double liquid_conductivity;  // W/(m K), 0 = as above
    double liquid_specific_heat; // J/(kg K), 0 = as above
    double melts_at;             // K, 0 = never
    double melting_range;        // K
    double latent_heat;          // J/kg
    double freezes_at;           // K, 0 = melts_at
    double melting_rate;         // 1/(K s), 0 = at once
    double freezing_rate;        // 1/(K s), 0 = at once
    int freezing_neighbors;
    double freezing_speed; // m/s, 0 = any
    double freezing_misfit;
    double nucleation;       // 1/s
    double nucleation_below; // K
    double sintering;        // 1/s
    double expansion;        // 1/K
    double reference;        // K
    ThawFactorCurve stiffness, damping, viscosity;
    ThawSceneRule melts_when, freezes_when;
    const char *rule_fields[THAW_TRANSITION_FIELDS]; // channels and fields that both look at
    int rule_field_count;
} ThawSceneThermal;

typedef struct ThawSceneMaterial {
    const char *name;
    double density;             // kg/m³
    ThawNumber viscosity;       // m²/s, kinematic
    ThawNumber xsph;            // – a reference time
    ThawNumber surface_tension; // –, the artist's
    ThawNumber tension;         // N/m
    ThawNumber tensile;         // –
    int tensile_exponent;
    ThawNumber vorticity; // –
    ThawSceneSolid solid;
    ThawSceneThermal thermal;
    bool liquid_said, solid_said; // something of that part is written
    double color[3];              // 0..1 sRGB, for pictures
} ThawSceneMaterial;

// A value for a user channel of a body's or an emitter's particles: one number or expression for each component.
typedef struct ThawSceneChannelValue {
    int channel; // index into ThawScene.channels
    ThawNumber value[16];
} ThawSceneChannelValue;

// Forms of a mesh over time: number first + k at time k / fps, straight from one to the next.
typedef struct ThawSceneSequence {
    const char *files; // full path, # for each digit of the number
    int first;
    int count;  // 0 = not a sequence
    double fps; // 1/s
    bool loop;  // after the last comes the first again; else it stands still
} ThawSceneSequence;

typedef struct ThawScenePaint {
    const char *image; // full path; NULL = none
    double low, high;
} ThawScenePaint;

// What a mesh shape is made of: files, how they are read, and its field.
typedef struct ThawSceneMesh {
    const char *file;  // full path; of a sequence the first
    uint64_t contents; // hash of all its files, images too
    double scale;      // m a unit of the file
    char up;           // 'y' or 'z'
    ThawFieldDef def;  // of its field; threads are the options'
    ThawScenePaint paint[THAW_PAINTS];
    ThawSceneSequence sequence;
    ThawField *field; // the scene's reference; NULL where `no_meshes` or `allow_lost` left it out
    bool cached;      // the field came from the folder of the options
} ThawSceneMesh;

typedef struct ThawSceneBody {
    const char *name;
    int material; // index into ThawScene.materials
    ThawState state;
    ThawShape shape;
    const ThawSceneMesh *mesh; // what the shape is made of; NULL = no mesh
    double spacing;            // m, 0 = the scene's
    ThawNumber3 velocity;      // m/s, of the place (x, y, z) at t = 0
    ThawVec3 spin;             // rad/s
    ThawPacking packing;
    double jitter;
    double temperature; // K, 0 = the air's
    ThawSceneChannelValue *values;
    int value_count;
    const char *file; // where it is written, for warnings
    int line;
} ThawSceneBody;

// A motion of expressions, from which the keys of a collider or of an attachment were made: 4 a frame,
// over the run.
typedef struct ThawSceneMotion {
    ThawNumber3 move; // m
    bool turns;
    ThawVec3 axis;
    ThawNumber angle; // rad
    bool pivoted;
    ThawVec3 pivot; // m
} ThawSceneMotion;

typedef struct ThawSceneCollider {
    const char *name;
    ThawShape shape;           // of a sequence: its first form
    const ThawSceneMesh *mesh; // what the shape is made of; NULL = no mesh
    bool container;
    ThawNumber friction;
    ThawNumber restitution;
    ThawNumber adhesion;
    ThawNumber temperature; // K, 0 = insulates
    double heat_transfer;   // W/(m² K), 0 = perfect contact
    bool frosts;
    ThawKeyframe *motion;
    int motion_count;
    const ThawSceneMotion *formula; // what `motion` was sampled from; NULL: it was given as keys
    ThawDynamicDef dynamic;
    bool visible; // in pictures; default true, containers are drawn as wire edges
    double color[3];
    const char *file;
    int line;
} ThawSceneCollider;

// What holds particles: still, along a motion, or with a collider.
typedef struct ThawSceneAttachment {
    const char *name;
    ThawShape region;
    int body;     // index into ThawScene.bodies; −1 = of any
    int collider; // index into ThawScene.colliders; −1 = none
    ThawKeyframe *motion;
    int motion_count;
    const ThawSceneMotion *formula; // as a collider's
    double from, to;                // s; `to` may be infinite
    const char *file;
    int line;
} ThawSceneAttachment;

// Where particles come from; the fields are those of ThawEmitterDef.
typedef struct ThawSceneEmitter {
    const char *name;
    int material;    // index into ThawScene.materials
    ThawState state; // liquid: emitters make nothing else
    ThawEmitterKind kind;
    ThawPose pose;             // of an opening
    double radius;             // m, of a disc
    double size[2];            // m, of a rectangle
    ThawShape shape;           // of a volume
    const ThawSceneMesh *mesh; // what the shape is made of; NULL = no mesh
    ThawNumber speed;          // m/s
    ThawNumber rate;           // m³/s (2D: m²/s)
    ThawNumber3 velocity;      // m/s
    ThawNumber temperature;    // K, 0 = the air's
    double spacing;            // m, 0 = the scene's
    double jitter;
    double from, to; // s; `to` may be infinite
    double life;     // s, 0 = for ever
    uint64_t most;   // 0 = any
    uint64_t total;  // 0 = any
    ThawKeyframe *motion;
    int motion_count;
    const ThawSceneMotion *formula; // as a collider's
    ThawSceneChannelValue *values;
    int value_count;
    bool visible; // in pictures, as edges; default false
    const char *file;
    int line;
} ThawSceneEmitter;

// Where particles go.
typedef struct ThawSceneSink {
    const char *name;
    ThawShape shape;
    const ThawSceneMesh *mesh; // what the shape is made of; NULL = no mesh
    bool outside;
    int material;    // index into ThawScene.materials; −1 = any
    double from, to; // s; `to` may be infinite
    bool visible;    // in pictures, as edges; default false
    const char *file;
    int line;
} ThawSceneSink;

// What pulls besides gravity; the fields are those of ThawForceDef.
typedef struct ThawSceneForce {
    const char *name;
    ThawForceKind kind;
    ThawNumber strength;   // m/s² (wind: m/s)
    ThawNumber3 direction; // of a vortex: its axis
    ThawNumber3 position;  // m
    double radius;         // m, 0 = no end
    double falloff;
    double core; // m, 0 = one spacing
    double inflow;
    ThawNumber drag; // 1/s
    double size;     // m, 0 = ten spacings
    double change;   // 1/s
    uint64_t seed;
    bool bounded;
    ThawShape region; // no mesh
    int material;     // index into ThawScene.materials; −1 = any
    double from, to;  // s; `to` may be infinite
    double ramp;      // s
    const char *file;
    int line;
} ThawSceneForce;

// What warms matter, or cools it; the fields are those of ThawHeatSourceDef.
typedef struct ThawSceneHeatSource {
    const char *name;
    bool bounded; // false: everywhere
    ThawShape shape;
    const ThawSceneMesh *mesh; // what the shape is made of; NULL = no mesh
    int material;              // index into ThawScene.materials; −1 = any
    int body;                  // index into ThawScene.bodies; −1 = any
    ThawNumber power;          // W
    ThawNumber temperature;    // K, 0 = not held at one
    double from, to;           // s; `to` may be infinite
    ThawKeyframe *motion;      // of the shape
    int motion_count;
    const ThawSceneMotion *formula; // as a collider's
    const char *file;
    int line;
} ThawSceneHeatSource;

// The air; the fields are those of ThawHeatDef.
typedef struct ThawSceneHeat {
    bool given; // something of it is written
    bool on;
    ThawNumber ambient;    // K
    ThawNumber convection; // W/(m² K)
    ThawNumber emissivity; // –
} ThawSceneHeat;

typedef struct ThawSceneChannel {
    const char *name;
    ThawType type; // THAW_F32 or THAW_I32
    uint32_t components;
} ThawSceneChannel;

typedef struct ThawSceneCamera {
    bool given;      // false: a picture frames the scene by itself
    ThawNumber3 eye; // m
    ThawNumber3 target;
    ThawNumber fov;    // rad, of the picture's height
    int width, height; // pixels, default 1280 × 720
    const char *color; // a field's name, "material" or "speed"; default "speed"
    double low, high;  // range of the colours; low = high: from the data
    const char *map;   // name of the colour map; NULL = what suits the colours
} ThawSceneCamera;

typedef struct ThawSceneOutput {
    const char **channels; // fields to write besides id and position
    int channel_count;
    double checkpoint; // s of wall time between checkpoints, default 30
    int compression;   // 0..9, deflate; default 1
} ThawSceneOutput;

typedef struct ThawScene {
    const char *path; // of the file
    const char *title;
    int up; // 0, 1, 2: which axis pictures and exports call up; default z (2D: y)
    ThawWorldDef
        world; // dimensions, spacing, periodic box, seed, trouble policy, solver; gravity at t = 0
    ThawNumber3 gravity;
    ThawSceneFrames frames;
    ThawSceneMaterial *materials;
    int material_count;
    ThawSceneChannel *channels;
    int channel_count;
    ThawSceneBody *bodies;
    int body_count;
    ThawSceneCollider *colliders;
    int collider_count;
    ThawSceneAttachment *attachments;
    int attachment_count;
    ThawSceneEmitter *emitters;
    int emitter_count;
    ThawSceneSink *sinks;
    int sink_count;
    ThawSceneForce *forces;
    int force_count;
    ThawSceneHeat heat;
    ThawSceneHeatSource *heat_sources;
    int heat_source_count;
    ThawSceneCamera camera;
    ThawSceneOutput output;
    bool animated; // some number that the step uses changes over time
} ThawScene;

typedef struct ThawSceneOptions {
    const char *const *sets; // overrides "path.to.key=value", checked like the file
    int set_count;
    bool allow_outside; // file references may leave the scene's folder
    // Folder in which fields of meshes are kept from one reading to the next; made when it is not there.
    // It holds at most 2 GiB, the oldest go first; what is damaged is built again. NULL = none.
    const char *field_folder;
    int threads; // that build fields, default 0 = as many as the machine has cores
    // For scenes that name their meshes together with their contents, as written scenes do. no_meshes: none is opened,
    // for comparing and showing scenes. allow_lost: one whose files are gone or have changed is no error. Shapes
    // then have no field, and the scene cannot be built.
    bool no_meshes, allow_lost;
} ThawSceneOptions;

// Reads a scene. *messages is always given (free it); *scene only with THAW_OK. `options` may be NULL.
THAW_API ThawResult thaw_scene_read(const char *path, const ThawSceneOptions *options,
                                    ThawScene **scene, ThawMessages **messages);
// The same from memory; `path` names the text in messages and gives the folder of references.
THAW_API ThawResult thaw_scene_parse(const char *text, size_t size, const char *path,
                                     const ThawSceneOptions *options, ThawScene **scene,
                                     ThawMessages **messages);
THAW_API void thaw_scene_free(ThawScene *scene); // NULL is fine

// The scene as one YAML document with every value written out (includes merged, copies made, SI units), in a
// fixed order: equal scenes, equal text. Reading it gives the same scene. Free it with free().
THAW_API ThawResult thaw_scene_write(const ThawScene *scene, char **text, size_t *size);
// A hash of what decides the motion: of the written scene without title, camera, output and frame count.
THAW_API uint64_t thaw_scene_hash(const ThawScene *scene);
// Names what differs between two scenes as far as the motion goes, one line each ("materials.water.density: 1000 → 900");
// of a mesh file not its name but its contents.
// NULL when nothing does. Free it with free().
THAW_API char *thaw_scene_difference(const ThawScene *before, const ThawScene *after);

// ---------------------------------------------------------------- from scene to world

// Makes the world at time 0: materials, channels, colliders, bodies, attachments, emitters, sinks, forces, heat
// sources. `host` may be NULL. Each of them, the k-th of its list in the scene, gets a handle of value k + 1. Where
// materials have rules of their own (melts_when, freezes_when), the scene must live as long as the world.
THAW_API ThawResult thaw_scene_build(const ThawScene *scene, const ThawHostDef *host,
                                     ThawWorld **world);
// Gives a world that was loaded from a snapshot what snapshots do not hold: the materials' rules.
THAW_API ThawResult thaw_scene_adopt(const ThawScene *scene, ThawWorld *world);
// Gives the world what the scene says of time t: gravity, materials, how colliders are, emitters and forces.
THAW_API ThawResult thaw_scene_animate(const ThawScene *scene, ThawWorld *world, double t);
// Moves the world on by one frame; animated scenes go in pieces so that values change smoothly. Colliders of a
// sequence are told their next form as the time comes; its file is read then.
THAW_API ThawResult thaw_scene_advance(const ThawScene *scene, ThawWorld *world, double dt,
                                       ThawReport *report);
// Bonds that broke, collected over several steps. Begin with {0}; free the list with free().
typedef struct ThawFractureList {
    ThawFracture *list;
    uint32_t count, capacity;
} ThawFractureList;
// The same as thaw_scene_advance, and adds the bonds that broke to *fractures (which may be NULL).
THAW_API ThawResult thaw_scene_advance_noting(const ThawScene *scene, ThawWorld *world, double dt,
                                              ThawReport *report, ThawFractureList *fractures);
// Where a collider is at time t.
THAW_API ThawShape thaw_scene_collider_at(const ThawSceneCollider *collider, double t);
// The material as a world has it at time t.
THAW_API ThawMaterialDef thaw_scene_material_at(const ThawSceneMaterial *material, double t);
// The emitter as a world has it at time t. Channel values are left out.
THAW_API ThawEmitterDef thaw_scene_emitter_at(const ThawSceneEmitter *emitter, double t);

// ---------------------------------------------------------------- before the first frame

// The solids of one material: the stiffness asked for, and what the scene's substeps can carry. Stiffer
// solids act as the limit.
typedef struct ThawSolidForecast {
    int material; // index into ThawScene.materials
    uint32_t particles;
    double young; // Pa, the most of the run
    double limit; // Pa, estimated where matter rests and substeps are fewest
    bool sets;    // it begins as liquid, and there is something cold enough for it to freeze
} ThawSolidForecast;

// What an emitter will come to, estimated; sinks are not foreseen.
typedef struct ThawEmitterForecast {
    double born; // particles by the end of the run
    double peak; // the most that live at once
    double rate; // particles a second, the most of the run
} ThawEmitterForecast;

// The liquids of one material: what is asked for, and the most that the scene's substeps can do.
typedef struct ThawLiquidForecast {
    int material;     // index into ThawScene.materials
    double spacing;   // m, the smallest
    double viscosity; // m²/s, the most of the run: what acts, of viscosity and xsph together
    double smoothing; // m²/s: xsph's part of it
    double viscosity_limit;
    double tension; // N/m, the most of the run
    double tension_limit;
} ThawLiquidForecast;

// How heat goes through one material.
typedef struct ThawHeatForecast {
    int material;       // index into ThawScene.materials
    double spacing;     // m, the smallest
    double diffusivity; // m²/s, the larger of solid and melt
    double reach;       // m that heat goes in the time of the run, √(κ t)
} ThawHeatForecast;

// What was found about a mesh that a collider or a body is made of.
typedef struct ThawMeshForecast {
    int collider, body; // index into the scene's; −1 = not one
    ThawFieldReport report;
    int size[3]; // cells along each axis, of the surface with its offset
    bool shared; // an earlier one has the same field
    double gap;  // m, the narrowest free space found that is narrower than the spacing; 0 = none
    double gap_share; // of the surface that faces such gaps
} ThawMeshForecast;

typedef struct ThawPreflight {
    uint32_t particles;            // at the start
    uint32_t *body_particles;      // one a body
    ThawEmitterForecast *emitters; // one an emitter
    double born;                   // particles of emitters by the end, estimated
    double peak;                   // the most particles that live at once, sinks apart
    double mean;                   // particles that live at once on average, sinks apart
    double mass;                   // kg, at the start
    double support;                // m
    double lattice_distance;       // m
    double memory_bytes;           // of the process, estimated
    double frame_bytes;            // of the largest frame on disk, estimated
    double disk_bytes;             // of all frames, estimated
    double substeps;               // a frame, estimated at rest and at the fall's end
    double set_substeps;           // the same when some of the liquid that freezes has
    ThawVec3 lower, upper;         // bounds of the matter at the start and of the emitters
    ThawSolidForecast
        *solids; // one a material of which there are solid bodies, or liquid that freezes
    int solid_count;
    ThawLiquidForecast *liquids; // one a material that flows
    int liquid_count;
    ThawHeatForecast *heats; // one a material that there is, where heat is on
    int heat_count;
    double heat_stages;       // passes of conduction a frame, estimated; 0 without heat
    uint32_t *attached;       // one an attachment: particles in its region at the start
    ThawMeshForecast *meshes; // one a collider or body that is made of one; copies of a body once
    int mesh_count;
    double field_bytes; // of all fields, in memory_bytes already
} ThawPreflight;

// Works out what will be simulated, without simulating; warnings are added to *messages, and errors for
// what must not be run: bodies without a particle, outside their container or inside a solid. With
// THAW_OK the figures are there, also when there are errors.
THAW_API ThawResult thaw_scene_preflight(const ThawScene *scene, ThawPreflight *preflight,
                                         ThawMessages **messages);
THAW_API void thaw_preflight_free(ThawPreflight *preflight);

// ---------------------------------------------------------------- the table behind the reader

// One key of the scene format. The same rows check files, print `thaw help scene`, and write the reference page and
// the JSON Schema.
typedef struct ThawSceneKey {
    const char *path; // "materials.*.liquid.viscosity", "bodies[].name"
    const char *
        type; // "number", "whole number", "text", "yes or no", "vector", "list", "map", "one of a|b"
    const char *unit;    // "m", "" ...
    const char *range;   // "> 0", "0..1", ""
    const char *initial; // the default as text, "required", or ""
    bool animated;       // may be keyed over time or an expression of t
    bool field;          // may be an expression of x, y, z
    const char *meaning; // one line
} ThawSceneKey;

THAW_API const ThawSceneKey *thaw_scene_key(int index); // NULL past the last
// Texts made from the table, to be freed with free(): a page for a terminal, Markdown, a JSON Schema.
THAW_API char *thaw_scene_help(void);
THAW_API char *thaw_scene_reference(void);
THAW_API char *thaw_scene_schema(void);
// The units that numbers may carry, a page for a terminal. Free it with free().
THAW_API char *thaw_unit_help(void);
// How matter melts and freezes, the same.
THAW_API char *thaw_heat_help(void);

#ifdef __cplusplus
}
#endif

#endif
