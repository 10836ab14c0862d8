// What stages declare holds: they write what they say and nothing else, and do not look at fields that
// they did not name.
#include "models/watch.h"
#include "world/helpers.h"
#include "world/world.h"

// two fluids and sizes, a spring, walls: every stage has something to do
static uint64_t run_everything(void) {
    ThawWorldDef def = small_def(3);
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0.06});
    body.jitter = 0.2;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawMaterialDef material = thaw_material_default();
    material.name = "spring";
    material.density = 700;
    material.liquid.tensile = 0.1f;
    assert_ok(thaw_world_add_material(world, &material, &body.material));
    body.shape = thaw_shape_sphere((ThawVec3){0, 0, 0.15}, 0.03);
    body.spacing = 0.007f;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.friction = 0.3f;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.1}, (ThawVec3){0.12, 0.12, 0.2});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    for (int k = 0; k < 5; k++) assert_ok(thaw_world_step(world, 0.01, NULL));
    uint64_t hash = thaw_world_hash(world);
    thaw_world_destroy(world);
    return hash;
}

static void models_name_and_declare_themselves(void **state) {
    (void)state;
    for (int m = 0; thaw_models[m] != NULL; m++) {
        const ThawModel *model = thaw_models[m];
        assert_true(model->name[0] != '\0' && model->summary[0] != '\0');
        int runs = 0;
        for (int s = 0; s < THAW_STAGE_COUNT; s++) {
            const ThawStageRow *row = &model->stages[s];
            uint32_t declared = row->reads | row->reads_neighbors | row->writes;
            if (row->run == NULL) {
                assert_true(declared == 0 && row->action == THAW_ACTION_NONE && !row->reads_places);
                continue;
            }
            runs++;
            // parameters and limits need no fields; everything later does
            if (s != THAW_STAGE_BEGIN) assert_true(declared != 0);
            assert_true(declared >> THAW_FIELD_COUNT == 0);
            if (row->action == THAW_ACTION_JACOBI) assert_true(row->reads_places);
            if (row->reads_neighbors != 0) assert_true(row->reads_places);
            if (s == THAW_STAGE_PREDICT) assert_true(row->action == THAW_ACTION_NONE);
        }
        assert_true(runs > 0);
    }
}

static void stages_write_what_they_declare_and_nothing_else(void **state) {
    (void)state;
    watch_spoils = false;
    run_everything();
    assert_string_equal(watch_complaint, "");
    for (int m = 0; thaw_models[m] != NULL; m++) {
        for (int s = 0; s < THAW_STAGE_COUNT; s++) {
            const ThawStageRow *row = &thaw_models[m]->stages[s];
            assert_true((watch_runs[m][s] > 0) == (row->run != NULL));
            // a field that never changes is declared for nothing
            assert_int_equal(watch_written[m][s], row->writes);
        }
    }
}

static void stages_read_nothing_that_they_do_not_declare(void **state) {
    (void)state;
    watch_spoils = false;
    uint64_t wanted = run_everything();
    watch_spoils = true;
    uint64_t found = run_everything();
    watch_spoils = false;
    assert_true(found == wanted);
    assert_string_equal(watch_complaint, "");
}

int main(void) {
    watch_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_name_and_declare_themselves),
        cmocka_unit_test(stages_write_what_they_declare_and_nothing_else),
        cmocka_unit_test(stages_read_nothing_that_they_do_not_declare),
    };
    return cmocka_run_group_tests_name("declarations", tests, NULL, NULL);
}
