// The store's life and size: rows are appended at the end, killed where they are, and looked up by
// id. Moving rows is in permute.c.
#include "particles/store.h"

#include "base/memory.h"
#include "base/result.h"
#include "particles/id_map.h"
#include "particles/layout.h"

#include <assert.h>
#include <string.h>

#define LEAST_CAPACITY 64
#define MOST_CAPACITY ((uint64_t)15 << 28) // the last step below 2^32

size_t thaw_type_size(ThawType type) {
    switch (type) {
    case THAW_F32:
    case THAW_I32: return 4;
    case THAW_F64:
    case THAW_I64:
    case THAW_U64: return 8;
    case THAW_U16: return 2;
    case THAW_U8: return 1;
    }
    assert(false); // a type that does not exist
    return 0;
}

ThawResult thaw_store_create(ThawStore **store) {
    ThawStore *fresh = thaw_alloc(sizeof *fresh);
    if (fresh == NULL) return thaw_fail_memory(sizeof *fresh);
    fresh->id_map = thaw_id_map_create();
    ThawResult result = fresh->id_map == NULL ? thaw_fail_memory(sizeof *fresh)
                                              : thaw_store_reserve(fresh, LEAST_CAPACITY);
    if (result != THAW_OK) {
        thaw_store_destroy(fresh);
        return result;
    }
    *store = fresh;
    return THAW_OK;
}

void thaw_store_destroy(ThawStore *store) {
    if (store == NULL) return;
    ThawLayout layout = thaw_layout();
    for (uint32_t b = 0; b < layout.block_count; b++)
        thaw_free(thaw_layout_base(&layout, store, b));
    for (uint32_t c = 0; c < store->channel_count; c++) thaw_free(store->channels[c].data);
    for (int k = 0; k < THAW_STORE_SPARES; k++) thaw_free(store->spare[k]);
    thaw_id_map_destroy(store->id_map);
    thaw_free(store);
}

// the least of 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, ... that holds the rows
static uint64_t choose_capacity(uint64_t rows) {
    uint64_t unit = LEAST_CAPACITY / 8;
    while (15 * unit < rows) unit *= 2;
    uint64_t eighths = (rows + unit - 1) / unit;
    return unit * (eighths < 8 ? 8 : eighths);
}

// One block moved to a new capacity. It may stay larger than the store's capacity when another one
// then fails: that is harmless, because only capacity says what may be used.
static ThawResult resize_block(ThawStore *store, const ThawLayout *layout, uint32_t block,
                               uint32_t capacity) {
    size_t bytes = thaw_layout_block_size(layout, block, capacity);
    void *fresh = thaw_alloc(bytes);
    if (fresh == NULL) return thaw_fail_memory(bytes);
    void *old = thaw_layout_base(layout, store, block);
    for (uint32_t f = 0; f < THAW_FIELD_COUNT && store->count > 0; f++) {
        const ThawFieldRow *field = &layout->fields[f];
        if (field->block != block) continue;
        memcpy(thaw_layout_place(field, fresh, capacity), thaw_layout_get(store, field),
               (size_t)store->count * field->row_bytes);
    }
    thaw_layout_attach(layout, store, block, fresh, capacity);
    thaw_free(old);
    return THAW_OK;
}

static ThawResult resize_channel(ThawStore *store, ThawChannel *channel, uint32_t capacity) {
    size_t row_bytes = thaw_channel_row_bytes(channel);
    size_t bytes = thaw_layout_rows(capacity) * row_bytes;
    void *moved = thaw_realloc(channel->data, store->count * row_bytes, bytes);
    if (moved == NULL) return thaw_fail_memory(bytes);
    channel->data = moved;
    return THAW_OK;
}

static ThawResult resize_arrays(ThawStore *store, uint32_t capacity) {
    ThawLayout layout = thaw_layout();
    ThawResult result = THAW_OK;
    for (uint32_t b = 0; b < layout.block_count && result == THAW_OK; b++) {
        result = resize_block(store, &layout, b, capacity);
    }
    for (uint32_t c = 0; c < store->channel_count && result == THAW_OK; c++) {
        result = resize_channel(store, &store->channels[c], capacity);
    }
    return result;
}

// the spare block fits one capacity only; freed before a change of size, it also lowers the peak
static void drop_spares(ThawStore *store) {
    for (int k = 0; k < THAW_STORE_SPARES; k++) {
        thaw_free(store->spare[k]);
        store->spare[k] = NULL;
        store->spare_bytes[k] = 0;
    }
}

ThawResult thaw_store_reserve(ThawStore *store, uint32_t rows) {
    if (rows <= store->capacity) return THAW_OK;
    if (rows > MOST_CAPACITY) {
        return thaw_fail(THAW_OUT_OF_MEMORY,
                         "out of memory: %lu particles are more than a world holds",
                         (unsigned long)rows);
    }
    uint32_t capacity = (uint32_t)choose_capacity(rows);
    drop_spares(store);
    ThawResult result = resize_arrays(store, capacity);
    if (result == THAW_OK) store->capacity = capacity;
    return result;
}

static void shrink(ThawStore *store, uint64_t rows) {
    uint64_t capacity = choose_capacity(rows);
    if (capacity >= store->capacity) return;
    drop_spares(store);
    // arrays for which there is no memory to move them stay as large as they are
    store->capacity = (uint32_t)capacity;
    (void)resize_arrays(store, store->capacity);
}

void thaw_store_shrink(ThawStore *store) {
    if (store->count >= store->capacity / 2) return;
    shrink(store, (uint64_t)store->count + store->count / 4);
}

void thaw_store_fit(ThawStore *store) {
    if (store->count > store->most) store->most = store->count;
    if (++store->fits < THAW_SCRATCH_CALLS) return;
    uint32_t most = store->most;
    store->most = store->fits = 0;
    if (!thaw_scratch_fits(store->capacity, most)) shrink(store, most);
    thaw_id_map_fit(store->id_map, most);
}

static void clear_rows(ThawStore *store, uint32_t first, uint32_t rows) {
    ThawLayout layout = thaw_layout();
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        const ThawFieldRow *field = &layout.fields[f];
        size_t row_bytes = field->row_bytes;
        memset((char *)thaw_layout_get(store, field) + first * row_bytes, 0, rows * row_bytes);
    }
    for (uint32_t c = 0; c < store->channel_count; c++) {
        size_t row_bytes = thaw_channel_row_bytes(&store->channels[c]);
        memset((char *)store->channels[c].data + first * row_bytes, 0, rows * row_bytes);
    }
}

ThawResult thaw_store_append(ThawStore *store, uint32_t rows, uint32_t source, uint64_t first_count,
                             uint32_t *row) {
    if (source >> (64 - THAW_ID_SOURCE_SHIFT) != 0) {
        return thaw_fail(THAW_BAD_INPUT, "source %lu has no place in the 24 bits of an id",
                         (unsigned long)source);
    }
    if (first_count + rows > (uint64_t)1 << THAW_ID_SOURCE_SHIFT || first_count + rows < rows) {
        return thaw_fail(THAW_BAD_INPUT, "source %lu has made all the particles that ids allow",
                         (unsigned long)source);
    }
    assert((source != 0 || first_count != 0) && "zero is never a particle");
    uint64_t wanted = (uint64_t)store->count + rows;
    ThawResult result =
        thaw_store_reserve(store, wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX);
    if (result != THAW_OK) return result;
    clear_rows(store, store->count, rows);
    uint64_t first_id = ((uint64_t)source << THAW_ID_SOURCE_SHIFT) + first_count;
    for (uint32_t k = 0; k < rows; k++) store->id[store->count + k] = first_id + k;
    *row = store->count;
    store->count += rows;
    thaw_store_moved(store);
    return THAW_OK;
}

void thaw_store_kill(ThawStore *store, uint32_t row) {
    assert(row < store->count);
    if (store->dead[row]) return;
    store->dead[row] = 1;
    store->dead_count++;
}

uint32_t thaw_store_find(ThawStore *store, ThawParticleId id) {
    uint32_t row = thaw_id_map_find(store->id_map, store->id, store->count, id);
    return row != UINT32_MAX && store->dead[row] ? UINT32_MAX : row;
}

void thaw_store_moved(ThawStore *store) {
    store->revision++;
    thaw_id_map_soil(store->id_map);
}

void *thaw_store_field(ThawStore *store, uint32_t field) {
    assert(field < THAW_FIELD_COUNT);
    ThawLayout layout = thaw_layout();
    return thaw_layout_get(store, &layout.fields[field]);
}

size_t thaw_store_bytes(const ThawStore *store) {
    ThawLayout layout = thaw_layout();
    size_t bytes = sizeof *store + thaw_id_map_bytes(store->id_map);
    for (uint32_t b = 0; b < layout.block_count; b++) {
        bytes += thaw_layout_block_size(&layout, b, store->capacity);
    }
    for (uint32_t c = 0; c < store->channel_count; c++) {
        bytes += thaw_layout_rows(store->capacity) * thaw_channel_row_bytes(&store->channels[c]);
    }
    for (int k = 0; k < THAW_STORE_SPARES; k++) bytes += store->spare_bytes[k];
    return bytes;
}
