// A model is new files plus one row: a second model beside the liquid, both doing what they should.
#include "models/spring.h"
#include "world/helpers.h"
#include "world/world.h"

#include <stdlib.h>

static ThawWorldDef spring_def(void) {
    ThawWorldDef def = small_def(3);
    def.gravity = (ThawVec3){0, 0, 0};
    return def;
}

static ThawParticleId add_spring(ThawWorld *world, double x) {
    ThawMaterialDef material = thaw_material_default();
    material.name = "spring";
    const double at[1][3] = {{x, 0, 0}};
    ThawParticlesDef def = {.count = 1, .positions = at};
    ThawParticleId id;
    assert_ok(thaw_world_add_material(world, &material, &def.material));
    assert_ok(thaw_world_add_particles(world, &def, &id));
    return id;
}

static double position_of(ThawWorld *world, ThawParticleId id) {
    uint32_t row;
    assert_ok(thaw_world_index(world, id, &row));
    return thaw_fixed_cells(world->store->cells[3 * row]) * thaw_world_support(world);
}

static void rows_of_the_table_all_run(void **state) {
    (void)state;
    assert_string_equal(thaw_models[0]->name, "liquid");
    assert_string_equal(thaw_models[1]->name, "spring");
    assert_null(thaw_models[2]);
    ThawWorldDef def = spring_def();
    ThawWorld *world = make_world(&def);
    assert_non_null(world->model_states[0]);
    assert_non_null(world->model_states[1]);
    assert_null(world->model_states[2]);
    thaw_world_destroy(world);
}

// the time between the first and the fourth upward crossing of the middle
static void spring_oscillates_with_its_period(void **state) {
    (void)state;
    ThawWorldDef def = spring_def();
    ThawWorld *world = make_world(&def);
    ThawParticleId id = add_spring(world, SPRING_X + 0.1);
    double crossings[8], before = 0.1, largest = 0;
    int count = 0;
    for (int k = 0; k < 460 && count < 4; k++) {
        assert_ok(thaw_world_step(world, 0.01, NULL));
        double now = position_of(world, id) - SPRING_X, time = thaw_world_time(world);
        if (before < 0 && now >= 0) crossings[count++] = time - 0.01 * now / (now - before);
        largest = fmax(largest, fabs(now));
        before = now;
    }
    assert_int_equal(count, 4);
    double period = (crossings[3] - crossings[0]) / 3.0;
    assert_true(fabs(period / SPRING_PERIOD - 1.0) < 0.01);
    assert_true(fabs(largest / 0.1 - 1.0) < 0.05);
    thaw_world_destroy(world);
}

// the model's wish is heard: a long step is cut as it asks
static void substeps_follow_what_the_model_wants(void **state) {
    (void)state;
    ThawWorldDef def = spring_def();
    ThawWorld *world = make_world(&def);
    add_spring(world, SPRING_X + 0.001);
    ThawReport report;
    assert_ok(thaw_world_step(world, 0.5, &report));
    assert_int_equal(report.substeps_wanted, 30);
    thaw_world_destroy(world);
}

static ThawWorld *water_world(bool spring) {
    ThawWorldDef def = spring_def();
    def.solver.substeps = 3;
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){-1, 0, 0});
    body.jitter = 0.3;
    body.spin = (ThawVec3){1, 2, 3};
    assert_ok(thaw_world_add_body(world, &body, NULL));
    if (spring) add_spring(world, SPRING_X + 0.1);
    return world;
}

static void liquid_goes_on_beside_the_spring(void **state) {
    (void)state;
    ThawWorld *alone = water_world(false), *beside = water_world(true);
    ThawReport report;
    for (int k = 0; k < 10; k++) {
        assert_ok(thaw_world_step(alone, 0.01, &report));
        assert_ok(thaw_world_step(beside, 0.01, NULL));
    }
    assert_true(report.max_speed > 0.1 && report.mean_density_error < 0.02);
    for (uint32_t row = 0; row < thaw_world_count(alone); row++) {
        uint32_t other;
        assert_ok(thaw_world_index(beside, alone->store->id[row], &other));
        for (uint32_t a = 0; a < 3; a++) {
            // one kind of particle and two take different loops: the same to rounding
            double v = (double)alone->store->velocity[3 * row + a];
            assert_true(fabs(v - (double)beside->store->velocity[3 * other + a]) < 2e-3);
        }
    }
    thaw_world_destroy(alone);
    thaw_world_destroy(beside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_table_all_run),
        cmocka_unit_test(spring_oscillates_with_its_period),
        cmocka_unit_test(substeps_follow_what_the_model_wants),
        cmocka_unit_test(liquid_goes_on_beside_the_spring),
    };
    return cmocka_run_group_tests_name("spring", tests, NULL, NULL);
}
