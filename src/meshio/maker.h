// Tools for meshes of our own: points, sheets, bodies of revolution, tubes, prisms.
//
// A maker remembers its first failure and does nothing from then on, so that recipes need no checks between.
#ifndef THAW_MESHIO_MAKER_H
#define THAW_MESHIO_MAKER_H

#include "math/vec.h"
#include "meshio/polygons.h"
#include "meshio/weld.h"

#define MAKER_PI 3.14159265358979323846

typedef struct MeshMaker {
    MeshWeld weld;
    MeshPolygons polygons;
    ThawResult result;
} MeshMaker;

// What makes one kind: `values` in the order of the kind's numbers, each within its range.
typedef void MeshRecipe(MeshMaker *maker, const double *values);

MeshRecipe meshio_make_box, meshio_make_sphere, meshio_make_bumpy_sphere, meshio_make_torus,
    meshio_make_cylinder, meshio_make_cup, meshio_make_shell_cup, meshio_make_gear,
    meshio_make_stairs, meshio_make_paddle_wheel, meshio_make_wall, meshio_make_grate,
    meshio_make_river_bed, meshio_make_waterfall, meshio_make_bear, meshio_make_creature;

// Numbers that do not go together: a sentence that names them.
void maker_refuse(MeshMaker *maker, const char *sentence);

// The point at this place: the same place is the same point. New: whatever is there.
uint32_t maker_point(MeshMaker *maker, ThawVec3 place);
uint32_t maker_new_point(MeshMaker *maker, ThawVec3 place);
void maker_triangle(MeshMaker *maker, uint32_t a, uint32_t b, uint32_t c);
void maker_quad(MeshMaker *maker, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

// A place of a sheet by whole numbers: row 0 .. rows, column 0 .. columns.
typedef ThawVec3 MakerPlace(const void *context, int row, int column);
// Quads between neighbouring places, seen counter-clockwise where rows go right and columns up. Places are
// welded, so that sheets may close on themselves; triangles that lose a side that way are left out.
void maker_sheet(MeshMaker *maker, int rows, int columns, MakerPlace *place, const void *context);

// A body of revolution about z: (radius, height) from the first to the last, counter-clockwise about the solid;
// radius 0 is the axis.
void maker_lathe(MeshMaker *maker, const double (*outline)[2], int count, int around);

// A prism: an outline of the x-y plane, counter-clockwise, from z = low to z = high.
void maker_prism(MeshMaker *maker, const double (*outline)[2], int count, const double range[2]);

// A box of half sizes about a centre, turned; each side a number of quads.
typedef struct MakerBox {
    ThawVec3 center, half;
    ThawQuat turn;
    int cuts[3];
} MakerBox;
void maker_box(MeshMaker *maker, const MakerBox *box);

#endif
