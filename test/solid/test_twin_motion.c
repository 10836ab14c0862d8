// W-10 to W-20, W-44 and LAT-4 (shorter) of the validation cases on the solid's slow twin: what
// moving bodies keep, what damping takes, and when a lattice slips. Units k = m = D = 1.
#include "solid/bars.h"
#include "solid/twin_tumble.h"

static const Mat no_turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// ---------------------------------------------------------------- W-10, W-11, W-13

static Tumble free_run, free_fine;

static int run_tumbles(void **state) {
    (void)state;
    SolidTwin twin = shaken_block(7, 7, 7);
    free_run = tumble(&twin, 0.2, 10000, 6000);
    solid_free(&twin);
    twin = shaken_block(7, 7, 7);
    free_fine = tumble(&twin, 0.1, 3000, 3000);
    solid_free(&twin);
    print_message("W-10: momentum %.1e; W-11: angular %.1e; W-13: energy %.2f %% (trend %.2f %%), "
                  "at dt 0.1 %.2f %%\n",
                  free_run.momentum, free_run.angular, 100 * free_run.energy, 100 * free_run.trend,
                  100 * free_fine.energy);
    return 0;
}

static void w10_free_body_keeps_its_momentum(void **state) {
    (void)state;
    assert_below(free_run.momentum, 1e-10);
}

static void w11_free_body_keeps_its_angular_momentum(void **state) {
    (void)state;
    assert_below(free_run.angular, 1e-10);
}

// what the case says of the rotation taken from A
static void w11_rotation_from_the_map_loses_angular_momentum(void **state) {
    (void)state;
    SolidTwin twin = shaken_block(7, 7, 7);
    twin.turn_from_map = true;
    twin.every = 4;
    Tumble t = tumble(&twin, 0.2, 6000, 6000);
    print_message("W-11: R from A: angular %.1e, energy × %.2f\n", t.angular, t.end);
    assert_true(t.angular >= 1e-2);
    assert_true(t.energy > 0.05);
    solid_free(&twin);
}

static void w13_undamped_energy_is_kept(void **state) {
    (void)state;
    assert_below(free_run.energy, 0.05);
    assert_below(fabs(free_run.trend), 0.01);
    assert_below(free_fine.energy, 0.0125);
}

// ---------------------------------------------------------------- W-12

// The shape is judged at rest: a spinning body is wider by its centrifugal strain, ρ ω² r²/E, which is
// no error (4e-3 D rms here, and four times less at half the spin).
static void w12_tumbling_leaves_no_error_in_the_shape(void **state) {
    (void)state;
    double spinning, rms = tumble_and_stop(7, 7, 7, 5000, &spinning);
    print_message("W-12: rms %.1e D spinning, %.1e D stopped\n", spinning, rms);
    assert_below(rms, 1e-4);
}

// ---------------------------------------------------------------- W-14, W-15, W-16

static double rms_damping(SolidTwin *twin) {
    double force = 0, speed = 0;
    for (int i = 0; i < twin->count; i++) twin->particles[i].f = (ThawVec3){0, 0, 0};
    solid_damp(twin);
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        force += v_dot(p->f, p->f);
        speed += v_dot(p->v, p->v);
    }
    return sqrt(force / speed) / twin->damping;
}

// a block without one of its quarters
static SolidTwin ell_block(Mat turn) {
    SolidTwin twin = solid_make(3);
    Block block = block_3d(9, 9, 5);
    int at[3] = {-1, 0, 0};
    ThawVec3 place;
    while (block_next(&block, at, &place)) {
        if (at[0] < 5 || at[1] < 5) solid_add(&twin, m_apply(turn, place), turn, 0);
    }
    return twin;
}

static void w14_damping_leaves_rigid_motion_alone(void **state) {
    (void)state;
    Dice dice = {14};
    double worst = 0;
    for (int n = 0; n < 6; n++) {
        Mat turn = dice_turn(&dice);
        SolidTwin twin = n < 3 ? solid_block(7, 7, 7, turn) : ell_block(turn);
        twin.damping = 0.3;
        solid_update(&twin, 0);
        ThawVec3 velocity = dice_vector(&dice), turning = dice_vector(&dice);
        if (n % 3 == 0) turning = (ThawVec3){0, 0, 0};
        if (n % 3 == 1) velocity = (ThawVec3){0, 0, 0};
        solid_set_spin(&twin, velocity, turning);
        worst = fmax(worst, rms_damping(&twin));
        solid_free(&twin);
    }
    print_message("W-14: rms damping force / (η v) %.1e\n", worst);
    assert_below(worst, 1e-12);
}

// η_max = m / (dt max_j Σ_i w_ij V_i): 13 neighbourhoods hold an inner particle
static double most_damping(double dt) {
    return 1 / (13 * dt);
}

static SolidTwin rattled_block(double share, double dt) {
    Dice dice = {15};
    SolidTwin twin = solid_block(7, 7, 7, dice_turn(&dice));
    twin.stiffness = 0;
    twin.damping = share * most_damping(dt);
    for (int i = 0; i < twin.count; i++) {
        twin.particles[i].v = v_scale(1e-4, dice_vector(&dice));
    }
    solid_update(&twin, 0);
    return twin;
}

static void w15_damping_takes_non_rigid_motion(void **state) {
    (void)state;
    SolidTwin twin = rattled_block(0.5, 0.1);
    double start = solid_nonrigid_kinetic(&twin), last = start;
    for (int n = 0; n < 50; n++) {
        solid_force(&twin);
        ThawVec3 push = {0, 0, 0}, torque = push;
        double power = 0, sum = 0;
        for (int i = 0; i < twin.count; i++) {
            const SolidParticle *p = &twin.particles[i];
            push = v_add(push, p->f);
            torque = v_add(torque, v_cross(p->x, p->f));
            power += v_dot(p->f, p->v);
            sum += v_norm(p->f);
        }
        assert_below(v_norm(push), 1e-12 * sum);
        assert_below(v_norm(torque), 1e-12 * sum);
        assert_true(power <= 0);
        solid_step(&twin, 0.1);
        double now = solid_nonrigid_kinetic(&twin);
        assert_true(now < last);
        last = now;
    }
    print_message("W-15: non-rigid energy left %.2f %%\n", 100 * last / start);
    assert_below(last / start, 0.05);
    solid_free(&twin);
}

static double damped_share(double share) {
    SolidTwin twin = rattled_block(share, 0.1);
    double start = solid_nonrigid_kinetic(&twin);
    for (int n = 0; n < 20; n++) solid_step(&twin, 0.1);
    double left = solid_nonrigid_kinetic(&twin) / start;
    solid_free(&twin);
    return left;
}

static void w16_damping_beyond_its_bound_adds_motion(void **state) {
    (void)state;
    double below = damped_share(0.9), above = damped_share(1.5), far = damped_share(3);
    print_message("W-16: non-rigid energy after 20 steps × %.2g, %.2g, %.2g\n", below, above, far);
    assert_below(below, 1);
    assert_true(far > 1);
}

// ---------------------------------------------------------------- W-17, W-18

// The upper half of a block, from its middle (001) plane on, moved along [110]. Sites keep what they
// knew at rest; lattices are upright.
static SolidTwin slipped_block(double u) {
    SolidTwin twin = solid_block(8, 8, 8, no_turn);
    solid_update(&twin, 0);
    ThawVec3 along = {sqrt(0.5), sqrt(0.5), 0};
    for (int i = 0; i < twin.count; i++) {
        SolidParticle *p = &twin.particles[i];
        if (p->x.z > 0) p->x = v_along(p->x, u, along);
    }
    solid_update(&twin, 0);
    return twin;
}

// force on the upper half along the slip
static double slip_force(double u, double *strongest) {
    SolidTwin twin = slipped_block(u);
    ThawVec3 sum = {0, 0, 0};
    for (int i = 0; i < twin.count; i++) {
        if (twin.particles[i].x.z > 0) sum = v_add(sum, twin.particles[i].f);
    }
    *strongest = solid_strongest(&twin);
    solid_free(&twin);
    return v_dot(sum, (ThawVec3){sqrt(0.5), sqrt(0.5), 0});
}

static void w17_slip_beyond_half_a_site_is_pulled_on(void **state) {
    (void)state;
    double force[9], strongest[9];
    for (int n = 0; n <= 8; n++) force[n] = slip_force(n / 8.0, &strongest[n]);
    print_message("W-17: force at n/8 D: %.1f %.1f %.1f, %.1f %.1f %.1f; max|F| at D %.1e\n",
                  force[1], force[2], force[3], force[5], force[6], force[7], strongest[8]);
    assert_below(fabs(force[0]), 1e-12);
    for (int n = 1; n < 4; n++) assert_true(force[n] < -1);
    for (int n = 5; n < 8; n++) assert_true(force[n] > 1);
    assert_below(strongest[0], 1e-12);
    assert_below(strongest[8], 1e-12);
}

// where the upper half settles, against the lower one
static double settled_slip(double u) {
    SolidTwin twin = slipped_block(u);
    twin.damping = 0.1;
    bool *upper = malloc((size_t)twin.count * sizeof *upper);
    for (int i = 0; i < twin.count; i++) upper[i] = twin.particles[i].x.z > 0;
    leap_for(&twin, 0.2, 1500);
    ThawVec3 sum = {0, 0, 0};
    for (int i = 0; i < twin.count; i++) {
        sum = v_along(sum, (upper[i] ? 2.0 : -2.0) / twin.count, twin.particles[i].x);
    }
    free(upper);
    // the body may have turned: the halves' centers are 4 half-layers apart along their own z
    ThawVec3 own = m_apply(m_transpose(twin.particles[twin.count / 2].turn), sum);
    solid_free(&twin);
    return v_dot(own, (ThawVec3){sqrt(0.5), sqrt(0.5), 0});
}

static void w18_small_slip_returns_and_large_slip_goes_on(void **state) {
    (void)state;
    double small = settled_slip(0.35), tiny = settled_slip(0.1), large = settled_slip(0.65);
    print_message("W-18: from 0.1, 0.35, 0.65 D settles at %.1e, %.1e, 1 %+.1e D\n", tiny, small,
                  large - 1);
    assert_below(fabs(tiny), 1e-3);
    assert_below(fabs(small), 1e-3);
    assert_near(large, 1, 1e-3);
}

// ---------------------------------------------------------------- W-19, W-20

typedef struct Pull {
    double stretch;  // reached between the grips
    double residual; // strain left after release
    int changed;     // searches that found other bonds than at rest
} Pull;

static double length_of(const SolidTwin *twin) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < twin->count; i++) {
        least = fmin(least, twin->particles[i].x.x);
        most = fmax(most, twin->particles[i].x.x);
    }
    return most - least;
}

// the bar's end layers; those within `depth` of either end
static void hold_ends(SolidTwin *twin, double depth, double speed) {
    double half = 0.5 * length_of(twin);
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        p->held = fabs(p->x.x) > half - depth;
        if (p->held) p->v = (ThawVec3){p->x.x > 0 ? speed : -speed, 0, 0};
    }
}

// drag brings the bar to rest without a say in where
static void let_go(SolidTwin *twin) {
    twin->drag = 0.2;
    for (int i = 0; i < twin->count; i++) {
        twin->particles[i].held = false;
        twin->particles[i].v = (ThawVec3){0, 0, 0};
    }
}

// a bar gripped at its ends and drawn to 1.3 of its length in `steps`, then let go
static Pull pull_bar(int steps) {
    SolidTwin twin = solid_block(21, 7, 7, no_turn);
    twin.support = 1.9;
    twin.damping = 0.1;
    double dt = 0.2, rest = length_of(&twin), grip = 1;
    solid_update(&twin, 0);
    uint64_t bonds = solid_bond_hash(&twin);
    Pull pull = {0};
    double way = 0.15 * (rest - 2 * grip);
    hold_ends(&twin, grip, way / (steps * dt));
    for (int n = 0; n < steps; n++) {
        solid_leap(&twin, dt);
        pull.changed += solid_bond_hash(&twin) != bonds;
    }
    pull.stretch = (length_of(&twin) - 2 * grip) / (rest - 2 * grip);
    let_go(&twin);
    for (int n = 0; n < 1500; n++) {
        solid_leap(&twin, dt);
        pull.changed += solid_bond_hash(&twin) != bonds;
    }
    pull.residual = length_of(&twin) / rest - 1;
    solid_free(&twin);
    return pull;
}

static void w19_slow_stretch_stays_elastic(void **state) {
    (void)state;
    Pull pull = pull_bar(1500);
    print_message("W-19: stretched to %.3f, residual strain %.1e, %d searches changed bonds\n",
                  pull.stretch, pull.residual, pull.changed);
    assert_near(pull.stretch, 1.3, 1e-6);
    assert_int_equal(pull.changed, 0);
    assert_below(fabs(pull.residual), 0.01);
}

static void w20_stretch_in_one_step_is_not_undone(void **state) {
    (void)state;
    Pull pull = pull_bar(1);
    print_message("W-20: residual strain %.3f, %d searches changed bonds\n", pull.residual,
                  pull.changed);
    assert_near(pull.stretch, 1.3, 1e-6);
    assert_true(pull.changed > 0);
    assert_true(fabs(pull.residual) > 0.01);
}

// All sites of the first shell stay nearest when the whole bar is stretched at once: the case's jump has
// to part particles, as grips do. With more shells an even jump would do.
static void w20_even_jump_of_that_size_keeps_the_first_shell(void **state) {
    (void)state;
    SolidTwin twin = solid_block(9, 7, 7, no_turn);
    solid_update(&twin, 0);
    uint64_t bonds = solid_bond_hash(&twin);
    deform(&twin, m_diagonal(1.3, 1, 1));
    solid_update(&twin, 0);
    assert_true(solid_bond_hash(&twin) == bonds);
    solid_free(&twin);
}

// ---------------------------------------------------------------- W-44

// whether tiny noise stays tiny
static bool survives(double dt, bool periodic) {
    Dice dice = {44};
    SolidTwin twin = solid_block(8, 8, 8, no_turn);
    for (int k = 0; periodic && k < 3; k++) twin.box[k] = 8 / sqrt(2);
    shake(&twin, &dice, 1e-9);
    solid_update(&twin, 0);
    double start = energy_of(&twin);
    bool stable = true;
    for (int n = 0; n < 400 && stable; n++) {
        solid_leap(&twin, dt);
        stable = energy_of(&twin) < 1e3 * start;
    }
    solid_free(&twin);
    return stable;
}

static double stable_step(bool periodic) {
    double low = 0.3, high = 0.7;
    while (high - low > 2e-3) {
        double middle = 0.5 * (low + high);
        if (survives(middle, periodic))
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void w44_explicit_steps_are_stable_up_to_half(void **state) {
    (void)state;
    double open = stable_step(false), periodic = stable_step(true);
    print_message("W-44: largest stable dt %.4f free, %.4f periodic, of √(m/k)\n", open, periodic);
    assert_near(open, 0.5, 0.025);
    assert_near(periodic, 0.5, 0.025);
}

// ---------------------------------------------------------------- LAT-4

static void lat4_tumbling_brick_keeps_what_it_has(void **state) {
    (void)state;
    SolidTwin twin = shaken_block(13, 9, 7);
    assert_int_equal(twin.count, 410);
    Tumble t = tumble(&twin, 0.2, 1500, 1500);
    print_message("LAT-4: momentum %.1e, angular %.1e, energy %.2f %%\n", t.momentum, t.angular,
                  100 * t.energy);
    assert_below(t.momentum, 1e-10);
    assert_below(t.angular, 1e-10);
    assert_below(t.energy, 0.05);
    solid_free(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w10_free_body_keeps_its_momentum),
        cmocka_unit_test(w11_free_body_keeps_its_angular_momentum),
        cmocka_unit_test(w11_rotation_from_the_map_loses_angular_momentum),
        cmocka_unit_test(w12_tumbling_leaves_no_error_in_the_shape),
        cmocka_unit_test(w13_undamped_energy_is_kept),
        cmocka_unit_test(w14_damping_leaves_rigid_motion_alone),
        cmocka_unit_test(w15_damping_takes_non_rigid_motion),
        cmocka_unit_test(w16_damping_beyond_its_bound_adds_motion),
        cmocka_unit_test(w17_slip_beyond_half_a_site_is_pulled_on),
        cmocka_unit_test(w18_small_slip_returns_and_large_slip_goes_on),
        cmocka_unit_test(w19_slow_stretch_stays_elastic),
        cmocka_unit_test(w20_stretch_in_one_step_is_not_undone),
        cmocka_unit_test(w20_even_jump_of_that_size_keeps_the_first_shell),
        cmocka_unit_test(w44_explicit_steps_are_stable_up_to_half),
        cmocka_unit_test(lat4_tumbling_brick_keeps_what_it_has),
    };
    return cmocka_run_group_tests(tests, run_tumbles, NULL);
}
