// Looks at many particles: starts and paths against meshes.
#include "collision/look.h"

#include "collision/response.h"
#include "geometry/field.h"

#include <string.h>

#define ROUNDS 64        // steps of a path that are followed here
#define SLACK 1e-6f      // cells, as in path.c
#define FAR_MARGIN 1.25f // grains by which steps beyond the band stay behind the bound
#define SHORTEST 0.0625f // grains: where steps get shorter than that, path.c is asked
#define PENDING (THAW_LOOK * THAW_WALL_SLOTS)

bool thaw_look_can(const ThawObstacle *o) {
    return o->shape.kind == THAW_SHAPE_MESH && o->deform == NULL && !(o->flat && o->moving);
}

// ---------------------------------------------------------------- places in the field's frame

// a turn into the field's frame, and the measure
static void matrix_in(const ThawObstacle *o, bool carried, float m[9]) {
    double per = 1 / o->shape.scale;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double sum = o->turn[3 * b + a];
            if (carried) {
                sum = 0;
                for (int k = 0; k < 3; k++) sum += o->turn[3 * k + a] * o->carry[3 * k + b];
            }
            m[3 * a + b] = (float)(sum * per);
        }
    }
}

static void turn_all(const float m[9], const float add[3], float (*restrict in)[THAW_LOOK],
                     uint32_t count, float (*restrict out)[THAW_LOOK]) {
    for (int a = 0; a < 3; a++) {
        float x = m[3 * a], y = m[3 * a + 1], z = m[3 * a + 2], more = add[a];
        for (uint32_t k = 0; k < count; k++) {
            out[a][k] = (x * in[0][k] + y * in[1][k] + z * in[2][k]) + more;
        }
    }
}

static ThawVec3 origin_in(const ThawObstacle *o, ThawVec3 x) {
    return thaw_scale(thaw_turn_back(o->turn, x), 1 / o->shape.scale);
}

// distances from the wall in cells, at places in metres of the field from an origin
static void sample_all(const ThawObstacle *o, ThawVec3 origin, float (*x)[THAW_LOOK],
                       uint32_t count, float *distance) {
    ThawFieldPoints points = {.origin = origin, .x = x[0], .y = x[1], .z = x[2], .count = count};
    points.distance = distance;
    o->sample(o->shape.field, &points);
    float scale = (float)(o->side * o->shape.scale), offset = (float)(o->side * o->shape.offset);
    for (uint32_t k = 0; k < count; k++) distance[k] = distance[k] * scale - offset;
}

static const float no_move[3] = {0, 0, 0};

// ---------------------------------------------------------------- starts

static void gather_starts(ThawLook *look, const ThawWallStep *step, const uint32_t *rows) {
    const ThawObstacle *o = look->obstacle;
    const int64_t *cells = step->store->cells, *first = cells + 3 * (size_t)rows[0];
    ThawSeen seen = thaw_obstacle_see(o, step->domain, first);
    look->still = seen.still;
    look->carried = seen.carried;
    float square = 0;
    for (uint32_t k = 0; k < look->count; k++) {
        const int64_t *start = cells + 3 * (size_t)rows[k];
        float at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = (float)(start[a] - first[a]) * (float)(1.0 / 4294967296.0);
            look->at[a][k] = at[a];
        }
        square = fmaxf(square, at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    }
    look->extent = sqrtf(square);
}

// the same where each start may have another image nearest to the mesh
static void gather_images(ThawLook *look, const ThawWallStep *step, const uint32_t *rows) {
    float square = 0;
    for (uint32_t k = 0; k < look->count; k++) {
        const int64_t *start = step->store->cells + 3 * (size_t)rows[k];
        ThawSeen seen = thaw_obstacle_see(look->obstacle, step->domain, start);
        if (k == 0) {
            look->still = seen.still;
            look->carried = seen.carried;
        }
        ThawVec3 at = thaw_sub(seen.still, look->still);
        look->at[0][k] = (float)at.x;
        look->at[1][k] = (float)at.y;
        look->at[2][k] = (float)at.z;
        square = fmaxf(square, (float)thaw_dot(at, at));
    }
    look->extent = sqrtf(square);
}

static void place_starts(ThawLook *look, const ThawObstacle *o, const ThawWallStep *step,
                         const uint32_t *rows, uint32_t count) {
    const bool *periodic = step->domain->periodic;
    look->obstacle = o;
    look->count = count;
    if (periodic[0] || periodic[1] || periodic[2])
        gather_images(look, step, rows);
    else
        gather_starts(look, step, rows);
}

// how far the mesh carries each start
static void measure_swept(ThawLook *look) {
    const double *c = look->obstacle->carry;
    ThawVec3 first = thaw_sub(look->carried, look->still);
    float m[9], add[3] = {(float)first.x, (float)first.y, (float)first.z};
    for (int k = 0; k < 9; k++) m[k] = (float)(c[k] - (k % 4 == 0 ? 1 : 0));
    float way[3][THAW_LOOK];
    turn_all(m, add, look->at, look->count, way);
    for (uint32_t k = 0; k < look->count; k++) {
        float square = way[0][k] * way[0][k] + way[1][k] * way[1][k] + way[2][k] * way[2][k];
        look->swept[k] = sqrtf(square);
    }
}

void thaw_look_at(ThawLook *look, const ThawObstacle *o, const ThawWallStep *step,
                  const uint32_t *rows, uint32_t count) {
    float m[9], x[3][THAW_LOOK];
    place_starts(look, o, step, rows, count);
    matrix_in(o, false, m);
    turn_all(m, no_move, look->at, count, x);
    sample_all(o, origin_in(o, look->still), x, count, look->distance);
    if (!o->moving) {
        for (uint32_t k = 0; k < count; k++) {
            look->carried_at[k] = look->distance[k];
            look->swept[k] = 0;
        }
        return;
    }
    matrix_in(o, true, m);
    turn_all(m, no_move, look->at, count, x);
    sample_all(o, origin_in(o, look->carried), x, count, look->carried_at);
    measure_swept(look);
}

// ---------------------------------------------------------------- paths

// Straight paths in the field's frame, followed side by side.
typedef struct Paths {
    uint32_t count;
    uint16_t move[THAW_LOOK]; // its number
    uint8_t slot[THAW_LOOK];
    float contact[THAW_LOOK];
    float a[3][THAW_LOOK], d[3][THAW_LOOK]; // m of the field, from the first start
    float length[THAW_LOOK];                // cells
    float error[THAW_LOOK];
    float least[THAW_LOOK];                  // the barrier, with the error
    float done[THAW_LOOK], step[THAW_LOOK];  // cells of the way
    float before[THAW_LOOK];                 // distance at `done`
    float x[3][THAW_LOOK], ahead[THAW_LOOK]; // where the next look is, and the distance there
} Paths;

// starts and ends of the paths, which are listed by move and slot
static void place_paths(Paths *p, ThawLook *look, const ThawVec3 *moves) {
    const ThawObstacle *o = look->obstacle;
    ThawVec3 apart = thaw_sub(origin_in(o, look->still), origin_in(o, look->carried));
    float m[9], add[3] = {(float)apart.x, (float)apart.y, (float)apart.z}, end[3][THAW_LOOK];
    matrix_in(o, o->moving, m);
    turn_all(m, no_move, look->at, p->count, p->a);
    float longest = 0;
    for (uint32_t k = 0; k < p->count; k++) {
        ThawVec3 move = moves[p->move[k]];
        look->at[0][k] += (float)move.x;
        look->at[1][k] += (float)move.y;
        look->at[2][k] += (float)move.z;
        longest = fmaxf(longest, (float)thaw_length(move));
    }
    look->extent += longest;
    matrix_in(o, false, m);
    turn_all(m, add, look->at, p->count, end);
    float scale = (float)o->shape.scale;
    for (uint32_t k = 0; k < p->count; k++) {
        for (int a = 0; a < 3; a++) p->d[a][k] = end[a][k] - p->a[a][k];
        float square = p->d[0][k] * p->d[0][k] + p->d[1][k] * p->d[1][k] + p->d[2][k] * p->d[2][k];
        p->length[k] = sqrtf(square) * scale;
    }
}

// what is left of a path takes the place of one that is done with
static void move_path(Paths *p, uint32_t to, uint32_t from) {
    p->move[to] = p->move[from];
    p->slot[to] = p->slot[from];
    for (int a = 0; a < 3; a++) p->a[a][to] = p->a[a][from], p->d[a][to] = p->d[a][from];
    p->length[to] = p->length[from];
    p->error[to] = p->error[from];
    p->least[to] = p->least[from];
    p->done[to] = p->done[from];
    p->step[to] = p->step[from];
    p->before[to] = p->before[from];
}

static void clear_path(const Paths *p, uint32_t k, uint8_t *clear) {
    clear[p->move[k]] |= (uint8_t)(1u << p->slot[k]);
}

static float first_step(const ThawObstacle *o, float before, float least) {
    float grain = (float)o->grain;
    return fmaxf(before - least - FAR_MARGIN * grain, 0.5f * grain);
}

// Both ends: what needs no following is decided, what can be followed stays.
static void judge_ends(Paths *p, const ThawLook *look, const float *start, const float *end,
                       uint8_t *clear) {
    const ThawObstacle *o = look->obstacle;
    uint32_t left = 0;
    for (uint32_t k = 0; k < p->count; k++) {
        float error = thaw_look_error(look, start[k]) + thaw_look_error(look, end[k]);
        float contact = p->contact[k], clearance = start[k];
        if (clearance - p->length[k] > contact + error) {
            clear_path(p, k, clear);
            continue;
        }
        float least = 0.5f * fminf(clearance, contact) + error;
        // in the wall, or to be brought to the contact distance
        if (!(clearance > error && end[k] > contact - SLACK + error && end[k] > least)) continue;
        // path.c takes so short a path in one step
        if (p->length[k] < 0.499f * (float)o->grain) {
            clear_path(p, k, clear);
            continue;
        }
        p->error[k] = error;
        p->least[k] = least;
        p->done[k] = 0;
        p->before[k] = clearance;
        p->step[k] = first_step(o, clearance, least);
        move_path(p, left++, k);
    }
    p->count = left;
}

static void look_ahead(Paths *p, const ThawObstacle *o, ThawVec3 origin) {
    for (uint32_t k = 0; k < p->count; k++) {
        float to = fminf(p->done[k] + p->step[k], p->length[k]);
        p->step[k] = to - p->done[k];
        float share = to / p->length[k];
        for (int a = 0; a < 3; a++) p->x[a][k] = p->a[a][k] + p->d[a][k] * share;
    }
    sample_all(o, origin, p->x, p->count, p->ahead);
}

// Whether no place of a step can be at the barrier: beyond the band because the bound is that long, within it because
// the distance cannot fall and rise again faster than its slope.
static bool step_is_clear(const Paths *p, const ThawObstacle *o, uint32_t k) {
    float step = p->step[k], least = p->least[k], known = (float)o->known;
    if (step <= p->before[k] - least - FAR_MARGIN * (float)o->grain) return true;
    float both = fminf(p->before[k], known) + fminf(p->ahead[k], known);
    return both - (float)THAW_MESH_STEEPEST * step > 2 * least;
}

// Takes the steps that are clear and halves the others. A path whose steps get too short is left to path.c.
static void take_steps(Paths *p, const ThawObstacle *o, uint8_t *clear) {
    uint32_t left = 0;
    float shortest = SHORTEST * (float)o->grain;
    for (uint32_t k = 0; k < p->count; k++) {
        if (!(p->ahead[k] > p->least[k])) continue;
        if (step_is_clear(p, o, k)) {
            p->done[k] += p->step[k];
            p->before[k] = p->ahead[k];
            if (p->done[k] >= p->length[k]) {
                clear_path(p, k, clear);
                continue;
            }
            p->step[k] = first_step(o, p->before[k], p->least[k]);
        } else {
            p->step[k] *= 0.5f;
            if (p->step[k] < shortest) continue;
        }
        move_path(p, left++, k);
    }
    p->count = left;
}

// the paths of a list of moves and slots that all face the same mesh
static void follow_paths(Paths *p, const ThawObstacle *o, const ThawWallStep *step,
                         const uint32_t *rows, ThawMoves *moves) {
    uint8_t *clear = moves->clear;
    ThawLook look;
    float start[THAW_LOOK], end[THAW_LOOK];
    place_starts(&look, o, step, rows, p->count);
    place_paths(p, &look, moves->shift);
    ThawVec3 origin = origin_in(o, look.carried);
    sample_all(o, origin, p->a, p->count, start);
    for (int a = 0; a < 3; a++) {
        for (uint32_t k = 0; k < p->count; k++) p->x[a][k] = p->a[a][k] + p->d[a][k];
    }
    sample_all(o, origin, p->x, p->count, end);
    judge_ends(p, &look, start, end, clear);
    for (int round = 0; round < ROUNDS && p->count > 0; round++) {
        look_ahead(p, o, origin);
        take_steps(p, o, clear);
    }
}

// one listed move and one of its particle's slots
typedef struct Pair {
    uint16_t move, obstacle;
    uint8_t slot;
} Pair;

// what gaps do not clear and can be looked at
static uint32_t list_pairs(const ThawWalls *walls, const ThawMoves *moves, Pair *pairs) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < moves->listed; k++) {
        const ThawNearWall *near = &moves->near[moves->which[k]];
        double length = thaw_length(moves->shift[k]);
        // those that ask all colliders are asked one by one
        if (length < (double)near->free || thaw_near_asks_all(near, length)) continue;
        for (uint8_t s = 0; s < near->slot_count; s++) {
            if (thaw_gap_clears(near, s, length)) continue;
            if (!thaw_look_can(&walls->obstacles[near->slots[s]])) continue;
            pairs[count++] = (Pair){(uint16_t)k, near->slots[s], s};
        }
    }
    return count;
}

void thaw_look_paths(const ThawWalls *walls, const ThawWallStep *step, ThawMoves *moves) {
    Pair pairs[PENDING];
    uint32_t rows[THAW_LOOK], count = list_pairs(walls, moves, pairs);
    Paths paths;
    memset(moves->clear, 0, moves->listed);
    // all pairs of the first one's mesh, then of the first of the rest
    while (count > 0) {
        uint16_t obstacle = pairs[0].obstacle;
        uint32_t left = 0;
        paths.count = 0;
        for (uint32_t k = 0; k < count; k++) {
            if (pairs[k].obstacle != obstacle) {
                pairs[left++] = pairs[k];
                continue;
            }
            const ThawNearWall *near = &moves->near[moves->which[pairs[k].move]];
            uint32_t at = paths.count++;
            paths.move[at] = pairs[k].move;
            paths.slot[at] = pairs[k].slot;
            paths.contact[at] = near->contact_distance;
            rows[at] = near->row;
        }
        count = left;
        follow_paths(&paths, &walls->obstacles[obstacle], step, rows, moves);
    }
}
