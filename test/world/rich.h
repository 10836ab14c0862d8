// A world with one of everything that a snapshot holds.
#ifndef TEST_WORLD_RICH_H
#define TEST_WORLD_RICH_H

#include "helpers.h"

#include "models/heat_state.h"
#include "world/world.h"

// `size`: m, edge of its boxes
static inline ThawWorld *rich_world(double size) {
    ThawWorldDef def = small_def(3);
    def.periodic[1] = true;
    def.lower.y = -1, def.upper.y = 1;
    def.seed = 42;
    def.solver.iterations = 7;
    def.heat = (ThawHeatDef){.on = true, .ambient = 280, .convection = 12, .emissivity = 0.5f};
    ThawWorld *world = make_world(&def);

    ThawMaterialDef oil = thaw_material_default();
    oil.name = "oil";
    oil.density = 870.25f;
    oil.liquid.surface_tension = 0.5f;
    oil.liquid.tension = 0.03f;
    oil.solid.young = 3e4f;
    oil.solid.elasticity = THAW_ELASTIC_NEO_HOOKEAN;
    oil.solid.fracture_strain = 0.25f;
    oil.solid.docking_rate = 2.5f;
    oil.solid.density = 800;
    oil.thermal.melts_at = 285;
    oil.thermal.latent_heat = 1e5f;
    oil.thermal.expansion = 1e-3f;
    oil.thermal.viscosity = (ThawFactorCurve){2, {270, 290}, {10, 0.5f}};
    ThawBodyDef body = box_def(add_water(world), (ThawVec3){0, 0.99, 0.3});
    body.shape.size = (ThawVec3){size, size, size};
    body.jitter = 0.2;
    body.spin = (ThawVec3){0.3, 0.1, 2};
    ThawBodyId gone;
    assert_ok(thaw_world_add_body(world, &body, &gone));
    assert_ok(thaw_world_add_body(world, &body, NULL));
    assert_ok(thaw_world_add_material(world, &oil, &body.material));
    body.name = "";
    body.shape.pose.position.x = 0.5;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    assert_ok(thaw_world_remove_body(world, gone));

    ThawBodyDef block = box_def(body.material, (ThawVec3){3, 0.2, 1});
    block.name = "block";
    block.state = THAW_STATE_SOLID;
    block.shape.size = (ThawVec3){0.03, 0.03, 0.03};
    block.shape = thaw_shape_rotate(block.shape, (ThawVec3){1, 1, 0}, 0.4);
    block.temperature = 260;
    ThawBodyId solid;
    assert_ok(thaw_world_add_body(world, &block, &solid));

    const double x[3][3] = {{5, 0, 0}, {-4, 0.5, 0}, {100, 0, 7}};
    const float v[3][3] = {{1, 2, 3}, {-0.0f, 1e-42f, 5}, {1e20f, 0, 0}};
    ThawParticlesDef particles = {
        .material = body.material, .count = 3, .positions = x, .velocities = v, .spacing = 0.02f};
    assert_ok(thaw_world_add_particles(world, &particles, NULL));

    ThawKeyframe keys[2] = {{0.5, {0, 0, 0}, {0, 0, 0, 1}}, {1.5, {1, 0, 0}, {0, 0.6, 0, 0.8}}};
    ThawColliderDef collider = thaw_collider_default();
    collider.name = "paddle";
    collider.shape = thaw_shape_rotate(
        thaw_shape_box((ThawVec3){2, 0, 0}, (ThawVec3){0.3, 0.2, 0.1}), (ThawVec3){1, 2, 3}, 0.77);
    collider.motion = keys;
    collider.motion_count = 2;
    collider.friction = 0.4f;
    ThawColliderId first;
    assert_ok(thaw_world_add_collider(world, &collider, &first));
    assert_ok(thaw_world_add_collider(world, &collider, NULL));
    collider = thaw_collider_default();
    collider.container = true;
    collider.shape = thaw_shape_capsule((ThawVec3){0, 0, -3}, (ThawVec3){1, 0, 3}, 200);
    assert_ok(thaw_world_add_collider(world, &collider, NULL));
    assert_ok(thaw_world_remove_collider(world, first));
    collider = thaw_collider_default();
    collider.name = "rod";
    collider.shape = thaw_shape_sphere((ThawVec3){3, 0.2, 0.9}, 0.05);
    collider.temperature = 240;
    collider.heat_transfer = 300;
    collider.frosts = true;
    assert_ok(thaw_world_add_collider(world, &collider, NULL));

    // one that heats a region, one that is gone, one that cools a body
    ThawHeatSourceDef source = thaw_heat_source_default();
    source.name = "torch";
    source.region = thaw_shape_sphere((ThawVec3){0, 0.99, 0.3}, 0.02);
    source.power = 50;
    source.to = 2;
    ThawHeatSourceId lamp;
    assert_ok(thaw_world_add_heat_source(world, &source, NULL));
    assert_ok(thaw_world_add_heat_source(world, &source, &lamp));
    source = thaw_heat_source_default();
    source.everywhere = true;
    source.temperature = 262;
    source.body = solid;
    assert_ok(thaw_world_add_heat_source(world, &source, NULL));
    assert_ok(thaw_world_remove_heat_source(world, lamp));

    // one that holds, one that waits for a collider, one that is over
    ThawKeyframe drag[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {0.5, {0, 0.1, 0}, {0, 0, 0.6, 0.8}}};
    ThawAttachmentDef hold = thaw_attachment_default();
    hold.name = "grip";
    hold.region = thaw_shape_box((ThawVec3){3, 0.2, 1.01}, (ThawVec3){0.2, 0.2, 0.02});
    hold.body = solid;
    hold.motion = drag;
    hold.motion_count = 2;
    ThawAttachmentId over;
    assert_ok(thaw_world_add_attachment(world, &hold, NULL));
    ThawBall balls[2] = {{{2, 0, 0}, 0.1}, {{2.1, 0, 0.05}, 0.07}};
    hold = thaw_attachment_default();
    hold.region = thaw_shape_blend(balls, 2, 0.03);
    hold.collider.value = 2;
    hold.from = 0.3;
    assert_ok(thaw_world_add_attachment(world, &hold, &over));
    assert_ok(thaw_world_add_attachment(world, &hold, NULL));
    assert_ok(thaw_world_remove_attachment(world, over));
    hold.collider.value = 0;
    hold.from = -2, hold.to = -1;
    assert_ok(thaw_world_add_attachment(world, &hold, NULL));
    assert_ok(thaw_attachments_begin(world, 0, 0.001));
    assert_true(world->attachments[0].held_count > 3);

    // what has just melted
    assert_ok(thaw_thermal_open_youth(world->store));
    thaw_thermal_state(world->store).youth[1] = 0.5f;
    thaw_thermal_state(world->store).excess[1] = 0.125f;

    ThawChannelDef channels[2] = {{"colour", THAW_F32, 3}, {"tag", THAW_I32, 1}};
    void *data;
    for (int k = 0; k < 2; k++) assert_ok(thaw_world_add_channel(world, &channels[k]));
    assert_ok(thaw_world_edit(world, "tag", &data));
    for (uint32_t row = 0; row < thaw_world_count(world); row++)
        ((int32_t *)data)[row] = (int32_t)row;
    assert_ok(thaw_world_edit(world, "colour", &data));
    ((float *)data)[4] = NAN; // a channel's values are the user's business
    return world;
}

#endif
