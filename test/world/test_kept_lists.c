// Lists of neighbours that outlive a step: they change what a step costs, not what it does.
#include "helpers.h"

#include "math/vec.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define STEPS 40
#define DT 5e-4

static ThawWorld *make_keeping(bool keep) {
    ThawWorldDef def = thaw_world_default();
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = 1;
    def.solver.substeps = 1;
    def.keep_lists = keep;
    ThawWorld *world;
    assert_ok(thaw_world_create(&def, &world));
    return world;
}

static ThawMaterialId add_rubber(ThawWorld *world, float young) {
    ThawMaterialDef def = thaw_material_default();
    def.name = "rubber";
    def.solid.young = young;
    ThawMaterialId material;
    assert_ok(thaw_world_add_material(world, &def, &material));
    return material;
}

static ThawBodyId add_block(ThawWorld *world, ThawMaterialId material, ThawVec3 center,
                            ThawVec3 velocity) {
    ThawBodyDef def = thaw_body_default();
    def.material = material;
    def.state = THAW_STATE_SOLID;
    def.shape = thaw_shape_rotate(thaw_shape_box(center, (ThawVec3){0.06, 0.06, 0.06}),
                                  (ThawVec3){1, 2, 3}, 0.7);
    def.velocity = velocity;
    def.spin = (ThawVec3){3, 1, -2};
    ThawBodyId body;
    assert_ok(thaw_world_add_body(world, &def, &body));
    return body;
}

// two blocks that meet
static ThawWorld *make_pair(bool keep) {
    ThawWorld *world = make_keeping(keep);
    ThawMaterialId rubber = add_rubber(world, 1e5f);
    add_block(world, rubber, (ThawVec3){-0.06, 0, 0}, (ThawVec3){1, 0, 0});
    add_block(world, rubber, (ThawVec3){0.06, 0, 0}, (ThawVec3){-1, 0, 0});
    return world;
}

typedef struct Tale {
    uint32_t rebuilds, contacts, bonds;
    double energy;
} Tale;

static Tale run(ThawWorld *world, int steps) {
    Tale tale = {0};
    ThawReport report;
    for (int n = 0; n < steps; n++) {
        assert_ok(thaw_world_step(world, DT, &report));
        tale.rebuilds += report.rebuilds;
        tale.contacts += report.solid_contacts;
        tale.bonds = report.bonds;
        tale.energy = report.kinetic + report.elastic;
        // told in every step, whether bonds were looked for or not
        assert_true(report.bonds > 0);
    }
    return tale;
}

// A first step makes room for what is new, which takes a look of its own.
static Tale run_new(ThawWorld *world, int steps) {
    ThawReport report;
    assert_ok(thaw_world_step(world, DT, &report));
    assert_true(report.rebuilds > 0);
    return run(world, steps);
}

// largest distance between the same particles of two worlds, m
static double furthest(ThawWorld *a, ThawWorld *b) {
    double most = 0;
    assert_int_equal(a->store->count, b->store->count);
    for (uint32_t row = 0; row < a->store->count; row++) {
        uint32_t other;
        assert_ok(thaw_world_index(b, a->store->id[row], &other));
        for (size_t k = 0; k < 3; k++) {
            int64_t way =
                a->store->cells[3 * (size_t)row + k] - b->store->cells[3 * (size_t)other + k];
            most = fmax(most, fabs(thaw_fixed_cells(way)) * a->domain.cell);
        }
    }
    return most;
}

static void solids_go_on_with_the_lists_of_the_step_before(void **state) {
    (void)state;
    ThawWorld *anew = make_pair(false), *keeps = make_pair(true);
    Tale first = run_new(anew, STEPS), second = run_new(keeps, STEPS);
    double off = furthest(anew, keeps);
    print_message("%d steps: lists made %u and %u times, %u and %u contacts, off by %.1e m\n",
                  STEPS, first.rebuilds, second.rebuilds, first.contacts, second.contacts, off);
    assert_int_equal(first.rebuilds, STEPS);
    assert_in_range(second.rebuilds, 1, STEPS / 2);
    assert_true(first.contacts > 0 && second.contacts > 0);
    assert_int_equal(first.bonds, second.bonds);
    // the same forces on the same bonds; contacts are added up in another order
    assert_true(off < 1e-5 * thaw_world_spacing(anew));
    assert_true(fabs(first.energy / second.energy - 1) < 1e-4);
    thaw_world_destroy(anew);
    thaw_world_destroy(keeps);
}

static void liquids_are_looked_for_in_every_step(void **state) {
    (void)state;
    ThawWorld *world = make_keeping(true);
    ThawBodyDef def = box_def(add_water(world), (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &def, NULL));
    ThawReport report;
    for (int n = 0; n < 4; n++) {
        assert_ok(thaw_world_step(world, DT, &report));
        assert_true(report.rebuilds > 0);
    }
    thaw_world_destroy(world);
}

static void what_comes_and_goes_is_noticed(void **state) {
    (void)state;
    ThawWorld *world = make_keeping(true);
    ThawMaterialId rubber = add_rubber(world, 1e5f);
    ThawBodyId first = add_block(world, rubber, (ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 0});
    Tale alone = run_new(world, 3);
    assert_int_equal(alone.rebuilds, 0);
    add_block(world, rubber, (ThawVec3){0.2, 0, 0}, (ThawVec3){0, 0, 0});
    Tale both = run_new(world, 3);
    assert_int_equal(both.rebuilds, 0);
    assert_int_equal(both.bonds, 2 * alone.bonds);
    assert_ok(thaw_world_remove_body(world, first));
    Tale left = run(world, 3);
    assert_int_equal(left.rebuilds, 1);
    assert_int_equal(left.bonds, alone.bonds);
    thaw_world_destroy(world);
}

// whatever happens to a saved world happens to the loaded one, and the other way round
static void saved_and_loaded_worlds_go_on_alike(void **state) {
    (void)state;
    ThawWorld *world = make_pair(true), *loaded;
    run(world, STEPS / 2 + 1);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    ThawHostDef host = {.threads = 2, .keep_lists = true};
    assert_ok(thaw_world_load(bytes, size, &host, &loaded));
    thaw_snapshot_free(bytes);
    Tale here = run(world, STEPS / 2), there = run(loaded, STEPS / 2);
    assert_int_equal(here.rebuilds, there.rebuilds);
    assert_true(here.rebuilds < STEPS / 2);
    assert_true(thaw_world_hash(world) == thaw_world_hash(loaded));
    thaw_world_destroy(world);
    thaw_world_destroy(loaded);
}

// worlds that run in step stay so when one of them is saved and the others are told
static void renewed_worlds_go_on_as_saved_ones(void **state) {
    (void)state;
    ThawWorld *saved = make_pair(true), *told = make_pair(true);
    run(saved, STEPS / 2 + 1);
    run(told, STEPS / 2 + 1);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(saved, &bytes, &size));
    thaw_snapshot_free(bytes);
    thaw_world_renew(told);
    run(saved, STEPS / 2);
    run(told, STEPS / 2);
    assert_true(thaw_world_hash(saved) == thaw_world_hash(told));
    thaw_world_destroy(saved);
    thaw_world_destroy(told);
}

// a longer step may need long bonds, which the step before had not looked for
static void steps_may_become_longer(void **state) {
    (void)state;
    ThawWorld *world = make_keeping(true);
    ThawWorldDef *def = &world->def;
    def->solver.elastic_steps = 1;
    add_block(world, add_rubber(world, 2e6f), (ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 0});
    ThawReport report;
    assert_ok(thaw_world_step(world, 1e-5, &report));
    assert_true(report.young_limit > report.young_wanted);
    double energy = report.kinetic + report.elastic;
    for (int n = 0; n < 20; n++) {
        assert_ok(thaw_world_step(world, 1e-3, &report));
        assert_true(report.young_limit < report.young_wanted);
        if (n == 0) assert_int_equal(report.rebuilds, 0);
    }
    assert_true(report.kinetic + report.elastic < 1.01 * energy);
    thaw_world_destroy(world);
}

static void changed_material_is_noticed(void **state) {
    (void)state;
    ThawWorld *world = make_keeping(true);
    ThawMaterialId rubber = add_rubber(world, 1e5f);
    add_block(world, rubber, (ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 0});
    assert_int_equal(run_new(world, 3).rebuilds, 0);
    ThawMaterialDef def = thaw_material_default();
    def.name = "rubber";
    def.solid.docking_rate = 10;
    assert_ok(thaw_world_set_material(world, rubber, &def));
    assert_int_equal(run(world, 3).rebuilds, 1);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_go_on_with_the_lists_of_the_step_before),
        cmocka_unit_test(liquids_are_looked_for_in_every_step),
        cmocka_unit_test(what_comes_and_goes_is_noticed),
        cmocka_unit_test(saved_and_loaded_worlds_go_on_alike),
        cmocka_unit_test(renewed_worlds_go_on_as_saved_ones),
        cmocka_unit_test(steps_may_become_longer),
        cmocka_unit_test(changed_material_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
