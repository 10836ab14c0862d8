// Solid bodies as they are put into a world, and the fields that are derived from them.
#include "helpers.h"

#include "lattice/state.h"
#include "math/lattice.h"
#include "math/vec.h"
#include "world/world.h"

#include <stdlib.h>

static uint64_t seed = 11;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static ThawQuat random_turn(int dimensions) {
    ThawVec3 axis = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    if (dimensions == 2) axis = thaw_vec(0, 0, 1);
    return thaw_quat_turn(axis, uniform(-3, 3));
}

static ThawBodyDef solid_def(ThawMaterialId material, ThawShape shape) {
    ThawBodyDef def = thaw_body_default();
    def.material = material;
    def.state = THAW_STATE_SOLID;
    def.shape = shape;
    return def;
}

// ---------------------------------------------------------------- bodies

static void liquids_open_no_lattice(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawBodyDef def = box_def(add_water(world), (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &def, NULL));
    assert_false(thaw_lattice_is_open(world->store));
    assert_int_equal(world->store->channel_count, 0);
    thaw_world_destroy(world);
}

// every neighbour at the lattice's distance lies on a site of the frame that the row carries
static void check_on_sites(ThawWorld *world, uint32_t row) {
    const ThawStore *store = world->store;
    int dimensions = world->def.dimensions;
    ThawLatticeState lattice = thaw_lattice_state(world->store);
    const float *q = &lattice.turn[4 * (size_t)row];
    ThawQuat back = {-(double)q[0], -(double)q[1], -(double)q[2], (double)q[3]};
    double D = thaw_lattice_distance(dimensions, (double)store->spacing[row]) / world->domain.cell;
    uint32_t neighbors = 0;
    for (uint32_t other = 0; other < store->count; other++) {
        double r[3];
        for (size_t a = 0; a < 3; a++) {
            r[a] = thaw_fixed_cells(store->cells[3 * (size_t)other + a] -
                                    store->cells[3 * (size_t)row + a]) /
                   D;
        }
        ThawVec3 l = thaw_quat_rotate(back, thaw_vec(r[0], r[1], r[2]));
        if (other == row || thaw_length(l) > 1.3) continue;
        const double place[3] = {l.x, l.y, l.z};
        int32_t point[3];
        thaw_site_nearest(dimensions, place, point);
        int site = thaw_site_of(dimensions, point);
        assert_true(site >= 0);
        const float *v = thaw_sites(dimensions)->vector[site];
        ThawVec3 off = {l.x - (double)v[0], l.y - (double)v[1], l.z - (double)v[2]};
        assert_true(thaw_length(off) < 2e-6); // the spacing is a float
        neighbors++;
    }
    // a particle in the middle has a full shell: nothing was thinned out
    assert_int_equal(neighbors, thaw_sites(dimensions)->count);
}

static uint32_t nearest_row(const ThawWorld *world, ThawVec3 point) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t row = 0; row < world->store->count; row++) {
        const int64_t *c = &world->store->cells[3 * (size_t)row];
        double cell = world->domain.cell;
        ThawVec3 p = {thaw_fixed_cells(c[0]) * cell, thaw_fixed_cells(c[1]) * cell,
                      thaw_fixed_cells(c[2]) * cell};
        double d = thaw_length(thaw_sub(p, point));
        if (d < least) least = d, best = row;
    }
    return best;
}

static void rows_carry_the_lattices_orientation(void **state) {
    (void)state;
    for (int n = 0; n < 12; n++) {
        int dimensions = 2 + n % 2;
        ThawWorld *world = small_world(dimensions);
        ThawShape shape = thaw_shape_box((ThawVec3){0.3, -0.2, 0}, (ThawVec3){0.08, 0.1, 0.09});
        shape.pose.rotation = random_turn(dimensions);
        ThawBodyDef def = solid_def(add_water(world), shape);
        def.orientation = random_turn(dimensions);
        ThawBodyId body;
        assert_ok(thaw_world_add_body(world, &def, &body));
        for (uint32_t row = 0; row < world->store->count; row++) {
            assert_int_equal(world->store->state[row], THAW_STATE_SOLID);
            assert_int_equal(world->store->object[row], (int32_t)body.value);
            assert_int_equal(thaw_lattice_state(world->store).sites[row], THAW_SITES_FRESH);
        }
        check_on_sites(world, nearest_row(world, shape.pose.position));
        thaw_world_destroy(world);
    }
}

// in 2D a shape that is tilted out of the plane is cut, and its lattice turns about z only
static void tilted_shapes_have_a_flat_lattice_in_2d(void **state) {
    (void)state;
    ThawWorld *world = small_world(2);
    ThawShape shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.2, 0.2, 0.2});
    shape = thaw_shape_rotate(shape, (ThawVec3){1, 0.4, 2}, 1.0);
    ThawBodyDef def = solid_def(add_water(world), shape);
    assert_ok(thaw_world_add_body(world, &def, NULL));
    const float *turn = thaw_lattice_state(world->store).turn;
    assert_true(turn[0] == 0 && turn[1] == 0 && turn[2] != 0);
    check_on_sites(world, nearest_row(world, shape.pose.position));
    thaw_world_destroy(world);
}

static double count_error(ThawShape shape, ThawQuat orientation, int dimensions) {
    ThawWorld *world = small_world(dimensions);
    ThawBodyDef def = solid_def(add_water(world), shape);
    def.orientation = orientation;
    assert_ok(thaw_world_add_body(world, &def, NULL));
    double target = thaw_shape_volume(&shape, dimensions) / pow(0.01, dimensions);
    double error = thaw_world_count(world) / target - 1;
    thaw_world_destroy(world);
    return error;
}

// of 0.2 m and more, which is 17 layers across or more: below, a straight box is met to half a layer only
static void solids_have_the_count_that_their_volume_says_within_3_percent(void **state) {
    (void)state;
    const ThawBall balls[3] = {{{0, 0, 0}, 0.1}, {{0.1, 0, 0.05}, 0.07}, {{0, 0.1, 0.1}, 0.06}};
    for (int n = 0; n < 8; n++) {
        ThawQuat turn = n == 0 ? thaw_quat_identity() : random_turn(3);
        ThawVec3 o = {0, 0, 0}, up = {0, 0, uniform(0.2, 0.3)};
        ThawShape shapes[4] = {
            thaw_shape_box(o, thaw_vec(uniform(0.2, 0.3), uniform(0.2, 0.3), uniform(0.2, 0.3))),
            thaw_shape_sphere(o, uniform(0.06, 0.12)),
            thaw_shape_cylinder(o, up, uniform(0.06, 0.12)), thaw_shape_blend(balls, 3, 0.03)};
        for (int k = 0; k < 4; k++) {
            ThawShape shape = shapes[k];
            shape.pose.rotation = thaw_quat_mul(random_turn(3), shape.pose.rotation);
            double error = count_error(shape, turn, 3);
            if (!(fabs(error) < 0.03)) fail_msg("shape %d: %+.2f %%", k, 100 * error);
        }
    }
}

static void a_solid_needs_the_close_packing(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawBodyDef def = solid_def(add_water(world), thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.1));
    def.packing = THAW_PACKING_CUBIC;
    assert_refused(thaw_world_add_body(world, &def, NULL), "packing must be close");
    def.packing = THAW_PACKING_CLOSE;
    def.state = (ThawState)2;
    assert_refused(thaw_world_add_body(world, &def, NULL), "state");
    assert_false(thaw_lattice_is_open(world->store));
    assert_int_equal(thaw_world_count(world), 0);
    thaw_world_destroy(world);
}

static void solid_particles_become_one_object(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    const double x[3][3] = {{0, 0, 0}, {0.011, 0, 0}, {0, 0.011, 0}};
    ThawParticlesDef def = {.material = add_water(world), .count = 3, .positions = x};
    assert_ok(thaw_world_add_particles(world, &def, NULL));
    assert_int_equal(world->body_count, 0);
    def.state = THAW_STATE_SOLID;
    ThawParticleId first, second;
    assert_ok(thaw_world_add_particles(world, &def, &first));
    def.orientation = (ThawQuat){0, 0, 0.6, 0.8};
    assert_ok(thaw_world_add_particles(world, &def, &second));
    assert_int_equal(world->body_count, 2);
    ThawLatticeState lattice = thaw_lattice_state(world->store);
    for (uint32_t row = 0; row < 9; row++) {
        assert_int_equal(world->store->object[row], (int)row / 3);
        assert_int_equal(world->store->state[row], row >= 3);
    }
    assert_true(lattice.turn[4 * 3 + 3] == 1 && lattice.turn[4 * 3 + 2] == 0);
    assert_true(lattice.turn[4 * 6 + 2] == 0.6f && lattice.turn[4 * 6 + 3] == 0.8f);
    assert_true(first >> 40 == 2 && second >> 40 == 3);
    // such an object can be removed like any body
    assert_ok(thaw_world_remove_body(world, (ThawBodyId){1}));
    assert_int_equal(thaw_world_count(world), 6);
    def.orientation = (ThawQuat){0, 0, 0, 0.1};
    assert_refused(thaw_world_add_particles(world, &def, NULL), "orientation");
    def.orientation = (ThawQuat){0, NAN, 0, 1};
    assert_refused(thaw_world_add_particles(world, &def, NULL), "orientation");
    def.orientation = thaw_quat_identity();
    def.state = (ThawState)5;
    assert_refused(thaw_world_add_particles(world, &def, NULL), "state");
    assert_int_equal(thaw_world_count(world), 6);
    thaw_world_destroy(world);
}

static void docking_rates_begin_at_the_materials(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawMaterialDef material = thaw_material_default();
    material.solid.docking_rate = 3.5f;
    ThawMaterialId id;
    assert_ok(thaw_world_add_material(world, &material, &id));
    ThawBodyDef def = solid_def(id, thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.03));
    assert_ok(thaw_world_add_body(world, &def, NULL));
    const float *rates = thaw_lattice_state(world->store).docking;
    for (uint32_t k = 0; k < 12 * thaw_world_count(world); k++) assert_true(rates[k] == 3.5f);
    thaw_world_destroy(world);
}

static void names_of_the_lattice_are_its_own(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawChannelDef channel = {THAW_LATTICE_MAP, THAW_F32, 9};
    assert_refused(thaw_world_add_channel(world, &channel), "lattice_");
    channel.name = "lattice_of_mine";
    assert_refused(thaw_world_add_channel(world, &channel), "lattice_");
    channel.name = "lattice";
    assert_ok(thaw_world_add_channel(world, &channel));
    channel.name = "stress";
    assert_refused(thaw_world_add_channel(world, &channel), "field");
    ThawBodyDef def = solid_def(add_water(world), thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.03));
    assert_ok(thaw_world_add_body(world, &def, NULL));
    void *data;
    assert_refused(thaw_world_edit(world, THAW_LATTICE_MAP, &data), "belongs to solids");
    assert_refused(thaw_world_edit(world, "strain", &data), "cannot be edited");
    ThawView view = view_of(world, THAW_LATTICE_MAP);
    assert_int_equal(view.components, 9);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- derived fields

static const char *const derived[6] = {"strain",    "green_strain",   "stress",
                                       "von_mises", "plastic_strain", "bonds"};

static void derived_fields_of_liquids_are_zero(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawMaterialId water = add_water(world);
    ThawBodyDef def = box_def(water, (ThawVec3){0, 0, 0});
    assert_ok(thaw_world_add_body(world, &def, NULL));
    for (int both = 0; both < 2; both++) {
        for (int k = 0; k < 6; k++) {
            ThawView view = view_of(world, derived[k]);
            const uint32_t *bits = view.data;
            for (uint32_t row = 0; row < view.count; row++) {
                if (world->store->state[row] == THAW_STATE_SOLID) continue;
                for (uint32_t c = 0; c < view.components; c++) {
                    assert_int_equal(bits[row * view.components + c], 0);
                }
            }
        }
        def = solid_def(water, thaw_shape_sphere((ThawVec3){1, 0, 0}, 0.05));
        assert_ok(thaw_world_add_body(world, &def, NULL));
    }
    thaw_world_destroy(world);
}

// a small world with one solid particle of a frame that the test chooses
static ThawWorld *one_solid(int dimensions, ThawElasticity elasticity, ThawQuat turn) {
    ThawWorld *world = small_world(dimensions);
    ThawMaterialDef material = thaw_material_default();
    material.solid.young = 2e6f;
    material.solid.poisson = 0.25f;
    material.solid.elasticity = elasticity;
    ThawMaterialId id;
    assert_ok(thaw_world_add_material(world, &material, &id));
    const double x[1][3] = {{0, 0, 0}};
    ThawParticlesDef def = {
        .material = id, .count = 1, .positions = x, .state = THAW_STATE_SOLID, .orientation = turn};
    assert_ok(thaw_world_add_particles(world, &def, NULL));
    return world;
}

// A = R diag(a, b, c)
static void stretch(ThawWorld *world, ThawQuat turn, double a, double b, double c) {
    float *map = thaw_lattice_state(world->store).map;
    const double scale[3] = {a, b, c};
    for (int j = 0; j < 3; j++) {
        ThawVec3 v = thaw_quat_rotate(turn, thaw_vec(j == 0, j == 1, j == 2));
        map[j] = (float)(v.x * scale[j]);
        map[3 + j] = (float)(v.y * scale[j]);
        map[6 + j] = (float)(v.z * scale[j]);
    }
}

// R diag(s) Rᵀ
static void turned(ThawQuat q, const double s[3], double out[6]) {
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double R[3][3];
    for (int j = 0; j < 3; j++) {
        ThawVec3 v = thaw_quat_rotate(q, thaw_vec(j == 0, j == 1, j == 2));
        R[0][j] = v.x, R[1][j] = v.y, R[2][j] = v.z;
    }
    for (int k = 0; k < 6; k++) {
        out[k] = 0;
        for (int j = 0; j < 3; j++) out[k] += R[pairs[k][0]][j] * s[j] * R[pairs[k][1]][j];
    }
}

static void assert_six(ThawWorld *world, const char *field, const double expected[6], double off) {
    const float *values = view_of(world, field).data;
    for (int k = 0; k < 6; k++) {
        if (!(fabs((double)values[k] - expected[k]) <= off)) {
            fail_msg("%s %d: %g, not %g", field, k, (double)values[k], expected[k]);
        }
    }
}

// principal stresses of Hooke's law, or of the neo-Hookean one, in double
static void law(int dimensions, ThawElasticity elasticity, const double stretch[3], double s[3]) {
    const double E = 2e6, nu = 0.25, mu = E / (2 * (1 + nu));
    double lambda = dimensions == 3 ? E * nu / ((1 + nu) * (1 - 2 * nu)) : E * nu / (1 - nu * nu);
    double J = stretch[0] * stretch[1] * stretch[2], trace = 0;
    for (int k = 0; k < 3; k++) trace += stretch[k] - 1;
    for (int k = 0; k < 3; k++) {
        s[k] = elasticity == THAW_ELASTIC_NEO_HOOKEAN
                   ? (mu * (stretch[k] * stretch[k] - 1) + lambda * log(J)) / J
                   : 2 * mu * (stretch[k] - 1) + lambda * trace;
    }
    if (dimensions == 2) s[2] = 0;
}

static void strain_and_stress_are_those_of_the_formulas(void **state) {
    (void)state;
    for (int n = 0; n < 60; n++) {
        int dimensions = 2 + n % 2;
        ThawElasticity elasticity = (ThawElasticity)(n % 3);
        ThawQuat q = random_turn(dimensions);
        ThawWorld *world = one_solid(dimensions, elasticity, q);
        const double l[3] = {uniform(0.8, 1.2), uniform(0.8, 1.2),
                             dimensions == 3 ? uniform(0.8, 1.2) : 1.0};
        stretch(world, q, l[0], l[1], l[2]);
        const double linear[3] = {l[0] - 1, l[1] - 1, l[2] - 1};
        const double green[3] = {(l[0] * l[0] - 1) / 2, (l[1] * l[1] - 1) / 2,
                                 (l[2] * l[2] - 1) / 2};
        double expected[6], s[3];
        turned(q, linear, expected);
        assert_six(world, "strain", expected, 6e-7);
        turned(q, green, expected);
        assert_six(world, "green_strain", expected, 6e-7);
        law(dimensions, elasticity, l, s);
        turned(q, s, expected);
        assert_six(world, "stress", expected, 8.0); // Pa of 2e6, as the strains
        double mises =
            sqrt(0.5 * (pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2)));
        const float *value = view_of(world, "von_mises").data;
        assert_true(fabs((double)*value - mises) < 8.0);
        thaw_world_destroy(world);
    }
}

// pulled along one axis until nothing pulls across it, the stress is Young's modulus times the strain
static void a_pulled_bar_shows_its_modulus(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = one_solid(dimensions, THAW_ELASTIC_LATTICE, thaw_quat_identity());
        double e = 0.01, across = 1 - 0.25 * e;
        stretch(world, thaw_quat_identity(), 1 + e, across, dimensions == 3 ? across : 1);
        const double expected[6] = {2e6 * e};
        assert_six(world, "stress", expected, 2.0);
        const float *mises = view_of(world, "von_mises").data;
        assert_true(fabs((double)*mises - 2e6 * e) < 2.0);
        thaw_world_destroy(world);
    }
}

static void plastic_strain_is_what_a_bar_keeps(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = one_solid(dimensions, THAW_ELASTIC_LATTICE, thaw_quat_identity());
        const float *value = view_of(world, "plastic_strain").data;
        assert_true(*value == 0);
        float *flow = thaw_lattice_state(world->store).flow;
        double e = 0.05, across = dimensions == 3 ? exp(-0.5 * e) : exp(-e);
        // drawn out along y, with a turn besides, which is no strain
        double c = cos(0.3), s = sin(0.3);
        flow[0] = (float)(c * across), flow[1] = (float)(-s * exp(e));
        flow[3] = (float)(s * across), flow[4] = (float)(c * exp(e));
        if (dimensions == 3) flow[8] = (float)across;
        value = view_of(world, "plastic_strain").data;
        assert_true(fabs((double)*value - e) < 1e-6);
        thaw_world_destroy(world);
    }
}

static void bonds_are_the_sites_that_are_occupied(void **state) {
    (void)state;
    ThawWorld *world = one_solid(3, THAW_ELASTIC_LATTICE, thaw_quat_identity());
    int32_t *sites = thaw_lattice_state(world->store).sites;
    const int32_t *bonds = view_of(world, "bonds").data;
    assert_int_equal(*bonds, 0); // fresh
    *sites = (int32_t)(THAW_SITE_OCCUPIED(0) | THAW_SITE_OCCUPIED(11) | THAW_SITE_CLOSED(3));
    bonds = view_of(world, "bonds").data;
    assert_int_equal(*bonds, 2);
    thaw_world_destroy(world);
}

static void several_derived_fields_can_be_looked_at_together(void **state) {
    (void)state;
    ThawWorld *world = one_solid(3, THAW_ELASTIC_LATTICE, thaw_quat_identity());
    const void *rows[6];
    for (int k = 0; k < 6; k++) rows[k] = view_of(world, derived[k]).data;
    for (int k = 0; k < 6; k++) {
        for (int j = 0; j < k; j++) assert_ptr_not_equal(rows[k], rows[j]);
    }
    assert_missing(thaw_world_view(world, "von_misses", &(ThawView){0}), "von_mises");
    const ThawFracture *fractures;
    uint32_t count = 5;
    thaw_world_fractures(world, &fractures, &count);
    assert_int_equal(count, 0);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liquids_open_no_lattice),
        cmocka_unit_test(rows_carry_the_lattices_orientation),
        cmocka_unit_test(tilted_shapes_have_a_flat_lattice_in_2d),
        cmocka_unit_test(solids_have_the_count_that_their_volume_says_within_3_percent),
        cmocka_unit_test(a_solid_needs_the_close_packing),
        cmocka_unit_test(solid_particles_become_one_object),
        cmocka_unit_test(docking_rates_begin_at_the_materials),
        cmocka_unit_test(names_of_the_lattice_are_its_own),
        cmocka_unit_test(derived_fields_of_liquids_are_zero),
        cmocka_unit_test(strain_and_stress_are_those_of_the_formulas),
        cmocka_unit_test(a_pulled_bar_shows_its_modulus),
        cmocka_unit_test(plastic_strain_is_what_a_bar_keeps),
        cmocka_unit_test(bonds_are_the_sites_that_are_occupied),
        cmocka_unit_test(several_derived_fields_can_be_looked_at_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
