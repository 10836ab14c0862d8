#include "lattice/sites.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define H 0.70710678118654752440f
#define C 0.86602540378443864676f

// the twelve of cubic close packing, k along two of the axes
#define SHELL(k)                                                                                   \
    {                                                                                              \
        {k, k, 0}, {-k, -k, 0}, {k, -k, 0}, {-k, k, 0}, {k, 0, k}, {-k, 0, -k}, {k, 0, -k},        \
            {-k, 0, k}, {0, k, k}, {0, -k, -k}, {0, k, -k}, {0, -k, k},                            \
    }

static const ThawSites solid_sites = {.count = 12,
                                      .vector = SHELL(H),
                                      .index = SHELL(1),
                                      .whole = SHELL(1),
                                      .scale = {H, H, H},
                                      .moment = 4.0f,
                                      .volume = H};

static const ThawSites flat_sites = {
    .count = 6,
    .vector = {{1, 0, 0}, {-1, 0, 0}, {0.5f, C, 0}, {-0.5f, -C, 0}, {-0.5f, C, 0}, {0.5f, -C, 0}},
    .index = {{1, 0, -1}, {-1, 0, 1}, {0, 1, -1}, {0, -1, 1}, {-1, 1, 0}, {1, -1, 0}},
    .whole = {{2, 0, 0}, {-2, 0, 0}, {1, 1, 0}, {-1, -1, 0}, {-1, 1, 0}, {1, -1, 0}},
    .scale = {0.5f, C, 1},
    .moment = 3.0f,
    .volume = C};

const ThawSites *thaw_sites(int dimensions) {
    assert(dimensions == 2 || dimensions == 3);
    return dimensions == 3 ? &solid_sites : &flat_sites;
}

// the coordinate that rounding moved most
static int worst_axis(const double exact[3], const int32_t rounded[3]) {
    int worst = 0;
    for (int a = 1; a < 3; a++) {
        if (fabs(exact[a] - rounded[a]) > fabs(exact[worst] - rounded[worst])) worst = a;
    }
    return worst;
}

void thaw_site_nearest(int dimensions, const double place[3], int32_t point[3]) {
    double exact[3];
    if (dimensions == 3) {
        for (int a = 0; a < 3; a++) exact[a] = place[a] * sqrt(2.0);
    } else {
        exact[1] = place[1] / sqrt(0.75);
        exact[0] = place[0] - 0.5 * exact[1];
        exact[2] = -exact[0] - exact[1];
    }
    for (int a = 0; a < 3; a++) point[a] = (int32_t)lrint(exact[a]);
    int32_t sum = point[0] + point[1] + point[2];
    int worst = worst_axis(exact, point);
    if (dimensions == 2) {
        point[worst] -= sum;
    } else if (sum % 2 != 0) {
        point[worst] += exact[worst] > point[worst] ? 1 : -1;
    }
}

int thaw_site_of(int dimensions, const int32_t point[3]) {
    const ThawSites *sites = thaw_sites(dimensions);
    for (uint32_t s = 0; s < sites->count; s++) {
        const int8_t *index = sites->index[s];
        if (index[0] == point[0] && index[1] == point[1] && index[2] == point[2]) return (int)s;
    }
    return -1;
}
