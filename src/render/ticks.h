// Round numbers for axes and colour bars.
#ifndef THAW_RENDER_TICKS_H
#define THAW_RENDER_TICKS_H

#include <stddef.h>

#define THAW_MAX_TICKS 24

typedef struct ThawTicks {
    int count;
    double value[THAW_MAX_TICKS]; // ascending, inside the range
    double step;                  // 1, 2 or 5 times a power of ten
    int exponent;                 // labels are value / 10^exponent, a multiple of 3
} ThawTicks;

// At most about `wanted` ticks (2..12) between low and high, which must be finite and low < high.
ThawTicks thaw_ticks_make(double low, double high, int wanted);
// Whole decades between two positive numbers, thinned to about `wanted`.
ThawTicks thaw_ticks_decades(double low, double high, int wanted);
// The number as its label, as few digits as tell the ticks apart.
void thaw_tick_label(const ThawTicks *ticks, int index, char *text, size_t size);

#endif
