// Volumes that fill: how full, and beside what is there already; and every kind of emitter and sink at once,
// in the same bits whatever threads, rows and snapshots do.
#include "emitting.h"

#include "support/forms.h"
#include "world/shuffle.h"

#include <stdlib.h>

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

// a tank that is filled at once: by an emitter, or by a body
static ThawReport fill_tank(bool emitted, double depth, float spacing, double dt) {
    ThawWorldDef world_def = small_def(3);
    world_def.spacing = 0.02;
    ThawWorld *world = make_world(&world_def);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.5}, (ThawVec3){0.16, 0.16, 1});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    ThawShape shape = thaw_shape_box((ThawVec3){0, 0, 0.5 * depth}, (ThawVec3){0.16, 0.16, depth});
    ThawEmitterDef def = thaw_emitter_default();
    ThawBodyDef body = thaw_body_default();
    body.material = def.material = add_water(world);
    body.shape = def.shape = shape;
    body.spacing = def.spacing = spacing;
    def.kind = THAW_EMITTER_VOLUME;
    if (emitted)
        add_emitter(world, &def);
    else
        assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawReport report = step(world, dt);
    assert_true(thaw_world_count(world) > 100);
    thaw_world_destroy(world);
    return report;
}

static void a_first_filling_takes_the_substeps_of_a_body(void **state) {
    (void)state;
    static const float spacings[2] = {0.02f, 0.012f};
    uint32_t shallow = fill_tank(true, 0.1, 0.02f, 1.0 / 60).substeps_wanted;
    for (int k = 0; k < 2; k++) {
        ThawReport emitted = fill_tank(true, 0.6, spacings[k], 1.0 / 60);
        ThawReport body = fill_tank(false, 0.6, spacings[k], 1.0 / 60);
        print_message("%g m: %u substeps are wanted, %u of a body; density off by %g and %g\n",
                      (double)spacings[k], emitted.substeps_wanted, body.substeps_wanted,
                      emitted.mean_density_error, body.mean_density_error);
        // the body's depth is measured from its particles, within a layer
        assert_true(emitted.substeps_wanted >= body.substeps_wanted);
        assert_true(emitted.substeps_wanted <= body.substeps_wanted + 1);
        assert_true(emitted.substeps_wanted > shallow);
        assert_int_equal(emitted.substeps, emitted.substeps_wanted);
    }
}

// ---------------------------------------------------------------- everything at once

// a ball of a mesh
static ThawField *ball_field(void) {
    Form form = form_ball(0.05, 8);
    ThawField *field = form_field(&form, THAW_FIELD_SOLID, 0.01, 0);
    form_free(&form);
    return field;
}

// as exactly as round shapes: kept full without a rate, and to the particle with one
static void a_mesh_is_filled_and_keeps_its_rate(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        ThawWorld *world = still_world(3);
        ThawField *field = ball_field();
        ThawEmitterDef def = thaw_emitter_default();
        def.material = add_water(world);
        def.kind = THAW_EMITTER_VOLUME;
        def.shape = thaw_shape_mesh(field);
        def.shape.pose.position = (ThawVec3){0.2, 0.1, 0};
        double volume = thaw_shape_volume(&def.shape, 3);
        if (k == 1) def.velocity = (ThawVec3){0, 0, 2}, def.rate = 0.001;
        ThawEmitterId id = add_emitter(world, &def);
        for (int n = 0; n < (k == 0 ? 1 : 30); n++) {
            step(world, 0.01);
            double off = state_of(world, id).volume - def.rate * thaw_world_time(world);
            if (k == 1 && !(fabs(off) < 1.1e-6)) fail_msg("off by %g m³", off);
        }
        double ratio = state_of(world, id).volume / volume;
        if (k == 0) print_message("a ball of a mesh: %.4f of its volume filled\n", ratio);
        if (k == 0 && !(fabs(ratio - 1) < 0.02)) fail_msg("%g of the mesh", ratio);
        if (k == 0) assert_int_equal(step(world, 0.05).born, 0);
        thaw_world_destroy(world);
        thaw_field_release(field);
    }
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
    def.jitter = 0.3;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_fill_their_shape_once),
        cmocka_unit_test(volumes_keep_their_rate),
        cmocka_unit_test(a_mesh_is_filled_and_keeps_its_rate),
        cmocka_unit_test(volumes_leave_room_to_what_is_there),
        cmocka_unit_test(a_first_filling_takes_the_substeps_of_a_body),
        cmocka_unit_test(emission_goes_on_in_the_same_bits_after_loading),
        cmocka_unit_test(any_number_of_threads_emits_the_same_bits),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
    };
    return cmocka_run_group_tests_name("emitter volumes", tests, NULL, NULL);
}
