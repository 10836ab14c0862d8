// HDF5 files as bytes in memory. Nothing that depends on the moment or the machine goes into them.
#include "cache/hdf.h"

#include "cache/header.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)768 * 1024)
#define CHUNK_BYTES_MOST ((size_t)64 * 1024 * 1024) // a reader takes no larger ones
#define DEFLATE_RATIO 1040u // deflate cannot pack more closely than about 1032 to 1

static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

// ---------------------------------------------------------------- open and close

// the library prints its errors unless told otherwise; a host may want that for its own files
static void enter_library(ThawHdf *hdf) {
    memset(hdf, 0, sizeof *hdf);
    hdf->file = -1;
    pthread_mutex_lock(&library);
    H5Eget_auto2(H5E_DEFAULT, &hdf->report, &hdf->report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void thaw_hdf_close(ThawHdf *hdf) {
    if (hdf->file >= 0) H5Fclose(hdf->file);
    hdf->file = -1;
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, hdf->report, hdf->report_data);
    pthread_mutex_unlock(&library);
}

bool thaw_hdf_create(ThawHdf *hdf, size_t expected) {
    enter_library(hdf);
    hid_t create = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    if (create >= 0 && access >= 0 && H5Pset_userblock(create, THAW_HEADER_SIZE) >= 0 &&
        H5Pset_fapl_core(access, expected / 4 + 65536, 0) >= 0) {
        hdf->file = H5Fcreate("thaw in memory", H5F_ACC_TRUNC, create, access);
    }
    H5Pclose(create);
    H5Pclose(access);
    return hdf->file >= 0;
}

bool thaw_hdf_open(ThawHdf *hdf, const void *bytes, size_t size) {
    enter_library(hdf);
    hdf->size = size;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // the library copies the bytes and does not change ours
    if (access >= 0 && H5Pset_fapl_core(access, 65536, 0) >= 0 &&
        H5Pset_file_image(access, (void *)(uintptr_t)bytes, size) >= 0) {
        hdf->file = H5Fopen("thaw in memory", H5F_ACC_RDONLY, access);
    }
    H5Pclose(access);
    return hdf->file >= 0;
}

uint8_t *thaw_hdf_finish(ThawHdf *hdf, size_t *size) {
    if (H5Fflush(hdf->file, H5F_SCOPE_GLOBAL) < 0) return NULL;
    // the library gives the part behind the user block
    ssize_t wanted = H5Fget_file_image(hdf->file, NULL, 0);
    if (wanted <= 0) return NULL;
    uint8_t *bytes = malloc(THAW_HEADER_SIZE + (size_t)wanted);
    if (bytes == NULL) return NULL;
    if (H5Fget_file_image(hdf->file, bytes + THAW_HEADER_SIZE, (size_t)wanted) == wanted) {
        *size = THAW_HEADER_SIZE + (size_t)wanted;
        return bytes;
    }
    free(bytes);
    return NULL;
}

// ---------------------------------------------------------------- types

// the same bytes on every machine
static hid_t file_type(ThawType type) {
    switch (type) {
    case THAW_F32: return H5T_IEEE_F32LE;
    case THAW_F64: return H5T_IEEE_F64LE;
    case THAW_I32: return H5T_STD_I32LE;
    case THAW_I64: return H5T_STD_I64LE;
    case THAW_U8: return H5T_STD_U8LE;
    case THAW_U16: return H5T_STD_U16LE;
    case THAW_U64: return H5T_STD_U64LE;
    }
    return -1;
}

static hid_t memory_type(ThawType type) {
    switch (type) {
    case THAW_F32: return H5T_NATIVE_FLOAT;
    case THAW_F64: return H5T_NATIVE_DOUBLE;
    case THAW_I32: return H5T_NATIVE_INT32;
    case THAW_I64: return H5T_NATIVE_INT64;
    case THAW_U8: return H5T_NATIVE_UINT8;
    case THAW_U16: return H5T_NATIVE_UINT16;
    case THAW_U64: return H5T_NATIVE_UINT64;
    }
    return -1;
}

// ---------------------------------------------------------------- writing

static bool set_storage(hid_t plist, const ThawHdfArray *array, int rank) {
    if (H5Pset_obj_track_times(plist, false) < 0) return false;
    if (array->compression == 0 || array->rows == 0) return true;
    size_t most = CHUNK_BYTES / (thaw_element_size(array->type) * array->components);
    hsize_t chunk[2] = {array->rows < most ? array->rows : most, array->components};
    return H5Pset_chunk(plist, rank, chunk) >= 0 && H5Pset_shuffle(plist) >= 0 &&
           H5Pset_deflate(plist, (unsigned)array->compression) >= 0;
}

bool thaw_hdf_put_array(ThawHdf *hdf, const ThawHdfArray *array, const void *data) {
    int rank = array->flat ? 1 : 2;
    hsize_t extent[2] = {array->rows, array->components};
    hid_t space = H5Screate_simple(rank, extent, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (space >= 0 && plist >= 0 && set_storage(plist, array, rank)) {
        set = H5Dcreate2(hdf->file, array->name, file_type(array->type), space, H5P_DEFAULT, plist,
                         H5P_DEFAULT);
    }
    bool good = set >= 0;
    if (good && array->rows > 0) {
        good = H5Dwrite(set, memory_type(array->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    }
    if (set >= 0 && H5Dclose(set) < 0) good = false;
    H5Pclose(plist);
    H5Sclose(space);
    return good;
}

// a single value, or a row of `count` where that is above 0
static bool put_attributes(ThawHdf *hdf, const char *object, const char *name, const hid_t type[2],
                           const void *value, int count) {
    hsize_t extent = (hsize_t)count;
    hid_t space = count > 0 ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate_by_name(hdf->file, object == NULL ? "." : object, name, type[0],
                                        space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, type[1], value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

static bool put_attribute(ThawHdf *hdf, const char *object, const char *name, const hid_t type[2],
                          const void *value) {
    return put_attributes(hdf, object, name, type, value, 0);
}

bool thaw_hdf_put_text(ThawHdf *hdf, const char *object, const char *name, const char *text) {
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    good = good && put_attribute(hdf, object, name, (hid_t[2]){type, type}, text);
    H5Tclose(type);
    return good;
}

bool thaw_hdf_put_f64(ThawHdf *hdf, const char *name, double value) {
    return put_attribute(hdf, NULL, name, (hid_t[2]){H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE}, &value);
}

bool thaw_hdf_put_f64s(ThawHdf *hdf, const char *name, const double *values, int count) {
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    return count == 0 || put_attributes(hdf, NULL, name, type, values, count);
}

bool thaw_hdf_put_i32(ThawHdf *hdf, const char *name, int32_t value) {
    return put_attribute(hdf, NULL, name, (hid_t[2]){H5T_STD_I32LE, H5T_NATIVE_INT32}, &value);
}

bool thaw_hdf_put_u64(ThawHdf *hdf, const char *name, uint64_t value) {
    return put_attribute(hdf, NULL, name, (hid_t[2]){H5T_STD_U64LE, H5T_NATIVE_UINT64}, &value);
}

// ---------------------------------------------------------------- reading

// a name that leads to an object in this very file
static const char *check_link(ThawHdf *hdf, const char *name) {
    if (H5Lexists(hdf->file, name, H5P_DEFAULT) <= 0) return "is missing";
    H5L_info_t link;
    if (H5Lget_info(hdf->file, name, &link, H5P_DEFAULT) < 0) return "cannot be found";
    if (link.type != H5L_TYPE_HARD) return "is a link to somewhere else";
    H5O_info_t object;
    if (H5Oget_info_by_name2(hdf->file, name, &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0) {
        return "cannot be looked at";
    }
    return object.type == H5O_TYPE_DATASET ? NULL : "is no dataset";
}

static const char *check_extent(hid_t set, const ThawHdfArray *array) {
    hid_t space = H5Dget_space(set);
    hsize_t extent[2] = {0, 1};
    int rank = array->flat ? 1 : 2;
    bool good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, extent, NULL) == rank &&
                extent[0] == array->rows && extent[1] == array->components;
    H5Sclose(space);
    return good ? NULL : "has another extent than the file's header says";
}

static const char *check_type(hid_t set, const ThawHdfArray *array) {
    hid_t type = H5Dget_type(set);
    bool good = type >= 0 && H5Tequal(type, file_type(array->type)) > 0;
    H5Tclose(type);
    return good ? NULL : "has another type than the file's header says";
}

static const char *check_filters(hid_t plist) {
    int count = H5Pget_nfilters(plist);
    if (count < 0 || count > 2) return "has too many filters";
    for (int k = 0; k < count; k++) {
        unsigned flags;
        size_t values = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(plist, (unsigned)k, &flags, &values, NULL, 0, NULL, NULL);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE) {
            return "has a filter other than shuffle and deflate";
        }
    }
    return NULL;
}

static const char *check_chunks(hid_t plist, const ThawHdfArray *array) {
    int rank = array->flat ? 1 : 2;
    hsize_t chunk[2] = {0, 1};
    if (H5Pget_chunk(plist, rank, chunk) != rank || chunk[1] != array->components || chunk[0] < 1 ||
        chunk[0] > array->rows ||
        chunk[0] > CHUNK_BYTES_MOST / (thaw_element_size(array->type) * array->components)) {
        return "has chunks of an impossible size";
    }
    return check_filters(plist);
}

static const char *check_layout(hid_t plist, const ThawHdfArray *array) {
    if (plist < 0 || H5Pget_external_count(plist) != 0) return "has its data in another file";
    H5D_layout_t layout = H5Pget_layout(plist);
    if (layout == H5D_CONTIGUOUS) return NULL;
    return layout == H5D_CHUNKED ? check_chunks(plist, array) : "has a storage that is not allowed";
}

// rows that take no bytes, or more than there are, are lies
static const char *check_storage(ThawHdf *hdf, hid_t set, const ThawHdfArray *array) {
    uint64_t wanted = array->rows * array->components * thaw_element_size(array->type);
    hsize_t stored = H5Dget_storage_size(set);
    if (stored > hdf->size || wanted / DEFLATE_RATIO > stored || (wanted > 0 && stored == 0)) {
        return "claims more data than the file has";
    }
    return NULL;
}

static const char *check_set(ThawHdf *hdf, hid_t set, const ThawHdfArray *array) {
    const char *wrong = check_extent(set, array);
    if (wrong == NULL) wrong = check_type(set, array);
    if (wrong == NULL) {
        hid_t plist = H5Dget_create_plist(set);
        wrong = check_layout(plist, array);
        H5Pclose(plist);
    }
    return wrong == NULL ? check_storage(hdf, set, array) : wrong;
}

const char *thaw_hdf_get_array(ThawHdf *hdf, const ThawHdfArray *array, void *data) {
    const char *wrong = check_link(hdf, array->name);
    if (wrong != NULL) return wrong;
    hid_t set = H5Dopen2(hdf->file, array->name, H5P_DEFAULT);
    if (set < 0) return "cannot be opened";
    wrong = check_set(hdf, set, array);
    if (wrong == NULL && array->rows > 0 &&
        H5Dread(set, memory_type(array->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        wrong = "cannot be read";
    }
    H5Dclose(set);
    return wrong;
}
