// Shapes of a scene: {box: {...}} and the like, openings of emitters, and how things are turned.
#include "scene/reader.h"

#include "geometry/distance.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// a shape's map with what its form was filled from
typedef struct ShapeText {
    const SceneNode *node;
    SceneForm form;
    const ThawSceneMesh **mesh; // where a mesh goes; NULL: none is allowed
    ThawSceneEmitter *emitter;  // where an opening goes; NULL: none is allowed
} ShapeText;

static bool has(const ShapeText *text, const char *key) {
    return scene_node_find(text->node, key) != NULL;
}

bool scene_read_rotate(SceneReader *reader, const SceneNode *node, ThawQuat *rotation) {
    SceneTurn turn;
    if (!scene_read_map(reader, "rotate", node, &turn, NULL)) return false;
    if (thaw_length(turn.axis) <= 0) {
        return scene_complain(reader, node, "%s.axis must not be [0, 0, 0]", reader->path);
    }
    *rotation = thaw_quat_turn(turn.axis, turn.angle);
    return true;
}

// ---------------------------------------------------------------- balls

// [x, y, z, radius]; in 2D also [x, y, radius]
static bool read_ball(SceneReader *reader, const SceneRow *row, const SceneNode *node,
                      ThawBall *ball) {
    bool flat = reader->dimensions == 2;
    if (node->kind != SCENE_LIST || (node->count != 4 && !(flat && node->count == 3))) {
        return scene_complain(reader, node, "%s must be a ball %s", reader->path,
                              flat ? "[x, y, radius]" : "[x, y, z, radius]");
    }
    double v[4] = {0};
    bool good = true;
    for (int a = 0; a < node->count; a++) {
        size_t length = scene_enter_index(reader, a);
        good &= scene_read_number(reader, row, node->items[a].value, &v[a]);
        scene_leave(reader, length);
    }
    if (!good) return false;
    double radius = v[node->count - 1];
    *ball = (ThawBall){thaw_vec(v[0], v[1], node->count == 4 ? v[2] : 0), radius};
    if (radius > 0) return true;
    return scene_complain(reader, node->items[node->count - 1].value,
                          "%s: a ball's radius must be > 0 m, not %g", reader->path, radius);
}

static bool read_balls(SceneReader *reader, const SceneRow *row, const SceneNode *value,
                       SceneForm *form) {
    if (!scene_expect(reader, value, SCENE_LIST)) return false;
    if (value->count < 1 || value->count > THAW_BALLS) {
        return scene_complain(reader, value, "%s must be 1 to %d balls, not %d", reader->path,
                              THAW_BALLS, value->count);
    }
    form->balls = scene_take(&reader->owner->arena, (size_t)value->count * sizeof *form->balls);
    if (form->balls == NULL) return scene_complain_memory(reader);
    form->ball_count = value->count;
    bool good = true;
    for (int k = 0; k < value->count; k++) {
        const SceneNode *ball = value->items[k].value;
        size_t length = scene_enter_index(reader, k);
        good &= scene_visit(reader, ball) && read_ball(reader, row, ball, &form->balls[k]);
        scene_leave(reader, length);
    }
    return good;
}

// [width, height]; in 2D also the width alone
static bool read_size(SceneReader *reader, const SceneRow *row, const SceneNode *value,
                      SceneForm *form) {
    bool flat = reader->dimensions == 2;
    form->opening[0] = form->opening[1] = 1;
    if (flat && value->kind == SCENE_SCALAR) {
        return scene_read_number(reader, row, value, &form->opening[0]);
    }
    if (value->kind != SCENE_LIST || value->count != 2) {
        return scene_complain(reader, value, "%s must be %s", reader->path,
                              flat ? "one number, the width" : "two numbers [width, height]");
    }
    bool good = true;
    for (int a = 0; a < 2; a++) {
        size_t length = scene_enter_index(reader, a);
        good &= scene_read_number(reader, row, value->items[a].value, &form->opening[a]);
        scene_leave(reader, length);
    }
    return good;
}

// keys of shapes that are read by hand
static bool take_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                     const SceneNode *value, void *target) {
    if (strcmp(key->text, "balls") == 0) return read_balls(reader, row, value, target);
    if (strcmp(key->text, "size") == 0) return read_size(reader, row, value, target);
    return scene_read_map(reader, row->key.path, value, target, NULL);
}

// ---------------------------------------------------------------- poses

// two ways to say the same must not both be used
static bool exclude(SceneReader *reader, const ShapeText *text, const char *one,
                    const char *other) {
    if (!has(text, one) || !has(text, other)) return true;
    const SceneNode *key = scene_node_find(text->node, other)->key;
    return scene_complain(reader, key, "%s: give either '%s' or '%s', not both", reader->path, one,
                          other);
}

static bool need(SceneReader *reader, const ShapeText *text, const char *key) {
    if (has(text, key)) return true;
    return scene_complain(reader, text->node, "%s needs the key '%s'", reader->path, key);
}

static ThawQuat orientation_of(const ShapeText *text) {
    return has(text, "orientation") ? text->form.orientation : thaw_quat_identity();
}

static bool differ(SceneReader *reader, const ShapeText *text, ThawVec3 a, ThawVec3 b,
                   const char *names) {
    ThawVec3 way = thaw_sub(a, b);
    if (thaw_length(way) > 0) return true;
    return scene_complain(reader, text->node, "%s: %s must not be the same point", reader->path,
                          names);
}

static bool point_somewhere(SceneReader *reader, const ShapeText *text, ThawVec3 v,
                            const char *key) {
    if (thaw_length(v) > 0) return true;
    const SceneItem *item = scene_node_find(text->node, key);
    return scene_complain(reader, item != NULL ? item->value : text->node,
                          "%s.%s must not be [0, 0, 0]", reader->path, key);
}

// turned as `rotate` or `orientation` say
static bool turn_shape(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    if (has(text, "rotate")) {
        shape->pose.rotation =
            thaw_quat_normalize(thaw_quat_mul(text->form.rotate, shape->pose.rotation));
    }
    if (has(text, "orientation")) shape->pose.rotation = text->form.orientation;
    return exclude(reader, text, "rotate", "orientation");
}

// ---------------------------------------------------------------- one function a shape

static bool make_box(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    *shape = thaw_shape_box(text->form.center, text->form.size);
    return turn_shape(reader, text, shape);
}

static bool make_sphere(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    (void)reader;
    *shape = thaw_shape_sphere(text->form.center, text->form.radius);
    return true;
}

// capsule and cylinder: between two points, or about a centre
static bool make_rod(SceneReader *reader, const ShapeText *text, ThawShapeKind kind,
                     ThawShape *shape) {
    const SceneForm *form = &text->form;
    if (has(text, "center") || has(text, "height")) {
        *shape = (ThawShape){.kind = kind,
                             .pose = {form->center, orientation_of(text)},
                             .radius = form->radius,
                             .height = form->height};
        return exclude(reader, text, "from", "center") && exclude(reader, text, "to", "height") &&
               need(reader, text, "center") && need(reader, text, "height");
    }
    bool given = need(reader, text, "from");
    given &= need(reader, text, "to");
    if (!given || !exclude(reader, text, "from", "orientation")) return false;
    *shape = kind == THAW_SHAPE_CAPSULE ? thaw_shape_capsule(form->from, form->to, form->radius)
                                        : thaw_shape_cylinder(form->from, form->to, form->radius);
    return differ(reader, text, form->from, form->to, "'from' and 'to'");
}

static bool make_capsule(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    return make_rod(reader, text, THAW_SHAPE_CAPSULE, shape);
}

static bool make_cylinder(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    return make_rod(reader, text, THAW_SHAPE_CYLINDER, shape);
}

static bool make_cone(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    const SceneForm *form = &text->form;
    if (has(text, "height") || has(text, "orientation")) {
        *shape = (ThawShape){.kind = THAW_SHAPE_CONE,
                             .pose = {form->base, orientation_of(text)},
                             .radius = form->radius,
                             .height = form->height};
        return exclude(reader, text, "apex", "height") &&
               exclude(reader, text, "apex", "orientation") && need(reader, text, "height");
    }
    if (!need(reader, text, "apex")) return false;
    *shape = thaw_shape_cone(form->base, form->apex, form->radius);
    return differ(reader, text, form->base, form->apex, "'base' and 'apex'");
}

static bool make_torus(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    const SceneForm *form = &text->form;
    *shape = thaw_shape_torus(form->center, form->axis, form->radius, form->tube);
    if (has(text, "orientation")) shape->pose.rotation = form->orientation;
    if (form->tube > form->radius) {
        return scene_complain(reader, text->node,
                              "%s.tube must not be above radius: %g is above %g", reader->path,
                              form->tube, form->radius);
    }
    return exclude(reader, text, "axis", "orientation") &&
           point_somewhere(reader, text, form->axis, "axis");
}

// z; in 2D the scene's up, as the line that a plane along z cuts out of the scene is nowhere
static ThawVec3 default_normal(const SceneReader *reader) {
    if (reader->dimensions == 3) return thaw_vec(0, 0, 1);
    return reader->owner->scene.up == 0 ? thaw_vec(1, 0, 0) : thaw_vec(0, 1, 0);
}

// in 2D a plane must cut the scene's own
static bool cut_scene(SceneReader *reader, const ShapeText *text, const ThawShape *shape) {
    ThawVec3 normal = thaw_quat_rotate(shape->pose.rotation, thaw_vec(0, 0, 1));
    if (reader->dimensions == 3 || hypot(normal.x, normal.y) > 1e-6) return true;
    const char *key = has(text, "orientation") ? "orientation" : "normal";
    return scene_complain(reader, scene_node_find(text->node, key)->value,
                          "%s.%s must not point along z in 2D: everything lies in the plane z = 0",
                          reader->path, key);
}

static bool make_plane(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    ThawVec3 normal = has(text, "normal") ? text->form.normal : default_normal(reader);
    *shape = thaw_shape_plane(text->form.point, normal);
    if (has(text, "orientation")) shape->pose.rotation = text->form.orientation;
    return exclude(reader, text, "normal", "orientation") &&
           point_somewhere(reader, text, normal, "normal") && cut_scene(reader, text, shape);
}

static bool make_blend(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    const SceneForm *form = &text->form;
    *shape = thaw_shape_blend(form->balls, form->ball_count, form->smooth);
    shape->pose.position = form->center;
    return turn_shape(reader, text, shape);
}

static bool make_mesh(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    if (text->mesh == NULL) {
        return scene_complain(reader, text->node,
                              "%s: a mesh is for colliders, bodies, emitters and sinks; take "
                              "other shapes for a region, such as a box or a blend",
                              reader->path);
    }
    *shape = thaw_shape_mesh(NULL);
    shape->pose.position = text->form.center;
    bool good = turn_shape(reader, text, shape);
    good &= exclude(reader, text, "file", "sequence");
    good &= exclude(reader, text, "offset", "thickness");
    if (!has(text, "file") && !has(text, "sequence")) good = need(reader, text, "file");
    if (!good) return false;
    *text->mesh = scene_make_mesh(reader, text->node, &text->form.mesh);
    return *text->mesh != NULL;
}

// ---------------------------------------------------------------- openings

// An opening is turned so that its local z (in 2D: y) is the normal.
ThawQuat scene_face_disc(int dimensions, ThawVec3 normal) {
    if (dimensions == 3) return thaw_quat_from_z(normal);
    return thaw_quat_turn(thaw_vec(0, 0, 1), atan2(-normal.x, normal.y));
}

// the turn about its own z that brings local y to `up`; false where `up` is along that z
static bool find_roll(ThawQuat rotation, ThawVec3 up, double *angle) {
    ThawVec3 seen = thaw_quat_rotate(thaw_quat_conjugate(rotation), up);
    if (!(hypot(seen.x, seen.y) > 1e-9 * thaw_length(up))) return false;
    *angle = atan2(-seen.x, seen.y);
    return true;
}

ThawQuat scene_face_rectangle(int dimensions, ThawVec3 normal, ThawVec3 up, double turn) {
    ThawQuat facing = scene_face_disc(dimensions, normal);
    double angle = 0;
    if (dimensions == 2 || !find_roll(facing, up, &angle)) return facing;
    return thaw_quat_mul(facing, thaw_quat_turn(thaw_vec(0, 0, 1), angle + turn));
}

// the scene's up; where matter leaves along that, another axis
static ThawVec3 default_up(const SceneReader *reader, ThawVec3 normal) {
    int up = reader->owner->scene.up;
    const ThawVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool along = thaw_length(thaw_cross(axes[up], normal)) <= 1e-6 * thaw_length(normal);
    return along ? axes[up == 2 ? 1 : 2] : axes[up];
}

// what both kinds need: a place among emitters, and a way out
static bool check_opening(SceneReader *reader, const ShapeText *text, const char *name) {
    if (text->emitter == NULL) {
        return scene_complain(reader, text->node,
                              "%s: a %s is an opening without volume; it is for emitters",
                              reader->path, name);
    }
    text->emitter->pose = (ThawPose){text->form.center, text->form.orientation};
    if (reader->dimensions == 2 && text->form.normal.z != 0) {
        return scene_complain(reader, scene_node_find(text->node, "normal")->value,
                              "%s.normal must have z = 0 in 2D", reader->path);
    }
    if (has(text, "orientation")) return exclude(reader, text, "normal", "orientation");
    return need(reader, text, "normal") &&
           point_somewhere(reader, text, text->form.normal, "normal");
}

static bool make_disc(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    (void)shape;
    if (!check_opening(reader, text, "disc")) return false;
    text->emitter->kind = THAW_EMITTER_DISC;
    text->emitter->radius = text->form.radius;
    if (has(text, "normal")) {
        text->emitter->pose.rotation = scene_face_disc(reader->dimensions, text->form.normal);
    }
    return true;
}

static bool make_rectangle(SceneReader *reader, const ShapeText *text, ThawShape *shape) {
    (void)shape;
    if (!check_opening(reader, text, "rectangle")) return false;
    text->emitter->kind = THAW_EMITTER_RECTANGLE;
    for (int a = 0; a < 2; a++) text->emitter->size[a] = text->form.opening[a];
    if (has(text, "orientation")) {
        return exclude(reader, text, "up", "orientation") &&
               exclude(reader, text, "turn", "orientation");
    }
    ThawVec3 normal = text->form.normal, up = text->form.up;
    double angle;
    if (!has(text, "up")) up = default_up(reader, normal);
    text->emitter->pose.rotation =
        scene_face_rectangle(reader->dimensions, normal, up, text->form.turn);
    if (reader->dimensions == 2 || find_roll(text->emitter->pose.rotation, up, &angle)) return true;
    return scene_complain(reader, scene_node_find(text->node, "up")->value,
                          "%s.up must not be along the normal, nor [0, 0, 0]", reader->path);
}

typedef struct ShapeMaker {
    const char *name, *scope;
    bool (*make)(SceneReader *reader, const ShapeText *text, ThawShape *shape);
} ShapeMaker;

static const ShapeMaker makers[] = {
    {"box", "shape.box", make_box},
    {"sphere", "shape.sphere", make_sphere},
    {"capsule", "shape.capsule", make_capsule},
    {"cylinder", "shape.cylinder", make_cylinder},
    {"cone", "shape.cone", make_cone},
    {"torus", "shape.torus", make_torus},
    {"plane", "shape.plane", make_plane},
    {"blend", "shape.blend", make_blend},
    {"mesh", "shape.mesh", make_mesh},
    {"disc", "shape.disc", make_disc},
    {"rectangle", "shape.rectangle", make_rectangle},
};
#define OPENINGS 2 // the last ones
#define MAKERS ((int)(sizeof makers / sizeof *makers))

// ---------------------------------------------------------------- any shape

static const ShapeMaker *find_maker(SceneReader *reader, const SceneNode *key, bool openings) {
    const char *known[MAKERS];
    int count = openings ? MAKERS : MAKERS - OPENINGS;
    for (int k = 0; k < MAKERS; k++) {
        known[k] = makers[k].name;
        if (strcmp(makers[k].name, key->text) == 0) return &makers[k];
    }
    char hint[96];
    if (scene_hint(key->text, known, count, hint)[0] != '\0') {
        scene_complain(reader, key, "unknown shape '%.60s'%s", key->text, hint);
    } else {
        scene_complain(reader, key,
                       "unknown shape '%.60s'; shapes are box, sphere, capsule, cylinder, cone, "
                       "torus, plane, blend and mesh%s",
                       key->text, openings ? "; openings are disc and rectangle" : "");
    }
    return NULL;
}

static bool read_any(SceneReader *reader, const SceneNode *node, ShapeText *text,
                     ThawShape *shape) {
    if (!scene_expect(reader, node, SCENE_MAP)) return false;
    if (node->count != 1) {
        return scene_complain(reader, node, "%s must be one shape, like {sphere: {...}}, not %d",
                              reader->path, node->count);
    }
    const ShapeMaker *maker = find_maker(reader, node->items[0].key, text->emitter != NULL);
    if (maker == NULL) return false;
    text->node = node->items[0].value;
    size_t length = scene_enter(reader, maker->name);
    bool good = scene_read_map(reader, maker->scope, text->node, &text->form, take_key) &&
                maker->make(reader, text, shape);
    scene_leave(reader, length);
    bool opening = maker >= makers + MAKERS - OPENINGS;
    // a mesh has its field, and is checked, when all is read
    if (good && (opening || shape->kind == THAW_SHAPE_MESH)) return true;
    if (good && thaw_shape_check(shape, reader->path) != THAW_OK) {
        return scene_complain(reader, node, "%s", thaw_error_text());
    }
    return good;
}

bool scene_read_shape(SceneReader *reader, const SceneNode *node, ThawShape *shape,
                      const ThawSceneMesh **mesh) {
    ShapeText text = {.mesh = mesh};
    return read_any(reader, node, &text, shape);
}

bool scene_read_source(SceneReader *reader, const SceneNode *node, ThawSceneEmitter *emitter) {
    ShapeText text = {.mesh = &emitter->mesh, .emitter = emitter};
    emitter->kind = THAW_EMITTER_VOLUME;
    return read_any(reader, node, &text, &emitter->shape);
}
