// Colliders with flat faces along common axes, measured exactly.
//
// A container box or a plane bounds the room, a box is a block in it. What is left to the fluid is
// the room less the union of the blocks, by inclusion and exclusion a sum over boxes. Directions
// along which the solid does not change have no face, and so exactly no gradient.
#include "collision/walls_internal.h"

#define SQUARE 1e-4   // cosine below which axes count as perpendicular
#define PARALLEL 1e-8 // how far from 1 a cosine may be for parallel ones
#define OUT_OF_REACH 2.0

void thaw_flats_begin(ThawFlats *flats) {
    flats->axes = flats->blocks = 0;
    for (int a = 0; a < 3; a++) flats->room[a] = (ThawSpan){-OUT_OF_REACH, OUT_OF_REACH};
}

// a collider's spans along its own axes
typedef struct Faces {
    ThawVec3 axis[3];
    ThawSpan span[3];
    int count;
    bool keeps_in;
} Faces;

static ThawVec3 column(const double m[9], int c) {
    return thaw_vec(m[c], m[3 + c], m[6 + c]);
}

static bool list_faces(Faces *faces, const ThawFacing *facing, double h) {
    const ThawObstacle *o = facing->obstacle;
    ThawVec3 x = thaw_obstacle_local(o, facing->x);
    faces->count = 0;
    if (o->shape.kind == THAW_SHAPE_PLANE) {
        faces->axis[0] = column(o->turn, 2);
        faces->span[0] =
            o->side > 0 ? (ThawSpan){-x.z / h, OUT_OF_REACH} : (ThawSpan){-OUT_OF_REACH, -x.z / h};
        faces->count = 1;
        faces->keeps_in = true;
        return !o->flat || fabs(faces->axis[0].z) < SQUARE;
    }
    if (o->shape.kind != THAW_SHAPE_BOX) return false;
    double at[3] = {x.x, x.y, x.z}, per_h = 1 / h;
    double half[3] = {0.5 * o->shape.size.x, 0.5 * o->shape.size.y, 0.5 * o->shape.size.z};
    faces->keeps_in = o->side < 0;
    for (int a = 0; a < 3; a++) {
        ThawVec3 axis = column(o->turn, a);
        // in 2D, nothing is seen of the faces above and below
        if (o->flat && fabs(axis.z) > 1 - PARALLEL) continue;
        faces->axis[faces->count] = axis;
        faces->span[faces->count++] =
            (ThawSpan){(-half[a] - at[a]) * per_h, (half[a] - at[a]) * per_h};
    }
    return faces->count == (o->flat ? 2 : 3);
}

// the place of an axis among the axes, a new one if it is perpendicular to all; −1 when askew
static int find_axis(const ThawFlats *flats, int axes, ThawVec3 axis) {
    for (int k = 0; k < axes; k++) {
        double cosine = fabs(thaw_dot(axis, flats->axis[k]));
        if (cosine > 1 - PARALLEL) return k;
        if (cosine > SQUARE) return -1;
    }
    return axes < 3 ? axes : -1;
}

static ThawSpan meet(ThawSpan a, ThawSpan b) {
    return (ThawSpan){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

bool thaw_flats_join(ThawFlats *flats, const ThawFacing *facing, double h) {
    Faces faces;
    int axes = flats->axes, place[3];
    if (!list_faces(&faces, facing, h)) return false;
    if (!faces.keeps_in && flats->blocks == THAW_WALL_BLOCKS) return false;
    for (int k = 0; k < faces.count; k++) {
        place[k] = find_axis(flats, axes, faces.axis[k]);
        if (place[k] < 0) return false;
        if (place[k] == axes) flats->axis[axes++] = faces.axis[k];
    }
    flats->axes = axes;
    ThawSpan *spans = flats->room;
    if (!faces.keeps_in) {
        spans = flats->block[flats->blocks++];
        for (int a = 0; a < 3; a++) spans[a] = (ThawSpan){-OUT_OF_REACH, OUT_OF_REACH};
    }
    for (int k = 0; k < faces.count; k++) {
        ThawSpan span = faces.span[k];
        if (thaw_dot(faces.axis[k], flats->axis[place[k]]) < 0) {
            span = (ThawSpan){-span.high, -span.low};
        }
        spans[place[k]] = meet(spans[place[k]], span);
    }
    return true;
}

void thaw_flats_measure(const ThawFlats *flats, const ThawQuadrature *q, ThawMeasure *sum) {
    sum->share += 1;
    for (unsigned set = 0; set < 1u << flats->blocks; set++) {
        ThawSpan spans[3] = {flats->room[0], flats->room[1], flats->room[2]};
        double sign = 1;
        for (int b = 0; b < flats->blocks; b++) {
            if (!(set & 1u << b)) continue;
            sign = -sign;
            for (int a = 0; a < 3; a++) spans[a] = meet(spans[a], flats->block[b][a]);
        }
        ThawBoxShare box = thaw_box_share(q, spans);
        sum->share -= sign * box.share;
        for (int a = 0; a < flats->axes; a++) {
            double faces = sign * (box.high[a] - box.low[a]);
            sum->gradient = thaw_add(sum->gradient, thaw_scale(flats->axis[a], faces));
        }
    }
}
