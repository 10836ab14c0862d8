// Neighbours by brute force: every pair of particles through every periodic image, in integers, written
// to be obviously right. The fast search is held against it.
#ifndef TEST_SUPPORT_BRUTE_H
#define TEST_SUPPORT_BRUTE_H

#include "particles/domain.h"

#include <stdint.h>

// Everything is in fixed-point cells (math/fixed.h).
typedef struct Brute {
    const ThawDomain *domain;
    uint32_t count;
    const int64_t (*at)[3];
    const int64_t *support; // h of each particle
} Brute;

// A pair is within reach when r <= scale / 1024 · (h_i + h_j) / 2 + slack, exactly.
typedef struct BruteReach {
    int64_t scale, slack;
} BruteReach;

// Particle i sees j through an image: r = |x_i − image − x_j|.
typedef struct BrutePair {
    uint32_t i, j;
    int64_t image[3]; // whole periods; zero on axes that are not periodic
} BrutePair;

typedef void BruteVisit(void *context, const BrutePair *pair);

bool brute_within(const Brute *brute, const BrutePair *pair, BruteReach reach);

// Visits every pair of i within reach, i itself included.
void brute_visit(const Brute *brute, uint32_t i, BruteReach reach, BruteVisit *visit,
                 void *context);

#endif
