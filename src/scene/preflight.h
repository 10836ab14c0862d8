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
    double gravity;     // m/s^2, the strongest of the run
} SceneFlight;

void scene_estimate_substeps(SceneFlight *flight);
// Adds warnings, and errors for what must not be run. Fails for want of memory only.
ThawResult scene_warn(SceneFlight *flight);
ThawResult scene_warn_overlaps(SceneFlight *flight);

double scene_duration(const ThawScene *scene); // s, of the run and what comes before it
// Whether two bodies are copies of one, by their names.
bool scene_are_copies(const ThawSceneBody *a, const ThawSceneBody *b);
// The name without the numbers of a copy.
void scene_base_name(const ThawSceneBody *body, char base[64]);

typedef bool ScenePointTest(const ThawShape *shape, ThawVec3 point, double spacing);
// Share of a body's test points that a test holds for.
double scene_share(const SceneProbe *probe, const ThawShape *shape, ScenePointTest *test);

#endif
