// STL files, text and binary.
#include "rig.h"

static const char *const facet = "facet normal nan nan nan\n outer loop\n  vertex 0 0 0\n"
                                 "  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n";

// a binary file of triangles, each given by nine numbers
static void put_stl(Bytes *bytes, const char *title, const float (*corners)[9], uint32_t count) {
    bytes->size = 80;
    memset(bytes->at, 0, 80);
    memcpy(bytes->at, title, strlen(title));
    put_bits(bytes, count, 4, false);
    for (uint32_t k = 0; k < count; k++) {
        for (int i = 0; i < 3; i++) put_float(bytes, NAN, false);
        for (int i = 0; i < 9; i++) put_float(bytes, corners[k][i], false);
        put_bits(bytes, 0, 2, false);
    }
}

static const float pair[2][9] = {{0, 0, 0, 1, 0, 0, 1, 1, 0}, {0, 0, -0.0f, 1, 1, 0, 0, 1, 0.1f}};

static void equal_corners_are_one_point(void **state) {
    (void)state;
    static Bytes bytes;
    put_stl(&bytes, "made by hand", pair, 2);
    ThawMeshData *mesh = read_bytes("a.stl", bytes.at, bytes.size);
    assert_int_equal(mesh->point_count, 4);
    assert_triangle(mesh, 0, 0, 1, 2);
    assert_triangle(mesh, 1, 0, 2, 3);
    assert_point(mesh, 3, 0, 1, (double)0.1f);
    thaw_mesh_free(mesh);
}

static void binary_files_may_begin_with_solid(void **state) {
    (void)state;
    static Bytes bytes;
    put_stl(&bytes, "solid part\n facet normal is only a title", pair, 2);
    ThawMeshData *mesh = read_bytes("a.stl", bytes.at, bytes.size);
    assert_int_equal(mesh->triangle_count, 2);
    thaw_mesh_free(mesh);
    // and may have more behind the last triangle
    put_text(&bytes, "colours");
    mesh = read_bytes("a.stl", bytes.at, bytes.size);
    assert_int_equal(mesh->triangle_count, 2);
    thaw_mesh_free(mesh);
}

static void text_is_read_in_any_case_and_with_any_name(void **state) {
    (void)state;
    const char *const heads[] = {"solid\n", "solid facet of a thing, by me\n", "SOLID a\r\n",
                                 "\n  solid a\n\n"};
    for (size_t k = 0; k < 4; k++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s%sendsolid\n", heads[k], facet, facet);
        ThawMeshData *mesh = read_text("a.stl", text);
        assert_int_equal(mesh->point_count, 3);
        assert_int_equal(mesh->triangle_count, 2);
        thaw_mesh_free(mesh);
    }
}

static void several_solids_are_one_mesh(void **state) {
    (void)state;
    char text[1024];
    snprintf(text, sizeof text, "solid a\n%sendsolid a\nsolid b\n%sendsolid b\n\n", facet, facet);
    ThawMeshData *mesh = read_text("a.stl", text);
    assert_int_equal(mesh->triangle_count, 2);
    thaw_mesh_free(mesh);
}

static void binary_files_that_are_cut_are_refused(void **state) {
    (void)state;
    static Bytes bytes;
    put_stl(&bytes, "a", pair, 2);
    refuse_bytes("a.stl", bytes.at, 183, "a.stl: byte 183: the file ends after 1 of 2 triangles");
    refuse_bytes("a.stl", bytes.at, 60, "a.stl: byte 60: the file ends within its header of 84");
}

static void infinite_corners_are_refused(void **state) {
    (void)state;
    static Bytes bytes;
    float corners[2][9];
    memcpy(corners, pair, sizeof corners);
    corners[1][4] = INFINITY;
    put_stl(&bytes, "a", (const float(*)[9])corners, 2);
    refuse_bytes("a.stl", bytes.at, bytes.size,
                 "a.stl: byte 162: y of a corner must be a finite number, not inf");
}

static void huge_counts_are_not_believed(void **state) {
    (void)state;
    static Bytes bytes;
    put_stl(&bytes, "a", pair, 2);
    memset(bytes.at + 80, 0xff, 4);
    refuse_bytes("a.stl", bytes.at, bytes.size,
                 "a.stl: byte 184: the file ends after 2 of 4294967295 triangles");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_corners_are_one_point),
        cmocka_unit_test(binary_files_may_begin_with_solid),
        cmocka_unit_test(text_is_read_in_any_case_and_with_any_name),
        cmocka_unit_test(several_solids_are_one_mesh),
        cmocka_unit_test(binary_files_that_are_cut_are_refused),
        cmocka_unit_test(infinite_corners_are_refused),
        cmocka_unit_test(huge_counts_are_not_believed),
    };
    return cmocka_run_group_tests_name("stl", tests, NULL, NULL);
}
