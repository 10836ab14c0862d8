// Bodies hit by liquid and falling into it: what is exchanged, and that nothing explodes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/rigid.h"

static ThawVec3 vec(double x, double y, double z) {
    return (ThawVec3){x, y, z};
}

static double length(ThawVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static ThawVec3 minus(ThawVec3 a, ThawVec3 b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

// ---------------------------------------------------------------- what is exchanged

typedef struct Exchange {
    double momentum, angular; // largest change, share of the start's
    double energy;            // largest, share of the start's
    double pushed;            // speed that the body got, share of the blob's
} Exchange;

// a blob of liquid hits a box off its centre, in free space
static Exchange hit(int dimensions, double density, float xsph) {
    ThawWorldDef def = rigid_def(dimensions, 0.02);
    def.gravity = vec(0, 0, 0);
    RigidRig rig = rigid_open(&def);
    ThawMaterialDef liquid = thaw_material_default();
    liquid.liquid.xsph = xsph;
    assert_int_equal(thaw_world_set_material(rig.world, rig.liquid, &liquid), THAW_OK);
    ThawColliderDef body = rigid_body(thaw_shape_box(vec(0, 0, 0), vec(0.12, 0.16, 0.14)), density);
    int k = rigid_add(&rig, &body);
    rigid_blob(&rig, thaw_shape_sphere(vec(-0.2, 0.04, 0), 0.1), vec(1.5, 0, 0));
    rigid_step(&rig, 0.004);
    ThawVec3 first = rigid_momentum(&rig), turn = rigid_angular(&rig);
    Exchange exchange = {0};
    double energy = rigid_energy(&rig);
    for (int step = 0; step < 100; step++) {
        rigid_step(&rig, 0.004);
        double change = length(minus(rigid_momentum(&rig), first)) / length(first);
        double turned = length(minus(rigid_angular(&rig), turn)) / length(turn);
        exchange.momentum = fmax(exchange.momentum, change);
        exchange.angular = fmax(exchange.angular, turned);
        exchange.energy = fmax(exchange.energy, rigid_energy(&rig) / energy);
        assert_true(rigid_clearance(&rig) > 0.0999);
    }
    ThawColliderState s = rigid_state(&rig, k);
    exchange.pushed = s.velocity.x / 1.5;
    print_message("%dD density %g xsph %g: momentum %.1e angular %.1e energy %.4f pushed %.2f\n",
                  dimensions, density, (double)xsph, exchange.momentum, exchange.angular,
                  exchange.energy, exchange.pushed);
    rigid_close(&rig);
    return exchange;
}

static void momentum_of_box_and_liquid_is_kept(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const double densities[3] = {100, 500, 3000};
        for (int k = 0; k < 3; k++) {
            // without the liquid's own friction, whose sums round
            Exchange exchange = hit(dimensions, densities[k], 0);
            assert_true(exchange.momentum < 2e-7);
            assert_true(exchange.energy < 1.0001);
            assert_true(exchange.pushed > 0.1);
            // forces between particles act between their tentative positions, not their first
            assert_true(exchange.angular < 5e-3);
        }
    }
}

static void momentum_is_kept_with_the_usual_liquid(void **state) {
    (void)state;
    assert_true(hit(3, 500, (float)THAW_XSPH_USUAL).momentum < 1e-6);
}

// One drop hits a bar near its end.
static void a_single_drop_gives_its_angular_momentum(void **state) {
    (void)state;
    ThawWorldDef def = rigid_def(3, 0.02);
    def.gravity = vec(0, 0, 0);
    RigidRig rig = rigid_open(&def);
    ThawColliderDef body = rigid_body(thaw_shape_box(vec(0, 0, 0), vec(0.04, 0.3, 0.04)), 20);
    int k = rigid_add(&rig, &body);
    const double x[1][3] = {{-0.1, 0.12, 0.003}};
    const float v[1][3] = {{2, 0.3f, 0.1f}};
    ThawParticlesDef drop = {
        .material = rig.liquid, .count = 1, .positions = x, .velocities = v, .spacing = 0.02f};
    assert_int_equal(thaw_world_add_particles(rig.world, &drop, NULL), THAW_OK);
    rigid_step(&rig, 0.004);
    ThawVec3 first = rigid_momentum(&rig), turn = rigid_angular(&rig);
    for (int step = 0; step < 100; step++) rigid_step(&rig, 0.004);
    assert_true(length(minus(rigid_momentum(&rig), first)) < 2e-7 * length(first));
    double lost = length(minus(rigid_angular(&rig), turn)) / length(turn);
    print_message("angular momentum of one drop and a bar: %.1e, spin %.3f\n", lost,
                  rigid_state(&rig, k).spin.z);
    // the box's pose follows its momentum only as far as the last iteration brought it
    assert_true(lost < 5e-4);
    assert_true(fabs(rigid_state(&rig, k).spin.z) > 1);
    rigid_close(&rig);
}

// A block of solid runs into a box: it is stopped by a heavy one and takes a light one along.
static void solids_and_boxes_push_each_other(void **state) {
    (void)state;
    const double densities[2] = {100, 10000};
    for (int k = 0; k < 2; k++) {
        ThawWorldDef def = rigid_def(3, 0.02);
        def.gravity = vec(0, 0, 0);
        RigidRig rig = rigid_open(&def);
        ThawColliderDef body =
            rigid_body(thaw_shape_box(vec(0.1, 0, 0), vec(0.1, 0.1, 0.1)), densities[k]);
        int box = rigid_add(&rig, &body);
        ThawBodyDef block = thaw_body_default();
        block.material = rig.liquid;
        block.state = THAW_STATE_SOLID;
        block.shape = thaw_shape_box(vec(-0.1, 0, 0), vec(0.12, 0.12, 0.12));
        block.velocity = vec(1, 0, 0);
        assert_int_equal(thaw_world_add_body(rig.world, &block, NULL), THAW_OK);
        rigid_step(&rig, 0.005);
        double first = rigid_momentum(&rig).x, energy = rigid_energy(&rig);
        for (int step = 0; step < 80; step++) {
            rigid_step(&rig, 0.005);
            assert_true(rigid_clearance(&rig) > 0.35); // solids keep 0.4
            assert_true(rigid_energy(&rig) + rig.report.elastic < 1.02 * energy);
        }
        double v = rigid_state(&rig, box).velocity.x;
        double rest = rig.report.momentum.x / rig.report.mass;
        print_message("density %g: box %.3f m/s, block %.3f m/s, momentum %.1e\n", densities[k], v,
                      rest, rigid_momentum(&rig).x / first - 1);
        // two such blocks that meet without any box lose 1.0e-6 in as many steps to rounding
        assert_true(fabs(rigid_momentum(&rig).x / first - 1) < 2e-6);
        assert_true(v > 0.99 * rest && v > 0.03);
        rigid_close(&rig);
    }
}

// ---------------------------------------------------------------- impacts

typedef struct Impact {
    double density, speed; // kg/m³, m/s
    int iterations, substeps;
    ThawShape shape;
} Impact;

static void drop(const Impact *impact) {
    ThawWorldDef def = rigid_def(2, 0.01);
    def.solver.iterations = impact->iterations;
    def.solver.substeps = impact->substeps;
    RigidRig rig = rigid_open(&def);
    rigid_tank(&rig, 0.4, 0.1f);
    rigid_pool(&rig, 0.4, 0.15);
    ThawColliderDef body = rigid_body(impact->shape, impact->density);
    body.dynamic.velocity = vec(0, -impact->speed, 0);
    int k = rigid_add(&rig, &body);
    double first = 0, highest = 0, fastest = 0;
    for (int step = 0; step < 180; step++) {
        rigid_step(&rig, 1.0 / 180);
        double energy = rigid_energy(&rig);
        if (step == 0) first = energy;
        highest = fmax(highest, energy / first);
        fastest = fmax(fastest, rigid_speed(&rig, k));
        assert_true(rigid_clearance(&rig) > 0.0999);
    }
    print_message("density %g at %g m/s: energy %.4f, fastest %.3f m/s, in the end %.3f m/s\n",
                  impact->density, impact->speed, highest, fastest, rigid_speed(&rig, k));
    assert_true(highest < 1.0001);
    // it never gets faster than its fall makes it
    assert_true(fastest < sqrt(impact->speed * impact->speed + 2 * 9.81 * 0.2));
    assert_true(rigid_speed(&rig, k) < 0.1);
    rigid_close(&rig);
}

static ThawShape cube(void) {
    return thaw_shape_box(vec(0, 0.27, 0), vec(0.1, 0.1, 0.1));
}

static void a_heavy_box_does_not_blow_the_pool_up(void **state) {
    (void)state;
    drop(&(Impact){5000, 5, 4, 0, cube()});
    drop(&(Impact){5000, 5, 4, 1, cube()});
}

static void light_boxes_stay_calm(void **state) {
    (void)state;
    drop(&(Impact){100, 5, 4, 0, cube()});
    drop(&(Impact){100, 5, 1, 0, cube()});
    drop(&(Impact){100, 5, 4, 1, cube()});
    drop(&(Impact){10, 2, 4, 0, cube()});
    // hardly larger than a particle
    drop(&(Impact){100, 1, 4, 0, thaw_shape_box(vec(0.02, 0.2, 0), vec(0.02, 0.02, 0.02))});
}

static void thin_bodies_let_nothing_through(void **state) {
    (void)state;
    // a plate of 0.4 spacings, slapped on the pool
    drop(&(Impact){3000, 3, 4, 0, thaw_shape_box(vec(0, 0.2, 0), vec(0.25, 0.004, 0.1))});
    drop(&(Impact){300, 3, 4, 1, thaw_shape_box(vec(0, 0.2, 0), vec(0.25, 0.004, 0.1))});
}

// drops shot at a plate of half a spacing, 100 spacings a step and one substep
static void shot_drops_do_not_pass_a_plate(void **state) {
    (void)state;
    enum { COUNT = 200 };
    const double densities[3] = {50, 1000, 50000};
    for (int k = 0; k < 3; k++) {
        ThawWorldDef def = rigid_def(3, 0.02);
        def.gravity = vec(0, 0, 0);
        def.solver.substeps = 1;
        RigidRig rig = rigid_open(&def);
        ThawColliderDef body =
            rigid_body(thaw_shape_box(vec(0, 0, 0), vec(0.01, 2, 2)), densities[k]);
        int plate = rigid_add(&rig, &body);
        static double x[COUNT][3];
        static float v[COUNT][3];
        for (int i = 0; i < COUNT; i++) {
            x[i][0] = -0.3 - 0.05 * (i / 20);
            x[i][1] = 0.06 * (i % 20) - 0.55;
            x[i][2] = 0.05 * ((7 * i) % 11) - 0.25;
            v[i][0] = 200;
        }
        ThawParticlesDef shot = {.material = rig.liquid,
                                 .count = COUNT,
                                 .positions = (const double(*)[3])x,
                                 .velocities = (const float(*)[3])v,
                                 .spacing = 0.02f};
        assert_int_equal(thaw_world_add_particles(rig.world, &shot, NULL), THAW_OK);
        rigid_step(&rig, 0.01);
        ThawVec3 first = rigid_momentum(&rig);
        for (int step = 0; step < 4; step++) rigid_step(&rig, 0.01);
        ThawPose pose = rigid_state(&rig, plate).pose;
        thaw_world_positions(rig.world, x);
        ThawQuat q = pose.rotation;
        // the plate's own x axis
        ThawVec3 axis = vec(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z),
                            2 * (q.x * q.z - q.w * q.y));
        for (int i = 0; i < COUNT; i++) {
            ThawVec3 from = minus(vec(x[i][0], x[i][1], x[i][2]), pose.position);
            assert_true(from.x * axis.x + from.y * axis.y + from.z * axis.z < 0);
        }
        assert_true(rigid_state(&rig, plate).velocity.x > 0.1);
        assert_true(length(minus(rigid_momentum(&rig), first)) < 1e-6 * length(first));
        rigid_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_of_box_and_liquid_is_kept),
        cmocka_unit_test(momentum_is_kept_with_the_usual_liquid),
        cmocka_unit_test(a_single_drop_gives_its_angular_momentum),
        cmocka_unit_test(solids_and_boxes_push_each_other),
        cmocka_unit_test(a_heavy_box_does_not_blow_the_pool_up),
        cmocka_unit_test(light_boxes_stay_calm),
        cmocka_unit_test(thin_bodies_let_nothing_through),
        cmocka_unit_test(shot_drops_do_not_pass_a_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
