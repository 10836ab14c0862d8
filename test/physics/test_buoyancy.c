// Buoyancy by thermal expansion: gravity pulls warm matter less. Laws with known answers, in 2D where flow is asked for.
#include "world/helpers.h"

#include "models/heat_state.h"
#include "world/world.h"

#define PI 3.14159265358979323846
#define G 9.81

static ThawWorldDef warm_def(int dimensions, double spacing) {
    ThawWorldDef def = small_def(dimensions);
    def.spacing = spacing;
    def.heat.on = true;
    def.heat.ambient = 300;
    return def;
}

// does not conduct unless told to; a share `expansion` a kelvin about 300 K
static ThawMaterialDef oil_def(double expansion) {
    ThawMaterialDef def = thaw_material_default();
    def.thermal.conductivity = 0;
    def.thermal.specific_heat = 1000;
    def.thermal.expansion = (float)expansion;
    def.thermal.reference = 300;
    return def;
}

static ThawMaterialId add_oil(ThawWorld *world, double expansion) {
    ThawMaterialDef def = oil_def(expansion);
    ThawMaterialId oil;
    assert_ok(thaw_world_add_material(world, &def, &oil));
    return oil;
}

static ThawReport step(ThawWorld *world, double dt) {
    ThawReport report;
    assert_ok(thaw_world_step(world, dt, &report));
    return report;
}

static void place_of(const ThawWorld *world, uint32_t row, double x[2]) {
    for (uint32_t a = 0; a < 2; a++) {
        x[a] = thaw_fixed_cells(world->store->cells[3 * row + a]) * world->domain.cell;
    }
}

static void set_temperature(ThawWorld *world, uint32_t row, double temperature) {
    ThawThermalState state = thaw_thermal_state(world->store);
    thaw_thermal_set(world->store, &state, world->materials, row, temperature);
}

// ---------------------------------------------------------------- falling

// m/s downwards after 0.1 s alone
static double fall(double temperature, ThawState state, double expansion) {
    ThawWorldDef def = warm_def(3, 0.01);
    ThawWorld *world = make_world(&def);
    const double at[1][3] = {{0, 0, 0}};
    ThawParticlesDef one = {.material = add_oil(world, expansion),
                            .count = 1,
                            .positions = at,
                            .state = state,
                            .temperature = (float)temperature};
    assert_ok(thaw_world_add_particles(world, &one, NULL));
    for (int k = 0; k < 10; k++) step(world, 0.01);
    double speed = -(double)world->store->velocity[2];
    assert_true(world->store->velocity[0] == 0 && world->store->velocity[1] == 0);
    thaw_world_destroy(world);
    return speed;
}

static void a_particle_falls_by_what_its_warmth_leaves_of_gravity(void **state) {
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        ThawState kind = solid ? THAW_STATE_SOLID : THAW_STATE_LIQUID;
        assert_true(fabs(fall(300, kind, 2e-3) - 0.1 * G) < 1e-5);
        assert_true(fabs(fall(350, kind, 2e-3) - 0.1 * G * 0.9) < 1e-5);
        assert_true(fabs(fall(250, kind, 2e-3) - 0.1 * G * 1.1) < 1e-5);
        assert_true(fabs(fall(350, kind, -2e-3) - 0.1 * G * 1.1) < 1e-5);
        assert_true(fabs(fall(350, kind, 0) - 0.1 * G) < 1e-5);
    }
}

// ---------------------------------------------------------------- a blob

#define TANK 0.4 // m
#define BLOB 0.05

static ThawWorld *tank_world(double spacing, double expansion) {
    ThawWorldDef def = warm_def(2, spacing);
    ThawWorld *world = make_world(&def);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, TANK, 0}, (ThawVec3){TANK, 2 * TANK, 1});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    ThawBodyDef body = thaw_body_default();
    body.material = add_oil(world, expansion);
    body.shape = thaw_shape_box((ThawVec3){0, TANK / 2, 0}, (ThawVec3){TANK, TANK, 1});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    return world;
}

static double height_of(ThawWorld *world, const ThawParticleId *ids, uint32_t count) {
    double sum = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t row;
        double x[2];
        assert_ok(thaw_world_index(world, ids[k], &row));
        place_of(world, row, x);
        sum += x[1];
    }
    return sum / count;
}

// m that a blob in the middle of a pool rises in 0.25 s, when it is `warmer` kelvin warmer
static double rise_of_blob(double warmer) {
    static ThawParticleId ids[2000];
    ThawWorld *world = tank_world(0.01, 5e-3);
    for (int k = 0; k < 40; k++) step(world, 0.01);
    ThawShape blob = thaw_shape_sphere((ThawVec3){0, TANK / 2, 0}, BLOB);
    uint32_t count;
    assert_ok(thaw_world_find(world, &blob, ids, 2000, &count));
    assert_in_range(count, 50, 2000);
    assert_ok(thaw_world_set_temperature(world, &blob, 300 + warmer));
    double before = height_of(world, ids, count);
    for (int k = 0; k < 25; k++) step(world, 0.01);
    double risen = height_of(world, ids, count) - before;
    thaw_world_destroy(world);
    return risen;
}

// A cylinder drags along as much as it weighs: half of its lift moves it, and less when it begins to roll up.
static void warm_blobs_rise_and_cold_ones_sink(void **state) {
    (void)state;
    double warm = rise_of_blob(40), cold = rise_of_blob(-40), same = rise_of_blob(0);
    double wanted = 0.5 * (5e-3 * 40 * G / 2) * 0.25 * 0.25;
    print_message("a blob rises by %.4f m, sinks by %.4f m; %.4f m by theory without drag\n", warm,
                  -cold, wanted);
    assert_true(warm > 0.4 * wanted && warm < 1.1 * wanted);
    assert_true(-cold > 0.4 * wanted && -cold < 1.1 * wanted);
    assert_true(fabs(same) < 0.02 * wanted);
}

// ---------------------------------------------------------------- layers

// the most kinetic energy in J/kg between 0.5 and 1 s in layers that are `warmer` kelvin warmer at the top than at the
// bottom, and `uneven` kelvin warmer in the middle than at the sides
static double motion_of_layers(double warmer, double uneven) {
    ThawWorld *world = tank_world(0.01, 5e-3);
    // thick enough that it comes to rest
    ThawMaterialDef thick = oil_def(5e-3);
    thick.liquid.viscosity = 1e-3f;
    assert_ok(thaw_world_set_material(world, (ThawMaterialId){1}, &thick));
    for (int k = 0; k < 40; k++) step(world, 0.01);
    for (uint32_t row = 0; row < world->store->count; row++) {
        double x[2];
        place_of(world, row, x);
        double more = uneven * cos(2 * PI * x[0] / TANK);
        set_temperature(world, row, 300 + warmer * (x[1] / TANK - 0.5) + more);
    }
    double most = 0;
    for (int k = 0; k < 100; k++) {
        ThawReport report = step(world, 0.01);
        if (k >= 50) most = fmax(most, report.kinetic / report.mass);
    }
    thaw_world_destroy(world);
    return most;
}

static void stable_layers_keep_still_and_others_turn_over(void **state) {
    (void)state;
    double none = motion_of_layers(0, 0), stable = motion_of_layers(100, 0),
           upside_down = motion_of_layers(-100, 20);
    print_message("kinetic energy: %.2g J/kg even, %.2g warm above, %.2g cold above\n", none,
                  stable, upside_down);
    // what warmth could give is β ΔT g H / 12, some 0.16 J/kg
    assert_true(none < 2e-4 && stable < 3e-4);
    assert_true(upside_down > 1e-2);
}

// ---------------------------------------------------------------- a cell that is heated from below

#define CELL 0.1      // m, its height; as wide as the first roll that grows, 2.016 heights
#define ACROSS 20     // spacings
#define WARMER 20.0   // K between bottom and top
#define LIFT 1.9      // β ΔT: the lattice of particles resists weaker ones
#define CRITICAL 1708 // Rayleigh's number where still liquid between two plates begins to roll

static ThawWorld *cell_world(double diffusivity) {
    ThawWorldDef def = warm_def(2, CELL / ACROSS);
    def.periodic[0] = true;
    def.upper.x = 2.016 * CELL;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef oil = oil_def(LIFT / WARMER);
    oil.liquid.viscosity = (float)diffusivity;
    oil.liquid.xsph = 0;
    oil.thermal.conductivity = (float)(diffusivity * 1000 * 1000);
    ThawBodyDef body = thaw_body_default();
    assert_ok(thaw_world_add_material(world, &oil, &body.material));
    for (int top = 0; top < 2; top++) {
        ThawColliderDef plate = thaw_collider_default();
        plate.shape =
            thaw_shape_plane((ThawVec3){0, top ? CELL : 0, 0}, (ThawVec3){0, top ? -1 : 1, 0});
        plate.temperature = (float)(300 + (top ? -0.5 : 0.5) * WARMER);
        assert_ok(thaw_world_add_collider(world, &plate, NULL));
    }
    body.shape =
        thaw_shape_box((ThawVec3){def.upper.x / 2, CELL / 2, 0}, (ThawVec3){def.upper.x, CELL, 1});
    body.jitter = 0.2;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    return world;
}

// how much more heat passes than conduction alone would carry, on average over the last part of `time` s (Nusselt)
static double carried_heat(double rayleigh, double time) {
    double diffusivity = sqrt(G * LIFT * CELL * CELL * CELL / rayleigh);
    ThawWorld *world = cell_world(diffusivity);
    for (uint32_t row = 0; row < world->store->count; row++) {
        double x[2];
        place_of(world, row, x);
        double roll = cos(2 * PI * x[0] / (2.016 * CELL)) * sin(PI * x[1] / CELL);
        set_temperature(world, row, 300 + WARMER * (0.5 - x[1] / CELL) + 0.2 * WARMER * roll);
    }
    double flux = 0;
    int steps = (int)(time / 0.02), counted = steps / 3;
    for (int k = 0; k < steps; k++) {
        step(world, 0.02);
        if (k < steps - counted) continue;
        const float *temperature = thaw_thermal_state(world->store).temperature;
        for (uint32_t row = 0; row < world->store->count; row++) {
            flux += (double)world->store->velocity[3 * row + 1] * ((double)temperature[row] - 300);
        }
    }
    flux /= (double)counted * world->store->count;
    thaw_world_destroy(world);
    return 1 + flux * CELL / (diffusivity * WARMER);
}

// A continuum passes 2.5 times the heat at six times the critical number. Here it is less: particles at rest are a
// lattice, which yields only to more.
static void a_cell_heated_from_below_rolls_above_the_critical_number_alone(void **state) {
    (void)state;
    double below = carried_heat(0.6 * CRITICAL, 1.5), above = carried_heat(6 * CRITICAL, 3);
    print_message("Nusselt's number: %.3f at 0.6, %.3f at 6 times the critical number\n", below,
                  above);
    assert_true(fabs(below - 1) < 0.01);
    assert_true(above > 1.5 && above < 2.7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_falls_by_what_its_warmth_leaves_of_gravity),
        cmocka_unit_test(warm_blobs_rise_and_cold_ones_sink),
        cmocka_unit_test(stable_layers_keep_still_and_others_turn_over),
        cmocka_unit_test(a_cell_heated_from_below_rolls_above_the_critical_number_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
