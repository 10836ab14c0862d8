// The slow twin itself: gradients, conservation and signs, so that it can be trusted as an oracle.
#include "support/twin.h"

#include "math/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 60

typedef struct Cloud {
    Twin twin;
    double positions[COUNT][3], spacing[COUNT], rest_density[COUNT];
} Cloud;

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static double draw(uint64_t id, uint64_t purpose, double low, double high) {
    return low + (high - low) * thaw_random_unit(7, id, 0, purpose);
}

// particles at random, twice as dense as at rest, of one size and fluid or of many
static void cloud_make(Cloud *cloud, int dimensions, ThawKernel density, ThawKernel gradient,
                       bool mixed) {
    cloud->twin = twin_make(dimensions, density, gradient);
    double volume = COUNT * pow(0.5, dimensions) / 2.0;
    double edge = dimensions == 3 ? cbrt(volume) : sqrt(volume);
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint64_t a = 0; a < 3; a++) cloud->positions[i][a] = draw(i, 10 + a, 0.0, edge);
        if (dimensions == 2) cloud->positions[i][2] = 0.0;
        cloud->spacing[i] = mixed ? draw(i, 20, 0.3, 0.7) : 0.5;
        cloud->rest_density[i] = mixed ? draw(i, 21, 200.0, 3000.0) : 1000.0;
    }
    cloud->twin.count = COUNT;
    cloud->twin.positions = (const double(*)[3])cloud->positions;
    cloud->twin.spacing = cloud->spacing;
    cloud->twin.rest_density = cloud->rest_density;
}

// V-2
static void gradient_agrees_with_differences(void **state) {
    (void)state;
    static Cloud cloud;
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            cloud_make(&cloud, dimensions, (ThawKernel)kernel, (ThawKernel)kernel, true);
            double gradients[COUNT][3], sum[3] = {0, 0, 0}, largest = 0.0;
            twin_gradients(&cloud.twin, 11, gradients);
            for (uint32_t k = 0; k < COUNT; k++) {
                for (int a = 0; a < 3; a++) largest = fmax(largest, fabs(gradients[k][a]));
            }
            for (uint32_t k = 0; k < COUNT; k++) {
                for (int a = 0; a < dimensions; a++) {
                    double after[COUNT], before[COUNT], e = 1e-6, old = cloud.positions[k][a];
                    cloud.positions[k][a] = old + e;
                    twin_density(&cloud.twin, after);
                    cloud.positions[k][a] = old - e;
                    twin_density(&cloud.twin, before);
                    cloud.positions[k][a] = old;
                    double slope = (after[11] - before[11]) / (2.0 * e);
                    assert_near(gradients[k][a], slope, 1e-6 * largest);
                    sum[a] += gradients[k][a];
                }
            }
            for (int a = 0; a < 3; a++) assert_near(sum[a], 0.0, 1e-12 * largest);
        }
    }
}

// V-1: on the periodic perfect lattice C = 0, and no particle moves
static void perfect_lattice_is_at_rest(void **state) {
    (void)state;
    enum { CELLS = 3, SITES = 4 * CELLS * CELLS * CELLS };
    double a = 0.5 * cbrt(4.0);
    static double positions[SITES][3], spacing[SITES], rest_density[SITES];
    const double corner[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    for (int n = 0; n < SITES; n++) {
        int cell[3] = {n / 4 % CELLS, n / 4 / CELLS % CELLS, n / 4 / CELLS / CELLS};
        for (int b = 0; b < 3; b++) positions[n][b] = a * (cell[b] + corner[n % 4][b]);
        spacing[n] = 0.5;
        rest_density[n] = 1000.0;
    }
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        Twin twin = twin_make(3, (ThawKernel)kernel, (ThawKernel)kernel);
        twin.count = SITES;
        twin.positions = (const double(*)[3])positions;
        twin.spacing = spacing;
        twin.rest_density = rest_density;
        for (int b = 0; b < 3; b++) twin.length[b] = a * CELLS;
        double constraint[SITES], lambda[SITES], shift[SITES][3];
        twin_density(&twin, constraint);
        // multipliers that do not vanish: the pushes of all neighbours cancel
        for (int n = 0; n < SITES; n++) {
            assert_near(constraint[n], 0.0, 1e-12);
            lambda[n] = -1.0;
        }
        twin_correct(&twin, lambda, shift);
        for (int n = 0; n < SITES; n++) {
            for (int b = 0; b < 3; b++) assert_near(shift[n][b], 0.0, 1e-12);
        }
        // eq. 3's stiffness is the inverse of the squared gradients of one particle, in cells
        double gradients[SITES][3], sum = 0.0;
        twin_gradients(&twin, 0, gradients);
        for (int n = 0; n < SITES; n++) {
            for (int b = 0; b < 3; b++) sum += gradients[n][b] * gradients[n][b];
        }
        assert_near(sum * twin_stiffness(&twin, 0), 1.0, 1e-10);
    }
}

static void correct(const Cloud *cloud, double (*shift)[3]) {
    double constraint[COUNT], lambda[COUNT];
    twin_density(&cloud->twin, constraint);
    twin_lambda(&cloud->twin, constraint, lambda);
    twin_correct(&cloud->twin, lambda, shift);
}

static void corrections_keep_momentum_of_unequal_particles(void **state) {
    (void)state;
    static Cloud cloud;
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            cloud_make(&cloud, dimensions, (ThawKernel)kernel, THAW_KERNEL_SPIKY, true);
            cloud.twin.tensile = 0.1;
            cloud.twin.two_sided = kernel % 2 == 1;
            double shift[COUNT][3], linear[3] = {0, 0, 0}, angular[3] = {0, 0, 0}, scale = 0.0;
            correct(&cloud, shift);
            for (uint32_t i = 0; i < COUNT; i++) {
                double m = twin_mass(&cloud.twin, i);
                const double *x = cloud.positions[i], *s = shift[i];
                for (int a = 0; a < 3; a++) {
                    int b = (a + 1) % 3, c = (a + 2) % 3;
                    linear[a] += m * s[a];
                    angular[a] += m * (x[b] * s[c] - x[c] * s[b]);
                    scale += m * fabs(s[a]);
                }
            }
            assert_true(scale > 0.0);
            for (int a = 0; a < 3; a++) {
                assert_near(linear[a], 0.0, 1e-12 * scale);
                assert_near(angular[a], 0.0, 1e-12 * scale);
            }
        }
    }
}

// V-3: masses in grams or tonnes make no difference
static void corrections_do_not_depend_on_the_unit_of_mass(void **state) {
    (void)state;
    static Cloud cloud;
    cloud_make(&cloud, 3, THAW_KERNEL_CUBIC, THAW_KERNEL_CUBIC, true);
    double before[COUNT][3], after[COUNT][3];
    correct(&cloud, before);
    for (uint32_t i = 0; i < COUNT; i++) cloud.rest_density[i] *= 1e3;
    correct(&cloud, after);
    double largest = 0.0;
    for (uint32_t i = 0; i < COUNT; i++) largest = fmax(largest, fabs(before[i][0]));
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) assert_near(before[i][a], after[i][a], 1e-12 * largest);
    }
}

// the same cloud with all lengths doubled moves twice as far
static void corrections_scale_with_the_size_of_the_particles(void **state) {
    (void)state;
    static Cloud cloud;
    cloud_make(&cloud, 3, THAW_KERNEL_WENDLAND, THAW_KERNEL_WENDLAND, true);
    cloud.twin.tensile = 0.1;
    double before[COUNT][3], after[COUNT][3], largest = 0.0;
    correct(&cloud, before);
    for (uint32_t i = 0; i < COUNT; i++) {
        cloud.spacing[i] *= 2.0;
        for (int a = 0; a < 3; a++) cloud.positions[i][a] *= 2.0;
    }
    correct(&cloud, after);
    for (uint32_t i = 0; i < COUNT; i++) largest = fmax(largest, fabs(after[i][0]));
    assert_true(largest > 0.0);
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) assert_near(after[i][a], 2.0 * before[i][a], 1e-12 * largest);
    }
}

// the same cloud with all lengths doubled
static void constraint_does_not_depend_on_the_size_of_the_particles(void **state) {
    (void)state;
    static Cloud cloud;
    cloud_make(&cloud, 3, THAW_KERNEL_POLY6, THAW_KERNEL_POLY6, true);
    double before[COUNT], after[COUNT];
    twin_density(&cloud.twin, before);
    for (uint32_t i = 0; i < COUNT; i++) {
        cloud.spacing[i] *= 2.0;
        for (int a = 0; a < 3; a++) cloud.positions[i][a] *= 2.0;
    }
    twin_density(&cloud.twin, after);
    for (uint32_t i = 0; i < COUNT; i++) assert_near(before[i], after[i], 1e-12);
}

// two particles, of unequal size and mass, on the x axis
static void two_particles(Cloud *cloud, double distance) {
    cloud_make(cloud, 3, THAW_KERNEL_CUBIC, THAW_KERNEL_CUBIC, true);
    cloud->twin.count = 2;
    memset(cloud->positions, 0, sizeof cloud->positions);
    cloud->positions[1][0] = distance;
    cloud->spacing[0] = 0.5;
    cloud->spacing[1] = 0.4;
    cloud->rest_density[0] = 1000.0;
    cloud->rest_density[1] = 3000.0;
}

static void over_dense_particles_are_pushed_apart(void **state) {
    (void)state;
    static Cloud cloud;
    two_particles(&cloud, 0.3);
    double lambda[2], constraint[2] = {0.1, 0.2}, shift[2][3];
    twin_lambda(&cloud.twin, constraint, lambda);
    assert_true(lambda[0] < 0.0 && lambda[1] < lambda[0]);
    twin_correct(&cloud.twin, lambda, shift);
    assert_true(shift[0][0] < 0.0 && shift[1][0] > 0.0);
    assert_true(shift[0][1] == 0.0 && shift[1][2] == 0.0);
    // the heavier one moves less, as masses tell
    double ratio = twin_mass(&cloud.twin, 1) / twin_mass(&cloud.twin, 0);
    assert_near(shift[0][0], -ratio * shift[1][0], 1e-15);
}

static void only_the_two_sided_constraint_pulls(void **state) {
    (void)state;
    static Cloud cloud;
    two_particles(&cloud, 0.3);
    double lambda[2], constraint[2] = {-0.1, -0.2}, shift[2][3];
    twin_lambda(&cloud.twin, constraint, lambda);
    assert_true(lambda[0] == 0.0 && lambda[1] == 0.0);
    cloud.twin.two_sided = true;
    twin_lambda(&cloud.twin, constraint, lambda);
    twin_correct(&cloud.twin, lambda, shift);
    assert_true(shift[0][0] > 0.0 && shift[1][0] < 0.0);
}

static void tensile_term_pushes_apart_and_fades_with_distance(void **state) {
    (void)state;
    static Cloud cloud;
    double lambda[2] = {0.0, 0.0}, near[2][3], far[2][3];
    two_particles(&cloud, 0.3);
    cloud.twin.tensile = 0.1;
    twin_correct(&cloud.twin, lambda, near);
    two_particles(&cloud, 0.6);
    cloud.twin.tensile = 0.1;
    twin_correct(&cloud.twin, lambda, far);
    assert_true(near[1][0] > 0.0 && far[1][0] > 0.0 && near[0][0] < 0.0);
    assert_true(far[1][0] < 0.1 * near[1][0]);
    // at r = 0.2 h the ratio is 1: the push equals that of a λ of −tensile (k_i + k_j) / 2
    double h = 0.9;
    two_particles(&cloud, 0.2 * h);
    cloud.twin.tensile = 0.1;
    twin_correct(&cloud.twin, lambda, near);
    cloud.twin.tensile = 0.0;
    // that of the smaller alone, which its size weighs by h_j / h
    double mean = 0.5 * (twin_stiffness(&cloud.twin, 0) + twin_stiffness(&cloud.twin, 1));
    lambda[1] = -0.1 * mean * 0.45 / 0.4;
    twin_correct(&cloud.twin, lambda, far);
    assert_near(near[1][0], far[1][0], 1e-12 * far[1][0]);
}

static void wall_share_adds_to_the_constraint(void **state) {
    (void)state;
    static Cloud cloud;
    cloud_make(&cloud, 3, THAW_KERNEL_CUBIC, THAW_KERNEL_CUBIC, false);
    double free[COUNT], walled[COUNT], wall[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) wall[i] = 0.001 * i;
    twin_density(&cloud.twin, free);
    cloud.twin.wall = wall;
    twin_density(&cloud.twin, walled);
    for (uint32_t i = 0; i < COUNT; i++) assert_near(walled[i] - free[i], wall[i], 1e-14);
}

static void xsph_keeps_momentum_and_takes_energy(void **state) {
    (void)state;
    static Cloud cloud;
    cloud_make(&cloud, 3, THAW_KERNEL_POLY6, THAW_KERNEL_POLY6, true);
    double before[COUNT][3], after[COUNT][3], change[3] = {0, 0, 0}, energy[2] = {0, 0};
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint64_t a = 0; a < 3; a++) before[i][a] = draw(i, 30 + a, -1.0, 1.0);
    }
    twin_xsph(&cloud.twin, 0.1, (const double(*)[3])before, after);
    for (uint32_t i = 0; i < COUNT; i++) {
        double m = twin_mass(&cloud.twin, i);
        for (int a = 0; a < 3; a++) {
            change[a] += m * (after[i][a] - before[i][a]);
            energy[0] += m * before[i][a] * before[i][a];
            energy[1] += m * after[i][a] * after[i][a];
        }
    }
    for (int a = 0; a < 3; a++) assert_near(change[a], 0.0, 1e-12 * energy[0]);
    assert_true(energy[1] < 0.95 * energy[0]);
    // a common velocity is left alone, exactly
    for (uint32_t i = 0; i < COUNT; i++) memcpy(before[i], before[0], sizeof before[0]);
    twin_xsph(&cloud.twin, 0.5, (const double(*)[3])before, after);
    assert_memory_equal(before, after, sizeof before);
}

static void periodic_axes_are_seamless(void **state) {
    (void)state;
    static Cloud cloud;
    cloud_make(&cloud, 3, THAW_KERNEL_CUBIC, THAW_KERNEL_CUBIC, false);
    double before[COUNT], after[COUNT];
    for (int a = 0; a < 3; a++) cloud.twin.length[a] = 2.5;
    twin_density(&cloud.twin, before);
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) {
            cloud.positions[i][a] = fmod(cloud.positions[i][a] + 1.9, 2.5);
        }
    }
    twin_density(&cloud.twin, after);
    for (uint32_t i = 0; i < COUNT; i++) assert_near(before[i], after[i], 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_agrees_with_differences),
        cmocka_unit_test(perfect_lattice_is_at_rest),
        cmocka_unit_test(corrections_keep_momentum_of_unequal_particles),
        cmocka_unit_test(corrections_do_not_depend_on_the_unit_of_mass),
        cmocka_unit_test(corrections_scale_with_the_size_of_the_particles),
        cmocka_unit_test(constraint_does_not_depend_on_the_size_of_the_particles),
        cmocka_unit_test(over_dense_particles_are_pushed_apart),
        cmocka_unit_test(only_the_two_sided_constraint_pulls),
        cmocka_unit_test(tensile_term_pushes_apart_and_fades_with_distance),
        cmocka_unit_test(wall_share_adds_to_the_constraint),
        cmocka_unit_test(xsph_keeps_momentum_and_takes_energy),
        cmocka_unit_test(periodic_axes_are_seamless),
    };
    return cmocka_run_group_tests_name("twin", tests, NULL, NULL);
}
