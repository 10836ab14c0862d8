// Polygons as triangles.
#include "rig.h"

#include "meshio/polygons.h"

typedef struct Cut {
    double (*points)[3];
    uint32_t *corners, (*triangles)[3];
    uint32_t count;
} Cut;

// cuts a polygon given by its points, in their order
static Cut cut(const double (*points)[3], uint32_t count) {
    Cut made = {malloc(count * sizeof *made.points), malloc(count * sizeof *made.corners),
                malloc(count * sizeof *made.triangles), count};
    assert_true(made.points != NULL && made.corners != NULL && made.triangles != NULL);
    memcpy(made.points, points, count * sizeof *points);
    for (uint32_t k = 0; k < count; k++) made.corners[k] = k;
    MeshPolygons polygons = {0};
    assert_int_equal(meshio_cut_polygon(&polygons, points, made.corners, count), THAW_OK);
    memcpy(made.triangles, polygons.triples, (count - 2) * sizeof *made.triangles);
    meshio_polygons_free(&polygons);
    return made;
}

static void free_cut(Cut *made) {
    free(made->points);
    free(made->corners);
    free(made->triangles);
}

static ThawMesh view_cut(const Cut *made) {
    return (ThawMesh){.points = (const double(*)[3])made->points,
                      .point_count = made->count,
                      .triangles = (const uint32_t(*)[3])made->triangles,
                      .triangle_count = made->count - 2};
}

// edges of the outline are there once each, all others in both directions
static void assert_outline(const Cut *made) {
    ThawMesh mesh = view_cut(made);
    assert_int_equal(loose_edges(&mesh), made->count);
    for (uint32_t k = 0; k < made->count; k++) {
        bool found = false;
        for (uint32_t t = 0; t + 2 < made->count; t++) {
            for (int i = 0; i < 3; i++)
                found = found || (made->triangles[t][i] == k &&
                                  made->triangles[t][(i + 1) % 3] == (k + 1) % made->count);
        }
        if (!found) fail_msg("edge %u is gone", k);
    }
}

// triangles of a plane polygon that do not overlap have its area together
static void assert_area(const Cut *made, double area) {
    ThawMesh mesh = view_cut(made);
    double sum = area_of(&mesh);
    if (fabs(sum - area) > 1e-12 * area) fail_msg("area %.17g, not %.17g", sum, area);
}

static void convex_polygons_become_fans(void **state) {
    (void)state;
    const double points[5][3] = {{0, 0, 1}, {2, 0, 1}, {3, 1, 1}, {2, 2, 1}, {0, 2, 1}};
    Cut made = cut(points, 5);
    for (uint32_t k = 0; k < 3; k++) {
        assert_int_equal(made.triangles[k][0], 0);
        assert_int_equal(made.triangles[k][1], k + 1);
    }
    assert_area(&made, 5.0);
    free_cut(&made);
}

static void concave_polygons_are_covered_once(void **state) {
    (void)state;
    // an arrow, whose fan about the first corner would overlap
    const double arrow[4][3] = {{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {1, 1, 0}};
    Cut made = cut(arrow, 4);
    assert_outline(&made);
    assert_area(&made, 1.0);
    free_cut(&made);
    // a comb in a tilted plane: (x, y) to (x, y, 2 x − y), areas grow by √6
    double comb[22][3];
    uint32_t count = 0;
    for (int k = 0; k < 5; k++) {
        const double teeth[4][2] = {{2 * k, 0}, {2 * k, 5}, {2 * k + 1, 5}, {2 * k + 1, 0}};
        for (int i = 0; i < 4; i++) {
            comb[count][0] = teeth[i][0];
            comb[count][1] = teeth[i][1];
            count++;
        }
    }
    comb[count][0] = 9;
    comb[count++][1] = -1;
    comb[count][0] = 0;
    comb[count++][1] = -1;
    for (uint32_t k = 0; k < count; k++) comb[k][2] = 2.0 * comb[k][0] - comb[k][1];
    made = cut((const double(*)[3])comb, count);
    assert_outline(&made);
    assert_area(&made, (5 * 5 + 9) * sqrt(6.0));
    free_cut(&made);
}

static void spirals_of_many_corners_are_covered_once(void **state) {
    (void)state;
    enum { HALF = 400 };
    static double points[2 * HALF][3];
    double area = 0.0;
    for (int k = 0; k < HALF; k++) {
        double angle = 0.05 * k, radius = 1.0 + 0.02 * k;
        for (int side = 0; side < 2; side++) {
            double *p = points[side == 0 ? k : 2 * HALF - 1 - k];
            p[0] = (radius + 0.5 * side) * cos(angle);
            p[1] = (radius + 0.5 * side) * sin(angle);
        }
    }
    for (int k = 0; k < 2 * HALF; k++) {
        const double *a = points[k], *b = points[(k + 1) % (2 * HALF)];
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    Cut made = cut((const double(*)[3])points, 2 * HALF);
    assert_outline(&made);
    assert_area(&made, fabs(area));
    free_cut(&made);
}

// a slit between outline and hole makes a ring one polygon, with two corners at one place twice
static void polygons_with_bridged_holes_are_covered_once(void **state) {
    (void)state;
    const double ring[10][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0},
                                {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}};
    Cut made = cut(ring, 10);
    assert_area(&made, 12.0);
    free_cut(&made);
}

static void anything_gives_two_triangles_less_than_corners(void **state) {
    (void)state;
    const double cases[4][6][3] = {
        {{0}},                                                                  // one place
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}},     // a line
        {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 2, 0}, {0.2, 3, 0}}, // crosses itself
        {{0, 1, 0}, {0.6, -0.8, 0}, {-0.95, 0.3, 0}, {0.95, 0.3, 0}, {-0.6, -0.8, 0}, {0, 1, 0}},
    };
    for (int k = 0; k < 4; k++) {
        Cut made = cut(cases[k], 6);
        for (uint32_t t = 0; t < 4; t++) {
            for (int i = 0; i < 3; i++) assert_true(made.triangles[t][i] < 6);
        }
        free_cut(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_polygons_become_fans),
        cmocka_unit_test(concave_polygons_are_covered_once),
        cmocka_unit_test(spirals_of_many_corners_are_covered_once),
        cmocka_unit_test(polygons_with_bridged_holes_are_covered_once),
        cmocka_unit_test(anything_gives_two_triangles_less_than_corners),
    };
    return cmocka_run_group_tests_name("polygons", tests, NULL, NULL);
}
