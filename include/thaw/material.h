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

// How a solid answers to strain.
typedef enum ThawElasticity {
    THAW_ELASTIC_LATTICE, // the lattice's own force, the default
    THAW_ELASTIC_COROTATED, // linear elasticity in the particle's turned frame, from the measured strain
    THAW_ELASTIC_NEO_HOOKEAN // nonlinear, from the measured strain
} ThawElasticity;

// How the material behaves as a solid. All of it is independent of spacing and substep below the limit
// that ThawReport.young_limit tells.
typedef struct ThawSolidDef {
    float young;   // Pa, 0.., default 1e5; with 0, and no damping, a solid is a liquid
    float poisson; // –, 0..0.49, default 0.3
    float
        damping; // –, 0..1, default 0.03: damping ratio of a wobble of 10 Hz; in proportion for others
    ThawElasticity elasticity;
    float yield_strain; // –, default 0 = never: elastic shape change above it becomes permanent
    float creep;        // 1/s, default 0: share of the elastic shape change that becomes permanent
    float fracture_strain; // –, default 0 = never: largest principal strain before bonds break
    float fracture_stress; // Pa, default 0 = never: largest principal stress before bonds break
    float
        fracture_spread; // –, 0..0.9, default 0: by how much those limits differ between particles
    float
        docking_rate; // 1/s, default 0: how readily particles take vacant sites; 0: cracks never heal
    float
        docking_growth; // 1/s², default 0: how fast a site's rate rises when filled, falls when empty
    float friction;     // –, default 0.5: Coulomb's coefficient against other solids
} ThawSolidDef;

typedef struct ThawMaterialDef {
    const char *name; // copied; unique in its world; default "water"
    float density;    // kg/m³, > 0, default 1000
    ThawLiquidDef liquid;
    ThawSolidDef solid;
} ThawMaterialDef;

THAW_API ThawMaterialDef thaw_material_default(void);

// The largest Young's modulus in Pa that elastic steps of `elastic_dt` seconds carry (a substep is cut into
// solver.elastic_steps of them). Stiffer solids act as stiff as this
// at least: long bonds (solver.long_bonds) make them act some times stiffer.
THAW_API double thaw_solid_young_limit(const ThawMaterialDef *material, int dimensions,
                                       double spacing, double elastic_dt);

#ifdef __cplusplus
}
#endif

#endif
