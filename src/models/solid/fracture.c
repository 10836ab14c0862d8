// Fracture and docking: bonds that break, and vacant sites that are taken again.
//
// A bond breaks when the mean strain (or stress) of its two particles has a principal value above the
// material's limit and the bond lies within 60 degrees of that direction. Both particles come to the same
// verdict from the same numbers, so each only changes its own sites. Of the bonds of one particle only the one
// that is loaded most breaks in a substep: what it carried goes to the others, or is gone, before they are judged.
// (All at once, cracks took off single particles that both of their sides were torn from.)
#include "models/solid/solid.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/matrix.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

#define ROW_CHUNK 1024u
#define ACROSS 0.5 // cos 60°

typedef struct CrackJob {
    ThawSolids *solid;
    ThawStep *step;
    ThawLatticeState state;
    uint32_t sites;
} CrackJob;

static const ThawSolidDef *def_of(const CrackJob *job, uint32_t row) {
    return &job->step->materials[job->solid->kinds[job->solid->kind[row]].material].solid;
}

static bool breaks(const ThawSolidDef *def) {
    return def->fracture_strain > 0 || def->fracture_stress > 0;
}

// ---------------------------------------------------------------- what is measured

// the factor on its limits that a particle was born with
static float strength_of(const CrackJob *job, uint32_t row, float spread) {
    if (spread <= 0) return 1.0f;
    double unit =
        thaw_random_unit(job->step->seed, job->step->store->id[row], 0, THAW_RANDOM_STRENGTH);
    return 1.0f + spread * (float)(2.0 * unit - 1.0);
}

// what a row's strain or stress is divided by
static float limit_of(const CrackJob *job, uint32_t row) {
    const ThawSolidDef *def = def_of(job, row);
    float limit = def->fracture_strain > 0 ? def->fracture_strain : def->fracture_stress;
    return limit * strength_of(job, row, def->fracture_spread);
}

// Strain in units of the limit, above 1 of which something gives; or stress likewise.
static void strain_of(const CrackJob *job, uint32_t row, double out[6]) {
    bool by_strain = def_of(job, row)->fracture_strain > 0;
    int dimensions = job->step->domain->dimensions;
    float strain[6];
    thaw_lattice_strain(&job->state, row, dimensions, strain);
    double trace = (double)strain[0] + (double)strain[1] + (double)strain[2];
    double limit = (double)limit_of(job, row);
    // the stress that acts is that of the stiffness in use
    double mu = 0.5, lambda = 0;
    if (!by_strain) thaw_solid_moduli(job->solid, row, dimensions, &mu, &lambda);
    for (int k = 0; k < 6; k++) {
        out[k] = (2.0 * mu * (double)strain[k] + (k < 3 ? lambda * trace : 0.0)) / limit;
    }
}

// the square of a bound on it, quickly found: no strain is above |E − R|
static float bound_of(const CrackJob *job, uint32_t row) {
    bool by_strain = def_of(job, row)->fracture_strain > 0;
    ThawMat3 turn = thaw_mat3_from_turn(&job->state.turn[4 * (size_t)row]);
    ThawMat3 map = job->solid->flows
                       ? thaw_lattice_elastic(&job->state, row, job->step->domain->dimensions)
                       : thaw_mat3_from_floats(&job->state.map[9 * (size_t)row]);
    double square = 0;
    for (int k = 0; k < 9; k++) square += (map.m[k] - turn.m[k]) * (map.m[k] - turn.m[k]);
    double mu = 0.5, lambda = 0;
    if (!by_strain) {
        thaw_solid_moduli(job->solid, row, job->step->domain->dimensions, &mu, &lambda);
    }
    double stiffness = 2.0 * mu + 3.0 * lambda;
    double scale = stiffness / (double)limit_of(job, row);
    return (float)(square * scale * scale);
}

static void measure_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const CrackJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        job->solid->measure[row].bound = 0;
        if (job->solid->kind[row] == 0 || !breaks(def_of(job, row))) continue;
        job->solid->measure[row].bound = bound_of(job, row);
    }
}

// ---------------------------------------------------------------- which bonds break

static void offset_of(const CrackJob *job, uint32_t row, uint32_t other, double r[3]) {
    const ThawPlace *a = &job->step->work->place[row], *b = &job->step->work->place[other];
    const int32_t from[3] = {a->x, a->y, a->z}, to[3] = {b->x, b->y, b->z};
    for (int k = 0; k < 3; k++) {
        double way = thaw_place_sub(to[k], from[k]);
        if (job->step->domain->periodic[k]) {
            double period =
                ldexp((double)job->step->domain->length[k], THAW_PLACE_BITS - THAW_FIXED_BITS);
            way -= period * nearbyint(way / period);
        }
        r[k] = way * (double)THAW_PLACE_CELLS;
    }
}

// Strain of a bond over its limit where that is above 1 and the bond lies along it, else 0: the same in every bit
// from both sides.
static float load_of(const CrackJob *job, uint32_t row, uint32_t other) {
    const ThawSolids *solid = job->solid;
    // no principal value of a mean is above the root of the mean square
    if (!(solid->measure[row].bound + solid->measure[other].bound > 1.99f)) return 0;
    double a[6], b[6], mean[6], direction[3], r[3];
    strain_of(job, row, a);
    strain_of(job, other, b);
    for (int k = 0; k < 6; k++) mean[k] = 0.5 * (a[k] + b[k]);
    double load = thaw_largest_principal(mean, direction);
    if (load <= 1.0) return 0;
    offset_of(job, row, other, r);
    double along = r[0] * direction[0] + r[1] * direction[1] + r[2] * direction[2];
    double length2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    return along * along >= ACROSS * ACROSS * length2 ? (float)load : 0;
}

static float site_load(const CrackJob *job, uint32_t row, uint32_t site) {
    uint32_t other = job->solid->bonds.slot[thaw_bond_at(row, site)];
    if (other == row || !breaks(def_of(job, other))) return 0;
    // what froze a moment ago yields
    if (thaw_lattice_is_young(&job->state, row) || thaw_lattice_is_young(&job->state, other))
        return 0;
    return load_of(job, row, other);
}

static void load_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const CrackJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        float most = 0;
        if (job->solid->kind[row] != 0 && breaks(def_of(job, row))) {
            for (uint32_t s = 0; s < job->sites; s++) most = fmaxf(most, site_load(job, row, s));
        }
        job->solid->measure[row].load = most;
    }
}

// the bonds that neither side has a more loaded one beside
static uint32_t torn_sites(const CrackJob *job, uint32_t row) {
    const ThawSolids *solid = job->solid;
    uint32_t torn = 0;
    float most = solid->measure[row].load;
    for (uint32_t s = 0; most > 0 && s < job->sites; s++) {
        uint32_t other = solid->bonds.slot[thaw_bond_at(row, s)];
        if (solid->measure[other].load > most || site_load(job, row, s) < most) continue;
        torn |= THAW_SITE_OCCUPIED(s);
    }
    return torn;
}

// the pair's lower id counts it
static void judge_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const CrackJob *job = context;
    const uint64_t *id = job->step->store->id;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    uint32_t count = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        uint32_t torn = torn_sites(job, row);
        job->solid->measure[row].torn = torn;
        for (uint32_t s = 0; torn != 0 && s < job->sites; s++) {
            uint32_t other = job->solid->bonds.slot[thaw_bond_at(row, s)];
            count += (torn & THAW_SITE_OCCUPIED(s)) != 0 && id[row] < id[other];
        }
    }
    job->solid->chunk_counts[chunk] = count;
}

static void record(const CrackJob *job, uint32_t row, uint32_t other, ThawFracture *event) {
    const ThawStep *step = job->step;
    double r[3], middle[3];
    offset_of(job, row, other, r);
    for (int a = 0; a < 3; a++) {
        double cells = thaw_fixed_cells(step->store->cells[3 * (size_t)row + (size_t)a]);
        middle[a] = (cells + 0.5 * r[a]) * step->domain->cell;
    }
    *event = (ThawFracture){.time = step->time + step->dt,
                            .position = {middle[0], middle[1], middle[2]},
                            .pair = {step->store->id[row], step->store->id[other]}};
}

static void tear_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const CrackJob *job = context;
    ThawSolids *solid = job->solid;
    const uint64_t *id = job->step->store->id;
    ThawFracture *event = &solid->fractures[solid->chunk_counts[chunk]];
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        uint32_t torn = solid->measure[row].torn, sites = (uint32_t)job->state.sites[row];
        if (torn == 0) continue;
        bool docks = (solid->traits[row] & THAW_TRAIT_DOCKS) != 0;
        for (uint32_t s = 0; s < job->sites; s++) {
            if ((torn & THAW_SITE_OCCUPIED(s)) == 0) continue;
            uint32_t other = solid->bonds.slot[thaw_bond_at(row, s)];
            if (id[row] < id[other]) record(job, row, other, event++);
            solid->bonds.slot[thaw_bond_at(row, s)] = row;
            solid->bonds.block[row / THAW_LANES] &= (uint8_t)~THAW_BLOCK_FULL;
            sites &= ~THAW_SITE_OCCUPIED(s);
            if (!docks) sites |= THAW_SITE_CLOSED(s);
            if (job->state.misfit != NULL) job->state.misfit[THAW_MISFITS * (size_t)row + s] = 0;
        }
        job->state.sites[row] = (int32_t)sites;
    }
}

static bool reserve_events(ThawSolids *solid, uint32_t more) {
    uint32_t wanted = solid->fracture_count + more;
    if (wanted <= solid->fracture_capacity) return true;
    uint32_t capacity = wanted + wanted / 2 + 64;
    ThawFracture *grown = thaw_alloc((size_t)capacity * sizeof *grown);
    if (grown == NULL) return false;
    for (uint32_t k = 0; k < solid->fracture_count; k++) grown[k] = solid->fractures[k];
    thaw_free(solid->fractures);
    solid->fractures = grown;
    solid->fracture_capacity = capacity;
    return true;
}

static int by_pair(const void *a, const void *b) {
    const ThawParticleId *p = ((const ThawFracture *)a)->pair, *q = ((const ThawFracture *)b)->pair;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

static ThawResult break_bonds(CrackJob *job) {
    ThawSolids *solid = job->solid;
    uint32_t rows = job->step->store->count, chunks = thaw_chunk_count(rows, ROW_CHUNK);
    if (!thaw_scratch((void **)&solid->measure, &solid->measure_bytes,
                      ((size_t)rows + THAW_STORE_PAD) * sizeof *solid->measure) ||
        !thaw_scratch((void **)&solid->chunk_counts, &solid->counts_bytes,
                      chunks * sizeof *solid->chunk_counts)) {
        return thaw_fail_memory((size_t)rows * sizeof *solid->measure);
    }
    thaw_parallel_run(job->step->parallel, measure_chunk, job, chunks);
    thaw_parallel_run(job->step->parallel, load_chunk, job, chunks);
    thaw_parallel_run(job->step->parallel, judge_chunk, job, chunks);
    uint32_t total = 0;
    for (uint32_t c = 0; c < chunks; c++) total += solid->chunk_counts[c];
    if (total == 0) return THAW_OK;
    if (!reserve_events(solid, total)) return thaw_fail_memory(total * sizeof(ThawFracture));
    for (uint32_t c = 0, at = solid->fracture_count; c < chunks; c++) {
        uint32_t count = solid->chunk_counts[c];
        solid->chunk_counts[c] = at;
        at += count;
    }
    thaw_parallel_run(job->step->parallel, tear_chunk, job, chunks);
    qsort(&solid->fractures[solid->fracture_count], total, sizeof *solid->fractures, by_pair);
    solid->fracture_count += total;
    job->step->report->bonds_broken += total;
    job->step->report->bonds -= total;
    job->solid->changed = true;
    return THAW_OK;
}

// ---------------------------------------------------------------- docking

// whether the pair on this site comes together in this substep
static bool docks_now(const CrackJob *job, uint32_t row, uint32_t site, uint32_t other) {
    const uint64_t *id = job->step->store->id;
    uint32_t back = job->solid->bonds.back[thaw_bond_at(row, site)];
    float mine = job->state.docking[THAW_SITES * (size_t)row + site];
    float theirs = job->state.docking[THAW_SITES * (size_t)other + back];
    double rate = (double)fminf(mine, theirs);
    if (!(rate > 0)) return false;
    bool lower = id[row] < id[other];
    uint64_t key = job->step->step << 20 | job->step->substep;
    double unit = thaw_random_unit(job->step->seed, lower ? id[row] : id[other], key,
                                   THAW_RANDOM_DOCKING + (lower ? site : back));
    return unit < -expm1(-rate * job->step->dt);
}

static void dock_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const CrackJob *job = context;
    ThawSolids *solid = job->solid;
    const uint64_t *id = job->step->store->id;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    uint32_t made = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        if ((solid->traits[row] & THAW_TRAIT_DOCKS) == 0) continue;
        for (uint32_t s = 0; s < job->sites; s++) {
            size_t at = thaw_bond_at(row, s);
            uint32_t other = solid->bonds.dock[at];
            if (other == row || !docks_now(job, row, s, other)) continue;
            solid->bonds.slot[at] = other;
            solid->bonds.dock[at] = row;
            job->state.sites[row] |= (int32_t)THAW_SITE_OCCUPIED(s);
            made += id[row] < id[other];
            if (solid->bonds.back[at] != (s ^ 1u))
                solid->bonds.block[row / THAW_LANES] |= THAW_BLOCK_MIXED;
        }
    }
    solid->chunk_counts[chunk] = made;
}

// rates rise while a site is filled and fall while it is empty
static void drift_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const CrackJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if ((job->solid->traits[row] & THAW_TRAIT_DOCKS) == 0) continue;
        const ThawSolidDef *def = def_of(job, row);
        float change = def->docking_growth * (float)job->step->dt;
        uint32_t sites = (uint32_t)job->state.sites[row];
        for (uint32_t s = 0; s < job->sites; s++) {
            float *rate = &job->state.docking[THAW_SITES * (size_t)row + s];
            if ((sites & THAW_SITE_OCCUPIED(s)) != 0)
                *rate = fminf(*rate + change, def->docking_rate);
            else
                *rate = fmaxf(*rate - change, 0.0f);
        }
    }
}

static ThawResult dock(CrackJob *job) {
    ThawSolids *solid = job->solid;
    uint32_t chunks = thaw_chunk_count(job->step->store->count, ROW_CHUNK);
    if (!thaw_scratch((void **)&solid->chunk_counts, &solid->counts_bytes,
                      chunks * sizeof *solid->chunk_counts)) {
        return thaw_fail_memory(chunks * sizeof *solid->chunk_counts);
    }
    thaw_parallel_run(job->step->parallel, dock_chunk, job, chunks);
    uint32_t made = 0;
    for (uint32_t c = 0; c < chunks; c++) made += solid->chunk_counts[c];
    job->step->report->bonds_made += made;
    job->step->report->bonds += made;
    if (made > 0) job->solid->changed = true;
    thaw_parallel_run(job->step->parallel, drift_chunk, job, chunks);
    return THAW_OK;
}

// ---------------------------------------------------------------- all of it

static void flow_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    CrackJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (job->solid->kind[row] == 0) continue;
        thaw_solid_flow_row(job->solid, job->step, &job->state, row);
    }
}

ThawResult thaw_solid_transform(ThawSolids *solid, ThawStep *step) {
    CrackJob job = {solid, step, thaw_lattice_state(step->store),
                    thaw_sites(step->domain->dimensions)->count};
    if (solid->flows) {
        thaw_parallel_run(step->parallel, flow_chunk, &job,
                          thaw_chunk_count(step->store->count, ROW_CHUNK));
    }
    ThawResult result = solid->breaks ? break_bonds(&job) : THAW_OK;
    if (result == THAW_OK && solid->docks) result = dock(&job);
    return result;
}
