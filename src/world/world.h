// The world's inside: everything that one ThawWorld owns.
//
// Between two calls of the public API the store holds no dead rows: whoever kills rows compacts them
// before returning. Row order carries no meaning; whatever must not depend on it goes by ids.
#ifndef THAW_WORLD_WORLD_H
#define THAW_WORLD_WORLD_H

#include "collision/collider.h"
#include "collision/walls.h"
#include "materials/material.h"
#include "models/model.h"
#include "neighbors/neighbors.h"
#include "parallel/parallel.h"
#include "particles/domain.h"
#include "particles/store.h"
#include "particles/work.h"
#include "world/attachments.h"
#include "world/emitters.h"
#include "world/forces.h"
#include "world/frost.h"
#include "world/heat.h"
#include "world/order.h"
#include "world/sinks.h"
#include <thaw/thaw.h>

#define THAW_WORLD_MODELS 16
#define THAW_WORLD_DERIVED 7 // fields that are made when asked for, besides the position
#define THAW_WORLD_MATERIALS 65535u
#define THAW_WORLD_SUPPORT 2.0           // h in spacings
#define THAW_WORLD_SPACING_RATIO 16.0    // how far a particle's spacing may be from the world's
#define THAW_WORLD_SOURCES (1u << 24)    // sources are 1 .. this - 1
#define THAW_WORLD_HANDLES 0x7fffffffu   // body and collider handles are 1 .. this
#define THAW_WORLD_PARTICLES 0x7fffffffu // rows
#define THAW_ID_COUNT_MASK (((uint64_t)1 << THAW_ID_SOURCE_SHIFT) - 1)

typedef struct ThawBody {
    char name[THAW_NAME_SIZE];
    uint32_t handle; // the public id's value, and the particles' `object`
    uint32_t source; // upper bits of its particles' ids
} ThawBody;

// Lists of neighbours that outlive a step, see place.c.
typedef struct ThawKeptLists {
    bool hold;
    uint64_t revision; // of the store that they are about
    double drift;      // cells that any particle may have moved since
    double skin;       // supports that they reach further
} ThawKeptLists;

struct ThawWorld {
    ThawWorldDef def;     // as given; def.tasks is NULL or points to `tasks`
    ThawTaskSystem tasks; // the host's, by value
    ThawDomain domain;
    ThawIsa isa; // resolved, never auto

    ThawParallel *parallel;
    ThawStore *store;
    ThawWork work;
    ThawNeighbors *neighbors;
    ThawKeptLists lists;
    ThawWalls *walls;
    void *model_states[THAW_WORLD_MODELS]; // one a row of thaw_models

    ThawMaterial *materials; // a handle's value is the index + 1
    uint32_t material_count, material_capacity;

    // handles grow and are never used twice, so these arrays ascend by handle
    ThawCollider *colliders;
    uint32_t collider_count, collider_capacity;
    uint32_t next_collider; // the next handle
    ThawBody *bodies;
    uint32_t body_count, body_capacity;
    ThawAttachment *attachments;
    uint32_t attachment_count, attachment_capacity;
    uint32_t next_attachment; // the next handle
    ThawForce *forces;
    uint32_t force_count, force_capacity;
    uint32_t last_force; // the last handle given
    ThawEmitter *emitters;
    uint32_t emitter_count, emitter_capacity;
    uint32_t last_emitter; // the last handle given
    ThawSink *sinks;
    uint32_t sink_count, sink_capacity;
    uint32_t last_sink; // the last handle given
    struct ThawHeatSource *heat_sources;
    uint32_t heat_source_count, heat_source_capacity;
    uint32_t last_heat_source;  // the last handle given
    ThawTransitionRules *rules; // one a material; NULL when none ever had any
    uint32_t rules_count;
    ThawEmission emission;
    uint32_t next_body;   // the next handle
    uint32_t next_source; // from 1
    uint32_t
        settled_source; // particles of this source and above are new: settle.c makes room for them

    double time;         // s
    uint64_t step;       // steps taken
    double datum_height; // m, along -gravity: where potential energy is zero
    bool datum_set;      // the first step sets the datum

    ThawReport report; // of the last step

    // of the running substep: what attachments hold, see attachments.h
    const uint8_t *held;  // one a row, THAW_STORE_PAD more; NULL when nothing is held
    const uint8_t *fixed; // the same without what rides on bodies (frost.h)
    ThawHeldMove *held_moves;
    uint32_t held_count;
    ThawFrost frost;
    uint8_t *held_block, *fixed_block;
    size_t held_bytes, fixed_bytes, held_moves_bytes;

    // scratch, kept from call to call
    float *position_view;
    size_t position_view_bytes;
    void *derived_views[THAW_WORLD_DERIVED];
    size_t derived_view_bytes[THAW_WORLD_DERIVED];
    ThawIdRow *order;
    size_t order_bytes;
    struct ThawForceField *force_fields; // of the running substep
    size_t force_fields_bytes;
    void *tally; // partial sums of the passes over all particles
    size_t tally_bytes;
};

// To be called once a step: scratch that nobody has asked for in the last ones goes.
void thaw_world_rest(ThawWorld *world);

// Checks every value of a def; the sentence names the field.
ThawResult thaw_world_check(const ThawWorldDef *def);
// An empty world without any channels: those of heat, where it is on, are the caller's to open.
ThawResult thaw_world_make(const ThawWorldDef *def, ThawWorld **world);

// Makes room for one more element in an array of the world's; fails only for memory.
ThawResult thaw_world_grow(void **array, uint32_t *capacity, uint32_t count, size_t element);

// Handles to things; NULL when there is no such thing (any more).
ThawMaterial *thaw_world_material(const ThawWorld *world, ThawMaterialId material);
ThawCollider *thaw_world_collider(const ThawWorld *world, ThawColliderId collider);
ThawBody *thaw_world_body(const ThawWorld *world, ThawBodyId body);

// Adds a copy of a def under a handle that is above all others.
ThawResult thaw_world_put_collider(ThawWorld *world, const ThawColliderDef *def, uint32_t handle);

// Whether a particle spacing in m is near enough to the world's.
bool thaw_world_fits(const ThawWorld *world, double spacing);

// The store's field of that index (THAW_FIELD_...); NULL past the last. The public table has the derived
// "position" besides.
const ThawFieldInfo *thaw_world_field(uint32_t field);

// Whether a name belongs to the channels that solids or heat keep for themselves.
bool thaw_world_is_own_channel(const ThawWorld *world, const char *name);

// The particles inside a shape (NULL = all), by ascending id, in world->order.
ThawResult thaw_world_gather(ThawWorld *world, const ThawShape *region, uint32_t *count);

// Makes room in world->order for every particle, and as many again for sorting them.
ThawResult thaw_world_reserve_order(ThawWorld *world);

// Mass of a row, kg.
double thaw_world_mass(const ThawWorld *world, uint32_t row);

#endif
