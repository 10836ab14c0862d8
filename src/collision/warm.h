// Walls as neighbours in heat: the faces that a particle is near to, and how warm they are.
#ifndef THAW_COLLISION_WARM_H
#define THAW_COLLISION_WARM_H

#include "collision/walls.h"
#include "math/vec.h"

#define THAW_WARM_FACES 8 // of one particle; the nearest count

typedef struct ThawWarmFace {
    double distance;   // cells, 0 or more
    ThawVec3 normal;   // out of the wall
    float temperature; // K; 0: it insulates
    float transfer;    // W/(m² K); 0: perfect contact
    uint32_t collider; // whose it is, by its place among the colliders
    ThawVec3 motion;   // cells: how far the wall moves there in the substep
} ThawWarmFace;

// Called once for each row that has a face within its support, nearest first, from several threads at once.
typedef void ThawFacesSeen(void *context, uint32_t row, const ThawWarmFace *faces, int count);

// Shows the faces of all rows as they are at the end of the substep: after thaw_walls_finish, before rows move.
// Containers show each of their faces; of other shapes the nearest point counts. Faces behind a nearer one are hidden
// by it.
void thaw_walls_faces(const ThawWalls *walls, const ThawWallStep *step, ThawFacesSeen *seen,
                      void *context);
// Whether any collider has a temperature.
bool thaw_walls_warm(const ThawWallStep *step);

#endif
