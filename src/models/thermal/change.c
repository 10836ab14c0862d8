// Changes of state: the round, and what its parts share.
#include "models/thermal/change.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/lattice.h"

#include <math.h>
#include <thaw/body.h>

ThawResult thaw_changes_create(struct ThawChanges **changes) {
    *changes = thaw_alloc(sizeof **changes);
    if (*changes == NULL) return thaw_fail_memory(sizeof **changes);
    **changes = (ThawChanges){0};
    return THAW_OK;
}

void thaw_changes_destroy(struct ThawChanges *changes) {
    if (changes == NULL) return;
    void *const blocks[] = {changes->claims,  changes->first,  changes->found,     changes->wants,
                            changes->melted,  changes->counts, changes->distances, changes->begins,
                            changes->touches, changes->welds,  changes->numbers};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thaw_free(blocks[k]);
    thaw_free(changes);
}

// ---------------------------------------------------------------- who is where

void thaw_change_way(const ThawChangeRound *round, const ThawSegment *segment, uint32_t row,
                     uint32_t other, double way[3]) {
    const ThawPlace *a = &round->step->work->place[row], *b = &round->step->work->place[other];
    const int32_t from[3] = {a->x, a->y, a->z}, to[3] = {b->x, b->y, b->z};
    double unit = (double)THAW_PLACE_CELLS * round->step->domain->cell;
    for (int k = 0; k < 3; k++) {
        int32_t here = thaw_place_sub(from[k], segment->image[k]);
        way[k] = (double)thaw_place_sub(to[k], here) * unit;
    }
}

void thaw_change_step_back(const ThawChangeRound *round, uint32_t row, double way[3]) {
    if (round->lattice.lag == NULL) return;
    double distance = thaw_change_distance(round, row);
    for (size_t a = 0; a < 3; a++) {
        way[a] -= distance * (double)round->lattice.lag[3 * (size_t)row + a];
    }
}

bool thaw_change_is_solid(const ThawChangeRound *round, uint32_t row) {
    const ThawStore *store = round->step->store;
    if (store->state[row] != THAW_STATE_SOLID) return false;
    const ThawSolidDef *def = &round->step->materials[store->material[row]].solid;
    return def->young > 0 || def->damping > 0;
}

ThawSeenSite thaw_change_see(const ThawChangeRound *round, uint32_t solid, const double place[3]) {
    int dimensions = round->step->domain->dimensions;
    ThawMat3 map = thaw_mat3_from_floats(&round->lattice.map[9 * (size_t)solid]), inverse;
    double distance = thaw_change_distance(round, solid), local[3], square = 0;
    ThawSeenSite seen = {.site = -1, .misfit = INFINITY};
    if (!thaw_mat3_invert(map, &inverse)) return seen;
    for (int a = 0; a < 3; a++) {
        const double *row = &inverse.m[3 * a];
        local[a] = (row[0] * place[0] + row[1] * place[1] + row[2] * place[2]) / distance;
    }
    double l[3];
    seen.site = thaw_lattice_nearest(&round->lattice, solid, dimensions, local, l);
    if (seen.site < 0) return seen;
    for (int a = 0; a < 3; a++) {
        const double *row = &map.m[3 * a];
        double off = local[a] - l[a];
        square += off * off;
        seen.at[a] = distance * (row[0] * l[0] + row[1] * l[1] + row[2] * l[2]);
    }
    seen.misfit = sqrt(square);
    return seen;
}

// ---------------------------------------------------------------- the round

static ThawResult reserve(ThawChanges *changes, const ThawStep *step) {
    size_t rows = step->store->count, materials = step->material_count;
    size_t chunks = thaw_chunk_count(step->store->count, THAW_CHANGE_ROWS);
    if (!thaw_scratch((void **)&changes->melted, &changes->melted_bytes, rows) ||
        !thaw_scratch((void **)&changes->counts, &changes->counts_bytes,
                      chunks * sizeof *changes->counts) ||
        !thaw_scratch((void **)&changes->distances, &changes->distances_bytes,
                      materials * sizeof *changes->distances) ||
        // what only some rounds need
        !thaw_scratch((void **)&changes->claims, &changes->claims_bytes, 0) ||
        !thaw_scratch((void **)&changes->wants, &changes->wants_bytes, 0) ||
        !thaw_scratch((void **)&changes->touches, &changes->touches_bytes, 0) ||
        !thaw_scratch((void **)&changes->begins, &changes->begins_bytes, 0) ||
        !thaw_scratch((void **)&changes->welds, &changes->welds_bytes, 0) ||
        !thaw_scratch((void **)&changes->numbers, &changes->numbers_bytes,
                      materials * THAW_TRANSITION_FIELDS * sizeof *changes->numbers)) {
        return thaw_fail_memory(rows);
    }
    int dimensions = step->domain->dimensions;
    for (uint32_t k = 0; k < step->material_count; k++) {
        changes->distances[k] = thaw_lattice_distance(dimensions, 1.0) *
                                thaw_material_swell(&step->materials[k], dimensions);
    }
    return THAW_OK;
}

// what rules look at, where rows are now
static ThawResult find_numbers(ThawChanges *changes, const ThawStep *step) {
    for (uint32_t m = 0; m < step->material_count && step->rules != NULL; m++) {
        const ThawTransitionRules *rules = &step->rules[m];
        ThawRowNumber *numbers = &changes->numbers[m * THAW_TRANSITION_FIELDS];
        for (int k = 0; k < rules->field_count; k++) {
            if (thaw_row_number_find(step->store, rules->fields[k], &numbers[k])) continue;
            return thaw_fail(THAW_BAD_INPUT, "no field or channel is \"%.60s\"", rules->fields[k]);
        }
    }
    return THAW_OK;
}

static ThawChangeRound make_round(ThawThermal *thermal, ThawStep *step, double dt) {
    bool flat = step->domain->dimensions == 2;
    ThawChangeRound round = {.thermal = thermal,
                             .changes = thermal->changes,
                             .step = step,
                             .heat = thaw_thermal_state(step->store),
                             .lattice = thaw_lattice_state(step->store),
                             .rows = {.store = step->store,
                                      .materials = step->materials,
                                      .dimensions = step->domain->dimensions},
                             .segments = thaw_neighbors_segments(step->neighbors),
                             .dt = dt,
                             .draw = thaw_thermal_draw(thermal, step),
                             .misfit = flat ? THAW_CHANGE_MISFIT_2D : THAW_CHANGE_MISFIT_3D,
                             .needed = flat ? 0.5 : 1.0};
    round.rows.lattice = round.lattice;
    round.rows.heat = round.heat;
    round.clusters = thaw_neighbors_clusters(step->neighbors, &round.cluster_count);
    return round;
}

// whether any material changes its state
static bool any_changes(const ThawStep *step) {
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawThermalDef *def = &step->materials[k].thermal;
        if (def->melts_at > 0 || def->sintering > 0) return true;
        const ThawTransitionRules *rules = step->rules != NULL ? &step->rules[k] : NULL;
        if (rules != NULL && (rules->melts != NULL || rules->freezes != NULL)) return true;
    }
    return false;
}

ThawResult thaw_changes_run(ThawThermal *thermal, ThawStep *step, double dt) {
    if (!any_changes(step) || step->store->count == 0) return THAW_OK;
    ThawResult result = reserve(thermal->changes, step);
    if (result == THAW_OK) result = find_numbers(thermal->changes, step);
    if (result != THAW_OK) return result;
    ThawChangeRound round = make_round(thermal, step, dt);
    uint32_t melted = 0, frozen = 0, begun = 0;
    bool grown = false;
    result = thaw_change_melt(&round, &melted);
    if (result == THAW_OK) result = thaw_change_touch(&round);
    if (result == THAW_OK) result = thaw_change_freeze(&round, &frozen);
    if (result == THAW_OK) result = thaw_change_begin(&round, &begun);
    if (result == THAW_OK) result = thaw_change_sinter(&round, &grown);
    if (result != THAW_OK) return result;
    thaw_change_stick(&round);
    thaw_change_relabel(&round);
    step->report->melted += melted;
    step->report->frozen += frozen + begun;
    if (grown || melted + frozen + begun > 0) step->changed = true;
    return THAW_OK;
}
