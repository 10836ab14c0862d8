// Ticks at 1, 2 or 5 times a power of ten.
#include "render/ticks.h"

#include <math.h>
#include <stdio.h>

static double round_step(double raw) {
    double base = pow(10.0, floor(log10(raw)));
    double lead = raw / base;
    return base * (lead <= 1.0000001 ? 1 : lead <= 2.0000001 ? 2 : lead <= 5.0000001 ? 5 : 10);
}

// thousands, millions or thousandths where plain numbers would be long
static int pick_exponent(double largest) {
    if (!(largest > 0 && isfinite(largest))) return 0;
    int power = (int)floor(log10(largest) + 1e-9);
    if (power >= -2 && power < 4) return 0;
    return 3 * (int)floor(power / 3.0);
}

static void place_ticks(ThawTicks *ticks, double low, double high) {
    double slack = 1e-9 * (high - low);
    double first = ceil((low - slack) / ticks->step);
    ticks->count = 0;
    for (int k = 0; k < THAW_MAX_TICKS; k++) {
        double value = (first + k) * ticks->step;
        if (!(value <= high + slack)) break;
        // no −0, and none of the rounding that a sum would leave near zero
        ticks->value[ticks->count++] = fabs(value) < 0.5 * ticks->step ? 0.0 : value;
    }
}

ThawTicks thaw_ticks_make(double low, double high, int wanted) {
    ThawTicks ticks = {0};
    int parts = wanted < 2 ? 2 : wanted > 12 ? 12 : wanted;
    // one tick alone says nothing: then smaller steps
    for (; ticks.count < 2 && parts <= 12; parts++) {
        ticks.step = round_step(high / parts - low / parts);
        place_ticks(&ticks, low, high);
    }
    ticks.exponent = pick_exponent(fmax(fabs(low), fabs(high)));
    return ticks;
}

ThawTicks thaw_ticks_decades(double low, double high, int wanted) {
    ThawTicks ticks = {.step = 10};
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    int stride = 1 + (last - first) / (wanted < 2 ? 2 : wanted);
    for (int k = first; k <= last && ticks.count < THAW_MAX_TICKS; k += stride) {
        ticks.value[ticks.count++] = pow(10.0, k);
    }
    return ticks;
}

void thaw_tick_label(const ThawTicks *ticks, int index, char *text, size_t size) {
    double unit = pow(10.0, ticks->exponent);
    double value = ticks->value[index] / unit, step = ticks->step / unit;
    int digits = step > 0 ? (int)ceil(-log10(step) - 1e-9) : 0;
    if (digits < 0) digits = 0;
    if (digits > 9) {
        snprintf(text, size, "%g", value);
    } else {
        snprintf(text, size, "%.*f", digits, value);
    }
}
