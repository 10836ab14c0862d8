// Emitters: how much they make, where, when, and under which ids. What the liquid then does is in
// physics/test_fountain.c.
#include "helpers.h"

#include "base/memory.h"
#include "math/lattice.h"
#include "support/forms.h"
#include "world/codec.h"
#include "world/world.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

// bytes between those that are damaged in turn: making a world costs about 2 ms, many times that under a sanitizer
#ifdef THAW_TEST_SANITIZED
#define STRIDE 23
#else
#define STRIDE 5
#endif

// a world without gravity: what leaves an opening flies on as it left
static ThawWorld *still_world(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    def.gravity = (ThawVec3){0, 0, 0};
    return make_world(&def);
}

static ThawEmitterDef disc_def(ThawMaterialId material, double radius, double speed) {
    ThawEmitterDef def = thaw_emitter_default();
    def.material = material;
    def.radius = radius;
    def.speed = speed;
    return def;
}

static ThawEmitterId add_emitter(ThawWorld *world, const ThawEmitterDef *def) {
    ThawEmitterId id = {0};
    assert_ok(thaw_world_add_emitter(world, def, &id));
    assert_true(id.value > 0);
    return id;
}

static ThawEmitterState state_of(const ThawWorld *world, ThawEmitterId id) {
    ThawEmitterState state;
    assert_ok(thaw_world_emitter_state(world, id, &state));
    return state;
}

static ThawReport step(ThawWorld *world, double dt) {
    ThawReport report;
    assert_ok(thaw_world_step(world, dt, &report));
    return report;
}

static double layer_of(int dimensions, double spacing) {
    return thaw_lattice_distance(dimensions, spacing) * sqrt(dimensions == 3 ? 2.0 / 3 : 0.75);
}

// ---------------------------------------------------------------- how much

static void check_rate(int dimensions, const ThawEmitterDef *def, double rate, double area,
                       double dt) {
    ThawWorld *world = still_world(dimensions);
    ThawEmitterDef own = *def;
    own.material = add_water(world);
    ThawEmitterId id = add_emitter(world, &own);
    double layer = area * layer_of(dimensions, world->def.spacing);
    for (int k = 0; k < 8; k++) {
        step(world, dt);
        double off = state_of(world, id).volume - rate * thaw_world_time(world);
        // half a layer on either side, and one particle
        if (!(fabs(off) <= 0.5 * layer + pow(world->def.spacing, dimensions) + 1e-9)) {
            fail_msg("%dD, dt %g: off by %g layers at %g s", dimensions, dt, off / layer,
                     thaw_world_time(world));
        }
    }
    assert_true(state_of(world, id).born == thaw_world_count(world));
    thaw_world_destroy(world);
}

static void volume_is_rate_times_time(void **state) {
    (void)state;
    static const double steps[3] = {1.0 / 24, 1.0 / 101, 0.0007};
    for (int k = 0; k < 3; k++) {
        ThawEmitterDef def = disc_def((ThawMaterialId){1}, 0.043, 2.5);
        double area = PI * 0.043 * 0.043;
        check_rate(3, &def, 2.5 * area, area, steps[k]);
        check_rate(2, &def, 2.5 * 0.086, 0.086, steps[k]);
        def.kind = THAW_EMITTER_RECTANGLE;
        def.width = 0.07, def.height = 0.031;
        check_rate(3, &def, 2.5 * 0.07 * 0.031, 0.07 * 0.031, steps[k]);
        check_rate(2, &def, 2.5 * 0.07, 0.07, steps[k]);
        // an opening smaller than a particle lets one through now and then
        def = disc_def((ThawMaterialId){1}, 0.003, 2.5);
        area = PI * 0.003 * 0.003;
        check_rate(3, &def, 2.5 * area, area, steps[k]);
    }
}

static void a_rate_alone_sets_the_speed(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.04, 0);
    double area = PI * 0.04 * 0.04;
    def.rate = 1.75 * area;
    ThawEmitterId id = add_emitter(world, &def);
    ThawReport report = step(world, 0.1);
    assert_true(fabs(report.max_speed - 1.75) < 1e-5);
    assert_true(fabs(state_of(world, id).volume - 0.1 * def.rate) < area * 0.005 + 1e-6);
    thaw_world_destroy(world);
}

static void a_rate_with_a_speed_fills_a_share_of_the_sites(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.05, 2);
    double full = 2 * PI * 0.05 * 0.05;
    def.rate = 0.3 * full;
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 10; k++) {
        ThawReport report = step(world, 0.02);
        assert_true(fabs(report.max_speed - 2) < 0.02);
        double off = state_of(world, id).volume - def.rate * thaw_world_time(world);
        assert_true(fabs(off) < 0.5 * 0.3 * PI * 0.05 * 0.05 * 0.0092 + 1e-6);
    }
    // more than full is full
    def.rate = 3 * full;
    double before = state_of(world, id).volume, time = thaw_world_time(world);
    assert_ok(thaw_world_set_emitter(world, id, &def));
    for (int k = 0; k < 5; k++) step(world, 0.02);
    double made = state_of(world, id).volume - before;
    assert_true(fabs(made / (full * (thaw_world_time(world) - time)) - 1) < 0.1);
    thaw_world_destroy(world);
}

static void births_last_from_from_to_to(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.04, 1.5);
    def.from = 0.0311;
    def.to = 0.1777;
    ThawEmitterId id = add_emitter(world, &def);
    assert_int_equal(step(world, 0.03).born, 0);
    assert_true(thaw_world_time(world) == 0.03);
    for (int k = 0; k < 10; k++) step(world, 0.03);
    double area = PI * 0.04 * 0.04, volume = area * 1.5 * (def.to - def.from);
    assert_true(fabs(state_of(world, id).volume - volume) <= 0.5 * area * 0.0092 + 1e-6);
    assert_int_equal(step(world, 0.03).born, 0);
    // all of it has left the opening
    assert_int_equal(thaw_world_emitter(world, id)->site_count, 0);
    thaw_world_destroy(world);
}

static void a_total_ends_births(void **state) {
    (void)state;
    ThawWorld *world = still_world(2);
    ThawEmitterDef def = disc_def(add_water(world), 0.1, 2);
    def.total = 333;
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 20; k++) step(world, 0.02);
    assert_int_equal(state_of(world, id).born, 333);
    assert_int_equal(thaw_world_count(world), 333);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- where

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// least and largest step between layers along an axis, and their number
static uint32_t measure_layers(const ThawWorld *world, int axis, double *least, double *most) {
    uint32_t count = thaw_world_count(world), layers = 1;
    double(*at)[3] = malloc(count * sizeof *at), *along = malloc(count * sizeof *along);
    assert_true(at != NULL && along != NULL);
    thaw_world_positions(world, at);
    for (uint32_t k = 0; k < count; k++) along[k] = at[k][axis];
    qsort(along, count, sizeof *along, compare_doubles);
    *least = 1e9, *most = 0;
    double last = along[0];
    for (uint32_t k = 1; k < count; k++) {
        if (along[k] - last < 1e-4) continue;
        *least = fmin(*least, along[k] - last);
        *most = fmax(*most, along[k] - last);
        last = along[k];
        layers++;
    }
    free(at);
    free(along);
    return layers;
}

static void check_layers(int dimensions, double dt, int substeps) {
    ThawWorldDef world_def = small_def(dimensions);
    world_def.gravity = (ThawVec3){0, 0, 0};
    world_def.solver.substeps = substeps;
    ThawWorld *world = make_world(&world_def);
    ThawEmitterDef def = disc_def(add_water(world), 0.04, 3);
    add_emitter(world, &def);
    while (thaw_world_time(world) < 0.125) step(world, dt);
    double least, most, layer = layer_of(dimensions, 0.01);
    uint32_t layers = measure_layers(world, dimensions - 1, &least, &most);
    assert_true(fabs(layers - 3 * thaw_world_time(world) / layer) < 1.01);
    if (!(least > layer * (1 - 1e-4) && most < layer * (1 + 1e-4))) {
        fail_msg("%dD, dt %g: layers are %g to %g of their distance apart", dimensions, dt,
                 least / layer, most / layer);
    }
    thaw_world_destroy(world);
}

static void layers_are_equidistant_at_any_substep(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        check_layers(dimensions, 1.0 / 24, 0);
        check_layers(dimensions, 1.0 / 24, 5); // longer moves than a layer
        check_layers(dimensions, 1.0 / 60, 0);
        check_layers(dimensions, 1.0 / 977, 0);
    }
}

// in a layer and between layers sites are the close packing's
static void columns_are_perfect_lattices(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = still_world(dimensions);
        ThawEmitterDef def = disc_def(add_water(world), 0.06, 1);
        add_emitter(world, &def);
        for (int k = 0; k < 10; k++) step(world, 0.01);
        uint32_t count = thaw_world_count(world), inner = 0;
        double(*at)[3] = malloc(count * sizeof *at), D = thaw_lattice_distance(dimensions, 0.01);
        assert_non_null(at);
        thaw_world_positions(world, at);
        int axis = dimensions - 1;
        for (uint32_t i = 0; i < count; i++) {
            double side = dimensions == 3 ? hypot(at[i][0], at[i][1]) : fabs(at[i][0]);
            if (side > 0.04 || at[i][axis] < 0.02 || at[i][axis] > 0.07) continue;
            uint32_t near = 0;
            for (uint32_t j = 0; j < count; j++) {
                double r2 = 0;
                for (int a = 0; a < 3; a++) r2 += (at[i][a] - at[j][a]) * (at[i][a] - at[j][a]);
                if (i == j) continue;
                assert_true(sqrt(r2) > D * (1 - 1e-4));
                near += sqrt(r2) < D * (1 + 1e-4);
            }
            assert_int_equal(near, dimensions == 3 ? 12 : 6);
            inner++;
        }
        assert_true(inner > 10);
        free(at);
        thaw_world_destroy(world);
    }
}

static void openings_are_turned_by_their_pose(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = still_world(dimensions);
        ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
        def.pose.position = (ThawVec3){0.5, -0.25, dimensions == 3 ? 2 : 0};
        // local y to −x in 2D, local z to x in 3D
        double half = sqrt(0.5);
        def.pose.rotation =
            dimensions == 2 ? (ThawQuat){0, 0, half, half} : (ThawQuat){0, half, 0, half};
        add_emitter(world, &def);
        for (int k = 0; k < 10; k++) step(world, 0.01);
        double sign = dimensions == 2 ? -1 : 1;
        double(*at)[3] = malloc(thaw_world_count(world) * sizeof *at);
        assert_non_null(at);
        thaw_world_positions(world, at);
        for (uint32_t k = 0; k < thaw_world_count(world); k++) {
            double along = sign * (at[k][0] - 0.5);
            double side = hypot(at[k][1] + 0.25, dimensions == 3 ? at[k][2] - 2 : at[k][2]);
            assert_true(along > -0.0126 && along < 0.1 && side < 0.036);
        }
        free(at);
        thaw_world_destroy(world);
    }
}

static void jitter_moves_by_no_more_than_asked(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *worlds[2];
        for (int k = 0; k < 2; k++) {
            worlds[k] = still_world(dimensions);
            ThawEmitterDef def = disc_def(add_water(worlds[k]), 0.05, 1);
            def.jitter = k == 0 ? 0 : 0.2;
            add_emitter(worlds[k], &def);
            step(worlds[k], 0.02); // all of it is still held
        }
        assert_int_equal(thaw_world_count(worlds[0]), thaw_world_count(worlds[1]));
        double mean = 0;
        for (uint64_t n = 1; n <= thaw_world_count(worlds[0]); n++) {
            uint32_t rows[2];
            for (int k = 0; k < 2; k++) {
                ThawParticleId id = (uint64_t)1 << 40 | n;
                assert_ok(thaw_world_index(worlds[k], id, &rows[k]));
            }
            for (int a = 0; a < 3; a++) {
                int64_t x = worlds[0]->store->cells[3 * (size_t)rows[0] + (size_t)a];
                int64_t y = worlds[1]->store->cells[3 * (size_t)rows[1] + (size_t)a];
                double off = thaw_fixed_cells(y - x) * worlds[0]->domain.cell;
                if (a == 2 && dimensions == 2) assert_true(off == 0);
                assert_true(fabs(off) <= 0.2 * 0.01 + 1e-8);
                mean += fabs(off);
            }
        }
        assert_true(mean / thaw_world_count(worlds[0]) > 0.0015);
        for (int k = 0; k < 2; k++) thaw_world_destroy(worlds[k]);
    }
}

static void moving_openings_take_their_matter_along(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    ThawEmitterId id = add_emitter(world, &def);
    // 0.5 m/s sideways, told once a step
    for (int k = 1; k <= 20; k++) {
        def.pose.position.x = 0.005 * k;
        assert_ok(thaw_world_set_emitter(world, id, &def));
        step(world, 0.01);
    }
    ThawView velocity = view_of(world, "velocity");
    const float *v = velocity.data;
    uint32_t count = thaw_world_count(world);
    assert_true(count > 300);
    for (uint32_t k = 0; k < count; k++) {
        assert_true(fabs((double)v[3 * k] - 0.5) < 0.01);
        assert_true(fabs((double)v[3 * k + 2] - 1) < 0.01);
    }
    thaw_world_destroy(world);
}

static void velocities_add_to_what_leaves(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    def.velocity = (ThawVec3){0.25, 0, 0};
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 10; k++) step(world, 0.01);
    const float *v = view_of(world, "velocity").data;
    const uint64_t *ids = view_of(world, "id").data;
    uint64_t held = state_of(world, id).born - thaw_world_emitter(world, id)->site_count;
    uint32_t free_count = 0;
    for (uint32_t k = 0; k < thaw_world_count(world); k++) {
        bool free_row = (ids[k] & THAW_ID_COUNT_MASK) <= held;
        double wanted = free_row ? 0.25 : 0;
        assert_true(fabs((double)v[3 * k] - wanted) < 0.02 || free_row);
        free_count += free_row && (double)v[3 * k] > 0.2;
    }
    assert_true(free_count > 100);
    thaw_world_destroy(world);
}

static void colliders_block_sites(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.04, 1);
    ThawColliderDef slab = thaw_collider_default();
    // half of the opening is covered, and it lies in a floor
    slab.name = "slab";
    slab.shape = thaw_shape_box((ThawVec3){0.05, 0, 0.025}, (ThawVec3){0.1, 0.2, 0.05});
    assert_ok(thaw_world_add_collider(world, &slab, NULL));
    slab.name = "floor";
    slab.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    assert_ok(thaw_world_add_collider(world, &slab, NULL));
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 20; k++) step(world, 0.01);
    ThawEmitterState now = state_of(world, id);
    double share = (double)now.blocked / (double)(now.blocked + now.born);
    assert_true(share > 0.35 && share < 0.55);
    assert_int_equal(now.born, thaw_world_count(world));
    thaw_world_destroy(world);
}

// nothing is owed for the time between, and what lies before the opening is not pushed about
static void emitters_begun_again_go_on_where_they_were(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0.07});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawEmitterDef def = disc_def(body.material, 0.003, 0.5);
    def.to = 0.05;
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 20; k++) assert_true(step(world, 0.01).max_speed < 0.52);
    assert_int_equal(thaw_world_emitter(world, id)->site_count, 0);
    // begun again, it goes on where it was
    uint64_t born = state_of(world, id).born;
    def.to = 0.25;
    assert_ok(thaw_world_set_emitter(world, id, &def));
    for (int k = 0; k < 5; k++) assert_true(step(world, 0.01).max_speed < 0.6);
    double volume = PI * 0.003 * 0.003 * 0.5 * 0.1;
    assert_true(fabs(state_of(world, id).volume - volume) < 1.2e-6);
    assert_true(state_of(world, id).born > born);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- who lives

static void ids_are_never_used_again(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 2);
    ThawEmitterId id = add_emitter(world, &def);
    ThawSinkDef sink = thaw_sink_default();
    sink.shape = thaw_shape_sphere((ThawVec3){0, 0, 0}, 10);
    uint64_t highest = 0;
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 5; k++) step(world, 0.02);
        const uint64_t *ids = view_of(world, "id").data;
        uint64_t top = 0, least = UINT64_MAX;
        for (uint32_t k = 0; k < thaw_world_count(world); k++) {
            top = ids[k] > top ? ids[k] : top;
            least = ids[k] < least ? ids[k] : least;
        }
        assert_true(least > highest && top > least);
        highest = top;
        // everything dies
        ThawSinkId all;
        assert_ok(thaw_world_add_sink(world, &sink, &all));
        step(world, 1e-5);
        uint64_t removed;
        assert_ok(thaw_world_sink_removed(world, all, &removed));
        assert_true(removed > 0);
        assert_ok(thaw_world_remove_sink(world, all));
        const uint64_t *left = view_of(world, "id").data;
        for (uint32_t k = 0; k < thaw_world_count(world); k++) assert_true(left[k] > highest);
        for (uint32_t k = 0; k < thaw_world_count(world); k++) {
            highest = left[k] > highest ? left[k] : highest;
        }
    }
    assert_int_equal(highest & THAW_ID_COUNT_MASK, state_of(world, id).born);
    thaw_world_destroy(world);
}

static void old_particles_die(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    def.life = 0.05;
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 30; k++) {
        ThawReport report = step(world, 0.01);
        assert_int_equal(report.particles, thaw_world_count(world));
        const float *age = view_of(world, "age").data;
        double(*at)[3] = malloc(thaw_world_count(world) * sizeof *at);
        assert_non_null(at);
        thaw_world_positions(world, at);
        for (uint32_t row = 0; row < thaw_world_count(world); row++) {
            assert_true(age[row] >= -1e-6f && (double)age[row] < 0.05 + 0.01);
            // it was born 1¼ spacings behind the opening
            double along = at[row][2] + 0.0125;
            assert_true(fabs((double)age[row] - along) < 1e-4);
        }
        free(at);
    }
    ThawEmitterState now = state_of(world, id);
    assert_int_equal(now.born - now.died, thaw_world_count(world));
    double alive = PI * 0.03 * 0.03 * 0.05 / 1e-6;
    assert_true(fabs(thaw_world_count(world) / alive - 1) < 0.3);
    thaw_world_destroy(world);
}

static void a_channel_of_ages_is_kept_without_a_life_too(void **state) {
    (void)state;
    ThawWorld *world = still_world(2);
    ThawChannelDef age = {"age", THAW_F32, 1};
    assert_ok(thaw_world_add_channel(world, &age));
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    add_emitter(world, &def);
    for (int k = 0; k < 10; k++) step(world, 0.01);
    const float *ages = view_of(world, "age").data;
    float oldest = 0;
    for (uint32_t row = 0; row < thaw_world_count(world); row++) {
        oldest = ages[row] > oldest ? ages[row] : oldest;
    }
    assert_true(oldest > 0.09f && oldest < 0.1f);
    thaw_world_destroy(world);
}

static void the_oldest_make_room(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    def.most = 200;
    ThawEmitterId id = add_emitter(world, &def);
    uint64_t died = 0;
    for (int k = 0; k < 20; k++) {
        ThawReport report = step(world, 0.01);
        died += report.died;
        assert_true(thaw_world_count(world) <= 200);
    }
    ThawEmitterState now = state_of(world, id);
    assert_int_equal(thaw_world_count(world), 200);
    assert_int_equal(now.died, died);
    assert_int_equal(now.born - now.died, 200);
    // those that are left are the last born
    const uint64_t *ids = view_of(world, "id").data;
    for (uint32_t k = 0; k < 200; k++) {
        assert_true((ids[k] & THAW_ID_COUNT_MASK) > now.born - 200);
    }
    thaw_world_destroy(world);
}

static void reports_tell_births_and_deaths(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawMaterialId water = add_water(world);
    ThawBodyDef body = box_def(water, (ThawVec3){0.3, 0, 0});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawEmitterDef def = disc_def(water, 0.03, 2);
    def.life = 0.04;
    add_emitter(world, &def);
    uint64_t count = thaw_world_count(world), born = 0, died = 0;
    for (int k = 0; k < 20; k++) {
        ThawReport report = step(world, 0.01);
        count += report.born - report.died;
        born += report.born, died += report.died;
        assert_int_equal(count, thaw_world_count(world));
    }
    assert_true(born > 1000 && died > 500);
    thaw_world_destroy(world);
}

static void new_particles_take_their_values(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawMaterialId water = add_water(world);
    ThawChannelDef channels[2] = {{"colour", THAW_F32, 3}, {"tag", THAW_I32, 1}};
    for (int k = 0; k < 2; k++) assert_ok(thaw_world_add_channel(world, &channels[k]));
    ThawChannelValue values[2] = {{"colour", {0.5f, 0.25f, 1}}, {"tag", {41.7f}}};
    ThawEmitterDef def = disc_def(water, 0.03, 1);
    def.values = values;
    def.value_count = 2;
    ThawEmitterId id = add_emitter(world, &def);
    values[0].value[0] = 9; // copied
    step(world, 0.03);
    uint32_t first = thaw_world_count(world);
    assert_true(first > 50);
    def.value_count = 1;
    assert_ok(thaw_world_set_emitter(world, id, &def));
    step(world, 0.03);
    const float *colour = view_of(world, "colour").data;
    const int32_t *tag = view_of(world, "tag").data;
    const uint64_t *ids = view_of(world, "id").data;
    for (uint32_t k = 0; k < thaw_world_count(world); k++) {
        bool early = (ids[k] & THAW_ID_COUNT_MASK) <= first;
        assert_true(colour[3 * k] == (early ? 0.5f : 9.0f) && colour[3 * k + 1] == 0.25f);
        assert_int_equal(tag[k], early ? 42 : 0);
    }
    thaw_world_destroy(world);
}

static void particles_outlive_their_emitter(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    ThawEmitterId first = add_emitter(world, &def);
    step(world, 0.05);
    uint32_t count = thaw_world_count(world);
    assert_ok(thaw_world_remove_emitter(world, first));
    assert_int_equal(thaw_world_count(world), count);
    assert_missing(thaw_world_remove_emitter(world, first), "emitter 1");
    ThawEmitterState none;
    assert_missing(thaw_world_emitter_state(world, first, &none), "emitter 1");
    assert_missing(thaw_world_set_emitter(world, first, &def), "emitter 1");
    step(world, 0.05);
    assert_int_equal(thaw_world_count(world), count);
    // a later one has a handle and a source of its own
    ThawEmitterId second = add_emitter(world, &def);
    assert_int_equal(second.value, 2);
    step(world, 0.05);
    assert_true(thaw_world_count(world) > count);
    uint32_t row;
    assert_ok(thaw_world_index(world, (uint64_t)2 << 40 | 1, &row));
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- volumes

static void volumes_fill_their_shape_once(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = still_world(dimensions);
        ThawEmitterDef def = thaw_emitter_default();
        def.material = add_water(world);
        def.kind = THAW_EMITTER_VOLUME;
        def.shape = thaw_shape_sphere((ThawVec3){0.2, 0.1, 0}, 0.06);
        ThawEmitterId id = add_emitter(world, &def);
        step(world, 0.01);
        double volume = thaw_shape_volume(&def.shape, dimensions);
        double ratio = state_of(world, id).volume / volume;
        if (!(fabs(ratio - 1) < 0.02)) fail_msg("%dD: %g of the shape", dimensions, ratio);
        ThawReport report = step(world, 0.05);
        assert_int_equal(report.born, 0);
        assert_true(report.max_speed < 1e-3);
        thaw_world_destroy(world);
    }
}

static void volumes_keep_their_rate(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = thaw_emitter_default();
    def.material = add_water(world);
    def.kind = THAW_EMITTER_VOLUME;
    def.shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.1, 0.1, 0.1});
    def.velocity = (ThawVec3){0, 0, 2};
    def.rate = 0.002; // a tenth of what would leave at that velocity
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 30; k++) {
        step(world, 0.01);
        double off = state_of(world, id).volume - def.rate * thaw_world_time(world);
        assert_true(fabs(off) < 1.1e-6);
    }
    assert_true(state_of(world, id).born > 550);
    thaw_world_destroy(world);
}

static void volumes_leave_room_to_what_is_there(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    uint32_t count = thaw_world_count(world);
    ThawEmitterDef def = thaw_emitter_default();
    def.material = body.material;
    def.kind = THAW_EMITTER_VOLUME;
    def.shape = thaw_shape_box((ThawVec3){0.003, 0.001, 0}, (ThawVec3){0.09, 0.09, 0.09});
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 5; k++) assert_true(step(world, 0.01).max_speed < 0.02);
    assert_true(state_of(world, id).born <= count / 100);
    // half of it in the open
    def.shape = thaw_shape_box((ThawVec3){0.05, 0, 0}, (ThawVec3){0.1, 0.1, 0.1});
    id = add_emitter(world, &def);
    for (int k = 0; k < 5; k++) assert_true(step(world, 0.01).max_speed < 0.1);
    double share = (double)state_of(world, id).born / count;
    if (!(share > 0.3 && share < 0.55)) fail_msg("%g of the box was filled", share);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- everything at once

// a ball of a mesh
static ThawField *ball_field(void) {
    Form form = form_ball(0.05, 8);
    ThawField *field = form_field(&form, THAW_FIELD_SOLID, 0.01, 0);
    form_free(&form);
    return field;
}

// volumes and sinks of meshes, balls and boxes
static void add_volumes(ThawWorld *world, ThawMaterialId water) {
    ThawEmitterDef def = thaw_emitter_default();
    def.material = water;
    def.kind = THAW_EMITTER_VOLUME;
    ThawField *field = ball_field();
    def.shape = thaw_shape_mesh(field);
    def.shape.pose.position = (ThawVec3){0.1, -0.1, 0.3};
    def.most = 900;
    def.velocity = (ThawVec3){0, 0.5, 0};
    add_emitter(world, &def);
    ThawBall balls[2] = {{{0, 0.1, 0.25}, 0.06}, {{0.05, 0.1, 0.25}, 0.05}};
    def.shape = thaw_shape_blend(balls, 2, 0.02);
    def.from = 0.03, def.to = 0.06;
    def.rate = 0.01;
    def.most = 0;
    def.spacing = 0.012f;
    add_emitter(world, &def);
    ThawSinkDef sink = thaw_sink_default();
    sink.shape = thaw_shape_mesh(field);
    sink.shape.pose.position = (ThawVec3){0.15, 0.1, 0.15};
    assert_ok(thaw_world_add_sink(world, &sink, NULL));
    sink.shape = thaw_shape_box((ThawVec3){0, 0, 0.2}, (ThawVec3){0.3, 0.3, 0.9});
    sink.outside = true;
    sink.from = 0.05;
    assert_ok(thaw_world_add_sink(world, &sink, NULL));
    thaw_field_release(field);
}

// every kind of emitter and sink, in a tank
static ThawWorld *busy_world(int threads) {
    ThawWorldDef world_def = small_def(3);
    world_def.threads = threads;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialId water = add_water(world);
    ThawChannelDef tag = {"tag", THAW_I32, 1};
    assert_ok(thaw_world_add_channel(world, &tag));
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.2}, (ThawVec3){0.4, 0.4, 0.6});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    ThawBodyDef body = box_def(water, (ThawVec3){0, 0, -0.05});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawChannelValue value = {"tag", {7}};
    ThawEmitterDef def = disc_def(water, 0.03, 1.5);
    def.name = "spout";
    def.pose.position.z = -0.1;
    def.values = &value;
    def.value_count = 1;
    add_emitter(world, &def);
    def = disc_def(water, 0.03, 2);
    def.kind = THAW_EMITTER_RECTANGLE;
    def.width = 0.08, def.height = 0.05;
    def.rate = 0.002;
    def.jitter = 0.1;
    def.pose = (ThawPose){{-0.2, 0.05, 0.3}, {0, sqrt(0.5), 0, sqrt(0.5)}};
    def.life = 0.07;
    add_emitter(world, &def);
    add_volumes(world, water);
    return world;
}

static uint64_t run_busy(ThawWorld *world, int steps) {
    ThawReport report;
    uint64_t born = 0, died = 0;
    for (int k = 0; k < steps; k++) {
        assert_ok(thaw_world_step(world, 0.008, &report));
        born += report.born, died += report.died;
    }
    assert_true(born > 100 && died > 20);
    return thaw_world_hash(world);
}

static void emission_goes_on_in_the_same_bits_after_loading(void **state) {
    (void)state;
    ThawWorld *world = busy_world(1);
    run_busy(world, 7);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    ThawHostDef host = {.threads = 1};
    ThawWorld *loaded;
    assert_ok(thaw_world_load(bytes, size, &host, &loaded));
    thaw_snapshot_free(bytes);
    assert_true(thaw_world_hash(world) == thaw_world_hash(loaded));
    assert_true(run_busy(world, 4) == run_busy(loaded, 4));
    for (uint32_t k = 1; k <= 4; k++) {
        ThawEmitterState a = state_of(world, (ThawEmitterId){k});
        ThawEmitterState b = state_of(loaded, (ThawEmitterId){k});
        assert_memory_equal(&a, &b, sizeof a);
        assert_true(a.born > 0);
    }
    thaw_world_destroy(world);
    thaw_world_destroy(loaded);
}

static void any_number_of_threads_emits_the_same_bits(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; threads++) {
        ThawWorld *world = busy_world(threads);
        uint64_t now = run_busy(world, 8);
        if (threads == 1) hash = now;
        assert_true(now == hash);
        thaw_world_destroy(world);
    }
}

// a random order of the rows
static void shuffle(ThawWorld *world, uint64_t seed) {
    uint32_t count = world->store->count;
    uint32_t *order = malloc((count + 1) * sizeof *order);
    assert_non_null(order);
    for (uint32_t k = 0; k < count; k++) order[k] = k;
    for (uint32_t k = count; k > 1; k--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = (uint32_t)((seed >> 33) % k), kept = order[k - 1];
        order[k - 1] = order[other];
        order[other] = kept;
    }
    assert_ok(thaw_store_permute(world->store, world->parallel, order));
    free(order);
}

static void the_order_of_rows_does_not_matter(void **state) {
    (void)state;
    ThawWorld *plain = busy_world(1), *mixed = busy_world(1);
    for (int k = 0; k < 7; k++) {
        shuffle(mixed, (uint64_t)k);
        assert_ok(thaw_world_step(plain, 0.008, NULL));
        assert_ok(thaw_world_step(mixed, 0.008, NULL));
        assert_true(thaw_world_hash(plain) == thaw_world_hash(mixed));
    }
    thaw_world_destroy(plain);
    thaw_world_destroy(mixed);
}

static void a_steady_count_allocates_nothing(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawMaterialId water = add_water(world);
    ThawEmitterDef def = disc_def(water, 0.03, 2);
    def.life = 0.1;
    add_emitter(world, &def);
    def.life = 0;
    def.most = 300;
    def.pose.position.x = 0.2;
    add_emitter(world, &def);
    ThawSinkDef sink = thaw_sink_default();
    sink.shape = thaw_shape_box((ThawVec3){0, 0, 0.15}, (ThawVec3){2, 1, 0.04});
    assert_ok(thaw_world_add_sink(world, &sink, NULL));
    for (int k = 0; k < 60; k++) step(world, 0.01);
    uint64_t before = thaw_alloc_count(), born = 0;
    for (int k = 0; k < 40; k++) {
        born += step(world, 0.01).born;
        if (thaw_alloc_count() != before) fail_msg("step %d allocates", k);
    }
    assert_true(born > 3000);
    thaw_world_destroy(world);
}

static void waiting_emitters_let_time_pass(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    def.from = 0.1;
    ThawEmitterId id = add_emitter(world, &def);
    ThawColliderDef ball = thaw_collider_default();
    ball.name = "ball";
    ball.shape = thaw_shape_sphere((ThawVec3){1, 0, 1}, 0.1);
    ball.dynamic.on = true;
    ball.dynamic.density = 500;
    ThawColliderId falling;
    assert_ok(thaw_world_add_collider(world, &ball, &falling));
    for (int k = 0; k < 20; k++) {
        step(world, 0.01);
        bool early = thaw_world_time(world) < 0.1;
        assert_true(!early || state_of(world, id).born == 0);
    }
    assert_true(state_of(world, id).born > 100);
    ThawColliderState now;
    assert_ok(thaw_world_collider_state(world, falling, &now));
    assert_true(fabs(now.center.z - (1 - 0.5 * 9.81 * 0.04)) < 0.02);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- refusals

static void bad_emitters_are_refused_by_field(void **state) {
    (void)state;
    ThawWorld *world = still_world(3), *flat = still_world(2);
    ThawMaterialId water = add_water(world);
    add_water(flat);
    const ThawEmitterDef good = disc_def(water, 0.1, 1);
    ThawEmitterDef def;
#define REFUSED(set, word)                                                                         \
    do {                                                                                           \
        def = good;                                                                                \
        set;                                                                                       \
        assert_refused(thaw_world_add_emitter(world, &def, NULL), word);                           \
    } while (0)
    char name[80];
    memset(name, 'x', 79);
    name[79] = '\0';
    REFUSED(def.name = name, "name");
    REFUSED(def.kind = (ThawEmitterKind)9, "kind");
    REFUSED(def.pose.position.x = NAN, "pose.position");
    REFUSED(def.pose.position.y = 1e9, "pose.position");
    REFUSED(def.pose.rotation.w = 0, "pose.rotation");
    REFUSED(def.radius = 0, "radius");
    REFUSED(def.radius = INFINITY, "radius");
    REFUSED(def.radius = 1000, "radius is too large");
    REFUSED((def.kind = THAW_EMITTER_RECTANGLE, def.width = -1), "width");
    REFUSED((def.kind = THAW_EMITTER_RECTANGLE, def.height = 0), "height");
    REFUSED(def.kind = THAW_EMITTER_VOLUME, "size");
    REFUSED((def.kind = THAW_EMITTER_VOLUME,
             def.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1})),
            "bounded");
    REFUSED(def.velocity.y = NAN, "velocity");
    REFUSED(def.speed = -1, "speed");
    REFUSED(def.speed = NAN, "speed");
    REFUSED(def.rate = -1, "rate");
    REFUSED((def.rate = 1e9, def.speed = 0), "rate");
    REFUSED(def.from = INFINITY, "from");
    REFUSED(def.to = 0, "to must be after from");
    REFUSED(def.to = NAN, "to must be after from");
    REFUSED(def.jitter = 0.6, "jitter");
    REFUSED(def.spacing = 1, "spacing");
    REFUSED(def.life = -1, "life");
#undef REFUSED
    def = good, def.material.value = 7;
    assert_missing(thaw_world_add_emitter(world, &def, NULL), "material 7");
    def = good, def.velocity.z = 1;
    assert_refused(thaw_world_add_emitter(flat, &def, NULL), "velocity.z");
    // nothing was half made
    assert_int_equal(world->emitter_count, 0);
    ThawEmitterId id = add_emitter(world, &good);
    def = good, def.speed = -1;
    assert_refused(thaw_world_set_emitter(world, id, &def), "speed");
    assert_true(world->emitters[0].def.speed == 1);
    thaw_world_destroy(world);
    thaw_world_destroy(flat);
}

static void bad_values_are_refused(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    const ThawEmitterDef good = disc_def(add_water(world), 0.1, 1);
    ThawChannelDef channels[2] = {{"tag", THAW_I32, 1}, {"age", THAW_I32, 1}};
    for (int k = 0; k < 2; k++) assert_ok(thaw_world_add_channel(world, &channels[k]));
    ThawEmitterDef def = good;
    def.value_count = 1;
    assert_refused(thaw_world_add_emitter(world, &def, NULL), "values is NULL");
    def.value_count = -1;
    assert_refused(thaw_world_add_emitter(world, &def, NULL), "value_count");
    ThawChannelValue value = {"tag", {1e12f}};
    def.values = &value;
    def.value_count = 1;
    assert_refused(thaw_world_add_emitter(world, &def, NULL), "values[0].value[0]");
    value.channel = "lattice_map";
    assert_refused(thaw_world_add_emitter(world, &def, NULL), "values[0].channel");
    value.channel = "colour";
    assert_missing(thaw_world_add_emitter(world, &def, NULL), "colour");
    // ages are not what the user has made of that name
    def = good, def.life = 1;
    assert_refused(thaw_world_add_emitter(world, &def, NULL), "life");
    assert_int_equal(world->emitter_count, 0);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- damage

static void put_u64(uint8_t *bytes, uint64_t value) {
    for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)(value >> (8 * k));
}

// refused with a sentence and nothing made, or a world that can be saved
static bool try_bytes(uint8_t *bytes, size_t size) {
    static const ThawHostDef host = {.threads = 1, .isa = THAW_ISA_BASELINE};
    put_u64(bytes + 16, size - 32);
    put_u64(bytes + 24, thaw_hash_bytes(bytes + 32, size - 32));
    ThawWorld *world = NULL;
    if (thaw_world_load(bytes, size, &host, &world) != THAW_OK) {
        assert_null(world);
        assert_true(thaw_error_text()[0] != '\0');
        return false;
    }
    void *again;
    size_t again_size;
    assert_ok(thaw_world_save(world, &again, &again_size));
    thaw_snapshot_free(again);
    thaw_world_destroy(world);
    return true;
}

// a small world whose snapshot ends with its emitters and sinks
static ThawWorld *small_emission(void) {
    ThawWorld *world = still_world(3);
    ThawMaterialId water = add_water(world);
    ThawChannelDef tag = {"tag", THAW_I32, 1};
    assert_ok(thaw_world_add_channel(world, &tag));
    ThawChannelValue value = {"tag", {7}};
    ThawEmitterDef def = disc_def(water, 0.008, 1);
    def.values = &value;
    def.value_count = 1;
    def.life = 3;
    add_emitter(world, &def);
    ThawBall balls[2] = {{{0, 0, 1}, 0.02}, {{0.02, 0, 1}, 0.02}};
    def.kind = THAW_EMITTER_VOLUME;
    def.shape = thaw_shape_blend(balls, 2, 0.01);
    def.rate = 1e-5;
    add_emitter(world, &def);
    ThawSinkDef sink = thaw_sink_default();
    sink.shape = thaw_shape_sphere((ThawVec3){0, 0, 3}, 0.5);
    sink.material = water;
    assert_ok(thaw_world_add_sink(world, &sink, NULL));
    step(world, 0.02);
    return world;
}

static void damaged_emitters_are_refused_or_whole(void **state) {
    (void)state;
    ThawWorld *world = small_emission();
    ThawCodec codec;
    thaw_codec_hash(&codec);
    thaw_emitters_save(&codec, world);
    size_t tail = codec.at, size;
    void *bytes;
    assert_ok(thaw_world_save(world, &bytes, &size));
    thaw_world_destroy(world);
    assert_true(tail > 600 && tail < size);
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    uint32_t loaded = 0, refused = 0;
    static const uint8_t poisons[4] = {0xff, 0x80, 0x01, 0x7f};
    for (size_t k = size - tail; k < size; k += STRIDE) {
        memcpy(copy, bytes, size);
        copy[k] ^= poisons[k / STRIDE % 4];
        bool whole = try_bytes(copy, size);
        loaded += whole;
        refused += !whole;
    }
    assert_true(loaded > 5 && refused > 5);
    // cut short anywhere
    for (size_t cut = 1; cut < tail; cut += 41) {
        memcpy(copy, bytes, size);
        assert_false(try_bytes(copy, size - cut));
    }
    free(copy);
    thaw_snapshot_free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume_is_rate_times_time),
        cmocka_unit_test(a_rate_alone_sets_the_speed),
        cmocka_unit_test(a_rate_with_a_speed_fills_a_share_of_the_sites),
        cmocka_unit_test(births_last_from_from_to_to),
        cmocka_unit_test(a_total_ends_births),
        cmocka_unit_test(layers_are_equidistant_at_any_substep),
        cmocka_unit_test(columns_are_perfect_lattices),
        cmocka_unit_test(openings_are_turned_by_their_pose),
        cmocka_unit_test(jitter_moves_by_no_more_than_asked),
        cmocka_unit_test(moving_openings_take_their_matter_along),
        cmocka_unit_test(velocities_add_to_what_leaves),
        cmocka_unit_test(colliders_block_sites),
        cmocka_unit_test(emitters_begun_again_go_on_where_they_were),
        cmocka_unit_test(ids_are_never_used_again),
        cmocka_unit_test(old_particles_die),
        cmocka_unit_test(a_channel_of_ages_is_kept_without_a_life_too),
        cmocka_unit_test(the_oldest_make_room),
        cmocka_unit_test(reports_tell_births_and_deaths),
        cmocka_unit_test(new_particles_take_their_values),
        cmocka_unit_test(particles_outlive_their_emitter),
        cmocka_unit_test(volumes_fill_their_shape_once),
        cmocka_unit_test(volumes_keep_their_rate),
        cmocka_unit_test(volumes_leave_room_to_what_is_there),
        cmocka_unit_test(emission_goes_on_in_the_same_bits_after_loading),
        cmocka_unit_test(any_number_of_threads_emits_the_same_bits),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(a_steady_count_allocates_nothing),
        cmocka_unit_test(waiting_emitters_let_time_pass),
        cmocka_unit_test(bad_emitters_are_refused_by_field),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(damaged_emitters_are_refused_or_whole),
    };
    return cmocka_run_group_tests_name("emitters", tests, NULL, NULL);
}
