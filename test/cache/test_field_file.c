// Fields as files: what is read is what was written, or it is refused.
#include "cache/room.h"

#include "support/forms.h"

#include <math.h>

static ThawField *make_field(void) {
    Form torus = form_torus(0.3, 0.1, 16);
    ThawField *field = form_field(&torus, THAW_FIELD_SOLID, 0.02, 0.01);
    form_free(&torus);
    return field;
}

static void a_field_read_back_gives_the_same_distances(void **state) {
    (void)state;
    char *folder = make_folder();
    const char *path = in_folder(folder, "torus.thawfield");
    ThawField *field = make_field(), *again;
    assert_ok(thaw_field_write(field, path));
    assert_ok(thaw_field_read(path, &again));
    for (int k = 0; k < 2000; k++) {
        ThawVec3 p = {draw(1000) * 1e-3 - 0.5, draw(1000) * 1e-3 - 0.5, draw(400) * 1e-3 - 0.2};
        assert_true(thaw_field_distance(field, p) == thaw_field_distance(again, p));
    }
    ThawFieldReport a = thaw_field_report(field), b = thaw_field_report(again);
    assert_int_equal(a.triangles, b.triangles);
    assert_true(a.volume == b.volume && a.cell == b.cell && a.offset == b.offset);
    thaw_field_release(again);
    // the same field, the same file
    char *first = strdup(path);
    const char *second = in_folder(folder, "again.thawfield");
    assert_ok(thaw_field_write(field, second));
    assert_same_file(first, second);
    free(first);
    thaw_field_release(field);
    drop_folder(folder);
}

static void damaged_and_foreign_files_are_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    char *path = strdup(in_folder(folder, "torus.thawfield"));
    ThawField *field = make_field();
    assert_ok(thaw_field_write(field, path));
    thaw_field_release(field);
    Bytes bytes = load(path);
    for (int k = 0; k < 100; k++) {
        size_t at = k < 32 ? (size_t)k : draw((uint32_t)bytes.size);
        if (at >= 12 && at < 16) continue; // not used
        uint8_t before = bytes.data[at];
        bytes.data[at] ^= (uint8_t)(1u << draw(8));
        store(path, bytes.data, bytes.size);
        assert_refused(thaw_field_read(path, &field), "torus.thawfield");
        assert_null(field);
        bytes.data[at] = before;
    }
    for (size_t size = 0; size < bytes.size; size += 1 + bytes.size / 7) {
        store(path, bytes.data, size);
        assert_refused(thaw_field_read(path, &field), "torus.thawfield");
    }
    assert_missing(thaw_field_read("/nowhere/f.thawfield", &field), "/nowhere");
    free(bytes.data);
    free(path);
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_read_back_gives_the_same_distances),
        cmocka_unit_test(damaged_and_foreign_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
