// The energy tests, for the DIMENSIONS and STEPS that the including file defines: two programs, so that they
// run side by side.
#include "physics/energy_sweep.h"

static void one_sided_liquid_never_gains_energy_in_automatic_substeps(void **state) {
    (void)state;
    check_sweep((SweepSetting){.dimensions = DIMENSIONS, .substeps = 0, .tense = false}, STEPS);
}

static void one_sided_liquid_never_gains_energy_in_one_substep(void **state) {
    (void)state;
    check_sweep((SweepSetting){.dimensions = DIMENSIONS, .substeps = 1, .tense = false}, STEPS);
}

static void one_sided_liquid_never_gains_energy_in_two_substeps(void **state) {
    (void)state;
    check_sweep((SweepSetting){.dimensions = DIMENSIONS, .substeps = 2, .tense = false}, STEPS);
}

static void tense_liquid_never_gains_energy_in_automatic_substeps(void **state) {
    (void)state;
    check_sweep((SweepSetting){.dimensions = DIMENSIONS, .substeps = 0, .tense = true}, STEPS);
}

static void tense_liquid_never_gains_energy_in_one_substep(void **state) {
    (void)state;
    check_sweep((SweepSetting){.dimensions = DIMENSIONS, .substeps = 1, .tense = true}, STEPS);
}

static void tense_liquid_never_gains_energy_in_two_substeps(void **state) {
    (void)state;
    check_sweep((SweepSetting){.dimensions = DIMENSIONS, .substeps = 2, .tense = true}, STEPS);
}

static void jittered_emitters_never_give_more_energy_than_they_put_in(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        SweepSetting s = {.dimensions = DIMENSIONS, .substeps = k % 3, .jitter = k < 3 ? 0.1 : 0.5};
        SweepTotal rain = sweep_all(s, STEPS);
        assert_int_equal(rain.gains, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sided_liquid_never_gains_energy_in_automatic_substeps),
        cmocka_unit_test(one_sided_liquid_never_gains_energy_in_one_substep),
        cmocka_unit_test(one_sided_liquid_never_gains_energy_in_two_substeps),
        cmocka_unit_test(tense_liquid_never_gains_energy_in_automatic_substeps),
        cmocka_unit_test(tense_liquid_never_gains_energy_in_one_substep),
        cmocka_unit_test(tense_liquid_never_gains_energy_in_two_substeps),
        cmocka_unit_test(jittered_emitters_never_give_more_energy_than_they_put_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
