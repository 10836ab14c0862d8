// W-1 to W-9 and the elastic constants of the validation cases on the solid's slow twin: lattice,
// assignment, matching, strain and force of bodies that do not move.
#include "solid/polar.h"
#include "solid/rig.h"

static const Mat no_turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// ---------------------------------------------------------------- W-1, W-2, W-3

// how many points of the perfect lattice lie at √(square) D from the origin
static int count_shell(int dimensions, int square) {
    SolidTwin twin = solid_make(dimensions);
    int count = 0, reach = 8, point[3];
    for (point[0] = -reach; point[0] <= reach; point[0]++) {
        for (point[1] = -reach; point[1] <= reach; point[1]++) {
            for (point[2] = -reach; point[2] <= reach; point[2]++) {
                int sum = point[0] + point[1] + point[2];
                if (dimensions == 2 ? sum != 0 : (sum & 1) != 0) continue;
                ThawVec3 at = solid_point(&twin, point);
                count += fabs(v_dot(at, at) - square) < 1e-9;
            }
        }
    }
    return count;
}

static void w01_lattice_has_the_shells_of_close_packing(void **state) {
    (void)state;
    const int solid[7] = {12, 6, 24, 12, 24, 8, 48};
    for (int n = 0; n < 7; n++) assert_int_equal(count_shell(3, n + 1), solid[n]);
    const int square[5] = {1, 3, 4, 7, 9}, flat[5] = {6, 6, 6, 12, 6};
    for (int n = 0; n < 5; n++) assert_int_equal(count_shell(2, square[n]), flat[n]);
}

// particles of a twin at √(square) D from particle i
static int count_around(const SolidTwin *twin, int i, int square) {
    int count = 0;
    for (int j = 0; j < twin->count; j++) {
        ThawVec3 r = solid_offset(twin, i, j);
        count += fabs(v_dot(r, r) - square) < 1e-9;
    }
    return count;
}

static void w01_block_of_20_half_steps_fills_its_volume(void **state) {
    (void)state;
    SolidTwin twin = solid_block(20, 20, 20, no_turn);
    double volume = twin.count * solid_volume(&twin);
    assert_int_equal(twin.count, 4000);
    assert_true(volume > pow(19 / sqrt(2), 3) && volume < pow(21 / sqrt(2), 3));
    int inner = 0;
    for (int i = 0; i < twin.count; i++) {
        if (v_norm(twin.particles[i].x) < v_norm(twin.particles[inner].x)) inner = i;
    }
    const int shells[7] = {12, 6, 24, 12, 24, 8, 48};
    for (int n = 0; n < 7; n++) assert_int_equal(count_around(&twin, inner, n + 1), shells[n]);
    solid_update(&twin, 0);
    for (int s = 0; s < 12; s++) assert_true(twin.particles[inner].slot[s] >= 0);
    solid_free(&twin);
}

// squared distance of a place to the nearest lattice point by trial of all around it
static double nearest_by_trial(const SolidTwin *twin, ThawVec3 place, int reach) {
    double best = INFINITY;
    int point[3];
    for (point[0] = -reach; point[0] <= reach; point[0]++) {
        for (point[1] = -reach; point[1] <= reach; point[1]++) {
            for (point[2] = -reach; point[2] <= reach; point[2]++) {
                int sum = point[0] + point[1] + point[2];
                if (twin->dimensions == 2 ? sum != 0 : (sum & 1) != 0) continue;
                ThawVec3 miss = v_sub(place, solid_point(twin, point));
                best = fmin(best, v_dot(miss, miss));
            }
        }
    }
    return best;
}

static int count_wrong_sites(int dimensions) {
    SolidTwin twin = solid_make(dimensions);
    Dice dice = {(uint64_t)dimensions};
    int wrong = 0;
    for (int n = 0; n < 100000; n++) {
        ThawVec3 axis = {0, 0, 1};
        Mat turn = dimensions == 2 ? m_turn(axis, 2 * PI * dice_unit(&dice)) : dice_turn(&dice);
        Mat stretch = m_along(m_one(), 0.1, dice_matrix(&dice));
        if (dimensions == 2)
            stretch.m[0][2] = stretch.m[1][2] = stretch.m[2][0] = stretch.m[2][1] = 0;
        ThawVec3 r = v_scale(1.6, dice_vector(&dice));
        if (dimensions == 2) r.z = 0;
        ThawVec3 place = m_apply(m_inverse(m_mul(stretch, turn)), r);
        int point[3];
        solid_nearest(&twin, place, point);
        ThawVec3 miss = v_sub(place, solid_point(&twin, point));
        wrong += v_dot(miss, miss) > nearest_by_trial(&twin, place, 5) + 1e-12;
    }
    return wrong;
}

static void w02_nearest_site_is_the_one_found_by_trial(void **state) {
    (void)state;
    assert_int_equal(count_wrong_sites(3), 0);
    assert_int_equal(count_wrong_sites(2), 0);
}

static void w03_closer_particle_takes_the_site_and_the_other_is_free(void **state) {
    (void)state;
    SolidTwin twin = solid_make(3);
    ThawVec3 l = twin.site[0], aside = {0, 0, 1};
    int center = solid_add(&twin, (ThawVec3){0, 0, 0}, no_turn, 0);
    int far = solid_add(&twin, v_along(l, 0.2, aside), no_turn, 0);
    int close = solid_add(&twin, v_along(l, -0.05, aside), no_turn, 0);
    solid_update(&twin, 0);
    assert_int_equal(twin.particles[center].slot[0], close);
    assert_int_equal(solid_bonds(&twin), 1);
    ThawVec3 f = twin.particles[far].f;
    assert_true(f.x == 0 && f.y == 0 && f.z == 0);
    // the one that came first had the site to itself before
    twin.particles[close].x = (ThawVec3){50, 0, 0};
    solid_update(&twin, 0);
    assert_int_equal(twin.particles[center].slot[0], far);
    solid_free(&twin);
}

// ---------------------------------------------------------------- W-4, W-5

static void w04_shape_matching_returns_the_affine_map(void **state) {
    (void)state;
    Dice dice = {4};
    double worst = 0;
    for (int n = 0; n < 20; n++) {
        Mat turn = dice_turn(&dice), map = m_along(m_one(), 0.1, dice_matrix(&dice));
        SolidTwin twin = solid_block(5, 5, 5, turn);
        deform(&twin, map);
        solid_update(&twin, 0);
        assert_int_equal(twin.count, 63);
        for (int i = 0; i < twin.count; i++) {
            worst = fmax(worst, m_distance(twin.particles[i].map, m_mul(map, turn)));
        }
        solid_free(&twin);
    }
    print_message("W-4: A off by %.1e\n", worst);
    assert_below(worst, 1e-12);
}

// matrices of all kinds: any, mirrored, with two or three equal singular values, near-singular
static Mat odd_matrix(Dice *dice, int kind) {
    Mat u = dice_turn(dice), v = dice_turn(dice);
    double a = dice_unit(dice) + 0.1, tiny = pow(10, -16 * dice_unit(dice));
    switch (kind) {
    case 0: return dice_matrix(dice);
    case 1: return m_mul(m_mul(u, m_diagonal(a, a, -a)), v);
    case 2: return m_mul(m_mul(u, m_diagonal(a, a, 0.3 * a)), v);
    case 3: return m_mul(m_mul(u, m_diagonal(a, a, tiny)), v);
    case 4: return m_mul(m_mul(u, m_diagonal(a, tiny, -tiny * tiny)), v);
    case 5: return m_mul(m_mul(u, m_diagonal(a, a * dice_unit(dice), -tiny)), v);
    case 6: return m_scale(a, u);
    default: return m_outer(dice_vector(dice), dice_vector(dice));
    }
}

static void w05_polar_part_is_a_rotation_for_any_matrix(void **state) {
    (void)state;
    Dice dice = {5};
    double orthogonal = 0, volume = 0, symmetric = 0;
    for (int n = 0; n < 100000; n++) {
        Mat a = odd_matrix(&dice, n % 8), r = polar(a, dice_turn(&dice));
        Mat s = m_mul(m_transpose(r), a);
        orthogonal = fmax(orthogonal, m_distance(m_mul(m_transpose(r), r), m_one()));
        volume = fmax(volume, fabs(m_det(r) - 1));
        symmetric = fmax(symmetric, m_distance(s, m_transpose(s)));
    }
    print_message("W-5: RᵀR − 1 %.1e, det R − 1 %.1e, S − Sᵀ %.1e\n", orthogonal, volume,
                  symmetric);
    assert_below(orthogonal, 1e-12);
    assert_below(volume, 1e-12);
    assert_below(symmetric, 1e-12);
}

static void polar_part_is_the_nearest_rotation(void **state) {
    (void)state;
    Dice dice = {55};
    for (int n = 0; n < 2000; n++) {
        Mat a = odd_matrix(&dice, n % 8), r = polar(a, m_one());
        for (int k = 0; k < 10; k++) {
            Mat other = k < 5 ? dice_turn(&dice) : m_mul(m_turn(dice_vector(&dice), 1e-3), r);
            assert_true(m_dot(r, a) >= m_dot(other, a) - 1e-7);
        }
    }
    assert_below(
        m_distance(polar((Mat){0}, m_turn((ThawVec3){1, 2, 3}, 1)), m_turn((ThawVec3){1, 2, 3}, 1)),
        1e-15);
}

// ---------------------------------------------------------------- W-6, W-7

static double turned_force(ThawVec3 axis, double angle) {
    SolidTwin twin = solid_block(7, 7, 7, m_turn(axis, angle));
    solid_update(&twin, 0);
    assert_int_equal(twin.count, 172);
    double most = solid_strongest(&twin);
    solid_free(&twin);
    return most;
}

static void w06_turned_block_has_no_force(void **state) {
    (void)state;
    Dice dice = {6};
    double most = 0;
    for (int n = 0; n <= 36; n++) {
        most = fmax(most, turned_force(dice_vector(&dice), n * PI / 36));
    }
    // the same turn in small steps, the lattice being tracked from each to the next
    SolidTwin twin = solid_block(7, 7, 7, no_turn);
    solid_update(&twin, 0);
    uint64_t bonds = solid_bond_hash(&twin);
    ThawVec3 *rest = copy_places(&twin), axis = {1, 2, 3};
    for (int n = 1; n <= 180; n++) {
        Mat turn = m_turn(axis, n * PI / 180);
        for (int i = 0; i < twin.count; i++) twin.particles[i].x = m_apply(turn, rest[i]);
        solid_update(&twin, 0);
        most = fmax(most, solid_strongest(&twin));
    }
    print_message("W-6: max|F| %.1e\n", most);
    assert_true(solid_bond_hash(&twin) == bonds);
    assert_below(most, 1e-12);
    free(rest);
    solid_free(&twin);
}

static void w07_shifted_block_has_the_same_forces(void **state) {
    (void)state;
    Dice dice = {7};
    SolidTwin twin = solid_block(7, 7, 7, dice_turn(&dice));
    shake(&twin, &dice, 0.03);
    solid_update(&twin, 0);
    ThawVec3 *force = malloc((size_t)twin.count * sizeof *force);
    for (int i = 0; i < twin.count; i++) {
        force[i] = twin.particles[i].f;
        twin.particles[i].x = v_add(twin.particles[i].x, (ThawVec3){1000, -700, 300});
    }
    solid_forget(&twin);
    solid_update(&twin, 0);
    double most = 0;
    for (int i = 0; i < twin.count; i++) {
        most = fmax(most, v_norm(v_sub(force[i], twin.particles[i].f)));
    }
    print_message("W-7: change of F %.1e, max|F| %.2f\n", most, solid_strongest(&twin));
    assert_true(solid_strongest(&twin) > 0.01);
    assert_below(most, 1e-9);
    free(force);
    solid_free(&twin);
}

// ---------------------------------------------------------------- W-8

static Mat random_strain(Dice *dice, double norm) {
    Mat e = m_symmetric(dice_matrix(dice));
    return m_scale(norm / m_norm(e), e);
}

static void w08_strain_is_exact_at_every_particle(void **state) {
    (void)state;
    Dice dice = {8};
    double worst = 0;
    for (int n = 0; n < 20; n++) {
        Mat strain = random_strain(&dice, 0.05), turn = dice_turn(&dice);
        SolidTwin twin = solid_block(6, 5, 7, dice_turn(&dice));
        // stretched, then turned bodily with its lattices: the strain turns with it
        deform(&twin, m_mul(turn, m_along(m_one(), 1, strain)));
        for (int i = 0; i < twin.count; i++) {
            twin.particles[i].turn = twin.particles[i].map = m_mul(turn, twin.particles[i].turn);
        }
        solid_update(&twin, 0);
        Mat wanted = m_mul(m_mul(turn, strain), m_transpose(turn));
        for (int i = 0; i < twin.count; i++) {
            worst = fmax(worst, m_distance(solid_strain(&twin, i), wanted));
        }
        solid_free(&twin);
    }
    print_message("W-8: strain off by %.1e\n", worst);
    assert_below(worst, 1e-10);
}

// ---------------------------------------------------------------- W-9 and the constants

// a block of n³ half-layers, periodic, stretched by a diagonal map
static SolidTwin stretched_periodic(int n, Mat map) {
    SolidTwin twin = solid_block(n, n, n, no_turn);
    deform(&twin, map);
    for (int k = 0; k < 3; k++) twin.box[k] = n / sqrt(2) * map.m[k][k];
    solid_update(&twin, 0);
    return twin;
}

// energy density over (E/2) ε:ε, less one
static double modulus_error(Mat strain) {
    SolidTwin twin = stretched_periodic(8, m_along(m_one(), 1, strain));
    assert_int_equal(solid_bonds(&twin), 6 * twin.count);
    double density = solid_elastic(&twin) / (twin.count * solid_volume(&twin));
    double error = density / (0.5 * solid_young(&twin) * m_dot(strain, strain)) - 1;
    solid_free(&twin);
    return fabs(error);
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

// shear in the cubic axes does not fit a box: the inner particle of an open block has it
static void w09_shear_in_any_direction_has_the_same_energy(void **state) {
    (void)state;
    Dice dice = {9};
    for (int n = 0; n < 20; n++) {
        SolidTwin twin = solid_make(3);
        Mat turn = dice_turn(&dice), strain = random_strain(&dice, 0.01);
        int center = solid_add(&twin, (ThawVec3){0, 0, 0}, turn, 0);
        for (int s = 0; s < 12; s++) solid_add(&twin, m_apply(turn, twin.site[s]), turn, 0);
        deform(&twin, m_along(m_one(), 1, strain));
        solid_update(&twin, 0);
        double energy = 0;
        for (int s = 0; s < 12; s++) {
            const SolidParticle *p = &twin.particles[center];
            ThawVec3 r = solid_offset(&twin, center, p->slot[s]);
            ThawVec3 miss = v_sub(m_apply(p->turn, twin.site[s]), r);
            energy += 0.25 * v_dot(miss, miss);
        }
        double wanted = 0.5 * solid_young(&twin) * solid_volume(&twin) * m_dot(strain, strain);
        assert_near(energy / wanted, 1, 1e-3);
        solid_free(&twin);
    }
}

static void w09_stretch_pulls_nothing_sideways(void **state) {
    (void)state;
    SolidTwin twin = stretched_periodic(8, m_diagonal(1.01, 1, 1));
    Mat stress = solid_virial(&twin);
    print_message("W-9: lateral stress %.1e of the axial\n", fabs(stress.m[1][1] / stress.m[0][0]));
    assert_near(stress.m[0][0] / (0.01 * solid_young(&twin)), 1, 0.02);
    assert_below(fabs(stress.m[1][1]), 1e-6 * stress.m[0][0]);
    assert_below(fabs(stress.m[2][2]), 1e-6 * stress.m[0][0]);
    assert_below(solid_strongest(&twin), 1e-12);
    solid_free(&twin);
}

static void constants_follow_from_the_stiffness(void **state) {
    (void)state;
    SolidTwin solid = solid_make(3), flat = solid_make(2);
    solid.distance = flat.distance = 0.05;
    solid.stiffness = flat.stiffness = 700;
    assert_near(solid_young(&solid) / (2 * sqrt(2) * 700 / 0.05), 1, 1e-12);
    assert_near(solid_young(&flat) / (sqrt(3) * 700), 1, 1e-12);
    solid_add(&solid, (ThawVec3){0, 0, 0}, no_turn, 0);
    assert_near(solid_density(&solid) / (sqrt(2) / pow(0.05, 3)), 1, 1e-12);
    for (int n = 0; n < 2; n++) {
        const SolidTwin *twin = n == 0 ? &solid : &flat;
        Mat q = {0};
        for (int s = 0; s < twin->sites; s++) {
            q = m_along(q, 1, m_outer(twin->site[s], twin->site[s]));
        }
        Mat wanted = n == 0 ? m_diagonal(4, 4, 4) : m_diagonal(3, 3, 0);
        assert_below(m_distance(q, wanted), 1e-14);
    }
    solid_free(&solid);
}

// stress of a flat periodic sheet of n × n rows stretched by 1 %
static Mat flat_stress(double lambda, double *young) {
    SolidTwin twin = solid_make(2);
    Block block = {.dimensions = 2, .planes = {8, 8, 1}, .distance = 1};
    solid_add_block(&twin, &block, no_turn, (ThawVec3){0, 0, 0}, 0);
    twin.lambda = lambda * solid_young(&twin);
    deform(&twin, m_diagonal(1.001, 1, 1));
    twin.box[0] = 8 * 1.001;
    twin.box[1] = 8 * 0.5 * sqrt(3);
    solid_update(&twin, 0);
    assert_int_equal(solid_bonds(&twin), 3 * twin.count);
    Mat stress = solid_virial(&twin);
    *young = solid_young(&twin);
    solid_free(&twin);
    return stress;
}

static void constants_of_the_flat_lattice_are_isotropic(void **state) {
    (void)state;
    double young;
    Mat stress = flat_stress(0, &young);
    assert_near(stress.m[0][0] / (0.001 * young), 1, 2e-3);
    assert_below(fabs(stress.m[1][1]), 1e-6 * stress.m[0][0]);
    // plane stress: λ = E ν/(1 − ν²) where 2 μ = E/(1 + ν) is the lattice's own
    double nu = 0.3;
    stress = flat_stress(nu / (1 - nu), &young);
    assert_near(stress.m[1][1] / stress.m[0][0], nu, 1e-3);
}

// Uniaxial strain: σ_y/σ_x = ν/(1 − ν) with λ = 2 μ ν/(1 − 2 ν).
static void constants_of_the_volume_term_give_poissons_ratio(void **state) {
    (void)state;
    const double ratios[3] = {0, 0.2, 0.4};
    for (int n = 0; n < 3; n++) {
        double nu = ratios[n];
        SolidTwin twin = solid_block(8, 8, 8, no_turn);
        twin.lambda = solid_young(&twin) * nu / (1 - 2 * nu);
        deform(&twin, m_diagonal(1.0001, 1, 1));
        twin.box[0] = 8 / sqrt(2) * 1.0001;
        twin.box[1] = twin.box[2] = 8 / sqrt(2);
        solid_update(&twin, 0);
        Mat stress = solid_virial(&twin);
        assert_near(stress.m[1][1] / stress.m[0][0], nu / (1 - nu), 2e-4);
        solid_free(&twin);
    }
}

// ---------------------------------------------------------------- the force's own laws

static double energy_moved(SolidTwin *twin, int i, int axis, double by) {
    ThawVec3 kept = twin->particles[i].x;
    double *at = axis == 0   ? &twin->particles[i].x.x
                 : axis == 1 ? &twin->particles[i].x.y
                             : &twin->particles[i].x.z;
    *at += by;
    solid_match(twin);
    double energy = solid_elastic(twin);
    twin->particles[i].x = kept;
    return energy;
}

static void force_is_the_gradient_of_the_energy(void **state) {
    (void)state;
    Dice dice = {10};
    SolidTwin twin = solid_block(5, 5, 4, dice_turn(&dice));
    twin.lambda = 0.7;
    shake(&twin, &dice, 0.05);
    solid_update(&twin, 0);
    ThawVec3 *force = malloc((size_t)twin.count * sizeof *force);
    for (int i = 0; i < twin.count; i++) force[i] = twin.particles[i].f;
    double worst = 0, h = 1e-5;
    for (int i = 0; i < twin.count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double slope =
                (energy_moved(&twin, i, axis, h) - energy_moved(&twin, i, axis, -h)) / (2 * h);
            const double f[3] = {force[i].x, force[i].y, force[i].z};
            worst = fmax(worst, fabs(slope + f[axis]));
        }
    }
    print_message("force + gradient %.1e\n", worst);
    assert_below(worst, 1e-8);
    free(force);
    solid_free(&twin);
}

static void force_has_no_net_push_and_no_net_torque(void **state) {
    (void)state;
    Dice dice = {11};
    SolidTwin twin = solid_block(7, 7, 7, dice_turn(&dice));
    twin.lambda = 0.7;
    shake(&twin, &dice, 0.05);
    solid_update(&twin, 0);
    ThawVec3 push = {0, 0, 0}, torque = push;
    double sum = 0;
    for (int i = 0; i < twin.count; i++) {
        push = v_add(push, twin.particles[i].f);
        torque = v_add(torque, v_cross(twin.particles[i].x, twin.particles[i].f));
        sum += v_norm(twin.particles[i].f);
    }
    assert_true(sum > 1);
    assert_below(v_norm(push), 1e-13 * sum);
    assert_below(v_norm(torque), 1e-13 * sum);
    solid_free(&twin);
}

// bodies whose neighbourhoods do not span space: points at site multiples, as many as are given
static void check_thin(int (*points)[3], int count) {
    Dice dice = {(uint64_t)count};
    SolidTwin twin = solid_make(3);
    Mat turn = dice_turn(&dice);
    for (int n = 0; n < count; n++) {
        solid_add(&twin, m_apply(turn, solid_point(&twin, points[n])), turn, 0);
    }
    shake(&twin, &dice, 0.05);
    solid_set_spin(&twin, (ThawVec3){0, 0, 0}, (ThawVec3){0.02, 0.01, 0.03});
    ThawVec3 before = solid_angular(&twin);
    twin.lambda = 0.5;
    leap_for(&twin, 0.1, 500);
    double drift = v_norm(v_sub(solid_angular(&twin), before));
    assert_true(solid_bonds(&twin) >= count - 1);
    assert_true(isfinite(energy_of(&twin)));
    print_message("thin body of %d: angular momentum off by %.1e\n", count, drift / v_norm(before));
    assert_below(drift, 1e-12 * v_norm(before));
    solid_free(&twin);
}

static void thin_bodies_hold_together_and_stay_finite(void **state) {
    (void)state;
    int chain[6][3] = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 4, 0}, {5, 5, 0}};
    int triangle[3][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}};
    int plate[25][3];
    for (int n = 0; n < 25; n++) {
        int a = n % 5, b = n / 5;
        plate[n][0] = a + b;
        plate[n][1] = a - b;
        plate[n][2] = 0;
    }
    check_thin(chain, 2);
    check_thin(chain, 6);
    check_thin(triangle, 3);
    check_thin(plate, 25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w01_lattice_has_the_shells_of_close_packing),
        cmocka_unit_test(w01_block_of_20_half_steps_fills_its_volume),
        cmocka_unit_test(w02_nearest_site_is_the_one_found_by_trial),
        cmocka_unit_test(w03_closer_particle_takes_the_site_and_the_other_is_free),
        cmocka_unit_test(w04_shape_matching_returns_the_affine_map),
        cmocka_unit_test(w05_polar_part_is_a_rotation_for_any_matrix),
        cmocka_unit_test(polar_part_is_the_nearest_rotation),
        cmocka_unit_test(w06_turned_block_has_no_force),
        cmocka_unit_test(w07_shifted_block_has_the_same_forces),
        cmocka_unit_test(w08_strain_is_exact_at_every_particle),
        cmocka_unit_test(w09_energy_is_that_of_youngs_modulus),
        cmocka_unit_test(w09_shear_in_any_direction_has_the_same_energy),
        cmocka_unit_test(w09_stretch_pulls_nothing_sideways),
        cmocka_unit_test(constants_follow_from_the_stiffness),
        cmocka_unit_test(constants_of_the_flat_lattice_are_isotropic),
        cmocka_unit_test(constants_of_the_volume_term_give_poissons_ratio),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(force_has_no_net_push_and_no_net_torque),
        cmocka_unit_test(thin_bodies_hold_together_and_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
