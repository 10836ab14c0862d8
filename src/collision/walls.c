// The four moments of a substep: loops over the particles near colliders. A chunk of near particles
// keeps its own sums for each collider, which are added in chunk order.
#include "collision/walls.h"

#include "base/memory.h"
#include "base/result.h"
#include "collision/response.h"

#define FREE_ROUNDS 8
#define MOST_COMPLETED 0.75 // of the kernel in solid: beyond it there is no wall to slide along
#define FAR_MOVE 0.5        // cells: a particle that was not near moves no further without a look

typedef struct Pass {
    ThawWalls *walls;
    const ThawWallStep *step;
    float *velocity;
} Pass;

ThawResult thaw_walls_create(ThawWalls **walls) {
    *walls = thaw_alloc(sizeof **walls);
    return *walls != NULL ? THAW_OK : thaw_fail_memory(sizeof **walls);
}

void thaw_walls_destroy(ThawWalls *walls) {
    if (walls == NULL) return;
    thaw_free(walls->obstacles);
    thaw_free(walls->near);
    thaw_free(walls->found);
    thaw_free(walls->first);
    thaw_free(walls->is_near);
    thaw_free(walls->sums);
    thaw_free(walls);
}

uint32_t thaw_walls_near(const ThawWalls *walls) {
    return walls->near_count;
}

uint32_t thaw_walls_touched(const ThawWalls *walls) {
    return walls->touched;
}

static void run_near(const Pass *pass, ThawTask *task) {
    uint32_t chunks = thaw_chunk_count(pass->walls->near_count, THAW_WALL_CHUNK);
    thaw_parallel_run(pass->step->parallel, task, (void *)pass, chunks);
}

// ---------------------------------------------------------------- begin

static ThawResult make_obstacles(ThawWalls *walls, const ThawWallStep *step) {
    walls->obstacle_count = 0;
    walls->near_count = 0;
    if (step->collider_count > INT16_MAX) {
        return thaw_fail(THAW_BAD_INPUT, "colliders must be at most %d, not %u", INT16_MAX,
                         step->collider_count);
    }
    // the colliders as they are, and after them as they are felt
    size_t bytes = 2 * ((size_t)step->collider_count + 1) * sizeof *walls->obstacles;
    if (!thaw_scratch((void **)&walls->obstacles, &walls->obstacles_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    for (uint32_t k = 0; k < step->collider_count; k++) {
        ThawObstacle *o = &walls->obstacles[walls->obstacle_count];
        if (thaw_obstacle_make(o, step, k)) walls->obstacle_count++;
    }
    walls->felt = walls->obstacles + walls->obstacle_count;
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        walls->felt[k] = walls->obstacles[k];
        thaw_obstacle_recede(&walls->felt[k], THAW_WALL_FELT / step->support);
    }
    return THAW_OK;
}

// A start inside a collider is moved out of it, which is no motion: its velocity does not change.
// Where no free place is found it is left.
static void free_start(const Pass *pass, const ThawNearWall *near) {
    int64_t *start = pass->step->store->cells + 3 * (size_t)near->row;
    int64_t tried[3] = {start[0], start[1], start[2]};
    const ThawWalls *walls = pass->walls;
    uint32_t candidates = thaw_near_candidates(walls, near, thaw_vec(0, 0, 0));
    bool ever = false, moved = true;
    for (int round = 0; round < FREE_ROUNDS && moved; round++) {
        moved = false;
        for (uint32_t k = 0; k < candidates; k++) {
            uint32_t index = thaw_near_candidate(walls, near, candidates, k);
            moved |= thaw_path_free(&walls->obstacles[index], pass->step->domain,
                                    (double)near->contact_distance, tried);
        }
        // once moved it may have come near others
        if (moved) candidates = walls->obstacle_count;
        ever |= moved;
    }
    if (!ever || moved) return;
    for (int a = 0; a < 3; a++) start[a] = tried[a];
    thaw_wall_move(pass->step, near->row, thaw_wall_shift(pass->step, near->row));
}

static void measure_solid(const Pass *pass, ThawNearWall *near, ThawVec3 shift) {
    enum { FACINGS = 16 };
    const ThawWalls *walls = pass->walls;
    const int64_t *start = pass->step->store->cells + 3 * (size_t)near->row;
    ThawFacing facings[FACINGS];
    int count = 0;
    uint32_t candidates = thaw_near_candidates(walls, near, shift);
    for (uint32_t k = 0; k < candidates && count < FACINGS; k++) {
        const ThawObstacle *o = &walls->felt[thaw_near_candidate(walls, near, candidates, k)];
        ThawSeen seen = thaw_obstacle_see(o, pass->step->domain, start);
        facings[count] = (ThawFacing){o, thaw_add(seen.still, shift)};
        if (thaw_obstacle_distance(o, facings[count].x) < (double)near->support) count++;
    }
    ThawSolid solid =
        thaw_solid_fraction(&walls->quadrature, facings, count, (double)near->support);
    near->share = solid.share;
    for (int a = 0; a < 3; a++) near->gradient[a] = solid.gradient[a];
    near->shift[0] = (float)shift.x;
    near->shift[1] = (float)shift.y;
    near->shift[2] = (float)shift.z;
    near->facing = -1;
    if (solid.nearest >= 0) {
        near->facing = (int16_t)(facings[solid.nearest].obstacle - walls->felt);
    }
}

static void begin_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    ThawRange range = thaw_chunk_range(chunk, walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        ThawNearWall *near = &walls->near[k];
        free_start(pass, near);
        ThawVec3 shift = thaw_wall_shift(pass->step, near->row);
        if (thaw_near_resolve(walls, pass->step, near, thaw_wall_sums(walls, chunk), &shift)) {
            thaw_wall_move(pass->step, near->row, shift);
        }
        if (!near->firm) measure_solid(pass, near, shift);
    }
}

ThawResult thaw_walls_begin(ThawWalls *walls, const ThawWallStep *step) {
    walls->touched = 0;
    ThawResult result = make_obstacles(walls, step);
    if (result == THAW_OK) result = thaw_walls_find(walls, step);
    if (result != THAW_OK) return result;
    thaw_quadrature_make(&walls->quadrature, step->kernel, step->domain->dimensions);
    Pass pass = {walls, step, NULL};
    run_near(&pass, begin_chunk);
    return THAW_OK;
}

// ---------------------------------------------------------------- density

static void density_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawRange range = thaw_chunk_range(chunk, pass->walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        const ThawNearWall *near = &pass->walls->near[k];
        const float *shift = pass->step->work->shift + 3 * (size_t)near->row;
        float share = near->share;
        for (int a = 0; a < 3; a++) share += near->gradient[a] * (shift[a] - near->shift[a]);
        pass->step->work->wall[near->row] = share < 0 ? 0 : share > 1 ? 1 : share;
    }
}

void thaw_walls_density(ThawWalls *walls, const ThawWallStep *step) {
    Pass pass = {walls, step, NULL};
    run_near(&pass, density_chunk);
}

// ---------------------------------------------------------------- correct

// the wall's share of the density constraint: pressure mirrored, 2 λ ∇γ
static bool press(const Pass *pass, ThawNearWall *near, ThawWallSum *sums, ThawVec3 *shift) {
    double lambda = (double)pass->step->work->place[near->row].lambda;
    if (near->facing < 0 || !(lambda < 0)) return false;
    ThawVec3 push = {2 * lambda * (double)near->gradient[0], 2 * lambda * (double)near->gradient[1],
                     2 * lambda * (double)near->gradient[2]};
    // no more than one spacing at once
    double length = thaw_length(push), most = (double)near->contact_distance / THAW_WALL_CONTACT;
    if (!(length > 0)) return false;
    if (length > most) push = thaw_scale(push, most / length);
    *shift = thaw_add(*shift, push);
    thaw_near_account(pass->walls, near, sums, (uint32_t)near->facing, push, false);
    return true;
}

// What the missing half of a particle's neighbours would add along the wall. Pair corrections see only
// the fluid's share 1 − γ of the kernel, and along a wall that is the share of the pressure gradient that
// they pass on (by parts, the first moment of the kernel's slope over any solid that is uniform along a
// direction is γ). Without the rest, matter at a wall carries too little of its weight and slides down
// it for ever.
static bool complete(const Pass *pass, const ThawNearWall *near, ThawWallSum *sums,
                     ThawVec3 *shift) {
    const ThawWork *work = pass->step->work;
    const ThawPlace *before = &work->next[near->row], *after = &work->place[near->row];
    ThawVec3 normal = {(double)near->gradient[0], (double)near->gradient[1],
                       (double)near->gradient[2]};
    double length = thaw_length(normal);
    if (near->facing < 0 || !(length > 0)) return false;
    normal = thaw_scale(normal, 1 / length);
    ThawVec3 move = {thaw_place_sub(after->x, before->x), thaw_place_sub(after->y, before->y),
                     thaw_place_sub(after->z, before->z)};
    move = thaw_scale(move, (double)THAW_PLACE_CELLS);
    ThawVec3 along = thaw_sub(move, thaw_scale(normal, thaw_dot(move, normal)));
    double share = (double)work->wall[near->row];
    if (share > MOST_COMPLETED) share = MOST_COMPLETED;
    ThawVec3 extra = thaw_scale(along, share / (1 - share));
    *shift = thaw_add(*shift, extra);
    double *impulse = sums[near->facing].impulse;
    impulse[0] -= (double)near->momentum * extra.x;
    impulse[1] -= (double)near->momentum * extra.y;
    impulse[2] -= (double)near->momentum * extra.z;
    return true;
}

static void correct_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    ThawWallSum *sums = thaw_wall_sums(walls, chunk);
    ThawRange range = thaw_chunk_range(chunk, walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        ThawNearWall *near = &walls->near[k];
        ThawVec3 shift = thaw_wall_shift(pass->step, near->row);
        if (!(thaw_length(shift) < (double)THAW_WALL_FARTHEST)) continue;
        bool moved = complete(pass, near, sums, &shift);
        moved |= press(pass, near, sums, &shift);
        moved |= thaw_near_resolve(walls, pass->step, near, sums, &shift);
        if (moved) thaw_wall_move(pass->step, near->row, shift);
    }
}

void thaw_walls_correct(ThawWalls *walls, const ThawWallStep *step) {
    Pass pass = {walls, step, NULL};
    run_near(&pass, correct_chunk);
}

// ---------------------------------------------------------------- finish

// the velocity follows what happened to the move
static void follow_move(const Pass *pass, uint32_t row, const float before[3]) {
    double per_cell = pass->step->domain->cell / pass->step->dt;
    const float *shift = pass->step->work->shift + 3 * (size_t)row;
    float *velocity = pass->velocity + 3 * (size_t)row;
    for (int a = 0; a < 3; a++) {
        velocity[a] += (float)(((double)shift[a] - (double)before[a]) * per_cell);
    }
}

static void settle(const Pass *pass, ThawNearWall *near, ThawWallSum *sums) {
    const float *kept = pass->step->work->shift + 3 * (size_t)near->row;
    float before[3] = {kept[0], kept[1], kept[2]};
    ThawVec3 shift = thaw_wall_shift(pass->step, near->row);
    bool moved = thaw_near_rub(pass->walls, pass->step, near, sums, &shift);
    moved |= thaw_near_resolve(pass->walls, pass->step, near, sums, &shift);
    if (moved) {
        thaw_wall_move(pass->step, near->row, shift);
        follow_move(pass, near->row, before);
    }
    thaw_near_drag(pass->walls, pass->step, near, sums, shift,
                   pass->velocity + 3 * (size_t)near->row);
    thaw_near_bounce(pass->walls, pass->step, near, sums, shift,
                     pass->velocity + 3 * (size_t)near->row);
}

static void count_touches(const ThawNearWall *near, ThawWallSum *sums) {
    for (int s = 0; s < THAW_WALL_SLOTS; s++) {
        if (near->touched & (1u << s)) sums[near->slots[s]].particles++;
    }
}

static void finish_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    ThawWallSum *sums = thaw_wall_sums(walls, chunk);
    ThawRange range = thaw_chunk_range(chunk, walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        ThawNearWall *near = &walls->near[k];
        if (!(thaw_length(thaw_wall_shift(pass->step, near->row)) < (double)THAW_WALL_FARTHEST)) {
            continue;
        }
        settle(pass, near, sums);
        count_touches(near, sums);
    }
}

// Particles that were far from every collider but were moved a long way by others.
static void finish_rows(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    uint32_t near_chunks = thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK);
    ThawWallSum *sums = thaw_wall_sums(walls, near_chunks + chunk);
    ThawRange rows = thaw_chunk_range(chunk, pass->step->store->count, THAW_WALL_ROWS);
    for (uint32_t row = rows.begin; row < rows.end; row++) {
        if (walls->is_near[row] || pass->step->store->dead[row]) continue;
        double length = thaw_length(thaw_wall_shift(pass->step, row));
        if (!(length > FAR_MOVE && length < (double)THAW_WALL_FARTHEST)) continue;
        ThawNearWall near = thaw_near_describe(walls, pass->step, row);
        settle(pass, &near, sums);
        count_touches(&near, sums);
    }
}

static void add_sums(ThawWalls *walls, const ThawWallStep *step) {
    uint32_t near_chunks = thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK);
    uint32_t chunks = near_chunks + thaw_chunk_count(step->store->count, THAW_WALL_ROWS);
    for (uint32_t k = 0; k < step->collider_count; k++) step->colliders[k].contact.particles = 0;
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        ThawContact *contact = &step->colliders[walls->obstacles[k].collider].contact;
        for (uint32_t chunk = 0; chunk < chunks; chunk++) {
            const ThawWallSum *sum = thaw_wall_sums(walls, chunk) + k;
            contact->particles += sum->particles;
            if (chunk >= near_chunks) walls->touched += sum->particles;
            contact->impulse.x += sum->impulse[0];
            contact->impulse.y += sum->impulse[1];
            contact->impulse.z += sum->impulse[2];
        }
    }
    for (uint32_t k = 0; k < walls->near_count; k++) {
        walls->touched += walls->near[k].holder >= 0;
    }
}

void thaw_walls_finish(ThawWalls *walls, const ThawWallStep *step, float *velocity) {
    if (walls->obstacle_count == 0) return;
    Pass pass = {walls, step, velocity};
    run_near(&pass, finish_chunk);
    thaw_parallel_run(step->parallel, finish_rows, &pass,
                      thaw_chunk_count(step->store->count, THAW_WALL_ROWS));
    add_sums(walls, step);
}
