// Sintering: solids that touch grow together, at the rate that both materials allow.
//
// A pair bonds where each lies near a site of the other's that nobody sits on. Both come to the same verdict from the
// same numbers, and each changes its own sites: they are marked as occupied, and the next search finds the bond.
#include "models/thermal/change.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/random.h"

#include <math.h>
#include <thaw/body.h>

#define MISFIT 0.3   // D: how far off each other's sites two may be
#define AT_REST 20.0 // D a second, past each other

static double rate_of(const ThawChangeRound *round, uint32_t row) {
    const ThawStep *step = round->step;
    return (double)step->materials[step->store->material[row]].thermal.sintering;
}

// the site of `row` that a place is near to and nobody holds, or −1
static int free_site(const ThawChangeRound *round, uint32_t row, const double place[3]) {
    int32_t sites = round->lattice.sites[row];
    ThawSeenSite seen = thaw_change_see(round, row, place);
    if (seen.site < 0 || sites == THAW_SITES_FRESH || seen.misfit > MISFIT) return -1;
    return ((uint32_t)sites & THAW_SITE_OCCUPIED(seen.site)) != 0 ? -1 : seen.site;
}

static bool is_at_rest(const ThawChangeRound *round, uint32_t a, uint32_t b) {
    const float *v = &round->step->store->velocity[3 * (size_t)a];
    const float *w = &round->step->store->velocity[3 * (size_t)b];
    double x = (double)(v[0] - w[0]), y = (double)(v[1] - w[1]), z = (double)(v[2] - w[2]);
    double most = AT_REST * thaw_change_distance(round, a);
    return x * x + y * y + z * z <= most * most;
}

// The site of `row` on which it bonds to `other` in this round, or −1. Seen alike from both sides.
static int meet(const ThawChangeRound *round, const ThawSegment *segment, uint32_t row,
                uint32_t other) {
    const ThawStore *store = round->step->store;
    double rate = fmin(rate_of(round, row), rate_of(round, other));
    if (other == row || !(rate > 0) || !thaw_change_is_solid(round, other) ||
        store->spacing[other] != store->spacing[row] || !is_at_rest(round, row, other)) {
        return -1;
    }
    double way[3], back[3];
    thaw_change_way(round, segment, row, other, way);
    double reach = THAW_CHANGE_REACH * thaw_change_distance(round, row);
    if (way[0] * way[0] + way[1] * way[1] + way[2] * way[2] > reach * reach) return -1;
    for (int a = 0; a < 3; a++) back[a] = -way[a];
    int mine = free_site(round, row, way), theirs = free_site(round, other, back);
    if (mine < 0 || theirs < 0) return -1;
    uint64_t a = store->id[row], b = store->id[other], low = a < b ? a : b, high = a < b ? b : a;
    double unit =
        thaw_random_unit(round->step->seed, low, round->draw ^ high << 20, THAW_RANDOM_SINTERING);
    return unit < -expm1(-rate * round->dt) ? mine : -1;
}

static bool may_sinter(const ThawChangeRound *round, uint32_t row) {
    return thaw_change_is_solid(round, row) && rate_of(round, row) > 0 &&
           round->lattice.sites[row] != THAW_SITES_FRESH;
}

static void meet_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    uint32_t full = (1u << thaw_sites(round->step->domain->dimensions)->count) - 1, met = 0;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
            uint32_t sites = 0;
            bool whole = ((uint32_t)round->lattice.sites[row] & full) == full;
            for (uint32_t s = 0; s < cluster->segment_count && !whole; s++) {
                const ThawSegment *segment = &round->segments[cluster->segment + s];
                for (uint32_t k = 0; may_sinter(round, row) && k < segment->count; k++) {
                    int site = meet(round, segment, row, segment->list[k]);
                    if (site >= 0) sites |= THAW_SITE_OCCUPIED(site);
                }
            }
            round->changes->wants[row] = sites;
            met += sites != 0;
        }
    }
    round->changes->counts[chunk] = met;
}

// the objects of those that meet, one after the other
static ThawResult join_objects(ThawChangeRound *round) {
    const int32_t *object = round->step->store->object;
    ThawResult result = THAW_OK;
    for (uint32_t c = 0; c < round->cluster_count; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
            if (round->changes->wants[row] == 0) continue;
            for (uint32_t s = 0; s < cluster->segment_count; s++) {
                const ThawSegment *segment = &round->segments[cluster->segment + s];
                for (uint32_t k = 0; k < segment->count && result == THAW_OK; k++) {
                    uint32_t other = segment->list[k];
                    if (object[other] == object[row] || meet(round, segment, row, other) < 0)
                        continue;
                    result = thaw_change_weld(round->changes, object[row], object[other]);
                }
            }
        }
    }
    return result;
}

static void bond_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->step->store->count, THAW_CHANGE_ROWS);
    for (uint32_t row = range.begin; row < range.end; row++) {
        uint32_t sites = round->changes->wants[row], old = (uint32_t)round->lattice.sites[row];
        if (sites != 0) round->lattice.sites[row] = (int32_t)((old | sites) & ~(sites << 12));
    }
}

ThawResult thaw_change_sinter(ThawChangeRound *round, bool *any) {
    ThawChanges *changes = round->changes;
    const ThawStep *step = round->step;
    *any = false;
    bool asked = false;
    for (uint32_t k = 0; k < step->material_count; k++) {
        asked = asked || step->materials[k].thermal.sintering > 0;
    }
    if (!asked || round->lattice.sites == NULL) return THAW_OK;
    uint32_t chunks = thaw_chunk_count(round->cluster_count, THAW_CHANGE_CHUNK), met = 0;
    size_t bytes = step->store->count * sizeof *changes->wants;
    if (!thaw_scratch((void **)&changes->wants, &changes->wants_bytes, bytes) ||
        !thaw_scratch((void **)&changes->counts, &changes->counts_bytes,
                      chunks * sizeof *changes->counts)) {
        return thaw_fail_memory(bytes);
    }
    thaw_parallel_run(step->parallel, meet_chunk, round, chunks);
    for (uint32_t c = 0; c < chunks; c++) met += changes->counts[c];
    if (met == 0) return THAW_OK;
    *any = true;
    ThawResult result = join_objects(round);
    if (result != THAW_OK) return result;
    thaw_parallel_run(step->parallel, bond_chunk, round,
                      thaw_chunk_count(step->store->count, THAW_CHANGE_ROWS));
    return THAW_OK;
}
