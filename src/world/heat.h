// Heat inside the world: the air, sources, rules, and the temperatures of new particles. What heat does in a step is
// the thermal model's.
#ifndef THAW_WORLD_HEAT_H
#define THAW_WORLD_HEAT_H

#include "models/heat_state.h"
#include "world/codec.h"
#include <thaw/heat.h>

#define THAW_HEAT_MOST 1e6           // K, of any temperature that is given
#define THAW_HEAT_MOST_ENTHALPY 1e15 // J/kg

// The air of a world that has heat.
ThawResult thaw_heat_check(const ThawHeatDef *def);
// A temperature of new particles: 0 = the air's.
ThawResult thaw_heat_check_start(const char *owner, float temperature);
// Gives new rows their temperature (0 = the air's); nothing without heat. Their state and material must be set.
void thaw_heat_begin_rows(ThawWorld *world, uint32_t first, uint32_t count, float temperature);
// Opens the channel of what is frozen to colliders, in a world with heat.
ThawResult thaw_heat_open_frost(ThawWorld *world);

// Whether a name belongs to the channels that heat keeps for itself.
bool thaw_heat_is_channel(const ThawWorld *world, const char *name);

// Keeps what rows of a material (its index) have when its curve becomes that of `def`: those on their way through
// melting stay as molten as they are, all others as warm.
void thaw_heat_change_curve(ThawWorld *world, uint32_t material, const ThawThermalDef *def);
// Makes the rules fit one more material.
ThawResult thaw_heat_fit_rules(ThawWorld *world, uint32_t materials);

ThawResult thaw_heat_source_check(const ThawWorld *world, const ThawHeatSourceDef *def);
// Adds a copy of a checked def under a handle that is above all others.
ThawResult thaw_heat_put_source(ThawWorld *world, const ThawHeatSourceDef *def, uint32_t handle);
void thaw_heat_release(ThawWorld *world);

// The air and a material's thermal part as bytes.
void thaw_part_heat(ThawCodec *codec, ThawHeatDef *def);
void thaw_part_thermal(ThawCodec *codec, ThawThermalDef *def);
// All sources of a world as bytes; loading comes after materials and bodies.
void thaw_heat_save(ThawCodec *codec, ThawWorld *world);
ThawResult thaw_heat_load(ThawCodec *codec, ThawWorld *world);
// Whether heat's channels are as a world with, or without, heat has them.
bool thaw_heat_channels_fit(const ThawWorld *world);
// What is wrong with a row's heat; NULL when nothing is.
const char *thaw_heat_fault(const ThawWorld *world, const ThawThermalState *state, uint32_t row);

#endif
