// Cases of melting and freezing as functions: tests judge their figures at a small size, the validation at the full one.
#ifndef TEST_PHYSICS_CYCLES_H
#define TEST_PHYSICS_CYCLES_H

#include "support/heat_cases.h"
#include "thermal/changing.h"

// ---------------------------------------------------------------- a bar melts, is stirred and freezes again (W-38)

typedef enum CycleWay {
    CYCLE_STAMPED, // temperatures are set, no heat flows; stirred while molten
    CYCLE_PLATES,  // a hot plate melts all but a sixth at the other end, a cold one freezes it
    CYCLE_FROST    // a hot floor melts all of it, then is cold, and frosts
} CycleWay;

typedef struct CycleDef {
    int dimensions;
    double spacing, length, height; // m; in 3D as wide as high
    float young;
    bool melts; // false: the virgin bar
    CycleWay way;
    uint64_t seed;
    double seconds; // to freeze
} CycleDef;

typedef struct CycleFigures {
    uint32_t particles, molten, liquid; // at first, at the most, at the end
    bool mass_kept;                     // and the number, in every bit
    double momentum;  // m/s: what gravity and walls do not account for, a kilogram, at the most
    double heat;      // of all latent heat: what the walls gave until it was molten
    double heat_left; // of all latent heat: the heat's change in the cycle less what the walls gave
    double misfits;   // of bonds: those that are at rest off their lattice's sites
    double stiffness; // J: of the square of the strain
    double bonds;     // a solid particle
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
    ThawColliderId walls[3]; // the mould, then the left plate or the floor, then the right plate
    int wall_count;
    double mass;        // kg
    double momentum[3]; // kg m/s: what gravity and walls have made it
    double taken;       // J from the walls
    bool pulled;        // by grips, whose forces nobody counts
    CycleFigures figures;
} Cycle;

#define CYCLE_CONDUCTIVITY 5e4 // W/(m K): in seconds what takes hours
#define CYCLE_LATENT 1e5f      // J/kg
#define CYCLE_APART 30.0f      // K between hot and cold walls and the melting point

static inline ThawMaterialDef cycle_wax(const CycleDef *def) {
    ThawMaterialDef wax = wax_def();
    wax.solid.young = def->young;
    wax.solid.damping = 0.5f;
    if (def->way == CYCLE_STAMPED) return wax;
    // through its height or along its length
    wax.thermal.conductivity = (float)(CYCLE_CONDUCTIVITY * (def->way == CYCLE_FROST ? 0.25 : 1.0));
    wax.thermal.specific_heat = 2000;
    wax.thermal.latent_heat = CYCLE_LATENT;
    return wax;
}

static inline void add_wall(Cycle *cycle, ThawColliderDef wall) {
    wall.friction = 0;
    assert_ok(thaw_world_add_collider(cycle->world, &wall, &cycle->walls[cycle->wall_count++]));
}

// plates are within the mould, not behind its faces, which would hide them
static inline void add_walls(Cycle *cycle) {
    const CycleDef *def = &cycle->def;
    ThawColliderDef mould = thaw_collider_default(), plate = thaw_collider_default();
    double below = def->way == CYCLE_FROST ? 0.5 * def->height : 0;
    double beyond = def->way == CYCLE_PLATES ? 0.2 * def->length : 0;
    mould.name = "mould";
    mould.container = true;
    mould.shape = box_of(def, 0, def->height - below / 2, def->length + beyond,
                         2 * def->height + below, def->height);
    add_wall(cycle, mould);
    plate.frosts = def->way == CYCLE_FROST;
    plate.name = plate.frosts ? "floor" : "left";
    plate.shape = plate.frosts
                      ? thaw_shape_plane((ThawVec3){0, 0, 0}, along_up(def->dimensions, 0, 1))
                      : thaw_shape_plane((ThawVec3){-def->length / 2, 0, 0}, (ThawVec3){1, 0, 0});
    if (def->way != CYCLE_STAMPED) add_wall(cycle, plate);
    plate.name = "right";
    plate.shape = thaw_shape_plane((ThawVec3){def->length / 2, 0, 0}, (ThawVec3){-1, 0, 0});
    if (def->way == CYCLE_PLATES) add_wall(cycle, plate);
}

static inline Cycle make_cycle(const CycleDef *def) {
    Cycle cycle = {.def = *def};
    ThawWorldDef world_def = warm_def(def->dimensions);
    world_def.spacing = def->spacing;
    world_def.seed = def->seed;
    cycle.world = make_world(&world_def);
    ThawMaterialDef wax = cycle_wax(def);
    ThawMaterialId material = add_material(cycle.world, &wax);
    add_walls(&cycle);
    ThawBodyDef bar = thaw_body_default();
    bar.name = "bar";
    bar.material = material;
    bar.state = THAW_STATE_SOLID;
    bar.shape = box_of(def, 0, def->height / 2, def->length, def->height, def->height);
    bar.temperature = MELTS_AT - 5;
    assert_ok(thaw_world_add_body(cycle.world, &bar, NULL));
    cycle.figures.particles = cycle.world->store->count;
    cycle.figures.finite = cycle.figures.mass_kept = true;
    ThawReport report = step(cycle.world, 1e-4);
    cycle.mass = report.mass;
    memcpy(cycle.momentum, &report.momentum, sizeof cycle.momentum);
    return cycle;
}

static inline void count_momentum(Cycle *cycle, const ThawReport *report, double dt) {
    double given[3], now[3];
    memcpy(given, &cycle->world->def.gravity, sizeof given);
    memcpy(now, &report->momentum, sizeof now);
    for (int a = 0; a < 3; a++) given[a] *= cycle->mass * dt;
    for (int k = 0; k < cycle->wall_count; k++) {
        ThawContact contact;
        assert_ok(thaw_world_contact(cycle->world, cycle->walls[k], &contact));
        given[0] -= contact.impulse.x;
        given[1] -= contact.impulse.y;
        given[2] -= contact.impulse.z;
    }
    for (int a = 0; a < 3; a++) {
        cycle->momentum[a] += given[a];
        double off = fabs(now[a] - cycle->momentum[a]) / cycle->mass;
        cycle->figures.momentum = fmax(cycle->figures.momentum, off);
    }
}

static inline ThawReport run_cycle(Cycle *cycle, double seconds) {
    ThawReport report = {0};
    for (int k = 0; k < (int)ceil(seconds * 60 - 1e-9); k++) {
        report = step(cycle->world, 1.0 / 60);
        cycle->taken += report.heat_taken;
        if (!cycle->pulled) count_momentum(cycle, &report, 1.0 / 60);
        cycle->figures.finite = cycle->figures.finite && isfinite(report.kinetic) &&
                                isfinite(report.elastic) && isfinite(report.max_speed);
        cycle->figures.mass_kept = cycle->figures.mass_kept && report.mass == cycle->mass &&
                                   report.particles == cycle->figures.particles;
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
    run_cycle(cycle, def->seconds);
}

static inline void set_wall(Cycle *cycle, int wall, float temperature) {
    assert_ok(thaw_world_set_collider_temperature(cycle->world, cycle->walls[wall], temperature));
}

// Heat flows, and latent heat with it: melts until a sixth is left, with frost until nothing is, and freezes again.
static inline void melt_and_freeze_by_walls(Cycle *cycle) {
    const CycleDef *def = &cycle->def;
    CycleFigures *figures = &cycle->figures;
    double before = cycle->world->report.heat, latent = cycle->mass * (double)CYCLE_LATENT;
    bool frost = def->way == CYCLE_FROST;
    uint32_t left = frost ? 0 : figures->particles / 6;
    assert_ok(thaw_world_set_gravity(cycle->world, along_up(def->dimensions, 0, -9.81)));
    set_wall(cycle, frost ? 1 : 2, MELTS_AT + CYCLE_APART);
    if (!frost) set_wall(cycle, 1, MELTS_AT - CYCLE_APART / 10);
    for (int k = 0; k < 1200 && count_state(cycle->world, THAW_STATE_SOLID) > left; k++) {
        run_cycle(cycle, 1.0 / 60);
    }
    figures->molten = count_state(cycle->world, THAW_STATE_LIQUID);
    figures->heat = cycle->taken / latent;
    set_wall(cycle, 1, MELTS_AT - CYCLE_APART);
    if (!frost) set_wall(cycle, 2, 0);
    ThawReport report = run_cycle(cycle, def->seconds);
    figures->heat_left = fabs(report.heat - before - cycle->taken) / latent;
}

// of bonds: those that are at rest as they were made, off their lattice's sites
static inline double misfits_of(const ThawWorld *world) {
    ThawLatticeState lattice = thaw_lattice_state(world->store);
    uint32_t bonds = 0, off = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        uint32_t taken = (uint32_t)lattice.sites[row] & 0xfffu;
        if (world->store->state[row] != THAW_STATE_SOLID) continue;
        for (; taken != 0; taken &= taken - 1, bonds++) {
            off += lattice.misfit[THAW_MISFITS * (size_t)row + (size_t)__builtin_ctz(taken)] != 0;
        }
    }
    return bonds > 0 ? (double)off / bonds : 0;
}

#define STAGE 1.5 // s

// Elastic energy when the ends are drawn apart by strains of +ε, 0 and −ε: its curvature is the stiffness.
static inline void pull(Cycle *cycle) {
    const CycleDef *def = &cycle->def;
    ThawWorld *world = cycle->world;
    for (int k = 0; k < cycle->wall_count; k++) {
        assert_ok(thaw_world_remove_collider(world, cycle->walls[k]));
    }
    cycle->pulled = true;
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
    if (def->melts && def->way == CYCLE_STAMPED) melt_and_freeze(&cycle);
    if (def->melts && def->way != CYCLE_STAMPED) melt_and_freeze_by_walls(&cycle);
    cycle.figures.misfits = def->melts ? misfits_of(cycle.world) : 0;
    cycle.figures.liquid = count_state(cycle.world, THAW_STATE_LIQUID);
    pull(&cycle);
    thaw_world_destroy(cycle.world);
    return cycle.figures;
}

// Most of it was molten and is solid again; number and mass are exact, momentum to rounding. What frost holds is held
// by forces that nobody counts.
static inline void check_cycle(const CycleDef *def, const CycleFigures *figures) {
    assert_true(figures->finite && figures->mass_kept);
    assert_true(figures->molten > (7 * figures->particles) / 10);
    assert_true(figures->liquid <= figures->particles / 20);
    if (def->way != CYCLE_FROST) assert_below(figures->momentum, 5e-5);
    if (def->way != CYCLE_STAMPED) assert_below(0.8, figures->heat);
    assert_below(figures->heat_left, 1e-12);
}

// ---------------------------------------------------------------- a front that freezes from a cold floor

#define FRONT_CONDUCTIVITY 5000.0 // W/(m K)
#define FRONT_HEAT 2000.0         // J/(kg K)
#define FRONT_LATENT 1e5          // J/kg

// Melt at its melting point stands on a floor that is colder, and frosts; 2D, without sides. (In a tank a layer stays
// liquid along either side, where lattice and wall leave no room for a site: of 20 spacings the sides took two.)
typedef struct FrontDef {
    double spacing, height, seconds; // m, s
    int columns;
    double stefan; // c times what the floor is below the melting point, of the latent heat
    float young;   // Pa, 0 = 1e5
} FrontDef;

typedef struct FrontFigures {
    double wanted;     // m: 2 λ √(α t)
    double place;      // m: where layers are half molten
    double gone;       // m of floor to front: by the latent heat that is gone
    double slush;      // m: what of that is gone from matter that has some left
    double solid;      // m: by the particles that are solid
    double fastest[2]; // m/s in the second half: solids and liquids
} FrontFigures;

static inline double front_width(const FrontDef *def) {
    return def->columns * thaw_lattice_distance(2, def->spacing);
}

static inline ThawWorld *make_front(const FrontDef *def) {
    ThawWorldDef world_def = small_def(2);
    double width = front_width(def);
    world_def.spacing = def->spacing;
    world_def.heat.on = true;
    world_def.periodic[0] = true;
    world_def.lower = (ThawVec3){-width / 2, 0, 0};
    world_def.upper = (ThawVec3){width / 2, 0, 0};
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef melt = wax_def();
    melt.solid.young = def->young > 0 ? def->young : 1e5f;
    melt.thermal.conductivity = (float)FRONT_CONDUCTIVITY;
    melt.thermal.specific_heat = (float)FRONT_HEAT;
    melt.thermal.latent_heat = (float)FRONT_LATENT;
    ThawMaterialId material = add_material(world, &melt);
    ThawColliderDef floor = thaw_collider_default();
    floor.name = "floor";
    floor.frosts = true;
    floor.temperature = (float)((double)MELTS_AT - def->stefan * FRONT_LATENT / FRONT_HEAT);
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 1, 0});
    assert_ok(thaw_world_add_collider(world, &floor, NULL));
    ThawBodyDef body = thaw_body_default();
    body.material = material;
    body.temperature = MELTS_AT;
    body.shape =
        thaw_shape_box((ThawVec3){0, def->height / 2, 0}, (ThawVec3){width, def->height, 1});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    return world;
}

// where the molten share of layers passes ½, as in ST-1
static inline double half_molten(ThawWorld *world, const ThawEnthalpyCurve *curve) {
    enum { LAYERS = 200 };
    double row = thaw_lattice_distance(2, world->def.spacing) * sqrt(0.75);
    double molten[LAYERS] = {0}, at[LAYERS] = {0}, count[LAYERS] = {0};
    ThawThermalState state = thaw_thermal_state(world->store);
    for (uint32_t k = 0; k < world->store->count; k++) {
        double y = place_of(world, k).y;
        int layer = (int)fmin(fmax(y / row, 0), LAYERS - 1);
        molten[layer] += thaw_curve_molten(curve, state.heat[k]);
        at[layer] += y;
        count[layer]++;
    }
    for (int k = 0; k + 1 < LAYERS && count[k + 1] > 0; k++) {
        double here = molten[k] / count[k], next = molten[k + 1] / count[k + 1];
        double y = at[k] / count[k], up = at[k + 1] / count[k + 1] - y;
        if (here < 0.5 && next >= 0.5) return y + up * (0.5 - here) / (next - here);
    }
    return 0;
}

static inline void measure_front(ThawWorld *world, double width, FrontFigures *figures) {
    double layer = world->def.spacing * world->def.spacing / width; // m a particle
    ThawEnthalpyCurve curve = thaw_enthalpy_curve(&world->materials[0].thermal);
    ThawThermalState state = thaw_thermal_state(world->store);
    for (uint32_t k = 0; k < world->store->count; k++) {
        double molten = thaw_curve_molten(&curve, state.heat[k]);
        figures->gone += layer * (1 - molten);
        figures->slush += molten > 0 ? layer * (1 - molten) : 0;
        figures->solid += world->store->state[k] == THAW_STATE_SOLID ? layer : 0;
    }
    figures->place = half_molten(world, &curve);
}

static inline void note_fastest(const ThawWorld *world, double fastest[2]) {
    for (uint32_t k = 0; k < world->store->count; k++) {
        const float *v = &world->store->velocity[3 * (size_t)k];
        double *most = &fastest[world->store->state[k] != THAW_STATE_SOLID];
        *most = fmax(*most, sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
    }
}

static inline FrontFigures front_run(const FrontDef *def) {
    ThawWorld *world = make_front(def);
    double diffusivity = FRONT_CONDUCTIVITY / (1000 * FRONT_HEAT);
    double lambda = heat_front_factor(def->stefan);
    FrontFigures figures = {.wanted = 2 * lambda * sqrt(diffusivity * def->seconds)};
    int steps = (int)lrint(def->seconds * 60);
    for (int k = 0; k < steps; k++) {
        step(world, 1.0 / 60);
        if (2 * k >= steps) note_fastest(world, figures.fastest);
    }
    measure_front(world, front_width(def), &figures);
    thaw_world_destroy(world);
    return figures;
}

// Within 3 % of Stefan's front, which is a place: by the latent heat that is gone it is further where weight squeezes
// what has frozen, as squeezed layers hold more mass and conduct better (heat.md); stiff ones keep to 3 % by both.
// What has no latent heat left is solid but for a tenth of a layer; the lattice's edge is behind the heat by what the
// slush before it has lost already, up to a layer. Nobody is thrown: liquid falls by less than a spacing, into the
// room that a lattice leaves where it draws particles to their sites, and solids are slower. Fast fronts leave more.
static inline void check_front(const FrontDef *def, const FrontFigures *figures) {
    assert_true(figures->wanted > 10 * def->spacing);
    assert_near(figures->place / figures->wanted, 1, 0.03);
    if (def->young >= 1e6f) assert_near(figures->gone / figures->wanted, 1, 0.03);
    assert_near(figures->gone - figures->slush, figures->solid, 0.15 * def->spacing);
    assert_below(figures->slush, def->spacing);
    double fall = (def->stefan < 0.3 ? 1 : 2) * sqrt(2 * 9.81 * def->spacing);
    assert_below(figures->fastest[0], fall / 2);
    assert_below(figures->fastest[1], fall);
}

#endif
