// How particles of emitters live and die, under which ids and with which values; what is kept of emitters in
// a snapshot.
#include "emitting.h"

#include "base/memory.h"
#include "world/codec.h"

#include <stdlib.h>

// bytes between those that are damaged in turn: making a world costs about 2 ms, many times that under a sanitizer
#ifdef THAW_TEST_SANITIZED
#define STRIDE 11
#else
#define STRIDE 5
#endif

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

// the first liquid makes models begin anew in mid-step
static void fractures_before_the_first_birth_are_told(void **state) {
    (void)state;
    ThawWorldDef world_def = small_def(3);
    world_def.gravity = (ThawVec3){0, 0, 0};
    world_def.solver.substeps = 16;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef glass = thaw_material_default();
    glass.name = "glass";
    glass.solid.young = 1e5f;
    glass.solid.fracture_strain = 0.01f;
    ThawBodyDef body = thaw_body_default();
    body.state = THAW_STATE_SOLID;
    body.shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.1, 0.04, 0.04});
    body.spin = (ThawVec3){0, 0, 60}; // turned too fast to hold
    assert_ok(thaw_world_add_material(world, &glass, &body.material));
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawEmitterDef def = disc_def(add_water(world), 0.03, 1);
    def.pose.position.z = 1;
    def.from = 0.005;
    def.speed = 5;
    add_emitter(world, &def);
    ThawReport report = step(world, 0.01);
    const ThawFracture *events;
    uint32_t count, early = 0;
    thaw_world_fractures(world, &events, &count);
    for (uint32_t k = 0; k < count; k++) early += events[k].time < def.from;
    assert_true(report.born > 0 && early > 10);
    assert_int_equal(count, report.bonds_broken);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- refusals

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
    print_message("%u damaged ones loaded, %u refused\n", loaded, refused);
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
        cmocka_unit_test(ids_are_never_used_again),
        cmocka_unit_test(old_particles_die),
        cmocka_unit_test(a_channel_of_ages_is_kept_without_a_life_too),
        cmocka_unit_test(the_oldest_make_room),
        cmocka_unit_test(reports_tell_births_and_deaths),
        cmocka_unit_test(new_particles_take_their_values),
        cmocka_unit_test(particles_outlive_their_emitter),
        cmocka_unit_test(a_steady_count_allocates_nothing),
        cmocka_unit_test(waiting_emitters_let_time_pass),
        cmocka_unit_test(fractures_before_the_first_birth_are_told),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(damaged_emitters_are_refused_or_whole),
    };
    return cmocka_run_group_tests_name("emitter life", tests, NULL, NULL);
}
