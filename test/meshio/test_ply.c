// PLY files, text and binary of both byte orders.
#include "rig.h"

#define TETRAHEDRON "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"

static void text_is_read(void **state) {
    (void)state;
    ThawMeshData *mesh =
        read_text("a.ply", "ply\r\nformat ascii 1.0\r\ncomment by hand\r\nobj_info none\r\n"
                           "element vertex 4\r\nproperty float x\r\nproperty float y\r\n"
                           "property float z\r\nelement face 4\r\n"
                           "property list uchar int vertex_indices\r\nend_header\r\n" TETRAHEDRON);
    ThawMesh view = thaw_mesh_view(mesh);
    assert_int_equal(loose_edges(&view), 0);
    assert_true(fabs(volume_of(&view) - 1.0 / 6.0) < 1e-15);
    thaw_mesh_free(mesh);
}

// every type, unknown properties, lists among points, an element that nobody knows, points after faces
static void put_odd_file(Bytes *bytes, bool big) {
    bytes->size = 0;
    put_text(bytes, big ? "ply\nformat binary_big_endian 1.0\n"
                        : "ply\nformat binary_little_endian 1.0\n");
    put_text(bytes,
             "element face 1\nproperty uint8 flags\nproperty list ushort uint32 vertex_index\n"
             "property float64 area\n");
    put_text(bytes, "element camera 2\nproperty list int double view\nproperty short id\n");
    put_text(bytes, "element vertex 4\nproperty char sign\nproperty double z\n"
                    "property list uchar int16 links\nproperty int x\nproperty float y\n"
                    "property float temperature\nproperty float t\nproperty float s\nend_header\n");
    put_bits(bytes, 7, 1, big);
    put_bits(bytes, 4, 2, big);
    for (uint32_t k = 0; k < 4; k++) put_bits(bytes, k, 4, big);
    put_double(bytes, 0.5, big);
    for (uint32_t k = 0; k < 2; k++) {
        put_bits(bytes, k, 4, big);
        for (uint32_t i = 0; i < k; i++) put_double(bytes, NAN, big);
        put_bits(bytes, 11, 2, big);
    }
    for (uint32_t k = 0; k < 4; k++) {
        put_bits(bytes, 0xff, 1, big);
        put_double(bytes, 0.1, big);
        put_bits(bytes, k, 1, big);
        for (uint32_t i = 0; i < k; i++) put_bits(bytes, i, 2, big);
        put_bits(bytes, (uint32_t)(k == 1 || k == 2 ? -3 : 5), 4, big);
        put_float(bytes, k < 2 ? 0.0f : 1.5f, big);
        put_float(bytes, 273.0f + (float)k, big);
        put_float(bytes, 0.25f, big);
        put_float(bytes, (float)k, big);
    }
}

static void both_byte_orders_and_any_properties_are_read(void **state) {
    (void)state;
    static Bytes bytes;
    for (int big = 0; big < 2; big++) {
        put_odd_file(&bytes, big != 0);
        ThawMeshData *mesh = read_bytes("a.ply", bytes.at, bytes.size);
        assert_int_equal(mesh->point_count, 4);
        assert_point(mesh, 1, -3, 0, 0.1);
        assert_point(mesh, 3, 5, 1.5, 0.1);
        assert_int_equal(mesh->triangle_count, 2);
        assert_triangle(mesh, 1, 0, 2, 3);
        assert_non_null(mesh->uv);
        assert_true(mesh->uv[4][0] == 2.0f && mesh->uv[4][1] == 0.25f);
        ThawMesh view = thaw_mesh_view(mesh);
        assert_true(view.paint[THAW_PAINT_TEMPERATURE].values[3] == 276.0f);
        assert_null(view.paint[THAW_PAINT_FRICTION].values);
        thaw_mesh_free(mesh);
    }
}

static void files_that_are_cut_anywhere_are_refused(void **state) {
    (void)state;
    static Bytes bytes;
    put_odd_file(&bytes, true);
    for (size_t size = 0; size < bytes.size; size++) {
        ThawMeshData *mesh = NULL;
        if (parse_bytes("a.ply", bytes.at, size, &mesh) != THAW_BAD_INPUT)
            fail_msg("%zu of %zu bytes were read", size, bytes.size);
        assert_true(strncmp(thaw_error_text(), "a.ply:", 6) == 0);
    }
}

#define HEADER                                                                                     \
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float " \
    "z\n"

static void painted_values_are_found_by_name(void **state) {
    (void)state;
    ThawMeshData *mesh =
        read_text("a.ply", HEADER "property uchar adhesion\nproperty float friction\n"
                                  "element face 1\nproperty list uchar int vertex_indices\n"
                                  "end_header\n0 0 0 1 0.5\n1 0 0 2 0.25\n0 1 0 3 1e-3\n"
                                  "0 0 1 255 7\n3 0 1 2\n");
    ThawMesh view = thaw_mesh_view(mesh);
    const float *friction = view.paint[THAW_PAINT_FRICTION].values;
    const float *adhesion = view.paint[THAW_PAINT_ADHESION].values;
    assert_true(friction[0] == 0.5f && friction[3] == 7.0f && friction[2] == 1e-3f);
    assert_true(adhesion[0] == 1.0f && adhesion[3] == 255.0f);
    thaw_mesh_free(mesh);
}

static void texture_coordinates_of_corners_are_read(void **state) {
    (void)state;
    ThawMeshData *mesh =
        read_text("a.ply", HEADER "element face 2\nproperty list uchar int vertex_indices\n"
                                  "property list uchar float texcoord\nend_header\n0 0 0\n1 0 0\n"
                                  "0 1 0\n0 0 1\n3 0 1 2 6 0 0 0.5 0 1 1\n3 0 1 3 0\n");
    const float expected[6][2] = {{0, 0}, {0.5f, 0}, {1, 1}, {0, 0}, {0, 0}, {0, 0}};
    assert_memory_equal(mesh->uv, expected, sizeof expected);
    thaw_mesh_free(mesh);
}

static void strips_are_triangles_wound_one_way(void **state) {
    (void)state;
    ThawMeshData *mesh = read_text(
        "a.ply", HEADER "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
                        "0 0 0\n1 0 0\n0 1 0\n1 1 0\n8 0 1 2 3 -1 1 3 2\n");
    assert_int_equal(mesh->triangle_count, 3);
    assert_triangle(mesh, 0, 0, 1, 2);
    assert_triangle(mesh, 1, 2, 1, 3);
    assert_triangle(mesh, 2, 1, 3, 2);
    thaw_mesh_free(mesh);
}

static void huge_counts_are_not_believed(void **state) {
    (void)state;
    refuse_text("a.ply",
                "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000000\n"
                "property float x\nproperty float y\nproperty float z\nelement face 1\n"
                "property list uchar int vertex_indices\nend_header\n",
                "a.ply: byte 181: the file ends after 0 of 4000000000000 rows of element vertex");
    refuse_text("a.ply",
                HEADER "element face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n"
                       "1 0 0\n0 1 0\n0 0 1\n4294967295 0 1 2\n",
                "a.ply:14: the list vertex_indices of 4294967295 values is longer than the file");
    // rows of nothing, however many, take no time
    ThawMeshData *mesh =
        read_text("a.ply", HEADER "element nothing 1000000000000000\nelement face 4\n"
                                  "property list uchar int vertex_indices\n"
                                  "end_header\n" TETRAHEDRON);
    assert_int_equal(mesh->triangle_count, 4);
    thaw_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read),
        cmocka_unit_test(both_byte_orders_and_any_properties_are_read),
        cmocka_unit_test(files_that_are_cut_anywhere_are_refused),
        cmocka_unit_test(painted_values_are_found_by_name),
        cmocka_unit_test(texture_coordinates_of_corners_are_read),
        cmocka_unit_test(strips_are_triangles_wound_one_way),
        cmocka_unit_test(huge_counts_are_not_believed),
    };
    return cmocka_run_group_tests_name("ply", tests, NULL, NULL);
}
