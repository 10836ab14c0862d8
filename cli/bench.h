// Parts of `thaw bench` that do not step a world.
#ifndef THAW_CLI_BENCH_H
#define THAW_CLI_BENCH_H

#include <stdbool.h>

// Distance fields of balls; the command's exit status.
int bench_field(int threads, bool json);

#endif
