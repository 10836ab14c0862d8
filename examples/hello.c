// A box of water falls into a tank: everything that a program needs, in one page.
#include <stdio.h>
#include <stdlib.h>
#include <thaw/thaw.h>

static void check(ThawResult result) {
    if (result == THAW_OK) return;
    fprintf(stderr, "hello: %s\n", thaw_error_text());
    exit(1);
}

int main(void) {
    ThawWorldDef world_def = thaw_world_default();
    world_def.spacing = 0.05;
    ThawWorld *world;
    check(thaw_world_create(&world_def, &world));

    ThawMaterialDef water_def = thaw_material_default();
    ThawMaterialId water;
    check(thaw_world_add_material(world, &water_def, &water));

    ThawColliderDef tank_def = thaw_collider_default();
    tank_def.shape = thaw_shape_box((ThawVec3){0, 0, 0.5}, (ThawVec3){1, 1, 1});
    tank_def.container = true;
    ThawColliderId tank;
    check(thaw_world_add_collider(world, &tank_def, &tank));

    ThawBodyDef drop_def = thaw_body_default();
    drop_def.material = water;
    drop_def.shape = thaw_shape_box((ThawVec3){0, 0, 0.4}, (ThawVec3){0.5, 0.5, 0.5});
    ThawBodyId drop;
    check(thaw_world_add_body(world, &drop_def, &drop));

    for (int frame = 1; frame <= 12; frame++) {
        ThawReport report;
        check(thaw_world_step(world, 1.0 / 24, &report));
        printf("frame %2d: %u particles, fastest %.2f m/s\n", frame, report.particles,
               report.max_speed);
    }
    thaw_world_destroy(world);
    return 0;
}
