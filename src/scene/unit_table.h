// The tables behind units.h: what is measured, in what, and with which prefixes.
#ifndef THAW_SCENE_UNIT_TABLE_H
#define THAW_SCENE_UNIT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCENE_METRE, SCENE_KILOGRAM, SCENE_SECOND, SCENE_KELVIN, SCENE_RADIAN, SCENE_BASES };

// One thing that a number can measure; row k is SceneDimension k.
typedef struct SceneDimensionRow {
    const char *name;    // with its article
    const char *unit;    // SI
    const char *example; // of a value
    signed char powers[SCENE_BASES];
} SceneDimensionRow;

// One unit: factor × 10^tens of the product of the bases. Tens stand apart so that they can be
// added to the exponent of the number's own digits: 9 mm is then 0.009 to the last bit.
typedef struct SceneUnitRow {
    const char *name;
    double factor;
    int tens;
    signed char powers[SCENE_BASES];
    bool prefixes;       // may follow milli, kilo and so on
    const char *meaning; // NULL: another spelling of the row above
} SceneUnitRow;

typedef struct ScenePrefixRow {
    char letter;
    int tens;
    const char *meaning;
} ScenePrefixRow;

extern const SceneDimensionRow scene_dimension_rows[];
extern const SceneUnitRow scene_unit_rows[];
extern const int scene_unit_count;
extern const ScenePrefixRow scene_prefix_rows[];
extern const int scene_prefix_count;

// Writes a product of bases, "kg/(m s^2)"; "1" for no unit at all.
void scene_write_bases(const int powers[SCENE_BASES], char *text, size_t size);

#endif
