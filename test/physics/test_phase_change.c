// Changes of state on the whole engine: load that refrozen matter carries, equilibrium, calorimetry, a freezing front, and
// how calm all of it is. The same at full size: validate_phase_change.c.
#include "physics/baths.h"
#include "physics/cycles.h"
#include "thermal/pools.h"

// ---------------------------------------------------------------- a cycle of melting and freezing (W-38)

static void refrozen_matter_carries_load(void **state) {
    (void)state;
    CycleDef def = {.dimensions = 2,
                    .spacing = 0.01,
                    .length = 0.3,
                    .height = 0.08,
                    .young = 1e5f,
                    .seconds = 2};
    CycleFigures virgin = cycle_run(&def);
    def.melts = true;
    CycleFigures again = cycle_run(&def);
    check_cycle(&def, &again);
    assert_below(0.8, again.stiffness / virgin.stiffness);
    assert_below(again.stiffness / virgin.stiffness, 1.1);
    assert_below(0.93 * virgin.bonds, again.bonds);
    assert_true(virgin.mass_kept);
}

// The same where nothing is stamped: a hot plate melts all but a sixth, a cold one freezes it, latent heat and all.
static void matter_that_walls_melt_and_freeze_carries_load(void **state) {
    (void)state;
    static const CycleDef defs[] = {{.dimensions = 2,
                                     .spacing = 0.01,
                                     .length = 0.3,
                                     .height = 0.08,
                                     .young = 1e5f,
                                     .way = CYCLE_PLATES,
                                     .seconds = 6},
                                    {.dimensions = 3,
                                     .spacing = 0.015,
                                     .length = 0.24,
                                     .height = 0.09,
                                     .young = 5e4f,
                                     .way = CYCLE_PLATES,
                                     .seconds = 4}};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        CycleDef def = defs[k];
        CycleFigures virgin = cycle_run(&def);
        def.melts = true;
        CycleFigures again = cycle_run(&def);
        check_cycle(&def, &again);
        assert_below(0.8, again.stiffness / virgin.stiffness);
        assert_below(again.stiffness / virgin.stiffness, 1.15);
    }
}

// ---------------------------------------------------------------- a calm pool

// Speeds while a pool at rest freezes from a seed: without lags they were 6 m/s, and half of the liquid was thrown out.
static void a_freezing_pool_stays_calm_and_becomes_one_crystal(void **state) {
    (void)state;
    PoolDef def = pool_def();
    def.seed = 0.04;
    def.settle = 1;
    def.material.solid.young = 1e6f;
    ThawWorld *world = make_pool(&def);
    set_all(world, MELTS_AT - 10);
    double most = 0, fastest = 0, mass = 0.1 * world->store->count;
    for (int k = 0; k < 90; k++) {
        ThawReport report = step(world, 1.0 / 60);
        most = fmax(most, report.kinetic);
        fastest = fmax(fastest, report.max_speed);
    }
    uint32_t count = world->store->count, solid = count_state(world, THAW_STATE_SOLID), full = 0;
    for (uint32_t row = 0; row < count; row++) {
        full += world->store->state[row] == THAW_STATE_SOLID && bonds_of(world, row) == 6;
    }
    assert_below(0.9 * count, solid);
    assert_below(0.6 * count, full);
    assert_below(fastest, 0.443); // √(2 g d): as what falls by a spacing
    assert_below(sqrt(2 * most / mass), 0.1);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- grains

// what is left in a pool of grains once it has set and nothing presses on it
typedef struct Locked {
    double strain; // –, that of a bar with as much elastic energy
    double shear;  // –, of solids, in the mean
    double grows;  // of the energy, in a quarter of a second, long after anything froze
} Locked;

static void run(ThawWorld *world, double seconds) {
    for (int k = 0; k < (int)lrint(seconds * 60); k++) step(world, 1.0 / 60);
}

static double energy_of(const ThawWorld *world) {
    return world->report.elastic + world->report.kinetic;
}

// What freezes later brings energy of its own, until it has been drawn to its sites, within half a second: waits for that
// long without any, and looks at the quarter of a second after it.
static double energy_growth(ThawWorld *world) {
    int calm = 0;
    for (int k = 0; k < 20; k++) {
        double before = energy_of(world);
        uint32_t solid = count_state(world, THAW_STATE_SOLID);
        run(world, 0.25);
        calm = count_state(world, THAW_STATE_SOLID) == solid ? calm + 1 : 0;
        if (calm == 3) return energy_of(world) / before - 1;
    }
    fail_msg("the pool goes on freezing");
    return 1;
}

static Locked lock_in(float yield_strain, float creep, int start) {
    PoolDef def = pool_def();
    def.settle += start / 60.0;
    def.material.thermal.nucleation = 0.2f;
    def.material.thermal.nucleation_below = 5;
    def.material.solid.young = 2e5f;
    def.material.solid.yield_strain = yield_strain;
    def.material.solid.creep = creep;
    ThawWorld *world = make_pool(&def);
    set_all(world, MELTS_AT - 6);
    run(world, 2);
    assert_ok(thaw_world_set_gravity(world, (ThawVec3){0, 0, 0}));
    run(world, 0.5);
    Locked locked = {.grows = energy_growth(world)};
    ThawLatticeState lattice = thaw_lattice_state(world->store);
    uint32_t solid = count_state(world, THAW_STATE_SOLID);
    double shears = 0;
    assert_true(solid > 200);
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (world->store->state[row] != THAW_STATE_SOLID) continue;
        float strain[6]; // xx yy zz xy
        thaw_lattice_strain(&lattice, row, 2, strain);
        double half = 0.5 * (double)(strain[0] - strain[1]);
        shears += sqrt(half * half + (double)(strain[3] * strain[3]));
    }
    locked.shear = shears / solid;
    locked.strain = sqrt(2 * world->report.elastic / (2e5 * 1e-4 * solid));
    thaw_world_destroy(world);
    return locked;
}

// Grains that meet are off each other's sites by a third of D: bonds that ask for those would be strained as much. Of
// what is left nothing grows, and matter that creeps loses most of it: all but what single particles keep that hang
// on two bonds. Starts scatter, so means of several are judged.
static void the_stress_that_grains_lock_in_is_small_and_creep_takes_it(void **state) {
    (void)state;
    enum { STARTS = 6 };
    Locked stiff = {0}, creeps = {0};
    for (int k = 0; k < STARTS; k++) {
        Locked one = lock_in(0, 0, k);
        assert_below(one.grows, 0.005);
        stiff.strain += one.strain / STARTS;
        stiff.shear += one.shear / STARTS;
        creeps.shear += lock_in(0.002f, 5, k).shear / STARTS;
    }
    assert_below(stiff.strain, 0.01);
    assert_below(stiff.shear, 0.01);
    assert_below(creeps.shear, 0.2 * stiff.shear);
}

// ---------------------------------------------------------------- heat that goes with it

// of every kind: melting and freezing, in 2D and 3D; ending on the plateau, all liquid, all solid
static void baths_of_ice_and_water_end_as_the_textbook_says(void **state) {
    (void)state;
    static const BathDef defs[] = {
        {.dimensions = 2, .side = 0.12, .seconds = 6, .ice = -10, .water = 20},
        {.dimensions = 3, .side = 0.06, .seconds = 3, .ice = -10, .water = 20},
        {.dimensions = 3, .side = 0.06, .seconds = 3, .share = 0.5, .ice = -60, .water = 2},
        {.dimensions = 2,
         .side = 0.12,
         .seconds = 6,
         .share = 0.086,
         .ice = -23.15,
         .water = 26.85},
        {.dimensions = 3,
         .side = 0.06,
         .seconds = 4,
         .share = 0.55,
         .ice = -153.15,
         .water = 0.85}};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        BathDef def = defs[k];
        def.conductivity = 20000; // in seconds what takes hours
        BathFigures figures = bath_run(&def);
        check_bath(&figures);
        assert_true(figures.changes > 10);
    }
}

// ST-1 with states, beyond ten spacings: the front is at Stefan's place, and all is solid whose latent heat is gone
static void a_front_freezes_at_the_pace_of_the_heat(void **state) {
    (void)state;
    static const FrontDef defs[] = {
        {.spacing = 0.005, .columns = 10, .height = 0.09, .seconds = 4, .stefan = 0.2},
        {.spacing = 0.005, .columns = 20, .height = 0.09, .seconds = 2, .stefan = 0.5}};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        FrontFigures figures = front_run(&defs[k]);
        check_front(&defs[k], &figures);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refrozen_matter_carries_load),
        cmocka_unit_test(matter_that_walls_melt_and_freeze_carries_load),
        cmocka_unit_test(a_freezing_pool_stays_calm_and_becomes_one_crystal),
        cmocka_unit_test(the_stress_that_grains_lock_in_is_small_and_creep_takes_it),
        cmocka_unit_test(a_front_freezes_at_the_pace_of_the_heat),
        cmocka_unit_test(baths_of_ice_and_water_end_as_the_textbook_says),
    };
    return cmocka_run_group_tests_name("phase_change", tests, NULL, NULL);
}
