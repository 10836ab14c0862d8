#include "support/tank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static void must(ThawResult result) {
    if (result == THAW_OK) return;
    fprintf(stderr, "tank: %s\n", thaw_error_text());
    exit(1);
}

static void *must_alloc(size_t bytes) {
    void *block = malloc(bytes > 0 ? bytes : 1);
    if (block == NULL) {
        fputs("tank: no memory\n", stderr);
        exit(1);
    }
    return block;
}

// ---------------------------------------------------------------- building

ThawWorldDef tank_def(int dimensions, double spacing) {
    ThawWorldDef def = thaw_world_default();
    def.dimensions = dimensions;
    def.spacing = spacing;
    def.threads = 1;
    def.solver.iterations = 5;
    def.gravity = dimensions == 2 ? (ThawVec3){0, -9.81, 0} : (ThawVec3){0, 0, -9.81};
    return def;
}

Tank tank_open(const ThawWorldDef *def, const ThawLiquidDef *liquid) {
    ThawVec3 g = def->gravity;
    Tank tank = {.dimensions = def->dimensions,
                 .spacing = def->spacing,
                 .pull = sqrt(g.x * g.x + g.y * g.y + g.z * g.z)};
    if (tank.pull > 0) tank.up = (ThawVec3){-g.x / tank.pull, -g.y / tank.pull, -g.z / tank.pull};
    must(thaw_world_create(def, &tank.world));
    ThawMaterialDef material = thaw_material_default();
    if (liquid != NULL) material.liquid = *liquid;
    must(thaw_world_add_material(tank.world, &material, &tank.liquid));
    tank.particle = (double)material.density * pow(def->spacing, def->dimensions);
    return tank;
}

Tank tank_around(ThawWorld *world, const Tank *like) {
    Tank tank = *like;
    tank.world = world;
    tank.x = NULL;
    tank.capacity = 0;
    tank_look(&tank);
    return tank;
}

void tank_close(Tank *tank) {
    thaw_world_destroy(tank->world);
    free(tank->x);
    *tank = (Tank){0};
}

ThawShape tank_box(int dimensions, ThawVec3 lower, ThawVec3 upper) {
    if (dimensions == 2) {
        lower.z = -1;
        upper.z = 1;
    }
    ThawVec3 center = {(lower.x + upper.x) / 2, (lower.y + upper.y) / 2, (lower.z + upper.z) / 2};
    ThawVec3 size = {upper.x - lower.x, upper.y - lower.y, upper.z - lower.z};
    return thaw_shape_box(center, size);
}

ThawColliderId tank_contain(Tank *tank, ThawShape shape, float friction) {
    ThawColliderDef def = thaw_collider_default();
    ThawColliderId id;
    def.shape = shape;
    def.container = true;
    def.friction = friction;
    must(thaw_world_add_collider(tank->world, &def, &id));
    return id;
}

ThawColliderId tank_obstruct(Tank *tank, ThawShape shape) {
    ThawColliderDef def = thaw_collider_default();
    ThawColliderId id;
    def.shape = shape;
    must(thaw_world_add_collider(tank->world, &def, &id));
    return id;
}

void tank_fill(Tank *tank, ThawShape shape) {
    ThawBodyDef def = thaw_body_default();
    ThawBodyId id;
    def.material = tank->liquid;
    def.shape = shape;
    must(thaw_world_add_body(tank->world, &def, &id));
    tank_look(tank);
}

void tank_carve(Tank *tank, ThawShape shape) {
    uint32_t found;
    ThawParticleId *ids = must_alloc(thaw_world_count(tank->world) * sizeof *ids);
    must(thaw_world_find(tank->world, &shape, ids, thaw_world_count(tank->world), &found));
    must(thaw_world_remove_particles(tank->world, ids, found, NULL));
    free(ids);
    tank_look(tank);
}

void tank_add(Tank *tank, uint32_t count, const double (*x)[3], const float (*v)[3]) {
    ThawParticlesDef def = {
        .material = tank->liquid, .count = count, .positions = x, .velocities = v};
    ThawParticleId first;
    must(thaw_world_add_particles(tank->world, &def, &first));
    tank_look(tank);
}

// ---------------------------------------------------------------- moving and looking

void tank_look(Tank *tank) {
    tank->count = thaw_world_count(tank->world);
    if (tank->count > tank->capacity) {
        free(tank->x);
        tank->x = must_alloc(tank->count * sizeof *tank->x);
        tank->capacity = tank->count;
    }
    if (tank->count > 0) thaw_world_positions(tank->world, tank->x);
    ThawView view;
    must(thaw_world_view(tank->world, "velocity", &view));
    tank->v = (const float(*)[3])view.data;
    must(thaw_world_view(tank->world, "density_error", &view));
    tank->error = view.data;
    must(thaw_world_view(tank->world, "id", &view));
    tank->id = view.data;
}

void tank_step(Tank *tank, double dt) {
    must(thaw_world_step(tank->world, dt, &tank->report));
    tank_look(tank);
}

// ---------------------------------------------------------------- figures

double tank_height(const Tank *tank, const double x[3]) {
    return tank->up.x * x[0] + tank->up.y * x[1] + tank->up.z * x[2];
}

double tank_mean_height(const Tank *tank) {
    double sum = 0;
    for (uint32_t i = 0; i < tank->count; i++) sum += tank_height(tank, tank->x[i]);
    return sum / tank->count;
}

static double speed2(const Tank *tank, uint32_t i) {
    double sum = 0;
    for (int a = 0; a < 3; a++) sum += (double)tank->v[i][a] * (double)tank->v[i][a];
    return sum;
}

double tank_rms_speed(const Tank *tank) {
    double sum = 0;
    for (uint32_t i = 0; i < tank->count; i++) sum += speed2(tank, i);
    return sqrt(sum / tank->count);
}

double tank_max_speed(const Tank *tank) {
    double most = 0;
    for (uint32_t i = 0; i < tank->count; i++) most = fmax(most, speed2(tank, i));
    return sqrt(most);
}

double tank_energy(const Tank *tank, double floor) {
    double sum = 0;
    for (uint32_t i = 0; i < tank->count; i++) {
        sum += 0.5 * speed2(tank, i) + tank->pull * (tank_height(tank, tank->x[i]) - floor);
    }
    return sum * tank->particle;
}

static void add_error(TankMean *mean, double error) {
    mean->mean += fabs(error);
    mean->max = fmax(mean->max, fabs(error));
    mean->count++;
}

TankMean tank_mean_error(const Tank *tank, TankKeep *keep, const void *context) {
    TankMean mean = {0};
    for (uint32_t i = 0; i < tank->count; i++) {
        if (keep(context, tank->x[i])) add_error(&mean, (double)tank->error[i]);
    }
    if (mean.count > 0) mean.mean /= mean.count;
    return mean;
}

typedef struct Named {
    ThawParticleId id;
    const double *x;
} Named;

static int compare_named(const void *a, const void *b) {
    const Named *p = a, *q = b;
    return (p->id > q->id) - (p->id < q->id);
}

static Named *sort_by_id(const Tank *tank) {
    Named *rows = must_alloc(tank->count * sizeof *rows);
    for (uint32_t i = 0; i < tank->count; i++) rows[i] = (Named){tank->id[i], tank->x[i]};
    qsort(rows, tank->count, sizeof *rows, compare_named);
    return rows;
}

double tank_distance(const Tank *a, const Tank *b, ThawVec3 offset) {
    if (a->count != b->count) return INFINITY;
    Named *p = sort_by_id(a), *q = sort_by_id(b);
    double most = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        if (p[i].id != q[i].id) most = INFINITY;
        double x = q[i].x[0] - offset.x - p[i].x[0], y = q[i].x[1] - offset.y - p[i].x[1],
               z = q[i].x[2] - offset.z - p[i].x[2];
        most = fmax(most, sqrt(x * x + y * y + z * z));
    }
    free(p);
    free(q);
    return most;
}

// ---------------------------------------------------------------- the interior in 2D

// A particle is at the free surface where neighbours within a support leave a sector of more than
// 120° open, unless a wall stands in that direction.
#define OPEN_SECTOR (2.0 * PI / 3.0)
#define MOST_NEAR 256

typedef struct Column {
    double x;
    uint32_t row;
} Column;

static int compare_columns(const void *a, const void *b) {
    const Column *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

static int compare_angles(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

// rows within a support of the particle at place k of the columns
static uint32_t find_near(const Tank *tank, const Column *columns, uint32_t k, uint32_t *near) {
    double h = 2 * tank->spacing;
    const double *p = tank->x[columns[k].row];
    uint32_t count = 0, first = k;
    while (first > 0 && columns[first - 1].x > p[0] - h) first--;
    for (uint32_t j = first; j < tank->count && columns[j].x < p[0] + h; j++) {
        const double *q = tank->x[columns[j].row];
        if (j != k && hypot(q[0] - p[0], q[1] - p[1]) < h && count < MOST_NEAR) {
            near[count++] = columns[j].row;
        }
    }
    return count;
}

static bool is_open(const Tank *tank, const ThawShape *inside, uint32_t row, const uint32_t *near,
                    uint32_t count) {
    const double *p = tank->x[row];
    double angles[MOST_NEAR + 1];
    if (count < 2) return true;
    for (uint32_t j = 0; j < count; j++) {
        angles[j] = atan2(tank->x[near[j]][1] - p[1], tank->x[near[j]][0] - p[0]);
    }
    qsort(angles, count, sizeof *angles, compare_angles);
    angles[count] = angles[0] + 2 * PI;
    for (uint32_t j = 0; j < count; j++) {
        double gap = angles[j + 1] - angles[j], middle = angles[j] + gap / 2;
        if (gap < OPEN_SECTOR) continue;
        ThawVec3 ahead = {p[0] + tank->spacing * cos(middle), p[1] + tank->spacing * sin(middle),
                          0};
        if (thaw_shape_distance(inside, ahead) < 0) return true;
    }
    return false;
}

void tank_mark_interior(const Tank *tank, const ThawShape *inside, bool *deep) {
    Column *columns = must_alloc(tank->count * sizeof *columns);
    uint32_t near[MOST_NEAR];
    for (uint32_t i = 0; i < tank->count; i++) {
        columns[i] = (Column){tank->x[i][0], i};
        deep[i] = true;
    }
    qsort(columns, tank->count, sizeof *columns, compare_columns);
    for (uint32_t k = 0; k < tank->count; k++) {
        uint32_t count = find_near(tank, columns, k, near);
        if (!is_open(tank, inside, columns[k].row, near, count)) continue;
        deep[columns[k].row] = false;
        for (uint32_t j = 0; j < count; j++) deep[near[j]] = false;
    }
    free(columns);
}

TankMean tank_interior_error(const Tank *tank, const ThawShape *inside) {
    TankMean mean = {0};
    bool *deep = must_alloc(tank->count * sizeof *deep);
    tank_mark_interior(tank, inside, deep);
    for (uint32_t i = 0; i < tank->count; i++) {
        if (deep[i]) add_error(&mean, (double)tank->error[i]);
    }
    if (mean.count > 0) mean.mean /= mean.count;
    free(deep);
    return mean;
}
