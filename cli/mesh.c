// thaw mesh: meshes of our own as files.
//
// Numbers of all kinds are options here; which kind has which is in the library's table.
#include "say.h"
#include "store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/mesh_file.h>

enum { NUMBERS_MOST = 16 };

// ---------------------------------------------------------------- the list

static void list_kind(const ThawMeshKind *kind) {
    printf("%-13s ", kind->name);
    print_wrapped(stdout, kind->summary, 14, 14, 88);
    printf("\n");
    for (int k = 0; k < kind->number_count; k++) {
        const ThawMeshNumber *number = &kind->numbers[k];
        char value[48];
        snprintf(value, sizeof value, "%g%s%s", number->value, number->unit[0] ? " " : "",
                 number->unit);
        printf("    --%-10s %-8s %s\n", number->name, value, number->meaning);
    }
}

static int list_kinds(const char *name) {
    const ThawMeshKind *kind;
    for (int k = 0; (kind = thaw_mesh_kind(k)) != NULL; k++) {
        if (name != NULL && strcmp(kind->name, name) != 0) continue;
        if (k > 0 && name == NULL) printf("\n");
        list_kind(kind);
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- numbers

static int find_number(const ThawMeshKind *kind, const char *name) {
    for (int k = 0; k < kind->number_count; k++) {
        if (strcmp(kind->numbers[k].name, name) == 0) return k;
    }
    return -1;
}

static bool is_number_option(const char *name) {
    static const char *const others[] = {"output", "frames", "list"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        if (strcmp(others[k], name) == 0) return false;
    }
    return true;
}

// says what a kind has when it lacks a number that was given
static bool refuse_number(const ThawMeshKind *kind, const char *name) {
    char list[256] = "";
    for (int k = 0; k < kind->number_count; k++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s--%s", k > 0 ? ", " : "",
                 kind->numbers[k].name);
    }
    say_usage("mesh", "a %s has no --%s; it has %s", kind->name, name, list);
    return false;
}

static bool take_numbers(const Arguments *arguments, const ThawMeshKind *kind, double *values) {
    for (int k = 0; k < kind->number_count; k++) values[k] = kind->numbers[k].value;
    for (int k = 0; k < arguments->given_count; k++) {
        const char *name = arguments->given[k].option->name;
        if (!is_number_option(name)) continue;
        int at = find_number(kind, name);
        if (at < 0) return refuse_number(kind, name);
        const ThawMeshNumber *number = &kind->numbers[at];
        if (!arguments_real(arguments, name, number->least, number->most, &values[at]))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- files

static void say_mesh(const char *path, const ThawMesh *mesh) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fmin(low[axis], mesh->points[k][axis]);
            high[axis] = fmax(high[axis], mesh->points[k][axis]);
        }
    }
    Text triangles, points;
    printf("%s: %s triangles, %s points, %.4g x %.4g x %.4g m\n", path,
           text_count(&triangles, mesh->triangle_count), text_count(&points, mesh->point_count),
           high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

static int make_file(const ThawMeshKind *kind, const double *values, const char *path, bool tell) {
    ThawMeshData *mesh = NULL;
    ThawResult result = thaw_mesh_make(kind, values, &mesh);
    if (result == THAW_OK) {
        ThawMesh view = thaw_mesh_view(mesh);
        result = thaw_mesh_save(path, &view);
        if (result == THAW_OK && tell) say_mesh(path, &view);
    }
    thaw_mesh_free(mesh);
    return result == THAW_OK ? EXIT_DONE : say_result("mesh", result);
}

// NAME_0001.obj, NAME_0002.obj, ...: one beat, whose end is the first again
static int make_sequence(const ThawMeshKind *kind, double *values, const char *path, long frames) {
    int phase = find_number(kind, "phase");
    if (phase < 0)
        return say_usage("mesh", "--frames: a %s does not move; only kinds with --phase do",
                         kind->name);
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int stem =
        dot != NULL && (slash == NULL || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    double start = values[phase];
    for (long k = 0; k < frames; k++) {
        char name[4096];
        int length = snprintf(name, sizeof name, "%.*s_%04ld%s", stem, path, k + 1, path + stem);
        if (length < 0 || (size_t)length >= sizeof name)
            return say_usage("mesh", "--output is too long");
        values[phase] = fmod(start + (double)k / (double)frames, 1.0);
        int status = make_file(kind, values, name, k == 0);
        if (status != EXIT_DONE) return status;
    }
    if (frames > 1) printf("and so on to _%04ld\n", frames);
    return EXIT_DONE;
}

// the folder of a path, which is made when it is not there
static bool make_folder(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) return true;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    return path_make("mesh", folder);
}

static int refuse_kind(const char *name) {
    const char *known[64] = {NULL};
    for (int k = 0; k < 63 && thaw_mesh_kind(k) != NULL; k++) known[k] = thaw_mesh_kind(k)->name;
    return refuse_word("mesh", "shape", name, known);
}

static int run(const Arguments *arguments) {
    const char *name = arguments->operands[0];
    const ThawMeshKind *kind = name == NULL ? NULL : thaw_mesh_find_kind(name);
    if (name != NULL && kind == NULL) return refuse_kind(name);
    if (arguments_has(arguments, "list")) return list_kinds(name);
    if (kind == NULL)
        return say_usage("mesh", "SHAPE is missing; 'thaw mesh --list' shows what there is");
    double values[NUMBERS_MOST];
    long frames = 0;
    if (kind->number_count > NUMBERS_MOST) return say_failure("mesh", "too many numbers");
    if (!take_numbers(arguments, kind, values) ||
        !arguments_whole(arguments, "frames", 1, 9999, &frames))
        return EXIT_USAGE;
    char plain[64];
    snprintf(plain, sizeof plain, "%s.obj", kind->name);
    const char *asked = arguments_text(arguments, "output"), *path = asked != NULL ? asked : plain;
    static const char *const endings[] = {".obj", ".ply", ".stl", NULL};
    int status = path_judge(arguments, "output", endings);
    if (status != EXIT_DONE) return status;
    if (!make_folder(path)) return EXIT_FAILED;
    return frames > 0 ? make_sequence(kind, values, path, frames)
                      : make_file(kind, values, path, true);
}

// ---------------------------------------------------------------- the row

#define NUMBER(name, meaning)                                                                      \
    { name, 0, "X", NULL, meaning, NULL }

static const Option options[] = {
    {"output", 'o', "FILE", "SHAPE.obj", "the file: .obj, .ply or .stl", COMPLETE_FILES},
    {"frames", 0, "N", NULL, "a numbered sequence FILE_0001 and on, of a shape with --phase", NULL},
    {"list", 0, NULL, NULL, "what shapes there are, with their numbers and defaults", NULL},
    NUMBER("detail", "how many pieces: more make more triangles"),
    NUMBER("count", "of teeth, steps, blades or openings"),
    NUMBER("radius", "m"),
    NUMBER("width", "m, across"),
    NUMBER("depth", "m, the other way across; of teeth; of a channel"),
    NUMBER("height", "m"),
    NUMBER("length", "m, along"),
    NUMBER("thickness", "m, of walls, blades or bars"),
    NUMBER("tube", "m, radius of a torus's tube"),
    NUMBER("taper", "a cup's foot over its rim"),
    NUMBER("hole", "m, radius of a gear's bore"),
    NUMBER("hub", "m, radius of a wheel's hub"),
    NUMBER("axle", "m, length of a wheel's axle"),
    NUMBER("bumps", "height of bumps over the radius"),
    NUMBER("drop", "m, of a step or a fall"),
    NUMBER("reach", "m, of a fall"),
    NUMBER("lip", "m, above a fall"),
    NUMBER("rim", "m, at a fall's sides"),
    NUMBER("span", "m, of wings"),
    NUMBER("phase", "0 to 1, of a motion"),
    NUMBER("flap", "degrees, of wings"),
    NUMBER("swim", "of a tail, over the length"),
    {0}};
static const Example examples[] = {
    {"thaw mesh cup -o cup.obj", "a glass with thick walls"},
    {"thaw mesh gear --count 24 --radius 0.2 -o gear.stl", "with numbers of your own"},
    {"thaw mesh creature --frames 48 -o dragon/a.ply",
     "one beat of wings, dragon/a_0001.ply and on"},
    {NULL, NULL}};
const Command command_mesh = {
    .name = "mesh",
    .summary = "make a mesh: cup, gear, stairs, bear, paddle wheel, ...",
    .operands = "[SHAPE]",
    .most = 1,
    .offer = "box sphere bumpy_sphere torus cylinder cup shell_cup gear stairs bear paddle_wheel "
             "wall grate river_bed waterfall creature",
    .about = "Writes a mesh that thaw makes itself, for colliders and bodies. Each shape has some "
             "of the numbers below; 'thaw mesh SHAPE --list' tells which. Metres; z is up.",
    .options = options,
    .examples = examples,
    .run = run};
