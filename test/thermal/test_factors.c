// What temperature makes of stiffness, damping and viscosity: tables against
// their curves, the rows that models get, and viscosity with a factor of its
// own for every particle against a twin in double precision.
#include "models/thermal/factors.h"

#include "liquid/cloud.h"
#include "models/liquid/viscosity.h"
#include "models/thermal/thermal.h"

// ---------------------------------------------------------------- tables

static const ThawFactorCurve curves[] = {
    {.count = 0},
    {.count = 1, .temperature = {300}, .factor = {0.25f}},
    {.count = 2, .temperature = {300, 400}, .factor = {1, 1e-4f}},
    // a sharp step between two long level pieces, and down to nothing
    {.count = 5, .temperature = {250, 320, 320.1f, 900, 1000}, .factor = {1, 1, 0.01f, 0.01f, 0}},
    {.count = 4, .temperature = {10, 20, 2000, 3000}, .factor = {1e9f, 1, 3, 1e-6f}},
};
#define CURVE_COUNT (sizeof curves / sizeof *curves)

static void tables_meet_the_points_of_their_curves(void **state) {
    (void)state;
    for (size_t n = 0; n < CURVE_COUNT; n++) {
        ThawFactorTable table;
        thaw_factor_table(&curves[n], &table);
        for (int k = 0; k < curves[n].count; k++) {
            assert_true(thaw_factor_look(&table, curves[n].temperature[k]) == curves[n].factor[k]);
        }
        float first = (float)thaw_factor_at(&curves[n], 0),
              last = (float)thaw_factor_at(&curves[n], 1e9);
        assert_true(thaw_factor_look(&table, 0) == first && thaw_factor_look(&table, 1) == first);
        assert_true(thaw_factor_look(&table, 1e9f) == last);
        assert_true(thaw_factor_look(&table, NAN) == first);
    }
}

// a chord of an exponential: (span / samples)² / 8 of it
static void tables_follow_their_curves(void **state) {
    (void)state;
    const double bounds[CURVE_COUNT] = {1e-7, 1e-7, 2.5e-4, 2e-4, 5e-3};
    for (size_t n = 0; n < CURVE_COUNT; n++) {
        ThawFactorTable table;
        thaw_factor_table(&curves[n], &table);
        double worst = 0;
        for (int k = 0; k < 400000; k++) {
            float t = (float)(200 + 0.0025 * k + 2.5e-9 * k * k * (n == 4 ? 5 : 0));
            double wanted = thaw_factor_at(&curves[n], (double)t);
            double found = (double)thaw_factor_look(&table, t);
            worst = fmax(worst, fabs(found - wanted) / fmax(wanted, 1e-4));
        }
        print_message("curve %zu: off by %.1e\n", n, worst);
        assert_true(worst < bounds[n]);
    }
}

// ---------------------------------------------------------------- rows

typedef struct Rows {
    ThawWorld *world;
    ThawThermal thermal;
    ThawStep step;
} Rows;

// particles of two materials, and a third one that nobody is of
static Rows open_rows(const ThawFactorCurve *first, const ThawFactorCurve *third) {
    ThawWorldDef def = thaw_world_default();
    def.heat.on = true;
    def.threads = 2;
    Rows rows = {0};
    assert_ok(thaw_world_create(&def, &rows.world));
    const char *names[3] = {"first", "second", "third"};
    for (int k = 0; k < 3; k++) {
        ThawMaterialDef material = thaw_material_default();
        material.name = names[k];
        if (k == 0 && first != NULL) material.thermal.stiffness = *first;
        if (k == 2 && third != NULL) material.thermal.viscosity = *third;
        ThawMaterialId id;
        assert_ok(thaw_world_add_material(rows.world, &material, &id));
        static double x[9000][3];
        for (int i = 0; i < 9000; i++) {
            x[i][0] = 0.01 * (i % 20);
            x[i][1] = 0.01 * (i / 20 % 20);
            x[i][2] = 0.01 * (i / 400) + k;
        }
        ThawParticlesDef particles = {
            .material = id, .count = 9000, .positions = (const double(*)[3])x};
        if (k < 2) assert_ok(thaw_world_add_particles(rows.world, &particles, NULL));
    }
    assert_ok(thaw_factors_create(&rows.thermal.factors));
    rows.step = (ThawStep){.store = rows.world->store,
                           .materials = rows.world->materials,
                           .material_count = rows.world->material_count,
                           .parallel = rows.world->parallel};
    return rows;
}

static void heat_rows(Rows *rows, double from, double to) {
    ThawThermalState state = thaw_thermal_state(rows->world->store);
    uint32_t count = rows->world->store->count;
    for (uint32_t row = 0; row < count; row++) {
        thaw_thermal_set(rows->world->store, &state, rows->world->materials, row,
                         from + (to - from) * row / count);
    }
}

static void close_rows(Rows *rows) {
    thaw_factors_destroy(rows->thermal.factors);
    thaw_world_destroy(rows->world);
}

static void without_curves_there_are_no_factors(void **state) {
    (void)state;
    // a curve that no particle has is none
    for (int n = 0; n < 2; n++) {
        Rows rows = open_rows(NULL, n == 0 ? NULL : &curves[2]);
        assert_ok(thaw_factors_begin(&rows.thermal, &rows.step));
        assert_ok(thaw_factors_set(&rows.thermal, &rows.step));
        assert_null(rows.step.stiffness);
        assert_null(rows.step.damping);
        assert_null(rows.step.viscosity);
        close_rows(&rows);
    }
}

static void each_row_has_the_factor_of_its_temperature(void **state) {
    (void)state;
    Rows rows = open_rows(&curves[2], NULL);
    heat_rows(&rows, 250, 450);
    assert_ok(thaw_factors_begin(&rows.thermal, &rows.step));
    assert_non_null(rows.step.stiffness);
    assert_null(rows.step.damping);
    const ThawStore *store = rows.world->store;
    const float *temperature = thaw_thermal_state(rows.world->store).temperature;
    uint32_t ones = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        double wanted =
            store->material[row] != 0 ? 1 : thaw_factor_at(&curves[2], (double)temperature[row]);
        assert_true(fabs((double)rows.step.stiffness[row] / wanted - 1) < 3e-4);
        ones += rows.step.stiffness[row] == 1;
    }
    assert_true(ones >= 9000 && ones < 18000);
    for (uint32_t k = 0; k < THAW_STORE_PAD; k++)
        assert_true(rows.step.stiffness[store->count + k] == 1);
    close_rows(&rows);
}

// a heat step, or rows that have moved
static void factors_are_found_anew_when_something_has_changed(void **state) {
    (void)state;
    Rows rows = open_rows(&curves[2], NULL);
    heat_rows(&rows, 300, 300);
    assert_ok(thaw_factors_begin(&rows.thermal, &rows.step));
    heat_rows(&rows, 350, 350);
    assert_ok(thaw_factors_set(&rows.thermal, &rows.step));
    assert_true(rows.step.stiffness[0] == 1);
    rows.thermal.rounds++;
    assert_ok(thaw_factors_set(&rows.thermal, &rows.step));
    assert_true(rows.step.stiffness[0] < 0.1f);
    heat_rows(&rows, 400, 400);
    rows.step.fresh = true;
    assert_ok(thaw_factors_set(&rows.thermal, &rows.step));
    assert_true(rows.step.stiffness[0] == 1e-4f);
    // and another curve of the material
    rows.step.fresh = false;
    rows.world->materials[0].thermal.stiffness = curves[1];
    assert_ok(thaw_factors_begin(&rows.thermal, &rows.step));
    assert_true(rows.step.stiffness[0] == 0.25f);
    close_rows(&rows);
}

// ---------------------------------------------------------------- viscosity

#define SPAN 1e4 // between the coldest and the hottest

static double matrix[MOST][MOST];
static double factors[MOST];

// half of the kinds have the curve in both materials, half in one alone
static ThawWorld *open_warm(Cloud *cloud, MakeLiquid *make, double c, bool both, int threads,
                            ThawIsa isa) {
    ThawWorld *world = open_kind(cloud, make, c, threads, isa);
    if (world == NULL) return NULL;
    ThawFactorCurve curve = {.count = 2, .temperature = {300, 400}, .factor = {(float)SPAN, 1}};
    for (int half = 0; half < (both ? 2 : 1); half++)
        world->materials[half].thermal.viscosity = curve;
    for (int half = 0; half < 2; half++) world->materials[half].thermal.conductivity = 0;
    world->def.heat = thaw_heat_default();
    world->def.heat.on = true;
    assert_ok(thaw_thermal_open(world->store, false));
    ThawThermalState heat = thaw_thermal_state(world->store);
    for (uint32_t i = 0; i < cloud->count; i++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, cloud->id[i], &row));
        double temperature = draw(i, 30, 290, 410);
        thaw_thermal_set(world->store, &heat, world->materials, row, temperature);
        factors[i] =
            thaw_factor_at(&world->materials[cloud->half[i]].thermal.viscosity, temperature);
    }
    return world;
}

static double largest_warm(const Cloud *cloud, double c) {
    double most = 0;
    for (uint32_t i = 0; i < cloud->count; i++) most = fmax(most, half_c(cloud, i, c) * factors[i]);
    return most;
}

// c L with the harmonic mean of both factors
static void fill_matrix(const Cloud *cloud, double c) {
    int dimensions = cloud->kind->dimensions;
    for (uint32_t i = 0; i < cloud->count; i++) {
        matrix[i][i] = 0;
        for (uint32_t j = 0; j < cloud->count; j++) {
            if (j == i) continue;
            double r2 = 0, h = cloud->spacing[i] + cloud->spacing[j];
            for (int a = 0; a < 3; a++) r2 += pow(cloud->x[i][a] - cloud->x[j][a], 2);
            double share = 2 * cloud->density[j] / (cloud->density[i] + cloud->density[j]);
            double mean = 0.5 * (half_c(cloud, i, c) + half_c(cloud, j, c)) * 2 * factors[i] *
                          factors[j] / (factors[i] + factors[j]);
            double w = thaw_kernel_value(THAW_KERNEL_DEFAULT, dimensions, sqrt(r2), h);
            matrix[i][j] = -mean * share * pow(cloud->spacing[j], dimensions) * w;
            matrix[i][i] -= matrix[i][j];
        }
    }
}

// passes of ½
static void smooth_twin(const Cloud *cloud, double c, double (*v)[3]) {
    static double change[MOST][3];
    double most = largest_warm(cloud, c);
    fill_matrix(cloud, c);
    for (double left = most; left > 0; left -= 0.5) {
        double share = fmin(left, 0.5) / most;
        for (uint32_t i = 0; i < cloud->count; i++) {
            for (int a = 0; a < 3; a++) {
                change[i][a] = 0;
                for (uint32_t j = 0; j < cloud->count; j++)
                    change[i][a] -= share * matrix[i][j] * v[j][a];
            }
        }
        for (uint32_t i = 0; i < cloud->count; i++) {
            for (int a = 0; a < 3; a++) v[i][a] += change[i][a];
        }
    }
}

static void viscosity_over_temperature_equals_that_of_a_twin(void **state) {
    (void)state;
    static double found[MOST][3], wanted[MOST][3];
    const double most[] = {0.3, 0.7, 1.4, 1.9};
    const ThawIsa isas[] = {THAW_ISA_BASELINE, THAW_ISA_AVX2, THAW_ISA_AVX512};
    for (size_t n = 0; n < 4 * KINDS; n++) {
        const Kind *kind = &kinds[n % KINDS];
        double c = most[n / KINDS] / SPAN / fmax(kind->second, 1);
        Cloud *cloud = make_cloud(kind, 1e-4);
        ThawWorld *world = open_warm(cloud, artist, c, n % 2 == 0, 2, isas[n % 3]);
        if (world == NULL) continue;
        assert_ok(thaw_world_step(world, TICK, NULL));
        read_velocities(world, cloud, found);
        memcpy(wanted, cloud->v, sizeof wanted);
        smooth_twin(cloud, c, wanted);
        double worst = 0, moved = 0;
        for (uint32_t i = 0; i < cloud->count; i++) {
            for (int a = 0; a < 3; a++) {
                worst = fmax(worst, fabs(found[i][a] - wanted[i][a]) / 1e-4);
                moved = fmax(moved, fabs(wanted[i][a] - cloud->v[i][a]) / 1e-4);
            }
        }
        if (!(moved > 0.002)) fail_msg("%s, c = %g: nothing moved, %g", kind->name, c, moved);
        // the tables' own error, and moves of 1e-7 spacings
        if (!(worst < 3e-5)) fail_msg("%s, c = %g: off by %g of %g", kind->name, c, worst, moved);
        thaw_world_destroy(world);
    }
}

static void momentum_stays_and_energy_never_rises_at_any_factor(void **state) {
    (void)state;
    static double before[MOST][3], after[MOST][3];
    const double cs[] = {1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 400};
    for (size_t n = 0; n < 2 * KINDS * 7; n++) {
        const Kind *kind = &kinds[n % KINDS];
        MakeLiquid *make = n / KINDS % 2 == 0 ? artist : physical;
        double c = cs[n / KINDS / 2];
        Cloud *cloud = make_cloud(kind, 1e-4);
        ThawWorld *world = open_warm(cloud, make, c, n % 3 != 0, 2, THAW_ISA_AUTO);
        memcpy(before, cloud->v, sizeof before);
        for (int step = 0; step < 3; step++) {
            assert_ok(thaw_world_step(world, TICK, NULL));
            read_velocities(world, cloud, after);
            double change[3] = {0, 0, 0}, scale = 0;
            for (uint32_t i = 0; i < cloud->count; i++) {
                for (int a = 0; a < 3; a++) {
                    change[a] += mass_of(cloud, i) * (after[i][a] - cloud->v[i][a]);
                    scale += mass_of(cloud, i) * fabs(cloud->v[i][a]);
                }
            }
            for (int a = 0; a < 3; a++) {
                if (!(fabs(change[a]) < 1e-6 * scale))
                    fail_msg("%s, c = %g: momentum changes by %g", kind->name, c,
                             change[a] / scale);
            }
            double ratio = kinetic_of(cloud, (const double(*)[3])after) /
                           kinetic_of(cloud, (const double(*)[3])before);
            if (!(ratio < 1 + 1e-6)) fail_msg("%s, c = %g: energy times %g", kind->name, c, ratio);
            memcpy(before, after, sizeof before);
        }
        thaw_world_destroy(world);
    }
}

// What is thicker than the solve can do is cut; the thin beside it keeps what
// it asks for.
static void thick_matter_does_not_thin_the_rest(void **state) {
    (void)state;
    static double found[2][MOST][3];
    const Kind apart = {"apart", 3, {1, 1}, {1000, 1000}, 1, LOOSE};
    double gone[2], c = 0.05;
    for (int n = 0; n < 2; n++) {
        Cloud *cloud = make_cloud(&apart, 1e-4);
        for (uint32_t i = 0; i < cloud->count; i++) cloud->x[i][0] += cloud->half[i] == 1 ? 20 : 0;
        ThawWorld *world = open_warm(cloud, artist, c, true, 1, THAW_ISA_AUTO);
        world->materials[0].thermal.viscosity =
            (ThawFactorCurve){.count = 1, .temperature = {300}, .factor = {1}};
        world->materials[1].thermal.viscosity = world->materials[0].thermal.viscosity;
        if (n == 1) world->materials[1].thermal.viscosity.factor[0] = 1e9f;
        ThawReport report;
        assert_ok(thaw_world_step(world, TICK, &report));
        assert_int_equal(report.viscosity_passes > 100, n == 1);
        read_velocities(world, cloud, found[n]);
        double now = 0, first = 0;
        for (uint32_t i = 0; i < cloud->count; i++) {
            for (int a = 0; a < 3 && cloud->half[i] == 0; a++) {
                now += pow(found[n][i][a], 2);
                first += pow(cloud->v[i][a], 2);
            }
        }
        gone[n] = 1 - now / first;
        thaw_world_destroy(world);
    }
    print_message("thin matter loses %.5f of its energy, beside thick matter %.5f\n", gone[0],
                  gone[1]);
    assert_true(gone[0] > 0.005 && fabs(gone[1] / gone[0] - 1) < 0.02);
}

// ---------------------------------------------------------------- bits

static uint64_t run_hash(int threads, ThawIsa isa) {
    Cloud *cloud = make_cloud(&kinds[3], 1.0);
    ThawWorld *world = open_warm(cloud, physical, 0.01, true, threads, isa);
    if (world == NULL) return 0;
    static double v[MOST][3];
    for (int step = 0; step < 5; step++) assert_ok(thaw_world_step(world, TICK, NULL));
    read_velocities(world, cloud, v);
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < cloud->count; i++) {
        uint64_t bits[3];
        memcpy(bits, v[i], sizeof bits);
        for (int a = 0; a < 3; a++) hash = (hash ^ bits[a]) * 1099511628211u;
    }
    thaw_world_destroy(world);
    return hash;
}

static void bits_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t one = run_hash(1, THAW_ISA_AUTO);
    assert_true(one != 0);
    assert_true(run_hash(2, THAW_ISA_AUTO) == one && run_hash(5, THAW_ISA_AUTO) == one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_meet_the_points_of_their_curves),
        cmocka_unit_test(tables_follow_their_curves),
        cmocka_unit_test(without_curves_there_are_no_factors),
        cmocka_unit_test(each_row_has_the_factor_of_its_temperature),
        cmocka_unit_test(factors_are_found_anew_when_something_has_changed),
        cmocka_unit_test(viscosity_over_temperature_equals_that_of_a_twin),
        cmocka_unit_test(momentum_stays_and_energy_never_rises_at_any_factor),
        cmocka_unit_test(thick_matter_does_not_thin_the_rest),
        cmocka_unit_test(bits_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
