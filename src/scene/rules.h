// Rules of melting and freezing that a scene gives in its own words.
#ifndef THAW_SCENE_RULES_H
#define THAW_SCENE_RULES_H

#include <thaw/scene.h>

// Gives a world the rules of all materials. They look at the scene, which must live as long.
ThawResult scene_give_rules(const ThawScene *scene, ThawWorld *world);

#endif
