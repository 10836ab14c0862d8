// Runs that were stopped go on exactly: killed, interrupted, made longer.
//
// With an argument: how many runs to kill (4 without).
#include "killing.h"

static int kill_runs = 4;

static void killed_runs_resume_in_the_same_bits(void **state) {
    (void)state;
    Killing killing = kill_many(kill_runs, 7);
    assert_true(killing.runs == kill_runs && killing.kills >= kill_runs);
    print_message("%d runs, %d kills, %d resumed from a checkpoint\n", killing.runs, killing.kills,
                  killing.resumes);
}

// waits until the run has written a frame
static void wait_for(const char *path) {
    for (int k = 0; k < 1000 && !exists(path); k++) wait_seconds(0.005);
    assert_true(exists(path));
}

static void ctrl_c_saves_says_how_to_go_on_and_resumes_exactly(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml --threads 1 -o straight --frames 1:20"), 0,
                WORDS("frames 0 to 20"));
    const int signals[] = {SIGINT, SIGTERM};
    for (int k = 0; k < 2; k++) {
        pid_t child = start(
            WORDS("run", "small.yaml", "--threads", "1", "-o", "stopped", "--frames", "1:20"));
        wait_for("stopped/frames/frame_000002.h5");
        kill(child, signals[k]);
        assert_int_equal(finish(child), 130);
        size_t size;
        char *said = load_file("said", &size);
        assert_non_null(strstr(said, "interrupted after frame"));
        assert_non_null(
            strstr(said, "thaw run small.yaml --threads 1 -o stopped --frames 1:20 --resume"));
        free(said);
        // it saved the very frame that it finished: nothing is made again
        const Said *resumed =
            say("thaw run small.yaml --threads 1 -o stopped --frames 1:20 --resume");
        assert_says(resumed, 0, WORDS("going on after frame"));
        assert_silent_about(resumed, "made again");
        assert_equal_frames("straight", "stopped", 0, 20);
        assert_whole_table("stopped", 0, 20);
        assert_int_equal(system("rm -r stopped"), 0);
    }
}

static void a_second_ctrl_c_stops_at_once(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    pid_t child = start(WORDS("run", "small.yaml", "--threads", "1", "--frames", "1:100000"));
    wait_for("out/small/frames/frame_000001.h5");
    kill(child, SIGSTOP);
    kill(child, SIGINT);
    kill(child, SIGTERM);
    kill(child, SIGCONT);
    assert_int_equal(finish(child), 130);
}

static void a_longer_run_just_goes_on(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml --threads 1 -o straight"), 0, WORDS("frames 0 to 12"));
    assert_says(say("thaw run small.yaml --threads 1 -o long --frames 1:7"), 0,
                WORDS("frames 0 to 7"));
    assert_says(say("thaw run small.yaml --threads 1 -o long --resume --frames 1:7"), 0,
                WORDS("nothing left"));
    assert_says(say("thaw run small.yaml --threads 1 -o long --resume"), 0,
                WORDS("going on after frame 7"));
    assert_equal_frames("straight", "long", 0, 12);
    // the directory is enough to go on
    assert_says(say("thaw run long --threads 1 --resume --frames 1:14"), 0,
                WORDS("going on after frame 12"));
    assert_true(exists("long/frames/frame_000014.h5"));
}

static void frames_without_a_checkpoint_are_made_again(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml --threads 1 -o straight"), 0, WORDS("frames 0 to 12"));
    assert_says(
        say("cp -r straight lost && rm lost/checkpoint.h5 && "
            "rm lost/frames/frame_00001*.h5 && thaw run small.yaml --threads 1 -o lost --resume"),
        0, WORDS("no checkpoint", "starting again"));
    assert_equal_frames("straight", "lost", 0, 12);
    // a gap before the checkpoint
    assert_says(
        say("rm lost/frames/frame_000003.h5 && thaw run small.yaml --threads 1 -o lost --resume"),
        0, WORDS("missing", "starting again"));
    assert_equal_frames("straight", "lost", 0, 12);
    // a damaged checkpoint
    assert_says(say("head -c 999 straight/checkpoint.h5 >lost/checkpoint.h5; "
                    "thaw run small.yaml --threads 1 -o lost --resume"),
                0, WORDS("cannot be read", "starting again"));
    assert_equal_frames("straight", "lost", 0, 12);
    // nothing at all
    assert_says(say("thaw run small.yaml --threads 1 -o fresh --resume"), 0,
                WORDS("nothing to resume"));
    assert_equal_frames("straight", "fresh", 0, 12);
    // only the scene, as after a kill before the first frame
    assert_says(say("rm -r lost/frames lost/checkpoint.h5 lost/stats.csv && "
                    "thaw run small.yaml --threads 1 -o lost --resume"),
                0, WORDS("nothing to resume"));
    assert_equal_frames("straight", "lost", 0, 12);
}

int main(int count, char **arguments) {
    if (count > 1) kill_runs = atoi(arguments[1]);
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(killed_runs_resume_in_the_same_bits),
        TEST(ctrl_c_saves_says_how_to_go_on_and_resumes_exactly),
        TEST(a_second_ctrl_c_stops_at_once),
        TEST(a_longer_run_just_goes_on),
        TEST(frames_without_a_checkpoint_are_made_again),
    };
    return cmocka_run_group_tests_name("resume", tests, NULL, NULL);
}
