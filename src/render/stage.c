// Setting the stage: bounds, particles as spheres, solids as meshes, containers as edges.
//
// Embree builds with one thread: its parallel build may order leaves differently from run to run, and
// where two spheres are equally near the picture would show it.
#include "render/stage.h"
#include "render/outline.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "geometry/mesh_inspect.h"
#include "math/vec.h"

#include <stdlib.h>

#define FAR_AWAY 1e4 // units; what is farther from the middle is not drawn
#define BOUND_SAMPLES 4096

// ---------------------------------------------------------------- bounds

typedef struct Bounds {
    ThawVec3 lower, upper;
} Bounds;

static Bounds no_bounds(void) {
    return (Bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void take_in(Bounds *b, ThawVec3 p) {
    b->lower = thaw_vec(fmin(b->lower.x, p.x), fmin(b->lower.y, p.y), fmin(b->lower.z, p.z));
    b->upper = thaw_vec(fmax(b->upper.x, p.x), fmax(b->upper.y, p.y), fmax(b->upper.z, p.z));
}

static bool is_empty(const Bounds *b) {
    return !(b->lower.x <= b->upper.x);
}

static ThawVec3 position_at(const ThawColumn *column, uint32_t row) {
    return thaw_vec(thaw_column_number(column, row, 0), thaw_column_number(column, row, 1),
                    thaw_column_number(column, row, 2));
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Pulls in one axis when a few strays stretch it to more than three times what most particles take.
static void trim_axis(const ThawColumn *column, uint32_t rows, uint32_t axis, double *lower,
                      double *upper) {
    double values[BOUND_SAMPLES];
    uint32_t count = 0, step = rows / BOUND_SAMPLES + 1;
    for (uint32_t row = 0; row < rows && count < BOUND_SAMPLES; row += step) {
        double value = thaw_column_number(column, row, axis);
        if (isfinite(value)) values[count++] = value;
    }
    if (count < 200) return;
    qsort(values, count, sizeof *values, by_value);
    double low = values[count / 100], high = values[count - 1 - count / 100], size = high - low;
    if (*upper - *lower <= 3 * size) return;
    *lower = fmax(*lower, low - size);
    *upper = fmin(*upper, high + size);
}

static Bounds bound_particles(const ThawColumn *column, uint32_t rows, double pad) {
    Bounds b = no_bounds();
    for (uint32_t row = 0; row < rows; row++) {
        ThawVec3 p = position_at(column, row);
        if (thaw_vec_finite(p)) take_in(&b, p);
    }
    if (is_empty(&b)) return b;
    trim_axis(column, rows, 0, &b.lower.x, &b.upper.x);
    trim_axis(column, rows, 1, &b.lower.y, &b.upper.y);
    trim_axis(column, rows, 2, &b.lower.z, &b.upper.z);
    b.lower = thaw_sub(b.lower, thaw_vec(pad, pad, pad));
    b.upper = thaw_add(b.upper, thaw_vec(pad, pad, pad));
    return b;
}

static Bounds bound_shape(const ThawShape *shape) {
    Bounds b = no_bounds();
    ThawVec3 lower, upper;
    if (!thaw_shape_local_bounds(shape, &lower, &upper)) return b;
    for (int k = 0; k < 8; k++) {
        ThawVec3 corner = {k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y,
                           k & 4 ? upper.z : lower.z};
        take_in(&b, thaw_pose_apply(shape->pose, corner));
    }
    return b;
}

// what to frame when nobody says: the particles, and the solids as far as they are near
static Bounds bound_all(const ThawColumn *column, const ThawFrame *frame, const ThawRenderDef *def,
                        double pad) {
    Bounds all = bound_particles(column, frame->count, pad), matter = all;
    double reach = is_empty(&all) ? INFINITY : 2 * thaw_length(thaw_sub(all.upper, all.lower));
    for (int k = 0; k < def->solid_count; k++) {
        Bounds b = bound_shape(&def->solids[k].shape);
        if (is_empty(&b)) continue;
        if (isfinite(reach)) {
            b.lower.x = fmax(b.lower.x, matter.lower.x - reach);
            b.lower.y = fmax(b.lower.y, matter.lower.y - reach);
            b.lower.z = fmax(b.lower.z, matter.lower.z - reach);
            b.upper.x = fmin(b.upper.x, matter.upper.x + reach);
            b.upper.y = fmin(b.upper.y, matter.upper.y + reach);
            b.upper.z = fmin(b.upper.z, matter.upper.z + reach);
            if (b.lower.x > b.upper.x || b.lower.y > b.upper.y || b.lower.z > b.upper.z) continue;
        }
        take_in(&all, b.lower);
        take_in(&all, b.upper);
    }
    if (is_empty(&all)) all = (Bounds){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    return all;
}

static bool same(ThawVec3 a, ThawVec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void flatten(double *lower, double *upper, double pad) {
    *lower = -pad;
    *upper = pad;
}

static void set_bounds(ThawStage *stage, const ThawFrame *frame, const ThawRenderDef *def,
                       const ThawColumn *column) {
    double pad = def->radius * frame->info.spacing;
    Bounds b = {def->lower, def->upper};
    if (same(b.lower, b.upper)) b = bound_all(column, frame, def, pad);
    if (stage->dimensions == 2) flatten(&b.lower.z, &b.upper.z, pad);
    stage->lower = b.lower;
    stage->upper = b.upper;
    stage->center = thaw_scale(thaw_add(b.lower, b.upper), 0.5);
    stage->scale = 0.5 * thaw_length(thaw_sub(b.upper, b.lower));
}

// ---------------------------------------------------------------- particles

static double particle_spacing(const ThawColumn *sizes, uint32_t row, double usual) {
    if (sizes == NULL) return usual;
    double size = thaw_column_number(sizes, row, 0);
    return isfinite(size) && size > 0 ? size : usual;
}

// spheres and colours of all rows that can be drawn; the others are left out
static void place_spheres(ThawStage *stage, const ThawFrame *frame, const ThawRenderDef *def,
                          const ThawColumn *column, const ThawColorField *field) {
    const ThawColumn *sizes = thaw_frame_column(frame, "spacing");
    if (sizes != NULL && (sizes->data == NULL || sizes->components != 1)) sizes = NULL;
    for (uint32_t row = 0; row < frame->count; row++) {
        ThawVec3 p = thaw_stage_local(stage, position_at(column, row));
        if (!(thaw_dot(p, p) < FAR_AWAY * FAR_AWAY)) continue;
        double size = particle_spacing(sizes, row, frame->info.spacing);
        float *to = stage->spheres[stage->sphere_count];
        to[0] = (float)p.x;
        to[1] = (float)p.y;
        to[2] = (float)p.z;
        to[3] = (float)fmin(def->radius * size / stage->scale, FAR_AWAY);
        stage->colors[stage->sphere_count] = thaw_color_linear(thaw_color_field_at(field, row));
        stage->sphere_count++;
    }
}

static ThawResult attach_spheres(ThawStage *stage) {
    stage->sphere_geometry = RTC_INVALID_GEOMETRY_ID;
    if (stage->sphere_count == 0) return THAW_OK;
    RTCGeometry geometry = rtcNewGeometry(stage->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    if (geometry == NULL) return thaw_fail(THAW_OUT_OF_MEMORY, "Embree has no memory for spheres");
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                               stage->spheres, 0, sizeof *stage->spheres, stage->sphere_count);
    rtcCommitGeometry(geometry);
    stage->sphere_geometry = 0;
    rtcAttachGeometryByID(stage->matter, geometry, stage->sphere_geometry);
    rtcReleaseGeometry(geometry);
    return THAW_OK;
}

static ThawResult add_particles(ThawStage *stage, const ThawFrame *frame, const ThawRenderDef *def,
                                const ThawColumn *column, const ThawColorField *field) {
    if (frame->count > 0) {
        size_t bytes = frame->count * sizeof *stage->spheres;
        stage->spheres = thaw_alloc(bytes);
        stage->colors = thaw_alloc(frame->count * sizeof *stage->colors);
        if (stage->spheres == NULL || stage->colors == NULL) return thaw_fail_memory(bytes);
        place_spheres(stage, frame, def, column, field);
    }
    return attach_spheres(stage);
}

// ---------------------------------------------------------------- solids

static double along_axis(ThawVec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// a level plane that faces up is the ground itself
static bool is_floor(const ThawStage *stage, const ThawRenderSolid *solid) {
    ThawVec3 normal = thaw_quat_rotate(solid->shape.pose.rotation, thaw_vec(0, 0, 1));
    return solid->shape.kind == THAW_SHAPE_PLANE && !solid->container &&
           along_axis(normal, stage->up) > 0.9999;
}

// a sheet: what it holds is seen through it
static bool is_shell(const ThawRenderSolid *solid) {
    return solid->shape.kind == THAW_SHAPE_MESH && !solid->container &&
           thaw_field_report(solid->shape.field).mode == THAW_FIELD_SHELL;
}

// rays that look or take light through shells say so by their id
static void pass_shell(const struct RTCFilterFunctionNArguments *arguments) {
    // RTCRayN: rows of N numbers, the ids in the eleventh; Embree has a name for it in C++ only
    const unsigned *ids = (const unsigned *)arguments->ray + (size_t)10 * arguments->N;
    for (unsigned k = 0; k < arguments->N; k++) {
        if (ids[k] == THAW_RAY_THROUGH_SHELLS) arguments->valid[k] = 0;
    }
}

// shells are kept apart besides, to be asked alone
static ThawResult attach_shell(ThawStage *stage, int solid, RTCGeometry geometry) {
    if (stage->shells == NULL) stage->shells = rtcNewScene(stage->device);
    if (stage->shells == NULL) return thaw_fail(THAW_OUT_OF_MEMORY, "Embree has no memory");
    rtcAttachGeometryByID(stage->shells, geometry, (unsigned)solid + 1);
    return THAW_OK;
}

static ThawResult attach_mesh(ThawStage *stage, int solid, ThawOutline *mesh) {
    if (mesh->index_count == 0) return THAW_OK;
    RTCGeometry geometry = rtcNewGeometry(stage->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (geometry == NULL) return thaw_fail(THAW_OUT_OF_MEMORY, "Embree has no memory for a solid");
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh->points,
                               0, sizeof *mesh->points, mesh->point_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh->indices,
                               0, 3 * sizeof *mesh->indices, mesh->index_count / 3);
    mesh->shell = is_shell(&stage->solids[solid]);
    if (mesh->shell) {
        rtcSetGeometryIntersectFilterFunction(geometry, pass_shell);
        rtcSetGeometryOccludedFilterFunction(geometry, pass_shell);
    }
    rtcCommitGeometry(geometry);
    // id 0 is the spheres'
    rtcAttachGeometryByID(stage->matter, geometry, (unsigned)solid + 1);
    ThawResult result = mesh->shell ? attach_shell(stage, solid, geometry) : THAW_OK;
    rtcReleaseGeometry(geometry);
    return result;
}

// a plane that the eye is behind would only hide everything
static bool is_seen(const ThawShape *shape, ThawVec3 eye) {
    return shape->kind != THAW_SHAPE_PLANE || thaw_pose_invert(shape->pose, eye).z > 0;
}

static bool outline(ThawStage *stage, int k, const ThawRenderSolid *solid, ThawVec3 eye) {
    ThawOutline *mesh = &stage->meshes[k];
    if (solid->shape.kind == THAW_SHAPE_MESH) {
        return solid->container ? thaw_outline_cutaway(mesh, &stage->edges, stage, solid, eye)
                                : thaw_outline_mesh(mesh, stage, solid);
    }
    return solid->container ? thaw_outline_edges(&stage->edges, stage, &solid->shape)
                            : thaw_outline_solid(mesh, stage, &solid->shape);
}

static ThawResult add_solids(ThawStage *stage, const ThawRenderDef *def, ThawVec3 eye) {
    size_t bytes = (size_t)def->solid_count * sizeof *stage->meshes;
    if (def->solid_count == 0) return THAW_OK;
    stage->meshes = thaw_alloc(bytes);
    stage->solid_colors = thaw_alloc((size_t)def->solid_count * sizeof *stage->solid_colors);
    if (stage->meshes == NULL || stage->solid_colors == NULL) return thaw_fail_memory(bytes);
    stage->mesh_count = def->solid_count;
    for (int k = 0; k < def->solid_count; k++) {
        const ThawRenderSolid *solid = &def->solids[k];
        const double *c = solid->color;
        stage->solid_colors[k] = thaw_color_linear(thaw_f3(
            thaw_clamp01((float)c[0]), thaw_clamp01((float)c[1]), thaw_clamp01((float)c[2])));
        if (stage->ground && stage->dimensions == 3 && is_floor(stage, solid)) continue;
        if (!is_seen(&solid->shape, eye)) continue;
        if (!outline(stage, k, solid, eye)) return thaw_fail_memory(0);
        ThawResult result = attach_mesh(stage, k, &stage->meshes[k]);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

static ThawResult add_wires(ThawStage *stage) {
    if (stage->edges.index_count == 0) return THAW_OK;
    stage->wires = rtcNewScene(stage->device);
    RTCGeometry geometry = rtcNewGeometry(stage->device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    if (stage->wires == NULL || geometry == NULL) {
        if (geometry != NULL) rtcReleaseGeometry(geometry);
        return thaw_fail(THAW_OUT_OF_MEMORY, "Embree has no memory for edges");
    }
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                               stage->edges.points, 0, sizeof *stage->edges.points,
                               stage->edges.point_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                               stage->edges.indices, 0, sizeof *stage->edges.indices,
                               stage->edges.index_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(stage->wires, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(stage->wires);
    return THAW_OK;
}

// the lowest point of what is framed and of what stands in it; a floor's own level where there is one
static void set_ground(ThawStage *stage, const ThawRenderDef *def) {
    stage->ground = def->ground;
    if (stage->dimensions == 2) {
        // paper behind everything takes the shadows
        stage->ground_level = (float)(stage->lower.z / stage->scale) - 2e-4f;
        return;
    }
    double level = along_axis(stage->lower, stage->up), floor_level = -INFINITY;
    double reach = 0.5 * stage->scale;
    for (int k = 0; k < def->solid_count; k++) {
        const ThawShape *shape = &def->solids[k].shape;
        if (is_floor(stage, &def->solids[k])) {
            floor_level = fmax(floor_level, along_axis(shape->pose.position, stage->up));
        }
        Bounds b = bound_shape(shape);
        double low = along_axis(b.lower, stage->up);
        if (!is_empty(&b) && low > level - reach) level = fmin(level, low);
    }
    if (isfinite(floor_level) && fabs(floor_level - level) < 2 * stage->scale) level = floor_level;
    double middle = along_axis(stage->center, stage->up);
    stage->ground_level = (float)((level - middle) / stage->scale) - 2e-4f;
}

// ---------------------------------------------------------------- all of it

static ThawResult check_frame(const ThawFrame *frame, const ThawRenderDef *def) {
    double spacing = frame->info.spacing;
    if (!(isfinite(spacing) && spacing > 0)) {
        return thaw_fail(THAW_BAD_INPUT, "the frame's spacing must be finite and above 0, not %g",
                         spacing);
    }
    if (def->solid_count < 0 || (def->solid_count > 0 && def->solids == NULL)) {
        return thaw_fail(THAW_BAD_INPUT, "solid_count must be the number of solids, not %d",
                         def->solid_count);
    }
    for (int k = 0; k < def->solid_count; k++) {
        ThawResult result = thaw_shape_check(&def->solids[k].shape, "a solid of the picture");
        if (result == THAW_OK && def->solids[k].mesh != NULL)
            result = thaw_mesh_check(def->solids[k].mesh);
        if (result != THAW_OK) return result;
    }
    ThawVec3 size = thaw_sub(def->upper, def->lower);
    if (!thaw_vec_finite(size) || size.x < 0 || size.y < 0 || size.z < 0) {
        return thaw_fail(THAW_BAD_INPUT, "lower must be finite and not above upper");
    }
    return THAW_OK;
}

static ThawResult open_embree(ThawStage *stage) {
    stage->device = rtcNewDevice("threads=1,verbose=0");
    if (stage->device == NULL) {
        return thaw_fail(THAW_TROUBLE, "Embree cannot start on this machine (error %d)",
                         (int)rtcGetDeviceError(NULL));
    }
    stage->matter = rtcNewScene(stage->device);
    if (stage->matter == NULL) return thaw_fail(THAW_OUT_OF_MEMORY, "Embree has no memory");
    return THAW_OK;
}

ThawResult thaw_stage_make(const ThawFrame *frame, const ThawRenderDef *def,
                           const ThawColorField *field, ThawStage *stage) {
    const ThawColumn *column;
    ThawResult result;
    if ((result = check_frame(frame, def)) || (result = thaw_position_column(frame, &column))) {
        return result;
    }
    stage->dimensions = frame->info.dimensions == 2 ? 2 : 3;
    stage->up = frame->info.up >= 0 && frame->info.up < 3 ? frame->info.up : 2;
    if (stage->dimensions == 2 && stage->up == 2) stage->up = 1;
    stage->solids = def->solids;
    set_bounds(stage, frame, def, column);
    set_ground(stage, def);
    stage->camera = def->camera;
    if (def->auto_camera) {
        stage->camera = thaw_camera_framing(stage->lower, stage->upper, stage->up,
                                            stage->dimensions, (double)def->width / def->height);
    }
    if ((result = open_embree(stage)) ||
        (result = add_particles(stage, frame, def, column, field)) ||
        (result = add_solids(stage, def, stage->camera.eye)) || (result = add_wires(stage))) {
        return result;
    }
    rtcCommitScene(stage->matter);
    if (stage->shells != NULL) rtcCommitScene(stage->shells);
    enum RTCError error = rtcGetDeviceError(stage->device);
    if (error == RTC_ERROR_NONE) return THAW_OK;
    return thaw_fail(error == RTC_ERROR_OUT_OF_MEMORY ? THAW_OUT_OF_MEMORY : THAW_TROUBLE,
                     "Embree could not build the scene (error %d)", (int)error);
}

void thaw_stage_free(ThawStage *stage) {
    if (stage->wires != NULL) rtcReleaseScene(stage->wires);
    if (stage->shells != NULL) rtcReleaseScene(stage->shells);
    if (stage->matter != NULL) rtcReleaseScene(stage->matter);
    if (stage->device != NULL) rtcReleaseDevice(stage->device);
    for (int k = 0; k < stage->mesh_count; k++) thaw_outline_free(&stage->meshes[k]);
    thaw_outline_free(&stage->edges);
    thaw_free(stage->meshes);
    thaw_free(stage->solid_colors);
    thaw_free(stage->spheres);
    thaw_free(stage->colors);
}
