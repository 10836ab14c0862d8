// Melting, freezing, frost, grains and sintering in one pool: the same in every bit for any number of threads, any order
// of rows, and after loading; and without memory from the system once it is warm.
#include "base/memory.h"
#include "thermal/pools.h"

#define FRAMES 12

static PoolDef busy_pool(int threads) {
    PoolDef def = pool_def();
    def.frosts = true;
    def.seed = 0.04;
    def.threads = threads;
    def.settle = 0.05;
    def.material.thermal.nucleation = 0.3f;
    def.material.thermal.sintering = 5;
    def.material.thermal.melting_rate = 2;
    def.material.thermal.freezing_rate = 5;
    def.material.solid.fracture_strain = 0.3f;
    return def;
}

typedef struct Busy {
    uint32_t melted, frozen, frosted;
} Busy;

// cold below, warm above; the warm part moves
static void busy_frame(ThawWorld *world, int frame, Busy *busy) {
    ThawShape warm =
        thaw_shape_box((ThawVec3){0.02 * frame - 0.08, 0.05, 0}, (ThawVec3){0.05, 0.2, 1});
    set_all(world, MELTS_AT - 10);
    assert_ok(thaw_world_set_temperature(world, &warm, MELTS_AT + 20));
    ThawReport report = step(world, 1.0 / 60);
    busy->melted += report.melted;
    busy->frozen += report.frozen;
    const int32_t *frost = thaw_thermal_state(world->store).frost;
    for (uint32_t row = 0; row < world->store->count; row++) busy->frosted += frost[row] != 0;
}

static uint64_t wanted_hash(void) {
    static uint64_t hash;
    if (hash != 0) return hash;
    PoolDef def = busy_pool(1);
    ThawWorld *world = make_pool(&def);
    Busy busy = {0};
    for (int k = 0; k < FRAMES; k++) busy_frame(world, k, &busy);
    // something of everything has happened
    assert_true(busy.melted > 5 && busy.frozen > 50 && busy.frosted > 5);
    hash = thaw_world_hash(world);
    thaw_world_destroy(world);
    return hash;
}

static void any_number_of_threads_changes_the_same_bits(void **state) {
    (void)state;
    for (int threads = 2; threads <= 3; threads++) {
        PoolDef def = busy_pool(threads);
        ThawWorld *world = make_pool(&def);
        Busy busy = {0};
        for (int k = 0; k < FRAMES; k++) busy_frame(world, k, &busy);
        assert_true(thaw_world_hash(world) == wanted_hash());
        thaw_world_destroy(world);
    }
}

static void shuffle_rows(ThawWorld *world, uint32_t seed) {
    uint32_t count = world->store->count, *order = calloc(count, sizeof *order);
    assert_non_null(order);
    for (uint32_t k = 0; k < count; k++) order[k] = k;
    for (uint32_t k = count - 1; k > 0; k--) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t other = seed % (k + 1), row = order[k];
        order[k] = order[other];
        order[other] = row;
    }
    assert_ok(thaw_store_permute(world->store, world->parallel, order));
    free(order);
}

static void the_order_of_rows_does_not_matter(void **state) {
    (void)state;
    PoolDef def = busy_pool(2);
    ThawWorld *world = make_pool(&def);
    Busy busy = {0};
    for (int k = 0; k < FRAMES; k++) {
        shuffle_rows(world, (uint32_t)k + 7);
        busy_frame(world, k, &busy);
    }
    assert_true(thaw_world_hash(world) == wanted_hash());
    thaw_world_destroy(world);
}

static void a_loaded_world_changes_the_same_bits(void **state) {
    (void)state;
    PoolDef def = busy_pool(1);
    ThawWorld *world = make_pool(&def);
    Busy busy = {0};
    for (int k = 0; k < FRAMES; k++) {
        void *bytes;
        size_t size;
        ThawHostDef host = {.threads = 1};
        assert_ok(thaw_world_save(world, &bytes, &size));
        thaw_world_destroy(world);
        assert_ok(thaw_world_load(bytes, size, &host, &world));
        thaw_snapshot_free(bytes);
        busy_frame(world, k, &busy);
    }
    assert_true(thaw_world_hash(world) == wanted_hash());
    thaw_world_destroy(world);
}

static void a_warm_step_allocates_nothing(void **state) {
    (void)state;
    PoolDef def = busy_pool(1);
    ThawWorld *world = make_pool(&def);
    Busy busy = {0};
    for (int k = 0; k < FRAMES; k++) busy_frame(world, k, &busy);
    uint32_t changes = 0, quiet = 0;
    // room grows in steps: what was enough for some frames is enough for most that come
    for (int round = 0; round < 16; round++) {
        uint64_t before = thaw_alloc_count();
        for (int k = 0; k < 4; k++) {
            set_all(world, k % 2 == 0 ? MELTS_AT + 30 : MELTS_AT - 10);
            ThawReport report = step(world, 1.0 / 60);
            changes += report.melted + report.frozen;
        }
        quiet += round >= 8 && thaw_alloc_count() == before;
    }
    assert_true(changes > 20);
    assert_true(quiet >= 4);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_changes_the_same_bits),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(a_loaded_world_changes_the_same_bits),
        cmocka_unit_test(a_warm_step_allocates_nothing),
    };
    return cmocka_run_group_tests_name("change_bits", tests, NULL, NULL);
}
