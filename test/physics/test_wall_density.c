// Walls carry density: in a settled pool the density error beside flat walls, in edges and corners,
// on a ball and at a thin wall with liquid on both sides stays within 3 %, and the volume beside a
// wall is the true one.
#include "support/tank.h"
#include "world/helpers.h"

#define D 0.05         // m
#define SIDE (16 * D)  // of the tank
#define DEPTH (16 * D) // of the liquid
#define DT 0.004
#define SETTLE 500 // steps
#define LOOKS 10   // then looked at every 10 steps, for features that few particles touch

typedef struct Pool {
    Tank tank;
    int up; // axis of height
    bool blocked;
    ThawShape obstacle;
} Pool;

// a box from the floor to a height
static ThawShape upright(int dimensions, double from, double to, double height) {
    if (dimensions == 2) return tank_box(2, (ThawVec3){from, 0, 0}, (ThawVec3){to, height, 0});
    return tank_box(3, (ThawVec3){from, 0, 0}, (ThawVec3){to, SIDE, height});
}

static Pool open_pool(int dimensions, const ThawShape *obstacle) {
    ThawWorldDef def = tank_def(dimensions, D);
    Pool pool = {.tank = tank_open(&def, NULL), .up = dimensions - 1};
    tank_contain(&pool.tank, upright(dimensions, 0, SIDE, 2 * DEPTH), 0.4f);
    tank_fill(&pool.tank, upright(dimensions, 0, SIDE, DEPTH));
    if (obstacle != NULL) {
        pool.blocked = true;
        pool.obstacle = *obstacle;
        tank_obstruct(&pool.tank, *obstacle);
        tank_carve(&pool.tank, *obstacle);
    }
    for (int s = 0; s < SETTLE; s++) tank_step(&pool.tank, DT);
    return pool;
}

// ---------------------------------------------------------------- features

// where a particle is: how many walls of the tank are within a spacing, and which
typedef struct Feature {
    const Pool *pool;
    int sides;     // side walls within one spacing
    bool floor;    // and the floor
    bool obstacle; // instead: the obstacle within one spacing
} Feature;

static bool is_at(const void *context, const double x[3]) {
    const Feature *f = context;
    const Pool *pool = f->pool;
    // the free surface is no feature: stay 3 spacings below
    if (x[pool->up] > DEPTH - 3 * D) return false;
    double gap = INFINITY;
    if (pool->blocked) gap = thaw_shape_distance(&pool->obstacle, (ThawVec3){x[0], x[1], x[2]});
    if (f->obstacle) return gap < D;
    int sides = 0;
    for (int a = 0; a < pool->up; a++) sides += x[a] < D || x[a] > SIDE - D;
    return gap > 2 * D && sides == f->sides && (x[pool->up] < D) == f->floor;
}

// |C| over the particles of a feature and over several looks
static void check_feature(Pool *pool, const char *name, Feature feature) {
    feature.pool = pool;
    double sum = 0, max = 0;
    uint32_t count = 0;
    for (int look = 0; look < LOOKS; look++) {
        for (int s = 0; s < 10; s++) tank_step(&pool->tank, DT);
        TankMean error = tank_mean_error(&pool->tank, is_at, &feature);
        sum += error.mean * error.count;
        count += error.count;
        max = fmax(max, error.max);
    }
    assert_true(count > 0);
    print_message("%dD %s: |C| mean %.2f %% max %.2f %% over %u looks at particles\n",
                  pool->tank.dimensions, name, 100 * sum / count, 100 * max, count);
    assert_true(sum / count <= 0.03);
}

// a count that ends at `edge` spacings, faded out over four so that layers of particles do not
// matter
static double fade(double spacings, double edge) {
    double share = (edge + 2 - spacings) / 4;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

// The volume within three spacings of the wall x = 0, between heights of four and ten spacings.
static void check_volume(Pool *pool) {
    const Tank *tank = &pool->tank;
    double volume = 0, area = pool->up == 2 ? SIDE * 6 * D : 6 * D;
    for (uint32_t i = 0; i < tank->count; i++) {
        const double *x = tank->x[i];
        double height = x[pool->up] / D;
        volume +=
            pow(D, tank->dimensions) * fade(x[0] / D, 3) * (fade(height, 10) - fade(height, 4));
    }
    double ratio = volume / (3 * D * area);
    print_message("%dD volume within 3 spacings of a wall: %.4f of the true one\n",
                  tank->dimensions, ratio);
    assert_true(fabs(ratio - 1) <= 0.03);
}

// ---------------------------------------------------------------- claims

static void flat_walls_edges_and_corners_carry_density(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Pool pool = open_pool(dimensions, NULL);
        check_feature(&pool, "interior", (Feature){.sides = 0});
        check_feature(&pool, "flat wall", (Feature){.sides = 1});
        check_feature(&pool, "floor", (Feature){.floor = true});
        check_feature(&pool, "wall and floor", (Feature){.sides = 1, .floor = true});
        if (dimensions == 3) {
            check_feature(&pool, "upright edge", (Feature){.sides = 2});
            check_feature(&pool, "corner", (Feature){.sides = 2, .floor = true});
        }
        tank_close(&pool.tank);
    }
}

static void volume_beside_a_wall_is_kept(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Pool pool = open_pool(dimensions, NULL);
        check_volume(&pool);
        tank_close(&pool.tank);
    }
}

static void ball_on_the_floor_carries_density(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        double r = 4.5 * D;
        ThawVec3 center = {SIDE / 2, dimensions == 2 ? r : SIDE / 2, dimensions == 2 ? 0 : r};
        ThawShape ball = thaw_shape_sphere(center, r);
        Pool pool = open_pool(dimensions, &ball);
        check_feature(&pool, "ball", (Feature){.obstacle = true});
        tank_close(&pool.tank);
    }
}

static void thin_wall_carries_density_on_both_sides(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        // through the whole pool, one spacing thick
        ThawShape wall = upright(dimensions, SIDE / 2 - D / 2, SIDE / 2 + D / 2, 2 * DEPTH);
        Pool pool = open_pool(dimensions, &wall);
        check_feature(&pool, "thin wall", (Feature){.obstacle = true});
        tank_close(&pool.tank);
    }
}

static void free_standing_thin_wall_carries_density(void **state) {
    (void)state;
    // half as deep as the pool and half as wide, so that liquid goes round its ends
    ThawShape wall = tank_box(3, (ThawVec3){SIDE / 2 - D / 2, SIDE / 4, 0},
                              (ThawVec3){SIDE / 2 + D / 2, 3 * SIDE / 4, DEPTH / 2});
    Pool pool = open_pool(3, &wall);
    check_feature(&pool, "free-standing thin wall", (Feature){.obstacle = true});
    tank_close(&pool.tank);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_walls_edges_and_corners_carry_density),
        cmocka_unit_test(volume_beside_a_wall_is_kept),
        cmocka_unit_test(ball_on_the_floor_carries_density),
        cmocka_unit_test(thin_wall_carries_density_on_both_sides),
        cmocka_unit_test(free_standing_thin_wall_carries_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
