// Changes of state at full size: the figures of test_phase_change.c where they take minutes.
#include "physics/cycles.h"

#include <stdio.h>

// W-38: modulus of refrozen matter at least 80 % of the virgin one's
static void refrozen_bars_carry_load(void **state) {
    (void)state;
    static const CycleDef cases[] = {
        {.dimensions = 2,
         .spacing = 0.005,
         .length = 0.3,
         .height = 0.08,
         .young = 1e5f,
         .seconds = 4},
        {.dimensions = 3,
         .spacing = 0.015,
         .length = 0.24,
         .height = 0.09,
         .young = 5e4f,
         .seconds = 4},
        {.dimensions = 3,
         .spacing = 0.01,
         .length = 0.24,
         .height = 0.09,
         .young = 5e4f,
         .seconds = 6},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CycleDef def = cases[k];
        CycleFigures virgin = cycle_run(&def);
        def.melts = true;
        CycleFigures again = cycle_run(&def);
        printf("cycle %dD, d = %g m: %u particles, %u molten, %u left liquid, stiffness %.3f of "
               "the virgin "
               "one, bonds %.2f (%.2f), fastest %.2f m/s\n",
               def.dimensions, def.spacing, again.particles, again.molten, again.liquid,
               again.stiffness / virgin.stiffness, again.bonds, virgin.bonds, again.fastest);
        assert_true(again.finite);
        assert_below(again.liquid, 0.05 * again.particles);
        assert_below(0.8, again.stiffness / virgin.stiffness);
    }
}

static void ice_and_water_stay_as_they_are_for_a_minute(void **state) {
    (void)state;
    BathFigures figures = bath_run(&(BathDef){.side = 0.24, .seconds = 60});
    printf(
        "equilibrium: molten mass %.6f of its start, %u changes of state, enthalpy off by %.1e\n",
        figures.molten_end / figures.molten_begin, figures.changes, figures.heat_error);
    assert_near(figures.molten_end / figures.molten_begin, 1, 0.01);
    assert_near(1.0 * figures.ice_end / figures.ice_begin, 1, 0.01);
    assert_below(figures.heat_error, 1e-6);
}

static void baths_end_as_the_textbook_says(void **state) {
    (void)state;
    static const double starts[3][2] = {{-10, 20}, {-40, 5}, {0, 30}};
    for (int k = 0; k < 3; k++) {
        BathFigures figures = bath_run(&(BathDef){.side = 0.24,
                                                  .seconds = 20,
                                                  .ice = starts[k][0],
                                                  .water = starts[k][1],
                                                  .conductivity = 20000});
        printf(
            "bath of ice at %g and water at %g °C: molten %.4f of what it should be, from %.3f to "
            "%.3f °C, enthalpy off by %.1e, %u changes\n",
            starts[k][0], starts[k][1], figures.molten_end / figures.molten_wanted, figures.coldest,
            figures.hottest, figures.heat_error, figures.changes);
        assert_near(figures.molten_end / figures.molten_wanted, 1, 0.02);
        assert_near(figures.coldest, 0, 0.02 * 30);
        assert_near(figures.hottest, 0, 0.02 * 30);
        assert_below(figures.heat_error, 1e-6);
    }
}

static void fronts_freeze_at_the_pace_of_the_heat(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        FrontDef def = {
            .spacing = k == 0 ? 0.01 : 0.005, .width = 0.1, .height = 0.2, .seconds = 4};
        FrontFigures figures = front_run(&def);
        printf("front, d = %g m: %.4f m wanted, %.4f by heat, %.4f solid, bonds %.2f, fastest %.2f "
               "m/s\n",
               def.spacing, figures.wanted, figures.heat, figures.solid, figures.bonds,
               figures.fastest);
        assert_near(figures.heat / figures.wanted, 1, 0.05);
        assert_near(figures.solid, figures.heat, 2 * def.spacing);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refrozen_bars_carry_load),
        cmocka_unit_test(ice_and_water_stay_as_they_are_for_a_minute),
        cmocka_unit_test(baths_end_as_the_textbook_says),
        cmocka_unit_test(fronts_freeze_at_the_pace_of_the_heat),
    };
    return cmocka_run_group_tests_name("phase_change", tests, NULL, NULL);
}
