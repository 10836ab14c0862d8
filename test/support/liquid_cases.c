#include "support/liquid_cases.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define G 9.81
#define DT 0.004
#define LOOK_EVERY 5 // steps between looks at the interior

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void count_step(CaseCost *cost, const Tank *tank) {
    cost->particles = tank->count;
    cost->threads = thaw_world_threads(tank->world);
    cost->steps++;
    cost->substeps += tank->report.substeps;
}

// ---------------------------------------------------------------- dam break

const double dam_times[DAM_POINTS] = {0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20,
                                      2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33};
const double dam_fronts[DAM_POINTS] = {1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56,
                                       2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11};

// nothing but the viscosity of water
static void make_water(Tank *tank) {
    ThawMaterialDef def = thaw_material_default();
    def.liquid.viscosity = 1e-6f;
    if (thaw_world_set_material(tank->world, tank->liquid, &def) != THAW_OK) abort();
}

// the case's c = 0.01 in every substep, of which a step takes as many as the last one
static void smooth_substeps(Tank *tank) {
    ThawMaterialDef def = thaw_material_default();
    double substeps = tank->report.substeps > 0 ? tank->report.substeps : 1;
    def.liquid.xsph = (float)(0.01 * substeps * THAW_REFERENCE_TIME / DT);
    if (thaw_world_set_material(tank->world, tank->liquid, &def) != THAW_OK) abort();
}

static Tank open_dam(const DamDef *def, ThawShape *channel) {
    ThawWorldDef world = tank_def(2, 1.0 / def->resolution);
    world.solver.iterations = def->iterations;
    world.threads = def->threads;
    Tank tank = tank_open(&world, NULL);
    *channel = tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){8, 10, 0});
    tank_contain(&tank, *channel, def->friction);
    tank_fill(&tank, tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){1, 2, 0}));
    return tank;
}

// the furthest particle with three neighbours within a support, and half a spacing
static double find_front(const Tank *tank) {
    double front = 0, h = 2 * tank->spacing;
    for (uint32_t i = 0; i < tank->count; i++) {
        const double *p = tank->x[i];
        if (p[0] <= front) continue;
        int near = 0;
        for (uint32_t j = 0; j < tank->count && near < 3; j++) {
            near += j != i && hypot(tank->x[j][0] - p[0], tank->x[j][1] - p[1]) < h;
        }
        if (near >= 3) front = p[0];
    }
    return front + tank->spacing / 2;
}

static void judge_fronts(DamFigures *figures) {
    double sum = 0;
    for (int k = DAM_FIRST; k < DAM_POINTS; k++) {
        double error = figures->front[k] / dam_fronts[k] - 1;
        sum += error * error;
        figures->max = fmax(figures->max, fabs(error));
    }
    figures->rms = sqrt(sum / (DAM_POINTS - DAM_FIRST));
}

DamFigures dam_run(const DamDef *def) {
    DamFigures figures = {0};
    ThawShape channel;
    Tank tank = open_dam(def, &channel);
    double begin = now(), start = tank_energy(&tank, 0), before = 0, front_before = 1;
    int looks = 0;
    for (int k = 0; k < DAM_POINTS;) {
        if (def->water)
            make_water(&tank);
        else
            smooth_substeps(&tank);
        tank_step(&tank, DT);
        count_step(&figures.cost, &tank);
        double time = tank.report.time * sqrt(2 * G), front = find_front(&tank);
        for (; k < DAM_POINTS && dam_times[k] <= time; k++) {
            double share = (dam_times[k] - before) / (time - before);
            figures.front[k] = front_before + share * (front - front_before);
        }
        before = time;
        front_before = front;
        figures.energy_end = tank_energy(&tank, 0) / start;
        figures.energy_max = fmax(figures.energy_max, figures.energy_end);
        figures.peak = fmax(figures.peak, tank.report.max_density_error);
        if (figures.cost.steps % LOOK_EVERY == 0) {
            figures.interior_mean += tank_interior_error(&tank, &channel).mean;
            looks++;
        }
    }
    figures.interior_mean /= looks;
    figures.cost.seconds = now() - begin;
    judge_fronts(&figures);
    tank_close(&tank);
    return figures;
}

// ---------------------------------------------------------------- settling pool

static Tank open_pool(const PoolDef *def) {
    ThawWorldDef world = tank_def(def->dimensions, def->spacing);
    world.solver.iterations = def->iterations;
    world.threads = def->threads;
    Tank tank = tank_open(&world, NULL);
    ThawVec3 high = def->dimensions == 2 ? (ThawVec3){1, 2, 0} : (ThawVec3){1, 1, 2};
    tank_contain(&tank, tank_box(def->dimensions, (ThawVec3){0, 0, 0}, high), 0.4f);
    tank_fill(&tank, tank_box(def->dimensions, (ThawVec3){0, 0, 0}, (ThawVec3){1, 1, 1}));
    return tank;
}

typedef struct Below {
    const Tank *tank;
    double height;
} Below;

static bool is_below(const void *context, const double x[3]) {
    const Below *below = context;
    return tank_height(below->tank, x) < below->height;
}

static double run_pool(Tank *tank, CaseCost *cost, double seconds) {
    int steps = (int)(seconds / DT + 0.5), last = (int)(0.2 / DT);
    double sum = 0;
    for (int s = 0; s < steps; s++) {
        tank_step(tank, DT);
        count_step(cost, tank);
        double speed = tank_rms_speed(tank);
        if (s >= steps - last) sum += speed * speed;
    }
    return sqrt(sum / last);
}

PoolFigures pool_run(const PoolDef *def) {
    PoolFigures figures = {0};
    Tank tank = open_pool(def);
    if (def->water) make_water(&tank);
    double begin = now();
    figures.ideal = tank.count * pow(def->spacing, def->dimensions) / 2;
    figures.rms_speed = run_pool(&tank, &figures.cost, def->seconds);
    figures.height = tank_mean_height(&tank);
    Below below = {&tank, 2 * figures.ideal - 3 * def->spacing};
    figures.interior = tank_mean_error(&tank, is_below, &below);
    if (def->drift_seconds > 0) {
        run_pool(&tank, &figures.cost, def->drift_seconds);
        figures.drift = tank_mean_height(&tank) / figures.height - 1;
    }
    figures.cost.seconds = now() - begin;
    tank_close(&tank);
    return figures;
}

// ---------------------------------------------------------------- falling block

DropFigures drop_run(const DropDef *def) {
    DropFigures figures = {0};
    ThawWorldDef world = tank_def(2, def->spacing);
    world.solver.iterations = def->iterations;
    world.solver.substeps = def->substeps;
    world.threads = def->threads;
    Tank tank = tank_open(&world, NULL);
    ThawShape box = tank_box(2, (ThawVec3){0, 0, 0}, (ThawVec3){2, 4, 0});
    tank_contain(&tank, box, 0.4f);
    tank_fill(&tank, tank_box(2, (ThawVec3){0.5, 1, 0}, (ThawVec3){1.5, 2, 0}));
    double begin = now(), start = tank_energy(&tank, 0), impact = sqrt(2 / G);
    int looks = 0;
    while (tank.report.time < 1.5) {
        tank_step(&tank, DT);
        count_step(&figures.cost, &tank);
        figures.energy_max = fmax(figures.energy_max, tank_energy(&tank, 0) / start);
        figures.peak = fmax(figures.peak, tank.report.max_density_error);
        figures.peak_mean = fmax(figures.peak_mean, tank.report.mean_density_error);
        if (tank.report.time > impact && figures.cost.steps % LOOK_EVERY == 0) {
            figures.interior_mean += tank_interior_error(&tank, &box).mean;
            looks++;
        }
    }
    figures.interior_mean /= looks;
    figures.cost.seconds = now() - begin;
    tank_close(&tank);
    return figures;
}
