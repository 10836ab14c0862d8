// What is frozen to a rigid body weighs on it: the two are one lump, of the mass and inertia of both. How deep it floats is
// in physics/test_frost_raft.c.
#include "emitting.h"

#include "math/vec.h"
#include "models/heat_state.h"
#include "support/rigid.h"

#define DT (1.0 / 240.0)
#define SPACING 0.01

static RigidRig icy_rig(int dimensions, bool pulled, int threads) {
    ThawWorldDef def = rigid_def(dimensions, SPACING);
    def.heat.on = true;
    def.threads = threads;
    if (!pulled) def.gravity = (ThawVec3){0, 0, 0};
    return rigid_open(&def);
}

static ThawMaterialId add_ice(RigidRig *rig, float density) {
    ThawMaterialDef def = thaw_material_default();
    def.name = "ice";
    def.density = density;
    def.solid.young = 2e5f;
    def.thermal.melts_at = 273.15f;
    def.thermal.latent_heat = 3.34e5f;
    def.thermal.conductivity = 0;
    ThawMaterialId ice;
    assert_ok(thaw_world_add_material(rig->world, &def, &ice));
    return ice;
}

static ThawVec3 vec_up(const RigidRig *rig, double aside, double up) {
    return rig->dimensions == 2 ? (ThawVec3){aside, up, 0} : (ThawVec3){aside, 0, up};
}

// a box of ice whose lowest point is at a height
static void add_block(RigidRig *rig, ThawMaterialId ice, double width, double bottom,
                      double height) {
    ThawBodyDef def = thaw_body_default();
    def.material = ice;
    def.state = THAW_STATE_SOLID;
    def.temperature = 250;
    ThawVec3 size = {width, rig->dimensions == 2 ? height : width, height};
    def.shape = thaw_shape_box(vec_up(rig, 0, bottom + height / 2), size);
    assert_ok(thaw_world_add_body(rig->world, &def, NULL));
}

// a dynamic box that frosts, with its top at a height
static int add_crate(RigidRig *rig, double top, ThawVec3 size, double density,
                     const ThawColliderDef *like) {
    double high = rig->dimensions == 2 ? size.y : size.z;
    ThawColliderDef def = rigid_body(thaw_shape_box(vec_up(rig, 0, top - high / 2), size), density);
    def.frosts = true;
    if (like != NULL) {
        def.dynamic.velocity = like->dynamic.velocity;
        def.dynamic.spin = like->dynamic.spin;
        def.restitution = like->restitution;
    }
    return rigid_add(rig, &def);
}

// freezes to a body what is solid and begins below a height
static uint32_t freeze(RigidRig *rig, int body, double below) {
    int32_t *frost = thaw_thermal_state(rig->world->store).frost;
    const ThawStore *store = rig->world->store;
    size_t up = rig->dimensions == 2 ? 1 : 2;
    uint32_t count = 0;
    assert_non_null(frost);
    for (size_t row = 0; row < store->count; row++) {
        double height = thaw_fixed_cells(store->cells[3 * row + up]) * rig->world->domain.cell;
        if (store->state[row] != THAW_STATE_SOLID || height > below) continue;
        frost[row] = (int32_t)rig->bodies[body].value;
        count++;
    }
    assert_true(count > 5);
    return count;
}

// ---------------------------------------------------------------- momentum

// A crate that flies and turns, with a block of ice of which a share is frozen to it; the rest hangs on that by bonds.
static RigidRig flying_crate(int dimensions, double density, double frozen, int threads) {
    RigidRig rig = icy_rig(dimensions, false, threads);
    add_block(&rig, add_ice(&rig, 917), 0.06, 0, 0.05);
    ThawColliderDef like = {.dynamic = {.velocity = vec_up(&rig, 0.7, 0.3)}};
    like.dynamic.spin = dimensions == 2 ? (ThawVec3){0, 0, 4} : (ThawVec3){1, 4, -2};
    ThawVec3 size = {0.08, dimensions == 2 ? 0.04 : 0.08, 0.04};
    freeze(&rig, add_crate(&rig, 0, size, density, &like), frozen);
    return rig;
}

static void check_kept(RigidRig *rig, const char *what) {
    rigid_step(rig, DT);
    ThawVec3 momentum = rigid_momentum(rig), angular = rigid_angular(rig);
    double worst = 0, worst_turn = 0;
    for (int k = 0; k < 100; k++) {
        rigid_step(rig, DT);
        double off = thaw_length(thaw_sub(rigid_momentum(rig), momentum));
        double turned = thaw_length(thaw_sub(rigid_angular(rig), angular));
        worst = fmax(worst, off / thaw_length(momentum));
        worst_turn = fmax(worst_turn, turned / thaw_length(angular));
    }
    print_message("%s: momentum off by %.2g, angular by %.2g, spin %g\n", what, worst, worst_turn,
                  thaw_length(rigid_state(rig, 0).spin));
    assert_true(worst < 2e-6);
    assert_true(worst_turn < 1e-5);
}

static void a_crate_and_its_ice_keep_their_momentum(void **state) {
    (void)state;
    const double densities[3] = {100, 500, 3000};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int k = 0; k < 3; k++) {
            RigidRig rig = flying_crate(dimensions, densities[k], 0.012, 1);
            check_kept(&rig, "some frozen");
            rigid_close(&rig);
        }
        RigidRig rig = flying_crate(dimensions, 300, 1, 1);
        check_kept(&rig, "all frozen");
        rigid_close(&rig);
    }
}

static void a_push_on_the_crate_moves_the_ice_along(void **state) {
    (void)state;
    RigidRig rig = flying_crate(3, 300, 1, 1);
    rigid_step(&rig, DT);
    ThawVec3 before = rigid_momentum(&rig), impulse = {0.1, -0.05, 0.2};
    ThawColliderState now = rigid_state(&rig, 0);
    double mass = now.mass + rig.report.mass, was = now.velocity.z;
    assert_ok(thaw_world_push_collider(rig.world, rig.bodies[0], impulse, now.center));
    for (int k = 0; k < 5; k++) rigid_step(&rig, DT);
    ThawVec3 gained = thaw_sub(rigid_momentum(&rig), before);
    assert_true(thaw_length(thaw_sub(gained, impulse)) < 1e-6 * thaw_length(before));
    // no more than both together, turning as they do
    assert_true(fabs(rigid_state(&rig, 0).velocity.z - was) < 4 * impulse.z / mass);
    rigid_close(&rig);
}

static void a_velocity_that_is_set_is_that_of_the_ice_too(void **state) {
    (void)state;
    RigidRig rig = flying_crate(3, 300, 1, 1);
    rigid_step(&rig, DT);
    ThawVec3 velocity = {0.5, 0.25, -1};
    assert_ok(
        thaw_world_set_collider_velocity(rig.world, rig.bodies[0], velocity, (ThawVec3){0, 0, 0}));
    for (int k = 0; k < 10; k++) rigid_step(&rig, DT);
    ThawColliderState now = rigid_state(&rig, 0);
    assert_true(thaw_length(thaw_sub(now.velocity, velocity)) < 1e-5);
    assert_true(thaw_length(now.spin) < 1e-3);
    rigid_close(&rig);
}

static void a_crate_and_its_ice_fall_at_g(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        RigidRig rig = icy_rig(dimensions, true, 1);
        add_block(&rig, add_ice(&rig, 917), 0.06, 0, 0.05);
        ThawColliderDef like = {.dynamic = {.spin = {0, 0, dimensions == 2 ? 5 : 0}}};
        if (dimensions == 3) like.dynamic.spin.y = 5;
        ThawVec3 size = {0.08, dimensions == 2 ? 0.04 : 0.08, 0.04};
        freeze(&rig, add_crate(&rig, 0, size, 300, &like), 0.012);
        rigid_step(&rig, DT);
        double mass = rig.report.mass + rigid_state(&rig, 0).mass;
        ThawVec3 first = rigid_momentum(&rig);
        for (int k = 1; k <= 60; k++) {
            rigid_step(&rig, DT);
            ThawVec3 gained = thaw_sub(rigid_momentum(&rig), first);
            double fall = mass * 9.81 * DT * k;
            assert_true(thaw_length(thaw_add(gained, thaw_scale(rig.up, fall))) <
                        2e-6 * fall + 1e-7);
        }
        rigid_close(&rig);
    }
}

// A drop so cold that it freezes without losing heat, on a crate that drifts with it: it freezes to the crate, is young for
// 0.3 s, and settles.
static RigidRig icing_crate(int dimensions, int threads) {
    RigidRig rig = icy_rig(dimensions, false, threads);
    ThawColliderDef like = {.dynamic = {.velocity = vec_up(&rig, 0.2, -0.1)}};
    ThawVec3 size = {0.08, dimensions == 2 ? 0.04 : 0.08, 0.04};
    ThawBodyDef drop = thaw_body_default();
    drop.material = add_ice(&rig, 917);
    drop.temperature = 200;
    drop.velocity = like.dynamic.velocity;
    drop.shape = thaw_shape_box(vec_up(&rig, 0, 0.0155),
                                (ThawVec3){0.06, dimensions == 2 ? 0.03 : 0.06, 0.03});
    assert_ok(thaw_world_add_body(rig.world, &drop, NULL));
    add_crate(&rig, 0, size, 300, &like);
    return rig;
}

static uint32_t count_frozen(const RigidRig *rig) {
    const int32_t *frost = thaw_thermal_state(rig->world->store).frost;
    uint32_t count = 0;
    for (uint32_t row = 0; row < rig->world->store->count; row++) count += frost[row] != 0;
    return count;
}

static void momentum_is_kept_while_ice_grows(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        RigidRig rig = icing_crate(dimensions, 1);
        rigid_step(&rig, DT);
        ThawVec3 first = rigid_momentum(&rig);
        double worst = 0;
        for (int k = 0; k < 140; k++) {
            rigid_step(&rig, DT);
            double off = thaw_length(thaw_sub(rigid_momentum(&rig), first));
            worst = fmax(worst, off / thaw_length(first));
        }
        print_message("%u of %u frozen on, momentum off by %.2g, fastest %g m/s, %u bonds\n",
                      count_frozen(&rig), rig.report.particles, worst, rig.report.max_speed,
                      rig.report.bonds);
        assert_true(count_frozen(&rig) > (dimensions == 2 ? 4 : 10));
        assert_true(worst < 1e-5);
        rigid_close(&rig);
    }
}

// ---------------------------------------------------------------- weight

// ice below a crate carries it: it does not sink into the floor
static void a_crate_stands_on_the_ice_below_it(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        RigidRig rig = icy_rig(dimensions, true, 1);
        rigid_floor(&rig, 0.5f, 0);
        add_block(&rig, add_ice(&rig, 917), 0.06, 0.01, 0.03);
        ThawVec3 size = {0.08, dimensions == 2 ? 0.04 : 0.08, 0.04};
        int crate = add_crate(&rig, 0.085, size, 500, NULL);
        freeze(&rig, crate, 1);
        double lowest = 1;
        for (int k = 0; k < 120; k++) {
            rigid_step(&rig, DT);
            lowest = fmin(lowest, rigid_height(&rig, crate));
        }
        print_message("stands %.4f m high, at %.2g m/s\n", rigid_height(&rig, crate),
                      rigid_speed(&rig, crate));
        // it fell by the gap below the ice
        assert_true(lowest > 0.065 - 0.0105 - SPACING && lowest < 0.0645);
        assert_true(rigid_speed(&rig, crate) < 0.001);
        rigid_close(&rig);
    }
}

// ---------------------------------------------------------------- much of it

// how high a crate rises again when it falls on the floor from 0.2 m
static double bounce(double ice_density, double density, double *rest) {
    RigidRig rig = icy_rig(3, true, 1);
    ThawColliderDef like = {.restitution = 0.5f};
    add_block(&rig, add_ice(&rig, (float)ice_density), 0.06, 0.24, 0.05);
    int crate = add_crate(&rig, 0.24, (ThawVec3){0.08, 0.08, 0.04}, density, &like);
    freeze(&rig, crate, 1);
    rigid_floor(&rig, 0.5f, 0.5f);
    double highest = 0;
    bool down = false;
    for (int k = 0; k < 240; k++) {
        rigid_step(&rig, DT);
        double height = rigid_height(&rig, crate) - 0.02;
        assert_true(rig.report.max_speed < 2.05 && rigid_speed(&rig, crate) < 2.05);
        down = down || height < 0.01;
        if (down && k < 140) highest = fmax(highest, height);
    }
    *rest = fmax(rigid_speed(&rig, crate), rig.report.max_speed);
    rigid_close(&rig);
    return highest;
}

static void ice_of_many_times_the_mass_stays_calm(void **state) {
    (void)state;
    // 0.06² · 0.05 · 917 kg of ice on 0.08² · 0.04 · density: a fifth, five times, a hundred times as much
    const double densities[3] = {3200, 128, 6.4};
    for (int k = 0; k < 3; k++) {
        double rest, height = bounce(917, densities[k], &rest);
        print_message("rises to %.4f m, rests at %.2g m/s\n", height, rest);
        assert_true(fabs(height - 0.05) < 0.001);
        assert_true(rest < 1e-3);
    }
}

static void ice_of_five_times_the_mass_hangs_on_calmly(void **state) {
    (void)state;
    // frozen by its lowest layer alone: the rest pulls and pushes by bonds
    RigidRig rig = flying_crate(3, 128, 0.008, 1);
    double mass = rigid_state(&rig, 0).mass;
    rigid_step(&rig, DT);
    assert_true(rig.report.mass > 4.5 * mass);
    for (int k = 0; k < 240; k++) {
        rigid_step(&rig, DT);
        assert_true(rig.report.max_speed < 1.5 && rigid_speed(&rig, 0) < 1.5);
    }
    rigid_close(&rig);
}

// ---------------------------------------------------------------- bits

static void check_threads(RigidRig one, RigidRig four, int steps) {
    for (int k = 0; k < steps; k++) {
        rigid_step(&one, DT);
        rigid_step(&four, DT);
    }
    assert_true(count_frozen(&one) > 0);
    assert_true(thaw_world_hash(one.world) == thaw_world_hash(four.world));
    rigid_close(&one);
    rigid_close(&four);
}

static void a_laden_crate_moves_alike_with_any_threads(void **state) {
    (void)state;
    check_threads(flying_crate(3, 300, 0.012, 1), flying_crate(3, 300, 0.012, 4), 10);
    // until the first ice has settled
    check_threads(icing_crate(3, 1), icing_crate(3, 4), 90);
}

static void check_loaded(RigidRig rig, int steps, int more) {
    for (int k = 0; k < steps; k++) rigid_step(&rig, DT);
    void *bytes;
    size_t size;
    ThawWorld *copy;
    assert_ok(thaw_world_save(rig.world, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, NULL, &copy));
    thaw_snapshot_free(bytes);
    RigidRig other = rigid_around(&rig, copy);
    for (int k = 0; k < more; k++) {
        rigid_step(&rig, DT);
        rigid_step(&other, DT);
    }
    assert_true(count_frozen(&rig) > 0);
    assert_true(thaw_world_hash(rig.world) == thaw_world_hash(copy));
    rigid_close(&rig);
    rigid_close(&other);
}

static void a_loaded_crate_goes_on_in_the_same_bits(void **state) {
    (void)state;
    check_loaded(flying_crate(3, 300, 0.012, 1), 7, 7);
    check_loaded(icing_crate(3, 1), 60, 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_and_its_ice_keep_their_momentum),
        cmocka_unit_test(a_push_on_the_crate_moves_the_ice_along),
        cmocka_unit_test(a_velocity_that_is_set_is_that_of_the_ice_too),
        cmocka_unit_test(a_crate_and_its_ice_fall_at_g),
        cmocka_unit_test(momentum_is_kept_while_ice_grows),
        cmocka_unit_test(a_crate_stands_on_the_ice_below_it),
        cmocka_unit_test(ice_of_many_times_the_mass_stays_calm),
        cmocka_unit_test(ice_of_five_times_the_mass_hangs_on_calmly),
        cmocka_unit_test(a_laden_crate_moves_alike_with_any_threads),
        cmocka_unit_test(a_loaded_crate_goes_on_in_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
