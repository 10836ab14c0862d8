// Attachments: what they take, hold, carry and let go. The substep is played by the test: begin, hold, and
// positions moved by the shifts, with anything else that a step might do to them in between.
#include "helpers.h"

#include "base/memory.h"
#include "math/vec.h"
#include "world/shuffle.h"
#include "world/world.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static ThawWorld *block_world(int dimensions, ThawBodyId *body) {
    ThawWorld *world = small_world(dimensions);
    ThawBodyDef def =
        box_def(add_water(world), (ThawVec3){0.013, 0.021, dimensions == 3 ? 0.5 : 0});
    def.state = THAW_STATE_SOLID;
    assert_ok(thaw_world_add_body(world, &def, body));
    return world;
}

static ThawAttachmentDef hold_def(ThawShape region) {
    ThawAttachmentDef def = thaw_attachment_default();
    def.region = region;
    return def;
}

// a region that holds everything
static ThawShape everywhere(void) {
    return thaw_shape_sphere((ThawVec3){0, 0, 0}, 50);
}

static uint32_t attached(ThawWorld *world, ThawAttachmentId id) {
    uint32_t count = UINT32_MAX;
    assert_ok(thaw_world_attached(world, id, &count));
    return count;
}

// One substep in which everything free falls by a cell's tenth and whatever is held is pushed about.
static void play(ThawWorld *world, double time, double dt) {
    ThawStore *store = world->store;
    assert_ok(thaw_attachments_begin(world, time, dt));
    assert_ok(thaw_work_reserve(&world->work, store->count));
    for (size_t k = 0; k < 3 * (size_t)store->count; k++) world->work.shift[k] = -0.1f;
    for (uint32_t row = 0; row < store->count; row++) {
        const int64_t *cells = &store->cells[3 * (size_t)row];
        world->work.place[row] = (ThawPlace){thaw_place_from(cells[0]), thaw_place_from(cells[1]),
                                             thaw_place_from(cells[2]), 0};
    }
    thaw_attachments_hold(world);
    for (uint32_t row = 0; row < store->count; row++) {
        const float *shift = &world->work.shift[3 * (size_t)row];
        int64_t *cells = &store->cells[3 * (size_t)row];
        bool held = world->held != NULL && world->held[row] != 0;
        for (int a = 0; a < 3; a++) cells[a] += thaw_fixed_from_float(shift[a]);
        if (world->domain.dimensions == 2 && !held) cells[2] = 0;
        const ThawPlace *place = &world->work.place[row];
        if (held) {
            assert_int_equal(place->x, thaw_place_from(cells[0]));
            assert_int_equal(place->y, thaw_place_from(cells[1]));
            assert_int_equal(place->z, thaw_place_from(cells[2]));
        }
        thaw_domain_wrap(&world->domain, cells);
    }
}

static ThawVec3 place_of(ThawWorld *world, ThawParticleId id) {
    uint32_t row;
    assert_ok(thaw_world_index(world, id, &row));
    const int64_t *cells = &world->store->cells[3 * (size_t)row];
    double cell = world->domain.cell;
    return thaw_vec(thaw_fixed_cells(cells[0]) * cell, thaw_fixed_cells(cells[1]) * cell,
                    thaw_fixed_cells(cells[2]) * cell);
}

static void assert_near(ThawVec3 a, ThawVec3 b, double tolerance) {
    double off = thaw_length(thaw_sub(a, b));
    if (!(off <= tolerance)) fail_msg("(%g %g %g) is %g off", a.x, a.y, a.z, off);
}

// ---------------------------------------------------------------- taking

static void only_what_is_inside_is_held(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = block_world(dimensions, NULL);
        ThawShape region = thaw_shape_box((ThawVec3){-0.02, 0, 0.5}, (ThawVec3){0.05, 1, 1.2});
        ThawAttachmentDef def = hold_def(region);
        ThawAttachmentId id;
        assert_ok(thaw_world_add_attachment(world, &def, &id));
        assert_int_equal(attached(world, id), 0); // it begins with the first substep
        uint32_t inside;
        assert_ok(thaw_world_find(world, &region, NULL, 0, &inside));
        assert_true(inside > 10 && inside < thaw_world_count(world));
        assert_ok(thaw_attachments_begin(world, 0, 0.001));
        assert_int_equal(attached(world, id), inside);
        assert_int_equal(world->held_count, inside);
        uint32_t marked = 0;
        for (uint32_t row = 0; row < world->store->count; row++) {
            double cell = world->domain.cell;
            const int64_t *c = &world->store->cells[3 * (size_t)row];
            ThawVec3 p = {thaw_fixed_cells(c[0]) * cell, thaw_fixed_cells(c[1]) * cell,
                          thaw_fixed_cells(c[2]) * cell};
            assert_int_equal(world->held[row], thaw_shape_distance(&region, p) <= 0);
            marked += world->held[row];
        }
        assert_int_equal(marked, inside);
        thaw_world_destroy(world);
    }
}

static void a_body_can_be_named(void **state) {
    (void)state;
    ThawBodyId first, second;
    ThawWorld *world = block_world(3, &first);
    uint32_t count = thaw_world_count(world);
    ThawBodyDef more = box_def((ThawMaterialId){1}, (ThawVec3){0.5, 0, 0});
    assert_ok(thaw_world_add_body(world, &more, &second));
    ThawAttachmentDef def = hold_def(everywhere());
    def.body = first;
    ThawAttachmentId id;
    assert_ok(thaw_world_add_attachment(world, &def, &id));
    assert_ok(thaw_attachments_begin(world, 0, 0.001));
    assert_int_equal(attached(world, id), count);
    thaw_world_destroy(world);
}

static void nothing_is_held_twice(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawAttachmentDef half =
        hold_def(thaw_shape_plane((ThawVec3){0.013, 0, 0}, (ThawVec3){1, 0, 0}));
    ThawAttachmentDef all = hold_def(everywhere());
    ThawAttachmentId a, b;
    assert_ok(thaw_world_add_attachment(world, &half, &a));
    assert_ok(thaw_world_add_attachment(world, &all, &b));
    assert_ok(thaw_attachments_begin(world, 0, 0.001));
    uint32_t count = thaw_world_count(world);
    assert_true(attached(world, a) > count / 4);
    assert_int_equal(attached(world, a) + attached(world, b), count);
    assert_int_equal(world->held_count, count);
    thaw_world_destroy(world);
}

static void nothing_to_hold_is_no_mask(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    assert_ok(thaw_attachments_begin(world, 0, 0.001));
    assert_null(world->held);
    ThawAttachmentDef def = hold_def(thaw_shape_sphere((ThawVec3){9, 9, 9}, 0.1));
    ThawAttachmentId id;
    assert_ok(thaw_world_add_attachment(world, &def, &id));
    def.from = 5;
    def.region = everywhere();
    assert_ok(thaw_world_add_attachment(world, &def, NULL));
    assert_ok(thaw_attachments_begin(world, 0, 0.001));
    assert_null(world->held);
    assert_int_equal(world->held_count, 0);
    assert_int_equal(attached(world, id), 0);
    thaw_world_destroy(world);
}

static void times_are_kept(void **state) {
    (void)state;
    ThawWorld *world = block_world(2, NULL);
    ThawAttachmentDef def = hold_def(everywhere());
    def.from = 0.1, def.to = 0.3;
    ThawAttachmentId id;
    assert_ok(thaw_world_add_attachment(world, &def, &id));
    double time = 0, dt = 0.02;
    for (int k = 0; k < 20; k++, time += dt) { // adds up to 0.09999..., which counts as 0.1
        assert_ok(thaw_attachments_begin(world, time, dt));
        bool expected = k >= 5 && k < 15;
        assert_int_equal(attached(world, id) > 0, expected);
        assert_int_equal(world->held != NULL, expected);
    }
    // over is over, though the clock be turned back
    assert_ok(thaw_attachments_begin(world, 0.2, dt));
    assert_null(world->held);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- holding

static void a_pin_holds_every_bit_for_10000_substeps(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = block_world(dimensions, NULL);
        ThawStore *store = world->store;
        // a few particles are enough
        ThawShape few =
            thaw_shape_sphere((ThawVec3){0.013, 0.021, dimensions == 3 ? 0.5 : 0}, 0.02);
        few = thaw_shape_rotate(few, (ThawVec3){1, 2, 3}, 0.7);
        ThawAttachmentDef def = hold_def(few);
        ThawAttachmentId id;
        assert_ok(thaw_world_add_attachment(world, &def, &id));
        assert_ok(thaw_attachments_begin(world, 0, 1e-3));
        uint32_t count = attached(world, id);
        assert_true(count >= 10 && count < 60);
        ThawParticleId ids[60];
        int64_t before[60][3];
        for (uint32_t k = 0; k < count; k++) {
            ids[k] = world->attachments[0].held[k].id;
            uint32_t row = thaw_store_find(store, ids[k]);
            memcpy(before[k], &store->cells[3 * (size_t)row], sizeof before[k]);
        }
        // and those that are not held are gone, for speed
        for (uint32_t row = 0; row < store->count; row++) {
            if (world->held[row] == 0 && row % 8 != 0) thaw_store_kill(store, row);
        }
        assert_ok(thaw_store_compact(store, world->parallel));
        for (int k = 0; k < 10000; k++) {
            if (k % 100 == 0) shuffle(world, (uint64_t)k);
            play(world, 1e-3 * k, 1e-3);
            for (uint32_t m = 0; m < world->held_count; m++) {
                for (int a = 0; a < 3; a++) assert_true(world->held_moves[m].shift[a] == 0);
            }
            if (k % 1000 != 0 && k != 9999) continue;
            for (uint32_t m = 0; m < count; m++) {
                uint32_t row = thaw_store_find(store, ids[m]);
                assert_memory_equal(before[m], &store->cells[3 * (size_t)row], sizeof before[m]);
            }
        }
        thaw_world_destroy(world);
    }
}

// a pin takes back what a push has done in between
static void what_was_pushed_away_comes_back(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawAttachmentDef def = hold_def(everywhere());
    assert_ok(thaw_world_add_attachment(world, &def, NULL));
    play(world, 0, 0.001);
    ThawParticleId id = world->store->id[7];
    ThawVec3 before = place_of(world, id);
    uint32_t row = thaw_store_find(world->store, id);
    world->store->cells[3 * (size_t)row] += THAW_FIXED_ONE / 3;
    play(world, 0.001, 0.001);
    // a shift is a float: its last bit is 2^-26 of a cell here
    assert_near(place_of(world, id), before, world->domain.cell * 3e-8);
    play(world, 0.002, 0.001);
    assert_near(place_of(world, id), before, 0);
    thaw_world_destroy(world);
}

static void a_motion_carries_its_particles_about_the_regions_position(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = block_world(dimensions, NULL);
        double z = dimensions == 3 ? 0.5 : 0;
        ThawVec3 pivot = {0.2, -0.1, z}, move = {0.3, 0.7, dimensions == 3 ? 0.2 : 0};
        ThawQuat turn = thaw_quat_turn((ThawVec3){dimensions == 3 ? 0.3 : 0, 0, 1}, 1.1);
        ThawKeyframe keys[3] = {
            {0, {0, 0, 0}, {0, 0, 0, 1}}, {0.5, move, turn}, {1, {0, 0, 0}, {0, 0, 0, 1}}};
        ThawAttachmentDef def = hold_def(thaw_shape_sphere(pivot, 0.6));
        def.motion = keys;
        def.motion_count = 3;
        assert_ok(thaw_world_add_attachment(world, &def, NULL));
        keys[1].move.x = 99; // they are copied
        uint32_t count = thaw_world_count(world);
        ThawVec3 *before = malloc(count * sizeof *before);
        assert_non_null(before);
        ThawParticleId *ids = malloc(count * sizeof *ids);
        assert_non_null(ids);
        memcpy(ids, world->store->id, count * sizeof *ids);
        for (uint32_t k = 0; k < count; k++) before[k] = place_of(world, ids[k]);
        for (int n = 0; n < 100; n++) {
            if (n % 7 == 0) shuffle(world, (uint64_t)n + 3);
            play(world, 0.01 * n, 0.01);
            if (n != 49 && n != 99) continue;
            for (uint32_t k = 0; k < count; k++) {
                ThawVec3 arm = thaw_sub(before[k], pivot);
                ThawVec3 there = thaw_add(thaw_add(pivot, move), thaw_quat_rotate(turn, arm));
                // one substep's rounding of the shift, and nothing that has added up
                double rounding = world->domain.cell * 1e-7;
                assert_near(place_of(world, ids[k]), n == 49 ? there : before[k], rounding);
            }
        }
        // at rest where it began, in every bit
        play(world, 1.0, 0.01);
        play(world, 1.01, 0.01);
        for (uint32_t k = 0; k < count; k++) assert_near(place_of(world, ids[k]), before[k], 0);
        free(before);
        free(ids);
        thaw_world_destroy(world);
    }
}

// what begins late is taken where the motion has brought the region
static void a_late_region_has_moved_with_its_motion(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawKeyframe keys[2] = {{0, {-5, 0, 0}, {0, 0, 0, 1}}, {1, {5, 0, 0}, {0, 0, 0, 1}}};
    ThawAttachmentDef def = hold_def(thaw_shape_sphere((ThawVec3){0.013, 0.021, 0.5}, 0.2));
    def.motion = keys;
    def.motion_count = 2;
    ThawAttachmentId early, late;
    def.from = 0.1;
    assert_ok(thaw_world_add_attachment(world, &def, &early));
    def.from = 0.5;
    assert_ok(thaw_world_add_attachment(world, &def, &late));
    for (int k = 0; k < 10; k++) assert_ok(thaw_attachments_begin(world, 0.1 * k, 0.1));
    assert_int_equal(attached(world, early), 0);
    assert_int_equal(attached(world, late), thaw_world_count(world));
    thaw_world_destroy(world);
}

static ThawColliderId add_arm(ThawWorld *world, const ThawKeyframe *keys, int count) {
    ThawColliderDef def = thaw_collider_default();
    def.name = "arm";
    def.shape = thaw_shape_rotate(thaw_shape_box((ThawVec3){1, 0, 0.5}, (ThawVec3){0.2, 0.2, 0.2}),
                                  (ThawVec3){0, 0, 1}, 0.3);
    def.motion = keys;
    def.motion_count = count;
    ThawColliderId id;
    assert_ok(thaw_world_add_collider(world, &def, &id));
    return id;
}

static void glue_moves_with_its_collider(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawQuat turn = thaw_quat_turn((ThawVec3){0, 0, 1}, 0.8);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {0, 0, 0.4}, turn}};
    ThawColliderId arm = add_arm(world, keys, 2);
    ThawAttachmentDef def = hold_def(thaw_shape_sphere((ThawVec3){0.013, 0.021, 0.5}, 0.3));
    def.collider = arm;
    ThawAttachmentId id, later;
    assert_ok(thaw_world_add_attachment(world, &def, &id));
    def.from = 0.5;
    assert_ok(thaw_world_add_attachment(world, &def, &later));
    ThawParticleId particle = world->store->id[5];
    ThawVec3 before = place_of(world, particle), pivot = {1, 0, 0.5};
    for (int k = 0; k < 100; k++) play(world, 0.01 * k, 0.01);
    ThawVec3 arm_now = thaw_quat_rotate(turn, thaw_sub(before, pivot));
    assert_near(place_of(world, particle), thaw_add(thaw_vec(1, 0, 0.9), arm_now), 1e-8);
    assert_int_equal(attached(world, id), thaw_world_count(world));
    assert_int_equal(attached(world, later), 0);
    // without its collider it lets go, and so does what still waits
    assert_ok(thaw_world_remove_collider(world, arm));
    assert_int_equal(attached(world, id), 0);
    assert_ok(thaw_attachments_begin(world, 1, 0.01));
    assert_null(world->held);
    thaw_world_destroy(world);
}

// the region rides with the collider from where both are at time 0
static void a_late_region_has_moved_with_its_collider(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawQuat turn = thaw_quat_turn((ThawVec3){0, 0, 1}, PI / 2);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {0, 0, 0}, turn}};
    ThawColliderId arm = add_arm(world, keys, 2);
    // turned by a quarter about (1, 0): (1, 1) comes to (0, 0)
    ThawAttachmentDef def = hold_def(thaw_shape_sphere((ThawVec3){1, 1, 0.5}, 0.2));
    def.collider = arm;
    def.from = 1;
    ThawAttachmentId id;
    assert_ok(thaw_world_add_attachment(world, &def, &id));
    assert_ok(thaw_attachments_begin(world, 1, 0.01));
    assert_int_equal(attached(world, id), thaw_world_count(world));
    assert_true(world->held_moves[0].shift[0] == 0 && world->held_moves[0].shift[1] == 0);
    thaw_world_destroy(world);
}

// held through a periodic face: the particles on its two sides are one thing
static void regions_reach_through_periodic_faces(void **state) {
    (void)state;
    ThawWorldDef def = small_def(3);
    def.periodic[0] = true;
    def.lower.x = -0.5, def.upper.x = 0.5;
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0.5, 0, 0});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawQuat turn = thaw_quat_turn((ThawVec3){0, 1, 0}, 0.5);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {0.3, 0, 0}, turn}};
    ThawVec3 pivot = {3.5, 0, 0}; // three periods on
    ThawAttachmentDef hold = hold_def(thaw_shape_sphere(pivot, 0.2));
    hold.motion = keys;
    hold.motion_count = 2;
    ThawAttachmentId id;
    assert_ok(thaw_world_add_attachment(world, &hold, &id));
    uint32_t count = thaw_world_count(world);
    ThawVec3 *before = malloc(count * sizeof *before);
    ThawParticleId *ids = malloc(count * sizeof *ids);
    assert_true(before != NULL && ids != NULL);
    memcpy(ids, world->store->id, count * sizeof *ids);
    for (uint32_t k = 0; k < count; k++) before[k] = place_of(world, ids[k]);
    for (int k = 0; k < 50; k++) play(world, 0.02 * k, 0.02);
    assert_int_equal(attached(world, id), count);
    for (uint32_t k = 0; k < count; k++) {
        ThawVec3 arm = thaw_sub(before[k], thaw_vec(0.5, 0, 0));
        if (arm.x < -0.5) arm.x += 1;
        ThawVec3 there = thaw_add(thaw_vec(0.8, 0, 0), thaw_quat_rotate(turn, arm));
        there.x -= floor(there.x + 0.5);
        assert_near(place_of(world, ids[k]), there, 1e-8);
    }
    free(before);
    free(ids);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- letting go

static void removed_particles_drop_out(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawAttachmentDef def = hold_def(everywhere());
    ThawAttachmentId id;
    assert_ok(thaw_world_add_attachment(world, &def, &id));
    play(world, 0, 0.001);
    uint32_t count = thaw_world_count(world);
    ThawParticleId gone[3] = {world->store->id[2], world->store->id[9], world->store->id[30]};
    assert_ok(thaw_world_remove_particles(world, gone, 3, NULL));
    assert_int_equal(attached(world, id), count - 3);
    play(world, 0.001, 0.001);
    assert_int_equal(world->attachments[0].held_count, count - 3);
    assert_ok(thaw_world_remove_body(world, (ThawBodyId){1}));
    assert_int_equal(attached(world, id), 0);
    thaw_world_destroy(world);
}

static void removed_attachments_let_go_and_are_refused(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawAttachmentDef def = hold_def(everywhere());
    ThawAttachmentId first, second;
    assert_ok(thaw_world_add_attachment(world, &def, &first));
    assert_ok(thaw_world_add_attachment(world, &def, &second));
    play(world, 0, 0.001);
    assert_ok(thaw_world_remove_attachment(world, first));
    assert_ok(thaw_attachments_begin(world, 0.001, 0.001));
    assert_null(world->held); // what the first held was not the second's
    uint32_t count;
    assert_missing(thaw_world_attached(world, first, &count), "attachment 1");
    assert_missing(thaw_world_remove_attachment(world, first), "attachment 1");
    assert_ok(thaw_world_attached(world, second, &count));
    assert_ok(thaw_world_add_attachment(world, &def, &first));
    assert_int_equal(first.value, 3);
    thaw_world_destroy(world);
}

static void substeps_allocate_nothing(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawAttachmentDef def = hold_def(everywhere());
    assert_ok(thaw_world_add_attachment(world, &def, NULL));
    play(world, 0, 0.001);
    play(world, 0.001, 0.001);
    uint64_t before = thaw_alloc_count();
    for (int k = 2; k < 20; k++) {
        thaw_store_moved(world->store);
        play(world, 0.001 * k, 0.001);
    }
    assert_true(thaw_alloc_count() == before);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- checks

static void bad_attachments_are_refused_by_field(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {0, 0, 0}, {0, 0, 0, 1}}};
    ThawColliderId arm = add_arm(world, NULL, 0);
    const ThawAttachmentDef good = hold_def(everywhere());
    ThawAttachmentDef def = good;
    char name[65] = {0};
    memset(name, 'n', 64);
    def.name = name;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "name");
    def = good, def.name = "grip", def.region.radius = -1;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "radius");
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "attachment \"grip\"");
    def = good, def.from = NAN;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "from");
    def = good, def.to = 0;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "to must be after from");
    def = good, def.to = NAN;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "to must");
    def = good, def.motion = keys;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "motion_count");
    def.motion_count = 2;
    assert_ok(thaw_world_add_attachment(world, &def, NULL));
    def.collider = arm;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "collider");
    def.collider.value = 0;
    keys[1].time = 0;
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "motion[1].time");
    keys[1] = (ThawKeyframe){1, {0, NAN, 0}, {0, 0, 0, 1}};
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "move");
    keys[1] = (ThawKeyframe){1, {0, 0, 0}, {0, 0, 0, 2}};
    assert_refused(thaw_world_add_attachment(world, &def, NULL), "rotation");
    def = good, def.body.value = 9;
    assert_missing(thaw_world_add_attachment(world, &def, NULL), "body 9");
    def = good, def.collider.value = 9;
    assert_missing(thaw_world_add_attachment(world, &def, NULL), "collider 9");
    assert_int_equal(world->attachment_count, 1);
    thaw_world_destroy(world);
}

static void balls_of_a_region_are_copied(void **state) {
    (void)state;
    ThawWorld *world = block_world(3, NULL);
    ThawBall balls[2] = {{{0.013, 0.021, 0.5}, 0.2}, {{0.2, 0, 0.5}, 0.1}};
    ThawAttachmentDef def = hold_def(thaw_shape_blend(balls, 2, 0.05));
    ThawAttachmentId id;
    assert_ok(thaw_world_add_attachment(world, &def, &id));
    memset(balls, 0, sizeof balls);
    assert_ok(thaw_attachments_begin(world, 0, 0.01));
    assert_int_equal(attached(world, id), thaw_world_count(world));
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_inside_is_held),
        cmocka_unit_test(a_body_can_be_named),
        cmocka_unit_test(nothing_is_held_twice),
        cmocka_unit_test(nothing_to_hold_is_no_mask),
        cmocka_unit_test(times_are_kept),
        cmocka_unit_test(a_pin_holds_every_bit_for_10000_substeps),
        cmocka_unit_test(what_was_pushed_away_comes_back),
        cmocka_unit_test(a_motion_carries_its_particles_about_the_regions_position),
        cmocka_unit_test(a_late_region_has_moved_with_its_motion),
        cmocka_unit_test(glue_moves_with_its_collider),
        cmocka_unit_test(a_late_region_has_moved_with_its_collider),
        cmocka_unit_test(regions_reach_through_periodic_faces),
        cmocka_unit_test(removed_particles_drop_out),
        cmocka_unit_test(removed_attachments_let_go_and_are_refused),
        cmocka_unit_test(substeps_allocate_nothing),
        cmocka_unit_test(bad_attachments_are_refused_by_field),
        cmocka_unit_test(balls_of_a_region_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
