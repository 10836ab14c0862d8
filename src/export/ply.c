// PLY, binary little endian: one element `vertex`, a property an attribute.
//
// PLY knows whole numbers of at most 32 bits. A u64 becomes two uint, NAME (lower half) and NAME_high; an i64
// becomes a double.
#include "export/attributes.h"

#include "base/memory.h"
#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ROWS_AT_ONCE 256u

// how an attribute is stored
typedef enum Kind { KIND_FLOAT, KIND_DOUBLE, KIND_INT, KIND_PAIR } Kind;

static Kind kind_of(const ThawAttribute *attribute) {
    if (thaw_attribute_is_float(attribute)) return KIND_FLOAT;
    switch (attribute->column->type) {
    case THAW_F64:
    case THAW_I64: return KIND_DOUBLE;
    case THAW_U64: return KIND_PAIR;
    default: return KIND_INT;
    }
}

static size_t kind_size(Kind kind) {
    return kind == KIND_DOUBLE || kind == KIND_PAIR ? 8 : 4;
}

// ---------------------------------------------------------------- header

static THAW_PRINTF(2, 3) void print(ThawFile *file, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    // failures are kept by the file
    if (length > 0 && (size_t)length < sizeof line) thaw_file_append(file, line, (size_t)length);
}

static void write_header(const ThawFrame *frame, const ThawAttributes *attributes, ThawFile *file) {
    static const char axes[] = "xyz";
    const ThawFrameInfo *info = &frame->info;
    print(file, "ply\nformat binary_little_endian 1.0\n");
    print(file, "comment thaw %.15s, scene %016llx\n", info->thaw_version,
          (unsigned long long)info->scene_hash);
    print(file, "comment frame %d, time %.9g s, %.9g frames a second\n", info->frame, info->time,
          info->fps);
    print(file, "comment SI units, %c is up, spacing %.9g m, support %.9g m, %d dimensions\n",
          axes[info->up >= 0 && info->up < 3 ? info->up : 2], info->spacing, info->support,
          info->dimensions);
    print(file, "element vertex %lu\n", (unsigned long)frame->count);
    for (int k = 0; k < attributes->count; k++) {
        const char *name = attributes->list[k].name;
        switch (kind_of(&attributes->list[k])) {
        case KIND_FLOAT: print(file, "property float %s\n", name); break;
        case KIND_DOUBLE: print(file, "property double %s\n", name); break;
        case KIND_INT: print(file, "property int %s\n", name); break;
        case KIND_PAIR: print(file, "property uint %s\nproperty uint %s_high\n", name, name); break;
        }
    }
    print(file, "end_header\n");
}

// ---------------------------------------------------------------- rows

static uint8_t *put_bits(uint8_t *to, uint64_t bits, int size) {
    for (int k = 0; k < size; k++) to[k] = (uint8_t)(bits >> (8 * k));
    return to + size;
}

static uint8_t *put_value(uint8_t *to, const ThawAttribute *attribute, Kind kind, uint32_t row) {
    switch (kind) {
    case KIND_FLOAT: {
        float value = (float)thaw_attribute_number(attribute, row);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        return put_bits(to, bits, 4);
    }
    case KIND_DOUBLE: {
        double value = thaw_attribute_number(attribute, row);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return put_bits(to, bits, 8);
    }
    case KIND_INT: return put_bits(to, (uint64_t)thaw_attribute_whole(attribute, row), 4);
    case KIND_PAIR: return put_bits(to, thaw_attribute_id(attribute, row), 8);
    }
    return to;
}

ThawResult thaw_export_ply(const ThawFrame *frame, const ThawAttributes *attributes,
                           ThawFile *file) {
    write_header(frame, attributes, file);
    size_t row_size = 0;
    for (int k = 0; k < attributes->count; k++)
        row_size += kind_size(kind_of(&attributes->list[k]));
    uint8_t *rows = thaw_alloc(row_size * ROWS_AT_ONCE);
    if (rows == NULL) return thaw_fail_memory(row_size * ROWS_AT_ONCE);
    ThawResult result = THAW_OK;
    uint8_t *to = rows;
    for (uint32_t row = 0; row < frame->count && result == THAW_OK; row++) {
        for (int k = 0; k < attributes->count; k++) {
            to = put_value(to, &attributes->list[k], kind_of(&attributes->list[k]), row);
        }
        if ((row + 1) % ROWS_AT_ONCE != 0 && row + 1 < frame->count) continue;
        result = thaw_file_append(file, rows, (size_t)(to - rows));
        to = rows;
    }
    thaw_free(rows);
    return result;
}
