// Broken mesh files: every file of test/meshio/bad is refused with exactly the sentence beside it.
//
// NAME.obj, NAME.ply or NAME.stl; what it must say is in NAME.expected.
#include "rig.h"

#include <dirent.h>

static bool is_mesh(const char *name) {
    return meshio_has_ending(name, ".obj") || meshio_has_ending(name, ".ply") ||
           meshio_has_ending(name, ".stl");
}

static void check_file(const char *name) {
    char path[512], expected[1024];
    snprintf(path, sizeof path, "%.*s.expected", (int)(strlen(name) - 4), name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s is missing", path);
    size_t size = fread(expected, 1, sizeof expected - 1, file);
    fclose(file);
    expected[size] = '\0';
    expected[strcspn(expected, "\n")] = '\0';
    ThawMeshData *mesh = NULL;
    ThawResult result = thaw_mesh_load(name, NULL, &mesh);
    if (result != THAW_BAD_INPUT || mesh != NULL) fail_msg("%s was not refused", name);
    if (strcmp(thaw_error_text(), expected) != 0)
        fail_msg("%s says\n%s\nwhere this is expected\n%s", name, thaw_error_text(), expected);
}

static void broken_files_are_refused_with_their_sentence(void **state) {
    (void)state;
    assert_int_equal(chdir(MESH_TESTS "/bad"), 0);
    DIR *directory = opendir(".");
    assert_non_null(directory);
    int count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (!is_mesh(entry->d_name)) continue;
        check_file(entry->d_name);
        count++;
    }
    closedir(directory);
    assert_true(count >= 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_files_are_refused_with_their_sentence),
    };
    return cmocka_run_group_tests_name("mesh_bad", tests, NULL, NULL);
}
