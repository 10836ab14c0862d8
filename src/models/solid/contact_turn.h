// What contacts turn, given back.
//
// A push between two particles that is not along the line between them, by faces that are planes or by friction,
// keeps momentum and not angular momentum: its torque is one on the spin that bodies have where they touch, and
// particles have none. So it is taken from those that are there to be turned: the neighbourhoods of both sides,
// particle and bonds, each by its half, get forces
//
//     f = w × (r − c),      w = −(Σ |r − c|² 1 − (r − c)(r − c)ᵀ)⁻¹ τ
//
// about their centre c: they add up to nothing, have the torque −τ, and are the least that do. Where one side has no
// bonds that can be turned, a crumb or a liquid, the other takes all; where neither has, it is lost. (Tried: forces w × r on the
// bonds and the opposite sum on the particle, which gave colliding blocks up to 1.7 % of their energy.)
#ifndef THAW_MODELS_SOLID_CONTACT_TURN_H
#define THAW_MODELS_SOLID_CONTACT_TURN_H

#include "models/solid/contact_face.h"

// What a row's neighbourhood gets; nothing of most rows.
typedef struct ThawContactTwist {
    float w[3];   // kg
    float own[3]; // −w × c, kg cells: of the row itself
    float any;    // 1: there is something
    // what it and others move the row by, cells a substep, and whose row it is to do that, + 1; 0: nobody's
    float move[3];
    uint32_t keeper;
} ThawContactTwist;

// 1: the row's bonds can be turned, or it is held and needs no turn; 0: they cannot.
float thaw_contact_firm(const ThawContactStep *step, const int32_t period[3], uint32_t row);

#endif
