// Gears, stairs, paddle wheels, walls and grates: prisms and boxes, some run into each other.
#include "meshio/maker.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

// ---------------------------------------------------------------- gears

typedef struct Gear {
    double radius, height, depth, hole;
    int teeth, detail;
} Gear;

// a tooth is four arcs or lines of `detail` pieces: root, rise, tip, fall
static void gear_outline(const Gear *gear, int at, double place[2]) {
    static const double turn[5] = {0.0, 0.42, 0.54, 0.88,
                                   1.0}; // where each begins, of a tooth's share
    int per_tooth = 4 * gear->detail, tooth = at / per_tooth, piece = at % per_tooth;
    int part = piece / gear->detail;
    double s = (double)(piece % gear->detail) / (double)gear->detail;
    double low = gear->radius - gear->depth, high = gear->radius;
    const double radii[5] = {low, low, high, high, low};
    double radius = radii[part] + s * (radii[part + 1] - radii[part]);
    double share = turn[part] + s * (turn[part + 1] - turn[part]);
    double angle = 2.0 * MAKER_PI * ((double)tooth + share) / (double)gear->teeth;
    place[0] = radius * cos(angle);
    place[1] = radius * sin(angle);
}

static double (*make_outline(const Gear *gear, int count))[2] {
    double(*outline)[2] = thaw_alloc((size_t)count * sizeof *outline);
    for (int k = 0; k < count && outline != NULL; k++) gear_outline(gear, k, outline[k]);
    return outline;
}

typedef struct BoredGear {
    const Gear *gear;
    const double (*outline)[2];
    int count;
} BoredGear;

// a row runs once about the rim's section: bore low, teeth low, teeth high, bore high
static ThawVec3 place_on_gear(const void *context, int row, int column) {
    const BoredGear *bored = context;
    const double *rim = bored->outline[row % bored->count];
    double z = (column % 4 == 1 || column % 4 == 0 ? -0.5 : 0.5) * bored->gear->height;
    if (column % 4 == 1 || column % 4 == 2) return thaw_vec(rim[0], rim[1], z);
    double scale = bored->gear->hole / hypot(rim[0], rim[1]);
    return thaw_vec(scale * rim[0], scale * rim[1], z);
}

void meshio_make_gear(MeshMaker *maker, const double *values) {
    Gear gear = {values[0], values[1], values[2], values[3], (int)values[4], (int)values[5]};
    if (gear.depth + gear.hole >= 0.95 * gear.radius) {
        maker_refuse(maker, "depth and hole of a gear must leave some of its radius");
        return;
    }
    int count = 4 * gear.detail * gear.teeth;
    double(*outline)[2] = make_outline(&gear, count);
    if (outline == NULL) {
        maker->result = thaw_fail_memory((size_t)count * sizeof *outline);
        return;
    }
    BoredGear bored = {&gear, (const double(*)[2])outline, count};
    if (gear.hole > 0.0)
        maker_sheet(maker, count, 4, place_on_gear, &bored);
    else
        maker_prism(maker, bored.outline, count, (double[2]){-gear.height / 2, gear.height / 2});
    thaw_free(outline);
}

// ---------------------------------------------------------------- stairs

// a prism's outline is in x and y: it is made lying, and then stood up
static void stand_up(MeshMaker *maker) {
    if (maker->result != THAW_OK) return;
    ThawMeshData *mesh = maker->weld.mesh;
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        double *p = mesh->points[k], y = p[1];
        p[1] = -p[2] + 0.0;
        p[2] = y;
    }
}

void meshio_make_stairs(MeshMaker *maker, const double *values) {
    double width = values[0], depth = values[1], height = values[2];
    int steps = (int)values[3], count = 2 * steps + 2;
    double(*outline)[2] = thaw_alloc((size_t)count * sizeof *outline);
    if (outline == NULL) {
        maker->result = thaw_fail_memory((size_t)count * sizeof *outline);
        return;
    }
    outline[0][0] = outline[0][1] = outline[1][1] = 0.0;
    outline[1][0] = depth;
    for (int k = 0; k < steps; k++) {
        double level = height * (double)(steps - k) / (double)steps;
        outline[2 + 2 * k][0] = depth * (double)(steps - k) / (double)steps;
        outline[3 + 2 * k][0] = depth * (double)(steps - k - 1) / (double)steps;
        outline[2 + 2 * k][1] = outline[3 + 2 * k][1] = level;
    }
    // the last corner lies above the first: both are needed
    maker_prism(maker, (const double(*)[2])outline, count, (double[2]){-width / 2, width / 2});
    stand_up(maker);
    thaw_free(outline);
}

// ---------------------------------------------------------------- paddle wheels

// a cylinder about y
static void add_roller(MeshMaker *maker, double radius, double length, int around) {
    double(*outline)[2] = thaw_alloc((size_t)around * sizeof *outline);
    if (outline == NULL) {
        maker->result = thaw_fail_memory((size_t)around * sizeof *outline);
        return;
    }
    for (int k = 0; k < around; k++) {
        double angle = 2.0 * MAKER_PI * (double)k / (double)around;
        outline[k][0] = radius * cos(angle);
        outline[k][1] = radius * sin(angle);
    }
    maker_prism(maker, (const double(*)[2])outline, around, (double[2]){-length / 2, length / 2});
    thaw_free(outline);
}

void meshio_make_paddle_wheel(MeshMaker *maker, const double *values) {
    double radius = values[0], width = values[1], thickness = values[2], hub = values[3],
           axle = values[4];
    int blades = (int)values[5], around = (int)values[6];
    if (hub >= radius || thickness >= 2.0 * hub) {
        maker_refuse(maker, "hub of a paddle wheel must be below its radius and above half of the "
                            "blades' thickness");
        return;
    }
    // lying, about z
    add_roller(maker, hub, width, around);
    if (axle > width) add_roller(maker, 0.35 * hub, axle, around / 2 < 6 ? 6 : around / 2);
    // blades begin inside the hub, and are a little narrower, so that no faces lie on each other
    double inner = 0.6 * hub, length = radius - inner;
    for (int k = 0; k < blades; k++) {
        ThawQuat turn =
            thaw_quat_turn(thaw_vec(0, 0, 1), 2.0 * MAKER_PI * (double)k / (double)blades);
        ThawVec3 center = thaw_quat_rotate(turn, thaw_vec(inner + length / 2, 0, 0));
        MakerBox blade = {center, {length / 2, thickness / 2, 0.49 * width}, turn, {4, 1, 4}};
        maker_box(maker, &blade);
    }
    stand_up(maker);
}

// ---------------------------------------------------------------- walls and grates

typedef struct Wall {
    double width, height;
    int detail;
} Wall;

static ThawVec3 place_on_wall(const void *context, int row, int column) {
    const Wall *wall = context;
    return thaw_vec(wall->width * ((double)row / (double)wall->detail - 0.5), 0.0,
                    wall->height * (double)column / (double)wall->detail);
}

void meshio_make_wall(MeshMaker *maker, const double *values) {
    Wall wall = {values[0], values[1], (int)values[3]};
    if (values[2] > 0.0) {
        MakerBox box = {.center = {0, 0, wall.height / 2},
                        .half = {wall.width / 2, values[2] / 2, wall.height / 2},
                        .turn = thaw_quat_identity(),
                        .cuts = {wall.detail, 1, wall.detail}};
        maker_box(maker, &box);
        return;
    }
    maker_sheet(maker, wall.detail, wall.detail, place_on_wall, &wall);
}

void meshio_make_grate(MeshMaker *maker, const double *values) {
    double width = values[0], depth = values[1], height = values[2], thickness = values[3];
    int count = (int)values[4];
    if (thickness * (double)(count + 1) >= fmin(width, depth)) {
        maker_refuse(maker, "thickness of a grate's bars leaves no openings");
        return;
    }
    // bars along y are a little lower than those along x: no faces lie on each other
    for (int k = 0; k <= count; k++) {
        double s = (double)k / (double)count - 0.5;
        MakerBox bar = {.turn = thaw_quat_identity(), .cuts = {1, 1, 1}};
        bar.center = thaw_vec(0, s * (depth - thickness), 0);
        bar.half = thaw_vec(width / 2, thickness / 2, height / 2);
        maker_box(maker, &bar);
        bar.center = thaw_vec(s * (width - thickness), 0, 0);
        bar.half = thaw_vec(thickness / 2, 0.995 * depth / 2, 0.9 * height / 2);
        maker_box(maker, &bar);
    }
}
