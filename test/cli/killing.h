// Runs that are killed at random moments and resumed until they are done, compared with a straight
// one.
#ifndef THAW_TEST_CLI_KILLING_H
#define THAW_TEST_CLI_KILLING_H

#include "rig.h"

typedef struct Killing {
    int runs;
    int kills;   // of processes that were still running
    int resumes; // that went on from a checkpoint
    int last;    // frame
    uint32_t seed;
} Killing;

// a number from 0 to 1
static inline double draw(Killing *killing) {
    killing->seed = killing->seed * 1664525u + 1013904223u;
    return (double)(killing->seed >> 8) / 16777216.0;
}

// runs the small scene, killed after `delay` seconds unless that is negative; true when it came to
// its end
static inline bool run_for(Killing *killing, double delay, bool resume) {
    char threads[16];
    snprintf(threads, sizeof threads, "%d", 1 + (int)(3 * draw(killing)));
    pid_t child = start(WORDS("run", "small.yaml", "-o", "killed", "--threads", threads,
                              resume ? "--resume" : NULL));
    if (delay >= 0) {
        wait_seconds(delay);
        kill(child, SIGKILL);
    }
    int status = finish(child);
    size_t size;
    char *said = load_file("said", &size);
    assert_non_null(said);
    if (status != 0 && !(delay >= 0 && status == -SIGKILL)) fail_msg("status %d: %s", status, said);
    killing->kills += status == -SIGKILL;
    killing->resumes += strstr(said, "going on after frame") != NULL;
    free(said);
    return status == 0;
}

// false when the run was faster than the kill
static inline bool kill_and_resume(Killing *killing, double span) {
    assert_int_equal(system("rm -rf killed"), 0);
    bool done = run_for(killing, span * draw(killing), false);
    if (done) return false;
    // killed twice more on the average
    while (!done && draw(killing) < 0.67) done = run_for(killing, span * draw(killing), true);
    assert_true(run_for(killing, -1, true));
    assert_equal_frames("straight", "killed", 0, killing->last);
    assert_whole_table("killed", 0, killing->last);
    size_t size;
    char *series = load_file("killed/frames.xdmf", &size);
    assert_non_null(series);
    assert_int_equal(count_of(series, "<Time "), killing->last + 1);
    free(series);
    killing->runs++;
    return true;
}

// `runs` runs of the small scene
static inline Killing kill_many(int runs, uint32_t seed) {
    Killing killing = {.last = 12, .seed = seed};
    write_file("small.yaml", SMALL_SCENE);
    double begin = now();
    assert_says(say("thaw run small.yaml -o straight --threads 2"), 0, WORDS("frames 0 to 12"));
    double span = now() - begin;
    // a busy machine may have made the straight run look slow
    for (int tries = 0; killing.runs < runs; tries++) {
        assert_true(tries < 10 * runs);
        if (!kill_and_resume(&killing, span)) span *= 0.8;
    }
    return killing;
}

#endif
