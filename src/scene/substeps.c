// Substeps: how many the solver will ask for, from gravity, the fall and the depth of matter.
//
// Gravity may change and turn: each moment of the run is judged by its own pull, and the one that asks for
// most counts.
#include "scene/preflight.h"

#include "geometry/distance.h"
#include "math/lattice.h"
#include "math/vec.h"

#include <math.h>

#define MOMENTS 256    // at which a changing gravity is looked at, besides its keys
#define SPEEDS 64      // at which the speed of an emitter is looked at
#define MOST_PRESS 0.1 // what a solid's contacts may be pressed together by, as the solver has it

static double least_spacing(const SceneFlight *flight) {
    double least = INFINITY;
    for (int k = 0; k < flight->scene->body_count; k++) {
        least = fmin(least, flight->probes[k].spacing);
    }
    for (int k = 0; k < flight->scene->emitter_count; k++) {
        least = fmin(least, scene_emitter_spacing(flight->scene, &flight->scene->emitters[k]));
    }
    return least;
}

// how far matter can fall: from its top to the lowest point of matter and of what holds it
static double fall_height(const SceneFlight *flight, ThawVec3 down) {
    const ThawScene *scene = flight->scene;
    const ThawVec3 corners[2] = {flight->preflight->lower, flight->preflight->upper};
    double top = INFINITY, bottom = -INFINITY;
    for (int k = 0; k < 8; k++) {
        ThawVec3 p = {corners[k & 1].x, corners[(k >> 1) & 1].y, corners[k >> 2].z};
        top = fmin(top, thaw_dot(p, down));
        bottom = fmax(bottom, thaw_dot(p, down));
    }
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawShape *shape = &scene->colliders[k].shape;
        ThawVec3 lower, upper;
        if (!scene->colliders[k].container || !thaw_shape_local_bounds(shape, &lower, &upper)) {
            continue;
        }
        for (int n = 0; n < 8; n++) {
            ThawVec3 p = {n & 1 ? upper.x : lower.x, n & 2 ? upper.y : lower.y,
                          n & 4 ? upper.z : lower.z};
            bottom = fmax(bottom, thaw_dot(thaw_pose_apply(shape->pose, p), down));
        }
    }
    return bottom - top;
}

// what the estimate needs whatever the gravity
typedef struct Case {
    double dt, d, start, stiffness, duration;
    double volume, coarsest; // of all matter; its largest spacing
    double lattice;          // the smallest lattice distance of a solid; 0 when there is none
    double tension;          // substeps that the shortest waves of surface tension want
} Case;

// How deep matter lies on itself, as the solver will estimate it: no more than its extent or twice what its
// volume would fill evenly, and no less than a cube of it.
static double rest_depth(const SceneFlight *flight, const Case *c, ThawVec3 down) {
    int dimensions = flight->scene->world.dimensions;
    ThawVec3 size = thaw_sub(flight->preflight->upper, flight->preflight->lower);
    double d = c->coarsest;
    double span[3] = {size.x + d, size.y + d, dimensions == 3 ? size.z + d : 1};
    double box = span[0] * span[1] * span[2];
    double extent = fabs(span[0] * down.x) + fabs(span[1] * down.y) + fabs(span[2] * down.z);
    double filled = fmax(2 * c->volume * extent / box, pow(c->volume, 1.0 / dimensions));
    return fmin(filled, extent);
}

static double fastest_start(const ThawScene *scene) {
    double most = 0;
    for (int k = 0; k < scene->body_count; k++) {
        const ThawSceneBody *body = &scene->bodies[k];
        ThawVec3 at = body->shape.pose.position;
        ThawMoment moment = {0, at.x, at.y, at.z};
        double speed = thaw_length(thaw_number3_at(&body->velocity, &moment));
        ThawVec3 lower, upper;
        if (thaw_shape_local_bounds(&body->shape, &lower, &upper)) {
            speed += thaw_length(body->spin) * thaw_length(upper);
        }
        if (isfinite(speed)) most = fmax(most, speed);
    }
    double duration = scene_duration(scene);
    for (int k = 0; k < scene->emitter_count; k++) {
        for (int n = 0; n <= SPEEDS; n++) {
            double t = duration * n / SPEEDS;
            most = fmax(most, scene_emitter_speed(scene, &scene->emitters[k], t));
        }
    }
    return most;
}

// substeps are cut until they follow the shortest waves of the tension that is asked for
static double count_by_tension(const SceneFlight *flight, const Case *c) {
    const ThawScene *scene = flight->scene;
    double most = 0;
    for (int m = 0; m < scene->material_count; m++) {
        if (!isfinite(scene_finest_liquid(flight, m))) continue;
        double carried = thaw_liquid_tension_limit(scene->materials[m].density, c->d, c->dt);
        most = fmax(most, sqrt(scene_tension_asked(scene, m, c->d) / carried));
    }
    return most;
}

static Case make_case(const SceneFlight *flight, int pieces) {
    const ThawScene *scene = flight->scene;
    Case c = {.dt = 1 / (scene->frames.fps * pieces),
              .d = least_spacing(flight),
              .start = fastest_start(scene),
              .duration = scene_duration(scene)};
    ThawRestState rest = thaw_rest_state(THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT,
                                         scene->world.dimensions, SCENE_SUPPORT);
    double relaxation = fmin(scene->world.solver.relaxation, 1.25 / rest.spectrum);
    c.stiffness = relaxation * c.d * c.d / rest.gradients;
    for (int k = 0; k < scene->body_count; k++) {
        const SceneProbe *probe = &flight->probes[k];
        c.volume += probe->particles * pow(probe->spacing, scene->world.dimensions);
        c.coarsest = fmax(c.coarsest, probe->spacing);
        if (scene->bodies[k].state != THAW_STATE_SOLID) continue;
        double distance = thaw_lattice_distance(scene->world.dimensions, probe->spacing);
        c.lattice = c.lattice > 0 ? fmin(c.lattice, distance) : distance;
    }
    for (int m = 0; m < scene->material_count && flight->set; m++) {
        double spacing = scene_setting_spacing(flight, m);
        if (spacing == 0) continue;
        double distance = thaw_lattice_distance(scene->world.dimensions, spacing);
        c.lattice = c.lattice > 0 ? fmin(c.lattice, distance) : distance;
    }
    c.volume += flight->volume;
    for (int k = 0; k < scene->emitter_count; k++) {
        c.coarsest = fmax(c.coarsest, scene_emitter_spacing(scene, &scene->emitters[k]));
    }
    c.tension = count_by_tension(flight, &c);
    return c;
}

static double count_by_speed(const ThawSolverDef *solver, const Case *c, double g, double speed) {
    return (speed + g * c->dt) * c->dt / (solver->max_displacement * c->d);
}

// the limits of the solver: displacement, and compression of liquids and solids under the own weight
static void take_gravity(SceneFlight *flight, const Case *c, ThawVec3 gravity) {
    const ThawSolverDef *solver = &flight->scene->world.solver;
    double g = thaw_length(gravity);
    ThawVec3 down = g > 0 ? thaw_scale(gravity, 1 / g) : thaw_vec(0, 0, 0);
    double fall = fmax(fall_height(flight, down), 0);
    double reached = fmin(sqrt(2 * g * fall), g * c->duration);
    double speed = sqrt(c->start * c->start + reached * reached);
    double by_speed = count_by_speed(solver, c, g, speed);
    double pull = g * rest_depth(flight, c, down);
    double compression = solver->max_compression * solver->iterations * c->stiffness;
    double by_weight = pull > 0 && flight->liquid ? c->dt / sqrt(compression / pull) : 0;
    if (pull > 0 && c->lattice > 0) {
        by_weight = fmax(by_weight, c->dt / (c->lattice * sqrt(MOST_PRESS / pull)));
    }
    double wanted = fmax(1, ceil(fmax(fmax(by_speed, by_weight), c->tension)));
    // what falls comes to rest; what flies without gravity goes on
    double resting = count_by_speed(solver, c, g, g > 0 ? 0 : c->start);
    resting = fmax(resting, c->tension);
    flight->calm = fmin(flight->calm, fmax(1, ceil(fmax(resting, by_weight))));
    flight->gravity = fmax(flight->gravity, g);
    if (wanted <= flight->wanted) return;
    flight->wanted = wanted;
    flight->tense = c->tension > fmax(by_speed, by_weight);
    flight->falling = by_speed > by_weight && !flight->tense;
}

static void take_moment(SceneFlight *flight, const Case *c, double t) {
    ThawMoment moment = {.t = t};
    take_gravity(flight, c, thaw_number3_at(&flight->scene->gravity, &moment));
}

// a step's substeps at the moments of the run
static void take_run(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    Case c = make_case(flight, flight->steps);
    flight->calm = INFINITY;
    flight->wanted = 0;
    bool varies = false;
    take_moment(flight, &c, 0);
    for (int a = 0; a < 3; a++) {
        const ThawNumber *number = &scene->gravity.axis[a];
        varies |= thaw_number_varies(number);
        for (int k = 0; k < number->key_count; k++) {
            if (number->keys[k][0] <= c.duration) take_moment(flight, &c, number->keys[k][0]);
        }
    }
    for (int k = 1; varies && k <= MOMENTS; k++) take_moment(flight, &c, c.duration * k / MOMENTS);
}

// within what the solver may take
static void cap_substeps(SceneFlight *flight) {
    const ThawSolverDef *solver = &flight->scene->world.solver;
    double fixed = ceil((double)solver->substeps / flight->steps);
    double most = solver->substeps > 0 ? fixed : solver->max_substeps;
    flight->fast = solver->substeps > 0 ? most : fmin(flight->wanted, most);
    flight->calm = solver->substeps > 0 ? most : fmin(flight->calm, most);
}

static double substeps_a_frame(const SceneFlight *flight) {
    return flight->steps * flight->fast * scene_elastic_pieces(flight, flight->fast);
}

SceneFlight scene_flight_set(const SceneFlight *flight) {
    SceneFlight later = *flight;
    later.set = true;
    take_run(&later);
    cap_substeps(&later);
    return later;
}

void scene_estimate_substeps(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    flight->steps = scene->animated ? 4 : 1;
    for (int k = 0; k < scene->body_count; k++) {
        flight->liquid |= scene->bodies[k].state == THAW_STATE_LIQUID ||
                          scene_may_melt(scene, scene->bodies[k].material);
    }
    flight->liquid |= scene->emitter_count > 0;
    take_run(flight);
    cap_substeps(flight);
    SceneFlight later = scene_flight_set(flight);
    flight->preflight->substeps = substeps_a_frame(flight);
    flight->preflight->set_substeps = substeps_a_frame(&later);
}
