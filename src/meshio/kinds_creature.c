// A winged dragon, made of tubes about a spine and of sheets without thickness, which cross each other as the parts of
// animated models do. Triangles depend on `detail` alone and only points on the phase: the frames of a sequence have
// the same topology. Points are therefore never welded.
#include "meshio/maker.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

// the snout is at x = 0.5, the tail's tip at −0.5; everything is scaled by the length at last
typedef struct Creature {
    double span; // in lengths
    double phase, flap, swim;
    int detail;
} Creature;

// ---------------------------------------------------------------- the spine

// thickness along the spine, and how the neck is held
static const struct {
    double s, radius, lift;
} profile[] = {
    {0.00, 0.012, 0.105}, {0.02, 0.020, 0.108}, {0.05, 0.026, 0.115}, {0.085, 0.040, 0.122},
    {0.12, 0.030, 0.115}, {0.17, 0.027, 0.080}, {0.23, 0.038, 0.035}, {0.30, 0.062, 0.008},
    {0.37, 0.070, 0.000}, {0.46, 0.060, 0.000}, {0.54, 0.045, 0.004}, {0.63, 0.028, 0.006},
    {0.75, 0.018, 0.000}, {0.88, 0.010, 0.006}, {0.97, 0.005, 0.020}, {1.00, 0.003, 0.026},
};
enum { PROFILE = sizeof profile / sizeof profile[0] };

static double cubic_between(double before, double a, double b, double after, double t) {
    double from = 0.5 * (b - before), to = 0.5 * (after - a);
    return a + t * (from + t * (3.0 * (b - a) - 2.0 * from - to + t * (from + to - 2.0 * (b - a))));
}

static void read_profile(double s, double *radius, double *lift) {
    int k = 0;
    while (k + 2 < PROFILE && s > profile[k + 1].s) k++;
    int before = k > 0 ? k - 1 : 0, after = k + 2 < PROFILE ? k + 2 : k + 1;
    double t = fmin(fmax((s - profile[k].s) / (profile[k + 1].s - profile[k].s), 0.0), 1.0);
    *radius = cubic_between(profile[before].radius, profile[k].radius, profile[k + 1].radius,
                            profile[after].radius, t);
    *lift = cubic_between(profile[before].lift, profile[k].lift, profile[k + 1].lift,
                          profile[after].lift, t);
}

static double spine_radius(double s) {
    double radius, lift;
    read_profile(s, &radius, &lift);
    return radius;
}

// a wave runs down the body and grows towards the tail; the body rises as the wings press down
static ThawVec3 spine_center(const Creature *creature, double s) {
    double radius, lift, turn = 2.0 * MAKER_PI * creature->phase;
    read_profile(s, &radius, &lift);
    double sway = creature->swim * (0.06 + 0.94 * s * s) * sin(turn - 7.0 * s);
    double bob = -0.0004 * creature->flap * cos(turn);
    return thaw_vec(0.5 - s, sway, lift + bob);
}

// axes of the spine: ahead, left, up
typedef struct Frame {
    ThawVec3 center, ahead, left, up;
    double radius;
} Frame;

static ThawVec3 unit(ThawVec3 v) {
    return thaw_scale(v, 1.0 / thaw_length(v));
}

static Frame spine_frame(const Creature *creature, double s) {
    Frame frame = {.center = spine_center(creature, s), .radius = spine_radius(s)};
    frame.ahead =
        unit(thaw_sub(spine_center(creature, s - 0.01), spine_center(creature, s + 0.01)));
    frame.left = unit(thaw_cross(thaw_vec(0, 0, 1), frame.ahead));
    frame.up = thaw_cross(frame.ahead, frame.left);
    return frame;
}

// a place beside the spine, in its radii
static ThawVec3 beside(const Frame *frame, double ahead, double left, double up) {
    ThawVec3 p = thaw_add(frame->center, thaw_scale(frame->ahead, ahead * frame->radius));
    p = thaw_add(p, thaw_scale(frame->left, left * frame->radius));
    return thaw_add(p, thaw_scale(frame->up, up * frame->radius));
}

// ---------------------------------------------------------------- tubes

typedef struct Section {
    ThawVec3 center, u, v; // u × v points to the next section
} Section;

// a closed tube: a tip at the first section's centre, rings, a tip at the last's
static void add_tube(MeshMaker *maker, const Section *sections, int count, int around) {
    uint32_t first = maker_new_point(maker, sections[0].center), ring = first + 1;
    for (int k = 1; k + 1 < count; k++) {
        for (int i = 0; i < around; i++) {
            double angle = 2.0 * MAKER_PI * (double)i / (double)around;
            ThawVec3 offset = thaw_add(thaw_scale(sections[k].u, cos(angle)),
                                       thaw_scale(sections[k].v, sin(angle)));
            maker_new_point(maker, thaw_add(sections[k].center, offset));
        }
    }
    uint32_t last = maker_new_point(maker, sections[count - 1].center), n = (uint32_t)around;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t next = (i + 1) % n;
        maker_triangle(maker, first, ring + next, ring + i);
        for (uint32_t k = 0; k + 3 < (uint32_t)count; k++) {
            uint32_t a = ring + k * n, b = a + n;
            maker_quad(maker, a + i, a + next, b + next, b + i);
        }
        maker_triangle(maker, last, last - n + i, last - n + next);
    }
}

enum { LIMB = 8, PIECES = 3, LIMB_SECTIONS = (LIMB - 1) * PIECES + 1 };

// a place of a limb between its knots, and the radius there
static ThawVec3 limb_place(const ThawVec3 *knots, const double *radii, int count, int at,
                           double *radius) {
    int k = at / PIECES < count - 1 ? at / PIECES : count - 2;
    int before = k > 0 ? k - 1 : 0, after = k + 2 < count ? k + 2 : k + 1;
    double t = (double)(at - k * PIECES) / PIECES;
    ThawVec3 a = knots[before], b = knots[k], c = knots[k + 1], d = knots[after];
    *radius = radii[k] + t * (radii[k + 1] - radii[k]);
    return thaw_vec(cubic_between(a.x, b.x, c.x, d.x, t), cubic_between(a.y, b.y, c.y, d.y, t),
                    cubic_between(a.z, b.z, c.z, d.z, t));
}

// a round limb along a smooth line through knots, its ends closed
static void add_limb(MeshMaker *maker, const ThawVec3 *knots, const double *radii, int count,
                     int around) {
    Section sections[LIMB_SECTIONS];
    ThawVec3 places[LIMB_SECTIONS];
    double radius[LIMB_SECTIONS];
    int pieces = (count - 1) * PIECES + 1;
    for (int k = 0; k < pieces; k++) places[k] = limb_place(knots, radii, count, k, &radius[k]);
    for (int k = 0; k < pieces; k++) {
        ThawVec3 before = places[k > 0 ? k - 1 : 0], after = places[k + 1 < pieces ? k + 1 : k];
        ThawVec3 along = unit(thaw_sub(after, before));
        ThawVec3 side = fabs(along.y) < 0.9 ? thaw_vec(0, 1, 0) : thaw_vec(1, 0, 0);
        ThawVec3 u = unit(thaw_cross(side, along));
        sections[k] = (Section){places[k], thaw_scale(u, radius[k]),
                                thaw_scale(thaw_cross(along, u), radius[k])};
    }
    add_tube(maker, sections, pieces, around);
}

static int limb_around(const Creature *creature) {
    return creature->detail / 2 < 6 ? 6 : creature->detail / 2;
}

// ---------------------------------------------------------------- parts

static void add_body(MeshMaker *maker, const Creature *creature) {
    int count = 5 * creature->detail;
    Section *sections = thaw_alloc((size_t)count * sizeof *sections);
    if (sections == NULL) {
        maker->result = thaw_fail_memory((size_t)count * sizeof *sections);
        return;
    }
    for (int k = 0; k < count; k++) {
        Frame frame = spine_frame(creature, (double)k / (double)(count - 1));
        // flat heads, deep chests; the spine runs backwards, so u × v does too
        double s = (double)k / (double)(count - 1), wide = s < 0.13 ? 1.1 : 0.92;
        sections[k] = (Section){frame.center, thaw_scale(frame.up, frame.radius * 1.05),
                                thaw_scale(frame.left, frame.radius * wide)};
    }
    add_tube(maker, sections, count, creature->detail);
    thaw_free(sections);
}

// jaw, horns and eyes; `side` is 1 on the left and −1 on the right
static void add_head(MeshMaker *maker, const Creature *creature) {
    int around = limb_around(creature);
    Frame head = spine_frame(creature, 0.085), chin = spine_frame(creature, 0.02);
    ThawVec3 jaw[5];
    for (int k = 0; k < 5; k++) {
        double t = (double)k / 4.0;
        jaw[k] = thaw_add(thaw_scale(beside(&head, 0.1, 0, -0.7), 1.0 - t),
                          thaw_scale(beside(&chin, 0.3, 0, -1.7), t));
    }
    add_limb(maker, jaw, (double[5]){0.01, 0.02, 0.015, 0.010, 0.004}, 5, around);
    for (int side = -1; side <= 1; side += 2) {
        double y = (double)side;
        ThawVec3 horn[5] = {beside(&head, 0.0, 0.4 * y, 0.6), beside(&head, -0.5, 0.6 * y, 1.2),
                            beside(&head, -1.2, 0.8 * y, 1.7), beside(&head, -2.0, 0.9 * y, 2.0),
                            beside(&head, -2.8, 0.9 * y, 2.5)};
        add_limb(maker, horn, (double[5]){0.01, 0.011, 0.008, 0.005, 0.001}, 5, around);
        ThawVec3 eye[5];
        for (int k = 0; k < 5; k++)
            eye[k] = beside(&head, 0.55 + 0.11 * (double)(k - 2), 0.80 * y, 0.45);
        add_limb(maker, eye, (double[5]){0, 0.007, 0.0095, 0.007, 0}, 5, around);
    }
}

static void add_leg(MeshMaker *maker, const Creature *creature, double s, int side, double swing) {
    Frame hip = spine_frame(creature, s);
    double y = (double)side, step = 0.5 * swing * sin(2.0 * MAKER_PI * creature->phase + s * 20.0);
    int around = limb_around(creature);
    ThawVec3 places[8] = {
        beside(&hip, 0.1, 0.3 * y, -0.1),          beside(&hip, 0.1, 0.75 * y, -0.35),
        beside(&hip, -0.1, 1.05 * y, -0.9),        beside(&hip, -0.4 + step, 1.15 * y, -1.4),
        beside(&hip, -0.3 + step, 1.15 * y, -1.8), beside(&hip, 0.0 + step, 1.15 * y, -2.05),
        beside(&hip, 0.35 + step, 1.15 * y, -2.1), beside(&hip, 0.65 + step, 1.15 * y, -2.15)};
    add_limb(maker, places, (double[8]){0.020, 0.026, 0.020, 0.012, 0.010, 0.013, 0.013, 0.003}, 8,
             around);
}

// spikes without thickness along the back, and a leaf at the tail's end
static void add_spikes(MeshMaker *maker, const Creature *creature) {
    for (int k = 0; k < 26; k++) {
        double s = 0.13 + 0.031 * (double)k;
        Frame front = spine_frame(creature, s), back = spine_frame(creature, s + 0.022);
        double high = 1.0 + 1.1 * (0.4 + 0.6 * sin(MAKER_PI * (double)k / 25.0));
        high = fmin(high, 1.0 + 0.035 / back.radius);
        uint32_t a = maker_new_point(maker, beside(&front, 0, 0, 0.8));
        uint32_t b = maker_new_point(maker, beside(&back, 0, 0, 0.8));
        uint32_t c = maker_new_point(maker, beside(&back, -0.4, 0, high));
        maker_triangle(maker, a, b, c);
    }
    Frame root = spine_frame(creature, 0.95), tip = spine_frame(creature, 0.995);
    uint32_t a = maker_new_point(maker, root.center);
    uint32_t b = maker_new_point(maker, beside(&tip, 8.0, 0, 11.0));
    uint32_t c = maker_new_point(maker, beside(&tip, -10.0, 0, 0.0));
    uint32_t d = maker_new_point(maker, beside(&tip, 8.0, 0, -11.0));
    maker_quad(maker, a, b, c, d);
}

// ---------------------------------------------------------------- wings

// the leading and the trailing edge at a place u of the span, as distances ahead of the wing's root
static double leading_edge(double u) {
    return 0.07 + 0.30 * u * (1.0 - u) - 0.13 * u * u * u;
}

// fingers reach back to cusps, between them the skin is cut in arcs
static double trailing_edge(double u) {
    double reach = -0.085 - 0.25 * u * (1.15 - u);
    double finger = 4.0 * u - floor(4.0 * u);
    double arc = 0.055 * sin(MAKER_PI * finger) * (u < 1.0 ? 1.0 : 0.0);
    double tip = leading_edge(1.0);
    double blend = u * u * u * u;
    return (reach + arc) * (1.0 - blend) + tip * blend;
}

static void add_wing(MeshMaker *maker, const Creature *creature, int side) {
    int along = 2 * creature->detail, deep = creature->detail;
    Frame root = spine_frame(creature, 0.335);
    uint32_t first = maker->weld.mesh->point_count, width = (uint32_t)deep + 1;
    double turn = 2.0 * MAKER_PI * creature->phase, step = 0.5 * creature->span / (double)along;
    double out = 0.2 * root.radius, up = 0.55 * root.radius;
    for (int i = 0; i <= along; i++) {
        double u = (double)i / (double)along;
        // the tips lag behind the roots
        double beat = creature->flap * MAKER_PI / 180.0 * sin(turn + 0.5 * MAKER_PI - 1.1 * u);
        double angle = 0.20 * (1.0 - u) + beat * (0.55 + 0.45 * u);
        double lead = leading_edge(u), trail = trailing_edge(u);
        for (int j = 0; j <= deep; j++) {
            double v = (double)j / (double)deep;
            double belly = 0.04 * sin(MAKER_PI * v) * sin(MAKER_PI * fmin(u, 0.98));
            ThawVec3 p = root.center;
            p.x += lead + v * (trail - lead);
            p.y += (double)side * (out - belly * sin(angle));
            p.z += up + belly * cos(angle);
            maker_new_point(maker, p);
        }
        out += step * cos(angle);
        up += step * sin(angle);
    }
    for (uint32_t i = 0; i < (uint32_t)along; i++) {
        for (uint32_t j = 0; j < (uint32_t)deep; j++) {
            uint32_t a = first + i * width + j, b = a + width;
            // both wings show their fronts above
            if (side < 0)
                maker_quad(maker, a, a + 1, b + 1, b);
            else
                maker_quad(maker, a, b, b + 1, a + 1);
        }
    }
}

void meshio_make_creature(MeshMaker *maker, const double *values) {
    double length = values[0];
    Creature creature = {values[1] / length, values[2], values[3], values[4], (int)values[5]};
    // a whole beat ends where it began, in every bit
    if (creature.phase == 1.0) creature.phase = 0.0;
    add_body(maker, &creature);
    add_head(maker, &creature);
    for (int side = -1; side <= 1; side += 2) {
        add_leg(maker, &creature, 0.31, side, 0.5);
        add_leg(maker, &creature, 0.50, side, 0.7);
        add_wing(maker, &creature, side);
    }
    add_spikes(maker, &creature);
    if (maker->result != THAW_OK) return;
    ThawMeshData *mesh = maker->weld.mesh;
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        for (int axis = 0; axis < 3; axis++) mesh->points[k][axis] *= length;
    }
}
