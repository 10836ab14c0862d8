// Rigid bodies in liquid at full size, as a page of Markdown. The program fails when a figure that the page calls a
// limit is not kept.
#include "support/rigid.h"

#include <math.h>
#include <stdio.h>

#define DT (1.0 / 120.0)

static int broken;

static const char *judge(bool kept) {
    broken += !kept;
    return kept ? "yes" : "**no**";
}

static void print_limit(const char *what, double value, const char *limit, bool kept) {
    printf("| %s | %.3g | %s | %s |\n", what, value, limit, judge(kept));
}

typedef struct Pool {
    int dimensions;
    double spacing, width, depth, side, density, seconds;
} Pool;

typedef struct Outcome {
    double share, speed, bottom, clearance, energy;
    uint32_t particles;
} Outcome;

static Outcome run(const Pool *pool) {
    ThawWorldDef def = rigid_def(pool->dimensions, pool->spacing);
    def.threads = 2;
    RigidRig rig = rigid_open(&def);
    rigid_tank(&rig, pool->width, 0.1f);
    rigid_pool(&rig, pool->width, pool->depth);
    double height = pool->depth + 0.5 * pool->side + pool->spacing, first = 0;
    ThawColliderDef body = rigid_body(rigid_box(&rig, height, pool->side), pool->density);
    body.friction = 0.1f;
    int k = rigid_add(&rig, &body), steps = (int)(pool->seconds / DT), counted = 0;
    Outcome outcome = {.clearance = INFINITY};
    for (int step = 0; step < steps; step++) {
        rigid_step(&rig, DT);
        if (step == 0) first = rigid_energy(&rig);
        outcome.energy = fmax(outcome.energy, rigid_energy(&rig) / first);
        outcome.clearance = fmin(outcome.clearance, rigid_clearance(&rig));
        if (3 * step < 2 * steps) continue;
        outcome.share += rigid_wet_share(&rig, k, pool->width, pool->side);
        outcome.speed += rigid_speed(&rig, k);
        counted++;
    }
    outcome.share /= counted;
    outcome.speed /= counted;
    outcome.bottom = (rigid_height(&rig, k) - 0.5 * pool->side) / pool->spacing;
    outcome.particles = thaw_world_count(rig.world);
    rigid_close(&rig);
    return outcome;
}

static const struct {
    const char *name;
    Pool pool;
} pools[] = {
    {"2D, half, 12 wide", {2, 0.0133, 0.5, 0.2, 0.16, 500, 4}},
    {"2D, half, 16 wide", {2, 0.01, 0.5, 0.2, 0.16, 500, 4}},
    {"2D, half, 32 wide", {2, 0.005, 0.5, 0.2, 0.16, 500, 4}},
    {"2D, a tenth, 32 wide", {2, 0.005, 0.5, 0.2, 0.16, 100, 4}},
    {"3D, half, 8 wide", {3, 0.02, 0.4, 0.2, 0.16, 500, 3}},
    {"3D, half, 16 wide", {3, 0.01, 0.4, 0.2, 0.16, 500, 2.5}},
    {"3D, twice, 6 wide", {3, 0.02, 0.4, 0.2, 0.12, 2000, 2}},
};

static void print_pools(void) {
    puts("\nBoxes dropped on a pool\n\n| run | particles | under | bottom, spacings | speed, m/s | "
         "nearest "
         "particle, spacings | energy max | kept |\n|---|--:|--:|--:|--:|--:|--:|---|");
    for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) {
        const Pool *pool = &pools[k].pool;
        Outcome o = run(pool);
        double wanted = pool->density / 1000;
        bool floats = fabs(o.share - wanted) <= 0.05, rests = o.bottom > -0.01 && o.bottom < 1;
        bool kept = (wanted < 1 ? floats : rests) && o.clearance > 0.0999 && o.energy < 1.0001;
        printf("| %s | %u | %.3f | %.2f | %.4f | %.4f | %.4f | %s |\n", pools[k].name, o.particles,
               wanted < 1 ? o.share : 1.0, o.bottom, o.speed, o.clearance, o.energy, judge(kept));
        fflush(stdout);
    }
    puts(
        "\nLimits: within 0.05 of the share that the density asks for, or on the floor (a layer of "
        "particles may stay below); no particle nearer than 0.0999 spacings, those squeezed "
        "between "
        "box and floor among them; energy never above the start's.");
}

static double length(ThawVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void print_momentum(void) {
    ThawWorldDef def = rigid_def(3, 0.01);
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = 2;
    RigidRig rig = rigid_open(&def);
    ThawShape box = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.12, 0.16, 0.14});
    ThawColliderDef body = rigid_body(box, 500);
    rigid_add(&rig, &body);
    ThawShape ball = thaw_shape_sphere((ThawVec3){-0.2, 0.04, 0}, 0.1);
    rigid_blob(&rig, ball, (ThawVec3){1.5, 0, 0});
    rigid_step(&rig, 0.002);
    ThawVec3 p = rigid_momentum(&rig), l = rigid_angular(&rig);
    double moved = 0, turned = 0, energy = rigid_energy(&rig), highest = 0;
    for (int step = 0; step < 100; step++) {
        rigid_step(&rig, 0.002);
        ThawVec3 q = rigid_momentum(&rig), m = rigid_angular(&rig);
        moved = fmax(moved, length((ThawVec3){q.x - p.x, q.y - p.y, q.z - p.z}) / length(p));
        turned = fmax(turned, length((ThawVec3){m.x - l.x, m.y - l.y, m.z - l.z}) / length(l));
        highest = fmax(highest, rigid_energy(&rig) / energy);
    }
    printf(
        "\nA blob of %u particles hits a box in free space\n\n| figure | measured | limit | kept "
        "|\n|---|--:|---|---|\n",
        thaw_world_count(rig.world));
    print_limit("momentum, largest change", moved, "1e-6", moved < 1e-6);
    print_limit("angular momentum, largest change", turned, "5e-3", turned < 5e-3);
    print_limit("energy, largest", highest, "1.0001", highest < 1.0001);
    rigid_close(&rig);
}

int main(void) {
    puts("## Rigid bodies");
    print_momentum();
    print_pools();
    return broken > 0;
}
