// Little-endian bytes, one element at a time.
#include "world/codec.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------- hash

static uint64_t word_at(const uint8_t *bytes, size_t size) {
    uint64_t word = 0;
    for (size_t k = 0; k < size; k++) word |= (uint64_t)bytes[k] << (8 * k);
    return word;
}

// every step is one-to-one in the state and in the word, so that a single damaged word always shows;
// multiplier and shift as in the finishing of SplitMix64
static uint64_t mix(uint64_t state, uint64_t word) {
    state = (state ^ word) * 0x9e3779b97f4a7c15u;
    return state ^ (state >> 29);
}

void thaw_hash_add(ThawHash *hash, const uint8_t *bytes, size_t size) {
    assert(hash->bytes % 8 == 0);
    size_t k = 0;
    for (; size - k >= 8; k += 8) hash->state = mix(hash->state, word_at(bytes + k, 8));
    if (k < size) hash->state = mix(hash->state, word_at(bytes + k, size - k));
    hash->bytes += size;
}

uint64_t thaw_hash_value(const ThawHash *hash) {
    uint64_t value = mix(hash->state, hash->bytes);
    return mix(value, 0x94d049bb133111ebu);
}

uint64_t thaw_hash_bytes(const uint8_t *bytes, size_t size) {
    ThawHash hash = {0};
    thaw_hash_add(&hash, bytes, size);
    return thaw_hash_value(&hash);
}

// ---------------------------------------------------------------- codec

void thaw_codec_hash(ThawCodec *codec) {
    memset(codec, 0, sizeof *codec);
}

uint64_t thaw_codec_finish(ThawCodec *codec) {
    thaw_hash_add(&codec->hash, codec->window, codec->at % THAW_CODEC_WINDOW);
    return thaw_hash_value(&codec->hash);
}

void thaw_codec_save(ThawCodec *codec, uint8_t *target, size_t size) {
    memset(codec, 0, sizeof *codec);
    codec->target = target;
    codec->size = size;
}

void thaw_codec_load(ThawCodec *codec, const uint8_t *source, size_t size) {
    memset(codec, 0, sizeof *codec);
    codec->loading = true;
    codec->source = source;
    codec->size = size;
}

static void store_bits(uint8_t *bytes, uint64_t bits, size_t size) {
    for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)(bits >> (8 * k));
}

// the window is a little longer than what is hashed at once, so that no element is cut
static void hash_bits(ThawCodec *codec, uint64_t bits, size_t size) {
    size_t at = codec->at % THAW_CODEC_WINDOW;
    store_bits(codec->window + at, bits, size);
    codec->at += size;
    if (at + size < THAW_CODEC_WINDOW) return;
    thaw_hash_add(&codec->hash, codec->window, THAW_CODEC_WINDOW);
    memmove(codec->window, codec->window + THAW_CODEC_WINDOW, at + size - THAW_CODEC_WINDOW);
}

static uint64_t load_bits(ThawCodec *codec, size_t size) {
    if (codec->failed || codec->size - codec->at < size) {
        codec->failed = true;
        return 0;
    }
    uint64_t bits = word_at(codec->source + codec->at, size);
    codec->at += size;
    return bits;
}

static uint64_t code_bits(ThawCodec *codec, uint64_t bits, size_t size) {
    if (codec->loading) return load_bits(codec, size);
    if (codec->target == NULL) {
        hash_bits(codec, bits, size);
        return bits;
    }
    assert(codec->size - codec->at >= size);
    store_bits(codec->target + codec->at, bits, size);
    codec->at += size;
    return bits;
}

// ---------------------------------------------------------------- values

void thaw_code_u8(ThawCodec *codec, uint8_t *value) {
    *value = (uint8_t)code_bits(codec, *value, 1);
}

void thaw_code_bool(ThawCodec *codec, bool *value) {
    uint64_t bits = code_bits(codec, *value, 1);
    if (bits > 1) codec->failed = true;
    *value = bits == 1;
}

void thaw_code_u32(ThawCodec *codec, uint32_t *value) {
    *value = (uint32_t)code_bits(codec, *value, 4);
}

void thaw_code_i32(ThawCodec *codec, int *value) {
    uint32_t bits = (uint32_t)*value;
    thaw_code_u32(codec, &bits);
    int32_t narrow;
    memcpy(&narrow, &bits, sizeof narrow);
    *value = narrow;
}

void thaw_code_u64(ThawCodec *codec, uint64_t *value) {
    *value = code_bits(codec, *value, 8);
}

void thaw_code_f32(ThawCodec *codec, float *value) {
    thaw_code_element(codec, value, sizeof *value);
}

void thaw_code_f64(ThawCodec *codec, double *value) {
    thaw_code_element(codec, value, sizeof *value);
}

void thaw_code_element(ThawCodec *codec, void *element, size_t size) {
    uint8_t bits8;
    uint16_t bits16;
    uint32_t bits32;
    uint64_t bits64;
    switch (size) {
    case 1:
        memcpy(&bits8, element, 1);
        bits8 = (uint8_t)code_bits(codec, bits8, 1);
        memcpy(element, &bits8, 1);
        break;
    case 2:
        memcpy(&bits16, element, 2);
        bits16 = (uint16_t)code_bits(codec, bits16, 2);
        memcpy(element, &bits16, 2);
        break;
    case 4:
        memcpy(&bits32, element, 4);
        bits32 = (uint32_t)code_bits(codec, bits32, 4);
        memcpy(element, &bits32, 4);
        break;
    default:
        assert(size == 8);
        memcpy(&bits64, element, 8);
        bits64 = code_bits(codec, bits64, 8);
        memcpy(element, &bits64, 8);
    }
}

void thaw_code_name(ThawCodec *codec, char *name, size_t capacity) {
    assert(capacity >= 1 && capacity <= 256);
    uint8_t length = codec->loading ? 0 : (uint8_t)strnlen(name, capacity - 1);
    thaw_code_u8(codec, &length);
    if (codec->loading) {
        memset(name, 0, capacity);
        if (length >= capacity) codec->failed = true;
    }
    for (uint8_t k = 0; k < length && !codec->failed; k++) {
        thaw_code_element(codec, &name[k], 1);
        if (name[k] == '\0') codec->failed = true;
    }
}

void thaw_code_count(ThawCodec *codec, uint32_t *count, size_t least) {
    thaw_code_u32(codec, count);
    if (!codec->loading) return;
    if (codec->failed || *count > (codec->size - codec->at) / least) {
        codec->failed = true;
        *count = 0;
    }
}
