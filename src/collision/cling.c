// Who clings to which wall, read from what the walls found in this substep.
#include "collision/cling.h"

#include "collision/walls_internal.h"

typedef struct Pass {
    const ThawWalls *walls;
    const ThawWallStep *step;
    ThawCling *clings;
    double holding; // the friction from which on a wall holds liquid fast
} Pass;

static void set_vec(float to[3], ThawVec3 v, double scale) {
    to[0] = (float)(v.x * scale);
    to[1] = (float)(v.y * scale);
    to[2] = (float)(v.z * scale);
}

// from a body's centre, m
static ThawVec3 arm_of(const ThawWallStep *step, const ThawRigid *rigid, const int64_t at[3]) {
    int64_t offset[3];
    const ThawDomain *domain = step->domain;
    for (int a = 0; a < 3; a++) {
        offset[a] = at[a] - rigid->center[a];
        if (!domain->periodic[a]) continue;
        // the nearest image
        offset[a] %= domain->length[a];
        if (2 * offset[a] >= domain->length[a]) offset[a] -= domain->length[a];
        if (2 * offset[a] < -domain->length[a]) offset[a] += domain->length[a];
    }
    ThawVec3 arm = thaw_vec(thaw_fixed_cells(offset[0]), thaw_fixed_cells(offset[1]),
                            thaw_fixed_cells(offset[2]));
    return thaw_scale(arm, domain->cell);
}

static ThawCling cling_of(const Pass *pass, const ThawNearWall *near) {
    const ThawWallStep *step = pass->step;
    ThawCling cling = {.row = near->row};
    if (near->facing < 0 || near->firm) return cling;
    const ThawObstacle *o = &pass->walls->obstacles[near->facing];
    const int64_t *at = step->store->cells + 3 * (size_t)near->row;
    ThawSeen seen = thaw_obstacle_see(o, step->domain, at);
    double friction = (double)thaw_obstacle_friction(o, seen.still);
    double hold = friction < pass->holding ? friction / pass->holding : 1.0;
    cling.collider = o->collider;
    cling.share = (float)(hold * (double)step->work->wall[near->row]);
    cling.mass = (float)((double)near->momentum * step->dt / step->domain->cell);
    if (o->body > 0)
        set_vec(cling.arm, arm_of(step, step->colliders[o->collider].rigid, at), 1.0);
    else if (o->moving)
        set_vec(cling.velocity, thaw_obstacle_motion(o, seen.still), step->domain->cell / step->dt);
    return cling;
}

static void cling_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pass *pass = context;
    ThawRange range = thaw_chunk_range(chunk, pass->walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        pass->clings[k] = cling_of(pass, &pass->walls->near[k]);
    }
}

void thaw_walls_cling(const ThawWalls *walls, const ThawWallStep *step, ThawCling *clings) {
    Pass pass = {walls, step, clings, (double)thaw_collider_default().friction};
    thaw_parallel_run(step->parallel, cling_chunk, &pass,
                      thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK));
}
