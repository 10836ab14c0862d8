// Framing: everything is in the picture, and fills it.
#include "rig.h"

#include "math/random.h"
#include "math/vec.h"
#include "render/camera.h"

#define ROUNDS 2000

static double draw(uint64_t round, uint64_t purpose) {
    return thaw_random_unit(7, round, 0, purpose);
}

// where a point lands: −1..1 on both axes
static void project(const ThawLens *lens, ThawVec3 p, double *x, double *y) {
    ThawVec3 d = thaw_sub(p, lens->eye);
    double depth = thaw_dot(d, lens->forward);
    assert_true(depth > 0);
    *x = thaw_dot(d, lens->right) / depth / lens->reach_x;
    *y = thaw_dot(d, lens->up) / depth / lens->reach_y;
}

typedef struct Extent {
    double low_x, high_x, low_y, high_y;
} Extent;

static Extent project_box(const ThawCamera *camera, double aspect, ThawVec3 lower, ThawVec3 upper) {
    ThawLens lens;
    assert_ok(thaw_lens_make(camera, aspect, &lens));
    Extent e = {1e9, -1e9, 1e9, -1e9};
    for (int k = 0; k < 8; k++) {
        double x, y;
        project(&lens,
                thaw_vec(k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y,
                         k & 4 ? upper.z : lower.z),
                &x, &y);
        e.low_x = fmin(e.low_x, x);
        e.high_x = fmax(e.high_x, x);
        e.low_y = fmin(e.low_y, y);
        e.high_y = fmax(e.high_y, y);
    }
    return e;
}

static void every_box_is_inside_the_picture_and_fills_it(void **state) {
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        double size = pow(10, 12 * draw(round, 1) - 6);
        ThawVec3 lower = {size * (20 * draw(round, 2) - 10), size * (20 * draw(round, 3) - 10),
                          size * (20 * draw(round, 4) - 10)};
        ThawVec3 upper = thaw_add(
            lower, thaw_vec(size * draw(round, 5), size * draw(round, 6), size * draw(round, 7)));
        int up = (int)(round % 3), dimensions = round % 5 == 0 ? 2 : 3;
        if (dimensions == 2) lower.z = upper.z = 0;
        double aspect = pow(4, 2 * draw(round, 8) - 1);
        ThawCamera camera = thaw_camera_framing(lower, upper, up, dimensions, aspect);
        Extent e = project_box(&camera, aspect, lower, upper);
        assert_true(e.low_x > -0.93 && e.high_x < 0.93 && e.low_y > -0.93 && e.high_y < 0.93);
        // one of the two directions is used up
        assert_true(e.high_x - e.low_x > 1.6 || e.high_y - e.low_y > 1.6);
    }
}

static void up_is_up(void **state) {
    (void)state;
    for (int up = 0; up < 3; up++) {
        ThawVec3 lower = {-1, -1, -1}, upper = {1, 1, 1};
        ThawCamera camera = thaw_camera_framing(lower, upper, up, 3, 1.5);
        ThawLens lens;
        assert_ok(thaw_lens_make(&camera, 1.5, &lens));
        ThawVec3 axis = thaw_vec(up == 0, up == 1, up == 2);
        double x0, y0, x1, y1;
        project(&lens, thaw_vec(0, 0, 0), &x0, &y0);
        project(&lens, axis, &x1, &y1);
        assert_true(y1 > y0 + 0.2);
        // upright but for the perspective away from the picture's middle
        assert_true(fabs(x1 - x0) < 0.1);
        // seen from above
        assert_true(thaw_dot(lens.forward, axis) < -0.2);
    }
}

static void flat_worlds_are_seen_straight_on(void **state) {
    (void)state;
    ThawVec3 lower = {0, 0, -0.1}, upper = {2, 1, 0.1};
    ThawCamera camera = thaw_camera_framing(lower, upper, 1, 2, 16.0 / 9);
    ThawLens lens;
    assert_ok(thaw_lens_make(&camera, 16.0 / 9, &lens));
    double x0, y0, x1, y1;
    project(&lens, thaw_vec(0, 0, -0.1), &x0, &y0);
    project(&lens, thaw_vec(0, 0, 0.1), &x1, &y1);
    // hardly any perspective, x to the right, y up
    assert_true(fabs(x1 - x0) < 0.01 && fabs(y1 - y0) < 0.01);
    project(&lens, thaw_vec(2, 1, 0), &x1, &y1);
    assert_true(x1 > x0 + 1 && y1 > y0 + 1);
}

static void odd_bounds_give_a_usable_camera(void **state) {
    (void)state;
    const double odd[] = {0, -1, NAN, INFINITY, 1e300, 1e-300};
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            ThawVec3 lower = {odd[a], 0, odd[b]}, upper = {odd[b], odd[a], 0};
            ThawCamera camera = thaw_camera_framing(lower, upper, a - 1, b, odd[a]);
            ThawLens lens;
            assert_ok(thaw_lens_make(&camera, 1, &lens));
        }
    }
}

static void unusable_cameras_are_refused(void **state) {
    (void)state;
    ThawLens lens;
    ThawCamera good = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, 0.5}, bad = good;
    assert_ok(thaw_lens_make(&good, 1, &lens));
    bad.fov = 0;
    assert_refused(thaw_lens_make(&bad, 1, &lens), "fov");
    bad.fov = NAN;
    assert_refused(thaw_lens_make(&bad, 1, &lens), "fov");
    bad = good;
    bad.target = bad.eye;
    assert_refused(thaw_lens_make(&bad, 1, &lens), "eye");
    bad = good;
    bad.eye.y = INFINITY;
    assert_refused(thaw_lens_make(&bad, 1, &lens), "eye");
    // looking along up is fine: some other way is up then
    bad = good;
    bad.up = thaw_vec(1, 0, 0);
    assert_ok(thaw_lens_make(&bad, 1, &lens));
    assert_true(fabs(thaw_length(lens.right) - 1) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_box_is_inside_the_picture_and_fills_it),
        cmocka_unit_test(up_is_up),
        cmocka_unit_test(flat_worlds_are_seen_straight_on),
        cmocka_unit_test(odd_bounds_give_a_usable_camera),
        cmocka_unit_test(unusable_cameras_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
