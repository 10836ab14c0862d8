// Jitter: the offsets that an emitter gives its particles, so that they are no crystal, and yet at rest.
//
// Offsets drawn for each particle alone overlap, and when they are let go overlap becomes speed, the more
// the shorter a substep is. So the offsets of a periodic piece of the lattice are drawn once, and relaxed
// together until none of its particles is denser than at rest. What is emitted is the piece, repeated: any
// part of it is at rest too, since who has fewer neighbours is less dense, and so neither rims nor thin
// columns need anything of their own. Disorder takes more room than the lattice: the piece is stretched
// by a few per cent (thaw_jitter_stretch), across the column, so that layers come as often as without.
//
// The piece follows from seed, source and def alone: it is made when first asked for, and never saved.
#include "world/emitters.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/kernel.h"
#include "math/lattice.h"
#include "math/random.h"
#include "math/vec.h"

#include <string.h>

#define ROOM 0.04    // volume that disorder takes, for each spacing of jitter
#define STEP 1.4     // of the Jacobi correction; from 1.8 on it diverges
#define MARGIN 0.1   // of the stretched lattice's own lack of density, that corrections aim at
#define DENSE 1e-9   // of the rest density: rounding
#define PATIENCE 100 // passes, after which offsets shrink where it is too dense
#define PASSES 300   // of corrections, after which all offsets only shrink
#define SHRINK 0.9   // a pass

// two sites that may come to lie within a support of each other
typedef struct Pair {
    uint32_t a, b;
    double way[3]; // from b's site to a's, spacings
} Pair;

typedef struct Site {
    uint32_t slot;
    double at[3]; // stretched, spacings
    double offset[3];
    double fill;      // kernel sum
    double error;     // of the density
    double slope[3];  // of it, by the site's own motion
    double stiffness; // Σ |∇C|²
    double pull;      // what a unit of gradient moves
    double correction[3];
} Site;

typedef struct Piece {
    int dimensions;
    double reach; // spacings, of an offset along an axis
    double size[3], rest;
    double margin; // of the rest density, see MARGIN
    Site *sites;
    Pair *pairs;
    uint32_t count, pair_count;
} Piece;

// ---------------------------------------------------------------- the lattice

double thaw_jitter_stretch(const ThawWorld *world, const ThawEmitterDef *def) {
    bool volume = def->kind == THAW_EMITTER_VOLUME;
    int axes = world->def.dimensions - (volume ? 0 : 1);
    return pow(1 + ROOM * def->jitter, 1.0 / axes);
}

// In 3D a column is hexagons in rows along x, a volume face-centred cubes; in 2D both are rows along x.
static void set_slots(ThawJitter *jitter, const ThawWorld *world, const ThawEmitterDef *def) {
    double D = thaw_lattice_distance(world->def.dimensions, 1);
    bool volume = def->kind == THAW_EMITTER_VOLUME;
    if (world->def.dimensions == 2)
        *jitter = (ThawJitter){.slots = {64, 32, 1}, .unit = {0.5 * D, D * sqrt(0.75), 1}};
    else if (volume)
        *jitter = (ThawJitter){.slots = {16, 16, 16},
                               .unit = {D * sqrt(0.5), D * sqrt(0.5), D * sqrt(0.5)}};
    else
        *jitter = (ThawJitter){.slots = {24, 36, 12},
                               .unit = {0.5 * D, D * sqrt(0.75) / 3, D * sqrt(2.0 / 3)}};
}

// whether the lattice has a site there
static bool is_site(const ThawWorld *world, const ThawEmitterDef *def, const uint32_t at[3]) {
    bool hexagons = world->def.dimensions == 3 && def->kind != THAW_EMITTER_VOLUME;
    if (!hexagons) return (at[0] + at[1] + at[2]) % 2 == 0;
    uint32_t stack = at[2] % 3, y = at[1] + 3 - stack;
    return y % 3 == 0 && (at[0] + stack + y / 3 + 1) % 2 == 0;
}

static uint32_t slot_count(const ThawJitter *jitter) {
    return jitter->slots[0] * jitter->slots[1] * jitter->slots[2];
}

static void list_sites(Piece *piece, const ThawJitter *jitter, const ThawWorld *world,
                       const ThawEmitter *emitter) {
    double stretch = thaw_jitter_stretch(world, &emitter->def);
    bool volume = emitter->def.kind == THAW_EMITTER_VOLUME;
    double scale[3] = {stretch, stretch, stretch};
    if (!volume) scale[piece->dimensions - 1] = 1;
    for (int a = 0; a < 3; a++) piece->size[a] = jitter->slots[a] * jitter->unit[a] * scale[a];
    for (uint32_t slot = 0; slot < slot_count(jitter); slot++) {
        const uint32_t at[3] = {slot % jitter->slots[0], slot / jitter->slots[0] % jitter->slots[1],
                                slot / jitter->slots[0] / jitter->slots[1]};
        if (!is_site(world, &emitter->def, at)) continue;
        Site *site = &piece->sites[piece->count++];
        *site = (Site){.slot = slot};
        for (int a = 0; a < piece->dimensions; a++) {
            site->at[a] = at[a] * jitter->unit[a] * scale[a];
        }
    }
}

static void draw_offsets(Piece *piece, const ThawWorld *world, const ThawEmitter *emitter) {
    for (uint32_t k = 0; k < piece->count; k++) {
        Site *site = &piece->sites[k];
        uint64_t id = (uint64_t)emitter->source << THAW_ID_SOURCE_SHIFT | (site->slot + 1);
        for (int a = 0; a < piece->dimensions; a++) {
            uint64_t purpose = THAW_RANDOM_JITTER_X + (uint64_t)a;
            double unit = thaw_random_unit(world->def.seed, id, 0, purpose);
            site->offset[a] = piece->reach * (2 * unit - 1);
        }
    }
}

// Lists all that offsets can bring within a support of each other, where there is room for the list;
// returns how many.
static uint32_t list_pairs(Piece *piece, Pair *pairs) {
    double far = THAW_WORLD_SUPPORT + 2 * piece->reach * sqrt(piece->dimensions);
    uint32_t count = 0;
    for (uint32_t a = 0; a < piece->count; a++) {
        for (uint32_t b = 0; b < a; b++) {
            Pair pair = {.a = a, .b = b};
            double r2 = 0;
            for (int k = 0; k < piece->dimensions; k++) {
                double way = piece->sites[a].at[k] - piece->sites[b].at[k];
                pair.way[k] = way - piece->size[k] * rint(way / piece->size[k]);
                r2 += pair.way[k] * pair.way[k];
            }
            if (r2 >= far * far) continue;
            if (pairs != NULL) pairs[count] = pair;
            count++;
        }
    }
    return count;
}

// ---------------------------------------------------------------- relaxing

// distance of a pair, and the way from b to a
static double pair_way(const Piece *piece, const Pair *pair, double way[3]) {
    const double *a = piece->sites[pair->a].offset, *b = piece->sites[pair->b].offset;
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
        way[k] = pair->way[k] + a[k] - b[k];
        r2 += way[k] * way[k];
    }
    return sqrt(r2);
}

// ∇C of a pair, along its way; 0 beyond the support, and where it has no direction
static double pair_slope(const Piece *piece, double r) {
    if (!(r > 0)) return 0;
    double slope = thaw_kernel_slope(THAW_KERNEL_DEFAULT, piece->dimensions, r, THAW_WORLD_SUPPORT);
    return slope / (r * piece->rest);
}

// Kernel sums and their gradients, pair by pair in their order.
static void sum_pairs(Piece *piece) {
    double own = thaw_kernel_value(THAW_KERNEL_DEFAULT, piece->dimensions, 0, THAW_WORLD_SUPPORT);
    for (uint32_t k = 0; k < piece->count; k++) {
        Site *site = &piece->sites[k];
        site->fill = own;
        site->stiffness = 0;
        memset(site->slope, 0, sizeof site->slope);
        memset(site->correction, 0, sizeof site->correction);
    }
    for (uint32_t k = 0; k < piece->pair_count; k++) {
        Site *a = &piece->sites[piece->pairs[k].a], *b = &piece->sites[piece->pairs[k].b];
        double way[3], r = pair_way(piece, &piece->pairs[k], way);
        if (r >= THAW_WORLD_SUPPORT) continue;
        double value =
            thaw_kernel_value(THAW_KERNEL_DEFAULT, piece->dimensions, r, THAW_WORLD_SUPPORT);
        double slope = pair_slope(piece, r);
        a->fill += value, b->fill += value;
        a->stiffness += slope * slope * r * r, b->stiffness += slope * slope * r * r;
        for (int c = 0; c < 3; c++) a->slope[c] += slope * way[c], b->slope[c] -= slope * way[c];
    }
}

// what each site's constraint pulls with; returns the largest density error
static double find_pulls(Piece *piece) {
    double worst = -1;
    for (uint32_t k = 0; k < piece->count; k++) {
        Site *site = &piece->sites[k];
        double stiffness = site->stiffness;
        for (int c = 0; c < 3; c++) stiffness += site->slope[c] * site->slope[c];
        site->error = site->fill / piece->rest - 1;
        double excess = fmax(site->error + piece->margin, 0);
        site->pull = stiffness > 0 ? excess / stiffness : 0;
        worst = fmax(worst, site->error);
    }
    return worst;
}

// what the pulls of both sides make of each pair (Macklin & Müller 2013, eq. 12, without their ε)
static void find_corrections(Piece *piece) {
    for (uint32_t k = 0; k < piece->pair_count; k++) {
        Site *a = &piece->sites[piece->pairs[k].a], *b = &piece->sites[piece->pairs[k].b];
        double pull = a->pull + b->pull, way[3];
        if (!(pull > 0)) continue;
        double r = pair_way(piece, &piece->pairs[k], way);
        if (r >= THAW_WORLD_SUPPORT) continue;
        double move = -STEP * pull * pair_slope(piece, r);
        for (int c = 0; c < 3; c++) {
            a->correction[c] += move * way[c];
            b->correction[c] -= move * way[c];
        }
    }
}

// corrects offsets, no farther than jitter may
static void correct_offsets(Piece *piece) {
    for (uint32_t k = 0; k < piece->count; k++) {
        Site *site = &piece->sites[k];
        for (int c = 0; c < piece->dimensions; c++) {
            double offset = site->offset[c] + site->correction[c];
            site->offset[c] = fmin(fmax(offset, -piece->reach), piece->reach);
        }
    }
}

// takes sites back towards the lattice where the density error is more than `error`
static void shrink_offsets(Piece *piece, double error) {
    for (uint32_t k = 0; k < piece->count; k++) {
        Site *site = &piece->sites[k];
        if (!(site->error > error)) continue;
        for (int c = 0; c < 3; c++) site->offset[c] *= SHRINK;
    }
}

// Until nothing is denser than at rest. Without offsets the stretched lattice is thinner than that: where
// corrections do not suffice (in 2D a pair may be caught between others), shrinking does.
static void relax(Piece *piece) {
    for (int pass = 0;; pass++) {
        sum_pairs(piece);
        double worst = find_pulls(piece);
        if (worst <= DENSE) return;
        if (pass < PASSES) {
            find_corrections(piece);
            correct_offsets(piece);
        }
        if (pass >= PATIENCE) shrink_offsets(piece, pass < PASSES ? 0.5 * worst : -1);
    }
}

// ---------------------------------------------------------------- making

// the least distance of two, spacings
static double find_nearest(const Piece *piece) {
    double nearest = THAW_WORLD_SUPPORT, way[3];
    for (uint32_t k = 0; k < piece->pair_count; k++) {
        nearest = fmin(nearest, pair_way(piece, &piece->pairs[k], way));
    }
    return nearest;
}

static ThawResult make_piece(Piece *piece, ThawJitter *jitter, const ThawWorld *world,
                             const ThawEmitter *emitter) {
    uint32_t slots = slot_count(jitter);
    piece->sites = thaw_alloc(slots * sizeof *piece->sites);
    if (piece->sites == NULL) return thaw_fail_memory(slots * sizeof *piece->sites);
    list_sites(piece, jitter, world, emitter);
    piece->pair_count = list_pairs(piece, NULL);
    size_t bytes = piece->pair_count * sizeof *piece->pairs;
    piece->pairs = thaw_alloc(bytes);
    if (piece->pairs == NULL) return thaw_fail_memory(bytes);
    list_pairs(piece, piece->pairs);
    sum_pairs(piece);
    piece->margin = MARGIN * fmax(1 - piece->sites[0].fill / piece->rest, 0);
    draw_offsets(piece, world, emitter);
    relax(piece);
    jitter->nearest = find_nearest(piece);
    jitter->offsets = thaw_alloc(slots * sizeof *jitter->offsets);
    if (jitter->offsets == NULL) return thaw_fail_memory(slots * sizeof *jitter->offsets);
    memset(jitter->offsets, 0, slots * sizeof *jitter->offsets);
    for (uint32_t k = 0; k < piece->count; k++) {
        memcpy(jitter->offsets[piece->sites[k].slot], piece->sites[k].offset,
               sizeof *jitter->offsets);
    }
    return THAW_OK;
}

ThawResult thaw_jitter_make(const ThawWorld *world, ThawEmitter *emitter) {
    if (!(emitter->def.jitter > 0) || emitter->jitter.offsets != NULL) return THAW_OK;
    int dimensions = world->def.dimensions;
    ThawJitter jitter;
    set_slots(&jitter, world, &emitter->def);
    Piece piece = {.dimensions = dimensions, .reach = emitter->def.jitter};
    piece.rest =
        thaw_rest_state(THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT, dimensions, THAW_WORLD_SUPPORT)
            .sum;
    ThawResult result = make_piece(&piece, &jitter, world, emitter);
    thaw_free(piece.sites);
    thaw_free(piece.pairs);
    if (result == THAW_OK) emitter->jitter = jitter;
    return result;
}

ThawVec3 thaw_jitter_at(const ThawEmitter *emitter, const double site[3]) {
    const ThawJitter *jitter = &emitter->jitter;
    if (jitter->offsets == NULL) return thaw_vec(0, 0, 0);
    double d = (double)emitter->def.spacing;
    uint32_t slot = 0;
    for (int a = 2; a >= 0; a--) {
        double slots = jitter->slots[a], k = fmod(rint(site[a] / (jitter->unit[a] * d)), slots);
        slot = slot * jitter->slots[a] + (uint32_t)(k < 0 ? k + slots : k);
    }
    const double *offset = jitter->offsets[slot];
    return thaw_vec(d * offset[0], d * offset[1], d * offset[2]);
}
