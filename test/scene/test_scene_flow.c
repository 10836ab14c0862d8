// Emitters, sinks, forces and liquids of scenes: read, told of before the first frame, and warned of.
#include "scene_rig.h"

#include "materials/material.h"

#include <math.h>

// models/liquid/tension.h, whose other names are not a scene's
double thaw_tension_asked(const ThawMaterial *material, double spacing);

#define PI 3.14159265358979323846
#define LIQUIDS                                                                                    \
    "thaw: 1\nspacing: 0.01\nframes: {count: 48}\nmaterials:\n  water: {}\n"                       \
    "  oil: {density: 900, liquid: {viscosity: 1e-4}}\n"
#define TAP                                                                                        \
    "emitters:\n  - name: tap\n    material: water\n"                                              \
    "    shape: {disc: {center: [0, 0, 1], normal: [0, 0, -1], radius: 0.05}}\n"
#define CEILING                                                                                    \
    "colliders.floor={name: tank, container: yes, shape: {box: {center: [0, 0, 0.5], "             \
    "size: [1, 1, 1]}}}"
#define FLOOR "colliders: [{name: floor, shape: {plane: {point: [0, 0, 0]}}}]\n"

// the scene with one override
static ThawScene *parse_with(const char *text, const char *set) {
    const char *const sets[] = {set};
    ThawSceneOptions options = {.sets = sets, .set_count = set != NULL};
    return parse_scene(text, &options);
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

// ---------------------------------------------------------------- liquids

static void viscosities_are_kinematic_or_dynamic(void **state) {
    (void)state;
    static const struct {
        const char *set;
        double value;
    } cases[] = {{"materials.oil.liquid.viscosity=2e-3", 2e-3},
                 {"materials.oil.liquid.viscosity=50 cSt", 5e-5},
                 {"materials.oil.liquid.viscosity=3 cm^2/s", 3e-4},
                 {"materials.oil.liquid.viscosity=9 Pa s", 1e-2},
                 {"materials.oil.liquid.viscosity=81 cP", 9e-5},
                 {"materials.oil={density: 1.8 g/cm^3, liquid: {viscosity: 18 mPa s}}", 1e-5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ThawScene *scene = parse_with(LIQUIDS TAP, cases[k].set);
        assert_true(near(1e6 * scene->materials[1].viscosity.constant, 1e6 * cases[k].value));
        thaw_scene_free(scene);
    }
    ThawScene *scene =
        parse_with(LIQUIDS TAP, "materials.oil.liquid.viscosity=[[0, 1 cSt], [1, 9 Pa s]]");
    const ThawMoment end = {.t = 1};
    assert_true(near(thaw_number_at(&scene->materials[1].viscosity, &end), 1e-2));
    assert_true(scene->animated);
    thaw_scene_free(scene);
}

// as the library's THAW_XSPH_AUTO
static void a_viscosity_acts_alone_unless_xsph_is_given(void **state) {
    (void)state;
    static const struct {
        const char *set;
        double xsph;
    } cases[] = {{"materials.oil={}", 0.05},
                 {"materials.oil={liquid: {vorticity: 0.1}}", 0.05},
                 {"materials.oil={liquid: {viscosity: 1e-6}}", 0},
                 {"materials.oil={liquid: {viscosity: 0}}", 0},
                 {"materials.oil={liquid: {viscosity: [[0, 0], [1, 1]]}}", 0},
                 {"materials.oil={liquid: {viscosity: 1e-6, xsph: 0.05}}", 0.05},
                 {"materials.oil={liquid: {xsph: 2}}", 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ThawScene *scene = parse_with(LIQUIDS TAP, cases[k].set);
        assert_true(scene->materials[1].xsph.constant == cases[k].xsph);
        assert_true(scene->materials[0].xsph.constant == 0.05);
        thaw_scene_free(scene);
    }
}

static void surface_tension_is_the_artists_or_has_a_unit(void **state) {
    (void)state;
    ThawScene *scene = parse_with(LIQUIDS TAP, "materials.water.liquid.surface_tension=30 %");
    assert_true(near(scene->materials[0].surface_tension.constant, 0.3));
    assert_true(scene->materials[0].tension.constant == 0);
    thaw_scene_free(scene);
    scene = parse_with(LIQUIDS TAP, "materials.water.liquid.surface_tension=72 mN/m");
    assert_true(scene->materials[0].surface_tension.constant == 0);
    assert_true(scene->materials[0].tension.constant == 0.072);
    thaw_scene_free(scene);
    const ThawMoment end = {.t = 1};
    scene = parse_with(LIQUIDS TAP,
                       "materials.water.liquid.surface_tension=[[0, 20 mN/m], [1, 72 mN/m]]");
    assert_true(thaw_number_at(&scene->materials[0].tension, &end) == 0.072);
    assert_true(scene->animated);
    thaw_scene_free(scene);
    scene = parse_with(LIQUIDS TAP, "materials.water.liquid.surface_tension=0.5*t");
    assert_true(thaw_number_at(&scene->materials[0].surface_tension, &end) == 0.5);
    assert_true(scene->animated);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- emitters

static void defaults_of_emitters_are_the_librarys(void **state) {
    (void)state;
    ThawScene *scene =
        parse_scene(LIQUIDS TAP "sinks: [{name: s, shape: {plane: {point: [0, 0, -1]}}}]\n", NULL);
    ThawEmitterDef def = thaw_scene_emitter_at(&scene->emitters[0], 0);
    ThawEmitterDef usual = thaw_emitter_default();
    assert_int_equal(def.kind, usual.kind);
    assert_true(def.speed == usual.speed && def.rate == usual.rate);
    assert_true(def.from == usual.from && def.to == usual.to && def.life == usual.life);
    assert_true(def.jitter == usual.jitter && def.spacing == usual.spacing);
    assert_true(def.most == usual.most && def.total == usual.total);
    assert_int_equal(def.material.value, 1);
    ThawSinkDef sink = thaw_sink_default();
    assert_true(scene->sinks[0].from == sink.from && scene->sinks[0].to == sink.to);
    assert_int_equal(scene->sinks[0].outside, sink.outside);
    assert_int_equal(scene->sinks[0].material, -1);
    assert_int_equal(scene->body_count, 0);
    assert_false(scene->animated);
    thaw_scene_free(scene);
}

// where a local direction of an opening goes
static ThawVec3 turned(const ThawSceneEmitter *emitter, double x, double y, double z) {
    ThawQuat q = emitter->pose.rotation;
    // v + 2 q × (q × v + w v)
    double ax = q.y * z - q.z * y + q.w * x, ay = q.z * x - q.x * z + q.w * y;
    double az = q.x * y - q.y * x + q.w * z;
    return (ThawVec3){x + 2 * (q.y * az - q.z * ay), y + 2 * (q.z * ax - q.x * az),
                      z + 2 * (q.x * ay - q.y * ax)};
}

static void assert_direction(ThawVec3 v, double x, double y, double z) {
    double length = sqrt(x * x + y * y + z * z);
    if (fabs(v.x - x / length) + fabs(v.y - y / length) + fabs(v.z - z / length) > 1e-9) {
        fail_msg("(%g, %g, %g) is not along (%g, %g, %g)", v.x, v.y, v.z, x, y, z);
    }
}

static ThawScene *parse_slot(const char *keys) {
    char text[1000];
    snprintf(text, sizeof text,
             LIQUIDS "emitters:\n  - name: slot\n    material: oil\n    shape: {rectangle: "
                     "{center: [1, 2, 3], size: [0.2, 0.1], %s}}\n",
             keys);
    return parse_scene(text, NULL);
}

static void openings_face_along_their_normal(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(LIQUIDS TAP, NULL);
    assert_direction(turned(&scene->emitters[0], 0, 0, 1), 0, 0, -1);
    thaw_scene_free(scene);
    scene = parse_slot("normal: [3, 4, 0]");
    const ThawSceneEmitter *slot = &scene->emitters[0];
    assert_int_equal(slot->kind, THAW_EMITTER_RECTANGLE);
    assert_true(slot->size[0] == 0.2 && slot->size[1] == 0.1);
    assert_direction(turned(slot, 0, 0, 1), 3, 4, 0);
    assert_direction(turned(slot, 0, 1, 0), 0, 0, 1); // its height towards the scene's up
    thaw_scene_free(scene);
    scene = parse_slot("normal: [0, 0, -2]");
    assert_direction(turned(&scene->emitters[0], 0, 0, 1), 0, 0, -1);
    assert_direction(turned(&scene->emitters[0], 0, 1, 0), 0, 1, 0);
    thaw_scene_free(scene);
    scene = parse_slot("normal: [0, 0, 1], up: [1, 1, 5]");
    assert_direction(turned(&scene->emitters[0], 0, 1, 0), 1, 1, 0);
    thaw_scene_free(scene);
    scene = parse_slot("normal: [0, 0, 1], up: [0, 1, 0], turn: 90 deg");
    assert_direction(turned(&scene->emitters[0], 0, 1, 0), -1, 0, 0);
    thaw_scene_free(scene);
}

static void flat_openings_face_along_local_y(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(
        "dimensions: 2\n" LIQUIDS "emitters:\n"
        "  - {name: a, material: oil, shape: {disc: {center: [0, 1], normal: [1, -1], radius: "
        "0.1}}}\n"
        "  - {name: b, material: oil, shape: {rectangle: {center: [0, 1], normal: [0, -1], "
        "size: 0.3}}}\n",
        NULL);
    assert_direction(turned(&scene->emitters[0], 0, 1, 0), 1, -1, 0);
    assert_direction(turned(&scene->emitters[1], 0, 1, 0), 0, -1, 0);
    assert_direction(turned(&scene->emitters[1], 0, 0, 1), 0, 0, 1);
    assert_true(scene->emitters[1].size[0] == 0.3);
    thaw_scene_free(scene);
}

static void the_rate_alone_sets_the_speed(void **state) {
    (void)state;
    ThawScene *scene = parse_with(LIQUIDS TAP, "emitters.tap.rate=0.3 L/s");
    assert_true(near(1e3 * scene->emitters[0].rate.constant, 0.3));
    assert_true(scene->emitters[0].speed.constant == 0);
    thaw_scene_free(scene);
    const char *const sets[] = {"emitters.tap.rate=90 ml/min", "emitters.tap.speed=2"};
    ThawSceneOptions options = {.sets = sets, .set_count = 2};
    scene = parse_scene(LIQUIDS TAP, &options);
    assert_true(near(1e6 * scene->emitters[0].rate.constant, 1.5));
    assert_true(scene->emitters[0].speed.constant == 2);
    thaw_scene_free(scene);
}

// "1 + 1" is no less a number than 2
static void constant_expressions_count_as_their_value(void **state) {
    (void)state;
    const ThawMoment start = {0};
    ThawScene *scene = parse_with(LIQUIDS TAP, "emitters.tap.speed=1 + 1");
    assert_true(thaw_number_at(&scene->emitters[0].speed, &start) == 2);
    thaw_scene_free(scene);
    scene = parse_with(LIQUIDS TAP, "emitters.tap.rate=3e-4 + 1e-4");
    assert_true(near(1e4 * thaw_number_at(&scene->emitters[0].rate, &start), 4));
    assert_true(thaw_number_at(&scene->emitters[0].speed, &start) == 0);
    thaw_scene_free(scene);
}

static void emitters_move_and_change(void **state) {
    (void)state;
    static const char *const sets[] = {
        "emitters.tap.speed=1 + t", "emitters.tap.rate=[[0, 1e-3], [1, 2e-3]]",
        "emitters.tap.velocity=[t, 0, 0]",
        "emitters.tap.motion=[{time: 0}, {time: 1, move: [2, 0, 0]}]"};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        ThawScene *scene = parse_with(LIQUIDS TAP, sets[k]);
        assert_true(scene->animated);
        ThawEmitterDef a = thaw_scene_emitter_at(&scene->emitters[0], 0);
        ThawEmitterDef b = thaw_scene_emitter_at(&scene->emitters[0], 0.5);
        const double change[] = {b.speed - a.speed, b.rate - a.rate, b.velocity.x - a.velocity.x,
                                 b.pose.position.x - a.pose.position.x};
        const double wanted[] = {0.5, 5e-4, 0.5, 1};
        assert_true(near(1e3 * change[k], 1e3 * wanted[k]));
        thaw_scene_free(scene);
    }
}

static void channels_of_emitters_may_change(void **state) {
    (void)state;
    ThawScene *scene =
        parse_scene(LIQUIDS "channels: {dye: {}, rgb: {components: 3}, tag: {type: int}}\n" TAP
                            "    channels: {dye: [[0, 0], [1, 4]], rgb: [1, t, 3], tag: 7}\n",
                    NULL);
    const ThawSceneEmitter *tap = &scene->emitters[0];
    const ThawMoment moment = {.t = 0.5};
    assert_int_equal(tap->value_count, 3);
    assert_true(thaw_number_at(&tap->values[0].value[0], &moment) == 2);
    assert_true(thaw_number_at(&tap->values[1].value[1], &moment) == 0.5);
    assert_true(thaw_number_at(&tap->values[1].value[2], &moment) == 3);
    assert_true(thaw_number_at(&tap->values[2].value[0], &moment) == 7);
    assert_true(scene->animated);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- forces

static void forces_have_the_numbers_of_their_kind(void **state) {
    (void)state;
    ThawScene *scene = parse_scene(
        LIQUIDS TAP
        "forces:\n"
        "  - {name: a, directional: {direction: [0, 1, 0], strength: 3}}\n"
        "  - {name: b, point: {position: [1, 2, 3], strength: -2, radius: 1, falloff: 2, core: 5 "
        "cm}}\n"
        "  - {name: c, vortex: {position: [0, 0, 1], axis: [1, 0, 0], inflow: 0.5}, material: "
        "oil}\n"
        "  - {name: d, wind: {direction: [1, 0, 0], strength: 10 km/h, drag: 3}, from: 1, to: 2}\n"
        "  - {name: e, turbulence: {size: 1, change: 4, seed: 9}, ramp: 0.5,\n"
        "     region: {sphere: {center: [0, 0, 0], radius: 2}}}\n",
        NULL);
    const ThawSceneForce *f = scene->forces;
    assert_int_equal(scene->force_count, 5);
    for (int k = 0; k < 5; k++) assert_int_equal(f[k].kind, k);
    assert_true(f[0].strength.constant == 3 && f[0].direction.axis[1].constant == 1);
    assert_true(f[1].strength.constant == -2 && f[1].position.axis[2].constant == 3);
    assert_true(f[1].radius == 1 && f[1].falloff == 2 && f[1].core == 0.05);
    assert_true(f[2].direction.axis[0].constant == 1 && f[2].inflow == 0.5 && f[2].material == 1);
    assert_true(near(f[3].strength.constant, 10 / 3.6) && f[3].drag.constant == 3);
    assert_true(f[3].from == 1 && f[3].to == 2 && f[0].to == (double)INFINITY);
    assert_true(f[4].size == 1 && f[4].change == 4 && f[4].seed == 9 && f[4].ramp == 0.5);
    assert_true(f[4].bounded && f[4].region.radius == 2 && !f[0].bounded && f[0].material == -1);
    assert_false(scene->animated);
    thaw_scene_free(scene);
    static const char *const moving[] = {
        "forces=[{name: a, wind: {direction: [1, 0, 0], strength: 1 + t}}]",
        "forces=[{name: a, wind: {direction: [1, t, 0]}}]",
        "forces=[{name: a, wind: {direction: [1, 0, 0], drag: [[0, 1], [1, 2]]}}]",
        "forces=[{name: a, point: {position: [[0, [0, 0, 0]], [1, [1, 0, 0]]]}}]"};
    for (size_t k = 0; k < sizeof moving / sizeof *moving; k++) {
        scene = parse_with(LIQUIDS TAP, moving[k]);
        assert_true(scene->animated);
        thaw_scene_free(scene);
    }
}

// ---------------------------------------------------------------- included scenes

static void included_emitters_come_first(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TESTS "/good/flow_include.yaml");
    assert_int_equal(scene->emitter_count, 2);
    assert_string_equal(scene->emitters[0].name, "included");
    assert_string_equal(scene->emitters[1].name, "own");
    assert_int_equal(scene->sink_count, 1);
    assert_int_equal(scene->force_count, 1);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- before the first frame

static ThawPreflight fly(const char *text, const char *set, int warnings, const char *word) {
    ThawScene *scene = parse_with(text, set);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    bool found = word == NULL;
    for (int k = 0; k < thaw_messages_count(messages) && !found; k++) {
        found = strstr(thaw_messages_get(messages, k)->text, word) != NULL;
    }
    if (thaw_messages_count(messages) != warnings || !found) {
        show_messages(messages);
        fail_msg("%d messages, not %d with '%s'", thaw_messages_count(messages), warnings, word);
    }
    thaw_messages_free(messages);
    thaw_scene_free(scene);
    return preflight;
}

static void check_birth(const char *set, double born, double peak) {
    ThawPreflight flight = fly(LIQUIDS TAP FLOOR, set, 0, NULL);
    if (fabs(flight.born - born) > 2e-3 * born || fabs(flight.peak - peak) > 2e-3 * peak) {
        fail_msg("%s: %g born, %g at once, not %g and %g", set, flight.born, flight.peak, born,
                 peak);
    }
    assert_int_equal(flight.particles, 0);
    assert_true(flight.emitters[0].born == flight.born);
    thaw_preflight_free(&flight);
}

static void births_follow_from_openings_and_rates(void **state) {
    (void)state;
    // two seconds through a disc of 5 cm, in particles of a cubic centimetre
    const double jet = PI * 0.05 * 0.05 * 1 / 1e-6;
    check_birth(NULL, 2 * jet, 2 * jet);
    check_birth("emitters.tap.speed=3", 6 * jet, 6 * jet);
    check_birth("emitters.tap.speed=[[0, 0], [2, 2]]", 2 * jet, 2 * jet);
    check_birth("emitters.tap.from=0.503", 1.497 * jet, 1.497 * jet);
    check_birth("emitters.tap.to=0.25", 0.25 * jet, 0.25 * jet);
    check_birth("emitters.tap.life=0.4", 2 * jet, 0.4 * jet);
    check_birth("emitters.tap.most=1000", 2 * jet, 1000);
    check_birth("emitters.tap.total=500", 500, 500);
    check_birth("emitters.tap.rate=2 L/s", 4000, 4000);
    check_birth("emitters.tap.spacing=5 mm", 16 * jet, 16 * jet);
    check_birth(
        "emitters=[{name: tap, material: water, rate: 1 L/s, shape: {box: {center: [0, 0, 1], "
        "size: [0.2, 0.2, 0.2]}}}]",
        2000, 2000);
}

static void memory_and_disk_follow_what_lives(void **state) {
    (void)state;
    ThawPreflight all = fly(LIQUIDS TAP FLOOR, NULL, 0, NULL);
    ThawPreflight few = fly(LIQUIDS TAP FLOOR, "emitters.tap.most=1000", 0, NULL);
    assert_true(all.memory_bytes - few.memory_bytes > 200 * (all.peak - few.peak));
    assert_true(few.frame_bytes < 0.2 * all.frame_bytes);
    // a jet that fills up evenly is half there on average
    assert_true(fabs(all.mean - 0.5 * all.peak) < 0.01 * all.peak);
    assert_true(all.disk_bytes < 0.6 * 49 * all.frame_bytes);
    thaw_preflight_free(&all);
    thaw_preflight_free(&few);
}

static void check_warning(const char *text, const char *set, const char *word) {
    ThawPreflight flight = fly(text, set, 1, word);
    thaw_preflight_free(&flight);
}

static void emitters_that_cannot_work_are_warned_of(void **state) {
    (void)state;
    check_warning(LIQUIDS TAP FLOOR "", "colliders.floor.shape.plane.point=[0, 0, 2]",
                  "emitter 'tap' lies inside the collider 'floor'");
    check_warning(LIQUIDS TAP FLOOR,
                  "colliders.floor.shape={box: {center: [0.05, 0, 1], size: [0.1, 1, 1]}}",
                  "emitter 'tap' lies partly inside the collider 'floor'");
    check_warning(LIQUIDS TAP
                  "colliders: [{name: tank, container: yes, shape: {box: {center: [0, 0, "
                  "0], size: [1, 1, 1]}}}]\n",
                  NULL, "emitter 'tap' lies outside the container 'tank'");
    check_warning(LIQUIDS TAP FLOOR, "emitters.tap.shape.disc.radius=8 mm",
                  "emitter 'tap' is only 1.6 particles across at the narrowest");
    check_warning(LIQUIDS TAP FLOOR, "emitters.tap.speed=40",
                  "emitter 'tap' makes matter of 40 m/s, which wants about 209 substeps");
    check_warning(LIQUIDS TAP FLOOR, "emitters.tap.from=3",
                  "emitter 'tap' begins at 3 s, when the run has ended");
    check_warning(LIQUIDS TAP FLOOR "sinks: [{name: drain, shape: {sphere: {center: [0, 0, 1], "
                                    "radius: 0.5}}}]\n",
                  NULL, "emitter 'tap' lies in the sink 'drain': all of what it makes");
    check_warning(LIQUIDS TAP FLOOR
                  "sinks: [{name: world, outside: yes, shape: {sphere: {center: [0, "
                  "0, 0], radius: 0.5}}}]\n",
                  NULL, "emitter 'tap' lies in the sink 'world'");
}

static void sound_emitters_are_not_warned_of(void **state) {
    (void)state;
    static const char *const sets[] = {
        // of another material, at another time, or on the other side
        "sinks=[{name: s, material: oil, shape: {sphere: {center: [0, 0, 1], radius: 0.5}}}]",
        "sinks=[{name: s, from: 3, shape: {sphere: {center: [0, 0, 1], radius: 0.5}}}]",
        "sinks=[{name: s, outside: yes, shape: {sphere: {center: [0, 0, 0], radius: 5}}}]",
        // flush with a ceiling
        CEILING, "emitters.tap.shape.disc.radius=1 cm"};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        ThawPreflight flight = fly(LIQUIDS TAP FLOOR, sets[k], 0, NULL);
        thaw_preflight_free(&flight);
    }
    // what falls away for ever is not worth a word where something takes it
    ThawPreflight flight = fly(LIQUIDS TAP, "emitters.tap.life=1", 0, NULL);
    thaw_preflight_free(&flight);
    check_warning(LIQUIDS TAP, NULL, "nothing catches the matter");
}

static void jets_count_for_the_substeps(void **state) {
    (void)state;
    ThawPreflight slow = fly(LIQUIDS TAP FLOOR, "gravity=[0, 0, 0]", 0, NULL);
    ThawPreflight fast = fly(LIQUIDS TAP FLOOR, "emitters.tap.speed=8", 0, NULL);
    assert_true(slow.substeps == ceil(1 / 24.0 / 0.008));
    assert_true(fast.substeps > 8 / 24.0 / 0.008);
    thaw_preflight_free(&slow);
    thaw_preflight_free(&fast);
}

#define TWO                                                                                        \
    LIQUIDS FLOOR                                                                                  \
        "bodies:\n"                                                                                \
        "  - {name: a, material: water, shape: {box: {center: [0, 0, 0.5], size: [1, "             \
        "0.2, 0.2]}}}\n"                                                                           \
        "  - {name: b, material: oil, shape: {box: {center: [0, 1, 0.5], size: [1, 0.2, "          \
        "0.2]}}}\n"

static void liquids_that_do_not_go_together_are_warned_of(void **state) {
    (void)state;
    ThawPreflight flight = fly(TWO, "bodies.b.spacing=2 cm", 0, NULL);
    assert_int_equal(flight.liquid_count, 2);
    assert_true(flight.liquids[1].viscosity == 1e-4 && flight.liquids[1].spacing > 0.0199);
    assert_true(flight.liquids[1].viscosity_limit > 1e-4);
    thaw_preflight_free(&flight);
    check_warning(TWO, "bodies.b.spacing=3 cm", "a ratio of 1:3: above 1:2");
    check_warning(TWO, "bodies.b.spacing=5 cm", "a ratio of 1:5: above 1:4");
    check_warning(TWO,
                  "bodies.b={name: b, state: solid, material: oil, spacing: 5 cm, shape: {box: "
                  "{center: [0, 1, 0.5], size: [1, 0.05, 0.2]}}}",
                  "particles across"); // sizes of solids are no matter
    check_warning(TWO, "materials.oil.density=90", "differ by a factor of 11.1");
    check_warning(TWO, "materials.oil.liquid.viscosity=1e4",
                  "material 'oil': viscosity 1e+04 m^2/s is more than this scene can do");
    // what acts, xsph with it: c of 1000 at 1 cm is 1000 · 240 Hz M₂ / 2 = 2.8 m²/s
    check_warning(TWO, "materials.oil={liquid: {xsph: 1000}}",
                  "viscosity 2.8 m^2/s, which is what xsph comes to, is more than");
    flight = fly(TWO, "materials.oil={liquid: {viscosity: 1e-3, xsph: 0.5}}", 0, NULL);
    double smoothing = flight.liquids[1].smoothing;
    assert_true(fabs(smoothing / (0.5 * 120 * 0.0583806 * 0.02 * 0.02) - 1) < 1e-6);
    assert_true(near(flight.liquids[1].viscosity, 1e-3 + smoothing));
    thaw_preflight_free(&flight);
    // keys over time count at their largest
    check_warning(TWO, "materials.oil.liquid.viscosity=[[0, 0], [1, 1e4]]", "viscosity 1e+04");
}

// a ball without weight, whose surface alone asks for substeps
#define BALL                                                                                       \
    "thaw: 1\nspacing: 2 mm\ngravity: [0, 0, 0]\nmaterials: {water: {}}\n"                         \
    "bodies: [{name: ball, material: water, shape: {sphere: {center: [0, 0, 0], radius: 2 "        \
    "cm}}}]\n"

static void tension_is_forecast_as_the_liquid_takes_it(void **state) {
    (void)state;
    static const char *const sets[] = {
        "materials.water.liquid.surface_tension=0.4",
        "materials.water.liquid.surface_tension=72 mN/m",
        "materials.water.liquid={surface_tension: 0.2, tension: 0.01}"};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        ThawPreflight flight = fly("solver: {max_substeps: 1000}\n" BALL, sets[k], 0, NULL);
        ThawMaterialDef def = thaw_material_default();
        def.liquid.surface_tension = k == 0 ? 0.4f : k == 1 ? 0.0f : 0.2f;
        def.liquid.tension = k == 0 ? 0.0f : k == 1 ? 0.072f : 0.01f;
        ThawMaterial material = thaw_material_from(&def);
        double asked = thaw_tension_asked(&material, 0.002);
        assert_true(fabs(flight.liquids[0].tension - asked) < 1e-6 * asked);
        // as many substeps as the waves want, and no more
        double dt = 1 / 24.0, wanted = sqrt(asked / thaw_liquid_tension_limit(1000, 0.002, dt));
        assert_true(flight.substeps == ceil(wanted * (1 - 1e-7)));
        assert_true(flight.liquids[0].tension_limit > asked * (1 - 1e-6));
        thaw_preflight_free(&flight);
    }
    check_warning(BALL, "materials.water.liquid.surface_tension=50 N/m",
                  "surface tension 50 N/m is more than this scene can carry: it acts as");
    check_warning("solver: {substeps: 4}\n" BALL, "materials.water.liquid.surface_tension=72 mN/m",
                  "solver.substeps allows 4 substeps a frame");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viscosities_are_kinematic_or_dynamic),
        cmocka_unit_test(a_viscosity_acts_alone_unless_xsph_is_given),
        cmocka_unit_test(surface_tension_is_the_artists_or_has_a_unit),
        cmocka_unit_test(defaults_of_emitters_are_the_librarys),
        cmocka_unit_test(openings_face_along_their_normal),
        cmocka_unit_test(flat_openings_face_along_local_y),
        cmocka_unit_test(the_rate_alone_sets_the_speed),
        cmocka_unit_test(constant_expressions_count_as_their_value),
        cmocka_unit_test(emitters_move_and_change),
        cmocka_unit_test(channels_of_emitters_may_change),
        cmocka_unit_test(forces_have_the_numbers_of_their_kind),
        cmocka_unit_test(included_emitters_come_first),
        cmocka_unit_test(births_follow_from_openings_and_rates),
        cmocka_unit_test(memory_and_disk_follow_what_lives),
        cmocka_unit_test(emitters_that_cannot_work_are_warned_of),
        cmocka_unit_test(sound_emitters_are_not_warned_of),
        cmocka_unit_test(jets_count_for_the_substeps),
        cmocka_unit_test(liquids_that_do_not_go_together_are_warned_of),
        cmocka_unit_test(tension_is_forecast_as_the_liquid_takes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
