// Holding what has not left its opening: marks and moves for attachments.c.
//
// Held ids follow each other, so that one pass over all ids finds their rows without a map.
//
// A column that runs into a wall lets go of who comes to it: carried on to the end of its way it would be
// inside, and out again at once. Who is free has left its site, so that nothing need be remembered.
#include "world/emitters.h"
#include "world/world.h"

#include "math/vec.h"

// spacings: who has less room, comes nearer by this, and has less than the last at the end of its way, is let go
#define WALL_ROOM 2.0
#define WALL_NEARER 0.1
#define WALL_LEFT 1.5
#define STRAYED 0.05 // spacings off its site
#define SITE_CHUNK 256u

uint32_t thaw_emission_held(const ThawWorld *world) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < world->emitter_count; k++) count += world->emitters[k].site_count;
    return count;
}

// ---------------------------------------------------------------- rows

static void mark_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawWorld *world = context;
    const ThawStore *store = world->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, THAW_MARK_CHUNK);
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        const ThawEmitter *emitter = &world->emitters[k];
        uint32_t count = emitter->site_count;
        uint64_t first =
            ((uint64_t)emitter->source << THAW_ID_SOURCE_SHIFT) + emitter->state.born + 1 - count;
        for (uint32_t row = range.begin; count > 0 && row < range.end; row++) {
            uint64_t index = store->id[row] - first;
            if (index >= count) continue;
            emitter->sites[index].row = row;
            world->held_block[row] = 1;
        }
    }
}

void thaw_emission_mark(ThawWorld *world) {
    if (thaw_emission_held(world) == 0) return;
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        ThawEmitter *emitter = &world->emitters[k];
        for (uint32_t i = 0; i < emitter->site_count; i++) emitter->sites[i].row = UINT32_MAX;
    }
    thaw_parallel_run(world->parallel, mark_chunk, world,
                      thaw_chunk_count(world->store->count, THAW_MARK_CHUNK));
}

// ---------------------------------------------------------------- walls

int64_t thaw_emission_shorten(const ThawDomain *domain, int axis, int64_t way) {
    if (!domain->periodic[axis]) return way;
    int64_t length = domain->length[axis];
    way %= length;
    if (way > length / 2) return way - length;
    return way < -length / 2 ? way + length : way;
}

// a column and where it is at the end of the substep
typedef struct Column {
    ThawWorld *world;
    const ThawEmitter *emitter;
    double run;
    ThawPose pose;
    bool walls; // some site may come to one
} Column;

// where a site is when its column has run so far, in the opening's frame
static ThawVec3 site_at(const ThawWorld *world, const ThawColumnSite *site, double run) {
    return thaw_emitter_local(world, site->across[0], site->across[1],
                              site->layer + run + site->along);
}

// whether some site may come to a wall
static bool near_walls(const ThawWorld *world, const ThawEmitter *emitter) {
    const ThawEmitterDef *def = &emitter->def;
    bool disc = def->kind == THAW_EMITTER_DISC;
    double size = disc ? def->radius : 0.5 * hypot(def->width, def->height);
    double reach = size + 2 * THAW_COLUMN_FREE * (double)def->spacing;
    return thaw_emission_room(world, emitter->pose.position) < reach;
}

// whether a site is about to run into a wall on its way out
static bool meets_wall(const Column *column, const ThawColumnSite *site) {
    const ThawWorld *world = column->world;
    double d = (double)column->emitter->def.spacing;
    ThawVec3 local = site_at(world, site, column->run);
    double room = thaw_emission_room(world, thaw_pose_apply(column->pose, local));
    // what is inside has been born there, behind an opening, and comes out
    if (!(room >= 0 && room < WALL_ROOM * d)) return false;
    ThawVec3 exit =
        thaw_emitter_local(world, site->across[0], site->across[1], THAW_COLUMN_FREE * d);
    double left = thaw_emission_room(world, thaw_pose_apply(column->pose, exit));
    return left < room - WALL_NEARER * d && left < WALL_LEFT * d;
}

// whether it was let go before
static bool has_strayed(const Column *column, const ThawColumnSite *site) {
    const ThawWorld *world = column->world;
    const ThawEmitter *emitter = column->emitter;
    int64_t place[3];
    ThawVec3 local = site_at(world, site, emitter->run);
    if (!thaw_emission_place(world, &emitter->pose, local, place)) return false;
    const int64_t *cells = &world->store->cells[3 * (size_t)site->row];
    double off2 = 0;
    for (int a = 0; a < 3; a++) {
        int64_t way = thaw_emission_shorten(&world->domain, a, place[a] - cells[a]);
        off2 += thaw_fixed_cells(way) * thaw_fixed_cells(way);
    }
    return sqrt(off2) * world->domain.cell > STRAYED * (double)emitter->def.spacing;
}

static void free_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Column *column = context;
    ThawRange range = thaw_chunk_range(chunk, column->emitter->site_count, SITE_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        ThawColumnSite *site = &column->emitter->sites[k];
        if (site->row == UINT32_MAX) continue;
        if (!has_strayed(column, site) && !(column->walls && meets_wall(column, site))) continue;
        column->world->held_block[site->row] = 0;
        site->row = UINT32_MAX;
    }
}

// ---------------------------------------------------------------- moves

static void aim_column(const Column *column) {
    ThawWorld *world = column->world;
    for (uint32_t k = 0; k < column->emitter->site_count; k++) {
        const ThawColumnSite *site = &column->emitter->sites[k];
        int64_t target[3];
        ThawVec3 local = site_at(world, site, column->run);
        if (site->row == UINT32_MAX) continue;
        // an opening that leaves the domain stands still at its end
        bool inside = thaw_emission_place(world, &column->pose, local, target);
        const int64_t *cells = &world->store->cells[3 * (size_t)site->row];
        ThawHeldMove *move = &world->held_moves[world->held_count++];
        move->row = site->row;
        for (int a = 0; a < 3; a++) {
            int64_t way =
                inside ? thaw_emission_shorten(&world->domain, a, target[a] - cells[a]) : 0;
            move->shift[a] = (float)thaw_fixed_cells(way);
        }
    }
}

void thaw_emission_aim(ThawWorld *world, double time, double dt) {
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        const ThawEmitter *emitter = &world->emitters[k];
        if (emitter->site_count == 0) continue;
        double speed = thaw_emitter_speed(world, &emitter->def);
        double active = fmax(time + dt - fmax(time, emitter->def.from), 0);
        Column column = {.world = world,
                         .emitter = emitter,
                         .run = emitter->run + speed * active,
                         .pose = thaw_emitter_pose(emitter, dt > 0 ? world->emission.share : 0),
                         .walls = near_walls(world, emitter)};
        thaw_parallel_run(world->parallel, free_chunk, &column,
                          thaw_chunk_count(emitter->site_count, SITE_CHUNK));
        aim_column(&column);
    }
}
