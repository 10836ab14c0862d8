// Lists after the first density pass: every pair that is within the support, none twice, and an end of twos of which
// each is near none but its own half of the lanes.
#include "math/random.h"
#include "models/liquid/liquid.h"
#include "world/helpers.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
    const char *name;
    int dimensions, side;
    bool periodic;
    double packed; // how much of a spacing apart sites are
} Case;

static double draw(uint64_t id, uint64_t axis) {
    return 0.2 * thaw_random_unit(7, id, 0, axis) - 0.1;
}

// a jittered square lattice; thinner than at rest it stays where it is, so that places after a step are those of the
// lists
static ThawWorld *open_world(const Case *test, ThawIsa isa) {
    ThawWorldDef def = small_def(test->dimensions);
    double d = def.spacing = 0.5, step = test->packed * d;
    def.gravity = (ThawVec3){0, 0, 0};
    def.isa = isa;
    def.periodic[0] = test->periodic;
    def.upper = (ThawVec3){step * test->side, 0, 0};
    def.solver.substeps = 1;
    ThawWorld *world;
    // an instruction set that this machine lacks is refused
    if (thaw_world_create(&def, &world) != THAW_OK) return NULL;
    ThawMaterialDef water = thaw_material_default();
    ThawMaterialId material;
    assert_ok(thaw_world_add_material(world, &water, &material));
    int side = test->side, levels = test->dimensions == 3 ? side : 1;
    for (int k = 0; k < side * side * levels; k++) {
        int site[3] = {k % side, k / side % side, k / side / side};
        double at[1][3] = {{0, 0, 0}};
        for (int a = 0; a < test->dimensions; a++)
            at[0][a] = step * (site[a] + 0.5 + draw((uint64_t)k, (uint64_t)a));
        ThawParticlesDef particle = {
            .material = material, .count = 1, .positions = (const double(*)[3])at};
        assert_ok(thaw_world_add_particles(world, &particle, NULL));
    }
    assert_ok(thaw_world_step(world, 1e-3, NULL));
    return world;
}

// squared distance in supports of a listed row from a cluster's
static double distance2(const ThawWorld *world, const ThawSegment *segment, uint32_t own,
                        uint32_t row) {
    const ThawPlace *a = &world->work.place[own], *b = &world->work.place[row];
    double d[3] = {thaw_place_sub(thaw_place_sub(a->x, segment->image[0]), b->x),
                   thaw_place_sub(thaw_place_sub(a->y, segment->image[1]), b->y),
                   thaw_place_sub(thaw_place_sub(a->z, segment->image[2]), b->z)};
    double unit = (double)THAW_PLACE_ONE;
    return (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (unit * unit);
}

typedef struct Found {
    uint32_t twos, pairs;
} Found;

static void check_twos(const ThawWorld *world, const ThawCluster *cluster,
                       const ThawSegment *segment, Found *found) {
    assert_int_equal(segment->twos % THAW_TWOS, 0);
    assert_true(2 * segment->twos <= segment->count);
    const uint32_t *list = segment->list + segment->count - 2 * segment->twos;
    for (uint32_t k = 0; k < 2 * segment->twos; k++) {
        for (uint32_t lane = 0; lane < cluster->count; lane++) {
            bool own_half = k % 2 == lane / 4;
            assert_true(own_half ||
                        distance2(world, segment, cluster->first + lane, list[k]) > 0.99999);
        }
    }
    found->twos += segment->twos;
}

static void check_segment(const ThawWorld *world, const ThawCluster *cluster,
                          const ThawSegment *segment, uint8_t *times, Found *found) {
    memset(times, 0, world->store->count);
    for (uint32_t k = 0; k < segment->count; k++) {
        assert_int_equal(times[segment->list[k]]++, 0);
        for (uint32_t lane = 0; lane < cluster->count; lane++)
            found->pairs += distance2(world, segment, cluster->first + lane, segment->list[k]) <= 1;
    }
    check_twos(world, cluster, segment, found);
}

// pairs within the support, each from both sides and a particle with itself, by asking all
static uint32_t count_pairs(const ThawWorld *world, const Case *test) {
    uint32_t pairs = 0, n = world->store->count;
    ThawSegment image = {0};
    int images = test->periodic ? 1 : 0;
    int32_t period = thaw_place_from(world->domain.length[0]);
    for (int k = -images; k <= images; k++) {
        image.image[0] = k * period;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++) pairs += distance2(world, &image, a, b) <= 1;
    }
    return pairs;
}

static void lists_hold_every_pair_and_end_in_twos(void **state) {
    (void)state;
    // sides of which rows are and are not whole clusters
    static const Case cases[] = {{"cube", 3, 9, false, 1.25},
                                 {"odd cube", 3, 7, false, 1.3},
                                 {"periodic", 3, 8, true, 1.25},
                                 {"square", 2, 23, false, 1.25}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (ThawIsa isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
            ThawWorld *world = open_world(&cases[c], isa);
            if (world == NULL) continue;
            uint32_t clusters;
            const ThawCluster *cluster = thaw_neighbors_clusters(world->neighbors, &clusters);
            const ThawSegment *segments = thaw_neighbors_segments(world->neighbors);
            uint8_t *times = malloc(world->store->count);
            assert_non_null(times);
            Found found = {0, 0};
            for (uint32_t k = 0; k < clusters; k++)
                for (uint32_t s = 0; s < cluster[k].segment_count; s++)
                    check_segment(world, &cluster[k], &segments[cluster[k].segment + s], times,
                                  &found);
            if (found.twos == 0) fail_msg("%s: no twos", cases[c].name);
            assert_int_equal(found.pairs, count_pairs(world, &cases[c]));
            free(times);
            thaw_world_destroy(world);
        }
    }
}

// One cluster of eight in a row, and two crowds that are near none but its first and none but its last lanes: more than
// a shelf holds, so that some stay by themselves.
#define CROWD 600u
#define ROWS (8u + 2u * CROWD)

static void crowds_lose_nobody(void **state) {
    (void)state;
    for (ThawIsa isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
        ThawIsa resolved;
        if (thaw_isa_resolve(isa, &resolved) != THAW_OK) continue;
        static ThawPlace place[ROWS + 8], next[ROWS + 8];
        static uint32_t list[ROWS];
        float wall[16] = {0}, error[16];
        for (uint32_t row = 0; row < ROWS; row++) {
            double x = row < 8 ? 0.27 * row : (row % 2 != 0 ? -0.5 : 2.4) + draw(row, 1);
            place[row] = (ThawPlace){
                (int32_t)lrint(x * (double)THAW_PLACE_ONE),
                (int32_t)lrint((row < 8 ? 0 : draw(row, 2)) * (double)THAW_PLACE_ONE), 0, 0};
            list[row] = row;
        }
        ThawCluster cluster = {.first = 0, .count = 8, .segment_count = 1};
        ThawSegment segment = {.list = list, .count = ROWS};
        ThawLiquidSums sums;
        ThawLiquidPass pass = {.dimensions = 3,
                               .norm = 1,
                               .reach = 1,
                               .clusters = &cluster,
                               .cluster_count = 1,
                               .segments = &segment,
                               .place = place,
                               .next = next,
                               .wall = wall,
                               .error = error,
                               .sums = &sums,
                               .grain = {.volume = 1}};
        THAW_WIDE_PICK(resolved, thaw_liquid_prune)(&pass, 0);
        ThawWorld world = {.work = {.place = place}};
        Found found = {0, 0};
        uint8_t times[ROWS] = {0};
        for (uint32_t k = 0; k < segment.count; k++) assert_int_equal(times[list[k]]++, 0);
        for (uint32_t row = 0; row < ROWS; row++) {
            bool near = false;
            for (uint32_t lane = 0; lane < 8; lane++)
                near = near || distance2(&world, &segment, lane, row) < 1;
            assert_int_equal(times[row], near);
        }
        assert_int_equal(segment.count, ROWS);
        check_twos(&world, &cluster, &segment, &found);
        assert_true(found.twos > 0 && found.twos < CROWD);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_hold_every_pair_and_end_in_twos),
        cmocka_unit_test(crowds_lose_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
