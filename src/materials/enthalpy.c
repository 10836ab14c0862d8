#include "materials/enthalpy.h"

#include "base/result.h"

#include <math.h>
#include <string.h>

ThawEnthalpyCurve thaw_enthalpy_curve(const ThawThermalDef *def) {
    double cold = (double)def->specific_heat, conductivity = (double)def->conductivity;
    double warm = def->liquid_specific_heat > 0 ? (double)def->liquid_specific_heat : cold;
    double flowing = def->liquid_conductivity > 0 ? (double)def->liquid_conductivity : conductivity;
    ThawEnthalpyCurve curve = {cold,     warm,     INFINITY,     INFINITY,
                               INFINITY, INFINITY, conductivity, flowing};
    if (!(def->melts_at > 0)) return curve;
    double range = (double)def->melting_range;
    curve.low = (double)def->melts_at - 0.5 * range;
    curve.high = curve.low + range;
    curve.low_heat = cold * curve.low;
    curve.high_heat = curve.low_heat + 0.5 * (cold + warm) * range + (double)def->latent_heat;
    return curve;
}

double thaw_curve_heat(const ThawEnthalpyCurve *curve, double temperature, double molten) {
    if (temperature < curve->low) return curve->cold * temperature;
    if (temperature > curve->high)
        return curve->high_heat + curve->warm * (temperature - curve->high);
    double range = curve->high - curve->low;
    double share = range > 0 ? (temperature - curve->low) / range : molten;
    return curve->low_heat + share * (curve->high_heat - curve->low_heat);
}

double thaw_thermal_enthalpy(const ThawMaterialDef *material, double temperature, double molten) {
    ThawEnthalpyCurve curve = thaw_enthalpy_curve(&material->thermal);
    return thaw_curve_heat(&curve, temperature, molten);
}

double thaw_thermal_temperature(const ThawMaterialDef *material, double enthalpy, double *molten) {
    ThawEnthalpyCurve curve = thaw_enthalpy_curve(&material->thermal);
    if (molten != NULL) *molten = thaw_curve_molten(&curve, enthalpy);
    return thaw_curve_temperature(&curve, enthalpy);
}

// ---------------------------------------------------------------- factors

double thaw_factor_at(const ThawFactorCurve *curve, double temperature) {
    if (curve->count == 0) return 1;
    int last = curve->count - 1, k = 0;
    if (!(temperature > (double)curve->temperature[0])) return (double)curve->factor[0];
    if (temperature >= (double)curve->temperature[last]) return (double)curve->factor[last];
    while (temperature >= (double)curve->temperature[k + 1]) k++;
    double from = (double)curve->temperature[k], to = (double)curve->temperature[k + 1];
    double low = (double)curve->factor[k], high = (double)curve->factor[k + 1];
    double share = (temperature - from) / (to - from);
    if (low > 0 && high > 0) return low * pow(high / low, share);
    return low + (high - low) * share;
}

// ---------------------------------------------------------------- checks

typedef struct NumberRow {
    const char *name;
    size_t at; // in ThawThermalDef
    double least, most;
    const char *unit;
} NumberRow;

#define ROW(member, least, most, unit)                                                             \
    { #member, offsetof(ThawThermalDef, member), least, most, unit }

static const NumberRow rows[] = {
    ROW(conductivity, 0, 1e9, " W/(m K)"),
    ROW(specific_heat, 1e-3, 1e9, " J/(kg K)"),
    ROW(liquid_conductivity, 0, 1e9, " W/(m K)"),
    ROW(liquid_specific_heat, 0, 1e9, " J/(kg K)"),
    ROW(melts_at, 0, 1e6, " K"),
    ROW(melting_range, 0, 1e6, " K"),
    ROW(latent_heat, 0, 1e12, " J/kg"),
    ROW(freezes_at, 0, 1e6, " K"),
    ROW(melting_rate, 0, 1e12, " 1/(K s)"),
    ROW(freezing_rate, 0, 1e12, " 1/(K s)"),
    ROW(freezing_speed, 0, 1e6, " m/s"),
    ROW(freezing_misfit, 0, 0.4, ""),
    ROW(nucleation, 0, 1e12, " 1/s"),
    ROW(nucleation_below, 0, 1e6, " K"),
    ROW(sintering, 0, 1e12, " 1/s"),
    ROW(expansion, -1, 1, " 1/K"),
    ROW(reference, 0, 1e6, " K"),
};

static ThawResult check_numbers(const char *name, const ThawThermalDef *def) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const NumberRow *row = &rows[k];
        float value;
        memcpy(&value, (const char *)def + row->at, sizeof value);
        if (value >= (float)row->least && value <= (float)row->most) continue;
        return thaw_fail(THAW_BAD_INPUT, "material \"%s\": thermal.%s must be in %g..%g%s, not %g",
                         name, row->name, row->least, row->most, row->unit, (double)value);
    }
    return THAW_OK;
}

static ThawResult check_curve(const char *name, const char *what, const ThawFactorCurve *curve) {
    if (curve->count < 0 || curve->count > THAW_CURVE_POINTS) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": thermal.%s must have 0..%d points, not %d", name, what,
                         THAW_CURVE_POINTS, curve->count);
    }
    for (int k = 0; k < curve->count; k++) {
        float at = curve->temperature[k], factor = curve->factor[k];
        if (!(at >= 0 && at <= 1e6f) || (k > 0 && !(at > curve->temperature[k - 1]))) {
            return thaw_fail(THAW_BAD_INPUT,
                             "material \"%s\": thermal.%s: temperatures must rise and be in 0..1e6 "
                             "K, not %g at point %d",
                             name, what, (double)at, k + 1);
        }
        if (!(factor >= 0 && factor <= 1e9f)) {
            return thaw_fail(
                THAW_BAD_INPUT,
                "material \"%s\": thermal.%s: factors must be in 0..1e9, not %g at point %d", name,
                what, (double)factor, k + 1);
        }
    }
    return THAW_OK;
}

// what two values say together
static ThawResult check_melting(const char *name, const ThawThermalDef *def) {
    if (def->freezing_neighbors < 0 || def->freezing_neighbors > 12) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": thermal.freezing_neighbors must be in 0..12, not %d",
                         name, def->freezing_neighbors);
    }
    if (def->freezes_at > def->melts_at) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": thermal.freezes_at must be at most melts_at (%g K), not "
                         "%g K",
                         name, (double)def->melts_at, (double)def->freezes_at);
    }
    if (def->melts_at > 0 && def->melting_range >= 2 * def->melts_at) {
        return thaw_fail(THAW_BAD_INPUT,
                         "material \"%s\": thermal.melting_range must be below twice melts_at, not "
                         "%g K",
                         name, (double)def->melting_range);
    }
    return THAW_OK;
}

ThawResult thaw_thermal_check(const char *name, const ThawThermalDef *def) {
    ThawResult result = check_numbers(name, def);
    if (result == THAW_OK) result = check_melting(name, def);
    if (result == THAW_OK) result = check_curve(name, "stiffness", &def->stiffness);
    if (result == THAW_OK) result = check_curve(name, "damping", &def->damping);
    if (result == THAW_OK) result = check_curve(name, "viscosity", &def->viscosity);
    return result;
}
