// Distance fields of ball, box and torus against the shapes themselves (V-14), bounds beyond the band, measures, and
// the same bits from every number of threads and every instruction set.
#include "base/memory.h"
#include "geometry/distance.h"
#include "geometry/field.h"
#include "geometry/field_bricks.h"
#include "math/vec.h"
#include "support/mesh_samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <thaw/shape.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static ThawField *make_field(const Sample *sample, const ThawFieldDef *def) {
    ThawMesh mesh = sample_mesh(sample);
    ThawField *field = NULL;
    ThawParallel *parallel;
    assert_int_equal(thaw_parallel_create(def->threads, NULL, &parallel), THAW_OK);
    ThawResult result = thaw_field_build(&mesh, def, parallel, false, &field);
    thaw_parallel_destroy(parallel);
    if (result != THAW_OK) print_message("%s\n", thaw_error_text());
    assert_int_equal(result, THAW_OK);
    return field;
}

static ThawFieldDef field_def(ThawFieldMode mode, double cell, double offset) {
    ThawFieldDef def = thaw_field_default();
    def.mode = mode;
    def.cell = cell;
    def.offset = offset;
    def.threads = 2;
    return def;
}

// a shape and a mesh of it
typedef struct Model {
    ThawShape shape;
    Sample sample;
    double size; // m, half the longest side
} Model;

enum { BALL, BOX, TORUS, MODELS };
enum { COARSE = 64, FINE = 128 }; // sides round: chords are 0.0012 and 0.0003 off at most, each way

static Model make_model_of(int kind, int sides) {
    Model model = {.size = 1};
    ThawVec3 zero = {0, 0, 0};
    switch (kind) {
    case BALL:
        model.shape = thaw_shape_sphere(zero, 1);
        sample_ball(&model.sample, zero, 1, sides, 0);
        break;
    case BOX:
        model.shape = thaw_shape_box(zero, thaw_vec(2, 1.3, 0.7));
        sample_box(&model.sample, thaw_vec(-1, -0.65, -0.35), thaw_vec(1, 0.65, 0.35));
        break;
    default:
        model.shape = thaw_shape_torus(zero, thaw_vec(0, 0, 1), 0.7, 0.3);
        sample_torus(&model.sample, 0.7, 0.3, sides);
    }
    return model;
}

static Model make_model(int kind) {
    return make_model_of(kind, COARSE);
}

static ThawVec3 random_point(uint64_t *seed, double size) {
    double x = sample_uniform(seed, -size, size), y = sample_uniform(seed, -size, size);
    return thaw_vec(x, y, sample_uniform(seed, -size, size));
}

// the shape's distance as the field should have it
static double true_distance(const Model *model, const ThawFieldDef *def, ThawVec3 p) {
    double distance = thaw_shape_distance(&model->shape, p);
    if (def->mode == THAW_FIELD_SOLID) return distance - def->offset;
    return fabs(distance) - (def->offset == 0 ? def->cell : def->offset);
}

// ---------------------------------------------------------------- V-14

typedef struct Errors {
    double most; // cells
    int inside, outside;
} Errors;

static Errors measure_errors(const Model *model, const ThawFieldDef *def, int points) {
    ThawField *field = make_field(&model->sample, def);
    double band = def->band * def->cell;
    uint64_t seed = 11;
    Errors errors = {0};
    for (int k = 0; errors.inside + errors.outside < points && k < 100 * points; k++) {
        ThawVec3 p = random_point(&seed, model->size * 1.2);
        double distance = true_distance(model, def, p);
        if (fabs(distance) > band) continue;
        double error = fabs(thaw_field_sample(field, p, NULL) - distance) / def->cell;
        errors.most = fmax(errors.most, error);
        errors.inside += distance < 0;
        errors.outside += distance > 0;
    }
    thaw_field_release(field);
    return errors;
}

static void distances_of(ThawFieldMode mode, double offset, int step) {
    for (int kind = 0; kind < MODELS; kind++) {
        Model model = make_model(kind);
        for (int cells = 20; cells <= 60; cells += step) {
            double cell = 2.0 / cells;
            ThawFieldDef def = field_def(mode, cell, offset * cell);
            Errors errors = measure_errors(&model, &def, 10000);
            assert_true(errors.most < 0.6);
            assert_true(errors.inside > 500 && errors.outside > 500);
        }
        sample_free(&model.sample);
    }
}

static void solids_are_within_0_6_cells_in_the_band(void **state) {
    (void)state;
    distances_of(THAW_FIELD_SOLID, 0, 40);
}

static void offset_solids_are_within_0_6_cells_in_the_band(void **state) {
    (void)state;
    distances_of(THAW_FIELD_SOLID, 1.7, 99);
    distances_of(THAW_FIELD_SOLID, -1.2, 99);
}

static void shells_are_within_0_6_cells_in_the_band(void **state) {
    (void)state;
    distances_of(THAW_FIELD_SHELL, 0, 40);
    distances_of(THAW_FIELD_SHELL, 0.5, 99);
    distances_of(THAW_FIELD_SHELL, 2.5, 99);
}

static void smooth_surfaces_are_within_a_twentieth_of_a_cell(void **state) {
    (void)state;
    for (int kind = 0; kind < MODELS; kind += 2) { // ball and torus
        Model model = make_model_of(kind, FINE);
        ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 64, 0);
        Errors errors = measure_errors(&model, &def, 20000);
        assert_true(errors.most < 0.05);
        sample_free(&model.sample);
    }
}

static void wide_bands_are_as_good(void **state) {
    (void)state;
    for (int kind = 0; kind < MODELS; kind++) {
        Model model = make_model(kind);
        ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 40, 0);
        def.band = 7.5;
        assert_true(measure_errors(&model, &def, 20000).most < 0.6);
        sample_free(&model.sample);
    }
}

// ---------------------------------------------------------------- beyond the band

static void beyond_the_band_is_a_bound_with_the_right_sign(void **state) {
    (void)state;
    for (int kind = 0; kind < MODELS; kind++) {
        Model model = make_model(kind);
        for (int mode = 0; mode < 2; mode++) {
            ThawFieldDef def = field_def((ThawFieldMode)mode, 2.0 / 140, 0);
            ThawField *field = make_field(&model.sample, &def);
            uint64_t seed = 5;
            double best = 0;
            for (int k = 0; k < 20000; k++) {
                ThawVec3 p = random_point(&seed, k % 2 ? 1.1 : 6), slope;
                double distance = true_distance(&model, &def, p);
                double found = thaw_field_sample(field, p, &slope);
                if (fabs(distance) < (def.band + 0.3) * def.cell) continue;
                assert_true((found < 0) == (distance < 0));
                assert_true(fabs(found) <= fabs(distance) + 0.02 * def.cell);
                assert_true(fabs(found) >= 0.999999 * def.band * def.cell);
                assert_true(thaw_length(slope) == 0);
                best = fmax(best, fabs(found));
            }
            // far away it is not just the band: rays can take long steps
            assert_true(best > 2);
            thaw_field_release(field);
        }
        sample_free(&model.sample);
    }
}

static void distance_is_exact_beyond_the_band(void **state) {
    (void)state;
    Model model = make_model(TORUS);
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 64, 0.01);
    ThawField *field = make_field(&model.sample, &def);
    uint64_t seed = 3;
    for (int k = 0; k < 3000; k++) {
        ThawVec3 p = random_point(&seed, 2);
        double distance = true_distance(&model, &def, p);
        ThawNearest near = thaw_field_nearest(field, p);
        assert_true(fabs(near.distance - distance) < 2e-3);
        assert_true(fabs(thaw_length(near.normal) - 1) < 1e-9);
        double limit = fabs(distance) < 4 * def.cell ? 0.05 * def.cell : 0;
        assert_true(fabs(thaw_field_distance(field, p) - distance) < limit + 2e-3);
        // the way out leads to the surface
        ThawVec3 foot = thaw_sub(p, thaw_scale(near.normal, near.distance));
        assert_true(fabs(true_distance(&model, &def, foot)) < 4e-3);
    }
    thaw_field_release(field);
    sample_free(&model.sample);
}

static void slopes_in_the_band_point_outwards(void **state) {
    (void)state;
    Model model = make_model(BALL);
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 64, 0);
    ThawField *field = make_field(&model.sample, &def);
    uint64_t seed = 9;
    for (int k = 0; k < 5000; k++) {
        ThawVec3 p = random_point(&seed, 1), slope;
        double radius = thaw_length(p);
        if (radius < 0.1) continue;
        p = thaw_scale(p, (1 + sample_uniform(&seed, -2.8, 2.8) * def.cell) / radius);
        thaw_field_sample(field, p, &slope);
        ThawVec3 out = thaw_scale(p, 1 / thaw_length(p));
        assert_true(thaw_length(thaw_sub(slope, out)) < 0.06);
    }
    thaw_field_release(field);
    sample_free(&model.sample);
}

static void points_that_are_no_places_do_no_harm(void **state) {
    (void)state;
    Model model = make_model(BOX);
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 0.05, 0);
    ThawField *field = make_field(&model.sample, &def);
    const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    for (int k = 0; k < 5; k++) {
        ThawVec3 slope;
        double d = thaw_field_sample(field, thaw_vec(odd[k], 0, 0), &slope);
        assert_true(!isnan(d));
        thaw_field_spot(field, thaw_vec(0, odd[k], 0));
        float x[8] = {(float)odd[k], 0, 0, 0, 0, 0, 0, 0}, y[8] = {0}, z[8] = {0}, out[8];
        ThawFieldPoints points = {.x = x, .y = y, .z = z, .count = 8, .distance = out};
        thaw_field_sample_many(THAW_ISA_AUTO)(field, &points);
        assert_true(!isnan(out[0]) && out[1] < 0);
    }
    thaw_field_release(field);
    sample_free(&model.sample);
}

// ---------------------------------------------------------------- measures

// by the divergence theorem
static double mesh_volume(const Sample *sample) {
    double sum = 0;
    for (uint32_t t = 0; t < sample->triangle_count; t++) {
        ThawVec3 p[3];
        for (int k = 0; k < 3; k++) {
            const double *from = sample->points[sample->triangles[t][k]];
            p[k] = thaw_vec(from[0], from[1], from[2]);
        }
        sum += thaw_dot(p[0], thaw_cross(p[1], p[2])) / 6;
    }
    return sum;
}

static void volumes_are_within_0_3_percent_at_64_cells(void **state) {
    (void)state;
    for (int kind = 0; kind < MODELS; kind++) {
        Model model = make_model(kind);
        ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 64, 0);
        ThawField *field = make_field(&model.sample, &def);
        assert_true(fabs(thaw_field_volume(field) / mesh_volume(&model.sample) - 1) < 3e-3);
        assert_true(thaw_field_report(field).volume == thaw_field_volume(field));
        thaw_field_release(field);
        sample_free(&model.sample);
    }
}

static void volumes_know_the_offset(void **state) {
    (void)state;
    Model model = make_model_of(BALL, FINE);
    for (int k = -2; k <= 2; k++) {
        double r = 1 + 0.1 * k, volume = 4.0 / 3.0 * PI * r * r * r;
        ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 40, 0.1 * k);
        ThawField *field = make_field(&model.sample, &def);
        assert_true(fabs(thaw_field_volume(field) / volume - 1) < 4e-3);
        thaw_field_release(field);
    }
    // a shell is the volume between
    ThawFieldDef def = field_def(THAW_FIELD_SHELL, 2.0 / 40, 0.1);
    ThawField *field = make_field(&model.sample, &def);
    double volume = 4.0 / 3.0 * PI * (1.1 * 1.1 * 1.1 - 0.9 * 0.9 * 0.9);
    assert_true(fabs(thaw_field_volume(field) / volume - 1) < 4e-3);
    thaw_field_release(field);
    sample_free(&model.sample);
}

static void sections_are_within_half_a_percent(void **state) {
    (void)state;
    Model ball = make_model_of(BALL, FINE), torus = make_model_of(TORUS, FINE);
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 64, 0);
    ThawField *field = make_field(&ball.sample, &def);
    ThawPose pose = {{5, -3, 0.6}, thaw_quat_turn(thaw_vec(1, 2, 3), 0.7)};
    assert_true(fabs(thaw_field_section(field, pose) / (PI * (1 - 0.36)) - 1) < 5e-3);
    pose.position.z = 1.5;
    assert_true(thaw_field_section(field, pose) == 0);
    thaw_field_release(field);
    field = make_field(&torus.sample, &def);
    pose = (ThawPose){{0, 0, 0}, thaw_quat_identity()};
    assert_true(fabs(thaw_field_section(field, pose) / (4 * PI * 0.7 * 0.3) - 1) < 5e-3);
    thaw_field_release(field);
    sample_free(&ball.sample);
    sample_free(&torus.sample);
}

static void reports_tell_what_was_built(void **state) {
    (void)state;
    Model model = make_model(BOX);
    ThawFieldDef def = field_def(THAW_FIELD_SHELL, 0.02, 0);
    ThawMesh mesh = sample_mesh(&model.sample);
    ThawField *field;
    assert_int_equal(thaw_field_create(&mesh, &def, &field), THAW_OK);
    ThawFieldReport report = thaw_field_report(field);
    assert_int_equal(report.mode, THAW_FIELD_SHELL);
    assert_true(report.offset == 0.02 && report.cell == 0.02 && report.band == 3);
    assert_true(fabs(report.lower.x + 1.02) < 1e-12 && fabs(report.upper.z - 0.37) < 1e-12);
    assert_true(fabs(report.area - 2 * (2 * 1.3 + 2 * 0.7 + 1.3 * 0.7)) < 1e-9);
    assert_int_equal(report.triangles, 12);
    assert_int_equal(report.open_edges, 0);
    assert_true(fabs(report.thinnest - 2) < 1e-9);
    assert_true(report.bricks > 0 && report.bytes > report.bricks * 1458 && report.seconds > 0);
    thaw_field_release(field);
    def = field_def(THAW_FIELD_SOLID, 0.02, 0);
    assert_int_equal(thaw_field_create(&mesh, &def, &field), THAW_OK);
    assert_true(fabs(thaw_field_report(field).thinnest - 35) < 0.01);
    thaw_field_release(field);
    sample_free(&model.sample);
}

// ---------------------------------------------------------------- equal bits

static void assert_same_field(const ThawField *a, const ThawField *b) {
    assert_int_equal(a->brick_count, b->brick_count);
    assert_int_equal(a->table_count, b->table_count);
    assert_int_equal(a->list_count, b->list_count);
    assert_int_equal(a->code_bytes, b->code_bytes);
    const int32_t *n = a->grid.pages;
    assert_memory_equal(a->pages, b->pages, (size_t)(n[0] * n[1] * n[2]) * 4);
    assert_memory_equal(a->tables, b->tables, (size_t)a->table_count * 512 * 4);
    assert_memory_equal(a->distance, b->distance, (size_t)a->brick_count * THAW_BRICK_STRIDE * 2);
    assert_memory_equal(a->lists, b->lists, (size_t)a->list_count * 4);
    assert_memory_equal(a->codes, b->codes, a->code_bytes);
    assert_true(a->report.volume == b->report.volume);
}

static void fields_are_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    for (int kind = 0; kind < MODELS; kind++) {
        Model model = make_model(kind);
        if (kind == BALL) model.sample.triangle_count -= 700; // open: caps as well
        ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 30, 0.01);
        def.threads = 1;
        ThawField *one = make_field(&model.sample, &def);
        for (int threads = 2; threads <= 5; threads += 3) {
            def.threads = threads;
            ThawField *many = make_field(&model.sample, &def);
            assert_same_field(one, many);
            thaw_field_release(many);
        }
        thaw_field_release(one);
        sample_free(&model.sample);
    }
}

enum { COUNT = 4000 };

// points near and far, from an origin of their own
typedef struct Cloud {
    float at[3][COUNT], distance[COUNT], slope[3][COUNT];
} Cloud;

static void sample_cloud(const ThawField *field, ThawVec3 origin, ThawIsa isa, Cloud *cloud) {
    ThawFieldPoints points = {.origin = origin,
                              .x = cloud->at[0],
                              .y = cloud->at[1],
                              .z = cloud->at[2],
                              .count = COUNT,
                              .distance = cloud->distance,
                              .gradient = {cloud->slope[0], cloud->slope[1], cloud->slope[2]}};
    thaw_field_sample_many(isa)(field, &points);
}

static void many_at_once_are_as_one_by_one(void **state) {
    (void)state;
    static Cloud cloud;
    Model model = make_model(TORUS);
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 64, 0);
    ThawField *field = make_field(&model.sample, &def);
    ThawVec3 origin = {0.3, -0.2, 0.1};
    uint64_t seed = 21;
    for (int k = 0; k < 3 * COUNT; k++) {
        cloud.at[k % 3][k / 3] = (float)sample_uniform(&seed, k % 7 ? -1.3 : -9, 1.5);
    }
    sample_cloud(field, origin, THAW_ISA_AUTO, &cloud);
    double edge = def.band * def.cell;
    for (int k = 0; k < COUNT; k++) {
        ThawVec3 slope,
            p = {(double)cloud.at[0][k], (double)cloud.at[1][k], (double)cloud.at[2][k]};
        double one = thaw_field_sample(field, thaw_add(origin, p), &slope);
        // a point may fall on either side of the band's edge
        double raw = fabs(fabs(one) - edge) < 0.2 * def.cell ? 0.13 * def.cell : 0;
        assert_true(fabs((double)cloud.distance[k] - one) <
                    1e-5 * def.cell + raw + 1e-6 * fabs(one));
        if (raw > 0) continue;
        // a slope jumps from cell to cell: it is compared where rounding cannot change the cell
        ThawVec3 at = thaw_grid_enter(&field->grid, thaw_add(origin, p));
        double least =
            fmin(fabs(at.x - rint(at.x)), fmin(fabs(at.y - rint(at.y)), fabs(at.z - rint(at.z))));
        if (least < 1e-4) continue;
        assert_true(fabs((double)cloud.slope[0][k] - slope.x) < 1e-4);
        assert_true(fabs((double)cloud.slope[1][k] - slope.y) < 1e-4);
        assert_true(fabs((double)cloud.slope[2][k] - slope.z) < 1e-4);
    }
    thaw_field_release(field);
    sample_free(&model.sample);
}

static void all_instruction_sets_give_the_same_bits(void **state) {
    (void)state;
    static Cloud plain, fast;
    Model model = make_model(BOX);
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 2.0 / 64, 0);
    ThawField *field = make_field(&model.sample, &def);
    uint64_t seed = 22;
    for (int k = 0; k < 3 * COUNT; k++) {
        plain.at[k % 3][k / 3] = (float)sample_uniform(&seed, k % 7 ? -1.3 : -9, 1.5);
    }
    sample_cloud(field, thaw_vec(0, 0.1, 0), THAW_ISA_BASELINE, &plain);
    for (int isa = THAW_ISA_AVX2; isa <= THAW_ISA_AVX512; isa++) {
        ThawIsa have;
        if (thaw_isa_resolve((ThawIsa)isa, &have) != THAW_OK) continue;
        memcpy(fast.at, plain.at, sizeof fast.at);
        sample_cloud(field, thaw_vec(0, 0.1, 0), have, &fast);
        assert_memory_equal(&fast, &plain, sizeof fast);
    }
    thaw_field_release(field);
    sample_free(&model.sample);
}

static void far_from_the_origin_nothing_changes(void **state) {
    (void)state;
    Model model = make_model(TORUS);
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 1.0 / 32, 0);
    ThawField *here = make_field(&model.sample, &def);
    ThawVec3 away = {131072, -65536, 1e5}; // whole cells
    for (uint32_t k = 0; k < model.sample.point_count; k++) {
        model.sample.points[k][0] += away.x;
        model.sample.points[k][1] += away.y;
        model.sample.points[k][2] += away.z;
    }
    ThawField *there = make_field(&model.sample, &def);
    uint64_t seed = 2;
    for (int k = 0; k < 5000; k++) {
        ThawVec3 p = random_point(&seed, 1.2);
        double a = thaw_field_sample(here, p, NULL),
               b = thaw_field_sample(there, thaw_add(p, away), NULL);
        double edge = fabs(fabs(a) - 3 * def.cell) < 0.2 * def.cell ? 0.13 : 0;
        assert_true(fabs(a - b) < (1e-3 + edge) * def.cell);
        a = thaw_field_nearest(here, p).distance;
        b = thaw_field_nearest(there, thaw_add(p, away)).distance;
        assert_true(fabs(a - b) < 1e-3 * def.cell);
    }
    assert_true(fabs(thaw_field_volume(here) / thaw_field_volume(there) - 1) < 1e-5);
    thaw_field_release(here);
    thaw_field_release(there);
    sample_free(&model.sample);
}

// ---------------------------------------------------------------- making

static void assert_refused(const ThawMesh *mesh, const ThawFieldDef *def, const char *word) {
    ThawField *field = (ThawField *)(uintptr_t)1;
    assert_int_equal(thaw_field_create(mesh, def, &field), THAW_BAD_INPUT);
    assert_null(field);
    if (strstr(thaw_error_text(), word) == NULL) print_message("%s\n", thaw_error_text());
    assert_non_null(strstr(thaw_error_text(), word));
}

static void bad_definitions_are_refused_by_name(void **state) {
    (void)state;
    Sample sample = {0};
    sample_box(&sample, thaw_vec(0, 0, 0), thaw_vec(1, 1, 1));
    ThawMesh mesh = sample_mesh(&sample);
    ThawFieldDef def = thaw_field_default(), good = field_def(THAW_FIELD_SOLID, 0.1, 0);
    assert_refused(&mesh, &def, "cell");
    def = good, def.cell = NAN;
    assert_refused(&mesh, &def, "cell");
    def = good, def.cell = 1e-7;
    assert_refused(&mesh, &def, "cell");
    def = good, def.band = 1.9;
    assert_refused(&mesh, &def, "band");
    def = good, def.band = 65;
    assert_refused(&mesh, &def, "band");
    def = good, def.offset = NAN;
    assert_refused(&mesh, &def, "offset");
    def = good, def.mode = THAW_FIELD_SHELL, def.offset = 0.04;
    assert_refused(&mesh, &def, "offset");
    def = good, def.threads = 257;
    assert_refused(&mesh, &def, "threads");
    def = good, def.mode = (ThawFieldMode)7;
    assert_refused(&mesh, &def, "mode");
    sample_free(&sample);
}

static void bad_meshes_are_refused(void **state) {
    (void)state;
    Sample sample = {0};
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 0.1, 0);
    ThawMesh mesh = sample_mesh(&sample);
    ThawField *field;
    assert_int_equal(thaw_field_create(&mesh, &def, &field), THAW_BAD_INPUT);
    sample_box(&sample, thaw_vec(0, 0, 0), thaw_vec(1, 1, 1));
    mesh = sample_mesh(&sample);
    sample.triangles[3][1] = 8;
    assert_int_equal(thaw_field_create(&mesh, &def, &field), THAW_BAD_INPUT);
    sample.triangles[3][1] = 7;
    sample.points[5][2] = NAN;
    assert_int_equal(thaw_field_create(&mesh, &def, &field), THAW_BAD_INPUT);
    sample.points[5][2] = 1;
    for (int k = 0; k < 8; k++) sample.points[k][0] = sample.points[k][1] = 0;
    assert_refused(&mesh, &def, "area");
    float values[8] = {0, 0, 0, INFINITY};
    sample.points[1][0] = 1;
    mesh.paint[THAW_PAINT_FRICTION].values = values;
    assert_refused(&mesh, &def, "friction");
    mesh.paint[THAW_PAINT_FRICTION] = (ThawPaint){.image = values, .width = 2, .height = 2};
    assert_refused(&mesh, &def, "texture");
    sample_free(&sample);
}

static void fields_keep_their_own_mesh_and_are_shared(void **state) {
    (void)state;
    Sample sample = {0};
    sample_box(&sample, thaw_vec(0, 0, 0), thaw_vec(1, 1, 1));
    ThawFieldDef def = field_def(THAW_FIELD_SOLID, 0.1, 0);
    ThawField *field = make_field(&sample, &def);
    ThawMesh mesh = thaw_field_mesh(field);
    assert_memory_equal(mesh.points, sample.points, sizeof *sample.points * 8);
    assert_memory_equal(mesh.triangles, sample.triangles, sizeof *sample.triangles * 12);
    sample_free(&sample);
    assert_ptr_equal(thaw_field_retain(field), field);
    thaw_field_release(field);
    assert_true(thaw_field_sample(field, thaw_vec(0.5, 0.5, 0.9), NULL) < 0);
    assert_int_equal(thaw_field_mesh(field).triangle_count, 12);
    thaw_field_release(field);
    thaw_field_release(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_within_0_6_cells_in_the_band),
        cmocka_unit_test(offset_solids_are_within_0_6_cells_in_the_band),
        cmocka_unit_test(shells_are_within_0_6_cells_in_the_band),
        cmocka_unit_test(smooth_surfaces_are_within_a_twentieth_of_a_cell),
        cmocka_unit_test(wide_bands_are_as_good),
        cmocka_unit_test(beyond_the_band_is_a_bound_with_the_right_sign),
        cmocka_unit_test(distance_is_exact_beyond_the_band),
        cmocka_unit_test(slopes_in_the_band_point_outwards),
        cmocka_unit_test(points_that_are_no_places_do_no_harm),
        cmocka_unit_test(volumes_are_within_0_3_percent_at_64_cells),
        cmocka_unit_test(volumes_know_the_offset),
        cmocka_unit_test(sections_are_within_half_a_percent),
        cmocka_unit_test(reports_tell_what_was_built),
        cmocka_unit_test(fields_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(many_at_once_are_as_one_by_one),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(far_from_the_origin_nothing_changes),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(fields_keep_their_own_mesh_and_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
