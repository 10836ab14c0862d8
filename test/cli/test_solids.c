// Solids from the command line: what check tells of them, and how a run records what breaks.
#include "rig.h"

// a brittle bar whose ends are pulled apart until it breaks; its numbers change, so a frame is four steps
static const char bar[] =
    "thaw: 1\nspacing: 0.02\nframes: {count: 8}\ngravity: [0, 0, 0]\n"
    "materials:\n"
    "  biscuit: {solid: {young: [[0, 1e5], [1, 1.1e5]], damping: 0.5, fracture_strain: 0.08}}\n"
    "bodies:\n  - {name: bar, material: biscuit, state: solid, shape: {box: {center: [0, 0, 0], "
    "size: [0.4, 0.08, 0.08]}}}\n"
    "attachments:\n"
    "  - {name: clamp, region: {box: {center: [-0.2, 0, 0], size: [0.12, 0.2, 0.2]}}}\n"
    "  - {name: hand, region: {box: {center: [0.2, 0, 0], size: [0.12, 0.2, 0.2]}}, "
    "motion: [{time: 0}, {time: 0.3, move: [0.15, 0, 0]}]}\n"
    "output: {checkpoint: 0, channels: [velocity, object, state, strain, stress, von_mises, bonds, "
    "plastic_strain]}\n";

static int run_bar(void **state) {
    int status = enter_folder(state);
    if (status != 0) return status;
    write_file("bar.yaml", bar);
    return say("thaw run bar.yaml --threads 1 -o it")->status;
}

static void check_tells_of_stiffness_and_attachments(void **state) {
    (void)state;
    assert_says(say("thaw check bar.yaml"), 0,
                WORDS("solid       'biscuit': Young's modulus 1.03e+05 Pa; this scene can carry",
                      "attachment  clamp", "attachment  hand", "moving", "of solid biscuit",
                      "0 warnings"));
    assert_says(say("thaw check bar.yaml --json"), 0,
                WORDS("\"solids\": {\"biscuit\": {\"particles\": ", "\"young_limit\": ",
                      "\"attachments\": {\"clamp\": "));
    assert_says(say("thaw check bar.yaml --set materials.biscuit.solid.young=1e12"), 0,
                WORDS("warning", "is more than this scene can carry: it acts as", "1 warning"));
}

static void a_run_says_once_that_stiffness_was_limited(void **state) {
    (void)state;
    const Said *said = say("thaw run bar.yaml --threads 1 -o stiff --frames 2 --set "
                           "materials.biscuit.solid.young=1e12 --set solver.substeps=2");
    assert_says(said, 0,
                WORDS("stiffness was limited in 2 frames", "asks for 1e+12 Pa",
                      "more solver.elastic_steps or substeps raise that"));
    assert_int_equal(count_of(said->out, "stiffness was limited"), 1);
    assert_silent_about(say("thaw run bar.yaml --threads 1 -o soft --frames 1"), "stiffness");
}

static void what_broke_is_in_frames_statistics_and_tables(void **state) {
    (void)state;
    assert_says(say("thaw export it --to fractures"), 0, WORDS("it/fractures.csv", "bonds that"));
    // as many in the table as in the statistics: no step of a frame is left out
    const Said *said = say("awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "
                           "\"bonds_broken\") c = k} NR > 1 {n += $c} END {print n}' it/stats.csv");
    int counted = atoi(said->out);
    assert_true(counted > 10);
    assert_int_equal(atoi(say("tail -n +2 it/fractures.csv | wc -l")->out), counted);
    // in the frame of its time, in order
    said =
        say("awk -F, 'NR > 1 {if ($2 < last || $2 <= ($1 - 1) / 24 - 1e-9 || $2 > $1 / 24 + 1e-9) "
            "print; last = $2}' it/fractures.csv");
    if (said->out[0] != '\0') fail_msg("out of order: %s", said->out);
    // a frame tells
    assert_says(say("for f in it/frames/*.h5; do thaw info $f; done | grep -c 'bonds broke since'"),
                0, WORDS(""));
    assert_says(say("thaw info it/frames/frame_000000.h5 --json"), 0, WORDS("\"fractures\": 0"));
    assert_says(say("thaw info it/frames/frame_000008.h5 --json"), 0, WORDS("\"fractures\": "));
}

static void frames_with_fractures_resume_to_the_byte(void **state) {
    (void)state;
    assert_says(say("thaw run bar.yaml --threads 1 -o again --frames 1:5"), 0, WORDS("0 to 5"));
    assert_says(say("thaw run bar.yaml --threads 2 -o again --resume --frames 1:8"), 0,
                WORDS("going on after frame 5"));
    assert_equal_frames("it", "again", 0, 8);
}

static void solids_can_be_coloured_by_strain_and_stress(void **state) {
    (void)state;
    const char *const colors[] = {"stress", "von_mises",      "strain", "stress.xx",
                                  "bonds",  "plastic_strain", "object", "state"};
    for (int k = 0; k < 8; k++) {
        assert_says(
            say("thaw render it --frames 4 --size 64x48 --samples 1 -o c --color %s", colors[k]), 0,
            WORDS("c/frame_000004.png"));
    }
    assert_says(say("thaw render it --color green_strain"), 2,
                WORDS("unknown column 'green_strain'", "did not write", "output.channels"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_tells_of_stiffness_and_attachments),
        cmocka_unit_test(a_run_says_once_that_stiffness_was_limited),
        cmocka_unit_test(what_broke_is_in_frames_statistics_and_tables),
        cmocka_unit_test(frames_with_fractures_resume_to_the_byte),
        cmocka_unit_test(solids_can_be_coloured_by_strain_and_stress),
    };
    return cmocka_run_group_tests_name("solids", tests, run_bar, leave_folder);
}
