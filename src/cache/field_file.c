// Distance fields as files: a small block with a checksum, then the field's own bytes.
//
//   bytes 0..7 "THAWFELD", u32 format, u32 0, u64 size and u64 hash of the rest; little endian
#include "cache/files.h"
#include "cache/header.h"

#include "base/result.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_FORMAT 1u
#define BLOCK_SIZE 32u

static const char magic[8] = {'T', 'H', 'A', 'W', 'F', 'E', 'L', 'D'};

static void put_word(uint8_t *at, uint64_t value, int bytes) {
    for (int k = 0; k < bytes; k++) at[k] = (uint8_t)(value >> (8 * k));
}

static uint64_t get_word(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int k = 0; k < bytes; k++) value |= (uint64_t)at[k] << (8 * k);
    return value;
}

ThawResult thaw_field_write(const ThawField *field, const char *path) {
    assert(field != NULL && path != NULL);
    void *bytes;
    size_t size;
    ThawResult result = thaw_field_pack(field, &bytes, &size);
    if (result != THAW_OK) return result;
    uint8_t block[BLOCK_SIZE] = {0};
    memcpy(block, magic, sizeof magic);
    put_word(block + 8, FIELD_FORMAT, 4);
    put_word(block + 16, size, 8);
    put_word(block + 24, thaw_image_hash(bytes, size), 8);
    ThawFile *file;
    result = thaw_file_create(path, &file);
    if (result == THAW_OK) {
        thaw_file_append(file, block, sizeof block);
        thaw_file_append(file, bytes, size);
        result = thaw_file_commit(file);
    }
    thaw_field_free_bytes(bytes);
    return result;
}

static ThawResult check_block(const uint8_t *bytes, size_t size, const char *path) {
    if (size < BLOCK_SIZE || memcmp(bytes, magic, sizeof magic) != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s is not a field of thaw", path);
    }
    if (get_word(bytes + 8, 4) != FIELD_FORMAT) {
        return thaw_fail(THAW_BAD_INPUT, "%s has format version %lu; this thaw reads version %u",
                         path, (unsigned long)get_word(bytes + 8, 4), FIELD_FORMAT);
    }
    if (get_word(bytes + 16, 8) != size - BLOCK_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "%s is damaged: it should have %llu bytes, not %zu", path,
                         (unsigned long long)get_word(bytes + 16, 8) + BLOCK_SIZE, size);
    }
    if (get_word(bytes + 24, 8) != thaw_image_hash(bytes + BLOCK_SIZE, size - BLOCK_SIZE)) {
        return thaw_fail(THAW_BAD_INPUT, "%s is damaged: its checksum is wrong", path);
    }
    return THAW_OK;
}

ThawResult thaw_field_read(const char *path, ThawField **field) {
    assert(path != NULL && field != NULL);
    *field = NULL;
    uint8_t *bytes;
    size_t size;
    ThawResult result = thaw_file_load(path, &bytes, &size);
    if (result != THAW_OK) return result;
    result = check_block(bytes, size, path);
    if (result == THAW_OK) {
        result = thaw_field_unpack(bytes + BLOCK_SIZE, size - BLOCK_SIZE, field);
    }
    free(bytes);
    return result;
}
