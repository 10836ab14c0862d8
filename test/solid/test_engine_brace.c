// Bonds and long bonds as the search leaves them: slots agree with what one finds row by row.
#include "solid/engine.h"

// stiffer than a step of 1e-3 s carries: long bonds help
static Engine stiff_block(ThawIsa isa) {
    EngineDef def = engine_si(3, 0.05);
    def.world.isa = isa;
    def.material.solid.young = 1e8f;
    EngineBlock how = plain_block(13, 11, 12);
    how.shake = 0.01;
    Engine e = engine_block(&def, &how);
    engine_step(&e, 1e-3, 1);
    engine_step(&e, 1e-3, 1);
    assert_true(engine_solids(&e)->braced);
    return e;
}

// four bonds on in one direction, or the row itself
static uint32_t walk(const ThawBonds *bonds, uint32_t row, uint32_t site) {
    uint32_t at = row;
    for (int k = 0; k < THAW_BRACE; k++) {
        uint32_t next = bonds->slot[thaw_bond_at(at, site)];
        if (next == at) return row;
        at = next;
    }
    return at;
}

static uint32_t count_long_bonds(ThawIsa isa) {
    Engine e = stiff_block(isa);
    const ThawSolids *solid = engine_solids(&e);
    uint32_t found = 0;
    for (uint32_t row = 0; row < e.count; row++) {
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            uint32_t other = solid->brace.slot[thaw_bond_at(row, s)];
            assert_int_equal(other, walk(&solid->bonds, row, s));
            found += other != row;
        }
    }
    engine_free(&e);
    return found;
}

static void long_bonds_lead_where_four_bonds_do(void **state) {
    (void)state;
    uint32_t plain = count_long_bonds(THAW_ISA_BASELINE), best = count_long_bonds(THAW_ISA_AUTO);
    print_message("%u ends of long bonds\n", plain);
    assert_true(plain > 1000);
    assert_int_equal(plain, best);
}

// Each side names the other, on opposite sites of one orientation; full blocks are those without a vacant site.
static void bonds_are_mutual_and_full_blocks_are_full(void **state) {
    (void)state;
    Engine e = stiff_block(THAW_ISA_AUTO);
    const ThawBonds *bonds = &engine_solids(&e)->bonds;
    uint32_t full_blocks = 0;
    for (uint32_t b = 0; b < bonds->blocks; b++) {
        uint32_t vacant = 0;
        for (uint32_t row = 8 * b; row < 8 * b + 8; row++) {
            for (uint32_t s = 0; s < THAW_SITES; s++) {
                uint32_t other = row < e.count ? bonds->slot[thaw_bond_at(row, s)] : row;
                vacant += other == row;
                if (other == row) continue;
                assert_int_equal(bonds->slot[thaw_bond_at(other, s ^ 1u)], row);
                assert_int_equal(bonds->back[thaw_bond_at(row, s)], s ^ 1u);
            }
        }
        bool full = (bonds->block[b] & THAW_BLOCK_FULL) != 0;
        assert_int_equal(full, vacant == 0);
        full_blocks += full;
    }
    assert_true(full_blocks > 10);
    engine_free(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_bonds_lead_where_four_bonds_do),
        cmocka_unit_test(bonds_are_mutual_and_full_blocks_are_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
