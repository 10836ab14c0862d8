// Side tables of a frame: what their datasets are called, and how records become columns and back.
#include "cache/parts.h"

#include "cache/header.h"

#include "base/result.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- the tables

static const ThawPart fracture[] = {
    {THAW_FRACTURE_TIME, THAW_F64, 1, offsetof(ThawFracture, time), "s", "when a bond broke"},
    {THAW_FRACTURE_POSITION, THAW_F64, 3, offsetof(ThawFracture, position), "m",
     "half way between the two particles"},
    {THAW_FRACTURE_PAIR, THAW_U64, 2, offsetof(ThawFracture, pair), "", "ids of the two particles"},
};
const ThawPartTable thaw_fracture_parts = {fracture, 3, sizeof(ThawFracture)};

static const ThawPart collider[] = {
    {THAW_COLLIDER_NUMBER, THAW_I32, 1, offsetof(ThawFrameCollider, collider), "",
     "which collider of the scene, counted from 1"},
    {THAW_COLLIDER_POSITION, THAW_F64, 3, offsetof(ThawFrameCollider, pose.position), "m",
     "of the shape: world = rotation * local + position"},
    {THAW_COLLIDER_ROTATION, THAW_F64, 4, offsetof(ThawFrameCollider, pose.rotation), "",
     "of the shape, a unit quaternion x y z w"},
    {THAW_COLLIDER_VELOCITY, THAW_F64, 3, offsetof(ThawFrameCollider, velocity), "m/s",
     "of the centre of mass, or of the position where there is none"},
    {THAW_COLLIDER_SPIN, THAW_F64, 3, offsetof(ThawFrameCollider, spin), "rad/s",
     "in the world's axes"},
};
const ThawPartTable thaw_collider_parts = {collider, 5, sizeof(ThawFrameCollider)};

// ---------------------------------------------------------------- records and columns

static size_t part_bytes(const ThawPart *part) {
    return thaw_element_size(part->type) * part->components;
}

size_t thaw_parts_bytes(const ThawPartTable *table) {
    size_t bytes = 0;
    for (int k = 0; k < table->count; k++) bytes += part_bytes(&table->parts[k]);
    return bytes;
}

static ThawHdfArray array_of(const ThawPart *part, uint32_t rows, int compression) {
    return (ThawHdfArray){.name = part->name,
                          .type = part->type,
                          .components = part->components,
                          .rows = rows,
                          .flat = part->components == 1,
                          .compression = compression};
}

static bool put_part(ThawHdf *hdf, const ThawPart *part, const ThawHdfArray *array,
                     const void *column) {
    return thaw_hdf_put_array(hdf, array, column) &&
           thaw_hdf_put_text(hdf, part->name, "unit", part->unit) &&
           thaw_hdf_put_text(hdf, part->name, "meaning", part->meaning);
}

bool thaw_parts_put(ThawHdf *hdf, const ThawPartTable *table, const void *records, uint32_t rows,
                    int compression) {
    bool good = true;
    for (int k = 0; k < table->count && rows > 0 && good; k++) {
        const ThawPart *part = &table->parts[k];
        size_t bytes = part_bytes(part);
        uint8_t *column = malloc(rows * bytes);
        if (column == NULL) return false;
        for (uint32_t row = 0; row < rows; row++) {
            const uint8_t *record = (const uint8_t *)records + row * table->record;
            memcpy(column + row * bytes, record + part->offset, bytes);
        }
        ThawHdfArray array = array_of(part, rows, compression);
        good = put_part(hdf, part, &array, column);
        free(column);
    }
    return good;
}

ThawResult thaw_parts_get(ThawHdf *hdf, const ThawPartTable *table, void *records, uint32_t rows,
                          const char *name) {
    for (int k = 0; k < table->count && rows > 0; k++) {
        const ThawPart *part = &table->parts[k];
        size_t bytes = part_bytes(part);
        uint8_t *column = malloc(rows * bytes);
        if (column == NULL) return thaw_fail_memory(rows * bytes);
        ThawHdfArray array = array_of(part, rows, 0);
        const char *wrong = thaw_hdf_get_array(hdf, &array, column);
        for (uint32_t row = 0; row < rows && wrong == NULL; row++) {
            uint8_t *record = (uint8_t *)records + row * table->record;
            memcpy(record + part->offset, column + row * bytes, bytes);
        }
        free(column);
        if (wrong == NULL) continue;
        return thaw_fail(THAW_BAD_INPUT, "%s: dataset \"%s\" %s", name, part->name, wrong);
    }
    return THAW_OK;
}
