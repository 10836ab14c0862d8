// Closed systems in which heat goes round: tests judge their figures at a small size, the validation at the full one.
#ifndef TEST_PHYSICS_CLOSED_H
#define TEST_PHYSICS_CLOSED_H

#include "thermal/changing.h"

#define CHURN_FIFTHS 5

// A tank of wax, half of it solid. A heat pump carries heat from one half to the other, and every period the other way
// round: what it takes is what it gives, so the sum of all heat stays, while matter melts on one side and freezes on the
// other, again and again. Its walls frost, so that there is always somewhere for solids to begin.
typedef struct ChurnDef {
    int dimensions;
    double width; // m; as deep as half of it
    int steps;
    double dt, period; // s
} ChurnDef;

typedef struct ChurnFigures {
    double drift; // largest change of heat, of its amount
    double given; // J that the two sides got together, of what the pump carried in a period
    uint64_t melted[CHURN_FIFTHS], frozen[CHURN_FIFTHS]; // particles, in each fifth of the run
    uint32_t particles;
    bool finite, kept; // no value was not; neither number nor mass has changed
} ChurnFigures;

typedef struct Churn {
    ChurnDef def;
    ThawWorld *world;
    ThawHeatSourceDef pump[2]; // right, left
    ThawHeatSourceId pumps[2];
    ChurnFigures figures;
} Churn;

static inline ThawShape churn_box(const ChurnDef *def, double x, double up, double length,
                                  double height) {
    bool flat = def->dimensions == 2;
    ThawVec3 at = flat ? (ThawVec3){x, up, 0} : (ThawVec3){x, 0, up};
    ThawVec3 size =
        flat ? (ThawVec3){length, height, 1} : (ThawVec3){length, def->width / 2, height};
    return thaw_shape_box(at, size);
}

static inline ThawMaterialDef churn_wax(void) {
    ThawMaterialDef def = wax_def();
    def.density = 900;
    def.solid.young = 5e3f;
    def.thermal.conductivity = 300;
    def.thermal.specific_heat = 2000;
    def.thermal.liquid_conductivity = 200;
    def.thermal.liquid_specific_heat = 2500;
    def.thermal.latent_heat = 6e4f;
    return def;
}

static inline void add_churn_tank(Churn *churn) {
    const ChurnDef *def = &churn->def;
    ThawColliderDef tank = thaw_collider_default();
    tank.name = "tank";
    tank.container = true;
    tank.frosts = true;
    tank.shape = churn_box(def, 0, def->width / 2, def->width, def->width);
    assert_ok(thaw_world_add_collider(churn->world, &tank, NULL));
}

static inline Churn make_churn(const ChurnDef *def) {
    Churn churn = {.def = *def};
    ThawWorldDef world_def = warm_def(def->dimensions);
    world_def.gravity = def->dimensions == 2 ? (ThawVec3){0, -9.81, 0} : (ThawVec3){0, 0, -9.81};
    world_def.spacing = 0.01;
    churn.world = make_world(&world_def);
    ThawMaterialDef wax = churn_wax();
    ThawMaterialId material = add_material(churn.world, &wax);
    add_churn_tank(&churn);
    double half = def->width / 2;
    for (int k = 0; k < 2; k++) {
        ThawBodyDef body = thaw_body_default();
        body.name = k == 0 ? "right" : "left";
        body.material = material;
        body.state = k == 0 ? THAW_STATE_LIQUID : THAW_STATE_SOLID;
        body.temperature = MELTS_AT + (k == 0 ? 5 : -5);
        body.shape = churn_box(def, half * (0.5 - k), half / 2, half * 0.999, half);
        assert_ok(thaw_world_add_body(churn.world, &body, NULL));
        churn.pump[k] = thaw_heat_source_default();
        churn.pump[k].region = churn_box(def, half * (0.5 - k), half, half, 2 * half);
        assert_ok(thaw_world_add_heat_source(churn.world, &churn.pump[k], &churn.pumps[k]));
    }
    churn.figures =
        (ChurnFigures){.particles = churn.world->store->count, .finite = true, .kept = true};
    return churn;
}

// heats one side and cools the other as much: in a period by what melts it and warms it by 20 K
static inline void turn_pump(Churn *churn, bool right, double mass) {
    double power = 0.5 * mass * (6e4 + 20 * 2500) / churn->def.period;
    for (int k = 0; k < 2; k++) {
        churn->pump[k].power = (k == 0) == right ? power : -power;
        assert_ok(thaw_world_set_heat_source(churn->world, churn->pumps[k], &churn->pump[k]));
    }
}

static inline double given_by(const Churn *churn) {
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double given;
        assert_ok(thaw_world_heat_given(churn->world, churn->pumps[k], &given));
        sum += given;
    }
    return sum;
}

static inline ChurnFigures churn_run(const ChurnDef *def) {
    Churn churn = make_churn(def);
    ChurnFigures *figures = &churn.figures;
    ThawReport report = step(churn.world, 1e-4);
    double heat = report.heat, mass = report.mass;
    int turns = (int)lrint(def->period / def->dt);
    for (int k = 0; k < def->steps; k++) {
        if (k % turns == 0) turn_pump(&churn, k / turns % 2 == 1, mass);
        report = step(churn.world, def->dt);
        int fifth = k * CHURN_FIFTHS / def->steps;
        figures->melted[fifth] += report.melted;
        figures->frozen[fifth] += report.frozen;
        figures->drift = fmax(figures->drift, fabs(report.heat / heat - 1));
        figures->finite = figures->finite && isfinite(report.heat) && isfinite(report.kinetic) &&
                          isfinite(report.elastic) && isfinite(report.max_speed);
        figures->kept =
            figures->kept && report.particles == figures->particles && report.mass == mass;
    }
    figures->given = fabs(given_by(&churn)) / (churn.pump[0].power * def->period);
    thaw_world_destroy(churn.world);
    return churn.figures;
}

#endif
