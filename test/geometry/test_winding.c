// The winding number against the sum of every triangle's solid angle, and against what it must be.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "geometry/bvh.h"
#include "geometry/bvh_internal.h"
#include "geometry/triangle.h"
#include "support/mesh_samples.h"

#define PI 3.14159265358979323846

static ThawBvh *make_tree(const Sample *sample) {
    ThawMesh mesh = sample_mesh(sample);
    ThawParallel *parallel = NULL;
    ThawBvh *bvh = NULL;
    assert_int_equal(thaw_parallel_create(1, NULL, &parallel), THAW_OK);
    assert_int_equal(thaw_bvh_create(&mesh, parallel, &bvh), THAW_OK);
    thaw_parallel_destroy(parallel);
    return bvh;
}

static double winding_by_force(const Sample *sample, ThawVec3 p) {
    ThawMesh mesh = sample_mesh(sample);
    double sum = 0;
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        ThawVec3 c[3];
        thaw_triangle_corners(&mesh, t, c);
        for (int k = 0; k < 3; k++) c[k] = thaw_sub(c[k], p);
        double x = thaw_length(c[0]), y = thaw_length(c[1]), z = thaw_length(c[2]);
        sum += 2 * atan2(thaw_dot(c[0], thaw_cross(c[1], c[2])),
                         x * y * z + thaw_dot(c[0], c[1]) * z + thaw_dot(c[1], c[2]) * x +
                             thaw_dot(c[2], c[0]) * y);
    }
    return sum / (4 * PI);
}

static ThawVec3 random_point(uint64_t *seed, double size) {
    double x = sample_uniform(seed, -size, size), y = sample_uniform(seed, -size, size);
    return thaw_vec(x, y, sample_uniform(seed, -size, size));
}

// the k-th of some points near the surface, anywhere, and far away
static ThawVec3 choose_point(const Sample *sample, ThawVec3 middle, double size, int k,
                             uint64_t *seed) {
    if (k % 3 == 0) return thaw_add(middle, random_point(seed, size));
    if (k % 10 == 1) return thaw_add(middle, random_point(seed, 5 * size));
    const double *near = sample->points[(uint32_t)k * 7919 % sample->point_count];
    return thaw_add(thaw_vec(near[0], near[1], near[2]),
                    random_point(seed, size * pow(10, -(k % 5))));
}

static double worst_error(const Sample *sample, ThawVec3 middle, double size, int points) {
    ThawBvh *bvh = make_tree(sample);
    uint64_t seed = 3;
    double worst = 0;
    for (int k = 0; k < points; k++) {
        ThawVec3 p = choose_point(sample, middle, size, k, &seed);
        worst = fmax(worst, fabs(thaw_bvh_winding(bvh, p) - winding_by_force(sample, p)));
    }
    thaw_bvh_destroy(bvh);
    return worst;
}

static void fast_winding_is_that_of_every_triangle_in_turn(void **state) {
    (void)state;
    Sample ball = {0}, torus = {0}, soup = {0};
    sample_ball(&ball, thaw_vec(0, 0, 0), 1, 60, 0.2);
    sample_torus(&torus, 1, 0.3, 60);
    sample_soup(&soup, 2000, 0.1, 3);
    assert_true(worst_error(&ball, thaw_vec(0, 0, 0), 1.2, 500) < 0.02);
    assert_true(worst_error(&torus, thaw_vec(0, 0, 0), 1.4, 500) < 0.02);
    assert_true(worst_error(&soup, thaw_vec(0.5, 0.5, 0.5), 0.7, 500) < 0.02);
    sample_free(&ball);
    sample_free(&torus);
    sample_free(&soup);
}

// fewer triangles than make a far part: no dipoles, so floats are the only error
static void near_triangles_are_exact(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double s = k ? 1 : 1e-6;
        ThawVec3 at = k ? thaw_vec(0, 0, 0) : thaw_vec(1, 2, 3);
        Sample box = {0};
        sample_box(&box, thaw_add(at, thaw_vec(-s, -s, -s)), thaw_add(at, thaw_vec(s, s, s)));
        ThawBvh *bvh = make_tree(&box);
        // close to the edge across a face: floats round by 6e-8 of the box, and the edge is 1e-4 away
        assert_true(fabs(thaw_bvh_winding(bvh, thaw_add(at, thaw_vec(0.9999 * s, 0, 0))) - 1) <
                    1e-3);
        assert_true(fabs(thaw_bvh_winding(bvh, thaw_add(at, thaw_vec(1.0001 * s, 0, 0)))) < 1e-3);
        assert_true(fabs(thaw_bvh_winding(bvh, at) - 1) < 1e-5);
        thaw_bvh_destroy(bvh);
        sample_free(&box);
    }
}

static void closed_meshes_wind_once_inside_and_not_outside(void **state) {
    (void)state;
    Sample torus = {0};
    sample_torus(&torus, 1, 0.3, 80);
    ThawBvh *bvh = make_tree(&torus);
    uint64_t seed = 8;
    for (int k = 0; k < 3000; k++) {
        ThawVec3 p = random_point(&seed, 1.4);
        double away = hypot(hypot(p.x, p.y) - 1, p.z);
        if (fabs(away - 0.3) < 0.003) continue;
        assert_true(fabs(thaw_bvh_winding(bvh, p) - (away < 0.3)) < 0.03);
    }
    thaw_bvh_destroy(bvh);
    sample_free(&torus);
}

static void turned_meshes_wind_backwards_and_overlapping_ones_twice(void **state) {
    (void)state;
    Sample balls = {0};
    sample_ball(&balls, thaw_vec(0, 0, 0), 1, 30, 0);
    sample_ball(&balls, thaw_vec(1, 0, 0), 1, 30, 0);
    ThawBvh *bvh = make_tree(&balls);
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(0.5, 0, 0)) - 2) < 0.02);
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(-0.5, 0, 0)) - 1) < 0.02);
    thaw_bvh_destroy(bvh);
    for (uint32_t t = 0; t < balls.triangle_count; t++) {
        uint32_t swap = balls.triangles[t][0];
        balls.triangles[t][0] = balls.triangles[t][1];
        balls.triangles[t][1] = swap;
    }
    bvh = make_tree(&balls);
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(0.5, 0, 0)) + 2) < 0.02);
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(3, 0, 0))) < 0.02);
    thaw_bvh_destroy(bvh);
    sample_free(&balls);
}

// half a ball, open below: at its middle it covers half the directions
static void open_meshes_wind_by_the_share_of_directions(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0, 0, 0), 1, 40, 0);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < ball.triangle_count; t++) {
        bool upper = true;
        for (int k = 0; k < 3; k++) upper &= ball.points[ball.triangles[t][k]][2] > -1e-9;
        if (!upper) continue;
        for (int k = 0; k < 3; k++) ball.triangles[kept][k] = ball.triangles[t][k];
        kept++;
    }
    ball.triangle_count = kept;
    ThawBvh *bvh = make_tree(&ball);
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(0, 0, 0)) - 0.5) < 0.01);
    // off the middle by 0.9: all but the opening, a disc, or only that
    double disc = 0.5 * (1 - 0.9 / sqrt(1 + 0.9 * 0.9));
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(0, 0, 0.9)) - (1 - disc)) < 0.01);
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(0, 0, -0.9)) - disc) < 0.01);
    thaw_bvh_destroy(bvh);
    sample_free(&ball);
}

// two faces at one place, wound against each other: their angles cancel however near one is
static void doubled_sheets_wind_nowhere(void **state) {
    (void)state;
    Sample sheet = {0};
    for (int i = 0; i <= 20; i++) {
        for (int j = 0; j <= 20; j++) sample_point(&sheet, i / 20.0, j / 20.0, 0.1 * sin(i * 0.3));
    }
    for (uint32_t i = 0; i < 20; i++) {
        for (uint32_t j = 0; j < 20; j++) {
            uint32_t a = i * 21 + j, b = a + 1, c = a + 21;
            sample_triangle(&sheet, a, b, c);
            sample_triangle(&sheet, c, b, a);
        }
    }
    ThawBvh *bvh = make_tree(&sheet);
    uint64_t seed = 1;
    for (int k = 0; k < 500; k++) {
        ThawVec3 p = choose_point(&sheet, thaw_vec(0.5, 0.5, 0), 0.5, k, &seed);
        assert_true(fabs(thaw_bvh_winding(bvh, p)) < 1e-4);
    }
    thaw_bvh_destroy(bvh);
    sample_free(&sheet);
}

static void every_instruction_set_winds_alike(void **state) {
    (void)state;
    Sample soup = {0};
    sample_soup(&soup, 5000, 0.1, 9);
    ThawBvh *bvh = make_tree(&soup);
    uint64_t seed = 6;
    for (int k = 0; k < 300; k++) {
        ThawVec3 p = choose_point(&soup, thaw_vec(0.5, 0.5, 0.5), 0.5, k, &seed);
        bvh->isa = THAW_ISA_BASELINE;
        double base = thaw_bvh_winding(bvh, p);
        if (thaw_isa_resolve(THAW_ISA_AVX2, &bvh->isa) != THAW_OK) continue;
        double wide = thaw_bvh_winding(bvh, p);
        assert_true(fabs(wide - base) < 1e-4);
        // same operations in the same order
        if (thaw_isa_resolve(THAW_ISA_AVX512, &bvh->isa) != THAW_OK) continue;
        assert_true(thaw_bvh_winding(bvh, p) == wide);
    }
    thaw_bvh_destroy(bvh);
    sample_free(&soup);
}

static void winding_is_a_number_everywhere(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0, 0, 0), 1, 20, 0.2);
    sample_triangle(&ball, 0, 0, 0);
    sample_triangle(&ball, 0, 1, 1);
    ThawBvh *bvh = make_tree(&ball);
    for (uint32_t i = 0; i < ball.point_count; i++) { // on the corners, and on the edges
        const double *a = ball.points[i], *b = ball.points[(i + 1) % ball.point_count];
        assert_true(isfinite(thaw_bvh_winding(bvh, thaw_vec(a[0], a[1], a[2]))));
        ThawVec3 middle = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
        double w = thaw_bvh_winding(bvh, middle);
        assert_true(w > -1 && w < 2); // each of its two triangles may give a half either way
    }
    assert_true(fabs(thaw_bvh_winding(bvh, thaw_vec(1e20, -1e25, 3))) < 1e-6);
    thaw_bvh_destroy(bvh);
    sample_free(&ball);
}

static void models_wind_as_every_triangle_in_turn(void **state) {
    (void)state;
    const char *const names[] = {"teapot", "suzanne", "beetle",        "cow",
                                 "spot",   "fandisk", "stanford-bunny"};
    for (int k = 0; k < 7; k++) {
        char path[1024];
        Sample model = {0};
        snprintf(path, sizeof path, "%s/../shared/assets/%s.obj", THAW_SOURCE, names[k]);
        if (!sample_obj(&model, path)) {
            print_message("no %s: skipped\n", path);
            skip();
        }
        double low[3], high[3];
        for (int axis = 0; axis < 3; axis++) low[axis] = INFINITY, high[axis] = -INFINITY;
        for (uint32_t i = 0; i < model.point_count; i++) {
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = fmin(low[axis], model.points[i][axis]);
                high[axis] = fmax(high[axis], model.points[i][axis]);
            }
        }
        ThawVec3 middle = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]),
                           0.5 * (low[2] + high[2])};
        double error = worst_error(&model, middle, 0.5 * (high[0] - low[0]), 100);
        if (error >= 0.025) fail_msg("%s: %g", names[k], error);
        sample_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_winding_is_that_of_every_triangle_in_turn),
        cmocka_unit_test(near_triangles_are_exact),
        cmocka_unit_test(closed_meshes_wind_once_inside_and_not_outside),
        cmocka_unit_test(turned_meshes_wind_backwards_and_overlapping_ones_twice),
        cmocka_unit_test(open_meshes_wind_by_the_share_of_directions),
        cmocka_unit_test(doubled_sheets_wind_nowhere),
        cmocka_unit_test(every_instruction_set_winds_alike),
        cmocka_unit_test(winding_is_a_number_everywhere),
        cmocka_unit_test(models_wind_as_every_triangle_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
