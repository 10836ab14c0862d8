// Checkpoints: a world's snapshot in an HDF5 file. Not compressed: it is written often, read once.
#include "cache/checkpoint.h"
#include "cache/files.h"
#include "cache/hdf.h"
#include "cache/header.h"

#include "base/result.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static ThawHdfArray snapshot_array(uint64_t size) {
    return (ThawHdfArray){
        .name = "snapshot", .type = THAW_U8, .components = 1, .rows = size, .flat = true};
}

// ---------------------------------------------------------------- writing

static uint8_t *build_file(const ThawHeader *header, const void *bytes, size_t *size) {
    uint8_t *file = NULL;
    ThawHdf hdf;
    ThawHdfArray array = snapshot_array(header->payload);
    if (thaw_hdf_create(&hdf, (size_t)header->payload) &&
        thaw_hdf_put_i32(&hdf, "format_version", (int32_t)THAW_FORMAT) &&
        thaw_hdf_put_text(&hdf, NULL, "thaw_version", header->info.thaw_version) &&
        thaw_hdf_put_i32(&hdf, "frame", header->info.frame) &&
        thaw_hdf_put_u64(&hdf, "scene_hash", header->info.scene_hash) &&
        thaw_hdf_put_array(&hdf, &array, bytes)) {
        file = thaw_hdf_finish(&hdf, size);
    }
    thaw_hdf_close(&hdf);
    return file;
}

ThawResult thaw_checkpoint_write(const char *path, int frame, uint64_t scene_hash,
                                 const void *bytes, size_t size) {
    ThawHeader header = {.kind = THAW_FILE_CHECKPOINT, .payload = size};
    header.info.frame = frame;
    header.info.scene_hash = scene_hash;
    strncpy(header.info.thaw_version, THAW_VERSION, sizeof header.info.thaw_version - 1);
    ThawResult result = thaw_header_check(&header, "the checkpoint");
    if (result != THAW_OK) return result;
    size_t file_size;
    uint8_t *file = build_file(&header, bytes, &file_size);
    if (file == NULL) {
        return thaw_fail(THAW_OUT_OF_MEMORY,
                         "cannot write \"%s\": HDF5 could not make it in memory", path);
    }
    header.image_size = file_size - THAW_HEADER_SIZE;
    header.image_hash = thaw_image_hash(file + THAW_HEADER_SIZE, file_size - THAW_HEADER_SIZE);
    thaw_header_encode(&header, file);
    result = thaw_file_write(path, file, file_size);
    free(file);
    return result;
}

// ---------------------------------------------------------------- reading

static ThawResult read_snapshot(const void *file, size_t file_size, const char *name, void *bytes,
                                uint64_t size) {
    ThawHdf hdf;
    const char *wrong = "cannot be found";
    ThawHdfArray array = snapshot_array(size);
    if (thaw_hdf_open(&hdf, file, file_size)) wrong = thaw_hdf_get_array(&hdf, &array, bytes);
    thaw_hdf_close(&hdf);
    if (wrong == NULL) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: dataset \"snapshot\" %s", name, wrong);
}

static ThawResult parse_checkpoint(const void *file, size_t file_size, const char *name,
                                   ThawHeader *header, void **bytes) {
    *bytes = NULL;
    ThawResult result = thaw_header_verify(file, file_size, THAW_FILE_CHECKPOINT, name, header);
    if (result != THAW_OK) return result;
    // it is not compressed
    if (header->payload > file_size) {
        return thaw_fail(THAW_BAD_INPUT, "%s: a snapshot of %llu bytes does not fit into %zu", name,
                         (unsigned long long)header->payload, file_size);
    }
    void *block = malloc(header->payload == 0 ? 1 : (size_t)header->payload);
    if (block == NULL) return thaw_fail_memory((size_t)header->payload);
    result = read_snapshot(file, file_size, name, block, header->payload);
    if (result == THAW_OK) {
        *bytes = block;
    } else {
        free(block);
    }
    return result;
}

static ThawResult give_out(ThawResult result, const ThawHeader *header, int *frame,
                           uint64_t *scene_hash, size_t *size) {
    if (result != THAW_OK) return result;
    if (frame != NULL) *frame = header->info.frame;
    if (scene_hash != NULL) *scene_hash = header->info.scene_hash;
    if (size != NULL) *size = (size_t)header->payload;
    return THAW_OK;
}

ThawResult thaw_checkpoint_parse(const void *file, size_t file_size, int *frame,
                                 uint64_t *scene_hash, void **bytes, size_t *size) {
    assert((file != NULL || file_size == 0) && bytes != NULL && size != NULL);
    ThawHeader header;
    ThawResult result = parse_checkpoint(file, file_size, "the checkpoint", &header, bytes);
    return give_out(result, &header, frame, scene_hash, size);
}

ThawResult thaw_checkpoint_read(const char *path, int *frame, uint64_t *scene_hash, void **bytes,
                                size_t *size) {
    assert(path != NULL && bytes != NULL && size != NULL);
    *bytes = NULL;
    uint8_t *file;
    size_t file_size;
    ThawResult result = thaw_file_load(path, &file, &file_size);
    if (result != THAW_OK) return result;
    ThawHeader header;
    result = parse_checkpoint(file, file_size, path, &header, bytes);
    free(file);
    return give_out(result, &header, frame, scene_hash, size);
}

ThawResult thaw_checkpoint_peek(const char *path, int *frame, uint64_t *scene_hash) {
    uint8_t block[THAW_HEADER_SIZE];
    ThawHeader header;
    size_t size;
    ThawResult result = thaw_file_load_head(path, block, sizeof block, &size);
    if (result == THAW_OK) {
        result = thaw_header_decode(block, size, THAW_FILE_CHECKPOINT, path, &header);
    }
    return give_out(result, &header, frame, scene_hash, NULL);
}
