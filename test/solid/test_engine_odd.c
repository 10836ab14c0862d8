// Odd neighbourhoods of the shipped solid: chains, plates, single particles, collapsed, flattened and
// inverted bodies stay finite, keep their spin and do not explode.
#include "solid/engine.h"

typedef struct Odd {
    double
        highest;  // energy of all steps, of what the lattice holds with all particles at one point
    double rise;  // energy of all steps over the energy at the start
    double drift; // of angular momentum, relative
    uint32_t bonds;
} Odd;

// k D²/4 for each side of each bond
static double crushed_energy(const Engine *e, uint32_t bonds) {
    const ThawSolidKind *kind = &engine_solids(e)->kinds[1];
    return 0.5 * (double)kind->asked_k * pow((double)kind->distance, 2) * bonds;
}

// One second of a body of the default material at dt = 1/960; `bonds` are those it had at rest
static Odd run_odd(Engine *e, uint32_t bonds) {
    ThawReport report = engine_step(e, 1.0 / 960, 1);
    double start = report.kinetic + report.elastic;
    Motions first = engine_motions(e);
    Odd odd = {.bonds = report.bonds};
    double most = crushed_energy(e, bonds > 0 ? bonds : report.bonds);
    for (int n = 0; n < 960; n++) {
        report = engine_step(e, 1.0 / 960, 1);
        double energy = report.kinetic + report.elastic;
        assert_true(isfinite(energy));
        odd.rise = fmax(odd.rise, energy / start);
        odd.highest = fmax(odd.highest, energy / most);
    }
    ThawVec3 turn = v_sub(engine_motions(e).angular, first.angular);
    odd.drift = v_norm(turn) / fmax(v_norm(first.angular), 1e-9);
    assert_int_equal(report.removed_nonfinite, 0);
    assert_int_equal(e->world->store->count, e->count);
    return odd;
}

// bodies whose neighbourhoods do not span space: points at site multiples, shaken and spinning
static Odd run_thin(int (*points)[3], int count, int dimensions) {
    EngineDef def = engine_si(dimensions, 0.05);
    Dice dice = {(uint64_t)count};
    Engine e = engine_make(&def);
    ThawVec3 places[32], flat = {1, 1, 0};
    Mat turn = dimensions == 3 ? dice_turn(&dice) : m_turn((ThawVec3){0, 0, 1}, dice_unit(&dice));
    for (int n = 0; n < count; n++) {
        const int *p = points[n];
        ThawVec3 at = {HALF * p[0], HALF * p[1], HALF * p[2]}, shift = dice_vector(&dice);
        if (dimensions == 2) {
            at = (ThawVec3){p[0] + 0.5 * p[1], 0.5 * sqrt(3) * p[1], 0};
            shift.z = flat.z;
        }
        places[n] = v_scale(0.05, v_along(m_apply(turn, at), 0.05, shift));
    }
    engine_add(&e, places, count, turn);
    ThawVec3 spin = dimensions == 3 ? (ThawVec3){2, 1, 3} : (ThawVec3){0, 0, 3};
    engine_set_spin(&e, (ThawVec3){0, 0, 0}, spin);
    Odd odd = run_odd(&e, 0);
    print_message(
        "body of %d in %dD: %u bonds, energy at most × %.4f, angular momentum off by %.1e\n", count,
        dimensions, odd.bonds, odd.rise, odd.drift);
    engine_free(&e);
    return odd;
}

// Energies are told with velocities half a step behind: that is up to ω dt/2 = 0.6 of what swings in
// the stiffest mode of a few particles. Sites of chains and plates turn with a rotation that is partly free,
// and what rounding leaves is over the little angular momentum that a few particles have: 3e-5 at most.
static void judge_thin(const Odd *odds, const uint32_t *bonds, int count) {
    for (int n = 0; n < count; n++) {
        assert_int_equal(odds[n].bonds, bonds[n]);
        assert_below(odds[n].rise, 1.6);
    }
    for (int n = 0; n < count; n++) {
        if (bonds[n] > 0) assert_below(odds[n].drift, 1e-4);
    }
}

static void chains_and_plates_hold_together(void **state) {
    (void)state;
    int chain[6][3] = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 4, 0}, {5, 5, 0}};
    int triangle[3][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}}, plate[25][3];
    for (int n = 0; n < 25; n++) {
        plate[n][0] = n % 5 + n / 5;
        plate[n][1] = n % 5 - n / 5;
        plate[n][2] = 0;
    }
    const Odd odds[4] = {run_thin(chain, 2, 3), run_thin(chain, 6, 3), run_thin(triangle, 3, 3),
                         run_thin(plate, 25, 3)};
    const uint32_t bonds[4] = {1, 5, 3, 40};
    judge_thin(odds, bonds, 4);
}

static void chains_of_the_plane_hold_together(void **state) {
    (void)state;
    int chain[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}};
    int triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const Odd odds[3] = {run_thin(chain, 2, 2), run_thin(chain, 6, 2), run_thin(triangle, 3, 2)};
    const uint32_t bonds[3] = {1, 5, 3};
    judge_thin(odds, bonds, 3);
}

static void single_particle_just_flies(void **state) {
    (void)state;
    int one[1][3] = {{1, 1, 0}};
    const Odd odds[2] = {run_thin(one, 1, 2), run_thin(one, 1, 3)};
    const uint32_t bonds[2] = {0, 0};
    judge_thin(odds, bonds, 2);
}

// a block whose places go through a map at once, when its sites know their neighbours
static Odd run_mapped(Mat map, float poisson, ThawElasticity law) {
    EngineDef def = engine_si(3, 0.05);
    def.material.solid.poisson = poisson;
    def.material.solid.elasticity = law;
    EngineBlock how = plain_block(6, 6, 6);
    Engine e = engine_block(&def, &how);
    uint32_t bonds = engine_step(&e, 1.0 / 960, 1).bonds;
    ThawVec3 *places = engine_places(&e);
    for (uint32_t i = 0; i < e.count; i++) places[i] = m_apply(map, places[i]);
    engine_set_places(&e, places);
    free(places);
    Odd odd = run_odd(&e, bonds);
    engine_free(&e);
    return odd;
}

// Contacts that push overlapping particles apart have no energy of their own in the report; all the
// same a crushed body never has more than its lattice could hold; measured it has at most a tenth.
static void judge_mapped(const char *what, Mat map) {
    double worst = 0;
    for (int law = THAW_ELASTIC_LATTICE; law <= THAW_ELASTIC_NEO_HOOKEAN; law++) {
        for (int n = 0; n < 2; n++) {
            Odd odd = run_mapped(map, n == 0 ? 0.0f : 0.3f, (ThawElasticity)law);
            print_message(
                "%s, law %d, ν = %.1f: %u bonds, energy at most %.3f of a crushed body's\n", what,
                law, 0.3 * n, odd.bonds, odd.highest);
            worst = fmax(worst, odd.highest);
        }
    }
    assert_below(worst, 0.2);
}

static void collapsed_body_does_not_explode(void **state) {
    (void)state;
    judge_mapped("collapsed to a point", m_diagonal(0, 0, 0));
    judge_mapped("collapsed to a tenth", m_diagonal(0.1, 0.1, 0.1));
}

static void flattened_body_does_not_explode(void **state) {
    (void)state;
    judge_mapped("flattened", m_diagonal(1, 1, 0));
}

static void inverted_body_does_not_explode(void **state) {
    (void)state;
    judge_mapped("inverted", m_diagonal(-1, 1, 1));
    judge_mapped("turned inside out", m_diagonal(-1, -1, -1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_and_plates_hold_together),
        cmocka_unit_test(chains_of_the_plane_hold_together),
        cmocka_unit_test(single_particle_just_flies),
        cmocka_unit_test(collapsed_body_does_not_explode),
        cmocka_unit_test(flattened_body_does_not_explode),
        cmocka_unit_test(inverted_body_does_not_explode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
