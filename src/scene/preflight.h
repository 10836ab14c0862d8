// What the parts of the preflight share.
#ifndef THAW_SCENE_PREFLIGHT_H
#define THAW_SCENE_PREFLIGHT_H

#include "scene/messages.h"

#define SCENE_SUPPORT 2.0 // h in spacings

// A body as it will be, and some of its particles.
typedef struct SceneProbe {
    uint32_t particles;
    double spacing;        // m
    ThawVec3 lower, upper; // of the particles
    ThawVec3 *points;
    uint32_t count;
} SceneProbe;

typedef struct SceneFlight {
    const ThawScene *scene;
    ThawPreflight *preflight;
    ThawMessages *messages;
    SceneProbe *probes; // one a body
    double wanted;      // substeps a frame before the cap
    bool falling;       // it is the fall's speed that asks for them, not the depth
} SceneFlight;

void scene_estimate_substeps(SceneFlight *flight);
// Adds the warnings; an error where a world would refuse the scene.
ThawResult scene_warn(SceneFlight *flight);

#endif
