// Broken meshes: open, doubled, turned, crossing, degenerate, without volume, and the shared models. All build; values
// are finite, do not jump, and say inside where the winding number does.
#include "geometry/bvh.h"
#include "geometry/field.h"
#include "geometry/field_bricks.h"
#include "math/vec.h"
#include "support/mesh_samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static ThawField *make_field(const Sample *sample, ThawFieldMode mode, double cell) {
    ThawMesh mesh = sample_mesh(sample);
    ThawFieldDef def = thaw_field_default();
    ThawField *field = NULL;
    ThawParallel *parallel;
    def.mode = mode;
    def.cell = cell;
    assert_int_equal(thaw_parallel_create(2, NULL, &parallel), THAW_OK);
    ThawResult result = thaw_field_build(&mesh, &def, parallel, false, &field);
    thaw_parallel_destroy(parallel);
    if (result != THAW_OK) print_message("%s\n", thaw_error_text());
    assert_int_equal(result, THAW_OK);
    return field;
}

static ThawVec3 random_in(uint64_t *seed, ThawVec3 low, ThawVec3 high, double margin) {
    double x = sample_uniform(seed, low.x - margin, high.x + margin);
    double y = sample_uniform(seed, low.y - margin, high.y + margin);
    return thaw_vec(x, y, sample_uniform(seed, low.z - margin, high.z + margin));
}

// ---------------------------------------------------------------- what holds for every field

// neighbouring points differ by no more than they are apart, and what interpolation adds; caps are not exact
static void assert_no_jumps(const ThawField *field, int points) {
    ThawFieldReport report = thaw_field_report(field);
    uint64_t seed = 17;
    int found = 0;
    for (int k = 0; k < 40 * points && found < points; k++) {
        ThawVec3 p = random_in(&seed, report.lower, report.upper, 3 * report.cell);
        double a = thaw_field_sample(field, p, NULL) / report.cell;
        assert_true(isfinite(a));
        if (fabs(a) > report.band - 1) continue;
        ThawVec3 q = random_in(&seed, p, p, 0.3 * report.cell);
        double b = thaw_field_sample(field, q, NULL) / report.cell;
        double apart = thaw_length(thaw_sub(p, q)) / report.cell;
        if (fabs(a - b) > 1.75 * apart + 0.35) {
            print_message("from %g to %g cells over %g at %g %g %g\n", a, b, apart, p.x, p.y, p.z);
        }
        assert_true(fabs(a - b) <= 1.75 * apart + 0.35);
        found++;
    }
    assert_true(found > points / 4);
}

// never farther from the surface than from the mesh
static void assert_not_too_far(const ThawField *field, int points) {
    ThawFieldReport report = thaw_field_report(field);
    uint64_t seed = 4;
    for (int k = 0; k < points; k++) {
        ThawVec3 p = random_in(&seed, report.lower, report.upper, 10 * report.cell);
        ThawBvhHit hit;
        assert_true(thaw_bvh_closest(field->bvh, p, INFINITY, &hit));
        double found = fabs(thaw_field_sample(field, p, NULL) + report.offset);
        assert_true(found <= hit.distance + report.offset + 0.6 * report.cell);
    }
}

// inside where the surface winds about a point, told from points not close to where the side changes
static void assert_sides(const ThawField *field, int points) {
    ThawFieldReport report = thaw_field_report(field);
    uint64_t seed = 8;
    int told = 0;
    for (int k = 0; k < points; k++) {
        ThawVec3 p = random_in(&seed, report.lower, report.upper, 5 * report.cell);
        double w = fabs(thaw_bvh_winding(field->bvh, p));
        double found = thaw_field_sample(field, p, NULL);
        if (fabs(w - 0.5) < 0.05 || fabs(found) < report.cell) continue;
        assert_true((found < 0) == (w > 0.5));
        told++;
    }
    assert_true(told > points / 3);
}

static void check_field(const Sample *sample, ThawFieldMode mode, double cell) {
    ThawField *field = make_field(sample, mode, cell);
    assert_no_jumps(field, 1000);
    assert_not_too_far(field, 500);
    if (mode == THAW_FIELD_SOLID) assert_sides(field, 1000);
    assert_true(isfinite(thaw_field_volume(field)) && thaw_field_volume(field) >= 0);
    thaw_field_release(field);
}

static void check_sample(const Sample *sample, double size) {
    check_field(sample, THAW_FIELD_SOLID, size / 17.3);
    check_field(sample, THAW_FIELD_SOLID, size / 48);
    check_field(sample, THAW_FIELD_SHELL, size / 24);
}

static double solid_volume(const Sample *sample, double cell) {
    ThawField *field = make_field(sample, THAW_FIELD_SOLID, cell);
    double volume = thaw_field_volume(field);
    thaw_field_release(field);
    return volume;
}

// ---------------------------------------------------------------- made ones

static const ThawVec3 zero = {0, 0, 0};

static void an_open_ball_is_closed_by_a_flat_cap(void **state) {
    (void)state;
    Sample ball = {0};
    uint32_t kept = 0;
    sample_ball(&ball, zero, 1, 32, 0);
    double rim = 1;
    for (uint32_t t = 0; t < ball.triangle_count; t++) {
        const uint32_t *c = ball.triangles[t];
        double top = fmax(ball.points[c[0]][2], fmax(ball.points[c[1]][2], ball.points[c[2]][2]));
        if (top > 0.4) continue;
        for (int k = 0; k < 3; k++) ball.triangles[kept][k] = c[k];
        kept++;
        rim = t == 0 ? top : fmin(rim, top);
    }
    ball.triangle_count = kept;
    rim = -1;
    for (uint32_t t = 0; t < kept; t++) {
        for (int k = 0; k < 3; k++) rim = fmax(rim, ball.points[ball.triangles[t][k]][2]);
    }
    check_sample(&ball, 2);
    double cell = 2.0 / 64;
    ThawField *field = make_field(&ball, THAW_FIELD_SOLID, cell);
    // the surface between is not quite flat, but bulges no more than the rest of the ball would
    double cut = PI * (2.0 / 3 + rim - rim * rim * rim / 3), whole = 4.0 / 3 * PI;
    double volume = thaw_field_volume(field);
    assert_true(volume > 0.97 * cut && volume < cut + 0.6 * (whole - cut));
    // above the hole the distance grows from the cap, far from any triangle
    double low = rim - 0.3, high = rim + 0.8;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        bool inside = thaw_field_sample(field, thaw_vec(0, 0, middle), NULL) < 0;
        low = inside ? middle : low;
        high = inside ? high : middle;
    }
    for (int k = -2; k <= 2; k++) {
        double d = thaw_field_sample(field, thaw_vec(0, 0, low + k * cell), NULL);
        assert_true(fabs(d / cell - k) < 0.35);
    }
    thaw_field_release(field);
    sample_free(&ball);
}

static void a_single_sheet_has_no_inside(void **state) {
    (void)state;
    Sample sheet = {0};
    for (int k = 0; k < 4; k++) sample_point(&sheet, k & 1, k >> 1, 0.1 * (k & 1));
    sample_triangle(&sheet, 0, 1, 3);
    sample_triangle(&sheet, 0, 3, 2);
    check_field(&sheet, THAW_FIELD_SHELL, 0.05);
    ThawField *field = make_field(&sheet, THAW_FIELD_SOLID, 0.05);
    assert_no_jumps(field, 1000);
    assert_true(thaw_field_volume(field) < 0.02 * 0.05); // of a cell's thickness
    thaw_field_release(field);
    sample_free(&sheet);
}

static void doubled_faces_change_nothing(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, zero, 1, 32, 0.1);
    double volume = solid_volume(&ball, 2.0 / 48);
    uint32_t count = ball.triangle_count;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t c[3] = {ball.triangles[t][0], ball.triangles[t][1], ball.triangles[t][2]};
        sample_triangle(&ball, c[0], c[1], c[2]);
    }
    check_sample(&ball, 2);
    assert_true(fabs(solid_volume(&ball, 2.0 / 48) / volume - 1) < 1e-3);
    sample_free(&ball);
}

static void turned_faces_change_nothing(void **state) {
    (void)state;
    Sample ball = {0};
    uint64_t seed = 6;
    sample_ball(&ball, zero, 1, 32, 0.1);
    double volume = solid_volume(&ball, 2.0 / 48);
    for (int share = 2; share <= 10; share += 4) { // up to all of them: inside out
        for (uint32_t t = 0; t < ball.triangle_count; t++) {
            if (sample_uniform(&seed, 0, 10) > share) continue;
            uint32_t swap = ball.triangles[t][1];
            ball.triangles[t][1] = ball.triangles[t][2];
            ball.triangles[t][2] = swap;
        }
        check_sample(&ball, 2);
        assert_true(fabs(solid_volume(&ball, 2.0 / 48) / volume - 1) < 1e-3);
    }
    sample_free(&ball);
}

static void crossing_parts_are_one_solid(void **state) {
    (void)state;
    Sample balls = {0};
    sample_ball(&balls, thaw_vec(-0.5, 0, 0), 1, 48, 0);
    sample_ball(&balls, thaw_vec(0.5, 0, 0), 1, 48, 0);
    check_sample(&balls, 3);
    // two balls less their lens of two caps of height 1/2
    double lens = 2 * PI * 0.25 * (3 - 0.5) / 3, volume = 8.0 / 3 * PI - lens;
    assert_true(fabs(solid_volume(&balls, 3.0 / 64) / volume - 1) < 1e-2);
    sample_free(&balls);
}

static void a_shell_turned_inwards_is_a_cavity(void **state) {
    (void)state;
    Sample balls = {0};
    sample_ball(&balls, zero, 0.5, 40, 0);
    for (uint32_t t = 0; t < balls.triangle_count; t++) {
        uint32_t swap = balls.triangles[t][1];
        balls.triangles[t][1] = balls.triangles[t][2];
        balls.triangles[t][2] = swap;
    }
    sample_ball(&balls, zero, 1, 40, 0);
    check_sample(&balls, 2);
    ThawField *field = make_field(&balls, THAW_FIELD_SOLID, 2.0 / 64);
    assert_true(thaw_field_sample(field, zero, NULL) > 0);
    assert_true(thaw_field_sample(field, thaw_vec(0.75, 0, 0), NULL) < 0);
    assert_true(fabs(thaw_field_volume(field) / (4.0 / 3 * PI * 0.875) - 1) < 1e-2);
    thaw_field_release(field);
    sample_free(&balls);
}

static void degenerate_faces_change_nothing(void **state) {
    (void)state;
    Sample box = {0};
    sample_box(&box, thaw_vec(-1, -1, -1), thaw_vec(1, 1, 1));
    uint32_t on = sample_point(&box, 1, 0, 0), same = sample_point(&box, 1, 0, 0);
    uint32_t along = sample_point(&box, 1, 0.5, 0), far = sample_point(&box, 1, 1, 0);
    sample_triangle(&box, on, on, on);
    sample_triangle(&box, on, same, along);
    sample_triangle(&box, on, along, far);
    sample_triangle(&box, 0, 0, 1);
    check_sample(&box, 2);
    assert_true(fabs(solid_volume(&box, 2.0 / 40) / 8 - 1) < 3e-3);
    sample_free(&box);
}

static void wings_without_volume_leave_the_body_alone(void **state) {
    (void)state;
    Sample body = {0};
    sample_ball(&body, zero, 1, 32, 0);
    for (int side = -1; side <= 1; side += 2) {
        uint32_t a = sample_point(&body, 0.2 * side, -0.5, 0);
        uint32_t b = sample_point(&body, 0.2 * side, 0.5, 0);
        uint32_t c = sample_point(&body, 2.5 * side, 0.3, 0.6);
        sample_triangle(&body, a, b, c); // both sides of the same wing
        sample_triangle(&body, a, c, b);
    }
    check_sample(&body, 5);
    assert_true(fabs(solid_volume(&body, 2.0 / 48) / (4.0 / 3 * PI) - 1) < 1.5e-2);
    // as a shell the wings are there
    ThawField *field = make_field(&body, THAW_FIELD_SHELL, 0.05);
    assert_true(thaw_field_sample(field, thaw_vec(2, 0.24, 0.6 * 1.8 / 2.3), NULL) < 0);
    thaw_field_release(field);
    sample_free(&body);
}

static void loose_triangles_build(void **state) {
    (void)state;
    Sample soup = {0};
    sample_soup(&soup, 300, 0.3, 3);
    ThawField *field = make_field(&soup, THAW_FIELD_SOLID, 1.0 / 32);
    assert_no_jumps(field, 1000);
    thaw_field_release(field);
    sample_free(&soup);
    // so many that caps are left out: finite all the same
    sample_soup(&soup, 3000, 0.1, 3);
    field = make_field(&soup, THAW_FIELD_SOLID, 1.0 / 16);
    assert_not_too_far(field, 500);
    thaw_field_release(field);
    check_field(&soup, THAW_FIELD_SHELL, 1.0 / 16);
    sample_free(&soup);
}

static void one_triangle_is_enough(void **state) {
    (void)state;
    Sample one = {0};
    sample_point(&one, 0, 0, 0);
    sample_point(&one, 1, 0, 0);
    sample_point(&one, 0.3, 0.8, 0.2);
    sample_triangle(&one, 0, 1, 2);
    for (int k = 0; k < 3; k++) {
        check_field(&one, THAW_FIELD_SHELL,
                    0.02 * pow(10, k)); // cells larger than the triangle too
        ThawField *field = make_field(&one, THAW_FIELD_SOLID, 0.02 * pow(10, k));
        assert_no_jumps(field, 200);
        thaw_field_release(field);
    }
    sample_free(&one);
}

// ---------------------------------------------------------------- shared models

static void shared_models_build_at_all_sizes(void **state) {
    (void)state;
    static const char *const names[] = {"teapot", "suzanne", "stanford-bunny", "beetle",
                                        "spot",   "cow",     "fandisk"};
    for (int k = 0; k < 7; k++) {
        char path[1024];
        Sample model = {0};
        snprintf(path, sizeof path, "%s/../shared/assets/%s.obj", THAW_SOURCE, names[k]);
        if (!sample_obj(&model, path)) {
            print_message("no %s: skipped\n", path);
            skip();
        }
        double low = INFINITY, high = -INFINITY;
        for (uint32_t n = 0; n < model.point_count; n++) {
            low = fmin(low, model.points[n][0]);
            high = fmax(high, model.points[n][0]);
        }
        check_field(&model, THAW_FIELD_SOLID, (high - low) / 20);
        check_field(&model, THAW_FIELD_SOLID, (high - low) / 60);
        check_field(&model, THAW_FIELD_SHELL, (high - low) / 40);
        sample_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_ball_is_closed_by_a_flat_cap),
        cmocka_unit_test(a_single_sheet_has_no_inside),
        cmocka_unit_test(doubled_faces_change_nothing),
        cmocka_unit_test(turned_faces_change_nothing),
        cmocka_unit_test(crossing_parts_are_one_solid),
        cmocka_unit_test(a_shell_turned_inwards_is_a_cavity),
        cmocka_unit_test(degenerate_faces_change_nothing),
        cmocka_unit_test(wings_without_volume_leave_the_body_alone),
        cmocka_unit_test(loose_triangles_build),
        cmocka_unit_test(one_triangle_is_enough),
        cmocka_unit_test(shared_models_build_at_all_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
