// Heat in the public API: temperatures that things begin with, sources, what is set by hand, rules, and that what is
// wrong is refused by name.
#include "emitting.h"

#include "models/heat_state.h"

#include <stdatomic.h>

static ThawWorldDef warm_def(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    def.gravity = (ThawVec3){0, 0, 0};
    def.heat.on = true;
    def.heat.ambient = 300;
    return def;
}

static ThawWorld *warm_world(void) {
    ThawWorldDef def = warm_def(3);
    return make_world(&def);
}

// 1000 J/(kg K), melts at 320 K and takes 1e5 J/kg for it
static ThawMaterialDef wax_def(void) {
    ThawMaterialDef def = thaw_material_default();
    def.name = "wax";
    def.density = 900;
    def.thermal.specific_heat = 1000;
    def.thermal.melts_at = 320;
    def.thermal.latent_heat = 1e5f;
    return def;
}

static ThawMaterialId add_wax(ThawWorld *world) {
    ThawMaterialDef def = wax_def();
    ThawMaterialId wax;
    assert_ok(thaw_world_add_material(world, &def, &wax));
    return wax;
}

static ThawBodyId add_box(ThawWorld *world, ThawMaterialId material, double x, float temperature) {
    ThawBodyDef def = box_def(material, (ThawVec3){x, 0, 0});
    def.shape.size = (ThawVec3){0.05, 0.05, 0.05};
    def.temperature = temperature;
    ThawBodyId body;
    assert_ok(thaw_world_add_body(world, &def, &body));
    return body;
}

static ThawShape ball_at(double x) {
    return thaw_shape_sphere((ThawVec3){x, 0, 0}, 0.2);
}

// J in all particles
static double heat_of(ThawWorld *world) {
    const double *heat = view_of(world, "enthalpy").data;
    double sum = 0;
    for (uint32_t row = 0; row < thaw_world_count(world); row++) {
        sum += thaw_world_mass(world, row) * heat[row];
    }
    return sum;
}

static double mass_of(ThawWorld *world) {
    double sum = 0;
    for (uint32_t row = 0; row < thaw_world_count(world); row++) sum += thaw_world_mass(world, row);
    return sum;
}

// the one temperature of every particle with x between two places
static float temperature_between(ThawWorld *world, float from, float to) {
    const float *temperature = view_of(world, "temperature").data;
    const float *position = view_of(world, "position").data;
    float found = 0;
    for (uint32_t row = 0; row < thaw_world_count(world); row++) {
        if (position[3 * row] < from || position[3 * row] > to) continue;
        if (found == 0) found = temperature[row];
        assert_true(temperature[row] == found);
    }
    assert_true(found > 0);
    return found;
}

#define assert_near(value, wanted, tolerance)                                                      \
    do {                                                                                           \
        double assert_value = (value), assert_wanted = (wanted);                                   \
        if (!(fabs(assert_value - assert_wanted) <= (tolerance))) {                                \
            fail_msg(#value " is %.12g, not %.12g", assert_value, assert_wanted);                  \
        }                                                                                          \
    } while (0)

// ---------------------------------------------------------------- the air

static void worlds_have_no_heat_unless_asked(void **state) {
    (void)state;
    ThawWorldDef def = thaw_world_default();
    ThawHeatDef air = thaw_heat_default();
    assert_false(def.heat.on);
    assert_true(air.ambient == 293.15f && air.convection == 0 && air.emissivity == 0 && !air.on);
    ThawWorld *world = small_world(3);
    add_box(world, add_water(world), 0, 350);
    ThawView view;
    assert_missing(thaw_world_view(world, "temperature", &view), "no heat");
    assert_missing(thaw_world_view(world, "enthalpy", &view), "no heat");
    assert_int_equal(world->store->channel_count, 0);
    ThawReport report = step(world, 0.001);
    assert_true(report.heat == 0 && report.heat_taken == 0 && report.hottest == 0);
    assert_refused(thaw_world_set_temperature(world, NULL, 300), "no heat");
    assert_refused(thaw_world_add_heat(world, NULL, 1), "no heat");
    ThawTransitionRules rules = {0};
    assert_refused(thaw_world_set_rules(world, (ThawMaterialId){1}, &rules), "no heat");
    ThawHeatSourceDef source = thaw_heat_source_default();
    source.everywhere = true;
    assert_refused(thaw_world_add_heat_source(world, &source, NULL), "no heat");
    // the names are free
    ThawChannelDef own = {"temperature", THAW_I32, 2};
    assert_ok(thaw_world_add_channel(world, &own));
    assert_int_equal(view_of(world, "temperature").components, 2);
    thaw_world_destroy(world);
}

static void bad_air_is_refused_by_name(void **state) {
    (void)state;
    ThawWorld *world = NULL;
    ThawWorldDef def = warm_def(3);
    const float bad[] = {0, -1, NAN, INFINITY, 2e6f};
    for (int k = 0; k < 5; k++) {
        def.heat.ambient = bad[k];
        assert_refused(thaw_world_create(&def, &world), "heat.ambient");
    }
    def = warm_def(3);
    def.heat.convection = -1;
    assert_refused(thaw_world_create(&def, &world), "heat.convection");
    def = warm_def(3);
    def.heat.emissivity = 1.01f;
    assert_refused(thaw_world_create(&def, &world), "heat.emissivity");
    // not looked at where there is none
    def.heat.on = false;
    world = make_world(&def);
    thaw_world_destroy(world);
}

static void air_changes_while_a_world_runs_but_heat_stays_on(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawHeatDef air = {.on = true, .ambient = 250, .convection = 20};
    assert_ok(thaw_world_set_heat(world, &air));
    add_box(world, add_wax(world), 0, 0);
    assert_true(temperature_between(world, -1, 1) == 250);
    air.ambient = 0;
    assert_refused(thaw_world_set_heat(world, &air), "heat.ambient");
    air = thaw_heat_default();
    assert_refused(thaw_world_set_heat(world, &air), "heat.on");
    assert_true(world->def.heat.ambient == 250);
    thaw_world_destroy(world);
    world = small_world(3);
    air.on = true;
    assert_refused(thaw_world_set_heat(world, &air), "heat.on");
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- temperatures to begin with

static void particles_begin_as_warm_as_said_or_as_the_air(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawMaterialId wax = add_wax(world);
    add_box(world, wax, 0, 0);
    add_box(world, wax, 1, 350);
    const double x[1][3] = {{2, 0, 0}};
    ThawParticlesDef particles = {.material = wax, .count = 1, .positions = x, .temperature = 280};
    assert_ok(thaw_world_add_particles(world, &particles, NULL));
    ThawEmitterDef emitter = disc_def(wax, 0.02, 1);
    emitter.pose.position.x = 3;
    emitter.temperature = 400;
    add_emitter(world, &emitter);
    for (int k = 0; k < 4; k++) step(world, 0.005);
    assert_true(temperature_between(world, -0.5f, 0.5f) == 300);
    assert_near((double)temperature_between(world, 0.5f, 1.5f), 350, 1e-4);
    assert_near((double)temperature_between(world, 1.5f, 2.5f), 280, 1e-4);
    assert_near((double)temperature_between(world, 2.5f, 3.5f), 400, 1e-4);
    // 1000 J/kg a kelvin, and the latent heat above 320 K
    uint32_t row;
    assert_ok(thaw_world_index(world, ((uint64_t)2 << 40) | 1, &row));
    assert_near(((const double *)view_of(world, "enthalpy").data)[row], 350e3 + 1e5, 1e-3);
    thaw_world_destroy(world);
}

static void matter_at_its_melting_point_is_as_molten_as_its_state_says(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawBodyDef def = box_def(add_wax(world), (ThawVec3){0, 0, 0});
    def.shape.size = (ThawVec3){0.03, 0.03, 0.03};
    def.temperature = 320;
    assert_ok(thaw_world_add_body(world, &def, NULL));
    uint32_t liquid = thaw_world_count(world);
    def.state = THAW_STATE_SOLID;
    def.shape.pose.position.x = 1;
    assert_ok(thaw_world_add_body(world, &def, NULL));
    const float *molten = view_of(world, "molten").data;
    const float *temperature = view_of(world, "temperature").data;
    for (uint32_t row = 0; row < thaw_world_count(world); row++) {
        assert_true(temperature[row] == 320);
        assert_true(molten[row] == (row < liquid ? 1 : 0));
    }
    thaw_world_destroy(world);
}

static void bad_temperatures_are_refused_by_name(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawMaterialId wax = add_wax(world);
    const double x[1][3] = {{2, 0, 0}};
    const float bad[] = {-1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        ThawBodyDef body = box_def(wax, (ThawVec3){0, 0, 0});
        body.temperature = bad[k];
        assert_refused(thaw_world_add_body(world, &body, NULL), "\"box\": temperature");
        ThawParticlesDef particles = {
            .material = wax, .count = 1, .positions = x, .temperature = bad[k]};
        assert_refused(thaw_world_add_particles(world, &particles, NULL), "particles: temperature");
        ThawEmitterDef emitter = disc_def(wax, 0.02, 1);
        emitter.temperature = bad[k];
        assert_refused(thaw_world_add_emitter(world, &emitter, NULL), "emitter: temperature");
        ThawColliderDef collider = thaw_collider_default();
        collider.shape = ball_at(0);
        collider.temperature = bad[k];
        assert_refused(thaw_world_add_collider(world, &collider, NULL), "collider: temperature");
        collider.temperature = 0;
        collider.heat_transfer = bad[k];
        assert_refused(thaw_world_add_collider(world, &collider, NULL), "collider: heat_transfer");
    }
    assert_int_equal(thaw_world_count(world), 0);
    thaw_world_destroy(world);
}

static void colliders_change_their_temperature(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawColliderDef def = thaw_collider_default();
    def.shape = ball_at(0);
    def.temperature = 250;
    def.heat_transfer = 40;
    ThawColliderId rod;
    assert_ok(thaw_world_add_collider(world, &def, &rod));
    assert_true(world->colliders[0].temperature == 250 && world->colliders[0].heat_transfer == 40);
    assert_false(world->colliders[0].frosts);
    assert_ok(thaw_world_set_collider_temperature(world, rod, 400));
    assert_true(world->colliders[0].temperature == 400);
    assert_refused(thaw_world_set_collider_temperature(world, rod, -3), "temperature");
    assert_ok(thaw_world_set_collider_temperature(world, rod, 0));
    assert_missing(thaw_world_set_collider_temperature(world, (ThawColliderId){9}, 1),
                   "collider 9");
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- channels

static void channels_of_heat_are_its_own(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    static const char *const names[] = {"enthalpy",   "temperature", "frost",
                                        "melt_youth", "melt_excess", "thermal_mine"};
    for (int k = 0; k < 6; k++) {
        ThawChannelDef def = {names[k], THAW_F32, 1};
        assert_refused(thaw_world_add_channel(world, &def), names[k]);
    }
    ThawChannelDef wide = {"mine", THAW_F64, 1};
    assert_refused(thaw_world_add_channel(world, &wide), "channel.type");
    ThawColliderDef rod = thaw_collider_default();
    rod.shape = ball_at(0);
    rod.frosts = true;
    assert_ok(thaw_world_add_collider(world, &rod, NULL));
    void *data;
    for (int k = 0; k < 3; k++) {
        assert_refused(thaw_world_edit(world, names[k], &data), "thaw_world_set_temperature");
        view_of(world, names[k]);
    }
    assert_refused(thaw_world_edit(world, "molten", &data), "molten");
    assert_int_equal(view_of(world, "enthalpy").type, THAW_F64);
    ThawChannelValue value = {.channel = "temperature", .value = {5}};
    ThawEmitterDef emitter = disc_def(add_wax(world), 0.02, 1);
    emitter.values = &value;
    emitter.value_count = 1;
    assert_refused(thaw_world_add_emitter(world, &emitter, NULL), "values[0].channel");
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- by hand

static void a_region_is_set_to_a_temperature(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawMaterialId wax = add_wax(world);
    add_box(world, wax, 0, 0);
    add_box(world, wax, 1, 0);
    ThawShape there = ball_at(1);
    assert_ok(thaw_world_set_temperature(world, &there, 350));
    assert_true(temperature_between(world, -0.5f, 0.5f) == 300);
    assert_near((double)temperature_between(world, 0.5f, 1.5f), 350, 1e-4);
    assert_ok(thaw_world_set_temperature(world, NULL, 310));
    assert_near((double)temperature_between(world, -0.5f, 1.5f), 310, 1e-4);
    const double bad[] = {0, -5, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        assert_refused(thaw_world_set_temperature(world, NULL, bad[k]), "temperature");
    }
    there.radius = -1;
    assert_refused(thaw_world_set_temperature(world, &there, 300), "region");
    thaw_world_destroy(world);
}

static void heat_is_given_to_the_joule_and_shared_by_mass(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawMaterialId wax = add_wax(world);
    add_box(world, wax, 0, 310);
    add_box(world, add_water(world), 0.05, 310);
    add_box(world, wax, 1, 310);
    ThawShape here = ball_at(0);
    double before = heat_of(world);
    assert_ok(thaw_world_add_heat(world, &here, 1234.5));
    assert_near(heat_of(world) - before, 1234.5, 1e-12 * before);
    assert_near((double)temperature_between(world, 0.5f, 1.5f), 310, 1e-4);
    // as many joules a kilogram in both materials
    const double *heat = view_of(world, "enthalpy").data;
    uint32_t a, b;
    assert_ok(thaw_world_index(world, ((uint64_t)1 << 40) | 1, &a));
    assert_ok(thaw_world_index(world, ((uint64_t)2 << 40) | 1, &b));
    assert_near(heat[a] - 310e3, heat[b] - 310.0 * 4186, 1e-6);
    // and away again
    assert_ok(thaw_world_add_heat(world, &here, -1234.5));
    assert_near(heat_of(world), before, 1e-12 * before);
    thaw_world_destroy(world);
}

static void heat_that_is_not_there_cannot_be_taken(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    add_box(world, add_wax(world), 0, 10);
    uint64_t before = thaw_world_hash(world);
    double all = heat_of(world);
    assert_refused(thaw_world_add_heat(world, NULL, -1.01 * all), "joules");
    assert_refused(thaw_world_add_heat(world, NULL, NAN), "joules");
    assert_refused(thaw_world_add_heat(world, NULL, 1e300), "joules");
    assert_true(thaw_world_hash(world) == before);
    // nothing in the region: nothing happens
    ThawShape far = ball_at(50);
    assert_ok(thaw_world_add_heat(world, &far, 1e9));
    assert_true(thaw_world_hash(world) == before);
    thaw_world_destroy(world);
}

// as molten as before on the plateau, as warm as before elsewhere
static void new_values_of_a_material_keep_temperatures(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawMaterialId wax = add_wax(world);
    add_box(world, wax, 0, 310);
    add_box(world, wax, 1, 320);
    add_box(world, wax, 2, 340);
    ThawShape there = ball_at(1);
    // the liquid at its melting point, half frozen
    double mass = mass_of(world) / 3;
    assert_ok(thaw_world_add_heat(world, &there, -0.5e5 * mass));
    ThawMaterialDef other = wax_def();
    other.thermal.specific_heat = 2500;
    other.thermal.melts_at = 325;
    other.thermal.latent_heat = 3e5f;
    assert_ok(thaw_world_set_material(world, wax, &other));
    assert_near((double)temperature_between(world, -0.5f, 0.5f), 310, 1e-3);
    assert_near((double)temperature_between(world, 0.5f, 1.5f), 325, 1e-3);
    assert_near((double)temperature_between(world, 1.5f, 2.5f), 340, 1e-3);
    const float *molten = view_of(world, "molten").data;
    uint32_t row;
    assert_ok(thaw_world_index(world, ((uint64_t)2 << 40) | 1, &row));
    assert_near((double)molten[row], 0.5, 1e-5);
    // values that do not touch the curve leave every bit
    uint64_t before = thaw_world_hash(world);
    assert_ok(thaw_world_set_material(world, wax, &other));
    assert_true(thaw_world_hash(world) == before);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- sources

static ThawHeatSourceDef heater(double power) {
    ThawHeatSourceDef def = thaw_heat_source_default();
    def.name = "heater";
    def.everywhere = true;
    def.power = power;
    return def;
}

static void bad_sources_are_refused_by_name(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
#define BAD(change, word)                                                                          \
    do {                                                                                           \
        ThawHeatSourceDef def = heater(5);                                                         \
        change;                                                                                    \
        assert_refused(thaw_world_add_heat_source(world, &def, NULL), word);                       \
    } while (0)
    BAD(def.power = NAN, "\"heater\": power");
    BAD(def.power = 1e300, "power");
    BAD(def.temperature = -1, "temperature");
    BAD(def.temperature = 300, "power must be 0");
    BAD(def.from = INFINITY, "from");
    BAD(def.to = 0, "to must be after from");
    BAD(def.to = NAN, "to must be after from");
    BAD(def.everywhere = false; def.region = thaw_shape_sphere((ThawVec3){0, 0, 0}, -1), "radius");
    char name[70];
    memset(name, 'a', sizeof name);
    name[69] = '\0';
    BAD(def.name = name, "name");
    ThawHeatSourceDef def = heater(5);
    def.material.value = 3;
    assert_missing(thaw_world_add_heat_source(world, &def, NULL), "material 3");
    def = heater(5);
    def.body.value = 2;
    assert_missing(thaw_world_add_heat_source(world, &def, NULL), "body 2");
    assert_int_equal(world->heat_source_count, 0);
    thaw_world_destroy(world);
}

static void sources_are_kept_by_handle(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawHeatSourceId a, b, c;
    ThawHeatSourceDef def = heater(5);
    assert_ok(thaw_world_add_heat_source(world, &def, &a));
    ThawBall balls[2] = {{{0, 0, 0}, 0.1}, {{0.1, 0, 0}, 0.1}};
    def.everywhere = false;
    def.region = thaw_shape_blend(balls, 2, 0.02);
    assert_ok(thaw_world_add_heat_source(world, &def, &b));
    balls[0].radius = -1; // its own copy
    assert_ok(thaw_world_remove_heat_source(world, a));
    assert_missing(thaw_world_remove_heat_source(world, a), "heat source 1");
    def = heater(7);
    def.name = "other";
    assert_ok(thaw_world_add_heat_source(world, &def, &c));
    assert_int_equal(c.value, 3);
    assert_ok(thaw_world_set_heat_source(world, b, &def));
    assert_string_equal(world->heat_sources[0].name, "heater");
    assert_true(world->heat_sources[0].def.power == 7);
    def.power = NAN;
    assert_refused(thaw_world_set_heat_source(world, b, &def), "power");
    assert_missing(thaw_world_set_heat_source(world, a, &def), "heat source 1");
    double given;
    assert_missing(thaw_world_heat_given(world, a, &given), "heat source 1");
    assert_ok(thaw_world_heat_given(world, b, &given));
    assert_true(given == 0);
    thaw_world_destroy(world);
}

// J that a source gave, and what the world's heat became by, over steps of 10 ms
static void run_source(ThawWorld *world, ThawHeatSourceId source, int steps, double wanted) {
    double before = heat_of(world), taken = 0, given;
    for (int k = 0; k < steps; k++) taken += step(world, 0.01).heat_taken;
    assert_ok(thaw_world_heat_given(world, source, &given));
    assert_near(given, wanted, 1e-9 * fabs(wanted) + 1e-9);
    assert_near(taken, wanted, 1e-9 * fabs(wanted) + 1e-9);
    assert_near(heat_of(world) - before, wanted, 1e-10 * before);
}

static void power_is_given_while_a_source_acts(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    add_box(world, add_wax(world), 0, 0);
    ThawHeatSourceDef def = heater(500);
    def.from = 0.013;
    def.to = 0.038;
    ThawHeatSourceId source;
    assert_ok(thaw_world_add_heat_source(world, &def, &source));
    run_source(world, source, 6, 500 * 0.025);
    thaw_world_destroy(world);
}

static void sources_cool_as_well(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    add_box(world, add_wax(world), 0, 0);
    ThawHeatSourceDef def = heater(-200);
    ThawHeatSourceId source;
    assert_ok(thaw_world_add_heat_source(world, &def, &source));
    run_source(world, source, 3, -200 * 0.03);
    thaw_world_destroy(world);
}

// which of three boxes a source warms: 0 wax, 1 water, 2 wax
static uint32_t find_warmed(void (*choose)(ThawHeatSourceDef *def)) {
    ThawWorld *world = warm_world();
    ThawMaterialId wax = add_wax(world), water = add_water(world);
    add_box(world, wax, 0, 0);
    add_box(world, water, 1, 0);
    add_box(world, wax, 2, 0);
    ThawHeatSourceDef def = heater(100);
    choose(&def);
    ThawHeatSourceId source;
    assert_ok(thaw_world_add_heat_source(world, &def, &source));
    run_source(world, source, 1, 1);
    uint32_t warmed = 0;
    for (uint32_t k = 0; k < 3; k++) {
        float at = (float)k, temperature = temperature_between(world, at - 0.5f, at + 0.5f);
        if (temperature > 300.0005f) warmed |= 1u << k;
    }
    thaw_world_destroy(world);
    return warmed;
}

static void choose_region(ThawHeatSourceDef *def) {
    def->everywhere = false;
    def->region = ball_at(2);
}

static void choose_material(ThawHeatSourceDef *def) {
    def->material.value = 2;
}

static void choose_body(ThawHeatSourceDef *def) {
    def->body.value = 1;
}

static void choose_both(ThawHeatSourceDef *def) {
    def->everywhere = false;
    def->region = thaw_shape_sphere((ThawVec3){0.5, 0, 0}, 0.8);
    def->material.value = 1;
}

static void sources_heat_what_they_are_for_and_nothing_else(void **state) {
    (void)state;
    assert_int_equal(find_warmed(choose_region), 4);
    assert_int_equal(find_warmed(choose_material), 2);
    assert_int_equal(find_warmed(choose_body), 1);
    assert_int_equal(find_warmed(choose_both), 1);
}

static void a_source_holds_a_temperature(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    add_box(world, add_wax(world), 0, 0);
    ThawHeatSourceDef def = heater(0);
    def.temperature = 350;
    ThawHeatSourceId source;
    assert_ok(thaw_world_add_heat_source(world, &def, &source));
    double wanted = mass_of(world) * (50e3 + 1e5);
    run_source(world, source, 2, wanted);
    assert_near((double)temperature_between(world, -1, 1), 350, 1e-3);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- comings and goings

// J of the particles in a region
static double heat_in(ThawWorld *world, const ThawShape *region) {
    static ThawParticleId ids[20000];
    uint32_t count;
    assert_ok(thaw_world_find(world, region, ids, 20000, &count));
    assert_true(count <= 20000);
    const double *heat = view_of(world, "enthalpy").data;
    double sum = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, ids[k], &row));
        sum += thaw_world_mass(world, row) * heat[row];
    }
    return sum;
}

static void the_budget_of_heat_is_closed_with_emitters_and_sinks(void **state) {
    (void)state;
    ThawWorldDef warm = warm_def(3);
    warm.heat.convection = 50;
    ThawWorld *world = make_world(&warm);
    ThawMaterialId wax = add_wax(world);
    add_box(world, wax, 0, 310);
    ThawEmitterDef emitter = disc_def(wax, 0.03, 1);
    emitter.temperature = 400;
    emitter.pose.position.x = 0.3;
    ThawEmitterId nozzle = add_emitter(world, &emitter);
    ThawHeatSourceDef source = heater(300);
    assert_ok(thaw_world_add_heat_source(world, &source, NULL));
    double first = heat_of(world), taken = 0, gone = 0, specific = 400e3 + 1e5;
    ThawShape half = thaw_shape_box((ThawVec3){0.3, 0, 0.15}, (ThawVec3){0.2, 0.2, 0.1});
    for (int k = 0; k < 30; k++) {
        // a sink for the length of a step takes what is inside when the step begins
        ThawSinkDef sink = thaw_sink_default();
        sink.shape = half;
        sink.from = thaw_world_time(world) - 1e-9;
        sink.to = thaw_world_time(world) + 1e-6;
        if (k % 10 == 9) assert_ok(thaw_world_add_sink(world, &sink, NULL));
        if (k % 10 == 9) gone += heat_in(world, &half);
        taken += step(world, 0.005).heat_taken;
    }
    double born = state_of(world, nozzle).volume * 900 * specific;
    assert_true(gone > 0 && born > gone && taken > 1);
    assert_near(heat_of(world) - first, taken + born - gone, 1e-6 * born);
    thaw_world_destroy(world);
}

static void the_report_tells_of_heat(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawMaterialId wax = add_wax(world);
    add_box(world, wax, 0, 280);
    add_box(world, wax, 1, 350);
    ThawReport report = step(world, 0.001);
    assert_near(report.heat, heat_of(world), 1e-9 * report.heat);
    assert_near(report.molten, mass_of(world) / 2, 1e-9);
    assert_near(report.coldest, 280, 1e-3);
    assert_near(report.hottest, 350, 1e-3);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- rules

typedef struct Asked {
    atomic_uint count;
    atomic_bool wrong;
    int object;
} Asked;

static double melt_on_the_right(void *user, const ThawTransitionPoint *point) {
    Asked *asked = user;
    asked->count++;
    bool good = point->time >= 0 && point->temperature > 299 && point->temperature < 301 &&
                point->molten == 0 && point->spacing == 0.01f && point->id >> 40 == 1 &&
                point->object == asked->object;
    if (!good) asked->wrong = true;
    return point->position[0] > 0 ? (double)INFINITY : 0;
}

static double freeze_never(void *user, const ThawTransitionPoint *point) {
    (void)user, (void)point;
    return 0;
}

static void rules_say_who_melts(void **state) {
    (void)state;
    ThawWorld *world = warm_world();
    ThawMaterialDef wax = wax_def();
    ThawMaterialId material;
    wax.thermal.latent_heat = 0;
    assert_ok(thaw_world_add_material(world, &wax, &material));
    ThawBodyDef def = box_def(material, (ThawVec3){0, 0, 0});
    def.state = THAW_STATE_SOLID;
    ThawBodyId body;
    assert_ok(thaw_world_add_body(world, &def, &body));
    Asked asked = {.object = (int)body.value};
    ThawTransitionRules rules = {
        .melts = melt_on_the_right, .freezes = freeze_never, .user = &asked};
    assert_ok(thaw_world_set_rules(world, material, &rules));
    // a material more, which has none
    add_water(world);
    ThawReport report = step(world, 0.002);
    assert_true(asked.count >= thaw_world_count(world) / 2 && !asked.wrong);
    assert_true(report.melted > 100);
    const float *position = view_of(world, "position").data;
    const uint8_t *states = view_of(world, "state").data;
    for (uint32_t row = 0; row < thaw_world_count(world); row++) {
        if (fabsf(position[3 * row]) < 0.003f) continue; // may have crossed the middle
        assert_int_equal(states[row], position[3 * row] > 0 ? THAW_STATE_LIQUID : THAW_STATE_SOLID);
    }
    assert_ok(thaw_world_set_rules(world, material, NULL));
    unsigned before = asked.count;
    step(world, 0.002);
    assert_int_equal(asked.count, before);
    assert_missing(thaw_world_set_rules(world, (ThawMaterialId){9}, &rules), "material 9");
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_have_no_heat_unless_asked),
        cmocka_unit_test(bad_air_is_refused_by_name),
        cmocka_unit_test(air_changes_while_a_world_runs_but_heat_stays_on),
        cmocka_unit_test(particles_begin_as_warm_as_said_or_as_the_air),
        cmocka_unit_test(matter_at_its_melting_point_is_as_molten_as_its_state_says),
        cmocka_unit_test(bad_temperatures_are_refused_by_name),
        cmocka_unit_test(colliders_change_their_temperature),
        cmocka_unit_test(channels_of_heat_are_its_own),
        cmocka_unit_test(a_region_is_set_to_a_temperature),
        cmocka_unit_test(heat_is_given_to_the_joule_and_shared_by_mass),
        cmocka_unit_test(heat_that_is_not_there_cannot_be_taken),
        cmocka_unit_test(new_values_of_a_material_keep_temperatures),
        cmocka_unit_test(bad_sources_are_refused_by_name),
        cmocka_unit_test(sources_are_kept_by_handle),
        cmocka_unit_test(power_is_given_while_a_source_acts),
        cmocka_unit_test(sources_cool_as_well),
        cmocka_unit_test(sources_heat_what_they_are_for_and_nothing_else),
        cmocka_unit_test(a_source_holds_a_temperature),
        cmocka_unit_test(the_budget_of_heat_is_closed_with_emitters_and_sinks),
        cmocka_unit_test(the_report_tells_of_heat),
        cmocka_unit_test(rules_say_who_melts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
