// Checkpoints as files.
#ifndef THAW_CACHE_CHECKPOINT_H
#define THAW_CACHE_CHECKPOINT_H

#include <thaw/cache.h>

ThawResult thaw_checkpoint_write(const char *path, int frame, uint64_t scene_hash,
                                 const void *bytes, size_t size);
// Only the frame and the scene's hash; does not check the rest.
ThawResult thaw_checkpoint_peek(const char *path, int *frame, uint64_t *scene_hash);

#endif
