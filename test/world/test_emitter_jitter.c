// Jitter of emitters: what comes out is disordered, but at rest and no faster than it was asked to be, in as
// many substeps as there may be, out of every shape and beside matter of other sizes.
#include "emitting.h"

#include "math/kernel.h"
#include "math/lattice.h"

#include <stdlib.h>

#define FRAME (1.0 / 24)

typedef struct Flight {
    double speed, error; // the most there was, m/s and of the density
    double energy;       // J a kilogram, at the end
    double drift[3];     // m/s, mean velocity at the end
    ThawEmitterState state;
} Flight;

static void look_at(ThawWorld *world, Flight *flight) {
    const float *v = view_of(world, "velocity").data;
    uint32_t count = thaw_world_count(world);
    assert_true(count > 0);
    for (uint32_t k = 0; k < count; k++) {
        for (int a = 0; a < 3; a++) {
            double one = (double)v[3 * k + (uint32_t)a];
            flight->drift[a] += one / count;
            flight->energy += 0.5 * one * one / count;
        }
    }
}

// one emitter in empty space without gravity
static Flight fly(int dimensions, const ThawEmitterDef *def, int substeps, int frames) {
    ThawWorldDef world_def = small_def(dimensions);
    world_def.gravity = (ThawVec3){0, 0, 0};
    world_def.solver.substeps = substeps;
    ThawWorld *world = make_world(&world_def);
    ThawEmitterDef own = *def;
    own.material = add_water(world);
    ThawEmitterId id = add_emitter(world, &own);
    Flight flight = {0};
    for (int k = 0; k < frames; k++) {
        ThawReport report = step(world, FRAME);
        flight.speed = fmax(flight.speed, report.max_speed);
        flight.error = fmax(flight.error, report.max_density_error);
    }
    look_at(world, &flight);
    flight.state = state_of(world, id);
    thaw_world_destroy(world);
    return flight;
}

// ---------------------------------------------------------------- openings

static const double jitters[] = {0.1, 0.2, 0.37, 0.5};
#define JITTERS (sizeof jitters / sizeof *jitters)

static void check_column(int dimensions, double jitter, int substeps) {
    ThawEmitterDef def = disc_def((ThawMaterialId){1}, 0.04, substeps > 0 ? 0.236 : 0.5);
    // long enough for all substeps to let go of many layers
    int frames = substeps >= 64 ? 6 : 10;
    Flight even = fly(dimensions, &def, substeps, frames);
    def.jitter = jitter;
    Flight flight = fly(dimensions, &def, substeps, frames);
    double born = 0.5 * def.speed * def.speed;
    bool good = flight.speed <= 1.01 * def.speed && flight.error <= 0.001 &&
                fabs(flight.energy / born - 1) < 0.001 &&
                fabs(flight.drift[dimensions - 1] / def.speed - 1) < 0.001;
    if (!good) {
        fail_msg("%dD, jitter %g, %d substeps: %.3f of the speed, %.3f of the energy, %.3f of the "
                 "momentum, density off by %g",
                 dimensions, jitter, substeps, flight.speed / def.speed, flight.energy / born,
                 flight.drift[dimensions - 1] / def.speed, flight.error);
    }
    // jitter changes no rate
    assert_int_equal(flight.state.born, even.state.born);
    assert_int_equal(flight.state.blocked, even.state.blocked);
}

static void jittered_columns_fly_on_as_they_left_in_any_substeps(void **state) {
    (void)state;
    static const int substeps[] = {0, 4, 16, 64, 256};
    for (size_t k = 0; k < JITTERS; k++) {
        for (size_t n = 0; n < sizeof substeps / sizeof *substeps; n++) {
            for (int dimensions = 2; dimensions <= 3; dimensions++) {
                check_column(dimensions, jitters[k], substeps[n]);
            }
        }
    }
}

// beside the column's own rim, in a floor, jitter is felt no more than the lattice
static Flight well_up(double jitter) {
    ThawWorld *world = small_world(3);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.3}, (ThawVec3){0.2, 0.2, 0.6});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0.05});
    body.shape = thaw_shape_box((ThawVec3){0, 0, 0.05}, (ThawVec3){0.2, 0.2, 0.1});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    for (int k = 0; k < 12; k++) step(world, FRAME);
    ThawEmitterDef def = disc_def(body.material, 0.04, 0.5);
    def.jitter = jitter;
    ThawEmitterId id = add_emitter(world, &def);
    Flight flight = {0};
    for (int k = 0; k < 12; k++) {
        ThawReport report = step(world, FRAME);
        flight.speed = fmax(flight.speed, report.max_speed);
        flight.error = fmax(flight.error, report.max_density_error);
    }
    flight.state = state_of(world, id);
    thaw_world_destroy(world);
    return flight;
}

static void jittered_columns_well_up_through_a_floor_like_even_ones(void **state) {
    (void)state;
    Flight even = well_up(0), shaken = well_up(0.5);
    print_message("through a floor at 0.5 m/s: %.2f m/s and density off by %.3f, with jitter %.2f "
                  "and %.3f\n",
                  even.speed, even.error, shaken.speed, shaken.error);
    assert_int_equal(even.state.born, shaken.state.born);
    assert_true(shaken.speed < 1.3 * even.speed && shaken.error < 1.5 * even.error);
}

static void jitter_stays_as_it_was_given(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 0.5);
    def.jitter = 0.3;
    ThawEmitterId id = add_emitter(world, &def);
    step(world, FRAME);
    def.jitter = 0;
    assert_ok(thaw_world_set_emitter(world, id, &def));
    for (int k = 0; k < 6; k++) assert_true(step(world, FRAME).max_density_error < 0.001);
    assert_true(thaw_world_emitter(world, id)->def.jitter == 0.3);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- the piece that repeats

// the largest kernel sum over that of the lattice, each with each
static double densest(int dimensions, double (*at)[3], uint32_t count) {
    double rest = thaw_rest_state(THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT, dimensions, 2).sum;
    double most = 0;
    for (uint32_t a = 0; a < count; a++) {
        double sum = 0;
        for (uint32_t b = 0; b < count; b++) {
            double x = at[a][0] - at[b][0], y = at[a][1] - at[b][1], z = at[a][2] - at[b][2];
            double r = sqrt(x * x + y * y + z * z) / 0.01;
            sum += thaw_kernel_value(THAW_KERNEL_DEFAULT, dimensions, r, 2);
        }
        most = fmax(most, sum / rest);
    }
    return most;
}

// rms of the offsets along an axis; none is beyond the jitter
static double measure_offsets(const ThawJitter *jitter, int dimensions, double most) {
    uint32_t slots = jitter->slots[0] * jitter->slots[1] * jitter->slots[2], sites = 0;
    double sum = 0;
    for (uint32_t k = 0; k < slots; k++) {
        const double *offset = jitter->offsets[k];
        for (int a = 0; a < dimensions; a++) {
            assert_true(fabs(offset[a]) <= most);
            sum += offset[a] * offset[a] / dimensions;
        }
        sites += offset[0] != 0;
    }
    return sqrt(sum / sites);
}

static void check_places(int dimensions, double jitter) {
    ThawWorld *world = still_world(dimensions);
    ThawEmitterDef def = thaw_emitter_default();
    def.material = add_water(world);
    def.kind = THAW_EMITTER_VOLUME;
    // wider than a piece, so that its seams are seen, and askew
    def.shape = thaw_shape_box((ThawVec3){0, 0, 0}, dimensions == 2 ? (ThawVec3){0.5, 0.3, 1}
                                                                    : (ThawVec3){0.18, 0.16, 0.15});
    def.shape.pose.rotation = (ThawQuat){0, 0, 0.6, 0.8};
    def.jitter = jitter;
    ThawEmitterId id = add_emitter(world, &def);
    step(world, 1e-6);
    uint32_t count = thaw_world_count(world);
    double(*at)[3] = malloc(count * sizeof *at);
    assert_non_null(at);
    thaw_world_positions(world, at);
    double density = densest(dimensions, at, count);
    double share = state_of(world, id).volume / thaw_shape_volume(&def.shape, dimensions);
    const ThawJitter *offsets = &thaw_world_emitter(world, id)->jitter;
    double rms = measure_offsets(offsets, dimensions, jitter);
    print_message("%dD, jitter %.2f: offsets of %.3f along an axis, nearest %.2f d, densest %.4f, "
                  "%.3f of the volume\n",
                  dimensions, jitter, rms, offsets->nearest, density, share);
    // those drawn evenly have 0.58 of the jitter
    assert_true(rms > 0.33 * jitter && density < 1.0005 && fabs(share - 1) < 0.05);
    free(at);
    thaw_world_destroy(world);
}

static void jittered_lattices_are_disordered_and_nowhere_denser_than_at_rest(void **state) {
    (void)state;
    for (size_t k = 0; k < JITTERS; k++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++)
            check_places(dimensions, jitters[k]);
    }
}

// in the plane a pair that is caught between others must be helped out; next to no jitter has next to no room
static void offsets_come_to_rest_whatever_is_drawn(void **state) {
    (void)state;
    static const double cases[] = {1e-300, 1e-12, 1e-9, 1e-4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    for (uint32_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int dimensions = 2; dimensions <= (k < 5 ? 3 : 2); dimensions++) {
            ThawWorldDef world_def = small_def(dimensions);
            world_def.seed = k;
            ThawWorld *world = make_world(&world_def);
            ThawEmitterDef def = disc_def(add_water(world), 0.04, 1);
            def.jitter = cases[k];
            ThawEmitterId id = add_emitter(world, &def);
            step(world, 0.01);
            const ThawJitter *jitter = &thaw_world_emitter(world, id)->jitter;
            double rms = measure_offsets(jitter, dimensions, cases[k]);
            if (cases[k] > 1e-9 && !(rms > 0.3 * cases[k])) {
                fail_msg("%dD, jitter %g: offsets of %g", dimensions, cases[k], rms);
            }
            thaw_world_destroy(world);
        }
    }
}

// ---------------------------------------------------------------- volumes

static void check_volume(int dimensions, bool round, double jitter, int substeps) {
    ThawEmitterDef def = thaw_emitter_default();
    def.kind = THAW_EMITTER_VOLUME;
    def.shape = round ? thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.05)
                      : thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.08, 0.08, 0.08});
    if (dimensions == 2)
        def.velocity.y = 0.3;
    else
        def.velocity.z = 0.3;
    def.jitter = jitter;
    Flight flight = fly(dimensions, &def, substeps, substeps >= 64 ? 4 : 8);
    double born = 0.5 * 0.3 * 0.3;
    if (!(flight.speed < 1.15 * 0.3 && flight.error < 0.005 && flight.energy < 1.001 * born &&
          flight.energy > 0.97 * born)) {
        fail_msg("%dD %s, jitter %g, %d substeps: %.3f of the speed, %.4f of the energy, density "
                 "off by %g",
                 dimensions, round ? "ball" : "box", jitter, substeps, flight.speed / 0.3,
                 flight.energy / born, flight.error);
    }
}

static void volumes_give_no_more_speed_than_asked_in_any_substeps(void **state) {
    (void)state;
    static const int substeps[] = {0, 4, 64, 256};
    for (int k = 0; k < 24; k++) {
        int dimensions = 2 + k % 2;
        check_volume(dimensions, (k / 2 + k / 8) % 2 != 0, 0.25 * (k / 8), substeps[k / 2 % 4]);
    }
}

// ---------------------------------------------------------------- all at once

static void add_ring(ThawWorld *world, ThawMaterialId water, double share) {
    static const float spacings[3] = {0.01f, 0.0125f, 0.016f};
    for (int k = 0; k < 6; k++) {
        double angle = k * PI / 3, x = cos(angle), y = sin(angle);
        ThawVec3 place = {0.15 * x, 0.15 * y, 0.2};
        ThawEmitterDef def = disc_def(water, 0.043, 0.7 + 0.13 * k);
        def.jitter = share * (0.1 + 0.08 * k);
        def.spacing = spacings[k % 3];
        // upwards and to the middle
        def.pose = (ThawPose){place, {0.38 * y, -0.38 * x, 0, 0.925}};
        if (k % 3 == 1) {
            def.kind = THAW_EMITTER_RECTANGLE;
            def.width = 0.07, def.height = 0.05;
            def.speed = 0.6;
            def.rate = 0.0017 + 0.0003 * k;
        } else if (k % 3 == 2) {
            def.kind = THAW_EMITTER_VOLUME;
            def.shape = k == 2 ? thaw_shape_box(place, (ThawVec3){0.07, 0.06, 0.05})
                               : thaw_shape_sphere(place, 0.035);
            def.velocity = (ThawVec3){-0.5 * x, -0.5 * y, 0.3};
            def.rate = k == 2 ? 0.00037 : 0;
        }
        add_emitter(world, &def);
    }
}

// the most speed of six streams that meet
static Flight meet(double share) {
    ThawWorld *world = still_world(3);
    add_ring(world, add_water(world), share);
    Flight flight = {0};
    for (int k = 0; k < 10; k++) {
        ThawReport report = step(world, FRAME);
        flight.speed = fmax(flight.speed, report.max_speed);
        flight.error = fmax(flight.error, report.max_density_error);
    }
    look_at(world, &flight);
    thaw_world_destroy(world);
    return flight;
}

static void streams_of_several_sizes_meet_as_gently_with_jitter(void **state) {
    (void)state;
    Flight even = meet(0), shaken = meet(1);
    print_message("six streams: %.2f m/s, %.4f J/kg, density off by %.3f; with jitter %.2f m/s, "
                  "%.4f J/kg, %.3f\n",
                  even.speed, even.energy, even.error, shaken.speed, shaken.energy, shaken.error);
    assert_true(shaken.speed < 1.3 * even.speed);
    assert_true(fabs(shaken.energy / even.energy - 1) < 0.05);
    assert_true(shaken.error < 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jittered_columns_fly_on_as_they_left_in_any_substeps),
        cmocka_unit_test(jittered_columns_well_up_through_a_floor_like_even_ones),
        cmocka_unit_test(jitter_stays_as_it_was_given),
        cmocka_unit_test(jittered_lattices_are_disordered_and_nowhere_denser_than_at_rest),
        cmocka_unit_test(offsets_come_to_rest_whatever_is_drawn),
        cmocka_unit_test(volumes_give_no_more_speed_than_asked_in_any_substeps),
        cmocka_unit_test(streams_of_several_sizes_meet_as_gently_with_jitter),
    };
    return cmocka_run_group_tests_name("emitter jitter", tests, NULL, NULL);
}
