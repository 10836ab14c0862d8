// Numerical trouble: what is not finite stops the step or is removed, as policy says; what leaves the
// domain is removed; and the others go on.
#include "helpers.h"

#include "world/world.h"

#include <stdio.h>

static ThawWorld *troubled_world(ThawTroublePolicy policy) {
    ThawWorldDef def = small_def(3);
    def.trouble = policy;
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0.05});
    body.shape.size = (ThawVec3){0.08, 0.08, 0.08};
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawColliderDef floor = thaw_collider_default();
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    assert_ok(thaw_world_add_collider(world, &floor, NULL));
    return world;
}

// sets one component of a row's velocity; returns the particle
static ThawParticleId spoil(ThawWorld *world, uint32_t row, float value) {
    void *data;
    assert_ok(thaw_world_edit(world, "velocity", &data));
    ((float *)data)[3 * row + 1] = value;
    return ((const uint64_t *)view_of(world, "id").data)[row];
}

static void assert_stops(ThawWorld *world, float value) {
    ThawParticleId id = spoil(world, 77, value);
    uint64_t before = thaw_world_hash(world);
    ThawReport report;
    assert_int_equal(thaw_world_step(world, 0.01, &report), THAW_TROUBLE);
    char name[32];
    snprintf(name, sizeof name, "%llu", (unsigned long long)id);
    if (strstr(thaw_error_text(), name) == NULL) fail_msg("no %s: %s", name, thaw_error_text());
    assert_true(report.first_trouble == id);
    assert_true(thaw_world_hash(world) == before);
    // repaired, it goes on
    uint32_t row;
    assert_ok(thaw_world_index(world, id, &row));
    spoil(world, row, 0.0f);
    assert_ok(thaw_world_step(world, 0.01, &report));
    assert_true(report.first_trouble == 0);
}

static void policy_stop_names_the_particle_and_changes_nothing(void **state) {
    (void)state;
    const float values[] = {NAN, INFINITY, -INFINITY, 3e38f};
    for (int k = 0; k < 4; k++) {
        ThawWorld *world = troubled_world(THAW_TROUBLE_STOP);
        for (int n = 0; n < 3; n++) assert_ok(thaw_world_step(world, 0.01, NULL));
        assert_stops(world, values[k]);
        thaw_world_destroy(world);
    }
}

// before anything was measured or settled
static void policy_stop_changes_nothing_in_the_first_step(void **state) {
    (void)state;
    ThawWorld *world = troubled_world(THAW_TROUBLE_STOP);
    assert_stops(world, NAN);
    thaw_world_destroy(world);
}

static void policy_remove_counts_and_goes_on(void **state) {
    (void)state;
    const float values[] = {NAN, INFINITY, -3e38f};
    for (int k = 0; k < 3; k++) {
        ThawWorld *world = troubled_world(THAW_TROUBLE_REMOVE);
        for (int n = 0; n < 3; n++) assert_ok(thaw_world_step(world, 0.01, NULL));
        uint32_t count = thaw_world_count(world), row;
        ThawParticleId gone[3];
        for (uint32_t n = 0; n < 3; n++) gone[n] = spoil(world, 100 * n + 7, values[k]);
        ThawReport report;
        assert_ok(thaw_world_step(world, 0.01, &report));
        assert_int_equal(report.removed_nonfinite, 3);
        assert_int_equal(report.removed_outside, 0);
        assert_true(report.first_trouble == gone[0]);
        assert_int_equal(thaw_world_count(world), count - 3);
        for (int n = 0; n < 3; n++) {
            assert_int_equal(thaw_world_index(world, gone[n], &row), THAW_NOT_FOUND);
        }
        assert_ok(thaw_world_step(world, 0.01, &report));
        assert_int_equal(report.removed_nonfinite, 0);
        assert_int_equal(report.particles, count - 3);
        assert_true(isfinite(report.kinetic) && isfinite(report.max_speed));
        thaw_world_destroy(world);
    }
}

// matter that leaves the 2^21 cells is gone in either policy
static void particles_that_leave_the_domain_are_removed(void **state) {
    (void)state;
    for (int policy = 0; policy < 2; policy++) {
        ThawWorld *world = troubled_world((ThawTroublePolicy)policy);
        uint32_t count = thaw_world_count(world);
        double edge = (THAW_CELL_LIMIT - 5) * thaw_world_support(world);
        const double x[2][3] = {{edge, 0, 1}, {0, -edge, 1}};
        const float v[2][3] = {{900, 0, 0}, {0, -900, 0}};
        ThawParticlesDef leavers = {.material = {1}, .count = 2, .positions = x, .velocities = v};
        ThawParticleId first;
        assert_ok(thaw_world_add_particles(world, &leavers, &first));
        ThawReport report;
        uint32_t removed = 0;
        for (int n = 0; n < 3; n++) {
            assert_ok(thaw_world_step(world, 0.001, &report));
            removed += report.removed_outside;
            assert_int_equal(report.removed_nonfinite, 0);
            if (n == 0)
                assert_true(report.first_trouble == first || report.first_trouble == first + 1);
        }
        assert_int_equal(removed, 2);
        assert_int_equal(report.particles, count);
        assert_int_equal(thaw_world_count(world), count);
        thaw_world_destroy(world);
    }
}

// everything may go: an empty world still steps
static void a_world_may_lose_all_particles(void **state) {
    (void)state;
    ThawWorld *world = troubled_world(THAW_TROUBLE_REMOVE);
    uint32_t count = thaw_world_count(world);
    ThawReport report;
    for (uint32_t row = 0; row < count; row++) spoil(world, row, NAN);
    assert_ok(thaw_world_step(world, 0.01, &report));
    assert_int_equal(report.removed_nonfinite, count);
    assert_int_equal(thaw_world_count(world), 0);
    assert_true(fabs(thaw_world_time(world) - 0.01) < 1e-15);
    assert_ok(thaw_world_step(world, 0.01, &report));
    assert_int_equal(report.particles, 0);
    assert_true(fabs(thaw_world_time(world) - 0.02) < 1e-15);
    thaw_world_destroy(world);
}

// time stands where the world does
static void time_does_not_pass_in_a_step_that_stopped(void **state) {
    (void)state;
    ThawWorld *world = troubled_world(THAW_TROUBLE_STOP);
    assert_ok(thaw_world_step(world, 0.01, NULL));
    double time = thaw_world_time(world);
    spoil(world, 5, NAN);
    assert_int_equal(thaw_world_step(world, 0.01, NULL), THAW_TROUBLE);
    assert_true(thaw_world_time(world) == time);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policy_stop_names_the_particle_and_changes_nothing),
        cmocka_unit_test(policy_stop_changes_nothing_in_the_first_step),
        cmocka_unit_test(policy_remove_counts_and_goes_on),
        cmocka_unit_test(particles_that_leave_the_domain_are_removed),
        cmocka_unit_test(a_world_may_lose_all_particles),
        cmocka_unit_test(time_does_not_pass_in_a_step_that_stopped),
    };
    return cmocka_run_group_tests_name("trouble", tests, NULL, NULL);
}
