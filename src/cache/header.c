// The block in front of the HDF5 part: coding, checksum, and what may stand in it.
#include "cache/header.h"

#include "base/result.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define COLUMN_SIZE 40u

// where things stand in the block
enum {
    AT_FORMAT = 8,
    AT_KIND = 12,
    AT_IMAGE_SIZE = 16,
    AT_IMAGE_HASH = 24,
    AT_HASH = 32,
    AT_FRAME = 40,
    AT_COUNT = 44,
    AT_TIME = 48,
    AT_FPS = 56,
    AT_SPACING = 64,
    AT_SUPPORT = 72,
    AT_UP = 80,
    AT_DIMENSIONS = 84,
    AT_SCENE_HASH = 88,
    AT_VERSION = 96,
    AT_PAYLOAD = 112,
    AT_COLUMN_COUNT = 120,
    AT_COLUMNS = 128,
    AT_DT = 2688,
    AT_MATERIAL_COUNT = 2696,
    AT_DENSITIES = 2704,
    AT_FRACTURES = 2960,
    AT_COLLIDERS = 2964
};

static const char magic[8] = {'T', 'H', 'A', 'W', 'F', 'I', 'L', 'E'};

static_assert(AT_COLUMNS + THAW_COLUMNS_MOST * COLUMN_SIZE <= AT_DT, "columns fit");
static_assert(AT_DENSITIES + THAW_FRAME_MATERIALS * 8 <= AT_FRACTURES, "densities fit");

// ---------------------------------------------------------------- types

size_t thaw_element_size(ThawType type) {
    switch (type) {
    case THAW_U8: return 1;
    case THAW_U16: return 2;
    case THAW_F32:
    case THAW_I32: return 4;
    case THAW_F64:
    case THAW_I64:
    case THAW_U64: return 8;
    }
    return 0;
}

size_t thaw_column_row(const ThawColumn *column) {
    return thaw_element_size(column->type) * column->components;
}

bool thaw_column_name_fits(const char *name) {
    size_t length = 0;
    for (; name[length] != '\0'; length++) {
        char c = name[length];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (length == 31 || (!plain && c != '_')) return false;
    }
    return length > 0;
}

// ---------------------------------------------------------------- hash

// one-to-one in the state and in the word, so that a single damaged word always shows; multiplier and
// shift as in the finishing of SplitMix64
static uint64_t mix(uint64_t state, uint64_t word) {
    state = (state ^ word) * 0x9e3779b97f4a7c15u;
    return state ^ (state >> 29);
}

static uint64_t word_at(const uint8_t *b) {
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

uint64_t thaw_image_hash(const uint8_t *bytes, size_t size) {
    uint64_t state = mix(0, size);
    size_t k = 0;
    for (; size - k >= 8; k += 8) state = mix(state, word_at(bytes + k));
    uint8_t rest[8] = {0};
    if (k < size) memcpy(rest, bytes + k, size - k);
    return mix(mix(state, word_at(rest)), 0x94d049bb133111ebu);
}

static uint64_t block_hash(const uint8_t *block) {
    uint64_t before = thaw_image_hash(block, AT_HASH);
    return mix(before, thaw_image_hash(block + AT_FRAME, THAW_HEADER_SIZE - AT_FRAME));
}

// ---------------------------------------------------------------- coding

static void put_u32(uint8_t *at, uint32_t value) {
    for (int k = 0; k < 4; k++) at[k] = (uint8_t)(value >> (8 * k));
}

static void put_u64(uint8_t *at, uint64_t value) {
    for (int k = 0; k < 8; k++) at[k] = (uint8_t)(value >> (8 * k));
}

static void put_f64(uint8_t *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u64(at, bits);
}

// the block is zero already
static void put_name(uint8_t *at, const char *name, size_t capacity) {
    memcpy(at, name, strnlen(name, capacity - 1));
}

static uint32_t get_u32(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static int get_i32(const uint8_t *at) {
    uint32_t bits = get_u32(at);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double get_f64(const uint8_t *at) {
    uint64_t bits = word_at(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void thaw_header_encode(const ThawHeader *header, uint8_t block[THAW_HEADER_SIZE]) {
    const ThawFrameInfo *info = &header->info;
    memset(block, 0, THAW_HEADER_SIZE);
    memcpy(block, magic, sizeof magic);
    put_u32(block + AT_FORMAT, THAW_FORMAT);
    put_u32(block + AT_KIND, (uint32_t)header->kind);
    put_u64(block + AT_IMAGE_SIZE, header->image_size);
    put_u64(block + AT_IMAGE_HASH, header->image_hash);
    put_u32(block + AT_FRAME, (uint32_t)info->frame);
    put_u32(block + AT_COUNT, header->count);
    put_f64(block + AT_TIME, info->time);
    put_f64(block + AT_FPS, info->fps);
    put_f64(block + AT_SPACING, info->spacing);
    put_f64(block + AT_SUPPORT, info->support);
    put_u32(block + AT_UP, (uint32_t)info->up);
    put_u32(block + AT_DIMENSIONS, (uint32_t)info->dimensions);
    put_u64(block + AT_SCENE_HASH, info->scene_hash);
    put_name(block + AT_VERSION, info->thaw_version, sizeof info->thaw_version);
    put_u64(block + AT_PAYLOAD, header->payload);
    put_u32(block + AT_COLUMN_COUNT, (uint32_t)header->column_count);
    for (int k = 0; k < header->column_count; k++) {
        uint8_t *at = block + AT_COLUMNS + (size_t)k * COLUMN_SIZE;
        put_name(at, header->columns[k].name, sizeof header->columns[k].name);
        put_u32(at + 32, (uint32_t)header->columns[k].type);
        put_u32(at + 36, header->columns[k].components);
    }
    put_f64(block + AT_DT, info->dt);
    put_u32(block + AT_MATERIAL_COUNT, (uint32_t)info->material_count);
    for (int k = 0; k < info->material_count; k++) {
        put_f64(block + AT_DENSITIES + 8 * (size_t)k, info->rest_density[k]);
    }
    put_u32(block + AT_FRACTURES, header->fractures);
    put_u32(block + AT_COLLIDERS, header->colliders);
    put_u64(block + AT_HASH, block_hash(block));
}

static void decode_columns(const uint8_t *block, ThawHeader *header) {
    for (int k = 0; k < header->column_count; k++) {
        const uint8_t *at = block + AT_COLUMNS + (size_t)k * COLUMN_SIZE;
        ThawColumn *column = &header->columns[k];
        memcpy(column->name, at, sizeof column->name - 1); // the last one stays '\0'
        uint32_t type = get_u32(at + 32);
        // beyond the types: one that no check lets pass
        column->type = (ThawType)(type <= (uint32_t)THAW_U64 ? type : (uint32_t)THAW_U64 + 1);
        column->components = get_u32(at + 36);
    }
}

static void decode_content(const uint8_t *block, ThawHeader *header) {
    ThawFrameInfo *info = &header->info;
    info->frame = get_i32(block + AT_FRAME);
    header->count = get_u32(block + AT_COUNT);
    info->time = get_f64(block + AT_TIME);
    info->fps = get_f64(block + AT_FPS);
    info->spacing = get_f64(block + AT_SPACING);
    info->support = get_f64(block + AT_SUPPORT);
    info->up = get_i32(block + AT_UP);
    info->dimensions = get_i32(block + AT_DIMENSIONS);
    info->scene_hash = word_at(block + AT_SCENE_HASH);
    memcpy(info->thaw_version, block + AT_VERSION, sizeof info->thaw_version - 1);
    header->payload = word_at(block + AT_PAYLOAD);
    header->column_count = get_i32(block + AT_COLUMN_COUNT);
    info->dt = get_f64(block + AT_DT);
    info->material_count = get_i32(block + AT_MATERIAL_COUNT);
    header->fractures = get_u32(block + AT_FRACTURES);
    header->colliders = get_u32(block + AT_COLLIDERS);
    for (int k = 0; k < THAW_FRAME_MATERIALS; k++) {
        info->rest_density[k] = get_f64(block + AT_DENSITIES + 8 * (size_t)k);
    }
}

// ---------------------------------------------------------------- checks

// names that a frame's fractures and colliders take
static bool is_reserved(const char *name) {
    static const char *const taken[] = {THAW_FRACTURE_TIME,     THAW_FRACTURE_POSITION,
                                        THAW_FRACTURE_PAIR,     THAW_COLLIDER_NUMBER,
                                        THAW_COLLIDER_POSITION, THAW_COLLIDER_ROTATION,
                                        THAW_COLLIDER_VELOCITY, THAW_COLLIDER_SPIN};
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        if (strcmp(name, taken[k]) == 0) return true;
    }
    return false;
}

static ThawResult check_columns(const ThawHeader *header, const char *name) {
    const ThawColumn *columns = header->columns;
    for (int k = 0; k < header->column_count; k++) {
        if (!thaw_column_name_fits(columns[k].name) || is_reserved(columns[k].name)) {
            return thaw_fail(THAW_BAD_INPUT, "%s: column %d has a name that is not allowed", name,
                             k + 1);
        }
        if (thaw_element_size(columns[k].type) == 0 || columns[k].components < 1 ||
            columns[k].components > THAW_COMPONENTS_MOST) {
            return thaw_fail(THAW_BAD_INPUT, "%s: column \"%s\" has a type that is not allowed",
                             name, columns[k].name);
        }
        for (int j = 0; j < k; j++) {
            if (strcmp(columns[j].name, columns[k].name) == 0) {
                return thaw_fail(THAW_BAD_INPUT, "%s: there are two columns \"%s\"", name,
                                 columns[k].name);
            }
        }
    }
    if (strcmp(columns[0].name, "id") != 0 || columns[0].type != THAW_U64 ||
        columns[0].components != 1 || strcmp(columns[1].name, "position") != 0 ||
        columns[1].type != THAW_F32 || columns[1].components != 3) {
        return thaw_fail(THAW_BAD_INPUT, "%s: the first columns are not id and position", name);
    }
    return THAW_OK;
}

static bool is_size(double value) {
    return isfinite(value) && value > 0;
}

static bool has_sound_materials(const ThawFrameInfo *info) {
    if (info->material_count < 0 || info->material_count > THAW_FRAME_MATERIALS) return false;
    for (int k = 0; k < info->material_count; k++) {
        if (!is_size(info->rest_density[k])) return false;
    }
    return true;
}

ThawResult thaw_header_check(const ThawHeader *header, const char *name) {
    const ThawFrameInfo *info = &header->info;
    const char *wrong = NULL;
    if (info->frame < 0 || info->frame > THAW_FRAME_LAST) wrong = "frame number";
    if (!has_sound_materials(info)) wrong = "rest density";
    if (memchr(info->thaw_version, '\0', sizeof info->thaw_version) == NULL) wrong = "version";
    if (header->kind == THAW_FILE_FRAME) {
        if (!isfinite(info->time)) wrong = "time";
        if (!isfinite(info->dt) || info->dt < 0) wrong = "dt";
        if (!is_size(info->fps)) wrong = "fps";
        if (!is_size(info->spacing)) wrong = "spacing";
        if (!is_size(info->support)) wrong = "support";
        if (info->up < 0 || info->up > 2) wrong = "up axis";
        if (info->dimensions != 2 && info->dimensions != 3) wrong = "number of dimensions";
        if (header->column_count < 2 || header->column_count > THAW_COLUMNS_MOST) {
            wrong = "number of columns";
        }
    } else if (header->column_count != 0) {
        wrong = "number of columns";
    } else if (header->fractures != 0) {
        wrong = "number of fractures";
    } else if (header->colliders != 0) {
        wrong = "number of colliders";
    }
    if (wrong != NULL) return thaw_fail(THAW_BAD_INPUT, "%s: impossible %s", name, wrong);
    return header->kind == THAW_FILE_FRAME ? check_columns(header, name) : THAW_OK;
}

// ---------------------------------------------------------------- reading

static const char *kind_name(ThawFileKind kind) {
    return kind == THAW_FILE_FRAME ? "frame" : "checkpoint";
}

static ThawResult check_block(const uint8_t *block, ThawFileKind kind, const char *name) {
    if (memcmp(block, magic, sizeof magic) != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s is not a %s of thaw", name, kind_name(kind));
    }
    if (get_u32(block + AT_FORMAT) != THAW_FORMAT) {
        return thaw_fail(THAW_BAD_INPUT, "%s has format version %lu; this thaw reads version %u",
                         name, (unsigned long)get_u32(block + AT_FORMAT), THAW_FORMAT);
    }
    if (word_at(block + AT_HASH) != block_hash(block)) {
        return thaw_fail(THAW_BAD_INPUT, "%s is damaged: the checksum of its header is wrong",
                         name);
    }
    if (get_u32(block + AT_KIND) != (uint32_t)kind) {
        return thaw_fail(THAW_BAD_INPUT, "%s is a file of thaw, but no %s", name, kind_name(kind));
    }
    return THAW_OK;
}

ThawResult thaw_header_decode(const uint8_t block[THAW_HEADER_SIZE], size_t size, ThawFileKind kind,
                              const char *name, ThawHeader *header) {
    assert(size >= THAW_HEADER_SIZE);
    memset(header, 0, sizeof *header);
    ThawResult result = check_block(block, kind, name);
    if (result != THAW_OK) return result;
    header->kind = kind;
    header->image_size = word_at(block + AT_IMAGE_SIZE);
    header->image_hash = word_at(block + AT_IMAGE_HASH);
    if (header->image_size != size - THAW_HEADER_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "%s is damaged: it should have %llu bytes, not %zu", name,
                         (unsigned long long)header->image_size + THAW_HEADER_SIZE, size);
    }
    decode_content(block, header);
    if (kind == THAW_FILE_FRAME && header->column_count >= 0 &&
        header->column_count <= THAW_COLUMNS_MOST) {
        decode_columns(block, header);
    }
    return thaw_header_check(header, name);
}

ThawResult thaw_header_verify(const uint8_t *bytes, size_t size, ThawFileKind kind,
                              const char *name, ThawHeader *header) {
    if (size < THAW_HEADER_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "%s is not a %s of thaw: it is too short", name,
                         kind_name(kind));
    }
    ThawResult result = thaw_header_decode(bytes, size, kind, name, header);
    if (result != THAW_OK) return result;
    if (thaw_image_hash(bytes + THAW_HEADER_SIZE, size - THAW_HEADER_SIZE) != header->image_hash) {
        return thaw_fail(THAW_BAD_INPUT, "%s is damaged: its checksum is wrong", name);
    }
    return THAW_OK;
}
