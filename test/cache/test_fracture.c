// Fractures in frames: written, read back in every bit, refused where they lie, and exported.
#include "cache/header.h"
#include "cache/room.h"

#include <math.h>

static ThawFracture broken(int k) {
    return (ThawFracture){.time = 0.125 + 1e-3 * (k / 3),
                          .position = {0.1 * k, -1.0 / (k + 3), 1e-9 * k},
                          .pair = {((uint64_t)1 << 40) + (uint64_t)k + 1,
                                   ((uint64_t)2 << 40) + (uint64_t)(7 * k) + 1}};
}

// a frame of the usual boxes with so many fractures
static ThawFrame *cracked_frame(int number, uint32_t count) {
    ThawWorld *world = boxes(1, 0.03);
    ThawFrame *frame = take_frame(world, number);
    thaw_world_destroy(world);
    assert_int_equal(frame->fracture_count, 0);
    assert_null(frame->fractures);
    ThawFracture *list = calloc(count + 1, sizeof *list);
    assert_non_null(list);
    for (uint32_t k = 0; k < count; k++) list[k] = broken((int)k);
    assert_ok(thaw_frame_set_fractures(frame, list, count));
    free(list);
    return frame;
}

// ---------------------------------------------------------------- files

static void every_bit_of_a_fracture_comes_back(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    static const uint32_t counts[] = {0, 1, 2, 1000, 40000}; // the last is more than one chunk
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        ThawFrame *frame = cracked_frame(3, counts[c]), *again;
        for (int level = 0; level < 3; level++) {
            assert_ok(thaw_frame_write(frame, level, path));
            assert_ok(thaw_frame_read(path, &again));
            assert_int_equal(again->fracture_count, counts[c]);
            assert_same_frame(frame, again);
            thaw_frame_free(again);
        }
        assert_ok(thaw_frame_peek(path, &again));
        assert_int_equal(again->fracture_count, counts[c]);
        assert_null(again->fractures);
        thaw_frame_free(again);
        thaw_frame_free(frame);
    }
    drop_folder(folder);
}

static void equal_fractures_give_equal_files_and_others_do_not(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawFrame *one = cracked_frame(3, 20), *other = cracked_frame(3, 20);
    char *a = strdup(in_folder(folder, "a.h5")), *b = strdup(in_folder(folder, "b.h5"));
    assert_ok(thaw_frame_write(one, 1, a));
    assert_ok(thaw_frame_write(other, 1, b));
    assert_same_file(a, b);
    other->fractures[7].position.y = nextafter(other->fractures[7].position.y, 1);
    assert_ok(thaw_frame_write(other, 1, b));
    Bytes x = load(a), y = load(b);
    assert_true(x.size != y.size || memcmp(x.data, y.data, x.size) != 0);
    free(x.data);
    free(y.data);
    free(a);
    free(b);
    thaw_frame_free(one);
    thaw_frame_free(other);
    drop_folder(folder);
}

static void setting_replaces_what_was_there(void **state) {
    (void)state;
    ThawFrame *frame = cracked_frame(0, 9);
    ThawFracture last = broken(100);
    assert_ok(thaw_frame_set_fractures(frame, &last, 1));
    assert_int_equal(frame->fracture_count, 1);
    assert_memory_equal(frame->fractures, &last, sizeof last);
    assert_ok(thaw_frame_set_fractures(frame, NULL, 0));
    assert_int_equal(frame->fracture_count, 0);
    assert_null(frame->fractures);
    thaw_frame_free(frame);
}

// ---------------------------------------------------------------- damage and lies

static void impossible_fractures_are_not_written(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    for (int lie = 0; lie < 7; lie++) {
        ThawFrame *frame = cracked_frame(0, 5);
        ThawFracture *f = &frame->fractures[3];
        static const char *const words[] = {"time", "time", "position", "position",
                                            "pair", "pair", "pair"};
        if (lie == 0) f->time = NAN;
        if (lie == 1) f->time = 0; // before the one before
        if (lie == 2) f->position.z = INFINITY;
        if (lie == 3) f->position.x = NAN;
        if (lie == 4) f->pair[0] = 0;
        if (lie == 5) f->pair[1] = 0;
        if (lie == 6) f->pair[1] = f->pair[0];
        assert_refused(thaw_frame_write(frame, 1, path), "fracture 4");
        assert_non_null(strstr(thaw_error_text(), words[lie]));
        assert_false(exists(path));
        thaw_frame_free(frame);
    }
    ThawFrame *frame = cracked_frame(0, 5);
    strcpy(frame->columns[2].name, "fracture_pair");
    assert_refused(thaw_frame_write(frame, 1, path), "name that is not allowed");
    thaw_frame_free(frame);
    drop_folder(folder);
}

static void damaged_fractures_are_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawFrame *frame = cracked_frame(3, 400), *again;
    const char *path = in_folder(folder, "f.h5");
    assert_ok(thaw_frame_write(frame, 1, path));
    thaw_frame_free(frame);
    Bytes good = load(path);
    for (int k = 0; k < 3000; k++) {
        uint8_t *place = &good.data[draw((uint32_t)good.size)];
        uint8_t before = *place;
        *place = (uint8_t)(before ^ (1 + draw(255)));
        again = (ThawFrame *)1;
        assert_refused(thaw_frame_parse(good.data, good.size, &again), "the frame");
        assert_null(again);
        *place = before;
    }
    assert_ok(thaw_frame_parse(good.data, good.size, &again));
    thaw_frame_free(again);
    free(good.data);
    drop_folder(folder);
}

// the header of a sound file with another number of fractures, its checksum right
static void assert_count_lie(Bytes file, uint32_t count, const char *word) {
    ThawHeader header;
    ThawFrame *frame;
    assert_ok(thaw_header_verify(file.data, file.size, THAW_FILE_FRAME, "f", &header));
    header.fractures = count;
    thaw_header_encode(&header, file.data);
    assert_refused(thaw_frame_parse(file.data, file.size, &frame), word);
}

static void wrong_counts_with_a_right_checksum_are_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    ThawFrame *frame = cracked_frame(3, 5);
    assert_ok(thaw_frame_write(frame, 1, path));
    Bytes file = load(path);
    assert_count_lie(file, 4, "fracture_time\" has another extent");
    assert_count_lie(file, 6, "fracture_time\" has another extent");
    assert_count_lie(file, 0xffffffffu, "fractures do not fit");
    free(file.data);
    assert_ok(thaw_frame_set_fractures(frame, NULL, 0));
    assert_ok(thaw_frame_write(frame, 1, path));
    file = load(path);
    assert_count_lie(file, 1, "fracture_time\" is missing");
    free(file.data);
    thaw_frame_free(frame);
    drop_folder(folder);
}

// ---------------------------------------------------------------- export

static void a_series_of_fractures_becomes_one_table(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = {.directory = folder,
                        .scene_text = "thaw: 1\n",
                        .scene_size = 8,
                        .fps = 24,
                        .dimensions = 3,
                        .compression = 1};
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    for (int k = 0; k < 4; k++) {
        ThawStats stats = {.frame = k};
        assert_ok(thaw_cache_put(cache, cracked_frame(k, k == 1 ? 0 : (uint32_t)k), &stats));
    }
    assert_ok(thaw_cache_close(cache));
    uint64_t count = 0;
    assert_ok(thaw_export_fractures(folder, 0, 3, in_folder(folder, "f.csv"), &count));
    assert_int_equal(count, 5);
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "f.csv"), &table));
    assert_int_equal(table->rows, 5);
    assert_int_equal(table->columns, 7);
    assert_string_equal(table->names[1], "time");
    // frame 2 has two, frame 3 three
    const double *third = table->values + 2 * 7;
    assert_true(third[0] == 3 && third[1] == broken(0).time);
    assert_true(third[6] == (double)broken(0).pair[1]);
    thaw_table_free(table);
    assert_missing(thaw_export_fractures(folder, 0, 9, in_folder(folder, "g.csv"), &count), "4");
    assert_false(exists(in_folder(folder, "g.csv")));
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_of_a_fracture_comes_back),
        cmocka_unit_test(equal_fractures_give_equal_files_and_others_do_not),
        cmocka_unit_test(setting_replaces_what_was_there),
        cmocka_unit_test(impossible_fractures_are_not_written),
        cmocka_unit_test(damaged_fractures_are_refused),
        cmocka_unit_test(wrong_counts_with_a_right_checksum_are_refused),
        cmocka_unit_test(a_series_of_fractures_becomes_one_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
