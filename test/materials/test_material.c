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
    assert_true(def.liquid.xsph == THAW_XSPH_AUTO && def.liquid.tensile == 0.0f);
    assert_true(def.liquid.tensile_exponent == 4 && def.liquid.surface_tension == 0.0f);
    const ThawSolidDef *solid = &def.solid;
    assert_true(solid->young == 1e5f && solid->poisson == 0.3f && solid->damping == 0.03f);
    assert_true(solid->elasticity == THAW_ELASTIC_LATTICE && solid->friction == 0.5f);
    assert_true(solid->yield_strain == 0 && solid->creep == 0 && solid->fracture_strain == 0);
    assert_true(solid->fracture_stress == 0 && solid->fracture_spread == 0);
    assert_true(solid->docking_rate == 0 && solid->docking_growth == 0);
}

// xsph smooths where nothing else is said, and adds nothing unasked to a viscosity
static void a_viscosity_acts_alone_unless_xsph_is_given(void **state) {
    (void)state;
    ThawMaterialDef def = thaw_material_default();
    assert_true(thaw_material_from(&def).liquid.xsph == 0.05f);
    def.liquid.viscosity = 1e-6f;
    assert_int_equal(thaw_material_check(&def), THAW_OK);
    assert_true(thaw_material_from(&def).liquid.xsph == 0);
    def.liquid.xsph = 0.05f;
    assert_true(thaw_material_from(&def).liquid.xsph == 0.05f);
    def.liquid.viscosity = 0;
    def.liquid.xsph = 0;
    assert_true(thaw_material_from(&def).liquid.xsph == 0);
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
        def.liquid.tensile = bad[i];
        assert_refused(def, "tensile");
        def = thaw_material_default();
        def.liquid.surface_tension = bad[i];
        assert_refused(def, "surface_tension");
        def = thaw_material_default();
        def.liquid.xsph = 2000 * bad[i]; // not -1, which is THAW_XSPH_AUTO
        assert_refused(def, "xsph");
    }
    ThawMaterialDef def = thaw_material_default();
    def.liquid.xsph = -0.5f;
    assert_refused(def, "xsph");
    def.liquid.xsph = 1001.0f;
    assert_refused(def, "xsph");
    def = thaw_material_default();
    def.liquid.tensile_exponent = 0;
    assert_refused(def, "tensile_exponent");
    def.liquid.tensile_exponent = 9;
    assert_refused(def, "tensile_exponent");
}

// every number of a solid: where it is, its name and the largest that passes
static const struct {
    size_t at;
    const char *name;
    float most;
} solid_rows[] = {
    {offsetof(ThawSolidDef, young), "solid.young", 1e15f},
    {offsetof(ThawSolidDef, poisson), "solid.poisson", 0.49f},
    {offsetof(ThawSolidDef, damping), "solid.damping", 1},
    {offsetof(ThawSolidDef, yield_strain), "solid.yield_strain", 10},
    {offsetof(ThawSolidDef, creep), "solid.creep", 1e6f},
    {offsetof(ThawSolidDef, fracture_strain), "solid.fracture_strain", 10},
    {offsetof(ThawSolidDef, fracture_stress), "solid.fracture_stress", 1e15f},
    {offsetof(ThawSolidDef, fracture_spread), "solid.fracture_spread", 0.9f},
    {offsetof(ThawSolidDef, docking_rate), "solid.docking_rate", 1e9f},
    {offsetof(ThawSolidDef, docking_growth), "solid.docking_growth", 1e9f},
    {offsetof(ThawSolidDef, friction), "solid.friction", 1e6f},
};

static void set_solid(ThawMaterialDef *def, size_t row, float value) {
    memcpy((char *)&def->solid + solid_rows[row].at, &value, sizeof value);
}

static void solid_values_must_be_in_range(void **state) {
    (void)state;
    for (size_t row = 0; row < sizeof solid_rows / sizeof *solid_rows; row++) {
        float most = solid_rows[row].most;
        const float bad[] = {-0.001f, most * 1.001f, NAN, INFINITY, -INFINITY};
        for (int i = 0; i < 5; i++) {
            ThawMaterialDef def = thaw_material_default();
            set_solid(&def, row, bad[i]);
            assert_refused(def, solid_rows[row].name);
        }
        ThawMaterialDef def = thaw_material_default();
        set_solid(&def, row, most);
        assert_int_equal(thaw_material_check(&def), THAW_OK);
        set_solid(&def, row, 0);
        assert_int_equal(thaw_material_check(&def), THAW_OK);
    }
    ThawMaterialDef def = thaw_material_default();
    def.solid.elasticity = (ThawElasticity)3;
    assert_refused(def, "solid.elasticity");
    def.solid.elasticity = (ThawElasticity)-1;
    assert_refused(def, "solid.elasticity");
}

static void ends_of_the_ranges_pass(void **state) {
    (void)state;
    ThawMaterialDef def = {.name = "x",
                           .density = 1e-30f,
                           .liquid = {.tensile_exponent = 1},
                           .thermal = thaw_material_default().thermal};
    assert_int_equal(thaw_material_check(&def), THAW_OK);
    def.liquid = (ThawLiquidDef){.viscosity = 1e6f,
                                 .xsph = 1000,
                                 .surface_tension = 1,
                                 .tension = 1e6f,
                                 .tensile = 1,
                                 .tensile_exponent = 8,
                                 .vorticity = 1};
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
    def.liquid.surface_tension = 0.25f;
    def.solid.young = 5e6f;
    ThawMaterial material = thaw_material_from(&def);
    memset(name, 'x', 63);
    assert_int_equal(strlen(material.name), 63);
    assert_true(material.name[0] == 'n' && material.name[62] == 'n');
    assert_true(material.density == 917.0f && material.liquid.surface_tension == 0.25f);
    assert_true(material.solid.young == 5e6f && material.solid.friction == 0.5f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_is_water_and_passes),
        cmocka_unit_test(a_viscosity_acts_alone_unless_xsph_is_given),
        cmocka_unit_test(density_must_be_above_zero_and_finite),
        cmocka_unit_test(liquid_values_must_be_in_range),
        cmocka_unit_test(solid_values_must_be_in_range),
        cmocka_unit_test(ends_of_the_ranges_pass),
        cmocka_unit_test(name_must_have_1_to_63_bytes),
        cmocka_unit_test(kept_material_owns_its_name),
    };
    return cmocka_run_group_tests_name("material", tests, NULL, NULL);
}
