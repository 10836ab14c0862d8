// Rows by id: the one order that does not depend on where particles are.
#ifndef THAW_WORLD_ORDER_H
#define THAW_WORLD_ORDER_H

#include <thaw/base.h>

typedef struct ThawIdRow {
    uint64_t id;
    uint32_t row;
} ThawIdRow;

// Sorts `count` entries by ascending id. `spare` holds as many and is overwritten.
void thaw_order_sort(ThawIdRow *entries, ThawIdRow *spare, uint32_t count);

#endif
