// Cases of melting and freezing as functions: tests judge their figures at a small size, the validation at the full one.
#ifndef TEST_PHYSICS_CYCLES_H
#define TEST_PHYSICS_CYCLES_H

#include "thermal/changing.h"

// ---------------------------------------------------------------- a bar melts, is stirred and freezes again (W-38)

typedef struct CycleDef {
    int dimensions;
    double spacing, length, height; // m; in 3D as wide as high
    float young;
    bool melts;     // false: the virgin bar
    double seconds; // to freeze
} CycleDef;

typedef struct CycleFigures {
    uint32_t particles, molten, liquid; // at first, at the most, at the end
    double mass_change;
    double stiffness; // J: of the square of the strain
    double bonds;     // a solid particle
    double fastest;   // m/s while it froze
    bool finite;
} CycleFigures;

static inline ThawVec3 along_up(int dimensions, double x, double up) {
    return dimensions == 3 ? (ThawVec3){x, 0, up} : (ThawVec3){x, up, 0};
}

static inline ThawShape box_of(const CycleDef *def, double x, double up, double length,
                               double height, double width) {
    ThawVec3 size =
        def->dimensions == 3 ? (ThawVec3){length, width, height} : (ThawVec3){length, height, 1};
    return thaw_shape_box(along_up(def->dimensions, x, up), size);
}

typedef struct Cycle {
    CycleDef def;
    ThawWorld *world;
    ThawColliderId mould;
    CycleFigures figures;
} Cycle;

static inline Cycle make_cycle(const CycleDef *def) {
    Cycle cycle = {.def = *def};
    ThawWorldDef world_def = warm_def(def->dimensions);
    world_def.spacing = def->spacing;
    cycle.world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = def->young;
    wax.solid.damping = 0.5f;
    ThawMaterialId material = add_material(cycle.world, &wax);
    ThawColliderDef mould = thaw_collider_default();
    mould.name = "mould";
    mould.container = true;
    mould.friction = 0;
    mould.shape = box_of(def, 0, def->height, def->length, 2 * def->height, def->height);
    assert_ok(thaw_world_add_collider(cycle.world, &mould, &cycle.mould));
    ThawBodyDef bar = thaw_body_default();
    bar.name = "bar";
    bar.material = material;
    bar.state = THAW_STATE_SOLID;
    bar.shape = box_of(def, 0, def->height / 2, def->length, def->height, def->height);
    bar.temperature = MELTS_AT - 5;
    assert_ok(thaw_world_add_body(cycle.world, &bar, NULL));
    cycle.figures.particles = cycle.world->store->count;
    cycle.figures.finite = true;
    return cycle;
}

static inline ThawReport run_cycle(Cycle *cycle, double seconds) {
    ThawReport report = {0};
    for (int k = 0; k < (int)ceil(seconds * 60 - 1e-9); k++) {
        report = step(cycle->world, 1.0 / 60);
        cycle->figures.finite = cycle->figures.finite && isfinite(report.kinetic) &&
                                isfinite(report.elastic) && isfinite(report.max_speed);
        cycle->figures.fastest = fmax(cycle->figures.fastest, report.max_speed);
    }
    return report;
}

// all but one end melts, is shaken, comes to rest, and freezes from the end on
static inline void melt_and_freeze(Cycle *cycle) {
    const CycleDef *def = &cycle->def;
    ThawShape hot = box_of(def, 0.1 * def->length, def->height, 0.8 * def->length, 4 * def->height,
                           4 * def->height);
    assert_ok(thaw_world_set_temperature(cycle->world, &hot, MELTS_AT + 5));
    ThawVec3 down = along_up(def->dimensions, 0, -9.81);
    assert_ok(thaw_world_set_gravity(cycle->world, along_up(def->dimensions, 6, -6)));
    run_cycle(cycle, 0.25);
    cycle->figures.molten = count_state(cycle->world, THAW_STATE_LIQUID);
    assert_ok(thaw_world_set_gravity(cycle->world, down));
    run_cycle(cycle, 0.75);
    set_all(cycle->world, MELTS_AT - 5);
    cycle->figures.fastest = 0;
    run_cycle(cycle, def->seconds);
}

#define STAGE 1.5 // s

// Elastic energy when the ends are drawn apart by strains of +ε, 0 and −ε: its curvature is the stiffness.
static inline void pull(Cycle *cycle) {
    const CycleDef *def = &cycle->def;
    ThawWorld *world = cycle->world;
    assert_ok(thaw_world_remove_collider(world, cycle->mould));
    assert_ok(thaw_world_set_gravity(world, (ThawVec3){0, 0, 0}));
    double grip = 0.12 * def->length, free = def->length - 2 * grip, most = 0.01 * free;
    double start = world->time, energy[3];
    ThawQuat still = {0, 0, 0, 1};
    const double moves[3] = {0, most, -most};
    ThawKeyframe keys[6];
    for (int k = 0; k < 3; k++) {
        ThawVec3 move = {moves[k], 0, 0};
        keys[2 * k] = (ThawKeyframe){start + STAGE * k + (k == 0 ? 0 : 0.4), move, still};
        keys[2 * k + 1] = (ThawKeyframe){start + STAGE * (k + 1), move, still};
    }
    for (int side = -1; side <= 1; side += 2) {
        ThawAttachmentDef hold = thaw_attachment_default();
        hold.name = side < 0 ? "left" : "right";
        hold.region = box_of(def, side * 0.5 * (def->length - grip), def->height, grip * 1.001,
                             4 * def->height, 4 * def->height);
        hold.from = start;
        if (side > 0) {
            hold.motion = keys;
            hold.motion_count = 6;
        }
        assert_ok(thaw_world_add_attachment(world, &hold, NULL));
    }
    ThawReport report = {0};
    for (int k = 0; k < 3; k++) {
        report = run_cycle(cycle, STAGE);
        energy[k] = report.elastic;
    }
    double strain = most / free;
    cycle->figures.stiffness = (energy[1] + energy[2] - 2 * energy[0]) / (strain * strain);
    uint32_t solid = count_state(world, THAW_STATE_SOLID);
    cycle->figures.bonds = 2.0 * report.bonds / solid;
}

static inline CycleFigures cycle_run(const CycleDef *def) {
    Cycle cycle = make_cycle(def);
    if (def->melts) melt_and_freeze(&cycle);
    double fastest = cycle.figures.fastest;
    cycle.figures.liquid = count_state(cycle.world, THAW_STATE_LIQUID);
    pull(&cycle);
    cycle.figures.fastest = fastest;
    assert_int_equal(cycle.world->store->count, cycle.figures.particles);
    thaw_world_destroy(cycle.world);
    return cycle.figures;
}

// ---------------------------------------------------------------- ice in water, insulated

#define FREEZING 273.15
#define ICE_HEAT 2100.0      // J/(kg K)
#define WATER_HEAT 4186.0    // J/(kg K)
#define LATENT_HEAT 334000.0 // J/kg

// A tank of water whose lower third is a block of ice; 2D.
typedef struct BathDef {
    double side, seconds;
    double ice, water;   // °C; both 0: at the melting point
    double conductivity; // W/(m K), 0 = that of water
} BathDef;

typedef struct BathFigures {
    uint32_t changes;                // of state
    double molten_begin, molten_end; // kg
    double molten_wanted;            // by the textbook
    uint32_t ice_begin, ice_end;     // particles
    double coldest, hottest;         // °C, at the end
    double heat_error;               // of the enthalpy
} BathFigures;

static inline ThawMaterialDef ice_def(double conductivity) {
    ThawMaterialDef def = thaw_material_default();
    def.solid.young = 1e5f;
    def.thermal.conductivity = conductivity > 0 ? (float)conductivity : 2.2f;
    def.thermal.liquid_conductivity = conductivity > 0 ? (float)conductivity : 0.6f;
    def.thermal.specific_heat = (float)ICE_HEAT;
    def.thermal.liquid_specific_heat = (float)WATER_HEAT;
    def.thermal.latent_heat = (float)LATENT_HEAT;
    def.thermal.melts_at = (float)FREEZING;
    return def;
}

static inline BathFigures bath_run(const BathDef *def) {
    ThawWorldDef world_def = small_def(2);
    world_def.spacing = 0.01;
    world_def.heat.on = true;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef ice = ice_def(def->conductivity);
    ThawMaterialId material = add_material(world, &ice);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape =
        thaw_shape_box((ThawVec3){0, def->side, 0}, (ThawVec3){def->side, 2 * def->side, 1});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    double row = thaw_lattice_distance(2, 0.01) * sqrt(0.75);
    double level = row * nearbyint(def->side / (3 * row));
    for (int k = 0; k < 2; k++) {
        ThawBodyDef body = thaw_body_default();
        body.name = k == 0 ? "ice" : "water";
        body.material = material;
        body.state = k == 0 ? THAW_STATE_SOLID : THAW_STATE_LIQUID;
        body.temperature = (float)(FREEZING + (k == 0 ? def->ice : def->water));
        double from = k == 0 ? 0 : level, to = k == 0 ? level : def->side;
        body.shape = thaw_shape_box((ThawVec3){0, (from + to) / 2, 0},
                                    (ThawVec3){def->side, (to - from) * 0.999, 1});
        assert_ok(thaw_world_add_body(world, &body, NULL));
    }
    BathFigures figures = {.ice_begin = count_state(world, THAW_STATE_SOLID)};
    double mass = 1000 * 1e-4, ices = mass * figures.ice_begin;
    double waters = mass * count_state(world, THAW_STATE_LIQUID);
    ThawReport report = step(world, 1e-4);
    double heat = report.heat;
    figures.molten_begin = report.molten;
    figures.molten_wanted =
        waters + (waters * WATER_HEAT * def->water + ices * ICE_HEAT * def->ice) / LATENT_HEAT;
    for (int k = 0; k < (int)lrint(def->seconds * 30); k++) {
        report = step(world, 1.0 / 30);
        figures.changes += report.melted + report.frozen;
    }
    figures.molten_end = report.molten;
    figures.ice_end = count_state(world, THAW_STATE_SOLID);
    figures.coldest = report.coldest - FREEZING;
    figures.hottest = report.hottest - FREEZING;
    figures.heat_error = fabs(report.heat / heat - 1);
    thaw_world_destroy(world);
    return figures;
}

// ---------------------------------------------------------------- a front that freezes from a cold floor

#define FRONT_CONDUCTIVITY 5000.0 // W/(m K)
#define FRONT_HEAT 2000.0         // J/(kg K)
#define FRONT_LATENT 1e5          // J/kg
#define FRONT_COLD 10.0           // K below the melting point; Stefan's number is 0.2
#define FRONT_LAMBDA 0.3064239    // √π λ exp(λ²) erf λ = 0.2

// A column of melt at its melting point stands on a floor that is colder, and frosts; 2D.
typedef struct FrontDef {
    double spacing, width, height, seconds; // m, s
} FrontDef;

typedef struct FrontFigures {
    double wanted; // m: 2 λ √(α t)
    double heat;   // m: by the latent heat that is gone
    double solid;  // m: by the particles that are solid
    double bonds;  // a solid particle
    double fastest;
} FrontFigures;

static inline ThawWorld *make_front(const FrontDef *def) {
    ThawWorldDef world_def = small_def(2);
    world_def.spacing = def->spacing;
    world_def.heat.on = true;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef melt = wax_def();
    melt.solid.young = 1e5f;
    melt.thermal.conductivity = (float)FRONT_CONDUCTIVITY;
    melt.thermal.specific_heat = (float)FRONT_HEAT;
    melt.thermal.latent_heat = (float)FRONT_LATENT;
    ThawMaterialId material = add_material(world, &melt);
    ThawColliderDef tank = thaw_collider_default(), floor = thaw_collider_default();
    tank.container = true;
    tank.shape =
        thaw_shape_box((ThawVec3){0, def->height, 0}, (ThawVec3){def->width, 4 * def->height, 1});
    floor.name = "floor";
    floor.frosts = true;
    floor.temperature = (float)((double)MELTS_AT - FRONT_COLD);
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 1, 0});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    assert_ok(thaw_world_add_collider(world, &floor, NULL));
    ThawBodyDef body = thaw_body_default();
    body.material = material;
    body.temperature = MELTS_AT;
    body.shape =
        thaw_shape_box((ThawVec3){0, def->height / 2, 0}, (ThawVec3){def->width, def->height, 1});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    return world;
}

static inline FrontFigures front_run(const FrontDef *def) {
    ThawWorld *world = make_front(def);
    FrontFigures figures = {0};
    ThawReport report = {0};
    for (int k = 0; k < (int)lrint(def->seconds * 60); k++) {
        report = step(world, 1.0 / 60);
        if (k > 10) figures.fastest = fmax(figures.fastest, report.max_speed);
    }
    double cell = def->spacing * def->spacing, mass = 1000 * cell;
    uint32_t count = world->store->count, solid = count_state(world, THAW_STATE_SOLID);
    double diffusivity = FRONT_CONDUCTIVITY / (1000 * FRONT_HEAT);
    figures.wanted = 2 * FRONT_LAMBDA * sqrt(diffusivity * def->seconds);
    figures.heat = (mass * count - report.molten) / (1000 * def->width);
    figures.solid = solid * cell / def->width;
    figures.bonds = 2.0 * report.bonds / solid;
    thaw_world_destroy(world);
    return figures;
}

#endif
