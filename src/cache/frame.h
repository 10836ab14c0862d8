// Frames: what the reader and the taker share.
#ifndef THAW_CACHE_FRAME_H
#define THAW_CACHE_FRAME_H

#include <thaw/cache.h>

// An empty frame with room for THAW_COLUMNS_MOST columns; NULL when memory is out.
ThawFrame *thaw_frame_make(const ThawFrameInfo *info, uint32_t count);
// Adds a column of this name, type and width; zeros, or no data at all.
ThawResult thaw_frame_add(ThawFrame *frame, const ThawColumn *like, bool with_data);

// Room for fractures in a frame that has none.
ThawResult thaw_frame_add_fractures(ThawFrame *frame, uint32_t count);
// Times rise, all is finite, a pair is of two particles. `name` is for the sentence.
ThawResult thaw_fractures_check(const ThawFracture *fractures, uint32_t count, const char *name);

// Room for colliders in a frame that has none.
ThawResult thaw_frame_add_colliders(ThawFrame *frame, uint32_t count);
// Handles rise, all is finite, rotations are unit quaternions.
ThawResult thaw_colliders_check(const ThawFrameCollider *colliders, uint32_t count,
                                const char *name);

// Writes a frame and says how many bytes the file has.
ThawResult thaw_frame_write_sized(const ThawFrame *frame, int compression, const char *path,
                                  size_t *bytes);

#endif
