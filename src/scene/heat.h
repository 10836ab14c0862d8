// Heat of a scene on its way into a world.
#ifndef THAW_SCENE_HEAT_H
#define THAW_SCENE_HEAT_H

#include <thaw/scene.h>

// The thermal part of a material, and the air at time t, as a world takes them.
ThawThermalDef scene_thermal_def(const ThawSceneThermal *thermal);
ThawHeatDef scene_heat_at(const ThawSceneHeat *heat, double t);

// Whether the air or a source changes over time.
bool scene_heat_varies(const ThawScene *scene);
// Adds sources and rules as they are at the start; then gives air and sources their values of another time. Without
// heat neither does anything.
ThawResult scene_add_heat(const ThawScene *scene, ThawWorld *world);
ThawResult scene_animate_heat(const ThawScene *scene, ThawWorld *world, double t);

#endif
