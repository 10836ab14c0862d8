// A step allocates nothing once its arrays have grown, however the liquid moves.
#include "helpers.h"

#include "base/memory.h"
#include "world/world.h"

// what is in the tank
enum { ONE_FLUID, MIXED, WARM };

// a tank that is rocked, half full; sizes and fluids mixed or not; or with heat, that a warm tank gives and air takes
static ThawWorld *sloshing_tank(int mode) {
    bool mixed = mode == MIXED;
    ThawWorldDef def = thaw_world_default();
    def.heat = (ThawHeatDef){.on = mode == WARM, .ambient = 290, .convection = 50};
    def.threads = 2;
    def.gravity = (ThawVec3){4, 0, -9};
    def.solver.max_substeps = 4;
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = thaw_body_default();
    body.material = add_water(world);
    body.shape = thaw_shape_box((ThawVec3){0, 0, -0.03}, (ThawVec3){0.2, 0.1, 0.06});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    if (mixed) {
        ThawMaterialDef oil = thaw_material_default();
        oil.name = "oil";
        oil.density = 800;
        oil.liquid.tensile = 0.1f;
        assert_ok(thaw_world_add_material(world, &oil, &body.material));
        body.shape = thaw_shape_box((ThawVec3){0, 0, 0.02}, (ThawVec3){0.1, 0.1, 0.03});
        body.spacing = 0.0071f;
        assert_ok(thaw_world_add_body(world, &body, NULL));
    }
    ThawKeyframe keys[21];
    for (int k = 0; k < 21; k++) {
        double angle = 0.3 * sin(k * 1.57), half = angle / 2;
        keys[k] =
            (ThawKeyframe){0.05 * k, {0.02 * sin(k * 1.57), 0, 0}, {0, sin(half), 0, cos(half)}};
    }
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.2, 0.1, 0.12});
    tank.motion = keys;
    tank.motion_count = 21;
    tank.temperature = 350;
    ThawHeatSourceDef lamp = thaw_heat_source_default();
    lamp.region = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.03);
    lamp.power = 100;
    if (mode == WARM) assert_ok(thaw_world_add_heat_source(world, &lamp, NULL));
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    return world;
}

static void steps_allocate_nothing_after_warming_up(void **state) {
    (void)state;
    for (int mode = ONE_FLUID; mode <= WARM; mode++) {
        ThawWorld *world = sloshing_tank(mode);
        ThawReport report;
        for (int k = 0; k < 20; k++) assert_ok(thaw_world_step(world, 0.008, &report));
        uint32_t count = report.particles;
        uint64_t before = thaw_alloc_count();
        for (int k = 0; k < 50; k++) {
            assert_ok(thaw_world_step(world, 0.008, &report));
            if (thaw_alloc_count() != before) {
                fail_msg("step %d allocates %d blocks", k, (int)(thaw_alloc_count() - before));
            }
        }
        assert_int_equal(report.particles, count);
        assert_true(report.max_speed > 0.1 && report.contacts > 100);
        if (mode == WARM) assert_true(report.hottest > report.coldest + 0.02);
        thaw_world_destroy(world);
    }
}

// the counter that the claim rests on counts
static void allocations_are_counted(void **state) {
    (void)state;
    uint64_t before = thaw_alloc_count();
    ThawWorld *world = sloshing_tank(ONE_FLUID);
    assert_true(thaw_alloc_count() > before + 10);
    thaw_world_destroy(world);
}

static void an_empty_world_steps_without_allocating(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    assert_ok(thaw_world_step(world, 0.01, NULL));
    uint64_t before = thaw_alloc_count();
    for (int k = 0; k < 3; k++) assert_ok(thaw_world_step(world, 0.01, NULL));
    assert_true(thaw_alloc_count() == before);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_allocate_nothing_after_warming_up),
        cmocka_unit_test(allocations_are_counted),
        cmocka_unit_test(an_empty_world_steps_without_allocating),
    };
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
