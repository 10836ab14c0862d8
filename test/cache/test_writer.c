// The writing thread: never more than two jobs, in order, and no failure is lost.
#include "cache/room.h"
#include "cache/writer.h"

#include "base/result.h"

#include <pthread.h>
#include <time.h>

#define JOBS 40

typedef struct Watch {
    pthread_mutex_t mutex;
    int handed;   // jobs whose put has returned
    int begun;    // jobs that the runner has seen
    int finished; // jobs that the runner is done with
    int most;     // largest number held at once
    int last;     // number of the last job
    int fail_at;  // number of the job that fails; −1: none
} Watch;

static void note(Watch *watch, int *counter) {
    pthread_mutex_lock(&watch->mutex);
    (*counter)++;
    int held = watch->handed - watch->finished;
    if (held > watch->most) watch->most = held;
    pthread_mutex_unlock(&watch->mutex);
}

static ThawResult run(void *context, const ThawJob *job) {
    Watch *watch = context;
    note(watch, &watch->begun);
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL); // slower than whoever hands over
    assert_true(job->number > watch->last);
    watch->last = job->number;
    if (job->number == watch->fail_at) return thaw_fail(THAW_BAD_INPUT, "the disk is on fire");
    // counted as held until the runner has returned: this makes the bound one looser, never tighter
    note(watch, &watch->finished);
    return THAW_OK;
}

static void at_most_two_jobs_are_held(void **state) {
    (void)state;
    Watch watch = {.mutex = PTHREAD_MUTEX_INITIALIZER, .last = -1, .fail_at = -1};
    ThawWriter *writer;
    assert_ok(thaw_writer_start(run, &watch, &writer));
    for (int k = 0; k < JOBS; k++) {
        assert_ok(thaw_writer_put(writer, (ThawJob){.number = k}));
        note(&watch, &watch.handed);
    }
    assert_ok(thaw_writer_flush(writer));
    assert_int_equal(watch.finished, JOBS);
    assert_true(thaw_writer_waited(writer) > 0);
    assert_ok(thaw_writer_stop(writer));
    assert_true(watch.most >= 1 && watch.most <= 2);
}

static void a_failure_is_returned_by_every_later_call(void **state) {
    (void)state;
    Watch watch = {.mutex = PTHREAD_MUTEX_INITIALIZER, .last = -1, .fail_at = 3};
    ThawWriter *writer;
    assert_ok(thaw_writer_start(run, &watch, &writer));
    int accepted = 0;
    while (accepted < JOBS && thaw_writer_put(writer, (ThawJob){.number = accepted}) == THAW_OK) {
        accepted++;
    }
    // 0..3 went to the runner, at most two more were taken before it failed
    assert_true(accepted >= 4 && accepted <= 6);
    assert_refused(thaw_writer_flush(writer), "on fire");
    assert_refused(thaw_writer_put(writer, (ThawJob){.number = 50}), "on fire");
    thaw_fail(THAW_OK, "another sentence");
    assert_refused(thaw_writer_stop(writer), "on fire");
    // nothing was run after the failure
    assert_int_equal(watch.begun, 4);
}

// the sanitizer would find a frame or snapshot that nobody frees
static void jobs_are_freed_on_every_way(void **state) {
    (void)state;
    ThawWorld *world = boxes(1, 0.04);
    for (int fail_at = -1; fail_at < 2; fail_at++) {
        Watch watch = {.mutex = PTHREAD_MUTEX_INITIALIZER, .last = -1, .fail_at = fail_at};
        ThawWriter *writer;
        assert_ok(thaw_writer_start(run, &watch, &writer));
        for (int k = 0; k < 4; k++) {
            ThawJob job = {.number = k};
            if (k % 2 == 0) job.frame = take_frame(world, k);
            if (k % 2 == 1) assert_ok(thaw_world_save(world, &job.bytes, &job.size));
            thaw_writer_put(writer, job);
        }
        assert_int_equal(thaw_writer_stop(writer), fail_at < 0 ? THAW_OK : THAW_BAD_INPUT);
    }
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_most_two_jobs_are_held),
        cmocka_unit_test(a_failure_is_returned_by_every_later_call),
        cmocka_unit_test(jobs_are_freed_on_every_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
