// thaw export: frames as files that other programs read.
#include "export.h"
#include "say.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {"ply", "csv", "xdmf", "fractures", "colliders", NULL};

static int export_series(const Store *store, FrameRange frames, const char *folder) {
    if (!path_make("export", folder)) return EXIT_FAILED;
    // a part of the series does not take the name of the whole
    char name[64] = "frames.xdmf";
    if (frames.first != store->info.first_frame || frames.last != store->info.last_frame)
        snprintf(name, sizeof name, "frames_%06d_%06d.xdmf", frames.first, frames.last);
    char *path = path_join(folder, name);
    if (path == NULL) return say_failure("export", "out of memory");
    ThawResult result = thaw_export_xdmf(store->directory, frames.first, frames.last, path);
    if (result == THAW_OK) printf("%s: frames %d to %d\n", path, frames.first, frames.last);
    free(path);
    return result == THAW_OK ? EXIT_DONE : say_failure("export", "%s", thaw_error_text());
}

static int export_frames(const Store *store, FrameRange frames, const char *format,
                         const char *folder) {
    if (!path_make("export", folder)) return EXIT_FAILED;
    for (int k = frames.first; k <= frames.last; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/frame_%06d.%s", folder, k, format);
        ThawFrame *frame = NULL;
        ThawResult result = store_read(store, k, &frame);
        if (result == THAW_OK) result = thaw_export_frame(frame, format, path);
        thaw_frame_free(frame);
        if (result != THAW_OK) return say_failure("export", "%s", thaw_error_text());
    }
    printf("%d file%s in %s\n", frames.last - frames.first + 1,
           frames.last == frames.first ? "" : "s", folder);
    return EXIT_DONE;
}

static int export_fractures(const Store *store, FrameRange frames, const char *folder) {
    if (!path_make("export", folder)) return EXIT_FAILED;
    char *path = path_join(folder, "fractures.csv");
    if (path == NULL) return say_failure("export", "out of memory");
    uint64_t count = 0;
    ThawResult result =
        thaw_export_fractures(store->directory, frames.first, frames.last, path, &count);
    Text text;
    if (result == THAW_OK)
        printf("%s: %s bonds that broke in frames %d to %d\n", path,
               text_count(&text, (double)count), frames.first, frames.last);
    free(path);
    return result == THAW_OK ? EXIT_DONE : say_failure("export", "%s", thaw_error_text());
}

static int run(const Arguments *arguments) {
    const char *asked = arguments_text(arguments, "output");
    int format = -1;
    if (!arguments_choice(arguments, "to", formats, &format)) return EXIT_USAGE;
    if (format < 0)
        return say_usage("export", "--to is missing: ply, csv, xdmf, fractures or colliders");
    Store store;
    FrameRange frames;
    int status = store_open(arguments, arguments->operands[0], &store);
    if (status != EXIT_DONE) return status;
    status = store_frames(arguments, &store, &frames);
    bool series = strcmp(formats[format], "xdmf") == 0;
    bool events = strcmp(formats[format], "fractures") == 0;
    bool meshes = strcmp(formats[format], "colliders") == 0;
    char *folder = asked != NULL      ? path_join("", asked)
                   : series || events ? path_join("", store.directory)
                                      : path_join(store.directory, formats[format]);
    if (status == EXIT_DONE && folder == NULL)
        status = say_failure("export", "out of memory");
    else if (status == EXIT_DONE)
        status = series   ? export_series(&store, frames, folder)
                 : events ? export_fractures(&store, frames, folder)
                 : meshes ? export_colliders(&store, frames, folder)
                          : export_frames(&store, frames, formats[format], folder);
    free(folder);
    store_close(&store);
    return status;
}

static const Option options[] = {
    {"to", 0, "ply|csv|xdmf|fractures|colliders", NULL,
     "PLY (binary), CSV, an XDMF series of the frames for ParaView, a table of the bonds that "
     "broke, or the meshes of colliders where they were; required",
     "ply csv xdmf fractures colliders"},
    {"frames", 0, "A:B", "all", "frames to export", NULL},
    {"output", 'o', "DIR", "DIR/ply, DIR/csv, DIR/colliders; else DIR", "folder for the files",
     COMPLETE_FOLDERS},
    {0}};
static const Example examples[] = {
    {"thaw export out/dam --to ply", "out/dam/ply/frame_000000.ply and on, for Houdini, Blender, "
                                     "splashsurf"},
    {"thaw export out/dam --to csv --frames 50 -o .", "one frame as a table"},
    {"thaw export out/mill --to colliders",
     "out/mill/colliders/wheel_000000.ply and on: each mesh where it was, in its form then"},
    {"thaw export out/plate --to fractures", "when and where bonds broke, out/plate/fractures.csv"},
    {NULL, NULL}};
const Command command_export = {
    .name = "export",
    .summary = "write frames for other programs",
    .operands = "DIR",
    .least = 1,
    .most = 1,
    .offer = COMPLETE_FOLDERS,
    .about = "Writes frames with the attribute names that other programs know. The HDF5 frames "
             "themselves open in ParaView through DIR/frames.xdmf without any export.",
    .options = options,
    .examples = examples,
    .run = run};
