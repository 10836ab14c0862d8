// Where liquid freezes between lattices turned alike but set apart, bonds draw the halves together without throwing
// anybody, keep momentum, and end as one lattice.
#include "thermal/changing.h"

#define COLUMNS 6 // of a half
#define ROWS 8
#define APART 0.2 // D: more than a column of liquid needs

typedef struct Halves {
    ThawWorld *world;
    double D;                   // m
    ThawParticleId left, right; // beside the middle
} Halves;

// some columns of a hexagonal lattice, shifted along x by D
static ThawParticleId add_columns(Halves *halves, int from, int to, double shift, ThawState state) {
    double places[COLUMNS * ROWS][3] = {{0}};
    uint32_t count = 0;
    for (int j = 0; j < ROWS; j++) {
        for (int i = from; i < to; i++) {
            places[count][0] = halves->D * (i + 0.5 * (j & 1) + shift);
            places[count++][1] = halves->D * sqrt(0.75) * (j - ROWS / 2);
        }
    }
    ThawParticlesDef def = {.material = {1},
                            .count = count,
                            .positions = (const double(*)[3])places,
                            .state = state,
                            .temperature = MELTS_AT - 10};
    ThawParticleId first;
    assert_ok(thaw_world_add_particles(halves->world, &def, &first));
    return first;
}

static Halves make_halves(void) {
    ThawWorldDef def = warm_def(2);
    Halves halves = {.world = make_world(&def)};
    ThawMaterialDef wax = wax_def();
    wax.solid.young = 1e6f;
    add_material(halves.world, &wax);
    halves.D = thaw_lattice_distance(2, halves.world->def.spacing);
    uint32_t middle = ROWS / 2 * COLUMNS; // rows are added one after the other
    halves.left =
        add_columns(&halves, -COLUMNS, 0, -APART / 2, THAW_STATE_SOLID) + middle + COLUMNS - 1;
    halves.right = add_columns(&halves, 1, COLUMNS + 1, APART / 2, THAW_STATE_SOLID) + middle;
    add_columns(&halves, 0, 1, 0, THAW_STATE_LIQUID);
    return halves;
}

// D between the two beside the middle: two bonds
static double width_of(const Halves *halves) {
    uint32_t left, right;
    assert_ok(thaw_world_index(halves->world, halves->left, &left));
    assert_ok(thaw_world_index(halves->world, halves->right, &right));
    return (place_of(halves->world, right).x - place_of(halves->world, left).x) / halves->D;
}

static double run_halves(Halves *halves, double seconds) {
    double fastest = 0;
    for (int k = 0; k < (int)lrint(60 * seconds); k++) {
        fastest = fmax(fastest, step(halves->world, 1.0 / 60).max_speed);
    }
    return fastest;
}

static void nobody_is_thrown_where_alike_lattices_meet(void **state) {
    (void)state;
    Halves halves = make_halves();
    assert_near(width_of(&halves), 2 + APART, 1e-3);
    double fastest = run_halves(&halves, 1);
    print_message("fastest %.4f m/s, width %.4f D\n", fastest, width_of(&halves));
    assert_int_equal(count_state(halves.world, THAW_STATE_LIQUID), 0);
    assert_below(fastest, 5 * halves.D);
    // and what is drawn arrives
    assert_near(width_of(&halves), 2, 0.02);
    for (uint32_t row = 0; row < halves.world->store->count; row++) {
        ThawLatticeState lattice = thaw_lattice_state(halves.world->store);
        for (size_t s = 0; s < THAW_SITES; s++) {
            assert_int_equal(lattice.misfit[THAW_MISFITS * (size_t)row + s], 0);
        }
    }
    thaw_world_destroy(halves.world);
}

// kg m/s: the sum of what everybody has, whatever its direction
static double momentum_about(const ThawWorld *world) {
    const ThawStore *store = world->store;
    double mass =
        (double)world->materials[0].density * pow(world->def.spacing, world->def.dimensions);
    double sum = 0;
    for (size_t v = 0; v < 3 * (size_t)store->count; v++) {
        sum += mass * fabs((double)store->velocity[v]);
    }
    return sum;
}

static void what_is_drawn_keeps_momentum(void **state) {
    (void)state;
    Halves halves = make_halves();
    double most = 0, lost = 0;
    for (int k = 0; k < 40; k++) {
        double sum[3];
        step(halves.world, 1.0 / 60);
        momentum_of(halves.world, sum);
        for (int a = 0; a < 3; a++) lost = fmax(lost, fabs(sum[a]));
        most = fmax(most, momentum_about(halves.world));
    }
    print_message("momentum %.2g of %.2g kg m/s\n", lost, most);
    assert_below(1e-4, most);
    assert_below(lost, 1e-6 * most); // floats of 1e-7
    thaw_world_destroy(halves.world);
}

static void a_world_loaded_while_bonds_are_drawn_goes_on_alike(void **state) {
    (void)state;
    Halves halves = make_halves(), again = make_halves();
    for (int k = 0; k < 40; k++) {
        void *bytes;
        size_t size;
        ThawHostDef host = {.threads = 1};
        assert_ok(thaw_world_save(again.world, &bytes, &size));
        thaw_world_destroy(again.world);
        assert_ok(thaw_world_load(bytes, size, &host, &again.world));
        thaw_snapshot_free(bytes);
        step(halves.world, 1.0 / 60);
        step(again.world, 1.0 / 60);
        assert_true(thaw_world_hash(halves.world) == thaw_world_hash(again.world));
    }
    thaw_world_destroy(halves.world);
    thaw_world_destroy(again.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_thrown_where_alike_lattices_meet),
        cmocka_unit_test(what_is_drawn_keeps_momentum),
        cmocka_unit_test(a_world_loaded_while_bonds_are_drawn_goes_on_alike),
    };
    return cmocka_run_group_tests_name("drawn", tests, NULL, NULL);
}
