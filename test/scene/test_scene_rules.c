// Rules of melting and freezing that look at what a scene's particles carry: its channels, and the fields of solids.
#include "scene_rig.h"

#include <math.h>

#define DYED                                                                                       \
    SCENE_HEAD                                                                                     \
    "gravity: [0, 0, 0]\nframes: {count: 24}\n"                                                    \
    "channels: {dye: {}, flow: {type: int, components: 3}}\n"                                      \
    "materials:\n  wax: {density: 1000, solid: {young: 1e5}, liquid: {viscosity: "                 \
    "1e-4}, thermal: {melts_when: 0, freezes_when: 0}}\n"                                          \
    "bodies:\n  - {name: cube, material: wax, state: solid, channels: {dye: \"z > 0.2 "            \
    "? 1 : 0.25\", flow: [0, \"z > 0.2\", 3]}, shape: {box: {center: [0, 0, 0.2], size: "          \
    "[0.2, 0.2, 0.2]}}}\n"

static ThawScene *parse_with(const char *rule) {
    char set[400];
    snprintf(set, sizeof set, "materials.wax.thermal.melts_when=\"%s\"", rule);
    const char *const sets[] = {set};
    ThawSceneOptions options = {.sets = sets, .set_count = 1};
    return parse_scene(DYED, &options);
}

typedef struct Melt {
    uint32_t all, liquid, high; // particles; liquid ones; those of them that began above 0.2 m
} Melt;

static Melt melt_by(const char *rule, double seconds) {
    ThawScene *scene = parse_with(rule);
    ThawHostDef host = {.threads = 2};
    ThawWorld *world = NULL;
    if (thaw_scene_build(scene, &host, &world) != THAW_OK) fail_msg("%s", thaw_error_text());
    for (double t = 0; t < seconds; t += 1.0 / 24) {
        if (thaw_scene_advance(scene, world, 1.0 / 24, NULL) != THAW_OK)
            fail_msg("%s", thaw_error_text());
    }
    ThawView states, dyes;
    assert_int_equal(thaw_world_view(world, "state", &states), THAW_OK);
    assert_int_equal(thaw_world_view(world, "dye", &dyes), THAW_OK);
    Melt melt = {.all = states.count};
    for (uint32_t k = 0; k < states.count; k++) {
        if (((const uint8_t *)states.data)[k] != THAW_STATE_LIQUID) continue;
        melt.liquid++;
        melt.high += ((const float *)dyes.data)[k] > 0.5f;
    }
    thaw_world_destroy(world);
    thaw_scene_free(scene);
    return melt;
}

static void a_body_melts_where_its_channel_says_so(void **state) {
    (void)state;
    Melt melt = melt_by("dye > 0.5", 0.1);
    assert_true(melt.liquid > melt.all / 3 && melt.liquid < 2 * melt.all / 3);
    assert_int_equal(melt.high, melt.liquid);
    // all of those, and no other
    Melt rest = melt_by("dye < 0.5", 0.1);
    assert_int_equal(rest.high, 0);
    assert_int_equal(rest.liquid + melt.liquid, melt.all);
}

static void a_channel_of_several_numbers_has_them_by_number(void **state) {
    (void)state;
    assert_int_equal(melt_by("flow.2 == 3 and flow.0 == 0", 0.05).liquid,
                     melt_by("1 > 0", 0.05).all);
    assert_int_equal(melt_by("flow.2 == 2", 0.05).liquid, 0);
    Melt melt = melt_by("flow.1 == 1", 0.05);
    assert_true(melt.liquid > melt.all / 3 && melt.high == melt.liquid);
}

// a particle inside a close packing holds on to twelve, one at a face to fewer: the surface stays, and so does what loses
// its neighbours
static void what_a_solid_has_decides(void **state) {
    (void)state;
    Melt inside = melt_by("bonds > 11", 0.1);
    assert_true(inside.liquid > inside.all / 5 && inside.liquid < 4 * inside.all / 5);
    // nothing is strained where nothing pulls, and nothing has flowed
    Melt calm =
        melt_by("von_mises > 1e3 or strain > 0.01 or stress.xy > 1e3 or plastic_strain > 0", 0.1);
    assert_int_equal(calm.liquid, 0);
    assert_int_equal(
        melt_by("strain < 0.01 and abs(stress.xx) < 1e3 and stress < 1e3", 0.05).liquid,
        inside.all);
}

static void enthalpy_and_names_that_all_see_stay(void **state) {
    (void)state;
    Melt melt = melt_by("enthalpy > 0 and temperature > 1 and z > 0.21", 0.05);
    assert_int_equal(melt.high, melt.liquid);
    assert_true(melt.liquid > 0);
}

static void assert_told(const char *rule, const char *const *parts) {
    char set[600];
    snprintf(set, sizeof set, "materials.wax.thermal.melts_when=\"%s\"", rule);
    const char *const sets[] = {set};
    ThawSceneOptions options = {.sets = sets, .set_count = 1};
    ThawMessages *messages = NULL;
    ThawScene *scene = NULL;
    assert_int_equal(thaw_scene_parse(DYED, strlen(DYED), "dyed.yaml", &options, &scene, &messages),
                     THAW_BAD_INPUT);
    const char *text = thaw_messages_get(messages, 0)->text;
    for (int k = 0; parts[k] != NULL; k++) {
        if (strstr(text, parts[k]) == NULL) fail_msg("'%s' does not say '%s'", text, parts[k]);
    }
    thaw_messages_free(messages);
}

static void unknown_names_are_told_with_those_that_there_are(void **state) {
    (void)state;
    assert_told("qqzzkk > 1",
                (const char *const[]){"unknown name 'qqzzkk'", "temperature", "object", "dye",
                                      "flow.0", "von_mises", "stress", "bonds", NULL});
    assert_told("dyee > 1", (const char *const[]){"did you mean 'dye'", NULL});
    assert_told("flow > 1", (const char *const[]){"unknown name 'flow'", NULL});
    assert_told("flow.3 > 1", (const char *const[]){"unknown name 'flow.3'", NULL});
    assert_told("stress.xq > 1", (const char *const[]){"unknown name 'stress.xq'", NULL});
    assert_told("strain.xx+strain.yy+strain.zz+strain.xy+strain.yz+strain.zx+stress.xx+"
                "stress.yy+stress.zz+stress.xy+stress.yz+stress.zx+flow.0+flow.1+flow.2+dye+"
                "bonds > 1",
                (const char *const[]){"16 channels and fields at most", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_melts_where_its_channel_says_so),
        cmocka_unit_test(a_channel_of_several_numbers_has_them_by_number),
        cmocka_unit_test(what_a_solid_has_decides),
        cmocka_unit_test(enthalpy_and_names_that_all_see_stay),
        cmocka_unit_test(unknown_names_are_told_with_those_that_there_are),
    };
    return cmocka_run_group_tests_name("scene rules", tests, NULL, NULL);
}
