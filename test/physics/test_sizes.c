// V-4 and mixed resolutions: matter of two spacings in one tank comes to rest with no gap, no spray and no mixing.
//
// Particles of both sizes keep to their side, by less than their own spacing, with side walls and without. Walls are
// mirrors where sizes differ, whose images glide as crystals do: nothing there drives small ones past large ones, keeps
// matter trembling, or makes a fresh crystal give way.
#include "support/two.h"
#include "world/helpers.h"

#define CALM 0.016 // m/s, 1 % of √(gH)
#define STARTS 3

#define SETTLED 2.0 // s: fresh lattices have found their places by then

// Runs on, and gives what is true at the end, with the worst that was seen on the way: of crossing from the start on, of
// density at the interface since matter has settled.
static TwoFigures watch(Two *two, double seconds) {
    TwoFigures worst = {.gap = 0}, f = worst;
    for (int k = 0; k < 2; k++) {
        worst.phase[k].cross = worst.phase[k].cross_inside = -1e9;
        worst.phase[k].error_mean = worst.phase[k].error_max = 0;
    }
    for (int n = (int)rint(seconds / 0.25); n > 0; n--) {
        two_run(two, 0.25);
        f = two_look(two);
        bool settled = n == 1 || thaw_world_time(two->tank.world) >= SETTLED;
        for (int k = 0; k < 2; k++) {
            TwoPhaseFigures *w = &worst.phase[k], *now = &f.phase[k];
            now->cross = w->cross = fmax(w->cross, now->cross);
            now->cross_inside = w->cross_inside = fmax(w->cross_inside, now->cross_inside);
            if (!settled) continue;
            now->error_mean = w->error_mean = fmax(w->error_mean, now->error_mean);
            now->error_max = w->error_max = fmax(w->error_max, now->error_max);
        }
    }
    return f;
}

static TwoFigures rest(const TwoDef *def, double seconds, const char *name) {
    Two two = two_open(def);
    TwoFigures f = watch(&two, seconds);
    two_print(&two, &f, name);
    assert_true(two.energy_max <= 1.01);
    two_close(&two);
    return f;
}

static void check_interface(const TwoFigures *f, double spacings) {
    assert_true(fabs(f->gap) < 0.05);
    for (int k = 0; k < 2; k++) {
        // there is some to tell it by
        assert_true(f->phase[k].cross_inside > -1e6 && f->phase[k].error_max > 0);
        assert_true(f->phase[k].error_mean < 0.05 && f->phase[k].error_max < 0.05);
        assert_true(f->phase[k].cross_inside < spacings);
    }
}

static void check_calm(const TwoFigures *f) {
    for (int k = 0; k < 2; k++) {
        assert_true(f->phase[k].rms_speed < CALM && f->phase[k].face_speed < CALM);
    }
}

// in 3D matter of few layers takes longer to rest: two seconds after it was made the fastest particle may still move
static void check_quiet(const TwoFigures *f) {
    for (int k = 0; k < 2; k++) {
        assert_true(f->phase[k].rms_speed < CALM && f->phase[k].face_speed < 3 * CALM);
    }
}

static void large_particles_rest_on_small_ones(void **state) {
    (void)state;
    TwoDef def = two_def(2, 0.01, 0.02);
    def.walls = true;
    TwoFigures f = rest(&def, 10, "2D, large above small");
    check_interface(&f, 1);
    check_calm(&f);
    assert_true(f.phase[0].cross < 1 && f.phase[1].cross < 1);
}

static void small_particles_rest_on_large_ones(void **state) {
    (void)state;
    TwoDef def = two_def(2, 0.02, 0.01);
    def.walls = true;
    def.across = 17;
    TwoFigures f = rest(&def, 10, "2D, small above large");
    check_interface(&f, 1);
    check_calm(&f);
    assert_true(f.phase[0].cross < 1 && f.phase[1].cross < 1);
}

// whatever the tank is wide: a crystal of large ones keeps its rows
static void rows_of_large_particles_stay_rows_at_any_width(void **state) {
    (void)state;
    for (int across = 13; across <= 20; across += 7) {
        TwoDef def = two_def(2, 0.02, 0.01);
        def.walls = true;
        def.across = across;
        TwoFigures f = rest(&def, 4, "2D, small above large");
        check_interface(&f, 1);
        check_calm(&f);
        assert_true(f.phase[0].cross < 1 && f.phase[1].cross < 1);
    }
}

// Nothing on a floor of large particles is driven: with γ in place of images their lowest layer went on trembling at
// some dm/s, and lifted the energy.
static void a_floor_of_large_particles_lies_still(void **state) {
    (void)state;
    for (int ratio = 2; ratio <= 4; ratio *= 2) {
        TwoDef def = two_def(2, 0.01 * ratio, 0.01);
        def.across = 24 / ratio;
        def.phase[0].layers = def.phase[1].layers = 20 / ratio;
        def.jitter = 0.1;
        Two two = two_open(&def);
        two_run(&two, 3);
        TwoFigures f = two_look(&two);
        two_print(&two, &f,
                  ratio == 2 ? "2D, 1:2, small above large" : "2D, 1:4, small above large");
        check_interface(&f, ratio / 2);
        assert_true(f.phase[0].rms_speed < 2 * CALM && f.phase[1].rms_speed < 2 * CALM);
        assert_true(two.energy_max <= 1.002);
        two_close(&two);
    }
}

// V-4 as it stands: a column, 3D, 5 s. Columns of so few particles are chaos: starts with small ones above come to 0.8
// to 0.9 spacings, which is the most on the way. Every one of them is held to less than 1.
static void a_column_of_two_sizes_does_not_mix(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        TwoDef def = two_def(3, turn == 0 ? 0.01 : 0.02, turn == 0 ? 0.02 : 0.01);
        def.phase[1].layers = 5;
        def.jitter = 0.1;
        for (def.seed = 1; def.seed <= STARTS; def.seed++) {
            TwoFigures f =
                rest(&def, 5, turn == 0 ? "3D, large above small" : "3D, small above large");
            check_interface(&f, 1);
        }
    }
}

// Walls continue the crystals in 3D too: small ones do not fall into their edges, and pools keep their volume.
static void small_particles_stay_out_of_edges(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        TwoDef def = two_def(3, turn == 0 ? 0.01 : 0.02, turn == 0 ? 0.02 : 0.01);
        def.walls = true;
        def.jitter = 0.1;
        Two two = two_open(&def);
        TwoFigures f = watch(&two, 2);
        two_print(&two, &f, turn == 0 ? "3D tank, large above" : "3D tank, small above");
        check_quiet(&f);
        check_interface(&f, 1);
        assert_true(f.phase[0].cross < 1 && f.phase[1].cross < 1);
        assert_true(two.energy_max <= 1.01);
        two_close(&two);
    }
}

// Nothing drives small particles along walls, even without friction: once the lattices have settled they stay. Below, a
// crystal of large ones that no wall holds gives way in the first tenth of a second, in the middle of the tank as at its
// walls, and small ones fall in by up to two of their spacings; with friction by 0.4 in that time.
static void small_particles_do_not_creep_along_walls(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        TwoDef def = two_def(3, turn == 0 ? 0.01 : 0.02, turn == 0 ? 0.02 : 0.01);
        def.walls = true;
        def.friction = 0;
        def.phase[0].layers = def.phase[1].layers = 3;
        def.jitter = 0.1;
        Two two = two_open(&def);
        two_run(&two, 1);
        TwoFigures settled = two_look(&two);
        two_print(&two, &settled, turn == 0 ? "3D tank, large above" : "3D tank, small above");
        TwoFigures f = watch(&two, 1);
        two_print(&two, &f, turn == 0 ? "3D tank, large above" : "3D tank, small above");
        check_quiet(&f);
        for (int k = 0; k < 2; k++) {
            assert_true(f.phase[k].error_max > 0 && f.phase[k].error_max < 0.05);
        }
        assert_true(fabs(f.gap - settled.gap) < 0.02);
        for (int k = 0; k < 2; k++) {
            assert_true(f.phase[k].cross < settled.phase[k].cross + 0.5);
            assert_true(f.phase[k].cross < (turn == 0 ? 1 : 2));
        }
        assert_true(two.energy_max <= 1.01);
        two_close(&two);
    }
}

// An upright face of two lattices is uneven by half a spacing from the start, and settles; then it stays.
static void sizes_side_by_side_stay_where_they_settled(void **state) {
    (void)state;
    TwoDef def = two_def(2, 0.01, 0.02);
    def.place = TWO_BESIDE;
    def.walls = true;
    def.across = 24;
    def.phase[0].layers = 10;
    Two two = two_open(&def);
    two_run(&two, 3);
    TwoFigures settled = two_look(&two);
    two_print(&two, &settled, "2D, side by side");
    two_run(&two, 5);
    TwoFigures f = two_look(&two);
    two_print(&two, &f, "2D, side by side");
    for (int k = 0; k < 2; k++) {
        assert_true(settled.phase[k].cross_inside < 1);
        assert_true(f.phase[k].cross_inside < settled.phase[k].cross_inside + 0.5);
        // at the surface too, where nothing but the air's share holds the top row of large ones
        assert_true(f.phase[k].cross < 1);
        assert_true(f.phase[k].error_max < 0.05);
    }
    check_calm(&f);
    assert_true(two.energy_max <= 1.01);
    two_close(&two);
}

static void one_to_four_holds_too(void **state) {
    (void)state;
    TwoDef def = two_def(2, 0.01, 0.04);
    def.across = 10;
    def.phase[0].layers = def.phase[1].layers = 4;
    def.jitter = 0.1;
    TwoFigures f = rest(&def, 8, "2D, 1:4");
    check_interface(&f, 2);
    check_calm(&f);
}

// impact, splash and rest of large matter on small
static void falling_onto_another_size_gains_no_energy(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        TwoDef def = two_def(2, turn == 0 ? 0.01 : 0.02, turn == 0 ? 0.02 : 0.01);
        def.walls = true;
        def.lift = 0.15;
        Two two = two_open(&def);
        two_run(&two, 1.5);
        TwoFigures f = two_look(&two);
        two_print(&two, &f, "2D, fallen 15 cm");
        assert_true(two.energy_max <= 1.01 && f.energy < 0.8);
        two_close(&two);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_particles_rest_on_small_ones),
        cmocka_unit_test(small_particles_rest_on_large_ones),
        cmocka_unit_test(rows_of_large_particles_stay_rows_at_any_width),
        cmocka_unit_test(a_floor_of_large_particles_lies_still),
        cmocka_unit_test(a_column_of_two_sizes_does_not_mix),
        cmocka_unit_test(small_particles_stay_out_of_edges),
        cmocka_unit_test(small_particles_do_not_creep_along_walls),
        cmocka_unit_test(sizes_side_by_side_stay_where_they_settled),
        cmocka_unit_test(one_to_four_holds_too),
        cmocka_unit_test(falling_onto_another_size_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
