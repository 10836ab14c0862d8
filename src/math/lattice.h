// The perfect lattices: cubic close packing in 3D, hexagonal in 2D, and the simple cubic ones; and
// sums over them, which are the rest state that the density constraint measures against.
#ifndef THAW_MATH_LATTICE_H
#define THAW_MATH_LATTICE_H

#include "math/kernel.h"
#include <stdint.h>
#include <thaw/body.h>

// nearest-neighbour distance of the close packing whose volume a particle is spacing^dimensions:
// 2^(1/6) d in 3D, (2/√3)^(1/2) d in 2D
double thaw_lattice_distance(int dimensions, double spacing);

// Offsets of all sites closer than `radius` to a site, itself excluded, nearest first. Writes at
// most `capacity` and returns how many there are. A site at `radius` to rounding counts as outside:
// there kernels of that support are 0.
uint32_t thaw_lattice_neighbors(ThawPacking packing, int dimensions, double spacing, double radius,
                                double (*offsets)[3], uint32_t capacity);

// What the density constraint needs to know of its rest state, for unit spacing and support h:
typedef struct ThawRestState {
    double sum;       // S = Σ_j V W(r_j), self included
    double gradients; // Σ_k |∇_k C|² of C = Σ_j V W / S − 1; eq. 3's stiffness is its inverse
    double spectrum; // largest eigenvalue of the Jacobi-scaled system over all waves on the lattice
    double open;     // of half a lattice as bodies are filled: what share of S the top layer lacks,
    double lean;     // and h |∇C| there
    uint32_t neighbors; // self excluded
} ThawRestState;

// On the close packing with density kernel `density` and correction kernel `gradient`; h in
// spacings, at most THAW_REST_SUPPORT.
#define THAW_REST_SUPPORT 6.0
ThawRestState thaw_rest_state(ThawKernel density, ThawKernel gradient, int dimensions, double h);

#endif
