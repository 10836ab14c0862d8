// Mesh files as a whole: written and read again, placed, painted, and the models that artists know.
#include "rig.h"

#include <png.h>

static int enter_folder(void **state) {
    static char folder[32];
    strcpy(folder, "/tmp/thaw_mesh_XXXXXX");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return -1;
    *state = folder;
    return 0;
}

static int leave_folder(void **state) {
    char line[64];
    if (chdir("/") != 0) return -1;
    snprintf(line, sizeof line, "rm -rf '%s'", (const char *)*state);
    return system(line);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static ThawMeshData *load(const char *path, const ThawMeshLoadDef *def) {
    ThawMeshData *mesh = NULL;
    if (thaw_mesh_load(path, def, &mesh) != THAW_OK) fail_msg("%s", thaw_error_text());
    return mesh;
}

static void refuse(const char *path, const ThawMeshLoadDef *def, const char *sentence) {
    ThawMeshData *mesh = NULL;
    assert_int_not_equal(thaw_mesh_load(path, def, &mesh), THAW_OK);
    assert_null(mesh);
    assert_string_equal(thaw_error_text(), sentence);
}

// ---------------------------------------------------------------- round trips

static const double points[4][3] = {
    {0.1, -0.0, 1.0 / 3.0}, {1e-30, 2.5, -7}, {123456.789012345, 0, 1e10}, {0.25, 0.5, 0.125}};
static const uint32_t triangles[3][3] = {{0, 1, 2}, {2, 1, 3}, {3, 3, 0}};
static const float uv[9][2] = {{0, 0},        {0.1f, 0.2f}, {1, 1}, {-3, 2}, {0.5f, 0.25f},
                               {1e-7f, 0.3f}, {0, 1},       {1, 0}, {7, 8}};
static const float friction[4] = {0, 0.1f, 0.2f, 3};

static ThawMesh odd_mesh(void) {
    ThawMesh mesh = {
        .points = points, .point_count = 4, .triangles = triangles, .triangle_count = 3, .uv = uv};
    mesh.paint[THAW_PAINT_FRICTION].values = friction;
    return mesh;
}

static void what_is_written_reads_back_in_every_bit(void **state) {
    (void)state;
    ThawMesh mesh = odd_mesh();
    for (int k = 0; k < 2; k++) {
        const char *path = k == 0 ? "a.obj" : "a.ply";
        assert_int_equal(thaw_mesh_save(path, &mesh), THAW_OK);
        ThawMeshData *data = load(path, NULL);
        ThawMesh back = thaw_mesh_view(data);
        assert_int_equal(back.point_count, 4);
        for (int i = 0; i < 12; i++) assert_true(back.points[i / 3][i % 3] == points[i / 3][i % 3]);
        assert_int_equal(back.triangle_count, 3);
        assert_memory_equal(back.triangles, triangles, sizeof triangles);
        assert_memory_equal(back.uv, uv, sizeof uv);
        if (k == 1)
            assert_memory_equal(back.paint[THAW_PAINT_FRICTION].values, friction, sizeof friction);
        thaw_mesh_free(data);
    }
}

static void stl_keeps_the_triangles_as_floats(void **state) {
    (void)state;
    ThawMesh mesh = odd_mesh();
    assert_int_equal(thaw_mesh_save("a.STL", &mesh), THAW_OK);
    ThawMeshData *data = load("a.STL", NULL);
    assert_int_equal(data->triangle_count, 3);
    assert_int_equal(data->point_count, 4);
    for (int i = 0; i < 9; i++)
        assert_true(data->points[data->triangles[1][i / 3]][i % 3] ==
                    (double)(float)points[triangles[1][i / 3]][i % 3]);
    thaw_mesh_free(data);
}

// a box in quads through every format has the same volume
static void every_kind_survives_every_format(void **state) {
    (void)state;
    const char *const endings[] = {"a.obj", "a.ply", "a.stl"};
    for (int k = 0; thaw_mesh_kind(k) != NULL; k++) {
        const ThawMeshKind *kind = thaw_mesh_kind(k);
        double values[16];
        for (int n = 0; n < kind->number_count; n++) {
            bool detail = strcmp(kind->numbers[n].name, "detail") == 0;
            values[n] = detail ? kind->numbers[n].least : kind->numbers[n].value;
        }
        ThawMeshData *made = NULL;
        assert_int_equal(thaw_mesh_make(kind, values, &made), THAW_OK);
        ThawMesh before = thaw_mesh_view(made);
        for (int n = 0; n < 3; n++) {
            assert_int_equal(thaw_mesh_save(endings[n], &before), THAW_OK);
            ThawMeshData *data = load(endings[n], NULL);
            ThawMesh after = thaw_mesh_view(data);
            assert_int_equal(after.triangle_count, before.triangle_count);
            double tolerance = n < 2 ? 0.0 : 1e-6 * area_of(&before);
            if (fabs(volume_of(&after) - volume_of(&before)) > tolerance)
                fail_msg("%s changed in %s", kind->name, endings[n]);
            thaw_mesh_free(data);
        }
        thaw_mesh_free(made);
    }
}

static void saving_refuses_what_no_reader_could_take(void **state) {
    (void)state;
    ThawMesh mesh = odd_mesh();
    assert_int_equal(thaw_mesh_save("a.xyz", &mesh), THAW_BAD_INPUT);
    assert_string_equal(thaw_error_text(), "a.xyz: a mesh is written as .obj, .ply or .stl");
    mesh.point_count = 3;
    assert_int_equal(thaw_mesh_save("a.obj", &mesh), THAW_BAD_INPUT);
    assert_int_equal(access("a.obj", F_OK), -1);
    assert_int_not_equal(thaw_mesh_save("no/such/folder.obj", &mesh), THAW_OK);
}

// ---------------------------------------------------------------- placing

static void meshes_are_scaled_then_stood_up_then_turned_then_moved(void **state) {
    (void)state;
    write_file("a.obj", "v 1 2 3\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    ThawMeshLoadDef def = thaw_mesh_load_default();
    def.scale = 0.5;
    def.up = 'y';
    ThawMeshData *mesh = load("a.obj", &def);
    // y becomes z, and what was in front of the screen (z) comes to the viewer (−y)
    assert_point(mesh, 0, 0.5, -1.5, 1.0);
    thaw_mesh_free(mesh);
    // a quarter turn about z, given twice as long as a unit
    def.turn = (ThawQuat){0, 0, 2 * 0.70710678118654752, 2 * 0.70710678118654752};
    def.move = (ThawVec3){10, 20, 30};
    mesh = load("a.obj", &def);
    const double expected[3] = {11.5, 20.5, 31.0};
    for (int k = 0; k < 3; k++) assert_true(fabs(mesh->points[0][k] - expected[k]) < 1e-14);
    thaw_mesh_free(mesh);
}

static void senseless_placings_are_refused(void **state) {
    (void)state;
    write_file("a.obj", "v 1e300 2 3\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    ThawMeshLoadDef def = thaw_mesh_load_default();
    def.scale = 0;
    refuse("a.obj", &def, "scale must be above 0, not 0");
    def.scale = 1e10;
    refuse("a.obj", &def, "a.obj: point 0 is too far away: 1e+300 2 3");
    def.scale = 1;
    def.up = 'x';
    refuse("a.obj", &def, "up must be 'y' or 'z', not 'x'");
    def.up = 'z';
    def.turn = (ThawQuat){0, 0, 0, 0};
    refuse("a.obj", &def, "turn must be a quaternion that is not zero");
    refuse("none.obj", NULL, "cannot read none.obj: No such file or directory");
    refuse("/tmp", NULL, "cannot read /tmp: Is a directory");
}

// ---------------------------------------------------------------- images

typedef struct Png {
    int width, height, depth, color;
    const unsigned char *rows; // packed
    size_t stride;
} Png;

static void write_png(const char *path, const Png *image) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, image->depth,
                 image->color, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int k = 0; k < image->height; k++)
        png_write_row(png, image->rows + (size_t)k * image->stride);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static void pictures_become_values(void **state) {
    (void)state;
    write_file("a.obj", "v 1 2 3\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n");
    const unsigned char grey[2][3] = {{0, 51, 255}, {102, 153, 204}};
    const unsigned char wide[4] = {0x80, 0x00, 0xff, 0xff};
    const unsigned char color[8] = {255, 255, 255, 0, 0, 255, 0, 128};
    write_png("grey.png", &(Png){3, 2, 8, PNG_COLOR_TYPE_GRAY, grey[0], 3});
    write_png("wide.png", &(Png){2, 1, 16, PNG_COLOR_TYPE_GRAY, wide, 4});
    write_png("color.png", &(Png){2, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, color, 8});
    ThawMeshLoadDef def = thaw_mesh_load_default();
    def.image[THAW_PAINT_FRICTION].file = "grey.png";
    def.image[THAW_PAINT_ADHESION].file = "wide.png";
    def.image[THAW_PAINT_TEMPERATURE].file = "color.png";
    def.image[THAW_PAINT_TEMPERATURE].low = 273;
    def.image[THAW_PAINT_TEMPERATURE].high = 373;
    ThawMeshData *mesh = load("a.obj", &def);
    ThawMesh view = thaw_mesh_view(mesh);
    const ThawPaint *paint = view.paint;
    assert_int_equal(paint[THAW_PAINT_FRICTION].width, 3);
    assert_int_equal(paint[THAW_PAINT_FRICTION].height, 2);
    for (int k = 0; k < 6; k++)
        assert_true(fabsf(paint[THAW_PAINT_FRICTION].image[k] -
                          (float)grey[k / 3][k % 3] / 255.0f) < 1e-6f);
    assert_true(fabsf(paint[THAW_PAINT_ADHESION].image[0] - 32768.0f / 65535.0f) < 1e-6f);
    assert_true(paint[THAW_PAINT_TEMPERATURE].image[0] == 373.0f);
    assert_true(fabsf(paint[THAW_PAINT_TEMPERATURE].image[1] - (273.0f + 71.52f)) < 1e-3f);
    thaw_mesh_free(mesh);
}

static void bad_pictures_are_refused(void **state) {
    (void)state;
    const unsigned char grey[4] = {0, 51, 255, 3};
    write_png("grey.png", &(Png){2, 2, 8, PNG_COLOR_TYPE_GRAY, grey, 2});
    write_file("a.obj", "v 1 2 3\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    ThawMeshLoadDef def = thaw_mesh_load_default();
    def.image[0].file = "grey.png";
    refuse("a.obj", &def, "a.obj: has no texture coordinates, which the image grey.png needs");
    write_file("a.obj", "v 1 2 3\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 2/1 3/1\n");
    def.image[0].file = "a.obj";
    refuse("a.obj", &def, "a.obj: is no PNG file");
    def.image[0].file = "none.png";
    refuse("a.obj", &def, "cannot read none.png: No such file or directory");
    // cut at every byte: refused or read, never a crash
    FILE *file = fopen("grey.png", "rb");
    assert_non_null(file);
    char bytes[512];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    def.image[0].file = "cut.png";
    for (size_t k = 0; k < size; k++) {
        file = fopen("cut.png", "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, k, file), k);
        fclose(file);
        ThawMeshData *mesh = NULL;
        assert_int_not_equal(thaw_mesh_load("a.obj", &def, &mesh), THAW_OK);
        assert_null(mesh);
    }
}

// ---------------------------------------------------------------- models that artists know

// volume and area by the divergence theorem, from the same files
static const struct {
    const char *name;
    uint32_t triangles;
    double volume, area;
} models[] = {{"stanford-bunny.obj", 69451, 7.7006e-4, 5.7129e-2},
              {"spot.obj", 5856, 0.718259, 5.70952},
              {"fandisk.obj", 12946, 20.2434, 60.6691},
              {"teapot.obj", 6320, 0, 0},
              {"suzanne.obj", 968, 0, 0},
              {"beetle.obj", 2053, 0, 0},
              {"cow.obj", 5804, 0, 0}};

static void known_models_have_their_known_volumes(void **state) {
    (void)state;
    if (access(THAW_ASSETS, R_OK) != 0) {
        print_message("%s is not here\n", THAW_ASSETS);
        skip();
    }
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", THAW_ASSETS, models[k].name);
        ThawMeshData *mesh = load(path, NULL);
        ThawMesh view = thaw_mesh_view(mesh);
        assert_int_equal(view.triangle_count, models[k].triangles);
        // to the digits that are published
        if (models[k].volume > 0.0) {
            assert_true(fabs(volume_of(&view) / models[k].volume - 1.0) < 1e-5);
            assert_true(fabs(area_of(&view) / models[k].area - 1.0) < 1e-5);
        }
        thaw_mesh_free(mesh);
    }
}

int main(void) {
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_reads_back_in_every_bit),
        TEST(stl_keeps_the_triangles_as_floats),
        TEST(every_kind_survives_every_format),
        TEST(saving_refuses_what_no_reader_could_take),
        TEST(meshes_are_scaled_then_stood_up_then_turned_then_moved),
        TEST(senseless_placings_are_refused),
        TEST(pictures_become_values),
        TEST(bad_pictures_are_refused),
        cmocka_unit_test(known_models_have_their_known_volumes),
    };
    return cmocka_run_group_tests_name("mesh_file", tests, NULL, NULL);
}
