// One row a model.
#include "models/model.h"

extern const ThawModel thaw_model_liquid;

const ThawModel *const thaw_models[] = {&thaw_model_liquid, NULL};
