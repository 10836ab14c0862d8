// Surface tension's engine against a plain twin in double precision: energy of the area, its gradient by
// differences, and the attraction of pairs.
#include "world/helpers.h"

#include "math/lattice.h"
#include "math/random.h"
#include "models/liquid/tension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPACING 0.01
#define MOST 700
#define NOISE 1.0 // as the engine's ε
#define AREA 4.0
#define NEAR pow(0.75, 6) // W at one spacing

// a ragged ball of liquid, so that its surface is curved everywhere
typedef struct Cloud {
    uint32_t count;
    double x[MOST][3]; // m
} Cloud;

static void make_cloud(Cloud *cloud) {
    cloud->count = 0;
    for (int n = 0; n < 11 * 11 * 11; n++) {
        double p[3] = {n % 11 - 5.0, n / 11 % 11 - 5.0, n / 121 - 5.0}, r2 = 0;
        for (int a = 0; a < 3; a++) {
            p[a] = 1.1 * p[a] + 0.4 * (thaw_random_unit(3, (uint64_t)n, 0, (uint64_t)a) - 0.5);
            r2 += p[a] * p[a] * (a == 0 ? 2 : 1);
        }
        if (r2 > 28) continue;
        assert_true(cloud->count < MOST);
        for (int a = 0; a < 3; a++) cloud->x[cloud->count][a] = SPACING * p[a];
        cloud->count++;
    }
}

// ---------------------------------------------------------------- the twin

// V W of a pair and V ∇W, with the volume fraction of the perfect lattice 1; h = 2 spacings
typedef struct TwinPair {
    double value, gradient[3]; // 1/m
    double t;                  // 1 − q²
} TwinPair;

static double twin_norm(void) {
    ThawRestState rest = thaw_rest_state(THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT, 3, 2.0);
    return thaw_kernel_norm(THAW_KERNEL_DEFAULT, 3) / 8.0 / rest.sum;
}

static TwinPair twin_pair(const Cloud *cloud, uint32_t i, uint32_t j, double norm) {
    double h = 2 * SPACING, r[3], q2 = 0;
    for (int a = 0; a < 3; a++) {
        r[a] = cloud->x[i][a] - cloud->x[j][a];
        q2 += r[a] * r[a] / (h * h);
    }
    TwinPair pair = {.t = fmax(1 - q2, 0)};
    pair.value = norm * pow(pair.t, 6);
    for (int a = 0; a < 3; a++) pair.gradient[a] = -12 * norm * pow(pair.t, 5) * r[a] / (h * h);
    return pair;
}

// Σ V (√(n² + ε²) − ε) / h with n = h ∇ of the volume fraction, over the spacing³ of a volume
static double twin_area(const Cloud *cloud, double norm) {
    double area = 0, h = 2 * SPACING;
    for (uint32_t i = 0; i < cloud->count; i++) {
        double n[3] = {0}, square = NOISE * NOISE;
        for (uint32_t j = 0; j < cloud->count; j++) {
            TwinPair pair = twin_pair(cloud, i, j, norm);
            for (int a = 0; a < 3; a++) n[a] += h * pair.gradient[a];
        }
        for (int a = 0; a < 3; a++) square += n[a] * n[a];
        area += pow(SPACING, 3) / h * (sqrt(square) - NOISE);
    }
    return area;
}

// the velocity in m/s that the area's energy gives a particle in a substep, by differences
static void twin_pull(Cloud *cloud, uint32_t i, double tension, double dt, double norm,
                      double change[3]) {
    const double step = 1e-4 * SPACING;
    for (int a = 0; a < 3; a++) {
        double at = cloud->x[i][a];
        cloud->x[i][a] = at + step;
        double more = twin_area(cloud, norm);
        cloud->x[i][a] = at - step;
        double less = twin_area(cloud, norm);
        cloud->x[i][a] = at;
        double mass = 1000 * pow(SPACING, 3);
        change[a] = -AREA * tension * (more - less) / (2 * step) / mass * dt;
    }
}

// the same of the attraction of pairs, at the places given
static void twin_attract(const Cloud *cloud, uint32_t i, double cap, double dt, double norm,
                         double change[3]) {
    for (int a = 0; a < 3; a++) change[a] = 0;
    for (uint32_t j = 0; j < cloud->count; j++) {
        if (j == i) continue;
        TwinPair pair = twin_pair(cloud, i, j, norm);
        if (pair.t <= 0) continue;
        double share = 1 - pow(pair.t, 6) / NEAR;
        for (int a = 0; a < 3; a++) {
            change[a] += 2 * cap * share * pair.gradient[a] / pow(pair.t, 3) / dt;
        }
    }
}

// ---------------------------------------------------------------- the engine

static ThawWorld *open_world(const Cloud *cloud, float tension, ThawIsa isa) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    def.gravity = (ThawVec3){0, 0, 0};
    def.isa = isa;
    def.threads = 2;
    def.solver.substeps = 1;
    def.solver.iterations = 1;
    ThawWorld *world = NULL;
    if (thaw_world_create(&def, &world) != THAW_OK) return NULL;
    ThawMaterialDef liquid = thaw_material_default();
    liquid.liquid.xsph = 0;
    liquid.liquid.tension = tension;
    ThawMaterialId material;
    assert_ok(thaw_world_add_material(world, &liquid, &material));
    ThawParticlesDef particles = {
        .material = material, .count = cloud->count, .positions = (const double(*)[3])cloud->x};
    ThawParticleId first;
    assert_ok(thaw_world_add_particles(world, &particles, &first));
    return world;
}

// velocities by id after one substep
static void run_engine(const Cloud *cloud, float tension, double dt, ThawIsa isa,
                       double (*velocity)[3]) {
    ThawWorld *world = open_world(cloud, tension, isa);
    assert_non_null(world);
    assert_ok(thaw_world_step(world, dt, NULL));
    ThawView id, v;
    assert_ok(thaw_world_view(world, "id", &id));
    assert_ok(thaw_world_view(world, "velocity", &v));
    const ThawParticleId *ids = id.data;
    uint64_t first = UINT64_MAX;
    for (uint32_t row = 0; row < id.count; row++) first = ids[row] < first ? ids[row] : first;
    for (uint32_t row = 0; row < id.count; row++) {
        for (int a = 0; a < 3; a++) {
            velocity[ids[row] - first][a] = (double)((const float *)v.data)[3 * row + (uint32_t)a];
        }
    }
    thaw_world_destroy(world);
}

// A loose cloud is nowhere too dense, so nothing but tension moves it.
static void particles_follow_the_energy_of_the_area_and_of_pairs(void **state) {
    (void)state;
    static Cloud cloud;
    static double velocity[MOST][3];
    make_cloud(&cloud);
    const double tension = 0.05, dt = 1e-4;
    run_engine(&cloud, (float)tension, dt, THAW_ISA_AUTO, velocity);
    double cap = thaw_tension_cap(3, 1, tension, 1000, SPACING, dt), norm = twin_norm();
    double worst = 0, largest = 0;
    for (uint32_t i = 0; i < cloud.count; i += 29) {
        double pull[3], attract[3];
        twin_pull(&cloud, i, tension, dt, norm, pull);
        twin_attract(&cloud, i, cap, dt, norm, attract);
        for (int a = 0; a < 3; a++) {
            double twin = pull[a] + attract[a];
            worst = fmax(worst, fabs(velocity[i][a] - twin));
            largest = fmax(largest, fabs(twin));
        }
    }
    print_message("%u particles: engine and twin differ by %.1e of %.1e m/s\n", cloud.count, worst,
                  largest);
    // moves of a substep are some 1e-6 cells: floats of places resolve a share of 1e-2 of them
    assert_true(worst < 0.01 * largest);
}

static void instruction_sets_agree(void **state) {
    (void)state;
    static Cloud cloud;
    static double plain[MOST][3], wide[MOST][3];
    make_cloud(&cloud);
    run_engine(&cloud, 1.0f, 1e-3, THAW_ISA_BASELINE, plain);
    run_engine(&cloud, 1.0f, 1e-3, THAW_ISA_AUTO, wide);
    double worst = 0, largest = 0;
    for (uint32_t i = 0; i < cloud.count; i++) {
        for (int a = 0; a < 3; a++) {
            worst = fmax(worst, fabs(plain[i][a] - wide[i][a]));
            largest = fmax(largest, fabs(wide[i][a]));
        }
    }
    assert_true(largest > 0 && worst < 1e-4 * largest);
}

static void more_tension_than_a_substep_follows_is_cut(void **state) {
    (void)state;
    ThawMaterialDef def = thaw_material_default();
    def.liquid.tension = 100;
    ThawMaterial material = thaw_material_from(&def);
    double limit = thaw_liquid_tension_limit(1000, SPACING, 0.01);
    assert_true(limit < 100);
    assert_true(thaw_tension_used(&material, SPACING, 0.01) == limit);
    assert_true(thaw_tension_used(&material, SPACING, 1e-6) == 100);
    // the substep that is asked for carries it
    double dt = thaw_tension_dt(100, 1000, SPACING);
    assert_true(fabs(thaw_liquid_tension_limit(1000, SPACING, dt) / 100 - 1) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_follow_the_energy_of_the_area_and_of_pairs),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(more_tension_than_a_substep_follows_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
