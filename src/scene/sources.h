// Emitters, sinks and forces of a scene on their way into a world.
#ifndef THAW_SCENE_SOURCES_H
#define THAW_SCENE_SOURCES_H

#include <thaw/scene.h>

// Whether something of it changes over time.
bool scene_vector_varies(const ThawNumber3 *number);
bool scene_emitter_varies(const ThawSceneEmitter *emitter);
bool scene_force_varies(const ThawSceneForce *force);

// Where something is that keys move, at time t.
ThawPose scene_pose_at(ThawPose pose, const ThawKeyframe *keys, int count, double t);

// Adds all of them as they are at the start; then gives emitters and forces their values of another time.
ThawResult scene_add_sources(const ThawScene *scene, ThawWorld *world);
ThawResult scene_animate_sources(const ThawScene *scene, ThawWorld *world, double t);
// Before a step: where moving emitters are when it has ended; their other values are of time t.
ThawResult scene_aim_emitters(const ThawScene *scene, ThawWorld *world, double t, double end);

#endif
