// Seconds on a clock that only goes forward.
#ifndef THAW_BASE_CLOCK_H
#define THAW_BASE_CLOCK_H

double thaw_clock(void);

#endif
