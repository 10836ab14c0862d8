// Boxes, spheres, rings, cylinders and cups.
#include "meshio/maker.h"

#include <math.h>

void meshio_make_box(MeshMaker *maker, const double *values) {
    int cuts = (int)values[3];
    MakerBox box = {.half = {values[0] / 2, values[1] / 2, values[2] / 2},
                    .turn = thaw_quat_identity(),
                    .cuts = {cuts, cuts, cuts}};
    maker_box(maker, &box);
}

// ---------------------------------------------------------------- spheres

typedef double Radius(ThawVec3 direction, double bumps);

static double even_radius(ThawVec3 direction, double bumps) {
    (void)direction;
    (void)bumps;
    return 1.0;
}

// waves of several lengths, none in step with another
static double bumpy_radius(ThawVec3 n, double bumps) {
    double wave = 0.5 * sin(5.0 * n.x + 1.0) * sin(4.0 * n.y + 2.0) * sin(5.0 * n.z + 0.5) +
                  0.3 * sin(11.0 * n.x - 7.0 * n.z) * sin(9.0 * n.y + 3.0) +
                  0.2 * sin(23.0 * n.y + 5.0 * n.x) * sin(19.0 * n.z - 4.0 * n.y);
    return 1.0 + bumps * wave;
}

typedef struct Ball {
    double radius, bumps;
    Radius *radius_of;
    int cuts;
} Ball;

// a place of a face of the icosahedron: corners in ascending order, so that an edge's points are the same in every
// bit on both sides
static uint32_t ball_point(MeshMaker *maker, const Ball *ball, const ThawVec3 corner[3],
                           const int share[3]) {
    ThawVec3 p = {0, 0, 0};
    for (int k = 0; k < 3; k++) p = thaw_add(p, thaw_scale(corner[k], (double)share[k]));
    p = thaw_scale(p, 1.0 / thaw_length(p));
    return maker_point(maker, thaw_scale(p, ball->radius * ball->radius_of(p, ball->bumps)));
}

static void make_ball_face(MeshMaker *maker, const Ball *ball, const ThawVec3 corner[3],
                           bool turned) {
    int n = ball->cuts;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n - i; j++) {
            uint32_t a = ball_point(maker, ball, corner, (int[3]){n - i - j, i, j});
            uint32_t b = ball_point(maker, ball, corner, (int[3]){n - i - j - 1, i + 1, j});
            uint32_t c = ball_point(maker, ball, corner, (int[3]){n - i - j - 1, i, j + 1});
            maker_triangle(maker, a, turned ? c : b, turned ? b : c);
            if (i + j + 2 > n) continue;
            uint32_t d = ball_point(maker, ball, corner, (int[3]){n - i - j - 2, i + 1, j + 1});
            maker_triangle(maker, b, turned ? c : d, turned ? d : c);
        }
    }
}

static void make_ball(MeshMaker *maker, const Ball *ball) {
    const double g = 1.6180339887498949; // the golden ratio
    const ThawVec3 corners[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                  {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                  {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
    // faces are the triples whose corners are all an edge (2) apart
    for (int a = 0; a < 12; a++) {
        for (int b = a + 1; b < 12; b++) {
            for (int c = b + 1; c < 12; c++) {
                ThawVec3 u = thaw_sub(corners[b], corners[a]), v = thaw_sub(corners[c], corners[a]);
                ThawVec3 w = thaw_sub(v, u);
                if (thaw_dot(u, u) > 4.1 || thaw_dot(v, v) > 4.1 || thaw_dot(w, w) > 4.1) continue;
                bool turned = thaw_dot(thaw_cross(u, v), corners[a]) < 0.0;
                make_ball_face(maker, ball, (ThawVec3[3]){corners[a], corners[b], corners[c]},
                               turned);
            }
        }
    }
}

void meshio_make_sphere(MeshMaker *maker, const double *values) {
    make_ball(maker, &(Ball){values[0], 0.0, even_radius, (int)values[1]});
}

void meshio_make_bumpy_sphere(MeshMaker *maker, const double *values) {
    make_ball(maker, &(Ball){values[0], values[1], bumpy_radius, (int)values[2]});
}

// ---------------------------------------------------------------- rings

typedef struct Ring {
    double radius, tube;
    int detail;
} Ring;

static ThawVec3 place_on_ring(const void *context, int row, int column) {
    const Ring *ring = context;
    double a = MAKER_PI * (double)(row % (2 * ring->detail)) / (double)ring->detail;
    double b = 2.0 * MAKER_PI * (double)(column % ring->detail) / (double)ring->detail;
    double r = ring->radius + ring->tube * cos(b);
    return thaw_vec(r * cos(a), r * sin(a), ring->tube * sin(b));
}

void meshio_make_torus(MeshMaker *maker, const double *values) {
    Ring ring = {values[0], values[1], (int)values[2]};
    if (ring.tube >= ring.radius) {
        maker_refuse(maker, "tube of a torus must be below its radius");
        return;
    }
    maker_sheet(maker, 2 * ring.detail, ring.detail, place_on_ring, &ring);
}

// ---------------------------------------------------------------- cylinders and cups

enum { OUTLINE_MOST = 4096 };

typedef struct Outline {
    double at[OUTLINE_MOST][2]; // radius, height
    int count;
    double step; // the longest piece
} Outline;

static void start_line(Outline *outline, double radius, double height) {
    outline->at[outline->count][0] = radius;
    outline->at[outline->count++][1] = height;
}

// goes on to a place in pieces
static void add_line(Outline *outline, double radius, double height) {
    const double *from = outline->at[outline->count - 1];
    double r0 = from[0], z0 = from[1];
    double length = hypot(radius - r0, height - z0);
    int pieces = (int)fmin(ceil(length / outline->step), 600.0);
    for (int k = 1; k < pieces; k++) {
        double s = (double)k / (double)pieces;
        start_line(outline, r0 + s * (radius - r0), z0 + s * (height - z0));
    }
    start_line(outline, radius, height);
}

static double step_around(double radius, double around) {
    return 2.0 * MAKER_PI * radius / around;
}

void meshio_make_cylinder(MeshMaker *maker, const double *values) {
    double radius = values[0], height = values[1];
    Outline outline = {.step = step_around(radius, values[2])};
    start_line(&outline, 0.0, 0.0);
    add_line(&outline, radius, 0.0);
    add_line(&outline, radius, height);
    add_line(&outline, 0.0, height);
    maker_lathe(maker, (const double(*)[2])outline.at, outline.count, (int)values[2]);
}

void meshio_make_cup(MeshMaker *maker, const double *values) {
    double radius = values[0], height = values[1], wall = values[2], foot = radius * values[3];
    if (wall >= 0.9 * fmin(radius, foot) || wall >= 0.9 * height) {
        maker_refuse(maker, "thickness of a cup must be below its radii and its height");
        return;
    }
    // the wall is equally thick along its normal
    double across = wall * hypot(height, radius - foot) / height;
    double inner = foot + (radius - foot) * wall / height - across;
    if (inner <= 0.0) {
        maker_refuse(maker, "taper of a cup leaves no room inside: make its wall thinner");
        return;
    }
    Outline outline = {.step = step_around(radius, values[4])};
    start_line(&outline, 0.0, 0.0);
    add_line(&outline, foot, 0.0);
    add_line(&outline, radius, height);
    add_line(&outline, radius - across, height);
    add_line(&outline, inner, wall);
    add_line(&outline, 0.0, wall);
    maker_lathe(maker, (const double(*)[2])outline.at, outline.count, (int)values[4]);
}

void meshio_make_shell_cup(MeshMaker *maker, const double *values) {
    double radius = values[0], height = values[1];
    Outline outline = {.step = step_around(radius, values[3])};
    start_line(&outline, 0.0, 0.0);
    add_line(&outline, radius * values[2], 0.0);
    add_line(&outline, radius, height);
    maker_lathe(maker, (const double(*)[2])outline.at, outline.count, (int)values[3]);
}
