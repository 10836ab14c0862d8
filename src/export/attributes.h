// The attributes of an exported file: what a frame has, under the names that other programs know.
#ifndef THAW_EXPORT_ATTRIBUTES_H
#define THAW_EXPORT_ATTRIBUTES_H

#include <thaw/cache.h>

#define THAW_ATTRIBUTES_MOST 1100 // 64 columns of 16 components, and a few

// One number a particle.
typedef struct ThawAttribute {
    char name[48];
    const ThawColumn *column; // NULL: the constant
    uint32_t component;
    double scale; // 1, or what the value is multiplied with
    double constant;
} ThawAttribute;

typedef struct ThawAttributes {
    int count;
    ThawAttribute list[THAW_ATTRIBUTES_MOST];
} ThawAttributes;

// x y z, id, pscale and the rest in the frame's order. NULL with a sentence when the frame has no data or
// memory is out; free it with free().
ThawAttributes *thaw_attributes_of(const ThawFrame *frame);

// The types that an attribute may have in a file.
bool thaw_attribute_is_float(const ThawAttribute *attribute); // its column is f32, or it is scaled
// The values of row `row`.
double thaw_attribute_number(const ThawAttribute *attribute, uint32_t row);
int64_t thaw_attribute_whole(const ThawAttribute *attribute, uint32_t row);
uint64_t thaw_attribute_id(const ThawAttribute *attribute, uint32_t row); // of a u64 column

// The exporters, one row each in export.c.
ThawResult thaw_export_ply(const ThawFrame *frame, const ThawAttributes *attributes,
                           ThawFile *file);
ThawResult thaw_export_csv(const ThawFrame *frame, const ThawAttributes *attributes,
                           ThawFile *file);

#endif
