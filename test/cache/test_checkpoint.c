// Checkpoints: the snapshot comes back in every byte; damage is refused.
#include "cache/checkpoint.h"
#include "cache/odd.h"
#include "cache/room.h"

static void a_world_goes_on_from_its_checkpoint(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "checkpoint.h5");
    ThawWorld *world = boxes(1, 0.05), *copy;
    assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
    void *bytes, *again;
    size_t size, again_size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    assert_ok(thaw_checkpoint_write(path, 17, 99, bytes, size));
    int frame;
    uint64_t hash;
    assert_ok(thaw_checkpoint_peek(path, &frame, &hash));
    assert_int_equal(frame, 17);
    frame = 0;
    assert_ok(thaw_checkpoint_read(path, &frame, &hash, &again, &again_size));
    assert_int_equal(frame, 17);
    assert_int_equal(hash, 99);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    assert_ok(thaw_world_load(again, again_size, NULL, &copy));
    assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
    assert_ok(thaw_world_step(copy, 1.0 / 24, NULL));
    assert_true(thaw_world_hash(world) == thaw_world_hash(copy));
    free(again);
    thaw_snapshot_free(bytes);
    thaw_world_destroy(copy);
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void an_older_checkpoint_stays_when_a_new_one_fails(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "checkpoint.h5");
    assert_ok(thaw_checkpoint_write(path, 1, 2, "first", 5));
    assert_refused(thaw_checkpoint_write(path, -1, 2, "second", 6), "frame number");
    mkdir(in_folder(folder, "checkpoint.h5.tmp"), 0777); // stands in the way
    assert_refused(thaw_checkpoint_write(path, 2, 2, "second", 6), "checkpoint.h5");
    int frame;
    void *bytes;
    size_t size;
    assert_ok(thaw_checkpoint_read(path, &frame, NULL, &bytes, &size));
    assert_int_equal(frame, 1);
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "first", 5);
    free(bytes);
    drop_folder(folder);
}

static Bytes small_file(void) {
    char *folder = make_folder();
    const char *path = in_folder(folder, "c.h5");
    assert_ok(thaw_checkpoint_write(path, 3, 4, "the snapshot of a world", 24));
    Bytes bytes = load(path);
    drop_folder(folder);
    return bytes;
}

static void assert_damaged(const uint8_t *file, size_t file_size) {
    int frame;
    uint64_t hash;
    void *bytes = (void *)1;
    size_t size;
    ThawResult result = thaw_checkpoint_parse(file, file_size, &frame, &hash, &bytes, &size);
    assert_int_equal(result, THAW_BAD_INPUT);
    assert_null(bytes);
}

static void cuts_and_flipped_bytes_are_refused(void **state) {
    (void)state;
    Bytes good = small_file();
    for (size_t size = 0; size < good.size; size++) {
        uint8_t *cut = malloc(size == 0 ? 1 : size);
        assert_non_null(cut);
        memcpy(cut, good.data, size);
        assert_damaged(cut, size);
        free(cut);
    }
    for (int k = 0; k < 10000; k++) {
        uint8_t *place = &good.data[draw((uint32_t)good.size)];
        uint8_t before = *place;
        *place = (uint8_t)(before ^ (1 + draw(255)));
        assert_damaged(good.data, good.size);
        *place = before;
    }
    free(good.data);
}

// a checksum that is right over contents that are not
static void lies_behind_a_right_checksum_are_refused(void **state) {
    (void)state;
    for (int turn = 0; turn < 9; turn++) {
        ThawHeader header = {.kind = THAW_FILE_CHECKPOINT, .payload = 24};
        OddArray array = {
            .name = "snapshot", .type = THAW_U8, .rank = 1, .extent = {24, 1, 1}, .chunk = 24};
        if (turn == 1) array.link = ODD_SOFT;
        if (turn == 2) array.type = THAW_I32;
        if (turn == 3) array.extent[0] = 23;
        if (turn == 4) array.layout = ODD_OTHER_FILE;
        if (turn == 5) array.unwritten = true;
        if (turn == 6) header.payload = UINT64_MAX;
        if (turn == 7) header.info.frame = -1;
        if (turn == 8) header.kind = THAW_FILE_FRAME;
        ThawHdf hdf;
        assert_true(thaw_hdf_create(&hdf, 4096));
        odd_put(&hdf, &array);
        size_t size, given;
        uint8_t *file = odd_finish(&hdf, &header, &size);
        assert_non_null(file);
        void *bytes;
        if (turn == 0) {
            assert_ok(thaw_checkpoint_parse(file, size, NULL, NULL, &bytes, &given));
            assert_int_equal(given, 24);
            free(bytes);
        } else {
            assert_damaged(file, size);
        }
        free(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_goes_on_from_its_checkpoint),
        cmocka_unit_test(an_older_checkpoint_stays_when_a_new_one_fails),
        cmocka_unit_test(cuts_and_flipped_bytes_are_refused),
        cmocka_unit_test(lies_behind_a_right_checksum_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
