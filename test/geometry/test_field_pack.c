// Fields as bytes: what is opened is what was packed, and damaged bytes are refused or harmless.
#include "geometry/field.h"
#include "geometry/field_bricks.h"
#include "math/vec.h"
#include "support/mesh_samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef THAW_TEST_SANITIZED
enum { FLIPS = 1500 };
#else
enum { FLIPS = 6000 };
#endif

typedef struct Packed {
    void *bytes;
    size_t size;
} Packed;

// a small painted ball, open, with a turned face: every array is there
static ThawField *make_field(ThawFieldMode mode) {
    Sample ball = {0};
    sample_ball(&ball, (ThawVec3){0, 0, 0}, 1, 12, 0);
    ball.triangle_count -= 30;
    uint32_t swap = ball.triangles[40][1];
    ball.triangles[40][1] = ball.triangles[40][2];
    ball.triangles[40][2] = swap;
    ThawMesh mesh = sample_mesh(&ball);
    static float values[1000], image[6] = {1, 2, 3, 4, 5, 6}, uv[3 * 1000][2];
    for (int k = 0; k < 1000; k++) values[k] = (float)k;
    for (int k = 0; k < 3000; k++) uv[k][0] = uv[k][1] = (float)k * 0.01f;
    assert_true(mesh.point_count < 1000 && mesh.triangle_count < 1000);
    mesh.uv = (const float(*)[2])uv;
    mesh.paint[THAW_PAINT_FRICTION].values = values;
    mesh.paint[THAW_PAINT_TEMPERATURE] = (ThawPaint){.image = image, .width = 3, .height = 2};
    ThawFieldDef def = thaw_field_default();
    def.mode = mode;
    def.cell = 0.2;
    ThawField *field = NULL;
    assert_int_equal(thaw_field_create(&mesh, &def, &field), THAW_OK);
    sample_free(&ball);
    return field;
}

static Packed pack(const ThawField *field) {
    Packed packed;
    assert_int_equal(thaw_field_pack(field, &packed.bytes, &packed.size), THAW_OK);
    return packed;
}

static ThawVec3 random_point(uint64_t *seed) {
    double x = sample_uniform(seed, -2, 2), y = sample_uniform(seed, -2, 2);
    return thaw_vec(x, y, sample_uniform(seed, -2, 2));
}

static void opened_fields_are_what_was_packed(void **state) {
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        ThawField *field = make_field((ThawFieldMode)mode), *opened = NULL;
        Packed packed = pack(field);
        assert_int_equal(thaw_field_unpack(packed.bytes, packed.size, &opened), THAW_OK);
        Packed again = pack(opened);
        assert_int_equal(again.size, packed.size);
        assert_memory_equal(again.bytes, packed.bytes, packed.size);
        uint64_t seed = 1;
        for (int k = 0; k < 2000; k++) {
            ThawVec3 p = random_point(&seed), a, b;
            assert_true(thaw_field_sample(field, p, &a) == thaw_field_sample(opened, p, &b));
            assert_memory_equal(&a, &b, sizeof a);
            ThawNearest s = thaw_field_nearest(field, p), t = thaw_field_nearest(opened, p);
            assert_memory_equal(&s, &t, sizeof s);
            ThawFieldSpot u = thaw_field_spot(field, p), v = thaw_field_spot(opened, p);
            assert_int_equal(u.triangle, v.triangle);
            assert_memory_equal(u.weight, v.weight, sizeof u.weight);
            assert_true(thaw_field_paint(field, THAW_PAINT_FRICTION, &u, 0) ==
                        thaw_field_paint(opened, THAW_PAINT_FRICTION, &v, 0));
            assert_true(thaw_field_paint(field, THAW_PAINT_TEMPERATURE, &u, 0) ==
                        thaw_field_paint(opened, THAW_PAINT_TEMPERATURE, &v, 0));
            assert_true(thaw_field_paint(opened, THAW_PAINT_ADHESION, &v, 7) == 7);
        }
        assert_true(thaw_field_report(opened).volume == thaw_field_report(field).volume);
        assert_int_equal(thaw_field_report(opened).open_edges, thaw_field_report(field).open_edges);
        thaw_field_free_bytes(packed.bytes);
        thaw_field_free_bytes(again.bytes);
        thaw_field_release(field);
        thaw_field_release(opened);
    }
}

static void assert_refused(const void *bytes, size_t size) {
    ThawField *opened = (ThawField *)(uintptr_t)1;
    assert_int_equal(thaw_field_unpack(bytes, size, &opened), THAW_BAD_INPUT);
    assert_null(opened);
    assert_true(strlen(thaw_error_text()) > 10);
}

static void truncated_bytes_are_refused(void **state) {
    (void)state;
    ThawField *field = make_field(THAW_FIELD_SOLID);
    Packed packed = pack(field);
    assert_refused(NULL, 0);
    for (size_t size = 0; size < packed.size; size += size < 2000 ? 1 : 331) {
        // a block of its own, so that a read beyond it is seen
        unsigned char *cut = malloc(size + 1);
        memcpy(cut, packed.bytes, size);
        assert_refused(cut, size);
        if (size >= 24) {
            // and with lengths and checksum made right
            uint64_t all = size, sum;
            memcpy(cut + 8, &all, 8);
            sum = thaw_field_checksum(cut, size - 8);
            memcpy(cut + size - 8, &sum, 8);
            assert_refused(cut, size);
        }
        free(cut);
    }
    unsigned char *longer = calloc(packed.size + 64, 1);
    memcpy(longer, packed.bytes, packed.size);
    assert_refused(longer, packed.size + 64);
    free(longer);
    thaw_field_free_bytes(packed.bytes);
    thaw_field_release(field);
}

static void flipped_bytes_are_refused(void **state) {
    (void)state;
    ThawField *field = make_field(THAW_FIELD_SOLID);
    Packed packed = pack(field);
    unsigned char *bytes = packed.bytes;
    uint64_t seed = 77;
    for (int k = 0; k < FLIPS; k++) {
        size_t at = (size_t)sample_uniform(&seed, 0, (double)packed.size);
        unsigned char old = bytes[at];
        bytes[at] = (unsigned char)(old ^ 1u << k % 8);
        assert_refused(bytes, packed.size);
        bytes[at] = old;
    }
    thaw_field_free_bytes(packed.bytes);
    thaw_field_release(field);
}

// asks everything of a field that may be wrong but must not crash
static void ask_everything(const ThawField *field, uint64_t *seed) {
    float x[8], y[8], z[8], out[8];
    for (int k = 0; k < 8; k++) {
        ThawVec3 p = random_point(seed);
        x[k] = (float)p.x;
        y[k] = (float)p.y;
        z[k] = (float)p.z;
        thaw_field_sample(field, p, NULL);
        thaw_field_nearest(field, p);
        ThawFieldSpot spot = thaw_field_spot(field, p);
        assert_true(spot.triangle < thaw_field_mesh(field).triangle_count);
        for (int paint = 0; paint < THAW_PAINTS; paint++) {
            thaw_field_paint(field, (ThawPaintKind)paint, &spot, 0);
        }
    }
    ThawFieldPoints points = {.x = x, .y = y, .z = z, .count = 8, .distance = out};
    thaw_field_sample_many(THAW_ISA_AUTO)(field, &points);
}

static void bytes_made_up_with_a_right_checksum_do_no_harm(void **state) {
    (void)state;
    ThawField *field = make_field(THAW_FIELD_SOLID);
    Packed packed = pack(field);
    unsigned char *bytes = packed.bytes, *made = malloc(packed.size);
    uint64_t seed = 5;
    int refused = 0;
    for (int k = 0; k < FLIPS; k++) {
        memcpy(made, bytes, packed.size);
        // the header and the tables more often than the rest
        size_t end = k % 2 ? 700 : packed.size - 8;
        for (int n = 0; n <= k % 3; n++) {
            size_t at = (size_t)sample_uniform(&seed, 0, (double)end);
            made[at] = (unsigned char)sample_uniform(&seed, 0, 256);
        }
        uint64_t sum = thaw_field_checksum(made, packed.size - 8);
        memcpy(made + packed.size - 8, &sum, 8);
        ThawField *opened = NULL;
        if (thaw_field_unpack(made, packed.size, &opened) == THAW_OK) {
            ask_everything(opened, &seed);
            thaw_field_release(opened);
        } else {
            refused++;
        }
    }
    assert_true(refused > FLIPS / 20 && refused < FLIPS);
    free(made);
    thaw_field_free_bytes(packed.bytes);
    thaw_field_release(field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opened_fields_are_what_was_packed),
        cmocka_unit_test(truncated_bytes_are_refused),
        cmocka_unit_test(flipped_bytes_are_refused),
        cmocka_unit_test(bytes_made_up_with_a_right_checksum_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
