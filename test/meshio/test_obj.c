// OBJ files.
#include "rig.h"

#include <locale.h>

static const char *const square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

static ThawMeshData *read_square(const char *faces) {
    char text[1024];
    snprintf(text, sizeof text, "%s%s", square, faces);
    return read_text("a.obj", text);
}

static void triangles_and_points_are_kept_in_order(void **state) {
    (void)state;
    ThawMeshData *mesh = read_square("f 1 2 3\nf 3 4 1\n");
    assert_int_equal(mesh->point_count, 4);
    assert_int_equal(mesh->triangle_count, 2);
    assert_point(mesh, 2, 1, 1, 0);
    assert_triangle(mesh, 1, 2, 3, 0);
    assert_null(mesh->uv);
    thaw_mesh_free(mesh);
}

// the same triangle from every way of writing it
static void every_way_of_writing_a_face_is_read(void **state) {
    (void)state;
    const char *const ways[] = {
        "f 1 2 3\n",
        "f 1 2 3",
        "f 1 2 3\r\n",
        "\tf\t1\t2 \t3  \n",
        "f 1//1 2//2 3//3\n",
        "f -4 -3 -2\n",
        "f 1 2 \\\n3\n",
        "f 1 \\\r\n 2 \\\r\n 3\r\n",
        "f 1 2 3 # the only one\n",
        "g group\nusemtl stone\ns off\nvn 0 0 1\nf 1 2 3\nl 1 2\np 3\n",
        "fo 1 2 3\n",
        "f 1/ 2/ 3/\n",
    };
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        ThawMeshData *mesh = read_square(ways[k]);
        if (mesh->triangle_count != 1) fail_msg("%s", ways[k]);
        assert_triangle(mesh, 0, 0, 1, 2);
        thaw_mesh_free(mesh);
    }
}

static void negative_indices_count_from_where_they_stand(void **state) {
    (void)state;
    ThawMeshData *mesh = read_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n"
                                            "v 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\n");
    assert_triangle(mesh, 0, 0, 1, 2);
    assert_triangle(mesh, 1, 3, 4, 5);
    thaw_mesh_free(mesh);
}

static void faces_may_stand_before_their_points(void **state) {
    (void)state;
    ThawMeshData *mesh = read_text("a.obj", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    assert_triangle(mesh, 0, 0, 1, 2);
    thaw_mesh_free(mesh);
}

static void old_line_ends_are_read(void **state) {
    (void)state;
    ThawMeshData *mesh = read_text("a.obj", "# old\rv 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r");
    assert_int_equal(mesh->triangle_count, 1);
    thaw_mesh_free(mesh);
}

static void a_byte_order_mark_and_comments_are_passed_over(void **state) {
    (void)state;
    ThawMeshData *mesh = read_text("a.obj", "\xef\xbb\xbf# from C:\\meshes\\\nv 0 0 0 1.0\n"
                                            "v 1 0 0 0.5 0.5 0.5\n#v 9 9 9\nv 0 1 0\nf 1 2 3\n");
    assert_int_equal(mesh->point_count, 3);
    thaw_mesh_free(mesh);
}

static void texture_coordinates_go_with_corners(void **state) {
    (void)state;
    ThawMeshData *mesh = read_square("vt 0.25 0.75\nvt 0.5\nvt 1 1 0\nf 1 2 3\nf 1/1/7 3/-1 4/2\n");
    assert_int_equal(mesh->triangle_count, 2);
    assert_non_null(mesh->uv);
    const float expected[6][2] = {{0, 0}, {0, 0}, {0, 0}, {0.25f, 0.75f}, {1, 1}, {0.5f, 0}};
    assert_memory_equal(mesh->uv, expected, sizeof expected);
    thaw_mesh_free(mesh);
}

static void degenerate_faces_are_kept(void **state) {
    (void)state;
    ThawMeshData *mesh = read_square("f 1 1 2\nf 1 2\nf 3\nf\nf 1 2 3\nf 1 2 3\nf 3 2 1\n");
    // a line and a point are no surface; the doubled and the flat face are
    assert_int_equal(mesh->triangle_count, 4);
    assert_triangle(mesh, 0, 0, 0, 1);
    thaw_mesh_free(mesh);
}

// numbers as strtod reads them, whatever the form
static void numbers_are_exact(void **state) {
    (void)state;
    const char *const numbers[] = {"0.1",
                                   "-0.1e0",
                                   "+1.5E+3",
                                   ".5",
                                   "5.",
                                   "0.08156099999999999",
                                   "123456789012345678901234567890",
                                   "1e-320",
                                   "9007199254740993",
                                   "1.7976931348623157e308",
                                   "2.2250738585072011e-308",
                                   "3.14159265358979323846264338327950288",
                                   "0.000000000000000000000000000012345",
                                   "6.02214076e23",
                                   "1e22",
                                   "1e23",
                                   "00000000000000000000000000000000001.5"};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        char text[256];
        snprintf(text, sizeof text, "v %s 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", numbers[k]);
        ThawMeshData *mesh = read_text("a.obj", text);
        double expected = strtod(numbers[k], NULL);
        if (mesh->points[0][0] != expected)
            fail_msg("%s is %.17g, not %.17g", numbers[k], mesh->points[0][0], expected);
        thaw_mesh_free(mesh);
    }
}

static void the_language_of_the_host_does_not_matter(void **state) {
    (void)state;
    const char *const languages[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (size_t k = 0; k < 4 && !found; k++) found = setlocale(LC_ALL, languages[k]) != NULL;
    if (!found) {
        print_message("no language with a decimal comma is here\n");
        skip();
    }
    ThawMeshData *mesh = read_text("a.obj", "v 3.14159265358979323846 0.5 0\nv 0 1 0\nv 0 0 1\n"
                                            "f 1 2 3\n");
    setlocale(LC_ALL, "C");
    assert_point(mesh, 0, 3.14159265358979323846, 0.5, 0);
    thaw_mesh_free(mesh);
}

static void contents_count_before_names(void **state) {
    (void)state;
    ThawMeshData *mesh = read_text("a.stl", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_int_equal(mesh->triangle_count, 1);
    thaw_mesh_free(mesh);
    mesh = read_text("mesh", "# no ending\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_int_equal(mesh->triangle_count, 1);
    thaw_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_and_points_are_kept_in_order),
        cmocka_unit_test(every_way_of_writing_a_face_is_read),
        cmocka_unit_test(negative_indices_count_from_where_they_stand),
        cmocka_unit_test(faces_may_stand_before_their_points),
        cmocka_unit_test(old_line_ends_are_read),
        cmocka_unit_test(a_byte_order_mark_and_comments_are_passed_over),
        cmocka_unit_test(texture_coordinates_go_with_corners),
        cmocka_unit_test(degenerate_faces_are_kept),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(the_language_of_the_host_does_not_matter),
        cmocka_unit_test(contents_count_before_names),
    };
    return cmocka_run_group_tests_name("obj", tests, NULL, NULL);
}
