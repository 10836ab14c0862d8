// Tools for meshes of our own.
#include "meshio/maker.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

void maker_refuse(MeshMaker *maker, const char *sentence) {
    if (maker->result == THAW_OK) maker->result = thaw_fail(THAW_BAD_INPUT, "%s", sentence);
}

uint32_t maker_point(MeshMaker *maker, ThawVec3 place) {
    uint32_t index = 0;
    if (maker->result == THAW_OK)
        maker->result =
            meshio_weld_point(&maker->weld, (double[3]){place.x, place.y, place.z}, &index);
    return index;
}

uint32_t maker_new_point(MeshMaker *maker, ThawVec3 place) {
    ThawMeshData *mesh = maker->weld.mesh;
    if (maker->result == THAW_OK)
        maker->result = meshio_add_point(mesh, (double[3]){place.x, place.y, place.z});
    return mesh->point_count - 1;
}

void maker_triangle(MeshMaker *maker, uint32_t a, uint32_t b, uint32_t c) {
    if (maker->result != THAW_OK || a == b || b == c || c == a) return;
    maker->result = meshio_add_triangle(maker->weld.mesh, a, b, c);
}

void maker_quad(MeshMaker *maker, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    maker_triangle(maker, a, b, c);
    maker_triangle(maker, a, c, d);
}

void maker_sheet(MeshMaker *maker, int rows, int columns, MakerPlace *place, const void *context) {
    size_t width = (size_t)columns + 1;
    uint32_t *line = thaw_alloc(2 * width * sizeof *line);
    if (line == NULL) {
        maker->result = thaw_fail_memory(2 * width * sizeof *line);
        return;
    }
    for (int row = 0; row <= rows && maker->result == THAW_OK; row++) {
        uint32_t *now = line + width * (size_t)(row % 2),
                 *last = line + width * (size_t)(1 - row % 2);
        for (int k = 0; k <= columns; k++) now[k] = maker_point(maker, place(context, row, k));
        for (int k = 0; k < columns && row > 0; k++)
            maker_quad(maker, last[k], now[k], now[k + 1], last[k + 1]);
    }
    thaw_free(line);
}

// ---------------------------------------------------------------- revolution

typedef struct Lathe {
    const double (*outline)[2];
    int around;
} Lathe;

static ThawVec3 place_on_lathe(const void *context, int row, int column) {
    const Lathe *lathe = context;
    const double *at = lathe->outline[column];
    double angle = 2.0 * MAKER_PI * (double)(row % lathe->around) / (double)lathe->around;
    return thaw_vec(at[0] * cos(angle), at[0] * sin(angle), at[1]);
}

void maker_lathe(MeshMaker *maker, const double (*outline)[2], int count, int around) {
    Lathe lathe = {outline, around};
    maker_sheet(maker, around, count - 1, place_on_lathe, &lathe);
}

// ---------------------------------------------------------------- prisms

static void add_cap(MeshMaker *maker, const uint32_t *ring, int count, bool up) {
    if (maker->result == THAW_OK)
        maker->result = meshio_cut_polygon(
            &maker->polygons, (const double(*)[3])maker->weld.mesh->points, ring, (uint32_t)count);
    for (int k = 0; k + 2 < count && maker->result == THAW_OK; k++) {
        const uint32_t *t = maker->polygons.triples[k];
        maker_triangle(maker, ring[t[0]], ring[t[up ? 1 : 2]], ring[t[up ? 2 : 1]]);
    }
}

void maker_prism(MeshMaker *maker, const double (*outline)[2], int count, const double range[2]) {
    uint32_t *ring = thaw_alloc(2 * (size_t)count * sizeof *ring);
    if (ring == NULL) {
        maker->result = thaw_fail_memory(2 * (size_t)count * sizeof *ring);
        return;
    }
    uint32_t *low = ring, *high = ring + count;
    for (int k = 0; k < count; k++) {
        low[k] = maker_point(maker, thaw_vec(outline[k][0], outline[k][1], range[0]));
        high[k] = maker_point(maker, thaw_vec(outline[k][0], outline[k][1], range[1]));
    }
    for (int k = 0; k < count; k++) {
        int next = (k + 1) % count;
        maker_quad(maker, low[k], low[next], high[next], high[k]);
    }
    add_cap(maker, low, count, false);
    add_cap(maker, high, count, true);
    thaw_free(ring);
}

// ---------------------------------------------------------------- boxes

typedef struct BoxFace {
    const MakerBox *box;
    int axis; // that the face stands on
    int side; // −1 or 1
} BoxFace;

static ThawVec3 place_on_box(const void *context, int row, int column) {
    const BoxFace *face = context;
    const MakerBox *box = face->box;
    // on the upper side (u, v, axis) are right-handed; on the lower one u and v change places
    int u = (face->axis + 1) % 3, v = (face->axis + 2) % 3;
    int number[3];
    number[face->axis] = face->side > 0 ? box->cuts[face->axis] : 0;
    number[u] = face->side > 0 ? row : column;
    number[v] = face->side > 0 ? column : row;
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = 2.0 * (double)number[k] / (double)box->cuts[k] - 1.0;
    ThawVec3 local = {box->half.x * at[0], box->half.y * at[1], box->half.z * at[2]};
    return thaw_add(box->center, thaw_quat_rotate(box->turn, local));
}

void maker_box(MeshMaker *maker, const MakerBox *box) {
    for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int side = -1; side <= 1; side += 2) {
            BoxFace face = {box, axis, side};
            maker_sheet(maker, box->cuts[side > 0 ? u : v], box->cuts[side > 0 ? v : u],
                        place_on_box, &face);
        }
    }
}
