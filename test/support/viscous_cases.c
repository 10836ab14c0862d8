#include "support/viscous_cases.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define PI 3.14159265358979323846

ThawLiquidDef viscous_artist(double c) {
    ThawLiquidDef liquid = thaw_material_default().liquid;
    liquid.xsph = (float)c;
    return liquid;
}

ThawLiquidDef viscous_physical(double viscosity) {
    ThawLiquidDef liquid = viscous_artist(0);
    liquid.viscosity = (float)viscosity;
    return liquid;
}

static void add_collider(Tank *tank, const ThawColliderDef *def) {
    if (thaw_world_add_collider(tank->world, def, NULL) != THAW_OK) abort();
}

// ---------------------------------------------------------------- a drop on a floor

ViscousDrop viscous_drop(const ViscousDropDef *def) {
    ThawWorldDef world = tank_def(3, def->spacing);
    world.solver.substeps = def->substeps;
    world.solver.iterations = 4;
    ThawLiquidDef liquid = viscous_artist(def->c);
    Tank tank = tank_open(&world, &liquid);
    tank_obstruct(&tank, thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1}));
    tank_fill(&tank, thaw_shape_sphere((ThawVec3){0, 0, 0.15}, 0.1));
    double first = tank_energy(&tank, 0), sum = 0;
    ViscousDrop drop = {.particles = tank.count};
    clock_t begin = clock();
    for (int step = 0; step < (int)(def->seconds * 24 + 0.5); step++) {
        tank_step(&tank, 1.0 / 24);
        drop.substeps += tank.report.substeps;
        drop.passes += tank.report.viscosity_passes;
        drop.energy = fmax(drop.energy, tank_energy(&tank, 0) / first);
    }
    drop.cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    for (uint32_t i = 0; i < tank.count; i++) {
        sum += tank.x[i][0] * tank.x[i][0] + tank.x[i][1] * tank.x[i][1];
        drop.top = fmax(drop.top, tank.x[i][2]);
    }
    drop.radius = sqrt(sum / tank.count);
    tank_close(&tank);
    return drop;
}

// ---------------------------------------------------------------- shear waves

#define EDGE 1.5874010519681994 // spacings: of the cube of four sites whose volume is 4
#define ACROSS 4                // cubes along the other axes

static double amplitude(const Tank *tank, double k) {
    double sum = 0;
    for (uint32_t i = 0; i < tank->count; i++) {
        sum += 2.0 * (double)tank->v[i][0] * sin(k * tank->x[i][1]);
    }
    return sum / tank->count;
}

static void fill_wave(Tank *tank, const ViscousWaveDef *def, double k) {
    const double sites[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    for (int n = 0; n < ACROSS * ACROSS * def->cubes; n++) {
        int corner[3] = {n % ACROSS, n / ACROSS % def->cubes, n / ACROSS / def->cubes};
        double x[4][3];
        float v[4][3] = {{0}};
        for (int s = 0; s < 4; s++) {
            for (int a = 0; a < 3; a++) {
                x[s][a] = (corner[a] + sites[s][a] + 0.25) * EDGE * def->spacing;
            }
            v[s][0] = (float)(def->size * sin(k * x[s][1]));
        }
        tank_add(tank, 4, (const double(*)[3])x, (const float(*)[3])v);
    }
}

ViscousWave viscous_wave(const ViscousWaveDef *def) {
    ThawWorldDef world = tank_def(3, def->spacing);
    double edge = EDGE * def->spacing, k = 2 * PI / (def->cubes * edge), step = 1.0 / 120;
    world.gravity = (ThawVec3){0, 0, 0};
    for (int a = 0; a < 3; a++) world.periodic[a] = true;
    world.upper = (ThawVec3){ACROSS * edge, def->cubes * edge, ACROSS * edge};
    world.solver.substeps = def->substeps;
    ThawLiquidDef liquid = viscous_physical(def->viscosity);
    Tank tank = tank_open(&world, &liquid);
    fill_wave(&tank, def, k);
    int steps = (int)(def->seconds / step + 0.5);
    double first = amplitude(&tank, k);
    ViscousWave wave = {.wanted = exp(-def->viscosity * k * k * steps * step),
                        .kh = 2 * def->spacing * k};
    for (int s = 0; s < steps; s++) {
        tank_step(&tank, step);
        wave.momentum =
            fmax(wave.momentum, fabs(tank.report.momentum.x / tank.report.mass) / def->size);
    }
    wave.left = amplitude(&tank, k) / first;
    wave.limit = tank.report.viscosity_limit;
    tank_close(&tank);
    return wave;
}

// ---------------------------------------------------------------- walls

#define WIDTH 0.16 // m, periodic

static Tank open_channel(double spacing, double viscosity, ThawVec3 gravity) {
    ThawWorldDef def = tank_def(2, spacing);
    def.periodic[0] = true;
    def.upper = (ThawVec3){WIDTH, 1, 1};
    def.gravity = gravity;
    def.solver.substeps = 8;
    ThawLiquidDef liquid = viscous_physical(viscosity);
    return tank_open(&def, &liquid);
}

double viscous_film(double spacing, double viscosity, float friction) {
    Tank tank = open_channel(spacing, viscosity, (ThawVec3){1, -9.81, 0});
    ThawColliderDef floor = thaw_collider_default();
    floor.friction = friction;
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 1, 0});
    add_collider(&tank, &floor);
    tank_fill(&tank, tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){WIDTH, 0.1, 0}));
    double height = tank.count * spacing * spacing / WIDTH, sum = 0;
    int steps = (int)(3 * height * height / viscosity * 240);
    for (int s = 0; s < steps; s++) tank_step(&tank, 1.0 / 240);
    for (uint32_t i = 0; i < tank.count; i++) sum += (double)tank.v[i][0] / tank.count;
    tank_close(&tank);
    return sum / (height * height / (3 * viscosity));
}

ViscousPlates viscous_plates(double spacing, double viscosity) {
    const double gap = 0.12, speed = 0.2;
    Tank tank = open_channel(spacing, viscosity, (ThawVec3){0, 0, 0});
    tank_obstruct(&tank, tank_box(2, (ThawVec3){-9, -1, 0}, (ThawVec3){9, 0, 0}));
    ThawKeyframe keys[2] = {{.time = 0, .rotation = {0, 0, 0, 1}},
                            {.time = 4, .move = {4 * speed, 0, 0}, .rotation = {0, 0, 0, 1}}};
    ThawColliderDef plate = thaw_collider_default();
    plate.shape = tank_box(2, (ThawVec3){-9, gap, 0}, (ThawVec3){9, 1, 0});
    plate.motion = keys;
    plate.motion_count = 2;
    add_collider(&tank, &plate);
    tank_fill(&tank, tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){WIDTH, gap, 0}));
    int steps = (int)(3 * gap * gap / viscosity * 240);
    for (int s = 0; s < steps; s++) tank_step(&tank, 1.0 / 240);
    double sxy = 0, sxx = 0;
    ViscousPlates plates = {0};
    for (uint32_t i = 0; i < tank.count; i++) {
        double y = tank.x[i][1] - gap / 2, v = (double)tank.v[i][0] - speed / 2;
        plates.largest = fmax(plates.largest, fabs(v - speed * y / gap) / speed);
        sxy += y * v;
        sxx += y * y;
    }
    plates.slope = sxy / sxx / (speed / gap);
    tank_close(&tank);
    return plates;
}

// ---------------------------------------------------------------- a thread

#define SLICES 64

double viscous_thread(const ThawLiquidDef *liquid, double spacing, double length, double seconds) {
    const double radius = 0.008;
    ThawWorldDef def = tank_def(3, spacing);
    def.solver.iterations = 4;
    Tank tank = tank_open(&def, liquid);
    tank_obstruct(&tank, thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1}));
    ThawBodyDef thread = thaw_body_default();
    thread.material = tank.liquid;
    thread.shape =
        thaw_shape_cylinder((ThawVec3){0, 0, 0.01}, (ThawVec3){0, 0, 0.01 + length}, radius);
    thread.velocity = (ThawVec3){0, 0, -0.3};
    thread.jitter = 0.1;
    if (thaw_world_add_body(tank.world, &thread, NULL) != THAW_OK) abort();
    double largest = 0, sums[SLICES][3] = {{0}};
    for (int s = 0; s < (int)(seconds * 48 + 0.5); s++) tank_step(&tank, 1.0 / 48);
    for (uint32_t i = 0; i < tank.count; i++) {
        int slice = (int)(tank.x[i][2] / radius * 2);
        if (slice < 0 || slice >= SLICES) continue;
        for (int a = 0; a < 2; a++) sums[slice][a] += tank.x[i][a];
        sums[slice][2] += 1;
    }
    for (int n = 0; n < SLICES; n++) {
        if (sums[n][2] < 8) continue;
        double away = hypot(sums[n][0], sums[n][1]) / sums[n][2];
        largest = fmax(largest, away / radius);
    }
    tank_close(&tank);
    return largest;
}
