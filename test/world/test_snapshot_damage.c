// Damaged snapshots: cut, flipped, lied about. Each is refused, or gives a world that is whole.
//
// Random damage would end at the checksum, so the tests repair it: what is tried here is everything
// behind it.
#include "rich.h"

#include "lattice/state.h"
#include "models/heat_state.h"
#include "world/codec.h"
#include "world/world.h"

#include <stdlib.h>

#define HEADER 32

// making a world costs about 2 ms, many times that under a sanitizer
#ifdef THAW_TEST_SANITIZED
#define ROUNDS 300
#define STRIDE 41
#else
#define ROUNDS 1600
#define STRIDE 7
#endif

typedef struct Snapshot {
    uint8_t *bytes;
    size_t size;
} Snapshot;

static Snapshot take(double size) {
    ThawWorld *world = rich_world(size);
    Snapshot snapshot;
    void *bytes;
    assert_ok(thaw_world_save(world, &bytes, &snapshot.size));
    thaw_world_destroy(world);
    // plain malloc, so that a sanitizer sees a read past the end
    snapshot.bytes = malloc(snapshot.size);
    assert_non_null(snapshot.bytes);
    memcpy(snapshot.bytes, bytes, snapshot.size);
    thaw_snapshot_free(bytes);
    return snapshot;
}

static void put_u64(uint8_t *bytes, uint64_t value) {
    for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)(value >> (8 * k));
}

static void put_u32(uint8_t *bytes, uint32_t value) {
    for (int k = 0; k < 4; k++) bytes[k] = (uint8_t)(value >> (8 * k));
}

static void repair(uint8_t *bytes, size_t size) {
    put_u64(bytes + 16, size - HEADER);
    put_u64(bytes + 24, thaw_hash_bytes(bytes + HEADER, size - HEADER));
}

// refused with a sentence and nothing made, or a world that can be used; returns whether it loaded
static bool try_bytes(const uint8_t *bytes, size_t size) {
    static const ThawHostDef host = {.threads = 1, .isa = THAW_ISA_BASELINE};
    ThawWorld *world = NULL;
    ThawResult result = thaw_world_load(bytes, size, &host, &world);
    if (result != THAW_OK) {
        assert_null(world);
        assert_true(thaw_error_text()[0] != '\0');
        return false;
    }
    // whole: it can be looked at and saved, and that comes back
    void *again;
    size_t again_size;
    ThawView view;
    ThawShape ball = thaw_shape_sphere((ThawVec3){0, 1, 0.3}, 0.1);
    uint32_t count;
    assert_ok(thaw_world_view(world, "position", &view));
    assert_ok(thaw_world_find(world, &ball, NULL, 0, &count));
    assert_ok(thaw_world_save(world, &again, &again_size));
    thaw_world_destroy(world);
    static int turn;
    if (turn++ % 8 == 0) {
        assert_ok(thaw_world_load(again, again_size, &host, &world));
        thaw_world_destroy(world);
    }
    thaw_snapshot_free(again);
    return true;
}

static void whole_snapshots_load(void **state) {
    (void)state;
    Snapshot good = take(0.05);
    assert_true(try_bytes(good.bytes, good.size));
    repair(good.bytes, good.size);
    assert_true(try_bytes(good.bytes, good.size));
    free(good.bytes);
}

static void every_cut_is_refused(void **state) {
    (void)state;
    Snapshot good = take(0.03);
    for (size_t size = 0; size < good.size; size += size < 2000 ? 1 : 13) {
        // a block of its own, so that a read past its end shows
        uint8_t *cut = malloc(size == 0 ? 1 : size);
        assert_non_null(cut);
        memcpy(cut, good.bytes, size);
        assert_false(try_bytes(cut, size));
        if (size > HEADER && size % STRIDE == 0) {
            repair(cut, size);
            assert_false(try_bytes(cut, size));
        }
        free(cut);
    }
    free(good.bytes);
}

static void bytes_after_the_end_are_refused(void **state) {
    (void)state;
    Snapshot good = take(0.03);
    uint8_t *longer = calloc(1, good.size + 9);
    assert_non_null(longer);
    memcpy(longer, good.bytes, good.size);
    for (size_t more = 1; more <= 9; more++) {
        assert_false(try_bytes(longer, good.size + more));
        repair(longer, good.size + more);
        assert_false(try_bytes(longer, good.size + more));
    }
    free(longer);
    free(good.bytes);
}

static void any_flipped_bit_shows_in_the_checksum(void **state) {
    (void)state;
    Snapshot good = take(0.03);
    for (size_t k = 0; k < good.size; k++) {
        good.bytes[k] ^= (uint8_t)(1u << (k % 8));
        assert_false(try_bytes(good.bytes, good.size));
        good.bytes[k] ^= (uint8_t)(1u << (k % 8));
    }
    free(good.bytes);
}

static uint64_t random_state = 12345;

static uint32_t draw(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % below);
}

static void random_damage_behind_a_good_checksum_does_no_harm(void **state) {
    (void)state;
    Snapshot good = take(0.03);
    uint8_t *bad = malloc(good.size);
    assert_non_null(bad);
    int loaded = 0, rounds = ROUNDS;
    for (int k = 0; k < rounds; k++) {
        memcpy(bad, good.bytes, good.size);
        // mostly in the first part, where the structure is
        uint32_t reach = (uint32_t)(good.size - HEADER);
        if (k % 4 != 0 && reach > 3000) reach = 3000;
        for (uint32_t flips = 1 + draw(3); flips > 0; flips--) {
            uint8_t *place = &bad[HEADER + draw(reach)];
            *place = draw(2) == 0 ? (uint8_t)(*place ^ (1u << draw(8))) : (uint8_t)draw(256);
        }
        repair(bad, good.size);
        loaded += try_bytes(bad, good.size);
    }
    // both ends were seen
    assert_true(loaded > rounds / 20 && loaded < rounds);
    free(bad);
    free(good.bytes);
}

// four bytes of 0xff and friends at every place: no count may be believed
static void absurd_counts_are_refused_or_harmless(void **state) {
    (void)state;
    static const uint32_t absurd[5] = {0xffffffffu, 0x7fffffffu, 0x80000000u, 0x10000000u,
                                       0x00ffffffu};
    Snapshot good = take(0.03);
    uint8_t *bad = malloc(good.size);
    assert_non_null(bad);
    for (size_t at = HEADER, k = 0; at + 4 <= good.size && at < 3200; at += 1 + k % STRIDE, k++) {
        memcpy(bad, good.bytes, good.size);
        put_u32(bad + at, absurd[k % 5]);
        repair(bad, good.size);
        try_bytes(bad, good.size);
    }
    free(bad);
    free(good.bytes);
}

// ---------------------------------------------------------------- lies told on purpose

// A world is spoilt from inside and saved; loading must find it.
#define SPOILT(change, word)                                                                       \
    do {                                                                                           \
        ThawWorld *world = rich_world(0.03);                                                       \
        ThawStore *store = world->store;                                                           \
        uint32_t last = store->count - 1;                                                          \
        (void)last;                                                                                \
        change;                                                                                    \
        void *bytes;                                                                               \
        size_t size;                                                                               \
        assert_ok(thaw_world_save(world, &bytes, &size));                                          \
        ThawWorld *copy = NULL;                                                                    \
        assert_refused(thaw_world_load(bytes, size, NULL, &copy), word);                           \
        assert_null(copy);                                                                         \
        thaw_snapshot_free(bytes);                                                                 \
        thaw_world_destroy(world);                                                                 \
    } while (0)

static void impossible_particles_are_refused(void **state) {
    (void)state;
    SPOILT(store->id[1] = store->id[0], "ids");
    SPOILT(store->id[1] = 0, "id");
    SPOILT(store->id[last] = (uint64_t)5 << 40, "id");
    SPOILT(store->id[last] = ((uint64_t)77 << 40) | 1, "id");
    SPOILT(store->cells[3] = INT64_MAX, "position");
    SPOILT(store->cells[3] = INT64_MIN, "position");
    SPOILT(store->cells[1] += 101 * THAW_FIXED_ONE, "position"); // beyond the periodic face
    SPOILT(store->spacing[2] = NAN, "spacing");
    SPOILT(store->spacing[2] = 0, "spacing");
    SPOILT(store->spacing[2] = 1, "spacing");
    SPOILT(store->material[2] = 2, "material");
    SPOILT(store->state[2] = 2, "state");
    SPOILT(store->object[2] = 1, "object"); // the body that was removed
    SPOILT(store->object[2] = -1, "object");
}

static void impossible_worlds_are_refused(void **state) {
    (void)state;
    SPOILT(world->def.dimensions = 7, "dimensions");
    SPOILT(world->def.dimensions = 2, "gravity.z");
    SPOILT(world->def.spacing = NAN, "spacing");
    SPOILT(world->def.upper.y = -2, "lower.y");
    SPOILT(world->def.trouble = (ThawTroublePolicy)5, "trouble");
    SPOILT(world->def.solver.skin = -1, "solver.skin");
    SPOILT(world->time = NAN, "time");
    SPOILT(world->time = -1, "time");
    SPOILT(world->datum_height = INFINITY, "datum");
    SPOILT(world->next_source = 0, "counter");
    SPOILT(world->next_source = 1u << 25, "counter");
    SPOILT(world->settled_source = world->next_source + 1, "counter");
    SPOILT(world->next_body = 3, "body");
    SPOILT(world->next_collider = 2, "collider");
    SPOILT(world->materials[0].density = -1, "density");
    SPOILT(strcpy(world->materials[0].name, "oil"), "name");
    SPOILT(world->colliders[1].handle = 1, "collider");
    SPOILT(world->colliders[0].shape.kind = (ThawShapeKind)99, "kind");
    SPOILT(world->colliders[0].shape.size.x = NAN, "size");
    SPOILT(world->colliders[0].motion[1].time = 0, "time");
    SPOILT(world->bodies[1].handle = 2, "body");
    SPOILT(world->bodies[1].source = 99, "body");
    SPOILT(thaw_store_channel(store, "tag")->type = THAW_U16, "channel.type");
    SPOILT(strcpy(thaw_store_channel(store, "tag")->name, "velocity"), "velocity");
    SPOILT(strcpy(thaw_store_channel(store, "tag")->name, "colour"), "colour");
}

// the lattice of a solid particle, counted from its row
static ThawLatticeState lattice_of(ThawStore *store) {
    ThawLatticeState state = thaw_lattice_state(store);
    size_t row = 0;
    while (store->state[row] != THAW_STATE_SOLID) row++;
    return (ThawLatticeState){.turn = state.turn + 4 * row,
                              .map = state.map + 9 * row,
                              .flow = state.flow + 9 * row,
                              .docking = state.docking + THAW_SITES * row,
                              .sites = state.sites + row};
}

static void impossible_solids_are_refused(void **state) {
    (void)state;
    SPOILT(strcpy(thaw_store_channel(store, THAW_LATTICE_TURN)->name, "mine"),
           "channels of solids");
    SPOILT(strcpy(thaw_store_channel(store, THAW_LATTICE_MAP)->name, "lattice_mop"), "channels");
    SPOILT(thaw_store_channel(store, THAW_LATTICE_FLOW)->components = 8, "channels");
    SPOILT(world->materials[1].solid.poisson = 0.5f, "poisson");
    SPOILT(world->materials[1].solid.elasticity = (ThawElasticity)7, "elasticity");
    SPOILT(world->def.solver.elastic_steps = 0, "elastic_steps");
}

// A value that can be saved is put into the lattice of a solid particle, and another in its place in the bytes.
static void refuse_lattice(size_t member, size_t at, uint32_t good, uint32_t bad,
                           const char *word) {
    ThawWorld *world = rich_world(0.03), *copy = NULL;
    ThawLatticeState lattice = lattice_of(world->store);
    char *rows;
    memcpy(&rows, (const char *)&lattice + member, sizeof rows);
    memcpy(rows + 4 * at, &good, sizeof good);
    void *saved;
    size_t size;
    assert_ok(thaw_world_save(world, &saved, &size));
    uint8_t *bytes = saved, pattern[4];
    put_u32(pattern, good);
    size_t place = HEADER;
    while (memcmp(bytes + place, pattern, 4) != 0) place++;
    put_u32(bytes + place, bad);
    repair(bytes, size);
    assert_refused(thaw_world_load(bytes, size, NULL, &copy), word);
    assert_null(copy);
    thaw_snapshot_free(saved);
    thaw_world_destroy(world);
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void impossible_lattices_are_refused(void **state) {
    (void)state;
    const uint32_t small = bits_of(1.2345678e-7f), one = bits_of(1.2345678f);
    size_t turn = offsetof(ThawLatticeState, turn), map = offsetof(ThawLatticeState, map);
    size_t flow = offsetof(ThawLatticeState, flow), docking = offsetof(ThawLatticeState, docking);
    size_t sites = offsetof(ThawLatticeState, sites);
    refuse_lattice(turn, 2, small, bits_of(NAN), "orientation");
    refuse_lattice(turn, 2, small, bits_of(2), "orientation");
    refuse_lattice(map, 8, one, bits_of(INFINITY), "map");
    refuse_lattice(flow, 0, one, bits_of(0), "volume");
    refuse_lattice(flow, 1, small, bits_of(NAN), "flow");
    refuse_lattice(docking, 11, one, bits_of(-1), "docking");
    refuse_lattice(docking, 11, one, bits_of(INFINITY), "docking");
    refuse_lattice(sites, 0, 0xabcdef, 0xfffffffeu, "site");
    refuse_lattice(sites, 0, 0xabcdef, 1u << 24, "site");
}

static void impossible_attachments_are_refused(void **state) {
    (void)state;
    SPOILT(world->next_attachment = 0, "counter");
    SPOILT(world->next_attachment = 3, "attachment");
    SPOILT(world->attachments[1].handle = 1, "attachment");
    SPOILT(world->attachments[0].phase = (ThawHoldPhase)3, "attachment");
    SPOILT(world->attachments[0].body = 99, "attachment");
    SPOILT(world->attachments[1].collider = 1, "collider"); // removed
    SPOILT(world->attachments[0].begin.position.x = NAN, "attachment");
    SPOILT(world->attachments[0].begin.rotation.w = 3, "attachment");
    SPOILT(world->attachments[0].from = NAN, "from");
    SPOILT(world->attachments[0].to = -1, "to");
    SPOILT(world->attachments[0].region.size.x = -1, "size");
    SPOILT(world->attachments[0].motion[1].time = -1, "time");
    SPOILT(((ThawBall *)(uintptr_t)world->attachments[1].region.balls)[0].radius = NAN, "radius");
    SPOILT(world->attachments[1].region.smooth = -1, "smooth");
    SPOILT(world->attachments[1].region.ball_count = 0, "balls");
    SPOILT(world->attachments[0].held[1].id = world->attachments[0].held[0].id, "held");
    SPOILT(world->attachments[0].held[0].id = 0, "held");
    SPOILT(world->attachments[0].held[0].start[2] = INT64_MIN, "held");
    SPOILT(world->attachments[0].held[0].start[2] = INT64_MAX, "held");
    SPOILT(world->attachments[0].phase = THAW_HOLD_WAITS, "holds");
}

static void impossible_heat_is_refused(void **state) {
    (void)state;
    SPOILT(world->def.heat.ambient = -1, "heat.ambient");
    SPOILT(world->def.heat.on = false, "heat");
    SPOILT(world->materials[1].thermal.specific_heat = 0, "specific_heat");
    SPOILT(world->materials[1].thermal.viscosity.temperature[1] = 1, "viscosity");
    SPOILT(world->colliders[2].temperature = NAN, "temperature");
    SPOILT(world->colliders[2].heat_transfer = -1, "heat_transfer");
    SPOILT(world->last_heat_source = 2, "heat source");
    SPOILT(world->last_heat_source = UINT32_MAX, "heat sources");
    SPOILT(world->heat_sources[1].handle = 1, "heat source");
    SPOILT(world->heat_sources[0].given = INFINITY, "heat source");
    SPOILT(world->heat_sources[0].def.power = NAN, "power");
    SPOILT(world->heat_sources[0].def.material.value = 3, "source heats");
    SPOILT(world->heat_sources[1].def.body.value = 99, "source heats");
    SPOILT(world->heat_sources[0].def.region.radius = -1, "radius");
    SPOILT(strcpy(thaw_store_channel(store, "enthalpy")->name, "mine"), "channels of heat");
    SPOILT(strcpy(thaw_store_channel(store, "temperature")->name, "mine"), "channels of heat");
    SPOILT(strcpy(thaw_store_channel(store, "frost")->name, "mine"), "channels of heat");
    SPOILT(thaw_store_channel(store, "frost")->type = THAW_F32, "channels of heat");
    SPOILT(strcpy(thaw_store_channel(store, "tag")->name, "thermal_tag"), "channels of heat");
    SPOILT(strcpy(thaw_store_channel(store, "melt_youth")->name, "mine"), "channels of heat");
    SPOILT(thaw_store_channel(store, "melt_excess")->type = THAW_I32, "channels of heat");
}

// Rows are held to be right when they are saved: what is wrong is put into the bytes.
static void refuse_row(const char *channel, const void *bad, size_t bytes, const char *word) {
    ThawWorld *world = rich_world(0.03), *copy = NULL;
    void *saved;
    size_t size;
    assert_ok(thaw_world_save(world, &saved, &size));
    uint8_t *block = saved;
    // the first row's: where two snapshots differ that differ in this value alone
    ThawStore *store = world->store;
    uint32_t first = 0;
    for (uint32_t row = 1; row < store->count; row++) {
        if (store->id[row] < store->id[first]) first = row;
    }
    char *value = (char *)thaw_store_channel(store, channel)->data + first * bytes;
    size_t place = 0;
    *value = (char)(*value ^ 1);
    void *other;
    // a last bit is too little to be wrong, but of a collider's handle
    if (strcmp(channel, "frost") == 0) *value = 4; // the rod
    assert_ok(thaw_world_save(world, &other, &size));
    while (place < HEADER || block[place] == ((uint8_t *)other)[place]) place++;
    memcpy(block + place, bad, bytes);
    repair(block, size);
    assert_refused(thaw_world_load(block, size, NULL, &copy), word);
    assert_null(copy);
    thaw_snapshot_free(saved);
    thaw_snapshot_free(other);
    thaw_world_destroy(world);
}

static void impossible_temperatures_are_refused(void **state) {
    (void)state;
    const double no_heat = NAN, little = -1, other = 5;
    const float cold = -1, warm = 290, none = NAN;
    const int32_t gone = 1, unknown = 77, below = -3, no_frost = 2;
    refuse_row("enthalpy", &no_heat, 8, "enthalpy");
    refuse_row("enthalpy", &little, 8, "enthalpy");
    refuse_row("enthalpy", &other, 8, "temperature");
    refuse_row("temperature", &cold, 4, "temperature");
    refuse_row("temperature", &warm, 4, "temperature");
    refuse_row("temperature", &none, 4, "temperature");
    refuse_row("frost", &gone, 4, "frozen");
    refuse_row("frost", &unknown, 4, "frozen");
    refuse_row("frost", &below, 4, "frozen");
    refuse_row("frost", &no_frost, 4, "frozen");
    const float older = 1.5f, denser = 100;
    refuse_row("melt_youth", &older, 4, "young");
    refuse_row("melt_youth", &cold, 4, "young");
    refuse_row("melt_excess", &denser, 4, "young");
    refuse_row("melt_excess", &none, 4, "young");
}

static void foreign_bytes_are_refused(void **state) {
    (void)state;
    ThawWorld *world = NULL;
    assert_refused(thaw_world_load(NULL, 0, NULL, &world), "not a snapshot");
    assert_refused(thaw_world_load("hello", 5, NULL, &world), "not a snapshot");
    Snapshot good = take(0.03);
    uint8_t version = good.bytes[8];
    good.bytes[8] = 9;
    assert_refused(thaw_world_load(good.bytes, good.size, NULL, &world), "version 9");
    good.bytes[8] = 2;
    assert_refused(thaw_world_load(good.bytes, good.size, NULL, &world), "version 2");
    good.bytes[8] = version;
    good.bytes[HEADER + 3] ^= 1;
    assert_refused(thaw_world_load(good.bytes, good.size, NULL, &world), "checksum");
    assert_null(world);
    free(good.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_snapshots_load),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(bytes_after_the_end_are_refused),
        cmocka_unit_test(any_flipped_bit_shows_in_the_checksum),
        cmocka_unit_test(random_damage_behind_a_good_checksum_does_no_harm),
        cmocka_unit_test(absurd_counts_are_refused_or_harmless),
        cmocka_unit_test(impossible_particles_are_refused),
        cmocka_unit_test(impossible_worlds_are_refused),
        cmocka_unit_test(impossible_solids_are_refused),
        cmocka_unit_test(impossible_lattices_are_refused),
        cmocka_unit_test(impossible_attachments_are_refused),
        cmocka_unit_test(impossible_heat_is_refused),
        cmocka_unit_test(impossible_temperatures_are_refused),
        cmocka_unit_test(foreign_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
