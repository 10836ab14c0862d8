// libFuzzer target: frames. The first byte chooses what the rest is.
//
//   0  a file's bytes, as they are: stops at the checksum unless they are right
//   1  values for the fields of a header over a good HDF5 part, with the checksums made right
//   2  a description of a file: good HDF5 made with libhdf5, whose arrays are odd in ways the bytes choose
//
// What is not tried: HDF5 parts that are themselves broken under a right checksum. They would find the faults of
// libhdf5; only somebody who computes our checksum can make them.
#include "cache/odd.h"

#include <thaw/thaw.h>

typedef struct Source {
    const uint8_t *data;
    size_t size;
} Source;

static uint8_t next_byte(Source *source) {
    if (source->size == 0) return 0;
    source->size--;
    return *source->data++;
}

static uint64_t next_word(Source *source, int bytes) {
    uint64_t word = 0;
    for (int k = 0; k < bytes; k++) word = word << 8 | next_byte(source);
    return word;
}

static double next_double(Source *source) {
    uint64_t bits = next_word(source, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int next_int(Source *source) {
    return (int)(int16_t)next_word(source, 2);
}

// ---------------------------------------------------------------- what is read must hold together

static void check_frame(const ThawFrame *frame) {
    const uint64_t *ids = thaw_frame_column(frame, "id")->data;
    for (uint32_t k = 1; k < frame->count; k++) {
        if (ids[k] <= ids[k - 1]) abort();
    }
    // every value can be touched
    volatile uint8_t sum = 0;
    for (int k = 0; k < frame->column_count; k++) {
        const uint8_t *data = frame->columns[k].data;
        size_t bytes = thaw_column_row(&frame->columns[k]) * frame->count;
        for (size_t b = 0; b < bytes; b++) sum = (uint8_t)(sum + data[b]);
    }
}

static void try_bytes(const uint8_t *bytes, size_t size) {
    ThawFrame *frame = NULL;
    ThawResult result = thaw_frame_parse(bytes, size, &frame);
    if ((result == THAW_OK) != (frame != NULL)) abort();
    if (frame != NULL) check_frame(frame);
    thaw_frame_free(frame);
}

// ---------------------------------------------------------------- the three kinds

static void try_plain(Source *source) {
    uint8_t *bytes =
        malloc(source->size == 0 ? 1 : source->size); // exact, so that a read beyond shows
    if (bytes == NULL) return;
    if (source->size > 0) memcpy(bytes, source->data, source->size);
    try_bytes(bytes, source->size);
    free(bytes);
}

static void twist_column(Source *source, ThawColumn *column) {
    uint8_t letter = next_byte(source);
    if (letter % 4 == 0) memcpy(column->name, "position\0mass\0idx", 16);
    if (letter % 4 == 1) column->name[letter / 8 % 32 % sizeof column->name] = (char)letter;
    if (letter % 4 == 2) column->type = (ThawType)(next_byte(source) % 8);
    if (letter % 4 == 3) column->components = (uint32_t)next_word(source, 1 + letter / 64);
    column->name[sizeof column->name - 1] = '\0';
}

static void twist_header(Source *source, ThawHeader *header) {
    while (source->size > 0) {
        switch (next_byte(source) % 13) {
        case 0: header->count = (uint32_t)next_word(source, 1 + next_byte(source) % 4); break;
        case 1: header->info.frame = next_int(source); break;
        case 2: header->info.time = next_double(source); break;
        case 3: header->info.fps = next_double(source); break;
        case 4: header->info.spacing = next_double(source); break;
        case 5: header->info.support = next_double(source); break;
        case 6: header->info.up = next_int(source); break;
        case 7: header->info.dimensions = next_int(source); break;
        case 8: header->column_count = next_byte(source) % (THAW_COLUMNS_MOST + 1); break;
        case 9: header->image_size += next_word(source, 1); break;
        case 10: header->kind = (ThawFileKind)(next_byte(source) % 4); break;
        case 11: header->payload = next_word(source, 8); break;
        default: twist_column(source, &header->columns[next_byte(source) % THAW_COLUMNS_MOST]);
        }
    }
}

static void put_right(ThawHdf *hdf, const ThawHeader *header) {
    for (int k = 0; k < header->column_count; k++) {
        OddArray right = odd_right(&header->columns[k], header->count);
        odd_put(hdf, &right);
    }
}

static void try_header(Source *source) {
    ThawHeader header = odd_header(next_byte(source) % 9);
    ThawHdf hdf;
    size_t size;
    uint8_t *bytes = NULL;
    if (thaw_hdf_create(&hdf, 4096)) {
        put_right(&hdf, &header);
        bytes = odd_finish(&hdf, &header, &size);
    } else {
        thaw_hdf_close(&hdf);
    }
    if (bytes == NULL) return;
    twist_header(source, &header);
    thaw_header_encode(&header, bytes);
    try_bytes(bytes, size);
    free(bytes);
}

static OddArray next_array(Source *source, const ThawColumn *column, uint32_t count) {
    OddArray array = odd_right(column, count);
    uint8_t what = next_byte(source);
    if (what & 1) array.link = (OddLink)(next_byte(source) % 5);
    if (what & 2) array.type = next_byte(source) % 12;
    if (what & 4) array.rank = next_byte(source) % 4;
    if (what & 8) array.layout = (OddLayout)(next_byte(source) % 5);
    if (what & 16) array.filter = (OddFilter)(next_byte(source) % 6);
    if (what & 32) array.unwritten = true;
    if (what & 64) array.extent[next_byte(source) % 3] = next_byte(source) % 20;
    if (what & 128) array.chunk = next_byte(source) % 20;
    // extents without bytes behind them may be as large as they like
    if (array.unwritten && array.layout == ODD_CHUNKED && next_byte(source) == 1) {
        array.extent[0] = next_word(source, 5);
    }
    return array;
}

static void try_description(Source *source) {
    ThawHeader header = odd_header(next_byte(source) % 9);
    ThawHdf hdf;
    if (!thaw_hdf_create(&hdf, 4096)) {
        thaw_hdf_close(&hdf);
        return;
    }
    for (int k = 0; k < header.column_count; k++) {
        OddArray array = next_array(source, &header.columns[k], header.count);
        odd_put(&hdf, &array);
    }
    if (next_byte(source) == 1) header.count = (uint32_t)next_word(source, 4);
    size_t size;
    uint8_t *bytes = odd_finish(&hdf, &header, &size);
    if (bytes != NULL) try_bytes(bytes, size);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Source source = {data, size};
    switch (next_byte(&source) % 3) {
    case 0: try_plain(&source); break;
    case 1: try_header(&source); break;
    default: try_description(&source);
    }
    return 0;
}
