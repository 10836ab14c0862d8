// Tables of numbers: read strictly, with the place of what is wrong.
#include "cache/room.h"

#include <locale.h>

static ThawResult read_text(const char *text, ThawTable **table) {
    char *folder = make_folder();
    store(in_folder(folder, "t.csv"), text, strlen(text));
    ThawResult result = thaw_table_read(in_folder(folder, "t.csv"), table);
    drop_folder(folder);
    return result;
}

static void good_tables_are_read(void **state) {
    (void)state;
    ThawTable *table;
    assert_ok(read_text("a,b\n1,-2.5e-3\n+3,nan\n", &table));
    assert_int_equal(table->columns, 2);
    assert_int_equal(table->rows, 2);
    assert_string_equal(table->names[1], "b");
    assert_true(table->values[0] == 1 && table->values[1] == -2.5e-3 && table->values[2] == 3);
    assert_true(isnan(table->values[3]));
    thaw_table_free(table);
    // a header alone; carriage returns; no newline at the end
    assert_ok(read_text("a,b\n", &table));
    assert_int_equal(table->rows, 0);
    thaw_table_free(table);
    assert_ok(read_text("a,b\r\n1,2\r\n3,4", &table));
    assert_int_equal(table->rows, 2);
    assert_true(table->values[3] == 4);
    thaw_table_free(table);
}

static void a_row_cut_off_at_the_end_is_left_out(void **state) {
    (void)state;
    ThawTable *table;
    assert_ok(read_text("a,b,c\n1,2,3\n4,5", &table));
    assert_int_equal(table->rows, 1);
    thaw_table_free(table);
}

static void bad_tables_are_refused_with_their_line(void **state) {
    (void)state;
    ThawTable *table = NULL;
    assert_refused(read_text("", &table), ":1: there is no line of column names");
    assert_refused(read_text("\n1\n", &table), ":1:");
    assert_refused(read_text("a,,c\n", &table), ":1: column 2");
    assert_refused(read_text("a,b c\n", &table), ":1: column 2");
    assert_refused(read_text("abcdefghijklmnopqrstuvwxyz012345\n", &table), ":1: column 1");
    assert_refused(read_text("a,b\n1,2\n3\n4,5\n", &table), ":3: there are 1 values for 2");
    assert_refused(read_text("a,b\n1,2\n3,4,5\n", &table), ":3: there are 3 values for 2");
    assert_refused(read_text("a,b\n1,2\n\n", &table), ":3:");
    assert_refused(read_text("a,b\n1,x\n", &table), ":2: column \"b\" is not a number: \"x\"");
    assert_refused(read_text("a,b\n1,\n", &table), ":2: column \"b\"");
    assert_refused(read_text("a,b\n 1,2\n", &table), ":2: column \"a\"");
    assert_refused(read_text("a,b\n0x10,2\n", &table), ":2: column \"a\"");
    assert_refused(read_text("a,b\n1e,2\n", &table), ":2: column \"a\"");
    assert_missing(thaw_table_read("/nowhere/t.csv", &table), "/nowhere/t.csv");
    assert_null(table);
}

static void many_columns_and_bytes_of_any_kind_do_no_harm(void **state) {
    (void)state;
    ThawTable *table = NULL;
    char wide[2000];
    for (size_t k = 0; k < sizeof wide; k++) wide[k] = k % 2 == 0 ? 'a' : ',';
    wide[sizeof wide - 1] = '\0';
    assert_refused(read_text(wide, &table), "are more than 256");
    char *folder = make_folder();
    for (int turn = 0; turn < 200; turn++) {
        char text[64];
        static const char alphabet[] = "ab,,\n\n12.e-\r \xff";
        for (size_t k = 0; k < sizeof text; k++) {
            text[k] = draw(20) == 0 ? '\0' : alphabet[draw(sizeof alphabet - 1)];
        }
        store(in_folder(folder, "t.csv"), text, draw(sizeof text));
        if (thaw_table_read(in_folder(folder, "t.csv"), &table) == THAW_OK) thaw_table_free(table);
    }
    drop_folder(folder);
}

// German writes 0,5: files must not
static void the_language_of_the_host_does_not_matter(void **state) {
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) skip();
    ThawTable *table;
    assert_ok(read_text("a,b\n0.5,2\n", &table));
    assert_true(table->values[0] == 0.5);
    thaw_table_free(table);
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_tables_are_read),
        cmocka_unit_test(a_row_cut_off_at_the_end_is_left_out),
        cmocka_unit_test(bad_tables_are_refused_with_their_line),
        cmocka_unit_test(many_columns_and_bytes_of_any_kind_do_no_harm),
        cmocka_unit_test(the_language_of_the_host_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
