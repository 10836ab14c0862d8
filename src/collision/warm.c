// Faces of walls as heat sees them. What heat needs of a wall is a plane: how far it is, which way it looks, how warm it
// is. A particle in the corner of a container sees a plane for each face.
#include "collision/warm.h"

#include "collision/walls_internal.h"
#include "geometry/field.h"

#define HIDDEN 1e-6 // cells
#define ROW_CHUNK 1024u

typedef struct Visit {
    const ThawWalls *walls;
    const ThawWallStep *step;
    ThawFacesSeen *seen;
    void *context;
    double reach; // cells a metre of spacing: how far faces count
    uint32_t near_chunks;
} Visit;

// the faces of one particle, nearest first
typedef struct Faces {
    ThawWarmFace of[THAW_WARM_FACES];
    int count;
    double reach; // cells
} Faces;

static bool is_painted(const ThawCollider *collider) {
    if (collider->shape.kind != THAW_SHAPE_MESH) return false;
    ThawPaint paint = thaw_field_mesh(collider->shape.field).paint[THAW_PAINT_TEMPERATURE];
    return paint.values != NULL || paint.image != NULL;
}

bool thaw_walls_warm(const ThawWallStep *step) {
    for (uint32_t k = 0; k < step->collider_count; k++) {
        if (step->colliders[k].temperature > 0 || is_painted(&step->colliders[k])) return true;
    }
    return false;
}

// what is painted next to a point, or the collider's own
static float temperature_at(const ThawObstacle *o, const ThawCollider *collider, ThawVec3 x) {
    if (!is_painted(collider)) return collider->temperature;
    const ThawField *field = o->deform != NULL ? thaw_deform_field(o->deform) : o->shape.field;
    ThawVec3 local = thaw_scale(thaw_obstacle_local(o, x), 1 / o->shape.scale);
    ThawFieldSpot spot = thaw_field_spot(field, local);
    return thaw_field_paint(field, THAW_PAINT_TEMPERATURE, &spot, collider->temperature);
}

// ---------------------------------------------------------------- faces of one particle

// room for a face at such a distance, nearest first; NULL where it does not count
static ThawWarmFace *insert_face(Faces *faces, double distance) {
    int at = faces->count;
    if (!(distance < faces->reach)) return NULL;
    if (at == THAW_WARM_FACES && distance >= faces->of[at - 1].distance) return NULL;
    if (at == THAW_WARM_FACES) at--;
    for (; at > 0 && faces->of[at - 1].distance > distance; at--) faces->of[at] = faces->of[at - 1];
    if (faces->count < THAW_WARM_FACES) faces->count++;
    return &faces->of[at];
}

// a collider beside one particle
typedef struct Beside {
    const ThawObstacle *obstacle;
    const ThawCollider *collider;
    ThawVec3 x; // the particle's place from the obstacle's, cells
} Beside;

static void add_face(Faces *faces, const Beside *beside, ThawVec3 normal, double distance,
                     float temperature) {
    const ThawObstacle *o = beside->obstacle;
    distance = fmax(distance, 0);
    ThawWarmFace *face = insert_face(faces, distance);
    if (face == NULL) return;
    face->distance = distance;
    face->normal = normal;
    face->temperature = temperature;
    face->transfer = beside->collider->heat_transfer;
    face->collider = o->collider;
    face->motion = o->moving ? thaw_obstacle_motion(o, beside->x) : thaw_vec(0, 0, 0);
}

// one side of a container along a direction of its own frame
static void add_side(Faces *faces, const Beside *beside, ThawVec3 inwards, double distance) {
    if (!(distance < faces->reach)) return;
    ThawVec3 normal = thaw_turn(beside->obstacle->turn, inwards);
    // in 2D, nothing is seen of the faces above and below
    if (beside->obstacle->flat && fabs(normal.z) > 0.5) return;
    add_face(faces, beside, normal, distance, beside->collider->temperature);
}

static void add_room(Faces *faces, const Beside *beside, ThawVec3 x) {
    ThawVec3 half = thaw_scale(beside->obstacle->shape.size, 0.5);
    const double at[3] = {x.x, x.y, x.z}, edge[3] = {half.x, half.y, half.z};
    for (int n = 0; n < 6; n++) {
        int a = n % 3;
        double s = n < 3 ? -1 : 1, distance = edge[a] - s * at[a];
        if (!(distance < faces->reach)) continue;
        add_side(faces, beside, thaw_vec(a == 0 ? -s : 0, a == 1 ? -s : 0, a == 2 ? -s : 0),
                 distance);
    }
}

static void add_can(Faces *faces, const Beside *beside, ThawVec3 x) {
    const ThawShape *shape = &beside->obstacle->shape;
    double radius = sqrt(x.x * x.x + x.y * x.y), per = radius > 0 ? -1 / radius : 0;
    add_side(faces, beside, thaw_vec(x.x * per, x.y * per, 0), shape->radius - radius);
    for (int side = -1; side <= 1; side += 2) {
        add_side(faces, beside, thaw_vec(0, 0, -side), 0.5 * shape->height - side * x.z);
    }
}

// any other shape: its nearest point
static void add_nearest(Faces *faces, const Beside *beside) {
    const ThawObstacle *o = beside->obstacle;
    // of a plane the nearest point is no harder to find than the distance
    bool plane = o->shape.kind == THAW_SHAPE_PLANE;
    if (!plane && !(thaw_obstacle_distance(o, beside->x) < faces->reach)) return;
    ThawSurface surface = thaw_obstacle_nearest(o, beside->x);
    if (!(surface.distance < faces->reach)) return;
    float temperature = temperature_at(o, beside->collider, beside->x);
    add_face(faces, beside, surface.normal, surface.distance, temperature);
}

static void add_obstacle(Faces *faces, const Visit *visit, const ThawObstacle *o, uint32_t row) {
    const int64_t *cells = visit->step->store->cells + 3 * (size_t)row;
    Beside beside = {o, &visit->step->colliders[o->collider],
                     thaw_obstacle_offset(o, visit->step->domain, cells)};
    if (o->side < 0 && o->shape.kind == THAW_SHAPE_BOX) {
        add_room(faces, &beside, thaw_obstacle_local(o, beside.x));
    } else if (o->side < 0 && o->shape.kind == THAW_SHAPE_CYLINDER) {
        add_can(faces, &beside, thaw_obstacle_local(o, beside.x));
    } else {
        add_nearest(faces, &beside);
    }
}

// drops faces whose nearest point lies behind a nearer one
static void hide_faces(Faces *faces) {
    int kept = 0;
    for (int k = 0; k < faces->count; k++) {
        const ThawWarmFace *face = &faces->of[k];
        bool hidden = false;
        for (int n = 0; n < kept && !hidden; n++) {
            double along = face->distance * thaw_dot(face->normal, faces->of[n].normal);
            hidden = along >= faces->of[n].distance - HIDDEN;
            // the same plane again, or the corner that a point lies in
            if (face->distance < HIDDEN) {
                hidden = thaw_dot(face->normal, faces->of[n].normal) > 1 - HIDDEN;
            }
        }
        if (!hidden) faces->of[kept++] = *face;
    }
    faces->count = kept;
}

static void show(const Visit *visit, Faces *faces, uint32_t row) {
    if (faces->count == 0) return;
    if (faces->count > 1) hide_faces(faces);
    visit->seen(visit->context, row, faces->of, faces->count);
}

// ---------------------------------------------------------------- rows

// none yet; what is not counted is not looked at
static void begin_faces(Faces *faces, const Visit *visit, uint32_t row) {
    faces->count = 0;
    faces->reach = visit->reach * (double)visit->step->store->spacing[row];
}

static void visit_near(const Visit *visit, const ThawNearWall *near) {
    Faces faces;
    begin_faces(&faces, visit, near->row);
    // slots cover what is within the support of any place up to a margin beyond the tentative move
    const float *shift = visit->step->work->shift + 3 * (size_t)near->row;
    double length = sqrt((double)(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]));
    double covered = (double)(near->covered + near->contact_distance - near->support);
    bool all = near->slot_count > THAW_WALL_SLOTS || !(length < covered);
    uint32_t count = all ? visit->walls->obstacle_count : near->slot_count;
    for (uint32_t k = 0; k < count; k++) {
        const ThawObstacle *o = &visit->walls->obstacles[all ? k : near->slots[k]];
        if (!all && thaw_near_gap_after(near, o, k, length) > faces.reach + 1e-5) continue;
        add_obstacle(&faces, visit, o, near->row);
    }
    show(visit, &faces, near->row);
}

// walls leave alone what is held, and so does their list of near rows
static void visit_held(const Visit *visit, uint32_t row) {
    Faces faces;
    begin_faces(&faces, visit, row);
    for (uint32_t k = 0; k < visit->walls->obstacle_count; k++) {
        add_obstacle(&faces, visit, &visit->walls->obstacles[k], row);
    }
    show(visit, &faces, row);
}

static void visit_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Visit *visit = context;
    if (chunk < visit->near_chunks) {
        ThawRange range = thaw_chunk_range(chunk, visit->walls->near_count, THAW_WALL_CHUNK);
        for (uint32_t k = range.begin; k < range.end; k++)
            visit_near(visit, &visit->walls->near[k]);
        return;
    }
    const uint8_t *held = visit->step->held;
    ThawRange range =
        thaw_chunk_range(chunk - visit->near_chunks, visit->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (held[row] != 0) visit_held(visit, row);
    }
}

void thaw_walls_faces(const ThawWalls *walls, const ThawWallStep *step, ThawFacesSeen *seen,
                      void *context) {
    Visit visit = {walls,
                   step,
                   seen,
                   context,
                   step->support / step->domain->cell,
                   thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK)};
    if (walls->obstacle_count == 0) return;
    uint32_t chunks = visit.near_chunks;
    if (step->held != NULL) chunks += thaw_chunk_count(step->store->count, ROW_CHUNK);
    thaw_parallel_run(step->parallel, visit_chunk, &visit, chunks);
}
