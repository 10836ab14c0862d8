#include "lattice/bonds.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>
#include <string.h>

#define ROW_CHUNK 1024u
#define ALIKE 0.99875f // cos 0.05: of half the angle between lattices that are one
#define SETTLED 0.02f  // D: who is less off his site when he grows old stays drawn to it

typedef struct BondJob {
    ThawBonds *bonds;
    const ThawBondSearch *search;
    ThawBondPass pass;
    ThawLatticeState state;
    uint32_t sites; // 12 or 6
    bool wide;      // blocks of solids are taken eight rows at a time
    bool young;     // some row is
    bool fresh;     // some row is
} BondJob;

// ---------------------------------------------------------------- room

// what guesses need
static bool reserve_guesses(ThawBonds *bonds, size_t rows) {
    size_t all = rows + THAW_LANES;
    return thaw_scratch((void **)&bonds->now, &bonds->now_bytes, all * sizeof *bonds->now) &&
           thaw_scratch((void **)&bonds->around, &bonds->around_bytes,
                        all * sizeof *bonds->around) &&
           thaw_scratch((void **)&bonds->crowd, &bonds->crowd_bytes, all * sizeof *bonds->crowd) &&
           thaw_scratch((void **)&bonds->doubt, &bonds->doubt_bytes, all);
}

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
    return reserve_guesses(bonds, rows) &&
           thaw_scratch((void **)&bonds->slot, &bonds->slot_bytes, cells * sizeof *bonds->slot) &&
           thaw_scratch((void **)&bonds->back, &bonds->back_bytes, cells) &&
           thaw_scratch((void **)&bonds->block, &bonds->block_bytes, blocks) &&
           thaw_scratch((void **)&bonds->candidate, &bonds->candidate_bytes,
                        cells * sizeof *bonds->candidate) &&
           thaw_scratch((void **)&bonds->fits, &bonds->fits_bytes, rows * sizeof *bonds->fits) &&
           thaw_scratch((void **)&bonds->next_sites, &bonds->next_bytes,
                        rows * sizeof *bonds->next_sites) &&
           thaw_scratch((void **)&bonds->sums, &bonds->sums_bytes, chunks * sizeof *bonds->sums) &&
           (!docks ||
            thaw_scratch((void **)&bonds->dock, &bonds->dock_bytes, cells * sizeof *bonds->dock));
}

void thaw_bonds_rest(ThawBonds *bonds) {
    reserve_all(bonds, 0, true);
}

void thaw_bonds_release(ThawBonds *bonds) {
    thaw_free(bonds->slot);
    thaw_free(bonds->back);
    thaw_free(bonds->dock);
    thaw_free(bonds->block);
    thaw_free(bonds->candidate);
    thaw_free(bonds->fits);
    thaw_free(bonds->next_sites);
    thaw_free(bonds->sums);
    thaw_free(bonds->now);
    thaw_free(bonds->around);
    thaw_free(bonds->crowd);
    thaw_free(bonds->doubt);
    *bonds = (ThawBonds){0};
}

size_t thaw_bonds_bytes(const ThawBonds *bonds) {
    return bonds->slot_bytes + bonds->back_bytes + bonds->dock_bytes + bonds->block_bytes +
           bonds->candidate_bytes + bonds->fits_bytes + bonds->next_bytes + bonds->sums_bytes +
           bonds->now_bytes + bonds->around_bytes + bonds->crowd_bytes + bonds->doubt_bytes;
}

// ---------------------------------------------------------------- passes over blocks

static void candidates_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    THAW_WIDE_PICK(job->search->isa, thaw_bonds_candidates)(&job->pass, chunk);
}

// the site of `other` whose candidate is `row`, or THAW_SITES
static uint32_t find_back(const BondJob *job, uint32_t row, uint32_t other, uint32_t site) {
    if (thaw_bond_candidate(job->bonds, other, site ^ 1u) == row) return site ^ 1u;
    for (uint32_t s = 0; s < job->sites; s++) {
        if (thaw_bond_candidate(job->bonds, other, s) == row) return s;
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
    const uint16_t *fits = job->bonds->fits;
    if (((uint32_t)fits[row] >> site & (uint32_t)fits[other] >> back & 1u) == 0) return NONE;
    // fresh matter may take an open site that was vacant: it froze there
    if (held || fresh) return HELD;
    const uint8_t *traits = job->search->traits;
    bool docks = (traits[row] & traits[other] & THAW_TRAIT_DOCKS) != 0;
    return docks ? MAY_DOCK : NONE;
}

// A site by the plain way; returns whether it is bonded.
static bool settle_site(const BondJob *job, uint32_t row, uint32_t site, uint8_t *block) {
    ThawBonds *bonds = job->bonds;
    size_t at = thaw_bond_at(row, site);
    uint32_t other = thaw_bond_candidate(bonds, row, site);
    if (other == row) return false;
    uint32_t back = find_back(job, row, other, site);
    Standing standing = back < THAW_SITES ? judge(job, row, site, other, back) : NONE;
    if (standing == NONE) return false;
    bonds->back[at] = (uint8_t)back;
    if (standing == MAY_DOCK) {
        bonds->dock[at] = other;
        return false;
    }
    const uint16_t *material = job->search->store->material;
    bonds->slot[at] = other;
    if (back != (site ^ 1u) || material[row] != material[other]) *block |= THAW_BLOCK_MIXED;
    return true;
}

// The bonds that are as they nearly always are, as thaw_bonds_keep finds them; returns which.
static uint32_t settle_kept(const BondJob *job, uint32_t row, uint8_t *block) {
    const uint32_t *candidate = job->bonds->candidate, *mine = &candidate[thaw_bond_at(row, 0)];
    const uint16_t *material = job->search->store->material;
    uint32_t *slot = &job->bonds->slot[thaw_bond_at(row, 0)];
    uint32_t kept = 0, mixed = 0;
    for (uint32_t s = 0; s < job->sites; s++) {
        uint32_t whom = mine[s * THAW_LANES], other = whom & ~THAW_BOND_HELD;
        bool holds = other != whom && other != row &&
                     candidate[thaw_bond_at(other, s ^ 1u)] == (row | THAW_BOND_HELD);
        slot[s * THAW_LANES] = holds ? other : row;
        kept |= (uint32_t)holds << s;
        mixed |= holds ? (uint32_t)(material[row] ^ material[other]) : 0u;
    }
    if (mixed != 0) *block |= THAW_BLOCK_MIXED;
    return kept;
}

// how far the occupant of a site is off it, D
static void find_off(const BondJob *job, uint32_t row, uint32_t site, const ThawMat3 *inverse,
                     float off[3]) {
    const ThawBondPass *pass = &job->pass;
    const ThawPlace *a = &pass->place[row];
    const ThawPlace *b = &pass->place[job->bonds->slot[thaw_bond_at(row, site)]];
    const int32_t from[3] = {a->x, a->y, a->z}, to[3] = {b->x, b->y, b->z};
    const float *l = thaw_sites(pass->dimensions)->vector[site];
    double way[3];
    for (int k = 0; k < 3; k++) {
        int32_t d = thaw_place_sub(to[k], from[k]), period = pass->period[k];
        double least = d;
        double below = thaw_place_sub(d, period), above = thaw_place_add(d, period);
        if (period != 0 && fabs(below) < fabs(least)) least = below;
        if (period != 0 && fabs(above) < fabs(least)) least = above;
        way[k] = least * (double)pass->unit[row];
    }
    for (int k = 0; k < 3; k++) {
        const double *m = &inverse->m[3 * k];
        off[k] = (float)(m[0] * way[0] + m[1] * way[1] + m[2] * way[2] - (double)l[k]);
    }
    if (pass->dimensions == 2) off[2] = 0;
}

static bool is_held(const BondJob *job, uint32_t row) {
    return job->search->held != NULL && job->search->held[row] != 0;
}

// whether a bond is drawn in vain: who is held does not come
static bool settles(const BondJob *job, uint32_t row, uint32_t other) {
    const ThawLatticeState *state = &job->state;
    bool held = is_held(job, row) || is_held(job, other);
    return held && (thaw_lattice_settles(state, row) || thaw_lattice_settles(state, other));
}

// whether a bond has a misfit to stay; others are drawn to their sites
static bool rests(int32_t misfit) {
    return misfit != 0 && !thaw_misfit_fades(misfit);
}

// The bonds of a row that yield: those that rest, when one of the two is young, and when one settles and one is held
// all between them.
static uint32_t yielding(const BondJob *job, uint32_t row, uint32_t taken) {
    const int32_t *misfit = &job->state.misfit[THAW_MISFITS * (size_t)row];
    const ThawLatticeState *state = &job->state;
    bool young = thaw_lattice_is_young(state, row);
    uint32_t yields = 0;
    for (; taken != 0; taken &= taken - 1) {
        uint32_t s = (uint32_t)__builtin_ctz(taken);
        uint32_t other = job->bonds->slot[thaw_bond_at(row, s)];
        bool gives = rests(misfit[s]) ? young || thaw_lattice_is_young(state, other)
                                      : settles(job, row, other);
        if (gives) yields |= THAW_SITE_OCCUPIED(s);
    }
    return yields;
}

static bool is_within(const float off[3], float most) {
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2] <= most * most;
}

// Whether a new occupant is of the same lattice.
static bool is_alike(const BondJob *job, uint32_t row, uint32_t site) {
    size_t at = thaw_bond_at(row, site);
    const float *mine = &job->state.turn[4 * (size_t)row];
    const float *theirs = &job->state.turn[4 * (size_t)job->bonds->slot[at]];
    float cosine = 0;
    for (int k = 0; k < 4; k++) cosine += mine[k] * theirs[k];
    return fabsf(cosine) > ALIKE && job->bonds->back[at] == (site ^ 1u);
}

// whether a bond that yields would become too short: what is pressed together must hold
static bool is_pressed(const BondJob *job, uint32_t row, uint32_t site, const float off[3]) {
    const float *l = thaw_sites(job->pass.dimensions)->vector[site];
    float old[3], now = 0, before = 0;
    thaw_lattice_site(&job->state, row, site, l, old);
    for (int a = 0; a < 3; a++) {
        now += (l[a] + off[a]) * (l[a] + off[a]);
        before += old[a] * old[a];
    }
    return now < before && now < THAW_BOND_LEAST * THAW_BOND_LEAST;
}

// the inverse of R F, which puts sites where they are without strain
static bool invert_rest(const BondJob *job, uint32_t row, ThawMat3 *inverse) {
    ThawMat3 turn = thaw_mat3_from_turn(&job->state.turn[4 * (size_t)row]);
    ThawMat3 flow = thaw_mat3_from_floats(&job->state.flow[9 * (size_t)row]);
    return thaw_mat3_invert(thaw_mat3_mul(turn, flow), inverse);
}

// The misfit of a new bond. Who is off a site of the same lattice, but not far, is drawn to it: the misfit makes the bond
// one without force and fades. Others that do not fit rest as they are.
static int32_t first_misfit(const BondJob *job, uint32_t row, uint32_t site,
                            const ThawMat3 *inverse) {
    float off[3];
    ThawMat3 rest;
    find_off(job, row, site, inverse, off);
    if (!is_alike(job, row, site) || !is_within(off, THAW_BOND_DRAWN)) {
        return is_within(off, THAW_BOND_EXACT) ? 0 : thaw_misfit_pack(off);
    }
    if (!invert_rest(job, row, &rest)) return 0;
    find_off(job, row, site, &rest, off);
    return thaw_misfit_pack_fading(off);
}

// Who came to a site and does not fit it rests as he is, see THAW_LATTICE_MISFIT; who left takes the misfit along.
static void settle_misfits(const BondJob *job, uint32_t row, uint32_t taken, uint32_t made,
                           uint32_t lost) {
    int32_t *misfit = &job->state.misfit[THAW_MISFITS * (size_t)row];
    for (; lost != 0; lost &= lost - 1) misfit[__builtin_ctz(lost)] = 0;
    ThawMat3 inverse = {{0}};
    uint32_t yields = job->young ? yielding(job, row, taken & 0xfffu & ~made) : 0;
    if (made != 0 &&
        !thaw_mat3_invert(thaw_mat3_from_floats(&job->state.map[9 * (size_t)row]), &inverse)) {
        return;
    }
    for (; made != 0; made &= made - 1) {
        uint32_t site = (uint32_t)__builtin_ctz(made);
        misfit[site] = first_misfit(job, row, site, &inverse);
    }
    if (yields == 0 || !invert_rest(job, row, &inverse)) return;
    for (; yields != 0; yields &= yields - 1) {
        uint32_t site = (uint32_t)__builtin_ctz(yields);
        float off[3];
        find_off(job, row, site, &inverse, off);
        if (!rests(misfit[site]) && is_within(off, SETTLED)) continue;
        if (!is_pressed(job, row, site, off)) misfit[site] = thaw_misfit_pack(off);
    }
}

// the bonds of one row, of which those that are taken are known; its new site states go to next_sites
static void settle_row(const BondJob *job, uint32_t row, uint32_t taken, struct ThawBondSums *sums,
                       uint8_t *block) {
    uint32_t old = (uint32_t)job->state.sites[row];
    bool fresh = job->state.sites[row] == THAW_SITES_FRESH;
    if (fresh) old = 0;
    for (uint32_t left = ~taken & ((1u << job->sites) - 1); left != 0; left &= left - 1) {
        uint32_t site = (uint32_t)__builtin_ctz(left);
        if (settle_site(job, row, site, block)) taken |= THAW_SITE_OCCUPIED(site);
    }
    uint32_t lost = old & ~taken & 0xfffu, closed = old & 0xfff000u;
    if ((job->search->traits[row] & THAW_TRAIT_BRITTLE) != 0) closed |= lost << 12;
    job->bonds->next_sites[row] = (int32_t)(taken | closed);
    uint32_t count = taken == 0xfffu ? 12u : (uint32_t)__builtin_popcount(taken);
    sums->bonds += count;
    if (lost != 0) sums->lost += (uint32_t)__builtin_popcount(lost);
    // both ends are counted: those of fresh rows, and those of others that a fresh one has come to
    uint32_t made = taken & ~old & 0xfffu;
    if (made != 0) sums->made += (uint32_t)__builtin_popcount(made);
    if (job->state.misfit != NULL) settle_misfits(job, row, taken, made, lost);
}

// Nobody anywhere; rows of the last block that do not exist are their own too.
static void clear_slots(const BondJob *job, uint32_t block) {
    uint32_t own[THAW_LANES], last = job->search->store->count - 1;
    size_t at = thaw_bond_at(block * THAW_LANES, 0);
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        uint32_t row = block * THAW_LANES + k;
        own[k] = row < last ? row : last;
    }
    for (uint32_t s = 0; s < THAW_SITES; s++, at += THAW_LANES) {
        memcpy(&job->bonds->slot[at], own, sizeof own);
        if (job->bonds->dock != NULL) memcpy(&job->bonds->dock[at], own, sizeof own);
    }
}

// sites face each other unless something else is found
static void clear_back(const BondJob *job, uint32_t block) {
    uint8_t *back = &job->bonds->back[thaw_bond_at(block * THAW_LANES, 0)];
    for (uint32_t s = 0; s < THAW_SITES; s++) {
        memset(back + s * THAW_LANES, (int)(s ^ 1u), THAW_LANES);
    }
}

// rows that are solid, as bits
static uint32_t solid_rows(const BondJob *job, uint32_t block) {
    uint32_t solid = 0, first = block * THAW_LANES;
    for (uint32_t k = 0; k < THAW_LANES && first + k < job->search->store->count; k++) {
        solid |= (job->search->traits[first + k] & THAW_TRAIT_SOLID ? 1u : 0u) << k;
    }
    return solid;
}

// The rows of a block that has kept every bond; false where it has not.
static bool settle_full(const BondJob *job, uint32_t block, const uint32_t kept[THAW_LANES],
                        struct ThawBondSums *sums) {
    uint32_t full = (1u << job->sites) - 1, all = full;
    for (uint32_t k = 0; k < THAW_LANES; k++) all &= kept[k];
    if (all != full) return false;
    const int32_t *old = &job->state.sites[block * THAW_LANES];
    int32_t *next = &job->bonds->next_sites[block * THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        next[k] = (old[k] & 0xfff000) | (int32_t)full;
        if (job->state.misfit != NULL) settle_misfits(job, block * THAW_LANES + k, full, 0, 0);
    }
    sums->bonds += THAW_LANES * job->sites;
    return true;
}

// whether the bonds of a block's rows are as guessed, and so are those of all that they are bonded to
static bool is_beyond_doubt(const BondJob *job, uint32_t block) {
    const _Atomic uint8_t *doubt = &job->bonds->doubt[block * THAW_LANES];
    uint32_t any = 0;
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        any |= atomic_load_explicit(&doubt[k], memory_order_relaxed);
    }
    return any == 0;
}

// The rows of such a block: sites stay as they are.
static uint8_t settle_guess(const BondJob *job, uint32_t block, struct ThawBondSums *sums) {
    uint32_t count = THAW_WIDE_PICK(job->search->isa, thaw_bonds_accept)(&job->pass, block);
    uint32_t first = block * THAW_LANES;
    const int32_t *sites = &job->state.sites[first];
    memcpy(&job->bonds->next_sites[first], sites, THAW_LANES * sizeof *sites);
    for (uint32_t k = 0; job->state.misfit != NULL && k < THAW_LANES; k++) {
        settle_misfits(job, first + k, (uint32_t)sites[k] & 0xfffu, 0, 0);
    }
    sums->bonds += count;
    bool full = count == THAW_LANES * job->sites;
    return full ? THAW_BLOCK_SOLID | THAW_BLOCK_FULL : THAW_BLOCK_SOLID;
}

// returns what the block is
static uint8_t settle_block(const BondJob *job, uint32_t block, struct ThawBondSums *sums) {
    uint32_t solid = solid_rows(job, block), kept[THAW_LANES], before = sums->bonds;
    uint8_t flags = solid != 0 ? THAW_BLOCK_SOLID : 0;
    bool wide = job->wide && solid == 0xffu;
    clear_back(job, block);
    if (!wide || job->bonds->dock != NULL) clear_slots(job, block);
    if (wide && is_beyond_doubt(job, block)) return settle_guess(job, block, sums);
    if (wide && THAW_WIDE_PICK(job->search->isa, thaw_bonds_keep)(&job->pass, block, kept)) {
        flags |= THAW_BLOCK_MIXED;
    }
    if (wide && settle_full(job, block, kept, sums)) return flags | THAW_BLOCK_FULL;
    for (; solid != 0; solid &= solid - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(solid), row = block * THAW_LANES + k;
        settle_row(job, row, wide ? kept[k] : settle_kept(job, row, &flags), sums, &flags);
    }
    if (sums->bonds - before == THAW_LANES * job->sites) flags |= THAW_BLOCK_FULL;
    return flags;
}

// how many rows are young and fresh, as what the chunk will make and lose: settling writes that anew
static void scan_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->search->store->count, ROW_CHUNK);
    uint32_t young = 0, fresh = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        young += thaw_lattice_is_young(&job->state, row);
        fresh += job->state.sites[row] == THAW_SITES_FRESH;
    }
    job->bonds->sums[chunk].made = young;
    job->bonds->sums[chunk].lost = fresh;
}

static void scan_rows(BondJob *job) {
    uint32_t chunks = thaw_chunk_count(job->search->store->count, ROW_CHUNK);
    thaw_parallel_run(job->search->parallel, scan_chunk, job, chunks);
    for (uint32_t c = 0; c < chunks; c++) {
        job->young = job->young || job->bonds->sums[c].made > 0;
        job->fresh = job->fresh || job->bonds->sums[c].lost > 0;
    }
}

// ---------------------------------------------------------------- guesses

// where rows of the last search are now; nothing is in doubt yet
static void number_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->search->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        job->bonds->now[job->search->was[row]] = row;
    }
}

static void guess_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->bonds->blocks, THAW_BOND_CHUNK);
    for (uint32_t b = range.begin; b < range.end; b++) {
        THAW_WIDE_PICK(job->search->isa, thaw_bonds_guess)(&job->pass, b);
    }
}

// Whether slots are those of the same rows, in their order of then or now; and whether their form is one that guesses
// are made for.
static bool may_guess(const BondJob *job) {
    const ThawBondSearch *search = job->search;
    const ThawDomain *domain = search->domain;
    bool periodic = domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
    uint64_t then = job->bonds->revision, now = search->store->revision;
    bool known = then != 0 && (then == now || (then == search->was_revision && then + 1 == now));
    return known && job->wide && domain->dimensions == 3 && !periodic;
}

// Guesses all candidates, or none: then everything is in doubt.
static void guess_all(BondJob *job) {
    ThawBonds *bonds = job->bonds;
    uint32_t rows = job->search->store->count;
    bool guesses = may_guess(job);
    memset((void *)bonds->doubt, guesses ? 0 : 1, (size_t)rows + THAW_LANES);
    if (!guesses) return;
    ThawParallel *parallel = job->search->parallel;
    if (bonds->revision != job->search->store->revision) {
        thaw_parallel_run(parallel, number_chunk, job, thaw_chunk_count(rows, ROW_CHUNK));
        job->pass.was = job->search->was;
        job->pass.now = bonds->now;
    }
    job->pass.vacancies = job->fresh || job->search->docks;
    job->pass.around = bonds->around;
    thaw_parallel_run(parallel, guess_chunk, job, thaw_chunk_count(bonds->blocks, THAW_BOND_CHUNK));
}

// ---------------------------------------------------------------- settling

static void settle_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->bonds->blocks, THAW_BOND_CHUNK);
    struct ThawBondSums sums = {0};
    for (uint32_t b = range.begin; b < range.end; b++) {
        job->bonds->block[b] = settle_block(job, b, &sums);
    }
    job->bonds->sums[chunk] = sums;
}

static void keep_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->search->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if ((job->search->traits[row] & THAW_TRAIT_SOLID) == 0) continue;
        job->state.sites[row] = job->bonds->next_sites[row];
    }
}

// blocks with a misfit on either side of a bond
static void mark_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BondJob *job = context;
    const ThawBonds *bonds = job->bonds;
    const int32_t *misfit = job->state.misfit;
    ThawRange range = thaw_chunk_range(chunk, bonds->blocks, THAW_BOND_CHUNK);
    for (uint32_t b = range.begin; b < range.end; b++) {
        uint32_t first = b * THAW_LANES, off = 0;
        if ((bonds->block[b] & THAW_BLOCK_SOLID) == 0) continue;
        for (uint32_t row = first; row < first + THAW_LANES; row++) {
            if (row >= job->search->store->count) break;
            if ((job->search->traits[row] & THAW_TRAIT_SOLID) == 0) continue;
            for (uint32_t s = 0; s < job->sites; s++) {
                size_t at = thaw_bond_at(row, s), other = bonds->slot[at];
                if (other == row) continue;
                off |= (uint32_t)(misfit[THAW_MISFITS * (size_t)row + s] |
                                  misfit[THAW_MISFITS * other + bonds->back[at]]);
            }
        }
        if (off != 0) bonds->block[b] |= THAW_BLOCK_OFF | THAW_BLOCK_MIXED;
    }
}

// ---------------------------------------------------------------- the search

static ThawBondPass make_pass(ThawBonds *bonds, const ThawBondSearch *search,
                              const ThawLatticeState *state) {
    ThawBondPass pass = {.dimensions = search->domain->dimensions,
                         .rows = search->store->count,
                         .segments = thaw_neighbors_segments(search->neighbors),
                         .place = search->place,
                         .group = search->group,
                         .unit = search->unit,
                         .map = state->map,
                         .sites = state->sites,
                         .support = search->support,
                         .lone = search->lone,
                         .state = state,
                         .candidate = bonds->candidate,
                         .fits = bonds->fits,
                         .slot = bonds->slot,
                         .blocks = bonds->blocks,
                         .block = bonds->block,
                         .crowd = bonds->crowd,
                         .doubt = bonds->doubt,
                         .material = search->uniform ? NULL : search->store->material};
    pass.clusters = thaw_neighbors_clusters(search->neighbors, &pass.cluster_count);
    for (int a = 0; a < 3; a++) {
        if (search->domain->periodic[a])
            pass.period[a] = thaw_place_from(search->domain->length[a]);
    }
    return pass;
}

ThawResult thaw_bonds_find(ThawBonds *bonds, ThawBondSearch *search) {
    uint32_t rows = search->store->count;
    if (rows >= THAW_BOND_HELD) {
        return thaw_fail(THAW_BAD_INPUT, "a world with solids holds at most %u particles",
                         THAW_BOND_HELD - 1);
    }
    if (!reserve_all(bonds, rows, search->docks)) {
        return thaw_fail_memory((size_t)rows * THAW_SITES * 13);
    }
    BondJob job = {.bonds = bonds,
                   .search = search,
                   .state = thaw_lattice_state(search->store),
                   .sites = thaw_sites(search->domain->dimensions)->count,
                   .wide = rows < UINT32_MAX / (THAW_SITES * sizeof(uint32_t))};
    job.pass = make_pass(bonds, search, &job.state);
    scan_rows(&job);
    guess_all(&job);
    uint32_t chunks = thaw_chunk_count(bonds->blocks, THAW_BOND_CHUNK);
    thaw_parallel_run(search->parallel, candidates_chunk, &job,
                      thaw_chunk_count(job.pass.cluster_count, THAW_BOND_CHUNK));
    thaw_parallel_run(search->parallel, settle_chunk, &job, chunks);
    thaw_parallel_run(search->parallel, keep_chunk, &job, thaw_chunk_count(rows, ROW_CHUNK));
    if (job.state.misfit != NULL) thaw_parallel_run(search->parallel, mark_chunk, &job, chunks);
    search->bonds = search->lost = search->made = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        search->bonds += bonds->sums[c].bonds;
        search->lost += bonds->sums[c].lost;
        search->made += bonds->sums[c].made;
    }
    search->bonds /= 2;
    search->made /= 2;
    bonds->revision = search->store->revision;
    return THAW_OK;
}
