// What the check foresees of matter that freezes, keys that do nothing, sources that move, and scenes that repeat a
// published count.
#include "scene_rig.h"

#include <math.h>
#include <thaw/snapshot.h>

#define MELT                                                                                       \
    "thaw: 1\nspacing: 0.02\nframes: {count: 24}\nmaterials:\n  slag: {density: 2000, solid: "     \
    "{young: 1e8}, liquid: {viscosity: 1e-3}, thermal: {conductivity: 1000, specific_heat: "       \
    "1000, melts_at: 500}}\nbodies:\n  - {name: pool, material: slag, temperature: 600, shape: "   \
    "{box: {center: [0, 0, 0.1], size: [0.3, 0.3, 0.2]}}}\n"                                       \
    "colliders:\n  - {name: floor, shape: {plane: {point: [0, 0, 0]}}, temperature: 300}\n"
#define LAMP                                                                                       \
    "thaw: 1\nspacing: 0.02\ngravity: [0, 0, 0]\nframes: {count: 24}\nmaterials:\n  wax: "         \
    "{density: 1000, solid: {young: 1e4}, thermal: {conductivity: 0, specific_heat: 1000}}\n"      \
    "bodies:\n  - {name: bar, material: wax, state: solid, temperature: 300, shape: {box: "        \
    "{center: [0, 0, 0], size: [0.6, 0.08, 0.08]}}}\n"

static ThawScene *parse_with(const char *text, const char *set) {
    const char *const sets[] = {set};
    ThawSceneOptions options = {.sets = sets, .set_count = set != NULL};
    return parse_scene(text, &options);
}

// ---------------------------------------------------------------- matter that sets

typedef struct Told {
    double substeps, set; // a frame
    ThawSolidForecast solid;
    int solids;
    bool stiff; // a warning says that it acts softer
} Told;

static Told foresee(const char *set) {
    ThawScene *scene = parse_with(MELT, set);
    ThawPreflight flight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &flight, &messages), THAW_OK);
    Told told = {
        .substeps = flight.substeps, .set = flight.set_substeps, .solids = flight.solid_count};
    if (flight.solid_count > 0) told.solid = flight.solids[0];
    for (int k = 0; k < thaw_messages_count(messages); k++) {
        told.stiff |= strstr(thaw_messages_get(messages, k)->text, "when it has set") != NULL;
    }
    thaw_messages_free(messages);
    thaw_preflight_free(&flight);
    thaw_scene_free(scene);
    return told;
}

static void liquid_that_freezes_is_foreseen_as_a_solid(void **state) {
    (void)state;
    Told cold = foresee(NULL);
    assert_int_equal(cold.solids, 1);
    assert_true(cold.solid.sets && cold.solid.particles == 0 && cold.stiff);
    assert_true(cold.solid.young == 1e8 && cold.solid.limit < 1e8);
    assert_true(cold.set >= 4 * cold.substeps);
    // softer than the limit: nothing to warn of, and fewer pieces
    Told soft = foresee("materials.slag.solid.young=1e4");
    assert_true(soft.solids == 1 && !soft.stiff && soft.set < cold.set);
}

static void liquid_that_nothing_cools_is_none(void **state) {
    (void)state;
    Told warm = foresee("colliders.floor.temperature=520");
    assert_int_equal(warm.solids, 0);
    assert_true(warm.set == warm.substeps);
    // a rule, or air, freezes too
    assert_int_equal(foresee("materials.slag.thermal={freezes_when: t > 1}").solids, 1);
    Told still = foresee("colliders=[{name: floor, shape: {plane: {point: [0, 0, 0]}}}]");
    assert_int_equal(still.solids, 0);
    assert_int_equal(foresee("heat={ambient: 300, convection: 9}").solids, 1);
}

// what is told is what is taken, when it has frozen
static void substeps_of_set_matter_are_those_of_the_run(void **state) {
    (void)state;
    const char *set = "materials.slag.thermal={conductivity: 0, specific_heat: 1000, "
                      "freezes_when: 1 > 0, nucleation: 1e6}";
    Told told = foresee(set);
    ThawScene *scene = parse_with(MELT, set);
    ThawHostDef host = {.threads = 2};
    ThawWorld *world = NULL;
    ThawReport report;
    assert_int_equal(thaw_scene_build(scene, &host, &world), THAW_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(thaw_scene_advance(scene, world, 1.0 / 24, &report), THAW_OK);
    assert_true(report.frozen > 0 || report.substeps > told.substeps);
    double taken = report.substeps;
    // an estimate: the pieces are the same, the substeps of a falling and a resting pool differ
    if (!(taken > told.set / 3 && taken < 3 * told.set)) {
        fail_msg("%g substeps were taken, %g told, %g before", taken, told.set, told.substeps);
    }
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- keys that do nothing

static bool warns(const char *text, const char *set, const char *part) {
    ThawScene *scene = parse_with(text, set);
    ThawPreflight flight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &flight, &messages), THAW_OK);
    bool found = false;
    for (int k = 0; k < thaw_messages_count(messages); k++) {
        found |= strstr(thaw_messages_get(messages, k)->text, part) != NULL;
    }
    thaw_messages_free(messages);
    thaw_preflight_free(&flight);
    thaw_scene_free(scene);
    return found;
}

static void keys_that_do_nothing_are_told(void **state) {
    (void)state;
    static const struct {
        const char *idle, *works, *part;
    } cases[] = {
        {"materials.slag.thermal.nucleation_below=5",
         "materials.slag.thermal={melts_at: 500, nucleation_below: 5, nucleation: 1}",
         "a nucleation_below but no nucleation"},
        {"materials.slag.solid.fracture_spread=0.2",
         "materials.slag.solid={young: 1e4, fracture_spread: 0.2, fracture_stress: 1e3}",
         "a fracture_spread but neither"},
        {"materials.slag.solid.docking_growth=1",
         "materials.slag.solid={young: 1e4, docking_growth: 1, docking_rate: 1}",
         "a docking_growth but no docking_rate"},
        {"colliders=[{name: floor, shape: {plane: {point: [0, 0, 0]}}, frosts: yes}]",
         "colliders.floor.frosts=yes", "frosts but has no temperature"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!warns(MELT, cases[k].idle, cases[k].part)) fail_msg("silent: %s", cases[k].idle);
        if (warns(MELT, cases[k].works, cases[k].part)) fail_msg("not so: %s", cases[k].works);
    }
    // matter may be cold by itself
    assert_false(warns(MELT,
                       "colliders=[{name: floor, shape: {plane: {point: [0, 0, 0]}}, frosts: yes}, "
                       "{name: ice, shape: {sphere: {center: [9, 0, 0], radius: 1}}, temperature: "
                       "100}]",
                       "frosts but"));
}

// ---------------------------------------------------------------- sources that move

// K: the mean of a bar's left and of its right end
static void warm_bar(const char *set, double ends[2]) {
    ThawScene *scene = parse_with(LAMP, set);
    ThawHostDef host = {.threads = 1};
    ThawWorld *world = NULL;
    if (thaw_scene_build(scene, &host, &world) != THAW_OK) fail_msg("%s", thaw_error_text());
    for (int k = 0; k < 24; k++) {
        assert_int_equal(thaw_scene_advance(scene, world, 1.0 / 24, NULL), THAW_OK);
    }
    ThawView places, warmth;
    assert_int_equal(thaw_world_view(world, "temperature", &warmth), THAW_OK);
    assert_int_equal(thaw_world_view(world, "position", &places), THAW_OK);
    double sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (uint32_t k = 0; k < warmth.count; k++) {
        double x = (double)((const float *)places.data)[3 * (size_t)k];
        if (fabs(x) < 0.2) continue;
        sum[x > 0] += (double)((const float *)warmth.data)[k] - 300;
        count[x > 0]++;
    }
    for (int n = 0; n < 2; n++) ends[n] = sum[n] / count[n];
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

#define TORCH                                                                                      \
    "heat_sources=[{name: torch, power: 2e4, shape: {box: {center: [-0.25, 0, 0], size: [0.1, 1, " \
    "1]}}"

static void a_source_heats_where_its_motion_takes_it(void **state) {
    (void)state;
    double still[2], moved[2], turned[2];
    warm_bar(TORCH "}]", still);
    warm_bar(TORCH ", motion: [{time: 0}, {time: 0.5}, {time: 0.501, move: [0.5, 0, 0]}]}]", moved);
    // half a turn about the middle is the same way
    warm_bar(TORCH
             ", motion: [{time: 0}, {time: 0.5}, {time: 0.501, pivot: [0, 0, 0], rotate: {axis: "
             "[0, 0, 1], angle: 180 deg}}]}]",
             turned);
    assert_true(still[0] > 10 && fabs(still[1]) < 1e-3);
    for (int n = 0; n < 2; n++) {
        if (!(fabs(moved[n] - 0.5 * still[0]) < 0.03 * still[0] &&
              fabs(turned[n] - moved[n]) < 0.03 * still[0])) {
            fail_msg("end %d: %g and %g of %g K", n, moved[n], turned[n], still[0]);
        }
    }
}

static void a_moving_source_is_written_and_read_again(void **state) {
    (void)state;
    ThawScene *scene = parse_with(LAMP, TORCH ", motion: {move: [\"t\", 0, 0]}}]");
    assert_true(scene->animated && scene->heat_sources[0].motion_count > 2);
    char *text = NULL;
    size_t size;
    assert_int_equal(thaw_scene_write(scene, &text, &size), THAW_OK);
    ThawScene *again = parse_scene(text, NULL);
    assert_int_equal(again->heat_sources[0].motion_count, scene->heat_sources[0].motion_count);
    assert_non_null(again->heat_sources[0].formula);
    thaw_scene_free(again);
    thaw_scene_free(scene);
    free(text);
    ThawMessages *messages = NULL;
    const char *const sets[] = {"heat_sources=[{name: sun, power: 1, motion: [{time: 0}]}]"};
    ThawSceneOptions options = {.sets = sets, .set_count = 1};
    assert_int_equal(thaw_scene_parse(LAMP, strlen(LAMP), "lamp.yaml", &options, &again, &messages),
                     THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_messages_get(messages, 0)->text, "motion needs a 'shape'"));
    thaw_messages_free(messages);
}

// ---------------------------------------------------------------- counts that were published

static uint32_t count_body(const char *path, const char *name) {
    ThawScene *scene = read_scene(path);
    ThawPreflight flight;
    ThawMessages *messages = NULL;
    uint32_t count = 0;
    assert_int_equal(thaw_scene_preflight(scene, &flight, &messages), THAW_OK);
    for (int k = 0; k < scene->body_count; k++) {
        if (strcmp(scene->bodies[k].name, name) == 0) count = flight.body_particles[k];
    }
    thaw_messages_free(messages);
    thaw_preflight_free(&flight);
    thaw_scene_free(scene);
    return count;
}

// figures 6 and 7 of "Versatile Virtual Materials Using Implicit Connectivity"
static void demo_scenes_have_the_papers_particles(void **state) {
    (void)state;
    assert_int_equal(count_body(SCENE_TREE "/scenes/goo_on_rod.yaml", "rod"), 1606);
    assert_int_equal(count_body(SCENE_TREE "/scenes/melting_bear.yaml", "bear"), 9871);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liquid_that_freezes_is_foreseen_as_a_solid),
        cmocka_unit_test(liquid_that_nothing_cools_is_none),
        cmocka_unit_test(substeps_of_set_matter_are_those_of_the_run),
        cmocka_unit_test(keys_that_do_nothing_are_told),
        cmocka_unit_test(a_source_heats_where_its_motion_takes_it),
        cmocka_unit_test(a_moving_source_is_written_and_read_again),
        cmocka_unit_test(demo_scenes_have_the_papers_particles),
    };
    return cmocka_run_group_tests_name("scene forecast", tests, NULL, NULL);
}
