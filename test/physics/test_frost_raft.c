// A raft with ice frozen to it floats as deep as both weigh.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/heat_state.h"
#include "support/rigid.h"
#include "world/world.h"

#define SPACING 0.01
#define WIDTH 0.5 // m, of the pool
#define DEPTH 0.12
#define RAFT 0.3 // m wide, 0.08 m high
#define HALF 0.04

static void add_slab(RigidRig *rig, double density, double bottom) {
    ThawMaterialDef ice = thaw_material_default();
    ice.name = "ice";
    ice.density = (float)density;
    ice.solid.young = 2e5f;
    ice.thermal.melts_at = 273.15f;
    ice.thermal.latent_heat = 3.34e5f;
    ice.thermal.conductivity = 0;
    ThawBodyDef slab = thaw_body_default();
    slab.state = THAW_STATE_SOLID;
    slab.temperature = 250;
    slab.shape = thaw_shape_box((ThawVec3){0, bottom + 0.01, 0}, (ThawVec3){RAFT, 0.02, 1});
    assert_int_equal(thaw_world_add_material(rig->world, &ice, &slab.material), THAW_OK);
    assert_int_equal(thaw_world_add_body(rig->world, &slab, NULL), THAW_OK);
}

// freezes all solids to a body; returns how many there are
static uint32_t freeze(RigidRig *rig, int body) {
    const ThawStore *store = rig->world->store;
    int32_t *frost = thaw_thermal_state(rig->world->store).frost;
    uint32_t count = 0;
    for (uint32_t row = 0; row < store->count; row++) {
        if (store->state[row] != THAW_STATE_SOLID) continue;
        frost[row] = (int32_t)rig->bodies[body].value;
        count++;
    }
    return count;
}

// how deep a raft floats with a slab of ice on it, and how deep both would by their weight, m
static double float_raft(double density, double *weight) {
    ThawWorldDef def = rigid_def(2, SPACING);
    def.heat.on = true;
    RigidRig rig = rigid_open(&def);
    rigid_tank(&rig, WIDTH, 0.1f);
    rigid_pool(&rig, WIDTH, DEPTH);
    double top = DEPTH + 0.07, bottom = 0;
    if (density > 0) add_slab(&rig, density, top);
    ThawVec3 center = {0, top - HALF, 0}, size = {RAFT, 2 * HALF, 1};
    ThawColliderDef body = rigid_body(thaw_shape_box(center, size), 200);
    body.frosts = true;
    int raft = rigid_add(&rig, &body);
    uint32_t frozen = freeze(&rig, raft);
    for (int k = 0; k < 480; k++) {
        rigid_step(&rig, 1.0 / 120);
        if (k >= 320) bottom += (rigid_height(&rig, raft) - HALF) / 160;
    }
    double volume = (rig.world->store->count - frozen) * SPACING * SPACING;
    double level = (volume - RAFT * bottom) / (WIDTH - RAFT);
    double mass = rigid_state(&rig, raft).mass + frozen * SPACING * SPACING * density;
    *weight = mass / (1000 * RAFT);
    rigid_close(&rig);
    return level - bottom;
}

static void ice_on_a_raft_sinks_it_by_its_weight(void **state) {
    (void)state;
    const double densities[3] = {0, 917, 1800};
    for (int k = 0; k < 3; k++) {
        double weight, depth = float_raft(densities[k], &weight);
        print_message("floats %.4f m deep, by its weight %.4f m\n", depth, weight);
        // as sharp as the liquid's surface is
        assert_true(fabs(depth - weight) < 0.25 * SPACING);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ice_on_a_raft_sinks_it_by_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
