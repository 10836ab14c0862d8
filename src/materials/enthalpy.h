// Heat in matter: temperature and molten share over specific enthalpy, one curve a material.
//
// Three straight pieces: the cold solid, the range that takes up the latent heat (level when it is sharp), the melt.
// The enthalpy of the solid at 0 K is 0.
#ifndef THAW_MATERIALS_ENTHALPY_H
#define THAW_MATERIALS_ENTHALPY_H

#include "materials/material.h"

typedef struct ThawEnthalpyCurve {
    double cold, warm;            // J/(kg K), of the solid and of the melt
    double low, high;             // K: where melting begins and ends; INFINITY: never
    double low_heat, high_heat;   // J/kg there
    double conductivity, flowing; // W/(m K), of the solid and of the melt
} ThawEnthalpyCurve;

ThawEnthalpyCurve thaw_enthalpy_curve(const ThawThermalDef *def);

static inline double thaw_curve_molten(const ThawEnthalpyCurve *curve, double heat) {
    if (heat <= curve->low_heat) return 0;
    if (heat >= curve->high_heat) return 1;
    return (heat - curve->low_heat) / (curve->high_heat - curve->low_heat);
}

static inline double thaw_curve_temperature(const ThawEnthalpyCurve *curve, double heat) {
    if (heat <= curve->low_heat) return heat / curve->cold;
    if (heat >= curve->high_heat) return curve->high + (heat - curve->high_heat) / curve->warm;
    return curve->low + (curve->high - curve->low) * thaw_curve_molten(curve, heat);
}

static inline double thaw_curve_conductivity(const ThawEnthalpyCurve *curve, double molten) {
    return curve->conductivity + (curve->flowing - curve->conductivity) * molten;
}

// where the range is sharp, `molten` says how much of the latent heat is in it
double thaw_curve_heat(const ThawEnthalpyCurve *curve, double temperature, double molten);

// Checks the thermal part of a material; the sentence names material and field.
ThawResult thaw_thermal_check(const char *name, const ThawThermalDef *def);

#endif
