// A box of water falls into a tank, in C++: the world is owned by a unique_ptr, failures are thrown.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <thaw/thaw.h>

static void check(ThawResult result) {
    if (result != THAW_OK) throw std::runtime_error(thaw_error_text());
}

struct Destroy {
    void operator()(ThawWorld *world) const {
        thaw_world_destroy(world);
    }
};
using World = std::unique_ptr<ThawWorld, Destroy>;

static World make_world(double spacing) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = spacing;
    ThawWorld *world = nullptr;
    check(thaw_world_create(&def, &world));
    return World(world);
}

static void fill_tank(ThawWorld *world) {
    ThawMaterialDef water = thaw_material_default();
    ThawColliderDef tank = thaw_collider_default();
    tank.shape = thaw_shape_box({0, 0, 0.5}, {1, 1, 1});
    tank.container = true;
    ThawBodyDef drop = thaw_body_default();
    drop.shape = thaw_shape_box({0, 0, 0.4}, {0.5, 0.5, 0.5});

    ThawColliderId tank_id;
    ThawBodyId drop_id;
    check(thaw_world_add_material(world, &water, &drop.material));
    check(thaw_world_add_collider(world, &tank, &tank_id));
    check(thaw_world_add_body(world, &drop, &drop_id));
}

int main() try {
    World world = make_world(0.05);
    fill_tank(world.get());
    for (int frame = 1; frame <= 12; frame++) {
        ThawReport report;
        check(thaw_world_step(world.get(), 1.0 / 24, &report));
        std::printf("frame %2d: %u particles, fastest %.2f m/s\n", frame, report.particles,
                    report.max_speed);
    }
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "hello: %s\n", error.what());
    return 1;
}
