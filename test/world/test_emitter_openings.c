// Openings: how much they make, where and when, and what is refused. What the liquid then does is in
// physics/test_fountain.c.
#include "emitting.h"

#include "math/lattice.h"

#include <stdlib.h>

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

// before anything is born no survey tells how fine it will be, or that it falls
static void a_first_step_is_cut_for_what_will_be_born(void **state) {
    (void)state;
    for (int coarse = 0; coarse < 2; coarse++) {
        ThawWorld *world = small_world(3);
        ThawBodyDef body = box_def(add_water(world), (ThawVec3){1, 0, 0});
        // resting beside it, or nothing at all
        if (coarse == 1) assert_ok(thaw_world_add_body(world, &body, NULL));
        ThawEmitterDef def = disc_def(body.material, 0.04, 0.2);
        def.pose.rotation = (ThawQuat){1, 0, 0, 0}; // downwards
        def.spacing = 0.006f;
        def.from = 1.0 / 48;
        add_emitter(world, &def);
        uint32_t first = step(world, 1.0 / 24).substeps_wanted;
        uint32_t second = step(world, 1.0 / 24).substeps_wanted;
        print_message("%u substeps are wanted at first, then %u\n", first, second);
        assert_true(first >= 4 && second <= first + 2);
        thaw_world_destroy(world);
    }
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
                // and the column is wider by 0.8 %
                assert_true(fabs(off) <= 0.2 * 0.01 + 0.008 * 0.05 + 1e-8);
                mean += fabs(off);
            }
        }
        assert_true(mean / thaw_world_count(worlds[0]) > 0.001);
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

// An opening whose rim is 1.4 spacings off a slanting wall, which the column runs into: what was carried on into the wall
// came out of it at up to a dozen times the column's speed, the more the shorter substeps are.
static void a_column_that_meets_a_wall_flows_along_it(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 8; substeps *= 8) {
        ThawWorld *world = still_world(3);
        ThawEmitterDef def = disc_def(add_water(world), 0.05, 0.7);
        ThawColliderDef wall = thaw_collider_default();
        double rim = 0.5 * def.radius, d = world->def.spacing;
        wall.shape =
            thaw_shape_plane((ThawVec3){0, 0, rim + 1.4 * d * sqrt(1.25)}, (ThawVec3){0.5, 0, -1});
        assert_ok(thaw_world_add_collider(world, &wall, NULL));
        ThawEmitterId id = add_emitter(world, &def);
        double most = 0;
        for (int k = 0; k < 60 * substeps; k++) {
            most = fmax(most, step(world, 0.005 / substeps).max_speed);
        }
        ThawEmitterState now = state_of(world, id);
        assert_int_equal(now.blocked, 0);
        assert_true(fabs(now.volume / (0.7 * 0.3 * PI * 0.05 * 0.05) - 1) < 0.05);
        if (!(most < 4 * 0.7)) fail_msg("up to %.2f m/s", most);
        thaw_world_destroy(world);
    }
}

// Steps a world of one emitter; how far a particle that was there before has come, at most.
static double farthest_in_a_step(ThawWorld *world, double dt) {
    uint32_t count = thaw_world_count(world);
    double(*before)[3] = malloc(count * sizeof *before), (*at)[3], most = 0;
    uint64_t *index = malloc(count * sizeof *index); // row of each number
    const uint64_t *ids = view_of(world, "id").data;
    assert_true(before != NULL && index != NULL);
    thaw_world_positions(world, before);
    for (uint32_t k = 0; k < count; k++) index[(ids[k] & THAW_ID_COUNT_MASK) - 1] = k;
    step(world, dt);
    uint32_t now = thaw_world_count(world);
    at = malloc(now * sizeof *at);
    assert_non_null(at);
    ids = view_of(world, "id").data;
    thaw_world_positions(world, at);
    for (uint32_t k = 0; k < now; k++) {
        uint64_t number = (ids[k] & THAW_ID_COUNT_MASK) - 1;
        if (number >= count) continue;
        const double *was = before[index[number]];
        double way = hypot(hypot(at[k][0] - was[0], at[k][1] - was[1]), at[k][2] - was[2]);
        most = fmax(most, way);
    }
    free(before);
    free(index);
    free(at);
    return most;
}

// Who was let go at a wall stays free when its opening draws back from the wall.
static void what_a_wall_has_freed_is_not_caught_again(void **state) {
    (void)state;
    ThawWorld *world = still_world(3);
    ThawEmitterDef def = disc_def(add_water(world), 0.05, 0.7);
    ThawColliderDef wall = thaw_collider_default();
    double rim = 0.5 * def.radius, d = world->def.spacing;
    wall.shape =
        thaw_shape_plane((ThawVec3){0, 0, rim + 1.4 * d * sqrt(1.25)}, (ThawVec3){0.5, 0, -1});
    assert_ok(thaw_world_add_collider(world, &wall, NULL));
    ThawEmitterId id = add_emitter(world, &def);
    for (int k = 0; k < 30; k++) step(world, 0.005);
    double most = 0;
    for (int k = 0; k < 8; k++) {
        def.pose.position.x += 0.03; // 6 m/s
        assert_ok(thaw_world_set_emitter(world, id, &def));
        most = fmax(most, farthest_in_a_step(world, 0.005));
    }
    if (!(most < 0.005 * 1.5 * (6 + 0.7))) fail_msg("%.3f m in a step", most);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume_is_rate_times_time),
        cmocka_unit_test(a_rate_alone_sets_the_speed),
        cmocka_unit_test(a_rate_with_a_speed_fills_a_share_of_the_sites),
        cmocka_unit_test(births_last_from_from_to_to),
        cmocka_unit_test(a_total_ends_births),
        cmocka_unit_test(a_first_step_is_cut_for_what_will_be_born),
        cmocka_unit_test(layers_are_equidistant_at_any_substep),
        cmocka_unit_test(columns_are_perfect_lattices),
        cmocka_unit_test(openings_are_turned_by_their_pose),
        cmocka_unit_test(jitter_moves_by_no_more_than_asked),
        cmocka_unit_test(moving_openings_take_their_matter_along),
        cmocka_unit_test(velocities_add_to_what_leaves),
        cmocka_unit_test(colliders_block_sites),
        cmocka_unit_test(a_column_that_meets_a_wall_flows_along_it),
        cmocka_unit_test(what_a_wall_has_freed_is_not_caught_again),
        cmocka_unit_test(emitters_begun_again_go_on_where_they_were),
        cmocka_unit_test(bad_emitters_are_refused_by_field),
    };
    return cmocka_run_group_tests_name("emitter openings", tests, NULL, NULL);
}
