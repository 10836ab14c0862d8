// The line that a terminal shows: what matters most comes first, and it never wraps.
#include "rig.h"

// runs the command on a terminal of some width and prints the lines it rewrote, one by one
#define TERMINAL                                                                                   \
    "import fcntl, os, pty, struct, sys, termios\n"                                                \
    "columns = int(sys.argv[1])\n"                                                                 \
    "pid, end = pty.fork()\n"                                                                      \
    "if pid == 0:\n"                                                                               \
    "    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))\n"             \
    "    os.execv(sys.argv[2], sys.argv[2:])\n"                                                    \
    "text = b''\n"                                                                                 \
    "while True:\n"                                                                                \
    "    try:\n"                                                                                   \
    "        more = os.read(end, 65536)\n"                                                         \
    "    except OSError:\n"                                                                        \
    "        break\n"                                                                              \
    "    if not more:\n"                                                                           \
    "        break\n"                                                                              \
    "    text += more\n"                                                                           \
    "status = os.waitpid(pid, 0)[1]\n"                                                             \
    "lines = [l.split('\\n')[0].replace('\\033[K', '') for l in text.decode().split('\\r')]\n"     \
    "lines = [l for l in lines if 'frame 1' in l and '/' in l]\n"                                  \
    "print('status', status, 'widest', max(map(len, lines)))\n"                                    \
    "print(lines[0])\n"                                                                            \
    "print(lines[-1])\n"

static const Said *show(int columns) {
    write_file("terminal.py", TERMINAL);
    write_file("small.yaml", SMALL_SCENE);
    return say("rm -rf out; python3 terminal.py %d '%s' run small.yaml --threads 1", columns,
               THAW_COMMAND);
}

static void lines_never_wrap_and_keep_the_time_left(void **state) {
    (void)state;
    const int widths[] = {20, 40, 60, 80, 120, 200};
    for (int k = 0; k < 6; k++) {
        const Said *said = show(widths[k]);
        assert_says(said, 0, WORDS("status 0 ", "frame 1/12", "frame 12/12"));
        int widest = 0;
        assert_int_equal(sscanf(said->out, "status 0 widest %d", &widest), 1);
        if (widest >= widths[k]) fail_msg("%d columns: %s", widths[k], said->out);
        if (widths[k] >= 40) assert_says(said, 0, WORDS("frame 1/12  ", " left"));
    }
    assert_says(show(200), 0,
                WORDS(" left  0.042 s  ", " a frame  density error ", " %  ", " substeps  ",
                      " particles\n"));
}

int main(void) {
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(lines_never_wrap_and_keep_the_time_left),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
