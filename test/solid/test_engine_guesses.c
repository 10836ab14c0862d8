// Who sat on a site is guessed to sit there still, and a guess that stands is what a search would find: a world that
// remembers its last search and one that is made to forget it have the same bonds, whatever happens to their matter.
#include "solid/engine.h"

#define DT (1.0 / 480)
#define STEPS 60

typedef enum Matter { PLAIN, BRITTLE, DOCKING, MATTERS } Matter;

static ThawMaterialDef describe(Matter matter) {
    ThawMaterialDef def = thaw_material_default();
    def.solid.young = 2e4f;
    if (matter == BRITTLE) def.solid.fracture_strain = 0.2f;
    if (matter == DOCKING) def.solid.docking_rate = 50;
    return def;
}

typedef enum Form { BLOCK, BLOCKS, RODS, FORMS } Form;

// one block, two that may touch, or rods, half of them of a few particles alone
static int count_bodies(Form form) {
    return form == BLOCK ? 1 : form == BLOCKS ? 2 : 40;
}

static ThawShape shape_of(Form form, int k) {
    if (form != RODS) return thaw_shape_box((ThawVec3){0.52 * k, 0, 0}, (ThawVec3){0.5, 0.5, 0.5});
    double length = k % 2 == 0 ? 0.3 : 0.11;
    return thaw_shape_box((ThawVec3){0, 0.3 * (k % 8), 0.3 * (k / 8)},
                          (ThawVec3){length, 0.06, 0.04});
}

static ThawWorld *make_world(Matter matter, Form form) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = 0.05;
    def.threads = 1;
    def.gravity = (ThawVec3){0, 0, 0};
    def.solver.substeps = def.solver.elastic_steps = 1;
    ThawWorld *world;
    assert_ok(thaw_world_create(&def, &world));
    ThawMaterialDef material = describe(matter);
    ThawBodyDef body = thaw_body_default();
    assert_ok(thaw_world_add_material(world, &material, &body.material));
    body.state = THAW_STATE_SOLID;
    body.spin = (ThawVec3){3, -2, 5};
    for (int k = 0; k < count_bodies(form); k++) {
        body.shape = shape_of(form, k);
        assert_ok(thaw_world_add_body(world, &body, NULL));
    }
    return world;
}

// what happens to matter between two steps, in lattice distances
static void put_beside(ThawStore *store, uint32_t row, uint32_t other, const double off[3]) {
    for (size_t a = 0; a < 3; a++) {
        store->cells[3 * (size_t)row + a] =
            store->cells[3 * (size_t)other + a] + thaw_fixed_from(off[a] * 0.56);
    }
}

static uint32_t any_row(const ThawStore *store, Dice *dice) {
    return (uint32_t)(dice_unit(dice) * store->count);
}

static void any_way(Dice *dice, double most, double off[3]) {
    for (int a = 0; a < 3; a++) off[a] = most * (2 * dice_unit(dice) - 1);
}

// One particle comes beside another, two trade places, and some are shaken.
static void disturb(ThawStore *store, Dice *dice) {
    uint32_t row = any_row(store, dice), other = any_row(store, dice);
    int64_t kept[3];
    double off[3];
    any_way(dice, 0.6, off);
    if (dice_unit(dice) < 0.7) put_beside(store, row, other, off);
    row = any_row(store, dice);
    other = (row + 1 + (uint32_t)(4 * dice_unit(dice))) % store->count;
    memcpy(kept, &store->cells[3 * (size_t)row], sizeof kept);
    memcpy(&store->cells[3 * (size_t)row], &store->cells[3 * (size_t)other], sizeof kept);
    memcpy(&store->cells[3 * (size_t)other], kept, sizeof kept);
    uint32_t first = any_row(store, dice);
    for (uint32_t k = first; k < first + 20 && k < store->count; k++) {
        any_way(dice, 0.25, off);
        put_beside(store, k, k, off);
    }
}

static ThawBonds *bonds_of(ThawWorld *world) {
    ThawSolids *solid = world->model_states[2];
    return &solid->bonds;
}

// of a search: rows whose bonds were guessed and are, and the others
typedef struct Tally {
    uint32_t right, doubted;
} Tally;

static void assert_same_bonds(ThawWorld *a, ThawWorld *b, Tally *tally) {
    const ThawBonds *guessed = bonds_of(a), *searched = bonds_of(b);
    uint32_t rows = a->store->count;
    assert_int_equal(rows, b->store->count);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            size_t at = thaw_bond_at(row, s);
            assert_int_equal(guessed->slot[at], searched->slot[at]);
            if (guessed->slot[at] != row) {
                assert_int_equal(guessed->back[at], searched->back[at]);
            }
        }
        tally->right += atomic_load(&guessed->doubt[row]) == 0;
        tally->doubted += atomic_load(&guessed->doubt[row]) != 0;
        assert_int_not_equal(atomic_load(&searched->doubt[row]), 0);
    }
    assert_memory_equal(guessed->block, searched->block, guessed->blocks);
    assert_int_equal(thaw_world_hash(a), thaw_world_hash(b));
}

static Tally compare(Matter matter, Form form) {
    ThawWorld *guessing = make_world(matter, form), *searching = make_world(matter, form);
    Dice here = {7}, there = {7};
    Tally tally = {0, 0};
    for (int n = 0; n < STEPS; n++) {
        bonds_of(searching)->revision = 0;
        assert_ok(thaw_world_step(guessing, DT, NULL));
        assert_ok(thaw_world_step(searching, DT, NULL));
        // the first search has nothing to guess from
        if (n > 0) assert_same_bonds(guessing, searching, &tally);
        if (n % 3 != 0) continue;
        disturb(guessing->store, &here);
        disturb(searching->store, &there);
    }
    thaw_world_destroy(guessing);
    thaw_world_destroy(searching);
    return tally;
}

static void guesses_that_stand_are_what_a_search_finds(void **state) {
    (void)state;
    for (int matter = 0; matter < MATTERS; matter++) {
        for (int form = 0; form < FORMS; form++) {
            Tally tally = compare((Matter)matter, (Form)form);
            print_message("matter %d, form %d: %u rows as guessed, %u searched\n", matter, form,
                          tally.right, tally.doubted);
            // both ways are taken
            assert_true(tally.right > tally.doubted / 4 && tally.doubted > 1000);
        }
    }
}

static void matter_that_moves_as_a_whole_is_guessed_wholly(void **state) {
    (void)state;
    ThawWorld *world = make_world(PLAIN, BLOCK);
    for (int n = 0; n < 10; n++) assert_ok(thaw_world_step(world, DT, NULL));
    // the last block is not a whole one: its rows, and those bonded to them, are searched
    const ThawBonds *bonds = bonds_of(world);
    uint32_t doubted = 0, searched = world->store->count % THAW_LANES;
    for (uint32_t row = 0; row < world->store->count; row++) {
        doubted += atomic_load(&bonds->doubt[row]) != 0;
    }
    assert_true(doubted <= searched * (1 + THAW_SITES));
    thaw_world_destroy(world);
}

static void energy_that_nobody_asks_for_changes_nothing(void **state) {
    (void)state;
    ThawWorld *worlds[2] = {make_world(BRITTLE, BLOCKS), make_world(BRITTLE, BLOCKS)};
    ThawReport report[2];
    worlds[1]->def.skip_energy = true;
    for (int n = 0; n < 10; n++) {
        for (int k = 0; k < 2; k++) assert_ok(thaw_world_step(worlds[k], DT, &report[k]));
    }
    assert_true(report[0].elastic > 0);
    assert_true(report[1].elastic == 0);
    assert_int_equal(thaw_world_hash(worlds[0]), thaw_world_hash(worlds[1]));
    for (int k = 0; k < 2; k++) thaw_world_destroy(worlds[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_that_stand_are_what_a_search_finds),
        cmocka_unit_test(matter_that_moves_as_a_whole_is_guessed_wholly),
        cmocka_unit_test(energy_that_nobody_asks_for_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
