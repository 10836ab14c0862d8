// Colours: sRGB and linear light, and the colour maps.
#ifndef THAW_RENDER_COLOR_H
#define THAW_RENDER_COLOR_H

#include "render/float3.h"

#include <stdbool.h>
#include <stdint.h>

// sRGB 0..1 and linear light
float thaw_srgb_to_linear(float s);
float thaw_linear_to_srgb(float l);
ThawFloat3 thaw_color_linear(ThawFloat3 srgb);
ThawFloat3 thaw_color_srgb(ThawFloat3 linear);

#define THAW_MAP_SIZE 512

// A colour map as a table of sRGB colours, lowest first.
typedef struct ThawColorMap {
    ThawFloat3 table[THAW_MAP_SIZE];
} ThawColorMap;

// False when there is no map of this name.
bool thaw_color_map_make(const char *name, ThawColorMap *map);
// The sRGB colour at t, held outside 0..1; NaN is the lowest.
ThawFloat3 thaw_color_map_at(const ThawColorMap *map, float t);

// A colour for the k-th kind of thing; they repeat after THAW_CATEGORIES.
#define THAW_CATEGORIES 10
ThawFloat3 thaw_category_color(int64_t k);

// one pleasant water blue
ThawFloat3 thaw_water_color(void);

#endif
