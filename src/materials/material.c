// Materials: defaults and checks.
#include "materials/material.h"

#include "base/result.h"
#include "materials/enthalpy.h"

#include <math.h>
#include <string.h>

ThawMaterialDef thaw_material_default(void) {
    return (ThawMaterialDef){
        .name = "water",
        .density = 1000.0f,
        .liquid = {.viscosity = 0.0f,
                   .xsph = THAW_XSPH_AUTO,
                   .tensile = 0.0f,
                   .tensile_exponent = 4},
        .solid = {.young = 1e5f,
                  .poisson = 0.3f,
                  .damping = 0.03f,
                  .elasticity = THAW_ELASTIC_LATTICE,
                  .friction = 0.5f},
        .thermal = {.conductivity = 0.6f,
                    .specific_heat = 4186.0f,
                    .freezing_neighbors = 2,
                    .freezing_misfit = 0.2f,
                    .reference = 293.15f},
    };
}

// a value outside low..high, or not a number
static bool is_outside(double value, double low, double high) {
    return !(value >= low && value <= high);
}

// one row a number of a material: its range from 0, and what it is measured in
typedef struct NumberRow {
    const char *name;
    size_t at; // in ThawLiquidDef or ThawSolidDef
    double most;
    const char *unit;
} NumberRow;

#define LIQUID_ROW(member, most, unit)                                                             \
    { "liquid." #member, offsetof(ThawLiquidDef, member), most, unit }
#define SOLID_ROW(member, most, unit)                                                              \
    { "solid." #member, offsetof(ThawSolidDef, member), most, unit }

static const NumberRow liquid_rows[] = {
    LIQUID_ROW(viscosity, 1e6, " m²/s"), LIQUID_ROW(xsph, 1000, ""),
    LIQUID_ROW(surface_tension, 1, ""),  LIQUID_ROW(tension, 1e6, " N/m"),
    LIQUID_ROW(tensile, 1, ""),          LIQUID_ROW(vorticity, 1, "")};

static const NumberRow solid_rows[] = {
    SOLID_ROW(young, 1e15, " Pa"),
    SOLID_ROW(poisson, 0.49, ""),
    SOLID_ROW(damping, 1, ""),
    SOLID_ROW(yield_strain, 10, ""),
    SOLID_ROW(creep, 1e6, " 1/s"),
    SOLID_ROW(fracture_strain, 10, ""),
    SOLID_ROW(fracture_stress, 1e15, " Pa"),
    SOLID_ROW(fracture_spread, 0.9, ""),
    SOLID_ROW(docking_rate, 1e9, " 1/s"),
    SOLID_ROW(docking_growth, 1e9, " 1/s²"),
    SOLID_ROW(friction, 1e6, ""),
};

static ThawResult check_numbers(const char *name, const void *def, const NumberRow *rows,
                                size_t count) {
    for (size_t k = 0; k < count; k++) {
        const NumberRow *row = &rows[k];
        float value;
        memcpy(&value, (const char *)def + row->at, sizeof value);
        // a limit that is no float is met to rounding
        if (!is_outside((double)value, 0.0, (double)(float)row->most)) continue;
        return thaw_fail(THAW_BAD_INPUT, "material \"%s\": %s must be in 0..%g%s, not %g", name,
                         row->name, row->most, row->unit, (double)value);
    }
    return THAW_OK;
}

float thaw_material_xsph(const ThawLiquidDef *liquid) {
    if (liquid->xsph != THAW_XSPH_AUTO) return liquid->xsph;
    return liquid->viscosity > 0 ? 0.0f : (float)THAW_XSPH_USUAL;
}

static ThawResult check_liquid(const char *name, const ThawLiquidDef *asked) {
    ThawLiquidDef resolved = *asked, *liquid = &resolved;
    resolved.xsph = thaw_material_xsph(asked);
    if (liquid->tensile_exponent < 1 || liquid->tensile_exponent > 8) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": liquid.tensile_exponent must be in 1..8, not %d", name,
                         liquid->tensile_exponent);
    }
    return check_numbers(name, liquid, liquid_rows, sizeof liquid_rows / sizeof *liquid_rows);
}

static ThawResult check_solid(const char *name, const ThawSolidDef *solid) {
    if ((int)solid->elasticity < 0 || (int)solid->elasticity > THAW_ELASTIC_NEO_HOOKEAN) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": solid.elasticity must be one of ThawElasticity, not %d",
                         name, (int)solid->elasticity);
    }
    return check_numbers(name, solid, solid_rows, sizeof solid_rows / sizeof *solid_rows);
}

ThawResult thaw_material_check(const ThawMaterialDef *def) {
    if (def == NULL) return thaw_fail(THAW_BAD_INPUT, "material: the def is missing");
    if (def->name == NULL || def->name[0] == '\0') {
        return thaw_fail(THAW_BAD_INPUT, "material: name must not be empty");
    }
    if (strlen(def->name) >= THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "material \"%.63s...\": name must have at most %d bytes",
                         def->name, THAW_NAME_SIZE - 1);
    }
    if (!(def->density > 0.0f) || !isfinite(def->density)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": density must be above 0 and finite, not %g", def->name,
                         (double)def->density);
    }
    double swell = (double)(def->solid.density / def->density);
    if (def->solid.density != 0 && is_outside(swell, 0.5, 2)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": solid.density must be 0 or 0.5..2 times density, not %g",
                         def->name, (double)def->solid.density);
    }
    ThawResult result = check_liquid(def->name, &def->liquid);
    if (result == THAW_OK) result = check_solid(def->name, &def->solid);
    return result != THAW_OK ? result : thaw_thermal_check(def->name, &def->thermal);
}

ThawMaterial thaw_material_from(const ThawMaterialDef *def) {
    ThawMaterial material = {.density = def->density,
                             .liquid = def->liquid,
                             .solid = def->solid,
                             .thermal = def->thermal};
    material.liquid.xsph = thaw_material_xsph(&def->liquid);
    size_t length = strlen(def->name);
    if (length > THAW_NAME_SIZE - 1) length = THAW_NAME_SIZE - 1;
    memcpy(material.name, def->name, length);
    return material;
}

double thaw_material_swell(const ThawMaterial *material, int dimensions) {
    if (!(material->solid.density > 0)) return 1;
    return pow((double)material->density / (double)material->solid.density, 1.0 / dimensions);
}
