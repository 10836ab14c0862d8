// What freezing and sintering join carries a clear share of what one lattice does, whatever the orientations are.
#include "thermal/joints.h"

// each lattice turned against the other, rad; in 2D no angle is further from another lattice's own than 0.52
static const double turns[] = {0.1, 0.3, 0.5};

static JointFigures measure(JointKind kind, int dimensions, double turn) {
    bool flat = dimensions == 2;
    JointDef def = {kind, dimensions, turn, flat ? 18 : 7, flat ? 10 : 6};
    return measure_joint(&def);
}

static void joints_carry_a_share(JointKind kind, double least) {
    double virgin = measure(JOINT_VIRGIN, 2, 0).load;
    assert_below(virgin, JOINT_MOST);
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        JointFigures figures = measure(kind, 2, turns[k]);
        assert_below(least * virgin, figures.load);
        // nothing bursts while it is joined, and of a thousand bonds at most two tear
        assert_true(figures.broken <= 2);
        assert_below(figures.fastest, 1.0);
        assert_below(figures.liquid, 0.02 * figures.particles);
    }
}

static void frozen_matter_carries_more_than_half_of_a_virgin_bars_load(void **state) {
    (void)state;
    joints_carry_a_share(JOINT_FROZEN, 0.5);
}

static void sintered_lattices_carry_more_than_half_of_a_virgin_bars_load(void **state) {
    (void)state;
    joints_carry_a_share(JOINT_SINTERED, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frozen_matter_carries_more_than_half_of_a_virgin_bars_load),
        cmocka_unit_test(sintered_lattices_carry_more_than_half_of_a_virgin_bars_load),
    };
    return cmocka_run_group_tests_name("joints", tests, NULL, NULL);
}
