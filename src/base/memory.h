// Memory: aligned blocks, counted, so that tests can prove that a step allocates nothing, and what a
// world holds.
#ifndef THAW_BASE_MEMORY_H
#define THAW_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A zeroed block aligned to 64 bytes; NULL when there is none, or when bytes is 0.
void *thaw_alloc(size_t bytes);
void thaw_free(void *block); // NULL is fine

// The block moved to a new size: the first min(old, new) bytes are kept, bytes beyond are zero. On
// failure returns NULL and the old block stays.
void *thaw_realloc(void *block, size_t old_bytes, size_t new_bytes);

// How many blocks were ever handed out by this process.
uint64_t thaw_alloc_count(void);

// How many bytes the blocks that are now handed out have.
size_t thaw_alloc_bytes(void);

// Scratch follows what is wanted. It grows by at least an eighth, so that slow growth does not allocate every time; and
// when so many calls in a row have wanted less than six sevenths of it, it comes down to the most that any of them did.
// So a steady need allocates nothing, and a peak is forgotten after as many calls.
#define THAW_SCRATCH_CALLS 64

// whether a capacity may stay while at most `wanted` is used
static inline bool thaw_scratch_fits(size_t capacity, size_t wanted) {
    return capacity - capacity / 7 <= wanted;
}

// Makes sure that *block holds at least `wanted` bytes; what it held is lost when it grows, and is kept
// up to `wanted` otherwise. What is not needed now wants 0 bytes. Returns 0 on failure.
int thaw_scratch(void **block, size_t *capacity, size_t wanted);
// The same for needs that change with every call: it grows, and comes down, to `room` bytes.
int thaw_scratch_room(void **block, size_t *capacity, size_t wanted, size_t room);

// Whether `count` rows of `row_bytes` each are all the same.
bool thaw_all_alike(const void *rows, size_t count, size_t row_bytes);

#endif
