// Plots: lines where the numbers say, and calm with odd numbers.
#include "rig.h"

#define ROWS 101

typedef struct Table {
    ThawTable table;
    char names[3][32];
    double values[ROWS * 3];
} Table;

static void fill(Table *t) {
    *t = (Table){.table = {.rows = ROWS, .columns = 3}};
    strcpy(t->names[0], "time");
    strcpy(t->names[1], "rise");
    strcpy(t->names[2], "flat");
    t->table.names = t->names;
    t->table.values = t->values;
    for (int k = 0; k < ROWS; k++) {
        t->values[3 * k] = 0.1 * k;
        t->values[3 * k + 1] = 0.1 * k;
        t->values[3 * k + 2] = 5;
    }
}

static bool is_line(const uint8_t *p) {
    return p[2] > p[0] + 60; // the first line's blue
}

// mean row of the line's pixels in a column of the picture; negative when there are none
static double line_row(const ThawImage *image, int x) {
    double sum = 0;
    int count = 0;
    for (int y = 0; y < image->height; y++) {
        if (!is_line(pixel_at(image, x, y))) continue;
        sum += y;
        count++;
    }
    return count > 0 ? sum / count : -1;
}

static ThawImage *plot(const Table *t, const char *y, bool log_y) {
    ThawPlotDef def = {.width = 600, .height = 400, .y = &y, .y_count = 1, .log_y = log_y};
    ThawImage *image;
    assert_ok(thaw_plot_table(&t->table, &def, &image));
    return image;
}

static void a_straight_line_is_straight_and_rises(void **state) {
    (void)state;
    Table t;
    fill(&t);
    ThawImage *image = plot(&t, "rise", false);
    double a = line_row(image, 200), b = line_row(image, 300), c = line_row(image, 400);
    assert_true(a > 0 && b > 0 && c > 0);
    assert_true(a > b + 30 && b > c + 30);
    assert_true(fabs((a - b) - (b - c)) < 1.5);
    thaw_image_free(image);
}

static void equal_numbers_give_a_level_line(void **state) {
    (void)state;
    Table t;
    fill(&t);
    ThawImage *image = plot(&t, "flat", false);
    assert_true(line_row(image, 150) > 20 && line_row(image, 150) < 380);
    assert_true(fabs(line_row(image, 150) - line_row(image, 500)) < 1e-9);
    thaw_image_free(image);
}

static void an_exponential_is_straight_on_a_log_axis(void **state) {
    (void)state;
    Table t;
    fill(&t);
    for (int k = 0; k < ROWS; k++) t.values[3 * k + 1] = exp(-0.1 * k);
    ThawImage *image = plot(&t, "rise", true);
    double a = line_row(image, 200), b = line_row(image, 300), c = line_row(image, 400);
    assert_true(a > 0 && b > a + 30 && c > b + 30);
    assert_true(fabs((b - a) - (c - b)) < 1.5);
    thaw_image_free(image);
}

static void odd_numbers_leave_gaps(void **state) {
    (void)state;
    Table t;
    fill(&t);
    for (int k = 40; k < 60; k++) t.values[3 * k + 1] = k % 2 ? NAN : INFINITY;
    t.values[3 * 80] = NAN;
    ThawImage *image = plot(&t, "rise", false);
    int gap = 0;
    for (int x = 200; x < 450; x++) gap += line_row(image, x) < 0;
    assert_true(gap > 50 && gap < 150);
    thaw_image_free(image);
    for (int k = 0; k < 3 * ROWS; k++) t.values[k] = NAN;
    thaw_image_free(plot(&t, "rise", false));
    thaw_image_free(plot(&t, "rise", true));
    for (int k = 0; k < 3 * ROWS; k++) t.values[k] = k % 2 ? 1e308 : -1e308;
    thaw_image_free(plot(&t, "rise", false));
    for (int k = 0; k < 3 * ROWS; k++) t.values[k] = 1e-310;
    thaw_image_free(plot(&t, "rise", true));
    t.table.rows = 0;
    thaw_image_free(plot(&t, "rise", false));
}

static void several_lines_have_a_legend_and_small_plots_no_trouble(void **state) {
    (void)state;
    Table t;
    fill(&t);
    const char *y[8] = {"rise", "flat", "rise", "flat", "rise", "flat", "rise", "flat"};
    const int sizes[][2] = {{1, 1}, {30, 20}, {300, 900}, {1000, 700}};
    for (int k = 0; k < 4; k++) {
        ThawPlotDef def = {
            .width = sizes[k][0], .height = sizes[k][1], .y = y, .y_count = 8, .title = "many"};
        // with names for some of them
        const char *names[8] = {"one", NULL, "three"};
        if (k % 2 == 1) def.y_names = names;
        ThawImage *image;
        assert_ok(thaw_plot_table(&t.table, &def, &image));
        thaw_image_free(image);
    }
}

static void unknown_columns_and_bad_counts_are_named(void **state) {
    (void)state;
    Table t;
    fill(&t);
    const char *y = "fall";
    ThawPlotDef def = {.y = &y, .y_count = 1};
    ThawImage *image;
    assert_missing(thaw_plot_table(&t.table, &def, &image), "it has time, rise, flat");
    y = "rise";
    def.x = "age";
    assert_missing(thaw_plot_table(&t.table, &def, &image), "age");
    def.x = NULL;
    def.y_count = 0;
    assert_refused(thaw_plot_table(&t.table, &def, &image), "y_count");
    def.y_count = 9;
    assert_refused(thaw_plot_table(&t.table, &def, &image), "y_count");
    def.y_count = 1;
    def.width = -1;
    assert_refused(thaw_plot_table(&t.table, &def, &image), "width");
    def.width = 0;
    assert_ok(thaw_plot_table(&t.table, &def, &image));
    assert_int_equal(image->width, 960);
    thaw_image_free(image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_line_is_straight_and_rises),
        cmocka_unit_test(equal_numbers_give_a_level_line),
        cmocka_unit_test(an_exponential_is_straight_on_a_log_axis),
        cmocka_unit_test(odd_numbers_leave_gaps),
        cmocka_unit_test(several_lines_have_a_legend_and_small_plots_no_trouble),
        cmocka_unit_test(unknown_columns_and_bad_counts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
