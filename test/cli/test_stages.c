// From a scene to frames and files for other programs, and what each stage refuses.
#include "rig.h"

// ---------------------------------------------------------------- check and run

static void check_tells_what_a_scene_takes_and_writes_nothing(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw check small.yaml"), 0,
                WORDS("Small dam", "particles", "block", "memory", "substeps", "disk", "0 errors"));
    assert_says(say("thaw check small.yaml --json | python3 -m json.tool"), 0,
                WORDS("\"particles\": ", "\"block\": ", "\"memory_bytes\": "));
    assert_false(exists("out"));
}

static void bad_scenes_end_with_status_2_and_their_place(void **state) {
    (void)state;
    write_file("bad.yaml", "thaw: 1\nspacing: 0.1\nmaterals: {}\n");
    const Said *said = say("thaw run bad.yaml");
    assert_says(said, 2, WORDS("bad.yaml:3:1: error: ", "materals", "materials", "^"));
    assert_silent_about(said, "\033");
    assert_says(say("thaw check bad.yaml"), 2, WORDS("bad.yaml:3:1: error: "));
    assert_false(exists("out"));
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml --threads 1 --set spacin=1"), 2,
                WORDS("--set", "spacin", "spacing"));
    assert_says(say("thaw run small.yaml --threads x"), 2, WORDS("--threads"));
    assert_says(say("thaw run small.yaml --threads 1 --frames 9:1"), 2, WORDS("--frames"));
    assert_false(exists("out"));
}

static void run_tells_where_the_frames_are_and_what_to_type_next(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml"), 0,
                WORDS("Small dam", "particles", "frame 12/12", "frames 0 to 12 are in out/small",
                      "thaw movie out/small", "thaw render out/small", "paraview out/small"));
    assert_whole_table("out/small", 0, 12);
    assert_true(exists("out/small/scene.yaml") && exists("out/small/frames.xdmf"));
    // quiet is quiet
    assert_string_equal(say("thaw run small.yaml -o quiet --quiet")->out, "");
}

static void run_never_overwrites(void **state) {
    (void)state;
    assert_says(say("thaw run small.yaml"), 2,
                WORDS("already holds frames 0 to 12", "thaw run small.yaml --resume", "rm -r"));
    assert_true(exists("out/small/frames/frame_000012.h5"));
}

static void json_is_one_object_a_frame(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    const Said *said = say("thaw run small.yaml --threads 1 --json 2>/dev/null | python3 -c '"
                           "import json, sys\n"
                           "rows = [json.loads(line) for line in sys.stdin]\n"
                           "assert [r[\"frame\"] for r in rows] == list(range(0, 13)), rows\n"
                           "assert all(r[\"particles\"] > 100 for r in rows)\n"
                           "assert all(r[\"ms\"] > 0 for r in rows[1:])\n"
                           "print(\"good\")'");
    assert_says(said, 0, WORDS("good"));
}

// one object on stdout, whose errors have this place
static void assert_json_error(const char *line, int status, const char *words) {
    const Said *said = say("%s >said 2>/dev/null; echo status $?; python3 -c 'import json\n"
                           "for e in json.loads(open(\"said\").read())[\"errors\"]:\n"
                           "    print(e[\"file\"], e[\"line\"], e[\"column\"], e[\"text\"])'",
                           line);
    char number[32];
    snprintf(number, sizeof number, "status %d\n", status);
    assert_says(said, 0, WORDS(number, words));
}

static void errors_are_json_for_programs(void **state) {
    (void)state;
    write_file("bad.yaml", "thaw: 1\nspacing: 0.1\nmaterals: {}\n");
    assert_json_error("thaw check bad.yaml --json", 2, "bad.yaml 3 1 unknown key 'materals'");
    assert_json_error("thaw run bad.yaml --json", 2, "bad.yaml 3 1 unknown key 'materals'");
    assert_json_error("thaw info bad.yaml --json", 2, "bad.yaml 3 1 unknown key 'materals'");
    assert_json_error("thaw info nowhere --json", 2, "0 0 there is no file or directory");
    assert_json_error("thaw check bad.yaml --json --bad", 2, "unknown argument '--bad'");
    // and nothing of it otherwise
    assert_silent_about(say("thaw check bad.yaml"), "\"errors\"");
}

static void directories_of_others_are_left_alone(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    say("mkdir full empty; echo mine >full/scene.yaml");
    assert_says(say("thaw run small.yaml -o full"), 2, WORDS("'full' is not empty", "no run"));
    assert_says(say("thaw run small.yaml -o full --resume"), 2, WORDS("'full' is not empty"));
    assert_says(say("cat full/scene.yaml; ls -A full"), 0, WORDS("mine\nscene.yaml\n"));
    assert_says(say("thaw run small.yaml -o small.yaml"), 2, WORDS("is a file"));
    assert_says(say("thaw run small.yaml -o empty --frames 1:1"), 0, WORDS("frames 0 to 1"));
}

static void many_copies_are_told_in_one_line(void **state) {
    (void)state;
    write_file(
        "rain.yaml",
        "thaw: 1\nspacing: 0.1\nmaterials: {water: {density: 1000}}\nbodies:\n"
        "  - {name: drop, material: water, shape: {sphere: {center: [0, 0, 0], radius: 0.2}},\n"
        "     repeat: {count: [5, 2, 1], step: [1, 1, 1]}}\n"
        "  - {name: lake, material: water,\n"
        "     shape: {box: {center: [0, 0, -3], size: [1, 1, 1]}}}\n");
    const Said *said = say("thaw check rain.yaml");
    assert_says(said, 0, WORDS("drop[...]", "10 copies", "particles each", "lake", "rough guess"));
    assert_int_equal(count_of(said->out, "  body "), 2);
    // programs get them all
    assert_int_equal(count_of(say("thaw check rain.yaml --json")->out, "\"drop["), 10);
}

static void frames_do_not_depend_on_the_number_of_threads(void **state) {
    (void)state;
    assert_says(say("thaw run small.yaml -o other --threads 3"), 0, WORDS("other"));
    assert_equal_frames("out/small", "other", 0, 12);
}

static void two_runs_do_not_write_into_one_directory(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    pid_t child = start(WORDS("run", "small.yaml", "-o", "it", "--frames", "1:100000"));
    for (int k = 0; k < 1000 && !exists("it/frames/frame_000001.h5"); k++) wait_seconds(0.005);
    const Said *said = say("thaw run small.yaml -o it --frames 1:100000 --resume");
    kill(child, SIGKILL);
    finish(child);
    assert_says(said, 1, WORDS("another run"));
}

static void trouble_names_the_frame_the_particle_and_a_cause(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    // calm at first, then a pull that no substep can follow
    const Said *said =
        say("thaw run small.yaml --threads 1 --set solver.substeps=1 --set 'colliders=[]' --set "
            "frames.fps=0.01 --set 'gravity=[0, 0, \"t < 150 ? 0 : -1e6\"]'");
    assert_says(said, 1,
                WORDS("numerical trouble in frame 2", "body 'block' was at (", "likely cause",
                      "solver.substeps", "frames 0 to 1 are kept in 'out/small'"));
    assert_true(exists("out/small/frames/frame_000001.h5"));
}

// ---------------------------------------------------------------- info and export

static void info_knows_scenes_caches_frames_and_checkpoints(void **state) {
    (void)state;
    assert_says(say("thaw info small.yaml"), 0, WORDS("Small dam", "block"));
    assert_says(
        say("thaw info out/small"), 0,
        WORDS("Small dam", "frames      0 to 12", "checkpoint  after frame 12", "velocity"));
    assert_says(say("thaw info out/small/frames/frame_000012.h5"), 0,
                WORDS("frame 12", "0.5 s", "position (f32 × 3)"));
    assert_says(say("thaw info out/small/checkpoint.h5"), 0, WORDS("after frame 12"));
    const char *const paths[] = {"small.yaml", "out/small", "out/small/frames/frame_000003.h5",
                                 "out/small/checkpoint.h5"};
    for (int k = 0; k < 4; k++) {
        assert_says(say("thaw info %s --json | python3 -m json.tool", paths[k]), 0, WORDS("{"));
    }
    assert_says(say("thaw info out/small"), 0,
                WORDS("materials   1 water\n", "objects     1 block\n"));
    assert_says(say("thaw info out/small --json | python3 -c 'import json, sys\n"
                    "o = json.load(sys.stdin)\n"
                    "print(o[\"materials\"][0], o[\"objects\"][0])'"),
                0, WORDS("{'number': 1, 'name': 'water'}", "'name': 'block', 'material': 1}"));
    assert_says(say("thaw check out/small"), 0, WORDS("out/small/scene.yaml: Small dam"));
    assert_says(say("echo no >x.h5; thaw info x.h5"), 2, WORDS("error", "x.h5"));
    assert_says(say("mkdir empty; thaw info empty"), 2, WORDS("no frames", "thaw run"));
}

static void foreign_files_get_one_clean_sentence(void **state) {
    (void)state;
    const char *const makers[] = {"head -c 3000 /dev/urandom", "echo hello", "printf ''",
                                  "printf 'thaw: 1\\n\\000\\001\\377'"};
    const char *const names[] = {"x.png", "x.txt", "x.h5", "x.yaml", "checkpoint.h5"};
    for (int m = 0; m < 4; m++) {
        for (int n = 0; n < 5; n++) {
            // text that is named like a scene is judged line by line
            if (strcmp(names[n], "x.yaml") == 0 && (m == 1 || m == 2)) continue;
            const Said *said = say("%s >%s; thaw info %s", makers[m], names[n], names[n]);
            assert_says(said, 2, WORDS("error: ", names[n]));
            assert_int_equal(count_of(said->out, "\n"), 1);
            for (const char *c = said->out; *c != '\0'; c++) {
                if ((unsigned char)*c < 0x20 && *c != '\n') fail_msg("raw bytes: %s", said->out);
            }
        }
    }
    assert_says(say("head -c 500 /dev/urandom >x.yaml; thaw run x.yaml"), 2,
                WORDS("x.yaml' is no scene"));
}

static void export_writes_each_format(void **state) {
    (void)state;
    assert_says(say("thaw export out/small --to ply"), 0, WORDS("13 files in out/small/ply"));
    assert_says(say("head -c 3 out/small/ply/frame_000012.ply"), 0, WORDS("ply"));
    assert_says(say("thaw export out/small --to csv --frames 2:3 -o tables"), 0, WORDS("2 files"));
    assert_says(say("head -1 tables/frame_000003.csv"), 0, WORDS("id", "x"));
    assert_says(say("thaw export out/small --to xdmf --frames 2:5 -o part"), 0, WORDS("part/"));
    assert_says(say("grep -c '<Time' part/frames_000002_000005.xdmf"), 0, WORDS("4"));
    // a part beside the whole leaves the whole as it is
    assert_says(say("cp out/small/frames.xdmf whole.xdmf"), 0, WORDS(""));
    assert_says(say("thaw export out/small --to xdmf --frames 2:5"), 0, WORDS("frames_000002"));
    assert_says(say("cmp whole.xdmf out/small/frames.xdmf"), 0, WORDS(""));
    assert_says(say("thaw export out/small"), 2, WORDS("--to is missing"));
    assert_says(say("thaw export out/small --to ply --frames 5:99"), 2, WORDS("holds 0 to 12"));
}

int main(void) {
#define FRESH(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
#define RUN(claim) cmocka_unit_test_setup_teardown(claim, run_small, leave_folder)
    const struct CMUnitTest tests[] = {
        FRESH(check_tells_what_a_scene_takes_and_writes_nothing),
        FRESH(bad_scenes_end_with_status_2_and_their_place),
        FRESH(run_tells_where_the_frames_are_and_what_to_type_next),
        RUN(run_never_overwrites),
        FRESH(json_is_one_object_a_frame),
        FRESH(errors_are_json_for_programs),
        FRESH(directories_of_others_are_left_alone),
        FRESH(many_copies_are_told_in_one_line),
        RUN(frames_do_not_depend_on_the_number_of_threads),
        FRESH(two_runs_do_not_write_into_one_directory),
        FRESH(trouble_names_the_frame_the_particle_and_a_cause),
        RUN(info_knows_scenes_caches_frames_and_checkpoints),
        FRESH(foreign_files_get_one_clean_sentence),
        RUN(export_writes_each_format),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
