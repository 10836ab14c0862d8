// W-35, ST-2: eq. 16 on the engine. Neighbourhoods are laid out by hand, thousands at a time; what freezes of them in one
// step is what the rate says, factor by factor.
#include "thermal/changing.h"

#define COUNT 4000  // neighbourhoods
#define RATE 40.0   // λ⁰, 1/(K s)
#define STEP 5e-4   // s
#define V_MOST 0.1  // m/s
#define F_MOST 0.15 // D

// A site with some of its six neighbours, solids at rest; a liquid particle is off it and moves past them.
typedef struct Place {
    double cold;   // K below freezing
    uint32_t near; // n
    double speed;  // m/s
    double off;    // D
    int asked;     // freezing_neighbors: half as many in 2D
} Place;

static const Place easy = {.cold = 10, .near = 4, .speed = 0.05, .off = 0.1, .asked = 2};

static ThawMaterialDef rated_wax(const Place *place) {
    ThawMaterialDef wax = wax_def();
    wax.liquid.viscosity = 0;
    wax.liquid.xsph = 0;
    wax.thermal.freezing_rate = (float)RATE;
    wax.thermal.freezing_speed = (float)V_MOST;
    wax.thermal.freezing_misfit = (float)F_MOST;
    wax.thermal.freezing_neighbors = place->asked;
    return wax;
}

static void put(double (*at)[3], uint32_t *count, double x, double y) {
    at[*count][0] = x;
    at[(*count)++][1] = y;
}

// the site's neighbours, at angles from 0 on, and the two layers' worth of solids behind them that make them a grain
static void put_solids(double (*at)[3], uint32_t *count, uint32_t near, double D, double x,
                       double y) {
    double sixth = acos(-1) / 3;
    for (uint32_t n = 0; n < near; n++) {
        for (int r = 1; r <= 2; r++) {
            put(at, count, x + r * D * cos(n * sixth), y + r * D * sin(n * sixth));
        }
    }
    for (uint32_t n = 0; n <= near % 6 + 5 * (near / 6); n++) {
        double angle = ((double)n - 0.5) * sixth;
        put(at, count, x + sqrt(3) * D * cos(angle), y + sqrt(3) * D * sin(angle));
    }
}

static void add_state(ThawWorld *world, const Place *place, ThawState state) {
    double D = thaw_lattice_distance(2, world->def.spacing);
    double(*at)[3] = calloc(18 * COUNT, sizeof *at);
    float(*velocity)[3] = calloc(18 * COUNT, sizeof *velocity);
    assert_true(at != NULL && velocity != NULL);
    uint32_t count = 0;
    for (uint32_t k = 0; k < COUNT; k++) {
        double x = 7 * D * (k % 64), y = 7 * D * (k / 64);
        if (state == THAW_STATE_SOLID) {
            put_solids(at, &count, place->near, D, x, y);
            continue;
        }
        // away from them, and at the end of the step
        velocity[count][1] = (float)place->speed;
        put(at, &count, x, y - D * place->off - place->speed * STEP);
    }
    ThawParticlesDef def = {.material = {1},
                            .count = count,
                            .positions = (const double(*)[3])at,
                            .velocities = (const float(*)[3])velocity,
                            .state = state};
    assert_ok(thaw_world_add_particles(world, &def, NULL));
    free(at);
    free(velocity);
}

// the share that freezes in a step
static double frozen_share(const Place *place) {
    static uint64_t cases;
    ThawWorldDef world_def = lonely_def();
    world_def.seed = ++cases; // draws of its own
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = rated_wax(place);
    add_material(world, &wax);
    add_state(world, place, THAW_STATE_SOLID);
    add_state(world, place, THAW_STATE_LIQUID);
    set_all(world, (double)MELTS_AT - place->cold);
    ThawReport report = step(world, STEP);
    assert_near(report.max_speed, place->speed, 1e-3 * V_MOST);
    thaw_world_destroy(world);
    return (double)report.frozen / COUNT;
}

// within three standard deviations of as many draws
static void check_rate(const Place *place, double wanted) {
    double share = frozen_share(place), due = -expm1(-wanted * STEP);
    double bound = 3 * sqrt(due * (1 - due) / COUNT) + 1e-9;
    if (!(fabs(share - due) < bound))
        fail_msg("%g K, %u neighbours, %g m/s, %g D: %.4f froze, not %.4f", place->cold,
                 place->near, place->speed, place->off, share, due);
}

#define EASY (RATE * 10 * 3)

static void the_share_is_linear_in_cold(void **state) {
    (void)state;
    for (int k = 1; k <= 8; k *= 2) {
        Place place = easy;
        place.cold = 2.5 * k;
        check_rate(&place, EASY * k / 4);
    }
}

static void the_share_is_linear_in_neighbours_beyond_those_asked_for(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= 6; n++) {
        Place place = easy;
        place.near = n;
        place.off = 0; // between six there is no room for more
        check_rate(&place, EASY * (n - 1) / 3);
    }
}

static void the_share_is_flat_below_a_speed_and_falls_as_its_inverse(void **state) {
    (void)state;
    const double speeds[] = {0, 0.09, 0.2, 0.4, 0.8};
    for (int k = 0; k < 5; k++) {
        Place place = easy;
        place.speed = speeds[k];
        check_rate(&place, EASY * fmin(1, V_MOST / fmax(speeds[k], 1e-9)));
    }
}

static void the_share_is_flat_below_a_misfit_and_falls_as_its_inverse(void **state) {
    (void)state;
    const double offs[] = {0, 0.14, 0.2, 0.25, 0.29};
    for (int k = 0; k < 5; k++) {
        Place place = easy;
        place.off = offs[k];
        check_rate(&place, EASY * fmin(1, F_MOST / fmax(offs[k], 1e-9)));
    }
}

// factors below zero are none, and two of them do not make one above
static void none_freezes_when_warm_or_among_few_and_when_both(void **state) {
    (void)state;
    Place warm = easy, few = easy, both;
    warm.cold = -10;
    few.near = 2, few.asked = 2;
    check_rate(&warm, 0);
    few.asked = 4; // two, and two there are
    check_rate(&few, 0);
    both = few;
    both.cold = -10;
    check_rate(&both, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_linear_in_cold),
        cmocka_unit_test(the_share_is_linear_in_neighbours_beyond_those_asked_for),
        cmocka_unit_test(the_share_is_flat_below_a_speed_and_falls_as_its_inverse),
        cmocka_unit_test(the_share_is_flat_below_a_misfit_and_falls_as_its_inverse),
        cmocka_unit_test(none_freezes_when_warm_or_among_few_and_when_both),
    };
    return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
