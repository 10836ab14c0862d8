// A pool in a container for 2,000 steps: no particle is lost and none leaves.
#include "support/tank.h"
#include "world/helpers.h"

#define D 0.05 // m
#define DT 0.004
#define STEPS 2000

// Runs a block that falls into a container; its particles' centres must stay inside.
static void check_container(int dimensions, ThawShape shape, ThawShape block, const char *name) {
    ThawWorldDef def = tank_def(dimensions, D);
    Tank tank = tank_open(&def, NULL);
    tank_contain(&tank, shape, 0.4f);
    tank_fill(&tank, block);
    uint32_t started = tank.count;
    double furthest = -INFINITY;
    for (int s = 0; s < STEPS; s++) {
        tank_step(&tank, DT);
        assert_int_equal(tank.count, started);
        for (uint32_t i = 0; i < tank.count; i++) {
            ThawVec3 x = {tank.x[i][0], tank.x[i][1], tank.x[i][2]};
            furthest = fmax(furthest, thaw_shape_distance(&shape, x));
        }
    }
    print_message("%dD %s: %u particles after %d steps, nearest to the wall %.4f spacings inside\n",
                  dimensions, name, tank.count, STEPS, -furthest / D);
    assert_true(started > 100);
    assert_true(furthest <= 0);
    tank_close(&tank);
}

static void box_holds_its_pool(void **state) {
    (void)state;
    check_container(2, tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){1, 3, 0}),
                    tank_box(2, (ThawVec3){0, 0.5, 0}, (ThawVec3){0.7, 1.5, 0}), "box");
    check_container(3, tank_box(3, (ThawVec3){0, 0, 0}, (ThawVec3){0.6, 0.4, 2}),
                    tank_box(3, (ThawVec3){0, 0, 0.4}, (ThawVec3){0.4, 0.4, 0.8}), "box");
}

static void turned_box_holds_its_pool(void **state) {
    (void)state;
    // gravity pulls into an edge of it
    ThawShape box = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.8, 0.8, 0.8});
    check_container(3, thaw_shape_rotate(box, (ThawVec3){1, 2, 3}, 0.7),
                    tank_box(3, (ThawVec3){-0.2, -0.2, -0.2}, (ThawVec3){0.2, 0.2, 0.2}),
                    "turned box");
}

static void ball_holds_its_pool(void **state) {
    (void)state;
    check_container(3, thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.5),
                    tank_box(3, (ThawVec3){-0.2, -0.2, -0.2}, (ThawVec3){0.2, 0.2, 0.2}), "ball");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_holds_its_pool),
        cmocka_unit_test(turned_box_holds_its_pool),
        cmocka_unit_test(ball_holds_its_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
