// Fields as bytes, and back. Numbers are written as they lie in memory, little-endian machines only; a checksum ends
// the bytes. Opening trusts nothing: sizes, indices and values are all checked, so that bytes made up with a right
// checksum can give a wrong field but never a crash.
#include "geometry/field_bricks.h"
#include "geometry/field_sign.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/mesh_inspect.h"
#include <math.h>

static const char MAGIC[8] = "thawfld1";

typedef struct Header {
    char magic[8];
    uint64_t size; // of all the bytes
    ThawFieldReport report;
    ThawFieldGrid grid;
    float unit;
    uint32_t table_count, brick_count, list_count, code_bytes;
    uint32_t point_count, triangle_count, has_uv, is_closed;
    uint32_t has_values[THAW_PAINTS], width[THAW_PAINTS], height[THAW_PAINTS];
} Header;

static uint64_t sum_bytes(const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    uint64_t sum = 0x9e3779b97f4a7c15u ^ size, word;
    for (; size >= 8; size -= 8, p += 8) {
        memcpy(&word, p, 8);
        sum = (sum ^ word) * 0xff51afd7ed558ccdu;
        sum ^= sum >> 32;
    }
    for (; size > 0; size--, p++) sum = (sum ^ *p) * 0xff51afd7ed558ccdu ^ sum >> 29;
    return sum;
}

uint64_t thaw_field_checksum(const void *bytes, size_t size) {
    return sum_bytes(bytes, size);
}

// ---------------------------------------------------------------- arrays, in order

// The arrays after the header. Sizes come from the header; addresses are a field's own.
enum { ARRAYS = 9 + 2 * THAW_PAINTS };

typedef struct Array {
    size_t bytes;
    const void *at;
} Array;

static size_t padded(size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

static size_t header_pages(const Header *header) {
    const int32_t *n = header->grid.pages;
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

static void list_sizes(const Header *header, Array arrays[ARRAYS]) {
    size_t corners = 3 * (size_t)header->triangle_count, bricks = header->brick_count;
    int n = 0;
    arrays[n++].bytes = header_pages(header) * sizeof(int32_t);
    arrays[n++].bytes = (size_t)header->table_count * THAW_PAGE_BRICKS * sizeof(int32_t);
    arrays[n++].bytes = bricks * THAW_BRICK_STRIDE * sizeof(int16_t);
    arrays[n++].bytes = bricks * sizeof(ThawBrickClosest);
    arrays[n++].bytes = (size_t)header->list_count * sizeof(uint32_t);
    arrays[n++].bytes = header->code_bytes;
    arrays[n++].bytes = (size_t)header->point_count * 3 * sizeof(double);
    arrays[n++].bytes = corners * sizeof(uint32_t);
    arrays[n++].bytes = header->has_uv ? corners * 2 * sizeof(float) : 0;
    for (int k = 0; k < THAW_PAINTS; k++) {
        arrays[n++].bytes = header->has_values[k] ? header->point_count * sizeof(float) : 0;
        arrays[n++].bytes = (size_t)header->width[k] * header->height[k] * sizeof(float);
    }
}

static void list_places(const ThawField *field, Array arrays[ARRAYS]) {
    const void *places[9] = {field->pages,       field->tables,         field->distance,
                             field->closest,     field->lists,          field->codes,
                             field->mesh.points, field->mesh.triangles, field->mesh.uv};
    for (int k = 0; k < 9; k++) arrays[k].at = places[k];
    for (int k = 0; k < THAW_PAINTS; k++) {
        arrays[9 + 2 * k].at = field->mesh.paint[k].values;
        arrays[10 + 2 * k].at = field->mesh.paint[k].image;
    }
}

// ---------------------------------------------------------------- packing

static void fill_header(const ThawField *field, Header *header) {
    memset(header, 0, sizeof *header); // gaps too
    memcpy(header->magic, MAGIC, sizeof MAGIC);
    memcpy(&header->report, &field->report, sizeof field->report);
    memset((char *)&header->report + sizeof header->report.mode, 0,
           offsetof(ThawFieldReport, cell) - sizeof header->report.mode);
    memcpy(&header->grid, &field->grid, sizeof field->grid);
    header->unit = field->unit;
    header->table_count = field->table_count;
    header->brick_count = field->brick_count;
    header->list_count = field->list_count;
    header->code_bytes = field->code_bytes;
    header->point_count = field->mesh.point_count;
    header->triangle_count = field->mesh.triangle_count;
    header->has_uv = field->mesh.uv != NULL;
    header->is_closed = field->is_closed;
    for (int k = 0; k < THAW_PAINTS; k++) {
        const ThawPaint *paint = &field->mesh.paint[k];
        header->has_values[k] = paint->values != NULL;
        header->width[k] = paint->image ? paint->width : 0;
        header->height[k] = paint->image ? paint->height : 0;
    }
}

ThawResult thaw_field_pack(const ThawField *field, void **bytes, size_t *size) {
    Header header;
    Array arrays[ARRAYS];
    fill_header(field, &header);
    list_sizes(&header, arrays);
    list_places(field, arrays);
    size_t all = padded(sizeof header);
    for (int k = 0; k < ARRAYS; k++) all += padded(arrays[k].bytes);
    header.size = all + 8;
    unsigned char *out = thaw_alloc(all + 8);
    *bytes = out;
    *size = 0;
    if (out == NULL) return thaw_fail_memory(all + 8);
    memcpy(out, &header, sizeof header);
    size_t at = padded(sizeof header);
    for (int k = 0; k < ARRAYS; k++) {
        if (arrays[k].bytes != 0) memcpy(out + at, arrays[k].at, arrays[k].bytes);
        at += padded(arrays[k].bytes);
    }
    uint64_t sum = sum_bytes(out, all);
    memcpy(out + all, &sum, 8);
    *size = all + 8;
    return THAW_OK;
}

void thaw_field_free_bytes(void *bytes) {
    thaw_free(bytes);
}

// ---------------------------------------------------------------- checks

static ThawResult damaged(const char *what) {
    return thaw_fail(THAW_BAD_INPUT, "the packed field is damaged: %s", what);
}

static bool vec_finite(ThawVec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool report_is_sound(const ThawFieldReport *report) {
    bool mode = report->mode == THAW_FIELD_SOLID || report->mode == THAW_FIELD_SHELL;
    return mode && isfinite(report->cell) && report->cell > 0 && report->band >= 2 &&
           report->band <= 64 && fabs(report->offset) <= 1e4 * report->cell &&
           vec_finite(report->lower) && vec_finite(report->upper) && report->volume >= 0 &&
           isfinite(report->volume) && report->area > 0 && isfinite(report->area) &&
           isfinite(report->thinnest) && isfinite(report->seconds);
}

static bool grid_is_sound(const Header *header) {
    const ThawFieldGrid *grid = &header->grid;
    double pages = 1;
    for (int a = 0; a < 3; a++) {
        if (grid->pages[a] < 1 || grid->pages[a] > 1 << 23) return false;
        if (grid->cells[a] != grid->pages[a] * 64) return false;
        pages *= grid->pages[a];
    }
    double limit = (double)grid->limit, unit = limit * grid->cell / THAW_STEPS;
    return pages <= 1 << 23 && vec_finite(grid->origin) && grid->cell == header->report.cell &&
           grid->band == (float)header->report.band && grid->limit > grid->band &&
           grid->limit < grid->band + 3 && fabs((double)header->unit - unit) <= 1e-6 * unit;
}

static ThawResult check_header(const void *bytes, size_t size, Header *header) {
    if (bytes == NULL || size < sizeof *header + 8) return damaged("it is too short");
    memcpy(header, bytes, sizeof *header);
    if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0) {
        return damaged("it does not begin as fields do");
    }
    if (header->size != size) return damaged("its length is not what it says");
    uint64_t sum;
    memcpy(&sum, (const unsigned char *)bytes + size - 8, 8);
    if (sum != sum_bytes(bytes, size - 8)) return damaged("its checksum is wrong");
    if (!report_is_sound(&header->report)) return damaged("its report has impossible values");
    if (!grid_is_sound(header)) return damaged("its grid has impossible values");
    bool counts = header->report.points == header->point_count &&
                  header->report.triangles == header->triangle_count &&
                  header->report.bricks == header->brick_count && header->has_uv <= 1 &&
                  header->is_closed <= 1 && header->triangle_count > 0 && header->point_count > 0 &&
                  header->table_count <= header_pages(header) &&
                  (uint64_t)header->brick_count * THAW_BRICK_STRIDE <= INT32_MAX;
    for (int k = 0; k < THAW_PAINTS; k++) {
        counts = counts && header->has_values[k] <= 1 &&
                 (header->width[k] == 0) == (header->height[k] == 0) &&
                 (header->width[k] == 0 || header->has_uv);
    }
    return counts ? THAW_OK : damaged("its counts do not agree");
}

static ThawResult check_sizes(const Header *header, size_t size, Array arrays[ARRAYS]) {
    list_sizes(header, arrays);
    size_t all = padded(sizeof *header);
    for (int k = 0; k < ARRAYS; k++) {
        if (arrays[k].bytes > size) return damaged("an array is longer than all of it");
        all += padded(arrays[k].bytes);
    }
    return all + 8 == size ? THAW_OK : damaged("its arrays do not fill it");
}

// an entry is a number below `count`, each at most once, or a far code
static bool entries_are_sound(const int32_t *entries, size_t size, uint32_t count, uint8_t *seen) {
    uint32_t found = 0;
    memset(seen, 0, (size_t)count + 1);
    for (size_t k = 0; k < size; k++) {
        if (entries[k] < 0) {
            if (!isfinite(thaw_far_distance(entries[k]))) return false;
            continue;
        }
        if ((uint32_t)entries[k] >= count || seen[entries[k]]) return false;
        seen[entries[k]] = 1;
        found++;
    }
    return found == count;
}

static bool closest_is_sound(const ThawField *field, const ThawBrickClosest *closest) {
    uint32_t known = thaw_known_count(closest, 16), bits = thaw_code_bits(closest);
    uint64_t end = (uint64_t)closest->code + (known * bits + 7) / 8;
    if ((uint64_t)closest->list + closest->count > field->list_count) return false;
    if (end > field->code_bytes) return false;
    for (uint32_t k = 0; k < known; k++) {
        if (thaw_code_get(field->codes + closest->code, bits, k) >= closest->count) return false;
    }
    return true;
}

static ThawResult check_bricks(const ThawField *field, uint8_t *seen) {
    const int32_t *n = field->grid.pages;
    size_t pages = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    if (!entries_are_sound(field->pages, pages, field->table_count, seen)) {
        return damaged("a page leads nowhere");
    }
    size_t entries = (size_t)field->table_count * THAW_PAGE_BRICKS;
    if (!entries_are_sound(field->tables, entries, field->brick_count, seen)) {
        return damaged("a table leads nowhere");
    }
    for (uint32_t k = 0; k < field->list_count; k++) {
        if (field->lists[k] >= field->mesh.triangle_count) {
            return damaged("a closest triangle is not in the mesh");
        }
    }
    for (uint32_t k = 0; k < field->brick_count; k++) {
        if (!closest_is_sound(field, &field->closest[k])) {
            return damaged("the closest triangles of a brick are not there");
        }
    }
    return THAW_OK;
}

static ThawResult check_field(const ThawField *field) {
    size_t most =
        (size_t)field->table_count > field->brick_count ? field->table_count : field->brick_count;
    uint8_t *seen = thaw_alloc(most + 1);
    if (seen == NULL) return thaw_fail_memory(most);
    ThawResult result = check_bricks(field, seen);
    thaw_free(seen);
    if (result == THAW_OK) result = thaw_mesh_check(&field->mesh);
    if (result == THAW_OK) result = thaw_field_check_paints(&field->mesh);
    return result;
}

// ---------------------------------------------------------------- unpacking

static void take_header(const Header *header, ThawField *field) {
    field->report = header->report;
    field->grid = header->grid;
    field->unit = header->unit;
    field->table_count = header->table_count;
    field->brick_count = header->brick_count;
    field->list_count = header->list_count;
    field->code_bytes = header->code_bytes;
    field->is_closed = header->is_closed;
}

static bool take_array(const unsigned char **from, size_t bytes, void **array) {
    *array = thaw_alloc(bytes + 1);
    if (*array == NULL) return false;
    memcpy(*array, *from, bytes);
    *from += padded(bytes);
    return true;
}

static ThawResult take_arrays(const Header *header, const Array arrays[ARRAYS],
                              const unsigned char *from, ThawField *field) {
    void *taken[ARRAYS] = {0};
    bool got = true;
    for (int k = 0; k < ARRAYS && got; k++) {
        bool wanted = k < 8 || arrays[k].bytes != 0;
        if (wanted) got = take_array(&from, arrays[k].bytes, &taken[k]);
    }
    field->pages = taken[0];
    field->tables = taken[1];
    field->distance = taken[2];
    field->closest = taken[3];
    field->lists = taken[4];
    field->codes = taken[5];
    field->mesh.points = taken[6];
    field->mesh.triangles = taken[7];
    field->mesh.uv = taken[8];
    field->mesh.point_count = header->point_count;
    field->mesh.triangle_count = header->triangle_count;
    for (int k = 0; k < THAW_PAINTS; k++) {
        field->mesh.paint[k] = (ThawPaint){.values = taken[9 + 2 * k],
                                           .image = taken[10 + 2 * k],
                                           .width = header->width[k],
                                           .height = header->height[k]};
    }
    field->wound = field->mesh;
    return got ? THAW_OK : thaw_fail_memory((size_t)header->size);
}

// what is not packed is made again
static ThawResult remake(ThawField *field) {
    ThawParallel *parallel;
    ThawRim rim = {0};
    ThawResult result = THAW_OK;
    if (field->report.mode == THAW_FIELD_SOLID) result = thaw_field_wind(field, &rim);
    thaw_rim_free(&rim);
    if (result == THAW_OK) result = thaw_parallel_create(0, NULL, &parallel);
    if (result != THAW_OK) return result;
    result = thaw_bvh_create(&field->wound, parallel, &field->bvh);
    thaw_parallel_destroy(parallel);
    return result;
}

ThawResult thaw_field_unpack(const void *bytes, size_t size, ThawField **field) {
    Header header;
    Array arrays[ARRAYS];
    *field = NULL;
    ThawResult result = check_header(bytes, size, &header);
    if (result == THAW_OK) result = check_sizes(&header, size, arrays);
    if (result != THAW_OK) return result;
    ThawField *made = thaw_alloc(sizeof *made);
    if (made == NULL) return thaw_fail_memory(sizeof *made);
    atomic_init(&made->references, 1);
    take_header(&header, made);
    const unsigned char *first = (const unsigned char *)bytes + padded(sizeof header);
    result = take_arrays(&header, arrays, first, made);
    if (result == THAW_OK) result = check_field(made);
    if (result == THAW_OK) result = remake(made);
    if (result != THAW_OK) {
        thaw_field_clear(made);
        return result;
    }
    *field = made;
    return THAW_OK;
}
