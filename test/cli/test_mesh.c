// thaw mesh: files of our own meshes, from the command.
#include "rig.h"

#include <thaw/mesh_file.h>

static uint32_t triangles_of(const char *path) {
    ThawMeshData *mesh = NULL;
    if (thaw_mesh_load(path, NULL, &mesh) != THAW_OK) fail_msg("%s", thaw_error_text());
    uint32_t count = thaw_mesh_view(mesh).triangle_count;
    thaw_mesh_free(mesh);
    return count;
}

static void every_shape_is_listed_and_made(void **state) {
    (void)state;
    for (int k = 0; thaw_mesh_kind(k) != NULL; k++) {
        const ThawMeshKind *kind = thaw_mesh_kind(k);
        assert_says(say("thaw mesh --list"), 0, WORDS(kind->name, kind->summary));
        assert_says(say("thaw mesh %s", kind->name), 0, WORDS(kind->name, ".obj: ", " triangles"));
        char path[64];
        snprintf(path, sizeof path, "%s.obj", kind->name);
        assert_true(triangles_of(path) > 0);
    }
}

// the command's own table of options has each number of each kind
static void every_number_is_an_option(void **state) {
    (void)state;
    for (int k = 0; thaw_mesh_kind(k) != NULL; k++) {
        const ThawMeshKind *kind = thaw_mesh_kind(k);
        char line[900] = "";
        for (int n = 0; n < kind->number_count; n++) {
            const ThawMeshNumber *number = &kind->numbers[n];
            bool detail = strcmp(number->name, "detail") == 0;
            size_t length = strlen(line);
            snprintf(line + length, sizeof line - length, " --%s %g", number->name,
                     detail ? number->least : number->value);
        }
        assert_says(say("thaw mesh %s -o a.ply%s", kind->name, line), 0, WORDS("a.ply: "));
    }
}

static void numbers_change_the_mesh(void **state) {
    (void)state;
    say("thaw mesh sphere --detail 3 -o in/a/folder/s.stl");
    assert_int_equal(triangles_of("in/a/folder/s.stl"), 180);
    say("thaw mesh gear --count=10 --hole 0 --detail 1 -o g.ply");
    // ten teeth of four corners: two caps of 38 triangles, 80 at the sides
    assert_int_equal(triangles_of("g.ply"), 2 * 38 + 80);
}

static void sequences_are_numbered_poses_of_one_beat(void **state) {
    (void)state;
    const Said *said = say("thaw mesh creature --detail 6 --frames 4 -o d/c.ply");
    assert_says(said, 0, WORDS("d/c_0001.ply", "_0004"));
    assert_true(exists("d/c_0004.ply") && !exists("d/c_0005.ply") && !exists("d/c.ply"));
    // the third of four is half a beat on
    say("thaw mesh creature --detail 6 --phase 0.5 -o half.ply");
    assert_says(say("cmp d/c_0003.ply half.ply"), 0, WORDS(""));
    assert_int_equal(say("cmp -s d/c_0001.ply d/c_0002.ply")->status, 1);
}

static void mistakes_are_explained(void **state) {
    (void)state;
    assert_says(say("thaw mesh"), 2, WORDS("SHAPE is missing", "--list"));
    assert_says(say("thaw mesh gaer"), 2, WORDS("unknown shape 'gaer'; did you mean 'gear'?"));
    assert_says(say("thaw mesh gear --span 3"), 2, WORDS("a gear has no --span; it has --radius"));
    assert_says(say("thaw mesh gear --count 2"), 2, WORDS("--count must be a number from 3"));
    assert_says(say("thaw mesh gear --count 4.5"), 2, WORDS("must be a whole number"));
    assert_says(say("thaw mesh torus --tube 1"), 2, WORDS("tube of a torus must be below"));
    assert_says(say("thaw mesh torus -o a.xyz"), 2, WORDS(".obj, .ply or .stl"));
    assert_says(say("thaw mesh torus --frames 3"), 2, WORDS("a torus does not move"));
    assert_false(exists("torus.obj"));
}

int main(void) {
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(every_shape_is_listed_and_made), TEST(every_number_is_an_option),
        TEST(numbers_change_the_mesh),        TEST(sequences_are_numbered_poses_of_one_beat),
        TEST(mistakes_are_explained),
    };
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
