// Colour maps: a few stops each, joined in the Oklab space (Ottosson 2020), where equal steps look
// equally large. Every sequential map gets lighter all the way, so that it also reads without hue.
#include "render/color.h"

#include <string.h>
#include <thaw/render.h>

#define MAX_STOPS 8

float thaw_srgb_to_linear(float s) {
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

float thaw_linear_to_srgb(float l) {
    if (!(l > 0.0f)) return 0.0f;
    return l <= 0.0031308f ? 12.92f * l : 1.055f * powf(l, 1.0f / 2.4f) - 0.055f;
}

ThawFloat3 thaw_color_linear(ThawFloat3 s) {
    return thaw_f3(thaw_srgb_to_linear(s.x), thaw_srgb_to_linear(s.y), thaw_srgb_to_linear(s.z));
}

ThawFloat3 thaw_color_srgb(ThawFloat3 l) {
    return thaw_f3(thaw_linear_to_srgb(l.x), thaw_linear_to_srgb(l.y), thaw_linear_to_srgb(l.z));
}

// ---------------------------------------------------------------- the maps

typedef struct MapRow {
    const char *name;
    int stops;
    uint32_t colors[MAX_STOPS]; // 0xRRGGBB, evenly spaced
} MapRow;

static const MapRow maps[] = {
    {"ocean", 6, {0x10317c, 0x135cb0, 0x1789cf, 0x36bbdf, 0x92e0ea, 0xf7fdfd}},
    {"viridis", 6, {0x440f56, 0x404387, 0x2b768e, 0x23a583, 0x7bcf50, 0xfae528}},
    {"heat", 6, {0x1c0d2e, 0x64164f, 0xb0294a, 0xe55f37, 0xf8ac3c, 0xfff3bf}},
    {"gray", 2, {0x262626, 0xfafafa}},
    {"balance", 5, {0x1b4a94, 0x79abd9, 0xf3f3f0, 0xe8a07c, 0xa81f2d}},
};

static const uint32_t categories[THAW_CATEGORIES] = {0x2f8fd8, 0xf28e2b, 0x4caf6d, 0xd9534f,
                                                     0x8e6bbf, 0x9c755f, 0xe79ac2, 0x3fb8af,
                                                     0xe5c13d, 0x8a94a0};

static ThawFloat3 unpack(uint32_t rgb) {
    return thaw_f3((float)(rgb >> 16) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                   (float)(rgb & 255) / 255.0f);
}

static ThawFloat3 lab_from_linear(ThawFloat3 c) {
    float l = cbrtf(0.4122214708f * c.x + 0.5363325363f * c.y + 0.0514459929f * c.z);
    float m = cbrtf(0.2119034982f * c.x + 0.6806995451f * c.y + 0.1073969566f * c.z);
    float s = cbrtf(0.0883024619f * c.x + 0.2817188376f * c.y + 0.6299787005f * c.z);
    return thaw_f3(0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
                   1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
                   0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s);
}

static ThawFloat3 linear_from_lab(ThawFloat3 c) {
    float l = c.x + 0.3963377774f * c.y + 0.2158037573f * c.z;
    float m = c.x - 0.1055613458f * c.y - 0.0638541728f * c.z;
    float s = c.x - 0.0894841775f * c.y - 1.2914855480f * c.z;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return thaw_f3(thaw_clamp01(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
                   thaw_clamp01(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
                   thaw_clamp01(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s));
}

static ThawFloat3 join(const MapRow *row, float t) {
    float place = t * (float)(row->stops - 1);
    int k = (int)place;
    if (k > row->stops - 2) k = row->stops - 2;
    ThawFloat3 a = lab_from_linear(thaw_color_linear(unpack(row->colors[k])));
    ThawFloat3 b = lab_from_linear(thaw_color_linear(unpack(row->colors[k + 1])));
    return thaw_color_srgb(linear_from_lab(thaw_f3_mix(a, b, place - (float)k)));
}

const char *thaw_color_map_name(int index) {
    int count = (int)(sizeof maps / sizeof *maps);
    return index >= 0 && index < count ? maps[index].name : NULL;
}

bool thaw_color_map_make(const char *name, ThawColorMap *map) {
    for (size_t row = 0; row < sizeof maps / sizeof *maps; row++) {
        if (strcmp(maps[row].name, name) != 0) continue;
        for (int k = 0; k < THAW_MAP_SIZE; k++) {
            map->table[k] = join(&maps[row], (float)k / (float)(THAW_MAP_SIZE - 1));
        }
        return true;
    }
    return false;
}

ThawFloat3 thaw_color_map_at(const ThawColorMap *map, float t) {
    float place = thaw_clamp01(t) * (float)(THAW_MAP_SIZE - 1);
    int k = (int)place;
    if (k > THAW_MAP_SIZE - 2) k = THAW_MAP_SIZE - 2;
    return thaw_f3_mix(map->table[k], map->table[k + 1], place - (float)k);
}

ThawFloat3 thaw_category_color(int64_t k) {
    int64_t turn = k % THAW_CATEGORIES;
    return unpack(categories[turn < 0 ? turn + THAW_CATEGORIES : turn]);
}

ThawFloat3 thaw_water_color(void) {
    return unpack(categories[0]);
}
