// A solid particle's frame: its channels, fresh rows, and strains against closed forms.
#include "lattice/state.h"
#include "math/vec.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 3;
static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static ThawStore *store_of(uint32_t rows) {
    ThawStore *store;
    uint32_t first;
    assert_int_equal(thaw_store_create(&store), THAW_OK);
    assert_int_equal(thaw_store_append(store, rows, 1, 1, &first), THAW_OK);
    return store;
}

// ---------------------------------------------------------------- channels

static void channels_come_with_the_first_solid_only(void **state) {
    (void)state;
    ThawStore *store = store_of(10);
    size_t before = thaw_store_bytes(store);
    assert_false(thaw_lattice_is_open(store));
    assert_null(thaw_lattice_state(store).map);
    assert_int_equal(store->channel_count, 0);
    assert_int_equal(thaw_lattice_open(store), THAW_OK);
    assert_true(thaw_lattice_is_open(store));
    assert_int_equal(store->channel_count, 6);
    assert_int_equal(thaw_lattice_open(store), THAW_OK);
    assert_int_equal(store->channel_count, 6);
    assert_true(thaw_store_bytes(store) > before);
    ThawLatticeState lattice = thaw_lattice_state(store);
    assert_true(lattice.turn != NULL && lattice.flow != NULL && lattice.docking != NULL);
    thaw_store_destroy(store);
}

static void another_channel_of_that_name_is_refused_and_nothing_changes(void **state) {
    (void)state;
    ThawStore *store = store_of(10);
    ThawChannelDef def = {THAW_LATTICE_FLOW, THAW_F32, 3};
    assert_int_equal(thaw_store_add_channel(store, &def), THAW_OK);
    assert_int_equal(thaw_lattice_open(store), THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_error_text(), THAW_LATTICE_FLOW));
    assert_int_equal(store->channel_count, 1);
    assert_false(thaw_lattice_is_open(store));
    thaw_store_destroy(store);
}

static void too_many_channels_are_refused_and_nothing_changes(void **state) {
    (void)state;
    ThawStore *store = store_of(10);
    char name[] = "c00";
    for (int k = 0; k < THAW_STORE_CHANNELS - 5; k++) {
        name[1] = (char)('0' + k / 10), name[2] = (char)('0' + k % 10);
        ThawChannelDef def = {name, THAW_I32, 1};
        assert_int_equal(thaw_store_add_channel(store, &def), THAW_OK);
    }
    assert_int_equal(thaw_lattice_open(store), THAW_BAD_INPUT);
    assert_int_equal(store->channel_count, THAW_STORE_CHANNELS - 5);
    thaw_store_destroy(store);
}

// ---------------------------------------------------------------- frames

typedef struct Matrix {
    double m[9];
} Matrix;

static Matrix product(Matrix a, Matrix b) {
    Matrix out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += a.m[3 * i + k] * b.m[3 * k + j];
            out.m[3 * i + j] = sum;
        }
    }
    return out;
}

static Matrix transposed(Matrix a) {
    Matrix out;
    for (int k = 0; k < 9; k++) out.m[k] = a.m[k % 3 * 3 + k / 3];
    return out;
}

static Matrix rotation(ThawQuat q) {
    Matrix out;
    for (int j = 0; j < 3; j++) {
        ThawVec3 v = thaw_quat_rotate(q, thaw_vec(j == 0, j == 1, j == 2));
        out.m[j] = v.x, out.m[3 + j] = v.y, out.m[6 + j] = v.z;
    }
    return out;
}

static ThawQuat random_turn(int dimensions) {
    ThawVec3 axis = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    if (dimensions == 2) axis.x = axis.y = 0, axis.z = 1;
    return thaw_quat_turn(axis, uniform(-3, 3));
}

// one plus a small symmetric matrix
static Matrix random_stretch(int dimensions, double size) {
    Matrix s;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double value = dimensions == 2 && i == 2 ? 0 : uniform(-size, size);
            s.m[3 * i + j] = s.m[3 * j + i] = value + (i == j);
        }
    }
    return s;
}

static void set_row(const ThawLatticeState *lattice, uint32_t row, ThawQuat turn, Matrix map,
                    Matrix flow) {
    const float narrow[4] = {(float)turn.x, (float)turn.y, (float)turn.z, (float)turn.w};
    thaw_lattice_set(lattice, row, narrow);
    for (size_t k = 0; k < 9; k++) {
        lattice->map[9 * row + k] = (float)map.m[k];
        lattice->flow[9 * row + k] = (float)flow.m[k];
    }
}

static const Matrix one = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void assert_strain(const float strain[6], Matrix expected, int dimensions) {
    static const int at[6] = {0, 4, 8, 1, 5, 2};
    for (int k = 0; k < 6; k++) {
        double wanted = dimensions == 2 && (k == 2 || k == 4 || k == 5) ? 0 : expected.m[at[k]];
        // floats of about 1 go in
        if (!(fabs((double)strain[k] - wanted) < 6e-7)) {
            fail_msg("component %d: %g, not %g", k, (double)strain[k], wanted);
        }
    }
}

static void a_fresh_row_is_turned_and_free_of_strain(void **state) {
    (void)state;
    ThawStore *store = store_of(20);
    assert_int_equal(thaw_lattice_open(store), THAW_OK);
    ThawLatticeState lattice = thaw_lattice_state(store);
    for (uint32_t row = 0; row < 20; row++) {
        ThawQuat q = random_turn(3);
        const float turn[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
        for (int s = 0; s < 12; s++) lattice.docking[12 * row + (uint32_t)s] = 5;
        thaw_lattice_set(&lattice, row, turn);
        Matrix R = rotation(q);
        for (uint32_t k = 0; k < 9; k++) {
            assert_true(fabs((double)lattice.map[9 * row + k] - R.m[k]) < 3e-7);
            assert_true(lattice.flow[9 * row + k] == (k % 4 == 0 ? 1.0f : 0.0f));
        }
        assert_int_equal(lattice.sites[row], THAW_SITES_FRESH);
        for (uint32_t s = 0; s < 12; s++) assert_true(lattice.docking[12 * row + s] == 0);
        float strain[6];
        thaw_lattice_strain(&lattice, row, 3, strain);
        assert_strain(strain, (Matrix){{0}}, 3);
        thaw_lattice_green(&lattice, row, 3, strain);
        assert_strain(strain, (Matrix){{0}}, 3);
    }
    thaw_store_destroy(store);
}

// A = R S gives R S Rᵀ − 1 and R (S² − 1) Rᵀ / 2
static void strains_are_those_of_the_stretch_in_the_worlds_frame(void **state) {
    (void)state;
    ThawStore *store = store_of(1);
    assert_int_equal(thaw_lattice_open(store), THAW_OK);
    ThawLatticeState lattice = thaw_lattice_state(store);
    for (int n = 0; n < 400; n++) {
        int dimensions = 2 + n % 2;
        ThawQuat q = random_turn(dimensions);
        Matrix R = rotation(q), S = random_stretch(dimensions, 0.3), back = transposed(R);
        set_row(&lattice, 0, q, product(R, S), one);
        Matrix linear = product(product(R, S), back);
        Matrix green = product(product(R, product(S, S)), back);
        for (int k = 0; k < 9; k++) {
            linear.m[k] -= one.m[k];
            green.m[k] = 0.5 * (green.m[k] - one.m[k]);
        }
        float strain[6];
        thaw_lattice_strain(&lattice, 0, dimensions, strain);
        assert_strain(strain, linear, dimensions);
        thaw_lattice_green(&lattice, 0, dimensions, strain);
        assert_strain(strain, green, dimensions);
    }
    thaw_store_destroy(store);
}

// A = R S F: what F has taken up is no strain
static void permanent_flow_is_no_strain(void **state) {
    (void)state;
    ThawStore *store = store_of(1);
    assert_int_equal(thaw_lattice_open(store), THAW_OK);
    ThawLatticeState lattice = thaw_lattice_state(store);
    for (int n = 0; n < 400; n++) {
        int dimensions = 2 + n % 2;
        ThawQuat q = random_turn(dimensions);
        Matrix R = rotation(q), S = random_stretch(dimensions, 0.1);
        Matrix F = random_stretch(dimensions, 0.2);
        set_row(&lattice, 0, q, product(product(R, S), F), F);
        Matrix linear = product(product(R, S), transposed(R));
        for (int k = 0; k < 9; k++) linear.m[k] -= one.m[k];
        float strain[6];
        thaw_lattice_strain(&lattice, 0, dimensions, strain);
        assert_strain(strain, linear, dimensions);
        ThawMat3 E = thaw_lattice_elastic(&lattice, 0, dimensions);
        Matrix RS = product(R, S);
        for (int k = 0; k < 9; k++) assert_true(fabs(E.m[k] - RS.m[k]) < 1e-6);
    }
    thaw_store_destroy(store);
}

// rows that nobody has set give numbers too
static void empty_rows_do_no_harm(void **state) {
    (void)state;
    ThawStore *store = store_of(1);
    assert_int_equal(thaw_lattice_open(store), THAW_OK);
    ThawLatticeState lattice = thaw_lattice_state(store);
    float strain[6];
    thaw_lattice_strain(&lattice, 0, 3, strain);
    for (int k = 0; k < 6; k++) assert_true(isfinite(strain[k]));
    thaw_lattice_green(&lattice, 0, 2, strain);
    for (int k = 0; k < 6; k++) assert_true(isfinite(strain[k]));
    thaw_store_destroy(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_come_with_the_first_solid_only),
        cmocka_unit_test(another_channel_of_that_name_is_refused_and_nothing_changes),
        cmocka_unit_test(too_many_channels_are_refused_and_nothing_changes),
        cmocka_unit_test(a_fresh_row_is_turned_and_free_of_strain),
        cmocka_unit_test(strains_are_those_of_the_stretch_in_the_worlds_frame),
        cmocka_unit_test(permanent_flow_is_no_strain),
        cmocka_unit_test(empty_rows_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
