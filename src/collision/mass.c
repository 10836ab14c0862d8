// Mass, centre and inertia of shapes, and points of their surfaces.
#include "collision/mass.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <string.h>

#define PI 3.14159265358979323846
#define DEPTH_2D 11 // halvings of the box about the shape
#define DEPTH_3D 7
#define FINEST 24.0 // points along a shape without a recipe of its own

// ---------------------------------------------------------------- formulas

static ThawSolidMass diagonal(double volume, double z, double xx, double yy, double zz) {
    return (ThawSolidMass){volume, {0, 0, z}, {volume * xx, volume * yy, volume * zz, 0, 0, 0}};
}

// local frame; false when there is no formula
static bool find_formula(const ThawShape *s, ThawSolidMass *mass) {
    double r = s->radius, h = s->height, rr = r * r, hh = h * h;
    ThawVec3 e = {s->size.x * s->size.x / 12, s->size.y * s->size.y / 12,
                  s->size.z * s->size.z / 12};
    switch (s->kind) {
    case THAW_SHAPE_BOX:
        *mass = diagonal(s->size.x * s->size.y * s->size.z, 0, e.y + e.z, e.z + e.x, e.x + e.y);
        return true;
    case THAW_SHAPE_SPHERE:
        *mass = diagonal(4.0 / 3.0 * PI * rr * r, 0, 0.4 * rr, 0.4 * rr, 0.4 * rr);
        return true;
    case THAW_SHAPE_CYLINDER: {
        double across = (3 * rr + hh) / 12;
        *mass = diagonal(PI * rr * h, 0, across, across, rr / 2);
        return true;
    }
    case THAW_SHAPE_CAPSULE: {
        // a cylinder and two half balls
        double tube = PI * rr * h, ball = 4.0 / 3.0 * PI * rr * r, all = tube + ball;
        double across = tube * (3 * rr + hh) / 12 + ball * (0.4 * rr + hh / 4 + 0.375 * h * r);
        double along = tube * rr / 2 + ball * 0.4 * rr;
        *mass = diagonal(all, 0, across / all, across / all, along / all);
        return true;
    }
    case THAW_SHAPE_CONE: {
        double across = 0.15 * rr + 0.0375 * hh;
        *mass = diagonal(PI * rr * h / 3, h / 4, across, across, 0.3 * rr);
        return true;
    }
    case THAW_SHAPE_TORUS: {
        double tt = s->tube * s->tube, across = rr / 2 + 0.625 * tt;
        *mass = diagonal(2 * PI * PI * r * tt, 0, across, across, rr + 0.75 * tt);
        return true;
    }
    default: return false;
    }
}

// ---------------------------------------------------------------- cells

typedef struct Cells {
    const ThawShape *shape;
    int dimensions;
    double volume, first[3], second[6]; // sums of 1, x, and xx yy zz xy yz zx
} Cells;

// 3D in the shape's frame, 2D in the world's with the shape's x and y at 0
static double distance_at(const Cells *cells, ThawVec3 x) {
    return cells->dimensions == 3 ? thaw_shape_local_distance(cells->shape, x)
                                  : thaw_shape_distance(cells->shape, x);
}

static void add_cell(Cells *cells, ThawVec3 x, double half, double share) {
    double volume = share * 4 * half * half * (cells->dimensions == 3 ? 2 * half : 1);
    double own = half * half / 3;
    cells->volume += volume;
    cells->first[0] += volume * x.x;
    cells->first[1] += volume * x.y;
    cells->first[2] += volume * x.z;
    cells->second[0] += volume * (x.x * x.x + own);
    cells->second[1] += volume * (x.y * x.y + own);
    cells->second[2] += volume * (x.z * x.z + own);
    cells->second[3] += volume * x.x * x.y;
    cells->second[4] += volume * x.y * x.z;
    cells->second[5] += volume * x.z * x.x;
}

static void measure_cell(Cells *cells, ThawVec3 x, double half, int depth) {
    double distance = distance_at(cells, x), corner = half * sqrt((double)cells->dimensions);
    if (distance >= corner) return;
    if (distance <= -corner || depth == 0) {
        double share = distance <= -corner ? 1 : 0.5 - distance / (2 * half);
        add_cell(cells, x, half, share < 0 ? 0 : share > 1 ? 1 : share);
        return;
    }
    double quarter = half / 2;
    int parts = cells->dimensions == 3 ? 8 : 4;
    for (int k = 0; k < parts; k++) {
        ThawVec3 at = {x.x + (k & 1 ? quarter : -quarter), x.y + (k & 2 ? quarter : -quarter), x.z};
        if (parts == 8) at.z += k & 4 ? quarter : -quarter;
        measure_cell(cells, at, quarter, depth - 1);
    }
}

// the box in the world's axes about a shape that was turned, from its position
static void find_bounds(const ThawShape *shape, bool turned, ThawVec3 *lower, ThawVec3 *upper) {
    ThawVec3 l, u;
    thaw_shape_local_bounds(shape, &l, &u);
    *lower = l;
    *upper = u;
    if (!turned) return;
    *lower = thaw_vec(INFINITY, INFINITY, INFINITY);
    *upper = thaw_vec(-INFINITY, -INFINITY, -INFINITY);
    for (int k = 0; k < 8; k++) {
        ThawVec3 x = {k & 1 ? u.x : l.x, k & 2 ? u.y : l.y, k & 4 ? u.z : l.z};
        x = thaw_quat_rotate(shape->pose.rotation, x);
        *lower = thaw_vec(fmin(lower->x, x.x), fmin(lower->y, x.y), fmin(lower->z, x.z));
        *upper = thaw_vec(fmax(upper->x, x.x), fmax(upper->y, x.y), fmax(upper->z, x.z));
    }
}

// the cross-section of a shape whose x and y are 0
static bool cut_section(const ThawShape *shape, ThawShape *section) {
    ThawShape whole = *shape;
    whole.pose.position.x = whole.pose.position.y = 0;
    return thaw_shape_section(&whole, section);
}

static ThawSolidMass settle_cells(const Cells *cells) {
    ThawSolidMass mass = {.volume = cells->volume};
    if (!(cells->volume > 0)) return (ThawSolidMass){0};
    ThawVec3 c =
        thaw_scale(thaw_vec(cells->first[0], cells->first[1], cells->first[2]), 1 / cells->volume);
    // second moments about the centre
    const double about[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.y * c.z, c.z * c.x};
    double s[6];
    for (int k = 0; k < 6; k++) s[k] = cells->second[k] - cells->volume * about[k];
    mass.center = c;
    mass.inertia[2] = s[0] + s[1];
    if (cells->dimensions == 2) return mass;
    mass.inertia[0] = s[1] + s[2];
    mass.inertia[1] = s[2] + s[0];
    for (int k = 3; k < 6; k++) mass.inertia[k] = -s[k];
    return mass;
}

// ---------------------------------------------------------------- turning

static void turn_inertia(ThawQuat q, double inertia[6]) {
    const double *i = inertia;
    ThawVec3 rows[3] = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    ThawQuat back = thaw_quat_conjugate(q);
    ThawVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, turned[3];
    // column a of the turned tensor is R I Rᵀ e_a
    for (int a = 0; a < 3; a++) {
        ThawVec3 x = thaw_quat_rotate(back, axis[a]);
        x = thaw_vec(thaw_dot(rows[0], x), thaw_dot(rows[1], x), thaw_dot(rows[2], x));
        turned[a] = thaw_quat_rotate(q, x);
    }
    inertia[0] = turned[0].x;
    inertia[1] = turned[1].y;
    inertia[2] = turned[2].z;
    inertia[3] = 0.5 * (turned[0].y + turned[1].x);
    inertia[4] = 0.5 * (turned[1].z + turned[2].y);
    inertia[5] = 0.5 * (turned[2].x + turned[0].z);
}

static bool is_turned(ThawQuat q) {
    return q.x != 0 || q.y != 0 || q.z != 0;
}

static ThawSolidMass turn_mass(const ThawShape *shape, ThawSolidMass mass) {
    if (!is_turned(shape->pose.rotation)) return mass;
    mass.center = thaw_quat_rotate(shape->pose.rotation, mass.center);
    turn_inertia(shape->pose.rotation, mass.inertia);
    return mass;
}

ThawSolidMass thaw_solid_mass_by_cells(const ThawShape *shape, int dimensions) {
    Cells cells = {.shape = shape, .dimensions = dimensions};
    ThawShape section;
    ThawVec3 lower, upper;
    if (dimensions == 2) {
        if (!cut_section(shape, &section)) return (ThawSolidMass){0};
        cells.shape = &section;
    }
    find_bounds(shape, dimensions == 2, &lower, &upper);
    ThawVec3 size = thaw_sub(upper, lower), middle = thaw_scale(thaw_add(lower, upper), 0.5);
    double half = 0.5 * fmax(size.x, size.y);
    if (dimensions == 2)
        middle.z = 0;
    else
        half = fmax(half, 0.5 * size.z);
    measure_cell(&cells, middle, half, dimensions == 2 ? DEPTH_2D : DEPTH_3D);
    ThawSolidMass mass = settle_cells(&cells);
    return dimensions == 2 ? mass : turn_mass(shape, mass);
}

ThawSolidMass thaw_solid_mass(const ThawShape *shape, int dimensions) {
    ThawSolidMass mass;
    if (dimensions == 2 || !find_formula(shape, &mass)) {
        return thaw_solid_mass_by_cells(shape, dimensions);
    }
    return turn_mass(shape, mass);
}

// ---------------------------------------------------------------- points

typedef struct Points {
    ThawSurfacePoint *at;
    uint32_t count, capacity;
    bool failed;
} Points;

static void add_point(Points *points, ThawVec3 place, double radius) {
    if (points->failed) return;
    if (points->count == points->capacity) {
        uint32_t capacity = points->capacity == 0 ? 256 : 2 * points->capacity;
        ThawSurfacePoint *grown =
            thaw_realloc(points->at, points->count * sizeof *grown, capacity * sizeof *grown);
        points->failed = grown == NULL;
        if (grown == NULL) return;
        points->at = grown;
        points->capacity = capacity;
    }
    points->at[points->count++] = (ThawSurfacePoint){place, radius};
}

static int intervals(double length, double spacing, int least) {
    double n = ceil(length / spacing - 1e-9);
    return n < least ? least : n > 4000 ? 4000 : (int)n;
}

static double part(double length, int k, int n) {
    return length * ((double)k / n - 0.5);
}

// flat: a rectangle in x and y
static void add_box(Points *points, ThawVec3 size, double spacing, bool flat) {
    int nx = intervals(size.x, spacing, 1), ny = intervals(size.y, spacing, 1);
    int nz = flat ? 0 : intervals(size.z, spacing, 1);
    for (int k = 0; k <= nz; k++) {
        for (int j = 0; j <= ny; j++) {
            for (int i = 0; i <= nx; i++) {
                bool face = i == 0 || i == nx || j == 0 || j == ny;
                face = face || (!flat && (k == 0 || k == nz));
                if (!face) continue;
                double z = flat ? 0 : part(size.z, k, nz);
                add_point(points, thaw_vec(part(size.x, i, nx), part(size.y, j, ny), z), 0);
            }
        }
    }
}

// a circle about z
static void add_ring(Points *points, double radius, double z, double ball, double spacing) {
    if (radius <= 0) {
        add_point(points, thaw_vec(0, 0, z), ball);
        return;
    }
    int n = intervals(2 * PI * radius, spacing, 12);
    for (int k = 0; k < n; k++) {
        double angle = 2 * PI * k / n;
        add_point(points, thaw_vec(radius * cos(angle), radius * sin(angle), z), ball);
    }
}

// round about z with a straight side: radius at the bottom and at the top, closed by discs
static void add_round(Points *points, const double radius[2], const double z[2], double spacing) {
    for (int end = 0; end < 2; end++) {
        int rings = intervals(radius[end], spacing, 1);
        for (int k = 0; k < rings; k++) {
            add_ring(points, radius[end] * k / rings, z[end], 0, spacing);
            if (radius[end] <= 0) break;
        }
    }
    double slant = hypot(z[1] - z[0], radius[1] - radius[0]);
    int rings = intervals(slant, spacing, 1);
    for (int k = 0; k <= rings; k++) {
        double t = (double)k / rings, r = radius[0] + (radius[1] - radius[0]) * t;
        if (r > 0) add_ring(points, r, z[0] + (z[1] - z[0]) * t, 0, spacing);
    }
}

// in the shape's frame; false when the shape has no recipe
static bool add_recipe(Points *points, const ThawShape *s, double spacing) {
    double h = s->height;
    switch (s->kind) {
    case THAW_SHAPE_BOX: add_box(points, s->size, spacing, false); return true;
    case THAW_SHAPE_SPHERE: add_point(points, thaw_vec(0, 0, 0), s->radius); return true;
    case THAW_SHAPE_CAPSULE: {
        int n = intervals(h, spacing, 1);
        for (int k = 0; k <= n; k++) add_point(points, thaw_vec(0, 0, part(h, k, n)), s->radius);
        return true;
    }
    case THAW_SHAPE_CYLINDER:
        add_round(points, (double[]){s->radius, s->radius}, (double[]){-h / 2, h / 2}, spacing);
        return true;
    case THAW_SHAPE_CONE:
        add_round(points, (double[]){s->radius, 0}, (double[]){0, h}, spacing);
        return true;
    case THAW_SHAPE_TORUS: add_ring(points, s->radius, 0, s->tube, spacing / 2); return true;
    default: return false;
    }
}

// the surface's place nearest to a point of a lattice, unless another point is near it already
static void add_nearest(Points *points, const Cells *cells, ThawVec3 x, double spacing) {
    if (fabs(distance_at(cells, x)) > 0.9 * spacing) return;
    for (int k = 0; k < 3; k++) {
        ThawVec3 local = x;
        if (cells->dimensions == 2) local = thaw_pose_invert(cells->shape->pose, x);
        ThawNearest near = thaw_shape_local_nearest(cells->shape, local);
        ThawVec3 n = near.normal;
        if (cells->dimensions == 2) {
            n = thaw_quat_rotate(cells->shape->pose.rotation, n);
            n.z = 0;
        }
        x = thaw_sub(x, thaw_scale(n, near.distance));
    }
    for (uint32_t k = 0; k < points->count; k++) {
        if (thaw_length(thaw_sub(points->at[k].place, x)) < 0.6 * spacing) return;
    }
    add_point(points, x, 0);
}

static void add_lattice(Points *points, const Cells *cells, ThawVec3 lower, ThawVec3 upper,
                        double spacing) {
    ThawVec3 size = thaw_sub(upper, lower);
    bool flat = cells->dimensions == 2;
    int nx = intervals(size.x, spacing, 1), ny = intervals(size.y, spacing, 1);
    int nz = flat ? 0 : intervals(size.z, spacing, 1);
    for (int k = 0; k <= nz; k++) {
        for (int j = 0; j <= ny; j++) {
            for (int i = 0; i <= nx; i++) {
                ThawVec3 x = {lower.x + size.x * i / nx, lower.y + size.y * j / ny,
                              flat ? 0 : lower.z + size.z * k / nz};
                add_nearest(points, cells, x, spacing);
            }
        }
    }
}

// whether a section is the same wherever it is cut: its local z stands on the plane
static bool is_upright(const ThawShape *shape) {
    ThawVec3 z = thaw_quat_rotate(shape->pose.rotation, thaw_vec(0, 0, 1));
    return fabs(fabs(z.z) - 1) < 1e-12;
}

static void add_section(Points *points, const ThawShape *shape, double spacing) {
    ThawShape section;
    if (!cut_section(shape, &section)) return;
    ThawVec3 at = section.pose.position;
    at.z = 0;
    if (section.kind == THAW_SHAPE_SPHERE ||
        (section.kind == THAW_SHAPE_CYLINDER && is_upright(&section))) {
        add_point(points, at, section.radius);
        return;
    }
    if (section.kind == THAW_SHAPE_BOX && is_upright(&section)) {
        add_box(points, section.size, spacing, true);
        for (uint32_t k = 0; k < points->count; k++) {
            ThawVec3 *x = &points->at[k].place;
            *x = thaw_add(thaw_quat_rotate(section.pose.rotation, *x), at);
            x->z = 0;
        }
        return;
    }
    Cells cells = {.shape = &section, .dimensions = 2};
    ThawVec3 lower, upper;
    find_bounds(shape, true, &lower, &upper);
    add_lattice(points, &cells, lower, upper, spacing / 2);
}

static void add_points(Points *points, const ThawShape *shape, int dimensions, double spacing) {
    if (dimensions == 2) {
        add_section(points, shape, spacing);
        return;
    }
    if (!add_recipe(points, shape, spacing)) {
        Cells cells = {.shape = shape, .dimensions = 3};
        ThawVec3 lower, upper;
        find_bounds(shape, false, &lower, &upper);
        ThawVec3 size = thaw_sub(upper, lower);
        double least = fmax(size.x, fmax(size.y, size.z)) / FINEST;
        add_lattice(points, &cells, lower, upper, fmax(spacing, least));
    }
    for (uint32_t k = 0; k < points->count; k++) {
        ThawVec3 *x = &points->at[k].place;
        *x = thaw_quat_rotate(shape->pose.rotation, *x);
    }
}

ThawResult thaw_surface_points(const ThawShape *shape, int dimensions, double spacing,
                               ThawSurfacePoint **at, uint32_t *count) {
    Points points = {0};
    *at = NULL;
    *count = 0;
    // further apart until they are few enough; the first try may already be far too fine
    ThawVec3 lower, upper;
    find_bounds(shape, false, &lower, &upper);
    ThawVec3 size = thaw_sub(upper, lower);
    spacing = fmax(spacing, fmax(size.x, fmax(size.y, size.z)) / 48);
    do {
        points.count = 0;
        add_points(&points, shape, dimensions, spacing);
        spacing *= 1.25;
    } while (points.count > THAW_SURFACE_POINTS && !points.failed);
    if (points.failed) {
        thaw_free(points.at);
        return thaw_fail_memory(2 * points.capacity * sizeof *points.at);
    }
    *at = points.at;
    *count = points.count;
    return THAW_OK;
}
