// The shipped solid keeps nothing but its particles' own frames and sites (W-21): what is derived may
// be cleared, rows shuffled, the world saved and loaded or moved far away, and nothing changes in any
// bit.
#include "solid/engine.h"

#include "simd/isa.h"

#include <thaw/snapshot.h>

// ---------------------------------------------------------------- a scene with everything in it

#define SCENE_DT (1.0 / 480)

static void add_body(ThawWorld *world, ThawMaterialId material, ThawShape shape,
                     ThawVec3 velocity) {
    ThawBodyDef body = thaw_body_default();
    body.material = material;
    body.state = THAW_STATE_SOLID;
    body.shape = shape;
    body.velocity = velocity;
    body.spin = (ThawVec3){3, -2, 5};
    assert_ok(thaw_world_add_body(world, &body, NULL));
}

// A stiff brittle ball, a block of wax that docks and a jelly are thrown together.
static ThawWorld *make_scene(int threads, ThawIsa isa, int substeps) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = 0.05;
    def.threads = threads;
    def.isa = isa;
    def.solver.substeps = substeps;
    def.solver.elastic_steps = 1;
    ThawWorld *world;
    assert_ok(thaw_world_create(&def, &world));
    ThawMaterialDef glass = thaw_material_default(), wax = glass, jelly = glass;
    ThawMaterialId ids[3];
    glass.name = "glass";
    glass.solid.young = 2e6f; // beyond what the step carries
    glass.solid.fracture_strain = 0.02f;
    glass.solid.fracture_spread = 0.3f;
    wax.name = "wax";
    wax.solid.young = 2e4f;
    wax.solid.yield_strain = 0.01f;
    wax.solid.creep = 0.5f;
    wax.solid.docking_rate = 5;
    wax.solid.docking_growth = 10;
    jelly.name = "jelly";
    jelly.solid.elasticity = THAW_ELASTIC_NEO_HOOKEAN;
    assert_ok(thaw_world_add_material(world, &glass, &ids[0]));
    assert_ok(thaw_world_add_material(world, &wax, &ids[1]));
    assert_ok(thaw_world_add_material(world, &jelly, &ids[2]));
    ThawVec3 size = {0.3, 0.3, 0.3};
    add_body(world, ids[0], thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.2), (ThawVec3){4, 0, 0});
    add_body(world, ids[1], thaw_shape_box((ThawVec3){0.42, 0.05, 0}, size), (ThawVec3){-3, 0, 0});
    add_body(world, ids[2], thaw_shape_box((ThawVec3){0.2, 0.1, 0.4}, size), (ThawVec3){0, 0, -3});
    return world;
}

static void shuffle_rows(ThawWorld *world, Dice *dice) {
    uint32_t count = world->store->count, *order = malloc(count * sizeof *order);
    assert_non_null(order);
    for (uint32_t k = 0; k < count; k++) order[k] = k;
    for (uint32_t k = count - 1; k > 0; k--) {
        uint32_t other = (uint32_t)(dice_unit(dice) * (k + 1)), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    assert_ok(thaw_store_permute(world->store, world->parallel, order));
    free(order);
}

static void spoil(void *block, size_t bytes) {
    if (block != NULL) memset(block, 0xff, bytes); // NaN, or a row that there is not
}

// overwrites all that is derived
static void spoil_derived(ThawWorld *world) {
    ThawSolids *solid = world->model_states[2];
    ThawBonds *bonds = &solid->bonds;
    ThawWork *work = &world->work;
    bonds->revision = 0; // nobody is guessed to sit where he sat
    spoil(bonds->slot, bonds->slot_bytes);
    spoil(bonds->back, bonds->back_bytes);
    spoil(bonds->dock, bonds->dock_bytes);
    spoil(bonds->block, bonds->block_bytes);
    spoil(bonds->candidate, bonds->candidate_bytes);
    spoil(bonds->fits, bonds->fits_bytes);
    spoil(bonds->next_sites, bonds->next_bytes);
    spoil(bonds->sums, bonds->sums_bytes);
    spoil(bonds->now, bonds->now_bytes);
    spoil(bonds->around, bonds->around_bytes);
    spoil(bonds->crowd, bonds->crowd_bytes);
    spoil((void *)bonds->doubt, bonds->doubt_bytes);
    spoil(solid->kinds, solid->kinds_bytes);
    spoil(solid->kind, solid->kind_bytes);
    spoil(solid->traits, solid->traits_bytes);
    spoil(solid->group, solid->group_bytes);
    spoil(solid->unit, solid->unit_bytes);
    spoil(solid->weight, solid->weight_bytes);
    spoil(solid->friction, solid->friction_bytes);
    spoil(solid->distance, solid->distance_bytes);
    spoil(solid->speed, solid->speed_bytes);
    spoil(solid->frame, solid->frame_bytes);
    spoil(solid->soft, solid->soft_bytes);
    spoil(solid->brace_soft, solid->brace_soft_bytes);
    spoil(solid->drag, solid->drag_bytes);
    spoil(solid->lagged, solid->lagged_bytes);
    spoil(solid->measure, solid->measure_bytes);
    spoil(solid->chunk_counts, solid->counts_bytes);
    spoil(solid->chunk_energy, solid->energy_bytes);
    spoil(solid->brace.slot, solid->brace.slot_bytes);
    spoil(solid->brace.back, solid->brace.back_bytes);
    spoil(solid->brace.block, solid->brace.block_bytes);
    spoil(solid->brace_kinds, solid->brace_kinds_bytes);
    spoil(work->place, work->place_bytes);
    spoil(work->next, work->next_bytes);
    spoil(work->shift, work->shift_bytes);
    spoil(work->wall, work->wall_bytes);
}

// models that have just been made know nothing: bonds, contacts, scratch
static void make_models_anew(ThawWorld *world) {
    for (uint32_t k = 0; thaw_models[k] != NULL; k++) {
        if (thaw_models[k]->create == NULL) continue;
        thaw_models[k]->destroy(world->model_states[k]);
        assert_ok(thaw_models[k]->create(&world->model_states[k], &world->domain));
    }
}

typedef enum Disturbance {
    LEFT_ALONE = 0,
    SPOILT = 1,  // derived arrays overwritten
    ANEW = 2,    // models destroyed and made again
    SHUFFLED = 4 // rows in random order
} Disturbance;

typedef struct Outcome {
    uint64_t hash;
    uint32_t broken, made, contacts;
} Outcome;

static Outcome run_scene(ThawWorld *world, int steps, int disturbance) {
    Dice dice = {21};
    Outcome outcome = {0};
    for (int n = 0; n < steps; n++) {
        if (n > 0 && disturbance & SPOILT) spoil_derived(world);
        if (disturbance & ANEW) make_models_anew(world);
        if (disturbance & SHUFFLED) shuffle_rows(world, &dice);
        ThawReport report;
        assert_ok(thaw_world_step(world, SCENE_DT * world->def.solver.substeps, &report));
        outcome.broken += report.bonds_broken;
        outcome.made += report.bonds_made;
        outcome.contacts += report.solid_contacts;
    }
    outcome.hash = thaw_world_hash(world);
    return outcome;
}

#define STEPS 36

// one substep a step: every search is preceded by the disturbance
static Outcome scene_outcome(int threads, int disturbance, int substeps) {
    ThawWorld *world = make_scene(threads, THAW_ISA_AUTO, substeps);
    Outcome outcome = run_scene(world, STEPS / substeps, disturbance);
    thaw_world_destroy(world);
    return outcome;
}

static Outcome plain, plain_grouped;

static int run_plain(void **state) {
    (void)state;
    plain = scene_outcome(1, LEFT_ALONE, 1);
    plain_grouped = scene_outcome(1, LEFT_ALONE, 4);
    return 0;
}

static void w21_scene_has_something_to_remember(void **state) {
    (void)state;
    print_message("W-21: %u bonds broken, %u made, %u contacts\n", plain.broken, plain.made,
                  plain.contacts);
    assert_true(plain.broken > 0);
    assert_true(plain.made > 0);
    assert_true(plain.contacts > 0);
}

static void w21_overwritten_caches_change_nothing(void **state) {
    (void)state;
    assert_true(scene_outcome(1, SPOILT, 1).hash == plain.hash);
    assert_true(scene_outcome(1, SPOILT, 4).hash == plain_grouped.hash);
}

static void w21_new_models_change_nothing(void **state) {
    (void)state;
    assert_true(scene_outcome(1, ANEW, 1).hash == plain.hash);
}

static void w21_shuffled_rows_change_nothing(void **state) {
    (void)state;
    assert_true(scene_outcome(1, SHUFFLED, 1).hash == plain.hash);
    assert_true(scene_outcome(1, SHUFFLED, 4).hash == plain_grouped.hash);
}

static void w21_threads_change_nothing(void **state) {
    (void)state;
    assert_true(scene_outcome(2, LEFT_ALONE, 1).hash == plain.hash);
    assert_true(scene_outcome(2, SPOILT | ANEW | SHUFFLED, 1).hash == plain.hash);
    assert_true(scene_outcome(3, SPOILT | SHUFFLED, 4).hash == plain_grouped.hash);
}

static void w21_saved_and_loaded_world_goes_on_in_the_same_bits(void **state) {
    (void)state;
    ThawWorld *world = make_scene(1, THAW_ISA_AUTO, 1), *loaded;
    run_scene(world, STEPS / 2, LEFT_ALONE);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    thaw_world_destroy(world);
    ThawHostDef host = {.threads = 2};
    assert_ok(thaw_world_load(bytes, size, &host, &loaded));
    thaw_snapshot_free(bytes);
    assert_true(run_scene(loaded, STEPS - STEPS / 2, SHUFFLED).hash == plain.hash);
    thaw_world_destroy(loaded);
}

// ---------------------------------------------------------------- far away

// everything by whole cells
static void move_cells(ThawWorld *world, const int64_t cells[3]) {
    for (uint32_t row = 0; row < world->store->count; row++) {
        for (int a = 0; a < 3; a++) {
            world->store->cells[3 * (size_t)row + (size_t)a] += cells[a] * THAW_FIXED_ONE;
        }
    }
}

static void far_from_the_origin_the_same_bits(void **state) {
    (void)state;
    const int64_t away[3] = {100000, -100000, 100000}, back[3] = {-100000, 100000, -100000};
    ThawWorld *near = make_scene(1, THAW_ISA_AUTO, 2), *far = make_scene(1, THAW_ISA_AUTO, 2);
    move_cells(far, away);
    // the datum of potential energy is a place too: it is set by the first step
    run_scene(near, STEPS / 2, LEFT_ALONE);
    run_scene(far, STEPS / 2, LEFT_ALONE);
    move_cells(far, back);
    far->datum_height = near->datum_height;
    assert_true(thaw_world_hash(near) == thaw_world_hash(far));
    thaw_world_destroy(near);
    thaw_world_destroy(far);
}

// ---------------------------------------------------------------- instruction sets

static bool has_isa(ThawIsa wanted) {
    ThawIsa isa;
    return thaw_isa_resolve(wanted, &isa) == THAW_OK && isa == wanted;
}

static uint64_t isa_hash(ThawIsa isa) {
    ThawWorld *world = make_scene(1, isa, 1);
    uint64_t hash = run_scene(world, STEPS, LEFT_ALONE).hash;
    thaw_world_destroy(world);
    return hash;
}

static void avx2_and_avx512_give_the_same_bits(void **state) {
    (void)state;
    if (!has_isa(THAW_ISA_AVX2) || !has_isa(THAW_ISA_AVX512)) skip();
    assert_true(isa_hash(THAW_ISA_AVX2) == isa_hash(THAW_ISA_AVX512));
}

// a shaken block after some steps, in the order of its particles
static ThawVec3 *shaken_places(ThawIsa isa, uint32_t *count) {
    EngineDef def = engine_units(3);
    def.world.isa = isa;
    def.material.solid.poisson = 0.3f;
    def.material.solid.damping = 0.1f;
    EngineBlock how = plain_block(7, 7, 7);
    Dice dice = {31};
    how.turn = dice_turn(&dice);
    how.shake = 0.03;
    Engine e = engine_block(&def, &how);
    engine_set_spin(&e, (ThawVec3){0.02, 0.01, 0}, (ThawVec3){0.01, 0.03, 0.02});
    engine_step(&e, 0.1, 50);
    ThawVec3 *places = engine_places(&e);
    *count = e.count;
    engine_free(&e);
    return places;
}

// Without fused products every sum has other last bits (6e-8 of k D); 50 steps of 0.1 at up to four
// times √(k/m) let them grow to some 1e-6 D.
static void baseline_is_near_avx2(void **state) {
    (void)state;
    if (!has_isa(THAW_ISA_AVX2)) skip();
    uint32_t count;
    ThawVec3 *a = shaken_places(THAW_ISA_BASELINE, &count),
             *b = shaken_places(THAW_ISA_AVX2, &count);
    for (uint32_t i = 0; i < count; i++) a[i] = v_sub(a[i], b[i]);
    double most = longest(a, count);
    print_message("baseline and AVX2 differ by %.1e D\n", most);
    assert_below(most, 1e-5);
    free(a);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w21_scene_has_something_to_remember),
        cmocka_unit_test(w21_overwritten_caches_change_nothing),
        cmocka_unit_test(w21_new_models_change_nothing),
        cmocka_unit_test(w21_shuffled_rows_change_nothing),
        cmocka_unit_test(w21_threads_change_nothing),
        cmocka_unit_test(w21_saved_and_loaded_world_goes_on_in_the_same_bits),
        cmocka_unit_test(far_from_the_origin_the_same_bits),
        cmocka_unit_test(avx2_and_avx512_give_the_same_bits),
        cmocka_unit_test(baseline_is_near_avx2),
    };
    return cmocka_run_group_tests(tests, run_plain, NULL);
}
