// Heat on the shipped engine: a periodic wave (H-1, W-39), a slab and a cube with cold faces (H-2), a melting front
// (ST-1), a closed system that melts and freezes. Full sizes and tables: validate_heat.c.
#include "support/heat_cases.h"
#include "world/helpers.h"

// ---------------------------------------------------------------- H-1

static void waves_decay_on_close_packings(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        HeatWave wave = heat_wave(&(HeatWaveDef){dimensions, HEAT_CLOSE, 0.25, false, 0});
        if (!(fabs(wave.diffusivity - 1) < 0.005))
            fail_msg("%dD: %g of the diffusivity", dimensions, wave.diffusivity);
        for (int n = 0; n < 3; n++) assert_true(fabs(wave.left[n] - wave.wanted[n]) < 0.002);
        assert_true(fabs(wave.drift) < 1e-12);
    }
}

static void waves_decay_in_other_packings(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int packing = HEAT_CUBIC; packing <= HEAT_LIQUID; packing++) {
            HeatWave wave =
                heat_wave(&(HeatWaveDef){dimensions, (HeatPacking)packing, 0.25, false, 0});
            if (!(fabs(wave.diffusivity - 1) < 0.03))
                fail_msg("%dD, %s: %g of the diffusivity", dimensions, heat_packings[packing],
                         wave.diffusivity);
            assert_true(fabs(wave.drift) < 1e-12);
        }
    }
}

static void steps_of_many_limits_follow_waves(void **state) {
    (void)state;
    // of a wave that lives for 54 limits
    const double limits[] = {1, 3, 10, 30}, bounds[] = {0.003, 0.003, 0.003, 0.01};
    for (int n = 0; n < 4; n++) {
        HeatWave wave = heat_wave(&(HeatWaveDef){3, HEAT_CLOSE, limits[n], false, 0});
        for (int k = 0; k < 3; k++) {
            double off = wave.left[k] - wave.wanted[k];
            if (!(fabs(off) < bounds[n])) fail_msg("%g limits: off by %g", limits[n], off);
        }
        assert_true(wave.stages <= limits[n] + 1e-9);
        assert_true(fabs(wave.drift) < 1e-12);
    }
}

// ---------------------------------------------------------------- H-2

static void check_cooling(const HeatCoolingDef *def, double bound) {
    HeatCooling found = heat_cooling(def), exact = heat_cooling_exact(def->dimensions, def->cube);
    for (int n = 0; n < HEAT_TIMES; n++) {
        double off[3] = {found.quarter[n] - exact.quarter[n], found.center[n] - exact.center[n],
                         found.mean[n] - exact.mean[n]};
        for (int k = 0; k < 3; k++) {
            // a cube's quarter point lies on its axis
            if (!(fabs(off[k]) < bound))
                fail_msg("%dD %s of %d layers, %s, Fo %g: %s off by %g", def->dimensions,
                         def->cube ? "cube" : "slab", def->across, heat_packings[def->packing],
                         heat_times[n], ((const char *[]){"quarter", "centre", "mean"})[k], off[k]);
        }
    }
    assert_true(fabs(found.budget) < 1e-9);
}

static void slabs_cool_between_planes(void **state) {
    (void)state;
    check_cooling(&(HeatCoolingDef){3, HEAT_CLOSE, false, 26, 1}, 0.005);
    check_cooling(&(HeatCoolingDef){2, HEAT_CLOSE, false, 22, 1}, 0.01);
    check_cooling(&(HeatCoolingDef){3, HEAT_CUBIC, false, 20, 1}, 0.015);
    check_cooling(&(HeatCoolingDef){3, HEAT_CLOSE, false, 12, 1}, 0.02);
}

static void cubes_cool_in_a_cold_box(void **state) {
    (void)state;
    check_cooling(&(HeatCoolingDef){3, HEAT_CLOSE, true, 26, 2}, 0.01);
    check_cooling(&(HeatCoolingDef){2, HEAT_CUBIC, true, 20, 1}, 0.02);
}

// ---------------------------------------------------------------- sizes and materials

static void halves_that_differ_conduct_in_series(void **state) {
    (void)state;
    const HeatHalvesDef defs[] = {{3, 2, 1}, {2, 2, 0.1}, {2, 1, 20}};
    for (size_t n = 0; n < sizeof defs / sizeof *defs; n++) {
        HeatHalves halves = heat_halves(&defs[n]);
        for (int k = 0; k < 2; k++) {
            if (!(fabs(halves.flux[k] - 1) < 0.03))
                fail_msg("%dD, ratio %g, conductivity %g: half %d has %g of the flux",
                         defs[n].dimensions, defs[n].ratio, defs[n].conductivity, k + 1,
                         halves.flux[k]);
        }
    }
}

// ---------------------------------------------------------------- ST-1

static void check_front(const HeatFrontDef *def) {
    HeatFront front = heat_front(def);
    for (int n = 0; n < def->count; n++) {
        if (front.wanted[n] < 0.1 * def->size) continue; // below ten spacings
        double off = front.place[n] / front.wanted[n] - 1;
        double all = front.molten[n] / front.wanted[n] - 1;
        if (!(fabs(off) < 0.03 && fabs(all) < 0.03))
            fail_msg("St %g, dt %g: the front is off by %g, all that is molten by %g", def->stefan,
                     def->dt, off, all);
    }
    assert_true(fabs(front.budget) < 1e-10);
    // temperatures stay within those of the data
    assert_true(front.coldest < 1e-3 && front.hottest < 1e-3);
    assert_true(def->solid == (front.melted > 0));
}

static void fronts_move_as_stefan_says(void **state) {
    (void)state;
    check_front(&(HeatFrontDef){.stefan = 0.5, .dt = 0.02, .count = 3, .size = 1});
    check_front(&(HeatFrontDef){.stefan = 0.5, .dt = 0.2, .count = 3, .size = 1});
    check_front(&(HeatFrontDef){.stefan = 2, .dt = 0.05, .count = 2, .size = 1});
}

static void solids_melt_as_stefan_says(void **state) {
    (void)state;
    check_front(&(HeatFrontDef){.stefan = 0.5, .dt = 0.02, .count = 3, .solid = true, .size = 1});
}

// Melt carries heat while something presses the solid to it. By place and by all that is molten, so that neither
// squeezed layers nor gaps pass for a front.
static void solids_pressed_to_a_hot_wall_melt_as_stefan_says(void **state) {
    (void)state;
    const HeatFrontDef defs[] = {{.stefan = 0.2, .dt = 0.05, .count = 4, .dimensions = 2},
                                 {.stefan = 0.5, .dt = 0.05, .count = 3, .dimensions = 2},
                                 {.stefan = 0.2, .dt = 0.05, .count = 3, .dimensions = 3},
                                 {.stefan = 0.5, .dt = 0.05, .count = 2, .dimensions = 3}};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        HeatFrontDef def = defs[k];
        def.solid = def.free = true;
        def.size = def.gravity = 1;
        check_front(&def);
    }
}

// ---------------------------------------------------------------- a closed system

static void closed_systems_keep_their_heat(void **state) {
    (void)state;
    HeatClosed closed = heat_closed(&(HeatClosedDef){2, 300, 0.01, 1});
    if (!(closed.drift < 1e-11)) fail_msg("heat drifts by %g", closed.drift);
    assert_true(closed.melted > 20 && closed.frozen > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_decay_on_close_packings),
        cmocka_unit_test(waves_decay_in_other_packings),
        cmocka_unit_test(steps_of_many_limits_follow_waves),
        cmocka_unit_test(slabs_cool_between_planes),
        cmocka_unit_test(cubes_cool_in_a_cold_box),
        cmocka_unit_test(halves_that_differ_conduct_in_series),
        cmocka_unit_test(fronts_move_as_stefan_says),
        cmocka_unit_test(solids_melt_as_stefan_says),
        cmocka_unit_test(solids_pressed_to_a_hot_wall_melt_as_stefan_says),
        cmocka_unit_test(closed_systems_keep_their_heat),
    };
    return cmocka_run_group_tests_name("heat", tests, NULL, NULL);
}
