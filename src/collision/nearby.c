// Finding the particles near colliders. Rows are sorted in space, so that most groups of 64 are
// turned away by one look at their bounding box.
#include "base/memory.h"
#include "base/result.h"
#include "collision/look.h"
#include "collision/response.h"

#include <string.h>

#define GROUP 64u
#define LET_OUT 10.0 // 1/s: as fast as lags of frozen matter fade

typedef struct Search {
    ThawWalls *walls;
    const ThawWallStep *step;
} Search;

static double support_of(const ThawWallStep *step, uint32_t row) {
    return step->support * (double)step->store->spacing[row] / step->domain->cell;
}

// how far from a row's start a collider matters: its kernel, its move and a margin; below 0 for
// rows that take no part
static double reach_of(const ThawWallStep *step, uint32_t row) {
    double length = thaw_length(thaw_wall_shift(step, row));
    if (step->store->dead[row] || !(length < (double)THAW_WALL_FARTHEST)) return -1.0;
    return support_of(step, row) + length + THAW_WALL_MARGIN;
}

// How far a start is from a collider: a lower bound during the substep (the surface passes a point that stands still
// no closer than at the beginning less the way that it moves there), the gap that moves begin with, and the distance
// at the beginning itself.
typedef struct Apart {
    double least, gap, begins;
} Apart;

static Apart measure_apart(const ThawObstacle *o, const ThawDomain *domain,
                           const int64_t start[3]) {
    ThawSeen seen = thaw_obstacle_see(o, domain, start);
    double distance = thaw_obstacle_distance(o, seen.still);
    if (!o->moving) return (Apart){distance, distance, distance};
    double swept = thaw_length(thaw_sub(seen.still, seen.carried));
    double begins = thaw_obstacle_distance(o, seen.carried), gap = begins - swept;
    double least = (gap < distance ? gap : distance) - o->slack;
    // bodies have not yet come to their end
    return (Apart){least, o->body > 0 ? -INFINITY : gap, begins};
}

// the same of many, for a mesh that can be looked at; false where a row is to be measured by itself, as it is too
// close to a limit to tell
static bool look_apart(const ThawLook *look, uint32_t k, double limit, Apart *apart) {
    const ThawObstacle *o = look->obstacle;
    float gap = look->carried_at[k] - look->swept[k];
    float least = (gap < look->distance[k] ? gap : look->distance[k]) - (float)o->slack;
    float error = thaw_look_error(look, look->distance[k]) + thaw_look_error(look, gap);
    *apart = (Apart){(double)least, o->body > 0 ? -INFINITY : (double)(gap - error),
                     (double)look->carried_at[k]};
    return fabs((double)least - limit) > (double)error + 1e-6 * o->slack;
}

typedef struct Group {
    int64_t center[3];
    double radius; // cells
    double reach;  // the largest of its rows
} Group;

static Group bound_group(const ThawWallStep *step, ThawRange rows) {
    const int64_t *cells = step->store->cells;
    Group group = {.reach = -1};
    double square = 0;
    for (int a = 0; a < 3; a++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (uint32_t row = rows.begin; row < rows.end; row++) {
            int64_t x = cells[3 * (size_t)row + (size_t)a];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        group.center[a] = low + (high - low) / 2;
        double half = 0.5 * thaw_fixed_cells(high - low);
        square += half * half;
    }
    group.radius = sqrt(square) + 1e-6;
    for (uint32_t row = rows.begin; row < rows.end; row++) {
        double reach = reach_of(step, row);
        group.reach = reach > group.reach ? reach : group.reach;
    }
    return group;
}

static bool group_may_touch(const Search *search, ThawRange rows) {
    const ThawDomain *domain = search->step->domain;
    // with images, distances jump from one to the next and bound nothing
    if (domain->periodic[0] || domain->periodic[1] || domain->periodic[2]) return true;
    Group group = bound_group(search->step, rows);
    if (group.reach < 0) return false;
    for (uint32_t k = 0; k < search->walls->obstacle_count; k++) {
        const ThawObstacle *o = &search->walls->obstacles[k];
        // a turning collider moves by different ways within the group, by at most its diameter
        double radius = o->moving ? 3.0 * group.radius : group.radius;
        if (measure_apart(o, domain, group.center).least - radius < group.reach) return true;
    }
    return false;
}

// rows that may be near: their reaches, below 0 for those that are not asked
static void find_reaches(const Search *search, ThawRange rows, double *reach) {
    const uint8_t *held = search->step->held;
    for (uint32_t row = rows.begin; row < rows.end; row++) {
        bool asked = held == NULL || held[row] == 0;
        reach[row - rows.begin] = asked ? reach_of(search->step, row) : -1;
    }
}

// marks the rows of a group that a collider is near to
static void mark_near(const Search *search, const ThawObstacle *o, ThawRange rows,
                      const double *reach, bool *near) {
    const ThawDomain *domain = search->step->domain;
    uint32_t asked[GROUP], count = 0;
    for (uint32_t row = rows.begin; row < rows.end; row++) {
        if (reach[row - rows.begin] >= 0 && !near[row - rows.begin]) asked[count++] = row;
    }
    ThawLook look;
    bool looked = count > 0 && thaw_look_can(o);
    if (looked) thaw_look_at(&look, o, search->step, asked, count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = asked[k] - rows.begin;
        Apart apart;
        if (!looked || !look_apart(&look, k, reach[at], &apart)) {
            apart = measure_apart(o, domain, search->step->store->cells + 3 * (size_t)asked[k]);
        }
        near[at] = apart.least < reach[at];
    }
}

static void search_rows(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Search *search = context;
    ThawWalls *walls = search->walls;
    uint32_t count = search->step->store->count, found = 0;
    ThawRange rows = thaw_chunk_range(chunk, count, THAW_WALL_ROWS);
    memset(walls->is_near + rows.begin, 0, rows.end - rows.begin);
    memset(search->step->work->wall + rows.begin, 0, (rows.end - rows.begin) * sizeof(float));
    for (uint32_t begin = rows.begin; begin < rows.end; begin += GROUP) {
        ThawRange group = {begin, rows.end - begin < GROUP ? rows.end : begin + GROUP};
        double reach[GROUP];
        bool near[GROUP] = {false};
        if (!group_may_touch(search, group)) continue;
        find_reaches(search, group, reach);
        for (uint32_t k = 0; k < walls->obstacle_count; k++) {
            mark_near(search, &walls->obstacles[k], group, reach, near);
        }
        for (uint32_t row = begin; row < group.end; row++) {
            if (!near[row - begin]) continue;
            walls->is_near[row] = 1;
            walls->found[rows.begin + found++] = row;
        }
    }
    walls->first[chunk] = found;
}

// a near particle without slots
static ThawNearWall describe(const ThawWallStep *step, uint32_t row, double reach) {
    const ThawStore *store = step->store;
    double d = (double)store->spacing[row];
    double volume = step->domain->dimensions == 2 ? d * d : d * d * d;
    double mass = (double)step->materials[store->material[row]].density * volume;
    ThawNearWall near = {.row = row, .facing = -1, .contact = -1, .holder = -1, .clings_to = -1};
    near.support = (float)support_of(step, row);
    near.firm = step->firm != NULL && step->firm[row] != 0;
    double youth = step->youth != NULL ? (double)step->youth[row] : 0;
    double gap = THAW_WALL_CONTACT + youth * (THAW_WALL_FIRM_CONTACT - THAW_WALL_CONTACT);
    if (near.firm) gap = THAW_WALL_FIRM_CONTACT;
    near.contact_distance = (float)(gap * d / step->domain->cell);
    near.closest = (float)(THAW_WALL_CONTACT * d / step->domain->cell);
    near.covered = (float)(reach - (double)near.contact_distance);
    near.free = near.covered;
    near.momentum = (float)(mass * step->domain->cell / step->dt);
    return near;
}

// Liquids come nearer to walls than solids may. What froze there is let out bit by bit: pushed out at once it would
// fly off at metres a second. What has just melted stands where it stood, and sinks as its youth fades.
static void let_out(const ThawWallStep *step, ThawNearWall *near, double begins) {
    double contact = (double)near->contact_distance;
    if (begins >= contact) return;
    if (!near->firm) {
        near->contact_distance = (float)fmax(begins, (double)near->closest);
        return;
    }
    double from = fmax(begins, contact * (THAW_WALL_CONTACT / THAW_WALL_FIRM_CONTACT));
    near->contact_distance = (float)(from + fmin(LET_OUT * step->dt, 1) * (contact - from));
}

static void add_slot(const ThawWallStep *step, ThawNearWall *near, uint32_t obstacle, Apart apart,
                     double reach) {
    if (apart.least >= reach) return;
    let_out(step, near, apart.begins);
    if (near->slot_count < THAW_WALL_SLOTS) {
        near->slots[near->slot_count] = (uint16_t)obstacle;
        near->gap[near->slot_count] = thaw_gap_from(apart.gap);
    }
    near->free = fminf(near->free, thaw_gap_from(apart.gap - (double)near->contact_distance));
    if (near->slot_count <= THAW_WALL_SLOTS) near->slot_count++;
}

// A mesh's distances may be a little steeper than true ones, and are bounds beyond its band.
double thaw_near_gap_after(const ThawNearWall *near, const ThawObstacle *o, uint32_t slot,
                           double length) {
    double gap = (double)near->gap[slot];
    if (o->moving) return -INFINITY;
    return o->grain > 0 ? fmin(gap, o->known) - THAW_MESH_STEEPEST * length : gap - length;
}

ThawNearWall thaw_near_describe(const ThawWalls *walls, const ThawWallStep *step, uint32_t row) {
    const int64_t *start = step->store->cells + 3 * (size_t)row;
    double reach = reach_of(step, row);
    ThawNearWall near = describe(step, row, reach);
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        add_slot(step, &near, k, measure_apart(&walls->obstacles[k], step->domain, start), reach);
    }
    return near;
}

// the slots of many rows, collider by collider
static void fill_slots(const Search *search, const uint32_t *rows, uint32_t count,
                       ThawNearWall *near) {
    const ThawWallStep *step = search->step;
    double reach[THAW_LOOK];
    ThawLook look;
    for (uint32_t k = 0; k < count; k++) {
        reach[k] = reach_of(step, rows[k]);
        near[k] = describe(step, rows[k], reach[k]);
    }
    for (uint32_t index = 0; index < search->walls->obstacle_count; index++) {
        const ThawObstacle *o = &search->walls->obstacles[index];
        bool looked = thaw_look_can(o);
        if (looked) thaw_look_at(&look, o, step, rows, count);
        for (uint32_t k = 0; k < count; k++) {
            Apart apart;
            if (!looked || !look_apart(&look, k, reach[k], &apart)) {
                apart = measure_apart(o, step->domain, step->store->cells + 3 * (size_t)rows[k]);
            }
            add_slot(step, &near[k], index, apart, reach[k]);
        }
    }
}

static void fill_near(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Search *search = context;
    ThawWalls *walls = search->walls;
    uint32_t first = walls->first[chunk], last = walls->first[chunk + 1];
    const uint32_t *found = walls->found + (size_t)chunk * THAW_WALL_ROWS;
    for (uint32_t k = first; k < last; k += THAW_LOOK) {
        uint32_t count = last - k < THAW_LOOK ? last - k : THAW_LOOK;
        fill_slots(search, found + (k - first), count, walls->near + k);
    }
}

static ThawResult reserve(void **block, size_t *capacity, size_t bytes) {
    if (bytes == 0) bytes = 1;
    return thaw_scratch(block, capacity, bytes) ? THAW_OK : thaw_fail_memory(bytes);
}

static ThawResult reserve_rows(ThawWalls *walls, uint32_t count, uint32_t chunks) {
    ThawResult result =
        reserve((void **)&walls->found, &walls->found_bytes, (size_t)count * sizeof *walls->found);
    if (result == THAW_OK) {
        result = reserve((void **)&walls->is_near, &walls->is_near_bytes, count);
    }
    if (result == THAW_OK) {
        result = reserve((void **)&walls->first, &walls->first_bytes,
                         ((size_t)chunks + 1) * sizeof *walls->first);
    }
    return result;
}

static size_t sum_bytes(const ThawWalls *walls, size_t near_count, uint32_t rows) {
    size_t chunks = near_count / THAW_WALL_CHUNK + 1 + thaw_chunk_count(rows, THAW_WALL_ROWS);
    return chunks * walls->obstacle_count * sizeof *walls->sums;
}

static ThawResult reserve_near(ThawWalls *walls, uint32_t rows) {
    // room to grow, so that a splash does not allocate every time it reaches further
    size_t count = walls->near_count, room = count + count / 2 + 1024;
    if (room > rows) room = rows;
    size_t near = room * sizeof *walls->near, sums = sum_bytes(walls, room, rows);
    if (!thaw_scratch_room((void **)&walls->near, &walls->near_bytes, count * sizeof *walls->near,
                           near) ||
        !thaw_scratch_room((void **)&walls->sums, &walls->sums_bytes, sum_bytes(walls, count, rows),
                           sums)) {
        return thaw_fail_memory(near + sums);
    }
    if (walls->obstacle_count > 0) memset(walls->sums, 0, sum_bytes(walls, count, rows));
    return THAW_OK;
}

// nothing is needed where there are no walls
static ThawResult rest(ThawWalls *walls) {
    ThawResult result = reserve_rows(walls, 0, 0);
    if (result == THAW_OK) result = reserve((void **)&walls->near, &walls->near_bytes, 0);
    return result == THAW_OK ? reserve((void **)&walls->sums, &walls->sums_bytes, 0) : result;
}

ThawResult thaw_walls_find(ThawWalls *walls, const ThawWallStep *step) {
    Search search = {walls, step};
    uint32_t chunks = thaw_chunk_count(step->store->count, THAW_WALL_ROWS);
    walls->near_count = 0;
    thaw_scratch((void **)&walls->mirrors, &walls->mirrors_bytes, 0); // not of every liquid
    if (walls->obstacle_count == 0) return rest(walls);
    ThawResult result = reserve_rows(walls, step->store->count, chunks);
    if (result != THAW_OK) return result;
    thaw_parallel_run(step->parallel, search_rows, &search, chunks);

    // counts become places
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        uint32_t found = walls->first[chunk];
        walls->first[chunk] = walls->near_count;
        walls->near_count += found;
    }
    walls->first[chunks] = walls->near_count;
    result = reserve_near(walls, step->store->count);
    if (result != THAW_OK) {
        walls->near_count = 0;
        return result;
    }
    thaw_parallel_run(step->parallel, fill_near, &search, chunks);
    return THAW_OK;
}
