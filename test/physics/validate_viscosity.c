// Viscosity at full size, as a page of Markdown: V-6, V-8 (PBF-3 in the whole engine), substeps, walls.
//
// The program fails when a figure that the page calls a limit is not kept.
#include "support/viscous_cases.h"

#include <math.h>
#include <stdio.h>

static int broken;

static const char *judge(bool kept) {
    broken += !kept;
    return kept ? "yes" : "**no**";
}

static void report_drops(void) {
    const double cs[] = {0, 0.25, 0.5, 2, 10, 50, 250, 1000};
    puts("## Drops of growing viscosity (V-6)\n");
    puts("A ball of 0.1 m falls 5 cm onto a floor with friction 0.4, d = 8 mm, 4 iterations, "
         "automatic substeps; after 1 s. "
         "Microseconds of CPU time a particle and substep.\n");
    puts("| c | radius, m | top, m | energy at most | passes a substep | µs | narrower than the "
         "last |");
    puts("|--:|--:|--:|--:|--:|--:|---|");
    double last = INFINITY;
    for (int n = 0; n < 8; n++) {
        ViscousDrop drop = viscous_drop(&(ViscousDropDef){cs[n], 0.008, 1.0, 0});
        printf("| %g | %.4f | %.3f | %.4f | %.1f | %.2f | %s |\n", cs[n], drop.radius, drop.top,
               drop.energy, drop.passes / drop.substeps,
               1e6 * drop.cpu / drop.substeps / drop.particles,
               judge(drop.radius < last && drop.energy <= 1.0));
        last = drop.radius;
    }
}

static void report_substeps(void) {
    const double cs[] = {0, 0.5, 2, 10, 50};
    const int counts[] = {8, 16, 32};
    puts("\n## Substeps do not change the look\n");
    puts("The same drop at d = 12.5 mm after 0.5 s, with 8, 16 and 32 substeps a frame. Thin "
         "liquid spreads less the longer "
         "substeps are, as an inviscid one does: impacts lose more.\n");
    puts("| c | radius with 8, m | 16 | 32 | 8 against 16, % | within 5 % |");
    puts("|--:|--:|--:|--:|--:|---|");
    for (int n = 0; n < 5; n++) {
        double r[3];
        for (int k = 0; k < 3; k++)
            r[k] = viscous_drop(&(ViscousDropDef){cs[n], 0.0125, 0.5, counts[k]}).radius;
        double change = r[0] / r[1] - 1;
        printf("| %g | %.4f | %.4f | %.4f | %+.1f | %s |\n", cs[n], r[0], r[1], r[2], 100 * change,
               cs[n] < 2 ? "–" : judge(fabs(change) < 0.05));
    }
}

static void report_waves(void) {
    const double spacings[] = {0.01, 0.02}, viscosities[] = {0.001, 0.005, 0.02, 0.05, 0.2, 0.8};
    puts("\n## Shear waves (V-8, PBF-3 in the whole engine)\n");
    puts("A wave 25.4 cm long, so low that no particle moves by more than a fiftieth of a spacing, "
         "in a periodic close packing, 8 substeps a step of "
         "1/120 s, until about 60 % of it "
         "should be gone: the viscosity measured, over the one given.\n");
    puts("| d, m | k h | ν, m²/s | limit, m²/s | measured over given | momentum | within 5 % below "
         "the limit |");
    puts("|--:|--:|--:|--:|--:|--:|---|");
    for (int n = 0; n < 12; n++) {
        double nu = viscosities[n % 6], time = fmax(0.9 / (nu * 612), 1.0 / 120);
        double d = spacings[n / 6], size = 0.02 * d * nu * 612;
        ViscousWave wave = viscous_wave(&(ViscousWaveDef){d, n < 6 ? 16 : 8, nu, size, time, 8});
        double share = log(wave.left) / log(wave.wanted);
        bool below = nu < wave.limit;
        printf("| %g | %.2f | %g | %.3f | %.4f | %.1e | %s |\n", spacings[n / 6], wave.kh, nu,
               wave.limit, share, wave.momentum,
               below ? judge(fabs(share - 1) < 0.05 && wave.momentum < 1e-4) : "–");
    }
}

static void report_walls(void) {
    const double spacings[] = {0.01, 0.005, 0.0033};
    puts("\n## Walls\n");
    puts("Mean speed of a film 0.1 m thick that runs down a plane, over Nusselt's g H² / 3ν; and "
         "liquid between two "
         "plates 0.12 m apart, one of which moves: the slope of its velocity over speed by gap, "
         "and the largest difference of "
         "a particle from the straight line, over the speed. 2D, 8 substeps of 1/1920 s.\n");
    puts("| d, m | film, 0.05 m²/s | film, 0.2 m²/s | without friction | slope | largest "
         "difference | kept |");
    puts("|--:|--:|--:|--:|--:|--:|---|");
    for (int n = 0; n < 3; n++) {
        double d = spacings[n], thin = viscous_film(d, 0.05, 0.4f),
               thick = viscous_film(d, 0.2, 0.4f);
        double slippery = viscous_film(d, 0.2, 0);
        ViscousPlates plates = viscous_plates(d, 0.1);
        printf("| %g | %.3f | %.3f | %.1f | %.3f | %.3f | %s |\n", d, thin, thick, slippery,
               plates.slope, plates.largest,
               judge(fabs(thick - 1) < 0.08 && fabs(plates.slope - 1) < 0.05));
    }
}

static void report_threads(void) {
    const double viscosities[] = {0.05, 0.1, 0.2};
    puts("\n## Threads\n");
    puts("A thread 16 mm thick and 0.5 m long, d = 3 mm, falls onto a floor at 0.3 m/s; after 0.3 "
         "s the largest distance of "
         "the middle of a slice from its axis, over its radius: for a physical viscosity, which "
         "spares turns, and for the "
         "same c by eq. 6. Threads of honey coil.\n");
    puts("| ν, m²/s | physical | eq. 6 | bends more |");
    puts("|--:|--:|--:|---|");
    for (int n = 0; n < 3; n++) {
        double d = 0.003, nu = viscosities[n];
        ThawLiquidDef physical = viscous_physical(nu);
        ThawLiquidDef artist = viscous_artist(2 * nu / (240 * 0.05838 * 4 * d * d));
        double bent = viscous_thread(&physical, d, 0.5, 0.3);
        double upset = viscous_thread(&artist, d, 0.5, 0.3);
        printf("| %g | %.2f | %.2f | %s |\n", nu, bent, upset, judge(bent > upset));
    }
}

int main(void) {
    report_drops();
    report_substeps();
    report_waves();
    report_walls();
    report_threads();
    if (broken > 0) fprintf(stderr, "validate_viscosity: %d limits are not kept\n", broken);
    return broken > 0;
}
