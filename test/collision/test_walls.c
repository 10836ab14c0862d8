// Walls against particles: nothing passes at any speed, friction and restitution follow their laws,
// results depend neither on threads nor on where the scene lies.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "collision/walls_internal.h"
#include "rig.h"

#define PI 3.14159265358979323846

static uint64_t seed = 11;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static ThawVec3 random_vector(int dimensions, double size) {
    return thaw_vec(uniform(-size, size), uniform(-size, size),
                    dimensions == 2 ? 0 : uniform(-size, size));
}

static ThawVec3 random_direction(int dimensions) {
    for (;;) {
        ThawVec3 v = random_vector(dimensions, 1);
        double length = thaw_length(v);
        if (length > 0.1 && length < 1) return thaw_scale(v, 1 / length);
    }
}

static ThawColliderDef collider_of(ThawShape shape) {
    ThawColliderDef def = thaw_collider_default();
    def.shape = shape;
    return def;
}

// metre-sized examples, 8 to 20 spacings across, askew (in 2D about z alone)
static ThawShape example(int kind, int dimensions) {
    ThawVec3 o = {0.05, -0.03, 0}, up = {0.05, -0.03, 2};
    ThawVec3 side = {1.5, 0.7, 0};
    ThawShape shapes[THAW_SHAPE_KINDS] = {
        thaw_shape_box(o, thaw_vec(2.0, 1.5, 2.5)),
        thaw_shape_sphere(o, 1.2),
        thaw_shape_capsule(o, dimensions == 2 ? side : up, 0.8),
        thaw_shape_cylinder(o, dimensions == 2 ? side : up, 0.9),
        thaw_shape_cone(o, dimensions == 2 ? side : up, 1.4),
        thaw_shape_torus(o, dimensions == 2 ? thaw_vec(0, 0, 1) : up, 1.2, 0.6),
        thaw_shape_plane(o, thaw_vec(1, 2, dimensions == 2 ? 0 : 0.5))};
    ThawVec3 axis = dimensions == 2 ? thaw_vec(0, 0, 1) : thaw_vec(1, 2, 3);
    return thaw_shape_rotate(shapes[kind], axis, 0.6);
}

static void put_randomly(Rig *rig, const ThawShape *shape, double side, double reach,
                         double speed) {
    int dimensions = rig->domain.dimensions;
    ThawShape flat = *shape;
    if (dimensions == 2) thaw_shape_section(shape, &flat);
    for (uint32_t i = 0; i < rig->store->count; i++) {
        ThawVec3 p;
        do {
            p = random_vector(dimensions, reach);
        } while (side * thaw_shape_distance(&flat, p) < RIG_CONTACT);
        rig_put(rig, i, p, thaw_scale(random_direction(dimensions), speed));
    }
}

static double least_distance(const Rig *rig, const ThawShape *shape, double side) {
    ThawShape flat = *shape;
    if (rig->domain.dimensions == 2) thaw_shape_section(shape, &flat);
    double least = 1e9;
    for (uint32_t i = 0; i < rig->store->count; i++) {
        least = fmin(least, side * thaw_shape_distance(&flat, rig_position(rig, i)));
    }
    return least;
}

// Whether the straight way between two places goes through the shape.
static bool passes_through(const ThawShape *shape, double side, ThawVec3 from, ThawVec3 to) {
    for (int k = 1; k < 24; k++) {
        ThawVec3 p = thaw_add(from, thaw_scale(thaw_sub(to, from), k / 24.0));
        if (side * thaw_shape_distance(shape, p) < 0) return true;
    }
    return false;
}

// 100 spacings a substep
#define SPEED (100 * RIG_SPACING / 0.01)

static void check_no_passing(int dimensions, uint32_t particles) {
    for (int kind = 0; kind <= THAW_SHAPE_PLANE; kind++) {
        for (int container = 0; container < 2; container++) {
            Rig rig;
            rig_open(&rig, dimensions, particles, 2);
            ThawShape shape = example(kind, dimensions);
            ThawColliderDef def = collider_of(shape);
            double side = container ? -1 : 1;
            def.container = container;
            rig_add(&rig, def);
            put_randomly(&rig, &shape, side, 4, SPEED);
            ThawVec3 *from = calloc(particles, sizeof *from);
            for (int k = 0; k < 3; k++) {
                for (uint32_t i = 0; i < particles; i++) from[i] = rig_position(&rig, i);
                rig_substep(&rig, thaw_vec(0, 0, 0));
                for (uint32_t i = 0; i < particles; i++) {
                    assert_false(passes_through(&shape, side, from[i], rig_position(&rig, i)));
                }
                double least = least_distance(&rig, &shape, side);
                if (least < 0.99 * RIG_CONTACT) fail_msg("kind %d: distance %g", kind, least);
                if (dimensions == 2) {
                    for (uint32_t i = 0; i < particles; i++) {
                        assert_int_equal(rig.store->cells[3 * i + 2], 0);
                    }
                }
                for (uint32_t i = 0; i < particles; i++) {
                    ThawVec3 v = thaw_scale(random_direction(dimensions), SPEED);
                    rig_put(&rig, i, rig_position(&rig, i), v);
                }
            }
            free(from);
            rig_close(&rig);
        }
    }
}

static void no_particle_enters_at_100_spacings_a_step(void **state) {
    (void)state;
    check_no_passing(3, 10000);
}

static void no_particle_enters_in_two_dimensions(void **state) {
    (void)state;
    check_no_passing(2, 3000);
}

static void a_wall_one_spacing_thick_keeps_its_sides_apart(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 10000, 2);
    rig_add(&rig, collider_of(thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(100, 100, RIG_SPACING))));
    for (uint32_t i = 0; i < 10000; i++) {
        double side = i % 2 ? 1 : -1;
        ThawVec3 p = {uniform(-9, 9), uniform(-9, 9), side * uniform(0.08, 2)};
        rig_put(&rig, i, p, thaw_scale(random_direction(3), SPEED));
    }
    for (int k = 0; k < 4; k++) {
        rig_substep(&rig, thaw_vec(0, 0, 0));
        for (uint32_t i = 0; i < 10000; i++) {
            ThawVec3 p = rig_position(&rig, i);
            assert_true((i % 2 ? p.z : -p.z) > RIG_SPACING / 2);
            if (fabs(p.x) > 40 || fabs(p.y) > 40) p = thaw_vec(0, 0, p.z); // keep it over the wall
            rig_put(&rig, i, p, thaw_vec(0, 0, (i % 2 ? -1 : 1) * SPEED));
        }
    }
    rig_close(&rig);
}

static void moving_colliders_let_nothing_in(void **state) {
    (void)state;
    for (int kind = 0; kind < THAW_SHAPE_PLANE; kind++) {
        for (int container = 0; container < 2; container++) {
            Rig rig;
            rig_open(&rig, 3, 4000, 2);
            ThawShape shape = example(kind, 3);
            ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}},
                                    {0.05, {1.5, -1, 0.5}, thaw_quat_turn(thaw_vec(1, 1, 0), 1.5)}};
            ThawColliderDef def = collider_of(shape);
            double side = container ? -1 : 1;
            def.container = container;
            def.motion = keys;
            def.motion_count = 2;
            rig_add(&rig, def);
            put_randomly(&rig, &shape, side, 4, 0.1 * SPEED);
            for (int k = 0; k < 6; k++) {
                rig_substep(&rig, thaw_vec(0, 0, -9.81));
                ThawShape now = shape;
                now.pose = thaw_collider_pose(&rig.colliders[0], rig.step.time);
                double least = least_distance(&rig, &now, side);
                if (least < 0.9 * RIG_CONTACT) fail_msg("kind %d: distance %g", kind, least);
            }
            rig_close(&rig);
        }
    }
}

static void a_static_wall_wins_against_a_moving_one(void **state) {
    (void)state;
    // a press comes down on particles that lie on a floor
    Rig rig;
    rig_open(&rig, 3, 500, 1);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0.1, {0, 0, -2}, {0, 0, 0, 1}}};
    ThawColliderDef press = collider_of(thaw_shape_box(thaw_vec(0, 0, 1.5), thaw_vec(9, 9, 1)));
    press.motion = keys;
    press.motion_count = 2;
    ThawShape floor = thaw_shape_plane(thaw_vec(0, 0, 0), thaw_vec(0, 0, 1));
    rig_add(&rig, press);
    rig_add(&rig, collider_of(floor));
    for (uint32_t i = 0; i < 500; i++) {
        rig_put(&rig, i, thaw_vec(uniform(-2, 2), uniform(-2, 2), uniform(0.1, 0.9)),
                random_vector(3, 1));
    }
    for (int k = 0; k < 12; k++) {
        rig_substep(&rig, thaw_vec(0, 0, -9.81));
        assert_true(least_distance(&rig, &floor, 1) > 0);
    }
    rig_close(&rig);
}

static void a_crowd_of_colliders_lets_nothing_in(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 5000, 2);
    ThawShape shapes[8] = {thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(4, 4, 4)),
                           thaw_shape_plane(thaw_vec(0, 0, -1.6), thaw_vec(0.3, 0, 1))};
    for (int k = 2; k < 8; k++) shapes[k] = thaw_shape_sphere(random_vector(3, 1.5), 0.6);
    for (int k = 0; k < 8; k++) {
        ThawColliderDef def = collider_of(shapes[k]);
        def.container = k == 0;
        rig_add(&rig, def);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        ThawVec3 p;
        double least;
        do {
            p = random_vector(3, 2);
            least = -thaw_shape_distance(&shapes[0], p);
            for (int k = 1; k < 8; k++) least = fmin(least, thaw_shape_distance(&shapes[k], p));
        } while (least < RIG_CONTACT);
        rig_put(&rig, i, p, thaw_scale(random_direction(3), SPEED));
    }
    for (int k = 0; k < 4; k++) {
        rig_substep(&rig, thaw_vec(0, 0, -9.81));
        for (int s = 0; s < 8; s++) {
            assert_true(least_distance(&rig, &shapes[s], s == 0 ? -1 : 1) > 0.9 * RIG_CONTACT);
        }
        for (uint32_t i = 0; i < 5000; i++) {
            rig_put(&rig, i, rig_position(&rig, i), thaw_scale(random_direction(3), SPEED));
        }
    }
    rig_close(&rig);
}

static void a_particle_placed_inside_is_brought_out_at_rest(void **state) {
    (void)state;
    for (int container = 0; container < 2; container++) {
        Rig rig;
        rig_open(&rig, 3, 300, 1);
        ThawShape box = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(1, 1.2, 1.4));
        ThawColliderDef def = collider_of(box);
        def.container = container;
        rig_add(&rig, def);
        for (uint32_t i = 0; i < 300; i++) {
            ThawVec3 p = random_vector(3, 0.4);
            if (container) p.x += 2;
            rig_put(&rig, i, p, thaw_vec(0, 0, 0));
        }
        rig_substep(&rig, thaw_vec(0, 0, 0));
        assert_true(least_distance(&rig, &box, container ? -1 : 1) > 0.99 * RIG_CONTACT);
        for (uint32_t i = 0; i < 300; i++) {
            assert_true(thaw_length(rig_velocity(&rig, i)) < 1e-4);
        }
        rig_close(&rig);
    }
}

// the velocity down a slope of 30 degrees after a second
static double slide_down(float friction) {
    Rig rig;
    rig_open(&rig, 3, 1, 1);
    ThawVec3 n = {0.5, 0, sqrt(0.75)};
    ThawColliderDef def = collider_of(thaw_shape_plane(thaw_vec(0, 0, 0), n));
    def.friction = friction;
    rig_add(&rig, def);
    rig_put(&rig, 0, thaw_scale(n, RIG_CONTACT), thaw_vec(0, 0, 0));
    for (int k = 0; k < 100; k++) rig_substep(&rig, thaw_vec(0, 0, -10));
    double speed = thaw_length(rig_velocity(&rig, 0));
    rig_close(&rig);
    return speed;
}

static void friction_holds_above_the_tangent_and_slows_below_it(void **state) {
    (void)state;
    // tan 30° = 0.577; below it the acceleration is g (sin − μ cos)
    assert_true(slide_down(0.7f) < 1e-6);
    assert_true(fabs(slide_down(0.0f) - 5.0) < 0.05);
    assert_true(fabs(slide_down(0.3f) - (5.0 - 0.3 * 10 * sqrt(0.75))) < 0.05);
}

static void friction_carries_particles_on_a_belt(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 1, 1);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {2, {1, 0, 0}, {0, 0, 0, 1}}};
    ThawColliderDef def = collider_of(thaw_shape_box(thaw_vec(0, 0, -0.5), thaw_vec(9, 9, 1)));
    def.friction = 0.5f;
    def.motion = keys;
    def.motion_count = 2;
    rig_add(&rig, def);
    rig_put(&rig, 0, thaw_vec(0, 0, RIG_CONTACT), thaw_vec(0, 0, 0));
    for (int k = 0; k < 100; k++) rig_substep(&rig, thaw_vec(0, 0, -10));
    ThawVec3 v = rig_velocity(&rig, 0);
    assert_true(fabs(v.x - 0.5) < 1e-3 && fabs(v.y) < 1e-6);
    rig_close(&rig);
}

// velocity after a fall at an angle onto a floor
static ThawVec3 bounce(float restitution) {
    Rig rig;
    rig_open(&rig, 3, 1, 1);
    ThawColliderDef def = collider_of(thaw_shape_plane(thaw_vec(0, 0, 0), thaw_vec(0, 0, 1)));
    def.restitution = restitution;
    def.friction = 0;
    rig_add(&rig, def);
    rig_put(&rig, 0, thaw_vec(0, 0, 0.05), thaw_vec(3, 0, -4));
    for (int k = 0; k < 4; k++) rig_substep(&rig, thaw_vec(0, 0, 0));
    ThawVec3 v = rig_velocity(&rig, 0);
    rig_close(&rig);
    return v;
}

static void restitution_gives_back_its_share_of_the_speed(void **state) {
    (void)state;
    for (int k = 0; k <= 4; k++) {
        float e = 0.25f * (float)k;
        ThawVec3 v = bounce(e);
        assert_true(fabs(v.x - 3) < 1e-5);
        assert_true(fabs(v.z - 4 * (double)e) < 1e-4);
    }
}

static void static_walls_never_add_energy(void **state) {
    (void)state;
    for (int kind = 0; kind <= THAW_SHAPE_PLANE; kind++) {
        Rig rig;
        rig_open(&rig, 3, 2000, 2);
        ThawShape shape = example(kind, 3);
        ThawColliderDef def = collider_of(shape);
        def.restitution = 1;
        def.friction = 0.2f;
        rig_add(&rig, def);
        put_randomly(&rig, &shape, 1, 3, 20);
        for (int k = 0; k < 20; k++) {
            rig_substep(&rig, thaw_vec(0, 0, 0));
            for (uint32_t i = 0; i < 2000; i++) {
                assert_true(thaw_length(rig_velocity(&rig, i)) < 20.001);
            }
        }
        rig_close(&rig);
    }
}

static void impulses_balance_the_particles_momentum(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 3000, 2);
    ThawShape shape = example(THAW_SHAPE_SPHERE, 3);
    ThawColliderDef def = collider_of(shape);
    def.restitution = 0.5f;
    def.friction = 0.3f;
    rig_add(&rig, def);
    put_randomly(&rig, &shape, 1, 2, 30);
    ThawVec3 before = {0, 0, 0}, after = {0, 0, 0};
    for (uint32_t i = 0; i < 3000; i++) before = thaw_add(before, rig_velocity(&rig, i));
    for (int k = 0; k < 5; k++) rig_substep(&rig, thaw_vec(0, 0, 0));
    for (uint32_t i = 0; i < 3000; i++) after = thaw_add(after, rig_velocity(&rig, i));
    double mass = 1000 * RIG_SPACING * RIG_SPACING * RIG_SPACING;
    ThawVec3 given = thaw_scale(thaw_sub(before, after), mass);
    ThawVec3 felt = rig.colliders[0].contact.impulse;
    assert_true(thaw_length(given) > 10);
    assert_true(thaw_length(thaw_sub(given, felt)) < 1e-3 * thaw_length(given));
    rig_close(&rig);
}

static void pressure_pushes_away_and_never_pulls(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 2, 1);
    rig_add(&rig, collider_of(thaw_shape_plane(thaw_vec(0, 0, 0), thaw_vec(0, 0, 1))));
    for (uint32_t i = 0; i < 2; i++) rig_put(&rig, i, thaw_vec(i, 0, 0.05), thaw_vec(0, 0, 0));
    rig_predict(&rig, thaw_vec(0, 0, 0));
    assert_int_equal(thaw_walls_begin(rig.walls, &rig.step), THAW_OK);
    assert_int_equal(thaw_walls_near(rig.walls), 2);
    thaw_walls_density(rig.walls, &rig.step);
    assert_true(rig.work.wall[0] > 0.2f && rig.work.wall[0] < 0.5f);
    rig.work.place[0].lambda = -0.01f;
    rig.work.place[1].lambda = 0.01f;
    rig_correct(&rig);
    // 2 λ ∇γ, with ∇γ of poly6 0.2 supports and what walls recede from a plane: 315/256 (1 − q²)⁴ a cell
    double q = 0.2 + THAW_WALL_FELT / 2;
    double expected = 0.02 * 315.0 / 256 * pow(1 - q * q, 4);
    assert_true(fabs((double)rig.work.shift[2] - expected) < 1e-5);
    assert_true(rig.work.shift[0] == 0 && rig.work.shift[5] == 0);
    // the linear share follows the move
    float before = rig.work.wall[0];
    thaw_walls_density(rig.walls, &rig.step);
    assert_true(rig.work.wall[0] < before && rig.work.wall[1] == before);
    rig_accept(&rig);
    assert_int_equal(thaw_walls_touched(rig.walls), 1);
    assert_int_equal(rig.colliders[0].contact.particles, 1);
    rig_close(&rig);
}

// a mixed scene moved by whole cells, stepped with random pushes; its state as a hash
static uint64_t scene_hash(int threads, int64_t cells, bool moving) {
    Rig rig;
    rig_open(&rig, 3, 3000, threads);
    double away = (double)cells * RIG_CELL;
    ThawVec3 o = {away, away, -away};
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}},
                            {0.05, {0.5, 0, 0.2}, thaw_quat_turn(thaw_vec(1, 0, 1), 0.8)}};
    for (int k = 0; k < 3; k++) {
        ThawShape shape = example(k == 0 ? THAW_SHAPE_PLANE : k == 1 ? THAW_SHAPE_TORUS : 0, 3);
        shape.pose.position = thaw_add(o, thaw_vec(0.25 * k, 0, k == 0 ? -1.5 : 0.5));
        ThawColliderDef def = collider_of(shape);
        def.friction = 0.3f;
        def.restitution = 0.4f;
        if (k == 1 && moving) def.motion = keys, def.motion_count = 2;
        rig_add(&rig, def);
    }
    seed = 5;
    for (uint32_t i = 0; i < 3000; i++) {
        ThawVec3 p = random_vector(3, 2.5), v = random_vector(3, 30);
        rig_put(&rig, i, p, v);
        for (int a = 0; a < 3; a++) {
            rig.store->cells[3 * i + (uint32_t)a] += (a == 2 ? -cells : cells) * THAW_FIXED_ONE;
        }
    }
    for (int k = 0; k < 8; k++) {
        rig_predict(&rig, thaw_vec(0, 0, -9.81));
        assert_int_equal(thaw_walls_begin(rig.walls, &rig.step), THAW_OK);
        for (int n = 0; n < 2; n++) {
            thaw_walls_density(rig.walls, &rig.step);
            for (uint32_t i = 0; i < 3000; i++) {
                rig.work.place[i].lambda = -0.05f * rig.work.wall[i];
            }
            rig_correct(&rig);
        }
        rig_accept(&rig);
    }
    uint64_t hash = 1469598103934665603u;
    for (size_t at = 0; at < 9000; at++) {
        int64_t moved = (at % 3 == 2 ? -cells : cells) * THAW_FIXED_ONE;
        uint32_t bits;
        memcpy(&bits, &rig.store->velocity[at], sizeof bits);
        hash = (hash ^ (uint64_t)(rig.store->cells[at] - moved)) * 1099511628211u;
        hash = (hash ^ bits) * 1099511628211u;
    }
    for (uint32_t k = 0; k < rig.step.collider_count; k++) {
        uint64_t bits;
        memcpy(&bits, &rig.colliders[k].contact.impulse.x, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    rig_close(&rig);
    return hash;
}

static void whole_cells_away_gives_the_same_bits(void **state) {
    (void)state;
    uint64_t here = scene_hash(1, 0, true);
    assert_true(here == scene_hash(1, 100000, true));
    assert_true(here == scene_hash(1, -777, true));
    assert_true(here != scene_hash(1, 0, false));
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    uint64_t one = scene_hash(1, 0, true);
    assert_true(one == scene_hash(2, 0, true));
    assert_true(one == scene_hash(3, 0, true));
}

static void nothing_is_allocated_after_the_first_substep(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 2000, 2);
    ThawShape box = thaw_shape_box(thaw_vec(0, 0, 0), thaw_vec(3, 3, 3));
    ThawColliderDef def = collider_of(box);
    def.container = true;
    rig_add(&rig, def);
    put_randomly(&rig, &box, -1, 1.4, 100); // fast, so that all of them are near
    rig_substep(&rig, thaw_vec(0, 0, 0));
    uint64_t before = thaw_alloc_count();
    for (int k = 0; k < 10; k++) rig_substep(&rig, thaw_vec(0, 0, -9.81));
    assert_int_equal(thaw_alloc_count(), before);
    rig_close(&rig);
}

static void a_long_push_from_far_away_is_stopped_at_the_end(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 1, 1);
    rig_add(&rig, collider_of(thaw_shape_plane(thaw_vec(0, 0, 0), thaw_vec(0, 0, 1))));
    rig_put(&rig, 0, thaw_vec(0, 0, 2), thaw_vec(0, 0, 0));
    rig_predict(&rig, thaw_vec(0, 0, 0));
    assert_int_equal(thaw_walls_begin(rig.walls, &rig.step), THAW_OK);
    assert_int_equal(thaw_walls_near(rig.walls), 0);
    rig.work.shift[2] = -20; // somebody's correction
    rig_correct(&rig);
    rig_accept(&rig);
    ThawVec3 p = rig_position(&rig, 0);
    assert_true(fabs(p.z - RIG_CONTACT) < 1e-5);
    assert_true(fabs(rig_velocity(&rig, 0).z) < 1e-3);
    assert_int_equal(thaw_walls_touched(rig.walls), 1);
    rig_close(&rig);
}

static void colliders_are_seen_across_a_periodic_border(void **state) {
    (void)state;
    Rig rig;
    rig_open(&rig, 3, 2, 1);
    rig.domain.periodic[0] = true;
    rig.domain.lower[0] = 0;
    rig.domain.length[0] = 40 * THAW_FIXED_ONE; // 10 m
    ThawShape ball = thaw_shape_sphere(thaw_vec(0.1, 0, 0), 0.5);
    rig_add(&rig, collider_of(ball));
    rig_put(&rig, 0, thaw_vec(9.0, 0, 0), thaw_vec(100, 0, 0));
    rig_put(&rig, 1, thaw_vec(1.2, 0, 0), thaw_vec(-100, 0, 0));
    rig_substep(&rig, thaw_vec(0, 0, 0));
    assert_true(fabs(rig_position(&rig, 0).x - (9.6 - RIG_CONTACT)) < 1e-5);
    assert_true(fabs(rig_position(&rig, 1).x - (0.6 + RIG_CONTACT)) < 1e-5);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_particle_enters_at_100_spacings_a_step),
        cmocka_unit_test(no_particle_enters_in_two_dimensions),
        cmocka_unit_test(a_wall_one_spacing_thick_keeps_its_sides_apart),
        cmocka_unit_test(moving_colliders_let_nothing_in),
        cmocka_unit_test(a_static_wall_wins_against_a_moving_one),
        cmocka_unit_test(a_crowd_of_colliders_lets_nothing_in),
        cmocka_unit_test(a_particle_placed_inside_is_brought_out_at_rest),
        cmocka_unit_test(friction_holds_above_the_tangent_and_slows_below_it),
        cmocka_unit_test(friction_carries_particles_on_a_belt),
        cmocka_unit_test(restitution_gives_back_its_share_of_the_speed),
        cmocka_unit_test(static_walls_never_add_energy),
        cmocka_unit_test(impulses_balance_the_particles_momentum),
        cmocka_unit_test(pressure_pushes_away_and_never_pulls),
        cmocka_unit_test(whole_cells_away_gives_the_same_bits),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(nothing_is_allocated_after_the_first_substep),
        cmocka_unit_test(a_long_push_from_far_away_is_stopped_at_the_end),
        cmocka_unit_test(colliders_are_seen_across_a_periodic_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
