// Digests, eight bytes at a time (the steps are those of MurmurHash3): files of gigabytes are read at the
// disk's speed.
#include "scene/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define CHUNK ((size_t)1 << 20)

static uint64_t turn_left(uint64_t word, int bits) {
    return word << bits | word >> (64 - bits);
}

static uint64_t mix(uint64_t digest, uint64_t word) {
    word = turn_left(word * 0x87c37b91114253d5u, 31) * 0x4cf5ad432745937fu;
    return turn_left(digest ^ word, 27) * 5 + 0x52dce729u;
}

// up to eight bytes, the first the lowest
static uint64_t word_of(const unsigned char *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t k = 0; k < count; k++) word |= (uint64_t)bytes[k] << (8 * k);
    return word;
}

uint64_t scene_digest(uint64_t before, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    uint64_t digest = before;
    size_t whole = size / 8 * 8;
    for (size_t k = 0; k < whole; k += 8) digest = mix(digest, word_of(at + k, 8));
    if (size > whole) digest = mix(digest, word_of(at + whole, size - whole));
    return mix(digest, size);
}

bool scene_digest_file(uint64_t *digest, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    unsigned char *chunk = malloc(CHUNK);
    bool good = chunk != NULL;
    while (good) {
        size_t count = fread(chunk, 1, CHUNK, file);
        if (ferror(file)) good = false;
        if (count == 0 || !good) break;
        *digest = scene_digest(*digest, chunk, count);
    }
    int reason = chunk == NULL ? ENOMEM : errno;
    free(chunk);
    fclose(file);
    errno = reason;
    return good;
}
