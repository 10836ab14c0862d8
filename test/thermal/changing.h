// What the tests of melting and freezing share: small worlds with heat, and rows by what they are.
#ifndef TEST_THERMAL_CHANGING_H
#define TEST_THERMAL_CHANGING_H

#include "lattice/state.h"
#include "math/lattice.h"
#include "models/thermal/change.h"
#include "support/bounds.h"
#include "world/helpers.h"
#include "world/world.h"

#include <stdlib.h>

#define MELTS_AT 300.0f

// no gravity, no air: nothing but what a test does changes temperatures
static inline ThawWorldDef warm_def(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    def.gravity = (ThawVec3){0, 0, 0};
    def.heat.on = true;
    def.heat.ambient = MELTS_AT;
    return def;
}

// the same for particles that never meet: as little work a step as there can be
static inline ThawWorldDef lonely_def(void) {
    ThawWorldDef def = warm_def(2);
    def.solver.substeps = def.solver.elastic_steps = def.solver.iterations = 1;
    return def;
}

// soft, without conduction; melts and freezes at once
static inline ThawMaterialDef wax_def(void) {
    ThawMaterialDef def = thaw_material_default();
    def.name = "wax";
    def.solid.young = 1e4f;
    def.thermal.conductivity = 0;
    def.thermal.melts_at = MELTS_AT;
    return def;
}

static inline ThawMaterialId add_material(ThawWorld *world, const ThawMaterialDef *def) {
    ThawMaterialId id;
    assert_ok(thaw_world_add_material(world, def, &id));
    return id;
}

static inline ThawReport step(ThawWorld *world, double dt) {
    ThawReport report;
    assert_ok(thaw_world_step(world, dt, &report));
    return report;
}

static inline void set_all(ThawWorld *world, double temperature) {
    assert_ok(thaw_world_set_temperature(world, NULL, temperature));
}

static inline uint32_t count_state(const ThawWorld *world, ThawState state) {
    uint32_t count = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        count += world->store->state[row] == (uint8_t)state;
    }
    return count;
}

// `count` particles in rows, so far apart that none sees another
static inline void add_lonely(ThawWorld *world, ThawMaterialId material, uint32_t count,
                              ThawState state) {
    double(*positions)[3] = calloc(count, sizeof *positions);
    assert_non_null(positions);
    double apart = 5 * world->def.spacing;
    for (uint32_t k = 0; k < count; k++) {
        positions[k][0] = apart * (k % 100);
        positions[k][1] = apart * (k / 100);
    }
    ThawParticlesDef def = {.material = material,
                            .count = count,
                            .positions = (const double(*)[3])positions,
                            .state = state};
    assert_ok(thaw_world_add_particles(world, &def, NULL));
    free(positions);
}

// a box of matter about the origin
static inline ThawBodyId add_block(ThawWorld *world, ThawMaterialId material, ThawVec3 size,
                                   ThawState state) {
    ThawBodyDef def = thaw_body_default();
    def.name = "block";
    def.material = material;
    def.state = state;
    def.shape = thaw_shape_box((ThawVec3){0, 0, 0}, size);
    ThawBodyId id;
    assert_ok(thaw_world_add_body(world, &def, &id));
    return id;
}

// the row whose place is nearest to a point
static inline uint32_t row_at(const ThawWorld *world, ThawVec3 point) {
    const double at[3] = {point.x, point.y, point.z};
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double square = 0;
        for (size_t a = 0; a < 3; a++) {
            double x = thaw_fixed_cells(world->store->cells[3 * (size_t)row + a]);
            square += (x * world->domain.cell - at[a]) * (x * world->domain.cell - at[a]);
        }
        if (square >= least) continue;
        least = square;
        nearest = row;
    }
    return nearest;
}

static inline ThawVec3 place_of(const ThawWorld *world, uint32_t row) {
    const int64_t *cells = &world->store->cells[3 * (size_t)row];
    double unit = world->domain.cell;
    return (ThawVec3){thaw_fixed_cells(cells[0]) * unit, thaw_fixed_cells(cells[1]) * unit,
                      thaw_fixed_cells(cells[2]) * unit};
}

static inline uint32_t bonds_of(ThawWorld *world, uint32_t row) {
    return (uint32_t)__builtin_popcount((uint32_t)thaw_lattice_state(world->store).sites[row] &
                                        0xfffu);
}

// Σ m v: one a direction, kg m/s
static inline void momentum_of(const ThawWorld *world, double sum[3]) {
    sum[0] = sum[1] = sum[2] = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double mass = (double)world->materials[world->store->material[row]].density *
                      pow((double)world->store->spacing[row], world->def.dimensions);
        for (size_t a = 0; a < 3; a++) {
            sum[a] += mass * (double)world->store->velocity[3 * (size_t)row + a];
        }
    }
}

#endif
