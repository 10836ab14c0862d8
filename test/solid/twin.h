// The slow twin of the lattice solid in double precision, written to be obviously right.
//
// Sections 3 and 4 of "Versatile Virtual Materials Using Implicit Connectivity" (2006), read so that
// the force is the exact gradient of an energy. First shell, all weights one, r = (x_j − x_i)/D:
//
//   site of j in i's lattice: the lattice point nearest to A⁻¹ r; closest wins; mutual        (2)
//   M = Σ r lᵀ,  Q = Σ l lᵀ,  A = M Q⁻¹,  R = the rotation nearest to M                      (4)
//   strain = √(A Aᵀ) − 1 = R' S R'ᵀ − 1 with A = R' S                                      (7)
//   U = Σ_i k D²/4 Σ_s |R l − r|² + ½ λ V₀ (det A − 1)²                                     (8)
//   damping of each neighbourhood's non-rigid velocity, itself included, weights one        (13)
//   contact of particles that are not bonded: k max(0, D − r) along r                       (14)
//
// R' of the strain is the polar part of A, not R: they differ at surfaces, where Q is not a multiple
// of one, by a rotation of the strain's own size, and only R' gives the strain exactly there.
#ifndef TEST_SOLID_TWIN_H
#define TEST_SOLID_TWIN_H

#include "solid/algebra.h"
#include "solid/blocks.h"

#include <stdbool.h>
#include <stdint.h>

#define SOLID_SITES 12

typedef enum SolidSite { SITE_VACANT, SITE_OCCUPIED, SITE_CLOSED } SolidSite;

typedef struct SolidParticle {
    // what a particle is
    ThawVec3 x, v;
    double mass;
    int object;  // bonds join particles of one object only
    bool held;   // moves with v whatever the force
    uint64_t id; // random numbers follow it
    // what it keeps
    Mat turn, map; // R, A
    SolidSite state[SOLID_SITES];
    double rate[SOLID_SITES]; // docking rate λ_d, 1/s
    // what is found anew
    ThawVec3 f;
    int slot[SOLID_SITES]; // who sits there, −1 = nobody
    int back[SOLID_SITES]; // on which of the other's sites this one sits
} SolidParticle;

typedef enum SolidContact {
    CONTACT_NONE,
    CONTACT_OBJECTS, // between objects
    CONTACT_ALL      // and within one, where particles are not bonded
} SolidContact;

typedef struct SolidTwin {
    // the lattice, all lengths in D
    int dimensions;
    int sites;
    ThawVec3 site[SOLID_SITES];
    double moment; // q
    // what one chooses; solid_make sets those in brackets
    double distance;  // D [1]
    double stiffness; // k [1]
    double lambda;    // λ of the volume term, an energy per volume (2D: area) [0]
    double damping;   // η of eq. 13 [0]
    double drag;      // 1/s: mass-proportional, to find rest [0]
    double support;   // h_s in D [1.9]
    double tolerance; // misfit of a new bond, D [0.35]
    double box[3];    // periods, 0 = none [0]
    ThawVec3 gravity; // [0]
    SolidContact contact;
    double contact_stiffness; // [1]
    bool docking;             // new bonds take their time, by the sites' rates [at once]
    double docking_growth;    // rate of λ_d: up where occupied, down where not [0]
    double docking_most;      // bound of λ_d [1e9]
    double fracture_strain;   // 0 = never [0]
    double fracture_stress;   // 0 = never [0]
    double fracture_spread;   // relative, uniform, one for each particle [0]
    int every;                // steps between searches [1]
    bool turn_from_map;       // R from A as printed, to show what it breaks [false]
    // what happens
    SolidParticle *particles;
    int count, capacity;
    uint64_t steps;
    double time;
    double grip_work;     // done by held particles
    ThawVec3 impulse;     // by held particles, gravity and drag
    int broken;           // bonds closed by fracture
    double break_time;    // of the first
    ThawVec3 break_place; // mean of those that broke in the first step of breaking
    int break_count;      // how many they were
    // the neighbour list
    int *first, *list;
    ThawVec3 *listed_at;
    bool ready, listed;
} SolidTwin;

SolidTwin solid_make(int dimensions);
void solid_free(SolidTwin *twin);

// One more particle at rest on a lattice of that orientation; its index.
int solid_add(SolidTwin *twin, ThawVec3 place, Mat turn, int object);
// A block's particles: place = turn (point − center) + at, center being the mean of its points.
void solid_add_block(SolidTwin *twin, const Block *block, Mat turn, ThawVec3 at, int object);

double solid_volume(const SolidTwin *twin);  // V₀ of a particle
double solid_young(const SolidTwin *twin);   // kq D²/(2 V₀), Young's modulus where λ = 0
double solid_density(const SolidTwin *twin); // of particles of the first one's mass

// The lattice point nearest to a place in D (eq. 2): integers as in blocks; 2D: cube coordinates.
void solid_nearest(const SolidTwin *twin, ThawVec3 place, int point[3]);
ThawVec3 solid_point(const SolidTwin *twin, const int point[3]);
int solid_site_of(const SolidTwin *twin, const int point[3]); // −1: not in the first shell

// x_j − x_i to the nearest image
ThawVec3 solid_offset(const SolidTwin *twin, int i, int j);

// Sees to it that the neighbour list holds all pairs within h_s and D.
void solid_list(SolidTwin *twin);
// Bonds from positions. `dt` is the time since the last search, for docking.
void solid_assign(SolidTwin *twin, double dt);
// A and R of every particle from its bonds.
void solid_match(SolidTwin *twin);
// Closes the bonds that are strained too far.
void solid_fracture(SolidTwin *twin);
// Forces of lattice, volume, contact, damping, gravity and drag.
void solid_force(SolidTwin *twin);
// Search, match and force: what has to hold before the first figure is read.
void solid_update(SolidTwin *twin, double dt);

void solid_damp(SolidTwin *twin);                                  // adds eq. 13 to the forces
void solid_touch(SolidTwin *twin);                                 // adds eq. 14
void solid_matching(const SolidTwin *twin, int i, Mat *m, Mat *q); // M and Q

void solid_leap(SolidTwin *twin, double dt); // kick, drift, kick
void solid_step(SolidTwin *twin, double dt); // symplectic Euler
// Forgets what is derived: slots, forces, the neighbour list.
void solid_forget(SolidTwin *twin);

Mat solid_strain(const SolidTwin *twin, int i);
Mat solid_stress(const SolidTwin *twin, int i);
// Σ r fᵀ of all bonds over the volume of all particles
Mat solid_virial(const SolidTwin *twin);

double solid_elastic(const SolidTwin *twin); // energy
double solid_kinetic(const SolidTwin *twin);
double solid_touching(const SolidTwin *twin); // energy of contact
ThawVec3 solid_momentum(const SolidTwin *twin);
ThawVec3 solid_angular(const SolidTwin *twin); // about the origin
ThawVec3 solid_center(const SolidTwin *twin);  // of mass
double solid_strongest(const SolidTwin *twin); // largest |f|
int solid_bonds(const SolidTwin *twin);        // each counted once
// A number that changes when any bond does.
uint64_t solid_bond_hash(const SolidTwin *twin);

// Connected components of the bond graph; label[i] in 0 .. count − 1.
int solid_components(const SolidTwin *twin, int *label);

// Velocities less the body's own rigid motion.
double solid_nonrigid_kinetic(const SolidTwin *twin);
void solid_set_spin(SolidTwin *twin, ThawVec3 velocity, ThawVec3 spin); // about the center

#endif
