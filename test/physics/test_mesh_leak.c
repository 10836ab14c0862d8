// Pools held by meshes that stand for 10,000 steps: an open cup of no thickness, a thin wall seen from both sides. No
// particle is lost.
#include "physics/mesh_pool.h"

static void open_shell_cup_holds_its_pool(void **state) {
    (void)state;
    Form cup = form_cup(0.3, 0.6, 32);
    ThawField *field = form_field(&cup, THAW_FIELD_SHELL, CELL, 0);
    Tank tank = open_tank();
    add_mesh(&tank, field, NULL, 0);
    tank_fill(&tank, thaw_shape_cylinder((ThawVec3){0, 0, 0.06}, (ThawVec3){0, 0, 0.28}, 0.22));
    uint32_t started = tank.count;
    assert_true(started > 200);
    double lowest = INFINITY, widest = 0;
    for (int s = 0; s < STEPS; s++) {
        tank_step(&tank, DT);
        assert_int_equal(tank.count, started);
        for (uint32_t i = 0; i < tank.count; i++) {
            const double *x = tank.x[i];
            lowest = fmin(lowest, x[2]);
            widest = fmax(widest, sqrt(x[0] * x[0] + x[1] * x[1]));
        }
        assert_true(lowest > 0);
        assert_true(widest < 0.3);
    }
    print_message("cup: %u particles; lowest %.3f, widest %.3f of 0.3 m\n", started, lowest,
                  widest);
    tank_close(&tank);
    thaw_field_release(field);
    form_free(&cup);
}

static void thin_wall_parts_the_pool(void **state) {
    (void)state;
    Form sheet = form_sheet(0.6, 1.2, 6);
    ThawField *field = form_field(&sheet, THAW_FIELD_SHELL, CELL, 0);
    Tank tank = open_tank();
    tank_contain(&tank, tank_box(3, (ThawVec3){-0.4, -0.2, 0}, (ThawVec3){0.6, 0.2, 2}), 0.1f);
    add_mesh(&tank, field, NULL, 0);
    tank_fill(&tank, tank_box(3, (ThawVec3){-0.37, -0.18, 0.03}, (ThawVec3){-0.06, 0.18, 0.5}));
    uint32_t started = tank.count;
    assert_true(started > 300);
    double furthest = -INFINITY;
    for (int s = 0; s < STEPS; s++) {
        tank_step(&tank, DT);
        assert_int_equal(tank.count, started);
        for (uint32_t i = 0; i < tank.count; i++) furthest = fmax(furthest, tank.x[i][0]);
        assert_true(furthest < 0);
    }
    print_message("wall: %u particles, the nearest %.4f m before it\n", started, -furthest);
    tank_close(&tank);
    thaw_field_release(field);
    form_free(&sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_shell_cup_holds_its_pool),
        cmocka_unit_test(thin_wall_parts_the_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
