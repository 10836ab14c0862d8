// A second model, to prove that a model is new files and one row: particles of the material "spring" are
// pulled towards a point.
#ifndef TEST_MODELS_SPRING_H
#define TEST_MODELS_SPRING_H

#include "models/model.h"

#define SPRING_PERIOD 1.0 // s
#define SPRING_X 0.25     // m, where the point is on the x axis

extern const ThawModel thaw_model_liquid;
extern const ThawModel thaw_model_spring;

#endif
