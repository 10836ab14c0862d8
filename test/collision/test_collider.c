// Colliders: what is refused, and where motion puts them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "collision/collider.h"
#include "math/vec.h"

static ThawColliderDef good(void) {
    ThawColliderDef def = thaw_collider_default();
    def.name = "duck";
    def.shape = thaw_shape_sphere(thaw_vec(1, 2, 3), 0.5);
    return def;
}

static void refuses(ThawColliderDef def, const char *word) {
    assert_int_equal(thaw_collider_check(&def), THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_error_text(), word));
    assert_non_null(strstr(thaw_error_text(), "collider"));
}

static void bad_colliders_are_refused_by_field(void **state) {
    (void)state;
    ThawColliderDef def = good();
    assert_int_equal(thaw_collider_check(&def), THAW_OK);
    def.name = NULL;
    refuses(def, "name");
    char longest[100];
    memset(longest, 'x', sizeof longest);
    longest[99] = 0;
    def.name = longest;
    refuses(def, "name");
    def = good(), def.friction = -0.1f;
    refuses(def, "friction");
    def = good(), def.friction = NAN;
    refuses(def, "friction");
    def = good(), def.restitution = 1.5f;
    refuses(def, "restitution");
    def = good(), def.restitution = NAN;
    refuses(def, "restitution");
    def = good(), def.adhesion = 1.5f;
    refuses(def, "adhesion");
    def = good(), def.adhesion = NAN;
    refuses(def, "adhesion");
    def = good(), def.shape.radius = 0;
    refuses(def, "radius");
    assert_non_null(strstr(thaw_error_text(), "duck"));
    def = good(), def.shape.pose.position.y = INFINITY;
    refuses(def, "position");
}

static void bad_motions_are_refused_by_key(void **state) {
    (void)state;
    ThawKeyframe keys[3] = {
        {0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {1, 0, 0}, {0, 0, 0, 1}}, {2, {0, 0, 0}, {0, 0, 0, 1}}};
    ThawColliderDef def = good();
    def.motion = keys;
    def.motion_count = 3;
    assert_int_equal(thaw_collider_check(&def), THAW_OK);
    keys[2].time = 1;
    refuses(def, "motion[2].time");
    keys[2].time = NAN;
    refuses(def, "motion[2].time");
    keys[2].time = 2, keys[1].move.z = INFINITY;
    refuses(def, "motion[1].move");
    keys[1].move.z = 0, keys[0].rotation.w = 0;
    refuses(def, "motion[0].rotation");
    keys[0].rotation.w = 1, def.motion_count = 0;
    refuses(def, "motion_count");
    def.motion = NULL, def.motion_count = 2;
    refuses(def, "motion");
}

static void motion_is_linear_and_turns_evenly(void **state) {
    (void)state;
    ThawVec3 up = {0, 0, 1};
    ThawKeyframe keys[2] = {{1, {0, 0, 0}, {0, 0, 0, 1}}, {3, {2, 0, 4}, thaw_quat_turn(up, 1.2)}};
    ThawColliderDef def = good();
    def.motion = keys;
    def.motion_count = 2;
    ThawCollider collider;
    assert_int_equal(thaw_collider_from(&def, &collider), THAW_OK);
    keys[1].move.x = 99; // the collider has its own copy
    ThawPose before = thaw_collider_pose(&collider, 0), middle = thaw_collider_pose(&collider, 1.5);
    ThawPose after = thaw_collider_pose(&collider, 9);
    assert_true(before.position.x == 1 && before.rotation.w == 1);
    assert_true(fabs(middle.position.x - 1.5) < 1e-12 && fabs(middle.position.z - 4) < 1e-12);
    assert_true(fabs(middle.rotation.z - sin(0.15)) < 1e-12);
    assert_true(fabs(after.position.x - 3) < 1e-12 && fabs(after.rotation.z - sin(0.6)) < 1e-12);
    assert_string_equal(collider.name, "duck");
    thaw_collider_release(&collider);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_colliders_are_refused_by_field),
        cmocka_unit_test(bad_motions_are_refused_by_key),
        cmocka_unit_test(motion_is_linear_and_turns_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
