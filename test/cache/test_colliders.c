// Colliders in frames: written, read back in every bit, and refused where they lie.
#include "cache/header.h"
#include "cache/room.h"

#include <math.h>

static ThawFrameCollider moved(uint32_t k) {
    double angle = 0.1 * k + 0.2;
    return (ThawFrameCollider){
        .collider = {2 * k + 1},
        .pose = {{0.1 * k, -1.0 / (k + 3), 1e-9 * k}, {0, sin(angle), 0, cos(angle)}},
        .velocity = {1.0 * k, 2, -3},
        .spin = {0, 1e-3 * k, 7}};
}

// a frame of the usual boxes with so many colliders
static ThawFrame *frame_with(uint32_t count) {
    ThawWorld *world = boxes(1, 0.03);
    ThawFrame *frame = take_frame(world, 3);
    thaw_world_destroy(world);
    assert_int_equal(frame->collider_count, 0);
    assert_null(frame->colliders);
    ThawFrameCollider list[64];
    for (uint32_t k = 0; k < count; k++) list[k] = moved(k);
    assert_ok(thaw_frame_set_colliders(frame, list, count));
    return frame;
}

static void assert_same_colliders(const ThawFrame *a, const ThawFrame *b) {
    assert_int_equal(a->collider_count, b->collider_count);
    for (uint32_t k = 0; k < a->collider_count; k++) {
        const ThawFrameCollider *x = &a->colliders[k], *y = &b->colliders[k];
        assert_int_equal(x->collider.value, y->collider.value);
        assert_memory_equal(&x->pose, &y->pose, sizeof x->pose);
        assert_memory_equal(&x->velocity, &y->velocity, sizeof x->velocity);
        assert_memory_equal(&x->spin, &y->spin, sizeof x->spin);
    }
}

// ---------------------------------------------------------------- files

static void every_bit_of_a_collider_comes_back(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    static const uint32_t counts[] = {0, 1, 2, 40};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        ThawFrame *frame = frame_with(counts[c]), *again;
        for (int level = 0; level < 2; level++) {
            assert_ok(thaw_frame_write(frame, level, path));
            assert_ok(thaw_frame_read(path, &again));
            assert_same_frame(frame, again);
            assert_same_colliders(frame, again);
            thaw_frame_free(again);
        }
        assert_ok(thaw_frame_peek(path, &again));
        assert_int_equal(again->collider_count, counts[c]);
        assert_null(again->colliders);
        assert_null(thaw_frame_collider(again, (ThawColliderId){1}));
        thaw_frame_free(again);
        thaw_frame_free(frame);
    }
    drop_folder(folder);
}

static void colliders_and_fractures_stand_side_by_side(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    ThawFrame *frame = frame_with(3), *again;
    ThawFracture crack = {0.5, {1, 2, 3}, {5, 6}};
    assert_ok(thaw_frame_set_fractures(frame, &crack, 1));
    assert_ok(thaw_frame_write(frame, 1, path));
    assert_ok(thaw_frame_read(path, &again));
    assert_same_frame(frame, again);
    assert_same_colliders(frame, again);
    thaw_frame_free(again);
    thaw_frame_free(frame);
    drop_folder(folder);
}

static void a_frame_without_colliders_says_nothing_of_them(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    ThawFrame *frame = frame_with(2);
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(thaw_frame_write(frame, 0, path));
        Bytes bytes = load(path);
        bool found = false;
        for (size_t k = 0; k + 8 <= bytes.size; k++)
            found = found || memcmp(bytes.data + k, "collider", 8) == 0;
        assert_int_equal(found, turn == 0);
        free(bytes.data);
        assert_ok(thaw_frame_set_colliders(frame, NULL, 0));
    }
    thaw_frame_free(frame);
    drop_folder(folder);
}

static void a_collider_is_found_by_its_handle(void **state) {
    (void)state;
    ThawFrame *frame = frame_with(5);
    const ThawFrameCollider *found = thaw_frame_collider(frame, (ThawColliderId){7});
    assert_non_null(found);
    assert_int_equal(found->collider.value, 7);
    assert_null(thaw_frame_collider(frame, (ThawColliderId){8}));
    thaw_frame_free(frame);
}

// ---------------------------------------------------------------- lies

static void impossible_colliders_are_not_written(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    static const char *const words[] = {"number",   "number",   "position", "rotation",
                                        "rotation", "velocity", "spin"};
    for (int lie = 0; lie < 7; lie++) {
        ThawFrame *frame = frame_with(5);
        ThawFrameCollider *c = &frame->colliders[3];
        if (lie == 0) c->collider.value = 0;
        if (lie == 1) c->collider.value = frame->colliders[2].collider.value;
        if (lie == 2) c->pose.position.y = NAN;
        if (lie == 3) c->pose.rotation.w = NAN;
        if (lie == 4) c->pose.rotation.w = 2;
        if (lie == 5) c->velocity.x = INFINITY;
        if (lie == 6) c->spin.z = NAN;
        assert_refused(thaw_frame_write(frame, 1, path), "collider 4");
        assert_non_null(strstr(thaw_error_text(), words[lie]));
        assert_false(exists(path));
        thaw_frame_free(frame);
    }
    ThawFrame *frame = frame_with(1);
    strcpy(frame->columns[2].name, "collider_spin");
    assert_refused(thaw_frame_write(frame, 1, path), "name that is not allowed");
    thaw_frame_free(frame);
    drop_folder(folder);
}

static void damage_is_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "f.h5");
    ThawFrame *frame = frame_with(9), *again;
    assert_ok(thaw_frame_write(frame, 0, path));
    thaw_frame_free(frame);
    Bytes bytes = load(path);
    for (int k = 0; k < 300; k++) {
        size_t at = draw((uint32_t)bytes.size);
        uint8_t before = bytes.data[at];
        bytes.data[at] ^= (uint8_t)(1u << draw(8));
        assert_int_equal(thaw_frame_parse(bytes.data, bytes.size, &again), THAW_BAD_INPUT);
        assert_null(again);
        bytes.data[at] = before;
    }
    free(bytes.data);
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_of_a_collider_comes_back),
        cmocka_unit_test(colliders_and_fractures_stand_side_by_side),
        cmocka_unit_test(a_frame_without_colliders_says_nothing_of_them),
        cmocka_unit_test(a_collider_is_found_by_its_handle),
        cmocka_unit_test(impossible_colliders_are_not_written),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
