// Motion of colliders and attachments: keys as written, or expressions sampled into keys.
//
// A world moves straight and turns the short way between two keys. What a scene says beyond that is made
// of more keys: turns of several rounds go in pieces of at most 90 degrees, turns about a pivot in pieces
// so short that the path keeps to the arc.
#include "scene/reader.h"

#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define MOST_MOTION_KEYS 20000
#define SAMPLES 4                 // keys a frame of a motion of expressions
#define MOST_TURN (PI / 2)        // between two keys
#define MOST_PIVOT_TURN (PI / 18) // the same about a pivot
#define PATH_ERROR 0.01           // spacings that a path about a pivot may leave the arc
#define MOST_MOVE 1e9             // m, as the table says
#define MOST_TIME 1e6             // s

// a moment of the motion as it is said
typedef struct Moment {
    double time;
    ThawVec3 move;
    ThawVec3 axis; // of length 1, where there is an angle
    double angle;
    bool exact; // `rotation` was given, not axis and angle
    ThawQuat rotation;
    bool pivoted;
    ThawVec3 pivot;
} Moment;

// the motion whose keys are being made
typedef struct Making {
    SceneReader *reader;
    const SceneNode *node; // to complain at
    SceneCourse *course;
    double spacing;
} Making;

// ---------------------------------------------------------------- keys

static bool is_within(ThawVec3 v, double bound) {
    return fabs(v.x) <= bound && fabs(v.y) <= bound && fabs(v.z) <= bound;
}

// a turn about a pivot is a turn about the shape's position and a move
static bool add_key(Making *making, double time, ThawVec3 move, ThawQuat turn, ThawVec3 pivot) {
    SceneReader *reader = making->reader;
    SceneCourse *course = making->course;
    if (!scene_visit(reader, making->node)) return false;
    if (course->count == MOST_MOTION_KEYS) {
        return scene_complain(reader, making->node,
                              "%s comes to more than %d keys; give fewer turns, or a shorter run",
                              reader->path, MOST_MOTION_KEYS);
    }
    course->keys = scene_append(reader, course->keys, &course->count, sizeof *course->keys);
    if (course->keys == NULL) return false;
    ThawVec3 arm = thaw_sub(pivot, course->position);
    if (thaw_length(arm) > 0) {
        move = thaw_add(move, thaw_sub(arm, thaw_quat_rotate(turn, arm)));
    }
    if (!is_within(move, MOST_MOVE)) {
        return scene_complain(reader, making->node, "%s moves further than 1e9 m", reader->path);
    }
    course->keys[course->count - 1] = (ThawKeyframe){time, move, turn};
    return true;
}

static ThawQuat rotation_of(const Moment *moment) {
    return moment->exact ? moment->rotation : thaw_quat_turn(moment->axis, moment->angle);
}

// ---------------------------------------------------------------- between two moments

// how it turns from a to b
typedef struct Turn {
    bool counted;    // by an angle about one axis, however far
    ThawVec3 axis;   // then
    double from, to; // rad
    ThawQuat begin, end;
    double size; // rad, how far in all
} Turn;

static Turn find_turn(const Moment *a, const Moment *b) {
    Turn turn = {.begin = rotation_of(a), .end = rotation_of(b), .from = a->angle, .to = b->angle};
    double along = thaw_dot(a->axis, b->axis);
    bool shared = a->angle == 0 || b->angle == 0 || fabs(along) >= 1 - 1e-12;
    turn.counted = !a->exact && !b->exact && shared;
    turn.axis = b->angle != 0 ? b->axis : a->axis;
    // the same axis, pointing the other way
    if (a->angle != 0 && b->angle != 0 && along < 0) turn.from = -turn.from;
    if (turn.counted) {
        turn.size = fabs(turn.to - turn.from);
    } else {
        ThawQuat p = turn.begin, q = turn.end;
        double dot = fabs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
        turn.size = 2 * acos(fmin(dot, 1));
    }
    return turn;
}

static ThawQuat turn_at(const Turn *turn, double s) {
    if (!turn->counted) return thaw_quat_slerp(turn->begin, turn->end, s);
    return thaw_quat_turn(turn->axis, turn->from + s * (turn->to - turn->from));
}

// the point that a moment turns about, which does not matter where it is not turned at all
static ThawVec3 pivot_of(const Making *making, const Moment *moment, const Moment *other) {
    if (moment->pivoted) return moment->pivot;
    bool turned = moment->exact || moment->angle != 0;
    if (!turned && other->pivoted) return other->pivot;
    return making->course->position;
}

// pieces that keep the turn countable and the path about the pivots near the arc
static double count_pieces(const Making *making, const Turn *turn, double radius) {
    double most = turn->counted ? MOST_TURN : PI;
    if (radius > 0) {
        double room = PATH_ERROR * making->spacing / radius;
        most = fmin(MOST_PIVOT_TURN, room < 1 ? 2 * acos(1 - room) : PI);
    }
    return fmax(1, ceil(turn->size / most * (1 - 1e-9)));
}

// the keys after a, up to b
static bool add_way(Making *making, const Moment *a, const Moment *b) {
    ThawVec3 from = pivot_of(making, a, b), to = pivot_of(making, b, a);
    ThawVec3 position = making->course->position;
    double radius =
        fmax(thaw_length(thaw_sub(from, position)), thaw_length(thaw_sub(to, position)));
    Turn turn = find_turn(a, b);
    double pieces = count_pieces(making, &turn, radius);
    if (!(pieces <= MOST_MOTION_KEYS)) pieces = MOST_MOTION_KEYS; // the last will be refused
    for (int k = 1; k < (int)pieces; k++) {
        double s = k / pieces;
        double time = a->time + s * (b->time - a->time);
        // times so close that nothing fits between them
        if (!(time > making->course->keys[making->course->count - 1].time)) continue;
        if (!(time < b->time)) break;
        ThawVec3 move = thaw_add(a->move, thaw_scale(thaw_sub(b->move, a->move), s));
        ThawVec3 pivot = thaw_add(from, thaw_scale(thaw_sub(to, from), s));
        if (!add_key(making, time, move, turn_at(&turn, s), pivot)) return false;
    }
    return add_key(making, b->time, b->move, rotation_of(b), to);
}

static bool add_moment(Making *making, const Moment *before, const Moment *moment) {
    if (before != NULL) return add_way(making, before, moment);
    ThawVec3 pivot = moment->pivoted ? moment->pivot : making->course->position;
    return add_key(making, moment->time, moment->move, rotation_of(moment), pivot);
}

// ---------------------------------------------------------------- keys as written

// {axis, angle} of a motion; the axis comes out with length 1
static bool read_turn(SceneReader *reader, const char *scope, const SceneNode *node, void *turn,
                      ThawVec3 *axis) {
    if (!scene_read_map(reader, scope, node, turn, NULL)) return false;
    double length = thaw_length(*axis);
    if (!(length > 0)) {
        return scene_complain(reader, node, "%s.axis must not be [0, 0, 0]", reader->path);
    }
    return true;
}

static bool take_key_rotate(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                            const SceneNode *value, void *target) {
    (void)key;
    SceneMotionKey *form = target;
    return read_turn(reader, row->key.path, value, &form->turn, &form->turn.axis);
}

static bool read_key(SceneReader *reader, const SceneNode *node, Moment *moment) {
    SceneMotionKey form = {.orientation = thaw_quat_identity()};
    if (!scene_read_map(reader, "colliders[].motion[]", node, &form, take_key_rotate)) return false;
    bool exact = scene_node_find(node, "orientation") != NULL;
    if (exact && scene_node_find(node, "rotate") != NULL) {
        return scene_complain(reader, scene_node_find(node, "orientation")->key,
                              "%s: give either 'rotate' or 'orientation', not both", reader->path);
    }
    double length = thaw_length(form.turn.axis);
    *moment = (Moment){.time = form.time,
                       .move = form.move,
                       .exact = exact,
                       .rotation = form.orientation,
                       .pivoted = scene_node_find(node, "pivot") != NULL,
                       .pivot = form.pivot};
    if (length > 0) {
        moment->axis = thaw_scale(form.turn.axis, 1 / length);
        moment->angle = form.turn.angle;
    }
    return true;
}

static bool check_time(SceneReader *reader, const SceneNode *item, const Moment *before,
                       const Moment *moment) {
    if (before == NULL || moment->time > before->time) return true;
    return scene_complain(reader, scene_node_find(item, "time")->value,
                          "%s.time must be later than the one before: %g s is not after %g s",
                          reader->path, moment->time, before->time);
}

static bool read_keys(Making *making, const SceneNode *list) {
    SceneReader *reader = making->reader;
    Moment before = {0}, moment = {0};
    bool good = true;
    for (int k = 0; k < list->count && !reader->out_of_memory; k++) {
        const SceneNode *item = list->items[k].value;
        size_t length = scene_enter_index(reader, k);
        making->node = item;
        // after a mistake the others are still looked at
        bool read = read_key(reader, item, &moment);
        const Moment *last = k > 0 ? &before : NULL;
        good &= read;
        if (good)
            good = check_time(reader, item, last, &moment) && add_moment(making, last, &moment);
        scene_leave(reader, length);
        before = moment;
    }
    return good;
}

// ---------------------------------------------------------------- expressions

static bool take_formula_rotate(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                                const SceneNode *value, void *target) {
    (void)key;
    ThawSceneMotion *formula = target;
    formula->turns = true;
    return read_turn(reader, row->key.path, value, formula, &formula->axis);
}

static bool sample(Making *making, const ThawSceneMotion *formula, double t, Moment *moment) {
    ThawMoment when = {.t = t};
    double length = thaw_length(formula->axis);
    *moment = (Moment){.time = t,
                       .move = thaw_number3_at(&formula->move, &when),
                       .pivoted = formula->pivoted,
                       .pivot = formula->pivot};
    if (formula->turns) {
        moment->axis = thaw_scale(formula->axis, 1 / length);
        moment->angle = thaw_number_at(&formula->angle, &when);
    }
    if (is_within(moment->move, MOST_MOVE) && fabs(moment->angle) <= MOST_TIME) return true;
    return scene_complain(making->reader, making->node, "%s is not finite or too large at t = %g s",
                          making->reader->path, t);
}

static bool read_formula(Making *making, const SceneNode *map) {
    SceneReader *reader = making->reader;
    const ThawSceneFrames *frames = &reader->owner->scene.frames;
    ThawSceneMotion *formula = scene_take(&reader->owner->arena, sizeof *formula);
    if (formula == NULL) return scene_complain_memory(reader);
    if (!scene_read_map(reader, "colliders[].motion", map, formula, take_formula_rotate)) {
        return false;
    }
    formula->pivoted = scene_node_find(map, "pivot") != NULL;
    making->course->formula = formula;
    if (!(frames->fps > 0)) return false; // that was said already
    // the moments do not depend on how many there are: a longer run begins with the same keys
    double step = 1 / (SAMPLES * frames->fps);
    double last = ceil((frames->preroll + frames->count / frames->fps) / step * (1 - 1e-12));
    if (last > MOST_MOTION_KEYS - 1 || last * step > MOST_TIME) {
        return scene_complain(reader, map,
                              "%s is sampled %d times a frame, which comes to more than %d keys: "
                              "give keys over time instead",
                              reader->path, SAMPLES, MOST_MOTION_KEYS);
    }
    Moment before = {0}, moment = {0};
    for (int k = 0; k <= (int)last; k++) {
        if (!sample(making, formula, k * step, &moment)) return false;
        if (!add_moment(making, k > 0 ? &before : NULL, &moment)) return false;
        before = moment;
    }
    return true;
}

bool scene_read_motion(SceneReader *reader, const SceneNode *node, SceneCourse *course) {
    Making making = {.reader = reader,
                     .node = node,
                     .course = course,
                     .spacing = fmax(reader->owner->scene.world.spacing, DBL_MIN)};
    if (node->kind == SCENE_MAP) return read_formula(&making, node);
    if (!scene_expect(reader, node, SCENE_LIST)) return false;
    return read_keys(&making, node);
}
