// Triangles wound alike, and the rim: what keeps a mesh from being closed. Points within a thousandth of a cell are
// one, so that cracks of rounding are none. Making points one never opens what was closed: the rim of what is left is
// what is left of the rim. So long rims are made of fewer edges by making more points one.
//
// Where two triangles share an edge that no other has, they should run along it in opposite ways. Pieces joined by
// such edges are made consistent, the smaller area giving way; how pieces lie to each other is left alone, since a
// shell turned inwards within another is how cavities are made.
#include "geometry/field_sign.h"

#include "base/memory.h"
#include "base/result.h"
#include <math.h>
#include <stdlib.h>

// beyond this many, rims cost too much
enum { MOST_EDGES = 1024 };
// cells
static const double WELD = 1e-3;

// an edge of a triangle, from the lower welded point to the higher
typedef struct Edge {
    uint32_t low, high;
    uint32_t triangle;
    int32_t way;   // +1: the triangle runs from low to high, -1: back
    uint32_t next; // in its slot
} Edge;

typedef struct Winder {
    ThawField *field;
    uint32_t *weld;  // the point that stands for a point
    uint32_t *next;  // of points that stand for others, in its slot
    uint32_t *slots; // heads of chains of points, then of edges
    uint64_t slot_count;
    Edge *edges;
    uint32_t edge_count;
    uint32_t *group; // union-find over triangles,
    uint8_t *turn;   // and whether a triangle is wound against its parent
} Winder;

static uint64_t mix(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

// ---------------------------------------------------------------- points at the same place

static uint64_t place_slot(const Winder *winder, const int64_t box[3]) {
    uint64_t hash = 0;
    for (int a = 0; a < 3; a++) hash = mix(hash ^ (uint64_t)box[a]);
    return hash & (winder->slot_count - 1);
}

// the box of a hash along an axis; points may be anywhere
static int64_t box_of(const Winder *winder, double at, int axis, double edge) {
    const ThawVec3 *origin = &winder->field->grid.origin;
    double from = axis == 0 ? origin->x : axis == 1 ? origin->y : origin->z;
    return (int64_t)floor(fmin(fmax((at - from) / edge, -1e15), 1e15));
}

static bool close_by(const double a[3], const double b[3], double reach) {
    return fabs(a[0] - b[0]) <= reach && fabs(a[1] - b[1]) <= reach && fabs(a[2] - b[2]) <= reach;
}

// the point that stands for those in a box of the hash and is close to p
static uint32_t find_in_box(const Winder *winder, const int64_t box[3], const double p[3],
                            double reach) {
    uint32_t k = winder->slots[place_slot(winder, box)];
    while (k != UINT32_MAX && !close_by(winder->field->mesh.points[k], p, reach)) {
        k = winder->next[k];
    }
    return k;
}

// the same in all the boxes that p is close to: one, or up to eight at their borders
static uint32_t find_close(const Winder *winder, const double p[3], double reach, double edge) {
    int64_t low[3], high[3], box[3];
    for (int a = 0; a < 3; a++) {
        low[a] = box_of(winder, p[a] - reach, a, edge);
        high[a] = box_of(winder, p[a] + reach, a, edge);
    }
    for (box[2] = low[2]; box[2] <= high[2]; box[2]++) {
        for (box[1] = low[1]; box[1] <= high[1]; box[1]++) {
            for (box[0] = low[0]; box[0] <= high[0]; box[0]++) {
                uint32_t found = find_in_box(winder, box, p, reach);
                if (found != UINT32_MAX) return found;
            }
        }
    }
    return UINT32_MAX;
}

static void clear_slots(Winder *winder) {
    memset(winder->slots, 0xff, sizeof *winder->slots * (size_t)winder->slot_count);
}

static void weld_points(Winder *winder) {
    const ThawMesh *mesh = &winder->field->mesh;
    double reach = WELD * winder->field->grid.cell, edge = 8.0 * reach;
    clear_slots(winder);
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        const double *p = mesh->points[k];
        uint32_t found = find_close(winder, p, reach, edge);
        winder->weld[k] = found == UINT32_MAX ? k : found;
        if (found != UINT32_MAX) continue;
        int64_t box[3];
        for (int a = 0; a < 3; a++) box[a] = box_of(winder, p[a], a, edge);
        uint32_t *head = &winder->slots[place_slot(winder, box)];
        winder->next[k] = *head;
        *head = k;
    }
}

// of points that still stand for others, one for each box of a grid
static void weld_more(Winder *winder, double edge) {
    const ThawMesh *mesh = &winder->field->mesh;
    clear_slots(winder);
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        uint32_t old = winder->weld[k];
        int64_t box[3], other[3] = {0};
        if (old != k) {
            winder->weld[k] = winder->weld[old]; // lower than k: done already
            continue;
        }
        for (int a = 0; a < 3; a++) box[a] = box_of(winder, mesh->points[k][a], a, edge);
        uint32_t *head = &winder->slots[place_slot(winder, box)], n = *head;
        for (; n != UINT32_MAX; n = winder->next[n]) {
            for (int a = 0; a < 3; a++) other[a] = box_of(winder, mesh->points[n][a], a, edge);
            if (memcmp(other, box, sizeof box) == 0) break;
        }
        if (n != UINT32_MAX) {
            winder->weld[k] = n;
            continue;
        }
        winder->next[k] = *head;
        *head = k;
    }
}

// ---------------------------------------------------------------- edges

static uint64_t edge_slot(const Winder *winder, uint32_t low, uint32_t high) {
    return mix((uint64_t)low << 32 | high) & (winder->slot_count - 1);
}

static void add_edge(Winder *winder, uint32_t triangle, uint32_t a, uint32_t b) {
    Edge edge = {a < b ? a : b, a < b ? b : a, triangle, a < b ? 1 : -1, 0};
    uint32_t *head = &winder->slots[edge_slot(winder, edge.low, edge.high)];
    edge.next = *head;
    *head = winder->edge_count;
    winder->edges[winder->edge_count++] = edge;
}

// degenerate triangles have nothing to say
static void find_edges(Winder *winder) {
    const ThawMesh *mesh = &winder->field->mesh;
    clear_slots(winder);
    winder->edge_count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t corner[3];
        for (int k = 0; k < 3; k++) corner[k] = winder->weld[mesh->triangles[t][k]];
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
        for (int k = 0; k < 3; k++) add_edge(winder, t, corner[k], corner[(k + 1) % 3]);
    }
}

// Edges along the same two points: how many, the first two, and their ways added up. Asked for the one that
// comes last in its chain, so that each place is seen once.
typedef struct Bundle {
    uint32_t count;
    const Edge *edge[2];
} Bundle;

static bool find_bundle(const Winder *winder, uint32_t number, Bundle *bundle) {
    const Edge *self = &winder->edges[number];
    uint32_t k = winder->slots[edge_slot(winder, self->low, self->high)];
    *bundle = (Bundle){0};
    for (; k != UINT32_MAX; k = winder->edges[k].next) {
        const Edge *edge = &winder->edges[k];
        if (edge->low != self->low || edge->high != self->high) continue;
        if (k > number) return false;
        if (bundle->count < 2) bundle->edge[bundle->count] = edge;
        bundle->count++;
    }
    return true;
}

// ---------------------------------------------------------------- pieces

// a triangle's piece, and in *turn whether it is wound against the piece's first
static uint32_t find_piece(Winder *winder, uint32_t triangle, uint8_t *turn) {
    uint32_t root = triangle;
    uint8_t sum = 0;
    for (; winder->group[root] != root; root = winder->group[root]) sum ^= winder->turn[root];
    *turn = sum;
    while (winder->group[triangle] != root) {
        uint32_t next = winder->group[triangle];
        uint8_t own = winder->turn[triangle];
        winder->group[triangle] = root;
        winder->turn[triangle] = sum;
        sum ^= own;
        triangle = next;
    }
    return root;
}

static void join_triangles(Winder *winder, const Edge *a, const Edge *b) {
    uint8_t ta, tb, against = a->way == b->way;
    uint32_t pa = find_piece(winder, a->triangle, &ta), pb = find_piece(winder, b->triangle, &tb);
    if (pa == pb) return;
    uint32_t low = pa < pb ? pa : pb, high = pa < pb ? pb : pa;
    winder->group[high] = low;
    winder->turn[high] = ta ^ tb ^ against;
}

static double area_of(const ThawMesh *mesh, uint32_t triangle) {
    const uint32_t *t = mesh->triangles[triangle];
    double u[3], v[3];
    for (int a = 0; a < 3; a++) {
        u[a] = mesh->points[t[1]][a] - mesh->points[t[0]][a];
        v[a] = mesh->points[t[2]][a] - mesh->points[t[0]][a];
    }
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

// turns the triangles that the larger part of their piece is wound against
static ThawResult turn_triangles(Winder *winder) {
    ThawField *field = winder->field;
    uint32_t count = field->mesh.triangle_count, turned = 0;
    double *lead = thaw_alloc(sizeof *lead * count);
    uint32_t(*wound)[3] = thaw_alloc(sizeof *wound * count);
    if (lead == NULL || wound == NULL) {
        thaw_free(lead);
        thaw_free(wound);
        return thaw_fail_memory(20 * (size_t)count);
    }
    uint8_t turn;
    for (uint32_t t = 0; t < count; t++) {
        uint32_t piece = find_piece(winder, t, &turn);
        lead[piece] += turn ? -area_of(&field->mesh, t) : area_of(&field->mesh, t);
    }
    for (uint32_t t = 0; t < count; t++) {
        uint32_t piece = find_piece(winder, t, &turn);
        bool over = turn != (lead[piece] < 0);
        const uint32_t *from = field->mesh.triangles[t];
        wound[t][0] = from[0];
        wound[t][1] = from[over ? 2 : 1];
        wound[t][2] = from[over ? 1 : 2];
        winder->turn[t] = over;
        winder->group[t] = t; // all is said: edges ask for `turn` alone
        turned += over;
    }
    thaw_free(lead);
    field->wound = field->mesh;
    if (turned == 0) {
        thaw_free(wound);
        return THAW_OK;
    }
    field->wound.triangles = (const uint32_t(*)[3])wound;
    return THAW_OK;
}

// ---------------------------------------------------------------- rim

static int32_t left_over(const Winder *winder, uint32_t number) {
    const Edge *self = &winder->edges[number];
    uint32_t k = winder->slots[edge_slot(winder, self->low, self->high)];
    int32_t sum = 0;
    for (; k != UINT32_MAX; k = winder->edges[k].next) {
        const Edge *edge = &winder->edges[k];
        if (edge->low != self->low || edge->high != self->high) continue;
        if (k > number) return 0;
        sum += winder->turn[edge->triangle] ? -edge->way : edge->way;
    }
    return sum;
}

static void put_rim(const Winder *winder, const Edge *edge, int32_t times, ThawRim *rim) {
    const ThawField *field = winder->field;
    const double *p[2] = {field->mesh.points[times > 0 ? edge->low : edge->high],
                          field->mesh.points[times > 0 ? edge->high : edge->low]};
    for (int32_t n = 0; n < abs(times); n++) {
        for (int k = 0; k < 2; k++) {
            ThawVec3 at = thaw_grid_enter(&field->grid, (ThawVec3){p[k][0], p[k][1], p[k][2]});
            double *to = k == 0 ? rim->from[rim->count] : rim->to[rim->count];
            to[0] = at.x;
            to[1] = at.y;
            to[2] = at.z;
        }
        rim->count++;
    }
}

static uint64_t count_rim(const Winder *winder) {
    uint64_t total = 0;
    for (uint32_t k = 0; k < winder->edge_count; k++) total += (uint64_t)abs(left_over(winder, k));
    return total;
}

static ThawResult find_rim(Winder *winder, ThawRim *rim) {
    uint64_t total = count_rim(winder);
    for (double edge = 0.25; total > MOST_EDGES && edge < 8.0; edge *= 2) {
        weld_more(winder, edge * winder->field->grid.cell);
        find_edges(winder);
        total = count_rim(winder);
    }
    *rim = (ThawRim){.capped = total <= MOST_EDGES};
    if (total == 0) return THAW_OK;
    if (!rim->capped) {
        rim->count = MOST_EDGES + 1;
        return THAW_OK;
    }
    rim->from = thaw_alloc(sizeof *rim->from * (size_t)total);
    rim->to = thaw_alloc(sizeof *rim->to * (size_t)total);
    if (rim->from == NULL || rim->to == NULL) return thaw_fail_memory(48 * (size_t)total);
    for (uint32_t k = 0; k < winder->edge_count; k++) {
        put_rim(winder, &winder->edges[k], left_over(winder, k), rim);
    }
    // any point will do; one off the lattice of corners, where rims of round numbers are not seen edge-on
    static const double off[3] = {0.137, 0.271, 0.193};
    for (int a = 0; a < 3; a++) {
        for (uint32_t k = 0; k < rim->count; k++) rim->apex[a] += rim->from[k][a];
        rim->apex[a] = rim->apex[a] / rim->count + off[a];
    }
    return THAW_OK;
}

void thaw_rim_free(ThawRim *rim) {
    thaw_free(rim->from);
    thaw_free(rim->to);
    *rim = (ThawRim){0};
}

double thaw_rim_change(const ThawRim *rim, const double point[3], double radius, double path) {
    double slope = 0;
    for (uint32_t k = 0; k < rim->count; k++) {
        double edge = 0, far = 0;
        for (int a = 0; a < 3; a++) {
            double along = rim->to[k][a] - rim->from[k][a];
            double way = 0.5 * (rim->to[k][a] + rim->from[k][a]) - point[a];
            edge += along * along;
            far += way * way;
        }
        edge = sqrt(edge);
        double least = sqrt(far) - 0.5 * edge - radius;
        if (least <= 0) return INFINITY;
        slope += edge / (least * least);
    }
    return slope * path * 0.0795774715459477; // 1 / 4 pi
}

// ---------------------------------------------------------------- all of it

static ThawResult open_winder(Winder *winder) {
    const ThawMesh *mesh = &winder->field->mesh;
    uint64_t wanted = 2 * (3 * (uint64_t)mesh->triangle_count + mesh->point_count);
    winder->slot_count = 64;
    while (winder->slot_count < wanted) winder->slot_count *= 2;
    winder->weld = thaw_alloc(sizeof *winder->weld * mesh->point_count);
    winder->next = thaw_alloc(sizeof *winder->next * mesh->point_count);
    winder->slots = thaw_alloc(sizeof *winder->slots * (size_t)winder->slot_count);
    winder->edges = thaw_alloc(sizeof *winder->edges * 3 * mesh->triangle_count);
    winder->group = thaw_alloc(sizeof *winder->group * mesh->triangle_count);
    winder->turn = thaw_alloc(sizeof *winder->turn * mesh->triangle_count);
    bool got = winder->weld && winder->next && winder->slots && winder->edges && winder->group &&
               winder->turn;
    return got ? THAW_OK : thaw_fail_memory(64 * (size_t)mesh->triangle_count);
}

static ThawResult wind_all(Winder *winder, ThawRim *rim) {
    ThawResult result = open_winder(winder);
    if (result != THAW_OK) return result;
    for (uint32_t t = 0; t < winder->field->mesh.triangle_count; t++) winder->group[t] = t;
    weld_points(winder);
    find_edges(winder);
    for (uint32_t k = 0; k < winder->edge_count; k++) {
        Bundle bundle;
        if (!find_bundle(winder, k, &bundle) || bundle.count != 2) continue;
        join_triangles(winder, bundle.edge[0], bundle.edge[1]);
    }
    result = turn_triangles(winder);
    return result == THAW_OK ? find_rim(winder, rim) : result;
}

ThawResult thaw_field_wind(ThawField *field, ThawRim *rim) {
    Winder winder = {.field = field};
    *rim = (ThawRim){0};
    ThawResult result = wind_all(&winder, rim);
    thaw_free(winder.weld);
    thaw_free(winder.next);
    thaw_free(winder.slots);
    thaw_free(winder.edges);
    thaw_free(winder.group);
    thaw_free(winder.turn);
    if (result != THAW_OK) thaw_rim_free(rim);
    return result;
}
