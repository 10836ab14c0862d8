// Materials: what matter is made of, in SI units.
#ifndef THAW_MATERIAL_H
#define THAW_MATERIAL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the material flows.
typedef struct ThawLiquidDef {
    float viscosity; // m²/s, kinematic, 0.., default 0: held up to what one smoothing pass can do
    float xsph; // –, 0..0.5, default 0.05: share of the neighbours' mean velocity taken a substep
    float tensile; // –, 0..1, default 0: extra repulsion that keeps particles apart (eq. 7)
    int tensile_exponent; // –, 1..8, default 4: the power of the kernel ratio in that repulsion
    bool two_sided;       // default false: also pull, gently, where density is too low
} ThawLiquidDef;

typedef struct ThawMaterialDef {
    const char *name; // copied; unique in its world; default "water"
    float density;    // kg/m³, > 0, default 1000
    ThawLiquidDef liquid;
} ThawMaterialDef;

THAW_API ThawMaterialDef thaw_material_default(void);

#ifdef __cplusplus
}
#endif

#endif
