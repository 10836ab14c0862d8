// W-14, W-17 and the laws of the shipped solid's forces: damping of rigid motion, slip, no net push and
// torque, the gradient of the energy. Forces are in k D.
#include "solid/engine.h"

// ---------------------------------------------------------------- W-14

// a block without one of its quarters
static Engine ell_block(const EngineDef *def, Mat turn) {
    Engine e = engine_make(def);
    Block block = block_of(def, 9, 9, 5);
    ThawVec3 *points = engine_room((uint32_t)block_count(&block)), place;
    int at[3] = {-1, 0, 0}, count = 0;
    while (block_next(&block, at, &place)) {
        if (at[0] < 5 || at[1] < 5) points[count++] = m_apply(turn, place);
    }
    engine_add(&e, points, count, turn);
    free(points);
    return e;
}

// Change of velocity in one step of η dt/m = 1, of the velocity: rms damping force / (η v). Velocities
// are so high that the lattice's round-off (k times a place unit) is below 1e-7 of η v.
static double rigid_damping(int n, Dice *dice) {
    EngineDef def = engine_units(3);
    double dt = 1e-6, k = 20 * PI / dt;
    def.material.solid.young *= (float)k;
    def.material.solid.damping = 1;
    Mat turn = dice_turn(dice);
    EngineBlock how = plain_block(7, 7, 7);
    how.turn = turn;
    Engine e = n < 3 ? engine_block(&def, &how) : ell_block(&def, turn);
    ThawVec3 velocity = v_scale(1e3, dice_vector(dice)), spin = v_scale(1e3, dice_vector(dice));
    if (n % 3 == 0) spin = (ThawVec3){0, 0, 0};
    if (n % 3 == 1) velocity = (ThawVec3){0, 0, 0};
    engine_set_spin(&e, velocity, spin);
    ThawVec3 *before = engine_velocities(&e);
    engine_step(&e, dt, 1);
    assert_near((double)engine_solids(&e)->kinds[1].damping * dt, 1, 1e-3);
    ThawVec3 *after = engine_velocities(&e);
    double change = 0, speed = 0;
    for (uint32_t i = 0; i < e.count; i++) {
        ThawVec3 d = v_sub(after[i], before[i]);
        change += v_dot(d, d);
        speed += v_dot(before[i], before[i]);
    }
    free(before);
    free(after);
    engine_free(&e);
    return sqrt(change / speed);
}

// thirteen neighbourhoods' mean motions, each good to a few last bits (6e-8) and a place unit
static void w14_damping_leaves_rigid_motion_alone(void **state) {
    (void)state;
    Dice dice = {14};
    double worst = 0;
    for (int n = 0; n < 6; n++) worst = fmax(worst, rigid_damping(n, &dice));
    print_message("W-14: rms damping force / (η v) %.1e\n", worst);
    assert_below(worst, 1e-5);
}

// ---------------------------------------------------------------- W-17

// Force along the slip on the upper half of a block that has been moved along [110] by u, at once:
// sites keep what they knew at rest.
static double slip_force(double u, double *strongest) {
    EngineDef def = engine_units(3);
    EngineBlock how = plain_block(8, 8, 8);
    Engine e = engine_block(&def, &how);
    engine_step(&e, 1e-7, 1);
    ThawVec3 *places = engine_places(&e), along = {HALF, HALF, 0}, sum = {0, 0, 0};
    bool *upper = malloc(e.count * sizeof *upper);
    assert_non_null(upper);
    for (uint32_t i = 0; i < e.count; i++) {
        upper[i] = places[i].z > 0;
        if (upper[i]) places[i] = v_along(places[i], u, along);
    }
    engine_set_places(&e, places);
    ThawVec3 *forces = engine_lattice_forces(&e);
    for (uint32_t i = 0; i < e.count; i++) {
        if (upper[i]) sum = v_add(sum, forces[i]);
    }
    *strongest = longest(forces, e.count);
    free(places);
    free(forces);
    free(upper);
    engine_free(&e);
    return v_dot(sum, along);
}

static void w17_slip_beyond_half_a_site_is_pulled_on(void **state) {
    (void)state;
    double force[9], strongest[9];
    for (int n = 0; n <= 8; n++) force[n] = slip_force(n / 8.0, &strongest[n]);
    print_message("W-17: force at n/8 D: %.1f %.1f %.1f, %.1f %.1f %.1f; max|F| at D %.1e\n",
                  force[1], force[2], force[3], force[5], force[6], force[7], strongest[8]);
    for (int n = 1; n < 4; n++) assert_true(force[n] < -1);
    for (int n = 5; n < 8; n++) assert_true(force[n] > 1);
    // W-6's round-off, and 32 particles' of it
    assert_below(fabs(force[0]), 32e-5);
    assert_below(strongest[0], 1e-5);
    assert_below(strongest[8], 1e-5);
}

// ---------------------------------------------------------------- the force's own laws

// way to the particle on a site, place units
static ThawVec3 way_to(const Engine *e, uint32_t row, uint32_t other) {
    const ThawPlace *here = &e->world->work.place[row], *there = &e->world->work.place[other];
    return (ThawVec3){there->x - here->x, there->y - here->y, there->z - here->z};
}

// Σ way × P n of a row's own neighbourhood, and Σ way × (w × way) beside it
static void add_torques(const Engine *e, uint32_t row, ThawVec3 *left, ThawVec3 *taken) {
    const ThawSolids *solid = engine_solids(e);
    const ThawSites *sites = thaw_sites(e->def.dimensions);
    float(*p)[4] = solid->frame[row].row;
    ThawVec3 w = {(double)p[0][3], (double)p[1][3], (double)p[2][3]};
    for (uint32_t s = 0; s < sites->count; s++) {
        uint32_t other = solid->bonds.slot[thaw_bond_at(row, s)];
        if (other == row) continue;
        const float *n = sites->whole[s];
        double f[3] = {0, 0, 0};
        for (int k = 0; k < 9; k++) f[k / 3] += (double)p[k / 3][k % 3] * (double)n[k % 3];
        ThawVec3 way = way_to(e, row, other);
        *left = v_add(*left, v_cross(way, (ThawVec3){f[0], f[1], f[2]}));
        *taken = v_add(*taken, v_cross(way, v_cross(w, way)));
    }
}

// What rounding leaves of the torques, and what is left when w has taken them off: rms of k D²
static void measure_torques(int dimensions, double *left, double *after) {
    EngineDef def = engine_units(dimensions);
    EngineBlock how = dimensions == 3 ? plain_block(7, 7, 7) : plain_block(12, 12, 1);
    how.turn = m_turn((ThawVec3){0, 0, 1}, 0.7);
    if (dimensions == 3) how.turn = m_mul(how.turn, m_turn((ThawVec3){0, 1, 0}, 0.4));
    how.shake = 0.03;
    Engine e = engine_block(&def, &how);
    free(engine_lattice_forces(&e));
    double unit = (double)engine_solids(&e)->kinds[1].unit, sums[2] = {0, 0};
    for (uint32_t i = 0; i < e.count; i++) {
        ThawVec3 own = {0, 0, 0}, taken = own;
        add_torques(&e, engine_row(&e, i), &own, &taken);
        ThawVec3 rest = v_add(own, taken);
        sums[0] += v_dot(own, own) * unit * unit / e.count;
        sums[1] += v_dot(rest, rest) * unit * unit / e.count;
    }
    *left = sqrt(sums[0]);
    *after = sqrt(sums[1]);
    engine_free(&e);
}

// Terms of up to 0.35 k D² each, good to a last bit of h = k/2, 6e-8. With 3 % of noise the neighbours' moment of
// inertia is the affine one's to a few thousandths.
static void no_neighbourhood_keeps_the_torque_of_rounding(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        double left, after;
        measure_torques(dimensions, &left, &after);
        print_message("%dD: rounding leaves a torque of %.1e k D², %.1e of it stays\n", dimensions,
                      left, after / left);
        assert_true(left > 1e-9 && left < 1e-6);
        assert_below(after, 0.01 * left);
    }
}

static void force_has_no_net_push_and_no_net_torque(void **state) {
    (void)state;
    EngineDef def = engine_units(3);
    for (int law = THAW_ELASTIC_LATTICE; law <= THAW_ELASTIC_NEO_HOOKEAN; law++) {
        Dice dice = {11};
        EngineBlock how = plain_block(7, 7, 7);
        how.turn = dice_turn(&dice);
        how.shake = 0.05;
        def.material.solid.poisson = 0.3f;
        def.material.solid.elasticity = (ThawElasticity)law;
        Engine e = engine_block(&def, &how);
        ThawVec3 *f = engine_forces(&e), *x = engine_places(&e), push = {0, 0, 0}, torque = push;
        double sum = 0;
        for (uint32_t i = 0; i < e.count; i++) {
            push = v_add(push, f[i]);
            torque = v_add(torque, v_cross(x[i], f[i]));
            sum += v_norm(f[i]);
        }
        print_message("law %d: Σ F %.1e, Σ x × F %.1e of Σ|F|\n", law, v_norm(push) / sum,
                      v_norm(torque) / sum);
        assert_true(sum > 1);
        assert_below(v_norm(push), 1e-6 * sum);
        assert_below(v_norm(torque), 1e-5 * sum);
        free(f);
        free(x);
        engine_free(&e);
    }
}

// Central differences over 0.004 D: 1e-5 of error from the third derivative, and the energy's own
// round-off of places.
static void force_is_the_gradient_of_the_reported_energy(void **state) {
    (void)state;
    double error[3];
    for (int law = THAW_ELASTIC_LATTICE; law <= THAW_ELASTIC_NEO_HOOKEAN; law++) {
        EngineDef def = engine_units(3);
        Dice dice = {10};
        EngineBlock how = plain_block(5, 5, 4);
        how.turn = dice_turn(&dice);
        how.shake = 0.03;
        def.material.solid.poisson = 0.3f;
        def.material.solid.elasticity = (ThawElasticity)law;
        Engine e = engine_block(&def, &how);
        ThawVec3 *force = engine_forces(&e), *places = engine_places(&e);
        double worst = 0, h = 2e-3, most = longest(force, e.count);
        for (uint32_t i = 0; i < e.count; i += 3) {
            ThawVec3 way = dice_vector(&dice);
            double slope = (energy_moved(&e, places, i, v_scale(h, way)) -
                            energy_moved(&e, places, i, v_scale(-h, way))) /
                           (2 * h);
            worst = fmax(worst, fabs(slope + v_dot(force[i], way)));
        }
        print_message("law %d: force + gradient %.1e of max|F| %.2f\n", law, worst, most);
        error[law] = worst / most;
        free(force);
        free(places);
        engine_free(&e);
    }
    for (int law = 0; law < 3; law++) assert_below(error[law], 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w14_damping_leaves_rigid_motion_alone),
        cmocka_unit_test(w17_slip_beyond_half_a_site_is_pulled_on),
        cmocka_unit_test(no_neighbourhood_keeps_the_torque_of_rounding),
        cmocka_unit_test(force_has_no_net_push_and_no_net_torque),
        cmocka_unit_test(force_is_the_gradient_of_the_reported_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
