// Kinds of mesh that thaw makes itself: a row each, and a recipe in kinds_*.c.
#include "meshio/maker.h"

#include "base/result.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DETAIL(meaning_, value_, least_, most_)                                                    \
    { "detail", "", meaning_, value_, least_, most_ }
#define LENGTH(name_, meaning_, value_)                                                            \
    { name_, "m", meaning_, value_, 1e-6, 1e6 }
#define LENGTH_OR_0(name_, meaning_, value_)                                                       \
    { name_, "m", meaning_, value_, 0, 1e6 }

static const ThawMeshNumber box[] = {LENGTH("width", "along x", 1), LENGTH("depth", "along y", 1),
                                     LENGTH("height", "along z", 1),
                                     DETAIL("quads along each edge", 1, 1, 1000)};
static const ThawMeshNumber sphere[] = {
    LENGTH("radius", "of the sphere", 0.5),
    DETAIL("cuts of each edge of the icosahedron", 16, 1, 1000)};
static const ThawMeshNumber bumpy_sphere[] = {
    LENGTH("radius", "without bumps", 0.5),
    {"bumps", "", "height of the bumps, as a part of the radius", 0.12, 0, 0.5},
    DETAIL("cuts of each edge of the icosahedron: 20 detail² triangles", 71, 1, 1000)};
static const ThawMeshNumber torus[] = {
    LENGTH("radius", "of the ring's middle", 0.35), LENGTH("tube", "radius of the tube", 0.15),
    DETAIL("quads around the tube, twice as many around the ring", 24, 3, 2000)};
static const ThawMeshNumber cylinder[] = {LENGTH("radius", "of the cylinder", 0.25),
                                          LENGTH("height", "along z", 1),
                                          DETAIL("quads around", 48, 3, 10000)};
static const ThawMeshNumber cup[] = {
    LENGTH("radius", "of the rim, outside", 0.25),
    LENGTH("height", "of the cup", 0.6),
    LENGTH("thickness", "of wall and floor", 0.03),
    {"taper", "", "radius of the foot over the rim's", 0.8, 0.05, 4},
    DETAIL("quads around", 48, 3, 10000)};
static const ThawMeshNumber shell_cup[] = {
    LENGTH("radius", "of the rim", 0.25),
    LENGTH("height", "of the cup", 0.6),
    {"taper", "", "radius of the foot over the rim's", 0.8, 0.05, 4},
    DETAIL("quads around", 48, 3, 10000)};
static const ThawMeshNumber gear[] = {LENGTH("radius", "over the tips of the teeth", 0.5),
                                      LENGTH("height", "along z", 0.15),
                                      LENGTH("depth", "of the teeth", 0.1),
                                      LENGTH_OR_0("hole", "radius of the bore, 0 = none", 0.12),
                                      {"count", "", "teeth", 16, 3, 2000},
                                      DETAIL("pieces of the arcs of each tooth", 3, 1, 100)};
static const ThawMeshNumber stairs[] = {LENGTH("width", "along y", 1),
                                        LENGTH("depth", "of all steps together, along x", 1.5),
                                        LENGTH("height", "of all steps together", 1),
                                        {"count", "", "steps", 6, 1, 10000}};
static const ThawMeshNumber bear[] = {LENGTH("height", "of the sitting bear, ears included", 1),
                                      DETAIL("cells along the height", 40, 12, 300)};
static const ThawMeshNumber paddle_wheel[] = {LENGTH("radius", "over the blades", 0.5),
                                              LENGTH("width", "of the blades, along y", 0.5),
                                              LENGTH("thickness", "of the blades", 0.03),
                                              LENGTH("hub", "radius of the hub", 0.15),
                                              LENGTH("axle", "length of the axle, along y", 0.8),
                                              {"count", "", "blades", 8, 1, 360},
                                              DETAIL("quads around the hub", 32, 6, 2000)};
static const ThawMeshNumber wall[] = {
    LENGTH("width", "along x", 1), LENGTH("height", "along z", 1),
    LENGTH_OR_0("thickness", "along y; 0 = one open sheet, for shell mode", 0),
    DETAIL("quads along each edge", 8, 1, 2000)};
static const ThawMeshNumber grate[] = {LENGTH("width", "along x", 1),
                                       LENGTH("depth", "along y", 1),
                                       LENGTH("height", "of the bars, along z", 0.06),
                                       LENGTH("thickness", "of the bars", 0.04),
                                       {"count", "", "openings along each side", 6, 1, 200}};
static const ThawMeshNumber river_bed[] = {LENGTH("length", "along x, downstream", 6),
                                           LENGTH("width", "along y, banks included", 2),
                                           LENGTH("depth", "of the channel below its banks", 0.5),
                                           LENGTH_OR_0("drop", "of each step", 0.35),
                                           {"count", "", "steps", 4, 0, 100},
                                           DETAIL("quads across", 64, 8, 2000)};
static const ThawMeshNumber waterfall[] = {
    LENGTH("width", "along y", 1),
    LENGTH("drop", "from the lip to the lower edge", 1.2),
    LENGTH("reach", "along x, from the lip to the lower edge", 0.6),
    LENGTH_OR_0("lip", "length of the flat part above", 0.4),
    LENGTH_OR_0("rim", "height of the turned-up sides", 0.12),
    DETAIL("quads across", 32, 4, 2000)};
static const ThawMeshNumber creature[] = {
    LENGTH("length", "from snout to tail, along x", 2),
    LENGTH("span", "of the wings, along y", 2.2),
    {"phase", "", "of the motion: 0 to 1 is one beat", 0, 0, 1},
    {"flap", "deg", "how far the wings beat to each side", 40, 0, 80},
    {"swim", "", "how far the tail swings, as a part of the length", 0.08, 0, 0.3},
    DETAIL("quads around the body", 24, 6, 400)};

#define KIND(name, summary)                                                                        \
    { {#name, summary, name, sizeof name / sizeof name[0]}, meshio_make_##name }

static const struct {
    ThawMeshKind kind;
    MeshRecipe *recipe;
} kinds[] = {
    KIND(box, "a box about the origin"),
    KIND(sphere, "a sphere about the origin, of nearly equal triangles"),
    KIND(bumpy_sphere, "a sphere with bumps; 100 820 triangles"),
    KIND(torus, "a ring about z"),
    KIND(cylinder, "a cylinder about z, from z = 0"),
    KIND(cup, "a glass with thick walls, open above, from z = 0"),
    KIND(shell_cup, "the same as a sheet without thickness, for shell mode"),
    KIND(gear, "a gear wheel about z, with a bore"),
    KIND(stairs, "solid stairs that rise along x, from z = 0"),
    KIND(bear, "a sitting teddy bear of blended blobs that looks along x, from z = 0"),
    KIND(paddle_wheel, "a wheel with blades about y; its parts run into each other"),
    KIND(wall, "an upright sheet in the x-z plane, from z = 0"),
    KIND(grate, "crossing bars in the x-y plane; they run into each other"),
    KIND(river_bed, "a stepped channel with banks that falls along x, solid down to z = 0"),
    KIND(waterfall, "a curved open sheet that water runs down, for shell mode"),
    KIND(creature, "a winged dragon that moves with phase; thin wings, parts that cross"),
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const ThawMeshKind *thaw_mesh_kind(int index) {
    return index >= 0 && index < KINDS ? &kinds[index].kind : NULL;
}

const ThawMeshKind *thaw_mesh_find_kind(const char *name) {
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kinds[k].kind.name, name) == 0) return &kinds[k].kind;
    }
    return NULL;
}

static bool is_whole_number(const ThawMeshNumber *number) {
    return strcmp(number->name, "detail") == 0 || strcmp(number->name, "count") == 0;
}

static ThawResult check_values(const ThawMeshKind *kind, const double *values) {
    for (int k = 0; k < kind->number_count; k++) {
        const ThawMeshNumber *number = &kind->numbers[k];
        if (!(values[k] >= number->least && values[k] <= number->most))
            return thaw_fail(THAW_BAD_INPUT, "%s of a %s must be from %g to %g, not %g",
                             number->name, kind->name, number->least, number->most, values[k]);
        if (is_whole_number(number) && values[k] != floor(values[k]))
            return thaw_fail(THAW_BAD_INPUT, "%s of a %s must be a whole number, not %g",
                             number->name, kind->name, values[k]);
    }
    return THAW_OK;
}

static MeshRecipe *find_recipe(const ThawMeshKind *kind) {
    for (int k = 0; k < KINDS; k++) {
        if (&kinds[k].kind == kind) return kinds[k].recipe;
    }
    return NULL;
}

ThawResult thaw_mesh_make(const ThawMeshKind *kind, const double *values, ThawMeshData **mesh) {
    assert(kind != NULL && values != NULL && mesh != NULL);
    *mesh = NULL;
    MeshRecipe *recipe = find_recipe(kind);
    assert(recipe != NULL);
    ThawResult result = check_values(kind, values);
    if (result != THAW_OK) return result;
    ThawMeshData *made = meshio_create();
    if (made == NULL) return thaw_fail_memory(sizeof *made);
    MeshMaker maker = {.weld = {.mesh = made}};
    recipe(&maker, values);
    meshio_weld_free(&maker.weld);
    meshio_polygons_free(&maker.polygons);
    if (maker.result == THAW_OK) {
        *mesh = made;
    } else {
        thaw_mesh_free(made);
    }
    return maker.result;
}
