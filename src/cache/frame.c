// Frames in memory: a world's particles by ascending id, in plain columns.
#include "cache/frame.h"
#include "cache/header.h"

#include "base/memory.h"
#include "base/result.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- frames

ThawFrame *thaw_frame_make(const ThawFrameInfo *info, uint32_t count) {
    ThawFrame *frame = calloc(1, sizeof *frame);
    if (frame == NULL) return NULL;
    frame->info = *info;
    frame->count = count;
    frame->columns = calloc(THAW_COLUMNS_MOST, sizeof *frame->columns);
    if (frame->columns != NULL) return frame;
    free(frame);
    return NULL;
}

void thaw_frame_free(ThawFrame *frame) {
    if (frame == NULL) return;
    for (int k = 0; k < frame->column_count; k++) thaw_free(frame->columns[k].data);
    free(frame->columns);
    free(frame->fractures);
    free(frame->colliders);
    free(frame);
}

const ThawColumn *thaw_frame_column(const ThawFrame *frame, const char *name) {
    assert(frame != NULL && name != NULL);
    for (int k = 0; k < frame->column_count; k++) {
        if (strcmp(frame->columns[k].name, name) == 0) return &frame->columns[k];
    }
    return NULL;
}

ThawResult thaw_frame_add(ThawFrame *frame, const ThawColumn *like, bool with_data) {
    assert(frame->column_count < THAW_COLUMNS_MOST);
    ThawColumn column = *like;
    column.data = NULL;
    if (with_data) {
        size_t bytes = thaw_column_row(like) * frame->count;
        column.data = thaw_alloc(bytes == 0 ? 1 : bytes);
        if (column.data == NULL) return thaw_fail_memory(bytes);
    }
    frame->columns[frame->column_count++] = column;
    return THAW_OK;
}

// ---------------------------------------------------------------- fractures

ThawResult thaw_frame_add_fractures(ThawFrame *frame, uint32_t count) {
    assert(frame->fractures == NULL);
    frame->fracture_count = 0;
    if (count == 0) return THAW_OK;
    frame->fractures = calloc(count, sizeof *frame->fractures);
    if (frame->fractures == NULL) return thaw_fail_memory(count * sizeof *frame->fractures);
    frame->fracture_count = count;
    return THAW_OK;
}

ThawResult thaw_frame_set_fractures(ThawFrame *frame, const ThawFracture *fractures,
                                    uint32_t count) {
    assert(frame != NULL && (fractures != NULL || count == 0));
    ThawFracture *before = frame->fractures;
    uint32_t count_before = frame->fracture_count;
    frame->fractures = NULL;
    ThawResult result = thaw_frame_add_fractures(frame, count);
    if (result != THAW_OK) {
        frame->fractures = before;
        frame->fracture_count = count_before;
        return result;
    }
    for (uint32_t k = 0; k < count; k++) frame->fractures[k] = fractures[k];
    free(before);
    return THAW_OK;
}

ThawResult thaw_fractures_check(const ThawFracture *fractures, uint32_t count, const char *name) {
    for (uint32_t k = 0; k < count; k++) {
        const ThawFracture *f = &fractures[k];
        const char *wrong = NULL;
        if (!isfinite(f->time) || (k > 0 && !(f->time >= fractures[k - 1].time))) wrong = "time";
        if (!isfinite(f->position.x + f->position.y + f->position.z)) wrong = "position";
        if (f->pair[0] == 0 || f->pair[1] == 0 || f->pair[0] == f->pair[1]) wrong = "pair";
        if (wrong == NULL) continue;
        return thaw_fail(THAW_BAD_INPUT, "%s: fracture %lu has an impossible %s", name,
                         (unsigned long)k + 1, wrong);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- order by id

typedef struct Entry {
    uint64_t id;
    uint32_t row;
} Entry;

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

// one stable pass by the digit at `shift`; false when all entries have the same one
static bool sort_digit(const Entry *from, Entry *to, uint32_t count, int shift) {
    uint32_t start[DIGITS] = {0};
    for (uint32_t k = 0; k < count; k++) start[from[k].id >> shift & (DIGITS - 1)]++;
    if (start[from[0].id >> shift & (DIGITS - 1)] == count) return false;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < DIGITS; k++) {
        uint32_t size = start[k];
        start[k] = sum;
        sum += size;
    }
    for (uint32_t k = 0; k < count; k++) to[start[from[k].id >> shift & (DIGITS - 1)]++] = from[k];
    return true;
}

// entries by ascending id; `spare` has the same room. Returns the one that holds the result.
static Entry *sort_entries(Entry *entries, Entry *spare, uint32_t count) {
    for (int shift = 0; shift < 64 && count > 0; shift += DIGIT_BITS) {
        if (!sort_digit(entries, spare, count, shift)) continue;
        Entry *swap = entries;
        entries = spare;
        spare = swap;
    }
    return entries;
}

// ---------------------------------------------------------------- columns of a world

// small integers become i32, which every program can read
static ThawType column_type(ThawType type) {
    return type == THAW_U8 || type == THAW_U16 ? THAW_I32 : type;
}

static void gather_small(const ThawView *view, const Entry *order, int32_t *data, int32_t add) {
    uint32_t width = view->components;
    for (uint32_t k = 0; k < view->count; k++) {
        for (uint32_t c = 0; c < width; c++) {
            size_t from = (size_t)order[k].row * width + c;
            int32_t value = view->type == THAW_U8 ? ((const uint8_t *)view->data)[from]
                                                  : ((const uint16_t *)view->data)[from];
            data[(size_t)k * width + c] = value + add;
        }
    }
}

static void gather_words(const ThawView *view, const Entry *order, uint32_t *data, size_t words) {
    const uint32_t *from = view->data;
    for (uint32_t k = 0; k < view->count; k++) {
        const uint32_t *row = from + order[k].row * words;
        for (size_t w = 0; w < words; w++) data[k * words + w] = row[w];
    }
}

// the world counts materials from 0, handles from 1
static void gather(const char *name, const ThawView *view, const Entry *order, ThawColumn *column) {
    if (column_type(view->type) != view->type) {
        gather_small(view, order, column->data, strcmp(name, "material") == 0 ? 1 : 0);
    } else {
        gather_words(view, order, column->data, thaw_column_row(column) / sizeof(uint32_t));
    }
}

static ThawResult take_column(ThawWorld *world, const char *name, const Entry *order,
                              ThawFrame *frame) {
    if (thaw_frame_column(frame, name) != NULL) return THAW_OK; // asked for twice
    if (frame->column_count == THAW_COLUMNS_MOST) {
        return thaw_fail(THAW_BAD_INPUT, "a frame has at most %d channels", THAW_COLUMNS_MOST);
    }
    ThawView view;
    ThawResult result = thaw_world_view(world, name, &view);
    if (result != THAW_OK) return result;
    ThawColumn column = {.type = column_type(view.type), .components = view.components};
    strncpy(column.name, name, sizeof column.name - 1);
    result = thaw_frame_add(frame, &column, true);
    if (result != THAW_OK) return result;
    gather(name, &view, order, &frame->columns[frame->column_count - 1]);
    return THAW_OK;
}

static ThawResult take_columns(ThawWorld *world, const char *const *channels, int channel_count,
                               const Entry *order, ThawFrame *frame) {
    ThawResult result = take_column(world, "id", order, frame);
    if (result == THAW_OK) result = take_column(world, "position", order, frame);
    for (int k = 0; k < channel_count && result == THAW_OK; k++) {
        result = take_column(world, channels[k], order, frame);
    }
    return result;
}

static ThawResult take_fractures(const ThawWorld *world, ThawFrame *frame) {
    const ThawFracture *fractures;
    uint32_t count;
    thaw_world_fractures(world, &fractures, &count);
    return thaw_frame_set_fractures(frame, fractures, count);
}

ThawResult thaw_frame_take(ThawWorld *world, const ThawFrameInfo *info, const char *const *channels,
                           int channel_count, ThawFrame **frame) {
    assert(world != NULL && info != NULL && frame != NULL);
    assert(channel_count == 0 || channels != NULL);
    *frame = NULL;
    ThawView ids;
    ThawResult result = thaw_world_view(world, "id", &ids);
    if (result != THAW_OK) return result;
    Entry *room = malloc(((size_t)ids.count * 2 + 1) * sizeof *room);
    ThawFrame *made = thaw_frame_make(info, ids.count);
    if (room == NULL || made == NULL) {
        result = thaw_fail_memory((size_t)ids.count * 2 * sizeof *room);
    } else {
        memset(made->info.thaw_version, 0, sizeof made->info.thaw_version);
        strncpy(made->info.thaw_version, THAW_VERSION, sizeof made->info.thaw_version - 1);
        for (uint32_t k = 0; k < ids.count; k++) {
            room[k] = (Entry){((const uint64_t *)ids.data)[k], k};
        }
        const Entry *order = sort_entries(room, room + ids.count, ids.count);
        result = take_columns(world, channels, channel_count, order, made);
        if (result == THAW_OK) result = take_fractures(world, made);
    }
    free(room);
    if (result == THAW_OK) {
        *frame = made;
    } else {
        thaw_frame_free(made);
    }
    return result;
}
