// The closest-primitive field: places on the surface against brute force, velocities interpolated through them (V-15),
// painted values.
#include "geometry/field.h"
#include "geometry/field_bricks.h"
#include "geometry/triangle.h"
#include "support/mesh_samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <cmocka.h>

static ThawField *make_field_of(const ThawMesh *mesh, ThawFieldMode mode, double cell) {
    ThawFieldDef def = thaw_field_default();
    ThawField *field = NULL;
    ThawParallel *parallel;
    def.mode = mode;
    def.cell = cell;
    assert_int_equal(thaw_parallel_create(2, NULL, &parallel), THAW_OK);
    assert_int_equal(thaw_field_build(mesh, &def, parallel, false, &field), THAW_OK);
    thaw_parallel_destroy(parallel);
    return field;
}

static ThawField *make_field(const ThawMesh *mesh, double cell) {
    return make_field_of(mesh, THAW_FIELD_SOLID, cell);
}

static ThawVec3 random_point(uint64_t *seed, double size) {
    double x = sample_uniform(seed, -size, size), y = sample_uniform(seed, -size, size);
    return thaw_vec(x, y, sample_uniform(seed, -size, size));
}

static double brute_distance(const ThawMesh *mesh, ThawVec3 p) {
    double best = INFINITY;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        ThawVec3 corner[3];
        thaw_triangle_corners(mesh, t, corner);
        best = fmin(best, thaw_closest_on_triangle(p, corner).squared);
    }
    return sqrt(best);
}

static ThawVec3 place_of(const ThawMesh *mesh, const ThawFieldSpot *spot) {
    ThawVec3 corner[3], place = {0, 0, 0};
    thaw_triangle_corners(mesh, spot->triangle, corner);
    for (int k = 0; k < 3; k++) place = thaw_add(place, thaw_scale(corner[k], spot->weight[k]));
    return place;
}

// ---------------------------------------------------------------- places

static void spots_are_the_closest_of_all_triangles(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0, 0, 0), 1, 24, 0.2);
    ThawMesh mesh = sample_mesh(&ball);
    double cells[4] = {0.03, 0.12, 0.03, 0.12}; // triangles larger and smaller than cells
    for (int c = 0; c < 4; c++) {
        ThawField *field =
            make_field_of(&mesh, c < 2 ? THAW_FIELD_SOLID : THAW_FIELD_SHELL, cells[c]);
        uint64_t seed = 3;
        int exact = 0, near = 0;
        double worst = 0;
        for (int k = 0; k < 6000; k++) {
            ThawVec3 p = random_point(&seed, 1.4);
            bool in_band = fabs(thaw_field_sample(field, p, NULL)) < 2.9999 * cells[c];
            if (!in_band && k % 10 != 0) continue;
            ThawFieldSpot spot = thaw_field_spot(field, p);
            double sum = spot.weight[0] + spot.weight[1] + spot.weight[2];
            assert_true(fabs(sum - 1) < 1e-12);
            for (int n = 0; n < 3; n++) assert_true(spot.weight[n] >= 0);
            assert_true(thaw_length(thaw_sub(place_of(&mesh, &spot), spot.point)) < 1e-12);
            double found = thaw_length(thaw_sub(p, spot.point)), best = brute_distance(&mesh, p);
            // one that is closer by less than distances tell may be missed
            assert_true(found >= best - 1e-12);
            worst = fmax(worst, (found - best) / cells[c]);
            if (!in_band) assert_true(found <= best + 1e-12);
            exact += in_band && found <= best + 1e-9;
            near += in_band;
        }
        assert_true(near > 500 && exact > 0.97 * near && worst < 0.1);
        thaw_field_release(field);
    }
    sample_free(&ball);
}

static void corners_know_their_closest_triangle(void **state) {
    (void)state;
    Sample torus = {0};
    sample_torus(&torus, 1, 0.4, 20);
    ThawMesh mesh = sample_mesh(&torus);
    ThawField *field = make_field(&mesh, 0.07);
    uint64_t seed = 4;
    int known = 0;
    for (int k = 0; k < 40000 && known < 2000; k++) {
        ThawVec3 at = thaw_grid_enter(&field->grid, random_point(&seed, 1.6));
        int32_t cell[3] = {(int32_t)at.x, (int32_t)at.y, (int32_t)floor(at.z)};
        if (cell[2] < 0 || cell[2] >= field->grid.cells[2]) continue;
        int32_t brick = thaw_field_look(field, cell);
        if (brick < 0) continue;
        uint32_t t = thaw_brick_closest(field, brick, cell[0] & 7, cell[1] & 7, cell[2] & 7);
        if (t == UINT32_MAX) continue;
        ThawVec3 corner[3], p = thaw_grid_leave(&field->grid, thaw_vec(cell[0], cell[1], cell[2]));
        thaw_triangle_corners(&mesh, t, corner);
        double found = sqrt(thaw_closest_on_triangle(p, corner).squared);
        assert_true(found <= brute_distance(&mesh, p) + 1e-5 * 0.07);
        known++;
    }
    assert_int_equal(known, 2000);
    thaw_field_release(field);
    sample_free(&torus);
}

// ---------------------------------------------------------------- V-15

// points that move along with the mesh: how far a spot's velocity is from that of the point asked for
typedef struct Motion {
    ThawVec3 spin;
    double stretch[3][3];
} Motion;

static ThawVec3 velocity_of(const Motion *motion, ThawVec3 p) {
    ThawVec3 v = thaw_cross(motion->spin, p);
    const double at[3] = {p.x, p.y, p.z};
    for (int a = 0; a < 3; a++) {
        v.x += motion->stretch[0][a] * at[a];
        v.y += motion->stretch[1][a] * at[a];
        v.z += motion->stretch[2][a] * at[a];
    }
    return v;
}

static ThawVec3 interpolate(const ThawMesh *mesh, const Motion *motion, const ThawFieldSpot *spot) {
    ThawVec3 corner[3], v = {0, 0, 0};
    thaw_triangle_corners(mesh, spot->triangle, corner);
    for (int k = 0; k < 3; k++) {
        v = thaw_add(v, thaw_scale(velocity_of(motion, corner[k]), spot->weight[k]));
    }
    return v;
}

static void a_turning_mesh_moves_as_omega_cross_r_within_1_percent(void **state) {
    (void)state;
    Sample torus = {0};
    sample_torus(&torus, 1, 0.4, 48);
    ThawMesh mesh = sample_mesh(&torus);
    double cell = 1.4 / 140;
    ThawField *field = make_field(&mesh, cell);
    Motion motion = {.spin = {0.3, -0.5, 2}};
    double fastest = 2.1 * 1.4;
    float(*velocity)[3] = calloc(mesh.point_count, sizeof *velocity);
    for (uint32_t k = 0; k < mesh.point_count; k++) {
        ThawVec3 p = {mesh.points[k][0], mesh.points[k][1], mesh.points[k][2]};
        ThawVec3 v = velocity_of(&motion, p);
        velocity[k][0] = (float)v.x, velocity[k][1] = (float)v.y, velocity[k][2] = (float)v.z;
    }
    uint64_t seed = 6;
    int told = 0;
    for (int k = 0; k < 60000; k++) {
        ThawVec3 p = random_point(&seed, 1.5);
        double distance = thaw_field_sample(field, p, NULL);
        if (fabs(distance) > 3 * cell) continue;
        ThawFieldSpot spot = thaw_field_spot(field, p);
        ThawVec3 v = interpolate(&mesh, &motion, &spot);
        // the surface's velocity at the place closest to p: of the rigid motion there exactly, and within 1 % of the
        // fastest at p itself less what the way between them accounts for
        assert_true(thaw_length(thaw_sub(v, velocity_of(&motion, spot.point))) < 1e-9);
        double way = thaw_length(thaw_sub(p, spot.point)) * thaw_length(motion.spin);
        double error = thaw_length(thaw_sub(v, velocity_of(&motion, p)));
        assert_true(error <= way + 1e-9);
        // with the triangle's turn it is that of the rigid motion at p itself
        ThawVec3 beside = thaw_field_motion(field, &spot, p, (const float(*)[3])velocity);
        assert_true(thaw_length(thaw_sub(beside, velocity_of(&motion, p))) < 1e-4 * fastest);
        told++;
    }
    assert_true(told > 500);
    free(velocity);
    thaw_field_release(field);
    sample_free(&torus);
}

static void affine_motion_is_exact_at_the_points(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0.2, 0, 0), 1, 20, 0.1);
    ThawMesh mesh = sample_mesh(&ball);
    ThawField *field = make_field(&mesh, 0.05);
    Motion motion = {{1, 2, 3}, {{0.5, 1, 0}, {0, -2, 0.7}, {0.1, 0, 1}}};
    for (uint32_t k = 0; k < mesh.point_count; k++) {
        ThawVec3 p = {mesh.points[k][0], mesh.points[k][1], mesh.points[k][2]};
        ThawFieldSpot spot = thaw_field_spot(field, p);
        assert_true(thaw_length(thaw_sub(spot.point, p)) < 1e-12);
        ThawVec3 v = interpolate(&mesh, &motion, &spot);
        assert_true(thaw_length(thaw_sub(v, velocity_of(&motion, p))) < 1e-11);
    }
    thaw_field_release(field);
    sample_free(&ball);
}

// ---------------------------------------------------------------- paint

static void values_at_points_are_interpolated(void **state) {
    (void)state;
    Sample box = {0};
    sample_box(&box, thaw_vec(0, 0, 0), thaw_vec(1, 1, 1));
    ThawMesh mesh = sample_mesh(&box);
    float values[8];
    for (int k = 0; k < 8; k++) {
        values[k] = (float)(2 + box.points[k][0] + 3 * box.points[k][1] - box.points[k][2]);
    }
    mesh.paint[THAW_PAINT_ADHESION].values = values;
    ThawField *field = make_field(&mesh, 0.06);
    for (int k = 0; k < 8; k++) values[k] = NAN; // the field has its own
    uint64_t seed = 2;
    for (int k = 0; k < 3000; k++) {
        ThawVec3 p = random_point(&seed, 1.5);
        ThawFieldSpot spot = thaw_field_spot(field, p);
        double wanted = 2 + spot.point.x + 3 * spot.point.y - spot.point.z;
        float found = thaw_field_paint(field, THAW_PAINT_ADHESION, &spot, -1);
        assert_true(fabs((double)found - wanted) < 1e-6);
        assert_true(thaw_field_paint(field, THAW_PAINT_FRICTION, &spot, 0.4f) == 0.4f);
    }
    thaw_field_release(field);
    sample_free(&box);
}

static void images_are_looked_up_by_texture_coordinates(void **state) {
    (void)state;
    // a unit square whose texture coordinates are its own; the image's top row is at v = 1
    Sample square = {0};
    for (int k = 0; k < 4; k++) sample_point(&square, k & 1, k >> 1, 0);
    sample_triangle(&square, 0, 1, 3);
    sample_triangle(&square, 0, 3, 2);
    ThawMesh mesh = sample_mesh(&square);
    const float uv[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    const float image[8] = {10, 20, 30, 40, 1, 2, 3, 4}; // 4 × 2
    mesh.uv = uv;
    mesh.paint[THAW_PAINT_TEMPERATURE] = (ThawPaint){.image = image, .width = 4, .height = 2};
    ThawField *field = make_field(&mesh, 0.03);
    const struct {
        double x, y;
        float value;
    } cases[] = {
        {0.125, 0.75, 10}, {0.375, 0.75, 20},  {0.875, 0.75, 40}, // centres of the top row
        {0.125, 0.25, 1},  {0.875, 0.25, 4},                      // and of the lower one
        {0.25, 0.75, 15},  {0.125, 0.5, 5.5f},                    // halfway between
        {0, 0.75, 25},     {0.125, 0, 5.5f}, // over the edges, where it repeats
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ThawFieldSpot spot = thaw_field_spot(field, thaw_vec(cases[k].x, cases[k].y, 0.02));
        float found = thaw_field_paint(field, THAW_PAINT_TEMPERATURE, &spot, 0);
        assert_true(fabsf(found - cases[k].value) < 1e-3f);
    }
    thaw_field_release(field);
    sample_free(&square);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spots_are_the_closest_of_all_triangles),
        cmocka_unit_test(corners_know_their_closest_triangle),
        cmocka_unit_test(a_turning_mesh_moves_as_omega_cross_r_within_1_percent),
        cmocka_unit_test(affine_motion_is_exact_at_the_points),
        cmocka_unit_test(values_at_points_are_interpolated),
        cmocka_unit_test(images_are_looked_up_by_texture_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
