// Steps far shorter than the liquid asks for: they give the same motion as longer ones, not more of it.
#include "support/tank.h"
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SPACING 0.02
#define USUAL (1.0 / 240) // s

// a pool 0.3 m deep, after a while of usual steps
static Tank still_pool(int dimensions, double seconds) {
    ThawWorldDef def = tank_def(dimensions, SPACING);
    Tank tank = tank_open(&def, NULL);
    ThawVec3 low = {0, 0, 0};
    ThawVec3 pool = dimensions == 3 ? (ThawVec3){0.2, 0.2, 0.3} : (ThawVec3){0.4, 0.3, 0};
    ThawVec3 room = dimensions == 3 ? (ThawVec3){0.2, 0.2, 1} : (ThawVec3){0.4, 1, 0};
    tank_contain(&tank, tank_box(dimensions, low, room), 0);
    tank_fill(&tank, tank_box(dimensions, low, pool));
    for (int k = 0; k < (int)(seconds / USUAL); k++) tank_step(&tank, USUAL);
    return tank;
}

// runs on for `seconds` in steps of dt; the kinetic energy at the end, J
static double run_on(Tank *tank, double seconds, double dt) {
    for (long k = 0; k < lround(seconds / dt); k++) tank_step(tank, dt);
    return tank->report.kinetic;
}

// What usual steps have pressed together parts as it does in steps of half a millisecond, and no faster: by the
// pressure of those, where pressure in steps of 4 µs would be 15 000 times as much.
static void microseconds_do_not_blow_a_pool_up(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Tank tank = still_pool(dimensions, 0.5), other = still_pool(dimensions, 0.5);
        double before = tank.report.kinetic;
        double far = run_on(&other, 0.002, 0.0005), near = run_on(&tank, 0.002, 4e-6);
        print_message("%dD: %.3g J after usual steps, then %.3g in 500 µs, %.3g in 4 µs\n",
                      dimensions, before, far, near);
        // the longer steps damp it by more
        assert_true(near < 1.5 * far);
        tank_close(&tank);
        tank_close(&other);
    }
}

// A block that was put together too closely, away from walls: it flies apart the same way. The scheme's own
// damping falls with the step.
static void ever_shorter_steps_come_to_one_motion(void **state) {
    (void)state;
    double energy[3], moved[3];
    for (int k = 0; k < 3; k++) {
        ThawWorldDef def = tank_def(3, SPACING);
        Tank tank = tank_open(&def, NULL);
        tank_fill(&tank, tank_box(3, (ThawVec3){0, 0, 0}, (ThawVec3){0.2, 0.2, 0.2}));
        tank_step(&tank, 1e-9); // whatever must settle has settled
        double grow = 0.99;     // of every distance
        for (uint32_t row = 0; row < tank.count; row++) {
            for (int a = 0; a < 3; a++) {
                int64_t *at = &tank.world->store->cells[3 * (size_t)row + (size_t)a];
                *at = (int64_t)((double)*at * grow);
            }
        }
        energy[k] = run_on(&tank, 0.004, 1e-4 * pow(0.25, k));
        moved[k] = tank_mean_height(&tank);
        tank_close(&tank);
    }
    print_message("after 4 ms: %.4g J in steps of 100 µs, %.4g in 25 µs, %.4g in 6 µs\n", energy[0],
                  energy[1], energy[2]);
    assert_true(fabs(energy[1] / energy[2] - 1) < 0.1);
    assert_true(fabs(energy[1] - energy[2]) < 0.5 * fabs(energy[0] - energy[1]));
    // and falls as one
    assert_true(fabs(moved[1] - moved[2]) < 1e-6);
}

// two blocks that meet without gravity; how much too dense anything becomes
static double collide(double speed, double dt) {
    ThawWorldDef def = tank_def(3, SPACING);
    def.gravity = (ThawVec3){0, 0, 0};
    Tank tank = tank_open(&def, NULL);
    for (int side = -1; side <= 1; side += 2) {
        ThawBodyDef body = thaw_body_default();
        body.material = tank.liquid;
        body.shape = thaw_shape_box((ThawVec3){0.055 * side, 0, 0}, (ThawVec3){0.1, 0.1, 0.1});
        body.velocity.x = -speed * side;
        assert_int_equal(thaw_world_add_body(tank.world, &body, NULL), THAW_OK);
    }
    double most = 0;
    for (long n = 0; n < lround(0.06 / speed / dt); n++) {
        tank_step(&tank, dt);
        most = fmax(most, tank.report.max_density_error);
    }
    tank_close(&tank);
    return most;
}

// stiffness follows the speed: what meets is stopped within a tenth of its density, however fast
static void fast_blocks_do_not_sink_into_each_other(void **state) {
    (void)state;
    static const double speeds[3] = {1.5, 15, 60};
    for (int k = 0; k < 3; k++) {
        double worst = collide(speeds[k], 3e-4 / speeds[k]);
        print_message("two blocks at %g m/s each: %.3f too dense\n", speeds[k], worst);
        assert_true(worst > 0.001 && worst < 0.1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(microseconds_do_not_blow_a_pool_up),
        cmocka_unit_test(ever_shorter_steps_come_to_one_motion),
        cmocka_unit_test(fast_blocks_do_not_sink_into_each_other),
    };
    return cmocka_run_group_tests_name("short steps", tests, NULL, NULL);
}
