// Views: looking at particle fields without copying.
//
// A view points into the world. It stays valid until the next call that changes the world (a step,
// adding or removing anything, loading); then ask again. Row k of every view of one moment is the
// same particle. Rows are in the world's own order, which changes with every step: use ids to
// follow a particle.
#ifndef THAW_VIEW_H
#define THAW_VIEW_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ThawType {
    THAW_F32,
    THAW_F64,
    THAW_I32,
    THAW_I64,
    THAW_U8,
    THAW_U16,
    THAW_U64
} ThawType;

typedef struct ThawView {
    const void *data; // rows × components of `type`, rows packed
    ThawType type;
    uint32_t components;
    uint32_t count; // rows
} ThawView;

// What a field is: one row of the table behind `thaw fields`.
typedef struct ThawFieldInfo {
    const char *name;
    ThawType type;
    uint32_t components;
    const char *unit;
    const char *meaning;
    bool saved; // part of a snapshot; the others are derived
} ThawFieldInfo;

// A channel of the user's own, carried with each particle through sorting, removal and snapshots.
typedef struct ThawChannelDef {
    const char *name;    // copied; 1..31 characters of a-z A-Z 0-9 _, unlike any field's
    ThawType type;       // THAW_F32 or THAW_I32
    uint32_t components; // 1..16
} ThawChannelDef;

// The built-in fields, in a fixed order; NULL past the last.
THAW_API const ThawFieldInfo *thaw_field_info(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
