// Bodies in a substep: their motion, the system that particles add to, and what becomes of them.
#include "collision/coupling.h"
#include "collision/riding.h"

#include "base/memory.h"
#include "base/result.h"

#include <string.h>

#define SPARE 0.25       // cells that an end pose may change by whatever the particles do
#define SQUEEZE 2e-3     // cells: particles that have less room left hold bodies up
#define TOUCHING 1e-4    // cells: a smaller gap at the end is none
#define NEVER 1e9        // cells
#define DAMPING 0.5      // as in response.c
#define LARGEST_TURN 3.0 // rad a substep: faster spins are not followed

typedef struct Gather {
    ThawWalls *walls;
    const ThawWallStep *step;
    bool pressed;
} Gather;

// ---------------------------------------------------------------- small algebra

static void matrix_of(ThawQuat q, double m[9]) {
    ThawVec3 columns[3] = {thaw_quat_rotate(q, thaw_vec(1, 0, 0)),
                           thaw_quat_rotate(q, thaw_vec(0, 1, 0)),
                           thaw_quat_rotate(q, thaw_vec(0, 0, 1))};
    for (int c = 0; c < 3; c++) {
        m[c] = columns[c].x;
        m[3 + c] = columns[c].y;
        m[6 + c] = columns[c].z;
    }
}

void thaw_coupled_matrix(const ThawCoupled *body, double matrix[36]) {
    memset(matrix, 0, 36 * sizeof *matrix);
    for (int a = 0; a < 3; a++) {
        matrix[7 * a] = body->mass;
        for (int b = 0; b < 3; b++) matrix[6 * (3 + a) + 3 + b] = body->inertia[3 * a + b];
    }
}

// Gauss and Jordan; positive pivots need no search
void thaw_coupled_invert(const double matrix[36], bool flat, double inverse[36]) {
    const bool kept[6] = {true, true, !flat, !flat, !flat, true};
    double m[6][6], v[6][6];
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) {
            bool both = kept[a] && kept[b];
            m[a][b] = both ? matrix[6 * a + b] : a == b;
            v[a][b] = a == b;
        }
    }
    for (int p = 0; p < 6; p++) {
        double scale = 1 / m[p][p];
        for (int b = 0; b < 6; b++) m[p][b] *= scale, v[p][b] *= scale;
        for (int a = 0; a < 6; a++) {
            double by = m[a][p];
            if (a == p || by == 0) continue;
            for (int b = 0; b < 6; b++) m[a][b] -= by * m[p][b], v[a][b] -= by * v[p][b];
        }
    }
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 6; b++) inverse[6 * a + b] = kept[a] && kept[b] ? v[a][b] : 0;
    }
}

static void multiply(const double m[36], const double x[6], double y[6]) {
    for (int a = 0; a < 6; a++) {
        y[a] = 0;
        for (int b = 0; b < 6; b++) y[a] += m[6 * a + b] * x[b];
    }
}

static int64_t wrap_offset(const ThawDomain *domain, int axis, int64_t offset) {
    if (!domain->periodic[axis]) return offset;
    int64_t length = domain->length[axis];
    offset %= length;
    if (offset < 0) offset += length;
    return offset >= length - length / 2 ? offset - length : offset;
}

ThawVec3 thaw_coupled_arm(const ThawCoupled *body, const ThawDomain *domain,
                          const int64_t start[3]) {
    return thaw_vec(thaw_fixed_cells(wrap_offset(domain, 0, start[0] - body->start[0])),
                    thaw_fixed_cells(wrap_offset(domain, 1, start[1] - body->start[1])),
                    thaw_fixed_cells(wrap_offset(domain, 2, start[2] - body->start[2])));
}

// ---------------------------------------------------------------- poses

ThawQuat thaw_coupled_turn(const ThawCoupled *body, const double motion[6]) {
    ThawVec3 turn = {motion[3], motion[4], motion[5]};
    ThawQuat by = thaw_quat_turn(turn, thaw_length(turn));
    return thaw_quat_normalize(thaw_quat_mul(by, body->turn));
}

static void place_obstacle(ThawObstacle *o, const ThawCoupled *body, ThawQuat turn) {
    double earlier[9], now[9];
    matrix_of(body->turn, earlier);
    matrix_of(turn, now);
    ThawVec3 first = thaw_turn(earlier, body->lever), last = thaw_turn(now, body->lever);
    const double begin[3] = {first.x, first.y, first.z}, end[3] = {last.x, last.y, last.z};
    for (int a = 0; a < 3; a++) {
        o->begin[a] = body->start[a] + thaw_fixed_from(begin[a]);
        o->end[a] = body->start[a] + thaw_fixed_from(body->pose[a]) + thaw_fixed_from(end[a]);
        for (int b = 0; b < 3; b++) {
            double sum = 0, carried = 0;
            for (int k = 0; k < 3; k++) {
                sum += now[3 * a + k] * body->home[3 * k + b];
                carried += now[3 * a + k] * earlier[3 * b + k];
            }
            o->turn[3 * a + b] = sum;
            o->carry[3 * a + b] = carried;
        }
    }
    o->moving = true;
}

void thaw_coupled_place(ThawWalls *walls, const ThawCoupled *body) {
    ThawQuat turn = thaw_coupled_turn(body, body->pose);
    place_obstacle(&walls->obstacles[body->obstacle], body, turn);
    place_obstacle(&walls->felt[body->obstacle], body, turn);
}

// ---------------------------------------------------------------- begin

// the motion of the substep without pushes: gravity, and a spin that keeps the angular momentum
static void aim_body(ThawCoupled *body, const ThawWallStep *step) {
    const ThawRigid *rigid = body->rigid;
    int dimensions = step->domain->dimensions;
    double per = step->dt / step->domain->cell, cell2 = step->domain->cell * step->domain->cell;
    double inertia[9];
    thaw_rigid_inertia(rigid, rigid->turn, inertia);
    ThawVec3 spin = rigid->spin, momentum = thaw_turn(inertia, spin);
    ThawQuat half = thaw_quat_turn(spin, 0.5 * step->dt * thaw_length(spin));
    half = thaw_quat_normalize(thaw_quat_mul(half, rigid->turn));
    thaw_rigid_inertia(rigid, half, inertia);
    spin = thaw_rigid_spin(inertia, momentum, dimensions);
    const double v[3] = {rigid->velocity.x, rigid->velocity.y, rigid->velocity.z};
    const double w[3] = {spin.x, spin.y, spin.z};
    for (int a = 0; a < 3; a++) {
        body->before[a] = v[a] * per;
        body->before[3 + a] = w[a] * step->dt;
        body->aim[a] = body->before[a] + step->gravity[a] * step->dt * per;
        body->aim[3 + a] = body->before[3 + a];
    }
    if (dimensions == 2) body->aim[2] = 0;
    for (int k = 0; k < 9; k++) body->inertia[k] = inertia[k] / cell2;
}

static void fill_body(ThawCoupled *body, const ThawWalls *walls, const ThawWallStep *step,
                      uint32_t obstacle) {
    const ThawObstacle *o = &walls->obstacles[obstacle];
    ThawRigid *rigid = step->colliders[o->collider].rigid;
    *body = (ThawCoupled){.rigid = rigid,
                          .obstacle = obstacle,
                          .mass = rigid->mass,
                          .turn = rigid->turn,
                          .reach = rigid->reach / step->domain->cell};
    memcpy(body->start, rigid->center, sizeof body->start);
    memcpy(body->home, o->turn, sizeof body->home);
    body->lever = thaw_vec(thaw_fixed_cells(o->end[0] - rigid->home[0]),
                           thaw_fixed_cells(o->end[1] - rigid->home[1]),
                           thaw_fixed_cells(o->end[2] - rigid->home[2]));
    aim_body(body, step);
}

static double travel_of(const ThawCoupled *body) {
    const double *m = body->aim;
    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) +
           body->reach * sqrt(m[3] * m[3] + m[4] * m[4] + m[5] * m[5]);
}

// every body at the beginning; then its aim
static ThawResult set_out(ThawWalls *walls, const ThawWallStep *step) {
    ThawCoupling *coupling = walls->coupling;
    double fastest = 0;
    for (uint32_t k = 0; k < coupling->count; k++) {
        fastest = fmax(fastest, travel_of(&coupling->bodies[k]));
    }
    for (uint32_t k = 0; k < coupling->count; k++) {
        ThawCoupled *body = &coupling->bodies[k];
        body->slack = 2 * step->longest + fastest + SPARE;
        walls->obstacles[body->obstacle].slack = walls->felt[body->obstacle].slack = body->slack;
        thaw_coupled_place(walls, body);
    }
    if (step->dt <= 0) return THAW_OK;
    ThawResult result = thaw_meetings_find(walls, step);
    if (result != THAW_OK) return result;
    thaw_meetings_free(coupling, step);
    for (uint32_t k = 0; k < coupling->count; k++) {
        ThawCoupled *body = &coupling->bodies[k];
        memcpy(body->pose, body->aim, sizeof body->pose);
        thaw_coupled_place(walls, body);
    }
    return THAW_OK;
}

ThawResult thaw_coupling_begin(ThawWalls *walls, const ThawWallStep *step) {
    ThawCoupling *coupling = walls->coupling;
    uint32_t count = 0;
    coupling->step = step;
    coupling->count = coupling->meeting_count = coupling->lasting = 0;
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        count += step->colliders[walls->obstacles[k].collider].rigid != NULL;
    }
    if (count == 0) return THAW_OK;
    size_t bytes = count * sizeof *coupling->bodies;
    if (!thaw_scratch((void **)&coupling->bodies, &coupling->bodies_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        if (step->colliders[walls->obstacles[k].collider].rigid == NULL) continue;
        fill_body(&coupling->bodies[coupling->count++], walls, step, k);
        walls->obstacles[k].body = walls->felt[k].body = coupling->count;
    }
    ThawResult result = thaw_riding_begin(walls, step);
    if (result == THAW_OK) result = set_out(walls, step);
    if (result == THAW_OK) thaw_riding_follow(walls, step);
    return result;
}

ThawResult thaw_coupling_reserve(ThawWalls *walls) {
    ThawCoupling *coupling = walls->coupling;
    if (coupling->count == 0) return THAW_OK;
    size_t chunks = thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK) + 1;
    size_t sums = chunks * coupling->count * sizeof *coupling->sums;
    size_t squeezed = ((size_t)walls->near_count + 1) * sizeof *coupling->squeezed;
    if (!thaw_scratch((void **)&coupling->sums, &coupling->sums_bytes, sums)) {
        return thaw_fail_memory(sums);
    }
    if (!thaw_scratch((void **)&coupling->squeezed, &coupling->squeezed_bytes, squeezed)) {
        return thaw_fail_memory(squeezed);
    }
    return THAW_OK;
}

void thaw_coupling_measured(ThawWalls *walls) {
    for (uint32_t k = 0; k < walls->coupling->count; k++) {
        ThawCoupled *body = &walls->coupling->bodies[k];
        memcpy(body->measured, body->pose, sizeof body->measured);
    }
}

// ---------------------------------------------------------------- what particles add

// a direction in which a particle goes with the body: weight is mass times how much of it does
static void add_direction(ThawCouplingSum *sum, ThawVec3 arm, ThawVec3 direction, double weight) {
    ThawVec3 turn = thaw_cross(arm, direction);
    const double j[6] = {direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
    double *m = sum->matrix;
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b <= a; b++) *m++ += weight * j[a] * j[b];
    }
}

static void add_push(ThawCouplingSum *sum, ThawVec3 arm, ThawVec3 impulse) {
    ThawVec3 turn = thaw_cross(arm, impulse);
    const double j[6] = {impulse.x, impulse.y, impulse.z, turn.x, turn.y, turn.z};
    for (int a = 0; a < 6; a++) sum->push[a] += j[a];
}

// a particle's mass, and where it is from a body's centre
typedef struct Held {
    double mass;
    ThawVec3 first, now; // arms at the beginning and at the end
} Held;

static Held hold(const Gather *gather, const ThawNearWall *near, const ThawCoupled *body,
                 ThawVec3 shift) {
    const ThawWallStep *step = gather->step;
    Held held = {.mass = (double)near->momentum * step->dt / step->domain->cell};
    held.first = thaw_coupled_arm(body, step->domain, step->store->cells + 3 * (size_t)near->row);
    held.now = thaw_sub(thaw_add(held.first, shift),
                        thaw_vec(body->pose[0], body->pose[1], body->pose[2]));
    return held;
}

// the pressure of this iteration, and what completes it along the wall
static void gather_pressure(const Gather *gather, const ThawNearWall *near, ThawCouplingSum *sums,
                            ThawVec3 *shift) {
    ThawWalls *walls = gather->walls;
    const ThawCoupled *bodies = walls->coupling->bodies;
    ThawVec3 extra, before = *shift;
    if (thaw_near_completion(gather->step, near, &extra)) {
        uint32_t body = walls->obstacles[near->facing].body;
        *shift = thaw_add(*shift, extra);
        if (body > 0) {
            Held held = hold(gather, near, &bodies[body - 1], before);
            add_push(&sums[body - 1], held.first, thaw_scale(extra, -held.mass));
        }
    }
    ThawPressing pressing;
    thaw_near_pressing(walls, gather->step, near, &pressing);
    for (int k = 0; k < pressing.count; k++) {
        *shift = thaw_add(*shift, pressing.push[k]);
        uint32_t body = walls->obstacles[pressing.obstacle[k]].body;
        if (body == 0) continue;
        Held held = hold(gather, near, &bodies[body - 1], before);
        double length = thaw_length(pressing.push[k]);
        add_push(&sums[body - 1], held.first, thaw_scale(pressing.push[k], -held.mass));
        if (!(length > 0)) continue;
        add_direction(&sums[body - 1], held.now, thaw_scale(pressing.push[k], 1 / length),
                      held.mass * pressing.stiffness[k]);
    }
}

// What a particle pushed out by a body would still overlap it when all other colliders have had their say: by
// so much the body itself must stay behind. With a little room left it is told how much: a particle that was told of only
// where it overlaps would be let go of in the next iteration, and the body would sink into it by one iteration's fall.
static void note_squeeze(const Gather *gather, const ThawNearWall *near, uint32_t index,
                         ThawVec3 shift, ThawSqueeze *squeeze) {
    ThawWalls *walls = gather->walls;
    const ThawWallStep *step = gather->step;
    const int64_t *start = step->store->cells + 3 * (size_t)near->row;
    uint32_t candidates = thaw_near_candidates(walls, near, shift);
    double contact = (double)near->contact_distance;
    ThawVec3 push;
    int other = -1;
    for (int round = 0; round < 2; round++) {
        for (uint32_t k = 0; k < candidates; k++) {
            uint32_t each = thaw_near_candidate(walls, near, candidates, k);
            if (each == index) continue;
            ThawSeen seen = thaw_obstacle_see(&walls->obstacles[each], step->domain, start);
            if (thaw_path_stop(&walls->obstacles[each], &seen, contact, &shift, &push)) {
                other = (int)each;
            }
        }
    }
    if (other < 0) return;
    const ThawObstacle *o = &walls->obstacles[index];
    ThawSeen seen = thaw_obstacle_see(o, step->domain, start);
    ThawVec3 tried = shift;
    if (!thaw_path_stop(o, &seen, contact + SQUEEZE, &tried, &push)) return;
    double wanted = thaw_length(push), overlap = wanted - SQUEEZE;
    const ThawCoupled *body = &walls->coupling->bodies[o->body - 1];
    Held held = hold(gather, near, body, shift);
    ThawVec3 normal = thaw_scale(push, -1 / wanted);
    double moved = thaw_dot(thaw_motion_at(body->pose, held.first), normal);
    *squeeze = (ThawSqueeze){.body = (int32_t)o->body - 1,
                             .other = (int32_t)walls->obstacles[other].body - 1,
                             .arm = held.first,
                             .normal = normal,
                             .need = fmax(-overlap - moved, 0)};
}

static void gather_contacts(const Gather *gather, const ThawNearWall *near, ThawCouplingSum *sums,
                            ThawVec3 shift, ThawSqueeze *squeeze) {
    ThawWalls *walls = gather->walls;
    const ThawWallStep *step = gather->step;
    const int64_t *start = step->store->cells + 3 * (size_t)near->row;
    uint32_t candidates = thaw_near_candidates(walls, near, shift);
    for (uint32_t k = 0; k < candidates; k++) {
        uint32_t index = thaw_near_candidate(walls, near, candidates, k);
        const ThawObstacle *o = &walls->obstacles[index];
        if (o->body == 0) continue;
        ThawSeen seen = thaw_obstacle_see(o, step->domain, start);
        ThawVec3 tried = shift, spread = shift, push;
        double contact = (double)near->contact_distance;
        if (thaw_path_stop(o, &seen, contact + SQUEEZE, &spread, &push)) {
            note_squeeze(gather, near, index, spread, squeeze);
        }
        if (!thaw_path_stop(o, &seen, contact, &tried, &push)) continue;
        Held held = hold(gather, near, &walls->coupling->bodies[o->body - 1], tried);
        double length = thaw_length(push);
        add_push(&sums[o->body - 1], held.first, thaw_scale(push, -held.mass));
        add_direction(&sums[o->body - 1], held.now, thaw_scale(push, 1 / length), held.mass);
    }
}

static bool is_near_body(const ThawWalls *walls, const ThawNearWall *near) {
    if (near->slot_count > THAW_WALL_SLOTS) return true;
    for (int s = 0; s < near->slot_count; s++) {
        if (walls->obstacles[near->slots[s]].body > 0) return true;
    }
    return false;
}

static ThawCouplingSum *open_sums(const Gather *gather, uint32_t chunk) {
    ThawCoupling *coupling = gather->walls->coupling;
    ThawCouplingSum *sums = coupling->sums + (size_t)chunk * coupling->count;
    memset(sums, 0, coupling->count * sizeof *sums);
    return sums;
}

static void gather_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Gather *gather = context;
    ThawWalls *walls = gather->walls;
    ThawCouplingSum *sums = open_sums(gather, chunk);
    ThawRange range = thaw_chunk_range(chunk, walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        const ThawNearWall *near = &walls->near[k];
        walls->coupling->squeezed[k].body = -1;
        if (!is_near_body(walls, near)) continue;
        ThawVec3 shift = thaw_wall_shift(gather->step, near->row);
        if (!(thaw_length(shift) < (double)THAW_WALL_FARTHEST)) continue;
        if (gather->pressed) gather_pressure(gather, near, sums, &shift);
        gather_contacts(gather, near, sums, shift, &walls->coupling->squeezed[k]);
    }
}

void thaw_coupling_sum_add(const ThawCouplingSum *sum, double matrix[36], double push[6]) {
    const double *m = sum->matrix;
    for (int a = 0; a < 6; a++) {
        push[a] += sum->push[a];
        for (int b = 0; b <= a; b++) {
            matrix[6 * a + b] += *m;
            if (a != b) matrix[6 * b + a] += *m;
            m++;
        }
    }
}

// adds the chunks' sums, and those of what is frozen to it, to a body's own matrix; *push is what they push it by
static void add_up(const ThawWalls *walls, const ThawWallStep *step, uint32_t index,
                   double matrix[36], double push[6]) {
    const ThawCoupling *coupling = walls->coupling;
    uint32_t chunks = thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK);
    thaw_coupled_matrix(&coupling->bodies[index], matrix);
    memset(push, 0, 6 * sizeof *push);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        thaw_coupling_sum_add(&coupling->sums[(size_t)chunk * coupling->count + index], matrix,
                              push);
    }
    if (coupling->bodies[index].laden) thaw_riding_add(walls, step, index, matrix, push);
}

// ---------------------------------------------------------------- the motion that follows from all pushes

static void find_motion(const ThawWalls *walls, const ThawWallStep *step, const ThawCoupled *body,
                        double motion[6]) {
    uint32_t chunks = thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK) +
                      thaw_chunk_count(step->store->count, THAW_WALL_ROWS);
    double given[6] = {0}, per = step->dt / step->domain->cell;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        const ThawWallSum *sum =
            walls->sums + (size_t)chunk * walls->obstacle_count + body->obstacle;
        for (int a = 0; a < 3; a++) {
            given[a] += sum->impulse[a];
            given[3 + a] += sum->torque[a];
        }
    }
    for (int a = 0; a < 6; a++) given[a] = given[a] * per + body->touched[a];
    for (int a = 0; body->laden && a < 6; a++) given[a] += body->ridden[a];
    ThawVec3 turn = thaw_rigid_spin(body->inertia, thaw_vec(given[3], given[4], given[5]),
                                    step->domain->dimensions);
    const double turned[3] = {turn.x, turn.y, turn.z};
    for (int a = 0; a < 3; a++) {
        motion[a] = body->aim[a] + given[a] / body->mass;
        motion[3 + a] = body->aim[3 + a] + turned[a];
    }
    if (step->domain->dimensions == 2) motion[2] = motion[3] = motion[4] = 0;
}

// the pose that the momentum and the pushes to come ask for
static void solve_body(const ThawWalls *walls, const ThawWallStep *step, uint32_t index) {
    ThawCoupled *body = &walls->coupling->bodies[index];
    double matrix[36], push[6], motion[6], own[36], lag[6], rest[6], change[6];
    add_up(walls, step, index, matrix, push);
    find_motion(walls, step, body, motion);
    thaw_coupled_matrix(body, own);
    for (int a = 0; a < 6; a++) lag[a] = motion[a] - body->pose[a];
    multiply(own, lag, rest);
    for (int a = 0; a < 6; a++) rest[a] += push[a];
    thaw_coupled_invert(matrix, step->domain->dimensions == 2, body->inverse);
    multiply(body->inverse, rest, change);
    for (int a = 0; a < 6; a++) body->u[a] = body->pose[a] + change[a];
}

// near particles were found for poses within the slack
static void limit_pose(ThawCoupled *body) {
    double d[6], moved = 0, turned = 0;
    for (int a = 0; a < 6; a++) d[a] = body->u[a] - body->aim[a];
    for (int a = 0; a < 3; a++) moved += d[a] * d[a], turned += d[3 + a] * d[3 + a];
    double way = sqrt(moved) + body->reach * sqrt(turned);
    if (!(way > body->slack)) return;
    for (int a = 0; a < 6; a++) body->u[a] = body->aim[a] + d[a] * body->slack / way;
}

static void take_pose(ThawWalls *walls, ThawCoupled *body) {
    limit_pose(body);
    for (int a = 0; a < 6; a++) {
        body->change[a] = body->u[a] - body->pose[a];
        body->pose[a] = body->u[a];
    }
    thaw_coupled_place(walls, body);
}

// squeezed particles are meetings of this iteration; there is room for them
static void add_squeezed(ThawWalls *walls, const ThawDomain *domain) {
    ThawCoupling *coupling = walls->coupling;
    coupling->meeting_count = coupling->lasting;
    for (uint32_t k = 0; k < walls->near_count; k++) {
        const ThawSqueeze *squeeze = &coupling->squeezed[k];
        if (squeeze->body < 0) continue;
        if (coupling->meeting_count - coupling->lasting >= THAW_RIGID_SQUEEZED) return;
        ThawMeeting *meeting = &coupling->meetings[coupling->meeting_count++];
        *meeting = (ThawMeeting){.a = (uint32_t)squeeze->body,
                                 .b = squeeze->other,
                                 .arm_a = squeeze->arm,
                                 .gap = squeeze->need,
                                 .axis = {squeeze->normal}};
        if (squeeze->other < 0) continue;
        const ThawCoupled *a = &coupling->bodies[squeeze->body];
        const ThawCoupled *b = &coupling->bodies[squeeze->other];
        ThawVec3 apart = thaw_coupled_arm(b, domain, a->start);
        meeting->arm_b = thaw_add(squeeze->arm, apart);
    }
}

// how much further along a direction a point of the pose is than its motion's arm says: turns are no straight lines
static double bend_of(const ThawCoupled *body, ThawVec3 arm, ThawVec3 direction) {
    ThawVec3 turn = {body->pose[3], body->pose[4], body->pose[5]};
    ThawVec3 turned = thaw_quat_rotate(thaw_quat_turn(turn, thaw_length(turn)), arm);
    return thaw_dot(thaw_sub(thaw_sub(turned, arm), thaw_cross(turn, arm)), direction);
}

void thaw_coupling_solve(ThawWalls *walls, const ThawWallStep *step, bool pressed) {
    ThawCoupling *coupling = walls->coupling;
    if (coupling->count == 0 || step->dt <= 0) return;
    Gather gather = {walls, step, pressed};
    thaw_parallel_run(step->parallel, gather_chunk, &gather,
                      thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK));
    if (step->rider_count > 0) thaw_riding_gather(walls, step, THAW_RIDING_POSE);
    add_squeezed(walls, step->domain);
    for (uint32_t k = 0; k < coupling->count; k++) solve_body(walls, step, k);
    for (uint32_t k = 0; k < coupling->meeting_count; k++) {
        ThawMeeting *m = &coupling->meetings[k];
        // what lies in another collider already need not come out, only no deeper
        m->need = fmax(m->gap, 0) + bend_of(&coupling->bodies[m->a], m->arm_a, m->axis[0]);
        if (m->b >= 0) m->need -= bend_of(&coupling->bodies[m->b], m->arm_b, m->axis[0]);
    }
    thaw_meetings_prepare(coupling);
    thaw_meetings_relax(coupling, true, true);
    for (uint32_t k = 0; k < coupling->count; k++) take_pose(walls, &coupling->bodies[k]);
    if (step->rider_count > 0) thaw_riding_place(walls, step);
}

// ---------------------------------------------------------------- friction

// what a body takes of a particle's motion beside its own: shares of it across the surface and along
typedef struct Taking {
    ThawVec3 normal;
    double across, along;
} Taking;

// adds it to the body's sums and takes it from the slip
static void take_slip(ThawCouplingSum *sum, const Held *held, const Taking *taking,
                      ThawVec3 *slip) {
    ThawVec3 n = taking->normal, across = thaw_scale(n, thaw_dot(*slip, n));
    ThawVec3 along = thaw_sub(*slip, across);
    ThawVec3 taken = thaw_add(thaw_scale(across, taking->across), thaw_scale(along, taking->along));
    add_push(sum, held->first, thaw_scale(taken, held->mass));
    add_direction(sum, held->now, n, held->mass * taking->across);
    ThawVec3 s = thaw_cross(n, fabs(n.x) < 0.6 ? thaw_vec(1, 0, 0) : thaw_vec(0, 1, 0));
    s = thaw_scale(s, 1 / thaw_length(s));
    add_direction(sum, held->now, s, held->mass * taking->along);
    add_direction(sum, held->now, thaw_cross(n, s), held->mass * taking->along);
    *slip = thaw_sub(*slip, taken);
}

static double share_of(double most, double size) {
    return most >= size ? 1 : most / size;
}

static double speed_along(ThawVec3 slip, ThawVec3 normal) {
    return thaw_length(thaw_sub(slip, thaw_scale(normal, thaw_dot(slip, normal))));
}

// how a particle will be held by adhesion, as in adhesion.c
static Taking take_by_adhesion(const ThawNearWall *near, const ThawObstacle *o, ThawVec3 slip) {
    Taking taking = {
        .normal = {(double)near->way_off[0], (double)near->way_off[1], (double)near->way_off[2]}};
    double hold = (double)near->cling, leaving = thaw_dot(slip, taking.normal);
    if (leaving > 0) taking.across = share_of(hold * THAW_ADHESION_FIRM, leaving);
    taking.along = share_of((double)o->friction * hold, speed_along(slip, taking.normal));
    return taking;
}

// and by friction and damping, as in response.c; false when nothing has pushed it
static bool take_by_friction(const ThawNearWall *near, ThawVec3 slip, Taking *taking) {
    ThawVec3 n = {(double)near->push[0], (double)near->push[1], (double)near->push[2]};
    double length = thaw_length(n);
    if (!(length > 0)) return false;
    taking->normal = thaw_scale(n, 1 / length);
    taking->across = near->pressed ? DAMPING * (double)near->share : 0;
    bool stopped = near->contact == near->holder && thaw_dot(slip, taking->normal) < 0;
    if (stopped) taking->across = 1;
    double grip = (double)near->grip + (double)near->drag;
    taking->along = share_of(grip, speed_along(slip, taking->normal));
    return true;
}

static uint32_t body_of(const ThawWalls *walls, int16_t obstacle) {
    return obstacle < 0 ? 0 : walls->obstacles[obstacle].body;
}

static void gather_rub(const Gather *gather, const ThawNearWall *near, ThawCouplingSum *sums) {
    ThawWalls *walls = gather->walls;
    uint32_t sticky = body_of(walls, near->clings_to), index = body_of(walls, near->holder);
    ThawVec3 shift = thaw_wall_shift(gather->step, near->row);
    if (sticky + index == 0 || !(thaw_length(shift) < (double)THAW_WALL_FARTHEST)) return;
    uint32_t bodies[2] = {sticky, index};
    for (int k = 0; k < 2; k++) {
        if (bodies[k] == 0) continue;
        const ThawCoupled *body = &walls->coupling->bodies[bodies[k] - 1];
        Held held = hold(gather, near, body, shift);
        ThawVec3 motion = thaw_motion_at(body->slip, held.now), slip = thaw_sub(shift, motion);
        Taking taking;
        if (k == 0)
            taking = take_by_adhesion(near, &walls->obstacles[near->clings_to], slip);
        else if (!take_by_friction(near, slip, &taking))
            continue;
        take_slip(&sums[bodies[k] - 1], &held, &taking, &slip);
        shift = thaw_add(slip, motion);
    }
}

static void rub_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Gather *gather = context;
    ThawWalls *walls = gather->walls;
    ThawCouplingSum *sums = open_sums(gather, chunk);
    ThawRange range = thaw_chunk_range(chunk, walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        gather_rub(gather, &walls->near[k], sums);
    }
}

void thaw_coupling_rub(ThawWalls *walls, const ThawWallStep *step) {
    ThawCoupling *coupling = walls->coupling;
    if (coupling->count == 0) return;
    for (uint32_t k = 0; k < coupling->count; k++) {
        find_motion(walls, step, &coupling->bodies[k], coupling->bodies[k].slip);
    }
    Gather gather = {walls, step, false};
    thaw_parallel_run(step->parallel, rub_chunk, &gather,
                      thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK));
    if (step->rider_count > 0) thaw_riding_gather(walls, step, THAW_RIDING_SLIP);
    for (uint32_t k = 0; k < coupling->count; k++) {
        ThawCoupled *body = &coupling->bodies[k];
        double matrix[36], push[6], inverse[36], change[6];
        add_up(walls, step, k, matrix, push);
        thaw_coupled_invert(matrix, step->domain->dimensions == 2, inverse);
        multiply(inverse, push, change);
        for (int a = 0; a < 6; a++) body->slip[a] += change[a];
    }
}

// ---------------------------------------------------------------- finish

// meetings act on velocities once more: what touches does not go on, and what ran together bounces
static void settle_meetings(ThawCoupling *coupling) {
    for (uint32_t k = 0; k < coupling->meeting_count; k++) {
        ThawMeeting *meeting = &coupling->meetings[k];
        ThawVec3 moved = thaw_motion_at(coupling->bodies[meeting->a].pose, meeting->arm_a);
        if (meeting->b >= 0) {
            ThawVec3 other = thaw_motion_at(coupling->bodies[meeting->b].pose, meeting->arm_b);
            moved = thaw_sub(moved, other);
        }
        double gap = meeting->gap + thaw_dot(meeting->axis[0], thaw_sub(moved, meeting->drift));
        bool touches = meeting->given[0] > 0 || gap < TOUCHING;
        meeting->need = touches ? -meeting->bounce : NEVER;
        meeting->base = meeting->given[0];
        meeting->given[0] = 0;
    }
    thaw_meetings_prepare(coupling);
    thaw_meetings_relax(coupling, true, true);
}

// where a body is, and how fast; the motion is a move and a turn in the new pose
static void take_motion(ThawCoupled *body, const ThawWallStep *step, ThawVec3 move, ThawVec3 turn) {
    ThawRigid *rigid = body->rigid;
    rigid->spin = turn;
    rigid->velocity = thaw_scale(move, step->domain->cell / step->dt);
    int64_t at[3];
    for (int a = 0; a < 3; a++) at[a] = body->start[a] + thaw_fixed_from(body->pose[a]);
    thaw_domain_wrap(step->domain, at);
    // what leaves the domain stops at its end
    if (thaw_domain_holds(at))
        memcpy(rigid->center, at, sizeof at);
    else
        rigid->velocity = rigid->spin = thaw_vec(0, 0, 0);
}

static ThawVec3 limit_turn(const double motion[6]) {
    ThawVec3 turn = {motion[3], motion[4], motion[5]};
    double speed = thaw_length(turn);
    return speed > LARGEST_TURN ? thaw_scale(turn, LARGEST_TURN / speed) : turn;
}

// the turn's momentum is what lasts
static void end_body(ThawCoupled *body, const ThawWallStep *step) {
    double inertia[9], unit = step->domain->cell * step->domain->cell / step->dt;
    ThawVec3 momentum = thaw_turn(body->inertia, limit_turn(body->u));
    body->rigid->turn = thaw_coupled_turn(body, body->pose);
    thaw_rigid_inertia(body->rigid, body->rigid->turn, inertia);
    ThawVec3 spin = thaw_rigid_spin(inertia, thaw_scale(momentum, unit), step->domain->dimensions);
    take_motion(body, step, thaw_vec(body->u[0], body->u[1], body->u[2]), spin);
}

// ---------------------------------------------------------------- finish, with what is frozen to bodies

// One motion for a body and its riders: `u` becomes what their momentum together comes to. The riders' sums are of the end.
static void join(const ThawWalls *walls, const ThawWallStep *step, uint32_t index) {
    ThawCoupled *body = &walls->coupling->bodies[index];
    double momentum[6];
    thaw_coupled_matrix(body, body->joint);
    multiply(body->joint, body->u, momentum);
    thaw_riding_add(walls, step, index, body->joint, momentum);
    thaw_coupled_invert(body->joint, step->domain->dimensions == 2, body->inverse);
    multiply(body->inverse, momentum, body->u);
}

// the inertia at the end, for what momentum comes to in the new pose; `u` follows, and *momentum is what it comes from
static void turn_joint(ThawCoupled *body, const ThawWallStep *step, double momentum[6]) {
    double cell2 = step->domain->cell * step->domain->cell, inertia[9], inverse[36];
    multiply(body->joint, body->u, momentum);
    body->rigid->turn = thaw_coupled_turn(body, body->pose);
    thaw_rigid_inertia(body->rigid, body->rigid->turn, inertia);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double now = inertia[3 * a + b] / cell2;
            body->joint[6 * (3 + a) + 3 + b] += now - body->inertia[3 * a + b];
            body->inertia[3 * a + b] = now;
        }
    }
    thaw_coupled_invert(body->joint, step->domain->dimensions == 2, inverse);
    multiply(inverse, momentum, body->u);
    ThawVec3 turn = limit_turn(body->u);
    if (turn.x == body->u[3] && turn.y == body->u[4] && turn.z == body->u[5]) return;
    body->u[3] = turn.x, body->u[4] = turn.y, body->u[5] = turn.z;
    multiply(body->joint, body->u, momentum);
}

// what of the momentum riders have not taken, by a hair, is the body's
static void end_laden(const ThawWalls *walls, const ThawWallStep *step, uint32_t index,
                      const double momentum[6]) {
    ThawCoupled *body = &walls->coupling->bodies[index];
    double none[36] = {0}, taken[6] = {0}, own[6];
    thaw_riding_add(walls, step, index, none, taken);
    for (int a = 0; a < 6; a++) own[a] = momentum[a] - taken[a];
    ThawVec3 spin =
        thaw_rigid_spin(body->inertia, thaw_vec(own[3], own[4], own[5]), step->domain->dimensions);
    ThawVec3 move = thaw_scale(thaw_vec(own[0], own[1], own[2]), 1 / body->mass);
    if (step->domain->dimensions == 2) move.z = 0;
    take_motion(body, step, move, thaw_scale(spin, 1 / step->dt));
}

static void end_bodies(ThawWalls *walls, const ThawWallStep *step, float *velocity) {
    ThawCoupling *coupling = walls->coupling;
    for (uint32_t k = 0; k < coupling->count; k++) {
        ThawCoupled *body = &coupling->bodies[k];
        if (body->laden)
            turn_joint(body, step, body->momentum);
        else
            end_body(body, step);
    }
    if (step->rider_count == 0) return;
    thaw_riding_spread(walls, step, velocity);
    for (uint32_t k = 0; k < coupling->count; k++) {
        ThawCoupled *body = &coupling->bodies[k];
        if (body->laden) end_laden(walls, step, k, body->momentum);
    }
}

void thaw_coupling_finish(ThawWalls *walls, const ThawWallStep *step, float *velocity) {
    ThawCoupling *coupling = walls->coupling;
    if (coupling->count == 0 || step->dt <= 0) return;
    if (step->rider_count > 0) thaw_riding_gather(walls, step, THAW_RIDING_END);
    for (uint32_t k = 0; k < coupling->count; k++) {
        ThawCoupled *body = &coupling->bodies[k];
        double matrix[36];
        find_motion(walls, step, body, body->u);
        if (body->laden) {
            join(walls, step, k);
            continue;
        }
        thaw_coupled_matrix(body, matrix);
        thaw_coupled_invert(matrix, step->domain->dimensions == 2, body->inverse);
    }
    settle_meetings(coupling);
    end_bodies(walls, step, velocity);
}
