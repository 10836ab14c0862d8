// The cache directory: what is in it, and making it ready for writing.
#ifndef THAW_CACHE_DIRECTORY_H
#define THAW_CACHE_DIRECTORY_H

#include <thaw/cache.h>

// Numbers of the frames on disk, ascending.
typedef struct ThawFrameList {
    int *numbers;
    int count;
} ThawFrameList;

ThawResult thaw_directory_scan(const char *directory, ThawFrameList *list);

// Makes the directory and its "frames" when missing.
ThawResult thaw_directory_make(const char *directory);
// Takes the lock; *descriptor is to be given to thaw_directory_unlock.
ThawResult thaw_directory_lock(const char *directory, int *descriptor);
void thaw_directory_unlock(int descriptor);

// Brings what is there to the state that the def asks for: nothing, or frames up to resume_frame, which
// `kept` then lists. Refuses before it removes anything.
ThawResult thaw_directory_prepare(const ThawCacheDef *def, ThawFrameList *kept);

#endif
