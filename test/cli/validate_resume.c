// Many runs killed at random moments and resumed: the figure of docs/validation.md.
#include "killing.h"

static Killing killing;

static void killed_runs_resume_in_the_same_bits(void **state) {
    (void)state;
    killing = kill_many(20, 20260101);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        killed_runs_resume_in_the_same_bits, enter_folder, leave_folder)};
    // what cmocka prints is not for the page
    int page = dup(1);
    if (page < 0 || dup2(2, 1) != 1) return 1;
    int failed = cmocka_run_group_tests_name("resume", tests, NULL, NULL);
    fflush(stdout);
    if (dup2(page, 1) != 1) return 1;
    printf(
        "## Exact resume\n\n"
        "A small dam break with a moving collider and animated gravity, killed (SIGKILL) at random "
        "moments\nand resumed with a random thread count until done; every frame file compared "
        "byte by byte with\nan undisturbed run.\n\n"
        "| runs | kills | resumed from a checkpoint | frames a run | all equal |\n"
        "|--:|--:|--:|--:|---|\n| %d | %d | %d | %d | %s |\n",
        killing.runs, killing.kills, killing.resumes, killing.last + 1, failed == 0 ? "yes" : "no");
    return failed;
}
