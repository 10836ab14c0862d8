// The cache directory: frames found by their names, a lock, and a clean state before the first write.
//
// Removing goes from the end, so that a kill at any moment leaves frames without a gap.
#include "cache/directory.h"
#include "cache/checkpoint.h"
#include "cache/files.h"
#include "cache/header.h"

#include "base/result.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- names

ThawResult thaw_cache_frame_path(const char *directory, int frame, char *path, size_t size) {
    assert(directory != NULL && path != NULL);
    if (frame < 0 || frame > THAW_FRAME_LAST) {
        return thaw_fail(THAW_BAD_INPUT, "a frame's number must be 0 to %d, not %d",
                         THAW_FRAME_LAST, frame);
    }
    int length = snprintf(path, size, "%s/frames/frame_%06d.h5", directory, frame);
    if (length >= 0 && (size_t)length < size) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "the path of frame %d in \"%.200s\" is too long", frame,
                     directory);
}

// the number in "frame_000012.h5"; −1 for any other name
static int number_of(const char *name) {
    char *end;
    if (strncmp(name, "frame_", 6) != 0 || name[6] < '0' || name[6] > '9') return -1;
    long number = strtol(name + 6, &end, 10);
    if (number < 0 || number > THAW_FRAME_LAST) return -1;
    char again[32];
    snprintf(again, sizeof again, "frame_%06ld.h5", number);
    return strcmp(again, name) == 0 ? (int)number : -1;
}

// ---------------------------------------------------------------- looking

static int compare_numbers(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool add_number(ThawFrameList *list, int number, int *capacity) {
    if (list->count == *capacity) {
        int wanted = *capacity == 0 ? 256 : *capacity * 2;
        int *numbers = realloc(list->numbers, (size_t)wanted * sizeof *numbers);
        if (numbers == NULL) return false;
        list->numbers = numbers;
        *capacity = wanted;
    }
    list->numbers[list->count++] = number;
    return true;
}

static ThawResult scan_entries(DIR *entries, const char *path, ThawFrameList *list) {
    int capacity = 0;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(entries);
        if (entry == NULL) break;
        int number = number_of(entry->d_name);
        if (number >= 0 && !add_number(list, number, &capacity)) {
            return thaw_fail_memory((size_t)capacity * 2 * sizeof(int));
        }
    }
    if (errno != 0) return thaw_file_fail("read the directory", path, errno);
    if (list->count > 1) {
        qsort(list->numbers, (size_t)list->count, sizeof *list->numbers, compare_numbers);
    }
    return THAW_OK;
}

// no "frames" yet means no frames; a missing cache directory is the caller's to find
ThawResult thaw_directory_scan(const char *directory, ThawFrameList *list) {
    memset(list, 0, sizeof *list);
    char *path = thaw_path_join(directory, "frames");
    if (path == NULL) return thaw_fail_memory(strlen(directory));
    ThawResult result = THAW_OK;
    DIR *entries = opendir(path);
    if (entries != NULL) {
        result = scan_entries(entries, path, list);
        closedir(entries);
    } else if (errno != ENOENT) {
        result = thaw_file_fail("read the directory", path, errno);
    }
    free(path);
    if (result != THAW_OK) {
        free(list->numbers);
        memset(list, 0, sizeof *list);
    }
    return result;
}

static void look_at_checkpoint(const char *path, ThawCacheInfo *info) {
    struct stat status;
    info->has_checkpoint = stat(path, &status) == 0;
    info->checkpoint_frame = -1;
    if (!info->has_checkpoint) return;
    if (thaw_checkpoint_peek(path, &info->checkpoint_frame, &info->checkpoint_scene_hash) !=
        THAW_OK) {
        info->checkpoint_frame = -1;
    }
}

ThawResult thaw_cache_info(const char *directory, ThawCacheInfo *info) {
    assert(directory != NULL && info != NULL);
    *info = (ThawCacheInfo){.first_frame = 0, .last_frame = -1, .checkpoint_frame = -1};
    struct stat status;
    if (stat(directory, &status) != 0) {
        return thaw_file_fail("read the directory", directory, errno);
    }
    if (!S_ISDIR(status.st_mode)) {
        return thaw_fail(THAW_BAD_INPUT, "\"%s\" is no directory", directory);
    }
    ThawFrameList list;
    ThawResult result = thaw_directory_scan(directory, &list);
    if (result != THAW_OK) return result;
    if (list.count > 0) info->first_frame = info->last_frame = list.numbers[0];
    for (int k = 1; k < list.count && list.numbers[k] == info->last_frame + 1; k++) {
        info->last_frame++;
    }
    free(list.numbers);
    char *path = thaw_path_join(directory, "checkpoint.h5");
    if (path == NULL) return thaw_fail_memory(strlen(directory));
    look_at_checkpoint(path, info);
    free(path);
    return THAW_OK;
}

// ---------------------------------------------------------------- making and locking

static ThawResult make_one(const char *path) {
    struct stat status;
    if (mkdir(path, 0777) == 0) return THAW_OK;
    int code = errno;
    // there already, maybe above a directory that we may not write
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return THAW_OK;
    return thaw_file_fail("make the directory", path, code == EEXIST ? ENOTDIR : code);
}

ThawResult thaw_directory_make(const char *directory) {
    char *path = thaw_path_join(directory, "frames");
    if (path == NULL) return thaw_fail_memory(strlen(directory));
    ThawResult result = THAW_OK;
    for (char *at = path + 1; *at != '\0' && result == THAW_OK; at++) {
        if (*at != '/') continue;
        *at = '\0';
        result = make_one(path);
        *at = '/';
    }
    if (result == THAW_OK) result = make_one(path);
    free(path);
    return result;
}

static ThawResult fail_locked(const char *directory, int descriptor) {
    char process[32] = {0};
    ssize_t got = pread(descriptor, process, sizeof process - 1, 0);
    for (ssize_t k = 0; k < got; k++) {
        if (process[k] < '0' || process[k] > '9') process[k] = '\0';
    }
    return thaw_fail(THAW_BAD_INPUT, "another run%s%s writes into \"%s\" already",
                     process[0] == '\0' ? "" : ", process ", process, directory);
}

// the kernel gives the lock back when the process ends, however that happens
ThawResult thaw_directory_lock(const char *directory, int *descriptor) {
    char *path = thaw_path_join(directory, ".lock");
    if (path == NULL) return thaw_fail_memory(strlen(directory));
    ThawResult result = THAW_OK;
    *descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*descriptor < 0) {
        result = thaw_file_fail("write", path, errno);
    } else if (flock(*descriptor, LOCK_EX | LOCK_NB) != 0) {
        result = errno == EWOULDBLOCK ? fail_locked(directory, *descriptor)
                                      : thaw_file_fail("lock", path, errno);
        close(*descriptor);
    } else {
        // only for the sentence above: a failure does not matter
        char process[32];
        int length = snprintf(process, sizeof process, "%ld\n", (long)getpid());
        if (ftruncate(*descriptor, 0) != 0 ||
            pwrite(*descriptor, process, (size_t)length, 0) != length) {
            result = THAW_OK;
        }
    }
    free(path);
    if (result != THAW_OK) *descriptor = -1;
    return result;
}

void thaw_directory_unlock(int descriptor) {
    if (descriptor < 0) return;
    if (ftruncate(descriptor, 0) != 0) {
        // the number of a process that is gone stays in it: no harm
    }
    close(descriptor);
}

// ---------------------------------------------------------------- preparing

static ThawResult remove_file(const char *path) {
    if (unlink(path) == 0 || errno == ENOENT) return THAW_OK;
    return thaw_file_fail("remove", path, errno);
}

// a checkpoint later than the frames that stay would belong to nothing
static ThawResult drop_checkpoint(const ThawCacheDef *def) {
    char *path = thaw_path_join(def->directory, "checkpoint.h5");
    if (path == NULL) return thaw_fail_memory(strlen(def->directory));
    int frame;
    uint64_t hash;
    bool keep = def->resume && def->resume_frame >= def->first_frame &&
                thaw_checkpoint_peek(path, &frame, &hash) == THAW_OK && frame <= def->resume_frame;
    ThawResult result = keep ? THAW_OK : remove_file(path);
    free(path);
    return result;
}

static ThawResult drop_frames(const ThawCacheDef *def, ThawFrameList *list) {
    char path[4096];
    bool none = def->resume_frame < def->first_frame;
    while (list->count > 0 && (none || list->numbers[list->count - 1] > def->resume_frame)) {
        int number = list->numbers[list->count - 1];
        ThawResult result = thaw_cache_frame_path(def->directory, number, path, sizeof path);
        if (result == THAW_OK) result = remove_file(path);
        if (result != THAW_OK) return result;
        list->count--;
    }
    return THAW_OK;
}

// what a killed run may have left half-written
static void drop_temporaries(const char *directory, const char *folder) {
    char *path = thaw_path_join(directory, folder);
    DIR *entries = path == NULL ? NULL : opendir(path);
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".tmp") != 0) continue;
        char *file = thaw_path_join(path, entry->d_name);
        if (file != NULL) unlink(file);
        free(file);
    }
    if (entries != NULL) closedir(entries);
    free(path);
}

static ThawResult check_state(const ThawCacheDef *def, const ThawFrameList *list) {
    if (!def->resume) {
        if (list->count == 0) return THAW_OK;
        return thaw_fail(THAW_BAD_INPUT,
                         "\"%s\" holds %d frames already: resume that run, or choose another "
                         "directory",
                         def->directory, list->count);
    }
    if (def->resume_frame < def->first_frame) return THAW_OK;
    int wanted = -1;
    for (int k = 0; k < list->count && list->numbers[k] <= def->resume_frame; k++) {
        if (wanted >= 0 && list->numbers[k] != wanted) break;
        wanted = list->numbers[k] + 1;
    }
    if (wanted < 0 || wanted == def->resume_frame + 1) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "cannot go on from frame %d in \"%s\": frame %d is missing",
                     def->resume_frame, def->directory, wanted);
}

ThawResult thaw_directory_prepare(const ThawCacheDef *def, ThawFrameList *kept) {
    ThawResult result = thaw_directory_scan(def->directory, kept);
    if (result == THAW_OK) result = check_state(def, kept);
    if (result == THAW_OK) result = drop_checkpoint(def);
    if (result == THAW_OK) result = drop_frames(def, kept);
    if (result == THAW_OK) {
        drop_temporaries(def->directory, ".");
        drop_temporaries(def->directory, "frames");
        return THAW_OK;
    }
    free(kept->numbers);
    memset(kept, 0, sizeof *kept);
    return result;
}
