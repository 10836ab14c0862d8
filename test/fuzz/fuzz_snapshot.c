// libFuzzer target: a snapshot of any bytes. The first byte chooses whether the header is made right, so
// that the fuzzer reaches what lies behind the checksum.
//
// clang -fsanitize=fuzzer,address,undefined ... test/fuzz/fuzz_snapshot.c; run with a folder of snapshots
#include <stdlib.h>
#include <string.h>
#include <thaw/thaw.h>

#include "world/codec.h"

#define HEADER 32

static void write_header(uint8_t *bytes, size_t size) {
    uint64_t hash = thaw_hash_bytes(bytes + HEADER, size - HEADER), content = size - HEADER;
    memcpy(bytes, "THAWSNAP\7\0\0\0\0\0\0", 16);
    for (int k = 0; k < 8; k++) {
        bytes[16 + k] = (uint8_t)(content >> (8 * k));
        bytes[24 + k] = (uint8_t)(hash >> (8 * k));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ThawHostDef host = {.threads = 1, .isa = THAW_ISA_BASELINE};
    if (size == 0) return 0;
    uint8_t *bytes = malloc(size); // of nearly the exact size, so that a read beyond it shows
    if (bytes == NULL) return 0;
    memcpy(bytes, data + 1, size - 1);
    if (data[0] != 0 && size - 1 >= HEADER) write_header(bytes, size - 1);
    ThawWorld *world = NULL;
    if (thaw_world_load(bytes, size - 1, &host, &world) == THAW_OK) {
        // what loads can be looked at and must save
        ThawView view;
        if (thaw_world_view(world, "stress", &view) != THAW_OK) abort();
        if (thaw_world_view(world, "plastic_strain", &view) != THAW_OK) abort();
        void *again;
        size_t again_size;
        if (thaw_world_save(world, &again, &again_size) != THAW_OK) abort();
        thaw_snapshot_free(again);
        thaw_world_destroy(world);
    }
    free(bytes);
    return 0;
}
