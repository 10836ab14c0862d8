// thaw plot: columns of a run's statistics as a picture.
#include "say.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <thaw/render.h>

static void list_columns(const ThawTable *table) {
    for (int k = 0; k < table->columns; k++) printf("%s\n", table->names[k]);
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
    int status = refuse_unknown("plot", name, known);
    free(known);
    fprintf(stderr, "the columns are listed by 'thaw plot DIR --list'\n");
    return status;
}

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

static int plot_table(const Arguments *arguments, const char *directory, const ThawTable *table) {
    const char *x = arguments_text(arguments, "x"), *asked = arguments_text(arguments, "output");
    int count = arguments->operand_count - 1;
    double size[2] = {960, 540};
    if (!arguments_reals(arguments, "size", 'x', 2, size)) return EXIT_USAGE;
    if (!(size[0] >= 64 && size[0] <= 8192 && size[1] >= 64 && size[1] <= 8192))
        return say_usage("plot", "--size must be like 960x540, each from 64 to 8192");
    ThawPlotDef def = {.width = (int)size[0],
                       .height = (int)size[1],
                       .x = x != NULL ? x : "time",
                       .y = count > 0 ? arguments->operands + 1 : usual,
                       .y_count = count > 0 ? count : 2,
                       .log_y = arguments_has(arguments, "log")};
    if (!has_column(table, def.x)) return refuse_column(table, def.x);
    for (int k = 0; k < def.y_count; k++) {
        if (!has_column(table, def.y[k])) return refuse_column(table, def.y[k]);
    }
    ThawScene *scene = store_scene(directory);
    if (scene != NULL) def.title = scene->title;
    char *path = asked != NULL ? path_join("", asked) : path_join(directory, "plot.png");
    int status = path != NULL ? draw(&def, table, path) : say_failure("plot", "out of memory");
    free(path);
    thaw_scene_free(scene);
    return status;
}

static int run(const Arguments *arguments) {
    const char *directory = arguments->operands[0];
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
    {"list", 0, NULL, NULL, "the columns there are", NULL},
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
