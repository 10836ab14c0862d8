// Contacts: the list of pairs, and the position-based solve.
//
// Finding. A particle with a full shell of bonds touches nothing else, unless something has come
// through the shell. So only the others are asked first, and liquids among them; every row that
// turns up in a pair is asked next, until there are no more: what has come in is followed as far as
// it goes, and the inside of a block costs a look at its bonds. Both sides of a pair are thus
// listed, each by its own row. The order of rows depends on threads, that of a row's pairs does
// not, and only the latter matters.
//
// Faces. Particles of two objects see each other's faces as planes, see contact_face.h, so their offsets are flattened
// before all that follows. Fragments of one object touch as spheres.
//
// Solving. Projected Jacobi: each pair keeps the normal and tangential push it has had in this
// substep. The normal one stays positive, the tangential one within Coulomb's cone, by what the
// whole substep pushed. Every number of a pair is computed by both sides from the same operands,
// with opposite signs: sums of m Δx cancel to round-off, whatever the masses.
#include "models/solid/contact.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/random.h"
#include "models/solid/contact_find.h"
#include "models/solid/contact_turn.h"

#include <math.h>
#include <string.h>

#define REACH_SOLID 0.9f   // D: distance that two solid particles keep
#define REACH_LIQUID 0.85f // D: a solid and a liquid one
#define REACH_YOUNG 1.0f   // D: the same where the liquid was bonded a moment ago
// of the distance: pairs that came closer are pushed back to where they came from
#define DEEP 0.85f
// the share of an overlap at the start of a substep that is undone in it: particles whose bonds
// break while they are close do not burst apart. It is a rate, so that short substeps make no speed of it.
#define RECOVER 0.2f
#define RECOVER_RATE 50.0f // 1/s
// Of that share, where only faces overlap: what slides in from beside a face is not lifted onto it. (With all of it,
// blocks that collided without friction gained up to a third of their energy.)
#define RECOVER_FACE 0.1f
// Faces see each other's particles from √2 times the distance. They are listed a little further, which is still short
// of the second shell of a lattice; those at the rim count for little.
#define BROAD 1.4142136f  // of the distance to keep
#define BROAD_REACH 1.38f // D
#define ROW_CHUNK 512u
#define SOLVE_CHUNK 64u // rows with contacts a task

ThawResult thaw_contacts_create(ThawContacts **contacts) {
    *contacts = thaw_alloc(sizeof **contacts);
    return *contacts != NULL ? THAW_OK : thaw_fail_memory(sizeof **contacts);
}

void thaw_contacts_destroy(ThawContacts *contacts) {
    if (contacts == NULL) return;
    thaw_free(contacts->marks);
    thaw_free(contacts->touches);
    thaw_free(contacts->faces);
    thaw_free(contacts->rows);
    thaw_free(contacts->pairs);
    thaw_free(contacts->moves);
    thaw_free(contacts->turns);
    thaw_free(contacts->twists);
    thaw_free(contacts);
}

size_t thaw_contacts_bytes(const ThawContacts *contacts) {
    return sizeof *contacts + contacts->marks_bytes + contacts->touches_bytes +
           contacts->faces_bytes + contacts->rows_bytes + contacts->pairs_bytes +
           contacts->moves_bytes + contacts->turns_bytes + contacts->twists_bytes;
}

uint32_t thaw_contacts_touching(const ThawContacts *contacts) {
    return contacts->touching;
}

// ---------------------------------------------------------------- finding

// how many of a row's sites are filled, for eight rows
static void count_shell(const ThawBonds *bonds, uint32_t block, uint32_t filled[THAW_LANES]) {
    const uint32_t *slot = &bonds->slot[thaw_bond_at(block * THAW_LANES, 0)];
    for (uint32_t k = 0; k < THAW_LANES; k++) filled[k] = 0;
    for (uint32_t s = 0; s < THAW_SITES; s++, slot += THAW_LANES) {
        for (uint32_t k = 0; k < THAW_LANES; k++) filled[k] += slot[k] != block * THAW_LANES + k;
    }
}

// Asks the rows of one block that lack a part of their shell, and liquids among solids.
static void mark_block(ThawContactFind *find, uint32_t block, ThawRange rows) {
    uint32_t filled[THAW_LANES];
    bool solid = find->bonds->block[block] & THAW_BLOCK_SOLID;
    if (find->bonds->block[block] & THAW_BLOCK_FULL) {
        for (uint32_t row = rows.begin; row < rows.end; row++)
            atomic_init(&find->marks[row], THAW_CONTACT_UNASKED);
        return;
    }
    if (solid) count_shell(find->bonds, block, filled);
    for (uint32_t row = rows.begin; row < rows.end; row++) {
        bool full = !solid || (find->group[row] != 0 && filled[row % THAW_LANES] == find->sites);
        atomic_init(&find->marks[row], full ? THAW_CONTACT_UNASKED : THAW_CONTACT_ASKED);
    }
}

static void mark_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    ThawContactFind *find = context;
    ThawRange range = thaw_chunk_range(chunk, find->row_count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row += THAW_LANES) {
        uint32_t end = range.end - row < THAW_LANES ? range.end : row + THAW_LANES;
        mark_block(find, row / THAW_LANES, (ThawRange){row, end});
    }
}

typedef struct WalkJob {
    ThawContactFind *find;
    void (*walk)(ThawContactFind *find, uint32_t chunk);
} WalkJob;

static void walk_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const WalkJob *job = context;
    job->walk(job->find, chunk);
}

// one search with the room there is
static void find_pairs(ThawContactFind *find, const ThawContactStep *step) {
    WalkJob job = {find, THAW_WIDE_PICK(step->isa, thaw_contact_walk)};
    uint32_t chunks = thaw_chunk_count(find->cluster_count, THAW_CONTACT_CHUNK);
    atomic_store(&find->rows_found, 0);
    atomic_store(&find->pairs_found, 0);
    thaw_parallel_run(step->parallel, mark_chunk, find,
                      thaw_chunk_count(find->row_count, ROW_CHUNK));
    do {
        atomic_store(&find->asked, 0);
        thaw_parallel_run(step->parallel, walk_chunk, &job, chunks);
    } while (atomic_load(&find->asked));
}

// offsets of the periodic images in place units
static void set_images(ThawContacts *contacts, const ThawDomain *domain, int32_t period[3]) {
    for (int a = 0; a < 3; a++) {
        period[a] = domain->periodic[a] ? thaw_place_from(domain->length[a]) : 0;
    }
    for (int n = 0; n < THAW_CONTACT_IMAGES; n++) {
        const int turn[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        for (int a = 0; a < 3; a++) {
            contacts->images[n][a] = turn[a] == 0  ? 0
                                     : turn[a] > 0 ? period[a]
                                                   : thaw_place_sub(0, period[a]);
        }
    }
}

// How much further than the solids' distance pairs are listed, in D. Lists serve while pairs have
// come nearer by less than the skin, in supports of at most 1.9 D; the rest is for corrections of
// the last substep.
static float choose_margin(const ThawNeighbors *neighbors) {
    float skin = (float)(thaw_neighbors_reach(neighbors) - 1.0);
    return fmaxf(0.3f, 0.11f + 1.9f * skin);
}

static ThawContactFind begin_find(ThawContacts *contacts, const ThawContactStep *step) {
    float radius = REACH_SOLID + choose_margin(step->neighbors);
    ThawContactFind find = {
        .segments = thaw_neighbors_segments(step->neighbors),
        .row_count = step->store->count,
        .place = step->work->place,
        .group = step->group,
        .distance = step->distance,
        .bonds = step->bonds,
        .sites = thaw_sites(step->domain->dimensions)->count,
        .reach = 0.5f * radius * THAW_PLACE_ONE,
        .broad = fmaxf(1.0f, BROAD_REACH / radius),
        .even = thaw_all_alike(step->distance, step->store->count, sizeof *step->distance),
        .images = (const int32_t(*)[3])contacts->images,
        .marks = contacts->marks};
    find.clusters = thaw_neighbors_clusters(step->neighbors, &find.cluster_count);
    set_images(contacts, step->domain, find.period);
    memcpy(contacts->period, find.period, sizeof contacts->period);
    return find;
}

void thaw_contacts_rest(ThawContacts *contacts) {
    contacts->row_count = contacts->touching = 0;
    thaw_scratch(&contacts->marks, &contacts->marks_bytes, 0);
    thaw_scratch(&contacts->touches, &contacts->touches_bytes, 0);
    thaw_scratch(&contacts->faces, &contacts->faces_bytes, 0);
    thaw_scratch(&contacts->rows, &contacts->rows_bytes, 0);
    thaw_scratch(&contacts->pairs, &contacts->pairs_bytes, 0);
    thaw_scratch(&contacts->moves, &contacts->moves_bytes, 0);
    thaw_scratch(&contacts->turns, &contacts->turns_bytes, 0);
    thaw_scratch(&contacts->twists, &contacts->twists_bytes, 0);
}

// room for what the last search found; *enough says whether it had it
static ThawResult make_room(ThawContacts *contacts, ThawContactFind *find, bool *enough) {
    uint64_t rows = atomic_load(&find->rows_found), pairs = atomic_load(&find->pairs_found);
    *enough = rows <= find->row_room && pairs <= find->pair_room;
    size_t row_bytes = (size_t)rows * sizeof(ThawContactRow);
    size_t pair_bytes = (size_t)pairs * sizeof(ThawContactPair);
    size_t move_bytes = (size_t)rows * 3 * sizeof(float);
    if (!thaw_scratch(&contacts->moves, &contacts->moves_bytes, move_bytes) ||
        !thaw_scratch(&contacts->turns, &contacts->turns_bytes, move_bytes) ||
        !thaw_scratch(&contacts->rows, &contacts->rows_bytes, row_bytes) ||
        !thaw_scratch(&contacts->pairs, &contacts->pairs_bytes, pair_bytes)) {
        return thaw_fail_memory(row_bytes + pair_bytes + 2 * move_bytes);
    }
    find->rows = contacts->rows;
    find->pairs = contacts->pairs;
    find->row_room = contacts->rows_bytes / sizeof(ThawContactRow);
    find->pair_room = contacts->pairs_bytes / sizeof(ThawContactPair);
    return THAW_OK;
}

ThawResult thaw_contacts_find(ThawContacts *contacts, const ThawContactStep *step) {
    size_t rows = step->store->count;
    contacts->row_count = contacts->touching = 0;
    if (!thaw_scratch(&contacts->marks, &contacts->marks_bytes, rows) ||
        !thaw_scratch(&contacts->touches, &contacts->touches_bytes, rows * sizeof(float)) ||
        !thaw_scratch(&contacts->faces, &contacts->faces_bytes, rows * sizeof(ThawContactFace))) {
        return thaw_fail_memory(rows * (1 + sizeof(float) + sizeof(ThawContactFace)));
    }
    ThawContactFind find = begin_find(contacts, step);
    bool enough = true;
    ThawResult result = make_room(contacts, &find, &enough);
    if (result != THAW_OK) return result;
    do {
        find_pairs(&find, step);
        result = make_room(contacts, &find, &enough);
        if (result != THAW_OK) return result;
    } while (!enough);
    contacts->row_count = (uint32_t)atomic_load(&find.rows_found);
    size_t twist_bytes = contacts->row_count > 0 ? rows * sizeof(ThawContactTwist) : 0;
    if (!thaw_scratch(&contacts->twists, &contacts->twists_bytes, twist_bytes)) {
        return thaw_fail_memory(twist_bytes);
    }
    if (twist_bytes > 0) memset(contacts->twists, 0, twist_bytes);
    return THAW_OK;
}

// ---------------------------------------------------------------- one pair

typedef struct Solve {
    ThawContacts *contacts;
    const ThawContactStep *step;
    const ThawContactRow *rows;
    ThawContactPair *pairs;
    float *touches; // one a row: the weights of its active pairs
    float *moves;   // 3 a row with contacts: cells
    float *
        turns; // 3 a row with contacts, kg cells²: what its pairs turned in the last sweep, its share
    float clear2; // cells²: further apart than this none has gone through the other in this substep
    _Atomic uint32_t touching;
    _Atomic uint32_t longest; // bits of the largest |shift|² of a row with contacts, cells²
} Solve;

// numbers above 0 are in the order of their bits
static void note_longest(Solve *solve, float shift2) {
    uint32_t bits, most = atomic_load_explicit(&solve->longest, memory_order_relaxed);
    memcpy(&bits, &shift2, sizeof bits);
    while (bits > most &&
           !atomic_compare_exchange_weak_explicit(&solve->longest, &most, bits,
                                                  memory_order_relaxed, memory_order_relaxed)) {}
}

// whether a pair sees faces
static inline bool is_broad(const ThawContactPair *pair) {
    return pair->solids == 2;
}

// How a pair stands, from the other particle to the row's, in cells.
typedef struct Stance {
    float now[3];   // offset, as faces see it
    float start[3]; // the same at the start of the substep
    float slip[3];  // how far it has gone since, along the face as well
    float from[3];  // the whole offset at the start
    float rest;     // the distance to keep
    float weight;   // of the pair, among those of its particles
    float overlap;  // of its spheres when the substep starts; faces may see more
} Stance;

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// the offset alone
static inline void find_offset(const Solve *solve, uint32_t row, const ThawContactPair *pair,
                               float now[3]) {
    const ThawPlace *places = solve->step->work->place, *a = &places[row],
                    *b = &places[pair->other];
    const int32_t *image = solve->contacts->images[pair->image];
    const int32_t offset[3] = {thaw_place_sub(thaw_place_sub(a->x, image[0]), b->x),
                               thaw_place_sub(thaw_place_sub(a->y, image[1]), b->y),
                               thaw_place_sub(thaw_place_sub(a->z, image[2]), b->z)};
    for (int k = 0; k < 3; k++) now[k] = (float)offset[k] * THAW_PLACE_CELLS;
}

// the plane that two rows' faces make, where the pair starts
static ThawContactPlane find_plane(const Solve *solve, uint32_t row, const ThawContactPair *pair,
                                   const float start[3]) {
    const ThawContactFace *faces = solve->contacts->faces;
    return thaw_contact_plane(&faces[row].normal, &faces[pair->other].normal, start, pair->rest);
}

// leaves of a pair's offsets what its faces see of them
static void see_faces(const Solve *solve, uint32_t row, const ThawContactPair *pair,
                      Stance *stance) {
    const ThawContactFace *faces = solve->contacts->faces;
    ThawContactPlane plane = find_plane(solve, row, pair, stance->start);
    plane.strength *= fmaxf(faces[row].balance, faces[pair->other].balance);
    if (!(plane.strength > 0)) return;
    stance->weight = thaw_contact_weight(&plane);
    stance->overlap = fmaxf(stance->rest - sqrtf(dot(stance->start, stance->start)), 0.0f);
    thaw_contact_flatten(&plane, stance->rest, stance->now);
    thaw_contact_flatten(&plane, stance->rest, stance->start);
}

// by how much further than others a solid and a liquid stay apart
static float stretch_of(const ThawContactStep *step, uint32_t row, uint32_t other) {
    if (step->youth == NULL) return 1;
    float youth = step->youth[step->group[row] == 0 ? row : other];
    return 1 + youth * (REACH_YOUNG / REACH_LIQUID - 1);
}

static Stance stand(const Solve *solve, uint32_t row, const ThawContactPair *pair) {
    const float *shifts = solve->step->work->shift;
    const float *shift = &shifts[3 * (size_t)row], *other = &shifts[3 * (size_t)pair->other];
    Stance stance = {.rest = pair->rest, .weight = 1, .overlap = pair->rest};
    find_offset(solve, row, pair, stance.now);
    for (int k = 0; k < 3; k++) {
        stance.slip[k] = shift[k] - other[k];
        stance.start[k] = stance.from[k] = stance.now[k] - stance.slip[k];
    }
    if (pair->solids == 0 && solve->step->youth != NULL) {
        // what is nearer than it was bonded is held, and only what is nearer than liquids come is pushed apart
        float usual = pair->rest / stretch_of(solve->step, row, pair->other);
        stance.overlap = fmaxf(usual - sqrtf(dot(stance.start, stance.start)), 0.0f);
    }
    if (is_broad(pair)) see_faces(solve, row, pair, &stance);
    return stance;
}

// the least squared distance on the straight way from start to now
static float closest2(const Stance *stance, float start2) {
    float way[3], at[3];
    for (int k = 0; k < 3; k++) way[k] = stance->now[k] - stance->start[k];
    float way2 = dot(way, way), along = -dot(stance->start, way);
    if (!(along > 0)) return start2;
    float t = along < way2 ? along / way2 : 1.0f;
    for (int k = 0; k < 3; k++) at[k] = stance->start[k] + t * way[k];
    return dot(at, at);
}

// a direction for particles that have none between them: from their ids, opposite for both
static void pick_direction(const Solve *solve, uint32_t row, uint32_t other, float normal[3]) {
    const uint64_t *id = solve->step->store->id;
    uint64_t low = id[row] < id[other] ? id[row] : id[other], high = id[row] ^ id[other] ^ low;
    float vector[3] = {1, 0, 0}, sign = id[row] < id[other] ? 1.0f : -1.0f;
    for (int k = 0; k < solve->step->domain->dimensions; k++) {
        vector[k] +=
            (float)thaw_random_unit(0, low, high, THAW_RANDOM_NUDGE_X + (uint64_t)k) - 0.5f;
    }
    float scale = sign / sqrtf(dot(vector, vector));
    for (int k = 0; k < 3; k++) normal[k] = scale * vector[k];
}

static void set_normal(const float vector[3], float length2, float normal[3]) {
    float scale = 1.0f / sqrtf(length2);
    for (int k = 0; k < 3; k++) normal[k] = scale * vector[k];
}

// The normal of a pair: its direction now; where it started when it has come so close, or gone
// through, that its direction now may be the wrong side. (Through the gaps of a lattice the way is
// 0.64 to 0.78 of the distance from its particles, so half the distance would not stop it.)
static void find_normal(const Solve *solve, uint32_t row, const ThawContactPair *pair,
                        const Stance *stance, float normal[3]) {
    const float tiny = 1e-3f * stance->rest, clear = 0.25f * stance->rest;
    float now2 = dot(stance->now, stance->now), start2 = dot(stance->start, stance->start);
    bool from_start = pair->deep && (start2 > clear * clear || start2 > now2);
    if ((from_start ? start2 : now2) < tiny * tiny) {
        pick_direction(solve, row, pair->other, normal);
    } else if (from_start) {
        set_normal(stance->start, start2, normal);
    } else {
        set_normal(stance->now, now2, normal);
    }
}

// what an overlap at the start may come to in this substep: no deeper, and a little less
static float choose_target(const Solve *solve, const Stance *stance, float start2) {
    if (start2 >= stance->rest * stance->rest) return stance->rest;
    float start = sqrtf(start2);
    float dt = solve->step->dt;
    float share = dt > 0 ? fminf(RECOVER, RECOVER_RATE * dt) : RECOVER;
    float faces = stance->rest - start, spheres = fminf(stance->overlap, faces);
    return start + share * (spheres + RECOVER_FACE * (faces - spheres));
}

// How far the pair must go apart along its normal; below 0: back together.
static float measure_gap(const Solve *solve, uint32_t row, const ThawContactPair *pair,
                         const Stance *stance, float normal[3]) {
    find_normal(solve, row, pair, stance, normal);
    return choose_target(solve, stance, dot(stance->start, stance->start)) -
           dot(stance->now, normal);
}

// Whether the pair takes part in this sweep: it is too close, has gone through, or has been pushed
// in this substep and may have to go back.
static bool take_part(const Solve *solve, uint32_t row, ThawContactPair *pair,
                      const Stance *stance) {
    float now2 = dot(stance->now, stance->now), start2 = dot(stance->start, stance->start);
    float rest2 = stance->rest * stance->rest, normal[3];
    if (pair->part < 0) return false;
    if (pair->push > 0) return true;
    if (now2 >= rest2 && dot(stance->now, stance->start) >= 0) return false;
    if (closest2(stance, start2) < DEEP * DEEP * rest2) pair->deep = 1;
    if (now2 >= rest2 && !pair->deep) return false;
    return measure_gap(solve, row, pair, stance, normal) > 0;
}

// ---------------------------------------------------------------- one sweep

// what is held cannot move: to push it would be lost when it is put back
static float weight_of(const ThawContactStep *step, uint32_t row) {
    return step->held != NULL && step->held[row] != 0 ? 0.0f : step->weight[row];
}

static void begin_pair(const ThawContactStep *step, uint32_t row, ThawContactPair *pair) {
    uint32_t other = pair->other;
    bool solids = step->group[row] != 0 && step->group[other] != 0;
    float reach = solids ? REACH_SOLID : REACH_LIQUID * stretch_of(step, row, other);
    float weight = weight_of(step, row), both = weight + weight_of(step, other);
    *pair = (ThawContactPair){.other = other,
                              .image = pair->image,
                              .solids = solids ? 1 + (step->group[row] != step->group[other]) : 0,
                              .part = both > 0 ? weight / both : -1.0f,
                              .rest = 0.5f * reach * (step->distance[row] + step->distance[other])};
}

// Whether a pair is left alone without a look at where it started: most are, and that is far away in memory.
static inline bool is_apart(const Solve *solve, uint32_t row, const ThawContactPair *pair) {
    float now[3];
    if (pair->push > 0) return false;
    find_offset(solve, row, pair, now);
    float rest = is_broad(pair) ? BROAD * pair->rest : pair->rest;
    return dot(now, now) >= fmaxf(rest * rest, solve->clear2);
}

static bool is_near(const Solve *solve, uint32_t row, const ThawContactPair *pair) {
    return is_broad(pair) && !is_apart(solve, row, pair);
}

// begins a row's pairs, and finds what else is to be known of it where one of them may need it
static void begin_row(const Solve *solve, const ThawContactRow *at) {
    ThawContactFace *face = (ThawContactFace *)solve->contacts->faces + at->row;
    const int32_t *period = solve->contacts->period;
    bool near = false, any = false;
    for (uint64_t k = at->first; k < at->first + at->count; k++) {
        begin_pair(solve->step, at->row, &solve->pairs[k]);
        any = any || !is_apart(solve, at->row, &solve->pairs[k]);
        near = near || is_near(solve, at->row, &solve->pairs[k]);
    }
    *face = (ThawContactFace){.balance = 1};
    if (any) face->firm = thaw_contact_firm(solve->step, period, at->row);
    if (near) face->normal = thaw_contact_normal(solve->step, period, at->row);
}

static void begin_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Solve *solve = context;
    ThawRange range = thaw_chunk_range(chunk, solve->contacts->row_count, SOLVE_CHUNK);
    for (uint32_t n = range.begin; n < range.end; n++) {
        begin_row(solve, &solve->rows[n]);
    }
}

// whether those that a row may touch are all around it
static float find_balance(const Solve *solve, const ThawContactRow *at) {
    float sum[3] = {0, 0, 0}, total = 0;
    for (uint64_t k = at->first; k < at->first + at->count; k++) {
        const ThawContactPair *pair = &solve->pairs[k];
        float now[3];
        if (!is_near(solve, at->row, pair)) continue;
        find_offset(solve, at->row, pair, now);
        ThawContactPlane plane = find_plane(solve, at->row, pair, now);
        if (!(plane.strength > 0)) continue;
        float weight = thaw_contact_weight(&plane);
        total += weight;
        for (int a = 0; a < 3; a++) sum[a] += weight * plane.aside[a];
    }
    return thaw_contact_balance(sum, total);
}

static void balance_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Solve *solve = context;
    ThawContactFace *faces = solve->contacts->faces;
    ThawRange range = thaw_chunk_range(chunk, solve->contacts->row_count, SOLVE_CHUNK);
    for (uint32_t n = range.begin; n < range.end; n++) {
        faces[solve->rows[n].row].balance = find_balance(solve, &solve->rows[n]);
    }
}

static void measure_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Solve *solve = context;
    ThawRange range = thaw_chunk_range(chunk, solve->contacts->row_count, SOLVE_CHUNK);
    float longest = 0;
    for (uint32_t n = range.begin; n < range.end; n++) {
        const float *shift = &solve->step->work->shift[3 * (size_t)solve->rows[n].row];
        longest = fmaxf(longest, dot(shift, shift));
    }
    note_longest(solve, longest);
}

static void touch_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Solve *solve = context;
    ThawRange range = thaw_chunk_range(chunk, solve->contacts->row_count, SOLVE_CHUNK);
    uint32_t touching = 0;
    for (uint32_t n = range.begin; n < range.end; n++) {
        const ThawContactRow *at = &solve->rows[n];
        float weight = 0;
        for (uint64_t k = at->first; k < at->first + at->count; k++) {
            ThawContactPair *pair = &solve->pairs[k];
            pair->active = 0;
            if (is_apart(solve, at->row, pair)) continue;
            Stance stance = stand(solve, at->row, pair);
            pair->active = take_part(solve, at->row, pair, &stance);
            if (pair->active) weight += stance.weight;
            touching += pair->active && pair->solids && at->row < pair->other;
        }
        solve->touches[at->row] = weight;
    }
    atomic_fetch_add_explicit(&solve->touching, touching, memory_order_relaxed);
}

// Coulomb: what the pair slips over the substep is taken back, by no more than `most` in all
static void rub(ThawContactPair *pair, const Stance *stance, const float normal[3], float share,
                float most, float move[3]) {
    float slip = dot(stance->slip, normal), held = dot(pair->slide, normal), before[3], after[3];
    for (int k = 0; k < 3; k++) {
        before[k] = pair->slide[k] - held * normal[k];
        after[k] = before[k] - share * (stance->slip[k] - slip * normal[k]);
    }
    float length2 = dot(after, after);
    float scale = length2 > most * most ? most / sqrtf(length2) : 1.0f;
    for (int k = 0; k < 3; k++) {
        pair->slide[k] = scale * after[k];
        move[k] += pair->slide[k] - before[k];
    }
}

// A pair's share of what its particles' pairs do together. What cannot move has none to divide among.
static float find_share(const Solve *solve, uint32_t row, const ThawContactPair *pair,
                        float weight) {
    float own = pair->part > 0 ? solve->touches[row] : 0.0f;
    float others = pair->part < 1 ? solve->touches[pair->other] : 0.0f;
    return weight / fmaxf(fmaxf(own, others), weight);
}

// Adds the row's share of what a pair turned. Forces on two at an offset have a torque unless they are along it, which
// pushes of faces and friction are not.
static void note_turn(const Solve *solve, uint32_t row, const ThawContactPair *pair,
                      const float from[3], const float move[3], float turn[3]) {
    const ThawContactFace *faces = solve->contacts->faces;
    float own = faces[row].firm, both = own + faces[pair->other].firm;
    if (!(own > 0)) return;
    float share = own / both / (weight_of(solve->step, row) + weight_of(solve->step, pair->other));
    turn[0] += share * (from[1] * move[2] - from[2] * move[1]);
    turn[1] += share * (from[2] * move[0] - from[0] * move[2]);
    turn[2] += share * (from[0] * move[1] - from[1] * move[0]);
}

// what one pair adds to its row's move and turn
static void push_pair(const Solve *solve, uint32_t row, ThawContactPair *pair, float sum[3],
                      float turn[3]) {
    const ThawContactStep *step = solve->step;
    uint32_t other = pair->other;
    Stance stance = stand(solve, row, pair);
    float normal[3], gap = measure_gap(solve, row, pair, &stance, normal), move[3];
    float share = find_share(solve, row, pair, stance.weight);
    float push = fmaxf(gap * share, -pair->push);
    pair->push += push;
    for (int k = 0; k < 3; k++) move[k] = push * normal[k];
    float friction = sqrtf(step->friction[row] * step->friction[other]);
    if (pair->solids && friction > 0) {
        rub(pair, &stance, normal, share, friction * pair->push, move);
    }
    for (int k = 0; k < 3; k++) sum[k] += pair->part * move[k];
    note_turn(solve, row, pair, stance.from, move, turn);
}

static void push_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Solve *solve = context;
    ThawRange range = thaw_chunk_range(chunk, solve->contacts->row_count, SOLVE_CHUNK);
    for (uint32_t n = range.begin; n < range.end; n++) {
        const ThawContactRow *at = &solve->rows[n];
        float sum[3] = {0, 0, 0}, turn[3] = {0, 0, 0};
        for (uint64_t k = at->first; k < at->first + at->count; k++) {
            if (solve->pairs[k].active) push_pair(solve, at->row, &solve->pairs[k], sum, turn);
        }
        memcpy(&solve->turns[3 * (size_t)n], turn, sizeof turn);
        memcpy(&solve->moves[3 * (size_t)n], sum, sizeof sum);
    }
}

static void move_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Solve *solve = context;
    ThawRange range = thaw_chunk_range(chunk, solve->contacts->row_count, SOLVE_CHUNK);
    float longest = 0;
    for (uint32_t n = range.begin; n < range.end; n++) {
        uint32_t row = solve->rows[n].row;
        const float *move = &solve->moves[3 * (size_t)n];
        ThawPlace *place = &solve->step->work->place[row];
        float *shift = &solve->step->work->shift[3 * (size_t)row];
        for (int k = 0; k < 3; k++) shift[k] += move[k];
        longest = fmaxf(longest, dot(shift, shift));
        place->x = thaw_place_add(place->x, (int32_t)lrintf(move[0] * THAW_PLACE_ONE));
        place->y = thaw_place_add(place->y, (int32_t)lrintf(move[1] * THAW_PLACE_ONE));
        place->z = thaw_place_add(place->z, (int32_t)lrintf(move[2] * THAW_PLACE_ONE));
    }
    note_longest(solve, longest);
}

// two shifts together, squared, and a little
static float clear_of(const Solve *solve) {
    uint32_t bits = atomic_load(&solve->longest);
    float longest;
    memcpy(&longest, &bits, sizeof longest);
    return 4.4f * longest;
}

ThawResult thaw_contacts_correct(ThawContacts *contacts, const ThawContactStep *step) {
    Solve solve = {.contacts = contacts,
                   .step = step,
                   .rows = contacts->rows,
                   .pairs = contacts->pairs,
                   .touches = contacts->touches,
                   .moves = contacts->moves,
                   .turns = contacts->turns};
    uint32_t chunks = thaw_chunk_count(contacts->row_count, SOLVE_CHUNK);
    thaw_parallel_run(step->parallel, measure_chunk, &solve, chunks);
    solve.clear2 = clear_of(&solve);
    if (step->iteration == 0) {
        thaw_parallel_run(step->parallel, begin_chunk, &solve, chunks);
        thaw_parallel_run(step->parallel, balance_chunk, &solve, chunks);
    }
    for (uint32_t sweep = 0; sweep < THAW_CONTACT_SWEEPS; sweep++) {
        // of what the last sweep turned, so that pushes have the last word about places
        if (step->iteration + sweep > 0) thaw_contacts_turn(contacts, step, NULL);
        solve.clear2 = clear_of(&solve);
        atomic_store(&solve.touching, 0);
        thaw_parallel_run(step->parallel, touch_chunk, &solve, chunks);
        thaw_parallel_run(step->parallel, push_chunk, &solve, chunks);
        thaw_parallel_run(step->parallel, move_chunk, &solve, chunks);
        contacts->touching = atomic_load(&solve.touching);
    }
    return THAW_OK;
}
