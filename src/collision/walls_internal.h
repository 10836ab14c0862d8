// What the files of the walls share: colliders prepared for one substep, the particles near them,
// the quadrature of the solid fraction, and path checks.
//
// Everything is in cells. A particle is seen from its own start of the substep, and a collider's
// surface from the collider's origin at the end of it: the offset between the two is a difference
// of fixed-point numbers, so that a scene moved by whole cells gives the same bits.
#ifndef THAW_COLLISION_WALLS_INTERNAL_H
#define THAW_COLLISION_WALLS_INTERNAL_H

#include "collision/deform.h"
#include "collision/walls.h"
#include "math/vec.h"

#define THAW_WALL_CHUNK 256u // near particles a chunk
#define THAW_WALL_ROWS 1024u // store rows a chunk
#define THAW_WALL_SLOTS 6    // colliders remembered a near particle
#define THAW_WALL_PARTS 2    // bodies that press a near particle
#define THAW_WALL_POINTS 256 // quadrature points
#define THAW_WALL_TABLE 256  // intervals of the half-space table
#define THAW_WALL_KNOTS 40   // intervals along an axis of the tables of edges and corners
#define THAW_WALL_SPLINE (THAW_WALL_KNOTS + 3) // coefficients of a cubic spline through them
#define THAW_WALL_BLOCKS 4                     // boxes that are measured exactly at once
// spacings that the density constraint feels walls behind where they are: an integral over the solid
// counts a little more than the layers of particles that it stands for, as settled pools show
#define THAW_WALL_FELT 0.03
#define THAW_WALL_MARGIN 0.5 // cells beyond the kernel and the move that count as near
// slope of a distance interpolated between true ones, which change by 1 along each axis at most
#define THAW_MESH_STEEPEST 1.75
#define THAW_WALL_FARTHEST 1e6f // cells: a longer move is trouble for the world to find

// ---------------------------------------------------------------- colliders of a substep

typedef struct ThawObstacle {
    ThawShape shape; // measures in cells; in 2D the cross-section
    double side;     // 1 keeps particles out, −1 keeps them in
    bool flat;       // a 2D world: nothing moves along z
    bool convex;
    bool moving;
    int64_t begin[3]; // origin at both ends, fixed-point cells
    int64_t end[3];
    double turn[9];  // local → world at the end, row by row
    double carry[9]; // world at the beginning → world at the end
    float friction, restitution, adhesion;
    uint32_t collider;
    uint32_t body; // of a dynamic collider: 1 + its place among the coupled bodies; 0 for others
    double slack;  // how far its end may still come to be from where it is now; 0 unless dynamic
    const ThawDeform *deform;  // a mesh that changes its form; NULL for all others
    bool painted;              // a mesh with a friction of its own at every place
    bool coated;               // the same of its adhesion
    double grain;              // of a mesh: a cell of its field; details are not finer than that
    double known;              // of a mesh: larger distances are only bounds
    ThawFieldSampleFn *sample; // of a mesh's field
} ThawObstacle;

// The surface nearest to a point given from the origin at the end of the substep.
typedef struct ThawSurface {
    double distance; // above 0 where particles may be
    ThawVec3 normal; // unit length, out of the wall; in 2D within the plane
    double slope;    // of the distance along the normal: 1 in 3D; 0 where nothing in 2D leads out
} ThawSurface;

// The collider in this substep; false when it has no cross-section in 2D.
bool thaw_obstacle_make(ThawObstacle *obstacle, const ThawWallStep *step, uint32_t collider);
// Moves the surface back by `depth` cells, away from where particles may be, as far as the shape allows.
void thaw_obstacle_recede(ThawObstacle *obstacle, double depth);
ThawSurface thaw_obstacle_nearest(const ThawObstacle *obstacle, ThawVec3 x);
double thaw_obstacle_distance(const ThawObstacle *obstacle, ThawVec3 x);
// How far the surface next to a point moves during the substep; the point is given at its end.
ThawVec3 thaw_obstacle_motion(const ThawObstacle *obstacle, ThawVec3 x);
// The friction and the adhesion at a point: the collider's, or what is painted there.
float thaw_obstacle_friction(const ThawObstacle *obstacle, ThawVec3 x);
float thaw_obstacle_adhesion(const ThawObstacle *obstacle, ThawVec3 x);
ThawVec3 thaw_obstacle_local(const ThawObstacle *obstacle, ThawVec3 x);

// A place from the origin at the end of the substep.
ThawVec3 thaw_obstacle_offset(const ThawObstacle *obstacle, const ThawDomain *domain,
                              const int64_t at[3]);
// Where a start of the substep is seen from the origin: at the end, and carried along from the
// beginning (the same for a static collider).
typedef struct ThawSeen {
    ThawVec3 still;   // the start itself
    ThawVec3 carried; // where it would be had the collider taken it along
} ThawSeen;
ThawSeen thaw_obstacle_see(const ThawObstacle *obstacle, const ThawDomain *domain,
                           const int64_t start[3]);

ThawVec3 thaw_turn(const double m[9], ThawVec3 v);
ThawVec3 thaw_turn_back(const double m[9], ThawVec3 v);

// ---------------------------------------------------------------- paths

// Stops a move that crosses or ends in the wall. `seen` from thaw_obstacle_see; `shift` is the move
// from the start. Returns whether it changed the shift; *push is by how much, along the normal.
bool thaw_path_stop(const ThawObstacle *obstacle, const ThawSeen *seen, double contact,
                    ThawVec3 *shift, ThawVec3 *push);
// Takes a start that lies in the wall out of it; returns whether it changed `start`.
bool thaw_path_free(const ThawObstacle *obstacle, const ThawDomain *domain, double contact,
                    int64_t start[3]);

// ---------------------------------------------------------------- the solid fraction

typedef struct ThawSolidLoops ThawSolidLoops; // solid_points.h

typedef struct ThawQuadrature {
    const ThawSolidLoops *loops; // of the instruction set
    ThawKernel kernel;
    int dimensions; // 0: not made yet
    // points of the unit ball (2D: disc), each standing for a small ball of matter about it
    float x[THAW_WALL_POINTS], y[THAW_WALL_POINTS], z[THAW_WALL_POINTS];
    float weight[THAW_WALL_POINTS]; // share of the kernel; they add up to 1
    float gx[THAW_WALL_POINTS], gy[THAW_WALL_POINTS], gz[THAW_WALL_POINTS];
    float sharpness[THAW_WALL_POINTS]; // 1 / radius of the small ball
    // half-space whose surface is at distance −1 + 2 k / THAW_WALL_TABLE
    double share[THAW_WALL_TABLE + 1]; // of the kernel in it
    double area[THAW_WALL_TABLE + 1];  // of the kernel on its surface: −d share / d distance
    // splines of the kernel's share in x < a, y < b and in x < a, y < b, z < c
    float edge[THAW_WALL_SPLINE][THAW_WALL_SPLINE];
    float corner[THAW_WALL_SPLINE][THAW_WALL_SPLINE][THAW_WALL_SPLINE]; // 3D
} ThawQuadrature;

// Makes the points and tables once a kernel and dimension.
void thaw_quadrature_make(ThawQuadrature *q, ThawKernel kernel, int dimensions, ThawIsa isa);
void thaw_quadrature_half_space(const ThawQuadrature *q, double distance, double *share,
                                double *area);

// An interval seen from the particle, in units of h: what lies beyond ±1 is out of reach.
typedef struct ThawSpan {
    double low, high;
} ThawSpan;

// The share of the kernel in a box, and the kernel integrated over its faces.
typedef struct ThawBoxShare {
    double share;
    double low[3], high[3]; // faces out of reach: 0
} ThawBoxShare;

void thaw_box_tables_make(ThawQuadrature *q, ThawKernel kernel, int dimensions);
ThawBoxShare thaw_box_share(const ThawQuadrature *q, const ThawSpan spans[3]);

// A collider and where the particle's centre is seen from it.
typedef struct ThawFacing {
    const ThawObstacle *obstacle;
    ThawVec3 x;
    double distance; // of x
} ThawFacing;

static inline ThawFacing thaw_face(const ThawObstacle *obstacle, ThawVec3 x) {
    return (ThawFacing){obstacle, x, thaw_obstacle_distance(obstacle, x)};
}

// Colliders with flat faces along common axes: a room (the inside of containers and the open side
// of planes) and blocks in it. Solid is what lies outside the room or in a block.
typedef struct ThawFlats {
    ThawVec3 axis[3]; // perpendicular to each other; found one by one
    int axes;
    ThawSpan room[3];
    ThawSpan block[THAW_WALL_BLOCKS][3];
    int blocks;
} ThawFlats;

void thaw_flats_begin(ThawFlats *flats);
// Adds a plane or box; false when it is neither, or does not fit the axes.
bool thaw_flats_join(ThawFlats *flats, const ThawFacing *facing, double h);

// γ and its gradient in units of h.
typedef struct ThawMeasure {
    double share;
    ThawVec3 gradient;
} ThawMeasure;

void thaw_flats_measure(const ThawFlats *flats, const ThawQuadrature *q, ThawMeasure *sum);

typedef struct ThawSolid {
    float share;       // γ, 0..1
    float gradient[3]; // of γ, 1/cells
    int nearest;       // the facing with the least distance, −1 when none is within h
} ThawSolid;

// The share of a kernel of support h (cells) that lies in the union of the colliders' solids.
ThawSolid thaw_solid_fraction(const ThawQuadrature *q, const ThawFacing *facings, int count,
                              double h);

// ---------------------------------------------------------------- particles near colliders

// What every look needs comes first, within a line of memory.
typedef struct ThawNearWall {
    uint32_t row;
    int16_t facing;                  // the obstacle nearest when γ was measured, −1 none
    uint8_t slot_count;              // > THAW_WALL_SLOTS: more than fit, so all are asked
    bool firm;                       // a solid's: no γ
    uint16_t slots[THAW_WALL_SLOTS]; // obstacles near it, ascending
    float gap[THAW_WALL_SLOTS]; // of each slot: how far the start is at the least, less how far
                                // it is carried; −∞ of bodies, which still move
    float free;                 // a shorter move meets no collider at all
    float covered;              // a shorter move meets no collider but the slots
    float support, contact_distance; // cells
    float closest;                   // contact distance of a liquid, cells
    float share, gradient[3];        // γ and its gradient (1/cells) at the shift below
    float shift[3];
    float momentum;                 // mass · cell / dt, N s a cell
    int16_t contact;                // the obstacle last run into, −1 none
    int16_t holder;                 // the obstacle that pushed most in one go, −1 none
    float held;                     // by how much, cells
    bool pressed;                   // by the fluid's pressure in this substep
    uint8_t touched;                // a bit a slot: pushed by it in this substep
    uint8_t parts;                  // bodies that have a part of the gradient
    uint16_t part[THAW_WALL_PARTS]; // their obstacles
    int16_t rest; // who has the rest of it: the nearest that is no body, −1 none
    float part_gradient[THAW_WALL_PARTS][3];
    float push[3], bump[3];   // all pushes, and those of contacts alone, cells
    float grip, drag;         // Σ friction · |push| of contacts, and of pressure, cells
    bool averaged;            // a solid's: grip is of its last pushes, with what is painted
    bool leans;               // nothing pushes it: `holder` is the wall that it has just left
    int16_t clings_to;        // the obstacle that it sticks to most, −1 none
    float cling;              // how far that can hold it back, cells
    float way_off[3];         // the normal there
    const ThawMirror *mirror; // NULL: γ stands for the walls
} ThawNearWall;

// What a chunk's particles gave to one obstacle.
typedef struct ThawWallSum {
    double impulse[3]; // N s
    double torque[3];  // of a dynamic one: N s times cells about its centre at the beginning
    uint32_t particles;
} ThawWallSum;

typedef struct ThawCoupling ThawCoupling;

struct ThawWalls {
    ThawObstacle *obstacles;
    ThawObstacle *felt; // the same a little behind, for the solid fraction; in the same block
    uint32_t obstacle_count;
    bool sticky; // some hold liquids by adhesion
    ThawNearWall *near;
    uint32_t near_count;
    uint32_t *found;   // rows found near, chunk by chunk
    uint32_t *first;   // where each row chunk's finds begin in `near`
    uint8_t *is_near;  // 1 a row
    ThawWallSum *sums; // near chunks, then row chunks; obstacle_count each
    uint32_t touched;
    ThawMirror *mirrors; // one a near particle, when asked for
    size_t mirrors_bytes;
    ThawCoupling *coupling; // dynamic colliders, see coupling.h
    ThawQuadrature quadrature;
    size_t obstacles_bytes, near_bytes, found_bytes, first_bytes, is_near_bytes, sums_bytes;
};

// Fills walls->near with rows and slots (nearby.c).
ThawResult thaw_walls_find(ThawWalls *walls, const ThawWallStep *step);

// A near particle as found, without pushes (nearby.c).
ThawNearWall thaw_near_describe(const ThawWalls *walls, const ThawWallStep *step, uint32_t row);
// How far the collider of a slot is at the least after a move of this length, cells; −∞ of one that moves (nearby.c).
double thaw_near_gap_after(const ThawNearWall *near, const ThawObstacle *o, uint32_t slot,
                           double length);

static inline ThawWallSum *thaw_wall_sums(ThawWalls *walls, uint32_t chunk) {
    return walls->sums + (size_t)chunk * walls->obstacle_count;
}

#endif
