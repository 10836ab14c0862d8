// Clouds of loose particles for the tests of viscosity: two halves that may differ in everything,
// so thin that nothing but smoothing acts.
#ifndef TEST_LIQUID_CLOUD_H
#define TEST_LIQUID_CLOUD_H

#include "math/kernel.h"
#include "math/random.h"
#include "world/helpers.h"
#include "world/world.h"

#define MOST 320
#define TICK THAW_REFERENCE_TIME // a substep in which c is the coefficient itself

// two halves along x, of spacing 1 m times a ratio
typedef struct Kind {
    const char *name;
    int dimensions;
    double ratio[2];
    float density[2];
    double second; // c of the second half, as a share of the first's
    double packing;
} Kind;

#define LOOSE 1.35  // so thin that nothing pushes
#define LOOSER 1.45 // the same of sizes that differ, which count air as well

static const Kind kinds[] = {
    {"3D, alike", 3, {1, 1}, {1000, 1000}, 1, LOOSE},
    {"2D, alike", 2, {1, 1}, {1000, 1000}, 1, LOOSE},
    {"3D, honey beside water", 3, {1, 1}, {1400, 1000}, 0.001, LOOSE},
    {"3D, two sizes and densities", 3, {1, 0.7}, {500, 5000}, 0.3, LOOSER},
    {"2D, two sizes and densities", 2, {0.5, 1}, {3000, 1000}, 2, LOOSE},
};
#define KINDS (sizeof kinds / sizeof *kinds)

typedef struct Cloud {
    const Kind *kind;
    uint32_t count;
    double x[MOST][3], v[MOST][3]; // m, m/s
    double spacing[MOST], density[MOST];
    int half[MOST];
    ThawParticleId id[MOST];
} Cloud;

static inline double draw(uint64_t id, uint64_t purpose, double low, double high) {
    return low + (high - low) * thaw_random_unit(9, id, 0, purpose);
}

static inline void fill_half(Cloud *cloud, int half, double edge, double speed) {
    const Kind *kind = cloud->kind;
    double step = kind->packing * kind->ratio[half], size[3] = {edge / 2, edge, edge};
    int sites[3] = {1, 1, 1};
    for (int a = 0; a < kind->dimensions; a++) sites[a] = (int)(size[a] / step + 0.5);
    for (int n = 0; n < sites[0] * sites[1] * sites[2]; n++) {
        int site[3] = {n % sites[0], n / sites[0] % sites[1], n / sites[0] / sites[1]};
        uint32_t i = cloud->count++;
        assert_true(i < MOST);
        for (int a = 0; a < kind->dimensions; a++) {
            double at = (site[a] + 0.5) * step + (a == 0 ? half * size[0] : 0.0);
            cloud->x[i][a] = at + draw(i, 10 + (uint64_t)a, -0.15, 0.15) * kind->ratio[half];
            cloud->v[i][a] = draw(i, 20 + (uint64_t)a, -speed, speed);
        }
        cloud->spacing[i] = kind->ratio[half];
        cloud->density[i] = (double)kind->density[half];
        cloud->half[i] = half;
    }
}

static inline Cloud *make_cloud(const Kind *kind, double speed) {
    static Cloud cloud;
    memset(&cloud, 0, sizeof cloud);
    cloud.kind = kind;
    double edge = kind->dimensions == 3 ? 7 : 14;
    fill_half(&cloud, 0, edge, speed);
    fill_half(&cloud, 1, edge, speed);
    assert_true(cloud.count > 60);
    return &cloud;
}

static inline double half_c(const Cloud *cloud, uint32_t i, double c) {
    return cloud->half[i] == 0 ? c : c * cloud->kind->second;
}

// ν of which a particle of 1 m takes c in a TICK: 2 ν dt / M₂
static inline double viscosity_of(int dimensions, double c) {
    return c * (dimensions == 3 ? 0.0583806 : 0.0625007) * 4 / (2 * TICK);
}

static inline double largest_c(const Kind *kind, double c) {
    return c * fmax(kind->second, 1.0);
}

static inline double mass_of(const Cloud *cloud, uint32_t i) {
    return cloud->density[i] * pow(cloud->spacing[i], cloud->kind->dimensions);
}

static inline ThawLiquidDef artist(int dimensions, double c) {
    (void)dimensions;
    return (ThawLiquidDef){.xsph = (float)c, .tensile_exponent = 4};
}

static inline ThawLiquidDef physical(int dimensions, double c) {
    return (ThawLiquidDef){.viscosity = (float)viscosity_of(dimensions, c), .tensile_exponent = 4};
}

typedef ThawLiquidDef MakeLiquid(int dimensions, double c);

static inline ThawWorld *open_kind(Cloud *cloud, MakeLiquid *make, double c, int threads,
                                   ThawIsa isa) {
    ThawWorldDef def = thaw_world_default();
    def.dimensions = cloud->kind->dimensions;
    def.spacing = 1.0;
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = threads;
    def.isa = isa;
    def.solver.substeps = 1;
    def.solver.iterations = 1;
    ThawWorld *world = NULL;
    if (thaw_world_create(&def, &world) != THAW_OK) return NULL;
    for (int half = 0; half < 2; half++) {
        ThawMaterialDef material = thaw_material_default();
        material.name = half == 0 ? "left" : "right";
        material.density = cloud->kind->density[half];
        material.liquid = make(def.dimensions, half == 0 ? c : c * cloud->kind->second);
        ThawParticlesDef particles = {.count = 1};
        assert_ok(thaw_world_add_material(world, &material, &particles.material));
        for (uint32_t i = 0; i < cloud->count; i++) {
            if (cloud->half[i] != half) continue;
            float v[3];
            for (int a = 0; a < 3; a++) v[a] = (float)cloud->v[i][a];
            particles.positions = (const double(*)[3]) & cloud->x[i];
            particles.velocities = (const float(*)[3])v;
            particles.spacing = (float)cloud->spacing[i];
            assert_ok(thaw_world_add_particles(world, &particles, &cloud->id[i]));
        }
    }
    // matter as it lies: nothing is moved apart before time goes on
    world->settled_source = world->next_source;
    return world;
}

static inline ThawWorld *open_cloud(Cloud *cloud, double c, int threads, ThawIsa isa) {
    return open_kind(cloud, artist, c, threads, isa);
}

static inline void read_velocities(ThawWorld *world, const Cloud *cloud, double (*v)[3]) {
    for (uint32_t i = 0; i < cloud->count; i++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, cloud->id[i], &row));
        for (uint32_t a = 0; a < 3; a++) v[i][a] = (double)world->store->velocity[3 * row + a];
    }
}

static inline double kinetic_of(const Cloud *cloud, const double (*v)[3]) {
    double sum = 0;
    for (uint32_t i = 0; i < cloud->count; i++) {
        for (int a = 0; a < 3; a++) sum += 0.5 * mass_of(cloud, i) * v[i][a] * v[i][a];
    }
    return sum;
}

#endif
