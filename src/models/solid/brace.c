// Long bonds: stiffness beyond what the lattice's own bonds can carry in a substep.
//
// The stiffest wave limits k, and Young's modulus is k times the square of a bond's length: bonds that span
// four sites carry sixteen times the modulus at the same k. So a kind that is stiffer than the step carries
// gets, beside its own bonds at their limit, long ones between particles that four bonds in one direction lead
// to. They are found from the bonds at every search, and act by the same passes with four times the distance.
// Long waves, which is what one sees of a stiff body, then act up to 1 + 16 RELIEF times stiffer.
#include "models/solid/solid.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>
#include <string.h>

#define RELIEF 0.25 // the long bonds' k as a share of the lattice's own, on top of it
#define BLOCK_CHUNK 16u

double thaw_solid_brace_share(double asked, double held) {
    // what is missing, as far as it is stable; a modulus takes k over the square of the span
    double missing = (asked - held) / (THAW_BRACE * THAW_BRACE);
    return fmin(missing, RELIEF * held);
}

// where rows are `soft` each has a share of its own
static ThawSolidKind brace_kind(const ThawSolidKind *kind, bool soft) {
    const float span = THAW_BRACE;
    ThawSolidKind long_kind = *kind;
    double share = soft ? 1.0 : thaw_solid_brace_share(1, (double)kind->held_share);
    long_kind.unit = kind->unit / span;
    long_kind.distance = kind->distance * span;
    long_kind.push = kind->push * span;
    long_kind.half_k = (float)(0.5 * share * (double)kind->asked_k);
    // volume is the lattice's own affair
    long_kind.volume_k = 0;
    long_kind.damping = 0;
    long_kind.law = THAW_ELASTIC_LATTICE;
    return long_kind;
}

ThawResult thaw_solid_brace_plan(ThawSolids *solid, const ThawStep *step) {
    solid->braced = false;
    for (uint32_t k = 1; k < solid->kind_count; k++)
        solid->braced |= solid->kinds[k].held_share < 1;
    solid->braced = solid->braced && step->solver->long_bonds;
    if (!solid->braced || step->dt <= 0) return THAW_OK;
    size_t bytes = solid->kind_count * sizeof *solid->brace_kinds;
    if (!thaw_scratch((void **)&solid->brace_kinds, &solid->brace_kinds_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    solid->brace_kinds[0] = solid->kinds[0];
    for (uint32_t k = 1; k < solid->kind_count; k++) {
        solid->brace_kinds[k] = brace_kind(&solid->kinds[k], step->stiffness != NULL);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- finding

typedef struct BraceJob {
    ThawSolids *solid;
    uint32_t rows;
    ThawIsa isa;
    bool wide;             // blocks are taken eight rows at a time
    const int32_t *misfit; // or NULL
} BraceJob;

// where four bonds in one direction lead, or the row itself; never to another kind, which may have no long bonds, nor
// out of a lattice
static uint32_t follow(const BraceJob *job, uint32_t row, uint32_t site) {
    const ThawSolids *solid = job->solid;
    const ThawBonds *bonds = &solid->bonds;
    uint32_t at = row;
    for (int k = 0; k < THAW_BRACE; k++) {
        size_t bond = thaw_bond_at(at, site);
        uint32_t next = bonds->slot[bond];
        if (next == at || bonds->back[bond] != (site ^ 1u)) return row;
        if (solid->kind[next] != solid->kind[row]) return row;
        if (job->misfit != NULL && (job->misfit[THAW_MISFITS * (size_t)at + site] |
                                    job->misfit[THAW_MISFITS * (size_t)next + (site ^ 1u)]) != 0) {
            return row;
        }
        at = next;
    }
    return at;
}

// which lanes of a block have long bonds at all
static uint32_t stiff_lanes(const BraceJob *job, uint32_t block) {
    const ThawSolids *solid = job->solid;
    uint32_t mask = 0;
    for (uint32_t k = 0; k < THAW_LANES && block * THAW_LANES + k < job->rows; k++) {
        uint16_t kind = solid->kind[block * THAW_LANES + k];
        if (kind != 0 && solid->kinds[kind].held_share < 1) mask |= 1u << k;
    }
    return mask;
}

// a block's long bonds, one by one
static void find_slots(const BraceJob *job, uint32_t block, uint32_t lanes, uint32_t *slots) {
    for (uint32_t s = 0; s < THAW_SITES; s++, slots += THAW_LANES) {
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            uint32_t row = block * THAW_LANES + k, own = row < job->rows ? row : job->rows - 1;
            slots[k] = (lanes >> k & 1u) != 0 ? follow(job, row, s) : own;
        }
    }
}

static void find_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const BraceJob *job = context;
    const ThawBonds *bonds = &job->solid->bonds;
    ThawBonds *brace = &job->solid->brace;
    const ThawBraceFollow follow_all = {bonds->slot,
                                        job->solid->kind_count == 2 ? NULL : job->solid->kind};
    ThawRange range = thaw_chunk_range(chunk, bonds->blocks, BLOCK_CHUNK);
    for (uint32_t b = range.begin; b < range.end; b++) {
        uint32_t lanes = stiff_lanes(job, b);
        size_t at = thaw_bond_at(b * THAW_LANES, 0);
        brace->block[b] = bonds->block[b] & THAW_BLOCK_SOLID;
        if (job->wide && lanes == 0xffu)
            THAW_WIDE_PICK(job->isa, thaw_brace_follow)(&follow_all, b, &brace->slot[at]);
        else
            find_slots(job, b, lanes, &brace->slot[at]);
        for (uint32_t s = 0; s < THAW_SITES; s++, at += THAW_LANES) {
            memset(&brace->back[at], (int)(s ^ 1u), THAW_LANES);
        }
    }
}

// whether all bonds are between opposite sites, and few enough for 32-bit numbers
static bool is_straight(const ThawBonds *bonds) {
    for (uint32_t b = 0; b < bonds->blocks; b++) {
        if ((bonds->block[b] & THAW_BLOCK_MIXED) != 0) return false;
    }
    return bonds->blocks < INT32_MAX / (THAW_SITES * THAW_LANES);
}

ThawResult thaw_solid_brace_find(ThawSolids *solid, const ThawStep *step) {
    if (!solid->braced || solid->brace_found) return THAW_OK;
    ThawBonds *brace = &solid->brace;
    size_t cells = (size_t)solid->bonds.blocks * THAW_SITES * THAW_LANES;
    if (!thaw_scratch((void **)&brace->slot, &brace->slot_bytes, cells * sizeof *brace->slot) ||
        !thaw_scratch((void **)&brace->back, &brace->back_bytes, cells) ||
        !thaw_scratch((void **)&brace->block, &brace->block_bytes, solid->bonds.blocks)) {
        return thaw_fail_memory(cells * 5);
    }
    brace->blocks = solid->bonds.blocks;
    BraceJob job = {solid, step->store->count, step->isa, is_straight(&solid->bonds),
                    thaw_lattice_state(step->store).misfit};
    thaw_parallel_run(step->parallel, find_chunk, &job,
                      thaw_chunk_count(brace->blocks, BLOCK_CHUNK));
    solid->brace_found = true;
    return THAW_OK;
}

// ---------------------------------------------------------------- acting

ThawSolidPass thaw_solid_brace_pass(ThawSolids *solid, const ThawStep *step) {
    ThawSolidPass pass = thaw_solid_pass(solid, step);
    pass.bonds = &solid->brace;
    pass.kinds = solid->brace_kinds;
    pass.soft = solid->softens ? solid->brace_soft : NULL;
    pass.damped = false;
    pass.uneven = true;
    // each long neighbourhood turns by itself, from where the short one is
    pass.passing = true;
    pass.state.misfit = NULL;
    for (int a = 0; a < 3; a++) pass.gravity[a] = 0;
    return pass;
}

void thaw_solid_brace_kick(ThawSolids *solid, ThawStep *step) {
    ThawSolidPass pass = thaw_solid_brace_pass(solid, step);
    thaw_solid_run(step, &pass, THAW_WIDE_PICK(step->isa, thaw_solid_frames));
    thaw_solid_run(step, &pass, THAW_WIDE_PICK(step->isa, thaw_solid_kick));
}
