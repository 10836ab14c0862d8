// Matter far from the origin behaves in every bit as at the origin, and what is far apart does not know
// of each other (V-12).
#include "helpers.h"

#include "world/world.h"

#include <stdlib.h>

#define SPACING 0.015625 // m: a cell is 1/32 m, so that whole cells are exact in metres
#define CELL (2 * SPACING)
#define FAR 100000 // cells
#define STEPS 50
#define DT 0.004

// exact for binary fractions: otherwise the far shape is not the near one moved, by rounding
static ThawVec3 moved(double x, double y, double z, const int cells[3]) {
    return (ThawVec3){x + cells[0] * CELL, y + cells[1] * CELL, z + cells[2] * CELL};
}

static ThawWorldDef drop_def(void) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    def.threads = 2;
    return def;
}

static void add_drop(ThawWorld *world, ThawMaterialId water, const int at[3]) {
    ThawBodyDef drop = thaw_body_default();
    drop.material = water;
    drop.shape = thaw_shape_sphere(moved(0, 0, 0.109375, at), 0.055);
    drop.velocity = (ThawVec3){0.3, -0.2, -0.5};
    drop.spin = (ThawVec3){0, 3, 1};
    assert_ok(thaw_world_add_body(world, &drop, NULL));
}

// a drop that falls into a box with a ball in it
static ThawWorld *drop_in_box(const int at[3]) {
    ThawWorldDef def = drop_def();
    ThawWorld *world = make_world(&def);
    add_drop(world, add_water(world), at);
    ThawColliderDef box = thaw_collider_default();
    box.container = true;
    box.friction = 0.1f;
    box.shape = thaw_shape_box(moved(0, 0, 0.1015625, at), (ThawVec3){0.25, 0.22, 0.3});
    box.shape = thaw_shape_rotate(box.shape, (ThawVec3){0, 1, 0.2}, 0.1);
    assert_ok(thaw_world_add_collider(world, &box, NULL));
    ThawColliderDef ball = thaw_collider_default();
    ball.restitution = 0.5f;
    ball.shape = thaw_shape_sphere(moved(0.03125, 0.0078125, -0.015625, at), 0.04);
    assert_ok(thaw_world_add_collider(world, &ball, NULL));
    return world;
}

static void run(ThawWorld *world, int steps) {
    for (int k = 0; k < steps; k++) assert_ok(thaw_world_step(world, DT, NULL));
}

// the particles of `here`, whose sources are `source_shift` less, are in `there` moved by whole cells
static void assert_same_bits(ThawWorld *here, ThawWorld *there, const int at[3],
                             uint32_t source_shift) {
    for (uint32_t row = 0; row < thaw_world_count(here); row++) {
        ThawParticleId id = here->store->id[row] + ((uint64_t)source_shift << THAW_ID_SOURCE_SHIFT);
        uint32_t other;
        assert_ok(thaw_world_index(there, id, &other));
        for (uint32_t a = 0; a < 3; a++) {
            int64_t apart = there->store->cells[3 * other + a] - here->store->cells[3 * row + a];
            if (apart != at[a] * THAW_FIXED_ONE) {
                fail_msg("axis %u of row %u is off by %g cells", a, row,
                         thaw_fixed_cells(apart - at[a] * THAW_FIXED_ONE));
            }
        }
        assert_memory_equal(&there->store->velocity[3 * other], &here->store->velocity[3 * row],
                            3 * sizeof(float));
    }
}

static void drop_far_away_moves_in_the_same_bits(void **state) {
    (void)state;
    const int places[][3] = {
        {FAR, 0, 0}, {0, -FAR, 0}, {0, 0, FAR}, {-FAR, FAR, -FAR}, {1000000, -1000000, 999999}};
    ThawWorld *here = drop_in_box((const int[3]){0, 0, 0});
    assert_in_range(thaw_world_count(here), 100, 400);
    run(here, STEPS);
    // the drop did hit the ball and the walls
    assert_true(here->report.contacts > 20);
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        ThawWorld *there = drop_in_box(places[k]);
        assert_int_equal(thaw_world_count(there), thaw_world_count(here));
        run(there, STEPS);
        assert_same_bits(here, there, places[k], 0);
        thaw_world_destroy(there);
    }
    thaw_world_destroy(here);
}

// ---------------------------------------------------------------- V-12

static ThawWorld *drops(int count, const int (*at)[3], int substeps) {
    ThawWorldDef def = drop_def();
    def.solver.substeps = substeps;
    ThawWorld *world = make_world(&def);
    ThawMaterialId water = add_water(world);
    for (int k = 0; k < count; k++) add_drop(world, water, at[k]);
    ThawColliderDef floor = thaw_collider_default();
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    assert_ok(thaw_world_add_collider(world, &floor, NULL));
    return world;
}

static size_t bytes_of(const ThawWorld *world) {
    return thaw_store_bytes(world->store) + thaw_neighbors_bytes(world->neighbors);
}

static void two_drops_far_apart_behave_as_alone(void **state) {
    (void)state;
    const int at[2][3] = {{0, 0, 0}, {FAR, -FAR, 0}};
    ThawWorld *first = drops(1, &at[0], 3), *second = drops(1, &at[1], 3), *both = drops(2, at, 3);
    run(first, STEPS);
    run(second, STEPS);
    run(both, STEPS);
    assert_same_bits(first, both, (const int[3]){0, 0, 0}, 0);
    assert_same_bits(second, both, (const int[3]){0, 0, 0}, 1);
    size_t sum = bytes_of(first) + bytes_of(second);
    if (!((double)bytes_of(both) < 1.2 * (double)sum)) {
        fail_msg("%zu bytes together, %zu apart", bytes_of(both), sum);
    }
    thaw_world_destroy(first);
    thaw_world_destroy(second);
    thaw_world_destroy(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drop_far_away_moves_in_the_same_bits),
        cmocka_unit_test(two_drops_far_apart_behave_as_alone),
    };
    return cmocka_run_group_tests_name("far away", tests, NULL, NULL);
}
