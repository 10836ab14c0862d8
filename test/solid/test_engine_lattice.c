// W-1 to W-4, W-6 to W-9 and the elastic constants of the validation cases on the shipped solid: lattice,
// assignment, matching, strain and stress of bodies where they are. Forces are in k D.
#include "solid/engine.h"

// ---------------------------------------------------------------- W-1

static void w01_lattice_has_the_first_shell_of_close_packing(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const ThawSites *sites = thaw_sites(dimensions);
        double(*offsets)[3] = NULL;
        uint32_t count =
            thaw_lattice_neighbors(THAW_PACKING_CLOSE, dimensions,
                                   1 / thaw_lattice_distance(dimensions, 1), 1.001, offsets, 0);
        assert_int_equal(count, sites->count);
        assert_int_equal(count, dimensions == 3 ? 12 : 6);
        for (uint32_t s = 0; s < sites->count; s++) {
            const float *l = sites->vector[s], *back = sites->vector[s ^ 1u];
            double length = 0;
            for (int a = 0; a < 3; a++) {
                length += (double)l[a] * (double)l[a];
                assert_true(l[a] == -back[a]);
            }
            assert_near(length, 1, 1e-7);
        }
    }
}

static void w01_lattice_has_all_shells_of_close_packing(void **state) {
    (void)state;
    const uint32_t solid[7] = {12, 6, 24, 12, 24, 8, 48}, flat[5] = {6, 6, 6, 12, 6};
    const double square[5] = {1, 3, 4, 7, 9};
    uint32_t sum = 0;
    for (int n = 0; n < 7; n++) {
        sum += solid[n];
        double d = 1 / thaw_lattice_distance(3, 1), radius = sqrt(n + 1.5);
        assert_int_equal(thaw_lattice_neighbors(THAW_PACKING_CLOSE, 3, d, radius, NULL, 0), sum);
    }
    sum = 0;
    for (int n = 0; n < 5; n++) {
        sum += flat[n];
        double d = 1 / thaw_lattice_distance(2, 1), radius = sqrt(square[n] + 0.3);
        assert_int_equal(thaw_lattice_neighbors(THAW_PACKING_CLOSE, 2, d, radius, NULL, 0), sum);
    }
}

static void w01_block_of_20_half_steps_bonds_all_its_neighbours(void **state) {
    (void)state;
    EngineDef def = engine_units(3);
    EngineBlock how = plain_block(20, 20, 20);
    Engine e = engine_block(&def, &how);
    assert_int_equal(e.count, 4000);
    double volume = engine_mass(&e) * e.count / (double)def.material.density;
    assert_true(volume > pow(19 * HALF, 3) && volume < pow(21 * HALF, 3));
    ThawReport report = engine_step(&e, 1e-6, 1);
    // of the two diagonals of each square of half-steps one is a bond
    assert_int_equal(report.bonds, 3 * 19 * 19 * 20);
    assert_int_equal(report.solid, 4000);
    engine_free(&e);
}

// ---------------------------------------------------------------- W-2

static double nearest_by_trial(int dimensions, const double place[3]) {
    double best = INFINITY;
    for (int a = -5; a <= 5; a++) {
        for (int b = -5; b <= 5; b++) {
            for (int c = -5; c <= 5; c++) {
                if (dimensions == 2 ? c != 0 : ((a + b + c) & 1) != 0) continue;
                double x = dimensions == 2 ? a + 0.5 * b : HALF * a;
                double y = dimensions == 2 ? 0.5 * sqrt(3) * b : HALF * b;
                double z = dimensions == 2 ? 0 : HALF * c;
                double off[3] = {place[0] - x, place[1] - y, place[2] - z};
                best = fmin(best, off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
            }
        }
    }
    return best;
}

static double square_to_point(int dimensions, const double place[3], const int32_t point[3]) {
    double x = dimensions == 2 ? point[0] + 0.5 * point[1] : HALF * point[0];
    double y = dimensions == 2 ? 0.5 * sqrt(3) * point[1] : HALF * point[1];
    double z = dimensions == 2 ? 0 : HALF * point[2];
    double off[3] = {place[0] - x, place[1] - y, place[2] - z};
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
}

// a random turn and a stretch of about 10 %
static Mat random_map(Dice *dice, int dimensions) {
    if (dimensions == 3) return m_mul(m_along(m_one(), 0.1, dice_matrix(dice)), dice_turn(dice));
    Mat stretch = m_along(m_one(), 0.1, dice_matrix(dice));
    stretch.m[0][2] = stretch.m[1][2] = stretch.m[2][0] = stretch.m[2][1] = 0;
    stretch.m[2][2] = 1;
    return m_mul(stretch, m_turn((ThawVec3){0, 0, 1}, 2 * PI * dice_unit(dice)));
}

static ThawVec3 random_offset(Dice *dice, int dimensions) {
    ThawVec3 r = v_scale(1.6, dice_vector(dice));
    if (dimensions == 2) r.z = 0;
    return r;
}

static int count_wrong_points(int dimensions) {
    Dice dice = {(uint64_t)dimensions};
    int wrong = 0;
    for (int n = 0; n < 100000; n++) {
        Mat map = random_map(&dice, dimensions);
        ThawVec3 at = m_apply(m_inverse(map), random_offset(&dice, dimensions));
        const double place[3] = {at.x, at.y, at.z};
        int32_t point[3];
        thaw_site_nearest(dimensions, place, point);
        wrong +=
            square_to_point(dimensions, place, point) > nearest_by_trial(dimensions, place) + 1e-12;
    }
    return wrong;
}

static void w02_nearest_point_is_the_one_found_by_trial(void **state) {
    (void)state;
    assert_int_equal(count_wrong_points(3), 0);
    assert_int_equal(count_wrong_points(2), 0);
}

#define PAIRS 20000
#define APART 4.0 // D: between pairs, so that none sees another

typedef struct Pairs {
    Engine engine;
    Mat map[PAIRS];
    ThawVec3 offset[PAIRS];
} Pairs;

// Pairs far from each other, the first of each with a random map. The second's map is the first's.
static Pairs *make_pairs(int dimensions) {
    Pairs *pairs = malloc(sizeof *pairs);
    ThawVec3 *points = engine_room(2 * PAIRS);
    assert_non_null(pairs);
    Dice dice = {20};
    EngineDef def = engine_units(dimensions);
    pairs->engine = engine_make(&def);
    int side = dimensions == 3 ? 28 : 142;
    for (int n = 0; n < PAIRS; n++) {
        ThawVec3 at = {n % side, n / side % side, dimensions == 3 ? n / side / side : 0};
        pairs->map[n] = random_map(&dice, dimensions);
        pairs->offset[n] = random_offset(&dice, dimensions);
        points[2 * n] = v_scale(APART, at);
        points[2 * n + 1] = v_add(points[2 * n], pairs->offset[n]);
    }
    engine_add(&pairs->engine, points, 2 * PAIRS, no_turn);
    free(points);
    ThawLatticeState lattice = thaw_lattice_state(pairs->engine.world->store);
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        float *map = &lattice.map[9 * (size_t)engine_row(&pairs->engine, i)];
        for (int k = 0; k < 9; k++) map[k] = (float)pairs->map[i / 2].m[k / 3][k % 3];
        // all had an occupant: they are looked for as far as there are neighbours
        lattice.sites[engine_row(&pairs->engine, i)] = 0xfff;
    }
    // nothing is to be moved apart before the search
    pairs->engine.world->settled_source = pairs->engine.world->next_source;
    return pairs;
}

// whether `other` is the candidate of the site that trial says, and of no other one
static bool is_candidate_right(const Pairs *pairs, int dimensions, int n) {
    const Engine *e = &pairs->engine;
    uint32_t row = engine_row(e, 2 * (uint32_t)n), other = engine_row(e, 2 * (uint32_t)n + 1);
    ThawVec3 at = m_apply(m_inverse(pairs->map[n]), pairs->offset[n]);
    const double place[3] = {at.x, at.y, at.z};
    int32_t point[3];
    thaw_site_nearest(dimensions, place, point);
    // beyond the support nothing is a neighbour
    double support = 2 / thaw_lattice_distance(dimensions, 1), far = v_norm(pairs->offset[n]);
    int site = far < support ? thaw_site_of(dimensions, point) : -1;
    for (int s = 0; s < (int)thaw_sites(dimensions)->count; s++) {
        uint32_t found = thaw_bond_candidate(&engine_solids(e)->bonds, row, (uint32_t)s);
        if ((found == other) != (s == site)) return false;
    }
    return true;
}

// Offsets on the border of two cells may fall to either: a few in a million of the 2e4.
static void w02_search_takes_the_site_found_by_trial(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Pairs *pairs = make_pairs(dimensions);
        engine_step(&pairs->engine, 1e-9, 1);
        int wrong = 0;
        for (int n = 0; n < PAIRS; n++) wrong += !is_candidate_right(pairs, dimensions, n);
        print_message("W-2: %d of %d sites wrong in %dD\n", wrong, PAIRS, dimensions);
        assert_int_equal(wrong, 0);
        engine_free(&pairs->engine);
        free(pairs);
    }
}

// ---------------------------------------------------------------- W-3

// A centre and two more, moved off its first site by that many D across it.
static Engine make_three(double far, double close) {
    EngineDef def = engine_units(3);
    Engine e = engine_make(&def);
    const float *l = thaw_sites(3)->vector[0];
    ThawVec3 site = {(double)l[0], (double)l[1], (double)l[2]}, aside = {0, 0, 1};
    ThawVec3 points[3] = {{0, 0, 0}, v_along(site, far, aside), v_along(site, close, aside)};
    engine_add(&e, points, 3, no_turn);
    return e;
}

static bool is_bonded(const Engine *e, uint32_t i, uint32_t j) {
    return thaw_bonded(&engine_solids(e)->bonds, engine_row(e, i), engine_row(e, j));
}

// Both are in the site's cell, which reaches 0.7 D to either side, and too far apart to touch.
static void w03_closer_particle_takes_the_site_and_the_other_is_free(void **state) {
    (void)state;
    Engine e = make_three(0.62, -0.3);
    ThawVec3 *f = engine_forces(&e);
    assert_true(is_bonded(&e, 0, 2) && is_bonded(&e, 2, 0));
    for (uint32_t i = 0; i < 3; i += 2) {
        assert_false(is_bonded(&e, 1, i) || is_bonded(&e, i, 1));
    }
    assert_true(v_norm(f[0]) > 0.01);
    assert_true(f[1].x == 0 && f[1].y == 0 && f[1].z == 0);
    free(f);
    engine_free(&e);
}

static void w03_particle_alone_near_a_site_takes_it(void **state) {
    (void)state;
    Engine e = make_three(0.34, -30);
    engine_step(&e, 1e-7, 1);
    assert_true(is_bonded(&e, 0, 1) && is_bonded(&e, 1, 0));
    engine_free(&e);
}

// ---------------------------------------------------------------- W-4

// Places are off by up to a unit, and a corner's map of three neighbours makes four times that of it.
static void w04_shape_matching_returns_the_affine_map(void **state) {
    (void)state;
    Dice dice = {4};
    double worst = 0;
    for (int n = 0; n < 20; n++) {
        EngineDef def = engine_units(3);
        EngineBlock how = plain_block(5, 5, 5);
        how.turn = dice_turn(&dice);
        how.map = m_along(m_one(), 0.1, dice_matrix(&dice));
        Engine e = engine_block(&def, &how);
        engine_step(&e, 1e-7, 1);
        assert_int_equal(e.count, 63);
        for (uint32_t i = 0; i < e.count; i++) {
            worst = fmax(worst, m_distance(engine_map(&e, i), m_mul(how.map, how.turn)));
        }
        engine_free(&e);
    }
    print_message("W-4: A off by %.1e\n", worst);
    assert_below(worst, 1e-5);
}

// ---------------------------------------------------------------- W-6, W-7

// Round-off of places: two units in each of the 24 terms of a force, which add up as a random walk,
// are at most about 1e-5.
static void w06_turned_block_has_no_force(void **state) {
    (void)state;
    Dice dice = {6};
    EngineDef def = engine_units(3);
    double most = 0;
    for (int n = 0; n <= 36; n++) {
        EngineBlock how = plain_block(7, 7, 7);
        how.turn = m_turn(dice_vector(&dice), n * PI / 36);
        Engine e = engine_block(&def, &how);
        assert_int_equal(e.count, 172);
        most = fmax(most, engine_strongest(&e));
        engine_free(&e);
    }
    print_message("W-6: max|F| %.1e\n", most);
    assert_below(most, 1e-5);
}

static void w06_block_turned_in_small_steps_has_no_force(void **state) {
    (void)state;
    EngineDef def = engine_units(3);
    EngineBlock how = plain_block(7, 7, 7);
    Engine e = engine_block(&def, &how);
    double most = engine_strongest(&e);
    uint64_t bonds = engine_bond_hash(&e);
    ThawVec3 *rest = engine_places(&e), *now = engine_room(e.count), axis = {1, 2, 3};
    for (int n = 1; n <= 180; n++) {
        Mat turn = m_turn(axis, n * PI / 180);
        for (uint32_t i = 0; i < e.count; i++) now[i] = m_apply(turn, rest[i]);
        engine_set_places(&e, now);
        most = fmax(most, engine_strongest(&e));
    }
    print_message("W-6: in small steps max|F| %.1e\n", most);
    assert_true(engine_bond_hash(&e) == bonds);
    assert_below(most, 1e-5);
    free(rest);
    free(now);
    engine_free(&e);
}

// forces on a shaken block moved by a way, less those on it at the origin
static double shifted_change(ThawVec3 way, double *strongest) {
    EngineDef def = engine_units(3);
    EngineBlock how = plain_block(7, 7, 7);
    Dice dice = {7};
    how.turn = dice_turn(&dice);
    how.shake = 0.03;
    Engine e = engine_block(&def, &how);
    ThawVec3 *before = engine_forces(&e), *places = engine_places(&e);
    for (uint32_t i = 0; i < e.count; i++) places[i] = v_add(places[i], way);
    engine_set_places(&e, places);
    ThawVec3 *after = engine_forces(&e);
    *strongest = longest(before, e.count);
    for (uint32_t i = 0; i < e.count; i++) after[i] = v_sub(after[i], before[i]);
    double most = longest(after, e.count);
    free(before);
    free(after);
    free(places);
    engine_free(&e);
    return most;
}

static void w07_shifted_block_has_the_same_forces(void **state) {
    (void)state;
    EngineDef def = engine_units(3);
    double cell = 2 * engine_spacing(&def), strongest;
    ThawVec3 whole = {1000 * cell, -700 * cell, 300 * cell};
    double same = shifted_change(whole, &strongest);
    double any = shifted_change((ThawVec3){1000, -700, 300}, &strongest);
    print_message("W-7: change of F %.1e by whole cells, %.1e by any way; max|F| %.2f\n", same, any,
                  strongest);
    assert_true(strongest > 0.01);
    // the fixed-point places of the tests are rounded at 2^-32 cells, which may be a place unit's edge
    assert_below(same, 1e-5);
    assert_below(any, 1e-5);
}

// ---------------------------------------------------------------- W-8

static Mat random_strain(Dice *dice, double norm) {
    Mat e = m_symmetric(dice_matrix(dice));
    return m_scale(norm / m_norm(e), e);
}

static Mat field_matrix(Engine *e, const char *field, uint32_t i) {
    ThawView view;
    assert_ok(thaw_world_view(e->world, field, &view));
    const float *f = (const float *)view.data + 6 * (size_t)engine_row(e, i);
    double xx = (double)f[0], yy = (double)f[1], zz = (double)f[2], xy = (double)f[3],
           yz = (double)f[4], zx = (double)f[5];
    return (Mat){{{xx, xy, zx}, {xy, yy, yz}, {zx, yz, zz}}};
}

typedef struct StrainErrors {
    double linear, inner, green;
} StrainErrors;

static StrainErrors strain_errors(void) {
    Dice dice = {8};
    StrainErrors worst = {0};
    for (int n = 0; n < 20; n++) {
        EngineDef def = engine_units(3);
        EngineBlock how = plain_block(6, 5, 7);
        Mat strain = random_strain(&dice, 0.05);
        how.turn = dice_turn(&dice);
        how.map = m_along(m_one(), 1, strain);
        Engine e = engine_block(&def, &how);
        engine_step(&e, 1e-7, 1);
        Mat green = m_along(strain, 0.5, m_mul(strain, strain));
        for (uint32_t i = 0; i < e.count; i++) {
            uint32_t sites = (uint32_t)thaw_lattice_state(e.world->store).sites[engine_row(&e, i)];
            double off = m_distance(field_matrix(&e, "strain", i), strain);
            worst.linear = fmax(worst.linear, off);
            if ((sites & 0xfffu) == 0xfffu) worst.inner = fmax(worst.inner, off);
            worst.green = fmax(worst.green, m_distance(field_matrix(&e, "green_strain", i), green));
        }
        engine_free(&e);
    }
    return worst;
}

// A's own error, W-4
static void w08_strain_is_exact_at_every_particle(void **state) {
    (void)state;
    StrainErrors worst = strain_errors();
    print_message("W-8: strain off by %.1e, with full shells %.1e; Green's by %.1e\n", worst.linear,
                  worst.inner, worst.green);
    assert_below(worst.inner, 1e-5);
    assert_below(worst.linear, 1e-5);
    assert_below(worst.green, 1e-5);
}

// ---------------------------------------------------------------- W-9 and the constants

// a block of 8³ half-layers (8 × 8 rows), periodic, stretched by a diagonal map
static Engine stretched_periodic(EngineDef def, Mat map) {
    EngineBlock how = plain_block(8, 8, 8);
    how.map = map;
    double rows[3] = {8 * HALF, 8 * HALF, 8 * HALF};
    if (def.dimensions == 2) {
        rows[0] = 8;
        rows[1] = 4 * sqrt(3);
    }
    double *lower = &def.world.lower.x, *upper = &def.world.upper.x;
    for (int k = 0; k < def.dimensions; k++) {
        def.world.periodic[k] = true;
        lower[k] = -0.5 * rows[k] * map.m[k][k] * def.distance;
        upper[k] = -lower[k];
    }
    return engine_block(&def, &how);
}

static double modulus_error(Mat strain) {
    EngineDef def = engine_units(3);
    Engine e = stretched_periodic(def, m_along(m_one(), 1, strain));
    ThawReport report = engine_step(&e, 1e-7, 1);
    assert_int_equal(report.bonds, 6 * e.count);
    double young = (double)def.material.solid.young;
    double wanted = 0.5 * young * m_dot(strain, strain) * e.count * HALF;
    engine_free(&e);
    return fabs(report.elastic / wanted - 1);
}

static void w09_energy_is_that_of_youngs_modulus(void **state) {
    (void)state;
    double stretch = modulus_error(m_diagonal(0.01, 0, 0));
    double shear = modulus_error(m_diagonal(0.01, -0.01, 0));
    double squeeze = modulus_error(m_diagonal(-0.02, 0.01, 0.005));
    print_message("W-9: modulus off by %.1e stretched, %.1e sheared, %.1e in all\n", stretch, shear,
                  squeeze);
    assert_below(stretch, 1e-3);
    assert_below(shear, 1e-3);
    assert_below(squeeze, 1e-3);
}

// Σ r fᵀ over the volume, of what each neighbourhood does to its own, from the frames of the step
static Mat virial_of(Engine *e) {
    const ThawSolids *solid = engine_solids(e);
    const ThawSites *sites = thaw_sites(e->def.dimensions);
    Mat sum = {0};
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t row = engine_row(e, i);
        float(*p)[4] = solid->frame[row].row;
        Mat map = engine_map(e, i);
        for (uint32_t s = 0; s < sites->count; s++) {
            if (solid->bonds.slot[thaw_bond_at(row, s)] == row) continue;
            const float *l = sites->vector[s], *whole = sites->whole[s];
            ThawVec3 site = {(double)l[0], (double)l[1], (double)l[2]}, r = m_apply(map, site);
            double f[3];
            for (int a = 0; a < 3; a++) {
                f[a] = 0;
                for (int b = 0; b < 3; b++) f[a] += (double)p[a][b] * (double)whole[b];
            }
            double h = (double)p[3][0];
            ThawVec3 force = {f[0] - h * r.x, f[1] - h * r.y, f[2] - h * r.z};
            sum = m_along(sum, -1, m_outer(r, force));
        }
    }
    double volume = e->count * pow(engine_spacing(&e->def), e->def.dimensions);
    return m_scale(e->def.distance * e->def.distance / volume, sum);
}

// A strain of 1 % is 1e-2 of r, whose last bits are 1e-7: 1e-5 of the stress. The force on a particle
// is W-6's.
static void w09_stretch_pulls_nothing_sideways(void **state) {
    (void)state;
    EngineDef def = engine_units(3);
    Engine e = stretched_periodic(def, m_diagonal(1.01, 1, 1));
    double strongest = engine_strongest(&e);
    Mat stress = virial_of(&e);
    double along = stress.m[0][0], across = fabs(stress.m[1][1] / along);
    print_message("W-9: lateral stress %.1e of the axial, max|F| %.1e\n", across, strongest);
    assert_near(along / (0.01 * (double)def.material.solid.young), 1, 0.02);
    assert_below(across, 1e-5);
    assert_below(fabs(stress.m[2][2] / along), 1e-5);
    assert_below(strongest, 1e-5);
    engine_free(&e);
}

static ThawSolidKind kind_in_use(EngineDef def) {
    EngineBlock how = plain_block(4, 4, 4);
    Engine e = engine_block(&def, &how);
    engine_step(&e, 1e-7, 1);
    ThawSolidKind kind = engine_solids(&e)->kinds[1];
    engine_free(&e);
    return kind;
}

static void constants_follow_from_youngs_modulus(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        EngineDef def = engine_si(dimensions, 0.05);
        def.material.solid.young = 3e4f;
        def.material.solid.poisson = 0;
        ThawSolidKind kind = kind_in_use(def);
        double k = (double)kind.asked_k, volume = dimensions == 3 ? HALF : 0.5 * sqrt(3);
        double young = dimensions == 3 ? 2 * sqrt(2) * k / 0.05 : sqrt(3) * k;
        assert_near(young / 3e4, 1, 1e-6);
        assert_near((double)kind.mass / (1000 * volume * pow(0.05, dimensions)), 1, 1e-6);
        assert_near((double)kind.half_k / k, 0.5, 1e-6);
        assert_true(kind.volume_k == 0);
    }
    // ω_max = 4 √(k/m) of twelve neighbours
    assert_near(thaw_solid_spectrum(3, 0), 16, 1e-3);
}

// Uniaxial strain: σ_y/σ_x = ν/(1 − ν), in a free plane ν. Second order in the strain 2e-3.
static double stress_ratio(int dimensions, float poisson, ThawElasticity law, double *along) {
    EngineDef def = engine_units(dimensions);
    def.material.solid.poisson = poisson;
    def.material.solid.elasticity = law;
    double strain = 2e-3;
    Engine e = stretched_periodic(def, m_diagonal(1 + strain, 1, 1));
    double strongest = engine_strongest(&e), young = (double)def.material.solid.young;
    assert_below(strongest, 1e-5);
    Mat stress = virial_of(&e), told = field_matrix(&e, "stress", 0);
    // what is written is what acts
    assert_near(told.m[0][0] / stress.m[0][0], 1, 0.01);
    assert_near((told.m[1][1] - stress.m[1][1]) / stress.m[0][0], 0, 0.01);
    *along = stress.m[0][0] / (strain * young);
    engine_free(&e);
    return stress.m[1][1] / stress.m[0][0];
}

static void constants_of_all_laws_give_poissons_ratio(void **state) {
    (void)state;
    const float ratios[3] = {0, 0.2f, 0.4f};
    for (int law = THAW_ELASTIC_LATTICE; law <= THAW_ELASTIC_NEO_HOOKEAN; law++) {
        for (int n = 0; n < 6; n++) {
            int dimensions = 2 + n / 3;
            double nu = (double)ratios[n % 3], along;
            double ratio = stress_ratio(dimensions, ratios[n % 3], (ThawElasticity)law, &along);
            double modulus =
                dimensions == 3 ? (1 - nu) / ((1 + nu) * (1 - 2 * nu)) : 1 / (1 - nu * nu);
            double wanted = dimensions == 3 ? nu / (1 - nu) : nu;
            if (!(fabs(ratio - wanted) < 0.005) || !(fabs(along / modulus - 1) < 0.01))
                print_error("law %d, %dD, ν = %.1f: σ_y/σ_x %.4f (%.4f), σ_x/(E ε) %.4f (%.4f)\n",
                            law, dimensions, nu, ratio, wanted, along, modulus);
            assert_near(ratio, wanted, 0.005);
            assert_near(along / modulus, 1, 0.01);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w01_lattice_has_the_first_shell_of_close_packing),
        cmocka_unit_test(w01_lattice_has_all_shells_of_close_packing),
        cmocka_unit_test(w01_block_of_20_half_steps_bonds_all_its_neighbours),
        cmocka_unit_test(w02_nearest_point_is_the_one_found_by_trial),
        cmocka_unit_test(w02_search_takes_the_site_found_by_trial),
        cmocka_unit_test(w03_closer_particle_takes_the_site_and_the_other_is_free),
        cmocka_unit_test(w03_particle_alone_near_a_site_takes_it),
        cmocka_unit_test(w04_shape_matching_returns_the_affine_map),
        cmocka_unit_test(w06_turned_block_has_no_force),
        cmocka_unit_test(w06_block_turned_in_small_steps_has_no_force),
        cmocka_unit_test(w07_shifted_block_has_the_same_forces),
        cmocka_unit_test(w08_strain_is_exact_at_every_particle),
        cmocka_unit_test(w09_energy_is_that_of_youngs_modulus),
        cmocka_unit_test(w09_stretch_pulls_nothing_sideways),
        cmocka_unit_test(constants_follow_from_youngs_modulus),
        cmocka_unit_test(constants_of_all_laws_give_poissons_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
