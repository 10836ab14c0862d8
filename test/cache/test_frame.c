// Frames: what is taken from a world, and that files give it back in every bit.
#include "cache/room.h"

#include <sys/wait.h>
#include <time.h>

static const char *colour[1] = {"colour"};

// ---------------------------------------------------------------- taking

static void rows_are_sorted_by_id_and_follow_their_particle(void **state) {
    (void)state;
    ThawWorld *world = boxes(1, 0.08);
    for (int k = 0; k < 3; k++) assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
    ThawFrame *frame = take_frame(world, 3);
    assert_int_equal(frame->count, thaw_world_count(world));
    assert_string_equal(frame->info.thaw_version, thaw_version());
    const uint64_t *ids = thaw_frame_column(frame, "id")->data;
    const float *position = thaw_frame_column(frame, "position")->data;
    const float *velocity = thaw_frame_column(frame, "velocity")->data;
    double(*exact)[3] = malloc(frame->count * sizeof *exact);
    assert_non_null(exact);
    thaw_world_positions(world, exact);
    ThawView fast = view_of(world, "velocity");
    bool moved = false;
    for (uint32_t k = 0; k < frame->count; k++) {
        uint32_t row;
        assert_true(k == 0 || ids[k] > ids[k - 1]);
        assert_ok(thaw_world_index(world, ids[k], &row));
        moved = moved || row != k;
        for (uint32_t a = 0; a < 3; a++) assert_true(position[k * 3 + a] == (float)exact[row][a]);
        assert_memory_equal(velocity + k * 3, (const float *)fast.data + row * 3, 12);
    }
    assert_true(moved); // or sorting was not tried
    free(exact);
    thaw_frame_free(frame);
    thaw_world_destroy(world);
}

static void small_integers_become_i32_and_materials_count_from_one(void **state) {
    (void)state;
    ThawWorld *world = boxes(1, 0.05);
    ThawFrame *frame = take_frame(world, 0);
    const ThawColumn *material = thaw_frame_column(frame, "material");
    const ThawColumn *object = thaw_frame_column(frame, "object");
    const ThawColumn *phase = thaw_frame_column(frame, "state");
    assert_int_equal(material->type, THAW_I32);
    assert_int_equal(object->type, THAW_I32);
    assert_int_equal(phase->type, THAW_I32);
    // the first body is of the first material, the second of the second
    for (uint32_t k = 0; k < frame->count; k++) {
        int32_t wanted = k < frame->count / 2 ? 1 : 2;
        assert_int_equal(((const int32_t *)material->data)[k], wanted);
        assert_int_equal(((const int32_t *)object->data)[k], wanted);
        assert_int_equal(((const int32_t *)phase->data)[k], 0);
    }
    thaw_frame_free(frame);
    thaw_world_destroy(world);
}

static void only_what_was_asked_for_is_taken(void **state) {
    (void)state;
    ThawWorld *world = boxes(1, 0.04);
    ThawFrameInfo info = info_of(0);
    ThawFrame *frame;
    assert_ok(thaw_frame_take(world, &info, NULL, 0, &frame));
    assert_int_equal(frame->column_count, 2);
    assert_null(thaw_frame_column(frame, "velocity"));
    thaw_frame_free(frame);
    // a name twice, or one that is always there, is no error
    const char *often[4] = {"colour", "id", "colour", "position"};
    assert_ok(thaw_frame_take(world, &info, often, 4, &frame));
    assert_int_equal(frame->column_count, 3);
    assert_int_equal(thaw_frame_column(frame, "colour")->components, 3);
    thaw_frame_free(frame);
    const char *wrong[1] = {"velocty"};
    assert_missing(thaw_frame_take(world, &info, wrong, 1, &frame), "velocity");
    assert_null(frame);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- files

static void every_bit_comes_back_at_every_compression(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawWorld *world = boxes(1, 0.08);
    assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
    ThawFrame *frame = take_frame(world, 7), *again;
    for (int level = 0; level <= 9; level++) {
        assert_ok(thaw_frame_write(frame, level, in_folder(folder, "f.h5")));
        assert_ok(thaw_frame_read(in_folder(folder, "f.h5"), &again));
        assert_same_frame(frame, again);
        thaw_frame_free(again);
    }
    assert_refused(thaw_frame_write(frame, 10, in_folder(folder, "f.h5")), "compression");
    assert_int_equal(count_ending(folder, ".tmp"), 0);
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
}

// more rows than one chunk of the file has
static void large_and_empty_frames_come_back(void **state) {
    (void)state;
    char *folder = make_folder();
    for (int turn = 0; turn < 2; turn++) {
        ThawWorld *world = small_world(3);
        ThawMaterialId water = add_water(world);
        uint32_t count = turn == 0 ? 0 : 150000;
        double(*x)[3] = calloc(count + 1, sizeof *x);
        assert_non_null(x);
        for (uint32_t k = 0; k < count; k++) x[k][0] = 0.01 * k;
        ThawParticlesDef many = {.material = water, .count = count, .positions = (void *)x};
        if (count > 0) assert_ok(thaw_world_add_particles(world, &many, NULL));
        ThawFrame *frame = take_frame(world, 0), *again;
        assert_int_equal(frame->count, count);
        for (int level = 0; level < 2; level++) {
            assert_ok(thaw_frame_write(frame, level, in_folder(folder, "f.h5")));
            assert_ok(thaw_frame_read(in_folder(folder, "f.h5"), &again));
            assert_same_frame(frame, again);
            thaw_frame_free(again);
        }
        thaw_frame_free(frame);
        free(x);
        thaw_world_destroy(world);
    }
    drop_folder(folder);
}

static void files_are_equal_for_any_number_of_threads_and_any_moment(void **state) {
    (void)state;
    char *folder = make_folder();
    for (int threads = 1; threads <= 2; threads++) {
        ThawWorld *world = boxes(threads, 0.1);
        for (int k = 0; k < 2; k++) assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
        ThawFrame *frame = take_frame(world, 2);
        assert_ok(thaw_frame_write(frame, 1, in_folder(folder, threads == 1 ? "a.h5" : "b.h5")));
        thaw_frame_free(frame);
        thaw_world_destroy(world);
        // another second on the clock must not show
        struct timespec pause = {1, 100000000};
        if (threads == 1) nanosleep(&pause, NULL);
    }
    assert_same_file(in_folder(folder, "a.h5"), in_folder(folder, "b.h5"));
    drop_folder(folder);
}

static void peeking_gives_everything_but_the_data(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawWorld *world = boxes(1, 0.05);
    ThawFrame *frame = take_frame(world, 12), *seen;
    assert_ok(thaw_frame_write(frame, 1, in_folder(folder, "f.h5")));
    assert_ok(thaw_frame_peek(in_folder(folder, "f.h5"), &seen));
    assert_memory_equal(&seen->info, &frame->info, sizeof seen->info);
    assert_int_equal(seen->count, frame->count);
    assert_int_equal(seen->column_count, frame->column_count);
    for (int k = 0; k < seen->column_count; k++) {
        assert_null(seen->columns[k].data);
        assert_string_equal(seen->columns[k].name, frame->columns[k].name);
    }
    // what was only seen cannot be written
    assert_refused(thaw_frame_write(seen, 1, in_folder(folder, "g.h5")), "no data");
    assert_false(exists(in_folder(folder, "g.h5")));
    thaw_frame_free(seen);
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void impossible_frames_are_not_written(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    ThawWorld *world = boxes(1, 0.04);
    ThawFrame *frame = take_frame(world, 1);
    ThawFrameInfo good = frame->info;
    frame->info.time = NAN;
    assert_refused(thaw_frame_write(frame, 1, path), "time");
    frame->info = good, frame->info.frame = -1;
    assert_refused(thaw_frame_write(frame, 1, path), "frame");
    frame->info = good, frame->info.up = 3;
    assert_refused(thaw_frame_write(frame, 1, path), "up");
    frame->info = good, frame->info.spacing = 0;
    assert_refused(thaw_frame_write(frame, 1, path), "spacing");
    frame->info = good, frame->info.dt = -1;
    assert_refused(thaw_frame_write(frame, 1, path), "dt");
    frame->info = good, frame->info.rest_density[1] = NAN;
    assert_refused(thaw_frame_write(frame, 1, path), "rest density");
    frame->info = good, frame->info.material_count = THAW_FRAME_MATERIALS + 1;
    assert_refused(thaw_frame_write(frame, 1, path), "rest density");
    frame->info = good;
    uint64_t *ids = frame->columns[0].data;
    ids[1] = ids[0];
    assert_refused(thaw_frame_write(frame, 1, path), "ids");
    assert_false(exists(in_folder(folder, "f.h5")));
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
}

// ---------------------------------------------------------------- other programs

static int run_python(const char *script, const char *argument) {
    pid_t child = fork();
    if (child == 0) {
        execl("/usr/bin/python3", "python3", "-c", script, argument, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void h5py_reads_arrays_attributes_and_units(void **state) {
    (void)state;
    if (run_python("import h5py", "") != 0) skip();
    char *folder = make_folder();
    ThawWorld *world = boxes(1, 0.05);
    ThawFrame *frame = take_frame(world, 12);
    assert_ok(thaw_frame_write(frame, 1, in_folder(folder, "f.h5")));
    const float *position = frame->columns[1].data;
    double sum = 0;
    for (uint32_t k = 0; k < frame->count * 3; k++) sum += (double)position[k];
    char script[2048];
    snprintf(
        script, sizeof script,
        "import h5py, sys\n"
        "f = h5py.File(sys.argv[1], 'r')\n"
        "a = f.attrs\n"
        "assert f['id'].shape == (%u,) and f['id'].dtype == 'uint64'\n"
        "assert f['id'][0] == %llu and (f['id'][1:] > f['id'][:-1]).all()\n"
        "assert f['position'].shape == (%u, 3) and f['position'].dtype == 'float32'\n"
        "assert abs(f['position'][:].astype('float64').sum() - %.17g) < 1e-9\n"
        "assert a['frame'] == 12 and a['time'] == 0.5 and a['fps'] == 24\n"
        "assert a['spacing'] == 0.01 and a['support'] == 0.02 and a['dimensions'] == 3\n"
        "assert a['dt'] == 0.001 and list(a['rest_density']) == [1000, 800]\n"
        "assert a['up_axis'] == b'z' and a['scene_hash'] == 0x123456789abcdef0\n"
        "assert a['format_version'] == 1 and a['thaw_version'] == b'%s'\n"
        "assert f['velocity'].attrs['unit'] == b'm/s' and f['position'].attrs['unit'] == b'm'\n"
        "assert f['material'].dtype == 'int32' and f['material'][0] == 1\n"
        "assert f['material'].compression == 'gzip'\n",
        frame->count, (unsigned long long)((const uint64_t *)frame->columns[0].data)[0],
        frame->count, sum, thaw_version());
    assert_int_equal(run_python(script, in_folder(folder, "f.h5")), 0);
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void channels_of_the_user_are_written(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawWorld *world = boxes(1, 0.05);
    ThawFrameInfo info = info_of(0);
    ThawFrame *frame, *again;
    assert_ok(thaw_frame_take(world, &info, colour, 1, &frame));
    assert_ok(thaw_frame_write(frame, 1, in_folder(folder, "f.h5")));
    assert_ok(thaw_frame_read(in_folder(folder, "f.h5"), &again));
    assert_same_frame(frame, again);
    assert_non_null(thaw_frame_column(again, "colour"));
    thaw_frame_free(again);
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_by_id_and_follow_their_particle),
        cmocka_unit_test(small_integers_become_i32_and_materials_count_from_one),
        cmocka_unit_test(only_what_was_asked_for_is_taken),
        cmocka_unit_test(every_bit_comes_back_at_every_compression),
        cmocka_unit_test(large_and_empty_frames_come_back),
        cmocka_unit_test(files_are_equal_for_any_number_of_threads_and_any_moment),
        cmocka_unit_test(peeking_gives_everything_but_the_data),
        cmocka_unit_test(impossible_frames_are_not_written),
        cmocka_unit_test(h5py_reads_arrays_attributes_and_units),
        cmocka_unit_test(channels_of_the_user_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
