// How the store's fields lie in memory: which of them share a block.
//
// Fields that move when rows are reordered are packed into blocks of nearly equal row size. To
// reorder, one block's fields are gathered into a spare block, which then takes its place while the
// old block becomes the spare: nothing is copied twice, and the spare costs one block, not a second
// store. Derived fields have a block each.
#ifndef THAW_PARTICLES_LAYOUT_H
#define THAW_PARTICLES_LAYOUT_H

#include "particles/store.h"

typedef struct ThawFieldRow {
    size_t member;      // where its pointer is in ThawStore
    uint32_t row_bytes; // bytes a row
    bool moves;         // follows its particle when rows are reordered
    uint32_t block;
    uint32_t start; // row bytes of the fields before it in its block
} ThawFieldRow;

typedef struct ThawLayout {
    ThawFieldRow fields[THAW_FIELD_COUNT];
    uint32_t block_count;                   // all blocks, the moving ones first
    uint32_t moving_count;                  // blocks of fields that move
    uint32_t block_bytes[THAW_FIELD_COUNT]; // bytes a row; the same for all moving blocks
} ThawLayout;

// The same for every store: it follows from THAW_FIELDS alone.
ThawLayout thaw_layout(void);

// Rows that are allocated for a capacity: padded, and whole cache lines of any field.
static inline size_t thaw_layout_rows(uint32_t capacity) {
    return ((size_t)capacity + THAW_STORE_PAD + 63) & ~(size_t)63;
}

static inline size_t thaw_layout_block_size(const ThawLayout *layout, uint32_t block,
                                            uint32_t capacity) {
    return thaw_layout_rows(capacity) * layout->block_bytes[block];
}

// The rows of a field when its block begins at `base`.
static inline void *thaw_layout_place(const ThawFieldRow *field, void *base, uint32_t capacity) {
    return (char *)base + field->start * thaw_layout_rows(capacity);
}

// A field's pointer in the store, whatever its type.
void *thaw_layout_get(const ThawStore *store, const ThawFieldRow *field);
void thaw_layout_set(ThawStore *store, const ThawFieldRow *field, void *rows);

// Where a block begins (the rows of its first field); NULL before the first allocation.
void *thaw_layout_base(const ThawLayout *layout, const ThawStore *store, uint32_t block);

// Points all fields of a block at the block that begins at `base`.
void thaw_layout_attach(const ThawLayout *layout, ThawStore *store, uint32_t block, void *base,
                        uint32_t capacity);

// Gives memory back when less than half of the capacity is used; never fails.
void thaw_store_shrink(ThawStore *store);

static inline size_t thaw_channel_row_bytes(const ThawChannel *channel) {
    return channel->components * thaw_type_size(channel->type);
}

#endif
