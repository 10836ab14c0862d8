// Matter that takes more room as a solid: water and its ice are one material, and the ice floats.
//
// Mass and spacing of a particle never change; as a solid its sites are further apart (solid.density). So an ice cube
// swims with a twelfth above the water, and where it has melted the water stands as high as the cube held it.
#include "math/lattice.h"
#include "world/helpers.h"

#include <math.h>
#include <stdlib.h>

#define SPACING 0.02
#define WIDTH 0.36
#define LEVEL 0.26 // m, of the water round the cube
#define SIDE 0.16
#define ICE 917.0

typedef struct Glass {
    ThawWorld *world;
    ThawBodyId cube;
    uint32_t water, ice; // particles
    double side;         // m, of the cube, as its particles fill it
} Glass;

static ThawMaterialDef ice_water(void) {
    ThawMaterialDef def = thaw_material_default();
    def.solid.density = (float)ICE;
    def.solid.young = 2e5f;

    return def;
}

static void pour_box(ThawWorld *world, ThawMaterialId material, ThawVec3 from, ThawVec3 to) {
    ThawBodyDef body = thaw_body_default();
    ThawBodyId id;
    body.material = material;
    body.shape = thaw_shape_box(
        (ThawVec3){0.5 * (from.x + to.x), 0.5 * (from.y + to.y), 0.5 * (from.z + to.z)},
        (ThawVec3){to.x - from.x, to.y - from.y, to.z - from.z});
    assert_ok(thaw_world_add_body(world, &body, &id));
}

// Water with a hole for the cube, nearly as deep as it will swim: a cube that plunges takes a layer of particles on its
// top, which at this size weighs more than what lifts it. Returns how many particles there are.
static uint32_t pour(ThawWorld *world, ThawMaterialId material) {
    double w = WIDTH / 2, s = SIDE / 2, floor = LEVEL - 0.9 * SIDE;
    pour_box(world, material, (ThawVec3){-w, -w, 0}, (ThawVec3){w, w, floor});
    pour_box(world, material, (ThawVec3){-w, -w, floor}, (ThawVec3){w, -s, LEVEL});
    pour_box(world, material, (ThawVec3){-w, s, floor}, (ThawVec3){w, w, LEVEL});
    pour_box(world, material, (ThawVec3){-w, -s, floor}, (ThawVec3){-s, s, LEVEL});
    pour_box(world, material, (ThawVec3){s, -s, floor}, (ThawVec3){w, s, LEVEL});
    return thaw_world_count(world);
}

static Glass make_glass(bool filled) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    Glass glass;
    assert_ok(thaw_world_create(&def, &glass.world));
    ThawMaterialDef matter = ice_water();
    ThawMaterialId material;
    assert_ok(thaw_world_add_material(glass.world, &matter, &material));
    ThawColliderDef tank = thaw_collider_default();
    ThawColliderId tank_id;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.5}, (ThawVec3){WIDTH, WIDTH, 1});
    tank.container = true;
    tank.friction = 0;
    assert_ok(thaw_world_add_collider(glass.world, &tank, &tank_id));
    glass.water = filled ? pour(glass.world, material) : 0;
    ThawBodyDef body = thaw_body_default();
    body.material = material;
    body.state = THAW_STATE_SOLID;
    body.shape =
        thaw_shape_box((ThawVec3){0, 0, LEVEL + (0.5 - 0.9) * SIDE}, (ThawVec3){SIDE, SIDE, SIDE});
    assert_ok(thaw_world_add_body(glass.world, &body, &glass.cube));
    glass.ice = thaw_world_count(glass.world) - glass.water;
    glass.side = cbrt(glass.ice * SPACING * SPACING * SPACING * 1000 / ICE);
    return glass;
}

static void run(Glass *glass, double seconds) {
    for (int n = 0; n < (int)lround(60 * seconds); n++) {
        assert_ok(thaw_world_step(glass->world, 1.0 / 60, NULL));
    }
}

static double mean_height(Glass *glass, int object) {
    double(*at)[3] = malloc(thaw_world_count(glass->world) * sizeof *at), sum = 0;
    ThawView view;
    uint32_t count = 0;
    assert_non_null(at);
    thaw_world_positions(glass->world, at);
    assert_ok(thaw_world_view(glass->world, "object", &view));
    for (uint32_t row = 0; row < view.count; row++) {
        if (((const int32_t *)view.data)[row] != object) continue;
        sum += at[row][2];
        count++;
    }
    free(at);
    return sum / count;
}

// the least distance between two particles of the cube
static double nearest_in_cube(Glass *glass) {
    uint32_t all = thaw_world_count(glass->world);
    double(*at)[3] = malloc(all * sizeof *at), least = INFINITY;
    ThawView view;
    assert_non_null(at);
    thaw_world_positions(glass->world, at);
    assert_ok(thaw_world_view(glass->world, "object", &view));
    const int32_t *object = view.data;
    for (uint32_t i = 0; i < all; i++) {
        for (uint32_t j = i + 1; object[i] == (int)glass->cube.value && j < all; j++) {
            if (object[j] != object[i]) continue;
            double r2 = 0;
            for (int a = 0; a < 3; a++) r2 += (at[i][a] - at[j][a]) * (at[i][a] - at[j][a]);
            least = fmin(least, sqrt(r2));
        }
    }
    free(at);
    return least;
}

// Share of the cube below the water's level, both by volume.
static double wet_share(Glass *glass) {
    double z = mean_height(glass, (int)glass->cube.value), share = 0.5;
    double water = glass->water * SPACING * SPACING * SPACING, cube = pow(glass->side, 3);
    for (int n = 0; n < 50; n++) {
        double level = (water + share * cube) / (WIDTH * WIDTH);
        share = fmin(1, fmax(0, 0.5 + (level - z) / glass->side));
    }
    return share;
}

static void a_solid_takes_up_the_room_of_its_own_density(void **state) {
    (void)state;
    Glass glass = make_glass(false);
    ThawReport report;
    assert_ok(thaw_world_step(glass.world, 1e-4, &report));
    double distance = thaw_lattice_distance(3, SPACING) * cbrt(1000 / ICE);
    assert_true(fabs(nearest_in_cube(&glass) / distance - 1) < 1e-3);
    double mass = (glass.water + glass.ice) * 1000 * SPACING * SPACING * SPACING;
    assert_true(fabs(report.mass / mass - 1) < 1e-6);
    thaw_world_destroy(glass.world);
}

static void ice_of_the_waters_own_material_floats(void **state) {
    (void)state;
    Glass glass = make_glass(true);
    run(&glass, 1.5);
    double share = 0;
    for (int n = 0; n < 30; n++) {
        run(&glass, 1.0 / 60);
        share += wet_share(&glass) / 30;
    }
    print_message("%.3f of the ice is wet (0.917)\n", share);
    // a third of a layer of the cube's height
    assert_true(fabs(share - 0.917) < 0.05);
    thaw_world_destroy(glass.world);
}

// ---------------------------------------------------------------- it melts

#define LOW_SPACING 0.01
#define LOW_WIDTH 0.28
#define LOW_LEVEL 0.2
#define LOW_SIDE 0.16
#define BESIDE 0.055 // m: so much of the surface on either side of the cube is looked at
#define COLUMNS 5

static ThawMaterialDef insulating_ice(void) {
    ThawMaterialDef def = ice_water();
    def.thermal.conductivity = 0;
    def.thermal.melts_at = 273;
    return def;
}

// 2D: a square of ice, two fifths of all there is, swims in water at its melting point
static ThawWorld *make_low_glass(void) {
    ThawWorldDef def = small_def(2);
    def.spacing = LOW_SPACING;
    def.heat.on = true;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef matter = insulating_ice();
    ThawBodyDef body = thaw_body_default();
    assert_ok(thaw_world_add_material(world, &matter, &body.material));
    ThawColliderDef tank = thaw_collider_default();
    ThawColliderId tank_id;
    tank.container = true;
    tank.friction = 0;
    tank.shape = thaw_shape_box((ThawVec3){0, 0.5, 0}, (ThawVec3){LOW_WIDTH, 1, 1});
    assert_ok(thaw_world_add_collider(world, &tank, &tank_id));
    double low = LOW_LEVEL - 0.9 * LOW_SIDE, w = LOW_WIDTH / 2, s = LOW_SIDE / 2;
    pour_box(world, body.material, (ThawVec3){-w, 0, -1}, (ThawVec3){w, low, 1});
    pour_box(world, body.material, (ThawVec3){-w, low, -1}, (ThawVec3){-s, LOW_LEVEL, 1});
    pour_box(world, body.material, (ThawVec3){s, low, -1}, (ThawVec3){w, LOW_LEVEL, 1});
    body.state = THAW_STATE_SOLID;
    body.shape = thaw_shape_box((ThawVec3){0, low + s, 0}, (ThawVec3){LOW_SIDE, LOW_SIDE, 1});
    ThawBodyId ice;
    assert_ok(thaw_world_add_body(world, &body, &ice));
    assert_ok(thaw_world_set_temperature(world, NULL, 273));
    return world;
}

// adds what the highest particle of each column is, beside where the cube swims
static double top_of(ThawWorld *world) {
    uint32_t count = thaw_world_count(world);
    double(*at)[3] = malloc(count * sizeof *at), top[2 * COLUMNS] = {0}, sum = 0;
    assert_non_null(at);
    thaw_world_positions(world, at);
    for (uint32_t row = 0; row < count; row++) {
        double in = fmax(LOW_WIDTH / 2 - fabs(at[row][0]), 0);
        int column = (int)(in / BESIDE * COLUMNS);
        if (column >= COLUMNS) continue;
        column += at[row][0] > 0 ? COLUMNS : 0;
        top[column] = fmax(top[column], at[row][1]);
    }
    for (int k = 0; k < 2 * COLUMNS; k++) sum += top[k] / (2 * COLUMNS);
    free(at);
    return sum + LOW_SPACING / 2;
}

// m: the mean of a second, after two in which all comes to rest
static double level_of(ThawWorld *world, ThawReport *report) {
    double level = 0;
    for (int n = 0; n < 180; n++) {
        assert_ok(thaw_world_step(world, 1.0 / 60, report));
        if (n >= 120) level += top_of(world) / 60;
    }
    return level;
}

// If the ice stayed as big as it was, or its water took up too little room, the level would move by 0.75 spacings.
static void water_stands_as_high_when_its_ice_has_melted(void **state) {
    (void)state;
    ThawWorld *world = make_low_glass();
    ThawReport report;
    double before = level_of(world, &report);
    uint32_t ice = report.solid;
    double more = ice * (1000 / ICE - 1) * LOW_SPACING * LOW_SPACING / LOW_WIDTH;
    assert_true(more > 0.7 * LOW_SPACING);
    assert_ok(thaw_world_set_temperature(world, NULL, 274));
    double after = level_of(world, &report);
    double full = report.particles * LOW_SPACING * LOW_SPACING / LOW_WIDTH;
    print_message(
        "level %.4f m with %u particles of ice, %.4f without; N d^2 over the width %.4f\n", before,
        ice, after, full);
    assert_int_equal(report.solid, 0);
    assert_true(fabs(after - before) < 0.5 * LOW_SPACING);
    // and so high as so much water should; as dense as it is at rest, and looked at by particles' tops
    assert_true(fabs(after - full) < 0.5 * LOW_SPACING);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- it conducts

// the mean temperature of a bar that is held hot at one end, after ten seconds; its lattice and masses are the same
// whatever part of its room it owes to being solid
static double warmed_bar(double swell) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING / cbrt(swell);
    def.gravity = (ThawVec3){0, 0, 0};
    def.heat.on = true;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef matter = thaw_material_default();
    matter.density = (float)(1000 * swell);
    matter.solid.density = swell == 1 ? 0 : 1000;
    matter.thermal.conductivity = matter.thermal.specific_heat = 1000;
    ThawBodyDef body = thaw_body_default();
    ThawBodyId bar;
    assert_ok(thaw_world_add_material(world, &matter, &body.material));
    body.state = THAW_STATE_SOLID;
    body.temperature = 300;
    body.shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.6, 0.16, 0.16});
    assert_ok(thaw_world_add_body(world, &body, &bar));
    ThawHeatSourceDef hot = thaw_heat_source_default();
    ThawHeatSourceId source;
    hot.temperature = 400;
    hot.region = thaw_shape_box((ThawVec3){-0.3, 0, 0}, (ThawVec3){0.1, 1, 1});
    assert_ok(thaw_world_add_heat_source(world, &hot, &source));
    for (int n = 0; n < 20; n++) assert_ok(thaw_world_step(world, 0.5, NULL));
    ThawView view;
    double sum = 0;
    assert_ok(thaw_world_view(world, "temperature", &view));
    for (uint32_t row = 0; row < view.count; row++) sum += (double)((const float *)view.data)[row];
    thaw_world_destroy(world);
    return sum / view.count;
}

static void swollen_matter_conducts_as_its_own_lattice_does(void **state) {
    (void)state;
    double plain = warmed_bar(1);
    assert_true(plain > 310 && plain < 390);
    // sizes are floats: 1e-4 of what it took up
    assert_true(fabs(warmed_bar(1.09) - plain) < 1e-4 * (plain - 300));
    assert_true(fabs(warmed_bar(1.5) - plain) < 1e-4 * (plain - 300));
}

static void densities_far_from_the_liquids_are_refused(void **state) {
    (void)state;
    ThawWorldDef def = thaw_world_default();
    ThawWorld *world;
    assert_ok(thaw_world_create(&def, &world));
    ThawMaterialDef matter = ice_water();
    ThawMaterialId material;
    matter.solid.density = 400;
    assert_refused(thaw_world_add_material(world, &matter, &material), "solid.density");
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solid_takes_up_the_room_of_its_own_density),
        cmocka_unit_test(ice_of_the_waters_own_material_floats),
        cmocka_unit_test(water_stands_as_high_when_its_ice_has_melted),
        cmocka_unit_test(swollen_matter_conducts_as_its_own_lattice_does),
        cmocka_unit_test(densities_far_from_the_liquids_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
