// Melting (eq. 15). What sat on a neighbour's site and has melted leaves the site vacant, not lost: nothing broke, and
// matter may freeze there again.
#include "models/thermal/change.h"

#include "math/random.h"

#include <math.h>
#include <thaw/body.h>

static double rate_of(const ThawChangeRound *round, uint32_t row) {
    const ThawStep *step = round->step;
    const ThawTransitionRules *rules = thaw_change_rules(round, row);
    if (rules != NULL && rules->melts != NULL) {
        ThawTransitionPoint point = thaw_change_point(round, row);
        return rules->melts(rules->user, &point);
    }
    return thaw_melting_rate(&step->materials[step->store->material[row]].thermal,
                             (double)round->heat.temperature[row]);
}

static void melt_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawStore *store = round->step->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, THAW_CHANGE_ROWS);
    uint32_t melted = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        round->changes->melted[row] = 0;
        if (store->state[row] != THAW_STATE_SOLID) continue;
        if (!thaw_change_happens(round, row, rate_of(round, row), THAW_RANDOM_MELTING)) continue;
        round->changes->melted[row] = 1;
        store->state[row] = THAW_STATE_LIQUID;
        if (round->heat.frost != NULL) round->heat.frost[row] = 0;
        melted++;
    }
    round->changes->counts[chunk] = melted;
}

// ---------------------------------------------------------------- sites that were left

// from where one is taken to be to where the other is
static void see_way(const ThawChangeRound *round, const ThawSegment *segment, uint32_t row,
                    uint32_t other, double way[3]) {
    double back[3] = {0, 0, 0};
    thaw_change_way(round, segment, row, other, way);
    thaw_change_step_back(round, other, way);
    thaw_change_step_back(round, row, back);
    for (int a = 0; a < 3; a++) way[a] -= back[a];
}

// Of a solid's list: who is nearest to a site, among those that are its object's or were.
static uint32_t nearest_to(const ThawChangeRound *round, const ThawCluster *cluster, uint32_t row,
                           int site) {
    const ThawStore *store = round->step->store;
    uint32_t nearest = row;
    double least = INFINITY;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t other = segment->list[k];
            bool mine = store->state[other] == THAW_STATE_SOLID || round->changes->melted[other];
            if (!mine || other == row || store->object[other] != store->object[row]) continue;
            double way[3];
            see_way(round, segment, row, other, way);
            ThawSeenSite seen = thaw_change_see(round, row, way);
            if (seen.site != site || !(seen.misfit < least)) continue;
            least = seen.misfit;
            nearest = other;
        }
    }
    return nearest;
}

static void leave_sites(const ThawChangeRound *round, const ThawCluster *cluster, uint32_t row,
                        const ThawSegment *segment) {
    int32_t *sites = &round->lattice.sites[row];
    for (uint32_t k = 0; k < segment->count; k++) {
        uint32_t other = segment->list[k];
        if (round->changes->melted[other] == 0) continue;
        double way[3];
        see_way(round, segment, row, other, way);
        ThawSeenSite seen = thaw_change_see(round, row, way);
        if (seen.site < 0 || ((uint32_t)*sites & THAW_SITE_OCCUPIED(seen.site)) == 0) continue;
        if (nearest_to(round, cluster, row, seen.site) != other) continue;
        *sites = (int32_t)((uint32_t)*sites & ~THAW_SITE_OCCUPIED(seen.site));
        int32_t *misfit = round->lattice.misfit;
        if (misfit != NULL) misfit[THAW_MISFITS * (size_t)row + (size_t)seen.site] = 0;
    }
}

static bool any_melted(const ThawChangeRound *round, const ThawSegment *segment) {
    for (uint32_t k = 0; k < segment->count; k++) {
        if (round->changes->melted[segment->list[k]] != 0) return true;
    }
    return false;
}

static void leave_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    const ThawStore *store = round->step->store;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t s = 0; s < cluster->segment_count; s++) {
            const ThawSegment *segment = &round->segments[cluster->segment + s];
            if (!any_melted(round, segment)) continue;
            for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
                if (store->state[row] != THAW_STATE_SOLID) continue;
                if (round->lattice.sites[row] == THAW_SITES_FRESH) continue;
                leave_sites(round, cluster, row, segment);
            }
        }
    }
}

static ThawResult make_young(ThawChangeRound *round) {
    ThawStore *store = round->step->store;
    ThawResult result = thaw_thermal_open_youth(store);
    if (result != THAW_OK) return result;
    round->heat = thaw_thermal_state(store);
    for (uint32_t row = 0; row < store->count; row++) {
        if (round->changes->melted[row] == 0) continue;
        round->heat.youth[row] = 1;
        round->heat.excess[row] = THAW_EXCESS_UNKNOWN;
    }
    return THAW_OK;
}

ThawResult thaw_change_melt(ThawChangeRound *round, uint32_t *melted) {
    const ThawStep *step = round->step;
    *melted = 0;
    if (round->lattice.sites == NULL) return THAW_OK;
    uint32_t chunks = thaw_chunk_count(step->store->count, THAW_CHANGE_ROWS);
    thaw_parallel_run(step->parallel, melt_chunk, round, chunks);
    for (uint32_t c = 0; c < chunks; c++) *melted += round->changes->counts[c];
    if (*melted == 0) return THAW_OK;
    thaw_parallel_run(step->parallel, leave_chunk, round,
                      thaw_chunk_count(round->cluster_count, THAW_CHANGE_CHUNK));
    return make_young(round);
}
