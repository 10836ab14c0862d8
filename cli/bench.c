// thaw bench: times the very step that a scene takes.
#include "bench.h"
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <thaw/cache.h>
#include <thaw/thaw.h>
#include <time.h>

typedef struct Bench {
    long particles, threads, iterations, steps, substeps;
    double xsph; // coefficient of liquids; negative: the material's default
    ThawIsa isa;
    bool json;
    const char *compare;
    const char *output; // directory for a frame a step, NULL = none
} Bench;

typedef struct Case {
    const char *name;
    const char *summary;
    long particles; // default
    ThawResult (*build)(const Bench *bench, ThawWorld **world);
    double dt;   // s, for spacing 0.01 m
    bool frames; // also report seconds a frame of 1/24 s
} Case;

// What was measured.
typedef struct Result {
    const char *name;
    uint32_t particles;
    int threads;
    long steps;
    double iterations, neighbours, ns, phases[THAW_PHASE_COUNT], bytes, error, substeps, seconds;
    double passes;   // of viscosity, a substep
    double rebuilds; // of lists, a substep
    double best;     // ns, of the fastest step
    double best_phases[THAW_PHASE_COUNT];
} Result;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---------------------------------------------------------------- cases

static ThawWorldDef describe_world(const Bench *bench, long substeps, ThawVec3 gravity) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = 0.01;
    def.gravity = gravity;
    def.threads = (int)bench->threads;
    def.isa = bench->isa;
    def.solver.iterations = (int)bench->iterations;
    def.solver.substeps = (int)substeps;
    return def;
}

static ThawResult make_world(const Bench *bench, long substeps, ThawVec3 gravity,
                             ThawWorld **world) {
    ThawWorldDef def = describe_world(bench, substeps, gravity);
    return thaw_world_create(&def, world);
}

static ThawMaterialDef make_water(const Bench *bench) {
    ThawMaterialDef water = thaw_material_default();
    if (bench->xsph >= 0) water.liquid.xsph = (float)bench->xsph;
    return water;
}

// simple cubic lattice, rotated, jitter 0.25 d, filling a cube; nothing else
static ThawResult build_rest(const Bench *bench, ThawWorld **world) {
    ThawResult result = make_world(bench, 1, (ThawVec3){0, 0, 0}, world);
    if (result != THAW_OK) return result;
    ThawMaterialDef water = make_water(bench);
    water.liquid.tensile = 0.01f;
    ThawBodyDef body = thaw_body_default();
    result = thaw_world_add_material(*world, &water, &body.material);
    if (result != THAW_OK) return result;
    double edge = 0.01 * cbrt((double)bench->particles);
    body.shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){edge, edge, edge});
    body.packing = THAW_PACKING_CUBIC;
    body.orientation = thaw_shape_rotate(body.shape, (ThawVec3){1, 2, 3}, 0.7).pose.rotation;
    body.jitter = 0.25;
    ThawBodyId id;
    return thaw_world_add_body(*world, &body, &id);
}

// a block in the corner of a closed tank, falling over: 2.2 × 1 × 1 of which 0.7 × 0.9 × 0.75 is
// liquid
static ThawResult build_dam(const Bench *bench, ThawWorld **world) {
    ThawResult result = make_world(bench, bench->substeps, (ThawVec3){0, 0, -9.81}, world);
    if (result != THAW_OK) return result;
    ThawMaterialDef water = make_water(bench);
    ThawBodyDef body = thaw_body_default();
    result = thaw_world_add_material(*world, &water, &body.material);
    if (result != THAW_OK) return result;
    double unit = 0.01 * cbrt((double)bench->particles / (0.7 * 0.9 * 0.75));
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){1.1 * unit, 0.5 * unit, 0.5 * unit},
                                (ThawVec3){2.2 * unit, unit, unit});
    ThawColliderId wall;
    result = thaw_world_add_collider(*world, &tank, &wall);
    if (result != THAW_OK) return result;
    ThawVec3 size = {0.7 * unit, 0.9 * unit, 0.75 * unit};
    body.shape = thaw_shape_box((ThawVec3){size.x / 2, size.y / 2, size.z / 2}, size);
    ThawBodyId id;
    return thaw_world_add_body(*world, &body, &id);
}

static ThawResult add_solid(ThawWorld *world, ThawShape shape, float young, ThawVec3 velocity,
                            ThawVec3 spin) {
    ThawMaterialDef material = thaw_material_default();
    char name[32];
    snprintf(name, sizeof name, "solid %u", thaw_world_count(world));
    material.name = name;
    material.solid.young = young;
    ThawBodyDef body = thaw_body_default();
    ThawResult result = thaw_world_add_material(world, &material, &body.material);
    if (result != THAW_OK) return result;
    body.state = THAW_STATE_SOLID;
    body.shape = shape;
    body.velocity = velocity;
    body.spin = spin;
    ThawBodyId id;
    return thaw_world_add_body(world, &body, &id);
}

// one block, turned, spinning a little so that everything moves; nothing else
static ThawResult make_block(const Bench *bench, bool keep_lists, ThawWorld **world) {
    ThawWorldDef def = describe_world(bench, 1, (ThawVec3){0, 0, 0});
    def.keep_lists = keep_lists;
    def.skip_energy = true; // a frame measures it once, for all its substeps
    ThawResult result = thaw_world_create(&def, world);
    if (result != THAW_OK) return result;
    double edge = 0.01 * cbrt((double)bench->particles);
    ThawShape box = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){edge, edge, edge});
    return add_solid(*world, thaw_shape_rotate(box, (ThawVec3){1, 2, 3}, 0.7), 1e5f,
                     (ThawVec3){0, 0, 0}, (ThawVec3){0.1, 0.2, 0.3});
}

// lists serve as long as they hold, as they do over the substeps of a scene's frame
static ThawResult build_solid(const Bench *bench, ThawWorld **world) {
    return make_block(bench, true, world);
}

// lists and bonds are found anew in every step
static ThawResult build_solid_anew(const Bench *bench, ThawWorld **world) {
    return make_block(bench, false, world);
}

// nine stiff dice thrown together on a floor (2006 paper, figure 5)
static ThawResult build_dice(const Bench *bench, ThawWorld **world) {
    ThawResult result = make_world(bench, bench->substeps, (ThawVec3){0, 0, -9.81}, world);
    if (result != THAW_OK) return result;
    ThawColliderDef floor = thaw_collider_default();
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    ThawColliderId id;
    result = thaw_world_add_collider(*world, &floor, &id);
    double edge = 0.01 * cbrt((double)bench->particles / 9.0);
    for (int k = 0; k < 9 && result == THAW_OK; k++) {
        double x = (k % 3 - 1) * 1.6 * edge, y = (k / 3 - 1) * 1.6 * edge;
        ThawShape box =
            thaw_shape_box((ThawVec3){x, y, (1.0 + 0.2 * k) * edge}, (ThawVec3){edge, edge, edge});
        result = add_solid(*world, thaw_shape_rotate(box, (ThawVec3){1 + k, 2, 3 - k}, 0.5 + k),
                           1e8f, (ThawVec3){-6.0 * x, -6.0 * y, -0.5}, (ThawVec3){5.0 - k, k, 3});
    }
    return result;
}

static const Case cases[] = {
    {"liquid-rest", "jittered liquid without walls: 4 iterations, tensile term, XSPH, 1 substep",
     1000000, build_rest, 0.0005, false},
    {"dam-break", "a falling column in a closed tank, substeps chosen by the solver", 200000,
     build_dam, 1.0 / 24.0, true},
    {"solid",
     "one elastic block, turned and spinning: 1 substep, lists as long as they hold, no energy "
     "told",
     1000000, build_solid, 0.0005, false},
    {"solid-anew", "the same with lists and bonds found anew in every step", 1000000,
     build_solid_anew, 0.0005, false},
    {"dice", "nine stiff dice thrown together on a floor, substeps chosen by the solver", 2214,
     build_dice, 1.0 / 24.0, true},
};
#define CASES (sizeof cases / sizeof cases[0])

// ---------------------------------------------------------------- measuring

static double peak_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024.0;
}

// ---------------------------------------------------------------- frames, as a run writes them

static ThawResult open_output(const Bench *bench, ThawCache **cache) {
    *cache = NULL;
    if (bench->output == NULL) return THAW_OK;
    ThawCacheDef def = {
        .directory = bench->output, .scene_text = "", .fps = 24, .dimensions = 3, .compression = 1};
    return thaw_cache_create(&def, cache);
}

static ThawResult put_output(ThawCache *cache, ThawWorld *world, int frame,
                             const ThawReport *report) {
    static const char *const channels[] = {"velocity", "material", "object", "state",
                                           "density_error"};
    if (cache == NULL) return THAW_OK;
    ThawFrameInfo info = {.frame = frame,
                          .time = thaw_world_time(world),
                          .fps = 24,
                          .spacing = thaw_world_spacing(world),
                          .support = thaw_world_support(world),
                          .up = 2,
                          .dimensions = 3};
    ThawFrame *taken;
    ThawResult result = thaw_frame_take(world, &info, channels, 5, &taken);
    ThawStats stats = {.frame = frame, .report = *report};
    return result == THAW_OK ? thaw_cache_put(cache, taken, &stats) : result;
}

// ---------------------------------------------------------------- the measurement

static void add_report(Result *result, const ThawReport *report) {
    for (int p = 0; p < THAW_PHASE_COUNT; p++) result->phases[p] += report->phase_seconds[p];
    result->iterations += report->iterations;
    result->substeps += report->substeps;
    result->passes += report->viscosity_passes;
    result->rebuilds += report->rebuilds;
    result->neighbours += report->neighbours;
    result->error += report->mean_density_error;
}

// a shared machine has more to do than us: the fastest step says what the code takes
static void note_fastest(Result *result, const ThawReport *report, double seconds) {
    double substeps = fmax(report->substeps, 1);
    if (seconds / substeps >= result->best) return;
    result->best = seconds / substeps;
    for (int p = 0; p < THAW_PHASE_COUNT; p++) {
        result->best_phases[p] = report->phase_seconds[p] / substeps;
    }
}

static ThawResult measure(const Case *test, const Bench *bench, ThawWorld *world, Result *result) {
    ThawReport report;
    ThawCache *cache;
    ThawResult opened = open_output(bench, &cache);
    if (opened != THAW_OK) return opened;
    // two steps to warm up: arrays grow, lists find their size
    ThawResult stepped = THAW_OK;
    for (int k = 0; k < 2 && stepped == THAW_OK; k++) {
        stepped = thaw_world_step(world, test->dt, &report);
    }
    double begin = now();
    result->best = INFINITY;
    for (long k = 0; k < bench->steps && stepped == THAW_OK; k++) {
        double start = now();
        stepped = thaw_world_step(world, test->dt, &report);
        note_fastest(result, &report, now() - start);
        if (stepped == THAW_OK) stepped = put_output(cache, world, (int)k, &report);
        add_report(result, &report);
    }
    ThawResult closed = thaw_cache_close(cache);
    if (stepped != THAW_OK || closed != THAW_OK) return stepped != THAW_OK ? stepped : closed;
    double seconds = now() - begin, steps = (double)bench->steps;
    result->name = test->name;
    result->particles = thaw_world_count(world);
    result->threads = thaw_world_threads(world);
    result->steps = (long)result->substeps;
    double scale = 1e9 / (result->substeps * result->particles);
    result->ns = seconds * scale;
    result->best *= 1e9 / result->particles;
    for (int p = 0; p < THAW_PHASE_COUNT; p++) {
        result->phases[p] *= scale;
        result->best_phases[p] *= 1e9 / result->particles;
    }
    result->iterations /= result->substeps;
    result->passes /= result->substeps;
    result->rebuilds /= result->substeps;
    result->substeps /= steps;
    result->neighbours /= steps;
    result->error /= steps;
    result->seconds = seconds / steps;
    result->bytes = peak_bytes() / result->particles;
    return THAW_OK;
}

static void print_phases(const char *key, const double *phases) {
    printf("\"%s\": {", key);
    for (int p = 0; p < THAW_PHASE_COUNT; p++) {
        printf("%s\"%s\": %.2f", p > 0 ? ", " : "", thaw_phase_name((ThawPhase)p), phases[p]);
    }
    printf("}, ");
}

static void print_json(const Result *r, const char *isa, bool frames) {
    printf(
        "{\"name\": \"%s\", \"particles\": %u, \"threads\": %d, \"isa\": \"%s\", \"steps\": %ld, ",
        r->name, r->particles, r->threads, isa, r->steps);
    printf("\"iterations\": %g, \"rebuilds\": %.3g, \"neighbours\": %.2f, "
           "\"ns_per_particle_step\": %.1f, ",
           r->iterations, r->rebuilds, r->neighbours, r->ns);
    print_phases("phases", r->phases);
    printf("\"fastest_ns_per_particle_step\": %.1f, ", r->best);
    print_phases("fastest_phases", r->best_phases);
    printf("\"bytes_per_particle\": %.1f, \"mean_density_error\": %.6f", r->bytes, r->error);
    if (frames)
        printf(", \"substeps\": %.1f, \"seconds_per_frame\": %.4f", r->substeps, r->seconds);
    printf("}\n");
}

static void print_table(const Result *r, const char *isa, bool frames) {
    printf("%s: %u particles, %d thread%s, %s, %ld substeps of %g iterations, lists made in %.3g "
           "of each\n",
           r->name, r->particles, r->threads, r->threads == 1 ? "" : "s", isa, r->steps,
           r->iterations, r->rebuilds);
    printf("  %-12s %8.1f ns a particle and substep; %.1f in the fastest step\n", "all", r->ns,
           r->best);
    for (int p = 0; p < THAW_PHASE_COUNT; p++) {
        printf("  %-12s %8.1f %8.1f\n", thaw_phase_name((ThawPhase)p), r->phases[p],
               r->best_phases[p]);
    }
    printf(
        "  %.2f neighbours with self, %.1f bytes a particle at the peak, mean density error %.5f\n",
        r->neighbours, r->bytes, r->error);
    if (frames) printf("  %.1f substeps and %.3f s a frame of 1/24 s\n", r->substeps, r->seconds);
}

// ---------------------------------------------------------------- comparing with an earlier result

// the number after "key": on a line; negative when it is not there
static double find_number(const char *line, const char *key) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char *found = strstr(line, pattern);
    return found == NULL ? -1.0 : strtod(found + strlen(pattern), NULL);
}

static int compare_with(const Bench *bench, const Result *result) {
    FILE *file = fopen(bench->compare, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: error: cannot be read\n", bench->compare);
        return EXIT_USAGE;
    }
    char line[4096], name[128];
    snprintf(name, sizeof name, "\"name\": \"%s\"", result->name);
    bool found = false;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strstr(line, name) == NULL) continue;
        if ((int)find_number(line, "threads") != result->threads) continue;
        double before = find_number(line, "ns_per_particle_step");
        if (before <= 0) continue;
        found = true;
        fprintf(bench->json ? stderr : stdout, "  %.3f of the %.1f ns in %s (%.0f particles)\n",
                result->ns / before, before, bench->compare, find_number(line, "particles"));
    }
    fclose(file);
    if (!found) {
        fprintf(stderr, "%s: error: holds no result of %s with %d threads\n", bench->compare,
                result->name, result->threads);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- what viscosity costs

#define VISCOSITY "viscosity"
#define MOST_OFF 0.05 // of a wave's rate of decay
#define MOST_RATIO 4.0

static const double thin = 0.5, thick = 50;

// the jittered liquid at one coefficient, and how right its viscosity is
static ThawResult measure_viscosity(const Case *test, Bench bench, double c, Result *measured,
                                    double *rate) {
    ThawWorld *world = NULL;
    bench.xsph = c;
    ThawResult result = test->build(&bench, &world);
    if (result == THAW_OK) result = measure(test, &bench, world, measured);
    BenchWave wave = {(int)bench.threads, bench.isa, c, test->dt};
    thaw_world_destroy(world);
    return result == THAW_OK ? bench_wave(&wave, rate) : result;
}

// by the fastest steps: the two are not timed together, and a machine has more to do
static void print_viscosity(const Result results[2], const double rates[2], double dt, bool json) {
    const Result *few = &results[0], *many = &results[1];
    if (json) {
        printf("{\"name\": \"" VISCOSITY "\", \"particles\": %u, \"threads\": %d, \"dt\": %.6g, "
               "\"ns_thin\": %.1f, \"ns_thick\": %.1f, \"passes_thin\": %g, \"passes_thick\": %g, "
               "\"ratio\": %.3f, \"most_ratio\": %g, \"rate_thin\": %.4f, \"rate_thick\": %.4f}\n",
               few->particles, few->threads, dt, few->best, many->best, few->passes, many->passes,
               many->best / few->best, MOST_RATIO, rates[0], rates[1]);
        return;
    }
    printf(VISCOSITY ": %u particles, %d thread%s, substeps of %.3g ms\n", few->particles,
           few->threads, few->threads == 1 ? "" : "s", 1e3 * dt);
    for (int k = 0; k < 2; k++) {
        printf(
            "  c = %-4g %8.1f ns a particle and substep, %g passes; waves die at %.3f of the rate "
            "asked for\n",
            k == 0 ? thin : thick, results[k].best, results[k].passes, rates[k]);
    }
    printf("  c = %g costs %.2f times the substep of c = %g; %g is the most that it shall\n", thick,
           many->best / few->best, thin, MOST_RATIO);
}

// A thick liquid's step over a thin one's, at the reference time and at a short substep.
static int run_viscosity(Bench bench) {
    static const double lengths[2] = {THAW_REFERENCE_TIME, 0.0005};
    if (bench.particles == 0) bench.particles = 200000;
    for (int n = 0; n < 2; n++) {
        Case test = {VISCOSITY, "", 0, build_rest, lengths[n], false};
        Result results[2] = {{0}};
        double rates[2];
        for (int k = 0; k < 2; k++) {
            double c = k == 0 ? thin : thick;
            if (measure_viscosity(&test, bench, c, &results[k], &rates[k]) == THAW_OK) continue;
            fprintf(stderr, "thaw bench: error: " VISCOSITY ": %s\n", thaw_error_text());
            return EXIT_FAILED;
        }
        print_viscosity(results, rates, lengths[n], bench.json);
        fflush(stdout);
        for (int k = 0; k < 2; k++) {
            if (fabs(rates[k] - 1) <= MOST_OFF) continue;
            fprintf(stderr,
                    "thaw bench: error: " VISCOSITY ": waves die at %.3f of the rate that c = %g "
                    "asks for\n",
                    rates[k], k == 0 ? thin : thick);
            return EXIT_FAILED;
        }
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- the command

#define FIELD "field" // a case that steps no world
#define HEAT "heat"

static const char *const isa_names[] = {"auto", "baseline", "avx2", "avx512", NULL};

static int run_case(const Case *test, Bench bench) {
    if (bench.particles == 0) bench.particles = test->particles;
    ThawWorld *world = NULL;
    Result measured = {0};
    ThawResult result = test->build(&bench, &world);
    if (result == THAW_OK) result = measure(test, &bench, world, &measured);
    if (result != THAW_OK) {
        fprintf(stderr, "thaw bench: error: %s: %s\n", test->name, thaw_error_text());
        thaw_world_destroy(world);
        return result == THAW_BAD_INPUT ? EXIT_USAGE : EXIT_FAILED;
    }
    const char *isa = isa_names[thaw_world_isa(world)];
    if (bench.json)
        print_json(&measured, isa, test->frames);
    else
        print_table(&measured, isa, test->frames);
    fflush(stdout);
    thaw_world_destroy(world);
    return bench.compare != NULL ? compare_with(&bench, &measured) : EXIT_DONE;
}

static int run_heat(const Bench *bench) {
    return bench_heat((BenchHeat){.threads = (int)bench->threads,
                                  .isa = bench->isa,
                                  .iterations = (int)bench->iterations,
                                  .substeps = (int)bench->substeps,
                                  .particles = bench->particles > 0 ? bench->particles : 20000,
                                  .frames = bench->steps,
                                  .json = bench->json});
}

static void list_cases(void) {
    for (size_t k = 0; k < CASES; k++) printf("%-12s %s\n", cases[k].name, cases[k].summary);
    printf("%-12s %s\n", VISCOSITY,
           "liquid-rest at c = 0.5 and c = 50: what viscosity costs, and whether it is right");
    printf("%-12s %s\n", HEAT,
           "ice and water with heat and without: what heat and transitions cost, and whether they "
           "are right");
    printf("%-12s %s\n", FIELD,
           "distance fields of a ball at 128, 256 and 1024 cells: building, asking, memory");
}

// the options into *bench
static bool parse_options(const Arguments *arguments, Bench *bench) {
    int isa = THAW_ISA_AUTO;
    bool ok = arguments_whole(arguments, "particles", 100, 500000000, &bench->particles) &&
              arguments_whole(arguments, "threads", 0, 256, &bench->threads) &&
              arguments_whole(arguments, "iterations", 1, 1000, &bench->iterations) &&
              arguments_whole(arguments, "substeps", 0, 1000, &bench->substeps) &&
              arguments_whole(arguments, "steps", 1, 1000000, &bench->steps) &&
              arguments_real(arguments, "xsph", 0, 1000, &bench->xsph) &&
              arguments_choice(arguments, "isa", isa_names, &isa);
    bench->isa = (ThawIsa)isa;
    bench->json = arguments_has(arguments, "json");
    bench->compare = arguments_text(arguments, "compare");
    bench->output = arguments_text(arguments, "output");
    return ok;
}

static int run(const Arguments *arguments) {
    Bench bench = {.iterations = 4, .steps = 10, .xsph = -1};
    if (!parse_options(arguments, &bench)) return EXIT_USAGE;
    if (arguments_has(arguments, "list")) {
        list_cases();
        return EXIT_DONE;
    }
    const char *name = arguments->operands[0], *names[CASES + 4] = {FIELD, VISCOSITY, HEAT};
    const Case *only = NULL;
    for (size_t k = 0; k < CASES; k++) {
        names[k + 3] = cases[k].name;
        if (name != NULL && strcmp(name, cases[k].name) == 0) only = &cases[k];
    }
    bool field = name == NULL || strcmp(name, FIELD) == 0;
    bool viscosity = name == NULL || strcmp(name, VISCOSITY) == 0;
    bool heat = name == NULL || strcmp(name, HEAT) == 0;
    if (!field && !viscosity && !heat && only == NULL) return refuse_unknown("bench", name, names);
    int status = EXIT_DONE;
    for (size_t k = 0; k < CASES && status == EXIT_DONE; k++) {
        if (name == NULL || only == &cases[k]) status = run_case(&cases[k], bench);
    }
    if (viscosity && status == EXIT_DONE) status = run_viscosity(bench);
    if (heat && status == EXIT_DONE) status = run_heat(&bench);
    if (field && status == EXIT_DONE) status = bench_field((int)bench.threads, bench.json);
    return status;
}

static const Option options[] = {
    {"list", 0, NULL, NULL, "the cases, and what each is", NULL},
    {"particles", 0, "N", "the case's own", "about how many particles", NULL},
    {"threads", 0, "N", "0", "0 = as many as the machine has cores", NULL},
    {"iterations", 0, "N", "4", "solver iterations a substep", NULL},
    {"steps", 0, "N", "10", "steps to time", NULL},
    {"xsph", 0, "C", "0.05", "viscosity of liquid-rest and dam-break, as a scene's xsph", NULL},
    {"substeps", 0, "N", "0", "of the frames of dam-break, dice and heat; 0 = chosen by the solver",
     NULL},
    {"isa", 0, "NAME", "auto", "instruction set: auto, baseline, avx2 or avx512",
     "auto baseline avx2 avx512"},
    {"json", 0, NULL, NULL, "one JSON object a line, for programs and for --compare", NULL},
    {"output", 'o', "DIR", NULL, "also write a frame a step there, as a run does, and time it",
     COMPLETE_FILES},
    {"compare", 0, "FILE", NULL,
     "the time as a share of that in FILE (JSON lines of an earlier run)", COMPLETE_FILES},
    {0}};
static const Example examples[] = {
    {"thaw bench dam-break --threads 2", "time the dam break on two threads"},
    {"thaw bench viscosity", "what a thick liquid's step costs beside a thin one's"},
    {"thaw bench heat --threads 1", "what heat, melting and freezing add to a frame"},
    {"thaw bench --json > before.json", "keep results, for --compare before.json later"},
    {NULL, NULL}};
const Command command_bench = {
    .name = "bench",
    .summary = "time the step on standard cases",
    .operands = "[NAME]",
    .most = 1,
    .offer = "liquid-rest dam-break solid solid-anew dice viscosity heat field",
    .about = "Times the very step that a scene takes, after two steps to warm up. Without NAME all "
             "cases run.",
    .options = options,
    .examples = examples,
    .run = run};
