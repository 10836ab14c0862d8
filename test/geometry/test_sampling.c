// Filling shapes: counts, completeness, symmetry and refusals.
#include "geometry/sampling.h"

#include "base/memory.h"
#include "geometry/distance.h"
#include "math/lattice.h"
#include "math/random.h"
#include "math/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef struct Sample {
    double (*sites)[3];
    uint32_t count;
} Sample;

static Sample take(const ThawShape *shape, int dimensions, double spacing, ThawPacking packing,
                   ThawQuat orientation) {
    Sample sample = {NULL, 0};
    ThawResult result = thaw_shape_sample(shape, dimensions, spacing, packing, orientation,
                                          &sample.sites, &sample.count);
    if (result != THAW_OK) fail_msg("%s", thaw_error_text());
    return sample;
}

static double draw(uint64_t id, uint64_t purpose, double low, double high) {
    return low + (high - low) * thaw_random_unit(5, id, 0, purpose);
}

static ThawQuat random_turn(uint64_t id) {
    ThawVec3 axis = {draw(id, 1, -1, 1), draw(id, 2, -1, 1), draw(id, 3, -1, 1)};
    return thaw_quat_turn(axis, draw(id, 4, 0, 3));
}

// a shape of every bounded kind, at least 5 spacings in radius
static ThawShape random_shape(ThawShapeKind kind, uint64_t id) {
    ThawVec3 center = {draw(id, 10, -9, 9), draw(id, 11, -9, 9), 0};
    ThawVec3 up = {0, 0, draw(id, 12, 5, 9)};
    double radius = draw(id, 13, 5, 8);
    switch (kind) {
    case THAW_SHAPE_BOX:
        return thaw_shape_box(
            center, thaw_vec(draw(id, 14, 4, 14), draw(id, 15, 4, 14), draw(id, 16, 4, 14)));
    case THAW_SHAPE_SPHERE: return thaw_shape_sphere(center, radius);
    case THAW_SHAPE_CAPSULE:
        return thaw_shape_capsule(thaw_sub(center, up), thaw_add(center, up), radius);
    case THAW_SHAPE_CYLINDER:
        return thaw_shape_cylinder(thaw_sub(center, up), thaw_add(center, up), radius);
    case THAW_SHAPE_CONE: {
        ThawVec3 base = thaw_sub(center, thaw_scale(up, 0.3));
        return thaw_shape_cone(base, thaw_add(center, thaw_scale(up, 2)), 1.5 * radius);
    }
    default: return thaw_shape_torus(center, thaw_vec(0, 0, 1), 2 * radius, radius);
    }
}

static double count_error(const ThawShape *shape, int dimensions, double spacing,
                          ThawPacking packing, ThawQuat orientation) {
    Sample sample = take(shape, dimensions, spacing, packing, orientation);
    thaw_free(sample.sites);
    double target = thaw_shape_volume(shape, dimensions) / pow(spacing, dimensions);
    return sample.count / target - 1.0;
}

static void turned_lattices_fill_every_shape_within_3_percent(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int kind = 0; kind < THAW_SHAPE_PLANE; kind++) {
            for (uint64_t n = 0; n < 24; n++) {
                ThawShape shape = random_shape((ThawShapeKind)kind, n);
                ThawPacking packing = n % 2 == 0 ? THAW_PACKING_CLOSE : THAW_PACKING_CUBIC;
                double error = count_error(&shape, dimensions, 1.0, packing, random_turn(n));
                if (!(fabs(error) <= 0.03)) {
                    fail_msg("%dD kind %d number %d: %+.1f %%", dimensions, kind, (int)n,
                             100 * error);
                }
            }
        }
    }
}

static void straight_lattices_fill_round_shapes_within_3_percent(void **state) {
    (void)state;
    const ThawShapeKind kinds[] = {THAW_SHAPE_SPHERE, THAW_SHAPE_CAPSULE, THAW_SHAPE_CONE,
                                   THAW_SHAPE_TORUS};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int kind = 0; kind < 4; kind++) {
            for (uint64_t n = 0; n < 24; n++) {
                ThawShape shape = random_shape(kinds[kind], 100 + n);
                ThawPacking packing = n % 2 == 0 ? THAW_PACKING_CLOSE : THAW_PACKING_CUBIC;
                double error = count_error(&shape, dimensions, 1.0, packing, thaw_quat_identity());
                assert_true(fabs(error) <= 0.03);
            }
        }
    }
}

// A straight lattice has whole layers only. Each axis can be half a layer out; the best of the
// eight choices is then no worse than half a layer of the thinnest axis, and half a site.
static void straight_boxes_are_filled_to_half_a_layer(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (uint64_t n = 0; n < 200; n++) {
            ThawShape shape = random_shape(THAW_SHAPE_BOX, n);
            ThawPacking packing = n % 2 == 0 ? THAW_PACKING_CLOSE : THAW_PACKING_CUBIC;
            double pitch[3] = {1, 1, 1};
            if (packing == THAW_PACKING_CLOSE) {
                double D = thaw_lattice_distance(dimensions, 1.0);
                for (int a = 0; a < 3; a++) pitch[a] = D * sqrt(0.5);
                if (dimensions == 2) pitch[0] = 0.5 * D, pitch[1] = D * sqrt(0.75);
            }
            double layers = fmin(shape.size.x / pitch[0], shape.size.y / pitch[1]);
            if (dimensions == 3) layers = fmin(layers, shape.size.z / pitch[2]);
            double error = count_error(&shape, dimensions, 1.0, packing, thaw_quat_identity());
            double sites = thaw_shape_volume(&shape, dimensions);
            assert_true(fabs(error) <= 0.5 / floor(layers) + 0.5 / sites);
        }
    }
}

static void boxes_of_17_layers_are_filled_within_3_percent(void **state) {
    (void)state;
    for (int n = 0; n < 40; n++) {
        double edge = 13.5 + 0.1 * n; // spacings: 17 layers of the close packing
        ThawShape shape = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(edge, edge, edge + 0.37));
        double error = count_error(&shape, 3, 1.0, THAW_PACKING_CLOSE, thaw_quat_identity());
        assert_true(fabs(error) <= 0.03);
    }
}

// boxes of whole layers hold volume / d³ exactly, their outermost layers half a layer inside
static void boxes_of_whole_layers_are_filled_exactly(void **state) {
    (void)state;
    double spacing = 0.01;
    for (int packing = 0; packing < 2; packing++) {
        double pitch =
            packing == THAW_PACKING_CUBIC ? spacing : thaw_lattice_distance(3, spacing) * sqrt(0.5);
        for (int n = 4; n <= 9; n++) {
            ThawVec3 size = {n * pitch, (n + 1) * pitch, 6 * pitch};
            ThawShape shape = thaw_shape_box(thaw_vec(3, 2, 1), size);
            Sample sample = take(&shape, 3, spacing, (ThawPacking)packing, thaw_quat_identity());
            uint32_t layers = (uint32_t)(n * (n + 1) * 6);
            assert_int_equal(sample.count, packing == THAW_PACKING_CUBIC ? layers : layers / 2);
            double half[3] = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z};
            for (int a = 0; a < 3; a++) {
                double low = INFINITY, high = -INFINITY;
                for (uint32_t i = 0; i < sample.count; i++) {
                    low = fmin(low, sample.sites[i][a]);
                    high = fmax(high, sample.sites[i][a]);
                }
                assert_true(fabs(low + half[a] - 0.5 * pitch) < 1e-12);
                assert_true(fabs(half[a] - high - 0.5 * pitch) < 1e-12);
            }
            thaw_free(sample.sites);
        }
    }
}

static bool holds_site(const Sample *sample, ThawVec3 p) {
    for (uint32_t i = 0; i < sample->count; i++) {
        const double *s = sample->sites[i];
        if (fabs(s[0] - p.x) + fabs(s[1] - p.y) + fabs(s[2] - p.z) < 1e-9) return true;
    }
    return false;
}

// All sites are inside, and every lattice neighbour of a site is a site or outside: the sample is a
// perfect lattice without gaps.
static void check_perfect(const ThawShape *shape, int dimensions, ThawPacking packing,
                          ThawQuat orientation, ThawQuat lattice_turn) {
    double near[12][3];
    double reach =
        packing == THAW_PACKING_CLOSE ? 1.001 * thaw_lattice_distance(dimensions, 1.0) : 1.001;
    uint32_t degree = thaw_lattice_neighbors(packing, dimensions, 1.0, reach, near, 12);
    Sample sample = take(shape, dimensions, 1.0, packing, orientation);
    assert_true(sample.count > 20);
    for (uint32_t i = 0; i < sample.count; i++) {
        ThawVec3 p = {sample.sites[i][0], sample.sites[i][1], sample.sites[i][2]};
        assert_true(thaw_shape_local_distance(shape, p) < 0.0);
        if (dimensions == 2) assert_true(fabs(thaw_pose_apply(shape->pose, p).z) < 1e-12);
        for (uint32_t n = 0; n < degree; n++) {
            ThawVec3 offset = {near[n][0], near[n][1], near[n][2]};
            ThawVec3 q = thaw_add(p, thaw_quat_rotate(lattice_turn, offset));
            bool inside = thaw_shape_local_distance(shape, q) < -1e-8;
            if (inside != holds_site(&sample, q)) {
                fail_msg("kind %d: neighbour %d of site %d", (int)shape->kind, (int)n, (int)i);
            }
        }
    }
    thaw_free(sample.sites);
}

static void samples_are_perfect_lattices_without_gaps(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_PLANE; kind++) {
        for (uint64_t n = 0; n < 2; n++) {
            // somewhat smaller shapes, for the sake of the brute force
            ThawShape shape = random_shape((ThawShapeKind)kind, 40 + n);
            shape.size = thaw_scale(shape.size, 0.7);
            shape.radius *= 0.6;
            shape.height *= 0.5;
            shape.tube *= 0.4;
            ThawQuat turn = random_turn(n);
            ThawPacking packing = n % 2 == 0 ? THAW_PACKING_CLOSE : THAW_PACKING_CUBIC;
            check_perfect(&shape, 3, packing, turn, turn);
            check_perfect(&shape, 3, packing, thaw_quat_identity(), thaw_quat_identity());
        }
    }
}

// 2D: the lattice lies in the world's plane, however the shape is tilted and lifted
static void flat_samples_lie_in_the_cross_section(void **state) {
    (void)state;
    ThawShape box = thaw_shape_box(thaw_vec(3, 4, 2), thaw_vec(9, 12, 10));
    box = thaw_shape_rotate(box, thaw_vec(0, 0, 1), 0.3);
    // about z: the lattice turns with the box
    check_perfect(&box, 2, THAW_PACKING_CLOSE, thaw_quat_identity(), thaw_quat_identity());
    ThawShape lying = thaw_shape_capsule(thaw_vec(-6, 0, 1), thaw_vec(6, 0, 1), 4.0);
    // rows stay along world x: undo the pose
    ThawQuat undo = thaw_quat_conjugate(lying.pose.rotation);
    check_perfect(&lying, 2, THAW_PACKING_CLOSE, thaw_quat_identity(), undo);
    check_perfect(&lying, 2, THAW_PACKING_CUBIC, thaw_quat_identity(), undo);
    Sample sample = take(&lying, 2, 1.0, THAW_PACKING_CLOSE, thaw_quat_identity());
    double area = 3.14159265358979323846 * 15.0 + 24.0 * sqrt(15.0);
    assert_true(fabs(sample.count / area - 1.0) < 0.03);
    thaw_free(sample.sites);
}

static void shape_that_misses_the_plane_has_no_sites(void **state) {
    (void)state;
    ThawShape ball = thaw_shape_sphere(thaw_vec(0, 0, 6), 5);
    Sample sample = take(&ball, 2, 1.0, THAW_PACKING_CLOSE, thaw_quat_identity());
    assert_int_equal(sample.count, 0);
    assert_null(sample.sites);
}

static void tiny_shapes_hold_what_fits(void **state) {
    (void)state;
    ThawShape speck = thaw_shape_sphere(thaw_vec(0, 0, 0), 0.1);
    Sample none = take(&speck, 3, 1.0, THAW_PACKING_CLOSE, thaw_quat_identity());
    assert_int_equal(none.count, 0);
    assert_null(none.sites);
    ThawShape grain = thaw_shape_sphere(thaw_vec(0, 0, 0), 0.62);
    Sample one = take(&grain, 3, 1.0, THAW_PACKING_CLOSE, thaw_quat_identity());
    assert_int_equal(one.count, 1);
    thaw_free(one.sites);
}

static void samples_do_not_depend_on_the_place_of_the_shape(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_PLANE; kind++) {
        ThawShape here = random_shape((ThawShapeKind)kind, 70);
        ThawShape there = here;
        there.pose.position = thaw_vec(1e4, -3e3, 500);
        there = thaw_shape_rotate(there, thaw_vec(1, 2, 3), 0.9);
        Sample a = take(&here, 3, 1.0, THAW_PACKING_CLOSE, thaw_quat_identity());
        Sample b = take(&there, 3, 1.0, THAW_PACKING_CLOSE, thaw_quat_identity());
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.sites, b.sites, a.count * sizeof *a.sites);
        thaw_free(a.sites);
        thaw_free(b.sites);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    double(*sites)[3] = NULL;
    uint32_t count = 7;
    ThawQuat none = thaw_quat_identity();
    ThawShape plane = thaw_shape_plane(thaw_vec(0, 0, 0), thaw_vec(0, 0, 1));
    assert_int_equal(thaw_shape_sample(&plane, 3, 1.0, THAW_PACKING_CLOSE, none, &sites, &count),
                     THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_error_text(), "bounded"));
    ThawShape ball = thaw_shape_sphere(thaw_vec(0, 0, 0), 1.0);
    const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(
            thaw_shape_sample(&ball, 3, bad[i], THAW_PACKING_CLOSE, none, &sites, &count),
            THAW_BAD_INPUT);
        assert_non_null(strstr(thaw_error_text(), "spacing"));
    }
    // more than 2^31 sites; and few sites, but more rows than anyone would wait for
    assert_int_equal(thaw_shape_sample(&ball, 3, 1e-4, THAW_PACKING_CLOSE, none, &sites, &count),
                     THAW_BAD_INPUT);
    ThawShape sheet = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(1e-12, 1e6, 1e6));
    assert_int_equal(thaw_shape_sample(&sheet, 3, 1.0, THAW_PACKING_CLOSE, none, &sites, &count),
                     THAW_BAD_INPUT);
    assert_null(sites);
    assert_int_equal(count, 7);
}

static void ten_million_sites_take_less_than_2_s(void **state) {
    (void)state;
#ifdef THAW_TEST_SANITIZED
    double scale = 0.25;
#else
    double scale = 1.0;
#endif
    ThawShape shape =
        thaw_shape_torus(thaw_vec(0, 0, 0), thaw_vec(1, 0, 0), 150 * scale, 58 * scale);
    clock_t start = clock();
    Sample sample = take(&shape, 3, 1.0, THAW_PACKING_CLOSE, random_turn(1));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_true(sample.count > 9.9e6 * scale * scale * scale);
    assert_true(seconds < 2.0);
    thaw_free(sample.sites);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_lattices_fill_every_shape_within_3_percent),
        cmocka_unit_test(straight_lattices_fill_round_shapes_within_3_percent),
        cmocka_unit_test(straight_boxes_are_filled_to_half_a_layer),
        cmocka_unit_test(boxes_of_17_layers_are_filled_within_3_percent),
        cmocka_unit_test(boxes_of_whole_layers_are_filled_exactly),
        cmocka_unit_test(samples_are_perfect_lattices_without_gaps),
        cmocka_unit_test(flat_samples_lie_in_the_cross_section),
        cmocka_unit_test(shape_that_misses_the_plane_has_no_sites),
        cmocka_unit_test(tiny_shapes_hold_what_fits),
        cmocka_unit_test(samples_do_not_depend_on_the_place_of_the_shape),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(ten_million_sites_take_less_than_2_s),
    };
    return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
