// Frost: what is frozen to a collider goes where it goes, however it moves, and is let go when it melts.
#include "emitting.h"

#include "math/vec.h"
#include "models/heat_state.h"

#include <stdlib.h>

static ThawWorld *icy_world(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    def.heat.on = true;
    def.heat.ambient = 260;
    return make_world(&def);
}

static ThawMaterialId add_ice(ThawWorld *world) {
    ThawMaterialDef def = thaw_material_default();
    def.name = "ice";
    def.solid.young = 1e5f;
    def.thermal.melts_at = 273.15f;
    def.thermal.latent_heat = 3.34e5f;
    def.thermal.conductivity = 0;
    ThawMaterialId ice;
    assert_ok(thaw_world_add_material(world, &def, &ice));
    return ice;
}

// a block of ice with its lower face at y = 0 (2D) or z = 0
static void add_block(ThawWorld *world, ThawMaterialId ice) {
    bool flat = world->def.dimensions == 2;
    ThawBodyDef def = thaw_body_default();
    def.material = ice;
    def.state = THAW_STATE_SOLID;
    def.shape = thaw_shape_box(flat ? (ThawVec3){0, 0.03, 0} : (ThawVec3){0, 0, 0.03},
                               (ThawVec3){0.06, 0.06, 0.06});
    assert_ok(thaw_world_add_body(world, &def, NULL));
}

// where the block stands: 0.2 m wide, its top at 0; it frosts
static ThawColliderDef table_def(const ThawWorld *world) {
    bool flat = world->def.dimensions == 2;
    ThawColliderDef def = thaw_collider_default();
    def.name = "table";
    def.shape = thaw_shape_box(flat ? (ThawVec3){0, -0.05, 0} : (ThawVec3){0, 0, -0.05},
                               flat ? (ThawVec3){0.2, 0.1, 1} : (ThawVec3){0.2, 0.2, 0.1});
    def.frosts = true;
    return def;
}

static ThawColliderId add_collider(ThawWorld *world, const ThawColliderDef *def) {
    ThawColliderId id;
    assert_ok(thaw_world_add_collider(world, def, &id));
    return id;
}

static int32_t *frost_of(ThawWorld *world) {
    int32_t *frost = thaw_thermal_state(world->store).frost;
    assert_non_null(frost);
    return frost;
}

// freezes the block's lowest layers to a collider; returns how many particles
static uint32_t freeze(ThawWorld *world, ThawColliderId collider) {
    int32_t *frost = frost_of(world);
    int up = world->def.dimensions == 2 ? 1 : 2;
    uint32_t count = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double height =
            thaw_fixed_cells(world->store->cells[3 * row + (uint32_t)up]) * world->domain.cell;
        if (height > 0.012 || world->store->state[row] != THAW_STATE_SOLID) continue;
        frost[row] = (int32_t)collider.value;
        count++;
    }
    assert_true(count > 5 && count < world->store->count / 2);
    return count;
}

#define MOST 4096
static struct {
    ThawParticleId id;
    int64_t cells[3];
    ThawVec3 local;
} taken[MOST];
static uint32_t taken_count;

static ThawPose pose_of(ThawWorld *world, ThawColliderId collider) {
    ThawColliderState state;
    assert_ok(thaw_world_collider_state(world, collider, &state));
    return state.pose;
}

static ThawVec3 local_of(ThawWorld *world, const ThawPose *pose, uint32_t row) {
    const int64_t *cells = &world->store->cells[3 * (size_t)row];
    ThawVec3 x = thaw_scale(thaw_vec(thaw_fixed_cells(cells[0]), thaw_fixed_cells(cells[1]),
                                     thaw_fixed_cells(cells[2])),
                            world->domain.cell);
    return thaw_quat_rotate(thaw_quat_conjugate(pose->rotation), thaw_sub(x, pose->position));
}

// remembers what is frozen, and where in the collider's frame
static void remember(ThawWorld *world, ThawColliderId collider) {
    ThawPose pose = pose_of(world, collider);
    const int32_t *frost = frost_of(world);
    taken_count = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (frost[row] == 0) continue;
        assert_true(taken_count < MOST);
        taken[taken_count].id = world->store->id[row];
        memcpy(taken[taken_count].cells, &world->store->cells[3 * (size_t)row], 24);
        taken[taken_count++].local = local_of(world, &pose, row);
    }
    assert_true(taken_count > 5);
}

// m, how far any of them has moved in the collider's frame
static double worst_slip(ThawWorld *world, ThawColliderId collider) {
    ThawPose pose = pose_of(world, collider);
    double worst = 0;
    for (uint32_t k = 0; k < taken_count; k++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, taken[k].id, &row));
        worst = fmax(worst, thaw_length(thaw_sub(local_of(world, &pose, row), taken[k].local)));
    }
    return worst;
}

static void run(ThawWorld *world, int steps, double dt) {
    for (int k = 0; k < steps; k++) step(world, dt);
}

// ---------------------------------------------------------------- holding

static void frozen_to_what_stands_still_nothing_moves_in_any_bit(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = icy_world(dimensions);
        add_block(world, add_ice(world));
        ThawColliderDef table = table_def(world);
        ThawColliderId collider = add_collider(world, &table);
        // pulled away from the table
        assert_ok(thaw_world_set_gravity(world, dimensions == 2 ? (ThawVec3){3, 9.81, 0}
                                                                : (ThawVec3){3, 0, 9.81}));
        step(world, 0.001);
        uint32_t count = freeze(world, collider);
        remember(world, collider);
        run(world, 20, 0.005);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t row;
            assert_ok(thaw_world_index(world, taken[k].id, &row));
            assert_memory_equal(&world->store->cells[3 * (size_t)row], taken[k].cells, 24);
            for (int a = 0; a < 3; a++) {
                assert_true(world->store->velocity[3 * row + (uint32_t)a] == 0);
            }
        }
        // and the rest hangs on it
        ThawReport report = step(world, 0.001);
        assert_true(report.max_speed < 0.5);
        thaw_world_destroy(world);
    }
}

static void frost_goes_along_with_a_motion(void **state) {
    (void)state;
    const ThawKeyframe keys[] = {{0, {0, 0, 0}, {0, 0, 0, 1}},
                                 {0.5, {0.3, 0.1, 0.2}, {0.48, 0, 0.36, 0.8}}};
    ThawWorld *world = icy_world(3);
    add_block(world, add_ice(world));
    ThawColliderDef table = table_def(world);
    table.motion = keys;
    table.motion_count = 2;
    ThawColliderId collider = add_collider(world, &table);
    freeze(world, collider);
    remember(world, collider);
    run(world, 50, 0.01);
    double slip = worst_slip(world, collider);
    if (!(slip < 1e-6)) fail_msg("slips by %g m", slip);
    uint32_t row;
    assert_ok(thaw_world_index(world, taken[0].id, &row));
    assert_true(llabs(world->store->cells[3 * (size_t)row] - taken[0].cells[0]) > THAW_FIXED_ONE);
    thaw_world_destroy(world);
}

// the table is dynamic and falls, turning, onto an edge
static void frost_goes_along_with_a_dynamic_collider(void **state) {
    (void)state;
    ThawWorld *world = icy_world(3);
    add_block(world, add_ice(world));
    ThawColliderDef table = table_def(world);
    table.dynamic.on = true;
    table.dynamic.density = 3000;
    table.dynamic.velocity = (ThawVec3){0.2, 0, 0};
    table.dynamic.spin = (ThawVec3){0, 2, 1};
    ThawColliderId collider = add_collider(world, &table);
    ThawColliderDef floor = thaw_collider_default();
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, -0.3}, (ThawVec3){0, 0, 1});
    add_collider(world, &floor);
    freeze(world, collider);
    remember(world, collider);
    run(world, 80, 0.005);
    ThawColliderState now;
    assert_ok(thaw_world_collider_state(world, collider, &now));
    assert_true(now.pose.position.z < -0.15);
    double slip = worst_slip(world, collider);
    if (!(slip < 1e-6)) fail_msg("slips by %g m", slip);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- a form that changes

static const double plate[8][3] = {{-0.1, -0.1, -0.04}, {0.1, -0.1, -0.04}, {0.1, 0.1, -0.04},
                                   {-0.1, 0.1, -0.04},  {-0.1, -0.1, 0},    {0.1, -0.1, 0},
                                   {0.1, 0.1, 0},       {-0.1, 0.1, 0}};
static const uint32_t sides[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                      {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                      {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static void frost_goes_along_with_the_surface_beside_it(void **state) {
    (void)state;
    ThawWorld *world = icy_world(3);
    add_block(world, add_ice(world));
    ThawMesh mesh = {.points = plate, .point_count = 8, .triangles = sides, .triangle_count = 12};
    ThawFieldDef settings = thaw_field_default();
    settings.cell = 0.01;
    ThawField *field;
    assert_ok(thaw_field_create(&mesh, &settings, &field));
    ThawColliderDef table = thaw_collider_default();
    table.shape = thaw_shape_mesh(field);
    table.frosts = true;
    ThawColliderId collider = add_collider(world, &table);
    thaw_field_release(field);
    step(world, 0.001);
    freeze(world, collider);
    remember(world, collider);
    // its top rises by 5 cm, its bottom stays
    double risen[8][3];
    memcpy(risen, plate, sizeof plate);
    for (int k = 4; k < 8; k++) risen[k][2] += 0.05;
    mesh.points = (const double(*)[3])risen;
    assert_ok(thaw_world_deform_collider(world, collider, &mesh, thaw_world_time(world) + 0.2));
    run(world, 40, 0.005);
    for (uint32_t k = 0; k < taken_count; k++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, taken[k].id, &row));
        const int64_t *cells = &world->store->cells[3 * (size_t)row];
        double up = thaw_fixed_cells(cells[2] - taken[k].cells[2]) * world->domain.cell;
        double aside = thaw_fixed_cells(cells[0] - taken[k].cells[0]) * world->domain.cell;
        if (!(fabs(up - 0.05) < 1e-4 && fabs(aside) < 1e-4)) fail_msg("rose by %g m", up);
    }
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- letting go

static uint32_t count_frozen(ThawWorld *world) {
    const int32_t *frost = frost_of(world);
    uint32_t count = 0;
    for (uint32_t row = 0; row < world->store->count; row++) count += frost[row] != 0;
    return count;
}

// a block that is frozen to a table, upside down
static ThawWorld *hanging_block(ThawColliderId *collider) {
    ThawWorld *world = icy_world(3);
    add_block(world, add_ice(world));
    ThawColliderDef table = table_def(world);
    *collider = add_collider(world, &table);
    assert_ok(thaw_world_set_gravity(world, (ThawVec3){0, 0, 9.81}));
    freeze(world, *collider);
    run(world, 4, 0.005);
    assert_true(step(world, 0.005).max_speed < 0.3);
    return world;
}

// m/s after falling freely for 0.1 s
#define FALL 0.98

static void what_a_removed_collider_held_falls(void **state) {
    (void)state;
    ThawColliderId collider;
    ThawWorld *world = hanging_block(&collider);
    assert_true(count_frozen(world) > 5);
    assert_ok(thaw_world_remove_collider(world, collider));
    assert_int_equal(count_frozen(world), 0);
    run(world, 20, 0.005);
    ThawReport report = step(world, 1e-6);
    assert_true(fabs(report.momentum.z / report.mass - FALL) < 0.05);
    thaw_world_destroy(world);
}

static void what_is_no_solid_is_let_go(void **state) {
    (void)state;
    ThawColliderId collider;
    ThawWorld *world = hanging_block(&collider);
    uint32_t before = count_frozen(world);
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (frost_of(world)[row] != 0) {
            world->store->state[row] = THAW_STATE_LIQUID;
            break;
        }
    }
    assert_ok(thaw_attachments_begin(world, thaw_world_time(world), 0.001));
    assert_int_equal(count_frozen(world), before - 1);
    thaw_world_destroy(world);
}

static void what_melts_runs_off(void **state) {
    (void)state;
    ThawColliderId collider;
    ThawWorld *world = hanging_block(&collider);
    assert_ok(thaw_world_set_temperature(world, NULL, 300));
    run(world, 20, 0.005);
    assert_int_equal(count_frozen(world), 0);
    ThawReport report = step(world, 1e-6);
    assert_int_equal(report.solid, 0);
    assert_true(report.momentum.z / report.mass > 0.8 * FALL);
    thaw_world_destroy(world);
}

static void cold_frost_stays_when_its_temperature_is_set(void **state) {
    (void)state;
    ThawColliderId collider;
    ThawWorld *world = hanging_block(&collider);
    uint32_t before = count_frozen(world);
    assert_ok(thaw_world_set_temperature(world, NULL, 250));
    assert_int_equal(count_frozen(world), before);
    thaw_world_destroy(world);
}

// an attachment takes what is frozen with it
static void attachments_are_stronger_than_frost(void **state) {
    (void)state;
    const ThawKeyframe keys[] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0.2, {0, 0, 0.1}, {0, 0, 0, 1}}};
    ThawWorld *world = icy_world(3);
    add_block(world, add_ice(world));
    ThawColliderDef table = table_def(world);
    ThawColliderId collider = add_collider(world, &table);
    freeze(world, collider);
    remember(world, collider);
    ThawAttachmentDef lift = thaw_attachment_default();
    lift.region = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){1, 1, 1});
    lift.motion = keys;
    lift.motion_count = 2;
    assert_ok(thaw_world_add_attachment(world, &lift, NULL));
    run(world, 40, 0.005);
    double slip = worst_slip(world, collider);
    assert_true(fabs(slip - 0.1) < 1e-6);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- all of it

static void a_loaded_world_holds_on_in_the_same_bits(void **state) {
    (void)state;
    const ThawKeyframe keys[] = {{0, {0, 0, 0}, {0, 0, 0, 1}},
                                 {0.5, {0.1, 0, 0}, {0, 0, 0.6, 0.8}}};
    ThawWorld *world = icy_world(3), *copy;
    add_block(world, add_ice(world));
    ThawColliderDef table = table_def(world);
    table.motion = keys;
    table.motion_count = 2;
    freeze(world, add_collider(world, &table));
    run(world, 5, 0.01);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, NULL, &copy));
    thaw_snapshot_free(bytes);
    run(world, 5, 0.01);
    run(copy, 5, 0.01);
    assert_true(count_frozen(world) > 5);
    assert_true(thaw_world_hash(world) == thaw_world_hash(copy));
    thaw_world_destroy(world);
    thaw_world_destroy(copy);
}

// liquid below its freezing point, in contact with a cold table, freezes to it and stays when the table is turned over
static void liquid_freezes_to_a_cold_collider(void **state) {
    (void)state;
    ThawWorld *world = icy_world(3);
    ThawBodyDef drop = thaw_body_default();
    drop.material = add_ice(world);
    drop.shape = thaw_shape_box((ThawVec3){0, 0, 0.015}, (ThawVec3){0.06, 0.06, 0.03});
    drop.temperature = 200; // so cold that it freezes without losing heat
    assert_ok(thaw_world_add_body(world, &drop, NULL));
    ThawColliderDef table = table_def(world);
    table.temperature = 200;
    ThawColliderId collider = add_collider(world, &table);
    uint32_t frozen = 0;
    for (int k = 0; k < 40; k++) frozen += step(world, 0.005).frozen;
    assert_true(frozen > 10);
    assert_true(count_frozen(world) > 10);
    remember(world, collider);
    assert_ok(thaw_world_set_gravity(world, (ThawVec3){0, 0, 9.81}));
    run(world, 20, 0.005);
    assert_true(worst_slip(world, collider) < 1e-9);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frozen_to_what_stands_still_nothing_moves_in_any_bit),
        cmocka_unit_test(frost_goes_along_with_a_motion),
        cmocka_unit_test(frost_goes_along_with_a_dynamic_collider),
        cmocka_unit_test(frost_goes_along_with_the_surface_beside_it),
        cmocka_unit_test(what_a_removed_collider_held_falls),
        cmocka_unit_test(what_is_no_solid_is_let_go),
        cmocka_unit_test(what_melts_runs_off),
        cmocka_unit_test(cold_frost_stays_when_its_temperature_is_set),
        cmocka_unit_test(attachments_are_stronger_than_frost),
        cmocka_unit_test(a_loaded_world_holds_on_in_the_same_bits),
        cmocka_unit_test(liquid_freezes_to_a_cold_collider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
