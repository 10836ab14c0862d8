// One hash for every number of threads, task system, row order and resume; AVX2 and AVX-512 in the same
// bits, and the baseline near them. So with heat, where particles melt, freeze and are frozen to a wall.
#include "helpers.h"

#include "math/random.h"
#include "simd/isa.h"
#include "world/world.h"

#include <stdlib.h>

#define STEPS 20
#define HEAT_STEPS 8
#define DT 0.0012

// water that conducts and melts so readily that much happens in a few steps
static ThawMaterialId add_ice_water(ThawWorld *world) {
    ThawMaterialDef def = thaw_material_default();
    ThawMaterialId id;
    def.solid.young = 1e4f;
    def.thermal.conductivity = 2000;
    def.thermal.melts_at = 273.15f;
    def.thermal.latent_heat = 1e4f;
    def.thermal.melting_rate = 200;
    def.thermal.freezing_rate = 2000;
    def.thermal.expansion = 1e-3f;
    def.thermal.viscosity = (ThawFactorCurve){2, {270, 280}, {20, 1}};
    assert_ok(thaw_world_add_material(world, &def, &id));
    return id;
}

// ice that melts under a torch; the tank is cold, and freezes what touches it
static void add_heat(ThawWorld *world, ThawMaterialId water) {
    ThawBodyDef ice = thaw_body_default();
    ice.material = water;
    ice.state = THAW_STATE_SOLID;
    ice.temperature = 272;
    ice.shape = thaw_shape_box((ThawVec3){0.175, 0.07, 0.027}, (ThawVec3){0.05, 0.1, 0.04});
    assert_ok(thaw_world_add_body(world, &ice, NULL));
    ThawHeatSourceDef torch = thaw_heat_source_default();
    torch.region = thaw_shape_sphere((ThawVec3){0.18, 0.07, 0.05}, 0.03);
    torch.power = 5e5;
    assert_ok(thaw_world_add_heat_source(world, &torch, NULL));
}

// A block that falls over in a tank with a ball, a wedge and a paddle in it; two sizes and two fluids.
static ThawWorld *dam(const ThawWorldDef *def) {
    ThawWorld *world = NULL;
    if (thaw_world_create(def, &world) != THAW_OK) return NULL;
    ThawBodyDef body = thaw_body_default();
    body.material = def->heat.on ? add_ice_water(world) : add_water(world);
    body.temperature = 271;
    if (def->heat.on) add_heat(world, body.material);
    body.shape = thaw_shape_box((ThawVec3){0.07, 0.07, 0.09}, (ThawVec3){0.14, 0.14, 0.18});
    body.jitter = 0.05;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawMaterialDef oil = thaw_material_default();
    oil.name = "oil";
    oil.density = 700;
    oil.liquid.tensile = 0.05f;
    oil.liquid.xsph = 0.1f;
    assert_ok(thaw_world_add_material(world, &oil, &body.material));
    body.shape = thaw_shape_sphere((ThawVec3){0.3, 0.08, 0.2}, 0.04);
    body.velocity = (ThawVec3){-1, 0, -1};
    body.spacing = 0.0075f;
    assert_ok(thaw_world_add_body(world, &body, NULL));

    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.friction = 0.2f;
    tank.temperature = 150;
    tank.frosts = def->heat.on;
    tank.shape = thaw_shape_box((ThawVec3){0.2, 0.08, 0.2}, (ThawVec3){0.4, 0.16, 0.4});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    ThawColliderDef ball = thaw_collider_default();
    ball.restitution = 0.3f;
    ball.shape = thaw_shape_sphere((ThawVec3){0.24, 0.06, 0.03}, 0.03);
    assert_ok(thaw_world_add_collider(world, &ball, NULL));
    ThawKeyframe keys[2] = {{0.0, {0, 0, 0}, {0, 0, 0, 1}}, {0.5, {-0.1, 0, 0}, {0, 0.6, 0, 0.8}}};
    ThawColliderDef paddle = thaw_collider_default();
    paddle.shape = thaw_shape_box((ThawVec3){0.34, 0.08, 0.06}, (ThawVec3){0.02, 0.1, 0.1});
    paddle.motion = keys;
    paddle.motion_count = 2;
    assert_ok(thaw_world_add_collider(world, &paddle, NULL));
    return world;
}

static void run(ThawWorld *world, int steps) {
    for (int k = 0; k < steps; k++) assert_ok(thaw_world_step(world, DT, NULL));
}

static ThawWorldDef dam_def(int threads, bool heat) {
    ThawWorldDef def = thaw_world_default();
    def.threads = threads;
    def.heat = (ThawHeatDef){.on = heat, .ambient = 300, .convection = 1000, .emissivity = 0.9f};
    // moves that are small beside the skin, so that lists serve several substeps
    def.solver.max_displacement = 0.2;
    def.solver.skin = 0.4;
    return def;
}

static int steps_of(bool heat) {
    return heat ? HEAT_STEPS : STEPS;
}

// the hash that every way of running must come to
static uint64_t wanted_hash(bool heat) {
    static uint64_t hashes[2];
    uint64_t hash = hashes[heat];
    if (hash != 0) return hash;
    ThawWorldDef def = dam_def(1, heat);
    ThawWorld *world = dam(&def);
    // more than one chunk of rows
    assert_in_range(thaw_world_count(world), 4097, 7000);
    uint64_t start = thaw_world_hash(world);
    ThawReport report;
    uint32_t substeps = 0, rebuilds = 0, melted = 0, frozen = 0;
    for (int k = 0; k < steps_of(heat); k++) {
        assert_ok(thaw_world_step(world, DT, &report));
        melted += report.melted;
        frozen += report.frozen;
        substeps += report.substeps;
        rebuilds += report.rebuilds;
    }
    hashes[heat] = hash = thaw_world_hash(world);
    // it did move, touch things, take substeps and reuse lists
    assert_true(hash != start && report.max_speed > 0.5 && report.contacts > 100);
    assert_true(substeps > (uint32_t)steps_of(heat) && (heat || rebuilds < substeps));
    if (heat) {
        const int32_t *frost = view_of(world, "frost").data;
        uint32_t held = 0;
        for (uint32_t row = 0; row < thaw_world_count(world); row++) held += frost[row] != 0;
        assert_true(melted > 10 && frozen > 10 && held > 10);
    }
    thaw_world_destroy(world);
    return hash;
}

static void threads_do_not_change_a_bit_of(bool heat) {
    for (int threads = heat ? 3 : 2; threads <= 3; threads++) {
        ThawWorldDef def = dam_def(threads, heat);
        ThawWorld *world = dam(&def);
        run(world, steps_of(heat));
        assert_true(thaw_world_hash(world) == wanted_hash(heat));
        thaw_world_destroy(world);
    }
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    threads_do_not_change_a_bit_of(false);
    threads_do_not_change_a_bit_of(true);
}

// chunks in reverse, each under another worker's number
static void run_backwards(void *user, ThawTask *task, void *context, uint32_t chunks) {
    uint32_t *jobs = user;
    (*jobs)++;
    for (uint32_t chunk = chunks; chunk-- > 0;) task(context, chunk, chunk * 7 % 5);
}

static void order_of_the_chunks_does_not_change_a_bit_of(bool heat) {
    uint32_t jobs = 0;
    ThawTaskSystem tasks = {run_backwards, &jobs, 5};
    ThawWorldDef def = dam_def(0, heat);
    def.tasks = &tasks;
    ThawWorld *world = dam(&def);
    assert_int_equal(thaw_world_threads(world), 5);
    run(world, steps_of(heat));
    assert_true(jobs > 1000);
    assert_true(thaw_world_hash(world) == wanted_hash(heat));
    thaw_world_destroy(world);
}

static void order_of_the_chunks_does_not_change_a_bit(void **state) {
    (void)state;
    order_of_the_chunks_does_not_change_a_bit_of(false);
    order_of_the_chunks_does_not_change_a_bit_of(true);
}

// a loaded world has its rows by id, a running one by cells
static void resuming_does_not_change_a_bit_of(bool heat) {
    ThawWorldDef def = dam_def(2, heat);
    ThawWorld *world = dam(&def);
    for (int k = 0; k < steps_of(heat); k += 4) {
        run(world, 4);
        void *bytes;
        size_t size;
        ThawHostDef host = {.threads = k % 3 + 1};
        assert_ok(thaw_world_save(world, &bytes, &size));
        thaw_world_destroy(world);
        assert_ok(thaw_world_load(bytes, size, &host, &world));
        thaw_snapshot_free(bytes);
    }
    assert_true(thaw_world_hash(world) == wanted_hash(heat));
    thaw_world_destroy(world);
}

static void resuming_does_not_change_a_bit(void **state) {
    (void)state;
    resuming_does_not_change_a_bit_of(false);
    resuming_does_not_change_a_bit_of(true);
}

static void shuffle_rows(ThawWorld *world, uint64_t seed) {
    uint32_t count = world->store->count, *order = malloc(count * sizeof *order);
    for (uint32_t k = 0; k < count; k++) order[k] = k;
    for (uint32_t k = count; k > 1; k--) {
        uint32_t other = (uint32_t)(thaw_random_unit(seed, k, 0, 0) * k), kept = order[k - 1];
        order[k - 1] = order[other];
        order[other] = kept;
    }
    assert_ok(thaw_store_permute(world->store, world->parallel, order));
    free(order);
}

static void order_of_the_rows_does_not_change_a_bit_of(bool heat) {
    ThawWorldDef def = dam_def(2, heat);
    ThawWorld *world = dam(&def);
    for (int k = 0; k < steps_of(heat); k++) {
        shuffle_rows(world, (uint64_t)k + 1);
        run(world, 1);
    }
    assert_true(thaw_world_hash(world) == wanted_hash(heat));
    thaw_world_destroy(world);
}

static void order_of_the_rows_does_not_change_a_bit(void **state) {
    (void)state;
    order_of_the_rows_does_not_change_a_bit_of(false);
    order_of_the_rows_does_not_change_a_bit_of(true);
}

static void avx2_and_avx512_agree_in_every_bit(void **state) {
    (void)state;
    int compared = 0;
    for (int k = 0; k < 4; k++) {
        bool heat = k % 2 == 1;
        int isa = k < 2 ? THAW_ISA_AVX2 : THAW_ISA_AVX512;
        ThawWorldDef def = dam_def(2, heat);
        ThawIsa best;
        def.isa = (ThawIsa)isa;
        // the hash was made with the best there is
        bool needless = thaw_isa_resolve(THAW_ISA_AUTO, &best) == THAW_OK && best == def.isa;
        ThawWorld *world = needless ? NULL : dam(&def);
        if (world == NULL) continue;
        run(world, steps_of(heat));
        assert_true(thaw_world_hash(world) == wanted_hash(heat));
        thaw_world_destroy(world);
        compared++;
    }
    if (compared > 0) return;
    print_message("this machine has no AVX-512: not compared\n");
    skip();
}

// Without fused operations each sum of some 50 float32 terms is rounded differently. After one step
// positions differ by some 1e-6 of a spacing; chaos makes it more later.
static void baseline_is_near(void **state) {
    (void)state;
    ThawWorldDef def = dam_def(2, false);
    ThawWorld *best = dam(&def);
    def.isa = THAW_ISA_BASELINE;
    ThawWorld *plain = dam(&def);
    run(best, 1);
    run(plain, 1);
    double worst = 0;
    for (uint32_t row = 0; row < thaw_world_count(best); row++) {
        uint32_t other;
        assert_ok(thaw_world_index(plain, best->store->id[row], &other));
        for (uint32_t a = 0; a < 3; a++) {
            int64_t apart = best->store->cells[3 * row + a] - plain->store->cells[3 * other + a];
            worst = fmax(worst, fabs(2 * thaw_fixed_cells(apart)));
        }
    }
    if (!(worst < 1e-5)) fail_msg("positions differ by %g spacings", worst);
    print_message("the baseline differs by %.2g spacings after a step\n", worst);
    thaw_world_destroy(best);
    thaw_world_destroy(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(order_of_the_chunks_does_not_change_a_bit),
        cmocka_unit_test(resuming_does_not_change_a_bit),
        cmocka_unit_test(order_of_the_rows_does_not_change_a_bit),
        cmocka_unit_test(avx2_and_avx512_agree_in_every_bit),
        cmocka_unit_test(baseline_is_near),
    };
    return cmocka_run_group_tests_name("determinism", tests, NULL, NULL);
}
