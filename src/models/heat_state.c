#include "models/heat_state.h"

#include "base/result.h"

#include <thaw/body.h>

static const ThawChannelDef channels[] = {{THAW_THERMAL_HEAT, THAW_F64, 1},
                                          {THAW_THERMAL_TEMPERATURE, THAW_F32, 1},
                                          {THAW_THERMAL_FROST, THAW_I32, 1}};
#define ALWAYS 2 // of them

static bool is_alike(const ThawChannel *channel, const ThawChannelDef *def) {
    return channel->type == def->type && channel->components == def->components;
}

ThawResult thaw_thermal_open(ThawStore *store, bool frost) {
    for (int k = 0; k < ALWAYS + (frost ? 1 : 0); k++) {
        const ThawChannel *channel = thaw_store_channel(store, channels[k].name);
        if (channel != NULL && !is_alike(channel, &channels[k])) {
            return thaw_fail(THAW_BAD_INPUT,
                             "channel \"%s\" is not what heat needs: its name belongs to it",
                             channels[k].name);
        }
        ThawResult result = channel != NULL ? THAW_OK : thaw_store_add_channel(store, &channels[k]);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

bool thaw_thermal_is_open(ThawStore *store) {
    for (int k = 0; k < ALWAYS; k++) {
        const ThawChannel *channel = thaw_store_channel(store, channels[k].name);
        if (channel == NULL || !is_alike(channel, &channels[k])) return false;
    }
    return true;
}

ThawThermalState thaw_thermal_state(ThawStore *store) {
    if (!thaw_thermal_is_open(store)) return (ThawThermalState){0};
    const ThawChannel *frost = thaw_store_channel(store, THAW_THERMAL_FROST);
    bool frosts = frost != NULL && is_alike(frost, &channels[ALWAYS]);
    return (ThawThermalState){.heat = thaw_store_channel(store, THAW_THERMAL_HEAT)->data,
                              .temperature =
                                  thaw_store_channel(store, THAW_THERMAL_TEMPERATURE)->data,
                              .frost = frosts ? frost->data : NULL};
}

void thaw_thermal_set(ThawStore *store, const ThawThermalState *state,
                      const ThawMaterial *materials, uint32_t row, double temperature) {
    ThawEnthalpyCurve curve = thaw_enthalpy_curve(&materials[store->material[row]].thermal);
    double molten = store->state[row] == THAW_STATE_SOLID ? 0 : 1;
    state->heat[row] = thaw_curve_heat(&curve, temperature, molten);
    state->temperature[row] = (float)thaw_curve_temperature(&curve, state->heat[row]);
    if (state->frost != NULL) state->frost[row] = 0;
}
