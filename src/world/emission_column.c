// The layers of a column: which sites of the lattice go through an opening, and when.
//
// In 3D layers are the closest planes of the cubic close packing, hexagons at the distance D,
// stacked ABC at D √⅔; in 2D rows at D √¾. How many sites a layer gets follows from the opening's
// area alone: what is due is added up, and the rest below one is carried on, so that the volume is
// exact in the long run. The sites nearest to the middle of the opening come first; those at one
// distance in an order drawn anew for every layer.
#include "world/emitters.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/lattice.h"
#include "math/random.h"
#include "math/vec.h"

#include <string.h>

#define MOST_LAYERS 100000.0 // in one substep
#define DRAW 0x5173u         // purpose of random numbers, with the source above it
#define RANK_BITS 40         // of the distance in a candidate's key; the lower ones are drawn
#define SLACK 1e-9           // of a layer, against rounding

// a site that a layer may fill
typedef struct Candidate {
    double across[2];
} Candidate;

typedef struct Layer {
    const ThawWorld *world;
    const ThawEmitter *emitter;
    uint64_t index;
    double D;        // m, between neighbours
    double height;   // m, to the next layer
    double reach[2]; // m, half of what is searched for sites
    Candidate *candidates;
    ThawIdRow *order, *spare;
    uint32_t count, capacity;
} Layer;

// ---------------------------------------------------------------- the lattice

double thaw_emitter_layer(const ThawWorld *world, const ThawEmitterDef *def) {
    int dimensions = world->def.dimensions;
    double D = thaw_lattice_distance(dimensions, (double)def->spacing);
    return D * sqrt(dimensions == 3 ? 2.0 / 3.0 : 0.75);
}

static Layer make_layer(const ThawWorld *world, const ThawEmitter *emitter) {
    const ThawEmitterDef *def = &emitter->def;
    int dimensions = world->def.dimensions;
    double D = thaw_lattice_distance(dimensions, (double)def->spacing);
    bool disc = def->kind == THAW_EMITTER_DISC;
    Layer layer = {.world = world,
                   .emitter = emitter,
                   .index = emitter->layer,
                   .D = D,
                   .height = thaw_emitter_layer(world, def),
                   .reach = {(disc ? def->radius : 0.5 * def->width) + D,
                             (disc ? def->radius : 0.5 * def->height) + D}};
    double rows = dimensions == 3 ? 2 * layer.reach[1] / (D * sqrt(0.75)) + 2 : 1;
    layer.capacity = (uint32_t)(rows * (2 * layer.reach[0] / D + 2)) + 1;
    return layer;
}

double thaw_emitter_rim(const ThawWorld *world, const ThawEmitterDef *def, const double across[2]) {
    if (def->kind == THAW_EMITTER_DISC) {
        return sqrt(across[0] * across[0] + across[1] * across[1]) - def->radius;
    }
    double x = fabs(across[0]) - 0.5 * def->width, y = fabs(across[1]) - 0.5 * def->height;
    return world->def.dimensions == 3 && y > x ? y : x;
}

static uint64_t draw(const Layer *layer, uint32_t k) {
    uint64_t purpose = DRAW + ((uint64_t)layer->emitter->source << 16);
    return thaw_random_bits(layer->world->def.seed, k, layer->index, purpose);
}

static void add_candidate(Layer *layer, double x, double y) {
    if (layer->count == layer->capacity) return;
    uint32_t k = layer->count++;
    Candidate *candidate = &layer->candidates[k];
    *candidate = (Candidate){{x, y}};
    // nearest to the middle first
    double size = 2 * (layer->reach[0] + layer->reach[1]);
    double rim = thaw_emitter_rim(layer->world, &layer->emitter->def, candidate->across);
    double rank = (rim + 0.5 * size) / size;
    uint64_t key = (uint64_t)(rank * (double)((uint64_t)1 << RANK_BITS));
    layer->order[k] = (ThawIdRow){key << (64 - RANK_BITS) | draw(layer, k) >> RANK_BITS, k};
}

// sites of one row, whose first is at x
static void add_row(Layer *layer, double x, double y) {
    double first = ceil((-layer->reach[0] - x) / layer->D);
    double last = floor((layer->reach[0] - x) / layer->D);
    for (double i = first; i <= last; i++) add_candidate(layer, x + i * layer->D, y);
}

// everything that the opening may let through
static void find_candidates(Layer *layer) {
    layer->count = 0;
    if (layer->world->def.dimensions == 2) {
        add_row(layer, layer->index % 2 == 0 ? 0 : 0.5 * layer->D, 0);
        return;
    }
    double pitch = layer->D * sqrt(0.75), stack = (double)(layer->index % 3);
    double x = 0.5 * layer->D * stack, y = pitch / 3 * stack;
    double first = ceil((-layer->reach[1] - y) / pitch);
    double last = floor((layer->reach[1] - y) / pitch);
    for (double j = first; j <= last; j++) add_row(layer, x + 0.5 * layer->D * j, y + j * pitch);
}

static ThawResult reserve_layer(ThawWorld *world, Layer *layer) {
    ThawEmission *emission = &world->emission;
    size_t order = layer->capacity * sizeof *layer->order;
    size_t bytes = 2 * order + layer->capacity * sizeof *layer->candidates;
    if (!thaw_scratch(&emission->scratch, &emission->scratch_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    layer->order = emission->scratch;
    layer->spare = layer->order + layer->capacity;
    layer->candidates = (Candidate *)(void *)(layer->spare + layer->capacity);
    return THAW_OK;
}

// ---------------------------------------------------------------- how many

// particles that a full layer is worth
static double full_layer(const Layer *layer) {
    double d = (double)layer->emitter->def.spacing;
    double volume = layer->world->def.dimensions == 3 ? d * d * d : d * d;
    return thaw_emitter_area(layer->world, &layer->emitter->def) * layer->height / volume;
}

// the share of them that rate and speed together allow
static double allowed_share(const Layer *layer) {
    const ThawEmitterDef *def = &layer->emitter->def;
    if (def->rate <= 0 || def->speed <= 0) return 1;
    return fmin(def->rate / (thaw_emitter_area(layer->world, def) * def->speed), 1);
}

// Brings the sites that are to be filled to the front of the order; returns how many, and what
// stays owed.
static uint32_t choose_sites(Layer *layer, double *owed) {
    double full = full_layer(layer), share = allowed_share(layer);
    double wanted = *owed + full * share;
    thaw_order_sort(layer->order, layer->spare, layer->count);
    uint32_t sites = layer->count;
    if (share < 1) {
        // any of a full layer's, in an order drawn anew
        if (ceil(full) < sites) sites = (uint32_t)ceil(full);
        for (uint32_t k = 0; k < sites; k++) {
            layer->order[k].id = draw(layer, layer->order[k].row);
        }
        thaw_order_sort(layer->order, layer->spare, sites);
    }
    double count = floor(wanted + SLACK);
    if (count > sites) count = sites;
    *owed = fmin(fmax(wanted - count, 0), full + 1);
    return (uint32_t)count;
}

// ---------------------------------------------------------------- births

static ThawResult reserve_sites(ThawEmitter *emitter, uint32_t more) {
    uint32_t wanted = emitter->site_count + more;
    if (wanted <= emitter->site_capacity) return THAW_OK;
    wanted += wanted / 4;
    void *grown = thaw_realloc(emitter->sites, emitter->site_count * sizeof *emitter->sites,
                               wanted * sizeof *emitter->sites);
    if (grown == NULL) return thaw_fail_memory(wanted * sizeof *emitter->sites);
    emitter->sites = grown;
    emitter->site_capacity = wanted;
    return THAW_OK;
}

// where a site is now, in the opening's frame
static ThawVec3 site_place(const ThawWorld *world, const ThawEmitter *emitter,
                           const ThawColumnSite *site) {
    return thaw_emitter_local(world, site->across[0], site->across[1],
                              site->layer + emitter->run + site->along);
}

// Whether the place is free where a site leaves its opening. Jitter does not count: it changes no rate.
static bool is_open(const Layer *layer, const Candidate *candidate) {
    const ThawEmitter *emitter = layer->emitter;
    double d = (double)emitter->def.spacing;
    ThawVec3 exit = thaw_emitter_local(layer->world, candidate->across[0], candidate->across[1],
                                       THAW_COLUMN_FREE * d);
    return thaw_emission_room(layer->world, thaw_pose_apply(emitter->pose, exit)) >= -0.5 * d;
}

// where a candidate goes, jittered
static ThawColumnSite make_site(const Layer *layer, const Candidate *candidate) {
    const ThawEmitter *emitter = layer->emitter;
    bool flat = layer->world->def.dimensions == 2;
    double stretch = thaw_jitter_stretch(layer->world, &emitter->def);
    uint32_t period = emitter->jitter.slots[flat ? 1 : 2];
    double turn = period > 0 ? (double)(layer->index % period) * layer->height : 0;
    const double *across = candidate->across;
    const double at[3] = {across[0], flat ? turn : across[1], flat ? 0 : turn};
    ThawVec3 jitter = thaw_jitter_at(emitter, at);
    return (ThawColumnSite){
        .across = {stretch * across[0] + jitter.x, flat ? 0 : stretch * across[1] + jitter.y},
        // later layers are behind earlier ones
        .along = flat ? -jitter.y : -jitter.z,
        .row = UINT32_MAX};
}

// writes the sites of a layer after those that are there; returns how many are open
static uint32_t list_sites(const Layer *layer, ThawEmitter *emitter, uint32_t count) {
    const ThawWorld *world = layer->world;
    // how far past the plane of births it is
    double behind = THAW_COLUMN_BEHIND * (double)emitter->def.spacing;
    double past = emitter->due - ((double)layer->index + 0.5) * layer->height;
    uint32_t open = 0;
    for (uint32_t k = 0; k < count; k++) {
        const Candidate *candidate = &layer->candidates[layer->order[k].row];
        ThawColumnSite site = make_site(layer, candidate);
        site.layer = past - behind - emitter->run;
        int64_t cells[3];
        bool inside =
            thaw_emission_place(world, &emitter->pose, site_place(world, emitter, &site), cells);
        if (inside && is_open(layer, candidate))
            emitter->sites[emitter->site_count + open++] = site;
        else
            emitter->state.blocked++;
    }
    return open;
}

static void place_rows(const ThawEmissionStep *step, ThawEmitter *emitter, double age,
                       uint32_t first, uint32_t count) {
    ThawWorld *world = step->world;
    ThawStore *store = world->store;
    const ThawChannel *ages = thaw_store_channel(store, THAW_AGE_CHANNEL);
    double speed = thaw_emitter_speed(world, &emitter->def);
    ThawVec3 flow =
        thaw_quat_rotate(emitter->pose.rotation, thaw_emitter_local(world, 0, 0, speed));
    for (uint32_t k = 0; k < count; k++) {
        size_t row = first + k;
        const ThawColumnSite *site = &emitter->sites[emitter->site_count + k];
        thaw_emission_place(world, &emitter->pose, site_place(world, emitter, site),
                            &store->cells[3 * row]);
        store->velocity[3 * row + 0] = (float)flow.x;
        store->velocity[3 * row + 1] = (float)flow.y;
        store->velocity[3 * row + 2] = world->def.dimensions == 3 ? (float)flow.z : 0;
        bool aged = ages != NULL && ages->type == THAW_F32 && ages->components == 1;
        if (aged) ((float *)ages->data)[row] = (float)age;
    }
}

static ThawResult bear_layer(const ThawEmissionStep *step, ThawEmitter *emitter, Layer *layer) {
    double owed = emitter->owed, speed = thaw_emitter_speed(step->world, &emitter->def);
    ThawResult result = thaw_jitter_make(step->world, emitter);
    if (result == THAW_OK) result = reserve_layer(step->world, layer);
    if (result != THAW_OK) return result;
    find_candidates(layer);
    uint32_t count = choose_sites(layer, &owed);
    uint64_t total = emitter->def.total;
    if (total > 0 && count > total - emitter->state.born)
        count = (uint32_t)(total - emitter->state.born);
    result = reserve_sites(emitter, count);
    if (result != THAW_OK) return result;
    uint64_t blocked = emitter->state.blocked;
    uint32_t first, open = list_sites(layer, emitter, count);
    result = open == 0 ? THAW_OK : thaw_emission_append(step, emitter, open, &first);
    if (result != THAW_OK) {
        emitter->state.blocked = blocked;
        return result;
    }
    double past = emitter->due - ((double)layer->index + 0.5) * layer->height;
    if (open > 0) place_rows(step, emitter, speed > 0 ? past / speed : 0, first, open);
    emitter->site_count += open;
    emitter->owed = owed;
    emitter->layer++;
    return THAW_OK;
}

ThawResult thaw_emission_column(const ThawEmissionStep *step, ThawEmitter *emitter) {
    const ThawWorld *world = step->world;
    const ThawEmitterDef *def = &emitter->def;
    Layer layer = make_layer(world, emitter);
    // whatever passes the plane of births before the substep ends
    double active = fmin(step->time + step->dt, def->to) - fmax(step->time, def->from);
    double due = emitter->due + thaw_emitter_speed(world, def) * fmax(active, 0);
    if (due / layer.height - (double)emitter->layer > MOST_LAYERS) {
        return thaw_fail(THAW_BAD_INPUT,
                         "emitter %u: its speed makes more than %g layers in one substep",
                         emitter->handle, MOST_LAYERS);
    }
    ThawResult result = THAW_OK;
    while (result == THAW_OK && due >= ((double)emitter->layer + 0.5) * layer.height) {
        if (def->total > 0 && emitter->state.born >= def->total) break;
        layer.index = emitter->layer;
        result = bear_layer(step, emitter, &layer);
    }
    return result;
}
