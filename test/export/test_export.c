// Exports: what other programs will read is what the frame holds.
#include "cache/room.h"

#include <locale.h>

static ThawFrame *frame_with(const char *const *channels, int count) {
    ThawWorld *world = boxes(1, 0.04);
    assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
    ThawFrameInfo info = info_of(1);
    ThawFrame *frame;
    assert_ok(thaw_frame_take(world, &info, channels, count, &frame));
    thaw_world_destroy(world);
    return frame;
}

// ---------------------------------------------------------------- a small reader of PLY

typedef struct Ply {
    Bytes bytes;
    char names[64][40];
    char types[64][10];
    size_t offsets[64];
    int count;
    size_t row_size, rows;
    const uint8_t *data;
} Ply;

static Ply read_ply(const char *path) {
    Ply ply = {.bytes = load(path)};
    char *text = (char *)ply.bytes.data;
    assert_memory_equal(text, "ply\nformat binary_little_endian 1.0\n", 36);
    char *end = strstr(text, "end_header\n");
    assert_non_null(end);
    ply.data = (const uint8_t *)end + 11;
    *end = '\0';
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        sscanf(line, "element vertex %zu", &ply.rows);
        if (sscanf(line, "property %9s %39s", ply.types[ply.count], ply.names[ply.count]) != 2) {
            continue;
        }
        ply.offsets[ply.count] = ply.row_size;
        ply.row_size += strcmp(ply.types[ply.count], "double") == 0 ? 8 : 4;
        ply.count++;
    }
    assert_int_equal(ply.data + ply.rows * ply.row_size - ply.bytes.data, ply.bytes.size);
    return ply;
}

static const void *ply_at(const Ply *ply, const char *name, const char *type, size_t row) {
    for (int k = 0; k < ply->count; k++) {
        if (strcmp(ply->names[k], name) != 0) continue;
        assert_string_equal(ply->types[k], type);
        return ply->data + row * ply->row_size + ply->offsets[k];
    }
    fail_msg("no property %s", name);
    return NULL;
}

static void ply_holds_every_attribute_bit_by_bit(void **state) {
    (void)state;
    static const char *const channels[6] = {"velocity", "material",      "object",
                                            "state",    "density_error", "colour"};
    static const char *const vector[9] = {"x",  "y",        "z",        "vx",      "vy",
                                          "vz", "colour_0", "colour_1", "colour_2"};
    static const char *const columns[3] = {"position", "velocity", "colour"};
    char *folder = make_folder();
    ThawFrame *frame = frame_with(channels, 6);
    assert_ok(thaw_export_frame(frame, "ply", in_folder(folder, "f.ply")));
    Ply ply = read_ply(in_folder(folder, "f.ply"));
    assert_int_equal(ply.rows, frame->count);
    for (uint32_t row = 0; row < frame->count; row++) {
        for (uint32_t k = 0; k < 9; k++) {
            const float *data = thaw_frame_column(frame, columns[k / 3])->data;
            assert_memory_equal(ply_at(&ply, vector[k], "float", row), &data[row * 3 + k % 3], 4);
        }
        uint64_t id = ((const uint64_t *)frame->columns[0].data)[row];
        uint32_t low, high;
        memcpy(&low, ply_at(&ply, "id", "uint", row), 4);
        memcpy(&high, ply_at(&ply, "id_high", "uint", row), 4);
        assert_true(((uint64_t)high << 32 | low) == id);
        float radius = 0.005f;
        assert_memory_equal(ply_at(&ply, "pscale", "float", row), &radius, 4);
        static const char *const whole[3] = {"material", "object", "state"};
        for (int k = 0; k < 3; k++) {
            const int32_t *data = thaw_frame_column(frame, whole[k])->data;
            assert_memory_equal(ply_at(&ply, whole[k], "int", row), &data[row], 4);
        }
    }
    free(ply.bytes.data);
    thaw_frame_free(frame);
    drop_folder(folder);
}

// a radius for each particle when the frame knows their spacings; names of channels never collide
static void sizes_and_awkward_names_are_handled(void **state) {
    (void)state;
    char *folder = make_folder();
    static const char *const channels[2] = {"spacing", "cells"};
    ThawFrame *frame = frame_with(channels, 2);
    float *spacing = (float *)thaw_frame_column(frame, "spacing")->data;
    spacing[0] = 0.5f;
    strcpy(frame->columns[2].name, "spacing");
    strcpy(frame->columns[3].name, "x"); // i64 × 3: x_0, x_1, x_2
    assert_ok(thaw_export_frame(frame, "ply", in_folder(folder, "f.ply")));
    Ply ply = read_ply(in_folder(folder, "f.ply"));
    float radius;
    memcpy(&radius, ply_at(&ply, "pscale", "float", 0), 4);
    assert_true(radius == 0.25f);
    double cell;
    memcpy(&cell, ply_at(&ply, "x_2", "double", 1), 8);
    assert_true(cell == (double)((const int64_t *)frame->columns[3].data)[5]);
    for (int a = 0; a < ply.count; a++) {
        for (int b = 0; b < a; b++) assert_string_not_equal(ply.names[a], ply.names[b]);
    }
    free(ply.bytes.data);
    strcpy(frame->columns[2].name, "pscale"); // one that the exporter makes itself
    assert_ok(thaw_export_frame(frame, "ply", in_folder(folder, "f.ply")));
    ply = read_ply(in_folder(folder, "f.ply"));
    assert_non_null(ply_at(&ply, "pscale_", "float", 0));
    free(ply.bytes.data);
    thaw_frame_free(frame);
    drop_folder(folder);
}

// ---------------------------------------------------------------- CSV

static int column_of(const ThawTable *table, const char *name) {
    for (int k = 0; k < table->columns; k++) {
        if (strcmp(table->names[k], name) == 0) return k;
    }
    fail_msg("no column %s", name);
    return -1;
}

static void csv_gives_the_same_numbers_back(void **state) {
    (void)state;
    char *folder = make_folder();
    // a comma as decimal point must not get in
    bool german = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    (void)german;
    ThawFrame *frame = frame_with(usual_channels, 5);
    assert_ok(thaw_export_frame(frame, "csv", in_folder(folder, "f.csv")));
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "f.csv"), &table));
    setlocale(LC_ALL, "C");
    assert_int_equal(table->rows, frame->count);
    assert_string_equal(table->names[0], "x");
    int y = column_of(table, "y"), vz = column_of(table, "vz"), id = column_of(table, "id");
    int material = column_of(table, "material"), radius = column_of(table, "pscale");
    const float *position = frame->columns[1].data, *velocity = frame->columns[2].data;
    for (int row = 0; row < table->rows; row++) {
        const double *values = table->values + row * table->columns;
        assert_true((float)values[y] == position[row * 3 + 1]);
        assert_true((float)values[vz] == velocity[row * 3 + 2]);
        assert_true((uint64_t)values[id] == ((const uint64_t *)frame->columns[0].data)[row]);
        assert_true((int32_t)values[material] == ((const int32_t *)frame->columns[3].data)[row]);
        assert_true((float)values[radius] == 0.005f);
    }
    thaw_table_free(table);
    thaw_frame_free(frame);
    drop_folder(folder);
}

static void frames_without_particles_are_exported(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawWorld *world = small_world(3);
    ThawFrame *frame = take_frame(world, 0);
    assert_ok(thaw_export_frame(frame, "ply", in_folder(folder, "f.ply")));
    Ply ply = read_ply(in_folder(folder, "f.ply"));
    assert_int_equal(ply.rows, 0);
    free(ply.bytes.data);
    assert_ok(thaw_export_frame(frame, "csv", in_folder(folder, "f.csv")));
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "f.csv"), &table));
    assert_int_equal(table->rows, 0);
    thaw_table_free(table);
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void unknown_formats_and_bad_places_are_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawFrame *frame = frame_with(NULL, 0), *seen;
    assert_refused(thaw_export_frame(frame, "abc", in_folder(folder, "f")), "choose ply or csv");
    assert_missing(thaw_export_frame(frame, "ply", in_folder(folder, "none/f.ply")), "none/f.ply");
    assert_ok(thaw_frame_write(frame, 0, in_folder(folder, "f.h5")));
    assert_ok(thaw_frame_peek(in_folder(folder, "f.h5"), &seen));
    assert_refused(thaw_export_frame(seen, "ply", in_folder(folder, "f.ply")), "no data");
    assert_int_equal(count_ending(folder, ".tmp"), 0);
    thaw_frame_free(seen);
    thaw_frame_free(frame);
    drop_folder(folder);
}

// ---------------------------------------------------------------- XDMF

static void assert_holds(const char *path, const char *word) {
    Bytes text = load(path);
    if (strstr((const char *)text.data, word) == NULL) {
        fail_msg("%s does not hold %s", path, word);
    }
    free(text.data);
}

static void xdmf_points_to_the_frames_from_anywhere(void **state) {
    (void)state;
    char *folder = make_folder();
    char run[256];
    snprintf(run, sizeof run, "%s/a & b", folder);
    ThawCacheDef def = {.directory = run, .fps = 24, .dimensions = 3, .compression = 1};
    ThawWorld *world = boxes(1, 0.03);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    for (int k = 0; k < 4; k++) {
        ThawStats stats = {.frame = k};
        assert_ok(thaw_cache_put(cache, take_frame(world, k), &stats));
    }
    assert_ok(thaw_cache_close(cache));
    thaw_world_destroy(world);
    mkdir(in_folder(folder, "a"), 0777); // the beginning of a name in common is no folder in common
    mkdir(in_folder(folder, "a/deep"), 0777);
    assert_ok(thaw_export_xdmf(run, 1, 2, in_folder(run, "here.xdmf")));
    assert_holds(in_folder(run, "here.xdmf"), ">frames/frame_000002.h5:/position<");
    assert_ok(thaw_export_xdmf(run, 1, 2, in_folder(folder, "a/deep/x.xdmf")));
    assert_holds(in_folder(folder, "a/deep/x.xdmf"),
                 ">../../a &amp; b/frames/frame_000001.h5:/position<");
    assert_ok(thaw_export_xdmf(run, 1, 2, in_folder(folder, "x.xdmf")));
    assert_holds(in_folder(folder, "x.xdmf"), ">a &amp; b/frames/frame_000001.h5:/velocity<");
    assert_missing(thaw_export_xdmf(run, 1, 4, in_folder(folder, "y.xdmf")), "frame_000004.h5");
    assert_refused(thaw_export_xdmf(run, 2, 1, in_folder(folder, "y.xdmf")), "no frames");
    assert_false(exists(in_folder(folder, "y.xdmf")));
    // all of them is what the run itself wrote
    assert_ok(thaw_export_xdmf(run, 0, 3, in_folder(run, "all.xdmf")));
    assert_same_file(in_folder(run, "all.xdmf"), in_folder(run, "frames.xdmf"));
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ply_holds_every_attribute_bit_by_bit),
        cmocka_unit_test(sizes_and_awkward_names_are_handled),
        cmocka_unit_test(csv_gives_the_same_numbers_back),
        cmocka_unit_test(frames_without_particles_are_exported),
        cmocka_unit_test(unknown_formats_and_bad_places_are_refused),
        cmocka_unit_test(xdmf_points_to_the_frames_from_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
