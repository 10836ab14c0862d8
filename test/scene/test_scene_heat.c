// Scenes with heat: what is read, when it is on, what reaches the world, rules in a scene's own words, and what
// the check says of it.
#include "scene_rig.h"

#include <math.h>
#include <thaw/snapshot.h>

#define WAX                                                                                        \
    "materials:\n  wax: {density: 1000, solid: {young: 1e4}, liquid: {viscosity: 1e-4}, thermal: " \
    "{conductivity: 1000, specific_heat: 1000, melts_at: 300, latent_heat: 1e4}}\n"
#define CUBE                                                                                       \
    "bodies:\n  - {name: cube, material: wax, state: solid, temperature: 290, "                    \
    "shape: {box: {center: [0, 0, 0.2], size: [0.1, 0.1, 0.1]}}}\n"
#define FLOOR "colliders:\n  - {name: floor, shape: {plane: {point: [0, 0, 0]}}}\n"
#define WARM SCENE_HEAD "gravity: [0, 0, 0]\nframes: {count: 24}\n" WAX CUBE FLOOR
#define COLD SCENE_HEAD "gravity: [0, 0, 0]\nframes: {count: 24}\n" SCENE_WATER SCENE_CUBE

static ThawWorld *build(const ThawScene *scene, int threads) {
    ThawHostDef host = {.threads = threads};
    ThawWorld *world = NULL;
    if (thaw_scene_build(scene, &host, &world) != THAW_OK) fail_msg("%s", thaw_error_text());
    return world;
}

static ThawScene *parse_with(const char *text, const char *set) {
    const char *const sets[] = {set};
    ThawSceneOptions options = {.sets = sets, .set_count = set != NULL};
    return parse_scene(text, &options);
}

static void advance(const ThawScene *scene, ThawWorld *world, double dt, ThawReport *report) {
    if (thaw_scene_advance(scene, world, dt, report) != THAW_OK) fail_msg("%s", thaw_error_text());
}

static void assert_near(double value, double wanted, double tolerance) {
    if (!(fabs(value - wanted) <= tolerance * fabs(wanted))) {
        fail_msg("%.17g is not %.17g", value, wanted);
    }
}

// ---------------------------------------------------------------- reading

static void assert_curve(const ThawFactorCurve *curve, int count, float first, float factor) {
    assert_int_equal(curve->count, count);
    assert_true(curve->temperature[0] == first);
    assert_true(curve->factor[0] == factor);
}

static void every_thermal_key_reaches_the_material(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TESTS "/good/heat.yaml");
    ThawThermalDef wax = thaw_scene_material_at(&scene->materials[0], 0).thermal;
    assert_true(wax.conductivity == 25 && wax.specific_heat == 2500);
    assert_true(wax.liquid_conductivity == 15 && wax.liquid_specific_heat == 3000);
    assert_true(wax.melts_at == 333.15f && wax.melting_range == 4 && wax.latent_heat == 2e5f);
    assert_true(wax.freezes_at == 328.15f && wax.melting_rate == 3 && wax.freezing_rate == 2);
    assert_int_equal(wax.freezing_neighbors, 3);
    assert_true(wax.freezing_speed == 0.2f && wax.freezing_misfit == 0.25f);
    assert_true(wax.nucleation == 0.5f && wax.nucleation_below == 5 && wax.sintering == 0.1f);
    assert_true(wax.expansion == 7e-4f && wax.reference == 300);
    assert_curve(&wax.stiffness, 3, 290, 1);
    assert_curve(&wax.damping, 1, 290, 1);
    assert_curve(&wax.viscosity, 2, 333.15f, 10);
    assert_true(wax.stiffness.temperature[2] == 333.15f && wax.stiffness.factor[2] == 0);
    // and what is not written has the library's defaults
    ThawThermalDef goo = thaw_scene_material_at(&scene->materials[1], 0).thermal;
    ThawThermalDef plain = thaw_material_default().thermal;
    assert_true(goo.conductivity == plain.conductivity && goo.melts_at == plain.melts_at);
    assert_true(goo.specific_heat == plain.specific_heat && goo.reference == plain.reference);
    assert_true(goo.freezing_misfit == plain.freezing_misfit);
    assert_int_equal(goo.freezing_neighbors, plain.freezing_neighbors);
    thaw_scene_free(scene);
}

static void air_walls_taps_and_sources_are_read(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TESTS "/good/heat.yaml");
    assert_true(scene->heat.on && scene->animated);
    assert_true(scene->world.heat.on && scene->world.heat.ambient == 293.15f);
    assert_true(scene->world.heat.convection == 10 && scene->world.heat.emissivity == 0.5f);
    assert_true(scene->bodies[0].temperature == 288.15 && scene->bodies[1].temperature == 288.15);
    assert_true(scene->bodies[2].temperature == 0); // the air's
    const ThawMoment later = {.t = 0.5};
    assert_near(thaw_number_at(&scene->colliders[0].temperature, &later), 325, 1e-12);
    assert_true(scene->colliders[0].heat_transfer == 200 && scene->colliders[0].frosts);
    assert_true(thaw_number_at(&scene->colliders[1].temperature, &later) == 0); // insulates
    assert_true(thaw_scene_emitter_at(&scene->emitters[0], 0.5).temperature == 345);
    assert_int_equal(scene->heat_source_count, 3);
    const ThawSceneHeatSource *flame = &scene->heat_sources[0], *bath = &scene->heat_sources[1];
    assert_true(flame->bounded && flame->body == -1 && flame->to == 2);
    assert_near(thaw_number_at(&flame->power, &(ThawMoment){.t = 0.1}), 1000, 1e-12);
    assert_true(!bath->bounded && bath->body == 1 && bath->material == 0 && isinf(bath->to));
    assert_true(scene->heat_sources[2].power.constant == -5);
    thaw_scene_free(scene);
}

static void scenes_with_heat_can_be_built_and_run(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TESTS "/good/heat.yaml");
    ThawWorld *world = build(scene, 1);
    ThawReport report;
    double before = 0;
    for (int k = 0; k < 2; k++) {
        advance(scene, world, 0.25 / scene->frames.fps, &report);
        assert_true(isfinite(report.heat) && report.heat > 0);
        assert_true(report.heat != before);
        before = report.heat;
    }
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- on and off

static bool is_on(const char *text, const char *set) {
    ThawScene *scene = parse_with(text, set);
    bool on = scene->heat.on;
    assert_true(scene->world.heat.on == on);
    bool told = false;
    for (int k = 0; k < scene->output.channel_count; k++) {
        told |= strcmp(scene->output.channels[k], "temperature") == 0;
    }
    assert_true(told == on);
    thaw_scene_free(scene);
    return on;
}

static void heat_is_on_where_something_is_said_of_it(void **state) {
    (void)state;
    static const char tap[] = "emitters=[{name: tap, material: water, temperature: \"300 + t\", "
                              "shape: {sphere: {center: [0, 0, 2], radius: 0.1}}}]";
    static const char *const warm[] = {
        "bodies.cube.temperature=300",
        "materials.water.thermal={melts_at: 273.15}",
        "materials.water.thermal={melts_when: z < 0}",
        "materials.water.thermal={freezes_when: z < 0}",
        "heat_sources=[{name: coil, power: 3}]",
        "colliders=[{name: f, temperature: 300, shape: {plane: {point: [0, 0, 0]}}}]",
        tap,
        "heat={ambient: 20 C}",
        "heat={on: yes}",
    };
    static const char *const cold[] = {NULL, "materials.water.thermal={conductivity: 3}",
                                       "heat={on: no, ambient: 300}"};
    for (size_t k = 0; k < sizeof warm / sizeof *warm; k++) {
        if (!is_on(COLD, warm[k])) fail_msg("%s leaves heat off", warm[k]);
    }
    for (size_t k = 0; k < sizeof cold / sizeof *cold; k++) assert_false(is_on(COLD, cold[k]));
    assert_false(is_on(WARM, "heat={on: no}"));
}

static void frames_tell_the_temperature_whatever_is_asked_for(void **state) {
    (void)state;
    assert_true(is_on(WARM, "output.channels=[velocity]"));
    assert_true(is_on(WARM, "output.channels=[temperature, velocity]"));
    assert_true(is_on(WARM, "output.channels=[]"));
}

static void scenes_without_heat_are_written_without_it(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(COLD, NULL);
    char *text;
    size_t size;
    assert_int_equal(thaw_scene_write(scene, &text, &size), THAW_OK);
    assert_null(strstr(text, "thermal"));
    assert_null(strstr(text, "heat"));
    assert_null(strstr(text, "temperature"));
    free(text);
    thaw_scene_free(scene);
}

static void heat_that_is_off_changes_nothing(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        ThawScene *scene =
            parse_with(SCENE_ALL, k == 0 ? NULL : "heat={on: no, ambient: 400, convection: 100}");
        ThawWorld *world = build(scene, 1);
        advance(scene, world, 1.0 / 24, NULL);
        hashes[k] = thaw_world_hash(world);
        thaw_world_destroy(world);
        thaw_scene_free(scene);
    }
    assert_true(hashes[0] == hashes[1]);
}

// ---------------------------------------------------------------- over time

// J that a scene takes in a second of 24 frames, in four pieces each
static double take_second(const char *set) {
    ThawScene *scene = parse_with(WARM, set);
    ThawWorld *world = build(scene, 1);
    double taken = 0;
    for (int k = 0; k < 24; k++) {
        ThawReport report;
        advance(scene, world, 1.0 / 24, &report);
        taken += report.heat_taken;
    }
    thaw_world_destroy(world);
    thaw_scene_free(scene);
    return taken;
}

static void a_source_gives_its_power_over_time(void **state) {
    (void)state;
    assert_near(take_second("heat_sources=[{name: coil, power: 20}]"), 20, 1e-6);
    // a ramp from 0 to 40 W, as keys and as an expression: the middle of each piece counts
    assert_near(take_second("heat_sources=[{name: coil, power: [[0, 0], [1, 40]]}]"), 20, 1e-6);
    assert_near(take_second("heat_sources=[{name: coil, power: \"40*t\"}]"), 20, 1e-6);
    assert_near(take_second("heat_sources=[{name: coil, power: 40, from: 0.5}]"), 20, 1e-6);
    // nothing of another material or elsewhere
    assert_true(take_second("heat_sources=[{name: coil, power: 40, shape: {sphere: {center: [5, 0, "
                            "0], radius: 0.1}}}]") == 0);
}

static void a_source_that_holds_a_temperature_sets_it(void **state) {
    (void)state;
    ThawScene *scene = parse_with(WARM, "heat_sources=[{name: bath, body: cube, temperature: "
                                        "\"280 + t\"}]");
    ThawWorld *world = build(scene, 1);
    ThawReport report;
    for (int k = 0; k < 12; k++) advance(scene, world, 1.0 / 24, &report);
    // as warm as the middle of the last piece asks for
    assert_near(report.hottest, 280 + 0.5 - 1.0 / 192, 1e-6);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void the_air_warms_what_is_in_it(void **state) {
    (void)state;
    double still = take_second("heat={ambient: 350}");
    double wind = take_second("heat={ambient: 350, convection: 20}");
    double ramp = take_second("heat={ambient: [[0, 290], [1, 350]], convection: 20}");
    assert_true(still == 0);
    assert_true(wind > 0);
    // on average half as much warmer than the cube
    assert_near(ramp, 0.5 * wind, 0.1);
}

// ---------------------------------------------------------------- rules

// particles that are liquid, and how many of those lie below a height
static uint32_t count_liquid(ThawWorld *world, double height, uint32_t *below) {
    ThawView states, places;
    assert_int_equal(thaw_world_view(world, "state", &states), THAW_OK);
    assert_int_equal(thaw_world_view(world, "position", &places), THAW_OK);
    uint32_t liquid = 0;
    *below = 0;
    for (uint32_t k = 0; k < states.count; k++) {
        bool melted = ((const uint8_t *)states.data)[k] == THAW_STATE_LIQUID;
        liquid += melted;
        *below += melted && (double)((const float *)places.data)[3 * (size_t)k + 2] < height;
    }
    return liquid;
}

static void a_condition_melts_at_once_where_it_holds(void **state) {
    (void)state;
    ThawScene *scene = parse_with(WARM, "materials.wax.thermal.melts_when=z < 0.2 and t > 0.1");
    assert_true(scene->materials[0].thermal.melts_when.condition);
    ThawWorld *world = build(scene, 1);
    uint32_t below, all = thaw_world_count(world);
    advance(scene, world, 0.05, NULL);
    assert_int_equal(count_liquid(world, 0.2, &below), 0);
    advance(scene, world, 0.1, NULL);
    uint32_t liquid = count_liquid(world, 0.201, &below);
    assert_int_equal(below, liquid);
    assert_true(liquid > all / 3 && liquid < 2 * all / 3);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void a_number_is_a_rate(void **state) {
    (void)state;
    ThawScene *scene = parse_with(WARM, "materials.wax.thermal={melts_when: 2}");
    assert_false(scene->materials[0].thermal.melts_when.condition);
    ThawWorld *world = build(scene, 1);
    uint32_t below, all = thaw_world_count(world);
    for (int k = 0; k < 12; k++) advance(scene, world, 1.0 / 24, NULL);
    // 1 − exp(−2 × 0.5 s) of them, within three standard deviations
    double share = 1 - exp(-1.0), spread = sqrt(share * (1 - share) / all);
    double found = (double)count_liquid(world, 1, &below) / all;
    if (fabs(found - share) > 3 * spread) fail_msg("%g of %g melted", found, share);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static bool is_condition(const char *rule) {
    char set[200];
    snprintf(set, sizeof set, "materials.wax.thermal.melts_when=\"%s\"", rule);
    ThawScene *scene = parse_with(WARM, set);
    bool condition = scene->materials[0].thermal.melts_when.condition;
    thaw_scene_free(scene);
    return condition;
}

static void conditions_are_told_from_numbers(void **state) {
    (void)state;
    static const char *const conditions[] = {"z < 1", "(z < 1)", "not (z < 1)", "z < 1 or t >= 2",
                                             "object == 2 and speed != 0"};
    static const char *const numbers[] = {"3",           "z",           "z < 1 ? 2 : 0",
                                          "(z < 1) * 5", "3 + (z < 1)", "step(0, z)"};
    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
        if (!is_condition(conditions[k])) fail_msg("%s is a condition", conditions[k]);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (is_condition(numbers[k])) fail_msg("%s is a number", numbers[k]);
    }
}

static void rules_see_the_particle(void **state) {
    (void)state;
    static const char *const holding[] = {"x > -0.06 and x < 0.06",
                                          "y > -0.06 and y < 0.06",
                                          "z > 0.1 and z < 0.3",
                                          "temperature > 289.9 and temperature < 290.1",
                                          "molten == 0",
                                          "spacing > 0.0199 and spacing < 0.0201",
                                          "object == 1",
                                          "abs(vx) < 1e-3 and abs(vy) < 1e-3 and speed < 1e-3",
                                          "t >= 0"};
    for (size_t k = 0; k < sizeof holding / sizeof *holding; k++) {
        char set[200];
        snprintf(set, sizeof set, "materials.wax.thermal.melts_when=%s", holding[k]);
        ThawScene *scene = parse_with(WARM, set);
        ThawWorld *world = build(scene, 1);
        uint32_t below;
        advance(scene, world, 1e-4, NULL);
        if (count_liquid(world, 1, &below) != thaw_world_count(world)) {
            fail_msg("%s does not hold everywhere", holding[k]);
        }
        thaw_world_destroy(world);
        thaw_scene_free(scene);
    }
}

static uint64_t run_rules(const ThawScene *scene, int threads, bool reload) {
    ThawWorld *world = build(scene, threads);
    for (int k = 0; k < 6; k++) {
        void *bytes;
        size_t size;
        // a straight run saves too: that settles the neighbour lists
        assert_int_equal(thaw_world_save(world, &bytes, &size), THAW_OK);
        if (reload && k == 3) {
            ThawHostDef host = {.threads = threads};
            thaw_world_destroy(world);
            assert_int_equal(thaw_world_load(bytes, size, &host, &world), THAW_OK);
            assert_int_equal(thaw_scene_adopt(scene, world), THAW_OK);
        }
        thaw_snapshot_free(bytes);
        advance(scene, world, 1.0 / 24, NULL);
    }
    uint64_t hash = thaw_world_hash(world);
    thaw_world_destroy(world);
    return hash;
}

static void rules_act_alike_on_any_threads_and_after_loading(void **state) {
    (void)state;
    ThawScene *scene = parse_with(WARM, "materials.wax.thermal.melts_when=3*noise(20*x, 20*y, z)");
    uint64_t hash = run_rules(scene, 1, false);
    assert_true(run_rules(scene, 3, false) == hash);
    assert_true(run_rules(scene, 2, true) == hash);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- before the first frame

// the messages of a scene with an override must hold `part`; NULL: none at all
static void assert_warns(const char *text, const char *set, const char *part) {
    ThawScene *scene = parse_with(text, set);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    bool found = part == NULL && thaw_messages_count(messages) == 0;
    for (int k = 0; k < thaw_messages_count(messages) && part != NULL; k++) {
        found |= strstr(thaw_messages_get(messages, k)->text, part) != NULL;
    }
    if (!found) show_messages(messages);
    if (!found) fail_msg("%s does not give '%s'", set, part != NULL ? part : "nothing");
    thaw_messages_free(messages);
    thaw_preflight_free(&preflight);
    thaw_scene_free(scene);
}

static void likely_mistakes_are_told(void **state) {
    (void)state;
    assert_warns(WARM, NULL, NULL);
    assert_warns(WARM, "materials.wax.thermal.melts_at=60",
                 "the melting point of 'wax' is 60 K, which is -213.15 C");
    assert_warns(WARM, "bodies.cube.temperature=20",
                 "the temperature of body 'cube' is 20 K, which is -253.15 C");
    assert_warns(WARM, "heat={ambient: 20}", "heat.ambient is 20 K");
    assert_warns(WARM, "colliders.floor.temperature=90", "collider 'floor' is 90 K");
    assert_warns(WARM, "materials.wax.thermal={latent_heat: 1e5}",
                 "has a latent_heat but no melts_at");
    assert_warns(WARM,
                 "materials.wax={solid: {young: 1e5}, thermal: {melts_at: 300, conductivity: "
                 "1000}}",
                 "'wax' melts, but nothing is said of its liquid");
    assert_warns(WARM, "materials.wax.thermal.conductivity=0.2",
                 "heat goes only 0.00045 m into 'wax' in the 1 s of the run");
    assert_warns(WARM, "materials.wax.thermal.conductivity=1e9", "heat evens out through 'wax'");
    assert_warns(WARM, "bodies.cube.temperature=310",
                 "begins solid at 310 K, above its melting point of 300 K: it melts at once");
    assert_warns(WARM, "bodies.cube.state=liquid",
                 "begins liquid at 290 K, below its freezing point");
    assert_warns(WARM, "colliders.floor.heat_transfer=3", "has a heat_transfer but no temperature");
    assert_warns(
        WARM "emitters:\n  - {name: tap, material: wax, temperature: 310, spacing: 0.01, shape: "
             "{sphere: {center: [0, 0, 2], radius: 0.1}}}\n",
        NULL, "they cannot freeze to each other");
    assert_warns(WARM, "materials.wax={liquid: {}, thermal: {melts_at: 280, conductivity: 1000}}",
                 "melting point of 280 K");
}

// where nothing has a temperature there is no heat, and what is said of it alone does nothing
static void keys_of_heat_that_nothing_warms_are_told(void **state) {
    (void)state;
    const char *cold = "thaw: 1\nspacing: 0.05\ngravity: [0, 0, 0]\nmaterials:\n"
                       "  snow: {density: 400, solid: {young: 1e4}}\nbodies:\n"
                       "  - {name: ball, material: snow, state: solid, shape: {sphere: {center: "
                       "[0, 0, 0.5], radius: 0.2}}}\n";
    assert_warns(cold, NULL, NULL);
    assert_warns(cold, "materials.snow.thermal.sintering=2",
                 "'snow' has a sintering but the scene has no heat");
    assert_warns(cold, "materials.snow.thermal.nucleation=2", "has a nucleation but no melts_at");
    assert_warns(cold, "materials.snow.thermal.latent_heat=2", "has a latent_heat but no melts_at");
    // in a warm one grains grow together without a melting point
    char warm[600];
    snprintf(warm, sizeof warm, "%sheat: {ambient: 270}\n", cold);
    assert_warns(warm, "materials.snow.thermal={sintering: 2, conductivity: 0}", NULL);
    assert_warns(warm, "materials.snow.thermal.nucleation=2", "has a nucleation but no melts_at");
}

static void heat_takes_memory_and_disk(void **state) {
    (void)state;
    double bytes[2], frame[2];
    for (int k = 0; k < 2; k++) {
        ThawScene *scene = parse_with(COLD, k == 0 ? NULL : "heat={on: yes}");
        ThawPreflight preflight;
        ThawMessages *messages = NULL;
        assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
        bytes[k] = preflight.memory_bytes / preflight.particles;
        frame[k] = preflight.frame_bytes;
        assert_int_equal(preflight.heat_count, k);
        thaw_messages_free(messages);
        thaw_preflight_free(&preflight);
        thaw_scene_free(scene);
    }
    // at least enthalpy and temperature themselves
    assert_true(bytes[1] - bytes[0] >= 12 && bytes[1] - bytes[0] < 100);
    assert_true(frame[1] > frame[0]);
}

// ---------------------------------------------------------------- the pages

// the lines between two words of a file, in new memory
static char *find_block(const char *path, const char *begin, const char *end) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    char *from = strstr(text, begin);
    if (from == NULL) fail_msg("%s has no '%s'", path, begin);
    char *to = strstr(from, end);
    assert_non_null(to);
    char *block = calloc(1, (size_t)(to - from) + 1);
    assert_non_null(block);
    memcpy(block, from, (size_t)(to - from));
    free(text);
    return block;
}

static void the_guides_scene_melts(void **state) {
    (void)state;
    char *text = find_block(SCENE_TREE "/docs/scenes.md", "thaw: 1\ntitle: Butter", "```");
    ThawScene *scene = parse_with(text, "spacing=2 cm");
    ThawWorld *world = build(scene, 1);
    ThawReport report;
    uint32_t melted = 0;
    for (int k = 0; k < 30; k++) {
        advance(scene, world, 1 / scene->frames.fps, &report);
        melted += report.melted;
    }
    assert_true(melted > 0);
    assert_true(report.molten > 0 && report.molten < report.mass);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
    free(text);
}

// the example of the format's design, coarser, and without the duck, whose file is not there
static const char design[] =
    "thaw: 1\n"
    "title: Jelly on a hot plate\n"
    "up: z\n"
    "dimensions: 3\n"
    "spacing: 0.03\n"
    "frames: {count: 120, fps: 24, start: 1}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials:\n"
    "  jelly:\n"
    "    density: 1050\n"
    "    solid:   {young: 1e4, poisson: 0.3, damping: 0.03, fracture_strain: 0.25}\n"
    "    liquid:  {viscosity: 1e-3, surface_tension: 0.1}\n"
    "    thermal: {conductivity: 0.6, specific_heat: 3500, latent_heat: 2e5, melts_at: 305}\n"
    "bodies:\n"
    "  - {name: cube, material: jelly, state: solid, temperature: 290, velocity: [0, 0, -1], "
    "spin: [0, 0, 2],\n"
    "     shape: {box: {center: [0, 0, 0.3], size: [0.2, 0.2, 0.2], rotate: {axis: [0, 0, 1], "
    "angle: 20 deg}}}}\n"
    "emitters:\n"
    "  - {name: tap, material: jelly, state: liquid, shape: {disc: {center: [0, 0, 1], normal: [0, "
    "0, -1], radius: 0.05}}, speed: 1, from: 0, to: 2}\n"
    "sinks:\n"
    "  - {name: floor drain, shape: {box: {center: [0, 0, -1], size: [9, 9, 1]}}}\n"
    "colliders:\n"
    "  - {name: plate, shape: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}, friction: 0.4, "
    "restitution: 0, temperature: 400}\n"
    "  - {name: tank, container: true, shape: {box: {center: [0, 0, 0.5], size: [1, 1, 1.1]}}}\n"
    "solver: {substeps: auto, iterations: 4}\n"
    "camera: {eye: [0.9, -0.9, 0.6], target: [0, 0, 0.1], fov: 40}\n"
    "output: {channels: [velocity, temperature]}\n";

// J that the plate has given when the cube has come down
static double warm_cube(const char *set) {
    ThawScene *scene = parse_with(design, set);
    ThawWorld *world = build(scene, 1);
    ThawReport report;
    double taken = 0;
    for (int k = 0; k < 6; k++) {
        advance(scene, world, 1.0 / 24, &report);
        taken += report.heat_taken;
    }
    assert_true(report.hottest >= 293.1 && report.hottest < 400);
    assert_true(report.coldest > 289.9);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
    return taken;
}

static void the_designs_scene_runs(void **state) {
    (void)state;
    double usual = warm_cube(NULL);
    assert_true(usual > 1);
    // in proportion to how much warmer the plate is; the cube stays within a kelvin of its 290 K
    assert_near(warm_cube("colliders.plate.temperature=345"), 0.5 * usual, 0.02);
    assert_true(fabs(warm_cube("colliders.plate.temperature=290")) < 0.01 * usual);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thermal_key_reaches_the_material),
        cmocka_unit_test(air_walls_taps_and_sources_are_read),
        cmocka_unit_test(scenes_with_heat_can_be_built_and_run),
        cmocka_unit_test(heat_is_on_where_something_is_said_of_it),
        cmocka_unit_test(frames_tell_the_temperature_whatever_is_asked_for),
        cmocka_unit_test(scenes_without_heat_are_written_without_it),
        cmocka_unit_test(heat_that_is_off_changes_nothing),
        cmocka_unit_test(a_source_gives_its_power_over_time),
        cmocka_unit_test(a_source_that_holds_a_temperature_sets_it),
        cmocka_unit_test(the_air_warms_what_is_in_it),
        cmocka_unit_test(a_condition_melts_at_once_where_it_holds),
        cmocka_unit_test(a_number_is_a_rate),
        cmocka_unit_test(conditions_are_told_from_numbers),
        cmocka_unit_test(rules_see_the_particle),
        cmocka_unit_test(rules_act_alike_on_any_threads_and_after_loading),
        cmocka_unit_test(likely_mistakes_are_told),
        cmocka_unit_test(keys_of_heat_that_nothing_warms_are_told),
        cmocka_unit_test(heat_takes_memory_and_disk),
        cmocka_unit_test(the_guides_scene_melts),
        cmocka_unit_test(the_designs_scene_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
