// The neighbour search against brute force (cases.md V-13), on every kind of cloud; and what it must
// not depend on: the order of the particles before, threads, instruction set.
#include "neighbors/neighbors.h"

#include "base/memory.h"
#include "math/random.h"
#include "neighbors/table.h"
#include "simd/isa.h"
#include "support/brute.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 2048
#define SOURCE ((uint64_t)3 << THAW_ID_SOURCE_SHIFT)

// ---------------------------------------------------------------- clouds

typedef enum Layout {
    RANDOM,     // evenly in the box
    CLUSTERED,  // most of them in a few tight balls
    COINCIDENT, // 1000 at one point, the others around it
    FAR_APART,  // clusters at ±2^19 cells in every octant, and loners
    LATTICE     // simple cubic of half a cell: rows of cells filled evenly, many equal coordinates
} Layout;

typedef struct Case {
    const char *name;
    int dimensions;
    Layout layout;
    uint32_t count;
    double box;       // cells, edge; on periodic axes the period instead
    double period[3]; // cells, 0 = not periodic
    double ratios[3]; // sizes that occur; 0 = no more. Negative: any between 1/−x and −x
    double skin;
} Case;

typedef struct Cloud {
    ThawDomain domain;
    uint32_t count;
    int64_t cells[MOST][3];
    float spacing[MOST];
    float velocity[MOST][3];
} Cloud;

static double draw(uint64_t id, uint64_t purpose) {
    return thaw_random_unit(11, id, 0, purpose);
}

static double pick_ratio(const Case *test, uint32_t n) {
    if (test->ratios[0] < 0) return pow(-test->ratios[0], 2.0 * draw(n, 20) - 1.0);
    int kinds = 1;
    while (kinds < 3 && test->ratios[kinds] > 0) kinds++;
    return test->ratios[(int)(draw(n, 20) * kinds)];
}

// a point in cells
static void pick_point(const Case *test, uint32_t n, double x[3]) {
    double edge[3];
    for (int a = 0; a < 3; a++) edge[a] = test->period[a] > 0 ? test->period[a] : test->box;
    uint64_t ball = (uint64_t)(draw(n, 21) * 5.0);
    for (uint64_t a = 0; a < 3; a++) {
        double even = edge[a] * draw(n, 10 + a);
        switch (test->layout) {
        case CLUSTERED:
            x[a] = n % 5 == 0 ? even : edge[a] * draw(ball, 30 + a) + 0.4 * (draw(n, 40 + a) - 0.5);
            break;
        case COINCIDENT: x[a] = n < 1000 ? 0.3 * edge[a] : even; break;
        case FAR_APART:
            x[a] =
                (n >> a & 1 ? 524287.0 : -524287.0) + (n % 16 == 0 ? 400.0 : 2.0) * draw(n, 10 + a);
            break;
        case LATTICE: x[a] = 0.5 * (n / (a == 0 ? 1u : a == 1 ? 12u : 144u) % 12u); break;
        default: x[a] = even;
        }
    }
    if (test->dimensions == 2) x[2] = 0;
}

static Cloud *make_cloud(const Case *test) {
    static Cloud cloud;
    memset(&cloud, 0, sizeof cloud);
    assert_true(test->count <= MOST);
    cloud.domain = (ThawDomain){.dimensions = test->dimensions, .cell = 2.0};
    for (int a = 0; a < 3; a++) {
        if (!(test->period[a] > 0)) continue;
        cloud.domain.periodic[a] = true;
        cloud.domain.lower[a] = thaw_fixed_from(-0.37 * test->period[a]);
        cloud.domain.length[a] = thaw_fixed_from(test->period[a]);
    }
    cloud.count = test->count;
    for (uint32_t n = 0; n < test->count; n++) {
        double x[3];
        pick_point(test, n, x);
        for (int a = 0; a < 3; a++) cloud.cells[n][a] = thaw_fixed_from(x[a]);
        thaw_domain_wrap(&cloud.domain, cloud.cells[n]);
        cloud.spacing[n] = (float)pick_ratio(test, n);
    }
    return &cloud;
}

// ---------------------------------------------------------------- a search

typedef struct Rig {
    Cloud *cloud;
    ThawStore *store;
    ThawWork work;
    ThawParallel *parallel;
    ThawNeighbors *neighbors;
    ThawSearch search;
    ThawSurvey survey;
    // the particles as sorted, where they will be after dt
    Brute brute;
    int64_t at[MOST][3], support[MOST];
} Rig;

static void must(ThawResult result) {
    if (result != THAW_OK) fail_msg("%s", thaw_error_text());
}

// rows in the order of random numbers under `shuffle`; 0 keeps them
static void fill_store(ThawStore *store, const Cloud *cloud, uint64_t shuffle) {
    uint32_t first, order[MOST];
    must(thaw_store_append(store, cloud->count, 3, 0, &first));
    for (uint32_t k = 0; k < cloud->count; k++) order[k] = k;
    for (uint32_t k = cloud->count; shuffle != 0 && k > 1; k--) {
        uint32_t other = (uint32_t)(thaw_random_unit(shuffle, k, 0, 0) * k), kept = order[k - 1];
        order[k - 1] = order[other];
        order[other] = kept;
    }
    for (uint32_t row = 0; row < cloud->count; row++) {
        uint32_t n = order[row];
        store->id[row] = SOURCE | n;
        store->spacing[row] = cloud->spacing[n];
        memcpy(&store->cells[3 * row], cloud->cells[n], sizeof cloud->cells[n]);
        memcpy(&store->velocity[3 * row], cloud->velocity[n], sizeof cloud->velocity[n]);
    }
    thaw_store_moved(store);
}

static Rig *open_rig(Cloud *cloud, double skin, int threads, ThawIsa isa, uint64_t shuffle) {
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->cloud = cloud;
    must(thaw_store_create(&rig->store));
    must(thaw_parallel_create(threads, NULL, &rig->parallel));
    must(thaw_neighbors_create(&rig->neighbors));
    fill_store(rig->store, cloud, shuffle);
    must(thaw_work_reserve(&rig->work, cloud->count));
    rig->search = (ThawSearch){.domain = &cloud->domain,
                               .store = rig->store,
                               .work = &rig->work,
                               .parallel = rig->parallel,
                               .isa = isa,
                               .spacing = 1.0,
                               .support = 2.0,
                               .skin = skin};
    return rig;
}

static void close_rig(Rig *rig) {
    thaw_neighbors_destroy(rig->neighbors);
    thaw_parallel_destroy(rig->parallel);
    thaw_work_release(&rig->work);
    thaw_store_destroy(rig->store);
    free(rig);
}

// tentative positions, as the step makes them
static void aim(Rig *rig) {
    ThawAim to = thaw_aim(&rig->search);
    for (uint32_t row = 0; row < rig->store->count; row++) {
        float *shift = &rig->work.shift[3 * row];
        thaw_aim_shift(&to, row, shift);
        thaw_aim_at(&to, row, shift, rig->at[row]);
        rig->work.place[row] =
            (ThawPlace){thaw_place_from(rig->at[row][0]), thaw_place_from(rig->at[row][1]),
                        thaw_place_from(rig->at[row][2]), 0};
        // the usual particle's support is one cell
        rig->support[row] = thaw_fixed_from((double)rig->store->spacing[row]);
    }
    rig->brute =
        (Brute){&rig->cloud->domain, rig->store->count, (const int64_t(*)[3])rig->at, rig->support};
}

static ThawResult search(Rig *rig) {
    const uint32_t *order;
    must(thaw_neighbors_survey(rig->neighbors, &rig->search, &rig->survey));
    ThawResult result = thaw_neighbors_sort(rig->neighbors, &rig->search, &order);
    if (result != THAW_OK) return result;
    must(thaw_store_permute(rig->store, rig->parallel, order));
    aim(rig);
    must(thaw_neighbors_table(rig->neighbors, &rig->search));
    return thaw_neighbors_list(rig->neighbors, &rig->search);
}

// ---------------------------------------------------------------- the check

typedef struct Check {
    Rig *rig;
    const char *name;
    const ThawCluster *cluster;
    const ThawSegment *segments;
    uint32_t *seen;       // by row: a bit a segment of the cluster whose list holds it
    BruteReach certain;   // within the lists' reach whatever is rounded
    BruteReach inside[2]; // within the support, less or plus what is rounded
    uint64_t pairs[2];
} Check;

// Places are cut to 2^-22 cells and distances are float32: distances that differ by less than this from
// the reach may fall to either side.
static int64_t rounding(const Rig *rig) {
    int64_t largest = 0;
    for (uint32_t row = 0; row < rig->brute.count; row++) {
        if (rig->support[row] > largest) largest = rig->support[row];
    }
    return 1024 + (largest >> 20);
}

static bool same_image(const int32_t image[3], const int64_t fixed[3]) {
    for (int a = 0; a < 3; a++) {
        if (image[a] != thaw_place_from(fixed[a])) return false;
    }
    return true;
}

// a pair within reach must be in the list that is seen through its image
static void expect_pair(void *context, const BrutePair *pair) {
    Check *check = context;
    for (int k = 0; k < 2; k++) {
        check->pairs[k] += brute_within(&check->rig->brute, pair, check->inside[k]);
    }
    if (!brute_within(&check->rig->brute, pair, check->certain)) return;
    for (uint32_t s = 0; s < check->cluster->segment_count; s++) {
        if (same_image(check->segments[s].image, pair->image) && check->seen[pair->j] >> s & 1)
            return;
    }
    fail_msg("%s: %u is not in the list of %u through (%g, %g, %g)", check->name, pair->j, pair->i,
             thaw_fixed_cells(pair->image[0]), thaw_fixed_cells(pair->image[1]),
             thaw_fixed_cells(pair->image[2]));
}

// whether a listed particle is within reach of one of the cluster's, through an image that looks like the
// segment's: places count modulo 1024 cells, so several may
static bool is_near(const Check *check, const ThawSegment *segment, uint32_t j, BruteReach most) {
    const ThawDomain *domain = &check->rig->cloud->domain;
    for (int code = 0; code < 27; code++) {
        int turn[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        BrutePair pair = {.j = j};
        bool possible = true;
        for (int a = 0; a < 3; a++) {
            possible = possible && (turn[a] == 0 || domain->periodic[a]);
            pair.image[a] = turn[a] * domain->length[a];
        }
        if (!possible || !same_image(segment->image, pair.image)) continue;
        for (uint32_t lane = 0; lane < check->cluster->count; lane++) {
            pair.i = check->cluster->first + lane;
            if (brute_within(&check->rig->brute, &pair, most)) return true;
        }
    }
    return false;
}

// segments before s, and s itself, that look like s
static uint32_t alike(const Check *check, uint32_t s) {
    uint32_t mask = 0;
    for (uint32_t other = 0; other <= s; other++) {
        bool same = memcmp(check->segments[other].image, check->segments[s].image,
                           sizeof check->segments[s].image) == 0;
        mask |= (uint32_t)same << other;
    }
    return mask;
}

// marks what the cluster lists: nothing twice, and nothing beyond the reach of all its particles
static void mark_lists(Check *check, BruteReach most) {
    for (uint32_t s = 0; s < check->cluster->segment_count; s++) {
        const ThawSegment *segment = &check->segments[s];
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            assert_true(j < check->rig->brute.count);
            if (check->seen[j] & alike(check, s))
                fail_msg("%s: %u is listed twice", check->name, j);
            check->seen[j] |= 1u << s;
            if (!check->rig->search.rough && !is_near(check, segment, j, most)) {
                fail_msg("%s: %u is near nobody who lists it", check->name, j);
            }
        }
    }
}

static void check_lists(Rig *rig, const char *name) {
    int64_t scale = 1024 + (int64_t)lrint(1024.0 * rig->search.skin), slack = rounding(rig);
    Check check = {.rig = rig,
                   .name = name,
                   .seen = calloc(rig->brute.count, sizeof(uint32_t)),
                   .certain = {scale, -slack},
                   .inside = {{1024, -slack}, {1024, slack}}};
    uint32_t clusters, next = 0;
    const ThawCluster *all = thaw_neighbors_clusters(rig->neighbors, &clusters);
    for (uint32_t c = 0; c < clusters; c++) {
        // clusters follow each other without gaps
        assert_int_equal(all[c].first, next);
        assert_in_range(all[c].count, 1, THAW_LANES);
        next += all[c].count;
        check.cluster = &all[c];
        check.segments = thaw_neighbors_segments(rig->neighbors) + all[c].segment;
        memset(check.seen, 0, rig->brute.count * sizeof *check.seen);
        mark_lists(&check, (BruteReach){scale, slack});
        for (uint32_t lane = 0; lane < all[c].count; lane++) {
            brute_visit(&rig->brute, all[c].first + lane, (BruteReach){scale, slack}, expect_pair,
                        &check);
        }
    }
    assert_int_equal(next, rig->brute.count);
    free(check.seen);
    uint64_t pairs = thaw_neighbors_pairs(rig->neighbors);
    // rough lists hold more, and leave the counting to who prunes them
    assert_true(thaw_neighbors_rough(rig->neighbors) == rig->search.rough);
    if (rig->search.rough) return;
    if (pairs < check.pairs[0] || pairs > check.pairs[1]) {
        fail_msg("%s: %llu pairs, by brute force %llu to %llu", name, (unsigned long long)pairs,
                 (unsigned long long)check.pairs[0], (unsigned long long)check.pairs[1]);
    }
    // a count of the particles alone would prove nothing
    assert_true(pairs > rig->brute.count);
}

// ---------------------------------------------------------------- claims

static const Case cases[] = {
    {"random", 3, RANDOM, 1500, 6.0, {0, 0, 0}, {1, 0, 0}, 0},
    {"random with skin", 3, RANDOM, 1500, 6.0, {0, 0, 0}, {1, 0, 0}, 0.125},
    {"clustered", 3, CLUSTERED, 800, 40.0, {0, 0, 0}, {1, 0, 0}, 0},
    {"coincident", 3, COINCIDENT, 1200, 3.0, {0, 0, 0}, {1, 0, 0}, 0},
    {"coincident with skin, mixed", 3, COINCIDENT, 1100, 3.0, {0, 0, 0}, {1, 2, 0}, 0.25},
    {"far apart", 3, FAR_APART, 600, 0.0, {0, 0, 0}, {1, 0, 0}, 0},
    {"far apart, 1:2", 3, FAR_APART, 600, 0.0, {0, 0, 0}, {1, 2, 0}, 0.125},
    {"lattice", 3, LATTICE, 1728, 0.0, {0, 0, 0}, {1, 0, 0}, 0},
    {"all larger than usual", 3, RANDOM, 600, 8.0, {0, 0, 0}, {3, 0, 0}, 0.125},
    {"all smaller than usual", 3, RANDOM, 900, 1.5, {0, 0, 0}, {0.3, 0, 0}, 0},
    {"1:2", 3, RANDOM, 1200, 5.0, {0, 0, 0}, {1, 0.5, 0}, 0.125},
    {"1:4", 3, RANDOM, 1000, 8.0, {0, 0, 0}, {1, 4, 0}, 0},
    {"1:16", 3, RANDOM, 800, 12.0, {0, 0, 0}, {1, 16, 0}, 0.125},
    {"1:16:256", 3, RANDOM, 1000, 6.0, {0, 0, 0}, {0.0625, 1, 16}, 0},
    {"any size", 3, RANDOM, 1200, 12.0, {0, 0, 0}, {-16, 0, 0}, 0},
    {"any size, clustered, with skin", 3, CLUSTERED, 700, 30.0, {0, 0, 0}, {-16, 0, 0}, 0.25},
    {"flat", 2, RANDOM, 1500, 14.0, {0, 0, 0}, {1, 0, 0}, 0.125},
    {"flat, any size", 2, RANDOM, 1200, 30.0, {0, 0, 0}, {-4, 0, 0}, 0},
    {"flat, periodic, mixed", 2, RANDOM, 900, 0.0, {9.7, 11.3, 0}, {1, 2, 0.5}, 0.125},
    {"periodic x of 2 supports", 3, RANDOM, 900, 6.0, {2.0, 0, 0}, {1, 0, 0}, 0},
    {"periodic y of 2 supports, skin", 3, RANDOM, 900, 6.0, {0, 2.0, 0}, {1, 0, 0}, 0.125},
    {"periodic x", 3, RANDOM, 1200, 6.0, {5.63, 0, 0}, {1, 0, 0}, 0},
    {"periodic x, y", 3, RANDOM, 1200, 6.0, {3.3, 4.71, 0}, {1, 0, 0}, 0.125},
    {"periodic y, z", 3, RANDOM, 1200, 6.0, {0, 2.51, 7.07}, {1, 0, 0}, 0},
    {"periodic", 3, RANDOM, 1000, 0.0, {5.1, 4.03, 6.6}, {1, 0, 0}, 0},
    {"periodic, 2 supports each", 3, RANDOM, 250, 0.0, {2.0, 2.0, 2.0}, {1, 0, 0}, 0},
    {"periodic, 2 supports each, skin", 3, RANDOM, 250, 0.0, {2.0, 2.0, 2.0}, {1, 0, 0}, 0.25},
    {"periodic, 1:4, skin", 3, RANDOM, 900, 0.0, {10.3, 9.9, 11.7}, {1, 4, 0}, 0.125},
    {"periodic, any size", 3, RANDOM, 900, 0.0, {13.7, 8.9, 9.3}, {-4, 0, 0}, 0},
    {"periodic, clustered", 3, CLUSTERED, 700, 0.0, {17.2, 8.8, 23.9}, {1, 0.5, 0}, 0.125},
    // where places, which count modulo 1024 cells, cannot tell images apart
    {"periodic of 1024 cells", 3, CLUSTERED, 500, 0.0, {1024, 8.5, 0}, {1, 0, 0}, 0.125},
    {"periodic and very long", 3, CLUSTERED, 500, 0.0, {700000.3, 0, 0}, {1, 0, 0}, 0},
};
#define CASES (sizeof cases / sizeof cases[0])

static void lists_hold_the_pairs_that_brute_force_finds(void **state) {
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        ThawIsa isa;
        must(thaw_isa_resolve(THAW_ISA_AUTO, &isa));
        Rig *rig = open_rig(make_cloud(&cases[k]), cases[k].skin, 1, isa, 0);
        must(search(rig));
        assert_int_equal(rig->survey.nonfinite + rig->survey.outside, 0);
        check_lists(rig, cases[k].name);
        // rough lists hold them too
        rig->search.rough = true;
        must(search(rig));
        check_lists(rig, cases[k].name);
        close_rig(rig);
    }
}

// everything that a search gives, with ids in place of rows
static uint64_t digest(const Rig *rig) {
    uint64_t hash = 14695981039346656037u;
    uint32_t clusters;
    const ThawCluster *cluster = thaw_neighbors_clusters(rig->neighbors, &clusters);
#define MIX(value) hash = (hash ^ (uint64_t)(value)) * 1099511628211u
    for (uint32_t row = 0; row < rig->store->count; row++) MIX(rig->store->id[row]);
    for (uint32_t c = 0; c < clusters; c++, cluster++) {
        MIX(cluster->first);
        MIX(cluster->count);
        for (uint32_t s = 0; s < cluster->segment_count; s++) {
            const ThawSegment *segment =
                thaw_neighbors_segments(rig->neighbors) + cluster->segment + s;
            for (int a = 0; a < 3; a++) MIX((uint32_t)segment->image[a]);
            for (uint32_t n = 0; n < segment->count; n++) MIX(segment->list[n]);
        }
    }
    MIX(thaw_neighbors_pairs(rig->neighbors));
#undef MIX
    return hash;
}

static void results_do_not_depend_on_threads_isa_or_order(void **state) {
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        Cloud *cloud = make_cloud(&cases[k]);
        uint64_t wanted = 0;
        for (int n = 0; n < 12; n++) {
            ThawIsa isa;
            if (thaw_isa_resolve((ThawIsa)(THAW_ISA_BASELINE + n % 3), &isa) != THAW_OK) continue;
            Rig *rig = open_rig(cloud, cases[k].skin, n % 3 + 1, isa, (uint64_t)n / 3);
            must(search(rig));
            uint64_t found = digest(rig);
            if (n == 0) wanted = found;
            if (found != wanted) {
                fail_msg("%s: other lists with %d threads, isa %d, shuffle %d", cases[k].name,
                         n % 3 + 1, (int)isa, n / 3);
            }
            close_rig(rig);
        }
    }
}

// the order that particles are brought into, written out: level, cells of z and y, then x, y, z, id
static int compare_rows(const Rig *rig, uint32_t a, uint32_t b) {
    int level = thaw_level_of(rig->store->spacing[a]);
    int other = thaw_level_of(rig->store->spacing[b]);
    if (level != other) return level < other ? -1 : 1;
    int shift = THAW_FIXED_BITS + level - THAW_LEVEL_BASE;
    const int64_t *at = rig->at[a], *bt = rig->at[b];
    int64_t keys[6][2] = {{at[2] >> shift, bt[2] >> shift},
                          {at[1] >> shift, bt[1] >> shift},
                          {at[0], bt[0]},
                          {at[1], bt[1]},
                          {at[2], bt[2]},
                          {(int64_t)rig->store->id[a], (int64_t)rig->store->id[b]}};
    for (int n = 0; n < 6; n++) {
        if (keys[n][0] != keys[n][1]) return keys[n][0] < keys[n][1] ? -1 : 1;
    }
    return 0;
}

static void order_is_canonical(void **state) {
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        Rig *rig = open_rig(make_cloud(&cases[k]), 0, 2, THAW_ISA_BASELINE, 5);
        must(search(rig));
        for (uint32_t row = 1; row < rig->store->count; row++) {
            if (compare_rows(rig, row - 1, row) >= 0) fail_msg("%s: row %u", cases[k].name, row);
        }
        close_rig(rig);
    }
}

static void lists_are_about_where_particles_will_be(void **state) {
    (void)state;
    const Case moving[] = {
        {"moving", 3, RANDOM, 900, 5.0, {0, 0, 0}, {1, 0.5, 0}, 0.125},
        {"moving, periodic", 3, RANDOM, 900, 0.0, {5.3, 4.7, 4.1}, {1, 0, 0}, 0}};
    for (int k = 0; k < 2; k++) {
        Cloud *cloud = make_cloud(&moving[k]);
        for (uint32_t n = 0; n < cloud->count; n++) {
            for (uint64_t a = 0; a < 3; a++) {
                cloud->velocity[n][a] = (float)(6.0 * draw(n, 50 + a) - 3.0);
            }
        }
        Rig *rig = open_rig(cloud, moving[k].skin, 2, THAW_ISA_BASELINE, 0);
        rig->search.dt = 0.5;
        rig->search.gravity[2] = -9.81;
        must(search(rig));
        check_lists(rig, moving[k].name);
        // the survey's largest shift is that of the fastest
        double fastest = 0;
        for (uint32_t row = 0; row < rig->store->count; row++) {
            double v2 = 0, pull[3] = {0, 0, -9.81 * 0.5};
            for (uint32_t a = 0; a < 3; a++)
                v2 += pow(rig->store->velocity[3 * row + a] + pull[a], 2);
            fastest = fmax(fastest, sqrt(v2));
        }
        assert_true(fabs(rig->survey.max_shift - fastest * 0.25) < 1e-5 * fastest);
        close_rig(rig);
    }
}

// one search object, sizes and particles changing from call to call
static void supports_may_change_between_searches(void **state) {
    (void)state;
    const Case test = {"changing", 3, RANDOM, 900, 5.0, {0, 6.3, 0}, {1, 0, 0}, 0};
    const double ratios[] = {1.0, 0.5, 1.7, -2.0, 0.25, 3.0, 1.0};
    Rig *rig = open_rig(make_cloud(&test), 0, 2, THAW_ISA_BASELINE, 0);
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
        Case sized = test;
        sized.ratios[0] = ratios[k];
        rig->search.skin = k % 2 == 0 ? 0.125 : 0.0;
        for (uint32_t row = 0; row < rig->store->count; row++) {
            rig->store->spacing[row] = (float)pick_ratio(&sized, row);
        }
        must(search(rig));
        check_lists(rig, "changing");
    }
    close_rig(rig);
}

static void one_particle_is_its_own_neighbour(void **state) {
    (void)state;
    const Case test = {"alone", 3, RANDOM, 1, 1.0, {2.5, 2.5, 2.5}, {1, 0, 0}, 0.125};
    Rig *rig = open_rig(make_cloud(&test), 0.125, 2, THAW_ISA_BASELINE, 0);
    must(search(rig));
    uint32_t clusters;
    const ThawCluster *cluster = thaw_neighbors_clusters(rig->neighbors, &clusters);
    assert_int_equal(clusters, 1);
    assert_int_equal(thaw_neighbors_pairs(rig->neighbors), 1);
    assert_int_equal(thaw_neighbors_segments(rig->neighbors)[cluster->segment].list[0], 0);
    close_rig(rig);
}

// fine cells over the whole domain do not fit into a key: said, not got wrong
static void too_many_cells_are_refused_in_words(void **state) {
    (void)state;
    const Case test = {"wide", 3, FAR_APART, 100, 0.0, {0, 0, 0}, {1, 0.25, 0}, 0};
    Rig *rig = open_rig(make_cloud(&test), 0, 1, THAW_ISA_BASELINE, 0);
    assert_int_equal(search(rig), THAW_TROUBLE);
    assert_non_null(strstr(thaw_error_text(), "too many cells"));
    close_rig(rig);
}

static void searching_again_allocates_nothing(void **state) {
    (void)state;
    for (size_t k = 0; k < CASES; k += 5) {
        Rig *rig = open_rig(make_cloud(&cases[k]), cases[k].skin, 2, THAW_ISA_BASELINE, 0);
        for (int n = 0; n < 3; n++) must(search(rig));
        uint64_t before = thaw_alloc_count();
        for (int n = 0; n < 5; n++) must(search(rig));
        if (thaw_alloc_count() != before) fail_msg("%s: a search allocates", cases[k].name);
        close_rig(rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_hold_the_pairs_that_brute_force_finds),
        cmocka_unit_test(results_do_not_depend_on_threads_isa_or_order),
        cmocka_unit_test(order_is_canonical),
        cmocka_unit_test(lists_are_about_where_particles_will_be),
        cmocka_unit_test(supports_may_change_between_searches),
        cmocka_unit_test(one_particle_is_its_own_neighbour),
        cmocka_unit_test(too_many_cells_are_refused_in_words),
        cmocka_unit_test(searching_again_allocates_nothing),
    };
    return cmocka_run_group_tests_name("lists", tests, NULL, NULL);
}
