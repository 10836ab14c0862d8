// How the frames of a run are framed, coloured and captioned.
#include "picture.h"

#include "say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

// ---------------------------------------------------------------- bounds

typedef struct Bounds {
    double lower[3], upper[3];
} Bounds;

static const Bounds nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void add_point(Bounds *bounds, const double point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        bounds->lower[axis] = fmin(bounds->lower[axis], point[axis]);
        bounds->upper[axis] = fmax(bounds->upper[axis], point[axis]);
    }
}

static void add_frame(Bounds *bounds, const ThawFrame *frame) {
    const ThawColumn *place = thaw_frame_column(frame, "position");
    if (place == NULL || place->type != THAW_F32 || place->components != 3) return;
    const float *x = place->data;
    for (uint32_t k = 0; k < frame->count; k++, x += 3) {
        double point[3] = {(double)x[0], (double)x[1], (double)x[2]};
        add_point(bounds, point);
    }
}

static ThawVec3 turn(ThawQuat q, ThawVec3 v) {
    ThawVec3 u = {q.x, q.y, q.z};
    ThawVec3 t = {2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z),
                  2 * (u.x * v.y - u.y * v.x)};
    return (ThawVec3){v.x + q.w * t.x + u.y * t.z - u.z * t.y,
                      v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                      v.z + q.w * t.z + u.x * t.y - u.y * t.x};
}

// the box about a shape in its own frame; false when it has no end
static bool local_box(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper) {
    double r = shape->radius, h = shape->height;
    switch (shape->kind) {
    case THAW_SHAPE_BOX:
        *upper = (ThawVec3){shape->size.x / 2, shape->size.y / 2, shape->size.z / 2};
        break;
    case THAW_SHAPE_SPHERE: *upper = (ThawVec3){r, r, r}; break;
    case THAW_SHAPE_CAPSULE: *upper = (ThawVec3){r, r, h / 2 + r}; break;
    case THAW_SHAPE_CYLINDER: *upper = (ThawVec3){r, r, h / 2}; break;
    case THAW_SHAPE_CONE: *upper = (ThawVec3){r, r, h}; break;
    case THAW_SHAPE_TORUS:
        *upper = (ThawVec3){r + shape->tube, r + shape->tube, shape->tube};
        break;
    default: return false;
    }
    *lower = (ThawVec3){-upper->x, -upper->y, shape->kind == THAW_SHAPE_CONE ? 0 : -upper->z};
    return true;
}

static void add_shape(Bounds *bounds, const ThawShape *shape) {
    ThawVec3 lower, upper, at = shape->pose.position;
    if (!local_box(shape, &lower, &upper)) return;
    for (int corner = 0; corner < 8; corner++) {
        ThawVec3 local = {corner & 1 ? upper.x : lower.x, corner & 2 ? upper.y : lower.y,
                          corner & 4 ? upper.z : lower.z};
        ThawVec3 turned = turn(shape->pose.rotation, local);
        double point[3] = {at.x + turned.x, at.y + turned.y, at.z + turned.z};
        add_point(bounds, point);
    }
}

// what is to be seen: the matter, and the containers that it cannot leave
static void settle_bounds(Bounds bounds, Look *look) {
    const ThawScene *scene = look->scene;
    for (int k = 0; scene != NULL && k < scene->collider_count; k++) {
        if (!scene->colliders[k].container) continue;
        ThawShape shape = thaw_scene_collider_at(&scene->colliders[k], 0);
        add_shape(&bounds, &shape);
    }
    if (!(bounds.lower[0] <= bounds.upper[0])) return;
    // a 2D tank has no depth
    if (scene != NULL && scene->world.dimensions == 2) bounds.lower[2] = bounds.upper[2] = 0;
    look->def.lower = (ThawVec3){bounds.lower[0], bounds.lower[1], bounds.lower[2]};
    look->def.upper = (ThawVec3){bounds.upper[0], bounds.upper[1], bounds.upper[2]};
}

void look_at_bounds(ThawVec3 lower, ThawVec3 upper, Look *look) {
    Bounds bounds = {{lower.x, lower.y, lower.z}, {upper.x, upper.y, upper.z}};
    settle_bounds(bounds, look);
}

// ---------------------------------------------------------------- range of colours

// the value that colours a particle: a number, or the length of a vector
static double value_of(const ThawColumn *column, uint32_t row) {
    double sum = 0, value = 0;
    for (uint32_t k = 0; k < column->components; k++) {
        size_t at = (size_t)row * column->components + k;
        switch (column->type) {
        case THAW_F32: value = (double)((const float *)column->data)[at]; break;
        case THAW_F64: value = ((const double *)column->data)[at]; break;
        case THAW_I32: value = ((const int32_t *)column->data)[at]; break;
        case THAW_I64: value = (double)((const int64_t *)column->data)[at]; break;
        case THAW_U8: value = ((const uint8_t *)column->data)[at]; break;
        case THAW_U16: value = ((const uint16_t *)column->data)[at]; break;
        case THAW_U64: value = (double)((const uint64_t *)column->data)[at]; break;
        }
        sum += value * value;
    }
    return column->components == 1 ? value : sqrt(sum);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { RANGE_ROWS = 20000 };

// widens the range by a frame's values without the outermost 0.5 % at each end
static void add_values(const ThawFrame *frame, const char *color, double *low, double *high) {
    bool speed = strcmp(color, "speed") == 0;
    const ThawColumn *column = thaw_frame_column(frame, speed ? "velocity" : color);
    if (column == NULL || frame->count == 0) return;
    uint32_t stride = frame->count / RANGE_ROWS + 1, count = 0;
    double *values = malloc(sizeof *values * (frame->count / stride + 1));
    if (values == NULL) return;
    for (uint32_t row = 0; row < frame->count; row += stride) {
        double value = value_of(column, row);
        if (isfinite(value)) values[count++] = value;
    }
    if (count > 0) {
        qsort(values, count, sizeof *values, by_value);
        *low = fmin(*low, values[count / 200]);
        *high = fmax(*high, values[count - 1 - count / 200]);
    }
    free(values);
}

// a number of one or two digits, for a colour bar that reads well
static double round_up(double value) {
    if (!(value > 0)) return value;
    double unit = pow(10, floor(log10(value)));
    static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        if (value <= steps[k] * unit * 1.0001) return steps[k] * unit;
    }
    return 10 * unit;
}

// ---------------------------------------------------------------- from the cache

enum { SAMPLED_FRAMES = 9 };

static bool wants_range(const Look *look) {
    const char *color = look->def.color;
    return look->def.low == look->def.high && strcmp(color, "material") != 0 &&
           strcmp(color, "none") != 0;
}

// the column that colours need must be there; a default that is not there is not insisted upon
static int check_color(const Arguments *arguments, const ThawFrame *frame, Look *look) {
    const char *color = look->def.color;
    if (strcmp(color, "none") == 0) return EXIT_DONE;
    bool speed = strcmp(color, "speed") == 0;
    if (thaw_frame_column(frame, speed ? "velocity" : color) != NULL) return EXIT_DONE;
    if (!look->asked_color) {
        say_warning(arguments->command->name,
                    "the frames have no column '%s' to colour by: drawn in one colour",
                    speed ? "velocity" : color);
        return EXIT_DONE;
    }
    const char *known[32] = {"speed", "none", NULL};
    for (int k = 0; k < frame->column_count && k < 28; k++) {
        known[k + 2] = frame->columns[k].name;
        known[k + 3] = NULL;
    }
    say_usage(arguments->command->name, "the frames have no column '%s' to colour by", color);
    fprintf(stderr, "they have:");
    for (int k = 0; known[k] != NULL; k++) fprintf(stderr, " %s", known[k]);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

int look_at_store(const Arguments *arguments, const Store *store, Look *look) {
    const ThawCacheInfo *info = &store->info;
    Bounds bounds = nothing;
    double low = INFINITY, high = -INFINITY;
    int frames = info->last_frame - info->first_frame, status = EXIT_DONE;
    for (int k = 0; k < SAMPLED_FRAMES && status == EXIT_DONE; k++) {
        int number = info->first_frame + (int)((int64_t)frames * k / (SAMPLED_FRAMES - 1));
        bool outer = k == 0 || k == SAMPLED_FRAMES - 1;
        if (!outer && !wants_range(look)) continue;
        ThawFrame *frame = NULL;
        ThawResult result = store_read(store, number, &frame);
        if (result != THAW_OK) return say_result(arguments->command->name, result);
        if (k == 0) status = check_color(arguments, frame, look);
        if (outer) add_frame(&bounds, frame);
        if (wants_range(look)) add_values(frame, look->def.color, &low, &high);
        thaw_frame_free(frame);
    }
    settle_bounds(bounds, look);
    if (status == EXIT_DONE && wants_range(look) && low < high) {
        bool speed = strcmp(look->def.color, "speed") == 0;
        look->def.low = speed ? 0 : low;
        look->def.high = speed ? round_up(high) : high;
    }
    return status;
}

// ---------------------------------------------------------------- choices

static void copy_scene(Look *look) {
    const ThawScene *scene = look->scene;
    const ThawSceneCamera *camera = &scene->camera;
    if (camera->width > 0) look->def.width = camera->width;
    if (camera->height > 0) look->def.height = camera->height;
    if (camera->color != NULL) look->def.color = camera->color;
    if (camera->map != NULL) look->def.map = camera->map;
    look->def.low = camera->low;
    look->def.high = camera->high;
    look->colors = calloc((size_t)scene->material_count + 1, sizeof *look->colors);
    look->solids = calloc((size_t)scene->collider_count + 1, sizeof *look->solids);
    if (look->colors == NULL || look->solids == NULL) return;
    for (int k = 0; k < scene->material_count; k++) {
        memcpy(look->colors[k], scene->materials[k].color, sizeof look->colors[k]);
    }
    look->def.material_colors = (const double(*)[3])look->colors;
    look->def.material_count = scene->material_count;
}

static bool parse_size(const Arguments *arguments, Look *look) {
    double size[2] = {look->def.width, look->def.height};
    if (!arguments_reals(arguments, "size", 'x', 2, size)) return false;
    for (int k = 0; k < 2; k++) {
        if (size[k] >= 16 && size[k] <= 16384 && size[k] == floor(size[k])) continue;
        say_usage(arguments->command->name,
                  "--size must be like 1280x720, each from 16 to 16384, not '%s'",
                  arguments_text(arguments, "size"));
        return false;
    }
    look->def.width = (int)size[0];
    look->def.height = (int)size[1];
    return true;
}

static bool parse_colors(const Arguments *arguments, Look *look) {
    double range[2] = {look->def.low, look->def.high};
    if (!arguments_reals(arguments, "range", ':', 2, range)) return false;
    look->def.low = range[0];
    look->def.high = range[1];
    const char *maps[32] = {NULL}, *color = arguments_text(arguments, "color");
    int map = -1;
    for (int k = 0; k < 31 && thaw_color_map_name(k) != NULL; k++) maps[k] = thaw_color_map_name(k);
    if (!arguments_choice(arguments, "map", maps, &map)) return false;
    if (map >= 0) look->def.map = maps[map];
    look->asked_color = color != NULL;
    if (color != NULL) {
        look->def.color = color;
        // the scene's range is of the scene's own colours
        if (!arguments_has(arguments, "range")) look->def.low = look->def.high = 0;
    }
    return true;
}

static bool parse_camera(const Arguments *arguments, Look *look) {
    double eye[3] = {0}, target[3] = {0}, fov = 40;
    if (!arguments_reals(arguments, "eye", ',', 3, eye) ||
        !arguments_reals(arguments, "target", ',', 3, target) ||
        !arguments_real(arguments, "fov", 1, 160, &fov))
        return false;
    look->eye = arguments_has(arguments, "eye");
    look->target = arguments_has(arguments, "target");
    look->fov = arguments_has(arguments, "fov");
    look->def.camera.eye = (ThawVec3){eye[0], eye[1], eye[2]};
    look->def.camera.target = (ThawVec3){target[0], target[1], target[2]};
    look->def.camera.fov = fov * DEGREE;
    return true;
}

int look_create(const Arguments *arguments, const ThawScene *scene, Look *look) {
    *look = (Look){.scene = scene, .def = thaw_render_default()};
    if (scene != NULL) {
        copy_scene(look);
        if (look->colors == NULL || look->solids == NULL) return say_failure("", "out of memory");
    }
    if (arguments == NULL) return EXIT_DONE;
    long samples = look->def.samples, threads = 0;
    bool ok = parse_size(arguments, look) && parse_colors(arguments, look) &&
              parse_camera(arguments, look) &&
              arguments_whole(arguments, "samples", 1, 1024, &samples) &&
              arguments_whole(arguments, "threads", 0, 256, &threads);
    look->def.samples = (int)samples;
    look->def.threads = (int)threads;
    return ok ? EXIT_DONE : EXIT_USAGE;
}

void look_free(Look *look) {
    free(look->solids);
    free(look->colors);
    look->solids = NULL;
    look->colors = NULL;
}

void look_settle(Look *look) {
    const ThawRenderDef *def = &look->def;
    const ThawCamera *camera = &def->camera;
    snprintf(look->settings, sizeof look->settings,
             "%dx%d %d rays, color %s %s %.6g:%.6g, bounds %.6g %.6g %.6g %.6g %.6g %.6g, "
             "camera %d%d%d %.6g %.6g %.6g %.6g %.6g %.6g %.6g\n",
             def->width, def->height, def->samples, def->color, def->map, def->low, def->high,
             def->lower.x, def->lower.y, def->lower.z, def->upper.x, def->upper.y, def->upper.z,
             look->eye, look->target, look->fov, camera->eye.x, camera->eye.y, camera->eye.z,
             camera->target.x, camera->target.y, camera->target.z, camera->fov);
}

// ---------------------------------------------------------------- one frame

// the camera of a moment: flags, else the scene's, else one that frames all
static void place_camera(const Look *look, const ThawFrame *frame, ThawRenderDef *def) {
    const ThawSceneCamera *given =
        look->scene != NULL && look->scene->camera.given ? &look->scene->camera : NULL;
    if (given == NULL && !look->eye && !look->target && !look->fov) return;
    ThawMoment moment = {.t = frame->info.time};
    ThawCamera camera =
        thaw_camera_framing(def->lower, def->upper, frame->info.up, frame->info.dimensions,
                            (double)def->width / def->height);
    if (given != NULL) {
        camera.eye = thaw_number3_at(&given->eye, &moment);
        camera.target = thaw_number3_at(&given->target, &moment);
        camera.fov = thaw_number_at(&given->fov, &moment);
    }
    if (look->eye) camera.eye = look->def.camera.eye;
    if (look->target) camera.target = look->def.camera.target;
    if (look->fov) camera.fov = look->def.camera.fov;
    def->camera = camera;
    def->auto_camera = false;
}

static void place_solids(const Look *look, double time, ThawRenderDef *def) {
    const ThawScene *scene = look->scene;
    int count = 0;
    for (int k = 0; scene != NULL && k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        if (!collider->visible) continue;
        ThawRenderSolid *solid = &look->solids[count++];
        solid->shape = thaw_scene_collider_at(collider, time);
        solid->container = collider->container;
        memcpy(solid->color, collider->color, sizeof solid->color);
    }
    def->solids = look->solids;
    def->solid_count = count;
}

ThawResult look_draw(const Look *look, const ThawFrame *frame, ThawImage **image) {
    ThawRenderDef def = look->def;
    const char *column = strcmp(def.color, "speed") == 0 ? "velocity" : def.color;
    if (!look->asked_color && thaw_frame_column(frame, column) == NULL) def.color = "none";
    place_camera(look, frame, &def);
    place_solids(look, frame->info.time, &def);
    char caption[256];
    const char *title = look->scene != NULL ? look->scene->title : "";
    snprintf(caption, sizeof caption, "%s%sframe %d   %.3f s", title, title[0] != '\0' ? "   " : "",
             frame->info.frame, frame->info.time);
    if (!look->plain) def.caption = caption;
    return thaw_render_frame(frame, &def, image);
}
