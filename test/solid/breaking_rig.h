// What the tests of the engine's breaking, contact, flow and mixing share: worlds of blocks, looked
// at piece by piece in the order of their ids, whatever rows they are in.
//
// A world takes `substeps` substeps of `dt` a step, no more and no less, unless dt is 0: then the engine
// chooses for itself.
#ifndef TEST_SOLID_BREAKING_RIG_H
#define TEST_SOLID_BREAKING_RIG_H

#include "math/lattice.h"
#include "models/solid/solid.h"
#include "solid/algebra.h"
#include "solid/blocks.h"
#include "support/bounds.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
#define HALF 0.70710678118654752 // 1/√2: a half-layer of cubic close packing, in D
#define GRAVITY 9.81

static const ThawVec3 origin = {0, 0, 0};

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        ThawResult result_ = (call);                                                               \
        if (result_ != THAW_OK) print_error("%s: %s\n", #call, thaw_error_text());                 \
        assert_int_equal(result_, THAW_OK);                                                        \
    } while (0)

typedef struct Rig {
    ThawWorld *world;
    int dimensions;
    double distance;   // D, m
    double dt;         // s, of a substep
    double step;       // s, of a step
    ThawReport report; // of the last step
} Rig;

typedef struct RigDef {
    int dimensions;  // 0 = 3
    double distance; // D, m; 0 = 1
    double dt;       // s; 0 = the engine's choice
    int substeps;    // a step; 0 = 1
    double step;     // s, where dt is 0
    ThawVec3 gravity;
    int elastic_steps, iterations; // 0 = 1 with a dt, and the default
    ThawVec3 period;               // m, 0 = not periodic
} RigDef;

// spacing of a lattice distance
static inline double spacing_of(int dimensions, double distance) {
    return distance / thaw_lattice_distance(dimensions, 1.0);
}

static inline Rig rig_make(RigDef def) {
    Rig rig = {.dimensions = def.dimensions ? def.dimensions : 3,
               .distance = def.distance > 0 ? def.distance : 1.0};
    ThawWorldDef world = thaw_world_default();
    int substeps = def.substeps > 0 ? def.substeps : 1;
    world.dimensions = rig.dimensions;
    world.spacing = spacing_of(rig.dimensions, rig.distance);
    world.gravity = def.gravity;
    world.threads = 1;
    world.solver.substeps = def.dt > 0 ? substeps : 0;
    if (def.elastic_steps > 0 || def.dt > 0) {
        world.solver.elastic_steps = def.elastic_steps > 0 ? def.elastic_steps : 1;
    }
    if (def.iterations > 0) world.solver.iterations = def.iterations;
    const double period[3] = {def.period.x, def.period.y, def.period.z};
    for (int a = 0; a < 3; a++) world.periodic[a] = period[a] > 0;
    world.upper = def.period;
    rig.dt = def.dt;
    rig.step = def.dt > 0 ? substeps * def.dt : def.step;
    assert_ok(thaw_world_create(&world, &rig.world));
    return rig;
}

static inline void rig_free(Rig *rig) {
    thaw_world_destroy(rig->world);
    rig->world = NULL;
}

static inline void rig_step(Rig *rig) {
    assert_ok(thaw_world_step(rig->world, rig->step, &rig->report));
}

static inline void rig_run(Rig *rig, double seconds) {
    double end = thaw_world_time(rig->world) + seconds;
    while (thaw_world_time(rig->world) < end - 0.5 * rig->step) rig_step(rig);
}

static inline double rig_energy(const Rig *rig) {
    return rig->report.kinetic + rig->report.potential + rig->report.elastic;
}

static inline const ThawSolids *rig_solids(const Rig *rig) {
    return thaw_solid_inside(rig->world->model_states[2]);
}

static inline ThawLatticeState rig_lattice(const Rig *rig) {
    return thaw_lattice_state(rig->world->store);
}

// ---------------------------------------------------------------- materials

// In the units m = D = 1 of the cases, with stiffness k: Young's modulus 2√2 k (2D: √3 k), Poisson's ratio
// 0, no damping. The unit of time is √(m/k): 0.01 s for k = 1e4.
static inline ThawMaterialDef unit_material(int dimensions, double k) {
    ThawMaterialDef def = thaw_material_default();
    def.density = (float)(dimensions == 3 ? sqrt(2) : 2 / sqrt(3));
    def.solid.young = (float)(k * (dimensions == 3 ? 2 * sqrt(2) : sqrt(3)));
    def.solid.poisson = 0;
    def.solid.damping = 0;
    return def;
}

static inline ThawMaterialId rig_material(Rig *rig, const ThawMaterialDef *def) {
    ThawMaterialId id;
    ThawMaterialDef named = *def;
    char name[32];
    snprintf(name, sizeof name, "m%u", rig->world->material_count);
    named.name = name;
    assert_ok(thaw_world_add_material(rig->world, &named, &id));
    return id;
}

// ---------------------------------------------------------------- pieces

// Particles that were added together, in the order of their ids.
typedef struct Piece {
    ThawParticleId first;
    uint32_t count;
    ThawVec3 *rest, *x,
        *v; // where they were put, where they were when last looked at, and how fast
} Piece;

static inline ThawQuat quat_from(Mat turn) {
    // only turns by less than half a circle are asked for here
    double w = 0.5 * sqrt(1 + m_trace(turn)), s = 0.25 / w;
    return (ThawQuat){s * (turn.m[2][1] - turn.m[1][2]), s * (turn.m[0][2] - turn.m[2][0]),
                      s * (turn.m[1][0] - turn.m[0][1]), w};
}

static inline ThawVec3 *vectors(size_t count) {
    ThawVec3 *v = calloc(count + 1, sizeof *v);
    assert_non_null(v);
    return v;
}

// takes over `rest`
static inline Piece rig_add(Rig *rig, ThawMaterialId material, ThawVec3 *rest, uint32_t count,
                            Mat turn, ThawVec3 velocity, ThawState state) {
    Piece piece = {.count = count, .rest = rest, .x = vectors(count), .v = vectors(count)};
    float(*v)[3] = calloc(count, sizeof *v);
    assert_non_null(v);
    for (uint32_t n = 0; n < count; n++) {
        v[n][0] = (float)velocity.x;
        v[n][1] = (float)velocity.y;
        v[n][2] = (float)velocity.z;
    }
    ThawParticlesDef def = {.material = material,
                            .count = count,
                            .positions = (const double(*)[3])(const void *)rest,
                            .velocities = (const float(*)[3])v,
                            .state = state,
                            .orientation = quat_from(turn)};
    def.spacing = (float)spacing_of(rig->dimensions, rig->distance);
    assert_ok(thaw_world_add_particles(rig->world, &def, &piece.first));
    free(v);
    memcpy(piece.x, rest, count * sizeof *rest);
    return piece;
}

static inline ThawVec3 block_middle(const Block *block) {
    double d = block->distance, half = d / sqrt(2);
    if (block->dimensions == 2) {
        return (ThawVec3){d * (0.5 * (block->planes[0] - 1) + 0.25),
                          0.25 * sqrt(3) * d * (block->planes[1] - 1), 0};
    }
    return (ThawVec3){0.5 * half * (block->planes[0] - 1), 0.5 * half * (block->planes[1] - 1),
                      0.5 * half * (block->planes[2] - 1)};
}

// a block of half-layers, its middle at `at`
static inline Piece rig_block(Rig *rig, ThawMaterialId material, const int planes[3], Mat turn,
                              ThawVec3 at, ThawVec3 velocity) {
    Block block = {.dimensions = rig->dimensions,
                   .planes = {planes[0], planes[1], planes[2]},
                   .distance = rig->distance};
    ThawVec3 middle = block_middle(&block), *rest = vectors((size_t)block_count(&block)), place;
    uint32_t count = 0;
    int p[3] = {-1, 0, 0};
    while (block_next(&block, p, &place)) {
        rest[count++] = v_add(at, m_apply(turn, v_sub(place, middle)));
    }
    return rig_add(rig, material, rest, count, turn, velocity, THAW_STATE_SOLID);
}

static inline void piece_free(Piece *piece) {
    free(piece->rest);
    free(piece->x);
    free(piece->v);
}

static inline uint32_t piece_row(const Rig *rig, const Piece *piece, uint32_t n) {
    return thaw_store_find(rig->world->store, piece->first + n);
}

static inline void piece_look(const Rig *rig, Piece *piece) {
    const ThawStore *store = rig->world->store;
    double cell = rig->world->domain.cell;
    for (uint32_t n = 0; n < piece->count; n++) {
        size_t row = piece_row(rig, piece, n);
        const int64_t *c = &store->cells[3 * row];
        const float *v = &store->velocity[3 * row];
        piece->x[n] = (ThawVec3){cell * thaw_fixed_cells(c[0]), cell * thaw_fixed_cells(c[1]),
                                 cell * thaw_fixed_cells(c[2])};
        piece->v[n] = (ThawVec3){(double)v[0], (double)v[1], (double)v[2]};
    }
}

// puts what was written to x and v into the world
static inline void piece_put(Rig *rig, const Piece *piece) {
    ThawStore *store = rig->world->store;
    double cell = rig->world->domain.cell;
    for (uint32_t n = 0; n < piece->count; n++) {
        size_t row = piece_row(rig, piece, n);
        const double x[3] = {piece->x[n].x, piece->x[n].y, piece->x[n].z};
        const double v[3] = {piece->v[n].x, piece->v[n].y, piece->v[n].z};
        for (size_t a = 0; a < 3; a++) {
            store->cells[3 * row + a] = thaw_fixed_from(x[a] / cell);
            store->velocity[3 * row + a] = (float)v[a];
        }
    }
}

static inline ThawVec3 mean_of(const ThawVec3 *v, uint32_t count) {
    ThawVec3 sum = {0, 0, 0};
    for (uint32_t n = 0; n < count; n++) sum = v_add(sum, v[n]);
    return v_scale(1.0 / count, sum);
}

static inline void set_spin(Piece *piece, ThawVec3 velocity, ThawVec3 spin) {
    ThawVec3 middle = mean_of(piece->x, piece->count);
    for (uint32_t n = 0; n < piece->count; n++) {
        piece->v[n] = v_add(velocity, v_cross(spin, v_sub(piece->x[n], middle)));
    }
}

// the rate of docking of all sites of a piece
static inline void piece_rates(Rig *rig, const Piece *piece, double rate) {
    ThawLatticeState state = rig_lattice(rig);
    for (uint32_t n = 0; n < piece->count; n++) {
        float *rates = &state.docking[THAW_SITES * (size_t)piece_row(rig, piece, n)];
        for (int s = 0; s < THAW_SITES; s++) rates[s] = (float)rate;
    }
}

// ---------------------------------------------------------------- bonds

// labels of the connected parts of a piece, by particle; returns how many there are
static inline uint32_t piece_parts(const Rig *rig, const Piece *piece, uint32_t *label) {
    const ThawBonds *bonds = &rig_solids(rig)->bonds;
    const uint64_t *id = rig->world->store->id;
    uint32_t *stack = malloc((piece->count + 1) * sizeof *stack), parts = 0;
    assert_non_null(stack);
    for (uint32_t n = 0; n < piece->count; n++) label[n] = UINT32_MAX;
    for (uint32_t n = 0; n < piece->count; n++) {
        if (label[n] != UINT32_MAX) continue;
        uint32_t depth = 0;
        stack[depth++] = n;
        label[n] = parts;
        while (depth > 0) {
            uint32_t row = piece_row(rig, piece, stack[--depth]);
            for (uint32_t s = 0; s < THAW_SITES; s++) {
                uint64_t other = id[bonds->slot[thaw_bond_at(row, s)]] - piece->first;
                if (other >= piece->count || label[other] != UINT32_MAX) continue;
                label[other] = parts;
                stack[depth++] = (uint32_t)other;
            }
        }
        parts++;
    }
    free(stack);
    return parts;
}

// bonds of a piece that join particles whose marks differ
static inline int cross_bonds(const Rig *rig, const Piece *piece, const int *mark) {
    const ThawBonds *bonds = &rig_solids(rig)->bonds;
    const uint64_t *id = rig->world->store->id;
    int count = 0;
    for (uint32_t n = 0; n < piece->count; n++) {
        uint32_t row = piece_row(rig, piece, n);
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            uint64_t other = id[bonds->slot[thaw_bond_at(row, s)]] - piece->first;
            count += other < piece->count && other > n && mark[n] != mark[other];
        }
    }
    return count;
}

// the least distance between particles of two pieces, as they were last looked at
static inline double least_between(const Piece *a, const Piece *b) {
    double least = INFINITY;
    for (uint32_t n = 0; n < a->count; n++) {
        for (uint32_t m = 0; m < b->count; m++) {
            ThawVec3 r = v_sub(a->x[n], b->x[m]);
            least = fmin(least, v_dot(r, r));
        }
    }
    return sqrt(least);
}

// ---------------------------------------------------------------- walls and holds

static inline ThawColliderId rig_floor(Rig *rig, ThawVec3 normal, float friction) {
    ThawColliderDef def = thaw_collider_default();
    ThawColliderId id;
    def.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, normal);
    def.friction = friction;
    assert_ok(thaw_world_add_collider(rig->world, &def, &id));
    return id;
}

static inline ThawKeyframe key(double time, ThawVec3 move) {
    return (ThawKeyframe){time, move, {0, 0, 0, 1}};
}

// holds what is in a box given by two corners, along a motion or still
static inline ThawAttachmentId rig_hold(Rig *rig, ThawVec3 low, ThawVec3 high,
                                        const ThawKeyframe *motion, int keys) {
    ThawAttachmentDef def = thaw_attachment_default();
    ThawAttachmentId id;
    def.region = thaw_shape_box(v_scale(0.5, v_add(low, high)), v_sub(high, low));
    def.motion = motion;
    def.motion_count = keys;
    def.from = thaw_world_time(rig->world);
    assert_ok(thaw_world_add_attachment(rig->world, &def, &id));
    return id;
}

static inline uint32_t held_by(const Rig *rig, ThawAttachmentId id) {
    uint32_t count = 0;
    assert_ok(thaw_world_attached(rig->world, id, &count));
    return count;
}

// ---------------------------------------------------------------- slopes and towers, in SI

#define SLOPE (20 * PI / 180)
#define SPACING 0.02 // m

// Young's modulus of rubber: what a frame of 1/60 s carries with the pieces that the engine cuts it into
static inline ThawMaterialDef plain_material(float friction) {
    ThawMaterialDef def = thaw_material_default();
    def.solid.young = 2e5f;
    def.solid.friction = friction;
    return def;
}

typedef struct Slope {
    Rig rig;
    Piece block, bed;
    ThawVec3 down; // along the slope
} Slope;

// A block on a slope: a wall, or a bed of the same matter that is held.
typedef struct SlopeDef {
    double angle; // rad
    float friction, young, damping;
    int planes[3]; // of the block, half-layers
    bool on_bed;
    double twist; // of the block's lattice about the slope's normal, rad
} SlopeDef;

// 6 × 6 × 6 half-layers of rubber on a wall of 20°
static inline SlopeDef slope_default(void) {
    ThawMaterialDef def = plain_material(0);
    return (SlopeDef){.angle = SLOPE,
                      .friction = 0.5f,
                      .young = def.solid.young,
                      .damping = def.solid.damping,
                      .planes = {6, 6, 6}};
}

static inline Slope slope_make(const SlopeDef *slope) {
    double distance = thaw_lattice_distance(3, SPACING), half = distance * HALF;
    Slope s = {.rig = rig_make(
                   (RigDef){.distance = distance, .step = 1.0 / 60, .gravity = {0, 0, -GRAVITY}})};
    Mat turn = m_turn((ThawVec3){0, 1, 0}, slope->angle);
    ThawVec3 normal = m_apply(turn, (ThawVec3){0, 0, 1});
    ThawMaterialDef def = plain_material(slope->friction);
    def.solid.young = slope->young;
    def.solid.damping = slope->damping;
    ThawMaterialId material = rig_material(&s.rig, &def);
    const int bed[3] = {44, 20, 2};
    // walls hold solids at 0.4 spacings, solids each other at 0.9 D
    double up = 0.5 * (slope->planes[2] - 1) * half;
    up += slope->on_bed ? 0.9 * distance : 0.5 * SPACING;
    s.down = m_apply(turn, (ThawVec3){1, 0, 0});
    if (slope->on_bed) {
        ThawVec3 at = m_apply(turn, (ThawVec3){10 * half, 0, -0.5 * half});
        s.bed = rig_block(&s.rig, material, bed, turn, at, origin);
        rig_hold(&s.rig, (ThawVec3){-9, -9, -9}, (ThawVec3){9, 9, 9}, NULL, 0);
        // what is there now is held; the block comes after
        rig_step(&s.rig);
    } else {
        rig_floor(&s.rig, normal, slope->friction);
    }
    turn = m_mul(turn, m_turn((ThawVec3){0, 0, 1}, slope->twist));
    s.block = rig_block(&s.rig, material, slope->planes, turn, v_scale(up, normal), origin);
    return s;
}

static inline void free_slope(Slope *s) {
    piece_free(&s->block);
    if (s->bed.count > 0) piece_free(&s->bed);
    rig_free(&s->rig);
}

// how far the block has gone down the slope, m
static inline double way_down(Slope *s) {
    piece_look(&s->rig, &s->block);
    ThawVec3 from = mean_of(s->block.rest, s->block.count);
    return v_dot(v_sub(mean_of(s->block.x, s->block.count), from), s->down);
}

// where the block is in the mean of a quarter of a second, m down the slope: undamped ones ring
static inline double mean_way(Slope *s) {
    double way = 0;
    for (int k = 0; k < 15; k++) {
        rig_step(&s->rig);
        way += way_down(s) / 15;
    }
    return way;
}

// spacings a minute, from `watch` seconds after `settle`
static inline double slope_creep(const SlopeDef *slope, double settle, double watch) {
    Slope s = slope_make(slope);
    rig_run(&s.rig, settle);
    double from = mean_way(&s);
    rig_run(&s.rig, watch - 0.25);
    double creep = (mean_way(&s) - from) / SPACING * 60 / watch;
    free_slope(&s);
    return creep;
}

static inline double speed_down(Slope *s) {
    way_down(s);
    return v_dot(mean_of(s->block.v, s->block.count), s->down);
}

// mean acceleration from 0.2 s to 0.5 s, as a share of g (sin − μ cos)
static inline double slope_slide(const SlopeDef *slope) {
    Slope s = slope_make(slope);
    rig_run(&s.rig, 0.2);
    double begin = speed_down(&s), from = thaw_world_time(s.rig.world);
    rig_run(&s.rig, 0.3);
    double change = speed_down(&s) - begin, time = thaw_world_time(s.rig.world) - from;
    free_slope(&s);
    return change / time /
           (GRAVITY * (sin(slope->angle) - (double)slope->friction * cos(slope->angle)));
}

static inline double creep_on_slope(bool on_bed, double twist, double settle, double watch) {
    SlopeDef slope = slope_default();
    slope.on_bed = on_bed;
    slope.twist = twist;
    return slope_creep(&slope, settle, watch);
}

static inline double slide_on_slope(bool on_bed, double twist) {
    SlopeDef slope = slope_default();
    slope.friction = 0.2f;
    slope.on_bed = on_bed;
    slope.twist = twist;
    return slope_slide(&slope);
}

// A tower on a floor: what its top block did, in spacings. Blocks of 11 × 11 × 3 half-layers of pine, 44 cm
// wide and 13 cm high, so that twenty of them are 2.6 m: they would buckle by themselves at 4 m,
// (7.84 E w² / (12 ρ g))^(1/3). (Cubes of rubber, 1e6 Pa and 10 cm wide, buckle above 0.8 m and did.)
typedef struct Tower {
    double sank, aside; // since it was built
    double moved;       // after it had settled
    double fastest;     // m/s, of any particle at the end
    uint32_t particles;
} Tower;

static inline Tower watch_tower(int blocks, double settle, double watch) {
    double d = 0.05, distance = thaw_lattice_distance(3, d), half = distance * HALF;
    Rig rig =
        rig_make((RigDef){.distance = distance, .step = 1.0 / 60, .gravity = {0, 0, -GRAVITY}});
    ThawMaterialDef def = plain_material(0.5f);
    def.density = 700;
    def.solid.young = 4e6f;
    def.solid.damping = 0.5f;
    ThawMaterialId material = rig_material(&rig, &def);
    const int planes[3] = {11, 11, 3};
    rig_floor(&rig, (ThawVec3){0, 0, 1}, 0.5f);
    Piece top = {0};
    for (int n = 0; n < blocks; n++) {
        if (n > 0) piece_free(&top);
        double z = 0.45 * d + half + n * (2 * half + 0.9 * distance);
        top = rig_block(&rig, material, planes, m_one(), (ThawVec3){0, 0, z}, origin);
    }
    rig_run(&rig, settle);
    piece_look(&rig, &top);
    ThawVec3 built = mean_of(top.rest, top.count), settled = mean_of(top.x, top.count);
    rig_run(&rig, watch);
    piece_look(&rig, &top);
    ThawVec3 now = mean_of(top.x, top.count);
    Tower t = {.sank = (built.z - now.z) / d,
               .aside = hypot(now.x, now.y) / d,
               .moved = v_norm(v_sub(now, settled)) / d,
               .fastest = rig.report.max_speed,
               .particles = rig.report.particles};
    piece_free(&top);
    rig_free(&rig);
    return t;
}

#endif
