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
// What has just melted was loaded and pressed as a solid, and is let out bit by bit. Both come into being with the first
// particle that melts.
#define THAW_THERMAL_YOUTH "melt_youth" // f32: 1 when it melts, then fades
#define THAW_THERMAL_EXCESS                                                                        \
    "melt_excess" // f32: by how much its C may be above 0 without pressing; fades as well
#define THAW_EXCESS_UNKNOWN 64.0f // more than any C: the liquid is to measure it

// The channels' rows as they are now; they move when the store is reordered or grows.
typedef struct ThawThermalState {
    double *heat;
    float *temperature;
    int32_t *frost;        // NULL when there is none
    float *youth, *excess; // the same
} ThawThermalState;

// Adds the channels where they are missing; `frost` as well when asked for. Rows must then be set.
ThawResult thaw_thermal_open(ThawStore *store, bool frost);
// The same for what melts. Nothing that is there is young.
ThawResult thaw_thermal_open_youth(ThawStore *store);
// Whether a name is one of those above.
bool thaw_thermal_is_channel(const char *name);
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
