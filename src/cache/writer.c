// The writing thread: disk and simulation overlap, memory does not grow, and no failure is lost.
#include "cache/writer.h"

#include "base/clock.h"
#include "base/result.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/snapshot.h>

struct ThawWriter {
    ThawJobRunner *run;
    void *context;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed; // any of the following
    ThawJob waiting;
    bool has_waiting;
    bool working;
    bool stopping;
    ThawResult failed; // the first failure, for good
    char sentence[512];
    double waited; // s
};

void thaw_job_free(ThawJob *job) {
    thaw_frame_free(job->frame);
    if (job->bytes != NULL) thaw_snapshot_free(job->bytes);
    memset(job, 0, sizeof *job);
}

// ---------------------------------------------------------------- the thread

static void keep_failure(ThawWriter *writer, ThawResult result) {
    writer->failed = result;
    strncpy(writer->sentence, thaw_error_text(), sizeof writer->sentence - 1);
}

// takes the waiting job; false when there will be none any more
static bool next_job(ThawWriter *writer, ThawJob *job) {
    while (!writer->has_waiting && !writer->stopping) {
        pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    if (!writer->has_waiting) return false;
    *job = writer->waiting;
    writer->has_waiting = false;
    writer->working = true;
    pthread_cond_broadcast(&writer->changed);
    return true;
}

static void *write_jobs(void *argument) {
    ThawWriter *writer = argument;
    ThawJob job;
    pthread_mutex_lock(&writer->mutex);
    while (next_job(writer, &job)) {
        // after a failure nothing more is written
        bool skip = writer->failed != THAW_OK;
        pthread_mutex_unlock(&writer->mutex);
        ThawResult result = skip ? THAW_OK : writer->run(writer->context, &job);
        thaw_job_free(&job);
        pthread_mutex_lock(&writer->mutex);
        if (result != THAW_OK) keep_failure(writer, result);
        writer->working = false;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

// signals are the host's business: they must not interrupt this thread's writes
static int start_thread(ThawWriter *writer) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&writer->thread, NULL, write_jobs, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

ThawResult thaw_writer_start(ThawJobRunner *run, void *context, ThawWriter **writer) {
    *writer = NULL;
    ThawWriter *made = calloc(1, sizeof *made);
    if (made == NULL) return thaw_fail_memory(sizeof *made);
    made->run = run;
    made->context = context;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    if (start_thread(made) != 0) {
        pthread_cond_destroy(&made->changed);
        pthread_mutex_destroy(&made->mutex);
        free(made);
        return thaw_fail(THAW_OUT_OF_MEMORY, "the thread that writes frames could not be started");
    }
    *writer = made;
    return THAW_OK;
}

// ---------------------------------------------------------------- the callers

static ThawResult tell_failure(const ThawWriter *writer) {
    if (writer->failed == THAW_OK) return THAW_OK;
    return thaw_fail(writer->failed, "%s", writer->sentence);
}

ThawResult thaw_writer_put(ThawWriter *writer, ThawJob job) {
    double start = thaw_clock();
    pthread_mutex_lock(&writer->mutex);
    assert(!writer->stopping);
    while (writer->has_waiting && writer->failed == THAW_OK) {
        pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    ThawResult result = tell_failure(writer);
    if (result == THAW_OK) {
        writer->waiting = job;
        writer->has_waiting = true;
        pthread_cond_broadcast(&writer->changed);
    }
    writer->waited += thaw_clock() - start;
    pthread_mutex_unlock(&writer->mutex);
    if (result != THAW_OK) thaw_job_free(&job);
    return result;
}

ThawResult thaw_writer_flush(ThawWriter *writer) {
    double start = thaw_clock();
    pthread_mutex_lock(&writer->mutex);
    while (writer->has_waiting || writer->working) {
        pthread_cond_wait(&writer->changed, &writer->mutex);
    }
    ThawResult result = tell_failure(writer);
    writer->waited += thaw_clock() - start;
    pthread_mutex_unlock(&writer->mutex);
    return result;
}

double thaw_writer_waited(ThawWriter *writer) {
    pthread_mutex_lock(&writer->mutex);
    double waited = writer->waited;
    pthread_mutex_unlock(&writer->mutex);
    return waited;
}

ThawResult thaw_writer_stop(ThawWriter *writer) {
    thaw_writer_flush(writer);
    pthread_mutex_lock(&writer->mutex);
    writer->stopping = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    ThawResult result = tell_failure(writer);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    free(writer);
    return result;
}
