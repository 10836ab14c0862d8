// One force made ready for a stretch of time: what particles are asked against.
#ifndef THAW_WORLD_FORCE_FIELD_H
#define THAW_WORLD_FORCE_FIELD_H

#include "world/force_noise.h"
#include "world/forces.h"
#include "world/region.h"

typedef struct ThawForceField {
    const ThawForceDef *def;
    const ThawDomain *domain;
    double share;       // of the strength, by the time
    ThawVec3 direction; // of unit length
    double core;        // m
    ThawRegion region;
    ThawNoise noise;
} ThawForceField;

// A force as its mean from `time` to time + dt; as it is at the moment when dt is 0.
ThawForceField thaw_force_field(const ThawWorld *world, const ThawForce *force, double time,
                                double dt);

// Whether a place, in fixed-point cells, and a material (0 = none) feel it.
bool thaw_field_reaches(const ThawForceField *field, const int64_t cells[3], uint32_t material);
// The acceleration at a point, m/s²; zero for wind. `cache` is for turbulence alone.
ThawVec3 thaw_field_push(const ThawForceField *field, ThawNoiseCache *cache, ThawVec3 point);
// The most that it accelerates anything on the way from a point along a move in m, m/s².
double thaw_field_most(const ThawForceField *field, ThawVec3 point, ThawVec3 move);

// Whether a force is the same for all matter everywhere, like gravity.
bool thaw_force_is_even(const ThawForceDef *def);
// The share of its strength: at a time, and its mean over a stretch.
double thaw_force_share(const ThawForceDef *def, double time);
double thaw_force_mean(const ThawForceDef *def, double time, double dt);

#endif
