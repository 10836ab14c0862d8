// The table behind `thaw fields`: made from the one list, with the derived position before it and
// what the world derives from solids and heat after it.
#include "particles/fields.h"

#include <thaw/view.h>

#define FIELD_INFO(name, ctype, type, components, unit, saved, meaning)                            \
    {#name, type, components, unit, meaning, saved},

static const ThawFieldInfo field_info[] = {
    {"position", THAW_F32, 3, "m", "position in the world's frame", false},
    THAW_FIELDS(FIELD_INFO) //
    {"strain", THAW_F32, 6, "", "elastic strain R S R^T - 1 of a solid: xx yy zz xy yz zx", false},
    {"green_strain", THAW_F32, 6, "", "Green's elastic strain in the world's frame, the same order",
     false},
    {"stress", THAW_F32, 6, "Pa", "Cauchy's stress of a solid, the same order", false},
    {"von_mises", THAW_F32, 1, "Pa", "von Mises' equivalent of the stress", false},
    {"plastic_strain", THAW_F32, 1, "", "permanent strain: norm of its logarithm, as along a bar",
     false},
    {"bonds", THAW_I32, 1, "", "neighbours that a solid particle holds on to", false},
    {"molten", THAW_F32, 1, "", "share of the latent heat that is in it, 0 to 1", false},
    // in worlds with heat, which keep them as channels
    {"temperature", THAW_F32, 1, "K", "temperature; with heat", true},
    {"enthalpy", THAW_F64, 1, "J/kg", "heat in it, 0 for the solid at 0 K; with heat", true},
};

const ThawFieldInfo *thaw_field_info(uint32_t index) {
    return index < sizeof field_info / sizeof *field_info ? &field_info[index] : NULL;
}
