// What force fields do to matter: laws with known answers.
#include "world/helpers.h"

#include "math/vec.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static ThawForceDef force_def(ThawForceKind kind) {
    ThawForceDef def = thaw_force_default();
    def.kind = kind;
    return def;
}

static void add_force(ThawWorld *world, const ThawForceDef *def) {
    assert_ok(thaw_world_add_force(world, def, NULL));
}

static ThawWorldDef still_def(void) {
    ThawWorldDef def = small_def(3);
    def.gravity = (ThawVec3){0, 0, 0};
    return def;
}

static ThawParticleId add_particle(ThawWorld *world, ThawVec3 at, ThawVec3 velocity) {
    const double place[1][3] = {{at.x, at.y, at.z}};
    const float speed[1][3] = {{(float)velocity.x, (float)velocity.y, (float)velocity.z}};
    ThawMaterialDef water = thaw_material_default();
    ThawMaterialId material = {1};
    if (thaw_world_count(world) == 0) assert_ok(thaw_world_add_material(world, &water, &material));
    ThawParticlesDef def = {
        .material = material, .count = 1, .positions = place, .velocities = speed};
    ThawParticleId id;
    assert_ok(thaw_world_add_particles(world, &def, &id));
    return id;
}

static ThawVec3 place_of(ThawWorld *world, ThawParticleId id) {
    uint32_t row;
    assert_ok(thaw_world_index(world, id, &row));
    double(*all)[3] = malloc(thaw_world_count(world) * sizeof *all);
    assert_non_null(all);
    thaw_world_positions(world, all);
    ThawVec3 at = {all[row][0], all[row][1], all[row][2]};
    free(all);
    return at;
}

static ThawVec3 velocity_of(ThawWorld *world, ThawParticleId id) {
    uint32_t row;
    assert_ok(thaw_world_index(world, id, &row));
    const float *v = (const float *)view_of(world, "velocity").data + 3 * (size_t)row;
    return (ThawVec3){(double)v[0], (double)v[1], (double)v[2]};
}

// ---------------------------------------------------------------- like gravity

// a pool beside a solid block and a falling ball in a box; `share` of gravity is a force
static ThawWorld *drop_everything(double share) {
    ThawWorldDef def = small_def(3);
    def.spacing = 0.02;
    def.gravity = (ThawVec3){1, 0, -9.81 * (1 - share)};
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){-0.1, 0, 0.06});
    body.shape.size = (ThawVec3){0.2, 0.2, 0.1};
    assert_ok(thaw_world_add_body(world, &body, NULL));
    body.shape = thaw_shape_box((ThawVec3){0.2, 0, 0.15}, (ThawVec3){0.1, 0.1, 0.1});
    body.state = THAW_STATE_SOLID;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawColliderDef wall = thaw_collider_default();
    wall.name = "box";
    wall.container = true;
    wall.shape = thaw_shape_box((ThawVec3){0, 0, 0.5}, (ThawVec3){0.6, 0.3, 1});
    assert_ok(thaw_world_add_collider(world, &wall, NULL));
    wall = thaw_collider_default();
    wall.name = "ball";
    wall.shape = thaw_shape_sphere((ThawVec3){-0.1, 0, 0.3}, 0.06);
    wall.dynamic.on = true;
    wall.dynamic.density = 500;
    assert_ok(thaw_world_add_collider(world, &wall, NULL));
    ThawForceDef force = force_def(THAW_FORCE_DIRECTIONAL);
    force.direction = (ThawVec3){0, 0, -2};
    force.strength = 9.81 * share;
    if (share > 0) add_force(world, &force);
    return world;
}

static void a_force_along_a_direction_is_gravity(void **state) {
    (void)state;
    ThawWorld *gravity = drop_everything(0), *force = drop_everything(1);
    ThawReport one, other;
    for (int k = 0; k < 40; k++) {
        assert_ok(thaw_world_step(gravity, 0.01, &one));
        assert_ok(thaw_world_step(force, 0.01, &other));
        assert_int_equal(one.substeps, other.substeps);
    }
    uint32_t count = thaw_world_count(gravity);
    assert_int_equal(count, thaw_world_count(force));
    assert_memory_equal(view_of(gravity, "cells").data, view_of(force, "cells").data,
                        count * 3 * sizeof(int64_t));
    assert_memory_equal(view_of(gravity, "velocity").data, view_of(force, "velocity").data,
                        count * 3 * sizeof(float));
    ThawColliderState a, b;
    assert_ok(thaw_world_collider_state(gravity, (ThawColliderId){2}, &a));
    assert_ok(thaw_world_collider_state(force, (ThawColliderId){2}, &b));
    assert_memory_equal(&a.center, &b.center, sizeof a.center);
    assert_true(a.center.z < 0.2);
    thaw_world_destroy(gravity);
    thaw_world_destroy(force);
}

// one that is bounded goes the other way, through velocities, and comes to the same
static void a_bounded_force_falls_alike(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    def.solver.substeps = 4;
    ThawWorld *gravity = make_world(&def);
    ThawParticleId a = add_particle(gravity, (ThawVec3){0, 0, 9}, (ThawVec3){1, 0, 2});
    def.gravity = (ThawVec3){0, 0, 0};
    ThawWorld *bounded = make_world(&def);
    ThawParticleId b = add_particle(bounded, (ThawVec3){0, 0, 9}, (ThawVec3){1, 0, 2});
    ThawForceDef force = force_def(THAW_FORCE_DIRECTIONAL);
    force.direction = (ThawVec3){0, 0, -1};
    force.strength = 9.81;
    force.bounded = true;
    force.region = thaw_shape_sphere((ThawVec3){0, 0, 5}, 20);
    add_force(bounded, &force);
    for (int k = 0; k < 100; k++) {
        assert_ok(thaw_world_step(gravity, 0.01, NULL));
        assert_ok(thaw_world_step(bounded, 0.01, NULL));
    }
    double off = thaw_length(thaw_sub(place_of(gravity, a), place_of(bounded, b)));
    double slower = thaw_length(thaw_sub(velocity_of(gravity, a), velocity_of(bounded, b)));
    print_message("apart after 1 s: %.2e m, %.2e m/s\n", off, slower);
    assert_true(off < 1e-5 && slower < 1e-5);
    thaw_world_destroy(gravity);
    thaw_world_destroy(bounded);
}

// ---------------------------------------------------------------- orbits and rings

static void a_particle_orbits_by_keplers_law(void **state) {
    (void)state;
    ThawWorldDef def = still_def();
    ThawWorld *world = make_world(&def);
    ThawForceDef force = force_def(THAW_FORCE_POINT);
    force.falloff = 2;
    force.core = 0.05;
    force.strength = 40; // G M = 0.1
    add_force(world, &force);
    // from the far end of an ellipse: semi-major axis a, eccentricity 0.3
    double pull = 40 * 0.05 * 0.05, far = 0.65, axis = far / 1.3;
    double speed = sqrt(pull * (2 / far - 1 / axis));
    ThawParticleId id = add_particle(world, (ThawVec3){far, 0, 0}, (ThawVec3){0, speed, 0});
    double period = 2 * PI * sqrt(axis * axis * axis / pull), dt = period / 4000, last = 0;
    double nearest = far;
    int half = 0;
    // crossings of the x axis upwards end a turn
    for (int k = 0; k < 9000 && half < 4; k++) {
        double before = place_of(world, id).y;
        assert_ok(thaw_world_step(world, dt, NULL));
        ThawVec3 at = place_of(world, id);
        nearest = fmin(nearest, thaw_length(at));
        if (!((before < 0 && at.y >= 0) || (before > 0 && at.y <= 0))) continue;
        last = thaw_world_time(world) - dt * at.y / (at.y - before);
        half++;
    }
    double off = last / (2 * period) - 1;
    print_message("two orbits take %.5f of two periods; nearest %.4f, wanted %.4f\n", 1 + off,
                  nearest, 0.7 * axis);
    assert_int_equal(half, 4);
    assert_true(fabs(off) < 0.01 && fabs(nearest / (0.7 * axis) - 1) < 0.01);
    thaw_world_destroy(world);
}

static void a_ring_gains_a_vortexs_angular_momentum(void **state) {
    (void)state;
    enum { COUNT = 60 };
    ThawWorldDef def = still_def();
    def.solver.substeps = 1;
    ThawWorld *world = make_world(&def);
    for (int k = 0; k < COUNT; k++) {
        double angle = 2 * PI * k / COUNT;
        add_particle(world, (ThawVec3){cos(angle), sin(angle), 0}, (ThawVec3){0, 0, 0});
    }
    ThawForceDef force = force_def(THAW_FORCE_VORTEX);
    force.strength = 12;
    force.falloff = 1;
    force.core = 0.25; // 3 m/s² at 1 m
    add_force(world, &force);
    ThawReport report;
    double dt = 1e-4, time = 0;
    // torque r a m is constant as long as particles have not moved
    for (int k = 0; k < 50; k++, time += dt) assert_ok(thaw_world_step(world, dt, &report));
    double wanted = report.mass * 3 * time;
    print_message("angular momentum %.6f of %.6f\n", report.angular_momentum.z, wanted);
    assert_true(fabs(report.angular_momentum.z / wanted - 1) < 1e-4);
    assert_true(thaw_length(report.momentum) < 1e-4 * wanted);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- wind

static void wind_drags_along_an_exponential_in_any_cut(void **state) {
    (void)state;
    const int cuts[3] = {1, 5, 60};
    for (int k = 0; k < 3; k++) {
        ThawWorldDef def = still_def();
        def.solver.substeps = cuts[k];
        ThawWorld *world = make_world(&def);
        ThawParticleId id = add_particle(world, (ThawVec3){0, 0, 0}, (ThawVec3){0, 1, 0});
        ThawForceDef force = force_def(THAW_FORCE_WIND);
        force.strength = 5;
        force.direction = (ThawVec3){4, 0, 0};
        force.drag = 2;
        add_force(world, &force);
        for (int n = 1; n <= 5; n++) {
            assert_ok(thaw_world_step(world, 0.25, NULL));
            ThawVec3 v = velocity_of(world, id);
            double left = exp(-2 * 0.25 * n);
            assert_true(fabs(v.x - 5 * (1 - left)) < 5e-6 && fabs(v.y - left) < 5e-6);
        }
        // a drag that takes everything at once overshoots nothing
        force.drag = 1e6;
        assert_ok(thaw_world_set_force(world, (ThawForceId){1}, &force));
        assert_ok(thaw_world_step(world, 0.25, NULL));
        assert_true(velocity_of(world, id).x == 5 && velocity_of(world, id).y == 0);
        thaw_world_destroy(world);
    }
}

static void rain_falls_at_its_terminal_speed(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    def.solver.substeps = 10;
    ThawWorld *world = make_world(&def);
    ThawParticleId id = add_particle(world, (ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 0});
    ThawForceDef force = force_def(THAW_FORCE_WIND);
    force.strength = 2;
    force.direction = (ThawVec3){1, 0, 0};
    force.drag = 4;
    add_force(world, &force);
    for (int n = 0; n < 500; n++) assert_ok(thaw_world_step(world, 0.01, NULL));
    ThawVec3 v = velocity_of(world, id);
    print_message("speeds %.5f of 2 along the wind, %.5f of %.5f down\n", v.x, -v.z, 9.81 / 4);
    // the last of it is less than a float's step
    assert_true(fabs(v.x - 2) < 1e-4);
    // gravity and drag act one after the other: drag dt / 2 less
    assert_true(fabs(-v.z / (9.81 / 4) - 1) < 0.6 * 4 * 0.001);
    thaw_world_destroy(world);
}

static void wind_takes_the_surface_and_spares_the_inside(void **state) {
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        ThawWorldDef def = still_def();
        def.solver.substeps = 1;
        ThawWorld *world = make_world(&def);
        ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0});
        body.shape = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.08);
        body.state = solid ? THAW_STATE_SOLID : THAW_STATE_LIQUID;
        assert_ok(thaw_world_add_body(world, &body, NULL));
        ThawForceDef force = force_def(THAW_FORCE_WIND);
        force.strength = 1;
        force.direction = (ThawVec3){1, 0, 0};
        force.drag = 0.5;
        assert_ok(thaw_world_step(world, 1e-4, NULL));
        add_force(world, &force);
        assert_ok(thaw_world_step(world, 1e-4, NULL));
        uint32_t count = thaw_world_count(world), outer = 0, inner = 0;
        double(*at)[3] = malloc(count * sizeof *at), rim = 0, middle = 0;
        assert_non_null(at);
        thaw_world_positions(world, at);
        const float *v = view_of(world, "velocity").data;
        for (uint32_t k = 0; k < count; k++) {
            double r = sqrt(at[k][0] * at[k][0] + at[k][1] * at[k][1] + at[k][2] * at[k][2]);
            double share = (double)v[3 * k] / (0.5 * 1e-4);
            if (r > 0.073) rim += share, outer++;
            if (r < 0.05) middle += share, inner++;
        }
        print_message("%s: rim %.3f (%u), middle %.3f (%u)\n", solid ? "solid" : "liquid",
                      rim / outer, outer, middle / inner, inner);
        assert_true(outer > 100 && inner > 100);
        assert_true(rim / outer > 0.9 && rim / outer < 1.05);
        assert_true(fabs(middle / inner - 0.1) < 0.03);
        free(at);
        thaw_world_destroy(world);
    }
}

// ---------------------------------------------------------------- what else they move, and what not

static void held_matter_is_not_moved(void **state) {
    (void)state;
    ThawWorldDef def = still_def();
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawAttachmentDef hold = thaw_attachment_default();
    hold.region = thaw_shape_sphere((ThawVec3){0, 0, 0}, 5);
    assert_ok(thaw_world_add_attachment(world, &hold, NULL));
    for (int kind = THAW_FORCE_DIRECTIONAL; kind <= THAW_FORCE_TURBULENCE; kind++) {
        ThawForceDef force = force_def((ThawForceKind)kind);
        force.strength = 20;
        add_force(world, &force);
    }
    uint32_t count = thaw_world_count(world), row;
    double(*before)[3] = malloc(2 * count * sizeof *before), (*after)[3] = before + count;
    uint64_t *id = malloc(count * sizeof *id);
    assert_true(before != NULL && id != NULL);
    assert_ok(thaw_world_step(world, 0.01, NULL));
    thaw_world_positions(world, before);
    memcpy(id, view_of(world, "id").data, count * sizeof *id);
    for (int k = 0; k < 5; k++) assert_ok(thaw_world_step(world, 0.01, NULL));
    thaw_world_positions(world, after);
    for (uint32_t k = 0; k < count; k++) {
        assert_ok(thaw_world_index(world, id[k], &row));
        assert_memory_equal(before[k], after[row], sizeof *before);
    }
    const float *v = view_of(world, "velocity").data;
    for (uint32_t k = 0; k < 3 * count; k++) assert_true(v[k] == 0);
    free(before);
    free(id);
    thaw_world_destroy(world);
}

static void bodies_feel_forces_at_their_centres(void **state) {
    (void)state;
    for (int company = 0; company < 2; company++) {
        ThawWorldDef def = still_def();
        ThawWorld *world = make_world(&def);
        if (company) add_particle(world, (ThawVec3){50, 0, 0}, (ThawVec3){0, 0, 0});
        ThawColliderDef ball = thaw_collider_default();
        ball.name = "ball";
        ball.shape = thaw_shape_sphere((ThawVec3){1, 0, 0}, 0.1);
        ball.dynamic.on = true;
        ball.dynamic.density = 700;
        ThawColliderId id;
        assert_ok(thaw_world_add_collider(world, &ball, &id));
        ThawForceDef force = force_def(THAW_FORCE_VORTEX);
        force.strength = 3;
        add_force(world, &force);
        force = force_def(THAW_FORCE_WIND);
        force.strength = 2;
        force.drag = 5;
        add_force(world, &force);
        for (int k = 0; k < 10; k++) assert_ok(thaw_world_step(world, 0.01, NULL));
        ThawColliderState now;
        assert_ok(thaw_world_collider_state(world, id, &now));
        print_message("body: (%.4f %.4f %.4f) m/s\n", now.velocity.x, now.velocity.y,
                      now.velocity.z);
        // up 2 (1 − e^−0.5), round 3/5 (1 − e^−0.5)
        double taken = 1 - exp(-0.5);
        assert_true(fabs(now.velocity.z - 2 * taken) < 1e-6);
        assert_true(fabs(now.velocity.y / (0.6 * taken) - 1) < 0.03);
        thaw_world_destroy(world);
    }
}

static void strong_forces_ask_for_more_substeps(void **state) {
    (void)state;
    uint32_t last = 0;
    for (int k = 0; k < 3; k++) {
        ThawWorldDef def = still_def();
        ThawWorld *world = make_world(&def);
        ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0});
        assert_ok(thaw_world_add_body(world, &body, NULL));
        ThawForceDef force = force_def(THAW_FORCE_POINT);
        force.strength = 4 * pow(20, k);
        force.position = (ThawVec3){0, 0, 1};
        add_force(world, &force);
        ThawReport report;
        assert_ok(thaw_world_step(world, 0.02, &report));
        print_message("%g m/s²: %u substeps\n", force.strength, report.substeps_wanted);
        // a particle falls 0.8 spacings in a substep at most
        double fall = force.strength * 0.02 * 0.02 / report.substeps_wanted;
        assert_true(fall <= 0.8 * 0.01 && report.substeps_wanted > last);
        last = report.substeps_wanted;
        thaw_world_destroy(world);
    }
}

static void trouble_takes_forces_back(void **state) {
    (void)state;
    ThawWorldDef def = still_def();
    ThawWorld *world = make_world(&def);
    ThawParticleId good = add_particle(world, (ThawVec3){0, 0, 0}, (ThawVec3){0.5, 0, 0});
    ThawParticleId bad = add_particle(world, (ThawVec3){1, 0, 0}, (ThawVec3){0, 0, 0});
    ThawForceDef force = force_def(THAW_FORCE_POINT);
    force.strength = 30;
    force.position = (ThawVec3){0, 0, 4};
    add_force(world, &force);
    void *velocity;
    uint32_t row;
    assert_ok(thaw_world_index(world, bad, &row));
    assert_ok(thaw_world_edit(world, "velocity", &velocity));
    ((float *)velocity)[3 * row] = NAN;
    assert_int_equal(thaw_world_step(world, 0.01, NULL), THAW_TROUBLE);
    ThawVec3 v = velocity_of(world, good);
    assert_true(thaw_length(thaw_sub(v, (ThawVec3){0.5, 0, 0})) < 1e-6);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_along_a_direction_is_gravity),
        cmocka_unit_test(a_bounded_force_falls_alike),
        cmocka_unit_test(a_particle_orbits_by_keplers_law),
        cmocka_unit_test(a_ring_gains_a_vortexs_angular_momentum),
        cmocka_unit_test(wind_drags_along_an_exponential_in_any_cut),
        cmocka_unit_test(rain_falls_at_its_terminal_speed),
        cmocka_unit_test(wind_takes_the_surface_and_spares_the_inside),
        cmocka_unit_test(held_matter_is_not_moved),
        cmocka_unit_test(bodies_feel_forces_at_their_centres),
        cmocka_unit_test(strong_forces_ask_for_more_substeps),
        cmocka_unit_test(trouble_takes_forces_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
