// Liquid in a tank, for the physics tests: one world with one material, boxes by their corners, and
// the figures that tests and reports ask of it. Only the public interface is used.
//
// A set-up that the library refuses ends the program: it is no finding about physics.
#ifndef TEST_SUPPORT_TANK_H
#define TEST_SUPPORT_TANK_H

#include <thaw/thaw.h>

typedef struct Tank {
    ThawWorld *world;
    ThawMaterialId liquid;
    int dimensions;
    double spacing;    // m
    double particle;   // kg, mass of one
    double pull;       // m/s², length of gravity
    ThawVec3 up;       // against gravity
    ThawReport report; // of the last step

    // as last looked at, in row order
    uint32_t count, capacity;
    double (*x)[3];      // m
    const float (*v)[3]; // m/s
    const float *error;  // the density constraint C
    const ThawParticleId *id;
} Tank;

// A mean and a largest value over some particles.
typedef struct TankMean {
    double mean, max;
    uint32_t count;
} TankMean;

// Which particles a figure is about.
typedef bool TankKeep(const void *context, const double x[3]);

// The defaults of these tests: one thread, 5 iterations, gravity along −y in 2D and −z in 3D.
ThawWorldDef tank_def(int dimensions, double spacing);

Tank tank_open(const ThawWorldDef *def, const ThawLiquidDef *liquid); // NULL = the default liquid
Tank tank_around(ThawWorld *world,
                 const Tank *like); // another world of the same kind, owned from now
void tank_close(Tank *tank);

// A box by its corners; in 2D z is ignored.
ThawShape tank_box(int dimensions, ThawVec3 lower, ThawVec3 upper);
ThawColliderId tank_contain(Tank *tank, ThawShape shape, float friction);
ThawColliderId tank_obstruct(Tank *tank, ThawShape shape);
void tank_fill(Tank *tank, ThawShape shape);
void tank_carve(Tank *tank, ThawShape shape); // removes the particles with centres inside
void tank_add(Tank *tank, uint32_t count, const double (*x)[3], const float (*v)[3]);

void tank_step(Tank *tank, double dt); // and looks
void tank_look(Tank *tank);

double tank_height(const Tank *tank, const double x[3]); // m, along up from the origin
double tank_mean_height(const Tank *tank);
double tank_rms_speed(const Tank *tank);
double tank_max_speed(const Tank *tank);
double tank_energy(const Tank *tank, double floor); // J, potential from the floor's height
TankMean tank_mean_error(const Tank *tank, TankKeep *keep, const void *context); // of |C|
// Largest distance between the particles of two tanks by id, the second moved back by `offset`.
double tank_distance(const Tank *a, const Tank *b, ThawVec3 offset);

// 2D: marks the particles without a gap of neighbours and walls around them or around any
// neighbour; `inside` is the container. `deep` holds `count` flags.
void tank_mark_interior(const Tank *tank, const ThawShape *inside, bool *deep);
TankMean tank_interior_error(const Tank *tank, const ThawShape *inside);

#endif
