// Matter between hard and molten, in the whole engine: stiffness, damping and
// viscosity over temperature.
#include "solid/engine.h"
#include "support/viscous_cases.h"

#define COLD 300.0
#define WARM 400.0 // K; half way between the two the factor is the geometric mean

static ThawFactorCurve falls_to(float factor) {
    return (ThawFactorCurve){
        .count = 2, .temperature = {(float)COLD, (float)WARM}, .factor = {1, factor}};
}

static void set_temperature(Engine *e, double from, double to, double temperature) {
    double far = 1e3 * e->def.distance;
    ThawShape slab = thaw_shape_box((ThawVec3){0.5 * (from + to), 0, 0},
                                    (ThawVec3){to - from, 2 * far, 2 * far});
    assert_ok(thaw_world_set_temperature(e->world, &slab, temperature));
}

// k = m = D = 1 at a factor of 1; heat stays where it is
static EngineDef mushy_def(float poisson) {
    EngineDef def = engine_units(3);
    def.world.solver.explicit_forces = false;
    def.world.heat.on = true;
    def.material.solid.poisson = poisson;
    def.material.thermal.conductivity = 0;
    return def;
}

// ---------------------------------------------------------------- bars

#define CLAMP 8              // planes from the upper end
#define MIDDLE (-0.5 * HALF) // between two planes
#define PULL 4e-5            // of gravity, k D/m: its own weight strains a bar by some thousandths

typedef struct Bar {
    int gaps, across; // half-layers
    float poisson;
    ThawElasticity law;
    float softest;       // factor at WARM; 0: no curve
    float young;         // times that of k = 1
    double upper, lower; // K, of its halves
    double pull;         // times PULL
    bool braced;         // has long bonds where it is stiffer than the step carries
    float breaks_at;     // k/D, stress; 0: never
} Bar;

typedef struct Hanging {
    // D, of what is below the section CLAMP: what is held cannot contract sideways, and is stiffer so
    double stretch;
    double stress; // k/D, mean along x at that section
    uint64_t broken;
} Hanging;

static Engine open_bar(const Bar *bar) {
    EngineDef def = mushy_def(bar->poisson);
    def.material.solid.elasticity = bar->law;
    def.material.solid.young *= bar->young;
    def.material.solid.fracture_stress = bar->breaks_at;
    if (bar->softest > 0) def.material.thermal.stiffness = falls_to(bar->softest);
    def.world.gravity.x = bar->pull * PULL;
    def.world.solver.long_bonds = bar->braced;
    EngineBlock how = plain_block(bar->gaps + 1, bar->across + 1, bar->across + 1);
    Engine e = engine_block(&def, &how);
    ThawAttachmentDef hold = thaw_attachment_default();
    hold.region =
        thaw_shape_box((ThawVec3){-0.5 * bar->gaps * HALF, 0, 0}, (ThawVec3){0.2, 100, 100});
    assert_ok(thaw_world_add_attachment(e.world, &hold, NULL));
    set_temperature(&e, -1e3, MIDDLE, bar->upper);
    set_temperature(&e, MIDDLE, 1e3, bar->lower);
    return e;
}

// until it hangs still: drag stops its first mode
static uint64_t let_hang(Engine *e, const Bar *bar) {
    double softest = (double)bar->young * (bar->softest > 0 ? sqrt((double)bar->softest) : 1);
    double first = PI / 2 / (bar->gaps * HALF) * sqrt(2 * fmin(1, softest));
    double dt = (bar->law == THAW_ELASTIC_NEO_HOOKEAN ? 0.1 : 0.25) / sqrt(fmax(1, softest));
    uint64_t broken = 0;
    for (double t = 0; t < 7 / first; t += 10 * dt) {
        broken += engine_step(e, dt, 10).bonds_broken;
        ThawVec3 *v = engine_velocities(e);
        for (uint32_t i = 0; i < e->count; i++) v[i] = v_scale(exp(-2 * first * 10 * dt), v[i]);
        engine_set_velocities(e, v);
        free(v);
    }
    return broken;
}

// a bar that hangs along x by its upper end
static Hanging hang(const Bar *bar) {
    Engine e = open_bar(bar);
    ThawVec3 *rest = engine_places(&e);
    Hanging hanging = {.broken = let_hang(&e, bar)};
    ThawVec3 *x = engine_places(&e);
    ThawView stress;
    assert_ok(thaw_world_view(e.world, "stress", &stress));
    double sink[2] = {0, 0};
    uint32_t count[2] = {0, 0};
    for (uint32_t i = 0; i < e.count; i++) {
        double plane = rest[i].x / HALF + 0.5 * bar->gaps;
        int k = plane > bar->gaps - 0.1 ? 1 : 0;
        if (k == 0 && fabs(plane - CLAMP) > 0.1) continue;
        sink[k] += x[i].x - rest[i].x;
        if (k == 0) hanging.stress += (double)((const float *)stress.data)[6 * engine_row(&e, i)];
        count[k]++;
    }
    hanging.stretch = sink[1] / count[1] - sink[0] / count[0];
    hanging.stress /= count[0];
    free(x);
    free(rest);
    engine_free(&e);
    return hanging;
}

// the same strain in all: as far as a bar of that modulus without any curve; the last one's own would be 50 times what
// the step carries
static void a_warm_bar_stretches_as_its_softer_modulus(void **state) {
    (void)state;
    const float factors[6] = {0.1f, 0.03f, 10, 0.1f, 0.1f, 0.02f};
    for (int n = 0; n < 6; n++) {
        float f = factors[n], young = n < 5 ? 1 : 50;
        ThawElasticity law = n < 3 || n == 5 ? THAW_ELASTIC_LATTICE : (ThawElasticity)(n - 2);
        Bar soft = {26, 6, 0.3f, law, f * f, young, 350, 350, (double)(f * young), n == 5, 0};
        Bar same = soft;
        same.softest = 0;
        same.young *= f;
        Hanging warm = hang(&soft), wanted = hang(&same);
        print_message("law %d, factor %g: stretches by %.5f D, with that modulus %.5f: %+.2f %%; "
                      "stress %+.2f %%\n",
                      (int)law, (double)f, warm.stretch, wanted.stretch,
                      100 * (warm.stretch / wanted.stretch - 1),
                      100 * (warm.stress / wanted.stress - 1));
        assert_near(warm.stretch / wanted.stretch, 1, 0.03);
        // the field is of the stiffness asked for, not of what the step carries
        if (n < 5) assert_near(warm.stress / wanted.stress, 1, 0.03);
    }
}

// the load that a bar breaks at does not depend on how soft it is
static void a_warm_bar_breaks_at_its_stress(void **state) {
    (void)state;
    Bar bar = {26, 6, 0.3f, THAW_ELASTIC_LATTICE, 0.01f, 1, 350, 350, 0.1, false, 0};
    double stress = hang(&bar).stress;
    bar.breaks_at = (float)(3 * stress);
    assert_int_equal(hang(&bar).broken, 0);
    bar.breaks_at = (float)(0.7 * stress);
    assert_true(hang(&bar).broken > 0);
}

// Gaps. One of them is neither warm nor cold, and the cold half keeps the warm one from contracting.
#define HALVES 60

// The plane k carries all below it. Between a warm and a cold one lies half a
// gap of each.
static double series_stretch(double f, bool upper, bool lower) {
    double sum = 0, warm = 1 / f;
    for (int k = CLAMP; k < HALVES; k++) {
        double first = (k < HALVES / 2 ? upper : lower) ? warm : 1;
        double second = (k + 1 < HALVES / 2 ? upper : lower) ? warm : 1;
        sum += (HALVES - k) * 0.5 * (first + second);
    }
    return sum;
}

static void halves_of_a_bar_stretch_by_the_series_law(void **state) {
    (void)state;
    Bar cold = {HALVES, 4, 0, THAW_ELASTIC_LATTICE, 0.01f, 1, COLD, COLD, 0.2, false, 0};
    Bar upper = cold, lower = cold;
    upper.upper = 350;
    lower.lower = 350;
    double whole = hang(&cold).stretch, all = series_stretch(0.1, false, false);
    double first = hang(&upper).stretch / whole,
           wanted_first = series_stretch(0.1, true, false) / all;
    double second = hang(&lower).stretch / whole,
           wanted_second = series_stretch(0.1, false, true) / all;
    print_message("upper half warm: %.3f of the cold bar's stretch (%.3f: %+.1f "
                  "%%), lower %.3f "
                  "(%.3f: %+.1f %%)\n",
                  first, wanted_first, 100 * (first / wanted_first - 1), second, wanted_second,
                  100 * (second / wanted_second - 1));
    assert_near(first / wanted_first, 1, 0.03);
    assert_near(second / wanted_second, 1, 0.03);
}

// ---------------------------------------------------------------- a body of many temperatures

// slices from COLD to WARM along x
static void heat_slices(Engine *e, double from, double to, int count) {
    for (int k = 0; k < count; k++) {
        double begin = from + (to - from) * k / count, end = from + (to - from) * (k + 1) / count;
        set_temperature(e, k == 0 ? -1e3 : begin, k == count - 1 ? 1e3 : end,
                        COLD + (WARM - COLD) * k / (count - 1));
    }
}

static EngineDef sliced_def(ThawElasticity law) {
    EngineDef def = mushy_def(0.3f);
    def.material.solid.elasticity = law;
    def.material.thermal.stiffness = falls_to(0.01f);
    return def;
}

// as for bodies of one temperature (test_engine_forces)
static void force_is_the_gradient_of_a_sliced_bodys_energy(void **state) {
    (void)state;
    for (int law = THAW_ELASTIC_LATTICE; law <= THAW_ELASTIC_NEO_HOOKEAN; law++) {
        EngineDef def = sliced_def((ThawElasticity)law);
        Dice dice = {10};
        EngineBlock how = plain_block(5, 5, 4);
        how.shake = 0.03;
        Engine e = engine_block(&def, &how);
        heat_slices(&e, -2 * HALF, 2 * HALF, 4);
        ThawVec3 *force = engine_forces(&e), *places = engine_places(&e), push = {0, 0, 0};
        double worst = 0, h = 2e-3, most = longest(force, e.count), sum = 0;
        for (uint32_t i = 0; i < e.count; i++) {
            push = v_add(push, force[i]);
            sum += v_norm(force[i]);
            if (i % 3 != 0) continue;
            ThawVec3 way = dice_vector(&dice);
            double slope = (energy_moved(&e, places, i, v_scale(h, way)) -
                            energy_moved(&e, places, i, v_scale(-h, way))) /
                           (2 * h);
            worst = fmax(worst, fabs(slope + v_dot(force[i], way)));
        }
        print_message("law %d: force + gradient %.1e of max|F| %.2f, Σ F %.1e of Σ|F|\n", law,
                      worst, most, v_norm(push) / sum);
        assert_true(most > 0.05);
        assert_below(worst, 1e-3 * most);
        assert_below(v_norm(push), 1e-6 * sum);
        free(force);
        free(places);
        engine_free(&e);
    }
}

// damped more where it is warm; stiffness and damping from 1 to 100 times
static void a_sliced_body_keeps_its_momentum_and_gains_no_energy(void **state) {
    (void)state;
    for (int law = THAW_ELASTIC_LATTICE; law <= THAW_ELASTIC_NEO_HOOKEAN; law++) {
        EngineDef def = sliced_def((ThawElasticity)law);
        def.material.solid.damping = 0.02f;
        def.material.thermal.damping = falls_to(100);
        EngineBlock how = plain_block(9, 9, 9);
        how.shake = 0.03;
        Engine e = engine_block(&def, &how);
        heat_slices(&e, -4 * HALF, 4 * HALF, 5);
        engine_set_spin(&e, (ThawVec3){0.1, 0.05, 0}, (ThawVec3){0.01, 0.02, 0.02});
        Motions first = engine_motions(&e), last = first;
        ThawReport report = engine_step(&e, 1e-6, 1);
        double energy = report.kinetic + report.elastic, begin = energy, most = 0;
        for (int n = 0; n < 100; n++) {
            report = engine_step(&e, 0.02, 25);
            double now = report.kinetic + report.elastic;
            most = fmax(most, now / energy - 1);
            energy = now;
        }
        last = engine_motions(&e);
        double drift = v_norm(v_sub(last.momentum, first.momentum)) / first.speed;
        double turn = v_norm(v_sub(last.angular, first.angular)) / (first.speed * 4 * HALF);
        print_message(
            "law %d: momentum off by %.1e, angular by %.1e; energy %.4f of the first, rose "
            "by %.1e at most\n",
            law, drift, turn, energy / begin, most);
        assert_below(drift, 1e-5);
        assert_below(turn, 1e-4);
        // half a step of symplectic Euler lies between the two energies
        assert_below(most, 2e-3);
        assert_below(energy / begin, 0.9999);
        engine_free(&e);
    }
}

// ---------------------------------------------------------------- layers of a liquid

#define GAP 0.12 // m
#define SPEED 0.2

// The largest difference of any particle's speed to the two straight pieces between plates, over the plate's. The
// lower half is `ratio` times as thick.
static double shear_layers(double ratio, double spacing) {
    ThawWorldDef def = tank_def(2, spacing);
    def.periodic[0] = true;
    def.upper = (ThawVec3){0.1, 1, 1};
    def.gravity = (ThawVec3){0, 0, 0};
    def.solver.substeps = 8;
    def.heat.on = true;
    ThawMaterialDef material = thaw_material_default();
    material.liquid = viscous_physical(0.05);
    material.thermal.conductivity = 0;
    material.thermal.viscosity = falls_to(1 / (float)ratio);
    material.liquid.viscosity *= (float)ratio;
    Tank tank = tank_open(&def, &material.liquid);
    assert_ok(thaw_world_set_material(tank.world, tank.liquid, &material));
    tank_obstruct(&tank, tank_box(2, (ThawVec3){-9, -1, 0}, (ThawVec3){9, 0, 0}));
    ThawKeyframe keys[2] = {{.time = 0, .rotation = {0, 0, 0, 1}},
                            {.time = 4, .move = {4 * SPEED, 0, 0}, .rotation = {0, 0, 0, 1}}};
    ThawColliderDef plate = thaw_collider_default();
    plate.shape = tank_box(2, (ThawVec3){-9, GAP, 0}, (ThawVec3){9, 1, 0});
    plate.motion = keys;
    plate.motion_count = 2;
    ThawColliderId id;
    assert_ok(thaw_world_add_collider(tank.world, &plate, &id));
    tank_fill(&tank, tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){0.1, GAP, 0}));
    ThawShape lower = tank_box(2, (ThawVec3){-1, -1, 0}, (ThawVec3){2, GAP / 2, 0});
    assert_ok(thaw_world_set_temperature(tank.world, NULL, WARM));
    assert_ok(thaw_world_set_temperature(tank.world, &lower, COLD));
    for (int s = 0; s < 60; s++) tank_step(&tank, 1.0 / 240);
    double between = SPEED / (1 + ratio), worst = 0;
    for (uint32_t i = 0; i < tank.count; i++) {
        double y = tank.x[i][1] / (GAP / 2);
        double wanted = y < 1 ? between * y : between + (SPEED - between) * (y - 1);
        worst = fmax(worst, fabs((double)tank.v[i][0] - wanted) / SPEED);
    }
    tank_close(&tank);
    return worst;
}

static void layers_of_a_liquid_are_sheared_by_the_same_stress(void **state) {
    (void)state;
    const double ratios[3] = {1, 10, 1e4};
    for (int n = 0; n < 3; n++) {
        double worst = shear_layers(ratios[n], 0.005);
        print_message(
            "a layer %g times as thick as the other: speeds off by %.1f %% of the plate's\n",
            ratios[n], 100 * worst);
        assert_below(worst, 0.05);
    }
}

// ---------------------------------------------------------------- curves that say nothing

// a soft block in a viscous pool, where its last particle is
static ThawVec3 run_pool(bool curves) {
    ThawWorldDef def = tank_def(3, 0.02);
    def.heat.on = true;
    Tank tank = tank_open(&def, NULL);
    ThawMaterialDef material = thaw_material_default();
    material.liquid = viscous_physical(0.02);
    material.solid.young = 2e4f;
    material.thermal.conductivity = 0;
    ThawFactorCurve one = {.count = 2, .temperature = {100, 200}, .factor = {1, 1}};
    if (curves) {
        material.thermal.stiffness = material.thermal.damping = material.thermal.viscosity = one;
    }
    assert_ok(thaw_world_set_material(tank.world, tank.liquid, &material));
    ThawVec3 low = {0, 0, 0}, high = {0.2, 0.2, 0.4};
    tank_contain(&tank, tank_box(3, low, high), 0.4f);
    tank_fill(&tank, tank_box(3, low, (ThawVec3){0.2, 0.2, 0.1}));
    ThawBodyDef body = thaw_body_default();
    body.material = tank.liquid;
    body.state = THAW_STATE_SOLID;
    body.shape = tank_box(3, (ThawVec3){0.05, 0.05, 0.12}, (ThawVec3){0.15, 0.15, 0.2});
    assert_ok(thaw_world_add_body(tank.world, &body, NULL));
    // until the block has met the pool, and rounding has not yet grown to chaos
    for (int s = 0; s < 10; s++) tank_step(&tank, 1.0 / 120);
    ThawVec3 middle = {0, 0, 0};
    for (uint32_t i = 0; i < tank.count; i++) {
        middle =
            v_along(middle, 1.0 / tank.count, (ThawVec3){tank.x[i][0], tank.x[i][1], tank.x[i][2]});
    }
    tank_close(&tank);
    return middle;
}

static void a_curve_of_one_changes_nothing(void **state) {
    (void)state;
    ThawVec3 with = run_pool(true), without = run_pool(false);
    double apart = v_norm(v_sub(with, without));
    print_message("a pool with curves of 1: its middle is off by %.1e m\n", apart);
    assert_below(apart, 1e-9);
}

// ---------------------------------------------------------------- wax

// A block of wax 12 cm high that is warmed as a whole.
typedef struct Wax {
    double middle, radius; // m: mean height, mean distance from the axis
    uint32_t solids, all;
    double fastest; // m/s, since it was warmed
} Wax;

static Tank open_wax(void) {
    ThawWorldDef def = tank_def(3, 0.01);
    def.heat.on = true;
    Tank tank = tank_open(&def, NULL);
    ThawMaterialDef wax = thaw_material_default();
    wax.density = 900;
    wax.liquid.viscosity = 0.01f;
    wax.solid.damping = 0.3f;
    wax.thermal.conductivity = 0;
    wax.thermal.melts_at = 335;
    wax.thermal.stiffness =
        (ThawFactorCurve){.count = 3, .temperature = {300, 315, 333}, .factor = {1, 0.6f, 0.02f}};
    wax.thermal.viscosity =
        (ThawFactorCurve){.count = 2, .temperature = {335, 360}, .factor = {30, 1}};
    assert_ok(thaw_world_set_material(tank.world, tank.liquid, &wax));
    tank_obstruct(&tank, thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1}));
    ThawBodyDef body = thaw_body_default();
    body.material = tank.liquid;
    body.state = THAW_STATE_SOLID;
    body.shape = tank_box(3, (ThawVec3){-0.04, -0.04, 0}, (ThawVec3){0.04, 0.04, 0.12});
    assert_ok(thaw_world_add_body(tank.world, &body, NULL));
    return tank;
}

static Wax warm(Tank *tank, double temperature) {
    Wax wax = {0};
    assert_ok(thaw_world_set_temperature(tank->world, NULL, temperature));
    for (int s = 0; s < 24; s++) {
        tank_step(tank, 1.0 / 48);
        wax.fastest = fmax(wax.fastest, tank_max_speed(tank));
    }
    ThawView state;
    assert_ok(thaw_world_view(tank->world, "state", &state));
    wax.all = tank->count;
    wax.middle = tank_mean_height(tank);
    for (uint32_t i = 0; i < tank->count; i++) {
        wax.radius += hypot(tank->x[i][0], tank->x[i][1]) / tank->count;
        wax.solids += ((const uint8_t *)state.data)[i] == THAW_STATE_SOLID;
    }
    print_message(
        "wax at %g K: middle %.4f m high, radius %.4f m, %u of %u solid, at most %.2f m/s\n",
        temperature, wax.middle, wax.radius, wax.solids, wax.all, wax.fastest);
    return wax;
}

static void wax_softens_before_it_runs(void **state) {
    (void)state;
    Tank tank = open_wax();
    Wax cold = warm(&tank, 300), soft = warm(&tank, 333), molten = warm(&tank, 345);
    // it stands, sags by a fifth as one piece, and keeps its volume
    assert_true(cold.middle > 0.058 && soft.solids == soft.all);
    assert_true(soft.middle / cold.middle > 0.65 && soft.middle / cold.middle < 0.9);
    double volume = soft.middle * pow(soft.radius / cold.radius, 2) / cold.middle;
    print_message("its volume when soft, about: %.3f\n", volume);
    assert_near(volume, 1, 0.06);
    // and runs without a jump: slower than it falls
    assert_int_equal(molten.solids, 0);
    assert_true(molten.middle < 0.6 * soft.middle && molten.radius > 1.2 * soft.radius);
    assert_below(molten.fastest, 0.3);
    tank_close(&tank);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warm_bar_stretches_as_its_softer_modulus),
        cmocka_unit_test(a_warm_bar_breaks_at_its_stress),
        cmocka_unit_test(halves_of_a_bar_stretch_by_the_series_law),
        cmocka_unit_test(force_is_the_gradient_of_a_sliced_bodys_energy),
        cmocka_unit_test(a_sliced_body_keeps_its_momentum_and_gains_no_energy),
        cmocka_unit_test(layers_of_a_liquid_are_sheared_by_the_same_stress),
        cmocka_unit_test(a_curve_of_one_changes_nothing),
        cmocka_unit_test(wax_softens_before_it_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
