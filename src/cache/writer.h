// One thread that writes what it is handed, in order: one job in work and at most one waiting.
#ifndef THAW_CACHE_WRITER_H
#define THAW_CACHE_WRITER_H

#include <thaw/cache.h>

// A frame with its row, or a snapshot. The writer owns what it points to.
typedef struct ThawJob {
    int number;       // of the frame
    ThawFrame *frame; // NULL: a checkpoint
    ThawStats stats;
    void *bytes; // a snapshot
    size_t size;
} ThawJob;

void thaw_job_free(ThawJob *job);

// Runs on the writer's thread. The sentence of a failure is kept for the callers.
typedef ThawResult ThawJobRunner(void *context, const ThawJob *job);

typedef struct ThawWriter ThawWriter;

ThawResult thaw_writer_start(ThawJobRunner *run, void *context, ThawWriter **writer);
// Hands a job over; waits while another one waits. After a failure jobs are freed and the failure returned.
ThawResult thaw_writer_put(ThawWriter *writer, ThawJob job);
ThawResult thaw_writer_flush(ThawWriter *writer); // waits until nothing is left to do
double thaw_writer_waited(ThawWriter *writer);    // s, that callers spent in put and flush
// Flushes, ends the thread and frees the writer.
ThawResult thaw_writer_stop(ThawWriter *writer);

#endif
