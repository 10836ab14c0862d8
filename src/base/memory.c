#if defined(__linux__)
#define _DEFAULT_SOURCE // madvise
#endif
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

static _Atomic uint64_t allocations;

static size_t round_up(size_t bytes) {
    return (bytes + 63) & ~(size_t)63;
}

#define HUGE_PAGE ((uintptr_t)2 << 20)

// asks for large pages within a large block: fewer of the processor's page look-ups miss
static void ask_for_large_pages(char *block, size_t bytes) {
#if defined(__linux__)
    if (bytes < 4 * HUGE_PAGE) return;
    uintptr_t begin = ((uintptr_t)block + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)block + bytes) & ~(HUGE_PAGE - 1);
    madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

void *thaw_alloc(size_t bytes) {
    if (bytes == 0 || bytes > SIZE_MAX - 64) return NULL;
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    // large blocks come from the kernel already zero: calloc leaves their pages untouched, so that
    // unused capacity costs no memory; the true start is kept just below the aligned block
    char *raw = calloc(1, round_up(bytes) + 64 + sizeof(void *));
    if (raw == NULL) return NULL;
    uintptr_t start = (uintptr_t)(raw + sizeof(void *));
    char *aligned = raw + sizeof(void *) + (round_up(start) - start);
    memcpy(aligned - sizeof(void *), &raw, sizeof raw);
    ask_for_large_pages(aligned, bytes);
    return aligned;
}

void thaw_free(void *block) {
    if (block == NULL) return;
    char *raw;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof raw);
    free(raw);
}

void *thaw_realloc(void *block, size_t old_bytes, size_t new_bytes) {
    void *moved = thaw_alloc(new_bytes);
    if (moved == NULL) return NULL;
    if (block != NULL) memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    thaw_free(block);
    return moved;
}

uint64_t thaw_alloc_count(void) {
    return atomic_load_explicit(&allocations, memory_order_relaxed);
}

int thaw_scratch(void **block, size_t *capacity, size_t wanted) {
    if (wanted <= *capacity) return 1;
    size_t bytes = *capacity + *capacity / 4;
    if (bytes < wanted) bytes = wanted;
    void *fresh = thaw_alloc(bytes);
    if (fresh == NULL) return 0;
    thaw_free(*block);
    *block = fresh;
    *capacity = bytes;
    return 1;
}

bool thaw_all_alike(const void *rows, size_t count, size_t row_bytes) {
    const char *first = rows;
    return count < 2 || memcmp(first, first + row_bytes, (count - 1) * row_bytes) == 0;
}
