// Files as bytes: sentences for failures, whole files read, names put together.
#ifndef THAW_CACHE_FILES_H
#define THAW_CACHE_FILES_H

#include <thaw/cache.h>

// `cannot DOING "PATH": reason` with the reason of an errno.
ThawResult thaw_file_fail(const char *doing, const char *path, int code);

// The whole of an ordinary file in a block of its exact size; free it with free().
ThawResult thaw_file_load(const char *path, uint8_t **bytes, size_t *size);
// The first `wanted` bytes of an ordinary file and its size; shorter files are refused.
ThawResult thaw_file_load_head(const char *path, uint8_t *bytes, size_t wanted, size_t *size);

// The file at once, written aside.
ThawResult thaw_file_write(const char *path, const void *bytes, size_t size);

// Flushes a directory's entries to disk.
ThawResult thaw_directory_sync(const char *path);

// "DIRECTORY/NAME", to be freed with free(); NULL when memory is out.
char *thaw_path_join(const char *directory, const char *name);

#endif
