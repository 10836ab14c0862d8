// Parallel loops over chunks. A chunk's work and its partial sums depend only on its number, never on
// who runs it, so that results are the same in every bit for any number of threads.
//
// Our own threads are a small pool (pthreads); a host may supply its own task system instead.
#ifndef THAW_PARALLEL_PARALLEL_H
#define THAW_PARALLEL_PARALLEL_H

#include <thaw/world.h>

typedef struct ThawParallel ThawParallel;

// threads: 0 = as many as cores. tasks: NULL = our own pool.
ThawResult thaw_parallel_create(int threads, const ThawTaskSystem *tasks, ThawParallel **parallel);
void thaw_parallel_destroy(ThawParallel *parallel);
int thaw_parallel_workers(const ThawParallel *parallel);

// Runs task(context, 0 .. chunks-1, worker) and waits. Denormals are flushed inside tasks.
void thaw_parallel_run(ThawParallel *parallel, ThawTask *task, void *context, uint32_t chunks);

// A range of rows cut into chunks of a fixed size.
typedef struct ThawRange {
    uint32_t begin, end;
} ThawRange;

static inline uint32_t thaw_chunk_count(uint32_t rows, uint32_t size) {
    return rows / size + (rows % size != 0);
}

static inline ThawRange thaw_chunk_range(uint32_t chunk, uint32_t rows, uint32_t size) {
    uint32_t begin = chunk * size;
    uint32_t end = rows - begin < size ? rows : begin + size;
    return (ThawRange){begin, end};
}

#endif
