// What freezing and sintering join carries a clear share of what one lattice does, whatever the orientations are.
#include "thermal/joints.h"

// each lattice turned against the other, rad; in 2D no angle is further from another lattice's own than 0.52
#define TURNS 9
#define FIRST_TURN 0.1
#define TURN_STEP 0.05
#define DRAW_STEP 0.012

static JointFigures measure(JointKind kind, int dimensions, double turn) {
    bool flat = dimensions == 2;
    JointDef def = {kind, dimensions, turn, flat ? 18 : 7, flat ? 10 : 6};
    return measure_joint(&def);
}

// the sums over all joints
typedef struct Tally {
    double broken, liquid, particles, joints, load;
    int torn; // joints of which more than two bonds tore
} Tally;

// one joint; its load
static double judge_joint(JointKind kind, double turn, Tally *tally) {
    JointFigures figures = measure(kind, 2, turn);
    // nothing bursts while it is joined
    assert_below(figures.broken, 12); // of a thousand bonds
    assert_below(figures.fastest, 1.0);
    assert_below(figures.liquid, 0.04 * figures.particles);
    tally->liquid += (double)figures.liquid;
    tally->particles += (double)figures.particles;
    tally->broken += (double)figures.broken;
    tally->torn += figures.broken > 2;
    tally->joints++;
    tally->load += figures.load;
    print_message("turn %.3f broken %g liquid %g load %.2f fastest %.3f\n", turn,
                  (double)figures.broken, (double)figures.liquid, figures.load, figures.fastest);
    return figures.load;
}

// Which bonds tear while a joint grows, who fits no site, and so what it carries, is chance, a draw for each joint: a brittle
// bar is as strong as its weakest place. So all joints are judged together, and each angle by the mean of `draws` joints that
// are turned a little further each. (Of 18 frozen ones the mean carries 0.86 of a virgin bar's load, the least 0.48.)
static void joints_carry_a_share(JointKind kind, int draws, double mean, double least) {
    double virgin = measure(JOINT_VIRGIN, 2, 0).load;
    Tally tally = {0};
    assert_below(virgin, JOINT_MOST);
    for (int k = 0; k < TURNS; k++) {
        double load = 0;
        for (int n = 0; n < draws; n++) {
            load += judge_joint(kind, FIRST_TURN + k * TURN_STEP + n * DRAW_STEP, &tally) / draws;
        }
        assert_below(least * virgin, load);
    }
    assert_below(mean * virgin, tally.load / tally.joints);
    assert_below(tally.broken, 2.0 * tally.joints);
    assert_below(tally.liquid, 0.012 * tally.particles);
    assert_true(tally.torn <= 2 * draws);
}

static void frozen_matter_carries_three_quarters_of_a_virgin_bars_load(void **state) {
    (void)state;
    joints_carry_a_share(JOINT_FROZEN, 2, 0.75, 0.5);
}

static void sintered_lattices_carry_seven_tenths_of_a_virgin_bars_load(void **state) {
    (void)state;
    joints_carry_a_share(JOINT_SINTERED, 1, 0.7, 0.6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frozen_matter_carries_three_quarters_of_a_virgin_bars_load),
        cmocka_unit_test(sintered_lattices_carry_seven_tenths_of_a_virgin_bars_load),
    };
    return cmocka_run_group_tests_name("joints", tests, NULL, NULL);
}
