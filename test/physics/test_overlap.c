// Nothing explodes: bodies that are placed inside each other or inside a collider are moved apart
// without being shot apart, for long and for very short steps.
#include "support/tank.h"
#include "world/helpers.h"

#define D 0.02          // m
#define EDGE (10 * D)   // of a block
#define MOST_SPEED 0.5  // m/s
#define MOST_ERROR 0.05 // compression that may be left after 20 steps

static ThawShape block(int dimensions, double x) {
    return tank_box(dimensions, (ThawVec3){x, 0, 0}, (ThawVec3){x + EDGE, EDGE, EDGE});
}

static Tank open_world(int dimensions) {
    ThawWorldDef def = tank_def(dimensions, D);
    return tank_open(&def, NULL);
}

// pairs that are at one place to within a thousandth of a spacing: nothing can part them
static uint32_t count_coincident(const Tank *tank) {
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < tank->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const double *p = tank->x[i], *q = tank->x[j];
            pairs += hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) < 1e-3 * D;
        }
    }
    return pairs;
}

// Steps for a while; the first step must leave all slow, and the overlap must be gone. The verdict
// comes after the print, so that the log shows all scenes.
static bool is_calm(Tank *tank, const char *name, double dt) {
    tank_step(tank, dt);
    double first = tank_max_speed(tank), begin = tank->report.max_density_error, later = first;
    for (int s = 0; s < 20; s++) {
        tank_step(tank, dt);
        // what falls freely is not what is looked for
        later = fmax(later, tank_max_speed(tank) - 9.81 * dt * (s + 2));
    }
    double end = tank->report.max_density_error;
    uint32_t together = count_coincident(tank);
    print_message(
        "%dD %s, dt %g: fastest %.3f m/s after the first step, %.3f beyond free fall in 20 "
        "more; compression %.1f %% then %.1f %%, %u coincident pairs\n",
        tank->dimensions, name, dt, first, later, 100 * begin, 100 * end, together);
    return first < MOST_SPEED && later < MOST_SPEED && end < MOST_ERROR && together == 0;
}

static bool bodies_are_calm(int dimensions, double dt) {
    Tank tank = open_world(dimensions);
    tank_fill(&tank, block(dimensions, 0));
    tank_fill(&tank, block(dimensions, EDGE / 2));
    bool calm = is_calm(&tank, "two bodies overlapping by half", dt);
    tank_close(&tank);
    return calm;
}

// the body's particles must also have left the collider
static bool collider_is_calm(int dimensions, double dt) {
    Tank tank = open_world(dimensions);
    ThawShape wall = tank_box(dimensions, (ThawVec3){EDGE / 2, -1, -1}, (ThawVec3){1, 1, 1});
    tank_obstruct(&tank, wall);
    tank_fill(&tank, block(dimensions, 0));
    bool calm = is_calm(&tank, "body half inside a collider", dt);
    for (uint32_t i = 0; i < tank.count; i++) {
        ThawVec3 x = {tank.x[i][0], tank.x[i][1], tank.x[i][2]};
        calm = calm && thaw_shape_distance(&wall, x) >= 0;
    }
    tank_close(&tank);
    return calm;
}

static void overlapping_bodies_part_calmly(void **state) {
    (void)state;
    int wild = 0;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        wild += !bodies_are_calm(dimensions, 0.01);
        wild += !bodies_are_calm(dimensions, 1e-4);
    }
    assert_int_equal(wild, 0);
}

static void body_inside_a_collider_leaves_it_calmly(void **state) {
    (void)state;
    int wild = 0;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        wild += !collider_is_calm(dimensions, 0.01);
        wild += !collider_is_calm(dimensions, 1e-4);
    }
    assert_int_equal(wild, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_bodies_part_calmly),
        cmocka_unit_test(body_inside_a_collider_leaves_it_calmly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
