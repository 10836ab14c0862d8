// The first shell of the lattice: the sites around a particle, and which of them a place is nearest to.
//
// Lengths are in units of the lattice's nearest distance D. Cubic close packing has 12 sites, half-sums of
// the cubic axes; the hexagonal lattice of 2D has 6, the first along x. Sites come in opposite pairs:
// site s and site s ^ 1.
#ifndef THAW_LATTICE_SITES_H
#define THAW_LATTICE_SITES_H

#include <stdint.h>

#define THAW_SITES 12 // the most

typedef struct ThawSites {
    uint32_t count;              // 12 or 6
    float vector[THAW_SITES][3]; // unit vectors
    int8_t index[THAW_SITES]
                [3]; // 3D: (a, b, c) with vector = index / √2; 2D: cube coordinates, see below
    // vector = scale whole, axis by axis, in whole numbers of at most 2
    float whole[THAW_SITES][3], scale[3];
    float moment; // q: Σ l lᵀ of a full shell is q times one (in the plane, in 2D): 4 or 3
    float volume; // of a particle in D³ (2D: D²): 1/√2 or √3/2
} ThawSites;

const ThawSites *thaw_sites(int dimensions);

// The lattice point nearest to `place` (eq. 2), exact and in constant time: in 3D integers (a, b, c) of even
// sum, the point being (a, b, c)/√2; in 2D (a, b, −a−b), the point a (1, 0) + b (1/2, √3/2).
void thaw_site_nearest(int dimensions, const double place[3], int32_t point[3]);

// The site of a lattice point, −1 when it is not in the first shell.
int thaw_site_of(int dimensions, const int32_t point[3]);

#endif
