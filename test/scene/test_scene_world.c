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

#define PI 3.14159265358979323846

// how far a point of the collider, given at rest, is from where it should be at time t
static double stray(const ThawSceneCollider *collider, double t, ThawVec3 rest, ThawVec3 wanted) {
    ThawShape shape = thaw_scene_collider_at(collider, t);
    ThawVec3 home = collider->shape.pose.position;
    double x = rest.x - home.x, y = rest.y - home.y;
    // all turns of these tests are about z
    double angle = 2 * atan2(shape.pose.rotation.z, shape.pose.rotation.w);
    double px = shape.pose.position.x + cos(angle) * x - sin(angle) * y;
    double py = shape.pose.position.y + sin(angle) * x + cos(angle) * y;
    double pz = shape.pose.position.z + rest.z - home.z;
    return hypot(hypot(px - wanted.x, py - wanted.y), pz - wanted.z);
}

static ThawScene *parse_motion(const char *motion) {
    char text[2000];
    snprintf(text, sizeof text,
             SCENE_HEAD SCENE_WATER SCENE_CUBE "frames: {count: 24, fps: 12}\ncolliders:\n"
                                               "  - name: arm\n    motion: %s\n"
                                               "    shape: {box: {center: [1, 0, 0], size: [1, "
                                               "1, 1]}}\n",
             motion);
    return parse_scene(text, NULL);
}

// ten turns in two seconds, there and back, at constant speed
static void turns_of_several_rounds_go_all_the_way(void **state) {
    (void)state;
    ThawScene *scene = parse_motion("[{time: 0}, {time: 2, rotate: {axis: [0, 0, 2], angle: 3600 "
                                    "deg}}, {time: 3, rotate: {axis: [0, 0, -1], angle: 0}}]");
    const ThawSceneCollider *arm = &scene->colliders[0];
    const ThawVec3 tip = {2, 0, 0};
    assert_int_equal(arm->motion_count, 1 + 40 + 40);
    for (double t = 0; t <= 3; t += 0.0123) {
        double angle = 20 * PI * (t < 2 ? t / 2 : 3 - t);
        ThawVec3 wanted = {1 + cos(angle), sin(angle), 0};
        assert_true(stray(arm, t, tip, wanted) < 1e-9);
    }
    thaw_scene_free(scene);
}

static void opposite_axes_are_one_axis(void **state) {
    (void)state;
    ThawScene *scene =
        parse_motion("[{time: 0, rotate: {axis: [0, 0, 1], angle: 90 deg}}, {time: 1, rotate: "
                     "{axis: [0, 0, -4], angle: 270 deg}}]");
    for (double t = 0; t <= 1; t += 0.01) {
        double angle = 0.5 * PI - 2 * PI * t;
        ThawVec3 wanted = {1 + cos(angle), sin(angle), 0};
        assert_true(stray(&scene->colliders[0], t, (ThawVec3){2, 0, 0}, wanted) < 1e-9);
    }
    thaw_scene_free(scene);
}

static void expressions_move_colliders(void **state) {
    (void)state;
    ThawScene *scene = parse_motion(
        "{move: [\"0.1*t\", 0, \"t^2\"], rotate: {axis: [0, 0, 1], angle: \"2*pi*t\"}}");
    const ThawSceneCollider *arm = &scene->colliders[0];
    assert_int_equal(arm->motion_count, 4 * 24 + 1);
    assert_true(arm->motion[96].time == 2);
    for (double t = 0; t <= 2; t += 0.0123) {
        ThawVec3 wanted = {1 + 0.1 * t + cos(2 * PI * t), sin(2 * PI * t), t * t};
        // t^2 is straight between samples 1/48 s apart
        assert_true(stray(arm, t, (ThawVec3){2, 0, 0}, wanted) < 0.25 / 48 / 48 + 1e-9);
    }
    thaw_scene_free(scene);
}

// a run that is made longer begins with the same motion, so that it can be resumed
static void a_longer_run_moves_the_same(void **state) {
    (void)state;
    const char *const sets[] = {"frames.count=50"};
    ThawSceneOptions options = {.sets = sets, .set_count = 1};
    static const char text[] =
        SCENE_ALL "    motion: {move: [\"0.1*sin(9*t)\", 0, 0]}\nframes: {count: 24}\n";
    ThawScene *shorter = parse_scene(text, NULL), *longer = parse_scene(text, &options);
    int count = shorter->colliders[0].motion_count;
    assert_true(count < longer->colliders[0].motion_count);
    assert_memory_equal(shorter->colliders[0].motion, longer->colliders[0].motion,
                        (size_t)count * sizeof(ThawKeyframe));
    assert_true(thaw_scene_hash(shorter) == thaw_scene_hash(longer));
    thaw_scene_free(shorter);
    thaw_scene_free(longer);
}

// the pivot stays, and every point keeps its distance to it within 1 % of a spacing
static void pivots_stay_where_they_are(void **state) {
    (void)state;
    static const char *const motions[] = {
        "[{time: 0}, {time: 2, pivot: [0, 1, 0], rotate: {axis: [0, 0, 1], angle: 360 deg}}]",
        "{pivot: [0, 1, 0], rotate: {axis: [0, 0, 1], angle: \"pi*t\"}}"};
    for (int m = 0; m < 2; m++) {
        ThawScene *scene = parse_motion(motions[m]);
        const ThawSceneCollider *arm = &scene->colliders[0];
        for (double t = 0; t <= 2; t += 0.0037) {
            double c = cos(PI * t), s = sin(PI * t);
            ThawVec3 pivot = {0, 1, 0}, wanted = {c + s, 1 + s - c, 0};
            assert_true(stray(arm, t, pivot, pivot) <= 0.01 * 0.02 * (1 + 1e-6));
            assert_true(stray(arm, t, arm->shape.pose.position, wanted) <=
                        0.01 * 0.02 * (1 + 1e-6));
        }
        thaw_scene_free(scene);
    }
}

// ---------------------------------------------------------------- before

// what the preflight says of the usual scene with an override: all of it errors, or warnings
static void assert_said(const char *set, bool error, const char *part) {
    const char *const sets[] = {set};
    ThawSceneOptions options = {.sets = sets, .set_count = set != NULL};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    int count = thaw_messages_count(messages);
    bool found = part == NULL && count == 0;
    for (int k = 0; k < count && part != NULL; k++) {
        found |= strstr(thaw_messages_get(messages, k)->text, part) != NULL;
        assert_int_equal(thaw_messages_get(messages, k)->error, error);
    }
    assert_int_equal(thaw_messages_errors(messages), error ? count : 0);
    assert_int_equal(thaw_messages_warnings(messages), error ? 0 : count);
    if (!found) show_messages(messages);
    if (!found) fail_msg("%s does not give '%s'", set, part);
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
}

static void assert_warning(const char *set, const char *part) {
    assert_said(set, false, part);
}

static void likely_mistakes_are_warned_of(void **state) {
    (void)state;
    assert_warning(NULL, NULL);
    assert_warning(
        "bodies.cube.shape.box.center=[0, 0, 0.05]",
        "body 'cube' lies partly outside the container 'tank': 23 % of it will be pushed "
        "in at once");
    assert_warning(
        "colliders.tank={name: post, shape: {box: {center: [0.1, 0, 0.2], size: [0.1, 1, "
        "1]}}}",
        "body 'cube' lies partly inside the collider 'post': ");
    assert_warning("bodies.cube.shape.box.size=[0.2, 0.2, 0.05]", "only 2.5 particles across");
    assert_warning("materials.water.liquid.viscosity=1", "more than this scene can do");
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

static void bodies_on_the_wrong_side_are_errors(void **state) {
    (void)state;
    assert_said("bodies.cube.shape.box.center=[0, 0, 3]", true,
                "body 'cube' lies wholly outside the container 'tank'");
    assert_said("colliders.tank.container=no", true,
                "body 'cube' lies wholly inside the collider 'tank'");
}

static void copies_are_judged_together(void **state) {
    (void)state;
    static const char drops[] = "thaw: 1\nspacing: 0.02\ndimensions: 2\n" SCENE_WATER SCENE_TANK
                                "bodies:\n  - name: drop\n    material: water\n"
                                "    shape: {sphere: {center: [-0.45, 0.1], radius: 0.02}}\n"
                                "    repeat: {count: [30, 20], step: [0.05, 0.05]}\n";
    ThawScene *scene = parse_scene(drops, NULL);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(scene->body_count, 600);
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    static const char *const wanted[] = {
        "the 600 copies of 'drop' are only 2.0 particles across at the thinnest; below 3 matter "
        "hardly acts as a liquid: take a spacing below 0.013 m",
        "of the 600 copies of 'drop' lie wholly outside the container 'tank'"};
    assert_true(thaw_messages_count(messages) >= 2 && thaw_messages_count(messages) <= 4);
    for (int w = 0; w < 2; w++) {
        bool found = false;
        for (int k = 0; k < thaw_messages_count(messages); k++) {
            found |= strstr(thaw_messages_get(messages, k)->text, wanted[w]) != NULL;
        }
        if (!found) show_messages(messages);
        assert_true(found);
    }
    assert_int_equal(thaw_messages_errors(messages), 1);
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
}

static void overlapping_copies_are_told_once(void **state) {
    (void)state;
    assert_warning(
        "bodies=[{name: a, material: water, repeat: {count: [4, 1, 1], step: [0.1, 0, 0]}, "
        "shape: {sphere: {center: [-0.2, 0, 0.5], radius: 0.08}}}]",
        "3 pairs of copies of 'a' overlap");
}

// eighty bodies, each with a warning of its own
static void what_is_left_out_of_warnings_is_a_warning(void **state) {
    (void)state;
    char text[16384];
    size_t length =
        (size_t)snprintf(text, sizeof text, SCENE_HEAD SCENE_WATER SCENE_TANK "bodies:\n");
    for (int k = 0; k < 80; k++) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "  - {name: b%d, material: water, shape: {sphere: {center: [%g, "
                                   "%g, 0.5], radius: 0.02}}}\n",
                                   k, -0.4 + 0.1 * (k % 9), -0.4 + 0.1 * (k / 9));
    }
    ThawScene *scene = parse_scene(text, NULL);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    assert_int_equal(thaw_messages_count(messages), 51);
    assert_int_equal(thaw_messages_warnings(messages), 80);
    assert_int_equal(thaw_messages_errors(messages), 0);
    assert_string_equal(thaw_messages_get(messages, 50)->text, "and 30 more warnings");
    assert_false(thaw_messages_get(messages, 50)->error);
    thaw_preflight_free(&preflight);
    // an error that comes late is still told, before warnings
    scene->bodies[79].shape.pose.position.z = 5;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    assert_int_equal(thaw_messages_errors(messages), 1);
    bool found = false;
    for (int k = 0; k < 50; k++) found |= thaw_messages_get(messages, k)->error;
    assert_true(found);
    assert_string_equal(thaw_messages_get(messages, 50)->text, "and 111 more warnings");
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
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

static void bodies_without_particles_say_why(void **state) {
    (void)state;
    assert_said(
        "bodies.cube.shape={sphere: {center: [0, 0, 0.5], radius: 1 mm}}", true,
        "body 'cube' holds no particle: the spacing of 0.02 m is too large for it, which is "
        "0.002 m at the thinnest");
    const char *const sets[] = {"dimensions=2", "colliders=[]"};
    ThawSceneOptions options = {.sets = sets, .set_count = 2};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    assert_int_equal(thaw_messages_errors(messages), 1);
    const ThawMessage *message = thaw_messages_get(messages, thaw_messages_count(messages) - 1);
    assert_string_equal(message->text, "body 'cube' does not cross z = 0, where a 2D scene lies");
    assert_int_equal(message->line, 6);
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
}

static void bodies_of_too_many_particles_say_so(void **state) {
    (void)state;
    const char *const sets[] = {"bodies.cube.shape.box.size=[100, 100, 100]"};
    ThawSceneOptions options = {.sets = sets, .set_count = 1};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_BAD_INPUT);
    assert_string_equal(thaw_error_text(),
                        "test.yaml:6: body 'cube' would be about 1.25e+11 particles; a world holds "
                        "fewer than 2^31: take a spacing above 0.081 m");
    assert_int_equal(thaw_messages_errors(messages), 1);
    thaw_messages_free(messages);
    thaw_scene_free(scene);
}

// gravity that begins at nothing, turns and peaks between round moments asks for what it asks at its most
static void changing_gravity_counts_at_its_strongest(void **state) {
    (void)state;
    static const char *const gravities[] = {
        "gravity=[[0, [0, 0, 0]], [1.001, [0, 0, -40]], [1.002, [0, 0, 0]]]",
        "gravity=[\"0*t\", 0, -40]"};
    double substeps[2];
    for (int k = 0; k < 2; k++) {
        ThawSceneOptions options = {.sets = &gravities[k], .set_count = 1};
        ThawScene *scene = parse_scene(SCENE_ALL, &options);
        ThawPreflight preflight;
        ThawMessages *messages = NULL;
        assert_true(scene->animated);
        assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
        substeps[k] = preflight.substeps;
        thaw_messages_free(messages);
        thaw_preflight_free(&preflight);
        thaw_scene_free(scene);
    }
    assert_true(substeps[0] > 8 && substeps[0] == substeps[1]);
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
    int large = 0;
    for (size_t k = 0; k < found.gl_pathc; k++) {
        ThawScene *scene = read_scene(found.gl_pathv[k]);
        ThawPreflight preflight;
        ThawMessages *messages = NULL;
        assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
        for (int n = 0; n < thaw_messages_count(messages); n++) {
            // what looks rigid may ask for more than it gets, and a dragon's parts cross each other
            const char *text = thaw_messages_get(messages, n)->text;
            bool known = strstr(text, "is more than this scene can carry") != NULL ||
                         strstr(text, "'dragon': ") != NULL;
            if (!known) fail_msg("%s", text);
        }
        assert_int_equal(thaw_messages_errors(messages), 0);
        assert_true(scene->camera.given && scene->title[0] != '\0');
        if (preflight.particles > most) most = preflight.particles;
        large += preflight.particles > 300000;
        thaw_messages_free(messages);
        thaw_preflight_free(&preflight);
        thaw_scene_free(scene);
    }
    assert_true(most > 2000000 && large >= 4);
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
        cmocka_unit_test(turns_of_several_rounds_go_all_the_way),
        cmocka_unit_test(opposite_axes_are_one_axis),
        cmocka_unit_test(expressions_move_colliders),
        cmocka_unit_test(a_longer_run_moves_the_same),
        cmocka_unit_test(pivots_stay_where_they_are),
        cmocka_unit_test(likely_mistakes_are_warned_of),
        cmocka_unit_test(bodies_on_the_wrong_side_are_errors),
        cmocka_unit_test(copies_are_judged_together),
        cmocka_unit_test(overlapping_copies_are_told_once),
        cmocka_unit_test(what_is_left_out_of_warnings_is_a_warning),
        cmocka_unit_test(bodies_that_touch_do_not_overlap),
        cmocka_unit_test(warnings_name_the_line),
        cmocka_unit_test(bodies_without_particles_say_why),
        cmocka_unit_test(bodies_of_too_many_particles_say_so),
        cmocka_unit_test(changing_gravity_counts_at_its_strongest),
        cmocka_unit_test(substeps_are_estimated_as_the_solver_chooses),
        cmocka_unit_test(the_demo_scenes_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
