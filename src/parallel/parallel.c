// A small pool of threads. Workers spin for a moment after each loop, because the next one usually
// follows within microseconds, and then sleep. Chunks are handed out dynamically from one atomic
// counter, so a core that another process takes does not hold up the rest; and a worker that comes when
// all chunks are handed out is not waited for.
#include "parallel/parallel.h"

#include "base/memory.h"
#include "base/result.h"
#include "parallel/denormals.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define MAX_WORKERS 256
#define SPINS 4000
#define SHARES                                                                                     \
    32u // times that a worker comes back for more: the last to end is late by one of them at most
#define MOST_AT_ONCE 64u

typedef struct Job {
    ThawTask *task;
    void *context;
    uint32_t chunks;
    uint32_t
        at_once; // chunks taken in one go: many workers that take few of many small ones stand in each other's way
} Job;

typedef struct Worker {
    struct ThawParallel *pool;
    pthread_t thread;
    uint32_t number;
} Worker;

struct ThawParallel {
    ThawTaskSystem host; // run is NULL when the pool is our own
    int workers;
    Worker *others; // workers 1 .. workers-1; the caller is worker 0
    Job job;
    _Atomic uint32_t next_chunk;
    _Atomic uint32_t generation; // counts jobs; a change wakes the workers
    _Atomic uint32_t open;       // the generation whose chunks may be taken, 0 = none
    _Atomic uint32_t inside;     // other workers that may be taking chunks
    _Atomic bool stopping;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    int started;
};

static void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void run_chunks(ThawParallel *pool, uint32_t worker) {
    const Job *job = &pool->job;
    for (;;) {
        uint32_t first =
            atomic_fetch_add_explicit(&pool->next_chunk, job->at_once, memory_order_relaxed);
        if (first >= job->chunks) return;
        uint32_t left = job->chunks - first, count = left < job->at_once ? left : job->at_once;
        for (uint32_t k = 0; k < count; k++) job->task(job->context, first + k, worker);
    }
}

static uint32_t share_of(const ThawParallel *pool, uint32_t chunks) {
    uint32_t share = chunks / ((uint32_t)pool->workers * SHARES);
    return share < 1 ? 1 : share > MOST_AT_ONCE ? MOST_AT_ONCE : share;
}

// waits until the generation differs from the one seen; returns the new one
static uint32_t await_job(ThawParallel *pool, uint32_t seen) {
    for (int spin = 0; spin < SPINS; spin++) {
        uint32_t now = atomic_load_explicit(&pool->generation, memory_order_acquire);
        if (now != seen) return now;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->mutex);
    uint32_t now;
    while ((now = atomic_load_explicit(&pool->generation, memory_order_acquire)) == seen) {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return now;
}

static void *work(void *argument) {
    Worker *worker = argument;
    ThawParallel *pool = worker->pool;
    thaw_denormals_flush();
    uint32_t seen = 0;
    for (;;) {
        seen = await_job(pool, seen);
        if (atomic_load_explicit(&pool->stopping, memory_order_acquire)) return NULL;
        // either this worker sees that the job is closed, or the caller sees that it is inside
        atomic_fetch_add(&pool->inside, 1);
        if (atomic_load(&pool->open) == seen) run_chunks(pool, worker->number);
        atomic_fetch_sub(&pool->inside, 1);
    }
}

static void announce(ThawParallel *pool) {
    pthread_mutex_lock(&pool->mutex);
    uint32_t next = atomic_load_explicit(&pool->generation, memory_order_relaxed) + 1;
    if (next == 0) next = 1; // 0 stands for no job
    atomic_store(&pool->open, next);
    atomic_store_explicit(&pool->generation, next, memory_order_release);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

// lets no more workers in and waits for those inside
static void close_job(ThawParallel *pool) {
    atomic_store(&pool->open, 0);
    for (int spin = 0; atomic_load(&pool->inside) != 0; spin++) {
        if (spin < SPINS)
            pause_briefly();
        else
            sched_yield(); // another process may have the worker's core
    }
}

static ThawResult start_workers(ThawParallel *pool) {
    for (int k = 1; k < pool->workers; k++) {
        Worker *worker = &pool->others[k - 1];
        *worker = (Worker){pool, 0, (uint32_t)k};
        if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
            return thaw_fail(THAW_OUT_OF_MEMORY, "thread %d of %d could not be started", k + 1,
                             pool->workers);
        }
        pool->started++;
    }
    return THAW_OK;
}

static int core_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_WORKERS ? MAX_WORKERS : (int)cores;
}

ThawResult thaw_parallel_create(int threads, const ThawTaskSystem *tasks, ThawParallel **parallel) {
    if (threads < 0 || threads > MAX_WORKERS) {
        return thaw_fail(THAW_BAD_INPUT, "threads must be 0 to %d, not %d", MAX_WORKERS, threads);
    }
    if (tasks != NULL &&
        (tasks->run == NULL || tasks->workers < 1 || tasks->workers > MAX_WORKERS)) {
        return thaw_fail(THAW_BAD_INPUT, "tasks needs a run function and 1 to %d workers, not %d",
                         MAX_WORKERS, tasks->workers);
    }
    ThawParallel *pool = thaw_alloc(sizeof *pool);
    if (pool == NULL) return thaw_fail_memory(sizeof *pool);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    ThawResult result = THAW_OK;
    if (tasks != NULL) {
        pool->host = *tasks;
        pool->workers = tasks->workers;
    } else {
        pool->workers = threads == 0 ? core_count() : threads;
        if (pool->workers > 1) {
            size_t bytes = (size_t)(pool->workers - 1) * sizeof(Worker);
            pool->others = thaw_alloc(bytes);
            result = pool->others == NULL ? thaw_fail_memory(bytes) : start_workers(pool);
        }
    }
    if (result != THAW_OK) {
        thaw_parallel_destroy(pool);
        return result;
    }
    *parallel = pool;
    return THAW_OK;
}

void thaw_parallel_destroy(ThawParallel *pool) {
    if (pool == NULL) return;
    atomic_store_explicit(&pool->stopping, true, memory_order_release);
    if (pool->started > 0) announce(pool);
    for (int k = 0; k < pool->started; k++) pthread_join(pool->others[k].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    thaw_free(pool->others);
    thaw_free(pool);
}

int thaw_parallel_workers(const ThawParallel *pool) {
    return pool->workers;
}

// a host's threads do not flush denormals by themselves
static void run_flushed(void *context, uint32_t chunk, uint32_t worker) {
    const Job *job = context;
    ThawDenormals before = thaw_denormals_flush();
    job->task(job->context, chunk, worker);
    thaw_denormals_restore(before);
}

void thaw_parallel_run(ThawParallel *pool, ThawTask *task, void *context, uint32_t chunks) {
    if (chunks == 0) return;
    if (pool->host.run != NULL) {
        Job job = {task, context, chunks, 1};
        pool->host.run(pool->host.user, run_flushed, &job, chunks);
        return;
    }
    ThawDenormals before = thaw_denormals_flush();
    pool->job = (Job){task, context, chunks, share_of(pool, chunks)};
    atomic_store_explicit(&pool->next_chunk, 0, memory_order_relaxed);
    bool shared = pool->started > 0 && chunks > 1;
    if (shared) announce(pool);
    run_chunks(pool, 0);
    if (shared) close_job(pool);
    thaw_denormals_restore(before);
}
