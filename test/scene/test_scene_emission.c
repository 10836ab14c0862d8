// Emitters, sinks and forces of scenes in the world: what is built, and how it changes over time.
#include "scene_rig.h"

#include <math.h>

#define SPACE                                                                                      \
    "thaw: 1\nspacing: 0.05\nframes: {count: 24, fps: 24}\ngravity: [0, 0, 0]\n"                   \
    "materials: {water: {}, oil: {density: 900}}\nchannels: {dye: {}}\n"

typedef struct Rig {
    ThawScene *scene;
    ThawWorld *world;
} Rig;

static Rig build(const char *text) {
    Rig rig = {.scene = parse_scene(text, NULL)};
    ThawHostDef host = {.threads = 1};
    assert_int_equal(thaw_scene_build(rig.scene, &host, &rig.world), THAW_OK);
    return rig;
}

static void drop(Rig *rig) {
    thaw_world_destroy(rig->world);
    thaw_scene_free(rig->scene);
}

static ThawReport run_frames(Rig *rig, int count) {
    ThawReport report = {0};
    for (int k = 0; k < count; k++) {
        ThawResult result =
            thaw_scene_advance(rig->scene, rig->world, 1 / rig->scene->frames.fps, &report);
        if (result != THAW_OK) fail_msg("%s", thaw_error_text());
    }
    return report;
}

static uint64_t births(const Rig *rig, uint32_t emitter) {
    ThawEmitterState state;
    assert_int_equal(thaw_world_emitter_state(rig->world, (ThawEmitterId){emitter}, &state),
                     THAW_OK);
    return state.born;
}

// ---------------------------------------------------------------- what is built

static void things_have_handles_in_their_order(void **state) {
    (void)state;
    Rig rig = build(
        SPACE "emitters:\n"
              "  - {name: a, material: water, shape: {disc: {center: [0, 0, 0], normal: [0, 0, "
              "1], radius: 0.2}}}\n"
              "  - {name: b, material: oil, from: 9, shape: {sphere: {center: [5, 0, 0], "
              "radius: 0.2}}}\n"
              "sinks:\n"
              "  - {name: c, from: 9, shape: {plane: {point: [0, 0, -9]}}}\n"
              "  - {name: d, shape: {plane: {point: [0, 0, 0.3], normal: [0, 0, -1]}}}\n"
              "forces:\n"
              "  - {name: e, directional: {direction: [0, 2, 0], strength: 3}, from: 20}\n"
              "  - {name: f, directional: {direction: [0, 0, -2], strength: 1.5}}\n");
    run_frames(&rig, 12);
    assert_true(births(&rig, 1) > 100);
    assert_int_equal(births(&rig, 2), 0);
    uint64_t removed;
    assert_int_equal(thaw_world_sink_removed(rig.world, (ThawSinkId){1}, &removed), THAW_OK);
    assert_int_equal(removed, 0);
    assert_int_equal(thaw_world_sink_removed(rig.world, (ThawSinkId){2}, &removed), THAW_OK);
    assert_true(removed > 20);
    ThawVec3 pull;
    assert_int_equal(
        thaw_world_force_at(rig.world, (ThawForceId){2}, (ThawVec3){1, 2, 3}, 1, &pull), THAW_OK);
    assert_true(fabs(pull.z + 1.5) < 1e-6 && pull.x == 0 && pull.y == 0);
    assert_int_equal(
        thaw_world_force_at(rig.world, (ThawForceId){1}, (ThawVec3){1, 2, 3}, 21, &pull), THAW_OK);
    assert_true(fabs(pull.y - 3) < 1e-6);
    drop(&rig);
}

// forecast and run agree, for openings, volumes, rates and times
static void as_many_are_born_as_was_foretold(void **state) {
    (void)state;
    static const char *const keys[] = {
        "shape: {disc: {center: [0, 0, 0], normal: [0, 0, 1], radius: 0.3}}, speed: 2",
        "shape: {disc: {center: [0, 0, 0], normal: [1, 0, 1], radius: 0.3}}, speed: [[0, 0], [1, "
        "3]]",
        "shape: {rectangle: {center: [0, 0, 0], normal: [0, 0, 1], size: [0.6, 0.3]}}, rate: 200 "
        "L/s",
        "shape: {rectangle: {center: [0, 0, 0], normal: [0, 0, 1], size: [0.6, 0.3]}}, rate: 100 "
        "L/s, "
        "speed: 2",
        "shape: {box: {center: [0, 0, 0], size: [0.5, 0.5, 0.5]}}, rate: 80 L/s, velocity: [3, 0, "
        "0]",
        "shape: {disc: {center: [0, 0, 0], normal: [0, 0, 1], radius: 0.3}}, from: 0.4, to: 0.7",
        "shape: {disc: {center: [0, 0, 0], normal: [0, 0, 1], radius: 0.3}}, total: 777"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        char text[1000];
        snprintf(text, sizeof text, SPACE "emitters:\n  - {name: a, material: water, %s}\n",
                 keys[k]);
        Rig rig = build(text);
        ThawPreflight flight;
        ThawMessages *messages = NULL;
        assert_int_equal(thaw_scene_preflight(rig.scene, &flight, &messages), THAW_OK);
        run_frames(&rig, 24);
        double born = (double)births(&rig, 1);
        // a layer of an opening, of up to 113, comes whole
        if (fabs(born - flight.born) > 0.01 * flight.born + 113) {
            fail_msg("%s: %g are born, not %g", keys[k], born, flight.born);
        }
        thaw_messages_free(messages);
        thaw_preflight_free(&flight);
        drop(&rig);
    }
}

// ---------------------------------------------------------------- over time

// mean place of the particles that are younger than a frame
static ThawVec3 mean_of_young(ThawWorld *world, uint64_t after) {
    ThawView id, place;
    assert_int_equal(thaw_world_view(world, "id", &id), THAW_OK);
    assert_int_equal(thaw_world_view(world, "position", &place), THAW_OK);
    const uint64_t *ids = id.data;
    const float *x = place.data;
    ThawVec3 sum = {0, 0, 0};
    double count = 0;
    for (uint32_t k = 0; k < id.count; k++) {
        if ((ids[k] & 0xffffffffff) <= after) continue;
        sum.x += (double)x[3 * k], sum.y += (double)x[3 * k + 1], sum.z += (double)x[3 * k + 2];
        count++;
    }
    assert_true(count > 10);
    return (ThawVec3){sum.x / count, sum.y / count, sum.z / count};
}

static void a_moving_opening_is_where_its_motion_says(void **state) {
    (void)state;
    Rig rig =
        build(SPACE "emitters:\n  - {name: a, material: water, speed: 2, shape: {disc: {center: "
                    "[0, 0, 0], normal: [0, 0, 1], radius: 0.2}}, motion: [{time: 0}, {time: 1, "
                    "move: [1, 0, 0]}]}\n");
    run_frames(&rig, 11);
    uint64_t before = births(&rig, 1);
    run_frames(&rig, 1);
    // what was born in the frame that ends at 0.5 s moves with the opening, still behind it
    ThawVec3 young = mean_of_young(rig.world, before);
    assert_true(fabs(young.x - 0.5) < 0.01);
    assert_true(fabs(young.y) < 0.01);
    drop(&rig);
}

static void values_of_channels_are_of_the_birth(void **state) {
    (void)state;
    Rig rig = build(SPACE "emitters:\n  - {name: a, material: water, speed: 2, channels: {dye: "
                          "\"10*t\"}, shape: {disc: {center: [0, 0, 0], normal: [0, 0, 1], radius: "
                          "0.2}}}\n");
    run_frames(&rig, 24);
    ThawView id, dye;
    assert_int_equal(thaw_world_view(rig.world, "id", &id), THAW_OK);
    assert_int_equal(thaw_world_view(rig.world, "dye", &dye), THAW_OK);
    const uint64_t *ids = id.data;
    const float *values = dye.data;
    double all = (double)births(&rig, 1);
    for (uint32_t k = 0; k < id.count; k++) {
        // births are even over the second, in layers of 32 or so
        double expected = 10 * (double)(ids[k] & 0xffffffffff) / all;
        assert_true(fabs((double)values[k] - expected) < 0.5);
    }
    drop(&rig);
}

static void keyed_forces_and_speeds_reach_the_world(void **state) {
    (void)state;
    Rig rig = build(
        SPACE "emitters:\n  - {name: a, material: water, speed: [[0.5, 2], [0.5, 0]], shape: "
              "{disc: {center: [0, 0, 0], normal: [0, 0, 1], radius: 0.2}}}\n"
              "forces:\n"
              "  - {name: f, directional: {direction: [1, 0, 0], strength: [[0, 0], [1, 8]]}}\n"
              "  - {name: g, directional: {direction: [[0, [1, 0, 0]], [1, [-1, 0, 0]]]}}\n");
    run_frames(&rig, 12);
    uint64_t half = births(&rig, 1);
    assert_true(half > 100);
    run_frames(&rig, 12);
    assert_int_equal(births(&rig, 1), half);
    ThawVec3 pull;
    assert_int_equal(
        thaw_world_force_at(rig.world, (ThawForceId){1}, (ThawVec3){0, 0, 0}, 1, &pull), THAW_OK);
    assert_true(fabs(pull.x - 8 * (1 - 1.0 / 192)) < 1e-6); // at the middle of the last piece
    // a direction that passes through nothing on its way
    assert_int_equal(thaw_scene_animate(rig.scene, rig.world, 0.5), THAW_OK);
    assert_int_equal(
        thaw_world_force_at(rig.world, (ThawForceId){2}, (ThawVec3){0, 0, 0}, 1, &pull), THAW_OK);
    assert_true(pull.x == 0 && pull.y == 0 && pull.z == 0);
    drop(&rig);
}

static void keyed_surfaces_and_liquids_reach_the_world(void **state) {
    (void)state;
    static const char *const keys[] = {
        "adhesion: [[0, 0.1], [1, 0.9]]}]\n",
        "friction: 0.2}]\nforces: [{name: f, wind: {direction: [1, 0, 0], drag: \"1 + t\"}}]\n"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 SPACE
                 "bodies: [{name: b, material: water, shape: {sphere: {center: [0, 0, 0], radius: "
                 "0.2}}}]\ncolliders: [{name: c, shape: {plane: {point: [0, 0, -1]}}, %s",
                 keys[k]);
        Rig rig = build(text);
        assert_true(rig.scene->animated);
        uint64_t start = thaw_world_hash(rig.world);
        assert_int_equal(thaw_scene_animate(rig.scene, rig.world, 1), THAW_OK);
        assert_true(thaw_world_hash(rig.world) != start);
        assert_int_equal(thaw_scene_animate(rig.scene, rig.world, 0), THAW_OK);
        assert_true(thaw_world_hash(rig.world) == start);
        drop(&rig);
    }
    static const char *const liquids[] = {"surface_tension", "tension", "viscosity", "xsph",
                                          "vorticity"};
    for (size_t k = 0; k < sizeof liquids / sizeof *liquids; k++) {
        char set[100];
        snprintf(set, sizeof set, "materials.water.liquid.%s=[[0, 0.1], [1, 0.2]]", liquids[k]);
        const char *const sets[] = {set};
        ThawSceneOptions options = {.sets = sets, .set_count = 1};
        Rig rig = {.scene = parse_scene(SPACE "bodies: [{name: b, material: water, shape: {sphere: "
                                              "{center: [0, 0, 0], radius: 0.2}}}]\n",
                                        &options)};
        assert_int_equal(thaw_scene_build(rig.scene, NULL, &rig.world), THAW_OK);
        uint64_t start = thaw_world_hash(rig.world);
        assert_int_equal(thaw_scene_animate(rig.scene, rig.world, 1), THAW_OK);
        if (thaw_world_hash(rig.world) == start) fail_msg("%s does not reach it", liquids[k]);
        drop(&rig);
    }
}

static void a_snapshot_goes_on_in_the_same_bits(void **state) {
    (void)state;
    static const char text[] = SPACE
        "emitters:\n"
        "  - {name: a, material: water, speed: \"2 + sin(9*t)\", life: 0.4, channels: {dye: t},\n"
        "     shape: {disc: {center: [0, 0, 0], normal: [0, 0.2, 1], radius: 0.2}},\n"
        "     motion: {rotate: {axis: [1, 0, 0], angle: t}}}\n"
        "  - {name: b, material: oil, rate: 20 L/s, most: 50, jitter: 0.2, velocity: [t, 0, 0],\n"
        "     shape: {sphere: {center: [0, 0, 1], radius: 0.2}}}\n"
        "sinks: [{name: s, outside: yes, shape: {sphere: {center: [0, 0, 0], radius: 1}}}]\n"
        "forces: [{name: f, turbulence: {strength: 9, size: 0.4}}]\n";
    Rig rig = build(text);
    run_frames(&rig, 9);
    void *bytes;
    size_t size;
    assert_int_equal(thaw_world_save(rig.world, &bytes, &size), THAW_OK);
    Rig other = {.scene = parse_scene(text, NULL)};
    ThawHostDef host = {.threads = 2};
    assert_int_equal(thaw_world_load(bytes, size, &host, &other.world), THAW_OK);
    thaw_snapshot_free(bytes);
    ThawReport report = run_frames(&rig, 6);
    run_frames(&other, 6);
    assert_true(report.born > 0 && report.died > 0);
    assert_true(thaw_world_hash(rig.world) == thaw_world_hash(other.world));
    drop(&rig);
    drop(&other);
}

static void reports_of_a_frame_add_up_its_pieces(void **state) {
    (void)state;
    Rig rig =
        build(SPACE "emitters:\n  - {name: a, material: water, speed: \"3\", life: 0.1, velocity: "
                    "[0, \"0.1*t\", 0], shape: {disc: {center: [0, 0, 0], normal: [0, 0, 1], "
                    "radius: 0.2}}}\n");
    assert_true(rig.scene->animated);
    uint64_t born = 0, died = 0;
    for (int k = 0; k < 12; k++) {
        ThawReport report = run_frames(&rig, 1);
        born += report.born;
        died += report.died;
    }
    assert_int_equal(born, births(&rig, 1));
    assert_int_equal(born - died, thaw_world_count(rig.world));
    assert_true(died > 0);
    drop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_have_handles_in_their_order),
        cmocka_unit_test(as_many_are_born_as_was_foretold),
        cmocka_unit_test(a_moving_opening_is_where_its_motion_says),
        cmocka_unit_test(values_of_channels_are_of_the_birth),
        cmocka_unit_test(keyed_forces_and_speeds_reach_the_world),
        cmocka_unit_test(keyed_surfaces_and_liquids_reach_the_world),
        cmocka_unit_test(a_snapshot_goes_on_in_the_same_bits),
        cmocka_unit_test(reports_of_a_frame_add_up_its_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
