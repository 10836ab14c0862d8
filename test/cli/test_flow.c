// Emitters, sinks and forces from the command line: checked, run, gone on with, exported, drawn.
#include "rig.h"

// A jet that moves and changes, a volume, a drain and a breeze: the number of particles is another in
// every frame, beginning with none.
static const char jet[] =
    "thaw: 1\ntitle: A jet\nspacing: 0.05\nframes: {count: 12}\n"
    "materials: {water: {}, oil: {density: 900, liquid: {viscosity: 1e-3}}}\n"
    "channels: {dye: {}}\n"
    "emitters:\n"
    "  - {name: jet, material: water, speed: \"3 + sin(9*t)\", channels: {dye: t},\n"
    "     shape: {disc: {center: [0, 0, 0.1], normal: [0.2, 0, 1], radius: 0.12}},\n"
    "     motion: [{time: 0}, {time: 0.5, move: [0.2, 0, 0]}], life: 0.3}\n"
    "  - {name: ball, material: oil, rate: 40 L/s, from: 0.1, most: 60, visible: yes,\n"
    "     shape: {sphere: {center: [0, 0, 1], radius: 0.2}}, velocity: [1, 0, 0]}\n"
    "sinks: [{name: drain, outside: yes, shape: {box: {center: [0, 0, 0.6], size: [1.2, 1.2, "
    "1.2]}}}]\n"
    "forces: [{name: breeze, wind: {direction: [0, 1, 0], strength: [[0, 0], [0.2, 4]]}}]\n"
    "colliders: [{name: floor, shape: {plane: {point: [0, 0, 0]}}}]\n"
    "output: {checkpoint: 0, channels: [velocity, material, dye, age]}\n";

static int run_jet(void **state) {
    int status = enter_folder(state);
    if (status != 0) return status;
    write_file("jet.yaml", jet);
    return say("thaw run jet.yaml --threads 1 -o it > run.txt")->status;
}

static void check_tells_what_will_come(void **state) {
    (void)state;
    assert_says(say("thaw check jet.yaml"), 0,
                WORDS("0, 0 kg at the start; about", "live at once",
                      "emitter     jet                  disc of water, up to about",
                      "emitter     ball                 volume of oil, up to about 320 particles a "
                      "second, 128 in all, 60 at once",
                      "sink        drain                takes what is outside",
                      "force       breeze               wind", "liquid      'oil': viscosity 0.001",
                      "0 warnings"));
    assert_says(say("thaw check jet.yaml --json"), 0,
                WORDS("\"born\": ", "\"peak\": ", "\"emitters\": {\"jet\": {\"born\": ",
                      "\"ball\": {\"born\": 128, \"peak\": 60", "\"viscosity_limit\": "));
}

// the sum of a column of stats.csv, or its last value
static long column(const char *directory, const char *name, bool sum) {
    const Said *said = say("awk -F, -v name=%s 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == name) "
                           "c = k} NR > 1 {n = %s $c} END {print n}' %s/stats.csv",
                           name, sum ? "n +" : "", directory);
    assert_int_equal(said->status, 0);
    return strtol(said->out, NULL, 10);
}

static void births_and_deaths_add_up(void **state) {
    (void)state;
    long born = column("it", "born", true), died = column("it", "died", true);
    long live = column("it", "particles", false);
    assert_true(born > 500 && died > 100);
    assert_int_equal(born - died, live);
    char told[200];
    snprintf(told, sizeof told, "%ld particles were born and %ld died; %ld live", born, died, live);
    // numbers are told with blanks between thousands
    assert_says(say("sed -E ':a;s/([0-9]) ([0-9]{3})/\\1\\2/;ta' run.txt"), 0,
                WORDS(told, " born, ", " died", "0 particles at the start"));
    assert_says(say("thaw run jet.yaml --threads 1 -o j --frames 2 --json"), 0,
                WORDS("\"born\": 0, \"died\": 0", "\"frame\": 2"));
}

static void a_resumed_run_gives_the_same_frames(void **state) {
    (void)state;
    assert_int_equal(say("thaw run jet.yaml --threads 2 -o part --frames 5 -q")->status, 0);
    assert_says(say("thaw run jet.yaml --threads 2 -o part --resume"), 0,
                WORDS("since the checkpoint"));
    assert_equal_frames("it", "part", 0, 12);
    assert_whole_table("part", 0, 12);
    assert_int_equal(column("part", "born", true), column("it", "born", true));
}

static void exports_have_what_lives_by_ascending_ids(void **state) {
    (void)state;
    assert_says(say("thaw export it --to csv"), 0, WORDS("13 files in it/csv"));
    // as many rows as the statistics say, ids ascending, and none that was gone comes back
    const Said *said = say(
        "awk -F, 'FNR == 1 {for (k = 1; k <= NF; k++) if ($k == \"id\") c = k; last = 0; file++; "
        "next} {if ($c + 0 <= last) print \"order\"; last = $c + 0; if (seen[$c] && seen[$c] != "
        "file - 1) print \"back\"; seen[$c] = file; n++} END {print n}' it/csv/*.csv");
    assert_int_equal(said->status, 0);
    assert_silent_about(said, "order");
    assert_silent_about(said, "back");
    assert_int_equal(strtol(said->out, NULL, 10), column("it", "particles", true));
    // nothing is older than it may be, and each has the dye of its birth
    said =
        say("awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) {if ($k == \"age\") a = k; if ($k == "
            "\"dye\") d = k; if ($k == \"material\") m = k} next} $m == 1 {n++; if ($a > 0.31 || "
            "$a + $d > 0.5 + 0.02 || $a + $d < 0.5 - 0.02) bad++} END {print (n > 100), bad + 0}' "
            "it/csv/*12.csv");
    assert_string_equal(said->out, "1 0\n");
    assert_says(say("thaw export it --to ply --frames 0:3"), 0, WORDS("4 files"));
    assert_says(say("thaw export it --to xdmf"), 0, WORDS("xdmf"));
}

static void pictures_cope_with_frames_without_particles(void **state) {
    (void)state;
    assert_says(say("thaw render it --frames 0,1,12 --size 160x90 --samples 1"), 0,
                WORDS("3 pictures"));
    assert_png("it/images/frame_000000.png", 160, 90);
    assert_says(say("thaw render it --frames 12 --color age --size 64x64 --samples 1 -o p"), 0,
                WORDS("p/frame_000012.png"));
    assert_says(say("thaw plot it particles born died"), 0, WORDS("plot.png"));
    assert_says(say("thaw info it"), 0, WORDS("emitters    jet, ball", "particles"));
    assert_says(say("thaw info it/frames/frame_000000.h5"), 0, WORDS("particles   0,"));
}

static void a_changed_emitter_is_named_on_resume(void **state) {
    (void)state;
    assert_says(say("thaw run jet.yaml -o it --resume --frames 14 --set emitters.ball.rate=\"30 "
                    "L/s\" --set forces.breeze.ramp=1"),
                2, WORDS("emitters.ball.rate: 0.04 → 0.03", "forces.breeze.ramp: 0 → 1"));
}

static void a_branch_opens_and_closes_taps(void **state) {
    (void)state;
    assert_int_equal(say("thaw run jet.yaml --threads 1 -o tap --frames 6 -q")->status, 0);
    assert_says(say("cp -r tap more && thaw run jet.yaml --threads 1 -o more --branch --set "
                    "'emitters.jet.to=0.26' --set 'emitters.ball.rate=0.08' --set "
                    "emitters.ball.most=500 --set forces.breeze.wind.strength=0"),
                0,
                WORDS("emitters.jet.to: (not there) → 0.26", "emitters.ball.rate: 0.04 → 0.08",
                      "forces.breeze.wind.strength", "going on after frame 6"));
    assert_equal_frames("it", "more", 0, 6);
    // the jet is off, and of the ball twice as much comes
    assert_int_equal(atoi(say("awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == \"born\") c = "
                              "k} NR > 9 && ($c < 24 || $c > 29) {bad++} END {print bad + 0}' "
                              "more/stats.csv")
                              ->out),
                     0);
    assert_says(
        say("thaw run jet.yaml --threads 1 -o tap --branch --set emitters.ball.material=water"), 2,
        WORDS("emitters.ball.material", "new run"));
    assert_says(
        say("thaw run jet.yaml --threads 1 -o tap --branch --set 'forces=[{name: breeze, point: "
            "{position: [0, 0, 0]}}]'"),
        2, WORDS("forces.breeze.point.position", "new run"));
}

static void an_interrupted_jet_goes_on(void **state) {
    (void)state;
    const char *const words[] = {"run", "jet.yaml", "--threads", "1", "-o", "cut", NULL};
    pid_t child = start(words);
    for (int k = 0; k < 400 && !exists("cut/frames/frame_000003.h5"); k++) wait_seconds(0.02);
    kill(child, SIGINT);
    int status = finish(child);
    assert_true(status == 130 || status == 0);
    assert_int_equal(say("thaw run jet.yaml --threads 1 -o cut --resume -q")->status, 0);
    assert_equal_frames("it", "cut", 0, 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_tells_what_will_come),
        cmocka_unit_test(births_and_deaths_add_up),
        cmocka_unit_test(a_resumed_run_gives_the_same_frames),
        cmocka_unit_test(exports_have_what_lives_by_ascending_ids),
        cmocka_unit_test(pictures_cope_with_frames_without_particles),
        cmocka_unit_test(a_changed_emitter_is_named_on_resume),
        cmocka_unit_test(a_branch_opens_and_closes_taps),
        cmocka_unit_test(an_interrupted_jet_goes_on),
    };
    return cmocka_run_group_tests(tests, run_jet, leave_folder);
}
