// What is loaded or strained when it melts is let out and not thrown: it begins to move as slowly as what falls by a
// spacing, elastic energy does not become a burst, and momentum, resuming and threads are as ever.
#include "thermal/changing.h"

#include <thaw/snapshot.h>

#define EARLY 0.04 // s after the first melting: later melt is squeezed out by what lies on it
#define REST 1.0   // s in which blocks come to rest
#define LID 8.0    // times as dense as the block

// ---------------------------------------------------------------- a loaded block on a hot plate

typedef struct Case {
    int dimensions;
    double spacing, young;
    double width; // spacings
    bool lid;
    double dt;
    int substeps;
    double most; // times the speed of what falls by a spacing
} Case;

static ThawVec3 upright(int dimensions, double aside, double up) {
    return dimensions == 2 ? (ThawVec3){aside, up, 1} : (ThawVec3){aside, aside, up};
}

static void lay_brick(ThawWorld *world, const Case *c, ThawMaterialId material, int storey) {
    double side = c->width * c->spacing;
    ThawVec3 size = upright(c->dimensions, side, side);
    ThawVec3 at =
        upright(c->dimensions, 0, (storey + 0.5) * side + (0.02 + 0.04 * storey) * c->spacing);
    if (c->dimensions == 2) at.z = 0;
    ThawBodyDef def = thaw_body_default();
    def.name = storey == 0 ? "block" : "lid";
    def.material = material;
    def.state = THAW_STATE_SOLID;
    def.shape = thaw_shape_box(at, size);
    ThawBodyId id;
    assert_ok(thaw_world_add_body(world, &def, &id));
}

static ThawMaterialDef stiff_def(const Case *c) {
    ThawMaterialDef def = wax_def();
    def.solid.young = (float)c->young;
    def.solid.damping = 0.3f;
    def.thermal.conductivity = 1000;
    def.thermal.specific_heat = 1800;
    def.thermal.latent_heat = 2e4f;
    return def;
}

static ThawWorld *build(const Case *c, ThawColliderId *plate) {
    ThawWorldDef def = small_def(c->dimensions);
    def.spacing = c->spacing;
    def.heat.on = true;
    def.heat.ambient = MELTS_AT - 20;
    def.solver.substeps = c->substeps;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef block = stiff_def(c), lid = stiff_def(c);
    lay_brick(world, c, add_material(world, &block), 0);
    lid.name = "lid";
    lid.density = lid.solid.density = (float)(LID * (double)block.density);
    lid.thermal.melts_at = lid.thermal.conductivity = lid.thermal.latent_heat = 0;
    if (c->lid) lay_brick(world, c, add_material(world, &lid), 1);
    ThawColliderDef hot = thaw_collider_default();
    hot.name = "plate";
    hot.friction = 0.5f;
    ThawVec3 up = {0, c->dimensions == 2 ? 1 : 0, c->dimensions == 2 ? 0 : 1};
    hot.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, up);
    assert_ok(thaw_world_add_collider(world, &hot, plate));
    return world;
}

static void check_block(const Case *c) {
    ThawColliderId plate;
    ThawWorld *world = build(c, &plate);
    double rest = 0, fastest = 0, time = 0, fall = sqrt(2 * 9.81 * c->spacing);
    for (int k = 0; k * c->dt < REST; k++) rest = step(world, c->dt).max_speed;
    assert_ok(thaw_world_set_collider_temperature(world, plate, MELTS_AT + 150));
    uint64_t melted = 0;
    for (int k = 0; time < EARLY && k < 1000; k++) {
        ThawReport report = step(world, c->dt);
        melted += report.melted;
        if (melted == 0) continue;
        fastest = fmax(fastest, report.max_speed);
        time += c->dt;
    }
    print_message("%dD, %.0f spacings of %.0f cm, %.0e Pa, lid %d, 1/%.0f s, %d substeps: at rest "
                  "%.3f, then %.3f m/s, %.2f of a fall; %llu melted\n",
                  c->dimensions, c->width, 100 * c->spacing, c->young, c->lid, 1 / c->dt,
                  c->substeps, rest, fastest, fastest / fall, (unsigned long long)melted);
    assert_true(melted >= 5);
    assert_below(fastest, c->most * fall);
    thaw_world_destroy(world);
}

static void a_loaded_block_is_not_thrown_in_2d(void **state) {
    (void)state;
    const Case cases[] = {
        {2, 0.01, 1e5, 12, false, 1.0 / 120, 0, 1},  {2, 0.01, 1e6, 12, true, 1.0 / 120, 0, 1},
        {2, 0.01, 1e7, 12, true, 1.0 / 120, 0, 1},   {2, 0.01, 1e6, 12, true, 1.0 / 480, 0, 1},
        {2, 0.01, 1e6, 12, true, 1.0 / 120, 32, 1},  {2, 0.02, 1e6, 12, true, 1.0 / 120, 0, 1},
        {2, 0.01, 1e6, 24, false, 1.0 / 120, 0, 1},  {2, 0.01, 1e7, 24, true, 1.0 / 120, 0, 1},
        {2, 0.01, 1e5, 12, true, 1.0 / 120, 0, 2.5}, // strained by a tenth
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) check_block(&cases[k]);
}

// Under a lid solids beside fresh melt spring back by up to 1.5 of a fall, once the rim of the block carries its share;
// thrown melt had 2.3 to 2.6.
static void a_loaded_block_is_not_thrown_in_3d(void **state) {
    (void)state;
    const Case cases[] = {
        {3, 0.01, 1e5, 7, false, 1.0 / 120, 0, 1},  {3, 0.01, 1e6, 7, true, 1.0 / 120, 0, 1},
        {3, 0.01, 1e7, 7, true, 1.0 / 120, 0, 1.6}, {3, 0.02, 1e6, 7, true, 1.0 / 120, 0, 1},
        {3, 0.01, 1e6, 10, false, 1.0 / 120, 0, 1}, {3, 0.01, 1e6, 7, true, 1.0 / 480, 0, 1.6},
        {3, 0.01, 1e6, 7, true, 1.0 / 120, 32, 1},  {3, 0.01, 1e5, 7, true, 1.0 / 120, 0, 2.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) check_block(&cases[k]);
}

// ---------------------------------------------------------------- strained bodies

static void stretch(ThawWorld *world, double by) {
    int64_t *cells = world->store->cells;
    for (size_t k = 0; k < 3 * (size_t)world->store->count; k++) {
        cells[k] = (int64_t)((double)cells[k] * by);
    }
}

// a block about the origin that was stretched as a whole, not yet moved
static ThawWorld *strained_block(int dimensions, double young, double by, int threads) {
    ThawWorldDef def = warm_def(dimensions);
    def.threads = threads;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = (float)young;
    wax.solid.damping = 0;
    ThawVec3 flat = {0.2, 0.2, 0.1}, cube = {0.1, 0.1, 0.1};
    add_block(world, add_material(world, &wax), dimensions == 2 ? flat : cube, THAW_STATE_SOLID);
    set_all(world, MELTS_AT - 1);
    step(world, 1e-6);
    stretch(world, by);
    return world;
}

static void melt_right_of(ThawWorld *world, double x) {
    ThawShape there = thaw_shape_box((ThawVec3){x + 1, 0, 0}, (ThawVec3){2, 2, 2});
    assert_ok(thaw_world_set_temperature(world, &there, MELTS_AT + 1));
}

static double kinetic_of(const ThawWorld *world) {
    double sum = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double mass = 1000 * pow((double)world->store->spacing[row], world->def.dimensions);
        for (size_t a = 0; a < 3; a++) {
            double v = (double)world->store->velocity[3 * (size_t)row + a];
            sum += 0.5 * mass * v * v;
        }
    }
    return sum;
}

// Lets what is right of x melt; returns the most kinetic energy, over the elastic energy there was.
static double burst_of(int dimensions, double young, double by, double x, double dt) {
    ThawWorld *world = strained_block(dimensions, young, by, 1);
    double elastic = step(world, 1e-6).elastic, most = 0, fastest = 0, before[3], after[3];
    melt_right_of(world, x);
    momentum_of(world, before);
    assert_true(step(world, 1e-6).melted > 0);
    for (int k = 0; k * dt < 0.5; k++) {
        fastest = fmax(fastest, step(world, dt).max_speed);
        most = fmax(most, kinetic_of(world));
    }
    momentum_of(world, after);
    double mass = 1000 * pow(world->def.spacing, dimensions) * world->store->count;
    for (int a = 0; a < 3; a++) assert_near(after[a], before[a], 1e-6 * mass * fastest);
    print_message("%dD, %.0e Pa, by %.1f, %s, 1/%.0f s: %.4f of the elastic energy, %.3f m/s\n",
                  dimensions, young, by, x < 0 ? "all" : "half", 1 / dt, most / elastic, fastest);
    thaw_world_destroy(world);
    return most / elastic;
}

// what is left solid has half of the energy, and is free to spring
static void elastic_energy_is_no_burst_when_matter_melts(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double young = k & 1 ? 1e6 : 1e5, dt = k == 1 ? 1.0 / 60 : 1.0 / 480;
        int dimensions = k < 2 ? 2 : 3;
        assert_below(burst_of(dimensions, young, 0.9, -1, dt), 0.01);
        assert_below(burst_of(dimensions, young, 1.1, -1, dt), 0.01);
        assert_below(burst_of(dimensions, young, 0.9, 0, dt), 0.6);
        assert_below(burst_of(dimensions, young, 1.1, 0, dt), 0.8);
    }
}

// ---------------------------------------------------------------- all at once, in a tank

#define PRESSED 0.95

static double melt_late(void *user, const ThawTransitionPoint *point) {
    (void)point;
    return *(const bool *)user ? INFINITY : 0;
}

// pressed to 0.95 of its lengths
static void what_melts_at_once_in_a_tank_does_not_leap(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    def.heat.on = true;
    def.heat.ambient = MELTS_AT - 1;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = 1e6f;
    bool late = false;
    ThawTransitionRules rules = {.melts = melt_late, .user = &late};
    ThawMaterialId material = add_material(world, &wax);
    assert_ok(thaw_world_set_rules(world, material, &rules));
    double side = dimensions == 2 ? 0.2 : 0.1;
    add_block(world, material, (ThawVec3){side, side, side}, THAW_STATE_SOLID);
    step(world, 1e-6);
    stretch(world, PRESSED);
    late = true;
    assert_int_equal(step(world, 1e-6).melted, world->store->count);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.friction = 0;
    double wide = PRESSED * side;
    ThawVec3 at = upright(dimensions, 0, 0.5 - 0.5 * wide);
    if (dimensions == 2) at.z = 0;
    tank.shape = thaw_shape_box(at, upright(dimensions, wide, 1));
    ThawColliderId id;
    assert_ok(thaw_world_add_collider(world, &tank, &id));
    double fastest = 0;
    for (int k = 0; k < 240; k++) fastest = fmax(fastest, step(world, 1.0 / 480).max_speed);
    print_message("%dD tank: %.3f m/s\n", dimensions, fastest);
    assert_below(fastest, sqrt(2 * 9.81 * def.spacing));
    thaw_world_destroy(world);
}

static void what_melts_at_once_does_not_leap_in_2d(void **state) {
    (void)state;
    what_melts_at_once_in_a_tank_does_not_leap(2);
}

static void what_melts_at_once_does_not_leap_in_3d(void **state) {
    (void)state;
    what_melts_at_once_in_a_tank_does_not_leap(3);
}

// ---------------------------------------------------------------- youth

static void youth_and_excess_fade_in_time_and_not_in_substeps(void **state) {
    (void)state;
    const double dts[] = {0.1, 0.01, 0.002};
    for (int k = 0; k < 3; k++) {
        ThawWorld *world = strained_block(2, 1e5, 0.9, 1);
        melt_right_of(world, -1);
        assert_int_equal(step(world, 1e-6).melted, world->store->count);
        step(world, 1e-6);
        ThawThermalState heat = thaw_thermal_state(world->store);
        uint32_t row = row_at(world, (ThawVec3){0, 0, 0});
        uint64_t who = world->store->id[row];
        double first = (double)heat.excess[row];
        assert_near((double)heat.youth[row], 1, 1e-4);
        // an area of 0.81: 1 / 0.81 − 1
        assert_near(first, 0.235, 0.02);
        for (int n = 0; n < (int)lrint(0.1 / dts[k]); n++) step(world, dts[k]);
        heat = thaw_thermal_state(world->store);
        row = thaw_store_find(world->store, who);
        assert_near((double)heat.youth[row], exp(-1), 1e-3);
        assert_near((double)heat.excess[row] / first, exp(-1), 1e-3);
        for (int n = 0; n < 60; n++) step(world, 0.01);
        assert_true(thaw_thermal_state(world->store).youth[0] == 0);
        assert_true(thaw_thermal_state(world->store).excess[0] == 0);
        thaw_world_destroy(world);
    }
}

// ---------------------------------------------------------------- the same bits

static uint64_t bits_of(const ThawWorld *world) {
    uint64_t hash = 14695981039346656037u;
    const unsigned char *cells = (const unsigned char *)world->store->cells;
    for (size_t k = 0; k < world->store->count * 3 * sizeof *world->store->cells; k++) {
        hash = (hash ^ cells[k]) * 1099511628211u;
    }
    return hash;
}

static void a_world_goes_on_in_the_same_bits_while_what_melted_is_young(void **state) {
    (void)state;
    ThawWorld *world = strained_block(3, 1e5, 0.9, 1), *copy = NULL;
    ThawWorld *other = strained_block(3, 1e5, 0.9, 3);
    melt_right_of(world, 0);
    melt_right_of(other, 0);
    for (int k = 0; k < 4; k++) step(world, 0.01), step(other, 0.01);
    void *saved;
    size_t size;
    assert_ok(thaw_world_save(world, &saved, &size));
    assert_ok(thaw_world_load(saved, size, NULL, &copy));
    assert_true(thaw_thermal_state(copy->store).youth != NULL);
    for (int k = 0; k < 8; k++) step(world, 0.01), step(other, 0.01), step(copy, 0.01);
    assert_true(bits_of(copy) == bits_of(world));
    assert_true(bits_of(other) == bits_of(world));
    thaw_snapshot_free(saved);
    thaw_world_destroy(copy);
    thaw_world_destroy(other);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_block_is_not_thrown_in_2d),
        cmocka_unit_test(a_loaded_block_is_not_thrown_in_3d),
        cmocka_unit_test(elastic_energy_is_no_burst_when_matter_melts),
        cmocka_unit_test(what_melts_at_once_does_not_leap_in_2d),
        cmocka_unit_test(what_melts_at_once_does_not_leap_in_3d),
        cmocka_unit_test(youth_and_excess_fade_in_time_and_not_in_substeps),
        cmocka_unit_test(a_world_goes_on_in_the_same_bits_while_what_melted_is_young),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
