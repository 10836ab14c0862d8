// Attachments of solids on the shipped engine: pinned, dragged and glued regions. Units m = D = 1.
#include "solid/breaking_rig.h"

typedef struct Held {
    Rig rig;
    Piece bar;
} Held;

static Held make_held(void) {
    Held h = {.rig = rig_make((RigDef){.dt = 0.2, .substeps = 4, .gravity = {0, 0, -1e-3}})};
    ThawMaterialDef def = unit_material(3, 1);
    const int planes[3] = {15, 5, 5};
    h.bar = rig_block(&h.rig, rig_material(&h.rig, &def), planes, m_one(), origin, origin);
    return h;
}

static void free_held(Held *h) {
    piece_free(&h->bar);
    rig_free(&h->rig);
}

static void pinned_region_stays_in_every_bit(void **state) {
    (void)state;
    Held h = make_held();
    piece_look(&h.rig, &h.bar);
    ThawVec3 *start = vectors(h.bar.count);
    memcpy(start, h.bar.x, h.bar.count * sizeof *start);
    rig_hold(&h.rig, (ThawVec3){-99, -99, -99}, (ThawVec3){-4, 99, 99}, NULL, 0);
    rig_run(&h.rig, 40);
    piece_look(&h.rig, &h.bar);
    double tip = 0;
    for (uint32_t n = 0; n < h.bar.count; n++) {
        tip = fmax(tip, v_norm(v_sub(h.bar.x[n], start[n])));
        if (h.bar.rest[n].x >= -4) continue;
        assert_true(memcmp(&h.bar.x[n], &start[n], sizeof *start) == 0);
        assert_true(v_norm(h.bar.v[n]) == 0);
    }
    print_message("pinned: the free end moved by %.3f D\n", tip);
    assert_true(tip > 0.01);
    free(start);
    free_held(&h);
}

static void dragged_region_follows_and_keeps_its_speed_when_released(void **state) {
    (void)state;
    Held h = make_held();
    const ThawKeyframe motion[2] = {key(0, origin), key(100, (ThawVec3){0, 5, 0})};
    ThawAttachmentId id =
        rig_hold(&h.rig, (ThawVec3){-99, -99, -99}, (ThawVec3){99, 99, 99}, motion, 2);
    rig_run(&h.rig, 40);
    piece_look(&h.rig, &h.bar);
    assert_int_equal(held_by(&h.rig, id), h.bar.count);
    double off = 0, slow = 0;
    for (uint32_t n = 0; n < h.bar.count; n++) {
        ThawVec3 goal = v_add(h.bar.rest[n], (ThawVec3){0, 2, 0});
        off = fmax(off, v_norm(v_sub(h.bar.x[n], goal)));
        slow = fmax(slow, v_norm(v_sub(h.bar.v[n], (ThawVec3){0, 0.05, 0})));
    }
    // targets are fixed-point cells; a velocity is a difference of two places over a substep
    print_message("dragged: off by %.1e D, velocity by %.1e\n", off, slow);
    assert_below(off, 1e-6);
    assert_below(slow, 1e-5 * 0.05 + 2 * 4.2e-7 / 0.2);
    assert_ok(thaw_world_remove_attachment(h.rig.world, id));
    rig_step(&h.rig);
    piece_look(&h.rig, &h.bar);
    assert_near(mean_of(h.bar.v, h.bar.count).y, 0.05, 5e-6);
    assert_near(mean_of(h.bar.v, h.bar.count).z, -1e-3 * h.rig.step, 1e-5);
    free_held(&h);
}

static void glued_region_moves_with_its_collider(void **state) {
    (void)state;
    Held h = make_held();
    // far from the bar, turning about z at 0.01 rad/s and rising at 0.02
    ThawKeyframe motion[2] = {key(0, origin), key(100, (ThawVec3){0, 0, 2})};
    motion[1].rotation = (ThawQuat){0, 0, sin(0.5), cos(0.5)};
    ThawColliderDef def = thaw_collider_default();
    ThawColliderId collider;
    def.shape = thaw_shape_box((ThawVec3){-20, 0, 0}, (ThawVec3){2, 2, 2});
    def.motion = motion;
    def.motion_count = 2;
    assert_ok(thaw_world_add_collider(h.rig.world, &def, &collider));
    ThawAttachmentDef hold = thaw_attachment_default();
    ThawAttachmentId id;
    hold.region = thaw_shape_box((ThawVec3){-54, 0, 0}, (ThawVec3){100, 100, 100});
    hold.collider = collider;
    assert_ok(thaw_world_add_attachment(h.rig.world, &hold, &id));
    rig_run(&h.rig, 40);
    piece_look(&h.rig, &h.bar);
    Mat turn = m_turn((ThawVec3){0, 0, 1}, 0.4);
    ThawVec3 about = {-20, 0, 0};
    double off = 0;
    uint32_t glued = 0;
    for (uint32_t n = 0; n < h.bar.count; n++) {
        if (h.bar.rest[n].x >= -4) continue;
        ThawVec3 goal = v_add(about, m_apply(turn, v_sub(h.bar.rest[n], about)));
        goal.z += 0.8;
        off = fmax(off, v_norm(v_sub(h.bar.x[n], goal)));
        glued++;
    }
    print_message("glued: %u particles, off by %.1e D\n", glued, off);
    assert_int_equal(glued, held_by(&h.rig, id));
    assert_true(glued > 10 && glued < h.bar.count);
    assert_below(off, 1e-5);
    free_held(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pinned_region_stays_in_every_bit),
        cmocka_unit_test(dragged_region_follows_and_keeps_its_speed_when_released),
        cmocka_unit_test(glued_region_moves_with_its_collider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
