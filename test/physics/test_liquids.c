// Several liquids in one world: light ones rise through heavy ones and stay above, up to a ratio of 10, without
// energy from nowhere, and each flows as its own material says.
//
// At rest the method's liquids hold shear of some per cent of their pressure (docs/theory/liquid.md, Limits), so
// that a flat layer of oil under water may stay; a body of it, as high as a good part of the depth, rises.
#include "support/two.h"
#include "world/helpers.h"

#define CALM 0.016 // m/s, 1 % of √(gH)

static TwoDef liquids(int dimensions, float below, float above) {
    TwoDef def = two_def(dimensions, 0.01, 0.01);
    def.phase[0].density = below;
    def.phase[1].density = above;
    def.walls = true;
    return def;
}

// a block of light liquid at the bottom: mean heights as time goes on
static void check_rise(TwoDef def, double seconds, double share, const char *name) {
    def.place = TWO_INSIDE;
    Two two = two_open(&def);
    two_run(&two, 0.1);
    TwoFigures f = two_look(&two);
    assert_true(f.phase[0].height < f.phase[1].height);
    for (int k = 0; k < 4; k++) {
        two_run(&two, seconds / 4);
        f = two_look(&two);
        two_print(&two, &f, name);
    }
    // lying flat on top it would be this high
    double area = def.dimensions == 2 ? two.width : two.width * two.width;
    double top = (two.volume[1] + 0.5 * two.volume[0]) / area;
    assert_true(f.phase[0].height > f.phase[1].height);
    assert_true(f.phase[0].height > share * top);
    assert_true(two.energy_max <= 1.01);
    two_close(&two);
}

static void oil_rises_through_water(void **state) {
    (void)state;
    TwoDef def = liquids(2, 800, 1000);
    def.across = 40;
    def.phase[0].layers = def.phase[1].layers = 14;
    def.jitter = 0.2;
    check_rise(def, 4, 0.75, "2D, a block of 800 in 1000");
}

static void a_tenth_as_heavy_rises_too(void **state) {
    (void)state;
    TwoDef def = liquids(2, 100, 1000);
    def.across = 40;
    def.phase[0].layers = def.phase[1].layers = 14;
    check_rise(def, 2, 0.85, "2D, a block of 100 in 1000");
    def = liquids(3, 100, 1000);
    def.across = 6;
    def.phase[0].layers = 6;
    def.phase[1].layers = 6;
    check_rise(def, 1.2, 0.7, "3D, a block of 100 in 1000");
}

static void check_stay(const TwoDef *def, double seconds, const char *name) {
    Two two = two_open(def);
    two_run(&two, seconds);
    TwoFigures f = two_look(&two);
    two_print(&two, &f, name);
    for (int k = 0; k < 2; k++) {
        assert_true(f.phase[k].cross < 1);
        assert_true(f.phase[k].error_max < 0.05);
        assert_true(f.phase[k].rms_speed < CALM && f.phase[k].face_speed < 2 * CALM);
    }
    assert_true(fabs(f.gap) < 0.05);
    assert_true(two.energy_max <= 1.01);
    two_close(&two);
}

// (a thin flat pool trembles on its floor whatever it is made of: ten to one is shown in 3D)
static void light_on_heavy_stays(void **state) {
    (void)state;
    TwoDef def = liquids(2, 1000, 800);
    def.across = 40;
    check_stay(&def, 10, "2D, 800 on 1000");
    def = liquids(3, 1000, 100);
    def.across = 6;
    def.phase[0].layers = def.phase[1].layers = 6;
    check_stay(&def, 5, "3D, 100 on 1000");
}

// heavy on light is a flat interface that has to fall over; ten to one it does
static void heavy_on_light_turns_over(void **state) {
    (void)state;
    TwoDef def = liquids(2, 100, 1000);
    def.across = 40;
    def.jitter = 0.2;
    Two two = two_open(&def);
    two_run(&two, 4);
    TwoFigures f = two_look(&two);
    two_print(&two, &f, "2D, 1000 on 100");
    double half = two.volume[0] / two.width;
    // sorted, heights would be 1.5 and 0.5 of a layer's thickness
    assert_true(f.phase[0].height > 1.2 * half && f.phase[1].height < 0.8 * half);
    assert_true(two.energy_max <= 1.01);
    two_close(&two);
}

// ---------------------------------------------------------------- each its own material

// two columns collapse in far corners of a tank; how high each is after half a second
static void collapse(float left, float right, double height[2]) {
    ThawWorldDef world = tank_def(2, 0.01);
    Tank tank = tank_open(&world, NULL);
    ThawMaterialDef def = thaw_material_default();
    ThawMaterialId id[2] = {tank.liquid, tank.liquid};
    for (int k = 0; k < 2; k++) {
        def.name = k == 0 ? "left" : "right";
        def.liquid.xsph = k == 0 ? left : right;
        assert_ok(thaw_world_add_material(tank.world, &def, &id[k]));
    }
    tank_contain(&tank, tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){2, 1, 0}), 0.4f);
    for (int k = 0; k < 2; k++) {
        tank.liquid = id[k];
        double from = k == 0 ? 0 : 1.85;
        tank_fill(&tank, tank_box(2, (ThawVec3){from, 0, 0}, (ThawVec3){from + 0.15, 0.3, 0}));
    }
    for (int k = 0; k < 50; k++) tank_step(&tank, 0.01);
    double count[2] = {0, 0};
    height[0] = height[1] = 0;
    for (uint32_t i = 0; i < tank.count; i++) {
        int k = tank.x[i][0] > 1;
        height[k] += tank.x[i][1];
        count[k]++;
    }
    for (int k = 0; k < 2; k++) height[k] /= count[k];
    tank_close(&tank);
}

static void each_liquid_has_its_own_viscosity(void **state) {
    (void)state;
    double both[2], thin[2], thick[2];
    collapse(0.05f, 20, both);
    collapse(0.05f, 0.05f, thin);
    collapse(20, 20, thick);
    print_message("mean heights after 0.5 s: thin %.4f beside thick %.4f m; alike %.4f and %.4f\n",
                  both[0], both[1], thin[0], thick[1]);
    assert_true(both[1] > 1.3 * both[0]);
    // the other column is far away: each goes as it would beside one of its own
    assert_true(fabs(both[0] / thin[0] - 1) < 0.05);
    assert_true(fabs(both[1] / thick[1] - 1) < 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oil_rises_through_water),
        cmocka_unit_test(a_tenth_as_heavy_rises_too),
        cmocka_unit_test(light_on_heavy_stays),
        cmocka_unit_test(heavy_on_light_turns_over),
        cmocka_unit_test(each_liquid_has_its_own_viscosity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
