// The solid fraction γ against exact half-spaces and brute-force quadrature, and its gradient
// against the slope of the exact γ.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "collision/walls_internal.h"

#define BRUTE 48 // grid points along a diameter

static uint64_t seed = 7;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

typedef struct Setting {
    ThawQuadrature quadrature;
    ThawDomain domain;
    ThawCollider colliders[2];
    ThawObstacle obstacles[2];
    int count;
} Setting;

static void prepare(Setting *s, int dimensions, ThawKernel kernel) {
    s->domain = (ThawDomain){.dimensions = dimensions, .cell = 1.0};
    s->quadrature.dimensions = 0;
    thaw_quadrature_make(&s->quadrature, kernel, dimensions);
    s->count = 0;
}

static void add(Setting *s, ThawShape shape, bool container) {
    s->colliders[s->count] = (ThawCollider){.shape = shape, .container = container};
    ThawWallStep step = {.domain = &s->domain,
                         .colliders = s->colliders,
                         .collider_count = 2,
                         .dt = 1.0};
    assert_true(thaw_obstacle_make(&s->obstacles[s->count], &step, (uint32_t)s->count));
    s->count++;
}

static ThawSolid measure(const Setting *s, ThawVec3 at, double h) {
    ThawFacing facings[2];
    for (int k = 0; k < s->count; k++) {
        int64_t start[3] = {thaw_fixed_from(at.x), thaw_fixed_from(at.y), thaw_fixed_from(at.z)};
        facings[k] = (ThawFacing){&s->obstacles[k],
                                  thaw_obstacle_see(&s->obstacles[k], &s->domain, start).still};
    }
    return thaw_solid_fraction(&s->quadrature, facings, s->count, h);
}

// γ by a fine grid with an indicator smoothed over a grid cell
static double brute(const Setting *s, ThawVec3 at, double h) {
    double whole = 0, solid = 0, step = 2 * h / BRUTE;
    int layers = s->domain.dimensions == 2 ? 1 : BRUTE;
    for (int k = 0; k < layers; k++) {
        for (int j = 0; j < BRUTE; j++) {
            for (int i = 0; i < BRUTE; i++) {
                ThawVec3 q = {(i + 0.5) * step - h, (j + 0.5) * step - h, (k + 0.5) * step - h};
                if (layers == 1) q.z = 0;
                double r = thaw_length(q);
                if (r >= h) continue;
                double w = thaw_kernel_value(s->quadrature.kernel, s->domain.dimensions, r, h);
                double d = 1e9;
                for (int o = 0; o < s->count; o++) {
                    double one = thaw_shape_distance(&s->colliders[o].shape, thaw_add(at, q));
                    d = fmin(d, s->obstacles[o].side * one);
                }
                double part = 0.5 - d / step;
                whole += w;
                solid += w * (part < 0 ? 0 : part > 1 ? 1 : part);
            }
        }
    }
    return solid / whole;
}

typedef struct Worst {
    double share, gradient; // the gradient's error in units of the flat wall's largest
} Worst;

static void compare(const Setting *s, ThawVec3 at, double h, Worst *worst) {
    ThawSolid solid = measure(s, at, h);
    double exact = brute(s, at, h), e = 0.02 * h, g[3] = {0};
    worst->share = fmax(worst->share, fabs((double)solid.share - exact));
    ThawVec3 along[3] = {{e, 0, 0}, {0, e, 0}, {0, 0, e}};
    for (int a = 0; a < s->domain.dimensions; a++) {
        g[a] = brute(s, thaw_add(at, along[a]), h) - brute(s, thaw_sub(at, along[a]), h);
    }
    double square = 0;
    for (int a = 0; a < 3; a++) {
        double off = (double)solid.gradient[a] - g[a] / (2 * e);
        square += off * off;
    }
    double largest = s->quadrature.area[THAW_WALL_TABLE / 2] / h;
    worst->gradient = fmax(worst->gradient, sqrt(square) / largest);
}

static ThawVec3 random_direction(int dimensions) {
    for (;;) {
        ThawVec3 v = {uniform(-1, 1), uniform(-1, 1), dimensions == 2 ? 0 : uniform(-1, 1)};
        double length = thaw_length(v);
        if (length > 0.1 && length < 1) return thaw_scale(v, 1 / length);
    }
}

static void random_turn(ThawShape *shape, int dimensions) {
    ThawVec3 axis = dimensions == 2 ? thaw_vec(0, 0, 1) : random_direction(3);
    *shape = thaw_shape_rotate(*shape, axis, uniform(0, 6.283));
}

// a random place outside by up to h beside the shape's surface
static ThawVec3 place_beside(const ThawShape *shape, int dimensions, double side, double h,
                             double reach) {
    for (;;) {
        ThawVec3 p = {uniform(-reach, reach), uniform(-reach, reach),
                      dimensions == 2 ? 0 : uniform(-reach, reach)};
        double d = side * thaw_shape_distance(shape, p);
        if (d > 0 && d < h) return p;
    }
}

static Worst worst_beside(ThawShape shape, bool container, int dimensions, ThawKernel kernel,
                          double reach, int tries) {
    static Setting s;
    Worst worst = {0, 0};
    for (int k = 0; k < tries; k++) {
        ThawShape turned = shape;
        double h = 1.0;
        random_turn(&turned, dimensions);
        prepare(&s, dimensions, kernel);
        add(&s, turned, container);
        compare(&s, place_beside(&turned, dimensions, container ? -1 : 1, h, reach), h, &worst);
    }
    return worst;
}

static void flat_walls_are_exact_at_any_angle(void **state) {
    (void)state;
    static Setting s;
    for (int kernel = 0; kernel < THAW_KERNEL_COUNT; kernel++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            prepare(&s, dimensions, (ThawKernel)kernel);
            for (int k = 0; k < 12; k++) {
                double h = uniform(0.5, 1.0), d = uniform(0, h);
                ThawVec3 n = random_direction(dimensions), at = thaw_scale(n, d);
                s.count = 0;
                add(&s, thaw_shape_plane(thaw_vec(0, 0, 0), n), false);
                ThawSolid solid = measure(&s, at, h);
                assert_true(fabs((double)solid.share - brute(&s, at, h)) < 0.004);
                // no push along the wall at all
                ThawVec3 g = {(double)solid.gradient[0], (double)solid.gradient[1],
                              (double)solid.gradient[2]};
                assert_true(thaw_length(thaw_add(g, thaw_scale(n, thaw_length(g)))) < 1e-5);
            }
        }
    }
}

static void half_space_slope_is_its_area(void **state) {
    (void)state;
    static Setting s;
    prepare(&s, 3, THAW_KERNEL_POLY6);
    double above, below, area, unused, centre;
    for (double x = -0.95; x < 0.96; x += 0.05) {
        thaw_quadrature_half_space(&s.quadrature, x + 1e-4, &above, &unused);
        thaw_quadrature_half_space(&s.quadrature, x - 1e-4, &below, &unused);
        thaw_quadrature_half_space(&s.quadrature, x, &unused, &area);
        assert_true(fabs((below - above) / 2e-4 - area) < 1e-3);
    }
    thaw_quadrature_half_space(&s.quadrature, 0, &centre, &area);
    assert_true(fabs(centre - 0.5) < 1e-9);
    // poly6 over the plane through its centre: 315 / (64 π) · π / 4
    assert_true(fabs(area - 315.0 / 256) < 1e-4);
}

static void the_points_alone_measure_flat_walls(void **state) {
    (void)state;
    // the bare points, without the exact half-space that the product starts from
    static Setting s;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        prepare(&s, dimensions, THAW_KERNEL_POLY6);
        for (int k = 0; k < 60; k++) {
            ThawVec3 n = random_direction(dimensions);
            double d = uniform(-1, 1), sum = 0, share, area;
            for (int i = 0; i < THAW_WALL_POINTS; i++) {
                double at = d + n.x * (double)s.quadrature.x[i] + n.y * (double)s.quadrature.y[i] +
                            n.z * (double)s.quadrature.z[i];
                double x = fmax(-1, fmin(1, at * (double)s.quadrature.sharpness[i]));
                sum += (double)s.quadrature.weight[i] * (1 - x) * (1 - x) * (2 + x) / 4;
            }
            thaw_quadrature_half_space(&s.quadrature, d, &share, &area);
            assert_true(fabs(sum - share) < 0.015);
        }
    }
}

static void check_worst(Worst worst, double share, double gradient, const char *what) {
    if (worst.share > share || worst.gradient > gradient) {
        fail_msg("%s: share off by %.4f, gradient by %.3f", what, worst.share, worst.gradient);
    }
    print_message("%-28s share %.4f gradient %.3f\n", what, worst.share, worst.gradient);
}

static void corners_of_containers_are_measured(void **state) {
    (void)state;
    ThawShape box = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(2.6, 2.4, 2.2));
    check_worst(worst_beside(box, true, 3, THAW_KERNEL_POLY6, 2.0, 30), 0.015, 0.1, "container 3D");
    check_worst(worst_beside(box, true, 2, THAW_KERNEL_POLY6, 2.0, 60), 0.015, 0.1, "container 2D");
}

static void edges_of_boxes_are_measured(void **state) {
    (void)state;
    ThawShape box = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(1.6, 1.4, 1.2));
    check_worst(worst_beside(box, false, 3, THAW_KERNEL_POLY6, 1.8, 30), 0.015, 0.1, "box 3D");
    check_worst(worst_beside(box, false, 2, THAW_KERNEL_POLY6, 1.8, 60), 0.015, 0.1, "box 2D");
}

static void balls_are_measured(void **state) {
    (void)state;
    ThawShape ball = thaw_shape_sphere(thaw_vec(0, 0, 0), 1.0);
    check_worst(worst_beside(ball, false, 3, THAW_KERNEL_POLY6, 2, 20), 0.015, 0.1, "ball 3D");
    check_worst(worst_beside(ball, true, 3, THAW_KERNEL_POLY6, 2, 20), 0.015, 0.1, "hollow ball");
    check_worst(worst_beside(ball, false, 2, THAW_KERNEL_POLY6, 2, 40), 0.015, 0.1, "disc 2D");
}

static void thin_walls_are_measured(void **state) {
    (void)state;
    ThawShape slab = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(8, 8, 0.5));
    check_worst(worst_beside(slab, false, 3, THAW_KERNEL_POLY6, 2, 30), 0.015, 0.1, "slab 3D");
    ThawShape bar = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(8, 0.5, 8));
    check_worst(worst_beside(bar, false, 2, THAW_KERNEL_POLY6, 2, 60), 0.015, 0.1, "slab 2D");
}

static void other_shapes_and_kernels_are_measured(void **state) {
    (void)state;
    ThawVec3 o = {0, 0, 0}, up = {0, 0, 1.6};
    ThawShape shapes[] = {thaw_shape_capsule(o, up, 0.8), thaw_shape_cylinder(o, up, 0.9),
                          thaw_shape_cone(o, up, 1.2), thaw_shape_torus(o, up, 1.2, 0.6)};
    for (int k = 0; k < 4; k++) {
        check_worst(worst_beside(shapes[k], false, 3, THAW_KERNEL_POLY6, 2.5, 8), 0.015, 0.1,
                    "round");
        check_worst(worst_beside(shapes[k], false, 3, (ThawKernel)k, 2.5, 8), 0.02, 0.15,
                    "round, other kernel");
    }
}

static void two_colliders_count_as_their_union(void **state) {
    (void)state;
    static Setting s;
    Worst worst = {0, 0};
    for (int k = 0; k < 15; k++) {
        prepare(&s, 3, THAW_KERNEL_POLY6);
        add(&s, thaw_shape_plane(thaw_vec(0, 0, 0), thaw_vec(0, 0, 1)), false);
        add(&s, thaw_shape_sphere(thaw_vec(0, 0, 0.2), 1.0), false);
        ThawVec3 at = {uniform(1.0, 1.6), uniform(-0.3, 0.3), uniform(0.1, 0.8)};
        compare(&s, at, 1.0, &worst);
    }
    check_worst(worst, 0.015, 0.1, "ball on a floor");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_walls_are_exact_at_any_angle),
        cmocka_unit_test(half_space_slope_is_its_area),
        cmocka_unit_test(the_points_alone_measure_flat_walls),
        cmocka_unit_test(corners_of_containers_are_measured),
        cmocka_unit_test(edges_of_boxes_are_measured),
        cmocka_unit_test(balls_are_measured),
        cmocka_unit_test(thin_walls_are_measured),
        cmocka_unit_test(other_shapes_and_kernels_are_measured),
        cmocka_unit_test(two_colliders_count_as_their_union),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
