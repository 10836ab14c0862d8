// Heat at full size, as a page of Markdown: H-1, H-2, ST-1 on the shipped engine, steps of many limits, sizes and
// materials that differ, and a closed system over 10,000 steps.
//
// The program fails when a figure that the page calls a limit is not kept.
#include "support/heat_cases.h"

#include <math.h>
#include <stdio.h>

static int broken;

static const char *judge(bool kept) {
    broken += !kept;
    return kept ? "yes" : "**no**";
}

static void report_waves(void) {
    puts("## Heat: a periodic wave (H-1, W-39)\n");
    puts("T = 300 K + 100 K sin(2πx/L) at rest, steps of a quarter of the explicit limit. "
         "Diffusivity measured over given at Fo = 0.05. The liquid is one that was stirred in "
         "its periodic box and stands still since.\n");
    puts("| packing | L, spacings | amplitude at Fo 0.01, 0.02, 0.05 | exact | diffusivity | heat "
         "drifts by | within 0.5 %, others 3 %, half the resolution 3 % |");
    puts("|---|--:|---|---|--:|--:|---|");
    for (int n = 0; n < 12; n++) {
        HeatWaveDef def = {n < 6 ? 3 : 2, (HeatPacking)(n % 3), 0.25, n / 3 % 2 == 1, 0};
        HeatWave w = heat_wave(&def);
        bool strict = def.packing == HEAT_CLOSE && !def.coarse;
        printf("| %dD %s | %.2f | %.5f, %.5f, %.5f | %.5f, %.5f, %.5f | %.4f | %.1e | %s |\n",
               def.dimensions, heat_packings[def.packing], w.length, w.left[0], w.left[1],
               w.left[2], w.wanted[0], w.wanted[1], w.wanted[2], w.diffusivity, w.drift,
               judge(fabs(w.diffusivity - 1) < (strict ? 0.005 : 0.03) && fabs(w.drift) < 1e-12));
    }
    puts("\nOn a square lattice the error grows with the resolution: the sum over its "
         "sites has a limit of its own, 1.0225, and is 0.989 at 10 spacings, 1.014 at "
         "20, 1.020 at 40; explicit steps add 1.4, 0.35 and 0.1 %. At 10 spacings the "
         "two cancel.");
}

static void report_steps(void) {
    const double limits[] = {0.25, 1, 3, 10, 30, 100, 300, 1000};
    puts("\n## Heat: steps of many explicit limits\n");
    puts("The same wave on the 3D close packing, whose amplitude falls to 1/e in 49 limits. Passes "
         "over all pairs a step; amplitudes at the first step beyond Fo = 0.05.\n");
    puts("| limits a step | passes a step | amplitude | exact | off by | heat drifts by | bounded "
         "|");
    puts("|--:|--:|--:|--:|--:|--:|---|");
    for (int n = 0; n < 8; n++) {
        HeatWave w = heat_wave(&(HeatWaveDef){3, HEAT_CLOSE, limits[n], false, 0});
        double off = w.left[2] - w.wanted[2];
        printf("| %g | %.1f | %.4f | %.4f | %+.4f | %.1e | %s |\n", limits[n], w.stages, w.left[2],
               w.wanted[2], off, w.drift,
               judge(fabs(off) < (limits[n] <= 30 ? 0.01 : 0.1) && fabs(w.drift) < 1e-12));
    }
}

static void report_cooling(void) {
    puts("\n## Heat: a slab and a cube with cold faces (H-2)\n");
    puts("Between two planes, and in a box container, all at the cold temperature; initial warmth "
         "1; "
         "steps of one explicit limit. Differences from the exact values at Fo = 0.01, 0.02, 0.05, "
         "0.1, 0.2, and what heat changed by less what the report says was taken, of all heat.\n");
    puts("| body | layers | particles | centre | mean | L/4 | budget | within 0.02, half the "
         "resolution 0.045 |");
    puts("|---|--:|--:|---|---|---|--:|---|");
    const HeatCoolingDef defs[] = {
        {3, HEAT_CLOSE, false, 26, 1}, {3, HEAT_CLOSE, false, 12, 1}, {3, HEAT_CUBIC, false, 20, 1},
        {2, HEAT_CLOSE, false, 22, 1}, {3, HEAT_CLOSE, true, 26, 1},  {3, HEAT_CLOSE, true, 12, 1},
        {3, HEAT_CUBIC, true, 20, 1},  {3, HEAT_CUBIC, true, 10, 1},  {2, HEAT_CUBIC, true, 20, 1}};
    for (size_t n = 0; n < sizeof defs / sizeof *defs; n++) {
        const HeatCoolingDef *def = &defs[n];
        HeatCooling c = heat_cooling(def), exact = heat_cooling_exact(def->dimensions, def->cube);
        double worst = 0;
        printf("| %dD %s, %s | %d | %u |", def->dimensions, def->cube ? "cube" : "slab",
               heat_packings[def->packing], def->across, c.particles);
        const double *found[3] = {c.center, c.mean, c.quarter};
        const double *wanted[3] = {exact.center, exact.mean, exact.quarter};
        for (int k = 0; k < 3; k++) {
            for (int t = 0; t < HEAT_TIMES; t++) {
                double off = found[k][t] - wanted[k][t];
                worst = fmax(worst, fabs(off));
                printf("%s%+.4f", t == 0 ? " " : ", ", off);
            }
            printf(" |");
        }
        bool half = def->across < 20;
        printf(" %.1e | %s |\n", c.budget,
               judge(worst < (half ? 0.045 : 0.02) && fabs(c.budget) < 1e-9));
    }
    puts("\nThe operator is not corrected for each particle's surroundings: one constant "
         "for all, set on the close packing, so 2 and 3 % are what the case asks, and "
         "not the 1 % for corrected ones.");
}

static void report_halves(void) {
    puts("\n## Heat: sizes and materials that differ\n");
    puts("Steady conduction through two close packings between a cold and a hot plane, 24 spacings "
         "each: the flux in both halves over what two resistances in series give, and the "
         "resistance "
         "of the joint: that of so many of the first's spacings of what conducts worse.\n");
    puts("| | size of the second | conductivity of the second | flux | | joint | within 3 % |");
    puts("|---|--:|--:|--:|--:|--:|---|");
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const double pairs[][2] = {{1, 1}, {1, 10}, {1, 0.01}, {2, 1}, {0.5, 1}, {2, 10}, {2, 0.1}};
        for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
            HeatHalvesDef def = {dimensions, pairs[n][0], pairs[n][1]};
            HeatHalves h = heat_halves(&def);
            printf("| %dD | %g | %g | %.4f | %.4f | %.3f | %s |\n", dimensions, def.ratio,
                   def.conductivity, h.flux[0], h.flux[1], h.joint,
                   judge(fabs(h.flux[0] - 1) < 0.03 && fabs(h.flux[1] - 1) < 0.03));
        }
    }
}

// By place and by all that is molten; the worst of both beyond ten spacings.
static double print_front(const HeatFrontDef *def, const HeatFront *f) {
    double worst = 0;
    for (int k = 0; k < def->count; k++) {
        double off = f->place[k] / f->wanted[k] - 1, all = f->molten[k] / f->wanted[k] - 1;
        printf("%s%+.2f", k == 0 ? " " : ", ", 100 * off);
        if (f->wanted[k] > 0.1 * def->size) worst = fmax(worst, fmax(fabs(off), fabs(all)));
    }
    printf(" | ");
    for (int k = 0; k < def->count; k++) {
        printf("%s%+.2f", k == 0 ? "" : ", ", 100 * (f->molten[k] / f->wanted[k] - 1));
    }
    return worst;
}

static void report_fronts(void) {
    puts("\n## Melting: one-phase Stefan problem (ST-1)\n");
    puts("A half-space at its melting point and a wall 100 K above it, α = 0.01 m²/s, close "
         "packing; "
         "dx = 0.01 m, or twice that. The front is where layers are half molten, less the exact "
         "place, in %; beside it the same of all that is molten, as a layer. \"Solid\" is matter "
         "that is solid first and becomes liquid, snug between two planes; in the others "
         "heat alone acts. Temperatures beyond those of the data, K; what heat changed by less "
         "what was taken, of the latter.\n");
    puts("| St | dx, m | dt, s | matter | front off at t = 1, 2, 4, 8, 16 s | molten off | beyond "
         "| budget | within 3 % beyond 10 dx |");
    puts("|--:|--:|--:|---|---|---|--:|--:|---|");
    const HeatFrontDef defs[] = {{.stefan = 0.05, .dt = 0.02, .count = 5, .size = 1},
                                 {.stefan = 0.2, .dt = 0.02, .count = 5, .size = 1},
                                 {.stefan = 0.5, .dt = 0.002, .count = 5, .size = 1},
                                 {.stefan = 0.5, .dt = 0.02, .count = 5, .size = 1},
                                 {.stefan = 0.5, .dt = 0.2, .count = 5, .size = 1},
                                 {.stefan = 0.5, .dt = 1, .count = 5, .size = 1},
                                 {.stefan = 0.5, .dt = 0.02, .count = 5, .size = 2},
                                 {.stefan = 2, .dt = 0.02, .count = 5, .size = 1},
                                 {.stefan = 0.5, .dt = 0.02, .count = 5, .solid = true, .size = 1},
                                 {.stefan = 0.5, .dt = 0.02, .count = 5, .solid = true, .size = 2},
                                 {.stefan = 2, .dt = 0.02, .count = 4, .solid = true, .size = 1}};
    for (size_t n = 0; n < sizeof defs / sizeof *defs; n++) {
        const HeatFrontDef *def = &defs[n];
        HeatFront f = heat_front(def);
        double beyond = fmax(fmax(f.coldest, f.hottest), 0);
        printf("| %g | %g | %g | %s |", def->stefan, 0.01 * def->size, def->dt,
               def->solid ? "solid" : "heat alone");
        double worst = print_front(def, &f);
        printf(" | %.2g | %.1e | %s |\n", beyond, f.budget,
               judge(worst < 0.03 && fabs(f.budget) < 1e-10 && beyond < 1));
    }
}

static void report_solid(double stefan, int dimensions, double gravity, bool free) {
    // slow fronts take longer to get beyond ten spacings
    HeatFrontDef def = {.stefan = stefan,
                        .dt = 0.02,
                        .count = stefan < 0.1 ? 5 : 4,
                        .solid = true,
                        .size = 1,
                        .dimensions = dimensions,
                        .free = free,
                        .gravity = gravity};
    HeatFront f = heat_front(&def);
    const char *how = gravity > 0 ? "pressed" : free ? "free" : "snug";
    printf("| %dD | %g | %s |", dimensions, stefan, how);
    double worst = print_front(&def, &f);
    bool asked = gravity > 0, kept = fabs(f.budget) < 1e-10;
    const char *word = judge(kept && (!asked || worst < 0.03));
    printf(" | %.1e | %s |\n", f.budget, asked || !kept ? word : "not asked");
}

static void report_solids(void) {
    puts("\n## Melting: solids on a hot wall (ST-1)\n");
    puts("The same with a solid that melts, dx = 0.01 m, steps of 0.02 s. Pressed: by 1 m/s², E = "
         "10 kPa, its far end free. Snug: without gravity between two planes that it just fits "
         "between, E = 1 kPa. Free: without gravity or a far plane; the melt pushes the solid off "
         "the wall, what is between opens, and heat no longer comes through. -100 % is where there "
         "is a gap in the melt.\n");
    puts("| | St | solid | front off at t = 1, 2, 4, 8, 16 s, % | molten off, % | budget | within "
         "3 % beyond 10 dx |");
    puts("|---|--:|---|---|---|--:|---|");
    const double numbers[] = {0.05, 0.2, 0.5, 2};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int k = 0; k < 4; k++) report_solid(numbers[k], dimensions, 1, true);
        for (int k = 0; k < 3; k++) report_solid(numbers[k], dimensions, 0, false);
        for (int k = 1; k < 3; k++) report_solid(numbers[k], dimensions, 0, true);
    }
}

static void report_closed(void) {
    puts("\n## Heat: a closed system\n");
    puts(
        "A block of cold solid falls into warm liquid of its own material in an insulated box, 2D, "
        "10,000 steps of 10 ms: it melts, some of the liquid freezes to it. Textbook: all heat at "
        "one temperature.\n");
    puts("| particles | melted | frozen | largest drift of heat | temperature, K | textbook | "
         "molten "
         "| textbook | drift below 1e-6, state within 2 % |");
    puts("|--:|--:|--:|--:|--:|--:|--:|--:|---|");
    HeatClosed c = heat_closed(&(HeatClosedDef){2, 10000, 0.01, 0});
    bool rests = fabs(c.temperature - c.wanted_temperature) < 0.02 * 50 &&
                 fabs(c.molten - c.wanted_molten) < 0.02;
    printf("| %u | %u | %u | %.1e | %.3f | %.3f | %.4f | %.4f | %s |\n", c.particles, c.melted,
           c.frozen, c.drift, c.temperature, c.wanted_temperature, c.molten, c.wanted_molten,
           judge(c.drift < 1e-6 && rests));
}

int main(void) {
    report_waves();
    report_steps();
    report_cooling();
    report_halves();
    report_fronts();
    report_solids();
    report_closed();
    return broken > 0;
}
