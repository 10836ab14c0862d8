// Files that are whole or not there: written aside, flushed to disk, renamed, and the directory flushed.
//
// All bytes go through our own write(), never a library's, so that the reason of a failure is the
// system's own errno.
#include "cache/files.h"

#include "base/memory.h"
#include "base/result.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)256 * 1024)
#define WRITE_MOST ((size_t)1 << 30) // some systems refuse more at once

struct ThawFile {
    int descriptor;
    char *path;
    char *temporary;
    uint8_t *buffer;
    size_t used;
    int failed; // errno of the first failure
};

// ---------------------------------------------------------------- sentences

ThawResult thaw_file_fail(const char *doing, const char *path, int code) {
    char reason[128];
    if (strerror_r(code, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", code);
    }
    if (code == ENOSPC || code == EDQUOT) {
        return thaw_fail(THAW_BAD_INPUT, "cannot %s \"%s\": the disk is full (%s)", doing, path,
                         reason);
    }
    ThawResult result = code == ENOENT ? THAW_NOT_FOUND : THAW_BAD_INPUT;
    return thaw_fail(result, "cannot %s \"%s\": %s", doing, path, reason);
}

// ---------------------------------------------------------------- names

char *thaw_path_join(const char *directory, const char *name) {
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s", directory, name);
    return path;
}

static char *append_suffix(const char *path, const char *suffix) {
    size_t size = strlen(path) + strlen(suffix) + 1;
    char *text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s%s", path, suffix);
    return text;
}

// the directory that holds a path, to be freed
static char *parent_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) return append_suffix(".", "");
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    char *parent = malloc(length + 1);
    if (parent == NULL) return NULL;
    memcpy(parent, path, length);
    parent[length] = '\0';
    return parent;
}

// ---------------------------------------------------------------- writing

static int write_all(int descriptor, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t wrote = write(descriptor, bytes, size < WRITE_MOST ? size : WRITE_MOST);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno;
        if (wrote == 0) return ENOSPC;
        bytes += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

// file systems without such a thing say EINVAL or ENOTSUP: there is nothing more to be done then
static int sync_descriptor(int descriptor) {
    while (fsync(descriptor) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    }
    return 0;
}

ThawResult thaw_directory_sync(const char *path) {
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return thaw_file_fail("open the directory", path, errno);
    int code = sync_descriptor(descriptor);
    close(descriptor);
    return code == 0 ? THAW_OK : thaw_file_fail("flush the directory", path, code);
}

static void free_file(ThawFile *file) {
    if (file->descriptor >= 0) close(file->descriptor);
    free(file->path);
    free(file->temporary);
    thaw_free(file->buffer);
    free(file);
}

// renaming over a device or a pipe would destroy it
static ThawResult check_target(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "cannot write \"%s\": there is %s of this name", path,
                     S_ISDIR(status.st_mode) ? "a directory" : "something that is no file");
}

static ThawFile *make_file(const char *path) {
    ThawFile *file = calloc(1, sizeof *file);
    if (file == NULL) return NULL;
    file->descriptor = -1;
    file->path = append_suffix(path, "");
    file->temporary = append_suffix(path, ".tmp");
    file->buffer = thaw_alloc(BUFFER_SIZE);
    if (file->path != NULL && file->temporary != NULL && file->buffer != NULL) return file;
    free_file(file);
    return NULL;
}

ThawResult thaw_file_create(const char *path, ThawFile **file) {
    assert(path != NULL && file != NULL);
    *file = NULL;
    ThawResult result = check_target(path);
    if (result != THAW_OK) return result;
    ThawFile *made = make_file(path);
    if (made == NULL) return thaw_fail_memory(BUFFER_SIZE);
    made->descriptor = open(made->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (made->descriptor < 0) {
        result = thaw_file_fail("write", path, errno);
        free_file(made);
        return result;
    }
    *file = made;
    return THAW_OK;
}

static void flush_buffer(ThawFile *file) {
    if (file->failed == 0) file->failed = write_all(file->descriptor, file->buffer, file->used);
    file->used = 0;
}

ThawResult thaw_file_append(ThawFile *file, const void *bytes, size_t size) {
    assert(file != NULL && (bytes != NULL || size == 0));
    if (size > BUFFER_SIZE - file->used) flush_buffer(file);
    if (size >= BUFFER_SIZE) {
        if (file->failed == 0) file->failed = write_all(file->descriptor, bytes, size);
    } else if (size > 0) {
        memcpy(file->buffer + file->used, bytes, size);
        file->used += size;
    }
    return file->failed == 0 ? THAW_OK : thaw_file_fail("write", file->path, file->failed);
}

void thaw_file_abandon(ThawFile *file) {
    if (file == NULL) return;
    unlink(file->temporary);
    free_file(file);
}

// everything before the rename
static int finish_temporary(ThawFile *file) {
    flush_buffer(file);
    if (file->failed == 0) file->failed = sync_descriptor(file->descriptor);
    int closed = close(file->descriptor);
    file->descriptor = -1;
    if (file->failed == 0 && closed != 0) file->failed = errno;
    return file->failed;
}

ThawResult thaw_file_commit(ThawFile *file) {
    assert(file != NULL);
    int code = finish_temporary(file);
    if (code == 0 && rename(file->temporary, file->path) != 0) code = errno;
    if (code != 0) {
        ThawResult result = thaw_file_fail("write", file->path, code);
        thaw_file_abandon(file);
        return result;
    }
    char *parent = parent_of(file->path);
    ThawResult result = parent == NULL ? thaw_fail_memory(1) : thaw_directory_sync(parent);
    free(parent);
    free_file(file);
    return result;
}

ThawResult thaw_file_write(const char *path, const void *bytes, size_t size) {
    ThawFile *file;
    ThawResult result = thaw_file_create(path, &file);
    if (result != THAW_OK) return result;
    thaw_file_append(file, bytes, size);
    return thaw_file_commit(file);
}

// ---------------------------------------------------------------- reading

static ThawResult open_ordinary(const char *path, int *descriptor, size_t *size) {
    // a pipe would block: it is opened without waiting and refused below
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*descriptor < 0) return thaw_file_fail("read", path, errno);
    struct stat status;
    ThawResult result = THAW_OK;
    if (fstat(*descriptor, &status) != 0) {
        result = thaw_file_fail("read", path, errno);
    } else if (!S_ISREG(status.st_mode)) {
        result = thaw_fail(THAW_BAD_INPUT, "cannot read \"%s\": it is no ordinary file", path);
    } else if ((uint64_t)status.st_size > (uint64_t)PTRDIFF_MAX) {
        result = thaw_fail(THAW_BAD_INPUT, "cannot read \"%s\": it is too large", path);
    } else {
        *size = (size_t)status.st_size;
        return THAW_OK;
    }
    close(*descriptor);
    return result;
}

static ThawResult read_all(int descriptor, const char *path, uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t got = read(descriptor, bytes, size < WRITE_MOST ? size : WRITE_MOST);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return thaw_file_fail("read", path, errno);
        if (got == 0) {
            return thaw_fail(THAW_BAD_INPUT, "cannot read \"%s\": it became shorter", path);
        }
        bytes += got;
        size -= (size_t)got;
    }
    return THAW_OK;
}

ThawResult thaw_file_load(const char *path, uint8_t **bytes, size_t *size) {
    *bytes = NULL;
    int descriptor;
    ThawResult result = open_ordinary(path, &descriptor, size);
    if (result != THAW_OK) return result;
    uint8_t *block = malloc(*size == 0 ? 1 : *size);
    result = block == NULL ? thaw_fail_memory(*size) : read_all(descriptor, path, block, *size);
    close(descriptor);
    if (result == THAW_OK) {
        *bytes = block;
    } else {
        free(block);
    }
    return result;
}

ThawResult thaw_file_load_head(const char *path, uint8_t *bytes, size_t wanted, size_t *size) {
    int descriptor;
    ThawResult result = open_ordinary(path, &descriptor, size);
    if (result != THAW_OK) return result;
    if (*size < wanted) {
        result = thaw_fail(THAW_BAD_INPUT, "\"%s\" is not a file of thaw: it is too short", path);
    } else {
        result = read_all(descriptor, path, bytes, wanted);
    }
    close(descriptor);
    return result;
}
