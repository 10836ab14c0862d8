// Riders: particles that are frozen to a body and go where it goes, as one rigid lump with it.
//
// A rider is left alone by walls. Whatever else moves it (gravity, bonds, contacts) it hands on: wherever the body's pose
// is solved for, a rider adds its whole mass in all directions, and what it wants to move by beside the body's pose
// counts as a push. Then it is put where the pose takes it, and the body's momentum takes, exactly reversed, what that
// changed. So body and riders share one motion however much the riders weigh, and none of their momentum is lost.
#ifndef THAW_COLLISION_RIDING_H
#define THAW_COLLISION_RIDING_H

#include "collision/coupling.h"

// What riders want beside what.
typedef enum ThawRidingMoment {
    THAW_RIDING_POSE, // their moves beside where the pose takes them
    THAW_RIDING_SLIP, // beside the motion that friction sees
    THAW_RIDING_END   // beside nothing: their momentum about the centre at the end
} ThawRidingMoment;

// Finds each rider's body, mass and arm, and makes room for sums; bodies must be there.
ThawResult thaw_riding_begin(ThawWalls *walls, const ThawWallStep *step);
// Bodies that lay in others have been pulled out: takes riders along.
void thaw_riding_follow(ThawWalls *walls, const ThawWallStep *step);
// Makes the riders' sums; thaw_riding_add then adds those of a body to a matrix and a push.
void thaw_riding_gather(ThawWalls *walls, const ThawWallStep *step, ThawRidingMoment moment);
void thaw_riding_add(const ThawWalls *walls, const ThawWallStep *step, uint32_t body,
                     double matrix[36], double push[6]);
// Puts riders where their bodies' poses take them.
void thaw_riding_place(ThawWalls *walls, const ThawWallStep *step);
// Gives riders the velocities of their bodies' `u`, a motion at the end; thaw_riding_add then has their momentum as it was
// rounded.
void thaw_riding_spread(ThawWalls *walls, const ThawWallStep *step, float *velocity);

#endif
