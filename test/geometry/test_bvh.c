// The triangle tree: closest points and rays against every triangle in turn, on sound and on broken meshes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "geometry/bvh.h"
#include "geometry/bvh_internal.h"
#include "geometry/triangle.h"
#include "support/mesh_samples.h"

static ThawBvh *make_tree(const Sample *sample, int threads) {
    ThawMesh mesh = sample_mesh(sample);
    ThawParallel *parallel = NULL;
    ThawBvh *bvh = NULL;
    assert_int_equal(thaw_parallel_create(threads, NULL, &parallel), THAW_OK);
    assert_int_equal(thaw_bvh_create(&mesh, parallel, &bvh), THAW_OK);
    thaw_parallel_destroy(parallel);
    return bvh;
}

static ThawVec3 random_point(uint64_t *seed, double size) {
    double x = sample_uniform(seed, -size, size), y = sample_uniform(seed, -size, size);
    return thaw_vec(x, y, sample_uniform(seed, -size, size));
}

static void assert_same_hit(const ThawBvhHit *a, const ThawBvhHit *b) {
    assert_int_equal(a->triangle, b->triangle);
    assert_memory_equal(&a->distance, &b->distance, sizeof a->distance);
    assert_memory_equal(a->weight, b->weight, sizeof a->weight);
    assert_memory_equal(&a->point, &b->point, sizeof a->point);
}

// every triangle in turn, in order: the first of equals stays
static bool closest_by_force(const ThawMesh *mesh, ThawVec3 point, double reach, ThawBvhHit *hit) {
    double best = INFINITY;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        ThawVec3 corner[3];
        thaw_triangle_corners(mesh, t, corner);
        ThawTrianglePoint found = thaw_closest_on_triangle(point, corner);
        if (found.squared >= best || found.squared > reach * reach) continue;
        best = found.squared;
        *hit = (ThawBvhHit){
            sqrt(best), t, {found.weight[0], found.weight[1], found.weight[2]}, found.point};
    }
    return best < INFINITY;
}

static void assert_closest_is_by_force(const Sample *sample, ThawVec3 middle, double size,
                                       int queries) {
    ThawMesh mesh = sample_mesh(sample);
    ThawBvh *bvh = make_tree(sample, 2);
    uint64_t seed = 11;
    for (int q = 0; q < queries; q++) {
        double reach = q % 3 == 0 ? INFINITY : 0.1 * size * (q % 7);
        ThawVec3 point = thaw_add(middle, random_point(&seed, size));
        if (q % 2) { // near the surface: that is where fields ask
            ThawVec3 corner[3];
            thaw_triangle_corners(&mesh, (uint32_t)q * 977 % mesh.triangle_count, corner);
            point = thaw_add(corner[q % 3], random_point(&seed, 0.01 * size));
        }
        if (q % 5 == 0) point = thaw_add(middle, thaw_scale(thaw_sub(point, middle), 20));
        ThawBvhHit fast = {0}, slow = {0};
        bool found = thaw_bvh_closest(bvh, point, reach, &fast);
        assert_int_equal(found, closest_by_force(&mesh, point, reach, &slow));
        assert_same_hit(&fast, &slow);
    }
    thaw_bvh_destroy(bvh);
}

static void closest_point_is_that_of_every_triangle_in_turn(void **state) {
    (void)state;
    ThawVec3 origin = {0, 0, 0};
    Sample ball = {0}, torus = {0}, soup = {0}, small = {0};
    sample_ball(&ball, origin, 1, 30, 0.2);
    sample_torus(&torus, 1, 0.3, 24);
    sample_soup(&soup, 1500, 0.15, 3);
    sample_box(&small, thaw_vec(-1, -2, -0.5), thaw_vec(1, 0.5, 3));
    assert_closest_is_by_force(&ball, origin, 1.2, 600);
    assert_closest_is_by_force(&torus, origin, 1.4, 600);
    assert_closest_is_by_force(&soup, thaw_vec(0.5, 0.5, 0.5), 0.8, 600);
    assert_closest_is_by_force(&small, origin, 3, 600);
    sample_free(&ball);
    sample_free(&torus);
    sample_free(&soup);
    sample_free(&small);
}

static void any_place_and_scale_is_searched_exactly(void **state) {
    (void)state;
    const double scales[] = {1e-12, 1e-4, 1e9};
    for (int k = 0; k < 3; k++) {
        double s = scales[k];
        ThawVec3 middle = {1e5 * s, -3e4 * s, 7 * s};
        Sample ball = {0};
        sample_ball(&ball, middle, s, 20, 0.2);
        assert_closest_is_by_force(&ball, middle, 1.2 * s, 300);
        sample_free(&ball);
    }
}

// needles, points, segments, doubled and turned faces, corners at one place, a far outlier, and much of it at once
static void break_mesh(Sample *sample) {
    uint64_t seed = 5;
    uint32_t faces = sample->triangle_count;
    for (uint32_t t = 0; t < faces; t += 3) {
        const uint32_t *f = sample->triangles[t];
        sample_triangle(sample, f[0], f[1], f[2]);
        f = sample->triangles[t];
        sample_triangle(sample, f[1], f[0], f[2]);
        f = sample->triangles[t];
        sample_triangle(sample, f[1], f[1], f[2]);
        f = sample->triangles[t];
        sample_triangle(sample, f[0], f[0], f[0]);
    }
    for (int k = 0; k < 200; k++) {
        ThawVec3 p = random_point(&seed, 1);
        double width = pow(10, -(k % 20));
        uint32_t a = sample_point(sample, p.x, p.y, p.z);
        uint32_t b = sample_point(sample, p.x + 1, p.y + 0.3, p.z + 0.2);
        uint32_t c = sample_point(sample, p.x + 0.5, p.y + 0.15 + width, p.z + 0.1);
        sample_triangle(sample, a, b, c);
    }
    uint32_t far = sample_point(sample, 1e7, 1e7, -1e7);
    sample_triangle(sample, 0, 1, far);
}

static void broken_meshes_are_searched_exactly(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0, 0, 0), 1, 24, 0.2);
    break_mesh(&ball);
    assert_closest_is_by_force(&ball, thaw_vec(0, 0, 0), 1.2, 600);
    sample_free(&ball);
}

static void coincident_triangles_make_a_shallow_tree(void **state) {
    (void)state;
    Sample same = {0};
    sample_point(&same, 0.25, 0.5, 1);
    sample_point(&same, 1.25, 0.5, 1);
    sample_point(&same, 0.25, 1.5, 1);
    for (int k = 0; k < 20000; k++) sample_triangle(&same, 0, 1, 2);
    ThawBvh *bvh = make_tree(&same, 2);
    ThawBvhHit hit;
    assert_true(thaw_bvh_closest(bvh, thaw_vec(0.5, 0.75, 3), INFINITY, &hit));
    assert_int_equal(hit.triangle, 0);
    assert_true(hit.distance == 2);
    // 20000 in eights, thrice by eight and a rest
    assert_true(bvh->packet_count <= 4096);
    thaw_bvh_destroy(bvh);
    sample_free(&same);
}

static uint32_t depth_below(const ThawBvh *bvh, uint32_t node) {
    uint32_t deepest = 0;
    for (int lane = 0; lane < 8; lane++) {
        uint32_t child = bvh->nodes[node].child[lane];
        if (child == THAW_BVH_NONE || (child & THAW_BVH_LEAF)) continue;
        uint32_t depth = depth_below(bvh, child);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

// each triangle half as large and as far as the one before, many times over: cutting by area peels a few at a time
static void shrinking_triangles_do_not_make_an_endless_chain(void **state) {
    (void)state;
    Sample chain = {0};
    for (int k = 0; k < 6000; k++) {
        double s = pow(2, -(k % 120)) * (1 + k / 120 * 1e-3);
        uint32_t a = sample_point(&chain, s, 0, 0), b = sample_point(&chain, 1.5 * s, 0, 0.1 * s);
        sample_triangle(&chain, a, b, sample_point(&chain, s, 0.5 * s, 0));
    }
    ThawBvh *bvh = make_tree(&chain, 1);
    assert_true(depth_below(bvh, 0) <= THAW_BVH_DEPTH);
    thaw_bvh_destroy(bvh);
    assert_closest_is_by_force(&chain, thaw_vec(0.5, 0, 0), 1, 100);
    sample_free(&chain);
}

static void closest_point_of_a_triangle_beats_a_grid_of_its_points(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int k = 0; k < 300; k++) {
        ThawVec3 c[3];
        for (int i = 0; i < 3; i++) c[i] = random_point(&seed, 1);
        if (k % 5 == 1)
            c[2] = thaw_add(thaw_scale(thaw_add(c[0], c[1]), 0.5),
                            random_point(&seed, pow(10, -k % 17)));
        if (k % 5 == 2) c[2] = c[1];
        ThawVec3 p = random_point(&seed, k % 3 ? 1 : 3);
        ThawTrianglePoint found = thaw_closest_on_triangle(p, c);
        double grid = INFINITY;
        for (int i = 0; i <= 60; i++) {
            for (int j = 0; i + j <= 60; j++) {
                ThawVec3 at =
                    thaw_add(thaw_scale(c[0], (60 - i - j) / 60.0),
                             thaw_add(thaw_scale(c[1], i / 60.0), thaw_scale(c[2], j / 60.0)));
                grid = fmin(grid, thaw_length(thaw_sub(p, at)));
            }
        }
        double distance = sqrt(found.squared), spacing = sqrt(thaw_triangle_longest(c)) / 60;
        assert_true(distance <= grid + 1e-14 && grid <= distance + spacing);
        // the weights make the point, and the point is that far away
        ThawVec3 made = thaw_add(
            thaw_scale(c[0], found.weight[0]),
            thaw_add(thaw_scale(c[1], found.weight[1]), thaw_scale(c[2], found.weight[2])));
        assert_true(thaw_length(thaw_sub(made, found.point)) < 1e-14);
        assert_true(fabs(thaw_length(thaw_sub(p, found.point)) - distance) < 1e-14);
        for (int i = 0; i < 3; i++) assert_true(found.weight[i] >= 0 && found.weight[i] <= 1);
    }
}

static void reach_is_kept_and_ties_go_to_the_lowest_triangle(void **state) {
    (void)state;
    Sample box = {0};
    sample_box(&box, thaw_vec(-1, -1, -1), thaw_vec(1, 1, 1));
    sample_box(&box, thaw_vec(-1, -1, -1), thaw_vec(1, 1, 1)); // the same again
    ThawBvh *bvh = make_tree(&box, 1);
    ThawMesh mesh = sample_mesh(&box);
    ThawBvhHit hit, slow;
    assert_false(thaw_bvh_closest(bvh, thaw_vec(3, 0.1, 0.2), 1.999999, &hit));
    assert_true(thaw_bvh_closest(bvh, thaw_vec(3, 0.1, 0.2), 2, &hit));
    assert_true(hit.distance == 2);
    assert_false(thaw_bvh_closest(bvh, thaw_vec(3, 0, 0), -1, &hit));
    assert_false(thaw_bvh_closest(bvh, thaw_vec(3, 0, 0), NAN, &hit));
    // faces, edges and corners have two to twelve triangles
    for (int k = 0; k < 27; k++) {
        ThawVec3 p = {2.0 * (k % 3 - 1), 2.0 * (k / 3 % 3 - 1), 2.0 * (k / 9 - 1)};
        assert_true(thaw_bvh_closest(bvh, p, INFINITY, &hit));
        assert_true(closest_by_force(&mesh, p, INFINITY, &slow));
        assert_same_hit(&hit, &slow);
        assert_true(hit.triangle < 12);
    }
    thaw_bvh_destroy(bvh);
    sample_free(&box);
}

// an edge's points lie equally far in both its triangles, in every bit
static void both_sides_of_an_edge_measure_the_same(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int k = 0; k < 1000; k++) {
        ThawVec3 a = random_point(&seed, 1), b = random_point(&seed, 1);
        ThawVec3 one[3] = {a, b, random_point(&seed, 1)}, two[3] = {b, a, random_point(&seed, 1)};
        ThawTrianglePoint best[2] = {{.squared = INFINITY}, {.squared = INFINITY}};
        ThawVec3 p = random_point(&seed, 2);
        thaw_closest_on_edge(p, one, 0, 1, &best[0]);
        thaw_closest_on_edge(p, two, 0, 1, &best[1]);
        assert_true(best[0].squared == best[1].squared);
    }
}

// ---------------------------------------------------------------- rays

// Möller and Trumbore 1997
static double meet_by_force(const ThawVec3 c[3], ThawVec3 p, ThawVec3 d) {
    ThawVec3 e = thaw_sub(c[1], c[0]), f = thaw_sub(c[2], c[0]), q = thaw_cross(d, f);
    double det = thaw_dot(e, q);
    if (det == 0) return INFINITY;
    ThawVec3 s = thaw_sub(p, c[0]), r = thaw_cross(s, e);
    double u = thaw_dot(s, q) / det, v = thaw_dot(d, r) / det, t = thaw_dot(f, r) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : INFINITY;
}

static void first_triangle_on_a_ray_is_that_of_every_triangle_in_turn(void **state) {
    (void)state;
    Sample soup = {0};
    sample_soup(&soup, 1200, 0.1, 4);
    sample_torus(&soup, 0.5, 0.2, 20);
    ThawMesh mesh = sample_mesh(&soup);
    ThawBvh *bvh = make_tree(&soup, 1);
    uint64_t seed = 2;
    int met = 0;
    for (int q = 0; q < 2000; q++) {
        ThawVec3 p = random_point(&seed, 1), d = random_point(&seed, 1);
        if (q % 4 == 0) d = thaw_vec(q % 8 ? 1 : 0, 0, q % 8 ? 0 : -2); // along the axes
        double reach = q % 2 ? INFINITY : 0.5, best = INFINITY;
        uint32_t first = 0;
        for (uint32_t t = 0; t < mesh.triangle_count; t++) {
            ThawVec3 corner[3];
            thaw_triangle_corners(&mesh, t, corner);
            double at = meet_by_force(corner, p, d);
            if (at >= best || at > reach) continue;
            best = at;
            first = t;
        }
        ThawBvhHit hit;
        bool found = thaw_bvh_ray(bvh, p, d, reach, &hit);
        assert_int_equal(found, best < INFINITY);
        if (!found) continue;
        met++;
        assert_int_equal(hit.triangle, first);
        assert_true(fabs(hit.distance - best) < 1e-9 * (1 + best));
        ThawVec3 there = thaw_add(p, thaw_scale(d, hit.distance));
        assert_true(thaw_length(thaw_sub(there, hit.point)) < 1e-9 * (1 + best));
    }
    assert_true(met > 400);
    thaw_bvh_destroy(bvh);
    sample_free(&soup);
}

static void no_ray_slips_through_an_edge_or_a_corner(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0.1, 0.2, 0.3), 1, 40, 0.1);
    ThawMesh mesh = sample_mesh(&ball);
    ThawBvh *bvh = make_tree(&ball, 1);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        ThawVec3 c[3], from = {0.13, 0.17, 0.29};
        thaw_triangle_corners(&mesh, t, c);
        ThawVec3 at[3] = {c[0], thaw_scale(thaw_add(c[0], c[1]), 0.5),
                          thaw_add(thaw_scale(c[1], 0.3), thaw_scale(c[2], 0.7))};
        for (int k = 0; k < 3; k++) {
            ThawBvhHit hit;
            assert_true(thaw_bvh_ray(bvh, from, thaw_sub(at[k], from), 2, &hit));
            assert_true(fabs(hit.distance - 1) < 1e-12);
        }
    }
    thaw_bvh_destroy(bvh);
    sample_free(&ball);
}

// ---------------------------------------------------------------- the tree itself

static void any_number_of_threads_builds_the_same_tree(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0, 0, 0), 1, 180, 0.2);
    sample_soup(&ball, 20000, 0.05, 8);
    ThawBvh *one = make_tree(&ball, 1);
    const int threads[] = {2, 3, 7};
    for (int k = 0; k < 3; k++) {
        ThawBvh *many = make_tree(&ball, threads[k]);
        assert_int_equal(many->node_count, one->node_count);
        assert_int_equal(many->packet_count, one->packet_count);
        assert_memory_equal(many->nodes, one->nodes, one->node_count * sizeof *one->nodes);
        assert_memory_equal(many->moments, one->moments, one->node_count * sizeof *one->moments);
        assert_memory_equal(many->packets, one->packets, one->packet_count * sizeof *one->packets);
        thaw_bvh_destroy(many);
    }
    thaw_bvh_destroy(one);
    sample_free(&ball);
}

static void every_triangle_is_in_one_leaf_within_its_boxes(void **state) {
    (void)state;
    Sample soup = {0};
    sample_soup(&soup, 30000, 0.05, 6);
    ThawBvh *bvh = make_tree(&soup, 2);
    uint8_t *seen = calloc(soup.triangle_count, 1);
    assert_non_null(seen);
    for (uint32_t n = 0; n < bvh->node_count; n++) {
        const ThawBvhNode *node = &bvh->nodes[n];
        for (int lane = 0; lane < 8; lane++) {
            uint32_t child = node->child[lane];
            if (child == THAW_BVH_NONE || !(child & THAW_BVH_LEAF)) continue;
            const ThawBvhPacket *packet = &bvh->packets[child & ~THAW_BVH_LEAF];
            for (int k = 0; k < 24; k++) {
                uint32_t t = packet->triangle[k / 3];
                if (t == THAW_BVH_NONE) continue;
                seen[t] = (uint8_t)(seen[t] + (k % 3 == 0));
                double place[3];
                thaw_bvh_to_tree(bvh, soup.points[soup.triangles[t][k % 3]], place);
                for (int axis = 0; axis < 3; axis++) {
                    assert_true((double)node->lower[axis][lane] < place[axis]);
                    assert_true((double)node->upper[axis][lane] > place[axis]);
                }
            }
        }
    }
    for (uint32_t t = 0; t < soup.triangle_count; t++) assert_int_equal(seen[t], 1);
    free(seen);
    thaw_bvh_destroy(bvh);
    sample_free(&soup);
}

static void every_instruction_set_finds_the_same_point(void **state) {
    (void)state;
    Sample ball = {0};
    sample_ball(&ball, thaw_vec(0, 0, 0), 1, 60, 0.2);
    break_mesh(&ball);
    ThawBvh *bvh = make_tree(&ball, 1);
    uint64_t seed = 4;
    for (int q = 0; q < 300; q++) {
        ThawVec3 point = random_point(&seed, 1.3);
        ThawBvhHit base, hit;
        bvh->isa = THAW_ISA_BASELINE;
        assert_true(thaw_bvh_closest(bvh, point, INFINITY, &base));
        for (ThawIsa isa = THAW_ISA_AVX2; isa <= THAW_ISA_AVX512; isa++) {
            if (thaw_isa_resolve(isa, &bvh->isa) != THAW_OK) continue;
            assert_true(thaw_bvh_closest(bvh, point, INFINITY, &hit));
            assert_same_hit(&hit, &base);
        }
    }
    thaw_bvh_destroy(bvh);
    sample_free(&ball);
}

static void a_mesh_without_triangles_has_nothing_to_find(void **state) {
    (void)state;
    Sample nothing = {0};
    sample_point(&nothing, 1, 2, 3);
    ThawBvh *bvh = make_tree(&nothing, 1);
    ThawBvhHit hit;
    assert_false(thaw_bvh_closest(bvh, thaw_vec(0, 0, 0), INFINITY, &hit));
    assert_false(thaw_bvh_ray(bvh, thaw_vec(0, 0, 0), thaw_vec(1, 0, 0), INFINITY, &hit));
    assert_true(thaw_bvh_winding(bvh, thaw_vec(0, 0, 0)) == 0);
    thaw_bvh_destroy(bvh);
    sample_free(&nothing);
}

static void a_bad_mesh_is_refused_and_nothing_is_made(void **state) {
    (void)state;
    Sample box = {0};
    sample_box(&box, thaw_vec(0, 0, 0), thaw_vec(1, 1, 1));
    box.triangles[7][2] = 8;
    ThawMesh mesh = sample_mesh(&box);
    ThawParallel *parallel;
    ThawBvh *bvh = NULL;
    assert_int_equal(thaw_parallel_create(1, NULL, &parallel), THAW_OK);
    assert_int_equal(thaw_bvh_create(&mesh, parallel, &bvh), THAW_BAD_INPUT);
    assert_null(bvh);
    thaw_parallel_destroy(parallel);
    sample_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_point_is_that_of_every_triangle_in_turn),
        cmocka_unit_test(any_place_and_scale_is_searched_exactly),
        cmocka_unit_test(broken_meshes_are_searched_exactly),
        cmocka_unit_test(coincident_triangles_make_a_shallow_tree),
        cmocka_unit_test(shrinking_triangles_do_not_make_an_endless_chain),
        cmocka_unit_test(closest_point_of_a_triangle_beats_a_grid_of_its_points),
        cmocka_unit_test(reach_is_kept_and_ties_go_to_the_lowest_triangle),
        cmocka_unit_test(both_sides_of_an_edge_measure_the_same),
        cmocka_unit_test(first_triangle_on_a_ray_is_that_of_every_triangle_in_turn),
        cmocka_unit_test(no_ray_slips_through_an_edge_or_a_corner),
        cmocka_unit_test(any_number_of_threads_builds_the_same_tree),
        cmocka_unit_test(every_triangle_is_in_one_leaf_within_its_boxes),
        cmocka_unit_test(every_instruction_set_finds_the_same_point),
        cmocka_unit_test(a_mesh_without_triangles_has_nothing_to_find),
        cmocka_unit_test(a_bad_mesh_is_refused_and_nothing_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
