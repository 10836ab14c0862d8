// Lattices that begin where there is none: on walls that frost, and, where the material asks for it, anywhere.
//
// One particle is a grain already. Others freeze to it as to any solid; a grain that is too small to offer as many
// neighbours as the material wants offers what it has (see freezing.c).
#include "models/thermal/change.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/random.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>
#include <thaw/body.h>

#define PI 3.14159265358979323846
#define APART 1.6 // D: solids and other beginnings nearer than this are in the way

// ---------------------------------------------------------------- a grain

static double draw(const ThawChangeRound *round, uint32_t row, uint64_t purpose) {
    const ThawStep *step = round->step;
    return thaw_random_unit(step->seed, step->store->id[row], round->draw, purpose);
}

// evenly over all rotations (Shoemake); in 2D about the axis across
static void turn_randomly(const ThawChangeRound *round, uint32_t row, float turn[4]) {
    double a = draw(round, row, THAW_RANDOM_GRAIN), u = 2 * PI * a;
    if (round->step->domain->dimensions == 2) {
        turn[0] = turn[1] = 0;
        turn[2] = (float)sin(0.5 * u);
        turn[3] = (float)cos(0.5 * u);
        return;
    }
    double b = 2 * PI * draw(round, row, THAW_RANDOM_GRAIN + 1);
    double c = draw(round, row, THAW_RANDOM_GRAIN + 2);
    turn[0] = (float)(sqrt(1 - c) * sin(u));
    turn[1] = (float)(sqrt(1 - c) * cos(u));
    turn[2] = (float)(sqrt(c) * sin(b));
    turn[3] = (float)(sqrt(c) * cos(b));
}

static bool begins_by_itself(const ThawChangeRound *round, uint32_t row, ThawBeginning *begin) {
    const ThawStep *step = round->step;
    const ThawThermalDef *def = &step->materials[step->store->material[row]].thermal;
    double limit = thaw_freezing_temperature(def) - (double)def->nucleation_below;
    const ThawTransitionRules *rules = thaw_change_rules(round, row);
    bool ruled = rules != NULL && rules->freezes != NULL;
    bool cold = ruled ? thaw_change_cold_rate(round, row) > 0
                      : (double)round->heat.temperature[row] < limit;
    if (!cold || !thaw_change_happens(round, row, (double)def->nucleation, THAW_RANDOM_NUCLEATION))
        return false;
    *begin = (ThawBeginning){.row = row};
    turn_randomly(round, row, begin->turn);
    return true;
}

// ---------------------------------------------------------------- who begins

static bool may_begin(const ThawChangeRound *round, uint32_t row) {
    const ThawStore *store = round->step->store;
    if (store->state[row] == THAW_STATE_SOLID) return false;
    const ThawMaterial *material = &round->step->materials[store->material[row]];
    if (!(material->solid.young > 0 || material->solid.damping > 0)) return false;
    return material->thermal.nucleation > 0 ||
           (round->frosts && round->changes->touches[row].handle != 0);
}

static bool is_near(const ThawChangeRound *round, const ThawSegment *segment, uint32_t row,
                    uint32_t other) {
    double way[3], reach = APART * thaw_change_distance(round, row);
    thaw_change_way(round, segment, row, other, way);
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2] < reach * reach;
}

static bool has_solid_near(const ThawChangeRound *round, uint32_t c, uint32_t row) {
    const ThawCluster *cluster = &round->clusters[c];
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t other = segment->list[k];
            if (round->step->store->state[other] != THAW_STATE_SOLID) continue;
            if (is_near(round, segment, row, other)) return true;
        }
    }
    return false;
}

static void begin_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    uint32_t found = 0;
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
            round->changes->begins[row] = 0;
            ThawBeginning begin;
            if (!may_begin(round, row) || (!thaw_change_begins_on_wall(round, row, &begin) &&
                                           !begins_by_itself(round, row, &begin))) {
                continue;
            }
            if (has_solid_near(round, c, row)) continue;
            round->changes->begins[row] = 1;
            found++;
        }
    }
    round->changes->counts[chunk] = found;
}

// of several that are near each other the one with the lowest id begins
static bool is_first(const ThawChangeRound *round, uint32_t c, uint32_t row) {
    const ThawCluster *cluster = &round->clusters[c];
    const uint64_t *id = round->step->store->id;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &round->segments[cluster->segment + s];
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t other = segment->list[k];
            if (round->changes->begins[other] == 0 || id[other] >= id[row]) continue;
            if (is_near(round, segment, row, other)) return false;
        }
    }
    return true;
}

static void freeze_begun(const ThawChangeRound *round, uint32_t row) {
    ThawBeginning begin;
    if (!thaw_change_begins_on_wall(round, row, &begin)) begins_by_itself(round, row, &begin);
    ThawStore *store = round->step->store;
    thaw_lattice_set(&round->lattice, row, begin.turn);
    thaw_change_make_young(round, row);
    store->object[row] = 0;
    if (round->heat.frost != NULL) round->heat.frost[row] = thaw_change_frost_of(round, row);
    // the state last: what was asked above is asked of liquids
    store->state[row] = THAW_STATE_SOLID;
}

static void begun_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawRange range = thaw_chunk_range(chunk, round->cluster_count, THAW_CHANGE_CHUNK);
    uint32_t begun = 0;
    for (uint32_t c = range.begin; c < range.end; c++) {
        const ThawCluster *cluster = &round->clusters[c];
        for (uint32_t row = cluster->first; row < cluster->first + cluster->count; row++) {
            if (round->changes->begins[row] == 0 || !is_first(round, c, row)) continue;
            freeze_begun(round, row);
            begun++;
        }
    }
    round->changes->counts[chunk] = begun;
}

// ---------------------------------------------------------------- all of it

static bool any_begins(const ThawChangeRound *round) {
    if (round->frosts) return true;
    for (uint32_t k = 0; k < round->step->material_count; k++) {
        if (round->step->materials[k].thermal.nucleation > 0) return true;
    }
    return false;
}

static uint32_t sum(const uint32_t *counts, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t k = 0; k < count; k++) total += counts[k];
    return total;
}

ThawResult thaw_change_begin(ThawChangeRound *round, uint32_t *frozen) {
    ThawChanges *changes = round->changes;
    const ThawStep *step = round->step;
    uint32_t rows = step->store->count;
    uint32_t chunks = thaw_chunk_count(round->cluster_count, THAW_CHANGE_CHUNK);
    *frozen = 0;
    if (!any_begins(round)) return THAW_OK;
    if (!thaw_scratch((void **)&changes->begins, &changes->begins_bytes, rows) ||
        !thaw_scratch((void **)&changes->counts, &changes->counts_bytes,
                      chunks * sizeof *changes->counts)) {
        return thaw_fail_memory(rows);
    }
    thaw_parallel_run(step->parallel, begin_chunk, round, chunks);
    if (sum(changes->counts, chunks) == 0) return THAW_OK;
    ThawResult result = thaw_lattice_open_lag(step->store);
    if (result != THAW_OK) return result;
    round->lattice = thaw_lattice_state(step->store);
    thaw_parallel_run(step->parallel, begun_chunk, round, chunks);
    *frozen = sum(changes->counts, chunks);
    return THAW_OK;
}
