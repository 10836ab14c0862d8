// What colours the particles: a column of the frame as one number each, its range, and the palette.
#ifndef THAW_RENDER_FIELD_H
#define THAW_RENDER_FIELD_H

#include "render/color.h"

#include <thaw/render.h>

typedef enum ThawFieldKind {
    THAW_FIELD_PLAIN,   // one colour for all
    THAW_FIELD_SCALAR,  // a colour map over low..high
    THAW_FIELD_CATEGORY // a colour a kind
} ThawFieldKind;

// How the six components of a symmetric tensor become one number.
typedef enum ThawTensor {
    THAW_TENSOR_NOT,      // it is none, or one component is shown
    THAW_TENSOR_NORM,     // of a strain
    THAW_TENSOR_VON_MISES // of a stress
} ThawTensor;

typedef struct ThawColorField {
    ThawFieldKind kind;
    double low, high;         // of the colours, scalar only
    ThawColorMap map;         // scalar only
    char title[80];           // name and unit, for the colour bar
    const ThawColumn *column; // NULL when plain
    bool magnitude;           // length of a vector
    ThawTensor tensor;
    uint32_t component;       // else this one
    double offset;            // added to each value: of a scale with another zero
    const double (*given)[3]; // colours of the materials, by material − `given_from`
    int given_count;
    int64_t given_from;
    ThawColorKinds kinds;     // categories that occur
    const char *const *names; // of kinds from 1 on, may be NULL
    int name_count;
} ThawColorField;

// Finds the column and the range; `frame` must outlive the field.
ThawResult thaw_color_field_make(const ThawFrame *frame, const ThawRenderDef *def,
                                 ThawColorField *field);
// The sRGB colour of a row.
ThawFloat3 thaw_color_field_at(const ThawColorField *field, uint32_t row);
ThawFloat3 thaw_color_field_category(const ThawColorField *field, int64_t kind);
// What the legend calls a kind.
void thaw_color_field_name(const ThawColorField *field, int64_t kind, char *text, size_t size);

// One number of a column, whatever its type; false past a damaged type.
double thaw_column_number(const ThawColumn *column, uint32_t row, uint32_t component);
// The position column, refused when it is missing or no vector.
ThawResult thaw_position_column(const ThawFrame *frame, const ThawColumn **column);

#endif
