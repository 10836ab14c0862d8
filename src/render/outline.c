// Solids as triangles and containers as edges; meshes are in outline_mesh.c.
//
// Round solids are grids over two angles (a profile turned about local z); the shading takes exact
// normals from the shape itself, so a modest number of triangles suffices. Edges are short pieces of
// round line.
#include "render/outline.h"

#include "base/memory.h"
#include "geometry/distance.h"
#include "math/vec.h"

#define PI 3.14159265358979323846
#define TURN 96    // pieces of a full turn
#define PROFILE 48 // pieces of a profile
#define EDGE_RADIUS 0.0021f

// ---------------------------------------------------------------- gathering

static bool grow(void **block, uint32_t *capacity, uint32_t wanted, size_t size) {
    if (wanted <= *capacity) return true;
    uint32_t more = wanted + wanted / 2 + 64;
    void *moved = thaw_realloc(*block, *capacity * size, more * size);
    if (moved == NULL) return false;
    *block = moved;
    *capacity = more;
    return true;
}

bool thaw_outline_reserve(ThawOutline *mesh, uint32_t points, uint32_t indices) {
    return grow((void **)&mesh->points, &mesh->point_capacity, mesh->point_count + points,
                sizeof *mesh->points) &&
           grow((void **)&mesh->indices, &mesh->index_capacity, mesh->index_count + indices,
                sizeof *mesh->indices);
}

// a local point of a shape, reserved before
void thaw_outline_point(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape,
                        ThawVec3 local) {
    ThawVec3 p = thaw_stage_local(stage, thaw_pose_apply(shape->pose, local));
    // a flat world is drawn flat: matter lies at z = 0
    if (stage->dimensions == 2) {
        double z = -stage->center.z / stage->scale, thin = 0.004;
        p.z = p.z > z + thin ? z + thin : p.z < z - thin ? z - thin : p.z;
    }
    float *to = mesh->points[mesh->point_count++];
    to[0] = (float)p.x;
    to[1] = (float)p.y;
    to[2] = (float)p.z;
    to[3] = EDGE_RADIUS;
}

void thaw_outline_triangle(ThawOutline *mesh, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *to = mesh->indices + mesh->index_count;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    mesh->index_count += 3;
}

void thaw_outline_free(ThawOutline *mesh) {
    thaw_free(mesh->points);
    thaw_free(mesh->indices);
    thaw_free(mesh->normals);
    *mesh = (ThawOutline){0};
}

// ---------------------------------------------------------------- triangles

static ThawVec3 box_corner(const ThawShape *shape, int k) {
    return thaw_vec((k & 1 ? 0.5 : -0.5) * shape->size.x, (k & 2 ? 0.5 : -0.5) * shape->size.y,
                    (k & 4 ? 0.5 : -0.5) * shape->size.z);
}

static bool mesh_box(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    static const uint32_t faces[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                         {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
    if (!thaw_outline_reserve(mesh, 8, 36)) return false;
    uint32_t base = mesh->point_count;
    for (int k = 0; k < 8; k++) thaw_outline_point(mesh, stage, shape, box_corner(shape, k));
    for (int f = 0; f < 6; f++) {
        const uint32_t *q = faces[f];
        thaw_outline_triangle(mesh, base + q[0], base + q[1], base + q[2]);
        thaw_outline_triangle(mesh, base + q[0], base + q[2], base + q[3]);
    }
    return true;
}

// the profile (ρ, z) of a round shape at k = 0..PROFILE, from the bottom up; a torus' is closed
static void profile_at(const ThawShape *s, int k, double *rho, double *z) {
    double t = (double)k / PROFILE, half = 0.5 * s->height, r = s->radius;
    double angle = PI * (t - 0.5);
    switch (s->kind) {
    case THAW_SHAPE_SPHERE:
    case THAW_SHAPE_CAPSULE:
        *rho = r * cos(angle);
        *z = r * sin(angle);
        if (s->kind == THAW_SHAPE_CAPSULE) *z += 2 * k < PROFILE ? -half : half;
        break;
    case THAW_SHAPE_CYLINDER: // axis, rim, rim, axis, with the rest on the flank
        *rho = k == 0 || k == PROFILE ? 0 : r;
        *z = k <= 1 ? -half : k >= PROFILE - 1 ? half : s->height * (t - 0.5);
        break;
    case THAW_SHAPE_CONE:
        *rho = k == 0 ? 0 : r * (PROFILE - k) / (PROFILE - 1);
        *z = k == 0 ? 0 : s->height * (k - 1) / (PROFILE - 1);
        break;
    default: *rho = r + s->tube * cos(2 * angle); *z = s->tube * sin(2 * angle);
    }
}

static bool mesh_round(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    if (!thaw_outline_reserve(mesh, (PROFILE + 1) * TURN, 6 * PROFILE * TURN)) return false;
    uint32_t base = mesh->point_count;
    for (int k = 0; k <= PROFILE; k++) {
        double rho, z;
        profile_at(shape, k, &rho, &z);
        for (int j = 0; j < TURN; j++) {
            double turn = 2 * PI * j / TURN;
            thaw_outline_point(mesh, stage, shape, thaw_vec(rho * cos(turn), rho * sin(turn), z));
        }
    }
    for (uint32_t k = 0; k < PROFILE; k++) {
        for (uint32_t j = 0; j < TURN; j++) {
            uint32_t next = (j + 1) % TURN, a = base + k * TURN, b = a + TURN;
            thaw_outline_triangle(mesh, a + j, a + next, b + next);
            thaw_outline_triangle(mesh, a + j, b + next, b + j);
        }
    }
    return true;
}

// where a plane cuts the twelve edges of the framed box, a little enlarged; at most six places
static int cut_box(const ThawStage *stage, const ThawShape *shape, ThawVec3 cut[12]) {
    double more = 1e-3 * stage->scale;
    ThawVec3 pad = thaw_scale(thaw_sub(stage->upper, stage->lower), 0.04), corners[8];
    pad = thaw_add(pad, thaw_vec(more, more, more));
    ThawVec3 lower = thaw_sub(stage->lower, pad), upper = thaw_add(stage->upper, pad);
    for (int k = 0; k < 8; k++) {
        ThawVec3 corner = {k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y,
                           k & 4 ? upper.z : lower.z};
        corners[k] = thaw_pose_invert(shape->pose, corner);
    }
    int count = 0;
    for (int k = 0; k < 8; k++) {
        for (int bit = 1; bit < 8; bit *= 2) {
            ThawVec3 a = corners[k], b = corners[k | bit];
            if (k & bit || (a.z < 0) == (b.z < 0)) continue;
            cut[count++] = thaw_add(a, thaw_scale(thaw_sub(b, a), a.z / (a.z - b.z)));
        }
    }
    return count;
}

// puts places on a plane in order around their middle
static void sort_around(ThawVec3 *cut, int count) {
    ThawVec3 middle = {0, 0, 0};
    for (int k = 0; k < count; k++) middle = thaw_add(middle, thaw_scale(cut[k], 1.0 / count));
    for (int k = 1; k < count; k++) {
        ThawVec3 moving = cut[k];
        double angle = atan2(moving.y - middle.y, moving.x - middle.x);
        int place = k;
        for (; place > 0; place--) {
            ThawVec3 before = cut[place - 1];
            if (atan2(before.y - middle.y, before.x - middle.x) <= angle) break;
            cut[place] = before;
        }
        cut[place] = moving;
    }
}

// the piece of a plane that lies in the framed box
static bool mesh_plane(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    ThawVec3 cut[12];
    int count = cut_box(stage, shape, cut);
    if (count < 3) return true;
    sort_around(cut, count);
    if (!thaw_outline_reserve(mesh, (uint32_t)count, 3 * (uint32_t)count)) return false;
    uint32_t base = mesh->point_count;
    for (int k = 0; k < count; k++)
        thaw_outline_point(mesh, stage, shape, thaw_vec(cut[k].x, cut[k].y, 0));
    for (uint32_t k = 1; k + 1 < (uint32_t)count; k++) {
        thaw_outline_triangle(mesh, base, base + k, base + k + 1);
    }
    return true;
}

bool thaw_outline_solid(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    if (shape->kind == THAW_SHAPE_BOX) return mesh_box(mesh, stage, shape);
    if (shape->kind == THAW_SHAPE_PLANE) return mesh_plane(mesh, stage, shape);
    return mesh_round(mesh, stage, shape);
}

// ---------------------------------------------------------------- edges

bool thaw_outline_line(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape,
                       ThawVec3 a, ThawVec3 b) {
    if (!thaw_outline_reserve(mesh, 2, 1)) return false;
    mesh->indices[mesh->index_count++] = mesh->point_count;
    thaw_outline_point(mesh, stage, shape, a);
    thaw_outline_point(mesh, stage, shape, b);
    return true;
}

// an arc about `middle` from angle 0 to `turn`, spanned by u and v
static bool edge_arc(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape,
                     const ThawVec3 frame[3], double turn) {
    if (!thaw_outline_reserve(mesh, TURN + 1, TURN)) return false;
    for (int k = 0; k <= TURN; k++) {
        double angle = turn * k / TURN;
        ThawVec3 out = thaw_add(thaw_scale(frame[1], cos(angle)), thaw_scale(frame[2], sin(angle)));
        if (k < TURN) mesh->indices[mesh->index_count++] = mesh->point_count;
        thaw_outline_point(mesh, stage, shape, thaw_add(frame[0], out));
    }
    return true;
}

static bool edge_ring(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape, double rho,
                      double z) {
    ThawVec3 frame[3] = {{0, 0, z}, {rho, 0, 0}, {0, rho, 0}};
    return edge_arc(mesh, stage, shape, frame, 2 * PI);
}

static bool edges_box(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    for (int k = 0; k < 8; k++) {
        for (int bit = 1; bit < 8; bit *= 2) {
            if (k & bit) continue;
            ThawVec3 a = box_corner(shape, k), b = box_corner(shape, k | bit);
            if (!thaw_outline_line(mesh, stage, shape, a, b)) return false;
        }
    }
    return true;
}

// four meridians: a half circle about z = +half and one about −half, joined by a line
static bool edges_capsule(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    double r = shape->radius, half = shape->kind == THAW_SHAPE_CAPSULE ? 0.5 * shape->height : 0.0;
    bool good = edge_ring(mesh, stage, shape, r, half);
    if (half > 0) good = good && edge_ring(mesh, stage, shape, r, -half);
    for (int k = 0; good && k < 2; k++) {
        ThawVec3 out = k == 0 ? thaw_vec(r, 0, 0) : thaw_vec(0, r, 0), back = thaw_scale(out, -1);
        ThawVec3 top[3] = {{0, 0, half}, out, {0, 0, r}}, low[3] = {{0, 0, -half}, out, {0, 0, -r}};
        good = edge_arc(mesh, stage, shape, top, PI) && edge_arc(mesh, stage, shape, low, PI);
        if (!good || !(half > 0)) continue;
        ThawVec3 high = {0, 0, half}, deep = {0, 0, -half};
        good = thaw_outline_line(mesh, stage, shape, thaw_add(out, high), thaw_add(out, deep)) &&
               thaw_outline_line(mesh, stage, shape, thaw_add(back, high), thaw_add(back, deep));
    }
    return good;
}

// rings at the ends and four lines along the flank: cylinder and cone
static bool edges_flank(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    bool cone = shape->kind == THAW_SHAPE_CONE;
    double r = shape->radius, low = cone ? 0 : -0.5 * shape->height, high = low + shape->height;
    bool good = edge_ring(mesh, stage, shape, r, low);
    if (!cone) good = good && edge_ring(mesh, stage, shape, r, high);
    for (int k = 0; good && k < 4; k++) {
        double x = k == 0 ? r : k == 1 ? -r : 0, y = k == 2 ? r : k == 3 ? -r : 0;
        ThawVec3 top = cone ? thaw_vec(0, 0, high) : thaw_vec(x, y, high);
        good = thaw_outline_line(mesh, stage, shape, thaw_vec(x, y, low), top);
    }
    return good;
}

static bool edges_torus(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    double r = shape->radius, tube = shape->tube;
    bool good = edge_ring(mesh, stage, shape, r + tube, 0) &&
                edge_ring(mesh, stage, shape, r - tube, 0) &&
                edge_ring(mesh, stage, shape, r, tube) && edge_ring(mesh, stage, shape, r, -tube);
    for (int k = 0; good && k < 8; k++) {
        ThawVec3 out = thaw_vec(cos(0.25 * PI * k), sin(0.25 * PI * k), 0);
        ThawVec3 frame[3] = {thaw_scale(out, r), thaw_scale(out, tube), {0, 0, tube}};
        good = edge_arc(mesh, stage, shape, frame, 2 * PI);
    }
    return good;
}

bool thaw_outline_edges(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape) {
    switch (shape->kind) {
    case THAW_SHAPE_BOX: return edges_box(mesh, stage, shape);
    case THAW_SHAPE_SPHERE:
    case THAW_SHAPE_CAPSULE: return edges_capsule(mesh, stage, shape);
    case THAW_SHAPE_CYLINDER:
    case THAW_SHAPE_CONE: return edges_flank(mesh, stage, shape);
    case THAW_SHAPE_TORUS: return edges_torus(mesh, stage, shape);
    case THAW_SHAPE_PLANE:
    case THAW_SHAPE_BLEND:
    case THAW_SHAPE_MESH:
    case THAW_SHAPE_KINDS: break;
    }
    return true; // a plane and a mesh have no edges of their own
}
