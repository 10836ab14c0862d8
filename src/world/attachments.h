// Attachments inside: what they hold, and where it is to be at the end of a substep.
//
// A particle's place when it is taken is kept in fixed-point cells, and so is the anchor's pose at that
// moment. Its target later is that place plus how far the anchor has moved and turned since: nothing adds up
// from substep to substep, and what is pinned stays where it is in every bit.
#ifndef THAW_WORLD_ATTACHMENTS_H
#define THAW_WORLD_ATTACHMENTS_H

#include "materials/material.h"
#include <thaw/world.h>

typedef enum ThawHoldPhase { THAW_HOLD_WAITS, THAW_HOLD_HOLDS, THAW_HOLD_OVER } ThawHoldPhase;

// One particle that is held.
typedef struct ThawHeld {
    uint64_t id;
    int64_t start[3]; // fixed-point cells when it was taken, in the period that the region is in
    uint32_t row;     // while a substep runs
} ThawHeld;

typedef struct ThawAttachment {
    char name[THAW_NAME_SIZE];
    uint32_t handle;      // the public id's value
    ThawShape region;     // as given, its balls copied
    ThawKeyframe *motion; // own copy
    int motion_count;
    uint32_t body, collider; // handles; 0 = any, none
    double from, to;         // s
    ThawHoldPhase phase;
    ThawPose begin; // the anchor's when it began
    ThawHeld *held; // by ascending id; NULL unless it holds
    uint32_t held_count;
} ThawAttachment;

// A row that is held, and how far it goes in the substep.
typedef struct ThawHeldMove {
    uint32_t row;
    float shift[3]; // cells
} ThawHeldMove;

// Adds a copy of a checked def under a handle that is above all others.
ThawResult thaw_attachments_put(ThawWorld *world, const ThawAttachmentDef *def, uint32_t handle);
ThawResult thaw_attachment_check(const ThawWorld *world, const ThawAttachmentDef *def);
// Lets go of whatever moves with a collider, for ever.
void thaw_attachments_forget(ThawWorld *world, ThawColliderId collider);
void thaw_attachments_release(ThawWorld *world);

// The substep from `time` to time + dt begins: takes what is in the regions of those that begin now, lets go
// where it is time, and finds everything's row and target. Rows must stay where they are until the substep
// ends. Then world->held has a 1 for every row that is held, and is NULL when none is. What is frozen to colliders
// (frost.h) and not held otherwise is among them; what rides on bodies is marked THAW_HELD_RIDES, and not in
// world->fixed.
ThawResult thaw_attachments_begin(ThawWorld *world, double time, double dt);
// Puts every row that is held at its target: work->shift and work->place.
void thaw_attachments_hold(const ThawWorld *world);

#endif
