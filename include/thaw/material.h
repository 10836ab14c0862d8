// Materials: what matter is made of, in SI units.
#ifndef THAW_MATERIAL_H
#define THAW_MATERIAL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THAW_REFERENCE_TIME (1.0 / 240.0) // s, for which coefficients of smoothing are given

// Values of `xsph`: the default, and what it is where no viscosity is given.
#define THAW_XSPH_AUTO (-1.0f)
#define THAW_XSPH_USUAL 0.05

// How the material flows.
typedef struct ThawLiquidDef {
    float
        viscosity; // m²/s, kinematic, 0.., default 0: the same at any spacing and substep; sticks to walls
    float
        xsph; // –, 0..1000: the artist's viscosity c of eq. 6, smoothing a reference time of 1/240 s; what
    // a substep takes is in proportion, so substeps do not change the look. Default THAW_XSPH_AUTO: 0.05, which
    // calms the method's noise; nothing where a viscosity is given, which then acts alone
    float
        surface_tension; // –, 0..1, default 0: the artist's κ: how strongly matter holds together; 0 =
                         // not at all
    float
        tension; // N/m, 0.., default 0: the same as a physical value (water 0.072), added to what κ asks for
    float tensile; // –, 0..1, default 0: extra repulsion that keeps particles apart (eq. 7)
    int tensile_exponent; // –, 1..8, default 4: the power of the kernel ratio in that repulsion
    float vorticity;      // –, 0..1, default 0: gives back what the method takes from eddies
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
    // kg/m³, 0.5..2 of the material's, default 0 = the same: matter swells or shrinks by that when it freezes. A
    // particle's mass and `spacing` stay; as a solid it takes up spacing^dimensions times density / solid.density.
    float density;
} ThawSolidDef;

#define THAW_CURVE_POINTS 16

// A factor over temperature: straight between its points, on a logarithmic scale where both are above 0; level
// beyond the ends.
typedef struct ThawFactorCurve {
    int count;                            // 0..16, default 0: the factor is 1 everywhere
    float temperature[THAW_CURVE_POINTS]; // K, strictly rising
    float factor[THAW_CURVE_POINTS];      // –, 0..1e9
} ThawFactorCurve;

// How the material carries heat, melts and freezes. Only worlds with ThawHeatDef.on look at it.
//
// Temperature and molten share follow from the enthalpy alone, so that heat is never lost or made. A particle's state
// changes when its temperature passes melts_at (or freezes_at): rates and conditions delay that change, never the heat.
typedef struct ThawThermalDef {
    float conductivity;         // W/(m K), 0.., default 0.6
    float specific_heat;        // J/(kg K), above 0, default 4186
    float liquid_conductivity;  // W/(m K), default 0 = as above: when molten
    float liquid_specific_heat; // J/(kg K), default 0 = as above: when molten
    float melts_at;             // K, default 0 = it never changes its state
    float melting_range; // K, 0.., default 0: width about melts_at that takes up the latent heat
    float latent_heat;   // J/kg, 0.., default 0
    float freezes_at;    // K, up to melts_at, default 0 = melts_at: liquids freeze below it
    float melting_rate;  // 1/(K s), default 0 = at once: λ⁰m of eq. 15
    float freezing_rate; // 1/(K s), default 0 = at once: λ⁰f of eq. 16
    // –, 0..12, default 2: n₀: more solid neighbours than this are needed, of the 12 sites about a particle; in 2D, of 6
    // sites, more than half as many
    int freezing_neighbors;
    // m/s, default 0 = any: v_max: faster past its solid neighbours, matter freezes more slowly, or, with freezing at
    // once, not at all
    float freezing_speed;
    // –, 0..0.4, default 0.2: misfit to the lattice, in lattice distances, above which it freezes more slowly; above 0.4
    // (2D: 0.3) it does not
    float freezing_misfit;
    float nucleation; // 1/s, default 0 = never: how readily matter freezes without solid neighbours
    float nucleation_below; // K, 0.., default 0: how far below freezes_at it must be for that
    float sintering; // 1/s, default 0 = never: how readily solids of it that touch grow together
    float
        expansion; // 1/K, −1..1, default 0: share of its volume per kelvin; makes warm liquid rise
    float reference;           // K, default 293.15: where its density is as given
    ThawFactorCurve stiffness; // of solid.young
    ThawFactorCurve damping;   // of solid.damping
    ThawFactorCurve viscosity; // of liquid.viscosity and liquid.xsph
} ThawThermalDef;

typedef struct ThawMaterialDef {
    const char *name; // copied; unique in its world; default "water"
    float density;    // kg/m³, > 0, default 1000
    ThawLiquidDef liquid;
    ThawSolidDef solid;
    ThawThermalDef thermal;
} ThawMaterialDef;

THAW_API ThawMaterialDef thaw_material_default(void);

// The viscosity in m²/s up to which substeps of dt keep what is asked for at this spacing: waves as long as 25
// spacings then die at 95 % of their rate or faster. More than that still makes matter stiffer.
THAW_API double thaw_liquid_viscosity_limit(int dimensions, double spacing, double dt);

// The viscosity in m²/s that a liquid asks for at a spacing in m: the physical value, and what xsph comes to.
THAW_API double thaw_liquid_viscosity(const ThawMaterialDef *material, int dimensions,
                                      double spacing);

// The surface tension in N/m that a liquid asks for at a spacing in m: what κ comes to, and the physical value.
THAW_API double thaw_liquid_tension(const ThawMaterialDef *material, double spacing);

// The largest surface tension in N/m whose shortest waves substeps of `dt` seconds follow; more is cut to it.
THAW_API double thaw_liquid_tension_limit(double density, double spacing, double dt);

// The largest Young's modulus in Pa that elastic steps of `elastic_dt` seconds carry (a substep is cut into
// solver.elastic_steps of them). Stiffer solids act as stiff as this
// at least: long bonds (solver.long_bonds) make them act some times stiffer.
THAW_API double thaw_solid_young_limit(const ThawMaterialDef *material, int dimensions,
                                       double spacing, double elastic_dt);

// Specific enthalpy in J/kg of a material at a temperature in K, 0 for the cold solid at 0 K. On a plateau (melting_range
// 0, temperature melts_at) `molten`, 0..1, says how much of the latent heat is in it; elsewhere it is not looked at.
THAW_API double thaw_thermal_enthalpy(const ThawMaterialDef *material, double temperature,
                                      double molten);
// Temperature in K, and molten share 0..1 (may be NULL), at a specific enthalpy in J/kg.
THAW_API double thaw_thermal_temperature(const ThawMaterialDef *material, double enthalpy,
                                         double *molten);
// A curve's factor at a temperature in K.
THAW_API double thaw_factor_at(const ThawFactorCurve *curve, double temperature);

#ifdef __cplusplus
}
#endif

#endif
