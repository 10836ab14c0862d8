// The world: everything that is simulated together, and the step that moves it on.
//
// Fill a def from its default function, create from it, step, look. Every def is copied: nothing of
// the caller's is kept, except the task system's functions.
#ifndef THAW_WORLD_H
#define THAW_WORLD_H

#include "base.h"
#include "body.h"
#include "collider.h"
#include "heat.h"
#include "material.h"
#include "report.h"
#include "shape.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ThawWorld ThawWorld;

// ---------------------------------------------------------------- what you choose

// A unit of work: run chunk `chunk` of a loop. `worker` is below the task system's worker count, and
// no two chunks run at once under the same worker number.
typedef void ThawTask(void *context, uint32_t chunk, uint32_t worker);

// A host's own threads. Results do not depend on who runs which chunk, or on how many workers run.
typedef struct ThawTaskSystem {
    // run task(context, 0 .. chunks-1, worker), in any order, and return when all are done
    void (*run)(void *user, ThawTask *task, void *context, uint32_t chunks);
    void *user;
    int workers; // how many may run at once, 1..256
} ThawTaskSystem;

// The instruction set of the inner loops. AVX2 and AVX-512 give the same bits.
typedef enum ThawIsa { THAW_ISA_AUTO, THAW_ISA_BASELINE, THAW_ISA_AVX2, THAW_ISA_AVX512 } ThawIsa;

// What happens when a position or velocity stops being finite.
typedef enum ThawTroublePolicy {
    THAW_TROUBLE_STOP,  // the step returns THAW_TROUBLE and the world keeps the last good state
    THAW_TROUBLE_REMOVE // the particle is removed and counted
} ThawTroublePolicy;

// How a step is solved.
typedef struct ThawSolverDef {
    int substeps;            // 0..1000, default 0 = chosen from the limits below
    int max_substeps;        // 1..1000, default 64: the cap of the automatic choice
    double max_displacement; // –, 0.05..10, default 0.8: spacings a particle may move a substep
    double max_compression;  // –, 0.001..1, default 0.02: what resting under gravity may compress
    int iterations;     // 1..1000, default 4: fixed count, or the least when a tolerance is set
    int max_iterations; // default 50: the most when a tolerance is set
    double density_tolerance; // –, default 0 = off: mean density error to reach
    double relaxation; // –, 0.01..1, default 0.45: β of eq. 4, held below a computed limit
    double skin;       // –, 0..0.5, default 0.1: supports that neighbour lists reach further,
                       // so that they serve several substeps
    int elastic_steps; // 1..1000, default 16: the most pieces that a substep is cut into for stiff solids;
                       // with liquids the pieces of a step stay within max_substeps
    bool
        long_bonds; // default true: solids beyond the stiffness limit get bonds over four sites, and act
                    // several times stiffer than the limit
    bool explicit_forces; // default false; true: stiffness and damping as given, stable or not
} ThawSolverDef;

typedef struct ThawWorldDef {
    int dimensions;              // 2 or 3, default 3; in 2D everything stays at z = 0
    double spacing;              // m, default 0.01: the usual particle spacing; sets the cell size
    ThawVec3 gravity;            // m/s², default (0, 0, −9.81); in 2D give it in x, y
    bool periodic[3];            // default none
    ThawVec3 lower;              // m, lower corner of the periodic axes
    ThawVec3 upper;              // m, upper corner
    uint64_t seed;               // of every random number, default 1
    int threads;                 // 1..256, default 0 = as many as the machine has cores
    ThawIsa isa;                 // default auto
    const ThawTaskSystem *tasks; // default NULL: threads of our own
    ThawTroublePolicy trouble;   // default stop
    bool
        keep_lists; // default false; true: where there are only solids, neighbours found in one step serve the next
    // ones for as long as they hold. Steps of one substep then cost half. Saving begins anew, so
    // that the loaded world goes on in the same bits as the saved one, but both differ in last bits
    // from one that was not saved; false: saving changes nothing
    bool
        skip_energy; // default false; true: without heat report.elastic stays 0, which spares a pass over all bonds a
    // step. Nothing else changes, in any bit. For hosts that take one substep a step and do not look
    ThawSolverDef solver;
    ThawHeatDef heat;
} ThawWorldDef;

THAW_API ThawWorldDef thaw_world_default(void);
THAW_API ThawResult thaw_world_create(const ThawWorldDef *def, ThawWorld **world);
THAW_API void thaw_world_destroy(ThawWorld *world); // NULL is fine

// ---------------------------------------------------------------- what is in it

THAW_API ThawResult thaw_world_add_material(ThawWorld *world, const ThawMaterialDef *def,
                                            ThawMaterialId *material);
// Gives a material other values; its name and the number of its particles stay. The new density counts from
// the next step on. With heat, particles stay as warm as they are, and those that are melting as molten; the
// heat that they hold becomes what the new values make of that.
THAW_API ThawResult thaw_world_set_material(ThawWorld *world, ThawMaterialId material,
                                            const ThawMaterialDef *def);
THAW_API ThawResult thaw_world_add_body(ThawWorld *world, const ThawBodyDef *def, ThawBodyId *body);
THAW_API ThawResult thaw_world_remove_body(ThawWorld *world, ThawBodyId body);
THAW_API ThawResult thaw_world_add_collider(ThawWorld *world, const ThawColliderDef *def,
                                            ThawColliderId *collider);
THAW_API ThawResult thaw_world_remove_collider(ThawWorld *world, ThawColliderId collider);
THAW_API ThawResult thaw_world_set_collider(ThawWorld *world, ThawColliderId collider,
                                            float friction, float restitution);
// Gives a collider made of a mesh its next form: between now and `time` (s, after now) its points go straight to
// `mesh`, in the frame of the shape, and what touches it feels them move; then it stands still until it is told the
// next one. With the same triangles as before any motion is followed; with others it changes over between the two
// forms, and thin parts must not move further than they are thick. The field's settings stay.
THAW_API ThawResult thaw_world_deform_collider(ThawWorld *world, ThawColliderId collider,
                                               const ThawMesh *mesh, double time);
THAW_API ThawResult thaw_world_set_gravity(ThawWorld *world, ThawVec3 gravity); // m/s²

// Holds particles of a region: still, along a motion, or with a collider.
typedef struct ThawAttachmentDef {
    const char *name;           // copied; may be empty; default ""
    ThawShape region;           // required: what is inside when it begins is held
    ThawBodyId body;            // only particles of this body; 0 = of any, the default
    ThawColliderId collider;    // moves with this collider; 0 = with the motion below
    const ThawKeyframe *motion; // copied; about the region's position; NULL = stands still
    int motion_count;
    double from, to; // s: when it begins and ends; default 0 and for ever
} ThawAttachmentDef;

THAW_API ThawAttachmentDef thaw_attachment_default(void);
THAW_API ThawResult thaw_world_add_attachment(ThawWorld *world, const ThawAttachmentDef *def,
                                              ThawAttachmentId *attachment);
// Lets go. What it held keeps its velocity.
THAW_API ThawResult thaw_world_remove_attachment(ThawWorld *world, ThawAttachmentId attachment);
// How many particles it holds now.
THAW_API ThawResult thaw_world_attached(const ThawWorld *world, ThawAttachmentId attachment,
                                        uint32_t *count);

// Particles one by one. Arrays hold `count` rows; velocities may be NULL.
typedef struct ThawParticlesDef {
    ThawMaterialId material; // required
    uint32_t count;
    const double (*positions)[3]; // m
    const float (*velocities)[3]; // m/s
    float spacing;                // m, 0 = the world's
    ThawState state;              // default liquid; solid ones become one new object
    ThawQuat orientation;         // of a solid's lattice; {0, 0, 0, 0} = not turned
    float temperature;            // K, 0 = the air's
} ThawParticlesDef;

// Adds the particles under one new source; *first is the id of row 0, the others follow by one.
THAW_API ThawResult thaw_world_add_particles(ThawWorld *world, const ThawParticlesDef *def,
                                             ThawParticleId *first);
// Removes particles; unknown ids are skipped. *removed (may be NULL) says how many there were.
THAW_API ThawResult thaw_world_remove_particles(ThawWorld *world, const ThawParticleId *ids,
                                                uint32_t count, uint32_t *removed);

// ---------------------------------------------------------------- what it does

// Moves the world on by dt seconds (0 < dt), in as many substeps as it needs. `report` may be NULL.
THAW_API ThawResult thaw_world_step(ThawWorld *world, double dt, ThawReport *report);
THAW_API double thaw_world_time(const ThawWorld *world);

// Has the next step find neighbours anew, where it might go on with those of the step before (`keep_lists`), as a world
// must that was saved: hosts that run in step call it in all of them where one is saved.
THAW_API void thaw_world_renew(ThawWorld *world);

// Gives every particle inside the shape an equal share of an impulse in N s.
THAW_API ThawResult thaw_world_push(ThawWorld *world, const ThawShape *region, ThawVec3 impulse);

// Gives one particle a velocity change in m/s.
THAW_API ThawResult thaw_world_kick(ThawWorld *world, ThawParticleId particle, ThawVec3 change);

// ---------------------------------------------------------------- what it tells

THAW_API uint32_t thaw_world_count(const ThawWorld *world); // live particles
THAW_API double thaw_world_spacing(const ThawWorld *world); // m
THAW_API double thaw_world_support(const ThawWorld *world); // m, the kernel's reach h = one cell
THAW_API int thaw_world_threads(const ThawWorld *world);
THAW_API ThawIsa thaw_world_isa(const ThawWorld *world); // what auto came to

// Ids of the particles whose centres are inside the shape, ascending. Writes at most `capacity` of
// them; *count is how many there are.
THAW_API ThawResult thaw_world_find(ThawWorld *world, const ThawShape *region, ThawParticleId *ids,
                                    uint32_t capacity, uint32_t *count);

THAW_API ThawResult thaw_world_contact(const ThawWorld *world, ThawColliderId collider,
                                       ThawContact *contact);

// A bond between two particles of a solid that broke.
typedef struct ThawFracture {
    double time;       // s
    ThawVec3 position; // m, half way between the two
    ThawParticleId pair[2];
} ThawFracture;

// The bonds that broke in the last step, in order of time, then by ids. Valid until the next call that
// changes the world.
THAW_API void thaw_world_fractures(const ThawWorld *world, const ThawFracture **fractures,
                                   uint32_t *count);

// A field or channel by name ("id", "position", "velocity", ...); see view.h for how long it lives.
// "position" is float32 metres in the world's frame, made when asked for.
THAW_API ThawResult thaw_world_view(ThawWorld *world, const char *field, ThawView *view);
// The row of a particle in the views of this moment.
THAW_API ThawResult thaw_world_index(ThawWorld *world, ThawParticleId particle, uint32_t *row);
// Positions in double precision, in row order: `count` × 3 numbers.
THAW_API void thaw_world_positions(const ThawWorld *world, double (*positions)[3]);

// The models, in the order in which they act: a name and, in *summary, a line; NULL past the last.
THAW_API const char *thaw_model_name(uint32_t index, const char **summary);

THAW_API ThawResult thaw_world_add_channel(ThawWorld *world, const ThawChannelDef *def);
// Rows of a channel or of "velocity" that may be written, until the next call that changes the world.
THAW_API ThawResult thaw_world_edit(ThawWorld *world, const char *channel, void **data);

#ifdef __cplusplus
}
#endif

#endif
