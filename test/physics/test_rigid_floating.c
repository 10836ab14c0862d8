// Boxes in a pool: they float and sink by their density, come to rest, and stay tight.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/rigid.h"

#define DT (1.0 / 120.0)

typedef struct Pool {
    int dimensions;
    double spacing, width, depth, side; // m
    double density;                     // of the box
    double seconds;
} Pool;

typedef struct Outcome {
    double share;     // of the box below the level, mean over the last third
    double speed;     // m/s, of the box, the same
    double bottom;    // m, of the box in the end
    double clearance; // spacings, the least of all steps
    double highest;   // energy, share of the start's
    double calm;      // m/s, rms of the particles in the end
} Outcome;

static Outcome run(const Pool *pool) {
    ThawWorldDef def = rigid_def(pool->dimensions, pool->spacing);
    RigidRig rig = rigid_open(&def);
    rigid_tank(&rig, pool->width, 0.1f);
    rigid_pool(&rig, pool->width, pool->depth);
    double height = pool->depth + 0.5 * pool->side + pool->spacing;
    ThawColliderDef body = rigid_body(rigid_box(&rig, height, pool->side), pool->density);
    body.friction = 0.1f;
    int k = rigid_add(&rig, &body), steps = (int)(pool->seconds / DT), counted = 0;
    Outcome outcome = {.clearance = INFINITY};
    double first = 0;
    for (int step = 0; step < steps; step++) {
        rigid_step(&rig, DT);
        if (step == 0) first = rigid_energy(&rig);
        outcome.highest = fmax(outcome.highest, rigid_energy(&rig) / first);
        outcome.clearance = fmin(outcome.clearance, rigid_clearance(&rig));
        if (3 * step < 2 * steps) continue;
        outcome.share += rigid_wet_share(&rig, k, pool->width, pool->side);
        outcome.speed += rigid_speed(&rig, k);
        counted++;
    }
    outcome.share /= counted;
    outcome.speed /= counted;
    outcome.bottom = rigid_height(&rig, k) - 0.5 * pool->side;
    outcome.calm = sqrt(2 * rig.report.kinetic / rig.report.mass);
    print_message("density %g: share %.4f speed %.4f bottom %.4f clearance %.3f energy %.4f "
                  "calm %.4f\n",
                  pool->density, outcome.share, outcome.speed, outcome.bottom, outcome.clearance,
                  outcome.highest, outcome.calm);
    rigid_close(&rig);
    return outcome;
}

static const Pool flat = {2, 0.01, 0.5, 0.2, 0.16, 500, 3};

static void check_tight(const Outcome *outcome) {
    // centres keep a tenth of a spacing
    assert_true(outcome->clearance > 0.0999);
    assert_true(outcome->highest < 1.0001);
}

static void a_box_of_half_the_density_floats_half_under(void **state) {
    (void)state;
    Outcome outcome = run(&flat);
    check_tight(&outcome);
    assert_true(fabs(outcome.share - 0.5) < 0.025);
    assert_true(outcome.speed < 0.05);
}

static void a_box_of_half_the_density_floats_half_under_in_3D(void **state) {
    (void)state;
    // eight spacings wide: what the liquid's surface is sharp to, a fifth of a spacing, is a fortieth of it
    Outcome outcome = run(&(Pool){3, 0.02, 0.4, 0.2, 0.16, 500, 1.2});
    check_tight(&outcome);
    assert_true(fabs(outcome.share - 0.5) < 0.05);
}

static void a_box_of_a_tenth_of_the_density_rides_high(void **state) {
    (void)state;
    Pool pool = flat;
    pool.density = 100;
    Outcome outcome = run(&pool);
    check_tight(&outcome);
    assert_true(fabs(outcome.share - 0.1) < 0.025);
    assert_true(outcome.speed < 0.03);
}

static void a_box_of_twice_the_density_sinks_and_rests(void **state) {
    (void)state;
    Pool pool = flat;
    pool.side = 0.12;
    pool.density = 2000;
    Outcome outcome = run(&pool);
    check_tight(&outcome);
    // one layer of particles may be caught below it
    assert_true(outcome.bottom > -1e-4 && outcome.bottom < 1.0 * pool.spacing);
    assert_true(outcome.speed < 0.01);
    assert_true(outcome.calm < 0.03);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_half_the_density_floats_half_under),
        cmocka_unit_test(a_box_of_half_the_density_floats_half_under_in_3D),
        cmocka_unit_test(a_box_of_a_tenth_of_the_density_rides_high),
        cmocka_unit_test(a_box_of_twice_the_density_sinks_and_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
