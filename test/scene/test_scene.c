// Reading scenes: what is written is what the scene holds.
#define _XOPEN_SOURCE 700 // mkdtemp, symlink

#include "scene_rig.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define PI 3.14159265358979323846

static double at_time(const ThawNumber *number, double t) {
    ThawMoment moment = {.t = t};
    return thaw_number_at(number, &moment);
}

// ---------------------------------------------------------------- values

static void units_become_si(void **state) {
    (void)state;
    ThawScene *scene =
        parse_scene("thaw: 1\n"
                    "spacing: 12 mm\n"
                    "frames: {count: 10, fps: 30, preroll: 250 ms}\n"
                    "materials: {oil: {density: 0.9 g/cm^3, liquid: {viscosity: 50 mm^2/s}}}\n"
                    "bodies:\n"
                    "  - name: a\n"
                    "    material: oil\n"
                    "    shape: {sphere: {center: [1 cm, -2 cm, 0.3], radius: 4 cm}}\n"
                    "    velocity: [36 km/h, 0, 0]\n"
                    "    spin: [0, 0, 180 deg/s]\n"
                    "camera: {eye: [1, 1, 1], target: [0, 0, 0], fov: 60}\n",
                    NULL);
    assert_true(scene->world.spacing == 0.012);
    assert_true(scene->frames.preroll == 0.25);
    assert_true(fabs(scene->materials[0].density - 900) < 1e-9);
    assert_true(fabs(scene->materials[0].viscosity.constant - 5e-5) < 1e-17);
    assert_true(scene->bodies[0].shape.pose.position.x == 0.01);
    assert_true(scene->bodies[0].shape.pose.position.y == -0.02);
    assert_true(scene->bodies[0].shape.radius == 0.04);
    assert_true(fabs(scene->bodies[0].velocity.axis[0].constant - 10) < 1e-12);
    assert_true(fabs(scene->bodies[0].spin.z - PI) < 1e-12);
    assert_true(fabs(scene->camera.fov.constant - PI / 3) < 1e-12);
    thaw_scene_free(scene);
}

static void defaults_are_the_librarys(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(SCENE_ALL, NULL);
    ThawWorldDef world = thaw_world_default();
    world.spacing = 0.02;
    assert_memory_equal(&scene->world.solver, &world.solver, sizeof world.solver);
    assert_int_equal(scene->world.dimensions, world.dimensions);
    assert_int_equal(scene->world.seed, world.seed);
    assert_int_equal(scene->world.trouble, world.trouble);
    assert_memory_equal(&scene->world.gravity, &world.gravity, sizeof world.gravity);
    ThawMaterialDef material = thaw_material_default();
    assert_true((float)scene->materials[0].density == material.density);
    assert_true(scene->materials[0].xsph.constant == THAW_XSPH_USUAL);
    assert_true((float)scene->materials[0].tensile.constant == material.liquid.tensile);
    assert_true((float)scene->materials[0].viscosity.constant == material.liquid.viscosity);
    assert_int_equal(scene->materials[0].tensile_exponent, material.liquid.tensile_exponent);
    assert_true(scene->materials[0].surface_tension.constant ==
                (double)material.liquid.surface_tension);
    assert_true(scene->materials[0].tension.constant == (double)material.liquid.tension);
    assert_true(scene->materials[0].vorticity.constant == (double)material.liquid.vorticity);
    ThawColliderDef collider = thaw_collider_default();
    assert_true((float)scene->colliders[0].friction.constant == collider.friction);
    assert_true((float)scene->colliders[0].restitution.constant == collider.restitution);
    assert_int_equal(scene->frames.count, 100);
    assert_true(scene->frames.fps == 24);
    assert_int_equal(scene->frames.start, 1);
    assert_int_equal(scene->up, 2);
    assert_false(scene->camera.given);
    assert_false(scene->animated);
    assert_int_equal(scene->output.channel_count, 5);
    thaw_scene_free(scene);
}

static void gravity_follows_the_up_axis(void **state) {
    (void)state;
    ThawScene *scene = parse_scene("up: y\n" SCENE_ALL, NULL);
    assert_true(scene->world.gravity.y == -9.81 && scene->world.gravity.z == 0);
    thaw_scene_free(scene);
    scene = parse_scene("dimensions: 2\n" SCENE_ALL, NULL);
    assert_int_equal(scene->up, 1);
    assert_true(scene->world.gravity.y == -9.81 && scene->world.gravity.z == 0);
    thaw_scene_free(scene);
}

static void flat_scenes_take_vectors_of_two(void **state) {
    (void)state;
    ThawScene *scene = parse_scene("thaw: 1\ndimensions: 2\nspacing: 0.01\n" SCENE_WATER
                                   "bodies:\n  - {name: a, material: water, velocity: [1, 2],\n"
                                   "     shape: {box: {center: [3, 4], size: [0.5, 0.6]}}}\n",
                                   NULL);
    const ThawSceneBody *body = &scene->bodies[0];
    assert_true(body->shape.pose.position.y == 4 && body->shape.pose.position.z == 0);
    assert_true(body->shape.size.y == 0.6 && body->shape.size.z > 0);
    assert_true(body->velocity.axis[1].constant == 2 && body->velocity.axis[2].constant == 0);
    thaw_scene_free(scene);
}

// along z, as in 3D, it would be nowhere in the scene's plane
static void planes_of_flat_scenes_face_up(void **state) {
    (void)state;
    static const char *const ups[2] = {"", "up: x\n"};
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "thaw: 1\ndimensions: 2\n%sspacing: 0.01\n" SCENE_WATER
                 "bodies:\n  - {name: a, material: water, shape: {sphere: {center: [3, 4], radius: "
                 "0.1}}}\ncolliders:\n  - {name: floor, shape: {plane: {point: [1, 2]}}}\n",
                 ups[k]);
        ThawScene *scene = parse_scene(text, NULL);
        double above = thaw_shape_distance(&scene->colliders[0].shape, (ThawVec3){3, 5, 0});
        assert_true(fabs(above - (k == 0 ? 3 : 2)) < 1e-12);
        thaw_scene_free(scene);
    }
    ThawScene *deep =
        parse_scene(SCENE_ALL "  - {name: a, shape: {plane: {point: [0, 0, 1]}}}\n", NULL);
    assert_true(thaw_shape_distance(&deep->colliders[1].shape, (ThawVec3){0, 0, 3}) == 2);
    thaw_scene_free(deep);
}

static void numbers_may_change_over_time(void **state) {
    (void)state;
    ThawScene *scene =
        parse_scene(SCENE_HEAD "materials:\n  water:\n"
                               "    liquid: {viscosity: [[0, 1e-6], [2 s, 3e-6]], "
                               "xsph: \"0.1 + 0.05*sin(pi*t)\"}\n"
                               "gravity: [[0, [0, 0, -10]], [1, [0, 0, 10]]]\n" SCENE_CUBE,
                    NULL);
    const ThawSceneMaterial *water = &scene->materials[0];
    assert_true(scene->animated);
    assert_true(at_time(&water->viscosity, -1) == 1e-6);
    assert_true(fabs(at_time(&water->viscosity, 1) - 2e-6) < 1e-18);
    assert_true(at_time(&water->viscosity, 5) == 3e-6);
    assert_true(fabs(at_time(&water->xsph, 0.5) - 0.15) < 1e-12);
    assert_true(fabs(at_time(&scene->gravity.axis[2], 0.75) - 5) < 1e-12);
    assert_true(scene->world.gravity.z == -10);
    thaw_scene_free(scene);
}

static void velocities_may_depend_on_the_place(void **state) {
    (void)state;
    ThawScene *scene =
        parse_scene(SCENE_HEAD SCENE_WATER SCENE_CUBE "    velocity: [\"-2*y\", 2*x, 0.5]\n", NULL);
    ThawMoment moment = {0, 3, 5, 7};
    ThawVec3 v = thaw_number3_at(&scene->bodies[0].velocity, &moment);
    assert_true(v.x == -10 && v.y == 6 && v.z == 0.5);
    assert_false(scene->animated);
    thaw_scene_free(scene);
}

static void shapes_are_those_of_the_library(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(
        SCENE_ALL
        "  - {name: a, shape: {capsule: {from: [0, 0, 1], to: [0, 1, 1], radius: 0.1}}}\n"
        "  - {name: b, shape: {cylinder: {from: [0, 0, 1], to: [1, 0, 1], radius: 0.1}}}\n"
        "  - {name: c, shape: {cone: {base: [0, 0, 1], apex: [1, 0, 1], radius: 0.1}}}\n"
        "  - {name: d, shape: {torus: {center: [0, 0, 1], axis: [1, 0, 1], radius: 0.2, tube: "
        "0.1}}}\n"
        "  - {name: e, shape: {plane: {point: [0, 0, 1], normal: [1, 0, 1]}}}\n"
        "  - {name: f, shape: {box: {center: [0, 0, 1], size: [1, 2, 3], "
        "rotate: {axis: [0, 0, 2], angle: 90 deg}}}}\n",
        NULL);
    const ThawVec3 p = {0, 0, 1};
    ThawShape box =
        thaw_shape_rotate(thaw_shape_box(p, (ThawVec3){1, 2, 3}), (ThawVec3){0, 0, 2}, PI / 2);
    const ThawShape shapes[6] = {thaw_shape_capsule(p, (ThawVec3){0, 1, 1}, 0.1),
                                 thaw_shape_cylinder(p, (ThawVec3){1, 0, 1}, 0.1),
                                 thaw_shape_cone(p, (ThawVec3){1, 0, 1}, 0.1),
                                 thaw_shape_torus(p, (ThawVec3){1, 0, 1}, 0.2, 0.1),
                                 thaw_shape_plane(p, (ThawVec3){1, 0, 1}),
                                 box};
    assert_int_equal(scene->collider_count, 7);
    for (int k = 0; k < 6; k++) {
        const ThawShape *shape = &scene->colliders[k + 1].shape;
        assert_int_equal(shape->kind, shapes[k].kind);
        const ThawVec3 point = {0.3, -0.2, 0.7};
        assert_true(thaw_shape_distance(shape, point) == thaw_shape_distance(&shapes[k], point));
    }
    thaw_scene_free(scene);
}

static void json_and_yaml_agree(void **state) {
    (void)state;
    static const char json[] =
        "{\"thaw\": 1, \"spacing\": \"2 cm\", \"materials\": {\"water\": {\"density\": 1e3}},\n"
        " \"bodies\": [{\"name\": \"cube\", \"material\": \"water\",\n"
        "   \"shape\": {\"box\": {\"center\": [0, 0, 0.2], \"size\": [0.2, 0.2, 0.2]}}}],\n"
        " \"colliders\": [{\"name\": \"tank\", \"container\": true,\n"
        "   \"shape\": {\"box\": {\"center\": [0, 0, 0.5], \"size\": [1, 1, 1]}}}]}\n";
    ThawScene *scene = NULL, *yaml = parse_scene(SCENE_ALL, NULL);
    ThawMessages *messages = NULL;
    ThawResult result =
        thaw_scene_parse(json, sizeof json - 1, "test.json", NULL, &scene, &messages);
    show_messages(messages);
    assert_int_equal(result, THAW_OK);
    assert_true(thaw_scene_hash(scene) == thaw_scene_hash(yaml));
    thaw_messages_free(messages);
    thaw_scene_free(scene);
    thaw_scene_free(yaml);
}

// ---------------------------------------------------------------- overrides

static void overrides_change_what_they_name(void **state) {
    (void)state;
    const char *const sets[] = {"materials.water.liquid.viscosity=1e-4",
                                "bodies.cube.velocity=[0, 0, -1]",
                                "bodies[0].spacing=1 cm",
                                "spacing=3 cm",
                                "colliders.tank.shape.box.size[1]=2",
                                "frames.count=7"};
    ThawSceneOptions options = {.sets = sets, .set_count = 6};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    assert_true(scene->materials[0].viscosity.constant == 1e-4);
    assert_true(scene->bodies[0].velocity.axis[2].constant == -1);
    assert_true(scene->bodies[0].spacing == 0.01);
    assert_true(scene->world.spacing == 0.03);
    assert_true(scene->colliders[0].shape.size.x == 1 && scene->colliders[0].shape.size.y == 2);
    assert_int_equal(scene->frames.count, 7);
    thaw_scene_free(scene);
}

static void an_override_leaves_what_shares_its_value(void **state) {
    (void)state;
    static const char text[] =
        SCENE_HEAD "materials:\n  a: &m {density: 5}\n  b: *m\n"
                   "bodies: [{name: x, material: a, shape: {sphere: {center: [0, "
                   "0, 0], radius: 1}}}]\n";
    const char *const sets[] = {"materials.b.density=6"};
    ThawSceneOptions options = {.sets = sets, .set_count = 1};
    ThawScene *scene = parse_scene(text, &options);
    assert_true(scene->materials[0].density == 5 && scene->materials[1].density == 6);
    thaw_scene_free(scene);
}

static void overrides_pass_the_same_checks(void **state) {
    (void)state;
    const char *const sets[] = {"spacing=3 kg"};
    ThawSceneOptions options = {.sets = sets, .set_count = 1};
    assert_refused(SCENE_ALL, &options,
                   "spacing: '3 kg' is a mass; a length is wanted, like 10 cm");
}

// ---------------------------------------------------------------- parts

static void includes_bring_parts_and_give_way(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TESTS "/good/include.yaml");
    assert_int_equal(scene->material_count, 2);
    assert_string_equal(scene->materials[0].name, "oil");
    assert_string_equal(scene->materials[1].name, "water");
    assert_int_equal(scene->collider_count, 2);
    assert_string_equal(scene->colliders[0].name, "tank");
    // keys of the including scene win, one by one
    assert_int_equal(scene->frames.count, 9);
    assert_true(scene->frames.fps == 30);
    assert_int_equal(scene->world.seed, 7);
    assert_non_null(strstr(scene->colliders[0].file, "part.yaml"));
    assert_non_null(strstr(scene->colliders[1].file, "include.yaml"));
    thaw_scene_free(scene);
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// a folder "in" with a scene, and a part beside the folder
static void links_do_not_lead_outside(void **state) {
    (void)state;
    char folder[] = "/tmp/thaw_scene_XXXXXX", inside[64], path[96], link[96], part[96];
    assert_non_null(mkdtemp(folder));
    snprintf(inside, sizeof inside, "%s/in", folder);
    snprintf(path, sizeof path, "%s/scene.yaml", inside);
    snprintf(link, sizeof link, "%s/link.yaml", inside);
    snprintf(part, sizeof part, "%s/part.yaml", folder);
    assert_int_equal(mkdir(inside, 0700), 0);
    write_file(folder, "part.yaml", "seed: 5\n");
    write_file(inside, "scene.yaml", SCENE_ALL "include: [link.yaml]\n");
    assert_int_equal(symlink(part, link), 0);
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_read(path, NULL, &scene, &messages), THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_messages_get(messages, 0)->text, "outside the scene's folder"));
    thaw_messages_free(messages);
    ThawSceneOptions options = {.allow_outside = true};
    assert_int_equal(thaw_scene_read(path, &options, &scene, &messages), THAW_OK);
    assert_int_equal(scene->world.seed, 5);
    thaw_scene_free(scene);
    thaw_messages_free(messages);
    unlink(link);
    unlink(path);
    unlink(part);
    rmdir(inside);
    rmdir(folder);
}

static void repeat_makes_a_grid_of_copies(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(SCENE_HEAD SCENE_WATER SCENE_CUBE
                                   "    repeat: {count: [2, 1, 3], step: [1, 2, 0.5]}\n",
                                   NULL);
    assert_int_equal(scene->body_count, 6);
    assert_string_equal(scene->bodies[0].name, "cube[0,0,0]");
    assert_string_equal(scene->bodies[1].name, "cube[1,0,0]");
    assert_string_equal(scene->bodies[5].name, "cube[1,0,2]");
    assert_true(scene->bodies[5].shape.pose.position.x == 1);
    assert_true(fabs(scene->bodies[5].shape.pose.position.z - 1.2) < 1e-15);
    thaw_scene_free(scene);
}

static void aliases_and_merges_are_read(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(SCENE_HEAD SCENE_WATER
                                   "bodies:\n  - &a {name: a, material: water, jitter: 0.1,\n"
                                   "     shape: {sphere: {center: [0, 0, 0], radius: 1}}}\n"
                                   "  - {<<: *a, name: b, jitter: 0.2}\n",
                                   NULL);
    assert_int_equal(scene->body_count, 2);
    assert_string_equal(scene->bodies[1].name, "b");
    assert_true(scene->bodies[1].jitter == 0.2 && scene->bodies[1].shape.radius == 1);
    thaw_scene_free(scene);
}

// text in single quotes is read by ourselves
static void quoted_text_is_read_as_yaml_says(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"title: ''\n", ""},
        {"title: 'it''s'\n", "it's"},
        {"title: ''''''''''''\n", "'''''"},
        {"title: ' a  b '\n", " a  b "},
        {"title: 'one  \n  two\n\n\n  three'\n", "one two\n\nthree"},
        {"title: 'a\r\n  b'\n", "a b"},
        {"title: '\n  b'\n", " b"},
        {"title: \"it's\\n\\u00e9\"\n", "it's\né"},
        {"title: |\n  one\n  two\n", "one\ntwo\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", cases[k][0], SCENE_ALL);
        ThawScene *scene = parse_scene(text, NULL);
        assert_string_equal(scene->title, cases[k][1]);
        thaw_scene_free(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_become_si),
        cmocka_unit_test(defaults_are_the_librarys),
        cmocka_unit_test(gravity_follows_the_up_axis),
        cmocka_unit_test(flat_scenes_take_vectors_of_two),
        cmocka_unit_test(planes_of_flat_scenes_face_up),
        cmocka_unit_test(numbers_may_change_over_time),
        cmocka_unit_test(velocities_may_depend_on_the_place),
        cmocka_unit_test(shapes_are_those_of_the_library),
        cmocka_unit_test(json_and_yaml_agree),
        cmocka_unit_test(overrides_change_what_they_name),
        cmocka_unit_test(an_override_leaves_what_shares_its_value),
        cmocka_unit_test(overrides_pass_the_same_checks),
        cmocka_unit_test(includes_bring_parts_and_give_way),
        cmocka_unit_test(links_do_not_lead_outside),
        cmocka_unit_test(repeat_makes_a_grid_of_copies),
        cmocka_unit_test(aliases_and_merges_are_read),
        cmocka_unit_test(quoted_text_is_read_as_yaml_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
