// The slow twin of the liquid: density constraint, correction and XSPH by brute force in double
// precision, written to be obviously right. Fast paths are held against it.
//
// Equations are those of "Efficient and robust position-based fluids for VFX" (2015), read as a
// volume fraction and with pair-symmetric impulses. All lengths are in cells: a cell is the support
// h of the usual particle, so the usual spacing is 1 / support. With d_i the spacing of particle i:
//
//   V_i = d_i^dim,  h_i = support d_i,  h_ij = (h_i + h_j) / 2,  r_ij = x_i − x_j (nearest image)
//   g_ij = 1 + s max(h_i / h_ij − 1, 0) h_j / h_ij,  s = 1 in 2D and 1.4 in 3D
//   C_i = Σ_j V_j g_ij (h_ij / h_j) W(r_ij, h_ij) / S − 1 + γ_i, self included            (1)
//   k_i = 1 / Σ_k |∇_k C|² on the perfect lattice of particles of its size, cells²        (3)
//   λ_i = −β k_i C_i / max((1 + C_i)², k_i Q_i, 1), cells²; one-sided: 0 where C_i < 0    (4)
//   with sizes that differ C_i + α_i in place of the first C_i, n = Σ_j V_j g_ij (h_ij / h_j) h_ij ∇W / S,
//   α_i = open (n² − ½²) / (lean² − ½²) from 0 to open: the share of the kernel that lies in air
//   Q_i = Σ_j V_i V_j (2 ρ_i / (ρ_i + ρ_j)) |g_ij (h_ij / h_j) ∇W / S|², 0 where all are even
//   Δp_i = Σ_j (V_j / S) (2 ρ_j / (ρ_i + ρ_j)) (h_ij² / (h_i h_j))
//          ((λ_i g_ij h_i + λ_j g_ji h_j) / h_ij + s_ij) ∇W(r_ij, h_ij), cells                      (5)
//   v_i ← v_i + c Σ_j V_j (2 ρ_j / (ρ_i + ρ_j)) W(r_ij, h_ij) (v_j − v_i)                 (6)
//   s_ij = −tensile (k_i + k_j) / 2 (W(r_ij) / W(0.2 h_ij))^n                             (7)
//
// W is the density kernel, ∇W the gradient kernel; even: of one size and density. With m_i = ρ_i V_i every pair's impulses in (5)
// and (6) cancel.
#ifndef TEST_SUPPORT_TWIN_H
#define TEST_SUPPORT_TWIN_H

#include "math/lattice.h"

#include <stdbool.h>
#include <stdint.h>

#define TWIN_SUPPORT 2.0  // h in spacings; XSPH has always this one
#define TWIN_NARROW 0.975 // of it, for density and corrections in planes where sizes differ

typedef struct Twin {
    int dimensions; // in 2D all z are 0
    ThawKernel density, gradient;
    double support;          // h in spacings, of density and corrections
    ThawRestState rest;      // of unit spacing
    bool sizes;              // false; whether they differ, of all in the world
    double relaxation;       // β, 1
    bool two_sided;          // false
    double least_constraint; // −1: the least that acts two-sided, times the spacing
    double tensile;          // 0
    int tensile_exponent;    // 4
    double length[3];        // cells: period of each axis; 0 = not periodic. At least 2 h
    uint32_t count;
    const double (*positions)[3]; // cells
    const double *spacing;        // cells
    const double *rest_density;   // kg/m³
    const double *wall;           // γ, or NULL = none
} Twin;

// The defaults above and the rest state of these kernels; the caller sets the particles.
Twin twin_make(int dimensions, ThawKernel density, ThawKernel gradient);

// h in spacings of density and corrections, where sizes differ or not
double twin_support(int dimensions, bool sizes);
// Takes the support that the twin's spacings ask for. `stranger`: one more that is in the world, or 0.
void twin_fit(Twin *twin, double stranger);

double twin_volume(const Twin *twin, uint32_t i); // cells^dim
double twin_mass(const Twin *twin, uint32_t i);   // kg/m³ cells^dim
// k_i of eq. 3, cells²
double twin_stiffness(const Twin *twin, uint32_t i);
// Q_i of eq. 4: Σ |∇_j C_i|², each by what it moves j, 1/cells²
double twin_gradient_sum(const Twin *twin, uint32_t i);
// x_i − x_j to the nearest image; returns its length
double twin_offset(const Twin *twin, uint32_t i, uint32_t j, double offset[3]);

void twin_density(const Twin *twin, double *constraint);                       // eq. 1
void twin_gradients(const Twin *twin, uint32_t i, double (*gradients)[3]);     // eq. 2: ∇_k C_i
void twin_lambda(const Twin *twin, const double *constraint, double *lambda);  // eq. 4
void twin_correct(const Twin *twin, const double *lambda, double (*shift)[3]); // eq. 5, 7
void twin_xsph(const Twin *twin, double c, const double (*velocity)[3],
               double (*result)[3]); // eq. 6

#endif
