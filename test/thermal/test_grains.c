// Where lattices begin and grow together: walls that frost, grains, sintering.
#include "thermal/pools.h"

#define PI 3.14159265358979323846

// ---------------------------------------------------------------- frost

static void run(ThawWorld *world, double seconds) {
    for (int k = 0; k < (int)lrint(seconds * 60); k++) step(world, 1.0 / 60);
}

static double angle_of(ThawWorld *world, uint32_t row) {
    const float *turn = &thaw_lattice_state(world->store).turn[4 * (size_t)row];
    return 2 * atan2((double)turn[2], (double)turn[3]);
}

// how far an angle is from a multiple of 60°
static double off_rows(double angle) {
    double sixth = PI / 3;
    return fabs(angle - sixth * nearbyint(angle / sixth));
}

static void cold_liquid_freezes_to_walls_that_frost_along_their_rows(void **state) {
    (void)state;
    PoolDef def = pool_def();
    def.frosts = true;
    ThawWorld *world = make_pool(&def);
    run(world, 0.1);
    assert_int_equal(count_state(world, THAW_STATE_SOLID), 0); // as long as it is warm
    set_all(world, MELTS_AT - 10);
    run(world, 1.5);
    uint32_t floor = 0, frosted = 0, aligned = 0, count = world->store->count;
    for (uint32_t row = 0; row < count; row++) {
        int32_t frost = thaw_thermal_state(world->store).frost[row];
        bool low = place_of(world, row).y < 0.0075 && fabs(place_of(world, row).x) < 0.1;
        floor += low;
        frosted += low && frost != 0;
        aligned += low && frost != 0 && off_rows(angle_of(world, row)) < 0.15;
        assert_true(frost == 0 || world->store->state[row] == THAW_STATE_SOLID);
    }
    assert_true(floor > 12);
    assert_true(frosted >= floor - 1);
    assert_true(aligned >= (9 * floor) / 10);
    // nearly all of it is frozen, and holds to the wall when the pool is turned over
    assert_true(count_state(world, THAW_STATE_SOLID) > (9 * count) / 10);
    assert_ok(thaw_world_set_gravity(world, (ThawVec3){0, 9.81, 0}));
    run(world, 0.5);
    double mean = 0;
    for (uint32_t row = 0; row < count; row++) mean += place_of(world, row).y / count;
    assert_near(mean, def.depth / 2, 0.15 * def.depth);
    // it lets go when it melts
    set_all(world, MELTS_AT + 10);
    step(world, 1.0 / 60);
    for (uint32_t row = 0; row < count; row++) {
        assert_int_equal(thaw_thermal_state(world->store).frost[row], 0);
    }
    thaw_world_destroy(world);
}

static void other_walls_hold_nothing(void **state) {
    (void)state;
    PoolDef def = pool_def();
    ThawWorld *world = make_pool(&def);
    set_all(world, MELTS_AT - 10);
    run(world, 0.25);
    assert_int_equal(count_state(world, THAW_STATE_SOLID), 0);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- grains

// m/s: nobody is thrown who is no faster than what falls by a spacing, into room that freezing leaves
static double fall_of(const ThawWorld *world) {
    return sqrt(2 * 9.81 * world->def.spacing);
}

static void nucleation_makes_grains_that_meet_without_bursting(void **state) {
    (void)state;
    PoolDef def = pool_def();
    def.material.thermal.nucleation = 0.2f;
    def.material.thermal.nucleation_below = 5;
    def.material.solid.young = 1e5f;
    ThawWorld *world = make_pool(&def);
    set_all(world, MELTS_AT - 4); // not cold enough to begin by itself
    run(world, 0.1);
    assert_int_equal(count_state(world, THAW_STATE_SOLID), 0);
    set_all(world, MELTS_AT - 6);
    double fastest = 0, mass = 1000 * 1e-4 * world->store->count, most = 0;
    for (int k = 0; k < 120; k++) {
        ThawReport report = step(world, 1.0 / 60);
        if (k < 10) continue; // the pool feels the shorter substeps of solids
        fastest = fmax(fastest, report.max_speed);
        most = fmax(most, report.kinetic);
    }
    uint32_t count = world->store->count, first = 0, other = 0;
    assert_true(count_state(world, THAW_STATE_SOLID) > (85 * count) / 100);
    // there are several grains
    double angle = 0;
    for (uint32_t row = 0; row < count; row++) {
        if (world->store->state[row] != THAW_STATE_SOLID || bonds_of(world, row) < 5) continue;
        if (first == 0) angle = angle_of(world, row);
        first++;
        other += off_rows(angle_of(world, row) - angle) > 0.1;
    }
    assert_true(first > 50 && other > 10 && other < first);
    assert_below(fastest, fall_of(world));
    assert_below(sqrt(2 * most / mass), 0.1);
    thaw_world_destroy(world);
}

// a deep pool in 3D, at rest and warm; `start` says how its matter is strewn
static ThawWorld *make_deep_pool(uint32_t start) {
    ThawWorldDef world_def = small_def(3);
    world_def.heat.on = true;
    world_def.heat.ambient = MELTS_AT + 1;
    world_def.spacing = 0.01;
    world_def.seed = start;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = 2e5f;
    wax.thermal.nucleation = 0.5f;
    wax.thermal.nucleation_below = 5;
    ThawColliderDef tank = thaw_collider_default();
    tank.name = "tank";
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.5}, (ThawVec3){0.08, 0.08, 1});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    double places[8 * 8 * 6][3];
    for (uint32_t k = 0; k < 8 * 8 * 6; k++) {
        uint32_t key = (k + 1000 * start) * 2654435761u;
        const uint32_t at[3] = {k % 8, k / 8 % 8, k / 64};
        for (uint32_t a = 0; a < 3; a++) {
            double jitter = 0.002 * ((key >> (8 * a) & 255) / 128.0 - 1);
            places[k][a] = 0.01 * (at[a] + 0.5) - (a < 2 ? 0.04 : 0) + jitter;
        }
    }
    ThawParticlesDef pool = {.material = add_material(world, &wax),
                             .count = 8 * 8 * 6,
                             .positions = (const double(*)[3])places};
    assert_ok(thaw_world_add_particles(world, &pool, NULL));
    for (int k = 0; k < 30; k++) step(world, 1.0 / 60);
    return world;
}

// After nearly all of many short steps nobody is fast. (With bonds whose misfits lost a number somebody was, after a third
// of them, and reached 1.6 m/s; with bonds drawn at once after 9 %, and 0.7; now, of eight starts, after 3 %, and 0.32.)
static void a_pool_sets_with_few_pops(void **state) {
    (void)state;
    const int starts = 4, first = 30, steps = 210;
    int fast = 0;
    double fastest = 0;
    for (int start = 1; start <= starts; start++) {
        ThawWorld *world = make_deep_pool((uint32_t)start);
        set_all(world, MELTS_AT - 6);
        for (int k = 0; k < steps; k++) {
            double speed = step(world, 1.0 / 300).max_speed;
            if (k < first) continue; // the pool feels the shorter substeps of solids
            fast += speed > 0.2;
            fastest = fmax(fastest, speed);
        }
        assert_true(5 * count_state(world, THAW_STATE_SOLID) > world->store->count);
        thaw_world_destroy(world);
    }
    assert_below(fast, 0.06 * starts * (steps - first));
    assert_below(fastest, 0.443); // √(2 g d): as what falls by a spacing
}

// Liquids come to 0.1 spacings from walls, solids keep 0.4: that way is gone slowly, not in one substep.
static void what_freezes_beside_a_wall_is_let_out_slowly(void **state) {
    (void)state;
    ThawWorldDef world_def = small_def(3);
    world_def.heat.on = true;
    world_def.heat.ambient = MELTS_AT;
    world_def.spacing = 0.01;
    world_def.solver.substeps = 20;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.thermal.nucleation = 1e6f;
    wax.thermal.nucleation_below = 5;
    ThawColliderDef floor = thaw_collider_default();
    floor.name = "floor";
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    assert_ok(thaw_world_add_collider(world, &floor, NULL));
    const double place[1][3] = {{0, 0, 0.002}};
    ThawParticlesDef drop = {.material = add_material(world, &wax), .count = 1, .positions = place};
    assert_ok(thaw_world_add_particles(world, &drop, NULL));
    for (int k = 0; k < 30; k++) step(world, 1.0 / 60);
    assert_near(place_of(world, 0).z, 0.001, 1e-5);
    set_all(world, MELTS_AT - 10);
    double height = 0.001, fastest = 0;
    for (int k = 0; k < 40; k++) {
        fastest = fmax(fastest, step(world, 0.01).max_speed);
        double now = place_of(world, 0).z;
        assert_near(now - height, 0.0002, 0.000201); // 10/s of 0.003 m is 0.0003 in that time
        height = now;
    }
    assert_int_equal(count_state(world, THAW_STATE_SOLID), 1);
    assert_below(fastest, 0.035);
    for (int k = 0; k < 40; k++) step(world, 0.01);
    assert_near(place_of(world, 0).z, 0.004, 1e-5);
    thaw_world_destroy(world);
}

// one particle is a grain already
static void a_single_solid_particle_grows(void **state) {
    (void)state;
    PoolDef def = pool_def();
    ThawWorld *world = make_pool(&def);
    uint32_t row = row_at(world, (ThawVec3){0, def.depth / 2, 0});
    ThawParticlesDef grain = {.material = {1}, .count = 1, .state = THAW_STATE_SOLID};
    ThawVec3 at = place_of(world, row);
    const double place[1][3] = {{at.x, at.y, 0}};
    grain.positions = place;
    thaw_store_kill(world->store, row);
    assert_ok(thaw_store_compact(world->store, world->parallel));
    assert_ok(thaw_world_add_particles(world, &grain, NULL));
    set_all(world, MELTS_AT - 10);
    run(world, 0.5);
    assert_true(count_state(world, THAW_STATE_SOLID) > 50);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- sintering

typedef struct Pair {
    ThawWorld *world;
    ThawBodyId bodies[2];
} Pair;

// two blocks, one row of sites apart: one lattice, two objects
static Pair make_pair(float sintering, double turn) {
    ThawWorldDef world_def = warm_def(2);
    Pair pair = {.world = make_world(&world_def)};
    ThawMaterialDef wax = wax_def();
    wax.thermal.sintering = sintering;
    wax.solid.young = 1e5f;
    ThawMaterialId material = add_material(pair.world, &wax);
    double d = pair.world->def.spacing, row = thaw_lattice_distance(2, d) * sqrt(0.75);
    for (int k = 0; k < 2; k++) {
        ThawBodyDef def = thaw_body_default();
        def.name = k == 0 ? "lower" : "upper";
        def.material = material;
        def.state = THAW_STATE_SOLID;
        if (k == 1) def.orientation = (ThawQuat){0, 0, sin(turn / 2), cos(turn / 2)};
        def.shape =
            thaw_shape_box((ThawVec3){0, 6 * row * k, 0}, (ThawVec3){10 * d, 5.98 * row, 1});
        assert_ok(thaw_world_add_body(pair.world, &def, &pair.bodies[k]));
    }
    set_all(pair.world, MELTS_AT - 5);
    return pair;
}

static uint32_t objects_of(const ThawWorld *world) {
    uint32_t changes = 0;
    int32_t last = world->store->object[0];
    for (uint32_t row = 0; row < world->store->count; row++) {
        changes += world->store->object[row] != last;
    }
    return changes == 0 ? 1 : 2;
}

static void touching_solids_grow_together_at_their_rate(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Pair pair = make_pair(k == 0 ? 0.0f : 20.0f, 0);
        uint32_t before = step(pair.world, 0.001).bonds;
        assert_int_equal(objects_of(pair.world), 2);
        uint32_t after = before, broken = 0;
        double fastest = 0;
        for (int n = 0; n < 50; n++) {
            ThawReport report = step(pair.world, 0.01);
            after = report.bonds;
            broken += report.bonds_broken;
            fastest = fmax(fastest, report.max_speed);
        }
        assert_int_equal(objects_of(pair.world), k == 0 ? 2 : 1);
        assert_int_equal(broken, 0);
        if (k == 0) assert_int_equal(after, before);
        if (k == 1) assert_true(after > before + 10);
        assert_below(fastest, 0.1);
        thaw_world_destroy(pair.world);
    }
}

static void lattices_of_other_orientation_grow_together_too(void **state) {
    (void)state;
    Pair pair = make_pair(0, 0.3);
    ThawColliderDef floor = thaw_collider_default();
    floor.name = "floor";
    floor.shape = thaw_shape_plane((ThawVec3){0, -0.04, 0}, (ThawVec3){0, 1, 0});
    assert_ok(thaw_world_add_collider(pair.world, &floor, NULL));
    assert_ok(thaw_world_set_gravity(pair.world, (ThawVec3){0, -9.81, 0}));
    for (int n = 0; n < 100; n++) step(pair.world, 0.01);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = 1e5f;
    wax.thermal.sintering = 20;
    assert_ok(thaw_world_set_material(pair.world, (ThawMaterialId){1}, &wax));
    uint32_t before = step(pair.world, 0.0001).bonds, after = before;
    double fastest = 0;
    for (int n = 0; n < 50; n++) {
        ThawReport report = step(pair.world, 0.01);
        after = report.bonds;
        fastest = fmax(fastest, report.max_speed);
    }
    assert_int_equal(objects_of(pair.world), 1);
    assert_true(after > before + 2);
    assert_below(fastest, 0.3);
    thaw_world_destroy(pair.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cold_liquid_freezes_to_walls_that_frost_along_their_rows),
        cmocka_unit_test(other_walls_hold_nothing),
        cmocka_unit_test(nucleation_makes_grains_that_meet_without_bursting),
        cmocka_unit_test(a_pool_sets_with_few_pops),
        cmocka_unit_test(what_freezes_beside_a_wall_is_let_out_slowly),
        cmocka_unit_test(a_single_solid_particle_grows),
        cmocka_unit_test(touching_solids_grow_together_at_their_rate),
        cmocka_unit_test(lattices_of_other_orientation_grow_together_too),
    };
    return cmocka_run_group_tests_name("grains", tests, NULL, NULL);
}
