// thaw sdf: the distance field of a mesh, built, told about, cut open and written.
#include "say.h"
#include "store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/cache.h>
#include <thaw/mesh_file.h>
#include <thaw/render.h>
#include <thaw/vdb.h>

static const char *const field_endings[] = {".thawfield", NULL};
static const char *const vdb_endings[] = {".vdb", NULL};
static const char *const file_endings[] = {".thawfield", ".vdb", NULL};
static const char *const picture_endings[] = {".png", NULL};

// What was asked for, and what came of it.
typedef struct Job {
    const Arguments *arguments;
    const char *mesh, *output;
    char *picture; // where the cut goes; NULL = nowhere
    bool container;
    ThawField *field;
    ThawFieldReport report;
    ThawSliceDef slice;
    double load_seconds; // of reading the mesh
} Job;

// ---------------------------------------------------------------- choices

enum { MODE_SOLID, MODE_CONTAINER, MODE_SHELL };
static const char *const modes[] = {"solid", "container", "shell", NULL};

static double longest_side(const ThawMesh *mesh) {
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    double longest = 0;
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            lower[axis] = fmin(lower[axis], mesh->points[k][axis]);
            upper[axis] = fmax(upper[axis], mesh->points[k][axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) longest = fmax(longest, upper[axis] - lower[axis]);
    return longest;
}

static int choose_field(Job *job, const ThawMesh *mesh, ThawFieldDef *def) {
    const Arguments *a = job->arguments;
    long cells = 256, threads = 0;
    int mode = MODE_SOLID;
    *def = thaw_field_default();
    if (arguments_has(a, "cell") && arguments_has(a, "cells"))
        return say_usage("sdf", "--cell and --cells say the same: give one of them");
    if (!arguments_real(a, "cell", 1e-9, 1e9, &def->cell) ||
        !arguments_whole(a, "cells", 4, 8192, &cells) ||
        !arguments_real(a, "band", 2, 64, &def->band) ||
        !arguments_real(a, "offset", -1e9, 1e9, &def->offset) ||
        !arguments_whole(a, "threads", 0, 256, &threads) ||
        !arguments_choice(a, "mode", modes, &mode))
        return EXIT_USAGE;
    if (!arguments_has(a, "cell")) def->cell = longest_side(mesh) / (double)cells;
    def->mode = mode == MODE_SHELL ? THAW_FIELD_SHELL : THAW_FIELD_SOLID;
    def->threads = (int)threads;
    job->container = mode == MODE_CONTAINER;
    return EXIT_DONE;
}

// "z=0.1", or "z" for the middle
static int choose_slice(Job *job) {
    const char *text = arguments_text(job->arguments, "slice");
    const ThawFieldReport *r = &job->report;
    const double middle[3] = {0.5 * (r->lower.x + r->upper.x), 0.5 * (r->lower.y + r->upper.y),
                              0.5 * (r->lower.z + r->upper.z)};
    job->slice = thaw_slice_default();
    job->slice.container = job->container;
    job->slice.value = middle[job->slice.axis];
    if (text == NULL) return EXIT_DONE;
    const char *axis = text[0] != '\0' ? strchr("xyz", text[0]) : NULL;
    char *end = NULL;
    double value = axis != NULL && text[1] == '=' ? strtod(text + 2, &end) : NAN;
    bool good =
        axis != NULL &&
        (text[1] == '\0' || (end != NULL && end != text + 2 && *end == '\0' && isfinite(value)));
    if (!good)
        return say_usage("sdf", "--slice must be like z=0.1 (m), or z for the middle, not '%s'",
                         text);
    job->slice.axis = text[0] - 'x';
    job->slice.value = text[1] == '\0' ? middle[job->slice.axis] : value;
    return EXIT_DONE;
}

// beside FILE unless told otherwise
static int choose_picture(Job *job) {
    const char *asked = arguments_text(job->arguments, "picture");
    bool cut = arguments_has(job->arguments, "slice");
    const char *base = asked != NULL ? asked : job->output != NULL ? job->output : job->mesh;
    if (asked == NULL && job->output == NULL && !cut) return EXIT_DONE;
    const char *dot = strrchr(base, '.'), *slash = strrchr(base, '/');
    size_t length = asked == NULL && dot != NULL && (slash == NULL || dot > slash)
                        ? (size_t)(dot - base)
                        : strlen(base);
    // without FILE the picture goes to the present folder, not beside somebody's mesh
    const char *start = asked == NULL && job->output == NULL && slash != NULL ? slash + 1 : base;
    length -= (size_t)(start - base);
    job->picture = malloc(length + sizeof ".png");
    if (job->picture == NULL) return say_failure("sdf", "out of memory");
    memcpy(job->picture, start, length);
    strcpy(job->picture + length, asked != NULL ? "" : ".png");
    return EXIT_DONE;
}

// ---------------------------------------------------------------- the field

static int load_mesh(Job *job, ThawMeshData **mesh) {
    ThawMeshLoadDef def = thaw_mesh_load_default();
    static const char *const ups[] = {"y", "z", NULL};
    int up = def.up == 'y' ? 0 : 1;
    if (!arguments_real(job->arguments, "scale", 1e-12, 1e12, &def.scale) ||
        !arguments_choice(job->arguments, "up", ups, &up))
        return EXIT_USAGE;
    def.up = ups[up][0];
    double began = say_clock();
    ThawResult result = thaw_mesh_load(job->mesh, &def, mesh);
    job->load_seconds = say_clock() - began;
    return result == THAW_OK ? EXIT_DONE : say_result("sdf", result);
}

static int build_field(Job *job) {
    ThawMeshData *data = NULL;
    ThawFieldDef def;
    int status = load_mesh(job, &data);
    if (status != EXIT_DONE) return status;
    ThawMesh mesh = thaw_mesh_view(data);
    status = choose_field(job, &mesh, &def);
    ThawResult result = status == EXIT_DONE ? thaw_field_create(&mesh, &def, &job->field) : THAW_OK;
    if (result != THAW_OK) status = say_result("sdf", result);
    thaw_mesh_free(data);
    return status;
}

// a field that was written before is only told about and cut
static int open_field(Job *job) {
    static const char *const settings[] = {"cell",  "cells", "band",   "offset",
                                           "scale", "up",    "threads"};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        if (!arguments_has(job->arguments, settings[k])) continue;
        return say_usage("sdf", "--%s is for meshes; '%s' is built already", settings[k],
                         job->mesh);
    }
    int mode = MODE_SOLID;
    if (!arguments_choice(job->arguments, "mode", modes, &mode)) return EXIT_USAGE;
    if (mode == MODE_SHELL)
        return say_usage("sdf", "--mode shell is for meshes; '%s' is built already", job->mesh);
    job->container = mode == MODE_CONTAINER;
    ThawResult result = thaw_field_read(job->mesh, &job->field);
    return result == THAW_OK ? EXIT_DONE : say_result("sdf", result);
}

// ---------------------------------------------------------------- what is told

// bytes of a grid of floats over the same box
static double dense_bytes(const ThawFieldReport *r, double cells[3]) {
    double air = 2 * r->band;
    cells[0] = ceil((r->upper.x - r->lower.x) / r->cell + air);
    cells[1] = ceil((r->upper.y - r->lower.y) / r->cell + air);
    cells[2] = ceil((r->upper.z - r->lower.z) / r->cell + air);
    return 4.0 * cells[0] * cells[1] * cells[2];
}

static const char *mode_name(const Job *job) {
    if (job->report.mode == THAW_FIELD_SHELL) return "shell";
    return job->container ? "container" : "solid";
}

static void print_faults(const ThawFieldReport *r) {
    Text text;
    printf("  open edges  %s", text_count(&text, r->open_edges));
    printf("%s\n", r->open_edges == 0 ? ": closed" : "");
    if (r->crowded_edges > 0)
        printf("  crowded     %s edges with three or more triangles\n",
               text_count(&text, r->crowded_edges));
    if (r->turned_edges > 0)
        printf("  turned      %s edges between triangles wound against each other\n",
               text_count(&text, r->turned_edges));
    if (r->degenerate > 0)
        printf("  degenerate  %s triangles without area\n", text_count(&text, r->degenerate));
    printf("  crossings   %s pairs of triangles cross each other\n",
           text_count(&text, (double)r->self_intersections));
    if (r->thinnest > 0)
        printf("  thinnest    %.3g cells, %.3g m\n", r->thinnest, r->thinnest * r->cell);
    else
        printf("  thinnest    no solid was seen through\n");
}

static void print_report(const Job *job) {
    const ThawFieldReport *r = &job->report;
    Text one, two;
    double cells[3], dense = dense_bytes(r, cells);
    printf("%s: %s\n", job->mesh, mode_name(job));
    printf("  mesh        %s points, ", text_count(&one, r->points));
    printf("%s triangles, %.4g m2\n", text_count(&two, r->triangles), r->area);
    printf("  size        %.4g x %.4g x %.4g m, from (%.4g, %.4g, %.4g)\n", r->upper.x - r->lower.x,
           r->upper.y - r->lower.y, r->upper.z - r->lower.z, r->lower.x, r->lower.y, r->lower.z);
    printf("  volume      %.5g m3\n", r->volume);
    print_faults(r);
    printf("  field       %.0f x %.0f x %.0f cells of %.4g m, band %g, offset %g m\n", cells[0],
           cells[1], cells[2], r->cell, r->band, r->offset);
    printf("  memory      %s in %s bricks, ", text_bytes(&one, (double)r->bytes),
           text_count(&two, (double)r->bricks));
    printf("%.3g %% of a dense grid, with the mesh\n", 100 * (double)r->bytes / dense);
    if (job->load_seconds > 0)
        printf("  time        %.3g s, after %.3g s of reading\n", r->seconds, job->load_seconds);
}

static void print_number(const char *name, double number) {
    printf(", \"%s\": ", name);
    json_number(stdout, number);
}

static void print_vector(const char *name, ThawVec3 v) {
    printf(", \"%s\": [", name);
    json_number(stdout, v.x);
    printf(", ");
    json_number(stdout, v.y);
    printf(", ");
    json_number(stdout, v.z);
    printf("]");
}

static void print_file(const char *name, const char *path) {
    printf(", \"%s\": ", name);
    if (path != NULL)
        json_text(stdout, path);
    else
        printf("null");
}

static void print_json(const Job *job) {
    const ThawFieldReport *r = &job->report;
    double cells[3], dense = dense_bytes(r, cells);
    printf("{\"mesh\": ");
    json_text(stdout, job->mesh);
    printf(", \"mode\": \"%s\"", mode_name(job));
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"points", r->points},
                   {"triangles", r->triangles},
                   {"area", r->area},
                   {"volume", r->volume},
                   {"open_edges", r->open_edges},
                   {"crowded_edges", r->crowded_edges},
                   {"turned_edges", r->turned_edges},
                   {"degenerate", r->degenerate},
                   {"self_intersections", (double)r->self_intersections},
                   {"thinnest_cells", r->thinnest},
                   {"cell", r->cell},
                   {"band", r->band},
                   {"offset", r->offset},
                   {"bricks", (double)r->bricks},
                   {"bytes", (double)r->bytes},
                   {"dense_bytes", dense},
                   {"seconds", r->seconds},
                   {"load_seconds", job->load_seconds}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        print_number(numbers[k].name, numbers[k].value);
    print_vector("lower", r->lower);
    print_vector("upper", r->upper);
    print_file("file", job->output);
    print_file("picture", job->picture);
    printf("}\n");
}

// what a user had better know before a scene leaks
static void warn(const Job *job) {
    const ThawFieldReport *r = &job->report;
    bool shell = r->mode == THAW_FIELD_SHELL;
    char finer[64] = "";
    // what would take hundreds of times the memory is no advice
    if (r->thinnest > 0.25)
        snprintf(finer, sizeof finer, "--cell %.2g, or ", 0.5 * r->thinnest * r->cell);
    if (!shell && r->thinnest > 0 && r->thinnest < 1.98)
        say_warning("sdf",
                    "the thinnest part is %.2g cells thick; walls of less than two cells may leak: "
                    "take %s--mode shell",
                    r->thinnest, finer);
    if (!shell && r->open_edges > 0)
        say_warning("sdf", "the mesh is open: it is closed across its holes; if the picture shows "
                           "this wrongly, take --mode shell");
    if (!shell && r->volume <= 0)
        say_warning("sdf", "the mesh encloses nothing: take --mode shell");
}

// ---------------------------------------------------------------- the command

static int write_field(const Job *job) {
    if (job->output == NULL) return EXIT_DONE;
    ThawResult result = path_ends(job->output, vdb_endings)
                            ? thaw_vdb_write(job->field, job->output)
                            : thaw_field_write(job->field, job->output);
    return result == THAW_OK ? EXIT_DONE : say_failure("sdf", "%s", thaw_error_text());
}

static int draw_slice(Job *job) {
    if (job->picture == NULL) return EXIT_DONE;
    const char *slash = strrchr(job->mesh, '/');
    job->slice.title = slash != NULL ? slash + 1 : job->mesh;
    ThawImage *image = NULL;
    ThawResult result = thaw_render_slice(job->field, &job->slice, &image);
    if (result == THAW_OK) result = thaw_image_write(image, job->picture);
    thaw_image_free(image);
    return result == THAW_OK ? EXIT_DONE : say_failure("sdf", "%s", thaw_error_text());
}

static int finish(Job *job) {
    job->report = thaw_field_report(job->field);
    int status = choose_slice(job);
    if (status == EXIT_DONE) status = choose_picture(job);
    if (status == EXIT_DONE) status = write_field(job);
    if (status == EXIT_DONE) status = draw_slice(job);
    if (status != EXIT_DONE) return status;
    if (arguments_has(job->arguments, "json")) {
        print_json(job);
        return EXIT_DONE;
    }
    print_report(job);
    warn(job);
    if (job->output != NULL) printf("%s\n", job->output);
    if (job->picture != NULL) printf("%s\n", job->picture);
    return EXIT_DONE;
}

static int run(const Arguments *arguments) {
    Job job = {.arguments = arguments,
               .mesh = arguments->operands[0],
               .output = arguments_text(arguments, "output")};
    if (path_judge(arguments, "output", file_endings) != EXIT_DONE ||
        path_judge(arguments, "picture", picture_endings) != EXIT_DONE)
        return EXIT_USAGE;
    // told before minutes of building
    if (job.output != NULL && path_ends(job.output, vdb_endings) && !thaw_vdb_present())
        return say_failure("sdf",
                           "this thaw was built without OpenVDB, so it writes no .vdb files: "
                           "take a .thawfield, or build with libopenvdb-dev installed");
    if (!path_is_file(job.mesh)) return say_usage("sdf", "there is no file '%s'", job.mesh);
    int status = path_ends(job.mesh, field_endings) ? open_field(&job) : build_field(&job);
    if (status == EXIT_DONE) status = finish(&job);
    thaw_field_release(job.field);
    free(job.picture);
    return status;
}

static const Option options[] = {
    {"output", 'o', "FILE", NULL,
     "the field: .thawfield, or .vdb for other programs (grid 'surface')", COMPLETE_FILES},
    {"cell", 0, "M", NULL, "edge of a cell in m; about the spacing of the particles is right",
     NULL},
    {"cells", 0, "N", "256", "or how many cells the longest side has", NULL},
    {"band", 0, "CELLS", "3", "how far to each side distances are known, 2 to 64", NULL},
    {"offset", 0, "M", "0; a shell's one cell", "moves the surface outwards", NULL},
    {"mode", 0, "solid|container|shell", "solid",
     "what is solid: the inside, the outside, or the surface itself, offset thick to each side",
     "solid container shell"},
    {"scale", 0, "M", "1", "metres of one unit of the file: 0.001 for millimetres", NULL},
    {"up", 0, "y|z", "z", "which axis of the file points up; y is turned so that it becomes z",
     "y z"},
    {"slice", 0, "AXIS=M", "y in the middle", "where the picture cuts: z=0.1, or z alone", NULL},
    {"picture", 0, "FILE.png", "FILE with .png", "the picture of the cut", COMPLETE_FILES},
    {"threads", 0, "N", "0", "0 = as many as the machine has cores", NULL},
    {"json", 0, NULL, NULL, "one JSON object, for programs, also of errors", NULL},
    {0}};
static const Example examples[] = {
    {"thaw sdf bunny.obj", "what is wrong with a mesh, and what its field would take"},
    {"thaw sdf bunny.obj -o bunny.thawfield --cell 0.002", "the field, and a cut in bunny.png"},
    {"thaw sdf cup.ply --mode shell --offset 0.004 --slice x=0 --picture cup.png",
     "a sheet without thickness, made 8 mm thick"},
    {"thaw sdf rock.stl --scale 0.001 --up y -o rock.vdb", "millimetres, y up, for Houdini"},
    {NULL, NULL}};
const Command command_sdf = {
    .name = "sdf",
    .summary = "build the distance field of a mesh, and look at it",
    .operands = "MESH",
    .least = 1,
    .most = 1,
    .offer = COMPLETE_FILES,
    .about =
        "Builds what a collider of this mesh will be: distances to its surface in sparse bricks of "
        "cells, negative inside. Any triangles will do: open, self-intersecting, doubled or wound "
        "the wrong way. Tells what was found (holes, crossings, the thinnest part in cells), what "
        "it costs, and draws a cut: red is solid, blue is free, the dark line is the surface that "
        "particles meet.\n\n"
        "If the picture shows holes or bridges, the cells are too large for the thinnest part: it "
        "should have two cells at least. Sheets without thickness need --mode shell. With "
        "--mode container particles stay inside.\n\n"
        "MESH may also be a .thawfield that was written before. Scenes build their fields by "
        "themselves; this command is to choose the settings.",
    .options = options,
    .examples = examples,
    .run = run};
