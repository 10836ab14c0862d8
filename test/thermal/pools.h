// A pool of supercooled liquid: what freezes in it is up to the test.
#ifndef TEST_THERMAL_POOLS_H
#define TEST_THERMAL_POOLS_H

#include "thermal/changing.h"

typedef struct PoolDef {
    double width, depth; // m
    bool frosts;         // the tank does
    double seed;         // m, side of a solid in its middle; 0 = none
    int threads;
    ThawMaterialDef material;
    double settle; // s before it is cold
} PoolDef;

static inline PoolDef pool_def(void) {
    return (PoolDef){
        .width = 0.24, .depth = 0.12, .threads = 1, .material = wax_def(), .settle = 0.25};
}

static inline void add_pool(ThawWorld *world, const PoolDef *def, ThawMaterialId material) {
    double d = world->def.spacing, D = thaw_lattice_distance(2, d);
    double(*places)[3] = calloc(100000, sizeof *places);
    assert_non_null(places);
    uint32_t count = 0;
    for (int j = 0; D * sqrt(0.75) * j + 0.4 * D < def->depth; j++) {
        for (int i = 0; D * i + 0.7 * D < def->width; i++) {
            uint32_t key = (uint32_t)(1000 * j + i) * 2654435761u;
            double x = D * (i + 0.4 + 0.25 * (j & 1)) - def->width / 2;
            double y = D * (sqrt(0.75) * j + 0.4), half = def->seed / 2 + 0.4 * D;
            x += 0.2 * d * ((key >> 8 & 255) / 128.0 - 1);
            y += 0.2 * d * ((key >> 16 & 255) / 128.0 - 1);
            bool inside = fabs(x) < half && fabs(y - def->depth / 2) < half;
            if (def->seed > 0 && inside) continue;
            places[count][0] = x;
            places[count++][1] = y;
        }
    }
    ThawParticlesDef more = {
        .material = material, .count = count, .positions = (const double(*)[3])places};
    assert_ok(thaw_world_add_particles(world, &more, NULL));
    free(places);
}

// at rest and just above its melting point
static inline ThawWorld *make_pool(const PoolDef *def) {
    ThawWorldDef world_def = small_def(2);
    world_def.heat.on = true;
    world_def.heat.ambient = MELTS_AT + 1;
    world_def.threads = def->threads;
    world_def.spacing = 0.01;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialId material = add_material(world, &def->material);
    ThawColliderDef tank = thaw_collider_default();
    tank.name = "tank";
    tank.container = true;
    tank.frosts = def->frosts;
    tank.shape = thaw_shape_box((ThawVec3){0, 0.5, 0}, (ThawVec3){def->width, 1, 1});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    if (def->seed > 0) {
        ThawBodyDef seed = thaw_body_default();
        seed.name = "seed";
        seed.material = material;
        seed.state = THAW_STATE_SOLID;
        seed.temperature = MELTS_AT - 20;
        seed.orientation = (ThawQuat){0, 0, sin(0.1), cos(0.1)};
        seed.shape =
            thaw_shape_box((ThawVec3){0, def->depth / 2, 0}, (ThawVec3){def->seed, def->seed, 1});
        assert_ok(thaw_world_add_body(world, &seed, NULL));
    }
    add_pool(world, def, material);
    for (int k = 0; k < (int)lrint(def->settle * 60); k++) step(world, 1.0 / 60);
    return world;
}

#endif
