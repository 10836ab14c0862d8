// Going on with another scene than before, and from a preroll.
#include "rig.h"

static void a_changed_scene_is_named_and_refused(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml --threads 1 -o it --frames 1:4"), 0,
                WORDS("frames 0 to 4"));
    const Said *said =
        say("thaw run small.yaml --threads 1 -o it --resume --set materials.water.density=900");
    assert_says(said, 2, WORDS("changed", "density", "1000", "900", "--branch"));
    said = say("thaw run small.yaml --threads 1 -o it --resume --set spacing=0.04 --branch");
    assert_says(said, 2, WORDS("spacing", "0.04", "new run"));
    // what does not move matter is no change
    assert_says(
        say("thaw run small.yaml --threads 1 -o it --resume --frames 1:6 --set title=Other"), 0,
        WORDS("going on after frame 4"));
}

static void a_branch_goes_on_with_the_new_values(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml --threads 1 -o straight"), 0, WORDS("frames 0 to 12"));
    assert_says(say("thaw run small.yaml --threads 1 -o it --frames 1:4"), 0,
                WORDS("frames 0 to 4"));
    // a branch that changes nothing is the straight run
    assert_says(say("cp -r it same && thaw run small.yaml --threads 1 -o same --branch"), 0,
                WORDS("going on after frame 4"));
    assert_equal_frames("straight", "same", 0, 12);
    assert_says(say("cp -r it up && thaw run small.yaml --threads 1 -o up --branch --set "
                    "'gravity=[0,0,9.81]'"),
                0, WORDS("gravity", "going on after frame 4"));
    assert_equal_frames("straight", "up", 0, 4);
    // matter that rises is higher than matter that falls
    const Said *said = say("thaw export up --to csv --frames 12 -o . && mv frame_000012.csv up.csv "
                           "&& thaw export straight --to csv --frames 12 -o . && "
                           "! cmp -s up.csv frame_000012.csv");
    assert_says(said, 0, WORDS("1 file"));
    // and the branch itself resumes: its scene is now the directory's
    assert_says(say("thaw run small.yaml --threads 1 -o up --resume --set 'gravity=[0,0,9.81]'"), 0,
                WORDS("nothing left"));
}

// names that sound like what may change, and materials that come, are seen for what they are
static void a_branch_takes_no_shape_and_no_new_material(void **state) {
    (void)state;
    write_file("pad.yaml", "thaw: 1\nspacing: 0.05\nframes: {count: 2}\n"
                           "materials: {water: {density: 1000}}\n"
                           "bodies:\n  - {name: b, material: water, shape: {box: {center: [0, 0, "
                           "0.3], size: [0.3, 0.3, 0.3]}}}\n"
                           "colliders:\n  - {name: friction_pad, shape: {sphere: {center: [0, 0, "
                           "-0.5], radius: 0.3}}}\n");
    assert_says(say("thaw run pad.yaml --threads 1 -o pad"), 0, WORDS("frames 0 to 2"));
    assert_says(say("thaw run pad.yaml -o pad --branch --frames 4 --set "
                    "colliders.friction_pad.shape.sphere.radius=0.2"),
                2, WORDS("radius", "new run"));
    assert_says(say("thaw run pad.yaml -o pad --branch --frames 4 --set "
                    "'materials.oil={density: 900}'"),
                2, WORDS("oil", "new run"));
    assert_says(say("thaw run pad.yaml --threads 1 -o pad --branch --frames 4 --set "
                    "colliders.friction_pad.friction=0.1"),
                0, WORDS("friction", "going on after frame 2"));
}

// runs the command that is printed on the line after `words`
static const Said *follow(const Said *said, const char *words) {
    const char *line = strstr(said->out, words);
    if (line == NULL) fail_msg("no '%s' in: %s", words, said->out);
    line = strchr(line, '\n') + 1;
    char command[512];
    snprintf(command, sizeof command, "%.*s", (int)strcspn(line, "\n"), line);
    return say("%s", command);
}

static void what_is_printed_to_go_on_with_can_be_typed(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    say("thaw run small.yaml --threads 1 -o it --frames 1:2");
    const char *changed = "thaw run small.yaml --threads 1 -o it --frames 1:3 --resume --set "
                          "'gravity=[0, 0, 9.81]'";
    assert_says(follow(say("%s", changed), "with the new values:"), 0,
                WORDS("going on after frame 2", "frames 0 to 3"));
    // after a branch the old scene is the changed one
    const char *old = "thaw run small.yaml --threads 1 -o it --frames 1:4 --resume";
    assert_says(follow(say("%s", old), "with the values that 'it' has:"), 0,
                WORDS("going on after frame 3", "frames 0 to 4"));
    // what cannot change leaves the way with the directory's own values
    const Said *said = say("thaw run small.yaml -o it --frames 1:5 --set spacing=0.05 --resume");
    assert_says(said, 2, WORDS("cannot change"));
    assert_says(follow(said, "with the values that 'it' has:"), 0, WORDS("frames 0 to 5"));
}

static void a_preroll_is_simulated_but_not_written(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    // 0.1 s are 2.4 frames
    const char *pre = "--set frames.preroll=0.1 --set frames.count=5 --set frames.start=11";
    assert_says(say("thaw run small.yaml --threads 1 -o pre %s", pre), 0, WORDS("frames 10 to 15"));
    assert_false(exists("pre/frames/frame_000009.h5"));
    assert_says(say("thaw info pre/frames/frame_000010.h5"), 0, WORDS("time        0.1 s"));
    assert_whole_table("pre", 10, 15);
    assert_says(say("cp -r pre cut && thaw run small.yaml --threads 1 -o cut %s --set "
                    "frames.count=3 --resume",
                    pre),
                0, WORDS("nothing left"));
    // killed in the middle
    assert_says(say("rm -r cut; thaw run small.yaml --threads 1 -o cut %s --set frames.count=2 && "
                    "thaw run small.yaml --threads 1 -o cut %s --resume",
                    pre, pre),
                0, WORDS("going on after frame 12"));
    assert_equal_frames("pre", "cut", 10, 15);
}

int main(void) {
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(a_changed_scene_is_named_and_refused),
        TEST(a_branch_goes_on_with_the_new_values),
        TEST(a_branch_takes_no_shape_and_no_new_material),
        TEST(what_is_printed_to_go_on_with_can_be_typed),
        TEST(a_preroll_is_simulated_but_not_written),
    };
    return cmocka_run_group_tests_name("branch", tests, NULL, NULL);
}
