// What viscous liquid feels of walls: who is near one, how much of its kernel lies in it, and how
// the wall moves.
//
// The liquid's neighbours beyond a surface move as the wall does. Walls tell which they are; the
// liquid does the exchange of momentum (models/liquid/clinging.c).
#ifndef THAW_COLLISION_CLING_H
#define THAW_COLLISION_CLING_H

#include "collision/walls.h"

// A particle near a wall.
typedef struct ThawCling {
    uint32_t row;
    uint32_t collider;
    float
        share; // γ times how well the collider holds, 0..1; 0: not near enough, or it slides freely
    float mass;        // kg
    float velocity[3]; // m/s of the wall there; 0 for a dynamic one
    float arm[3];      // m from the centre of a dynamic one
} ThawCling;

// One for each of thaw_walls_near(), between finish and the next begin; where particles are now.
void thaw_walls_cling(const ThawWalls *walls, const ThawWallStep *step, ThawCling *clings);

#endif
