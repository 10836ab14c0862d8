// Many particles against one mesh at once, by the field's vector code: what can be told for sure, so that few are
// left for the code that looks at one (path.c).
//
// Distances are in single precision and come with a bound on how far they may be from what path.c would see. What the
// bound leaves open is not decided here. So whatever walls do is the same in every bit with and without a look.
#ifndef THAW_COLLISION_LOOK_H
#define THAW_COLLISION_LOOK_H

#include "collision/walls_internal.h"

#define THAW_LOOK THAW_WALL_CHUNK // particles a look

// Some rows' starts, seen from a mesh.
typedef struct ThawLook {
    const ThawObstacle *obstacle;
    uint32_t count;
    ThawVec3 still, carried;     // the first start, as thaw_obstacle_see has it
    float at[3][THAW_LOOK];      // all of them from it, cells
    float extent;                // the furthest of them
    float distance[THAW_LOOK];   // of the starts where they are, cells
    float carried_at[THAW_LOOK]; // of the starts carried along; the same unless the mesh moves
    float swept[THAW_LOOK];      // how far it would carry them; 0 unless it moves
} ThawLook;

// Whether the mesh can be looked at: the others are asked one by one.
bool thaw_look_can(const ThawObstacle *obstacle);
// Distances of the rows' starts.
void thaw_look_at(ThawLook *look, const ThawObstacle *obstacle, const ThawWallStep *step,
                  const uint32_t *rows, uint32_t count);
// How far a distance may be from thaw_obstacle_distance of the same place.
static inline float thaw_look_error(const ThawLook *look, float distance) {
    return 2e-6f * (1 + look->extent + fabsf(distance));
}

// A lower bound of a start's distance from a slot's obstacle, less how far the obstacle carries it.
static inline float thaw_gap_from(double distance) {
    return (float)(distance - 1e-6 * (1 + fabs(distance)));
}
// Whether a move of this length from the start cannot come within the contact distance of a slot's obstacle.
static inline bool thaw_gap_clears(const ThawNearWall *near, uint32_t slot, double length) {
    return length + (double)near->contact_distance < (double)near->gap[slot];
}

// Moves of a chunk's near particles, those of them that are listed, and what is known of them.
typedef struct ThawMoves {
    ThawNearWall *near; // the chunk's
    uint32_t count;
    uint32_t listed;
    uint16_t which[THAW_WALL_CHUNK]; // of the chunk's particles
    ThawVec3 shift[THAW_WALL_CHUNK]; // cells from the start
    bool changed[THAW_WALL_CHUNK];   // by what was done before the look
    uint8_t clear[THAW_WALL_CHUNK];  // bit s: thaw_path_stop of the obstacle in slot s does nothing
} ThawMoves;

// Looks at the listed moves against all meshes near them, and fills `clear`.
void thaw_look_paths(const ThawWalls *walls, const ThawWallStep *step, ThawMoves *moves);

#endif
