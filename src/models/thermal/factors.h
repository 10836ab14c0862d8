// A factor curve drawn out into a table, so that a look-up takes no power.
//
// The table's samples go from point to point of the curve: each point is met exactly, pieces that are straight take one
// interval, and those on a logarithmic scale share the others by how far they go. Between samples it is straight,
// which is off by (span / 680)² for a curve that spans so many e-foldings: 2e-4 where it falls to 1e-4.
#ifndef THAW_MODELS_THERMAL_FACTORS_H
#define THAW_MODELS_THERMAL_FACTORS_H

#include <thaw/material.h>

#define THAW_FACTOR_SAMPLES 256

typedef struct ThawFactorTable {
    uint32_t pieces;                // between points; 0: the curve is level
    float end;                      // K, of the last one
    float from[THAW_CURVE_POINTS];  // K, where pieces begin
    float scale[THAW_CURVE_POINTS]; // samples a K
    uint16_t first[THAW_CURVE_POINTS];
    float factor[THAW_FACTOR_SAMPLES + 1];
} ThawFactorTable;

void thaw_factor_table(const ThawFactorCurve *curve, ThawFactorTable *table);

static inline float thaw_factor_look(const ThawFactorTable *table, float temperature) {
    if (!(temperature > table->from[0])) return table->factor[0];
    uint32_t k = table->pieces;
    if (temperature >= table->end) return table->factor[table->first[k]];
    do k--;
    while (temperature < table->from[k]);
    float at = (temperature - table->from[k]) * table->scale[k];
    uint32_t sample = (uint32_t)at;
    const float *factor = &table->factor[table->first[k] + sample];
    return factor[0] + (factor[1] - factor[0]) * (at - (float)sample);
}

#endif
