// Cell keys: exact both ways, unique, ordered by z, y, x (validation case V-11).
#include "neighbors/keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CELLS 1000000

static uint64_t random_state = 1;

static int32_t draw_coordinate(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)(random_state >> 43) - (1 << 20);
}

typedef struct Cell {
    int32_t x, y, z;
} Cell;

// by z, then y, then x, in the plainest way
static int compare_cells(const void *a, const void *b) {
    Cell p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    if (p.z != q.z) return p.z < q.z ? -1 : 1;
    if (p.y != q.y) return p.y < q.y ? -1 : 1;
    return p.x < q.x ? -1 : p.x > q.x;
}

static void keys_are_exact_unique_and_ordered_like_cells(void **state) {
    (void)state;
    Cell *cells = malloc(CELLS * sizeof *cells);
    for (uint32_t k = 0; k < CELLS; k++) {
        cells[k] = (Cell){draw_coordinate(), draw_coordinate(), draw_coordinate()};
        // some that differ in one axis only
        if (k % 4 == 1) cells[k] = (Cell){cells[k].x, cells[k - 1].y, cells[k - 1].z};
        if (k % 4 == 2) cells[k] = (Cell){cells[k - 2].x, cells[k].y, cells[k - 2].z};
    }
    qsort(cells, CELLS, sizeof *cells, compare_cells);
    uint64_t last = 0;
    for (uint32_t k = 0; k < CELLS; k++) {
        uint64_t key = thaw_key_encode(cells[k].x, cells[k].y, cells[k].z);
        int32_t cell[3];
        thaw_key_decode(key, cell);
        assert_true(cell[0] == cells[k].x && cell[1] == cells[k].y && cell[2] == cells[k].z);
        assert_true(key >> THAW_KEY_BITS == 0);
        if (k > 0 && compare_cells(&cells[k - 1], &cells[k]) != 0)
            assert_true(key > last);
        else if (k > 0)
            assert_true(key == last);
        last = key;
    }
    free(cells);
}

static void corners_of_the_domain_have_the_first_and_last_keys(void **state) {
    (void)state;
    const int32_t low = -(1 << 20), high = (1 << 20) - 1;
    assert_true(thaw_key_encode(low, low, low) == 0);
    assert_true(thaw_key_encode(high, high, high) == ((uint64_t)1 << 63) - 1);
    // neighbours along x are consecutive
    assert_true(thaw_key_encode(1, 0, 0) - thaw_key_encode(0, 0, 0) == 1);
    assert_true(thaw_key_encode(0, 0, 0) - thaw_key_encode(-1, 0, 0) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_exact_unique_and_ordered_like_cells),
        cmocka_unit_test(corners_of_the_domain_have_the_first_and_last_keys),
    };
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
