// Files written whole: nothing under the name until everything is there.
#include "cache/room.h"

static void a_file_appears_with_the_commit(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "out");
    ThawFile *file;
    assert_ok(thaw_file_create(path, &file));
    assert_ok(thaw_file_append(file, "hello ", 6));
    assert_false(exists(path));
    assert_true(exists(in_folder(folder, "out.tmp")));
    assert_ok(thaw_file_append(file, "world", 5));
    assert_ok(thaw_file_commit(file));
    assert_false(exists(in_folder(folder, "out.tmp")));
    Bytes bytes = load(path);
    assert_string_equal((const char *)bytes.data, "hello world");
    free(bytes.data);
    drop_folder(folder);
}

// pieces below, at and above the buffer's size
static void pieces_of_any_size_come_in_order(void **state) {
    (void)state;
    static const size_t sizes[8] = {1, 262143, 262144, 262145, 7, 600000, 0, 3};
    char *folder = make_folder();
    const char *path = in_folder(folder, "out");
    size_t total = 0;
    for (int k = 0; k < 8; k++) total += sizes[k];
    uint8_t *all = malloc(total);
    assert_non_null(all);
    for (size_t k = 0; k < total; k++) all[k] = (uint8_t)(k * 7 + k / 256);
    ThawFile *file;
    assert_ok(thaw_file_create(path, &file));
    size_t at = 0;
    for (int k = 0; k < 8; k++) {
        assert_ok(thaw_file_append(file, all + at, sizes[k]));
        at += sizes[k];
    }
    assert_ok(thaw_file_commit(file));
    Bytes bytes = load(path);
    assert_int_equal(bytes.size, total);
    assert_memory_equal(bytes.data, all, total);
    free(bytes.data);
    free(all);
    drop_folder(folder);
}

static void an_abandoned_file_leaves_the_old_one(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "out");
    store(path, "old", 3);
    ThawFile *file;
    assert_ok(thaw_file_create(path, &file));
    assert_ok(thaw_file_append(file, "new", 3));
    thaw_file_abandon(file);
    thaw_file_abandon(NULL);
    Bytes bytes = load(path);
    assert_string_equal((const char *)bytes.data, "old");
    assert_int_equal(count_ending(folder, ".tmp"), 0);
    free(bytes.data);
    drop_folder(folder);
}

static void devices_directories_and_missing_folders_are_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawFile *file = NULL;
    assert_refused(thaw_file_create("/dev/null", &file), "no file");
    assert_refused(thaw_file_create(folder, &file), "a directory");
    assert_missing(thaw_file_create(in_folder(folder, "none/out"), &file), "none/out");
    assert_null(file);
    // the folder goes away while the file is written
    mkdir(in_folder(folder, "gone"), 0777);
    assert_ok(thaw_file_create(in_folder(folder, "gone/out"), &file));
    remove_tree(in_folder(folder, "gone"));
    assert_missing(thaw_file_commit(file), "gone/out\": No such file");
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_with_the_commit),
        cmocka_unit_test(pieces_of_any_size_come_in_order),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(devices_directories_and_missing_folders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
