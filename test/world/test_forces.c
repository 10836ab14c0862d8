// Force fields: what they refuse, what they are at a point and a time, and that they outlive a snapshot.
#include "helpers.h"

#include "math/vec.h"
#include "world/world.h"

#include <stdlib.h>

static ThawForceDef force_def(ThawForceKind kind) {
    ThawForceDef def = thaw_force_default();
    def.kind = kind;
    def.name = "gust";
    return def;
}

static ThawForceId add_force(ThawWorld *world, const ThawForceDef *def) {
    ThawForceId id = {0};
    assert_ok(thaw_world_add_force(world, def, &id));
    assert_int_not_equal(id.value, 0);
    return id;
}

static ThawVec3 force_at(const ThawWorld *world, ThawForceId id, ThawVec3 point, double time) {
    ThawVec3 push = {NAN, NAN, NAN};
    assert_ok(thaw_world_force_at(world, id, point, time, &push));
    return push;
}

static void assert_vec(ThawVec3 a, ThawVec3 b, double tolerance) {
    double off = thaw_length(thaw_sub(a, b));
    if (!(off <= tolerance)) {
        fail_msg("(%g %g %g) is not (%g %g %g)", a.x, a.y, a.z, b.x, b.y, b.z);
    }
}

// ---------------------------------------------------------------- what is refused

typedef void Spoil(ThawForceDef *def);

static void spoil_kind(ThawForceDef *def) {
    def->kind = (ThawForceKind)17;
}
static void spoil_strength(ThawForceDef *def) {
    def->strength = NAN;
}
static void spoil_direction(ThawForceDef *def) {
    def->direction = (ThawVec3){0, 0, 0};
}
static void spoil_position(ThawForceDef *def) {
    def->position.y = INFINITY;
}
static void spoil_radius(ThawForceDef *def) {
    def->radius = -1;
}
static void spoil_falloff(ThawForceDef *def) {
    def->falloff = 4.5;
}
static void spoil_core(ThawForceDef *def) {
    def->radius = 0.5;
    def->core = 0.5;
}
static void spoil_inflow(ThawForceDef *def) {
    def->inflow = NAN;
}
static void spoil_drag(ThawForceDef *def) {
    def->drag = -2;
}
static void spoil_size(ThawForceDef *def) {
    def->size = -0.1;
}
static void spoil_change(ThawForceDef *def) {
    def->change = -1;
}
static void spoil_region(ThawForceDef *def) {
    def->bounded = true;
    def->region = thaw_shape_sphere((ThawVec3){0, 0, 0}, -1);
}
static void spoil_from(ThawForceDef *def) {
    def->from = NAN;
}
static void spoil_to(ThawForceDef *def) {
    def->from = 3;
    def->to = 3;
}
static void spoil_ramp(ThawForceDef *def) {
    def->ramp = -0.1;
}

static void every_bad_field_is_named(void **state) {
    (void)state;
    static const struct {
        Spoil *spoil;
        const char *word;
    } rows[] = {{spoil_kind, "kind must"},
                {spoil_strength, "strength must"},
                {spoil_direction, "direction must"},
                {spoil_position, "position must"},
                {spoil_radius, "radius must"},
                {spoil_falloff, "falloff must"},
                {spoil_core, "core must"},
                {spoil_inflow, "inflow must"},
                {spoil_drag, "drag must"},
                {spoil_size, "size must"},
                {spoil_change, "change must"},
                {spoil_region, "radius must"},
                {spoil_from, "from must"},
                {spoil_to, "to must"},
                {spoil_ramp, "ramp must"}};
    ThawWorld *world = small_world(3);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ThawForceDef def = force_def(THAW_FORCE_WIND);
        ThawForceId id = {7};
        rows[k].spoil(&def);
        assert_refused(thaw_world_add_force(world, &def, &id), rows[k].word);
        assert_non_null(strstr(thaw_error_text(), "gust"));
        assert_int_equal(id.value, 7);
    }
    assert_int_equal(world->force_count, 0);
    ThawForceDef def = force_def(THAW_FORCE_POINT);
    def.material.value = 1;
    assert_missing(thaw_world_add_force(world, &def, NULL), "material 1");
    def.material.value = 0;
    def.name = "a name of far more than sixty-four bytes, which no force can have in any world";
    assert_refused(thaw_world_add_force(world, &def, NULL), "name must");
    thaw_world_destroy(world);
}

static void forces_in_2d_stay_in_the_plane(void **state) {
    (void)state;
    ThawWorld *world = small_world(2);
    ThawForceDef def = force_def(THAW_FORCE_DIRECTIONAL);
    assert_refused(thaw_world_add_force(world, &def, NULL), "direction.z");
    def.kind = THAW_FORCE_WIND;
    assert_refused(thaw_world_add_force(world, &def, NULL), "direction.z");
    def.kind = THAW_FORCE_VORTEX;
    def.direction = (ThawVec3){0, 1, 1};
    assert_refused(thaw_world_add_force(world, &def, NULL), "along z");
    def.direction = (ThawVec3){0, 0, -2};
    ThawForceId vortex = add_force(world, &def);
    assert_vec(force_at(world, vortex, (ThawVec3){0.5, 0, 0}, 0), (ThawVec3){0, -1, 0}, 1e-12);
    def = force_def(THAW_FORCE_TURBULENCE);
    ThawForceId turbulence = add_force(world, &def);
    for (int k = 0; k < 50; k++) {
        ThawVec3 push = force_at(world, turbulence, (ThawVec3){0.013 * k, 0.7, 0}, 0.1 * k);
        assert_true(push.z == 0 && (push.x != 0 || push.y != 0));
    }
    thaw_world_destroy(world);
}

static void handles_are_never_used_again(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawForceDef def = force_def(THAW_FORCE_POINT);
    ThawForceId first = add_force(world, &def), second = add_force(world, &def);
    assert_ok(thaw_world_remove_force(world, first));
    assert_missing(thaw_world_remove_force(world, first), "force 1");
    assert_missing(thaw_world_set_force(world, first, &def), "force 1");
    ThawForceId third = add_force(world, &def);
    assert_true(third.value > second.value);
    def.kind = THAW_FORCE_WIND;
    assert_refused(thaw_world_set_force(world, second, &def), "kind must stay");
    def.kind = THAW_FORCE_POINT;
    def.strength = -3;
    assert_ok(thaw_world_set_force(world, second, &def));
    assert_vec(force_at(world, second, (ThawVec3){2, 0, 0}, 0), (ThawVec3){3, 0, 0}, 1e-12);
    def.strength = INFINITY;
    assert_refused(thaw_world_set_force(world, second, &def), "strength");
    assert_vec(force_at(world, second, (ThawVec3){2, 0, 0}, 0), (ThawVec3){3, 0, 0}, 1e-12);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- what they are

static void a_point_pulls_by_its_law(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawForceDef def = force_def(THAW_FORCE_POINT);
    def.strength = 8;
    def.core = 0.1;
    def.falloff = 2;
    def.position = (ThawVec3){1, 2, 3};
    ThawForceId id = add_force(world, &def);
    // beyond the core (core / r)², inside r / core
    ThawVec3 push = force_at(world, id, (ThawVec3){1.2, 2, 3}, 0);
    assert_vec(push, (ThawVec3){-2, 0, 0}, 1e-12);
    push = force_at(world, id, (ThawVec3){1, 2, 2.96}, 0);
    assert_vec(push, (ThawVec3){0, 0, 3.2}, 1e-12);
    push = force_at(world, id, def.position, 0);
    assert_vec(push, (ThawVec3){0, 0, 0}, 0);
    // a radius changes nothing up to its half, and ends the force
    def.radius = 0.8;
    assert_ok(thaw_world_set_force(world, id, &def));
    push = force_at(world, id, (ThawVec3){1.2, 2, 3}, 0);
    assert_vec(push, (ThawVec3){-2, 0, 0}, 1e-12);
    double last = 8;
    for (double r = 0.1; r < 0.8; r += 0.01) {
        double now = -force_at(world, id, (ThawVec3){1 + r, 2, 3}, 0).x;
        assert_true(now > 0 && now <= last);
        last = now;
    }
    assert_true(last < 0.01);
    assert_vec(force_at(world, id, (ThawVec3){1.81, 2, 3}, 0), (ThawVec3){0, 0, 0}, 0);
    thaw_world_destroy(world);
}

static void a_vortex_turns_about_its_axis_right_handed(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawForceDef def = force_def(THAW_FORCE_VORTEX);
    def.strength = 6;
    def.core = 0.5;
    def.falloff = 1;
    def.inflow = 0.5;
    def.direction = (ThawVec3){0, 3, 0};
    def.position = (ThawVec3){0, -4, 0};
    ThawForceId id = add_force(world, &def);
    // y × x = −z; half of it towards the axis; the height along the axis does not count
    for (double y = -1; y <= 1; y += 0.5) {
        ThawVec3 push = force_at(world, id, (ThawVec3){1, y, 0}, 0);
        assert_vec(push, (ThawVec3){-1.5, 0, -3}, 1e-12);
    }
    thaw_world_destroy(world);
}

static void periodic_worlds_pull_the_short_way(void **state) {
    (void)state;
    ThawWorldDef world_def = small_def(3);
    world_def.periodic[0] = true;
    world_def.upper = (ThawVec3){1, 0, 0};
    ThawWorld *world = make_world(&world_def);
    ThawForceDef def = force_def(THAW_FORCE_POINT);
    def.position = (ThawVec3){0.1, 0, 0};
    ThawForceId id = add_force(world, &def);
    assert_vec(force_at(world, id, (ThawVec3){0.3, 0, 0}, 0), (ThawVec3){-1, 0, 0}, 1e-9);
    assert_vec(force_at(world, id, (ThawVec3){0.8, 0, 0}, 0), (ThawVec3){1, 0, 0}, 1e-9);
    thaw_world_destroy(world);
}

static void regions_and_materials_bound_a_force(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawForceDef def = force_def(THAW_FORCE_DIRECTIONAL);
    def.strength = 4;
    def.direction = (ThawVec3){0, -2, 0};
    def.bounded = true;
    def.region = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){1, 1, 1});
    ThawForceId id = add_force(world, &def);
    assert_vec(force_at(world, id, (ThawVec3){0.4, 0.4, -0.4}, 0), (ThawVec3){0, -4, 0}, 1e-12);
    assert_vec(force_at(world, id, (ThawVec3){0.4, 0.6, -0.4}, 0), (ThawVec3){0, 0, 0}, 0);
    assert_ok(thaw_world_remove_force(world, id));
    // two drops of different materials: one alone is pushed
    ThawMaterialDef oil = thaw_material_default();
    oil.name = "oil";
    ThawMaterialId kinds[2] = {add_water(world), {0}};
    assert_ok(thaw_world_add_material(world, &oil, &kinds[1]));
    for (int k = 0; k < 2; k++) {
        const double at[1][3] = {{0, 0, k}};
        ThawParticlesDef drop = {.material = kinds[k], .count = 1, .positions = at};
        assert_ok(thaw_world_add_particles(world, &drop, NULL));
    }
    def.bounded = false;
    def.material = kinds[1];
    add_force(world, &def);
    assert_ok(thaw_world_step(world, 0.01, NULL));
    const float *v = view_of(world, "velocity").data;
    const uint16_t *material = view_of(world, "material").data;
    for (uint32_t row = 0; row < 2; row++) {
        double wanted = material[row] + 1u == kinds[1].value ? -0.04 : 0;
        assert_true(fabs((double)v[3 * row + 1] - wanted) < 1e-6);
        assert_true(fabs((double)v[3 * row + 2] + 0.0981) < 1e-6);
    }
    thaw_world_destroy(world);
}

static void ramps_give_the_same_impulse_in_any_cut(void **state) {
    (void)state;
    double speed[3];
    const int cuts[3] = {1, 7, 64};
    for (int k = 0; k < 3; k++) {
        ThawWorldDef world_def = small_def(3);
        world_def.gravity = (ThawVec3){0, 0, 0};
        world_def.solver.substeps = cuts[k];
        ThawWorld *world = make_world(&world_def);
        const double at[1][3] = {{0, 0, 0}};
        ThawParticlesDef drop = {.material = add_water(world), .count = 1, .positions = at};
        assert_ok(thaw_world_add_particles(world, &drop, NULL));
        ThawForceDef def = force_def(THAW_FORCE_DIRECTIONAL);
        def.direction = (ThawVec3){1, 0, 0};
        def.from = 0.12;
        def.to = 0.77;
        def.ramp = 0.1;
        def.strength = 2;
        ThawForceId id = add_force(world, &def);
        assert_vec(force_at(world, id, (ThawVec3){0}, 0.11), (ThawVec3){0, 0, 0}, 0);
        assert_vec(force_at(world, id, (ThawVec3){0}, 0.17), (ThawVec3){1, 0, 0}, 1e-12);
        assert_vec(force_at(world, id, (ThawVec3){0}, 0.5), (ThawVec3){2, 0, 0}, 0);
        assert_vec(force_at(world, id, (ThawVec3){0}, 0.75), (ThawVec3){0.4, 0, 0}, 1e-12);
        assert_ok(thaw_world_step(world, 1.0, NULL));
        speed[k] = (double)((const float *)view_of(world, "velocity").data)[0];
        thaw_world_destroy(world);
    }
    // 2 m/s² over 0.65 s less one ramp
    for (int k = 0; k < 3; k++) assert_true(fabs(speed[k] - 1.1) < 1e-5);
}

// ---------------------------------------------------------------- turbulence

static ThawForceDef turbulence_def(void) {
    ThawForceDef def = force_def(THAW_FORCE_TURBULENCE);
    def.strength = 3;
    def.size = 0.2;
    def.seed = 5;
    return def;
}

static ThawVec3 scatter(uint64_t k, double width) {
    return (ThawVec3){width * (double)(k * 7919 % 1009) / 1009,
                      width * (double)(k * 104729 % 997) / 997,
                      width * (double)(k * 1299709 % 991) / 991};
}

static void turbulence_has_no_sources(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawForceDef def = turbulence_def();
    ThawForceId id = add_force(world, &def);
    double divergence = 0, norm = 0, e = 1e-4;
    for (uint64_t k = 0; k < 2000; k++) {
        ThawVec3 at = scatter(k, 7);
        const ThawVec3 axes[3] = {{e, 0, 0}, {0, e, 0}, {0, 0, e}};
        double sum = 0;
        for (int a = 0; a < 3; a++) {
            ThawVec3 ahead = force_at(world, id, thaw_add(at, axes[a]), 0.3);
            ThawVec3 behind = force_at(world, id, thaw_sub(at, axes[a]), 0.3);
            ThawVec3 slope = thaw_scale(thaw_sub(ahead, behind), 0.5 / e);
            sum += a == 0 ? slope.x : a == 1 ? slope.y : slope.z;
            norm += thaw_dot(slope, slope);
        }
        divergence += sum * sum;
    }
    double share = sqrt(divergence / norm);
    print_message("divergence over gradient: %.2e\n", share);
    assert_true(norm > 0 && share <= 1e-3);
    thaw_world_destroy(world);
}

static void turbulence_is_as_strong_as_asked_at_any_time(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = small_world(dimensions);
        ThawForceDef def = turbulence_def();
        def.size = dimensions == 2 ? 0.05 : 0.1; // one octave, and two
        ThawForceId id = add_force(world, &def);
        for (double time = 0; time < 1.5; time += 0.25) {
            double sum = 0, mean[3] = {0, 0, 0};
            const uint64_t count = 10000;
            for (uint64_t k = 0; k < count; k++) {
                ThawVec3 at = scatter(k, 40);
                if (dimensions == 2) at.z = 0;
                ThawVec3 push = force_at(world, id, at, time);
                sum += thaw_dot(push, push) / (double)count;
                mean[0] += push.x / (double)count;
                mean[1] += push.y / (double)count;
                mean[2] += push.z / (double)count;
            }
            double off = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
            print_message("%dD %.2f s: rms %.4f of %g, mean %.4f\n", dimensions, time, sqrt(sum),
                          def.strength, off);
            assert_true(fabs(sqrt(sum) / def.strength - 1) <= 0.05);
            assert_true(off <= 0.05 * def.strength);
        }
        thaw_world_destroy(world);
    }
}

static void turbulence_changes_smoothly_and_in_time(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    ThawForceDef def = turbulence_def();
    ThawForceId id = add_force(world, &def);
    double most = 0, apart = 0;
    for (uint64_t k = 0; k < 100; k++) {
        ThawVec3 at = scatter(k, 5);
        ThawVec3 first = force_at(world, id, at, 0), last = first;
        for (double time = 0.001; time < 1; time += 0.001) {
            ThawVec3 now = force_at(world, id, at, time);
            most = fmax(most, thaw_length(thaw_sub(now, last)));
            last = now;
        }
        apart += thaw_length(thaw_sub(last, first)) / 100;
    }
    // a jump would be of the strength's size
    print_message("most in a millisecond %.4f, mean in a second %.3f\n", most, apart);
    assert_true(most < 0.02 * def.strength && apart > 0.5 * def.strength);
    thaw_world_destroy(world);
}

static void turbulence_fits_periodic_worlds(void **state) {
    (void)state;
    ThawWorldDef world_def = small_def(3);
    world_def.periodic[0] = world_def.periodic[2] = true;
    world_def.lower = (ThawVec3){-0.3, 0, 0.1};
    world_def.upper = (ThawVec3){0.41, 0, 0.97};
    ThawWorld *world = make_world(&world_def);
    ThawForceDef def = turbulence_def();
    ThawForceId id = add_force(world, &def);
    for (uint64_t k = 0; k < 200; k++) {
        ThawVec3 at = scatter(k, 0.5);
        ThawVec3 moved = {at.x - 0.71, at.y, at.z + 0.87};
        assert_vec(force_at(world, id, at, 0.2), force_at(world, id, moved, 0.2), 1e-6);
    }
    thaw_world_destroy(world);
}

static void turbulence_goes_on_when_its_pace_is_set(void **state) {
    (void)state;
    ThawWorldDef world_def = small_def(3);
    ThawWorld *world = make_world(&world_def);
    ThawForceDef def = turbulence_def();
    ThawForceId id = add_force(world, &def);
    assert_ok(thaw_world_step(world, 3.7, NULL));
    ThawVec3 at = {0.33, 0.21, 0.07}, before = force_at(world, id, at, 3.7);
    def.change = 11;
    assert_ok(thaw_world_set_force(world, id, &def));
    assert_vec(force_at(world, id, at, 3.7), before, 1e-9);
    def.seed = 6;
    assert_ok(thaw_world_set_force(world, id, &def));
    assert_true(thaw_length(thaw_sub(force_at(world, id, at, 3.7), before)) > 0.1);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- bits

// a drop of water with every kind of force about it
static ThawWorld *stormy_world(int threads) {
    ThawWorldDef world_def = small_def(3);
    world_def.threads = threads;
    world_def.spacing = 0.02;
    ThawWorld *world = make_world(&world_def);
    ThawBodyDef body = thaw_body_default();
    body.material = add_water(world);
    body.shape = thaw_shape_sphere((ThawVec3){0, 0, 0.5}, 0.15);
    assert_ok(thaw_world_add_body(world, &body, NULL));
    const ThawBall balls[2] = {{{0, 0, 0.3}, 0.3}, {{0.2, 0, 0.6}, 0.2}};
    for (int kind = THAW_FORCE_DIRECTIONAL; kind <= THAW_FORCE_TURBULENCE; kind++) {
        ThawForceDef def = force_def((ThawForceKind)kind);
        def.strength = 3 + kind;
        def.direction = (ThawVec3){1, 0.5, -0.2};
        def.position = (ThawVec3){0.1, 0, 0.4};
        def.falloff = 0.5 * kind;
        def.inflow = 0.3;
        def.ramp = 0.01 * kind;
        def.bounded = kind % 2 == 1;
        def.region = thaw_shape_blend(balls, 2, 0.1);
        add_force(world, &def);
    }
    return world;
}

static void threads_change_no_bit(void **state) {
    (void)state;
    uint64_t hash[3];
    const int threads[3] = {1, 2, 5};
    for (int k = 0; k < 3; k++) {
        ThawWorld *world = stormy_world(threads[k]);
        for (int n = 0; n < 10; n++) assert_ok(thaw_world_step(world, 0.01, NULL));
        hash[k] = thaw_world_hash(world);
        thaw_world_destroy(world);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void snapshots_keep_forces_in_every_bit(void **state) {
    (void)state;
    ThawWorld *world = stormy_world(1), *copy = NULL;
    ThawForceDef def = turbulence_def();
    def.change = 2;
    for (int n = 0; n < 5; n++) assert_ok(thaw_world_step(world, 0.01, NULL));
    assert_ok(thaw_world_set_force(world, (ThawForceId){5}, &def));
    assert_ok(thaw_world_remove_force(world, (ThawForceId){2}));
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, NULL, &copy));
    thaw_snapshot_free(bytes);
    assert_true(thaw_world_hash(world) == thaw_world_hash(copy));
    for (int n = 0; n < 5; n++) {
        assert_ok(thaw_world_step(world, 0.01, NULL));
        assert_ok(thaw_world_step(copy, 0.01, NULL));
    }
    assert_true(thaw_world_hash(world) == thaw_world_hash(copy));
    assert_int_equal(add_force(copy, &def).value, 6);
    thaw_world_destroy(world);
    thaw_world_destroy(copy);
}

// Every byte of the forces changed in turn, with the checksum put right: refused with a sentence, or a world
// that can be used.
static void damaged_forces_are_refused_or_whole(void **state) {
    (void)state;
    ThawWorld *world = small_world(3), *copy = NULL;
    void *block;
    size_t bare, size;
    assert_ok(thaw_world_save(world, &block, &bare));
    thaw_snapshot_free(block);
    const ThawBall balls[1] = {{{0, 0, 0.3}, 0.3}};
    ThawForceDef def = turbulence_def();
    def.bounded = true;
    def.region = thaw_shape_blend(balls, 1, 0.1);
    add_force(world, &def);
    add_force(world, &def);
    assert_ok(thaw_world_save(world, &block, &size));
    thaw_world_destroy(world);
    static const ThawHostDef host = {.threads = 1};
    uint32_t refused = 0;
    assert_true(size > bare + 2 * 178);
    // plain malloc, so that a sanitizer sees a read past the end
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t at = 32; at < size; at++) {
        memcpy(bytes, block, size);
        bytes[at] ^= (uint8_t)(at % 2 == 0 ? 0xff : 0x40);
        uint64_t hash = thaw_hash_bytes(bytes + 32, size - 32);
        for (int k = 0; k < 8; k++) bytes[24 + k] = (uint8_t)(hash >> (8 * k));
        copy = NULL;
        ThawResult result = thaw_world_load(bytes, size, &host, &copy);
        refused += result != THAW_OK;
        if (result != THAW_OK) {
            assert_null(copy);
            assert_true(thaw_error_text()[0] != '\0');
            continue;
        }
        thaw_world_hash(copy);
        thaw_world_destroy(copy);
    }
    assert_true(refused > 100);
    free(bytes);
    thaw_snapshot_free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_field_is_named),
        cmocka_unit_test(forces_in_2d_stay_in_the_plane),
        cmocka_unit_test(handles_are_never_used_again),
        cmocka_unit_test(a_point_pulls_by_its_law),
        cmocka_unit_test(a_vortex_turns_about_its_axis_right_handed),
        cmocka_unit_test(periodic_worlds_pull_the_short_way),
        cmocka_unit_test(regions_and_materials_bound_a_force),
        cmocka_unit_test(ramps_give_the_same_impulse_in_any_cut),
        cmocka_unit_test(turbulence_has_no_sources),
        cmocka_unit_test(turbulence_is_as_strong_as_asked_at_any_time),
        cmocka_unit_test(turbulence_changes_smoothly_and_in_time),
        cmocka_unit_test(turbulence_fits_periodic_worlds),
        cmocka_unit_test(turbulence_goes_on_when_its_pace_is_set),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(snapshots_keep_forces_in_every_bit),
        cmocka_unit_test(damaged_forces_are_refused_or_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
