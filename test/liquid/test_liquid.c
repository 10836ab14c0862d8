// The liquid against its double-precision twin: one density pass and one correction of the real step on
// every kind of block, for each instruction set; then the laws that both must keep, and PBF-3 and V-1 of
// the validation cases.
#include "support/twin.h"

#include "math/random.h"
#include "world/helpers.h"
#include "world/world.h"

#include <stdlib.h>

#define MOST 1600
#define SPACING 1.0 // m, so that a cell is 2 m and places are exact in metres

// ---------------------------------------------------------------- blocks

typedef struct Case {
    const char *name;
    int dimensions;
    double edge; // cells, of the block; the period of periodic axes
    bool periodic[3];
    double ratio[2];  // sizes of the two halves along x, in the world's spacing
    float density[2]; // kg/m³ of the two halves
    double packing;   // distance between sites, in spacings
    float tensile;
    int exponent;
} Case;

typedef struct Block {
    const Case *test;
    uint32_t count;
    double position[MOST][3]; // cells
    double velocity[MOST][3]; // m/s
    double spacing[MOST];     // cells
    double density[MOST];
    int half[MOST];
    ThawParticleId id[MOST];
} Block;

static double draw(uint64_t id, uint64_t purpose, double low, double high) {
    return low + (high - low) * thaw_random_unit(5, id, 0, purpose);
}

// a number of cells that places hold exactly
static double exact(double cells) {
    return rint(cells * 4194304.0) / 4194304.0;
}

// a jittered square lattice in one half of the block
static void fill_half(Block *block, int half) {
    const Case *test = block->test;
    double d = 0.5 * test->ratio[half], size[3] = {test->edge / 2, test->edge, test->edge};
    int sites[3] = {1, 1, 1};
    for (int a = 0; a < test->dimensions; a++)
        sites[a] = (int)(size[a] / (test->packing * d) + 0.5);
    for (int n = 0; n < sites[0] * sites[1] * sites[2]; n++) {
        int site[3] = {n % sites[0], n / sites[0] % sites[1], n / sites[0] / sites[1]};
        uint32_t i = block->count++;
        assert_true(i < MOST);
        for (int a = 0; a < test->dimensions; a++) {
            double x = size[a] * (site[a] + 0.5) / sites[a] + (a == 0 ? half * size[0] : 0.0);
            block->position[i][a] = exact(x + draw(i, 10 + (uint64_t)a, -0.2, 0.2) * d);
        }
        block->spacing[i] = d;
        block->density[i] = (double)test->density[half];
        block->half[i] = half;
    }
}

static Block *make_block(const Case *test) {
    static Block block;
    memset(&block, 0, sizeof block);
    block.test = test;
    fill_half(&block, 0);
    fill_half(&block, 1);
    return &block;
}

static Twin make_twin(const Block *block, double relaxation) {
    const Case *test = block->test;
    Twin twin = twin_make(test->dimensions, THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT);
    twin.relaxation = relaxation;
    twin.tensile = (double)test->tensile;
    twin.tensile_exponent = test->exponent;
    for (int a = 0; a < 3; a++) twin.length[a] = test->periodic[a] ? test->edge : 0.0;
    twin.count = block->count;
    twin.positions = (const double(*)[3])block->position;
    twin.spacing = block->spacing;
    twin.rest_density = block->density;
    twin_fit(&twin, 0);
    return twin;
}

// ---------------------------------------------------------------- the engine

static ThawWorld *open_world(const Case *test, ThawIsa isa) {
    ThawWorldDef def = thaw_world_default();
    def.dimensions = test->dimensions;
    def.spacing = SPACING;
    def.gravity = (ThawVec3){0, 0, 0};
    for (int a = 0; a < 3; a++) def.periodic[a] = test->periodic[a];
    def.upper =
        (ThawVec3){2 * SPACING * test->edge, 2 * SPACING * test->edge, 2 * SPACING * test->edge};
    def.threads = 2;
    def.isa = isa;
    def.solver.substeps = 1;
    def.solver.iterations = 1;
    ThawWorld *world = NULL;
    // an instruction set that this machine lacks is refused
    if (thaw_world_create(&def, &world) != THAW_OK) assert_true(isa > THAW_ISA_BASELINE);
    return world;
}

// the coefficient of which a substep of dt takes c
static float xsph_of(double c, double dt) {
    return (float)(c * THAW_REFERENCE_TIME / dt);
}

static void add_block(ThawWorld *world, Block *block, float xsph) {
    const Case *test = block->test;
    ThawMaterialId materials[2];
    for (int half = 0; half < 2; half++) {
        ThawMaterialDef def = thaw_material_default();
        def.name = half == 0 ? "left" : "right";
        def.density = test->density[half];
        def.liquid.xsph = xsph;
        def.liquid.tensile = test->tensile;
        def.liquid.tensile_exponent = test->exponent;
        assert_ok(thaw_world_add_material(world, &def, &materials[half]));
    }
    bool one = test->density[0] == test->density[1];
    for (uint32_t i = 0; i < block->count; i++) {
        double x[3];
        float v[3];
        for (int a = 0; a < 3; a++) {
            x[a] = block->position[i][a] * 2 * SPACING;
            v[a] = (float)block->velocity[i][a];
        }
        ThawParticlesDef def = {.material = materials[one ? 0 : block->half[i]],
                                .count = 1,
                                .positions = (const double(*)[3])x,
                                .velocities = (const float(*)[3])v,
                                .spacing = (float)(2 * SPACING * block->spacing[i])};
        assert_ok(thaw_world_add_particles(world, &def, &block->id[i]));
    }
    // matter as it lies: nothing is moved apart before time goes on
    world->settled_source = world->next_source;
}

typedef struct Outcome {
    double move[MOST][3];     // cells, from where the step began
    double velocity[MOST][3]; // m/s, after it
    double error[MOST];
    ThawReport report;
} Outcome;

// one step; moves are told by ids, across periodic boundaries
static Outcome *step_block(ThawWorld *world, const Block *block, double dt) {
    static Outcome outcome;
    assert_ok(thaw_world_step(world, dt, &outcome.report));
    assert_int_equal(outcome.report.iterations, 1);
    assert_int_equal(outcome.report.particles, block->count);
    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, block->id[i], &row));
        for (uint32_t a = 0; a < 3; a++) {
            double move =
                thaw_fixed_cells(world->store->cells[3 * row + a]) - block->position[i][a];
            double period = block->test->periodic[a] ? block->test->edge : 0.0;
            if (period > 0) move -= period * rint(move / period);
            outcome.move[i][a] = move;
            outcome.velocity[i][a] = (double)world->store->velocity[3 * row + a];
        }
        outcome.error[i] = (double)world->store->density_error[row];
    }
    return &outcome;
}

// ---------------------------------------------------------------- engine and twin

#define WATER                                                                                      \
    { 1000, 1000 }
#define TWO_FLUIDS                                                                                 \
    { 500, 1500 }
static const Case cases[] = {
    {"uniform", 3, 2.9, {0}, {1, 1}, WATER, 0.92, 0, 4},
    {"uniform, loose", 3, 2.9, {0}, {1, 1}, WATER, 1.02, 0, 4},
    {"uniform, tensile", 3, 2.9, {0}, {1, 1}, WATER, 0.95, 0.1f, 4},
    {"uniform, tensile of power 3", 3, 2.9, {0}, {1, 1}, WATER, 0.95, 0.05f, 3},
    {"not of the usual size", 3, 2.9, {0}, {0.7, 0.7}, WATER, 0.92, 0.1f, 4},
    {"1:2", 3, 2.7, {0}, {1, 0.5}, WATER, 0.92, 0, 4},
    {"1:2, tensile", 3, 3.6, {0}, {2, 1}, WATER, 0.95, 0.1f, 4},
    {"two densities", 3, 2.9, {0}, {1, 1}, TWO_FLUIDS, 0.92, 0, 4},
    {"two densities and sizes", 3, 2.7, {0}, {0.5, 1}, TWO_FLUIDS, 0.92, 0.05f, 2},
    {"flat", 2, 8.0, {0}, {1, 1}, WATER, 0.92, 0, 4},
    {"flat, two densities and sizes", 2, 6.0, {0}, {1, 0.5}, TWO_FLUIDS, 0.92, 0.05f, 4},
    {"periodic", 3, 3.3, {true, true, true}, {1, 1}, WATER, 0.93, 0, 4},
    {"periodic, tensile, 1:2", 3, 2.7, {true, true, true}, {0.5, 1}, WATER, 0.95, 0.05f, 4},
    {"flat, periodic", 2, 5.7, {true, true, false}, {1, 1}, WATER, 0.93, 0.1f, 4},
};
#define CASES (sizeof cases / sizeof cases[0])

static double largest_of(const double (*vectors)[3], uint32_t count) {
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) largest = fmax(largest, fabs(vectors[i][a]));
    }
    return largest;
}

static void assert_alike(const double (*found)[3], const double (*wanted)[3], uint32_t count,
                         double tolerance, const char *name) {
    double worst = 0, largest = largest_of(wanted, count);
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) worst = fmax(worst, fabs(found[i][a] - wanted[i][a]));
    }
    if (!(worst <= tolerance * largest)) {
        fail_msg("%s: differs by %g of %g", name, worst, largest);
    }
}

// eq. 1 to 5 and 7. float32 sums of about 40 terms near 1 err by some 1e-7, against constraints of 0.1.
static void moves_equal_those_of_the_twin(void **state) {
    (void)state;
    static double constraint[MOST], lambda[MOST], shift[MOST][3];
    for (size_t k = 0; k < CASES; k++) {
        Block *block = make_block(&cases[k]);
        for (int isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
            ThawWorld *world = open_world(&cases[k], (ThawIsa)isa);
            if (world == NULL) continue;
            add_block(world, block, 0);
            Outcome *outcome = step_block(world, block, 1.0);
            Twin twin = make_twin(block, outcome->report.relaxation_used);
            twin_density(&twin, constraint);
            twin_lambda(&twin, constraint, lambda);
            twin_correct(&twin, lambda, shift);
            double worst = 0, mean = 0;
            for (uint32_t i = 0; i < block->count; i++) {
                worst = fmax(worst, fabs(outcome->error[i] - constraint[i]));
                mean += fmax(constraint[i], 0) / block->count;
            }
            if (!(worst < 2e-6)) fail_msg("%s: C differs by %g", cases[k].name, worst);
            assert_true(fabs(outcome->report.mean_density_error - mean) < 1e-6);
            assert_true(largest_of((const double(*)[3])shift, block->count) > 1e-3);
            assert_alike((const double(*)[3])outcome->move, (const double(*)[3])shift, block->count,
                         1e-5, cases[k].name);
            thaw_world_destroy(world);
        }
    }
}

// eq. 6, after the moves: velocities are moves over dt, smoothed where the particles end. Lists are made
// for where the particles aimed; the blocks are loose, so that corrections bring few new pairs into reach.
static void velocities_equal_those_of_the_twin(void **state) {
    (void)state;
    static double constraint[MOST], lambda[MOST], shift[MOST][3], aimed[MOST][3], ended[MOST][3];
    static double velocity[MOST][3], smoothed[MOST][3];
    const double dt = 0.25;
    for (size_t k = 0; k < CASES; k++) {
        Case loose = cases[k];
        loose.edge *= 1.25;
        loose.packing *= 1.25;
        Block *block = make_block(&loose);
        for (uint32_t i = 0; i < block->count; i++) {
            for (int a = 0; a < 3; a++) {
                // multiples of what a place holds, so that tentative positions are exact
                double v = rint(draw(i, 30 + (uint64_t)a, -0.2, 0.2) * 4194304.0) / 4194304.0;
                block->velocity[i][a] = a < cases[k].dimensions ? v : 0.0;
                aimed[i][a] = block->position[i][a] + block->velocity[i][a] * dt / (2 * SPACING);
            }
        }
        ThawWorld *world = open_world(&loose, THAW_ISA_AUTO);
        add_block(world, block, xsph_of(0.3, dt));
        Outcome *outcome = step_block(world, block, dt);
        Twin twin = make_twin(block, outcome->report.relaxation_used);
        twin.positions = (const double(*)[3])aimed;
        twin_density(&twin, constraint);
        twin_lambda(&twin, constraint, lambda);
        twin_correct(&twin, lambda, shift);
        for (uint32_t i = 0; i < block->count; i++) {
            for (int a = 0; a < 3; a++) {
                ended[i][a] = aimed[i][a] + shift[i][a];
                velocity[i][a] = (ended[i][a] - block->position[i][a]) * 2 * SPACING / dt;
            }
        }
        twin.positions = (const double(*)[3])ended;
        twin_xsph(&twin, 0.3, (const double(*)[3])velocity, smoothed);
        assert_alike((const double(*)[3])outcome->velocity, (const double(*)[3])smoothed,
                     block->count, 1e-5, cases[k].name);
        thaw_world_destroy(world);
    }
}

// ---------------------------------------------------------------- laws

// Σ m Δp = 0, and to first order Σ m p × Δp = 0, for unequal masses; round-off of float32 moves
static void an_iteration_keeps_momentum(void **state) {
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        Block *block = make_block(&cases[k]);
        ThawWorld *world = open_world(&cases[k], THAW_ISA_AUTO);
        add_block(world, block, 0);
        Outcome *outcome = step_block(world, block, 1.0);
        double linear[3] = {0, 0, 0}, angular[3] = {0, 0, 0}, scale = 0, middle = cases[k].edge / 2;
        for (uint32_t i = 0; i < block->count; i++) {
            double m = block->density[i] * pow(block->spacing[i], cases[k].dimensions);
            double p[3];
            for (int a = 0; a < 3; a++) p[a] = block->position[i][a] - middle;
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                linear[a] += m * outcome->move[i][a];
                angular[a] += m * (p[b] * outcome->move[i][c] - p[c] * outcome->move[i][b]);
                scale += m * fabs(outcome->move[i][a]);
            }
        }
        for (int a = 0; a < 3; a++) {
            if (!(fabs(linear[a]) < 1e-6 * scale)) {
                fail_msg("%s: momentum %g of %g", cases[k].name, linear[a], scale);
            }
            // images of one particle lie at different places, so that a torus has no such law
            if (cases[k].periodic[0]) continue;
            if (!(fabs(angular[a]) < 1e-6 * scale * middle)) {
                fail_msg("%s: angular momentum %g of %g", cases[k].name, angular[a],
                         scale * middle);
            }
        }
        thaw_world_destroy(world);
    }
}

static void smoothing_keeps_momentum_and_takes_energy(void **state) {
    (void)state;
    const Case still = {"at rest", 3, 2.9, {0}, {1, 0.8}, TWO_FLUIDS, 1.6, 0, 4};
    Block *block = make_block(&still);
    for (uint32_t i = 0; i < block->count; i++) {
        for (int a = 0; a < 3; a++) block->velocity[i][a] = draw(i, 40 + (uint64_t)a, -1, 1);
    }
    ThawWorld *world = open_world(&still, THAW_ISA_AUTO);
    add_block(world, block, xsph_of(0.5, 1e-3));
    // too thin to be pushed: only the smoothing acts
    Outcome *outcome = step_block(world, block, 1e-3);
    assert_true(outcome->report.max_density_error == 0);
    double change[3] = {0, 0, 0}, scale = 0, before = 0, after = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        double m = block->density[i] * pow(block->spacing[i], 3);
        for (int a = 0; a < 3; a++) {
            double v = outcome->velocity[i][a], old = block->velocity[i][a];
            change[a] += m * (v - old);
            scale += m * fabs(old);
            before += m * old * old;
            after += m * v * v;
        }
    }
    for (int a = 0; a < 3; a++) assert_true(fabs(change[a]) < 1e-6 * scale);
    assert_true(after < 0.98 * before);
    thaw_world_destroy(world);
}

// two loners, one substep like the other, that come within reach of each other only late in a step
static double speed_after_meeting(double skin, uint32_t *rebuilds) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = 1;
    def.solver.substeps = 40;
    def.solver.skin = skin;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef material = thaw_material_default();
    material.liquid.xsph = xsph_of(0.5, 1.0 / def.solver.substeps);
    const double x[2][3] = {{0, 0, 0}, {0, 3, 0}};
    const float v[2][3] = {{0, 0.8f, 0}, {0, -0.8f, 0}};
    ThawParticlesDef particles = {.count = 2, .positions = x, .velocities = v};
    assert_ok(thaw_world_add_material(world, &material, &particles.material));
    assert_ok(thaw_world_add_particles(world, &particles, NULL));
    ThawReport report;
    assert_ok(thaw_world_step(world, 1.0, &report));
    *rebuilds = report.rebuilds;
    double speed = fabs((double)world->store->velocity[1]);
    thaw_world_destroy(world);
    return speed;
}

static void lists_that_serve_several_substeps_miss_no_pair(void **state) {
    (void)state;
    uint32_t always, seldom;
    double wanted = speed_after_meeting(0, &always);
    double found = speed_after_meeting(0.1, &seldom);
    assert_true(wanted < 0.799); // they did meet
    assert_true(seldom < always);
    assert_true(fabs(found - wanted) < 1e-6);
}

// ---------------------------------------------------------------- the perfect lattice

#define EDGE 1.5874010519681994 // m: of the cube of four sites whose volume is 4 SPACING³

// a periodic close packing of nx × ny × nz cubes
static ThawWorld *open_lattice(int nx, int ny, int nz, float xsph, ThawIsa isa) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    def.gravity = (ThawVec3){0, 0, 0};
    for (int a = 0; a < 3; a++) def.periodic[a] = true;
    def.upper = (ThawVec3){nx * EDGE, ny * EDGE, nz * EDGE};
    def.threads = 2;
    def.isa = isa;
    def.solver.substeps = 1;
    ThawWorld *world = NULL;
    if (thaw_world_create(&def, &world) != THAW_OK) return NULL;
    ThawMaterialDef material = thaw_material_default();
    material.liquid.xsph = xsph;
    ThawParticlesDef particles = {.count = 4};
    assert_ok(thaw_world_add_material(world, &material, &particles.material));
    for (int n = 0; n < nx * ny * nz; n++) {
        double corner[3] = {n % nx * EDGE, n / nx % ny * EDGE, n / nx / ny * EDGE}, sites[4][3];
        const double offsets[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
        for (int s = 0; s < 4; s++) {
            for (int a = 0; a < 3; a++) sites[s][a] = corner[a] + EDGE * (offsets[s][a] + 0.25);
        }
        particles.positions = (const double(*)[3])sites;
        assert_ok(thaw_world_add_particles(world, &particles, NULL));
    }
    world->settled_source = world->next_source;
    return world;
}

// V-1. Places are cut to 6e-8 cells, which changes C by some 1e-6 and moves what it must by less.
static void perfect_lattice_is_at_rest(void **state) {
    (void)state;
    for (int isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
        ThawWorld *world = open_lattice(5, 4, 6, xsph_of(0.01, 1.0), (ThawIsa)isa);
        if (world == NULL) continue;
        uint32_t count = thaw_world_count(world);
        double(*before)[3] = malloc(count * sizeof *before);
        ThawParticleId *ids = malloc(count * sizeof *ids);
        thaw_world_positions(world, before);
        memcpy(ids, world->store->id, count * sizeof *ids);
        ThawReport report;
        assert_ok(thaw_world_step(world, 1.0, &report));
        assert_true(report.max_density_error < 1e-5);
        // 42 neighbours within 2 spacings, and itself
        assert_true(report.neighbours == 43.0);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row;
            assert_ok(thaw_world_index(world, ids[i], &row));
            assert_true(fabsf(world->store->density_error[row]) < 1e-5f);
            for (uint32_t a = 0; a < 3; a++) {
                double now = thaw_fixed_cells(world->store->cells[3 * row + a]) * 2 * SPACING;
                assert_true(fabs(now - before[i][a]) < 1e-6 * SPACING);
            }
        }
        free(before);
        free(ids);
        thaw_world_destroy(world);
    }
}

// 1 − Ŵ(k h) of the kernel's Fourier transform, by Simpson's rule
static double transfer_of(double kh) {
    const int n = 2000;
    double sum = 0;
    for (int i = 1; i < n; i++) {
        double q = (double)i / n, weight = i % 2 == 1 ? 4.0 : 2.0;
        double w = thaw_kernel_value(THAW_KERNEL_DEFAULT, 3, q, 1.0);
        sum += weight * w * 4 * 3.14159265358979 * q * q * sin(kh * q) / (kh * q);
    }
    return 1.0 - sum / (3.0 * n);
}

// amplitude of v_x = A sin(k y)
static double amplitude(const ThawWorld *world, double k) {
    double sum = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double y = thaw_fixed_cells(world->store->cells[3 * row + 1]) * 2 * SPACING;
        sum += 2.0 * (double)world->store->velocity[3 * row] * sin(k * y);
    }
    return sum / world->store->count;
}

// PBF-3, with velocities so small that the lattice stays
static void smoothing_is_the_filter_that_the_kernel_says(void **state) {
    (void)state;
    // of poly12, by a quadrature of its own; the second moment is h²/17
    assert_true(fabs(transfer_of(0.5) - 0.0073288) < 1e-6);
    assert_true(fabs(transfer_of(1.0) - 0.0290278) < 1e-6);
    assert_true(fabs(transfer_of(2.0) - 0.1116475) < 1e-6);
    const double c = 0.5, dt = 0.1;
    const int waves[] = {4, 8, 16}; // cubes a wave: k h = 1.98, 0.99, 0.49
    for (int n = 0; n < 3; n++) {
        ThawWorld *world = open_lattice(3, waves[n], 3, xsph_of(c, dt), THAW_ISA_AUTO);
        double k = 2 * 3.14159265358979 / (waves[n] * EDGE), size = 1e-3;
        for (uint32_t row = 0; row < world->store->count; row++) {
            double y = thaw_fixed_cells(world->store->cells[3 * row + 1]) * 2 * SPACING;
            world->store->velocity[3 * row] = (float)(size * sin(k * y));
        }
        double factor = 1.0, wanted = 1.0 - c * transfer_of(k * 2 * SPACING);
        double kinetic = INFINITY;
        for (int step = 0; step < 5; step++) {
            double before = amplitude(world, k);
            ThawReport report;
            assert_ok(thaw_world_step(world, dt, &report));
            assert_true(report.kinetic <= kinetic);
            kinetic = report.kinetic;
            double most = 1e-6 * report.mass * size;
            assert_true(fabs(report.momentum.x) < most && fabs(report.momentum.y) < most);
            factor = amplitude(world, k) / before;
            if (!(fabs((1 - factor) / (1 - wanted) - 1) < 0.03)) {
                fail_msg("k h = %g: 1 - factor = %g, not %g", k * 2 * SPACING, 1 - factor,
                         1 - wanted);
            }
        }
        thaw_world_destroy(world);
    }
}

// a shear wave dies as exp(−ν k² t), whatever the substep
static void shear_waves_die_by_the_viscosity_given(void **state) {
    (void)state;
    // c = 0.3 in one substep, k h = 0.99
    const double dt = 0.1, nu = 0.3 * 4 * SPACING * SPACING / (34 * dt), size = 1e-4;
    double ends[2];
    for (int n = 0; n < 2; n++) {
        ThawWorld *world = open_lattice(3, 8, 3, 0.0f, THAW_ISA_AUTO);
        world->def.solver.substeps = n == 0 ? 1 : 4;
        ThawMaterialDef def = thaw_material_default();
        def.liquid.xsph = 0;
        def.liquid.viscosity = (float)nu;
        assert_ok(thaw_world_set_material(world, (ThawMaterialId){1}, &def));
        double k = 2 * 3.14159265358979 / (8 * EDGE);
        for (uint32_t row = 0; row < world->store->count; row++) {
            double y = thaw_fixed_cells(world->store->cells[3 * row + 1]) * 2 * SPACING;
            world->store->velocity[3 * row] = (float)(size * sin(k * y));
        }
        double before = amplitude(world, k);
        for (int step = 0; step < 30; step++) assert_ok(thaw_world_step(world, dt, NULL));
        ends[n] = amplitude(world, k) / before;
        double wanted = exp(-nu * k * k * 30 * dt);
        assert_true(wanted < 0.9 && wanted > 0.1);
        if (!(fabs(log(ends[n]) / log(wanted) - 1) < 0.03)) {
            fail_msg("%d substeps: %g is left, not %g", n == 0 ? 1 : 4, ends[n], wanted);
        }
        thaw_world_destroy(world);
    }
    print_message("left with 1 and 4 substeps: %.5f %.5f\n", ends[0], ends[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_equal_those_of_the_twin),
        cmocka_unit_test(velocities_equal_those_of_the_twin),
        cmocka_unit_test(an_iteration_keeps_momentum),
        cmocka_unit_test(smoothing_keeps_momentum_and_takes_energy),
        cmocka_unit_test(lists_that_serve_several_substeps_miss_no_pair),
        cmocka_unit_test(perfect_lattice_is_at_rest),
        cmocka_unit_test(smoothing_is_the_filter_that_the_kernel_says),
        cmocka_unit_test(shear_waves_die_by_the_viscosity_given),
    };
    return cmocka_run_group_tests_name("liquid", tests, NULL, NULL);
}
