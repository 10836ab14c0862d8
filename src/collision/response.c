// What walls do to one particle: stops, pushes, friction, bounces, and the account of them.
#include "collision/response.h"

#include "collision/coupling.h"
#include "collision/look.h"

// share of a pressed particle's speed across the wall that the wall takes, times its share γ of the kernel:
// the mirrored push is not the gradient of any potential and would otherwise keep it trembling
#define WALL_DAMPING 0.5
#define ROUNDS 6
#define TOUCH 1e-6 // cells: a smaller push is no contact

ThawVec3 thaw_wall_shift(const ThawWallStep *step, uint32_t row) {
    const float *shift = step->work->shift + 3 * (size_t)row;
    return thaw_vec((double)shift[0], (double)shift[1], (double)shift[2]);
}

void thaw_wall_move(const ThawWallStep *step, uint32_t row, ThawVec3 shift) {
    float *kept = step->work->shift + 3 * (size_t)row;
    const int64_t *start = step->store->cells + 3 * (size_t)row;
    ThawPlace *place = &step->work->place[row];
    kept[0] = (float)shift.x;
    kept[1] = (float)shift.y;
    kept[2] = (float)shift.z;
    // both records of the tentative position come from the same rounded shift
    int64_t at[3];
    for (int a = 0; a < 3; a++) at[a] = start[a] + thaw_fixed_from((double)kept[a]);
    place->x = thaw_place_follow(step->domain, 0, at[0], place->x);
    place->y = thaw_place_follow(step->domain, 1, at[1], place->y);
    place->z = thaw_place_follow(step->domain, 2, at[2], place->z);
}

// `way`: from the particle's and the body's starts to where they are when it acts
static void reverse(const ThawWalls *walls, const ThawNearWall *near, ThawWallSum *sums,
                    uint32_t obstacle, ThawVec3 impulse, ThawVec3 way) {
    ThawWallSum *sum = &sums[obstacle];
    sum->impulse[0] -= impulse.x;
    sum->impulse[1] -= impulse.y;
    sum->impulse[2] -= impulse.z;
    uint32_t body = walls->obstacles[obstacle].body;
    if (body == 0) return;
    const ThawWallStep *step = walls->coupling->step;
    const int64_t *start = step->store->cells + 3 * (size_t)near->row;
    ThawVec3 arm = thaw_coupled_arm(&walls->coupling->bodies[body - 1], step->domain, start);
    ThawVec3 turn = thaw_cross(thaw_add(arm, way), impulse);
    sum->torque[0] -= turn.x;
    sum->torque[1] -= turn.y;
    sum->torque[2] -= turn.z;
}

// where moves change, velocities follow: with arms from starts this keeps the angular momentum
void thaw_near_reverse(const ThawWalls *walls, const ThawNearWall *near, ThawWallSum *sums,
                       uint32_t obstacle, ThawVec3 push) {
    ThawVec3 impulse = thaw_scale(push, (double)near->momentum);
    reverse(walls, near, sums, obstacle, impulse, thaw_vec(0, 0, 0));
}

// a change of velocity alone, m/s, acts where the particle ends
static void reverse_change(const ThawWalls *walls, const ThawNearWall *near, ThawWallSum *sums,
                           uint32_t obstacle, ThawVec3 shift, ThawVec3 change) {
    const ThawWallStep *step = walls->coupling->step;
    double mass = (double)near->momentum * step->dt / step->domain->cell;
    uint32_t body = walls->obstacles[obstacle].body;
    if (body > 0) {
        const double *pose = walls->coupling->bodies[body - 1].pose;
        shift = thaw_sub(shift, thaw_vec(pose[0], pose[1], pose[2]));
    }
    reverse(walls, near, sums, obstacle, thaw_scale(change, mass), shift);
}

static void add_float(float to[3], ThawVec3 v) {
    to[0] += (float)v.x;
    to[1] += (float)v.y;
    to[2] += (float)v.z;
}

void thaw_near_account(ThawWalls *walls, ThawNearWall *near, ThawWallSum *sums, uint32_t obstacle,
                       ThawVec3 push, bool contact) {
    double length = thaw_length(push);
    thaw_near_reverse(walls, near, sums, obstacle, push);
    if (length <= TOUCH) return;
    add_float(near->push, push);
    // what is painted is looked up once, where the particle ends
    const ThawObstacle *o = &walls->obstacles[obstacle];
    float held = (o->painted ? 1 : o->friction) * (float)length;
    if (contact)
        near->grip += held;
    else
        near->drag += held;
    near->pressed = near->pressed || !contact;
    if ((float)length > near->held) {
        near->held = (float)length;
        near->holder = (int16_t)obstacle;
    }
    if (contact) {
        add_float(near->bump, push);
        near->contact = (int16_t)obstacle;
    }
    int slots = near->slot_count < THAW_WALL_SLOTS ? near->slot_count : THAW_WALL_SLOTS;
    for (int s = 0; s < slots; s++) {
        if (near->slots[s] == obstacle) near->touched |= (uint8_t)(1u << s);
    }
}

uint32_t thaw_near_candidates(const ThawWalls *walls, const ThawNearWall *near, ThawVec3 shift) {
    bool all = thaw_near_asks_all(near, thaw_length(shift));
    return all ? walls->obstacle_count : near->slot_count;
}

uint32_t thaw_near_candidate(const ThawWalls *walls, const ThawNearWall *near, uint32_t candidates,
                             uint32_t k) {
    (void)walls;
    return candidates <= THAW_WALL_SLOTS && candidates == near->slot_count ? near->slots[k] : k;
}

// one look at every collider; returns the last one that stopped the move, −1 when none did
static int stop_round(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                      ThawWallSum *sums, uint8_t clear, ThawVec3 *shift) {
    const int64_t *start = step->store->cells + 3 * (size_t)near->row;
    double length = thaw_length(*shift);
    if (length < (double)near->free) return -1;
    bool all = thaw_near_asks_all(near, length);
    uint32_t candidates = thaw_near_candidates(walls, near, *shift);
    int stopped = -1;
    for (uint32_t k = 0; k < candidates; k++) {
        if (!all && ((clear & 1u << k) != 0 || thaw_gap_clears(near, k, length))) continue;
        uint32_t index = thaw_near_candidate(walls, near, candidates, k);
        const ThawObstacle *o = &walls->obstacles[index];
        ThawSeen seen = thaw_obstacle_see(o, step->domain, start);
        ThawVec3 push;
        if (!thaw_path_stop(o, &seen, (double)near->contact_distance, shift, &push)) continue;
        thaw_near_account(walls, near, sums, index, push, true);
        stopped = (int)index;
        // it is another move now
        length = thaw_length(*shift);
        clear = 0;
    }
    return stopped;
}

// Whether a shift would be changed by any static collider, or by any at all.
static bool is_blocked(const ThawWalls *walls, const ThawWallStep *step, const ThawNearWall *near,
                       ThawVec3 shift, bool static_only) {
    const int64_t *start = step->store->cells + 3 * (size_t)near->row;
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        const ThawObstacle *o = &walls->obstacles[k];
        if (static_only && o->moving) continue;
        ThawSeen seen = thaw_obstacle_see(o, step->domain, start);
        ThawVec3 tried = shift, push;
        if (thaw_path_stop(o, &seen, (double)near->contact_distance, &tried, &push)) return true;
    }
    return false;
}

// No room was found: the particle goes with the moving collider that pushes it if that is free of
// static ones, and otherwise stays where it started.
static ThawVec3 give_up(ThawWalls *walls, const ThawWallStep *step, const ThawNearWall *near,
                        int last) {
    const ThawObstacle *o = &walls->obstacles[last];
    if (o->moving) {
        const int64_t *start = step->store->cells + 3 * (size_t)near->row;
        ThawSeen seen = thaw_obstacle_see(o, step->domain, start);
        ThawVec3 carried = thaw_sub(seen.carried, seen.still);
        if (!is_blocked(walls, step, near, carried, true)) return carried;
    }
    return thaw_vec(0, 0, 0);
}

bool thaw_near_resolve(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                       ThawWallSum *sums, uint8_t clear, ThawVec3 *shift) {
    int stopped = stop_round(walls, step, near, sums, clear, shift);
    if (stopped < 0) return false;
    for (int round = 1; round < ROUNDS && stopped >= 0; round++) {
        int last = stop_round(walls, step, near, sums, 0, shift);
        if (last < 0) return true;
        stopped = last;
    }
    ThawVec3 held = give_up(walls, step, near, stopped);
    thaw_near_account(walls, near, sums, (uint32_t)stopped, thaw_sub(held, *shift), true);
    *shift = held;
    return true;
}

// the same for a body, whose end is not yet known
static ThawVec3 body_motion(const ThawCoupled *body, const ThawWallStep *step,
                            const int64_t start[3], ThawVec3 shift) {
    ThawVec3 arm = thaw_add(thaw_coupled_arm(body, step->domain, start), shift);
    arm = thaw_sub(arm, thaw_vec(body->pose[0], body->pose[1], body->pose[2]));
    return thaw_motion_at(body->slip, arm);
}

ThawVec3 thaw_wall_seen(const ThawObstacle *o, const ThawWallStep *step, uint32_t row,
                        ThawVec3 shift) {
    const int64_t *start = step->store->cells + 3 * (size_t)row;
    return thaw_add(thaw_obstacle_see(o, step->domain, start).still, shift);
}

ThawVec3 thaw_wall_motion(const ThawWalls *walls, const ThawObstacle *o, const ThawWallStep *step,
                          uint32_t row, ThawVec3 shift) {
    if (!o->moving) return thaw_vec(0, 0, 0);
    const int64_t *start = step->store->cells + 3 * (size_t)row;
    if (o->body > 0) return body_motion(&walls->coupling->bodies[o->body - 1], step, start, shift);
    return thaw_obstacle_motion(o, thaw_wall_seen(o, step, row, shift));
}

static ThawVec3 unit_of(const float v[3]) {
    ThawVec3 d = {(double)v[0], (double)v[1], (double)v[2]};
    double length = thaw_length(d);
    return length > 0 ? thaw_scale(d, 1.0 / length) : d;
}

double thaw_wall_paint(const ThawObstacle *o, const ThawWallStep *step, uint32_t row,
                       ThawVec3 shift) {
    if (!o->painted) return 1;
    return (double)thaw_obstacle_friction(o, thaw_wall_seen(o, step, row, shift));
}

bool thaw_near_rub(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                   ThawWallSum *sums, ThawVec3 *shift) {
    if (near->holder < 0 || !(near->grip > 0)) return false;
    const ThawObstacle *o = &walls->obstacles[near->holder];
    ThawVec3 n = unit_of(near->push);
    ThawVec3 slip = thaw_sub(*shift, thaw_wall_motion(walls, o, step, near->row, *shift));
    slip = thaw_sub(slip, thaw_scale(n, thaw_dot(slip, n)));
    double length = thaw_length(slip);
    double held = (double)near->grip;
    if (!near->averaged) held *= thaw_wall_paint(o, step, near->row, *shift);
    if (length <= 0) return false;
    // Coulomb: as much as the normal push allows, and never more than stops it
    ThawVec3 back = thaw_scale(slip, held >= length ? -1.0 : -held / length);
    *shift = thaw_add(*shift, back);
    thaw_near_reverse(walls, near, sums, (uint32_t)near->holder, back);
    return true;
}

// what a particle's velocity is relative to the wall that holds it, m/s
static ThawVec3 slip_of(const ThawWalls *walls, const ThawWallStep *step, const ThawNearWall *near,
                        ThawVec3 shift, const float velocity[3]) {
    const ThawObstacle *o = &walls->obstacles[near->holder];
    ThawVec3 wall = thaw_wall_motion(walls, o, step, near->row, shift);
    double per_cell = step->domain->cell / step->dt;
    return thaw_sub(thaw_vec((double)velocity[0], (double)velocity[1], (double)velocity[2]),
                    thaw_scale(wall, per_cell));
}

void thaw_near_drag(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                    ThawWallSum *sums, ThawVec3 shift, float velocity[3]) {
    if (near->holder < 0 || !near->pressed) return;
    double per_cell = step->domain->cell / step->dt;
    ThawVec3 n = unit_of(near->push);
    ThawVec3 slip = slip_of(walls, step, near, shift, velocity);
    double across = thaw_dot(slip, n);
    ThawVec3 along = thaw_sub(slip, thaw_scale(n, across));
    const ThawObstacle *o = &walls->obstacles[near->holder];
    double speed = thaw_length(along);
    double held = (double)near->drag * per_cell * thaw_wall_paint(o, step, near->row, shift);
    ThawVec3 change = thaw_scale(n, -WALL_DAMPING * (double)near->share * across);
    if (speed > 0) {
        change = thaw_add(change, thaw_scale(along, held >= speed ? -1.0 : -held / speed));
    }
    add_float(velocity, change);
    reverse_change(walls, near, sums, (uint32_t)near->holder, shift, change);
}

void thaw_near_bounce(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                      ThawWallSum *sums, ThawVec3 shift, float velocity[3]) {
    if (near->contact < 0) return;
    const ThawObstacle *o = &walls->obstacles[near->contact];
    const float *old = step->store->velocity + 3 * (size_t)near->row;
    double per_cell = step->domain->cell / step->dt;
    ThawVec3 n = unit_of(near->bump);
    ThawVec3 wall = thaw_scale(thaw_wall_motion(walls, o, step, near->row, shift), per_cell);
    ThawVec3 before = thaw_sub(thaw_vec((double)old[0], (double)old[1], (double)old[2]), wall);
    ThawVec3 after = thaw_vec((double)velocity[0], (double)velocity[1], (double)velocity[2]);
    after = thaw_sub(after, wall);
    double incoming = thaw_dot(before, n), outgoing = thaw_dot(after, n);
    // what leaves slower than restitution asks for is raised to it; nothing goes on into the wall
    double lack = (incoming < 0 ? -(double)o->restitution * incoming : 0) - outgoing;
    if (lack <= 0) return;
    ThawVec3 change = thaw_scale(n, lack);
    add_float(velocity, change);
    reverse_change(walls, near, sums, (uint32_t)near->contact, shift, change);
}

// ---------------------------------------------------------------- pressure

static ThawVec3 vec_of(const float v[3]) {
    return thaw_vec((double)v[0], (double)v[1], (double)v[2]);
}

// what images move a particle by, no more than one spacing at once
static ThawVec3 image_move(const ThawNearWall *near) {
    ThawVec3 push = vec_of(near->mirror->push);
    double length = thaw_length(push), most = (double)near->closest / THAW_WALL_CONTACT;
    return length > most ? thaw_scale(push, most / length) : push;
}

// the part of it that is off the wall
static ThawVec3 image_push(const ThawNearWall *near) {
    ThawVec3 normal = unit_of(near->gradient);
    return thaw_scale(normal, thaw_dot(image_move(near), normal));
}

// whether pairs have told what completes a particle's move
static bool is_told(const ThawWork *work, uint32_t row) {
    return work->along != NULL && !isnan(work->along[3 * (size_t)row]);
}

// What the missing half of a particle's neighbours would add along the wall. Pair corrections see only
// the fluid's share 1 − γ of the kernel, and along a wall that is the share of the pressure gradient that
// they pass on (by parts, the first moment of the kernel's slope over any solid that is uniform along a
// direction is γ). Without the rest, matter at a wall carries too little of its weight and slides down
// it for ever.
//
// Where walls are mirrors, their images have said what it is; of liquids with tension their pairs have.
bool thaw_near_completion(const ThawWallStep *step, const ThawNearWall *near, ThawVec3 *extra) {
    const ThawWork *work = step->work;
    const ThawPlace *before = &work->next[near->row], *after = &work->place[near->row];
    ThawVec3 normal = {(double)near->gradient[0], (double)near->gradient[1],
                       (double)near->gradient[2]};
    double length = thaw_length(normal);
    if (near->mirror != NULL) {
        *extra = thaw_sub(image_move(near), image_push(near));
        return true;
    }
    if (near->facing < 0 || !(length > 0)) return false;
    normal = thaw_scale(normal, 1 / length);
    ThawVec3 move = {thaw_place_sub(after->x, before->x), thaw_place_sub(after->y, before->y),
                     thaw_place_sub(after->z, before->z)};
    move = thaw_scale(move, (double)THAW_PLACE_CELLS);
    double share = (double)work->wall[near->row];
    if (share > THAW_WALL_COMPLETED) share = THAW_WALL_COMPLETED;
    bool told = share > 0 && is_told(work, near->row);
    if (told) move = vec_of(work->along + 3 * (size_t)near->row);
    ThawVec3 along = thaw_sub(move, thaw_scale(normal, thaw_dot(move, normal)));
    if (told) {
        *extra = along;
        return true;
    }
    *extra = thaw_scale(along, share / (1 - share));
    return true;
}

static void press_by(ThawPressing *pressing, uint32_t obstacle, ThawVec3 push, double stiffness) {
    int k = pressing->count++;
    pressing->obstacle[k] = obstacle;
    pressing->push[k] = push;
    pressing->stiffness[k] = stiffness;
}

// each body by its own part of the gradient, and what is left by the nearest of the others
static void split_press(const ThawWallStep *step, const ThawNearWall *near, double factor,
                        ThawPressing *pressing) {
    ThawVec3 left = vec_of(near->gradient);
    double error = (double)step->store->density_error[near->row];
    for (int k = 0; k < near->parts; k++) {
        ThawVec3 part = vec_of(near->part_gradient[k]);
        left = thaw_sub(left, part);
        // as much as the constraint's error falls when they part: ∇γ · δ of it
        double stiffness = error > 0 ? -factor * thaw_dot(part, part) / error : 1;
        press_by(pressing, near->part[k], thaw_scale(part, factor), fmin(stiffness, 1));
    }
    if (near->rest >= 0) press_by(pressing, (uint32_t)near->rest, thaw_scale(left, factor), 0);
}

void thaw_near_pressing(const ThawWalls *walls, const ThawWallStep *step, const ThawNearWall *near,
                        ThawPressing *pressing) {
    (void)walls;
    double lambda = (double)step->work->place[near->row].lambda;
    pressing->count = 0;
    if (near->mirror != NULL) {
        press_by(pressing, (uint32_t)near->facing, image_push(near), 0);
        return;
    }
    if (near->facing < 0 || !(lambda < 0)) return;
    ThawVec3 push = {2 * lambda * (double)near->gradient[0], 2 * lambda * (double)near->gradient[1],
                     2 * lambda * (double)near->gradient[2]};
    // no more than one spacing at once
    double length = thaw_length(push), most = (double)near->closest / THAW_WALL_CONTACT;
    double scale = length > most ? most / length : 1;
    if (near->parts == 0) {
        if (!(length > 0)) return;
        if (length > most) push = thaw_scale(push, scale);
        press_by(pressing, (uint32_t)near->facing, push, 0);
        return;
    }
    split_press(step, near, 2 * lambda * scale, pressing);
}

float thaw_near_advance(const ThawWalls *walls, const ThawWallStep *step,
                        const ThawNearWall *near) {
    double share = 0;
    const int64_t *start = step->store->cells + 3 * (size_t)near->row;
    for (int k = 0; k < near->parts; k++) {
        const ThawObstacle *o = &walls->obstacles[near->part[k]];
        const ThawCoupled *body = &walls->coupling->bodies[o->body - 1];
        double since[6];
        for (int a = 0; a < 6; a++) since[a] = body->pose[a] - body->measured[a];
        ThawVec3 arm = thaw_coupled_arm(body, step->domain, start);
        share -= thaw_dot(vec_of(near->part_gradient[k]), thaw_motion_at(since, arm));
    }
    return (float)share;
}
