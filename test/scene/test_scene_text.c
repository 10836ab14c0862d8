// Scenes as text: written and read back, hashed, compared; and the pages made from the table.
#include "scene_rig.h"

#include "scene/keys.h"
#include "scene/tree.h"

#include <glob.h>
#include <math.h>
#include <thaw/render.h>

static char *write_scene(const ThawScene *scene) {
    char *text = NULL;
    size_t size;
    assert_int_equal(thaw_scene_write(scene, &text, &size), THAW_OK);
    assert_int_equal(strlen(text), size);
    return text;
}

// ---------------------------------------------------------------- there and back

// in every bit that means something: a struct has gaps
static void assert_same_shape(const ThawShape *a, const ThawShape *b) {
    assert_int_equal(a->kind, b->kind);
    assert_memory_equal(&a->pose, &b->pose, sizeof a->pose);
    assert_memory_equal(&a->size, &b->size, sizeof a->size);
    assert_true(a->radius == b->radius && a->height == b->height && a->tube == b->tube);
    assert_true(a->smooth == b->smooth);
    assert_int_equal(a->ball_count, b->ball_count);
    if (a->ball_count == 0) return;
    assert_memory_equal(a->balls, b->balls, (size_t)a->ball_count * sizeof *a->balls);
}

static void assert_same_motion(const ThawKeyframe *a, int count, const ThawKeyframe *b, int other) {
    assert_int_equal(count, other);
    if (count > 0) assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void assert_same_attachment(const ThawSceneAttachment *a, const ThawSceneAttachment *b) {
    assert_same_shape(&a->region, &b->region);
    assert_int_equal(a->body, b->body);
    assert_int_equal(a->collider, b->collider);
    assert_true(a->from == b->from && a->to == b->to);
    assert_same_motion(a->motion, a->motion_count, b->motion, b->motion_count);
}

static void assert_same_emitter(const ThawSceneEmitter *a, const ThawSceneEmitter *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->material, b->material);
    if (a->kind == THAW_EMITTER_VOLUME) {
        assert_same_shape(&a->shape, &b->shape);
    } else {
        assert_memory_equal(&a->pose, &b->pose, sizeof a->pose);
    }
    assert_true(a->radius == b->radius && a->size[0] == b->size[0] && a->size[1] == b->size[1]);
    assert_true(a->from == b->from && a->to == b->to && a->life == b->life);
    assert_true(a->spacing == b->spacing && a->jitter == b->jitter);
    assert_true(a->most == b->most && a->total == b->total);
    assert_same_motion(a->motion, a->motion_count, b->motion, b->motion_count);
    for (int k = 0; k <= 8; k++) {
        const ThawMoment moment = {.t = 0.25 * k};
        assert_true(thaw_number_at(&a->speed, &moment) == thaw_number_at(&b->speed, &moment));
        assert_true(thaw_number_at(&a->rate, &moment) == thaw_number_at(&b->rate, &moment));
        ThawVec3 v = thaw_number3_at(&a->velocity, &moment);
        ThawVec3 w = thaw_number3_at(&b->velocity, &moment);
        assert_memory_equal(&v, &w, sizeof v);
    }
    assert_int_equal(a->value_count, b->value_count);
}

static void assert_same_force(const ThawSceneForce *a, const ThawSceneForce *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->material, b->material);
    assert_int_equal(a->bounded, b->bounded);
    if (a->bounded) assert_same_shape(&a->region, &b->region);
    assert_true(a->radius == b->radius && a->falloff == b->falloff && a->core == b->core);
    assert_true(a->inflow == b->inflow && a->size == b->size && a->change == b->change);
    assert_true(a->seed == b->seed && a->ramp == b->ramp && a->from == b->from && a->to == b->to);
}

static void assert_same_flow(const ThawScene *a, const ThawScene *b) {
    assert_int_equal(a->emitter_count, b->emitter_count);
    for (int k = 0; k < a->emitter_count; k++) {
        assert_same_emitter(&a->emitters[k], &b->emitters[k]);
    }
    assert_int_equal(a->sink_count, b->sink_count);
    for (int k = 0; k < a->sink_count; k++) {
        const ThawSceneSink *one = &a->sinks[k], *other = &b->sinks[k];
        assert_same_shape(&one->shape, &other->shape);
        assert_int_equal(one->outside, other->outside);
        assert_int_equal(one->material, other->material);
        assert_true(one->from == other->from && one->to == other->to);
    }
    assert_int_equal(a->force_count, b->force_count);
    for (int k = 0; k < a->force_count; k++) assert_same_force(&a->forces[k], &b->forces[k]);
}

static void check_round_trip(const char *path) {
    ThawScene *scene = read_scene(path);
    char *text = write_scene(scene);
    ThawScene *again = parse_scene(text, NULL);
    char *second = write_scene(again);
    assert_string_equal(text, second);
    assert_true(thaw_scene_hash(scene) == thaw_scene_hash(again));
    assert_null(thaw_scene_difference(scene, again));
    // the shapes in every bit
    for (int k = 0; k < scene->body_count; k++) {
        assert_same_shape(&scene->bodies[k].shape, &again->bodies[k].shape);
    }
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *one = &scene->colliders[k], *other = &again->colliders[k];
        assert_same_shape(&one->shape, &other->shape);
        assert_same_motion(one->motion, one->motion_count, other->motion, other->motion_count);
    }
    assert_int_equal(scene->attachment_count, again->attachment_count);
    for (int k = 0; k < scene->attachment_count; k++) {
        assert_same_attachment(&scene->attachments[k], &again->attachments[k]);
    }
    assert_same_flow(scene, again);
    free(text);
    free(second);
    thaw_scene_free(scene);
    thaw_scene_free(again);
}

static void written_scenes_read_back_equal(void **state) {
    (void)state;
    const char *const patterns[] = {SCENE_TESTS "/good/*.yaml", SCENE_TREE "/scenes/*.yaml"};
    for (int p = 0; p < 2; p++) {
        glob_t found;
        assert_int_equal(glob(patterns[p], 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++) check_round_trip(found.gl_pathv[k]);
        globfree(&found);
    }
}

static void odd_numbers_and_words_survive(void **state) {
    (void)state;
    ThawScene *scene = parse_scene("thaw: 1\nspacing: 0.1\ntitle: \"a \\\"b\\\" \\\\ \\t: # é\"\n"
                                   "seed: 18446744073709551615\n"
                                   "gravity: [1e-300, 0.30000000000000004, -5.000000000000001]\n"
                                   "materials: {\"x: y\": {density: 333.3333333333333}}\n"
                                   "bodies: [{name: \"- no\", material: \"x: y\", "
                                   "shape: {sphere: {center: [0, 0, 0], radius: 1}}}]\n",
                                   NULL);
    char *text = write_scene(scene);
    ThawScene *again = parse_scene(text, NULL);
    assert_string_equal(again->title, "a \"b\" \\ \t: # é");
    assert_true(again->world.seed == UINT64_MAX);
    assert_memory_equal(&again->world.gravity, &scene->world.gravity, sizeof(ThawVec3));
    assert_true(again->world.gravity.y == 0.30000000000000004);
    assert_string_equal(again->materials[0].name, "x: y");
    assert_string_equal(again->bodies[0].name, "- no");
    free(text);
    thaw_scene_free(scene);
    thaw_scene_free(again);
}

// ---------------------------------------------------------------- hash and difference

static uint64_t hash_with(const char *set) {
    const char *const sets[] = {set};
    ThawSceneOptions options = {.sets = sets, .set_count = set != NULL};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    uint64_t hash = thaw_scene_hash(scene);
    thaw_scene_free(scene);
    return hash;
}

static void the_hash_is_of_what_moves(void **state) {
    (void)state;
    static const char *const same[] = {"title=Other",
                                       "camera={eye: [1, 2, 3], target: [0, 0, 0]}",
                                       "output.compression=5",
                                       "frames.count=3",
                                       "materials.water.color=[1, 0, 0]",
                                       "colliders.tank.visible=no",
                                       "spacing=2 cm"};
    static const char *const other[] = {"spacing=0.021",
                                        "seed=2",
                                        "frames.fps=25",
                                        "frames.preroll=1",
                                        "gravity=[0, 0, -9.8]",
                                        "materials.water.density=999",
                                        "materials.water.liquid.viscosity=1e-6",
                                        "bodies.cube.velocity=[0, 0, 1e-9]",
                                        "bodies.cube.name=dice",
                                        "colliders.tank.friction=0.3",
                                        "colliders.tank.adhesion=0.3",
                                        "colliders.tank.motion=[{time: 1}]",
                                        "emitters=[{name: tap, material: water, shape: {disc: "
                                        "{center: [0, 0, 1], normal: [0, 0, -1], radius: 0.1}}}]",
                                        "sinks=[{name: drain, shape: {plane: {point: [0, 0, 0]}}}]",
                                        "forces=[{name: air, wind: {direction: [1, 0, 0]}}]",
                                        "solver.iterations=5",
                                        "solver.elastic_steps=5",
                                        "solver.explicit_forces=yes",
                                        "materials.water.liquid.surface_tension=0.1",
                                        "materials.water.liquid.surface_tension=72 mN/m",
                                        "materials.water.liquid.vorticity=0.1",
                                        "materials.water.solid.young=2e5",
                                        "materials.water.solid.poisson=0.2",
                                        "materials.water.solid.damping=0.1",
                                        "materials.water.solid.elasticity=corotated",
                                        "materials.water.solid.yield_strain=0.1",
                                        "materials.water.solid.creep=1",
                                        "materials.water.solid.fracture_strain=0.1",
                                        "materials.water.solid.fracture_stress=1e3",
                                        "materials.water.solid.fracture_spread=0.1",
                                        "materials.water.solid.docking_rate=1",
                                        "materials.water.solid.docking_growth=1",
                                        "materials.water.solid.friction=0.1",
                                        "bodies.cube.state=solid",
                                        "attachments=[{name: pin, region: {sphere: {center: [0, "
                                        "0, 0.2], radius: 1}}}]",
                                        "periodic={x: [-1, 1]}",
                                        "trouble=remove"};
    uint64_t hash = hash_with(NULL);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        if (hash_with(same[k]) != hash) fail_msg("%s changes the hash", same[k]);
    }
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        if (hash_with(other[k]) == hash) fail_msg("%s leaves the hash", other[k]);
    }
}

static void differences_are_named(void **state) {
    (void)state;
    const char *const sets[] = {"materials.water.density=900", "title=Other",
                                "bodies.cube.spacing=1 cm"};
    ThawSceneOptions options = {.sets = sets, .set_count = 3};
    ThawScene *before = parse_scene(SCENE_ALL, NULL), *after = parse_scene(SCENE_ALL, &options);
    char *text = thaw_scene_difference(before, after);
    assert_non_null(text);
    assert_string_equal(text,
                        "materials.water.density: 1000 → 900\nbodies.cube.spacing: 0 → 0.01\n");
    free(text);
    thaw_scene_free(after);
    after = parse_scene(SCENE_HEAD SCENE_WATER SCENE_CUBE, NULL);
    text = thaw_scene_difference(before, after);
    assert_non_null(text);
    assert_non_null(strstr(text, "colliders.tank.friction: 0.4 → (gone)\n"));
    free(text);
    thaw_scene_free(before);
    thaw_scene_free(after);
}

// ---------------------------------------------------------------- the table

static void every_row_can_be_read(void **state) {
    (void)state;
    const SceneRow *row;
    int count = 0;
    for (; (row = scene_row(count)) != NULL; count++) {
        double bare;
        SceneRange range = scene_row_range(row);
        assert_true(scene_row_dimension(row, &bare) != SCENE_DIMENSIONS);
        assert_true(range.low < range.high);
        assert_true(row->key.meaning[0] != '\0');
        // a path is there once
        for (int k = 0; k < count; k++) {
            assert_string_not_equal(scene_row(k)->key.path, row->key.path);
        }
    }
    assert_true(count > 100 && thaw_scene_key(count) == NULL);
}

// a scene between two texts of a page, which must be sound
static void check_example(const char *help, const char *before, const char *after) {
    const char *begin = strstr(help, before);
    assert_non_null(begin);
    begin = strstr(begin, "    thaw: 1");
    const char *end = begin != NULL ? strstr(begin, after) : NULL;
    assert_non_null(end);
    char text[4000];
    snprintf(text, sizeof text, "%.*s\n", (int)(end - begin), begin);
    ThawScene *scene = parse_scene(text, NULL);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    show_messages(messages);
    assert_int_equal(thaw_messages_count(messages), 0);
    assert_true(preflight.particles + preflight.born > 1000);
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
}

static void the_helps_examples_are_scenes(void **state) {
    (void)state;
    char *help = thaw_scene_help();
    assert_non_null(help);
    check_example(help, "A whole scene:", "\n`thaw check");
    check_example(help, "A stirrer", "\nTwo dimensions");
    check_example(help, "Two dimensions", "\nSolids");
    check_example(help, "Solids", "\nLiquids that come");
    check_example(help, "Liquids that come and go", "\nHeat");
    check_example(help, "Heat: butter melts", "\nMeshes");
    // that one needs files: see test_scene_mesh.c
    free(help);
}

// the meaning of a key must hold every one of some words
static void check_words(const char *path, const char *(*word)(int)) {
    const ThawSceneKey *key;
    int index = 0;
    while ((key = thaw_scene_key(index)) != NULL && strcmp(key->path, path) != 0) index++;
    assert_non_null(key);
    for (int k = 0; word(k) != NULL; k++) {
        if (strstr(key->meaning, word(k)) == NULL) fail_msg("%s does not say '%s'", path, word(k));
    }
}

static const char *field_word(int k) {
    static const char *const own[] = {"speed", "none"};
    if (k < 2) return own[k];
    const ThawFieldInfo *info = thaw_field_info((uint32_t)k - 2);
    if (info == NULL) return NULL;
    bool hidden = strcmp(info->name, "dead") == 0 || strcmp(info->name, "cells") == 0;
    return hidden ? "" : info->name;
}

static const char *color_word(int k) {
    return scene_color(k) != NULL ? scene_color(k)->name : NULL;
}

static void help_lists_what_can_be_chosen(void **state) {
    (void)state;
    check_words("camera.map", thaw_color_map_name);
    check_words("camera.color", field_word);
    check_words("materials.*.color", color_word);
    check_words("colliders[].color", color_word);
}

static void texts_can_be_set_without_quotes(void **state) {
    (void)state;
    const char *const sets[] = {"title=a: b # [c", "bodies.0.spacing=1 cm",
                                "colliders[0].name=the: tank", "materials.water.color=gray"};
    ThawSceneOptions options = {.sets = sets, .set_count = 4};
    ThawScene *scene = parse_scene(SCENE_ALL, &options);
    assert_string_equal(scene->title, "a: b # [c");
    assert_string_equal(scene->colliders[0].name, "the: tank");
    assert_true(scene->bodies[0].spacing == 0.01);
    assert_true(scene->materials[0].color[0] == 0.5 && scene->materials[0].color[2] == 0.5);
    thaw_scene_free(scene);
}

static void help_names_every_plain_key(void **state) {
    (void)state;
    char *help = thaw_scene_help();
    static const char *const words[] = {"liquid.viscosity", "repeat.count", "max_substeps",
                                        "torus.tube",       "preroll",      "periodic.x"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        assert_non_null(strstr(help, words[k]));
    }
    free(help);
}

static void the_schema_is_json(void **state) {
    (void)state;
    char *schema = thaw_scene_schema();
    assert_non_null(schema);
    ThawMessages *messages = scene_messages_create();
    SceneTree tree = {.messages = messages};
    SceneSource source = {"schema.json", schema, strlen(schema)};
    SceneNode *root = scene_tree_read(&tree, &source, 0, true, NULL);
    show_messages(messages);
    assert_non_null(root);
    const SceneItem *properties = scene_node_find(root, "properties");
    assert_non_null(properties);
    assert_non_null(scene_node_find(properties->value, "spacing"));
    assert_non_null(scene_node_find(properties->value, "bodies"));
    scene_arena_free(&tree.arena);
    thaw_messages_free(messages);
    free(schema);
}

static void check_page(const char *path, char *page) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s is missing", path);
    size_t size = strlen(page);
    char *there = calloc(1, size + 2);
    assert_non_null(there);
    bool same = fread(there, 1, size + 1, file) == size && memcmp(there, page, size) == 0;
    fclose(file);
    free(there);
    free(page);
    if (!same)
        fail_msg("%s is not what the table gives: write it again (tools or `thaw help`)", path);
}

static void the_pages_in_docs_are_current(void **state) {
    (void)state;
    check_page(SCENE_TREE "/docs/scene-reference.md", thaw_scene_reference());
    check_page(SCENE_TREE "/docs/scene.schema.json", thaw_scene_schema());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_scenes_read_back_equal),
        cmocka_unit_test(odd_numbers_and_words_survive),
        cmocka_unit_test(the_hash_is_of_what_moves),
        cmocka_unit_test(differences_are_named),
        cmocka_unit_test(every_row_can_be_read),
        cmocka_unit_test(the_helps_examples_are_scenes),
        cmocka_unit_test(help_lists_what_can_be_chosen),
        cmocka_unit_test(texts_can_be_set_without_quotes),
        cmocka_unit_test(help_names_every_plain_key),
        cmocka_unit_test(the_schema_is_json),
        cmocka_unit_test(the_pages_in_docs_are_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
