// Parts of `thaw bench` that do not time a step.
#ifndef THAW_CLI_BENCH_H
#define THAW_CLI_BENCH_H

#include <stdbool.h>
#include <thaw/thaw.h>

// Distance fields of balls; the command's exit status.
int bench_field(int threads, bool json);

// How fast a shear wave dies, as a share of what the coefficient asks for: 1 is right.
typedef struct BenchWave {
    int threads;
    ThawIsa isa;
    double xsph, dt; // –, s
} BenchWave;
ThawResult bench_wave(const BenchWave *asked, double *rate);

// What heat costs beside the same scene without it, and whether it is right; the command's exit status.
typedef struct BenchHeat {
    int threads;
    ThawIsa isa;
    int iterations, substeps; // as the world's; 0 substeps = chosen by the solver
    long particles, frames;
    bool json;
} BenchHeat;
int bench_heat(BenchHeat asked);

#endif
