// thaw bench heat: what heat, melting and freezing cost beside the same scene without them, and whether they are right.
//
// Runs are the same in every bit however often they are repeated, so that the fastest time of each frame over some
// rounds counts, with all that happened in it; sums over frames are compared. It is processor time: a machine has more
// to do. The twin is a bath of ice and water whose end calorimetry tells.
#include "bench.h"
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SPACING 0.01
#define FRAME (1.0 / 24.0)
#define POOL_FRAME (1.0 / 240.0)
#define ROUNDS 2
#define MOST_FRAMES 60
#define BATH_FRAMES 40
#define WARM_UP 2 // frames before those that are timed
#define MELTS 273.15
#define ICE_AT 253.15
#define WATER_AT 283.15
#define LATENT 334e3
#define ICE_HEAT 2100.0
#define WATER_HEAT 4186.0
#define RANGE 1.0      // K, that ice melts over in the scene that changes
#define RISE 0.01      // K a frame there
#define SLABS 80       // so many layers, each as much colder, change one after the other
#define MOST_LOST 1e-6 // of all heat: what the budget may be off
#define MOST_OFF 0.02  // of the mass: what the molten mass may be off

// ---------------------------------------------------------------- the scene

// A pool beside a block of ice as high, in a tank with a warm floor.
typedef struct Scene {
    bool heat;
    bool changes; // ice and water are about to change their state, layer after layer
    bool pool;    // all of it is water, in steps of one substep: heat has a part in each
    bool bath;    // the twin: they come to the melting point together, quickly
    double edge;  // m: the tank is twice as long as wide and high
    ThawBodyId ice, water;
    ThawMaterialId matter;
    ThawColliderId floor;
    ThawHeatSourceId source[2];
} Scene;

static double frame_of(const Scene *scene) {
    return scene->pool ? POOL_FRAME : FRAME;
}

static ThawMaterialDef matter_of(const Scene *scene) {
    ThawMaterialDef material = thaw_material_default();
    material.thermal = (ThawThermalDef){.conductivity = 2.2f,
                                        .liquid_conductivity = 0.6f,
                                        .specific_heat = (float)ICE_HEAT,
                                        .liquid_specific_heat = (float)WATER_HEAT,
                                        .melts_at = (float)MELTS,
                                        .latent_heat = (float)LATENT,
                                        .freezing_neighbors = material.thermal.freezing_neighbors,
                                        .freezing_misfit = material.thermal.freezing_misfit,
                                        .reference = material.thermal.reference};
    if (scene->changes) material.thermal.melting_range = (float)RANGE;
    if (scene->bath) {
        material.thermal.conductivity = 4e4f;
        material.thermal.liquid_conductivity = 4e4f;
    }
    return material;
}

static ThawResult add_walls(Scene *scene, ThawWorld *world) {
    double a = scene->edge;
    ThawColliderDef tank = thaw_collider_default(), floor = thaw_collider_default();
    ThawColliderId id;
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.5 * a}, (ThawVec3){2 * a, a, 3 * a});
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    floor.temperature = scene->bath ? (float)MELTS : 300.0f;
    floor.heat_transfer = 1000;
    ThawResult result = thaw_world_add_collider(world, &tank, &id);
    return result == THAW_OK ? thaw_world_add_collider(world, &floor, &scene->floor) : result;
}

static ThawShape half_of(const Scene *scene, bool ice) {
    double a = scene->edge;
    return thaw_shape_box((ThawVec3){ice ? -0.5 * a : 0.5 * a, 0, 0.5 * a}, (ThawVec3){a, a, a});
}

static ThawResult add_half(Scene *scene, ThawWorld *world, ThawMaterialId material, bool ice) {
    ThawBodyDef body = thaw_body_default();
    body.material = material;
    body.shape = half_of(scene, ice);
    bool solid = ice && !scene->pool;
    body.state = solid ? THAW_STATE_SOLID : THAW_STATE_LIQUID;
    if (scene->heat) body.temperature = (float)(solid ? ICE_AT : WATER_AT);
    return thaw_world_add_body(world, &body, ice ? &scene->ice : &scene->water);
}

// Layers of ice from the tank's wall on, or of water from the ice on, each RISE further from the change.
static ThawResult set_layers(const Scene *scene, ThawWorld *world, bool ice) {
    double a = scene->edge, width = 0.25 * SPACING;
    ThawShape half = half_of(scene, ice);
    double sign = ice ? -1 : 1, far = MELTS + sign * SLABS * RISE;
    ThawResult result = thaw_world_set_temperature(world, &half, far);
    for (int k = 0; k < SLABS && result == THAW_OK; k++) {
        double x = (ice ? -a : 0) + (k + 0.5) * width;
        ThawShape slab = thaw_shape_box((ThawVec3){x, 0, 0.5 * a}, (ThawVec3){width, a, a});
        result = thaw_world_set_temperature(world, &slab, MELTS + sign * (k + 0.5) * RISE);
    }
    return result;
}

// What warms the ice, or cools the water, by RISE a frame.
static ThawResult add_source(Scene *scene, ThawWorld *world, bool ice) {
    ThawHeatSourceDef source = thaw_heat_source_default();
    double mass = 1000 * scene->edge * scene->edge * scene->edge;
    source.region = half_of(scene, ice);
    source.power =
        (ice ? 1 : -1) * mass * (LATENT / RANGE + 0.5 * (ICE_HEAT + WATER_HEAT)) * RISE / FRAME;
    return thaw_world_add_heat_source(world, &source, &scene->source[ice]);
}

static ThawResult build_scene(const BenchHeat *asked, Scene *scene, ThawWorld **world) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    def.threads = asked->threads;
    def.isa = asked->isa;
    def.solver.iterations = asked->iterations;
    def.solver.substeps = scene->pool ? 1 : asked->substeps;
    if (scene->bath) def.solver.elastic_steps = 1; // its ice may be soft
    def.heat.on = scene->heat;
    def.heat.convection = scene->bath ? 0 : 10;
    def.heat.emissivity = scene->bath ? 0 : 0.9f;
    ThawMaterialDef material = matter_of(scene);
    ThawResult result = thaw_world_create(&def, world);
    if (result == THAW_OK) result = thaw_world_add_material(*world, &material, &scene->matter);
    ThawMaterialId id = scene->matter;
    if (result == THAW_OK) result = add_walls(scene, *world);
    if (result == THAW_OK) result = add_half(scene, *world, id, true);
    if (result == THAW_OK) result = add_half(scene, *world, id, false);
    if (scene->pool && scene->heat && result == THAW_OK) result = add_source(scene, *world, true);
    if (!scene->changes || !scene->heat) return result;
    for (int ice = 0; ice < 2 && result == THAW_OK; ice++) {
        result = set_layers(scene, *world, ice == 1);
        if (result == THAW_OK) result = add_source(scene, *world, ice == 1);
    }
    return result;
}

// ---------------------------------------------------------------- timing

// what a frame's time is kept of
// AGAIN and INERT: the same frame once more, and with heat and changes switched off from its beginning
enum { WHOLE, HEAT, CHANGE, AGAIN, INERT, TIMES };

// What one scene came to, with or without heat.
typedef struct Run {
    Scene scene;
    double fastest[TIMES][MOST_FRAMES]; // s of each frame
    uint32_t substeps, stages, melted, frozen, particles;
    double begin, taken, end; // J: at the first frame, during all, after the last
    int threads;
} Run;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double sum_of(const Run *run, int which, long frames) {
    double sum = 0;
    for (long k = 0; k < frames; k++) sum += run->fastest[which][k];
    return sum;
}

static double lost_by(const Run *run) {
    return run->end > 0 ? fabs(run->end - run->begin - run->taken) / run->end : 0;
}

static void add_report(Run *run, const ThawReport *report) {
    run->substeps += report->substeps;
    run->stages += report->heat_stages;
    run->melted += report->melted;
    run->frozen += report->frozen;
    run->taken += report->heat_taken;
    run->end = report->heat;
}

// one frame more; those below 0 warm up
static ThawResult time_frame(ThawWorld *world, Run *run, long frame) {
    ThawReport report;
    double begin = now();
    ThawResult result = thaw_world_step(world, frame_of(&run->scene), &report);
    double seconds = now() - begin;
    if (result != THAW_OK) return result;
    if (frame < 0) {
        run->begin = report.heat;
        return THAW_OK;
    }
    const double times[] = {seconds, report.phase_seconds[THAW_PHASE_HEAT],
                            report.phase_seconds[THAW_PHASE_CHANGE]};
    for (int t = 0; t < AGAIN; t++) {
        run->fastest[t][frame] = fmin(run->fastest[t][frame], times[t]);
    }
    add_report(run, &report);
    return THAW_OK;
}

// Nothing conducts, nothing comes from outside, nothing changes: matter moves on as it is.
static ThawResult switch_off(const Scene *scene, ThawWorld *world) {
    ThawHeatDef air = thaw_heat_default();
    air.on = true;
    ThawMaterialDef material = matter_of(scene);
    material.thermal.conductivity = material.thermal.liquid_conductivity = 0;
    material.thermal.melts_at = material.thermal.melting_range = 0;
    ThawResult result = thaw_world_set_heat(world, &air);
    if (result == THAW_OK) result = thaw_world_set_material(world, scene->matter, &material);
    if (result == THAW_OK) {
        result = thaw_world_set_collider_temperature(world, scene->floor, 0);
    }
    for (int k = 0; k < 2 && result == THAW_OK; k++) {
        result = thaw_world_remove_heat_source(world, scene->source[k]);
    }
    return result;
}

// The next frame of a world, from two copies of it: as it is, and with heat switched off.
static ThawResult time_copies(const BenchHeat *asked, ThawWorld *world, Run *run, long frame) {
    void *bytes = NULL;
    size_t size;
    ThawHostDef host = {.threads = asked->threads, .isa = asked->isa};
    ThawResult result = thaw_world_save(world, &bytes, &size);
    for (int which = AGAIN; which <= INERT && result == THAW_OK; which++) {
        ThawWorld *copy = NULL;
        result = thaw_world_load(bytes, size, &host, &copy);
        if (result == THAW_OK && which == INERT) result = switch_off(&run->scene, copy);
        double begin = now();
        if (result == THAW_OK) result = thaw_world_step(copy, FRAME, NULL);
        run->fastest[which][frame] = fmin(run->fastest[which][frame], now() - begin);
        thaw_world_destroy(copy);
    }
    thaw_snapshot_free(bytes);
    return result;
}

// both scenes from their beginning, frame by frame in turn
static ThawResult time_round(const BenchHeat *asked, Run runs[2]) {
    ThawWorld *worlds[2] = {NULL, NULL};
    ThawResult result = THAW_OK;
    for (int k = 0; k < 2 && result == THAW_OK; k++) {
        runs[k].substeps = runs[k].stages = runs[k].melted = runs[k].frozen = 0;
        runs[k].taken = 0;
        result = build_scene(asked, &runs[k].scene, &worlds[k]);
        if (result != THAW_OK) break;
        runs[k].particles = thaw_world_count(worlds[k]);
        runs[k].threads = thaw_world_threads(worlds[k]);
    }
    for (long frame = -WARM_UP; frame < asked->frames && result == THAW_OK; frame++) {
        result = time_frame(worlds[0], &runs[0], frame);
        if (result == THAW_OK && frame >= 0 && runs[1].scene.changes) {
            result = time_copies(asked, worlds[1], &runs[1], frame);
        }
        if (result == THAW_OK) result = time_frame(worlds[1], &runs[1], frame);
    }
    for (int k = 0; k < 2; k++) thaw_world_destroy(worlds[k]);
    return result;
}

static ThawResult time_runs(const BenchHeat *asked, Scene scene, Run runs[2]) {
    scene.edge = SPACING * cbrt(0.5 * (double)asked->particles);
    for (int k = 0; k < 2; k++) {
        runs[k] = (Run){.scene = scene};
        runs[k].scene.heat = k == 1;
        for (int t = 0; t < TIMES; t++) {
            for (long n = 0; n < MOST_FRAMES; n++) runs[k].fastest[t][n] = INFINITY;
        }
    }
    ThawResult result = THAW_OK;
    for (int round = 0; round < ROUNDS && result == THAW_OK; round++) {
        result = time_round(asked, runs);
    }
    return result;
}

// ---------------------------------------------------------------- the twin

// How a bath ends.
typedef struct Bath {
    double molten, wanted; // of its mass
    double lost;           // of its heat
    double coldest, hottest;
} Bath;

// Cold ice and warm water, and a floor at the melting point: all of it comes to that, and the heat tells the share.
static ThawResult run_bath(const BenchHeat *asked, Bath *bath) {
    Scene scene = {.heat = true, .bath = true, .edge = 6 * SPACING};
    BenchHeat usual = {
        .threads = asked->threads, .isa = asked->isa, .iterations = 4, .substeps = 2};
    ThawWorld *world = NULL;
    ThawReport report = {0};
    ThawResult result = build_scene(&usual, &scene, &world);
    double mass = 0, solid = 0, taken = 0, first = 0;
    for (int k = 0; k < BATH_FRAMES && result == THAW_OK; k++) {
        result = thaw_world_step(world, FRAME, &report);
        taken += report.heat_taken;
        if (k > 0) continue;
        // as many are solid as there were: none melts in a frame
        mass = report.mass;
        solid = report.solid * SPACING * SPACING * SPACING * 1000;
        first = report.heat - report.heat_taken;
    }
    double given = (mass - solid) * (LATENT + WATER_HEAT * (WATER_AT - MELTS)) -
                   solid * ICE_HEAT * (MELTS - ICE_AT);
    *bath = (Bath){.molten = report.molten / mass,
                   .wanted = (given + taken) / (mass * LATENT),
                   .lost = fabs(report.heat - taken - first) / report.heat,
                   .coldest = report.coldest,
                   .hottest = report.hottest};
    thaw_world_destroy(world);
    return result;
}

// ---------------------------------------------------------------- the command's part

static void print_runs(const BenchHeat *asked, const Run runs[2], const Bath *bath) {
    const Run *off = &runs[0], *on = &runs[1];
    const char *scene = on->scene.changes ? "changing" : on->scene.pool ? "pool" : "still";
    double frames = (double)asked->frames, plain = sum_of(off, WHOLE, asked->frames);
    double whole = sum_of(on, WHOLE, asked->frames);
    double scale = 1e9 / ((double)on->particles * on->substeps);
    double heat = sum_of(on, HEAT, asked->frames) * scale;
    double change = sum_of(on, CHANGE, asked->frames) * scale;
    // where matter changes it moves as well: the same frames with heat switched off tell what is heat's
    double same = on->scene.changes
                      ? sum_of(on, AGAIN, asked->frames) / sum_of(on, INERT, asked->frames)
                      : whole / plain;
    if (asked->json) {
        printf("{\"name\": \"heat\", \"scene\": \"%s\", \"particles\": %u, \"threads\": %d, ",
               scene, on->particles, on->threads);
        printf("\"same_frame_ratio\": %.4f, ", same);
        printf("\"ratio\": %.4f, \"ns_off\": %.1f, \"ns_on\": %.1f, \"ns_heat\": %.2f, ",
               whole / plain, plain * 1e9 / ((double)off->particles * off->substeps), whole * scale,
               heat);
        printf("\"ns_change\": %.2f, \"substeps_off\": %.2f, \"substeps\": %.2f, ", change,
               off->substeps / frames, on->substeps / frames);
        printf("\"heat_stages\": %.2f, \"melted\": %u, \"frozen\": %u, \"budget\": %.2g, ",
               on->stages / frames, on->melted, on->frozen, lost_by(on));
        printf("\"bath_molten\": %.5f, \"bath_wanted\": %.5f, \"bath_budget\": %.2g}\n",
               bath->molten, bath->wanted, bath->lost);
        return;
    }
    printf("heat, %s: %u particles, %d thread%s, frames of 1/%.0f s with %.1f substeps\n", scene,
           on->particles, on->threads, on->threads == 1 ? "" : "s", 1 / frame_of(&on->scene),
           on->substeps / frames);
    printf("  with heat %.3f times the frame without, which has %.1f substeps (processor time)\n",
           whole / plain, off->substeps / frames);
    if (on->scene.changes) {
        printf(
            "  %.3f times the same frames from the same state with heat and changes switched off\n",
            same);
    }
    printf("  %.1f %% of it in heat and change themselves\n",
           100 * (heat + change) / (whole * scale));
    printf("  %-12s %8.1f ns a particle and substep\n", "all", whole * scale);
    printf("  %-12s %8.1f\n  %-12s %8.1f\n", "heat", heat, "change", change);
    printf("  %.1f passes of heat a frame; %u melted and %u froze; budget off by %.1g\n",
           on->stages / frames, on->melted, on->frozen, lost_by(on));
}

static int fail(const char *what) {
    fprintf(stderr, "thaw bench: error: heat: %s\n", what);
    return EXIT_FAILED;
}

// whether a scene with heat was what it is called
static int check_run(const Run *run) {
    if (!(lost_by(run) <= MOST_LOST)) return fail("the scene's heat is not what it took");
    bool changed = run->melted > 0 && run->frozen > 0;
    if (run->scene.changes && !changed) return fail("nothing changed where matter should");
    if (!run->scene.changes && run->melted + run->frozen > 0) {
        return fail("matter changed where nothing should");
    }
    return EXIT_DONE;
}

static int check_bath(const Bath *bath, bool json) {
    if (!json) {
        printf("  bath of ice and water: %.4f of it molten, %.4f by calorimetry; budget off by "
               "%.1g\n",
               bath->molten, bath->wanted, bath->lost);
    }
    if (!(bath->lost <= MOST_LOST)) return fail("the bath's heat is not what it took");
    if (!(fabs(bath->molten - bath->wanted) <= MOST_OFF)) {
        return fail("the bath is not as molten as calorimetry tells");
    }
    return EXIT_DONE;
}

int bench_heat(BenchHeat asked) {
    Bath bath;
    Run *runs = malloc(2 * sizeof *runs);
    if (asked.frames > MOST_FRAMES) asked.frames = MOST_FRAMES;
    ThawResult result = runs != NULL ? run_bath(&asked, &bath) : THAW_OUT_OF_MEMORY;
    int status = EXIT_DONE;
    const Scene scenes[] = {{.pool = true}, {0}, {.changes = true}};
    for (int k = 0; k < 3 && status == EXIT_DONE && result == THAW_OK; k++) {
        result = time_runs(&asked, scenes[k], runs);
        if (result != THAW_OK) break;
        print_runs(&asked, runs, &bath);
        fflush(stdout);
        status = check_run(&runs[1]);
    }
    free(runs);
    if (result != THAW_OK) return fail(thaw_error_text());
    return status == EXIT_DONE ? check_bath(&bath, asked.json) : status;
}
