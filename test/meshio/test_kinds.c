// Meshes of our own.
#include "rig.h"

#define PI 3.14159265358979323846

static ThawMeshData *make(const char *name, const char *number, double value) {
    const ThawMeshKind *kind = thaw_mesh_find_kind(name);
    assert_non_null(kind);
    double values[16];
    assert_true(kind->number_count <= 16);
    bool found = number == NULL;
    for (int k = 0; k < kind->number_count; k++) {
        bool this_one = number != NULL && strcmp(kind->numbers[k].name, number) == 0;
        values[k] = this_one ? value : kind->numbers[k].value;
        found = found || this_one;
    }
    if (!found) fail_msg("%s has no %s", name, number);
    ThawMeshData *mesh = NULL;
    if (thaw_mesh_make(kind, values, &mesh) != THAW_OK) fail_msg("%s: %s", name, thaw_error_text());
    return mesh;
}

// what is promised of each kind: how many pieces its surface closes into, or that it is open
static const struct {
    const char *name;
    bool closed;   // no edge is open or turned
    bool touching; // triangles without area are allowed
} promises[] = {
    {"box", true, false},        {"sphere", true, false},       {"bumpy_sphere", true, false},
    {"torus", true, false},      {"cylinder", true, false},     {"cup", true, false},
    {"shell_cup", false, false}, {"gear", true, false},         {"stairs", true, false},
    {"bear", true, false},       {"paddle_wheel", true, false}, {"wall", false, false},
    {"grate", true, false},      {"river_bed", true, false},    {"waterfall", false, false},
    {"creature", false, true},
};

static void every_kind_is_what_it_promises(void **state) {
    (void)state;
    size_t count = sizeof promises / sizeof promises[0];
    assert_null(thaw_mesh_kind((int)count));
    assert_null(thaw_mesh_kind(-1));
    for (size_t k = 0; k < count; k++) {
        const char *name = promises[k].name;
        assert_ptr_equal(thaw_mesh_find_kind(name), thaw_mesh_kind((int)k));
        ThawMeshData *mesh = make(name, NULL, 0);
        ThawMesh view = thaw_mesh_view(mesh);
        assert_true(view.triangle_count > 0);
        uint32_t loose = loose_edges(&view), flat = 0;
        for (uint32_t t = 0; t < view.triangle_count; t++)
            flat += area_of_triangle(&view, t) == 0.0;
        if (promises[k].closed != (loose == 0)) fail_msg("%s has %u loose edges", name, loose);
        if (!promises[k].touching && flat > 0) fail_msg("%s has %u flat triangles", name, flat);
        if (promises[k].closed && !(volume_of(&view) > 0.0)) fail_msg("%s is inside out", name);
        thaw_mesh_free(mesh);
    }
}

// closed at every detail that is allowed to be small, and finite
static void coarse_and_fine_kinds_are_as_clean(void **state) {
    (void)state;
    for (int k = 0; thaw_mesh_kind(k) != NULL; k++) {
        const ThawMeshKind *kind = thaw_mesh_kind(k);
        for (int n = 0; n < kind->number_count; n++) {
            const ThawMeshNumber *number = &kind->numbers[n];
            if (strcmp(number->name, "detail") != 0) continue;
            for (int fine = 0; fine < 2; fine++) {
                double detail = fine ? fmin(number->most, 1.3 * number->value + 2) : number->least;
                ThawMeshData *mesh = make(kind->name, "detail", floor(detail));
                ThawMesh view = thaw_mesh_view(mesh);
                for (uint32_t p = 0; p < view.point_count; p++) {
                    for (int i = 0; i < 3; i++) assert_true(isfinite(view.points[p][i]));
                }
                uint32_t loose = loose_edges(&view);
                if (promises[k].closed && loose > 0)
                    fail_msg("%s of detail %g has %u loose edges", kind->name, detail, loose);
                thaw_mesh_free(mesh);
            }
        }
    }
}

static void assert_volume(const char *name, const char *number, double value, double volume,
                          double tolerance) {
    ThawMeshData *mesh = make(name, number, value);
    ThawMesh view = thaw_mesh_view(mesh);
    double found = volume_of(&view);
    if (fabs(found / volume - 1.0) > tolerance) fail_msg("%s: %.9g, not %.9g", name, found, volume);
    thaw_mesh_free(mesh);
}

static void volumes_are_those_of_the_forms(void **state) {
    (void)state;
    assert_volume("box", "width", 3, 3, 1e-12);
    // six steps of 0.25 by 1/6 are 21 boxes
    assert_volume("stairs", NULL, 0, 21 * 0.25 / 6, 1e-12);
    // polygons with n corners are too small by (2π/n)²/6, the others by about the same
    assert_volume("cylinder", "detail", 400, PI * 0.25 * 0.25, 5e-5);
    assert_volume("torus", "detail", 200, 2 * PI * PI * 0.35 * 0.15 * 0.15, 3e-4);
    assert_volume("sphere", "detail", 100, 4.0 / 3.0 * PI * 0.125, 3e-4);
    double foot = 0.2, rim = 0.25, height = 0.6, wall = 0.03;
    double across = wall * hypot(height, rim - foot) / height;
    double inner = foot + (rim - foot) * wall / height - across, top = rim - across;
    double glass = PI / 3 * height * (foot * foot + foot * rim + rim * rim) -
                   PI / 3 * (height - wall) * (inner * inner + inner * top + top * top);
    assert_volume("cup", "detail", 400, glass, 5e-5);
}

static void bumpy_spheres_have_100_820_triangles(void **state) {
    (void)state;
    ThawMeshData *mesh = make("bumpy_sphere", NULL, 0);
    assert_int_equal(mesh->triangle_count, 100820);
    thaw_mesh_free(mesh);
}

// points move, triangles stay, and a whole beat ends where it began
static void creatures_move_with_constant_topology(void **state) {
    (void)state;
    ThawMeshData *first = make("creature", "phase", 0);
    for (int k = 1; k <= 8; k++) {
        ThawMeshData *pose = make("creature", "phase", k / 8.0);
        assert_int_equal(pose->point_count, first->point_count);
        assert_int_equal(pose->triangle_count, first->triangle_count);
        assert_memory_equal(pose->triangles, first->triangles,
                            first->triangle_count * sizeof *first->triangles);
        double farthest = 0.0;
        for (uint32_t p = 0; p < first->point_count; p++) {
            for (int i = 0; i < 3; i++)
                farthest = fmax(farthest, fabs(pose->points[p][i] - first->points[p][i]));
        }
        if (k < 8)
            assert_true(farthest > 0.1 && farthest < 3.0);
        else
            assert_true(farthest == 0.0);
        thaw_mesh_free(pose);
    }
    thaw_mesh_free(first);
}

static void refuse(const char *name, const char *number, double value, const char *sentence) {
    const ThawMeshKind *kind = thaw_mesh_find_kind(name);
    double values[16];
    for (int k = 0; k < kind->number_count; k++)
        values[k] = strcmp(kind->numbers[k].name, number) == 0 ? value : kind->numbers[k].value;
    ThawMeshData *mesh = NULL;
    assert_int_equal(thaw_mesh_make(kind, values, &mesh), THAW_BAD_INPUT);
    assert_null(mesh);
    assert_string_equal(thaw_error_text(), sentence);
}

static void numbers_that_make_no_sense_are_refused(void **state) {
    (void)state;
    refuse("sphere", "radius", -1, "radius of a sphere must be from 1e-06 to 1e+06, not -1");
    refuse("sphere", "radius", NAN, "radius of a sphere must be from 1e-06 to 1e+06, not nan");
    refuse("sphere", "detail", 2.5, "detail of a sphere must be a whole number, not 2.5");
    refuse("gear", "count", 1e9, "count of a gear must be from 3 to 2000, not 1e+09");
    refuse("torus", "tube", 0.4, "tube of a torus must be below its radius");
    refuse("cup", "thickness", 0.3, "thickness of a cup must be below its radii and its height");
    refuse("grate", "thickness", 0.3, "thickness of a grate's bars leaves no openings");
    assert_null(thaw_mesh_find_kind("sphere "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_what_it_promises),
        cmocka_unit_test(coarse_and_fine_kinds_are_as_clean),
        cmocka_unit_test(volumes_are_those_of_the_forms),
        cmocka_unit_test(bumpy_spheres_have_100_820_triangles),
        cmocka_unit_test(creatures_move_with_constant_topology),
        cmocka_unit_test(numbers_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
