// PBF-2: a full pool comes to rest at its true height, still and evenly dense. The height is asked
// for within 2 % of what the particles' volume gives, the rest as the validation case says.
#include "support/liquid_cases.h"
#include "world/helpers.h"

#define CALM (0.01 * sqrt(9.81 * 1.0)) // m/s, 1 % of √(gH)

static PoolFigures flat, solid, water;

static PoolFigures run_with(int dimensions, double spacing, int iterations, bool as_water) {
    PoolFigures f = pool_run(&(PoolDef){dimensions, spacing, iterations, 1, 3, 0, as_water});
    print_message("%dD d = 1/%.0f%s, %d iterations: height %.4f of %.4f m, rms speed %.4f m/s "
                  "(limit %.4f), interior |C| mean %.2f %% max %.2f %%; %u particles, %.1f s\n",
                  dimensions, 1 / spacing, as_water ? ", 1e-6 m²/s" : "", iterations, f.height,
                  f.ideal, f.rms_speed, CALM, 100 * f.interior.mean, 100 * f.interior.max,
                  f.cost.particles, f.cost.seconds);
    return f;
}

static PoolFigures run(int dimensions, double spacing, int iterations) {
    return run_with(dimensions, spacing, iterations, false);
}

static int run_once(void **state) {
    (void)state;
    flat = run(2, 1.0 / 30, 5);
    solid = run(3, 1.0 / 20, 5);
    water = run_with(3, 1.0 / 20, 5, true);
    return 0;
}

static void check_height(const PoolFigures *f) {
    assert_true(fabs(f->height / f->ideal - 1) <= 0.02);
    assert_true(fabs(f->height / 0.5 - 1) <= 0.02);
}

static void check_density(const PoolFigures *f) {
    assert_true(f->interior.count > f->cost.particles / 2);
    assert_true(f->interior.mean < 0.01);
    assert_true(f->interior.max < 0.08);
}

static void flat_pool_keeps_its_height(void **state) {
    (void)state;
    check_height(&flat);
}

static void flat_pool_is_evenly_dense(void **state) {
    (void)state;
    check_density(&flat);
}

static void flat_pool_is_still(void **state) {
    (void)state;
    assert_true(flat.rms_speed < CALM);
}

static void solid_pool_keeps_its_height(void **state) {
    (void)state;
    check_height(&solid);
}

static void solid_pool_is_evenly_dense(void **state) {
    (void)state;
    check_density(&solid);
}

static void solid_pool_is_still(void **state) {
    (void)state;
    assert_true(solid.rms_speed < CALM);
}

// with water's own viscosity, and nothing that smooths beside it
static void a_pool_of_water_is_as_calm(void **state) {
    (void)state;
    check_height(&water);
    check_density(&water);
    assert_true(water.rms_speed < CALM);
}

static void height_does_not_depend_on_iterations(void **state) {
    (void)state;
    for (int iterations = 10; iterations <= 20; iterations *= 2) {
        PoolFigures f = run(2, 1.0 / 30, iterations);
        assert_true(fabs(f.height - flat.height) < 0.5 / 30);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_pool_keeps_its_height),
        cmocka_unit_test(flat_pool_is_evenly_dense),
        cmocka_unit_test(flat_pool_is_still),
        cmocka_unit_test(solid_pool_keeps_its_height),
        cmocka_unit_test(solid_pool_is_evenly_dense),
        cmocka_unit_test(solid_pool_is_still),
        cmocka_unit_test(a_pool_of_water_is_as_calm),
        cmocka_unit_test(height_does_not_depend_on_iterations),
    };
    return cmocka_run_group_tests(tests, run_once, NULL);
}
