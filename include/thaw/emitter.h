// Emitters and sinks: where particles come from while the world runs, and where they go.
//
// An opening (disc or rectangle) pushes out a column of matter at its rest density: layers of the lattice,
// one behind the other, at any speed, without bursts or gaps. A layer is born 1¼ spacings behind the opening and
// moved by it alone until it is two spacings before it, so that nothing pushes it back; when the emitter ends, what was
// born runs out. An opening may lie in a wall or a floor. Where it stands in the midst of matter, nothing else
// comes where its layers are born. A volume fills the vacant places inside a shape.
#ifndef THAW_EMITTER_H
#define THAW_EMITTER_H

#include "base.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ThawWorld ThawWorld;

typedef enum ThawEmitterKind {
    THAW_EMITTER_DISC,      // radius, about the pose's position, in its local x and y
    THAW_EMITTER_RECTANGLE, // width along local x, height along local y
    THAW_EMITTER_VOLUME     // shape: any bounded one
} ThawEmitterKind;

// What a user channel of new particles begins with.
typedef struct ThawChannelValue {
    const char *channel; // by name; copied
    float value[16];     // one a component; rounded for integer channels
} ThawChannelValue;

typedef struct ThawEmitterDef {
    const char *name;        // copied; may be empty; default ""
    ThawMaterialId material; // required
    ThawEmitterKind kind;    // default disc
    // of an opening: its middle; matter leaves along its local z (2D: z is not used; along local y, through
    // a line along local x)
    ThawPose pose;
    double radius;        // m, disc; default 0.1
    double width, height; // m, rectangle; default 0.2; in 2D the width alone
    ThawShape shape;      // volume only
    ThawVec3 velocity;    // m/s, of new particles of a volume; added to an opening's
    double speed;         // m/s, through an opening, default 1
    // m³/s (2D: m²/s), default 0 = an opening's area times its speed; a volume is kept full. With a rate and
    // speed 0 an opening's speed follows from the rate; with both an opening emits only as many of its sites as
    // the rate allows. A volume emits no more than finds room.
    double rate;
    double from, to; // s, when it begins and ends; default 0 and for ever
    // –, 0..0.5, default 0: random offset of each particle in spacings, along each axis at most; moved apart
    // before they come out, so that nothing is denser than at rest
    double jitter;
    float spacing; // m, 0 = the world's
    // s, default 0 = for ever: particles that are older are removed. Their ages are in a channel "age" (f32, s); a
    // world that is given such a channel keeps it too.
    double life;
    uint64_t most;  // default 0 = any: when more of its particles live, the oldest are removed
    uint64_t total; // default 0 = any: it ends after so many births
    const ThawChannelValue *values; // copied
    int value_count;
    float temperature; // K, of new particles, default 0 = the air's (ThawHeatDef.ambient)
} ThawEmitterDef;

// What an emitter has done.
typedef struct ThawEmitterState {
    uint64_t born;    // since it was added
    uint64_t died;    // of age or number; not in sinks
    uint64_t blocked; // sites of an opening that were left empty because a collider is in their way
    double volume;    // m³ (2D: m²) of what was born
} ThawEmitterState;

THAW_API ThawEmitterDef thaw_emitter_default(void);
THAW_API ThawResult thaw_world_add_emitter(ThawWorld *world, const ThawEmitterDef *def,
                                           ThawEmitterId *emitter);
// Gives an emitter other values; name, material, kind, spacing, jitter and a volume's form stay. An opening goes to its new
// pose over the next step: what is in it moves along, and its motion adds to what leaves it. A volume is at its
// shape's new pose at once.
THAW_API ThawResult thaw_world_set_emitter(ThawWorld *world, ThawEmitterId emitter,
                                           const ThawEmitterDef *def);
// Its particles stay. Those that the opening still moved are free.
THAW_API ThawResult thaw_world_remove_emitter(ThawWorld *world, ThawEmitterId emitter);
THAW_API ThawResult thaw_world_emitter_state(const ThawWorld *world, ThawEmitterId emitter,
                                             ThawEmitterState *state);

// Removes particles.
typedef struct ThawSinkDef {
    const char *name;        // copied; may be empty; default ""
    ThawShape shape;         // required: what is inside goes
    bool outside;            // default false; true: what is outside goes
    ThawMaterialId material; // only particles of this one; 0 = of any, the default
    double from, to;         // s; default 0 and for ever
} ThawSinkDef;

THAW_API ThawSinkDef thaw_sink_default(void);
THAW_API ThawResult thaw_world_add_sink(ThawWorld *world, const ThawSinkDef *def, ThawSinkId *sink);
THAW_API ThawResult thaw_world_remove_sink(ThawWorld *world, ThawSinkId sink);
// How many particles it has removed.
THAW_API ThawResult thaw_world_sink_removed(const ThawWorld *world, ThawSinkId sink,
                                            uint64_t *removed);

#ifdef __cplusplus
}
#endif

#endif
