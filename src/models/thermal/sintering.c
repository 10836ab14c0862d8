// Sintering: solids that touch grow together, at the rate that both materials allow; those that have just frozen do
// so at once.
//
// Two lattices that meet do not fit each other. A pair bonds where each has a free site that the other is not too far
// from, and rests as it is: the sites keep what they are off (see THAW_LATTICE_MISFIT). In a round everybody chooses the
// nearest that he could bond to, and those who have chosen each other bond; rounds follow until there is nobody left.
#include "models/thermal/change.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/random.h"

#include <math.h>
#include <thaw/body.h>

#define MISFIT 0.8      // D: how far off each other's free sites two may be
#define SEATED 0.35     // D: who is nearer to an occupied site sits on it
#define AT_REST 20.0    // D a second, past each other
#define FROZEN_REST 5.0 // the same where one has just frozen
#define FADING 0.1      // s: in which a misfit that fades falls to 1/e, as lags do

static bool is_young(const ThawChangeRound *round, uint32_t row) {
    return thaw_lattice_is_young(&round->lattice, row);
}

// ---------------------------------------------------------------- sites

// A free site of `row` for somebody at a place, or −1: there is none, or he has one. off: how far off he is, D.
static int free_site(const ThawChangeRound *round, uint32_t row, const double place[3],
                     float off[3]) {
    const ThawSites *sites = thaw_sites(round->step->domain->dimensions);
    ThawMat3 map = thaw_mat3_from_floats(&round->lattice.map[9 * (size_t)row]), inverse;
    uint32_t taken = (uint32_t)round->lattice.sites[row];
    double distance = thaw_change_distance(round, row), least = MISFIT * MISFIT;
    int best = -1;
    if (!thaw_mat3_invert(map, &inverse)) return -1;
    for (uint32_t s = 0; s < sites->count; s++) {
        float at[3];
        double away[3], square = 0;
        thaw_lattice_site(&round->lattice, row, s, sites->vector[s], at);
        for (int a = 0; a < 3; a++) {
            const double *m = &inverse.m[3 * a];
            away[a] = (m[0] * place[0] + m[1] * place[1] + m[2] * place[2]) / distance;
            away[a] -= (double)at[a];
            square += away[a] * away[a];
        }
        bool occupied = (taken & THAW_SITE_OCCUPIED(s)) != 0;
        if (occupied && square < SEATED * SEATED) return -1;
        if (occupied || !(square < least)) continue;
        least = square;
        best = (int)s;
        for (int a = 0; a < 3; a++) off[a] = (float)away[a];
    }
    return best;
}

static bool has_free_site(const ThawChangeRound *round, uint32_t row) {
    uint32_t full = (1u << thaw_sites(round->step->domain->dimensions)->count) - 1;
    int32_t sites = round->lattice.sites[row];
    return sites != THAW_SITES_FRESH && ((uint32_t)sites & full) != full;
}

// Whether two are near each other. The way in m is from where the lattice of one takes it to be to where that of the
// other does.
static bool are_near(const ThawChangeRound *round, const ThawSegment *segment, uint32_t row,
                     uint32_t other, double way[3], double *square) {
    double back[3] = {0, 0, 0}, reach = THAW_CHANGE_REACH * thaw_change_distance(round, row);
    thaw_change_way(round, segment, row, other, way);
    thaw_change_step_back(round, other, way);
    thaw_change_step_back(round, row, back);
    for (int a = 0; a < 3; a++) way[a] -= back[a];
    *square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    return *square <= reach * reach;
}

// ---------------------------------------------------------------- who wants whom

static double rate_of(const ThawChangeRound *round, uint32_t row) {
    const ThawStep *step = round->step;
    return (double)step->materials[step->store->material[row]].thermal.sintering;
}

static bool is_at_rest(const ThawChangeRound *round, uint32_t a, uint32_t b, double rest) {
    const float *v = &round->step->store->velocity[3 * (size_t)a];
    const float *w = &round->step->store->velocity[3 * (size_t)b];
    double x = (double)(v[0] - w[0]), y = (double)(v[1] - w[1]), z = (double)(v[2] - w[2]);
    double most = rest * thaw_change_distance(round, a);
    return x * x + y * y + z * z <= most * most;
}

// whether two would bond in this round; seen alike from both sides
static bool would_bond(const ThawChangeRound *round, uint32_t row, uint32_t other) {
    const ThawStore *store = round->step->store;
    if (is_young(round, row) || is_young(round, other))
        return is_at_rest(round, row, other, FROZEN_REST);
    double rate = fmin(rate_of(round, row), rate_of(round, other));
    if (!(rate > 0) || !is_at_rest(round, row, other, AT_REST)) return false;
    uint64_t a = store->id[row], b = store->id[other], low = a < b ? a : b, high = a < b ? b : a;
    double unit =
        thaw_random_unit(round->step->seed, low, round->draw ^ high << 20, THAW_RANDOM_SINTERING);
    return unit < -expm1(-rate * round->dt);
}

// Whether each has a free site for the other; m² between them.
static bool fit(const ThawChangeRound *round, const ThawSegment *segment, uint32_t row,
                uint32_t other, double *square) {
    const ThawStore *store = round->step->store;
    if (other == row || !thaw_change_is_solid(round, other) || !has_free_site(round, other) ||
        store->spacing[other] != store->spacing[row]) {
        return false;
    }
    double way[3];
    if (!are_near(round, segment, row, other, way, square)) return false;
    const double back[3] = {-way[0], -way[1], -way[2]};
    float off[3];
    return free_site(round, row, way, off) >= 0 && free_site(round, other, back, off) >= 0;
}

// 1 + the nearest that a row could bond to now, or 0
static uint32_t choose(const ThawChangeRound *round, const ThawCluster *cluster, uint32_t row) {
    const uint64_t *id = round->step->store->id;
    uint32_t best = 0;
    double least = INFINITY, square;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t other = segment->list[k];
            if (!fit(round, segment, row, other, &square) || !would_bond(round, row, other)) {
                continue;
            }
            bool nearer = square < least || (square == least && id[other] < id[best - 1]);
            if (nearer) best = 1 + other;
            if (nearer) least = square;
        }
    }
    return best;
}

static void choose_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    uint32_t found = 0;
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
            bool asks = thaw_change_is_solid(round, row) && has_free_site(round, row);
            round->changes->wants[row] = asks ? choose(round, cluster, row) : 0;
            found += round->changes->wants[row] != 0;
        }
    }
    round->changes->counts[chunk] = found;
}

static bool is_mutual(const ThawChangeRound *round, uint32_t row) {
    uint32_t wants = round->changes->wants[row];
    return wants != 0 && round->changes->wants[wants - 1] == row + 1;
}

// ---------------------------------------------------------------- bonds

// the objects of those that bond, one after the other
static ThawResult join_objects(ThawChangeRound *round) {
    const ThawStore *store = round->step->store;
    ThawResult result = THAW_OK;
    for (uint32_t row = 0; row < store->count && result == THAW_OK; row++) {
        if (!is_mutual(round, row)) continue;
        int32_t mine = store->object[row], theirs = store->object[round->changes->wants[row] - 1];
        if (mine != theirs) result = thaw_change_weld(round->changes, mine, theirs);
    }
    return result;
}

// the way to another one of a row's list
static bool find_way(const ThawChangeRound *round, const ThawCluster *cluster, uint32_t row,
                     uint32_t other, double way[3]) {
    double square;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            if (segment->list[k] != other || !are_near(round, segment, row, other, way, &square))
                continue;
            return true;
        }
    }
    return false;
}

static void bond(const ThawChangeRound *round, const ThawCluster *cluster, uint32_t row) {
    double way[3];
    float off[3];
    if (!find_way(round, cluster, row, round->changes->wants[row] - 1, way)) return;
    int site = free_site(round, row, way, off);
    uint32_t bit = THAW_SITE_OCCUPIED(site), sites = (uint32_t)round->lattice.sites[row];
    round->lattice.sites[row] = (int32_t)((sites | bit) & ~(bit << 12));
    round->lattice.misfit[THAW_MISFITS * (size_t)row + (size_t)site] = thaw_misfit_pack(off);
}

static void bond_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
            if (is_mutual(round, row)) bond(round, cluster, row);
        }
    }
}

// How long a row is young after a time has passed. The last step of it is marked, however long steps are: then it settles.
static int32_t grow_older(int32_t left, int32_t passed) {
    if (left <= 0) return 0;
    left -= passed;
    return left > passed ? left : left > 1 ? -left : -1;
}

// Fades what fades of a row's misfits, towards 0 by a step at least; returns whether any did.
static bool fade_row(const ThawChangeRound *round, uint32_t row, float keep) {
    int32_t *misfit = &round->lattice.misfit[THAW_MISFITS * (size_t)row];
    if (!thaw_lattice_fades(&round->lattice, row)) return false;
    for (uint32_t s = 0; s < THAW_SITES; s++) {
        float off[3];
        if (!thaw_misfit_fades(misfit[s])) continue;
        for (uint32_t a = 0; a < 3; a++) {
            off[a] = THAW_MISFIT_FINE * truncf(keep * (float)thaw_misfit_steps(misfit[s], a));
        }
        misfit[s] = thaw_misfit_pack_fading(off);
    }
    return true;
}

// counts those whose bonds are not what they were at the last search
static void age_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->step->store->count, THAW_CHANGE_ROWS);
    int32_t passed = (int32_t)fmax(fmin(rint(1e6 * round->dt), THAW_LATTICE_YOUTH), 1);
    float keep = (float)exp(-round->dt / FADING);
    uint32_t changed = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        int32_t *left = &round->lattice.misfit[THAW_MISFITS * (size_t)row + THAW_SITES];
        bool fresh = round->lattice.sites[row] == THAW_SITES_FRESH;
        if (*left != 0 && !fresh) *left = grow_older(*left, passed);
        bool fades = fade_row(round, row, keep);
        changed += fades || *left < 0;
    }
    round->changes->counts[chunk] = changed;
}

// ---------------------------------------------------------------- the round

static void count_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->step->store->count, THAW_CHANGE_ROWS);
    uint32_t count = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        count += is_young(round, row) || thaw_lattice_fades(&round->lattice, row);
    }
    round->changes->counts[chunk] = count;
}

static uint32_t sum(ThawChangeRound *round, ThawTask *task, uint32_t chunks) {
    uint32_t total = 0;
    thaw_parallel_run(round->step->parallel, task, round, chunks);
    for (uint32_t c = 0; c < chunks; c++) total += round->changes->counts[c];
    return total;
}

static bool any_sinters(const ThawStep *step) {
    for (uint32_t k = 0; k < step->material_count; k++) {
        if (step->materials[k].thermal.sintering > 0) return true;
    }
    return false;
}

ThawResult thaw_change_sinter(ThawChangeRound *round, bool *any) {
    ThawChanges *changes = round->changes;
    const ThawStep *step = round->step;
    *any = false;
    if (round->lattice.sites == NULL) return THAW_OK;
    uint32_t chunks = thaw_chunk_count(round->cluster_count, THAW_CHANGE_CHUNK);
    uint32_t rows = thaw_chunk_count(step->store->count, THAW_CHANGE_ROWS);
    size_t bytes = step->store->count * sizeof *changes->wants;
    if (!thaw_scratch((void **)&changes->wants, &changes->wants_bytes, bytes) ||
        !thaw_scratch((void **)&changes->counts, &changes->counts_bytes,
                      (chunks + rows) * sizeof *changes->counts)) {
        return thaw_fail_memory(bytes);
    }
    bool ages = round->lattice.misfit != NULL && sum(round, count_chunk, rows) > 0;
    if (!ages && !any_sinters(step)) return THAW_OK;
    *any = sum(round, choose_chunk, chunks) > 0;
    ThawResult result = *any ? thaw_lattice_open_lag(step->store) : THAW_OK;
    round->lattice = thaw_lattice_state(step->store);
    if (result == THAW_OK && *any) result = join_objects(round);
    if (result != THAW_OK) return result;
    if (*any) thaw_parallel_run(step->parallel, bond_chunk, round, chunks);
    // who settles does so in a search, and long bonds and lanes are for those who have faded
    if (ages && sum(round, age_chunk, rows) > 0) *any = true;
    return THAW_OK;
}
