// Insulated systems on the whole engine: heat that goes round and round while matter melts and freezes, and ice in water
// at 0 °C. The same in 3D: validate_phase_change.c.
#include "physics/baths.h"
#include "physics/closed.h"

// 10,000 steps in which every particle melts and freezes ten times, about twice in each fifth of them.
static void heat_stays_while_matter_melts_and_freezes_for_10000_steps(void **state) {
    (void)state;
    ChurnDef def = {.dimensions = 2, .width = 0.14, .steps = 10000, .dt = 0.005, .period = 2};
#ifdef THAW_TEST_SANITIZED
    def.steps = 1000;
    def.period = 0.2;
#endif
    ChurnFigures figures = churn_run(&def);
    // 1e-6 would do; heat is kept in double, and 10,000 roundings are 1e-14
    assert_below(figures.drift, 1e-12);
    assert_below(figures.given, 1e-12);
    assert_true(figures.finite && figures.kept);
    uint64_t least = figures.particles * (uint64_t)def.steps / 10000;
    for (int k = 0; k < CHURN_FIFTHS; k++) {
        assert_true(figures.melted[k] > least);
        assert_true(figures.frozen[k] > least);
    }
}

// Ice swims in water, both at 0 °C but for ripples of half a hundredth of the latent heat: colder ice, warmer water, and
// slush on both sides of the face. They conduct ten times as well as in nature, so that it all comes to an end.
static void ice_in_water_at_0_degrees_stays_for_a_minute(void **state) {
    (void)state;
    BathDef def = {.dimensions = 2,
                   .side = 0.1,
                   .seconds = 60,
                   .floats = true,
                   .ripple = 0.005,
                   .conductivity = 20};
#ifdef THAW_TEST_SANITIZED
    def.seconds = 6;
#endif
    BathFigures figures = bath_run(&def);
    assert_true(figures.spread > 1);
    assert_near(figures.molten_end / figures.molten_wanted, 1, 0.01);
    assert_near(1.0 * figures.ice_end / figures.ice_begin, 1, 0.01);
    assert_true(figures.changes <= figures.ice_begin / 100);
    assert_below(figures.hottest - figures.coldest, 0.5 * figures.spread);
    assert_below(figures.heat_error, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heat_stays_while_matter_melts_and_freezes_for_10000_steps),
        cmocka_unit_test(ice_in_water_at_0_degrees_stays_for_a_minute),
    };
    return cmocka_run_group_tests_name("closed_heat", tests, NULL, NULL);
}
