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
#include "geometry/field.h"
#include "support/forms.h"

#define BRUTE 48 // grid points along a diameter
#define FINE 112 // the same where cells are cut exactly
#define COLLIDERS 4

static uint64_t seed = 7;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

typedef struct Setting {
    ThawQuadrature quadrature;
    ThawDomain domain;
    ThawCollider colliders[COLLIDERS];
    ThawObstacle obstacles[COLLIDERS];
    int count;
} Setting;

static void prepare(Setting *s, int dimensions, ThawKernel kernel) {
    s->domain = (ThawDomain){.dimensions = dimensions, .cell = 1.0};
    s->quadrature.dimensions = 0;
    thaw_quadrature_make(&s->quadrature, kernel, dimensions, THAW_ISA_AUTO);
    s->count = 0;
}

static void add(Setting *s, ThawShape shape, bool container) {
    s->colliders[s->count] = (ThawCollider){.shape = shape, .container = container};
    ThawWallStep step = {
        .domain = &s->domain, .colliders = s->colliders, .collider_count = COLLIDERS, .dt = 1.0};
    assert_true(thaw_obstacle_make(&s->obstacles[s->count], &step, (uint32_t)s->count));
    s->count++;
}

static ThawSolid measure(const Setting *s, ThawVec3 at, double h) {
    ThawFacing facings[COLLIDERS];
    for (int k = 0; k < s->count; k++) {
        int64_t start[3] = {thaw_fixed_from(at.x), thaw_fixed_from(at.y), thaw_fixed_from(at.z)};
        facings[k] = thaw_face(&s->obstacles[k],
                               thaw_obstacle_see(&s->obstacles[k], &s->domain, start).still);
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
    print_message("%-28s share %.5f gradient %.4f\n", what, worst.share, worst.gradient);
}

// ---------------------------------------------------------------- flat faces, against a fine twin

// how much of a cell of a grid lies in the solid: exact for faces along the grid's axes
static double overlap(double low, double high, double at, double size) {
    double from = fmax(low, at - 0.5 * size), to = fmin(high, at + 0.5 * size);
    return to > from ? (to - from) / size : 0;
}

typedef struct Flat {
    double low[3], high[3];
    bool keeps_in;
} Flat;

static double cover(const Flat *flat, int dimensions, const double at[3], const double q[3]) {
    double part = 1;
    for (int a = 0; a < dimensions; a++) {
        part *= overlap(flat->low[a] - at[a], flat->high[a] - at[a], q[a], 2.0 / FINE);
    }
    return part;
}

// the solid of boxes with faces along the axes, on a fine grid; those that keep out do not overlap
static double fine(const Flat *flats, int count, int dimensions, ThawKernel kernel,
                   const double at[3]) {
    double whole = 0, solid = 0, size = 2.0 / FINE;
    int layers = dimensions == 2 ? 1 : FINE;
    Flat room = {{-1e3, -1e3, -1e3}, {1e3, 1e3, 1e3}, true};
    for (int f = 0; f < count; f++) {
        for (int a = 0; a < 3 && flats[f].keeps_in; a++) {
            room.low[a] = fmax(room.low[a], flats[f].low[a]);
            room.high[a] = fmin(room.high[a], flats[f].high[a]);
        }
    }
    for (int c = 0; c < layers * FINE * FINE; c++) {
        int place[3] = {c % FINE, c / FINE % FINE, c / FINE / FINE};
        double q[3], square = 0, open = 1;
        for (int a = 0; a < 3; a++) {
            q[a] = a < dimensions ? (place[a] + 0.5) * size - 1 : 0;
            square += q[a] * q[a];
        }
        if (square >= 1) continue;
        for (int f = 0; f < count; f++) {
            if (!flats[f].keeps_in) open -= cover(&flats[f], dimensions, at, q);
        }
        double w = thaw_kernel_value(kernel, dimensions, sqrt(square), 1.0);
        whole += w;
        solid += w * (1 - cover(&room, dimensions, at, q) * open);
    }
    return solid / whole;
}

static Flat flat_box(ThawVec3 center, ThawVec3 size, bool keeps_in) {
    return (Flat){{center.x - 0.5 * size.x, center.y - 0.5 * size.y, center.z - 0.5 * size.z},
                  {center.x + 0.5 * size.x, center.y + 0.5 * size.y, center.z + 0.5 * size.z},
                  keeps_in};
}

static Flat flat_floor(int axis, double at) {
    Flat flat = {{-1e3, -1e3, -1e3}, {1e3, 1e3, 1e3}, true};
    flat.low[axis] = at;
    return flat;
}

// a plane for a room without end on five sides, otherwise a box
static ThawShape shape_of(const Flat *flat, int dimensions) {
    ThawVec3 low = {flat->low[0], flat->low[1], flat->low[2]};
    ThawVec3 high = {flat->high[0], flat->high[1], flat->high[2]};
    for (int a = 0; a < 3; a++) {
        if (flat->low[a] < -100 || flat->high[a] < 100) continue;
        ThawVec3 normal = {a == 0, a == 1, a == 2};
        return thaw_shape_plane(thaw_scale(normal, flat->low[a]), normal);
    }
    if (dimensions == 2) low.z = -1, high.z = 1;
    return thaw_shape_box(thaw_scale(thaw_add(low, high), 0.5), thaw_sub(high, low));
}

// The setting turned as a whole by a random rotation, measured at `at` and compared.
static void compare_fine(Setting *s, const Flat *flats, int count, const double at[3],
                         Worst *worst) {
    int dimensions = s->domain.dimensions;
    ThawVec3 spin = dimensions == 2 ? thaw_vec(0, 0, 1) : random_direction(3);
    ThawQuat turn = thaw_quat_turn(spin, uniform(0, 6.283));
    s->count = 0;
    for (int f = 0; f < count; f++) {
        ThawShape shape = shape_of(&flats[f], dimensions);
        // a level plane is not seen in 2D
        if (dimensions == 2 && shape.kind == THAW_SHAPE_PLANE && flats[f].low[2] > -100) continue;
        shape.pose.position = thaw_quat_rotate(turn, shape.pose.position);
        shape.pose.rotation = thaw_quat_mul(turn, shape.pose.rotation);
        add(s, shape, flats[f].keeps_in && shape.kind == THAW_SHAPE_BOX);
    }
    ThawSolid solid = measure(s, thaw_quat_rotate(turn, thaw_vec(at[0], at[1], at[2])), 1.0);
    ThawVec3 g = {(double)solid.gradient[0], (double)solid.gradient[1], (double)solid.gradient[2]};
    g = thaw_quat_rotate(thaw_quat_conjugate(turn), g);
    double exact = fine(flats, count, dimensions, s->quadrature.kernel, at), square = 0;
    double got[3] = {g.x, g.y, g.z};
    for (int a = 0; a < dimensions; a++) {
        double to[3] = {at[0], at[1], at[2]}, e = 2.0 / FINE;
        to[a] = at[a] + e;
        double more = fine(flats, count, dimensions, s->quadrature.kernel, to);
        to[a] = at[a] - e;
        double less = fine(flats, count, dimensions, s->quadrature.kernel, to);
        got[a] -= (more - less) / (2 * e);
        square += got[a] * got[a];
    }
    worst->share = fmax(worst->share, fabs((double)solid.share - exact));
    worst->gradient = fmax(worst->gradient, sqrt(square) / s->quadrature.area[THAW_WALL_TABLE / 2]);
}

#define FLAT_SHARE 1e-3
#define FLAT_GRADIENT 5e-3

// random places, at each with another kernel, in 2D and 3D
static void check_flats(const Flat *flats, int count, double reach, const char *what) {
    static Setting s;
    Worst worst = {0, 0};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int k = 0; k < (dimensions == 2 ? 20 : 4); k++) {
            double at[3] = {uniform(0, reach), uniform(0, reach),
                            dimensions == 2 ? 0 : uniform(0, reach)};
            prepare(&s, dimensions, (ThawKernel)(k % THAW_KERNEL_COUNT));
            compare_fine(&s, flats, count, at, &worst);
        }
    }
    check_worst(worst, FLAT_SHARE, FLAT_GRADIENT, what);
}

static void insides_of_boxes_are_exact(void **state) {
    (void)state;
    Flat wide = flat_box(thaw_vec(1.3, 1.2, 1.1), thaw_vec(2.6, 2.4, 2.2), true);
    Flat narrow = flat_box(thaw_vec(0.2, 0.5, 0.3), thaw_vec(0.6, 1.0, 3.0), true);
    check_flats(&wide, 1, 1.0, "container");
    check_flats(&narrow, 1, 0.4, "narrow container");
}

static void outsides_of_boxes_are_exact(void **state) {
    (void)state;
    Flat block = flat_box(thaw_vec(-1, -1, -1), thaw_vec(2.4, 2.6, 2.5), false);
    Flat slab = flat_box(thaw_vec(-2, -2, 0.1), thaw_vec(5, 6, 0.3), false);
    check_flats(&block, 1, 0.8, "box");
    check_flats(&slab, 1, 0.9, "slab");
}

static void tanks_of_planes_are_exact(void **state) {
    (void)state;
    Flat tank[3] = {flat_floor(0, 0), flat_floor(1, -0.1), flat_floor(2, -0.2)};
    check_flats(tank, 3, 0.9, "tank of planes");
    // a floor within the box that stands on it changes nothing
    Flat twice[2] = {flat_box(thaw_vec(2, 2, 2), thaw_vec(4, 4, 4), true), flat_floor(1, 0)};
    check_flats(twice, 2, 0.9, "box and its floor");
}

static void boxes_standing_in_boxes_are_exact(void **state) {
    (void)state;
    // sunk into the floor, so that the twin's cells are cut once
    Flat flats[3] = {flat_box(thaw_vec(2, 2, 2), thaw_vec(4, 4, 4), true),
                     flat_box(thaw_vec(1, 1, 0), thaw_vec(0.6, 0.8, 0.8), false),
                     flat_box(thaw_vec(1, 0, 0.2), thaw_vec(0.4, 1.2, 0.2), false)};
    check_flats(flats, 2, 0.9, "box on a floor");
    check_flats(flats, 3, 0.9, "boxes on a floor");
}

static void nothing_pulls_along_an_edge(void **state) {
    (void)state;
    static Setting s;
    for (int container = 0; container < 2; container++) {
        prepare(&s, 3, THAW_KERNEL_POLY6);
        s.count = 0;
        add(&s, thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(9, 4, 4)), container == 1);
        double d = container == 1 ? -0.37 : 0.37;
        ThawSolid solid = measure(&s, thaw_vec(0.1, 2 + d, 2 + 0.5 * d), 1.0);
        assert_true(solid.gradient[0] == 0 && solid.gradient[1] != 0 && solid.gradient[2] != 0);
    }
    s.count = 0;
    add(&s, thaw_shape_cylinder(thaw_vec(0, 0, -4), thaw_vec(0, 0, 4), 0.7), false);
    ThawSolid solid = measure(&s, thaw_vec(0.8, 0.6, 0.5), 1.0);
    assert_true(fabsf(solid.gradient[2]) < 1e-6f);
    assert_true(fabsf(solid.gradient[0] * 0.6f - solid.gradient[1] * 0.8f) < 1e-6f);
}

// largest jump of γ on a straight way in small steps, less what the slope explains
static double largest_jump(const Setting *s, ThawVec3 from, ThawVec3 to) {
    enum { STEPS = 2000 };
    double worst = 0, before = 0;
    for (int k = 0; k <= STEPS; k++) {
        ThawVec3 at = thaw_add(from, thaw_scale(thaw_sub(to, from), (double)k / STEPS));
        double now = (double)measure(s, at, 1.0).share;
        if (k > 0) worst = fmax(worst, fabs(now - before));
        before = now;
    }
    return worst - 1.3 * thaw_length(thaw_sub(to, from)) / STEPS;
}

static void the_solid_comes_and_goes_smoothly(void **state) {
    (void)state;
    static Setting s;
    prepare(&s, 3, THAW_KERNEL_POLY6);
    add(&s, thaw_shape_box(thaw_vec(3, 3, 3), thaw_vec(6, 6, 6)), true);
    add(&s, thaw_shape_sphere(thaw_vec(3, 0, 0), 0.8), false);
    ThawShape askew = thaw_shape_box(thaw_vec(0.5, 4, 0), thaw_vec(1, 1, 1));
    add(&s, thaw_shape_rotate(askew, thaw_vec(0, 0, 1), 0.4), false);
    add(&s, thaw_shape_box(thaw_vec(5, 5, 0.5), thaw_vec(1, 1, 1)), false);
    assert_true(largest_jump(&s, thaw_vec(0.3, 0.2, 0.3), thaw_vec(5.8, 0.2, 0.3)) < 2e-3);
    assert_true(largest_jump(&s, thaw_vec(0.2, 0.3, 1.2), thaw_vec(0.2, 5.8, 1.2)) < 2e-3);
    assert_true(largest_jump(&s, thaw_vec(3, 3, 3), thaw_vec(4.3, 4.2, 0.2)) < 2e-3);
    assert_true(largest_jump(&s, thaw_vec(2, 3, 3), thaw_vec(3, 0.3, 0.9)) < 2e-3);
}

// ---------------------------------------------------------------- anything

static void balls_are_measured(void **state) {
    (void)state;
    ThawShape ball = thaw_shape_sphere(thaw_vec(0, 0, 0), 1.0);
    check_worst(worst_beside(ball, false, 3, THAW_KERNEL_POLY6, 2, 20), 0.015, 0.1, "ball 3D");
    check_worst(worst_beside(ball, true, 3, THAW_KERNEL_POLY6, 2, 20), 0.015, 0.1, "hollow ball");
    check_worst(worst_beside(ball, false, 2, THAW_KERNEL_POLY6, 2, 40), 0.015, 0.1, "disc 2D");
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

// a ball, a torus and a mesh, each alone and together
static void every_instruction_set_gives_the_same_bits(void **state) {
    (void)state;
    static Setting s;
    Form form = form_torus(1.2, 0.5, 24);
    ThawField *field = form_field(&form, THAW_FIELD_SOLID, 0.2, 0);
    int rough = 0;
    for (int which = 1; which < 8; which++) {
        prepare(&s, 3, THAW_KERNEL_POLY6);
        ThawShape mesh = thaw_shape_mesh(field);
        mesh.pose.rotation = thaw_quat_turn(thaw_vec(1, 2, 3), 0.8);
        if (which & 1) add(&s, mesh, false);
        if (which & 2) add(&s, thaw_shape_sphere(thaw_vec(1.5, 0, 1), 1), false);
        if (which & 4) {
            add(&s, thaw_shape_torus(thaw_vec(0, 1, 0.3), thaw_vec(0, 1, 1), 1, 0.4), false);
        }
        for (int k = 0; k < 300; k++) {
            ThawVec3 at = {uniform(-3, 3), uniform(-3, 3), uniform(-2, 2)};
            ThawSolid first = {0};
            for (ThawIsa isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
                ThawIsa found;
                if (thaw_isa_resolve(isa, &found) != THAW_OK) continue;
                thaw_quadrature_make(&s.quadrature, THAW_KERNEL_POLY6, 3, found);
                ThawSolid solid = measure(&s, at, 1);
                if (isa == THAW_ISA_BASELINE) first = solid;
                assert_memory_equal(&solid, &first, sizeof solid);
                rough += solid.share > 0 && solid.share < 1;
            }
        }
    }
    assert_true(rough > 500);
    thaw_field_release(field);
    form_free(&form);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_walls_are_exact_at_any_angle),
        cmocka_unit_test(half_space_slope_is_its_area),
        cmocka_unit_test(the_points_alone_measure_flat_walls),
        cmocka_unit_test(insides_of_boxes_are_exact),
        cmocka_unit_test(outsides_of_boxes_are_exact),
        cmocka_unit_test(tanks_of_planes_are_exact),
        cmocka_unit_test(boxes_standing_in_boxes_are_exact),
        cmocka_unit_test(nothing_pulls_along_an_edge),
        cmocka_unit_test(the_solid_comes_and_goes_smoothly),
        cmocka_unit_test(balls_are_measured),
        cmocka_unit_test(other_shapes_and_kernels_are_measured),
        cmocka_unit_test(two_colliders_count_as_their_union),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
