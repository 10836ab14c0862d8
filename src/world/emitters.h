// Emitters inside: the column that an opening pushes out, the sites of a volume, and what they do in a
// substep.
//
// A column is an endless lattice that slides through its opening. A layer is born behind the opening, so far
// that nothing before it feels it come, and is let go one support before it, so far that a wall around the
// opening is not felt there. Where a layer is follows from how far the column has run, never from the
// substep before: nothing adds up, and layers stay one layer distance apart whatever substeps and speeds do.
#ifndef THAW_WORLD_EMITTERS_H
#define THAW_WORLD_EMITTERS_H

#include "materials/material.h"
#include "particles/domain.h"
#include "world/codec.h"
#include <thaw/emitter.h>
#include <thaw/report.h>

#define THAW_COLUMN_BEHIND 1.25 // spacings behind the opening where layers are born
#define THAW_COLUMN_FREE 2.0    // spacings before it where they are let go
#define THAW_AGE_CHANNEL "age"

// A particle that has not left its opening yet.
typedef struct ThawColumnSite {
    double across[2]; // m, in the opening's plane
    double along;     // m, offset from its layer
    double layer;     // m, where its layer is, less what the column has run
    uint32_t row;     // while a substep runs; UINT32_MAX: it is gone
} ThawColumnSite;

// The offsets of a piece of the lattice that repeats itself; spacings.
typedef struct ThawJitter {
    double (*offsets)[3]; // one a slot, in rows along x, then y; NULL: not made
    uint32_t slots[3];    // of a piece, along each axis
    double unit[3];       // from slot to slot; the lattice has a site in some of them
    double nearest;       // the least distance of two particles
} ThawJitter;

typedef struct ThawEmitter {
    char name[THAW_NAME_SIZE];
    uint32_t handle; // the public id's value
    uint32_t source; // upper bits of its particles' ids
    ThawEmitterDef
        def;       // as given: shape and values are own copies, spacing is never 0, name is NULL
    ThawPose pose; // of the opening or shape now; the def's is for the end of the next step
    ThawEmitterState state;
    double owed;    // particles that are due, a rest below one
    double run;     // m, how far the column has slid
    double due;     // m, how much of it was asked for
    uint64_t layer; // the next one
    // counts from state.born − site_count + 1 on have not left the opening
    ThawColumnSite *sites;
    uint32_t site_count, site_capacity;
    // the lattice in a volume, m, in the shape's frame; made when first asked for, never saved
    double (*places)[3];
    uint32_t place_count;
    bool placed;
    ThawJitter jitter; // made when first asked for, never saved
} ThawEmitter;

// A free particle near to what is behind an opening, and where it must stay.
typedef enum ThawBar {
    THAW_BAR_BACK,  // not into the housing from behind
    THAW_BAR_SIDE,  // nor from the side
    THAW_BAR_FRONT, // nor from before the opening, beside the column
    THAW_BAR_DRIVEN // out of it, between least and most
} ThawBar;
typedef struct ThawBarred {
    uint32_t row, emitter; // the emitter's index
    ThawBar kind;
    double across[2], along; // m, where it starts, in the opening's frame
    double least, most;      // m, along
} ThawBarred;

// What emission keeps from substep to substep; none of it is saved.
typedef struct ThawEmission {
    double share;   // of the way left to the emitters' next poses that this substep goes
    uint8_t *marks; // one byte a row: what a pass has found
    size_t marks_bytes;
    uint32_t *counts; // one a chunk of rows
    size_t counts_bytes;
    ThawBarred *barred;
    uint32_t barred_count;
    size_t barred_bytes;
    void *scratch; // candidates of a layer, their order; a volume's near particles
    size_t scratch_bytes;
} ThawEmission;

ThawEmitter *thaw_world_emitter(const ThawWorld *world, ThawEmitterId emitter);
ThawResult thaw_emitter_check(ThawWorld *world, const ThawEmitterDef *def);
// Adds a copy of a checked def under a handle above all others and a source.
ThawResult thaw_emitters_put(ThawWorld *world, const ThawEmitterDef *def, uint32_t handle,
                             uint32_t source);
void thaw_emitters_release(ThawWorld *world);
// Room for the marks and counts of a pass over all rows, cleared; THAW_MARK_CHUNK rows a chunk.
#define THAW_MARK_CHUNK 4096u
ThawResult thaw_emission_marks(ThawWorld *world);
// All emitters and sinks of a world as bytes; loading comes after materials, bodies, channels and
// particles.
void thaw_emitters_save(ThawCodec *codec, ThawWorld *world);
ThawResult thaw_emitters_load(ThawCodec *codec, ThawWorld *world);

// Opens the channel of ages where it is missing.
ThawResult thaw_age_open(ThawWorld *world);

// The opening's normal is along its last local axis: z, in 2D y.
ThawVec3 thaw_emitter_local(const ThawWorld *world, double u, double v, double along);
// Where it will be when `share` of the way to its next pose is gone.
ThawPose thaw_emitter_pose(const ThawEmitter *emitter, double share);
// m² (2D: m) of an opening.
double thaw_emitter_area(const ThawWorld *world, const ThawEmitterDef *def);
// m, from one layer of the column to the next.
double thaw_emitter_layer(const ThawWorld *world, const ThawEmitterDef *def);
// How far outside of the rim a point of the opening's plane is, m; negative inside.
double thaw_emitter_rim(const ThawWorld *world, const ThawEmitterDef *def, const double across[2]);
// m/s through an opening: as given, or as the rate asks.
double thaw_emitter_speed(const ThawWorld *world, const ThawEmitterDef *def);
// How far what it emits may move in a step of dt from now, m; 0 when it does nothing.
double thaw_emitter_travel(const ThawWorld *world, const ThawEmitter *emitter, double dt);

// Whether any emitter acts between two times, so that an empty world must be stepped.
bool thaw_emitters_act(const ThawWorld *world, double begin, double end);

// The substep begins: sinks and ages take what is theirs, openings and volumes make what is due.
// *changed: rows came or went.
typedef struct ThawEmissionStep {
    ThawWorld *world;
    ThawReport *report;
    double time, dt; // s
    double share;    // see ThawEmission
} ThawEmissionStep;
ThawResult thaw_emission_begin(const ThawEmissionStep *step, bool *changed);
// The substep is over: columns have run on, particles have aged.
void thaw_emission_end(const ThawEmissionStep *step);
// The step is over: openings are where they were to go.
void thaw_emission_arrive(ThawWorld *world);

// What holding needs of attachments.c: how many may be held, marks in world->held_block, and moves
// after those that are there. Rows must stay where they are between.
uint32_t thaw_emission_held(const ThawWorld *world);
void thaw_emission_mark(ThawWorld *world);
void thaw_emission_aim(ThawWorld *world, double time, double dt);
// The short way round on a periodic axis, fixed-point cells.
int64_t thaw_emission_shorten(const ThawDomain *domain, int axis, int64_t way);

// Keeps free particles out of what is behind an opening: rows are found once a substep, then moved like
// what is held.
ThawResult thaw_emission_find_barred(ThawWorld *world, double time, double dt);
void thaw_emission_bar(const ThawWorld *world);

// The layers and fillings that are due in a substep.
ThawResult thaw_emission_column(const ThawEmissionStep *step, ThawEmitter *emitter);
ThawResult thaw_emission_volume(const ThawEmissionStep *step, ThawEmitter *emitter);
// How far a point in metres is from the nearest collider, below 0 inside; INFINITY without any.
double thaw_emission_room(const ThawWorld *world, ThawVec3 point);
// Appends `count` particles of an emitter that the caller then places; *row is the first one.
ThawResult thaw_emission_append(const ThawEmissionStep *step, ThawEmitter *emitter, uint32_t count,
                                uint32_t *row);
// Random offsets within the def's jitter that leave nothing denser than at rest: made once, where there is
// jitter at all; how much wider the lattice then is, across a column or along all axes of a volume; and the
// offset of a site in m, from where the lattice lies without stretch (2D: x, y), along the last axis of a
// column within one piece.
ThawResult thaw_jitter_make(const ThawWorld *world, ThawEmitter *emitter);
double thaw_jitter_stretch(const ThawWorld *world, const ThawEmitterDef *def);
ThawVec3 thaw_jitter_at(const ThawEmitter *emitter, const double site[3]);
// Puts a row at a point of a frame; false when that is outside of the domain.
bool thaw_emission_place(const ThawWorld *world, const ThawPose *pose, ThawVec3 local,
                         int64_t cells[3]);

#endif
