// One row a model.
#include "models/model.h"

extern const ThawModel thaw_model_liquid;
extern const ThawModel thaw_model_solid;

const ThawModel *const thaw_models[] = {&thaw_model_liquid, &thaw_model_solid, NULL};
