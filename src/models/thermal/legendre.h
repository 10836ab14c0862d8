// Super time steps by Legendre polynomials: s passes that are stable for as long as about s²/2 explicit steps.
//
// Meyer, Balsara, Aslam, "A stabilized Runge–Kutta–Legendre method for explicit super-time-stepping of parabolic and mixed
// equations" (2014). Stages are sums of earlier ones and of their rates of change, with weights that keep what
// rates keep.
#ifndef THAW_MODELS_THERMAL_LEGENDRE_H
#define THAW_MODELS_THERMAL_LEGENDRE_H

// y_j = y_{j−1} + ν (y_{j−2} − y_{j−1}) + ω (y_0 − y_{j−1}) + dt y'_{j−1} + first y'_0, for j from 1 on
typedef struct ThawLegendreStage {
    double nu, omega;
    double dt, first; // s
} ThawLegendreStage;

// A part of a step: its order, 1 or 2, its share of dt, how many stages it has, and how often it is done.
typedef struct ThawLegendrePart {
    int order;
    double share;
    int stages, repeats;
} ThawLegendrePart;

#define THAW_LEGENDRE_PARTS 4

// How a step of so many explicit limits is taken: its parts, one after the other.
typedef struct ThawLegendrePlan {
    int count;
    ThawLegendrePart parts[THAW_LEGENDRE_PARTS];
} ThawLegendrePlan;

ThawLegendrePlan thaw_legendre_plan(double limits);
ThawLegendreStage thaw_legendre_stage(const ThawLegendrePart *part, int j, double dt);

#endif
