// Values to bytes and back: one description of a format serves both ways.
//
// A codec either saves or loads. thaw_code_u32(codec, &x) appends x, or sets x from the next bytes. All
// numbers are little-endian and packed. A saving codec writes into a block, or only hashes; a loading
// one never reads past its end: it fails, and everything after gives zeros.
#ifndef THAW_WORLD_CODEC_H
#define THAW_WORLD_CODEC_H

#include <thaw/base.h>

// A 64-bit hash of bytes that may come in pieces; all but the last piece are multiples of 8 long.
typedef struct ThawHash {
    uint64_t state;
    uint64_t bytes;
} ThawHash;

void thaw_hash_add(ThawHash *hash, const uint8_t *bytes, size_t size);
uint64_t thaw_hash_value(const ThawHash *hash);
uint64_t thaw_hash_bytes(const uint8_t *bytes, size_t size);

#define THAW_CODEC_WINDOW 4096

typedef struct ThawCodec {
    bool loading;
    bool failed;           // loading only
    const uint8_t *source; // loading: `size` bytes
    uint8_t *target;       // saving: `size` bytes; NULL when only hashing
    size_t size, at;
    ThawHash hash;
    uint8_t window[THAW_CODEC_WINDOW + 8]; // bytes that were not hashed yet
} ThawCodec;

// thaw_codec_finish of a hashing codec gives the hash of all bytes; codec.at is their number.
void thaw_codec_hash(ThawCodec *codec);
uint64_t thaw_codec_finish(ThawCodec *codec);
void thaw_codec_save(ThawCodec *codec, uint8_t *target, size_t size);
void thaw_codec_load(ThawCodec *codec, const uint8_t *source, size_t size);

void thaw_code_bool(ThawCodec *codec, bool *value);
void thaw_code_u8(ThawCodec *codec, uint8_t *value);
void thaw_code_i32(ThawCodec *codec, int *value);
void thaw_code_u32(ThawCodec *codec, uint32_t *value);
void thaw_code_u64(ThawCodec *codec, uint64_t *value);
void thaw_code_f32(ThawCodec *codec, float *value);
void thaw_code_f64(ThawCodec *codec, double *value);
// One element of 1, 2, 4 or 8 bytes, whatever its type.
void thaw_code_element(ThawCodec *codec, void *element, size_t size);
// A string of fewer than `capacity` bytes, the rest zeros.
void thaw_code_name(ThawCodec *codec, char *name, size_t capacity);
// A number of things that take at least `least` bytes each: a loading codec fails when so many cannot
// follow, so that nobody allocates for what is not there.
void thaw_code_count(ThawCodec *codec, uint32_t *count, size_t least);

#endif
