// Heat that comes and goes: walls at a temperature, the air over free surfaces, sources. What particles took is what
// their heat has changed by, and what sources say they gave.
#include "models/thermal/heat.h"

#include "math/random.h"
#include "support/mesh_samples.h"
#include "world/helpers.h"
#include "world/world.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
#define AIR 300.0
#define STEFAN 5.670374419e-8

static ThawWorldDef still_def(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    def.spacing = 1;
    def.gravity = (ThawVec3){0, 0, 0};
    def.heat.on = true;
    def.heat.ambient = (float)AIR;
    return def;
}

static ThawMaterialId add_matter(ThawWorld *world, double conductivity, double capacity) {
    ThawMaterialDef def = thaw_material_default();
    def.density = 1;
    def.thermal.conductivity = (float)conductivity;
    def.thermal.specific_heat = (float)capacity;
    def.solid.young = 100;
    ThawMaterialId id;
    assert_ok(thaw_world_add_material(world, &def, &id));
    return id;
}

static ThawBodyId add_shape(ThawWorld *world, ThawMaterialId material, ThawShape shape,
                            ThawState state, double temperature) {
    ThawBodyDef body = thaw_body_default();
    body.material = material;
    body.shape = shape;
    body.state = state;
    body.temperature = (float)temperature;
    ThawBodyId id;
    assert_ok(thaw_world_add_body(world, &body, &id));
    world->settled_source = world->next_source;
    return id;
}

static ThawColliderId add_wall(ThawWorld *world, const char *name, ThawShape shape,
                               double temperature) {
    ThawColliderDef def = thaw_collider_default();
    def.name = name;
    def.shape = shape;
    def.temperature = (float)temperature;
    ThawColliderId id;
    assert_ok(thaw_world_add_collider(world, &def, &id));
    return id;
}

static ThawReport step(ThawWorld *world, double dt) {
    ThawReport report;
    assert_ok(thaw_world_step(world, dt, &report));
    return report;
}

// ---------------------------------------------------------------- air

typedef struct Form {
    const char *name;
    int dimensions;
    ThawShape shape;
    double power; // area over N^power of volumes
    double factor;
} Form;

// of a form that conducts so well that it is as warm everywhere as where the air takes its heat
static double free_area(const Form *form, bool stands, uint32_t *count) {
    ThawWorldDef def = still_def(form->dimensions);
    def.heat.convection = 1;
    ThawWorld *world = make_world(&def);
    ThawMaterialId id = add_matter(world, 1e6, 1e6);
    add_shape(world, id, form->shape, THAW_STATE_SOLID, AIR + 100);
    if (stands) {
        double low = INFINITY, (*at)[3] = calloc(world->store->count, sizeof *at);
        assert_non_null(at);
        thaw_world_positions(world, at);
        for (uint32_t row = 0; row < world->store->count; row++) low = fmin(low, at[row][2]);
        free(at);
        ThawVec3 under = {0, 0, low - 0.4};
        add_wall(world, "floor", thaw_shape_plane(under, (ThawVec3){0, 0, 1}), 0);
    }
    ThawReport report = step(world, 1e-3);
    *count = world->store->count;
    thaw_world_destroy(world);
    return -report.heat_taken / (1e-3 * 100);
}

static void the_air_sees_the_area_that_is_free(void **state) {
    (void)state;
    ThawVec3 o = {0.1, 0.2, 0.05};
    const Form forms[] = {
        {"cube", 3, thaw_shape_box(o, (ThawVec3){16, 16, 16}), 2.0 / 3, 6},
        {"ball", 3, thaw_shape_sphere(o, 9), 2.0 / 3, 4.835976},
        {"square", 2, thaw_shape_box(o, (ThawVec3){20, 20, 1}), 0.5, 4},
        {"disc", 2, thaw_shape_sphere((ThawVec3){0.1, 0.2, 0}, 12), 0.5, 3.544908},
    };
    for (size_t n = 0; n < 4; n++) {
        uint32_t count;
        double found = free_area(&forms[n], false, &count);
        double area = forms[n].factor * pow(count, forms[n].power);
        if (!(fabs(found / area - 1) < 0.06))
            fail_msg("%s of %u: %g of its area", forms[n].name, count, found / area);
        if (n > 0) continue;
        // five sides of a cube on a floor
        double less = free_area(&forms[n], true, &count) / area;
        if (!(fabs(less / (5.0 / 6) - 1) < 0.06)) fail_msg("%g of its area", less);
    }
}

// single particles have no surface about them, and cool all the same
static void drops_of_one_particle_cool(void **state) {
    (void)state;
    ThawWorldDef def = still_def(3);
    def.heat.convection = 1;
    ThawWorld *world = make_world(&def);
    ThawParticlesDef drop = {.material = add_matter(world, 1e6, 1e6),
                             .count = 1,
                             .positions = (const double[1][3]){{0, 0, 0}},
                             .temperature = (float)AIR + 100};
    assert_ok(thaw_world_add_particles(world, &drop, NULL));
    double area = -step(world, 1e-3).heat_taken / (1e-3 * 100);
    assert_true(fabs(area / 4.84 - 1) < 0.1); // a ball of its volume
    thaw_world_destroy(world);
}

// far from any surface the air is not felt, in every bit
static void the_inside_does_not_feel_the_air(void **state) {
    (void)state;
    ThawWorldDef def = still_def(3);
    def.heat.convection = 10;
    ThawWorld *world = make_world(&def);
    ThawMaterialId id = add_matter(world, 1, 1e6);
    add_shape(world, id, thaw_shape_sphere((ThawVec3){0, 0, 0}, 7), THAW_STATE_SOLID, AIR + 100);
    assert_int_equal(step(world, 1e-3).heat_stages, 1);
    double(*at)[3] = calloc(world->store->count, sizeof *at);
    assert_non_null(at);
    thaw_world_positions(world, at);
    ThawThermalState rows = thaw_thermal_state(world->store);
    uint32_t inside = 0, cooled = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double r =
            sqrt(at[row][0] * at[row][0] + at[row][1] * at[row][1] + at[row][2] * at[row][2]);
        double kept = (AIR + 100) * 1e6;
        if (r < 4.5) assert_true(rows.heat[row] == kept);
        inside += r < 4.5;
        cooled += rows.heat[row] < kept;
    }
    free(at);
    assert_true(inside > 300 && cooled > 300);
    thaw_world_destroy(world);
}

// c T' = −U A/m (T − Ta), of a ball that is as warm everywhere; radiation at its own rate
static void balls_cool_as_newton_and_stefan_say(void **state) {
    (void)state;
    for (int radiates = 0; radiates < 2; radiates++) {
        ThawWorldDef def = still_def(3);
        def.heat.convection = radiates ? 0 : 5;
        def.heat.emissivity = radiates ? 0.8f : 0;
        ThawWorld *world = make_world(&def);
        ThawMaterialId id = add_matter(world, 2e3, 100);
        double first = radiates ? 1200 : AIR + 100, now = first, time = 0, dt = 1;
        add_shape(world, id, thaw_shape_sphere((ThawVec3){0, 0, 0}, 6), THAW_STATE_SOLID, first);
        uint32_t count = world->store->count;
        double area = 4.835976 * pow(count, 2.0 / 3);
        for (int k = 0; k < 30; k++) {
            ThawReport report = step(world, dt);
            // as fine as it takes
            for (int n = 0; n < 100; n++) {
                double lost =
                    radiates ? 0.8 * STEFAN * (pow(now, 4) - pow(AIR, 4)) : 5 * (now - AIR);
                now -= area * lost / (100.0 * count) * dt / 100;
            }
            time += dt;
            double mean = report.heat / (100.0 * count);
            if (!(fabs((mean - now) / (first - AIR)) < 0.03))
                fail_msg("%s, %g s: %g K, not %g", radiates ? "radiation" : "air", time, mean, now);
        }
        assert_true(now < first - 0.3 * (first - AIR));
        thaw_world_destroy(world);
    }
}

// ---------------------------------------------------------------- walls

// a bar of close-packed layers, held as it is, between two planes, periodic across
#define LAYER 0.793700526 // spacings

static ThawWorld *open_bar(int layers, double transfer, double hot) {
    ThawWorldDef def = still_def(3);
    def.periodic[1] = def.periodic[2] = true;
    def.upper = (ThawVec3){0, 6 * LAYER, 6 * LAYER};
    ThawWorld *world = make_world(&def);
    ThawColliderDef wall = thaw_collider_default();
    wall.name = "cold";
    wall.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){1, 0, 0});
    wall.temperature = (float)AIR;
    assert_ok(thaw_world_add_collider(world, &wall, NULL));
    wall.name = "hot";
    wall.shape = thaw_shape_plane((ThawVec3){layers * LAYER, 0, 0}, (ThawVec3){-1, 0, 0});
    wall.temperature = (float)hot;
    wall.heat_transfer = (float)transfer;
    assert_ok(thaw_world_add_collider(world, &wall, NULL));
    static double places[1000][3];
    uint32_t count = 0;
    for (int n = 0; n < layers * 36; n++) {
        const int site[3] = {n / 36, n / 6 % 6, n % 6};
        if ((site[0] + site[1] + site[2]) % 2 != 0) continue;
        for (int a = 0; a < 3; a++) places[count][a] = (site[a] + 0.5) * LAYER;
        count++;
    }
    ThawParticlesDef bar = {.material = add_matter(world, 2, 1),
                            .count = count,
                            .positions = (const double(*)[3])places,
                            .temperature = (float)AIR};
    assert_ok(thaw_world_add_particles(world, &bar, NULL));
    world->settled_source = world->next_source;
    ThawAttachmentDef hold = thaw_attachment_default();
    hold.region = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){100, 100, 100});
    assert_ok(thaw_world_add_attachment(world, &hold, NULL));
    return world;
}

// K a spacing, in the middle
static double gradient_of(ThawWorld *world, double low, double high) {
    double(*at)[3] = calloc(world->store->count, sizeof *at), n = 0, x = 0, t = 0, xx = 0, xt = 0;
    assert_non_null(at);
    thaw_world_positions(world, at);
    ThawThermalState rows = thaw_thermal_state(world->store);
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (at[row][0] < low || at[row][0] > high) continue;
        double warm = (double)rows.temperature[row] - AIR;
        n++, x += at[row][0], t += warm, xx += at[row][0] * at[row][0], xt += at[row][0] * warm;
    }
    free(at);
    return (xt - x * t / n) / (xx - x * x / n);
}

static void transfer_is_a_resistance_before_the_wall(void **state) {
    (void)state;
    const double transfers[] = {0, 0.4, 0.05};
    for (int n = 0; n < 3; n++) {
        ThawWorld *world = open_bar(26, transfers[n], AIR + 100);
        for (int k = 0; k < 12; k++) step(world, 80);
        double resistance = 26 * LAYER / 2 + (transfers[n] > 0 ? 1 / transfers[n] : 0);
        double found = 2 * gradient_of(world, 4, 16), wanted = 100 / resistance;
        if (!(fabs(found / wanted - 1) < 0.02))
            fail_msg("transfer %g: %g W/m², not %g", transfers[n], found, wanted);
        thaw_world_destroy(world);
    }
}

// between a rod and the inside of a can, both about z: T falls with the logarithm of the radius
static void round_walls_conduct_by_the_logarithm(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorldDef def = still_def(dimensions);
        if (dimensions == 3) def.periodic[2] = true, def.upper = (ThawVec3){0, 0, 6};
        ThawWorld *world = make_world(&def);
        ThawMaterialId id = add_matter(world, 1, 1);
        double inner = 5, outer = 13;
        ThawVec3 from = {0, 0, -20}, to = {0, 0, 26};
        add_wall(world, "rod", thaw_shape_cylinder(from, to, inner), AIR + 100);
        ThawColliderDef can = thaw_collider_default();
        can.name = "can";
        can.container = true;
        can.shape = thaw_shape_cylinder(from, to, outer);
        can.temperature = (float)AIR;
        assert_ok(thaw_world_add_collider(world, &can, NULL));
        static double places[4000][3];
        uint32_t count = 0;
        // rings of a layer each
        for (double r = inner + 0.5; r < outer; r += 1) {
            int sites = (int)(2 * PI * r + 0.5);
            for (int k = 0; k < sites * (dimensions == 3 ? 6 : 1); k++) {
                double angle = 2 * PI * (k % sites) / sites;
                double *at = places[count++];
                at[0] = r * cos(angle), at[1] = r * sin(angle);
                at[2] = dimensions == 3 ? k / sites + 0.5 : 0;
            }
        }
        ThawParticlesDef matter = {.material = id,
                                   .count = count,
                                   .positions = (const double(*)[3])places,
                                   .temperature = (float)AIR};
        assert_ok(thaw_world_add_particles(world, &matter, NULL));
        world->settled_source = world->next_source;
        for (int k = 0; k < 10; k++) step(world, 20);
        thaw_world_positions(world, places);
        ThawThermalState rows = thaw_thermal_state(world->store);
        double worst = 0;
        for (uint32_t row = 0; row < count; row++) {
            double r = sqrt(places[row][0] * places[row][0] + places[row][1] * places[row][1]);
            double wanted = 100 * log(outer / r) / log(outer / inner);
            worst = fmax(worst, fabs((double)rows.temperature[row] - AIR - wanted) / 100);
        }
        if (!(worst < 0.03)) fail_msg("%dD: off by %g", dimensions, worst);
        thaw_world_destroy(world);
    }
}

// what lies behind a nearer wall is hidden by it, whether that one insulates or not
static void walls_hide_what_is_behind_them(void **state) {
    (void)state;
    for (int covered = 0; covered < 2; covered++) {
        ThawWorldDef def = still_def(3);
        ThawWorld *world = make_world(&def);
        ThawMaterialId id = add_matter(world, 1, 1);
        ThawVec3 up = {0, 0, 1};
        add_wall(world, "ground", thaw_shape_plane((ThawVec3){0, 0, -0.2}, up), AIR - 100);
        if (covered) {
            ThawShape plate = thaw_shape_box((ThawVec3){0, 0, -0.1}, (ThawVec3){30, 30, 0.2});
            add_wall(world, "plate", plate, 0);
        }
        ThawShape block = thaw_shape_box((ThawVec3){0, 0, 3.1}, (ThawVec3){6, 6, 6});
        add_shape(world, id, block, THAW_STATE_SOLID, AIR);
        ThawReport report = step(world, 0.1);
        assert_true(covered ? report.heat_taken == 0 : report.heat_taken < -10);
        thaw_world_destroy(world);
    }
}

// tiles side by side: each particle feels the one that it is over
static void tiles_side_by_side_are_felt_each_by_itself(void **state) {
    (void)state;
    double taken[2];
    for (int split = 0; split < 2; split++) {
        ThawWorldDef def = still_def(3);
        ThawWorld *world = make_world(&def);
        ThawMaterialId id = add_matter(world, 1, 1);
        if (split) {
            ThawVec3 size = {20, 20, 4};
            add_wall(world, "a", thaw_shape_box((ThawVec3){-10, 0, -2}, size), AIR + 100);
            add_wall(world, "b", thaw_shape_box((ThawVec3){10, 0, -2}, size), AIR + 100);
        } else {
            ThawShape whole = thaw_shape_box((ThawVec3){0, 0, -2}, (ThawVec3){40, 20, 4});
            add_wall(world, "a", whole, AIR + 100);
        }
        ThawShape block = thaw_shape_box((ThawVec3){0, 0, 3}, (ThawVec3){8, 8, 6});
        add_shape(world, id, block, THAW_STATE_SOLID, AIR);
        taken[split] = step(world, 0.05).heat_taken;
        thaw_world_destroy(world);
    }
    assert_true(taken[0] > 10 && fabs(taken[1] / taken[0] - 1) < 1e-9);
}

// walls leave alone what is held by an attachment; heat does not
static void held_matter_feels_walls_too(void **state) {
    (void)state;
    double taken[2];
    for (int held = 0; held < 2; held++) {
        ThawWorldDef def = still_def(3);
        ThawWorld *world = make_world(&def);
        ThawMaterialId id = add_matter(world, 1, 1);
        ThawVec3 o = {0, 0, 0}, up = {0, 0, 1};
        add_wall(world, "floor", thaw_shape_plane(o, up), AIR + 100);
        ThawShape block = thaw_shape_box((ThawVec3){0, 0, 3}, (ThawVec3){6, 6, 6});
        add_shape(world, id, block, THAW_STATE_SOLID, AIR);
        ThawAttachmentDef hold = thaw_attachment_default();
        hold.region = thaw_shape_box(o, (ThawVec3){30, 30, 30});
        if (held) assert_ok(thaw_world_add_attachment(world, &hold, NULL));
        taken[held] = step(world, 0.05).heat_taken;
        thaw_world_destroy(world);
    }
    if (!(taken[0] > 10 && fabs(taken[1] / taken[0] - 1) < 0.05))
        fail_msg("%g J free, %g J held", taken[0], taken[1]);
}

// a slab painted from cold on the left to hot on the right
static void painted_temperatures_are_felt_where_they_are(void **state) {
    (void)state;
    Sample sample = {0};
    sample_box(&sample, (ThawVec3){-12, -12, -4}, (ThawVec3){12, 12, 0});
    ThawMesh mesh = sample_mesh(&sample);
    float values[8];
    assert_int_equal(mesh.point_count, 8);
    for (uint32_t k = 0; k < 8; k++) values[k] = mesh.points[k][0] < 0 ? 200.0f : 400.0f;
    mesh.paint[THAW_PAINT_TEMPERATURE].values = values;
    ThawFieldDef field_def = thaw_field_default();
    field_def.cell = 0.5;
    field_def.band = 6;
    ThawField *field;
    assert_ok(thaw_field_create(&mesh, &field_def, &field));
    ThawWorldDef def = still_def(3);
    ThawWorld *world = make_world(&def);
    ThawMaterialId id = add_matter(world, 1, 1);
    add_wall(world, "slab", thaw_shape_mesh(field), 0);
    thaw_field_release(field);
    ThawShape layer = thaw_shape_box((ThawVec3){0, 0, 1.2}, (ThawVec3){16, 6, 2.4});
    add_shape(world, id, layer, THAW_STATE_SOLID, AIR);
    for (int k = 0; k < 60; k++) step(world, 0.2);
    // the layer has come to the paint below it: 200 K at x = −12, 400 K at 12
    double slope = gradient_of(world, -5, 5);
    if (!(fabs(slope / (200.0 / 24) - 1) < 0.1)) fail_msg("%g K a spacing", slope);
    thaw_world_destroy(world);
    sample_free(&sample);
}

// ---------------------------------------------------------------- sources

static ThawHeatSourceId add_source(ThawWorld *world, ThawShape region, double power,
                                   double temperature) {
    ThawHeatSourceDef def = thaw_heat_source_default();
    def.region = region;
    def.power = power;
    def.temperature = temperature;
    ThawHeatSourceId id;
    assert_ok(thaw_world_add_heat_source(world, &def, &id));
    return id;
}

static double given_by(ThawWorld *world, ThawHeatSourceId id) {
    double given;
    assert_ok(thaw_world_heat_given(world, id, &given));
    return given;
}

static ThawShape half_space_box(double side) {
    return thaw_shape_box((ThawVec3){side * 50, 0, 0}, (ThawVec3){100, 100, 100});
}

// no conduction: who is inside gets its share by mass, others nothing
static void power_is_shared_by_mass_among_those_inside(void **state) {
    (void)state;
    ThawWorldDef def = still_def(3);
    ThawWorld *world = make_world(&def);
    ThawMaterialId id = add_matter(world, 0, 7);
    ThawShape ball = thaw_shape_sphere((ThawVec3){0.3, 0, 0}, 5);
    add_shape(world, id, ball, THAW_STATE_SOLID, AIR);
    ThawHeatSourceId source = add_source(world, half_space_box(1), 50, 0);
    double first = AIR * 7, sum = 0;
    for (int k = 0; k < 10; k++) sum += step(world, 0.3).heat_taken;
    double(*at)[3] = calloc(world->store->count, sizeof *at);
    assert_non_null(at);
    thaw_world_positions(world, at);
    ThawThermalState rows = thaw_thermal_state(world->store);
    uint32_t inside = 0;
    for (uint32_t row = 0; row < world->store->count; row++) inside += at[row][0] > 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        double wanted = at[row][0] > 0 ? first + 50 * 3.0 / inside : first;
        assert_true(fabs(rows.heat[row] - wanted) < 1e-9 * first);
    }
    free(at);
    assert_true(fabs(given_by(world, source) - 150) < 1e-9 && fabs(sum - 150) < 1e-9);
    thaw_world_destroy(world);
}

// a region that pokes through a periodic face heats what is beyond it
static void sources_reach_through_periodic_faces(void **state) {
    (void)state;
    ThawWorldDef def = still_def(3);
    for (int a = 0; a < 3; a++) def.periodic[a] = true;
    def.upper = (ThawVec3){8, 8, 8};
    ThawWorld *world = make_world(&def);
    ThawMaterialId id = add_matter(world, 0, 1);
    ThawBodyDef body = thaw_body_default();
    body.material = id;
    body.packing = THAW_PACKING_CUBIC;
    body.shape = thaw_shape_box((ThawVec3){4, 4, 4}, (ThawVec3){8, 8, 8});
    body.temperature = (float)AIR;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    world->settled_source = world->next_source;
    // a cube of two spacings about the corner, given a period away
    add_source(world, thaw_shape_box((ThawVec3){8, 0, -8}, (ThawVec3){2, 2, 2}), 80, 0);
    step(world, 1);
    ThawThermalState rows = thaw_thermal_state(world->store);
    uint32_t warmed = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (rows.heat[row] == AIR) continue;
        assert_true(fabs(rows.heat[row] - AIR - 10) < 1e-9);
        warmed++;
    }
    assert_int_equal(warmed, 8);
    thaw_world_destroy(world);
}

static void sources_act_from_from_to_to(void **state) {
    (void)state;
    ThawWorldDef def = still_def(3);
    ThawWorld *world = make_world(&def);
    ThawMaterialId id = add_matter(world, 1, 7);
    add_shape(world, id, thaw_shape_sphere((ThawVec3){0, 0, 0}, 3), THAW_STATE_SOLID, AIR);
    ThawHeatSourceDef more = thaw_heat_source_default();
    more.everywhere = true;
    more.power = 10;
    more.from = 0.25;
    more.to = 1.05;
    ThawHeatSourceId source;
    assert_ok(thaw_world_add_heat_source(world, &more, &source));
    double sum = 0;
    for (int k = 0; k < 20; k++) sum += step(world, 0.1).heat_taken;
    if (!(fabs(sum - 8) < 1e-9)) fail_msg("%g J", sum);
    assert_true(fabs(given_by(world, source) - 8) < 1e-9);
    thaw_world_destroy(world);
}

// as much as it likes, but never to below 0 K
static void cooling_ends_above_absolute_zero(void **state) {
    (void)state;
    ThawWorldDef def = still_def(3);
    ThawWorld *world = make_world(&def);
    ThawMaterialId id = add_matter(world, 1, 1);
    add_shape(world, id, thaw_shape_sphere((ThawVec3){0, 0, 0}, 3), THAW_STATE_SOLID, AIR);
    ThawHeatSourceId source = add_source(world, thaw_shape_sphere((ThawVec3){0, 0, 0}, 1), -1e6, 0);
    double first = AIR * world->store->count, sum = 0;
    ThawReport report = {0};
    for (int k = 0; k < 30; k++) {
        report = step(world, 0.5);
        sum += report.heat_taken;
        assert_true(report.coldest > 0);
    }
    assert_true(fabs(report.heat - first - sum) < 1e-9 * first);
    assert_true(sum < 0 && fabs(given_by(world, source) - sum) < 1e-9 * first);
    thaw_world_destroy(world);
}

// one end held hot, the other cold: a straight line between them, and as much comes in as goes out
static void held_ends_conduct_in_a_straight_line(void **state) {
    (void)state;
    ThawWorld *world = open_bar(26, 1e-9, AIR);
    double last = 26 * LAYER;
    ThawShape cold = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){8 * LAYER, 50, 50});
    ThawShape hot = thaw_shape_box((ThawVec3){last, 0, 0}, (ThawVec3){8 * LAYER, 50, 50});
    ThawHeatSourceId sources[2] = {add_source(world, cold, 0, AIR), add_source(world, hot, 0, 400)};
    double first = AIR * world->store->count, sum = 0, before[2] = {0, 0};
    ThawReport report = {0};
    for (int k = 0; k < 12; k++) {
        for (int n = 0; n < 2; n++) before[n] = given_by(world, sources[n]);
        report = step(world, 40);
        sum += report.heat_taken;
    }
    assert_true(fabs(report.heat - first - sum) < 1e-9 * first);
    double given[2] = {given_by(world, sources[0]) - before[0],
                       given_by(world, sources[1]) - before[1]};
    assert_true(given[1] > 0 && fabs(given[0] / given[1] + 1) < 1e-3);
    // of the layers that are held the innermost are 19 apart
    double slope = gradient_of(world, 6, 15);
    if (!(fabs(slope / (100 / (19 * LAYER)) - 1) < 0.02)) fail_msg("%g K a spacing", slope);
    assert_true(report.hottest == 400);
    thaw_world_destroy(world);
}

// what is held at its melting point melts no further by being held
static void held_at_its_melting_point_matter_stays_as_it_is(void **state) {
    (void)state;
    ThawWorldDef def = still_def(3);
    ThawWorld *world = make_world(&def);
    ThawMaterialDef ice = thaw_material_default();
    ice.thermal.melts_at = 273;
    ice.thermal.latent_heat = 3e5f;
    ice.solid.young = 1e4f;
    ThawMaterialId id;
    assert_ok(thaw_world_add_material(world, &ice, &id));
    add_shape(world, id, thaw_shape_sphere((ThawVec3){0, 0, 0}, 3), THAW_STATE_SOLID, 273);
    ThawHeatSourceDef hold = thaw_heat_source_default();
    hold.everywhere = true;
    hold.temperature = 273;
    ThawHeatSourceId source;
    assert_ok(thaw_world_add_heat_source(world, &hold, &source));
    for (int k = 0; k < 5; k++) {
        ThawReport report = step(world, 0.1);
        assert_true(report.molten == 0 && report.heat_taken == 0 && report.coldest == 273);
    }
    assert_true(given_by(world, source) == 0);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- all together

// matter falls into a hot tub in cool air, over a heater; it melts on the way
static ThawWorld *open_all(int threads) {
    ThawWorldDef def = small_def(2);
    def.threads = threads;
    def.heat.on = true;
    def.heat.convection = 2000;
    def.heat.emissivity = 0.9f;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef wax = thaw_material_default();
    wax.thermal.conductivity = 800;
    wax.thermal.liquid_conductivity = 3000;
    wax.thermal.specific_heat = 2000;
    wax.thermal.melts_at = 310;
    wax.thermal.melting_range = 4;
    wax.thermal.latent_heat = 2e4f;
    wax.solid.young = 2e4f;
    ThawMaterialId id;
    assert_ok(thaw_world_add_material(world, &wax, &id));
    ThawColliderDef tub = thaw_collider_default();
    tub.name = "tub";
    tub.container = true;
    tub.shape = thaw_shape_box((ThawVec3){0, 0.25, 0}, (ThawVec3){0.4, 0.5, 1});
    tub.temperature = 380;
    tub.heat_transfer = 5e4f;
    assert_ok(thaw_world_add_collider(world, &tub, NULL));
    ThawShape pool = thaw_shape_box((ThawVec3){0, 0.06, 0}, (ThawVec3){0.38, 0.1, 1});
    ThawShape block = thaw_shape_box((ThawVec3){0.03, 0.22, 0}, (ThawVec3){0.12, 0.12, 1});
    ThawBodyDef body = thaw_body_default();
    body.material = id;
    body.shape = pool;
    body.temperature = 330;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    body.shape = block;
    body.state = THAW_STATE_SOLID;
    body.temperature = 295;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    add_source(world, thaw_shape_sphere((ThawVec3){0.1, 0, 0}, 0.05), 2e5, 0);
    add_source(world, thaw_shape_sphere((ThawVec3){-0.2, 0, 0}, 0.04), 0, 360);
    return world;
}

static void what_is_taken_is_what_heat_changes_by(void **state) {
    (void)state;
    ThawWorld *world = open_all(2);
    double first = 0, sum = 0;
    ThawThermalState rows = thaw_thermal_state(world->store);
    double mass = 1000 * pow((double)0.01f, 2);
    for (uint32_t row = 0; row < world->store->count; row++) first += mass * rows.heat[row];
    for (int k = 0; k < 40; k++) {
        ThawReport report = step(world, 0.01);
        sum += report.heat_taken;
        if (!(fabs(report.heat - first - sum) < 1e-9 * first))
            fail_msg("step %d: %g J of %g", k, report.heat - first - sum, first);
    }
    assert_true(fabs(sum) > 1e-3 * first);
    thaw_world_destroy(world);
}

static void any_number_of_threads_exchanges_the_same_bits(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; threads++) {
        ThawWorld *world = open_all(threads);
        for (int k = 0; k < 10; k++) step(world, 0.01);
        if (threads == 1) hash = thaw_world_hash(world);
        assert_true(thaw_world_hash(world) == hash);
        thaw_world_destroy(world);
    }
}

static void loaded_worlds_exchange_on_in_the_same_bits(void **state) {
    (void)state;
    ThawWorld *world = open_all(1), *loaded;
    for (int k = 0; k < 5; k++) step(world, 0.01);
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    ThawHostDef host = {.threads = 1};
    assert_ok(thaw_world_load(bytes, size, &host, &loaded));
    thaw_snapshot_free(bytes);
    for (int k = 0; k < 5; k++) {
        step(world, 0.01);
        step(loaded, 0.01);
        assert_true(thaw_world_hash(world) == thaw_world_hash(loaded));
    }
    thaw_world_destroy(world);
    thaw_world_destroy(loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_air_sees_the_area_that_is_free),
        cmocka_unit_test(drops_of_one_particle_cool),
        cmocka_unit_test(the_inside_does_not_feel_the_air),
        cmocka_unit_test(balls_cool_as_newton_and_stefan_say),
        cmocka_unit_test(transfer_is_a_resistance_before_the_wall),
        cmocka_unit_test(round_walls_conduct_by_the_logarithm),
        cmocka_unit_test(walls_hide_what_is_behind_them),
        cmocka_unit_test(tiles_side_by_side_are_felt_each_by_itself),
        cmocka_unit_test(held_matter_feels_walls_too),
        cmocka_unit_test(painted_temperatures_are_felt_where_they_are),
        cmocka_unit_test(power_is_shared_by_mass_among_those_inside),
        cmocka_unit_test(sources_reach_through_periodic_faces),
        cmocka_unit_test(sources_act_from_from_to_to),
        cmocka_unit_test(cooling_ends_above_absolute_zero),
        cmocka_unit_test(held_ends_conduct_in_a_straight_line),
        cmocka_unit_test(held_at_its_melting_point_matter_stays_as_it_is),
        cmocka_unit_test(what_is_taken_is_what_heat_changes_by),
        cmocka_unit_test(any_number_of_threads_exchanges_the_same_bits),
        cmocka_unit_test(loaded_worlds_exchange_on_in_the_same_bits),
    };
    return cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
}
