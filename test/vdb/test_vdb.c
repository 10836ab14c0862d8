// Level sets to OpenVDB and back; where OpenVDB is absent, that it says so.
#include "cache/room.h"

#include "support/forms.h"
#include "vdb/vdb.h"

#include <math.h>

#define CELL 0.02
#define RADIUS 0.31

// OpenVDB loses the nodes that it was reading when a file ends too early
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:openvdb";
}

static bool is_absent(void) {
    if (thaw_vdb_present()) return false;
    print_message("OpenVDB was not found at configure time: nothing to test\n");
    return true;
}

static ThawField *make_ball(void) {
    Form ball = form_ball(RADIUS, 64);
    ThawField *field = form_field(&ball, THAW_FIELD_SOLID, CELL, 0);
    form_free(&ball);
    return field;
}

static ThawVec3 at(const double *p) {
    return (ThawVec3){p[0], p[1], p[2]};
}

// ---------------------------------------------------------------- there and back

static void a_surface_comes_back_within_a_tenth_of_a_cell(void **state) {
    (void)state;
    if (is_absent()) skip();
    char *folder = make_folder();
    const char *path = in_folder(folder, "ball.vdb");
    ThawField *field = make_ball();
    assert_ok(thaw_vdb_write(field, path));
    assert_int_equal(count_ending(folder, ".tmp"), 0);
    ThawMesh mesh;
    assert_ok(thaw_vdb_load_mesh(path, &mesh));
    assert_true(mesh.triangle_count > 1000);
    double worst = 0;
    for (uint32_t k = 0; k < mesh.point_count; k++)
        worst = fmax(worst, fabs(thaw_field_distance(field, at(mesh.points[k]))));
    assert_true(worst < 0.1 * CELL);
    thaw_vdb_free_mesh(&mesh);
    thaw_field_release(field);
    drop_folder(folder);
}

static void every_distance_in_the_band_is_the_fields(void **state) {
    (void)state;
    if (is_absent()) skip();
    enum { MOST = 20000 };
    char *folder = make_folder();
    const char *path = in_folder(folder, "ball.vdb");
    ThawField *field = make_ball();
    assert_ok(thaw_vdb_write(field, path));
    ThawVdbCell *cells = calloc(MOST, sizeof *cells);
    uint32_t count;
    double band;
    assert_ok(thaw_vdb_read_cells(path, cells, MOST, &count, &band));
    assert_true(count > 5000);
    assert_true(fabs(band - 3 * CELL) < 1e-6);
    for (uint32_t k = 0; k < count; k++) {
        ThawVec3 p = cells[k].point;
        double distance = (double)cells[k].distance;
        assert_true(fabs(distance) < band);
        assert_true(fabs(distance - thaw_field_distance(field, p)) < 1e-5);
        // and that of the sphere, but for its facets, the lattice and the steps that fields are stored in
        double exact = sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - RADIUS;
        assert_true(fabs(distance - exact) < 0.1 * CELL);
    }
    free(cells);
    thaw_field_release(field);
    drop_folder(folder);
}

static void what_comes_back_is_closed_and_faces_outwards(void **state) {
    (void)state;
    if (is_absent()) skip();
    char *folder = make_folder();
    const char *path = in_folder(folder, "ball.vdb");
    ThawField *field = make_ball(), *again;
    assert_ok(thaw_vdb_write(field, path));
    ThawMesh mesh;
    assert_ok(thaw_vdb_load_mesh(path, &mesh));
    double volume = 0;
    for (uint32_t k = 0; k < mesh.triangle_count; k++) {
        const double *a = mesh.points[mesh.triangles[k][0]], *b = mesh.points[mesh.triangles[k][1]],
                     *c = mesh.points[mesh.triangles[k][2]];
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    double exact = 4.0 / 3 * 3.14159265358979 * RADIUS * RADIUS * RADIUS;
    assert_true(fabs(volume / exact - 1) < 0.02);
    ThawFieldDef def = thaw_field_default();
    def.cell = CELL;
    assert_ok(thaw_field_create(&mesh, &def, &again));
    assert_int_equal(thaw_field_report(again).open_edges, 0);
    thaw_field_release(again);
    thaw_vdb_free_mesh(&mesh);
    thaw_field_release(field);
    drop_folder(folder);
}

// ---------------------------------------------------------------- damage

static void damaged_files_give_a_sentence(void **state) {
    (void)state;
    if (is_absent()) skip();
    char *folder = make_folder();
    char *path = strdup(in_folder(folder, "ball.vdb"));
    ThawField *field = make_ball();
    assert_ok(thaw_vdb_write(field, path));
    thaw_field_release(field);
    Bytes bytes = load(path);
    ThawMesh mesh;
    int refused = 0;
    for (size_t size = 0; size < bytes.size; size += 1 + bytes.size / 40) {
        store(path, bytes.data, size);
        assert_refused(thaw_vdb_load_mesh(path, &mesh), "ball.vdb");
        assert_null(mesh.points);
        assert_null(strchr(thaw_error_text(), '\n'));
        refused++;
    }
    assert_true(refused > 30);
    store(path, "no level set at all", 19);
    assert_refused(thaw_vdb_load_mesh(path, &mesh), "ball.vdb");
    assert_int_not_equal(thaw_vdb_load_mesh("/nowhere/f.vdb", &mesh), THAW_OK);
    free(bytes.data);
    free(path);
    drop_folder(folder);
}

static void a_failed_write_leaves_nothing_behind(void **state) {
    (void)state;
    if (is_absent()) skip();
    char *folder = make_folder();
    ThawField *field = make_ball();
    char *below = strdup(in_folder(folder, "missing/ball.vdb"));
    assert_refused(thaw_vdb_write(field, below), "ball.vdb");
    assert_int_equal(count_ending(folder, "vdb"), 0);
    assert_int_equal(count_ending(folder, "tmp"), 0);
    free(below);
    thaw_field_release(field);
    drop_folder(folder);
}

static void a_build_without_it_says_so(void **state) {
    (void)state;
    if (thaw_vdb_present()) {
        print_message("OpenVDB is here\n");
        skip();
    }
    ThawMesh mesh;
    assert_refused(thaw_vdb_load_mesh("a.vdb", &mesh), "without OpenVDB");
    assert_null(mesh.points);
    assert_refused(thaw_vdb_write(NULL, "a.vdb"), "a.vdb");
    thaw_vdb_free_mesh(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surface_comes_back_within_a_tenth_of_a_cell),
        cmocka_unit_test(every_distance_in_the_band_is_the_fields),
        cmocka_unit_test(what_comes_back_is_closed_and_faces_outwards),
        cmocka_unit_test(damaged_files_give_a_sentence),
        cmocka_unit_test(a_failed_write_leaves_nothing_behind),
        cmocka_unit_test(a_build_without_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
