// Emitters and sinks in the liquid: a million births and deaths, jets, openings under water, springs.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/thaw.h>

#include <cmocka.h>

#include "base/memory.h"
#include "world/world.h"

#ifdef THAW_TEST_SANITIZED
#define DEATHS 20000u
#else
#define DEATHS 1000000u
#endif

static void must(ThawResult result) {
    if (result != THAW_OK) fail_msg("%s", thaw_error_text());
}

static ThawWorld *make_world(double spacing, double gravity, ThawMaterialId *water) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = spacing;
    def.gravity.z = -gravity;
    ThawWorld *world;
    must(thaw_world_create(&def, &world));
    ThawMaterialDef material = thaw_material_default();
    must(thaw_world_add_material(world, &material, water));
    return world;
}

static ThawReport step(ThawWorld *world, double dt) {
    ThawReport report;
    must(thaw_world_step(world, dt, &report));
    return report;
}

// ---------------------------------------------------------------- a million births and deaths

// all that a world holds which goes on from here and never held more
static size_t fresh_bytes(ThawWorld *world, double dt) {
    void *bytes;
    size_t size, before = thaw_alloc_bytes();
    ThawWorld *fresh;
    must(thaw_world_save(world, &bytes, &size));
    must(thaw_world_load(bytes, size, NULL, &fresh));
    thaw_snapshot_free(bytes);
    for (int k = 0; k < THAW_SCRATCH_CALLS; k++) step(fresh, dt);
    size_t held = thaw_alloc_bytes() - before;
    thaw_world_destroy(fresh);
    return held;
}

static int compare_ids(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// All ids differ; none that was not there before is below one that was ever given.
static void check_ids(ThawWorld *world, uint64_t *known, uint32_t *known_count) {
    ThawView view;
    must(thaw_world_view(world, "id", &view));
    uint32_t count = thaw_world_count(world);
    uint64_t *ids = malloc((count + 1) * sizeof *ids);
    assert_non_null(ids);
    memcpy(ids, view.data, count * sizeof *ids);
    qsort(ids, count, sizeof *ids, compare_ids);
    uint64_t last[8] = {0};
    for (uint32_t k = 0; k < *known_count; k++) last[known[k] >> 40] = known[k];
    for (uint32_t k = 0; k < count; k++) {
        assert_true(k == 0 || ids[k] > ids[k - 1]);
        bool old = bsearch(&ids[k], known, *known_count, sizeof *known, compare_ids) != NULL;
        if (!old) assert_true(ids[k] > last[ids[k] >> 40]);
    }
    memcpy(known, ids, count * sizeof *ids);
    *known_count = count;
    free(ids);
}

// four jets that a sink cuts off; their layers come in turn
static ThawWorld *make_jets(void) {
    ThawMaterialId water;
    const double d = 0.01;
    ThawWorld *world = make_world(d, 9.81, &water);
    ThawEmitterDef jet = thaw_emitter_default();
    jet.material = water;
    jet.radius = 6.5 * d;
    jet.speed = 10;
    for (int k = 0; k < 4; k++) {
        jet.pose.position = (ThawVec3){(k % 2) * 17 * d, (k / 2) * 17 * d, 0};
        jet.from = k * 0.25 * 0.9165 * d / jet.speed;
        must(thaw_world_add_emitter(world, &jet, NULL));
    }
    ThawSinkDef sink = thaw_sink_default();
    sink.shape = thaw_shape_plane((ThawVec3){0, 0, 10 * d}, (ThawVec3){0, 0, -1});
    must(thaw_world_add_sink(world, &sink, NULL));
    return world;
}

static void a_million_births_and_deaths_change_nothing(void **state) {
    (void)state;
    size_t nothing = thaw_alloc_bytes();
    ThawWorld *world = make_jets();
    uint64_t born = 0, died = 0;
    uint32_t least = UINT32_MAX, most = 0, known_count = 0, steps = 0;
    uint64_t *known = malloc(65536 * sizeof *known);
    assert_non_null(known);
    double sum = 0;
    while (died < DEATHS) {
        ThawReport report = step(world, 1.0 / 60);
        born += report.born, died += report.died;
        assert_int_equal(born - died, thaw_world_count(world));
        if (thaw_world_time(world) < 0.05) continue;
        check_ids(world, known, &known_count);
        least = report.particles < least ? report.particles : least;
        most = report.particles > most ? report.particles : most;
        sum += report.particles;
        steps++;
    }
    free(known);
    double mean = sum / steps;
    print_message("%llu births, %llu deaths, %u to %u live\n", (unsigned long long)born,
                  (unsigned long long)died, least, most);
    assert_true(least > 0.98 * mean && most < 1.02 * mean);
    size_t held = thaw_alloc_bytes() - nothing;
    double ratio = (double)held / (double)fresh_bytes(world, 1.0 / 60);
    print_message("memory is %zu bytes, %.3f of what the living need\n", held, ratio);
    assert_true(ratio < 1.2);
    thaw_world_destroy(world);
}

static void memory_falls_with_the_number_of_the_living(void **state) {
    (void)state;
    ThawMaterialId water;
    size_t nothing = thaw_alloc_bytes();
    ThawWorld *world = make_world(0.01, 9.81, &water);
    ThawEmitterDef def = thaw_emitter_default();
    def.material = water;
    def.radius = 0.05;
    def.speed = 4;
    def.life = 0.1;
    must(thaw_world_add_emitter(world, &def, NULL));
    // ten times as many for a while
    def.radius = 0.17;
    def.to = 0.08;
    def.pose.position.x = 1;
    must(thaw_world_add_emitter(world, &def, NULL));
    uint32_t most = 0;
    for (int k = 0; k < 20 + THAW_SCRATCH_CALLS; k++) {
        uint32_t count = step(world, 0.01).particles;
        most = count > most ? count : most;
    }
    assert_true(most > 5 * thaw_world_count(world) && thaw_world_count(world) > 2000);
    size_t held = thaw_alloc_bytes() - nothing;
    double ratio = (double)held / (double)fresh_bytes(world, 0.01);
    print_message("%u live after %u: memory is %zu bytes, %.3f of their need\n",
                  thaw_world_count(world), most, held, ratio);
    assert_true(ratio < 1.2);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- jets

// particles in a column before an opening, by the volume of what they fill
static double count_fraction(const ThawWorld *world, double radius, double from, double to) {
    uint32_t count = thaw_world_count(world), inside = 0;
    double(*at)[3] = malloc((count + 1) * sizeof *at), d = world->def.spacing;
    assert_non_null(at);
    thaw_world_positions(world, at);
    for (uint32_t k = 0; k < count; k++) {
        inside += hypot(at[k][0], at[k][1]) < radius && at[k][2] >= from && at[k][2] < to;
    }
    free(at);
    return inside * d * d * d / (3.14159265358979323846 * radius * radius * (to - from));
}

static void check_ramp(double first, double last) {
    ThawMaterialId water;
    const double d = 0.01;
    ThawWorld *world = make_world(d, 0, &water);
    ThawEmitterDef def = thaw_emitter_default();
    ThawEmitterId id;
    def.material = water;
    def.radius = 0.06;
    def.speed = first;
    must(thaw_world_add_emitter(world, &def, &id));
    for (int k = 0; k < 24; k++) step(world, 1.0 / 96);
    // eleven layers from 2 spacings before the opening on, while the speed changes
    const double end = 2 * d + 11 * 0.9165 * d, middle = 0.5 * (2 * d + end);
    double sum = 0, least = 1e9, most = 0;
    for (int k = 0; k < 48; k++) {
        def.speed = first + (last - first) * (k + 0.5) / 48;
        must(thaw_world_set_emitter(world, id, &def));
        step(world, 1.0 / 96);
        // what flies before slower matter draws away from it
        double slowing = (first - last) / 0.5, stretch = slowing * middle / (def.speed * def.speed);
        double fraction = count_fraction(world, 0.05, 2 * d, end) * fmax(1 + stretch, 1);
        sum += fraction;
        least = fmin(least, fraction);
        most = fmax(most, fraction);
    }
    print_message("%g to %g m/s: %.3f of the rest density, %.3f to %.3f\n", first, last, sum / 48,
                  least, most);
    assert_true(fabs(sum / 48 - 1) < 0.05);
    // never as much as a layer more or less
    assert_true(least > 1 - 1.0 / 11 && most < 1 + 1.0 / 11);
    thaw_world_destroy(world);
}

static void speed_ramps_leave_no_gap(void **state) {
    (void)state;
    check_ramp(1, 1.5);
    check_ramp(1.5, 1);
}

// ---------------------------------------------------------------- under water

typedef struct PoolCase {
    const char *name;
    ThawPose pose;
    double speed;   // m/s
    double fastest; // of what moves, in column speeds
} PoolCase;

static double twice_mean_height(const ThawWorld *world) {
    uint32_t count = thaw_world_count(world);
    double(*at)[3] = malloc((count + 1) * sizeof *at), sum = 0;
    assert_non_null(at);
    thaw_world_positions(world, at);
    for (uint32_t k = 0; k < count; k++) sum += at[k][2];
    free(at);
    return 2 * sum / count;
}

static void check_pool(const PoolCase *pool) {
    ThawMaterialId water;
    const double d = 0.02, area = 0.4 * 0.4;
    ThawWorld *world = make_world(d, 9.81, &water);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0, 0, 0.4}, (ThawVec3){0.4, 0.4, 0.8});
    must(thaw_world_add_collider(world, &tank, NULL));
    ThawBodyDef body = thaw_body_default();
    body.material = water;
    body.shape = thaw_shape_box((ThawVec3){0, 0, 0.1}, (ThawVec3){0.4, 0.4, 0.2});
    must(thaw_world_add_body(world, &body, NULL));
    ThawEmitterDef def = thaw_emitter_default();
    ThawEmitterId id;
    def.material = water;
    def.radius = 0.07;
    def.speed = pool->speed;
    def.from = 0.25, def.to = 0.55;
    def.pose = pool->pose;
    must(thaw_world_add_emitter(world, &def, &id));
    while (thaw_world_time(world) < 0.23) step(world, 0.02);
    double before = twice_mean_height(world), count = thaw_world_count(world), fastest = 0;
    while (thaw_world_time(world) < 0.6) {
        fastest = fmax(fastest, step(world, 0.02).max_speed);
    }
    while (thaw_world_time(world) < 1.4) step(world, 0.02);
    ThawEmitterState made;
    must(thaw_world_emitter_state(world, id, &made));
    double rise = twice_mean_height(world) - before, wanted = made.volume / area;
    print_message("%s: fastest %.2f of the column, rises by %.3f of what came\n", pool->name,
                  fastest / pool->speed, rise / wanted);
    assert_true((double)thaw_world_count(world) == count + (double)made.born);
    assert_int_equal(made.blocked, 0);
    assert_true(fastest < pool->fastest * pool->speed);
    assert_true(fabs(rise / wanted - 1) < 0.05);
    thaw_world_destroy(world);
}

static void openings_under_water_raise_the_pool(void **state) {
    (void)state;
    const double half = sqrt(0.5);
    const PoolCase cases[3] = {
        {"in the floor", {{0, 0, 0}, {0, 0, 0, 1}}, 1, 1.6},
        {"in a wall", {{-0.2, 0, 0.1}, {0, half, 0, half}}, 1, 1.6},
        // nothing but water around it: its housing is made by pushing water away
        {"in the midst", {{0, 0, 0.1}, {0, 0, 0, 1}}, 1, 4},
    };
    for (int k = 0; k < 3; k++) check_pool(&cases[k]);
}

// ---------------------------------------------------------------- springs

static void springs_do_not_burst(void **state) {
    (void)state;
    ThawMaterialId water;
    ThawWorld *world = make_world(0.02, 9.81, &water);
    ThawEmitterDef def = thaw_emitter_default();
    ThawEmitterId id;
    const double radius = 0.12;
    def.material = water;
    def.kind = THAW_EMITTER_VOLUME;
    def.shape = thaw_shape_sphere((ThawVec3){0, 0, 0}, radius);
    must(thaw_world_add_emitter(world, &def, &id));
    double fastest = 0, densest = 0;
    for (int k = 0; k < 24; k++) {
        ThawReport report = step(world, 1.0 / 24);
        densest = fmax(densest, report.max_density_error);
        ThawView view;
        must(thaw_world_view(world, "velocity", &view));
        const float *v = view.data;
        uint32_t count = thaw_world_count(world);
        double(*at)[3] = malloc((count + 1) * sizeof *at);
        assert_non_null(at);
        thaw_world_positions(world, at);
        for (uint32_t row = 0; row < count; row++) {
            // falling from the top of the sphere
            double fall = sqrt(2 * 9.81 * fmax(radius - at[row][2], 0));
            double speed = 0;
            for (uint32_t a = 0; a < 3; a++) speed += (double)(v[3 * row + a] * v[3 * row + a]);
            fastest = fmax(fastest, sqrt(speed) - fall);
        }
        free(at);
    }
    ThawEmitterState made;
    must(thaw_world_emitter_state(world, id, &made));
    print_message("%llu born, at most %.3f m/s faster than the fall, %.4f too dense\n",
                  (unsigned long long)made.born, fastest, densest);
    assert_true(made.born > 4000);
    assert_true(fastest < 0.05 && densest < 0.05);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_births_and_deaths_change_nothing),
        cmocka_unit_test(memory_falls_with_the_number_of_the_living),
        cmocka_unit_test(speed_ramps_leave_no_gap),
        cmocka_unit_test(openings_under_water_raise_the_pool),
        cmocka_unit_test(springs_do_not_burst),
    };
    return cmocka_run_group_tests_name("fountain", tests, NULL, NULL);
}
