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

#endif
