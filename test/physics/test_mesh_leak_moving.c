// Pools held by meshes that move for 10,000 steps: a turning paddle, a cup that changes its form. No particle is lost.
#include "physics/mesh_pool.h"

static void turning_paddle_is_not_entered(void **state) {
    (void)state;
    enum { KEYS = 161 };
    Form paddle = form_paddle(0.32, 0.3, 0.06, 4);
    ThawField *field = form_field(&paddle, THAW_FIELD_SOLID, CELL, 0);
    ThawKeyframe keys[KEYS];
    for (int k = 0; k < KEYS; k++) {
        double angle = 1.5707963267948966 * k, time = 0.25 * k; // a turn a second
        keys[k] = (ThawKeyframe){time, {0, 0, 0}, {0, sin(0.5 * angle), 0, cos(0.5 * angle)}};
    }
    Tank tank = open_tank();
    ThawShape box = tank_box(3, (ThawVec3){-0.4, -0.2, -0.4}, (ThawVec3){0.4, 0.2, 1.5});
    tank_contain(&tank, box, 0.1f);
    add_mesh(&tank, field, keys, KEYS);
    // on the floor, below the paddle's blades and between them
    tank_fill(&tank, tank_box(3, (ThawVec3){-0.38, -0.18, -0.38}, (ThawVec3){0.38, 0.18, -0.1}));
    for (uint32_t i = tank.count; i-- > 0;) {
        ThawVec3 x = {tank.x[i][0], tank.x[i][1], tank.x[i][2]};
        if (thaw_field_distance(field, x) < 0.2 * D) {
            ThawParticleId id = tank.id[i];
            assert_ok(thaw_world_remove_particles(tank.world, &id, 1, NULL));
        }
    }
    tank_look(&tank);
    uint32_t started = tank.count;
    assert_true(started > 300);
    double deepest = INFINITY, furthest = -INFINITY;
    for (int s = 0; s < STEPS; s++) {
        tank_step(&tank, DT);
        assert_int_equal(tank.count, started);
        double angle = -6.283185307179586 * thaw_world_time(tank.world);
        double c = cos(angle), n = sin(angle);
        for (uint32_t i = 0; i < tank.count; i++) {
            const double *x = tank.x[i];
            ThawVec3 seen = {c * x[0] + n * x[2], x[1], -n * x[0] + c * x[2]};
            deepest = fmin(deepest, thaw_field_distance(field, seen));
            furthest = fmax(furthest, thaw_shape_distance(&box, (ThawVec3){x[0], x[1], x[2]}));
        }
    }
    print_message("paddle: %u particles; nearest %.4f m from it, %.4f m inside the box\n", started,
                  deepest, -furthest);
    assert_true(deepest > 0);
    assert_true(furthest < 0);
    tank_close(&tank);
    thaw_field_release(field);
    form_free(&paddle);
}

// The cup leans, widens and narrows: an affine map at every pose.
static void map_at(double time, double m[3]) {
    m[0] = 1 + 0.12 * sin(4 * time); // along x
    m[1] = 1 - 0.12 * sin(4 * time); // along y
    m[2] = 0.25 * sin(2.5 * time);   // x leans with z
}

static void deforming_cup_holds_its_pool(void **state) {
    (void)state;
    enum { POSE_STEPS = 10 };
    Form cup = form_cup(0.3, 0.7, 32), pose = form_cup(0.3, 0.7, 32);
    ThawField *field = form_field(&cup, THAW_FIELD_SHELL, CELL, 0);
    Tank tank = open_tank();
    ThawColliderId id = add_mesh(&tank, field, NULL, 0);
    tank_fill(&tank, thaw_shape_cylinder((ThawVec3){0, 0, 0.06}, (ThawVec3){0, 0, 0.24}, 0.22));
    uint32_t started = tank.count;
    double lowest = INFINITY, widest = 0;
    for (int s = 0; s < STEPS; s++) {
        double m[3], at = DT * (s - s % POSE_STEPS + POSE_STEPS);
        map_at(at, m);
        if (s % POSE_STEPS == 0) {
            for (uint32_t k = 0; k < cup.point_count; k++) {
                const double *p = cup.points[k];
                pose.points[k][0] = m[0] * p[0] + m[2] * p[2];
                pose.points[k][1] = m[1] * p[1];
                pose.points[k][2] = p[2];
            }
            ThawMesh mesh = form_mesh(&pose);
            assert_ok(thaw_world_deform_collider(tank.world, id, &mesh, at));
        }
        tank_step(&tank, DT);
        assert_int_equal(tank.count, started);
        if (s % POSE_STEPS != POSE_STEPS - 1) continue;
        for (uint32_t i = 0; i < tank.count; i++) {
            const double *x = tank.x[i];
            double u = (x[0] - m[2] * x[2]) / m[0], v = x[1] / m[1];
            lowest = fmin(lowest, x[2]);
            widest = fmax(widest, sqrt(u * u + v * v));
        }
        assert_true(lowest > 0);
        assert_true(widest < 0.3);
    }
    print_message("deforming cup: %u particles; lowest %.3f, widest %.3f of 0.3 m\n", started,
                  lowest, widest);
    tank_close(&tank);
    thaw_field_release(field);
    form_free(&cup);
    form_free(&pose);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turning_paddle_is_not_entered),
        cmocka_unit_test(deforming_cup_holds_its_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
