// SPH kernels. Poly6 and spiky: Müller, Charypar & Gross 2003; the M4 cubic spline: Monaghan 1992,
// here with its support at h rather than 2 h; C2: Wendland 1995. Each is a row of three functions
// of q.
#include "math/kernel.h"

#include <assert.h>

#define INVERSE_PI 0.31830988618379067154

typedef struct KernelRow {
    double norm[2];                // c in 2D and 3D
    double (*value)(double q);     // f
    double (*slope)(double q);     // f'
    double (*curvature)(double q); // f''
} KernelRow;

static double poly6_value(double q) {
    double u = 1.0 - q * q;
    return u * u * u;
}
static double poly6_slope(double q) {
    double u = 1.0 - q * q;
    return -6.0 * q * u * u;
}
static double poly6_curvature(double q) {
    double u = 1.0 - q * q;
    return 6.0 * u * (5.0 * q * q - 1.0);
}

static double spiky_value(double q) {
    double u = 1.0 - q;
    return u * u * u;
}
static double spiky_slope(double q) {
    double u = 1.0 - q;
    return -3.0 * u * u;
}
static double spiky_curvature(double q) {
    return 6.0 * (1.0 - q);
}

static double cubic_value(double q) {
    double u = 1.0 - q;
    return q < 0.5 ? 1.0 - 6.0 * q * q * u : 2.0 * u * u * u;
}
static double cubic_slope(double q) {
    double u = 1.0 - q;
    return q < 0.5 ? 6.0 * q * (3.0 * q - 2.0) : -6.0 * u * u;
}
static double cubic_curvature(double q) {
    return q < 0.5 ? 36.0 * q - 12.0 : 12.0 * (1.0 - q);
}

static double wendland_value(double q) {
    double u = 1.0 - q;
    return u * u * u * u * (1.0 + 4.0 * q);
}
static double wendland_slope(double q) {
    double u = 1.0 - q;
    return -20.0 * q * u * u * u;
}
static double wendland_curvature(double q) {
    double u = 1.0 - q;
    return 20.0 * u * u * (4.0 * q - 1.0);
}

static double poly12_value(double q) {
    double u = 1.0 - q * q;
    return u * u * u * u * u * u;
}
static double poly12_slope(double q) {
    double u = 1.0 - q * q;
    return -12.0 * q * u * u * u * u * u;
}
static double poly12_curvature(double q) {
    double u = 1.0 - q * q;
    return 12.0 * u * u * u * u * (11.0 * q * q - 1.0);
}

static const KernelRow rows[THAW_KERNEL_COUNT] = {
    [THAW_KERNEL_POLY6] = {{4.0 * INVERSE_PI, 315.0 / 64.0 * INVERSE_PI},
                           poly6_value,
                           poly6_slope,
                           poly6_curvature},
    [THAW_KERNEL_SPIKY] = {{10.0 * INVERSE_PI, 15.0 * INVERSE_PI},
                           spiky_value,
                           spiky_slope,
                           spiky_curvature},
    [THAW_KERNEL_CUBIC] = {{40.0 / 7.0 * INVERSE_PI, 8.0 * INVERSE_PI},
                           cubic_value,
                           cubic_slope,
                           cubic_curvature},
    [THAW_KERNEL_WENDLAND] = {{7.0 * INVERSE_PI, 10.5 * INVERSE_PI},
                              wendland_value,
                              wendland_slope,
                              wendland_curvature},
    // norms from ∫ (1 − q²)ⁿ = π/(n + 1) in 2D and 2π B(3/2, n + 1) in 3D
    [THAW_KERNEL_POLY12] = {{7.0 * INVERSE_PI, 45045.0 / 4096.0 * INVERSE_PI},
                            poly12_value,
                            poly12_slope,
                            poly12_curvature},
};

double thaw_kernel_norm(ThawKernel kernel, int dimensions) {
    assert(kernel >= 0 && kernel < THAW_KERNEL_COUNT && (dimensions == 2 || dimensions == 3));
    return rows[kernel].norm[dimensions - 2];
}

// c / h^dimensions
static double scale_for(ThawKernel kernel, int dimensions, double h) {
    double area = h * h;
    return thaw_kernel_norm(kernel, dimensions) / (dimensions == 3 ? area * h : area);
}

double thaw_kernel_value(ThawKernel kernel, int dimensions, double r, double h) {
    double q = r / h;
    if (!(q < 1.0)) return 0.0;
    return scale_for(kernel, dimensions, h) * rows[kernel].value(q);
}

double thaw_kernel_slope(ThawKernel kernel, int dimensions, double r, double h) {
    double q = r / h;
    if (!(q < 1.0)) return 0.0;
    return scale_for(kernel, dimensions, h) / h * rows[kernel].slope(q);
}

double thaw_kernel_curvature(ThawKernel kernel, int dimensions, double r, double h) {
    double q = r / h;
    if (!(q < 1.0)) return 0.0;
    return scale_for(kernel, dimensions, h) / (h * h) * rows[kernel].curvature(q);
}
