// What must not matter to bodies in liquid: threads, whether the world was saved half way, where it is.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <cmocka.h>

#include "support/rigid.h"

#define D 0.03125 // m, so that a cell of two spacings is exact in metres
#define DT (1.0 / 128.0)

static ThawVec3 vec(double x, double y, double z) {
    return (ThawVec3){x, y, z};
}

static ThawVec3 plus(ThawVec3 a, ThawVec3 b) {
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

// a pool in a tank, a light cone, a heavy box and a lattice solid that fall in, all moved together
static RigidRig open_scene(int threads, ThawVec3 move) {
    ThawWorldDef def = rigid_def(3, D);
    def.threads = threads;
    RigidRig rig = rigid_open(&def);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box(plus(vec(0, 0, 32 * D), move), vec(20 * D, 16 * D, 64 * D));
    assert_int_equal(thaw_world_add_collider(rig.world, &tank, NULL), THAW_OK);
    rigid_blob(&rig, thaw_shape_box(plus(vec(0, 0, 3 * D), move), vec(20 * D, 16 * D, 6 * D)),
               vec(0, 0, 0));
    ThawVec3 base = plus(vec(4 * D, 0, 14 * D), move), apex = plus(vec(6 * D, D, 8 * D), move);
    ThawColliderDef cone = rigid_body(thaw_shape_cone(base, apex, 3 * D), 300);
    ThawColliderDef box = rigid_body(
        thaw_shape_box(plus(vec(-4 * D, 0, 10 * D), move), vec(6 * D, 5 * D, 4 * D)), 1800);
    box.shape = thaw_shape_rotate(box.shape, vec(1, 2, 3), 0.5);
    box.dynamic.spin = vec(1, 3, -2);
    rigid_add(&rig, &cone);
    rigid_add(&rig, &box);
    ThawBodyDef solid = thaw_body_default();
    solid.material = rig.liquid;
    solid.state = THAW_STATE_SOLID;
    solid.shape = thaw_shape_box(plus(vec(-4 * D, 0, 17 * D), move), vec(4 * D, 4 * D, 4 * D));
    assert_int_equal(thaw_world_add_body(rig.world, &solid, NULL), THAW_OK);
    return rig;
}

static void run(RigidRig *rig, int steps) {
    for (int k = 0; k < steps; k++) rigid_step(rig, DT);
}

static void threads_give_the_same_bits(void **state) {
    (void)state;
    const int threads[3] = {1, 2, 5};
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        RigidRig rig = open_scene(threads[k], vec(0, 0, 0));
        run(&rig, 40);
        hash[k] = thaw_world_hash(rig.world);
        // they have met the liquid
        ThawContact contact;
        assert_int_equal(thaw_world_contact(rig.world, rig.bodies[0], &contact), THAW_OK);
        assert_true(contact.particles > 0);
        rigid_close(&rig);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void a_saved_world_goes_on_in_the_same_bits(void **state) {
    (void)state;
    RigidRig rig = open_scene(1, vec(0, 0, 0));
    run(&rig, 25);
    void *bytes;
    size_t size;
    assert_int_equal(thaw_world_save(rig.world, &bytes, &size), THAW_OK);
    ThawHostDef host = {.threads = 2};
    ThawWorld *world;
    assert_int_equal(thaw_world_load(bytes, size, &host, &world), THAW_OK);
    thaw_snapshot_free(bytes);
    RigidRig other = rigid_around(&rig, world);
    assert_true(thaw_world_hash(rig.world) == thaw_world_hash(world));
    run(&rig, 20);
    run(&other, 20);
    assert_true(thaw_world_hash(rig.world) == thaw_world_hash(world));
    ThawColliderState a = rigid_state(&rig, 0), b = rigid_state(&other, 0);
    assert_memory_equal(&a, &b, sizeof a);
    rigid_close(&rig);
    rigid_close(&other);
}

static void a_pushed_body_changes_the_hash(void **state) {
    (void)state;
    RigidRig rig = open_scene(1, vec(0, 0, 0));
    uint64_t before = thaw_world_hash(rig.world);
    ThawVec3 impulse = {1e-3, 0, 0}, point = {0, 0, 0};
    assert_int_equal(thaw_world_push_collider(rig.world, rig.bodies[1], impulse, point), THAW_OK);
    assert_true(thaw_world_hash(rig.world) != before);
    rigid_close(&rig);
}

static void whole_cells_away_gives_the_same_bits(void **state) {
    (void)state;
    ThawVec3 move = {64 * 1000 * D, -64 * 200 * D, 2 * 333 * D};
    RigidRig here = open_scene(1, vec(0, 0, 0)), there = open_scene(1, move);
    run(&here, 40);
    run(&there, 40);
    for (int k = 0; k < 2; k++) {
        ThawColliderState a = rigid_state(&here, k), b = rigid_state(&there, k);
        assert_memory_equal(&a.velocity, &b.velocity, sizeof a.velocity);
        assert_memory_equal(&a.spin, &b.spin, sizeof a.spin);
        assert_memory_equal(&a.pose.rotation, &b.pose.rotation, sizeof a.pose.rotation);
        ThawVec3 moved = plus(a.center, move);
        assert_true(moved.x == b.center.x && moved.y == b.center.y && moved.z == b.center.z);
    }
    rigid_close(&here);
    rigid_close(&there);
}

// a raft that drifts out on one side and in on the other is the same raft
static void periodic_sides_do_not_matter(void **state) {
    (void)state;
    RigidRig rigs[2];
    for (int k = 0; k < 2; k++) {
        ThawWorldDef def = rigid_def(2, D);
        def.periodic[0] = true;
        def.lower.x = -16 * D;
        def.upper.x = 16 * D;
        rigs[k] = rigid_open(&def);
        rigid_floor(&rigs[k], 0.1f, 0);
        rigid_blob(&rigs[k], thaw_shape_box(vec(0, 4 * D, 0), vec(32 * D, 8 * D, 1)), vec(0, 0, 0));
        ThawColliderDef raft =
            rigid_body(thaw_shape_box(vec(k * 16 * D, 11 * D, 0), vec(8 * D, 4 * D, 1)), 400);
        rigid_add(&rigs[k], &raft);
        run(&rigs[k], 128);
    }
    // the second raft sits on the seam; particles began elsewhere below it, so only the mean is the same
    double a = rigid_height(&rigs[0], 0), b = rigid_height(&rigs[1], 0);
    assert_true(fabs(a - b) < 0.1 * D);
    for (int k = 0; k < 2; k++) {
        ThawColliderState s = rigid_state(&rigs[k], 0);
        assert_true(fabs(s.center.x) <= 16 * D);
        assert_true(rigid_speed(&rigs[k], 0) < 0.1);
        rigid_close(&rigs[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(a_saved_world_goes_on_in_the_same_bits),
        cmocka_unit_test(a_pushed_body_changes_the_hash),
        cmocka_unit_test(whole_cells_away_gives_the_same_bits),
        cmocka_unit_test(periodic_sides_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
