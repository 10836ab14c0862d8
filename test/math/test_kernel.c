// SPH kernels: constants, moments and derivatives.
#include "math/kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

// analytic constants for h = 1, nine digits (eight in the slope)
static void kernels_have_the_tabulated_values(void **state) {
    (void)state;
    static const struct {
        ThawKernel kernel;
        int dimensions;
        double value[4]; // at 0, 0.25, 0.5, 0.75
        double slope;    // at 0.5
    } table[] = {
        {THAW_KERNEL_POLY6, 3, {1.56668147, 1.29090575, 0.660943746, 0.131194274}, -2.643775},
        {THAW_KERNEL_SPIKY, 3, {4.77464829, 2.01430475, 0.596831037, 0.0746038796}, -3.5809862},
        {THAW_KERNEL_CUBIC, 3, {2.54647909, 1.83028185, 0.636619772, 0.0795774715}, -3.8197186},
        {THAW_KERNEL_WENDLAND, 3, {3.34225380, 2.11501999, 0.626672588, 0.0522227157}, -4.1778173},
        {THAW_KERNEL_POLY6, 2, {1.27323954, 1.04911706, 0.537147933, 0.106621378}, -2.1485917},
        {THAW_KERNEL_CUBIC, 2, {1.81891364, 1.30734418, 0.454728409, 0.0568410511}, -2.7283705},
        {THAW_KERNEL_WENDLAND, 2, {2.22816920, 1.41001332, 0.417781726, 0.0348151438}, -2.7852115},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        ThawKernel kernel = table[n].kernel;
        int dimensions = table[n].dimensions;
        for (int i = 0; i < 4; i++) {
            double expected = table[n].value[i];
            // half a unit of the last of nine digits
            double tolerance = 0.5001 * pow(10.0, floor(log10(expected)) - 8);
            assert_near(thaw_kernel_value(kernel, dimensions, 0.25 * i, 1.0), expected, tolerance);
        }
        assert_near(thaw_kernel_slope(kernel, dimensions, 0.5, 1.0), table[n].slope, 0.5001e-7);
    }
}

static void value_at_zero_is_the_norm_over_the_volume(void **state) {
    (void)state;
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            double c = thaw_kernel_norm((ThawKernel)kernel, dimensions);
            double value = thaw_kernel_value((ThawKernel)kernel, dimensions, 0.0, 0.3);
            assert_near(value, c / pow(0.3, dimensions), 1e-12 * value);
        }
    }
    assert_near(thaw_kernel_norm(THAW_KERNEL_SPIKY, 2), 10.0 / PI, 1e-15);
}

// radial integral by Gauss-Legendre quadrature in panels that end at the spline's knot
static double integrate(ThawKernel kernel, int dimensions, double h) {
    static const double x[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                0.8650633666889845, 0.9739065285171717};
    static const double w[5] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                0.1494513491505806, 0.0666713443086881};
    double sum = 0.0;
    for (int panel = 0; panel < 2; panel++) {
        for (int n = -5; n <= 5; n++) {
            if (n == 0) continue;
            int m = n < 0 ? -n - 1 : n - 1;
            double r = h * (0.25 + 0.5 * panel + 0.25 * (n < 0 ? -x[m] : x[m]));
            double shell = dimensions == 3 ? 4.0 * PI * r * r : 2.0 * PI * r;
            sum += 0.25 * h * w[m] * shell * thaw_kernel_value(kernel, dimensions, r, h);
        }
    }
    return sum;
}

static void kernels_integrate_to_one(void **state) {
    (void)state;
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            assert_near(integrate((ThawKernel)kernel, dimensions, 0.1), 1.0, 1e-13);
            assert_near(integrate((ThawKernel)kernel, dimensions, 7.0), 1.0, 1e-13);
        }
    }
}

// SPlisHSPlasH Tests/Kernel/KernelTests.cpp: a midpoint sum over the cube around the support at h =
// 0.1
static void check_box_sum(ThawKernel kernel, int dimensions, double tolerance) {
    enum { N = 50 };
    double h = 0.1, step = 2.0 * h / N;
    double volume = dimensions == 3 ? step * step * step : step * step;
    double sum = 0.0, gradient[3] = {0, 0, 0};
    for (int k = 0; k < (dimensions == 3 ? N : 1); k++) {
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                double p[3] = {-h + (i + 0.5) * step, -h + (j + 0.5) * step,
                               dimensions == 3 ? -h + (k + 0.5) * step : 0.0};
                double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                double value = thaw_kernel_value(kernel, dimensions, r, h);
                assert_true(value >= 0.0);
                sum += value * volume;
                double slope = thaw_kernel_slope(kernel, dimensions, r, h);
                for (int a = 0; a < 3; a++) gradient[a] += slope * p[a] / r * volume;
            }
        }
    }
    assert_near(sum, 1.0, tolerance);
    for (int a = 0; a < 3; a++) assert_near(gradient[a], 0.0, 1e-5);
}

static void box_sums_of_peers_hold(void **state) {
    (void)state;
    check_box_sum(THAW_KERNEL_CUBIC, 3, 1e-5);
    check_box_sum(THAW_KERNEL_POLY6, 3, 1e-5);
    check_box_sum(THAW_KERNEL_WENDLAND, 3, 1e-5);
    check_box_sum(THAW_KERNEL_CUBIC, 2, 1e-5);
    check_box_sum(THAW_KERNEL_WENDLAND, 2, 1e-5);
    check_box_sum(THAW_KERNEL_POLY6, 2, 1e-5);
    // the spiky kernel's cusp costs the midpoint sum its order; the peer's bound for float holds
    check_box_sum(THAW_KERNEL_SPIKY, 3, 1e-4);
    check_box_sum(THAW_KERNEL_SPIKY, 2, 2e-4);
}

// fluid-engine-dev sph_kernels3_tests.cpp and sph_kernels2_tests.cpp, h = 10
static void derivatives_of_peers_hold(void **state) {
    (void)state;
    double h = 10.0;
    assert_near(thaw_kernel_slope(THAW_KERNEL_POLY6, 3, 0.0, h), 0.0, 0.0);
    assert_near(thaw_kernel_slope(THAW_KERNEL_POLY6, 3, h, h), 0.0, 0.0);
    assert_near(thaw_kernel_slope(THAW_KERNEL_POLY6, 3, h * (1 - 1e-9), h), 0.0, 1e-15);
    double poly6 = -945.0 / (32.0 * PI * pow(h, 5));
    assert_near(thaw_kernel_curvature(THAW_KERNEL_POLY6, 3, 0.0, h), poly6,
                1e-15 * fabs(poly6) * 4);
    double spiky = 90.0 / (PI * pow(h, 5));
    assert_near(thaw_kernel_curvature(THAW_KERNEL_SPIKY, 3, 0.0, h), spiky, 1e-15 * spiky * 4);
    double flat = -24.0 / (PI * pow(h, 4));
    assert_near(thaw_kernel_curvature(THAW_KERNEL_POLY6, 2, 0.0, h), flat, 1e-15 * fabs(flat) * 4);

    for (int kernel = 0; kernel < 2; kernel++) {
        double before = thaw_kernel_value((ThawKernel)kernel, 3, 4.999, h);
        double here = thaw_kernel_value((ThawKernel)kernel, 3, 5.0, h);
        double after = thaw_kernel_value((ThawKernel)kernel, 3, 5.001, h);
        double slope = (after - before) / 0.002;
        double curvature = (after - 2.0 * here + before) / 0.000001;
        assert_near(thaw_kernel_slope((ThawKernel)kernel, 3, 5.0, h), slope, 1e-10);
        assert_near(thaw_kernel_curvature((ThawKernel)kernel, 3, 5.0, h), curvature, 1e-10);
    }
}

static void derivatives_agree_with_differences_everywhere(void **state) {
    (void)state;
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            for (double r = 0.011; r < 1.99; r += 0.0173) {
                double h = 2.0, e = 1e-5;
                ThawKernel k = (ThawKernel)kernel;
                double slope = (thaw_kernel_value(k, dimensions, r + e, h) -
                                thaw_kernel_value(k, dimensions, r - e, h)) /
                               (2 * e);
                double curvature = (thaw_kernel_slope(k, dimensions, r + e, h) -
                                    thaw_kernel_slope(k, dimensions, r - e, h)) /
                                   (2 * e);
                assert_near(thaw_kernel_slope(k, dimensions, r, h), slope, 1e-9);
                assert_near(thaw_kernel_curvature(k, dimensions, r, h), curvature, 1e-8);
            }
        }
    }
}

static void kernels_vanish_at_the_support_and_beyond(void **state) {
    (void)state;
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (double r = 3.0; r < 4.0; r += 0.25) {
            assert_true(thaw_kernel_value((ThawKernel)kernel, 3, r, 3.0) == 0.0);
            assert_true(thaw_kernel_slope((ThawKernel)kernel, 3, r, 3.0) == 0.0);
            assert_true(thaw_kernel_curvature((ThawKernel)kernel, 3, r, 3.0) == 0.0);
        }
        assert_true(thaw_kernel_value((ThawKernel)kernel, 3, 2.999, 3.0) > 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_the_tabulated_values),
        cmocka_unit_test(value_at_zero_is_the_norm_over_the_volume),
        cmocka_unit_test(kernels_integrate_to_one),
        cmocka_unit_test(box_sums_of_peers_hold),
        cmocka_unit_test(derivatives_of_peers_hold),
        cmocka_unit_test(derivatives_agree_with_differences_everywhere),
        cmocka_unit_test(kernels_vanish_at_the_support_and_beyond),
    };
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
