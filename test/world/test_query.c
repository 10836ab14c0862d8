// Looking and touching: regions, pushes, views, channels.
#include "helpers.h"

#include "world/world.h"

#include <stdlib.h>

// a scattered cloud, so that regions cut through it
static ThawWorld *cloud_world(bool periodic) {
    ThawWorldDef def = small_def(3);
    if (periodic) {
        def.periodic[0] = def.periodic[1] = true;
        def.lower = (ThawVec3){-0.1, -0.1, 0};
        def.upper = (ThawVec3){0.1, 0.1, 0};
    }
    ThawWorld *world = make_world(&def);
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0, 0});
    body.shape.size = (ThawVec3){0.2, 0.2, 0.2};
    body.jitter = 0.5;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    return world;
}

// ---------------------------------------------------------------- regions

static void find_gives_the_ids_inside_in_ascending_order(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    const ThawShape shapes[4] = {
        thaw_shape_sphere((ThawVec3){0.03, 0.01, 0}, 0.05),
        thaw_shape_rotate(thaw_shape_box((ThawVec3){0, 0.05, 0}, (ThawVec3){0.1, 0.05, 0.2}),
                          (ThawVec3){1, 1, 0}, 1),
        thaw_shape_plane((ThawVec3){0, 0, 0.02}, (ThawVec3){0, 1, 1}),
        thaw_shape_cone((ThawVec3){0, 0, -0.1}, (ThawVec3){0.02, 0, 0.1}, 0.08),
    };
    uint32_t count = thaw_world_count(world);
    double(*x)[3] = malloc(count * sizeof *x);
    ThawParticleId *ids = malloc(count * sizeof *ids);
    assert_true(x != NULL && ids != NULL);
    thaw_world_positions(world, x);
    for (int s = 0; s < 4; s++) {
        uint32_t found, inside = 0;
        assert_ok(thaw_world_find(world, &shapes[s], ids, count, &found));
        for (uint32_t row = 0; row < count; row++) {
            ThawVec3 p = {x[row][0], x[row][1], x[row][2]};
            inside += thaw_shape_distance(&shapes[s], p) <= 0;
        }
        assert_true(inside > 0 && inside < count);
        assert_int_equal(found, inside);
        for (uint32_t k = 0; k < found; k++) {
            uint32_t row;
            assert_true(k == 0 || ids[k] > ids[k - 1]);
            assert_ok(thaw_world_index(world, ids[k], &row));
            ThawVec3 p = {x[row][0], x[row][1], x[row][2]};
            assert_true(thaw_shape_distance(&shapes[s], p) <= 0);
        }
    }
    free(x);
    free(ids);
    thaw_world_destroy(world);
}

static void find_writes_no_more_than_fits_and_tells_them_all(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    ThawShape ball = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.04);
    ThawParticleId ids[4] = {0, 0, 0, 7}, all[1000];
    uint32_t count, again;
    assert_ok(thaw_world_find(world, &ball, ids, 3, &count));
    assert_true(count > 100 && count < 1000);
    assert_true(ids[3] == 7);
    assert_ok(thaw_world_find(world, &ball, all, 1000, &again));
    assert_int_equal(again, count);
    assert_memory_equal(ids, all, 3 * sizeof *ids);
    assert_ok(thaw_world_find(world, &ball, NULL, 0, &again));
    assert_int_equal(again, count);
    ball.radius = -1;
    assert_refused(thaw_world_find(world, &ball, ids, 3, &count), "radius");
    thaw_world_destroy(world);
}

// a region sees through periodic faces: the ball at the corner holds as much as the same ball shifted
// back by whole periods, and a body is found by its own shape
static void regions_reach_through_periodic_faces(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(true);
    ThawShape corner = thaw_shape_sphere((ThawVec3){-0.1, 0.1, 0}, 0.05);
    ThawShape far = thaw_shape_sphere((ThawVec3){0.7, -0.9, 0}, 0.05);
    ThawShape cut = thaw_shape_sphere((ThawVec3){-0.1, 0.1, 0}, 0.05);
    uint32_t at_corner, away;
    assert_ok(thaw_world_find(world, &corner, NULL, 0, &at_corner));
    assert_ok(thaw_world_find(world, &far, NULL, 0, &away));
    assert_int_equal(at_corner, away);
    // a whole ball, not a quarter of it
    double whole = thaw_shape_volume(&cut, 3) / 1e-6;
    assert_true(fabs(at_corner - whole) < 0.1 * whole);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- pushes

static void a_push_gives_its_impulse_and_leaves_others_alone(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    ThawMaterialDef lead = thaw_material_default();
    lead.name = "lead";
    lead.density = 11340;
    ThawBodyDef body = box_def((ThawMaterialId){0}, (ThawVec3){0.05, 0, 0});
    assert_ok(thaw_world_add_material(world, &lead, &body.material));
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawShape ball = thaw_shape_sphere((ThawVec3){0.05, 0, 0}, 0.04);
    assert_ok(thaw_world_push(world, &ball, (ThawVec3){1, -2, 0.5}));
    const ThawStore *store = world->store;
    double momentum[3] = {0, 0, 0};
    const float *change = NULL;
    uint32_t moving = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        const float *v = &store->velocity[row * 3];
        if (v[0] == 0) continue;
        // everything inside gets the same velocity, whatever its mass
        if (change == NULL) change = v;
        assert_memory_equal(v, change, 3 * sizeof *v);
        for (int a = 0; a < 3; a++) momentum[a] += thaw_world_mass(world, row) * (double)v[a];
        moving++;
    }
    uint32_t inside;
    assert_ok(thaw_world_find(world, &ball, NULL, 0, &inside));
    assert_int_equal(moving, inside);
    // velocities are rounded to float
    assert_true(fabs(momentum[0] - 1) < 1e-6 && fabs(momentum[1] + 2) < 1e-6);
    assert_true(fabs(momentum[2] - 0.5) < 1e-6);
    thaw_world_destroy(world);
}

// sums go by ids, so rows may lie in any order
static void a_push_does_not_depend_on_row_order(void **state) {
    (void)state;
    ThawWorld *a = cloud_world(false), *b = cloud_world(false);
    uint32_t count = b->store->count;
    uint32_t *order = malloc(count * sizeof *order);
    assert_non_null(order);
    for (uint32_t k = 0; k < count; k++) order[k] = (uint32_t)(((uint64_t)k * 7919 + 13) % count);
    assert_true(count % 7919 != 0);
    assert_ok(thaw_store_permute(b->store, b->parallel, order));
    free(order);
    ThawShape ball = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.0731);
    assert_ok(thaw_world_push(a, &ball, (ThawVec3){1, 3, 7}));
    assert_ok(thaw_world_push(b, &ball, (ThawVec3){1, 3, 7}));
    assert_true(thaw_world_hash(a) == thaw_world_hash(b));
    thaw_world_destroy(a);
    thaw_world_destroy(b);
}

static void bad_pushes_and_kicks_change_nothing(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    uint64_t before = thaw_world_hash(world);
    ThawShape ball = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.05);
    ThawParticleId id = world->store->id[5];
    assert_refused(thaw_world_push(world, &ball, (ThawVec3){NAN, 0, 0}), "impulse");
    assert_refused(thaw_world_push(world, &ball, (ThawVec3){1e60, 0, 0}), "impulse");
    assert_refused(thaw_world_kick(world, id, (ThawVec3){0, INFINITY, 0}), "change");
    assert_refused(thaw_world_kick(world, id, (ThawVec3){0, 1e60, 0}), "change");
    assert_missing(thaw_world_kick(world, 12345, (ThawVec3){0, 0, 1}), "particle 12345");
    assert_missing(thaw_world_kick(world, 0, (ThawVec3){0, 0, 1}), "particle");
    // an empty region takes no impulse
    ThawShape empty = thaw_shape_sphere((ThawVec3){50, 0, 0}, 0.05);
    assert_ok(thaw_world_push(world, &empty, (ThawVec3){1, 0, 0}));
    assert_true(thaw_world_hash(world) == before);
    thaw_world_destroy(world);
    world = small_world(2);
    assert_refused(thaw_world_push(world, &ball, (ThawVec3){0, 0, 1}), "impulse.z");
    thaw_world_destroy(world);
}

static void a_kick_moves_one_particle(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    ThawParticleId id = world->store->id[123];
    assert_ok(thaw_world_kick(world, id, (ThawVec3){1, 2, 3}));
    assert_ok(thaw_world_kick(world, id, (ThawVec3){1, 2, 3}));
    for (uint32_t row = 0; row < world->store->count; row++) {
        float wanted = world->store->id[row] == id ? 4.0f : 0.0f;
        assert_true(world->store->velocity[row * 3 + 1] == wanted);
    }
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- views

static void every_public_field_has_a_view_of_its_type(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    const ThawFieldInfo *info;
    for (uint32_t k = 0; (info = thaw_field_info(k)) != NULL; k++) {
        // one is nobody's to see, two are of worlds with heat
        if (strcmp(info->name, "dead") == 0) continue;
        if (strcmp(info->name, "temperature") == 0 || strcmp(info->name, "enthalpy") == 0) continue;
        ThawView view = view_of(world, info->name);
        assert_int_equal(view.type, info->type);
        assert_int_equal(view.components, info->components);
        assert_int_equal(view.count, thaw_world_count(world));
        assert_non_null(view.data);
    }
    assert_ptr_equal(view_of(world, "id").data, world->store->id);
    assert_ptr_equal(view_of(world, "state").data, world->store->state);
    thaw_world_destroy(world);
}

static void positions_are_metres(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    uint32_t count = thaw_world_count(world);
    double(*x)[3] = malloc(count * sizeof *x);
    assert_non_null(x);
    thaw_world_positions(world, x);
    const float *p = view_of(world, "position").data;
    for (uint32_t k = 0; k < count * 3; k++) {
        assert_true(p[k] == (float)x[k / 3][k % 3]);
        assert_true(fabs(x[k / 3][k % 3]) < 0.11);
    }
    free(x);
    thaw_world_destroy(world);
}

// looking does not change the world, so a view outlives other looks
static void views_stay_while_nothing_changes(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    ThawView position = view_of(world, "position"), id = view_of(world, "id");
    float first = *(const float *)position.data;
    uint32_t count;
    ThawShape ball = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.05);
    assert_ok(thaw_world_find(world, &ball, NULL, 0, &count));
    thaw_world_hash(world);
    assert_ptr_equal(view_of(world, "position").data, position.data);
    assert_ptr_equal(view_of(world, "id").data, id.data);
    assert_true(*(const float *)position.data == first);
    thaw_world_destroy(world);
}

static void unknown_fields_are_answered_with_the_nearest_name(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawChannelDef channel = {"colour", THAW_F32, 3};
    assert_ok(thaw_world_add_channel(world, &channel));
    ThawView view;
    assert_missing(thaw_world_view(world, "velocty", &view), "\"velocity\"");
    assert_missing(thaw_world_view(world, "postion", &view), "\"position\"");
    assert_missing(thaw_world_view(world, "color", &view), "\"colour\"");
    assert_missing(thaw_world_view(world, "enthalpy", &view), "\"enthalpy\"");
    assert_null(strstr(thaw_error_text(), "did you mean"));
    assert_missing(thaw_world_view(world, "", &view), "no field");
    // "dead" is the store's own business
    assert_missing(thaw_world_view(world, "dead", &view), "no field");
    char endless[1000];
    memset(endless, 'v', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_missing(thaw_world_view(world, endless, &view), "no field");
    thaw_world_destroy(world);
}

static void an_empty_world_has_empty_views(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    assert_int_equal(view_of(world, "position").count, 0);
    assert_int_equal(view_of(world, "velocity").count, 0);
    thaw_world_positions(world, NULL);
    uint32_t count;
    ThawShape ball = thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.05);
    assert_ok(thaw_world_find(world, &ball, NULL, 0, &count));
    assert_int_equal(count, 0);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- channels

static void bad_channels_are_refused_by_name(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawChannelDef def = {"heat", THAW_F64, 1};
    assert_refused(thaw_world_add_channel(world, &def), "type");
    def = (ThawChannelDef){"heat", THAW_F32, 0};
    assert_refused(thaw_world_add_channel(world, &def), "components");
    def.components = 17;
    assert_refused(thaw_world_add_channel(world, &def), "components");
    const char *names[] = {
        "", "a b", "é", "velocity", "position", "dead", "a123456789012345678901234567890_", NULL};
    for (int k = 0; k < 8; k++) {
        def = (ThawChannelDef){names[k], THAW_F32, 1};
        assert_refused(thaw_world_add_channel(world, &def), "name");
    }
    def.name = "heat";
    assert_ok(thaw_world_add_channel(world, &def));
    assert_refused(thaw_world_add_channel(world, &def), "heat");
    thaw_world_destroy(world);
}

static void channels_follow_their_particles(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    ThawChannelDef def = {"tag", THAW_I32, 2};
    assert_ok(thaw_world_add_channel(world, &def));
    ThawView view = view_of(world, "tag");
    assert_int_equal(view.type, THAW_I32);
    assert_int_equal(view.components, 2);
    void *data;
    assert_ok(thaw_world_edit(world, "tag", &data));
    int32_t *tag = data;
    for (uint32_t row = 0; row < view.count; row++) {
        assert_int_equal(tag[row * 2], 0);
        tag[row * 2] = (int32_t)(world->store->id[row] & 0xffffff);
    }
    // take every third away
    uint32_t before = view.count, gone = 0;
    ThawParticleId *ids = malloc(before * sizeof *ids);
    assert_non_null(ids);
    for (uint32_t row = 0; row < before; row += 3) ids[gone++] = world->store->id[row];
    assert_ok(thaw_world_remove_particles(world, ids, gone, NULL));
    free(ids);
    const int32_t *kept = view_of(world, "tag").data;
    assert_int_equal(thaw_world_count(world), before - gone);
    for (uint32_t row = 0; row < before - gone; row++) {
        assert_int_equal(kept[row * 2], (int32_t)(world->store->id[row] & 0xffffff));
    }
    thaw_world_destroy(world);
}

static void only_channels_and_velocity_may_be_edited(void **state) {
    (void)state;
    ThawWorld *world = cloud_world(false);
    void *data = NULL;
    assert_ok(thaw_world_edit(world, "velocity", &data));
    ((float *)data)[4] = 2.5f;
    assert_true(((const float *)view_of(world, "velocity").data)[4] == 2.5f);
    const char *fixed[] = {"id", "cells", "position", "material", "state", "object", "spacing"};
    for (int k = 0; k < 7; k++) assert_refused(thaw_world_edit(world, fixed[k], &data), fixed[k]);
    assert_missing(thaw_world_edit(world, "velocities", &data), "\"velocity\"");
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(find_gives_the_ids_inside_in_ascending_order),
        cmocka_unit_test(find_writes_no_more_than_fits_and_tells_them_all),
        cmocka_unit_test(regions_reach_through_periodic_faces),
        cmocka_unit_test(a_push_gives_its_impulse_and_leaves_others_alone),
        cmocka_unit_test(a_push_does_not_depend_on_row_order),
        cmocka_unit_test(bad_pushes_and_kicks_change_nothing),
        cmocka_unit_test(a_kick_moves_one_particle),
        cmocka_unit_test(every_public_field_has_a_view_of_its_type),
        cmocka_unit_test(positions_are_metres),
        cmocka_unit_test(views_stay_while_nothing_changes),
        cmocka_unit_test(unknown_fields_are_answered_with_the_nearest_name),
        cmocka_unit_test(an_empty_world_has_empty_views),
        cmocka_unit_test(bad_channels_are_refused_by_name),
        cmocka_unit_test(channels_follow_their_particles),
        cmocka_unit_test(only_channels_and_velocity_may_be_edited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
