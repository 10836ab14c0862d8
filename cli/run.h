// thaw run, in parts: the plan (new, again, or on from a checkpoint), the frames, progress,
// preview, trouble.
#ifndef THAW_CLI_RUN_H
#define THAW_CLI_RUN_H

#include "command.h"

#include <stdint.h>
#include <stdio.h>
#include <thaw/cache.h>
#include <thaw/scene.h>

typedef struct Progress Progress;
typedef struct Preview Preview;

// One run. Frames are counted from `begin`; those below `first` are the preroll, simulated but not
// written.
typedef struct Run {
    const Arguments *arguments;
    const char *scene_path;
    char *directory;
    ThawScene *scene;
    char *scene_text; // resolved
    size_t scene_size;
    uint64_t scene_hash;
    ThawPreflight preflight;
    ThawHostDef host;
    bool quiet, json;

    int begin; // the state at t = 0
    int first; // the initial frame, the first one written
    int last;
    int frame;                 // the world is at the end of this one
    int saved;                 // the newest checkpoint is of this one
    bool resumed;              // the world came from a checkpoint
    bool keep;                 // frames up to `frame` on disk are kept; others are dropped
    bool overwrite;            // frames on disk are dropped: the run starts again
    double began_at, saved_at; // s, clock of the start and of the last checkpoint
    ThawWorld *world;
    ThawCache *cache;
    ThawReport report;          // of the last frame
    ThawFractureList fractures; // of the last frame
    double young_wanted;        // Pa, where a solid was stiffer than could be carried; 0 = nowhere
    double young_carried;       // Pa, the least that it acted as
    int young_frames;           // frames in which that was so
    double born, died;          // particles, by emitters and sinks, since the run began or went on
    double melted, frozen;      // particles that changed their state, the same
    double heat_begin;          // J, of all matter when the run began or went on
    double heat_taken;          // J, from walls, air and sources since then
    double viscosity_limit;     // m^2/s, the least of the run; 0 = no viscous liquid
    double tension_limit;       // N/m, the same of surface tension
    Progress *progress;
    Preview *preview; // NULL = none
} Run;

// Time at the end of a frame, from its number alone; and the length of the step that leads to it.
double run_time(const Run *run, int frame);
double run_step(const Run *run, int frame);

// What to do in the directory: fills begin..overwrite and, when it goes on from a checkpoint, the
// world. Says why not and returns a status; *done when there is nothing left to do.
int run_plan(Run *run, bool *done);
// The command line that goes on with this run, and its newline.
void run_print_resume(const Run *run, FILE *stream);

// Whether a solid was stiffer than the step could carry.
bool run_is_stiff(const ThawReport *report);

// A report of the state before any step.
ThawReport run_initial_report(const Run *run);

// Says what numerical trouble stopped the step that leads to `frame`.
void run_say_trouble(const Run *run, int frame, const ThawReport *report);

// ---------------------------------------------------------------- progress

Progress *progress_create(const Run *run); // NULL without memory
void progress_free(Progress *progress);
void progress_begin(Progress *progress);
// The state before any step: only programs are told.
void progress_initial(Progress *progress, const ThawStats *stats);
void progress_frame(Progress *progress, const ThawStats *stats);
// Ends the line that a terminal shows, so that other text can follow.
void progress_break(Progress *progress);
// s a frame, over all frames simulated.
double progress_mean(const Progress *progress);

// ---------------------------------------------------------------- preview

// Draws frames beside the simulation; those that come while it is busy are drawn at the end.
Preview *preview_create(const Run *run);
void preview_offer(Preview *preview, ThawWorld *world, const ThawFrameInfo *info);
// Draws what is left, unless told to leave it; frees the preview. Returns how many pictures there
// are.
int preview_close(Preview *preview, bool leave);

#endif
