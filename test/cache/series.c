// Writes a small cache directory for the test with ParaView, and says what is in it:
//
//   series DIR  →  two lines: "time:count ..." and "channel ..."
#include <stdio.h>
#include <thaw/cache.h>
#include <thaw/thaw.h>

static const char *const channels[6] = {"velocity", "material",      "object",
                                        "state",    "density_error", "colour"};

static int failed(void) {
    fprintf(stderr, "series: %s\n", thaw_error_text());
    return 1;
}

// two boxes above a floor; a new one drops in at frame 3, so that counts change
static ThawResult add_box(ThawWorld *world, ThawMaterialId material, double x, double z) {
    ThawBodyDef body = thaw_body_default();
    body.material = material;
    body.shape = thaw_shape_box((ThawVec3){x, 0, z}, (ThawVec3){0.08, 0.08, 0.08});
    return thaw_world_add_body(world, &body, NULL);
}

static ThawResult build(ThawWorld **world, ThawMaterialId materials[2]) {
    ThawWorldDef def = thaw_world_default();
    def.threads = 1;
    ThawResult result = thaw_world_create(&def, world);
    if (result != THAW_OK) return result;
    ThawMaterialDef material = thaw_material_default();
    result = thaw_world_add_material(*world, &material, &materials[0]);
    material.name = "oil";
    if (result == THAW_OK) result = thaw_world_add_material(*world, &material, &materials[1]);
    ThawColliderDef floor = thaw_collider_default();
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    if (result == THAW_OK) result = thaw_world_add_collider(*world, &floor, NULL);
    ThawChannelDef channel = {"colour", THAW_F32, 3};
    if (result == THAW_OK) result = thaw_world_add_channel(*world, &channel);
    return result;
}

static ThawResult put(ThawCache *cache, ThawWorld *world, int number, const ThawReport *report) {
    ThawFrameInfo info = {.frame = number,
                          .time = thaw_world_time(world),
                          .fps = 24,
                          .spacing = thaw_world_spacing(world),
                          .support = thaw_world_support(world),
                          .up = 2,
                          .dimensions = 3};
    ThawFrame *frame;
    ThawResult result = thaw_frame_take(world, &info, channels, 6, &frame);
    if (result != THAW_OK) return result;
    printf("%s%.17g:%u", number == 0 ? "" : " ", info.time, frame->count);
    ThawStats stats = {.frame = number, .report = *report};
    return thaw_cache_put(cache, frame, &stats);
}

// from nothing: the first frame has no particle
static ThawResult simulate(ThawCache *cache, ThawWorld *world, const ThawMaterialId *materials) {
    ThawReport report = {0};
    ThawResult result = put(cache, world, 0, &report);
    if (result == THAW_OK) result = add_box(world, materials[0], 0, 0.06);
    if (result == THAW_OK) result = add_box(world, materials[1], 0.1, 0.2);
    for (int k = 1; k <= 6 && result == THAW_OK; k++) {
        if (k == 3) result = add_box(world, materials[0], 0, 0.3);
        if (result == THAW_OK) result = thaw_world_step(world, 1.0 / 24, &report);
        if (result == THAW_OK) result = put(cache, world, k, &report);
    }
    return result;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    ThawWorld *world = NULL;
    ThawMaterialId materials[2];
    ThawCacheDef def = {.directory = argv[1], .fps = 24, .dimensions = 3, .compression = 1};
    ThawCache *cache;
    if (build(&world, materials) != THAW_OK) return failed();
    if (thaw_cache_create(&def, &cache) != THAW_OK) return failed();
    ThawResult result = simulate(cache, world, materials);
    if (result != THAW_OK) return failed();
    if (thaw_cache_close(cache) != THAW_OK) return failed();
    printf("\nid");
    for (int k = 0; k < 6; k++) printf(" %s", channels[k]);
    printf("\n");
    thaw_world_destroy(world);
    return 0;
}
