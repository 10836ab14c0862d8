// The table behind `thaw fields`: made from the one list, with the derived position before it.
#include "particles/fields.h"

#include <thaw/view.h>

#define FIELD_INFO(name, ctype, type, components, unit, saved, meaning)                            \
    {#name, type, components, unit, meaning, saved},

static const ThawFieldInfo field_info[] = {
    {"position", THAW_F32, 3, "m", "position in the world's frame", false},
    THAW_FIELDS(FIELD_INFO)};

const ThawFieldInfo *thaw_field_info(uint32_t index) {
    return index < sizeof field_info / sizeof *field_info ? &field_info[index] : NULL;
}
