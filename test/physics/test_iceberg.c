// Everything together, in 2D: a lamp melts the foot of an ice cliff, then the neck of what hangs over; the piece breaks
// off, floats on its own melt, and a wall that turns cold freezes the melt about it, until the wall alone holds it.
//
// One run, and a claim for each of its stages: what they need is measured when the stage is over. Pieces are what bonds
// hold together, found by brute force from the sites that both sides have occupied.
#include "thermal/changing.h"

#include <string.h>

#define SPACING 0.08
#define ICE_POINT 273.15
#define MOST 2048        // particles
#define WIDTH 3.2        // m, of the tank
#define WIDTH_INSIDE 3.1 // m, up to the wall
#define STEPS 24         // a second

typedef struct Berg {
    ThawWorld *world;
    ThawColliderId tank, wall;
    ThawAttachmentId root;
    uint32_t count;
    double mass, heat, taken; // kg, J at first, J since then
    double most_energy;       // J, kinetic and elastic
    bool finite;
} Berg;

// ---------------------------------------------------------------- the scene

static ThawMaterialDef water_def(void) {
    ThawMaterialDef def = thaw_material_default();
    def.solid.density = 917;
    def.solid.young = 8e6f;
    def.solid.damping = 0.2f;
    def.solid.fracture_strain = 0.04f;
    def.solid.fracture_spread = 0.2f;
    def.solid.friction = 0.05f;
    def.thermal.conductivity = 3.3e5f;
    def.thermal.liquid_conductivity = 9e4f;
    def.thermal.specific_heat = 2100;
    def.thermal.liquid_specific_heat = 4186;
    def.thermal.latent_heat = 334e3f;
    def.thermal.melts_at = (float)ICE_POINT;
    def.thermal.nucleation = 2;
    def.thermal.nucleation_below = 5;
    def.thermal.sintering = 5;
    return def;
}

static void add_cliff(Berg *berg) {
    ThawMaterialDef water = water_def();
    ThawBodyDef cliff = thaw_body_default();
    cliff.name = "cliff";
    cliff.material = add_material(berg->world, &water);
    cliff.state = THAW_STATE_SOLID;
    cliff.temperature = (float)(ICE_POINT - 1);
    cliff.shape = thaw_shape_box((ThawVec3){-0.25, 1.9, 0}, (ThawVec3){2.7, 2, 1});
    assert_ok(thaw_world_add_body(berg->world, &cliff, NULL));
    ThawAttachmentDef root = thaw_attachment_default();
    root.name = "root";
    root.region = thaw_shape_box((ThawVec3){-1.6, 1.9, 0}, (ThawVec3){0.42, 2.4, 1});
    assert_ok(thaw_world_add_attachment(berg->world, &root, &berg->root));
}

static void add_walls(Berg *berg) {
    ThawColliderDef tank = thaw_collider_default(), wall = thaw_collider_default();
    tank.name = "tank";
    tank.container = true;
    tank.friction = 0;
    tank.shape = thaw_shape_box((ThawVec3){0, 3, 0}, (ThawVec3){WIDTH, 6, 1});
    assert_ok(thaw_world_add_collider(berg->world, &tank, &berg->tank));
    wall.name = "wall";
    wall.friction = 0;
    wall.frosts = true;
    wall.temperature = (float)(ICE_POINT + 1);
    wall.shape = thaw_shape_box((ThawVec3){1.7, 1.2, 0}, (ThawVec3){0.4, 3.6, 1});
    assert_ok(thaw_world_add_collider(berg->world, &wall, &berg->wall));
}

static void add_lamp(Berg *berg, ThawShape region, double power, double from, double to) {
    ThawHeatSourceDef lamp = thaw_heat_source_default();
    lamp.region = region;
    lamp.power = power;
    lamp.from = from;
    lamp.to = to;
    assert_ok(thaw_world_add_heat_source(berg->world, &lamp, NULL));
}

// the foot from below, each light reaching higher than the one before; then the neck
static void add_lamps(Berg *berg) {
    for (int k = 0; k < 8; k++) {
        double height = 0.25 + 0.15 * k;
        ThawShape foot =
            thaw_shape_box((ThawVec3){0.65, 0.85 + height / 2, 0}, (ThawVec3){4, height, 1});
        add_lamp(berg, foot, 340e6, 0.4 * k, 0.4 * (k + 1));
    }
    ThawVec3 neck = {-0.9, 2.05, 0};
    add_lamp(berg, thaw_shape_sphere(neck, 0.3), 85e6, 3.2, 4.2);
    add_lamp(berg, thaw_shape_sphere(neck, 0.5), 100e6, 4.2, 5.4);
}

static void run(Berg *berg, double seconds) {
    for (int k = 0; k < (int)lrint(seconds * STEPS); k++) {
        ThawReport report = step(berg->world, 1.0 / STEPS);
        berg->taken += report.heat_taken;
        berg->most_energy = fmax(berg->most_energy, report.kinetic + report.elastic);
        berg->finite = berg->finite && isfinite(report.kinetic) && isfinite(report.elastic) &&
                       isfinite(report.heat) && isfinite(report.max_speed);
    }
}

static Berg make_berg(void) {
    ThawWorldDef def = small_def(2);
    def.spacing = SPACING;
    def.heat.on = true;
    def.heat.ambient = (float)ICE_POINT;
    Berg berg = {.world = make_world(&def), .finite = true};
    add_cliff(&berg);
    add_walls(&berg);
    add_lamps(&berg);
    berg.count = thaw_world_count(berg.world);
    assert_true(berg.count < MOST);
    ThawReport report = step(berg.world, 1e-5);
    berg.mass = report.mass;
    berg.heat = report.heat;
    return berg;
}

// ---------------------------------------------------------------- what bonds hold together

// whether one solid has another on one of its sites
static bool sees(Berg *berg, uint32_t row, uint32_t other) {
    ThawLatticeState lattice = thaw_lattice_state(berg->world->store);
    const ThawMaterial *material = &berg->world->materials[berg->world->store->material[row]];
    double D = thaw_lattice_distance(2, SPACING) * thaw_material_swell(material, 2);
    ThawVec3 a = place_of(berg->world, row), b = place_of(berg->world, other);
    double way[3] = {(b.x - a.x) / D, (b.y - a.y) / D, 0};
    if (way[0] * way[0] + way[1] * way[1] > 4) return false;
    for (size_t k = 0; k < 2 && lattice.lag != NULL; k++) {
        way[k] += (double)(lattice.lag[3 * row + k] - lattice.lag[3 * other + k]);
    }
    ThawMat3 inverse;
    if (!thaw_mat3_invert(thaw_mat3_from_floats(&lattice.map[9 * row]), &inverse)) return false;
    const double local[3] = {inverse.m[0] * way[0] + inverse.m[1] * way[1],
                             inverse.m[3] * way[0] + inverse.m[4] * way[1], 0};
    double at[3];
    int site = thaw_lattice_nearest(&lattice, row, 2, local, at);
    return site >= 0 && ((uint32_t)lattice.sites[row] & THAW_SITE_OCCUPIED(site)) != 0;
}

static bool is_solid(const Berg *berg, uint32_t row) {
    return berg->world->store->state[row] == THAW_STATE_SOLID;
}

static uint32_t find_root_of(const uint32_t *parent, uint32_t row) {
    while (parent[row] != row) row = parent[row];
    return row;
}

// the piece of each row: a row of it; liquids are alone
static void find_pieces(Berg *berg, uint32_t *piece) {
    const ThawStore *store = berg->world->store;
    for (uint32_t row = 0; row < berg->count; row++) piece[row] = row;
    for (uint32_t row = 0; row < berg->count; row++) {
        for (uint32_t other = 0; other < row && is_solid(berg, row); other++) {
            if (!is_solid(berg, other) || store->object[row] != store->object[other]) continue;
            if (!sees(berg, row, other) || !sees(berg, other, row)) continue;
            piece[find_root_of(piece, row)] = find_root_of(piece, other);
        }
    }
    for (uint32_t row = 0; row < berg->count; row++) piece[row] = find_root_of(piece, row);
}

// ---------------------------------------------------------------- the piece that broke off

// Particles that are in no piece with those that the attachment holds, by id.
typedef struct Piece {
    uint32_t count;
    ThawParticleId ids[MOST];
} Piece;

typedef struct Place {
    double x, y, low; // m: the middle, the lowest particle
    uint32_t solid;
} Place;

static uint32_t row_of(Berg *berg, ThawParticleId id) {
    uint32_t row;
    assert_ok(thaw_world_index(berg->world, id, &row));
    return row;
}

static uint32_t count_solid_of(const Berg *berg, const uint32_t *piece, uint32_t of) {
    uint32_t count = 0;
    for (uint32_t row = 0; row < berg->count; row++) {
        count += piece[row] == of && is_solid(berg, row);
    }
    return count;
}

// the piece of the cliff's far left, which is held
static uint32_t held_piece(Berg *berg, const uint32_t *piece) {
    return piece[row_at(berg->world, (ThawVec3){-1.5, 2.6, 0})];
}

// the largest piece but the held one
static void find_berg(Berg *berg, Piece *found) {
    static uint32_t piece[MOST];
    find_pieces(berg, piece);
    uint32_t held = held_piece(berg, piece), best = held, most = 0;
    for (uint32_t row = 0; row < berg->count; row++) {
        uint32_t size = piece[row] == row && row != held ? count_solid_of(berg, piece, row) : 0;
        if (size > most) best = row;
        if (size > most) most = size;
    }
    found->count = 0;
    for (uint32_t row = 0; row < berg->count && most > 0; row++) {
        bool in = piece[row] == best && is_solid(berg, row);
        if (in) found->ids[found->count++] = berg->world->store->id[row];
    }
}

// where what is still solid of it is
static Place place_piece(Berg *berg, const Piece *piece) {
    Place place = {.low = INFINITY};
    for (uint32_t k = 0; k < piece->count; k++) {
        uint32_t row = row_of(berg, piece->ids[k]);
        if (!is_solid(berg, row)) continue;
        ThawVec3 at = place_of(berg->world, row);
        place.x += at.x;
        place.y += at.y;
        place.low = fmin(place.low, at.y);
        place.solid++;
    }
    place.x /= place.solid;
    place.y /= place.solid;
    return place;
}

// Where the water would stand with so much of the piece in it, by volumes: level and wet share go together.
static double wet_share(Berg *berg, const Piece *piece) {
    double a = SPACING * SPACING, low = 0, high = 3;
    double water = a * count_state(berg->world, THAW_STATE_LIQUID);
    uint32_t wet = 0, solid = place_piece(berg, piece).solid;
    for (int turn = 0; turn < 40; turn++) {
        double level = 0.5 * (low + high);
        wet = 0;
        for (uint32_t k = 0; k < piece->count; k++) {
            uint32_t row = row_of(berg, piece->ids[k]);
            wet += is_solid(berg, row) && place_of(berg->world, row).y < level;
        }
        bool above = WIDTH_INSIDE * level > water + a / 0.917 * wet;
        *(above ? &high : &low) = level;
    }
    return (double)wet / solid;
}

// how much of it bonds join to particles that the wall holds
static double frozen_share(Berg *berg, const Piece *berg_piece, uint32_t *frost_count) {
    static uint32_t piece[MOST];
    static bool held[MOST];
    const int32_t *frost = thaw_thermal_state(berg->world->store).frost;
    find_pieces(berg, piece);
    memset(held, 0, sizeof held);
    *frost_count = 0;
    for (uint32_t row = 0; row < berg->count; row++) {
        if (frost[row] != (int32_t)berg->wall.value) continue;
        held[piece[row]] = true;
        ++*frost_count;
    }
    uint32_t joined = 0;
    for (uint32_t k = 0; k < berg_piece->count; k++) {
        uint32_t row = row_of(berg, berg_piece->ids[k]);
        joined += is_solid(berg, row) && held[piece[row]];
    }
    return (double)joined / place_piece(berg, berg_piece).solid;
}

// ---------------------------------------------------------------- the run

// What the stages found.
typedef struct Story {
    uint32_t undercut;  // particles that have melted before the neck was lit
    bool hung;          // the cliff was one piece then
    uint32_t broke;     // particles of the piece
    Place floats[2];    // half a second apart
    double wet[2];      // shares
    double joined;      // share of the piece that bonds join to frost
    uint32_t frost;     // particles that the wall holds
    Place hangs[3];     // when the tank was taken away, later, and after a pull away from the wall
    double most_energy; // J, while the tank was there
    Berg berg;          // at the end
    ThawReport report;
} Story;

static void melt_and_break(Berg *berg, Story *story, Piece *piece) {
    run(berg, 3.2);
    story->undercut = count_state(berg->world, THAW_STATE_LIQUID);
    find_berg(berg, piece);
    story->hung = piece->count < 20;
    for (int k = 0; k < 24 && piece->count < 100; k++) {
        run(berg, 1.0 / 12);
        find_berg(berg, piece);
    }
    story->broke = piece->count;
    assert_true(piece->count >= 100);
}

static Story tell(void) {
    static Piece piece;
    Story story = {.berg = make_berg()};
    Berg *berg = &story.berg;
    melt_and_break(berg, &story, &piece);
    run(berg, 2);
    for (int k = 0; k < 2; k++) {
        run(berg, 0.5);
        story.floats[k] = place_piece(berg, &piece);
        story.wet[k] = wet_share(berg, &piece);
    }
    assert_ok(thaw_world_set_collider_temperature(berg->world, berg->wall, (float)ICE_POINT - 80));
    run(berg, 4);
    story.joined = frozen_share(berg, &piece, &story.frost);
    // nothing below it any more; then its weight pulls away from the wall
    story.most_energy = berg->most_energy;
    assert_ok(thaw_world_remove_collider(berg->world, berg->tank));
    story.hangs[0] = place_piece(berg, &piece);
    run(berg, 2);
    story.hangs[1] = place_piece(berg, &piece);
    assert_ok(thaw_world_set_gravity(berg->world, (ThawVec3){-9.81, 0, 0}));
    run(berg, 1);
    story.hangs[2] = place_piece(berg, &piece);
    story.report = step(berg->world, 1e-4);
    berg->taken += story.report.heat_taken;
    return story;
}

static Story story;

static int tell_once(void **state) {
    (void)state;
    story = tell();
    return 0;
}

static int forget(void **state) {
    (void)state;
    thaw_world_destroy(story.berg.world);
    return 0;
}

// ---------------------------------------------------------------- its stages

static void the_foot_melts_and_the_cliff_hangs_on(void **state) {
    (void)state;
    assert_below(0.3 * story.berg.count, story.undercut);
    assert_true(story.hung);
}

static void a_piece_breaks_off_when_its_neck_has_melted(void **state) {
    (void)state;
    assert_below(0.2 * story.berg.count, story.broke);
}

// it would rest on the floor with its lowest particles half a spacing above it
static void it_floats_on_its_own_melt(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        assert_below(2 * SPACING, story.floats[k].low);
        assert_below(0.85, story.wet[k]);
    }
    assert_below(100, story.floats[1].solid);
    assert_near(story.floats[1].y, story.floats[0].y, SPACING);
}

static void bonds_join_it_to_frost_on_the_cold_wall(void **state) {
    (void)state;
    assert_below(8, story.frost);
    assert_below(0.9, story.joined);
}

static void the_wall_alone_carries_its_weight(void **state) {
    (void)state;
    // free, it would fall twenty metres
    assert_near(story.hangs[1].y, story.hangs[0].y, SPACING);
    assert_near(story.hangs[1].x, story.hangs[0].x, SPACING);
}

static void its_weight_does_not_pull_it_off_the_wall(void **state) {
    (void)state;
    // free, it would go five metres
    assert_near(story.hangs[2].x, story.hangs[1].x, SPACING);
}

static void nothing_is_lost_on_the_way(void **state) {
    (void)state;
    const Berg *berg = &story.berg;
    assert_true(berg->finite);
    assert_int_equal(story.report.particles, berg->count);
    assert_true(story.report.mass == berg->mass);
    assert_below(fabs(story.report.heat - berg->heat - berg->taken), 1e-6 * berg->heat);
    // all of it, fallen by its height above the floor
    assert_below(story.most_energy, berg->mass * 9.81 * 1.9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_foot_melts_and_the_cliff_hangs_on),
        cmocka_unit_test(a_piece_breaks_off_when_its_neck_has_melted),
        cmocka_unit_test(it_floats_on_its_own_melt),
        cmocka_unit_test(bonds_join_it_to_frost_on_the_cold_wall),
        cmocka_unit_test(the_wall_alone_carries_its_weight),
        cmocka_unit_test(its_weight_does_not_pull_it_off_the_wall),
        cmocka_unit_test(nothing_is_lost_on_the_way),
    };
    return cmocka_run_group_tests_name("iceberg", tests, tell_once, forget);
}
