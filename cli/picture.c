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

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { BOUND_ROWS = 20000 };

// what all but the outermost 0.5 % of values at each end span, with a little air that stays inside
// the whole: a few stray droplets do not make the picture small
static void trim_values(double *values, uint32_t count, double *lower, double *upper) {
    qsort(values, count, sizeof *values, by_value);
    uint32_t skip = count < 50 ? 0 : count < 200 ? 1 : count / 200;
    double low = values[skip], high = values[count - 1 - skip], air = 0.05 * (high - low);
    *lower = fmin(*lower, fmax(values[0], low - air));
    *upper = fmax(*upper, fmin(values[count - 1], high + air));
}

static void add_frame(Bounds *bounds, const ThawFrame *frame) {
    const ThawColumn *place = thaw_frame_column(frame, "position");
    if (place == NULL || place->type != THAW_F32 || place->components != 3) return;
    uint32_t stride = frame->count / BOUND_ROWS + 1;
    double *values = malloc(sizeof *values * (frame->count / stride + 1));
    for (int axis = 0; values != NULL && axis < 3; axis++) {
        const float *x = (const float *)place->data + axis;
        uint32_t count = 0;
        for (uint32_t row = 0; row < frame->count; row += stride) {
            if (isfinite(x[3 * (size_t)row])) values[count++] = (double)x[3 * (size_t)row];
        }
        if (count > 0) trim_values(values, count, &bounds->lower[axis], &bounds->upper[axis]);
    }
    free(values);
}

static ThawVec3 turn(ThawQuat q, ThawVec3 v) {
    ThawVec3 u = {q.x, q.y, q.z};
    ThawVec3 t = {2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z),
                  2 * (u.x * v.y - u.y * v.x)};
    return (ThawVec3){v.x + q.w * t.x + u.y * t.z - u.z * t.y,
                      v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                      v.z + q.w * t.z + u.x * t.y - u.y * t.x};
}

static void mesh_box(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper) {
    ThawFieldReport report = thaw_field_report(shape->field);
    double s = shape->scale;
    *lower = (ThawVec3){s * report.lower.x, s * report.lower.y, s * report.lower.z};
    *upper = (ThawVec3){s * report.upper.x, s * report.upper.y, s * report.upper.z};
}

// the box about a shape in its own frame; false when it has no end
static bool local_box(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper) {
    double r = shape->radius, h = shape->height;
    if (shape->kind == THAW_SHAPE_MESH) {
        mesh_box(shape, lower, upper);
        return true;
    }
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

static double diagonal(const Bounds *bounds) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) sum += pow(bounds->upper[axis] - bounds->lower[axis], 2);
    return sqrt(sum);
}

// the part of a box that is within `reach` of the matter; false when there is none
static bool clip(const Bounds *matter, double reach, Bounds *box) {
    for (int axis = 0; axis < 3; axis++) {
        box->lower[axis] = fmax(box->lower[axis], matter->lower[axis] - reach);
        box->upper[axis] = fmin(box->upper[axis], matter->upper[axis] + reach);
        if (!(box->lower[axis] <= box->upper[axis])) return false;
    }
    return true;
}

// A container is shown whole unless it is far larger than what is in it; other colliders when they
// are near and no larger than the matter itself, so that a floor without an end changes nothing.
static void add_collider(Bounds *bounds, const Bounds *matter, const ThawSceneCollider *collider,
                         const ThawShape *shape, bool whole) {
    Bounds box = nothing, part;
    add_shape(&box, shape);
    double size = diagonal(matter), own = diagonal(&box);
    if (!(box.lower[0] <= box.upper[0])) return;
    part = box;
    if (!clip(matter, 0.25 * size, &part)) return;
    if (collider->container && !whole && own > 4 * size) box = part;
    if (!collider->container && own > 1.5 * size) return;
    add_point(bounds, box.lower);
    add_point(bounds, box.upper);
}

ThawShape place_collider(const ThawScene *scene, int k, const ThawFrame *frame) {
    double time = frame != NULL ? frame->info.time : 0;
    ThawShape shape = thaw_scene_collider_at(&scene->colliders[k], time);
    ThawColliderId id = {(uint32_t)k + 1};
    const ThawFrameCollider *told = frame != NULL ? thaw_frame_collider(frame, id) : NULL;
    if (told != NULL) shape.pose = told->pose;
    return shape;
}

// what is to be seen: the matter and the colliders about it, at both ends of the time (NULL: at its start)
static void settle_bounds(Bounds matter, ThawFrame *const ends[2], bool whole, Look *look) {
    const ThawScene *scene = look->scene;
    Bounds bounds = matter;
    if (!(bounds.lower[0] <= bounds.upper[0])) return;
    for (int k = 0; scene != NULL && k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        if (!collider->visible && !collider->container) continue;
        for (int end = 0; end < 2; end++) {
            ThawShape shape = place_collider(scene, k, ends[end]);
            add_collider(&bounds, &matter, collider, &shape, whole);
        }
    }
    // a 2D tank has no depth
    if (scene != NULL && scene->world.dimensions == 2) bounds.lower[2] = bounds.upper[2] = 0;
    look->def.lower = (ThawVec3){bounds.lower[0], bounds.lower[1], bounds.lower[2]};
    look->def.upper = (ThawVec3){bounds.upper[0], bounds.upper[1], bounds.upper[2]};
}

void look_at_bounds(ThawVec3 lower, ThawVec3 upper, Look *look) {
    Bounds bounds = {{lower.x, lower.y, lower.z}, {upper.x, upper.y, upper.z}};
    settle_bounds(bounds, (ThawFrame *const[2]){NULL, NULL}, true, look);
}

// ---------------------------------------------------------------- range of colours

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
           strcmp(color, "object") != 0 && strcmp(color, "none") != 0;
}

// whether a name is that of a field, with or without a component
static bool is_field(const char *color) {
    const ThawFieldInfo *info;
    size_t length = strcspn(color, ".");
    for (uint32_t k = 0; (info = thaw_field_info(k)) != NULL; k++) {
        if (strlen(info->name) == length && strncmp(info->name, color, length) == 0) return true;
    }
    return false;
}

static int refuse_color(const char *command, const ThawFrame *frame, const char *color) {
    enum { MOST = 40 };
    const char *known[MOST + 1] = {"none", NULL};
    int count = 1;
    if (thaw_frame_column(frame, "velocity") != NULL) known[count++] = "speed";
    if (thaw_frame_column(frame, "temperature") != NULL) known[count++] = "celsius";
    for (int k = 0; k < frame->column_count && count < MOST; k++)
        known[count++] = frame->columns[k].name;
    known[count] = NULL;
    refuse_word(command, "column", color, known);
    fprintf(stderr, "the frames can be coloured by");
    for (int k = 1; k < count; k++) fprintf(stderr, "%s %s", k > 1 ? "," : "", known[k]);
    fprintf(stderr, " or none;\none component of a vector is like velocity.x\n");
    char name[sizeof frame->columns->name];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(color, "."), color);
    if (is_field(color) && thaw_frame_column(frame, name) == NULL)
        fprintf(stderr,
                "'%s' is a field that this run did not write: list it in the scene's "
                "output.channels, or run with --set output.channels=\"[velocity, object, %s]\"\n",
                name, name);
    return EXIT_USAGE;
}

// the column that colours need must be there; a default that is not there is not insisted upon
static int check_color(const char *command, const ThawFrame *frame, const Look *look) {
    double low, high;
    if (thaw_color_range(frame, look->def.color, &low, &high) == THAW_OK) return EXIT_DONE;
    if (look->asked_color) return refuse_color(command, frame, look->def.color);
    say_warning(command, "the frames have no column '%s' to colour by: drawn in one colour",
                strcmp(look->def.color, "speed") == 0 ? "velocity" : look->def.color);
    return EXIT_DONE;
}

// evenly about zero for a map that parts there, from zero for lengths
static void settle_range(Look *look, double low, double high) {
    const char *color = look->def.color;
    if (!(low < high)) return;
    static const char *const lengths[] = {"speed",  "velocity",  "strain",        "green_strain",
                                          "stress", "von_mises", "plastic_strain"};
    bool length = false;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        length = length || strcmp(color, lengths[k]) == 0;
    if (strcmp(color, "molten") == 0) {
        low = 0;
        high = 1;
    } else if (strcmp(look->def.map, "balance") == 0) {
        high = round_up(fmax(fabs(low), fabs(high)));
        low = -high;
    } else if (length) {
        low = 0;
        high = round_up(high);
    }
    look->def.low = low;
    look->def.high = high;
}

int look_at_store(const Arguments *arguments, const Store *store, Look *look) {
    const ThawCacheInfo *info = &store->info;
    const char *command = arguments->command->name;
    Bounds bounds = nothing;
    double low = INFINITY, high = -INFINITY;
    ThawFrame *ends[2] = {NULL, NULL};
    int frames = info->last_frame - info->first_frame, status = EXIT_DONE;
    for (int k = 0; k < SAMPLED_FRAMES && status == EXIT_DONE; k++) {
        int number = info->first_frame + (int)((int64_t)frames * k / (SAMPLED_FRAMES - 1));
        bool outer = k == 0 || k == SAMPLED_FRAMES - 1;
        if (!outer && !wants_range(look)) continue;
        ThawFrame *frame = NULL;
        ThawResult result = store_read(store, number, &frame);
        if (result != THAW_OK) {
            thaw_frame_free(ends[0]);
            return say_result(command, result);
        }
        if (k == 0) status = check_color(command, frame, look);
        if (outer) add_frame(&bounds, frame);
        double least, most;
        if (wants_range(look) &&
            thaw_color_range(frame, look->def.color, &least, &most) == THAW_OK) {
            low = fmin(low, least);
            high = fmax(high, most);
        }
        if (outer)
            ends[k > 0] = frame;
        else
            thaw_frame_free(frame);
    }
    settle_bounds(bounds, ends, false, look);
    thaw_frame_free(ends[0]);
    thaw_frame_free(ends[1]);
    if (status == EXIT_DONE && wants_range(look)) settle_range(look, low, high);
    return status;
}

// ---------------------------------------------------------------- choices

static bool has_memory(const Look *look) {
    return look->meshes != NULL && look->forms != NULL && look->colors != NULL &&
           look->solids != NULL && look->materials != NULL && look->bodies != NULL;
}

static void copy_scene(Look *look) {
    const ThawScene *scene = look->scene;
    const ThawSceneCamera *camera = &scene->camera;
    if (camera->width > 0) look->def.width = camera->width;
    if (camera->height > 0) look->def.height = camera->height;
    if (camera->color != NULL) look->def.color = camera->color;
    look->asked_map = camera->map != NULL;
    if (look->asked_map) look->def.map = camera->map;
    look->def.low = camera->low;
    look->def.high = camera->high;
    look->colors = calloc((size_t)scene->material_count + 1, sizeof *look->colors);
    size_t solids = (size_t)scene->collider_count + (size_t)scene->emitter_count;
    look->solids = calloc(solids + (size_t)scene->sink_count + 1, sizeof *look->solids);
    look->meshes = calloc((size_t)scene->collider_count + 1, sizeof *look->meshes);
    look->forms = forms_open(scene);
    look->materials = calloc((size_t)scene->material_count + 1, sizeof *look->materials);
    look->bodies = calloc((size_t)scene->body_count + 1, sizeof *look->bodies);
    if (!has_memory(look)) return;
    for (int k = 0; k < scene->material_count; k++) {
        memcpy(look->colors[k], scene->materials[k].color, sizeof look->colors[k]);
        look->materials[k] = scene->materials[k].name;
    }
    for (int k = 0; k < scene->body_count; k++) look->bodies[k] = scene->bodies[k].name;
    look->def.material_colors = (const double(*)[3])look->colors;
    look->def.material_count = scene->material_count;
}

static bool parse_size(const Arguments *arguments, Look *look) {
    int size[2] = {look->def.width, look->def.height};
    if (!arguments_size(arguments, "1280x720", 16, 16384, size)) return false;
    look->def.width = size[0];
    look->def.height = size[1];
    return true;
}

static bool parse_colors(const Arguments *arguments, Look *look) {
    double range[2] = {look->def.low, look->def.high};
    if (!arguments_reals(arguments, "range", ':', 2, range)) return false;
    if (arguments_has(arguments, "range") && !(range[0] < range[1])) {
        say_usage(arguments->command->name, "--range must be A:B with A below B, not '%s'",
                  arguments_text(arguments, "range"));
        return false;
    }
    look->def.low = range[0];
    look->def.high = range[1];
    const char *maps[32] = {NULL}, *color = arguments_text(arguments, "color");
    int map = -1;
    for (int k = 0; k < 31 && thaw_color_map_name(k) != NULL; k++) maps[k] = thaw_color_map_name(k);
    if (!arguments_choice(arguments, "map", maps, &map)) return false;
    look->asked_map |= map >= 0;
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
        !arguments_real(arguments, "fov", 1, 170, &fov))
        return false;
    look->eye = arguments_has(arguments, "eye");
    look->target = arguments_has(arguments, "target");
    look->fov = arguments_has(arguments, "fov");
    if (look->eye && look->target && memcmp(eye, target, sizeof eye) == 0) {
        say_usage(arguments->command->name, "--eye and --target must be two places, not both '%s'",
                  arguments_text(arguments, "eye"));
        return false;
    }
    look->def.camera.eye = (ThawVec3){eye[0], eye[1], eye[2]};
    look->def.camera.target = (ThawVec3){target[0], target[1], target[2]};
    look->def.camera.fov = fov * DEGREE;
    return true;
}

// a map that suits what is shown, where none was asked for
static void choose_map(Look *look) {
    const char *color = look->def.color;
    bool warm = strcmp(color, "temperature") == 0 || strcmp(color, "celsius") == 0;
    if (!look->asked_map && warm) look->def.map = "heat";
}

int look_create(const Arguments *arguments, const ThawScene *scene, Look *look) {
    *look = (Look){.scene = scene, .def = thaw_render_default()};
    if (scene != NULL) {
        copy_scene(look);
        if (!has_memory(look)) return say_failure("", "out of memory");
    }
    if (arguments == NULL) {
        choose_map(look);
        return EXIT_DONE;
    }
    long samples = look->def.samples, threads = 0;
    bool ok = parse_size(arguments, look) && parse_colors(arguments, look) &&
              parse_camera(arguments, look) &&
              arguments_whole(arguments, "samples", 1, 1024, &samples) &&
              arguments_whole(arguments, "threads", 0, 256, &threads);
    look->def.samples = (int)samples;
    look->def.threads = (int)threads;
    if (ok) choose_map(look);
    return ok ? EXIT_DONE : EXIT_USAGE;
}

void look_free(Look *look) {
    forms_close(look->forms);
    free(look->meshes);
    free(look->solids);
    free(look->colors);
    free(look->materials);
    free(look->bodies);
    look->forms = NULL;
    look->meshes = NULL;
    look->solids = NULL;
    look->colors = NULL;
    look->materials = look->bodies = NULL;
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

// an opening as a flat box or cylinder, a volume as its shape
static ThawShape emitter_shape(const ThawScene *scene, const ThawSceneEmitter *emitter, double t) {
    ThawEmitterDef def = thaw_scene_emitter_at(emitter, t);
    if (emitter->kind == THAW_EMITTER_VOLUME) return def.shape;
    bool disc = emitter->kind == THAW_EMITTER_DISC;
    double width = disc ? 2 * def.radius : def.width, thin = 0.02 * width;
    ThawVec3 size = {width, def.height, thin};
    if (scene->world.dimensions == 2) size = (ThawVec3){width, thin, 1};
    ThawShape shape = thaw_shape_box(def.pose.position, size);
    if (disc && scene->world.dimensions == 3) {
        shape.kind = THAW_SHAPE_CYLINDER;
        shape.radius = def.radius;
        shape.height = thin;
    }
    shape.pose = def.pose;
    return shape;
}

// emitters and sinks that are to be seen, as edges; returns how many solids there are then
static int place_sources(const Look *look, double t, int count) {
    static const double sink_color[3] = {0.55, 0.2, 0.2};
    const ThawScene *scene = look->scene;
    for (int k = 0; k < scene->emitter_count; k++) {
        const ThawSceneEmitter *emitter = &scene->emitters[k];
        if (!emitter->visible) continue;
        ThawRenderSolid *solid = &look->solids[count++];
        *solid = (ThawRenderSolid){.shape = emitter_shape(scene, emitter, t), .container = true};
        memcpy(solid->color, scene->materials[emitter->material].color, sizeof solid->color);
    }
    for (int k = 0; k < scene->sink_count; k++) {
        const ThawSceneSink *sink = &scene->sinks[k];
        if (!sink->visible || sink->shape.kind == THAW_SHAPE_PLANE) continue;
        ThawRenderSolid *solid = &look->solids[count++];
        *solid = (ThawRenderSolid){.shape = sink->shape, .container = true};
        memcpy(solid->color, sink_color, sizeof solid->color);
    }
    return count;
}

// colliders where they are in the frame, in the form that they have then
static ThawResult place_solids(const Look *look, const ThawFrame *frame, ThawRenderDef *def) {
    const ThawScene *scene = look->scene;
    int count = 0;
    for (int k = 0; scene != NULL && k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        if (!collider->visible) continue;
        ThawRenderSolid *solid = &look->solids[count++];
        solid->shape = place_collider(scene, k, frame);
        solid->container = collider->container;
        memcpy(solid->color, collider->color, sizeof solid->color);
        solid->mesh = NULL;
        if (!forms_change(scene, k)) continue;
        ThawMesh *mesh = &look->meshes[k];
        ThawResult result = forms_at(look->forms, k, frame->info.time, mesh);
        if (result != THAW_OK) return result;
        solid->mesh = mesh;
    }
    if (scene != NULL) count = place_sources(look, frame->info.time, count);
    def->solids = look->solids;
    def->solid_count = count;
    return THAW_OK;
}

// what colours mean in one frame: a default that it cannot give is left out
static ThawRenderDef color_frame(const Look *look, const ThawFrame *frame) {
    ThawRenderDef def = look->def;
    double low, high;
    if (!look->asked_color && thaw_frame_column(frame, def.color) == NULL &&
        thaw_color_range(frame, def.color, &low, &high) != THAW_OK)
        def.color = "none";
    bool bodies = strcmp(def.color, "object") == 0;
    if (look->scene != NULL) {
        def.category_names = bodies ? look->bodies : look->materials;
        def.category_count = bodies ? look->scene->body_count : look->scene->material_count;
    }
    return def;
}

ThawResult look_kinds(const Look *look, const ThawFrame *frame, ThawColorKinds *kinds) {
    return thaw_color_kinds(frame, color_frame(look, frame).color, kinds);
}

ThawResult look_legend(const Look *look, const ThawFrame *frame, const ThawColorKinds *kinds,
                       int height, ThawImage **image) {
    ThawRenderDef def = color_frame(look, frame);
    def.kinds = kinds;
    return thaw_render_legend(frame, &def, height, image);
}

ThawResult look_draw(const Look *look, const ThawFrame *frame, ThawImage **image) {
    ThawRenderDef def = color_frame(look, frame);
    place_camera(look, frame, &def);
    ThawResult result = place_solids(look, frame, &def);
    if (result != THAW_OK) return result;
    char caption[256];
    const char *title = look->scene != NULL ? look->scene->title : "";
    snprintf(caption, sizeof caption, "%s%sframe %d   %.3f s", title, title[0] != '\0' ? "   " : "",
             frame->info.frame, frame->info.time);
    def.colorbar = !look->plain;
    if (!look->plain) def.caption = caption;
    return thaw_render_frame(frame, &def, image);
}
