// Quaternions: what they do to vectors.
#include "math/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static void assert_vec_near(ThawVec3 a, ThawVec3 b, double tolerance) {
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

static double quat_norm(ThawQuat q) {
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

// angle between two rotations, without loss for small ones
static double angle_between(ThawQuat a, ThawQuat b) {
    ThawQuat r = thaw_quat_mul(thaw_quat_conjugate(a), b);
    return 2.0 * atan2(sqrt(r.x * r.x + r.y * r.y + r.z * r.z), fabs(r.w));
}

static void cross_is_right_handed(void **state) {
    (void)state;
    assert_vec_near(thaw_cross(thaw_vec(1, 0, 0), thaw_vec(0, 1, 0)), thaw_vec(0, 0, 1), 0);
    assert_vec_near(thaw_cross(thaw_vec(0, 1, 0), thaw_vec(0, 0, 1)), thaw_vec(1, 0, 0), 0);
}

static void normalize_gives_unit_length_at_any_scale(void **state) {
    (void)state;
    for (double scale = 1e-300; scale < 1e300; scale *= 1e50) {
        ThawQuat q = thaw_quat_normalize((ThawQuat){scale, -2 * scale, 3 * scale, 4 * scale});
        assert_near(quat_norm(q), 1.0, 1e-15);
        assert_near(q.w / q.x, 4.0, 1e-14);
        assert_true(q.y < 0);
    }
}

static void normalize_makes_zero_no_rotation(void **state) {
    (void)state;
    ThawQuat bad[] = {{0, 0, 0, 0}, {NAN, NAN, NAN, NAN}, {0, INFINITY, 0, 0}};
    for (int i = 0; i < 3; i++) {
        ThawQuat q = thaw_quat_normalize(bad[i]);
        assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
    }
}

static void turn_rotates_by_the_right_hand(void **state) {
    (void)state;
    ThawQuat quarter = thaw_quat_turn(thaw_vec(0, 0, 7), PI / 2);
    assert_vec_near(thaw_quat_rotate(quarter, thaw_vec(1, 0, 0)), thaw_vec(0, 1, 0), 1e-15);
    // a third of a turn about the diagonal permutes the axes
    ThawQuat third = thaw_quat_turn(thaw_vec(1, 1, 1), 2 * PI / 3);
    assert_vec_near(thaw_quat_rotate(third, thaw_vec(1, 2, 3)), thaw_vec(3, 1, 2), 1e-14);
}

static void turn_about_no_axis_turns_nothing(void **state) {
    (void)state;
    ThawQuat q = thaw_quat_turn(thaw_vec(0, 0, 0), 1.0);
    assert_vec_near(thaw_quat_rotate(q, thaw_vec(1, 2, 3)), thaw_vec(1, 2, 3), 0);
}

static void product_applies_the_right_factor_first(void **state) {
    (void)state;
    ThawQuat a = thaw_quat_turn(thaw_vec(1, 2, 3), 0.7),
             b = thaw_quat_turn(thaw_vec(-2, 1, 0), 1.9);
    ThawVec3 v = {0.3, -0.4, 0.5};
    ThawVec3 both = thaw_quat_rotate(thaw_quat_mul(a, b), v);
    assert_vec_near(both, thaw_quat_rotate(a, thaw_quat_rotate(b, v)), 1e-15);
}

static void from_z_carries_z_to_the_direction(void **state) {
    (void)state;
    ThawVec3 directions[] = {{0, 0, 1},           {0, 0, -1},        {1, 0, 0},
                             {0, -3, 0},          {1, 2, 3},         {-1, 2, -3},
                             {1e-9, 0, -1},       {0, 1e-12, -1},    {1e-170, 0, -1},
                             {1e-200, 0, 1e-200}, {1e200, 1e200, 0}, {0, 1e-9, 1}};
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        ThawVec3 d = directions[i];
        double largest = fmax(fmax(fabs(d.x), fabs(d.y)), fabs(d.z));
        d = thaw_scale(d, 1.0 / largest);
        d = thaw_scale(d, 1.0 / thaw_length(d));
        ThawQuat q = thaw_quat_from_z(directions[i]);
        assert_near(quat_norm(q), 1.0, 1e-15);
        assert_vec_near(thaw_quat_rotate(q, thaw_vec(0, 0, 1)), d, 4e-16);
    }
}

static void from_z_takes_the_shortest_turn(void **state) {
    (void)state;
    // the axis is at right angles to z and the angle is the one between the directions
    ThawQuat q = thaw_quat_from_z(thaw_vec(1, 1, 1));
    assert_true(q.z == 0.0);
    assert_near(angle_between(thaw_quat_identity(), q), acos(1 / sqrt(3.0)), 1e-15);
    ThawQuat none = thaw_quat_from_z(thaw_vec(0, 0, 0));
    assert_true(none.w == 1.0);
}

static void slerp_turns_at_constant_speed(void **state) {
    (void)state;
    ThawQuat a = thaw_quat_turn(thaw_vec(1, 2, 3), 0.2), b = thaw_quat_turn(thaw_vec(1, 2, 3), 2.2);
    for (int i = 0; i <= 10; i++) {
        ThawQuat q = thaw_quat_slerp(a, b, 0.1 * i);
        assert_near(angle_between(a, q), 0.2 * i, 1e-14);
        assert_near(angle_between(q, b), 2.0 - 0.2 * i, 1e-14);
    }
}

static void slerp_goes_the_short_way(void **state) {
    (void)state;
    ThawQuat a = thaw_quat_turn(thaw_vec(0, 0, 1), 0.1), b = thaw_quat_turn(thaw_vec(0, 0, 1), 0.5);
    ThawQuat minus = {-b.x, -b.y, -b.z, -b.w};
    assert_near(angle_between(thaw_quat_slerp(a, minus, 0.5), a), 0.2, 1e-15);
    // from +170° to −170° through 180°
    ThawQuat left = thaw_quat_turn(thaw_vec(0, 0, 1), 170 * PI / 180);
    ThawQuat right = thaw_quat_turn(thaw_vec(0, 0, 1), -170 * PI / 180);
    ThawVec3 middle = thaw_quat_rotate(thaw_quat_slerp(left, right, 0.5), thaw_vec(1, 0, 0));
    assert_vec_near(middle, thaw_vec(-1, 0, 0), 1e-15);
}

static void slerp_is_exact_for_nearly_equal_ends(void **state) {
    (void)state;
    ThawQuat a = thaw_quat_turn(thaw_vec(1, 2, 3), 0.3);
    for (double angle = 1e-3; angle > 1e-15; angle *= 0.1) {
        ThawQuat b = thaw_quat_mul(a, thaw_quat_turn(thaw_vec(0, 1, 0), angle));
        ThawQuat q = thaw_quat_slerp(a, b, 0.25);
        assert_near(quat_norm(q), 1.0, 1e-15);
        assert_near(angle_between(a, q), 0.25 * angle, 1e-15);
    }
    ThawQuat same = thaw_quat_slerp(a, a, 0.7);
    assert_near(angle_between(a, same), 0.0, 1e-15);
}

static void pose_invert_undoes_apply(void **state) {
    (void)state;
    ThawPose pose = {{1, -2, 3}, thaw_quat_turn(thaw_vec(3, 1, 2), 1.3)};
    ThawVec3 local = {0.1, 0.2, -0.3};
    assert_vec_near(thaw_pose_invert(pose, thaw_pose_apply(pose, local)), local, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_is_right_handed),
        cmocka_unit_test(normalize_gives_unit_length_at_any_scale),
        cmocka_unit_test(normalize_makes_zero_no_rotation),
        cmocka_unit_test(turn_rotates_by_the_right_hand),
        cmocka_unit_test(turn_about_no_axis_turns_nothing),
        cmocka_unit_test(product_applies_the_right_factor_first),
        cmocka_unit_test(from_z_carries_z_to_the_direction),
        cmocka_unit_test(from_z_takes_the_shortest_turn),
        cmocka_unit_test(slerp_turns_at_constant_speed),
        cmocka_unit_test(slerp_goes_the_short_way),
        cmocka_unit_test(slerp_is_exact_for_nearly_equal_ends),
        cmocka_unit_test(pose_invert_undoes_apply),
    };
    return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}
