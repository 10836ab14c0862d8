// The nearest rotation and the principal directions of 3 × 3 matrices, slow and robust.
#ifndef TEST_SOLID_POLAR_H
#define TEST_SOLID_POLAR_H

#include "solid/algebra.h"

// m = u diag(s) vᵀ with u and v orthogonal and s falling, none negative.
typedef struct Svd {
    Mat u, v;
    double s[3];
} Svd;

Svd svd(Mat m);

// The rotation R (det +1) nearest to m: it maximises tr(Rᵀ m), and Rᵀ m is symmetric. Where m leaves it
// open (m of rank 1, of rank 0, or mirrored with equal singular values), the one nearest to `last`.
Mat polar(Mat m, Mat last);

// Eigenvalues of a symmetric matrix, falling, and its directions as columns.
void principal(Mat symmetric, double value[3], Mat *directions);

#endif
