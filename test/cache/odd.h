// Files with a right checksum and wrong contents: what lies behind the guard is tried with these.
//
// They are made with libhdf5 and are good HDF5; only what they say is odd. Images that libhdf5 itself would
// stumble over are not made: the checksum keeps damage away from it, and nothing else does.
#ifndef TEST_CACHE_ODD_H
#define TEST_CACHE_ODD_H

#include "cache/hdf.h"
#include "cache/header.h"

#include <stdlib.h>
#include <string.h>

typedef enum OddLink { ODD_HARD, ODD_SOFT, ODD_EXTERNAL, ODD_MISSING, ODD_GROUP } OddLink;
typedef enum OddLayout {
    ODD_CONTIGUOUS,
    ODD_CHUNKED,
    ODD_COMPACT,
    ODD_OTHER_FILE,
    ODD_VIRTUAL
} OddLayout;
typedef enum OddFilter {
    ODD_NONE,
    ODD_DEFLATE,
    ODD_SHUFFLE,
    ODD_BOTH,
    ODD_FLETCHER,
    ODD_SCALE
} OddFilter;

#define ODD_ROWS_MOST 64u

typedef struct OddArray {
    const char *name;
    OddLink link;
    int type; // a ThawType, or 7 big-endian i32, 8 text, 9 text of any length, 10 pair, 11 f16
    int rank; // 0..3
    hsize_t extent[3];
    OddLayout layout;
    hsize_t chunk;
    OddFilter filter;
    bool unwritten;
} OddArray;

static inline hid_t odd_type(int type) {
    hid_t made;
    switch (type) {
    case THAW_F32: return H5Tcopy(H5T_IEEE_F32LE);
    case THAW_F64: return H5Tcopy(H5T_IEEE_F64LE);
    case THAW_I32: return H5Tcopy(H5T_STD_I32LE);
    case THAW_I64: return H5Tcopy(H5T_STD_I64LE);
    case THAW_U8: return H5Tcopy(H5T_STD_U8LE);
    case THAW_U16: return H5Tcopy(H5T_STD_U16LE);
    case THAW_U64: return H5Tcopy(H5T_STD_U64LE);
    case 7: return H5Tcopy(H5T_STD_I32BE);
    case 8:
        made = H5Tcopy(H5T_C_S1);
        H5Tset_size(made, 4);
        return made;
    case 9:
        made = H5Tcopy(H5T_C_S1);
        H5Tset_size(made, H5T_VARIABLE);
        return made;
    case 10:
        made = H5Tcreate(H5T_COMPOUND, 8);
        H5Tinsert(made, "a", 0, H5T_STD_I32LE);
        H5Tinsert(made, "b", 4, H5T_IEEE_F32LE);
        return made;
    default:
        made = H5Tcopy(H5T_IEEE_F32LE);
        H5Tset_fields(made, 15, 10, 5, 0, 10);
        H5Tset_size(made, 2);
        H5Tset_ebias(made, 15);
        return made;
    }
}

static inline void odd_layout(hid_t plist, const OddArray *array) {
    hsize_t chunk[3] = {array->chunk, array->extent[1], array->extent[2]};
    switch (array->layout) {
    case ODD_CHUNKED:
        H5Pset_chunk(plist, array->rank < 1 ? 1 : array->rank, chunk);
        if (array->filter == ODD_SHUFFLE || array->filter == ODD_BOTH) H5Pset_shuffle(plist);
        if (array->filter == ODD_DEFLATE || array->filter == ODD_BOTH) H5Pset_deflate(plist, 1);
        if (array->filter == ODD_FLETCHER) H5Pset_fletcher32(plist);
        if (array->filter == ODD_SCALE) H5Pset_scaleoffset(plist, H5Z_SO_INT, 0);
        break;
    case ODD_COMPACT: H5Pset_layout(plist, H5D_COMPACT); break;
    case ODD_OTHER_FILE: H5Pset_external(plist, "/etc/passwd", 0, H5F_UNLIMITED); break;
    case ODD_VIRTUAL: {
        hid_t space = H5Screate_simple(array->rank < 1 ? 1 : array->rank, array->extent, NULL);
        H5Pset_virtual(plist, space, "/tmp/elsewhere.h5", "x", space);
        H5Sclose(space);
        break;
    }
    case ODD_CONTIGUOUS: break;
    }
}

static inline void odd_put_set(ThawHdf *hdf, const OddArray *array) {
    static const uint64_t numbers[ODD_ROWS_MOST * 16] = {1, 2, 3, 4};
    hid_t space = array->rank == 0 ? H5Screate(H5S_SCALAR)
                                   : H5Screate_simple(array->rank, array->extent, NULL);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE), type = odd_type(array->type);
    odd_layout(plist, array);
    hid_t set = H5Dcreate2(hdf->file, array->name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    bool small = H5Sget_simple_extent_npoints(space) <= (hssize_t)(ODD_ROWS_MOST * 16);
    // rising numbers of the usual ids; the arrays of pointers that texts would need are left out
    uint64_t rising[ODD_ROWS_MOST * 16];
    for (uint32_t k = 0; k < ODD_ROWS_MOST * 16; k++) rising[k] = numbers[0] + k;
    bool plain = array->type != 9 && array->layout <= ODD_COMPACT;
    if (set >= 0 && small && plain && !array->unwritten) {
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rising);
    }
    if (set >= 0) H5Dclose(set);
    H5Tclose(type);
    H5Pclose(plist);
    H5Sclose(space);
}

static inline void odd_put(ThawHdf *hdf, const OddArray *array) {
    switch (array->link) {
    case ODD_HARD: odd_put_set(hdf, array); break;
    case ODD_SOFT: H5Lcreate_soft("/id", hdf->file, array->name, H5P_DEFAULT, H5P_DEFAULT); break;
    case ODD_EXTERNAL:
        H5Lcreate_external("/tmp/elsewhere.h5", "/id", hdf->file, array->name, H5P_DEFAULT,
                           H5P_DEFAULT);
        break;
    case ODD_MISSING: break;
    case ODD_GROUP: {
        hid_t group = H5Gcreate2(hdf->file, array->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0) H5Gclose(group);
        break;
    }
    }
}

// The file's bytes with a header whose checksums are right; closes the file. Free them with free().
static inline uint8_t *odd_finish(ThawHdf *hdf, ThawHeader *header, size_t *size) {
    uint8_t *bytes = thaw_hdf_finish(hdf, size);
    thaw_hdf_close(hdf);
    if (bytes == NULL) return NULL;
    header->image_size = *size - THAW_HEADER_SIZE;
    header->image_hash = thaw_image_hash(bytes + THAW_HEADER_SIZE, *size - THAW_HEADER_SIZE);
    thaw_header_encode(header, bytes);
    return bytes;
}

// what a column of the header says, as an array that is right
static inline OddArray odd_right(const ThawColumn *column, uint32_t count) {
    return (OddArray){.name = column->name,
                      .type = (int)column->type,
                      .rank = column->components == 1 ? 1 : 2,
                      .extent = {count, column->components, 1},
                      .chunk = count == 0 ? 1 : count};
}

// A header of `count` particles with id, position and mass (f64).
static inline ThawHeader odd_header(uint32_t count) {
    ThawHeader header = {.kind = THAW_FILE_FRAME, .count = count, .column_count = 3};
    header.info = (ThawFrameInfo){.frame = 3,
                                  .time = 0.125,
                                  .fps = 24,
                                  .spacing = 0.01,
                                  .support = 0.02,
                                  .up = 2,
                                  .dimensions = 3,
                                  .scene_hash = 5,
                                  .thaw_version = "0.1.0"};
    header.columns[0] = (ThawColumn){"id", THAW_U64, 1, NULL};
    header.columns[1] = (ThawColumn){"position", THAW_F32, 3, NULL};
    header.columns[2] = (ThawColumn){"mass", THAW_F64, 1, NULL};
    return header;
}

#endif
