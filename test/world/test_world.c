// Worlds: the documented defaults, what is refused, and what a world says of itself.
#include "helpers.h"

#include "world/world.h"

// ---------------------------------------------------------------- defaults

static void defaults_are_the_documented_ones(void **state) {
    (void)state;
    ThawWorldDef def = thaw_world_default();
    assert_int_equal(def.dimensions, 3);
    assert_true(def.spacing == 0.01);
    assert_true(def.gravity.x == 0 && def.gravity.y == 0 && def.gravity.z == -9.81);
    assert_false(def.periodic[0] || def.periodic[1] || def.periodic[2]);
    assert_int_equal(def.seed, 1);
    assert_int_equal(def.threads, 0);
    assert_int_equal(def.isa, THAW_ISA_AUTO);
    assert_null(def.tasks);
    assert_int_equal(def.trouble, THAW_TROUBLE_STOP);
    assert_int_equal(def.solver.substeps, 0);
    assert_int_equal(def.solver.max_substeps, 64);
    assert_true(def.solver.max_displacement == 0.8);
    assert_true(def.solver.max_compression == 0.02);
    assert_int_equal(def.solver.iterations, 4);
    assert_int_equal(def.solver.max_iterations, 50);
    assert_true(def.solver.density_tolerance == 0);
    assert_true(def.solver.relaxation == 0.45);
    assert_true(def.solver.skin == 0.1);
    assert_int_equal(def.solver.elastic_steps, 16);
    assert_true(def.solver.long_bonds);
    assert_false(def.solver.explicit_forces);
}

static void body_and_collider_defaults_are_the_documented_ones(void **state) {
    (void)state;
    ThawBodyDef body = thaw_body_default();
    assert_string_equal(body.name, "");
    assert_true(body.spacing == 0 && body.jitter == 0);
    assert_true(body.velocity.x == 0 && body.velocity.y == 0 && body.velocity.z == 0);
    assert_true(body.spin.x == 0 && body.spin.y == 0 && body.spin.z == 0);
    assert_int_equal(body.packing, THAW_PACKING_CLOSE);
    assert_true(body.orientation.w == 1 && body.orientation.x == 0);
    ThawColliderDef collider = thaw_collider_default();
    assert_string_equal(collider.name, "");
    assert_false(collider.container);
    assert_true(collider.friction == 0.4f && collider.restitution == 0);
    assert_null(collider.motion);
    assert_int_equal(collider.motion_count, 0);
}

// ---------------------------------------------------------------- refusals

static void refuse(ThawWorldDef def, const char *word) {
    ThawWorld *world = NULL;
    assert_refused(thaw_world_create(&def, &world), word);
    assert_null(world);
}

#define REFUSE(field, value, word)                                                                 \
    do {                                                                                           \
        ThawWorldDef bad = small_def(3);                                                           \
        bad.field = value;                                                                         \
        refuse(bad, word);                                                                         \
    } while (0)

static void bad_space_is_refused_by_name(void **state) {
    (void)state;
    REFUSE(dimensions, 1, "dimensions");
    REFUSE(dimensions, 4, "dimensions");
    REFUSE(spacing, 0, "spacing");
    REFUSE(spacing, -1, "spacing");
    REFUSE(spacing, NAN, "spacing");
    REFUSE(spacing, INFINITY, "spacing");
    REFUSE(spacing, 1e-10, "spacing");
    REFUSE(spacing, 1e7, "spacing");
    REFUSE(gravity.x, NAN, "gravity");
    REFUSE(gravity.y, INFINITY, "gravity");
    REFUSE(gravity.z, -INFINITY, "gravity");
}

static void bad_hosts_and_policies_are_refused_by_name(void **state) {
    (void)state;
    REFUSE(threads, -1, "threads");
    REFUSE(threads, 257, "threads");
    REFUSE(isa, (ThawIsa)17, "isa");
    REFUSE(trouble, (ThawTroublePolicy)9, "trouble");
    ThawTaskSystem tasks = {NULL, NULL, 4};
    REFUSE(tasks, &tasks, "tasks.run");
}

static void bad_solvers_are_refused_by_name(void **state) {
    (void)state;
    REFUSE(solver.substeps, -1, "solver.substeps");
    REFUSE(solver.substeps, 1001, "solver.substeps");
    REFUSE(solver.max_substeps, 0, "solver.max_substeps");
    REFUSE(solver.max_substeps, 1001, "solver.max_substeps");
    REFUSE(solver.max_displacement, 0.04, "solver.max_displacement");
    REFUSE(solver.max_displacement, NAN, "solver.max_displacement");
    REFUSE(solver.max_displacement, 11, "solver.max_displacement");
    REFUSE(solver.max_compression, 0, "solver.max_compression");
    REFUSE(solver.max_compression, 1.5, "solver.max_compression");
    REFUSE(solver.iterations, 0, "solver.iterations");
    REFUSE(solver.iterations, 1001, "solver.iterations");
    REFUSE(solver.max_iterations, 0, "solver.max_iterations");
    REFUSE(solver.density_tolerance, -0.1, "solver.density_tolerance");
    REFUSE(solver.density_tolerance, NAN, "solver.density_tolerance");
    REFUSE(solver.relaxation, 0, "solver.relaxation");
    REFUSE(solver.relaxation, 1.1, "solver.relaxation");
    REFUSE(solver.skin, -0.1, "solver.skin");
    REFUSE(solver.skin, 0.6, "solver.skin");
    REFUSE(solver.elastic_steps, 0, "solver.elastic_steps");
    REFUSE(solver.elastic_steps, 1001, "solver.elastic_steps");
}

static void a_tolerance_needs_room_to_iterate(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    def.solver.iterations = 60;
    thaw_world_destroy(make_world(&def)); // max_iterations has no say without a tolerance
    def.solver.density_tolerance = 0.001;
    refuse(def, "solver.max_iterations");
}

static void flat_worlds_refuse_what_needs_a_third_axis(void **state) {
    (void)state;
    ThawWorldDef def = small_def(2);
    def.gravity = (ThawVec3){0, 0, -9.81};
    refuse(def, "gravity.z");
    assert_non_null(strstr(thaw_error_text(), "x and y"));
    def = small_def(2);
    def.periodic[2] = true;
    def.upper.z = 1;
    refuse(def, "periodic z");
}

static void bad_periodic_axes_are_refused_by_name(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    def.periodic[1] = true;
    refuse(def, "lower.y must be below upper.y");
    def.lower.y = 1, def.upper.y = -1;
    refuse(def, "lower.y");
    def.lower.y = NAN;
    refuse(def, "lower.y");
    def.lower.y = 0, def.upper.y = 0.039; // h = 0.02
    refuse(def, "two supports");
    def.upper.y = 1e9;
    refuse(def, "upper.y");
    def.upper.y = 0.04;
    thaw_world_destroy(make_world(&def));
}

static void corners_of_open_axes_do_not_matter(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    ThawWorld *plain = make_world(&def);
    def.lower.x = NAN;
    def.upper.z = -4;
    ThawWorld *other = make_world(&def);
    assert_true(thaw_world_hash(plain) == thaw_world_hash(other));
    thaw_world_destroy(plain);
    thaw_world_destroy(other);
}

// ---------------------------------------------------------------- what it says

static void a_world_tells_what_it_was_given(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    def.spacing = 0.05;
    def.threads = 2;
    def.isa = THAW_ISA_BASELINE;
    ThawWorld *world = make_world(&def);
    assert_true(thaw_world_spacing(world) == 0.05);
    assert_true(thaw_world_support(world) == 0.1);
    assert_int_equal(thaw_world_threads(world), 2);
    assert_int_equal(thaw_world_isa(world), THAW_ISA_BASELINE);
    assert_true(thaw_world_time(world) == 0);
    assert_int_equal(thaw_world_count(world), 0);
    thaw_world_destroy(world);
}

static void auto_comes_to_an_instruction_set(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    assert_int_not_equal(thaw_world_isa(world), THAW_ISA_AUTO);
    thaw_world_destroy(world);
}

static void run_in_turn(void *user, ThawTask *task, void *context, uint32_t chunks) {
    *(int *)user += 1;
    for (uint32_t k = 0; k < chunks; k++) task(context, k, k % 3);
}

// the def and the task system may be gone by the time they are used
static void a_host_lends_its_threads_by_value(void **state) {
    (void)state;
    int runs = 0;
    ThawTaskSystem tasks = {run_in_turn, &runs, 3};
    ThawWorldDef def = small_def(3);
    def.tasks = &tasks;
    ThawWorld *world = make_world(&def);
    memset(&tasks, 0xff, sizeof tasks);
    memset(&def, 0xff, sizeof def);
    assert_int_equal(thaw_world_threads(world), 3);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    view_of(world, "position");
    assert_true(runs > 0);
    thaw_world_destroy(world);
}

static void periods_are_exact_fixed_point_lengths(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    def.periodic[0] = true;
    def.lower.x = -0.5, def.upper.x = 0.5;
    ThawWorld *world = make_world(&def);
    assert_true(world->domain.lower[0] == -25 * THAW_FIXED_ONE);
    assert_true(world->domain.length[0] == 50 * THAW_FIXED_ONE);
    assert_false(world->domain.periodic[1]);
    thaw_world_destroy(world);
}

static void destroying_nothing_is_fine(void **state) {
    (void)state;
    thaw_world_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_documented_ones),
        cmocka_unit_test(body_and_collider_defaults_are_the_documented_ones),
        cmocka_unit_test(bad_space_is_refused_by_name),
        cmocka_unit_test(bad_hosts_and_policies_are_refused_by_name),
        cmocka_unit_test(bad_solvers_are_refused_by_name),
        cmocka_unit_test(a_tolerance_needs_room_to_iterate),
        cmocka_unit_test(flat_worlds_refuse_what_needs_a_third_axis),
        cmocka_unit_test(bad_periodic_axes_are_refused_by_name),
        cmocka_unit_test(corners_of_open_axes_do_not_matter),
        cmocka_unit_test(a_world_tells_what_it_was_given),
        cmocka_unit_test(auto_comes_to_an_instruction_set),
        cmocka_unit_test(a_host_lends_its_threads_by_value),
        cmocka_unit_test(periods_are_exact_fixed_point_lengths),
        cmocka_unit_test(destroying_nothing_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
