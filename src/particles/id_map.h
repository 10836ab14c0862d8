// From a particle's id to its row, in constant time.
#ifndef THAW_PARTICLES_ID_MAP_H
#define THAW_PARTICLES_ID_MAP_H

#include "particles/store.h"

ThawIdMap *thaw_id_map_create(void); // NULL when there is no memory
void thaw_id_map_destroy(ThawIdMap *map);

// Rows have moved: the next look-up refreshes the map.
void thaw_id_map_soil(ThawIdMap *map);

// The row in ids[0 .. count-1] that holds the id, or UINT32_MAX.
uint32_t thaw_id_map_find(ThawIdMap *map, const uint64_t *ids, uint32_t count, ThawParticleId id);

// Lets go of a table that is too large for so many particles: the next look-up makes one that fits.
void thaw_id_map_fit(ThawIdMap *map, uint32_t most);

size_t thaw_id_map_bytes(const ThawIdMap *map);

#endif
