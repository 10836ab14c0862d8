// Perfect lattices: shells, density sums, and the rest state against independent computations.
#include "math/lattice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
#define CAPACITY 2000

static double offsets[CAPACITY][3];

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// distances of the shells in D, with their counts
static void check_shells(ThawPacking packing, int dimensions, double unit, const double *squares,
                         const uint32_t *counts, int shells) {
    double end = unit * sqrt(squares[shells - 1]) * 1.0001;
    uint32_t count = thaw_lattice_neighbors(packing, dimensions, 0.7, end, offsets, CAPACITY);
    uint32_t n = 0;
    for (int s = 0; s < shells; s++) {
        for (uint32_t i = 0; i < counts[s]; i++, n++) {
            assert_near(length_of(offsets[n]), unit * sqrt(squares[s]), 1e-14);
        }
    }
    assert_int_equal(n, count);
}

static void shells_have_their_distances_and_counts(void **state) {
    (void)state;
    const double fcc[] = {1, 2, 3, 4, 5, 6, 7};
    const uint32_t fcc_counts[] = {12, 6, 24, 12, 24, 8, 48};
    check_shells(THAW_PACKING_CLOSE, 3, 0.7 * pow(2.0, 1.0 / 6.0), fcc, fcc_counts, 7);
    const double hexagonal[] = {1, 3, 4, 7, 9};
    const uint32_t hexagonal_counts[] = {6, 6, 6, 12, 6};
    check_shells(THAW_PACKING_CLOSE, 2, 0.7 * sqrt(2.0 / sqrt(3.0)), hexagonal, hexagonal_counts,
                 5);
    const double cubic[] = {1, 2, 3, 4, 5};
    const uint32_t cubic_counts[] = {6, 12, 8, 6, 24};
    check_shells(THAW_PACKING_CUBIC, 3, 0.7, cubic, cubic_counts, 5);
    const double square[] = {1, 2, 4, 5};
    const uint32_t square_counts[] = {4, 4, 4, 8};
    check_shells(THAW_PACKING_CUBIC, 2, 0.7, square, square_counts, 4);
}

static void particle_volume_is_spacing_to_the_dimension(void **state) {
    (void)state;
    double D3 = thaw_lattice_distance(3, 0.3), D2 = thaw_lattice_distance(2, 0.3);
    assert_near(D3 * D3 * D3 / sqrt(2.0), 0.027, 1e-16);
    assert_near(D2 * D2 * sqrt(3.0) / 2.0, 0.09, 1e-16);
    // and by counting: sites in a large ball around one; its surface cuts 1 % of them by chance
    uint32_t count = thaw_lattice_neighbors(THAW_PACKING_CLOSE, 3, 1.0, 12.0, offsets, 0);
    assert_near((count + 1.0) / (4.0 / 3.0 * PI * 1728.0), 1.0, 0.02);
    count = thaw_lattice_neighbors(THAW_PACKING_CLOSE, 2, 1.0, 40.0, offsets, 0);
    assert_near((count + 1.0) / (PI * 1600.0), 1.0, 0.01);
}

static void neighbors_are_distinct_symmetric_and_fill_at_most_the_capacity(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        uint32_t count =
            thaw_lattice_neighbors(THAW_PACKING_CLOSE, dimensions, 1.0, 3.0, offsets, CAPACITY);
        double sum[3] = {0, 0, 0};
        for (uint32_t i = 0; i < count; i++) {
            for (int a = 0; a < 3; a++) sum[a] += offsets[i][a];
            if (dimensions == 2) assert_true(offsets[i][2] == 0.0);
            for (uint32_t j = 0; j < i; j++) {
                assert_true(memcmp(offsets[i], offsets[j], sizeof offsets[i]) != 0);
            }
        }
        assert_near(length_of(sum), 0.0, 1e-12);
        double few[6][3];
        memset(few, 0, sizeof few);
        assert_int_equal(thaw_lattice_neighbors(THAW_PACKING_CLOSE, dimensions, 1.0, 3.0, few, 5),
                         count);
        assert_memory_equal(few, offsets, 5 * sizeof *few);
        assert_true(few[5][0] == 0.0 && few[5][1] == 0.0 && few[5][2] == 0.0);
    }
}

// V-1: summation density over rest density on the close packing
static void density_sums_are_the_tabulated_ones(void **state) {
    (void)state;
    static const struct {
        double support;                       // h / D
        double sum[THAW_KERNEL_WENDLAND + 1]; // poly6, spiky, cubic, Wendland C2
        uint32_t neighbors;
    } table[] = {
        {1.50, {1.00633, 1.44607, 1.00896, 1.08084}, 18},
        {1.75, {1.01622, 1.25174, 0.99921, 1.04271}, 42},
        {2.00, {0.99530, 1.14304, 0.99416, 1.02024}, 42},
        {2.50, {1.00153, 1.05953, 1.00386, 1.00436}, 86},
        {3.00, {0.99941, 1.02837, 1.00052, 1.00164}, 140},
    };
    double D = thaw_lattice_distance(3, 1.0);
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        for (int kernel = 0; kernel <= THAW_KERNEL_WENDLAND; kernel++) {
            ThawRestState rest =
                thaw_rest_state((ThawKernel)kernel, (ThawKernel)kernel, 3, table[n].support * D);
            assert_near(rest.sum, table[n].sum[kernel], 1e-5);
            assert_int_equal(rest.neighbors, table[n].neighbors);
        }
    }
}

// V-3: sums over a block of sites written out from the cell's four corners, not from shells
static void rest_state_agrees_with_direct_summation(void **state) {
    (void)state;
    double h = 2.0, a = cbrt(4.0);
    const double corner[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (int slope = 0; slope < THAW_KERNEL_COUNT; slope++) {
            double sum = 0.0, gradients = 0.0, open = 0.0, lean = 0.0;
            for (int n = 0; n < 4 * 5 * 5 * 5; n++) {
                double r[3] = {a * (n / 4 % 5 - 2 + corner[n % 4][0]),
                               a * (n / 20 % 5 - 2 + corner[n % 4][1]),
                               a * (n / 100 - 2 + corner[n % 4][2])};
                double length = length_of(r);
                sum += thaw_kernel_value((ThawKernel)kernel, 3, length, h);
                double s = length > 0 ? thaw_kernel_slope((ThawKernel)slope, 3, length, h) : 0.0;
                gradients += s * s;
                if (r[2] < 0.1) continue;
                open += thaw_kernel_value((ThawKernel)kernel, 3, length, h);
                lean -= h * thaw_kernel_slope((ThawKernel)kernel, 3, length, h) * r[2] / length;
            }
            ThawRestState rest = thaw_rest_state((ThawKernel)kernel, (ThawKernel)slope, 3, h);
            assert_near(rest.sum, sum, 1e-12);
            assert_near(rest.open, open / sum, 1e-12);
            assert_near(rest.lean, lean / sum, 1e-12);
            assert_near(rest.gradients, gradients / (sum * sum), 1e-10 * rest.gradients);
        }
    }
}

// ---------------------------------------------------------------- spectrum

// a periodic block of n³ cells of the close packing (2D: n columns by n double rows)
typedef struct Block {
    int dimensions;
    uint32_t count, degree;
    uint32_t *neighbors;                  // degree a site
    double (*offsets)[3];                 // x_i − x_j to each of the degree neighbours
    double (*density)[3], (*gradient)[3]; // V/S ∇W there
    double wave[3];                       // longest waves that fit the block, rad a spacing
} Block;

// integer coordinates of a site are kept modulo the block: half cells in 3D, quarters in 2D
static uint32_t site_index(const int *site, int period, const int32_t *index) {
    int w[3];
    for (int a = 0; a < 3; a++) w[a] = ((site[a] % period) + period) % period;
    return (uint32_t)index[(w[2] * period + w[1]) * period + w[0]];
}

static void block_make(Block *block, ThawKernel density, ThawKernel gradient, int dimensions,
                       int n) {
    double h = 2.0;
    ThawRestState rest = thaw_rest_state(density, gradient, dimensions, h);
    double D = thaw_lattice_distance(dimensions, 1.0);
    // sites have even coordinate sums on a grid of these steps
    double step[3] = {D * sqrt(0.5), D * sqrt(0.5), D * sqrt(0.5)};
    if (dimensions == 2) step[0] = 0.5 * D, step[1] = D * sqrt(0.75), step[2] = 0.0;
    int period = 2 * n, depth = dimensions == 3 ? period : 1;
    int32_t *index = malloc(sizeof *index * (size_t)(period * period * period));
    int(*site)[3] = malloc(sizeof *site * (size_t)(period * period * period));
    uint32_t count = 0;
    for (int k = 0; k < depth; k++) {
        for (int j = 0; j < period; j++) {
            for (int i = 0; i < period; i++) {
                if ((i + j + k) % 2 != 0) continue;
                index[(k * period + j) * period + i] = (int32_t)count;
                site[count][0] = i, site[count][1] = j, site[count][2] = k;
                count++;
            }
        }
    }
    *block = (Block){.dimensions = dimensions, .count = count};
    block->degree = rest.neighbors;
    for (int a = 0; a < dimensions; a++) block->wave[a] = 2.0 * PI / (period * step[a]);
    block->neighbors = malloc(sizeof(uint32_t) * count * rest.neighbors);
    block->offsets = malloc(sizeof(double[3]) * rest.neighbors);
    block->density = malloc(sizeof(double[3]) * rest.neighbors);
    block->gradient = malloc(sizeof(double[3]) * rest.neighbors);
    uint32_t degree = 0;
    for (int m = 0; m < 17 * 17 * 17; m++) {
        int to[3] = {m % 17 - 8, m / 17 % 17 - 8, m / 289 - 8};
        if ((to[0] + to[1] + to[2]) % 2 != 0 || (dimensions == 2 && to[2] != 0)) continue;
        double r[3] = {-to[0] * step[0], -to[1] * step[1], -to[2] * step[2]}; // x_i − x_j
        double length = length_of(r);
        if (length == 0.0 || length >= h) continue;
        for (int a = 0; a < 3; a++) {
            block->offsets[degree][a] = r[a];
            block->density[degree][a] =
                thaw_kernel_slope(density, dimensions, length, h) * r[a] / length / rest.sum;
            block->gradient[degree][a] =
                thaw_kernel_slope(gradient, dimensions, length, h) * r[a] / length / rest.sum;
        }
        for (uint32_t i = 0; i < count; i++) {
            int other[3] = {site[i][0] + to[0], site[i][1] + to[1], site[i][2] + to[2]};
            if (dimensions == 2) other[2] = 0;
            block->neighbors[i * rest.neighbors + degree] = site_index(other, period, index);
        }
        degree++;
    }
    assert_int_equal(degree, rest.neighbors);
    free(index);
    free(site);
}

static void block_free(Block *block) {
    free(block->neighbors);
    free(block->offsets);
    free(block->density);
    free(block->gradient);
}

// what one correction with λ = −C / gradients takes off C, by the definitions and not by waves
static void apply_correction(const Block *block, double gradients, const double *c,
                             double *result) {
    double(*shift)[3] = calloc(block->count, sizeof *shift);
    for (uint32_t i = 0; i < block->count; i++) {
        for (uint32_t n = 0; n < block->degree; n++) {
            uint32_t j = block->neighbors[i * block->degree + n];
            double lambda = -(c[i] + c[j]) / gradients;
            for (int a = 0; a < 3; a++) shift[i][a] += lambda * block->gradient[n][a];
        }
    }
    for (uint32_t i = 0; i < block->count; i++) {
        result[i] = 0.0;
        for (uint32_t n = 0; n < block->degree; n++) {
            uint32_t j = block->neighbors[i * block->degree + n];
            for (int a = 0; a < 3; a++) {
                result[i] -= block->density[n][a] * (shift[i][a] - shift[j][a]);
            }
        }
    }
    free(shift);
}

static double power_method(const Block *block, double gradients, int rounds) {
    double *c = malloc(sizeof *c * block->count), *next = malloc(sizeof *c * block->count);
    uint32_t random = 12345;
    for (uint32_t i = 0; i < block->count; i++) {
        random = random * 1664525u + 1013904223u;
        c[i] = random / 4294967296.0 - 0.5;
    }
    double value = 0.0;
    for (int n = 0; n < rounds; n++) {
        apply_correction(block, gradients, c, next);
        double norm = 0.0, product = 0.0;
        for (uint32_t i = 0; i < block->count; i++) {
            product += c[i] * next[i];
            norm += next[i] * next[i];
        }
        double old = 0.0;
        for (uint32_t i = 0; i < block->count; i++) old += c[i] * c[i];
        value = product / old;
        for (uint32_t i = 0; i < block->count; i++) c[i] = next[i] / sqrt(norm);
    }
    free(c);
    free(next);
    return value;
}

// G_density·G_gradient / gradients for one wave
static double wave_value(const Block *block, double gradients, const double wave[3]) {
    double gd[3] = {0, 0, 0}, gg[3] = {0, 0, 0};
    for (uint32_t n = 0; n < block->degree; n++) {
        const double *r = block->offsets[n];
        double sine = sin(wave[0] * r[0] + wave[1] * r[1] + wave[2] * r[2]);
        for (int a = 0; a < 3; a++) {
            gd[a] += sine * block->density[n][a];
            gg[a] += sine * block->gradient[n][a];
        }
    }
    return (gd[0] * gg[0] + gd[1] * gg[1] + gd[2] * gg[2]) / gradients;
}

// the largest value over all waves that fit a block `finer` times as long
static double largest_wave(const Block *block, double gradients, int period, int finer) {
    double best = 0.0;
    int waves = period * finer;
    for (int k = 0; k <= (block->dimensions == 3 ? waves / 2 : 0); k++) {
        for (int j = 0; j <= waves / 2; j++) {
            for (int i = 0; i <= waves / 2; i++) {
                double wave[3] = {block->wave[0] * i / finer, block->wave[1] * j / finer,
                                  block->wave[2] * k / finer};
                best = fmax(best, wave_value(block, gradients, wave));
            }
        }
    }
    return best;
}

static const ThawKernel pairs[5][2] = {
    {THAW_KERNEL_POLY6, THAW_KERNEL_POLY6}, {THAW_KERNEL_SPIKY, THAW_KERNEL_SPIKY},
    {THAW_KERNEL_CUBIC, THAW_KERNEL_CUBIC}, {THAW_KERNEL_WENDLAND, THAW_KERNEL_WENDLAND},
    {THAW_KERNEL_POLY6, THAW_KERNEL_SPIKY},
};

// the theory: a block's largest eigenvalue, by corrections alone, is that of the waves that fit it
static void power_method_finds_the_waves_of_its_block(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        int n = dimensions == 3 ? 6 : 12;
        for (size_t p = 0; p < 5; p++) {
            ThawRestState rest = thaw_rest_state(pairs[p][0], pairs[p][1], dimensions, 2.0);
            Block block;
            block_make(&block, pairs[p][0], pairs[p][1], dimensions, n);
            double value = power_method(&block, rest.gradients, 200);
            double wave = largest_wave(&block, rest.gradients, 2 * n, 1);
            assert_near(value, wave, 0.005 * wave);
            // its waves are some of all waves
            assert_true(value <= rest.spectrum * 1.0001);
            assert_true(value >= rest.spectrum * 0.95);
            block_free(&block);
        }
    }
}

// the search: nothing is larger on a fine grid of waves, and something is as large within 1 %
static void spectrum_is_the_largest_over_all_waves(void **state) {
    (void)state;
    static const char *const names[] = {"poly6", "spiky", "cubic", "wendland"};
    for (int dimensions = 3; dimensions >= 2; dimensions--) {
        int n = dimensions == 3 ? 6 : 12;
        for (size_t p = 0; p < 5; p++) {
            ThawRestState rest = thaw_rest_state(pairs[p][0], pairs[p][1], dimensions, 2.0);
            Block block;
            block_make(&block, pairs[p][0], pairs[p][1], dimensions, n);
            double fine = largest_wave(&block, rest.gradients, 2 * n, dimensions == 3 ? 5 : 20);
            print_message("%dD %8s/%-8s S %.8f gradients %.8f spectrum %.5f\n", dimensions,
                          names[pairs[p][0]], names[pairs[p][1]], rest.sum, rest.gradients,
                          rest.spectrum);
            assert_true(fine <= rest.spectrum * 1.0001);
            assert_true(fine >= rest.spectrum * 0.99);
            block_free(&block);
        }
    }
}

static void rest_state_takes_less_than_20_ms(void **state) {
    (void)state;
    // the best of five, so that a busy machine does not matter
    double best = INFINITY;
    for (int n = 0; n < 5; n++) {
        clock_t start = clock();
        ThawRestState rest = thaw_rest_state(THAW_KERNEL_CUBIC, THAW_KERNEL_CUBIC, 3, 2.0);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        assert_true(rest.spectrum > 0.0);
        best = fmin(best, seconds);
    }
#ifdef THAW_TEST_SANITIZED
    best /= 10.0;
#endif
    assert_true(best < 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shells_have_their_distances_and_counts),
        cmocka_unit_test(particle_volume_is_spacing_to_the_dimension),
        cmocka_unit_test(neighbors_are_distinct_symmetric_and_fill_at_most_the_capacity),
        cmocka_unit_test(density_sums_are_the_tabulated_ones),
        cmocka_unit_test(rest_state_agrees_with_direct_summation),
        cmocka_unit_test(power_method_finds_the_waves_of_its_block),
        cmocka_unit_test(spectrum_is_the_largest_over_all_waves),
        cmocka_unit_test(rest_state_takes_less_than_20_ms),
    };
    return cmocka_run_group_tests_name("lattice", tests, NULL, NULL);
}
