// The particle store: one independent array a field, user channels beside them, ids that last.
//
// Rows 0 .. count-1 are used; some of them may be dead until thaw_store_compact. Every array has
// THAW_STORE_PAD readable rows beyond capacity so that vector code may read past the end.
#ifndef THAW_PARTICLES_STORE_H
#define THAW_PARTICLES_STORE_H

#include "parallel/parallel.h"
#include "particles/fields.h"
#include <thaw/view.h>

#define THAW_STORE_PAD 16
#define THAW_ID_SOURCE_SHIFT 40
#define THAW_STORE_CHANNELS 64
#define THAW_STORE_SPARES 3

enum {
#define THAW_FIELD_INDEX(name, ctype, type, components, unit, saved, meaning) THAW_FIELD_##name,
    THAW_FIELDS(THAW_FIELD_INDEX)
#undef THAW_FIELD_INDEX
        THAW_FIELD_COUNT
};

// sets of fields, for the models' declarations
#define THAW_BIT(name) (1u << THAW_FIELD_##name)

typedef struct ThawChannel {
    char name[32];
    ThawType type;
    uint32_t components;
    void *data;
} ThawChannel;

typedef struct ThawIdMap ThawIdMap;

typedef struct ThawStore {
    uint32_t count; // rows in use, dead ones included
    uint32_t dead_count;
    uint32_t capacity; // rows that fit
    uint64_t revision; // grows whenever rows come, go or change places
    // typed pointers, one a field: store->velocity[row * 3 + axis] through the row types below
#define THAW_FIELD_MEMBER(name, ctype, type, components, unit, saved, meaning) ctype *name;
    THAW_FIELDS(THAW_FIELD_MEMBER)
#undef THAW_FIELD_MEMBER
    ThawChannel channels[THAW_STORE_CHANNELS];
    uint32_t channel_count;
    ThawIdMap *id_map;
    // where permuted rows are written before the pointers swap: a moving block, a compaction's numbers, a wide channel
    void *spare[THAW_STORE_SPARES];
    size_t spare_bytes[THAW_STORE_SPARES];
    uint32_t most, fits; // for thaw_store_fit: most rows so far, and calls
} ThawStore;

ThawResult thaw_store_create(ThawStore **store);
void thaw_store_destroy(ThawStore *store);

// bytes of one element of a type
size_t thaw_type_size(ThawType type);

// Makes room for `rows` rows in all (chosen capacities, each at most an eighth above the last).
ThawResult thaw_store_reserve(ThawStore *store, uint32_t rows);
// Appends rows (zeroed, alive; ids set from source and first count) and returns the first row in *row.
ThawResult thaw_store_append(ThawStore *store, uint32_t rows, uint32_t source, uint64_t first_count,
                             uint32_t *row);
// Marks a row dead; no effect on a dead one.
void thaw_store_kill(ThawStore *store, uint32_t row);
// Closes the gaps, keeping the order of the living; shrinks when occupancy falls below half.
ThawResult thaw_store_compact(ThawStore *store, ThawParallel *parallel);
// To be called once a step: follows the most rows of the last ones, as scratch does (base/memory.h). Rows stay where
// they are, pointers to them do not.
void thaw_store_fit(ThawStore *store);

// Reorders every saved field and channel: new row k is old row order[k]. Derived fields are not
// moved. Allocates nothing when called again at the same capacity.
ThawResult thaw_store_permute(ThawStore *store, ThawParallel *parallel, const uint32_t *order);

// The row of an id, or UINT32_MAX. O(1); the first look-up after rows have moved costs one pass.
uint32_t thaw_store_find(ThawStore *store, ThawParticleId id);
// Must be called by whoever moves rows without the functions above.
void thaw_store_moved(ThawStore *store);

ThawResult thaw_store_add_channel(ThawStore *store, const ThawChannelDef *def);
ThawChannel *thaw_store_channel(ThawStore *store, const char *name); // NULL when there is none
// Start of a built-in field's rows by its index.
void *thaw_store_field(ThawStore *store, uint32_t field);

// Bytes held, all arrays and maps together.
size_t thaw_store_bytes(const ThawStore *store);

#endif
