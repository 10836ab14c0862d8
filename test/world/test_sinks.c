// Sinks: what they take, from whom and when.
#include "helpers.h"

#include "math/vec.h"
#include "support/forms.h"
#include "world/world.h"

#include <stdlib.h>

// a cloud of particles at rest, without gravity, `side` to a side, 3 spacings apart
static ThawWorld *cloud(int dimensions, bool periodic, int side) {
    ThawWorldDef def = small_def(dimensions);
    def.gravity = (ThawVec3){0, 0, 0};
    if (periodic) {
        def.periodic[0] = true;
        def.lower.x = -0.5, def.upper.x = 0.5;
    }
    ThawWorld *world = make_world(&def);
    ThawMaterialId water = add_water(world);
    ThawMaterialDef oil = thaw_material_default();
    oil.name = "oil";
    ThawMaterialId second;
    assert_ok(thaw_world_add_material(world, &oil, &second));
    uint32_t count = (uint32_t)(dimensions == 3 ? side * side * side : side * side);
    double(*at)[3] = malloc(count * sizeof *at);
    assert_non_null(at);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t n = (uint32_t)side, c[3] = {k % n, k / n % n, k / n / n};
        for (int a = 0; a < 3; a++) {
            at[k][a] = a < dimensions ? 0.03 * (c[a] - 0.5 * (side - 1)) + 0.001 : 0;
        }
    }
    ThawParticlesDef particles = {
        .material = water, .count = count / 2, .positions = (const double(*)[3])at};
    assert_ok(thaw_world_add_particles(world, &particles, NULL));
    particles.material = second;
    particles.count = count - count / 2;
    particles.positions = (const double(*)[3])(at + count / 2);
    assert_ok(thaw_world_add_particles(world, &particles, NULL));
    free(at);
    return world;
}

static uint64_t removed_by(const ThawWorld *world, ThawSinkId id) {
    uint64_t removed;
    assert_ok(thaw_world_sink_removed(world, id, &removed));
    return removed;
}

static ThawSinkId add_sink(ThawWorld *world, const ThawSinkDef *def) {
    ThawSinkId id = {0};
    assert_ok(thaw_world_add_sink(world, def, &id));
    return id;
}

static ThawSinkDef sink_def(ThawShape shape) {
    ThawSinkDef def = thaw_sink_default();
    def.shape = shape;
    return def;
}

// what a sink takes is what a region finds, asked particle by particle
static void check_shape(ThawShape shape, int dimensions, bool periodic, bool outside) {
    ThawWorld *world = cloud(dimensions, periodic, 11);
    assert_ok(thaw_world_step(world, 1e-4, NULL)); // rows lie in order now
    uint32_t count = thaw_world_count(world), inside;
    assert_ok(thaw_world_find(world, &shape, NULL, 0, &inside));
    assert_true(inside > 5 && inside < count - 5);
    ThawSinkDef def = sink_def(shape);
    def.outside = outside;
    ThawSinkId id = add_sink(world, &def);
    ThawReport report;
    assert_ok(thaw_world_step(world, 1e-4, &report));
    uint32_t taken = outside ? count - inside : inside;
    assert_int_equal(removed_by(world, id), taken);
    assert_int_equal(report.died, taken);
    assert_int_equal(thaw_world_count(world), count - taken);
    uint32_t left;
    assert_ok(thaw_world_find(world, &shape, NULL, 0, &left));
    assert_int_equal(left, outside ? inside : 0);
    thaw_world_destroy(world);
}

static void sinks_take_what_is_inside_or_outside(void **state) {
    (void)state;
    ThawBall balls[2] = {{{0, 0, 0}, 0.06}, {{0.05, 0, 0.05}, 0.07}};
    Form form = form_torus(0.1, 0.04, 24);
    ThawField *field = form_field(&form, THAW_FIELD_SOLID, 0.01, 0);
    form_free(&form);
    for (int way = 0; way < 2; way++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            ThawShape box = thaw_shape_box((ThawVec3){0.02, 0, 0}, (ThawVec3){0.2, 0.1, 0.17});
            box = thaw_shape_rotate(box, (ThawVec3){0, 0, 1}, 0.4);
            check_shape(box, dimensions, false, way == 1);
            check_shape(thaw_shape_sphere((ThawVec3){0.15, 0, 0}, 0.07), dimensions, false,
                        way == 1);
        }
        check_shape(thaw_shape_plane((ThawVec3){0, 0, -0.1}, (ThawVec3){0.3, 0, 1}), 3, false,
                    way == 1);
        check_shape(thaw_shape_torus((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1}, 0.1, 0.04), 3, false,
                    way == 1);
        check_shape(thaw_shape_blend(balls, 2, 0.02), 3, false, way == 1);
        check_shape(thaw_shape_mesh(field), 3, false, way == 1);
    }
    thaw_field_release(field);
}

static void sinks_reach_through_periodic_faces(void **state) {
    (void)state;
    // its middle is on one face: half of what it takes is at the other
    ThawShape box = thaw_shape_box((ThawVec3){0.5, 0, 0}, (ThawVec3){0.8, 0.3, 0.3});
    check_shape(box, 3, true, false);
    check_shape(box, 3, true, true);
}

static void sinks_may_want_one_material(void **state) {
    (void)state;
    ThawWorld *world = cloud(3, false, 8);
    ThawSinkDef def = sink_def(thaw_shape_sphere((ThawVec3){0, 0, 0}, 5));
    def.material.value = 2;
    ThawSinkId id = add_sink(world, &def);
    assert_ok(thaw_world_step(world, 1e-4, NULL));
    assert_int_equal(removed_by(world, id), 256);
    const uint16_t *material = view_of(world, "material").data;
    for (uint32_t k = 0; k < 256; k++) assert_int_equal(material[k], 0);
    thaw_world_destroy(world);
}

static void sinks_act_from_from_to_to(void **state) {
    (void)state;
    ThawWorld *world = cloud(3, false, 4);
    ThawSinkDef def = sink_def(thaw_shape_sphere((ThawVec3){0.3, 0, 0}, 0.05));
    def.from = 0.1, def.to = 0.2;
    ThawSinkId id = add_sink(world, &def);
    // everything moves through it, one layer after the other
    float *velocity;
    assert_ok(thaw_world_edit(world, "velocity", (void **)&velocity));
    for (uint32_t k = 0; k < thaw_world_count(world); k++) velocity[3 * k] = 2;
    uint64_t before = 0;
    for (int k = 0; k < 30; k++) {
        double time = thaw_world_time(world);
        ThawReport report;
        assert_ok(thaw_world_step(world, 0.01, &report));
        if (time < 0.1 - 0.01 - 1e-9 || time >= 0.2 - 1e-9) assert_int_equal(report.died, 0);
        before += report.died;
    }
    assert_int_equal(removed_by(world, id), before);
    assert_true(before > 3 && before < 64);
    thaw_world_destroy(world);
}

static void sinks_survive_snapshots(void **state) {
    (void)state;
    ThawWorld *world = cloud(3, false, 5);
    ThawSinkDef def = sink_def(thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.03));
    def.name = "drain";
    ThawSinkId gone = add_sink(world, &def), id = add_sink(world, &def);
    assert_ok(thaw_world_remove_sink(world, gone));
    assert_ok(thaw_world_step(world, 1e-4, NULL));
    assert_true(removed_by(world, id) > 0);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    ThawWorld *loaded;
    assert_ok(thaw_world_load(bytes, size, NULL, &loaded));
    thaw_snapshot_free(bytes);
    assert_int_equal(removed_by(loaded, id), removed_by(world, id));
    assert_string_equal(loaded->sinks[0].name, "drain");
    uint64_t none;
    assert_missing(thaw_world_sink_removed(loaded, gone, &none), "sink 1");
    // handles go on where they were
    assert_int_equal(add_sink(loaded, &def).value, 3);
    thaw_world_destroy(world);
    thaw_world_destroy(loaded);
}

static void bad_sinks_are_refused_by_field(void **state) {
    (void)state;
    ThawWorld *world = small_world(3);
    const ThawSinkDef good = sink_def(thaw_shape_sphere((ThawVec3){0, 0, 0}, 1));
    ThawSinkDef def = good;
    def.shape.radius = -1;
    assert_refused(thaw_world_add_sink(world, &def, NULL), "radius");
    def = good, def.from = NAN;
    assert_refused(thaw_world_add_sink(world, &def, NULL), "from");
    def = good, def.to = -1;
    assert_refused(thaw_world_add_sink(world, &def, NULL), "to must be after from");
    def = good, def.material.value = 3;
    assert_missing(thaw_world_add_sink(world, &def, NULL), "material 3");
    char name[80];
    memset(name, 'x', 79);
    name[79] = '\0';
    def = good, def.name = name;
    assert_refused(thaw_world_add_sink(world, &def, NULL), "name");
    assert_missing(thaw_world_remove_sink(world, (ThawSinkId){1}), "sink 1");
    assert_int_equal(world->sink_count, 0);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinks_take_what_is_inside_or_outside),
        cmocka_unit_test(sinks_reach_through_periodic_faces),
        cmocka_unit_test(sinks_may_want_one_material),
        cmocka_unit_test(sinks_act_from_from_to_to),
        cmocka_unit_test(sinks_survive_snapshots),
        cmocka_unit_test(bad_sinks_are_refused_by_field),
    };
    return cmocka_run_group_tests_name("sinks", tests, NULL, NULL);
}
