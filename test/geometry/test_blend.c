// Blends: the smooth minimum against a brute-force one, distances that never say too much, volumes against
// counts and closed forms, fillings at any orientation.
#include "base/memory.h"
#include "geometry/distance.h"
#include "geometry/sampling.h"
#include "math/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static uint64_t seed = 7;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

// a small bear: body, head, ears, limbs; about 20 spacings of 0.05 tall
static const ThawBall bear[] = {{{0, 0, 0.45}, 0.32},       {{0, 0, 0.95}, 0.24},
                                {{0.17, 0, 1.15}, 0.09},    {{-0.17, 0, 1.15}, 0.09},
                                {{0.3, 0.05, 0.6}, 0.13},   {{-0.3, 0.05, 0.6}, 0.13},
                                {{0.18, 0.08, 0.12}, 0.16}, {{-0.18, 0.08, 0.12}, 0.16}};
#define BEAR 8

static ThawShape bear_shape(double smooth) {
    return thaw_shape_blend(bear, BEAR, smooth);
}

static ThawVec3 random_point(void) {
    return thaw_vec(uniform(-0.8, 0.8), uniform(-0.8, 0.8), uniform(-0.4, 1.6));
}

static double union_distance(const ThawShape *s, ThawVec3 p) {
    double least = INFINITY;
    for (int k = 0; k < s->ball_count; k++) {
        double d = thaw_length(thaw_sub(p, s->balls[k].center)) - s->balls[k].radius;
        least = fmin(least, d);
    }
    return least;
}

static void without_smoothing_a_blend_is_the_union(void **state) {
    (void)state;
    ThawShape s = bear_shape(0);
    for (int k = 0; k < 5000; k++) {
        ThawVec3 p = random_point();
        assert_true(thaw_shape_local_distance(&s, p) == union_distance(&s, p));
    }
}

static void two_balls_blend_by_the_quadratic_minimum(void **state) {
    (void)state;
    const ThawBall balls[2] = {{{0, 0, 0}, 0.5}, {{0.8, 0.1, 0}, 0.4}};
    const double smooth = 0.3;
    ThawShape s = thaw_shape_blend(balls, 2, smooth);
    for (int k = 0; k < 5000; k++) {
        ThawVec3 p = random_point();
        double a = thaw_length(thaw_sub(p, balls[0].center)) - balls[0].radius;
        double b = thaw_length(thaw_sub(p, balls[1].center)) - balls[1].radius;
        double h = fmax(smooth - fabs(a - b), 0) / smooth;
        double expected = fmin(a, b) - h * h * smooth / 4;
        assert_true(fabs(thaw_shape_local_distance(&s, p) - expected) < 1e-14);
    }
}

// the definition, min over weights, is met from above by any weights that one tries
static void no_weights_give_less_than_the_blend(void **state) {
    (void)state;
    const double smooth = 0.2;
    ThawShape s = bear_shape(smooth);
    for (int k = 0; k < 300; k++) {
        ThawVec3 p = random_point();
        double least = thaw_shape_local_distance(&s, p);
        for (int n = 0; n < 200; n++) {
            double w[BEAR], sum = 0, value = -0.5 * smooth;
            for (int b = 0; b < BEAR; b++) sum += w[b] = pow(uniform(0, 1), n % 12);
            for (int b = 0; b < BEAR; b++) {
                double d = thaw_length(thaw_sub(p, bear[b].center)) - bear[b].radius;
                value += w[b] / sum * d + 0.5 * smooth * w[b] / sum * w[b] / sum;
            }
            assert_true(value >= least - 1e-12);
        }
        assert_true(least <= union_distance(&s, p) + 1e-15);
        assert_true(least >= union_distance(&s, p) - 0.5 * smooth);
    }
}

static void order_of_the_balls_does_not_matter(void **state) {
    (void)state;
    ThawBall turned[BEAR];
    for (int k = 0; k < BEAR; k++) turned[k] = bear[(k * 3 + 2) % BEAR];
    ThawShape a = bear_shape(0.25), b = thaw_shape_blend(turned, BEAR, 0.25);
    for (int k = 0; k < 3000; k++) {
        ThawVec3 p = random_point();
        double x = thaw_shape_local_distance(&a, p), y = thaw_shape_local_distance(&b, p);
        assert_true(fabs(x - y) < 1e-14);
    }
}

// 1-Lipschitz: |distance| is then never above the way to the surface, which sampling relies on
static void distances_never_change_faster_than_one_moves(void **state) {
    (void)state;
    const double smooth[3] = {0, 0.1, 0.6};
    for (int n = 0; n < 3; n++) {
        ThawShape s = bear_shape(smooth[n]);
        for (int k = 0; k < 8000; k++) {
            ThawVec3 p = random_point();
            ThawVec3 step = thaw_scale(random_point(), k % 2 == 0 ? 1 : 1e-3);
            ThawVec3 q = thaw_add(p, step);
            double change = thaw_shape_local_distance(&s, q) - thaw_shape_local_distance(&s, p);
            assert_true(fabs(change) <= thaw_length(step) * (1 + 1e-12) + 1e-14);
        }
    }
}

static void normals_point_along_the_slope(void **state) {
    (void)state;
    ThawShape s = bear_shape(0.15);
    const double e = 1e-6;
    int off = 0;
    for (int k = 0; k < 2000; k++) {
        ThawVec3 p = random_point(), n = thaw_shape_local_normal(&s, p);
        assert_true(fabs(thaw_length(n) - 1) < 1e-12);
        double d[3];
        for (int a = 0; a < 3; a++) {
            ThawVec3 step = {a == 0 ? e : 0, a == 1 ? e : 0, a == 2 ? e : 0};
            d[a] = thaw_shape_local_distance(&s, thaw_add(p, step)) -
                   thaw_shape_local_distance(&s, thaw_sub(p, step));
        }
        ThawVec3 slope = thaw_vec(d[0], d[1], d[2]);
        double length = thaw_length(slope);
        // in the middle of a seam inside there may be no slope
        if (length < 0.1 * 2 * e) continue;
        off += thaw_length(thaw_sub(thaw_scale(slope, 1 / length), n)) > 1e-3;
    }
    assert_true(off <= 2);
}

static void bounds_hold_the_blend(void **state) {
    (void)state;
    ThawShape s = bear_shape(0.4);
    ThawVec3 low, high;
    assert_true(thaw_shape_local_bounds(&s, &low, &high));
    for (int k = 0; k < 100000; k++) {
        ThawVec3 p = random_point();
        if (thaw_shape_local_distance(&s, p) >= 0) continue;
        assert_true(p.x >= low.x && p.y >= low.y && p.z >= low.z);
        assert_true(p.x <= high.x && p.y <= high.y && p.z <= high.z);
    }
}

// ---------------------------------------------------------------- volumes

// share of a grid of points, 110 a side (880 in 2D)
static double counted(const ThawShape *s, int dimensions) {
    enum { SIDE = 110 };
    double step = 2.4 / SIDE;
    uint32_t inside = 0;
    for (int k = 0; k < (dimensions == 3 ? SIDE : 1); k++) {
        for (int j = 0; j < SIDE * (dimensions == 2 ? 8 : 1); j++) {
            for (int i = 0; i < SIDE * (dimensions == 2 ? 8 : 1); i++) {
                double fine = dimensions == 2 ? step / 8 : step;
                ThawVec3 p = {(i + 0.5) * fine - 1.2, (j + 0.5) * fine - 1.2,
                              dimensions == 3 ? (k + 0.5) * fine - 0.6 : 0};
                inside += thaw_shape_distance(s, p) < 0;
            }
        }
    }
    return inside * (dimensions == 3 ? step * step * step : step * step / 64);
}

static void volumes_are_counts_within_half_a_percent(void **state) {
    (void)state;
    const double smooth[3] = {0, 0.1, 0.4};
    for (int n = 0; n < 3; n++) {
        ThawShape s = bear_shape(smooth[n]);
        double volume = thaw_shape_volume(&s, 3), expected = counted(&s, 3);
        if (!(fabs(volume / expected - 1) < 0.005)) {
            fail_msg("smooth %g: %g, not %g", smooth[n], volume, expected);
        }
        // turned and moved it has the same
        ThawShape turned = thaw_shape_rotate(s, thaw_vec(1, 2, 3), 0.9);
        turned.pose.position = thaw_vec(5, 6, -7);
        assert_true(fabs(thaw_shape_volume(&turned, 3) / volume - 1) < 1e-12);
    }
}

static void areas_are_counts_within_half_a_percent(void **state) {
    (void)state;
    for (int turn = 0; turn < 3; turn++) {
        ThawShape s = bear_shape(0.12);
        s.pose.position = thaw_vec(0.1, turn == 0 ? -0.1 : 0.5, turn == 0 ? -0.5 : 0);
        if (turn > 0) s = thaw_shape_rotate(s, thaw_vec(1, 0.2 * turn - 0.2, 0), PI / 2);
        double area = thaw_shape_volume(&s, 2), expected = counted(&s, 2);
        if (!(fabs(area / expected - 1) < 0.005)) fail_msg("%d: %g, not %g", turn, area, expected);
        ThawShape flat;
        assert_true(thaw_shape_section(&s, &flat));
    }
    ThawShape above = bear_shape(0.1), flat;
    above.pose.position.z = 5;
    assert_true(thaw_shape_volume(&above, 2) == 0);
    assert_false(thaw_shape_section(&above, &flat));
}

// balls in closed form: one, many small ones far from each other, and a large one with small ones
static void lone_balls_have_their_own_volume(void **state) {
    (void)state;
    ThawBall balls[THAW_BALLS];
    double expected = 0, area = 0;
    for (int k = 0; k < THAW_BALLS; k++) {
        double r = k == 0 ? 1.0 : uniform(0.2, 0.4);
        balls[k] = (ThawBall){{10.0 * (k % 8), 10.0 * (k / 8), 0}, r};
        expected += 4.0 / 3.0 * PI * r * r * r;
        area += PI * r * r;
    }
    ThawShape s = thaw_shape_blend(balls, THAW_BALLS, 0.3);
    assert_true(fabs(thaw_shape_volume(&s, 3) / expected - 1) < 0.005);
    assert_true(fabs(thaw_shape_volume(&s, 2) / area - 1) < 0.005);
    s = thaw_shape_blend(balls, 1, 0.3);
    assert_true(fabs(thaw_shape_volume(&s, 3) / (4.0 / 3.0 * PI) - 1) < 0.005);
    assert_true(fabs(thaw_shape_volume(&s, 2) / PI - 1) < 0.005);
}

// ---------------------------------------------------------------- filling

static uint32_t count_sites(const ThawShape *shape, int dimensions, double spacing, ThawQuat turn) {
    double(*sites)[3] = NULL;
    uint32_t count = 0;
    assert_int_equal(
        thaw_shape_sample(shape, dimensions, spacing, THAW_PACKING_CLOSE, turn, &sites, &count),
        THAW_OK);
    for (uint32_t k = 0; k < count; k++) {
        ThawVec3 p = {sites[k][0], sites[k][1], sites[k][2]};
        assert_true(thaw_shape_local_distance(shape, p) < 0);
    }
    thaw_free(sites);
    return count;
}

// all lattice points inside are found: the same count as asking point by point
static void fillings_meet_their_volume_within_3_percent(void **state) {
    (void)state;
    for (int n = 0; n < 12; n++) {
        ThawShape s = bear_shape(n % 3 * 0.06);
        s.pose.position = thaw_vec(uniform(-3, 3), uniform(-3, 3), uniform(-3, 3));
        s = thaw_shape_rotate(s, random_point(), uniform(0, 3));
        ThawQuat turn = thaw_quat_turn(random_point(), n == 0 ? 0 : uniform(0, 3));
        double target = thaw_shape_volume(&s, 3) / pow(0.05, 3);
        double error = count_sites(&s, 3, 0.05, turn) / target - 1;
        if (!(fabs(error) < 0.03)) fail_msg("%d: %+.2f %%", n, 100 * error);
        // and in 2D a cut through the middle
        s = thaw_shape_rotate(bear_shape(0.06), thaw_vec(1, 0, 0), PI / 2);
        s = thaw_shape_rotate(s, thaw_vec(0, 0, 1), uniform(0, 3));
        target = thaw_shape_volume(&s, 2) / pow(0.03, 2);
        error = count_sites(&s, 2, 0.03, turn) / target - 1;
        if (!(fabs(error) < 0.03)) fail_msg("2D %d: %+.2f %%", n, 100 * error);
    }
}

// ---------------------------------------------------------------- checks

static void refuses(const ThawBall *balls, int count, double smooth, const char *word) {
    ThawShape s = thaw_shape_blend(balls, count, smooth);
    assert_int_equal(thaw_shape_check(&s, "body 'x'"), THAW_BAD_INPUT);
    if (strstr(thaw_error_text(), word) == NULL) fail_msg("%s", thaw_error_text());
    assert_non_null(strstr(thaw_error_text(), "body 'x'"));
}

static void bad_blends_are_refused_by_field(void **state) {
    (void)state;
    ThawBall balls[65];
    for (int k = 0; k < 65; k++) balls[k] = (ThawBall){{k, 0, 0}, 1};
    ThawShape s = thaw_shape_blend(balls, 64, 0);
    assert_int_equal(thaw_shape_check(&s, "x"), THAW_OK);
    refuses(balls, 65, 0, "1 to 64 balls");
    refuses(balls, 0, 0, "balls");
    refuses(balls, -1, 0, "balls");
    refuses(NULL, 3, 0, "balls");
    refuses(balls, 2, -0.1, "smooth");
    refuses(balls, 2, NAN, "smooth");
    refuses(balls, 2, INFINITY, "smooth");
    balls[1].radius = 0;
    refuses(balls, 2, 0, "balls[1].radius");
    balls[1].radius = NAN;
    refuses(balls, 2, 0, "balls[1].radius");
    balls[0].center.y = INFINITY;
    refuses(balls, 1, 0, "balls[0].center");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_smoothing_a_blend_is_the_union),
        cmocka_unit_test(two_balls_blend_by_the_quadratic_minimum),
        cmocka_unit_test(no_weights_give_less_than_the_blend),
        cmocka_unit_test(order_of_the_balls_does_not_matter),
        cmocka_unit_test(distances_never_change_faster_than_one_moves),
        cmocka_unit_test(normals_point_along_the_slope),
        cmocka_unit_test(bounds_hold_the_blend),
        cmocka_unit_test(volumes_are_counts_within_half_a_percent),
        cmocka_unit_test(areas_are_counts_within_half_a_percent),
        cmocka_unit_test(lone_balls_have_their_own_volume),
        cmocka_unit_test(fillings_meet_their_volume_within_3_percent),
        cmocka_unit_test(bad_blends_are_refused_by_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
