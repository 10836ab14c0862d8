// Materials: defaults pass, every bad value is refused by name.
#include "materials/material.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_refused(ThawMaterialDef def, const char *field) {
    assert_int_equal(thaw_material_check(&def), THAW_BAD_INPUT);
    if (strstr(thaw_error_text(), field) == NULL) {
        fail_msg("\"%s\" does not name %s", thaw_error_text(), field);
    }
}

static void default_is_water_and_passes(void **state) {
    (void)state;
    ThawMaterialDef def = thaw_material_default();
    assert_int_equal(thaw_material_check(&def), THAW_OK);
    assert_string_equal(def.name, "water");
    assert_true(def.density == 1000.0f);
    assert_true(def.liquid.xsph == 0.05f && def.liquid.tensile == 0.0f);
    assert_true(def.liquid.tensile_exponent == 4 && !def.liquid.two_sided);
}

static void density_must_be_above_zero_and_finite(void **state) {
    (void)state;
    const float bad[] = {0.0f, -1.0f, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 5; i++) {
        ThawMaterialDef def = thaw_material_default();
        def.density = bad[i];
        assert_refused(def, "density");
        assert_refused(def, "water");
    }
}

static void liquid_values_must_be_in_range(void **state) {
    (void)state;
    const float bad[] = {-0.001f, 1.001f, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        ThawMaterialDef def = thaw_material_default();
        def.liquid.xsph = bad[i];
        assert_refused(def, "xsph");
        def = thaw_material_default();
        def.liquid.tensile = bad[i];
        assert_refused(def, "tensile");
    }
    ThawMaterialDef def = thaw_material_default();
    def.liquid.xsph = 0.51f;
    assert_refused(def, "xsph");
    def = thaw_material_default();
    def.liquid.tensile_exponent = 0;
    assert_refused(def, "tensile_exponent");
    def.liquid.tensile_exponent = 9;
    assert_refused(def, "tensile_exponent");
}

static void ends_of_the_ranges_pass(void **state) {
    (void)state;
    ThawMaterialDef def = {.name = "x", .density = 1e-30f, .liquid = {0.0f, 0.0f, 0.0f, 1, true}};
    assert_int_equal(thaw_material_check(&def), THAW_OK);
    def.liquid = (ThawLiquidDef){1e6f, 0.5f, 1.0f, 8, false};
    assert_int_equal(thaw_material_check(&def), THAW_OK);
}

static void name_must_have_1_to_63_bytes(void **state) {
    (void)state;
    char name[66];
    memset(name, 'n', sizeof name);
    ThawMaterialDef def = thaw_material_default();
    def.name = name;
    name[63] = '\0';
    assert_int_equal(thaw_material_check(&def), THAW_OK);
    name[63] = 'n';
    name[64] = '\0';
    assert_refused(def, "name");
    def.name = "";
    assert_refused(def, "name");
    def.name = NULL;
    assert_refused(def, "name");
    assert_int_equal(thaw_material_check(NULL), THAW_BAD_INPUT);
}

static void kept_material_owns_its_name(void **state) {
    (void)state;
    char name[64];
    memset(name, 'n', 63);
    name[63] = '\0';
    ThawMaterialDef def = thaw_material_default();
    def.name = name;
    def.density = 917.0f;
    def.liquid.two_sided = true;
    ThawMaterial material = thaw_material_from(&def);
    memset(name, 'x', 63);
    assert_int_equal(strlen(material.name), 63);
    assert_true(material.name[0] == 'n' && material.name[62] == 'n');
    assert_true(material.density == 917.0f && material.liquid.two_sided);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_is_water_and_passes),
        cmocka_unit_test(density_must_be_above_zero_and_finite),
        cmocka_unit_test(liquid_values_must_be_in_range),
        cmocka_unit_test(ends_of_the_ranges_pass),
        cmocka_unit_test(name_must_have_1_to_63_bytes),
        cmocka_unit_test(kept_material_owns_its_name),
    };
    return cmocka_run_group_tests_name("material", tests, NULL, NULL);
}
