// Fields that are worked out when asked for: strain, stress and what follows from them, molten share.
#ifndef THAW_WORLD_DERIVED_H
#define THAW_WORLD_DERIVED_H

#include "world/world.h"

// The derived field of that name, -1 when there is none. The position is not among them.
int thaw_derived_find(const char *name);
const char *thaw_derived_name(int index); // NULL past the last
// Makes its rows; they stay until the same field is asked for again.
ThawResult thaw_derived_view(ThawWorld *world, int index, ThawView *view);

#endif
