// What contacts do to single pairs and whole bodies: nothing passes through, nothing bursts, friction holds and
// slides.
#include "grains.h"

// ---------------------------------------------------------------- single pairs

static Rig *open_pair(Grain a, Grain b, int dimensions) {
    grains[0] = a;
    grains[1] = b;
    grains[1].home[0] = 100;
    return open_rig(grains, 2, (Setup){.dimensions = dimensions, .skin = 0.1});
}

// two that fly at each other by one spacing a substep, from any distance, head-on or nearly
static void fast_pair_does_not_pass_through(void **state) {
    (void)state;
    for (int n = 0; n < 200; n++) {
        double start = D3 * (0.9 + 1.2 * draw((uint64_t)n, 50)),
               side = 0.3 * D3 * draw((uint64_t)n, 51);
        Grain a = solid(1), b = solid(2);
        a.weight = pow(1000.0, draw((uint64_t)n, 52) - 0.5);
        b.at[0] = start;
        b.at[1] = side;
        a.shift[0] = 0.5 * SPACING;
        b.shift[0] = -0.5 * SPACING;
        Rig *rig = open_pair(a, b, 3);
        correct(rig, 4);
        double d[3];
        offset_of(rig, 1, 0, d);
        if (start - SPACING < 0.5 * D3) assert_true(norm3(d) > 0.85 * D3);
        assert_true(d[0] > 0);
        close_rig(rig);
    }
}

// a held face: (111) as blocks are made, or (100)
static uint32_t make_face(int face) {
    const uint32_t size[3] = {7, 7, 3};
    const double at[3] = {0, 0, -2 * sqrt(2.0 / 3.0) * D3};
    Grain held = solid(1);
    held.weight = 0;
    if (face == 0) return add_block(grains, 0, size, at, held);
    for (uint32_t n = 0; n < 147; n++) {
        uint32_t x = n % 7, y = n / 7 % 7, z = n / 49;
        Grain *grain = &grains[n];
        *grain = held;
        grain->at[0] = grain->home[0] = D3 * (x + 0.5 * (z % 2));
        grain->at[1] = grain->home[1] = D3 * (y + 0.5 * (z % 2));
        grain->at[2] = grain->home[2] = -D3 * sqrt(0.5) * z;
    }
    return 147;
}

// a substep in which the last particle goes down by `fall`; returns its height
static double let_fall(uint32_t count, double fall) {
    Grain *last = &grains[count - 1];
    last->shift[2] = -fall;
    Rig *rig = open_rig(grains, count, (Setup){.dimensions = 3, .skin = 0.1});
    correct(rig, 4);
    uint32_t row = row_of(rig, count - 1);
    for (uint32_t a = 0; a < 3; a++) last->at[a] += (double)rig->work.shift[3 * row + a];
    close_rig(rig);
    return last->at[2];
}

// One particle that is driven at one spacing a substep into the gaps of a held face stays above the
// centres of its outermost particles, and comes out when it is let go. In a gap it then rests at
// 0.69 D or 0.56 D.
static void driven_into_the_gaps_of_a_lattice_stays_outside(void **state) {
    (void)state;
    const double rest[2] = {sqrt(0.81 - 1.0 / 3.0), sqrt(0.81 - 0.5)};
    for (int face = 0; face < 2; face++) {
        uint32_t count = make_face(face);
        for (uint64_t n = 0; n < 80; n++) {
            Grain *shot = &grains[count];
            *shot = solid(2);
            shot->at[0] = D3 * (2.5 + 2.0 * draw(n, 60));
            shot->at[1] = D3 * (2.5 + 2.0 * draw(n, 61));
            shot->at[2] = D3 * (0.9 + 0.8 * draw(n, 62));
            // the middle of a gap now and then
            if (face == 1 && n % 4 == 0) shot->at[0] = shot->at[1] = 3.5 * D3;
            double least = 1;
            for (int k = 0; k < 4; k++) least = fmin(least, let_fall(count + 1, SPACING));
            if (least < 0.1 * D3) fail_msg("face %d, shot %d: at %g D", face, (int)n, least / D3);
            for (int k = 0; k < 12; k++) least = let_fall(count + 1, 0);
            assert_true(least > (rest[face] - 0.05) * D3);
        }
    }
}

static void coincident_particles_part_in_opposite_directions(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Grain a = solid(1);
        Rig *rig = open_pair(a, a, dimensions);
        correct(rig, 1);
        const float *one = &rig->work.shift[0], *two = &rig->work.shift[3];
        double d[3];
        for (int k = 0; k < 3; k++) assert_true(one[k] == -two[k]);
        offset_of(rig, 0, 1, d);
        assert_true(norm3(d) > 0.1 * D3);
        if (dimensions == 2) assert_true(d[2] == 0);
        close_rig(rig);
    }
}

// an overlap that was there is undone bit by bit, not at once
static void old_overlap_goes_without_a_burst(void **state) {
    (void)state;
    Grain a = solid(1), b = solid(2);
    b.at[0] = 0.5 * D3;
    Rig *rig = open_pair(a, b, 3);
    double last = 0.5 * D3;
    static const double still[MOST][3];
    for (int n = 0; n < 25; n++) {
        correct(rig, 4);
        double now = separation(rig, 0, 1);
        assert_true(now > last - 1e-6);
        assert_true(now < last + 0.21 * (0.9 * D3 - last) + 1e-6);
        last = now;
        go_on(rig, still);
    }
    assert_true(fabs(last - 0.9 * D3) < 0.005 * D3);
    close_rig(rig);
}

static void liquid_keeps_its_own_distance_to_a_solid_and_none_to_another(void **state) {
    (void)state;
    const double want[2] = {0.85 * D3, 0.5 * D3};
    for (int n = 0; n < 2; n++) {
        Grain a = n == 0 ? solid(1) : liquid(), b = liquid();
        a.friction = 0.5;
        b.at[0] = D3;
        b.at[1] = 1e-3;
        b.shift[0] = -0.5 * D3;
        Rig *rig = open_pair(a, b, 3);
        correct(rig, 4);
        assert_true(fabs(separation(rig, 0, 1) - want[n]) < 1e-5);
        // they touch, but are not two solids
        assert_int_equal(thaw_contacts_touching(rig->contacts), 0);
        close_rig(rig);
    }
}

static void held_rows_do_not_move(void **state) {
    (void)state;
    Grain a = solid(1), b = solid(2);
    a.weight = 0;
    b.at[0] = D3;
    b.shift[0] = -0.3 * D3;
    Rig *rig = open_pair(a, b, 3);
    correct(rig, 4);
    assert_true(rig->work.shift[3 * row_of(rig, 0)] == 0.0f);
    assert_true(fabs(separation(rig, 0, 1) - 0.9 * D3) < 1e-5);
    close_rig(rig);
    // two held ones stay where they are held
    b.weight = 0;
    rig = open_pair(a, b, 3);
    correct(rig, 4);
    assert_true(fabs(separation(rig, 0, 1) - 0.7 * D3) < 1e-5);
    close_rig(rig);
}

// what is held by others for a while has a mass, and does not give way either
static void rows_that_are_held_do_not_give_way(void **state) {
    (void)state;
    Grain a = solid(1), b = solid(2);
    a.friction = b.friction = 0.5;
    b.at[0] = D3;
    b.shift[0] = -0.3 * D3;
    b.shift[1] = 0.01 * D3;
    Rig *rig = open_pair(a, b, 3);
    uint8_t held[2] = {0, 0};
    held[row_of(rig, 0)] = 1;
    rig->step.held = held;
    correct(rig, 1);
    for (uint32_t k = 0; k < 3; k++) assert_true(rig->work.shift[3 * row_of(rig, 0) + k] == 0.0f);
    // one iteration is enough: nothing is lost to what cannot move
    assert_true(fabs(separation(rig, 0, 1) - 0.9 * D3) < 1e-4 * D3);
    assert_true(fabs((double)rig->work.shift[3 * row_of(rig, 1) + 1]) < 1e-3 * D3);
    close_rig(rig);
}

// ---------------------------------------------------------------- bodies

// two blocks that are pressed together keep their distance
static void pressed_blocks_keep_their_distance(void **state) {
    (void)state;
    uint32_t count = make_blocks(3);
    for (uint32_t n = 0; n < count; n++) grains[n].weight = 1;
    Rig *rig = open_rig(grains, count, (Setup){.dimensions = 3, .skin = 0.1});
    correct(rig, 4);
    double least = D3;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < count; j++) {
            if (grains[i].group != grains[j].group) least = fmin(least, separation(rig, i, j));
        }
    }
    // they came 0.36 D nearer
    if (least < 0.85 * D3) fail_msg("%g D", least / D3);
    close_rig(rig);
}

// ---------------------------------------------------------------- friction

// A layer on top of another, atom over atom, pressed by `press` and dragged by `drag` over one
// substep. Returns how far it went.
static double drag_layer(double press, double drag, double friction) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < 50; n++) {
        Grain *grain = &grains[count++];
        *grain = solid(n < 25 ? 1 : 2);
        grain->friction = friction;
        grain->at[0] = grain->home[0] = D3 * (n % 5);
        grain->at[1] = grain->home[1] = D3 * (n / 5 % 5);
        if (n < 25) {
            grain->weight = 0;
            continue;
        }
        grain->at[2] = 0.9 * D3;
        grain->shift[2] = -press;
        grain->shift[0] = drag;
    }
    Rig *rig = open_rig(grains, count, (Setup){.dimensions = 3, .skin = 0.1});
    correct(rig, 6);
    double went = 0;
    for (uint32_t n = 25; n < 50; n++) went += (double)rig->work.shift[3 * row_of(rig, n)] / 25.0;
    close_rig(rig);
    return went;
}

static void coulomb_holds_below_the_limit_and_slides_above(void **state) {
    (void)state;
    // weight 1e-3 cells, dragged by slopes below and above the coefficient. A drag tips the layer: it leans on its front,
    // and beyond 0.35 its rear edge, relieved of its load, slides by itself.
    const double press = 1e-3, friction = 0.5;
    double held = drag_layer(press, 0.35 * press, friction);
    double leans = drag_layer(press, 0.45 * press, friction);
    double slid = drag_layer(press, 0.80 * press, friction);
    double free = drag_layer(press, 0.80 * press, 0.0);
    // what is left of the drag is the creep of this substep
    assert_true(fabs(held) < 1e-6 * press);
    assert_true(leans < 0.03 * press);
    assert_true(fabs(slid - 0.30 * press) < 0.01 * press);
    assert_true(fabs(free - 0.80 * press) < 0.01 * press);
}

// however many iterations a substep has, friction's limit is that of its whole push
static void friction_does_not_add_up_over_iterations(void **state) {
    (void)state;
    Grain a = solid(1), b = solid(2);
    a.weight = 0;
    a.friction = b.friction = 0.3;
    b.at[2] = 0.9 * D3;
    b.shift[2] = -1e-3;
    b.shift[0] = 2e-3;
    double last = 0;
    for (uint32_t n = 1; n <= 16; n *= 4) {
        Rig *rig = open_pair(a, b, 3);
        correct(rig, n);
        double went = (double)rig->work.shift[3 * row_of(rig, 1)];
        assert_true(fabs(went - (2e-3 - 0.3e-3)) < 2e-5);
        if (n > 1) assert_true(fabs(went - last) < 1e-5);
        last = went;
        close_rig(rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_pair_does_not_pass_through),
        cmocka_unit_test(driven_into_the_gaps_of_a_lattice_stays_outside),
        cmocka_unit_test(coincident_particles_part_in_opposite_directions),
        cmocka_unit_test(old_overlap_goes_without_a_burst),
        cmocka_unit_test(liquid_keeps_its_own_distance_to_a_solid_and_none_to_another),
        cmocka_unit_test(held_rows_do_not_move),
        cmocka_unit_test(rows_that_are_held_do_not_give_way),
        cmocka_unit_test(pressed_blocks_keep_their_distance),
        cmocka_unit_test(coulomb_holds_below_the_limit_and_slides_above),
        cmocka_unit_test(friction_does_not_add_up_over_iterations),
    };
    return cmocka_run_group_tests_name("contact laws", tests, NULL, NULL);
}
