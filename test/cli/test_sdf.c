// thaw sdf: what it tells, writes and draws of a mesh, and what it refuses.
#include "rig.h"

// a cube of edge 1 about (0.5, 0.5, 0.5); without its lid when open
static void write_cube(const char *path, bool open) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int k = 0; k < 8; k++) fprintf(file, "v %d %d %d\n", k & 1, k >> 1 & 1, k >> 2);
    static const int faces[6][4] = {{1, 3, 4, 2}, {1, 2, 6, 5}, {2, 4, 8, 6},
                                    {4, 3, 7, 8}, {3, 1, 5, 7}, {5, 6, 8, 7}};
    for (int k = 0; k < (open ? 5 : 6); k++)
        fprintf(file, "f %d %d %d %d\n", faces[k][0], faces[k][1], faces[k][2], faces[k][3]);
    assert_int_equal(fclose(file), 0);
}

static void it_tells_about_a_mesh_and_writes_nothing(void **state) {
    (void)state;
    write_cube("cube.obj", false);
    assert_says(say("thaw sdf cube.obj --cells 32"), 0,
                WORDS("cube.obj: solid", "8 points", "12 triangles, 6 m2", "0: closed",
                      "of a dense grid", "cells of 0.03125 m"));
    assert_says(say("ls"), 0, WORDS("cube.obj\n"));
    assert_false(exists("cube.png"));
}

static void a_field_and_a_cut_are_written_side_by_side(void **state) {
    (void)state;
    write_cube("cube.obj", false);
    assert_says(say("thaw sdf cube.obj --cells 24 -o cube.thawfield"), 0,
                WORDS("cube.thawfield\n", "cube.png\n"));
    assert_true(exists("cube.thawfield") && exists("cube.png"));
    // what was written is told about without the mesh
    assert_says(say("rm cube.obj cube.png; thaw sdf cube.thawfield --slice z=0.5"), 0,
                WORDS("12 triangles", "cube.png"));
    assert_true(exists("cube.png"));
    assert_says(say("thaw sdf cube.thawfield --cells 48"), 2, WORDS("--cells is for meshes"));
}

static void modes_and_scale_are_told(void **state) {
    (void)state;
    write_cube("cube.obj", false);
    assert_says(say("thaw sdf cube.obj --cell 10 --scale 1000 --band 4 --offset 5"), 0,
                WORDS("6e+06 m2", "cells of 10 m, band 4, offset 5 m"));
    assert_says(say("thaw sdf cube.obj --cells 16 --mode container"), 0,
                WORDS("cube.obj: container"));
    assert_says(say("thaw sdf cube.obj --cells 16 --mode shell"), 0, WORDS("cube.obj: shell"));
}

static void an_open_mesh_is_warned_of(void **state) {
    (void)state;
    write_cube("box.obj", true);
    assert_says(say("thaw sdf box.obj --cells 16"), 0, WORDS("open edges  4", "the mesh is open"));
}

static void programs_get_one_object(void **state) {
    (void)state;
    write_cube("cube.obj", false);
    if (say("command -v python3")->status != 0) {
        print_message("python3 is not here: the object was not read\n");
        skip();
    }
    assert_says(say("thaw sdf cube.obj --cells 16 --json | python3 -c 'import json, sys; "
                    "o = json.load(sys.stdin); print(o[\"triangles\"], o[\"open_edges\"], "
                    "abs(o[\"volume\"] - 1) < 0.01, o[\"file\"])'"),
                0, WORDS("12 0 True None"));
    assert_says(say("thaw sdf none.obj --json 2>/dev/null"), 2, WORDS("\"errors\"", "none.obj"));
}

static void bad_words_are_refused(void **state) {
    (void)state;
    write_cube("cube.obj", false);
    assert_says(say("thaw sdf cube.obj -o cube.sdf"), 2, WORDS(".thawfield", ".vdb"));
    assert_says(say("thaw sdf cube.obj --slice w=1"), 2, WORDS("z=0.1", "'w=1'"));
    assert_says(say("thaw sdf cube.obj --slice z=x"), 2, WORDS("'z=x'"));
    assert_says(say("thaw sdf cube.obj --mode shel"), 2, WORDS("did you mean 'shell'?"));
    assert_says(say("thaw sdf cube.obj --cell 0.1 --cells 9"), 2, WORDS("give one of them"));
    write_file("odd.txt", "this is no mesh\n");
    assert_says(say("thaw sdf odd.txt"), 2, WORDS("odd.txt"));
    write_file("odd.thawfield", "this is no field\n");
    assert_says(say("thaw sdf odd.thawfield"), 2, WORDS("is not a field of thaw"));
}

static void a_vdb_is_written_or_refused_in_a_sentence(void **state) {
    (void)state;
    write_cube("cube.obj", false);
    const Said *said = say("thaw sdf cube.obj --cells 16 -o cube.vdb");
    if (said->status == 0) {
        assert_true(exists("cube.vdb") && exists("cube.png"));
    } else {
        assert_says(said, 1, WORDS("without OpenVDB"));
        assert_false(exists("cube.vdb"));
    }
}

#define TEST(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_tells_about_a_mesh_and_writes_nothing),
        TEST(a_field_and_a_cut_are_written_side_by_side),
        TEST(modes_and_scale_are_told),
        TEST(an_open_mesh_is_warned_of),
        TEST(programs_get_one_object),
        TEST(bad_words_are_refused),
        TEST(a_vdb_is_written_or_refused_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
