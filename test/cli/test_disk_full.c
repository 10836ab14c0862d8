// A full disk stops a run with a clear message and harms nothing.
#include "rig.h"

#include <sys/mount.h>

static void a_full_disk_keeps_earlier_frames_and_resumes(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_int_equal(mkdir("small", 0755), 0);
    if (mount("tmpfs", "small", "tmpfs", 0, "size=384k") != 0) {
        print_message("a small tmpfs cannot be mounted here: skipped\n");
        skip();
    }
    const Said *said = say("thaw run small.yaml --threads 1 -o straight --frames 1:60");
    bool straight = said->status == 0;
    said = say("thaw run small.yaml --threads 1 -o small/run --frames 1:60");
    bool stopped = said->status == 1 && strstr(said->out, "the disk is full") != NULL &&
                   strstr(said->out, "--resume") != NULL;
    if (!stopped) print_error("status %d: %s\n", said->status, said->out);
    // what is there can be read
    bool readable =
        say("for f in small/run/frames/*.h5; do thaw info $f || exit 9; done")->status == 0;
    bool whole = say("ls small/run/frames | grep -v '^frame_[0-9]*\\.h5$'")->status == 1;
    bool grown = mount("tmpfs", "small", "tmpfs", MS_REMOUNT, "size=64m") == 0;
    said = say("thaw run small.yaml --threads 1 -o small/run --frames 1:60 --resume");
    bool resumed = said->status == 0;
    if (!resumed) print_error("status %d: %s\n", said->status, said->out);
    bool kept = say("cp -r small/run copy")->status == 0;
    umount("small");
    assert_true(straight && stopped && readable && whole && grown && resumed && kept);
    assert_equal_frames("straight", "copy", 0, 60);
    assert_whole_table("copy", 0, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        a_full_disk_keeps_earlier_frames_and_resumes, enter_folder, leave_folder)};
    return cmocka_run_group_tests_name("disk_full", tests, NULL, NULL);
}
