// The block at the front of frames and checkpoints: what the file holds, and a checksum of the rest.
//
//   bytes 0..7 "THAWFILE", then u32 format, u32 kind, u64 size and u64 hash of the HDF5 part, u64 hash of
//   this block (with that field zero), then the content; zeros to the end. Little endian.
//
// To HDF5 this is a user block, which every reader skips. Our readers check it before libhdf5 sees a byte,
// because that library was not made for damaged files; and they take everything but the arrays from here,
// so that a look at a frame costs one small read. The attributes in the HDF5 part are for others.
#ifndef THAW_CACHE_HEADER_H
#define THAW_CACHE_HEADER_H

#include <thaw/cache.h>

#define THAW_HEADER_SIZE 4096u
#define THAW_FORMAT 1u
#define THAW_COLUMNS_MOST 64
#define THAW_COMPONENTS_MOST 16u
#define THAW_FRAME_LAST 99999999 // largest frame number

// Datasets of the bonds that broke; no column has their names.
#define THAW_FRACTURE_TIME "fracture_time"         // f64, s
#define THAW_FRACTURE_POSITION "fracture_position" // f64 × 3, m
#define THAW_FRACTURE_PAIR "fracture_pair"         // u64 × 2, ids
// And of colliders where some are dynamic.
#define THAW_COLLIDER_NUMBER "collider"            // i32, from 1
#define THAW_COLLIDER_POSITION "collider_position" // f64 × 3, m
#define THAW_COLLIDER_ROTATION "collider_rotation" // f64 × 4, x y z w
#define THAW_COLLIDER_VELOCITY "collider_velocity" // f64 × 3, m/s
#define THAW_COLLIDER_SPIN "collider_spin"         // f64 × 3, rad/s

typedef enum ThawFileKind { THAW_FILE_FRAME = 1, THAW_FILE_CHECKPOINT = 2 } ThawFileKind;

typedef struct ThawHeader {
    ThawFileKind kind;
    uint64_t image_size; // bytes after the block
    uint64_t image_hash;
    ThawFrameInfo info; // a checkpoint has only frame, scene_hash and thaw_version
    uint32_t count;     // particles of a frame
    uint32_t fractures; // bonds that broke in a frame
    uint32_t colliders; // whose place a frame tells
    uint64_t payload;   // bytes of a checkpoint's snapshot
    int column_count;   // of a frame
    ThawColumn columns[THAW_COLUMNS_MOST]; // data is NULL
} ThawHeader;

// Bytes of one element of a type; 0 for what is no type.
size_t thaw_element_size(ThawType type);
size_t thaw_column_row(const ThawColumn *column); // bytes of one row

// Letters, digits and _; 1 to 31 of them.
bool thaw_column_name_fits(const char *name);

// What a frame's header may say. Writers ask it too: what is written can be read. `name` is for the sentence.
ThawResult thaw_header_check(const ThawHeader *header, const char *name);

uint64_t thaw_image_hash(const uint8_t *bytes, size_t size);

void thaw_header_encode(const ThawHeader *header, uint8_t block[THAW_HEADER_SIZE]);
// Reads a block; `size` is that of the whole file.
ThawResult thaw_header_decode(const uint8_t block[THAW_HEADER_SIZE], size_t size, ThawFileKind kind,
                              const char *name, ThawHeader *header);
// Reads the block of a file in memory and holds the checksum against the rest.
ThawResult thaw_header_verify(const uint8_t *bytes, size_t size, ThawFileKind kind,
                              const char *name, ThawHeader *header);

#endif
