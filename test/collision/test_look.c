// Looks at many particles against what the exact code finds for each of them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/coupling.h"
#include "collision/look.h"
#include "collision/rig.h"
#include "math/random.h"
#include "support/forms.h"

#define COUNT 4096u
#define CELL (0.5 * RIG_SPACING)

static double chance(uint32_t k, uint32_t purpose) {
    return thaw_random_unit(11, k, 0, purpose);
}

static ThawVec3 anywhere(uint32_t k, uint32_t purpose, double half) {
    return thaw_vec(half * (2 * chance(k, purpose) - 1), half * (2 * chance(k, purpose + 1) - 1),
                    half * (2 * chance(k, purpose + 2) - 1));
}

// Particles everywhere about the collider, with moves of 0.001 to 50 spacings.
static void scatter(Rig *rig, double half) {
    for (uint32_t k = 0; k < COUNT; k++) {
        ThawVec3 way = anywhere(k, 4, 1);
        double spacings = 0.001 * pow(50000, chance(k, 7));
        double speed = spacings * RIG_SPACING / rig->step.dt / fmax(thaw_length(way), 0.1);
        rig_put(rig, k, anywhere(k, 1, half), thaw_scale(way, speed));
    }
    rig_predict(rig, thaw_vec(0, 0, 0));
}

// what a setting's looks decided
typedef struct Tally {
    uint32_t asked, untouched, cleared;
} Tally;

static Tally check_paths(Rig *rig) {
    ThawWalls *walls = rig->walls;
    Tally tally = {0};
    for (uint32_t first = 0; first < walls->near_count; first += THAW_WALL_CHUNK) {
        ThawMoves moves = {.near = walls->near + first};
        for (; moves.listed < THAW_WALL_CHUNK && first + moves.listed < walls->near_count;
             moves.listed++) {
            moves.which[moves.listed] = (uint16_t)moves.listed;
            moves.shift[moves.listed] = thaw_wall_shift(&rig->step, moves.near[moves.listed].row);
        }
        thaw_look_paths(walls, &rig->step, &moves);
        for (uint32_t k = 0; k < moves.listed; k++) {
            const ThawNearWall *near = &moves.near[k];
            double length = thaw_length(moves.shift[k]);
            for (uint32_t s = 0; s < near->slot_count; s++) {
                const ThawObstacle *o = &walls->obstacles[near->slots[s]];
                const int64_t *start = rig->store->cells + 3 * (size_t)near->row;
                ThawSeen seen = thaw_obstacle_see(o, &rig->domain, start);
                ThawVec3 shift = moves.shift[k], push;
                bool stopped =
                    thaw_path_stop(o, &seen, (double)near->contact_distance, &shift, &push);
                bool cleared = thaw_gap_clears(near, s, length) || (moves.clear[k] >> s & 1) != 0;
                assert_false(stopped && cleared);
                assert_false(stopped && length < (double)near->free);
                tally.asked++;
                tally.untouched += !stopped;
                tally.cleared += cleared;
            }
        }
    }
    return tally;
}

// near particles as found by looks, against each described by itself
static void check_near(Rig *rig) {
    const ThawWalls *walls = rig->walls;
    uint32_t found = 0;
    for (uint32_t row = 0; row < rig->store->count; row++) {
        ThawNearWall one = thaw_near_describe(walls, &rig->step, row);
        assert_int_equal(walls->is_near[row], one.slot_count > 0);
        if (one.slot_count == 0) continue;
        const ThawNearWall *near = &walls->near[found++];
        assert_int_equal(near->row, row);
        assert_int_equal(near->slot_count, one.slot_count);
        assert_memory_equal(near->slots, one.slots, sizeof one.slots);
        assert_true(near->covered == one.covered && near->support == one.support);
        for (int s = 0; s < one.slot_count && s < THAW_WALL_SLOTS; s++) {
            if (isinf(one.gap[s])) {
                assert_true(isinf(near->gap[s]) && near->gap[s] < 0);
                continue;
            }
            // bounds may lie on either side of a brick's face
            bool close = fabsf(near->gap[s] - one.gap[s]) < 1e-3f;
            assert_true(close || near->gap[s] > 2);
        }
    }
    assert_int_equal(found, walls->near_count);
}

static void check(Rig *rig, const char *what, double share) {
    for (ThawIsa isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
        ThawIsa found;
        if (thaw_isa_resolve(isa, &found) != THAW_OK) continue;
        rig->step.isa = found;
        assert_int_equal(thaw_walls_begin(rig->walls, &rig->step), THAW_OK);
        rig_predict(rig, thaw_vec(0, 0, 0));
        // once more from the starts that were freed
        assert_int_equal(thaw_walls_begin(rig->walls, &rig->step), THAW_OK);
        rig_predict(rig, thaw_vec(0, 0, 0));
        check_near(rig);
        Tally tally = check_paths(rig);
        print_message("%s, %s: %u pairs, %u untouched, %u of them cleared\n", what,
                      thaw_isa_name(found), tally.asked, tally.untouched, tally.cleared);
        // looks that decide nothing would be right as well
        assert_true(tally.asked > COUNT / 8);
        assert_true(tally.cleared > share * tally.untouched);
    }
}

static ThawColliderDef collider_of(const ThawField *field) {
    ThawColliderDef def = thaw_collider_default();
    def.shape = thaw_shape_mesh(field);
    return def;
}

static void check_form(Form form, ThawFieldMode mode, bool container, double share) {
    ThawField *field = form_field(&form, mode, CELL, 0);
    Rig rig;
    rig_open(&rig, 3, COUNT, 1);
    ThawColliderDef def = collider_of(field);
    def.container = container;
    def.shape.pose.rotation = thaw_quat_turn(thaw_vec(0.3, -0.8, 0.5), 0.7);
    rig_add(&rig, def);
    scatter(&rig, 1.3);
    check(&rig, container ? "container" : mode == THAW_FIELD_SHELL ? "shell" : "solid", share);
    rig_close(&rig);
    thaw_field_release(field);
    form_free(&form);
}

static void looks_agree_with_paths_at_solids(void **state) {
    (void)state;
    check_form(form_torus(0.7, 0.25, 32), THAW_FIELD_SOLID, false, 0.9);
}

static void looks_agree_with_paths_at_sheets(void **state) {
    (void)state;
    check_form(form_sheet(0.8, 0.8, 5), THAW_FIELD_SHELL, false, 0.9);
}

static void looks_agree_with_paths_in_containers(void **state) {
    (void)state;
    check_form(form_box(thaw_vec(0, 0, 0), thaw_vec(2, 1.6, 1.8)), THAW_FIELD_SOLID, true, 0.8);
}

// blades that cross each other, part of them turned inside out
static void looks_agree_with_paths_at_crossing_blades(void **state) {
    (void)state;
    Form paddle = form_paddle(0.9, 0.8, 0.1, 5);
    for (uint32_t k = 0; k < paddle.triangle_count; k += 3) {
        uint32_t *t = paddle.triangles[k], one = t[1];
        t[1] = t[2];
        t[2] = one;
    }
    check_form(paddle, THAW_FIELD_SOLID, false, 0.9);
}

// a mesh that moves and turns, a body, a plane and a periodic axis
static void looks_agree_with_paths_where_meshes_move(void **state) {
    (void)state;
    Form ball = form_ball(0.5, 12), sheet = form_sheet(0.8, 0.8, 3);
    ThawField *solid = form_field(&ball, THAW_FIELD_SOLID, CELL, 0);
    ThawField *shell = form_field(&sheet, THAW_FIELD_SHELL, CELL, 0);
    Rig rig;
    rig_open(&rig, 3, COUNT, 1);
    rig.domain.periodic[0] = true;
    rig.domain.length[0] = 12 * THAW_FIXED_ONE;
    rig.domain.lower[0] = -6 * THAW_FIXED_ONE;
    ThawColliderDef def = collider_of(shell);
    ThawKeyframe motion[2] = {{.rotation = thaw_quat_identity()},
                              {.time = 0.01,
                               .move = {0.2, 0.1, 0},
                               .rotation = thaw_quat_turn(thaw_vec(0, 0.6, 0.8), 0.3)}};
    def.motion = motion;
    def.motion_count = 2;
    rig_add(&rig, def);
    def = collider_of(solid);
    def.dynamic.on = true;
    def.dynamic.velocity = thaw_vec(3, 0, 0);
    def.shape.pose.position = thaw_vec(0.6, 0, -0.6);
    rig_add(&rig, def);
    def = thaw_collider_default();
    def.shape = thaw_shape_plane(thaw_vec(0, 0, -1), thaw_vec(0, 0, 1));
    rig_add(&rig, def);
    scatter(&rig, 1.2);
    check(&rig, "moving", 0.8);
    rig_close(&rig);
    thaw_field_release(solid);
    thaw_field_release(shell);
    form_free(&ball);
    form_free(&sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_agree_with_paths_at_solids),
        cmocka_unit_test(looks_agree_with_paths_at_sheets),
        cmocka_unit_test(looks_agree_with_paths_in_containers),
        cmocka_unit_test(looks_agree_with_paths_at_crossing_blades),
        cmocka_unit_test(looks_agree_with_paths_where_meshes_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
