// Contact: solids against each other, against themselves where they are not bonded, and against liquids.
//
// Position-based. Two particles that are not bonded keep a distance of REACH lattice distances (less against a
// liquid); between faces of two objects that distance is one of planes, see contact_face.h. Corrections are two-sided
// and pair-symmetric: each pair is shared by the inverse masses and by its weight over the larger of its two
// particles' sums of those, so that momentum is exact. Coulomb's friction acts on the tangential part of the pair's
// relative displacement over the substep.
// Each row sums its own pairs in a fixed order: the same bits for any number of threads.
#ifndef THAW_MODELS_SOLID_CONTACT_H
#define THAW_MODELS_SOLID_CONTACT_H

#include "lattice/bonds.h"
#include "particles/work.h"

typedef struct ThawContacts ThawContacts;

typedef struct ThawContactStep {
    const ThawDomain *domain;
    const ThawStore *store;
    ThawWork *work;
    ThawNeighbors *neighbors;
    ThawParallel *parallel;
    const ThawBonds *bonds;
    const int32_t *group;  // one a row: the object of a solid particle, 0 of a liquid one
    const float *distance; // one a row: lattice distance D in cells
    const float *weight;   // one a row: inverse mass, 1/kg; 0 = cannot move
    const uint8_t *held;   // one a row: not 0 where it is held in its place; NULL: none is
    const float *youth;    // one a row: 1 = has just melted, fading; NULL: none has
    const float *friction; // one a row: Coulomb's coefficient, 0 of a liquid
    ThawIsa isa;
    uint32_t iteration; // of this substep, from 0: pushes and Coulomb's limit add up over a substep
    float dt;           // s; 0: old overlaps are undone as fast as in a long substep
} ThawContactStep;

ThawResult thaw_contacts_create(ThawContacts **contacts);
void thaw_contacts_destroy(ThawContacts *contacts);
// To be called while there is nothing to find, so that the room for it goes.
void thaw_contacts_rest(ThawContacts *contacts);

// Lists the pairs that may touch before the next search: after each search, when bonds are known.
ThawResult thaw_contacts_find(ThawContacts *contacts, const ThawContactStep *step);
// One iteration: moves work->place and work->shift of both sides of every touching pair.
ThawResult thaw_contacts_correct(ThawContacts *contacts, const ThawContactStep *step);
// Gives back what pushes off the line of centres turned in the last sweep, so that angular momentum is kept: moves the rows
// that touch and their bonds; or changes their velocities, m/s, which is for when places are to stay.
void thaw_contacts_turn(ThawContacts *contacts, const ThawContactStep *step, float *velocity);
// Pairs of two solid particles that touched in the last iteration, each counted once.
uint32_t thaw_contacts_touching(const ThawContacts *contacts);
size_t thaw_contacts_bytes(const ThawContacts *contacts);

#endif
