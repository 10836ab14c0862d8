// Conduction against a plain twin in double precision, and its laws: both sides of a pair see the same flow in every
// bit, no heat is made or lost at any step and in any motion, temperatures stay within those there were, the
// same bits for any number of threads and order of rows.
#include "models/thermal/heat.h"
#include "models/thermal/legendre.h"

#include "base/memory.h"
#include "math/lattice.h"
#include "math/random.h"
#include "world/helpers.h"
#include "world/shuffle.h"
#include "world/world.h"

#include <stdlib.h>

#define MOST 400
#define AIR 300.0

static double draw(uint64_t id, uint64_t purpose, double low, double high) {
    return low + (high - low) * thaw_random_unit(5, id, 0, purpose);
}

// ---------------------------------------------------------------- clouds

// loose particles of two materials and sizes
typedef struct Kind {
    const char *name;
    int dimensions;
    float spacing[2], conductivity[2];
    bool periodic;
} Kind;

static const Kind kinds[] = {
    {"3D, alike", 3, {1, 1}, {2, 2}, false},
    {"3D, alike, periodic", 3, {1, 1}, {2, 2}, true},
    {"3D, unlike", 3, {1, 1}, {2, 30}, false},
    {"3D, unlike, periodic", 3, {1, 1}, {2, 30}, true},
    {"3D, two sizes", 3, {1, 2}, {2, 30}, false},
    {"3D, two sizes, periodic", 3, {1, 0.6f}, {2, 0.1f}, true},
    {"3D, all of another size", 3, {0.7f, 0.7f}, {2, 3}, false},
    {"2D, alike", 2, {1, 1}, {2, 2}, false},
    {"2D, unlike, periodic", 2, {1, 1}, {2, 0}, true},
    {"2D, two sizes", 2, {0.5f, 1}, {2, 30}, false},
};
#define KINDS (sizeof kinds / sizeof *kinds)

typedef struct Cloud {
    const Kind *kind;
    uint32_t count;
    double edge;
    double x[MOST][3], temperature[MOST], spacing[MOST], conductivity[MOST];
    int half[MOST];
    ThawParticleId id[MOST];
} Cloud;

// so far apart that nothing pushes, so near that each has some neighbours
static Cloud *make_cloud(const Kind *kind) {
    static Cloud cloud;
    memset(&cloud, 0, sizeof cloud);
    cloud.kind = kind;
    double step = 1.3 * (double)fmaxf(kind->spacing[0], kind->spacing[1]);
    int sites = kind->dimensions == 3 ? 6 : 12;
    cloud.edge = sites * step;
    for (int n = 0; n < sites * sites * (kind->dimensions == 3 ? sites : 1); n++) {
        uint32_t i = cloud.count++;
        const int site[3] = {n % sites, n / sites % sites, n / sites / sites};
        for (int a = 0; a < kind->dimensions; a++) {
            cloud.x[i][a] = (site[a] + 0.5) * step + draw(i, (uint64_t)a, -0.15, 0.15) * step / 1.3;
        }
        cloud.half[i] = site[0] < sites / 2 ? 0 : 1;
        cloud.spacing[i] = (double)kind->spacing[cloud.half[i]];
        cloud.conductivity[i] = (double)kind->conductivity[cloud.half[i]];
        cloud.temperature[i] = draw(i, 7, 280, 330);
    }
    return &cloud;
}

static ThawWorld *open_cloud(Cloud *cloud, ThawIsa isa, int threads) {
    const Kind *kind = cloud->kind;
    ThawWorldDef def = small_def(kind->dimensions);
    def.spacing = 1;
    def.gravity = (ThawVec3){0, 0, 0};
    def.isa = isa;
    def.threads = threads;
    def.heat.on = true;
    def.heat.ambient = (float)AIR;
    for (int a = 0; a < kind->dimensions; a++) def.periodic[a] = kind->periodic;
    def.upper = (ThawVec3){cloud->edge, cloud->edge, kind->dimensions == 3 ? cloud->edge : 0};
    ThawWorld *world = NULL;
    if (thaw_world_create(&def, &world) != THAW_OK) return NULL;
    ThawMaterialId material[2];
    for (int half = 0; half < 2; half++) {
        ThawMaterialDef more = thaw_material_default();
        more.name = half == 0 ? "left" : "right";
        more.density = half == 0 ? 1 : 3;
        more.thermal.conductivity = kind->conductivity[half];
        more.thermal.specific_heat = half == 0 ? 2 : 1;
        assert_ok(thaw_world_add_material(world, &more, &material[half]));
    }
    for (uint32_t i = 0; i < cloud->count; i++) {
        ThawParticlesDef one = {.material = material[cloud->half[i]],
                                .count = 1,
                                .positions = (const double(*)[3])cloud->x[i],
                                .spacing = (float)cloud->spacing[i],
                                .temperature = (float)cloud->temperature[i]};
        assert_ok(thaw_world_add_particles(world, &one, &cloud->id[i]));
    }
    world->settled_source = world->next_source;
    return world;
}

// ---------------------------------------------------------------- the twin

// f / (M S h^(dimensions + 2)) with S of the close packing, for waves of 28 spacings
static double slope_twin(int dimensions, double r, double h) {
    static double rest[4];
    double moment = dimensions == 3 ? 0.129443799868 : 0.183259571459;
    for (int again = 0; again < 2; again++) {
        double q = again == 0 ? 0 : r / h, t = 1 - q * q;
        if (again == 1) {
            if (q >= 1) return 0;
            return t * t * t * (1 + 2 * t) / (moment * rest[dimensions] * pow(h, dimensions + 2));
        }
        if (rest[dimensions] > 0) continue;
        double offsets[64][3], wave = 2 * 3.14159265358979 / 28;
        uint32_t count = thaw_lattice_neighbors(THAW_PACKING_CLOSE, dimensions, 1, 2, offsets, 64);
        for (uint32_t k = 0; k < count; k++) {
            double r2 = 0;
            for (int a = 0; a < 3; a++) r2 += pow(offsets[k][a], 2);
            t = 1 - r2 / 4;
            double part = dimensions == 3 ? r2 / 3 - wave * wave * r2 * r2 / 60
                                          : r2 / 2 - wave * wave * r2 * r2 / 32;
            rest[dimensions] += part * t * t * t * (1 + 2 * t) / (moment * pow(2, dimensions + 2));
        }
    }
    return 0;
}

static double distance(const Cloud *cloud, uint32_t i, uint32_t j) {
    double r2 = 0;
    for (int a = 0; a < 3; a++) {
        double d = cloud->x[i][a] - cloud->x[j][a];
        if (cloud->kind->periodic) d -= cloud->edge * rint(d / cloud->edge);
        r2 += d * d;
    }
    return sqrt(r2);
}

// W into i
static double flow_twin(const Cloud *cloud, uint32_t i, double *rate) {
    int dimensions = cloud->kind->dimensions;
    double sum = 0;
    *rate = 0;
    for (uint32_t j = 0; j < cloud->count; j++) {
        if (j == i) continue;
        double ki = cloud->conductivity[i], kj = cloud->conductivity[j];
        double k = ki + kj > 0 ? 2 * ki * kj / (ki + kj) : 0;
        double volumes = pow(cloud->spacing[i] * cloud->spacing[j], dimensions);
        double slope =
            slope_twin(dimensions, distance(cloud, i, j), cloud->spacing[i] + cloud->spacing[j]);
        double g = 2 * k * volumes * slope;
        // temperatures are kept as floats, and so is what they are above the air's
        sum += g * ((double)(float)cloud->temperature[j] - (double)(float)cloud->temperature[i]);
        *rate += g;
    }
    return sum;
}

static void flows_equal_those_of_the_twin(void **state) {
    (void)state;
    const ThawIsa isas[] = {THAW_ISA_BASELINE, THAW_ISA_AVX2, THAW_ISA_AVX512};
    const double dt = 1e-3;
    for (size_t n = 0; n < KINDS * 3; n++) {
        Cloud *cloud = make_cloud(&kinds[n / 3]);
        ThawWorld *world = open_cloud(cloud, isas[n % 3], 1);
        if (world == NULL) continue; // the machine lacks it
        static double before[MOST];
        for (uint32_t i = 0; i < cloud->count; i++) {
            uint32_t row;
            assert_ok(thaw_world_index(world, cloud->id[i], &row));
            before[i] = thaw_thermal_state(world->store).heat[row];
        }
        ThawReport report;
        assert_ok(thaw_world_step(world, dt, &report));
        assert_int_equal(report.heat_stages, 1);
        double most = 0;
        for (uint32_t i = 0; i < cloud->count; i++) {
            uint32_t row;
            double rate, flow = flow_twin(cloud, i, &rate);
            assert_ok(thaw_world_index(world, cloud->id[i], &row));
            double density = cloud->half[i] == 0 ? 1 : 3;
            double mass = density * pow(cloud->spacing[i], kinds[n / 3].dimensions);
            double found = (thaw_thermal_state(world->store).heat[row] - before[i]) * mass / dt;
            most = fmax(most, fabs(flow));
            if (!(fabs(found - flow) < 1e-4 * rate + 1e-6))
                fail_msg("%s: %g instead of %g", kinds[n / 3].name, found, flow);
        }
        assert_true(most > 1);
        thaw_world_destroy(world);
    }
}

// ---------------------------------------------------------------- both sides of a pair

// the pass over all pairs of a world, as heat.c makes it
static ThawHeatPass pass_of(ThawWorld *world, const Cloud *cloud) {
    static float warmth[MOST + 16], conductivity[MOST + 16], rate[MOST + 16];
    static double flow[MOST + 16];
    static ThawHeatGrain grains[MOST + 16];
    static ThawHeatSums sums[MOST];
    ThawHeatPass pass = {.warmth = warmth,
                         .conductivity = conductivity,
                         .grains = grains,
                         .flow = flow,
                         .rate = rate,
                         .sums = sums};
    thaw_heat_pass_begin(&pass, &world->domain, world->neighbors, world->work.place);
    for (uint32_t i = 0; i < cloud->count; i++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, cloud->id[i], &row));
        double d = cloud->spacing[i] / 2;
        warmth[row] = 0;
        conductivity[row] = (float)(cloud->conductivity[i] * draw(i, 9, 0.5, 1));
        grains[row] = (ThawHeatGrain){(float)(2 * d), (float)pow(d, cloud->kind->dimensions),
                                      conductivity[row]};
    }
    return pass;
}

// With one particle warm, what each other one takes is what that one gives it. Added up in whole numbers or in double they
// are the same number, whichever way pairs are looked at.
static void both_sides_of_a_pair_see_the_same_flow(void **state) {
    (void)state;
    for (size_t n = 0; n < KINDS; n++) {
        Cloud *cloud = make_cloud(&kinds[n]);
        ThawWorld *world = open_cloud(cloud, THAW_ISA_AUTO, 1);
        assert_ok(thaw_world_step(world, 1e-6, NULL));
        ThawHeatPass pass = pass_of(world, cloud);
        if (kinds[n].spacing[0] == kinds[n].spacing[1] && kinds[n].spacing[0] == 1)
            pass.grains = NULL;
        if (n % 7 == 0) pass.conductivity = NULL; // the first kind of each dimension
        thaw_heat_pass_count(&pass, 0, 20);
        float *warmth = (float *)(uintptr_t)pass.warmth;
        int exchanged = 0;
        for (uint32_t i = 0; i < cloud->count; i += 3) {
            warmth[i] = (float)draw(i, 11, 10, 20);
            for (uint32_t c = 0; c < thaw_chunk_count(pass.cluster_count, THAW_HEAT_CHUNK); c++) {
                THAW_WIDE_PICK(world->isa, thaw_heat_flow)(&pass, c);
            }
            double others = 0;
            for (uint32_t j = 0; j < cloud->count; j++) others += j != i ? pass.flow[j] : 0;
            // what sums in another order may differ by in double, nothing of a float's rounding
            if (!(fabs(others + pass.flow[i]) <= 1e-14 * fabs(pass.flow[i])))
                fail_msg("%s: given %.17g, taken %.17g", kinds[n].name, -pass.flow[i], others);
            exchanged += pass.flow[i] < 0;
            warmth[i] = 0;
        }
        assert_true(exchanged > 20);
        thaw_world_destroy(world);
    }
}

// As many of the largest flows as are added up at once, each rounded up, are below 2^31; and no count is coarser than it
// must be for that, but for a power of two and a bit.
static void counts_of_flows_fit_32_bits(void **state) {
    (void)state;
    for (double span = 1e-11; span < 1e7; span *= 3.7) {
        ThawHeatPass pass = {0};
        thaw_heat_pass_count(&pass, -0.25 * span, 0.75 * span);
        double largest = (double)THAW_HEAT_SELF * span * (double)pass.counts;
        assert_true(THAW_HEAT_RUN * (largest * (1 + 1e-6) + 1) < 0x1p31);
        assert_true(THAW_HEAT_RUN * largest > 0x1p28);
        assert_true(pass.counts * pass.piece == 1);
    }
}

// ---------------------------------------------------------------- steps of any length

// what a plan makes of y' = −λ y, dt = 1
static double run_plan(const ThawLegendrePlan *plan, double lambda) {
    double y = 1;
    for (int k = 0; k < plan->count; k++) {
        for (int n = 0; n < plan->parts[k].repeats; n++) {
            double start = y, last = y, early = -lambda * y;
            for (int j = 1; j <= plan->parts[k].stages; j++) {
                ThawLegendreStage s = thaw_legendre_stage(&plan->parts[k], j, 1);
                double before = y;
                y +=
                    s.nu * (last - y) + s.omega * (start - y) - s.dt * lambda * y + s.first * early;
                last = before;
            }
        }
    }
    return y;
}

static double passes_of(const ThawLegendrePlan *plan) {
    double sum = 0;
    for (int k = 0; k < plan->count; k++) sum += plan->parts[k].stages * plan->parts[k].repeats;
    return sum;
}

static void plans_are_stable_and_right_for_slow_waves(void **state) {
    (void)state;
    for (double limits = 0.1; limits < 1e6; limits *= 1.23) {
        ThawLegendrePlan plan = thaw_legendre_plan(limits);
        // shares of time add up
        double time = 0;
        for (int k = 0; k < plan.count; k++) time += plan.parts[k].share * plan.parts[k].repeats;
        assert_true(fabs(time - 1) < 1e-12);
        assert_true(passes_of(&plan) <= fmax(ceil(limits - 1e-9), 1));
        if (limits > 100) assert_true(passes_of(&plan) < 4 * sqrt(limits));
        // nothing that the limit allows grows
        for (double share = 0; share <= 1; share += 1.0 / 512) {
            double left = run_plan(&plan, 2 * limits * share);
            if (!(fabs(left) <= 1 + 1e-9)) fail_msg("%g limits: %g at %g", limits, left, share);
        }
        // slow ones decay as they should, to first order of the plain parts and second of the others
        double lambda = 0.1;
        assert_true(fabs(run_plan(&plan, lambda) - exp(-lambda)) < 0.0051);
        if (limits > 20) assert_true(fabs(run_plan(&plan, lambda) - exp(-lambda)) < 5e-4);
    }
}

// a block of a close packing, hot in one half
static ThawWorld *open_block(int threads, double latent, double *limit) {
    ThawWorldDef def = small_def(3);
    def.spacing = 1;
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = threads;
    def.heat.on = true;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef material = thaw_material_default();
    material.density = 1;
    material.thermal.conductivity = material.thermal.specific_heat = 1;
    material.thermal.melts_at = latent > 0 ? 340 : 0;
    material.thermal.latent_heat = (float)latent;
    ThawMaterialId id;
    assert_ok(thaw_world_add_material(world, &material, &id));
    for (int half = 0; half < 2; half++) {
        ThawBodyDef body = thaw_body_default();
        body.material = id;
        body.shape = thaw_shape_box((ThawVec3){half == 0 ? -4 : 4, 0, 0}, (ThawVec3){8, 8, 8});
        body.temperature = half == 0 ? 300 : 400;
        assert_ok(thaw_world_add_body(world, &body, NULL));
    }
    *limit = 0.22;
    return world;
}

static void any_step_keeps_heat_and_range(void **state) {
    (void)state;
    const double limits[] = {0.5, 1, 3, 10, 30, 100, 1000, 1e5};
    for (size_t n = 0; n < sizeof limits / sizeof *limits; n++) {
        for (int melts = 0; melts < 2; melts++) {
            double limit, first = 0;
            ThawWorld *world = open_block(1, melts ? 500 : 0, &limit);
            ThawReport report;
            for (int k = 0; k < 6; k++) {
                assert_ok(thaw_world_step(world, limits[n] * limit, &report));
                if (k == 0) first = report.heat;
                assert_true(fabs(report.heat / first - 1) < 1e-13);
                assert_true(report.heat_taken == 0);
                // what long steps may overshoot by where matter ends melting
                double over = melts && limits[n] > 5 ? 1 : 1e-3;
                if (!(report.coldest > 300 - over && report.hottest < 400 + over))
                    fail_msg("%g limits: %g to %g K", limits[n], report.coldest, report.hottest);
            }
            // long enough, and all is equally warm
            if (limits[n] >= 1e5) assert_true(report.hottest - report.coldest < 0.5);
            thaw_world_destroy(world);
        }
    }
}

// ---------------------------------------------------------------- matter in motion

// two halves fall into a box, one hot and one cold
static ThawWorld *open_splash(int threads) {
    ThawWorldDef def = small_def(2);
    def.threads = threads;
    def.heat.on = true;
    ThawWorld *world = make_world(&def);
    ThawColliderDef box = thaw_collider_default();
    box.name = "box";
    box.container = true;
    box.shape = thaw_shape_box((ThawVec3){0, 0.25, 0}, (ThawVec3){0.5, 0.5, 1});
    assert_ok(thaw_world_add_collider(world, &box, NULL));
    for (int half = 0; half < 2; half++) {
        ThawMaterialDef material = thaw_material_default();
        material.name = half == 0 ? "cold" : "hot";
        material.thermal.conductivity = half == 0 ? 6000 : 30000;
        ThawBodyDef body = thaw_body_default();
        assert_ok(thaw_world_add_material(world, &material, &body.material));
        body.shape =
            thaw_shape_box((ThawVec3){half == 0 ? -0.12 : 0.12, 0.25, 0}, (ThawVec3){0.2, 0.25, 1});
        body.temperature = half == 0 ? 290 : 360;
        assert_ok(thaw_world_add_body(world, &body, NULL));
    }
    return world;
}

static void splashes_keep_their_heat(void **state) {
    (void)state;
    ThawWorld *world = open_splash(2);
    ThawReport report;
    assert_ok(thaw_world_step(world, 0.01, &report));
    double first = report.heat, spread = report.hottest - report.coldest;
    for (int k = 0; k < 60; k++) {
        assert_ok(thaw_world_step(world, 0.01, &report));
        if (!(fabs(report.heat / first - 1) < 1e-12))
            fail_msg("step %d: heat drifts by %g", k, report.heat / first - 1);
        assert_true(report.hottest - report.coldest <= spread + 1e-3);
        assert_true(report.heat_stages > 0);
    }
    // they have met
    ThawThermalState rows = thaw_thermal_state(world->store);
    uint32_t between = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        between += rows.temperature[row] > 300 && rows.temperature[row] < 350;
    }
    assert_true(between > 100);
    thaw_world_destroy(world);
}

static void any_number_of_threads_conducts_the_same_bits(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads++) {
        ThawWorld *world = open_splash(threads);
        for (int k = 0; k < 12; k++) assert_ok(thaw_world_step(world, 0.01, NULL));
        if (threads == 1) hash = thaw_world_hash(world);
        assert_true(thaw_world_hash(world) == hash);
        thaw_world_destroy(world);
    }
}

static void the_order_of_rows_does_not_matter(void **state) {
    (void)state;
    ThawWorld *plain = open_splash(1), *mixed = open_splash(1);
    for (int k = 0; k < 8; k++) {
        shuffle(mixed, (uint64_t)k);
        assert_ok(thaw_world_step(plain, 0.01, NULL));
        assert_ok(thaw_world_step(mixed, 0.01, NULL));
        assert_true(thaw_world_hash(plain) == thaw_world_hash(mixed));
    }
    thaw_world_destroy(plain);
    thaw_world_destroy(mixed);
}

static void loaded_worlds_conduct_on_in_the_same_bits(void **state) {
    (void)state;
    ThawWorld *world = open_splash(1), *loaded;
    for (int k = 0; k < 5; k++) assert_ok(thaw_world_step(world, 0.01, NULL));
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    ThawHostDef host = {.threads = 1};
    assert_ok(thaw_world_load(bytes, size, &host, &loaded));
    thaw_snapshot_free(bytes);
    for (int k = 0; k < 5; k++) {
        assert_ok(thaw_world_step(world, 0.01, NULL));
        assert_ok(thaw_world_step(loaded, 0.01, NULL));
        assert_true(thaw_world_hash(world) == thaw_world_hash(loaded));
    }
    thaw_world_destroy(world);
    thaw_world_destroy(loaded);
}

static void a_steady_count_allocates_nothing(void **state) {
    (void)state;
    double limit;
    ThawWorld *world = open_block(2, 100, &limit);
    for (int k = 0; k < 4; k++) assert_ok(thaw_world_step(world, 40 * limit, NULL));
    uint64_t before = thaw_alloc_count();
    for (int k = 0; k < 4; k++) assert_ok(thaw_world_step(world, (k + 1) * 20 * limit, NULL));
    assert_true(thaw_alloc_count() == before);
    thaw_world_destroy(world);
}

// equally warm matter, and matter that does not conduct, cost no passes
static void still_heat_takes_no_passes(void **state) {
    (void)state;
    double limit;
    ThawWorld *world = open_block(1, 0, &limit);
    ThawReport report;
    assert_ok(thaw_world_set_temperature(world, NULL, 350));
    assert_ok(thaw_world_step(world, limit, &report));
    assert_int_equal(report.heat_stages, 0);
    assert_true(report.coldest == 350 && report.hottest == 350);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_equal_those_of_the_twin),
        cmocka_unit_test(both_sides_of_a_pair_see_the_same_flow),
        cmocka_unit_test(counts_of_flows_fit_32_bits),
        cmocka_unit_test(plans_are_stable_and_right_for_slow_waves),
        cmocka_unit_test(any_step_keeps_heat_and_range),
        cmocka_unit_test(splashes_keep_their_heat),
        cmocka_unit_test(any_number_of_threads_conducts_the_same_bits),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(loaded_worlds_conduct_on_in_the_same_bits),
        cmocka_unit_test(a_steady_count_allocates_nothing),
        cmocka_unit_test(still_heat_takes_no_passes),
    };
    return cmocka_run_group_tests_name("conduction", tests, NULL, NULL);
}
