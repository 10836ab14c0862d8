// Ice in water, insulated: tests judge its figures at a small size, the validation at the full one.
#ifndef TEST_PHYSICS_BATHS_H
#define TEST_PHYSICS_BATHS_H

#include "thermal/changing.h"

#define FREEZING 273.15
#define ICE_HEAT 2100.0      // J/(kg K)
#define WATER_HEAT 4186.0    // J/(kg K)
#define LATENT_HEAT 334000.0 // J/kg

// A tank of water with a block of ice: on its floor, or floating.
typedef struct BathDef {
    int dimensions;
    double side, seconds;
    double share;        // of the height: ice; 0 = a third
    bool floats;         // ice of 917 kg/m³ above the water, else of 1000 below it
    double ice, water;   // °C; both 0: at the melting point
    double ripple;       // of the latent heat: what every other particle has more, the rest less
    double conductivity; // W/(m K), 0 = that of water
} BathDef;

typedef struct BathFigures {
    uint32_t particles, changes;     // changes of state
    double molten_begin, molten_end; // kg
    double molten_wanted;            // by the textbook
    double wanted;                   // °C, the same
    uint32_t ice_begin, ice_end;     // particles
    double coldest, hottest;         // °C, at the end
    double spread;                   // K between them at the beginning
    double heat_error;               // of the enthalpy
} BathFigures;

static inline ThawMaterialDef ice_def(const BathDef *bath) {
    ThawMaterialDef def = thaw_material_default();
    double conductivity = bath->conductivity;
    def.solid.young = 2e4f;
    if (bath->floats) def.solid.density = 917;
    def.thermal.conductivity = conductivity > 0 ? (float)conductivity : 2.2f;
    def.thermal.liquid_conductivity = conductivity > 0 ? (float)conductivity : 0.6f;
    def.thermal.specific_heat = (float)ICE_HEAT;
    def.thermal.liquid_specific_heat = (float)WATER_HEAT;
    def.thermal.latent_heat = (float)LATENT_HEAT;
    def.thermal.melts_at = (float)FREEZING;
    return def;
}

static inline ThawShape bath_box(const BathDef *def, double width, double from, double to) {
    double up = (from + to) / 2, height = to - from;
    if (def->dimensions == 2) {
        return thaw_shape_box((ThawVec3){0, up, 0}, (ThawVec3){width, height, 1});
    }
    return thaw_shape_box((ThawVec3){0, 0, up}, (ThawVec3){width, width, height});
}

static inline void fill_bath(ThawWorld *world, const BathDef *def, ThawMaterialId material) {
    double row = thaw_lattice_distance(def->dimensions, 0.01);
    row *= sqrt(def->dimensions == 2 ? 3.0 / 4 : 2.0 / 3);
    double share = def->share > 0 ? def->share : 1.0 / 3;
    double ice = row * nearbyint(def->side * share / row), water = def->side - ice;
    for (int k = 0; k < 2; k++) {
        ThawBodyDef body = thaw_body_default();
        bool low = (k == 0) != def->floats;
        body.name = k == 0 ? "ice" : "water";
        body.material = material;
        body.state = k == 0 ? THAW_STATE_SOLID : THAW_STATE_LIQUID;
        body.temperature = (float)(FREEZING + (k == 0 ? def->ice : def->water));
        double from = low ? 0 : def->floats ? water : ice;
        double height = 0.999 * (k == 0 ? ice : water);
        // ice that floats has water on both sides
        double width = k == 0 && def->floats ? 0.8 * def->side : def->side;
        body.shape = bath_box(def, width, from, from + height);
        assert_ok(thaw_world_add_body(world, &body, NULL));
    }
}

// in pairs of one state, so that the sum stays
static inline void ripple_bath(ThawWorld *world, const BathDef *def) {
    double *heat = thaw_thermal_state(world->store).heat, by = def->ripple * LATENT_HEAT;
    uint32_t last[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t row = 0; row < world->store->count; row++) {
        uint32_t *other = &last[world->store->state[row] == THAW_STATE_SOLID];
        if (*other == UINT32_MAX) {
            *other = row;
            continue;
        }
        heat[row] += by;
        heat[*other] -= by;
        *other = UINT32_MAX;
    }
}

static inline ThawWorld *make_bath(const BathDef *def) {
    ThawWorldDef world_def = small_def(def->dimensions);
    world_def.spacing = 0.01;
    world_def.heat.on = true;
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef ice = ice_def(def);
    ThawMaterialId material = add_material(world, &ice);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = bath_box(def, def->side, 0, 2 * def->side);
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    fill_bath(world, def, material);
    ripple_bath(world, def);
    return world;
}

// where so many kg of ice and water end: their heat is counted from ice at the melting point on
static inline void bath_textbook(const BathDef *def, double ices, double waters,
                                 BathFigures *figures) {
    double heat = waters * (LATENT_HEAT + WATER_HEAT * def->water) + ices * ICE_HEAT * def->ice;
    double all = ices + waters, most = all * LATENT_HEAT;
    figures->molten_wanted = fmin(fmax(heat / LATENT_HEAT, 0), all);
    if (heat < 0) figures->wanted = heat / (all * ICE_HEAT);
    if (heat > most) figures->wanted = (heat - most) / (all * WATER_HEAT);
}

static inline BathFigures bath_run(const BathDef *def) {
    ThawWorld *world = make_bath(def);
    BathFigures figures = {.particles = world->store->count,
                           .ice_begin = count_state(world, THAW_STATE_SOLID)};
    double mass = 1000 * pow(0.01, def->dimensions), ices = mass * figures.ice_begin;
    double waters = mass * count_state(world, THAW_STATE_LIQUID);
    ThawReport report = step(world, 1e-4);
    double heat = report.heat;
    figures.spread = report.hottest - report.coldest;
    figures.molten_begin = report.molten;
    bath_textbook(def, ices, waters, &figures);
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

// within 2 %: molten mass, and temperatures of what 30 K are
static inline void check_bath(const BathFigures *figures) {
    if (figures->molten_wanted > 0)
        assert_near(figures->molten_end / figures->molten_wanted, 1, 0.02);
    else
        assert_true(figures->molten_end == 0);
    assert_near(figures->coldest, figures->wanted, 0.02 * 30);
    assert_near(figures->hottest, figures->wanted, 0.02 * 30);
    assert_below(figures->heat_error, 1e-12);
}

#endif
