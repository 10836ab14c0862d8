// Fields: made from meshes, shared, and let go. The work is in the other field_*.c: field_wind (which way triangles
// face), field_raster (which are near which bricks), field_caps and field_sign (inside and outside), field_fill (the
// bricks), field_index (what is above them), field_measure (volume).
#include "geometry/field.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/result.h"
#include "geometry/field_bricks.h"
#include "geometry/mesh_inspect.h"
#include "math/vec.h"
#include <math.h>

enum { MOST_PAGES = 1 << 23 };

ThawFieldDef thaw_field_default(void) {
    return (ThawFieldDef){.mode = THAW_FIELD_SOLID, .band = 3};
}

// ---------------------------------------------------------------- checks

static ThawResult check_def(const ThawFieldDef *def) {
    if (def->mode != THAW_FIELD_SOLID && def->mode != THAW_FIELD_SHELL) {
        return thaw_fail(THAW_BAD_INPUT, "mode must be one of ThawFieldMode, not %d",
                         (int)def->mode);
    }
    if (!(isfinite(def->cell) && def->cell > 0)) {
        return thaw_fail(THAW_BAD_INPUT, "cell must be finite and above 0 m, not %g", def->cell);
    }
    if (!(def->band >= 2 && def->band <= 64)) {
        return thaw_fail(THAW_BAD_INPUT, "band must be 2 to 64 cells, not %g", def->band);
    }
    if (!(fabs(def->offset) <= 1e4 * def->cell)) {
        return thaw_fail(THAW_BAD_INPUT, "offset must be at most 10,000 cells (%g m), not %g m",
                         1e4 * def->cell, def->offset);
    }
    bool thin = def->mode == THAW_FIELD_SHELL && def->offset != 0 && def->offset < 0.5 * def->cell;
    if (thin) {
        return thaw_fail(THAW_BAD_INPUT,
                         "offset of a shell must be at least half a cell (%g m), not %g m",
                         0.5 * def->cell, def->offset);
    }
    if (def->threads < 0 || def->threads > 256) {
        return thaw_fail(THAW_BAD_INPUT, "threads must be 0 to 256, not %d", def->threads);
    }
    return THAW_OK;
}

static ThawResult check_paint(const ThawMesh *mesh, const ThawPaint *paint, const char *name) {
    for (uint32_t k = 0; paint->values != NULL && k < mesh->point_count; k++) {
        if (!isfinite(paint->values[k])) {
            return thaw_fail(THAW_BAD_INPUT, "painted %s of point %u is not finite", name, k);
        }
    }
    if (paint->image == NULL) return THAW_OK;
    if (mesh->uv == NULL || paint->width == 0 || paint->height == 0) {
        return thaw_fail(THAW_BAD_INPUT,
                         "painted %s by an image needs texture coordinates, width and height",
                         name);
    }
    size_t texels = (size_t)paint->width * paint->height;
    for (size_t k = 0; k < texels; k++) {
        if (!isfinite(paint->image[k])) {
            return thaw_fail(THAW_BAD_INPUT, "texel %zu of painted %s is not finite", k, name);
        }
    }
    return THAW_OK;
}

ThawResult thaw_field_check_paints(const ThawMesh *mesh) {
    static const char *const names[THAW_PAINTS] = {"friction", "adhesion", "temperature"};
    for (int k = 0; k < THAW_PAINTS; k++) {
        ThawResult result = check_paint(mesh, &mesh->paint[k], names[k]);
        if (result != THAW_OK) return result;
    }
    for (size_t k = 0; mesh->uv != NULL && k < 3 * (size_t)mesh->triangle_count; k++) {
        if (!isfinite(mesh->uv[k][0]) || !isfinite(mesh->uv[k][1])) {
            return thaw_fail(THAW_BAD_INPUT, "texture coordinates of triangle %zu are not finite",
                             k / 3);
        }
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- the mesh's copy

static bool copy_array(const void *from, size_t bytes, void **copy) {
    void *to = from == NULL ? NULL : thaw_alloc(bytes);
    if (to != NULL) memcpy(to, from, bytes);
    *copy = to;
    return from == NULL || to != NULL;
}

ThawResult thaw_field_copy_mesh(ThawField *field, const ThawMesh *mesh) {
    ThawMesh *own = &field->mesh;
    void *copy;
    size_t corners = 3 * (size_t)mesh->triangle_count, points = mesh->point_count;
    own->point_count = mesh->point_count;
    own->triangle_count = mesh->triangle_count;
    bool ok = copy_array(mesh->points, points * sizeof *mesh->points, &copy);
    own->points = copy;
    ok &= copy_array(mesh->triangles, corners * sizeof(uint32_t), &copy);
    own->triangles = copy;
    ok &= copy_array(mesh->uv, corners * sizeof *mesh->uv, &copy);
    own->uv = copy;
    for (int k = 0; k < THAW_PAINTS; k++) {
        const ThawPaint *paint = &mesh->paint[k];
        size_t texels = (size_t)paint->width * paint->height;
        own->paint[k] = (ThawPaint){.width = paint->width, .height = paint->height};
        ok &= copy_array(paint->values, points * sizeof *paint->values, &copy);
        own->paint[k].values = copy;
        ok &= copy_array(paint->image, texels * sizeof *paint->image, &copy);
        own->paint[k].image = copy;
    }
    return ok ? THAW_OK : thaw_fail_memory(points * sizeof *mesh->points + corners * 4);
}

static void free_array(const void *array) {
    // arrays of our own, seen through the mesh's pointers to const
    thaw_free((void *)(uintptr_t)array);
}

static size_t mesh_bytes(const ThawMesh *mesh) {
    size_t corners = 3 * (size_t)mesh->triangle_count;
    size_t bytes = mesh->point_count * sizeof *mesh->points + corners * sizeof(uint32_t);
    bytes += mesh->uv ? corners * sizeof *mesh->uv : 0;
    for (int k = 0; k < THAW_PAINTS; k++) {
        const ThawPaint *paint = &mesh->paint[k];
        bytes += paint->values ? mesh->point_count * sizeof(float) : 0;
        bytes += paint->image ? (size_t)paint->width * paint->height * sizeof(float) : 0;
    }
    return bytes;
}

uint64_t thaw_field_bytes(const ThawField *field) {
    const int32_t *n = field->grid.pages;
    uint64_t bytes = sizeof *field + mesh_bytes(&field->mesh) + thaw_bvh_bytes(field->bvh);
    if (field->wound.triangles != field->mesh.triangles)
        bytes += 12 * (uint64_t)field->mesh.triangle_count;
    bytes += sizeof(int32_t) * (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2];
    bytes += sizeof(int32_t) * THAW_PAGE_BRICKS * (uint64_t)field->table_count;
    bytes += (sizeof(int16_t) * THAW_BRICK_STRIDE + sizeof(ThawBrickClosest)) *
             (uint64_t)field->brick_count;
    return bytes + sizeof(uint32_t) * (uint64_t)field->list_count + field->code_bytes;
}

void thaw_field_clear(ThawField *field) {
    if (field == NULL) return;
    thaw_bvh_destroy(field->bvh);
    if (field->wound.triangles != field->mesh.triangles) free_array(field->wound.triangles);
    free_array(field->mesh.points);
    free_array(field->mesh.triangles);
    free_array(field->mesh.uv);
    for (int k = 0; k < THAW_PAINTS; k++) {
        free_array(field->mesh.paint[k].values);
        free_array(field->mesh.paint[k].image);
    }
    thaw_free(field->pages);
    thaw_free(field->tables);
    thaw_free(field->distance);
    thaw_free(field->closest);
    thaw_free(field->lists);
    thaw_free(field->codes);
    thaw_free(field);
}

// ---------------------------------------------------------------- measures

static void find_bounds(const ThawMesh *mesh, double low[3], double high[3]) {
    for (int a = 0; a < 3; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
    }
    // points that no triangle has do not count
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            const double *p = mesh->points[mesh->triangles[t][k]];
            for (int a = 0; a < 3; a++) {
                low[a] = fmin(low[a], p[a]);
                high[a] = fmax(high[a], p[a]);
            }
        }
    }
}

static double find_area(const ThawMesh *mesh) {
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        ThawVec3 p[3];
        for (int k = 0; k < 3; k++) {
            const double *from = mesh->points[mesh->triangles[t][k]];
            p[k] = (ThawVec3){from[0], from[1], from[2]};
        }
        sum += 0.5 * thaw_length(thaw_cross(thaw_sub(p[1], p[0]), thaw_sub(p[2], p[0])));
    }
    return sum;
}

// the grid about the mesh, on whole cells of the mesh's frame
static ThawResult set_grid(ThawField *field, const double low[3], const double high[3]) {
    ThawFieldGrid *grid = &field->grid;
    ThawFieldReport *report = &field->report;
    double cell = report->cell, origin[3], pages = 1;
    // what is stored reaches over the diagonal of a cell that the band ends in
    grid->cell = cell;
    grid->band = (float)report->band;
    grid->limit = (float)(report->band + THAW_BAND_SLACK + 1.7321);
    field->unit = (float)((double)grid->limit * cell / THAW_STEPS);
    double margin = (double)grid->limit + 1.0 + fabs(report->offset) / cell;
    for (int a = 0; a < 3; a++) {
        double first = floor(low[a] / cell - margin);
        double count = ceil((high[a] / cell - first + margin) / 64.0);
        pages *= count;
        if (!(pages <= MOST_PAGES)) {
            return thaw_fail(THAW_BAD_INPUT,
                             "cell %g m is too small for a mesh %g m across: the field would have "
                             "more than %d pages of 64 cells",
                             cell, high[a] - low[a], MOST_PAGES);
        }
        origin[a] = first * cell;
        grid->pages[a] = (int32_t)count;
        grid->cells[a] = grid->pages[a] * 64;
    }
    grid->origin = (ThawVec3){origin[0], origin[1], origin[2]};
    double more = report->offset;
    report->lower = (ThawVec3){low[0] - more, low[1] - more, low[2] - more};
    report->upper = (ThawVec3){high[0] + more, high[1] + more, high[2] + more};
    return THAW_OK;
}

static ThawResult set_measures(ThawField *field, const ThawFieldDef *def) {
    bool shell = def->mode == THAW_FIELD_SHELL;
    double low[3], high[3], longest = 0;
    find_bounds(&field->mesh, low, high);
    field->report = (ThawFieldReport){.mode = def->mode,
                                      .cell = def->cell,
                                      .band = def->band,
                                      .offset = shell && def->offset == 0 ? def->cell : def->offset,
                                      .area = find_area(&field->mesh),
                                      .points = field->mesh.point_count,
                                      .triangles = field->mesh.triangle_count};
    for (int a = 0; a < 3; a++) longest = fmax(longest, high[a] - low[a]);
    if (!(field->report.area > 1e-18 * longest * longest)) {
        return thaw_fail(THAW_BAD_INPUT, "the mesh has no area: none of its %u triangles has any",
                         field->mesh.triangle_count);
    }
    return set_grid(field, low, high);
}

static ThawResult inspect_mesh(ThawField *field, ThawParallel *parallel) {
    ThawMeshFaults faults;
    ThawFieldReport *report = &field->report;
    ThawResult result = thaw_mesh_inspect(&field->mesh, field->bvh, parallel, &faults);
    if (result != THAW_OK) return result;
    report->degenerate = faults.degenerate;
    report->open_edges = faults.open_edges;
    report->crowded_edges = faults.crowded_edges;
    report->turned_edges = faults.turned_edges;
    report->self_intersections = faults.self_intersections;
    bool shell = report->mode == THAW_FIELD_SHELL;
    report->thinnest = (shell ? 2.0 * report->offset : faults.thickness) / report->cell;
    return THAW_OK;
}

// ---------------------------------------------------------------- making

static ThawResult fill_field(ThawField *field, const ThawFieldDef *def, ThawParallel *parallel,
                             bool inspect) {
    ThawResult result = set_measures(field, def);
    if (result == THAW_OK) result = thaw_field_fill(field, parallel);
    if (result == THAW_OK) result = thaw_field_measure(field, parallel);
    if (result == THAW_OK && inspect) result = inspect_mesh(field, parallel);
    return result;
}

ThawResult thaw_field_build(const ThawMesh *mesh, const ThawFieldDef *def, ThawParallel *parallel,
                            bool inspect, ThawField **field) {
    double begin = thaw_clock();
    *field = NULL;
    ThawResult result = check_def(def);
    if (result == THAW_OK) result = thaw_mesh_check(mesh);
    if (result == THAW_OK) result = thaw_field_check_paints(mesh);
    if (result != THAW_OK) return result;
    ThawField *made = thaw_alloc(sizeof *made);
    if (made == NULL) return thaw_fail_memory(sizeof *made);
    atomic_init(&made->references, 1);
    result = thaw_field_copy_mesh(made, mesh);
    if (result == THAW_OK) result = fill_field(made, def, parallel, inspect);
    if (result != THAW_OK) {
        thaw_field_clear(made);
        return result;
    }
    made->report.bricks = made->brick_count;
    made->report.bytes = thaw_field_bytes(made);
    made->report.seconds = thaw_clock() - begin;
    *field = made;
    return THAW_OK;
}

ThawResult thaw_field_create(const ThawMesh *mesh, const ThawFieldDef *def, ThawField **field) {
    ThawParallel *parallel;
    *field = NULL;
    ThawResult result = check_def(def);
    if (result == THAW_OK) result = thaw_parallel_create(def->threads, NULL, &parallel);
    if (result != THAW_OK) return result;
    result = thaw_field_build(mesh, def, parallel, true, field);
    thaw_parallel_destroy(parallel);
    return result;
}

ThawField *thaw_field_retain(const ThawField *field) {
    // sharing does not change what the field is
    ThawField *shared = (ThawField *)(uintptr_t)field;
    atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    return shared;
}

void thaw_field_release(ThawField *field) {
    if (field == NULL) return;
    if (atomic_fetch_sub_explicit(&field->references, 1, memory_order_acq_rel) == 1) {
        thaw_field_clear(field);
    }
}

ThawFieldReport thaw_field_report(const ThawField *field) {
    return field->report;
}

ThawMesh thaw_field_mesh(const ThawField *field) {
    return field->mesh;
}
