// CSV: a line of names, then a line a particle. Numbers have as many digits as give the same bits back.
#include "export/attributes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_MOST 40 // characters of one number and its comma

static int format_value(char *text, const ThawAttribute *attribute, uint32_t row) {
    if (thaw_attribute_is_float(attribute)) {
        // through float, so that a scaled value is as exact as its column
        double value = (double)(float)thaw_attribute_number(attribute, row);
        return snprintf(text, NUMBER_MOST, "%.9g", value);
    }
    switch (attribute->column->type) {
    case THAW_F64:
        return snprintf(text, NUMBER_MOST, "%.17g", thaw_attribute_number(attribute, row));
    case THAW_U64:
        return snprintf(text, NUMBER_MOST, "%" PRIu64, thaw_attribute_id(attribute, row));
    default: return snprintf(text, NUMBER_MOST, "%" PRId64, thaw_attribute_whole(attribute, row));
    }
}

static ThawResult write_rows(const ThawFrame *frame, const ThawAttributes *attributes,
                             ThawFile *file) {
    ThawResult result = THAW_OK;
    for (uint32_t row = 0; row < frame->count && result == THAW_OK; row++) {
        for (int k = 0; k < attributes->count; k++) {
            char text[NUMBER_MOST];
            int length = format_value(text, &attributes->list[k], row);
            text[length++] = k + 1 < attributes->count ? ',' : '\n';
            result = thaw_file_append(file, text, (size_t)length);
        }
    }
    return result;
}

ThawResult thaw_export_csv(const ThawFrame *frame, const ThawAttributes *attributes,
                           ThawFile *file) {
    for (int k = 0; k < attributes->count; k++) {
        const char *name = attributes->list[k].name;
        thaw_file_append(file, name, strlen(name));
        thaw_file_append(file, k + 1 < attributes->count ? "," : "\n", 1);
    }
    return write_rows(frame, attributes, file);
}
