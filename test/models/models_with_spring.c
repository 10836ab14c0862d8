// src/models/models.c with one row more. A program that defines the table itself is linked without the
// library's.
#include "models/spring.h"

const ThawModel *const thaw_models[] = {&thaw_model_liquid, &thaw_model_spring, NULL};
