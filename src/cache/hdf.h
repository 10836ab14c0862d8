// HDF5 in memory: files are made and read as blocks of bytes, never by the library's own input and output.
//
// One lock is held from create or open to close: the library keeps global state, and a preview may read one
// frame while another is written.
#ifndef THAW_CACHE_HDF_H
#define THAW_CACHE_HDF_H

#include <hdf5.h>
#include <thaw/cache.h>

// A file in the making, or one being read.
typedef struct ThawHdf {
    hid_t file; // below 0: there is none
    H5E_auto2_t report;
    void *report_data;
    size_t size; // of the bytes being read
} ThawHdf;

// A dataset of rows × components.
typedef struct ThawHdfArray {
    const char *name;
    ThawType type;
    uint32_t components;
    uint64_t rows;
    bool flat;       // one dimension only; components is 1
    int compression; // 0..9
} ThawHdfArray;

// Begins a file; `expected` bytes are a hint. Always end it with thaw_hdf_close, also after a failure.
bool thaw_hdf_create(ThawHdf *hdf, size_t expected);
bool thaw_hdf_put_array(ThawHdf *hdf, const ThawHdfArray *array, const void *data);
// Attributes of a dataset, or of the file when `object` is NULL.
bool thaw_hdf_put_text(ThawHdf *hdf, const char *object, const char *name, const char *text);
bool thaw_hdf_put_f64(ThawHdf *hdf, const char *name, double value);
bool thaw_hdf_put_f64s(ThawHdf *hdf, const char *name, const double *values, int count);
bool thaw_hdf_put_i32(ThawHdf *hdf, const char *name, int32_t value);
bool thaw_hdf_put_u64(ThawHdf *hdf, const char *name, uint64_t value);
// The finished bytes with room for our block in front; free them with free(). NULL when that failed.
uint8_t *thaw_hdf_finish(ThawHdf *hdf, size_t *size);

// Opens a file's bytes for reading.
bool thaw_hdf_open(ThawHdf *hdf, const void *bytes, size_t size);
// Reads a dataset, which must be just what `array` says (compression aside) and of plain storage.
// Gives NULL, or what is wrong with it. `data` has room for all rows.
const char *thaw_hdf_get_array(ThawHdf *hdf, const ThawHdfArray *array, void *data);
void thaw_hdf_close(ThawHdf *hdf);

#endif
