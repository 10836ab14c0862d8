// A fountain at full size, as a page of Markdown: water rises from an opening in a floor, falls back, spreads, and dies of
// age or where it leaves a box, until a million particles have been born and have died. The program fails when a
// figure that the page calls a limit is not kept.
#include "base/memory.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef DEATHS
#define DEATHS 1000000u
#endif
#define SPACING 0.02 // m
#define SPEED 3.2    // m/s
#define LIFE 0.8     // s
#define DT (1.0 / 60.0)

static int broken;

static void must(ThawResult result) {
    if (result == THAW_OK) return;
    printf("%s\n", thaw_error_text());
    exit(1);
}

static void print_limit(const char *what, double value, const char *limit, bool kept) {
    broken += !kept;
    printf("| %s | %.4g | %s | %s |\n", what, value, limit, kept ? "yes" : "**no**");
}

static ThawWorld *make_fountain(ThawEmitterId *spout) {
    ThawWorldDef def = thaw_world_default();
    ThawMaterialDef material = thaw_material_default();
    ThawMaterialId water;
    ThawWorld *world;
    def.spacing = SPACING;
    def.threads = 2;
    must(thaw_world_create(&def, &world));
    must(thaw_world_add_material(world, &material, &water));
    ThawColliderDef floor = thaw_collider_default();
    floor.name = "floor";
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    must(thaw_world_add_collider(world, &floor, NULL));
    ThawEmitterDef emitter = thaw_emitter_default();
    emitter.material = water;
    emitter.radius = 0.08;
    emitter.speed = SPEED;
    emitter.life = LIFE;
    must(thaw_world_add_emitter(world, &emitter, spout));
    ThawSinkDef sink = thaw_sink_default();
    sink.shape = thaw_shape_box((ThawVec3){0, 0, 1}, (ThawVec3){6, 6, 3});
    sink.outside = true;
    must(thaw_world_add_sink(world, &sink, NULL));
    return world;
}

// all that a world holds which goes on from here and never held more
static size_t fresh_bytes(ThawWorld *world) {
    void *bytes;
    size_t size, before = thaw_alloc_bytes();
    ThawWorld *fresh;
    must(thaw_world_save(world, &bytes, &size));
    must(thaw_world_load(bytes, size, NULL, &fresh));
    thaw_snapshot_free(bytes);
    for (int k = 0; k < 2 * THAW_SCRATCH_CALLS; k++) must(thaw_world_step(fresh, DT, NULL));
    size_t held = thaw_alloc_bytes() - before;
    thaw_world_destroy(fresh);
    return held;
}

static double highest(const ThawWorld *world) {
    uint32_t count = thaw_world_count(world);
    double(*at)[3] = malloc((count + 1) * sizeof *at), top = 0;
    if (at == NULL) exit(1);
    thaw_world_positions(world, at);
    for (uint32_t k = 0; k < count; k++) top = fmax(top, at[k][2]);
    free(at);
    return top;
}

typedef struct Course {
    uint64_t born, died, substeps;
    double least, most, sum, top, fastest, densest;
    int steps; // that count: after the first life
} Course;

static void run(ThawWorld *world, Course *course) {
    course->least = INFINITY;
    while (course->died < DEATHS) {
        ThawReport report;
        must(thaw_world_step(world, DT, &report));
        course->born += report.born;
        course->died += report.died;
        course->substeps += report.substeps;
        if (report.time < 2 * LIFE) continue;
        course->steps++;
        course->sum += report.particles;
        course->least = fmin(course->least, report.particles);
        course->most = fmax(course->most, report.particles);
        course->top += highest(world);
        course->fastest = fmax(course->fastest, report.max_speed);
        course->densest = fmax(course->densest, report.mean_density_error);
    }
}

int main(void) {
    ThawEmitterId spout;
    size_t nothing = thaw_alloc_bytes();
    ThawWorld *world = make_fountain(&spout);
    Course course = {0};
    run(world, &course);
    double mean = course.sum / course.steps;
    double uneven = fmax(course.most / mean - 1, 1 - course.least / mean);
    size_t held = thaw_alloc_bytes() - nothing, need = fresh_bytes(world);
    double memory = (double)held / (double)need;
    ThawEmitterState made;
    must(thaw_world_emitter_state(world, spout, &made));
    double rate = made.volume / (3.14159265358979323846 * 0.08 * 0.08 * SPEED * world->time);
    printf("### Fountain: births and deaths\n\n");
    printf("An opening of 16 cm in a floor, %g m/s upwards, spacing %g m; particles live %g s. %g "
           "s, %llu "
           "substeps.\n\n",
           SPEED, SPACING, LIFE, world->time, (unsigned long long)course.substeps);
    printf("| figure | value | limit | kept |\n|---|--:|---|---|\n");
    print_limit("births", (double)course.born, ">= deaths", course.born >= course.died);
    print_limit("deaths", (double)course.died, ">= 1e6", course.died >= DEATHS);
    print_limit("live particles, mean", mean, "–", true);
    print_limit("largest deviation from it", uneven, "< 0.02", uneven < 0.02);
    print_limit("memory, bytes a live particle", (double)held / thaw_world_count(world), "–", true);
    print_limit("memory over what the living need", memory, "< 1.2", memory < 1.2);
    print_limit("volume born over area × speed × time", rate, "0.999 to 1.001",
                fabs(rate - 1) < 0.001);
    print_limit("fastest particle over the jet's speed", course.fastest / SPEED, "< 2",
                course.fastest < 2 * SPEED);
    print_limit("mean density error, largest", course.densest, "< 0.01", course.densest < 0.01);
    print_limit("mean height of its top over v²/2g",
                course.top / course.steps / (SPEED * SPEED / (2 * 9.81)), "–", true);
    printf("\n");
    thaw_world_destroy(world);
    return broken > 0;
}
