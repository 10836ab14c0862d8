// Places on the surface: from the closest triangles kept with the corners, or by search.
#include "geometry/field_bricks.h"

#include "geometry/triangle.h"
#include <math.h>

#define ENOUGH 0.02 // cells by which a candidate may be further than the distance says

// ---------------------------------------------------------------- candidates

typedef struct Candidates {
    uint32_t triangle[8];
    int count;
} Candidates;

static void add_candidate(Candidates *candidates, uint32_t triangle) {
    if (triangle == UINT32_MAX) return;
    for (int k = 0; k < candidates->count; k++) {
        if (candidates->triangle[k] == triangle) return;
    }
    candidates->triangle[candidates->count++] = triangle;
}

// the triangles of the corners of the point's cell
static void find_candidates(const ThawField *field, ThawVec3 point, Candidates *candidates) {
    const ThawFieldGrid *grid = &field->grid;
    ThawVec3 enter = thaw_grid_enter(grid, point);
    const double at[3] = {enter.x, enter.y, enter.z};
    int32_t cell[3];
    candidates->count = 0;
    for (int a = 0; a < 3; a++) {
        if (!(at[a] >= 0 && at[a] < (double)(grid->cells[a] - 1))) return;
        cell[a] = (int32_t)floor(at[a]);
    }
    for (int k = 0; k < 8; k++) {
        int32_t corner[3] = {cell[0] + (k & 1), cell[1] + (k >> 1 & 1), cell[2] + (k >> 2)};
        int32_t brick = thaw_field_look(field, corner);
        if (brick < 0) continue;
        add_candidate(candidates, thaw_brick_closest(field, brick, corner[0] & 7, corner[1] & 7,
                                                     corner[2] & 7));
    }
}

// the tree's triangles may be turned over: corners 1 and 2 have changed places
static ThawFieldSpot spot_of(const ThawField *field, const ThawBvhHit *hit) {
    uint32_t t = hit->triangle;
    bool turned = field->wound.triangles[t][1] != field->mesh.triangles[t][1];
    ThawFieldSpot spot = {t, {hit->weight[0], hit->weight[1], hit->weight[2]}, hit->point};
    if (turned) {
        spot.weight[1] = hit->weight[2];
        spot.weight[2] = hit->weight[1];
    }
    return spot;
}

static bool in_band(const ThawField *field, double sampled) {
    // bounds beyond it are rounded towards 0
    return fabs(sampled) < (1 - 1e-5) * (double)field->grid.band * field->report.cell;
}

// the closest of the candidates, the lowest on a tie; returns how far it is
static double choose_candidate(const ThawField *field, ThawVec3 point, const Candidates *candidates,
                               ThawFieldSpot *spot) {
    double best = INFINITY;
    for (int k = 0; k < candidates->count; k++) {
        uint32_t triangle = candidates->triangle[k];
        ThawVec3 corner[3];
        thaw_triangle_corners(&field->mesh, triangle, corner);
        ThawTrianglePoint found = thaw_closest_on_triangle(point, corner);
        bool tie = found.squared == best && triangle < spot->triangle;
        if (!(found.squared < best || tie)) continue;
        best = found.squared;
        spot->triangle = triangle;
        spot->point = found.point;
        memcpy(spot->weight, found.weight, sizeof found.weight);
    }
    return sqrt(best);
}

// A triangle smaller than the cell may lie closer than any of its corners'. The distance tells: where the candidate is
// further away than that, a search finds what is closer, and need not look further than the candidate. Interpolated
// distances are not to be trusted for that within a cell of a sheet, which is a ridge there.
static bool find_in_band(const ThawField *field, ThawVec3 point, double sampled,
                         ThawFieldSpot *spot) {
    Candidates candidates;
    ThawBvhHit hit;
    find_candidates(field, point, &candidates);
    if (candidates.count == 0) return false;
    double reach = choose_candidate(field, point, &candidates, spot), cell = field->report.cell;
    double distance = fabs(sampled + field->report.offset);
    bool told = field->report.mode != THAW_FIELD_SHELL || distance > cell;
    if (told && reach <= distance + ENOUGH * cell) return true;
    if (candidates.count > 1 && thaw_bvh_closest(field->bvh, point, reach, &hit)) {
        *spot = spot_of(field, &hit);
    }
    return true;
}

ThawFieldSpot thaw_field_spot(const ThawField *field, ThawVec3 point) {
    ThawFieldSpot spot = {0};
    ThawBvhHit hit;
    double sampled = thaw_field_sample(field, point, NULL);
    if (in_band(field, sampled) && find_in_band(field, point, sampled, &spot)) return spot;
    if (thaw_bvh_closest(field->bvh, point, INFINITY, &hit)) return spot_of(field, &hit);
    // only for a point that is no place: anything on the mesh
    const double *any = field->mesh.points[field->mesh.triangles[0][0]];
    return (ThawFieldSpot){0, {1, 0, 0}, {any[0], any[1], any[2]}};
}

// ---------------------------------------------------------------- exact distance

static ThawVec3 unit_or(ThawVec3 v, ThawVec3 otherwise) {
    double length = thaw_length(v);
    return length > 0 && isfinite(length) ? thaw_scale(v, 1.0 / length) : otherwise;
}

static ThawVec3 triangle_normal(const ThawMesh *mesh, uint32_t triangle) {
    ThawVec3 corner[3];
    thaw_triangle_corners(mesh, triangle, corner);
    return unit_or(thaw_triangle_normal(corner), (ThawVec3){0, 0, 1});
}

// which side a point is on: by the field where it is sure, by winding number close to the surface
static bool is_inside(const ThawField *field, ThawVec3 point, double sampled) {
    if (field->report.mode == THAW_FIELD_SHELL) return false;
    bool sure = fabs(sampled) > field->report.cell;
    if (sure || !field->is_closed) return sampled < 0;
    return fabs(thaw_bvh_winding(field->bvh, point)) > 0.5;
}

ThawNearest thaw_field_nearest(const ThawField *field, ThawVec3 point) {
    double offset = field->report.offset;
    ThawVec3 slope, up = {0, 0, 1};
    ThawBvhHit hit;
    double sampled = thaw_field_sample(field, point, &slope) + offset;
    if (!thaw_bvh_closest(field->bvh, point, INFINITY, &hit)) {
        return (ThawNearest){sampled - offset, unit_or(slope, up)};
    }
    // an open mesh's cap may be nearer than the mesh
    bool by_cap = !field->is_closed && thaw_length(slope) > 0 &&
                  fabs(sampled) < hit.distance - 0.75 * field->report.cell;
    if (by_cap) return (ThawNearest){sampled - offset, unit_or(slope, up)};
    bool inside = is_inside(field, point, sampled);
    ThawVec3 way = thaw_scale(thaw_sub(point, hit.point), inside ? -1.0 : 1.0);
    // on the surface itself the way out is the field's, else the triangle's
    bool touching = hit.distance < 1e-9 * field->report.cell;
    ThawVec3 flat = triangle_normal(&field->wound, hit.triangle);
    ThawVec3 normal = touching ? unit_or(slope, flat) : unit_or(way, flat);
    return (ThawNearest){(inside ? -hit.distance : hit.distance) - offset, normal};
}

double thaw_field_distance(const ThawField *field, ThawVec3 point) {
    double sampled = thaw_field_sample(field, point, NULL);
    return in_band(field, sampled) ? sampled : thaw_field_nearest(field, point).distance;
}
