// Snapshots: a world comes back from its bytes as it was, and equal worlds have equal bytes.
#include "rich.h"

#include "models/heat_state.h"

#include "lattice/state.h"
#include "world/codec.h"
#include "world/world.h"

#include <stdlib.h>

static const ThawHostDef one_thread = {.threads = 1};

static ThawWorld *copy_of(ThawWorld *world) {
    void *bytes;
    size_t size;
    ThawWorld *copy = NULL;
    assert_ok(thaw_world_save(world, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, &one_thread, &copy));
    thaw_snapshot_free(bytes);
    return copy;
}

static void assert_same_bytes(ThawWorld *a, ThawWorld *b) {
    void *bytes[2];
    size_t size[2];
    assert_ok(thaw_world_save(a, &bytes[0], &size[0]));
    assert_ok(thaw_world_save(b, &bytes[1], &size[1]));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    assert_true(thaw_world_hash(a) == thaw_world_hash(b));
    thaw_snapshot_free(bytes[0]);
    thaw_snapshot_free(bytes[1]);
}

static void save_load_save_gives_the_same_bytes(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.1);
    world->time = 1.25;
    world->step = 77;
    world->datum_height = -0.5;
    world->datum_set = true;
    ThawWorld *copy = copy_of(world);
    assert_same_bytes(world, copy);
    assert_true(thaw_world_time(copy) == 1.25);
    assert_true(copy->step == 77 && copy->datum_set && copy->datum_height == -0.5);
    assert_int_equal(thaw_world_count(copy), thaw_world_count(world));
    assert_int_equal(copy->def.solver.iterations, 7);
    assert_int_equal(copy->def.seed, 42);
    assert_string_equal(copy->materials[1].name, "oil");
    assert_string_equal(copy->colliders[0].name, "paddle");
    thaw_world_destroy(world);
    thaw_world_destroy(copy);
}

static void empty_worlds_come_back(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = small_world(dimensions);
        ThawWorld *copy = copy_of(world);
        assert_same_bytes(world, copy);
        assert_int_equal(copy->domain.dimensions, dimensions);
        thaw_world_destroy(world);
        thaw_world_destroy(copy);
    }
}

// the promise of snapshots, with a periodic axis, a moving collider and pushes after loading
static void a_loaded_world_goes_on_in_the_same_bits(void **state) {
    (void)state;
    ThawWorld *straight = rich_world(0.1);
    // the fast stray would leave the domain
    ThawParticleId stray = ((uint64_t)(straight->next_source - 1) << 40) + 3;
    assert_ok(thaw_world_remove_particles(straight, &stray, 1, NULL));
    for (int k = 0; k < 3; k++) assert_ok(thaw_world_step(straight, 0.005, NULL));
    ThawWorld *resumed = copy_of(straight);
    assert_true(thaw_world_time(resumed) == thaw_world_time(straight));
    ThawWorld *both[2] = {straight, resumed};
    for (int k = 0; k < 2; k++) {
        ThawShape ball = thaw_shape_sphere((ThawVec3){0, 1, 0.3}, 0.0413);
        assert_ok(thaw_world_push(both[k], &ball, (ThawVec3){0.01, 0.02, 0.03}));
        for (int n = 0; n < 4; n++) assert_ok(thaw_world_step(both[k], 0.005, NULL));
    }
    assert_same_bytes(straight, resumed);
    thaw_world_destroy(straight);
    thaw_world_destroy(resumed);
}

// handles and ids go on where they were: new things get the same names in both worlds
static void a_copy_gives_out_the_same_names(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05);
    ThawWorld *copy = copy_of(world);
    ThawWorld *both[2] = {world, copy};
    for (int k = 0; k < 2; k++) {
        ThawBodyDef body = box_def((ThawMaterialId){1}, (ThawVec3){3, 0, 0});
        ThawBodyId id;
        assert_ok(thaw_world_add_body(both[k], &body, &id));
        assert_int_equal(id.value, 5);
        assert_missing(thaw_world_remove_body(both[k], (ThawBodyId){1}), "body");
        assert_ok(thaw_world_remove_body(both[k], (ThawBodyId){2}));
        ThawColliderDef ball = thaw_collider_default();
        ball.shape = thaw_shape_sphere((ThawVec3){0, 0, 9}, 1);
        assert_ok(thaw_world_add_collider(both[k], &ball, NULL));
        assert_ok(thaw_world_kick(both[k], ((uint64_t)3 << 40) + 1, (ThawVec3){1, 0, 0}));
        ThawAttachmentDef pin = thaw_attachment_default();
        pin.region = thaw_shape_sphere((ThawVec3){0, 0, 9}, 1);
        ThawAttachmentId pinned;
        assert_ok(thaw_world_add_attachment(both[k], &pin, &pinned));
        assert_int_equal(pinned.value, 5);
    }
    assert_same_bytes(world, copy);
    thaw_world_destroy(world);
    thaw_world_destroy(copy);
}

static void bytes_do_not_depend_on_row_order(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.1);
    ThawWorld *other = copy_of(world);
    uint32_t count = other->store->count;
    uint32_t *order = malloc(count * sizeof *order);
    assert_non_null(order);
    for (uint32_t k = 0; k < count; k++) order[k] = count - 1 - k;
    assert_ok(thaw_store_permute(other->store, other->parallel, order));
    free(order);
    assert_true(other->store->id[0] > other->store->id[count - 1]);
    assert_same_bytes(world, other);
    thaw_world_destroy(world);
    thaw_world_destroy(other);
}

static void the_hash_is_the_one_in_the_snapshot(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.1);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    const uint8_t *start = bytes;
    assert_memory_equal(start, "THAWSNAP", 8);
    uint64_t kept = 0;
    for (int k = 0; k < 8; k++) kept |= (uint64_t)start[24 + k] << (8 * k);
    assert_true(kept == thaw_world_hash(world));
    assert_true(kept == thaw_hash_bytes(start + 32, size - 32));
    thaw_snapshot_free(bytes);
    thaw_world_destroy(world);
}

// every saved value moves the hash
static void the_hash_sees_every_part(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05);
    uint64_t before = thaw_world_hash(world);
    uint32_t last = world->store->count - 1;
    uint8_t *places[] = {
        (uint8_t *)&world->def.spacing,
        (uint8_t *)&world->def.solver.skin,
        (uint8_t *)&world->time,
        (uint8_t *)&world->step,
        (uint8_t *)&world->datum_height,
        (uint8_t *)&world->next_source,
        (uint8_t *)&world->settled_source,
        (uint8_t *)&world->next_body,
        (uint8_t *)&world->next_collider,
        (uint8_t *)&world->next_attachment,
        (uint8_t *)&world->def.solver.elastic_steps,
        (uint8_t *)&world->def.solver.explicit_forces,
        (uint8_t *)&world->materials[1].liquid.xsph,
        (uint8_t *)&world->materials[1].solid.young,
        (uint8_t *)&world->materials[1].solid.elasticity,
        (uint8_t *)&world->materials[1].solid.docking_growth,
        (uint8_t *)&world->materials[1].solid.density,
        (uint8_t *)&world->def.heat.convection,
        (uint8_t *)&world->materials[1].thermal.latent_heat,
        (uint8_t *)&world->materials[1].thermal.freezing_neighbors,
        (uint8_t *)&world->materials[1].thermal.viscosity.factor[1],
        (uint8_t *)&world->colliders[2].temperature,
        (uint8_t *)&world->colliders[2].heat_transfer,
        (uint8_t *)&world->colliders[2].frosts,
        (uint8_t *)&world->last_heat_source,
        (uint8_t *)&world->heat_sources[0].def.power,
        (uint8_t *)&world->heat_sources[0].def.region.radius,
        (uint8_t *)&world->heat_sources[1].def.temperature,
        (uint8_t *)&world->heat_sources[1].given,
        (uint8_t *)&world->attachments[0].phase,
        (uint8_t *)&world->attachments[0].begin.position.y,
        (uint8_t *)&world->attachments[0].motion[1].move.y,
        (uint8_t *)&world->attachments[0].held[2].start[1],
        (uint8_t *)&world->attachments[1].collider,
        (uint8_t *)&world->attachments[1].region.smooth,
        (uint8_t *)(uintptr_t)&world->attachments[1].region.balls[1].radius,
        (uint8_t *)&world->attachments[2].to,
        (uint8_t *)&world->colliders[0].motion[1].move,
        (uint8_t *)&world->bodies[0].source,
        (uint8_t *)&world->store->cells[last * 3],
        (uint8_t *)&world->store->velocity[last * 3 + 2],
        (uint8_t *)&world->store->spacing[0],
        (uint8_t *)&world->store->object[0],
        (uint8_t *)&world->store->material[0],
        (uint8_t *)&world->store->state[last],
        (uint8_t *)world->store->channels[0].data,
        (uint8_t *)thaw_store_channel(world->store, "enthalpy")->data,
        (uint8_t *)thaw_store_channel(world->store, "temperature")->data,
        (uint8_t *)thaw_store_channel(world->store, "frost")->data,
    };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        *places[k] ^= 1;
        assert_true(thaw_world_hash(world) != before);
        *places[k] ^= 1;
    }
    assert_true(thaw_world_hash(world) == before);
    // and what is derived, or the host's, does not
    world->store->density_error[0] = 5;
    world->def.threads = 9;
    world->colliders[0].contact.particles = 3;
    assert_true(thaw_world_hash(world) == before);
    thaw_world_destroy(world);
}

static void a_loaded_world_takes_threads_from_its_host(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05);
    ThawHostDef host = {.threads = 3, .isa = THAW_ISA_BASELINE};
    void *bytes;
    size_t size;
    ThawWorld *copy;
    assert_ok(thaw_world_save(world, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, &host, &copy));
    assert_int_equal(thaw_world_threads(copy), 3);
    assert_int_equal(thaw_world_isa(copy), THAW_ISA_BASELINE);
    assert_same_bytes(world, copy);
    thaw_world_destroy(copy);
    assert_ok(thaw_world_load(bytes, size, NULL, &copy));
    thaw_world_destroy(copy);
    host.threads = 1000;
    assert_refused(thaw_world_load(bytes, size, &host, &copy), "threads");
    thaw_snapshot_free(bytes);
    thaw_world_destroy(world);
}

static void attachments_and_lattices_come_back(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05), *copy = copy_of(world);
    assert_int_equal(copy->attachment_count, 3);
    const ThawAttachment *a = &world->attachments[0], *b = &copy->attachments[0];
    assert_string_equal(b->name, "grip");
    assert_int_equal(a->held_count, b->held_count);
    for (uint32_t k = 0; k < a->held_count; k++) {
        assert_true(a->held[k].id == b->held[k].id);
        assert_memory_equal(a->held[k].start, b->held[k].start, sizeof a->held[k].start);
    }
    assert_true(copy->attachments[1].region.balls != world->attachments[1].region.balls);
    assert_true(copy->attachments[1].region.balls[1].radius == 0.07);
    assert_int_equal(copy->attachments[2].phase, THAW_HOLD_OVER);
    assert_true(copy->materials[1].solid.young == 3e4f);
    assert_int_equal(copy->materials[1].solid.elasticity, THAW_ELASTIC_NEO_HOOKEAN);
    // and it goes on holding the same way
    ThawWorld *both[2] = {world, copy};
    for (int k = 0; k < 2; k++) {
        assert_ok(thaw_attachments_begin(both[k], 0.2, 0.01));
        assert_true(both[k]->held_count > 3);
    }
    assert_int_equal(world->held_count, copy->held_count);
    for (uint32_t k = 0; k < world->held_count; k++) {
        assert_memory_equal(world->held_moves[k].shift, copy->held_moves[k].shift, 12);
    }
    thaw_world_destroy(world);
    thaw_world_destroy(copy);
}

static void heat_comes_back(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05), *copy = copy_of(world);
    assert_true(copy->def.heat.on && copy->def.heat.ambient == 280);
    assert_true(copy->def.heat.convection == 12 && copy->def.heat.emissivity == 0.5f);
    assert_memory_equal(&copy->materials[1], &world->materials[1], sizeof(ThawMaterial));
    assert_string_equal(copy->colliders[2].name, "rod");
    assert_true(copy->colliders[2].temperature == 240 && copy->colliders[2].frosts);
    assert_int_equal(copy->heat_source_count, 2);
    assert_string_equal(copy->heat_sources[0].name, "torch");
    assert_true(copy->heat_sources[0].def.region.radius == 0.02);
    ThawHeatSourceDef source = thaw_heat_source_default();
    source.everywhere = true;
    ThawHeatSourceId next;
    assert_ok(thaw_world_add_heat_source(copy, &source, &next));
    assert_int_equal(next.value, 4);
    thaw_world_destroy(world);
    thaw_world_destroy(copy);
}

static void heat_that_is_no_number_is_not_saved(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05);
    void *bytes = NULL;
    size_t size;
    thaw_thermal_state(world->store).heat[3] = NAN;
    assert_refused(thaw_world_save(world, &bytes, &size), "enthalpy");
    assert_null(bytes);
    thaw_world_destroy(world);
}

static void lattices_that_are_no_numbers_are_not_saved(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05);
    ThawLatticeState lattice = thaw_lattice_state(world->store);
    uint32_t row = 0;
    while (world->store->state[row] != THAW_STATE_SOLID) row++;
    void *bytes = NULL;
    size_t size;
    lattice.map[9 * (size_t)row + 4] = NAN;
    assert_refused(thaw_world_save(world, &bytes, &size), "lattice");
    assert_null(bytes);
    thaw_world_destroy(world);
}

static void velocities_that_are_no_numbers_are_not_saved(void **state) {
    (void)state;
    ThawWorld *world = rich_world(0.05);
    void *data, *bytes = NULL;
    size_t size;
    assert_ok(thaw_world_edit(world, "velocity", &data));
    ((float *)data)[7] = NAN;
    assert_refused(thaw_world_save(world, &bytes, &size), "velocity");
    assert_null(bytes);
    thaw_world_destroy(world);
}

// a hash that comes in pieces is the hash of the whole, wherever elements cross the window
static void hashing_in_pieces_gives_the_hash_of_the_whole(void **state) {
    (void)state;
    static uint8_t bytes[20000];
    for (size_t n = 4070; n < 4130; n++) {
        static ThawCodec hashing, saving;
        thaw_codec_hash(&hashing);
        thaw_codec_save(&saving, bytes, sizeof bytes);
        for (size_t k = 0; k < n; k++) {
            uint8_t small = (uint8_t)(k * 7);
            thaw_code_u8(&hashing, &small);
            thaw_code_u8(&saving, &small);
        }
        for (uint64_t k = 0; k < 600; k++) {
            uint64_t large = k * 0x123456789abcdefu;
            float narrow = (float)k;
            thaw_code_u64(&hashing, &large);
            thaw_code_u64(&saving, &large);
            thaw_code_f32(&hashing, &narrow);
            thaw_code_f32(&saving, &narrow);
        }
        assert_int_equal(hashing.at, saving.at);
        assert_true(thaw_codec_finish(&hashing) == thaw_hash_bytes(bytes, saving.at));
    }
}

static int compare_ids(const void *a, const void *b) {
    uint64_t x = ((const ThawIdRow *)a)->id, y = ((const ThawIdRow *)b)->id;
    return (x > y) - (x < y);
}

static void rows_sort_as_by_the_c_library(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static ThawIdRow fast[COUNT], slow[COUNT], spare[COUNT];
    uint64_t random = 1;
    for (uint32_t count = 0; count < COUNT; count = count * 3 + 1) {
        for (uint32_t k = 0; k < count; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            // all 64 bits, or a few sources with small counts
            uint64_t id = count % 2 == 0 ? random : (random >> 62 << 40) | (random >> 20 & 0xffff);
            fast[k] = slow[k] = (ThawIdRow){id, k};
        }
        thaw_order_sort(fast, spare, count);
        qsort(slow, count, sizeof *slow, compare_ids);
        for (uint32_t k = 0; k < count; k++) assert_true(fast[k].id == slow[k].id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(save_load_save_gives_the_same_bytes),
        cmocka_unit_test(empty_worlds_come_back),
        cmocka_unit_test(a_loaded_world_goes_on_in_the_same_bits),
        cmocka_unit_test(a_copy_gives_out_the_same_names),
        cmocka_unit_test(bytes_do_not_depend_on_row_order),
        cmocka_unit_test(the_hash_is_the_one_in_the_snapshot),
        cmocka_unit_test(the_hash_sees_every_part),
        cmocka_unit_test(a_loaded_world_takes_threads_from_its_host),
        cmocka_unit_test(attachments_and_lattices_come_back),
        cmocka_unit_test(heat_comes_back),
        cmocka_unit_test(heat_that_is_no_number_is_not_saved),
        cmocka_unit_test(lattices_that_are_no_numbers_are_not_saved),
        cmocka_unit_test(velocities_that_are_no_numbers_are_not_saved),
        cmocka_unit_test(hashing_in_pieces_gives_the_hash_of_the_whole),
        cmocka_unit_test(rows_sort_as_by_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
