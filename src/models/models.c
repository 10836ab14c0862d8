// One row a model.
#include "models/model.h"

extern const ThawModel thaw_model_liquid;
extern const ThawModel thaw_model_solid;
extern const ThawModel thaw_model_thermal;

// the thermal one is first: others go by the factors that it sets
const ThawModel *const thaw_models[] = {&thaw_model_thermal, &thaw_model_liquid, &thaw_model_solid,
                                        NULL};
