// Memory: aligned blocks, counted, so that a test can prove that a step allocates nothing.
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

// Makes sure that *block holds at least `wanted` bytes; what it held is lost when it grows. Grows in
// steps of a quarter so that slow growth does not allocate every time. Returns 0 on failure.
int thaw_scratch(void **block, size_t *capacity, size_t wanted);

// Whether `count` rows of `row_bytes` each are all the same.
bool thaw_all_alike(const void *rows, size_t count, size_t row_bytes);

#endif
