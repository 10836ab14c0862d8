// Freezing (eq. 16): liquid that has come to rest beside a vacant site of a solid joins it.
//
// Each liquid particle that is cold enough looks for the site that it is nearest to, among those that its solid
// neighbours have open and vacant. The neighbours that see the same site are those that count: how many they are, how
// far off their site it is in the root of the mean square, how fast it is past them. It takes its frame from the one
// that it fits best. Of two that want one site in the same round the one that fits better has it.
#include "models/thermal/change.h"

#include "base/memory.h"
#include "base/result.h"
#include "collision/walls.h"
#include "collision/warm.h"
#include "math/random.h"

#include <math.h>
#include <string.h>
#include <thaw/body.h>

#define SAME_SITE 0.5 // D: places nearer than this are one site
#define OCCUPIED 0.6  // D: a solid nearer than this to a site sits on it
#define WALL_3D 3.0 // neighbours that a wall counts for: those that a close layer would have there
#define WALL_2D 2.0
#define ROOM 0.8  // D: what fits no site and is nearer than this to a solid has no room as one
#define UNFIT 0.3 // D: the misfit of what fits no site; more where there are few solids around it

// ---------------------------------------------------------------- who might freeze

static bool may_freeze(const ThawChangeRound *round, uint32_t row) {
    const ThawStore *store = round->step->store;
    if (store->state[row] == THAW_STATE_SOLID) return false;
    const ThawTransitionRules *rules = thaw_change_rules(round, row);
    if (rules != NULL && rules->freezes != NULL) return true;
    const ThawThermalDef *def = &round->step->materials[store->material[row]].thermal;
    return (double)round->heat.temperature[row] < thaw_freezing_temperature(def);
}

static void count_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    uint32_t count = 0;
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t k = 0; k < cluster->count; k++)
            count += may_freeze(round, cluster->first + k);
    }
    round->changes->found[chunk] = count;
}

// ---------------------------------------------------------------- the site beside a particle

// whether a solid has a site there that can be taken
static bool has_vacant(const ThawChangeRound *round, uint32_t solid, int site) {
    int32_t sites = round->lattice.sites[solid];
    if (site < 0) return false;
    if (sites == THAW_SITES_FRESH) return true;
    return ((uint32_t)sites & (THAW_SITE_OCCUPIED(site) | THAW_SITE_CLOSED(site))) == 0;
}

// a solid of the particle's list, and what it makes of the particle's place
typedef struct Neighbor {
    uint32_t row;
    double way[3]; // m, from the particle to it
    ThawSeenSite seen;
} Neighbor;

typedef void Visit(void *context, const ThawChangeRound *round, const Neighbor *neighbor);

// every solid of its size about a row, within reach
static void visit_solids(const ThawChangeRound *round, const ThawCluster *cluster, uint32_t row,
                         Visit *visit, void *context) {
    const ThawStore *store = round->step->store;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            Neighbor neighbor = {.row = segment->list[k]};
            if (!thaw_change_is_solid(round, neighbor.row) ||
                store->spacing[neighbor.row] != store->spacing[row]) {
                continue;
            }
            thaw_change_way(round, segment, row, neighbor.row, neighbor.way);
            thaw_change_step_back(round, neighbor.row, neighbor.way);
            const double *w = neighbor.way;
            double reach = THAW_CHANGE_REACH * thaw_change_distance(round, neighbor.row);
            if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] > reach * reach) continue;
            const double back[3] = {-w[0], -w[1], -w[2]};
            neighbor.seen = thaw_change_see(round, neighbor.row, back);
            visit(context, round, &neighbor);
        }
    }
}

typedef struct Search {
    Neighbor best;  // row THAW_CHANGE_NOBODY: none
    double site[3]; // m, the best one's from the particle
    double square, off[3], velocity[3];
    uint32_t count;
    bool occupied;
    ThawClaim *claim;
    uint32_t around, nearest; // solids of any lattice, and the nearest of them
    double least;             // m², how far that is
} Search;

static void find_best(void *context, const ThawChangeRound *round, const Neighbor *neighbor) {
    Search *search = context;
    const uint64_t *id = round->step->store->id;
    const double *w = neighbor->way;
    double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    bool nearer = search->around++ == 0 || square < search->least ||
                  (square == search->least && id[neighbor->row] < id[search->nearest]);
    if (nearer) search->nearest = neighbor->row;
    if (nearer) search->least = square;
    if (!has_vacant(round, neighbor->row, neighbor->seen.site)) return;
    bool first = search->best.row == THAW_CHANGE_NOBODY;
    double less = first ? -1 : neighbor->seen.misfit - search->best.seen.misfit;
    if (less < 0 || (less == 0 && id[neighbor->row] < id[search->best.row])) {
        search->best = *neighbor;
    }
}

static double apart(const double a[3], const double b[3]) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static void note_object(ThawClaim *claim, int32_t object) {
    if (object == claim->object) return;
    for (int k = 0; k < 2; k++) {
        if (claim->welds[k] && claim->other[k] == object) return;
        if (claim->welds[k]) continue;
        claim->welds[k] = true;
        claim->other[k] = object;
        return;
    }
}

// adds up those that see the same site
static void add_neighbor(void *context, const ThawChangeRound *round, const Neighbor *neighbor) {
    Search *search = context;
    const ThawStore *store = round->step->store;
    double distance = thaw_change_distance(round, search->best.row);
    if (apart(neighbor->way, search->site) < OCCUPIED * distance) search->occupied = true;
    if (!has_vacant(round, neighbor->row, neighbor->seen.site)) return;
    double site[3];
    for (int a = 0; a < 3; a++) site[a] = neighbor->way[a] + neighbor->seen.at[a];
    if (apart(site, search->site) > SAME_SITE * distance) return;
    search->count++;
    search->square += neighbor->seen.misfit * neighbor->seen.misfit;
    for (size_t a = 0; a < 3; a++) {
        search->off[a] -= site[a] / distance;
        search->velocity[a] += (double)store->velocity[3 * (size_t)neighbor->row + a];
    }
    note_object(search->claim, store->object[neighbor->row]);
}

// The claim of a row that fits no site. Where lattices meet there are pockets for some that fit none: enclosed by solids,
// they freeze as they lie, in time, the sooner the more there are, and are bonded to those with the misfit that they
// have. Beside one lattice, what does not fit does not freeze.
static bool claim_as_it_lies(const ThawChangeRound *round, uint32_t c, uint32_t row,
                             const Search *search) {
    const ThawStore *store = round->step->store;
    uint32_t shell = thaw_sites(round->step->domain->dimensions)->count;
    if (2 * search->around <= shell) return false;
    double room = ROOM * thaw_change_distance(round, search->nearest);
    if (search->least < room * room) return false;
    double empty = shell / (double)search->around;
    *search->claim = (ThawClaim){.row = row,
                                 .cluster = c,
                                 .anchor = search->nearest,
                                 .neighbors = search->around,
                                 .misfit = UNFIT * empty * empty,
                                 .distance = thaw_change_distance(round, search->nearest),
                                 .object = store->object[search->nearest]};
    const float *mine = &store->velocity[3 * (size_t)row];
    const float *theirs = &store->velocity[3 * (size_t)search->nearest];
    double x = (double)(mine[0] - theirs[0]), y = (double)(mine[1] - theirs[1]);
    double z = (double)(mine[2] - theirs[2]);
    search->claim->speed = sqrt(x * x + y * y + z * z);
    return true;
}

// The claim of a row; false where there is no site for it.
static bool make_claim(const ThawChangeRound *round, uint32_t c, uint32_t row, ThawClaim *claim) {
    const ThawStore *store = round->step->store;
    const ThawCluster *cluster = &round->clusters[c];
    Search search = {.best.row = THAW_CHANGE_NOBODY, .claim = claim};
    visit_solids(round, cluster, row, find_best, &search);
    if (search.best.row == THAW_CHANGE_NOBODY) return claim_as_it_lies(round, c, row, &search);
    for (int a = 0; a < 3; a++) search.site[a] = search.best.way[a] + search.best.seen.at[a];
    *claim = (ThawClaim){.row = row,
                         .cluster = c,
                         .anchor = search.best.row,
                         .distance = thaw_change_distance(round, search.best.row),
                         .object = store->object[search.best.row]};
    visit_solids(round, cluster, row, add_neighbor, &search);
    if (search.occupied || sqrt(search.square / search.count) > round->misfit) {
        return claim_as_it_lies(round, c, row, &search);
    }
    double speed2 = 0, count = (double)search.count;
    claim->neighbors = search.count;
    claim->misfit = sqrt(search.square / count);
    for (size_t a = 0; a < 3; a++) {
        double past = (double)store->velocity[3 * (size_t)row + a] - search.velocity[a] / count;
        speed2 += past * past;
        claim->off[a] = search.off[a] / count;
    }
    claim->speed = sqrt(speed2);
    return true;
}

// ---------------------------------------------------------------- who will

// n₀; a grain that is too small for it offers what it has
static double least_neighbors(const ThawChangeRound *round, uint32_t anchor, double wanted) {
    int32_t sites = round->lattice.sites[anchor];
    if (sites == THAW_SITES_FRESH) return wanted;
    return fmin(wanted, __builtin_popcount((uint32_t)sites & 0xfffu));
}

static double wall_neighbors(const ThawChangeRound *round, uint32_t row) {
    if (thaw_change_frost_of(round, row) == 0) return 0;
    return round->step->domain->dimensions == 3 ? WALL_3D : WALL_2D;
}

static double rate_of(const ThawChangeRound *round, const ThawClaim *claim) {
    const ThawStep *step = round->step;
    const ThawThermalDef *def = &step->materials[step->store->material[claim->row]].thermal;
    double wanted = round->needed * def->freezing_neighbors;
    ThawFreezingPoint at = {.temperature = (double)round->heat.temperature[claim->row],
                            .neighbors = claim->neighbors + wall_neighbors(round, claim->row),
                            .least = least_neighbors(round, claim->anchor, wanted),
                            .speed = claim->speed,
                            .misfit = claim->misfit};
    const ThawTransitionRules *rules = thaw_change_rules(round, claim->row);
    if (rules == NULL || rules->freezes == NULL) return thaw_freezing_rate(def, &at);
    return thaw_freezing_rate_by(def, &at, thaw_change_cold_rate(round, claim->row));
}

static bool any_solid(const ThawChangeRound *round, const ThawCluster *cluster) {
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            if (round->step->store->state[segment->list[k]] == THAW_STATE_SOLID) return true;
        }
    }
    return false;
}

static void claim_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawChanges *changes = round->changes;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    uint32_t at = changes->first[chunk];
    for (uint32_t c = range.begin; c < range.end && at < changes->first[chunk + 1]; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        bool asked = false;
        for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
            if (!may_freeze(round, row)) continue;
            if (!asked && !any_solid(round, cluster)) break;
            asked = true;
            ThawClaim *claim = &changes->claims[at];
            if (!make_claim(round, c, row, claim)) continue;
            if (!thaw_change_happens(round, row, rate_of(round, claim), THAW_RANDOM_FREEZING)) {
                continue;
            }
            changes->wants[row] = 1 + at++;
        }
    }
    changes->found[chunk] = at - changes->first[chunk];
}

// ---------------------------------------------------------------- two that want one site

static bool is_better(const ThawChangeRound *round, const ThawClaim *a, const ThawClaim *b) {
    if (a->misfit != b->misfit) return a->misfit < b->misfit;
    return round->step->store->id[a->row] < round->step->store->id[b->row];
}

static bool loses(const ThawChangeRound *round, const ThawClaim *claim) {
    const ThawCluster *cluster = &round->clusters[claim->cluster];
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t other = segment->list[k], wants = round->changes->wants[other];
            if (wants == 0 || other == claim->row) continue;
            const ThawClaim *theirs = &round->changes->claims[wants - 1];
            double way[3], here[3], there[3];
            thaw_change_way(round, segment, claim->row, other, way);
            for (int a = 0; a < 3; a++) {
                here[a] = -claim->off[a] * claim->distance;
                there[a] = way[a] - theirs->off[a] * theirs->distance;
            }
            if (apart(here, there) > SAME_SITE * claim->distance) continue;
            if (is_better(round, theirs, claim)) return true;
        }
    }
    return false;
}

static void contest_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawChanges *changes = round->changes;
    for (uint32_t k = 0; k < changes->found[chunk]; k++) {
        ThawClaim *claim = &changes->claims[changes->first[chunk] + k];
        if (loses(round, claim)) claim->neighbors = 0;
    }
}

// Notes the objects of others that freeze in this round on sites beside a claim's: they will be bonded, too.
static void look_beside(const ThawChangeRound *round, ThawClaim *claim) {
    const ThawChanges *changes = round->changes;
    const ThawCluster *cluster = &round->clusters[claim->cluster];
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t other = segment->list[k], wants = changes->wants[other];
            if (wants == 0 || changes->claims[wants - 1].neighbors == 0) continue;
            const ThawClaim *theirs = &changes->claims[wants - 1];
            if (theirs->object == claim->object) continue;
            double way[3];
            thaw_change_way(round, segment, claim->row, other, way);
            for (int a = 0; a < 3; a++) {
                way[a] += claim->off[a] * claim->distance - theirs->off[a] * theirs->distance;
            }
            ThawSeenSite seen = thaw_change_see(round, claim->anchor, way);
            if (seen.site >= 0 && seen.misfit < SAME_SITE) note_object(claim, theirs->object);
        }
    }
}

static void beside_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawChanges *changes = round->changes;
    for (uint32_t k = 0; k < changes->found[chunk]; k++) {
        ThawClaim *claim = &changes->claims[changes->first[chunk] + k];
        if (claim->neighbors > 0) look_beside(round, claim);
    }
}

// ---------------------------------------------------------------- walls

// Walls keep solids further off than liquids, and let what freezes too near out as fast as lags fade: by what they will
// push it, it is further from where its lattice takes it to be.
static void foresee_push(void *context, uint32_t row, const ThawWarmFace *faces, int count) {
    const ThawChangeRound *round = context;
    uint32_t wants = round->changes->wants[row];
    if (wants == 0 || thaw_change_frost_of(round, row) != 0) return;
    ThawClaim *claim = &round->changes->claims[wants - 1];
    double cell = round->step->domain->cell, scale = cell / claim->distance;
    double contact = THAW_WALL_FIRM_CONTACT * (double)round->step->store->spacing[row] / cell;
    for (int k = 0; k < count && faces[k].distance < contact; k++) {
        double push = (contact - faces[k].distance) * scale;
        claim->off[0] += push * faces[k].normal.x;
        claim->off[1] += push * faces[k].normal.y;
        claim->off[2] += push * faces[k].normal.z;
    }
}

// ---------------------------------------------------------------- the change

static void freeze_row(const ThawChangeRound *round, const ThawClaim *claim) {
    ThawStore *store = round->step->store;
    const ThawLatticeState *lattice = &round->lattice;
    size_t to = claim->row, from = claim->anchor;
    // before the state: at rest means another speed for solids
    if (round->heat.frost != NULL) round->heat.frost[to] = thaw_change_frost_of(round, claim->row);
    store->state[to] = THAW_STATE_SOLID;
    store->object[to] = claim->object;
    thaw_lattice_set(lattice, claim->row, &lattice->turn[4 * from]);
    memcpy(&lattice->map[9 * to], &lattice->map[9 * from], 9 * sizeof *lattice->map);
    memcpy(&lattice->flow[9 * to], &lattice->flow[9 * from], 9 * sizeof *lattice->flow);
    for (size_t a = 0; a < 3; a++) lattice->lag[3 * to + a] = (float)claim->off[a];
    thaw_change_make_young(round, claim->row);
}

static void freeze_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawChanges *changes = round->changes;
    uint32_t frozen = 0;
    for (uint32_t k = 0; k < changes->found[chunk]; k++) {
        const ThawClaim *claim = &changes->claims[changes->first[chunk] + k];
        if (claim->neighbors == 0) continue;
        freeze_row(round, claim);
        frozen++;
    }
    changes->counts[chunk] = frozen;
}

static ThawResult reserve(ThawChangeRound *round, uint32_t chunks, uint32_t *most) {
    ThawChanges *changes = round->changes;
    size_t rows = round->step->store->count;
    if (!thaw_scratch((void **)&changes->first, &changes->first_bytes,
                      ((size_t)chunks + 1) * sizeof *changes->first) ||
        !thaw_scratch((void **)&changes->found, &changes->found_bytes,
                      chunks * sizeof *changes->found) ||
        !thaw_scratch((void **)&changes->counts, &changes->counts_bytes,
                      chunks * sizeof *changes->counts)) {
        return thaw_fail_memory(chunks * sizeof *changes->found);
    }
    thaw_parallel_run(round->step->parallel, count_chunk, round, chunks);
    *most = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        changes->first[c] = *most;
        *most += changes->found[c];
    }
    changes->first[chunks] = *most;
    if (*most == 0) return THAW_OK;
    if (!thaw_scratch((void **)&changes->claims, &changes->claims_bytes,
                      *most * sizeof *changes->claims) ||
        !thaw_scratch((void **)&changes->wants, &changes->wants_bytes,
                      rows * sizeof *changes->wants)) {
        return thaw_fail_memory(*most * sizeof *changes->claims);
    }
    memset(changes->wants, 0, rows * sizeof *changes->wants);
    return THAW_OK;
}

// what has frozen between solids of several objects makes them one
static ThawResult weld_objects(const ThawChangeRound *round, uint32_t chunks) {
    ThawChanges *changes = round->changes;
    for (uint32_t c = 0; c < chunks; c++) {
        for (uint32_t k = 0; k < changes->found[c]; k++) {
            const ThawClaim *claim = &changes->claims[changes->first[c] + k];
            for (int n = 0; n < 2 && claim->neighbors > 0 && claim->welds[n]; n++) {
                ThawResult result = thaw_change_weld(changes, claim->object, claim->other[n]);
                if (result != THAW_OK) return result;
            }
        }
    }
    return THAW_OK;
}

ThawResult thaw_change_freeze(ThawChangeRound *round, uint32_t *frozen) {
    *frozen = 0;
    if (round->lattice.sites == NULL) return THAW_OK;
    const ThawStep *step = round->step;
    uint32_t chunks = thaw_chunk_count(round->cluster_count, THAW_CHANGE_CHUNK), most;
    ThawResult result = reserve(round, chunks, &most);
    if (result != THAW_OK || most == 0) return result;
    thaw_parallel_run(step->parallel, claim_chunk, round, chunks);
    uint32_t wanted = 0;
    for (uint32_t c = 0; c < chunks; c++) wanted += round->changes->found[c];
    if (wanted == 0) return THAW_OK;
    result = thaw_lattice_open_lag(step->store);
    if (result != THAW_OK) return result;
    round->lattice = thaw_lattice_state(step->store);
    thaw_parallel_run(step->parallel, contest_chunk, round, chunks);
    thaw_parallel_run(step->parallel, beside_chunk, round, chunks);
    thaw_walls_faces(step->walls, step->wall_step, foresee_push, round);
    thaw_parallel_run(step->parallel, freeze_chunk, round, chunks);
    for (uint32_t c = 0; c < chunks; c++) *frozen += round->changes->counts[c];
    return weld_objects(round, chunks);
}
