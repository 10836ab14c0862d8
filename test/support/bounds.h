// Bounds that tell what was found: both numbers are printed where a value is not below its bound.
#ifndef TEST_SUPPORT_BOUNDS_H
#define TEST_SUPPORT_BOUNDS_H

#include <math.h>

// after cmocka.h
#define assert_below(value, bound)                                                                 \
    do {                                                                                           \
        double value_ = (value), bound_ = (bound);                                                 \
        if (!(value_ < bound_))                                                                    \
            print_error("%s = %.6g, not below %.6g\n", #value, value_, bound_);                    \
        assert_true(value_ < bound_);                                                              \
    } while (0)
#define assert_near(value, wanted, bound) assert_below(fabs((value) - (wanted)), bound)

#endif
