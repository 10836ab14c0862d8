// V-5: more iterations make the liquid stiffer. A block of 1 m × 1 m falls 1 m into a tank, with
// the same two substeps for every count of iterations.
#include "support/liquid_cases.h"
#include "world/helpers.h"

static const int counts[] = {2, 5, 10, 20};
static DropFigures drops[4];

static int run_once(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        drops[k] = drop_run(&(DropDef){1.0 / 30, counts[k], 2, 1});
        print_message(
            "%2d iterations: peak compression %.2f %%, peak of the mean %.2f %%, interior |C| "
            "%.2f %%, energy max %.4f; %.1f s\n",
            counts[k], 100 * drops[k].peak, 100 * drops[k].peak_mean, 100 * drops[k].interior_mean,
            drops[k].energy_max, drops[k].cost.seconds);
    }
    return 0;
}

static void compression_falls_with_iterations(void **state) {
    (void)state;
    for (int k = 1; k < 4; k++) {
        assert_true(drops[k].peak < drops[k - 1].peak);
        assert_true(drops[k].peak_mean < drops[k - 1].peak_mean);
    }
}

static void five_iterations_hold_the_interior(void **state) {
    (void)state;
    assert_true(drops[1].interior_mean < 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compression_falls_with_iterations),
        cmocka_unit_test(five_iterations_hold_the_interior),
    };
    return cmocka_run_group_tests(tests, run_once, NULL);
}
