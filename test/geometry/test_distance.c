// Shapes: distances against dense surface samples, normals against differences, volumes against
// counts, cross-sections, and what the check refuses.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "geometry/distance.h"
#include "math/vec.h"

#define PI 3.14159265358979323846
#define GRID 240

static uint64_t seed = 1;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static ThawShape example(int kind) {
    ThawVec3 o = {0, 0, 0};
    switch (kind) {
    case THAW_SHAPE_BOX: return thaw_shape_box(o, thaw_vec(1.0, 1.4, 0.6));
    case THAW_SHAPE_SPHERE: return thaw_shape_sphere(o, 0.7);
    case THAW_SHAPE_CAPSULE: return thaw_shape_capsule(o, thaw_vec(0, 0, 1.2), 0.4);
    case THAW_SHAPE_CYLINDER: return thaw_shape_cylinder(o, thaw_vec(0, 0, 1.1), 0.5);
    case THAW_SHAPE_CONE: return thaw_shape_cone(o, thaw_vec(0, 0, 1.3), 0.6);
    case THAW_SHAPE_TORUS: return thaw_shape_torus(o, thaw_vec(0, 0, 1), 0.7, 0.25);
    default: return thaw_shape_plane(o, thaw_vec(0, 0, 1));
    }
}

// profile of a solid of revolution: t in 0..1 runs once along it
static void profile(const ThawShape *s, double t, double *rho, double *z) {
    double r = s->radius, half = 0.5 * s->height, a = PI * t;
    switch (s->kind) {
    case THAW_SHAPE_SPHERE: *rho = r * sin(a), *z = r * cos(a); break;
    case THAW_SHAPE_CAPSULE:
        a = t < 0.4 ? PI / 2 * t / 0.4 : t > 0.6 ? PI / 2 * (1 + (t - 0.6) / 0.4) : PI / 2;
        *rho = r * sin(a);
        *z = r * cos(a) + (t < 0.4 ? half : t > 0.6 ? -half : half * (0.5 - t) / 0.1);
        break;
    case THAW_SHAPE_CYLINDER:
        *rho = t < 0.25 ? r * t / 0.25 : t > 0.75 ? r * (1 - t) / 0.25 : r;
        *z = t < 0.25 ? half : t > 0.75 ? -half : half * (0.5 - t) / 0.25;
        break;
    case THAW_SHAPE_CONE:
        *rho = t < 0.3 ? r * t / 0.3 : r * (1 - t) / 0.7;
        *z = t < 0.3 ? 0 : s->height * (t - 0.3) / 0.7;
        break;
    default: *rho = r + s->tube * cos(2 * a), *z = s->tube * sin(2 * a); break;
    }
}

static ThawVec3 surface_point(const ThawShape *s, int i, int j) {
    double u = (double)i / GRID, v = (double)j / GRID;
    if (s->kind == THAW_SHAPE_PLANE) return thaw_vec(6 * u - 3, 6 * v - 3, 0);
    if (s->kind == THAW_SHAPE_BOX) {
        // six faces share the first index
        int face = i * 6 / (GRID + 1);
        double a = (double)(i % 40) / 39 - 0.5, b = v - 0.5, c = face % 2 ? 0.5 : -0.5;
        double p[3];
        p[face / 2] = c, p[(face / 2 + 1) % 3] = a, p[(face / 2 + 2) % 3] = b;
        return thaw_vec(p[0] * s->size.x, p[1] * s->size.y, p[2] * s->size.z);
    }
    double rho, z;
    profile(s, u, &rho, &z);
    return thaw_vec(rho * cos(2 * PI * v), rho * sin(2 * PI * v), z);
}

static double brute_distance(const ThawShape *s, ThawVec3 p) {
    double least = 1e30;
    for (int i = 0; i <= GRID; i++) {
        for (int j = 0; j <= GRID; j++) {
            ThawVec3 d = thaw_sub(surface_point(s, i, j), p);
            least = fmin(least, thaw_dot(d, d));
        }
    }
    return sqrt(least);
}

// inside by the shape's plain definition
static bool contains(const ThawShape *s, ThawVec3 p) {
    double rho = hypot(p.x, p.y), half = 0.5 * s->height, r = s->radius;
    switch (s->kind) {
    case THAW_SHAPE_BOX:
        return fabs(p.x) < s->size.x / 2 && fabs(p.y) < s->size.y / 2 && fabs(p.z) < s->size.z / 2;
    case THAW_SHAPE_SPHERE: return thaw_length(p) < r;
    case THAW_SHAPE_CAPSULE: return hypot(rho, fmax(fabs(p.z) - half, 0)) < r;
    case THAW_SHAPE_CYLINDER: return rho < r && fabs(p.z) < half;
    case THAW_SHAPE_CONE: return p.z > 0 && rho < r * (1 - p.z / s->height);
    case THAW_SHAPE_TORUS: return hypot(rho - r, p.z) < s->tube;
    default: return p.z < 0;
    }
}

static ThawVec3 random_point(void) {
    return thaw_vec(uniform(-1.5, 1.5), uniform(-1.5, 1.5), uniform(-1.5, 1.5));
}

static void distances_are_those_of_the_closest_surface_samples(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_KINDS; kind++) {
        ThawShape s = example(kind);
        for (int k = 0; k < 150; k++) {
            ThawVec3 p = random_point();
            double d = thaw_shape_local_distance(&s, p), brute = brute_distance(&s, p);
            assert_int_equal(d < 0, contains(&s, p));
            assert_true(brute >= fabs(d) - 1e-9);
            assert_true(brute <= fabs(d) + 0.02); // half the diagonal of the sample grid
        }
    }
}

static void normals_are_the_slope_of_the_distance(void **state) {
    (void)state;
    const double e = 1e-6;
    int off = 0;
    for (int kind = 0; kind < THAW_SHAPE_KINDS; kind++) {
        ThawShape s = example(kind);
        for (int k = 0; k < 2000; k++) {
            ThawVec3 p = random_point(), n = thaw_shape_local_normal(&s, p);
            double fx = thaw_shape_local_distance(&s, thaw_add(p, thaw_vec(e, 0, 0))) -
                        thaw_shape_local_distance(&s, thaw_sub(p, thaw_vec(e, 0, 0)));
            double fy = thaw_shape_local_distance(&s, thaw_add(p, thaw_vec(0, e, 0))) -
                        thaw_shape_local_distance(&s, thaw_sub(p, thaw_vec(0, e, 0)));
            double fz = thaw_shape_local_distance(&s, thaw_add(p, thaw_vec(0, 0, e))) -
                        thaw_shape_local_distance(&s, thaw_sub(p, thaw_vec(0, 0, e)));
            ThawVec3 slope = thaw_scale(thaw_vec(fx, fy, fz), 1 / (2 * e));
            assert_true(fabs(thaw_length(n) - 1) < 1e-12);
            off += thaw_length(thaw_sub(slope, n)) > 1e-4;
        }
    }
    // differences straddle a medial surface now and then, with probability about e
    assert_true(off <= 1);
}

static void normals_exist_on_medial_axes(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_KINDS; kind++) {
        ThawShape s = example(kind);
        ThawVec3 places[] = {{0, 0, 0},       {0, 0, 0.1}, {0, 0, 5},  {0.7, 0, 0},
                             {0.5, 0.7, 0.3}, {0, 0, 1.3}, {0.6, 0, 0}};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            ThawVec3 n = thaw_shape_local_normal(&s, places[k]);
            assert_true(fabs(thaw_length(n) - 1) < 1e-12);
        }
    }
}

static void bounds_hold_the_shape_and_touch_it(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_PLANE; kind++) {
        ThawShape s = example(kind);
        ThawVec3 low, high, least = {9, 9, 9}, most = {-9, -9, -9};
        assert_true(thaw_shape_local_bounds(&s, &low, &high));
        for (int i = 0; i <= GRID; i++) {
            for (int j = 0; j <= GRID; j++) {
                ThawVec3 p = surface_point(&s, i, j);
                least = thaw_vec(fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z));
                most = thaw_vec(fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z));
            }
        }
        assert_true(thaw_length(thaw_sub(least, low)) < 1e-3);
        assert_true(thaw_length(thaw_sub(most, high)) < 1e-3);
    }
    ThawShape plane = example(THAW_SHAPE_PLANE);
    ThawVec3 low, high;
    assert_false(thaw_shape_local_bounds(&plane, &low, &high));
}

static void volumes_are_the_share_of_random_points(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_PLANE; kind++) {
        ThawShape s = example(kind);
        int inside = 0, total = 200000;
        for (int k = 0; k < total; k++) inside += contains(&s, random_point());
        double counted = 27.0 * inside / total;
        assert_true(fabs(thaw_shape_volume(&s, 3) - counted) < 0.03);
    }
    ThawShape plane = example(THAW_SHAPE_PLANE);
    assert_true(isinf(thaw_shape_volume(&plane, 3)) && isinf(thaw_shape_volume(&plane, 2)));
}

// area of {d(x, y, 0) < 0} by a plain count
static double counted_area(const ThawShape *s) {
    int inside = 0, side = 1000;
    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
            ThawVec3 p = {(i + 0.5) / side * 4 - 2, (j + 0.5) / side * 4 - 2, 0};
            inside += thaw_shape_distance(s, p) < 0;
        }
    }
    return 16.0 * inside / side / side;
}

static void areas_are_those_of_the_section_at_zero(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_PLANE; kind++) {
        for (int turn = 0; turn < 3; turn++) {
            ThawShape s = example(kind);
            s.pose.position = thaw_vec(0.1, 0.05, turn == 1 ? -0.1 : 0);
            if (turn == 1) s = thaw_shape_rotate(s, thaw_vec(1, 0, 0), PI / 2);
            if (turn == 2) s = thaw_shape_rotate(s, thaw_vec(1, 2, 0.5), 0.8);
            assert_true(fabs(thaw_shape_volume(&s, 2) - counted_area(&s)) < 0.012);
        }
    }
}

static void sections_keep_sign_and_never_overestimate(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_KINDS; kind++) {
        for (int turn = 0; turn < 3; turn++) {
            ThawShape s = example(kind), flat;
            s.pose.position.z = 0.11;
            if (turn == 1) s = thaw_shape_rotate(s, thaw_vec(0, 1, 0), PI / 2);
            if (turn == 2) s = thaw_shape_rotate(s, thaw_vec(1, 2, 0.5), 2.2);
            if (!thaw_shape_section(&s, &flat)) {
                for (int k = 0; k < 200; k++) {
                    ThawVec3 p = {uniform(-2, 2), uniform(-2, 2), 0};
                    assert_true(thaw_shape_distance(&s, p) >= 0);
                }
                continue;
            }
            for (int k = 0; k < 500; k++) {
                ThawVec3 p = {uniform(-2, 2), uniform(-2, 2), 0};
                ThawVec3 q = {uniform(-2, 2), uniform(-2, 2), 0};
                double a = thaw_shape_distance(&flat, p), b = thaw_shape_distance(&flat, q);
                assert_int_equal(a < 0, thaw_shape_distance(&s, p) < 0);
                assert_true(fabs(a - b) <= thaw_length(thaw_sub(p, q)) + 1e-9);
            }
        }
    }
}

static void turning_a_shape_turns_its_distances(void **state) {
    (void)state;
    ThawVec3 at = {0.3, -0.2, 0.5}, axis = {1, 2, -1};
    ThawShape s = thaw_shape_box(at, thaw_vec(1, 0.5, 0.2));
    ThawShape turned = thaw_shape_rotate(s, axis, 0.7);
    for (int k = 0; k < 100; k++) {
        ThawVec3 p = random_point();
        ThawVec3 q = thaw_add(at, thaw_quat_rotate(thaw_quat_turn(axis, 0.7), thaw_sub(p, at)));
        assert_true(fabs(thaw_shape_distance(&s, p) - thaw_shape_distance(&turned, q)) < 1e-12);
    }
}

static void constructors_put_shapes_between_their_ends(void **state) {
    (void)state;
    ThawVec3 a = {0.2, 0.1, -0.4}, b = {1.0, -0.5, 0.3};
    ThawShape shapes[] = {thaw_shape_capsule(a, b, 0.2), thaw_shape_cylinder(a, b, 0.2),
                          thaw_shape_cone(a, b, 0.2)};
    assert_true(fabs(thaw_shape_distance(&shapes[0], b) + 0.2) < 1e-12);
    assert_true(fabs(thaw_shape_distance(&shapes[0], a) + 0.2) < 1e-12);
    for (int k = 1; k < 3; k++) {
        assert_true(fabs(thaw_shape_distance(&shapes[k], a)) < 1e-12);
        assert_true(fabs(thaw_shape_distance(&shapes[k], b)) < 1e-12);
    }
    ThawShape plane = thaw_shape_plane(a, thaw_vec(0, 3, 4));
    assert_true(fabs(thaw_shape_distance(&plane, thaw_add(a, thaw_vec(1, 0.6, 0.8))) - 1) < 1e-12);
}

static void refuses(ThawShape shape, const char *word) {
    assert_int_equal(thaw_shape_check(&shape, "body 'x'"), THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_error_text(), word));
    assert_non_null(strstr(thaw_error_text(), "body 'x'"));
}

static void bad_shapes_are_refused_by_field(void **state) {
    (void)state;
    ThawVec3 o = {0, 0, 0}, up = {0, 0, 1};
    for (int kind = 0; kind < THAW_SHAPE_KINDS; kind++) {
        ThawShape s = example(kind);
        assert_int_equal(thaw_shape_check(&s, "x"), THAW_OK);
    }
    refuses(thaw_shape_box(o, thaw_vec(1, 0, 1)), "size");
    refuses(thaw_shape_box(o, thaw_vec(1, NAN, 1)), "size");
    refuses(thaw_shape_sphere(o, -1), "radius");
    refuses(thaw_shape_sphere(o, INFINITY), "radius");
    refuses(thaw_shape_sphere(thaw_vec(NAN, 0, 0), 1), "position");
    refuses(thaw_shape_cylinder(o, o, 1), "height");
    refuses(thaw_shape_cone(o, up, 0), "radius");
    refuses(thaw_shape_torus(o, up, 1, 0), "tube");
    refuses(thaw_shape_torus(o, up, 1, 1.5), "tube");
    ThawShape s = thaw_shape_sphere(o, 1);
    s.pose.rotation.w = 2;
    refuses(s, "rotation");
    s = thaw_shape_sphere(o, 1);
    s.kind = THAW_SHAPE_KINDS;
    refuses(s, "kind");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_closest_surface_samples),
        cmocka_unit_test(normals_are_the_slope_of_the_distance),
        cmocka_unit_test(normals_exist_on_medial_axes),
        cmocka_unit_test(bounds_hold_the_shape_and_touch_it),
        cmocka_unit_test(volumes_are_the_share_of_random_points),
        cmocka_unit_test(areas_are_those_of_the_section_at_zero),
        cmocka_unit_test(sections_keep_sign_and_never_overestimate),
        cmocka_unit_test(turning_a_shape_turns_its_distances),
        cmocka_unit_test(constructors_put_shapes_between_their_ends),
        cmocka_unit_test(bad_shapes_are_refused_by_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
