// Volumes: filling the vacant places of a lattice inside a shape.
//
// A place is vacant when no particle is nearer than VACANT spacings, and neither there nor at a neighbour
// matter would be denser than at rest with one more. A new particle moves as its neighbours do, as far as
// they surround it, so that moving matter does not run into it. Particles near the shape go into a grid
// of supports, one list a cell; sums over a list are in integers, so that its order does not matter. The cost
// follows the sites, and one pass over all particles.
#include "world/emitters.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "geometry/sampling.h"
#include "math/kernel.h"
#include "math/lattice.h"
#include "math/random.h"
#include "math/vec.h"

#include <string.h>

#define VACANT 0.9    // spacings
#define SHARP 0.999   // of the least distance of jittered places, against rounding
#define DENSEST 1.001 // of the rest density
#define WALL_GAP 0.4  // spacings that new particles keep from colliders
#define DRAW 0x5174u  // purpose of random numbers
#define NOBODY UINT32_MAX
#define MOST_NEAR 256
#define UNITS 1099511627776.0 // integer units a volume fraction of 1
#define SPEEDS 1048576.0      // integer units a volume fraction times a metre per second

typedef struct Near {
    double at[3];       // m, from the shape's position
    double spacing;     // m
    double velocity[3]; // m/s
    int64_t fill;       // volume fraction there, integer units; negative: not known
    uint32_t next;      // in its cell's list
} Near;

typedef struct Grid {
    ThawWorld *world;
    const ThawEmitter *emitter;
    double reach[3]; // m, half of the box that is looked at
    double cell;     // m, the largest support
    int64_t n[3];
    uint32_t *heads;
    Near *near;
    uint32_t count, capacity;
    ThawIdRow *order, *spare; // of vacant places
    uint32_t chosen;          // the last of `near`, in the order's order
    double rest;              // kernel sum of the perfect lattice
    double mates;             // spacings that those chosen together are apart
} Grid;

// ---------------------------------------------------------------- places

// moves the lattice's sites by their jitter
static void shake_places(const ThawWorld *world, ThawEmitter *emitter, double stretch) {
    if (emitter->place_count == 0) return;
    ThawQuat turn =
        thaw_shape_lattice_turn(&emitter->def.shape, world->def.dimensions, thaw_quat_identity());
    const double *first = emitter->places[0];
    const ThawVec3 origin = {first[0], first[1], first[2]};
    for (uint32_t k = 0; k < emitter->place_count; k++) {
        double *place = emitter->places[k];
        ThawVec3 way = thaw_sub(thaw_vec(place[0], place[1], place[2]), origin);
        way = thaw_scale(thaw_quat_rotate(thaw_quat_conjugate(turn), way), 1 / stretch);
        const double at[3] = {way.x, way.y, way.z};
        ThawVec3 jitter = thaw_quat_rotate(turn, thaw_jitter_at(emitter, at));
        place[0] += jitter.x, place[1] += jitter.y, place[2] += jitter.z;
    }
}

static ThawResult make_places(ThawWorld *world, ThawEmitter *emitter) {
    if (emitter->placed) return THAW_OK;
    double stretch = thaw_jitter_stretch(world, &emitter->def);
    double d = (double)emitter->def.spacing * stretch;
    ThawResult result = thaw_jitter_make(world, emitter);
    if (result != THAW_OK) return result;
    result = thaw_shape_sample(&emitter->def.shape, world->def.dimensions, d, THAW_PACKING_CLOSE,
                               thaw_quat_identity(), &emitter->places, &emitter->place_count);
    if (result != THAW_OK) return result;
    emitter->place_count = thaw_sites_thin(&emitter->def.shape, world->def.dimensions, d,
                                           emitter->places, emitter->place_count);
    shake_places(world, emitter, stretch);
    emitter->placed = true;
    return THAW_OK;
}

static ThawVec3 place_of(const ThawEmitter *emitter, uint32_t k) {
    const double *p = emitter->places[k];
    return thaw_vec(p[0], p[1], p[2]);
}

// a place from the shape's position, in the world's axes
static ThawVec3 turn_place(const ThawEmitter *emitter, ThawVec3 place) {
    return thaw_quat_rotate(thaw_quat_normalize(emitter->pose.rotation), place);
}

// ---------------------------------------------------------------- the grid

static void measure_grid(Grid *grid) {
    const ThawWorld *world = grid->world;
    const ThawEmitter *emitter = grid->emitter;
    float largest = emitter->def.spacing;
    for (uint32_t row = 0; row < world->store->count; row++) {
        if (world->store->spacing[row] > largest) largest = world->store->spacing[row];
    }
    grid->cell = THAW_WORLD_SUPPORT * (double)largest;
    for (int a = 0; a < 3; a++) grid->reach[a] = 0;
    for (uint32_t k = 0; k < emitter->place_count; k++) {
        ThawVec3 p = turn_place(emitter, place_of(emitter, k));
        grid->reach[0] = fmax(grid->reach[0], fabs(p.x));
        grid->reach[1] = fmax(grid->reach[1], fabs(p.y));
        grid->reach[2] = fmax(grid->reach[2], fabs(p.z));
    }
    for (int a = 0; a < 3; a++) {
        grid->reach[a] += 3 * grid->cell;
        grid->n[a] = (int64_t)ceil(2 * grid->reach[a] / grid->cell) + 1;
    }
    if (world->def.dimensions == 2) grid->n[2] = 1;
}

// offset of a row from the shape's position; false when it is too far to matter
static bool find_offset(const Grid *grid, const int64_t center[3], uint32_t row, double at[3]) {
    const ThawDomain *domain = &grid->world->domain;
    const int64_t *cells = &grid->world->store->cells[3 * (size_t)row];
    for (int a = 0; a < 3; a++) {
        at[a] =
            thaw_fixed_cells(thaw_emission_shorten(domain, a, cells[a] - center[a])) * domain->cell;
        if (a == 2 && domain->dimensions == 2) at[a] = 0;
        if (!(fabs(at[a]) < grid->reach[a])) return false;
    }
    return true;
}

static size_t cell_of(const Grid *grid, const double at[3]) {
    int64_t c[3];
    for (int a = 0; a < 3; a++) {
        c[a] = (int64_t)floor((at[a] + grid->reach[a]) / grid->cell);
        c[a] = c[a] < 0 ? 0 : c[a] >= grid->n[a] ? grid->n[a] - 1 : c[a];
    }
    return (size_t)((c[2] * grid->n[1] + c[1]) * grid->n[0] + c[0]);
}

static void add_near(Grid *grid, const Near *near) {
    uint32_t *head = &grid->heads[cell_of(grid, near->at)];
    grid->near[grid->count] = *near;
    grid->near[grid->count].next = *head;
    *head = grid->count++;
}

static ThawResult reserve_grid(Grid *grid, uint32_t near) {
    ThawEmission *emission = &grid->world->emission;
    size_t cells = (size_t)(grid->n[0] * grid->n[1] * grid->n[2]);
    size_t places = grid->emitter->place_count;
    grid->capacity = near + (uint32_t)places;
    size_t bytes = grid->capacity * sizeof *grid->near + 2 * places * sizeof *grid->order +
                   cells * sizeof *grid->heads;
    // the number changes from substep to substep: room for some more
    if (!thaw_scratch_room(&emission->scratch, &emission->scratch_bytes, bytes,
                           bytes + bytes / 4)) {
        return thaw_fail_memory(bytes);
    }
    grid->near = emission->scratch;
    grid->order = (ThawIdRow *)(void *)(grid->near + grid->capacity);
    grid->spare = grid->order + places;
    grid->heads = (uint32_t *)(void *)(grid->spare + places);
    memset(grid->heads, 0xff, cells * sizeof *grid->heads);
    return THAW_OK;
}

static ThawResult fill_grid(Grid *grid) {
    const ThawStore *store = grid->world->store;
    int64_t center[3];
    double at[3];
    uint32_t near = 0;
    measure_grid(grid);
    if (!thaw_emission_place(grid->world, &grid->emitter->pose, (ThawVec3){0, 0, 0}, center)) {
        return thaw_fail(THAW_BAD_INPUT, "emitter %u: its shape lies outside of the domain",
                         grid->emitter->handle);
    }
    for (uint32_t row = 0; row < store->count; row++) {
        near += store->dead[row] == 0 && find_offset(grid, center, row, at);
    }
    ThawResult result = reserve_grid(grid, near);
    if (result != THAW_OK) return result;
    for (uint32_t row = 0; row < store->count; row++) {
        if (store->dead[row] != 0 || !find_offset(grid, center, row, at)) continue;
        const float *v = &store->velocity[3 * (size_t)row];
        Near fresh = {.at = {at[0], at[1], at[2]},
                      .spacing = (double)store->spacing[row],
                      .velocity = {(double)v[0], (double)v[1], (double)v[2]},
                      .fill = -1};
        add_near(grid, &fresh);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- vacancy

// what a particle adds to the volume fraction at another, integer units
static int64_t share_of(const Grid *grid, const Near *from, const Near *to) {
    int dimensions = grid->world->def.dimensions;
    double x = from->at[0] - to->at[0], y = from->at[1] - to->at[1], z = from->at[2] - to->at[2];
    double d = from->spacing, h = 0.5 * THAW_WORLD_SUPPORT * (d + to->spacing);
    double r2 = x * x + y * y + z * z, volume = dimensions == 3 ? d * d * d : d * d;
    if (r2 >= h * h) return 0;
    double share = volume * thaw_kernel_value(THAW_KERNEL_DEFAULT, dimensions, sqrt(r2), h);
    return (int64_t)llrint(share / grid->rest * UNITS);
}

// the neighbours of a place within the support; UINT32_MAX when there are too many
static uint32_t list_near(const Grid *grid, const Near *place, uint32_t found[MOST_NEAR]) {
    int64_t c[3], deep = grid->world->def.dimensions == 3 ? 1 : 0;
    uint32_t count = 0;
    for (int a = 0; a < 3; a++) {
        c[a] = (int64_t)floor((place->at[a] + grid->reach[a]) / grid->cell);
    }
    if (deep == 0) c[2] = 0;
    for (int64_t k = c[2] - deep; k <= c[2] + deep; k++) {
        for (int64_t j = c[1] - 1; j <= c[1] + 1; j++) {
            for (int64_t i = c[0] - 1; i <= c[0] + 1; i++) {
                bool in = i >= 0 && j >= 0 && k >= 0 && i < grid->n[0] && j < grid->n[1] &&
                          k < grid->n[2];
                if (!in) continue;
                uint32_t next = grid->heads[(size_t)((k * grid->n[1] + j) * grid->n[0] + i)];
                for (; next != NOBODY; next = grid->near[next].next) {
                    if (share_of(grid, &grid->near[next], place) == 0) continue;
                    if (count == MOST_NEAR) return UINT32_MAX;
                    found[count++] = next;
                }
            }
        }
    }
    return count;
}

static bool is_too_near(const Near *a, const Near *b, double vacant) {
    double x = a->at[0] - b->at[0], y = a->at[1] - b->at[1], z = a->at[2] - b->at[2];
    double least = vacant * 0.5 * (a->spacing + b->spacing);
    return x * x + y * y + z * z < least * least;
}

// the volume fraction at a particle, which is among its own neighbours
static int64_t find_fill(Grid *grid, Near *near) {
    uint32_t found[MOST_NEAR];
    if (near->fill >= 0) return near->fill;
    uint32_t count = list_near(grid, near, found);
    near->fill = count == UINT32_MAX ? (int64_t)(2 * UNITS) : 0;
    for (uint32_t k = 0; count != UINT32_MAX && k < count; k++) {
        near->fill += share_of(grid, &grid->near[found[k]], near);
    }
    return near->fill;
}

// Whether a particle fits in at a place; its velocity and volume fraction are set when it does.
static bool fits_in(Grid *grid, Near *fresh) {
    const int64_t most = (int64_t)(DENSEST * UNITS), own = share_of(grid, fresh, fresh);
    int64_t fill = own, flow[3] = {0, 0, 0};
    uint32_t found[MOST_NEAR];
    uint32_t count = list_near(grid, fresh, found);
    if (count == UINT32_MAX) return false;
    for (uint32_t k = 0; k < count; k++) {
        const Near *near = &grid->near[found[k]];
        int64_t share = share_of(grid, near, fresh);
        double vacant = found[k] >= grid->chosen ? grid->mates : VACANT;
        fill += share;
        if (is_too_near(near, fresh, vacant) || fill > most) return false;
        for (int a = 0; a < 3; a++) {
            flow[a] += (int64_t)llrint((double)share / UNITS * near->velocity[a] * SPEEDS);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        Near *near = &grid->near[found[k]];
        if (find_fill(grid, near) + share_of(grid, fresh, near) > most) return false;
    }
    // with all neighbours it moves as they do, with none as the def says
    double others = (double)(fill - own) / UNITS, all = 1 - (double)own / UNITS;
    ThawVec3 given = grid->emitter->def.velocity;
    const double alone[3] = {given.x, given.y, given.z};
    double part = fmin(others / all, 1);
    for (int a = 0; a < 3; a++) {
        double mean = others > 0 ? (double)flow[a] / SPEEDS / others : 0;
        fresh->velocity[a] = part * mean + (1 - part) * alone[a];
    }
    fresh->fill = fill;
    return true;
}

// jittered places may be nearer to each other than VACANT
static double find_mates(const ThawEmitter *emitter) {
    bool jittered = emitter->jitter.offsets != NULL;
    return jittered ? fmin(VACANT, SHARP * emitter->jitter.nearest) : VACANT;
}

static Near make_fresh(const Grid *grid, ThawVec3 place) {
    ThawVec3 p = turn_place(grid->emitter, place);
    double z = grid->world->def.dimensions == 3 ? p.z : 0;
    return (Near){.at = {p.x, p.y, z}, .spacing = (double)grid->emitter->def.spacing, .fill = -1};
}

// the vacant places, in an order drawn anew
static uint32_t list_vacant(Grid *grid) {
    const ThawEmitter *emitter = grid->emitter;
    uint64_t purpose = DRAW + ((uint64_t)emitter->source << 16);
    uint32_t count = 0;
    for (uint32_t k = 0; k < emitter->place_count; k++) {
        Near fresh = make_fresh(grid, place_of(emitter, k));
        if (!fits_in(grid, &fresh)) continue;
        uint64_t seed = grid->world->def.seed;
        uint64_t key = thaw_random_bits(seed, k, emitter->state.born, purpose);
        grid->order[count++] = (ThawIdRow){key, k};
    }
    thaw_order_sort(grid->order, grid->spare, count);
    return count;
}

// ---------------------------------------------------------------- births

// what the neighbours of a new particle get from it
static void settle_in(Grid *grid, const Near *fresh) {
    uint32_t found[MOST_NEAR];
    uint32_t count = list_near(grid, fresh, found);
    for (uint32_t k = 0; count != UINT32_MAX && k < count; k++) {
        Near *near = &grid->near[found[k]];
        if (near->fill >= 0) near->fill += share_of(grid, fresh, near);
    }
    add_near(grid, fresh);
}

// Keeps of the vacant places those that can be filled together, at most `most`; returns how many.
static uint32_t choose_places(Grid *grid, uint32_t vacant, double most) {
    const ThawEmitter *emitter = grid->emitter;
    uint32_t chosen = 0;
    for (uint32_t k = 0; k < vacant && chosen < most; k++) {
        ThawVec3 place = place_of(emitter, grid->order[k].row);
        Near fresh = make_fresh(grid, place);
        ThawVec3 offset = {fresh.at[0], fresh.at[1], fresh.at[2]};
        ThawVec3 point = thaw_add(emitter->pose.position, offset);
        int64_t cells[3];
        bool good = fits_in(grid, &fresh) &&
                    thaw_emission_place(grid->world, &emitter->pose, place, cells) &&
                    thaw_emission_room(grid->world, point) >= WALL_GAP * fresh.spacing;
        if (!good) continue;
        settle_in(grid, &fresh);
        grid->order[chosen++] = grid->order[k];
    }
    return chosen;
}

static void place_rows(const ThawEmissionStep *step, const Grid *grid, uint32_t first,
                       uint32_t count) {
    const ThawEmitter *emitter = grid->emitter;
    const ThawWorld *world = step->world;
    for (uint32_t k = 0; k < count; k++) {
        const double *velocity = grid->near[grid->chosen + k].velocity;
        size_t row = first + k;
        ThawVec3 place = place_of(emitter, grid->order[k].row);
        thaw_emission_place(world, &emitter->pose, place, &world->store->cells[3 * row]);
        for (int a = 0; a < world->def.dimensions; a++) {
            world->store->velocity[3 * row + (size_t)a] = (float)velocity[a];
        }
    }
}

// the kernel sum of the perfect lattice, for unit spacing
static double rest_sum(int dimensions) {
    double offsets[MOST_NEAR][3], h = THAW_WORLD_SUPPORT;
    double sum = thaw_kernel_value(THAW_KERNEL_DEFAULT, dimensions, 0, h);
    uint32_t count =
        thaw_lattice_neighbors(THAW_PACKING_CLOSE, dimensions, 1.0, h, offsets, MOST_NEAR);
    for (uint32_t k = 0; k < count; k++) {
        double r = thaw_length(thaw_vec(offsets[k][0], offsets[k][1], offsets[k][2]));
        sum += thaw_kernel_value(THAW_KERNEL_DEFAULT, dimensions, r, h);
    }
    return sum;
}

ThawResult thaw_emission_volume(const ThawEmissionStep *step, ThawEmitter *emitter) {
    ThawWorld *world = step->world;
    const ThawEmitterDef *def = &emitter->def;
    ThawResult result = make_places(world, emitter);
    if (result != THAW_OK || emitter->place_count == 0) return result;
    double d = (double)def->spacing, volume = world->def.dimensions == 3 ? d * d * d : d * d;
    double active = fmin(step->time + step->dt, def->to) - fmax(step->time, def->from);
    double most = def->rate > 0 ? emitter->owed + def->rate * active / volume : 4e9;
    double whole = floor(most);
    if (def->total > 0) whole = fmin(whole, (double)(def->total - emitter->state.born));
    uint32_t chosen = 0, first;
    Grid grid = {.world = world, .emitter = emitter};
    grid.rest = rest_sum(world->def.dimensions);
    grid.mates = find_mates(emitter);
    if (whole >= 1) {
        result = fill_grid(&grid);
        if (result != THAW_OK) return result;
        grid.chosen = grid.count;
        chosen = choose_places(&grid, list_vacant(&grid), whole);
    }
    if (chosen > 0) result = thaw_emission_append(step, emitter, chosen, &first);
    if (result != THAW_OK) return result;
    if (chosen > 0) place_rows(step, &grid, first, chosen);
    // what finds no room is not owed later: that would be a burst
    emitter->owed = def->rate > 0 ? fmin(most - chosen, 1) : 0;
    return THAW_OK;
}
