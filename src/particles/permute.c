// Moving rows: any new order, or the living closed up in the order they have.
//
// Both are gathers, new row k = old row rows[k], done chunk by chunk: for a permutation the chunk's
// part of the order, for a compaction the chunk's living rows. The fields of a moving block are
// gathered into the spare block, which takes the block's place (see layout.h). Channels are
// gathered into the spare in slices of a few words and copied back. For wide ones that is several walks over
// the same lines of memory, so channels as wide as the first of those have a spare of their own, which takes
// the channel's place as a block's does. The others go by slices: no further spare is held.
#include "base/memory.h"
#include "base/result.h"
#include "particles/layout.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#define CHUNK 4096
#define AHEAD 128
#define FEW 64   // rows
#define SLICE 24 // bytes of a row that go through the spare at once; no moving block is narrower

// one array on its way: `bytes` of every row, from rows `stride` bytes apart to packed rows
typedef struct Part {
    char *to;
    const char *from;
    uint32_t bytes;
    uint32_t stride;
} Part;

enum { BLOCK_SPARE, STARTS_SPARE, WIDE_SPARE }; // see store.h

typedef struct Move {
    uint32_t count;         // rows before the move
    const uint32_t *order;  // old row of each new row; NULL: the living rows in their order
    const uint8_t *dead;    // with order NULL
    uint32_t *chunk_starts; // with order NULL: the first new row of each chunk, and the end
    Part parts[THAW_FIELD_COUNT];
    uint32_t part_count;
    char *back; // where a slice is copied back to
} Move;

typedef struct Compare {
    const void *data;
    uint32_t row_bytes, count;
    _Atomic bool differ;
} Compare;

// rows are asked for ahead of use: without it a nearly sorted order takes twice the time
static inline void gather(char *to, const char *from, const uint32_t *rows, uint32_t count,
                          size_t bytes, size_t stride) {
    uint32_t k = 0;
    for (; k + AHEAD < count; k++) {
        __builtin_prefetch(from + rows[k + AHEAD] * stride);
        memcpy(to + k * bytes, from + rows[k] * stride, bytes);
    }
    for (; k < count; k++) memcpy(to + k * bytes, from + rows[k] * stride, bytes);
}

// the usual sizes as constants, so that a row's copy is a few moves
static void gather_part(const Part *part, uint32_t first, const uint32_t *rows, uint32_t count) {
    char *to = part->to + (size_t)first * part->bytes;
    const char *from = part->from;
    if (part->stride == part->bytes) {
        switch (part->bytes) {
        case 1: gather(to, from, rows, count, 1, 1); return;
        case 2: gather(to, from, rows, count, 2, 2); return;
        case 4: gather(to, from, rows, count, 4, 4); return;
        case 8: gather(to, from, rows, count, 8, 8); return;
        case 12: gather(to, from, rows, count, 12, 12); return;
        case 16: gather(to, from, rows, count, 16, 16); return;
        case 24: gather(to, from, rows, count, 24, 24); return;
        case 36: gather(to, from, rows, count, 36, 36); return;
        default: break;
        }
    }
    switch (part->bytes) {
    case 12: gather(to, from, rows, count, 12, part->stride); return;
    case 24: gather(to, from, rows, count, 24, part->stride); return;
    default: gather(to, from, rows, count, part->bytes, part->stride);
    }
}

static uint32_t list_living(const uint8_t *dead, ThawRange range, uint32_t *rows) {
    uint32_t count = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        rows[count] = row;
        count += dead[row] == 0;
    }
    return count;
}

static void move_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Move *move = context;
    ThawRange range = thaw_chunk_range(chunk, move->count, CHUNK);
    uint32_t living[CHUNK];
    const uint32_t *rows = living;
    uint32_t first = range.begin;
    uint32_t count = range.end - range.begin;
    if (move->order != NULL) {
        rows = move->order + range.begin;
    } else {
        first = move->chunk_starts[chunk];
        count = list_living(move->dead, range, living);
    }
    for (uint32_t p = 0; p < move->part_count; p++) {
        gather_part(&move->parts[p], first, rows, count);
    }
}

static inline void spread(char *to, const char *from, uint32_t count, size_t bytes, size_t stride) {
    for (size_t k = 0; k < count; k++) memcpy(to + k * stride, from + k * bytes, bytes);
}

// rows of the spare, back to where the slice belongs
static void copy_chunk_back(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Move *move = context;
    const Part *part = &move->parts[0];
    uint32_t total = move->order != NULL ? move->count
                                         : move->chunk_starts[thaw_chunk_count(move->count, CHUNK)];
    ThawRange range = thaw_chunk_range(chunk, move->count, CHUNK);
    if (range.end > total) range.end = total;
    if (range.begin >= range.end) return;
    const char *from = part->to + (size_t)range.begin * part->bytes;
    char *to = move->back + (size_t)range.begin * part->stride;
    if (part->stride == part->bytes) {
        memcpy(to, from, (size_t)(range.end - range.begin) * part->bytes);
        return;
    }
    uint32_t count = range.end - range.begin;
    switch (part->bytes) {
    case 12: spread(to, from, count, 12, part->stride); return;
    case 24: spread(to, from, count, 24, part->stride); return;
    default: spread(to, from, count, part->bytes, part->stride);
    }
}

static ThawResult ready_spare(ThawStore *store, const ThawLayout *layout) {
    size_t bytes = thaw_layout_block_size(layout, 0, store->capacity);
    assert(layout->moving_count > 0 && layout->block_bytes[0] >= SLICE);
    return thaw_scratch(&store->spare[BLOCK_SPARE], &store->spare_bytes[BLOCK_SPARE], bytes)
               ? THAW_OK
               : thaw_fail_memory(bytes);
}

// all fields of one block, which becomes the spare afterwards
static void move_block(ThawStore *store, ThawParallel *parallel, const ThawLayout *layout,
                       uint32_t block, Move *move) {
    move->part_count = 0;
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        const ThawFieldRow *field = &layout->fields[f];
        if (field->block != block) continue;
        move->parts[move->part_count++] =
            (Part){thaw_layout_place(field, store->spare[BLOCK_SPARE], store->capacity),
                   thaw_layout_get(store, field), field->row_bytes, field->row_bytes};
    }
    thaw_parallel_run(parallel, move_chunk, move, thaw_chunk_count(move->count, CHUNK));
    void *old = thaw_layout_base(layout, store, block);
    thaw_layout_attach(layout, store, block, store->spare[BLOCK_SPARE], store->capacity);
    store->spare[BLOCK_SPARE] = old;
}

// Rows that are all the same need not move: channels that nobody has changed.
static void compare_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Compare *compare = context;
    ThawRange range = thaw_chunk_range(chunk, compare->count, CHUNK);
    // the first of the next chunk too
    if (range.end < compare->count) range.end++;
    if (atomic_load_explicit(&compare->differ, memory_order_relaxed)) return;
    const char *rows = (const char *)compare->data + (size_t)range.begin * compare->row_bytes;
    if (thaw_all_alike(rows, range.end - range.begin, compare->row_bytes)) return;
    atomic_store_explicit(&compare->differ, true, memory_order_relaxed);
}

static bool is_uniform(ThawParallel *parallel, const void *data, uint32_t row_bytes,
                       uint32_t count) {
    Compare compare = {.data = data, .row_bytes = row_bytes, .count = count};
    // nearly always the first few tell
    if (!thaw_all_alike(data, count < FEW ? count : FEW, row_bytes)) return false;
    thaw_parallel_run(parallel, compare_chunk, &compare, thaw_chunk_count(count, CHUNK));
    return !atomic_load(&compare.differ);
}

// A channel that is too wide for a slice, into the spare for such, which takes its place. False where that is of
// another width, or there is no memory for one.
static bool swap_channel(ThawStore *store, ThawParallel *parallel, ThawChannel *channel,
                         Move *move) {
    uint32_t row_bytes = (uint32_t)thaw_channel_row_bytes(channel);
    size_t bytes = thaw_layout_rows(store->capacity) * row_bytes;
    if (row_bytes <= SLICE) return false;
    if (store->spare[WIDE_SPARE] == NULL) {
        store->spare[WIDE_SPARE] = thaw_alloc(bytes);
        if (store->spare[WIDE_SPARE] == NULL) return false;
        store->spare_bytes[WIDE_SPARE] = bytes;
    }
    if (store->spare_bytes[WIDE_SPARE] != bytes) return false;
    move->part_count = 1;
    move->parts[0] = (Part){store->spare[WIDE_SPARE], channel->data, row_bytes, row_bytes};
    thaw_parallel_run(parallel, move_chunk, move, thaw_chunk_count(move->count, CHUNK));
    void *old = channel->data;
    channel->data = store->spare[WIDE_SPARE];
    store->spare[WIDE_SPARE] = old;
    return true;
}

// an array of its own, slice by slice through the spare
static void move_array(ThawStore *store, ThawParallel *parallel, void *data, uint32_t row_bytes,
                       Move *move) {
    uint32_t chunks = thaw_chunk_count(move->count, CHUNK);
    move->part_count = 1;
    for (uint32_t start = 0; start < row_bytes; start += SLICE) {
        uint32_t bytes = row_bytes - start < SLICE ? row_bytes - start : SLICE;
        move->back = (char *)data + start;
        move->parts[0] = (Part){store->spare[BLOCK_SPARE], move->back, bytes, row_bytes};
        thaw_parallel_run(parallel, move_chunk, move, chunks);
        thaw_parallel_run(parallel, copy_chunk_back, move, chunks);
    }
}

static void move_everything(ThawStore *store, ThawParallel *parallel, const ThawLayout *layout,
                            Move *move) {
    for (uint32_t b = 0; b < layout->moving_count; b++) {
        move_block(store, parallel, layout, b, move);
    }
    for (uint32_t c = 0; c < store->channel_count; c++) {
        ThawChannel *channel = &store->channels[c];
        uint32_t row_bytes = (uint32_t)thaw_channel_row_bytes(channel);
        if (is_uniform(parallel, channel->data, row_bytes, move->count)) continue;
        if (swap_channel(store, parallel, channel, move)) continue;
        move_array(store, parallel, channel->data, row_bytes, move);
    }
    thaw_store_moved(store);
}

ThawResult thaw_store_permute(ThawStore *store, ThawParallel *parallel, const uint32_t *order) {
    assert(store->dead_count == 0);
    ThawLayout layout = thaw_layout();
    ThawResult result = ready_spare(store, &layout);
    if (result != THAW_OK) return result;
    Move move = {.count = store->count, .order = order};
    move_everything(store, parallel, &layout, &move);
    return THAW_OK;
}

static void count_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Move *move = context;
    ThawRange range = thaw_chunk_range(chunk, move->count, CHUNK);
    uint32_t living = 0;
    for (uint32_t row = range.begin; row < range.end; row++) living += move->dead[row] == 0;
    move->chunk_starts[chunk] = living;
}

// where each chunk's living go; the last entry is their number
static void number_chunks(Move *move, ThawParallel *parallel) {
    uint32_t chunks = thaw_chunk_count(move->count, CHUNK);
    thaw_parallel_run(parallel, count_chunk, move, chunks);
    uint32_t start = 0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        uint32_t living = move->chunk_starts[chunk];
        move->chunk_starts[chunk] = start;
        start += living;
    }
    move->chunk_starts[chunks] = start;
}

ThawResult thaw_store_compact(ThawStore *store, ThawParallel *parallel) {
    if (store->dead_count == 0) return THAW_OK;
    ThawLayout layout = thaw_layout();
    ThawResult result = ready_spare(store, &layout);
    if (result != THAW_OK) return result;
    size_t bytes = ((size_t)thaw_chunk_count(store->count, CHUNK) + 1) * sizeof(uint32_t);
    if (!thaw_scratch(&store->spare[STARTS_SPARE], &store->spare_bytes[STARTS_SPARE], bytes))
        return thaw_fail_memory(bytes);
    Move move = {
        .count = store->count, .dead = store->dead, .chunk_starts = store->spare[STARTS_SPARE]};
    number_chunks(&move, parallel);
    move_everything(store, parallel, &layout, &move);
    // the measured density stays with its particle, because it may be looked at between steps
    move_array(store, parallel, store->density_error, sizeof *store->density_error, &move);
    memset(store->dead, 0, store->count);
    store->count -= store->dead_count;
    store->dead_count = 0;
    thaw_store_shrink(store);
    return THAW_OK;
}
