// Running the command as a user does: in a folder of its own, to the end or until it is killed.
#ifndef THAW_TEST_CLI_RIG_H
#define THAW_TEST_CLI_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

typedef struct Said {
    int status;
    char out[65536]; // stdout and stderr together
} Said;

// ---------------------------------------------------------------- a folder for one test

static inline int enter_folder(void **state) {
    static char folder[] = "/tmp/thaw_cli_XXXXXX";
    strcpy(folder, "/tmp/thaw_cli_XXXXXX");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return -1;
    *state = folder;
    return 0;
}

static inline int leave_folder(void **state) {
    char line[128];
    if (chdir("/") != 0) return -1;
    snprintf(line, sizeof line, "rm -rf '%s'", (const char *)*state);
    return system(line);
}

static inline void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// a file's bytes in new memory; NULL when it is not there
static inline char *load_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static inline bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

// whether a file is a PNG of this size
static inline void assert_png(const char *path, unsigned width, unsigned height) {
    size_t size = 0;
    char *bytes = load_file(path, &size);
    if (bytes == NULL) fail_msg("%s is missing", path);
    assert_true(size > 100 && memcmp(bytes, "\x89PNG", 4) == 0);
    const unsigned char *b = (const unsigned char *)bytes;
    assert_int_equal(b[18] * 256u + b[19], width);
    assert_int_equal(b[22] * 256u + b[23], height);
    free(bytes);
}

// ---------------------------------------------------------------- to the end

// one line for the shell, "thaw" being the command under test
static inline const Said *say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline const Said *say(const char *format, ...) {
    static Said said;
    char arguments[1024], line[1400];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(line, sizeof line, "thaw() { '%s' \"$@\"; }; { %s; } 2>&1", THAW_COMMAND, arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t size = fread(said.out, 1, sizeof said.out - 1, pipe);
    said.out[size] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    said.status = WEXITSTATUS(status);
    return &said;
}

static inline void assert_says(const Said *said, int status, const char *const *words) {
    if (said->status != status) fail_msg("status %d, not %d: %s", said->status, status, said->out);
    for (; *words != NULL; words++) {
        if (strstr(said->out, *words) == NULL) fail_msg("no '%s' in: %s", *words, said->out);
    }
}

static inline void assert_silent_about(const Said *said, const char *word) {
    if (strstr(said->out, word) != NULL) fail_msg("'%s' in: %s", word, said->out);
}

// ---------------------------------------------------------------- until it is stopped

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void wait_seconds(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {}
}

// starts the command; its words go to the file "said"
static inline pid_t start(const char *const *arguments) {
    const char *all[24] = {THAW_COMMAND};
    for (int k = 0; arguments[k] != NULL; k++) {
        assert_true(k < 22);
        all[k + 1] = arguments[k];
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int file = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (file >= 0 && dup2(file, 1) == 1 && dup2(file, 2) == 2)
            execv(THAW_COMMAND, (char *const *)all);
        _exit(99);
    }
    return child;
}

// the exit status, or minus the signal that ended it
static inline int finish(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0) assert_int_equal(errno, EINTR);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// ---------------------------------------------------------------- frames

// compares frames first..last of two cache directories, byte by byte
static inline void assert_equal_frames(const char *a, const char *b, int first, int last) {
    for (int frame = first; frame <= last; frame++) {
        char paths[2][256];
        char *bytes[2];
        size_t sizes[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            snprintf(paths[k], sizeof paths[k], "%s/frames/frame_%06d.h5", k == 0 ? a : b, frame);
            bytes[k] = load_file(paths[k], &sizes[k]);
            if (bytes[k] == NULL) fail_msg("%s is missing", paths[k]);
        }
        if (sizes[0] != sizes[1] || memcmp(bytes[0], bytes[1], sizes[0]) != 0)
            fail_msg("%s and %s differ", paths[0], paths[1]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

// stats.csv has one row a frame, in order
static inline void assert_whole_table(const char *directory, int first, int last) {
    char path[256];
    size_t size;
    snprintf(path, sizeof path, "%s/stats.csv", directory);
    char *text = load_file(path, &size);
    assert_non_null(text);
    const char *at = strchr(text, '\n');
    for (int frame = first; frame <= last; frame++) {
        assert_non_null(at);
        if ((int)strtol(at + 1, NULL, 10) != frame) fail_msg("no row %d in %s", frame, text);
        at = strchr(at + 1, '\n');
    }
    assert_non_null(at);
    assert_string_equal(at, "\n");
    free(text);
}

static inline int count_of(const char *text, const char *word) {
    int count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) count++;
    return count;
}

// ---------------------------------------------------------------- scenes

// a block falls on a moving paddle in a tank while gravity turns: everything that a checkpoint must
// hold
#define SMALL_SCENE                                                                                \
    "thaw: 1\n"                                                                                    \
    "title: Small dam\n"                                                                           \
    "spacing: 0.06\n"                                                                              \
    "gravity: [\"2 * sin(3 * t)\", 0, -9.81]\n"                                                    \
    "frames: {count: 12, fps: 24}\n"                                                               \
    "materials: {water: {density: 1000}}\n"                                                        \
    "bodies:\n"                                                                                    \
    "  - {name: block, material: water, jitter: 0.1,\n"                                            \
    "     shape: {box: {center: [0.3, 0.25, 0.3], size: [0.5, 0.4, 0.5]}}}\n"                      \
    "colliders:\n"                                                                                 \
    "  - {name: tank, container: yes, shape: {box: {center: [0.6, 0.25, 0.5],\n"                   \
    "     size: [1.2, 0.5, 1]}}}\n"                                                                \
    "  - {name: paddle, shape: {box: {center: [0.9, 0.25, 0.1], size: [0.1, 0.3, 0.2]}},\n"        \
    "     motion: [{time: 0}, {time: 1, move: [-0.2, 0, 0]}]}\n"                                   \
    "output: {checkpoint: 0}\n"

// enters a folder in which the scene has run
static inline int run_small(void **state) {
    if (enter_folder(state) != 0) return -1;
    write_file("small.yaml", SMALL_SCENE);
    return say("thaw run small.yaml --threads 1")->status;
}

#endif
