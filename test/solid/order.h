// The order at which an error falls with the number of layers.
#ifndef TEST_SOLID_ORDER_H
#define TEST_SOLID_ORDER_H

#include <math.h>

// How much  error nᵖ  is bent over 1/n: not at all for the p of  error = (a/nᵖ)(1 − s/n).
static inline double order_bend(const double n[3], const double error[3], double p) {
    double y[3];
    for (int k = 0; k < 3; k++) y[k] = error[k] * pow(n[k], p);
    return (y[1] - y[0]) / (1 / n[1] - 1 / n[0]) - (y[2] - y[1]) / (1 / n[2] - 1 / n[1]);
}

// That p for three errors: the second term is what hides the order at few layers. Between 0.3 and 2, NAN where there is
// none.
static inline double order_of(const double n[3], const double error[3]) {
    double low = 0.3, high = 2, sign = order_bend(n, error, low);
    if (!(sign * order_bend(n, error, high) < 0)) return NAN;
    while (high - low > 1e-6) {
        double middle = 0.5 * (low + high);
        if (order_bend(n, error, middle) * sign > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
