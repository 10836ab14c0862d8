// thaw render: pictures of frames, one by one or on a sheet.
#include "picture.h"
#include "say.h"

#include <math.h>
#include <stdlib.h>

enum { SHEET_MOST = 24, SHEET_CELL = 480 };

// ---------------------------------------------------------------- a sheet

typedef struct Sheet {
    ThawImage *images[SHEET_MOST];
    char labels[SHEET_MOST][48];
    int count;
} Sheet;

static ThawResult add_picture(Sheet *sheet, const Store *store, const Look *look, int number) {
    ThawFrame *frame = NULL;
    ThawResult result = store_read(store, number, &frame);
    if (result == THAW_OK) result = look_draw(look, frame, &sheet->images[sheet->count]);
    if (result == THAW_OK) {
        snprintf(sheet->labels[sheet->count], sizeof sheet->labels[0], "%d  %.3f s", number,
                 frame->info.time);
        sheet->count++;
    }
    thaw_frame_free(frame);
    return result;
}

static ThawResult write_sheet(const Sheet *sheet, const char *path) {
    const char *labels[SHEET_MOST];
    for (int k = 0; k < sheet->count; k++) labels[k] = sheet->labels[k];
    int columns = (int)ceil(sqrt(sheet->count));
    ThawImage *whole = NULL;
    ThawResult result = thaw_image_sheet((const ThawImage *const *)sheet->images, labels,
                                         sheet->count, columns, sheet->images[0]->width, &whole);
    if (result == THAW_OK) result = thaw_image_write(whole, path);
    thaw_image_free(whole);
    return result;
}

// at most SHEET_MOST frames of the range, the first and the last among them
static int draw_sheet(const Store *store, const Look *look, FrameRange frames, const char *path) {
    Sheet sheet = {0};
    Look small = *look;
    small.plain = true;
    small.def.width = SHEET_CELL;
    small.def.height = (int)lround((double)SHEET_CELL * look->def.height / look->def.width);
    if (small.def.height < 16) small.def.height = 16;
    int there = (frames.last - frames.first) / frames.step + 1;
    int count = there < SHEET_MOST ? there : SHEET_MOST;
    ThawResult result = THAW_OK;
    for (int k = 0; k < count && result == THAW_OK; k++) {
        int at = count > 1 ? (int)((int64_t)(there - 1) * k / (count - 1)) : 0;
        result = add_picture(&sheet, store, &small, frames.first + at * frames.step);
    }
    if (result == THAW_OK) result = write_sheet(&sheet, path);
    for (int k = 0; k < sheet.count; k++) thaw_image_free(sheet.images[k]);
    if (result != THAW_OK) return say_failure("render", "%s", thaw_error_text());
    printf("%d pictures on %s\n", sheet.count, path);
    return EXIT_DONE;
}

// ---------------------------------------------------------------- the command

static int draw_series(const Arguments *arguments, const Store *store, const Look *look,
                       FrameRange frames) {
    const char *asked = arguments_text(arguments, "output");
    char *folder = asked != NULL ? path_join("", asked) : path_join(store->directory, "images");
    if (folder == NULL) return say_failure("render", "out of memory");
    DrawJob job = {.store = store, .look = look, .folder = folder, .frames = frames};
    int drawn, status = draw_frames("render", &job, &drawn);
    char path[4096];
    picture_path(folder, frames.first, path, sizeof path);
    if (status == EXIT_DONE && drawn == 1)
        printf("%s\n", path);
    else if (status == EXIT_DONE)
        printf("%d pictures in %s\n", drawn, folder);
    free(folder);
    return status;
}

static int run(const Arguments *arguments) {
    Store store;
    Look look = {0};
    FrameRange frames;
    int status = store_open(arguments, arguments->operands[0], &store);
    if (status != EXIT_DONE) return status;
    status = store_frames(arguments, &store, &frames);
    if (status == EXIT_DONE) status = look_create(arguments, store.scene, &look);
    if (status == EXIT_DONE) status = look_at_store(arguments, &store, &look);
    look_settle(&look);
    const char *sheet = arguments_text(arguments, "sheet");
    if (status == EXIT_DONE && sheet != NULL)
        status = draw_sheet(&store, &look, frames, sheet);
    else if (status == EXIT_DONE)
        status = draw_series(arguments, &store, &look, frames);
    look_free(&look);
    store_close(&store);
    return status;
}

static const Option options[] = {
    {"frames", 0, "A:B:STEP", "all", "frames to draw: 12, 0:100, 0:100:10", NULL},
    {"output", 'o', "DIR", "DIR/images of the cache", "folder for the pictures", COMPLETE_FOLDERS},
    {"sheet", 0, "FILE.png", NULL,
     "one contact sheet of up to 24 frames instead of single pictures", COMPLETE_FILES},
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
