// Fractures of a series as CSV: a row for each bond that broke, with the frame that it is in.
#include "base/result.h"

#include <assert.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <thaw/cache.h>

static void put_row(ThawFile *file, int frame, const ThawFracture *f) {
    char row[256];
    int length =
        snprintf(row, sizeof row, "%d,%.17g,%.9g,%.9g,%.9g,%" PRIu64 ",%" PRIu64 "\n", frame,
                 f->time, f->position.x, f->position.y, f->position.z, f->pair[0], f->pair[1]);
    thaw_file_append(file, row, (size_t)length); // a failure is kept by the file
}

static ThawResult put_frame(ThawFile *file, const char *directory, int number, uint64_t *count) {
    char path[4096];
    ThawFrame *frame = NULL;
    ThawResult result = thaw_cache_frame_path(directory, number, path, sizeof path);
    // most frames have none, and a look is quick
    if (result == THAW_OK) result = thaw_frame_peek(path, &frame);
    if (result != THAW_OK || frame->fracture_count == 0) {
        thaw_frame_free(frame);
        return result;
    }
    thaw_frame_free(frame);
    result = thaw_frame_read(path, &frame);
    if (result != THAW_OK) return result;
    for (uint32_t k = 0; k < frame->fracture_count; k++) {
        put_row(file, number, &frame->fractures[k]);
    }
    *count += frame->fracture_count;
    thaw_frame_free(frame);
    return THAW_OK;
}

// a point is a point whatever the host's language is
static ThawResult put_frames(ThawFile *file, const char *directory, const int range[2],
                             uint64_t *count) {
    static const char head[] = "frame,time,x,y,z,id_a,id_b\n";
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    ThawResult result = thaw_file_append(file, head, sizeof head - 1);
    for (int k = range[0]; k <= range[1] && result == THAW_OK; k++) {
        result = put_frame(file, directory, k, count);
    }
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
    return result;
}

ThawResult thaw_export_fractures(const char *directory, int first, int last, const char *path,
                                 uint64_t *count) {
    assert(directory != NULL && path != NULL);
    uint64_t found = 0;
    ThawFile *file;
    ThawResult result = thaw_file_create(path, &file);
    if (result != THAW_OK) return result;
    result = put_frames(file, directory, (const int[2]){first, last}, &found);
    if (result == THAW_OK) {
        result = thaw_file_commit(file);
    } else {
        thaw_file_abandon(file);
    }
    if (result == THAW_OK && count != NULL) *count = found;
    return result;
}
