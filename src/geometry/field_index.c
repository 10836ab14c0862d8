// Pages and tables above the bricks. Where there is no brick an entry tells the side and how far the surface is at
// least: bricks of absent places are at least a band away from it, and those between add their width.
#include "geometry/field_raster.h"

#include "base/memory.h"
#include "base/result.h"
#include <math.h>

enum { UNKNOWN = INT32_MIN, EDGE = 24 };

typedef struct Index {
    ThawField *field;
    uint8_t *near;      // of pages: 2 = has bricks, 1 = beside such, 0 = else
    uint32_t *queue;    // of bricks or pages that pass on their side
    uint32_t *place;    // of tables: their page
    uint64_t (*has)[8]; // of tables: a bit for each brick that there is
} Index;

static const int32_t sides[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

static uint32_t page_count(const ThawFieldGrid *grid) {
    return (uint32_t)grid->pages[0] * (uint32_t)grid->pages[1] * (uint32_t)grid->pages[2];
}

static void split_page(const ThawFieldGrid *grid, uint32_t page, int32_t at[3]) {
    at[0] = (int32_t)(page % (uint32_t)grid->pages[0]);
    at[1] = (int32_t)(page / (uint32_t)grid->pages[0] % (uint32_t)grid->pages[1]);
    at[2] = (int32_t)(page / (uint32_t)grid->pages[0] / (uint32_t)grid->pages[1]);
}

// false outside of the grid
static bool step_page(const ThawFieldGrid *grid, const int32_t at[3], const int32_t step[3],
                      uint32_t *page) {
    int32_t to[3];
    for (int a = 0; a < 3; a++) {
        to[a] = at[a] + step[a];
        if (to[a] < 0 || to[a] >= grid->pages[a]) return false;
    }
    *page =
        ((uint32_t)to[2] * (uint32_t)grid->pages[1] + (uint32_t)to[1]) * (uint32_t)grid->pages[0] +
        (uint32_t)to[0];
    return true;
}

// ---------------------------------------------------------------- tables

static void mark_pages(Index *index, const uint32_t *keys) {
    const ThawFieldGrid *grid = &index->field->grid;
    for (uint32_t k = 0; k < index->field->brick_count; k++) {
        index->near[keys[k] / THAW_PAGE_BRICKS] = 2;
    }
    for (uint32_t page = 0; page < page_count(grid); page++) {
        if (index->near[page] != 2) continue;
        int32_t at[3];
        uint32_t other;
        split_page(grid, page, at);
        for (int n = 0; n < 27; n++) {
            int32_t step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            if (step_page(grid, at, step, &other) && index->near[other] == 0) {
                index->near[other] = 1;
            }
        }
    }
}

static ThawResult make_tables(Index *index, const uint32_t *keys) {
    ThawField *field = index->field;
    uint32_t pages = page_count(&field->grid);
    for (uint32_t k = 0; k < pages; k++) field->table_count += index->near[k] != 0;
    size_t entries = (size_t)field->table_count * THAW_PAGE_BRICKS;
    size_t most = entries > pages ? entries : pages;
    field->tables = thaw_alloc(sizeof *field->tables * (entries + 1));
    index->place = thaw_alloc(sizeof *index->place * ((size_t)field->table_count + 1));
    index->queue = thaw_alloc(sizeof *index->queue * (most + 1));
    index->has = thaw_alloc(sizeof *index->has * ((size_t)field->table_count + 1));
    if (!field->tables || !index->place || !index->queue || !index->has) {
        return thaw_fail_memory(8 * entries);
    }
    uint32_t next = 0;
    for (uint32_t k = 0; k < pages; k++) {
        field->pages[k] = UNKNOWN;
        if (index->near[k] == 0) continue;
        index->place[next] = k;
        field->pages[k] = (int32_t)next++;
    }
    for (size_t k = 0; k < entries; k++) field->tables[k] = UNKNOWN;
    for (uint32_t k = 0; k < field->brick_count; k++) {
        size_t table = (size_t)field->pages[keys[k] / THAW_PAGE_BRICKS];
        uint32_t entry = keys[k] % THAW_PAGE_BRICKS;
        field->tables[table * THAW_PAGE_BRICKS + entry] = (int32_t)k;
        index->has[table][entry >> 6] |= (uint64_t)1 << (entry & 63);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- sides

// the first entry number of a table, and the place of a brick in bricks of the grid
static void split_entry(const Index *index, uint32_t entry, int32_t at[3]) {
    uint32_t local = entry % THAW_PAGE_BRICKS;
    split_page(&index->field->grid, index->place[entry / THAW_PAGE_BRICKS], at);
    at[0] = at[0] * 8 + (int32_t)(local & 7);
    at[1] = at[1] * 8 + (int32_t)(local >> 3 & 7);
    at[2] = at[2] * 8 + (int32_t)(local >> 6);
}

// the entry beside another; false where there is no table
static bool step_entry(const Index *index, const int32_t at[3], const int32_t step[3],
                       uint32_t *entry) {
    const ThawField *field = index->field;
    int32_t cell[3];
    for (int a = 0; a < 3; a++) {
        cell[a] = 8 * (at[a] + step[a]);
        if (cell[a] < 0 || cell[a] >= field->grid.pages[a] * 64) return false;
    }
    int32_t page = field->pages[thaw_page_of(&field->grid, cell)];
    if (page < 0) return false;
    *entry = (uint32_t)page * THAW_PAGE_BRICKS + (uint32_t)thaw_entry_of(cell);
    return true;
}

// the side of a brick's face: all of it lies out of the band when there is no brick beyond it
static bool face_is_inside(const ThawField *field, int32_t brick, const int32_t step[3]) {
    int32_t at[3];
    for (int a = 0; a < 3; a++) at[a] = 4 + 4 * step[a];
    size_t corner = thaw_corner_of(at[0], at[1], at[2]);
    return field->distance[(size_t)brick * THAW_BRICK_STRIDE + corner] < 0;
}

// entries without brick beside bricks take their side from them
static uint32_t seed_sides(Index *index) {
    ThawField *field = index->field;
    uint32_t queued = 0, entries = field->table_count * (uint32_t)THAW_PAGE_BRICKS, other;
    for (uint32_t entry = 0; entry < entries; entry++) {
        int32_t brick = field->tables[entry], at[3];
        if (brick < 0) continue;
        split_entry(index, entry, at);
        for (int s = 0; s < 6; s++) {
            if (!step_entry(index, at, sides[s], &other)) continue;
            if (field->tables[other] != UNKNOWN) continue;
            field->tables[other] = thaw_far_code(1, face_is_inside(field, brick, sides[s]));
            index->queue[queued++] = other;
        }
    }
    return queued;
}

static void spread_sides(Index *index, uint32_t queued) {
    ThawField *field = index->field;
    for (uint32_t next = 0; next < queued; next++) {
        int32_t at[3];
        uint32_t other;
        split_entry(index, index->queue[next], at);
        for (int s = 0; s < 6; s++) {
            if (!step_entry(index, at, sides[s], &other)) continue;
            if (field->tables[other] != UNKNOWN) continue;
            field->tables[other] = field->tables[index->queue[next]];
            index->queue[queued++] = other;
        }
    }
    // what nothing reaches is outside
    for (size_t k = 0; k < (size_t)field->table_count * THAW_PAGE_BRICKS; k++) {
        if (field->tables[k] == UNKNOWN) field->tables[k] = thaw_far_code(1, false);
    }
}

// the entry of a table that looks at the middle of the page beside it
static int32_t facing_entry(const ThawField *field, int32_t table, const int32_t step[3]) {
    int32_t at[3];
    for (int a = 0; a < 3; a++) at[a] = step[a] < 0 ? 0 : step[a] > 0 ? 7 : 4;
    return field
        ->tables[(size_t)table * THAW_PAGE_BRICKS + (size_t)(at[2] << 6 | at[1] << 3 | at[0])];
}

// Pages without tables: their side, and how many pages away the nearest with bricks is. They are reached from
// those beside bricks outwards, diagonals too, so that the number is exact.
static void spread_pages(Index *index) {
    ThawField *field = index->field;
    const ThawFieldGrid *grid = &field->grid;
    uint32_t queued = 0, pages = page_count(grid);
    for (uint32_t page = 0; page < pages; page++) {
        if (field->pages[page] >= 0) index->queue[queued++] = page;
    }
    uint32_t begin = 0;
    for (int steps = 2; begin < queued; steps++) {
        uint32_t end = queued;
        double bound = ((double)grid->band + 64.0 * (steps - 1)) * grid->cell;
        for (; begin < end; begin++) {
            int32_t at[3];
            uint32_t other, page = index->queue[begin];
            split_page(grid, page, at);
            for (int n = 0; n < 27; n++) {
                int32_t step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
                if (!step_page(grid, at, step, &other) || field->pages[other] != UNKNOWN) continue;
                int32_t code = field->pages[page];
                if (code >= 0) code = facing_entry(field, code, step);
                field->pages[other] = thaw_far_code(bound, thaw_far_distance(code) < 0);
                index->queue[queued++] = other;
            }
        }
    }
    for (uint32_t page = 0; page < pages; page++) {
        double far = ((double)grid->band + 64.0) * grid->cell;
        if (field->pages[page] == UNKNOWN) field->pages[page] = thaw_far_code(far, false);
    }
}

// ---------------------------------------------------------------- bounds

// bricks of a page and those around it, a bit each: bit x of row [z][y]
typedef uint32_t Rows[EDGE][EDGE];

static void read_rows(const Index *index, uint32_t page, Rows rows) {
    const ThawField *field = index->field;
    int32_t at[3];
    uint32_t other;
    memset(rows, 0, sizeof(Rows));
    split_page(&field->grid, page, at);
    for (int n = 0; n < 27; n++) {
        int32_t step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        if (!step_page(&field->grid, at, step, &other) || index->near[other] != 2) continue;
        const uint64_t *has = index->has[field->pages[other]];
        for (int k = 0; k < 64; k++) {
            uint32_t row = (uint32_t)(has[k >> 3] >> (k & 7) * 8 & 0xffu);
            rows[(step[2] + 1) * 8 + (k >> 3)][(step[1] + 1) * 8 + (k & 7)] |= row
                                                                               << (step[0] + 1) * 8;
        }
    }
}

// one brick wider on every side
static void widen_rows(Rows rows) {
    static const uint32_t mask = (1u << EDGE) - 1;
    for (int z = 0; z < EDGE; z++) {
        uint32_t before = 0;
        for (int y = 0; y < EDGE; y++) {
            uint32_t row = rows[z][y];
            rows[z][y] = (row | row << 1 | row >> 1) & mask;
        }
        for (int y = 0; y < EDGE; y++) {
            uint32_t row = rows[z][y], after = y + 1 < EDGE ? rows[z][y + 1] : 0;
            rows[z][y] = before | row | after;
            before = row;
        }
    }
    for (int y = 0; y < EDGE; y++) {
        uint32_t before = 0;
        for (int z = 0; z < EDGE; z++) {
            uint32_t row = rows[z][y], after = z + 1 < EDGE ? rows[z + 1][y] : 0;
            rows[z][y] = before | row | after;
            before = row;
        }
    }
}

// Bounds of a table's entries: a brick `steps` away from the nearest leaves steps - 1 bricks between.
static void bound_table(void *context, uint32_t table, uint32_t worker) {
    Index *index = context;
    ThawField *field = index->field;
    int32_t *entries = field->tables + (size_t)table * THAW_PAGE_BRICKS;
    Rows rows;
    uint8_t away[THAW_PAGE_BRICKS];
    (void)worker;
    read_rows(index, index->place[table], rows);
    memset(away, 9, sizeof away);
    for (int steps = 1; steps <= 8; steps++) {
        widen_rows(rows);
        for (int k = 0; k < THAW_PAGE_BRICKS; k++) {
            bool hit = rows[8 + (k >> 6)][8 + (k >> 3 & 7)] >> (8 + (k & 7)) & 1u;
            if (hit && away[k] == 9) away[k] = (uint8_t)steps;
        }
    }
    for (int k = 0; k < THAW_PAGE_BRICKS; k++) {
        if (entries[k] >= 0) continue;
        double bound = (double)field->grid.band + 8.0 * (away[k] - 1);
        entries[k] = thaw_far_code(bound * field->grid.cell, thaw_far_distance(entries[k]) < 0);
    }
}

// ---------------------------------------------------------------- all of it

ThawResult thaw_field_index(ThawField *field, const uint32_t *keys, ThawParallel *parallel) {
    uint32_t pages = page_count(&field->grid);
    Index index = {.field = field};
    field->pages = thaw_alloc(sizeof *field->pages * pages);
    index.near = thaw_alloc(pages);
    ThawResult result = THAW_OK;
    if (field->pages == NULL || index.near == NULL) {
        result = thaw_fail_memory(5 * (size_t)pages);
    } else {
        mark_pages(&index, keys);
        result = make_tables(&index, keys);
    }
    if (result == THAW_OK) {
        spread_sides(&index, seed_sides(&index));
        spread_pages(&index);
        thaw_parallel_run(parallel, bound_table, &index, field->table_count);
    }
    thaw_free(index.near);
    thaw_free(index.place);
    thaw_free(index.queue);
    thaw_free(index.has);
    return result;
}
