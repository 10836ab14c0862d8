// libFuzzer target: checkpoints. The first byte chooses what the rest is: a file's bytes (0), or a description of
// good HDF5 with a header and an array that are odd in ways the bytes choose (1). As with frames, broken HDF5 under
// a right checksum is not tried.
#include "cache/odd.h"

#include <thaw/thaw.h>

static uint64_t word_of(const uint8_t *data, size_t size, size_t at, int bytes) {
    uint64_t word = 0;
    for (int k = 0; k < bytes; k++, at++) word = word << 8 | (at < size ? data[at] : 0u);
    return word;
}

static void try_bytes(const uint8_t *file, size_t file_size) {
    int frame;
    uint64_t hash;
    void *bytes = NULL;
    size_t size = 0;
    ThawResult result = thaw_checkpoint_parse(file, file_size, &frame, &hash, &bytes, &size);
    if ((result == THAW_OK) != (bytes != NULL)) abort();
    if (bytes != NULL) {
        if (size > file_size || frame < 0) abort();
        volatile uint8_t sum = 0;
        for (size_t k = 0; k < size; k++) sum = (uint8_t)(sum + ((uint8_t *)bytes)[k]);
        // nor does a world trust it
        ThawWorld *world;
        static const ThawHostDef host = {.threads = 1, .isa = THAW_ISA_BASELINE};
        if (thaw_world_load(bytes, size, &host, &world) == THAW_OK) thaw_world_destroy(world);
    }
    free(bytes);
}

static void try_plain(const uint8_t *data, size_t size) {
    uint8_t *bytes = malloc(size == 0 ? 1 : size); // exact, so that a read beyond shows
    if (bytes == NULL) return;
    if (size > 0) memcpy(bytes, data, size);
    try_bytes(bytes, size);
    free(bytes);
}

static void try_description(const uint8_t *data, size_t size) {
    uint8_t what = (uint8_t)word_of(data, size, 0, 1);
    hsize_t rows = word_of(data, size, 1, 1) % ODD_ROWS_MOST;
    ThawHeader header = {.kind = THAW_FILE_CHECKPOINT, .payload = rows};
    OddArray array = {
        .name = "snapshot", .type = THAW_U8, .rank = 1, .extent = {rows, 1, 1}, .chunk = rows};
    if (what & 1) array.link = (OddLink)(word_of(data, size, 2, 1) % 5);
    if (what & 2) array.type = (int)(word_of(data, size, 3, 1) % 12);
    if (what & 4) array.rank = (int)(word_of(data, size, 4, 1) % 4);
    if (what & 8) array.layout = (OddLayout)(word_of(data, size, 5, 1) % 5);
    if (what & 16) array.filter = (OddFilter)(word_of(data, size, 6, 1) % 6);
    if (what & 32) array.unwritten = true;
    if (what & 64) header.payload = word_of(data, size, 7, 8);
    if (what & 128) header.info.frame = (int)(int16_t)word_of(data, size, 15, 2);
    if (word_of(data, size, 17, 1) == 1) header.column_count = (int)word_of(data, size, 18, 1) % 65;
    ThawHdf hdf;
    if (!thaw_hdf_create(&hdf, 4096)) {
        thaw_hdf_close(&hdf);
        return;
    }
    odd_put(&hdf, &array);
    size_t file_size;
    uint8_t *file = odd_finish(&hdf, &header, &file_size);
    if (file != NULL) try_bytes(file, file_size);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    if (data[0] % 2 == 0) {
        try_plain(data + 1, size - 1);
    } else {
        try_description(data + 1, size - 1);
    }
    return 0;
}
