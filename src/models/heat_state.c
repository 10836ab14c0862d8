#include "models/heat_state.h"

#include "base/result.h"

#include <string.h>
#include <thaw/body.h>

static const ThawChannelDef channels[] = {{THAW_THERMAL_HEAT, THAW_F64, 1},
                                          {THAW_THERMAL_TEMPERATURE, THAW_F32, 1},
                                          {THAW_THERMAL_FROST, THAW_I32, 1},
                                          {THAW_THERMAL_YOUTH, THAW_F32, 1},
                                          {THAW_THERMAL_EXCESS, THAW_F32, 1}};
#define ALWAYS 2 // of them
#define FROST 2
#define YOUTH 3
#define EXCESS 4

static bool is_alike(const ThawChannel *channel, const ThawChannelDef *def) {
    return channel->type == def->type && channel->components == def->components;
}

static ThawResult open_channel(ThawStore *store, const ThawChannelDef *def) {
    const ThawChannel *channel = thaw_store_channel(store, def->name);
    if (channel == NULL) return thaw_store_add_channel(store, def);
    if (is_alike(channel, def)) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "channel \"%s\" is not what heat needs: its name belongs to it", def->name);
}

ThawResult thaw_thermal_open(ThawStore *store, bool frost) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < ALWAYS + (frost ? 1 : 0) && result == THAW_OK; k++) {
        result = open_channel(store, &channels[k]);
    }
    return result;
}

ThawResult thaw_thermal_open_youth(ThawStore *store) {
    ThawResult result = open_channel(store, &channels[YOUTH]);
    return result == THAW_OK ? open_channel(store, &channels[EXCESS]) : result;
}

bool thaw_thermal_is_channel(const char *name) {
    for (size_t k = 0; k < sizeof channels / sizeof *channels; k++) {
        if (strcmp(name, channels[k].name) == 0) return true;
    }
    return false;
}

bool thaw_thermal_is_open(ThawStore *store) {
    for (int k = 0; k < ALWAYS; k++) {
        const ThawChannel *channel = thaw_store_channel(store, channels[k].name);
        if (channel == NULL || !is_alike(channel, &channels[k])) return false;
    }
    return true;
}

// one of those that not every world has, or NULL
static void *rows_of(ThawStore *store, int which) {
    const ThawChannel *channel = thaw_store_channel(store, channels[which].name);
    return channel != NULL && is_alike(channel, &channels[which]) ? channel->data : NULL;
}

ThawThermalState thaw_thermal_state(ThawStore *store) {
    if (!thaw_thermal_is_open(store)) return (ThawThermalState){0};
    return (ThawThermalState){.heat = thaw_store_channel(store, THAW_THERMAL_HEAT)->data,
                              .temperature =
                                  thaw_store_channel(store, THAW_THERMAL_TEMPERATURE)->data,
                              .frost = rows_of(store, FROST),
                              .youth = rows_of(store, YOUTH),
                              .excess = rows_of(store, EXCESS)};
}

void thaw_thermal_set(ThawStore *store, const ThawThermalState *state,
                      const ThawMaterial *materials, uint32_t row, double temperature) {
    ThawEnthalpyCurve curve = thaw_enthalpy_curve(&materials[store->material[row]].thermal);
    double molten = store->state[row] == THAW_STATE_SOLID ? 0 : 1;
    state->heat[row] = thaw_curve_heat(&curve, temperature, molten);
    state->temperature[row] = (float)thaw_curve_temperature(&curve, state->heat[row]);
    if (state->frost != NULL) state->frost[row] = 0;
}
