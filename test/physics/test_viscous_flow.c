// Viscous liquid in the whole engine: V-6's drop, the same look for any substep, shear waves, films
// and plates against their formulas, honey on slopes and around bodies.
#include "support/rigid.h"
#include "support/viscous_cases.h"
#include "world/helpers.h"

#include <stdlib.h>

// ---------------------------------------------------------------- a drop on a floor

// V-6
static void a_drop_spreads_less_the_more_viscous_it_is(void **state) {
    (void)state;
    const double cs[] = {0, 0.25, 0.5, 2, 10, 50, 250};
    ViscousDrop last = {.radius = INFINITY};
    for (size_t n = 0; n < sizeof cs / sizeof *cs; n++) {
        ViscousDrop drop = viscous_drop(&(ViscousDropDef){cs[n], 0.0167, 1.0, 0});
        print_message("c = %5g: radius %.4f m, top %.3f m, energy at most %.4f\n", cs[n],
                      drop.radius, drop.top, drop.energy);
        assert_true(drop.radius < last.radius);
        assert_true(drop.energy <= 1.0);
        last = drop;
    }
    // the last one stands: a ball's own is 0.063 m
    assert_true(last.radius < 0.09 && last.top > 0.1);
}

static void substeps_do_not_change_the_look(void **state) {
    (void)state;
    const double cs[] = {0, 0.5, 2, 10, 50};
    for (size_t n = 0; n < sizeof cs / sizeof *cs; n++) {
        ViscousDrop coarse = viscous_drop(&(ViscousDropDef){cs[n], 0.0167, 0.5, 8});
        ViscousDrop fine = viscous_drop(&(ViscousDropDef){cs[n], 0.0167, 0.5, 16});
        print_message("c = %4g: radius %.4f and %.4f m with 8 and 16 substeps a frame: %+.1f %%\n",
                      cs[n], coarse.radius, fine.radius, 100 * (coarse.radius / fine.radius - 1));
        // thin liquid loses more in impacts the longer substeps are, whatever its viscosity
        if (cs[n] >= 2) assert_true(fabs(coarse.radius / fine.radius - 1) < 0.05);
    }
}

// ---------------------------------------------------------------- shear waves

// 25.4 cm long, at k h = 0.5 and 1
static void shear_waves_die_alike_at_any_resolution(void **state) {
    (void)state;
    const double spacings[] = {0.01, 0.02};
    const int cubes[] = {16, 8};
    for (int n = 0; n < 2; n++) {
        ViscousWave thin =
            viscous_wave(&(ViscousWaveDef){spacings[n], cubes[n], 0.005, 1e-3, 0.3, 8});
        ViscousWave thick =
            viscous_wave(&(ViscousWaveDef){spacings[n], cubes[n], 0.05, 1e-3, 0.04, 8});
        // what the method itself adds: particles that pass each other push, and a fresh crystal is
        // a spring
        ViscousWave own = viscous_wave(&(ViscousWaveDef){spacings[n], cubes[n], 0, 0.1, 0.3, 8});
        print_message(
            "d = %g m: left %.4f, not %.4f, at 0.005 m²/s; %.4f, not %.4f, at 0.05; a wave of "
            "0.1 m/s without any has %.2f left after 0.3 s\n",
            spacings[n], thin.left, thin.wanted, thick.left, thick.wanted, own.left);
        assert_true(thin.wanted < 0.6 && thick.wanted < 0.6);
        assert_true(thick.limit > 0.05 && thin.limit == thick.limit);
        assert_true(thin.momentum < 1e-5 && thick.momentum < 1e-5 && own.momentum < 1e-3);
        assert_true(fabs(thin.left / thin.wanted - 1) < 0.05);
        assert_true(fabs(thick.left / thick.wanted - 1) < 0.05);
    }
}

// ---------------------------------------------------------------- walls

static void films_run_down_planes_as_nusselt_says(void **state) {
    (void)state;
    // at a quarter of this viscosity the method's own takes 10 % more
    double coarse = viscous_film(0.01, 0.2, 0.4f), fine = viscous_film(0.005, 0.2, 0.4f);
    double slippery = viscous_film(0.01, 0.2, 0);
    print_message(
        "film: %.3f of Nusselt's speed with 10 layers, %.3f with 20; without friction %.1f\n",
        coarse, fine, slippery);
    assert_true(fabs(coarse - 1) < 0.08 && fabs(fine - 1) < 0.04);
    assert_true(slippery > 4);
}

// their speed grows evenly between them
static void a_moving_plate_takes_liquid_along(void **state) {
    (void)state;
    ViscousPlates plates = viscous_plates(0.01, 0.1);
    print_message(
        "between plates: slope %.3f of speed over gap, largest difference %.1f %% of the speed\n",
        plates.slope, 100 * plates.largest);
    assert_true(fabs(plates.slope - 1) < 0.05 && plates.largest < 0.05);
}

// how far the middle of a ball slides down a slope of 30° in half a second
static double run_slope(double c) {
    ThawWorldDef def = tank_def(3, 0.0167);
    ThawVec3 down = {0.5, 0, -sqrt(0.75)};
    def.gravity = (ThawVec3){9.81 * down.x, 0, 9.81 * down.z};
    ThawLiquidDef liquid = viscous_artist(c);
    Tank tank = tank_open(&def, &liquid);
    tank_obstruct(&tank, thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1}));
    tank_fill(&tank, thaw_shape_sphere((ThawVec3){0, 0, 0.1}, 0.1));
    double sum = 0;
    for (int s = 0; s < 12; s++) tank_step(&tank, 1.0 / 24);
    for (uint32_t i = 0; i < tank.count; i++) sum += tank.x[i][0] / tank.count;
    tank_close(&tank);
    return sum;
}

static void honey_sticks_to_slopes(void **state) {
    (void)state;
    double water = run_slope(0.05), honey = run_slope(20), paste = run_slope(200);
    print_message("down a slope of 30° in 0.5 s: water %.3f, c = 20 %.3f, c = 200 %.3f m\n", water,
                  honey, paste);
    assert_true(honey < 0.25 * water && paste < 0.5 * honey);
}

// a thread of honey bends and coils where it lands; by eq. 6, which slows every turn down, it is
// upset into a heap
static void a_thread_of_honey_coils(void **state) {
    (void)state;
    ThawLiquidDef honey = viscous_physical(0.1), same = viscous_artist(223);
    double bent = viscous_thread(&honey, 0.004, 0.3, 0.25),
           upset = viscous_thread(&same, 0.004, 0.3, 0.25);
    print_message("a thread leaves its axis by %.2f radii, by eq. 6 %.2f\n", bent, upset);
    assert_true(bent > 0.6 && upset < 0.35);
}

// ---------------------------------------------------------------- bodies

typedef struct Box {
    double momentum, angular; // largest change, share of the first
    double speed, spin;       // at the end
    double mean;              // speed of all as one
} Box;

// a box moves and turns inside a blob of honey in free space
static Box run_box(int dimensions, const ThawLiquidDef *liquid) {
    ThawWorldDef def = rigid_def(dimensions, 0.02);
    def.gravity = (ThawVec3){0, 0, 0};
    RigidRig rig = rigid_open(&def);
    ThawMaterialDef honey = thaw_material_default();
    honey.liquid = *liquid;
    assert_ok(thaw_world_set_material(rig.world, rig.liquid, &honey));
    ThawColliderDef body =
        rigid_body(thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.12, 0.12, 0.12}), 300);
    body.dynamic.velocity = (ThawVec3){0.3, 0, 0};
    body.dynamic.spin = (ThawVec3){0, 0, 3};
    int number = rigid_add(&rig, &body);
    rigid_blob(&rig, thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.2), (ThawVec3){0, 0, 0});
    rigid_step(&rig, 1.0 / 240);
    ThawVec3 first = rigid_momentum(&rig);
    double turn = rigid_angular(&rig).z, energy = rigid_energy(&rig);
    Box box = {.mean = first.x / (thaw_world_count(rig.world) * 1000 * pow(0.02, dimensions) +
                                  300 * pow(0.12, dimensions))};
    for (int s = 0; s < 120; s++) {
        rigid_step(&rig, 1.0 / 240);
        double now = rigid_energy(&rig);
        assert_true(now < energy * (1 + 1e-6));
        energy = now;
        ThawVec3 p = rigid_momentum(&rig);
        double lost = hypot(hypot(p.x - first.x, p.y - first.y), p.z - first.z) / first.x;
        box.momentum = fmax(box.momentum, lost);
        box.angular = fmax(box.angular, fabs(rigid_angular(&rig).z / turn - 1));
    }
    ThawColliderState state = rigid_state(&rig, number);
    box.speed = state.velocity.x;
    box.spin = state.spin.z;
    rigid_close(&rig);
    return box;
}

static void bodies_and_honey_share_their_momentum(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        int dimensions = n % 2 + 2;
        bool physical = n >= 2;
        ThawLiquidDef liquid = physical ? viscous_physical(0.3) : viscous_artist(30);
        Box box = run_box(dimensions, &liquid);
        print_message(
            "%dD box in honey, %s: momentum %.1e, angular %.1e, speed %.4f of 0.3 m/s (all as "
            "one: %.4f), spin %.3f of 3 rad/s\n",
            dimensions, physical ? "0.3 m²/s" : "c = 30", box.momentum, box.angular, box.speed,
            box.mean, box.spin);
        // rounding of the velocities of 30 times its mass
        assert_true(box.momentum < 3e-6);
        assert_true(fabs(box.speed - box.mean) < 0.02 && fabs(box.spin) < 1);
        // eq. 6 does not keep it
        if (physical) assert_true(box.angular < 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drop_spreads_less_the_more_viscous_it_is),
        cmocka_unit_test(substeps_do_not_change_the_look),
        cmocka_unit_test(shear_waves_die_alike_at_any_resolution),
        cmocka_unit_test(films_run_down_planes_as_nusselt_says),
        cmocka_unit_test(a_moving_plate_takes_liquid_along),
        cmocka_unit_test(honey_sticks_to_slopes),
        cmocka_unit_test(a_thread_of_honey_coils),
        cmocka_unit_test(bodies_and_honey_share_their_momentum),
    };
    return cmocka_run_group_tests_name("viscosity", tests, NULL, NULL);
}
