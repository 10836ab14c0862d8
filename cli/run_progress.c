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

static void print_heat_json(const ThawReport *report) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"heat", report->heat},       {"heat_taken", report->heat_taken},
                   {"coldest", report->coldest}, {"hottest", report->hottest},
                   {"molten", report->molten},   {"melted", report->melted},
                   {"frozen", report->frozen}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        printf(", \"%s\": ", numbers[k].name);
        json_number(stdout, numbers[k].value);
    }
}

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
    printf(", \"solid\": %u, \"bonds_broken\": %u, \"elastic\": ", report->solid,
           report->bonds_broken);
    json_number(stdout, report->elastic);
    printf(", \"young_limit\": ");
    json_number(stdout, report->young_limit > 0 ? report->young_limit : NAN);
    printf(", \"born\": %.0f, \"died\": %.0f", (double)report->born, (double)report->died);
    if (progress->run->scene->heat.on) print_heat_json(report);
    printf(", \"removed\": %u, \"seconds_left\": ",
           report->removed_nonfinite + report->removed_outside);
    json_number(stdout, progress->count > 0 ? seconds_left(progress) : NAN);
    printf("}\n");
    fflush(stdout);
}

// What both kinds of line tell, the most wanted first. What does not fit into `room` letters is left
// out from the end, so that a line never wraps.
static void tell(const Progress *progress, const ThawStats *stats, size_t room, char *text,
                 size_t size) {
    enum { ITEMS = 12, LENGTH = 64 };
    const ThawReport *report = &stats->report;
    char items[ITEMS][LENGTH] = {""};
    Text count, speed, left, bonds, born, died, melted, frozen;
    snprintf(items[0], LENGTH, "frame %d/%d", stats->frame, progress->run->last);
    if (stats->frame < progress->run->last)
        snprintf(items[1], LENGTH, "%s left", text_duration(&left, seconds_left(progress)));
    snprintf(items[2], LENGTH, "%.3f s", run_time(progress->run, stats->frame));
    snprintf(items[3], LENGTH, "%s a frame", text_duration(&speed, stats->ms / 1000));
    snprintf(items[4], LENGTH, "density error %.2f %%", 100 * report->mean_density_error);
    snprintf(items[5], LENGTH, "%u substeps%s", report->substeps,
             report->substeps < report->substeps_wanted ? " (capped)" : "");
    snprintf(items[6], LENGTH, "%s particles", text_count(&count, report->particles));
    if (report->bonds_broken > 0)
        snprintf(items[7], LENGTH, "%s bonds broken", text_count(&bonds, report->bonds_broken));
    if (run_is_stiff(report))
        snprintf(items[8], LENGTH, "stiffness limited to %.2g Pa", report->young_limit);
    if (report->born > 0 || report->died > 0)
        snprintf(items[9], LENGTH, "%s born, %s died", text_count(&born, (double)report->born),
                 text_count(&died, (double)report->died));
    if (report->melted > 0 || report->frozen > 0)
        snprintf(items[10], LENGTH, "%s melted, %s froze", text_count(&melted, report->melted),
                 text_count(&frozen, report->frozen));
    if (progress->run->scene->heat.on && report->particles > 0)
        snprintf(items[11], LENGTH, "%.1f to %.1f C", report->coldest - 273.15,
                 report->hottest - 273.15);
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < ITEMS; k++) {
        if (items[k][0] == '\0') continue;
        size_t more = strlen(items[k]) + (used > 0 ? 2 : 0);
        if (used + more > room || used + more >= size) return;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? "  " : "", items[k]);
    }
}

// asked for every line, so that a window may change its size
static int terminal_columns(void) {
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 80;
    return window.ws_col;
}

static void print_bar(Progress *progress, const ThawStats *stats) {
    char text[256], bar[32] = "";
    // a terminal that is filled to its last column wraps
    int columns = terminal_columns() - 1, width = columns >= 110 ? 24 : columns >= 60 ? 12 : 0;
    const Run *run = progress->run;
    double share =
        run->last > run->begin ? (double)(stats->frame - run->begin) / (run->last - run->begin) : 1;
    int full = (int)(share * width);
    for (int k = 0; k < width; k++) bar[k] = k < full ? '=' : k == full ? '>' : ' ';
    int room = width > 0 ? columns - width - 3 : columns;
    tell(progress, stats, room > 0 ? (size_t)room : 0, text, sizeof text);
    if (width > 0)
        printf("\r[%s] %s\033[K", bar, text);
    else
        printf("\r%s\033[K", text);
    fflush(stdout);
    progress->shown = true;
}

// every frame when they are slow, else every few seconds; the first and the last always
static bool due(const Progress *progress, const ThawStats *stats) {
    return say_clock() - progress->last_line >= LINE_SECONDS || progress->count == 1 ||
           stats->frame == progress->run->last;
}

void progress_initial(Progress *progress, const ThawStats *stats) {
    if (progress->run->json) print_json(progress, stats);
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
        tell(progress, stats, sizeof text, text, sizeof text);
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
