// Faces of lattice bodies: what makes a plane of a bumpy layer of particles for whoever touches it.
//
// A particle's outward normal is where its bonds do not go. It lies in a face where bonds are left that run along the
// surface: four on a (001) face, six on a (111) face, two on a row in 2D. At edges, corners, single layers and crumbs
// there are none or too few. Edges and corners that lie on a face are part of the face that they end: a block stands on
// all of its foot, up to the rim. Whatever else is no face, or touches none, touches as spheres do.
#ifndef THAW_MODELS_SOLID_CONTACT_FACE_H
#define THAW_MODELS_SOLID_CONTACT_FACE_H

#include "models/solid/contact.h"

// What the surface is like at a row.
typedef struct ThawContactNormal {
    float out[3]; // of length 1, where bonds are missing; 0 where they are missing on no side
    float flat;   // 1 in a face, 0 at an edge
} ThawContactNormal;

typedef struct ThawContactFace {
    ThawContactNormal normal;
    float balance; // 1: has others all around it, 0: on one side only
    float firm;    // 1: its neighbourhood can be turned, see contact_turn.c, 0: it cannot
} ThawContactFace;

// A bond of a row.
typedef struct ThawContactBond {
    uint32_t other;
    float way[3]; // from the row to the other, place units
} ThawContactBond;

// What the faces of a pair are to each other. Exactly opposite, seen from the other side.
typedef struct ThawContactPlane {
    float normal[3]; // of length 1, from the other particle to the row's
    float aside[3];  // where the row's starts along the plane, in the distance to keep
    float strength;  // 1: of two faces, 0: there is no plane
} ThawContactPlane;

// A row's bonds; returns how many.
uint32_t thaw_contact_bonds(const ThawContactStep *step, const int32_t period[3], uint32_t row,
                            ThawContactBond bonds[THAW_SITES]);
// The outward normal of a row, from where its bonds lead now; `period` in place units, 0 = none.
ThawContactNormal thaw_contact_normal(const ThawContactStep *step, const int32_t period[3],
                                      uint32_t row);
// The plane of two rows' normals; `start` is from the other to the row when the substep starts, `rest` the distance
// that the pair keeps.
ThawContactPlane thaw_contact_plane(const ThawContactNormal *own, const ThawContactNormal *other,
                                    const float start[3], float rest);
// How much a pair counts among those of its particles: less, the further aside it starts.
float thaw_contact_weight(const ThawContactPlane *plane);
// Of a row's pairs, the weights and the weighted sum of where they are aside.
float thaw_contact_balance(const float aside[3], float weight);
// Takes what lies along the plane off an offset, as far as the plane is wide.
void thaw_contact_flatten(const ThawContactPlane *plane, float rest, float offset[3]);

#endif
