// thaw render: pictures of frames, one by one or on a sheet.
#include "picture.h"
#include "say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHEET_USUAL = 9, SHEET_MOST = 24, SHEET_CELL = 480 };

// ---------------------------------------------------------------- a sheet

typedef struct Sheet {
    ThawImage *images[SHEET_MOST];
    char labels[SHEET_MOST][48];
    int count;
    ThawColorKinds kinds; // that some picture shows
} Sheet;

static ThawResult add_picture(Sheet *sheet, const Store *store, const Look *look, int number) {
    ThawFrame *frame = NULL;
    ThawResult result = store_read(store, number, &frame);
    if (result == THAW_OK) result = look_kinds(look, frame, &sheet->kinds);
    if (result == THAW_OK) result = look_draw(look, frame, &sheet->images[sheet->count]);
    if (result == THAW_OK) {
        snprintf(sheet->labels[sheet->count], sizeof sheet->labels[0], "%d  %.3f s", number,
                 frame->info.time);
        sheet->count++;
    }
    thaw_frame_free(frame);
    return result;
}

// wider than high, with as few cells as possible left empty
static int choose_columns(int count) {
    int best = count;
    double least = INFINITY;
    for (int columns = (int)ceil(sqrt(count)); columns <= count; columns++) {
        int empty = (count + columns - 1) / columns * columns - count;
        double cost = empty + 0.7 * fabs(columns - 1.1 * sqrt(count));
        if (cost < least) {
            least = cost;
            best = columns;
        }
    }
    return best;
}

// two pictures of one height side by side
static ThawResult join(const ThawImage *left, const ThawImage *right, ThawImage **both) {
    size_t a = 3 * (size_t)left->width, b = 3 * (size_t)right->width;
    ThawResult result = thaw_image_create(left->width + right->width, left->height, both);
    for (int y = 0; result == THAW_OK && y < left->height; y++) {
        memcpy((*both)->pixels + (size_t)y * (a + b), left->pixels + (size_t)y * a, a);
        memcpy((*both)->pixels + (size_t)y * (a + b) + a, right->pixels + (size_t)y * b, b);
    }
    return result;
}

// the pictures in a grid, and beside them what the colours mean: numbers as in the first frame, kinds of all
static ThawResult join_sheet(const Sheet *sheet, const Store *store, const Look *look, int first,
                             ThawImage **whole) {
    const char *labels[SHEET_MOST];
    for (int k = 0; k < sheet->count; k++) labels[k] = sheet->labels[k];
    ThawImage *grid = NULL, *legend = NULL;
    ThawFrame *frame = NULL;
    ThawResult result =
        thaw_image_sheet((const ThawImage *const *)sheet->images, labels, sheet->count,
                         choose_columns(sheet->count), sheet->images[0]->width, &grid);
    if (result == THAW_OK) result = store_read(store, first, &frame);
    if (result == THAW_OK) result = look_legend(look, frame, &sheet->kinds, grid->height, &legend);
    thaw_frame_free(frame);
    if (result == THAW_OK && legend != NULL) {
        result = join(grid, legend, whole);
        thaw_image_free(grid);
        thaw_image_free(legend);
    } else {
        *whole = grid;
    }
    return result;
}

static ThawResult write_sheet(const Sheet *sheet, const Store *store, const Look *look, int first,
                              const char *path) {
    ThawImage *whole = NULL;
    ThawResult result = join_sheet(sheet, store, look, first, &whole);
    if (result == THAW_OK) result = thaw_image_write(whole, path);
    thaw_image_free(whole);
    return result;
}

// at most `most` of the frames, the first and the last among them
static int draw_sheet(const Store *store, const Look *look, const FrameList *frames, int most,
                      const char *path) {
    Sheet sheet = {0};
    Look small = *look;
    small.plain = true;
    small.def.width = SHEET_CELL;
    small.def.height = (int)lround((double)SHEET_CELL * look->def.height / look->def.width);
    if (small.def.height < 16) small.def.height = 16;
    int count = frames->count < most ? frames->count : most, status = EXIT_DONE;
    for (int k = 0; k < count && status == EXIT_DONE; k++) {
        double at = count > 1 ? (double)(frames->count - 1) * k / (count - 1) : 0;
        ThawResult result = add_picture(&sheet, store, &small, frames->numbers[lround(at)]);
        if (result != THAW_OK) status = say_result("render", result);
    }
    if (status == EXIT_DONE &&
        write_sheet(&sheet, store, look, frames->numbers[0], path) != THAW_OK)
        status = say_failure("render", "%s", thaw_error_text());
    for (int k = 0; k < sheet.count; k++) thaw_image_free(sheet.images[k]);
    if (status == EXIT_DONE) printf("%d pictures on %s\n", sheet.count, path);
    return status;
}

// ---------------------------------------------------------------- the command

static int draw_series(const Arguments *arguments, const Store *store, const Look *look,
                       const FrameList *frames) {
    const char *asked = arguments_text(arguments, "output");
    char *folder = asked != NULL ? path_join("", asked) : path_join(store->directory, "images");
    if (folder == NULL) return say_failure("render", "out of memory");
    DrawJob job = {.store = store, .look = look, .folder = folder, .frames = *frames};
    int drawn, status = draw_frames("render", &job, &drawn);
    char path[4096];
    picture_path(folder, frames->numbers[0], path, sizeof path);
    if (status == EXIT_DONE && drawn == 1)
        printf("%s\n", path);
    else if (status == EXIT_DONE)
        printf("%d pictures in %s\n", drawn, folder);
    free(folder);
    return status;
}

static const char *const endings[] = {".png", NULL};

static int run(const Arguments *arguments) {
    Store store;
    Look look = {0};
    FrameList frames;
    if (path_judge(arguments, "sheet", endings) != EXIT_DONE) return EXIT_USAGE;
    int status = store_open(arguments, arguments->operands[0], &store);
    if (status != EXIT_DONE) return status;
    status = store_list(arguments, &store, &frames);
    if (status == EXIT_DONE) status = look_create(arguments, store.scene, &look);
    if (status == EXIT_DONE) status = look_at_store(arguments, &store, &look);
    look_settle(&look);
    const char *sheet = arguments_text(arguments, "sheet");
    if (status == EXIT_DONE && sheet != NULL)
        status = draw_sheet(&store, &look, &frames,
                            arguments_has(arguments, "frames") ? SHEET_MOST : SHEET_USUAL, sheet);
    else if (status == EXIT_DONE)
        status = draw_series(arguments, &store, &look, &frames);
    list_free(&frames);
    look_free(&look);
    store_close(&store);
    return status;
}

static const Option options[] = {
    {"frames", 0, "A:B:STEP", "all", "frames to draw: 12, 0:100, 0:100:10, or a list: 1,5,9", NULL},
    {"output", 'o', "DIR", "DIR/images of the cache", "folder for the pictures", COMPLETE_FOLDERS},
    {"sheet", 0, "FILE.png", NULL,
     "one contact sheet instead of single pictures: 9 frames, or up to 24 of --frames",
     COMPLETE_FILES},
    PICTURE_OPTIONS,
    {0}};
static const Example examples[] = {
    {"thaw render out/dam --frames 50", "one picture, out/dam/images/frame_000050.png"},
    {"thaw render out/dam --sheet sheet.png", "the whole run on one sheet"},
    {"thaw render out/dam --frames 50 --eye 2,-2,1 --target 0,0,0.3 --color density_error",
     "from another side, coloured by a column of the frames"},
    {NULL, NULL}};
const Command command_render = {
    .name = "render",
    .summary = "draw pictures of frames",
    .operands = "DIR",
    .least = 1,
    .most = 1,
    .offer = COMPLETE_FOLDERS,
    .about =
        "Draws particles as shaded spheres, with the colliders, without a GPU or a display. The "
        "camera is given by flags, else by the scene, else it frames the whole scene. Colours "
        "mean the same in all frames.",
    .options = options,
    .examples = examples,
    .run = run};
