// The series of frames for ParaView, as XDMF 2.
#ifndef THAW_CACHE_XDMF_H
#define THAW_CACHE_XDMF_H

#include <thaw/cache.h>

// The text grows by one grid a frame.
typedef struct ThawSeries {
    char *prefix; // what stands before "frame_000000.h5", escaped for XML
    char *text;
    size_t used, capacity;
    int frames;
    int written; // frames that the file on disk has
} ThawSeries;

// `prefix`: the way from the XDMF to the frames, "frames/" in a cache directory.
ThawResult thaw_series_begin(ThawSeries *series, const char *prefix);
// Adds a frame, of which only the description is used.
ThawResult thaw_series_add(ThawSeries *series, const ThawFrame *frame);
ThawResult thaw_series_write(ThawSeries *series, const char *path);
void thaw_series_free(ThawSeries *series);

#endif
