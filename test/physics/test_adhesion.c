// Liquid on colliders that it sticks to, and on others: ceilings shed what they are not asked to hold, and what holds
// makes no energy and takes no momentum.
#include "support/forms.h"
#include "support/rigid.h"
#include "support/tank.h"
#include "world/helpers.h"

#define D 0.05 // m
#define DT 0.004
#define SUPPORT (2 * D)
#define PULL 9.81 // m/s² at the surface that draw, of adhesion 1

// the plate's lower face is at height 0
static ThawShape plate(int dimensions, double from, double to) {
    if (dimensions == 2) return tank_box(2, (ThawVec3){from, 0, 0}, (ThawVec3){to, 0.3, 0});
    return tank_box(3, (ThawVec3){from, -1, 0}, (ThawVec3){to, 1, 0.3});
}

// four layers right below it
static void hang_slab(Tank *tank, double x) {
    double low = x - 0.25, high = x + 0.25;
    if (tank->dimensions == 2)
        tank_fill(tank, tank_box(2, (ThawVec3){low, -4 * D, 0}, (ThawVec3){high, 0, 0}));
    else
        tank_fill(tank, tank_box(3, (ThawVec3){low, -0.25, -4 * D}, (ThawVec3){high, 0.25, 0}));
}

static ThawColliderId add_collider(Tank *tank, ThawShape shape, float adhesion) {
    ThawColliderDef def = thaw_collider_default();
    ThawColliderId id;
    def.shape = shape;
    def.adhesion = adhesion;
    assert_ok(thaw_world_add_collider(tank->world, &def, &id));
    return id;
}

static Tank open_slab(int dimensions, float adhesion) {
    ThawWorldDef def = tank_def(dimensions, D);
    Tank tank = tank_open(&def, NULL);
    add_collider(&tank, plate(dimensions, -1, 1), adhesion);
    hang_slab(&tank, 0);
    tank_look(&tank);
    return tank;
}

// particles less than `depth` below height 0, between two places along x
static uint32_t count_near(const Tank *tank, double depth, double from, double to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < tank->count; i++) {
        double height = tank_height(tank, tank->x[i]), x = tank->x[i][0];
        count += height > -depth && x > from && x < to;
    }
    return count;
}

static void run(Tank *tank, double seconds) {
    for (int s = 0; s < (int)(seconds / DT + 0.5); s++) tank_step(tank, DT);
}

// ---------------------------------------------------------------- ceilings

static void ceilings_shed_everything_unless_asked(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Tank tank = open_slab(dimensions, 0);
        assert_true(count_near(&tank, D, -1, 1) > 5);
        run(&tank, 1);
        assert_int_equal(count_near(&tank, 20 * D, -1, 1), 0);
        tank_close(&tank);
    }
}

static void sticky_ceilings_keep_a_film_of_one_layer(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Tank tank = open_slab(dimensions, 1);
        uint32_t layer = count_near(&tank, D, -1, 1), all = tank.count;
        run(&tank, 1);
        uint32_t film = count_near(&tank, D, -1, 1);
        print_message("%dD: a layer of %u, a film of %u, %u of %u fell\n", dimensions, layer, film,
                      all - count_near(&tank, 20 * D, -1, 1), all);
        assert_true(film > 0.8 * layer && film < 1.3 * layer);
        // the rest is not between
        assert_int_equal(count_near(&tank, 20 * D, -1, 1), film);
        run(&tank, 1);
        assert_int_equal(count_near(&tank, D, -1, 1), film);
        tank_close(&tank);
    }
}

static void stronger_adhesion_holds_more(void **state) {
    (void)state;
    const float steps[4] = {0.1f, 0.4f, 0.7f, 1};
    uint32_t before = 0;
    for (int k = 0; k < 4; k++) {
        Tank tank = open_slab(3, steps[k]);
        run(&tank, 1);
        uint32_t film = count_near(&tank, D, -1, 1);
        assert_true(film >= before);
        if (k == 0) assert_int_equal(film, 0);
        before = film;
        tank_close(&tank);
    }
    assert_true(before > 0);
}

// ---------------------------------------------------------------- energy

// J, of adhesion 1 to a collider: −¼ a h (1 − φ/h)⁴ a kilogram
static double stuck_energy(const Tank *tank, const ThawShape *shape, double side) {
    double sum = 0;
    for (uint32_t i = 0; i < tank->count; i++) {
        const double *x = tank->x[i];
        double distance = side * thaw_shape_distance(shape, (ThawVec3){x[0], x[1], x[2]});
        double away = 1 - fmax(distance, 0) / SUPPORT;
        if (away > 0) sum -= 0.25 * PULL * SUPPORT * pow(away, 4);
    }
    return sum * tank->particle;
}

static void adhesion_makes_no_energy(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Tank tank = open_slab(dimensions, 1);
        ThawShape ceiling = plate(dimensions, -1, 1);
        double first = tank_energy(&tank, -1) + stuck_energy(&tank, &ceiling, 1), most = 0;
        assert_true(first > 0);
        for (int s = 0; s < 250; s++) {
            tank_step(&tank, DT);
            most = fmax(most, tank_energy(&tank, -1) + stuck_energy(&tank, &ceiling, 1));
        }
        print_message("%dD: energy at most %.5f of the start\n", dimensions, most / first);
        assert_true(most < 1.001 * first);
        tank_close(&tank);
    }
}

// a pool whose walls draw it is as still as any
static void pools_rest_between_sticky_walls(void **state) {
    (void)state;
    ThawWorldDef def = tank_def(3, D);
    double speed[2], height[2];
    for (int sticky = 0; sticky < 2; sticky++) {
        Tank tank = tank_open(&def, NULL);
        ThawColliderDef walls = thaw_collider_default();
        ThawColliderId id;
        walls.shape = tank_box(3, (ThawVec3){0, 0, 0}, (ThawVec3){0.5, 0.5, 2});
        walls.container = true;
        walls.adhesion = (float)sticky;
        assert_ok(thaw_world_add_collider(tank.world, &walls, &id));
        tank_fill(&tank, tank_box(3, (ThawVec3){0, 0, 0}, (ThawVec3){0.5, 0.5, 0.5}));
        tank_step(&tank, DT); // what is new is settled first
        double first = tank_energy(&tank, 0) + sticky * stuck_energy(&tank, &walls.shape, -1);
        double most = 0;
        for (int s = 0; s < 500; s++) {
            tank_step(&tank, DT);
            double stuck = sticky * stuck_energy(&tank, &walls.shape, -1);
            most = fmax(most, tank_energy(&tank, 0) + stuck);
        }
        speed[sticky] = tank_rms_speed(&tank);
        height[sticky] = tank_mean_height(&tank);
        print_message("energy at most %.4f of the start\n", most / first);
        assert_true(most < 1.01 * first);
        tank_close(&tank);
    }
    print_message("rms speed %.4f and %.4f m/s, mean height %.4f and %.4f m\n", speed[0], speed[1],
                  height[0], height[1]);
    assert_true(speed[1] < 0.02);
    assert_true(fabs(height[1] - height[0]) < 0.1 * D);
}

// ---------------------------------------------------------------- by collider

static void each_plate_holds_by_its_own_adhesion(void **state) {
    (void)state;
    ThawWorldDef def = tank_def(3, D);
    Tank tank = tank_open(&def, NULL);
    add_collider(&tank, plate(3, -2, -0.5), 1);
    ThawColliderId other = add_collider(&tank, plate(3, 0.5, 2), 0);
    hang_slab(&tank, -1.2);
    hang_slab(&tank, 1.2);
    run(&tank, 1);
    assert_true(count_near(&tank, D, -2, -0.5) > 50);
    assert_int_equal(count_near(&tank, 10 * D, 0.5, 2), 0);
    // and by what it is told later
    assert_refused(thaw_world_set_collider_adhesion(tank.world, other, 1.5f), "adhesion");
    assert_refused(thaw_world_set_collider_adhesion(tank.world, other, -0.1f), "adhesion");
    assert_ok(thaw_world_set_collider_adhesion(tank.world, other, 1));
    hang_slab(&tank, 1.2);
    run(&tank, 1);
    assert_true(count_near(&tank, D, 0.5, 2) > 50);
    tank_close(&tank);
}

// on an upright plate a film is held by friction: that of the push which adhesion gives
static void upright_films_hold_by_friction(void **state) {
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        ThawWorldDef def = tank_def(3, D);
        Tank tank = tank_open(&def, NULL);
        ThawColliderDef wall = thaw_collider_default();
        ThawColliderId id;
        wall.shape = tank_box(3, (ThawVec3){-0.3, -1, -9}, (ThawVec3){0, 1, 1});
        wall.adhesion = 1;
        wall.friction = rough ? 0.5f : 0.0f;
        assert_ok(thaw_world_add_collider(tank.world, &wall, &id));
        tank_fill(&tank, tank_box(3, (ThawVec3){0, -0.25, -0.25}, (ThawVec3){D, 0.25, 0.25}));
        tank_look(&tank);
        double first = tank_mean_height(&tank);
        run(&tank, 0.5);
        double fallen = first - tank_mean_height(&tank), widest = 0;
        for (uint32_t i = 0; i < tank.count; i++) widest = fmax(widest, tank.x[i][0]);
        print_message("friction %.1f: fell %.3f m\n", (double)wall.friction, fallen);
        assert_true(widest < D);
        assert_true(rough ? fallen < 0.5 * D : fallen > 1);
        tank_close(&tank);
    }
}

// A mesh whose left half is painted with adhesion; where paint is, the collider's own value counts for nothing.
static void painted_adhesion_holds_where_it_is(void **state) {
    (void)state;
    Form slab = form_box((ThawVec3){0, 0, 0.5}, (ThawVec3){4, 2, 1});
    ThawMesh mesh = form_mesh(&slab);
    float values[8];
    for (int k = 0; k < 8; k++) values[k] = slab.points[k][0] < 0 ? 2.0f : 0.0f;
    mesh.paint[THAW_PAINT_ADHESION].values = values;
    ThawFieldDef field_def = thaw_field_default();
    ThawField *field = NULL;
    field_def.cell = 0.5 * D;
    field_def.band = 5;
    assert_ok(thaw_field_create(&mesh, &field_def, &field));
    ThawWorldDef def = tank_def(3, D);
    Tank tank = tank_open(&def, NULL);
    add_collider(&tank, thaw_shape_mesh(field), 1);
    hang_slab(&tank, -1.5); // 1.75 there
    hang_slab(&tank, 1.7);  // 0.15
    run(&tank, 1);
    assert_true(count_near(&tank, D, -2, 0) > 50);
    assert_int_equal(count_near(&tank, 10 * D, 0, 2), 0);
    tank_close(&tank);
    thaw_field_release(field);
    form_free(&slab);
}

// ---------------------------------------------------------------- bodies

static double length(ThawVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static ThawVec3 minus(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

typedef struct Outcome {
    double lost, turned; // of momentum and angular momentum, of what the box has of them at most
    double energy;       // the most of the start's
    ThawVec3 velocity;   // of the box, in the end
} Outcome;

#define FINE 0.02 // m

// J, all of it: with that of adhesion 1 to the box
static double all_energy(const RigidRig *rig, float adhesion) {
    static double x[4096][3];
    uint32_t count = thaw_world_count(rig->world);
    ThawShape box = rig->shapes[0];
    double sum = 0, mass = 1000 * FINE * FINE * FINE, support = 2 * FINE;
    assert_true(count <= 4096);
    thaw_world_positions(rig->world, x);
    box.pose = rigid_state(rig, 0).pose;
    for (uint32_t i = 0; i < count; i++) {
        double distance = thaw_shape_distance(&box, (ThawVec3){x[i][0], x[i][1], x[i][2]});
        double away = 1 - fmax(distance, 0) / support;
        if (away > 0) sum -= 0.25 * PULL * support * pow(away, 4);
    }
    return rigid_energy(rig) + (double)adhesion * mass * sum;
}

// a blob right above a free box, which it touches nowhere
static Outcome pass_box(float adhesion, double density, ThawVec3 velocity) {
    ThawWorldDef def = rigid_def(3, FINE);
    def.gravity = (ThawVec3){0, 0, 0};
    RigidRig rig = rigid_open(&def);
    ThawShape box = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.16, 0.16, 0.16});
    ThawColliderDef body = rigid_body(box, density);
    body.adhesion = adhesion;
    int k = rigid_add(&rig, &body);
    rigid_blob(&rig, thaw_shape_sphere((ThawVec3){0.03, 0, 0.15}, 0.06), velocity);
    rigid_step(&rig, 0.002);
    ThawVec3 p = rigid_momentum(&rig), l = rigid_angular(&rig);
    Outcome outcome = {0};
    double most = 0, spun = 0, first = all_energy(&rig, adhesion);
    for (int s = 0; s < 100; s++) {
        rigid_step(&rig, 0.002);
        ThawColliderState box_now = rigid_state(&rig, k);
        outcome.energy = fmax(outcome.energy, all_energy(&rig, adhesion) / first);
        outcome.lost = fmax(outcome.lost, length(minus(rigid_momentum(&rig), p)));
        outcome.turned = fmax(outcome.turned, length(minus(rigid_angular(&rig), l)));
        most = fmax(most, box_now.mass * length(box_now.velocity));
        spun = fmax(spun, box_now.inertia[0] * length(box_now.spin));
    }
    outcome.lost /= most > 0 ? most : 1;
    outcome.turned /= spun > 0 ? spun : 1;
    outcome.velocity = rigid_state(&rig, k).velocity;
    rigid_close(&rig);
    return outcome;
}

static void sticky_bodies_keep_momentum(void **state) {
    (void)state;
    Outcome o = pass_box(1, 500, (ThawVec3){0, 0, 0});
    print_message("momentum within %.2g, angular within %.2g of the box's\n", o.lost, o.turned);
    assert_true(o.lost < 1e-6);
    assert_true(o.turned < 5e-3);
}

static void only_sticky_bodies_are_taken_along(void **state) {
    (void)state;
    Outcome dry = pass_box(0, 500, (ThawVec3){0.4, 0, 0}),
            wet = pass_box(1, 500, (ThawVec3){0.4, 0, 0});
    print_message("the box goes %.4f and %.4f m/s\n", dry.velocity.x, wet.velocity.x);
    assert_true(dry.velocity.x == 0);
    assert_true(wet.velocity.x > 0.01);
}

// many particles hold a body that weighs less than they do
static void light_sticky_bodies_gain_no_energy(void **state) {
    (void)state;
    const double densities[3] = {1000, 100, 10};
    for (int k = 0; k < 3; k++) {
        Outcome o = pass_box(1, densities[k], (ThawVec3){1, 0, 0});
        print_message("density %g: energy at most %.4f, the box goes %.3f m/s\n", densities[k],
                      o.energy, o.velocity.x);
        assert_true(o.energy < 1.001);
        assert_true(o.velocity.x < 1);
    }
}

// ---------------------------------------------------------------- state

static void adhesion_is_saved(void **state) {
    (void)state;
    Tank tank = open_slab(3, 0.8f);
    run(&tank, 0.1);
    void *bytes = NULL;
    size_t size = 0;
    ThawWorld *copy = NULL;
    assert_ok(thaw_world_save(tank.world, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, NULL, &copy));
    Tank again = tank_around(copy, &tank);
    run(&tank, 0.2);
    run(&again, 0.2);
    assert_true(tank_distance(&tank, &again, (ThawVec3){0, 0, 0}) == 0);
    thaw_snapshot_free(bytes);
    tank_close(&again);
    tank_close(&tank);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ceilings_shed_everything_unless_asked),
        cmocka_unit_test(sticky_ceilings_keep_a_film_of_one_layer),
        cmocka_unit_test(stronger_adhesion_holds_more),
        cmocka_unit_test(adhesion_makes_no_energy),
        cmocka_unit_test(pools_rest_between_sticky_walls),
        cmocka_unit_test(each_plate_holds_by_its_own_adhesion),
        cmocka_unit_test(upright_films_hold_by_friction),
        cmocka_unit_test(painted_adhesion_holds_where_it_is),
        cmocka_unit_test(sticky_bodies_keep_momentum),
        cmocka_unit_test(only_sticky_bodies_are_taken_along),
        cmocka_unit_test(light_sticky_bodies_gain_no_energy),
        cmocka_unit_test(adhesion_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
