#include "lattice/bonds.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>
#include <string.h>

typedef struct BondJob {
    ThawBonds *bonds;
    const ThawBondSearch *search;
    ThawBondPass pass;
    ThawLatticeState state;
    uint32_t sites; // 12 or 6
} BondJob;

// ---------------------------------------------------------------- room

static bool reserve_all(ThawBonds *bonds, uint32_t rows, bool docks) {
    size_t blocks = ((size_t)rows + THAW_LANES - 1) / THAW_LANES;
    size_t cells = blocks * THAW_SITES * THAW_LANES;
    size_t chunks = thaw_chunk_count((uint32_t)blocks, THAW_BOND_CHUNK);
    bonds->blocks = (uint32_t)blocks;
    if (!docks) {
        thaw_free(bonds->dock);
        bonds->dock = NULL;
        bonds->dock_bytes = 0;
    }
    return thaw_scratch((void **)&bonds->slot, &bonds->slot_bytes, cells * sizeof *bonds->slot) &&
           thaw_scratch((void **)&bonds->back, &bonds->back_bytes, cells) &&
           thaw_scratch((void **)&bonds->block, &bonds->block_bytes, blocks) &&
           thaw_scratch((void **)&bonds->candidate, &bonds->candidate_bytes,
                        cells * sizeof *bonds->candidate) &&
           thaw_scratch((void **)&bonds->misfit, &bonds->misfit_bytes,
                        cells * sizeof *bonds->misfit) &&
           thaw_scratch((void **)&bonds->next_sites, &bonds->next_bytes,
                        rows * sizeof *bonds->next_sites) &&
           thaw_scratch((void **)&bonds->sums, &bonds->sums_bytes, chunks * sizeof *bonds->sums) &&
           (!docks ||
            thaw_scratch((void **)&bonds->dock, &bonds->dock_bytes, cells * sizeof *bonds->dock));
}

void thaw_bonds_release(ThawBonds *bonds) {
    thaw_free(bonds->slot);
    thaw_free(bonds->back);
    thaw_free(bonds->dock);
    thaw_free(bonds->block);
    thaw_free(bonds->candidate);
    thaw_free(bonds->misfit);
    thaw_free(bonds->next_sites);
    thaw_free(bonds->sums);
    *bonds = (ThawBonds){0};
}

size_t thaw_bonds_bytes(const ThawBonds *bonds) {
    return bonds->slot_bytes + bonds->back_bytes + bonds->dock_bytes + bonds->block_bytes +
           bonds->candidate_bytes + bonds->misfit_bytes + bonds->next_bytes + bonds->sums_bytes;
}

// ---------------------------------------------------------------- passes over blocks

// nobody anywhere; rows of the last block that do not exist are their own too
static void clear_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->bonds->blocks, THAW_BOND_CHUNK);
    uint32_t last = job->search->store->count - 1;
    for (uint32_t b = range.begin; b < range.end; b++) {
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            for (uint32_t k = 0; k < THAW_LANES; k++) {
                size_t at = ((size_t)b * THAW_SITES + s) * THAW_LANES + k;
                uint32_t row = b * THAW_LANES + k;
                uint32_t own = row < last ? row : last;
                job->bonds->slot[at] = job->bonds->candidate[at] = own;
                job->bonds->misfit[at] = INFINITY;
                job->bonds->back[at] = (uint8_t)(s ^ 1u);
                if (job->bonds->dock != NULL) job->bonds->dock[at] = own;
            }
        }
    }
}

static void candidates_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    THAW_WIDE_PICK(job->search->isa, thaw_bonds_candidates)(&job->pass, chunk);
}

// the site of `other` whose candidate is `row`, or THAW_SITES
static uint32_t find_back(const BondJob *job, uint32_t row, uint32_t other, uint32_t site) {
    const uint32_t *candidate = job->bonds->candidate;
    if (candidate[thaw_bond_at(other, site ^ 1u)] == row) return site ^ 1u;
    for (uint32_t s = 0; s < job->sites; s++) {
        if (candidate[thaw_bond_at(other, s)] == row) return s;
    }
    return THAW_SITES;
}

typedef enum Standing { NONE, HELD, MAY_DOCK } Standing;

static bool is_open(int32_t sites, uint32_t site) {
    return sites == THAW_SITES_FRESH || ((uint32_t)sites & THAW_SITE_CLOSED(site)) == 0;
}
static bool is_taken(int32_t sites, uint32_t site) {
    return sites == THAW_SITES_FRESH || ((uint32_t)sites & THAW_SITE_OCCUPIED(site)) != 0;
}

// what two particles are to each other that are each other's candidates
static Standing judge(const BondJob *job, uint32_t row, uint32_t site, uint32_t other,
                      uint32_t back) {
    int32_t mine = job->state.sites[row], theirs = job->state.sites[other];
    if (!is_open(mine, site) || !is_open(theirs, back)) return NONE;
    bool held = is_taken(mine, site) && is_taken(theirs, back);
    bool fresh = mine == THAW_SITES_FRESH || theirs == THAW_SITES_FRESH;
    if (held && !fresh) return HELD;
    const float *misfit = job->bonds->misfit;
    float worst = fmaxf(misfit[thaw_bond_at(row, site)], misfit[thaw_bond_at(other, back)]);
    if (worst >= THAW_BOND_TOLERANCE * THAW_BOND_TOLERANCE) return NONE;
    if (held) return HELD;
    const uint8_t *traits = job->search->traits;
    bool docks = (traits[row] & traits[other] & THAW_TRAIT_DOCKS) != 0;
    return docks ? MAY_DOCK : NONE;
}

// the bonds of one row; its new site states go to next_sites
static void settle_row(const BondJob *job, uint32_t row, struct ThawBondSums *sums,
                       uint8_t *block) {
    ThawBonds *bonds = job->bonds;
    uint32_t old = (uint32_t)job->state.sites[row], taken = 0;
    bool fresh = job->state.sites[row] == THAW_SITES_FRESH;
    if (fresh) old = 0;
    for (uint32_t s = 0; s < job->sites; s++) {
        size_t at = thaw_bond_at(row, s);
        uint32_t other = bonds->candidate[at];
        if (other == row) continue;
        uint32_t back = find_back(job, row, other, s);
        Standing standing = back < THAW_SITES ? judge(job, row, s, other, back) : NONE;
        if (standing == NONE) continue;
        bonds->back[at] = (uint8_t)back;
        if (standing == MAY_DOCK) {
            bonds->dock[at] = other;
            continue;
        }
        bonds->slot[at] = other;
        taken |= THAW_SITE_OCCUPIED(s);
        const uint16_t *material = job->search->store->material;
        if (back != (s ^ 1u) || material[row] != material[other]) *block |= THAW_BLOCK_MIXED;
    }
    uint32_t lost = old & ~taken & 0xfffu, closed = old & 0xfff000u;
    if ((job->search->traits[row] & THAW_TRAIT_BRITTLE) != 0) closed |= lost << 12;
    bonds->next_sites[row] = (int32_t)(taken | closed);
    sums->bonds += (uint32_t)__builtin_popcount(taken);
    sums->lost += (uint32_t)__builtin_popcount(lost);
    if (fresh) sums->made += (uint32_t)__builtin_popcount(taken);
}

static void settle_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->bonds->blocks, THAW_BOND_CHUNK);
    struct ThawBondSums sums = {0};
    for (uint32_t b = range.begin; b < range.end; b++) {
        uint8_t flags = 0;
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            uint32_t row = b * THAW_LANES + k;
            if (row >= job->search->store->count) break;
            if ((job->search->traits[row] & THAW_TRAIT_SOLID) == 0) continue;
            flags |= THAW_BLOCK_SOLID;
            settle_row(job, row, &sums, &flags);
        }
        job->bonds->block[b] = flags;
    }
    job->bonds->sums[chunk] = sums;
}

static void keep_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range =
        thaw_chunk_range(chunk, job->search->store->count, THAW_BOND_CHUNK * THAW_LANES);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if ((job->search->traits[row] & THAW_TRAIT_SOLID) == 0) continue;
        job->state.sites[row] = job->bonds->next_sites[row];
    }
}

// ---------------------------------------------------------------- the search

static ThawBondPass make_pass(ThawBonds *bonds, const ThawBondSearch *search,
                              const ThawLatticeState *state) {
    ThawBondPass pass = {.dimensions = search->domain->dimensions,
                         .segments = thaw_neighbors_segments(search->neighbors),
                         .place = search->place,
                         .group = search->group,
                         .unit = search->unit,
                         .map = state->map,
                         .sites = state->sites,
                         .support = search->support,
                         .candidate = bonds->candidate,
                         .misfit = bonds->misfit};
    pass.clusters = thaw_neighbors_clusters(search->neighbors, &pass.cluster_count);
    for (int a = 0; a < 3; a++) {
        if (search->domain->periodic[a])
            pass.period[a] = thaw_place_from(search->domain->length[a]);
    }
    return pass;
}

ThawResult thaw_bonds_find(ThawBonds *bonds, ThawBondSearch *search) {
    uint32_t rows = search->store->count;
    if (!reserve_all(bonds, rows, search->docks)) {
        return thaw_fail_memory((size_t)rows * THAW_SITES * 13);
    }
    BondJob job = {.bonds = bonds,
                   .search = search,
                   .state = thaw_lattice_state(search->store),
                   .sites = thaw_sites(search->domain->dimensions)->count};
    job.pass = make_pass(bonds, search, &job.state);
    uint32_t chunks = thaw_chunk_count(bonds->blocks, THAW_BOND_CHUNK);
    thaw_parallel_run(search->parallel, clear_chunk, &job, chunks);
    thaw_parallel_run(search->parallel, candidates_chunk, &job,
                      thaw_chunk_count(job.pass.cluster_count, THAW_BOND_CHUNK));
    thaw_parallel_run(search->parallel, settle_chunk, &job, chunks);
    thaw_parallel_run(search->parallel, keep_chunk, &job,
                      thaw_chunk_count(rows, THAW_BOND_CHUNK * THAW_LANES));
    search->bonds = search->lost = search->made = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        search->bonds += bonds->sums[c].bonds;
        search->lost += bonds->sums[c].lost;
        search->made += bonds->sums[c].made;
    }
    search->bonds /= 2;
    search->made /= 2;
    return THAW_OK;
}
