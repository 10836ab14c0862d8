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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sided_liquid_never_gains_energy_in_automatic_substeps),
        cmocka_unit_test(one_sided_liquid_never_gains_energy_in_one_substep),
        cmocka_unit_test(one_sided_liquid_never_gains_energy_in_two_substeps),
        cmocka_unit_test(tense_liquid_never_gains_energy_in_automatic_substeps),
        cmocka_unit_test(tense_liquid_never_gains_energy_in_one_substep),
        cmocka_unit_test(tense_liquid_never_gains_energy_in_two_substeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
