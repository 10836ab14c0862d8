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

#define SMALL 4096 // bytes: not worth giving back

// what is kept just below a block
typedef struct Head {
    void *raw;      // what free takes
    size_t bytes;   // of the block
    size_t most;    // scratch: the most that was wanted since it was looked over
    uint32_t calls; // scratch: since then
} Head;

static _Atomic uint64_t allocations;
static _Atomic size_t held;

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

static Head *head_of(void *block) {
    return (Head *)block - 1;
}

void *thaw_alloc(size_t bytes) {
    if (bytes == 0 || bytes > SIZE_MAX - 256) return NULL;
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    // large blocks come from the kernel already zero: calloc leaves their pages untouched, so that
    // unused capacity costs no memory
    char *raw = calloc(1, round_up(bytes) + 64 + sizeof(Head));
    if (raw == NULL) return NULL;
    atomic_fetch_add_explicit(&held, bytes, memory_order_relaxed);
    uintptr_t start = (uintptr_t)(raw + sizeof(Head));
    char *aligned = raw + sizeof(Head) + (round_up(start) - start);
    *head_of(aligned) = (Head){.raw = raw, .bytes = bytes};
    ask_for_large_pages(aligned, bytes);
    return aligned;
}

void thaw_free(void *block) {
    if (block == NULL) return;
    const Head *head = head_of(block);
    atomic_fetch_sub_explicit(&held, head->bytes, memory_order_relaxed);
    free(head->raw);
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

size_t thaw_alloc_bytes(void) {
    return atomic_load_explicit(&held, memory_order_relaxed);
}

// ---------------------------------------------------------------- scratch

static int grow(void **block, size_t *capacity, size_t bytes) {
    void *fresh = thaw_alloc(bytes);
    if (fresh == NULL) return 0;
    thaw_free(*block);
    *block = fresh;
    *capacity = bytes;
    return 1;
}

// Every so many calls, brings a block to the most that was wanted by any of them: a need that swings costs nothing, and
// one that has fallen is followed. Where there is no memory for the smaller block, the larger one stays.
static void look_over(void **block, size_t *capacity, size_t wanted) {
    Head *head = head_of(*block);
    if (wanted > head->most) head->most = wanted;
    if (++head->calls < THAW_SCRATCH_CALLS) return;
    size_t most = head->most;
    head->most = head->calls = 0;
    if (*capacity <= SMALL || thaw_scratch_fits(*capacity, most)) return;
    void *fresh = most > 0 ? thaw_alloc(most) : NULL;
    if (most > 0 && fresh == NULL) return;
    if (most > 0) memcpy(fresh, *block, most);
    thaw_free(*block);
    *block = fresh;
    *capacity = most;
}

int thaw_scratch_room(void **block, size_t *capacity, size_t wanted, size_t room) {
    if (room < wanted) room = wanted;
    // the block knows best: blocks may have changed places
    *capacity = *block == NULL ? 0 : head_of(*block)->bytes;
    if (wanted > *capacity) return grow(block, capacity, room);
    if (*block != NULL) look_over(block, capacity, room);
    return 1;
}

int thaw_scratch(void **block, size_t *capacity, size_t wanted) {
    *capacity = *block == NULL ? 0 : head_of(*block)->bytes;
    size_t step = *capacity + *capacity / 8;
    if (wanted > *capacity) return grow(block, capacity, step > wanted ? step : wanted);
    return thaw_scratch_room(block, capacity, wanted, wanted);
}

bool thaw_all_alike(const void *rows, size_t count, size_t row_bytes) {
    const char *first = rows;
    return count < 2 || memcmp(first, first + row_bytes, (count - 1) * row_bytes) == 0;
}
