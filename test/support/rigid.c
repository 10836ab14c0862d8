#include "support/rigid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void need(ThawResult result, const char *what) {
    if (result == THAW_OK) return;
    fprintf(stderr, "%s: %s\n", what, thaw_error_text());
    exit(1);
}

// ---------------------------------------------------------------- set-up

ThawWorldDef rigid_def(int dimensions, double spacing) {
    ThawWorldDef def = thaw_world_default();
    def.dimensions = dimensions;
    def.spacing = spacing;
    def.threads = 1;
    if (dimensions == 2) def.gravity = (ThawVec3){0, -9.81, 0};
    return def;
}

RigidRig rigid_open(const ThawWorldDef *def) {
    RigidRig rig = {.dimensions = def->dimensions, .spacing = def->spacing};
    ThawVec3 g = def->gravity;
    rig.pull = sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    rig.up = def->dimensions == 2 ? (ThawVec3){0, 1, 0} : (ThawVec3){0, 0, 1};
    need(thaw_world_create(def, &rig.world), "world");
    ThawMaterialDef water = thaw_material_default();
    need(thaw_world_add_material(rig.world, &water, &rig.liquid), "material");
    return rig;
}

RigidRig rigid_around(const RigidRig *like, ThawWorld *world) {
    RigidRig rig = *like;
    rig.world = world;
    return rig;
}

void rigid_close(RigidRig *rig) {
    thaw_world_destroy(rig->world);
    rig->world = NULL;
}

static ThawColliderId add(RigidRig *rig, const ThawColliderDef *def) {
    ThawColliderId id;
    need(thaw_world_add_collider(rig->world, def, &id), "collider");
    return id;
}

ThawColliderId rigid_floor(RigidRig *rig, float friction, float restitution) {
    ThawColliderDef def = thaw_collider_default();
    def.name = "floor";
    def.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, rig->up);
    def.friction = friction;
    def.restitution = restitution;
    return add(rig, &def);
}

// a box that stands on the origin's plane
static ThawShape standing(const RigidRig *rig, double width, double height) {
    bool flat = rig->dimensions == 2;
    ThawVec3 center = {rig->up.x * height / 2, rig->up.y * height / 2, rig->up.z * height / 2};
    return thaw_shape_box(center, (ThawVec3){width, flat ? height : width, flat ? width : height});
}

ThawColliderId rigid_tank(RigidRig *rig, double width, float friction) {
    ThawColliderDef def = thaw_collider_default();
    def.name = "tank";
    def.shape = standing(rig, width, 10 * width);
    def.container = true;
    def.friction = friction;
    return add(rig, &def);
}

void rigid_pool(RigidRig *rig, double width, double depth) {
    rigid_blob(rig, standing(rig, width, depth), (ThawVec3){0, 0, 0});
}

void rigid_blob(RigidRig *rig, ThawShape shape, ThawVec3 velocity) {
    ThawBodyDef def = thaw_body_default();
    def.material = rig->liquid;
    def.shape = shape;
    def.velocity = velocity;
    need(thaw_world_add_body(rig->world, &def, NULL), "body");
}

ThawColliderDef rigid_body(ThawShape shape, double density) {
    ThawColliderDef def = thaw_collider_default();
    def.name = "body";
    def.shape = shape;
    def.dynamic.on = true;
    def.dynamic.density = density;
    return def;
}

int rigid_add(RigidRig *rig, const ThawColliderDef *def) {
    int k = rig->body_count++;
    rig->bodies[k] = add(rig, def);
    rig->shapes[k] = def->shape;
    return k;
}

ThawShape rigid_box(const RigidRig *rig, double height, double side) {
    ThawVec3 center = {rig->up.x * height, rig->up.y * height, rig->up.z * height};
    return thaw_shape_box(center, (ThawVec3){side, side, side});
}

// ---------------------------------------------------------------- what happens

void rigid_step(RigidRig *rig, double dt) {
    need(thaw_world_step(rig->world, dt, &rig->report), "step");
}

ThawColliderState rigid_state(const RigidRig *rig, int body) {
    ThawColliderState state;
    need(thaw_world_collider_state(rig->world, rig->bodies[body], &state), "state");
    return state;
}

static double dot(ThawVec3 a, ThawVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static ThawVec3 cross(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static ThawVec3 spin_momentum(const ThawColliderState *s) {
    const double *i = s->inertia;
    ThawVec3 w = s->spin;
    return (ThawVec3){i[0] * w.x + i[3] * w.y + i[5] * w.z, i[3] * w.x + i[1] * w.y + i[4] * w.z,
                      i[5] * w.x + i[4] * w.y + i[2] * w.z};
}

double rigid_height(const RigidRig *rig, int body) {
    return dot(rigid_state(rig, body).center, rig->up);
}

double rigid_speed(const RigidRig *rig, int body) {
    ThawVec3 v = rigid_state(rig, body).velocity;
    return sqrt(dot(v, v));
}

ThawVec3 rigid_momentum(const RigidRig *rig) {
    ThawVec3 sum = rig->report.momentum;
    for (int k = 0; k < rig->body_count; k++) {
        ThawColliderState s = rigid_state(rig, k);
        sum.x += s.mass * s.velocity.x;
        sum.y += s.mass * s.velocity.y;
        sum.z += s.mass * s.velocity.z;
    }
    return sum;
}

ThawVec3 rigid_angular(const RigidRig *rig) {
    ThawVec3 sum = rig->report.angular_momentum;
    for (int k = 0; k < rig->body_count; k++) {
        ThawColliderState s = rigid_state(rig, k);
        ThawVec3 orbit = cross(s.center, s.velocity), own = spin_momentum(&s);
        sum.x += s.mass * orbit.x + own.x;
        sum.y += s.mass * orbit.y + own.y;
        sum.z += s.mass * orbit.z + own.z;
    }
    return sum;
}

// kinetic of all, and the weight of particles lifted from the origin
static double particle_energy(const RigidRig *rig) {
    uint32_t count = thaw_world_count(rig->world);
    if (count == 0) return 0;
    double(*x)[3] = malloc(count * sizeof *x), height = 0;
    if (x == NULL) exit(1);
    thaw_world_positions(rig->world, x);
    for (uint32_t k = 0; k < count; k++) {
        height += rig->up.x * x[k][0] + rig->up.y * x[k][1] + rig->up.z * x[k][2];
    }
    free(x);
    return rig->report.kinetic + rig->report.mass * rig->pull * height / count;
}

double rigid_energy(const RigidRig *rig) {
    double sum = particle_energy(rig);
    for (int k = 0; k < rig->body_count; k++) {
        ThawColliderState s = rigid_state(rig, k);
        sum += s.mass * (rig->pull * dot(s.center, rig->up) + 0.5 * dot(s.velocity, s.velocity));
        sum += 0.5 * dot(s.spin, spin_momentum(&s));
    }
    return sum;
}

double rigid_clearance(const RigidRig *rig) {
    uint32_t count = thaw_world_count(rig->world);
    double(*x)[3] = malloc((count + 1) * sizeof *x), least = INFINITY;
    if (x == NULL) exit(1);
    thaw_world_positions(rig->world, x);
    for (int k = 0; k < rig->body_count; k++) {
        ThawShape shape = rig->shapes[k];
        shape.pose = rigid_state(rig, k).pose;
        for (uint32_t i = 0; i < count; i++) {
            ThawVec3 at = {x[i][0], x[i][1], x[i][2]};
            least = fmin(least, thaw_shape_distance(&shape, at));
        }
    }
    free(x);
    return least / rig->spacing;
}

double rigid_wet_share(const RigidRig *rig, int body, double width, double side) {
    bool flat = rig->dimensions == 2;
    double area = flat ? width : width * width, own = flat ? side : side * side;
    double bottom = rigid_height(rig, body) - side / 2, volume = rig->report.mass / 1000;
    // the level at which pool and wet part together fill the tank
    double level = (volume - own * bottom) / (area - own);
    return (level - bottom) / side;
}
