#include "support/two.h"

#include "math/lattice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DT 0.01 // s

static void must(ThawResult result) {
    if (result == THAW_OK) return;
    fprintf(stderr, "two: %s\n", thaw_error_text());
    exit(1);
}

TwoDef two_def(int dimensions, double spacing0, double spacing1) {
    ThawMaterialDef water = thaw_material_default();
    TwoDef def = {.dimensions = dimensions,
                  .across = dimensions == 2 ? 20 : 4,
                  .friction = 0.4f,
                  .threads = 1};
    for (int k = 0; k < 2; k++) {
        def.phase[k] = (TwoPhase){.spacing = k == 0 ? spacing0 : spacing1,
                                  .density = water.density,
                                  .liquid = water.liquid,
                                  .layers = dimensions == 2 ? 7 : 4};
    }
    return def;
}

// ---------------------------------------------------------------- building

static double larger_spacing(const TwoDef *def) {
    return fmax(def->phase[0].spacing, def->phase[1].spacing);
}

// thickness of a layer of the lattice as bodies are filled: 2D rows, 3D half a cube
static double layer_of(const TwoDef *def) {
    double D = thaw_lattice_distance(def->dimensions, larger_spacing(def));
    return def->dimensions == 2 ? D * sqrt(3) / 2 : D / sqrt(2);
}

// the period along the interface
static double cell_of(const TwoDef *def) {
    double D = thaw_lattice_distance(def->dimensions, larger_spacing(def));
    return def->dimensions == 2 ? D : D * sqrt(2);
}

static ThawVec3 corner(const TwoDef *def, double x, double y, double up) {
    return def->dimensions == 2 ? (ThawVec3){x, up, 0} : (ThawVec3){x, y, up};
}

// a box of a phase by its ranges
static void fill(Two *two, int phase, const double x[2], const double up[2], const double y[2]) {
    const TwoDef *def = &two->def;
    ThawBodyDef body = thaw_body_default();
    ThawBodyId id;
    body.material = (ThawMaterialId){two->tank.liquid.value + (uint32_t)phase};
    body.spacing = (float)def->phase[phase].spacing;
    body.jitter = def->jitter;
    body.shape =
        tank_box(def->dimensions, corner(def, x[0], y[0], up[0]), corner(def, x[1], y[1], up[1]));
    must(thaw_world_add_body(two->tank.world, &body, &id));
}

static void fill_above(Two *two, double split) {
    const double all[2] = {0, two->width}, low[2] = {0, split};
    const double high[2] = {split + two->def.lift, two->height + two->def.lift};
    fill(two, 0, all, low, all);
    fill(two, 1, all, high, all);
}

static void fill_beside(Two *two) {
    const double all[2] = {0, two->width}, up[2] = {0, two->height};
    const double left[2] = {0, two->width / 2}, right[2] = {two->width / 2, two->width};
    fill(two, 0, left, up, all);
    fill(two, 1, right, up, all);
}

// the middle third is phase 0; in 3D of both directions
static void fill_inside(Two *two, double split) {
    double w = two->width, a = w / 3, b = 2 * w / 3;
    const double all[2] = {0, w}, low[2] = {0, split}, high[2] = {split, two->height};
    const double left[2] = {0, a}, middle[2] = {a, b}, right[2] = {b, w};
    bool flat = two->def.dimensions == 2;
    fill(two, 0, middle, low, flat ? all : middle);
    fill(two, 1, left, low, all);
    fill(two, 1, right, low, all);
    fill(two, 1, all, high, all);
    if (flat) return;
    fill(two, 1, middle, low, left);
    fill(two, 1, middle, low, right);
}

static void add_walls(Two *two) {
    const TwoDef *def = &two->def;
    double over = 2 * two->height + def->lift, out = def->walls ? 0 : two->width;
    double low = -out, high = two->width + out;
    tank_contain(&two->tank,
                 tank_box(def->dimensions, corner(def, low, low, 0), corner(def, high, high, over)),
                 def->friction);
}

static void look(Two *two) {
    ThawView view;
    tank_look(&two->tank);
    must(thaw_world_view(two->tank.world, "spacing", &view));
    two->spacing = view.data;
    must(thaw_world_view(two->tank.world, "material", &view));
    two->material = view.data;
}

static double volume_of(const Two *two, uint32_t row) {
    return pow((double)two->spacing[row], two->def.dimensions);
}

static double energy_of(const Two *two) {
    const Tank *tank = &two->tank;
    double sum = 0;
    for (uint32_t i = 0; i < tank->count; i++) {
        double mass = volume_of(two, i) * (double)two->def.phase[two->material[i]].density, v2 = 0;
        for (int a = 0; a < 3; a++) v2 += (double)tank->v[i][a] * (double)tank->v[i][a];
        sum += mass * (0.5 * v2 + tank->pull * tank_height(tank, tank->x[i]));
    }
    return sum;
}

Two two_open(const TwoDef *def) {
    Two two = {.def = *def};
    double layer = layer_of(def), split = layer * def->phase[0].layers;
    two.width = cell_of(def) * def->across;
    two.height = split + (def->place == TWO_BESIDE ? 0 : layer * def->phase[1].layers);
    ThawWorldDef world =
        tank_def(def->dimensions, fmin(def->phase[0].spacing, def->phase[1].spacing));
    world.threads = def->threads;
    if (def->seed > 0) world.seed = def->seed;
    world.periodic[0] = !def->walls;
    world.periodic[1] = !def->walls && def->dimensions == 3;
    world.upper = (ThawVec3){two.width, two.width, 1};
    two.tank = tank_open(&world, &def->phase[0].liquid);
    ThawMaterialDef material = thaw_material_default();
    material.density = def->phase[0].density;
    material.liquid = def->phase[0].liquid;
    must(thaw_world_set_material(two.tank.world, two.tank.liquid, &material));
    material.name = "other";
    material.density = def->phase[1].density;
    material.liquid = def->phase[1].liquid;
    ThawMaterialId other;
    must(thaw_world_add_material(two.tank.world, &material, &other));
    add_walls(&two);
    if (def->place == TWO_ABOVE) fill_above(&two, split);
    if (def->place == TWO_BESIDE) fill_beside(&two);
    if (def->place == TWO_INSIDE) fill_inside(&two, split);
    look(&two);
    for (uint32_t i = 0; i < two.tank.count; i++) {
        two.volume[two.material[i]] += volume_of(&two, i);
    }
    double area = def->dimensions == 2 ? two.width : two.width * two.width;
    two.face = def->place == TWO_BESIDE ? two.width / 2 : two.volume[0] / area;
    return two;
}

void two_close(Two *two) {
    tank_close(&two->tank);
}

void two_run(Two *two, double seconds) {
    int steps = (int)rint(seconds / DT);
    for (int k = 0; k < steps; k++) {
        tank_step(&two->tank, DT);
        look(two);
        two->substeps += two->tank.report.substeps;
        // new matter is moved apart in the first step: energy counts from there
        if (two->start == 0) two->start = energy_of(two);
        two->energy_max = fmax(two->energy_max, energy_of(two) / two->start);
    }
}

// ---------------------------------------------------------------- figures

// how far a row's centre is beyond the interface, own spacings
static double cross_of(const Two *two, uint32_t row) {
    const double *x = two->tank.x[row];
    double at = two->def.place == TWO_BESIDE ? x[0] : tank_height(&two->tank, x);
    return (two->material[row] == 0 ? at - two->face : two->face - at) / (double)two->spacing[row];
}

static bool is_inside(const Two *two, const double x[3]) {
    if (!two->def.walls) return true;
    // in 3D a tank of a few cells has nothing that is further from all walls than one support
    double away = (two->def.dimensions == 2 ? 4 : 2) * larger_spacing(&two->def),
           up = tank_height(&two->tank, x);
    // along an upright interface it is the floor and the surface
    if (two->def.place == TWO_BESIDE && (up < away || up > two->height - away)) return false;
    for (int a = 0; a < two->def.dimensions - 1; a++) {
        bool across = a == 0 && two->def.place == TWO_BESIDE;
        if (!across && (x[a] < away || x[a] > two->width - away)) return false;
    }
    return true;
}

static void add_row(const Two *two, uint32_t row, TwoPhaseFigures *f, uint32_t *near) {
    const Tank *tank = &two->tank;
    double v2 = 0, up = tank_height(tank, tank->x[row]), cross = cross_of(two, row);
    for (int a = 0; a < 3; a++) v2 += (double)tank->v[row][a] * (double)tank->v[row][a];
    f->count++;
    f->height += up;
    f->rms_speed += v2;
    f->cross = fmax(f->cross, cross);
    bool inside = is_inside(two, tank->x[row]);
    if (inside) f->cross_inside = fmax(f->cross_inside, cross);
    // in 3D there are few layers: those that lie one support below the surface count
    double top = (two->def.dimensions == 2 ? 3 : 2) * larger_spacing(&two->def);
    bool deep = up < two->height - top;
    if (cross < -2 || !deep || !inside) return;
    f->face_speed = fmax(f->face_speed, sqrt(v2));
    f->error_mean += fabs((double)tank->error[row]);
    f->error_max = fmax(f->error_max, fabs((double)tank->error[row]));
    (*near)++;
}

// Mean places of both phases, against how thick their volumes are when compressed as they are. Side by side they fill the
// width, however compressed: it is their surface that falls.
static double gap_of(const Two *two) {
    const Tank *tank = &two->tank;
    bool beside = two->def.place == TWO_BESIDE;
    double at[2] = {0, 0}, thick[2] = {0, 0}, count[2] = {0, 0};
    double area = two->def.dimensions == 2 ? 1 : two->width;
    area *= beside ? two->height : two->width;
    for (uint32_t i = 0; i < tank->count; i++) {
        int k = two->material[i];
        at[k] += beside ? tank->x[i][0] : tank_height(tank, tank->x[i]);
        double squeezed = beside ? 1 : 1 + fmax((double)tank->error[i], 0);
        thick[k] += volume_of(two, i) / squeezed / area;
        count[k]++;
    }
    double apart = at[1] / count[1] - at[0] / count[0];
    return (apart - (thick[0] + thick[1]) / 2) / larger_spacing(&two->def);
}

TwoFigures two_look(const Two *two) {
    TwoFigures figures = {.gap = gap_of(two), .energy = energy_of(two) / two->start};
    uint32_t near[2] = {0, 0};
    for (int k = 0; k < 2; k++) figures.phase[k].cross = figures.phase[k].cross_inside = -1e9;
    for (uint32_t i = 0; i < two->tank.count; i++) {
        add_row(two, i, &figures.phase[two->material[i]], &near[two->material[i]]);
    }
    for (int k = 0; k < 2; k++) {
        TwoPhaseFigures *f = &figures.phase[k];
        f->height /= f->count;
        f->rms_speed = sqrt(f->rms_speed / f->count);
        if (near[k] > 0) f->error_mean /= near[k];
    }
    return figures;
}

void two_print(const Two *two, const TwoFigures *figures, const char *name) {
    printf("%s, %.2f s: gap %+.3f large spacings, energy %.4f (most %.4f)\n", name,
           thaw_world_time(two->tank.world), figures->gap, figures->energy, two->energy_max);
    for (int k = 0; k < 2; k++) {
        const TwoPhaseFigures *f = &figures->phase[k];
        printf("  %5u of %g mm, %g kg/m³: height %.4f m; speed rms %.4f m/s, at the interface at "
               "most %.4f; crosses "
               "%+.2f own spacings, away from walls %+.2f; |C| at the interface %.3f, most %.3f\n",
               f->count, 1000 * two->def.phase[k].spacing, (double)two->def.phase[k].density,
               f->height, f->rms_speed, f->face_speed, f->cross, f->cross_inside, f->error_mean,
               f->error_max);
    }
}
