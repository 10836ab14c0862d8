// What contacts know of faces: their normals, and the plane that two of them are to each other.
#include "grains.h"

static const int32_t no_period[3];

static Rig *open_block(int dimensions, const uint32_t size[3]) {
    const double at[3] = {0.3, 0.1, 0};
    Grain like = solid(1);
    like.distance = unit_distance(dimensions);
    uint32_t count = add_block(grains, 0, size, at, like);
    return open_rig(grains, count, (Setup){.dimensions = dimensions, .skin = 0.1});
}

// how flat it is there
static double normal_of(const Rig *rig, uint32_t grain, double normal[3]) {
    ThawContactNormal n = thaw_contact_normal(&rig->step, no_period, row_of(rig, grain));
    for (int k = 0; k < 3; k++) normal[k] = (double)n.out[k];
    return (double)n.flat;
}

// of a block of 7 × 7 × 3 the middle of the top and of the bottom, edges, and the inside
static void faces_look_outwards_and_edges_hardly_have_any(void **state) {
    (void)state;
    const uint32_t size[3] = {7, 7, 3};
    Rig *rig = open_block(3, size);
    double top[3], bottom[3], none[3];
    assert_true(fabs(normal_of(rig, 2 * 49 + 24, top) - 1) < 1e-5);
    assert_true(fabs(normal_of(rig, 24, bottom) - 1) < 1e-5);
    assert_true(fabs(top[2] - 1) < 1e-5 && fabs(bottom[2] + 1) < 1e-5);
    // corners and an edge of the top; the second corner is the blunt one
    assert_true(normal_of(rig, 98, none) < 1e-5 && normal_of(rig, 98 + 48, none) < 1e-5);
    assert_true(normal_of(rig, 98 + 6, none) < 0.3 && normal_of(rig, 98 + 3, none) < 0.05);
    assert_true(normal_of(rig, 49 + 24, none) == 0);
    close_rig(rig);
}

static void rows_are_faces_in_2d_and_their_ends_are_not(void **state) {
    (void)state;
    const uint32_t size[3] = {9, 4, 1};
    Rig *rig = open_block(2, size);
    double top[3], none[3];
    assert_true(fabs(normal_of(rig, 3 * 9 + 4, top) - 1) < 1e-5);
    assert_true(fabs(top[1] - 1) < 1e-5);
    assert_true(normal_of(rig, 3 * 9 + 8, none) < 1e-5);
    close_rig(rig);
}

static void single_layers_have_no_face(void **state) {
    (void)state;
    const uint32_t size[3] = {7, 7, 1};
    Rig *rig = open_block(3, size);
    double none[3];
    assert_true(normal_of(rig, 24, none) == 0);
    close_rig(rig);
}

// a block that is sheared along its face leans, and its face does not: what is left is of second order
static void shear_does_not_turn_a_face(void **state) {
    (void)state;
    const uint32_t size[3] = {7, 7, 3};
    Rig *rig = open_block(3, size);
    for (uint32_t row = 0; row < rig->count; row++) {
        ThawPlace *place = &rig->work.place[row];
        place->x = thaw_place_add(place->x, (int32_t)lrint(0.1 * place->z));
    }
    double top[3];
    assert_true(fabs(normal_of(rig, 2 * 49 + 24, top) - 1) < 1e-5);
    assert_true(hypot(top[0], top[1]) < 2e-3);
    close_rig(rig);
}

// some normal about ±z, faces and edges alike
static ThawContactNormal draw_normal(uint64_t n, uint64_t stream, float sign) {
    ThawContactNormal normal = {.out = {0, 0, sign}, .flat = (float)draw(n, stream + 3)};
    if (n % 3 > 0) normal.flat = (n + stream / 10) % 2 == 0 ? 1.0f : 0.0f;
    for (uint64_t k = 0; k < 3; k++) normal.out[k] += (float)(1.2 * (draw(n, stream + k) - 0.5));
    const double out[3] = {(double)normal.out[0], (double)normal.out[1], (double)normal.out[2]};
    for (int k = 0; k < 3; k++) normal.out[k] /= (float)norm3(out);
    return normal;
}

// both sides of a pair see the same plane, with opposite signs in every bit
static void both_sides_see_the_same_plane(void **state) {
    (void)state;
    uint32_t planes = 0;
    for (uint64_t n = 0; n < 300; n++) {
        ThawContactNormal own = draw_normal(n, 70, -1), other = draw_normal(n, 80, 1);
        float start[3], back[3];
        for (uint64_t k = 0; k < 3; k++) {
            start[k] = (float)(draw(n, 90 + k) - (k == 2 ? 0.0 : 0.5));
            back[k] = -start[k];
        }
        ThawContactPlane a = thaw_contact_plane(&own, &other, start, 0.5f);
        ThawContactPlane b = thaw_contact_plane(&other, &own, back, 0.5f);
        planes += a.strength > 0;
        assert_true(a.strength == b.strength);
        if (a.strength > 0) assert_true(thaw_contact_weight(&a) == thaw_contact_weight(&b));
        thaw_contact_flatten(&a, 0.5f, start);
        thaw_contact_flatten(&b, 0.5f, back);
        for (int k = 0; k < 3; k++) assert_true(start[k] == -back[k]);
    }
    assert_true(planes > 50);
}

// A face above another stands off by its height alone, wherever it is aside. So do edges and corners that look at it; one
// that looks elsewhere is a row of spheres.
static void faces_and_edges_on_them_see_height_alone(void **state) {
    (void)state;
    const ThawContactNormal up = {{0, 0, 1}, 1}, down = {{0, 0, -1}, 1}, crumb = {{0, 0, 0}, 0};
    const ThawContactNormal edge = {{0, 0.7071068f, -0.7071068f}, 0},
                            corner = {{0.5773503f, 0.5773503f, -0.5773503f}, 0},
                            side = {{0, 0.98f, -0.199f}, 0};
    const ThawContactNormal *lying[3] = {&down, &edge, &corner};
    const ThawContactNormal *others[4] = {&crumb, &side, &up, NULL};
    for (uint64_t n = 0; n < 100; n++) {
        const float start[3] = {(float)(0.3 * draw(n, 50)), (float)(0.3 * draw(n, 51)), 0.5f};
        for (int k = 0; k < 3; k++) {
            float seen[3] = {start[0], start[1], start[2]};
            ThawContactPlane plane = thaw_contact_plane(lying[k], &up, seen, 0.5f);
            assert_true(plane.strength == 1.0f && plane.normal[2] == 1.0f);
            thaw_contact_flatten(&plane, 0.5f, seen);
            assert_true(seen[0] == 0 && seen[1] == 0 && seen[2] == 0.5f);
        }
        for (int k = 0; others[k] != NULL; k++) {
            assert_true(thaw_contact_plane(others[k], &up, start, 0.5f).strength == 0);
        }
        assert_true(thaw_contact_plane(&edge, &corner, start, 0.5f).strength == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_look_outwards_and_edges_hardly_have_any),
        cmocka_unit_test(rows_are_faces_in_2d_and_their_ends_are_not),
        cmocka_unit_test(single_layers_have_no_face),
        cmocka_unit_test(shear_does_not_turn_a_face),
        cmocka_unit_test(both_sides_see_the_same_plane),
        cmocka_unit_test(faces_and_edges_on_them_see_height_alone),
    };
    return cmocka_run_group_tests_name("contact faces", tests, NULL, NULL);
}
