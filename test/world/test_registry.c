// Materials, colliders and handles.
#include "helpers.h"

#include <stdio.h>

static void materials_keep_their_own_names(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawMaterialDef def = thaw_material_default();
    ThawMaterialId water, oil;
    assert_ok(thaw_world_add_material(world, &def, &water));
    assert_refused(thaw_world_add_material(world, &def, &oil), "name is taken");
    def.name = "oil";
    assert_ok(thaw_world_add_material(world, &def, &oil));
    assert_int_not_equal(water.value, 0);
    assert_int_not_equal(water.value, oil.value);
    thaw_world_destroy(world);
}

static void bad_materials_are_refused_by_name(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawMaterialDef def = thaw_material_default();
    ThawMaterialId material = {77};
    def.density = 0;
    assert_refused(thaw_world_add_material(world, &def, &material), "density");
    def = thaw_material_default();
    def.liquid.xsph = NAN;
    assert_refused(thaw_world_add_material(world, &def, &material), "xsph");
    assert_int_equal(material.value, 77);
    thaw_world_destroy(world);
}

static void many_materials_fit(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    char name[32];
    for (int k = 0; k < 300; k++) {
        ThawMaterialDef def = thaw_material_default();
        snprintf(name, sizeof name, "material %d", k);
        def.name = name;
        def.density = (float)(k + 1);
        ThawMaterialId material;
        assert_ok(thaw_world_add_material(world, &def, &material));
        assert_int_equal(material.value, k + 1);
    }
    thaw_world_destroy(world);
}

static ThawColliderDef ball_def(double x) {
    ThawColliderDef def = thaw_collider_default();
    def.name = "ball";
    def.shape = thaw_shape_sphere((ThawVec3){x, 0, 0}, 0.1);
    return def;
}

static void bad_colliders_are_refused_by_name(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawColliderDef def = thaw_collider_default();
    assert_refused(thaw_world_add_collider(world, &def, NULL), "size"); // no shape was given
    def = ball_def(0);
    def.friction = -1;
    assert_refused(thaw_world_add_collider(world, &def, NULL), "friction");
    def = ball_def(0);
    def.restitution = 2;
    assert_refused(thaw_world_add_collider(world, &def, NULL), "restitution");
    def = ball_def(NAN);
    assert_refused(thaw_world_add_collider(world, &def, NULL), "position");
    const ThawBall balls[2] = {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}};
    def = ball_def(0);
    def.shape = thaw_shape_blend(balls, 2, 0.1);
    assert_refused(thaw_world_add_collider(world, &def, NULL), "blend cannot be a collider yet");
    thaw_world_destroy(world);
}

static void removed_colliders_are_refused_for_ever(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawColliderDef def = ball_def(0);
    ThawColliderId first, second, later;
    ThawContact contact;
    assert_ok(thaw_world_add_collider(world, &def, &first));
    assert_ok(thaw_world_add_collider(world, &def, &second));
    assert_ok(thaw_world_contact(world, first, &contact));
    assert_int_equal(contact.particles, 0);
    assert_ok(thaw_world_remove_collider(world, first));
    assert_missing(thaw_world_contact(world, first, &contact), "collider");
    assert_missing(thaw_world_remove_collider(world, first), "removed");
    // a new one in the gap has a name of its own, and the other is still known
    for (int k = 0; k < 1000; k++) {
        assert_ok(thaw_world_add_collider(world, &def, &later));
        assert_int_not_equal(later.value, first.value);
        assert_ok(thaw_world_contact(world, second, &contact));
        assert_ok(thaw_world_remove_collider(world, later));
    }
    assert_missing(thaw_world_contact(world, first, &contact), "collider");
    thaw_world_destroy(world);
}

static void made_up_handles_are_refused(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawContact contact;
    assert_missing(thaw_world_contact(world, (ThawColliderId){0}, &contact), "collider");
    assert_missing(thaw_world_contact(world, (ThawColliderId){UINT32_MAX}, &contact), "collider");
    assert_missing(thaw_world_remove_body(world, (ThawBodyId){0}), "body");
    assert_missing(thaw_world_remove_body(world, (ThawBodyId){12345}), "body");
    thaw_world_destroy(world);
}

static void motions_are_copied(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {1, 0, 0}, {0, 0, 0, 1}}};
    char name[] = "paddle";
    ThawColliderDef def = ball_def(0);
    def.name = name;
    def.motion = keys;
    def.motion_count = 2;
    assert_ok(thaw_world_add_collider(world, &def, NULL));
    uint64_t before = thaw_world_hash(world);
    memset(keys, 0xff, sizeof keys);
    memset(name, 'x', sizeof name - 1);
    assert_true(thaw_world_hash(world) == before);
    thaw_world_destroy(world);
}

static void materials_change_while_a_world_runs(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawMaterialId water = add_water(world);
    ThawBodyDef box = box_def(water, (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &box, NULL));
    ThawReport before, after;
    assert_ok(thaw_world_step(world, 1e-4, &before));
    ThawMaterialDef def = thaw_material_default();
    def.name = "not this one";
    def.density = 500;
    assert_ok(thaw_world_set_material(world, water, &def));
    assert_ok(thaw_world_step(world, 1e-4, &after));
    assert_true(fabs(after.mass / before.mass - 0.5) < 1e-6);
    // the name stays
    def.name = "water";
    assert_refused(thaw_world_add_material(world, &def, NULL), "name is taken");
    def.density = NAN;
    uint64_t hash = thaw_world_hash(world);
    assert_refused(thaw_world_set_material(world, water, &def), "density");
    assert_true(thaw_world_hash(world) == hash);
    assert_missing(thaw_world_set_material(world, (ThawMaterialId){9}, &def), "material 9");
    thaw_world_destroy(world);
}

static void gravity_and_surfaces_change_while_a_world_runs(void **state) {
    (void)state;
    ThawWorld *world = small_world(2);
    uint64_t hash = thaw_world_hash(world);
    assert_refused(thaw_world_set_gravity(world, (ThawVec3){0, 0, 1}), "gravity.z");
    assert_refused(thaw_world_set_gravity(world, (ThawVec3){NAN, 0, 0}), "gravity");
    assert_true(thaw_world_hash(world) == hash);
    assert_ok(thaw_world_set_gravity(world, (ThawVec3){3, 0, 0}));
    assert_true(thaw_world_hash(world) != hash);
    ThawColliderDef def = ball_def(0);
    ThawColliderId ball;
    assert_ok(thaw_world_add_collider(world, &def, &ball));
    hash = thaw_world_hash(world);
    assert_refused(thaw_world_set_collider(world, ball, -1, 0), "collider 'ball': friction");
    assert_refused(thaw_world_set_collider(world, ball, 0, 2), "restitution");
    assert_missing(thaw_world_set_collider(world, (ThawColliderId){7}, 0, 0), "collider 7");
    assert_true(thaw_world_hash(world) == hash);
    assert_ok(thaw_world_set_collider(world, ball, 0.25f, 0.5f));
    assert_true(thaw_world_hash(world) != hash);
    thaw_world_destroy(world);
}

static void models_are_named(void **state) {
    (void)state;
    const char *summary = NULL;
    const char *const names[3] = {"thermal", "liquid", "solid"};
    for (uint32_t k = 0; k < 3; k++) {
        assert_string_equal(thaw_model_name(k, &summary), names[k]);
        assert_true(summary != NULL && summary[0] != '\0');
    }
    assert_null(thaw_model_name(3, &summary));
    assert_null(thaw_model_name(1000, &summary));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_keep_their_own_names),
        cmocka_unit_test(bad_materials_are_refused_by_name),
        cmocka_unit_test(many_materials_fit),
        cmocka_unit_test(bad_colliders_are_refused_by_name),
        cmocka_unit_test(removed_colliders_are_refused_for_ever),
        cmocka_unit_test(made_up_handles_are_refused),
        cmocka_unit_test(motions_are_copied),
        cmocka_unit_test(materials_change_while_a_world_runs),
        cmocka_unit_test(gravity_and_surfaces_change_while_a_world_runs),
        cmocka_unit_test(models_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
