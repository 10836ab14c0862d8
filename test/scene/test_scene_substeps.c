// solver.substeps is a number of a frame: as many are taken and told of, whether anything changes over time or not.
#include "scene_rig.h"

#define POOL                                                                                       \
    "thaw: 1\nspacing: 0.05\nframes: {count: 4}\nmaterials: {water: {}}\n"                         \
    "bodies: [{name: pool, material: water, shape: {box: {center: [0, 0, 0.2], size: [0.4, 0.4, "  \
    "0.4]}}}]\ncolliders: [{name: floor, shape: {plane: {point: [0, 0, 0]}}}]\n"
#define SWAYS "gravity: [\"sin(t)\", 0, -9.81]\n"

typedef struct Taken {
    uint32_t taken; // substeps of a frame
    double told;
} Taken;

static Taken run_frame(const char *text) {
    ThawScene *scene = parse_scene(text, NULL);
    ThawPreflight flight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &flight, &messages), THAW_OK);
    ThawWorld *world = NULL;
    ThawHostDef host = {.threads = 1};
    ThawReport report;
    assert_int_equal(thaw_scene_build(scene, &host, &world), THAW_OK);
    assert_int_equal(thaw_scene_advance(scene, world, 1 / 24.0, &report), THAW_OK);
    Taken taken = {report.substeps, flight.substeps};
    thaw_world_destroy(world);
    thaw_preflight_free(&flight);
    thaw_messages_free(messages);
    thaw_scene_free(scene);
    return taken;
}

static void fixed_substeps_are_of_a_frame(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t substeps;
    } cases[] = {{POOL "solver: {substeps: 10}\n", 10},
                 {POOL "solver: {substeps: 1}\n", 1},
                 {POOL SWAYS "solver: {substeps: 12}\n", 12},
                 // values change four times a frame
                 {POOL SWAYS "solver: {substeps: 10}\n", 12},
                 {POOL SWAYS "solver: {substeps: 1}\n", 4}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Taken frame = run_frame(cases[k].text);
        assert_int_equal(frame.taken, cases[k].substeps);
        assert_true(frame.told == cases[k].substeps);
    }
}

static void chosen_substeps_stay_free(void **state) {
    (void)state;
    Taken still = run_frame(POOL), swaying = run_frame(POOL SWAYS);
    // each quarter by itself
    assert_true(still.taken > 1 && swaying.taken >= still.taken && swaying.taken % 4 == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_substeps_are_of_a_frame),
        cmocka_unit_test(chosen_substeps_stay_free),
    };
    return cmocka_run_group_tests_name("scene substeps", tests, NULL, NULL);
}
