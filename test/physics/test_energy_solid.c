// Energy in closed tanks in 3D, over all settings.
#define DIMENSIONS 3
#define STEPS 100
#include "physics/energy_tests.h"
