// Goo that freezes to a cooled rod, and an elastic body that falls, bounces and melts: the shipped scenes with particles
// twice as large and more. As they are: validate_paper_scenes.c.
#include "paper_scenes.h"

static void goo_freezes_to_a_cold_rod_layer_by_layer_on_its_lattice(void **state) {
    (void)state;
    GooFigures figures = goo_run(0.016, 84, 1);
    assert_true(figures.frozen > 60);
    check_goo(&figures);
    assert_true(figures.near[1] > 0.9); // the coat is thin yet
}

static void a_bear_bounces_and_then_melts_to_a_pool_of_its_volume(void **state) {
    (void)state;
    // in five seconds what takes nine in the scene
    BearFigures figures = bear_run(0.025, "materials.rubber.thermal.conductivity=2500", 124, 1);
    check_bear(&figures);
}

// with particles of this size one that melted under it left at 4 m/s
static void a_bear_that_begins_to_melt_throws_nobody(void **state) {
    (void)state;
    BearSpeeds speeds = bear_speeds(0.02, 72, 1);
    print_message("fastest %.2f m/s, mean of each frame's %.2f, what falls by a spacing %.2f\n",
                  speeds.fastest, speeds.mean, speeds.fall);
    check_speeds(&speeds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goo_freezes_to_a_cold_rod_layer_by_layer_on_its_lattice),
        cmocka_unit_test(a_bear_bounces_and_then_melts_to_a_pool_of_its_volume),
        cmocka_unit_test(a_bear_that_begins_to_melt_throws_nobody),
    };
    return cmocka_run_group_tests_name("scene_paper", tests, NULL, NULL);
}
