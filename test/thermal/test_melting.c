// Melting (eq. 15): rates, what a change of state leaves alone, and what it leaves behind.
#include "thermal/changing.h"

#define COUNT 10000

// ---------------------------------------------------------------- rates

static void the_rate_is_linear_above_the_melting_point_and_zero_below(void **state) {
    (void)state;
    ThawThermalDef def = thaw_material_default().thermal;
    assert_true(thaw_melting_rate(&def, 1e6) == 0); // without a melting point
    def.melts_at = 300;
    assert_true(thaw_melting_rate(&def, 300) == 0);
    assert_true(thaw_melting_rate(&def, 250) == 0);
    assert_true(isinf(thaw_melting_rate(&def, 300.001)));
    def.melting_rate = 0.1f;
    assert_true(thaw_melting_rate(&def, 300) == 0);
    assert_near(thaw_melting_rate(&def, 303), 0.3, 1e-6);
    assert_near(thaw_melting_rate(&def, 306), 0.6, 1e-6);
}

static double molten_share(float above, double seconds, double dt) {
    ThawWorldDef world_def = lonely_def();
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.thermal.melting_rate = 0.1f;
    add_lonely(world, add_material(world, &wax), COUNT, THAW_STATE_SOLID);
    set_all(world, (double)(MELTS_AT + above));
    uint64_t melted = 0;
    for (int k = 0; k < (int)lrint(seconds / dt); k++) melted += step(world, dt).melted;
    double share = (double)count_state(world, THAW_STATE_LIQUID) / COUNT;
    assert_true((double)melted == share * COUNT);
    thaw_world_destroy(world);
    return share;
}

// W-33, ST-2: 1 − exp(−λ⁰ ΔT t), whatever the step; three standard deviations of 10,000 draws are 0.015
static void the_molten_share_follows_the_rate_at_any_step(void **state) {
    (void)state;
    double wanted = 1 - exp(-0.6);
    assert_near(molten_share(3, 2, 0.05), wanted, 0.015);
    assert_near(molten_share(3, 2, 0.2), wanted, 0.015);
    assert_near(molten_share(3, 2, 2), wanted, 0.015);
    assert_true(molten_share(0, 2, 0.2) == 0);
    assert_true(molten_share(-1, 2, 0.2) == 0);
}

// W-34: under a ramp the delay has Rayleigh's distribution: mean, deviation and median within 2 %
static void delays_under_a_ramp_have_their_mean_spread_and_median(void **state) {
    (void)state;
    const double rate = 2, ramp = 5, dt = 0.01;
    ThawWorldDef world_def = lonely_def();
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.thermal.melting_rate = (float)rate;
    add_lonely(world, add_material(world, &wax), COUNT, THAW_STATE_SOLID);
    double sum = 0, squares = 0, median = 0, melted = 0;
    for (int k = 1; melted < COUNT && k < 1000; k++) {
        // the middle of the step stands for it
        double at = (k - 0.5) * dt;
        set_all(world, (double)MELTS_AT + ramp * at);
        double now = step(world, dt).melted;
        sum += now * at;
        squares += now * at * at;
        if (melted < COUNT / 2.0 && melted + now >= COUNT / 2.0) median = at;
        melted += now;
    }
    assert_true(melted == COUNT);
    double mean = sum / COUNT, spread = sqrt(squares / COUNT - mean * mean);
    assert_near(mean / sqrt(acos(-1) / (2 * rate * ramp)), 1, 0.02);
    assert_near(mean, 0.3963, 0.02 * 0.3963);
    assert_near(spread, 0.2072, 0.02 * 0.2072);
    assert_near(median, 0.3723, 0.02 * 0.3723);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- what stays

static void a_change_of_state_keeps_heat_place_and_velocity(void **state) {
    (void)state;
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.thermal.latent_heat = 1e5f;
    add_lonely(world, add_material(world, &wax), 100, THAW_STATE_SOLID);
    for (uint32_t row = 0; row < 100; row++) world->store->velocity[3 * row] = 0.125f;
    set_all(world, MELTS_AT + 1);
    double heat = thaw_thermal_state(world->store).heat[0], before[3], after[3];
    momentum_of(world, before);
    ThawReport report = step(world, 0.01);
    momentum_of(world, after);
    assert_int_equal(report.melted, 100);
    assert_int_equal(report.frozen, 0);
    for (uint32_t row = 0; row < 100; row++) {
        assert_true(thaw_thermal_state(world->store).heat[row] == heat);
        assert_true(world->store->velocity[3 * row] == 0.125f);
    }
    assert_memory_equal(before, after, sizeof before);
    thaw_world_destroy(world);
}

// half of the latent heat: neither molten nor frozen, so nothing changes
static void matter_on_the_plateau_stays_as_it_is(void **state) {
    (void)state;
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.thermal.latent_heat = 1e5f;
    ThawMaterialId material = add_material(world, &wax);
    add_block(world, material, (ThawVec3){0.1, 0.1, 0.1}, THAW_STATE_SOLID);
    uint32_t count = world->store->count;
    set_all(world, MELTS_AT);
    double mass = 1000 * pow(world->def.spacing, 2) * count;
    assert_ok(thaw_world_add_heat(world, NULL, 0.5e5 * mass));
    for (int k = 0; k < 10; k++) assert_int_equal(step(world, 0.01).melted, 0);
    assert_near(step(world, 0.01).molten, 0.5 * mass, 1e-6 * mass);
    assert_int_equal(count_state(world, THAW_STATE_SOLID), count);
    // and a little more than all of it
    assert_ok(thaw_world_add_heat(world, NULL, 0.51e5 * mass));
    assert_int_equal(step(world, 0.01).melted, count);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- what is left behind

// a particle inside a block melts: no bond broke, and its neighbours' sites are vacant, not closed
static void melting_breaks_nothing_and_leaves_sites_open(int dimensions) {
    ThawWorldDef world_def = warm_def(dimensions);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.solid.fracture_strain = 0.5f; // brittle: lost bonds close their sites
    ThawMaterialId material = add_material(world, &wax);
    add_block(world, material, (ThawVec3){0.12, 0.12, 0.12}, THAW_STATE_SOLID);
    set_all(world, MELTS_AT - 1);
    ThawReport before = step(world, 0.01);
    uint32_t middle = row_at(world, (ThawVec3){0, 0, 0});
    uint64_t id = world->store->id[middle];
    uint32_t shell = dimensions == 3 ? 12 : 6;
    assert_int_equal(bonds_of(world, middle), shell);
    ThawShape spot = thaw_shape_sphere(place_of(world, middle), 0.3 * world->def.spacing);
    assert_ok(thaw_world_set_temperature(world, &spot, MELTS_AT + 1));
    ThawReport report = step(world, 0.01);
    assert_int_equal(report.melted, 1);
    report = step(world, 0.01);
    assert_int_equal(report.bonds_broken, 0);
    assert_int_equal(report.bonds, before.bonds - shell);
    const int32_t *sites = thaw_lattice_state(world->store).sites;
    uint32_t vacant = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (world->store->state[row] != THAW_STATE_SOLID) continue;
        assert_int_equal((uint32_t)sites[row] >> 12, 0);
        ThawVec3 at = place_of(world, row);
        double r = sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
        vacant += bonds_of(world, row) == shell - 1 && r < 1.6 * world->def.spacing;
    }
    assert_int_equal(vacant, shell);
    // cold again, it goes back to its site and has all of its bonds
    set_all(world, MELTS_AT - 1);
    uint64_t frozen = 0, broken = 0;
    for (int k = 0; k < 5; k++) {
        report = step(world, 0.01);
        frozen += report.frozen;
        broken += report.bonds_broken;
    }
    assert_int_equal(frozen, 1);
    assert_int_equal(broken, 0);
    assert_int_equal(report.bonds, before.bonds);
    assert_int_equal(bonds_of(world, thaw_store_find(world->store, id)), shell);
    thaw_world_destroy(world);
}

static void melting_breaks_nothing_in_2d(void **state) {
    (void)state;
    melting_breaks_nothing_and_leaves_sites_open(2);
}

static void melting_breaks_nothing_in_3d(void **state) {
    (void)state;
    melting_breaks_nothing_and_leaves_sites_open(3);
}

// ---------------------------------------------------------------- rules of one's own

typedef struct Rule {
    double from; // m
} Rule;

static double melt_right_of(void *user, const ThawTransitionPoint *point) {
    const Rule *rule = user;
    return point->position[0] > rule->from ? INFINITY : 0;
}

static void a_rule_replaces_the_temperature(void **state) {
    (void)state;
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.thermal.melts_at = 0;
    ThawMaterialId material = add_material(world, &wax);
    add_block(world, material, (ThawVec3){0.2, 0.1, 0.1}, THAW_STATE_SOLID);
    Rule rule = {0.01};
    ThawTransitionRules rules = {.melts = melt_right_of, .user = &rule};
    assert_ok(thaw_world_set_rules(world, material, &rules));
    uint32_t melted = step(world, 0.001).melted, right = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        bool there = place_of(world, row).x > 0.01;
        right += there;
        assert_int_equal(world->store->state[row], there ? THAW_STATE_LIQUID : THAW_STATE_SOLID);
    }
    assert_true(right > 20 && melted == right);
    assert_ok(thaw_world_set_rules(world, material, NULL));
    rule.from = -1;
    assert_int_equal(step(world, 0.001).melted, 0);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_is_linear_above_the_melting_point_and_zero_below),
        cmocka_unit_test(the_molten_share_follows_the_rate_at_any_step),
        cmocka_unit_test(delays_under_a_ramp_have_their_mean_spread_and_median),
        cmocka_unit_test(a_change_of_state_keeps_heat_place_and_velocity),
        cmocka_unit_test(matter_on_the_plateau_stays_as_it_is),
        cmocka_unit_test(melting_breaks_nothing_in_2d),
        cmocka_unit_test(melting_breaks_nothing_in_3d),
        cmocka_unit_test(a_rule_replaces_the_temperature),
    };
    return cmocka_run_group_tests_name("melting", tests, NULL, NULL);
}
