// From scene to world: what is built, how it is animated, and what is said before.
#include "scene_rig.h"

#include <glob.h>
#include <math.h>

static ThawWorld *build(const ThawScene *scene) {
    static const ThawHostDef host = {.threads = 1};
    ThawWorld *world = NULL;
    ThawResult result = thaw_scene_build(scene, &host, &world);
    if (result != THAW_OK) fail_msg("%s", thaw_error_text());
    return world;
}

// ---------------------------------------------------------------- building

static void the_preflight_counts_what_is_built(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TESTS "/good/everything.yaml");
    ThawWorld *world = build(scene);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    assert_int_equal(preflight.particles, thaw_world_count(world));
    ThawView object;
    assert_int_equal(thaw_world_view(world, "object", &object), THAW_OK);
    uint32_t counts[64] = {0};
    assert_true(scene->body_count < 64);
    for (uint32_t k = 0; k < object.count; k++) counts[((const int32_t *)object.data)[k] - 1]++;
    for (int k = 0; k < scene->body_count; k++) {
        assert_int_equal(preflight.body_particles[k], counts[k]);
    }
    assert_true(preflight.support == thaw_world_support(world));
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void fields_are_set_at_each_particles_place(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(SCENE_HEAD SCENE_WATER
                                   "channels: {dye: {components: 2}, tag: {type: int}}\n" SCENE_CUBE
                                   "    velocity: [\"-2*y\", \"2*x\", 1]\n"
                                   "    spin: [0, 0, 3]\n"
                                   "    channels: {dye: [\"x > 0\", z], tag: -7}\n"
                                   "  - {name: ball, material: water, velocity: [4, 5, 6],\n"
                                   "     shape: {sphere: {center: [1, 0, 0], radius: 0.1}}}\n",
                                   NULL);
    ThawWorld *world = build(scene);
    uint32_t count = thaw_world_count(world);
    double(*positions)[3] = calloc(count, sizeof *positions);
    assert_non_null(positions);
    thaw_world_positions(world, positions);
    ThawView velocity, object, dye, tag;
    assert_int_equal(thaw_world_view(world, "velocity", &velocity), THAW_OK);
    assert_int_equal(thaw_world_view(world, "object", &object), THAW_OK);
    assert_int_equal(thaw_world_view(world, "dye", &dye), THAW_OK);
    assert_int_equal(thaw_world_view(world, "tag", &tag), THAW_OK);
    for (uint32_t k = 0; k < count; k++) {
        const float *v = (const float *)velocity.data + 3 * k, *d = (const float *)dye.data + 2 * k;
        const double *p = positions[k];
        bool cube = ((const int32_t *)object.data)[k] == 1;
        // the spin of 3 rad/s about the cube's own middle, which is on the z axis, adds to the field's 2
        double vx = cube ? -5 * p[1] : 4, vy = cube ? 5 * p[0] : 5, vz = cube ? 1 : 6;
        assert_true(fabs((double)v[0] - vx) < 1e-6 && fabs((double)v[1] - vy) < 1e-6);
        assert_true((double)v[2] == vz);
        assert_true(d[0] == (cube && p[0] > 0 ? 1.0f : 0.0f));
        assert_true(d[1] == (cube ? (float)p[2] : 0.0f));
        assert_int_equal(((const int32_t *)tag.data)[k], cube ? -7 : 0);
    }
    free(positions);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void handles_count_from_one_in_order(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TESTS "/good/everything.yaml");
    ThawWorld *world = build(scene);
    ThawView material, object;
    assert_int_equal(thaw_world_view(world, "material", &material), THAW_OK);
    assert_int_equal(thaw_world_view(world, "object", &object), THAW_OK);
    for (uint32_t k = 0; k < object.count; k++) {
        int body = ((const int32_t *)object.data)[k] - 1;
        assert_int_equal(((const uint16_t *)material.data)[k], scene->bodies[body].material);
    }
    ThawContact contact;
    for (int k = 0; k < scene->collider_count; k++) {
        ThawColliderId id = {(uint32_t)k + 1};
        assert_int_equal(thaw_world_contact(world, id, &contact), THAW_OK);
    }
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void values_that_are_not_finite_are_refused(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(
        SCENE_HEAD SCENE_WATER SCENE_CUBE "    velocity: [\"log(x - 100)\", 0, 0]\n", NULL);
    ThawWorld *world = NULL;
    assert_int_equal(thaw_scene_build(scene, NULL, &world), THAW_BAD_INPUT);
    assert_null(world);
    assert_non_null(strstr(thaw_error_text(), "body \"cube\": velocity"));
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- moving on

// gravity that grows with time: values at the middle of each piece integrate it exactly
static void numbers_change_within_a_frame(void **state) {
    (void)state;
    ThawScene *scene =
        parse_scene(SCENE_HEAD SCENE_WATER SCENE_CUBE "gravity: [0, 0, \"-8*t\"]\n", NULL);
    assert_true(scene->animated);
    ThawWorld *world = build(scene);
    ThawReport report;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(thaw_scene_advance(scene, world, 0.125, &report), THAW_OK);
    }
    double t = thaw_world_time(world);
    assert_true(fabs(t - 0.375) < 1e-12);
    assert_true(fabs(report.momentum.z / report.mass + 4 * t * t) < 1e-4);
    assert_true(report.substeps >= 4 && report.iterations == 4 * report.substeps);
    assert_int_equal(report.step, 12);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void still_scenes_take_one_step_a_frame(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(SCENE_ALL, NULL);
    ThawWorld *world = build(scene);
    ThawReport report;
    assert_int_equal(thaw_scene_advance(scene, world, 1.0 / 24, &report), THAW_OK);
    assert_int_equal(report.step, 1);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void friction_can_be_animated(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(SCENE_ALL "    friction: [[0, 0], [1, 1]]\n"
                                             "    restitution: \"0.2*t\"\n",
                                   NULL);
    ThawWorld *world = build(scene);
    assert_int_equal(thaw_scene_animate(scene, world, 0.5), THAW_OK);
    assert_int_equal(thaw_scene_advance(scene, world, 1.0 / 24, NULL), THAW_OK);
    // beyond the scene's time 0.2 t leaves 0..1: the library refuses it
    assert_int_equal(thaw_scene_animate(scene, world, 6), THAW_BAD_INPUT);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void colliders_are_where_their_motion_says(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(
        SCENE_ALL "    motion:\n      - {time: 1}\n"
                  "      - {time: 3, move: [4, 0, 0], rotate: {axis: [0, 0, 1], angle: 90 deg}}\n",
        NULL);
    const ThawSceneCollider *tank = &scene->colliders[0];
    assert_true(thaw_scene_collider_at(tank, 0).pose.position.x == 0);
    ThawShape half = thaw_scene_collider_at(tank, 2), end = thaw_scene_collider_at(tank, 9);
    assert_true(half.pose.position.x == 2 && half.pose.position.z == 0.5);
    assert_true(fabs(half.pose.rotation.z - sin(3.14159265358979323846 / 8)) < 1e-12);
    assert_true(end.pose.position.x == 4);
    assert_true(fabs(end.pose.rotation.z - sin(3.14159265358979323846 / 4)) < 1e-12);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- before

// what the preflight says of the usual scene with some overrides
static void assert_warning(const char *set, const char *part) {
    const char *const sets[] = {set};
    ThawSceneOptions options = {sets, set != NULL, false};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    int count = thaw_messages_count(messages);
    bool found = part == NULL && count == 0;
    for (int k = 0; k < count && part != NULL; k++) {
        found |= strstr(thaw_messages_get(messages, k)->text, part) != NULL;
        assert_false(thaw_messages_get(messages, k)->error);
    }
    if (!found) show_messages(messages);
    if (!found) fail_msg("%s does not give '%s'", set, part);
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
}

static void likely_mistakes_are_warned_of(void **state) {
    (void)state;
    assert_warning(NULL, NULL);
    assert_warning("bodies.cube.shape.box.center=[0, 0, 3]",
                   "body 'cube' lies wholly outside the container 'tank'");
    assert_warning("bodies.cube.shape.box.center=[0, 0, 0]",
                   "body 'cube' lies partly outside the container 'tank'");
    assert_warning("colliders.tank.container=no",
                   "body 'cube' lies wholly inside the collider 'tank'");
    assert_warning("bodies.cube.shape.box.size=[0.2, 0.2, 0.05]", "only 2.5 particles across");
    assert_warning("materials.water.liquid.viscosity=1", "more than this method can do");
    assert_warning("solver.max_substeps=2", "solver.max_substeps allows 2");
    assert_warning("solver.substeps=1", "solver.substeps allows 1");
    assert_warning("bodies.cube.velocity=[0, 0, -300]", "when matter is at its fastest");
    assert_warning("colliders=[]", "nothing catches the matter");
    assert_warning(
        "bodies=[{name: a, material: water, shape: {sphere: {center: [0, 0, 0.4], radius: "
        "0.2}}}, {name: b, material: water, shape: {sphere: {center: [0.1, 0, 0.4], radius: "
        "0.2}}}]",
        "bodies 'a' and 'b' overlap");
}

static void bodies_that_touch_do_not_overlap(void **state) {
    (void)state;
    assert_warning(
        "bodies=[{name: a, material: water, shape: {box: {center: [0, 0, 0.2], size: [0.2, "
        "0.2, 0.2]}}}, {name: b, material: water, shape: {box: {center: [0.2, 0, 0.2], size: "
        "[0.2, 0.2, 0.2]}}}]",
        NULL);
}

static void warnings_name_the_line(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(SCENE_HEAD SCENE_WATER SCENE_TANK SCENE_CUBE, NULL);
    scene->bodies[0].shape.pose.position.z = 5;
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    assert_int_equal(thaw_messages_count(messages), 1);
    assert_int_equal(thaw_messages_get(messages, 0)->line, 10);
    assert_string_equal(thaw_messages_get(messages, 0)->file, "test.yaml");
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
}

static void a_body_without_particles_is_refused(void **state) {
    (void)state;
    const char *const sets[] = {"bodies.cube.shape={sphere: {center: [0, 0, 0.5], radius: 1 mm}}"};
    ThawSceneOptions options = {sets, 1, false};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_BAD_INPUT);
    assert_int_equal(thaw_messages_errors(messages), 1);
    thaw_messages_free(messages);
    thaw_scene_free(scene);
}

// the estimate of substeps is the solver's own choice for matter at rest
static void substeps_are_estimated_as_the_solver_chooses(void **state) {
    (void)state;
    ThawScene *scene = parse_scene("thaw: 1\nspacing: 0.05\n" SCENE_WATER SCENE_TANK
                                   "bodies:\n  - {name: pool, material: water,\n"
                                   "     shape: {box: {center: [0, 0, 0.2], size: [1, 1, 0.4]}}}\n",
                                   NULL);
    ThawWorld *world = build(scene);
    ThawReport report;
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    assert_int_equal(thaw_scene_advance(scene, world, 1 / scene->frames.fps, &report), THAW_OK);
    assert_true(fabs(preflight.substeps - report.substeps_wanted) <= 0.15 * report.substeps_wanted);
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void the_demo_scenes_are_sound(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob(SCENE_TREE "/scenes/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 4);
    uint32_t most = 0;
    for (size_t k = 0; k < found.gl_pathc; k++) {
        ThawScene *scene = read_scene(found.gl_pathv[k]);
        ThawPreflight preflight;
        ThawMessages *messages = NULL;
        assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
        show_messages(messages);
        assert_int_equal(thaw_messages_count(messages), 0);
        assert_true(scene->camera.given && scene->title[0] != '\0');
        if (preflight.particles > most) most = preflight.particles;
        thaw_messages_free(messages);
        thaw_preflight_free(&preflight);
        thaw_scene_free(scene);
    }
    assert_true(most > 300000);
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_preflight_counts_what_is_built),
        cmocka_unit_test(fields_are_set_at_each_particles_place),
        cmocka_unit_test(handles_count_from_one_in_order),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(numbers_change_within_a_frame),
        cmocka_unit_test(still_scenes_take_one_step_a_frame),
        cmocka_unit_test(friction_can_be_animated),
        cmocka_unit_test(colliders_are_where_their_motion_says),
        cmocka_unit_test(likely_mistakes_are_warned_of),
        cmocka_unit_test(bodies_that_touch_do_not_overlap),
        cmocka_unit_test(warnings_name_the_line),
        cmocka_unit_test(a_body_without_particles_is_refused),
        cmocka_unit_test(substeps_are_estimated_as_the_solver_chooses),
        cmocka_unit_test(the_demo_scenes_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
