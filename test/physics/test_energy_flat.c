// Energy in closed tanks in 2D, over all settings.
#define DIMENSIONS 2
#define STEPS 150
#include "physics/energy_tests.h"
