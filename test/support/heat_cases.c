#include "support/heat_cases.h"

#include "math/lattice.h"
#include "math/random.h"
#include "models/thermal/thermal.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define AIR 300.0 // K
#define WARM 100.0

const char *const heat_packings[3] = {"close", "cubic", "liquid"};

double heat_limit(int dimensions) {
    return dimensions == 3 ? 0.22 : 0.29;
}

static void check(ThawResult result) {
    if (result == THAW_OK) return;
    fprintf(stderr, "%s\n", thaw_error_text());
    abort();
}

// ---------------------------------------------------------------- blocks of particles

// Places that fill a box from 0 on with whole layers, `across` of them along x and about `wide` along the others.
typedef struct Block {
    double (*places)[3];
    uint32_t count;
    double size[3];
} Block;

static void put(Block *block, double x, double y, double z) {
    double *place = block->places[block->count++];
    place[0] = x, place[1] = y, place[2] = z;
}

static Block make_block(int dimensions, HeatPacking packing, int across, int wide, double d) {
    bool close = packing == HEAT_CLOSE;
    double edge = thaw_lattice_distance(dimensions, d); // nearest neighbours
    double step[3] = {d, d, d};
    if (close && dimensions == 3) step[0] = step[1] = step[2] = edge / sqrt(2);
    if (close && dimensions == 2) step[0] = edge * sqrt(0.75), step[1] = edge;
    // layers of a close packing match those a period further when they are even
    int sites[3] = {across, wide + (wide & 1), dimensions == 3 ? wide + (wide & 1) : 1};
    Block block = {
        calloc((size_t)(sites[0] * sites[1] * sites[2]), sizeof *block.places),
        0,
        {sites[0] * step[0], sites[1] * step[1], dimensions == 3 ? sites[2] * step[2] : 0}};
    if (block.places == NULL) abort();
    for (int i = 0; i < sites[0]; i++) {
        for (int j = 0; j < sites[1]; j++) {
            for (int k = 0; k < sites[2]; k++) {
                if (close && dimensions == 3 && (i + j + k) % 2 != 0) continue;
                double shift = close && dimensions == 2 ? 0.25 + 0.5 * (i & 1) : 0.5;
                put(&block, (i + 0.5) * step[0], (j + shift) * step[1],
                    dimensions == 3 ? (k + 0.5) * step[2] : 0);
            }
        }
    }
    return block;
}

static ThawWorldDef world_def(int dimensions, double spacing, double ambient) {
    ThawWorldDef def = thaw_world_default();
    def.dimensions = dimensions;
    def.spacing = spacing;
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = 1;
    def.heat.on = true;
    def.heat.ambient = (float)ambient;
    return def;
}

// k = ρ = c = 1
static ThawMaterialDef plain_def(void) {
    ThawMaterialDef def = thaw_material_default();
    def.density = 1;
    def.thermal.conductivity = def.thermal.specific_heat = 1;
    return def;
}

static ThawWorld *open_world(const ThawWorldDef *def, const ThawMaterialDef *material,
                             ThawMaterialId *id) {
    ThawWorld *world;
    check(thaw_world_create(def, &world));
    check(thaw_world_add_material(world, material, id));
    return world;
}

// matter as it lies: nothing is moved apart before time goes on
static void fill(ThawWorld *world, const Block *block, ThawMaterialId material, ThawState state,
                 double temperature) {
    ThawParticlesDef def = {.material = material,
                            .count = block->count,
                            .positions = (const double(*)[3])block->places,
                            .state = state,
                            .temperature = (float)temperature};
    // rows of a flat block are along y
    if (world->def.dimensions == 2) def.orientation = (ThawQuat){0, 0, sqrt(0.5), sqrt(0.5)};
    check(thaw_world_add_particles(world, &def, NULL));
    world->settled_source = world->next_source;
}

static double (*positions_of(ThawWorld *world))[3] {
    double(*positions)[3] = calloc(world->store->count, sizeof *positions);
    if (positions == NULL) abort();
    thaw_world_positions(world, positions);
    return positions;
}

static double heat_of(ThawWorld *world) {
    ThawThermalState state = thaw_thermal_state(world->store);
    double sum = 0;
    for (uint32_t row = 0; row < world->store->count; row++) sum += state.heat[row];
    return sum;
}

// ---------------------------------------------------------------- a periodic wave

// particles thrown into a periodic box by chance push each other apart, then stand still
static void stir(ThawWorld *world) {
    for (int k = 0; k < 60; k++) check(thaw_world_step(world, 0.05, NULL));
    memset(world->store->velocity, 0, 3 * world->store->count * sizeof *world->store->velocity);
}

static void scatter(Block *block) {
    for (uint32_t k = 0; k < block->count; k++) {
        for (uint64_t a = 0; a < 3; a++) {
            block->places[k][a] = block->size[a] * thaw_random_unit(1, k, 0, a);
        }
    }
}

// Σ (T − AIR) sin(k x), over what it is for a wave of WARM
static double amplitude_of(ThawWorld *world, double wave) {
    ThawThermalState state = thaw_thermal_state(world->store);
    double(*at)[3] = positions_of(world), sum = 0, all = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double sine = sin(wave * at[row][0]);
        sum += ((double)state.temperature[row] - AIR) * sine;
        all += WARM * sine * sine;
    }
    free(at);
    return sum / all;
}

static ThawWorld *open_wave(const HeatWaveDef *def, double *length) {
    bool close = def->packing == HEAT_CLOSE;
    // about 20 particles a wave, and cross-sections of two supports and more
    int across = !close ? 20 : def->dimensions == 3 ? 26 : 22, wide = close ? 8 : 6;
    if (def->coarse) across = close && def->dimensions == 3 ? 12 : 10;
    Block block = make_block(def->dimensions, def->packing, across, wide, 1);
    if (def->packing == HEAT_LIQUID) scatter(&block);
    ThawWorldDef world_of = world_def(def->dimensions, 1, AIR);
    world_of.isa = def->isa;
    for (int a = 0; a < def->dimensions; a++) world_of.periodic[a] = true;
    world_of.upper = (ThawVec3){block.size[0], block.size[1], block.size[2]};
    ThawMaterialDef material = plain_def();
    ThawMaterialId id;
    ThawWorld *world = open_world(&world_of, &material, &id);
    fill(world, &block, id, THAW_STATE_LIQUID, 0);
    *length = block.size[0];
    free(block.places);
    if (def->packing == HEAT_LIQUID) stir(world);
    return world;
}

HeatWave heat_wave(const HeatWaveDef *def) {
    static const double fourier[3] = {0.01, 0.02, 0.05};
    HeatWave wave = {0};
    ThawWorld *world = open_wave(def, &wave.length);
    double k = 2 * PI / wave.length, dt = def->limits * heat_limit(def->dimensions), time = 0;
    double(*at)[3] = positions_of(world);
    ThawThermalState state = thaw_thermal_state(world->store);
    for (uint32_t row = 0; row < world->store->count; row++) {
        double temperature = AIR + WARM * sin(k * at[row][0]);
        thaw_thermal_set(world->store, &state, world->materials, row, temperature);
    }
    free(at);
    double heat = heat_of(world), first = amplitude_of(world, k);
    int next = 0, steps = 0;
    while (next < 3) {
        ThawReport report;
        check(thaw_world_step(world, dt, &report));
        time += dt;
        wave.stages += report.heat_stages;
        steps++;
        while (next < 3 && time >= fourier[next] * wave.length * wave.length * (1 - 1e-9)) {
            wave.left[next] = amplitude_of(world, k) / first;
            wave.wanted[next++] = exp(-k * k * time);
        }
    }
    wave.stages /= steps;
    wave.diffusivity = log(wave.left[2]) / log(wave.wanted[2]);
    wave.drift = heat_of(world) / heat - 1;
    thaw_world_destroy(world);
    return wave;
}

// ---------------------------------------------------------------- a slab and a cube

const double heat_times[HEAT_TIMES] = {0.01, 0.02, 0.05, 0.1, 0.2};

HeatCooling heat_cooling_exact(int dimensions, bool cube) {
    static const double slab[3][HEAT_TIMES] = {{0.92290, 0.78852, 0.55318, 0.33560, 0.12506},
                                               {0.99919, 0.97516, 0.77231, 0.47449, 0.17687},
                                               {0.77432, 0.68085, 0.49591, 0.30212, 0.11260}};
    HeatCooling exact = {0};
    double power = cube ? dimensions : 1;
    for (int n = 0; n < HEAT_TIMES; n++) {
        exact.quarter[n] = slab[0][n] * pow(slab[1][n], power - 1);
        exact.center[n] = pow(slab[1][n], power);
        exact.mean[n] = pow(slab[2][n], power);
    }
    return exact;
}

// what a parabola through the particles about a place has there, as a share of the first warmth
static double warmth_at(ThawWorld *world, double (*at)[3], const double place[3], bool cube) {
    ThawThermalState state = thaw_thermal_state(world->store);
    double m[3][4] = {{0}};
    for (uint32_t row = 0; row < world->store->count; row++) {
        double x = at[row][0] - place[0], across = 0;
        for (int a = 1; a < 3 && cube; a++) across += pow(at[row][a] - place[a], 2);
        // along x by itself, and what is across by the same curvature
        double r2 = x * x + across, weight = r2 < 9 ? pow(1 - r2 / 9, 2) : 0;
        double basis[3] = {1, x, r2}, value = ((double)state.temperature[row] - AIR) / WARM;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) m[i][j] += weight * basis[i] * basis[j];
            m[i][3] += weight * basis[i] * value;
        }
    }
    for (int i = 2; i > 0; i--) {
        for (int j = 0; j < i; j++) {
            double factor = m[j][i] / m[i][i];
            for (int k = 0; k < 4; k++) m[j][k] -= factor * m[i][k];
        }
    }
    return m[0][3] / m[0][0];
}

static void add_plane(ThawWorld *world, const char *name, double x, double side,
                      float temperature) {
    ThawColliderDef wall = thaw_collider_default();
    wall.name = name;
    wall.shape = thaw_shape_plane((ThawVec3){x, 0, 0}, (ThawVec3){side, 0, 0});
    wall.temperature = temperature;
    check(thaw_world_add_collider(world, &wall, NULL));
}

static void add_walls(ThawWorld *world, const Block *block, bool cube) {
    if (!cube) {
        add_plane(world, "left", 0, 1, (float)AIR);
        add_plane(world, "right", block->size[0], -1, (float)AIR);
        return;
    }
    ThawColliderDef box = thaw_collider_default();
    const double *size = block->size;
    box.name = "box";
    box.container = true;
    box.temperature = (float)AIR;
    box.shape = thaw_shape_box((ThawVec3){size[0] / 2, size[1] / 2, size[2] / 2},
                               (ThawVec3){size[0], size[1], size[2] > 0 ? size[2] : 1});
    check(thaw_world_add_collider(world, &box, NULL));
}

static void measure_cooling(ThawWorld *world, const Block *block, bool cube, int n,
                            HeatCooling *cooling) {
    double(*at)[3] = positions_of(world);
    double quarter[3] = {block->size[0] / 4, block->size[1] / 2, block->size[2] / 2};
    double center[3] = {block->size[0] / 2, block->size[1] / 2, block->size[2] / 2};
    ThawThermalState state = thaw_thermal_state(world->store);
    double sum = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        sum += (double)state.temperature[row] - AIR;
    }
    cooling->quarter[n] = warmth_at(world, at, quarter, cube);
    cooling->center[n] = warmth_at(world, at, center, cube);
    cooling->mean[n] = sum / WARM / world->store->count;
    free(at);
}

HeatCooling heat_cooling(const HeatCoolingDef *def) {
    // a square of a close packing is as high as it is wide to half a layer
    int wide = def->cube ? def->across : 8;
    if (def->cube && def->dimensions == 2 && def->packing == HEAT_CLOSE) {
        wide = (int)(def->across * sqrt(0.75) + 0.5);
    }
    Block block = make_block(def->dimensions, def->packing, def->across, wide, 1);
    ThawWorldDef world_of = world_def(def->dimensions, 1, AIR);
    for (int a = 1; a < def->dimensions && !def->cube; a++) world_of.periodic[a] = true;
    world_of.upper = (ThawVec3){0, block.size[1], block.size[2]};
    ThawMaterialDef material = plain_def();
    ThawMaterialId id;
    ThawWorld *world = open_world(&world_of, &material, &id);
    add_walls(world, &block, def->cube);
    fill(world, &block, id, THAW_STATE_LIQUID, AIR + WARM);
    HeatCooling cooling = {.particles = block.count};
    double length = block.size[0], time = 0, taken = 0, before = heat_of(world);
    for (int n = 0; n < HEAT_TIMES; n++) {
        double until = heat_times[n] * length * length;
        int steps = (int)ceil((until - time) / (def->limits * heat_limit(def->dimensions)));
        double dt = (until - time) / steps;
        for (int k = 0; k < steps; k++) {
            ThawReport report;
            check(thaw_world_step(world, dt, &report));
            taken += report.heat_taken;
        }
        time = until;
        measure_cooling(world, &block, def->cube, n, &cooling);
    }
    cooling.budget = (heat_of(world) - before - taken) / before;
    free(block.places);
    thaw_world_destroy(world);
    return cooling;
}

// ---------------------------------------------------------------- two halves that differ

#define HALVES_WIDE 12 // layers across

static void hold_all(ThawWorld *world) {
    ThawAttachmentDef hold = thaw_attachment_default();
    hold.region = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){1000, 1000, 1000});
    check(thaw_world_add_attachment(world, &hold, NULL));
}

// a straight line through what is between two places
typedef struct Line {
    double slope, value; // at x = 0
} Line;

static Line fit_line(ThawWorld *world, double low, double high) {
    double(*at)[3] = positions_of(world), n = 0, x = 0, t = 0, xx = 0, xt = 0;
    ThawThermalState state = thaw_thermal_state(world->store);
    for (uint32_t row = 0; row < world->store->count; row++) {
        double warm = (double)state.temperature[row] - AIR, place = at[row][0];
        if (place < low || place > high) continue;
        n++, x += place, t += warm, xx += place * place, xt += place * warm;
    }
    free(at);
    double slope = (xt - x * t / n) / (xx - x * x / n);
    return (Line){slope, (t - slope * x) / n};
}

// the second half begins where the first ends, and is as wide
static void add_halves(ThawWorld *world, const HeatHalvesDef *def, const ThawMaterialId id[2],
                       double ends[3]) {
    double d[2] = {1, def->ratio};
    for (int half = 0; half < 2; half++) {
        int wide = (int)(HALVES_WIDE / d[half] + 0.5), across = 2 * (int)(12 / d[half] + 0.5);
        Block block = make_block(def->dimensions, HEAT_CLOSE, across, wide, d[half]);
        for (uint32_t k = 0; k < block.count; k++) block.places[k][0] += ends[half];
        ends[half + 1] = ends[half] + block.size[0];
        ThawParticlesDef more = {.material = id[half],
                                 .count = block.count,
                                 .positions = (const double(*)[3])block.places,
                                 .spacing = (float)d[half],
                                 .temperature = (float)(AIR + WARM / 2)};
        check(thaw_world_add_particles(world, &more, NULL));
        free(block.places);
    }
    world->settled_source = world->next_source;
    hold_all(world);
}

HeatHalves heat_halves(const HeatHalvesDef *def) {
    Block usual = make_block(def->dimensions, HEAT_CLOSE, 1, HALVES_WIDE, 1);
    ThawWorldDef world_of = world_def(def->dimensions, 1, AIR);
    for (int a = 1; a < def->dimensions; a++) world_of.periodic[a] = true;
    world_of.upper = (ThawVec3){0, usual.size[1], usual.size[2]};
    free(usual.places);
    ThawMaterialDef material = plain_def();
    ThawMaterialId id[2];
    ThawWorld *world = open_world(&world_of, &material, &id[0]);
    material.name = "second";
    material.thermal.conductivity = (float)def->conductivity;
    check(thaw_world_add_material(world, &material, &id[1]));
    double ends[3] = {0, 0, 0};
    add_halves(world, def, id, ends);
    add_plane(world, "cold", 0, 1, (float)AIR);
    add_plane(world, "hot", ends[2], -1, (float)(AIR + WARM));
    double slowest = fmin(1, def->conductivity);
    for (int k = 0; k < 40; k++) {
        check(thaw_world_step(world, 0.05 * ends[2] * ends[2] / slowest, NULL));
    }
    Line first = fit_line(world, 4, ends[1] - 4),
         second = fit_line(world, ends[1] + 4, ends[2] - 4);
    double resistance = ends[1] + (ends[2] - ends[1]) / def->conductivity;
    double jump = second.value + second.slope * ends[1] - first.value - first.slope * ends[1];
    HeatHalves halves = {
        {first.slope * resistance / WARM, second.slope * def->conductivity * resistance / WARM},
        jump / first.slope * slowest};
    thaw_world_destroy(world);
    return halves;
}

// ---------------------------------------------------------------- a melting front

const double heat_front_times[HEAT_FRONTS] = {1, 2, 4, 8, 16};

double heat_front_factor(double stefan) {
    double low = 0, high = 5;
    for (int k = 0; k < 200; k++) {
        double l = 0.5 * (low + high);
        if (sqrt(PI) * l * exp(l * l) * erf(l) < stefan)
            low = l;
        else
            high = l;
    }
    return low;
}

#define FRONT_LAYERS 1024

// where the molten share of layers passes ½
static double front_of(ThawWorld *world, const ThawEnthalpyCurve *curve, double layer) {
    static double molten[FRONT_LAYERS], at[FRONT_LAYERS], count[FRONT_LAYERS];
    for (int k = 0; k < FRONT_LAYERS; k++) molten[k] = at[k] = count[k] = 0;
    double(*place)[3] = positions_of(world);
    ThawThermalState state = thaw_thermal_state(world->store);
    for (uint32_t row = 0; row < world->store->count; row++) {
        int k = (int)fmax(place[row][0] / layer, 0);
        molten[k] += thaw_curve_molten(curve, state.heat[row]);
        at[k] += place[row][0];
        count[k]++;
    }
    free(place);
    double front = 0;
    for (int k = 0; k + 1 < FRONT_LAYERS && count[k + 1] > 0; k++) {
        double here = molten[k] / count[k], next = molten[k + 1] / count[k + 1];
        if (here < 0.5 || next >= 0.5) continue;
        double x = at[k] / count[k];
        front = x + (at[k + 1] / count[k + 1] - x) * (here - 0.5) / (here - next);
    }
    return front;
}

// ρ = 1000, c = 1, α = 0.01 m²/s, the wall 100 K above melting
static ThawMaterialDef front_material(const HeatFrontDef *front) {
    ThawMaterialDef def = thaw_material_default();
    def.thermal.conductivity = 10;
    def.thermal.specific_heat = 1;
    def.thermal.melts_at = (float)AIR;
    def.thermal.latent_heat = (float)(WARM / front->stefan);
    // so stiff that its weight squeezes it by a few hundredths
    def.solid.young = front->gravity > 0 ? 1e4f : 1000;
    return def;
}

// m: where Stefan has it
static double front_at(const HeatFrontDef *def, int n) {
    return 2 * heat_front_factor(def->stefan) * sqrt(0.01 * heat_front_times[n]);
}

// A world with a front: matter between the hot plane and an end, its layer, and the area of that.
typedef struct FrontWorld {
    ThawWorld *world;
    ThawEnthalpyCurve curve;
    double layer, area, mass; // m, m² (2D: m), kg a particle
} FrontWorld;

// at its melting point, and none of it molten
static void fill_front(const FrontWorld *front, const Block *block, ThawMaterialId id,
                       ThawState state) {
    fill(front->world, block, id, state, AIR);
    ThawThermalState heat = thaw_thermal_state(front->world->store);
    for (uint32_t row = 0; row < block->count; row++) heat.heat[row] = front->curve.low_heat;
}

static FrontWorld open_front(const HeatFrontDef *def) {
    int dimensions = def->dimensions == 2 ? 2 : 3;
    double d = (double)(float)(0.01 * def->size), reach = front_at(def, def->count - 1);
    double edge = thaw_lattice_distance(dimensions, d);
    FrontWorld front = {.layer = dimensions == 2 ? edge * sqrt(0.75) : edge / sqrt(2),
                        .mass = 1000 * pow(d, dimensions)};
    double length = (def->free ? 1.05 : 1.3) * reach + 10 * d;
    Block block = make_block(dimensions, HEAT_CLOSE, (int)(length / front.layer), 6, d);
    front.area = block.size[1] * (dimensions == 2 ? 1 : block.size[2]);
    ThawWorldDef world_of = world_def(dimensions, d, AIR);
    for (int a = 1; a < dimensions; a++) world_of.periodic[a] = true;
    world_of.upper = (ThawVec3){0, block.size[1], block.size[2]};
    world_of.gravity = (ThawVec3){-def->gravity, 0, 0};
    ThawMaterialDef material = front_material(def);
    front.curve = thaw_enthalpy_curve(&material.thermal);
    ThawMaterialId id;
    front.world = open_world(&world_of, &material, &id);
    add_plane(front.world, "hot", 0, 1, (float)(AIR + WARM));
    if (!def->free) add_plane(front.world, "end", block.size[0], -1, 0);
    fill_front(&front, &block, id, def->solid ? THAW_STATE_SOLID : THAW_STATE_LIQUID);
    free(block.places);
    return front;
}

// m of the hot plane on: all that is molten, as a layer
static double molten_of(const FrontWorld *front) {
    ThawThermalState state = thaw_thermal_state(front->world->store);
    double sum = 0;
    for (uint32_t row = 0; row < front->world->store->count; row++) {
        sum += thaw_curve_molten(&front->curve, state.heat[row]);
    }
    return sum * front->mass / 1000 / front->area;
}

HeatFront heat_front(const HeatFrontDef *def) {
    FrontWorld in = open_front(def);
    HeatFront front = {.coldest = -INFINITY, .hottest = -INFINITY};
    double time = 0, taken = 0, before = heat_of(in.world) * in.mass;
    for (int n = 0; n < def->count; n++) {
        int steps = (int)ceil((heat_front_times[n] - time) / def->dt - 1e-9);
        double dt = (heat_front_times[n] - time) / steps;
        for (int k = 0; k < steps; k++) {
            ThawReport report;
            check(thaw_world_step(in.world, dt, &report));
            taken += report.heat_taken;
            front.melted += report.melted;
            front.coldest = fmax(front.coldest, AIR - report.coldest);
            front.hottest = fmax(front.hottest, report.hottest - AIR - WARM);
        }
        time = heat_front_times[n];
        front.place[n] = front_of(in.world, &in.curve, in.layer);
        front.molten[n] = molten_of(&in);
        front.wanted[n] = front_at(def, n);
    }
    front.budget = (heat_of(in.world) * in.mass - before - taken) / taken;
    thaw_world_destroy(in.world);
    return front;
}

// ---------------------------------------------------------------- a closed system

#define CLOSED_MELTS 330.0
#define CLOSED_HOT 350.0
#define CLOSED_COLD 300.0

static ThawMaterialDef wax_material(void) {
    ThawMaterialDef def = thaw_material_default();
    def.name = "wax";
    def.density = 900;
    def.liquid.viscosity = 1e-3f;
    def.solid.young = 2e4f;
    // so conductive that a few seconds are enough
    def.thermal.conductivity = 3000;
    def.thermal.specific_heat = 2000;
    def.thermal.liquid_conductivity = 2000;
    def.thermal.liquid_specific_heat = 2500;
    def.thermal.melts_at = (float)CLOSED_MELTS;
    def.thermal.latent_heat = 6e4f;
    return def;
}

// pool below, a block above it
static void add_body(ThawWorld *world, ThawMaterialId material, double z, double size, double high,
                     ThawState state, double temperature) {
    ThawBodyDef body = thaw_body_default();
    bool flat = world->def.dimensions == 2;
    ThawVec3 extent = {size, flat ? high : size, flat ? size : high};
    body.material = material;
    body.state = state;
    body.temperature = (float)temperature;
    body.shape = thaw_shape_box((ThawVec3){0, flat ? z : 0, flat ? 0 : z}, extent);
    check(thaw_world_add_body(world, &body, NULL));
}

static ThawWorld *open_closed(const HeatClosedDef *def) {
    double d = 0.01, width = def->dimensions == 2 ? 40 * d : 16 * d, deep = width / 2;
    bool flat = def->dimensions == 2;
    ThawWorldDef world_of = world_def(def->dimensions, d, AIR);
    world_of.gravity = flat ? (ThawVec3){0, -9.81, 0} : (ThawVec3){0, 0, -9.81};
    world_of.threads = def->threads;
    ThawMaterialDef wax = wax_material();
    ThawMaterialId id;
    ThawWorld *world = open_world(&world_of, &wax, &id);
    ThawColliderDef box = thaw_collider_default();
    box.name = "box";
    box.container = true;
    box.shape =
        thaw_shape_box((ThawVec3){0, flat ? width : 0, flat ? 0 : width},
                       (ThawVec3){width, flat ? 2 * width : width, flat ? width : 2 * width});
    check(thaw_world_add_collider(world, &box, NULL));
    add_body(world, id, deep / 2, width - d, deep - d, THAW_STATE_LIQUID, CLOSED_HOT);
    add_body(world, id, 1.5 * deep, width / 2, deep - d, THAW_STATE_SOLID, CLOSED_COLD);
    return world;
}

// the mean temperature and molten share that a mass comes to with so much heat a kilogram
static void settle_heat(ThawWorld *world, double heat, double mass, HeatClosed *closed) {
    ThawEnthalpyCurve curve = thaw_enthalpy_curve(&world->materials[0].thermal);
    closed->wanted_temperature = thaw_curve_temperature(&curve, heat / mass);
    closed->wanted_molten = thaw_curve_molten(&curve, heat / mass);
}

HeatClosed heat_closed(const HeatClosedDef *def) {
    ThawWorld *world = open_closed(def);
    double mass = 900 * pow((double)0.01f, def->dimensions) * world->store->count;
    double before = heat_of(world) / world->store->count * mass;
    HeatClosed closed = {.particles = world->store->count};
    settle_heat(world, before, mass, &closed);
    ThawReport report;
    for (uint32_t k = 0; k < def->steps; k++) {
        check(thaw_world_step(world, def->dt, &report));
        closed.melted += report.melted;
        closed.frozen += report.frozen;
        closed.drift = fmax(closed.drift, fabs(report.heat / before - 1));
    }
    ThawThermalState state = thaw_thermal_state(world->store);
    for (uint32_t row = 0; row < world->store->count; row++) {
        closed.temperature += (double)state.temperature[row] / world->store->count;
    }
    closed.molten = report.molten / mass;
    thaw_world_destroy(world);
    return closed;
}
