// thaw movie: pictures of all frames, then a movie by the ffmpeg command.
#include "picture.h"
#include "say.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---------------------------------------------------------------- ffmpeg

// whether a program of this name can be started
static bool is_installed(const char *name) {
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        char file[4096];
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (length > 0 && access(file, X_OK) == 0) return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static int say_absent(void) {
    say_failure("movie", "the ffmpeg command is not installed, and movies are made with it");
    fprintf(stderr, "  Debian, Ubuntu: apt install ffmpeg      Fedora: dnf install ffmpeg-free\n"
                    "  macOS: brew install ffmpeg\n"
                    "the pictures alone can be drawn with 'thaw render DIR'\n");
    return EXIT_FAILED;
}

// runs ffmpeg, without a shell; true when it came to a good end
static bool run_ffmpeg(char *const arguments[]) {
    pid_t child;
    int status;
    if (posix_spawnp(&child, "ffmpeg", NULL, NULL, arguments, environ) != 0) return false;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// the pictures' names as ffmpeg's pattern; a '%' of the folder's own must not be one
static void make_pattern(const char *folder, char *text, size_t size) {
    size_t to = 0;
    for (; *folder != '\0' && to + 24 < size; folder++) {
        if (*folder == '%') text[to++] = '%';
        text[to++] = *folder;
    }
    snprintf(text + to, size - to, "/frame_%%06d.png");
}

typedef struct Movie {
    const char *folder; // of the pictures
    const char *path;
    FrameRange frames;
    double fps;
} Movie;

// What makes a movie, the best first; some builds of ffmpeg lack the first. WebM takes no H.264.
typedef struct Codec {
    const char *name, *option, *quality;
} Codec;
static const Codec codecs[2][2] = {{{"libx264", "-crf", "18"}, {"mpeg4", "-q:v", "2"}},
                                   {{"libvpx-vp9", "-crf", "24"}, {"libvpx", "-qmax", "10"}}};

static bool encode(const Movie *movie, const char *aside, const Codec *codec, bool quiet) {
    char pattern[4096], rate[32], start[16], count[16];
    make_pattern(movie->folder, pattern, sizeof pattern);
    snprintf(rate, sizeof rate, "%.6g", movie->fps);
    snprintf(start, sizeof start, "%d", movie->frames.first);
    snprintf(count, sizeof count, "%d", movie->frames.last - movie->frames.first + 1);
    const char *arguments[] = {
        "ffmpeg", "-nostdin", "-y", "-loglevel", quiet ? "quiet" : "error", "-framerate", rate,
        "-start_number", start, "-i", pattern, "-frames:v", count,
        // codecs want even sizes
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-c:v", codec->name,
        codec->option, codec->quality, "-movflags", "+faststart", aside, NULL};
    return run_ffmpeg((char *const *)arguments);
}

static int make_movie(const Movie *movie) {
    // aside, with the ending that tells ffmpeg the format
    const char *dot = strrchr(movie->path, '.');
    char aside[4096];
    snprintf(aside, sizeof aside, "%.*s.part%s", (int)(dot - movie->path), movie->path, dot);
    const Codec *pair = codecs[path_ends(movie->path, (const char *const[]){".webm", NULL})];
    if (!encode(movie, aside, &pair[0], true) && !encode(movie, aside, &pair[1], false)) {
        remove(aside);
        return say_failure("movie", "ffmpeg could not make '%s'; the pictures are in %s",
                           movie->path, movie->folder);
    }
    if (rename(aside, movie->path) != 0)
        return say_failure("movie", "'%s' cannot be written: %s", movie->path, strerror(errno));
    printf("%s: %d frames at %g a second\n", movie->path,
           movie->frames.last - movie->frames.first + 1, movie->fps);
    return EXIT_DONE;
}

// ---------------------------------------------------------------- the command

// "DIR/NAME.mp4"
static char *default_path(const char *directory) {
    char *stem = path_stem(directory), name[256];
    if (stem == NULL) return NULL;
    bool plain = stem[0] != '\0' && strcmp(stem, ".") != 0 && strcmp(stem, "..") != 0;
    snprintf(name, sizeof name, "%s.mp4", plain ? stem : "movie");
    free(stem);
    return path_join(directory, name);
}

static int make_all(const Arguments *arguments, const Store *store, const Look *look,
                    Movie *movie) {
    const char *asked = arguments_text(arguments, "output");
    char *folder = path_join(store->directory, "images");
    char *path = asked != NULL ? path_join("", asked) : default_path(store->directory);
    int status = EXIT_FAILED, drawn;
    if (folder == NULL || path == NULL) {
        say_failure("movie", "out of memory");
    } else {
        DrawJob job = {.store = store, .look = look, .folder = folder, .missing = true};
        movie->folder = folder;
        movie->path = path;
        status = list_add(&job.frames, movie->frames) ? draw_frames("movie", &job, &drawn)
                                                      : say_failure("movie", "out of memory");
        if (status == EXIT_DONE) status = make_movie(movie);
        list_free(&job.frames);
    }
    free(folder);
    free(path);
    return status;
}

static const char *const endings[] = {".mp4", ".mkv", ".webm", ".mov", NULL};

static int run(const Arguments *arguments) {
    Store store;
    Look look = {0};
    Movie movie = {.fps = 0};
    if (!arguments_real(arguments, "fps", 0.1, 1000, &movie.fps)) return EXIT_USAGE;
    if (path_judge(arguments, "output", endings) != EXIT_DONE) return EXIT_USAGE;
    int status = store_open(arguments, arguments->operands[0], &store);
    if (status != EXIT_DONE) return status;
    if (movie.fps == 0) movie.fps = store.scene != NULL ? store.scene->frames.fps : 24;
    status = store_frames(arguments, &store, &movie.frames);
    if (status == EXIT_DONE) status = look_create(arguments, store.scene, &look);
    // before minutes of drawing
    if (status == EXIT_DONE && !is_installed("ffmpeg")) status = say_absent();
    if (status == EXIT_DONE) status = look_at_store(arguments, &store, &look);
    look_settle(&look);
    if (status == EXIT_DONE) status = make_all(arguments, &store, &look, &movie);
    look_free(&look);
    store_close(&store);
    return status;
}

static const Option options[] = {
    {"output", 'o', "FILE.mp4", "DIR/NAME.mp4", "the movie: .mp4, .mkv, .webm or .mov",
     COMPLETE_FILES},
    {"fps", 0, "N", "the scene's", "frames a second; fewer than the scene's is slow motion", NULL},
    {"frames", 0, "A:B", "all", "frames to show", NULL},
    PICTURE_OPTIONS,
    {0}};
static const Example examples[] = {
    {"thaw movie out/dam", "draw what is not drawn yet, then make out/dam/dam.mp4"},
    {"thaw movie out/dam --fps 6 -o slow.mp4", "four times slower, for a scene of 24 a second"},
    {NULL, NULL}};
const Command command_movie = {
    .name = "movie",
    .summary = "make a movie of a run",
    .operands = "DIR",
    .least = 1,
    .most = 1,
    .offer = COMPLETE_FOLDERS,
    .about = "Draws the pictures that are missing in DIR/images or were drawn in another way, and "
             "makes a movie of them with the ffmpeg command, which must be installed.",
    .options = options,
    .examples = examples,
    .run = run};
