// What the world and the thermal model share of heat: what a particle keeps, as channels of the store, which come into
// being with a world that has heat; and sources.
#ifndef THAW_MODELS_HEAT_STATE_H
#define THAW_MODELS_HEAT_STATE_H

#include "materials/enthalpy.h"
#include "particles/store.h"
#include <thaw/heat.h>

#define THAW_THERMAL_HEAT "enthalpy"           // f64: J/kg, 0 for the solid at 0 K
#define THAW_THERMAL_TEMPERATURE "temperature" // f32: K, always that of the enthalpy
#define THAW_THERMAL_FROST                                                                         \
    "frost" // i32: the collider that holds it frozen, 0 = none; only where some frosts

// The channels' rows as they are now; they move when the store is reordered or grows.
typedef struct ThawThermalState {
    double *heat;
    float *temperature;
    int32_t *frost; // NULL when there is none
} ThawThermalState;

// Adds the channels where they are missing; `frost` as well when asked for. Rows must then be set.
ThawResult thaw_thermal_open(ThawStore *store, bool frost);
bool thaw_thermal_is_open(ThawStore *store);
ThawThermalState thaw_thermal_state(ThawStore *store); // all NULL when it is not

// A row at a temperature in K; at its melting point as molten as its state says. Not frozen to anything.
void thaw_thermal_set(ThawStore *store, const ThawThermalState *state,
                      const ThawMaterial *materials, uint32_t row, double temperature);

// A source of heat as the world keeps it.
typedef struct ThawHeatSource {
    char name[THAW_NAME_SIZE];
    uint32_t handle;
    ThawHeatSourceDef def; // def.name is not used
    double given;          // J so far
} ThawHeatSource;

#endif
