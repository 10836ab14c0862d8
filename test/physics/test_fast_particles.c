// Nothing passes a wall: particles at 100 spacings a step against a wall one spacing thick, from
// both sides, against a wall that moves, and inside containers; through the whole step, with one
// substep and with the automatic choice.
#include "math/random.h"
#include "support/tank.h"
#include "world/helpers.h"

#include <stdlib.h>

#define D 0.01 // m
#define DT 0.01
#define FAST (100 * D / DT) // m/s
#define COUNT 10000u
#define STEPS 2

static double draw(uint64_t i, uint64_t purpose, double low, double high) {
    return low + (high - low) * thaw_random_unit(7, i, 0, purpose);
}

static Tank open_world(int dimensions, int substeps) {
    ThawWorldDef def = tank_def(dimensions, D);
    def.gravity = (ThawVec3){0, 0, 0};
    def.solver.substeps = substeps;
    return tank_open(&def, NULL);
}

// particles on one side of the plane x = 0, up to 100 spacings away, flying at it; every 10th
// slantwise
static void shoot(Tank *tank, double side, double speed) {
    double(*x)[3] = calloc(COUNT, sizeof *x);
    float(*v)[3] = calloc(COUNT, sizeof *v);
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i][0] = side * draw(i, 1, 1.01 * D, 100 * D);
        // in 2D spread out further, so that they meet the wall and not each other
        x[i][1] = draw(i, 2, -1, 1) * (tank->dimensions == 2 ? 100 : 1);
        if (tank->dimensions == 3) x[i][2] = draw(i, 3, -1, 1);
        v[i][0] = (float)(-side * speed);
        if (i % 10 == 0) v[i][1] = (float)draw(i, 4, -speed, speed);
    }
    tank_add(tank, COUNT, (const double(*)[3])x, (const float(*)[3])v);
    free(x);
    free(v);
}

// particles whose centres are not on their side of the plane x = place
static uint32_t count_passed(const Tank *tank, double side, double place) {
    uint32_t passed = COUNT - tank->count;
    for (uint32_t i = 0; i < tank->count; i++) {
        if (!(side * (tank->x[i][0] - place) > 0)) passed++;
    }
    return passed;
}

// a wall one spacing thick about x = 0, wide enough for all; `speed` along x
static void add_wall(Tank *tank, double speed) {
    ThawColliderDef def = thaw_collider_default();
    ThawColliderId id;
    ThawKeyframe motion[2] = {{.time = 0, .rotation = {0, 0, 0, 1}},
                              {.time = 1, .move = {speed, 0, 0}, .rotation = {0, 0, 0, 1}}};
    def.shape = tank_box(3, (ThawVec3){-D / 2, -500, -500}, (ThawVec3){D / 2, 500, 500});
    if (speed != 0) {
        def.motion = motion;
        def.motion_count = 2;
    }
    assert_ok(thaw_world_add_collider(tank->world, &def, &id));
}

static uint32_t shoot_at_wall(int dimensions, int substeps, double side, double particle_speed,
                              double wall_speed) {
    Tank tank = open_world(dimensions, substeps);
    add_wall(&tank, wall_speed);
    shoot(&tank, side, particle_speed);
    uint32_t passed = 0;
    double fastest = 0;
    for (int s = 0; s < STEPS; s++) {
        tank_step(&tank, DT);
        passed += count_passed(&tank, side, wall_speed * tank.report.time);
        fastest = fmax(fastest, tank.report.max_speed);
    }
    print_message("%dD side %+.0f, substeps %d (taken %u), particles %.0f and wall %.0f spacings a "
                  "step: %u of %u passed, fastest %.0f m/s\n",
                  dimensions, side, substeps, tank.report.substeps, particle_speed * DT / D,
                  wall_speed * DT / D, passed, tank.count, fastest);
    tank_close(&tank);
    return passed;
}

static void check_sides(int substeps, double particle_speed, double wall_speed) {
    uint32_t passed = 0;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        passed += shoot_at_wall(dimensions, substeps, 1, particle_speed, wall_speed);
        passed += shoot_at_wall(dimensions, substeps, -1, particle_speed, -wall_speed);
    }
    assert_int_equal(passed, 0);
}

static void fast_particles_stop_at_a_thin_wall_in_one_substep(void **state) {
    (void)state;
    check_sides(1, FAST, 0);
}

static void fast_particles_stop_at_a_thin_wall_in_automatic_substeps(void **state) {
    (void)state;
    check_sides(0, FAST, 0);
}

static void fast_wall_takes_resting_particles_along_in_one_substep(void **state) {
    (void)state;
    check_sides(1, 0, FAST);
}

static void fast_wall_takes_resting_particles_along_in_automatic_substeps(void **state) {
    (void)state;
    check_sides(0, 0, FAST);
}

static void fast_particles_stop_at_a_wall_that_meets_them(void **state) {
    (void)state;
    check_sides(1, FAST, FAST / 2);
    check_sides(0, FAST, FAST / 2);
}

// ---------------------------------------------------------------- containers

// particles all over a container, flying in all directions
static void scatter(Tank *tank, const ThawShape *shape, double reach) {
    double(*x)[3] = calloc(COUNT, sizeof *x);
    float(*v)[3] = calloc(COUNT, sizeof *v);
    uint32_t made = 0;
    for (uint32_t i = 0; made < COUNT; i++) {
        double at[3] = {draw(i, 5, -reach, reach), draw(i, 6, -reach, reach), 0};
        double angle = draw(i, 8, 0, 6.2831853), climb = 0;
        if (tank->dimensions == 3) {
            at[2] = draw(i, 7, -reach, reach);
            climb = draw(i, 9, -1, 1);
        }
        if (thaw_shape_distance(shape, (ThawVec3){at[0], at[1], at[2]}) > -D) continue;
        memcpy(x[made], at, sizeof at);
        v[made][0] = (float)(FAST * sqrt(1 - climb * climb) * cos(angle));
        v[made][1] = (float)(FAST * sqrt(1 - climb * climb) * sin(angle));
        v[made][2] = (float)(FAST * climb);
        made++;
    }
    tank_add(tank, COUNT, (const double(*)[3])x, (const float(*)[3])v);
    free(x);
    free(v);
}

static void check_container(int dimensions, int substeps, ThawShape shape, const char *name) {
    Tank tank = open_world(dimensions, substeps);
    tank_contain(&tank, shape, 0.4f);
    scatter(&tank, &shape, 1.5);
    uint32_t out = 0;
    for (int s = 0; s < STEPS; s++) {
        tank_step(&tank, DT);
        out += COUNT - tank.count;
        for (uint32_t i = 0; i < tank.count; i++) {
            const double *x = tank.x[i];
            if (!(thaw_shape_distance(&shape, (ThawVec3){x[0], x[1], x[2]}) <= 0)) out++;
        }
    }
    print_message("%dD %s, substeps %d: %u of %u left\n", dimensions, name, substeps, out,
                  tank.count);
    assert_int_equal(out, 0);
    tank_close(&tank);
}

static void fast_particles_stay_in_containers(void **state) {
    (void)state;
    for (int substeps = 0; substeps <= 1; substeps++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            ThawShape box = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){2, 2, 2});
            check_container(dimensions, substeps, box, "box");
            ThawShape turned = thaw_shape_rotate(box, (ThawVec3){0, 0, 1}, 0.6);
            check_container(dimensions, substeps, turned, "turned box");
            ThawShape ball = thaw_shape_sphere((ThawVec3){0, 0, 0}, 1.2);
            check_container(dimensions, substeps, ball, "ball");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_particles_stop_at_a_thin_wall_in_one_substep),
        cmocka_unit_test(fast_particles_stop_at_a_thin_wall_in_automatic_substeps),
        cmocka_unit_test(fast_wall_takes_resting_particles_along_in_one_substep),
        cmocka_unit_test(fast_wall_takes_resting_particles_along_in_automatic_substeps),
        cmocka_unit_test(fast_particles_stop_at_a_wall_that_meets_them),
        cmocka_unit_test(fast_particles_stay_in_containers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
