// Damaged, foreign and lying frames: each is refused with a sentence, and none does harm.
#include "cache/odd.h"
#include "cache/room.h"

#ifdef THAW_TEST_SANITIZED
#define STRIDE 7
#else
#define STRIDE 1
#endif

static Bytes good_file(void) {
    char *folder = make_folder();
    ThawWorld *world = boxes(1, 0.03);
    ThawFrame *frame = take_frame(world, 3);
    assert_ok(thaw_frame_write(frame, 1, in_folder(folder, "f.h5")));
    Bytes bytes = load(in_folder(folder, "f.h5"));
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
    return bytes;
}

static void assert_damaged(const uint8_t *bytes, size_t size) {
    ThawFrame *frame = (ThawFrame *)1;
    assert_refused(thaw_frame_parse(bytes, size, &frame), "the frame");
    assert_null(frame);
}

// ---------------------------------------------------------------- damage

static void every_cut_is_refused(void **state) {
    (void)state;
    Bytes good = good_file();
    for (size_t size = 0; size < good.size; size += STRIDE) {
        uint8_t *cut = malloc(size == 0 ? 1 : size); // of its exact size: a read beyond shows
        assert_non_null(cut);
        memcpy(cut, good.data, size);
        assert_damaged(cut, size);
        free(cut);
    }
    assert_damaged(good.data, good.size + 1); // and a byte more
    free(good.data);
}

static void ten_thousand_flipped_bytes_are_refused(void **state) {
    (void)state;
    Bytes good = good_file();
    for (int k = 0; k < 10000; k += STRIDE) {
        uint8_t *place = &good.data[draw((uint32_t)good.size)];
        uint8_t before = *place;
        *place = (uint8_t)(before ^ (1 + draw(255)));
        assert_damaged(good.data, good.size);
        *place = before;
    }
    ThawFrame *frame;
    assert_ok(thaw_frame_parse(good.data, good.size, &frame));
    thaw_frame_free(frame);
    free(good.data);
}

static void sentences_name_the_file_and_what_is_wrong(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    Bytes good = good_file();
    ThawFrame *frame;
    good.data[good.size - 1] ^= 1;
    store(path, good.data, good.size);
    assert_refused(thaw_frame_read(path, &frame), "f.h5 is damaged: its checksum");
    assert_ok(thaw_frame_peek(path, &frame)); // which looks at the header only
    thaw_frame_free(frame);
    store(path, good.data, good.size - 1);
    assert_refused(thaw_frame_read(path, &frame), "bytes, not");
    assert_refused(thaw_frame_peek(path, &frame), "bytes, not");
    good.data[40] ^= 1;
    store(path, good.data, good.size);
    assert_refused(thaw_frame_peek(path, &frame), "checksum of its header");
    good.data[8] = 9;
    store(path, good.data, good.size);
    assert_refused(thaw_frame_read(path, &frame), "format version 9");
    // plain HDF5, as other programs write it
    store(path, good.data + THAW_HEADER_SIZE, good.size - THAW_HEADER_SIZE);
    assert_refused(thaw_frame_read(path, &frame), "not a frame of thaw");
    store(path, "hello", 5);
    assert_refused(thaw_frame_read(path, &frame), "not a frame of thaw");
    assert_refused(thaw_frame_peek(path, &frame), "too short");
    assert_refused(thaw_frame_read(folder, &frame), "no ordinary file");
    assert_missing(thaw_frame_read(in_folder(folder, "none.h5"), &frame), "none.h5");
    assert_null(frame);
    free(good.data);
    drop_folder(folder);
}

// ---------------------------------------------------------------- lies with a right checksum

// the usual file, one array replaced; which = −1: none
static uint8_t *build(ThawHeader header, int which, const OddArray *odd, size_t *size) {
    ThawHdf hdf;
    assert_true(thaw_hdf_create(&hdf, 4096));
    for (int k = 0; k < header.column_count && k < THAW_COLUMNS_MOST; k++) {
        OddArray right = odd_right(&header.columns[k], header.count);
        odd_put(&hdf, k == which ? odd : &right);
    }
    uint8_t *bytes = odd_finish(&hdf, &header, size);
    assert_non_null(bytes);
    return bytes;
}

static void assert_lie(ThawHeader header, int which, const OddArray *odd, const char *word) {
    size_t size;
    uint8_t *bytes = build(header, which, odd, &size);
    ThawFrame *frame = NULL;
    assert_refused(thaw_frame_parse(bytes, size, &frame), word);
    assert_null(frame);
    free(bytes);
}

static void what_is_right_is_read(void **state) {
    (void)state;
    OddArray arrays[3] = {{0}};
    for (int variant = 0; variant < 4; variant++) {
        ThawHeader header = odd_header(5);
        size_t size;
        arrays[2] = odd_right(&header.columns[2], 5);
        if (variant > 0) arrays[2].layout = ODD_CHUNKED, arrays[2].chunk = 2;
        if (variant > 1) arrays[2].filter = ODD_BOTH;
        if (variant > 2) arrays[2].filter = ODD_DEFLATE;
        uint8_t *bytes = build(header, 2, &arrays[2], &size);
        ThawFrame *frame;
        assert_ok(thaw_frame_parse(bytes, size, &frame));
        assert_int_equal(frame->count, 5);
        thaw_frame_free(frame);
        free(bytes);
    }
}

static void odd_datasets_are_refused(void **state) {
    (void)state;
    ThawHeader header = odd_header(5);
    const OddArray right = odd_right(&header.columns[2], 5);
#define LIE(word, ...)                                                                             \
    do {                                                                                           \
        OddArray odd = right;                                                                      \
        __VA_ARGS__;                                                                               \
        assert_lie(header, 2, &odd, word);                                                         \
    } while (0)
    LIE("missing", odd.link = ODD_MISSING);
    LIE("link", odd.link = ODD_SOFT);
    LIE("link", odd.link = ODD_EXTERNAL);
    LIE("no dataset", odd.link = ODD_GROUP);
    for (int type = 0; type <= 11; type++) {
        if (type != THAW_F64) LIE("type", odd.type = type);
    }
    LIE("extent", odd.extent[0] = 4);
    LIE("extent", odd.extent[0] = 6);
    LIE("extent", odd.extent[0] = 0);
    LIE("extent", odd.rank = 0);
    LIE("extent", odd.rank = 2);
    LIE("extent", odd.rank = 3);
    LIE("storage", odd.layout = ODD_COMPACT);
    LIE("storage", odd.layout = ODD_VIRTUAL);
    LIE("another file", odd.layout = ODD_OTHER_FILE);
    LIE("filter", odd.layout = ODD_CHUNKED, odd.filter = ODD_FLETCHER);
    LIE("filter", odd.layout = ODD_CHUNKED, odd.filter = ODD_SCALE, odd.unwritten = true);
    LIE("more data", odd.unwritten = true);
    LIE("more data", odd.layout = ODD_CHUNKED, odd.unwritten = true);
#undef LIE
}

// extents that are agreed upon but that no bytes stand behind
static void giant_extents_are_refused_before_memory_is_taken(void **state) {
    (void)state;
    for (int chunked = 0; chunked < 2; chunked++) {
        ThawHeader header = odd_header(0xfffffff0u);
        ThawHdf hdf;
        assert_true(thaw_hdf_create(&hdf, 4096));
        for (int k = 0; k < 3; k++) {
            OddArray huge = odd_right(&header.columns[k], header.count);
            huge.unwritten = true;
            if (chunked) huge.layout = ODD_CHUNKED, huge.chunk = 1000, huge.filter = ODD_BOTH;
            // position as two dimensions must fit HDF5's own limit on chunks
            odd_put(&hdf, &huge);
        }
        size_t size;
        uint8_t *bytes = odd_finish(&hdf, &header, &size);
        assert_non_null(bytes);
        ThawFrame *frame;
        assert_refused(thaw_frame_parse(bytes, size, &frame), "do not fit");
        free(bytes);
    }
}

static void chunks_beyond_the_rows_are_refused(void **state) {
    (void)state;
    // HDF5 lets a chunk be larger than a dataset that can grow
    ThawHeader header = odd_header(5);
    ThawHdf hdf;
    assert_true(thaw_hdf_create(&hdf, 4096));
    for (int k = 0; k < 2; k++) {
        OddArray right = odd_right(&header.columns[k], 5);
        odd_put(&hdf, &right);
    }
    hsize_t extent = 5, most = H5S_UNLIMITED, chunk = 1u << 28;
    double values[5] = {0};
    hid_t space = H5Screate_simple(1, &extent, &most), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 1, &chunk);
    H5Pset_alloc_time(plist, H5D_ALLOC_TIME_INCR);
    hid_t set =
        H5Dcreate2(hdf.file, "mass", H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    assert_true(set >= 0);
    (void)values;
    H5Dclose(set);
    H5Pclose(plist);
    H5Sclose(space);
    size_t size;
    uint8_t *bytes = odd_finish(&hdf, &header, &size);
    ThawFrame *frame;
    assert_refused(thaw_frame_parse(bytes, size, &frame), "chunks");
    free(bytes);
}

static void headers_that_lie_are_refused(void **state) {
    (void)state;
#define LIE(word, ...)                                                                             \
    do {                                                                                           \
        ThawHeader header = odd_header(5);                                                         \
        size_t size;                                                                               \
        uint8_t *bytes = build(header, -1, NULL, &size);                                           \
        header.image_size = size - THAW_HEADER_SIZE;                                               \
        header.image_hash = thaw_image_hash(bytes + THAW_HEADER_SIZE, header.image_size);          \
        __VA_ARGS__;                                                                               \
        thaw_header_encode(&header, bytes);                                                        \
        ThawFrame *frame = NULL;                                                                   \
        assert_refused(thaw_frame_parse(bytes, size, &frame), word);                               \
        free(bytes);                                                                               \
    } while (0)
    LIE("extent", header.count = 4);
    LIE("extent", header.count = 6);
    LIE("do not fit", header.count = UINT32_MAX);
    LIE("time", header.info.time = NAN);
    LIE("fps", header.info.fps = -1);
    LIE("spacing", header.info.spacing = INFINITY);
    LIE("support", header.info.support = 0);
    LIE("up axis", header.info.up = -1);
    LIE("dimensions", header.info.dimensions = 4);
    LIE("frame number", header.info.frame = -5);
    LIE("no frame", header.kind = THAW_FILE_CHECKPOINT);
    LIE("columns", header.column_count = 1);
    LIE("two columns", header.columns[2] = header.columns[0]);
    LIE("missing", strcpy(header.columns[2].name, "other"));
    LIE("name", strcpy(header.columns[2].name, "../x"));
    LIE("name", header.columns[2].name[0] = '\0');
    LIE("type", header.columns[2].type = THAW_F32);
    LIE("type", header.columns[2].components = 17);
    LIE("type", header.columns[2].components = 0);
    LIE("id and position", header.columns[0].type = THAW_I64);
    LIE("id and position", header.columns[1].components = 2);
    LIE("bytes, not", header.image_size++);
    LIE("checksum", header.image_hash++);
#undef LIE
}

static void ids_that_do_not_rise_are_refused(void **state) {
    (void)state;
    ThawHeader header = odd_header(3);
    ThawHdf hdf;
    assert_true(thaw_hdf_create(&hdf, 4096));
    const uint64_t ids[3] = {1, 3, 3};
    ThawHdfArray array = {.name = "id", .type = THAW_U64, .components = 1, .rows = 3, .flat = true};
    assert_true(thaw_hdf_put_array(&hdf, &array, ids));
    for (int k = 1; k < 3; k++) {
        OddArray right = odd_right(&header.columns[k], 3);
        odd_put(&hdf, &right);
    }
    size_t size;
    uint8_t *bytes = odd_finish(&hdf, &header, &size);
    ThawFrame *frame;
    assert_refused(thaw_frame_parse(bytes, size, &frame), "ids do not rise at row 2");
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(ten_thousand_flipped_bytes_are_refused),
        cmocka_unit_test(sentences_name_the_file_and_what_is_wrong),
        cmocka_unit_test(what_is_right_is_read),
        cmocka_unit_test(odd_datasets_are_refused),
        cmocka_unit_test(giant_extents_are_refused_before_memory_is_taken),
        cmocka_unit_test(chunks_beyond_the_rows_are_refused),
        cmocka_unit_test(headers_that_lie_are_refused),
        cmocka_unit_test(ids_that_do_not_rise_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
