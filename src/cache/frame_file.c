// Frames as files: HDF5 for everyone, with our block in front.
#include "cache/files.h"
#include "cache/frame.h"
#include "cache/hdf.h"
#include "cache/header.h"
#include "cache/parts.h"

#include "base/result.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define UNPACK_MOST 1040u // bytes of data that one byte of file can stand for

// ---------------------------------------------------------------- what is common

static ThawHdfArray array_of(const ThawColumn *column, uint32_t count, int compression) {
    return (ThawHdfArray){.name = column->name,
                          .type = column->type,
                          .components = column->components,
                          .rows = count,
                          .flat = column->components == 1,
                          .compression = compression};
}

static const ThawFieldInfo *field_of(const char *name) {
    const ThawFieldInfo *info;
    for (uint32_t k = 0; (info = thaw_field_info(k)) != NULL; k++) {
        if (strcmp(info->name, name) == 0) return info;
    }
    return NULL;
}

static const char *unit_of(const char *name) {
    if (strcmp(name, "position") == 0) return "m";
    const ThawFieldInfo *info = field_of(name);
    return info == NULL ? "" : info->unit;
}

static const char *meaning_of(const char *name) {
    if (strcmp(name, "position") == 0) return "centre, in the world's frame";
    if (strcmp(name, "material") == 0) return "its material, counted from 1";
    const ThawFieldInfo *info = field_of(name);
    return info == NULL ? "a channel of the scene" : info->meaning;
}

static ThawResult check_data(const ThawFrame *frame) {
    for (int k = 0; k < frame->column_count; k++) {
        if (frame->columns[k].data != NULL) continue;
        return thaw_fail(THAW_BAD_INPUT, "the frame: column \"%s\" has no data",
                         frame->columns[k].name);
    }
    return THAW_OK;
}

// ids must rise: everything that reads frames may count on it
static ThawResult check_ids(const ThawFrame *frame, const char *name) {
    const uint64_t *ids = frame->columns[0].data;
    for (uint32_t k = 1; k < frame->count; k++) {
        if (ids[k] > ids[k - 1]) continue;
        return thaw_fail(THAW_BAD_INPUT, "%s: ids do not rise at row %lu", name, (unsigned long)k);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- writing

static bool put_attributes(ThawHdf *hdf, const ThawFrameInfo *info) {
    static const char *const axes[3] = {"x", "y", "z"};
    return thaw_hdf_put_i32(hdf, "format_version", (int32_t)THAW_FORMAT) &&
           thaw_hdf_put_text(hdf, NULL, "thaw_version", info->thaw_version) &&
           thaw_hdf_put_i32(hdf, "frame", info->frame) &&
           thaw_hdf_put_f64(hdf, "time", info->time) && thaw_hdf_put_f64(hdf, "fps", info->fps) &&
           thaw_hdf_put_f64(hdf, "dt", info->dt) &&
           thaw_hdf_put_f64s(hdf, "rest_density", info->rest_density, info->material_count) &&
           thaw_hdf_put_f64(hdf, "spacing", info->spacing) &&
           thaw_hdf_put_f64(hdf, "support", info->support) &&
           thaw_hdf_put_text(hdf, NULL, "up_axis", axes[info->up]) &&
           thaw_hdf_put_i32(hdf, "dimensions", info->dimensions) &&
           thaw_hdf_put_u64(hdf, "scene_hash", info->scene_hash);
}

static bool put_columns(ThawHdf *hdf, const ThawFrame *frame, int compression) {
    for (int k = 0; k < frame->column_count; k++) {
        const ThawColumn *column = &frame->columns[k];
        ThawHdfArray array = array_of(column, frame->count, compression);
        if (!thaw_hdf_put_array(hdf, &array, column->data) ||
            !thaw_hdf_put_text(hdf, column->name, "unit", unit_of(column->name)) ||
            !thaw_hdf_put_text(hdf, column->name, "meaning", meaning_of(column->name))) {
            return false;
        }
    }
    return true;
}

static bool put_tables(ThawHdf *hdf, const ThawFrame *frame, int compression) {
    return thaw_parts_put(hdf, &thaw_fracture_parts, frame->fractures, frame->fracture_count,
                          compression) &&
           thaw_parts_put(hdf, &thaw_collider_parts, frame->colliders, frame->collider_count,
                          compression);
}

static uint64_t data_bytes(const ThawColumn *columns, int column_count, uint32_t count) {
    uint64_t row = 0;
    for (int k = 0; k < column_count; k++) row += thaw_column_row(&columns[k]);
    return row * count;
}

static uint8_t *build_file(const ThawFrame *frame, int compression, size_t *size) {
    uint8_t *bytes = NULL;
    ThawHdf hdf;
    uint64_t expected = data_bytes(frame->columns, frame->column_count, frame->count);
    if (thaw_hdf_create(&hdf, (size_t)expected) && put_attributes(&hdf, &frame->info) &&
        put_columns(&hdf, frame, compression) && put_tables(&hdf, frame, compression)) {
        bytes = thaw_hdf_finish(&hdf, size);
    }
    thaw_hdf_close(&hdf);
    return bytes;
}

static ThawResult check_tables(const ThawFrame *frame, const char *name) {
    if (frame->fracture_count > 0 && frame->fractures == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "%s: its fractures have no data", name);
    }
    if (frame->collider_count > 0 && frame->colliders == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "%s: its colliders have no data", name);
    }
    ThawResult result = thaw_fractures_check(frame->fractures, frame->fracture_count, name);
    if (result != THAW_OK) return result;
    return thaw_colliders_check(frame->colliders, frame->collider_count, name);
}

static ThawResult check_frame(const ThawFrame *frame, int compression, ThawHeader *header) {
    memset(header, 0, sizeof *header);
    header->kind = THAW_FILE_FRAME;
    header->info = frame->info;
    header->count = frame->count;
    header->fractures = frame->fracture_count;
    header->colliders = frame->collider_count;
    header->column_count = frame->column_count;
    if (compression < 0 || compression > 9) {
        return thaw_fail(THAW_BAD_INPUT, "compression must be 0 to 9, not %d", compression);
    }
    if (frame->column_count <= THAW_COLUMNS_MOST && frame->column_count > 0) {
        memcpy(header->columns, frame->columns,
               (size_t)frame->column_count * sizeof *frame->columns);
    }
    ThawResult result = thaw_header_check(header, "the frame");
    if (result == THAW_OK) result = check_data(frame);
    if (result == THAW_OK) result = check_ids(frame, "the frame");
    return result == THAW_OK ? check_tables(frame, "the frame") : result;
}

ThawResult thaw_frame_write_sized(const ThawFrame *frame, int compression, const char *path,
                                  size_t *size) {
    assert(frame != NULL && path != NULL);
    ThawHeader header;
    ThawResult result = check_frame(frame, compression, &header);
    if (result != THAW_OK) return result;
    uint8_t *bytes = build_file(frame, compression, size);
    if (bytes == NULL) {
        return thaw_fail(THAW_OUT_OF_MEMORY,
                         "cannot write \"%s\": HDF5 could not make it in memory", path);
    }
    header.image_size = *size - THAW_HEADER_SIZE;
    header.image_hash = thaw_image_hash(bytes + THAW_HEADER_SIZE, *size - THAW_HEADER_SIZE);
    thaw_header_encode(&header, bytes);
    result = thaw_file_write(path, bytes, *size);
    free(bytes);
    return result;
}

ThawResult thaw_frame_write(const ThawFrame *frame, int compression, const char *path) {
    size_t size;
    return thaw_frame_write_sized(frame, compression, path, &size);
}

// ---------------------------------------------------------------- reading

static ThawResult make_frame(const ThawHeader *header, bool with_data, ThawFrame **frame) {
    *frame = thaw_frame_make(&header->info, header->count);
    if (*frame == NULL) return thaw_fail_memory(sizeof **frame);
    for (int k = 0; k < header->column_count; k++) {
        ThawResult result = thaw_frame_add(*frame, &header->columns[k], with_data);
        if (result != THAW_OK) return result;
    }
    if (with_data) {
        ThawResult result = thaw_frame_add_fractures(*frame, header->fractures);
        return result == THAW_OK ? thaw_frame_add_colliders(*frame, header->colliders) : result;
    }
    (*frame)->fracture_count = header->fractures;
    (*frame)->collider_count = header->colliders;
    return THAW_OK;
}

static ThawResult read_columns(ThawHdf *hdf, ThawFrame *frame, const char *name) {
    for (int k = 0; k < frame->column_count; k++) {
        ThawHdfArray array = array_of(&frame->columns[k], frame->count, 0);
        const char *wrong = thaw_hdf_get_array(hdf, &array, frame->columns[k].data);
        if (wrong != NULL) {
            return thaw_fail(THAW_BAD_INPUT, "%s: dataset \"%s\" %s", name, array.name, wrong);
        }
    }
    return THAW_OK;
}

static ThawResult read_tables(ThawHdf *hdf, const char *name, ThawFrame *frame) {
    ThawResult result =
        thaw_parts_get(hdf, &thaw_fracture_parts, frame->fractures, frame->fracture_count, name);
    if (result != THAW_OK) return result;
    return thaw_parts_get(hdf, &thaw_collider_parts, frame->colliders, frame->collider_count, name);
}

static ThawResult read_data(const void *bytes, size_t size, const char *name, ThawFrame *frame) {
    ThawHdf hdf;
    ThawResult result;
    if (thaw_hdf_open(&hdf, bytes, size)) {
        result = read_columns(&hdf, frame, name);
        if (result == THAW_OK) result = read_tables(&hdf, name, frame);
    } else {
        result = thaw_fail(THAW_BAD_INPUT, "%s: its HDF5 part cannot be opened", name);
    }
    thaw_hdf_close(&hdf);
    if (result == THAW_OK) result = check_ids(frame, name);
    return result == THAW_OK ? check_tables(frame, name) : result;
}

// no more memory than the file can stand for
static ThawResult check_room(const ThawHeader *header, size_t size, const char *name) {
    const struct {
        const char *what;
        uint32_t count;
        uint64_t bytes;
    } rows[] = {
        {"particles", header->count,
         data_bytes(header->columns, header->column_count, header->count)},
        {"fractures", header->fractures,
         header->fractures * thaw_parts_bytes(&thaw_fracture_parts)},
        {"colliders", header->colliders,
         header->colliders * thaw_parts_bytes(&thaw_collider_parts)},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].bytes / UNPACK_MOST <= size) continue;
        return thaw_fail(THAW_BAD_INPUT, "%s: %lu %s do not fit into %zu bytes", name,
                         (unsigned long)rows[k].count, rows[k].what, size);
    }
    return THAW_OK;
}

static ThawResult parse_frame(const void *bytes, size_t size, const char *name, ThawFrame **frame) {
    *frame = NULL;
    ThawHeader header;
    ThawResult result = thaw_header_verify(bytes, size, THAW_FILE_FRAME, name, &header);
    if (result != THAW_OK) return result;
    result = check_room(&header, size, name);
    if (result != THAW_OK) return result;
    ThawFrame *made;
    result = make_frame(&header, true, &made);
    if (result == THAW_OK) result = read_data(bytes, size, name, made);
    if (result == THAW_OK) {
        *frame = made;
    } else {
        thaw_frame_free(made);
    }
    return result;
}

ThawResult thaw_frame_parse(const void *bytes, size_t size, ThawFrame **frame) {
    assert((bytes != NULL || size == 0) && frame != NULL);
    return parse_frame(bytes, size, "the frame", frame);
}

ThawResult thaw_frame_read(const char *path, ThawFrame **frame) {
    assert(path != NULL && frame != NULL);
    *frame = NULL;
    uint8_t *bytes;
    size_t size;
    ThawResult result = thaw_file_load(path, &bytes, &size);
    if (result != THAW_OK) return result;
    result = parse_frame(bytes, size, path, frame);
    free(bytes);
    return result;
}

ThawResult thaw_frame_peek(const char *path, ThawFrame **frame) {
    assert(path != NULL && frame != NULL);
    *frame = NULL;
    uint8_t block[THAW_HEADER_SIZE];
    ThawHeader header;
    size_t size;
    ThawResult result = thaw_file_load_head(path, block, sizeof block, &size);
    if (result == THAW_OK) {
        result = thaw_header_decode(block, size, THAW_FILE_FRAME, path, &header);
    }
    if (result != THAW_OK) return result;
    ThawFrame *made;
    result = make_frame(&header, false, &made);
    if (result == THAW_OK) {
        *frame = made;
    } else {
        thaw_frame_free(made);
    }
    return result;
}
