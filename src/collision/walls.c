// The four moments of a substep: loops over the particles near colliders. Where some are dynamic, they move
// before each loop, to where what it is going to do will bring them (coupling.h). A chunk of near particles
// keeps its own sums for each collider, which are added in chunk order.
#include "collision/walls.h"

#include "base/memory.h"
#include "base/result.h"
#include "collision/coupling.h"
#include "collision/look.h"
#include "collision/response.h"

#define FREE_ROUNDS 8
#define FAR_MOVE 0.5 // cells: a particle that was not near moves no further without a look

typedef struct Pass {
    ThawWalls *walls;
    const ThawWallStep *step;
    float *velocity;
    const ThawWallBend *bend;
} Pass;

ThawResult thaw_walls_create(ThawWalls **walls) {
    *walls = thaw_alloc(sizeof **walls);
    if (*walls == NULL) return thaw_fail_memory(sizeof **walls);
    (*walls)->coupling = thaw_alloc(sizeof *(*walls)->coupling);
    if ((*walls)->coupling != NULL) return THAW_OK;
    thaw_free(*walls);
    *walls = NULL;
    return thaw_fail_memory(sizeof *(*walls)->coupling);
}

void thaw_walls_destroy(ThawWalls *walls) {
    if (walls == NULL) return;
    thaw_free(walls->obstacles);
    thaw_free(walls->near);
    thaw_free(walls->found);
    thaw_free(walls->first);
    thaw_free(walls->is_near);
    thaw_free(walls->sums);
    thaw_free(walls->mirrors);
    thaw_free(walls->coupling->bodies);
    thaw_free(walls->coupling->meetings);
    thaw_free(walls->coupling->sums);
    thaw_free(walls->coupling->squeezed);
    thaw_free(walls->coupling->rides);
    thaw_free(walls->coupling);
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
        ThawDeform *deform = step->colliders[k].deform;
        if (deform == NULL) continue;
        ThawResult result =
            thaw_deform_prepare(deform, step->time, step->time + step->dt, step->parallel);
        if (result != THAW_OK) return result;
    }
    for (uint32_t k = 0; k < step->collider_count; k++) {
        ThawObstacle *o = &walls->obstacles[walls->obstacle_count];
        if (thaw_obstacle_make(o, step, k)) walls->obstacle_count++;
    }
    walls->felt = walls->obstacles + walls->obstacle_count;
    walls->sticky = false;
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        const ThawObstacle *o = &walls->obstacles[k];
        walls->sticky |= o->adhesion > 0 || o->coated;
        walls->felt[k] = *o;
        thaw_obstacle_recede(&walls->felt[k], THAW_WALL_FELT / step->support);
    }
    return thaw_coupling_begin(walls, step);
}

// A start inside a collider is moved out of it, which is no motion: its velocity does not change.
// Where no free place is found it is left.
static void free_start(const Pass *pass, ThawNearWall *near) {
    int64_t *start = pass->step->store->cells + 3 * (size_t)near->row;
    int64_t tried[3] = {start[0], start[1], start[2]};
    const ThawWalls *walls = pass->walls;
    uint32_t candidates = thaw_near_candidates(walls, near, thaw_vec(0, 0, 0));
    bool ever = false, moved = true, slots = !thaw_near_asks_all(near, 0);
    for (int round = 0; round < FREE_ROUNDS && moved; round++) {
        moved = false;
        for (uint32_t k = 0; k < candidates; k++) {
            if (slots && round == 0 && thaw_gap_clears(near, k, 0)) continue;
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
    for (int k = 0; k < THAW_WALL_SLOTS; k++) near->gap[k] = -INFINITY;
    near->free = -INFINITY;
    thaw_wall_move(pass->step, near->row, thaw_wall_shift(pass->step, near->row));
}

#define FACINGS 16

// What part of the gradient is each body's: what is missing without it.
static void measure_parts(const ThawWalls *walls, ThawNearWall *near, const ThawFacing *facings,
                          int count) {
    double least = (double)near->support;
    near->parts = 0;
    near->rest = -1;
    if (walls->coupling->count == 0) return;
    for (int k = 0; k < count; k++) {
        double distance = facings[k].distance;
        if (facings[k].obstacle->body > 0 || distance > least) continue;
        least = distance;
        near->rest = (int16_t)(facings[k].obstacle - walls->felt);
    }
    for (int k = 0; k < count && near->parts < THAW_WALL_PARTS; k++) {
        if (facings[k].obstacle->body == 0) continue;
        float *part = near->part_gradient[near->parts];
        near->part[near->parts++] = (uint16_t)(facings[k].obstacle - walls->felt);
        for (int a = 0; a < 3; a++) part[a] = near->gradient[a];
        if (count == 1) continue;
        ThawFacing others[FACINGS];
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (i != k) others[left++] = facings[i];
        }
        ThawSolid without =
            thaw_solid_fraction(&walls->quadrature, others, left, (double)near->support);
        for (int a = 0; a < 3; a++) part[a] -= without.gradient[a];
    }
}

// Whether a collider is out of the kernel's reach after a move of this length, by the start's distance alone.
static bool ends_beyond(const ThawObstacle *o, const ThawNearWall *near, uint32_t slot,
                        double length) {
    if (!(o->grain > 0 || o->convex)) return false;
    return thaw_near_gap_after(near, o, slot, length) > (double)near->support + 1e-5;
}

// the colliders that a near particle feels after a move, as they are felt
static int list_felt(const Pass *pass, const ThawNearWall *near, ThawVec3 shift,
                     ThawFacing facings[FACINGS]) {
    const ThawWalls *walls = pass->walls;
    const int64_t *start = pass->step->store->cells + 3 * (size_t)near->row;
    int count = 0;
    double length = thaw_length(shift);
    bool slots = !thaw_near_asks_all(near, length);
    uint32_t candidates = thaw_near_candidates(walls, near, shift);
    for (uint32_t k = 0; k < candidates && count < FACINGS; k++) {
        const ThawObstacle *o = &walls->felt[thaw_near_candidate(walls, near, candidates, k)];
        if (slots && ends_beyond(o, near, k, length)) continue;
        ThawSeen seen = thaw_obstacle_see(o, pass->step->domain, start);
        facings[count] = thaw_face(o, thaw_add(seen.still, shift));
        if (facings[count].distance < (double)near->support) count++;
    }
    return count;
}

static void measure_solid(const Pass *pass, ThawNearWall *near, ThawVec3 shift) {
    const ThawWalls *walls = pass->walls;
    ThawFacing facings[FACINGS];
    int count = list_felt(pass, near, shift, facings);
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
    measure_parts(walls, near, facings, count);
}

static void free_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawRange range = thaw_chunk_range(chunk, pass->walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) free_start(pass, &pass->walls->near[k]);
}

// Chunks gather their moves, look at all of them at once, and then go through them one by one.
static void begin_moves(const ThawWalls *walls, uint32_t chunk, ThawMoves *moves) {
    ThawRange range = thaw_chunk_range(chunk, walls->near_count, THAW_WALL_CHUNK);
    moves->near = walls->near + range.begin;
    moves->count = range.end - range.begin;
    moves->listed = 0;
}

static void add_move(ThawMoves *moves, uint32_t which, ThawVec3 shift, bool changed) {
    uint32_t k = moves->listed++;
    moves->which[k] = (uint16_t)which;
    moves->shift[k] = shift;
    moves->changed[k] = changed;
}

static void begin_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    ThawWallSum *sums = thaw_wall_sums(walls, chunk);
    ThawMoves moves;
    begin_moves(walls, chunk, &moves);
    for (uint32_t k = 0; k < moves.count; k++) {
        ThawVec3 shift = thaw_wall_shift(pass->step, moves.near[k].row);
        bool drawn = thaw_near_draw(walls, pass->step, &moves.near[k], sums, &shift);
        add_move(&moves, k, shift, drawn);
    }
    thaw_look_paths(walls, pass->step, &moves);
    for (uint32_t k = 0; k < moves.listed; k++) {
        ThawNearWall *near = &moves.near[k];
        ThawVec3 *shift = &moves.shift[k];
        bool moved = thaw_near_resolve(walls, pass->step, near, sums, moves.clear[k], shift);
        if (moved || moves.changed[k]) thaw_wall_move(pass->step, near->row, *shift);
        if (!near->firm) measure_solid(pass, near, *shift);
    }
}

ThawResult thaw_walls_begin(ThawWalls *walls, const ThawWallStep *step) {
    walls->touched = 0;
    ThawResult result = make_obstacles(walls, step);
    if (result == THAW_OK) result = thaw_walls_find(walls, step);
    if (result == THAW_OK) result = thaw_coupling_reserve(walls);
    if (result != THAW_OK) return result;
    thaw_quadrature_make(&walls->quadrature, step->kernel, step->domain->dimensions, step->isa);
    Pass pass = {.walls = walls, .step = step};
    run_near(&pass, free_chunk);
    thaw_coupling_solve(walls, step, false);
    run_near(&pass, begin_chunk);
    thaw_coupling_measured(walls);
    return THAW_OK;
}

// ---------------------------------------------------------------- bend

#define BEND_STEP 0.003 // supports: short against the kernel, long against what floats resolve

static ThawVec3 slope_at(const Pass *pass, const ThawNearWall *near, ThawVec3 shift) {
    ThawFacing facings[FACINGS];
    int count = list_felt(pass, near, shift, facings);
    ThawSolid solid =
        thaw_solid_fraction(&pass->walls->quadrature, facings, count, (double)near->support);
    return thaw_vec((double)solid.gradient[0], (double)solid.gradient[1],
                    (double)solid.gradient[2]);
}

// ∇∇γ times a vector, by how ∇γ changes along it
static ThawVec3 bend_at(const Pass *pass, const ThawNearWall *near, ThawVec3 along) {
    ThawVec3 shift = {(double)near->shift[0], (double)near->shift[1], (double)near->shift[2]};
    double length = thaw_length(along), step = BEND_STEP * (double)near->support;
    ThawVec3 way = thaw_scale(along, step / length);
    ThawVec3 change = thaw_sub(slope_at(pass, near, thaw_add(shift, way)),
                               slope_at(pass, near, thaw_sub(shift, way)));
    return thaw_scale(change, length / (2 * step));
}

static void bend_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    ThawWallSum *sums = thaw_wall_sums(walls, chunk);
    ThawRange range = thaw_chunk_range(chunk, walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        ThawNearWall *near = &walls->near[k];
        const float *rows = pass->bend->rows + 3 * (size_t)near->row;
        ThawVec3 along = {(double)rows[0], (double)rows[1], (double)rows[2]};
        if (near->firm || near->facing < 0 || !(thaw_length(along) > 0)) continue;
        uint16_t material = pass->step->store->material[near->row];
        double density = (double)pass->step->materials[material].density;
        ThawVec3 move =
            thaw_scale(bend_at(pass, near, along), -(double)pass->bend->factor / density);
        ThawVec3 shift = thaw_add(thaw_wall_shift(pass->step, near->row), move);
        thaw_wall_move(pass->step, near->row, shift);
        thaw_near_reverse(walls, near, sums, (uint32_t)near->facing, move);
    }
}

void thaw_walls_bend(ThawWalls *walls, const ThawWallStep *step, const ThawWallBend *bend) {
    if (!(step->dt > 0)) return;
    Pass pass = {.walls = walls, .step = step, .bend = bend};
    run_near(&pass, bend_chunk);
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
        if (near->parts > 0) share += thaw_near_advance(pass->walls, pass->step, near);
        pass->step->work->wall[near->row] = share < 0 ? 0 : share > 1 ? 1 : share;
    }
}

void thaw_walls_density(ThawWalls *walls, const ThawWallStep *step) {
    Pass pass = {.walls = walls, .step = step};
    run_near(&pass, density_chunk);
}

// ---------------------------------------------------------------- correct

// the wall's share of the density constraint; bodies have given way by their last change
static bool press(const Pass *pass, ThawNearWall *near, ThawWallSum *sums, ThawVec3 *shift) {
    ThawWalls *walls = pass->walls;
    const int64_t *start = pass->step->store->cells + 3 * (size_t)near->row;
    ThawPressing pressing;
    thaw_near_pressing(walls, pass->step, near, &pressing);
    for (int k = 0; k < pressing.count; k++) {
        ThawVec3 push = pressing.push[k];
        uint32_t index = walls->obstacles[pressing.obstacle[k]].body;
        double length = thaw_length(push);
        if (index > 0 && length > 0) {
            const ThawCoupled *body = &walls->coupling->bodies[index - 1];
            ThawVec3 arm = thaw_coupled_arm(body, pass->step->domain, start);
            double way = thaw_dot(thaw_motion_at(body->change, arm), push) / length;
            // pushes never pull
            double changed = fmax(length + pressing.stiffness[k] * way, 0);
            push = thaw_scale(push, changed / length);
        }
        *shift = thaw_add(*shift, push);
        thaw_near_account(walls, near, sums, pressing.obstacle[k], push, false);
    }
    return pressing.count > 0;
}

// what completes the move along the wall is the collider's to give
static bool complete(const Pass *pass, const ThawNearWall *near, ThawWallSum *sums,
                     ThawVec3 *shift) {
    ThawVec3 extra;
    if (!thaw_near_completion(pass->step, near, &extra)) return false;
    *shift = thaw_add(*shift, extra);
    thaw_near_reverse(pass->walls, near, sums, (uint32_t)near->facing, extra);
    return true;
}

// Whether neither pressure nor any collider acts on a particle that has moved this far.
static bool is_quiet(const ThawNearWall *near, double length) {
    return near->facing < 0 && length < (double)near->free;
}

static void correct_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    ThawWallSum *sums = thaw_wall_sums(walls, chunk);
    ThawMoves moves;
    begin_moves(walls, chunk, &moves);
    for (uint32_t k = 0; k < moves.count; k++) {
        ThawNearWall *near = &moves.near[k];
        ThawVec3 shift = thaw_wall_shift(pass->step, near->row);
        double length = thaw_length(shift);
        if (is_quiet(near, length) || !(length < (double)THAW_WALL_FARTHEST)) continue;
        bool changed = complete(pass, near, sums, &shift);
        changed |= press(pass, near, sums, &shift);
        add_move(&moves, k, shift, changed);
    }
    thaw_look_paths(walls, pass->step, &moves);
    for (uint32_t k = 0; k < moves.listed; k++) {
        ThawNearWall *near = &moves.near[moves.which[k]];
        ThawVec3 *shift = &moves.shift[k];
        bool moved = thaw_near_resolve(walls, pass->step, near, sums, moves.clear[k], shift);
        if (moved || moves.changed[k]) thaw_wall_move(pass->step, near->row, *shift);
    }
}

void thaw_walls_correct(ThawWalls *walls, const ThawWallStep *step) {
    Pass pass = {.walls = walls, .step = step};
    thaw_coupling_solve(walls, step, true);
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

// after friction: stops, and what follows for the velocity
static void settle(const Pass *pass, ThawNearWall *near, ThawWallSum *sums, bool moved,
                   uint8_t clear, ThawVec3 shift) {
    const float *kept = pass->step->work->shift + 3 * (size_t)near->row;
    float before[3] = {kept[0], kept[1], kept[2]};
    moved |= thaw_near_resolve(pass->walls, pass->step, near, sums, clear, &shift);
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

static void grip_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawRange range = thaw_chunk_range(chunk, pass->walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        ThawNearWall *near = &pass->walls->near[k];
        if (near->firm) thaw_near_grip(pass->walls, pass->step, near);
    }
}

static void finish_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawWalls *walls = pass->walls;
    ThawWallSum *sums = thaw_wall_sums(walls, chunk);
    ThawMoves moves;
    begin_moves(walls, chunk, &moves);
    for (uint32_t k = 0; k < moves.count; k++) {
        ThawNearWall *near = &moves.near[k];
        ThawVec3 shift = thaw_wall_shift(pass->step, near->row);
        double length = thaw_length(shift);
        // what nothing has held or meets has nothing to settle
        bool held = near->holder >= 0 || near->clings_to >= 0;
        if (!held && is_quiet(near, length)) continue;
        if (!(length < (double)THAW_WALL_FARTHEST)) continue;
        bool changed = thaw_near_cling(walls, pass->step, near, sums, &shift);
        changed |= thaw_near_rub(walls, pass->step, near, sums, &shift);
        add_move(&moves, k, shift, changed);
    }
    thaw_look_paths(walls, pass->step, &moves);
    for (uint32_t k = 0; k < moves.listed; k++) {
        ThawNearWall *near = &moves.near[moves.which[k]];
        settle(pass, near, sums, moves.changed[k], moves.clear[k], moves.shift[k]);
        count_touches(near, sums);
    }
}

static bool rides(const ThawWallStep *step, uint32_t row) {
    return step->held != NULL && step->held[row] == THAW_HELD_RIDES;
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
        if (walls->is_near[row] || pass->step->store->dead[row] || rides(pass->step, row)) continue;
        ThawVec3 shift = thaw_wall_shift(pass->step, row);
        double length = thaw_length(shift);
        if (!(length > FAR_MOVE && length < (double)THAW_WALL_FARTHEST)) continue;
        ThawNearWall near = thaw_near_describe(walls, pass->step, row);
        bool moved = thaw_near_rub(walls, pass->step, &near, sums, &shift);
        settle(pass, &near, sums, moved, 0, shift);
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
        walls->touched += walls->near[k].holder >= 0 && !walls->near[k].leans;
    }
}

void thaw_walls_finish(ThawWalls *walls, const ThawWallStep *step, float *velocity) {
    if (walls->obstacle_count == 0) return;
    Pass pass = {.walls = walls, .step = step, .velocity = velocity};
    thaw_coupling_solve(walls, step, false);
    if (step->grip != NULL) run_near(&pass, grip_chunk);
    thaw_coupling_rub(walls, step);
    run_near(&pass, finish_chunk);
    thaw_parallel_run(step->parallel, finish_rows, &pass,
                      thaw_chunk_count(step->store->count, THAW_WALL_ROWS));
    add_sums(walls, step);
    thaw_coupling_finish(walls, step, velocity);
}
