// Sorting rows by 64-bit keys: which row comes where, and the keys in order.
//
// The order is stable, so it is one and the same for any number of threads. Ties can then be put
// into an order of the caller's, which makes the whole independent of where rows lay before.
#ifndef THAW_NEIGHBORS_SORT_H
#define THAW_NEIGHBORS_SORT_H

#include "parallel/parallel.h"

typedef struct ThawSorter ThawSorter;

ThawResult thaw_sorter_create(ThawSorter **sorter);
void thaw_sorter_destroy(ThawSorter *sorter);

// Room for `count` keys, to be written and then given to thaw_sort, which may overwrite them: no
// other array of keys is needed. Ends the life of the last result. NULL when there is no memory.
uint64_t *thaw_sort_keys(ThawSorter *sorter, uint32_t count);

// Sorts by the low `bits` bits (1..64) of the keys; bits above them are cleared in *sorted. The
// results belong to the sorter and live until its next call: new row k is old row (*order)[k], with
// key (*sorted)[k]. Takes at most 24 bytes a row, 20 when keys vary in no more than 32 consecutive
// bits.
ThawResult thaw_sort(ThawSorter *sorter, ThawParallel *parallel, const uint64_t *keys,
                     uint32_t count, int bits, const uint32_t **order, const uint64_t **sorted);

// Whether old row a comes before old row b. Called from many threads at once.
typedef int ThawSortLess(void *context, uint32_t a, uint32_t b);

// Puts the rows of each run of equal keys into the order of `less`, in the last result itself
// (which had `count` rows); rows that are equal to `less` stay in the order they have. Long runs
// stay fast.
ThawResult thaw_sort_ties(ThawSorter *sorter, ThawParallel *parallel, uint32_t count,
                          ThawSortLess *less, void *context);

size_t thaw_sorter_bytes(const ThawSorter *sorter);

#endif
