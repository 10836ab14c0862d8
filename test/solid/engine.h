// What the tests of the shipped solid share: a world of one object, read and set in the order in
// which its particles were added, whatever rows they are in.
//
// Units are k = m = D = 1 unless a test asks for others. Places that forces see are multiples of
// 2^-22 cells, which is 4.2e-7 D (THAW_PLACE_BITS): the engine's own round-off.
#ifndef TEST_SOLID_ENGINE_H
#define TEST_SOLID_ENGINE_H

#include "math/lattice.h"
#include "models/solid/solid.h"
#include "solid/algebra.h"
#include "solid/blocks.h"
#include "support/bounds.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
#define HALF 0.70710678118654752440 // of D: between half-layers
#define PLACE_UNIT 4.3e-7           // of D, rounded up

#define assert_ok(call) assert_int_equal(call, THAW_OK)

static const Mat no_turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// ---------------------------------------------------------------- making one

typedef struct EngineDef {
    int dimensions;
    double distance; // D
    ThawMaterialDef material;
    ThawWorldDef world; // its spacing and dimensions follow from the two above
} EngineDef;

typedef struct Engine {
    ThawWorld *world;
    EngineDef def;
    ThawMaterialId material;
    ThawParticleId first; // of `count` in a row, once there are some
    uint32_t count;
} Engine;

// one thread, no gravity, exactly as many substeps as are asked for
static inline EngineDef engine_si(int dimensions, double distance) {
    EngineDef def = {.dimensions = dimensions,
                     .distance = distance,
                     .material = thaw_material_default(),
                     .world = thaw_world_default()};
    def.world.threads = 1;
    def.world.gravity = (ThawVec3){0, 0, 0};
    def.world.solver.substeps = 1;
    def.world.solver.elastic_steps = 1;
    return def;
}

// k = m = D = 1, explicit, no damping, ν = 0
static inline EngineDef engine_units(int dimensions) {
    EngineDef def = engine_si(dimensions, 1);
    def.material.density = (float)(dimensions == 3 ? sqrt(2) : 2 / sqrt(3));
    def.material.solid.young = (float)(dimensions == 3 ? 2 * sqrt(2) : sqrt(3));
    def.material.solid.poisson = def.material.solid.damping = 0;
    def.world.solver.explicit_forces = true;
    return def;
}

static inline double engine_spacing(const EngineDef *def) {
    return def->distance / thaw_lattice_distance(def->dimensions, 1);
}

static inline Engine engine_make(const EngineDef *def) {
    Engine e = {.def = *def};
    e.def.world.dimensions = def->dimensions;
    e.def.world.spacing = engine_spacing(def);
    assert_ok(thaw_world_create(&e.def.world, &e.world));
    assert_ok(thaw_world_add_material(e.world, &e.def.material, &e.material));
    return e;
}

static inline void engine_free(Engine *e) {
    thaw_world_destroy(e->world);
    e->world = NULL;
}

// a unit quaternion of a rotation
static inline ThawQuat quat_of(Mat r) {
    double w = sqrt(fmax(0, 1 + m_trace(r))) / 2;
    double axis[3];
    for (int k = 0; k < 3; k++) axis[k] = sqrt(fmax(0, 1 + 2 * r.m[k][k] - m_trace(r))) / 2;
    // the largest of the four is safe; the others follow from it
    int most = axis[0] > axis[1] ? (axis[0] > axis[2] ? 0 : 2) : (axis[1] > axis[2] ? 1 : 2);
    if (w >= axis[most]) {
        double s = 1 / (4 * w);
        return (ThawQuat){s * (r.m[2][1] - r.m[1][2]), s * (r.m[0][2] - r.m[2][0]),
                          s * (r.m[1][0] - r.m[0][1]), w};
    }
    int j = (most + 1) % 3, k = (most + 2) % 3;
    double s = 1 / (4 * axis[most]), q[3];
    q[most] = axis[most];
    q[j] = s * (r.m[j][most] + r.m[most][j]);
    q[k] = s * (r.m[k][most] + r.m[most][k]);
    return (ThawQuat){q[0], q[1], q[2], s * (r.m[k][j] - r.m[j][k])};
}

// One more object of particles at rest on a lattice of that orientation. The first is the one that
// the functions below read and set.
static inline void engine_add(Engine *e, const ThawVec3 *points, int count, Mat turn) {
    double(*positions)[3] = malloc((size_t)count * sizeof *positions);
    assert_non_null(positions);
    for (int i = 0; i < count; i++) {
        positions[i][0] = points[i].x;
        positions[i][1] = points[i].y;
        positions[i][2] = points[i].z;
    }
    ThawParticlesDef def = {.material = e->material,
                            .count = (uint32_t)count,
                            .positions = (const double(*)[3])positions,
                            .state = THAW_STATE_SOLID,
                            .orientation = quat_of(turn)};
    ThawParticleId first;
    assert_ok(thaw_world_add_particles(e->world, &def, &first));
    free(positions);
    if (e->count > 0) return;
    e->first = first;
    e->count = (uint32_t)count;
}

static inline ThawVec3 *engine_room(uint32_t count) {
    ThawVec3 *rows = calloc(count, sizeof *rows);
    assert_non_null(rows);
    return rows;
}

// a block's points about the origin, turned; *count of them
static inline ThawVec3 *block_points(const Block *block, Mat turn, int *count) {
    ThawVec3 *points = engine_room((uint32_t)block_count(block)), middle = {0, 0, 0}, place;
    int at[3] = {-1, 0, 0}, n = 0;
    while (block_next(block, at, &place)) {
        points[n++] = place;
        middle = v_add(middle, place);
    }
    for (int i = 0; i < n; i++) {
        points[i] = m_apply(turn, v_along(points[i], -1.0 / n, middle));
    }
    *count = n;
    return points;
}

static inline Block block_of(const EngineDef *def, int nx, int ny, int nz) {
    return (Block){
        .dimensions = def->dimensions, .planes = {nx, ny, nz}, .distance = def->distance};
}

// A block of half-layers about the origin, its points first moved by up to `shake` D along each axis
// and then through `map`.
typedef struct EngineBlock {
    int planes[3];
    Mat turn, map;
    double shake;
    uint64_t seed;
} EngineBlock;

static inline EngineBlock plain_block(int nx, int ny, int nz) {
    return (EngineBlock){.planes = {nx, ny, nz}, .turn = no_turn, .map = no_turn, .seed = 1};
}

static inline Engine engine_block(const EngineDef *def, const EngineBlock *how) {
    Engine e = engine_make(def);
    Block block = block_of(def, how->planes[0], how->planes[1], how->planes[2]);
    Dice dice = {how->seed};
    int count;
    ThawVec3 *points = block_points(&block, how->turn, &count);
    for (int i = 0; i < count && how->shake > 0; i++) {
        ThawVec3 shift = dice_vector(&dice);
        if (def->dimensions == 2) shift.z = 0;
        points[i] = v_along(points[i], how->shake * def->distance, shift);
    }
    for (int i = 0; i < count; i++) points[i] = m_apply(how->map, points[i]);
    engine_add(&e, points, count, how->turn);
    free(points);
    return e;
}

// ---------------------------------------------------------------- reading and setting

static inline const ThawSolids *engine_solids(const Engine *e) {
    return thaw_solid_inside(e->world->model_states[2]);
}

static inline uint32_t engine_row(const Engine *e, uint32_t i) {
    uint32_t row = thaw_store_find(e->world->store, e->first + i);
    assert_true(row != UINT32_MAX);
    return row;
}

static inline ThawVec3 *engine_places(const Engine *e) {
    ThawVec3 *places = engine_room(e->count);
    for (uint32_t i = 0; i < e->count; i++) {
        const int64_t *cells = &e->world->store->cells[3 * (size_t)engine_row(e, i)];
        double cell = e->world->domain.cell;
        places[i] = (ThawVec3){cell * thaw_fixed_cells(cells[0]), cell * thaw_fixed_cells(cells[1]),
                               cell * thaw_fixed_cells(cells[2])};
    }
    return places;
}

static inline void engine_set_places(Engine *e, const ThawVec3 *places) {
    for (uint32_t i = 0; i < e->count; i++) {
        int64_t *cells = &e->world->store->cells[3 * (size_t)engine_row(e, i)];
        const double metres[3] = {places[i].x, places[i].y, places[i].z};
        thaw_domain_fix(&e->world->domain, metres, cells);
        thaw_domain_wrap(&e->world->domain, cells);
    }
}

static inline ThawVec3 *engine_velocities(const Engine *e) {
    ThawVec3 *velocities = engine_room(e->count);
    for (uint32_t i = 0; i < e->count; i++) {
        const float *v = &e->world->store->velocity[3 * (size_t)engine_row(e, i)];
        velocities[i] = (ThawVec3){(double)v[0], (double)v[1], (double)v[2]};
    }
    return velocities;
}

// NULL: at rest
static inline void engine_set_velocities(Engine *e, const ThawVec3 *velocities) {
    for (uint32_t i = 0; i < e->count; i++) {
        float *v = &e->world->store->velocity[3 * (size_t)engine_row(e, i)];
        v[0] = velocities == NULL ? 0.0f : (float)velocities[i].x;
        v[1] = velocities == NULL ? 0.0f : (float)velocities[i].y;
        v[2] = velocities == NULL ? 0.0f : (float)velocities[i].z;
    }
}

static inline double engine_mass(const Engine *e) {
    return thaw_world_mass(e->world, 0);
}

// m v about the origin: a rigid motion
static inline void engine_set_spin(Engine *e, ThawVec3 velocity, ThawVec3 spin) {
    ThawVec3 *places = engine_places(e);
    for (uint32_t i = 0; i < e->count; i++) {
        places[i] = v_add(velocity, v_cross(spin, places[i]));
    }
    engine_set_velocities(e, places);
    free(places);
}

// A of a particle, and R
static inline Mat engine_map(const Engine *e, uint32_t i) {
    const float *a = &thaw_lattice_state(e->world->store).map[9 * (size_t)engine_row(e, i)];
    Mat map;
    for (int k = 0; k < 9; k++) map.m[k / 3][k % 3] = (double)a[k];
    return map;
}

// A number that changes when any bond does, and does not depend on rows.
static inline uint64_t engine_bond_hash(const Engine *e) {
    const ThawSolids *solid = engine_solids(e);
    const ThawStore *store = e->world->store;
    uint64_t hash = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            uint32_t other = solid->bonds.slot[thaw_bond_at(row, s)];
            if (other == row) continue;
            hash += dice_mix(store->id[row] * 31 + s + dice_mix(store->id[other]));
        }
    }
    return hash;
}

// ---------------------------------------------------------------- moving

// `substeps` of dt in one step
static inline ThawReport engine_step(Engine *e, double dt, int substeps) {
    ThawReport report;
    e->world->def.solver.substeps = substeps;
    ThawResult result = thaw_world_step(e->world, dt * substeps, &report);
    if (result != THAW_OK) print_error("%s\n", thaw_error_text());
    assert_int_equal(result, THAW_OK);
    assert_int_equal(report.substeps, substeps);
    return report;
}

// The forces on all particles where they are: a kick too short for anything to move, from rest.
static inline ThawVec3 *engine_forces(Engine *e) {
    double k = (double)e->def.material.solid.young * e->def.distance, m = engine_mass(e);
    double dt = 1e-6 * sqrt(m / k);
    ThawVec3 *places = engine_places(e), *velocities = engine_velocities(e);
    engine_set_velocities(e, NULL);
    engine_step(e, dt, 1);
    ThawVec3 *forces = engine_velocities(e);
    for (uint32_t i = 0; i < e->count; i++) forces[i] = v_scale(m / dt, forces[i]);
    engine_set_places(e, places);
    engine_set_velocities(e, velocities);
    free(places);
    free(velocities);
    return forces;
}

// The same of the lattice alone, by the engine's own inner loops: contacts correct places, which is no
// force and grows beyond all bounds as steps become short.
static inline ThawVec3 *engine_lattice_forces(Engine *e) {
    ThawVec3 *places = engine_places(e), *forces = engine_room(e->count);
    engine_set_velocities(e, NULL);
    engine_step(e, 1e-7, 1); // bonds
    engine_set_places(e, places);
    const ThawSolids *solid = engine_solids(e);
    ThawStore *store = e->world->store;
    for (uint32_t row = 0; row < store->count; row++) {
        const int64_t *cells = &store->cells[3 * (size_t)row];
        e->world->work.place[row] = (ThawPlace){
            thaw_place_from(cells[0]), thaw_place_from(cells[1]), thaw_place_from(cells[2]), 0};
        memset(solid->speed[row], 0, sizeof solid->speed[row]);
    }
    ThawSolidPass pass = {.dimensions = e->def.dimensions,
                          .newton = 6,
                          .sites = thaw_sites(e->def.dimensions),
                          .bonds = &solid->bonds,
                          .kinds = solid->kinds,
                          .kind = solid->kind,
                          .rows = store->count,
                          .blocks = solid->bonds.blocks,
                          .place = e->world->work.place,
                          .speed = solid->speed,
                          .state = thaw_lattice_state(store),
                          .frame = solid->frame,
                          .dt = 1};
    uint32_t chunks = (pass.blocks + THAW_SOLID_CHUNK - 1) / THAW_SOLID_CHUNK;
    for (uint32_t c = 0; c < chunks; c++)
        THAW_WIDE_PICK(e->world->isa, thaw_solid_frames)(&pass, c);
    for (uint32_t c = 0; c < chunks; c++) THAW_WIDE_PICK(e->world->isa, thaw_solid_kick)(&pass, c);
    for (uint32_t i = 0; i < e->count; i++) {
        const float *v = solid->speed[engine_row(e, i)];
        forces[i] = v_scale(engine_mass(e), (ThawVec3){(double)v[0], (double)v[1], (double)v[2]});
    }
    free(places);
    return forces;
}

static inline double longest(const ThawVec3 *rows, uint32_t count) {
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        double size = v_norm(rows[i]);
        if (!(size <= most)) most = size;
    }
    return most;
}

static inline double engine_strongest(Engine *e) {
    ThawVec3 *forces = engine_forces(e);
    double most = longest(forces, e->count);
    free(forces);
    return most;
}

// ---------------------------------------------------------------- laws

// Momentum, angular momentum about the origin, and kinetic energy of velocities that may be the
// mean of two steps'.
typedef struct Motions {
    ThawVec3 momentum, angular;
    double kinetic, speed; // speed: Σ m |v|
} Motions;

static inline Motions motions_of(const Engine *e, const ThawVec3 *x, const ThawVec3 *v) {
    Motions all = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    double m = engine_mass(e);
    for (uint32_t i = 0; i < e->count; i++) {
        all.momentum = v_along(all.momentum, m, v[i]);
        all.angular = v_along(all.angular, m, v_cross(x[i], v[i]));
        all.kinetic += 0.5 * m * v_dot(v[i], v[i]);
        all.speed += m * v_norm(v[i]);
    }
    return all;
}

static inline Motions engine_motions(const Engine *e) {
    ThawVec3 *x = engine_places(e), *v = engine_velocities(e);
    Motions all = motions_of(e, x, v);
    free(x);
    free(v);
    return all;
}

// the elastic energy of the report with one particle moved
static inline double energy_moved(Engine *e, const ThawVec3 *places, uint32_t i, ThawVec3 by) {
    ThawVec3 *moved = engine_room(e->count);
    memcpy(moved, places, e->count * sizeof *moved);
    moved[i] = v_add(moved[i], by);
    engine_set_places(e, moved);
    engine_set_velocities(e, NULL);
    double energy = engine_step(e, 1e-7, 1).elastic;
    free(moved);
    return energy;
}

#endif
