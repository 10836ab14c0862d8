// thaw plot: columns of a run's statistics as a picture.
#include "say.h"
#include "stats_columns.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <thaw/render.h>

static void list_columns(const ThawTable *table) {
    for (int k = 0; k < table->columns; k++) {
        StatsColumn column = stats_column(table->names[k]);
        printf("%-20s %-9s %s\n", table->names[k], column.unit[0] != '\0' ? column.unit : "-",
               column.meaning);
    }
}

static bool has_column(const ThawTable *table, const char *name) {
    for (int k = 0; k < table->columns; k++) {
        if (strcmp(table->names[k], name) == 0) return true;
    }
    return false;
}

static int refuse_column(const ThawTable *table, const char *name) {
    const char **known = calloc((size_t)table->columns + 1, sizeof *known);
    if (known == NULL) return say_failure("plot", "out of memory");
    for (int k = 0; k < table->columns; k++) known[k] = table->names[k];
    int status = refuse_word("plot", "column", name, known);
    free(known);
    fprintf(stderr, "the columns are listed by 'thaw plot DIR --list'\n");
    return status;
}

// ---------------------------------------------------------------- numbers and words

enum { LINES_MOST = 8, LABEL = 64 };

static double *value_at(const ThawTable *table, int row, int column) {
    return table->values + (size_t)row * (size_t)table->columns + (size_t)column;
}

// gives every column the unit in which it is shown
static void scale_columns(ThawTable *table) {
    for (int column = 0; column < table->columns; column++) {
        double scale = stats_column(table->names[column]).scale;
        for (int row = 0; row < table->rows; row++) *value_at(table, row, column) *= scale;
    }
}

// what a logarithm cannot show
static void say_left_out(const ThawTable *table, const ThawPlotDef *def) {
    int left_out = 0, all = 0;
    for (int k = 0; k < def->y_count; k++) {
        for (int column = 0; column < table->columns; column++) {
            if (strcmp(table->names[column], def->y[k]) != 0) continue;
            all += table->rows;
            for (int row = 0; row < table->rows; row++)
                left_out += !(*value_at(table, row, column) > 0);
        }
    }
    if (left_out > 0)
        say_warning("plot", "%d of %d values are not above 0 and are left out by --log", left_out,
                    all);
}

// "kinetic energy, J"
static void name_column(const char *name, char text[LABEL]) {
    StatsColumn column = stats_column(name);
    snprintf(text, LABEL, "%s%s%s", column.title, column.unit[0] != '\0' ? ", " : "", column.unit);
}

// The words of a plot: lines of one unit share it on the ordinate, others have theirs in the legend.
typedef struct Words {
    char x[LABEL], y[LABEL];
    char lines[LINES_MOST][LABEL];
    const char *names[LINES_MOST];
} Words;

static void find_words(ThawPlotDef *def, Words *words) {
    StatsColumn first = stats_column(def->y[0]);
    bool same = true;
    for (int k = 1; k < def->y_count; k++)
        same = same && strcmp(stats_column(def->y[k]).unit, first.unit) == 0;
    for (int k = 0; k < def->y_count; k++) {
        name_column(def->y[k], words->lines[k]);
        if (same) snprintf(words->lines[k], LABEL, "%s", stats_column(def->y[k]).title);
        words->names[k] = words->lines[k];
    }
    name_column(def->x, words->x);
    if (def->y_count == 1)
        name_column(def->y[0], words->y);
    else
        snprintf(words->y, LABEL, "%s%s", strcmp(first.unit, "J") == 0 && same ? "energy, " : "",
                 same ? first.unit : "");
    def->x_label = words->x;
    def->y_label = words->y;
    def->y_names = words->names;
}

// ---------------------------------------------------------------- the command

static int draw(const ThawPlotDef *def, const ThawTable *table, const char *path) {
    ThawImage *image = NULL;
    ThawResult result = thaw_plot_table(table, def, &image);
    if (result != THAW_OK) return say_result("plot", result);
    result = thaw_image_write(image, path);
    thaw_image_free(image);
    if (result != THAW_OK) return say_failure("plot", "%s", thaw_error_text());
    printf("%s\n", path);
    return EXIT_DONE;
}

static const char *const usual[] = {"kinetic", "potential"};

static int choose_columns(const Arguments *arguments, const ThawTable *table, ThawPlotDef *def) {
    const char *x = arguments_text(arguments, "x");
    int count = arguments->operand_count - 1, size[2] = {960, 540};
    if (!arguments_size(arguments, "960x540", 64, 8192, size)) return EXIT_USAGE;
    *def = (ThawPlotDef){.width = size[0],
                         .height = size[1],
                         .x = x != NULL ? x : "time",
                         .y = count > 0 ? arguments->operands + 1 : usual,
                         .y_count = count > 0 ? count : 2,
                         .log_y = arguments_has(arguments, "log")};
    if (!has_column(table, def->x)) return refuse_column(table, def->x);
    for (int k = 0; k < def->y_count; k++) {
        if (!has_column(table, def->y[k])) return refuse_column(table, def->y[k]);
    }
    return EXIT_DONE;
}

static int plot_table(const Arguments *arguments, const char *directory, ThawTable *table) {
    const char *asked = arguments_text(arguments, "output");
    ThawPlotDef def;
    Words words;
    int status = choose_columns(arguments, table, &def);
    if (status != EXIT_DONE) return status;
    scale_columns(table);
    find_words(&def, &words);
    if (def.log_y) say_left_out(table, &def);
    ThawScene *scene = store_words(directory);
    if (scene != NULL) def.title = scene->title;
    char *path = asked != NULL ? path_join("", asked) : path_join(directory, "plot.png");
    status = path != NULL ? draw(&def, table, path) : say_failure("plot", "out of memory");
    free(path);
    thaw_scene_free(scene);
    return status;
}

static const char *const endings[] = {".png", NULL};

static int run(const Arguments *arguments) {
    const char *directory = arguments->operands[0];
    if (path_judge(arguments, "output", endings) != EXIT_DONE) return EXIT_USAGE;
    if (!path_is_folder(directory))
        return say_usage("plot", "there is no directory '%s'", directory);
    char *path = path_join(directory, "stats.csv");
    if (path == NULL) return say_failure("plot", "out of memory");
    ThawTable *table = NULL;
    ThawResult result = thaw_table_read(path, &table);
    free(path);
    if (result != THAW_OK) return say_result("plot", result);
    int status = EXIT_DONE;
    if (arguments_has(arguments, "list"))
        list_columns(table);
    else
        status = plot_table(arguments, directory, table);
    thaw_table_free(table);
    return status;
}

static const Option options[] = {
    {"x", 0, "COLUMN", "time", "column along the abscissa", NULL},
    {"log", 0, NULL, NULL, "a logarithmic ordinate", NULL},
    {"size", 0, "WxH", "960x540", "size of the picture in pixels", NULL},
    {"output", 'o', "FILE.png", "DIR/plot.png", "the picture", COMPLETE_FILES},
    {"list", 0, NULL, NULL, "the columns there are, with their units and meanings", NULL},
    {0}};
static const Example examples[] = {
    {"thaw plot out/dam kinetic potential", "energies over time, to out/dam/plot.png"},
    {"thaw plot out/dam max_density_error --log -o error.png", "on a logarithmic scale"},
    {NULL, NULL}};
const Command command_plot = {
    .name = "plot",
    .summary = "draw statistics of a run over time",
    .operands = "DIR [COLUMN...]",
    .least = 1,
    .most = 9,
    .offer = COMPLETE_FOLDERS,
    .about = "Draws up to eight columns of DIR/stats.csv as curves; kinetic and potential energy "
             "when none is named.",
    .options = options,
    .examples = examples,
    .run = run};
