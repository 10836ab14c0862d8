// The caps of open meshes away from their triangles: bricks that the surface |w| = 1/2 comes near to. Where the rim is
// far, w changes slowly, and pages or bricks that cannot hold such a place are passed over.
#include "geometry/field_sign.h"

#include "base/memory.h"
#include "base/result.h"
#include <math.h>

typedef struct Caps {
    ThawSigner signer;
    uint64_t (*has)[8]; // of pages: bricks that triangles are near to
    uint64_t (*cap)[8]; // of pages: bricks that a cap may be near to
} Caps;

// whether the page may be near to one
static bool may_be_near(const Caps *caps, const int32_t cell[3]) {
    const ThawField *field = caps->signer.field;
    double offset = fabs(field->report.offset / field->report.cell);
    double middle[3], around = 55.43 + (double)field->grid.limit + offset; // half a diagonal
    for (int a = 0; a < 3; a++) middle[a] = (double)cell[a] + 32.0;
    double change = thaw_rim_change(caps->signer.rim, middle, around, around);
    // w is at most a few: most of the field needs no more than this
    if (change < 1e-6) return false;
    return change >= fabs(fabs(thaw_signer_wind(&caps->signer, middle)) - 0.5);
}

static void find_page(void *context, uint32_t page, uint32_t worker) {
    Caps *caps = context;
    const ThawFieldGrid *grid = &caps->signer.field->grid;
    int32_t cell[3];
    bool any = false;
    (void)worker;
    for (int k = 0; k < 8; k++) any = any || caps->has[page][k] != 0;
    thaw_key_cell(grid, page * THAW_PAGE_BRICKS, cell);
    if (!any && !may_be_near(caps, cell)) return;
    for (uint32_t k = 0; k < THAW_PAGE_BRICKS; k++) {
        uint64_t bit = (uint64_t)1 << (k & 63);
        if (caps->has[page][k >> 6] & bit) continue;
        thaw_key_cell(grid, page * THAW_PAGE_BRICKS + k, cell);
        if (thaw_signer_cap_near(&caps->signer, cell, 0)) caps->cap[page][k >> 6] |= bit;
    }
}

// bricks of both kinds in ascending order; those of caps have no triangles
static ThawResult merge_bricks(const Caps *caps, uint32_t pages, ThawRaster *raster) {
    uint64_t count = raster->brick_count;
    for (uint32_t k = 0; k < 8 * pages; k++) {
        count += (uint64_t)__builtin_popcountll(caps->cap[k / 8][k % 8]);
    }
    uint32_t *keys = thaw_alloc(sizeof *keys * (size_t)count);
    uint64_t *first = thaw_alloc(sizeof *first * (size_t)(count + 1));
    if (keys == NULL || first == NULL) {
        thaw_free(keys);
        thaw_free(first);
        return thaw_fail_memory(12 * (size_t)count);
    }
    uint32_t old = 0, put = 0;
    for (uint32_t key = 0; put < count; key++) {
        uint32_t page = key / THAW_PAGE_BRICKS, word = key % THAW_PAGE_BRICKS >> 6;
        uint64_t both = caps->has[page][word] | caps->cap[page][word];
        if (both == 0) key |= 63u; // none of these sixty-four
        if (!(both >> (key & 63) & 1u)) continue;
        keys[put] = key;
        first[put++] = raster->first[old];
        if (raster->keys[old] == key) old++;
    }
    first[put] = raster->first[raster->brick_count];
    thaw_free(raster->keys);
    thaw_free(raster->first);
    raster->keys = keys;
    raster->first = first;
    raster->brick_count = put;
    return THAW_OK;
}

ThawResult thaw_caps_add(const ThawField *field, const ThawRim *rim, ThawParallel *parallel,
                         ThawRaster *raster) {
    if (rim->count == 0 || !rim->capped) return THAW_OK;
    const int32_t *n = field->grid.pages;
    uint32_t pages = (uint32_t)n[0] * (uint32_t)n[1] * (uint32_t)n[2];
    ThawIsa isa = THAW_ISA_BASELINE;
    thaw_isa_resolve(THAW_ISA_AUTO, &isa);
    Caps caps = {.signer = {field, rim, thaw_rim_sample(isa)}};
    caps.has = thaw_alloc(sizeof *caps.has * pages);
    caps.cap = thaw_alloc(sizeof *caps.cap * pages);
    ThawResult result = THAW_OK;
    if (caps.has == NULL || caps.cap == NULL) {
        result = thaw_fail_memory(2 * sizeof *caps.has * pages);
    } else {
        for (uint32_t k = 0; k < raster->brick_count; k++) {
            uint32_t entry = raster->keys[k] % THAW_PAGE_BRICKS;
            caps.has[raster->keys[k] / THAW_PAGE_BRICKS][entry >> 6] |= (uint64_t)1 << (entry & 63);
        }
        thaw_parallel_run(parallel, find_page, &caps, pages);
        result = merge_bricks(&caps, pages, raster);
    }
    thaw_free(caps.has);
    thaw_free(caps.cap);
    return result;
}
