// Freezing (eq. 16): its factors, who may join a lattice, and how a particle joins it.
#include "thermal/changing.h"

// ---------------------------------------------------------------- the rate, factor by factor (W-35)

static ThawThermalDef rate_def(void) {
    ThawThermalDef def = thaw_material_default().thermal;
    def.melts_at = 300;
    def.freezing_rate = 0.5f;
    def.freezing_speed = 0.1f;
    def.freezing_misfit = 0.2f;
    return def;
}

static const ThawFreezingPoint easy = {
    .temperature = 290, .neighbors = 4, .least = 2, .speed = 0.05, .misfit = 0.1};

static double rate_at(ThawFreezingPoint at) {
    ThawThermalDef def = rate_def();
    return thaw_freezing_rate(&def, &at);
}

static void the_rate_is_linear_in_cold_and_neighbours(void **state) {
    (void)state;
    assert_near(rate_at(easy), 0.5 * 10 * 2, 1e-9);
    ThawFreezingPoint at = easy;
    at.temperature = 280;
    assert_near(rate_at(at), 0.5 * 20 * 2, 1e-9);
    at = easy, at.neighbors = 7;
    assert_near(rate_at(at), 0.5 * 10 * 5, 1e-9);
}

static void the_rate_is_zero_when_warm_or_alone_and_when_both(void **state) {
    (void)state;
    ThawFreezingPoint at = easy;
    at.temperature = 300;
    assert_true(rate_at(at) == 0);
    at.temperature = 310;
    assert_true(rate_at(at) == 0);
    // two factors below zero do not make one above
    at.neighbors = 1;
    assert_true(rate_at(at) == 0);
    at.temperature = 290;
    assert_true(rate_at(at) == 0);
    at.neighbors = 2;
    assert_true(rate_at(at) == 0);
}

static void the_rate_falls_with_speed_and_misfit_beyond_their_limits(void **state) {
    (void)state;
    ThawFreezingPoint at = easy;
    at.speed = 0, at.misfit = 0;
    assert_true(rate_at(at) == rate_at(easy));
    at = easy, at.speed = 0.4;
    assert_near(rate_at(at), rate_at(easy) / 4, 1e-6);
    at.speed = 0.8;
    assert_near(rate_at(at), rate_at(easy) / 8, 1e-6);
    at = easy, at.misfit = 0.3;
    assert_near(rate_at(at), rate_at(easy) * 2 / 3, 1e-6);
    at.misfit = 0.4, at.speed = 0.4;
    assert_near(rate_at(at), rate_at(easy) / 8, 1e-6);
}

static void at_once_means_at_once_where_it_fits(void **state) {
    (void)state;
    ThawThermalDef def = rate_def();
    def.freezing_rate = 0;
    assert_true(isinf(thaw_freezing_rate(&def, &easy)));
    ThawFreezingPoint at = easy;
    at.temperature = 300;
    assert_true(thaw_freezing_rate(&def, &at) == 0);
    at = easy, at.neighbors = 2;
    assert_true(thaw_freezing_rate(&def, &at) == 0);
    // too fast: not at all; a bad fit: later
    at = easy, at.speed = 0.11;
    assert_true(thaw_freezing_rate(&def, &at) == 0);
    at = easy, at.misfit = 0.3;
    double later = thaw_freezing_rate(&def, &at);
    assert_true(later > 0 && isfinite(later));
    def.freezing_speed = 0; // any
    at = easy, at.speed = 100;
    assert_true(isinf(thaw_freezing_rate(&def, &at)));
    def.freezes_at = 280;
    assert_true(thaw_freezing_rate(&def, &easy) == 0);
}

// ---------------------------------------------------------------- only onto solids (W-36)

static void supercooled_liquid_stays_liquid_far_from_solids(void **state) {
    (void)state;
    ThawWorldDef world_def = lonely_def();
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    ThawMaterialId material = add_material(world, &wax);
    double d = world->def.spacing;
    add_block(world, material, (ThawVec3){32 * d, 32 * d, d}, THAW_STATE_LIQUID);
    uint32_t liquid = world->store->count;
    ThawBodyDef seed = thaw_body_default();
    seed.name = "seed";
    seed.material = material;
    seed.state = THAW_STATE_SOLID;
    seed.shape = thaw_shape_box((ThawVec3){60 * d, 0, 0}, (ThawVec3){4 * d, 4 * d, d});
    assert_ok(thaw_world_add_body(world, &seed, NULL));
    set_all(world, MELTS_AT - 20);
    double seconds = 0;
    uint64_t frozen = 0;
    while (seconds * liquid < 1e4) {
        frozen += step(world, 0.1).frozen;
        seconds += 0.1;
    }
    assert_int_equal(frozen, 0);
    assert_int_equal(count_state(world, THAW_STATE_LIQUID), liquid);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- a particle joins a lattice (W-37)

static double length_of(ThawVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static ThawVec3 minus(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// the mean way from the nearest six others to a particle
static ThawVec3 seat_of(const ThawWorld *world, uint64_t id, const uint64_t others[6]) {
    ThawVec3 at = place_of(world, thaw_store_find(world->store, id)), sum = {0, 0, 0};
    for (int k = 0; k < 6; k++) {
        ThawVec3 way = minus(at, place_of(world, thaw_store_find(world->store, others[k])));
        sum = (ThawVec3){sum.x + way.x / 6, sum.y + way.y / 6, sum.z + way.z / 6};
    }
    return sum;
}

static void nearest_six(const ThawWorld *world, uint32_t row, uint64_t others[6]) {
    double last = 0;
    for (int k = 0; k < 6; k++) {
        double least = INFINITY;
        for (uint32_t other = 0; other < world->store->count; other++) {
            double r = length_of(minus(place_of(world, row), place_of(world, other)));
            if (other == row || r <= last || r >= least) continue;
            least = r;
            others[k] = world->store->id[other];
        }
        last = least;
    }
}

static void shift_row(ThawWorld *world, uint32_t row, ThawVec3 by) {
    int64_t *cells = &world->store->cells[3 * (size_t)row];
    cells[0] += thaw_fixed_from(by.x / world->domain.cell);
    cells[1] += thaw_fixed_from(by.y / world->domain.cell);
    cells[2] += thaw_fixed_from(by.z / world->domain.cell);
}

// what freezing onto a block did
typedef struct Joining {
    double off;     // D from its site at the end
    double fastest; // D a second
    uint32_t bonds;
} Joining;

// a particle of a block melts, is moved off its site and freezes again; stiff and brittle, so that a burst would show
static Joining join(int dimensions, ThawVec3 where, double off, float young) {
    ThawWorldDef world_def = warm_def(dimensions);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = young;
    wax.solid.fracture_strain = 0.1f;
    ThawMaterialId material = add_material(world, &wax);
    double d = world->def.spacing, D = thaw_lattice_distance(dimensions, d);
    add_block(world, material, (ThawVec3){8 * d, 8 * d, 8 * d}, THAW_STATE_SOLID);
    set_all(world, MELTS_AT - 1);
    step(world, 0.001);
    uint32_t row = row_at(world, (ThawVec3){where.x * d, where.y * d, where.z * d});
    uint64_t id = world->store->id[row], others[6];
    nearest_six(world, row, others);
    ThawVec3 seat = seat_of(world, id, others);
    ThawShape spot = thaw_shape_sphere(place_of(world, row), 0.3 * d);
    assert_ok(thaw_world_set_temperature(world, &spot, MELTS_AT + 1));
    assert_int_equal(step(world, 1e-5).melted, 1);
    row = thaw_store_find(world->store, id);
    double share = dimensions == 3 ? sqrt(3) : sqrt(2);
    shift_row(world, row,
              (ThawVec3){off * D / share, off * D / share, dimensions == 3 ? off * D / share : 0});
    set_all(world, MELTS_AT - 1);
    ThawReport report = step(world, 1e-5);
    assert_int_equal(report.frozen, 1);
    Joining joining = {0};
    for (int k = 0; k < 50; k++) {
        report = step(world, 0.01);
        assert_int_equal(report.bonds_broken, 0);
        joining.fastest = fmax(joining.fastest, report.max_speed / D);
    }
    joining.off = length_of(minus(seat_of(world, id, others), seat)) / D;
    joining.bonds = bonds_of(world, thaw_store_find(world->store, id));
    thaw_world_destroy(world);
    return joining;
}

// lags of 0.2 D fade in a tenth of a second: nothing is faster than a few D a second
static void what_freezes_off_its_site_is_drawn_to_it_gently(void **state) {
    (void)state;
    static const ThawVec3 inside = {0, 0, 0}, face = {0, 0, 10}, edge = {0, 10, 0};
    const struct {
        int dimensions;
        ThawVec3 where;
        float young;
        uint32_t bonds;
    } cases[] = {{2, inside, 1e5f, 6},
                 {2, inside, 1e8f, 6},
                 {2, edge, 1e6f, 3},
                 {3, inside, 1e6f, 12},
                 {3, face, 1e6f, 5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Joining j = join(cases[k].dimensions, cases[k].where, 0.18, cases[k].young);
        assert_below(j.off, 0.05);
        assert_below(j.fastest, 10);
        assert_true(j.bonds >= cases[k].bonds);
    }
}

// a particle of a block melts and freezes again: the seconds for which it is young then
static double youth_in(double dt) {
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    ThawMaterialId material = add_material(world, &wax);
    double d = world->def.spacing;
    add_block(world, material, (ThawVec3){4 * d, 4 * d, d}, THAW_STATE_SOLID);
    set_all(world, MELTS_AT - 1);
    uint32_t row = row_at(world, (ThawVec3){0, 0, 0});
    uint64_t id = world->store->id[row];
    ThawShape spot = thaw_shape_sphere(place_of(world, row), 0.3 * d);
    assert_ok(thaw_world_set_temperature(world, &spot, MELTS_AT + 1));
    assert_int_equal(step(world, dt).melted, 1);
    set_all(world, MELTS_AT - 1);
    assert_int_equal(step(world, dt).frozen, 1);
    ThawLatticeState lattice;
    uint32_t steps = 0;
    do {
        step(world, dt);
        lattice = thaw_lattice_state(world->store);
        row = thaw_store_find(world->store, id);
    } while (++steps * dt < 1 && thaw_lattice_is_young(&lattice, row));
    thaw_world_destroy(world);
    return steps * dt;
}

// 0.3 s, and to a step at the most where that is no whole number of them
static void what_froze_is_young_for_as_long_in_any_step(void **state) {
    (void)state;
    assert_near(youth_in(0.0004), 0.3, 1e-9);
    assert_near(youth_in(0.003), 0.3, 1e-9);
    assert_near(youth_in(0.02), 0.3, 1e-9);
    assert_near(youth_in(1.0 / 700), 0.3, 1.0 / 700);
    assert_near(youth_in(0.07), 0.35, 1e-9);
}

static void a_flip_changes_no_momentum(void **state) {
    (void)state;
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    ThawMaterialId material = add_material(world, &wax);
    double d = world->def.spacing;
    add_block(world, material, (ThawVec3){20 * d, 20 * d, d}, THAW_STATE_SOLID);
    uint32_t count = world->store->count;
    ThawShape right = thaw_shape_box((ThawVec3){8 * d, 0, 0}, (ThawVec3){8 * d, 40 * d, d});
    set_all(world, MELTS_AT - 1);
    assert_ok(thaw_world_set_temperature(world, &right, MELTS_AT + 1));
    for (uint32_t row = 0; row < count; row++) world->store->velocity[3 * row] = 0.25f;
    double before[3], after[3];
    momentum_of(world, before);
    assert_true(step(world, 1e-3).melted > 50);
    set_all(world, MELTS_AT - 1);
    uint64_t frozen = 0;
    for (int k = 0; k < 60; k++) frozen += step(world, 1e-3).frozen;
    assert_true(frozen > 50);
    momentum_of(world, after);
    assert_int_equal(world->store->count, count);
    for (int a = 0; a < 3; a++) assert_near(after[a], before[a], 1e-6 * fabs(before[0]));
    thaw_world_destroy(world);
}

// the sums over all of m |v| and m |r| |v|: what momenta are small against
static void moments_about(const ThawWorld *world, double sum[2]) {
    double mass = 1000 * pow(world->def.spacing, world->def.dimensions);
    sum[0] = sum[1] = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        const float *v = &world->store->velocity[3 * (size_t)row];
        double speed = sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        sum[0] += mass * speed;
        sum[1] += mass * speed * length_of(place_of(world, row));
    }
}

// A spinning block without gravity, a quarter of which is liquid and shaken by up to 0.12 D each way.
static ThawWorld *make_spinning(int dimensions) {
    ThawWorldDef world_def = warm_def(dimensions);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = 1e5f;
    wax.liquid.viscosity = wax.liquid.xsph = 0; // it turns momenta, too
    double d = world->def.spacing, side = dimensions == 3 ? 10 * d : 20 * d;
    ThawBodyDef block = thaw_body_default();
    block.name = "block";
    block.material = add_material(world, &wax);
    block.state = THAW_STATE_SOLID;
    block.spin = (ThawVec3){0, 0, 0.5};
    block.shape = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){side, side, side});
    assert_ok(thaw_world_add_body(world, &block, NULL));
    set_all(world, MELTS_AT - 1);
    ThawShape part = thaw_shape_box((ThawVec3){5 * d, 0, 0}, (ThawVec3){5 * d, 1, 1});
    assert_ok(thaw_world_set_temperature(world, &part, MELTS_AT + 1));
    assert_true(step(world, 1e-4).melted > world->store->count / 5);
    double by = 0.12 * thaw_lattice_distance(dimensions, d) / 128;
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (world->store->state[row] == THAW_STATE_SOLID) continue;
        uint32_t key = (uint32_t)world->store->id[row] * 2654435761u;
        double x = by * ((key >> 8 & 255) - 128.0), y = by * ((key >> 16 & 255) - 128.0);
        double z = dimensions == 3 ? by * ((key >> 24 & 255) - 128.0) : 0;
        shift_row(world, row, (ThawVec3){x, y, z});
    }
    set_all(world, MELTS_AT - 1);
    return world;
}

// While it freezes forces stay pairs; they are off the line between the two by lags, for 0.3 s. Of all moments the spin
// changes by 0.1 % (3D 0.07 %); if it stays liquid, by half of that.
static void what_freezes_keeps_momentum_and_nearly_all_of_its_spin(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        ThawWorld *world = make_spinning(dimensions);
        double sum[2] = {0}, begin[3], end[3], most = 0;
        uint32_t frozen = 0;
        momentum_of(world, begin);
        ThawReport first = {0}, report = {0};
        for (int k = 0; k < 45; k++) {
            report = step(world, k < 20 ? 1e-3 : 1.0 / 60);
            if (k == 0) first = report;
            if (k == 0) moments_about(world, sum);
            frozen += report.frozen;
            most = fmax(most, fabs(report.angular_momentum.z - first.angular_momentum.z));
        }
        momentum_of(world, end);
        assert_true(frozen > 80);
        for (int a = 0; a < 3; a++) assert_near(end[a], begin[a], 1e-6 * sum[0]);
        assert_below(most, 0.003 * sum[1]);
        thaw_world_destroy(world);
    }
}

// ---------------------------------------------------------------- between lattices that do not give way

// what is strained most of the rows of a layer, by the largest principal value
static double most_strain(ThawWorld *world, double height, double thickness) {
    ThawLatticeState lattice = thaw_lattice_state(world->store);
    double most = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (fabs(place_of(world, row).y - height) > thickness / 2) continue;
        float strain[6]; // xx yy zz xy
        thaw_lattice_strain(&lattice, row, 2, strain);
        double mean = 0.5 * (double)(strain[0] + strain[1]);
        double half = 0.5 * (double)(strain[0] - strain[1]);
        most = fmax(most, mean + hypot(half, (double)strain[3]));
    }
    return most;
}

static void hold(ThawWorld *world, const char *name, double from, double to) {
    ThawAttachmentDef grip = thaw_attachment_default();
    grip.name = name;
    grip.region = thaw_shape_box((ThawVec3){0, 0.5 * (from + to), 0}, (ThawVec3){1, to - from, 1});
    assert_ok(thaw_world_add_attachment(world, &grip, NULL));
}

// A row of a brittle block melts, the upper half is shifted along it and held as the lower one is: nobody of the row can
// be on the sites of both when it freezes again.
static void what_two_lattices_draw_apart_settles_and_does_not_break(void **state) {
    (void)state;
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.solid.fracture_strain = 0.03f;
    ThawMaterialId material = add_material(world, &wax);
    double d = world->def.spacing, D = thaw_lattice_distance(2, d), shift = 0.12 * D;
    add_block(world, material, (ThawVec3){16 * d, 10 * d, d}, THAW_STATE_SOLID);
    set_all(world, MELTS_AT - 1);
    double y = place_of(world, row_at(world, (ThawVec3){0, 0, 0})).y;
    ThawShape layer = thaw_shape_box((ThawVec3){0, y, 0}, (ThawVec3){1, 0.4 * D, 1});
    assert_ok(thaw_world_set_temperature(world, &layer, MELTS_AT + 1));
    uint64_t melted = step(world, 1e-5).melted;
    assert_true(melted > 10);
    for (uint32_t row = 0; row < world->store->count; row++) {
        double above = place_of(world, row).y - y;
        if (above > 0.4 * D) shift_row(world, row, (ThawVec3){shift, 0, 0});
        if (fabs(above) < 0.4 * D) shift_row(world, row, (ThawVec3){shift / 2, 0, 0});
    }
    hold(world, "upper", y + 0.4 * D, 1);
    hold(world, "lower", -1, y - 0.4 * D);
    set_all(world, MELTS_AT - 1);
    uint64_t frozen = 0, broken = 0;
    for (int k = 0; k < 80; k++) {
        ThawReport report = step(world, 0.01);
        frozen += report.frozen;
        broken += report.bonds_broken;
    }
    assert_int_equal(frozen, melted);
    assert_int_equal(broken, 0);
    assert_below(most_strain(world, y, 0.4 * D), 0.02);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- sites that are not to be had

// a liquid particle beside a block's face, in place of the one that sat there; the block's own sites as told
static uint32_t frozen_beside(bool closed, bool occupied, float spacing) {
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    ThawMaterialId material = add_material(world, &wax);
    double d = world->def.spacing;
    add_block(world, material, (ThawVec3){8 * d, 8 * d, d}, THAW_STATE_SOLID);
    set_all(world, MELTS_AT - 1);
    step(world, 1e-4);
    uint32_t row = row_at(world, (ThawVec3){0, 0, 0});
    ThawVec3 at = place_of(world, row);
    if (!occupied) {
        ThawShape spot = thaw_shape_sphere(at, 0.3 * d);
        assert_ok(thaw_world_set_temperature(world, &spot, MELTS_AT + 1));
        assert_int_equal(step(world, 1e-5).melted, 1);
        row = row_at(world, at);
        if (spacing > 0) world->store->spacing[row] = spacing;
    }
    for (uint32_t k = 0; k < world->store->count && closed; k++) {
        int32_t *sites = &thaw_lattice_state(world->store).sites[k];
        if (world->store->state[k] == THAW_STATE_SOLID) *sites |= (~*sites & 0xfff) << 12;
    }
    const double places[1][3] = {{at.x + 0.1 * d, at.y, 0}};
    ThawParticlesDef more = {.material = material, .count = 1, .positions = places};
    if (occupied) assert_ok(thaw_world_add_particles(world, &more, NULL));
    set_all(world, MELTS_AT - 1);
    uint32_t frozen = step(world, 1e-5).frozen;
    thaw_world_destroy(world);
    return frozen;
}

static void closed_and_occupied_sites_and_other_sizes_take_nobody(void **state) {
    (void)state;
    assert_int_equal(frozen_beside(false, false, 0), 1);
    assert_int_equal(frozen_beside(true, false, 0), 0);
    assert_int_equal(frozen_beside(false, true, 0), 0);
    assert_int_equal(frozen_beside(false, false, 0.009f), 0);
}

// two at one vacancy: the nearer one has it
static void of_two_at_one_site_the_better_fit_freezes(void **state) {
    (void)state;
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialDef wax = wax_def();
    wax.thermal.freezing_misfit = 0.3f;
    ThawMaterialId material = add_material(world, &wax);
    double d = world->def.spacing;
    add_block(world, material, (ThawVec3){8 * d, 8 * d, d}, THAW_STATE_SOLID);
    set_all(world, MELTS_AT - 1);
    step(world, 1e-4);
    ThawVec3 at = place_of(world, row_at(world, (ThawVec3){0, 0, 0}));
    ThawShape spot = thaw_shape_sphere(at, 0.3 * d);
    assert_ok(thaw_world_set_temperature(world, &spot, MELTS_AT + 1));
    assert_int_equal(step(world, 1e-5).melted, 1);
    uint64_t worse = world->store->id[row_at(world, at)];
    shift_row(world, thaw_store_find(world->store, worse), (ThawVec3){0.12 * d, 0, 0});
    const double places[1][3] = {{at.x - 0.08 * d, at.y, 0}};
    ThawParticlesDef more = {.material = material, .count = 1, .positions = places};
    ThawParticleId better;
    assert_ok(thaw_world_add_particles(world, &more, &better));
    // they are too close, and are to stay so
    ThawAttachmentDef hold = thaw_attachment_default();
    hold.region = thaw_shape_sphere((ThawVec3){0, 0, 0}, 20 * d);
    assert_ok(thaw_world_add_attachment(world, &hold, NULL));
    set_all(world, MELTS_AT - 1);
    ThawStore *store = world->store;
    assert_int_equal(step(world, 1e-6).frozen, 1);
    assert_int_equal(store->state[thaw_store_find(store, better)], THAW_STATE_SOLID);
    assert_int_equal(store->state[thaw_store_find(store, worse)], THAW_STATE_LIQUID);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- other matter, other objects

#define WIDE 8
#define HIGH 8

// wax, two rows of it, between two bodies of stone, which never melts: all on one lattice; or wax in place of the upper
static ThawWorld *make_sandwich(const ThawMaterialDef *wax, const ThawMaterialDef *stone,
                                bool open) {
    ThawWorldDef world_def = warm_def(2);
    ThawWorld *world = make_world(&world_def);
    ThawMaterialId soft = add_material(world, wax), hard = add_material(world, stone);
    double d = world->def.spacing, D = thaw_lattice_distance(2, d);
    double places[WIDE * HIGH][3];
    // rows of one lattice; two rows in the middle are liquid
    for (int j = 0; j < HIGH; j++) {
        for (int i = 0; i < WIDE; i++) {
            double *p = places[WIDE * j + i];
            p[0] = D * (i + 0.5 * (j & 1));
            p[1] = D * sqrt(0.75) * j;
            p[2] = 0;
        }
    }
    for (int part = 0; part < 3; part++) {
        static const int first[3] = {0, 3, 5}, rows[3] = {3, 2, 3};
        bool liquid = part == 1 || (open && part == 2);
        ThawParticlesDef def = {.material = liquid ? soft : hard,
                                .count = (uint32_t)(WIDE * rows[part]),
                                .positions = (const double(*)[3]) & places[WIDE * first[part]],
                                .state = liquid ? THAW_STATE_LIQUID : THAW_STATE_SOLID};
        assert_ok(thaw_world_add_particles(world, &def, NULL));
    }
    set_all(world, MELTS_AT - 1);
    return world;
}

static ThawMaterialDef stone_def(void) {
    ThawMaterialDef def = wax_def();
    def.name = "stone";
    def.thermal.melts_at = 0;
    return def;
}

static void matter_freezes_onto_other_materials_and_welds_objects(void **state) {
    (void)state;
    ThawMaterialDef wax = wax_def(), stone = stone_def();
    ThawWorld *world = make_sandwich(&wax, &stone, false);
    int32_t lowest = INT32_MAX, highest = 0;
    uint32_t frozen = 0;
    for (int k = 0; k < 20; k++) frozen += step(world, 1e-3).frozen;
    assert_int_equal(frozen, 2 * WIDE);
    for (uint32_t row = 0; row < world->store->count; row++) {
        lowest = world->store->object[row] < lowest ? world->store->object[row] : lowest;
        highest = world->store->object[row] > highest ? world->store->object[row] : highest;
    }
    assert_true(lowest > 0);
    assert_int_equal(lowest, highest);
    // and they are bonded as one block is
    ThawReport report = step(world, 1e-3);
    assert_int_equal(report.bonds, WIDE * HIGH * 3 - WIDE * 2 - HIGH * 2 + 1);
    thaw_world_destroy(world);
}

// lattices of other distances, stiffness and weight that are bonded push each other alike
static void bonds_between_materials_keep_momentum(void **state) {
    (void)state;
    ThawMaterialDef wax = wax_def(), stone = stone_def();
    wax.solid.density = 920;
    wax.solid.young = 1e5f;
    stone.density = 2500;
    stone.solid.young = 1e6f;
    ThawWorld *world = make_sandwich(&wax, &stone, true);
    uint32_t frozen = 0;
    double fastest = 0, sum[3];
    for (int k = 0; k < 100; k++) {
        ThawReport report = step(world, 2e-3);
        frozen += report.frozen;
        fastest = fmax(fastest, report.max_speed);
    }
    assert_true(frozen > WIDE);
    assert_true(fastest > 1e-3); // it did swell
    momentum_of(world, sum);
    // of 10 kg
    for (int a = 0; a < 3; a++) assert_near(sum[a], 0, 1e-5 * fastest * 10);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- bonds at rest

// two solids of one lattice, the second one off its site by some D
static ThawWorld *make_bond(ThawVec3 off) {
    ThawWorldDef def = warm_def(3);
    def.spacing = 0.01;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef wax = wax_def();
    wax.solid.young = 1e5f;
    double D = thaw_lattice_distance(3, def.spacing), l = D * sqrt(0.5);
    const double places[2][3] = {{0, 0, 0}, {l + D * off.x, l + D * off.y, D * off.z}};
    ThawParticlesDef pair = {.material = add_material(world, &wax),
                             .count = 2,
                             .positions = places,
                             .state = THAW_STATE_SOLID};
    assert_ok(thaw_world_add_particles(world, &pair, NULL));
    assert_ok(thaw_lattice_open_lag(world->store));
    return world;
}

static double apart(const ThawWorld *world) {
    ThawVec3 a = place_of(world, 0), b = place_of(world, 1);
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z) / thaw_lattice_distance(3, world->def.spacing);
}

// Lattices that are turned exactly alike have misfits that are exactly opposite. In 3D a site has two numbers, with a
// misfit three: the third was forgotten then, and the bond pulled with all its might.
static void a_new_bond_is_at_rest_wherever_it_was_made(void **state) {
    (void)state;
    const ThawVec3 offs[] = {{0.2, 0, 0}, {0, 0, 0.2}, {0, 0, -0.25}, {0.1, -0.1, 0.2}};
    for (int k = 0; k < 4; k++) {
        ThawWorld *world = make_bond(offs[k]);
        double before = apart(world), fastest = 0;
        for (int n = 0; n < 100; n++) fastest = fmax(fastest, step(world, 1e-3).max_speed);
        assert_int_equal(world->report.bonds, 1);
        assert_below(fastest, 0.01); // misfits are kept to 0.0008 D
        assert_near(apart(world), before, 2e-3);
        thaw_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_is_linear_in_cold_and_neighbours),
        cmocka_unit_test(the_rate_is_zero_when_warm_or_alone_and_when_both),
        cmocka_unit_test(the_rate_falls_with_speed_and_misfit_beyond_their_limits),
        cmocka_unit_test(at_once_means_at_once_where_it_fits),
        cmocka_unit_test(supercooled_liquid_stays_liquid_far_from_solids),
        cmocka_unit_test(what_freezes_off_its_site_is_drawn_to_it_gently),
        cmocka_unit_test(what_froze_is_young_for_as_long_in_any_step),
        cmocka_unit_test(a_flip_changes_no_momentum),
        cmocka_unit_test(what_freezes_keeps_momentum_and_nearly_all_of_its_spin),
        cmocka_unit_test(what_two_lattices_draw_apart_settles_and_does_not_break),
        cmocka_unit_test(closed_and_occupied_sites_and_other_sizes_take_nobody),
        cmocka_unit_test(of_two_at_one_site_the_better_fit_freezes),
        cmocka_unit_test(matter_freezes_onto_other_materials_and_welds_objects),
        cmocka_unit_test(bonds_between_materials_keep_momentum),
        cmocka_unit_test(a_new_bond_is_at_rest_wherever_it_was_made),
    };
    return cmocka_run_group_tests_name("freezing", tests, NULL, NULL);
}
