// Forms, keys between them, and how a surface moves.
#include "collision/deform.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"

#include <string.h>

#define MOST_KEYS 64    // fields built on one way
#define KEY_CELLS 1.0   // cells that the surface moves from key to key
#define STANDING (-1)   // the key of the form that it starts from
#define NOT_BUILT (-2)  // no key's field is there
#define NEGLIGIBLE 1e-4 // cells: a lag that is not looked at

struct ThawDeform {
    ThawFieldDef settings;
    ThawField *from; // the form that it comes from
    ThawField *to;   // that it goes to; NULL when it stands
    ThawField *key;  // in use: `from`, or one built on the way
    int key_index;   // STANDING, 0 .. keys − 1, or NOT_BUILT
    int keys;
    bool follows; // both forms have the same triangles
    double begin, way;
    float (*velocity)[3]; // m/s, one a point
    double fastest;       // m/s
    // of the substep
    double lag[2];   // s from the key's moment to begin and end
    double share[2]; // of the way done at begin and end
};

static void drop_field(ThawField **field) {
    thaw_field_release(*field);
    *field = NULL;
}

ThawResult thaw_deform_create(const ThawField *field, ThawDeform **deform) {
    ThawDeform *d = thaw_alloc(sizeof *d);
    if (d == NULL) return thaw_fail_memory(sizeof *d);
    ThawFieldReport info = thaw_field_report(field);
    d->settings = thaw_field_default();
    d->settings.mode = info.mode;
    d->settings.cell = info.cell;
    d->settings.band = info.band;
    d->settings.offset = info.offset;
    d->from = thaw_field_retain(field);
    d->key = thaw_field_retain(field);
    d->key_index = STANDING;
    *deform = d;
    return THAW_OK;
}

void thaw_deform_destroy(ThawDeform *deform) {
    if (deform == NULL) return;
    drop_field(&deform->from);
    drop_field(&deform->to);
    drop_field(&deform->key);
    thaw_free(deform->velocity);
    thaw_free(deform);
}

const ThawField *thaw_deform_field(const ThawDeform *deform) {
    return deform->key;
}

ThawDeformState thaw_deform_state(const ThawDeform *deform) {
    ThawDeformState state = {.from = thaw_field_mesh(deform->from), .begin = deform->begin};
    if (deform->to != NULL) {
        state.to = thaw_field_mesh(deform->to);
        state.way = deform->way;
    }
    return state;
}

// ---------------------------------------------------------------- forms

static bool same_triangles(const ThawMesh *a, const ThawMesh *b) {
    return a->point_count == b->point_count && a->triangle_count == b->triangle_count &&
           memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

static double share_at(const ThawDeform *d, double time) {
    if (d->to == NULL) return 0;
    double share = (time - d->begin) / d->way;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

// The field of the form at a share of the way.
static ThawResult build_between(const ThawDeform *d, double share, ThawParallel *parallel,
                                ThawField **field) {
    ThawMesh mesh = thaw_field_mesh(d->from), to = thaw_field_mesh(d->to);
    const double(*a)[3] = mesh.points, (*b)[3] = to.points;
    double(*points)[3] = thaw_alloc(mesh.point_count * sizeof *points);
    if (points == NULL) return thaw_fail_memory(mesh.point_count * sizeof *points);
    for (uint32_t k = 0; k < mesh.point_count; k++) {
        for (int c = 0; c < 3; c++) points[k][c] = a[k][c] + share * (b[k][c] - a[k][c]);
    }
    mesh.points = (const double(*)[3])points;
    ThawResult result = thaw_field_build(&mesh, &d->settings, parallel, false, field);
    thaw_free(points);
    return result;
}

// The form at a time becomes the one that it comes from.
static ThawResult stand_at(ThawDeform *d, double time, ThawParallel *parallel) {
    double share = share_at(d, time);
    ThawField *field = NULL;
    if (d->to == NULL || share <= 0) {
        field = thaw_field_retain(d->from);
    } else if (share >= 1 || !d->follows) {
        field = thaw_field_retain(d->to);
    } else {
        ThawResult result = build_between(d, share, parallel, &field);
        if (result != THAW_OK) return result;
    }
    drop_field(&d->from);
    drop_field(&d->to);
    drop_field(&d->key);
    d->from = field;
    d->key = thaw_field_retain(field);
    d->key_index = STANDING;
    return THAW_OK;
}

static ThawResult measure_velocity(ThawDeform *d) {
    ThawMesh a = thaw_field_mesh(d->from), b = thaw_field_mesh(d->to);
    size_t bytes = a.point_count * sizeof *d->velocity;
    float(*velocity)[3] = thaw_alloc(bytes);
    if (velocity == NULL) return thaw_fail_memory(bytes);
    d->fastest = 0;
    for (uint32_t k = 0; k < a.point_count; k++) {
        double square = 0;
        for (int c = 0; c < 3; c++) {
            double v = (b.points[k][c] - a.points[k][c]) / d->way;
            velocity[k][c] = (float)v;
            square += v * v;
        }
        d->fastest = fmax(d->fastest, sqrt(square));
    }
    thaw_free(d->velocity);
    d->velocity = velocity;
    double keys = ceil(d->fastest * d->way / (KEY_CELLS * d->settings.cell));
    d->keys = keys < 1 ? 1 : keys > MOST_KEYS ? MOST_KEYS : (int)keys;
    return THAW_OK;
}

ThawResult thaw_deform_aim(ThawDeform *d, const ThawMesh *mesh, double now, double time,
                           ThawParallel *parallel) {
    ThawField *to;
    ThawResult result = thaw_field_build(mesh, &d->settings, parallel, false, &to);
    if (result != THAW_OK) return result;
    result = stand_at(d, now, parallel);
    if (result != THAW_OK) {
        thaw_field_release(to);
        return result;
    }
    ThawMesh from = thaw_field_mesh(d->from);
    d->to = to;
    d->begin = now;
    d->way = time - now;
    d->follows = same_triangles(&from, mesh);
    d->keys = 1;
    result = d->follows ? measure_velocity(d) : THAW_OK;
    if (result != THAW_OK) drop_field(&d->to);
    return result;
}

// ---------------------------------------------------------------- a substep

static double key_time(const ThawDeform *d, int key) {
    return d->begin + d->way * (key + 0.5) / d->keys;
}

static ThawResult use_key(ThawDeform *d, int key, ThawParallel *parallel) {
    if (key == d->key_index) return THAW_OK;
    ThawField *field = NULL;
    ThawResult result = build_between(d, (key + 0.5) / d->keys, parallel, &field);
    if (result != THAW_OK) return result;
    drop_field(&d->key);
    d->key = field;
    d->key_index = key;
    return THAW_OK;
}

ThawResult thaw_deform_prepare(ThawDeform *d, double begin, double end, ThawParallel *parallel) {
    d->lag[0] = d->lag[1] = d->share[0] = d->share[1] = 0;
    if (d->to != NULL && begin >= d->begin + d->way) {
        ThawResult result = stand_at(d, begin, parallel);
        if (result != THAW_OK) return result;
    }
    if (d->to == NULL) return THAW_OK;
    d->share[0] = share_at(d, begin);
    d->share[1] = share_at(d, end);
    if (!d->follows) return THAW_OK;
    int key = (int)(d->share[1] * d->keys);
    if (key >= d->keys) key = d->keys - 1;
    ThawResult result = use_key(d, key, parallel);
    if (result != THAW_OK) return result;
    for (int k = 0; k < 2; k++) d->lag[k] = d->begin + d->share[k] * d->way - key_time(d, key);
    return THAW_OK;
}

// ---------------------------------------------------------------- questions

static bool moves(const ThawDeform *d) {
    return d->to != NULL && d->follows;
}

static bool blends(const ThawDeform *d) {
    return d->to != NULL && !d->follows;
}

// velocity of the surface beside a place, seen at the key's moment
static ThawVec3 velocity_at(const ThawDeform *d, ThawVec3 place) {
    ThawFieldSpot spot = thaw_field_spot(d->key, place);
    return thaw_field_motion(d->key, &spot, place, (const float(*)[3])d->velocity);
}

// Where a place is to be looked up in the key's field.
static ThawVec3 place_at_key(const ThawDeform *d, ThawVec3 place, double lag) {
    if (fabs(lag) * d->fastest < NEGLIGIBLE * d->settings.cell) return place;
    return thaw_sub(place, thaw_scale(velocity_at(d, place), lag));
}

// distance and slope blended between both forms
static double blend_at(const ThawDeform *d, ThawVec3 place, double share, ThawVec3 *slope) {
    ThawVec3 a, b;
    double from = thaw_field_sample(d->from, place, &a), to = thaw_field_sample(d->to, place, &b);
    *slope = thaw_add(thaw_scale(a, 1 - share), thaw_scale(b, share));
    return (1 - share) * from + share * to;
}

static bool is_beyond(const ThawDeform *d, double distance) {
    return fabs(distance) > d->fastest * fabs(d->lag[1]) + d->settings.cell * d->settings.band;
}

double thaw_deform_distance(const ThawDeform *d, ThawVec3 place) {
    ThawVec3 slope;
    if (blends(d)) return blend_at(d, place, d->share[1], &slope);
    double distance = thaw_field_sample(d->key, place, NULL);
    if (!moves(d)) return distance;
    double drift = d->fastest * fabs(d->lag[1]);
    if (is_beyond(d, distance)) return distance > 0 ? distance - drift : distance + drift;
    return thaw_field_sample(d->key, place_at_key(d, place, d->lag[1]), NULL);
}

static ThawNearest nearest_in(const ThawField *field, ThawVec3 place) {
    ThawVec3 slope;
    double distance = thaw_field_sample(field, place, &slope), length = thaw_length(slope);
    if (length > 1e-3) return (ThawNearest){distance, thaw_scale(slope, 1 / length)};
    return thaw_field_nearest(field, place);
}

ThawNearest thaw_deform_nearest(const ThawDeform *d, ThawVec3 place) {
    if (!blends(d)) {
        return nearest_in(d->key, moves(d) ? place_at_key(d, place, d->lag[1]) : place);
    }
    ThawVec3 slope;
    double distance = blend_at(d, place, d->share[1], &slope), length = thaw_length(slope);
    if (length > 1e-3) return (ThawNearest){distance, thaw_scale(slope, 1 / length)};
    return thaw_field_nearest(d->share[1] < 0.5 ? d->from : d->to, place);
}

ThawVec3 thaw_deform_motion(const ThawDeform *d, ThawVec3 place, ThawMoment moment) {
    if (d->to == NULL) return thaw_vec(0, 0, 0);
    double shares = d->share[1] - d->share[0];
    // what the surface cannot reach in this substep need not know how it moves
    double reach = d->settings.band * d->settings.cell + 2 * shares * d->way * d->fastest;
    if (d->follows && fabs(thaw_field_sample(d->key, place, NULL)) > reach) {
        return thaw_vec(0, 0, 0);
    }
    // the place is at most half a cell beside where it was at the key's moment
    if (d->follows) return thaw_scale(velocity_at(d, place), shares * d->way);
    // only the motion along the normal can be told
    ThawVec3 slope;
    blend_at(d, place, d->share[moment], &slope);
    double length = thaw_length(slope);
    if (!(length > 1e-3)) return thaw_vec(0, 0, 0);
    double nearer = thaw_field_sample(d->from, place, NULL) - thaw_field_sample(d->to, place, NULL);
    return thaw_scale(slope, nearer * shares / length);
}

const ThawField *thaw_deform_lookup(const ThawDeform *d, ThawVec3 place, ThawVec3 *move) {
    *move = thaw_vec(0, 0, 0);
    if (blends(d)) return d->share[1] < 0.5 ? d->from : d->to;
    if (moves(d)) *move = thaw_sub(place_at_key(d, place, d->lag[1]), place);
    return d->key;
}
