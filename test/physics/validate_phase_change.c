// Changes of state at full size: the figures of test_phase_change.c where they take minutes.
#include "physics/baths.h"
#include "physics/closed.h"
#include "physics/cycles.h"

#include <stdio.h>

// ---------------------------------------------------------------- a cycle of melting and freezing (W-38)

static const CycleDef bars[] = {
    {.dimensions = 2, .spacing = 0.01, .length = 0.3, .height = 0.08, .young = 1e5f},
    {.dimensions = 2, .spacing = 0.005, .length = 0.3, .height = 0.08, .young = 1e5f},
    {.dimensions = 3, .spacing = 0.015, .length = 0.24, .height = 0.09, .young = 5e4f},
    {.dimensions = 3, .spacing = 0.01, .length = 0.24, .height = 0.09, .young = 5e4f},
};
#define BARS (sizeof bars / sizeof *bars)

// stiffness over the virgin bar's
static double run_bar(const CycleDef *bar, CycleWay way, double seconds, uint64_t seed) {
    static const char *const names[] = {"stamped", "plates", "frost"};
    CycleDef def = *bar;
    def.way = way;
    def.seconds = seconds;
    def.seed = seed;
    CycleFigures virgin = cycle_run(&def);
    def.melts = true;
    CycleFigures f = cycle_run(&def);
    double ratio = f.stiffness / virgin.stiffness;
    printf("cycle %dD, d = %g m, %s: %u particles, %u molten, %u left liquid, stiffness %.3f of "
           "the virgin one, bonds %.2f (%.2f), %.1f %% of them misfits",
           def.dimensions, def.spacing, names[way], f.particles, f.molten, f.liquid, ratio, f.bonds,
           virgin.bonds, 100 * f.misfits);
    if (way != CYCLE_STAMPED)
        printf("; walls gave %.2f of the latent heat, budget %.1e", f.heat, f.heat_left);
    if (way != CYCLE_FROST) printf("; momentum off by %.1e m/s", f.momentum);
    puts("");
    check_cycle(&def, &f);
    return ratio;
}

// modulus of refrozen matter at least 80 % of the virgin one's: what a seed freezes is one crystal
static void refrozen_bars_carry_load(void **state) {
    (void)state;
    for (size_t k = 1; k < BARS; k++) {
        assert_below(0.8, run_bar(&bars[k], CYCLE_STAMPED, k == 3 ? 6 : 4, 0));
    }
    for (size_t k = 0; k < BARS; k++) {
        assert_below(0.8, run_bar(&bars[k], CYCLE_PLATES, 6, 0));
    }
}

// Of frost a bar is many crystals, and flat ones are less stiff for it: their bonds with misfits carry, but long ones do
// not go through them. In 3D there are ways round.
static void bars_of_frost_carry_what_their_crystals_let_them(void **state) {
    (void)state;
    enum { STARTS = 6 };
    double sum = 0, least = 1;
    for (uint64_t k = 1; k <= STARTS; k++) {
        double ratio = run_bar(&bars[0], CYCLE_FROST, 4, k);
        sum += ratio / STARTS;
        least = fmin(least, ratio);
    }
    printf("bars of frost, 2D: mean %.2f, least %.2f of the virgin one\n", sum, least);
    assert_below(0.65, sum);
    assert_below(0.5, least);
    run_bar(&bars[1], CYCLE_FROST, 4, 1);
    assert_below(0.8, run_bar(&bars[2], CYCLE_FROST, 6, 1));
}

// the closed system of test_closed_heat.c in 3D
static void heat_stays_while_matter_melts_and_freezes(void **state) {
    (void)state;
    ChurnFigures f = churn_run(
        &(ChurnDef){.dimensions = 3, .width = 0.1, .steps = 10000, .dt = 0.005, .period = 2});
    printf("closed system, 3D, 10,000 steps: %u particles, heat drifts by %.1e, melted and frozen "
           "in each fifth:",
           f.particles, f.drift);
    for (int k = 0; k < CHURN_FIFTHS; k++) {
        printf(" %llu and %llu,", (unsigned long long)f.melted[k], (unsigned long long)f.frozen[k]);
        assert_true(f.melted[k] > f.particles && f.frozen[k] > f.particles);
    }
    printf(" number and mass %s\n", f.kept ? "exact" : "changed");
    assert_below(f.drift, 1e-12);
    assert_below(f.given, 1e-12);
    assert_true(f.finite && f.kept);
}

static void ice_and_water_stay_as_they_are_for_a_minute(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        BathFigures f = bath_run(&(BathDef){.dimensions = dimensions,
                                            .side = dimensions == 2 ? 0.2 : 0.08,
                                            .seconds = 60,
                                            .floats = true,
                                            .ripple = 0.005});
        printf("equilibrium, %dD: %u particles, %u of ice, %u at the end; molten mass %.6f of what "
               "it should be, %u changes of state; %.2f K between coldest and hottest, %.2f at the "
               "end; enthalpy off by %.1e\n",
               dimensions, f.particles, f.ice_begin, f.ice_end, f.molten_end / f.molten_wanted,
               f.changes, f.spread, f.hottest - f.coldest, f.heat_error);
        assert_near(f.molten_end / f.molten_wanted, 1, 0.01);
        assert_near(1.0 * f.ice_end / f.ice_begin, 1, 0.01);
        assert_below(f.hottest - f.coldest, 0.9 * f.spread);
        assert_below(f.heat_error, 1e-12);
    }
}

static void baths_end_as_the_textbook_says(void **state) {
    (void)state;
    static const BathDef defs[] = {
        {.dimensions = 2, .side = 0.24, .seconds = 20, .ice = -10, .water = 20},
        {.dimensions = 2, .side = 0.24, .seconds = 20, .ice = -40, .water = 5},
        {.dimensions = 2, .side = 0.24, .seconds = 20, .ice = 0, .water = 30},
        {.dimensions = 3, .side = 0.08, .seconds = 6, .ice = -10, .water = 20},
        {.dimensions = 3, .side = 0.08, .seconds = 6, .ice = -60, .water = 2, .share = 0.5},
        {.dimensions = 2,
         .side = 0.24,
         .seconds = 20,
         .share = 0.086,
         .ice = -23.15,
         .water = 26.85},
        {.dimensions = 2,
         .side = 0.24,
         .seconds = 20,
         .share = 0.56,
         .ice = -153.15,
         .water = 0.85},
        {.dimensions = 3,
         .side = 0.08,
         .seconds = 6,
         .share = 0.086,
         .ice = -23.15,
         .water = 26.85},
        {.dimensions = 3,
         .side = 0.08,
         .seconds = 6,
         .share = 0.56,
         .ice = -153.15,
         .water = 0.85}};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        BathDef def = defs[k];
        def.conductivity = 20000;
        BathFigures f = bath_run(&def);
        printf("bath, %dD, %u particles, %u of ice at %g and water at %g °C: molten %.3f kg, %.3f "
               "wanted, "
               "from %.3f to %.3f °C, %.3f wanted, enthalpy off by %.1e, %u changes\n",
               def.dimensions, f.particles, f.ice_begin, def.ice, def.water, f.molten_end,
               f.molten_wanted, f.coldest, f.hottest, f.wanted, f.heat_error, f.changes);
        check_bath(&f);
    }
}

static void fronts_freeze_at_the_pace_of_the_heat(void **state) {
    (void)state;
    static const FrontDef defs[] = {
        {.spacing = 0.01, .columns = 10, .height = 0.16, .seconds = 12, .stefan = 0.2},
        {.spacing = 0.005, .columns = 10, .height = 0.09, .seconds = 4, .stefan = 0.2},
        {.spacing = 0.005, .columns = 20, .height = 0.16, .seconds = 12, .stefan = 0.2},
        {.spacing = 0.005, .columns = 40, .height = 0.16, .seconds = 6, .stefan = 0.5},
        {.spacing = 0.005,
         .columns = 40,
         .height = 0.16,
         .seconds = 6,
         .stefan = 0.5,
         .young = 1e6f},
        {.spacing = 0.005, .columns = 20, .height = 0.16, .seconds = 2, .stefan = 2}};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        FrontFigures f = front_run(&defs[k]);
        double d = defs[k].spacing;
        printf("front, St %g, %d columns, d = %g m, E = %g Pa: %.2f spacings wanted, %.2f found "
               "(%+.1f %%); latent heat of %.2f "
               "is gone, %.2f of it from slush, %.2f are solid; fastest solid %.2f, liquid %.2f "
               "m/s\n",
               defs[k].stefan, defs[k].columns, d, defs[k].young > 0 ? (double)defs[k].young : 1e5,
               f.wanted / d, f.place / d, 100 * (f.place / f.wanted - 1), f.gone / d, f.slush / d,
               f.solid / d, f.fastest[0], f.fastest[1]);
        check_front(&defs[k], &f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refrozen_bars_carry_load),
        cmocka_unit_test(bars_of_frost_carry_what_their_crystals_let_them),
        cmocka_unit_test(heat_stays_while_matter_melts_and_freezes),
        cmocka_unit_test(ice_and_water_stay_as_they_are_for_a_minute),
        cmocka_unit_test(baths_end_as_the_textbook_says),
        cmocka_unit_test(fronts_freeze_at_the_pace_of_the_heat),
    };
    return cmocka_run_group_tests_name("phase_change", tests, NULL, NULL);
}
