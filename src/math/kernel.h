// SPH kernels with support h: W(r) = c/h^dim f(q), q = r/h, W = 0 for q >= 1.
//
// The plain double-precision forms; the inner loops in models/ have their own vector forms, which tests
// hold against these.
#ifndef THAW_MATH_KERNEL_H
#define THAW_MATH_KERNEL_H

typedef enum ThawKernel {
    THAW_KERNEL_POLY6,    // (1 − q²)³
    THAW_KERNEL_SPIKY,    // (1 − q)³
    THAW_KERNEL_CUBIC,    // M4 spline
    THAW_KERNEL_WENDLAND, // Wendland C2: (1 − q)⁴ (1 + 4 q)
    THAW_KERNEL_POLY12,   // (1 − q²)⁶
    THAW_KERNEL_COUNT
} ThawKernel;

// What liquid and walls use. Poly12 needs no root: a neighbour costs the density loop 8 cycles where
// Wendland C2 costs 12, at the same density error and volume; lower powers of (1 − q²) let particles clump
// (docs/theory/liquid.md).
#define THAW_KERNEL_DEFAULT THAW_KERNEL_POLY12

// normalising factor c for h = 1 in 2 or 3 dimensions (spiky in 2D included)
double thaw_kernel_norm(ThawKernel kernel, int dimensions);
double thaw_kernel_value(ThawKernel kernel, int dimensions, double r, double h);
double thaw_kernel_slope(ThawKernel kernel, int dimensions, double r, double h);     // dW/dr
double thaw_kernel_curvature(ThawKernel kernel, int dimensions, double r, double h); // d²W/dr²

#endif
