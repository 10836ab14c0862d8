// Neighbours: who is within reach of whom.
//
// Particles are kept sorted in rows: cells of one (z, y), ordered along x. Each row is cut into
// clusters of up to eight consecutive particles, and each cluster has one list of all the particles
// within reach of any of its eight. Vector code takes the eight as lanes and walks the list one particle
// at a time: no gathers, and sums whose order depends on nothing but positions and ids.
//
// Particles of other sizes live in rows of other cells: a level for each factor of two in the support,
// so that a few large particles do not force large cells on all.
#ifndef THAW_NEIGHBORS_NEIGHBORS_H
#define THAW_NEIGHBORS_NEIGHBORS_H

#include "particles/store.h"
#include "particles/work.h"

#define THAW_LANES 8
#define THAW_TWOS 4u // see ThawSegment

// A stretch of one row: particles first .. first + count - 1.
typedef struct ThawCluster {
    uint32_t first;
    uint32_t count;         // 1..8
    uint32_t segment;       // its first segment
    uint32_t segment_count; // 1 but beside a periodic boundary
} ThawCluster;

// A part of a cluster's list that is seen through one periodic image: subtract `image` from the
// cluster's own places, then compare with the listed ones.
//
// The list's end may come in twos: of each two the first is near none but the cluster's first four lanes, the second
// near none but the last four, so that both can be looked at at once. Those who do not care walk the whole list.
typedef struct ThawSegment {
    uint32_t *list; // rows of the store, the cluster's own among them
    uint32_t count;
    uint32_t twos;    // a multiple of THAW_TWOS; none when just built
    int32_t image[3]; // place units; zero inside the domain
} ThawSegment;

typedef struct ThawNeighbors ThawNeighbors;

// What a search is about.
typedef struct ThawSearch {
    const ThawDomain *domain;
    ThawStore *store;
    ThawWork *work;
    ThawParallel *parallel;
    ThawIsa isa;
    double spacing; // m, of the world's usual particle
    double support; // h in spacings
    double skin;    // –, of the support: how much further than h lists reach
    bool rough;     // lists may hold more than what is in reach: who walks them first prunes them
    double dt;      // s: the search is about where particles will be dt from now
    double gravity[3]; // m/s², added to their velocities
} ThawSearch;

// What the tentative positions are like, before any sorting.
typedef struct ThawSurvey {
    double max_shift;       // cells, the largest tentative displacement
    float least_spacing;    // m
    float largest_spacing;  // m
    double depth;           // cells, about how deep matter may lie on itself along gravity
    uint32_t nonfinite;     // rows whose tentative position is not finite or absurdly far
    uint32_t outside;       // rows outside the 2^21 cells of an axis
    uint32_t first_trouble; // the first such row, UINT32_MAX when there is none
} ThawSurvey;

ThawResult thaw_neighbors_create(ThawNeighbors **neighbors);
void thaw_neighbors_destroy(ThawNeighbors *neighbors);

// The steps of a search, in order. survey looks; sort finds the order of the tentative positions; the
// caller then permutes the store by `order`, fills work->place, and calls table and list.
ThawResult thaw_neighbors_survey(ThawNeighbors *neighbors, const ThawSearch *search,
                                 ThawSurvey *survey);
ThawResult thaw_neighbors_sort(ThawNeighbors *neighbors, const ThawSearch *search,
                               const uint32_t **order);
ThawResult thaw_neighbors_table(ThawNeighbors *neighbors, const ThawSearch *search);
ThawResult thaw_neighbors_list(ThawNeighbors *neighbors, const ThawSearch *search);

const ThawCluster *thaw_neighbors_clusters(const ThawNeighbors *neighbors, uint32_t *count);
// A list may be shortened to what is in reach of its cluster.
ThawSegment *thaw_neighbors_segments(ThawNeighbors *neighbors);

// Whether lists are still rough. Who prunes them says how many pairs there are.
bool thaw_neighbors_rough(const ThawNeighbors *neighbors);
void thaw_neighbors_pruned(ThawNeighbors *neighbors, uint64_t pairs);
// How far lists reach, in supports.
double thaw_neighbors_reach(const ThawNeighbors *neighbors);

// Pairs within the support h when the lists were made, self included; 0 while they are rough.
uint64_t thaw_neighbors_pairs(const ThawNeighbors *neighbors);
// Bytes held.
size_t thaw_neighbors_bytes(const ThawNeighbors *neighbors);

// What is wrong with a row's tentative position.
typedef enum ThawTrouble {
    THAW_TROUBLE_NONE,
    THAW_TROUBLE_NONFINITE,
    THAW_TROUBLE_OUTSIDE
} ThawTrouble;
ThawTrouble thaw_search_trouble(const ThawSearch *search, uint32_t row);

// Where rows are aiming: the one formula for tentative displacements (cells) and positions.
typedef struct ThawAim {
    const ThawDomain *domain;
    const int64_t *cells;
    const float *velocity;
    float factor;  // cells a m/s
    float pull[3]; // what gravity adds to velocities, m/s
} ThawAim;

static inline ThawAim thaw_aim(const ThawSearch *search) {
    return (ThawAim){search->domain,
                     search->store->cells,
                     search->store->velocity,
                     (float)(search->dt / search->domain->cell),
                     {(float)(search->gravity[0] * search->dt),
                      (float)(search->gravity[1] * search->dt),
                      (float)(search->gravity[2] * search->dt)}};
}

static inline void thaw_aim_shift(const ThawAim *aim, uint32_t row, float shift[3]) {
    const float *velocity = &aim->velocity[3 * (size_t)row];
    for (int a = 0; a < 3; a++) shift[a] = (velocity[a] + aim->pull[a]) * aim->factor;
}

static inline void thaw_aim_at(const ThawAim *aim, uint32_t row, const float shift[3],
                               int64_t at[3]) {
    const int64_t *cells = &aim->cells[3 * (size_t)row];
    for (int a = 0; a < 3; a++) at[a] = cells[a] + thaw_fixed_from_float(shift[a]);
    thaw_domain_wrap(aim->domain, at);
}

#endif
