// Rows in blocks of eight aim where rows one by one do, in every bit and with every instruction set.
#include "neighbors/aim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKS 40u
#define ROWS (BLOCKS * THAW_AIM_ROWS)

typedef struct Rows {
    ThawDomain domain;
    int64_t cells[3 * ROWS];
    float velocity[3 * ROWS];
    ThawAim aim;
} Rows;

static double unit(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

// Positions far out, displacements from tiny to nearly absurd: rounding to fixed point must agree everywhere.
static void make_rows(Rows *rows) {
    uint64_t state = 7;
    *rows = (Rows){.domain = {.dimensions = 3, .cell = 0.02}};
    for (uint32_t k = 0; k < 3 * ROWS; k++) {
        rows->cells[k] = (int64_t)((unit(&state) - 0.5) * 4e15);
        double size = pow(10.0, 15.0 * unit(&state) - 10.0);
        rows->velocity[k] = (float)((unit(&state) - 0.5) * size);
    }
    rows->aim = (ThawAim){&rows->domain, rows->cells, rows->velocity, 1.37f, {0.1f, -2e-7f, -0.4f}};
}

static bool is_there(int isa) {
    ThawIsa got;
    return thaw_isa_resolve((ThawIsa)isa, &got) == THAW_OK;
}

static void aim_row(const Rows *rows, uint32_t row, float shift[3], int64_t at[3]) {
    thaw_aim_shift(&rows->aim, row, shift);
    thaw_aim_at(&rows->aim, row, shift, at);
}

static void bounds_are_those_of_all_rows(void **state) {
    (void)state;
    Rows rows;
    make_rows(&rows);
    int64_t least[3] = {INT64_MAX, INT64_MAX, INT64_MAX},
            most[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    float longest = 0;
    for (uint32_t row = 8; row < ROWS; row++) {
        float s[3];
        int64_t at[3];
        aim_row(&rows, row, s, at);
        longest = fmaxf(longest, s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        for (int a = 0; a < 3; a++) {
            if (at[a] < least[a]) least[a] = at[a];
            if (at[a] > most[a]) most[a] = at[a];
        }
    }
    for (int isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
        if (!is_there(isa)) continue;
        ThawAimBounds found;
        assert_true(THAW_WIDE_PICK(isa, thaw_aim_bounds)(&rows.aim, 8, BLOCKS - 1, &found));
        assert_memory_equal(found.least, least, sizeof least);
        assert_memory_equal(found.most, most, sizeof most);
        assert_true(found.max_shift2 == longest);
    }
}

static void what_is_absurd_or_not_a_number_is_left_to_others(void **state) {
    (void)state;
    static const float wild[] = {NAN, INFINITY, -INFINITY, 4e5f, -1e30f};
    Rows rows;
    make_rows(&rows);
    for (int isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
        if (!is_there(isa)) continue;
        for (uint32_t k = 0; k < 5; k++) {
            uint32_t at = 3 * 83 + k % 3;
            float before = rows.velocity[at], out[3 * ROWS];
            int64_t cells[3 * ROWS];
            ThawAimBounds found;
            ThawAimMoves moves = {.shift = rows.velocity, .velocity = out, .scale = 1};
            rows.velocity[at] = wild[k] * 2.0f;
            assert_false(THAW_WIDE_PICK(isa, thaw_aim_bounds)(&rows.aim, 0, BLOCKS, &found));
            assert_false(THAW_WIDE_PICK(isa, thaw_aim_moves)(&rows.aim, 0, BLOCKS, &moves));
            memcpy(cells, rows.cells, sizeof cells);
            assert_false(THAW_WIDE_PICK(isa, thaw_aim_arrive)(cells, rows.velocity, 3 * ROWS));
            assert_memory_equal(cells, rows.cells, sizeof cells);
            rows.velocity[at] = before;
        }
    }
}

static void keys_and_places_are_those_of_each_row(void **state) {
    (void)state;
    Rows rows;
    make_rows(&rows);
    ThawTable table = {.bits_x = 21, .bits_y = 20, .bits_z = 20, .bits_fraction = 3};
    table.level_base = THAW_LEVEL_BASE;
    table.levels[THAW_LEVEL_BASE].origin[0] = -600000;
    for (int isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
        if (!is_there(isa)) continue;
        uint64_t keys[ROWS];
        float shift[3 * ROWS];
        ThawPlace place[ROWS];
        memset(place, 0xff, sizeof place);
        THAW_WIDE_PICK(isa, thaw_aim_keys)
        (&rows.aim, &table, THAW_LEVEL_BASE, 0, BLOCKS, keys);
        THAW_WIDE_PICK(isa, thaw_aim_places)(&rows.aim, 0, BLOCKS, shift, place);
        for (uint32_t row = 0; row < ROWS; row++) {
            float s[3];
            int64_t at[3];
            aim_row(&rows, row, s, at);
            assert_true(keys[row] == thaw_aim_key(&table, THAW_LEVEL_BASE, at));
            assert_memory_equal(&shift[3 * row], s, sizeof s);
            ThawPlace own = {thaw_place_from(at[0]), thaw_place_from(at[1]), thaw_place_from(at[2]),
                             0};
            assert_memory_equal(&place[row], &own, sizeof own);
        }
    }
}

static void moves_and_arrivals_are_those_of_each_row(void **state) {
    (void)state;
    Rows rows;
    make_rows(&rows);
    float shift[3 * ROWS], longest = 0, farthest = 0;
    uint64_t seed = 3;
    for (uint32_t row = 0; row < ROWS; row++) {
        float s[3], c2 = 0, s2 = 0;
        thaw_aim_shift(&rows.aim, row, s);
        for (uint32_t a = 0; a < 3; a++) {
            float moved = s[a] * (float)(0.5 + unit(&seed));
            shift[3 * row + a] = moved;
            s2 += moved * moved;
            c2 += (moved - s[a]) * (moved - s[a]);
        }
        longest = fmaxf(longest, s2);
        farthest = fmaxf(farthest, c2);
    }
    for (int isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
        if (!is_there(isa)) continue;
        float out[3 * ROWS];
        int64_t cells[3 * ROWS];
        ThawAimMoves moves = {.shift = shift, .velocity = out, .scale = 0.731};
        assert_true(THAW_WIDE_PICK(isa, thaw_aim_moves)(&rows.aim, 0, BLOCKS, &moves));
        assert_true(moves.max_shift2 == longest && moves.max_correction2 == farthest);
        memcpy(cells, rows.cells, sizeof cells);
        // a length that is not whole blocks
        assert_true(THAW_WIDE_PICK(isa, thaw_aim_arrive)(cells, shift, 3 * ROWS - 5));
        for (uint32_t k = 0; k < 3 * ROWS; k++) {
            assert_true(out[k] == (float)((double)shift[k] * 0.731));
            int64_t way = k < 3 * ROWS - 5 ? thaw_fixed_from_float(shift[k]) : 0;
            assert_true(cells[k] == rows.cells[k] + way);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_those_of_all_rows),
        cmocka_unit_test(what_is_absurd_or_not_a_number_is_left_to_others),
        cmocka_unit_test(keys_and_places_are_those_of_each_row),
        cmocka_unit_test(moves_and_arrivals_are_those_of_each_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
