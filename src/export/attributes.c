// Columns become attributes: vectors are taken apart, and get the names that readers look for.
#include "export/attributes.h"

#include "base/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- the list

static void name_component(const ThawColumn *column, uint32_t component, char name[48]) {
    static const char *const axes[3] = {"x", "y", "z"};
    if (strcmp(column->name, "position") == 0 && component < 3) {
        snprintf(name, 48, "%s", axes[component]);
    } else if (strcmp(column->name, "velocity") == 0 && component < 3) {
        snprintf(name, 48, "v%s", axes[component]);
    } else if (column->components == 1) {
        snprintf(name, 48, "%s", column->name);
    } else {
        snprintf(name, 48, "%s_%u", column->name, (unsigned)component);
    }
}

static bool is_taken(const ThawAttributes *attributes, int before, const char *name) {
    if (strcmp(name, "id_high") == 0) return true; // PLY's second half
    for (int k = 0; k < before; k++) {
        if (strcmp(attributes->list[k].name, name) == 0) return true;
    }
    return false;
}

static void add_column(ThawAttributes *attributes, const ThawColumn *column) {
    for (uint32_t c = 0; c < column->components; c++) {
        ThawAttribute *attribute = &attributes->list[attributes->count++];
        *attribute = (ThawAttribute){.column = column, .component = c, .scale = 1};
        name_component(column, c, attribute->name);
        // a channel called "x", say, becomes "x_"
        while (is_taken(attributes, attributes->count - 1, attribute->name) &&
               strlen(attribute->name) + 1 < sizeof attribute->name) {
            strcat(attribute->name, "_");
        }
    }
}

// pscale is a radius: half the spacing, of each particle when the frame has that
static void add_radius(ThawAttributes *attributes, const ThawFrame *frame) {
    ThawAttribute *attribute = &attributes->list[attributes->count++];
    *attribute = (ThawAttribute){.name = "pscale", .constant = frame->info.spacing / 2};
    attribute->column = thaw_frame_column(frame, "spacing");
    attribute->scale = 0.5;
}

static bool check_columns(const ThawFrame *frame) {
    uint32_t total = 0;
    for (int k = 0; k < frame->column_count; k++) {
        if (frame->columns[k].data == NULL) return false;
        total += frame->columns[k].components;
        if (total > THAW_ATTRIBUTES_MOST - 8) return false;
    }
    return thaw_frame_column(frame, "id") != NULL && thaw_frame_column(frame, "position") != NULL;
}

ThawAttributes *thaw_attributes_of(const ThawFrame *frame) {
    if (!check_columns(frame)) {
        thaw_fail(THAW_BAD_INPUT, "the frame has no data to export");
        return NULL;
    }
    ThawAttributes *attributes = calloc(1, sizeof *attributes);
    if (attributes == NULL) {
        thaw_fail_memory(sizeof *attributes);
        return NULL;
    }
    const ThawColumn *id = thaw_frame_column(frame, "id");
    const ThawColumn *position = thaw_frame_column(frame, "position");
    add_column(attributes, position);
    add_column(attributes, id);
    add_radius(attributes, frame);
    for (int k = 0; k < frame->column_count; k++) {
        const ThawColumn *column = &frame->columns[k];
        if (column != id && column != position) add_column(attributes, column);
    }
    return attributes;
}

// ---------------------------------------------------------------- values

bool thaw_attribute_is_float(const ThawAttribute *attribute) {
    return attribute->column == NULL || attribute->column->type == THAW_F32 ||
           attribute->scale != 1;
}

static size_t place_of(const ThawAttribute *attribute, uint32_t row) {
    return (size_t)row * attribute->column->components + attribute->component;
}

int64_t thaw_attribute_whole(const ThawAttribute *attribute, uint32_t row) {
    const void *data = attribute->column->data;
    size_t at = place_of(attribute, row);
    switch (attribute->column->type) {
    case THAW_I32: return ((const int32_t *)data)[at];
    case THAW_I64: return ((const int64_t *)data)[at];
    case THAW_U8: return ((const uint8_t *)data)[at];
    case THAW_U16: return ((const uint16_t *)data)[at];
    case THAW_U64: return (int64_t)((const uint64_t *)data)[at];
    case THAW_F32:
    case THAW_F64: break;
    }
    return 0;
}

uint64_t thaw_attribute_id(const ThawAttribute *attribute, uint32_t row) {
    return ((const uint64_t *)attribute->column->data)[place_of(attribute, row)];
}

double thaw_attribute_number(const ThawAttribute *attribute, uint32_t row) {
    if (attribute->column == NULL) return attribute->constant;
    const void *data = attribute->column->data;
    size_t at = place_of(attribute, row);
    double value;
    switch (attribute->column->type) {
    case THAW_F32: value = (double)((const float *)data)[at]; break;
    case THAW_F64: value = ((const double *)data)[at]; break;
    case THAW_U64: value = (double)((const uint64_t *)data)[at]; break;
    default: value = (double)thaw_attribute_whole(attribute, row); break;
    }
    return value * attribute->scale;
}
