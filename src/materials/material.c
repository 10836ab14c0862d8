// Materials: defaults and checks.
#include "materials/material.h"

#include "base/result.h"

#include <math.h>
#include <string.h>

ThawMaterialDef thaw_material_default(void) {
    return (ThawMaterialDef){
        .name = "water",
        .density = 1000.0f,
        .liquid = {.viscosity = 0.0f,
                   .xsph = 0.05f,
                   .tensile = 0.0f,
                   .tensile_exponent = 4,
                   .two_sided = false},
    };
}

// a value outside low..high, or not a number
static bool is_outside(double value, double low, double high) {
    return !(value >= low && value <= high);
}

static ThawResult check_liquid(const char *name, const ThawLiquidDef *liquid) {
    if (is_outside((double)liquid->viscosity, 0.0, 1e6)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": liquid.viscosity must be in 0..1e6 m²/s, not %g", name,
                         (double)liquid->viscosity);
    }
    if (is_outside((double)liquid->xsph, 0.0, 0.5)) {
        return thaw_fail(THAW_BAD_INPUT, "material \"%s\": liquid.xsph must be in 0..0.5, not %g",
                         name, (double)liquid->xsph);
    }
    if (is_outside((double)liquid->tensile, 0.0, 1.0)) {
        return thaw_fail(THAW_BAD_INPUT, "material \"%s\": liquid.tensile must be in 0..1, not %g",
                         name, (double)liquid->tensile);
    }
    if (liquid->tensile_exponent < 1 || liquid->tensile_exponent > 8) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": liquid.tensile_exponent must be in 1..8, not %d", name,
                         liquid->tensile_exponent);
    }
    return THAW_OK;
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
    return check_liquid(def->name, &def->liquid);
}

ThawMaterial thaw_material_from(const ThawMaterialDef *def) {
    ThawMaterial material = {.density = def->density, .liquid = def->liquid};
    size_t length = strlen(def->name);
    if (length > THAW_NAME_SIZE - 1) length = THAW_NAME_SIZE - 1;
    memcpy(material.name, def->name, length);
    return material;
}
