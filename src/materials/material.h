// A material as the models read it.
#ifndef THAW_MATERIALS_MATERIAL_H
#define THAW_MATERIALS_MATERIAL_H

#include <thaw/material.h>

#define THAW_NAME_SIZE 64

typedef struct ThawMaterial {
    char name[THAW_NAME_SIZE];
    float density; // kg/m³
    ThawLiquidDef liquid;
    ThawSolidDef solid;
    ThawThermalDef thermal;
} ThawMaterial;

// How much longer a particle of it is as a solid than as a liquid.
double thaw_material_swell(const ThawMaterial *material, int dimensions);

// The artist's viscosity that is meant: xsph, or what THAW_XSPH_AUTO stands for.
float thaw_material_xsph(const ThawLiquidDef *liquid);

// Checks every value; the sentence names material and field.
ThawResult thaw_material_check(const ThawMaterialDef *def);
// The def as kept (def must have passed the check).
ThawMaterial thaw_material_from(const ThawMaterialDef *def);

#endif
