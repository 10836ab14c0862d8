// Progress: a line that rewrites itself on a terminal, sober lines in a log, JSON for programs.
#include "run.h"

#include "say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct Progress {
    const Run *run;
    bool terminal;       // the line is rewritten
    bool shown;          // a line without its newline is on the terminal
    double last_line;    // s, clock
    double level, trend; // s a frame and how it grows, smoothed (Holt)
    double sum;          // s of all frames
    int count;
};

enum { LINE_SECONDS = 5 }; // between lines of a log

Progress *progress_create(const Run *run) {
    Progress *progress = calloc(1, sizeof *progress);
    if (progress == NULL) return NULL;
    progress->run = run;
    progress->terminal = !run->json && !run->quiet && isatty(STDOUT_FILENO) == 1;
    return progress;
}

void progress_free(Progress *progress) {
    free(progress);
}

void progress_begin(Progress *progress) {
    progress->last_line = say_clock();
}

double progress_mean(const Progress *progress) {
    return progress->count > 0 ? progress->sum / progress->count : 0;
}

// ---------------------------------------------------------------- time left

static void learn(Progress *progress, double seconds) {
    progress->sum += seconds;
    progress->count++;
    // the first frames differ most, so they count as in a plain mean
    double share = fmax(0.15, 1.0 / progress->count);
    double before = progress->level;
    progress->level += share * (seconds - progress->level) + (1 - share) * progress->trend;
    if (progress->count > 2) progress->trend += 0.1 * (progress->level - before - progress->trend);
}

// frames that grow slower go on doing so for as long as they have done it, then stay
static double seconds_left(const Progress *progress) {
    double frames = progress->run->last - progress->run->frame;
    double grow = fmin(frames, progress->count);
    double slope = fmax(progress->trend, -progress->level / (2 * fmax(grow, 1)));
    double slow = progress->level + slope * grow;
    return fmax(0, 0.5 * (progress->level + slow) * grow + slow * (frames - grow));
}

// ---------------------------------------------------------------- lines

static void print_json(const Progress *progress, const ThawStats *stats) {
    const ThawReport *report = &stats->report;
    printf("{\"frame\": %d, \"last\": %d, \"time\": ", stats->frame, progress->run->last);
    json_number(stdout, run_time(progress->run, stats->frame));
    printf(", \"particles\": %u, \"substeps\": %u, \"iterations\": %u, \"ms\": ", report->particles,
           report->substeps, report->iterations);
    json_number(stdout, stats->ms);
    printf(", \"mean_density_error\": ");
    json_number(stdout, report->mean_density_error);
    printf(", \"max_density_error\": ");
    json_number(stdout, report->max_density_error);
    printf(", \"max_speed\": ");
    json_number(stdout, report->max_speed);
    printf(", \"kinetic\": ");
    json_number(stdout, report->kinetic);
    printf(", \"removed\": %u, \"seconds_left\": ",
           report->removed_nonfinite + report->removed_outside);
    json_number(stdout, seconds_left(progress));
    printf("}\n");
    fflush(stdout);
}

// what both kinds of line tell
static void tell(const Progress *progress, const ThawStats *stats, char *text, size_t size) {
    const ThawReport *report = &stats->report;
    Text count, speed, left;
    int used = snprintf(
        text, size,
        "frame %d/%d  %.3f s  %s particles  %s a frame  density error %.2f %%  %u substeps%s",
        stats->frame, progress->run->last, run_time(progress->run, stats->frame),
        text_count(&count, report->particles), text_duration(&speed, stats->ms / 1000),
        100 * report->mean_density_error, report->substeps,
        report->substeps < report->substeps_wanted ? " (capped)" : "");
    if (stats->frame < progress->run->last && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "  %s left",
                 text_duration(&left, seconds_left(progress)));
}

static int terminal_columns(void) {
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col < 20) return 80;
    return window.ws_col;
}

static void print_bar(Progress *progress, const ThawStats *stats) {
    char text[256], bar[32];
    int columns = terminal_columns(), width = columns >= 100 ? 24 : 12;
    const Run *run = progress->run;
    double share =
        run->last > run->begin ? (double)(stats->frame - run->begin) / (run->last - run->begin) : 1;
    int full = (int)(share * width);
    for (int k = 0; k < width; k++) bar[k] = k < full ? '=' : k == full ? '>' : ' ';
    bar[width] = '\0';
    tell(progress, stats, text, sizeof text);
    printf("\r[%s] %.*s\033[K", bar, columns - width - 4, text);
    fflush(stdout);
    progress->shown = true;
}

// every frame when they are slow, else every few seconds; the first and the last always
static bool due(const Progress *progress, const ThawStats *stats) {
    return say_clock() - progress->last_line >= LINE_SECONDS || progress->count == 1 ||
           stats->frame == progress->run->last;
}

void progress_frame(Progress *progress, const ThawStats *stats) {
    learn(progress, stats->ms / 1000);
    if (progress->run->json) {
        if (stats->frame >= progress->run->first) print_json(progress, stats);
        return;
    }
    if (progress->run->quiet) return;
    if (progress->terminal) {
        // ten times a second is enough
        bool last = stats->frame == progress->run->last;
        if (!last && progress->shown && say_clock() - progress->last_line < 0.1) return;
        print_bar(progress, stats);
    } else if (due(progress, stats)) {
        char text[256];
        tell(progress, stats, text, sizeof text);
        printf("%s\n", text);
        fflush(stdout);
    } else {
        return;
    }
    progress->last_line = say_clock();
}

void progress_break(Progress *progress) {
    if (progress == NULL || !progress->shown) return;
    printf("\n");
    fflush(stdout);
    progress->shown = false;
}
