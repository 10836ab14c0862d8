// thaw run: from a scene to frames on disk.
#include "run.h"

#include "say.h"
#include "store.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FIRST_SAVE 2.0 // s until a run's first checkpoint

// ---------------------------------------------------------------- interruption

static volatile sig_atomic_t interrupts;

static void interrupt(int signal_number) {
    (void)signal_number;
    static const char text[] = "\nfinishing this frame, then saving (once more stops at once)\n";
    if (interrupts++ > 0) _exit(EXIT_INTERRUPTED);
    // the result does not matter: it is only a word to the user
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;
}

static void catch_interrupts(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < 3; k++) {
        // what nohup or a background shell ignores stays ignored
        if (sigaction(signals[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[k], &action, NULL);
    }
}

// ---------------------------------------------------------------- before the first frame

static char *choose_directory(const Run *run) {
    const char *asked = arguments_text(run->arguments, "output");
    if (asked != NULL) return path_join("", asked);
    // a cache directory in place of a scene: its own scene, into itself
    if (path_is_folder(run->arguments->operands[0]))
        return path_join("", run->arguments->operands[0]);
    char *stem = path_stem(run->scene_path);
    char *directory = stem != NULL ? path_join("out", stem) : NULL;
    free(stem);
    return directory;
}

static const char *const isa_names[] = {"auto", "baseline", "avx2", "avx512", NULL};

static bool read_options(Run *run) {
    const Arguments *arguments = run->arguments;
    long threads = 0;
    int isa = THAW_ISA_AUTO;
    if (!arguments_whole(arguments, "threads", 0, 256, &threads) ||
        !arguments_choice(arguments, "isa", isa_names, &isa))
        return false;
    // a drawing thread beside a full house would slow every loop of the simulation
    if (threads == 0 && arguments_has(arguments, "preview")) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        threads = cores > 256 ? 255 : cores > 1 ? cores - 1 : 1;
    }
    run->host = (ThawHostDef){.threads = (int)threads, .isa = (ThawIsa)isa};
    run->json = arguments_has(arguments, "json");
    run->quiet = arguments_has(arguments, "quiet");
    return true;
}

// what is free where the directory is, or will be
static bool look_at_disk(const char *directory, struct statvfs *disk) {
    char *place = path_join("", directory);
    if (place == NULL) return false;
    while (place[0] != '\0' && !path_is_folder(place)) {
        char *slash = strrchr(place, '/');
        *(slash == NULL ? place : slash == place ? slash + 1 : slash) = '\0';
        if (slash == place) break;
    }
    bool ok = statvfs(place[0] != '\0' ? place : ".", disk) == 0;
    free(place);
    return ok;
}

static void warn_of_disk(const Run *run) {
    const ThawPreflight *flight = &run->preflight;
    double wanted = flight->disk_bytes / (run->scene->frames.count + 1) * (run->last - run->frame);
    struct statvfs disk;
    if (!look_at_disk(run->directory, &disk)) return;
    double free_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    Text need, there;
    if (free_bytes < wanted)
        say_warning("run", "the frames need about %s, but only %s are free there",
                    text_bytes(&need, wanted), text_bytes(&there, free_bytes));
}

static void print_preflight(const Run *run) {
    if (run->quiet || run->json) return;
    const ThawPreflight *flight = &run->preflight;
    const ThawSceneFrames *frames = &run->scene->frames;
    Text count, peak, memory, disk, all;
    const char *title = run->scene->title;
    if (title != NULL && title[0] != '\0') printf("%s\n", title);
    bool grows = run->scene->emitter_count > 0;
    printf("%s particles", text_count(&count, flight->particles));
    if (grows) printf(" at the start, %s at most", text_count(&peak, flight->peak));
    printf(", spacing %g m, support %g m, memory about %s\n", run->scene->world.spacing,
           flight->support, text_bytes(&memory, flight->memory_bytes));
    printf("frames %d to %d at %g a second into %s, %s %s each, %s in all\n", run->first, run->last,
           frames->fps, run->directory, grows ? "up to about" : "about",
           text_bytes(&disk, flight->frame_bytes), text_bytes(&all, flight->disk_bytes));
    fflush(stdout);
}

// reads the scene, and works out what it will take
static int open_scene(Run *run) {
    const char *operand = run->arguments->operands[0];
    char *path = scene_path(operand);
    run->scene_path = operand;
    ThawMessages *messages = NULL;
    int status = path != NULL ? scene_open(run->arguments, path, &run->scene, &messages)
                              : say_failure("run", "out of memory");
    free(path);
    if (status != EXIT_DONE) return status;
    ThawResult result = thaw_scene_preflight(run->scene, &run->preflight, &messages);
    if (result == THAW_OK) {
        say_messages(messages);
        status = thaw_messages_errors(messages) > 0 ? EXIT_USAGE : EXIT_DONE;
        result = thaw_scene_write(run->scene, &run->scene_text, &run->scene_size);
    }
    thaw_messages_free(messages);
    if (result != THAW_OK) return say_result("run", result);
    run->scene_hash = thaw_scene_hash(run->scene);
    return status;
}

static int open_cache(Run *run) {
    ThawCacheDef def = {.directory = run->directory,
                        .scene_text = run->scene_text,
                        .scene_size = run->scene_size,
                        .scene_hash = run->scene_hash,
                        .first_frame = run->first,
                        .fps = run->scene->frames.fps,
                        .dimensions = run->scene->world.dimensions,
                        .compression = run->scene->output.compression,
                        .resume = run->keep || run->overwrite,
                        .resume_frame = run->keep ? run->frame : run->first - 1};
    ThawResult result = thaw_cache_create(&def, &run->cache);
    if (result != THAW_OK) return say_failure("run", "%s", thaw_error_text());
    return EXIT_DONE;
}

static int open_world(Run *run) {
    if (run->world != NULL) return EXIT_DONE;
    ThawResult result = thaw_scene_build(run->scene, &run->host, &run->world);
    return result == THAW_OK ? EXIT_DONE : say_result("run", result);
}

// ---------------------------------------------------------------- frames

static int say_stopped(const Run *run, const char *what) {
    progress_break(run->progress);
    say_failure("run", "%s", what);
    fprintf(stderr, "frames that are whole are kept in '%s'; when it is mended, go on with\n  ",
            run->directory);
    run_print_resume(run, stderr);
    return EXIT_FAILED;
}

static uint64_t peak_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024u;
#endif
}

static ThawFrameInfo frame_info(const Run *run) {
    ThawFrameInfo info = {.frame = run->frame,
                          .time = run_time(run, run->frame),
                          .fps = run->scene->frames.fps,
                          .spacing = thaw_world_spacing(run->world),
                          .support = thaw_world_support(run->world),
                          .up = run->scene->up,
                          .dimensions = run->scene->world.dimensions,
                          .scene_hash = run->scene_hash};
    snprintf(info.thaw_version, sizeof info.thaw_version, "%s", thaw_version());
    if (run->report.substeps > 0) info.dt = run_step(run, run->frame) / run->report.substeps;
    for (int k = 0; k < run->scene->material_count && k < THAW_FRAME_MATERIALS; k++) {
        info.rest_density[info.material_count++] = run->scene->materials[k].density;
    }
    return info;
}

// hands the world's present state to the cache
static int put_frame(Run *run, const ThawStats *stats) {
    if (run->frame < run->first) return EXIT_DONE;
    const ThawSceneOutput *output = &run->scene->output;
    ThawFrameInfo info = frame_info(run);
    ThawFrame *frame = NULL;
    ThawResult result = thaw_frame_take(run->world, &info, (const char *const *)output->channels,
                                        output->channel_count, &frame);
    // a frame may be several steps: all of them count
    if (result == THAW_OK)
        result = thaw_frame_set_fractures(frame, run->fractures.list, run->fractures.count);
    if (result == THAW_OK)
        result = thaw_frame_take_colliders(frame, run->world, (uint32_t)run->scene->collider_count);
    if (result == THAW_OK)
        result = thaw_cache_put(run->cache, frame, stats);
    else
        thaw_frame_free(frame);
    if (result != THAW_OK) return say_stopped(run, thaw_error_text());
    if (run->preview != NULL) preview_offer(run->preview, run->world, &info);
    return EXIT_DONE;
}

// a checkpoint belongs to a frame on disk, so there is none of the preroll
static int save_checkpoint(Run *run) {
    if (run->saved == run->frame || run->frame < run->first) return EXIT_DONE;
    void *bytes = NULL;
    size_t size = 0;
    ThawResult result = thaw_world_save(run->world, &bytes, &size);
    if (result == THAW_OK) result = thaw_cache_checkpoint(run->cache, run->frame, bytes, size);
    if (result != THAW_OK) return say_stopped(run, thaw_error_text());
    run->saved = run->frame;
    run->saved_at = say_clock();
    return EXIT_DONE;
}

// remembers where a solid was stiffer than the step could carry
static void note_stiffness(Run *run, const ThawReport *report) {
    if (!run_is_stiff(report)) return;
    bool first = run->young_frames++ == 0;
    run->young_wanted = fmax(run->young_wanted, report->young_wanted);
    run->young_carried =
        first ? report->young_limit : fmin(run->young_carried, report->young_limit);
}

// remembers the least that viscous liquids could do, and liquids with a surface tension
static void note_liquids(Run *run, const ThawReport *report) {
    double *least[2] = {&run->viscosity_limit, &run->tension_limit};
    const double limit[2] = {report->viscosity_limit, report->tension_limit};
    for (int k = 0; k < 2; k++) {
        if (limit[k] > 0) *least[k] = *least[k] > 0 ? fmin(*least[k], limit[k]) : limit[k];
    }
}

// simulates up to the end of the next frame
static int advance(Run *run, ThawStats *stats) {
    int frame = run->frame + 1;
    double begin = say_clock();
    *stats = (ThawStats){.frame = frame};
    run->fractures.count = 0;
    ThawResult result = thaw_scene_advance_noting(run->scene, run->world, run_step(run, frame),
                                                  &stats->report, &run->fractures);
    if (result == THAW_TROUBLE) {
        progress_break(run->progress);
        run_say_trouble(run, frame, &stats->report);
        return EXIT_FAILED;
    }
    if (result != THAW_OK) return say_stopped(run, thaw_error_text());
    run->frame = frame;
    run->report = stats->report;
    note_stiffness(run, &stats->report);
    note_liquids(run, &stats->report);
    run->born += (double)stats->report.born;
    run->died += (double)stats->report.died;
    run->melted += stats->report.melted;
    run->frozen += stats->report.frozen;
    run->heat_taken += stats->report.heat_taken;
    stats->ms = 1000 * (say_clock() - begin);
    stats->peak_rss_bytes = peak_bytes();
    return EXIT_DONE;
}

// the state before any step is a frame too
static int put_initial(Run *run) {
    if (run->resumed || run->frame != run->first) return EXIT_DONE;
    ThawStats stats = {.frame = run->frame, .report = run_initial_report(run)};
    stats.peak_rss_bytes = peak_bytes();
    int status = put_frame(run, &stats);
    if (status == EXIT_DONE) progress_initial(run->progress, &stats);
    return status;
}

// every so many seconds; and sooner at first, so that little is lost of a young run
static bool is_time_to_save(const Run *run) {
    double now = say_clock(), young = now - run->began_at, wanted = run->scene->output.checkpoint;
    if (wanted > FIRST_SAVE && young < 2 * wanted) wanted = fmax(FIRST_SAVE, young / 2);
    return now - run->saved_at >= wanted;
}

static int simulate(Run *run) {
    progress_begin(run->progress);
    run->began_at = run->saved_at = say_clock();
    if (run->scene->heat.on) run->heat_begin = run_initial_report(run).heat;
    int status = put_initial(run);
    while (status == EXIT_DONE && run->frame < run->last && !interrupts) {
        ThawStats stats;
        status = advance(run, &stats);
        if (status == EXIT_DONE) status = put_frame(run, &stats);
        if (status != EXIT_DONE) break;
        progress_frame(run->progress, &stats);
        if (is_time_to_save(run)) status = save_checkpoint(run);
    }
    if (status == EXIT_DONE) status = save_checkpoint(run);
    progress_break(run->progress);
    return status;
}

// ---------------------------------------------------------------- after the last frame

static void print_stiffness(const Run *run) {
    if (run->young_frames == 0 || run->scene->world.solver.explicit_forces) return;
    printf("stiffness was limited in %d frame%s: the stiffest solid asks for %.3g Pa and acted as "
           "%.2g Pa at the least; more solver.elastic_steps or substeps raise that\n",
           run->young_frames, run->young_frames == 1 ? "" : "s", run->young_wanted,
           run->young_carried);
}

// what came and went; of this run alone, where it goes on from a checkpoint
static void print_births(const Run *run) {
    if (run->scene->emitter_count == 0 && run->scene->sink_count == 0) return;
    Text born, died, live;
    printf("%s particles were born and %s died%s; %s live\n", text_count(&born, run->born),
           text_count(&died, run->died), run->resumed ? " since the checkpoint" : "",
           text_count(&live, thaw_world_count(run->world)));
}

// what heat did, and where it went; of this run alone, where it goes on from a checkpoint
static void print_heat(const Run *run) {
    const ThawReport *report = &run->report;
    if (!run->scene->heat.on || report->particles == 0) return;
    Text melted, frozen;
    printf(
        "%s particles melted and %s froze%s; matter is at %.1f to %.1f C, %.3g kg of it molten\n",
        text_count(&melted, run->melted), text_count(&frozen, run->frozen),
        run->resumed ? " since the checkpoint" : "", report->coldest - 273.15,
        report->hottest - 273.15, report->molten);
    double change = report->heat - run->heat_begin;
    printf("heat %.6g J, %+.3g J%s; walls, air and sources gave %+.3g J%s\n", report->heat, change,
           run->resumed ? " since the checkpoint" : "", run->heat_taken,
           run->born + run->died > 0 ? ", the rest came and went with particles" : "");
}

// where a liquid asks for more than some frame could do
static void print_limits(const Run *run) {
    const ThawPreflight *flight = &run->preflight;
    for (int k = 0; k < flight->liquid_count; k++) {
        const ThawLiquidForecast *liquid = &flight->liquids[k];
        const char *name = run->scene->materials[liquid->material].name;
        if (run->viscosity_limit > 0 && liquid->viscosity > 1.001 * run->viscosity_limit)
            printf("viscosity was limited: '%s' asks for %.3g m^2/s, and some frames could do %.2g "
                   "m^2/s; more substeps raise that\n",
                   name, liquid->viscosity, run->viscosity_limit);
        if (run->tension_limit > 0 && liquid->tension > 1.001 * run->tension_limit)
            printf("surface tension was limited: '%s' asks for %.3g N/m, and some frames could do "
                   "%.2g N/m; more substeps raise that\n",
                   name, liquid->tension, run->tension_limit);
    }
}

static void print_end(const Run *run, double seconds, double bytes) {
    if (run->quiet || run->json) return;
    Text time, frame, size;
    printf("frames %d to %d are in %s: %s", run->first, run->last, run->directory,
           text_duration(&time, seconds));
    if (progress_mean(run->progress) > 0)
        printf(", %s a frame", text_duration(&frame, progress_mean(run->progress)));
    if (bytes > 0) printf(", %s each", text_bytes(&size, bytes));
    printf("\n");
    print_births(run);
    print_heat(run);
    print_stiffness(run);
    print_limits(run);
    printf("\n  thaw movie ");
    print_quoted(stdout, run->directory);
    printf("\n  thaw render ");
    print_quoted(stdout, run->directory);
    printf(" --frames %d\n  thaw plot ", run->last);
    print_quoted(stdout, run->directory);
    printf(" kinetic\n  paraview ");
    print_quoted(stdout, run->directory);
    printf("/frames.xdmf\n");
}

static void print_interrupted(const Run *run) {
    fflush(stdout);
    if (run->frame >= run->first)
        fprintf(stderr,
                "interrupted after frame %d of %d; all of it is saved in '%s'. Go on with\n  ",
                run->frame, run->last, run->directory);
    else
        fprintf(stderr, "interrupted in the preroll, which is not saved. Start it again with\n  ");
    run_print_resume(run, stderr);
}

// closes the cache and tells how it ended
static int finish(Run *run, int status, double began) {
    double bytes = 0, waited = 0;
    bool stopped = status != EXIT_DONE || (interrupts && run->frame < run->last);
    thaw_cache_costs(run->cache, &bytes, &waited);
    ThawResult result = thaw_cache_close(run->cache);
    run->cache = NULL;
    if (result != THAW_OK && status == EXIT_DONE) status = say_stopped(run, thaw_error_text());
    if (run->preview != NULL) {
        int pictures = preview_close(run->preview, stopped || status != EXIT_DONE);
        if (!run->quiet && !run->json)
            printf("%d picture%s in %s/images\n", pictures, pictures == 1 ? "" : "s",
                   run->directory);
        run->preview = NULL;
    }
    if (status != EXIT_DONE) return status;
    if (stopped) {
        print_interrupted(run);
        return EXIT_INTERRUPTED;
    }
    print_end(run, say_clock() - began, bytes);
    return EXIT_DONE;
}

// ---------------------------------------------------------------- the command

static int prepare(Run *run, bool *done) {
    *done = false;
    if (!read_options(run)) return EXIT_USAGE;
    int status = open_scene(run);
    if (status != EXIT_DONE) return status;
    run->directory = choose_directory(run);
    if (run->directory == NULL) return say_failure("run", "out of memory");
    status = run_plan(run, done);
    if (status != EXIT_DONE || *done) return status;
    print_preflight(run);
    warn_of_disk(run);
    run->progress = progress_create(run);
    if (run->progress == NULL) return say_failure("run", "out of memory");
    // the world first: when it cannot be made, nothing is written
    status = open_world(run);
    if (status == EXIT_DONE) status = open_cache(run);
    if (status == EXIT_DONE && arguments_has(run->arguments, "preview")) {
        run->preview = preview_create(run);
        if (run->preview == NULL) status = EXIT_FAILED;
    }
    return status;
}

static void close_run(Run *run) {
    if (run->preview != NULL) preview_close(run->preview, true);
    thaw_cache_close(run->cache);
    thaw_world_destroy(run->world);
    progress_free(run->progress);
    thaw_preflight_free(&run->preflight);
    thaw_scene_free(run->scene);
    free(run->scene_text);
    free(run->fractures.list);
    free(run->directory);
}

static int run_scene(const Arguments *arguments) {
    Run run = {.arguments = arguments};
    double began = say_clock();
    bool done;
    catch_interrupts();
    int status = prepare(&run, &done);
    if (status == EXIT_DONE && !done) status = finish(&run, simulate(&run), began);
    close_run(&run);
    return status;
}

static const Option options[] = {
    {"output", 'o', "DIR", "out/NAME, NAME being the scene's", "directory for the frames",
     COMPLETE_FOLDERS},
    {"frames", 0, "A:B", "the scene's",
     "simulate up to frame B, the first being number A; B alone leaves A as it is", NULL},
    {"threads", 0, "N", "0",
     "0 = as many as the machine has cores; the results do not depend on it", NULL},
    {"isa", 0, "NAME", "auto",
     "instruction set: auto, baseline, avx2 or avx512; the last two agree in every bit",
     "auto baseline avx2 avx512"},
    {"resume", 0, NULL, NULL, "go on from the last checkpoint in DIR, in the same bits", NULL},
    {"branch", 0, NULL, NULL,
     "go on from there with the changed values of the scene (implies --resume)", NULL},
    {"preview", 0, NULL, NULL,
     "draw small pictures to DIR/images as frames come, with one of the threads", NULL},
    {"set", 0, "PATH=VALUE", NULL,
     "override a value of the scene, with the same checks; may be given often", NULL},
    {"allow-outside", 0, NULL, NULL, "let the scene name files outside its own folder", NULL},
    {"no-field-cache", 0, NULL, NULL,
     "build the distance fields of meshes anew, and keep none for the next time", NULL},
    {"json", 0, NULL, NULL,
     "one JSON object a frame on stdout and nothing else there, but one with errors at the end",
     NULL},
    {"quiet", 'q', NULL, NULL, "only warnings and errors", NULL},
    {0}};
static const Example examples[] = {
    {"thaw run dam.yaml", "simulate; frames go to out/dam"},
    {"thaw run dam.yaml --set spacing=0.02 -o out/coarse", "the same, coarser and elsewhere"},
    {"thaw run dam.yaml --resume", "go on after a crash or Ctrl-C, or for more frames"},
    {NULL, NULL}};
const Command command_run = {
    .name = "run",
    .summary = "simulate a scene",
    .operands = "SCENE",
    .least = 1,
    .most = 1,
    .offer = COMPLETE_FILES,
    .about =
        "Simulates a scene and writes one HDF5 file a frame, from the initial state on. Ctrl-C "
        "finishes the frame, saves a checkpoint and says how to go on; also after a crash or a "
        "full disk, --resume gives the very frames that an undisturbed run gives.\n\n"
        "A directory that holds frames is never overwritten. SCENE may be such a directory: then "
        "its own scene is taken.",
    .options = options,
    .examples = examples,
    .run = run_scene};
