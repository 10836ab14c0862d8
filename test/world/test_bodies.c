// Particles in and out: bodies cut from shapes, particles one by one, removal.
#include "helpers.h"

#include "world/world.h"

#include <float.h>
#include <stdlib.h>

// ---------------------------------------------------------------- bodies

static void a_bodys_count_is_its_volume_over_the_spacing_cubed(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawBodyDef def = box_def(add_water(world), (ThawVec3){0, 0, 0});
    def.shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.4, 0.3, 0.2});
    assert_ok(thaw_world_add_body(world, &def, NULL));
    double wanted = 0.4 * 0.3 * 0.2 / 1e-6;
    assert_true(fabs(thaw_world_count(world) - wanted) < 0.03 * wanted);
    // half the spacing, eight times as many
    uint32_t before = thaw_world_count(world);
    def.spacing = 0.005f;
    assert_ok(thaw_world_add_body(world, &def, NULL));
    assert_true(fabs(thaw_world_count(world) - before - 8 * wanted) < 0.03 * 8 * wanted);
    thaw_world_destroy(world);
}

static void a_flat_bodys_count_is_its_area_over_the_spacing_squared(void **state) {
    (void)state;
    ThawWorld *world = small_world(2);
    ThawBodyDef def = box_def(add_water(world), (ThawVec3){0, 0, 0.3});
    def.shape = thaw_shape_box((ThawVec3){0.2, 0.1, 0.3}, (ThawVec3){0.5, 0.5, 1});
    assert_ok(thaw_world_add_body(world, &def, NULL));
    assert_true(fabs(thaw_world_count(world) - 2500.0) < 0.03 * 2500);
    for (uint32_t row = 0; row < world->store->count; row++) {
        assert_true(world->store->cells[row * 3 + 2] == 0);
    }
    thaw_world_destroy(world);
}

static void particles_carry_what_their_body_says(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    add_water(world);
    ThawMaterialDef oil = thaw_material_default();
    oil.name = "oil";
    ThawBodyDef def = box_def((ThawMaterialId){0}, (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_material(world, &oil, &def.material));
    def.velocity = (ThawVec3){1, 2, 3};
    def.spacing = 0.02f;
    ThawBodyId first, body;
    assert_ok(thaw_world_add_body(world, &def, &first));
    uint32_t begin = thaw_world_count(world);
    assert_ok(thaw_world_add_body(world, &def, &body));
    const ThawStore *store = world->store;
    for (uint32_t row = begin; row < store->count; row++) {
        assert_int_equal(store->object[row], body.value);
        assert_int_equal(store->material[row], 1);
        assert_int_equal(store->state[row], 0);
        assert_true(store->spacing[row] == 0.02f);
        assert_true(store->velocity[row * 3] == 1 && store->velocity[row * 3 + 2] == 3);
        // the second source, counted from 1
        assert_true(store->id[row] == ((uint64_t)2 << 40) + 1 + (row - begin));
    }
    thaw_world_destroy(world);
}

// the promise of fixed-point positions: a body far away has the same fractions in every bit
static void moving_a_body_by_whole_cells_keeps_every_fraction(void **state) {
    (void)state;
    const double spacings[3] = {0.0078125, 0.01, 0.37};
    const double moves[4] = {1, -3, 1000, 100000};
    for (int s = 0; s < 3; s++) {
        ThawWorldDef world_def = small_def(3);
        world_def.spacing = spacings[s];
        double h = 2 * spacings[s];
        ThawWorld *home = make_world(&world_def);
        ThawBodyDef def = thaw_body_default();
        def.material = add_water(home);
        def.shape = thaw_shape_box((ThawVec3){h, 2 * h, -h}, (ThawVec3){5.3 * h, 4.1 * h, 6.7 * h});
        def.shape = thaw_shape_rotate(def.shape, (ThawVec3){1, 2, 3}, 0.7);
        def.jitter = 0.3;
        def.spin = (ThawVec3){1, 2, 3};
        assert_ok(thaw_world_add_body(home, &def, NULL));
        for (int m = 0; m < 4; m++) {
            ThawWorld *away = make_world(&world_def);
            add_water(away);
            ThawBodyDef moved = def;
            moved.shape.pose.position.x = (1 + moves[m]) * h;
            moved.shape.pose.position.y = (2 - 2 * moves[m]) * h;
            assert_ok(thaw_world_add_body(away, &moved, NULL));
            uint32_t count = thaw_world_count(home);
            assert_int_equal(thaw_world_count(away), count);
            int64_t whole = (int64_t)moves[m] * THAW_FIXED_ONE;
            for (uint32_t row = 0; row < count; row++) {
                const int64_t *a = &home->store->cells[row * 3], *b = &away->store->cells[row * 3];
                assert_true(b[0] - a[0] == whole && b[1] - a[1] == -2 * whole && b[2] == a[2]);
            }
            assert_memory_equal(home->store->velocity, away->store->velocity,
                                count * 3 * sizeof(float));
            thaw_world_destroy(away);
        }
        thaw_world_destroy(home);
    }
}

static void spin_turns_about_the_shapes_position(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawVec3 center = {0.5, 0.25, -1};
    ThawBodyDef def = box_def(add_water(world), center);
    def.spin = (ThawVec3){0, 0, 2};
    def.velocity = (ThawVec3){0, 0, 1};
    assert_ok(thaw_world_add_body(world, &def, NULL));
    uint32_t count = thaw_world_count(world);
    double(*x)[3] = malloc(count * sizeof *x);
    assert_non_null(x);
    thaw_world_positions(world, x);
    const float *v = view_of(world, "velocity").data;
    for (uint32_t row = 0; row < count; row++) {
        assert_true(fabs(v[row * 3] + 2 * (x[row][1] - center.y)) < 1e-7);
        assert_true(fabs(v[row * 3 + 1] - 2 * (x[row][0] - center.x)) < 1e-7);
        assert_true(v[row * 3 + 2] == 1);
    }
    free(x);
    thaw_world_destroy(world);
}

static void jitter_stays_within_its_reach_and_follows_the_seed(void **state) {
    (void)state;
    ThawWorldDef world_def = small_def(3);
    ThawWorld *worlds[4];
    const double jitters[4] = {0, 0.5, 0.5, 0.5};
    const uint64_t seeds[4] = {1, 1, 1, 2};
    for (int k = 0; k < 4; k++) {
        world_def.seed = seeds[k];
        worlds[k] = make_world(&world_def);
        ThawBodyDef def = box_def(add_water(worlds[k]), (ThawVec3){0, 0, 0});
        def.jitter = jitters[k];
        assert_ok(thaw_world_add_body(worlds[k], &def, NULL));
    }
    size_t numbers = (size_t)worlds[0]->store->count * 3;
    double farthest = 0, sum = 0;
    for (size_t k = 0; k < numbers; k++) {
        // cells are two spacings
        double shift =
            2 * thaw_fixed_cells(worlds[1]->store->cells[k] - worlds[0]->store->cells[k]);
        farthest = fmax(farthest, fabs(shift));
        sum += shift;
    }
    assert_true(farthest <= 0.5 + 1e-9 && farthest > 0.49);
    // uniform in ±0.5: the mean's deviation is 0.289 / √n
    assert_true(fabs(sum / (double)numbers) < 5 * 0.289 / sqrt((double)numbers));
    size_t bytes = numbers * sizeof(int64_t);
    assert_memory_equal(worlds[1]->store->cells, worlds[2]->store->cells, bytes);
    assert_memory_not_equal(worlds[1]->store->cells, worlds[3]->store->cells, bytes);
    for (int k = 0; k < 4; k++) thaw_world_destroy(worlds[k]);
}

static void bodies_wrap_round_periodic_axes(void **state) {
    (void)state;
    ThawWorldDef world_def = small_def(3);
    world_def.periodic[0] = true;
    world_def.lower.x = 0, world_def.upper.x = 1;
    ThawWorld *world = make_world(&world_def);
    // at the edge, and three periods away
    ThawBodyDef def = box_def(add_water(world), (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &def, NULL));
    def.shape.pose.position.x = 3.02;
    assert_ok(thaw_world_add_body(world, &def, NULL));
    uint32_t left = 0, right = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double x = thaw_fixed_cells(world->store->cells[row * 3]) * world->domain.cell;
        assert_true(x >= 0 && x < 1);
        left += x < 0.1;
        right += x > 0.9;
    }
    assert_true(left > 0 && right > 0);
    assert_int_equal(left + right, world->store->count);
    thaw_world_destroy(world);
}

static void refuse_body(ThawWorld *world, ThawBodyDef def, const char *word) {
    ThawBodyId body = {99};
    uint64_t before = thaw_world_hash(world);
    assert_refused(thaw_world_add_body(world, &def, &body), word);
    assert_int_equal(body.value, 99);
    assert_true(thaw_world_hash(world) == before);
}

#define REFUSE(field, value, word)                                                                 \
    do {                                                                                           \
        ThawBodyDef bad = box_def(water, (ThawVec3){0, 0, 0});                                     \
        bad.field = value;                                                                         \
        refuse_body(world, bad, word);                                                             \
    } while (0)

static void bad_bodies_are_refused_by_name_and_change_nothing(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawMaterialId water = add_water(world);
    const char long_name[] = "a name that goes on and on and on and on and on and on and on and on";
    REFUSE(name, long_name, "name");
    REFUSE(spacing, -1, "spacing");
    REFUSE(spacing, NAN, "spacing");
    REFUSE(spacing, 0.01f / 17, "spacing");
    REFUSE(spacing, 0.01f * 17, "spacing");
    REFUSE(velocity.x, NAN, "velocity");
    REFUSE(velocity.x, 1e39, "velocity");
    REFUSE(spin.z, INFINITY, "spin");
    REFUSE(spin.z, 1e300, "spin");
    REFUSE(packing, (ThawPacking)7, "packing");
    REFUSE(orientation.w, NAN, "orientation");
    REFUSE(orientation.w, 0, "orientation");
    REFUSE(jitter, -0.1, "jitter");
    REFUSE(jitter, 0.6, "jitter");
    REFUSE(jitter, NAN, "jitter");
    REFUSE(shape.size.x, 0, "size");
    REFUSE(shape.size.x, -1, "size");
    REFUSE(shape.pose.position.x, NAN, "position");
    REFUSE(shape.pose.position.x, 1e6, "outside the domain"); // 5e7 cells
    REFUSE(shape.pose.position.x, 1e300, "outside the domain");
    REFUSE(shape.pose.position.x, 20971.5, "outside the domain"); // 2^20 cells: on the edge
    REFUSE(shape, thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1}), "bounded");
    REFUSE(shape, thaw_shape_sphere((ThawVec3){0, 0, 0}, 1e-9), "too small");
    REFUSE(shape, thaw_shape_sphere((ThawVec3){0, 0, 0}, 1e4), "2^31");
    ThawBodyDef def = box_def((ThawMaterialId){2}, (ThawVec3){0, 0, 0});
    assert_missing(thaw_world_add_body(world, &def, NULL), "material");
    def.material.value = 0;
    assert_missing(thaw_world_add_body(world, &def, NULL), "material");
    assert_int_equal(thaw_world_count(world), 0);
    thaw_world_destroy(world);
}

static void spacings_up_to_sixteen_times_the_worlds_are_taken(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawBodyDef def = box_def(add_water(world), (ThawVec3){0, 0, 0});
    def.shape = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.4);
    def.spacing = (float)(0.01 * 16);
    assert_ok(thaw_world_add_body(world, &def, NULL));
    def.shape = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.004);
    def.spacing = (float)(0.01 / 16);
    assert_ok(thaw_world_add_body(world, &def, NULL));
    thaw_world_destroy(world);
}

static void flat_bodies_stay_in_their_plane(void **state) {
    (void)state;
    ThawWorld *world = small_world(2);
    ThawMaterialId water = add_water(world);
    REFUSE(velocity.z, 1, "velocity.z");
    REFUSE(spin.x, 1, "spin");
    ThawBodyDef def = box_def(water, (ThawVec3){0, 0, 0});
    def.shape = thaw_shape_rotate(def.shape, (ThawVec3){1, 1, 0}, 0.5);
    def.spin.z = 3;
    def.jitter = 0.5;
    assert_ok(thaw_world_add_body(world, &def, NULL));
    for (uint32_t row = 0; row < world->store->count; row++) {
        assert_true(world->store->cells[row * 3 + 2] == 0);
        assert_true(world->store->velocity[row * 3 + 2] == 0);
    }
    thaw_world_destroy(world);
}

static void removing_a_body_removes_its_particles_only(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawBodyDef def = box_def(add_water(world), (ThawVec3){0, 0, 0});
    ThawBodyId a, b, c;
    assert_ok(thaw_world_add_body(world, &def, &a));
    uint32_t count = thaw_world_count(world);
    def.shape.pose.position.x = 1;
    assert_ok(thaw_world_add_body(world, &def, &b));
    assert_ok(thaw_world_remove_body(world, a));
    assert_int_equal(thaw_world_count(world), count);
    const int32_t *object = view_of(world, "object").data;
    for (uint32_t row = 0; row < count; row++) assert_int_equal(object[row], b.value);
    // the old name stays dead, whatever comes after
    assert_missing(thaw_world_remove_body(world, a), "body");
    assert_ok(thaw_world_add_body(world, &def, &c));
    assert_int_not_equal(c.value, a.value);
    assert_missing(thaw_world_remove_body(world, a), "removed");
    assert_int_equal(thaw_world_count(world), 2 * count);
    assert_ok(thaw_world_remove_body(world, b));
    assert_ok(thaw_world_remove_body(world, c));
    assert_int_equal(thaw_world_count(world), 0);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- one by one

static void single_particles_keep_their_numbers(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    const double x[3][3] = {{0.1, 0.2, 0.3}, {-1, -2, -3}, {1000, 0, 0.00001}};
    const float v[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, FLT_MAX}};
    ThawParticlesDef def = {
        .material = add_water(world), .count = 3, .positions = x, .velocities = v};
    ThawParticleId first;
    assert_ok(thaw_world_add_particles(world, &def, &first));
    double read[3][3];
    thaw_world_positions(world, read);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, first + k, &row));
        for (int a = 0; a < 3; a++) {
            // half a unit of 2^-32 cells of 0.02 m, and the rounding of 1000 m
            assert_true(fabs(read[row][a] - x[k][a]) < 3e-12);
            assert_true(world->store->velocity[row * 3 + (uint32_t)a] == v[k][a]);
        }
        assert_true(world->store->spacing[row] == 0.01f);
        assert_int_equal(world->store->object[row], 0);
    }
    // the next addition has a source of its own
    ThawParticleId next;
    def.velocities = NULL;
    assert_ok(thaw_world_add_particles(world, &def, &next));
    assert_true(next >> 40 == (first >> 40) + 1);
    thaw_world_destroy(world);
}

static void bad_particles_are_refused_by_row_and_change_nothing(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    double x[4][3] = {{0}};
    float v[4][3] = {{0}};
    ThawParticlesDef def = {.material = add_water(world),
                            .count = 4,
                            .positions = (const double(*)[3])x,
                            .velocities = (const float(*)[3])v};
    uint64_t before = thaw_world_hash(world);
    x[2][1] = NAN;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "positions, row 2");
    x[2][1] = 1e300;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "row 2 is outside");
    x[2][1] = 20971.5;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "row 2 is outside");
    x[2][1] = 0;
    v[3][2] = INFINITY;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "velocities, row 3");
    v[3][2] = 0;
    def.count = 0;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "count");
    def.count = 4;
    def.spacing = 1;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "spacing");
    def.spacing = 0;
    def.positions = NULL;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "positions");
    def.positions = (const double(*)[3])x;
    def.material.value = 9;
    assert_missing(thaw_world_add_particles(world, &def, NULL), "material");
    assert_true(thaw_world_hash(world) == before);
    thaw_world_destroy(world);
}

static void flat_particles_must_lie_in_the_plane(void **state) {
    (void)state;
    ThawWorld *world = small_world(2);
    double x[2][3] = {{0, 0, 0}, {1, 1, 0.5}};
    float v[2][3] = {{0}};
    ThawParticlesDef def = {.material = add_water(world),
                            .count = 2,
                            .positions = (const double(*)[3])x,
                            .velocities = (const float(*)[3])v};
    assert_refused(thaw_world_add_particles(world, &def, NULL), "row 1: z must be 0");
    x[1][2] = 0;
    v[0][2] = 1;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "row 0: z must be 0");
    thaw_world_destroy(world);
}

static void removal_skips_unknown_ids_and_counts_the_others(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    const double x[5][3] = {{0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    ThawParticlesDef def = {.material = add_water(world), .count = 5, .positions = x};
    ThawParticleId first;
    assert_ok(thaw_world_add_particles(world, &def, &first));
    // one twice, one unknown, one zero
    const ThawParticleId gone[5] = {first + 3, first + 1, first + 3, first + 77, 0};
    uint32_t removed;
    assert_ok(thaw_world_remove_particles(world, gone, 5, &removed));
    assert_int_equal(removed, 2);
    assert_int_equal(thaw_world_count(world), 3);
    uint32_t row;
    assert_missing(thaw_world_index(world, first + 3, &row), "particle");
    assert_ok(thaw_world_index(world, first + 4, &row));
    double read[3][3];
    thaw_world_positions(world, read);
    assert_true(fabs(read[row][0] - 4) < 1e-9);
    assert_ok(thaw_world_remove_particles(world, gone, 5, &removed));
    assert_int_equal(removed, 0);
    assert_ok(thaw_world_remove_particles(world, NULL, 0, NULL));
    thaw_world_destroy(world);
}

static void ids_are_never_used_twice(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    const double x[1][3] = {{0}};
    ThawParticlesDef def = {.material = add_water(world), .count = 1, .positions = x};
    ThawParticleId last = 0;
    for (int k = 0; k < 100; k++) {
        ThawParticleId id;
        assert_ok(thaw_world_add_particles(world, &def, &id));
        assert_true(id > last);
        assert_ok(thaw_world_remove_particles(world, &id, 1, NULL));
        last = id;
    }
    thaw_world_destroy(world);
}

static void sources_run_out_with_a_sentence(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    const double x[1][3] = {{0}};
    ThawParticlesDef def = {.material = add_water(world), .count = 1, .positions = x};
    world->next_source = THAW_WORLD_SOURCES - 1;
    assert_ok(thaw_world_add_particles(world, &def, NULL));
    assert_refused(thaw_world_add_particles(world, &def, NULL), "sources");
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bodys_count_is_its_volume_over_the_spacing_cubed),
        cmocka_unit_test(a_flat_bodys_count_is_its_area_over_the_spacing_squared),
        cmocka_unit_test(particles_carry_what_their_body_says),
        cmocka_unit_test(moving_a_body_by_whole_cells_keeps_every_fraction),
        cmocka_unit_test(spin_turns_about_the_shapes_position),
        cmocka_unit_test(jitter_stays_within_its_reach_and_follows_the_seed),
        cmocka_unit_test(bodies_wrap_round_periodic_axes),
        cmocka_unit_test(bad_bodies_are_refused_by_name_and_change_nothing),
        cmocka_unit_test(spacings_up_to_sixteen_times_the_worlds_are_taken),
        cmocka_unit_test(flat_bodies_stay_in_their_plane),
        cmocka_unit_test(removing_a_body_removes_its_particles_only),
        cmocka_unit_test(single_particles_keep_their_numbers),
        cmocka_unit_test(bad_particles_are_refused_by_row_and_change_nothing),
        cmocka_unit_test(flat_particles_must_lie_in_the_plane),
        cmocka_unit_test(removal_skips_unknown_ids_and_counts_the_others),
        cmocka_unit_test(ids_are_never_used_twice),
        cmocka_unit_test(sources_run_out_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
