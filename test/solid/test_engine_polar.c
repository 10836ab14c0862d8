// W-5 of the validation cases on the shipped solid: the rotations that its inner loop finds, of any
// matrices.
#include "solid/engine.h"

#include "simd/isa.h"

#define HOODS 4096 // neighbourhoods at once
#define HOOD_UNIT 0x1p-21f

// Neighbourhoods with a full shell each, alone in the inner loop that finds rotations.
typedef struct Hoods {
    ThawPlace place[HOODS * 13];
    uint32_t slot[HOODS * 13 * THAW_SITES];
    uint8_t back[HOODS * 13 * THAW_SITES], block[HOODS * 13 / 8];
    uint16_t kind[HOODS * 13];
    float turn[HOODS * 13 * 4], map[HOODS * 13 * 9];
    ThawSolidFrame frame[HOODS * 13];
    Mat m[HOODS]; // Σ r lᵀ of the places as they are
} Hoods;

static int32_t place_of(double r) {
    return (int32_t)lrint(r / (double)HOOD_UNIT);
}

static void put_hood(Hoods *h, uint32_t i, Mat a, ThawQuat turn) {
    const float q[4] = {(float)turn.x, (float)turn.y, (float)turn.z, (float)turn.w};
    memcpy(&h->turn[4 * i], q, sizeof q);
    h->m[i] = (Mat){0};
    for (uint32_t s = 0; s < 12; s++) {
        uint32_t row = HOODS + 12 * i + s;
        const float *l = thaw_sites(3)->vector[s];
        ThawVec3 site = {(double)l[0], (double)l[1], (double)l[2]}, r = m_apply(a, site);
        h->place[row] = (ThawPlace){place_of(r.x), place_of(r.y), place_of(r.z), 0};
        h->slot[thaw_bond_at(i, s)] = row;
        ThawVec3 put = {h->place[row].x, h->place[row].y, h->place[row].z};
        h->m[i] = m_along(h->m[i], (double)HOOD_UNIT, m_outer(put, site));
    }
}

static void clear_hoods(Hoods *h) {
    memset(h, 0, sizeof *h);
    for (uint32_t row = 0; row < HOODS * 13; row++) {
        h->kind[row] = 1;
        h->turn[4 * row + 3] = 1;
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            h->slot[thaw_bond_at(row, s)] = row;
            h->back[thaw_bond_at(row, s)] = (uint8_t)(s ^ 1u);
        }
    }
    memset(h->block, THAW_BLOCK_SOLID, HOODS / 8);
}

static void match_hoods(Hoods *h, int newton) {
    const ThawSolidKind kinds[2] = {{0}, {.unit = HOOD_UNIT, .half_k = 0.5f, .push = 1}};
    ThawBonds bonds = {.slot = h->slot, .back = h->back, .block = h->block, .blocks = HOODS / 8};
    ThawSolidPass pass = {.dimensions = 3,
                          .newton = newton,
                          .sites = thaw_sites(3),
                          .bonds = &bonds,
                          .kinds = kinds,
                          .kind = h->kind,
                          .rows = HOODS * 13,
                          .blocks = HOODS / 8,
                          .place = h->place,
                          .state = {.turn = h->turn, .map = h->map},
                          .frame = h->frame};
    ThawIsa isa;
    assert_ok(thaw_isa_resolve(THAW_ISA_AUTO, &isa));
    for (uint32_t c = 0; c < HOODS / 8 / THAW_SOLID_CHUNK; c++) {
        THAW_WIDE_PICK(isa, thaw_solid_frames)(&pass, c);
    }
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

static Mat hood_turn(const Hoods *h, uint32_t i) {
    const float *t = &h->turn[4 * i];
    double x = (double)t[0], y = (double)t[1], z = (double)t[2], w = (double)t[3];
    return (Mat){{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                  {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                  {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

typedef struct PolarErrors {
    double orthogonal, volume, symmetric;
} PolarErrors;

static void judge_hood(const Hoods *h, uint32_t i, PolarErrors *e) {
    Mat r = hood_turn(h, i), s = m_mul(m_transpose(r), h->m[i]);
    double size = fmax(m_norm(h->m[i]), 1e-3), skew = m_distance(s, m_transpose(s)) / size;
    e->orthogonal = fmax(e->orthogonal, m_distance(m_mul(m_transpose(r), r), m_one()));
    e->volume = fmax(e->volume, fabs(m_det(r) - 1));
    e->symmetric = fmax(e->symmetric, skew);
    if (!isfinite(m_det(r))) e->orthogonal = INFINITY;
}

#define KINDS 8
#define ROUNDS 25 // 1e5 matrices in all

static PolarErrors polar_errors[KINDS];

// frames that know nothing of their matrices, after ten times the steps of a search
static int match_odd_matrices(void **state) {
    (void)state;
    Hoods *h = malloc(sizeof *h);
    assert_non_null(h);
    Dice dice = {5};
    for (int n = 0; n < ROUNDS; n++) {
        clear_hoods(h);
        for (uint32_t i = 0; i < HOODS; i++) {
            // one after the other: every compiler is to draw the same matrices
            ThawQuat start = quat_of(dice_turn(&dice));
            put_hood(h, i, odd_matrix(&dice, (int)(i % KINDS)), start);
        }
        for (int k = 0; k < 10; k++) match_hoods(h, 6);
        for (uint32_t i = 0; i < HOODS; i++) judge_hood(h, i, &polar_errors[i % KINDS]);
    }
    free(h);
    return 0;
}

// R is made of a unit quaternion in float, whose square is good to 3e-7: four times that in RᵀR.
static void w05_polar_part_is_a_rotation_for_any_matrix(void **state) {
    (void)state;
    double orthogonal = 0, volume = 0;
    for (int k = 0; k < KINDS; k++) {
        orthogonal = fmax(orthogonal, polar_errors[k].orthogonal);
        volume = fmax(volume, polar_errors[k].volume);
    }
    print_message("W-5: RᵀR − 1 %.1e, det R − 1 %.1e\n", orthogonal, volume);
    assert_below(orthogonal, 2e-6);
    assert_below(volume, 2e-6);
}

// From any start to a maximum of any matrix, the flat ones of mirrored matrices (kinds 1, 4 and 5) too.
static void w05_stretch_is_symmetric_for_any_matrix(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        print_message("W-5: kind %d: S − Sᵀ %.1e\n", k, polar_errors[k].symmetric);
    }
    for (int k = 0; k < KINDS; k++) assert_below(polar_errors[k].symmetric, 1e-5);
}

// what a body that is not torn meets: stretched by half, turned by half a radian since the last time
static void w05_rotation_of_a_strained_shell_is_found_in_one_pass(void **state) {
    (void)state;
    Hoods *h = malloc(sizeof *h);
    assert_non_null(h);
    Dice dice = {55};
    PolarErrors errors = {0};
    clear_hoods(h);
    for (uint32_t i = 0; i < HOODS; i++) {
        Mat turn = dice_turn(&dice), v = dice_turn(&dice), last;
        double s[3];
        for (int k = 0; k < 3; k++) s[k] = 1 + 0.5 * dice_signed(&dice);
        Mat stretch = m_mul(m_mul(v, m_diagonal(s[0], s[1], s[2])), m_transpose(v));
        last = m_mul(m_turn(dice_vector(&dice), 0.5 * dice_unit(&dice)), turn);
        put_hood(h, i, m_mul(turn, stretch), quat_of(last));
    }
    match_hoods(h, 6);
    for (uint32_t i = 0; i < HOODS; i++) judge_hood(h, i, &errors);
    print_message("W-5: strained shells: RᵀR − 1 %.1e, S − Sᵀ %.1e\n", errors.orthogonal,
                  errors.symmetric);
    assert_below(errors.orthogonal, 2e-6);
    assert_below(errors.symmetric, 1e-6);
    free(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w05_polar_part_is_a_rotation_for_any_matrix),
        cmocka_unit_test(w05_stretch_is_symmetric_for_any_matrix),
        cmocka_unit_test(w05_rotation_of_a_strained_shell_is_found_in_one_pass),
    };
    return cmocka_run_group_tests(tests, match_odd_matrices, NULL);
}
