// All that a world holds follows its particles: after most of them are gone it is what a world needs that never held
// more, whatever liquid, solid, walls, heat and views asked for. And it goes on in the same bits.
#include "helpers.h"

#include "base/memory.h"
#include "world/world.h"

#define SPACING 0.0145 // m
#define LENGTH 1.5     // m: a tenth is kept
#define HEIGHT 0.12
#define DT 0.001 // s
#define STEPS (2 * THAW_SCRATCH_CALLS + 4)

enum { PLAIN, RICH, WARM, SOLID, SIZES, KINDS };

static const char *const names[] = {"liquid in a tank", "liquid with all that it has",
                                    "liquid that is warmed", "solid that breaks", "two sizes"};

static void add_matter(ThawWorld *world, int kind) {
    ThawMaterialDef def = thaw_material_default();
    ThawBodyDef body = thaw_body_default();
    if (kind == RICH) {
        def.liquid.tension = 0.07f;
        def.liquid.vorticity = 0.3f;
        def.liquid.viscosity = 2;
    }
    if (kind == SOLID) {
        def.solid.young = 1e5f;
        def.solid.fracture_strain = 0.2f;
        body.state = THAW_STATE_SOLID;
    }
    assert_ok(thaw_world_add_material(world, &def, &body.material));
    body.shape = thaw_shape_box((ThawVec3){0, 0, HEIGHT / 2}, (ThawVec3){LENGTH, 0.14, HEIGHT});
    assert_ok(thaw_world_add_body(world, &body, NULL));
    if (kind != SIZES) return;
    body.spacing = (float)(0.7 * SPACING);
    body.shape =
        thaw_shape_box((ThawVec3){0, 0, 1.25 * HEIGHT}, (ThawVec3){LENGTH, 0.14, HEIGHT / 2});
    assert_ok(thaw_world_add_body(world, &body, NULL));
}

static ThawWorld *make_tank(int kind) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    def.heat = (ThawHeatDef){.on = kind == WARM, .ambient = 290, .convection = 50};
    ThawWorld *world = make_world(&def);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.temperature = 350;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.5}, (ThawVec3){LENGTH, 0.14, 1});
    assert_ok(thaw_world_add_collider(world, &tank, NULL));
    add_matter(world, kind);
    return world;
}

// looks at what makes the world keep something for it
static void look(ThawWorld *world) {
    ThawView view;
    assert_ok(thaw_world_view(world, "position", &view));
    uint32_t row;
    assert_ok(thaw_world_index(world, ((const uint64_t *)view_of(world, "id").data)[0], &row));
}

static void run(ThawWorld *world, int steps) {
    for (int k = 0; k < steps; k++) assert_ok(thaw_world_step(world, DT, NULL));
}

// a sink that leaves a tenth, for one step
static void take_most(ThawWorld *world) {
    ThawSinkDef sink = thaw_sink_default();
    sink.shape = thaw_shape_box((ThawVec3){0.05 * LENGTH, 0, 0}, (ThawVec3){0.9 * LENGTH, 1, 4});
    sink.to = thaw_world_time(world) + DT / 2;
    assert_ok(thaw_world_add_sink(world, &sink, NULL));
}

// the same world, which never held more
static ThawWorld *copy_of(ThawWorld *world) {
    void *bytes;
    size_t size;
    ThawWorld *fresh;
    assert_ok(thaw_world_save(world, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, NULL, &fresh));
    thaw_snapshot_free(bytes);
    return fresh;
}

static void check_same_bits(ThawWorld *a, ThawWorld *b) {
    void *bytes[2];
    size_t size[2];
    assert_ok(thaw_world_save(a, &bytes[0], &size[0]));
    assert_ok(thaw_world_save(b, &bytes[1], &size[1]));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    thaw_snapshot_free(bytes[0]);
    thaw_snapshot_free(bytes[1]);
}

static void check_kind(int kind) {
    size_t nothing = thaw_alloc_bytes();
    ThawWorld *world = make_tank(kind);
    for (int k = 0; k < 3; k++) {
        run(world, 1);
        look(world);
    }
    uint32_t full = thaw_world_count(world);
    size_t peak = thaw_alloc_bytes() - nothing;
    take_most(world);
    run(world, 2);
    size_t both = thaw_alloc_bytes();
    ThawWorld *fresh = copy_of(world);
    run(fresh, STEPS);
    size_t need = thaw_alloc_bytes() - both;
    run(world, STEPS);
    size_t held = thaw_alloc_bytes() - nothing - need;
    uint32_t left = thaw_world_count(world);
    print_message("%s: %u particles, %.2f MB; then %u, %.3f MB, %.3f of what they need\n",
                  names[kind], full, (double)peak * 1e-6, left, (double)held * 1e-6,
                  (double)held / (double)need);
    assert_true(full > 8 * left && left > 500);
    assert_true((double)held < 1.2 * (double)need);
    assert_true((double)peak > 4 * (double)held);
    check_same_bits(world, fresh);
    thaw_world_destroy(world);
    thaw_world_destroy(fresh);
    assert_int_equal(thaw_alloc_bytes(), nothing);
}

static void what_a_peak_took_is_given_back_and_changes_no_bit(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) check_kind(kind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_peak_took_is_given_back_and_changes_no_bit),
    };
    return cmocka_run_group_tests_name("memory of a world", tests, NULL, NULL);
}
