// What freezing and sintering join carries a clear share of what one lattice does, whatever the orientations are.
#include "thermal/joints.h"

// each lattice turned against the other, rad; in 2D no angle is further from another lattice's own than 0.52
#define TURNS 9
#define FIRST_TURN 0.1
#define TURN_STEP 0.05

static JointFigures measure(JointKind kind, int dimensions, double turn) {
    bool flat = dimensions == 2;
    JointDef def = {kind, dimensions, turn, flat ? 18 : 7, flat ? 10 : 6};
    return measure_joint(&def);
}

// Which bonds tear while a joint grows, and who fits no site, is chance, a draw for each angle: so their numbers are judged
// over all.
static void joints_carry_a_share(JointKind kind, double least) {
    double virgin = measure(JOINT_VIRGIN, 2, 0).load;
    double broken = 0, liquid = 0, particles = 0;
    int torn = 0; // joints of which more than two bonds tore
    assert_below(virgin, JOINT_MOST);
    for (int k = 0; k < TURNS; k++) {
        JointFigures figures = measure(kind, 2, FIRST_TURN + k * TURN_STEP);
        assert_below(least * virgin, figures.load);
        // nothing bursts while it is joined
        assert_below(figures.broken, 12); // of a thousand bonds
        assert_below(figures.fastest, 1.0);
        assert_below(figures.liquid, 0.04 * figures.particles);
        liquid += (double)figures.liquid;
        particles += (double)figures.particles;
        broken += (double)figures.broken;
        torn += figures.broken > 2;
        print_message("turn %.2f broken %g liquid %g load %.2f of %.2f fastest %.3f\n",
                      FIRST_TURN + k * TURN_STEP, (double)figures.broken, (double)figures.liquid,
                      figures.load, virgin, figures.fastest);
    }
    assert_below(broken, 2.0 * TURNS);
    assert_below(liquid, 0.012 * particles);
    assert_true(torn <= 2);
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
