#include "particles/layout.h"

#include <stddef.h>
#include <string.h>

#define FIELD_ROW(name, ctype, type, components, unit, saved, meaning)                             \
    {offsetof(ThawStore, name), (uint32_t)sizeof(ctype) * (components), saved, 0, 0},

static const ThawFieldRow field_rows[THAW_FIELD_COUNT] = {THAW_FIELDS(FIELD_ROW)};

// as many blocks as the widest row allows: more of them make a smaller spare
static uint32_t count_moving_blocks(const ThawLayout *layout) {
    uint32_t total = 0;
    uint32_t widest = 1;
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        const ThawFieldRow *field = &layout->fields[f];
        if (!field->moves) continue;
        total += field->row_bytes;
        if (field->row_bytes > widest) widest = field->row_bytes;
    }
    return total / widest;
}

// the widest moving field that has no block yet
static ThawFieldRow *find_widest(ThawLayout *layout) {
    ThawFieldRow *widest = NULL;
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        ThawFieldRow *field = &layout->fields[f];
        if (!field->moves || field->block != UINT32_MAX) continue;
        if (widest == NULL || field->row_bytes > widest->row_bytes) widest = field;
    }
    return widest;
}

// widest first, each into the block that is least filled
static void pack_moving_fields(ThawLayout *layout) {
    ThawFieldRow *field;
    while ((field = find_widest(layout)) != NULL) {
        uint32_t least = 0;
        for (uint32_t b = 1; b < layout->moving_count; b++) {
            if (layout->block_bytes[b] < layout->block_bytes[least]) least = b;
        }
        field->block = least;
        field->start = layout->block_bytes[least];
        layout->block_bytes[least] += field->row_bytes;
    }
    // one size for all, so that any of them can take the spare's place
    uint32_t largest = 0;
    for (uint32_t b = 0; b < layout->moving_count; b++) {
        if (layout->block_bytes[b] > largest) largest = layout->block_bytes[b];
    }
    for (uint32_t b = 0; b < layout->moving_count; b++) layout->block_bytes[b] = largest;
}

ThawLayout thaw_layout(void) {
    ThawLayout layout = {0};
    memcpy(layout.fields, field_rows, sizeof field_rows);
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) layout.fields[f].block = UINT32_MAX;
    layout.moving_count = count_moving_blocks(&layout);
    pack_moving_fields(&layout);
    layout.block_count = layout.moving_count;
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        if (layout.fields[f].moves) continue;
        layout.fields[f].block = layout.block_count;
        layout.block_bytes[layout.block_count++] = layout.fields[f].row_bytes;
    }
    return layout;
}

// pointers of different types must not be read through void **, hence the copies
void *thaw_layout_get(const ThawStore *store, const ThawFieldRow *field) {
    void *rows;
    memcpy(&rows, (const char *)store + field->member, sizeof rows);
    return rows;
}

void thaw_layout_set(ThawStore *store, const ThawFieldRow *field, void *rows) {
    memcpy((char *)store + field->member, &rows, sizeof rows);
}

void *thaw_layout_base(const ThawLayout *layout, const ThawStore *store, uint32_t block) {
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        const ThawFieldRow *field = &layout->fields[f];
        if (field->block == block && field->start == 0) return thaw_layout_get(store, field);
    }
    return NULL;
}

void thaw_layout_attach(const ThawLayout *layout, ThawStore *store, uint32_t block, void *base,
                        uint32_t capacity) {
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        const ThawFieldRow *field = &layout->fields[f];
        if (field->block != block) continue;
        thaw_layout_set(store, field, thaw_layout_place(field, base, capacity));
    }
}
